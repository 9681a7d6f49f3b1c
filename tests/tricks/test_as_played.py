"""Plays against the rules at a real table: the round goes on, and nothing is concluded from them."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

import athanor
from athanor.sessions import Saved, Session
from solver.common import mask, members
from solver.errors import MoveError, PositionError
from solver.games.kirin.position import number_of
from solver.positions import position_data, text_of
from solver.registry import game_of
from solver.tricks.positions import RoundParts
from tests.support import rounds

# The games of tricks, and the numbers of players.
KINDS = dict.fromkeys((case.name, case.players) for case in rounds.CASES if isinstance(case.deal(1), RoundParts))


def table(name: str, players: int, seed: int) -> tuple[Any, list[Any], list[list[str]]]:
    """A fresh round, each seat's view of it, and the hands."""
    known: Any = athanor.deal(name, seed=seed, players=players)
    return known, [athanor.view(known, seat) for seat in range(players)], [list(hand) for hand in known.hands]


def moved(view: Any, hand: list[str], rng: random.Random) -> str:
    """A move of the seat to move: often one against the rules, if it has any."""
    legal = athanor.legal_moves(view)
    if rng.random() < 0.6:
        return rng.choice(legal)
    if not legal[0].startswith("take"):
        return rng.choice([card for card in hand if card != "D" and card not in legal] or legal)
    move = taken(view, rng)
    with suppress(MoveError):
        athanor.play(view, move)
        return legal[0]  # it is legal, written in another order
    return move


def taken(view: Any, rng: random.Random) -> str:
    """A taking of any cards of a full trick, most of them against the rules: some are taken, some are given."""
    rest = [card.split(":")[0] for card in view.trick]
    del rest[(view.seat_to_move - view.leader) % view.players]
    rng.shuffle(rest)
    end = rng.randrange(len(rest) + 1)
    gifts = rest[end : rng.randrange(end, len(rest) + 1)]
    move = f"take {' '.join(rest[:end]) or '-'}"
    if not gifts:
        return move
    others = [seat for seat in range(view.players) if seat != view.seat_to_move]
    to = f" to {rng.choice(others)}" if view.derived is None or rng.random() < 0.5 else ""
    return f"{move} give {' '.join(gifts)}{to}"


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("name", "players"), KINDS)
def test_a_round_goes_on_whatever_was_played(name: str, players: int, told: bool) -> None:
    """If all moves against the rules are `told`, no view excludes the true deal. If others' revokes are not, a
    player hears of them when a card is refused, and the round goes on when it is entered all the same.
    """
    rng = random.Random(players + told)
    against: list[str] = []
    for seed in range(2):
        if len(against) >= 6:
            break
        _, views, hands = table(name, players, seed)
        while (seat := athanor.to_move(views[seat_of(views, rng)])) is not None:
            move, legal = moved(views[seat], hands[seat], rng), athanor.legal_moves(views[seat])
            if move not in legal:
                against.append(move)
                with pytest.raises(MoveError):
                    athanor.play(views[seat], move)
            views = [entered(view, move, anyway=told and move not in legal) for view in views]
            if not move.startswith("take"):
                hands[seat].remove(move.split(":")[0])
            check(views, hands if told else None, rng)
    assert len(against) >= 6
    assert name != "king" or any(move.startswith("take") for move in against)


def seat_of(views: list[Any], rng: random.Random) -> int:
    return rng.randrange(len(views))


def entered(view: Any, move: str, *, anyway: bool) -> Any:
    if not anyway:
        try:
            return athanor.play(view, move)
        except MoveError:
            pass
    return athanor.play(view, f"{move} anyway")


def check(views: list[Any], hands: list[list[str]] | None, rng: random.Random) -> None:
    """A view excludes no card that a seat holds, and is written and read back as it is."""
    viewer = rng.randrange(len(views))
    view = views[viewer]
    rules = view.past.rules
    numbers = {rules.name(card): card for card in members(view.all_cards)}
    for seat, hand in enumerate(hands or ()):
        held = mask(numbers[card] for card in hand)
        assert not view.excluded(seat) & held
        assert seat == viewer or held & view.unseen == held
    again: Any = athanor.parse(text_of(view))
    assert text_of(again) == text_of(view)
    assert text_of(athanor.parse(position_data(view))) == text_of(view)
    assert again.past.won == view.past.won


@pytest.mark.parametrize(("name", "players"), [("kirin", 4), ("king", 4)])
def test_hints_say_what_was_played_against_the_rules(name: str, players: int) -> None:
    rng, asked = random.Random(players), 0
    _, views, hands = table(name, players, 1)
    while (seat := athanor.to_move(views[0])) is not None:
        if views[seat].as_played and asked < 8:
            hint = athanor.hint(views[seat], nodes=200)
            assert hint.best in athanor.legal_moves(views[seat])
            assert " ".join(views[seat].as_played) in hint.notes[-1]
            asked += 1
        move, legal = moved(views[seat], hands[seat], rng), athanor.legal_moves(views[seat])
        views = [entered(view, move, anyway=move not in legal) for view in views]
        if not move.startswith("take"):
            hands[seat].remove(move.split(":")[0])
    assert asked == 8


