"""The best reply to players whose chances are known, over all deals that are left. Templates, for any game.

All deals are followed at once. Where another seat is to choose, or a card is drawn, the deals part by what the
seat that asks sees of it, each with the chance that it comes so; where that seat is to choose, the value is that
of its best choice. So it chooses alike in all deals that it can't tell apart, and profits from no knowledge that
nobody has: what is found is the value of its best strategy, with no fusion of strategies (Frank and Basin 1998).

A *particle* is a deal with what else is hidden in it, such as what kind of player a seat is there; it has a
weight. What everybody sees is the *public* state. A game brings kernels as globals of its instance
(`solver.kernels.template`); `game` is what these need, `public` the words of a public state:

* ``turn(game, public)``: whose turn it is: `OWN`, of the seat that asks, `OTHERS` of anybody else, `OVER`;
* ``own_choices(game, public, codes)`` writes the codes of what that seat may do, and returns how many there are;
* ``respond(game, public, particle, answers, chances, after)`` writes what may happen in a particle where it is not
  that seat's turn: the code of what is seen, its chance, and the words of the particle after it, and returns how
  many answers there are; -1 where they are too many;
* ``play(game, public, code)`` makes of a public state the one after a choice;
* ``outcome(game, public, numbers)`` writes what a finished game brings. The first number is what the seat that
  asks wants to be high; the others are told of its best choices.

A step is one particle followed by one choice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from solver.errors import RequestError
from solver.hints.ranking import Whole
from solver.hints.sampled import DEFAULT_SECONDS
from solver.kernels.template import Instances
from solver.kernels.words import Floats, Words
from solver.language import say
from solver.limits import Control

# ----------------------------------------------------------------------------------------------------
# Room to follow all deals of an ending at once: what `expectation` keeps between two calls. See there.


# Words of the clock. DEPTH: how many choices further the line is than the question. TOP: where the pile of
# particles ends. STEPS: how many were taken, of at most MOST. Then the sizes of things: words of a public state
# (WIDTH) and of a particle (GRAIN), numbers of an outcome (NUMBERS), choices (CHILDREN) that a node may have,
# nodes (DEPTHS) that a line may have, particles (ROOM).
DEPTH, TOP, STEPS, MOST, WIDTH, GRAIN, NUMBERS, CHILDREN, DEPTHS, ROOM = range(10)
CLOCK_WORDS = 10

# Words of a node on the line. WHOSE turn it is. FIRST and LAST: its particles. READ: how many of them have been
# asked what they do, which gave PENDING particles more; -1 once that is done. NEXT: the choice to be followed
# next, of COUNT. BELOW: where the pile ended before.
WHOSE, FIRST, LAST, READ, PENDING, NEXT, COUNT, BELOW = range(8)
NODE_WORDS = 8

ANSWERS = 256  # that one particle may give


class Lines(NamedTuple):
    """The line that is followed, and the particles that agree with it: deals, each with what else is hidden.

    By depth: the words of the `nodes`, the `public` states, the `codes` of the choices, where the particles of
    each begin (`begins`), and the `values` so far. By place in the pile: the words of the `particles`, and their
    `weights`. `pending`, `pending_weights` and `pending_child` are those that a node's particles become, before
    they are put in order; `answers`, `chances` and `after` is what one particle may do. `outcome` has room for
    what the end of a line brings, `results` a row a move of the question.
    """

    clock: Words
    nodes: Words
    public: Words
    codes: Words
    begins: Words
    values: Floats
    particles: Words
    weights: Floats
    pending: Words
    pending_weights: Floats
    pending_child: Words
    answers: Words
    chances: Floats
    after: Words
    outcome: Floats
    results: Floats


@dataclass(frozen=True, kw_only=True)
class Start:
    """Where all lines begin: the seat that asks is to choose.

    `public` are the words of the state that everybody sees, `codes` those of the moves. The `particles` (a row
    each) are the deals that are left, with their `weights`. An outcome has so many `numbers`, a node at most so
    many `children`, a line at most so many nodes (`depths`), and all of a line at most so many particles (`room`).
    """

    public: Words
    codes: Sequence[int]
    particles: Words
    weights: Floats
    numbers: int
    children: int
    depths: int
    room: int


def new_lines(start: Start, most: int) -> Lines:
    """Lines that begin there and may take so many steps."""
    count, grain = start.particles.shape
    width, depths, children = len(start.public), start.depths, start.children
    room = max(start.room, count)
    lines = Lines(
        clock=np.zeros(CLOCK_WORDS, np.int64),
        nodes=np.zeros(depths * NODE_WORDS, np.int64),
        public=np.zeros(depths * width, np.int64),
        codes=np.zeros(depths * children, np.int64),
        begins=np.zeros(depths * (children + 1), np.int64),
        values=np.zeros(depths * start.numbers),
        particles=np.zeros(room * grain, np.int64),
        weights=np.zeros(room),
        pending=np.zeros(room * grain, np.int64),
        pending_weights=np.zeros(room),
        pending_child=np.zeros(room, np.int64),
        answers=np.zeros(ANSWERS, np.int64),
        chances=np.zeros(ANSWERS),
        after=np.zeros(ANSWERS * grain, np.int64),
        outcome=np.zeros(start.numbers),
        results=np.full((len(start.codes), start.numbers), np.nan),
    )
    sizes = {WIDTH: width, GRAIN: grain, NUMBERS: start.numbers, CHILDREN: children, DEPTHS: depths, ROOM: room}
    for word, size in ({TOP: count, MOST: most} | sizes).items():
        lines.clock[word] = size
    lines.public[:width] = start.public
    lines.codes[: len(start.codes)] = start.codes
    lines.particles[: count * grain] = start.particles.ravel()
    lines.weights[:count] = start.weights / start.weights.sum()
    lines.nodes[LAST], lines.nodes[READ], lines.nodes[COUNT] = count, -1, len(start.codes)
    return lines


OWN, OTHERS, OVER = range(3)  # turns
RUNNING, DONE, GIVEN_UP = range(3)  # what has become of a call of `follow_lines`


def turn(game: Any, public: Words) -> int:
    """Stands for the game's."""
    raise NotImplementedError


