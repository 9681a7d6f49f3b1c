"""Puzzles: the file format, the runner, and what makes new ones. Knows the solver; the API knows this."""
