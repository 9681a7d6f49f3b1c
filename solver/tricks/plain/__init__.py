"""A plain game of tricks, ready-made: positions, moves, analysis, hints, records, and how it is played."""