def own_choices(game: Any, public: Words, codes: Words) -> int:
    """Stands for the game's."""
    raise NotImplementedError


def respond(game: Any, public: Words, particle: Words, answers: Words, chances: Floats, after: Words) -> int:
    """Stands for the game's."""
    raise NotImplementedError


def play(game: Any, public: Words, code: int) -> None:
    """Stands for the game's."""
    raise NotImplementedError


def outcome(game: Any, public: Words, numbers: Floats) -> None:
    """Stands for the game's."""
    raise NotImplementedError


def child_of(lines: Lines, node: int, depth: int, code: int) -> int:
    """The number of a choice among those of a node that are known so far, or as the next; -1 if too many."""
    first = depth * lines.clock[CHILDREN]
    count = lines.nodes[node + COUNT]
    for child in range(count):
        if lines.codes[first + child] == code:
            return int(child)
    if count == lines.clock[CHILDREN]:
        return -1
    lines.codes[first + count] = code
    lines.nodes[node + COUNT] += 1
    return int(count)


def ask_particles(game: Any, lines: Lines, depth: int, until: int) -> bool:
    """Ask the particles of a node what they do, until so many steps are taken. False where there is no room."""
    clock, nodes = lines.clock, lines.nodes
    node, grain = depth * NODE_WORDS, clock[GRAIN]
    public = lines.public[depth * clock[WIDTH] :]
    while nodes[node + READ] < nodes[node + LAST] - nodes[node + FIRST] and clock[STEPS] < until:
        place = nodes[node + FIRST] + nodes[node + READ]
        nodes[node + READ] += 1
        particle = lines.particles[place * grain :]
        count = respond(game, public, particle, lines.answers, lines.chances, lines.after)
        if count < 0:
            return False
        clock[STEPS] += count
        for answer in range(count):
            child = child_of(lines, node, depth, lines.answers[answer])
            row = nodes[node + PENDING]
            if child < 0 or row == clock[ROOM]:
                return False
            nodes[node + PENDING] += 1
            lines.pending_child[row] = child
            lines.pending_weights[row] = lines.weights[place] * lines.chances[answer]
            for word in range(grain):
                lines.pending[row * grain + word] = lines.after[answer * grain + word]
    return True


