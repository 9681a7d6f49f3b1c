"""Why one King × Alchemy move is better than another: causes found in the worlds sampled for a hint.

For each world, the rollouts note the hands, then for each move the seat's final pile, then for each move what the
seat got from the trick on the table; if hints play for the match, also the piles and scores of all seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from solver.common import mask, members
from solver.games.king.compounding import KEPT_DECKS, best_of_each
from solver.games.king.deck import CARDS, SUITS, TRUMP, Deck
from solver.games.king.moves import format_move
from solver.games.king.position import PickView, View
from solver.games.king.rules import Move, Play, Taking, plays, winner
from solver.games.king.worlds import BONUS, TAKEN_BIT
from solver.hints.causes import (
    FEWEST_WORLDS,
    LAST,
    REST,
    SURE_OF_FEW,
    Claim,
    Noted,
    Predicate,
    Told,
    Truths,
    Witnessed,
    after,
    behind,
    part,
    surely_more,
    where,
)
from solver.hints.ranking import Lead
from solver.kernels.words import Floats, Words
from solver.tricks.causes import TRICK_PREDICATES, Pair, Played, halves, is_whole


class Judged(Witnessed, Protocol):
    """Rollouts that can also compute what the chance to win the match would be with other scores.

    In `chances`, `scores` has a row per world and a column per seat.
    """

    def chances(self, worlds: Words, scores: Floats) -> Floats: ...


class _Move:
    """One of the two compared moves, and the result of every world after it.

    For each world, `pile` is the seat's final pile and `got` what it got from the trick on the table, as masks;
    `took` is True if it took that trick. If hints play for the match, `piles` and `scores` are those of all
    seats.
    """

    def __init__(self, view: View | PickView, moves: Sequence[Move], place: int, noted: Noted) -> None:
        count, players = len(moves), view.players
        got = noted.words[:, players + count + place]
        self.move = moves[place]
        self.text = format_move(view, self.move)
        self.deck = view.full_deck
        self.results = noted.results[:, place]
        self.pile = noted.words[:, players + place]
        self.got = got & ~TAKEN_BIT
        self.took: Truths = got >= TAKEN_BIT
        ends = noted.words[:, players + 2 * count :].reshape(len(noted.words), -1, players, 2)
        if ends.shape[1]:
            self.piles, self.scores = ends[:, place, :, 0], ends[:, place, :, 1]

    @property
    def card(self) -> int:
        """The mask of the card that is played or picked; 0 for a taking."""
        return 1 << self.move.card if isinstance(self.move, Play) else 0

    def wins(self, card: int) -> Truths:
        """For each world, whether the seat has won a card by the end of the round."""
        found: Truths = (self.pile >> card & 1) != 0
        return found

    def gets(self, card: int) -> Truths:
        """For each world, whether the seat gets a card from the trick on the table."""
        found: Truths = (self.got >> card & 1) != 0
        return found

    @cached_property
    def trick_worth(self) -> Floats:
        """For each world, how much the cards got from this trick add to the final score, bonuses included."""
        without = best_of_each(self.deck, self.pile & ~self.got)
        return self.trick_points + self.bonus - without

    @cached_property
    def trick_points(self) -> Floats:
        """For each world, the points of the cards that the seat got from this trick."""
        points: Floats = np.zeros(len(self.got))
        for card in members(int(np.bitwise_or.reduce(self.got))):
            points += self.deck.cards[card].vp * self.gets(card)
        return points

    @cached_property
    def makes(self) -> dict[int, Truths]:
        """For each card with a recipe, the worlds in which the final pile allows the recipe (`can_make`)."""
        carriers = (place for place, card in enumerate(self.deck.cards) if card.recipe is not None)
        return {carrier: can_make(self.deck, carrier, self.pile) for carrier in carriers}

    @property
    def score(self) -> Floats:
        return self.results[:, 0]

    @property
    def bonus(self) -> Floats:
        """For each world, the seat's recipe bonus at the end of the round."""
        return self.results[:, BONUS]


