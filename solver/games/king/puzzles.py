"""Puzzles of King × Alchemy: choosing positions, judging how hard they are, and naming their themes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel

from solver.answers import Analysis, Answer, CompoundAnalysis, MadeRecipe
from solver.common import Random, in_a_row, mask, members
from solver.decks import chosen, deck_of
from solver.errors import RequestError
from solver.games.king.compounding import best as best_compounding
from solver.games.king.compounding import carriers_of, compound, demand, score_bounds
from solver.games.king.deck import CARDS, KIND, SUITS, TRUMP, Deck, Recipe
from solver.games.king.hint import deals_of
from solver.games.king.position import CardSet, Round
from solver.games.king.rules import (
    Move,
    Play,
    State,
    Taking,
    bottom,
    gains,
    legal_moves,
    lifted,
    move_text,
    parse,
    play,
    takings,
    winner,
)
from solver.language import say, translated
from solver.limits import Control
from solver.puzzle_maker import (
    BEST_MOVE,
    HIDDEN_HAND,
    VALUE,
    AnyDeck,
    Candidate,
    Composer,
    Theme,
    Try,
    found_in,
    in_all,
)

# ----------------------------------------------------------------------------------------------------
# Compounding by rules of thumb: the most valuable recipe first, or the one with the highest bonus per ingredient.


Rule = Callable[[Recipe], float]


def dear(recipe: Recipe) -> float:
    """A greedy player's value of a recipe: its bonus."""
    return recipe.bonus


def thrifty(recipe: Recipe) -> float:
    """A thrifty player's value of a recipe: its bonus per ingredient."""
    return recipe.bonus / max(1, len(recipe.needs))


def by_rule(deck: Deck, cards: Sequence[int], rule: Rule) -> int:
    """The total bonus of a player who always makes the possible recipe that `rule` values most."""
    return sum(recipe.bonus for card in made_by(deck, cards, rule) if (recipe := deck.cards[card].recipe))


def made_by(deck: Deck, cards: Sequence[int], rule: Rule) -> list[int]:
    """The cards whose recipes such a player makes, in this order."""
    left = [deck.cards[card].provides for card in cards]
    recipes = {card: recipe for card in cards if (recipe := deck.cards[card].recipe)}
    made = []
    for card in sorted(recipes, key=lambda card: (-rule(recipes[card]), card)):
        wanted = [need for need, units in demand(deck, card).items() for _ in range(units)]
        if all(left.count(need) >= wanted.count(need) for need in wanted):
            made.append(card)
            for need in wanted:
                left.remove(need)
    return made


_MOST_MADE = 2_000  # sets of recipes to look at


def totals_by(deck: Deck, cards: Sequence[int], rule: Rule) -> set[int]:
    """The totals that a player by a rule can end with: several if the order of equal recipes matters.

    Where there are very many orders, only some are tried.
    """
    recipes = {card: recipe for card in cards if (recipe := deck.cards[card].recipe)}
    supply = Counter(provided for card in cards if (provided := deck.cards[card].provides) is not None)
    totals: set[int] = set()
    seen = waiting = [frozenset[int]()]
    while waiting and len(seen) < _MOST_MADE:
        made, *waiting = waiting
        left = supply - sum((demand(deck, card) for card in made), Counter[str]())
        able = [card for card in recipes if card not in made and demand(deck, card) <= left]
        if not able:
            totals.add(sum(recipes[card].bonus for card in made))
        most = max((rule(recipes[card]) for card in able), default=0.0)
        new = {made | {card} for card in able if rule(recipes[card]) == most}.difference(seen)
        seen, waiting = [*seen, *new], [*new, *waiting]
    return totals


# ----------------------------------------------------------------------------------------------------
# The symmetry of rounds: seats can be rotated. Suits are never exchanged: puzzles are made of the house deck
# alone, whose suits differ in the worth of their cards and recipes.


