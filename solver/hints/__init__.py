"""Hints for games with hidden cards, by play sampled over the deals that agree with what a player sees.

It knows no game. What a game brings is a `solver.hints.simulate.Table`:

* ``moves``, the number of moves that are compared, and ``statistics``, the numbers told of each finished game;
* ``play(first, results, weights)``, worlds number ``first``, ``first + 1``, …, one a row of `results`: deal the
  hidden cards (`worlds` counts and numbers the ways to deal them, so that a draw is exactly uniform), and for
  each move play the game to its end with plausible players. ``results[world, move, 0]`` is the score that the
  player wants to be high; the other statistics are what the reason is made of (did the move win the trick, …).
  ``weights[world]`` may be set to say how much the world counts, such as how likely its players would have
  played what was seen;
* ``chained``, whether a call makes each world from the one before (a Markov chain over likely worlds, begun
  anew at each call); then only calls are independent, and the errors are taken from what calls differ by.

A world's number is its seed: the same number always deals the same cards and, for every move, begins the same
stream of random numbers (common random numbers: what the moves share cancels from their difference). `play` is
called from several threads at once, each time with arrays of its own, so it works in a kernel that releases the
GIL and writes nowhere else.

`simulate.simulate` runs it under a `Control` and gives a `paired.Sums`; `ranking.ranked` makes of that the
moves of an answer, best first, with standard errors, `ranking.lead` what a reason needs of the first and the
next, and `ranking.answer` the whole hint. `words` says means as people do.
"""
