"""What the best reply over all deals has to know of Aqua Regia, as kernels (`solver.hints.endings`).

A particle has the hands of the other seats, and the stock. What the seat that asks chooses is noted in the public
state, and the particles then say what comes of it: the card drawn, or who leads next and in which field, which
depends on what the others hold. Sets of cards are as in `fast_rules.kernel`.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.games.aqua_regia.fast_rules.kernel import (
    BITS,
    COUNT,
    DISCARD,
    DRAWN,
    EXCHANGE,
    FIELD,
    METAL,
    OUT,
    OWNER,
    PASS,
    PILE,
    REVERSED,
    SEATS,
    STATE_WORDS,
    STATUS,
    STOCK,
    STOCKED,
    moves,
    next_field,
    turn_of,
)
from solver.games.aqua_regia.fast_rules.kernel import (
    play as move_on,
)
from solver.games.aqua_regia.hints.alone import alone
from solver.games.aqua_regia.hints.game_kernel import (
    CLOSED_PASS,
    EXCHANGES,
    PLAYS,
)
from solver.games.aqua_regia.hints.policy import Turn
from solver.games.aqua_regia.hints.rollouts import LEFT, SCORE, TOOK
from solver.hints.endings.expectation import OTHERS, OVER, OWN, expectation_kernel
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean

# Words of a public state: a node with the hand of the seat that asks and no other; what that seat has chosen + 1
# (0: nothing that is still to be done); the metal that it has drawn + 1 (0: none); who won the trick of the
# question + 1 (0: nobody yet).
CHOSEN = STATE_WORDS
DREW = CHOSEN + 1
TAKER = DREW + 1
PUBLIC_WORDS = TAKER + 1

# Words of a particle: five hands, that of the seat that asks empty; the stock of the question, 6 bits a card, the
# first one lowest; and the number of the deal that it comes from.
HIDDEN_STOCK = 5
DEAL = HIDDEN_STOCK + 1
GRAIN = DEAL + 1
MOST_STOCK = 10  # cards

# Codes of what is seen: this bit, the move, and the status after it; or as the move DRAWS, and a metal.
SEEN = 1 << 60
_STATUS_BITS = 34
_DRAWS = (1 << 14) - 1


class Ending(NamedTuple):
    """What all lines of a question share.

    `deal` has the words of `fast_rules`, whose stock is that of the particle that was looked at last; by lane the
    `metals` of the deck. `rare` is a chance: choices of the others that are no likelier are left out, and what
    they would bring is lost. `hasten` is 1 where the seat that asks goes out as soon as it can, which no other
    choice betters. The rest is room.
    """

    seat: int
    deal: Words
    metals: Words
    reactivity: Words  # as `policy.reactivity_rows` makes it
    weights: Floats  # a row a kind of player
    shares: Floats  # by deal and seat: how likely the seat is of each kind there
    rare: float
    hasten: int
    node: Words
    child: Words
    listed: Words
    rows: Words
    hand: Words
    of_kind: Floats
    chances: Floats


@lean
def turn(game: Ending, public: Words) -> int:
    """As `expectation.turn`. What was chosen is done while it is the turn of others."""
    status = public[STATUS]
    if status >> OUT:
        return OVER
    return OWN if public[CHOSEN] == 0 and turn_of(status) == game.seat else OTHERS


@lean
def own_choices(game: Ending, public: Words, codes: Words) -> int:
    """As `expectation.own_choices`: moves of `fast_rules`. A pass that draws is open until the card is known."""
    deal, status = game.deal, public[STATUS]
    drawn = (status >> DRAWN) & 1023
    opened = public[DREW] == 0 and drawn < deal[STOCKED]
    if public[DREW] > 0:
        deal[STOCK + 2 * drawn] = public[DREW] - 1
    count = moves(deal, public, 0, codes, 0, 1)
    kept = 0
    for place in range(count):
        move = codes[place]
        if (opened and move > PASS) or (public[DREW] > 0 and move < PASS):
            continue
        if game.hasten > 0 and move < PASS:
            cards = ((move & 3) + 1) << (deal[BITS] * (move >> 2))
            if public[game.seat] == cards:
                codes[0] = move
                return 1
        codes[kept] = move
        kept += 1
    return kept


@lean
def lay_node(game: Ending, public: Words, particle: Words) -> None:
    """Write the node of a particle, and its stock."""
    node, deal = game.node, game.deal
    for word in range(STATE_WORDS):
        node[word] = public[word]
    for seat in range(deal[SEATS]):
        if seat != game.seat:
            node[seat] = particle[seat]
    for place in range(deal[STOCKED]):
        deal[STOCK + 2 * place] = (particle[HIDDEN_STOCK] >> (6 * place)) & 63


@lean
def follow(game: Ending, particle: Words, move: int, answer: int, answers: Words, after: Words) -> None:
    """Write what is seen of a move in the particle whose node is laid, and what becomes of the particle."""
    child = game.child
    move_on(game.deal, game.node, 0, child, 0, move)
    answers[answer] = SEEN | (move << _STATUS_BITS) | child[STATUS]
    first = answer * GRAIN
    for seat in range(HIDDEN_STOCK):
        after[first + seat] = child[seat] if seat != game.seat else 0
    after[first + HIDDEN_STOCK] = particle[HIDDEN_STOCK]
    after[first + DEAL] = particle[DEAL]


@lean
def take_hand(game: Ending, cards: int) -> int:
    """Count the cards of a set, metal by metal, into `hand`; returns how many there are."""
    size, bits = 0, game.deal[BITS]
    for lane in range(len(game.metals)):
        held = (cards >> (bits * lane)) & ((1 << bits) - 1)
        game.hand[game.metals[lane]] = held
        size += held
    return int(size)


@lean
def lay_rows(game: Ending, first: int, last: int) -> None:
    """Write moves as the plausible player reads them (`rollouts`)."""
    for place in range(first, last):
        move, row = game.listed[place], game.rows[place]
        if move < PASS:
            row[0], row[1], row[2] = PLAYS, game.metals[move >> 2], (move & 3) + 1
        elif move == PASS:
            row[0] = CLOSED_PASS
        else:
            pair = move - EXCHANGE
            row[0], row[1], row[2] = EXCHANGES, game.metals[pair >> 6], game.metals[pair & 63]


@lean
def lay_chances(game: Ending, number: int, count: int) -> None:
    """Write how likely the seat to move makes each of the moves listed in a deal: plays come before passes."""
    deal, status = game.deal, game.node[STATUS]
    field, top = (status >> FIELD) & 3, (status >> COUNT) & 7
    drawn = (status >> DRAWN) & 1023
    draws = 1 if drawn < deal[STOCKED] else 0
    metal = game.metals[(status >> METAL) & 63] if top > 0 else 0
    now = Turn(field, next_field(field, (status >> REVERSED) & 1), metal, top, draws)
    cards = game.node[turn_of(status)]
    plays = 0
    while plays < count and game.listed[plays] < PASS:
        plays += 1
    lay_rows(game, 0, count)
    for place in range(count):
        game.chances[place] = 0.0
    for kind in range(len(game.weights)):
        part, weights = game.shares[number, turn_of(status), kind], game.weights[kind]
        if part <= game.rare:
            continue
        size = take_hand(game, cards)
        first, last = 0, min(plays + 1, count)  # what to play, or to pass
        while True:
            rows, out = game.rows[first:last], game.of_kind[first:last]
            alone(game.reactivity, game.hand, size, now, rows, weights, out)
            passes = game.of_kind[plays] if last < count else 0.0
            for place in range(first, last - int(passes > 0.0)):
                game.chances[place] += part * game.of_kind[place]
            if passes <= 0.0:
                break
            first, last, part = plays, count, part * passes  # what to exchange
            if draws > 0:
                size = take_hand(game, cards + (1 << (deal[BITS] * deal[STOCK + 2 * drawn])))


@lean
def respond(game: Ending, public: Words, particle: Words, answers: Words, chances: Floats, after: Words) -> int:
    """As `expectation.respond`: what comes of an own choice, or what a player may do of any kind
    that the seat may be of.
    """
    deal = game.deal
    lay_node(game, public, particle)
    if public[CHOSEN] > 0:
        count, move = 1, public[CHOSEN] - 1
        game.listed[0], game.chances[0] = move, 1.0
        drawn = (public[STATUS] >> DRAWN) & 1023
        if move == PASS and public[DREW] == 0 and drawn < deal[STOCKED]:
            answers[0], chances[0] = SEEN | (_DRAWS << _STATUS_BITS) | deal[STOCK + 2 * drawn], 1.0
            for word in range(GRAIN):
                after[word] = particle[word]
            return 1
    else:
        count = moves(deal, game.node, 0, game.listed, 0, 1)
        lay_chances(game, particle[DEAL], count)
    kept = 0
    for place in range(count):
        if game.chances[place] > game.rare:
            if kept == len(answers):
                return -1
            chances[kept] = game.chances[place]
            follow(game, particle, game.listed[place], kept, answers, after)
            kept += 1
    return kept


@lean
def play(game: Ending, public: Words, code: int) -> None:
    """As `expectation.play`: note an own choice, or make a move as everybody sees it."""
    if code < SEEN:
        public[CHOSEN] = code + 1
        return
    move, status = (code >> _STATUS_BITS) & _DRAWS, code & ((1 << _STATUS_BITS) - 1)
    public[CHOSEN] = 0
    if move == _DRAWS:
        public[DREW] = status + 1
        return
    bits, before, own = game.deal[BITS], public[STATUS], 0
    if turn_of(before) == game.seat:
        own = 1
        if public[DREW] > 0:
            public[game.seat] += 1 << (bits * (public[DREW] - 1))
            public[DREW] = 0
    if move < PASS:
        cards = ((move & 3) + 1) << (bits * (move >> 2))
        public[game.seat] -= own * cards
        public[PILE] += cards
    elif move > PASS:
        pair = move - EXCHANGE
        change = (1 << (bits * (pair & 63))) - (1 << (bits * (pair >> 6)))
        public[game.seat] += own * change
        public[DISCARD] -= change
    public[STATUS] = status
    taker = (status >> OUT) & 7
    if (status >> COUNT) & 7 == 0:
        public[DISCARD] += public[PILE]
        public[PILE] = 0
        taker = ((before >> OWNER) & 7) + 1
    if public[TAKER] == 0:
        public[TAKER] = taker


@lean
def outcome(game: Ending, public: Words, numbers: Floats) -> None:
    """As `expectation.outcome`: the statistics of `rollouts`."""
    numbers[SCORE] = 1.0 if public[STATUS] >> OUT == game.seat + 1 else 0.0
    numbers[LEFT] = take_hand(game, public[game.seat])
    numbers[TOOK] = 1.0 if public[TAKER] == game.seat + 1 else 0.0


follow_lines = expectation_kernel(
    "aqua", turn=turn, own_choices=own_choices, respond=respond, play=play, outcome=outcome
)
