"""Making puzzles: from each deal, the hardest candidate that fits the order and has a proved solution."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import isnan
from typing import Any, NamedTuple

from pydantic import BaseModel

from puzzles import grading
from puzzles.format import GRADES, QUESTION_KINDS, Measured, Puzzle, Refuting, loads, puzzle_text
from puzzles.grading import is_right
from puzzles.naming import title_of
from puzzles.quality import REASONS, candidate_of, flaw, task_of, themes_of
from puzzles.solution import Solution
from solver import registry
from solver.answers import Analysis, Answer, Hint, HintMove, MoveValue, number_of
from solver.common import Random, mix
from solver.errors import AthanorError, RequestError
from solver.game import chances_of
from solver.language import say
from solver.limits import Control, Limit
from solver.positions import text_of
from solver.puzzle_maker import BEST_MOVE, HIDDEN_HAND, VALUE, Candidate, Composer, Try, composer_of
from solver.registry import game_of


def short_of(tried: Try, answer: Answer, solution: Solution) -> float | None:
    """Return how much a player's answer loses compared with the solution.

    Returns None if the answer is right, or if the loss is unknown.
    """
    if tried is None or isinstance(tried, tuple) or is_right(tried, solution):
        return None
    if isinstance(tried, int | float):
        right = solution.bonus if solution.bonus is not None else solution.value
        return float(abs(right - tried)) if isinstance(right, int | float) else None
    if isinstance(answer, Hint):
        behind = answer.gap(tried)
        return None if behind is None else round(behind[0], 6)
    if not isinstance(answer, Analysis) or answer.value is None:
        return None
    worth = next((entry.value for entry in answer.moves if entry.move == tried), None)
    lead = number_of(answer.value, answer.to_move) - number_of(worth, answer.to_move)
    return None if isnan(lead) else abs(lead)


NODES = 300_000  # of the search that proves a solution; a candidate that needs more is dropped
HINT_NODES = 2_000  # of the hint that tries a puzzle
JUDGED_NODES = (2_000, 50_000)  # of the hints that judge hidden hands: a first look, then the judgement
SURE = (4.0, 10.0)  # standard errors that the best move must lead by in each of these hints
_STREAM = 0x9A77E5  # separates the random numbers of puzzles from those of deals


@dataclass(frozen=True, slots=True)
class Order:
    """Which puzzles to make, as `athanor.generate` says. Raises RequestError if the game has no such puzzles.

    `task` is the question, one of `Composer.tasks`.
    """

    game: str
    task: str = BEST_MOVE
    seed: int = 0
    grade: str | None = None
    theme: str | None = None
    model: str | None = None
    deck: str | Mapping[str, Any] | None = None
    best: int = 1
    nodes: int = NODES

    @property
    def composer(self) -> Composer:
        return composer_of(registry.game(self.game))

    def __post_init__(self) -> None:
        game, composer = registry.game(self.game), self.composer
        if self.deck is not None:
            try:
                game.cards(variant=composer.variant, deck=self.deck)
            except AthanorError as error:
                raise RequestError(error.code, error.message, "deck") from None
        models = game.guarantees if self.task == HIDDEN_HAND else game.models
        for name, value, values in (
            ("ask", self.task, composer.tasks),
            ("grade", self.grade, GRADES),
            ("theme", self.theme, composer.themes),
            ("model", self.model, models),
        ):
            if value is not None and value not in values:
                message = say(
                    "such puzzles of {game} have no {name} {value!r}; possible: {there}",
                    game=self.game,
                    name=name,
                    value=value,
                    there=", ".join(values) or "none",
                )
                raise RequestError("unknown_value", message, name)


class Made(NamedTuple):
    """What a deal came to.

    `puzzle` is data for a puzzle file, without an id and the title, which follows from `caption`; `symmetry` is a
    key shared by symmetric puzzles. All are None or empty if no candidate is wanted. `dropped` counts the
    candidates by what is wrong with them, as in `DROPPED`.
    """

    puzzle: dict[str, Any] | None
    symmetry: str | None
    caption: tuple[str, ...]
    dropped: dict[str, int]


# Why candidates are dropped: a name, and the reason in the current language.
DROPPED: Mapping[str, Callable[[], str]] = {
    "unproved": lambda: say("the answer was not proved within the limit"),
    "several best": lambda: say("too many moves are best"),
    "unfit": lambda: say("the question is too simple, as the game's composer judges"),
    **REASONS,
    "theme": lambda: say("no theme was found, or not the one that is asked for"),
    "grade": lambda: say("the grade is not the one that is asked for"),
    "second": lambda: say("the deal has a better one"),
}


class _Judged(NamedTuple):
    """A candidate with its proved solution, measurements and themes."""

    candidate: Candidate
    found: Solution
    measured: Measured
    themes: tuple[str, ...]

    @property
    def rating(self) -> int:
        return grading.rating_of(self.measured, self.found)

    def tried(self, order: Order) -> _Judged:
        """Let all simulated solvers try it, which takes some seconds."""
        if self.measured.solved is not None:
            return self
        solved = grading.tries(order.composer, order.task, self.candidate, self.found)
        return self._replace(measured=self.measured.model_copy(update={"solved": solved}))


def make(order: Order, number: int, cancel: threading.Event | None = None) -> Made:
    """Make a puzzle from deal `number`. The same arguments give the same puzzle.

    Candidates with the theme of this deal (themes take turns from deal to deal) are preferred, then the hardest.
    In games with themes, a candidate without a theme is not used. If `cancel` is set, the search ends between two
    candidates, and the caller must ignore the result.
    """
    composer = order.composer
    random = Random(mix(order.seed ^ _STREAM) >> 1, number)
    wanted: list[_Judged] = []
    dropped: Counter[str] = Counter()
    drawn = composer.candidates(order.task, order.model, random, seed=order.seed, number=number, deck=order.deck)
    for candidate in drawn:
        if cancel is not None and cancel.is_set():
            break
        judged = _judged(order, composer, candidate)
        if isinstance(judged, str):
            dropped[judged] += 1
        else:
            wanted.append(judged)
    if not wanted:
        return Made(None, None, (), dict(dropped))
    themes = list(composer.themes)
    turn = themes[number % len(themes)] if themes else ""

    def worth(judged: _Judged) -> tuple[bool, float]:
        return turn in judged.themes, judged.rating

    chosen = max(wanted, key=worth).tried(order)
    if len(wanted) > 1:
        dropped["second"] = len(wanted) - 1
    caption = tuple(composer.caption(order.task, chosen.candidate))
    return Made(_data(order, chosen), composer.symmetry(order.task, chosen.candidate), caption, dict(dropped))


def _judged(order: Order, composer: Composer, candidate: Candidate) -> _Judged | str:
    """Solve and measure a candidate. If it makes no puzzle, return why: a key of `DROPPED`."""
    answer, solution = _solved(order, candidate)
    if answer is None or solution is None:
        return "unproved"
    if (
        solution.best is not None
        and order.task in (BEST_MOVE, HIDDEN_HAND)
        and len(solution.best) not in range(1, order.best + 1)
    ):
        return "several best"
    if not composer.fits(order.task, candidate, answer):
        return "unfit"
    measured = measure(composer, order.task, candidate, answer, solution)
    reason = flaw(composer, order.task, candidate, answer, solution, measured)
    if reason is not None:
        return reason
    themes = themes_of(composer, order.task, candidate, answer)
    if composer.themes and (not themes or order.theme not in (None, *themes)):
        return "theme"
    judged = _Judged(candidate, solution, measured, themes)
    if order.grade is None:
        return judged
    judged = judged.tried(order)
    return judged if grading.grade_of(judged.rating) == order.grade else "grade"


def _solved(order: Order, candidate: Candidate) -> tuple[Answer | None, Solution | None]:
    """Return a candidate's answer and its proved solution; None for either that there is not."""
    game, task = game_of(candidate.position), order.task
    if task == HIDDEN_HAND and candidate.model is None:
        hint = _hint(candidate)
        return hint, None if hint is None else Solution(best=(str(hint.best),))
    ask = BEST_MOVE if task == HIDDEN_HAND else task
    limit = Control(Limit(nodes=order.nodes))
    try:
        answer = game.answer(candidate.position, ask, limit, model=candidate.model, player=candidate.player)
    except RequestError:  # too many deals agree with a view
        return None, None
    return answer, QUESTION_KINDS[ask].subject.judge(game, candidate.position, ask, answer, None).found


