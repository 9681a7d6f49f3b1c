"""Results kept in a file, one line of JSON for each deal, so that a longer run continues an earlier one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any


def done(
    path: Path | None, key: Mapping[str, object], what: str, numbers: Iterable[int], play: Callable[[int], Any]
) -> Iterator[Any]:
    """The result of each deal: read from the file, or else made by `play` and appended to the file.

    Results are as JSON gives them back. A line has the keys of `key`, the number as ``deal``, and the result under
    the name `what`.
    """
    there: dict[int, Any] = {}
    if path is not None and path.exists():
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if {name: row.get(name, False) for name in key} == key:
                there[row["deal"]] = row[what]
    for number in numbers:
        if number in there:
            yield there[number]
            continue
        line = json.dumps({**key, "deal": number, what: play(number)})
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        yield json.loads(line)[what]
