"""Certificates: made of the collection's puzzles, checked by plain rules, refused when changed."""
