"""The memory of searches: what they may take in all, and every table charged to it."""
