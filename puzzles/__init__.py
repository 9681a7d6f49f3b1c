"""Puzzles: the file format, solving, generating and training. Used by the API, and uses the solver."""
