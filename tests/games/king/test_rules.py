"""King × Alchemy's rules and their slow reference: cases worked by hand, laws, and the two compared."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from solver.common import mask, members
from solver.games.king import GAME, rules
from solver.games.king.deck import house
from solver.games.king.moves import earned
from solver.games.king.position import Round
from solver.games.king.rules import Play, State, move_text, parse, play_of
from solver.limits import Control
from solver.positions import parse_position, position_data
from tests.games.king.random_positions import data_of, random_deck, random_position
from tests.reference import king as ref
from tests.reference.king_deck import HOUSE, Card, Deck, index
from tests.support import count_tables
from tests.support.kinds import of_kind

DECK = house()


def plays(text: str) -> tuple[Play, ...]:
    found = tuple(play_of(DECK, word) for word in text.split())
    assert all(isinstance(play, Play) for play in found), found
    return found  # type: ignore[return-value]


def cards(text: str) -> int:
    return mask(DECK.index[code] for code in text.split())


def texts(found: Sequence[Play]) -> list[str]:
    return [move_text(DECK, move) for move in found]


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        # the leader plays anything; a led Dancer names its suit
        ("F9 T1 D", "", "F9 T1 D:F D:W D:E D:A"),
        # who holds the lead suit: one of those, a trump, or the Dancer by that name
        ("F9 E3 T1 D", "F7", "F9 T1 D:F"),
        ("F9 F2 E3", "F7 W2", "F2 F9"),
        ("F9 E3", "D:E", "E3"),
        ("F3 W4 T2", "D:E", "F3 W4 T2"),
        # holding the Dancer is not holding the lead suit
        ("E3 T1 D", "F7", "E3 T1 D:F D:W D:E D:A"),
        ("D", "F7", "D:F D:W D:E D:A"),
        # nor are trumps a suit that must be followed with
        ("A1 T2", "F7", "A1 T2"),
        # to a led trump anything goes
        ("F9 T1 D", "T4", "F9 T1 D:F D:W D:E D:A"),
        # what others have played makes no difference
        ("F9 E3", "F7 T5", "F9"),
    ],
)
def test_what_may_be_played(hand: str, trick: str, legal: str) -> None:
    assert texts(rules.playable(DECK, cards(hand), plays(trick))) == legal.split()
    hands = [hand if seat == len(trick.split()) else "" for seat in range(3)]
    assert slow_moves(slow_state(hands, trick=trick)) == legal.split()


TRICKS = [
    # trick, winner, bottom, takings
    ("F7 F9 E1", "F9", "F7", ["take F7 E1"]),
    ("F7 W9 E1", "F7", None, ["take E1"]),
    ("F7 F9 E1 W2", "F9", "F7", ["take F7 W2 give E1", "take F7 E1 give W2", "take W2 E1 give F7"]),
    ("F7 F8 W9 E11", "F8", "F7", ["take F7 give W9", "take F7 give E11"]),
    ("F9 F3 W2 E5 A10", "F9", "F3", [
        "take F3 W2 give E5", "take F3 W2 give A10", "take F3 E5 give W2", "take F3 E5 give A10",
        "take W2 E5 give F3", "take W2 E5 give A10",
    ]),
    ("F7 F9 F8 F10", "F10", "F7", ["take F7 F8 give F9", "take F7 F9 give F8", "take F8 F9 give F7"]),
    # nobody followed: no bottom, so nothing is given
    ("F7 W1 W2 W3", "F7", None, ["take W1 W2", "take W1 W3", "take W2 W3"]),
    # equal numbers are not lower
    ("F3 E3 W3", "F3", None, ["take -"]),
    # a trump wins: whoever is lowest of the lead suit is the bottom, the leader alone too
    ("F7 T1 E2", "T1", "F7", ["take - give F7", "take - give E2"]),
    ("F7 F3 T2", "T2", "F3", ["take - give F3", "take - give F7"]),
    ("F7 T2 T4", "T4", "F7", ["take T2 give F7"]),
    ("F1 F2 T3", "T3", "F1", ["take F1 F2"]),
    ("F5 F9 F3 W1 T1", "T1", "F3", ["take - give F3", "take - give F5", "take - give F9", "take - give W1"]),
    # the Dancer lifted by a trump, played before or after it, is no card of the lead suit
    ("F7 T5 D:F", "D:F", "F7", ["take T5 give F7"]),
    ("F3 D:F T1", "D:F", "F3", ["take F3 T1"]),
    ("F3 T1 D:W", "D:W", "F3", ["take F3 T1"]),
    ("D:W W2 T1", "D:W", "W2", ["take W2 T1"]),
    ("D:F F9 T1", "D:F", "F9", ["take T1 give F9"]),
    ("D:F T1 F9 F11", "D:F", "F9", ["take T1 give F9", "take T1 give F11"]),
    ("D:W F1 T1", "D:W", None, ["take F1 T1"]),
    ("D:W W2 W1 T1 E9", "D:W", "W1", [
        "take W1 W2 give E9", "take W1 W2 give T1", "take W1 T1 give W2", "take W1 T1 give E9",
        "take W2 T1 give W1", "take W2 T1 give E9",
    ]),
    # the Dancer by the lead suit's name, with its number 6; on equal numbers it is the lower
    ("F5 D:F F2", "D:F", "F2", ["take F2 F5"]),
    ("D:W W8 F1", "W8", "D:W", ["take F1 D"]),
    ("D:W W6 F1", "W6", "D:W", ["take F1 give D"]),
    ("F6 D:F F8", "F8", "D:F", ["take F6 D"]),
    ("F6 D:F W6", "F6", "D:F", ["take - give W6", "take - give D"]),
    ("D:E E5 E3", "D:E", "E3", ["take E3 E5"]),
    ("D:W F1 E2", "D:W", None, ["take F1 E2"]),
    # by another name it loses
    ("F7 D:W E1", "F7", None, ["take E1 D"]),
    ("F7 F8 D:W", "F8", "F7", ["take F7 D"]),
    # a led trump: the trumps are the cards of the lead suit
    ("T3 F11 T1", "T3", "T1", ["take T1 give F11"]),
    ("T3 F1 E2", "T3", None, ["take F1 E2"]),
    ("T4 T2 T3", "T4", "T2", ["take T2 T3"]),
    ("T2 F9 T4 W1", "T4", "T2", ["take W1 T2 give F9"]),
    ("T3 D:F T2", "D:F", "T2", ["take T2 T3"]),
    ("T3 D:F E1", "D:F", "T3", ["take E1 T3"]),
    ("T3 T1 T5 D:F E9", "D:F", "T1", [
        "take T1 T3 give E9", "take T1 T3 give T5", "take T1 T5 give E9", "take T1 T5 give T3",
        "take T3 T5 give E9", "take T3 T5 give T1",
    ]),
    ("T1 F1 F2", "T1", None, ["take -"]),
]  # fmt: skip


@pytest.mark.parametrize(("trick", "winner", "bottom", "takings"), TRICKS)
def test_tricks(trick: str, winner: str, bottom: str | None, takings: list[str]) -> None:
    played, words = plays(trick), trick.split()
    assert words[rules.winner(DECK, played)] == winner
    lowest = rules.bottom(DECK, played)
    assert (None if lowest is None else words[lowest]) == bottom
    found = [move_text(DECK, taking) for taking in rules.takings(DECK, played)]
    assert found == takings
    assert slow_judged(trick) == (winner, bottom)
    assert slow_takings(trick) == takings


def test_a_trick_from_the_lead_to_the_next() -> None:
    state = State(DECK, (cards("F7 W1"), cards("F9 D"), cards("E2 A5")), 0, (), (0, cards("T1"), 0))
    assert state.to_move == 0
    for text, to_move in (("F7", 1), ("D:F", 2), ("E2", 0)):
        move = parse(DECK, text)
        assert move in rules.legal_moves(state)
        state = rules.play(state, move)
        assert state.to_move == to_move
    assert state.full
    # F7 beats the Dancer's 6, who is the bottom; both lower cards are taken, and nothing is left to give
    (move,) = rules.legal_moves(state)
    state = rules.play(state, move)
    assert state.won == (cards("F7 E2 D"), cards("T1"), 0)
    assert (state.leader, state.to_move, state.trick, state.over) == (0, 0, (), False)


def test_what_is_given_goes_to_the_bottom() -> None:
    state = State(DECK, (0, cards("F1"), 0, 0), 2, plays("F8 F2 W9"), (0, 0, 0, 0))
    state = rules.play(state, plays("F1")[0])
    assert state.to_move == 2
    state = rules.play(state, parse(DECK, "take F2 F1 give W9"))
    assert state.won == (0, cards("W9"), cards("F8 F2 F1"), 0)
    assert state.over
    assert rules.legal_moves(state) == []


def test_what_remains_is_discarded() -> None:
    state = State(DECK, (0,) * 5, 4, plays("F8 F2 W9 E10 A11"), (0,) * 5)
    after = rules.play(state, parse(DECK, "take F2 give A11"))
    assert after.won == (cards("A11"), 0, 0, 0, cards("F8 F2"))


def slow_state(hands: list[str], leader: int = 0, trick: str = "", won: list[str] | None = None) -> ref.State:
    """A house position; cards as text, separated by blanks."""
    position: dict[str, Any] = {"deck": "house", "leader": leader, "trick": trick.split()}
    position["hands"] = [hand.split() for hand in hands]
    if won is not None:
        position["won"] = [pile.split() for pile in won]
    return ref.load(position)[1]


def slow_moves(now: ref.State) -> list[str]:
    return [ref.text(HOUSE, move) for move in ref.legal(HOUSE, now)]


def slow_values(now: ref.State, model: str, player: int | None = None) -> dict[str, ref.Value]:
    return {ref.text(HOUSE, move): worth for move, worth in ref.values(HOUSE, now, model, player).items()}


def slow_judged(trick: str) -> tuple[str, str | None]:
    """The card that wins, and the bottom's."""
    played = slow_state([""] * len(trick.split()), trick=trick).trick
    low = ref.bottom(HOUSE, played)
    return ref.text(HOUSE, ref.winner(HOUSE, played)), low and ref.text(HOUSE, low)


