"""The exact best reply to players with known move probabilities, over all remaining deals.

All deals are followed together. Where another seat chooses, or a card is drawn, the deals are split by what the
asking seat sees, weighted by probability; where the asking seat chooses, the value is that of its best choice. So
that seat makes the same choice in all deals that it can't tell apart, and uses no hidden knowledge: the result is
the value of its best strategy, without strategy fusion (Frank and Basin 1998).

A *particle* is a weighted deal with everything else that is hidden, such as what kind of player a seat is. What
everybody sees is the *public* state. The search is a template: a game provides kernels as globals of its instance
(`solver.kernels.jit`). `game` is data for them, `public` the words of a public state:

* ``turn(game, public)`` returns whose turn it is: `OWN` (the asking seat), `OTHERS` (anybody else) or `OVER`;
* ``own_choices(game, public, codes)`` writes the codes of the asking seat's choices and returns their number;
* ``respond(game, public, particle, answers, chances, after)`` writes the possible answers in a particle at another
  seat's turn: the code of what is seen, its probability, and the particle's words after it. It returns the number
  of answers, or -1 if there are too many;
* ``play(game, public, code)`` updates a public state after a choice;
* ``outcome(game, public, numbers)`` writes the result of a finished game. The asking seat maximizes the first
  number; the others are reported for its best choices.

A step follows one particle through one choice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from solver.errors import RequestError
from solver.hints.ranking import Whole
from solver.hints.sampled import DEFAULT_SECONDS
from solver.kernels.jit import Instances
from solver.kernels.words import Floats, Words
from solver.language import say
from solver.limits import Control

# ----------------------------------------------------------------------------------------------------
# Memory for following all deals of an ending together: what `follow_lines` keeps between two calls.


# Words of the clock. DEPTH: how many choices the line is past the question. TOP: the end of the pile of particles.
# STEPS: how many were taken, of at most MOST. Then sizes: words of a public state (WIDTH) and of a particle
# (GRAIN), numbers of an outcome (NUMBERS), the most choices of a node (CHILDREN), nodes of a line (DEPTHS) and
# particles (ROOM).
DEPTH, TOP, STEPS, MOST, WIDTH, GRAIN, NUMBERS, CHILDREN, DEPTHS, ROOM = range(10)
CLOCK_WORDS = 10

# Words of a node on the line. WHOSE turn it is. FIRST and LAST: its particles. READ: how many of them have been
# asked for their answers, which gave PENDING new particles; -1 once that is done. NEXT: the next choice to follow,
# of COUNT. BELOW: where the pile ended before.
WHOSE, FIRST, LAST, READ, PENDING, NEXT, COUNT, BELOW = range(8)
NODE_WORDS = 8

ANSWERS = 256  # the most answers of one particle


class Lines(NamedTuple):
    """The state of the search: the line of play being followed, and the particles that agree with it.

    `clock` has counters and sizes, indexed by `DEPTH` and so on. Of each node on the line, by depth: its words in
    `nodes`, its `public` state, the `codes` of its choices, where the particles of each choice begin (`begins`),
    and its `values` so far. `particles` is a stack with the words of all particles, and `weights` has their
    weights. `pending`, `pending_weights` and `pending_child` are a node's new particles before they are sorted by
    choice; `answers`, `chances` and `after` hold the answers of one particle. `outcome` has room for the result of
    a line, and `results` a row for each move of the question.
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
    """The position from which the search follows every line of play; the asking seat is to move.

    `public` has the words of the public state, `codes` the codes of the moves. `particles` has a row for each deal
    that is still possible, and `weights` its weight. An outcome has `numbers` numbers. The search has room for
    `children` choices at a node, `depths` nodes in a line, and `room` particles at all nodes of a line together.
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
    """Return the initial state of a search that begins at `start` and may take at most `most` steps."""
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
RUNNING, DONE, GIVEN_UP = range(3)  # the result of a call of `follow_lines`


def turn(game: Any, public: Words) -> int:
    """Return whose turn it is: `OWN`, `OTHERS` or `OVER`. Each game has its own kernel for this."""
    raise NotImplementedError


def own_choices(game: Any, public: Words, codes: Words) -> int:
    """Write the codes of the asking seat's choices; return their number. Each game has its own kernel for this."""
    raise NotImplementedError


