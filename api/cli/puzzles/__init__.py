"""Commands of puzzle files: solve, train, generate."""