def slow_takings(trick: str) -> list[str]:
    return slow_moves(slow_state([""] * len(trick.split()), trick=trick))


def slow_cards(text: str) -> frozenset[int]:
    return frozenset(index(HOUSE, code) for code in text.split())


BONUSES = [
    # Electrum, 7: a recipe needs all its ingredients, Gold and Silver, beside it
    ("F11 F10 W7", 7),
    ("F11 F10", 0),
    ("F10 W7", 0),
    # A card serves once: Electrum and Amalgam (8) both want Silver; with E10 there are two
    ("F11 F10 E9 W2 W4 W7", 8),
    ("F11 F10 E9 W2 W4 W7 E10", 15),
    # A carrier is a carrier or an ingredient. T1, Gunpowder (9): Calcination, Saltpetre, Sulfur. F3, itself
    # Calcination, makes Red Calx (5): Iron, Vitriol. E6 is another Calcination for Gunpowder
    ("T1 F3 F4 F1 F5 W5", 9),
    ("T1 F3 F4 F1 F5 W5 E6", 14),
    # Two smaller works can beat the largest. Quicksilver W2 serves Philosophical Mercury (E11: Antimony, Iron: 9)
    # or Corrosive Sublimate (A3: Salt: 5); the Antimony W8 serves Flowers of Antimony (F9: Salt: 5), too
    ("E11 A3 F9 W2 W8 F5 W1", 9),
    ("E11 A3 F9 W2 W8 F5 W1 E4", 10),  # with two Salts
]


