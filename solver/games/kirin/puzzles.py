"""Puzzles of Kirin: endings of rounds, themes of their best cards, and the answers of simple players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel

from solver.answers import Analysis, Answer
from solver.common import in_a_row, mask
from solver.games.kirin.deck import (
    ALL,
    COLOUR_NAMES,
    COLOURS,
    DESCENDING,
    TRUMP,
    colour,
    is_kirin,
    members,
    name,
    rank,
)
from solver.games.kirin.hint import deals_of
from solver.games.kirin.position import Round, number_of
from solver.games.kirin.rules import (
    SEATS,
    State,
    colour_strength,
    direction_after,
    rank_strength,
    score,
)
from solver.language import say, translated
from solver.puzzle_maker import HIDDEN_HAND, VALUE, Candidate, Composer, Theme, Try, found_in, in_all

# ----------------------------------------------------------------------------------------------------
# The symmetries of Kirin's rounds: seats rotated, and the order mirrored.
#
# The mirror exchanges Dragon with Tortoise, Bird with Tiger, 1 with 6, 2 with 5, 3 with 4, the two kirin of a
# colour, and the two directions. Stronger cards stay stronger, so every play keeps its effect. No other exchange
# of colours does that. Cards won earlier add the same to every value, and what others collect does not matter if
# only one seat's score counts: both are left out.


_LAST = len(COLOURS) - 1


def mirrored(card: int) -> int:
    """Return the card that plays this one's role in the other direction."""
    return (7 if is_kirin(card) else 67 if rank(card) == TRUMP else 39) - card


def key(states: Iterable[State], collected: Sequence[int] | None, own: int, player: int) -> str:
    """Return a key that positions share if they differ only by rotating the seats or mirroring the order.

    `states` has one state, or those of all deals of a view. `own` is the colour that the player collects;
    `collected` is the colour of each seat, or None if only the player's score counts.
    """
    states = list(states)
    straight = [_written(state, collected, own, player) for state in states]
    turned = None if collected is None else [_LAST - seat for seat in collected]
    other = [_written(_in_mirror(state), turned, _LAST - own, player) for state in states]
    return min(str(sorted(straight)), str(sorted(other)))


def _in_mirror(state: State) -> State:
    rules = replace(state.rules, direction=DESCENDING - state.rules.direction)
    hands = tuple(sum(1 << mirrored(card) for card in members(hand)) for hand in state.hands)
    return replace(state, rules=rules, hands=hands, trick=tuple(map(mirrored, state.trick)))


def _written(state: State, collected: Sequence[int] | None, own: int, player: int) -> str:
    """Return the state as text, with the seats counted from the leader."""
    seats = [(state.leader + step) % SEATS for step in range(SEATS)]
    colours = [own] if collected is None else [collected[seat] for seat in seats]
    cards = [list(members(state.hands[seat])) for seat in seats]
    return f"{state.rules} {list(state.trick)} {cards} {colours} {(player - state.leader) % SEATS}"


# ----------------------------------------------------------------------------------------------------
# Themes of the best card of a puzzle, found by checking the cards and the best line.


@dataclass(frozen=True)
class Solved:
    """A position, its best card, and the line of best play that begins with it.

    `own` is the colour that the seat to move collects; None if the puzzle asks for the score of another seat,
    which all others try to keep low if `held_down`.
    """

    state: State
    best: int
    line: Sequence[int]
    own: int | None
    held_down: bool

    @property
    def seat(self) -> int:
        return self.state.to_move

    @property
    def trick(self) -> tuple[int, ...]:
        """The current trick, completed with cards of the line; it is shorter if the line ends earlier."""
        return (*self.state.trick, *self.line[: SEATS - len(self.state.trick)])

    @property
    def taker(self) -> int | None:
        """The seat that takes the trick; None if nobody does or the line does not show it."""
        if len(self.trick) < SEATS:
            return None
        turn = self.state.rules.winner(self.trick)
        return None if turn is None else (self.state.leader + turn) % SEATS

    @property
    def sure(self) -> frozenset[int]:
        """The legal cards that take the trick whatever the others play."""
        state, direction = self.state, self.state.rules.direction
        later = [state.hands[(state.leader + step) % SEATS] for step in range(len(state.trick) + 1, SEATS)]

        def takes(card: int) -> bool:
            trick = (*state.trick, card)
            follow = (held for hand in later for held in members(state.rules.playable(hand, trick)))
            others = (*state.trick, *follow)
            return all(_strength(card, direction) > _strength(other, direction) for other in others)

        return frozenset(card for card in state.moves() if not is_kirin(card) and takes(card))


