"""One player's exact score against all others (`paranoid`) or with their help (`ally`), by fail-soft search."""

from __future__ import annotations

import numpy as np

from solver.common import members
from solver.games.king import bounds, fast_rules
from solver.games.king.bounds import enter_hard
from solver.games.king.compounding import bonus_bounds
from solver.games.king.compounding_kernel import PATIENCE, REST, best, optimistic, tables, working_space
from solver.games.king.deck import CARDS, SUITS, Deck
from solver.games.king.fast_rules import (
    ALL_SWITCHES,
    BEST,
    CONTEXTS,
    GAINED,
    HANDS,
    LEAD,
    LEADER,
    LIVE,
    MOST_MOVES,
    NAMED,
    NODE_WORDS,
    ORDER,
    PLAYED,
    PLAYER,
    PLAYERS,
    POINTS,
    PROBE_NODES,
    PROBE_TRICKS,
    STALLED,
    STATE_WORDS,
    THE_DANCER,
    card_at,
    deal_words,
    list_ways,
    maximises,
    move_of,
    names,
    node_words,
    offered,
    playable,
    round_words,
    seat_to_move,
    winning_card,
)
from solver.games.king.rules import Move, State
from solver.kernels.jit import inlined, lean
from solver.kernels.words import Words, trailing_zeros
from solver.limits import Control, Growth, Part, once
from solver.search.fail_soft import FailSoftProver, FailSoftRules, FailSoftSearch, fail_soft_search
from solver.search.memory import Pool
from solver.search.trick_rules import SWITCHES

# ----------------------------------------------------------------------------------------------------
# The shares of a question's limit for King × Alchemy's proofs.


QUESTIONS = Growth(20_000, 4)  # nodes for one question about a move's score
KEEPERS = Growth(300, 8)  # nodes for each move when looking for one that keeps the score
BOUND_NODES = 200_000  # for one question of a bound under maxn
_PROVABLE = 30  # cards in hands with which a proof is likely to succeed


def proof_share(state: State) -> float:
    """The fraction of a limit to spend on proofs; the rest is for estimates by simulated games if these fail."""
    return 0.85 if sum(hand.bit_count() for hand in state.hands) <= _PROVABLE else 0.1


# ----------------------------------------------------------------------------------------------------
# What searches do when they need a bonus that is too expensive to compute within a node.


def relieve(deck: Deck, deal: Words, control: Control) -> bool:
    """Compute the bonus that a search of this deal is waiting for; False if the control's limit was reached.

    The search is no longer stalled afterwards: it can be resumed, or turn to another question.
    """
    cards = int(deal[STALLED])
    deal[STALLED] = 0
    least, most = bonus_bounds(deck, list(members(cards)), control)
    if least < most:
        return False
    enter_hard(deal, cards, least)
    return True


# The first question is about a score 1/_STEPS of the way from what is won to all that can be won: low, since a yes
# is cheaper and often proves more than was asked. Against all others, a no gives an upper bound, and the next
# question is whether that bound is reached (MTD(f): Plaat et al. 1996).
_STEPS = 8
_ALLY_STEPS = 32
_STRIDE = 8  # from a score reached, up to the next one asked about


def score_bounds(deck: Deck, pile: int) -> tuple[int, int]:
    """Bounds on the score of a pile (a mask of cards): its points and the bonus of its best compounding.

    They are equal unless the best compounding takes too long to find.
    """
    table, work = tables(deck), working_space()
    vp, least = deck.vp(pile), int(best(table, work, pile, table[PATIENCE]))
    most = least if work[REST] >= 0 else int(optimistic(table, work, pile))
    return vp + least, vp + most


class Ways:
    """The legal moves of a round, listed by one kernel call.

    `codes` has the moves. The first row of `rounds` is the round itself, the others are the rounds after its
    moves. `nodes` has a row for each move: the node after it, with only the player's pile.
    """

    def __init__(self, deal: Words) -> None:
        self._deal = deal
        self.codes: Words = np.zeros(MOST_MOVES, np.int64)
        self._rounds: Words = np.zeros((MOST_MOVES + 1) * NODE_WORDS, np.int64)
        self._nodes: Words = np.zeros(MOST_MOVES * STATE_WORDS, np.int64)
        self.rounds = self._rounds.reshape(-1, NODE_WORDS)
        self.nodes = self._nodes.reshape(-1, STATE_WORDS)

    def of(self, state: State) -> int:
        """List the moves of a state, and return their number."""
        self.rounds[0] = round_words(state, self._deal)
        return self._listed()

    def after(self, place: int) -> int:
        """Make the move at index `place`, list the moves after it, and return their number."""
        self.rounds[0] = self.rounds[place + 1]
        return self._listed()

    def _listed(self) -> int:
        return int(list_ways(self._deal, self._rounds, 0, self.codes, NODE_WORDS, self._nodes))

    def seat_to_move(self) -> int:
        return int(seat_to_move(self._deal, self._rounds, 0))

    def maximises(self) -> bool:
        """Whether the seat to move wants the player's score high."""
        return bool(maximises(self._deal, self._rounds, 0))


