"""The deals that agree with a view of King × Alchemy, and the kernels by which hints judge and play them out.

Only the other hands are hidden. A player who did not follow a suit (nor played a trump, nor named the Dancer that
suit) held no card of it then, nor later, since no cards are drawn (`Past.excluded`). Leading shows nothing about a
hand; nor does following with a suit card, a trump or the Dancer under the suit's name. So these exclusions and the
hands' sizes are the only conditions on a deal, and every deal that meets them is consistent with the cards seen.

If the player doesn't remember all cards that are gone, the forgotten ones form one more group, whichever piles
they are in. Only then, or with five players and nothing known, are there too many deals to number
(`solver.hints.worlds`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import NamedTuple

import numpy as np

from solver.common import Others, mask, members
from solver.games.king.bounds import least_bonus, reward
from solver.games.king.deck import CARDS, DANCER, SUITS, TRUMP
from solver.games.king.fast_rules import (
    BEST,
    LEAD,
    LEADER,
    NAMED,
    NOBODY,
    NODE_WORDS,
    PILES,
    PLAYED,
    PLAYERS,
    SEATS,
    SUIT_CARDS,
    TAKES,
    THE_DANCER,
    TRICK,
    deal_words,
    judge,
    lay,
    list_moves,
    points_of,
    round_words,
    seat_after,
    start_trick,
)
from solver.games.king.keys import TakenTrick
from solver.games.king.players import (
    ALL,
    ALL_PICKS,
    ALL_PLAYS,
    AMONG,
    HOPE,
    KINDS,
    LEAST,
    LESS_SURE,
    MIXED,
    MOST,
    MOST_LEFT,
    PICK_FEATURES,
    PICK_LENGTH,
    PICK_VOID,
    TRAINED,
    CardValues,
    Plays,
    additions,
    book_of,
    card_value,
    lose,
    new_scratch,
    pick_chances,
    pick_features,
    plays,
    recipes_of,
    row_of,
    share_out,
    value_plays,
    win,
)
from solver.games.king.position import Round
from solver.games.king.rules import TAKEN, TRICKS, Masks, Move, State, Taking, gains
from solver.hints.policy import draw_place, mixed
from solver.hints.rounds import BEFORE, Game, outlined, round_kernels
from solver.hints.worlds import (
    Chain,
    HiddenCards,
    Numbering,
    draw_among_many,
    draw_places,
    lay_places,
    may_hold,
    new_chain,
    new_likelihood_cache,
)
from solver.kernels.jit import inlined, lean
from solver.kernels.rng import below
from solver.kernels.words import Floats, Words, popcount, trailing_zeros

# ----------------------------------------------------------------------------------------------------
# Rounds of King × Alchemy among simulated players: the game's kernels for `solver.hints.rounds`.
#
# A choice's code is that of a play, a pick or a taking (`move_code`). What other seats take and give
# depends on what everybody sees, and is part of the play before it. A world has the hands (masks), then the picks
# if they are still to be made. Each of a chain's boxes has an owner: the hand of the seat that sits so many places
# after the asking one, or the cards that are gone and not remembered.


# Words of a node after those of a round in `fast_rules`: the cards that everybody sees; if a play was seen here,
# its row in `Setting.worths`, otherwise -1; what the asking seat got from the first trick (-1: not over), with
# `TAKEN_BIT` if it took the trick; and the book (`players.CardValues`).
GONE, SEEN, GOT, BOOK = range(NODE_WORDS, NODE_WORDS + 4)
TAKEN_BIT = 1 << CARDS
# Statistics of a finished round, for the asking seat: its score; whether it took the trick on the table; the
# points it got from that trick; the bonuses it could make in the end. If there is room, the scores of all seats
# follow.
SCORE, TOOK, TRICK_POINTS, BONUS, SCORES = range(5)
STATISTICS = SCORES
MOST_VALUE = 300.0  # of a pick: users' decks may have cards of 999 points, and exp overflows from 710 on
PICK_SHARES = CARDS + MOST_LEFT


class Setting(NamedTuple):
    """A view in the form that kernels read; read-only, except that `deal` remembers bonuses.

    `hand` is the asking seat's. `picking` says that picks are to be made, and `chooses` that the asking seat makes
    a choice of what it takes and gives, which otherwise it does as the others do. `deal` has the deal's constants,
    and with `recipes` and `adds` is about the values of cards (`players.CardValues`). `plays` and `picks` are how
    each kind of player values plays and picks. The deals are drawn by `numbering`; if they are too many to number,
    by `many`.

    `picked` has the card that each seat has picked (a mask; 0: not yet, or not remembered). For each kind of
    player, `shares` has a weight for picking each card, followed by factors for each number of cards of its suit
    that stay in the hand. `worths` has a row for each play that was seen: what each card was worth to the seat.
    """

    hand: int
    picking: bool
    chooses: bool
    deal: Words
    recipes: Words
    adds: Floats
    plays: Plays
    picks: Floats
    numbering: Numbering
    many: Numbering
    picked: Words
    shares: Floats
    worths: Floats


@inlined
def valued_by(game: Game, node: Words) -> CardValues:
    """Return the data for valuing cards at a node."""
    setting = game.setting
    return CardValues(setting.deal, setting.recipes, node[BOOK:], setting.adds)


@lean
def numbered(game: Game, chain: Chain, number: int) -> None:
    lay_places(game.setting.numbering, number, chain.places)


@lean
def draw(game: Game, chain: Chain) -> None:
    if len(game.setting.many.ways) > 0:
        draw_among_many(game.setting.many, chain.random, chain.places)
    else:
        draw_places(game.setting.numbering, chain.random, chain.places)


@inlined
def enter(game: Game, owner: int, seat: int) -> None:
    game.world[seat] = game.chain.boxes[owner]


@inlined
def key(world: Words, seat: int) -> int:
    return int(world[seat] * SEATS + seat + 1)


@inlined
def held(node: Words, world: Words, seat: int) -> int:
    return int(world[seat] & ~node[GONE])


@inlined
def to_move(game: Game, node: Words) -> int:
    if node[PLAYED] == game.players:
        return int(node[BEST])
    over = node[PLAYED] == 0 and game.setting.hand & ~node[GONE] == 0
    return -1 if over else seat_after(game.setting.deal, node[LEADER], node[PLAYED])


@inlined
def options(game: Game, node: Words, hand: int) -> int:
    if node[PLAYED] == game.players:
        return int(list_moves(game.setting.deal, node, 0, game.codes, 0))
    return int(plays(game.setting.deal, node, hand, game.codes))


@inlined
def values(game: Game, node: Words, world: Words, seat: int, hand: int, count: int, kinds: int) -> None:
    setting, row = game.setting, node[SEEN]
    worths, unseen = setting.worths[max(row, 0) * CARDS :], ALL & ~node[GONE] & ~hand
    by = setting.plays
    value_plays(valued_by(game, node), worths, row >= 0, count, node, seat, hand, unseen, by, kinds, game.room)


@inlined
def chosen(codes: Words, node: Words, count: int, code: int) -> int:
    """Return the index of a play that was seen. The Dancer's names other than the suit led are the same play."""
    lead = NAMED + node[LEAD]
    same = -1
    for index in range(count):
        move = codes[index]
        loses = move >= NAMED and code >= NAMED and node[PLAYED] != 0 and move != lead and code != lead
        if move == code or loses:
            same = index
    return same


