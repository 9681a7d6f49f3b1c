"""Rounds of trick games among simulated players: one description of a game's choices for all that hints do.

A *world* is a deal that agrees with a view, in words; the hands come first. A *node* is what everybody sees, in
words; the view's node is the *root*. Their layouts are the game's own. A seat is of one of `KINDS` kinds of
players. How each kind chooses is written once (`options` and `values`), and used

* to judge the plays that were seen, which weights the worlds (`likelihood`, for the chain of `worlds`);
* to play sampled worlds to their end (`play_worlds`);
* to follow all deals of a small ending together (`respond`, for the search of `endings`);
* for a hint's first answer (`first_answer`).

The templates below are instantiated with a game's kernels and numbers (`round_kernels`). `game` is a `Game`, and a
*code* is a choice as a number:

* ``numbered(game, chain, number)`` and ``draw(game, chain)`` write the places of a numbered and of a random deal;
* ``enter(game, owner, seat)`` writes the words of `game.world` about a seat, from the boxes of `game.chain`;
* ``key(world, seat)`` is a number above 0 that differs for all that a seat may hold;
* ``held(node, world, seat)`` is a seat's hand (a mask);
* ``to_move(game, node)`` is the seat to move, or -1 at the end of the round;
* ``options(game, node, hand)`` writes a seat's choices to `game.codes` and returns their number;
* ``values(game, node, world, seat, hand, count, kinds)`` writes the value of each of these `count` choices to
  `game.values`, for each kind of player in the set `kinds` (from index kind * `MOST` on);
* ``chosen(codes, node, count, code)`` is the index in `codes` of a choice that was seen, or -1;
* ``began(game, world, seat, hand, kind)`` is the probability of what a seat did before its first play;
* ``make(game, node, code)`` makes a choice, and ends a trick that becomes full;
* ``begin_world(game, random)`` completes `game.world`, and in `game.begun` the root of this world;
* ``first(game, code)`` makes the asking seat's move at `game.node`, a copy of `game.begun`;
* ``finish(game, node, world, results)`` writes the statistics of a finished round;
* ``note(game, index, moves, results, noted)`` writes what reasons need about move number `index` of `moves`.

The kernels that run at each choice must be `inlined`, except for narrow ones that value it: a call with all arrays
of a `Game` costs more than most of what it does. Without a branch of its own for each kind, `values` is slower.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from solver.common import Random
from solver.hints import endings
from solver.hints.causes import Witness
from solver.hints.endings import OTHERS, OVER, OWN, expectation_kernel
from solver.hints.match import Match
from solver.hints.policy import draw_place, mixed, to_chances
from solver.hints.ranking import Whole
from solver.hints.worlds import Chain, LikelihoodCache, begin_chain, chain_kernels, lay_boxes, slot_of, step_chain
from solver.kernels.jit import Instances, Kernel, inlined, lean
from solver.kernels.rng import start_stream, uniform
from solver.kernels.words import Floats, Words
from solver.limits import Control

# Words of a play that was seen: who made it, its code, its cards (a mask), whether it shows anything (a play
# against the rules shows nothing), and the node before it.
SEAT, CODE, CARDS, SHOWS, BEFORE = range(5)


class Game(NamedTuple):
    """A view as kernels read it, and the memory of one thread.

    `setting` and `room` are the game's own data and scratch memory. `seat` asks; it plays as the kind `own` does,
    and always its best choice. `seen` has a row for each play that was seen. `expected` has the assumed share of
    each kind of player. `world`, `begun` and `node` have the words of a world, of its root, and of a node.
    `shares` has the probability that each seat is of each kind, in this world. `found` has, for each kind, the
    probability that a seat is of that kind and made the choices that were seen. `codes` and `values` are about one
    choice.
    """

    seat: int
    players: int
    own: int
    setting: Any
    room: Any
    root: Words
    seen: Words
    expected: Floats
    chain: Chain
    kept: LikelihoodCache
    world: Words
    begun: Words
    node: Words
    shares: Floats
    found: Floats
    codes: Words
    values: Floats


class Ending(NamedTuple):
    """All deals of a small ending, one after another: their `worlds`, and the `shares` of kinds of players.

    The rest caches the choices of one turn, since most hands occur in several deals. `turns` has the number of
    turns so far. Each slot has `reply_words` words in `replies`: a key, its turn, the number of choices and their
    codes; and in `chances` their probabilities, for each kind of player.
    """

    game: Game
    worlds: Words
    shares: Floats
    turns: Words
    replies: Words
    chances: Floats


REPLIES = 1024  # slots
_DRAWS = 2  # random numbers of a choice: one for the kind of player, one for the choice


def new_ending(game: Game, total: int) -> Ending:
    """Return room for `total` deals; `lay_deals` writes them."""
    kinds, most = len(game.expected), len(game.codes)
    return Ending(
        game,
        np.zeros(total * len(game.world), np.int64),
        np.zeros(total * len(game.shares)),
        np.zeros(1, np.int64),
        np.zeros(REPLIES * (3 + most), np.int64),
        np.zeros(REPLIES * kinds * most),
    )


# ----------------------------------------------------------------------------------------------------
# Templates. The game's own kernels and numbers are globals of an instance.

KINDS = MOST = 1  # kinds of players, and the most choices at a turn
ALWAYS = (
    False  # whether also draws at a turn with one choice, so that the random numbers after two moves stay alike
)
LEAST = 0.0  # choices that are less likely than this times the likeliest one are never made
MIXED = np.zeros(1)  # the share of each kind's choices that is random


def _of_the_game(*_arguments: Any) -> Any:
    raise NotImplementedError


numbered = draw = enter = key = held = to_move = options = values = chosen = began = make = _of_the_game
begin_world = first = finish = note = _of_the_game


def find_chances(
    game: Any, node: Words, world: Words, seat: int, hand: int, count: int, kinds: int, least: float
) -> None:
    """Write to `game.values` the probability of each choice for each kind of player in the set `kinds`.

    See `to_chances` for `least`.
    """
    values(game, node, world, seat, hand, count, kinds)
    for kind in range(KINDS):
        if (kinds >> kind) & 1:
            to_chances(count, game.values[kind * MOST :], least)


def judge(game: Any, world: Words, seat: int) -> None:
    """Write to `game.found` the probability that a seat is of each kind and made its choices so far."""
    seen, found = game.seen, game.found
    hand = world[seat]
    for row in range(len(seen)):
        if seen[row, SEAT] == seat:
            hand |= seen[row, CARDS]
    kinds = 0
    for kind in range(KINDS):
        found[kind] = 0.0
        if game.expected[kind] > 0.0:
            kinds |= 1 << kind
            found[kind] = game.expected[kind] * began(game, world, seat, hand, kind)
    for row in range(len(seen)):
        if seen[row, SEAT] != seat:
            continue
        if seen[row, SHOWS] != 0:
            node = seen[row, BEFORE:]
            count = options(game, node, hand)
            if count > 1:
                find_chances(game, node, world, seat, hand, count, kinds, 0.0)
                place = chosen(game.codes, node, count, seen[row, CODE])
                for kind in range(KINDS):
                    if (kinds >> kind) & 1:
                        chance = game.values[kind * MOST + place] if place >= 0 else 0.0
                        found[kind] *= mixed(chance, 1.0, count, MIXED[kind])
        hand &= ~seen[row, CARDS]


def likelihood(game: Any, world: Words, seat: int) -> float:
    """Return the likelihood of a seat's choices so far in a world; that with each kind is in `game.found`."""
    number = key(world, seat)
    slot = slot_of(number)
    kept = game.kept.chances[slot * KINDS :]
    if game.kept.keys[slot] != number:
        game.kept.keys[slot] = number
        judge(game, world, seat)
        for kind in range(KINDS):
            kept[kind] = game.found[kind]
    total = 0.0
    for kind in range(KINDS):
        game.found[kind] = kept[kind]
        total += kept[kind]
    return total


