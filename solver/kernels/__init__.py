"""Compiling: Numba kernels and their cache, templates, and what kernels share (words, random numbers)."""