def _hint(candidate: Candidate) -> Hint | None:
    """Return a hint for a candidate's view, computed with many nodes, if its best move is significantly the best.

    Returns None if some other move is not significantly worse, if there is only one move, or if the hint is exact.
    """
    game, hint = game_of(candidate.position), None
    for nodes, errors in zip(JUDGED_NODES, SURE, strict=True):
        hint = game.hint(candidate.position, Control(Limit(nodes=nodes)))
        if len(hint.moves) < 2 or hint.exact:
            return None
        for entry in hint.moves:
            gap, error = hint.gap(entry.move) or (0.0, None)
            if entry.move != hint.best and (error is None or gap <= errors * error):
                return None
    return hint


def measure(composer: Composer, task: str, candidate: Candidate, answer: Answer, solution: Solution) -> Measured:
    """Measure how players of several strengths do on a puzzle whose answer is proved."""
    obvious, shallow = composer.obvious(task, candidate), composer.shallow(task, candidate)
    players: dict[str, Any] = {}
    own = candidate.player in (None, getattr(candidate.view, "seat", None))  # players maximize their own score
    if task in (BEST_MOVE, HIDDEN_HAND) and candidate.view is not None and own:
        players = _players(candidate.view, solution)
    if task in (BEST_MOVE, HIDDEN_HAND) and (tempting := composer.tempting(task, candidate)) is not None:
        guesses = {obvious, shallow, players.get("equal")} - {None}
        players["plausible"] = len(guesses.union(tempting))
    return Measured(
        obvious=obvious,
        **_rival(composer, task, candidate, answer, solution),
        shallow=shallow,
        **players,
        steps=composer.steps(task, candidate, answer),
    )


