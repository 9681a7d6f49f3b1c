"""What the others have done, laid out for `likelihood`: their picks and plays, each with what could be seen
then."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np

from solver.common.masks import mask
from solver.games.king.cards.deck import CARDS
from solver.games.king.cards.rules import TRICKS, Play
from solver.games.king.fast_rules.kernel import (
    NAMED,
    STATE_WORDS,
    THE_DANCER,
    judge,
    lay,
    seat_after,
    start_trick,
)
from solver.games.king.hints.deal_kernel import MOST_SEATS
from solver.games.king.players.card_values import MOST_LEFT, CardValues, book_of, card_value, row_of
from solver.games.king.players.kinds import EXPECTED
from solver.games.king.players.pick_policy import PICK_FEATURES, PICK_LENGTH, PICK_VOID, pick_features
from solver.games.king.players.policy import KINDS, Plays
from solver.games.king.players.setting import Setting, move_words
from solver.games.king.players.take_policy import share_out
from solver.games.king.positions.fields import cards_at
from solver.games.king.positions.known import View
from solver.games.king.positions.picks import PickView
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import kernel, lean

MOST_TRICKS = max(TRICKS.values())
MOST_VALUE = 300.0  # of a pick: users' decks have cards of 999 points, and exp is endless from 710 on
PICK_SHARES = CARDS + MOST_LEFT

# Words of a trick that was seen: the leader, the cards taken, the one given (-1: none), how many plays; the plays.
TRICK_LEADER, TAKEN, GIVEN, COUNT, CODES = range(5)
TRICK_WORDS = CODES + MOST_SEATS

# Words of a play that was seen: its code, the cards that everybody had seen before it, and the node.
CODE, BEFORE, NODE = range(3)
SEEN_WORDS = NODE + STATE_WORDS


class Evidence(NamedTuple):
    """What the seats are judged by. It is only read.

    `deal` has the words of the deal, `plays` what each kind of player goes by, and `expected` the share of each
    kind. `shares` has for each kind what share each card had of the picks, then what its suit's
    length multiplied it by; `picks` each seat's pick (a mask). `counts` has how many plays of each seat were seen,
    `seen` these plays, `MOST_TRICKS` a seat, and `card_values` what each card was worth to the seat then.
    """

    deal: Words
    plays: Plays
    shares: Floats
    picks: Words
    counts: Words
    seen: Words
    card_values: Floats
    expected: Floats


@kernel
def lay_seen(evidence: Evidence, tricks: Words, gone: int, left: int, values: CardValues, piles: Words) -> None:
    """Write the plays of the tricks to the evidence.

    `tricks` are in the words above, `gone` the cards removed and picked (a mask), `left` the cards in a hand after
    the picks, `values` and `piles` those after the picks. The book of `values` and `piles` are written to on the
    way.
    """
    deal, recipes = values.deal, values.recipes
    node = np.zeros(STATE_WORDS, np.int64)
    for trick in range(len(tricks) // TRICK_WORDS):
        words = tricks[trick * TRICK_WORDS :]
        start_trick(node, 0, words[TRICK_LEADER])
        for place in range(words[COUNT]):
            seat = seat_after(deal, words[TRICK_LEADER], place)
            code = words[CODES + place]
            row = seat * MOST_TRICKS + evidence.counts[seat]
            evidence.counts[seat] += 1
            evidence.seen[row * SEEN_WORDS + CODE] = code
            evidence.seen[row * SEEN_WORDS + BEFORE] = gone
            for word in range(STATE_WORDS):
                evidence.seen[row * SEEN_WORDS + NODE + word] = node[word]
            for card in range(CARDS):
                evidence.card_values[row * CARDS + card] = card_value(values, row_of(recipes, seat), left, card)
            gone |= 1 << (deal[THE_DANCER] if code >= NAMED else code)
            lay(deal, node, 0, code)
        if trick < len(tricks) // TRICK_WORDS - 1:  # the last one may be full, and not shared out yet
            judge(deal, node, 0)
            share_out(values, node, piles, left - 1, words[TAKEN], words[GIVEN])
        left -= 1


@lean
def lay_picks(values: CardValues, picking: Floats, left: int, all_shares: Floats, out: Floats) -> None:
    """Write the shares of each card, as if nothing but its suit's length mattered besides; then of each length.

    `values` are those before the picks, `picking` the weights of each kind of player; `out` is room for features.
    """
    for kind in range(KINDS):
        weights = picking[kind * PICK_FEATURES :]
        shares = all_shares[kind * PICK_SHARES :]
        most = MOST_VALUE
        for card in range(CARDS):
            pick_features(values, 0, 1 << card, left, card, out)
            value = 0.0
            for index in range(PICK_LENGTH):
                value += out[index] * weights[index]
            shares[card] = value
            most = max(most, value)
        for card in range(CARDS):
            shares[card] = exp(max(shares[card] - (most - MOST_VALUE), -MOST_VALUE))
        for stay in range(MOST_LEFT):
            value = 0.2 * stay * weights[PICK_LENGTH]
            shares[CARDS + stay] = exp(value + (weights[PICK_VOID] if stay == 0 else 0.0))


def evidence_of(view: View | PickView, setting: Setting, expected: Floats = EXPECTED) -> Evidence:
    """What there is to judge the deals of a view by; `expected` has the share of each kind of player."""
    deck, players = view.full_deck, view.players
    picks = (0,) * players
    if isinstance(view, View):
        picks = tuple(pile & ~gained for pile, gained in zip(view.piles, view.past.won, strict=True))
    rows = players * MOST_TRICKS
    evidence = Evidence(
        deal=setting.values.deal,
        plays=setting.play,
        shares=np.zeros(KINDS * PICK_SHARES),
        picks=np.array(picks, np.int64),
        counts=np.zeros(players, np.int64),
        seen=np.zeros(rows * SEEN_WORDS, np.int64),
        card_values=np.zeros(rows * CARDS),
        expected=expected,
    )
    if isinstance(view, View):
        removed, left = mask(cards_at(deck, view.removed, "removed")), TRICKS[players]
        before = setting.values._replace(book=book_of(deck, (0,) * players, removed))
        lay_picks(before, setting.pick, left, evidence.shares, np.zeros(PICK_FEATURES))
        after = before._replace(book=book_of(deck, picks, removed))
        gone = removed | sum(picks)
        lay_seen(evidence, np.array(tricks_in_words(view), np.int64), gone, left, after, np.array(picks, np.int64))
    return evidence


def tricks_in_words(view: View) -> list[int]:
    """The tricks in words, the one on the table too."""
    words = []
    for trick in view.tricks:
        taking = trick.taking
        shared = mask(taking.taken), -1 if taking.given is None else taking.given
        words += [trick.leader, *shared, view.players, *_codes(view, trick.plays)]
    return [*words, view.leader, 0, -1, len(view.trick), *_codes(view, view.plays)]


def _codes(view: View, plays: tuple[Play, ...]) -> list[int]:
    codes = [move_words(view, play)[0] for play in plays]
    return codes + [-1] * (MOST_SEATS - len(codes))