class _Scene(NamedTuple):
    """Two compared moves of a view, and what was noted in the sampled worlds."""

    view: View | PickView
    best: _Move
    other: _Move
    leads: Floats
    noted: Noted
    rollouts: Judged

    @property
    def deck(self) -> Deck:
        return self.view.full_deck

    @property
    def by_points(self) -> bool:
        return not self.view.goes_by_match

    @property
    def named(self) -> dict[str, str]:
        return {"move": self.best.text, "other": self.other.text}

    def code(self, card: int) -> str:
        return self.deck.cards[card].code


def because(
    view: View | PickView, moves: Sequence[Move], noted: Noted, ahead: Lead, rollouts: Judged
) -> Sequence[Told]:
    """Find the causes that make one move better than another (see `solver.hints.causes`)."""
    if isinstance(view, PickView):
        table = PICKING
    else:
        table = TAKING if view.trick_is_full else PLAYING
    return behind(table, scenes_of(view, moves, noted, rollouts), noted, ahead)


def scenes_of(
    view: View | PickView, moves: Sequence[Move], noted: Noted, rollouts: Judged
) -> Callable[[int, int], _Scene]:
    """Return a function that sets up the comparison of two moves, given by their indices, in the noted worlds."""
    move_of = cache(lambda place: _Move(view, moves, place, noted))
    return lambda one, other: _Scene(view, move_of(one), move_of(other), noted.leads(one, other), noted, rollouts)


# ----------------------------------------------------------------------------------------------------
# Recipes: whether the piles have everything they need, and which card of a move serves them.


def can_make(deck: Deck, carrier: int, piles: Words) -> Truths:
    """For each pile (a mask), whether it has the carrier and ingredients of a recipe, if nothing else is made."""
    found: Truths = (piles >> carrier & 1) != 0
    for serving, count in _needs(deck)[carrier]:
        found &= np.bitwise_count(piles & serving) >= count
    return found


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


class _Recipe(NamedTuple):
    """A recipe, and the worlds in which it can be made after either move."""

    carrier: int
    best: Truths
    other: Truths
    fields: Mapping[str, Any]

    def claim(self, **fields: Any) -> Claim:
        return after(self.best, self.other, **self.fields, **fields)


def _recipes(scene: _Scene) -> Iterator[_Recipe]:
    for carrier, best in scene.best.makes.items():
        recipe = scene.deck.cards[carrier].recipe
        assert recipe is not None
        fields = {"item": recipe.item, "count": recipe.bonus, **scene.named}
        yield _Recipe(carrier, best, scene.other.makes[carrier], fields)


Cards = Callable[[_Scene], int]
Won = Callable[[_Move, int], Truths]


def _serving(scene: _Scene, cards: int, won: Won) -> Iterator[tuple[_Recipe, int]]:
    """Yield each recipe that in some worlds only the best move allows, with the card that explains this.

    The card is one of `cards` (a mask). In more than half of these worlds (see `REST`), the seat wins it after the
    best move, and could not make the recipe without it. ``won(move, card)`` returns the worlds in which the seat
    wins the card after the move.
    """
    deck = scene.deck
    for recipe in _recipes(scene):
        gained = np.flatnonzero(recipe.best & ~recipe.other)
        if not len(gained):
            continue
        pile = scene.best.pile[gained]
        serving = 1 << recipe.carrier
        for need, _ in _needs(deck)[recipe.carrier]:
            serving |= need
        needed = {
            card: (won(scene.best, card)[gained] & ~can_make(deck, recipe.carrier, pile & ~(1 << card))).sum()
            for card in members(serving & cards)
        }
        most = max(needed, key=lambda card: needed[card], default=None)
        if most is not None and needed[most] > (1 - REST) * len(gained):
            yield recipe, most