def part_particles(lines: Lines, depth: int) -> bool:
    """Put the particles that a node's have become on the pile, by its choices. False where there is no room."""
    clock, nodes, begins = lines.clock, lines.nodes, lines.begins
    node, grain = depth * NODE_WORDS, clock[GRAIN]
    count, pending, top = nodes[node + COUNT], nodes[node + PENDING], clock[TOP]
    if top + pending > clock[ROOM]:
        return False
    first = depth * (clock[CHILDREN] + 1)
    for child in range(count + 1):
        begins[first + child] = 0
    for row in range(pending):
        begins[first + lines.pending_child[row] + 1] += 1
    begins[first] = top
    for child in range(count):
        begins[first + child + 1] += begins[first + child]
    for row in range(pending):
        child = lines.pending_child[row]
        place = begins[first + child]
        begins[first + child] += 1
        lines.weights[place] = lines.pending_weights[row]
        for word in range(grain):
            lines.particles[place * grain + word] = lines.pending[row * grain + word]
    for child in range(count, 0, -1):  # each now has the end of its particles, where the next one's begin
        begins[first + child] = begins[first + child - 1]
    begins[first] = top
    clock[TOP] = top + pending
    nodes[node + READ] = -1
    return True


def enter(lines: Lines, game: Any, depth: int, child: int) -> bool:
    """Follow a choice of the node at a depth to the next one. False where there is no room for that."""
    clock, nodes = lines.clock, lines.nodes
    node, after, width = depth * NODE_WORDS, (depth + 1) * NODE_WORDS, clock[WIDTH]
    if depth + 1 == clock[DEPTHS]:
        return False
    nodes[after + FIRST], nodes[after + LAST] = nodes[node + FIRST], nodes[node + LAST]
    if nodes[node + WHOSE] == OTHERS:
        begin = depth * (clock[CHILDREN] + 1) + child
        nodes[after + FIRST], nodes[after + LAST] = lines.begins[begin], lines.begins[begin + 1]
    public = lines.public[(depth + 1) * width :]
    for word in range(width):
        public[word] = lines.public[depth * width + word]
    play(game, public, lines.codes[depth * clock[CHILDREN] + child])
    nodes[after + WHOSE] = turn(game, public)
    nodes[after + BELOW] = clock[TOP]
    nodes[after + NEXT] = nodes[after + COUNT] = nodes[after + PENDING] = 0
    nodes[after + READ] = 0 if nodes[after + WHOSE] == OTHERS else -1
    if nodes[after + WHOSE] == OWN:
        nodes[after + COUNT] = own_choices(game, public, lines.codes[(depth + 1) * clock[CHILDREN] :])
    numbers = clock[NUMBERS]
    for number in range(numbers):
        lines.values[(depth + 1) * numbers + number] = 0.0
    if nodes[after + WHOSE] == OVER:
        outcome(game, public, lines.outcome)
        total = 0.0
        for place in range(nodes[after + FIRST], nodes[after + LAST]):
            total += lines.weights[place]
        for number in range(numbers):
            lines.values[(depth + 1) * numbers + number] = total * lines.outcome[number]
    clock[DEPTH] = depth + 1
    return True


def leave(lines: Lines, depth: int) -> None:
    """Enter the value of a node that has been followed to its end into the one before."""
    clock, nodes, values = lines.clock, lines.nodes, lines.values
    before, numbers = (depth - 1) * NODE_WORDS, clock[NUMBERS]
    child = nodes[before + NEXT] - 1
    own, other = (depth - 1) * numbers, depth * numbers
    clock[TOP] = nodes[depth * NODE_WORDS + BELOW]
    clock[DEPTH] = depth - 1
    if depth == 1:
        for number in range(numbers):
            lines.results[child, number] = values[other + number]
    elif nodes[before + WHOSE] == OTHERS:
        for number in range(numbers):
            values[own + number] += values[other + number]
    elif child == 0 or values[other] > values[own]:
        for number in range(numbers):
            values[own + number] = values[other + number]


