"""Moves against the rules at a real table: the round goes on, and nothing is concluded from them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

import athanor
from athanor.sessions import Saved, Session
from solver.errors import MoveError, PositionError
from solver.games.aqua_regia.rules import can_lead
from solver.positions import position_data, text_of

MOST_MOVES = 50


@dataclass
class Table:
    """A round at a table: each seat's view of it, and what they don't see, the hands and the stock."""

    views: list[Any]
    hands: list[list[str]]
    stock: list[str]

    @property
    def seat(self) -> int:
        return int(self.views[0].turn)

    @property
    def over(self) -> bool:
        return 0 in self.views[0].counts

    def illegal(self, rng: random.Random) -> str:
        """A move that the seat to move can make with its cards, whatever the rules."""
        view, hand = self.views[self.seat], self.hands[self.seat]
        metal = rng.choice(sorted(set(hand)))
        moves = [" ".join([metal] * rng.randint(1, hand.count(metal)))]
        if not view.table:
            moves.append("no lead")
        elif view.discard:
            moves.append(f"pass {metal}>{rng.choice(sorted(set(view.discard)))}")
        return rng.choice(moves)

    def make(self, move: str, *, told: bool) -> bool:
        """Everybody enters a move; if the rules forbid it, and that is `told`, with a word for it."""
        seat, hand = self.seat, self.hands[self.seat]
        if move.startswith("pass") and self.stock:
            drawn = self.stock.pop(0)
            hand.append(drawn)
            self.views[seat] = athanor.play(self.views[seat], f"draws {drawn}")
        if ">" in move:
            out, came = move.removeprefix("pass ").split(">")
            hand.remove(out)
            hand.append(came)
        elif move not in ("pass", "no lead"):
            for card in move.split():
                hand.remove(card)
        legal = self.enters(self.views[seat], move)
        against = told and legal is None
        self.views = [
            athanor.play(view, f"{move} anyway") if against else self.enters(view, move, anyway=True)
            for view in self.views
        ]
        self.pass_deals()
        return legal is not None

    def enters(self, view: Any, move: str, *, anyway: bool = False) -> Any:
        try:
            return athanor.play(view, move)
        except MoveError:
            return athanor.play(view, f"{move} anyway") if anyway else None

    def pass_deals(self) -> None:
        """Dealers with nothing to lead say so; each seat's own view knows it already."""
        for _ in range(100):
            stuck = [place for place, view in enumerate(self.views) if not self.over and self.cannot_lead(view)]
            if not stuck:
                return
            self.views[stuck[0]] = athanor.play(self.views[stuck[0]], "no lead")

    def cannot_lead(self, view: Any) -> bool:
        hand = view.metals.counts(view.metals.numbers(self.hands[view.turn]))
        return not view.table and not can_lead(view.metals, hand, view.field_number)


def table(players: int, seed: int) -> Table:
    known: Any = athanor.deal("aqua-regia", seed=seed, players=players)
    views = [athanor.view(known, seat) for seat in range(players)]
    return Table(views, [list(hand) for hand in known.hands], list(known.stock))


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_round_goes_on_whatever_was_played(players: int, told: bool) -> None:
    """If all moves against the rules are `told`, no view excludes the true hands. If not, players hear of it when
    a move is refused, and the round goes on when it is entered all the same.
    """
    rng, against, asked = random.Random(2 * players + told), 0, 0
    for seed in range(1):
        here = table(players, seed)
        for _ in range(MOST_MOVES):
            if here.over:
                break
            view = here.views[here.seat]
            move = here.illegal(rng) if rng.random() < 0.4 else rng.choice(athanor.legal_moves(view))
            against += not here.make(move, told=told)
            if here.over:
                break
            check(here, rng.choice(here.views), told=told)
            view = here.views[here.seat]
            if told and view.as_played and asked < 3 and rng.random() < 0.2:
                asked += 1
                hint = athanor.hint(view, nodes=30)
                assert hint.best in athanor.legal_moves(view)
                assert "Played against the rules" in hint.notes[-1]
                assert all(words in hint.notes[-1] for words in view.against_texts)
                athanor.analyze(athanor.worlds(view, 1, seed=1)[0], nodes=200)
    assert against >= 8
    assert asked or not told


