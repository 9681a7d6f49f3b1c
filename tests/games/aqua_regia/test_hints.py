"""Hints of Aqua Regia: kernels play by the rules, answers rank the legal moves, in time and with their causes."""

from __future__ import annotations

import json
import random
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import athanor
from solver.answers import SampledHint
from solver.common import STRENGTHS, Others, Random
from solver.errors import PositionError, RequestError
from solver.games.aqua_regia import GAME, fast_rules, hint, players, rollouts, rules
from solver.games.aqua_regia.deck import FIELDS, MOST_METALS, Deck, house
from solver.games.aqua_regia.fast_rules import PASS, move_of, number_of, reactivity_rows
from solver.games.aqua_regia.hint import SAMPLER
from solver.games.aqua_regia.moves import legal_moves, play
from solver.games.aqua_regia.players import (
    PLAYER,
    WEIGHTS,
    Turn,
    choose_exchange,
    choose_play,
    foresight,
    move_chances,
    move_numbers,
    no_critic,
)
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rollouts import Games
from solver.games.aqua_regia.rules import Pass, Play, State, next_field
from solver.hints.network import MOST_BYTES
from solver.hints.sampled import GAMES_A_BATCH, games_within
from solver.kernels.rng import start_stream
from solver.limits import Control, Limit
from solver.positions import parse_position
from tests.games.aqua_regia.deals import QUESTIONS, SEEN, change, dealt, known_from, seen_by, view_from
from tests.games.aqua_regia.random_positions import either, random_position, random_table
from tests.hints.first_answers import at_once, check_chances, check_told_first
from tests.support.marks import in_python
from tests.support.timing import LATE


class Board:
    """A state in the kernels' arrays, and back."""

    def __init__(self, deck: Deck, state: State) -> None:
        self.deck = deck
        self.reactivity = reactivity_rows(deck)
        self.hands = np.array(state.hands, np.int64)
        self.sizes = self.hands.sum(1)
        self.piles = np.array([state.discard, deck.counts(state.table)], np.int64)
        self.stock = np.array(state.stock, np.int64)
        self.scalars = np.zeros(fast_rules.SCALARS, np.int64)
        top = rules.runs(state.table)[-1] if state.table else Play(0, 0)
        self.scalars[:9] = [
            state.turn, state.field, state.reversed, state.owner or 0, top.metal, top.count, 0, len(state.stock),
            deck.copies,
        ]  # fmt: skip
        self.words = np.zeros(1, np.int64)

    def make(self, move: int) -> None:
        known = np.zeros_like(self.hands)
        game = fast_rules.Game(
            self.reactivity, self.hands, self.sizes, self.piles, self.scalars, self.stock, known
        )
        rollouts.make(foresight(no_critic()), game, False, np.array(PLAYER), self.words, move)

    def shows(self, state: State) -> bool:
        """Whether it is this state."""
        top = rules.runs(state.table)[-1] if state.table else Play(0, 0)
        scalars = [int(word) for word in self.scalars]
        table = scalars[fast_rules.METAL : fast_rules.COUNT + 1] if state.table else [0, scalars[fast_rules.COUNT]]
        return (
            self.hands.tolist() == [list(hand) for hand in state.hands]
            and self.sizes.tolist() == [sum(hand) for hand in state.hands]
            and self.piles.tolist() == [list(state.discard), list(self.deck.counts(state.table))]
            and self.stock[scalars[fast_rules.DRAWN] :].tolist() == list(state.stock)
            and scalars[:3] == [state.turn, state.field, state.reversed]
            and (not state.table or scalars[fast_rules.OWNER] == state.owner)
            and table == [top.metal, top.count]
        )


