"""Seekers, searches that only look for plans, and the shortening of plans: they prove nothing."""