def _rival(
    composer: Composer, task: str, candidate: Candidate, answer: Answer, solution: Solution
) -> dict[str, Any]:
    """Return the wrong move that looks best, with best play before and after it, what it loses, and best play."""
    if not isinstance(answer, Analysis | Hint) or not answer.moves:
        return {}
    best = answer.line if isinstance(answer, Analysis) else (str(answer.best),)
    for before, choice, known in _choices(composer, task, candidate, answer):
        valued = [entry.move for entry in known.moves if isinstance(entry, MoveValue | HintMove)]
        losses = {move: loss for move in valued if (loss := short_of(move, known, solution))}
        rival = composer.rival(task, choice, losses) if losses else None
        if rival is not None:
            line = (*best[:before], rival, *_play_after(composer, choice, rival, known))
            found = {"wrong_line": line, "wrong_loss": losses[rival], "best_line": best}
            if task == HIDDEN_HAND and isinstance(answer, Analysis):
                found["refuting"] = _refuting(composer, candidate, rival, answer.value)
            return found
    return {"best_line": best or None}


_MOST_DEALS = 1000  # in which a wrong move is tried


def _refuting(composer: Composer, candidate: Candidate, move: str, value: Any) -> Refuting | None:
    """Return the fewest cards of another hand with which a move always falls short of a guaranteed value.

    Returns None if there are too many deals, or if the move falls short only because they cannot be told apart.
    """
    game, seat = composer.game, candidate.mover
    deals: Sequence[Any] = game.worlds(candidate.position, _MOST_DEALS)
    if len(deals) == _MOST_DEALS:  # there may be others
        return None
    reached: list[Any] = []
    for deal in deals:
        known = game.analyze(deal, Control(Limit(nodes=NODES)), model=candidate.model, player=seat)
        if not known.exact:
            return None
        reached.append(next(entry.value for entry in known.moves if entry.move == move))
    for size in range(1, 1 + max(len(hand) for deal in deals for hand in deal.hands)):
        found = []
        for other in set(range(len(deals[0].hands))) - {seat}:
            hands = [frozenset(deal.hands[other]) for deal in deals]
            for cards in {some for hand in hands for some in combinations(sorted(hand), size)}:
                worth = [made for made, hand in zip(reached, hands, strict=True) if hand.issuperset(cards)]
                if max(worth) < value:
                    found.append((max(worth), -len(worth), other, cards))
        if found:
            most, _, other, cards = min(found)
            return Refuting(seat=other, cards=cards, most=most)
    return None