@pytest.mark.parametrize(("pile", "bonus"), BONUSES)
def test_bonuses(pile: str, bonus: int) -> None:
    held = slow_cards(pile)
    assert ref.bonus(HOUSE, held) == bonus
    points = sum(HOUSE[card].vp for card in held)
    assert ref.scores(HOUSE, slow_state([""] * 3, won=[pile, "", ""])) == (points + bonus, 0, 0)


def test_a_recipe_may_need_one_thing_twice() -> None:
    salts = [Card(code, "F", number, 0, "Salt") for number, code in ((2, "Y"), (3, "Z"))]
    deck = Deck([Card("X", "F", 1, 0, None, 5, ("Salt", "Salt")), *salts])
    assert ref.bonus(deck, frozenset({0, 1})) == 0
    assert ref.bonus(deck, frozenset({0, 1, 2})) == 5


def test_a_carrier_does_not_serve_itself() -> None:
    deck = Deck([Card("X", "F", 1, 0, "Salt", 5, ("Salt",)), Card("Y", "F", 2, 0, "Salt", 3, ("Salt",))])
    assert ref.bonus(deck, frozenset({0})) == 0
    assert ref.bonus(deck, frozenset({0, 1})) == 5  # either may be made, not both


LAST, LEADS = slow_state(["F5", "W1", "E1"]), slow_state(["F1 F3", "F2 W11", "A10 A11"])
# Seat 1, the bottom, has Conjunction and Gold.
MAKER = slow_state([""] * 4, trick="F6 F2 W7 A7", won=["", "F11 F10", "", ""])
VALUES: list[tuple[ref.State, str, int | None, dict[str, Any]]] = [
    # W1 and E1 don't follow; F5 takes both, three points each, its own two
    (LAST, "paranoid", None, {"F5": 8}),
    (LAST, "ally", 1, {"F5": 0}),
    (LAST, "maxn", None, {"F5": (8, 0, 0)}),
    # Seat 0 has Conjunction and Gold; F8 wins the trick and takes the Silver W7: 7 for Electrum
    (slow_state(["F8", "W7", "F7"], won=["F11 F10", "", "A1"]), "maxn", None, {"F8": (1 + 1 + 1 + 2 + 7, 0, 3)}),
    # F9 has won and takes two of W2 (3 points), E1 (3), W7 (Silver: 1, and Electrum), and gives the third
    (slow_state([""] * 4, trick="F9 F1 W7 E1", won=["F11 F10", "", "", ""]), "paranoid", None,
     {"take F1 W7 give E1": 3 + 1 + 2 + 7, "take F1 E1 give W7": 3 + 3 + 2, "take W7 E1 give F1": 1 + 3 + 2 + 7}),
    # The Silver W7 given makes the bottom's Electrum; a tie for seat 0 leaves the least to the others
    (MAKER, "maxn", None, {"take F2 give W7": (4, 10, 0, 0), "take F2 give A7": (4, 3, 0, 0)}),
    (MAKER, "paranoid", 1, {"take F2 give W7": 10, "take F2 give A7": 3}),
    (MAKER, "ally", 1, {"take F2 give W7": 10, "take F2 give A7": 3}),
    # E8 and A8 are 1 point each to the bottom, whichever is given
    (slow_state([""] * 4, trick="F7 F2 E8 A8"), "maxn", None,
     {"take F2 give E8": (4, 1, 0, 0), "take F2 give A8": (4, 1, 0, 0)}),
    # F1 led: seat 1 takes it with F2, for W11 is too high, and gives seat 0, the bottom, A10 (2) or A11 (0): seat
    # 2 is against seat 0 and plays A11. Then W11 is led: F3 and A10 fall; seat 1 takes two lower ones.
    # F3 led: seat 1 plays F2, seat 2 a card above 3: F3 takes F2. F1 then keeps itself: 1 + 3 + 3.
    (LEADS, "paranoid", None, {"F1": 0, "F3": 7}),
    # With help F1 brings A10, 2 points, and no more; F3 still brings 7
    (LEADS, "ally", None, {"F1": 2, "F3": 7}),
]  # fmt: skip