def states(seed: int, count: int) -> Any:
    """Random settled states, their decks and a generator."""
    rng = random.Random(seed)
    for _ in range(count):
        table = random_table(rng, copies=rng.choice([2, 4, 5])) if rng.random() < 0.5 else None
        players = rng.randint(2, 5)
        if table is not None and len(table["metal"]) * table["copies"] < 12:
            continue
        position = parse_position(
            random_position(rng, deck=table, players=players, cards=players * 4, rules=either(rng))
        )
        assert isinstance(position, Round)
        yield rng, position.metals, position.state


@in_python
@pytest.mark.small
def test_the_kernels_play_by_the_rules() -> None:
    for rng, deck, state in states(71, 60):
        board = Board(deck, state)
        while legal := rules.legal_moves(deck, state):
            assert board.shows(state)
            move = rng.choice(legal)
            board.make(number_of(move))
            state = rules.play(deck, state, move)
        winner = state.winner
        assert winner is not None
        assert board.sizes[winner] == 0


@pytest.mark.small
def test_the_player_chooses_legal_moves_and_all_of_them() -> None:
    """With equal weights every legal move is chosen now and then, and no other."""
    flat = np.zeros(WEIGHTS)
    for _, deck, state in states(72, 8):
        board = Board(deck, state)
        hand = board.hands[state.turn]
        legal = rules.legal_moves(deck, state)
        following = rules.next_field(state.field, state.reversed)
        plays = {move for move in legal if isinstance(move, Play)}
        top = int(board.scalars[fast_rules.METAL]), int(board.scalars[fast_rules.COUNT])
        turn = Turn(state.field, following, *top, 0)
        found: set[Any] = set()
        for _ in range(60 * len(legal)):
            code = choose_play(board.reactivity, hand, 99, turn, flat, board.words)
            found.add(move_of(code))
        assert found == (plays | {Pass()} if state.table else plays)
        if state.table:
            held = rules.added(state.hands[state.turn], state.stock[0], 1) if state.stock else tuple(hand)
            exchanges = {move for move in legal if isinstance(move, Pass)}
            found = set()
            for _ in range(60 * len(exchanges)):
                code = choose_exchange(
                    board.reactivity,
                    np.array(held, np.int64),
                    board.piles[0],
                    deck.copies,
                    following,
                    flat,
                    board.words,
                )
                found.add(move_of(code))
            assert found == exchanges


def ask(data: dict[str, Any] | Round, limit: Limit | None = None, **options: Any) -> SampledHint:
    answer = hint.hint(data if isinstance(data, Round) else view_from(data), Control(limit), **options)
    assert isinstance(answer, SampledHint)
    return answer


@pytest.mark.parametrize("data", QUESTIONS, ids=range(len(QUESTIONS)))
def test_the_answer_is_a_ranking_of_the_legal_moves(data: dict[str, Any]) -> None:
    answer = ask(data, worlds=200)
    seen = view_from(data)
    assert sorted(move.move for move in answer.moves) == sorted(
        GAME.format_move(seen, move) for move in GAME.legal_moves(seen)
    )
    means = [move.mean for move in answer.moves]
    assert means == sorted(means, reverse=True)
    assert all(0 <= mean <= 1 for mean in means)
    assert (answer.best, answer.worlds, answer.to_move) == (answer.moves[0].move, 200, 2)
    assert answer.sure in ("clear", "slight", "close")


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_seed_and_nodes_give_the_same_answer(threads: int) -> None:
    limit = Limit(nodes=3000)

    def told(**options: Any) -> dict[str, Any]:
        return {key: value for key, value in ask(SEEN, limit, **options).to_dict().items() if key != "seconds"}

    first = told(seed=9, threads=1)
    assert told(seed=9, threads=threads) == first
    assert told(seed=10, threads=threads) != first


