"""The deals that agree with what a seat of Kirin sees, and the kernels by which hints judge and play them out.

The three other hands and the three cards that the others set aside are hidden. A hand holds no card that its seat
would have had to play earlier (`Past.excluded`); a card set aside was never in the hand during play, so it can be
any unseen card. No cards are drawn during a round, so these rules and the hands' sizes are the only conditions on
a deal, and every deal that meets them is consistent with the cards played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from math import exp
from typing import NamedTuple

import numpy as np

from solver.common import Others, Random, mask
from solver.games.kirin.deck import ALL, ASCENDING, COLOURS, members, name, names
from solver.games.kirin.fast_rules import (
    COLOUR_OF,
    COLOUR_SETS,
    DIRECTION,
    LIVE,
    PLAYED,
    RANK_OF,
    SAME_COLOUR,
    STATE_WORDS,
    TRICK,
    asks,
    end_trick,
    gained,
    lay,
    playable,
    seat_to_move,
    start_trick,
)
from solver.games.kirin.players import (
    ALL_BY_RULES,
    BY_RULES,
    DECLARE,
    KINDS,
    LESS_SURE,
    LOOKS_AHEAD,
    MIXED,
    MOST,
    PLAY,
    RANKS,
    Ahead,
    ahead,
    declare_values,
    new_scratch,
    value_cards,
)
from solver.games.kirin.position import Round, numbers
from solver.games.kirin.rules import HAND as DEALT
from solver.games.kirin.rules import SEATS, direction_after, order_of, score
from solver.hints.policy import draw_place, mixed, to_chances
from solver.hints.rounds import BEFORE, Game, round_kernels
from solver.hints.worlds import (
    Chain,
    HiddenCards,
    Numbering,
    lay_places,
    may_hold,
    new_chain,
    new_likelihood_cache,
)
from solver.kernels.jit import inlined, lean
from solver.kernels.rng import below_wide, uniform
from solver.kernels.words import Floats, Words, popcount, trailing_zeros
from solver.search.trick_rules import write_members

# ----------------------------------------------------------------------------------------------------
# Rounds of Kirin among simulated players: the game's kernels for `solver.hints.rounds`.
#
# A choice's code is the card. Boxes 0 to 2 of a chain are the hands of the seats after the asking one, boxes 3 to
# 5 what they have set aside, and `GONE_BOX` the cards that were played and are not remembered.


FORGOTTEN = 4  # the group of the cards that were played and are not remembered
GONE_BOX = 6
# Words of a world: the four hands, then the cards set aside (-1: not yet).
ASIDE = SEATS
# Words of a node after those of `fast_rules`: the points of each seat, four bits for each colour that it may
# collect (tricks after the root count for its own alone); the cards that the asking seat has won since the root;
# and of the first trick that ended, who took it (-1: nobody; `NOT_OVER`), the points that it brought, and the
# direction after it.
HAS = STATE_WORDS
CAUGHT, TAKER, BROUGHT, FIRST_DIRECTION, NODE_WORDS = range(HAS + SEATS, HAS + SEATS + 5)
NOT_OVER = -2
# Statistics of a finished round, for the asking seat: the round's points; whether the card won its trick; the
# points of that trick. If there is room, the round's points of each seat follow.
SCORE, WON_TRICK, TRICK_POINTS, SCORES = range(4)
STATISTICS = SCORES
ALL_STATISTICS = SCORES + SEATS
DIRECTION_BIT = 40  # in the words noted about a move, above all cards


class Setting(NamedTuple):
    """A view in the form that kernels read; read-only.

    `hand` is the asking seat's, and `aside` the card that it has set aside (-1: not yet). `arrangements` is the
    number of ways to give out the cards set aside, and `asks` the offset of a led card (`fast_rules.asks`). `own`
    has what scores for a seat, by the colour that it collects. `play` and `declare` are the weights of rule-based
    players, and `ahead` is about players who look ahead. For each kind of player and rank of a card, `lifts` has
    exp(the value of setting the card aside minus that of keeping it).
    """

    hand: int
    aside: int
    arrangements: int
    asks: int
    own: Words
    numbering: Numbering
    play: Floats
    declare: Floats
    ahead: Ahead
    lifts: Floats


@lean
def numbered(game: Game, chain: Chain, number: int) -> None:
    arrangements, numbering, places = game.setting.arrangements, game.setting.numbering, chain.places
    lay_places(numbering, number // arrangements, places)
    arrangement = number % arrangements
    first, asides = arrangement % 3, 0
    for index in range(len(places)):
        if places[index] == FORGOTTEN:
            places[index] = GONE_BOX
        elif places[index] == 3:
            # The first card goes to one of three, the second to one of the two left.
            box = first
            if asides == 1:
                box = (first + 1 + arrangement // 3) % 3
            elif asides == 2:
                box = (first + 2 - arrangement // 3) % 3
            places[index] = 3 + box
            asides += 1


@lean
def draw(game: Game, chain: Chain) -> None:
    ways = game.setting.numbering.ways
    numbered(game, chain, below_wide(chain.random, ways[0, ways.shape[1] - 1] * game.setting.arrangements))


@inlined
def enter(game: Game, owner: int, seat: int) -> None:
    boxes = game.chain.boxes
    game.world[seat] = boxes[owner]
    if game.setting.aside >= 0:
        game.world[ASIDE + seat] = trailing_zeros(boxes[3 + owner])


@inlined
def key(world: Words, seat: int) -> int:
    return int(((world[seat] << 6) | world[ASIDE + seat]) * 4 + seat + 1)


@inlined
def held(node: Words, world: Words, seat: int) -> int:
    return int(world[seat] & node[LIVE])


@inlined
def to_move(game: Game, node: Words) -> int:
    over = node[PLAYED] == 0 and popcount(node[LIVE]) == SEATS  # only the cards set aside are left
    return -1 if over else int(seat_to_move(node, 0))


@inlined
def options(game: Game, node: Words, hand: int) -> int:
    return int(write_members(playable(hand, node, 0), game.codes, 0))


@inlined
def values(game: Game, node: Words, world: Words, seat: int, hand: int, count: int, kinds: int) -> None:
    setting, room, aside = game.setting, game.room, world[ASIDE + seat]
    own, unseen = SAME_COLOUR[aside], node[LIVE] & ~hand & ~(1 << aside)
    value_cards(game.codes, count, hand, own, unseen, node, setting.play, setting.ahead.net, kinds, room)


@inlined
def chosen(codes: Words, node: Words, count: int, code: int) -> int:
    last = -1
    for index in range(count):
        if codes[index] == code:
            last = index
    return last


@inlined
def began(game: Game, world: Words, seat: int, hand: int, kind: int) -> float:
    """Return the probability that the seat sets aside what it did, of the nine cards that it had."""
    setting, aside = game.setting, world[ASIDE + seat]
    weights = setting.declare if kind == BY_RULES else setting.ahead.declare
    total = 0.0
    declared = 0.0
    for which in range(4):
        rest = (hand | 1 << aside) & COLOUR_SETS[which]
        if rest == 0:
            continue
        kept = 0.0
        lift = 0.0
        while rest != 0:
            rank = RANK_OF[trailing_zeros(rest)]
            rest &= rest - 1
            kept += weights[rank]
            lift += setting.lifts[kind * RANKS + rank]
        kept = exp(kept)
        total += kept * lift
        if which == COLOUR_OF[aside]:
            declared = kept * setting.lifts[kind * RANKS + RANK_OF[aside]]
    return mixed(declared / total, 1.0, MOST, MIXED[kind])


@inlined
def make(game: Game, node: Words, code: int) -> None:
    lay(node, 0, code)
    if node[PLAYED] == SEATS:
        trick, points = node[TRICK], 0
        taker = end_trick(node, 0, game.setting.asks)
        if taker >= 0:
            which = COLOUR_OF[game.world[ASIDE + taker]]  # in endings, right for the asking seat alone
            points = gained(game.setting.own[which], trick, popcount(node[LIVE]) == SEATS)
            node[HAS + taker] += points << (4 * which)
        if taker == game.seat:
            node[CAUGHT] |= trick
        if node[TAKER] == NOT_OVER:
            node[TAKER], node[BROUGHT], node[FIRST_DIRECTION] = taker, points, node[DIRECTION]


@inlined
def of_colour(points: int, aside: int) -> int:
    """The points of a seat that has set a card aside, of its points by colour."""
    return int((points >> (4 * COLOUR_OF[aside])) & 15)


@inlined
def begin_world(game: Game, random: Words) -> None:
    world, setting, begun = game.world, game.setting, game.begun
    world[game.seat] = setting.hand
    if setting.aside < 0:
        for step in range(1, SEATS):
            other = (game.seat + step) & 3
            share = game.shares[other * KINDS + LOOKS_AHEAD]
            looks = share > 0.0 and (share >= 1.0 or uniform(random) < share)
            count = options(game, begun, world[other])
            declare_values(world[other], setting.ahead.declare if looks else setting.declare, game.values)
            to_chances(count, game.values)
            world[ASIDE + other] = game.codes[draw_place(count, game.values, random)]
            world[other] &= ~(1 << world[ASIDE + other])
        return
    begun[LIVE] = 0  # without the cards that were played, remembered or not
    for seat in range(SEATS):
        begun[LIVE] |= world[seat] | (1 << world[ASIDE + seat])


@inlined
def first(game: Game, code: int) -> None:
    if game.setting.aside < 0:
        game.world[game.seat], game.world[ASIDE + game.seat] = game.setting.hand & ~(1 << code), code
    else:
        make(game, game.node, code)


@inlined
def finish(game: Game, node: Words, world: Words, results: Floats) -> None:
    aside, took = world[ASIDE + game.seat], node[TAKER] == game.seat
    results[SCORE] = of_colour(node[HAS + game.seat], aside)
    results[WON_TRICK] = 1.0 if took else 0.0
    results[TRICK_POINTS] = node[BROUGHT] if took else 0.0
    if len(results) > SCORES:
        for seat in range(SEATS):
            results[SCORES + seat] = of_colour(node[HAS + seat], world[ASIDE + seat])


@inlined
def note(game: Game, index: int, moves: int, results: Floats, noted: Words) -> None:
    """Note the cards that the seat wins, with the direction after the first trick at `DIRECTION_BIT`."""
    noted[SEATS + index] = game.node[CAUGHT] | game.node[FIRST_DIRECTION] << DIRECTION_BIT


KERNELS = round_kernels(
    "kirin",
    {"KINDS": KINDS, "MOST": MOST, "MIXED": MIXED}
    | {"numbered": numbered, "draw": draw, "enter": enter, "key": key, "held": held}
    | {"to_move": to_move, "options": options, "values": values, "chosen": chosen, "began": began, "make": make}
    | {"begin_world": begin_world, "first": first, "finish": finish, "note": note},
)


# ----------------------------------------------------------------------------------------------------
# The deals that agree with a view.


@dataclass(frozen=True)
class Deals(HiddenCards):
    """The deals that agree with a view.

    The unseen cards are divided into groups: 0 to 2 are the hands of the seats after
    the asking one, 3 has the cards that these seats have set aside, and `FORGOTTEN` those played cards that the
    player does not remember, if any. The cards in group 3 can be arranged among the seats in several ways. A
    deal's number is (number of the division) × (number of arrangements) + (number of the arrangement).
    """

    view: Round
    arrangements: int

    @property
    def total(self) -> int:
        """The number of deals."""
        return super().total * self.arrangements

    def game(self, others: Others = "equal") -> Game:
        """Return the view as kernels read it, among players of the strength `others`."""
        view, looks = self.view, ahead()
        sure = LESS_SURE if others == "beginner" else 1.0
        play, declare = sure * np.array(PLAY), sure * np.array(DECLARE)
        lifts = [exp(of[RANKS + rank] - of[rank]) for of in (looks.declare, declare) for rank in range(RANKS)]
        own = view.aside[view.seat]
        aside = -1 if own is None else own
        order = order_of(view.rules)
        asked = asks(order.only_kirin)
        hand = view.hand_mask
        setting = Setting(
            hand=hand,
            aside=aside,
            arrangements=self.arrangements,
            asks=asked,
            own=np.array([order.scoring(which) for which in range(len(COLOURS))], np.int64),
            numbering=self.numbering,
            play=play,
            declare=declare,
            ahead=looks,
            lifts=np.array(lifts),
        )
        root, seen = _replayed(view, asked)
        # A card set aside was never held during play: group 3 stands for every such place.
        boxes = [
            group & 7 | (group >> 3 & 1) * 0b111000 | (group >> FORGOTTEN & 1) << GONE_BOX for group in self.groups
        ]
        owners = np.array([0, 1, 2, 0, 1, 2, 3][: GONE_BOX + (len(self.sizes) > FORGOTTEN)])
        room, world = new_scratch(), np.zeros(ASIDE + SEATS, np.int64)
        world[view.seat], world[ASIDE + view.seat] = hand, aside
        return Game(
            seat=view.seat,
            players=SEATS,
            own=LOOKS_AHEAD,
            setting=setting,
            room=room,
            root=root,
            seen=seen,
            expected=looks.expected if others == "equal" else ALL_BY_RULES,
            chain=new_chain(
                np.array(self.cards, np.int64), np.array(boxes, np.int64), owners, np.zeros(1, np.int64)
            ),
            kept=new_likelihood_cache(KINDS),
            world=world,
            begun=np.zeros(NODE_WORDS, np.int64),
            node=np.zeros(NODE_WORDS, np.int64),
            shares=np.zeros(SEATS * KINDS),
            found=np.zeros(KINDS),
            codes=np.zeros(MOST, np.int64),
            values=room.values,
        )

    @cached_property
    def _game(self) -> Game:
        return self.game()

    def position(self, rank: int) -> Round:
        """Return deal number `rank` as a position with every card known."""
        view, chain = self.view, self._game.chain
        numbered(self._game, chain, rank)
        hands, aside = (
            [view.hand_mask if seat == view.seat else 0 for seat in range(SEATS)],
            ["" for _ in range(SEATS)],
        )
        for card, box in zip(self.cards, chain.places.tolist(), strict=True):
            seat = (view.seat + 1 + box % 3) % SEATS
            if box < 3:
                hands[seat] |= 1 << card
            elif box != GONE_BOX:
                aside[seat] = name(card)
        texts = tuple(
            view.hand if seat == view.seat else tuple(names(members(hand))) for seat, hand in enumerate(hands)
        )
        if view.choosing:
            return Round(game="kirin", rules=view.rules, seat=view.seat, leader=view.leader, hands=texts)
        aside[view.seat] = str(view.declared)
        return Round(
            game="kirin",
            rules=view.rules,
            direction="descending" if view.past.rules.direction else "ascending",
            leader=view.leader,
            trick=view.trick,
            hands=texts,
            declared=tuple(aside),
            history=None if view.in_part else view.history,
            won=tuple(tuple(names(members(pile))) for pile in view.past.won),
            as_played=view.as_played,
        )


def _replayed(view: Round, asked: int) -> tuple[Words, Words]:
    """Return the root of a view, and a row of words for each play that was seen (`solver.hints.rounds`).

    Each of the nodes before the plays has all cards that were not yet played as those that may still be; the root
    has those that are not known to be gone. `asked` is the deal's ASKS.
    """
    root = np.zeros(NODE_WORDS, np.int64)
    root[TAKER], root[LIVE] = NOT_OVER, ALL
    past = view.past
    for seat in range(SEATS):
        root[HAS + seat] = sum(score(past, seat, which) << 4 * which for which in range(len(COLOURS)))
    if view.choosing:
        start_trick(root, 0, view.leader, ASCENDING, asked)
        return root, np.zeros((0, BEFORE + STATE_WORDS), np.int64)
    rows = []
    direction = view.start.rules.direction
    for trick in (*view.tricks, view.current_trick):
        start_trick(root, 0, trick.leader, direction, asked)
        for card in trick.plays:
            shows = 1 - (view.past.rules.as_played >> card & 1)
            rows.append([seat_to_move(root, 0), card, 1 << card, shows, *root[:STATE_WORDS]])
            lay(root, 0, card)
        direction = direction_after(mask(trick.plays), direction)
    if view.in_part:
        root[LIVE] &= ~(view.past.discarded | mask(numbers(sum(view.won, ()))))
    return root, np.array(rows, np.int64).reshape(len(rows), BEFORE + STATE_WORDS)


def deals(view: Round) -> Deals:
    """Return the deals that agree with a view."""
    if view.choosing:
        unseen = list(members(ALL & ~view.hand_mask))
        sizes, excluded, arrangements = [DEALT, DEALT, DEALT, 0], [0, 0, 0], 1
    else:
        others = [(view.seat + step) % SEATS for step in range(1, SEATS)]
        unseen, arrangements = list(members(view.unseen)), 6  # orders of the three cards set aside
        sizes = [*(view.count(seat) for seat in others), len(others)]
        excluded = [*(view.excluded(seat) for seat in others), 0]
        if view.forgotten:
            sizes.append(view.forgotten)
            excluded.append(0)
    return Deals(tuple(unseen), may_hold(unseen, excluded), tuple(sizes), view, arrangements)


def deals_by_order(view: Round) -> list[Deals]:
    """Return the deals that agree with a view, for each order of earlier tricks that the player can't exclude."""
    return [deals(each) for each in view.by_order]


def positions(view: Round, most: int, seed: int = 0) -> list[Round]:
    """Return every position that agrees with a view, or `most` random ones if there are more."""
    hidden = deals(view)
    ranks: Iterable[int] = range(hidden.total)
    if hidden.total > most:
        ranks = (Random(seed, number).word() % hidden.total for number in count())
    agreeing = (position for position in map(hidden.position, ranks) if _agrees(view, position))
    return list(islice(agreeing, most))


def _agrees(view: Round, position: Round) -> bool:
    """Whether no hand of a deal has a card that its seat would have had to play in every order that may be."""
    if len(view.by_order) == 1:
        return True
    hands = [mask(numbers(hand)) for hand in position.hands]
    return any(
        not any(hand & each.excluded(seat) for seat, hand in enumerate(hands) if seat != view.seat)
        for each in view.by_order
    )
