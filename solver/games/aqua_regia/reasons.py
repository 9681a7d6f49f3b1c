"""Why one move of Aqua Regia is better than another: what both lead to in every sampled world, and the causes.

For each world (a possible deal of the hidden cards), the rollouts record the cards of each hand by metal, seat by
seat, and then which seat goes out first after each move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np

from solver.games.aqua_regia import rules
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rollouts import TOOK
from solver.games.aqua_regia.rules import MOST_AT_ONCE, Play, follows, lets, text_of
from solver.hints.causes import (
    LAST,
    SURE_OF_FEW,
    Claim,
    Notes,
    Predicate,
    Reason,
    Truths,
    after,
    behind,
    certain,
    part,
    surely_more,
    where,
)
from solver.hints.ranking import Margin
from solver.kernels.words import Floats, Words


class Move:
    """One of the two compared moves: the `hand` that it leaves (a count per metal), and how many cards are `left`.

    If it `draws`, the cards left include an unknown one. By world, `wins` is the seat that goes out first, and
    `takes` is True if the player wins the trick.
    """

    def __init__(self, view: Round, move: rules.Move, noted: Notes, index: int) -> None:
        self.view, self.noted, self.text, self.hand = (
            view,
            noted,
            text_of(view.metals, move),
            view.held_after(move),
        )
        self.play = move if isinstance(move, Play) else None
        self.taken = None if isinstance(move, Play) else move.taken
        self.draws = self.play is None and view.drawn is None and view.stock_count > 0
        self.left = sum(self.hand) + self.draws
        self.wins: Words = noted.words[:, view.players * view.metals.size + index]
        self.takes: Truths = noted.results[:, index, TOOK] > 0

    def only(self, other: Move) -> list[int]:
        """Return the metals of the cards that this move keeps and `other` does not."""
        hands = enumerate(zip(self.hand, other.hand, strict=True))
        return [metal for metal, (mine, theirs) in hands for _ in range(mine - theirs)]

    def takes_more(self, other: Move) -> bool:
        """Return whether this move wins the trick significantly more often."""
        return surely_more(int((self.takes & ~other.takes).sum()), int((other.takes & ~self.takes).sum()))

    @cached_property
    def followed(self) -> dict[int, Truths]:
        """For each other seat, whether it can follow the move in each world; empty for a pass."""
        view, play, size = self.view, self.play, self.view.metals.size
        if play is None:
            return {}
        counts = range(play.count, min(play.count + 1, MOST_AT_ONCE) + 1)
        answers = [Play(metal, count) for metal in range(play.metal + 1, size) for count in counts]
        able: dict[int, Truths] = {}
        for seat in ((view.seat + step) % view.players for step in range(1, view.players)):
            hands = self.noted.words[:, seat * size : (seat + 1) * size]
            able[seat] = np.zeros(len(hands), np.bool_)
            for answer in answers:
                if follows(answer, play) and lets(view.metals, view.field_number, answer, play):
                    able[seat] |= hands[:, answer.metal] >= answer.count
        return able


class Scene:
    """Two compared moves in the noted worlds.

    Only the best move keeps the cards of the metals `kept`, and only the other those of `lost`.
    """

    def __init__(self, view: Round, best: Move, other: Move, leads: Floats) -> None:
        self.view, self.deck, self.best, self.other, self.leads = view, view.metals, best, other, leads
        self.kept, self.lost = best.only(other), other.only(best)
        self.fewer = other.left - best.left
        self.named = {"move": best.text, "other": other.text}
        self.counts = {"count": best.left, "other_count": other.left}
        self.cards = {"cards": tuple(self.deck.symbols(self.kept))}
        self.both = {**self.named, **self.cards, "other_cards": tuple(self.deck.symbols(self.lost))}
        self.mine, self.theirs = float(best.takes.mean()), float(other.takes.mean())
        self.shares = {**self.named, "share": self.mine, "other_share": self.theirs}

    def by_hand(self, *much: float, **fields: Any) -> Claim:
        """Make the claim that the best move is better because of the hand that it leaves.

        In worlds in which both moves win the trick or both lose it, the hand explains the whole difference between
        them; in the other worlds, it explains nothing. If both moves are ways to end the same pass, only the hands
        differ, so the claim explains the whole margin.
        """
        if not any(move.play or move.draws for move in (self.best, self.other)):
            return certain(*much, **fields)
        same = self.best.takes == self.other.takes
        return part(np.where(same, self.leads, 0.0), *(much or (1.0,)), **fields)

    def together(self, *, taken: bool) -> Iterator[Claim]:
        """Claim for each metal that the best move keeps more cards of it, and at least two, to play them together.

        With `taken`, only for the metal that the best move takes, else for the others. Metals whose reactivity is
        below 2 in every field are left out: as a rule, several of their cards can't be played together.
        """
        for metal in sorted(set(self.kept)):
            (card,), count = self.deck.symbols([metal]), self.best.hand[metal]
            if count > 1 and max(self.deck.metals[metal].reactivity) > 1 and (metal == self.best.taken) == taken:
                yield self.by_hand(count, move=self.best.text, card=card, count=count)

    def exchanges(self, better: Callable[[list[int], list[int]], bool]) -> list[Claim]:
        """Claim that the cards kept only by the best move are better than those kept only by the other."""
        return [self.by_hand(**self.both)] if self.kept and self.lost and better(self.kept, self.lost) else []

    def fields(self, metals: Sequence[int]) -> list[int]:
        """Return in how many fields each metal can be played."""
        return [sum(reactivity > 0 for reactivity in self.deck.metals[metal].reactivity) for metal in metals]

    def goes_out(self) -> Iterator[Claim]:
        """Claim for each other seat that it goes out first less often; with two players this would say nothing."""
        for seat in range(self.view.players) if self.view.players > 2 else ():
            if seat != self.view.seat:
                best, other = self.best.wins == seat, self.other.wins == seat
                shares = {"share": float(best.mean()), "other_share": float(other.mean())}
                yield after(~best, ~other, seat=seat, **self.named, **shares)

    def one_follows(self, move: Move, *, can: bool) -> list[Claim]:
        """Claim for each other seat that it can follow a move, or can't."""
        return [where(able == can, seat=seat, **self.named) for seat, able in move.followed.items()]

    def any_follows(self, move: Move, *, can: bool) -> list[Claim]:
        """Claim that some other seat can follow a move, or that none can."""
        able = list(move.followed.values())
        return [where(np.any(able, axis=0) == can, **self.named)] if able else []