@pytest.mark.parametrize("others", STRENGTHS)
def test_log_odds_are_lowered_by_what_was_played(others: Others) -> None:
    """By all of it once eight cards of each player have been played."""

    def lowered(hand: int, played: int, deck: Deck | None = None) -> float:
        fields: dict[str, Any] = {"hand": ("Zn",) * hand, "discard": ("Zn",) * played, "counts": (hand, 5, 5)}
        fields |= {"table": (), "seat": 0}
        seen = Round.model_construct(**fields)
        seen.__dict__["metals"] = deck or house()
        odds = hint.SAMPLER.odds
        assert odds is not None
        return float(-np.log(odds(seen, others)))

    start, card, advance = hint.TOO_SURE[others][3]
    assert (start, card, advance) != (0, 0, 0)
    assert lowered(12, 0) == lowered(10, 0) == pytest.approx(start)
    assert lowered(7, 12) == pytest.approx(start + 3 * card + advance / 2)
    assert lowered(2, 24) == lowered(2, 40) == pytest.approx(start + 8 * card + advance)
    if others == "equal":
        start, card, advance = hint.TOO_SURE_WITH_OTHER_DECKS[3]
    other = replace(house(), metals=house().metals[1:])
    assert lowered(7, 12, other) == pytest.approx(start + 3 * card + advance / 2)


def test_going_out_is_certain_and_seen() -> None:
    data = change(SEEN, hand=["Sn", "Sn"], counts=[2, 3, 2], known=None)
    answer = ask(data, worlds=50)
    assert (answer.best, answer.moves[0].mean) == ("Sn Sn", 1.0)
    assert (answer.sure, answer.reason) == ("clear", "Sn Sn goes out and wins.")


def test_what_is_not_answered() -> None:
    with pytest.raises(RequestError, match="seat 0 is to move, not seat 2"):
        ask(change(SEEN, turn=0))
    with pytest.raises(RequestError, match="Nothing in the hand can be led in water"):
        ask(change(SEEN, table=[], owner=None, field="water"))
    with pytest.raises(RequestError, match="every card is known"):
        GAME.hint(GAME.deal(1), Control())
    impossible = view_from(change(SEEN, known=None, deal_passes=[{"seat": 1, "field": "aqua-regia"}]))
    with pytest.raises(PositionError, match="no deal agrees"):
        ask(impossible)


def test_a_hint_on_every_deck() -> None:
    rng = random.Random(73)
    for _ in range(10):
        table = random_table(rng, copies=3)
        if len(table["metal"]) < 5:
            continue
        position = known_from(random_position(rng, deck=table, players=3, cards=9))
        seat = position.seat_to_move
        answer = GAME.hint(GAME.view(position, seat), Control(Limit(nodes=500)))
        assert answer.best is not None


# What is behind the lead of a move, on positions made for it. ---------------------------------------------------

OUT = "aqua-regia seat=0 hand=Sn,Sn counts=2,3,2 field=acid turn=0 table=Fe owner=2 stock_count=6"

SET = "aqua-regia seat=0 hand=Zn,Zn,Cu,Pt counts=4,5,4 field=acid turn=0 table=Al owner=2 stock_count=9"

STRONG = "aqua-regia seat=0 hand=Sn,Sn,Cu,Ag counts=4,3,4 field=acid turn=0 stock_count=6"

FOLLOWS = "aqua-regia seat=0 hand=Zn,Cu,Fe counts=3,3,2 field=vapor turn=0 stock_count=6"

# Seat 2 has one card left.
DENIES = "aqua-regia seat=0 hand=Fe,Cu,Pt counts=3,5,1 field=vapor turn=0 table=Al owner=2 stock_count=6"

KEEPS = (
    "aqua-regia players=3 seat=2 hand=K,K,Mg,Zn,Zn,Sn,Sn,Cu history="
    "0:Li/1:Na,Na/2:pass/0:pass/1:K/2:Fe/0:pass/1:pass:Li:Na/2:Ag/0:pass:Na:Fe/1:pass:Li:Na/2:Pb/"
    "0:pass:Cu:Ag/1:pass:Na:Cu"
)

