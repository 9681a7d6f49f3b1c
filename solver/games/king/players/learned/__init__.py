"""The learned player of King × Alchemy: the plausible one (`policy`), and a small network that corrects it."""