def follow_lines(game: Any, lines: Lines, budget: int) -> int:
    """Go on for about so many steps. Gives up where there is no room, or where all its steps would not do."""
    clock, nodes = lines.clock, lines.nodes
    until = min(clock[STEPS] + budget, clock[MOST] + 1)
    while True:
        depth = clock[DEPTH]
        node = depth * NODE_WORDS
        if nodes[node + READ] < 0 and nodes[node + NEXT] == nodes[node + COUNT]:
            if depth == 0:
                return DONE
            leave(lines, depth)
            continue
        if nodes[node + READ] >= 0 and nodes[node + READ] == nodes[node + LAST] - nodes[node + FIRST]:
            if not part_particles(lines, depth):
                return GIVEN_UP
            continue
        own = nodes[node + WHOSE] == OWN
        if nodes[node + READ] >= 0 or own:  # what follows takes a step or more
            if clock[STEPS] >= clock[MOST]:
                return GIVEN_UP
            if clock[STEPS] >= until:
                return RUNNING
        if nodes[node + READ] >= 0:
            if not ask_particles(game, lines, depth, until):
                return GIVEN_UP
        else:
            if own:
                clock[STEPS] += nodes[node + LAST] - nodes[node + FIRST]
            nodes[node + NEXT] += 1
            if not enter(lines, game, depth, nodes[node + NEXT] - 1):
                return GIVEN_UP
        if clock[STEPS] > clock[MOST]:
            return GIVEN_UP


def expectation_kernel(
    game: str,
    *,
    turn: Callable[..., int],
    own_choices: Callable[..., int],
    respond: Callable[..., int],
    play: Callable[..., None],
    outcome: Callable[..., None],
) -> Callable[[Any, Lines, int], int]:
    """`follow_lines` with a game's kernels. Compiles nothing yet."""
    rules = {"turn": turn, "own_choices": own_choices, "respond": respond, "play": play, "outcome": outcome}
    made = Instances(f"{game}_endings", rules)
    for template in (child_of, ask_particles, part_particles, enter, leave):
        made.of(template)
    return made.of(follow_lines)


# ----------------------------------------------------------------------------------------------------
# The best reply over all deals that are left (`expectation`), where the limit of a question allows it.


SHARE = 0.5  # of the time that is left: if that does not do, worlds are sampled in the rest


def steps_allowed(control: Control, a_second: int) -> int:
    """How many steps may be taken at most, where so many take a second: those of half the time that is left.

    They are never more than in half of the time that a hint takes without a limit.
    """
    nodes, seconds = control.nodes_left(), control.seconds_left()
    within = DEFAULT_SECONDS if seconds is None else min(DEFAULT_SECONDS, max(0.0, seconds))
    steps = int(SHARE * within * a_second)
    return steps if nodes is None else min(steps, nodes)


def best_replies(
    follow: Callable[[Any, Lines, int], int], game: Any, start: Start, control: Control, most: int
) -> Whole | None:
    """What each move brings over all deals, in the numbers of the game's outcomes; a step is a node.

    `follow` is the game's `expectation.follow_lines`. None where `most` steps, half the time that is left or the
    room do not suffice, and where the question is cancelled.
    """
    if not start.weights.sum() > 0:
        return None
    lines = new_lines(start, most)
    status = RUNNING

    def step(budget: int) -> tuple[bool, int]:
        nonlocal status
        before = int(lines.clock[STEPS])
        status = follow(game, lines, budget)
        return status != RUNNING, int(lines.clock[STEPS]) - before

    seconds = control.seconds_left()
    until = None if seconds is None else time.monotonic() + SHARE * seconds
    with control.part(until=until) as part:
        part.node_limit = None  # the steps are counted to `most`, that a limit of nodes may be kept exactly
        part.drive(step, stage="all deals", done=lambda: float((lines.nodes[NEXT] - 1) / lines.nodes[COUNT]))
    return Whole(len(start.weights), np.array(lines.results)) if status == DONE else None


# ----------------------------------------------------------------------------------------------------
# What a seat can guarantee that sees one hand alone: over every deal that agrees with it, against all others.
#
# This is the model `paranoid` for who does not see the other hands. What the seat knows is the set of deals that
# it cannot tell apart. At its turn it makes the move that is best for the whole set. At another seat's turn it has
# to reckon with every move that is legal in one of the deals, and after a move those deals are left in which it
# was legal. So no move profits from what is not seen, no deal is left out, and none has a weight: the value is
# proved, and it is what the seat's score is at least, whatever the deal is and whatever the others do.
#
# The search is minimax over such sets with alpha-beta (fail-soft). All moves are seen by everybody. Which seat is
# to move, and the seat's own score at the end, follow from what is seen.


MOST_DEALS = 20_000  # in which anything is searched

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)

_ALL = 1 << 62  # beyond any score


