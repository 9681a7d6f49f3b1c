"""King × Alchemy's players and endings. A round lasts from the pick of the first card to the compounding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar

import numpy as np
from pydantic import BaseModel

from benchmarks.players import Contest
from solver import registry
from solver.common import Others, Random
from solver.decks import deck_of
from solver.games.king import rules
from solver.games.king.analyze import scores
from solver.games.king.deck import DANCER, KIND, SUIT_NAMES, SUITS, TRUMP
from solver.games.king.hint import SAMPLER, best_replies, played_by, rounds
from solver.games.king.moves import legal_moves
from solver.games.king.players import KINDS, THRIFTY, TRAINED
from solver.games.king.position import Round
from solver.games.king.rules import Move, Play, Taking
from solver.games.king.worlds import SCORE, Deals, deals
from solver.hints.policy import draw_place
from solver.hints.rounds import Game, Games, Rounds
from solver.hints.sampled import Sampler
from solver.kernels.rng import start_stream
from solver.limits import Control

_MOST_DEALS = 3000  # that agree with the view of an ending
_SURELY = 1e6  # multiplies the values of plays, so that the most valuable one is always drawn


def flat(view: Round, made: Sequence[Move], seed: int, _others: Others) -> Rounds:
    """Flat Monte Carlo: in uniformly drawn deals, all seats, the player's own included, go on as thrifty players.

    A thrifty player always makes the play that is worth most to it.
    """
    dealt = deals(view)

    def thrifty() -> Game:
        game = dealt.game()
        plays = game.setting.plays
        surely = game.setting._replace(plays=plays._replace(weights=_SURELY * plays.weights))
        return game._replace(own=THRIFTY, expected=np.eye(KINDS)[THRIFTY], setting=surely)

    return replace(rounds(dealt, made, seed, infer=False), games=[Games(dealt.total, thrifty)])


def as_it_lies(position: Round, view: Round) -> Deals:
    """The actual deal of a position, as the only deal of a view."""
    dealt, index = deals(view), view.full_deck.index
    owner: dict[int, int] = {}
    for group in range(view.players - 1):
        seat = (view.seat + 1 + group) % view.players
        held = position.hands[seat]
        if position.choosing:
            held += position.picked[seat]  # which nobody else has seen yet
        owner.update({index[code]: group for code in held})
    return Deals(dealt.cards, tuple(1 << owner[card] for card in dealt.cards), dealt.sizes, view)


def sighted(position: Round) -> Sampler[Any, Any]:
    """The hints of a seat that sees the position, but not what others will pick.

    Every world is the actual deal.
    """

    def rollouts(view: Round, made: Sequence[Move], seed: int, _others: Others) -> Rounds:
        return rounds(as_it_lies(position, view), made, seed)

    return replace(SAMPLER, rollouts=rollouts, ending=None, because=None)


class KingContest(Contest):
    """`benchmarks.players.Contest` for King × Alchemy."""

    game = registry.game("king")
    variant = "unpicked"
    hints = SAMPLER
    sampled: ClassVar[Mapping[str, Sampler[Any, Any]]] = {
        "flat": replace(SAMPLER, rollouts=flat),
    }
    sighted: ClassVar[Mapping[str, Callable[[Any], Sampler[Any, Any]]]] = {"sighted": sighted}

    def scores(self, position: BaseModel) -> Sequence[float]:
        assert isinstance(position, Round)
        return [float(score) for score in scores(position.state)]

    def simple(self, kind: str, view: BaseModel, random: Random) -> Move:
        assert isinstance(view, Round)
        if kind == "greedy":
            return greedy(view)
        return learned(view, random, THRIFTY if kind == "thrifty" else TRAINED)

    def random_deck(self, seed: int, number: int) -> Any:
        """The house deck with points, ingredients and recipes redistributed among the cards."""
        cards = deck_of(KIND, "house").cards
        order = [*cards]
        Random(seed + 5, number).shuffle(order)
        kinds = {TRUMP: "trump", DANCER: "dancer"}
        rows = [
            {
                "code": card.code,
                "name": card.name,
                "kind": kinds.get(card.suit, "method" if other.kind == "method" else "material"),
                **({"suit": card.code.rstrip("0123456789")} if card.suit < TRUMP else {}),
                "number": card.number,
                "vp": other.vp,
                **({} if other.provides is None else {"provides": other.provides}),
                **({} if other.recipe is None else {"recipe": asdict(other.recipe)}),
            }
            for card, other in zip(cards, order, strict=True)
        ]
        return {"name": "random", "suits": dict(zip("FWEA", SUIT_NAMES, strict=True)), "card": rows}

    def endings(self, seed: int) -> Iterator[Round]:
        """Turns with at most three cards in hand, and more than one possible deal."""
        return (view for view in self.turns(seed) if len(view.hand) <= 3 and deals(view).total > 1)

    def ending_values(self, view: Round) -> dict[Move, float] | None:
        dealt, legal = deals(view), legal_moves(view)
        if dealt.total > _MOST_DEALS:
            return None
        whole = best_replies(dealt, legal, Control(), 10**9)
        assert whole is not None
        return dict(zip(legal, whole.means[:, SCORE].tolist(), strict=True))


def greedy(view: Round) -> Move:
    """A person's rule of thumb.

    Pick the card with the most points. Win a trick, with the lowest winning card, if the cards to take and the
    card played have at least three points together; otherwise discard the lowest card among those with the fewest
    points. Lead the highest card. Take what makes the pile worth most; give what makes the other pile worth least.
    """
    moves = legal_moves(view)
    plays = [move for move in moves if isinstance(move, Play)]
    faces = view.full_deck.cards
    if view.choosing:
        return max(plays, key=lambda move: (faces[move.card].vp, -faces[move.card].number))
    if not plays:
        return max((move for move in moves if isinstance(move, Taking)), key=lambda move: _gain(view, move))
    return _greedy_play(view, plays)


def _gain(view: Round, move: Taking) -> tuple[int, int]:
    """Rate a taking: the player's score after it and, to break ties, minus the sum of all scores."""
    deck, after = view.full_deck, list(view.piles)
    for receiver, cards in rules.gains(deck, view.leader, view.plays, move):
        after[receiver] |= cards
    points = scores(rules.State(deck, (0,) * view.players, view.leader, (), tuple(after)))
    return points[view.seat], -sum(points)


def _greedy_play(view: Round, plays: Sequence[Play]) -> Play:
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


def learned(view: Round, random: Random, kind: int = TRAINED) -> Move:
    """Choose a move like the players in a hint's rollouts; `kind` is one of their kinds."""
    moves = legal_moves(view)
    values = np.array(played_by(view, moves, kind=kind))
    if view.choosing:
        stream = np.zeros(1, np.int64)
        start_stream(stream, random.below(1 << 30), 0)
        return moves[int(draw_place(len(moves), values, stream))]
    return moves[int(np.argmax(values))]
