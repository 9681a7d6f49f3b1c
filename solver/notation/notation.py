"""What a game declares of its positions as text, and reading and writing by that.

A game says for each key how its value is written (`solver.notation.values`), what its cards are called, and what
follows from what: `complete` fills in the keys that a caller may leave out. The canonical text leaves out what
`complete` fills in again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from solver.inputs.errors import Fault, PositionError, joined
from solver.notation.lines import SHORT, Line, Pairs, composed
from solver.notation.names import Names
from solver.notation.runs import TwoReadings
from solver.notation.tricks import Led
from solver.notation.values import TEXT, CardNames, Value

if TYPE_CHECKING:
    from pydantic import BaseModel

Data = dict[str, Any]


def _same(data: Data, faults: list[Fault]) -> Data:
    return data


def _as_it_is(data: Data) -> Data:
    return data


@dataclass(frozen=True, kw_only=True)
class Notation:
    """How the positions and records of a game are written.

    `values` says how the value of each key is written, in the order of the canonical text; `words` are the keys of
    which the value stands without its key, such as a variant. `rounds` has the keys of a record's rounds.

    `names` gives the cards of the deck that data mean. `complete` fills in what follows from JSON-like data, which
    may be wrong in every way, and puts what contradicts it among the faults; it leaves what it cannot read to the
    checks of the position. Lists may have `most_entries`, all of a key together: more are a fault before anything
    looks at them, since pydantic collects what is wrong with each. `inferred` are the keys that `complete` may
    fill in. `shortened` puts the data of a valid position as they are best written: with the keys that `complete`
    takes instead of others.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    rounds: Mapping[str, Value] = field(default_factory=dict)
    words: Sequence[str] = ()
    names: Callable[[Mapping[str, Any]], CardNames] = lambda data: Names(())
    complete: Callable[[Data, list[Fault]], Data] = _same
    inferred: Sequence[str] = ()
    most_entries: int = 1000
    shortened: Callable[[Data], Data] = _as_it_is

    def read(self, line: Line) -> Data:
        """A line as JSON-like data; what cannot be read stays a text, for the position's checks."""
        data: Data = {"game": line.game}
        data |= dict(zip(self.words, line.words, strict=False))
        for word in line.words[len(self.words) :]:
            data.setdefault(word, True)  # no key: the position's checks say so
        pairs = self._with_whole_keys(line.pairs, self.values)
        names = self.names({**data, **{key: self._of(key).read(pairs[key], Names(())) for key in pairs}})
        data |= {key: self._of(key).read(text, names) for key, text in pairs.items()}
        if line.rounds:
            data["rounds"] = [
                {
                    key: self.rounds.get(key, TEXT).read(text, names)
                    for key, text in self._with_whole_keys(one, self.rounds).items()
                }
                for one in line.rounds
            ]
        return data

    def _with_whole_keys(self, pairs: Pairs, values: Mapping[str, Value]) -> Pairs:
        """The words of a line under whole keys: ``h=S1`` is ``hand=S1`` in a game that has such a key."""
        found: Pairs = {}
        for key, text in pairs.items():
            meant = key if key in values else next((one for one in SHORT.get(key, ()) if one in values), key)
            if meant in found:
                short = next(letter for letter, keys in SHORT.items() if meant in keys)
                raise PositionError("duplicate_key", f"the key {meant!r} is there twice, once as {short!r}", meant)
            found[meant] = text
        return found

    def oversized(self, data: Mapping[str, Any]) -> list[Fault]:
        """The lists of JSON-like data that have too many entries."""
        return [
            Fault("wrong_size", f"at most {self.most_entries:,} entries are expected, not {count:,}", key)
            for key, value in self.values.items()
            if value.collects and (count := _entries(data.get(key))) > self.most_entries
        ]

    def given(self, data: Mapping[str, Any], faults: list[Fault]) -> Data:
        """JSON-like data as a caller sends them, made ready for the position's checks."""
        names = self.names(data)
        tidied = {key: self._of(key).tidied(value, names) for key, value in data.items()}
        rounds = tidied.get("rounds")
        if self.rounds and isinstance(rounds, list | tuple):
            tidied["rounds"] = [
                {key: self.rounds.get(key, TEXT).tidied(value, names) for key, value in one.items()}
                if isinstance(one, Mapping)
                else one
                for one in rounds
            ]
        faults += (Fault("two_readings", text.message, path) for path, text in _unclear(tidied))
        return self.complete(tidied, faults)

    def write(self, position: BaseModel) -> str:
        """The canonical line of a position, view or record that is valid."""
        data = self.canonical(position)
        game: str = data.pop("game")
        full = self.shortened({"game": game, **data})
        kept = {key: value for key, value in full.items() if key not in self.inferred}
        filled = self.complete(dict(kept), [])
        written = {key: value for key, value in full.items() if key in kept or filled.get(key) != value}
        for key in self.inferred:
            if key in filled and key not in data:  # the position does not say what would be filled in
                default = type(position).model_fields[key].get_default()
                written[key] = () if default is None else default
        words = [str(written.pop(key)) for key in self.words]
        rounds = [_pairs(self.rounds, one) for one in written.pop("rounds", ())]
        del written["game"]
        return composed(game, words, _pairs(self.values, written), rounds)

    def canonical(self, position: BaseModel) -> Data:
        """The data of a position without what is so by default, its sets in the deck's order."""
        data = position.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        place = self.names(data).place

        def ordered(values: Mapping[str, Value], one: Data) -> Data:
            return {key: values.get(key, TEXT).sorted(value, place) for key, value in one.items()}

        found = ordered(self.values, data)
        if self.rounds and "rounds" in data:
            found["rounds"] = [ordered(self.rounds, one) for one in data["rounds"]]
        return found

    def _of(self, key: str) -> Value:
        return self.values.get(key, TEXT)


def _entries(value: Any) -> int:
    """How many entries a list has, with those of the lists in it."""
    count, left = 0, [value]
    while left:
        one = left.pop()
        if isinstance(one, list | tuple):
            count += len(one)
            left += [inner for inner in one if isinstance(inner, list | tuple)]
    return count


def _unclear(value: Any, path: str = "") -> Iterator[tuple[str, TwoReadings]]:
    """The texts in data that can be read in two ways, each with its path."""
    if isinstance(value, TwoReadings):
        yield path, value
    elif isinstance(value, Led):
        yield from _unclear(value.cards, path)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from _unclear(one, joined(path, str(key)))
    elif isinstance(value, list | tuple):
        for place, one in enumerate(value):
            yield from _unclear(one, f"{path}[{place}]")


def _pairs(values: Mapping[str, Value], data: Data) -> Pairs:
    """The keys of data with their values as text, in the order in which they are declared."""
    return {key: value.write(data[key]) for key, value in values.items() if key in data}