def key(states: Iterable[State], player: int, about_others: object, *, all_score: bool) -> str:
    """A text that is equal for positions that differ only in the numbering of seats.

    `states` has the state of a position, or the states of all deals of a view. `about_others` is anything else in
    which positions may differ, such as the rule options. Unless `all_score`, only the score of `player` counts,
    and what the others have won is left out.
    """
    states = list(states)
    written = sorted(_written(state, player, all_score) for state in states)
    return f"{states[0].deck.name} {about_others} {written}"


def _written(state: State, player: int, all_score: bool) -> str:
    """The position as text, with the seats counted from the leader."""
    seats = [(state.leader + step) % state.players for step in range(state.players)]
    trick = [(play.card, play.suit) for play in state.trick]
    hands = [list(members(state.hands[seat])) for seat in seats]
    won = [list(members(state.won[seat])) if all_score or seat == player else [] for seat in seats]
    return f"{trick} {hands} {won} {seats.index(player)}"


# ----------------------------------------------------------------------------------------------------
# Themes of the best move of a puzzle, found by checking the cards and the best line.


@dataclass(frozen=True)
class Solved:
    """A position, its best move, and the line of best play that begins with it.

    `held_down` is True if the seat to move plays to keep another player's score low.
    """

    state: State
    best: Move
    line: Sequence[Move]
    held_down: bool

    @property
    def seat(self) -> int:
        return self.state.to_move

    @cached_property
    def end(self) -> State:
        state = self.state
        for move in self.line:
            state = play(state, move)
        return state

    @cached_property
    def trick(self) -> tuple[Play, ...] | None:
        """The current trick once the line has filled it; None if it is full already or the line ends too early."""
        plays = [*self.state.trick]
        for move in self.line:
            if isinstance(move, Taking):
                break
            plays.append(move)
        whole = len(plays) == self.state.players and not self.state.full
        return tuple(plays) if whole else None

    @property
    def taker(self) -> int | None:
        """The seat that takes the current trick; None if the line does not show it."""
        if self.trick is None:
            return None
        return (self.state.leader + winner(self.state.deck, self.trick)) % self.state.players

    @cached_property
    def sure(self) -> list[Play]:
        """The plays that win the trick whatever the others play."""
        return [
            move
            for move in legal_moves(self.state)
            if isinstance(move, Play)
            and all(
                Solved(self.state, move, line, held_down=False).taker == self.seat
                for line in _completed(play(self.state, move), (move,))
            )
        ]

    @cached_property
    def used(self) -> tuple[set[str], set[str]]:
        """The seat's carriers and ingredients in the final compounding; empty if the line ends early."""
        if not self.end.over:
            return set(), set()
        recipes = best_compounding(self.state.deck, list(members(self.end.won[self.seat]))).recipes
        return {recipe.card for recipe in recipes}, {card for recipe in recipes for card in recipe.uses}

    @property
    def gained(self) -> list[str]:
        """The cards that the best move takes; none if it is a play."""
        return self.state.deck.codes(self.best.taken) if isinstance(self.best, Taking) else []


