"""Searches in a process of their own: so long ones never keep the interpreter from whoever reads and answers."""