def respond(game: Any, public: Words, particle: Words, answers: Words, chances: Floats, after: Words) -> int:
    """Write the possible answers in a particle; return their number. Each game has its own kernel for this."""
    raise NotImplementedError


def play(game: Any, public: Words, code: int) -> None:
    """Update a public state after a choice. Each game has its own kernel for this."""
    raise NotImplementedError


def outcome(game: Any, public: Words, numbers: Floats) -> None:
    """Write the result of a finished game. Each game has its own kernel for this."""
    raise NotImplementedError


def child_of(lines: Lines, node: int, depth: int, code: int) -> int:
    """Return the index of the choice `code` among the choices of the node at `depth`.

    A new choice is added at the end. Returns -1 if there is no room for it. `node` is where the node's words
    begin.
    """
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
    """Collect the possible answers in each particle of the node at `depth`; return False if there is no room.

    Stops once `until` steps have been taken, though particles may be left; the next call goes on with those.
    """
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
    """Sort a node's new particles by choice and push them onto the stack `lines.particles`.

    Returns False if there is no room.
    """
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
    """Follow a choice from the node at `depth` to the next node; return False if there is no room."""
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
    """Combine the value of the finished node at `depth` with that of its parent, and return to the parent."""
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
    """Continue the search for about `budget` steps.

    Returns `RUNNING`, `DONE`, or `GIVEN_UP` if there is no room or the search needs more steps than are allowed.
    """
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
        if nodes[node + READ] >= 0 or own:  # what follows takes at least one step
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
    """Instantiate `follow_lines` with a game's kernels. Nothing is compiled yet."""
    rules = {"turn": turn, "own_choices": own_choices, "respond": respond, "play": play, "outcome": outcome}
    instances = Instances(f"{game}_endings", rules)
    for template in (child_of, ask_particles, part_particles, enter, leave):
        instances.of(template)
    return instances.of(follow_lines)


# ----------------------------------------------------------------------------------------------------
# The best reply over all remaining deals (`follow_lines`), if the question's limit allows it.


SHARE = 0.5  # of the time left: if that is not enough, the rest is for sampling worlds


def steps_allowed(control: Control, a_second: int) -> int:
    """Return the maximum number of steps: what fits into half the time left, at `a_second` steps per second.

    If there is no deadline, or more time left than a hint takes by default, it is half of that default. There are
    never more steps than nodes left.
    """
    nodes, seconds = control.nodes_left(), control.seconds_left()
    within = DEFAULT_SECONDS if seconds is None else min(DEFAULT_SECONDS, max(0.0, seconds))
    steps = int(SHARE * within * a_second)
    return steps if nodes is None else min(steps, nodes)


