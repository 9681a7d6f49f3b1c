"""Judging answers to puzzles: whether an answer is correct, and why or why not.

With every card known, a wrong move is answered by the line of play that punishes it. With hidden cards, it is
answered by the number of deals, of those consistent with what was seen, in which it is worse than the best move,
and an example. Deals are compared with all cards open if the puzzle is proved; if it is judged by long hints, they
are played out by players who see only their own cards.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Any

from puzzles.check import solve_puzzle
from puzzles.format import Puzzle
from puzzles.solution import NEAR, StatedRecipe
from puzzles.wording import because
from solver.answer_tables import percent, text_of
from solver.answers import Analysis, Answer, Hint, HintMove, MoveValue, Value, number_of
from solver.common import one_after_another, points_counted
from solver.errors import MoveError, RequestError
from solver.language import say, say_many, sentences, translated
from solver.limits import Control, Limit
from solver.positions import text_of as line_of
from solver.rounds_in_play import playing_of
from solver.texts import plain

PROVING = Limit(seconds=20)  # of a puzzle's answer
_FOLLOWING = 2.0  # seconds to find how play continues after a move
_DEALS, _DEALS_SECONDS = 100, 4.0  # the most deals to check, and the time for it in seconds
_PLAYED_OUT = 64  # games for each move in such a deal


Cancel = threading.Event | None


class Refuted(Answer):
    """A deal in which a move is worse than the best one.

    `text` is the position on one line, with every card known. In this deal, the move is worth `value`, the best
    move is worth `best_value`, and `line` is how play continues after the move.
    """

    text: str
    value: Value | float
    best_value: Value | float
    line: tuple[str, ...]


class Verdict(Answer):
    """Whether a player's `answer` is `correct` (None if not proved in time), and why, in the `explanation`.

    `line` is how best play continues after the move, with every card known. If the answer is not a move, it is as
    typed, and `line` starts at the position itself.

    With hidden cards, `deals` is the number of deals that were checked. In `worse_deals` of them the answer does
    worse than the puzzle's solution, in `better_deals` of them it does better; `example` is the one in which it
    loses the most, if any. All four are None if no deals were checked. `cards_open` is True if deals were compared
    with all cards open, not played out by players who see only their own cards.
    """

    answer: str
    correct: bool | None
    explanation: str
    line: tuple[str, ...] = ()
    cards_open: bool = False
    deals: int | None = None
    worse_deals: int | None = None
    better_deals: int | None = None
    example: Refuted | None = None


def judge(puzzle: Puzzle, answer: str, limit: Limit = PROVING, cancel: Cancel = None) -> Verdict:
    """Judge a player's answer to a puzzle that states its solution.

    `answer` is a legal move or, if the puzzle does not ask for one, the text typed: a value, yes or no, or what
    the cards are worth. Raises MoveError for anything else.

    `limit` is for computing the values of all moves; the other searches have their own limits.
    """
    if puzzle.ask != "best-move":
        return _typed(puzzle, answer, cancel)
    position = puzzle.position
    move = puzzle.game.format_move(position, puzzle.game.parse_move(position, answer))
    proved = _answer(puzzle, move, limit, cancel)
    correct = _judged(puzzle, move, proved)
    if proved is None:
        return Verdict(answer=move, correct=correct, explanation=say("This was not proved in time."))
    why = _why(puzzle, proved, move) if correct else _why_not(puzzle, proved, move)
    verdict = Verdict(answer=move, correct=correct, explanation=why, cards_open=not puzzle.judged)
    if not puzzle.hidden:
        return verdict.model_copy(update={"line": _line(puzzle, position, move, cancel)})
    return _over_deals(puzzle, verdict, cancel) if correct is False else verdict


def _answer(puzzle: Puzzle, move: str, limit: Limit, cancel: Cancel) -> Analysis | Hint | None:
    """Return an analysis or hint with the values of a puzzle's moves; None after an error."""
    assert puzzle.solution is not None
    asked = puzzle.model_copy(update={"solution": puzzle.solution.model_copy(update={"best": (move,)})})
    solve_puzzle(asked, Limit(nodes=1))  # loads the kernels: the time is for the search
    answer = solve_puzzle(asked, Limit() if puzzle.judged else limit, cancel).answer
    return answer if isinstance(answer, Analysis | Hint) else None


