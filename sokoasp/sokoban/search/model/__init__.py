"""One level made ready for the searches: the board, single-box tables, options, registers and records of arrays."""
