"""A game review as a single self-contained HTML file: the seats, graphs of their scores, the worst moments."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup, escape

import athanor
from api.page import template
from solver.answer_tables import parts_html
from solver.errors import AthanorError
from solver.language import language, say, translated
from solver.registry import game
from solver.reviewing import Review, ReviewedMove

_WIDTH, _HEIGHT, _LEFT, _BELOW = 720, 200, 44, 24  # of a graph, and the space for its axes
_APART = 22.0  # minimum distance between two move numbers below a graph; moves in between get none
_NOTHING = 1e-6  # a smaller sum is a rounding error
_LEAST = {"points": 0.01, "lead": 0.01, "chance": 0.001}  # steps of the filter
_NOTE = "   ("  # separates the cards in a table line from the text after them


class _Graph(NamedTuple):
    title: str
    picture: Markup


def report(review: Review) -> str:
    """Return a review as HTML, in the current language. All texts are escaped: a game may come from strangers."""
    head, *rounds = review.parts(full=True)
    shown = sorted((move for move in review.moves if _size(move) > 0), key=lambda move: -_size(move))
    title = say("Review: {game}", game=translated(game(review.game).title))
    return template("review.html").render(
        language=language(),
        title=title,
        summary=Markup(parts_html([head])),
        graphs=list(_graphs(review)),
        moments=[_moment(review, move) for move in shown],
        moves=Markup(parts_html(rounds)),
        most=max(map(_size, shown), default=0.0),
        step=_LEAST[review.unit],
        chance=review.unit == "chance",
        words={
            "graph": _over_the_graphs(review),
            "mistakes": say("own mistakes"),
            "luck": say("luck"),
            "others": say("what others gave"),
            "moments": say("The worst moments"),
            "least": say("at least"),
            "unknowable": say("including what could not be known"),
            "none": say("No move gave anything away."),
            "moves": say("Every decision"),
        },
    )  # fmt: skip


def _unknowable(move: ReviewedMove) -> bool:
    return move.verdict in ("best", "equal")


def _size(move: ReviewedMove) -> float:
    """Return how much a move gave away, or 0 if that is insignificant.

    The loss is judged from what the player knew. If the move was right on that basis, the result is its loss with
    every card known.
    """
    if _unknowable(move):
        return (move.true_loss or 0.0) if move.harm else 0.0
    return (move.expected_loss or 0.0) if move.verdict == "worse" else 0.0


def _graphs(review: Review) -> Iterator[_Graph]:
    """Yield a graph of the expected score for each round and seat for which it is known."""
    for number in sorted({move.round for move in review.moves}):
        for seat in review.seats:
            own = [move for move in review.moves if (move.round, move.seat) == (number, seat.seat)]
            measured = [move for move in own if move.value_before is not None and move.value_after is not None]
            if measured:
                title = say("round {round}, seat {seat}", round=number, seat=seat.seat)
                only = len({move.round for move in review.moves}) == 1 and seat.finished
                remainder = (seat.others or 0.0) - sum(move.others or 0.0 for move in measured)
                end = ("others" if abs(remainder) > _NOTHING else "luck", seat.result) if only else None
                yield _Graph(title, _picture(review, measured, end))


def _over_the_graphs(review: Review) -> str:
    if any(seat.actual for seat in review.seats):
        return say("Expected score, move by move, as the cards really lay")
    return say("Expected score, move by move, going by what the player could see")


def _picture(review: Review, moves: list[ReviewedMove], end: tuple[str, float | None] | None) -> Markup:
    """Draw a seat's expected score move by move: mistakes are vertical, luck and others' moves are slanted.

    `end` is the cause of the last step, "luck" or "others", and the final score; None if there is none to draw.
    """
    kind, result = end or ("", None)
    levels = [
        float(level) for move in moves for level in (move.value_before, move.value_after) if level is not None
    ]
    levels += [level for level in (moves[0].expected, result) if level is not None]
    low, high = min(levels), max(levels)
    high += (high - low or 1.0) * 0.05
    last = moves[-1].number + 1

    def x(number: float) -> float:
        return round(_LEFT + (_WIDTH - _LEFT - 8) * number / last, 1)

    def y(level: float) -> float:
        return round((_HEIGHT - _BELOW) * (1 - (level - low) / (high - low)) + 4, 1)

    def line(kind: str, *ends: float) -> str:
        return '<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>'.format(kind, *ends)

    drawn = [line("axis", _LEFT, y(low), _WIDTH - 8, y(low)), line("axis", _LEFT, 4, _LEFT, y(low))]
    drawn += [
        f'<text x="2" y="{y(level) + 4}">{escape(review.amount(level))}</text>' for level in (low, max(levels))
    ]
    if moves[0].expected is not None and moves[0].value_before is not None:
        drawn.append(line("luck", x(0), y(moves[0].expected), x(moves[0].number), y(moves[0].value_before)))
    labelled = -_APART
    for move, after in pairwise([*moves, None]):
        assert move is not None
        assert move.value_before is not None
        assert move.value_after is not None
        at, level = x(move.number), y(move.value_after)
        if move.value_after != move.value_before:
            drawn.append(line("mistake", at, y(move.value_before), at, level))
        tip = escape(f"{review.where(move)}: {move.move}")
        drawn.append(f'<circle class="dot" cx="{at}" cy="{level}" r="3"><title>{tip}</title></circle>')
        if at - labelled >= _APART:
            labelled = at
            drawn.append(f'<text x="{at - 6}" y="{_HEIGHT - 4}">{move.number}</text>')
        if after is not None and after.value_before is not None:
            drawn.append(
                line("others" if after.others else "luck", at, level, x(after.number), y(after.value_before))
            )
        elif result is not None:
            drawn.append(line(kind, at, level, x(last), y(result)))
    label = escape(_over_the_graphs(review))
    return Markup(f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">{"".join(drawn)}</svg>')


def _moment(review: Review, move: ReviewedMove) -> dict[str, Any]:
    position = None
    if move.text or move.view:
        position = athanor.parse(move.text or move.view or "")
    cards = _cards(review, position)
    facts = [(say("Played"), _drawn(move.move, cards, "played"))]
    if move.best is not None and move.best != move.move:
        facts.append((say("Best given what was known"), _drawn(move.best, cards, "best")))
    if move.expected_loss and move.expected_loss > 0:
        lost = review.in_unit(move.expected_loss) + (f" ±{review.amount(move.stderr)}" if move.stderr else "")
        facts.append((say("Gave away"), escape(lost)))
    if move.true_loss is not None:
        facts.append((say("With every card known"), escape(review.truth(move))))
    if move.true_best and move.move not in move.true_best:
        facts.append((say("Best with every card known"), _drawn("  ".join(move.true_best), cards, "best")))
    if move.reason:
        facts.append((say("Why"), escape(move.reason)))
    if len(move.line) > 1:
        facts.append((say("Line"), _drawn("  ".join(move.line), cards)))
    title = say(
        "round {round}, {place}, seat {seat}: {move}, {lost} given away",
        round=move.round,
        place=review.where(move),
        seat=move.seat,
        move=move.move,
        lost=review.in_unit(_size(move)),
    )
    rows = [] if position is None else game(review.game).describe(position)
    return {
        "title": title,
        "size": round(_size(move), 3),
        "unknowable": _unknowable(move),
        "facts": facts,
        "table": [(label, _row(text, cards)) for label, text in rows],
    }


def _cards(review: Review, position: Any) -> Container[str]:
    """Return the codes of the cards in a position's deck, or none if they are unknown."""
    try:
        named = {key: getattr(position, key, None) for key in ("variant", "deck")}
        return {face.card for face in athanor.cards(review.game, **named)}
    except AthanorError:
        return ()


def _row(text: str, cards: Container[str]) -> Markup:
    """Return a line of a table, with its cards as pictures and the text after them."""
    drawn, note, rest = text.partition(_NOTE)
    return _drawn(drawn, cards) + (Markup(' <span class="soft">({}</span>').format(rest) if note else Markup())


def _drawn(text: str, cards: Container[str], kind: str = "") -> Markup:
    """Return text as HTML, with its cards as pictures; `kind` is an additional CSS class for these."""
    words = re.split(r"([\s,=;>、。；]+)", text)
    marked = Markup('<b class="card {}">{}</b>')
    drawn = (marked.format(kind, word) if word.split(":")[0] in cards else escape(word) for word in words)
    return Markup().join(drawn)
