"""Games of Aqua Regia from which its networks learn, as kernels: decks, players, choices and states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.games.aqua_regia.deck import FIELDS, KIND, AquaReadings, Deck
from solver.games.aqua_regia.fast_rules import (
    COPIES,
    DRAWN,
    NOBODY,
    SCALARS,
    STOCKED,
    TURN,
    Game,
    copy_rows,
    make_move,
    reactivity_rows,
    settle,
    winner_of,
)
from solver.games.aqua_regia.players import (
    CONTEXT,
    GOES_OUT,
    MOVE,
    PLAYER,
    WEIGHTS,
    Brain,
    Scratch,
    choice_inputs,
    exchange_by_rule,
    full_inputs,
    list_and_think,
    move_by_rule,
    move_drawn,
    move_inputs,
    work_out,
)
from solver.games.aqua_regia.rules import HAND
from solver.hints.network import Inputs, Network, Singles
from solver.hints.policy import draw_place, to_chances
from solver.kernels.jit import kernel, lean
from solver.kernels.rng import below, start_stream, uniform
from solver.kernels.words import Floats, Words

_LEFT = 4  # the fewest cards that are not dealt


def random_deck(seed: int, number: int, players: int) -> Deck:
    """Deck `number` of a seed, for this many players: 10 to 24 metals, 3 to 6 of each.

    In two decks out of three, reactivities fall with the strength of the metal and grow from field to field, as in
    the house deck, with exceptions; in the others they are arbitrary. Half of the decks, on average, use the other
    reading of the rules.
    """
    random = np.random.default_rng((seed, number, players))
    copies = int(random.choice((3, 4, 4, 4, 5, 6)))
    fewest = max(10, -(-(HAND * players + _LEFT) // copies))
    size = int(random.integers(fewest, 25))
    alike = random.random() < 2 / 3
    lows, slopes = random.uniform(-1.5, 0.5, 4).cumsum(), random.uniform(1.5, 4.5)
    if random.random() < 0.25:
        random.shuffle(lows)
    metals = []
    for metal in range(size):
        fraction = metal / size
        if alike:
            levels = np.rint(
                lows - lows.min() + 3.0 - slopes * fraction - 1.2 * lows.max() + random.normal(0, 0.4, 4)
            )
            levels = np.clip(levels, 0, 3).astype(int)
        else:
            levels = np.minimum(random.choice((0, 0, 1, 2, 3), 4), random.integers(1, 4))
        if not levels.any():
            levels[random.integers(4)] = random.integers(1, 4)
        reactivity = dict(zip(FIELDS, map(int, levels), strict=True))
        metals.append({"symbol": f"M{metal}", "reactivity": reactivity})
    deck = KIND.read({"name": "random", "copies": copies, "metal": metals})
    readings = AquaReadings(reactivity_one_follows_single=bool(random.random() < 0.5))
    return Deck(deck.name, deck.title, deck.copies, deck.metals, readings)


class Choices(NamedTuple):
    """Recorded choices, and their moves one after another.

    `many` has the number of choices and the number of moves. For each choice, `shared` has the inputs that its
    moves share, `begins` the index of its first move, and `counts` the number of its moves. For each move, `moves`
    has its own inputs, `by_rule` its value to the plausible player, and `points` its player's final score.
    """

    many: Words
    shared: Singles
    begins: Words
    counts: Words
    moves: Singles
    by_rule: Singles
    points: Singles


def room_for(choices: int, moves: int, context: int, own: int) -> Choices:
    """Allocate room for `choices` with `context` shared inputs each, and for `moves` with `own` inputs each."""
    return Choices(
        np.zeros(2, np.int64),
        np.zeros((choices, context), np.float32),
        np.zeros(choices, np.int64),
        np.zeros(choices, np.int64),
        np.zeros((moves, own), np.float32),
        np.zeros(moves, np.float32),
        np.zeros(moves, np.float32),
    )


@lean
def begin_choice(rows: Choices, count: int) -> int:
    """Begin a choice with `count` moves; returns the index of the first. There must be room."""
    row, at = rows.many
    rows.many[0] = row + 1
    rows.many[1] = at + count
    rows.begins[row] = at
    rows.counts[row] = count
    return int(at)


@lean
def note_told(told: Inputs, offset: int, row: Singles) -> None:
    """Write a network's inputs to a row that begins with input number `offset`; all other elements become 0."""
    for element in range(len(row)):
        row[element] = 0.0
    for index in range(told.many[0]):
        row[told.places[index] - offset] = told.values[index]