@pytest.mark.parametrize(("now", "model", "player", "expected"), VALUES)
def test_values_by_hand(now: ref.State, model: str, player: int | None, expected: dict[str, Any]) -> None:
    assert slow_values(now, model, player) == expected


def test_the_best_of_moves() -> None:
    assert ref.value(HOUSE, MAKER, "maxn") == (4, 3, 0, 0)
    assert ref.value(HOUSE, MAKER, "paranoid", 1) == 3
    assert ref.value(HOUSE, MAKER, "ally", 1) == 10
    assert [ref.text(HOUSE, move) for move in ref.optimal(HOUSE, MAKER, "ally", 1)] == ["take F2 give W7"]
    assert len(ref.optimal(HOUSE, slow_state([""] * 4, trick="F7 F2 E8 A8"), "maxn")) == 2


def test_a_finished_round_has_its_score() -> None:
    now = slow_state(["", "", ""], won=["F11 F10 W7", "E1", ""])
    assert ref.over(now)
    assert ref.legal(HOUSE, now) == []
    assert ref.value(HOUSE, now, "maxn") == (10, 3, 0)
    assert ref.value(HOUSE, now, "paranoid", 1) == 3


def random_state(rng: random.Random, **wanted: Any) -> tuple[Deck, ref.State]:
    deck = random_deck(rng) if rng.random() < 0.4 else None
    heavy = rng.choice((None, "dancer", "trump"))
    return ref.load(random_position(rng, deck=deck, heavy=heavy, **wanted))


