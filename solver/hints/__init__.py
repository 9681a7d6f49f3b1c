"""Hints for games with hidden cards, by play sampled over the deals that agree with what a player sees.

No game is known here. A game brings a `sampled.Sampler`, whose `hint` is the game's. Its main part are *rollouts*
(`simulate.Rollouts`):

* ``moves``, the number of moves that are compared, and ``statistics``, how many numbers are kept of each finished
  game;
* ``play(first, results, weights)``, worlds number ``first``, ``first + 1``, …, one a row of `results`: deal the
  hidden cards (`deals`, `worlds`, `many_deals`: each deal is as likely as any other), and for each move play the
  game to its end with plausible players (`policy`). ``results[world, move, 0]`` is the score that the player wants
  to be high; the other statistics are what the reason is made of (did the move win the trick, …).
  ``weights[world]`` may be set to say how much the world counts, such as how likely its players would have played
  what was seen;
* ``chained``, whether a call makes each world from the one before (`chain`: a Markov chain over likely worlds,
  begun anew at each call). Then only calls are independent, and the errors are taken from what calls differ by.

A world's number is its seed: the same number always deals the same cards and, for every move, begins the same
stream of random numbers (common random numbers: what the moves share cancels from their difference). `play` is
called from several threads at once, each time with arrays of its own, so it works in a kernel that releases the
GIL and writes nowhere else.

`simulate.simulate` runs it under a `Control` and gives a `paired.Sums`; `ranking.ranked` makes of that the moves
of an answer, best first, with standard errors, and `ranking.lead` what a reason needs of the first and the next.
`leaning.Leaned` are sums whose means lean to what moves were found worth before, where a game's sampler has a
`prior`. `words` says means as people do.

A game of tricks needs none of this: `trick_sampler` makes its hints from its rules for the search, and
`solver.tricks.plain` from what a plain game has brought to its analysis.
"""