def _choices(
    composer: Composer, task: str, candidate: Candidate, answer: Analysis | Hint
) -> Iterator[tuple[int, Candidate, Analysis | Hint]]:
    """Yield a position with its answer and, if its value is asked for, the same seat's later choices.

    These are along the best line. Each comes with the number of moves before it.
    """
    yield 0, candidate, answer
    position, game = candidate.position, composer.game
    if task != VALUE or not game.models or not isinstance(answer, Analysis):
        return
    for before, text in enumerate(answer.line, 1):
        position = game.play(position, game.parse_move(position, text))
        if len(game.legal_moves(position)) > 1 and game.turn(position) == candidate.mover:
            limit = Control(Limit(nodes=NODES))
            known = game.analyze(position, limit, model=candidate.model, player=answer.player)
            if known.exact:
                yield before, replace(candidate, position=position), known


def _play_after(composer: Composer, candidate: Candidate, move: str, answer: Analysis | Hint) -> tuple[str, ...]:
    """Return best play after a move, as far as it is proved."""
    position, game = candidate.position, composer.game
    if isinstance(answer, Hint) or game.is_view(position):
        return ()
    after: Any = game.play(position, game.parse_move(position, move))
    if "analyze" in game.asks(after):
        played = game.analyze(after, Control(Limit(nodes=NODES)), model=candidate.model, player=answer.player)
        return played.line if played.exact else ()
    if not game.legal_moves(after):
        return ()
    return tuple(filter(None, [game.hint(game.view(after, after.seat_to_move), Control()).best]))  # a duel's reply


def _players(view: BaseModel, solution: Solution) -> dict[str, Any]:
    """Return the move of a player who follows hints and, in some games, weaker players' chances to be right."""
    game, best = game_of(view), solution.best or ()
    players: dict[str, Any] = {"equal": game.hint(view, Control(Limit(nodes=HINT_NODES))).best}
    for strength in game.levels[1:]:
        chances = chances_of(game, view, strength)
        players[strength] = round(sum(chance for move, chance in chances.items() if move in best), 2)
    return players


def _data(order: Order, judged: _Judged) -> dict[str, Any]:
    candidate, measured = judged.candidate, judged.measured
    data: dict[str, Any] = {
        "ask": BEST_MOVE if order.task == HIDDEN_HAND else order.task,
        "model": candidate.model,
        "player": candidate.player,
        "grade": grading.grade_of(judged.rating),
        "rating": judged.rating,
        "themes": list(judged.themes) or None,
        "measured": measured.model_dump(exclude_none=True),
        "position": text_of(candidate.position),
        "solution": judged.found.model_dump(mode="json", exclude_none=True),
    }
    return {key: value for key, value in data.items() if value is not None}


# ----------------------------------------------------------------------------------------------------
# Collecting the puzzles of many deals: in the deals' order, without duplicates, as many as are wanted.


_PATIENCE = 10