def owner_likelihood(game: Any, chain: Chain, owner: int) -> float:
    """Return the likelihood of the choices of the seat that is `owner` + 1 places after the asking one.

    It is 1 for the last owner, which stands for the cards that were played and are not remembered.
    """
    if owner == game.players - 1:
        return 1.0
    seat = (game.seat + 1 + owner) % game.players
    enter(game, owner, seat)
    return float(likelihood(game, game.world, seat))


def choice(game: Any, node: Words, seat: int, random: Words) -> int:
    """Return the choice of the seat to move: the asking seat's best one, or one that another seat may make."""
    asks = seat == game.seat
    hand = held(node, game.world, seat)
    count = options(game, node, hand)
    if count == 1:
        if ALWAYS and not asks:
            for _ in range(_DRAWS):
                uniform(random)
        return int(game.codes[0])
    kind = game.own
    if not asks:
        shares = game.shares[seat * KINDS :]
        kind = -1
        for sure in range(KINDS):
            if shares[sure] >= 1.0 and not ALWAYS:
                kind = sure
        if kind < 0:
            kind = draw_place(KINDS, shares, random)
    values(game, node, game.world, seat, hand, count, 1 << kind)
    chances = game.values[kind * MOST :]
    best = 0
    if asks:
        for place in range(1, count):
            if chances[place] > chances[best]:
                best = place
    else:
        to_chances(count, chances, LEAST)
        best = draw_place(count, chances, random)
    return int(game.codes[best])