def because(
    view: Round, moves: Sequence[rules.Move], noted: Notes, ahead: Margin, _rollouts: object
) -> Sequence[Reason]:
    """Return the reasons why the best move is better than the second best (`solver.hints.causes`)."""
    if not noted.words.shape[1]:
        return ()
    move = cache(lambda index: Move(view, moves[index], noted, index))
    return behind(
        PREDICATES,
        lambda one, other: Scene(view, move(one), move(other), noted.leads(one, other)),
        noted,
        ahead,
    )


# In the last three rows, the trick and the hand together are the whole difference between the moves: if one move
# always wins the trick and the other never does, no world separates the two.

row = Predicate[Scene]

PREDICATES: tuple[Predicate[Scene], ...] = (
    row("goes_out", "hand", "{move} goes out and wins.",
        lambda s: [certain(move=s.best.text)] if s.best.left == 0 < s.other.left else []),
    row("takes_trick", "trick", "{move} wins this trick in {games}, {other} in {other_share}.",
        lambda s: [after(s.best.takes, s.other.takes, **s.named)]),
    row("leaves_trick", "trick",
        "It is better to lose this trick: {move} loses it in {games}, {other} in {other_share}.",
        lambda s: [after(~s.best.takes, ~s.other.takes, **s.named)]),
    row("seat_goes_out", "race",
        "{seat:Who} {seat:goes|go} out first in {games} after {move}, in {other_share} after {other}.",
        Scene.goes_out),
    row("seat_can_follow", "follow", "{other} is worse mainly because {seat:who} can follow it in {games}.",
        lambda s: s.one_follows(s.other, can=True)),
    row("seat_cannot_follow", "follow", "{seat:Who} can't follow {move} in {games}.",
        lambda s: s.one_follows(s.best, can=False)),
    row("can_be_followed", "follow", "{other} is worse mainly because somebody can follow it in {games}.",
        lambda s: s.any_follows(s.other, can=True)),
    row("cannot_be_followed", "follow", "Nobody can follow {move} in {games}.",
        lambda s: s.any_follows(s.best, can=False)),
    row("brings_together", "hand", "After {move}, {count} {card} can be played together.",
        lambda s: s.together(taken=True), sure=SURE_OF_FEW),
    row("keeps_together", "hand", "{move} keeps {count} {card} to play together.",
        lambda s: s.together(taken=False), sure=SURE_OF_FEW),
    row("sheds_more", "hand", "{move} leaves fewer cards in hand than {other}: {count}, not {other_count}.",
        lambda s: [s.by_hand(s.fewer, **s.named, **s.counts)] if 0 < s.best.left < s.other.left else [],
        sure=SURE_OF_FEW),
    row("keeps_easy", "hand",
        "It is better to keep {cards} than {other_cards}, which can be played in fewer fields.",
        lambda s: s.exchanges(lambda kept, lost: min(s.fields(kept)) > max(s.fields(lost))),
        rank=1, sure=SURE_OF_FEW),
    row("keeps_strong", "hand", "It is better to keep {cards} than the weaker {other_cards}.",
        lambda s: s.exchanges(lambda kept, lost: min(kept) > max(lost)), rank=1, sure=SURE_OF_FEW),
    row("keeps_for_later", "hand", "It is better to keep {cards} for later.",
        lambda s: [s.by_hand(move=s.best.text, **s.cards)] if s.fewer < 0 and s.kept else [],
        rank=1, sure=SURE_OF_FEW),
    row("keeps_instead", "hand", "It is better to keep {cards} for later than {other_cards}.",
        lambda s: s.exchanges(lambda kept, lost: len(kept) == len(lost)), rank=LAST, sure=SURE_OF_FEW),
    row("takes_and_sheds", "trick",
        "{move} wins this trick in {games} and leaves fewer cards in hand than {other}: "
        "{count}, not {other_count}.",
        lambda s: [certain(s.mine - s.theirs, s.fewer, **s.shares, **s.counts)]
        if s.fewer > 0 and s.best.takes_more(s.other) else [], rank=LAST),
    row("takes_and_keeps", "trick", "{move} wins this trick in {games}, {other} in {other_share}.",
        lambda s: [certain(s.mine - s.theirs, **s.shares | s.both)]
        if s.fewer == 0 and s.kept and s.lost and s.best.takes_more(s.other) else [], rank=LAST),
    row("gives_up_trick", "trick",
        "{other} would win this trick in {other_games}, but {move} keeps {cards} for later.",
        lambda s: [certain(**s.shares, **s.cards)] if s.kept and s.other.takes_more(s.best) else [], rank=LAST),
)  # fmt: skip