def _completes(cards: Cards) -> Callable[[_Scene], Iterator[Claim]]:
    """Return a function that yields claims that one of the cards from this trick completes a recipe.

    ``cards(scene)`` returns the mask of the cards to consider.
    """

    def claims(scene: _Scene) -> Iterator[Claim]:
        assert isinstance(scene.view, View)
        pile = np.array([scene.view.piles[scene.view.seat]])
        for recipe, card in _serving(scene, cards(scene), _Move.gets):
            if can_make(scene.deck, recipe.carrier, pile | 1 << card).all():
                yield recipe.claim(card=scene.code(card))

    return claims


def _serves(cards: Cards, won: Won = _Move.wins) -> Callable[[_Scene], Iterator[Claim]]:
    """Return a function that yields claims that one of these cards, picked or won, is used for a recipe.

    ``cards(scene)`` returns the mask of the cards to consider; ``won(move, card)`` is as in `_serving`.
    """

    def claims(scene: _Scene) -> Iterator[Claim]:
        for recipe, card in _serving(scene, cards(scene), won):
            yield recipe.claim(card=scene.code(card))

    return claims


def _makes(scene: _Scene) -> Iterator[Claim]:
    """Yield claims that a recipe can be made more often after the best move than after the other.

    Leave out recipes for which this is mainly due to the card that the best move keeps and the other move plays.
    """
    kept = {recipe.carrier for recipe, _ in _serving(scene, _other_card(scene), _Move.wins)}
    for recipe in _recipes(scene):
        if recipe.carrier not in kept:
            yield recipe.claim()


def _own_card(scene: _Scene) -> int:
    """The mask of the card that the best move plays or picks."""
    return scene.best.card


def _only_own_card(scene: _Scene) -> int:
    """The mask of the card that the best move plays and the other one keeps."""
    return scene.best.card & ~scene.other.card


def _other_card(scene: _Scene) -> int:
    """The mask of the card that the other move plays and the best one keeps."""
    return scene.other.card & ~scene.best.card


def _others_cards(scene: _Scene) -> int:
    """The mask of all cards that other seats may play to the trick."""
    return (1 << CARDS) - 1 & ~scene.view.hand_mask


def _taken(scene: _Scene) -> int:
    """The mask of the cards that the best move takes and the other does not."""
    assert isinstance(scene.best.move, Taking)
    assert isinstance(scene.other.move, Taking)
    return mask(scene.best.move.taken) & ~mask(scene.other.move.taken)


# ----------------------------------------------------------------------------------------------------
# A trick: who wins it and what it brings, and what comes later.


def _played(scene: _Scene, made: _Move) -> Played:
    view, move = scene.view, made.move
    assert isinstance(view, View)
    assert isinstance(move, Play)
    trick = (*view.plays, move)
    later = [(view.seat + step) % view.players for step in range(1, view.players - len(view.plays))]
    hands = {seat: scene.noted.words[:, seat] for seat in later}
    suit = trick[0].suit
    led = scene.deck.of_suit[suit] if suit < SUITS else 0
    follows: dict[int, Truths] = {seat: (hand & led) != 0 for seat, hand in hands.items()} if led else {}
    beaten_by = None
    if winner(scene.deck, trick) == len(view.plays):
        answers = [
            play for play in plays(scene.deck, view.unseen) if winner(scene.deck, (*trick, play)) == len(trick)
        ]
        follow = mask(play.card for play in answers if play.suit in (suit, TRUMP))
        free = mask(play.card for play in answers)
        beaten_by = {
            seat: hand & (np.where(follows[seat], follow, free) if seat in follows else free)
            for seat, hand in hands.items()
        }
    return Played(made.text, scene.code(trick[0].card), beaten_by, follows)


def _more(holds: Callable[[_Move], Truths]) -> Callable[[_Scene], Iterator[Claim]]:
    """Return a function that yields one claim, about whether `holds` is true.

    The claim is that it is true in more worlds after the best move than after the other one.
    """

    def claims(scene: _Scene) -> Iterator[Claim]:
        yield after(holds(scene.best), holds(scene.other), **scene.named)

    return claims