def play_on(game: Any, node: Words, random: Words) -> None:
    """Play a round to its end."""
    seat = to_move(game, node)
    while seat >= 0:
        make(game, node, choice(game, node, seat, random))
        seat = to_move(game, node)


def play_worlds(game: Any, moves: Words, seed: int, begin: int, steps: int, results: Floats, noted: Words) -> None:
    """Play a round to its end after each move, in worlds numbered from `begin` on.

    Writes the statistics to `results`, an array (worlds, moves, statistics). Writes a row for each world to
    `noted`: the hands, then what `note` writes. The worlds are states of one Markov chain, `steps` steps apart; if
    `steps` is 0, they are independent, and uniformly distributed.
    """
    chain, world, shares = game.chain, game.world, game.shares
    random = chain.random
    start_stream(random, seed, begin)
    if steps > 0:
        begin_chain(game, chain)
    for number in range(len(results)):
        for _ in range(steps):
            step_chain(game, chain)
        if steps == 0:
            start_stream(random, seed, begin + number)
            draw(game, chain)
            lay_boxes(chain)
        for owner in range(game.players - 1):
            seat = (game.seat + 1 + owner) % game.players
            enter(game, owner, seat)
            total = 1.0
            if steps > 0:
                total = likelihood(game, world, seat)
            for kind in range(KINDS):
                shares[seat * KINDS + kind] = game.found[kind] / total if steps > 0 else game.expected[kind]
        for word in range(len(game.root)):
            game.begun[word] = game.root[word]
        begin_world(game, random)
        for seat in range(game.players):
            noted[number, seat] = world[seat]
        after = random[0]
        for index in range(len(moves)):
            random[0] = after
            for word in range(len(game.root)):
                game.node[word] = game.begun[word]
            first(game, moves[index])
            play_on(game, game.node, random)
            finish(game, game.node, world, results[number, index])
            note(game, index, len(moves), results[number, index], noted[number])


def first_answer(game: Any) -> int:
    """Write the asking seat's choices to `game.codes` and their probabilities to `game.values`.

    They are those of a player of the kind `game.own`. Returns the number of choices.
    """
    hand = held(game.root, game.world, game.seat)
    count = options(game, game.root, hand)
    find_chances(game, game.root, game.world, game.seat, hand, count, 1 << game.own, 0.0)
    return int(count)


