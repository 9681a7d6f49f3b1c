"""Answers as text and tables for a person; made from their fields, so every game's answers print alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console
    from rich.table import Table

    from solver.protocol.answers import Analysis, Answer, Hint

SHOWN = 40  # moves, unless all are asked for

# Said in sentences of their own, or by the table of moves.
_TOLD = {
    "game", "variant", "model", "player", "to_move", "exact", "value", "bounds", "best", "moves", "line", "reason",
    "method", "worlds", "seed", "nodes", "seconds",
}  # fmt: skip


def show(
    console: Console, position: BaseModel, answer: Analysis | Hint, *, every: bool = False, cut: bool = False
) -> None:
    """The position, the answer's sentences, and the moves best first. `cut`: Ctrl-C ended the search."""
    from solver.positions import game_of

    game = game_of(position)
    variant = f", {answer.variant}" if answer.variant else ""
    show_rows(console, [("Game", game.title + variant), *game.describe(position)])
    console.print()
    show_answer(console, answer, every=every, cut=cut)


def show_answer(console: Console, answer: Analysis | Hint, *, every: bool = False, cut: bool = False) -> None:
    """The answer's sentences and its moves, best first."""
    show_rows(console, sentences(answer, cut=cut))
    _show_moves(console, answer.moves, every=every)
    for name, other in _others(answer):
        console.print()
        show_rows(console, [(_label(name), _summary(other))])
        _show_moves(console, getattr(other, "moves", ()), every=every)


def show_rows(console: Console, rows: Sequence[tuple[str, str]]) -> None:
    """Labelled lines, the labels aligned."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in rows:
        grid.add_row(Text(label, style="bold"), text)
    console.print(grid)


def show_fields(console: Console, answer: Answer) -> None:
    """An answer without moves, such as a score: its fields, but for what is not known yet."""
    shown = ((name, getattr(answer, name)) for name in type(answer).model_fields)
    show_rows(console, [(_label(name), text_of(value)) for name, value in shown if value is not None])


def sentences(answer: Analysis | Hint, *, cut: bool = False) -> list[tuple[str, str]]:
    """What an answer says beside its moves, as labelled lines."""
    from solver.protocol.answers import Analysis

    rows = []
    if isinstance(answer, Analysis):
        rows.append(("Value", _value(answer)))
        rows.append(("For", _point_of_view(answer)))
    rows.append(("Best", answer.best or "no move"))
    if isinstance(answer, Analysis):
        if len(answer.line) > 1:
            rows.append(("Line", "  ".join(answer.line)))
    else:
        rows.append(("Why", answer.reason))
    rows.append(("Proof", _proof(answer, cut)))
    rows += [
        (_label(name), text_of(value))
        for name, value in _extras(answer)
        if isinstance(value, bool | int | float | str)
    ]
    rows.append(("Search", f"{answer.nodes:,} nodes in {answer.seconds:.3f} s"))
    return rows


def _extras(answer: Answer) -> list[tuple[str, Any]]:
    set_fields = answer.model_fields_set - _TOLD
    return [(name, getattr(answer, name)) for name in type(answer).model_fields if name in set_fields]


def _others(answer: Answer) -> list[tuple[str, Answer]]:
    """Answers within the answer: the other order of a duel's exchange."""
    from solver.protocol.answers import Answer

    return [(name, value) for name, value in _extras(answer) if isinstance(value, Answer)]


def _value(answer: Analysis) -> str:
    if answer.exact:
        return "none" if answer.value is None else text_of(answer.value)
    return "unknown" if answer.bounds is None else f"{_span(answer.bounds)}, not proved further"


def _point_of_view(answer: Analysis) -> str:
    player = answer.to_move if answer.player is None else answer.player
    whose = f"player {player}"
    whose += ", to move" if player == answer.to_move else f"; player {answer.to_move} is to move"
    return whose + (f"; the others play by the model {answer.model}" if answer.model else "")


def _proof(answer: Analysis | Hint, cut: bool) -> str:
    from solver.protocol.answers import Hint

    if answer.exact:
        proof = "exact"
    elif cut:
        proof = "none: interrupted, this is the best so far"
    elif isinstance(answer, Hint):
        proof = "none: an estimate"
    else:
        proof = "none: the limit ended the search, this is the best so far"
    if isinstance(answer, Hint):
        proof += f" ({answer.method}" + (
            f", {answer.worlds:,} worlds, seed {answer.seed})" if answer.worlds else ")"
        )
    return proof


def _summary(answer: Answer) -> str:
    value, best, line = (getattr(answer, name, None) for name in ("value", "best", "line"))
    text = f"value {text_of(value)}, best {best}"
    return text + (f", line {'  '.join(line)}" if line else "")


def _show_moves(console: Console, moves: Sequence[Answer], *, every: bool) -> None:
    if not moves:
        return
    shown = moves if every else moves[:SHOWN]
    console.print(_table(shown, _columns(moves)))
    if len(shown) < len(moves):
        console.print(f"… and {len(moves) - len(shown):,} more of {len(moves):,} (--all shows them)")


def _columns(moves: Sequence[Answer]) -> list[str]:
    """The fields worth a column: those that say something, and not the same of every move by definition."""
    exact = all(getattr(move, "exact", True) for move in moves)
    names = []
    for name in type(moves[0]).model_fields:
        values = [getattr(move, name) for move in moves]
        if all(value is None for value in values) or (exact and name in ("bounds", "exact")):
            continue
        if name == "method" and len(set(values)) == 1:
            continue
        names.append(name)
    return names


def _table(moves: Sequence[Answer], names: Sequence[str]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right")
    for name in names:
        number = all(isinstance(getattr(move, name), int | float | None) for move in moves)
        table.add_column(_label(name).lower(), justify="right" if number else "left", overflow="fold")
    for rank, move in enumerate(moves, 1):
        table.add_row(str(rank), *(text_of(getattr(move, name), name) for name in names))
    return table


def text_of(value: object, name: str = "") -> str:
    """A field's value as text."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple):
        if name == "bounds":
            return _span(value)
        if _holds_answers(value):
            return "\n".join(map(text_of, value))
        nested = any(isinstance(item, tuple) for item in value)
        return ("; " if nested else " ").join(map(text_of, value)) or "–"
    return str(value)


def _holds_answers(value: tuple[object, ...]) -> bool:
    """Whether there are answers in a tuple, or in tuples within: each is told on a line."""
    from solver.protocol.answers import Answer

    return any(isinstance(item, Answer) or (isinstance(item, tuple) and _holds_answers(item)) for item in value)


def _span(bounds: tuple[Any, ...]) -> str:
    low, high = map(text_of, bounds)
    return low if low == high else f"{low} … {high}"


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()
