"""Lower bounds: additive pattern databases with dual potentials, cost partitioning, learned patterns."""
