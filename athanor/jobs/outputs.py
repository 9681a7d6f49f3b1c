"""The output of a batch: one line of JSON per result, or a table as CSV or Parquet."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from athanor.jobs.file import JobError
from puzzles.format import check_replaceable, replacing
from solver.errors import reason_of
from solver.language import say
from solver.texts import write_csv

Rows = Callable[[], Iterable[tuple[int, str]]]  # each line of the results with its unit, starting from the first

TEXT = "text"  # the column with positions
_FIGURES = ("mean", "stderr")  # columns of numbers also where none is known
_GROUP = 10_000  # rows written at once
_OUTCOMES = {"won": 1.0, "lost": 0.0}
_WORD = 1 << 63  # Parquet's integers are smaller


def check(out: str) -> None:
    """Raise JobError if the file name `out` has an unknown suffix, OSError if it cannot be written."""
    if _suffix(out) not in _WRITERS:
        names = ", ".join(_WRITERS)
        raise JobError(
            "unknown_value",
            say("the name of the output ends in {names}, not {out!r}", names=names, out=out),
            "out",
        )
    if _suffix(out) == ".parquet":
        _pyarrow("out")
    check_replaceable(out)


def write(out: str, rows: Rows) -> None:
    """Write the results to a file, all or nothing. Raises OSError.

    A table has the columns ``index`` (the unit, from 0) and the keys of all answers, in order of first appearance,
    with ``mean`` and ``stderr`` of the best move, which are always numbers, after ``best``. Values other than
    numbers, texts and booleans are written as JSON; errors have their own columns.
    """
    with replacing(out) as temporary:
        _WRITERS[_suffix(out)](temporary, rows)


def texts_in(path: str) -> Iterator[str]:
    """Yield the column ``text`` of a Parquet file, such as one of deals. Raises JobError if it cannot be read."""
    pyarrow, parquet = _pyarrow()
    try:
        with parquet.ParquetFile(path) as file:
            if TEXT not in file.schema_arrow.names:
                raise JobError("missing_key", say("the table has no column {name}", name=TEXT))
            for group in file.iter_batches(columns=[TEXT]):
                yield from group.column(0).to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise JobError("unreadable", say("the table cannot be read: {why}", why=reason_of(error))) from None


def _suffix(out: str) -> str:
    return Path(out).suffix.lower()


def _write_lines(path: Path, rows: Rows) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for _, text in rows():
            file.write(text + "\n")


def _write_csv(path: Path, rows: Rows) -> None:
    columns = list(_columns(rows))
    with path.open("w", encoding="utf-8", newline="") as file:
        write_csv(file, columns, ({name: _text(value) for name, value in row.items()} for row in _flat(rows)))


def _write_parquet(path: Path, rows: Rows) -> None:
    pyarrow, parquet = _pyarrow()
    types = _columns(rows)
    arrow = {bool: pyarrow.bool_(), int: pyarrow.int64(), float: pyarrow.float64()}
    schema = pyarrow.schema([(name, arrow.get(kind, pyarrow.string())) for name, kind in types.items()])
    flat = _flat(rows)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while group := list(islice(flat, _GROUP)):
            columns = {name: [_of_kind(row.get(name), kind) for row in group] for name, kind in types.items()}
            writer.write_table(pyarrow.table(columns, schema=schema))


def _pyarrow(path: str = "") -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        message = say("Parquet needs pyarrow: pip install 'athanor-cards[parquet]'")
        raise JobError("not_installed", message, path) from None
    return pyarrow, parquet


def _flat(rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield each result as a row of a table."""
    for unit, text in rows():
        answer = json.loads(text)
        error = answer.pop("error", None) or {}
        row: dict[str, Any] = {"index": unit}
        for key, value in answer.items():
            row[key] = value
            if key == "best" and "moves" in answer:
                row["mean"], row["stderr"] = _figures(answer)
        yield {**row, **{f"error_{key}": value for key, value in error.items()}}


def _figures(answer: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """Return the mean of the best move and its standard error, which is 0 for a proved value.

    A mean is in points or, of solitaires and games without points, the chance to win. With the model `maxn` it is
    that of the seat to move.
    """
    best = next((move for move in answer["moves"] if move["move"] == answer["best"]), None)
    if best is None:
        return None, None
    keys = ("mean", "win_probability", "swing", "points", "value", "estimate")
    mean = next((best[key] for key in keys if best.get(key) is not None), None)
    if isinstance(mean, list):
        mean = mean[answer["to_move"]]
    if isinstance(mean, str):
        mean = _OUTCOMES[mean]
    exact = best["exact"] if "exact" in best else answer["exact"]
    return mean, best["stderr"] if best.get("stderr") is not None else 0.0 if exact else None


def _columns(rows: Rows) -> dict[str, type]:
    """Return the name and type of each column: float for mixed numbers, str for other mixed types."""
    columns: dict[str, type] = {}
    for row in _flat(rows):
        for name, value in row.items():
            before = columns.setdefault(name, float if name in _FIGURES else type(None))
            if value is None:
                continue
            kind = _kind(value)
            if before in (type(None), kind):
                columns[name] = kind
            else:
                columns[name] = float if {before, kind} == {int, float} else str
    return columns


def _kind(value: Any) -> type:
    if isinstance(value, int) and not -_WORD <= value < _WORD:
        return str
    return type(value) if isinstance(value, bool | int | float) else str


def _of_kind(value: Any, kind: type) -> Any:
    if value is None or (kind in (bool, int) and isinstance(value, kind)):
        return value
    return float(value) if kind is float else _text(value)


def _text(value: Any) -> Any:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


_WRITERS: Mapping[str, Callable[[Path, Rows], None]] = MappingProxyType(
    {".ndjson": _write_lines, ".csv": _write_csv, ".parquet": _write_parquet}
)
