"""Whose turn it is: queues that are fair between clients."""
