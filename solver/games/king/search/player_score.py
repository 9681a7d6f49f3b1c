"""`paranoid` and `ally`: one player's score, proved by questions to the fail-soft trick search."""

from __future__ import annotations

from solver.common.control import Control
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.rules import Move, State, legal_moves, play
from solver.games.king.compounding.kernel import REST, best, optimistic, working_space
from solver.games.king.compounding.tables import PATIENCE, tables
from solver.games.king.fast_rules.encode import deal_words, node_words
from solver.games.king.fast_rules.kernel import LIVE, PILE, TRICK
from solver.games.king.fast_rules.switches import ALL_SWITCHES
from solver.games.king.search.budget import KEEPERS, QUESTIONS
from solver.games.king.search.relief import relieve
from solver.kernels.arrays import Words
from solver.search.budget import Part
from solver.search.tricks.fail_soft_prover import FailSoftProver

# Questions begin this part of the way from what is won to all that can be won: low, for a YES is the cheaper
# answer, and often proves more than was asked.
_STEPS = 8
_ALLY_STEPS = 32


def score_bounds(deck: Deck, pile: int) -> tuple[int, int]:
    """Bounds of the score of a pile (a mask of cards): its points and the bonus of its best compounding.

    They are equal, except for piles of decks made to be hard to compound.
    """
    table, work = tables(deck), working_space()
    vp, least = deck.vp(pile), int(best(table, work, pile, table[PATIENCE]))
    most = least if work[REST] >= 0 else int(optimistic(table, work, pile))
    return vp + least, vp + most


class PlayerScore:
    """The score that `player` reaches from the states of one deal.

    The others play against `player` or, with `allies`, for them. What is proved of a state is kept for later
    questions about the same deal.
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
        self._proved: dict[bytes, tuple[int, int]] = {}
        self.found: dict[Move, tuple[int, int]] = {}  # what `moves` has proved by now

    def maximises(self, state: State) -> bool:
        return self._allies or state.to_move == self.player

    def widest(self, node: Words) -> tuple[int, int]:
        """The least and the most that the score can be, without a search.

        The least is the score of what is won already; the most is a bound on the score of that and all cards that
        can still be won.
        """
        deck = self.start.deck
        bounds = score_bounds(deck, int(node[PILE]))
        if not node[LIVE] | node[TRICK]:
            return bounds
        everything = int(node[PILE] | node[LIVE] | node[TRICK])
        return bounds[0], deck.vp(everything) + int(optimistic(tables(deck), working_space(), everything))

    def node(self, state: State) -> Words:
        """The node of a state, as the words that the kernels read."""
        return node_words(state, self._deal)

    def bounds(
        self,
        state: State,
        guess: int | None = None,
        *,
        part: Part | None = None,
        nodes: int | None = None,
    ) -> tuple[int, int]:
        """The least and the most that the score of a state can be; they are equal unless a limit came first.

        The limits are that of the control, that of `part` and, for each question, `nodes`. `guess` is the score
        that the first question asks about.
        """
        node = self.node(state)
        key = node.tobytes()
        least, most = self._proved.get(key) or self.widest(node)
        need = guess
        while least < most:
            if need is None:
                need = least + 1 + (most - least) // (_ALLY_STEPS if self._allies else _STEPS)
            need = min(max(need, least + 1), most)
            worth = self._ask(node, need, nodes, part)
            if worth is None:
                break
            if worth >= need:
                least = worth
                need = None if guess is None else worth + 1
            else:
                most = worth
                need = None
        self._proved[key] = (least, most)
        return least, most

    def _ask(self, node: Words, need: int, nodes: int | None = None, part: Part | None = None) -> int | None:
        """What is proved when it is asked whether the score of a node is at least `need`.

        An answer of at least `need` is a lower bound on the score, one below it an upper bound. None when a limit
        came first.
        """
        part = part or Part(self._control, 1)
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
        """The bounds of the score after every legal move, in canonical order.

        The questions about a move begin at the lower bound of the move before it. `share` is the part of the
        control's limit that may be used; under a limit the moves take turns.
        """
        ways = {move: play(self.start, move) for move in legal_moves(self.start)}
        bounds = self.found = {move: self.widest(self.node(state)) for move, state in ways.items()}
        part = Part(self._control, share)
        for nodes in part.rounds(QUESTIONS):
            guess: int | None = None
            for move, state in ways.items():
                bounds[move] = self.bounds(state, guess, part=part, nodes=nodes)
                guess = bounds[move][0]
            if all(least == most for least, most in bounds.values()):
                break
        return bounds

    def line(self, state: State, worth: int) -> list[Move]:
        """A line of best play by both sides from a state whose score is `worth`.

        It ends early when the limit comes first.
        """
        played: list[Move] = []
        while not state.over:
            moves = legal_moves(state)
            move = moves[0] if len(moves) == 1 else self._keeper(state, moves, worth)
            if move is None:
                break
            played.append(move)
            state = play(state, move)
        return played

    def _keeper(self, state: State, moves: list[Move], worth: int) -> Move | None:
        """A move after which the score is still `worth`: the one that is proved with the least work.

        Of several that are proved in the same round of questions it is the first in canonical order. None when the
        limit came first.
        """
        high = self.maximises(state)
        need = worth if high else worth + 1
        ways: dict[bytes, tuple[Move, Words]] = {}  # one move of those that lead to the same node
        for move in moves:
            node = self.node(play(state, move))
            ways.setdefault(node.tobytes(), (move, node))
        if len(ways) == 1:
            return moves[0]
        for nodes in KEEPERS.rounds():
            if not ways or self._control.stopped():
                break
            for key, (move, node) in list(ways.items()):
                proved = self._ask(node, need, nodes)
                if proved is None:
                    continue
                if (proved >= need) is high:
                    return move
                del ways[key]
        return None
