"""Puzzles: the file format, the runner, and making new ones. Uses the solver, and is used by the API."""