def _judged(puzzle: Puzzle, move: str, answer: Analysis | Hint | None) -> bool | None:
    """Whether a move is one of the best: listed in the solution, or proved to be as good by the moves' values.

    If the puzzle is judged by long hints, only the listed moves are right. Returns None if nothing was proved in
    time.
    """
    if move in _best(puzzle) or puzzle.judged:
        return move in _best(puzzle)
    if answer is None:
        return None
    proved = puzzle.game.proved(puzzle.position, answer, [puzzle.game.parse_move(puzzle.position, move)])
    return None if proved.best is None else move in proved.best


# ----------------------------------------------------------------------------------------------------
# The sentences of a verdict.


def _why(puzzle: Puzzle, answer: Analysis | Hint, move: str) -> str:
    """Explain why a right move is right: its value, that of the next best move, and a hint's reason."""
    best = _best(puzzle)
    others = [entry for entry in answer.moves if entry.move != move and entry.move not in best]
    mine = _entry(answer, move)
    if goal := getattr(puzzle.position, "objective", None):
        return _best_match(goal, move, getattr(answer, "value", 0))
    if mine is None or not others:
        return (isinstance(answer, Hint) and answer.reason) or say("{move} is as good as any.", move=move)
    worth = say("{move}: {worth}. {other}, the next best: {less}.", move=move, worth=_worth(puzzle, answer, mine),
                other=others[0].move, less=_worth(puzzle, answer, others[0]))  # fmt: skip
    reason = answer.reason if isinstance(answer, Hint) else _reason(puzzle, move)
    return sentences(worth, reason) if reason else worth


def _best_match(goal: str, move: str, value: int) -> str:
    """Say what a match of a sum puzzle reaches, which is the best at its goal."""
    if goal == "most-points":
        return say_many(
            "{move} scores {count} point, and no match scores more.",
            "{move} scores {count} points, and no match scores more.",
            value,
            move=move,
        )
    if goal == "most-cards":
        return say_many(
            "{move} uses {count} card of the line, and no match uses more.",
            "{move} uses {count} cards of the line, and no match uses more.",
            value,
            move=move,
        )
    return say_many(
        "{move} uses {count} card of the line, and no match uses fewer.",
        "{move} uses {count} cards of the line, and no match uses fewer.",
        value,
        move=move,
    )


def all_matches(puzzle: Puzzle) -> str:
    """Say how many of all matches use how many cards of the line: what is right where they are asked for."""
    moves = (puzzle.solution and puzzle.solution.moves) or ()
    sizes = Counter(len(re.split("[+=]", move)) - 1 for move in moves)
    listed = [
        say_many("{found} with {count} card", "{found} with {count} cards", size, found=number)
        for size, number in sorted(sizes.items())
    ]
    return say("By the cards of the line that they use: {listed}. No other choice of cards adds up.",
               listed=one_after_another(listed))  # fmt: skip


def _reason(puzzle: Puzzle, move: str) -> str:
    """Return a hint's reason for the best move of a proved puzzle with hidden hands; empty if it has none.

    With every card known the line of play shows it.
    """
    if not puzzle.hidden:
        return ""
    hint = puzzle.game.hint(puzzle.position, Control(Limit(seconds=_FOLLOWING)))
    return str(hint.reason) if hint.best == move and hint.causes else ""