@inlined
def began(game: Game, world: Words, seat: int, hand: int, kind: int) -> float:
    """Return the probability of a seat's pick, of the cards that it was dealt; 1 if it is not known."""
    deal, pick = game.setting.deal, game.setting.picked[seat]
    if pick == 0:
        return 1.0
    shares = game.setting.shares[kind * PICK_SHARES :]
    dealt = hand | pick
    of_pick = 0.0
    total = 0.0
    for suit in range(DANCER + 1):
        rest = dealt & deal[SUIT_CARDS + suit]
        if rest == 0:
            continue
        times = shares[CARDS + popcount(rest) - 1] if suit < TRUMP else 1.0
        if pick & rest != 0:
            of_pick = times * shares[trailing_zeros(pick)]
        while rest != 0:
            total += times * shares[trailing_zeros(rest)]
            rest &= rest - 1
    return float(mixed(of_pick, total, popcount(dealt), MIXED[kind]))


@inlined
def make(game: Game, node: Words, code: int) -> None:
    setting, taking = game.setting, code
    if node[PLAYED] < game.players:
        node[GONE] |= 1 << (setting.deal[THE_DANCER] if code >= NAMED else code)
        lay(setting.deal, node, 0, code)
        if node[PLAYED] < game.players:
            return
        judge(setting.deal, node, 0)
        if setting.chooses and node[BEST] == game.seat:
            return
        taking = -1
    before = node[PILES + game.seat]
    took = TAKEN_BIT if node[BEST] == game.seat else 0
    share_out(valued_by(game, node), node, popcount(setting.hand & ~node[GONE]), taking)
    if node[GOT] < 0:
        node[GOT] = node[PILES + game.seat] & ~before | took