SHEDS = (
    "aqua-regia players=3 seat=1 hand=Al,Al,Ni,Ni,Ni,Sn,Au history="
    "0:Na,Na/1:pass/2:pass/0:K/1:Al/2:pass:Li:Na/0:pass:Ca:Na/1:Na/2:Ag/0:pass/1:pass:K:Al/2:Al/"
    "0:pass:Fe:Ag/1:Ni/2:Cu/0:pass:Li:Fe/1:pass/2:Na/0:pass/1:pass:Al:Ni/2:Fe/0:pass/1:pass:Mg:Al/"
    "2:Pb/0:pass:Ca:Na/1:Hg/2:pass/0:pass:Pb:Cu/1:Mg/2:Hg/0:Ag/1:Pt/2:pass/0:pass:Fe:Pb/1:Ca/2:Mg/"
    "0:pass/1:pass:Na:Al/2:Mg/0:pass/1:pass:Li:Pt/2:Ag/0:pass/1:pass:Ca:Na/2:Ni/0:pass:Al:Hg/1:Pt/"
    "2:pass/0:pass/1:Na/2:pass/0:pass:Sn:Ag/1:Zn,Zn/2:pass:K:Ni/0:pass"
)


@pytest.mark.parametrize(
    ("view", "codes", "words"),
    [
        (OUT, ["goes_out"], "Sn Sn goes out and wins."),
        (
            SET,
            ["keeps_easy"],
            "It is better to keep Zn Zn than Cu, which can be played in fewer",
        ),
        (STRONG, ["seat_cannot_follow", "seat_goes_out"], "Seat 1 can't follow Cu in 6"),
        (FOLLOWS, ["seat_can_follow"], "is worse mainly because seat 1 can follow it in 1"),
        (KEEPS, ["takes_and_keeps"], "Mg wins this trick in every game, K in 2"),
        (SHEDS, ["takes_and_sheds"], "leaves fewer cards in hand than Ni Ni: 4, not 5."),
        (DENIES, ["takes_trick", "seat_goes_out"], "Seat 2 goes out first in 3"),
    ],
)
def test_the_causes_of_a_lead(view: str, codes: list[str], words: str) -> None:
    found = athanor.hint(view, nodes=12_000, others="club")
    assert [cause.code for cause in found.causes] == codes, found.reason
    assert words in found.reason


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_from(DENIES)
    moves = legal_moves(view)
    games = Games(view, moves, 1, "club")
    noted: list[tuple[np.ndarray, np.ndarray]] = []
    monkeypatch.setattr(games.witness, "note", lambda _first, results, words: noted.append((results, words)))
    results = np.empty((4, len(moves), games.statistics))
    games.play(0, results, np.ones(4))
    size = view.metals.size
    assert noted[0][0] is results
    for row in noted[0][1]:
        hands = row[: 3 * size].reshape(3, size)
        assert hands.sum(axis=1).tolist() == [3, 5, 1]
        assert hands[0].tolist() == list(view.metals.counts(view.metals.numbers(view.hand)))
        assert set(row[3 * size :].tolist()) <= {0, 1, 2}


# The learned player's choice, a hint's first answer, and the plausible player's. --------------------------------


def turn_of(seen: Round) -> Turn:
    top, following = seen.top or Play(0, 0), next_field(seen.field_number, seen.reversed)
    return Turn(seen.field_number, following, top.metal, top.count, int(seen.stock_count > 0))


def likely(seen: Round) -> dict[str, float]:
    """How likely the player of the sampled games makes each move."""
    moves = GAME.legal_moves(seen)
    out = np.empty(len(moves))
    reactivity, held = reactivity_rows(seen.metals), np.array(seen.held, np.int64)
    numbers = move_numbers(seen, moves)
    move_chances(reactivity, held, len(seen.hand), turn_of(seen), numbers, np.array(PLAYER), out)
    return {GAME.format_move(seen, move): float(chance) for move, chance in zip(moves, out, strict=True)}