def check(here: Table, view: Any, *, told: bool) -> None:
    assert {(other.turn, other.field) for other in here.views} == {(here.seat, view.field)}
    assert view.counts == tuple(map(len, here.hands))
    assert sorted(view.hand) == sorted(here.hands[view.seat])
    again: Any = athanor.parse(text_of(view))
    assert text_of(again) == text_of(view) == text_of(athanor.parse(position_data(view)))
    assert (again.top, again.steps) == (view.top, view.steps)
    for seat, hand in enumerate(here.hands if told else ()):
        view.check_known(seat, hand)
        hidden = Counter(dict(zip(view.metals.index, view.unseen, strict=True))) + Counter(view.known_of(seat))
        assert seat == view.seat or Counter(hand) <= hidden


START = "aqua-regia players=3 seat=0 hand=Li,Ca,Na,Mg,Al,Zn,Fe,Ni,Sn history=0:K/1:Ca"


@pytest.mark.parametrize(
    ("move", "top"),
    [("Li", (0, 1)), ("Ca", (2, 1)), ("Na Na Na", (3, 3)), ("Au", (15, 1))],
)  # too low, the same metal, too many cards, no reactivity
def test_what_stood_on_the_table_is_to_be_beaten(move: str, top: tuple[int, int]) -> None:
    view: Any = athanor.parse(START)
    with pytest.raises(MoveError):
        athanor.play(view, move)
    after: Any = athanor.play(view, f"{move} anyway")
    assert (after.top.metal, after.top.count) == top
    assert after.as_played == (f"2:{move}",)
    assert "seat 2 " + move in athanor.hint(after, nodes=20).notes[-1]


def test_a_deal_passed_on_by_a_seat_that_could_lead_shows_nothing() -> None:
    view: Any = athanor.parse("aqua-regia players=3 seat=0 hand=Li,K,Ca,Na,Mg,Al,Zn,Fe,Ni,Sn turn=1")
    honest: Any = athanor.play(view, "no lead")
    assert honest.deal_passes
    against: Any = athanor.play(view, "no lead anyway")
    assert against.deal_passes is None
    assert (against.turn, against.field) == (honest.turn, honest.field)
    # Seat 1, which was believed, shows later that it could have led.
    later = athanor.play(honest, ["Li", "K"])
    with pytest.raises(MoveError, match="could not lead in water"):
        athanor.play(later, "Ca")
    shown: Any = athanor.play(later, "Ca anyway")
    assert shown.deal_passes is None
    assert not any(getattr(step, "shown", False) for step in shown.steps)
    athanor.hint(athanor.play(shown, "pass"), nodes=20)


@pytest.mark.parametrize("wrong", ["2:Pb", "7:Zn", "Zn", "1:Xx", "1:pass"])
def test_moves_that_were_not_made_are_refused(wrong: str) -> None:
    with pytest.raises(PositionError, match="as_played"):
        athanor.parse({**position_data(athanor.parse(START)), "as_played": [wrong]})


def test_what_cannot_be_followed_says_what_to_do() -> None:
    view: Any = athanor.parse("aqua-regia players=3 seat=0 hand=Li,K,Ca,Na,Mg,Al,Zn,Fe,Ni,Sn turn=1")
    with pytest.raises(MoveError, match="enter no lead anyway"):
        athanor.play(view, "pass anyway")


@pytest.mark.parametrize("told", [True, False])
def test_reviews_judge_no_move_against_the_rules(told: bool) -> None:
    rng, against = random.Random(told), 0
    here = table(2, 0)
    session = Session(Saved(game="aqua-regia", seed=0, seconds=0.05, dealt=(text_of(here.views[0]),)))
    illegal: list[int] = []
    for _ in range(60):
        if here.over:
            break
        legal = athanor.legal_moves(here.views[here.seat])
        plays = [move for move in legal if not move.startswith("pass")]
        move = here.illegal(rng) if rng.random() < 0.2 else rng.choice(plays or legal)
        own, stock = here.seat == 0, list(here.stock)
        fine = here.make(move, told=told)
        against += not fine
        if own and len(here.stock) < len(stock):
            session.play(f"draws {stock[0]}")
        try:
            session.play(session.move_of(f"{move} anyway" if told and not fine else move))
        except MoveError:
            session.play(session.move_of(f"{move} anyway"))
        illegal += [len(session.moves_of(0))] * (own and not fine)
        while not here.over and session.round.position != here.views[0]:
            session.play("no lead")
    assert here.over
    shown = (tuple(map(tuple, here.hands)),)
    review = athanor.review(session.saved.model_copy(update={"shown": shown}), nodes=4)
    assert review.moves
    assert not {move.number for move in review.moves} & set(illegal)
    assert any("Played against the rules" in note for note in review.notes) == bool(here.views[0].as_played)
    assert against >= 3
