"""How jobs are kept: the store, its tables, who claimed what, and for how long."""
