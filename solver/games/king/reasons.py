"""Why one King × Alchemy move is better than another: what both lead to in every sampled world, and the causes.

For each world, the rollouts note the hands, then for each move the seat's final pile, then for each move what the
seat got from the trick on the table; if hints play for the match, also the piles and scores of all seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache, reduce
from operator import or_
from typing import Any, NamedTuple

import numpy as np

from solver.common import mask, members
from solver.games.king import rules
from solver.games.king.compounding import KEPT_DECKS, best_of_each
from solver.games.king.deck import CARDS, SUITS, TRUMP, Deck
from solver.games.king.moves import format_move
from solver.games.king.position import Round
from solver.games.king.rules import Play, Taking, bottom, plays, winner
from solver.games.king.worlds import BONUS, TAKEN_BIT, TRICK_POINTS
from solver.hints.causes import (
    FEWEST_WORLDS,
    LAST,
    REST,
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
from solver.hints.rounds import Rounds
from solver.kernels.words import Floats, Words
from solver.tricks.causes import TRICK_PREDICATES, Pair, Played, is_most

_NOT_SELDOM = 0.2  # of the worlds
_FAR_MORE = 0.1  # of the worlds


class Move:
    """One of the two compared moves, and the result of every world after it.

    `card` is what it plays or picks, and `taken` what it takes, as masks. By world, `pile` is the seat's final
    pile and `got` what it got from the trick on the table, as masks, and `trick_points` the points of that; `took`
    is True if it took that trick, `score` is what moves are judged by, and `bonus` the seat's recipe bonus. If
    hints play for the match, `piles` and `scores` are those of all seats.
    """

    def __init__(self, view: Round, moves: Sequence[rules.Move], index: int, noted: Notes) -> None:
        count, players = len(moves), view.players
        got = noted.words[:, players + count + index]
        self.view, self.noted, self.deck, self.move = view, noted, view.full_deck, moves[index]
        self.text = format_move(view, self.move)
        self.card = 1 << self.move.card if isinstance(self.move, Play) else 0
        self.taken = mask(self.move.taken) if isinstance(self.move, Taking) else 0
        self.score, self.bonus = noted.results[:, index, 0], noted.results[:, index, BONUS]
        self.trick_points: Floats = noted.results[:, index, TRICK_POINTS]
        self.pile: Words = noted.words[:, players + index]
        self.got: Words = got & ~TAKEN_BIT
        self.took: Truths = got >= TAKEN_BIT
        ends = noted.words[:, players + 2 * count :].reshape(len(noted.words), -1, players, 2)
        if ends.shape[1]:
            self.piles, self.scores = ends[:, index, :, 0], ends[:, index, :, 1].astype(np.float64)

    def wins(self, card: int) -> Truths:
        """For each world, whether the seat has won a card by the end of the round."""
        won: Truths = (self.pile >> card & 1) != 0
        return won

    def gets(self, card: int) -> Truths:
        """For each world, whether the seat gets a card from the trick on the table."""
        got: Truths = (self.got >> card & 1) != 0
        return got

    def wins_later(self, card: int) -> Truths:
        """For each world, whether the seat wins a card, but not in the trick on the table."""
        return self.wins(card) & ~self.gets(card)

    @cached_property
    def trick_worth(self) -> Floats:
        """For each world, how much the cards got from this trick add to the final score, bonuses included."""
        return self.trick_points + self.bonus - best_of_each(self.deck, self.pile & ~self.got)

    @cached_property
    def makes(self) -> dict[int, Truths]:
        """For each card with a recipe, the worlds in which the final pile allows the recipe (`can_make`)."""
        carriers = (number for number, card in enumerate(self.deck.cards) if card.recipe is not None)
        return {carrier: can_make(self.deck, carrier, self.pile) for carrier in carriers}

    @cached_property
    def played(self) -> Played:
        """Who can beat the card if it is played now, and who has to follow the card led."""
        view, deck, move = self.view, self.deck, self.move
        assert isinstance(move, Play)
        trick = (*view.plays, move)
        later = [(view.seat + step) % view.players for step in range(1, view.players - len(view.plays))]
        hands = {seat: self.noted.words[:, seat] for seat in later}
        suit = trick[0].suit
        led = deck.of_suit[suit] if suit < SUITS else 0
        follows: dict[int, Truths] = {seat: (hand & led) != 0 for seat, hand in hands.items()} if led else {}
        beaten_by = None
        if winner(deck, trick) == len(view.plays):
            answers = [play for play in plays(deck, view.unseen) if winner(deck, (*trick, play)) == len(trick)]
            follow = mask(play.card for play in answers if play.suit in (suit, TRUMP))
            free = mask(play.card for play in answers)
            beaten_by = {
                seat: hand & (np.where(follows[seat], follow, free) if seat in follows else free)
                for seat, hand in hands.items()
            }
        return Played(self.text, deck.code(trick[0].card), beaten_by, follows)


Won = Callable[[Move, int], Truths]  # the worlds in which the seat wins a card after a move


def _union(cards: Words) -> Iterator[int]:
    """The cards that are in any of some masks."""
    return members(int(np.bitwise_or.reduce(cards)))


# ----------------------------------------------------------------------------------------------------
# Recipes: whether the piles have everything they need, and which card of a move serves them.


def can_make(deck: Deck, carrier: int, piles: Words) -> Truths:
    """For each pile (a mask), whether it has the carrier and ingredients of a recipe, if nothing else is made."""
    possible: Truths = (piles >> carrier & 1) != 0
    for serving, count in _needs(deck)[carrier]:
        possible &= np.bitwise_count(piles & serving) >= count
    return possible


@lru_cache(maxsize=KEPT_DECKS)
def _needs(deck: Deck) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each card, a pair for each ingredient of its recipe (no pairs if it carries no recipe).

    A pair has the mask of the other cards that provide the ingredient, and the number of units needed.
    """
    return tuple(
        tuple(
            (
                mask(other for other, card in enumerate(deck.cards) if card.provides == need and other != carrier),
                count,
            )
            for need, count in Counter(held.recipe.needs if held.recipe else ()).items()
        )
        for carrier, held in enumerate(deck.cards)
    )


