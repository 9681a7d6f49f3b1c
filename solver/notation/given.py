"""The annotation of a game's positions and records that reads them as callers send them, by its notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, core_schema

from solver.inputs.errors import MOST_FAULTS, Fault
from solver.inputs.faults import refuse
from solver.inputs.findings import findings_of
from solver.inputs.nearest import models_of, nearest
from solver.notation.lines import SHORT
from solver.notation.notation import Data, Notation


@dataclass(frozen=True, eq=False)
class Given:
    """The annotation: keys may be left out that follow from others, and all that is wrong is told at once.

    `kind` is the type that is annotated, a union of models; a key that none of them has is told with the nearest
    one that there is, and the rest is read as if that had been meant.
    """

    notation: Notation
    kind: Any

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(self._read, handler(source))

    @cached_property
    def _keys(self) -> frozenset[str]:
        fields = {key for model in models_of(self.kind) for key in model.model_fields}
        return frozenset(fields | self.notation.values.keys())

    def _read(self, sent: Any, handler: Callable[[Any], Any]) -> Any:
        if not isinstance(sent, Mapping):
            return handler(sent)
        faults: list[Fault] = []
        known = self._with_known_keys(sent, faults)
        refuse(self.notation.oversized(known))
        data = self.notation.given(known, faults)
        try:
            found = handler(data)
        except ValidationError as error:
            meant = known.keys() - sent.keys()  # what nobody wrote is not told as unknown
            found = findings_of(error, data, self.kind)
            found = [one for one in found if not (one.code == "unknown_key" and one.path in meant)]
            told = {one.path for one in faults if one.code == "two_readings"}
            found = [one for one in found if one.path not in told]
            faults += [self._with_all_keys(one) if one.path in sent else one for one in found]
        refuse([*dict.fromkeys(faults)])
        return found

    def _by_letter(self, key: str) -> tuple[str, str] | None:
        """The key that a letter stands for in a line, and how that is said."""
        meant = next((one for one in SHORT.get(key.lower(), ()) if one in self._keys), None)
        return None if meant is None else (meant, f"{meant} is meant, which has this letter in a line alone")

    def _with_all_keys(self, found: Fault) -> Fault:
        """A fault; of a key that is like no other, with all keys that there are."""
        if found.code != "unknown_key" or found.path in self._keys:
            return found
        keys = [*self.notation.words, *self.notation.values]
        return Fault(found.code, f"{found.message}; there are {' '.join(keys)}", found.path)

    def _with_known_keys(self, sent: Mapping[Any, Any], faults: list[Fault]) -> Data:
        """The data with every misspelt key as the one that is meant, or without it if that is there too.

        Of unknown keys no more are kept than faults are told.
        """
        data: Data = {}
        unknown = 0
        for key, value in sent.items():
            meant = key if key in self._keys else None
            unknown += meant is None
            if meant is None and unknown > MOST_FAULTS:
                continue
            if meant is None and isinstance(key, str):
                near = self._by_letter(key) or nearest(key, self._keys)
                if near:
                    meant, said = near
                    faults.append(Fault("unknown_key", f"unknown key {key!r}; {said}", key))
                if meant in sent or meant in data:
                    continue
            data[key if meant is None else meant] = value
        return data
