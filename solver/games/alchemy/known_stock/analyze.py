"""Analysis of a solitaire with a known stock: each move won or lost, the fewest stock cards left, the line."""

from __future__ import annotations

from solver.common.control import Bounded, Control
from solver.games.alchemy.answers import Outcome, SolitaireAnalysis, SolitaireMove
from solver.games.alchemy.cards.deck import cards
from solver.games.alchemy.cards.rules import Turn, Variant, solitaire_moves, solitaire_play
from solver.games.alchemy.cards.text import Move
from solver.games.alchemy.fast_rules.lines import lines
from solver.games.alchemy.known_stock.clairvoyant import Search
from solver.games.alchemy.positions.known import SolitairePosition


class KnownStock:
    """Exact values of the turns of one deal; the memo of lost states is shared by all questions about it."""

    def __init__(self, variant: Variant, turn: Turn, control: Control) -> None:
        assert turn.hand is not None
        self._variant = variant
        self._control = control
        self._tables = lines(variant)
        self._search = Search(self._tables, 1 + len(turn.stock))
        self._search.deal([turn.hand, *turn.stock])
        self._found: dict[Move, int | None] = {}

    def left(self, turn: Turn) -> int | None:
        """The fewest stock cards that play from `turn` can leave (0 is a win); None when the limit came first."""
        if turn.won is not None:
            return len(turn.stock)
        self._search.enter(self._search.count - len(turn.stock) - 1, self._tables.number(turn.line))
        return self._search.left if self._control.drive(self._search.step, stage="solve") else None

    def moves(self, turn: Turn) -> list[tuple[Move, int | None]]:
        """Every move of a turn in canonical order, with `left` after it; `proved` tells of them meanwhile."""
        assert turn.hand is not None
        self._found = dict.fromkeys(solitaire_moves(self._variant, turn.line, turn.hand))
        for move in self._found:
            self._found[move] = self.left(solitaire_play(self._variant, turn, move))
        return list(self._found.items())

    def proved(self) -> list[Bounded]:
        """Which moves are known to win or to lose by now, of those that `moves` has last been asked for."""
        return [Bounded(str(move), _bounds(left)) for move, left in self._found.items()]

    def line(self, turn: Turn, best: int) -> list[Move]:
        """A line of play that leaves `best` stock cards: at each turn the first move in canonical order that does.

        It ends early when the limit comes first.
        """
        moves: list[Move] = []
        while turn.hand is not None:
            for move in solitaire_moves(self._variant, turn.line, turn.hand):
                after = solitaire_play(self._variant, turn, move)
                if self.left(after) == best:
                    break
            else:
                break
            moves.append(move)
            turn = after
        return moves


def _outcome(left: int) -> Outcome:
    return "lost" if left else "won"


def _bounds(left: int | None) -> tuple[Outcome, Outcome]:
    return ("lost", "won") if left is None else (_outcome(left), _outcome(left))


def analyze(position: SolitairePosition, control: Control) -> SolitaireAnalysis:
    """The value of every legal move, the best first.

    Moves that the limit left open stand between won and lost ones.
    """
    turn = position.turn
    values: list[tuple[Move, int | None]] = []
    play: list[Move] = []
    left: int | None = 0 if turn.won else len(position.unseen_ranks)
    if turn.hand is not None:
        known = KnownStock(position.solitaire, turn, control)
        with control.telling(known.proved):
            values = known.moves(turn)
            values.sort(key=lambda item: 0.5 if item[1] is None else item[1])  # stable: canonical order on ties
            lefts = [value for _, value in values]
            left = 0 if 0 in lefts else None if None in lefts else min(lefts)  # type: ignore[type-var]
            play = known.line(turn, left) if left is not None else []
    return SolitaireAnalysis(
        game="alchemy",
        variant=position.variant,
        player=0,
        to_move=0,
        exact=left is not None,
        value=None if left is None else _outcome(left),
        bounds=_bounds(left),
        left=left,
        best=str(values[0][0]) if values else None,
        moves=tuple(
            SolitaireMove(
                move=str(move),
                value=None if value is None else _outcome(value),
                bounds=_bounds(value),
                exact=value is not None,
                left=value,
                used=tuple(cards(move.used)),
            )
            for move, value in values
        ),
        line=tuple(map(str, play or [move for move, _ in values[:1]])),
        nodes=control.nodes,
        seconds=control.seconds,
    )