class Recipe(NamedTuple):
    """A recipe, and the worlds in which it can be made after either move."""

    scene: Scene
    carrier: int
    best: Truths
    other: Truths

    def claim(self, **fields: Any) -> Claim:
        recipe = self.scene.deck.cards[self.carrier].recipe
        assert recipe is not None
        return after(self.best, self.other, item=recipe.item, count=recipe.bonus, **self.scene.named, **fields)

    def served_by(self, cards: int, won: Won) -> int | None:
        """Return the card of a mask that explains why only the best move allows the recipe in some worlds.

        In more than half of these worlds (see `REST`), the seat wins it after the best move, and could not make
        the recipe without it. Return None if there is no such card.
        """
        best, deck = self.scene.best, self.scene.deck
        gained = np.flatnonzero(self.best & ~self.other)
        if not len(gained):
            return None
        pile = best.pile[gained]
        serving = reduce(or_, (need for need, _ in _needs(deck)[self.carrier]), 1 << self.carrier)
        needed = {
            card: (won(best, card)[gained] & ~can_make(deck, self.carrier, pile & ~(1 << card))).sum()
            for card in members(serving & cards)
        }
        most = max(needed, key=lambda card: needed[card], default=None)
        return most if most is not None and needed[most] > (1 - REST) * len(gained) else None


# ----------------------------------------------------------------------------------------------------
# Two compared moves, and the claims that several causes make.