def _won(cards: Cards) -> Callable[[_Scene], Iterator[Claim]]:
    """Return a function that yields claims about the cards that `cards` returns.

    The claim about a card is that it is won in more worlds after the best move than after the other one.
    """

    def claims(scene: _Scene) -> Iterator[Claim]:
        for card in members(cards(scene)):
            yield after(scene.best.wins(card), scene.other.wins(card), card=scene.code(card), **scene.named)

    return claims


def _brought(points: Callable[[_Move], Floats], *, whole: bool = False) -> Callable[[_Scene], Iterator[Claim]]:
    """Return a function that yields the claim that a difference in points explains part of the best move's margin.

    ``points(move)`` returns the points in each world. If hints play for the match, there is no claim, nor if the
    difference must be the `whole` margin and is not.
    """

    def claims(scene: _Scene) -> Iterator[Claim]:
        if not scene.by_points:
            return
        best, other = points(scene.best), points(scene.other)
        if not whole or is_whole(scene.best.score - scene.other.score, best - other):
            yield _part(scene, best, other)

    return claims


def _part(scene: _Scene, best: Floats, other: Floats) -> Claim:
    return part(best - other, points=float(best.mean()), other_points=float(other.mean()), **scene.named)


def _lifted(scene: _Scene) -> Iterator[Claim]:
    """Yield the claim that the best move, the Dancer, wins the trick because a trump lifts it."""
    assert isinstance(scene.view, View)
    trump = next((play.card for play in scene.view.plays if play.suit == TRUMP), None)
    if trump is not None and _own_card(scene) == 1 << scene.deck.dancer:
        yield after(scene.best.took, scene.other.took, card=scene.code(trump), **scene.named)


_NOT_SELDOM = 0.2  # of the worlds


def _wins_now(scene: _Scene) -> Iterator[Claim]:
    """Yield claims that another seat's card is won in this trick more often after the best move than the other.

    Cards that are rarely won after the best move are left out (see `_NOT_SELDOM`).
    """
    for card in members(int(np.bitwise_or.reduce(scene.best.got)) & ~scene.view.hand_mask):
        if scene.best.gets(card).mean() >= _NOT_SELDOM:
            yield after(scene.best.gets(card), scene.other.gets(card), card=scene.code(card), **scene.named)


def _wins_cards(scene: _Scene) -> Iterator[Claim]:
    """Yield the claim that the best card wins the trick and takes certain cards, and the other card can't win it.

    There is no claim if what is taken depends on cards that are still to come, or if hints play for the match.
    """
    best, other = scene.best, scene.other
    if scene.by_points and best.took.all() and not other.took.any():
        kinds = np.unique(best.got & ~_own_card(scene))
        taken = tuple(map(scene.code, members(int(kinds[0]))))
        if len(kinds) == 1 and taken:
            points = float(best.trick_points.mean())
            yield part(best.trick_points - other.trick_points, cards=taken, points=points, **scene.named)


def _only_best_wins(scene: _Scene) -> Iterator[Claim]:
    """Yield the claim that the best card may win the trick, or is sure to, and the other card can't."""
    best, other = scene.best, scene.other
    if scene.by_points and best.took.any() and not other.took.any():
        numbers = {"share": float(best.took.mean()), "points": float(best.trick_points[best.took].mean())}
        yield part(best.trick_points - other.trick_points, **numbers, **scene.named)


def _keeps_trump(scene: _Scene) -> Iterator[Claim]:
    """Yield the claim that the other card, a trump or the Dancer, is won in the end if it is kept back."""
    for card in members(_other_card(scene)):
        if scene.deck.cards[card].suit >= SUITS:
            yield where(scene.best.wins(card), card=scene.code(card))


