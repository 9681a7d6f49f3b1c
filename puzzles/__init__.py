"""Puzzles: the file format, solving, generating and training. Uses the solver, and is used by the API."""