class Scene:
    """Two compared moves of a view, in the worlds noted for a hint.

    As masks, `own` is the card that the best move plays or picks, `played` this card if the other move keeps it,
    `kept` the card that the other move plays and the best one keeps, `foreign` all cards that other seats may
    play, and `taken` the cards that the best move takes and the other does not.
    """

    def __init__(self, view: Round, best: Move, other: Move, leads: Floats, rollouts: Rounds) -> None:
        self.view, self.deck, self.best, self.other = view, view.full_deck, best, other
        self.leads, self.match, self.by_points = leads, rollouts.match, not view.goes_by_match
        self.named = {"move": best.text, "other": other.text}
        self.own, self.played, self.kept = best.card, best.card & ~other.card, other.card & ~best.card
        self.foreign, self.taken = (1 << CARDS) - 1 & ~view.hand_mask, best.taken & ~other.taken
        self.others = [seat for seat in range(view.players) if seat != view.seat]

    @property
    def pair(self) -> Pair:
        return Pair(self.best.played, self.other.played, self.deck.code)

    @property
    def recipes(self) -> Iterator[Recipe]:
        for carrier, best in self.best.makes.items():
            yield Recipe(self, carrier, best, self.other.makes[carrier])

    def more(self, cards: Iterable[int], won: Won) -> Iterator[Claim]:
        """Claim for each card that it is won in more worlds after the best move than after the other one.

        If the card's points are most of the margin, that is shown even if they are won in every world.
        """
        for card in cards:
            best, other = won(self.best, card), won(self.other, card)
            claim = after(best, other, card=self.deck.code(card), **self.named)
            points = self.deck.vp(1 << card) * (best.astype(np.float64) - other)
            yield part(points, **claim.fields) if self.by_points and is_most(self.leads, points) else claim

    def serves(self, cards: int, won: Won, *, now: bool = False) -> Iterator[Claim]:
        """Claim that a card of a mask is used for a recipe; if `now`, that it completes one in this trick."""
        for recipe in self.recipes:
            card = recipe.served_by(cards, won)
            if card is not None and (not now or self.allows(recipe.carrier, card)):
                yield recipe.claim(card=self.deck.code(card))

    def allows(self, carrier: int, card: int) -> bool:
        """Return whether a recipe can be made with the seat's present pile and a card."""
        return bool(can_make(self.deck, carrier, np.array([self.view.piles[self.view.seat] | 1 << card])).all())

    def makes(self) -> Iterator[Claim]:
        """Claim that a recipe can be made more often, if not mainly due to a card that only the best keeps."""
        for recipe in self.recipes:
            if recipe.served_by(self.kept, Move.wins) is None:
                yield recipe.claim()

    def lifted(self) -> list[Claim]:
        """Claim that the best move, the Dancer, wins the trick because a trump lifts it."""
        trump = next((play.card for play in self.view.plays if play.suit == TRUMP), None)
        if trump is None or self.own != 1 << self.deck.dancer:
            return []
        return [after(self.best.took, self.other.took, card=self.deck.code(trump), **self.named)]

    def brought(self, points: Callable[[Move], Floats]) -> list[Claim]:
        """Claim that a difference in points explains part of the best move's margin.

        ``points(move)`` returns the points in each world. If hints play for the match, there is no claim.
        """
        best, other = points(self.best), points(self.other)
        return [self.means(best - other, best, other)] if self.by_points else []

    def mostly(self, points: Callable[[Move], Floats]) -> list[Claim]:
        """Claim that a difference in points is most of the margin, if it is."""
        return self.brought(points) if is_most(self.leads, points(self.best) - points(self.other)) else []

    def means(self, made: Floats, best: Floats, other: Floats, **fields: Any) -> Claim:
        """Claim that the points after the `best` and the `other` move are behind a part `made` of the margin."""
        means = {"points": float(best.mean()), "other_points": float(other.mean())}
        return part(made, **means, **self.named, **fields)

    def only_it_wins(self) -> list[Claim]:
        """Claim that the best card may win the trick, or is sure to, and the other can't."""
        best, other = self.best, self.other
        if not self.by_points or not best.took.any() or other.took.any():
            return []
        numbers = {"share": float(best.took.mean()), "points": float(best.trick_points[best.took].mean())}
        return [part(best.trick_points - other.trick_points, **numbers, **self.named)]

    def wins_cards(self) -> list[Claim]:
        """Claim that the best card is sure to win the trick and takes certain cards, and the other can't win it.

        There is no claim if what is taken depends on cards that are still to come.
        """
        best, other = self.best, self.other
        taken = np.unique(best.got & ~self.own)
        if not self.by_points or not best.took.all() or other.took.any() or len(taken) != 1 or not taken[0]:
            return []
        cards, points = tuple(self.deck.codes(members(int(taken[0])))), float(best.trick_points.mean())
        return [part(best.trick_points - other.trick_points, cards=cards, points=points, **self.named)]

    def given(self) -> list[Claim]:
        """Claim that a card given is worth more to its receiver than the other move's, if nothing else differs."""
        best, other, plays = self.best.move, self.other.move, self.view.plays
        if not isinstance(best, Taking) or not isinstance(other, Taking) or best.taken != other.taken:
            return []
        points = [0 if card is None else self.deck.vp(1 << card) for card in (best.given, other.given)]
        if points[0] == points[1]:
            return []
        receiver = bottom(self.deck, plays)
        if receiver is None:
            return []
        seat = (self.view.leader + receiver) % self.view.players
        return [certain(seat=seat, points=float(points[0]), other_points=float(points[1]), **self.named)]

    def chances(self, worlds: Words, scores: Floats) -> Floats:
        """Return the chance to win the match in some worlds if these were the scores (worlds, seats)."""
        assert self.match is not None
        return self.match.chances(scores[:, None], worlds)[:, 0]

    def scores(self, seats: Iterable[int]) -> Iterator[Claim]:
        """Claim for each seat that its score in this round is a cause, if hints play for the match.

        A counterfactual on the same worlds shows how much it matters: the seat is given its points after the other
        move, and the chance to win the match is computed again.
        """
        for seat in () if self.by_points else seats:
            best, other = self.best.scores[:, seat], self.other.scores[:, seat]
            scores = self.best.scores.copy()
            scores[:, seat] = other
            undone = self.chances(np.arange(len(scores)), scores)
            fields = {} if seat == self.view.seat else {"seat": seat}
            yield self.means(self.best.score - undone, best, other, **fields)


