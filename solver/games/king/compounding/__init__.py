"""The packing problem of King × Alchemy: which recipes to make of a set of won cards."""
