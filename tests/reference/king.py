"""The game King × Alchemy Research Institute, slow and obvious: what the fast solver is checked against.

Written from the rules alone. It shares with the solver nothing but the numbering of the cards: a card is its
index in the deck file's order.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

from tests.reference.king_deck import DANCER, HOUSE, SUITS, TRUMP, Deck, deck_of, index, played_by

Cards = frozenset[int]
Scores = tuple[int, ...]
Value = int | Scores


class Played(NamedTuple):
    """A card in the trick; the suit that a Dancer was named."""

    card: int
    named: str | None = None


class Take(NamedTuple):
    """What the winner takes besides the own card, and what goes to the bottom."""

    taken: tuple[int, ...]
    given: int | None = None


Move = Played | Take


class State(NamedTuple):
    """All cards known. A full trick waits for its winner to take; `won` are the piles by seat."""

    hands: tuple[Cards, ...]
    leader: int
    trick: tuple[Played, ...]
    won: tuple[Cards, ...]


def load(position: Mapping[str, Any]) -> tuple[Deck, State]:
    """The state of a position in its public form."""
    deck = HOUSE if position["deck"] == "house" else deck_of(position["deck"])
    deck = played_by(deck, [name for name, on in position.get("rules", {}).items() if on])

    def piles(lists: list[list[str]]) -> tuple[Cards, ...]:
        return tuple(frozenset(index(deck, code) for code in codes) for codes in lists)

    def played(text: str) -> Played:
        code, _, named = text.partition(":")
        return Played(index(deck, code), named or None)

    hands = piles(position["hands"])
    won = piles(position.get("won") or [[]] * len(hands))
    return deck, State(hands, position["leader"], tuple(map(played, position["trick"])), won)


def text(deck: Deck, move: Move) -> str:
    if isinstance(move, Played):
        return deck[move.card].code + (f":{move.named}" if move.named else "")
    taken = " ".join(deck[card].code for card in move.taken) or "-"
    return f"take {taken}" + ("" if move.given is None else f" give {deck[move.given].code}")


def over(now: State) -> bool:
    return not any(now.hands) and not now.trick


def lead_suit(deck: Deck, trick: tuple[Played, ...]) -> str:
    return suit_of(deck, trick[0])


def suit_of(deck: Deck, played: Played) -> str:
    """A letter or TRUMP; a Dancer is of the suit it was named."""
    return played.named or deck[played.card].suit


def winner(deck: Deck, trick: tuple[Played, ...]) -> Played:
    """The card that wins the full trick."""
    trumps = [played for played in trick if deck[played.card].suit == TRUMP]
    dancers = [played for played in trick if deck[played.card].suit == DANCER]
    if dancers and any(lifts(deck, trick, trump) for trump in trumps):
        return dancers[0]
    return max(trumps or of_lead(deck, trick), key=lambda played: strength(deck, played))


def lifts(deck: Deck, trick: tuple[Played, ...], trump: Played) -> bool:
    """Whether a trump lifts the Dancer in the same trick: any does, or by the option one that was there before."""
    places = {deck[played.card].suit: place for place, played in enumerate(trick)}
    return "late_trump_does_not_lift" not in deck.rules or trick.index(trump) < places[DANCER]


def of_lead(deck: Deck, trick: tuple[Played, ...]) -> list[Played]:
    return [played for played in trick if suit_of(deck, played) == lead_suit(deck, trick)]


def strength(deck: Deck, played: Played) -> tuple[int, bool]:
    """Among cards of one suit: by number; on equal numbers the Dancer is below the printed card."""
    return deck[played.card].number, deck[played.card].suit != DANCER


def bottom(deck: Deck, trick: tuple[Played, ...]) -> Played | None:
    """The lowest card of the lead suit, unless it won. A Dancer that a trump made the winner is none of them."""
    best = winner(deck, trick)
    lifted = deck[best.card].suit == DANCER and any(deck[played.card].suit == TRUMP for played in trick)
    trumped = lifted or deck[best.card].suit == TRUMP
    if trumped and "no_bottom_when_trumped" in deck.rules:
        followers = [played for played in of_lead(deck, trick)[1:] if not (lifted and played == best)]
        if not followers:
            return None
    candidates = [played for played in of_lead(deck, trick) if not (lifted and played == best)]
    lowest = min(candidates, key=lambda played: strength(deck, played), default=None)
    return None if lowest == best else lowest


def seat_of(now: State, played: Played) -> int:
    return (now.leader + now.trick.index(played)) % len(now.hands)


def to_move(deck: Deck, now: State) -> int:
    if len(now.trick) == len(now.hands):
        return seat_of(now, winner(deck, now.trick))
    return (now.leader + len(now.trick)) % len(now.hands)


def namings(deck: Deck, card: int) -> list[Played]:
    return [Played(card, suit) for suit in SUITS] if deck[card].suit == DANCER else [Played(card)]


def legal(deck: Deck, now: State) -> list[Move]:
    """The legal moves in canonical order."""
    if over(now):
        return []
    if len(now.trick) == len(now.hands):
        return list(takings(deck, now.trick))
    hand = sorted(now.hands[to_move(deck, now)])
    everything = [played for card in hand for played in namings(deck, card)]
    if not now.trick:
        return list(everything)
    lead = lead_suit(deck, now.trick)
    if lead == TRUMP or not any(deck[card].suit == lead for card in hand):
        return list(everything)
    return [played for played in everything if suit_of(deck, played) in (lead, TRUMP)]


def takings(deck: Deck, trick: tuple[Played, ...]) -> list[Take]:
    best, low = winner(deck, trick), bottom(deck, trick)
    others = sorted(played.card for played in trick if played != best)
    lower = [card for card in others if deck[card].number < deck[best.card].number]
    found = []
    for taken in combinations(lower, min(2, len(lower))):
        left = [card for card in others if card not in taken]
        if low is not None and left:
            found += [Take(taken, given) for given in left]
        else:
            found.append(Take(taken))
    return found


def _add(piles: tuple[Cards, ...], seat: int, *cards: int) -> tuple[Cards, ...]:
    return tuple(pile | set(cards) if s == seat else pile for s, pile in enumerate(piles))


def play(deck: Deck, now: State, move: Move) -> State:
    if move not in legal(deck, now):
        raise ValueError(f"{text(deck, move)} is not legal")
    return after(deck, now, move)


def after(deck: Deck, now: State, move: Move) -> State:
    """The state after a legal move."""
    seat = to_move(deck, now)
    if isinstance(move, Played):
        hands = tuple(hand - {move.card} if s == seat else hand for s, hand in enumerate(now.hands))
        return now._replace(hands=hands, trick=(*now.trick, move))
    won = _add(now.won, seat, winner(deck, now.trick).card, *move.taken)
    low = bottom(deck, now.trick)
    if low is not None and move.given is not None:
        won = _add(won, seat_of(now, low), move.given)
    return State(now.hands, seat, (), won)


def count_lines(deck: Deck, now: State, plies: int) -> int:
    """In how many ways the next `plies` moves, cards and takings, can be made."""
    if plies == 0 or over(now):
        return 1
    return sum(count_lines(deck, play(deck, now, move), plies - 1) for move in legal(deck, now))


def bonus(deck: Deck, pile: Cards) -> int:
    """The most that the recipes of the pile can bring: each carrier tried with every choice of ingredients from
    the cards that serve nowhere else, and left alone."""
    known: dict[tuple[int, Cards], int] = {}
    carriers = [card for card in sorted(pile) if deck[card].needs]

    def best(step: int, free: Cards) -> int:
        if step == len(carriers):
            return 0
        if (step, free) not in known:
            card = carriers[step]
            found = [best(step + 1, free)]
            if card in free:
                supply = [
                    [other for other in free - {card} if deck[other].provides == need] for need in deck[card].needs
                ]
                chosen = [cards for cards in product(*supply) if len(set(cards)) == len(cards)]
                found += [deck[card].bonus + best(step + 1, free - {card, *cards}) for cards in chosen]
            known[step, free] = max(found)
        return known[step, free]

    return best(0, pile)


def points(deck: Deck, pile: Cards) -> int:
    return sum(deck[card].vp for card in pile)


def scores(deck: Deck, now: State) -> Scores:
    """The points of each pile as it lies, compounding included."""
    return tuple(score(deck, pile) for pile in now.won)


def score(deck: Deck, pile: Cards) -> int:
    return points(deck, pile) + bonus(deck, pile)


def values(deck: Deck, now: State, model: str, player: int | None = None) -> dict[Move, Value]:
    """What each legal move is worth, in canonical order: the player's score, or in `maxn` everybody's.

    Scores are of the whole round, with what is in `won` already. `player` defaults to the seat to move.
    """
    search = _search(deck, now, model, _whose(deck, now, player))
    return {move: search.value(after(deck, now, move)) for move in legal(deck, now)}


def value(deck: Deck, now: State, model: str, player: int | None = None) -> Value:
    """What the position is worth; as in `values`."""
    return _search(deck, now, model, _whose(deck, now, player)).value(now)


def _whose(deck: Deck, now: State, player: int | None) -> int:
    if player is not None:
        return player
    return now.leader if over(now) else to_move(deck, now)


@lru_cache(maxsize=1)
def _search(deck: Deck, _now: State, model: str, player: int) -> _Search:
    """One search for all that is asked about a position."""
    return _Search(deck, model, player)


class _Search:
    """Every line to its end, each state once."""

    def __init__(self, deck: Deck, model: str, player: int) -> None:
        self.deck, self.model, self.player = deck, model, player
        self.known: dict[State, Value] = {}

    def value(self, now: State) -> Value:
        if self.model != "maxn":  # the piles of the others change nothing
            won = tuple(pile if seat == self.player else frozenset() for seat, pile in enumerate(now.won))
            now = now._replace(won=won)
        if now not in self.known:
            self.known[now] = self._worked_out(now)
        return self.known[now]

    def _worked_out(self, now: State) -> Value:
        if over(now):
            return scores(self.deck, now) if self.model == "maxn" else score(self.deck, now.won[self.player])
        seat = to_move(self.deck, now)
        found = [self.value(after(self.deck, now, move)) for move in legal(self.deck, now)]
        # max gives the first in canonical order of those that tie
        return max(found, key=lambda worth: preference(worth, seat, self.model, self.player))


def preference(worth: Value, seat: int, model: str, player: int) -> tuple[int, int]:
    """The more `seat` wants this, the greater. Under `maxn`: own score, then the lowest total of the others."""
    if isinstance(worth, tuple):
        return worth[seat], worth[seat] - sum(worth)
    return (worth if model == "ally" or seat == player else -worth), 0


def optimal(deck: Deck, now: State, model: str, player: int | None = None) -> list[Move]:
    """Every best move of the seat to move."""
    seat, whose = to_move(deck, now), _whose(deck, now, player)
    wanted = {
        move: preference(worth, seat, model, whose) for move, worth in values(deck, now, model, player).items()
    }
    return [move for move in wanted if wanted[move] == max(wanted.values())]
