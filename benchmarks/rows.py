"""Results that a longer run goes on from: a line of JSON for each deal, in a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any


def done(
    path: Path | None, key: Mapping[str, object], what: str, numbers: Iterable[int], play: Callable[[int], Any]
) -> Iterator[Any]:
    """Of each deal what the file has of it or, where it has nothing, what `play` returns, which is added to it.

    Both come as JSON has them. A deal's line has the `key`, its number as ``deal``, and `what` was found.
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
