"""The card game kirin, slow and obvious: what the fast solver is checked against.

Written from the rules alone. It shares with the solver nothing but the numbering of the cards: 0 to 35, the
colours D S B G in this order, in each 1 2 3 4 5 6, trump, ascending kirin, descending kirin.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

Cards = frozenset[int]
Scores = tuple[int, ...]

DECK = [colour + rank for colour in "DSBG" for rank in ("1", "2", "3", "4", "5", "6", "T", "+", "-")]
UP, DOWN = "ascending", "descending"

#: weakest first
COLOUR_ORDER = {UP: "GBSD", DOWN: "DSBG"}
RANK_ORDER = {UP: "123456T", DOWN: "654321T"}


class State(NamedTuple):
    """All cards known. `trick` holds the cards played so far, from the leader on; `won` the piles by seat.

    `only_kirin`: to a led kirin only rule 2 of the rulebook applies.
    """

    hands: tuple[Cards, ...]
    leader: int
    direction: str
    trick: tuple[int, ...] = ()
    won: tuple[Cards, ...] = (frozenset(),) * 4
    only_kirin: bool = False


def number(text: str) -> int:
    return DECK.index(text)


def name(card: int) -> str:
    return DECK[card]


def state(
    hands: Sequence[str],
    leader: int = 0,
    direction: str = UP,
    trick: str = "",
    won: Sequence[str] = ("", "", "", ""),
) -> State:
    """A state from cards as text, separated by blanks."""

    def pile(text: str) -> Cards:
        return frozenset(number(card) for card in text.split())

    return State(
        tuple(map(pile, hands)), leader, direction, tuple(map(number, trick.split())), tuple(map(pile, won))
    )


def load(position: Mapping[str, Any]) -> tuple[State, list[str]]:
    """A position as JSON, and the colours that were declared."""
    now = state(
        [" ".join(hand) for hand in position["hands"]],
        position["leader"],
        position["direction"],
        " ".join(position["trick"]),
        [" ".join(pile) for pile in position["won"]],
    )
    return now, [card[0] for card in position["declared"]]


# ------------------------------------------------------------------------------------------------ rules


def is_kirin(card: int) -> bool:
    return DECK[card][1] in "+-"


@cache
def stronger_colour(card: int, other: int, direction: str) -> bool:
    order = COLOUR_ORDER[direction]
    return order.index(DECK[card][0]) > order.index(DECK[other][0])


@cache
def stronger_rank(card: int, other: int, direction: str) -> bool:
    """Strictly; a kirin has no rank: every card that has one is stronger, and it is stronger than none."""
    if is_kirin(card):
        return False
    if is_kirin(other):
        return True
    order = RANK_ORDER[direction]
    return order.index(DECK[card][1]) > order.index(DECK[other][1])


@cache
def qualifies(card: int, standard: int, direction: str, only_kirin: bool = False) -> bool:
    if not stronger_colour(card, standard, direction):
        return False
    if is_kirin(card):
        return True
    return stronger_rank(card, standard, direction) and not (only_kirin and is_kirin(standard))


def to_move(now: State) -> int:
    return (now.leader + len(now.trick)) % 4


def legal(now: State) -> list[int]:
    """The legal moves in canonical order."""
    hand = sorted(now.hands[to_move(now)])
    if not now.trick:
        return hand
    must = [card for card in hand if qualifies(card, now.trick[0], now.direction, now.only_kirin)]
    return must or hand


@cache
def beats(card: int, other: int, direction: str) -> bool:
    """By rank first; of equal ranks, by colour."""
    if stronger_rank(card, other, direction) or stronger_rank(other, card, direction):
        return stronger_rank(card, other, direction)
    return stronger_colour(card, other, direction)


def winner(trick: Sequence[int], leader: int, direction: str) -> int | None:
    """The seat that wins a full trick; None when all four cards are kirin."""
    ranked = [card for card in trick if not is_kirin(card)]
    for card in ranked:
        if all(card == other or beats(card, other, direction) for other in ranked):
            return (leader + trick.index(card)) % 4
    return None


def next_direction(trick: Sequence[int], direction: str) -> str:
    kirin = [card for card in trick if is_kirin(card)]
    strongest = [card for card in kirin if not any(stronger_colour(other, card, direction) for other in kirin)]
    if len(strongest) != 1:  # no kirin at all, or both of the strongest colour
        return direction
    return UP if DECK[strongest[0]][1] == "+" else DOWN


def play(now: State, card: int) -> State:
    if card not in legal(now):
        raise ValueError(f"{DECK[card]} is not legal")
    return after(now, card)


def after(now: State, card: int) -> State:
    """The state after a legal move."""
    seat = to_move(now)
    hands = tuple(hand - {card} if s == seat else hand for s, hand in enumerate(now.hands))
    trick = (*now.trick, card)
    if len(trick) < 4:
        return State(hands, now.leader, now.direction, trick, now.won, now.only_kirin)
    taker = winner(trick, now.leader, now.direction)
    won = tuple(pile | set(trick) if s == taker else pile for s, pile in enumerate(now.won))
    leader = now.leader if taker is None else taker
    return State(hands, leader, next_direction(trick, now.direction), (), won, now.only_kirin)


def over(now: State) -> bool:
    return not any(now.hands)


def scores(now: State, declared: Sequence[str]) -> Scores:
    """The points in the piles so far; `declared` has the letter of the colour that each seat collects."""
    return tuple(
        sum(DECK[card][0] == colour for card in pile) for pile, colour in zip(now.won, declared, strict=True)
    )


# ----------------------------------------------------------------------------------------------- values


def values(now: State, declared: Sequence[str], model: str, player: int | None = None) -> dict[int, object]:
    """What each legal move is worth, in canonical order: the player's score, or in `maxn` everybody's.

    Scores are of the whole round, with what is in `won` already. `player` defaults to the seat to move.
    """
    return {card: value(after(now, card), declared, model, to_move(now) if player is None else player)
            for card in ([] if over(now) else legal(now))}  # fmt: skip


def value(now: State, declared: Sequence[str], model: str, player: int | None = None) -> object:
    """What the position is worth; as in `values`."""
    whose = to_move(now) if player is None else player
    piled = scores(now, declared)
    bare = now._replace(won=(frozenset(),) * 4)
    colours = "".join(declared)
    if model == "maxn":
        return tuple(a + b for a, b in zip(piled, _maxn(bare, colours), strict=True))
    return piled[whose] + _one_player(bare, colours, whose, model == "ally")


def _next(now: State, card: int, declared: str) -> tuple[State, Scores]:
    """The state after a move, its piles emptied, and the points that the move brought to each seat."""
    then = after(now, card)
    if then.trick:  # the piles lie as they lay
        return then, (0, 0, 0, 0)
    return then._replace(won=(frozenset(),) * 4), scores(then, declared)


@cache
def _one_player(now: State, declared: str, player: int, helped: bool) -> int:
    """The points still to come for `player`, the others all against him or (`helped`) all for him."""
    if over(now):
        return 0
    found = []
    for card in legal(now):
        then, gained = _next(now, card, declared)
        found.append(gained[player] + _one_player(then, declared, player, helped))
    return max(found) if helped or to_move(now) == player else min(found)


@cache
def _maxn(now: State, declared: str) -> Scores:
    """The points still to come for each seat when each wants the most; ties: the least for the others in
    all, then the first move in canonical order. Points already won change no comparison: every move of a
    seat has them in common."""
    if over(now):
        return (0, 0, 0, 0)
    seat = to_move(now)
    best: Scores | None = None
    for card in legal(now):
        then, gained = _next(now, card, declared)
        found = tuple(a + b for a, b in zip(gained, _maxn(then, declared), strict=True))
        if best is None or (found[seat], -(sum(found) - found[seat])) > (best[seat], -(sum(best) - best[seat])):
            best = found
    assert best is not None
    return best


def optimal(now: State, declared: Sequence[str], model: str, player: int | None = None) -> list[int]:
    """Every best move of the seat to move; under `maxn`, every one that ties on own score and others' total."""
    seat = to_move(now)
    found = values(now, declared, model, player)
    whose = seat if player is None else player

    def worth(result: object) -> tuple[int, int]:
        if isinstance(result, tuple):
            return result[seat], result[seat] - sum(result)
        assert isinstance(result, int)
        return (result if model == "ally" or whose == seat else -result), 0

    top = max((worth(result) for result in found.values()), default=(0, 0))
    return [card for card, result in found.items() if worth(result) == top]


