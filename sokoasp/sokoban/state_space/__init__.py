"""State-space counts: the formulas of the thesis and what is really there."""
