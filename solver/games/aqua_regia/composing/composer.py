"""Aqua Regia's part in making puzzles: endings that are made up, of few metals, few cards and few players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from solver.common.rng import Random
from solver.games.aqua_regia.cards.deck import FIELDS
from solver.games.aqua_regia.cards.deck_data import house
from solver.games.aqua_regia.cards.rules import Move, Pass, Play, legal_moves, play
from solver.games.aqua_regia.cards.text import text_of
from solver.games.aqua_regia.composing.symmetry import key
from solver.games.aqua_regia.composing.themes import CHECKS, Solved, themes_of
from solver.games.aqua_regia.positions.known import KnownPosition, View
from solver.protocol.answers import Answer
from solver.protocol.composing import HIDDEN_HAND, VALUE, Candidate, RoundComposer, Try

_ENDINGS = 12  # of a deal
_MOVES = 5  # at most, by which an ending is begun
_CARDS = 13  # of a hand and the stock together, at most


class AquaComposer(RoundComposer):
    """Made-up endings where all cards are known; rounds that hints have played where hands are hidden."""

    themes = tuple(CHECKS)

    def candidates(
        self, task: str, model: str | None, random: Random, *, seed: int, number: int
    ) -> Iterable[Candidate]:
        if task == HIDDEN_HAND:
            return super().candidates(task, model, random, seed=seed, number=number)
        return self._endings(task, model, random)

    def _endings(self, task: str, model: str | None, random: Random) -> Iterator[Candidate]:
        for _ in range(_ENDINGS):
            position = self._ending(random)
            for _ in range(random.below(_MOVES + 1)):
                moves = self.game.legal_moves(position)
                after = self.game.play(position, moves[random.below(len(moves))])
                assert isinstance(after, KnownPosition)
                if after.state.winner is not None:
                    break
                position = after
            if len(self.game.legal_moves(position)) > 1:
                yield self.candidate(task, model, random, position)

    def _ending(self, random: Random) -> KnownPosition:
        deck = house()
        metals = list(range(deck.size))
        random.shuffle(metals)
        cards = deck.symbols(metal for metal in metals[: 4 + random.below(5)] for _ in range(deck.copies))
        random.shuffle(cards)
        players = (2, 2, 3, 3, 4)[random.below(5)]
        sizes = [1 + random.below(_CARDS // players) for _ in range(players)]
        stock, discard = random.below(4), random.below(5)
        parts = []
        for size in (*sizes, stock, discard):
            parts.append(cards[:size])
            cards = cards[size:]
        fields: dict[str, Any] = {
            "game": self.game.name,
            "field": FIELDS[random.below(len(FIELDS))],
            "reversed": not random.below(3),
            "turn": 0,
            "hands": parts[:players],
            "stock": parts[players],
            "discard": parts[players + 1],
        }
        return KnownPosition.model_validate(fields)

    def bare(self, position: BaseModel) -> BaseModel:
        """The seat to move and the field as they are when nobody is left who cannot lead."""
        assert isinstance(position, KnownPosition)
        state = position.state
        settled = {"turn": state.turn, "field": FIELDS[state.field]}
        return position.model_copy(update=settled | {"history": None, "known": None, "deal_passes": None})

    def held_down(self, model: str | None, seat: int, position: BaseModel, random: Random) -> int | None:
        assert isinstance(position, KnownPosition)
        other = (seat + 1 + random.below(position.players - 1)) % position.players
        return other if model == "paranoid" and not random.below(5) else None

    def symmetry(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        if not isinstance(position, KnownPosition):
            return super().symmetry(task, candidate)
        state = position.state
        player = state.turn if candidate.player is None else candidate.player
        return f"{task} {candidate.model} {position.rules} {key(position.metals, state, player)}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """Nobody is out at once."""
        return task == HIDDEN_HAND or self.steps(task, candidate, answer) > 1

    def obvious(self, task: str, candidate: Candidate) -> Try:
        """Led, the most cards at once; else the weakest that will do; passed, the largest exchange."""
        position = candidate.position
        if task == VALUE:
            return self._ruled(candidate)
        assert isinstance(position, KnownPosition | View)
        moves: Sequence[Move] = self.game.legal_moves(position)
        best = min(moves, key=lambda move: _rule(move, not position.table))
        return text_of(position.metals, best)

    def _ruled(self, candidate: Candidate) -> Try:
        """1 or 0: whether a seat goes out first when all play by that rule."""
        position = candidate.position
        assert isinstance(position, KnownPosition)
        if candidate.model == "maxn":
            return None
        state, deck = position.state, position.metals
        player = state.turn if candidate.player is None else candidate.player
        while state.winner is None:
            led = not state.table
            state = play(deck, state, min(legal_moves(deck, state), key=lambda move: _rule(move, led)))
        return int(state.winner == player)

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position = candidate.position
        if not best or not isinstance(position, KnownPosition):
            return ()
        state = position.state
        held_down = candidate.player not in (None, state.turn)
        return themes_of(Solved(position.metals, state, self.game.parse_move(position, best), held_down))

    def note(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        assert isinstance(position, KnownPosition | View)
        seat = position.seat_to_move
        field = position.state.field if isinstance(position, KnownPosition) else position.field_number
        does = f"Seat {seat} {'is to follow' if position.table else 'leads'} in {FIELDS[field].replace('-', ' ')}"
        if candidate.player not in (None, seat):
            return f"{does}, and all keep seat {candidate.player} from going out"
        return does + {"ally": "; all help", "maxn": "; each is for themselves"}.get(candidate.model or "", "")


def _rule(move: Move, led: bool) -> tuple[int, ...]:
    """What a player by simple rules prefers, the least first."""
    if isinstance(move, Play):
        return (0, -move.count, move.metal) if led else (0, move.metal, move.count)
    assert isinstance(move, Pass)
    return 1, -(move.taken or 0), move.discarded or 0
