"""A game at the terminal that is played move by move and kept in a file."""
