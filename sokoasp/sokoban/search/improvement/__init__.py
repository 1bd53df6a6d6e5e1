"""Plan improvement: segments, prefixes and suffixes of a plan solved anew."""