def test_a_play_against_the_rules_is_no_evidence() -> None:
    """Seat 1 plays G5 to S5: by the rules it has no D6. If that was against the rules, it may have it."""
    line = "kirin seat=2 hand=S1,S4,BT,D2,G2,G3,G4,G+ declared=B+ trick=0:S5,G5"
    six = 1 << number_of("D6")
    assert athanor.parse(line).excluded(1) & six  # type: ignore[attr-defined]
    told: Any = athanor.parse(f"{line} as_played=G5")
    assert not told.excluded(1)
    holds = [str(world.hands[1]) for world in athanor.worlds(told, 300, seed=1)]
    assert any("D6" in hand for hand in holds)
    for wrong in ("D2", "D6", "XX"):  # in the hand, not played yet, no card
        with pytest.raises(PositionError, match="as_played"):
            athanor.parse(f"{line} as_played={wrong}")


@pytest.mark.parametrize(
    ("line", "card"),
    [
        ("king seat=0 players=4 hand=F1,F2,F3,W1,W2,W3,E1,E2,E3 tricks=2 leader=0", "A5"),
        ("kirin seat=0 hand=D1,D2,D3,S1,S2 declared=DT tricks=3 leader=0 direction=ascending", "G4"),
    ],
)
def test_half_a_memory_has_played_what_was_played_against_the_rules(line: str, card: str) -> None:
    """Else deals would give the card to a hand."""
    with pytest.raises(PositionError, match=f"{card} has not been played"):
        athanor.parse(f"{line} as_played={card}")
    view = athanor.parse(f"{line} as_played={card} gone={card}")
    assert all(card not in hand for deal in athanor.worlds(view, 20) for hand in getattr(deal, "hands", ()))


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("name", "players"), [("kirin", 4), ("king", 3)])
def test_reviews_judge_no_play_against_the_rules(name: str, players: int, told: bool) -> None:
    """In truth, a play that nobody knew to be against the rules shows nothing either."""
    rng, hidden, against = random.Random(players), 0, 0
    for seed in range(2):
        known_deal, views, hands = table(name, players, seed)
        session = Session(Saved(game=name, seed=0, seconds=0.05, dealt=(text_of(views[0]),)))
        illegal: list[int] = []
        while (seat := athanor.to_move(views[0])) is not None:
            legal = athanor.legal_moves(views[seat])
            move = moved(views[seat], hands[seat], rng) if rng.random() < 0.6 else rng.choice(legal)
            if move not in legal:
                illegal.append(len(session.moves_of(0)) + 1)
            known = told or seat == 0
            views = [entered(view, move, anyway=known and move not in legal) for view in views]
            try:
                session.play(session.move_of(f"{move} anyway" if known and move not in legal else move))
            except MoveError:
                session.play(session.move_of(f"{move} anyway"))
            if not move.startswith("take"):
                hands[seat].remove(move.split(":")[0])
        shown = (tuple((card,) for card in known_deal.declared),) if name == "kirin" else None
        review = athanor.review(session.saved.model_copy(update={"shown": shown}), nodes=4)
        assert review.complete
        against += len(illegal)
        assert not {move.number for move in review.moves} & set(illegal)
        assert all(move.true_loss is not None and move.text is not None for move in review.moves)
        assert ("Played against the rules" in " ".join(review.notes)) == bool(views[0].as_played)
        hidden += sum("although" in note for note in review.notes)
        for one in review.moves:
            athanor.parse(one.text or "")
    assert against >= 2
    assert bool(hidden) != told


FULL = "king seat=0 hand=W11,E4,E7,A1,A6,A7,A9,A10,T2,T3 pick=E8,A8,F8,T5 removed=W3,W6 trick="
TRICK = f"{FULL}0:W8,F1,W1,W2"  # seat 0 took it, seat 2 is the bottom
LIFTED = f"{FULL}0:W8,T4,T1,D:W rules=no_bottom_when_trumped"  # seat 3 took it, and there is no bottom


