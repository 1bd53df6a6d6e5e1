"""Compiled primitives, one copy each: regions, freeze, PI-corrals, hashing, matching."""
