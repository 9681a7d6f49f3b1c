"""The players of King × Alchemy, held to the rules and a slow reference: values, kinds, first answers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import islice
from math import exp

import numpy as np
import pytest

from benchmarks.king import KingContest, learned
from solver.common import Random, mask, members
from solver.games.king import GAME, fast_rules, rules
from solver.games.king.deck import CARDS, house
from solver.games.king.fast_rules import PILES, SCORES, STATE_WORDS, lay, start_trick
from solver.games.king.hint import played_by, rounds
from solver.games.king.players import (
    AHEAD,
    BOTTOM,
    DEAD,
    HOPE,
    KINDS,
    MOST,
    OWN,
    PLAY,
    THRIFTY,
    TRAINED,
    WINS,
    WINS_LATER,
    WINS_OWN,
    WINS_TABLE,
    CardValues,
    additions,
    book_of,
    card_value,
    features,
    get,
    lose,
    plays,
    recipes_of,
    share_out,
)
from solver.games.king.position import Round
from solver.games.king.rules import Play, State, Taking, winner
from solver.games.king.worlds import KERNELS, SCORE, STATISTICS, TOOK, deals, move_code
from tests.games.king.plain_hints import Judge, replies
from tests.games.king.rounds import played, seen_by, to_move
from tests.hints.first_answers import at_once, check_chances, check_told_first
from tests.reference import king_player as reference
from tests.reference.king_player import hoped, lacking
from tests.support.amounts import Amount
from tests.support.kinds import of_kind
from tests.support.marks import in_python

DECK = house()
CARRIERS = [number for number, card in enumerate(DECK.cards) if card.recipe is not None]


def dealt(rng: random.Random, players: int) -> tuple[list[int], int]:
    """Random piles, and cards that are lost."""
    piles, lost = [0] * players, 0
    for card in range(CARDS):
        at = rng.randrange(3 * players)
        if at < players:
            piles[at] |= 1 << card
        elif at == players:
            lost |= 1 << card
    return piles, lost


@in_python
@pytest.mark.small
def test_books_and_what_cards_add(amount: Amount) -> None:
    rng = random.Random(1)
    recipes = recipes_of(DECK)
    for _ in range(amount(30)):
        players = rng.choice((3, 4, 5))
        piles, lost = dealt(rng, players)
        book = book_of(DECK, tuple(piles), lost).reshape(players, -1)
        gone = lost | sum(piles)
        for seat, pile in enumerate(piles):
            for recipe, card in enumerate(CARRIERS):
                dead = gone >> card & 1 and not pile >> card & 1
                assert book[seat, recipe] == lacking(DECK, pile)[card] + (DEAD if dead else 0)
        left = rng.randrange(1, 12)
        chance, adds = hoped(HOPE, left, players), additions(HOPE, players)
        state = State(DECK, (0,) * players, 0, (), (0,) * players)
        deal = fast_rules.deal_words(state, 0, allies=False)
        flat = np.ascontiguousarray(book).ravel()
        for card in [card for card in range(CARDS) if not gone >> card & 1][:6]:
            expected = reference.worth(DECK, tuple(piles), 0, lost, chance, card)
            assert card_value(CardValues(deal, recipes, flat, adds), 0, left, card) == pytest.approx(expected)


def trick(rng: random.Random, players: int) -> tuple[list[Play], int]:
    """All cards of a random trick but the last, and the hand that is to play it."""
    cards = rng.sample(range(CARDS), players - 1 + 8)
    if rng.random() < 0.7 and DECK.dancer not in cards:
        cards[rng.randrange(len(cards))] = DECK.dancer
    table = [
        Play(card, rng.randrange(4) if card == DECK.dancer else DECK.cards[card].suit)
        for card in cards[: players - 1]
    ]
    return table, mask(cards[players - 1 :])


@in_python
@pytest.mark.small
def test_the_last_card_of_a_trick_is_judged_by_the_rules(amount: Amount) -> None:
    rng = random.Random(2)
    seen: Counter[str] = Counter()
    for _ in range(amount(300)):
        players = rng.choice((3, 4, 5))
        table, hand = trick(rng, players)
        state = State(DECK, (0,) * players, 0, (), (0,) * players)
        deal = fast_rules.deal_words(state, 0, allies=False)
        node = np.zeros(STATE_WORDS, np.int64)
        start_trick(node, 0, 0)
        for play in table:
            lay(deal, node, 0, fast_rules.code(state, play))
        codes = np.zeros(MOST, np.int64)
        legal = rules.playable(DECK, hand, table)
        offered = set(codes[: plays(deal, node, hand, codes)].tolist())
        assert offered <= {fast_rules.code(state, play) for play in legal}
        for play in legal:
            full = (*table, play)
            values = [rng.random() for _ in table]
            out = features(deal, node, hand, 0, fast_rules.code(state, play), 1.5, np.array(values))
            won = rules.winner(DECK, full) == players - 1
            assert out[WINS] == won
            assert out[OWN] == 1.5
            assert out[WINS_OWN] == 1.5 * won
            assert out[WINS_LATER] == 0
            assert out[BOTTOM] == (rules.bottom(DECK, full) == players - 1)
            if won:
                lower = rules.available(DECK, full)
                best = sorted(value for value, other in zip(values, table, strict=True) if lower >> other.card & 1)
                assert out[WINS_TABLE] == pytest.approx(sum(best[-2:]))
            # Plays that are not offered are names of the Dancer that do what an offered one does.
            if fast_rules.code(state, play) not in offered:
                assert play.card == DECK.dancer
            seen["won" if won else "lost"] += 1
            seen["dancer"] += play.card == DECK.dancer
    assert min(seen.values()) > 5


@in_python
@pytest.mark.small
def test_takings_are_legal_and_the_book_follows(amount: Amount) -> None:
    rng = random.Random(3)
    recipes = recipes_of(DECK)
    for _ in range(amount(100)):
        players = rng.choice((3, 4, 5))
        table, hand = trick(rng, players)
        table.append(rng.choice(rules.playable(DECK, hand, table)))
        used = mask(play.card for play in table)
        piles, lost = dealt(rng, players)
        before = tuple(pile & ~used for pile in piles)
        state = State(DECK, (0,) * players, 0, tuple(table), before)
        deal = fast_rules.deal_words(state, 0, allies=False)
        node = fast_rules.round_words(state, deal)
        book = book_of(DECK, before, lost & ~used)
        values = CardValues(deal, recipes, book, additions(HOPE, players))
        share_out(values, node, 5, -1)
        after, points = node[PILES : PILES + players].tolist(), node[SCORES : SCORES + players].tolist()
        outcomes = [rules.play(state, move).won for move in rules.legal_moves(state)]
        assert tuple(after) in outcomes
        assert points == list(map(DECK.vp, after))
        discarded = used & ~sum(new & ~old for new, old in zip(after, before, strict=True))
        expected = book_of(DECK, before, lost & ~used)
        values = values._replace(book=expected)
        for seat, (new, old) in enumerate(zip(after, before, strict=True)):
            for card in range(CARDS):
                if (new & ~old) >> card & 1:
                    get(values, seat, card)
        for card in range(CARDS):
            if discarded >> card & 1:
                lose(values, card)
        assert (book == expected).all()


@in_python
@pytest.mark.small
def test_plays_are_chosen_by_their_values(amount: Amount) -> None:
    """Every play offered in rounds of each size has the value that the slow reference gives it."""
    seen: Counter[str] = Counter()
    for number in range(amount(450)):
        players = 3 + number % 3
        position = played(number, random.Random(number).randrange(rules.TRICKS[players] * (players + 1)), players)
        view = seen_by(position, position.seat_to_move)
        if len(view.trick) == players:
            continue
        game, left = deals(view).game(), len(view.hand)
        lost = (1 << CARDS) - 1 & ~(view.unseen | view.hand_mask | mask(play.card for play in view.plays))
        for pile in view.piles:
            lost &= ~pile
        worths = {
            card: reference.worth(DECK, view.piles, view.seat, lost, hoped(HOPE, left, players), card)
            for card in (*members(view.hand_mask), *(play.card for play in view.plays))
        }
        expected: dict[int, float] = {}
        looking_ahead: dict[int, float] = {}
        for play in rules.playable(DECK, view.hand_mask, view.plays):
            later = players - 1 - len(view.plays)
            found = reference.features(DECK, view.plays, later, view.hand_mask, view.unseen, play, worths)
            place = 0 if not view.plays else 2 if later == 0 else 1
            code = move_code(view, play)
            expected[code] = reference.value(found, PLAY, place, left)
            told_of = reference.ahead_inputs(
                DECK, view.plays, later, view.hand_mask, view.unseen, play, worths, found
            )
            looking_ahead[code] = reference.ahead_value(game.setting.plays.ahead, place, *told_of)
            seen[f"{place} {DECK.suits[play.suit] if play.suit < len(DECK.suits) else 'trump'}"] += 1
        if len(expected) == 1:
            continue  # nothing is compared
        for kind, right in ((TRAINED, expected), (AHEAD, looking_ahead)):
            count = KERNELS.first_answer(game._replace(own=kind))
            chances = game.values[kind * MOST :][:count].tolist()
            codes = game.codes[:count].tolist()
            most = max(right[code] for code in codes)
            parts = [exp(right[code] - most) for code in codes]
            assert chances == pytest.approx([part / sum(parts) for part in parts], abs=1e-5)
    assert len(seen) == 3 * 5


KINDS_AT = (TRAINED, THRIFTY, THRIFTY, TRAINED)


def late(number: int) -> Round:
    """A round among players of two kinds, the one and the other, until three cards are left to a hand."""
    position = of_kind(Round, GAME.deal(5, number=number, players=4, variant="unpicked"))
    random = Random(5, number)
    while position.choosing or max(map(len, position.hands)) > 3:
        seat = position.seat_to_move
        view = of_kind(Round, GAME.view(position, seat))
        position = of_kind(Round, GAME.play(position, learned(view, random, KINDS_AT[seat])))
    return position


def test_the_kinds_of_players_are_told_by_what_they_did() -> None:
    shares = np.zeros((4, KINDS))
    for number in (0, 2, 3):
        position = late(number)
        found = deals(seen_by(position, 0))
        held = [set(position.held[seat]) for seat in range(4)]
        places = [next(seat for seat in (1, 2, 3) if card in held[seat]) - 1 for card in found.cards]
        for seat, likely in enumerate(Judge(found).kinds(places)[0]):
            if likely:
                shares[seat] += np.array(likely) / 3
    for seat in (1, 2, 3):
        assert shares[seat, KINDS_AT[seat]] > 0.8


@pytest.mark.covered
@pytest.mark.small
def test_seats_play_on_as_their_kind() -> None:
    """Where only one kind is expected all play on as it, and a flat search has its own seat do so too."""
    view = of_kind(Round, seen_by(played(2, 12), 2))
    moves = GAME.legal_moves(view)
    found = deals(view)
    told = []
    for shares in np.eye(KINDS):
        results = np.empty((12, len(moves), STATISTICS))
        alike = rounds(found, moves, 1, infer=False)
        alike.games[0].idle.append(found.game()._replace(expected=shares))
        alike.play(0, results, np.ones(12))
        told.append(results[:, :, SCORE].copy())
    assert (told[0] != told[1]).any()
    assert (told[0] != told[2]).any()
    results = np.empty((12, len(moves), STATISTICS))
    KingContest.sampled["flat"].rollouts(view, moves, 1, "equal").play(0, results, np.ones(12))
    assert (results[:, :, SCORE] != told[2]).any()


def test_the_others_draw_their_plays(amount: Callable[[int], int]) -> None:
    """How often a trick is taken where only the next seat has yet to play is what the plain way says."""
    views = (to_move(number, 2 + 5 * (number % 9)) for number in range(100))
    for view in islice((view for view in views if len(view.trick) == view.players - 2), amount(3)):
        deck, moves = view.full_deck, [move for move in GAME.legal_moves(view) if isinstance(move, Play)]
        results = np.empty((amount(200), len(moves), STATISTICS))
        playing = rounds(deals(view), moves, 1, infer=False)
        playing.play(0, results, np.ones(len(results)))
        noted = playing.witness.noted(len(results), chained=False)
        assert noted is not None
        gone = (1 << CARDS) - 1 & ~(view.unseen | view.hand_mask)
        last = (view.seat + 1) % view.players
        for index, move in enumerate(moves):
            expected = []
            for hand in noted.words[:, last].tolist():
                hands = tuple(hand if seat == last else 0 for seat in range(view.players))
                state = State(deck, hands, view.leader, (*view.plays, move), view.piles)
                expected.append(
                    sum(
                        chance * (winner(deck, (*state.trick, reply)) == len(view.plays)) / KINDS
                        for kind in range(KINDS)
                        for reply, chance in replies(state, gone | 1 << move.card, kind).items()
                    )
                )
            chances = np.clip(expected, 0.0, 1.0)
            error = np.sqrt((chances * (1 - chances)).sum()) / len(chances)
            assert abs(results[:, index, TOOK].mean() - chances.mean()) <= 4 * error + 1e-9


def picking() -> Round:
    return of_kind(Round, GAME.view(GAME.deal(3, variant="unpicked"), 1))


VIEWS = [to_move(seed, moves) for seed, moves in enumerate((0, 1, 4, 7, 13, 19, 24))]


@pytest.mark.small
@pytest.mark.parametrize("view", [picking(), *VIEWS])
def test_every_legal_move_has_its_chance(view: Round) -> None:
    check_chances(GAME, view)


def test_who_has_taken_a_trick_gives_in_one_way() -> None:
    taking = [view for view in VIEWS if len(view.trick) == view.players]
    assert taking
    for view in taking:
        told = {move.move: move.chance for move in at_once(GAME, view).moves}
        moves = [move for move in GAME.legal_moves(view) if told[GAME.format_move(view, move)] > 0]
        ways = [move.taken for move in moves if isinstance(move, Taking)]
        assert len(ways) == len(set(ways))


def test_each_kind_of_player_has_chances_of_its_own() -> None:
    view = VIEWS[0]
    moves = GAME.legal_moves(view)
    assert not np.allclose(played_by(view, moves), played_by(view, moves, kind=THRIFTY), atol=0.01)


def test_it_is_what_a_player_who_looks_ahead_would_choose() -> None:
    views: list[Round] = [picking(), *VIEWS]
    for view in views:
        moves = GAME.legal_moves(view)
        told = {move.move: move.chance for move in at_once(GAME, view).moves}
        by_kind = zip(
            (GAME.format_move(view, move) for move in moves), played_by(view, moves, kind=AHEAD), strict=True
        )
        assert told == pytest.approx(dict(by_kind), abs=1e-6)


def test_it_is_the_first_that_is_told() -> None:
    check_told_first(GAME, VIEWS[1])
