"""What may be behind the lead of one of Aqua Regia's moves, by the noted worlds of a hint.

The rollouts note of each world each hand's cards by metal, seat by seat, then who goes out first after each move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.position import View
from solver.games.aqua_regia.rollouts import TOOK
from solver.games.aqua_regia.rules import MOST_AT_ONCE, Move, Play, follows, lets, text_of
from solver.hints.causes import Claim, Noted, Predicate, Told, Truths, after, behind, where
from solver.hints.ranking import Lead
from solver.kernels.words import Words


class _Move(NamedTuple):
    """One of the two moves that are compared: which seat `wins` in each world, and whether it takes its trick."""

    move: Move
    text: str
    wins: Words
    takes: Truths


class _Scene(NamedTuple):
    best: _Move
    other: _Move
    view: View
    noted: Noted

    @property
    def named(self) -> dict[str, str]:
        return {"move": self.best.text, "other": self.other.text}


def because(view: View, moves: Sequence[Move], noted: Noted, ahead: Lead, _rollouts: object) -> Sequence[Told]:
    """What is behind a lead (`solver.hints.causes`)."""
    if not noted.words.shape[1]:
        return ()
    winners = noted.words[:, view.players * view.metals.size :]
    best, other = (
        _Move(
            moves[place],
            text_of(view.metals, moves[place]),
            winners[:, place],
            noted.results[:, place, TOOK] > 0,
        )
        for place in (ahead.best, ahead.second)
    )
    return behind(PREDICATES, _Scene(best, other, view, noted), noted, ahead)


def _takes(scene: _Scene) -> Iterator[Claim]:
    yield after(scene.best.takes, scene.other.takes, **scene.named)


def _leaves(scene: _Scene) -> Iterator[Claim]:
    yield after(~scene.best.takes, ~scene.other.takes, **scene.named)


def _goes_out(scene: _Scene) -> Iterator[Claim]:
    """Another seat goes out first less often after the best move. Of two players this would say nothing."""
    for seat in range(scene.view.players) if scene.view.players > 2 else ():
        if seat != scene.view.seat:
            best, other = scene.best.wins == seat, scene.other.wins == seat
            shares = {"share": float(best.mean()), "other_share": float(other.mean())}
            yield after(~best, ~other, seat=seat, **scene.named)._replace(
                fields={"seat": seat, **scene.named, **shares}
            )


def _answers(scene: _Scene, move: _Move) -> Iterator[tuple[int, Truths]]:
    """The other seats, and in which worlds each can follow a play."""
    view, size = scene.view, scene.view.metals.size
    if not isinstance(move.move, Play):
        return
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        hands = scene.noted.words[:, seat * size : (seat + 1) * size]
        able: Truths = np.zeros(len(hands), np.bool_)
        for metal in range(move.move.metal + 1, size):
            for count in range(move.move.count, min(move.move.count + 1, MOST_AT_ONCE) + 1):
                answer = Play(metal, count)
                if follows(answer, move.move) and lets(view.metals, view.field_number, answer, move.move):
                    able |= hands[:, metal] >= count
        yield seat, able


def _followed(scene: _Scene) -> Iterator[Claim]:
    for move in (scene.best, scene.other):
        for seat, able in _answers(scene, move):
            yield where(able, seat=seat, move=move.text)


def _not_followed(scene: _Scene) -> Iterator[Claim]:
    for move in (scene.best, scene.other):
        for seat, able in _answers(scene, move):
            yield where(~able, seat=seat, move=move.text)


def _followed_by_some(scene: _Scene) -> Iterator[Claim]:
    for move in (scene.best, scene.other):
        answers = [able for _, able in _answers(scene, move)]
        if answers:
            yield where(np.any(answers, axis=0), move=move.text)


def _followed_by_none(scene: _Scene) -> Iterator[Claim]:
    for move in (scene.best, scene.other):
        answers = [able for _, able in _answers(scene, move)]
        if answers:
            yield where(~np.any(answers, axis=0), move=move.text)


PREDICATES: tuple[Predicate[_Scene], ...] = (
    Predicate(
        "takes_trick", "{move} wins this trick in {share} of games, {other} in {other_share}.", _takes, "trick"
    ),
    Predicate(
        "leaves_trick",
        "{move} leaves this trick to others in {share} of games, {other} in {other_share}.",
        _leaves,
        "trick",
    ),
    Predicate(
        "seat_goes_out",
        "Seat {seat} goes out first in {share} of games after {move}, in {other_share} after {other}.",
        _goes_out,
        "race",
    ),
    Predicate("seat_can_follow", "Seat {seat} can follow {move} in {share} of games.", _followed, "follow"),
    Predicate(
        "seat_cannot_follow", "Seat {seat} can't follow {move} in {share} of games.", _not_followed, "follow"
    ),
    Predicate("can_be_followed", "Somebody can follow {move} in {share} of games.", _followed_by_some, "follow"),
    Predicate("cannot_be_followed", "Nobody can follow {move} in {share} of games.", _followed_by_none, "follow"),
)
