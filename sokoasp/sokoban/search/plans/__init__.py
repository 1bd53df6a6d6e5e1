"""Seekers: searches that only look for plans, and the shortening of plans. They prove nothing; docs/native.md has the argument."""
