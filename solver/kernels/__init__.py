"""Numba kernels and their cache, search templates, and words and random numbers for kernels."""