def _why_not(puzzle: Puzzle, answer: Analysis | Hint, move: str) -> str:
    """Compare the value of a wrong move with that of the best move in a sentence, without naming the latter."""
    mine, right = _entry(answer, move), _entry(answer, _best(puzzle)[0])
    if mine is None or right is None:
        value = getattr(answer, "value", None)
        return (
            say("Another move is better.") if value is None else say("Another move is worth {value}.", value=value)
        )
    named = {"move": move, "worth": _worth(puzzle, answer, mine), "more": _worth(puzzle, answer, right)}
    points = (puzzle.game.models and not puzzle.game.race) or getattr(puzzle.position, "is_duel", False)
    # How points are lost is shown by the line that follows, where every card is known.
    cause = "" if points and not puzzle.hidden else because(puzzle, move)
    if cause:
        return say("{move}: {worth}; {cause}. The best move: {more}.", cause=cause, **named)
    return say("{move}: {worth}. The best move: {more}.", **named)


def _entry(answer: Analysis | Hint, move: str) -> MoveValue | HintMove | None:
    return next((entry for entry in answer.moves if entry.move == move), None)


def _best(puzzle: Puzzle) -> tuple[str, ...]:
    return (puzzle.solution and puzzle.solution.best) or ()


def _worth(puzzle: Puzzle, answer: Analysis | Hint, entry: Any) -> str:
    """Describe the value of a move in a few words."""
    chance = getattr(entry, "win_probability", None)
    if chance is not None:
        return say("wins {share} of deals", share=percent(chance))
    if getattr(entry, "opponent_points", None) is not None:
        return say_many(
            "{count} point, and {reply} for the opponent",
            "{count} points, and {reply} for the opponent",
            entry.points,
            reply=entry.opponent_points,
        )
    if getattr(entry, "left", None):
        return say_many(
            "lost, {count} card left in the stock", "lost, {count} cards left in the stock", entry.left
        )
    if getattr(answer, "unit", None) == "chance":
        return say("wins {share}", share=percent(entry.mean))
    if getattr(entry, "mean", None) is not None:
        return say("{mean:.1f} points on average", mean=entry.mean)
    if puzzle.hidden and puzzle.game.race and entry.exact:
        return say("wins for certain") if entry.value else say("may not win")
    worth = _valued(puzzle.game, answer, entry.value if entry.exact else None)
    return say("sure of {worth}", worth=worth) if puzzle.hidden and entry.exact else worth


def _valued(game: Any, answer: Any, value: Value | None) -> str:
    if value is None:
        return say("not proved in time")
    if game.race:
        player = answer.to_move if answer.player is None else answer.player
        won = value[player] if isinstance(value, tuple) else value
        template = "{seat:who} {seat:wins|win}" if won else "{seat:who} {seat:does|do} not win"
        return say(template, seat=player)
    if isinstance(value, tuple):
        seat = answer.to_move
        others = sum(value) - value[seat]
        return say("{points} for you, {others} for the others", points=value[seat], others=others)
    if isinstance(value, str):
        return text_of(value)
    if answer.player not in (None, answer.to_move):
        return say_many(
            "{count} point for {seat:who}", "{count} points for {seat:who}", int(value), seat=answer.player
        )
    return points_counted(int(value))


# ----------------------------------------------------------------------------------------------------
# How play continues.


def _line(puzzle: Puzzle, position: Any, move: str, cancel: Cancel) -> tuple[str, ...]:
    """Return how best play continues after a move, with every card known."""
    game, player = puzzle.game, puzzle.player
    if game.models and player is None and puzzle.model != "maxn":
        player = position.seat_to_move
    with suppress(RequestError):  # other packages' games may have no analysis; no hint if nobody is to move
        after = game.play(position, game.parse_move(position, move))
        limit = Control(Limit(seconds=_FOLLOWING), cancel)
        if "analyze" in game.asks(after):
            analysis: Analysis = game.analyze(after, limit, model=puzzle.model, player=player)
            return analysis.line
        answer = game.hint(game.view(after, after.seat_to_move), limit).best  # a duel's second grab
        return () if answer is None else (answer,)
    return ()