def test_positions_round_trip() -> None:
    rng = random.Random(1)
    met = set()
    for _ in range(400):
        deck = random_deck(rng) if rng.random() < 0.3 else None
        position = random_position(rng, deck=deck)
        pack, now = ref.load(position)
        assert data_of(pack, now, deck, keep_won="won" in position) == position
        assert (deck is None) == (pack == HOUSE)
        met.add((len(now.hands), ref.to_move(pack, now), len(now.trick)))
    assert len(met) == 3 * 4 + 4 * 5 + 5 * 6  # every seat, with no card played to all


def test_cards_are_played_once_and_piles_only_grow() -> None:
    rng = random.Random(3)
    for _ in range(300):
        deck, now = random_state(rng, cards=5)
        while not ref.over(now):
            in_play = _cards(now)
            move = rng.choice(ref.legal(deck, now))
            after = ref.play(deck, now, move)
            assert all(old <= new for old, new in zip(now.won, after.won, strict=True))
            if isinstance(move, ref.Played):
                assert _cards(after) == in_play
            else:
                kept = 1 + len(move.taken) + (move.given is not None)
                assert len(_cards(after)) == len(in_play) - len(now.trick) + kept
                assert sum(map(len, after.won)) == sum(map(len, now.won)) + kept
            now = after


def test_a_move_that_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="W1 is not legal"):
        ref.play(HOUSE, slow_state(["", "F1 W1", "E1"], trick="F7"), ref.Played(index(HOUSE, "W1")))


def _cards(now: ref.State) -> frozenset[int]:
    lists = [*now.hands, *now.won, {played.card for played in now.trick}]
    assert sum(map(len, lists)) == len(frozenset().union(*lists))
    return frozenset().union(*lists)


def test_seats_can_be_turned() -> None:
    rng = random.Random(5)
    for _ in range(40):
        deck, now = random_state(rng, cards=2)
        seats = len(now.hands)
        turned = now._replace(
            hands=(*now.hands[1:], now.hands[0]), won=(*now.won[1:], now.won[0]), leader=(now.leader - 1) % seats
        )
        for model in ("paranoid", "ally"):
            assert ref.values(deck, now, model) == ref.values(deck, turned, model)
        assert ref.count_lines(deck, now, 4) == ref.count_lines(deck, turned, 4)