def scenes_of(
    view: Round, moves: Sequence[rules.Move], noted: Notes, rollouts: Rounds
) -> Callable[[int, int], Scene]:
    """Return a function that sets up the comparison of two moves, given by their indices, in the noted worlds."""
    move = cache(lambda index: Move(view, moves, index, noted))
    return lambda one, other: Scene(view, move(one), move(other), noted.leads(one, other), rollouts)


def because(
    view: Round, moves: Sequence[rules.Move], noted: Notes, ahead: Margin, rollouts: Rounds
) -> Sequence[Reason]:
    """Find the causes that make one move better than another (see `solver.hints.causes`)."""
    table = PICKING if view.choosing else TAKING if view.trick_is_full else PLAYING
    return behind(table, scenes_of(view, moves, noted, rollouts), noted, ahead)


# ----------------------------------------------------------------------------------------------------
# If hints play for the match: cards that others lack for recipes.
#
# In an ordinary round, it does not help that another seat makes less. If the chance to win the match counts, it
# does, and a counterfactual on the same worlds shows how much: a seat is given the bonus of a card that it lacks
# after only one move, and the chance to win is computed again.


class _Lack(NamedTuple):
    """A seat's final piles by world after two moves; it lacks a card where only the piles `having` include it."""

    deck: Deck
    card: int
    without: Words
    having: Words

    @property
    def worlds(self) -> Words:
        """The worlds in which the seat lacks the card."""
        return np.flatnonzero((self.having & ~self.without) >> self.card & 1)

    def recipes(self) -> Iterator[int]:
        """The carriers of the recipes in which the card can be used, including the recipe that it carries."""
        provides = self.deck.cards[self.card].provides
        for carrier, held in enumerate(self.deck.cards):
            if held.recipe is not None and (carrier == self.card or provides in held.recipe.needs):
                yield carrier

    def short(self, carrier: int) -> Words:
        """The worlds in which, after either move, the seat can make a recipe with the card but not without it."""
        worlds = self.worlds
        for piles in (self.without, self.having):
            rest = piles[worlds] & ~(1 << self.card)
            needed = can_make(self.deck, carrier, rest | 1 << self.card) & ~can_make(self.deck, carrier, rest)
            worlds = worlds[needed]
        return worlds

    def missed(self, worlds: Words) -> tuple[Words, Words]:
        """The `worlds` in which the card adds to the best bonus after either move, and what the seat misses."""
        bonuses = self._brings(self.without[worlds])
        worlds, bonuses = worlds[bonuses > 0], bonuses[bonuses > 0]
        serving = self._brings(self.having[worlds]) > 0
        return worlds[serving], bonuses[serving]

    def _brings(self, piles: Words) -> Words:
        """The points that the card adds to the best bonus of each pile."""
        rest = piles & ~(1 << self.card)
        return best_of_each(self.deck, rest | 1 << self.card) - best_of_each(self.deck, rest)


def denied(scene: Scene) -> Iterator[Claim]:
    """Claim that the best move denies an opponent a card for a recipe more often than the other move does.

    Only denials that may explain enough of the margin are examined.
    """
    least = (1 - REST) * float(scene.leads.sum())  # of the sum of all leads that must be explained

    def may_matter(worlds: Words) -> bool:
        return len(worlds) >= FEWEST_WORLDS and bool(scene.best.score[worlds].sum() >= least)

    for seat in () if scene.by_points else scene.others:
        mine, theirs = (np.ascontiguousarray(move.piles[:, seat]) for move in (scene.best, scene.other))
        for card in _union(theirs & ~mine):
            lost, gained = _Lack(scene.deck, card, mine, theirs), _Lack(scene.deck, card, theirs, mine)
            for carrier in lost.recipes() if may_matter(lost.worlds) else ():
                short = lost.short(carrier)
                if not may_matter(short):
                    continue
                less, more = lost.missed(short), gained.missed(gained.short(carrier))
                fewer, others = len(less[0]), len(more[0])
                if fewer < FEWEST_WORLDS or not surely_more(fewer, others):
                    continue
                undone = np.zeros(len(scene.leads))
                for sign, move, (worlds, bonuses) in ((-1, scene.best, less), (1, scene.other, more)):
                    scores = move.scores[worlds]
                    scores[:, seat] += bonuses
                    undone[worlds] = sign * (scene.chances(worlds, scores) - move.score[worlds])
                recipe = scene.deck.cards[carrier].recipe
                assert recipe is not None
                shares = {"share": fewer / len(undone), "other_share": others / len(undone)}
                fields = {"seat": seat, "card": scene.deck.code(card), "item": recipe.item}
                yield part(undone, **fields, **shares, **scene.named)


