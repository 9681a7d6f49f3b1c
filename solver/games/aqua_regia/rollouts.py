"""Simulated games of Aqua Regia, played to the end by plausible players (`players`), as compiled kernels."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import NamedTuple

import numpy as np

from solver.common import Others
from solver.games.aqua_regia.deck import Deck
from solver.games.aqua_regia.fast_rules import (
    COPIES,
    DRAW,
    FUEL,
    GONE,
    NOBODY,
    PASS,
    SCALARS,
    STOCKED,
    TABLE,
    TAKER,
    TURN,
    Game,
    copy_rows,
    draw,
    make_move,
    reactivity_rows,
    winner_of,
)
from solver.games.aqua_regia.fast_rules import STEPS as MOST_STEPS
from solver.games.aqua_regia.players import (
    SURE,
    WEIGHTS_OF,
    Foresight,
    critic,
    exchange_by_rule,
    expected,
    foresight,
    look_ahead,
    move_by_rule,
    move_drawn,
    move_numbers,
    no_critic,
    table_words,
    think_and_move,
)
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import Move
from solver.games.aqua_regia.worlds import (
    IMPOSSIBLE,
    Dealing,
    Evidence,
    deal_world,
    deals,
    evidence,
    log_likelihood,
)
from solver.hints.causes import Witness
from solver.kernels.jit import apart, kernel, lean
from solver.kernels.rng import below, start_stream, uniform
from solver.kernels.words import Floats, Words

# Statistics of a game: 1 for going out first, the cards left at the end, 1 for winning the first trick.
SCORE, LEFT, TOOK = range(3)
STATISTICS = 3


class Setting(NamedTuple):
    """A view in the form that the kernels read, shared by all of its worlds; read-only.

    `hands` has the cards known to be in each hand, and `known` those that everybody knows to be there: a row per
    seat, a count per metal. `top` has the known cards on top of the stock. `moves` are given by number. The
    other players choose by `weights`; `thinks` says whether the asking seat plays like the learned player in the
    rollouts.
    """

    reactivity: Words
    hands: Words
    known: Words
    piles: Words
    scalars: Words
    top: Words
    moves: Words
    weights: Floats
    thinks: bool
    forgets: bool  # cards that are nowhere else are in the discard pile


@kernel
def new_game(setting: Setting) -> Game:
    """Allocate a game for a setting, with the known cards on top of its stock and nothing else filled in."""
    game = Game(
        setting.reactivity,
        np.empty_like(setting.hands),
        np.empty(len(setting.hands), np.int64),
        np.empty_like(setting.piles),
        np.empty(SCALARS, np.int64),
        np.empty(setting.scalars[STOCKED], np.int64),
        np.empty_like(setting.known),
    )
    for index in range(len(setting.top)):
        game.stock[index] = setting.top[index]
    return game


@lean
def play_on(foresight: Foresight, game: Game, thinker: int, weights: Floats, random: Words) -> int:
    """Play a game to the end; return the seat that goes out, or `NOBODY` at the limit of moves (FUEL).

    The seat `thinker`, if there is one, plays like the learned player, the others by `weights`.
    """
    scalars = game.scalars
    while scalars[FUEL] != 1:
        scalars[FUEL] -= 1
        seat = scalars[TURN]
        if seat == thinker:
            think_and_move(foresight, game, random)
        else:
            uniform(random)  # not needed, but without it every seed would play other games
            move_by_rule(game, weights, random)
        if game.sizes[seat] == 0:
            return int(seat)
    return NOBODY


@lean
def make(foresight: Foresight, game: Game, thinks: bool, weights: Floats, random: Words, move: int) -> None:
    """Make a move for the seat to move and, if it draws a card, choose the exchange.

    The exchange is the learned player's choice if `thinks`, else a choice by `weights`. If `move` ends a pass
    whose drawn card is known, the caller must leave that card on top of the stock.
    """
    if move == PASS or move > DRAW:
        draw(game)
    if make_move(game, move):
        if thinks:
            move_drawn(foresight.brain, game, True, SURE, random, foresight.mind)
        else:
            exchange_by_rule(game, weights, random)


@lean
def lay_forgotten(setting: Setting, dealt: Words, game: Game) -> None:
    """Fill the discard pile with all cards that are not in the hands (`dealt`), on the table or in the stock."""
    for metal in range(dealt.shape[1]):
        left = setting.scalars[COPIES] - game.piles[TABLE, metal]
        for seat in range(len(dealt)):
            left -= dealt[seat, metal]
        game.piles[GONE, metal] = left
    for card in game.stock:
        game.piles[GONE, card] -= 1


@apart
def try_moves(
    setting: Setting,
    foresight: Foresight,
    dealt: Words,
    game: Game,
    random: Words,
    results: Floats,
    noted: Words,
) -> None:
    """Make each move in one world, play the game on, and write a row of `results` per move.

    Each move gets the same random numbers. With a critic, all seats play like the learned player until the asking
    seat has to choose again, and the score is the critic's estimate at that point. Without a critic, the game is
    played to the end, and the score is 1 if the asking seat wins. If a game reaches the limit of moves (FUEL), its
    row and later ones are not written.

    The caller provides the world's hands in `dealt`, and its stock in `game.stock`; the rest of `game` is scratch
    memory. If `noted` is not empty, it receives each hand's cards by metal, seat by seat, and then who wins after
    each move.
    """
    seat = setting.scalars[TURN]
    seats, metals = dealt.shape
    for index in range(seats * metals if len(noted) > 0 else 0):
        noted[index] = dealt[index // metals, index % metals]
    begin = random[0]
    foresees = len(foresight.critic.first) > 0
    thinker = seat if setting.thinks and not foresees else NOBODY
    for index in range(len(setting.moves)):
        random[0] = begin
        copy_rows(dealt, game.hands)
        copy_rows(setting.piles, game.piles)
        if setting.forgets:
            lay_forgotten(setting, dealt, game)
        copy_rows(setting.known, game.known)
        for word in range(SCALARS):
            game.scalars[word] = setting.scalars[word]
        for other in range(len(game.sizes)):
            game.sizes[other] = 0
            for metal in range(dealt.shape[1]):
                game.sizes[other] += dealt[other, metal]
        make(foresight, game, setting.thinks, setting.weights, random, setting.moves[index])
        winner = look_ahead(foresight, game, seat, random) if foresees else winner_of(game)
        judged = foresees and winner == NOBODY
        chance = expected(foresight, game) if judged else 0.0
        if winner == NOBODY:
            winner = play_on(foresight, game, thinker, setting.weights, random)
            if winner == NOBODY:
                return
        taker = game.scalars[TAKER] - 1 if game.scalars[TAKER] else winner
        if len(noted) > 0:
            noted[seats * metals + index] = winner
        results[index, SCORE] = chance if judged else 1.0 if winner == seat else 0.0
        results[index, LEFT] = game.sizes[seat]
        results[index, TOOK] = 1.0 if taker == seat else 0.0


@kernel
def play_worlds(
    setting: Setting,
    foresight: Foresight,
    dealing: Dealing,
    seed: int,
    first: int,
    results: Floats,
    noted: Words,
) -> None:
    """Simulate a game after each move in independent worlds, numbered from `first` on, and write their statistics.

    `results` has a row per world with a row per move, and `noted` a row per world (see `try_moves`).
    """
    known = len(setting.top)
    random = np.zeros(1, np.int64)
    scratch = np.empty(len(dealing.pool), np.int64)
    known_cards = setting.hands
    dealt = np.empty_like(known_cards)
    game = new_game(setting)
    stock = game.stock[known:]
    for world in range(results.shape[0]):
        start_stream(random, seed, first + world)
        for other in range(dealt.shape[0]):  # no array assignment: Numba compiles its error message for 2 s
            for metal in range(dealt.shape[1]):
                dealt[other, metal] = known_cards[other, metal]
        deal_world(dealing, random, scratch, dealt, stock)
        try_moves(setting, foresight, dealt, game, random, results[world], noted[world])


# ----------------------------------------------------------------------------------------------------
# Likely worlds, as kernels: what the others were seen to do is evidence of what they hold.
#
# A world says where the cards lie that are hidden at the start of the history: each in a *slot*, which is a place
# in another seat's first hand, one of that seat's draws, a place in the stock, or out of play. Its weight is the
# likelihood of what the other seats were seen to do (`worlds.log_likelihood`). A chain samples worlds by weight
# (Metropolis et al. 1953): a step proposes to swap the cards of two slots, and is accepted with probability min(1,
# new weight / old weight). The players' choices are so predictable that chains get stuck among similar worlds; so
# a chain begins with steps by a power of the weights that grows from 0 to 1 (annealing: Kirkpatrick et al. 1983),
# and forgets its start. The worlds of one chain depend on each other; chains are independent.


WARMING = 15  # steps before the first world counts, per owned slot
STEPS = 15  # from one world to the next


class Chain(NamedTuple):
    """The state of a Markov chain of worlds.

    It has the card in each slot and, for each seat, the log likelihood and the current hand.
    """

    random: Words
    slots: Words
    likelihoods: Floats
    hands: Words  # one row per seat
    scratch: Words  # two rows


@kernel
def new_chain(evidence: Evidence, setting: Setting) -> Chain:
    """Allocate a chain with the cards placed as in `evidence.begun`; `begin_chain` fills in the rest."""
    return Chain(
        np.zeros(1, np.int64),
        evidence.begun.copy(),
        np.zeros(len(setting.hands)),
        setting.hands.copy(),
        np.zeros((2, evidence.reactivity.shape[1]), np.int64),
    )


@lean
def begin_chain(seat: int, evidence: Evidence, chain: Chain) -> None:
    """Compute the likelihoods and the hands of all seats but `seat`, the one that asks."""
    for other in range(len(chain.likelihoods)):
        if other != seat:
            chain.likelihoods[other] = log_likelihood(other, evidence, chain.slots, chain.hands[other])


@lean
def step_chain(evidence: Evidence, chain: Chain, power: float) -> None:
    """Make one Metropolis step of the chain, with the likelihoods raised to `power`.

    A power of 1 samples worlds by their likelihood, 0 samples them uniformly.
    """
    slots, likely = chain.slots, chain.likelihoods
    first_slot, second_slot = below(chain.random, evidence.owned), below(chain.random, len(slots))
    if slots[first_slot] == slots[second_slot]:
        return
    first, second = evidence.owners[first_slot], evidence.owners[second_slot]
    slots[first_slot], slots[second_slot] = slots[second_slot], slots[first_slot]
    new_first = log_likelihood(first, evidence, slots, chain.scratch[0])
    gain = new_first - likely[first]
    both = second >= 0 and second != first and gain > IMPOSSIBLE
    new_second = 0.0
    if both:
        new_second = log_likelihood(second, evidence, slots, chain.scratch[1])
        gain += new_second - likely[second]
    if gain < 0 and (gain <= IMPOSSIBLE or uniform(chain.random) >= exp(power * gain)):
        slots[first_slot], slots[second_slot] = slots[second_slot], slots[first_slot]
        return
    likely[first] = new_first
    _keep(chain, 0, first)
    if both:
        likely[second] = new_second
        _keep(chain, 1, second)


@lean
def _keep(chain: Chain, row: int, seat: int) -> None:
    """Copy a hand from row `row` of the scratch memory to seat `seat` of the chain."""
    for metal in range(chain.scratch.shape[1]):
        chain.hands[seat, metal] = chain.scratch[row, metal]


@lean
def steps_begun(evidence: Evidence) -> int:
    """Return the number of steps that a chain takes to reach its first world, including the burn-in."""
    return int(WARMING * evidence.owned + STEPS)


@lean
def shuffle_rest(evidence: Evidence, chain: Chain) -> None:
    """Shuffle the cards in the slots that belong to no hand. This does not change any seat's likelihood."""
    slots = chain.slots
    for last in range(len(slots) - 1, evidence.owned, -1):
        other = evidence.owned + below(chain.random, last - evidence.owned + 1)
        slots[last], slots[other] = slots[other], slots[last]