def _strength(card: int, direction: int) -> tuple[int, int]:
    return rank_strength(card, direction), colour_strength(card, direction)


def _ducks(solved: Solved) -> bool:
    """Whether a follower leaves to another seat a trick that a different card would surely take."""
    return bool(solved.state.trick and solved.sure) and solved.taker not in (None, solved.seat)


def _holds_up(solved: Solved) -> bool:
    """Whether a card that would surely take this trick is kept, and takes a later trick on the best line."""
    sure = solved.sure
    if solved.best in sure:
        return False
    state = solved.state
    for card in solved.line:
        after = state.after(card)
        if not after.trick and state is not solved.state:
            trick = (*state.trick, card)
            turn = state.rules.winner(trick)
            if turn is not None and trick[turn] in sure and (state.leader + turn) % SEATS == solved.seat:
                return True
        state = after
    return False


def _flips(solved: Solved) -> bool:
    """Whether the best card is a kirin that reverses the order, which would stay without it."""
    return is_kirin(solved.best) and _turned(solved.trick, solved) and not _turned(_without(solved), solved)


def _keeps_order(solved: Solved) -> bool:
    """Whether the best card is a kirin that keeps the order, which would be reversed without it."""
    return is_kirin(solved.best) and not _turned(solved.trick, solved) and _turned(_without(solved), solved)


def _turned(trick: Sequence[int], solved: Solved) -> bool:
    whole = len(solved.trick) == SEATS
    return whole and direction_after(mask(trick), solved.state.rules.direction) != solved.state.rules.direction


def _without(solved: Solved) -> list[int]:
    return [card for card in solved.trick if card != solved.best]


def _forces(solved: Solved) -> bool:
    """Whether the best card is a lead that restricts which cards at least two other seats may play."""
    state = solved.state
    if state.trick:
        return False
    forced = 0
    for step in range(1, SEATS):
        hand = state.hands[(solved.seat + step) % SEATS]
        forced += state.rules.playable(hand, (solved.best,)) != hand
    return forced >= 2


def _gives_up(solved: Solved) -> bool:
    """Whether the player gives away a card of its own colour although it could play one of another colour."""
    others = [card for card in solved.state.moves() if colour(card) != solved.own]
    lost = solved.taker not in (None, solved.seat)
    return colour(solved.best) == solved.own and bool(others) and lost


def _gathers(solved: Solved) -> bool:
    """Whether the best card takes a trick with two or more cards of the player's colour."""
    gained = sum(colour(card) == solved.own for card in solved.trick)
    return solved.taker == solved.seat and gained >= 2


def _throws_off(solved: Solved) -> bool:
    """Whether the best card goes into another seat's trick and is neither a kirin nor of the player's colour."""
    lost = bool(solved.state.trick) and solved.taker not in (None, solved.seat)
    return lost and not is_kirin(solved.best) and solved.own not in (None, colour(solved.best))


def _leads(solved: Solved, *, strongest: bool) -> bool:
    """Whether the player leads the strongest of several numbers and trumps or, if not `strongest`, the weakest.

    In the order in force, a higher rank is stronger, and of equal ranks the stronger colour.
    """
    direction = solved.state.rules.direction
    ranked = [card for card in solved.state.moves() if not is_kirin(card)]
    if solved.state.trick or is_kirin(solved.best) or len(ranked) < 2:
        return False
    return solved.best == (max if strongest else min)(ranked, key=lambda card: _strength(card, direction))