def _wins_later(scene: _Scene) -> Iterator[Claim]:
    """Yield claims about cards that neither move plays.

    The claim is that the card is won in a later trick in more worlds after the best move than after the other one.
    """
    mine = scene.best.card | scene.other.card
    for card in members(int(np.bitwise_or.reduce(scene.best.pile)) & ~mine):
        best, other = (move.wins(card) & ~move.gets(card) for move in (scene.best, scene.other))
        yield after(best, other, card=scene.code(card), **scene.named)


def _not_picked(scene: _Scene) -> Iterator[Claim]:
    """Yield the claim that the other card can wait.

    After picking the best card, we win the other in a trick more often than we would win the best card after
    picking the other.
    """
    best, other = (move.card.bit_length() - 1 for move in (scene.best, scene.other))
    yield after(scene.best.wins(other), scene.other.wins(best), **scene.named)


# ----------------------------------------------------------------------------------------------------
# If hints play for the match: what the others score, and the cards that they lack for recipes.
#
# In an ordinary round, it does not help that another seat makes less. If the chance to win the match counts, it
# does, and a counterfactual on the same worlds shows how much: one seat is given its points after the other move,
# or the bonus of a card that it lacks after only one move, and the chance to win is computed again.


def _own_score(scene: _Scene) -> Iterator[Claim]:
    if not scene.by_points:
        yield _score_of(scene, scene.view.seat)


def _their_scores(scene: _Scene) -> Iterator[Claim]:
    if not scene.by_points:
        for seat in range(scene.view.players):
            if seat != scene.view.seat:
                claim = _score_of(scene, seat)
                yield claim._replace(fields={**claim.fields, "seat": seat})


def _score_of(scene: _Scene, seat: int) -> Claim:
    best, other = (move.scores[:, seat].astype(np.float64) for move in (scene.best, scene.other))
    scores = scene.best.scores.astype(np.float64)
    scores[:, seat] = other
    undone = scene.rollouts.chances(np.arange(len(scores)), scores)
    return _part(scene, best, other)._replace(part=scene.best.results[:, 0] - undone)


class _Lacking(NamedTuple):
    """Worlds in which an opponent lacks a card after one of the compared moves, but wins it after the other.

    For each world, `bonuses` has the bonus that the opponent misses for lack of the card.
    """

    worlds: Words
    bonuses: Words


def denied(scene: _Scene) -> Iterator[Claim]:
    """Yield claims that the best move denies an opponent a card for a recipe more often than the other move does.

    Only denials that may explain enough of the margin are examined.
    """
    if scene.by_points:
        return
    deck, made, against = scene.deck, scene.best, scene.other
    first = made.results[:, 0]
    leads = first - against.results[:, 0]
    least = (1 - REST) * float(leads.sum())  # of the sum of all leads that must be explained
    for seat in (other for other in range(scene.view.players) if other != scene.view.seat):
        mine, other = (np.ascontiguousarray(move.piles[:, seat]) for move in (made, against))
        for card in members(int(np.bitwise_or.reduce(other & ~mine))):
            lost = np.flatnonzero((other & ~mine) >> card & 1)
            for carrier in _denied_recipes(deck, card) if _may_matter(lost, first, least) else ():
                short = _short(deck, card, carrier, lost, mine, other)
                if not _may_matter(short, first, least):
                    continue
                less = _lacking(deck, card, short, mine, other)
                gained = np.flatnonzero((mine & ~other) >> card & 1)
                more = _lacking(deck, card, _short(deck, card, carrier, gained, other, mine), other, mine)
                if len(less.worlds) < FEWEST_WORLDS or not surely_more(len(less.worlds), len(more.worlds)):
                    continue
                undone = np.zeros(len(leads))
                undone[less.worlds] -= _undone(made, seat, less, scene.rollouts)
                undone[more.worlds] += _undone(against, seat, more, scene.rollouts)
                recipe = deck.cards[carrier].recipe
                assert recipe is not None
                yield part(
                    undone,
                    seat=seat,
                    card=deck.code(card),
                    item=recipe.item,
                    share=len(less.worlds) / len(leads),
                    other_share=len(more.worlds) / len(leads),
                    **scene.named,
                )


