"""Sokoban: levels, rules, plans, the referee, notations, searches. Nothing here knows a logic program or a front end."""