def _keeps_trump(solved: Solved) -> bool:
    """Whether the best card is not a trump although a trump could be played."""
    return rank(solved.best) != TRUMP and any(rank(card) == TRUMP for card in solved.state.moves())


THEMES: Mapping[str, Theme[Solved]] = {
    "flip the order": _flips,
    "keep the order": _keeps_order,
    "sacrifice": _gives_up,
    "take it later": _holds_up,
    "lose on purpose": _ducks,
    "two at once": _gathers,
    "lead a kirin": lambda solved: is_kirin(solved.best) and not solved.state.trick,
    "throw a kirin": lambda solved: is_kirin(solved.best) and bool(solved.state.trick),
    "force their card": _forces,
    "give up the lead": lambda solved: not solved.state.trick and solved.taker not in (None, solved.seat),
    "keep the trump": _keeps_trump,
    "trump": lambda solved: rank(solved.best) == TRUMP,
    "deny": lambda solved: solved.held_down,
    "what you can spare": _throws_off,
    "take the trick": lambda solved: solved.taker == solved.seat,
    "lead the weakest": partial(_leads, strongest=False),
    "lead the strongest": partial(_leads, strongest=True),
}


_MOST_CARDS = 22  # in the hands of a puzzle with every card known
_MOST_DEALS = 100  # deals of a view that are searched for themes