def _denied_recipes(deck: Deck, card: int) -> Iterator[int]:
    """The carriers of the recipes in which a card can be used, including the recipe that it carries."""
    provides = deck.cards[card].provides
    for carrier, held in enumerate(deck.cards):
        if held.recipe is not None and (carrier == card or provides in held.recipe.needs):
            yield carrier


def _may_matter(worlds: Words, chances: Floats, least: float) -> bool:
    """Whether there are enough worlds, and the `chances` to win the match in them add up to at least `least`."""
    return len(worlds) >= FEWEST_WORLDS and bool(chances[worlds].sum() >= least)


def _short(deck: Deck, card: int, carrier: int, worlds: Words, without: Words, having: Words) -> Words:
    """The `worlds` in which, after either move, a seat can make a recipe with `card` but not without it.

    `carrier` carries the recipe. `without` and `having` are the seat's final piles after the two moves.
    """
    for piles in (without, having):
        rest = piles[worlds] & ~(1 << card)
        worlds = worlds[can_make(deck, carrier, rest | 1 << card) & ~can_make(deck, carrier, rest)]
    return worlds


def _lacking(deck: Deck, card: int, worlds: Words, without: Words, having: Words) -> _Lacking:
    """Find the `worlds` in which a card adds to a seat's best bonus, whichever of two moves is made.

    `having` and `without` are the seat's final piles after the two moves; only `having` includes the card. The
    returned bonuses are those that the card would add to `without`.
    """
    lacking = _brings(deck, card, without[worlds])
    worlds, lacking = worlds[lacking > 0], lacking[lacking > 0]
    serving = _brings(deck, card, having[worlds]) > 0
    return _Lacking(worlds[serving], lacking[serving])


def _brings(deck: Deck, card: int, piles: Words) -> Words:
    """The points that a card adds to the best bonus of each pile."""
    rest = piles & ~(1 << card)
    return best_of_each(deck, rest | 1 << card) - best_of_each(deck, rest)


def _undone(made: _Move, seat: int, lacking: _Lacking, rollouts: Judged) -> Floats:
    """For each world of `lacking`, how the chance to win the match would change if `seat` got the bonus it lacks.

    The chance is that of the player who asks, after the move `made`.
    """
    scores = made.scores[lacking.worlds].astype(np.float64)
    scores[:, seat] += lacking.bonuses
    undone: Floats = rollouts.chances(lacking.worlds, scores) - made.results[lacking.worlds, 0]
    return undone


# ----------------------------------------------------------------------------------------------------
# The tables of predicates: for a picked card, a played card, and a taking.
#
# For takings, the sentences name only the other move, as in "after taking F3 and giving E9": two such names would
# be too long, and the best move stands beside its reason.


_Row = Predicate[_Scene]


def _last(*rows: _Row) -> Iterator[_Row]:
    """Change rows of a table so that their causes are given only if there is no other cause."""
    return (replace(row, rank=LAST, sure=SURE_OF_FEW) for row in rows)


def _later(won: str, trick: str, later: str, *split: str) -> Iterator[_Row]:
    """Rows for causes given only if there is no other cause.

    The causes are a card won later, the worth of this trick, the worth of later tricks, and both together (see
    `halves`, which has the sentences `split`); the arguments are the sentences for them.
    """
    yield from _last(
        _Row("wins_later", "later", won, _wins_later),
        _Row("trick_worth", "worth", trick, _brought(lambda move: move.trick_worth, whole=True)),
        _Row("later_worth", "worth", later, _brought(lambda move: move.score - move.trick_worth, whole=True)),
    )
    yield from halves(_now_and_later, lambda scene: scene.named, *split)


