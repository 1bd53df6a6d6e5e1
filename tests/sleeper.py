"""A child process that never answers: ``python -m tests.sleeper``."""

import time

if __name__ == "__main__":
    time.sleep(600)