@pytest.mark.parametrize(
    ("trick", "move", "piles"),
    [
        (TRICK, "take F1 W1 W2", ("W8 F1 W1 W2", "", "", "")),
        (TRICK, "take F1 give W1 W2", ("W8 F1", "", "W1 W2", "")),
        (TRICK, "take - give F1 to 3", ("W8", "", "", "F1")),
        (TRICK, "take - give W2 F1 W1 to 1", ("W8", "F1 W1 W2", "", "")),
        (LIFTED, "take T1 give W8 to 0", ("W8", "", "", "D T1")),
        (LIFTED, "take -", ("", "", "", "D")),
    ],
)
def test_what_was_taken_and_given_at_the_table_is_where_it_lies(
    trick: str, move: str, piles: tuple[str, ...]
) -> None:
    view: Any = athanor.parse(trick)
    with pytest.raises(MoveError):
        athanor.play(view, move)
    after: Any = athanor.play(view, f"{move} anyway")
    rules = after.past.rules
    assert after.past.won == tuple(mask(rules.full_deck.index[card] for card in pile.split()) for pile in piles)
    assert "Played against the rules" in game_of(after).notes(after)[-1]
    assert after.seat_to_move or "Played against the rules" in athanor.hint(after, nodes=200).notes[-1]
    assert text_of(athanor.parse(text_of(after))) == text_of(after)
    assert athanor.parse(position_data(after)) == after


def test_the_bottom_may_be_named_by_its_seat() -> None:
    view: Any = athanor.parse(TRICK)
    assert athanor.play(view, "take F1 W1 give W2 to 2") == athanor.play(view, "take F1 W1 give W2")
    assert athanor.play(view, "take F1 W1 give W2 to seat 2") == athanor.play(view, "take F1 W1 give W2")


@pytest.mark.parametrize(
    ("trick", "move", "why"),
    [
        (TRICK, "take F1 W8", "besides W8, which the winner keeps, there are F1 W1 W2"),
        (TRICK, "take F1 give F1", "F1 can't be taken or given"),
        (TRICK, "take E8", "E8 can't be taken or given"),
        (TRICK, "take - give F1 to 1 W1 to 2", "given go to one seat, as in give F3 W1 to 2; if several seats"),
        (TRICK, "take - give F1 to 1 give W1 to 2", "go to one seat"),
        (TRICK, "take - give F1 to me", "go to one seat"),
        (TRICK, "take F1 give W1 to 0", "as in give W1 to 1"),
        (TRICK, "take F1 give W1 to 4", "as in give W1 to 1"),
        (LIFTED, "take T4 give T1", "no bottom: say who got T1, as in give T1 to 0"),
    ],
)
def test_a_taking_that_nobody_can_have_made_is_refused_with_what_to_write(trick: str, move: str, why: str) -> None:
    with pytest.raises(MoveError, match=why):
        athanor.play(athanor.parse(trick), f"{move} anyway")


@pytest.mark.parametrize(
    ("start", "before", "own", "after"),
    [
        ("kirin seat=0 hand=D1,D6,S1,S4,BT,B2,B3,G2 declared=G- leader=1", ["S5", "?", "G6"], "D1", ["2"]),
        (f"{FULL.replace('hand=', 'hand=W8,').replace('trick=', 'leader=1')}", ["W1", "?", "W2"], "E4",
         ["1", "take -"]),
    ],
)  # fmt: skip
def test_an_own_card_stands_in_a_trick_of_which_a_card_was_missed(
    start: str, before: list[str], own: str, after: list[str]
) -> None:
    with pytest.raises(MoveError, match=f"{own} doesn't follow what was led"):
        athanor.play(start, [*before, own, *after])
    view: Any = athanor.play(start, [*before, f"{own} anyway", *after])
    assert own not in view.hand


def test_what_a_card_of_such_a_trick_contradicts_is_not_remembered() -> None:
    """Seats 1 and 3 did not follow water, and seat 3 then plays it."""
    start = f"{FULL}0:W8,F1,W1,F2"
    voids: Any = athanor.play(start, ["take F1 F2 give W1", "E4", "?", "E5", "?", "0", "take -"])
    assert {*voids.voids} == {"1", "3"}
    voids = athanor.play(start, ["take F1 F2 give W1", "E4", "?", "E5", "W5", "0", "take -"])
    assert {*voids.voids} == {"1"}


@pytest.mark.parametrize(
    ("start", "trick"),
    [
        ("kirin seat=3 hand=D1,D6,S1,S4,BT,B2,B3,G2 declared=G- leader=1", ["S5", "G5", "D6", "?"]),
        (f"{FULL.replace('hand=', 'hand=W8,').replace('trick=', 'leader=0')}", ["W8", "F1", "W1", "?"]),
    ],
)
def test_a_trick_that_the_wrong_seat_took_is_entered_as_one_of_which_a_card_was_missed(
    start: str, trick: list[str]
) -> None:
    """Whoever led or has the best card that was seen."""
    end = ["take -"] if start.startswith("king") else []
    for seat in range(4):
        after: Any = athanor.play(start, [*trick, str(seat), *end])
        assert after.leader == seat
