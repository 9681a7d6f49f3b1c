"""Every move's value against the plain rules, with and without the moon; hints and players against chance."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from hearts.fast_rules import MOST_MOVES, policy
from hearts.position import Round, deal
from hearts.rules import DECK, HEARTS, QUEEN, SEATS
from hearts.search import RULES, SEARCH, analyze, encode, hint
from solver.common import members
from solver.kernels.words import Words
from solver.limits import Control, Limit
from solver.search.checks import check_rules
from solver.search.rules import PROOF_NUMBERS, TABLE
from solver.search.trick_rules import SWITCHES
from solver.tricks import plain
from solver.tricks.analysis import merit
from solver.tricks.moves import legal_moves, parse_move
from solver.tricks.plain import State, points

COSTLY = HEARTS | QUEEN


def played(rng: random.Random, cards: int, *, moon: bool = True) -> Round:
    """A round after random plays, in a trick that begins with `cards` cards per hand."""
    now: plain.Round = deal(rng.randrange(10**6), variant="moon" if moon else "no-moon")
    end = SEATS * cards - rng.randrange(SEATS)
    while sum(map(len, now.hands)) > end:
        now = plain.play(now, rng.choice(legal_moves(now)))
    assert isinstance(now, Round)
    return now


def shot(rng: random.Random, cards: int) -> Round:
    """An ending, mostly of costly cards, in which a seat has taken all points so far, or two have."""
    pack = sorted(range(len(DECK)), key=lambda card: rng.random() + (COSTLY >> card & 1))[-SEATS * cards :]
    rng.shuffle(pack)
    hands = [[DECK[card] for card in pack[seat::SEATS]] for seat in range(SEATS)]
    won: list[list[str]] = [[], [], [], []]
    takers = rng.sample(range(SEATS), rng.choice([1, 1, 2]))
    for card in set(range(len(DECK))) - set(pack):
        won[rng.choice(takers) if COSTLY >> card & 1 else rng.randrange(SEATS)].append(DECK[card])
    fields = {"game": "hearts", "leader": rng.randrange(SEATS), "hands": hands, "won": won}
    return Round.model_validate(fields)


def ending(rng: random.Random, cards: int) -> Round:
    return shot(rng, cards) if rng.random() < 0.5 else played(rng, cards, moon=rng.random() < 0.5)


@pytest.mark.parametrize("cards", [13, 12, 10, 8, 5, 3, 1])
def test_small_and_whole_rounds_have_sound_rules(cards: int) -> None:
    rng = random.Random(cards)
    for number in range(4):
        now = played(rng, cards) if number % 2 or cards == 13 else shot(rng, cards)
        encoded = encode(now.state, number % SEATS, number > 1)
        check_rules(RULES, encoded.deal, encoded.start, games=1 if cards > 5 else 2)


@cache
def best(state: State, player: int, model: str) -> int:
    """The player's points with best play, by the plain rules."""
    ways = [best(state.after(card), player, model) for card in state.moves()] or [points(state)[player]]
    return max(ways) if model == "ally" or state.to_move == player else min(ways)


@cache
def everybody(state: State) -> tuple[int, ...]:
    ways = [everybody(state.after(card)) for card in state.moves()] or [points(state)]
    return max(ways, key=lambda scores: merit(scores, state.to_move))


@pytest.mark.parametrize("model", ["paranoid", "ally", "maxn"])
def test_small_endings_are_worth_what_the_plain_rules_say(model: str) -> None:
    rng, moons = random.Random(1), 0
    for cards in [1, 2, 3] * 20:
        now, player = ending(rng, cards), rng.randrange(SEATS)
        answer = analyze(now, Control(), model=model, player=player)
        for entry in answer.moves:
            after = now.state.after(DECK.index(entry.move))
            expected = everybody(after) if model == "maxn" else best(after, player, model)
            assert entry.value == expected, now
            moons += expected in (0, -26) if model != "maxn" else 0 in entry.value  # type: ignore[operator]
    assert moons > 25


