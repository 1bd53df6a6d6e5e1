"""What is to be run: suites, systems, instances."""
