"""The kernels that stand first in the list of every compiled room of this game: they are kept in a cache of their own."""

SHARED = ("sokoasp.sokoban.walk.region_kernel",)