def declare_values(
    hands: Iterable[Cards],
    leader: int,
    seat: int,
    declared: Sequence[int | None],
    model: str,
    player: int | None = None,
) -> dict[int, object]:
    """What setting each card of `seat` aside before the round is worth, the hands known.

    Seats with None in `declared` still hold the card that they will set aside. The others set theirs aside
    after `seat`, clockwise, knowing everything: against the player, or for him (`ally`). `maxn` needs the
    other three declared.
    """
    whose = seat if player is None else player
    start = tuple(hands)
    found: dict[int, object] = {}
    for card in sorted(start[seat]):
        aside = [card if s == seat else other for s, other in enumerate(declared)]
        left = tuple(hand - {card} if s == seat else hand for s, hand in enumerate(start))
        waiting = [s % 4 for s in range(seat + 1, seat + 4) if aside[s % 4] is None]
        if waiting:
            if model == "maxn":
                raise ValueError("a choice made by several at once has no maxn value")
            replies = [
                reply
                for reply in declare_values(left, leader, waiting[0], aside, model, whose).values()
                if isinstance(reply, int)
            ]
            found[card] = max(replies) if model == "ally" or waiting[0] == whose else min(replies)
        else:
            colours = [DECK[other][0] for other in aside if other is not None]
            found[card] = value(State(left, leader, UP), colours, model, whose)
    return found