def often(seen: Round, games: int) -> dict[str, float]:
    """How often each move is made by the player of the sampled games."""
    deck, following, turn = seen.metals, next_field(seen.field_number, seen.reversed), turn_of(seen)
    words, weights, held = np.zeros(1, np.int64), np.array(PLAYER), np.array(seen.held, np.int64)
    start_stream(words, 5, 0)
    made: dict[str, float] = {}
    for _ in range(games):
        code = PASS
        if seen.drawn is None:
            code = int(choose_play(reactivity_rows(deck), held, len(seen.hand), turn, weights, words))
        if code == PASS and (seen.drawn is not None or not seen.stock_count):
            pile = np.array(seen.pile, np.int64)
            code = int(choose_exchange(reactivity_rows(deck), held, pile, deck.copies, following, weights, words))
        text = GAME.format_move(seen, move_of(code))
        made[text] = made.get(text, 0.0) + 1 / games
    return made


@pytest.mark.small
@pytest.mark.parametrize("data", QUESTIONS, ids=range(len(QUESTIONS)))
def test_every_legal_move_has_its_chance(data: dict[str, Any]) -> None:
    check_chances(GAME, view_from(data))


@pytest.mark.parametrize("data", QUESTIONS, ids=range(len(QUESTIONS)))
def test_chances_are_those_of_the_player_of_the_sampled_games(data: dict[str, Any]) -> None:
    seen = view_from(data)
    made = often(seen, 400)
    chances = likely(seen)
    assert set(made) <= set(chances)
    for move, chance in chances.items():
        assert abs(made.get(move, 0.0) - chance) < 5 * (chance * (1 - chance) / 400) ** 0.5 + 0.01


def test_who_can_go_out_does() -> None:
    seen = view_from(change(SEEN, hand=["Sn", "Sn"], counts=[2, 3, 2], known=None))
    best = at_once(GAME, seen).moves[0]
    assert (best.move, best.chance) == ("Sn Sn", 1.0)


def test_it_is_the_first_that_is_told() -> None:
    check_told_first(GAME, view_from(SEEN))


def test_what_has_no_answer_is_refused() -> None:
    with pytest.raises(RequestError, match="is to move"):
        hint.hint(view_from(change(SEEN, turn=0)), Control(), worlds=0)


def test_the_largest_deck_is_played() -> None:
    metals = [f"M{number}" for number in range(MOST_METALS)]
    rows = [{"symbol": metal, "reactivity": dict.fromkeys(FIELDS, 2)} for metal in metals]
    hand = [metals[0], *metals]
    seen = view_from(
        change(
            SEEN,
            deck={"name": "any", "metal": rows},
            table=metals[:1],
            discard=metals[1:],
            hand=hand,
            counts=[2, 3, len(hand)],
            known=None,
            stock_count=0,
        )
    )
    answer = at_once(GAME, seen)
    assert len(answer.moves) == len(GAME.legal_moves(seen)) > 7000
    assert sum(move.chance for move in answer.moves) == pytest.approx(1, abs=0.01)


def test_the_weights_are_small_and_their_card_says_how_they_were_made() -> None:
    place = Path(players.__file__).with_name("policy.npz")
    assert place.stat().st_size < MOST_BYTES
    with np.load(place) as arrays:
        assert all(array.dtype == np.float32 and np.isfinite(array).all() for array in arrays.values())
    card = json.loads(place.with_suffix(".json").read_text(encoding="utf-8"))
    assert {"game", "what", "seed", "commit", "minutes", "choices", "2 players"} <= set(card)


# Decks of thousands of cards: in time, or refused at once. ------------------------------------------------------

METALS, COPIES = 118, 99


def large_view(hand: int, stock: int) -> Round:
    reactivity = {"water": 2, "vapor": 2, "acid": 2, "aqua-regia": 2}
    metals = [{"symbol": f"M{number}", "reactivity": reactivity} for number in range(METALS)]
    data: dict[str, Any] = {
        "game": "aqua-regia",
        "deck": {"name": "large", "copies": COPIES, "metal": metals},
        "field": "water",
        "seat": 0,
        "turn": 0,
        "hand": [f"M{number * 7 % METALS}" for number in range(hand)],
        "counts": [hand] * 5,
        "stock_count": stock,
    }
    return view_from(data)


