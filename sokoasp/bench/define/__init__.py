"""What is to be run: suites, instances, generated levels."""
