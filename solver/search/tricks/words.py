"""The words that every trick search knows of a deal and of a node, and the answers to a question.

`deal` is an int64 array of constants of the deal: first the search's own words, then the game's (hands, player,
whose cards score, and so on). A node is a block of int64 words inside a longer array, at an offset `at`.
"""

from __future__ import annotations

NO, YES, UNKNOWN = 0, 1, -1

GENERATION = 0  # the deal word that tells deals apart in a table: entries of other generations are not believed
SWITCHES = 1  # the deal word with the parts of the search that are on, one bit each (see `solver.search.switches`)

# The score search alone. Of a node: the points still needed; at most 0 means reached.
NEED = 0
# Of a deal: the number of earlier attempts at the question, by which `moves` may vary its order; and the nodes
# that the last call of `finish` or `assured` looked at.
ATTEMPT, FINISHED = 2, 3
# Of a deal, kept by the table: the words in use when this round of splits began, those of them that are split,
# and the entries.
TABLE_WORDS, SPLIT, STORED = 4, 5, 6
SCORE_WORDS = 7  # where the game's words begin in a deal of the score search
FAIL_SOFT_WORDS = 2  # where they begin in a deal of the fail-soft search