@inlined
def begin_world(game: Game, random: Words) -> None:
    """Let the other seats pick; later, put forgotten cards into their piles or nowhere, all equally likely."""
    world, setting, begun, room = game.world, game.setting, game.begun, game.room
    world[game.seat] = setting.hand
    forgotten = ALL & ~begun[GONE] & ~setting.hand
    for step in range(1, game.players):
        other = seat_after(setting.deal, game.seat, step)
        forgotten &= ~world[other]
        if setting.picking:
            kind = draw_place(KINDS, game.shares[other * KINDS :], random)
            weights = setting.picks[kind * PICK_FEATURES :]
            count = pick_chances(valued_by(game, begun), other, world[other], weights, room)
            world[game.players + other] = room.codes[draw_place(count, room.values, random)]
            world[other] &= ~(1 << world[game.players + other])
    if setting.picking:
        return
    begun[GONE] |= forgotten
    while forgotten != 0:
        card, step = trailing_zeros(forgotten), below(random, game.players)
        forgotten &= forgotten - 1
        if step == 0:
            lose(valued_by(game, begun), card)
        else:
            win(valued_by(game, begun), begun, seat_after(setting.deal, game.seat, step), card)


@inlined
def first(game: Game, code: int) -> None:
    node, world = game.node, game.world
    if not game.setting.picking:
        make(game, node, code)
        return
    world[game.players + game.seat] = code
    for seat in range(game.players):
        pick = world[game.players + seat]
        node[GONE] |= 1 << pick
        win(valued_by(game, node), node, seat, pick)


@inlined
def finish(game: Game, node: Words, world: Words, results: Floats) -> None:
    deal, got = game.setting.deal, node[GOT]
    results[SCORE] = reward(deal, node, 0, 0, game.seat)
    results[BONUS] = least_bonus(deal, node[PILES + game.seat])
    results[TOOK] = 1.0 if got & TAKEN_BIT else 0.0
    results[TRICK_POINTS] = points_of(deal, got & ~TAKEN_BIT)
    if len(results) > STATISTICS:
        for seat in range(game.players):
            results[SCORES + seat] = reward(deal, node, 0, 0, seat)


@inlined
def note(game: Game, index: int, moves: int, results: Floats, noted: Words) -> None:
    """Note the seat's final pile, and what it got from the first trick; with room, all piles and scores too."""
    players, node = game.players, game.node
    noted[players + index] = node[PILES + game.seat]
    noted[players + moves + index] = node[GOT]
    if len(noted) > players + 2 * moves:
        for seat in range(players):
            at = players + 2 * (moves + index * players + seat)
            noted[at] = node[PILES + seat]
            noted[at + 1] = int(results[SCORES + seat])


KERNELS = round_kernels(
    "king",
    {"KINDS": KINDS, "MOST": MOST, "MIXED": MIXED, "LEAST": LEAST, "ALWAYS": True}
    | {"numbered": numbered, "draw": draw, "enter": enter, "key": key, "held": held}
    | {"to_move": to_move, "options": options, "values": values, "chosen": chosen, "began": began, "make": make}
    | {"begin_world": begin_world, "first": first, "finish": finish, "note": note},
    outlined,
)


# ----------------------------------------------------------------------------------------------------
# A view as words: its tricks are played again, which gives the root, and the plays that were seen.


# Words of a trick that was seen: the leader, the number of plays, which of them were against the rules (bits); the
# plays; for every seat the mask of the cards that it got.
TRICK_LEADER, COUNT, AS_PLAYED, CODES = range(4)
GAINS = CODES + SEATS
TRICK_WORDS = GAINS + SEATS