class KirinComposer(Composer):
    """Makes puzzles from decisions in simulated rounds."""

    themes = THEMES
    variant: ClassVar[str | None] = "declared"
    holds_down = True

    def suits(self, task: str, position: BaseModel) -> bool:
        assert isinstance(position, Round)
        cards = sum(map(len, position.hands))
        return cards > SEATS and (task == HIDDEN_HAND or cards <= _MOST_CARDS)

    def bare(self, position: BaseModel) -> BaseModel:
        return position.model_copy(update={"history": None})

    def symmetry(self, task: str, candidate: Candidate) -> str:
        position, all_score = candidate.position, candidate.model == "maxn"
        assert isinstance(position, Round)
        if position.viewer is None:
            player = position.seat_to_move if candidate.player is None else candidate.player
            colours = position.colours
            alike = key([position.state], colours if all_score else None, colours[player], player)
        elif candidate.model is not None:
            alike = key(deals_of(position).states, None, _own(position), position.seat)
        else:
            return super().symmetry(task, candidate)
        return f"{task} {candidate.model} {alike}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """Whether a puzzle is worth asking.

        The answer to a puzzle about a value must not be just the points already won. A view must leave more than
        one deal possible.
        """
        assert isinstance(candidate.position, Round)
        if candidate.position.viewer is not None and candidate.model is not None:
            return deals_of(candidate.position).total > 1
        if task != VALUE:
            return True
        assert isinstance(answer, Analysis)
        won = candidate.position.points
        return answer.value != (won if candidate.model == "maxn" else won[answer.player or 0])

    def seen(self, position: Any) -> Any:
        """Return what the seat to move sees, and remembers: which cards are gone, but not who played them."""
        if position.choosing:
            return super().seen(position)
        aside = (card for card in position.aside if card is not None)
        there = mask((*position.plays, *aside)) | sum(position.hand_masks) | sum(position.past.won)
        seat = position.seat_to_move
        return Round(
            **position.fields("direction", "leader", "trick"),
            seat=seat,
            hand=position.hands[seat],
            declared=position.declared[seat],
            won=position.won or ((),) * SEATS,
            gone=tuple(map(name, members(ALL & ~there))),
            counts=tuple(map(len, position.hands)),
        )

    def simple(self, position: BaseModel) -> int:
        """Play the strongest card that beats the trick so far.

        If there is none, play the weakest card, preferably not of one's own colour.
        """
        assert isinstance(position, Round)
        strength = partial(_strength, direction=position.past.rules.direction)
        cards: Sequence[int] = self.game.legal_moves(position)
        over = [
            card
            for card in cards
            if not is_kirin(card) and all(strength(card) > strength(lain) for lain in position.plays)
        ]
        if over:
            return max(over, key=strength)
        own = _own(position)
        return min(cards, key=lambda card: (colour(card) == own, strength(card)))

    def final(self, position: BaseModel, player: int) -> int:
        assert isinstance(position, Round)
        return position.points[player]

    def shallow(self, task: str, candidate: Candidate) -> Try:
        """Return the answer of a search of this trick alone: a card or, for the task `VALUE`, the points after it.

        Returns None for a view, and for a value under ``maxn``.
        """
        position = candidate.position
        assert isinstance(position, Round)
        if position.viewer is not None or (task == VALUE and candidate.model == "maxn"):
            return None
        state = position.state
        player = state.to_move if candidate.player is None else candidate.player
        helped = candidate.model == "ally"

        def reached(at: State) -> int:
            if not at.trick:
                return score(at, player, position.colours[player])
            values = [reached(at.after(card)) for card in at.moves()]
            return max(values) if helped or at.to_move == player else min(values)

        if task == VALUE:
            return reached(state)
        sign = 1 if helped or state.to_move == player else -1
        return name(max(state.moves(), key=lambda card: sign * reached(state.after(card))))

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position, card = candidate.position, number_of(best)
        assert isinstance(position, Round)
        if position.viewer is not None:
            return in_all(self._of_deals(position, card))
        own = _own(position) if candidate.asked == candidate.mover else None
        cards = [number_of(text) for text in line] or [card]
        return found_in(THEMES, Solved(position.state, card, cards, own, candidate.held_down))

    def _of_deals(self, view: Round, best: int) -> Iterator[Sequence[str]]:
        """Yield the themes for each way to complete the trick after `best`, in a sample of the view's deals."""
        for state in deals_of(view, _MOST_DEALS).states:
            for line in _completed(state.after(best), (best,)):
                yield found_in(THEMES, Solved(state, best, line, _own(view), held_down=False))

    def note(self, candidate: Candidate) -> str:
        position = candidate.position
        assert isinstance(position, Round)
        seat, turn = position.seat_to_move, len(position.trick)
        who = say("{seat:Who} {seat:follows|follow}", seat=seat)
        if turn in (0, SEATS - 1):
            template = "{seat:Who} {seat:plays|play} last" if turn else "{seat:Who} {seat:leads|lead}"
            who = say(template, seat=seat)
        if candidate.held_down:
            other = translated(COLOUR_NAMES[position.colours[candidate.asked]])
            return say("{who}; all others play against {other:who} ({colour})",
                       who=who, other=candidate.asked, colour=other)  # fmt: skip
        own = translated(COLOUR_NAMES[_own(position)])
        return self.with_model(say("{who}, collecting the {colour}", who=who, colour=own), candidate)

    def because(self, candidate: Candidate, wrong: Sequence[str], right: Sequence[str]) -> str:
        """Say which cards of the asked seat's colour make the difference, who takes them, and why."""
        position, seat = candidate.position, candidate.asked
        assert isinstance(position, Round)
        if position.viewer is not None or position.choosing:
            return ""
        worse, better = (list(_tricks(position.state, map(number_of, line))) for line in (wrong, right))
        won, best_won = (_won(tricks, seat, position.colours[seat]) for tricks in (worse, better))
        lost = won - best_won if candidate.held_down else best_won - won
        return _kept(number_of(wrong[0]), better[1:], lost) or _taken(worse, better, lost, right[0])


class Trick(NamedTuple):
    """A trick of a line of play: who takes it with which card (None if nobody does), its cards, and the order.

    `forced` has the cards in it that were the only legal ones of several in a hand.
    """

    taker: int | None
    card: int | None
    cards: tuple[int, ...]
    forced: frozenset[int]
    direction: int


