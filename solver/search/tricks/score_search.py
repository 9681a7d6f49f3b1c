"""`ScoreSearch`: the score search instantiated for one game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solver.kernels.words import Words
from solver.search.tricks import alpha_beta, move_values, proof_number
from solver.search.tricks.rules import ScoreRules
from solver.search.tricks.score_table import ScoreTable, score_table


@dataclass(frozen=True)
class ScoreSearch:
    """The kernels that `ScoreProver` calls, and the rules that they were instantiated with.

    `score_search` makes it; the templates in `proof_number` and `move_values` say what each kernel does.
    """

    rules: ScoreRules
    table: ScoreTable
    open_question: Callable[[Words, Words, Words, Words, Words, Words], None]
    begin_values: Callable[[Words, Words, Words], None]
    begin_line: Callable[[Words, Words, int], None]
    pursue: Callable[[Words, Words, Words, Words, Words, Words, Words, Words, int], bool]


def score_search(rules: ScoreRules, table: ScoreTable | None = None) -> ScoreSearch:
    """Instantiate the score search with a game's rules. Compiles nothing yet.

    `table` is given by a game whose own kernels use the table's. Raises ValueError when a search with other rules
    has the game's name already.
    """
    rules.enter()
    table = table or score_table(rules.game, rules.key_bits, rules.point_bits)
    made = rules.instances(table.names)
    made.of(alpha_beta.begin)
    made.of(alpha_beta.run)
    question = made.of(proof_number.open_question)
    made.of(proof_number.expand)
    made.of(proof_number.keep_numbers)
    made.of(proof_number.advance)
    made.of(move_values.values)
    made.of(move_values.follow)
    return ScoreSearch(
        rules,
        table,
        question,
        made.of(move_values.begin_values),
        made.of(move_values.begin_line),
        made.of(move_values.pursue),
    )