def _completed(state: State, line: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
    """Yield the line extended by every way to complete the trick."""
    if not state.trick or state.full:
        yield line
        return
    for move in legal_moves(state):
        yield from _completed(play(state, move), (*line, move))


def _points(solved: Solved, move: Move) -> int:
    assert isinstance(move, Taking)
    return sum(solved.state.deck.cards[card].vp for card in move.taken)


def _leaves_points(solved: Solved) -> bool:
    """Whether the best move takes fewer points than possible."""
    state, best = solved.state, solved.best
    if not isinstance(best, Taking):
        return False
    return any(_points(solved, other) > _points(solved, best) for other in takings(state.deck, state.trick))


def _gives(solved: Solved) -> bool:
    """Whether the best move is a taking, and another card could be given after taking the same cards."""
    best, state = solved.best, solved.state
    if not isinstance(best, Taking):
        return False
    return any(move.taken == best.taken and move != best for move in takings(state.deck, state.trick))


def _ducks(solved: Solved) -> bool:
    """Whether a follower loses a trick that another card would certainly win."""
    following = bool(solved.state.trick) and isinstance(solved.best, Play)
    return following and bool(solved.sure) and solved.taker not in (None, solved.seat)


def _holds_up(solved: Solved) -> bool:
    """Whether a card that would certainly win this trick is kept, and wins a later trick on the best line."""
    if not isinstance(solved.best, Play) or solved.best in solved.sure:
        return False
    kept = {move.card for move in solved.sure} - {solved.best.card}
    state = solved.state
    for move in solved.line:
        if isinstance(move, Taking):
            turn = winner(state.deck, state.trick)
            if state.to_move == solved.seat and state.trick[turn].card in kept:
                return True
        state = play(state, move)
    return False


def _goes_under(solved: Solved) -> bool:
    """Whether the card played becomes the bottom of the trick, and its player is given a card."""
    if solved.trick is None:
        return False
    under = bottom(solved.state.deck, solved.trick)
    taking = next((move for move in solved.line if isinstance(move, Taking)), None)
    return under == len(solved.state.trick) and taking is not None and taking.given is not None


def _dances(solved: Solved, move: Move) -> bool:
    return isinstance(move, Play) and move.card == solved.state.deck.dancer


def _throws_off(solved: Solved) -> bool:
    """Whether a follower plays a losing card that is neither of the lead suit nor a trump."""
    best, trick = solved.best, solved.state.trick
    if not isinstance(best, Play) or not trick or solved.taker in (None, solved.seat):
        return False
    return best.suit not in (trick[0].suit, TRUMP)


def _stays_under(solved: Solved) -> bool:
    """Whether the card played does not beat the trick so far, although another card would."""
    best, state = solved.best, solved.state
    if not isinstance(best, Play) or not state.trick:
        return False
    turn = len(state.trick)

    def over(move: Play) -> bool:
        return winner(state.deck, (*state.trick, move)) == turn

    return not over(best) and any(over(move) for move in legal_moves(state) if isinstance(move, Play))


def _numbers_led(solved: Solved) -> list[int]:
    """The numbers of the hand's cards of the suit led, the led card first; empty if no suit card is led."""
    best, state = solved.best, solved.state
    if not isinstance(best, Play) or state.trick or best.suit == TRUMP or _dances(solved, best):
        return []
    held = members(state.hands[solved.seat] & ~(1 << best.card))
    cards = [state.deck.cards[card] for card in (best.card, *held)]
    return [card.number for card in cards if card.suit == best.suit]


def _voids(solved: Solved) -> bool:
    """Whether the card played is the your last of a suit, and on the best line makes a later play possible.

    That is a card of another suit, put into another seat's trick of the suit that is no longer held.
    """
    best, state = solved.best, solved.state
    if not isinstance(best, Play) or best.suit == TRUMP or _dances(solved, best):
        return False
    deck, seat = state.deck, solved.seat
    if any(deck.cards[card].suit == best.suit for card in members(state.hands[seat] & ~(1 << best.card))):
        return False
    for move in solved.line:
        led = state.trick[0].suit if state.trick and state is not solved.state else None
        if isinstance(move, Play) and state.to_move == seat and led == best.suit and move.suit not in (led, TRUMP):
            return True
        state = play(state, move)
    return False


def _leads(solved: Solved, *, highest: bool) -> bool:
    """Whether the player holds several cards of the suit that it leads, and leads the highest of them.

    If `highest` is False, whether it leads one of the others.
    """
    numbers = _numbers_led(solved)
    return len(numbers) > 1 and (numbers[0] == max(numbers)) == highest


THEMES: Mapping[str, Theme[Solved]] = {
    "lift the Dancer": lambda solved: solved.trick is not None and lifted(solved.state.deck, solved.trick),
    "take it later": _holds_up,
    "be the lowest": _goes_under,
    "lose on purpose": _ducks,
    "void yourself": _voids,
    "leave points": _leaves_points,
    "recipe": lambda solved: bool(solved.used[0].intersection(solved.gained)),
    "ingredient": lambda solved: bool(solved.used[1].intersection(solved.gained)),
    "what to give": _gives,
    "the Dancer": lambda solved: _dances(solved, solved.best),
    "keep the Dancer": (
        lambda solved: (
            not _dances(solved, solved.best) and any(_dances(solved, move) for move in legal_moves(solved.state))
        )
    ),
    "trump": lambda solved: isinstance(solved.best, Play) and solved.best.suit == TRUMP,
    "give up the lead": lambda solved: not solved.state.trick and solved.taker not in (None, solved.seat),
    "deny": lambda solved: solved.held_down,
    "stay below": _stays_under,
    "what you can spare": _throws_off,
    "your last of a suit": lambda solved: len(_numbers_led(solved)) == 1,
    "keep the highest": lambda solved: _leads(solved, highest=False),
    "lead the highest": lambda solved: _leads(solved, highest=True),
    "take the trick": lambda solved: isinstance(solved.best, Play) and solved.taker == solved.seat,
    "most points": lambda solved: isinstance(solved.best, Taking) and not _leaves_points(solved),
}


# ----------------------------------------------------------------------------------------------------
# Themes of the best compounding of a set of cards.


@dataclass(frozen=True)
class Compounded:
    """A set of cards, and the recipes of one best compounding."""

    deck: Deck
    cards: Sequence[int]
    made: Sequence[MadeRecipe]

    @property
    def possible(self) -> list[int]:
        """The cards whose recipe could be made if it were the only one."""
        return list(carriers_of(self.deck, self.cards))


def _leaves_dearest(compounded: Compounded) -> bool:
    """Whether every recipe made is worth less than some recipe that could have been made on its own."""
    recipes = (compounded.deck.cards[card].recipe for card in compounded.possible)
    dearest = max(recipe.bonus for recipe in recipes if recipe)
    return all(carrier.bonus < dearest for carrier in compounded.made)


def _all_equal(compounded: Compounded) -> bool:
    """Whether all recipes that could be made on their own have the same bonus."""
    recipes = (compounded.deck.cards[card].recipe for card in compounded.possible)
    return len({recipe.bonus for recipe in recipes if recipe}) == 1


def _serves(compounded: Compounded) -> bool:
    """Whether a card is used as an ingredient although its own recipe could have been made."""
    used = {compounded.deck.index[code] for recipe in compounded.made for code in recipe.uses}
    return not used.isdisjoint(compounded.possible)


SET_THEMES: Mapping[str, Theme[Compounded]] = {
    "leave the dearest recipe": _leaves_dearest,
    "recipe card as ingredient": _serves,
    "four recipes": lambda compounded: len(compounded.made) >= 4,
    "few recipes": lambda compounded: len(compounded.made) <= 2,
    "the dearest recipe, too": lambda compounded: not _leaves_dearest(compounded) and not _all_equal(compounded),
    "equal recipes": _all_equal,
}


COMPOUND = "compound"
_MOST_CARDS = 15  # in the hands and the trick of a puzzle with every card known
_MOST_DEALS = 100  # of a view in which themes are looked for
_WAYS = (1, 3, 9)  # that readers of depth 1, 2 and 3 try to make recipes from a set of cards
_FANCY = 10  # a recipe may seem up to twice as dear as another with the same bonus
_SETS = 4  # of cards for each deal
_FEWEST, _MOST = 7, 18  # cards of a set
_NAMED = 4  # recipes in a title


class KingComposer(Composer):
    """Makes puzzles from the endings of rounds between computer players, and from random sets of cards."""

    tasks = (BEST_MOVE, VALUE, COMPOUND, HIDDEN_HAND)
    themes: Mapping[str, Theme[Any]] = {**THEMES, **SET_THEMES}
    variant: ClassVar[str | None] = "picked"
    holds_down = True

    def dealt(self, random: Random, seed: int, number: int, deck: AnyDeck = None) -> BaseModel:
        players = 3 + random.below(3)
        return self.game.deal(seed, number=number, players=players, variant=self.variant, deck=deck)

    def candidates(
        self, task: str, model: str | None, random: Random, *, seed: int, number: int, deck: AnyDeck = None
    ) -> Iterable[Candidate]:
        if task == COMPOUND:
            return (self._set(random, deck) for _ in range(_SETS))
        return super().candidates(task, model, random, seed=seed, number=number, deck=deck)

    def _set(self, random: Random, deck: AnyDeck) -> Candidate:
        cards = list(range(CARDS))
        random.shuffle(cards)
        drawn = sorted(cards[: _FEWEST + random.below(_MOST - _FEWEST + 1)])
        of_deck = {} if deck is None else {"deck": deck}
        codes = deck_of(KIND, chosen(KIND, deck)).codes(drawn)
        return Candidate(CardSet.model_validate({"game": self.game.name, "cards": codes, **of_deck}))

    def caption(self, task: str, candidate: Candidate) -> Sequence[str]:
        """Name the dearest recipes on cards to be compounded, or the cards to take from, or else follow."""
        position = candidate.position
        if isinstance(position, CardSet):
            deck = deck_of(KIND, position.deck)
            recipes = (deck.cards[deck.index[code]].recipe for code in position.cards)
            dearest = sorted(filter(None, recipes), key=lambda recipe: -recipe.bonus)[:_NAMED]
            return ("Recipes", *(recipe.item for recipe in dearest))
        what, *cards = super().caption(task, candidate)
        assert isinstance(position, Round)
        return ("To take" if len(position.trick) == position.players else what, *cards)

    def cards_in_sight(self, candidate: Candidate) -> int:
        """Also count the cards won by those whose score matters."""
        position = candidate.position
        if isinstance(position, CardSet):
            return len(position.cards)
        assert isinstance(position, Round)
        won = sum(map(len, position.won or ())) if candidate.model == "maxn" else self.added_up(candidate)
        return super().cards_in_sight(candidate) + won

    def added_up(self, candidate: Candidate) -> int:
        position = candidate.position
        assert isinstance(position, Round)
        return len(position.won[candidate.asked]) if position.won else 0

    def suits(self, task: str, position: BaseModel) -> bool:
        assert isinstance(position, Round)
        cards = sum(map(len, position.hands)) + len(position.trick)
        return cards > position.players and (task == HIDDEN_HAND or cards <= _MOST_CARDS)

    def bare(self, position: BaseModel) -> BaseModel:
        return position.model_copy(update={"history": None, "removed": ()})

    def symmetry(self, task: str, candidate: Candidate) -> str:
        position = candidate.position
        if isinstance(position, CardSet):
            return f"{position.full_deck.name} {sorted(position.numbers)}"
        assert isinstance(position, Round)
        if position.viewer is None:
            states: Sequence[State] = [position.state]
            player = position.seat_to_move if candidate.player is None else candidate.player
        elif candidate.model is not None:
            states, player = deals_of(position).states, position.seat
        else:
            return super().symmetry(task, candidate)
        alike = key(states, player, position.rules, all_score=candidate.model == "maxn")
        return f"{task} {candidate.model} {alike}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """Whether the question is hard enough for a puzzle.

        If the best compounding is asked for, it must be unique, and the greedy rule must make less. If a value is
        asked for, it must differ from the score already won. A view must be consistent with several deals.
        """
        position = candidate.position
        if isinstance(position, CardSet):
            ways = compound(position.full_deck, position.numbers, Control(), count=2).ways or ()
            return len(ways) > 1 and ways[1].bonus < ways[0].bonus != self.obvious(task, candidate)
        assert isinstance(position, Round)
        if position.viewer is not None and candidate.model is not None:
            return deals_of(position).total > 1
        if task != VALUE:
            return True
        assert isinstance(answer, Analysis)
        if isinstance(answer.value, tuple):
            return True
        return answer.value != self.final(position, answer.player or 0)

    def seen(self, position: Any) -> Any:
        """Return what the seat to move sees, and remembers: which cards are gone, but not who played them."""
        if position.choosing:
            return super().seen(position)
        there = mask(play.card for play in position.plays) | sum(position.hand_masks) | sum(position.past.won)
        seat = position.seat_to_move
        return Round(
            **position.fields("leader", "trick"),
            seat=seat,
            hand=position.hands[seat],
            won=position.won or ((),) * position.players,
            gone=tuple(position.full_deck.codes(members((1 << CARDS) - 1 & ~there))),
            counts=tuple(map(len, position.hands)),
        )

    def simple(self, position: BaseModel) -> Move:
        """Play the highest card that beats the trick so far, a suit card if possible, and take the most points.

        If no card beats the trick, play the card with the fewest points.
        """
        assert isinstance(position, Round)
        deck, moves = position.full_deck, self.game.legal_moves(position)
        cards = deck.cards
        taken = [move for move in moves if isinstance(move, Taking)]
        if taken:
            return max(taken, key=lambda move: sum(cards[card].vp for card in move.taken))
        plays = [move for move in moves if isinstance(move, Play)]
        turn = len(position.plays)
        over = [move for move in plays if winner(deck, (*position.plays, move)) == turn]
        if over:
            return max(over, key=lambda move: (cards[move.card].suit < SUITS, cards[move.card].number))
        return min(plays, key=lambda move: (cards[move.card].vp, cards[move.card].number))

    def final(self, position: BaseModel, player: int) -> int:
        assert isinstance(position, Round)
        return score_bounds(position.state, player, Control())[0]

    def obvious(self, task: str, candidate: Candidate) -> Try:
        position = candidate.position
        if isinstance(position, CardSet):
            return by_rule(position.full_deck, position.numbers, dear)
        return super().obvious(task, candidate)

    def shallow(self, task: str, candidate: Candidate) -> Try:
        position = candidate.position
        if isinstance(position, CardSet):
            return by_rule(position.full_deck, position.numbers, thrifty)
        return super().shallow(task, candidate)

    def searches(self, task: str, candidate: Candidate) -> bool:
        return not isinstance(candidate.position, CardSet)

    def read(self, task: str, candidate: Candidate, depth: int, random: Random) -> Try:
        """With a set of cards, make recipes in several orders, dear ones rather early, and compare."""
        position = candidate.position
        if not isinstance(position, CardSet):
            return super().read(task, candidate, depth, random)

        def fancied(recipe: Recipe) -> float:
            return recipe.bonus * (_FANCY + random.below(_FANCY + 1))

        return max(by_rule(position.full_deck, position.numbers, fancied) for _ in range(_WAYS[depth - 1]))

    def steps(self, task: str, candidate: Candidate, answer: Answer) -> int:
        return (
            len(answer.recipes) if isinstance(answer, CompoundAnalysis) else super().steps(task, candidate, answer)
        )

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position = candidate.position
        if isinstance(position, CardSet):
            recipes = best_compounding(position.full_deck, position.numbers).recipes
            return found_in(SET_THEMES, Compounded(position.full_deck, position.numbers, recipes))
        assert isinstance(position, Round)
        move: Move = self.game.parse_move(position, best)
        if position.choosing:
            return ()
        if position.viewer is not None:
            return in_all(self._of_deals(position, move))
        moves = [move]
        at = self.game.play(position, move)
        for text in line[1:]:
            moves.append(self.game.parse_move(at, text))
            at = self.game.play(at, moves[-1])
        return found_in(THEMES, Solved(position.state, move, moves, candidate.held_down))

    def _of_deals(self, view: Round, best: Move) -> Iterator[Sequence[str]]:
        """For some deals of a view, and each way to complete the trick after a move, yield the move's themes.

        Yields nothing if there are too many deals to number.
        """
        try:
            states = deals_of(view, _MOST_DEALS).states
        except RequestError:  # too many to number
            return
        for state in states:
            for line in _completed(play(state, best), (best,)):
                yield found_in(THEMES, Solved(state, best, line, held_down=False))

    def note(self, candidate: Candidate) -> str:
        position = candidate.position
        if isinstance(position, CardSet):
            deck, cards = position.full_deck, position.numbers
            totals = totals_by(deck, cards, dear)
            sentence = say(
                "If you always make the recipe with the highest bonus that is left, the bonuses add up to {bonus}",
                bonus=min(totals),
            )
            if len(totals) > 1:
                sentence = say(
                    "If you always make the recipe with the highest bonus that is left, the bonuses may add up to "
                    "only {bonus}: it depends on which of equal recipes comes first",
                    bonus=min(totals),
                )
            return say("{told}. {why}", told=sentence, why=_crowded_out(deck, cards))
        assert isinstance(position, Round)
        seat, turn = position.seat_to_move, len(position.trick)
        who = say("{seat:Who} {seat:follows|follow}", seat=seat)
        if position.trick_is_full:
            who = say("{seat:Who} {seat:has|have} won the trick and {seat:takes|take} cards of it", seat=seat)
        elif turn in (0, position.players - 1):
            template = "{seat:Who} {seat:plays|play} last" if turn else "{seat:Who} {seat:leads|lead}"
            who = say(template, seat=seat)
        if candidate.held_down:
            return say("{who}; all others play against {other:who}", who=who, other=candidate.asked)
        return self.with_model(who, candidate)

    def counted(self) -> str:
        return say("What counts are the points at the end of the round, with those won already and with recipes.")

    def because(self, candidate: Candidate, wrong: Sequence[str], right: Sequence[str]) -> str:
        """Say which recipe or which cards make the difference, and who gets them."""
        position, seat = candidate.position, candidate.asked
        assert isinstance(position, Round)
        deck = position.full_deck
        if position.viewer is not None or position.choosing:
            return ""
        worse, better = (Line(position.state, [parse(deck, text) for text in line]) for line in (wrong, right))
        if not worse.end.over or not better.end.over:
            return ""
        more, less = (worse, better) if candidate.held_down else (better, worse)
        score, least = (best_compounding(deck, list(members(line.end.won[seat]))) for line in (more, less))
        recipes, cards = score.bonus - least.bonus, score.vp - least.vp
        lacking = _lacking(deck, score.recipes, less.end.won[seat]) if recipes > 0 and recipes >= cards else None
        if lacking is not None:
            return _recipe_lost(candidate, worse, *lacking)
        return _cards_lost(candidate, worse, better, more.end.won[seat] & ~less.end.won[seat])


def _crowded_out(deck: Deck, cards: Sequence[int]) -> str:
    """Say which recipe of the obvious way takes what recipes of the best one need."""
    best = {deck.index[recipe.card]: recipe.item for recipe in best_compounding(deck, cards).recipes}
    supply = Counter(provided for card in cards if (provided := deck.cards[card].provides) is not None)
    wanted = sum((demand(deck, card) for card in best), Counter[str]())
    for card in made_by(deck, cards, dear):
        recipe = deck.cards[card].recipe
        if recipe is None or card in best:
            continue
        for need, units in demand(deck, card).items():
            others = [translated(item) for other, item in best.items() if need in demand(deck, other)]
            if wanted[need] + units > supply[need] and others:
                return say("{item} takes {need} that is needed for {others}",
                           item=translated(recipe.item), need=translated(need),
                           others=in_a_row(others))  # fmt: skip
    return say("There is a better way")


class Trick(NamedTuple):
    """A trick of a line of play: who takes it with which card, all its cards, and who gets which of them."""

    taker: int
    card: int
    cards: frozenset[int]
    got: Mapping[int, int]


class Line:
    """A line of play from a state: its tricks, those that are over, and its `end`."""

    def __init__(self, state: State, moves: Sequence[Move]) -> None:
        self.tricks: list[Trick] = []
        self.began_full, self.first = state.full, moves[0]
        for move in moves:
            if isinstance(move, Taking):
                gained = gains(state.deck, state.leader, state.trick, move)
                got = {card: seat for seat, cards in gained for card in members(cards)}
                cards = frozenset(play.card for play in state.trick)
                best = state.trick[winner(state.deck, state.trick)].card
                self.tricks.append(Trick(state.to_move, best, cards, got))
            state = play(state, move)
        self.end = state


def _lacking(deck: Deck, recipes: Iterable[MadeRecipe], pile: int) -> tuple[MadeRecipe, list[int]] | None:
    """Return the dearest of some recipes that a pile can't make, and cards with which it could."""
    held = set(members(pile))
    for recipe in sorted(recipes, key=lambda recipe: -recipe.bonus):
        carrier = deck.index[recipe.card]
        missing = {carrier, *map(deck.index.__getitem__, recipe.uses)} - held
        for card in sorted(missing):
            if carrier in carriers_of(deck, held | missing - {card}):
                missing.remove(card)
        if missing:
            return recipe, sorted(missing)
    return None


def _recipe_lost(candidate: Candidate, worse: Line, recipe: MadeRecipe, cards: Sequence[int]) -> str:
    """Say that the asked seat lacks cards for a recipe after the wrong move or, if it is held down, gets them."""
    deck, owners = worse.end.deck, {_owner(worse.end, card) for card in cards}
    named: dict[str, Any] = {
        "seat": candidate.asked, "item": translated(recipe.item), "count": recipe.bonus,
        "cards": in_a_row(deck.codes(cards)),
    }  # fmt: skip
    if candidate.held_down:
        return say("{seat:who} then {seat:gets|get} {cards} and can make {item} ({count} points)", **named)
    lacks = say("{seat:who} then {seat:lacks|lack} {cards} for {item} ({count} points)", **named)
    (owner, *more) = owners
    if more or owner is None:
        return lacks
    return say("{lacks}: {other:who} {other:gets|get} {cards}", lacks=lacks, other=owner, **named)


def _owner(end: State, card: int) -> int | None:
    return next((seat for seat, pile in enumerate(end.won) if pile >> card & 1), None)


def _cards_lost(candidate: Candidate, worse: Line, better: Line, lost: int) -> str:
    """Say which cards with points the asked seat does not get after the wrong move, or only then if held down."""
    deck = worse.end.deck
    missed = {card for card in members(lost) if deck.cards[card].vp > 0}
    kept = _kept(deck, worse.first, better.tricks[not worse.began_full :], missed)
    if kept or not missed:
        return kept
    groups = [
        (trick, owner, [card for card in trick.cards if card in missed and trick.got.get(card) == owner])
        for trick in worse.tricks
        for owner in {*trick.got.values(), None}
    ]
    trick, owner, gone = max(groups, key=lambda group: deck.vp(mask(group[2])))
    named: dict[str, Any] = {
        "seat": owner, "cards": in_a_row(deck.codes(sorted(gone))), "card": deck.code(trick.card),
        "move": move_text(deck, better.first),
    }  # fmt: skip
    if owner is None:
        taken = say("nobody then gets {cards}", **named)
    elif owner != trick.taker:
        taken = say("{seat:who} then {seat:gets|get} {cards}", **named)
    elif gone == [trick.card]:
        taken = say("{seat:who} then {seat:takes|take} a trick with {card}", **named)
    else:
        taken = say("{seat:who} then {seat:takes|take} {cards} with {card}", **named)
    times = [time for time, best in enumerate(better.tricks) if not best.cards.isdisjoint(gone)]
    best = better.tricks[times[0]]
    named |= {"taken": taken, "who": best.taker, "other": deck.code(best.card)}
    before = min(times[0], worse.tricks.index(trick))
    if owner == trick.taker and any(trick.card in earlier.cards for earlier in better.tricks[:before]):
        return say("{taken}, which is gone by then after {move}", **named)
    if len(times) > 1 or {best.got.get(card) for card in gone} != {best.taker}:
        return taken
    if named["other"] == named["move"] and best.card in gone:
        return say("{taken}; played now, {other} takes this trick", **named)
    if owner is None:
        return say("{taken}; after {move}, {who:who} {who:takes|take} {cards} with {other}", **named)
    rest = [card for card in gone if card != best.card]
    if not rest:
        return say("{taken}; with best play, {other} takes a trick", **named)
    named["cards"] = in_a_row(deck.codes(sorted(rest)))
    return say("{taken}; with best play, {who:who} {who:takes|take} {cards} with {other}", **named)


def _kept(deck: Deck, wrong: Move, later: Iterable[Trick], missed: set[int]) -> str:
    """Say that a card is better kept, if it takes some of the missed cards in a later trick of the best line."""
    for trick in later:
        taken = [card for card in missed if trick.got.get(card) == trick.taker]
        if isinstance(wrong, Play) and trick.card == wrong.card and taken:
            cards = deck.codes(sorted(card for card in taken if card != wrong.card))
            if not cards:
                return say("kept, it would take a trick later")
            return say("kept, it would take {cards} later", cards=in_a_row(cards))
    return ""
