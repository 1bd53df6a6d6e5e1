"""The compiled search: modules of kernels, loaded through ``core.jit.load`` in the order of ``options.MODULES``."""