# ----------------------------------------------------------------------------------------------------
# The tables of causes: for a played card, a taking, and a picked card.
#
# For takings, the sentences name only the other move, as in "after taking F3 and giving E9": two such names would
# be too long, and the best move stands beside its reason.


row = Predicate[Scene]


def _later(won: str, trick: str) -> Iterator[Predicate[Scene]]:
    """Rows for causes given only if there is no other cause: the worth of this trick, and a card won later.

    The arguments are the sentences for them.
    """
    yield row("trick_worth", "worth", trick, lambda s: s.mostly(lambda move: move.trick_worth), LAST, SURE_OF_FEW)
    yield row("wins_later", "later", won, _wins_later, LAST + 1, SURE_OF_FEW)


def _wins_later(s: Scene) -> Iterator[Claim]:
    """Claim for each card that neither move plays that it is won later, far more often after the best move."""
    cards = _union(s.best.pile & ~(s.best.card | s.other.card))
    for claim in s.more(cards, Move.wins_later):
        if claim.fields["share"] - claim.fields["other_share"] >= _FAR_MORE:
            yield claim


_MATCH = (
    row("denies_card", "others",
        "In {deals} only {other} lets {seat:who} get {card} for {item}; the reverse is true in {other_share}.",
        denied),
    row("others_score", "score",
        "{seat:Who} {seat:scores|score} {amount} on average after {move}, {other_points} after {other}.",
        lambda s: s.scores(s.others), LAST, SURE_OF_FEW),
    row("own_score", "score",
        "The average score in this round is {amount} after {move}, {other_points} after {other}.",
        lambda s: s.scores([s.view.seat]), LAST, SURE_OF_FEW),
)  # fmt: skip

PLAYING: tuple[Predicate[Scene], ...] = (
    row("completes_recipe", "recipe",
        "{item} (+{count}) can be made in {deals} after {move}, in {other_share} after {other}: {card} from this "
        "trick completes it.",
        lambda s: s.serves(s.foreign, Move.gets, now=True)),
    row("wins_for_recipe", "recipe",
        "{item} (+{count}) can be made in {deals} after {move}, in {other_share} after {other}: {move} can get "
        "{card} for it in this trick.",
        lambda s: s.serves(s.foreign, Move.gets)),
    row("serves_recipe", "recipe",
        "{item} (+{count}) can be made in {deals} after {move}, in {other_share} after {other}: {card} can be "
        "used for it if won back in this trick.",
        lambda s: s.serves(s.own, Move.gets)),
    row("kept_for_recipe", "later",
        "{card} is better kept for {item} (+{count}), which can be made in {deals} after {move}, in {other_share} "
        "after {other}.",
        lambda s: s.serves(s.kept, Move.wins), blames=True),
    row("makes_recipe", "recipe",
        "{item} (+{count}) can be made in {deals} after {move}, in {other_share} after {other}.",
        Scene.makes),
    row("dancer_lifted", "trick",
        "{card} makes the Dancer the highest card: {move} wins this trick in {deals}, {other} in {other_share}.",
        Scene.lifted),
    row("takes_trick", "trick", "{move} wins this trick in {deals}, {other} in {other_share}.",
        lambda s: [after(s.best.took, s.other.took, **s.named)]),
    row("leaves_trick", "trick",
        "It is better to lose this trick: {move} loses it in {deals}, {other} in {other_share}.",
        lambda s: [after(~s.best.took, ~s.other.took, **s.named)]),
    row("wins_card", "trick", "{move} gets {card} from this trick in {deals}, {other} in {other_share}.",
        lambda s: s.more((card for card in _union(s.best.got & s.foreign)
                          if s.best.gets(card).mean() >= _NOT_SELDOM), Move.gets), rank=1),
    row("is_given", "trick", "{move} is the lowest and gets a card in {deals}, {other} in {other_share}.",
        lambda s: [after(*((move.got != 0) & ~move.took for move in (s.best, s.other)), **s.named)]),
    row("wins_cards", "trick",
        "{move} wins this trick and takes {cards} ({amount}, {move} included); {other} can't win it.",
        Scene.wins_cards),
    row("only_it_wins", "trick",
        "{move} wins this trick in {deals}, then scoring {amount} on average; {other} can't win it.",
        Scene.only_it_wins),
    row("trick_points", "trick", "This trick brings {amount} on average with {move}, {other_points} with {other}.",
        lambda s: s.mostly(lambda move: move.trick_points)),
    *(cause.of(lambda s: s.pair) for cause in TRICK_PREDICATES),
    row("keeps_trump", "later", "{card} is better kept: it wins a later trick in {deals}.",
        lambda s: [where(s.best.wins(card), card=s.deck.code(card)) for card in members(s.kept)
                   if s.deck.cards[card].suit >= SUITS], blames=True),
    row("kept_wins", "later",
        "{card} is better kept: it is won back in {deals} if kept, in {other_share} if played now.",
        lambda s: s.more(members(s.kept), Move.wins), blames=True),
    row("now_wins", "later",
        "{card} is better played now: it is won back in {deals} if played now, in {other_share} if kept.",
        lambda s: s.more(members(s.played), Move.wins)),
    *_later(
        "The chance to win {card} later is {share} with {move}, {other_share} with {other}.",
        "Recipes included, this trick brings {amount} on average with {move}, {other_points} with {other}.",
    ),
    *_MATCH,
)  # fmt: skip

