"""Surveys of King × Alchemy: what the lead, a seat and the picked card are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver import studies
from solver.common import Random, mask, members
from solver.game import Row
from solver.games.king.analyze import analyze
from solver.games.king.deck import CARDS, DANCER, TRUMP, house
from solver.games.king.hint import SAMPLERS
from solver.games.king.moves import parse_move, view
from solver.games.king.moves import seats_deal as deal_round
from solver.games.king.position import KnownPosition, PickView
from solver.games.king.rules import DEALT, Play, State, legal_moves, play
from solver.limits import Control
from solver.studies import Seats

_ENDINGS = {"3": 5, "4": 4, "5": 3}  # cards per hand by number of players, so that all three models are fast
_WORLDS = 400  # of a hint about a pick


def positions(variant: str, random: Random) -> Sequence[KnownPosition]:
    """Play random legal picks and moves down to an ending; return this ending once with each seat to lead."""
    deck, players = house(), int(variant)
    order = list(range(CARDS))
    random.shuffle(order)
    hands = [order[DEALT[players] * seat : DEALT[players] * (seat + 1)] for seat in range(players)]
    won = tuple(1 << hand.pop() for hand in hands)
    state = State(deck, tuple(map(mask, hands)), random.below(players), (), won)
    while state.trick or state.hands[0].bit_count() > _ENDINGS[variant]:
        moves = legal_moves(state)
        state = play(state, moves[random.below(len(moves))])
    return [
        KnownPosition(
            game="king",
            deck="house",
            leader=leader,
            hands=tuple(tuple(deck.codes(members(cards))) for cards in state.hands),
            won=tuple(tuple(deck.codes(members(cards))) for cards in state.won),
        )
        for leader in range(players)
    ]


SEATS_STUDY = Seats(positions, analyze, "points", {})
seats_part, seats_merged = SEATS_STUDY.part, SEATS_STUDY.merged


def pick_part(variant: str, *, seed: int, number: int, deals: int, control: Control) -> Iterator[Row]:
    """Deal `deals` rounds, starting with deal `number`, and yield a row for each card that seat 0 may pick.

    In a row, `judged` is the mean score that a hint gives for picking the card, and `value` the mean score that a
    second, independent hint gives.
    """
    deck = house()
    for deal in range(number, number + deals):
        seen = view(deal_round(seed, number=deal, players=int(variant), variant="unpicked"), 0)
        assert isinstance(seen, PickView)
        found = []
        for sample in (0, 1):
            with control.part() as part:
                answer = SAMPLERS["equal"].hint(seen, part, worlds=_WORLDS, seed=sample)
            found.append({move.move: move.mean for move in answer.moves})
        judged, values = found
        for move, value in values.items():
            picked = parse_move(seen, move)
            assert isinstance(picked, Play)
            suit = deck.cards[picked.card].suit
            kind = "the Dancer" if suit == DANCER else "a trump" if suit == TRUMP else "a suit card"
            yield {"number": deal, "deals": 1, "move": move, "kind": kind, "value": value, "judged": judged[move]}


pick_merged = studies.merged
