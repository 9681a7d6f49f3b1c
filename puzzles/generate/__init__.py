"""Making puzzles: candidates of a game's composer, proved, measured, graded, and none of them twice."""
