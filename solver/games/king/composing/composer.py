"""King × Alchemy's part in making puzzles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from pydantic import BaseModel

from solver.common.control import Control
from solver.common.masks import members
from solver.common.rng import Random
from solver.games.king.cards.deck import CARDS, SUITS
from solver.games.king.cards.deck_data import house
from solver.games.king.cards.rules import Move, Play, State, Taking, legal_moves, play, winner
from solver.games.king.cards.text import move_text
from solver.games.king.composing.compounding import by_rule, dear, thrifty
from solver.games.king.composing.symmetry import key, key_of_cards
from solver.games.king.composing.themes import CHECKS, Solved, themes_of
from solver.games.king.compounding.best import best as best_compounding
from solver.games.king.compounding.best import compound
from solver.games.king.hints.guaranteed import deals_of
from solver.games.king.positions.known import KnownPosition, View
from solver.games.king.positions.picks import CardSet
from solver.protocol.answers import Analysis, Answer
from solver.protocol.composing import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate, RoundComposer, Try, in_all
from solver.protocol.compounding import CompoundAnalysis

COMPOUND = "compound"
_MOST_CARDS = 15  # in the hands and the trick of a puzzle with every card known
_MOST_DEALS = 400  # that themes are looked for in
_SETS = 4  # of cards, of a deal
_FEWEST, _MOST = 7, 26  # cards of a set


class KingComposer(RoundComposer):
    """Endings of rounds that hints have played, and sets of cards that are drawn."""

    tasks = (BEST_MOVE, VALUE, COMPOUND, HIDDEN_HAND)
    themes = tuple(CHECKS)
    variant: ClassVar[str | None] = "picked"

    def dealt(self, random: Random, seed: int, number: int) -> BaseModel:
        return self.game.deal(seed, number=number, players=3 + random.below(3), variant=self.variant)

    def candidates(
        self, task: str, model: str | None, random: Random, *, seed: int, number: int
    ) -> Iterable[Candidate]:
        if task == COMPOUND:
            return (self._set(random) for _ in range(_SETS))
        return super().candidates(task, model, random, seed=seed, number=number)

    def _set(self, random: Random) -> Candidate:
        cards = list(range(CARDS))
        random.shuffle(cards)
        chosen = house().codes(sorted(cards[: _FEWEST + random.below(_MOST - _FEWEST + 1)]))
        return Candidate(CardSet.model_validate({"game": self.game.name, "cards": chosen}))

    def suits(self, task: str, position: BaseModel) -> bool:
        assert isinstance(position, KnownPosition)
        cards = sum(map(len, position.hands)) + len(position.trick)
        return cards > position.players and (task == HIDDEN_HAND or cards <= _MOST_CARDS)

    def held_down(self, model: str | None, seat: int, position: BaseModel, random: Random) -> int | None:
        assert isinstance(position, KnownPosition)
        other = (seat + 1 + random.below(position.players - 1)) % position.players
        return other if model == "paranoid" and not random.below(5) else None

    def bare(self, position: BaseModel) -> BaseModel:
        return position.model_copy(update={"history": None, "removed": ()})

    def symmetry(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        if isinstance(position, CardSet):
            return key_of_cards(position.full_deck, position.numbers)
        if not isinstance(position, KnownPosition):
            return super().symmetry(task, candidate)
        player = position.seat_to_move if candidate.player is None else candidate.player
        return f"{task} {candidate.model} {key(position.state, player, position.rules)}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """One way to compound is best, and no rule of thumb finds it; a value is more than what is won already; a
        view allows several deals."""
        position = candidate.position
        if isinstance(position, View) and candidate.model is not None:
            return deals_of(position).total > 1
        if isinstance(position, CardSet):
            ways = compound(position.full_deck, position.numbers, Control(), count=2).ways or ()
            return len(ways) > 1 and ways[1].bonus < ways[0].bonus != self.obvious(task, candidate)
        if task != VALUE:
            return True
        assert isinstance(position, KnownPosition)
        assert isinstance(answer, Analysis)
        if isinstance(answer.value, tuple):
            return True
        return answer.value != self._worth(position.state.won[answer.player or 0])

    def _worth(self, pile: int) -> int:
        """The points of a pile of the house deck, compounded."""
        return best_compounding(house(), list(members(pile))).total

    def obvious(self, task: str, candidate: Candidate) -> Try:
        """The strongest card if it wins so far, else the cheapest; the most points taken; the dearest recipe."""
        position = candidate.position
        if isinstance(position, CardSet):
            return by_rule(position.full_deck, position.numbers, dear)
        assert isinstance(position, KnownPosition | View)
        if task == VALUE:
            assert isinstance(position, KnownPosition)
            return self._ruled(candidate, position)
        if isinstance(position, KnownPosition):
            return move_text(position.full_deck, _rule(position, legal_moves(position.state)))
        return move_text(position.full_deck, _rule(position, self.game.legal_moves(position)))

    def _ruled(self, candidate: Candidate, position: KnownPosition) -> Try:
        """The points that a seat comes to when all play by that rule."""
        if candidate.model == "maxn":
            return None
        player = position.seat_to_move if candidate.player is None else candidate.player
        while moves := legal_moves(position.state):
            after = self.game.play(position, _rule(position, moves))
            assert isinstance(after, KnownPosition)
            position = after
        return self._worth(position.state.won[player])

    def shallow(self, task: str, candidate: Candidate) -> Try:
        position = candidate.position
        if isinstance(position, CardSet):
            return by_rule(position.full_deck, position.numbers, thrifty)
        return super().shallow(task, candidate)

    def steps(self, task: str, candidate: Candidate, answer: Answer) -> int:
        return (
            len(answer.recipes) if isinstance(answer, CompoundAnalysis) else super().steps(task, candidate, answer)
        )

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position = candidate.position
        if isinstance(position, View) and candidate.model is not None:
            return in_all(self._of_deals(position, self.game.parse_move(position, best)))
        if not best or not isinstance(position, KnownPosition):
            return ()
        moves: list[Move] = []
        at: BaseModel = position
        for text in line or [best]:
            moves.append(self.game.parse_move(at, text))
            at = self.game.play(at, moves[-1])
        held_down = candidate.player not in (None, position.seat_to_move)
        return themes_of(Solved(position.state, moves[0], moves, held_down))

    def _of_deals(self, view: View, best: Move) -> Iterator[Sequence[str]]:
        """The themes of each way in which the trick can go on from a move, in each deal that a view allows."""
        deals = deals_of(view)
        for state in deals.states if deals.total <= _MOST_DEALS else ():
            for line in _completed(play(state, best), (best,)):
                yield themes_of(Solved(state, best, line, held_down=False))

    def note(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        if isinstance(position, CardSet):
            greed = by_rule(position.full_deck, position.numbers, dear)
            return f"Always making the dearest recipe that is left ends with a bonus of {greed}"
        assert isinstance(position, KnownPosition | View)
        seat, place = position.seat_to_move, len(position.trick)
        last = place == position.players - 1
        does = "has won and takes" if position.trick_is_full else "leads" if not place else "follows"
        does = f"Seat {seat} {'plays last' if last else does}"
        if candidate.player not in (None, seat):
            return f"{does}, and all hold down seat {candidate.player}"
        if isinstance(position, View) and candidate.model is not None:
            return f"{does}, and wants to be sure whatever the others hold"
        return does + {"ally": "; all help", "maxn": "; each is for themselves"}.get(candidate.model or "", "")


def _completed(state: State, line: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """Every way in which the trick can be completed, behind the moves of a line."""
    if not state.trick or state.full:
        yield line
        return
    for move in legal_moves(state):
        yield from _completed(play(state, move), (*line, move))


def _rule(position: KnownPosition | View, moves: Sequence[Move]) -> Move:
    """What a player by simple rules does."""
    deck = position.full_deck
    cards = deck.cards
    taken = [move for move in moves if isinstance(move, Taking)]
    if taken:
        return max(taken, key=lambda move: sum(cards[card].vp for card in move.taken))
    plays = [move for move in moves if isinstance(move, Play)]
    place = len(position.plays)
    over = [move for move in plays if winner(deck, (*position.plays, move)) == place]
    if over:
        return max(over, key=lambda move: (cards[move.card].suit < SUITS, cards[move.card].number))
    return min(plays, key=lambda move: (cards[move.card].vp, cards[move.card].number))
