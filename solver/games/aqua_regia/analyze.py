"""Analysis of Aqua Regia with every card known: whether a player can go out first, after each move.

Moves not proved within the limit have bounds [0, 1] and an estimate from a Monte-Carlo tree search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from solver.answers import Bounds as AnswersBounds
from solver.game import ProofSearch
from solver.games.aqua_regia import fast_rules
from solver.games.aqua_regia.deck import AQUA_REGIA, FIELDS, Deck, house
from solver.games.aqua_regia.fast_rules import (
    ALLY,
    ASKED,
    MAXN,
    MODEL,
    PASS,
    STATE_WORDS,
    STATUS,
    asked_of,
    turn_of,
)
from solver.games.aqua_regia.position import AquaAnalysis, Round
from solver.games.aqua_regia.rules import State, text_of
from solver.games.aqua_regia.search import PROVERS, SCRATCH_WORDS, Known, Outcomes, Proving, sure_winner
from solver.kernels.jit import inlined
from solver.kernels.rng import below
from solver.kernels.words import Words
from solver.limits import Control, Limit, once
from solver.search.uct import Bounds, Tree, TreeKernels, TreeRules, kernels_of
from solver.search.winner_search import SWITCHES
from solver.tricks.analysis import Form, Question, answer, asked, proved

# ----------------------------------------------------------------------------------------------------
# Aqua Regia's rules for the Monte-Carlo tree search: each seat pursues its goal under the model.
#
# Beyond the tree, games are played out at random, with plays preferred to passes, until somebody is out or sure to
# win.


_RIPE = 3  # visits before a node gets children
_PLAYS_ONLY = 4  # of five random moves, if a play is possible


@inlined
def moves(deal: Words, work: Words, at: int, codes: Words) -> int:
    return fast_rules.moves(deal, work, at, codes, 0, 1)


@inlined
def play(deal: Words, work: Words, at: int, to: int, move: int) -> None:
    fast_rules.play(deal, work, at, work, to, move)


@inlined
def seat_to_move(deal: Words, work: Words, at: int) -> int:
    return turn_of(work[at + STATUS])


@inlined
def reward(deal: Words, work: Words, at: int, ended: int, seat: int) -> int:
    """Return 1 if `seat` reached its goal in a simulated game in which seat `ended` went out first, else 0.

    Under `maxn`, the goal of every seat is to win. In the other models, it is that the seat asked about wins or,
    for its opponents under `paranoid`, that it does not.
    """
    asked = asked_of(work[at + STATUS])
    if deal[MODEL] == MAXN:
        return 1 if ended == seat else 0
    if deal[MODEL] == ALLY or seat == asked:
        return 1 if ended == asked else 0
    return 0 if ended == asked else 1


@inlined
def rollout(deal: Words, work: Words, at: int, spare: int, codes: Words, count: int, random: Words) -> int:
    """Return a random move for a simulated game; four times in five it is a play, if there is one.

    `codes` has the `count` legal moves, plays first.
    """
    if codes[0] < PASS and below(random, 5) < _PLAYS_ONLY:
        while codes[count - 1] >= PASS:
            count -= 1
    return int(codes[below(random, count)])


@once
def kernels() -> TreeKernels:
    """Return the kernels of the tree search with Aqua Regia's rules."""
    return kernels_of(
        TreeRules(
            game="aqua_regia",
            state_words=STATE_WORDS,
            scratch_words=SCRATCH_WORDS,
            moves=moves,
            play=play,
            seat_to_move=seat_to_move,
            result=sure_winner,
            reward=reward,
            rollout=rollout,
            ripe=_RIPE,
        )
    )


# ----------------------------------------------------------------------------------------------------
# The chances of unproved moves, from Monte-Carlo tree search with all cards known.


_TREE_NODES = 1 << 20  # 72 MB, of which the system provides only what is written


@dataclass(frozen=True, slots=True)
class Chance:
    """How many simulated games began with a move, and in what share the seat to move reached its goal."""

    games: int
    share: float


def chances(outcomes: Outcomes, moves: Sequence[int], asked: int) -> dict[int, Chance]:
    """Estimate moves by Monte-Carlo tree search until the limit is reached; moves not tried are left out.

    `asked` is the seat whose win is in question. The caller must ensure that at the start nobody has gone out, and
    that it is not yet certain who will.
    """
    deal = outcomes.deal
    root = outcomes.start.copy()
    root[STATUS] |= asked << ASKED
    tree = Tree(
        kernels(),
        deal.words,
        root,
        moves,
        seats=outcomes.seats,
        bounds=Bounds(nodes=_TREE_NODES, moves=deal.moves, plays=deal.depth),
    )
    outcomes.control.drive(tree.step, stage="estimate")
    turn = outcomes.turn(outcomes.start)
    return {move: Chance(tried.games, tried.mean(turn)) for move, tried in tree.tried().items()}


