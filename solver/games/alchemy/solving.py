"""Analyses, hints and puzzle answers for every kind of alchemy position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import Any

from solver.answers import Analysis, Hint, Proved
from solver.common import MOST_WORLDS
from solver.errors import RequestError
from solver.game import ProofSearch
from solver.games.alchemy import duel, hidden_stock, known_stock, moves
from solver.games.alchemy.deck import Move, discard, points
from solver.games.alchemy.expectimax import static_table
from solver.games.alchemy.fast_rules import lines
from solver.games.alchemy.moves import asks, legal_moves
from solver.games.alchemy.position import (
    DuelAnalysis,
    DuelHint,
    MatchesAnalysis,
    OptimumAnalysis,
    Round,
    SolitaireAnalysis,
    SolitaireHint,
    listed,
    ranks_of,
)
from solver.games.alchemy.rules import SOLITAIRE, USUAL, AlchemyReadings, Turn, match_of, solitaire_play
from solver.hints.sampled import worlds_error
from solver.language import say
from solver.limits import Control, Limit


def analyze(position: Round, control: Control, *, model: str | None = None, player: int | None = None) -> Analysis:
    """Return the exact value of every move.

    Raises RequestError if the stock is hidden, if a duel's round is over, if a player has already grabbed, if
    `model` is given, or if `player` is not 0.
    """
    if model is not None:
        raise RequestError("unknown_value", say("alchemy has no models of play; leave model out"), "model")
    if player not in (None, 0):
        raise RequestError("out_of_range", say("values in alchemy are the player's own, seat 0"), "player")
    if position.is_solitaire:
        if position.stock_hidden:
            raise RequestError(
                "hidden_cards",
                say("the stock's order is hidden: ask for a hint, or give stock in draw order"),
                "stock",
            )
        return known_stock.analyze(position, control)
    if position.is_duel:
        if position.over:
            raise RequestError("not_playable", say("the round is over: there is nothing to decide"), "hand")
        if position.grab is not None:
            raise RequestError(
                "not_offered", say("one player has grabbed already: ask for a hint about the rest"), "grabbed"
            )
        return duel.analyze(position, control)
    from solver.games.alchemy.matches import all_matches, optimum

    return all_matches(position, control) if position.objective is None else optimum(position, control)


# ----------------------------------------------------------------------------------------------------
# `hint`: the best move, how often it wins or what it scores, and why.


def hint(position: Round, control: Control, *, worlds: int | None = None, seed: int = 0) -> Hint:
    """Recommend a move in a solitaire, with its stock hidden or known, or in an exchange of a duel.

    `worlds` limits the number of sampled stocks. Raises RequestError if it is out of range, and for a `free`
    puzzle, which can only be analyzed.
    """
    if worlds is not None and not 1 <= worlds <= MOST_WORLDS:
        raise worlds_error()
    if position.is_duel:
        return duel.hint(position, control, seed, worlds)
    if not position.is_solitaire:
        raise RequestError("not_playable", say("there are no hints for a free puzzle: analyze it"), "variant")
    if position.stock_hidden and position.turn.hand is not None:
        return hidden_stock.hint(position, control, worlds, seed)
    return known_stock.hint(position, control, seed)


# ----------------------------------------------------------------------------------------------------
# Warming: run every kernel of alchemy once, and build the tables that all questions share.
#
# The tables of the larger variant and of the duel, which take longer than everything else, are built in another
# thread. A question that arrives meanwhile builds them too.

TABLES = "tables of alchemy"  # the name of these threads


def known() -> None:
    """Compile or load the kernels used when all cards are known."""
    analyze(moves.deal(0, variant="alternative"), Control())
    Thread(target=lines, args=(SOLITAIRE["solo"],), name=TABLES, daemon=True).start()
    line = ("A", "2", "3", "4", "5", "6", "7")
    puzzle = Round(game="alchemy", variant="free", min_line=1, line=line, hand="9")
    analyze(puzzle, Control())
    analyze(puzzle.model_copy(update={"objective": "most-cards"}), Control())


def hints() -> None:
    """Compile or load the kernels that hints use, with the stock hidden or known."""
    static_table(SOLITAIRE["alternative"])
    Thread(target=_larger_tables, name=TABLES, daemon=True).start()
    # The kernels are the same for both variants, and faster in this one.
    hint(moves.view(moves.deal(0, variant="alternative"), 0), Control(), worlds=4)
    ending = moves.view(moves.deal(0, variant="alternative"), 0).model_copy(update={"unseen": ("A", "2", "3")})
    hint(ending, Control())
    hint(moves.deal(0, variant="alternative"), Control(Limit(nodes=1)))


def _larger_tables() -> None:
    """Build the tables that a hint with a short time limit must not wait for."""
    static_table(SOLITAIRE["solo"])
    for rules in (USUAL, AlchemyReadings(one_joker=True), AlchemyReadings(two_jokers=True)):
        duel.chances(*rules.jokers)


# ----------------------------------------------------------------------------------------------------
# Proofs: the answer to each of the puzzles' questions, and its optimal moves.


_SAME_CHANCE = 1e-9  # between two exact probabilities: summed in different orders, their last digits differ


def answer(
    position: Round, ask: str, control: Control, *, model: str | None = None, player: int | None = None
) -> Analysis | Hint:
    """Answer a puzzle's question `ask` about a position. Raises the same errors as `analyze` and `hint`."""
    if ask == "all-matches" and position.variant != "free":
        return _matches(position, control)
    if "analyze" in asks(position):
        return analyze(position, control, model=model, player=player)
    return hint(position, control)


