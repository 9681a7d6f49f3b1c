"""Reading a position of a game whose positions of all kinds are one type: each key by itself, then all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    Discriminator,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from solver.codec import LISTS, Data, head_of
from solver.errors import Fault
from solver.language import say
from solver.positions import GamePosition
from solver.tricks.positions import Model
from solver.tricks.text import leader_fault, split_trick
from solver.validation import findings_of, refuse

MISSING: Any = None  # the value of a key that a position lacks
NONE_IF_EMPTY = AfterValidator(lambda cards: cards or None)  # of a list: an empty one equals none


@dataclass(frozen=True)
class Keys:
    """The keys of a game's positions.

    `kinds` lists those of each kind of positions, in the order of its JSON: with "!" behind a key that must be
    given, "?" behind one that must be unless it follows from others.

    ``kind_of(data)`` returns the kind, which the keys show; their values may be wrong in any way.
    ``complete(kind, values, faults)`` fills in the keys that follow from others, and removes those that only
    repeat what others say. `values` are those of the keys that were given, each valid by itself. It adds
    contradictions to `faults`, and returns the replays of the history that it makes.
    """

    kinds: Mapping[str, str]
    kind_of: Callable[[Data], str]
    complete: Callable[[str, Data, list[Fault]], Sequence[Any]]

    @cached_property
    def marks(self) -> Mapping[str, Mapping[str, str]]:
        """For each kind, its keys and the sign behind each, if any."""
        return {kind: {key.rstrip("!?"): key[-1] for key in keys.split()} for kind, keys in self.kinds.items()}

    @cached_property
    def all(self) -> frozenset[str]:
        return frozenset().union(*self.marks.values())


def amount(of_list: Callable[[Any], bool]) -> Discriminator:
    """Tell a value ("one") from a list of such values, one per seat ("several"), for which `of_list` is true."""
    return Discriminator(lambda value: "several" if isinstance(value, LISTS) and of_list(value) else "one")


def of_others(key: str) -> Fault:
    message = say("{key!r} is a key of other kinds of positions, not of this one", key=key)
    return Fault("unknown_key", message, key)


class AnyRound(GamePosition, Model):
    """Base of what somebody knows of a round, whatever it is: every key may be left out or null.

    The keys that are given show the kind of a position, and that says which keys it has.
    """

    keys: ClassVar[Keys]
    finished_trick: ClassVar[type[BaseModel]]
    every: ClassVar[Sequence[str]] = ("game", "rules")  # keys that every position of a round has

    if TYPE_CHECKING:

        def keep(self, replays: Sequence[Any]) -> None:
            """Keep one of the replays of the history that were made while it was read."""

    def fields(self, *keys: str) -> dict[str, Any]:
        """The values of these keys and of those of `every` position of a round, as far as they are given."""
        return {key: value for key in (*self.every, *keys) if (value := getattr(self, key)) is not None}

    def _check(self) -> None:
        """Raise faults unless the completed values agree."""
        raise NotImplementedError

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """As pydantic does, but every key that may be left out may also be null."""
        referred = super().__get_pydantic_json_schema__(schema, handler)
        properties = handler.resolve_ref_schema(referred)["properties"]
        for key in cls.keys.all & properties.keys() - {"game"}:
            choices = properties[key].get("anyOf")
            if choices is None:
                property_schema = {
                    name: value for name, value in properties[key].items() if (name, value) != ("default", None)
                }
                properties[key] = {"anyOf": [property_schema, {"type": "null"}]}
            elif {"type": "null"} not in choices:
                properties[key] = {**properties[key], "anyOf": [*choices, {"type": "null"}]}
        return referred

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, Mapping):
            return handler(data)
        own = cls.keys.all
        sent = {key: value for key, value in data.items() if value is not None or key not in own}
        faults: list[Fault] = []
        split_trick(sent, faults)
        kind = cls.keys.kind_of(sent)
        keys = cls.keys.marks[kind]
        others = [key for key in sent if key in own and key not in keys]
        faults += (of_others(key) for key in others)
        present = sent.keys() | ({"hand", "hands"} if sent.get("dealt") else set())
        faults += (cls._missing(key, keys) for key, mark in keys.items() if mark == "!" and key not in present)
        faults += leader_fault(sent.get("history"))
        try:
            position = handler({key: value for key, value in sent.items() if key not in others})
        except ValidationError as error:
            faults += findings_of(error, sent, cls)
        if faults:
            order = {key: index for index, key in enumerate(keys)}
            refuse(sorted(faults, key=lambda one: (one.code != "unknown_key", order.get(head_of(one.path), 0))))
        fields = cls.model_fields
        values = {fields[key].alias or key: value for key, value in vars(position).items() if value is not None}
        if values.get("history"):
            values["history"] = [
                {key: value for key in trick.model_fields_set if (value := getattr(trick, key)) is not None}
                if isinstance(trick, BaseModel)
                else trick
                for trick in values["history"]
            ]
        replays = cls.keys.complete(kind, values, faults)
        lacking = [key for key, mark in keys.items() if mark == "?" and key not in values]
        refuse([*faults, *(cls._missing(key, keys) for key in lacking)])
        position._put(keys, values)
        if replays:
            position.keep(replays)
        position._check()
        return position

    @classmethod
    def _missing(cls, key: str, keys: Collection[str]) -> Fault:
        kind = cls.model_fields[key].annotation
        message = say("{key} is missing", key=key)
        if key == "hand" and "seat" in keys:
            message = say("hand is missing, the cards of the seat")
        elif get_origin(kind) is Literal:
            message = say("{key} is missing; it is one of {words}", key=key, words=", ".join(get_args(kind)))
        return Fault("missing_key", message, key)

    def _put(self, keys: Iterable[str], values: Mapping[str, Any]) -> None:
        """Give the fields their completed values, in the order of `keys`.

        What has been filled in counts as given, so that it is written where only what was given is.
        """
        fields = vars(self)
        filled_in = {key for key, value in values.items() if key in fields and value != fields[key]}
        empty = {key for key in filled_in if isinstance(values[key], LISTS) and not any(values[key])}
        self.model_fields_set.update(filled_in - empty)
        fields |= dict.fromkeys(type(self).model_fields)
        for key in keys:
            if key in fields:
                del fields[key]
                fields[key] = values.get(key)
        if "history" in values:
            fields["history"] = tuple(self.finished_trick.model_construct(**entry) for entry in values["history"])
        for key in {"hand", "hands", "gone", "won"} & values.keys():
            if not isinstance(values[key], str):
                fields[key] = tuple(entry if isinstance(entry, str) else tuple(entry) for entry in values[key])
