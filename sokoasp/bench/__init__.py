"""Campaigns: many runs of many systems on many instances, stored, compared and drawn; and the level generator."""
