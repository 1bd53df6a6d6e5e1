"""Plan improvement: segments of a plan solved anew."""
