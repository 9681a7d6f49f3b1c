"""Other releases of Athanor as players of the arena: each runs in a process of its own, with its own code."""