def lay_deals(ending: Any, weights: Floats) -> None:
    """Write every deal to `ending`, and as its weight the likelihood of what the other seats were seen to do."""
    game = ending.game
    chain, width = game.chain, len(game.world)
    for number in range(len(weights)):
        numbered(game, chain, number)
        lay_boxes(chain)
        weights[number] = 1.0
        for owner in range(game.players - 1):
            seat = (game.seat + 1 + owner) % game.players
            enter(game, owner, seat)
            total = likelihood(game, game.world, seat)
            weights[number] *= total
            for kind in range(KINDS):
                ending.shares[(number * game.players + seat) * KINDS + kind] = game.found[kind] / total
        for word in range(width):
            ending.worlds[number * width + word] = game.world[word]


# The kernels of `endings.follow_lines`. A particle is the number of a deal.


def turn(ending: Any, public: Words) -> int:
    """Return whose turn it is: `OWN`, `OTHERS` or `OVER`."""
    seat = to_move(ending.game, public)
    return OVER if seat < 0 else OWN if seat == ending.game.seat else OTHERS


def own_choices(ending: Any, public: Words, codes: Words) -> int:
    """Write the codes of the asking seat's choices; return their number."""
    game = ending.game
    count = options(game, public, held(public, game.world, game.seat))
    for place in range(count):
        codes[place] = game.codes[place]
    return int(count)


def respond(ending: Any, public: Words, particle: Words, answers: Words, chances: Floats, after: Words) -> int:
    """Write the choices of the seat to move in a deal, with their probabilities; return their number."""
    game = ending.game
    seat = to_move(game, public)
    world = ending.worlds[particle[0] * len(game.world) :]
    number = key(world, seat)
    slot = slot_of(number) & (REPLIES - 1)
    reply = ending.replies[slot * (3 + MOST) :]
    by_kind = ending.chances[slot * KINDS * MOST :]
    if reply[0] != number or reply[1] != ending.turns[0]:
        reply[0], reply[1] = number, ending.turns[0]
        hand = held(public, world, seat)
        reply[2] = options(game, public, hand)
        if reply[2] > 1:
            find_chances(game, public, world, seat, hand, reply[2], (1 << KINDS) - 1, LEAST)
        for index in range(reply[2]):
            reply[3 + index] = game.codes[index]
            for kind in range(KINDS):
                by_kind[kind * MOST + index] = game.values[kind * MOST + index] if reply[2] > 1 else 1.0
    shares = ending.shares[(particle[0] * game.players + seat) * KINDS :]
    count = 0
    for index in range(reply[2]):
        chance = 0.0
        for kind in range(KINDS):
            chance += shares[kind] * by_kind[kind * MOST + index]
        if chance > 0.0:
            answers[count], chances[count], after[count] = reply[3 + index], chance, particle[0]
            count += 1
    return int(count)


def play(ending: Any, public: Words, code: int) -> None:
    """Make a choice."""
    ending.turns[0] += 1
    make(ending.game, public, code)


def outcome(ending: Any, public: Words, numbers: Floats) -> None:
    """Write the statistics of a finished round."""
    finish(ending.game, public, ending.game.world, numbers)


class RoundKernels(NamedTuple):
    """A game's instances of the templates above, and of those of `worlds` and `endings`."""

    likelihood: Callable[[Game, Words, int], float]
    begin_chain: Callable[[Game, Chain], None]
    step_chain: Callable[[Game, Chain], None]
    play_worlds: Callable[[Game, Words, int, int, int, Floats, Words], None]
    first_answer: Callable[[Game], int]
    lay_deals: Callable[[Ending, Floats], None]
    follow_lines: Callable[[Any, endings.Lines, int], int]


def outlined(function: Any) -> Any:
    """Decorator: like `lean`, but never a part of `inlined` functions that call it.

    A `lean` one is, where it happens to be compiled for one of these before any other caller.
    """
    decorated = lean(function)
    if isinstance(decorated, Kernel):
        decorated.options["forceinline"] = False
    return decorated