class Collecting:
    """Collects the results of deals, in any order, and keeps the first `count` puzzles in the order of the deals.

    So the puzzles kept do not depend on which worker made them, or when. A puzzle that differs from an earlier
    one, or from one of the `others`, only by a symmetry is left out.

    A puzzle is passed over if more than a third of the puzzles kept share its first theme (unless the order asks
    for a theme). At most `_PATIENCE` puzzles in a row are passed over. They are used only if there are fewer than
    `count` others.
    """

    def __init__(self, order: Order, count: int, others: Iterable[Puzzle] = ()) -> None:
        self.order = order
        self.count = count
        self.deals = 0  # finished, counting from the first without a gap
        self.repeated = 0
        self.faults: list[str] = []
        self.dropped: Counter[str] = Counter()  # candidates, by what is wrong with them
        self.kept: list[dict[str, Any]] = []
        self._passed_over: list[dict[str, Any]] = []
        self._waiting: dict[int, Mapping[str, Any]] = {}
        self._leading: Counter[str] = Counter()
        self._passed = 0
        others = list(others)
        self._known = set(filter(None, (_symmetry(order, puzzle) for puzzle in others)))
        self._titles = {puzzle.title for puzzle in others}

    @property
    def full(self) -> bool:
        return len(self.kept) >= self.count

    @property
    def puzzles(self) -> list[dict[str, Any]]:
        """The puzzles from the deals so far: those kept and, if there are too few, skipped ones."""
        return [*self.kept, *self._passed_over][: self.count]

    def add(self, deal: int, result: Mapping[str, Any]) -> None:
        """Add the result of deal number `deal`, which may be an error."""
        self._waiting[deal] = result
        while not self.full and self.deals in self._waiting:
            self._take(self._waiting.pop(self.deals))
            self.deals += 1

    def _take(self, result: Mapping[str, Any]) -> None:
        if "error" in result:
            self.faults.append(str(result["error"]["message"]))
            return
        self.dropped.update(result["dropped"])
        if result["puzzle"] is not None:
            if result["symmetry"] in self._known:
                self.repeated += 1
                return
            self._known.add(result["symmetry"])
            themes = result["puzzle"].get("themes") or ()
            name = f"{self.order.game}-{self.order.task}-{self.order.seed}-{result['number']}"
            title = title_of(result["caption"], self._titles)
            self._titles.add(title)
            entry = {"id": name, "title": title, **result["puzzle"]}
            if self._passed < _PATIENCE and self._has_enough_of(themes):
                self._passed += 1
                self._passed_over.append(entry)
                return
            self._passed = 0
            self._leading.update(themes[:1])
            self.kept.append(entry)

    def _has_enough_of(self, themes: Sequence[str]) -> bool:
        if self.order.theme is not None:
            return False
        return bool(themes) and self._leading[themes[0]] > len(self.kept) // 3

    def text(self) -> str:
        """Return the text of the puzzle file. Raises PuzzleError if there is no puzzle."""
        plain, names = Order(self.order.game), {"task": "ask"}
        chosen = {key: value for key, value in asdict(self.order).items() if value != getattr(plain, key)}
        if isinstance(self.order.deck, Mapping):
            chosen["deck"] = "FILE"
        words = [f"--{names.get(key, key)} {value}" for key, value in chosen.items()]
        asked = " ".join([self.order.game, *words])
        judged = self.order.task == HIDDEN_HAND and any("model" not in puzzle for puzzle in self.puzzles)
        proof = "judged by long hints" if judged else "proved by search"
        head = f"# Made by `athanor generate {asked}`, {proof}.\n\n"
        text = head + "\n".join(map(puzzle_text, self.puzzles))
        loads(text)
        return text


def _symmetry(order: Order, puzzle: Puzzle) -> str | None:
    """Return a key that symmetric puzzles share; None if the puzzle is not of the order's game and task."""
    if puzzle.game.name != order.game or task_of(puzzle) != order.task:
        return None
    return order.composer.symmetry(order.task, candidate_of(puzzle))