@lean
def next_world(evidence: Evidence, setting: Setting, chain: Chain, world: int, stock: Words) -> None:
    """Advance the chain to world number `world`, and write its stock to `stock`, after the known top cards."""
    warming, most = WARMING * evidence.owned, setting.scalars[MOST_STEPS]
    steps = STEPS if world else steps_begun(evidence)
    for step in range(min(steps, most) if most > 0 else steps):
        step_chain(evidence, chain, 1.0 if world else min(1.0, step / warming))
    shuffle_rest(evidence, chain)
    known = len(setting.top)
    for index in range(known, len(stock)):
        stock[index] = chain.slots[evidence.owned + index - known]


@kernel
def play_likely_worlds(
    evidence: Evidence,
    setting: Setting,
    foresight: Foresight,
    seed: int,
    first: int,
    results: Floats,
    noted: Words,
) -> None:
    """Like `play_worlds`, but the worlds are states of one Markov chain that samples them by their likelihood."""
    chain = new_chain(evidence, setting)
    start_stream(chain.random, seed, first)
    game = new_game(setting)
    begin_chain(setting.scalars[TURN], evidence, chain)
    for world in range(len(results)):
        next_world(evidence, setting, chain, world, game.stock)
        try_moves(setting, foresight, chain.hands, game, chain.random, results[world], noted[world])


