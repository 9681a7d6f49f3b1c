"""The learned player of Aqua Regia: the plausible one (`policy`), and a small network that corrects it."""
