"""The duel as a whole: rounds of exchanges, and the match to 100 points. Rules only; who chooses is the caller.

Who grabs first in an exchange is decided by speed at the table, so it is given with the moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from solver.common.rng import Random
from solver.games.alchemy.cards.deck import JOKER, cards, points
from solver.games.alchemy.cards.readings import USUAL, AlchemyReadings
from solver.games.alchemy.cards.rules import (
    DUEL_LINE,
    JOKER_TOTAL,
    SOLITAIRE,
    WINNING_TOTAL,
    duel_min_line,
    matches,
)
from solver.games.alchemy.cards.text import NONE, Move
from solver.games.alchemy.positions.duels import DuelPosition
from solver.inputs.errors import MoveError

Piles = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Round:
    """A round between two exchanges: `hands` are flipped, or None when the round is over."""

    deck: tuple[int, ...]  # the next card first
    line: tuple[int, ...] = ()
    table_jokers: int = 0
    hands: tuple[int, int] | None = None
    piles: Piles = ((), ())
    totals: tuple[int, int] = (0, 0)  # of the rounds before
    rules: AlchemyReadings | None = None

    def moves(self, player: int, line: Sequence[int] | None = None) -> list[Move]:
        """The moves of a player with the whole line or, if `line` is given, with what the other's match left."""
        assert self.hands is not None
        hand = self.hands[player]
        fewest = duel_min_line(hand, self.table_jokers)
        return [*matches(self.line if line is None else line, hand, fewest), NONE]

    def position(self, player: int) -> DuelPosition:
        """The exchange as `player` sees it; or the round, when it is over."""
        hands = (None, None) if self.hands is None else tuple(cards(self.hands))
        return DuelPosition(
            game="alchemy",
            variant="duel",
            rules=self.rules,
            totals=(self.totals[player], self.totals[1 - player]),
            line=tuple(cards(self.line)),
            hand=hands[player],
            opponent_hand=hands[1 - player],
            table_jokers=self.table_jokers,
            pile=tuple(cards(self.piles[player])),
            opponent_pile=tuple(cards(self.piles[1 - player])),
            unseen=tuple(cards(sorted(self.deck))),
        )


def next_round(seed: int, number: int, totals: tuple[int, int], rules: AlchemyReadings | None) -> Round:
    """Deal `number` of a seed as a round of a match: with the jokers that its rules put into the deck."""
    late = max(totals) >= JOKER_TOTAL
    state = deal_round(seed, number, (rules or USUAL).jokers[late])
    return replace(state, totals=totals, rules=rules)


def deal_round(seed: int, number: int = 0, jokers: int = 0) -> Round:
    """A freshly shuffled round with `jokers` in the deck, its first exchange flipped."""
    deck = [*SOLITAIRE["solo"].deck, *[JOKER] * jokers]
    Random(seed, number).shuffle(deck)
    return flip(Round(tuple(deck)))


def flip(state: Round) -> Round:
    """Fill the line to six cards and draw both hands; the round ends when there are too few cards.

    Jokers are set aside and replaced.
    """
    deck, line, jokers = list(state.deck), list(state.line), state.table_jokers
    while len(line) < DUEL_LINE and deck:
        drawn = deck.pop(0)
        if drawn == JOKER:
            jokers += 1
        else:
            line.append(drawn)
    hands = None
    if len(line) == DUEL_LINE and len(deck) >= 2:
        hands = deck.pop(0), deck.pop(0)
    return replace(state, deck=tuple(deck), line=tuple(line), table_jokers=jokers, hands=hands)


def exchange(state: Round, first: int, first_move: Move, second_move: Move) -> Round:
    """Play one exchange as `taken` does, and flip the next cards."""
    return flip(taken(state, first, first_move, second_move))


def taken(state: Round, first: int, first_move: Move, second_move: Move) -> Round:
    """What an exchange leaves, no new cards turned up: player `first` grabs first.

    Raises MoveError for a move that is not legal. With jokers set aside a match takes them and ends the exchange:
    the rest of the line is discarded, and when nobody matches everything is.
    """
    line = list(state.line)
    piles = [list(pile) for pile in state.piles]
    assert state.hands is not None
    jokers = state.table_jokers
    taken = False
    for player, move in ((first, first_move), (1 - first, second_move)):
        allowed = [NONE] if taken and jokers else state.moves(player, line)
        if move not in allowed:
            raise MoveError("illegal_move", f"{move} is not a move of player {player} here")
        if move.kind == "none":
            continue
        taken = True
        for rank in move.used:
            line.remove(rank)
        piles[player] += [*move.used, state.hands[player], *[JOKER] * jokers]
    return replace(
        state,
        line=() if jokers else tuple(line),
        table_jokers=0,
        hands=None,
        piles=(tuple(piles[0]), tuple(piles[1])),
    )


def totals_after(totals: tuple[int, int], piles: Piles) -> tuple[int, int]:
    """The match's totals after a round that ended with these piles."""
    return totals[0] + points(piles[0]), totals[1] + points(piles[1])


def winner_of(totals: tuple[int, int]) -> int | None:
    """The player who has won the match, or None: it is won with 100 points or more and more than the other.

    Rulings: when both have 100 points the higher total wins; with equal totals the match goes on.
    """
    if max(totals) < WINNING_TOTAL or totals[0] == totals[1]:
        return None
    return 0 if totals[0] > totals[1] else 1


Choose = Callable[[Round, int, int], tuple[Move, Move]]


def play_match(
    seed: int,
    first: Callable[[int], int],
    choose: Choose,
    *,
    jokers: int = 0,
    added_jokers: int = 0,
) -> Iterator[tuple[Round, tuple[int, int]]]:
    """Play rounds until someone wins; yields each round's last state and the totals after it.

    `first` tells who grabs first in the n-th exchange of the match, `choose` (state, first, n) both moves.
    `jokers` are in the deck from the start, `added_jokers` more once a player has 75 points.
    """
    totals = (0, 0)
    number = exchanges = 0
    while winner_of(totals) is None:
        extra = added_jokers if max(totals) >= JOKER_TOTAL else 0
        state = deal_round(seed, number, jokers + extra)
        while state.hands is not None:
            grabber = first(exchanges)
            state = exchange(state, grabber, *choose(state, grabber, exchanges))
            exchanges += 1
        totals = totals_after(totals, state.piles)
        number += 1
        yield state, totals