def _tricks(state: State, line: Iterable[int]) -> Iterator[Trick]:
    """Yield the tricks of a line that are played to their end."""
    forced: set[int] = set()
    for card in line:
        trick = (*state.trick, card)
        if len(state.moves()) == 1 < state.hands[state.to_move].bit_count():
            forced.add(card)
        if len(trick) == SEATS:
            turn, direction = state.rules.winner(trick), state.rules.direction
            taker, best = (None, None) if turn is None else ((state.leader + turn) % SEATS, trick[turn])
            yield Trick(taker, best, trick, frozenset(forced), direction)
            forced = set()
        state = state.after(card)


def _won(tricks: Iterable[Trick], seat: int, own: int) -> set[int]:
    """Return the cards of a colour that a seat takes."""
    return {card for trick in tricks if trick.taker == seat for card in trick.cards if colour(card) == own}


def _kept(card: int, later: Iterable[Trick], lost: set[int]) -> str:
    """Say that a card is better kept, if it takes some of the lost cards in a later trick of the best line."""
    for trick in later:
        if trick.card == card and lost.intersection(trick.cards):
            cards = [name(other) for other in trick.cards if other in lost and other != card]
            if not cards:
                return say("kept, it would take a trick later")
            return say("kept, it would take {cards} later", cards=in_a_row(cards))
    return ""


def _taken(worse: Sequence[Trick], better: Sequence[Trick], lost: set[int], move: str) -> str:
    """Say who takes lost cards in the worse line, in the trick with the most of them, and why not in the best one.

    `move` is the best move.
    """
    there = [trick for trick in worse if lost.intersection(trick.cards)]
    if not there:
        return ""
    trick = max(there, key=lambda trick: len(lost.intersection(trick.cards)))
    gone = [card for card in trick.cards if card in lost]
    cards = in_a_row(list(map(name, gone)))
    if trick.card is None:
        return say("nobody then takes {cards}", cards=cards)
    named: dict[str, Any] = {"seat": trick.taker, "cards": cards, "card": name(trick.card), "move": move}
    taken = say("{seat:who} then {seat:takes|take} {cards} with {card}", **named)
    if gone == [trick.card]:
        taken = say("{seat:who} then {seat:takes|take} a trick with {card}", **named)
    times = [time for time, best in enumerate(better) if not set(gone).isdisjoint(best.cards)]
    best = better[times[0]]
    if len(times) > 1 or best.card is None or best.taker is None:
        return taken
    named |= {"taken": taken, "other": name(best.card), "who": best.taker}
    if best.card in trick.cards and _turned_against(best, trick):
        order = say("descending") if trick.direction == DESCENDING else say("ascending")
        return say("{taken}, which beats {other} because the order is {order}", order=order, **named)
    if any(trick.card in earlier.cards for earlier in better[: min(times[0], worse.index(trick))]):
        return say("{taken}, which is gone by then after {move}", **named)
    if best.card in trick.forced and best.card in gone:
        return say("{who:who} then {who:has|have} to play {other}, and {taken}", **named)
    if named["other"] == move and best.card in gone:
        return say("{taken}; played now, {other} takes this trick", **named)
    if best.card in gone:
        return say("{taken}; after {move}, {other} takes a trick", **named)
    return say("{taken}; with best play, {who:who} {who:takes|take} {cards} with {other}", **named)


def _turned_against(best: Trick, other: Trick) -> bool:
    """Whether the card that takes the best trick loses another one only because the order is not the same."""
    if best.card is None or other.card is None or best.direction == other.direction:
        return False
    return _strength(other.card, best.direction) < _strength(best.card, best.direction)


def _completed(state: State, line: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every way to complete the trick after the cards of a line."""
    if not state.trick:
        yield line
        return
    for card in state.moves():
        yield from _completed(state.after(card), (*line, card))


def _own(position: Round) -> int:
    """Return the colour that the seat to move collects."""
    return position.colours[position.seat_to_move if position.viewer is None else position.viewer]