class Open(Protocol[S, M]):
    """A game's rules with every card known, for the seat that asks."""

    def is_own(self, state: S) -> bool:
        """Whether it is the seat's turn."""

    def moves(self, state: S) -> Sequence[M]:
        """The legal moves; none when all is over. At the seat's turn they are the same in all deals of a set."""

    def after(self, state: S, move: M) -> S:
        """The state after a legal move."""

    def bounds(self, state: S) -> tuple[int, int]:
        """The least and the most that the seat's score can come to; the same when all is over."""


class Deals(NamedTuple, Generic[S]):
    """How many deals agree with a view, and these as states; of more than `MOST_DEALS` the first alone."""

    total: int
    states: Sequence[S]


def chosen(total: int, some: int | None) -> range:
    """The numbers of the deals that are listed: all, of too many the first; or about `some`, spread over all."""
    if some is not None:
        return range(0, total, max(1, total // some))
    return range(total if total <= MOST_DEALS else 1)


class Stopped(Exception):  # noqa: N818  # no error: the limit has come
    """The control's limit ended the search."""


@dataclass
class Guarantee(Generic[S, M]):
    """The search. Its nodes are states, so a set of a hundred deals counts as a hundred."""

    rules: Open[S, M]
    control: Control

    def after(self, states: Sequence[S], move: M) -> int:
        """What the seat guarantees by a move of its own. Raises Stopped."""
        return self._value([self.rules.after(state, move) for state in states], -_ALL, _ALL)

    def _value(self, states: Sequence[S], alpha: int, beta: int) -> int:
        self.control.nodes += len(states)
        if self.control.stopped():
            raise Stopped
        rules = self.rules
        low, high = rules.bounds(states[0])
        if low == high or low >= beta:
            return low
        if high <= alpha:
            return high
        if rules.is_own(states[0]):
            best = -_ALL
            for move in rules.moves(states[0]):
                after = [rules.after(state, move) for state in states]
                best = max(best, self._value(after, max(alpha, best), beta))
                if best >= beta:
                    break
            return best
        seen: dict[M, list[S]] = {}
        for state in states:
            for move in rules.moves(state):
                seen.setdefault(move, []).append(state)
        worst = _ALL
        for move, possible in seen.items():
            after = [rules.after(state, move) for state in possible]
            worst = min(worst, self._value(after, alpha, min(beta, worst)))
            if worst <= alpha:
                break
        return worst


def of_moves(rules: Open[S, M], deals: Deals[S], control: Control) -> dict[M, tuple[int, int]]:
    """What the seat to move guarantees by each of its moves, as bounds: equal where the limit left time to prove.

    `deals` are all that it cannot tell apart; where they are more than `MOST_DEALS` nothing is searched.
    """
    states = deals.states if deals.total <= MOST_DEALS else deals.states[:1]
    found: dict[M, tuple[int, int]] = {}
    search = Guarantee(rules, control)
    for move in rules.moves(states[0]):
        found[move] = rules.bounds(states[0])
        if deals.total <= MOST_DEALS and not control.stopped():
            try:
                value = search.after(states, move)
            except Stopped:
                continue
            found[move] = (value, value)
    return found


def told(
    seat: int, moves: Sequence[tuple[str, tuple[int, int]]], score: tuple[int, int], control: Control
) -> dict[str, Any]:
    """The fields of an analysis that says what a seat guarantees, its moves best first.

    `score` is what its score can come to at all, for a position without a move.
    """
    ordered = sorted(moves, key=lambda entry: (-entry[1][0], -entry[1][1]))
    low = max((bounds[0] for _, bounds in moves), default=score[0])
    high = max((bounds[1] for _, bounds in moves), default=score[1])
    best = ordered[0][0] if ordered else None
    return {
        "model": "paranoid",
        "player": seat,
        "to_move": seat,
        "exact": low == high,
        "value": low if low == high else None,
        "bounds": (low, high),
        "best": best,
        "moves": tuple(
            {"move": move, "value": a if a == b else None, "bounds": (a, b), "exact": a == b}
            for move, (a, b) in ordered
        ),
        "line": () if best is None else (best,),
        "nodes": control.nodes,
        "seconds": control.seconds,
    }


def check_turn(seat: int, to_move: int) -> None:
    """Raise RequestError where another seat is to move: its hand is not seen."""
    if seat != to_move:
        message = say("seat {seat} is to move, not seat {own}", seat=to_move, own=seat)
        raise RequestError("not_to_move", message, "seat")
