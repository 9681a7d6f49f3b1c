"""What pydantic finds wrong with data, as errors of ours: the contract's codes and paths, and words for people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from solver.errors import MOST_FAULTS, AthanorError, Fault, PositionError, joined

# ----------------------------------------------------------------------------------------------------
# The key that is meant by a misspelt one, or by another word for it: the nearest of those that its model has.


_LONGEST = 40  # letters of a key that is compared with those that there are
_BEGINNING = 3  # letters, at least, of a key's beginning that means the key

# What players call the keys of positions besides; the first that there is of several is meant.
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "aside": ("declared", "removed"),
    "cards": ("hand",),
    "colour": ("declared",),
    "color": ("declared",),
    "dealer": ("leader",),
    "drawn": ("hand",),
    "first": ("leader",),
    "lead": ("leader",),
    "me": ("seat",),
    "mine": ("hand",),
    "my_cards": ("hand",),
    "opponent": ("opponent_hand",),
    "piles": ("won",),
    "played": ("history", "moves"),
    "player": ("seat",),
    "row": ("line",),
    "scores": ("totals", "points"),
    "starter": ("leader",),
    "table": ("trick", "line"),
    "tricks": ("history",),
}


def nearest(key: str, keys: Collection[str]) -> tuple[str, str] | None:
    """The key that is meant by one that there is not, in letters of either case, and how that is said.

    It is another word for it, or differs by one letter, by two where it has six or more, or is the beginning of
    one key alone. Keys of one or two letters are like no other.
    """
    short = key[:_LONGEST].lower()
    for meant in _SYNONYMS.get(short, ()):
        if meant in keys:
            return meant, f"here it is called {meant}"
    if len(short) < _BEGINNING:
        return None
    found = [(_distance(short, other), other) for other in keys if abs(len(other) - len(short)) <= _most(short)]
    near = min(found, default=(len(short), ""))
    if near[0] <= _most(short):
        return near[1], f"{near[1]} is the nearest"
    whole = [other for other in keys if other.startswith(short)]
    return (whole[0], f"{whole[0]} is the nearest") if len(whole) == 1 else None


def _most(key: str) -> int:
    """How many letters may differ."""
    return 1 if len(key) < 2 * _BEGINNING else 2


def _distance(one: str, other: str) -> int:
    """How many letters must be put in, left out, changed, or exchanged with the next."""
    rows: list[list[int]] = [[*range(len(other) + 1)]]
    for i, letter in enumerate(one, start=1):
        row = [i]
        for j, meant in enumerate(other, start=1):
            best = min(row[j - 1] + 1, rows[-1][j] + 1, rows[-1][j - 1] + (letter != meant))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == meant:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]


def models_of(kind: Any) -> Iterator[type[BaseModel]]:
    """The models of a type: itself, or those of a union, of a list, and of what annotations are about."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    else:
        for part in get_args(kind):
            yield from models_of(part)


def keys_at(kind: Any, location: Sequence[int | str]) -> set[str]:
    """The keys of the models at a place in a type, by pydantic's location; steps that are no keys are tags."""
    models = list(models_of(kind))
    for step in location:
        inner = [model.model_fields[step].annotation for model in models if step in model.model_fields]
        if inner:
            models = [found for annotation in inner for found in models_of(annotation)]
    return {key for model in models for key in model.model_fields}


T = TypeVar("T")


# What was expected, by pydantic's names for findings; the names in braces are those of a finding's context.
_TEXT = "text is expected"
_WHOLE = "a whole number is expected"
_NUMBER = "a number is expected"
_TRUTH = "true or false is expected"
_LIST = "a list is expected"
_OBJECT = "an object is expected"
_EXPECTED = {
    "string_type": _TEXT,
    "string_unicode": "text of whole characters is expected",
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": "a smaller number is expected",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "a finite number is expected",
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "invalid_key": "a key is text",
    "literal_error": "{expected} is expected",
    "greater_than": "more than {gt} is expected",
    "greater_than_equal": "{ge} or more is expected",
    "less_than": "less than {lt} is expected",
    "less_than_equal": "{le} or less is expected",
}
_SIZES = {  # the side of the bound, its name, and what is counted
    "too_short": ("at least", "min_length", ("entry", "entries")),
    "too_long": ("at most", "max_length", ("entry", "entries")),
    "string_too_short": ("at least", "min_length", ("character", "characters")),
    "string_too_long": ("at most", "max_length", ("character", "characters")),
}
_CODES = {
    "extra_forbidden": "unknown_key",
    "missing": "missing_key",
    "union_tag_not_found": "missing_key",
    "union_tag_invalid": "unknown_value",
    "literal_error": "unknown_value",
    "greater_than": "out_of_range",
    "greater_than_equal": "out_of_range",
    "less_than": "out_of_range",
    "less_than_equal": "out_of_range",
    "finite_number": "out_of_range",
    **dict.fromkeys(_SIZES, "wrong_size"),
}