# ----------------------------------------------------------------------------------------------------
# The sampled games of a view: its deals or likely worlds, and the data for kernels.
#
# Among equals, a move is valued by a critic at the player's next choice (`players.Foresight`), which was
# trained on games of equals. Among others, games are played to the end, the asking seat like the learned player.
# Neither is used with a deck so large that it would be slow.


USUAL = 2048  # pairs of metals, times copies, in decks whose games take microseconds; the house deck has 1,024
_NOTED = 24  # metals: the worlds of larger decks are not noted


class Games:
    """Simulates games from a view, in which plausible players make the moves after the first.

    Implements `solver.hints.sampled.Rollouts`. If the cards of the stock are known, `stock` has them in draw
    order; then games are played to the end, without the critic.
    """

    statistics = STATISTICS

    def __init__(
        self,
        view: Round,
        moves: Sequence[Move],
        seed: int,
        others: Others = "equal",
        foresees: bool = True,
        stock: Sequence[int] | None = None,
    ) -> None:
        self.moves = len(moves)
        self._seed = seed
        weights = WEIGHTS_OF[others]
        self._evidence = evidence(view, seed, weights)
        self._deals = deals(view) if self._evidence is None else None
        self.chained = self._evidence is not None
        deck = view.metals
        thinks = foresees and usual(deck)
        drawn = () if view.drawn is None else (deck.index[view.drawn],)
        self.setting = _setting(view, moves, weights, thinks, drawn if stock is None else stock)
        self._critic = critic() if thinks and others == "equal" and stock is None else no_critic()
        self._words = view.players * view.metals.size + self.moves if view.metals.size <= _NOTED else 0
        self.witness = Witness()

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        noted = np.empty((len(results), self._words), np.int64)
        self._play(self.setting, first, results, noted)
        self.witness.note(first, results, noted)

    def _play(self, setting: Setting, first: int, results: Floats, noted: Words) -> None:
        ahead = self.ahead()
        if self._evidence is not None:
            play_likely_worlds(self._evidence, setting, ahead, self._seed, first, results, noted)
        else:
            assert self._deals is not None
            play_worlds(setting, ahead, self._deals.dealing, self._seed, first, results, noted)

    def ahead(self) -> Foresight:
        """Return the learned player and the critic, with new scratch memory. An unused critic has no weights."""
        return foresight(self._critic)

    @property
    def notes(self) -> bool:
        """Whether the cards and the winners of each world are noted, as reasons need them."""
        return self._words > 0

    @property
    def steps(self) -> int:
        """The number of steps before a chain's first world (the burn-in); 0 if worlds are sampled uniformly."""
        return 0 if self._evidence is None else steps_begun(self._evidence)

    def ends(self, move: int | None, *, fuel: int = 0, steps: int = 0) -> bool:
        """Whether the game after move number `move` ends within `fuel` moves and `steps` chain steps.

        A limit of 0 allows none. If `move` is None, only the chain steps are made. The game is played in world 0.
        """
        scalars = self.setting.scalars.copy()
        scalars[FUEL], scalars[MOST_STEPS] = fuel, steps
        moves = self.setting.moves[:0] if move is None else self.setting.moves[move : move + 1]
        results = np.full((1, len(moves), STATISTICS), np.nan)
        self._play(self.setting._replace(scalars=scalars, moves=moves), 0, results, np.empty((1, 0), np.int64))
        return not np.isnan(results).any()


def usual(deck: Deck) -> bool:
    """Whether a deck is small enough that games take microseconds.

    A player who passes looks at all pairs of metals to exchange, and more copies mean more passes.
    """
    return deck.size**2 * deck.copies <= USUAL


def _setting(view: Round, moves: Sequence[Move], weights: Floats, thinks: bool, top: Sequence[int]) -> Setting:
    """Convert a view to a `Setting`, with the known cards `top` on top of the stock."""
    deck = view.metals
    known = [view.known_counts(seat) for seat in range(view.players)]
    hands = np.array(known, np.int64)
    hands[view.seat] = deck.counts(deck.numbers(view.hand))
    piles, scalars = table_words(view)
    return Setting(
        reactivity=reactivity_rows(deck),
        hands=hands,
        known=np.array(known, np.int64),
        piles=piles,
        scalars=scalars,
        top=np.array(top, np.int64),
        moves=move_numbers(view, moves),
        weights=weights,
        thinks=thinks,
        forgets=view.in_part,
    )