def _matches(position: Round, control: Control) -> MatchesAnalysis:
    """List the matches of a solitaire or a duel, whose line has at most six cards."""
    matches = [move for move in legal_moves(position) if move.kind == "match"]
    control.nodes += len(matches)
    return listed(position, control, matches, (len(matches), len(matches)))


def proved(position: Round, answer: Analysis | Hint, stated: Sequence[Move] = ()) -> Proved:
    """Return what an answer proves about its position: the value, and every optimal move.

    In a lost solitaire, the optimal moves are those that leave the fewest stock cards; in an exchange, those with
    the highest swing; with a hidden stock, those with the highest chance to win, if it is exact.
    """
    if isinstance(answer, OptimumAnalysis):
        return _proved_optimum(position, answer, stated)
    if isinstance(answer, MatchesAnalysis):
        return _proved_matches(answer, stated)
    if isinstance(answer, SolitaireHint):
        return _proved_chance(answer)
    if isinstance(answer, SolitaireAnalysis):
        value = answer.value if answer.bounds[0] == answer.bounds[1] else None
        return Proved(value=value, best=_fewest_left(answer))
    assert isinstance(answer, DuelAnalysis | DuelHint)
    top = max(entry.swing for entry in answer.moves)
    return Proved(value=top, best=tuple(entry.move for entry in answer.moves if entry.swing == top))


def _proved_matches(answer: MatchesAnalysis, stated: Sequence[Move]) -> Proved:
    """Return what a list of matches proves: their number and, if the list is complete, the matches themselves.

    If the list is incomplete, the `stated` matches of a puzzle are accepted as the complete list if there are as
    many different ones as there are matches.
    """
    if not answer.exact:
        return Proved(value=None, best=None)
    if not answer.truncated:
        return Proved(value=answer.value, best=tuple(entry.move for entry in answer.moves))
    known = tuple(dict.fromkeys(map(str, stated)))
    return Proved(value=answer.value, best=known if len(known) == answer.value else None)


def _fewest_left(answer: SolitaireAnalysis) -> tuple[str, ...] | None:
    """Return the moves that win a solitaire or, if none does, leave the fewest stock cards.

    Returns None unless all moves are solved.
    """
    if len(answer.moves) <= 1:
        return tuple(entry.move for entry in answer.moves)
    if not all(entry.exact for entry in answer.moves):
        return None
    fewest = min(entry.left or 0 for entry in answer.moves)
    return tuple(entry.move for entry in answer.moves if (entry.left or 0) == fewest)


def _proved_chance(answer: SolitaireHint) -> Proved:
    moves = answer.moves
    if not all(entry.exact for entry in moves):
        return Proved(value=None, best=(moves[0].move,) if len(moves) == 1 else None)
    top = max((entry.win_probability for entry in moves), default=1.0)
    best = tuple(entry.move for entry in moves if entry.win_probability >= top - _SAME_CHANCE)
    return Proved(value=top, best=best)


def _proved_optimum(position: Round, answer: OptimumAnalysis, stated: Sequence[Move]) -> Proved:
    if not answer.exact:
        return Proved(value=None, best=None)
    if answer.value is None:
        return Proved(value=None, best=())
    best = [entry.move for entry in answer.moves if entry.value == answer.value]
    for move in stated:
        if str(move) not in best and _worth(position, move) == answer.value:
            best.append(str(move))
    return Proved(value=answer.value, best=tuple(best), complete=False)


def _worth(position: Round, move: Move) -> int:
    if position.objective == "most-points":
        return points((position.hand_rank, *move.used))
    return len(move.used)


# ----------------------------------------------------------------------------------------------------
# Certificates that a solitaire with a known stock is won or lost: the search's part.


def claim(position: Round) -> dict[str, Any]:
    """Return the solitaire turn to be certified, with its stock, as JSON data.

    Raises RequestError unless the position is a solitaire in play whose stock is known.
    """
    if not position.is_solitaire or position.stock_hidden or position.hand is None:
        raise RequestError("not_offered", say("a certificate needs a solitaire in play with its stock known"))
    data: dict[str, Any] = {
        "game": "alchemy",
        "variant": position.variant,
        "cap": position.cap,
        "line": list(position.line),
        "hand": position.hand,
        "stock": list(position.stock or ()),
    }
    if position.rules is not None:
        data["rules"] = position.rules.model_dump()
    return data


@contextmanager
def proving(position: Round, control: Control, *, model: str | None, player: int) -> Iterator[ProofSearch]:
    """Provide the search that a certificate is made with; the score is 1 if the deal is won, else 0."""
    turn, variant = position.turn, position.solitaire
    search = known_stock.KnownStock(variant, turn, control)

    def after(turn: Turn, text: str) -> Turn:
        words = text.split()
        assert turn.hand is not None
        move = discard(ranks_of(words[1:])[0]) if words[0] == "discard" else match_of(ranks_of(words), turn.hand)
        assert move is not None
        return solitaire_play(variant, turn, move)

    def reaches(turn: Turn, score: int) -> bool | None:
        left = search.left(turn)
        return None if left is None else (left == 0) >= score

    yield ProofSearch(start=turn, after=after, reaches=reaches)
