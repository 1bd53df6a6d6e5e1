"""Satisficing searches: macro pushes in a feature space, packing orders, frontiers that meet; they prove nothing."""