def best_replies(
    follow: Callable[[Any, Lines, int], int], game: Any, start: Start, control: Control, most: int
) -> Whole | None:
    """Compute the mean outcome of each move over all deals. A step counts as a node.

    `follow` is the game's `follow_lines`. Returns None if the search needs more than `most` steps, half the time
    left, or the room given in `start`; also if the question is cancelled, or if every deal has weight 0.
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
        part.node_limit = None  # `most` counts the steps, so that a node limit is kept exactly
        part.drive(step, stage="all deals", done=lambda: float((lines.nodes[NEXT] - 1) / lines.nodes[COUNT]))
    return Whole(len(start.weights), np.array(lines.results)) if status == DONE else None


# ----------------------------------------------------------------------------------------------------
# What a seat that sees only its own hand can guarantee: over every consistent deal, against all others.
#
# This is the model `paranoid` for a player who does not see the other hands. What the seat knows is the set of
# deals that it cannot tell apart. At its turn it makes the move that is best for the whole set. At another seat's
# turn every move that is legal in some deal of the set is possible, and the deals in which it was illegal then
# drop out. So no move profits from unseen cards, no deal is left out, and none is weighted: the value is proved,
# and the seat scores at least that much whatever the deal and whatever the others do.
#
# The search is minimax over such sets with alpha-beta (fail-soft). All moves are seen by everybody. The seat to
# move, and the player's score at the end, follow from what is seen.


MOST_DEALS = 20_000  # more are refused

S = TypeVar("S", bound=Hashable)
M = TypeVar("M", bound=Hashable)

_ALL = 1 << 62  # beyond any score


class Open(NamedTuple, Generic[S, M]):
    """A game's rules with every card known, used to find what one seat (the asking seat) can guarantee.

    `is_own` says whether it is the asking seat's turn. `moves` are the legal moves, none when the round is over;
    at the asking seat's turn they are the same in all deals that it can't tell apart. `bounds` are bounds on its
    final score, equal when the round is over.
    """

    is_own: Callable[[S], bool]
    moves: Callable[[S], Sequence[M]]
    after: Callable[[S, M], S]
    bounds: Callable[[S], tuple[int, int]]


class GuaranteedDeals(NamedTuple, Generic[S]):
    """The deals that agree with a view: their number `total`, and a state for each, or for some of them."""

    total: int
    states: Sequence[S]


def chosen(total: int, some: int | None) -> range:
    """Return the numbers of the deals to list.

    With `some`, these are about that many numbers, evenly spread. With None, they are all numbers. Raises
    RequestError if there are more than `MOST_DEALS` then.
    """
    if some is not None:
        return range(0, total, max(1, total // some))
    if total > MOST_DEALS:
        raise too_many(total)
    return range(total)


def too_many(total: int, *, at_most: bool = False) -> RequestError:
    """The error for a view with `total` deals, which are more than `MOST_DEALS`; or, if `at_most`, with up to
    that many.
    """
    digits = len(str(total))
    count = f"{round(total, 2 - digits):,}" if digits < 13 else f"10^{digits - 1}"
    template = "about {count} deals agree with this view; at most {most:,} can be checked"
    if at_most:
        template = "up to {count} deals agree with this view; at most {most:,} can be checked"
    return RequestError("too_large", say(template, count=count, most=MOST_DEALS))


class Stopped(Exception):  # noqa: N818  # not an error: the limit was reached
    """Raised when the control's limit ends the search."""


def guaranteed(
    rules: Open[S, M], states: Sequence[S], move: M, control: Control, alpha: int = -_ALL, beta: int = _ALL
) -> int:
    """Return the score that the seat can guarantee after a move, whichever of these states is the actual one.

    A score of `alpha` or less, or of `beta` or more, is only a bound. Every state counts as a node, so a set of a
    hundred deals is a hundred nodes. Raises Stopped if the control's limit is reached.
    """
    states = [rules.after(state, move) for state in states]
    control.nodes += len(states)
    if control.stopped():
        raise Stopped
    low, high = rules.bounds(states[0])
    if low == high or low >= beta:
        return low
    if high <= alpha:
        return high
    if rules.is_own(states[0]):
        best = -_ALL
        for own in rules.moves(states[0]):
            best = max(best, guaranteed(rules, states, own, control, max(alpha, best), beta))
            if best >= beta:
                break
        return best
    seen: dict[M, list[S]] = {}
    for state in states:
        for other in rules.moves(state):
            seen.setdefault(other, []).append(state)
    worst = _ALL
    for other, possible in seen.items():
        worst = min(worst, guaranteed(rules, possible, other, control, alpha, min(beta, worst)))
        if worst <= alpha:
            break
    return worst


def of_moves(rules: Open[S, M], deals: GuaranteedDeals[S], control: Control) -> dict[M, tuple[int, int]]:
    """Return, for each move, bounds on the score that the seat to move can guarantee with it.

    A move's bounds are equal if its score is proved in time. `deals` are all deals that the seat cannot tell
    apart.
    """
    states = deals.states
    bounds_after: dict[M, tuple[int, int]] = {}
    for move in rules.moves(states[0]):
        bounds_after[move] = rules.bounds(states[0])
        if not control.stopped():
            try:
                value = guaranteed(rules, states, move, control)
            except Stopped:
                continue
            bounds_after[move] = (value, value)
    return bounds_after