def path_of(location: tuple[int | str, ...], value: object, *, missing: bool = False) -> str:
    """Pydantic's location as a path into `value`, the tags of unions left out: ``hands[2][4]``.

    With `missing` the last step is a key that `value` lacks; elsewhere such a step is a tag.
    """
    path = ""
    for index, step in enumerate(location):
        lacking = missing and index == len(location) - 1
        if isinstance(step, int):
            path += f"[{step}]"
            value = value[step] if isinstance(value, list | tuple) and step < len(value) else None
        elif isinstance(value, Mapping) and (step in value or lacking):
            path += f".{step}" if path else step
            value = value.get(step)
    return path


def _shown(value: object) -> str:
    """A value as a message repeats it: what is long or has parts is only named."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _message(found: ErrorDetails) -> str:
    """What is wrong, in our words."""
    kind, value, context = found["type"], found["input"], found.get("ctx", {})
    if kind in _SIZES:
        side, name, words = _SIZES[kind]
        bound = context[name]
        counted = f"{words[0]} is" if bound == 1 else f"{words[1]} are"
        return f"{side} {bound} {counted} expected, not {len(value)}"
    if kind in _EXPECTED:
        bounds = {name: f"{bound:g}" if isinstance(bound, float) else bound for name, bound in context.items()}
        return f"{_EXPECTED[kind].format_map(bounds)}, not {_shown(value)}"
    return found["msg"]


def findings_of(found: ValidationError, value: object, kind: Any = None) -> list[Fault]:
    """What a pydantic validation of `value` found, in our words; unknown keys first, since the rest may follow.

    Where `kind`, the type that it was to be, is known, an unknown key is told with the nearest one that there is.
    """
    details = found.errors(include_url=False)
    details.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    return [fault for detail in details[:MOST_FAULTS] for fault in _faults(detail, value, kind)]


def _faults(found: ErrorDetails, value: object, kind: Any) -> Iterator[Fault]:
    context = found.get("ctx", {})
    code = found["type"]
    path = path_of(tuple(found["loc"]), value, missing=code == "missing")
    if "path" in context:  # ours, by `fault` or `refuse`
        yield Fault(code, _message(found), joined(path, str(context["path"])))
        yield from (other.under(path) for other in context.get("others", ()))
        return
    message = _message(found)
    if code in ("union_tag_invalid", "union_tag_not_found"):
        key = str(context["discriminator"]).strip("'")
        path = joined(path, key)
        expected = context.get("expected_tags")
        message = f"unknown {key} {context['tag']!r}; expected {expected}" if expected else f"{key} is missing"
    elif code == "extra_forbidden":
        *place, unknown = found["loc"]
        keys = keys_at(kind, place)
        near = nearest(str(unknown), keys)
        message = f"unknown key {unknown!r}" + (f"; {near[1]}" if near else "")
        if unknown in keys:
            message = f"{unknown!r} is a key of other positions, and has no place in this one"
    elif code == "missing":
        message = f"{found['loc'][-1]} is missing"
    yield Fault(_CODES.get(code, "wrong_type"), message, path)


def validated(read: Callable[[object], T], data: object, kind: type[AthanorError] = PositionError) -> T:
    """What a pydantic type reads in JSON-like data. Raises an error of `kind` with the offending paths."""
    try:
        return read(data)
    except ValidationError as found:
        model = getattr(read, "__self__", None)  # of a model's own method
        raise kind.of(findings_of(found, data, model)) from None


# ----------------------------------------------------------------------------------------------------
# How a pydantic validator of ours says what is wrong: with the contract's code and path, and all at once.


def fault(code: str, message: str, path: str = "") -> PydanticCustomError:
    """An error to raise inside a validator; `path` is seen from the value being validated."""
    return PydanticCustomError(code, "{message}", {"message": message, "path": path})


def refusal(faults: Iterable[Fault]) -> PydanticCustomError:
    """One error to raise inside a validator that tells of all these faults, at least one."""
    first, *others = islice(dict.fromkeys(faults), MOST_FAULTS)
    context = {"message": first.message, "path": first.path, "others": others}
    return PydanticCustomError(first.code, "{message}", context)


def refuse(faults: Iterable[Fault]) -> None:
    """Raise one error that tells of all these faults, if there are any."""
    found = list(faults)
    if found:
        raise refusal(found)


def faults_in(error: PydanticCustomError) -> Iterator[Fault]:
    """The faults that an error of `fault` or `refuse` tells of."""
    context = error.context or {}
    yield Fault(error.type, context["message"], context["path"])
    yield from context.get("others", ())


def all_of(*checks: Callable[[], object], then: Iterable[Callable[[], object]] = ()) -> None:
    """Make every check, each of which may raise a fault, and raise what all of them found.

    The checks of `then` count on every card being there and in one place; they are not made where one is not.
    """
    found: list[Fault] = []

    def make(several: Iterable[Callable[[], object]]) -> None:
        for check in several:
            try:
                check()
            except PydanticCustomError as error:
                found.extend(faults_in(error))

    make(checks)
    if not any(fault.code in ("illegal_card", "duplicate_card") for fault in found):
        make(then)
    refuse(found)