def _now_and_later(scene: _Scene) -> tuple[Floats, Floats] | None:
    """The best move's lead in each world: what this trick adds to it, and what later ones do."""
    if not scene.by_points:
        return None
    now = scene.best.trick_worth - scene.other.trick_worth
    return now, scene.best.score - scene.other.score - now


_MATCH = (
    _Row(
        "denies_card",
        "others",
        "In {deals} only {other} lets {seat:who} get {card} for {item}; the reverse is true in {other_share}.",
        denied,
    ),
    *_last(
        _Row(
            "others_score",
            "score",
            "{seat:Who} {seat:scores|score} {amount} on average after {move}, {other_points} after {other}.",
            _their_scores,
        ),
        _Row(
            "own_score",
            "score",
            "The average score in this round is {amount} after {move}, {other_points} after {other}.",
            _own_score,
        ),
    ),
)

PLAYING: tuple[_Row, ...] = (
    _Row(
        "completes_recipe",
        "recipe",
        "{item} (+{count}) can be made in {deals} after {move}, in {other_share} after {other}: {card} from this "
        "trick completes it.",
        _completes(_others_cards),
    ),
    _Row(
        "wins_for_recipe",
        "recipe",
        "{item} (+{count}) can be made in {deals} after {move}, in {other_share} after {other}: {move} can get "
        "{card} for it in this trick.",
        _serves(_others_cards, _Move.gets),
    ),
    _Row(
        "serves_recipe",
        "recipe",
        "{item} (+{count}) can be made in {deals} after {move}, in {other_share} after {other}: {card} can be "
        "used for it if won back in this trick.",
        _serves(_own_card, _Move.gets),
    ),
    _Row(
        "kept_for_recipe",
        "later",
        "{card} is better kept for {item} (+{count}), which can be made in {deals} after {move}, in {other_share} "
        "after {other}.",
        _serves(_other_card),
        blames=True,
    ),
    _Row(
        "makes_recipe",
        "recipe",
        "{item} (+{count}) can be made in {deals} after {move}, in {other_share} after {other}.",
        _makes,
    ),
    _Row(
        "dancer_lifted",
        "trick",
        "{card} makes the Dancer the highest card: {move} wins this trick in {deals}, {other} in {other_share}.",
        _lifted,
    ),
    _Row(
        "takes_trick",
        "trick",
        "{move} wins this trick in {deals}, {other} in {other_share}.",
        _more(lambda move: move.took),
    ),
    _Row(
        "leaves_trick",
        "trick",
        "It is better to lose this trick: {move} loses it in {deals}, {other} in {other_share}.",
        _more(lambda move: ~move.took),
    ),
    _Row(
        "wins_card",
        "trick",
        "{move} gets {card} from this trick in {deals}, {other} in {other_share}.",
        _wins_now,
        rank=1,
    ),
    _Row(
        "is_given",
        "trick",
        "{move} is the lowest and gets a card in {deals}, {other} in {other_share}.",
        _more(lambda move: (move.got != 0) & ~move.took),
    ),
    _Row(
        "wins_cards",
        "trick",
        "{move} wins this trick and takes {cards} ({amount}, {move} included); {other} can't win it.",
        _wins_cards,
    ),
    _Row(
        "only_it_wins",
        "trick",
        "{move} wins this trick in {deals}, then scoring {amount} on average; {other} can't win it.",
        _only_best_wins,
    ),
    _Row(
        "trick_points",
        "trick",
        "This trick brings {amount} on average with {move}, {other_points} with {other}.",
        _brought(lambda move: move.trick_points, whole=True),
    ),
    *(
        row.of(lambda scene: Pair(_played(scene, scene.best), _played(scene, scene.other), scene.code))
        for row in TRICK_PREDICATES
    ),
    _Row(
        "keeps_trump",
        "later",
        "{card} is better kept: it wins a later trick in {deals}.",
        _keeps_trump,
        blames=True,
    ),
    _Row(
        "kept_wins",
        "later",
        "{card} is better kept: it is won back in {deals} if kept, in {other_share} if played now.",
        _won(_other_card),
        blames=True,
    ),
    _Row(
        "now_wins",
        "later",
        "{card} is better played now: it is won back in {deals} if played now, in {other_share} if kept.",
        _won(_only_own_card),
    ),
    *_later(
        "The chance to win {card} later is {share} with {move}, {other_share} with {other}.",
        "Recipes included, this trick brings {amount} on average with {move}, {other_points} with {other}.",
        "Apart from this trick, the round brings {amount} on average after {move}, {other_points} after {other}.",
        "Recipes included, {move} brings {amount} more on average than {other} in this trick, and {other_points} "
        "more later.",
        "Recipes included, {move} brings {amount} more on average than {other} in this trick, but {other_points} "
        "less later.",
        "Recipes included, {move} brings {amount} less on average than {other} in this trick, but {other_points} "
        "more later.",
    ),
    *_MATCH,
)