@lean
def replay(values: CardValues, tricks: Words, left: int, root: Words, seen: Words, worths: Floats) -> None:
    """Play tricks from the node `root` on, and write rows of `Game.seen` and of `Setting.worths`.

    `tricks` has `TRICK_WORDS` for each trick, and `left` is the number of cards in a hand before them. The last
    trick may be full, but is not shared out.
    """
    deal, row = values.deal, 0
    for trick in range(len(tricks) // TRICK_WORDS):
        words = tricks[trick * TRICK_WORDS :]
        start_trick(root, 0, words[TRICK_LEADER])
        for turn in range(words[COUNT]):
            seat, code = seat_after(deal, words[TRICK_LEADER], turn), words[CODES + turn]
            card = deal[THE_DANCER] if code >= NAMED else code
            seen[row, 0], seen[row, 1], seen[row, 2] = seat, code, 1 << card
            seen[row, 3] = 1 - ((words[AS_PLAYED] >> turn) & 1)
            for word in range(GOT):
                seen[row, BEFORE + word] = root[word]
            seen[row, BEFORE + SEEN] = row
            for other in range(CARDS):
                worths[row * CARDS + other] = card_value(values, row_of(values.recipes, seat), left, other)
            row += 1
            root[GONE] |= 1 << card
            lay(deal, root, 0, code)
        if words[COUNT] == deal[PLAYERS]:
            judge(deal, root, 0)
        left -= 1
        if trick < len(tricks) // TRICK_WORDS - 1:
            rest = root[TRICK]
            for seat in range(deal[PLAYERS]):
                cards = words[GAINS + seat]
                rest &= ~cards
                while cards != 0:
                    win(values, root, seat, trailing_zeros(cards))
                    cards &= cards - 1
            while rest != 0:
                lose(values, trailing_zeros(rest))
                rest &= rest - 1
            start_trick(root, 0, root[BEST])


@lean
def lay_shares(values: CardValues, picks: Floats, left: int, all_shares: Floats, out: Floats) -> None:
    """Write `Setting.shares`, for picks that leave `left` cards in a hand.

    `values` are those before the picks, `picks` has the feature weights of each kind of player, and `out` is
    scratch memory for features.
    """
    for kind in range(KINDS):
        weights = picks[kind * PICK_FEATURES :]
        shares = all_shares[kind * PICK_SHARES :]
        most = MOST_VALUE
        for card in range(CARDS):
            pick_features(values, 0, 1 << card, left, card, out)
            value = 0.0
            for index in range(PICK_LENGTH):
                value += out[index] * weights[index]
            shares[card] = value
            most = max(most, value)
        for card in range(CARDS):
            shares[card] = exp(max(shares[card] - (most - MOST_VALUE), -MOST_VALUE))
        for stay in range(MOST_LEFT):
            value = 0.2 * stay * weights[PICK_LENGTH]
            shares[CARDS + stay] = exp(value + (weights[PICK_VOID] if stay == 0 else 0.0))


def move_code(view: Round, move: Move) -> int:
    """Encode a pick, a play or a taking as in `fast_rules`."""
    if isinstance(move, Taking):
        first, second = (*sorted(move.taken), NOBODY, NOBODY)[:TAKEN]
        return TAKES | first << 8 | second << 14 | (NOBODY if move.given is None else move.given) << 20
    deck = view.full_deck
    named = move.card == deck.dancer and move.suit < SUITS
    return NAMED + move.suit if named else move.card


def tricks_in_words(view: Round) -> Words:
    """Encode all tricks of a view, including the one on the table, as words."""
    words = []
    as_played = view.past.rules.as_played
    for trick in (*view.tricks, view.current_trick):
        got = [0] * SEATS
        if isinstance(trick, TakenTrick):
            for seat, cards in gains(view.full_deck, trick.leader, trick.plays, trick.taking):
                got[seat] |= cards
        codes = [move_code(view, play) for play in trick.plays]
        against = sum(as_played >> play.card << turn & 1 << turn for turn, play in enumerate(trick.plays))
        words += [trick.leader, len(codes), against, *codes, *[-1] * (SEATS - len(codes)), *got]
    return np.array(words, np.int64)


# ----------------------------------------------------------------------------------------------------
# The deals that agree with a view.


@dataclass(frozen=True)
class Deals(HiddenCards):
    """The deals that agree with a view.

    The cards are dealt in groups: group g is the hand of the seat that sits g + 1 places after the asking one. If
    the player has forgotten some of the cards that have left the hands, these form one more group.
    """

    view: Round

    def game(self, others: Others = "equal", *, chooses: bool = False) -> Game:
        """Return the view as kernels read it, among players of the strength `others`.

        `chooses` says whether the asking seat makes a choice of what it takes and gives.
        """
        view, players, deck = self.view, self.view.players, self.view.full_deck
        nobody = (0,) * players
        piles = picked = nobody  # before the given tricks: the picks, if all tricks are given
        left, gone, tricks = TRICKS[players], mask(view.numbers("removed")), np.zeros(0, np.int64)
        deal = deal_words(State(deck, nobody, view.leader, (), nobody), view.seat, allies=False)
        values = CardValues(deal, recipes_of(deck), book_of(deck, nobody, gone), additions(HOPE, players))
        sure = LESS_SURE if others == "beginner" else 1.0
        shares, picks = np.zeros(KINDS * PICK_SHARES), sure * ALL_PICKS
        if not view.choosing:
            lay_shares(values, picks, left, shares, np.zeros(PICK_FEATURES))
            tricks = tricks_in_words(view)
            piles = tuple(pile & ~gained for pile, gained in zip(view.piles, view.past.won, strict=True))
            if view.over == len(view.tricks) and all(pile.bit_count() == 1 for pile in piles):
                picked = piles
            gone |= mask(view.numbers("gone"))
            left -= view.over - len(view.tricks)
        book = book_of(deck, piles, gone)
        root = np.zeros(BOOK + len(book), np.int64)
        root[:NODE_WORDS], root[BOOK:] = round_words(State(deck, nobody, view.leader, (), piles), deal), book
        root[GONE], root[SEEN], root[GOT] = gone | sum(piles), -1, 0 if view.choosing else -1
        rows = int(tricks[COUNT::TRICK_WORDS].sum())
        seen, worths = np.zeros((rows, BEFORE + GOT), np.int64), np.zeros(max(rows, 1) * CARDS)
        replay(values._replace(book=root[BOOK:]), tricks, left, root, seen, worths)
        setting = Setting(
            hand=view.hand_mask,
            picking=view.choosing,
            chooses=chooses,
            deal=deal,
            recipes=values.recipes,
            adds=values.adds,
            plays=ALL_PLAYS._replace(weights=sure * ALL_PLAYS.weights),
            picks=picks,
            numbering=self.numbering,
            many=self.many,
            picked=np.array(picked, np.int64),
            shares=shares,
            worths=worths,
        )
        room, world = new_scratch(), np.zeros(2 * players, np.int64)
        world[view.seat] = view.hand_mask
        return Game(
            seat=view.seat,
            players=players,
            own=TRAINED,
            setting=setting,
            room=room,
            root=root,
            seen=seen,
            expected=AMONG[others],
            chain=new_chain(
                np.array(self.cards, np.int64),
                self.numbering.groups,
                np.arange(len(self.sizes)),
                np.zeros(1, np.int64),
            ),
            kept=new_likelihood_cache(KINDS),
            world=world,
            begun=np.zeros_like(root),
            node=np.zeros_like(root),
            shares=np.zeros(players * KINDS),
            found=np.zeros(KINDS),
            codes=room.codes,
            values=room.values,
        )

    def hands(self, places: Sequence[int]) -> Masks:
        """The hands of a deal, as masks by seat; `places` has the group of each unseen card."""
        view = self.view
        hands = [view.hand_mask if seat == view.seat else 0 for seat in range(view.players)]
        for card, box in zip(self.cards, places, strict=True):
            if box < view.players - 1:
                hands[(view.seat + 1 + box) % view.players] |= 1 << card
        return tuple(hands)

    def position(self, places: Sequence[int]) -> Round:
        """A deal as a position with every card known; `places` has the group of each unseen card."""
        view = self.view
        deck = view.full_deck
        hands = tuple(
            view.hand if seat == view.seat else tuple(deck.codes(members(hand)))
            for seat, hand in enumerate(self.hands(places))
        )
        if view.choosing:
            return Round(**view.fields("leader", "removed", "seat"), hands=hands)
        history = [] if view.in_part else ["history"]
        return Round(**view.fields("leader", "removed", "trick", "as_played", "won", *history), hands=hands)


def deals(view: Round) -> Deals:
    """Every deal that agrees with a view."""
    unseen = tuple(members(view.unseen))
    others = [(view.seat + step) % view.players for step in range(1, view.players)]
    if view.choosing:
        return Deals(unseen, may_hold(unseen, [0] * len(others)), (len(view.hand),) * len(others), view)
    sizes, excluded = [view.count(seat) for seat in others], [view.excluded(seat) for seat in others]
    if view.forgotten:
        sizes.append(view.forgotten)
        excluded.append(0)
    return Deals(unseen, may_hold(unseen, excluded), tuple(sizes), view)


def positions(view: Round, most: int, seed: int = 0) -> list[Round]:
    """Return at most `most` deals that agree with a view, as positions (see `solver.game.Game.worlds`)."""
    hidden = deals(view)
    if hidden.numbered and hidden.total <= most:
        return [hidden.position(hidden.world(number)) for number in range(hidden.total)]
    return [hidden.position(hidden.drawn(seed, number)) for number in range(most)]
