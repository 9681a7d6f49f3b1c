"""King × Alchemy in the arena: whole rounds, from the pick of the first card to the compounding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel

from benchmarks.players import Contest, OpenSpielGame
from solver import registry
from solver.common import Random, mask, members
from solver.games.king import rules
from solver.games.king.analyze import analyze
from solver.games.king.deck import CARDS, DANCER, SUITS, Deck, house
from solver.games.king.hint import SAMPLERS, Rounds
from solver.games.king.moves import legal_moves
from solver.games.king.players import AHEAD, ALL_PLAYS, KINDS, PLAY_WEIGHTS, THRIFTY, TRAINED, Plays, chances
from solver.games.king.position import KnownPosition, PickPosition, PickView, View
from solver.games.king.rules import Move, Play, State, Taking
from solver.games.king.search import score_bounds
from solver.games.king.worlds import Deals, deals
from solver.hints.network import NOTHING
from solver.hints.policy import draw
from solver.hints.sampled import Sampler
from solver.kernels.rng import start as start_stream
from solver.limits import Control, Limit

_SCALE = 4.0  # points to a unit of the bots' returns: their exploration is made for scores a few units apart
_SURELY = 1e6  # times what plays are worth, the one that is worth most is always drawn


class Flat(Rounds):
    """Flat Monte Carlo: uniformly drawn deals, in which all seats, including the player's own, continue as the
    thrifty player.

    Each then makes the play that is worth most to it.
    """

    def __init__(self, dealt: Deals, made: Sequence[Move], seed: int) -> None:
        super().__init__(dealt, made, seed, infer=False, expected=np.eye(KINDS)[THRIFTY])
        question, current, evidence = self._arguments
        thrifty = ALL_PLAYS.weights[THRIFTY * PLAY_WEIGHTS : (THRIFTY + 1) * PLAY_WEIGHTS]
        play = Plays(_SURELY * np.tile(thrifty, KINDS), NOTHING)
        self._arguments = question, current._replace(play=play), evidence


def as_it_lies(position: KnownPosition | PickPosition, view: View | PickView) -> Deals:
    """The actual deal of a position, as the only deal of a view."""
    found, index = deals(view), view.full_deck.index
    owner: dict[int, int] = {}
    for group in range(view.players - 1):
        seat = (view.seat + 1 + group) % view.players
        held = position.hands[seat]
        if isinstance(position, PickPosition):
            held += position.picked[seat]  # which nobody else has seen yet
        owner.update({index[code]: group for code in held})
    return Deals(found.cards, tuple(1 << owner[card] for card in found.cards), found.sizes, view)


def sighted(position: KnownPosition | PickPosition, view: View | PickView, limit: Limit, seed: int) -> Move:
    """The move of a seat that sees the position, but not the others' future picks.

    It follows a hint whose worlds are all the actual deal.
    """
    legal = legal_moves(view)
    if len(legal) == 1:
        return legal[0]

    def rollouts(view: View | PickView, made: Sequence[Move], seed: int) -> Rounds:
        return Rounds(as_it_lies(position, view), made, seed)

    sampler = replace(SAMPLERS["equal"], rollouts=rollouts, ending=None, because=None)
    found = sampler.hint(view, Control(limit), seed=seed)
    return next(move for move in legal if sampler.text(view, move) == found.best)


class KingContest(Contest):
    """`benchmarks.players.Contest` for King × Alchemy."""

    game = registry.game("king")
    sampled: ClassVar[Mapping[str, Sampler[Any, Any]]] = {
        "club": SAMPLERS["club"],
        "flat": replace(SAMPLERS["equal"], rollouts=lambda view, made, seed: Flat(deals(view), made, seed)),
    }
    searched: ClassVar[Mapping[str, Callable[[Any, Limit, int], Any]]] = {
        "first": lambda view, _limit, _seed: first(view),
    }
    sighted: ClassVar[Mapping[str, Callable[[Any, Any, Limit, int], Any]]] = {"sighted": sighted}

    def __init__(self, players: int = 4) -> None:
        self.seats = players

    def deal(self, seed: int, number: int) -> BaseModel:
        return self.game.deal(seed, number=number, players=self.seats, variant="unpicked")

    def to_move(self, position: BaseModel) -> int | None:
        assert isinstance(position, PickPosition | KnownPosition)
        over = isinstance(position, KnownPosition) and position.state.over
        return None if over else position.seat_to_move

    def scores(self, position: BaseModel) -> Sequence[float]:
        assert isinstance(position, KnownPosition)
        return [float(score_bounds(position.full_deck, pile)[0]) for pile in position.piles]

    def simple(self, kind: str, view: BaseModel, random: Random) -> Move:
        assert isinstance(view, View | PickView)
        if kind == "greedy":
            return greedy(view)
        return learned(view, random, THRIFTY if kind == "thrifty" else TRAINED)

    def worlds(self, view: BaseModel, seed: int) -> Callable[[], BaseModel]:
        assert isinstance(view, View | PickView)
        found = deals(view)
        numbers = iter(range(1 << 60))
        return lambda: found.position(found.drawn(seed, next(numbers)))

    def state(self, position: BaseModel) -> KingState:
        assert isinstance(position, PickPosition | KnownPosition)
        if isinstance(position, KnownPosition):
            state = position.state
            return KingState(state, state.to_move, (1,) * state.players)
        picked = tuple(mask(position.full_deck.index[code] for code in pile) for pile in position.picked)
        state = State(position.full_deck, position.masks, position.leader, (), picked)
        return KingState(state, position.seat, picked)

    def move_of(self, action: int) -> Move:
        return _move(house(), action)

    def double_dummy(self, position: BaseModel, moves: Sequence[Any], control: Control) -> Sequence[float] | None:
        if not isinstance(position, KnownPosition):
            return None
        answer = analyze(position, control, model="paranoid")
        if not answer.exact:
            return None
        found = {self.game.parse_move(position, move.move): move.value for move in answer.moves}
        return [float(found[move]) for move in moves]  # type: ignore[arg-type]


def _action(deck: Deck, move: Move) -> int:
    """A move as a number: a card; the Dancer by its name; the cards taken and given."""
    if isinstance(move, Play):
        return CARDS + move.suit if move.card == deck.dancer else move.card
    found = 1
    for card in (*move.taken, *(-1,) * (rules.TAKEN - len(move.taken)), -1 if move.given is None else move.given):
        found = found * (CARDS + 1) + card + 1
    return found


def _move(deck: Deck, action: int) -> Move:
    if action < CARDS:
        return Play(action, deck.cards[action].suit)
    if action <= CARDS + DANCER:
        return Play(deck.dancer, action - CARDS)
    digits = []
    while action > 1:
        action, digit = divmod(action, CARDS + 1)
        digits.append(digit - 1)
    given, *taken = digits
    return Taking(tuple(card for card in reversed(taken) if card >= 0), None if given < 0 else given)


class KingState:
    """`benchmarks.players.State` for King × Alchemy: a round, starting with the picks. Returns have four
    entries.
    """

    def __init__(self, state: State, seat: int, picked: tuple[int, ...], seen: str = "") -> None:
        self._state = state
        self._seat = seat
        self._picked = picked  # 0: not yet
        self._seen = seen  # what was done since the root

    def current_player(self) -> int:
        return -4 if self.is_terminal() else self._seat

    def _moves(self) -> Sequence[Move]:
        if not self._picked[self._seat]:
            deck = self._state.deck
            return [Play(card, deck.cards[card].suit) for card in members(self._state.hands[self._seat])]
        return rules.legal_moves(self._state)

    def legal_actions(self, player: int | None = None) -> list[int]:
        return [_action(self._state.deck, move) for move in self._moves()]

    def apply_action(self, action: int) -> None:
        move = _move(self._state.deck, int(action))  # bots draw NumPy's integers
        state, seat = self._state, self._seat
        if not self._picked[seat]:
            assert isinstance(move, Play)
            pick = 1 << move.card
            self._picked = rules.with_seat(self._picked, seat, pick)
            hands = rules.with_seat(state.hands, seat, state.hands[seat] & ~pick)
            won = rules.with_seat(state.won, seat, pick)
            self._state = State(state.deck, hands, state.leader, (), won)
            others = ((seat + step) % state.players for step in range(1, state.players))
            self._seat = next((other for other in others if not self._picked[other]), state.leader)
            return
        self._state = rules.play(state, move)
        self._seen += f" {action}"
        self._seat = self._state.to_move

    def clone(self) -> KingState:
        return KingState(self._state, self._seat, self._picked, self._seen)

    def is_terminal(self) -> bool:
        return all(self._picked) and self._state.over

    def is_chance_node(self) -> bool:
        return False

    def returns(self) -> Sequence[float]:
        return [score_bounds(self._state.deck, pile)[0] / _SCALE for pile in self._state.won]

    def information_state_string(self) -> str:
        # Picks are seen when all have picked.
        picked = self._picked if all(self._picked) else self._picked[self._seat]
        return f"{self._seat} {self._state.hands[self._seat]} {picked} {self._seen}"

    def get_game(self) -> Any:
        return OpenSpielGame()


def greedy(view: View | PickView) -> Move:
    """A person's rule of thumb.

    Pick the card with the most points. Win a trick, with the lowest winning card, if the cards to take and the
    card played have at least three points together; otherwise discard the lowest card among those with the fewest
    points. Lead the highest card. Take what makes the pile worth most; give what makes the other pile worth least.
    """
    moves = legal_moves(view)
    plays = [move for move in moves if isinstance(move, Play)]
    faces = view.full_deck.cards
    if isinstance(view, PickView):
        return max(plays, key=lambda move: (faces[move.card].vp, -faces[move.card].number))
    if not plays:
        return max((move for move in moves if isinstance(move, Taking)), key=lambda move: _gain(view, move))
    return _greedy_play(view, plays)


def _gain(view: View, move: Taking) -> tuple[int, int]:
    """How much a taking adds to the player's pile, minus what it adds to the others'."""
    deck, after = view.full_deck, list(view.piles)
    for receiver, cards in rules.gains(deck, view.leader, view.plays, move):
        after[receiver] |= cards
    scores = [score_bounds(deck, pile)[0] for pile in after]
    return scores[view.seat], -sum(scores)


def _greedy_play(view: View, plays: Sequence[Play]) -> Play:
    deck, trick = view.full_deck, view.plays
    faces = deck.cards
    suited = [move for move in plays if faces[move.card].suit < SUITS] or plays
    if not trick:
        return max(suited, key=lambda move: faces[move.card].number)
    good = []
    for move in plays:
        if rules.winner(deck, (*trick, move)) == len(trick):
            own = faces[move.card]
            lower = sorted(faces[play.card].vp for play in trick if faces[play.card].number < own.number)
            if sum(lower[-rules.TAKEN :]) + own.vp >= 3:
                good.append(move)
    if good:
        return min(good, key=lambda move: faces[move.card].number)
    return min(suited, key=lambda move: (faces[move.card].vp, faces[move.card].number))


def learned(view: View | PickView, random: Random, kind: int = TRAINED) -> Move:
    """A player in the hint's own rollouts."""
    moves = legal_moves(view)
    found = np.array(chances(view, moves, kind))
    if isinstance(view, PickView):
        stream = np.zeros(1, np.int64)
        start_stream(stream, random.below(1 << 30), 0)
        return moves[int(draw(len(moves), found, stream))]
    return moves[int(np.argmax(found))]


def first(view: View | PickView) -> Move:
    """The first answer of a hint."""
    moves = legal_moves(view)
    return moves[int(np.argmax(chances(view, moves, AHEAD)))]
