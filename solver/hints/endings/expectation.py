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

from collections.abc import Callable
from typing import Any

from solver.hints.endings.lines import (
    BELOW,
    CHILDREN,
    COUNT,
    DEPTH,
    DEPTHS,
    FIRST,
    GRAIN,
    LAST,
    MOST,
    NEXT,
    NODE_WORDS,
    NUMBERS,
    PENDING,
    READ,
    ROOM,
    STEPS,
    TOP,
    WHOSE,
    WIDTH,
    Lines,
)
from solver.kernels.arrays import Floats, Words
from solver.kernels.template import Instances

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
