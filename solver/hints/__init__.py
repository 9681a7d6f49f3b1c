"""Hints for games with hidden cards, by sampling deals that agree with what a player sees.

Such a deal is called a *world*. Nothing here is specific to one game. A game provides a `sampled.Sampler`, whose
`hint` becomes the game's. Its main part is a `sampled.Rollouts`:

- ``moves``, the number of moves to compare, and ``statistics``, how many numbers each finished game yields;
- ``play(first, results, weights)``, which plays worlds number ``first``, ``first + 1``, …, one per row of
  `results`. It deals the hidden cards (`worlds`: all deals equally likely) and plays the game out after each move
  with simulated players (`policy`). ``results[world, move, 0]`` is the score that the player maximizes; the other
  statistics help to explain the hint (did the move win the trick, …). ``weights[world]`` may be set to the weight
  of the world, such as the likelihood of what was seen;
- ``chained``, whether a call makes each world from the previous one (`worlds.Chain`: a Markov chain over likely
  worlds, started anew at each call). Then only the worlds of different calls are independent, and errors are
  estimated from the differences between calls.

A world's number is its seed: it always gives the same cards and, for every move, the same stream of random numbers
(common random numbers: shared noise cancels in differences). `play` is called from several threads simultaneously,
each with its own arrays, so it should run in a kernel that releases the GIL and writes nowhere else.

`sampled.simulate` runs the rollouts under a `Control` and returns a `ranking.Sums`; `ranking.ranked` turns it into
the answer's moves, best first, with standard errors, and `ranking.lead` gives the best move's margin over the move
with which the reason compares it.

A plain trick game needs none of this: `solver.tricks.plain` makes its hints from the rules of its score search.
"""
