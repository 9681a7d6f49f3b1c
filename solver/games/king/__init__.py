"""King × Alchemy Research Institute: tricks for ingredients, and recipes for the points."""