def test_no_value_depends_on_a_switch_of_the_search() -> None:
    rng = random.Random(6)
    with SEARCH.provers.lend() as prover:
        for number in range(40):
            now, found = ending(rng, rng.choice([4, 5])), []
            for switches in (TABLE | PROOF_NUMBERS, PROOF_NUMBERS, TABLE):
                encoded = encode(now.state, number % SEATS, False)
                encoded.deal[SWITCHES] = switches
                found.append(prover.values(encoded.deal, encoded.start, Control()))
            assert found[0] == found[1] == found[2], now


def test_a_whole_deal_gets_bounds() -> None:
    """Its 52 cards leave no room for keys within a trick, so the search goes without proof numbers."""
    now = deal(1)
    for cards in range(30):
        answer = analyze(now, Control(Limit(nodes=3000)))
        assert answer.exact or all(-26 <= move.bounds[0] <= move.bounds[1] <= 0 for move in answer.moves)  # type: ignore[operator]
        after = plain.play(now, legal_moves(now)[cards % len(legal_moves(now))])
        assert isinstance(after, Round)
        now = after


def test_the_rules_of_the_first_trick_and_of_hearts() -> None:
    now: plain.Round = deal(1)
    assert [DECK[card] for card in legal_moves(now)] == ["C2"]
    broken = False
    rng = random.Random(3)
    for _ in range(300):
        moves, hand = legal_moves(now), now.hand_to_move
        first, mild = len(now.history or ()) == 0, [card for card in moves if not COSTLY >> card & 1]
        assert not first or len(mild) in (0, len(moves))
        if not now.trick and not broken and hand & ~HEARTS:
            assert not any(HEARTS >> card & 1 for card in moves)
        now = plain.play(now, rng.choice(moves))
        broken = broken or (not now.trick and any(card[0] == "H" for card in (now.history or ())[-1].cards))
        if not any(now.hands):
            assert sum(now.points) in (-26, -78)
            now, broken = deal(rng.randrange(1000)), False


def chosen(state: State, random_words: Words) -> int:
    """The card that a player in hints plays."""
    encoded = encode(state, state.to_move, False)
    code = policy(encoded.deal, encoded.start, 0, np.zeros(MOST_MOVES, np.int64), 0, random_words)
    return next(card for card, number in encoded.codes.items() if number == code)


def test_the_players_in_hints_look_at_no_hidden_card() -> None:
    """Whatever the others hold of the cards still out, a player plays the same."""
    rng = random.Random(4)
    for _ in range(60):
        now = played(rng, rng.randrange(2, 14))
        view = plain.view(now, now.seat_to_move)
        seed = np.array([rng.randrange(1 << 40)], np.int64)
        card = chosen(now.state, seed.copy())
        assert card in legal_moves(now)
        rest = list(members(view.unseen))
        rng.shuffle(rest)
        hands = []
        for seat in range(SEATS):
            size = len(now.hands[seat])
            own = seat == view.seat
            hands.append(view.hand_mask if own else sum(1 << other for other in rest[:size]))
            rest = rest if own else rest[size:]
        state = State(now.past.rules, tuple(hands), now.leader, now.plays, now.past.won)
        assert chosen(state, seed.copy()) == card


def test_hints_lose_fewer_points_than_their_players_and_these_fewer_than_chance() -> None:
    """Points that seat 0 loses in a round, beside three players of hints."""
    lost = dict.fromkeys(("hint", "players", "chance"), 0)
    for number in range(8):
        for who in lost:
            now: plain.Round = deal(5, number=number)
            rng, words = random.Random(number), np.array([number], np.int64)
            while moves := legal_moves(now):
                card = chosen(now.state, words)
                if now.seat_to_move == 0 and who == "hint":
                    view = plain.view(now, 0)
                    card = parse_move(view, str(hint(view, Control(Limit(nodes=150)), seed=number).best))
                elif now.seat_to_move == 0 and who == "chance":
                    card = rng.choice(moves)
                now = plain.play(now, card)
            lost[who] -= now.points[0]
    assert lost["hint"] < lost["players"] < lost["chance"]