def _over_deals(puzzle: Puzzle, verdict: Verdict, cancel: Cancel) -> Verdict:
    """Add to a verdict the deals in which a wrong move is worse than the best one, as far as time allows."""
    move, best = verdict.answer, _best(puzzle)[0]
    game, worth = puzzle.game, _played_out if puzzle.judged else _proved
    deals = worse = better = 0
    worst: tuple[float, Any, float | Value, float | Value] | None = None
    with suppress(RequestError):  # where deals cannot be listed or analyzed, as before a round
        positions = game.worlds(puzzle.position, _DEALS)
        worth(puzzle, positions[0], (move, best), Control(Limit(nodes=1)))  # loads the kernels
        control = Control(Limit(seconds=_DEALS_SECONDS), cancel)
        for position in positions:
            mine, right = worth(puzzle, position, (move, best), control)
            if control.stopped() or mine is None or right is None:
                break
            gap = number_of(right) - number_of(mine)
            deals, worse, better = deals + 1, worse + (gap > 0), better + (gap < 0)
            if gap > 0 and (worst is None or gap > worst[0]):
                worst = gap, position, mine, right
    if not deals:
        return verdict
    example = None
    if worst is not None:
        _, position, mine, right = worst
        follow = _played_on if puzzle.judged else _line
        example = Refuted(
            text=line_of(position), value=mine, best_value=right, line=follow(puzzle, position, move, cancel)
        )
    return verdict.model_copy(
        update={"deals": deals, "worse_deals": worse, "better_deals": better, "example": example}
    )


Worths = tuple[Value | float | None, Value | float | None]


def _proved(puzzle: Puzzle, position: Any, moves: tuple[str, str], control: Control) -> Worths:
    """Return the values of two moves in a deal with all cards open, each None if it is not proved."""
    analysis = puzzle.game.analyze(position, control)
    entries: list[Any] = [_entry(analysis, move) for move in moves]
    first, second = (entry.value if entry is not None and entry.exact else None for entry in entries)
    return first, second


def _played_out(puzzle: Puzzle, position: Any, moves: tuple[str, str], control: Control) -> Worths:
    """Return the mean results of two moves in a deal, with all players seeing only their own cards."""
    game = puzzle.game
    deck = getattr(position, "deck", None)
    usual: Any = playing_of(game).opening(0, number=0, players=None, variant=None, before=(), deck=deck)
    table = replace(usual, position=position, players=position.players)
    hint = table.hint_in_truth(Control(Limit(nodes=_PLAYED_OUT * len(table.moves()))))
    entries: list[Any] = [hint and _entry(hint, move) for move in moves]
    first, second = (entry and entry.mean for entry in entries)
    return first, second


def _played_on(puzzle: Puzzle, position: Any, move: str, cancel: Cancel) -> tuple[str, ...]:
    """Return how players who don't look ahead continue after a move, to the end of the round."""
    game, line = puzzle.game, []
    position = game.play(position, game.parse_move(position, move))
    while game.legal_moves(position) and not (cancel and cancel.is_set()):
        view = game.view(position, position.seat_to_move)
        line.append(str(game.hint(view, Control(), worlds=0).best))
        position = game.play(position, game.parse_move(position, line[-1]))
    return tuple(line)


# ----------------------------------------------------------------------------------------------------
# Answers that are typed: yes or no, a value, what cards are worth.


Wanted = bool | float | tuple[float, ...]


def _wanted(puzzle: Puzzle) -> Wanted:
    """Return the stated answer to a puzzle that does not ask for moves: numbers, or True or False."""
    solution = puzzle.solution
    assert solution is not None
    if puzzle.ask == "compound":
        assert solution.total is not None
        return solution.total
    if solution.winnable is not None:
        return solution.winnable
    value = solution.value
    assert value is not None
    if isinstance(value, str):
        return value == "won"
    if isinstance(value, tuple):
        return value.index(max(value)) if puzzle.game.race else value
    return bool(value) if puzzle.game.race else value


def _is_chance(puzzle: Puzzle) -> bool:
    """Whether the answer is a chance: that of a solitaire whose stock is hidden."""
    return all(getattr(puzzle.position, name, False) for name in ("is_solitaire", "stock_hidden"))


