"""Satisficing searches: macro pushes in a feature space, and packing orders; they prove nothing."""