class PlayerScore:
    """Computes the score that `player` reaches from states of one deal.

    The others work against the player or, with `allies`, help. Results are kept for later questions about the same
    deal.
    """

    def __init__(
        self,
        prover: FailSoftProver,
        start: State,
        player: int,
        *,
        allies: bool,
        control: Control,
        switches: int = ALL_SWITCHES,
    ) -> None:
        self.start = start
        self.player = player
        self._allies = allies
        self._control = control
        self._prover = prover
        self._deal = deal_words(start, player, allies=allies, switches=switches)
        self._whole = Part(control)
        self._ways = Ways(self._deal)
        self._ends: Words = np.zeros(2, np.int64)
        self._proved: dict[bytes, tuple[int, int]] = {}
        self.found: dict[Move, tuple[int, int]] = {}  # what `moves` has proved so far

    def maximises(self, state: State) -> bool:
        return self._allies or state.to_move == self.player

    def widest(self, node: Words) -> tuple[int, int]:
        """Lower and upper bounds on the score, without a search.

        The lower bound is the score of what is already won; the upper bound adds all cards that can still be won.
        """
        bounds.widest(self._deal, node, 0, self._ends, 0)
        least, most = self._ends.tolist()
        return least, most

    def node(self, state: State) -> Words:
        return node_words(state, self._deal)

    def bounds(
        self,
        state: State,
        guess: int | None = None,
        *,
        part: Part | None = None,
        nodes: int | None = None,
    ) -> tuple[int, int]:
        """Lower and upper bounds on the score of a state; they are equal unless a limit was reached.

        The search asks whether the score reaches one value after another, starting with `guess`. It stops at the
        limit of the control or of `part`, or when a question takes more than `nodes` nodes.
        """
        return self._narrowed(self.node(state), guess, part, nodes)

    def _narrowed(self, node: Words, guess: int | None, part: Part | None, nodes: int | None) -> tuple[int, int]:
        key = node.tobytes()
        least, most = self._proved.get(key) or self.widest(node)
        need = guess
        stride = 1  # a guess is seldom far off
        while least < most:
            if need is None:
                need = least + 1 + (most - least) // (_ALLY_STEPS if self._allies else _STEPS)
            need = min(max(need, least + 1), most)
            worth = self._ask(node, need, nodes, part)
            if worth is None:
                break
            if worth >= need:
                least = worth
                need = None if guess is None else worth + stride
                stride = _STRIDE
            else:
                most = worth
                need = None if self._allies else worth
        self._proved[key] = (least, most)
        return least, most

    def reaches(self, state: State, score: int) -> bool | None:
        """Whether the score of a state is at least `score`; None if the limit was reached."""
        proved = self._ask(self.node(state), score)
        return None if proved is None else proved >= score

    def _ask(self, node: Words, need: int, nodes: int | None = None, part: Part | None = None) -> int | None:
        """The bound proved by asking whether the score of a node is at least `need`.

        An answer of at least `need` is a lower bound on the score, a smaller one an upper bound. None if a limit
        was reached.
        """
        part = part or self._whole
        return self._prover.ask(
            self._deal,
            node,
            need,
            self._control,
            nodes=part.nodes(nodes),
            until=part.until,
            relief=lambda control: relieve(self.start.deck, self._deal, control),
        )

    def moves(self, share: float = 1.0) -> dict[Move, tuple[int, int]]:
        """Bounds on the score after every legal move, in canonical order.

        The first question about a move is whether its score reaches the lower bound of the move before it. `share`
        is the fraction of the control's limit that may be used. Under a limit, all moves are searched again and
        again, with growing node limits.
        """
        count = self._ways.of(self.start)
        codes = self._ways.codes[:count].tolist()
        ways = dict(zip((move_of(self.start, code) for code in codes), self._ways.nodes.copy(), strict=False))
        found = self.found = {move: self.widest(node) for move, node in ways.items()}
        part = Part(self._control, share)
        for nodes in part.rounds(QUESTIONS):
            guess: int | None = None
            for move, node in ways.items():
                found[move] = self._narrowed(node, guess, part, nodes)
                guess = found[move][0]
            if all(least == most for least, most in found.values()):
                break
        return found

    def line(self, move: Move, worth: int) -> list[Move]:
        """A line of best play by both sides after one of the moves that `moves` has just found, worth `worth`.

        It ends early if the limit is reached.
        """
        played: list[Move] = []
        count = self._ways.after(list(self.found).index(move))
        while count:
            place = 0 if count == 1 else self._keeper(count, worth)
            if place is None:
                break
            played.append(move_of(self.start, int(self._ways.codes[place])))
            count = self._ways.after(place)
        return played

    def _keeper(self, count: int, worth: int) -> int | None:
        """Return the index of a move that keeps the score at `worth`: the one proved with the least work.

        In a tie it is the first in canonical order. None if the limit was reached.
        """
        high = self._ways.maximises()
        need = worth if high else worth + 1
        ways: dict[bytes, tuple[int, Words]] = {}  # one of the moves that lead to the same node
        for place, node in enumerate(self._ways.nodes[:count]):
            ways.setdefault(node.tobytes(), (place, node))
        if len(ways) == 1:
            return 0
        for nodes in KEEPERS.rounds():
            if not ways or self._control.stopped():
                break
            for key, (place, node) in list(ways.items()):
                proved = self._ask(node, need, nodes)
                if proved is None:
                    continue
                if (proved >= need) is high:
                    return place
                del ways[key]
        return None


