"""Random endings of Aqua Regia: puzzles with few metals, cards and players, with themes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from pydantic import BaseModel

from solver.answers import Analysis, Answer
from solver.common import Random, in_a_row
from solver.decks import chosen, deck_of
from solver.games.aqua_regia.deck import FIELDS, KIND, Deck, field_name
from solver.games.aqua_regia.moves import as_aqua
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import (
    MOST_AT_ONCE,
    Move,
    Pass,
    Play,
    State,
    move_of,
    play,
    plays,
    runs,
    text_of,
)
from solver.language import capital, say
from solver.puzzle_maker import BEST_MOVE, HIDDEN_HAND, AnyDeck, Candidate, Composer, Theme, clauses, found_in

# ----------------------------------------------------------------------------------------------------
# The symmetries of Aqua Regia's positions: which are the same puzzle.
#
# Seats may be rotated. Fields may be rotated, and reversed, if the metals in play react alike to the current field
# and those that follow. And metals may be exchanged for others with the same reactivities: what counts is a
# metal's rank among those in play and its reactivity in each field.


def _in_turn(
    deck: Deck, field: int, reversed: bool, metals: list[int]
) -> tuple[list[int], list[list[int]], dict[int, int]]:
    """Return the fields in order from the current one, the metals' reactivities in them, and the metals' ranks.

    The reactivities are a row per metal, capped at 2, since a higher reactivity allows nothing more. A metal's
    rank is its index in `metals`.
    """
    step = -1 if reversed else 1
    fields = [(field + step * ahead) % len(FIELDS) for ahead in range(len(FIELDS))]
    # Playing more than two together needs no more than a reactivity of two.
    rows = [[min(2, deck.reactivity[field][metal]) for field in fields] for metal in metals]
    return fields, rows, {metal: index for index, metal in enumerate(metals)}


def key(deck: Deck, state: State, player: int) -> str:
    """Return a key that settled states share if they differ only in the names of seats, fields and metals.

    `player` is the seat whose win is asked about.
    """
    held = [sum(counts) for counts in zip(*state.hands, state.discard, strict=True)]
    lying = {*state.table, *state.stock}
    metals = [
        metal
        for metal in range(deck.size)
        if (held[metal] or metal in lying) and state.discard[metal] < deck.copies
    ]
    _, rows, number = _in_turn(deck, state.field, state.reversed, metals)
    seats = [(state.turn + ahead) % state.seats for ahead in range(state.seats)]
    hands = [[state.hands[seat][metal] for metal in metals] for seat in seats]
    owner = None if state.owner is None else seats.index(state.owner)
    piles = [[number[metal] for metal in cards] for cards in (state.table, state.stock)]
    discard = [state.discard[metal] for metal in metals]
    return f"{deck.copies} {rows} {hands} {piles} {discard} {owner} {seats.index(player)}"


def key_of_view(view: Round) -> str:
    """Return a key like `key` for a view without a history.

    Metals that are completely in the discard pile can't be taken, so they are left out.
    """
    deck = view.metals
    metals = [metal for metal in range(deck.size) if view.pile[metal] < deck.copies]
    fields, rows, number = _in_turn(deck, view.field_number, view.reversed, metals)
    seats = [(view.seat + ahead) % view.players for ahead in range(view.players)]
    own = deck.counts(deck.numbers(view.hand))
    hands = [own if seat == view.seat else view.known_counts(seat) for seat in seats]
    held = [[hand[metal] for metal in metals] for hand in hands]
    counts = [view.counts[seat] for seat in seats]
    passed = sorted(
        (seats.index(row.seat), fields.index(FIELDS.index(row.field)), row.max_playable)
        for row in view.deal_passes or ()
    )
    table = [number[metal] for metal in deck.numbers(view.table)]
    owner = None if view.owner is None else seats.index(view.owner)
    pile, drawn = (
        [view.pile[metal] for metal in metals],
        None if view.drawn is None else number[deck.index[view.drawn]],
    )
    return f"{deck.copies} {rows} {held} {counts} {passed} {table} {owner} {pile} {drawn} {view.stock_count}"


# ----------------------------------------------------------------------------------------------------
# Themes of the best move of a puzzle, each found by checking the cards.


@dataclass(frozen=True)
class Solved:
    """A settled state and its best move. Of a view, hidden cards are placeholders (`Round.state_as_written`).

    `line` is best play that begins with it, as far as it is known, and `held_down` is True if the aim is to keep
    another seat from going out.
    """

    deck: Deck
    state: State
    best: Move
    line: Sequence[Move]
    held_down: bool

    @property
    def plays(self) -> list[Play]:
        """The plays that the seat to move can make."""
        state = self.state
        top = state.top
        return plays(self.deck, state.hands[state.turn], state.field, top)


def _precipitates(solved: Solved) -> bool:
    return isinstance(solved.best, Pass) and solved.best.discarded is not None


def _holds_back(solved: Solved) -> bool:
    """Whether the best move is a pass although a play is possible."""
    return isinstance(solved.best, Pass) and bool(solved.plays)


def _lets_go(solved: Solved) -> bool:
    """Whether the best move is the last pass of a trick, which ends the trick and changes the field."""
    state = solved.state
    return isinstance(solved.best, Pass) and (state.turn + 1) % state.seats == state.owner


def _splits(solved: Solved) -> bool:
    """Whether the best move plays fewer cards of a metal than possible."""
    best = solved.best
    return isinstance(best, Play) and any(
        play.metal == best.metal and play.count > best.count for play in solved.plays
    )


def _keeps_together(solved: Solved) -> bool:
    """Whether two or more cards that could have been split are kept, and played at once later in the best line."""
    state = solved.state
    seat, hand = state.turn, state.hands[state.turn]
    split = {other.metal for other in solved.plays if other.count < hand[other.metal]}
    kept = split - {getattr(solved.best, "metal", None)}
    for move in solved.line:
        if state.turn == seat and isinstance(move, Play) and move.metal in kept and move.count > 1:
            return True
        state = play(solved.deck, state, move)
    return False


def _picks(solved: Solved, *, led: bool, weakest: bool) -> bool:
    """Whether the best move plays the weakest metal that can be played or, if not `weakest`, another one.

    At least two metals must be playable. With `led`, the move must be a lead, otherwise a play on other cards.
    """
    metals = {play.metal for play in solved.plays}
    best = solved.best
    if not isinstance(best, Play) or bool(solved.state.table) is led or len(metals) < 2:
        return False
    return (best.metal == min(metals)) is weakest


def _four(move: Move) -> bool:
    return isinstance(move, Play) and move.count == MOST_AT_ONCE


def _one_more(solved: Solved) -> bool:
    """Whether the best move follows with one card more than the play on top."""
    best, table = solved.best, solved.state.table
    return isinstance(best, Play) and bool(table) and best.count > runs(table)[-1].count


def _at_once(solved: Solved) -> bool:
    """Whether the best move plays several cards, as many of the metal as possible."""
    best = solved.best
    return isinstance(best, Play) and best.count > 1 and not _splits(solved)


THEMES: Mapping[str, Theme[Solved]] = {
    "reverse change": lambda solved: _four(solved.best),
    "no reverse change": lambda solved: not _four(solved.best) and any(map(_four, solved.plays)),
    "precipitate": _precipitates,
    "let the field change": _lets_go,
    "hold back": _holds_back,
    "break a set": _splits,
    "keep a pair": _keeps_together,
    "one more": _one_more,
    "skip ahead": partial(_picks, led=False, weakest=False),
    "keep the lowest": partial(_picks, led=True, weakest=False),
    "deny": lambda solved: solved.held_down,
    "several at once": _at_once,
    "lead low": partial(_picks, led=True, weakest=True),
    "just enough": partial(_picks, led=False, weakest=True),
    "nothing to play": lambda solved: bool(solved.state.table) and not solved.plays,
}


_ENDINGS = 12  # per deal
_MOVES = 5  # random moves from an ending to a candidate, at most
_CARDS = 13  # of all hands together, at most


class AquaComposer(Composer):
    """Makes puzzles from random endings. Hands may be open or hidden; a sure win can be proved in both cases."""

    tasks = (BEST_MOVE, HIDDEN_HAND)  # a value would be a yes or no
    themes = THEMES
    holds_down = True

    def candidates(
        self, task: str, model: str | None, random: Random, *, seed: int, number: int, deck: AnyDeck = None
    ) -> Iterable[Candidate]:
        return self._endings(task, "paranoid" if task == HIDDEN_HAND else model, random, deck)

    def _endings(self, task: str, model: str | None, random: Random, named: AnyDeck) -> Iterator[Candidate]:
        for _ in range(_ENDINGS):
            position = self._ending(random, named, all_told=task == HIDDEN_HAND)
            for _ in range(random.below(_MOVES + 1)):
                moves = self.game.legal_moves(position)
                after = as_aqua(self.game.play(position, moves[random.below(len(moves))]))
                if after.state.winner is not None:
                    break
                position = after
            if len(self.game.legal_moves(position)) > 1:
                yield self.candidate(task, model, random, position)

    def _ending(self, random: Random, named: AnyDeck, *, all_told: bool) -> Round:
        """Make a random ending of a few metals.

        With `all_told`, all cards outside the hands and the stock are in the discard pile.
        """
        deck = deck_of(KIND, chosen(KIND, named))
        metals = list(range(deck.size))
        random.shuffle(metals)
        many = 2 + random.below(3) if all_told else 4 + random.below(5)
        cards = deck.symbols(metal for metal in metals[:many] for _ in range(deck.copies))
        random.shuffle(cards)
        players = (2, 2, 3, 3, 4)[random.below(5)]
        most = len(cards) - 1 if all_told else _CARDS
        sizes = [1 + random.below(most // players) for _ in range(players)]
        stock, discard = random.below(4), random.below(5)
        parts = []
        for size in (*sizes, stock, discard):
            parts.append(cards[:size])
            cards = cards[size:]
        if all_told:
            parts[-1] += [*cards, *deck.symbols(metal for metal in metals[many:] for _ in range(deck.copies))]
        fields: dict[str, Any] = {
            "game": self.game.name,
            "field": FIELDS[random.below(len(FIELDS))],
            "reversed": not random.below(3),
            "turn": 0,
            "hands": parts[:players],
            "stock": parts[players],
            "discard": parts[players + 1],
        }
        if named is not None:
            fields["deck"] = named
        return Round.model_validate(fields)

    def bare(self, position: BaseModel) -> BaseModel:
        """Return the position without past observations, and with the deal passed on to a seat that can lead."""
        state = as_aqua(position).state
        settled = {"turn": state.turn, "field": FIELDS[state.field]}
        return position.model_copy(update=settled | {"history": None, "known": None, "deal_passes": None})

    def candidate(self, task: str, model: str | None, random: Random, position: BaseModel) -> Candidate:
        """Make a candidate from the position without its past observations (see `bare`)."""
        return super().candidate(task, model, random, self.bare(position))

    def caption(self, task: str, candidate: Candidate) -> Sequence[str]:
        """Name the field, the cards to beat and the player's hand."""
        position: Any = candidate.position
        hand = position.hands[position.seat_to_move] if position.hands else position.hand
        return (capital(position.field.replace("-", " ")), " ".join(position.table or ()), " ".join(hand))

    def symmetry(self, task: str, candidate: Candidate) -> str:
        position = as_aqua(candidate.position)
        if position.viewer is None:
            state = position.state
            player = state.turn if candidate.player is None else candidate.player
            alike = key(position.metals, state, player)
        elif position.history is None:
            alike = key_of_view(position)
        else:
            return super().symmetry(task, candidate)
        return f"{task} {candidate.model} {position.rules} {alike}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """Whether a puzzle is hard enough.

        The win must take more than one move. With hidden hands, it must be certain, and the hand must have several
        metals.
        """
        view = as_aqua(candidate.position)
        if view.viewer is not None:
            return len(set(view.hand)) > 1 and isinstance(answer, Analysis) and answer.value == 1
        return self.steps(task, candidate, answer) > 1

    def simple(self, position: BaseModel) -> Move:
        """Lead as many cards as possible, follow with the weakest play, and take the strongest card in a pass."""
        now = as_aqua(position)
        moves: Sequence[Move] = self.game.legal_moves(position)
        led = not now.table

        def worse(move: Move) -> tuple[int, ...]:
            if isinstance(move, Play):
                return (0, -move.count, move.metal) if led else (0, move.metal, move.count)
            return 1, -(move.taken or 0), move.discarded or 0

        return min(moves, key=worse)

    def final(self, position: BaseModel, player: int) -> int:
        return int(as_aqua(position).state.winner == player)

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position = as_aqua(candidate.position)
        deck, move = position.metals, self.game.parse_move(position, best)
        moves = [move_of(deck, text) for text in line]
        return found_in(THEMES, Solved(deck, position.state, move, moves, candidate.held_down))

    def note(self, candidate: Candidate) -> str:
        position = as_aqua(candidate.position)
        seat = position.seat_to_move
        field = field_name(FIELDS[position.state.field])
        who = say("{seat:Who} {seat:leads|lead} in {field}", seat=seat, field=field)
        if position.table:
            who = say("{seat:Who} {seat:is|are} to follow in {field}", seat=seat, field=field)
        if candidate.held_down:
            return say("{who}, and all keep {other:who} from going out", who=who, other=candidate.asked)
        return self.with_model(who, candidate)

    def because(self, candidate: Candidate, wrong: Sequence[str], right: Sequence[str]) -> str:
        """Say what becomes of the trick after the wrong move, who goes out first, and what is left to whom."""
        if self.game.is_view(candidate.position):
            return ""
        position, seat = as_aqua(candidate.position), candidate.asked
        deck, start = position.metals, position.state
        moves = [move_of(deck, text) for text in wrong]
        worse = _line(deck, start, moves)
        states, end = worse.states, worse.states[-1]
        if end.winner is None:
            return ""
        best = [move_of(deck, text) for text in right]
        better = _line(deck, start, best)
        first = (
            _followed(deck, states, moves, best[0])
            or _parted(deck, states, moves, best)
            or _blocked(deck, worse, better, seat, end.winner)
            or _stuck(worse)
            or _exchanged(deck, moves[0], better, worse)
            or _trick_taken(worse, better)
        )
        named: dict[str, Any] = {"seat": end.winner, "cards": text_of(deck, moves[-1])}
        out = say("{seat:who} {seat:goes|go} out first with {cards}", **named)
        picked = _picked_up(states, moves, end.winner)
        if picked is not None:
            out = say("{seat:who} {seat:picks|pick} up {metal} and {seat:goes|go} out first with {cards}",
                      metal=deck.symbols([picked])[0], **named)  # fmt: skip
        left = deck.symbols(metal for metal, count in enumerate(end.hands[seat]) for _ in range(count))
        still = say("{seat:who} still {seat:holds|hold} {cards}", seat=seat, cards=in_a_row(left)) if left else ""
        return clauses(first, out, still)


class Line(NamedTuple):
    """Moves of a line of play, and the states before each and after the last one."""

    states: Sequence[State]
    moves: Sequence[Move]

    def laid(self, seat: int) -> Mapping[tuple[int, Play], Play]:
        """Return what a seat first plays on which play of others, in which field."""
        found = dict[tuple[int, Play], Play]()
        for state, move in zip(self.states, self.moves, strict=False):
            if state.turn == seat and state.top is not None and isinstance(move, Play):
                found.setdefault((state.field, state.top), move)
        return found

    def unable(self, deck: Deck, seat: int) -> list[tuple[int, Play]]:
        """Return on which plays of others, in which field, a seat has to pass."""
        return [
            (state.field, state.top)
            for state in self.states
            if state.turn == seat and state.top is not None and state.winner is None
            if not plays(deck, state.hands[seat], state.field, state.top)
        ]

    def first_taken(self) -> tuple[int, State] | None:
        """Return who takes the first trick that ends, and the state after it."""
        for state, move, after in zip(self.states, self.moves, self.states[1:], strict=False):
            if isinstance(move, Pass) and state.owner is not None and state.table and not after.table:
                return state.owner, after
        return None


def _line(deck: Deck, start: State, moves: Sequence[Move]) -> Line:
    states = [start]
    for move in moves:
        states.append(play(deck, states[-1], move))
    return Line(states, moves)


def _blocked(deck: Deck, wrong: Line, best: Line, asked: int, winner: int) -> str:
    """Say who has to pass on a play in one of the lines: the player after the wrong move, or else the winner."""
    can, must = best.laid(asked), wrong.unable(deck, asked)
    for field, top in must if asked != winner else ():
        if (field, top) in can and (field, top) not in wrong.laid(asked):
            return say("{seat:who} then {seat:has|have} nothing to play on {top}, on which best play lays {cards}",
                       seat=asked, top=text_of(deck, top), cards=text_of(deck, can[field, top]))  # fmt: skip
    can, must = wrong.laid(winner), best.unable(deck, winner)
    for (field, top), move in can.items():
        if (field, top) in must and (field, top) not in best.laid(winner):
            return say("{seat:who} {seat:lays|lay} {cards} on {top}, with nothing to play on it in best play",
                       seat=winner, top=text_of(deck, top), cards=text_of(deck, move))  # fmt: skip
    return ""


def _exchanged(deck: Deck, rival: Move, best: Line, wrong: Line) -> str:
    """Say which card a wrong move spends at once, lets go or leaves, which its player plays in the best line."""
    seat = best.states[0].turn
    own, others = (
        [move for state, move in zip(line.states, line.moves, strict=False) if state.turn == seat]
        for line in (best, wrong)
    )
    played = [move for move in own if isinstance(move, Play)]
    if isinstance(rival, Play):
        alone = [move.count for move in played if move.metal == rival.metal]
        if rival.count > 1 and len(alone) > 1 and max(alone) < rival.count:
            return say("it plays {cards} at once, which best play parts", cards=text_of(deck, rival))
        return ""
    metals, first = {move.metal for move in played}, own[0]
    taken = first.taken if isinstance(first, Pass) else None
    if rival.discarded in metals and getattr(first, "discarded", None) != rival.discarded:
        return say("it lets go of {metal}, which best play plays", metal=deck.symbols([rival.discarded])[0])
    if taken in metals and taken not in {getattr(move, "metal", None) for move in others}:
        return say("it leaves {metal}, which best play picks up and plays", metal=deck.symbols([taken])[0])
    return ""


def _followed(deck: Deck, states: Sequence[State], moves: Sequence[Move], best: Move) -> str:
    """Say who follows a wrong play and, with the same hand, could not follow the best one."""
    rival, start = moves[0], states[0]
    if not isinstance(rival, Play) or not isinstance(best, Play):
        return ""
    for state, move in zip(states[1:], moves[1:], strict=False):
        if isinstance(move, Play):
            seat, hand = state.turn, start.hands[state.turn]
            can = seat != start.turn and state.table and move in plays(deck, hand, start.field, rival)
            if can and not plays(deck, hand, start.field, best):
                return say("{seat:who} can follow it with {cards}, but can't follow {move}",
                           seat=seat, cards=text_of(deck, move), move=text_of(deck, best))  # fmt: skip
            break
    return ""


def _parted(deck: Deck, states: Sequence[State], moves: Sequence[Move], best: Sequence[Move]) -> str:
    """Say that the seat to move parts cards of a metal, or has to, that it plays at once in the best line."""
    start, now, together = states[0], states[0], dict[int, Play]()
    for move in best:
        if now.turn == start.turn and isinstance(move, Play) and move.count > 1:
            together[move.metal] = move
        now = play(deck, now, move)
    for time, (state, move) in enumerate(zip(states, moves, strict=False)):
        if state.turn != start.turn or not isinstance(move, Play) or move.metal not in together:
            continue
        whole = together[move.metal]
        if not move.count < whole.count <= state.hands[state.turn][move.metal]:
            continue
        named: dict[str, Any] = {"seat": state.turn, "cards": text_of(deck, whole), "card": text_of(deck, move)}
        if not time:
            return say("it parts {cards}, which go at once in best play", **named)
        if whole not in plays(deck, state.hands[state.turn], state.field, state.top):
            return say("{seat:who} then {seat:has|have} to play {card}, not {cards} at once", **named)
    return ""


def _stuck(wrong: Line) -> str:
    """Say who takes the trick that a wrong move is part of, if they can't lead the next one."""
    owner, after = wrong.first_taken() or (None, wrong.states[0])
    if owner is None or after.turn == owner:
        return ""
    return say("{seat:who} {seat:takes|take} the trick, but can't lead in {field}",
               seat=owner, field=field_name(FIELDS[after.field]))  # fmt: skip


def _trick_taken(wrong: Line, best: Line) -> str:
    """Say who takes the trick that a wrong move is part of; who else in the best line, or which field follows."""
    found, usual = wrong.first_taken(), best.first_taken()
    if found is None:
        return ""
    owner, after = found
    if usual is not None and usual[0] != owner:
        return say("{seat:who} {seat:takes|take} the trick, not {other:who} as in best play",
                   seat=owner, other=usual[0])  # fmt: skip
    return say("{seat:who} {seat:takes|take} the trick, {field} follows",
               seat=owner, field=field_name(FIELDS[after.field]))  # fmt: skip


def _picked_up(states: Sequence[State], moves: Sequence[Move], seat: int) -> int | None:
    """Return the metal of the wrong move, if a seat takes it from the discard pile and plays it; else None."""
    rival = moves[0]
    metal = rival.metal if isinstance(rival, Play) else rival.discarded
    own = [move for state, move in zip(states, moves, strict=False) if state.turn == seat]
    taken = [index for index, move in enumerate(own) if isinstance(move, Pass) and move.taken == metal is not None]
    played = any(isinstance(move, Play) and move.metal == metal for move in own[taken[0] :]) if taken else False
    return metal if played else None