@lean
def place_of_best(count: int, worth: Floats) -> int:
    """The place of the highest of the first `count` numbers; the first of equals."""
    best = 0
    for index in range(1, count):
        if worth[index] > worth[best]:
            best = index
    return best


# Kinds of players: by the trained weights; careless, by smaller ones; greedy, who plays whenever it can, the most
# cards of the weakest metal, and makes pairs by exchanges; and the learned one.
TRAINED, CARELESS, GREEDY, LEARNED = range(4)
_CARELESS = 0.2  # of the trained player's weights
_GREEDY_WEIGHTS = (
    20.0, -15.0, 0.0, 0.0, 0.0, 0.0,  # to follow
    20.0, -15.0, 0.0, 0.0, 0.0, 0.0,  # to lead
    -40.0, 0.0, -5.0, 20.0, -20.0, 0.0, 0.0, 5.0,  # to pass, and to exchange
)  # fmt: skip


class Players(NamedTuple):
    """The learned player, and the weights of the other players, one row per kind."""

    brain: Brain
    rules: Floats


class Table(NamedTuple):
    """A game in play, and the kind of each player."""

    game: Game
    kinds: Words


def players_with(net: Network, trust: float) -> Players:
    """The players, with this network as the learned one.

    `trust` is the weight of the plausible player's values in the learned player's.
    """
    trained = np.array(PLAYER)
    rules = np.array([trained, _CARELESS * trained, np.array(_GREEDY_WEIGHTS)])
    assert rules.shape[1] == WEIGHTS
    return Players(Brain(net, np.array([trust]), trained), rules)


def new_table(deck: Deck, players: int) -> Table:
    """A table without a game."""
    rows = [np.zeros((players, deck.size), np.int64) for _ in range(2)]
    stock = np.zeros(deck.cards - HAND * players, np.int64)
    scalars = np.zeros(SCALARS, np.int64)
    scalars[COPIES], scalars[STOCKED] = deck.copies, len(stock)
    piles = np.zeros((2, deck.size), np.int64)
    game = Game(reactivity_rows(deck), rows[0], np.zeros(players, np.int64), piles, scalars, stock, rows[1])
    return Table(game, np.zeros(players, np.int64))


@lean
def deal_cards(table: Table, dealer: int, cards: Words, random: Words) -> None:
    """Shuffle, deal and begin; `cards` is working memory with room for the whole deck."""
    game = table.game
    scalars = game.scalars
    copies, stocked = scalars[COPIES], scalars[STOCKED]
    players, metals = game.hands.shape
    for index in range(len(cards)):
        cards[index] = index // copies
    for index in range(len(cards) - 1, 0, -1):
        other = below(random, index + 1)
        cards[index], cards[other] = cards[other], cards[index]
    for word in range(SCALARS):
        scalars[word] = 0
    scalars[COPIES], scalars[STOCKED], scalars[TURN] = copies, stocked, dealer
    for metal in range(metals):
        game.piles[0, metal] = game.piles[1, metal] = 0
        for seat in range(players):
            game.hands[seat, metal] = game.known[seat, metal] = 0
    for seat in range(players):
        game.sizes[seat] = HAND
        for index in range(HAND):
            game.hands[seat, cards[HAND * seat + index]] += 1
    for index in range(stocked):
        game.stock[index] = cards[HAND * players + index]
    settle(game)


@lean
def copy_table(of: Table, to: Table) -> None:
    """Copy a table to another, except for the kinds of players."""
    source, target = of.game, to.game
    copy_rows(source.hands, target.hands)
    copy_rows(source.piles, target.piles)
    copy_rows(of.game.known, to.game.known)
    for word in range(SCALARS):
        target.scalars[word] = source.scalars[word]
    for seat in range(len(source.sizes)):
        target.sizes[seat] = source.sizes[seat]
    for index in range(source.scalars[DRAWN], len(source.stock)):
        target.stock[index] = source.stock[index]


@lean
def move_by_network(players: Players, table: Table, exchanging: bool, mind: Scratch) -> None:
    """Make the learned player's move for the seat to move, and its exchange if the seat draws a card.

    `exchanging` says that the seat has drawn already and now chooses its exchange.
    """
    count = list_and_think(players.brain, table.game, exchanging, mind)
    if make_move(table.game, mind.moves[place_of_best(count, mind.worth) if count > 1 else 0]):
        count = list_and_think(players.brain, table.game, True, mind)
        make_move(table.game, mind.moves[place_of_best(count, mind.worth) if count > 1 else 0])