def how_typed(puzzle: Puzzle) -> str:
    """Explain to the player how to type the answer to a puzzle that does not ask for moves."""
    wanted = _wanted(puzzle)
    if isinstance(wanted, bool):
        return say("Type yes or no.")
    if isinstance(wanted, tuple):
        return say("Type the points of each seat from seat 0 on, such as {example}.",
                   example=" ".join(str(3 * seat % 7) for seat in range(len(wanted))))  # fmt: skip
    if _is_chance(puzzle):
        return say("Type the chance in percent; whole percent is near enough.")
    return say("Type the number of the seat.") if puzzle.game.race else say("Type a number.")


def is_right(puzzle: Puzzle, text: str) -> bool:
    """Whether a typed answer to a puzzle that does not ask for moves is right.

    Raises MoveError if the text is not an answer to this puzzle.
    """
    wanted, text = _wanted(puzzle), plain(text)
    if isinstance(wanted, bool):
        word = text.strip().casefold()
        for words, means in ((_YES, True), (_NO, False)):
            if word in (*words, say("yes").casefold() if means else say("no").casefold()):
                return means == wanted
        raise MoveError("invalid_value", how_typed(puzzle))
    fraction = _FRACTION.fullmatch(text) if _is_chance(puzzle) else None
    numbers = _numbers(text) if fraction is None else [100 * int(fraction[1]) / int(fraction[2])]
    listed = wanted if isinstance(wanted, tuple) else (wanted,)
    if len(numbers) != len(listed):
        raise MoveError("invalid_value", how_typed(puzzle))
    if _is_chance(puzzle):
        return abs(numbers[0] / 100 - listed[0]) <= NEAR
    return numbers == list(listed)


def _numbers(text: str) -> list[float]:
    """Parse the numbers in a typed answer; empty if it contains anything else."""
    try:
        return [float(word.removesuffix("%")) for word in re.sub("[,;:/|]", " ", text).split()]
    except ValueError:
        return []


_FRACTION = re.compile(r"\s*(\d{1,6})\s*[/⁄]\s*([1-9]\d{0,5})\s*", re.ASCII)
_YES, _NO = ("yes", "y", "true", "won"), ("no", "n", "false", "lost")


def solution_in_words(puzzle: Puzzle) -> str:
    """Return the stated answer to a puzzle as text for a person."""
    solution = puzzle.solution
    assert solution is not None
    if puzzle.ask == "best-move":
        return say(" or ").join(solution.best or ())
    if puzzle.ask == "all-matches":
        return one_after_another(solution.moves or ())
    wanted = _wanted(puzzle)
    if puzzle.ask == "compound":
        return one_after_another(
            [points_counted(int(solution.total or 0)), *map(recipe_in_words, solution.recipes or ())]
        )
    if isinstance(wanted, bool):
        return say("yes") if wanted else say("no")
    if isinstance(wanted, tuple):
        return " ".join(f"{number:g}" for number in wanted)
    return percent(wanted) if _is_chance(puzzle) else f"{wanted:g}"


def recipe_in_words(recipe: StatedRecipe) -> str:
    """Return a recipe with its cards, such as "Bronze (E3: F8 E8)"."""
    item = translated(recipe.item or recipe.card)
    return say("{item} ({card}: {uses})", item=item, card=recipe.card, uses=" ".join(recipe.uses))


def best_line(puzzle: Puzzle, cancel: Cancel = None) -> tuple[str, ...]:
    """Return the line of best play from a puzzle's position; empty if none is proved in time."""
    return _line_of(_solved(puzzle, cancel))


def _solved(puzzle: Puzzle, cancel: Cancel) -> Analysis | Hint | None:
    """Solve a puzzle that asks for a value; None if it asks for a list, or if nothing is proved in time."""
    position: Any = puzzle.position
    lists = getattr(position, "variant", "") == "free" and position.objective is None  # all matches
    if puzzle.ask == "compound" or lists:
        return None
    solve_puzzle(puzzle, Limit(nodes=1))  # loads the kernels: the time is for the search
    answer = solve_puzzle(puzzle, PROVING, cancel).answer
    return answer if isinstance(answer, Analysis | Hint) and getattr(answer, "exact", False) else None