def round_kernels(game: str, rules: Mapping[str, Any], judging: Callable[[Any], Any] = lean) -> RoundKernels:
    """Instantiate the templates with a game's kernels and numbers, by name. Nothing is compiled yet.

    `judging` decorates `likelihood`: where it is as fast `outlined`, it compiles sooner.
    """
    instances = Instances(f"{game}_rounds", rules)
    instances.of(find_chances, inlined)
    instances.of(judge, inlined)
    likely = instances.of(likelihood, judging)
    owner = instances.of(owner_likelihood, inlined)
    instances.of(choice, inlined)
    instances.of(play_on, inlined)
    begin, step = chain_kernels(f"{game}_rounds", rules["draw"], owner)
    instances.names |= {"begin_chain": begin, "step_chain": step}
    instances.of(lay_boxes, inlined)
    sampling = instances.of(play_worlds), instances.of(first_answer), instances.of(lay_deals)
    of_endings: dict[str, Any] = {
        part.__name__: instances.of(part, inlined) for part in (turn, own_choices, respond, play, outcome)
    }
    return RoundKernels(likely, begin, step, *sampling, expectation_kernel(f"{game}_rounds", **of_endings))


# ----------------------------------------------------------------------------------------------------
# Rollouts, and the best reply over all deals, for any game with such kernels.


@dataclass(frozen=True)
class Games:
    """Makes a `Game` for each thread that plays worlds of a view: ``fresh()``. `total` is the number of deals."""

    total: int
    fresh: Callable[[], Game]
    idle: deque[Game] = field(default_factory=deque)

    def take(self) -> Game:
        """Return a game that no other thread uses; the caller gives it back to `idle`."""
        try:
            return self.idle.pop()
        except IndexError:
            return self.fresh()


@dataclass(frozen=True, kw_only=True)
class Rounds:
    """Simulates rounds from a view, in which plausible players make the moves after the first.

    Implements `solver.hints.sampled.Rollouts`. `games` has the view, or several that may be true: a batch of
    worlds is of one of them, drawn in proportion to their numbers of deals. `codes` has the moves. `steps` is as
    in `play_worlds`, and `notes` is the number of words noted about a world. If there is a `match`, the first
    statistic is the chance to win or share it.
    """

    kernels: RoundKernels
    games: Sequence[Games]
    codes: Words
    seed: int
    steps: int
    notes: int
    statistics: int
    match: Match | None
    witness: Witness = field(default_factory=Witness)

    @property
    def moves(self) -> int:
        return len(self.codes)

    @property
    def chained(self) -> bool:
        return self.steps > 0

    def play(self, first: int, results: Floats, weights: Floats) -> None:
        noted = np.empty((len(results), self.notes), np.int64)
        games = self._games_of(first)
        game = games.take()
        self.kernels.play_worlds(game, self.codes, self.seed, first, self.steps, results, noted)
        games.idle.append(game)
        if self.match is not None:
            self.match.judge(results, first)
        self.witness.note(first, results, noted)

    def _games_of(self, first: int) -> Games:
        rank = Random(self.seed, first).word() % sum(games.total for games in self.games)
        for games in self.games[:-1]:
            if rank < games.total:
                return games
            rank -= games.total
        return self.games[-1]


def over_all_deals(
    kernels: RoundKernels,
    game: Game,
    codes: Words,
    control: Control,
    *,
    total: int,
    turns: int,
    steps: int,
    statistics: int,
) -> Whole | None:
    """Return the means of the first `statistics` of each move over all `total` deals of a view.

    Each choice made in a deal is a node, and at most `turns` choices follow. None if the search takes more than
    `steps`, or too long.
    """
    ending, weights = new_ending(game, total), np.zeros(total)
    kernels.lay_deals(ending, weights)
    start = endings.Start(
        public=game.root,
        codes=codes.tolist(),
        particles=np.arange(total).reshape(-1, 1),
        weights=weights,
        numbers=statistics,
        children=len(game.chain.cards) + len(game.codes),
        depths=turns + 2,
        room=total * (turns + 1),
    )
    return endings.best_replies(kernels.follow_lines, ending, start, control, steps)
