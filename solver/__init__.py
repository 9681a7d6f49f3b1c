"""Rules, exact search and hints for card games about alchemy and mythical beasts.

Importing this package is cheap: NumPy, Numba and OR-Tools are only imported when they are first needed.
"""