def _line_of(answer: Analysis | Hint | None) -> tuple[str, ...]:
    return answer.line if isinstance(answer, Analysis) else ()


def _typed(puzzle: Puzzle, text: str, cancel: Cancel) -> Verdict:
    """Judge a typed answer; a wrong one is refuted by the best line of play, or by the stated recipes."""
    correct = is_right(puzzle, text)
    answer = _solved(puzzle, cancel)
    why = _why_typed(puzzle, answer) if correct else _why_not_typed(puzzle, text, answer)
    return Verdict(answer=text, correct=correct, explanation=why, line=_line_of(answer))


def _why_typed(puzzle: Puzzle, answer: Analysis | Hint | None) -> str:
    """Explain why a typed answer is right: what its first move brings, and the next best one."""
    if puzzle.ask == "compound":
        return say("No other choice of recipes from these cards brings more.")
    goal = getattr(puzzle.position, "objective", None)
    if answer is None or not answer.moves:
        return say("Best play shows it.")
    first, *others = answer.moves
    if isinstance(first, str) or isinstance(_wanted(puzzle), bool):
        return _why_won(puzzle, answer)
    if goal:
        return _best_match(goal, first.move, int(_wanted(puzzle)))  # type: ignore[arg-type]
    worth = _worth(puzzle, answer, first)
    less = next(((one, words) for one in others if (words := _worth(puzzle, answer, one)) != worth), None)
    named: dict[str, Any] = {"move": first.move, "worth": worth}
    if less is not None:
        named |= {"other": less[0].move, "less": less[1]}
    seat: int | None = getattr(puzzle.position, "seat_to_move", None)
    if puzzle.player not in (None, seat):  # the points are another seat's, and this one may want them to be few
        named["seat"] = seat
        if less is None:
            return say("Best play begins with {move}, which {seat:who} {seat:plays|play}: {worth}.", **named)
        return say("Best play begins with {move}, which {seat:who} {seat:plays|play}: {worth}. {other}, the next "
                   "best for {seat:who}: {less}.", **named)  # fmt: skip
    if less is None:
        return say("Best play begins with {move}: {worth}.", **named)
    return say("Best play begins with {move}: {worth}. {other}, the next best: {less}.", **named)


def _why_won(puzzle: Puzzle, answer: Analysis | Hint | None) -> str:
    """Explain why something can be reached or not, where the question is whether it can."""
    wanted, line = _wanted(puzzle), _line_of(answer)
    moves = () if answer is None or wanted else answer.moves
    left = min((left for move in moves if (left := getattr(move, "left", None)) is not None), default=0)
    if left:
        return say_many(
            "It cannot be won: {count} card at least stays in the stock, as in this line.",
            "It cannot be won: {count} cards at least stay in the stock, as in this line.",
            left,
        )
    if wanted and line and not puzzle.game.models:
        return say("It can be won: {move} comes first, as in this line.", move=line[0])
    return say("Best play shows it.")


def _why_not_typed(puzzle: Puzzle, text: str, analysis: Analysis | Hint | None) -> str:
    wanted, solution = _wanted(puzzle), puzzle.solution
    if isinstance(wanted, bool):
        return _why_won(puzzle, analysis)
    if isinstance(wanted, tuple) or (puzzle.game.race and not _is_chance(puzzle)):
        return say("Best play of all shows it.")
    high = _numbers(text)[0] > wanted * (100 if _is_chance(puzzle) else 1)
    if puzzle.ask == "compound":
        recipes = one_after_another(map(recipe_in_words, (solution and solution.recipes) or ()))
        return (
            say("These cards bring less. The most: {recipes}.", recipes=recipes)
            if high
            else say("These cards bring more, for example: {recipes}.", recipes=recipes)
        )
    if not isinstance(analysis, Analysis):
        return say("It is less.") if high else say("It is more.")
    return say("Best play brings less.") if high else say("Best play brings more.")