@lean
def play_out(players: Players, table: Table, random: Words, mind: Scratch) -> int:
    """Play the game to its end; returns the seat that goes out."""
    scalars = table.game.scalars
    while True:
        winner = winner_of(table.game)
        if winner != NOBODY:
            return winner
        kind = table.kinds[scalars[TURN]]
        if kind == LEARNED:
            move_by_network(players, table, False, mind)
        else:
            move_by_rule(table.game, players.rules[kind], random)


@kernel
def score(
    with_players: Players, table: Table, mind: Scratch, kinds: Words, seed: int, first: int, results: Floats
) -> None:
    """Play deals, starting with number `first`, each rotated through all seats.

    `kinds` has the kind of each player; `results` has a row per deal and in it, for each seating (the seat of the
    first player), 1 if that player goes out first, else 0.
    """
    game = table.game
    players, metals = game.hands.shape
    random = np.zeros(1, np.int64)
    cards = np.zeros(metals * game.scalars[COPIES], np.int64)
    for number in range(len(results)):
        for seating in range(players):
            start_stream(random, seed, first + number)
            for seat in range(players):
                table.kinds[seat] = kinds[(seat - seating + players) % players]
            deal_cards(table, number % players, cards, random)
            results[number, seating] = 1.0 if play_out(with_players, table, random, mind) == seating else 0.0


MOST_TRIED = 10  # moves of a choice: half of them the best, the others at random
MOVES_A_CHOICE = 8  # on average fewer
SURE = 20.0  # where moves are drawn: a move's chance to win times this is the log of its chance to be drawn
_AT_RANDOM = 0.1  # of the choices
_NOTED = 0.5  # of the choices


def records(choices: int) -> Choices:
    """Allocate room for this many choices."""
    return room_for(choices, MOVES_A_CHOICE * choices, CONTEXT, MOVE)


@lean
def _put_first(mind: Scratch, place: int, other: int) -> None:
    mind.moves[place], mind.moves[other] = mind.moves[other], mind.moves[place]
    mind.by_rule[place], mind.by_rule[other] = mind.by_rule[other], mind.by_rule[place]
    mind.worth[place], mind.worth[other] = mind.worth[other], mind.worth[place]


@lean
def choose_tried(count: int, mind: Scratch, random: Words) -> int:
    """If there are too many moves to try, bring those that are tried to the front; returns how many are tried."""
    if count <= MOST_TRIED:
        return count
    for index in range(MOST_TRIED):
        other = index
        if index < MOST_TRIED // 2:
            for later in range(index + 1, count):
                if mind.worth[later] > mind.worth[other]:
                    other = later
        else:
            other = index + below(random, count - index)
        _put_first(mind, index, other)
    return MOST_TRIED


@lean
def _note(table: Table, exchanging: bool, count: int, mind: Scratch, rows: Choices) -> int:
    """Record the first `count` moves of `mind` as a choice; returns the index of the first in `rows`."""
    game = table.game
    row = rows.many[0]
    at = begin_choice(rows, count)
    total = work_out(game, mind.odds)
    choice_inputs(game, mind.odds, total, exchanging, mind.hand, mind.row, mind.told)
    note_told(mind.told, 0, rows.shared[row])
    for move in range(count):
        move_inputs(game, mind.odds, mind.moves[move], mind.by_rule[move], mind.hand, mind.row, mind.told)
        note_told(mind.told, CONTEXT, rows.moves[at + move])
        rows.by_rule[at + move] = mind.by_rule[move]
    return at


@lean
def _try_move(players: Players, table: Table, other: Table, move: int, random: Words, mind: Scratch) -> float:
    """1 if the seat to move goes out first after a move, else 0; the game is continued on `other`."""
    seat = table.game.scalars[TURN]
    copy_table(table, other)
    if make_move(other.game, move):
        exchange_by_rule(other.game, players.rules[other.kinds[seat]], random)
    return 1.0 if play_out(players, other, random, mind) == seat else 0.0