TAKING: tuple[Predicate[Scene], ...] = (
    row("completes_recipe", "recipe",
        "{card} completes {item} (+{count}); without it, {item} can be made in {other_deals}.",
        lambda s: s.serves(s.taken, Move.gets, now=True)),
    row("serves_recipe", "recipe",
        "With {card}, {item} (+{count}) can be made in {deals}; without it, in {other_share}.",
        lambda s: s.serves(s.taken, Move.gets)),
    row("makes_recipe", "recipe", "{item} (+{count}) can be made in {deals}, but in {other_share} after {other}.",
        Scene.makes),
    row("trick_points", "trick",
        "The cards won in this trick are worth {amount}, but {other_points} after {other}.",
        lambda s: s.mostly(lambda move: move.trick_points)),
    row("gives_points", "given", "{move} is worth {amount} to {seat:who}, {other} {other_points}.",
        Scene.given, level=True),
    *_later(
        "The chance to win {card} later is {share}, but {other_share} after {other}.",
        "Recipes included, this trick brings {amount} on average, but {other_points} after {other}.",
    ),
    *_MATCH,
)  # fmt: skip

PICKING: tuple[Predicate[Scene], ...] = (
    row("serves_recipe", "recipe",
        "{item} (+{count}) can be made in {deals} if {card} is picked, in {other_share} if {other} is: {card} can "
        "be used for it.",
        lambda s: s.serves(s.own, Move.wins)),
    row("makes_recipe", "recipe",
        "{item} (+{count}) can be made in {deals} if {move} is picked, in {other_share} if {other} is.",
        Scene.makes),
    row("not_picked", "card",
        "{other} can wait: if not picked, it is still won in {deals}, {move} only in {other_share}.",
        lambda s: [after(s.best.wins(s.other.card.bit_length() - 1), s.other.wins(s.best.card.bit_length() - 1),
                         **s.named)]),
    row("pick_points", "points", "{move} is worth {amount} by itself, {other} {other_points}.",
        lambda s: s.brought(lambda move: np.full(len(move.pile), float(move.deck.vp(move.card))))),
    row("wins_later", "later",
        "The chance to win {card} later is {share} if {move} is picked, {other_share} if {other} is.",
        _wins_later, LAST, SURE_OF_FEW),
    row("recipes", "worth",
        "Recipes bring {amount} on average if {move} is picked, {other_points} if {other} is.",
        lambda s: s.brought(lambda move: move.bonus), LAST, SURE_OF_FEW),
    row("card_points", "worth",
        "The cards won are worth {amount} on average if {move} is picked, {other_points} if {other} is.",
        lambda s: s.brought(lambda move: move.score - move.bonus), LAST, SURE_OF_FEW),
    *_MATCH,
)  # fmt: skip
