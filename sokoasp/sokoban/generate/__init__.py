"""Levels made on the spot, each with its optimum proved: random maps, starts pulled from the goals, the generator."""