TAKING: tuple[_Row, ...] = (
    _Row(
        "completes_recipe",
        "recipe",
        "{card} completes {item} (+{count}); without it, {item} can be made in {other_deals}.",
        _completes(_taken),
    ),
    _Row(
        "serves_recipe",
        "recipe",
        "With {card}, {item} (+{count}) can be made in {deals}; without it, in {other_share}.",
        _serves(_taken, _Move.gets),
    ),
    _Row(
        "makes_recipe",
        "recipe",
        "{item} (+{count}) can be made in {deals}, but in {other_share} after {other}.",
        _makes,
    ),
    _Row(
        "trick_points",
        "trick",
        "The cards won in this trick are worth {amount}, but {other_points} after {other}.",
        _brought(lambda move: move.trick_points, whole=True),
    ),
    *_later(
        "The chance to win {card} later is {share}, but {other_share} after {other}.",
        "Recipes included, this trick brings {amount} on average, but {other_points} after {other}.",
        "Apart from this trick, the round brings {amount} on average, but {other_points} after {other}.",
        "Recipes included, this trick brings {amount} more on average than after {other}, and later ones "
        "{other_points} more.",
        "Recipes included, this trick brings {amount} more on average than after {other}, but later ones "
        "{other_points} less.",
        "Recipes included, this trick brings {amount} less on average than after {other}, but later ones "
        "{other_points} more.",
    ),
    *_MATCH,
)

PICKING: tuple[_Row, ...] = (
    _Row(
        "serves_recipe",
        "recipe",
        "{item} (+{count}) can be made in {deals} if {card} is picked, in {other_share} if {other} is: {card} can "
        "be used for it.",
        _serves(_own_card),
    ),
    _Row(
        "makes_recipe",
        "recipe",
        "{item} (+{count}) can be made in {deals} if {move} is picked, in {other_share} if {other} is.",
        _makes,
    ),
    _Row(
        "not_picked",
        "card",
        "{other} can wait: if not picked, it is still won in {deals}, {move} only in {other_share}.",
        _not_picked,
    ),
    _Row(
        "pick_points",
        "points",
        "{move} is worth {amount} by itself, {other} {other_points}.",
        _brought(lambda move: np.full(len(move.pile), float(move.deck.vp(move.card)))),
    ),
    *_last(
        _Row(
            "wins_later",
            "later",
            "The chance to win {card} later is {share} if {move} is picked, {other_share} if {other} is.",
            _wins_later,
        ),
        _Row(
            "recipes",
            "worth",
            "Recipes bring {amount} on average if {move} is picked, {other_points} if {other} is.",
            _brought(lambda move: move.bonus),
        ),
        _Row(
            "card_points",
            "worth",
            "The cards won are worth {amount} on average if {move} is picked, {other_points} if {other} is.",
            _brought(lambda move: move.score - move.bonus),
        ),
    ),
    *_MATCH,
)
