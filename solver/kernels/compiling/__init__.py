"""Compiling with Numba, which is imported here alone: what was kept runs without (`solver.kernels.machine`)."""
