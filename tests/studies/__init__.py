"""Measurements that were made once, and what checks them: run from a clone, no part of the package."""
