"""Measurements behind the documentation, each made anew by one command: they import everything, only ``cli`` imports them."""
