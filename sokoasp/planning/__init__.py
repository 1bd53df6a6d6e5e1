"""Planning tasks in PDDL: Sokoban recognised by structure, solved as a level, answered in the task's own words."""