def view_after(moves: int, hand: int) -> Round:
    """What the seat to move sees after so many random moves of two players with hands of so many of 236 cards."""
    rng = Random(1)
    metals = [
        {"symbol": f"M{number}", "reactivity": {field: rng.below(4) for field in FIELDS} | {"water": 2}}
        for number in range(METALS)
    ]
    cards = [f"M{number}" for number in range(METALS)] * 2
    rng.shuffle(cards)
    position = parse_position(
        {
            "game": "aqua-regia",
            "deck": {"name": "large", "copies": 2, "metal": metals},
            "field": "water",
            "turn": 0,
            "hands": [cards[:hand], cards[hand : 2 * hand]],
            "stock": cards[2 * hand :],
        }
    )
    for _ in range(moves):
        assert isinstance(position, Round)
        legal = legal_moves(position)
        position = play(position, legal[rng.below(len(legal))])
    assert isinstance(position, Round)
    return seen_by(position, position.seat_to_move)


@pytest.mark.parametrize(("hand", "stock"), [(10, 11_632), (100, 0), (200, 0)])
def test_a_hint_with_thousands_of_cards_ends_in_time_or_is_refused_at_once(hand: int, stock: int) -> None:
    GAME.warm()
    seen = large_view(hand, stock)
    begun = time.monotonic()
    with suppress(RequestError):
        assert GAME.hint(seen, Control(Limit(seconds=0.3))).worlds >= 1
    assert time.monotonic() - begun < 0.3 + LATE


@pytest.mark.parametrize("seconds", [0.02, 0.1])
def test_a_long_history_with_many_metals_is_in_time_too(seconds: float) -> None:
    """A chain of likely worlds takes many steps, each of which looks at all pairs of metals for each pass."""
    GAME.warm()
    seen = view_after(moves=100, hand=60)
    assert Games(seen, legal_moves(seen), 0).steps > 1000
    begun = time.monotonic()
    with suppress(RequestError):
        assert GAME.hint(seen, Control(Limit(seconds=seconds))).worlds >= 1
    assert time.monotonic() - begun < seconds + LATE


def test_a_game_ends_as_soon_as_its_fuel_does() -> None:
    seen = large_view(100, 500)
    games = Games(seen, legal_moves(seen), 0)
    begun = time.thread_time()
    assert not games.ends(0, fuel=3)
    few = time.thread_time() - begun
    assert games.ends(0)
    assert few < (time.thread_time() - begun - few) / 2
    least = next(fuel for fuel in range(1, 20_000, 100) if games.ends(0, fuel=fuel))
    assert games.ends(0, fuel=least + 100)  # as much as it takes is enough, and so is more
    assert not games.ends(0, fuel=max(1, least - 100))


def test_what_cannot_be_played_in_time_is_too_large() -> None:
    with pytest.raises(RequestError, match="more than the limit") as found:
        GAME.hint(large_view(200, 0), Control(Limit(seconds=0.3)))
    assert (found.value.code, found.value.path) == ("too_large", "deck")


def test_fewer_games_between_two_looks_only_with_a_large_deck() -> None:
    assert SAMPLER.games(large_view(10, 0)) == 1
    house = seen_by(dealt(1), 0)
    assert SAMPLER.games(house) == GAMES_A_BATCH


def test_a_hint_of_five_milliseconds_plays_games_for_four() -> None:
    games = SAMPLER.games(seen_by(dealt(1), 0))
    assert games_within(games, SAMPLER.seconds, 0.005) == 28  # 7,000 a second with five players
    assert games_within(games, SAMPLER.seconds, 0.05) == games