# ----------------------------------------------------------------------------------------------------
# Move generation and ordering.


@inlined
def insert(out: Words, to: int, count: int, move: int, worth: int) -> int:
    """Insert a move into a list sorted by descending worth; return the new count.

    The upper bits of each word hold the worth of the move, the lowest 8 bits the move.
    """
    word = (worth << 8) | move
    place = to + count
    while place > to and out[place - 1] < word:
        out[place] = out[place - 1]
        place -= 1
    out[place] = word
    return count + 1


@inlined
def context(deal: Words, state: Words, at: int) -> int:
    """Return the index of the move-ordering statistics to use.

    It depends on the card to beat and on whether the player is yet to play in this trick. It need not depend on
    the seat to move, since the statistics are kept by card, and each card belongs to one seat.
    """
    if deal[SWITCHES] & CONTEXTS == 0:
        return int(maximises(deal, state, at))
    if state[at + PLAYED] == 0:
        return 2 * CARDS
    place = deal[PLAYER] - state[at + LEADER]
    if place < 0:
        place += deal[PLAYERS]
    return int(2 * winning_card(deal, state, at) + (place >= state[at + PLAYED]))


@inlined
def probing(deal: Words, tricks: int) -> int:
    """The node limit for trying each move of an opponent briefly, before any is searched in full.

    Returns 0 if the moves are to be searched in full at once, such as when few `tricks` are left.
    """
    return int(deal[PROBE_NODES]) if tricks >= deal[PROBE_TRICKS] else 0


@lean
def moves(deal: Words, state: Words, at: int, out: Words, to: int, first: int, history: Words, past: int) -> int:
    """Write the moves of the seat to move to `out`, starting at `to`, most promising first; return their number.

    In a full trick, they are the ways to share it out with different gains for the player. Otherwise the move
    `first` (-1 if none) comes first, then the others by their history scores ``history[past + move]``.
    """
    count = 0
    side = maximises(deal, state, at)
    if state[at + PLAYED] == deal[PLAYERS]:
        offer = offered(deal, state, at)
        order = state[at + ORDER]
        pair = state[at + BEST] == deal[PLAYER]
        for place in range(deal[PLAYERS]):
            if (offer >> card_at(order, place)) & 1 == 0:
                continue
            points = deal[POINTS + card_at(order, place)]
            if pair:
                for other in range(place):
                    if (offer >> card_at(order, other)) & 1:
                        move = GAINED + (1 << place) + (1 << other)
                        count = insert(out, to, count, move, points + deal[POINTS + card_at(order, other)])
            else:
                count = insert(out, to, count, GAINED + (1 << place), points if side == 1 else 1000 - points)
    else:
        hand = state[at + LIVE] & deal[HANDS + seat_to_move(deal, state, at)]
        cards = hand if state[at + PLAYED] == 0 else playable(deal, hand, state[at + LEAD])
        while cards != 0:
            card = trailing_zeros(cards)
            cards &= cards - 1
            if card != deal[THE_DANCER]:
                worth = 1 << 50 if card == first else int(history[past + card])
                count = insert(out, to, count, card, worth)
                continue
            suits = names(deal, state, at, hand)
            for suit in range(SUITS):
                if (suits >> suit) & 1:
                    move = NAMED + suit
                    worth = 1 << 50 if move == first else int(history[past + move])
                    count = insert(out, to, count, move, worth)
    for place in range(to, to + count):
        out[place] &= 255
    return count


# ----------------------------------------------------------------------------------------------------
# The fail-soft search, instantiated for King × Alchemy.


@once
def search() -> FailSoftSearch:
    """The fail-soft search with King's rules and bounds."""
    return fail_soft_search(
        FailSoftRules(
            game="king",
            state_words=fast_rules.STATE_WORDS,
            most_moves=fast_rules.MOST_MOVES,
            boundary=fast_rules.boundary,
            size=fast_rules.size,
            maximises=fast_rules.maximises,
            play=fast_rules.kernel_play,
            settle=bounds.settle,
            estimate=bounds.estimate,
            first_key=bounds.first_key,
            second_key=bounds.second_key,
            moves=moves,
            context=context,
            relaxed=bounds.relaxed,
            probing=probing,
            stalled=bounds.stalled,
            toll=bounds.toll,
        )
    )


PROVERS = Pool(lambda megabytes: FailSoftProver(search(), megabytes))