def analyze(
    position: Round,
    control: Control,
    *,
    model: str | None = None,
    player: int | None = None,
) -> AquaAnalysis:
    """Return the values of all moves, best first for the seat to move: exact, or bounds if the limit was reached.

    Raises RequestError for an unknown model or player, and for more metals in play than the search supports.
    """
    state = position.state
    question = asked(model, player, state.turn, state.seats, control)
    model = question.model
    if state.winner is not None:
        scores = tuple(int(seat == state.winner) for seat in range(state.seats))
        final = scores if model == "maxn" else scores[question.player]
        return answer(Form("aqua-regia", AquaAnalysis, str), question, {}, (final, final), (), ())
    with PROVERS.lend() as prover:
        outcomes = Outcomes(prover, position.metals, state, model, control)
        others = [(state.turn + step) % state.seats for step in range(state.seats)]
        proving = Proving(outcomes, others if model == "maxn" else [question.player])

        def text(move: int) -> str:
            return text_of(position.metals, outcomes.move(move))

        def bounds() -> dict[int, AnswersBounds]:
            return {move: _bounds(outcomes, question, known) for move, known in proving.moves.items()}

        tried: dict[int, Chance] = {}
        with control.telling(lambda: proved(text, bounds())):
            proving.run()
            if not proving.decided:
                tried = chances(outcomes, proving.undecided_moves, proving.asked)
        value = _bounds(outcomes, question, proving.position)
        ranked = sorted(proving.moves, key=partial(_badness, proving, tried))  # stable: canonical order on ties
        against = model == "paranoid" and question.player != state.turn
        estimates = {
            move: None if move not in tried else 1.0 - tried[move].share if against else tried[move].share
            for move in proving.moves
        }
        line = _line(outcomes, question, ranked[0], value)
        return answer(Form("aqua-regia", AquaAnalysis, text), question, bounds(), value, ranked, line, estimates)


def _bounds(outcomes: Outcomes, question: Question, known: Known) -> AnswersBounds:
    """Return the bounds of the score (under `maxn`, by seat), given which seats are known to win or not."""
    if question.model != "maxn":
        return int(known.get(question.player, False)), int(known.get(question.player, True))
    seats = range(outcomes.seats)
    return tuple(int(known.get(seat, False)) for seat in seats), tuple(
        int(known.get(seat, True)) for seat in seats
    )


def _badness(proving: Proving, tried: Mapping[int, Chance], move: int) -> tuple[int, int]:
    """Sort key of a move for the seat to move: proved wins first, then unproved moves, then proved losses.

    Unproved moves are sorted by games, most first: the tree search spends most games on the best moves.
    """
    reached = proving.moves[move].get(proving.asked)
    if reached is None:
        return 1, -tried[move].games if move in tried else 0
    return (0 if reached is proving.wanted else 2), 0


def _line(outcomes: Outcomes, question: Question, best: int, value: AnswersBounds) -> list[int]:
    """Return the principal variation if the position's value is proved, else an empty list."""
    if value[0] != value[1]:
        return []
    if question.model == "maxn":
        return outcomes.line(outcomes.start, question.to_move, True)
    return [best, *outcomes.line(outcomes.after(outcomes.start, best), question.player, value[0] == 1)]


def warm() -> None:
    """Compile or load every kernel."""
    hands = ((0,) * 12 + (1, 1, 1, 1), (0,) * 12 + (1, 1, 1, 1))
    state = State(hands=hands, turn=0, field=AQUA_REGIA, discard=(0,) * 16)
    with PROVERS.lend() as prover:
        outcomes = Outcomes(prover, house(), state, "paranoid", Control(Limit(nodes=50)))
        outcomes.deal.words[SWITCHES] = 0  # lest the question be decided at once
        proving = Proving(outcomes, [0])
        proving.run()
        chances(outcomes, list(proving.moves), 0)


# ----------------------------------------------------------------------------------------------------
# Certificates that a player can or can't go out first: the search's part.


def claim(position: object) -> dict[str, Any]:
    """Return the position that a certificate is about, together with the table of reactivities, as data."""
    assert isinstance(position, Round)
    data: dict[str, Any] = {
        "game": "aqua-regia",
        "deck": _deck(position.metals),
        "field": position.field,
        "reversed": position.reversed,
        "turn": position.turn,
        "table": list(position.table),
        "discard": list(position.discard),
        "hands": [list(hand) for hand in position.hands],
        "stock": list(position.stock),
    }
    if position.owner is not None:
        data["owner"] = position.owner
    if position.rules is not None:
        data["rules"] = position.rules.model_dump()
    return data


def _deck(deck: Deck) -> dict[str, Any]:
    metals = [
        {
            "symbol": metal.symbol,
            "name": metal.name,
            "reactivity": dict(zip(FIELDS, metal.reactivity, strict=True)),
        }
        for metal in deck.metals
    ]
    return {"name": deck.name, "copies": deck.copies, "metal": metals}


@contextmanager
def proving(position: Round, control: Control, *, model: str, player: int) -> Iterator[ProofSearch]:
    """Context manager that provides a search for whether `player` goes out first.

    All other seats oppose the player (`paranoid`) or help (`ally`).
    """
    deck = position.metals
    with PROVERS.lend() as prover:
        outcomes = Outcomes(prover, deck, position.state, model, control)

        def after(node: Words, text: str) -> Words:
            moves = outcomes.legal(node)
            return outcomes.after(node, next(move for move in moves if text_of(deck, outcomes.move(move)) == text))

        def reaches(node: Words, score: int) -> bool | None:
            won = outcomes.wins(node, player)
            return None if won is None else won >= score

        yield ProofSearch(start=outcomes.start, after=after, reaches=reaches)
