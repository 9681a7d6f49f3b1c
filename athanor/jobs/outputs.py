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
from solver.language import say
from solver.texts import write_csv

Rows = Callable[[], Iterable[tuple[int, str]]]  # each line of the results with its unit, starting from the first

_GROUP = 10_000  # rows written at once
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
        _pyarrow()
    check_replaceable(out)


def write(out: str, rows: Rows) -> None:
    """Write the results to a file, all or nothing. Raises OSError.

    A table has the columns ``unit`` and the keys of all answers, in order of first appearance. Values other than
    numbers, texts and booleans are written as JSON; errors have their own columns.
    """
    with replacing(out) as temporary:
        _WRITERS[_suffix(out)](temporary, rows)


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


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        message = say("Parquet needs pyarrow: pip install 'athanor-cards[parquet]'")
        raise JobError("not_installed", message, "out") from None
    return pyarrow, parquet


def _flat(rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield each result as a row of a table."""
    for unit, text in rows():
        answer = json.loads(text)
        error = answer.pop("error", None) or {}
        yield {"unit": unit, **answer, **{f"error_{key}": value for key, value in error.items()}}


def _columns(rows: Rows) -> dict[str, type]:
    """Return the name and type of each column: float for mixed numbers, str for other mixed types."""
    found: dict[str, type] = {}
    for row in _flat(rows):
        for name, value in row.items():
            if value is None:
                found.setdefault(name, type(None))
                continue
            kind = _kind(value)
            before = found.get(name, type(None))
            if before in (type(None), kind):
                found[name] = kind
            else:
                found[name] = float if {before, kind} == {int, float} else str
    return found


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
