"""Kernels, that is, functions compiled with Numba: their cache, templates, bit operations and random numbers."""
