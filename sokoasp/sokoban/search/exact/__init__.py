"""Searches that prove: A* in both directions, its state store and open list, lexicographic tie-breaks, the reference."""
