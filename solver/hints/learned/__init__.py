"""Small neural networks that hints ask, and their weights in files. `training/` makes them."""