@kernel
def record(
    with_players: Players,
    table: Table,
    other: Table,
    mind: Scratch,
    mixture: Floats,
    seed: int,
    first: int,
    games: int,
    rows: Choices,
) -> int:
    """Play `games` games, starting with number `first`, or fewer if there is no room; returns how many.

    A seat is a player of kind k with probability `mixture[k]`; the last kind is the learned player. Some of its
    choices are recorded. To find the result of a move, the game is finished on the table `other`, with trained
    players in place of learned ones and the same random numbers for all moves of the choice. One choice in ten is
    made at random, with probabilities that grow with the values of the moves.
    """
    game = table.game
    players, metals = game.hands.shape
    random, luck = np.zeros(1, np.int64), np.zeros(1, np.int64)
    cards = np.zeros(metals * game.scalars[COPIES], np.int64)
    for number in range(games):
        start_stream(random, seed, first + number)
        for seat in range(players):
            table.kinds[seat] = draw_place(len(mixture), mixture, random)
        deal_cards(table, below(random, players), cards, random)
        exchanging = False
        while winner_of(table.game) == NOBODY:
            seat = game.scalars[TURN]
            kind = table.kinds[seat]
            if kind != LEARNED:
                move_by_rule(table.game, with_players.rules[kind], random)
                continue
            count = list_and_think(with_players.brain, table.game, exchanging, mind)
            chosen = 0
            if count > 1:
                chosen = place_of_best(count, mind.worth)
                if mind.worth[chosen] < GOES_OUT:
                    if uniform(random) < _NOTED:
                        if rows.many[0] == len(rows.begins) or rows.many[1] + MOST_TRIED > len(rows.points):
                            return number
                        count = choose_tried(count, mind, random)
                        at = _note(table, exchanging, count, mind, rows)
                        begin = random[0]
                        for player in range(players):
                            played = table.kinds[player]
                            other.kinds[player] = TRAINED if played == LEARNED else played
                        for move in range(count):
                            luck[0] = begin
                            rows.points[at + move] = _try_move(
                                with_players, table, other, mind.moves[move], luck, mind
                            )
                        chosen = place_of_best(count, mind.worth)
                    if uniform(random) < _AT_RANDOM:
                        for move in range(count):
                            mind.worth[move] *= SURE
                        to_chances(count, mind.worth)
                        chosen = draw_place(count, mind.worth, random)
            exchanging = make_move(table.game, mind.moves[chosen])
    return games


MOST_A_GAME = 1000  # states noted
_STATES_NOTED = 0.1  # of the states in which a seat may play
_WITH_RULES = 0.3  # of the games; in these every other seat, on average, is a trained rule player
_DRAWN_LESS_SURELY = 0.1  # of the learned players' choices: drawn by `SURE`


@kernel
def record_states(
    with_players: Players,
    table: Table,
    mind: Scratch,
    told: Inputs,
    sure: float,
    seed: int,
    first: int,
    rows: Singles,
    won: Singles,
) -> tuple[int, int]:
    """Play games, starting with number `first`, until there is no room; returns how many states and games.

    A state is a row of the critic's inputs, with 1 in `won` if the seat to move goes out first, else 0. Learned
    players draw their moves: a move's value times `sure` is the log of its chance.
    """
    game = table.game
    players, metals = game.hands.shape
    random = np.zeros(1, np.int64)
    cards = np.zeros(metals * game.scalars[COPIES], np.int64)
    seats = np.zeros(MOST_A_GAME, np.int64)
    count, number = 0, first
    while count + MOST_A_GAME <= len(rows):
        start_stream(random, seed, number)
        number += 1
        by_rules = uniform(random) < _WITH_RULES
        for seat in range(players):
            table.kinds[seat] = TRAINED if by_rules and uniform(random) < 0.5 else LEARNED
        deal_cards(table, below(random, players), cards, random)
        noted, exchanging = 0, False
        while winner_of(table.game) == NOBODY:
            seat = game.scalars[TURN]
            if not exchanging and noted < MOST_A_GAME and uniform(random) < _STATES_NOTED:
                full_inputs(table.game, mind.odds, mind.hand, mind.row, told)
                note_told(told, 0, rows[count + noted])
                seats[noted] = seat
                noted += 1
            if table.kinds[seat] != LEARNED:
                move_by_rule(table.game, with_players.rules[TRAINED], random)
                continue
            times = SURE if uniform(random) < _DRAWN_LESS_SURELY else sure
            exchanging = move_drawn(with_players.brain, table.game, exchanging, times, random, mind)
        for index in range(noted):
            won[count + index] = 1.0 if seats[index] == winner_of(table.game) else 0.0
        count += noted
    return count, number - first