def same(position: Round, slow: ref.State) -> None:
    """That both have the same cards in the same places."""
    state = position.state
    assert [frozenset(members(hand)) for hand in state.hands] == list(slow.hands)
    assert [frozenset(members(pile)) for pile in state.won] == list(slow.won)
    assert tuple(play.card for play in state.trick) == tuple(played.card for played in slow.trick)
    assert (state.leader, state.over) == (slow.leader, ref.over(slow))


def play_out(data: dict[str, Any], rng: random.Random) -> int:
    """Play a position to its end by both, the same legal moves at every step; the number of moves."""
    position: Any = parse_position(data)
    deck, slow = ref.load(data)
    moves = 0
    while True:
        same(position, slow)
        legal = GAME.legal_moves(position)
        texts = [GAME.format_move(position, move) for move in legal]
        theirs = ref.legal(deck, slow)
        assert texts == [ref.text(deck, move) for move in theirs], data
        if not legal:
            break
        assert position.seat_to_move == ref.to_move(deck, slow)
        chosen = rng.randrange(len(legal))
        assert GAME.parse_move(position, texts[chosen]) == legal[chosen]
        position, slow = GAME.play(position, legal[chosen]), ref.play(deck, slow, theirs[chosen])
        moves += 1
    points = tuple(earned(position.full_deck, 0, pile, Control()).total for pile in position.piles)
    assert points == ref.scores(deck, slow)
    return moves


@pytest.mark.parametrize("heavy", [None, "trump", "dancer"])
def test_random_endings(heavy: str | None, amount: Callable[[int], int]) -> None:
    rng = random.Random(f"king {heavy}")
    assert sum(play_out(random_position(rng, heavy=heavy), rng) for _ in range(amount(120))) > 100


@pytest.mark.parametrize("rule", ["late_trump_does_not_lift", "no_bottom_when_trumped"])
def test_disputed_readings(rule: str, amount: Callable[[int], int]) -> None:
    rng = random.Random(rule)
    for heavy in ("trump", "dancer"):
        for _ in range(amount(40)):
            play_out(random_position(rng, heavy=heavy, rules=[rule]), rng)


def test_random_decks(amount: Callable[[int], int]) -> None:
    rng = random.Random(52)
    for _ in range(amount(25)):
        deck = random_deck(rng)
        for heavy in (None, "trump", "dancer"):
            play_out(random_position(rng, heavy=heavy, deck=deck, cards=rng.randint(1, 5)), rng)


def test_whole_rounds() -> None:
    rng = random.Random(53)
    for number in range(6):
        players = 3 + number % 3
        data = position_data(GAME.deal(53, number=number, players=players))
        del data["history"]
        assert play_out(data, rng) == (players + 1) * rules.TRICKS[players]


def _after(state: State) -> list[State]:
    return [rules.play(state, move) for move in rules.legal_moves(state)]


def test_counted_lines() -> None:
    rows = json.loads((count_tables.FOLDER / "king" / "counts.json").read_text(encoding="utf-8"))
    assert len(rows) > 15
    for row in rows:
        position = of_kind(Round, parse_position(row["position"]))
        ways, ended = Counter({position.state: 1}), 0
        for lines in row["lines"]:
            later: Counter[State] = Counter()
            for state, many in ways.items():
                if state.over:
                    ended += many
                for following in _after(state):
                    later[following] += many
            assert ended + later.total() == lines
            ways = later


def test_texts_of_moves(amount: Callable[[int], int]) -> None:
    """A taking's cards may be named in any order."""
    rng = random.Random(54)
    for _ in range(amount(40)):
        position = of_kind(Round, parse_position(random_position(rng, players=4, played=4)))
        deck = position.full_deck
        for move in GAME.legal_moves(position):
            words = move_text(deck, move).split()
            end = words.index("give") if "give" in words else len(words)
            turned = ["take", *reversed(words[1:end]), *words[end:]]
            assert GAME.parse_move(position, f"  {'  '.join(turned)} ") == move
