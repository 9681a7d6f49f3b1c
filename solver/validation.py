"""Converts pydantic's errors to Athanor's, with the API's codes and paths and with messages for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError, PydanticKnownError

from solver.common import HUGE, outside, range_of
from solver.errors import MOST_FAULTS, AthanorError, Fault, PositionError, joined
from solver.language import say, say_many
from solver.texts import plain

# ----------------------------------------------------------------------------------------------------
# Suggestions for unknown keys: the most similar key of the model.


_LONGEST = 40  # letters; longer keys are not compared
_BEGINNING = 3  # letters: a shorter beginning of a key does not stand for the key

# Players' words for the keys of positions, each with the keys that it may mean: the first that exists counts.
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
# Keys as Japanese players call them, which also stand for the keys in a line of text.
_IN_JAPANESE = {
    ("players",): "人数 プレイヤー数",
    ("seat",): "席 座席 自分の席",
    ("hand", "hands"): "手札 持ち札 自分の手札",
    ("hands",): "全員の手札 各席の手札",
    ("drawn", "hand"): "引いたカード 引いた札",
    ("declared",): "宣言 伏せ札 伏せたカード",
    ("leader", "turn"): "親 リード リーダー リードする席",
    ("turn", "leader"): "手番",
    ("trick", "table"): "トリック",
    ("field", "trick", "line"): "場",
    ("line", "trick", "table"): "場札",
    ("history", "moves"): "履歴 棋譜 これまでの手",
    ("stock",): "山札",
    ("stock_count",): "山札の枚数",
    ("discard", "discarded"): "捨て札",
    ("won",): "獲得札 獲得したカード 取った札",
    ("removed",): "除外 除外札 除外されたカード",
    ("pick",): "選んだカード 選んだ札",
    ("opponent_hand",): "相手 相手の手札 相手のカード",
    ("direction",): "順序 方向",
    ("counts",): "枚数",
    ("dealt",): "配札 配られたカード",
    ("deck",): "デッキ",
    ("rules",): "ルール",
    ("points",): "得点 点数",
    ("totals",): "合計",
}
KEYS_IN_JAPANESE = {plain(word): keys for keys, words in _IN_JAPANESE.items() for word in words.split()}


def nearest(key: str, keys: Collection[str]) -> tuple[str, str] | None:
    """Return the known key that an unknown key probably means, and a suggestion for the message; None if unclear.

    The unknown key must be a synonym of the known one, or differ from it by one letter (two in unknown keys of six
    or more), or else be the beginning of that key and of no other. Case is ignored. Keys of one or two letters
    only match as synonyms.
    """
    short = plain(key[:_LONGEST]).strip().lower()
    for meant in _SYNONYMS.get(short, ()) or KEYS_IN_JAPANESE.get(short, ()):
        if meant in keys:
            return meant, say("here it is called {key}", key=meant)
    if len(short) < _BEGINNING:
        return None
    alike = [other for other in keys if abs(len(other) - len(short)) <= _most(short)]
    near = min(((_distance(short, other.lower()), other) for other in alike), default=(len(short), ""))
    whole = [near[1]] if near[0] <= _most(short) else [other for other in keys if other.lower().startswith(short)]
    return (whole[0], say("did you mean {key}?", key=whole[0])) if len(whole) == 1 else None


def with_names(sentence: str, name: str, names: Collection[str]) -> str:
    """Append the most similar name and a list of all to `sentence`, which must say that `name` is unknown."""
    near = nearest(name, names)
    there = ", ".join(names)
    if near and len(names) > 1:
        return say(
            "{sentence}; did you mean {near}? Possible: {names}", sentence=sentence, near=near[0], names=there
        )
    return say("{sentence}; possible: {names}", sentence=sentence, names=there) if there else sentence


def _most(key: str) -> int:
    """Return how many letters of an unknown key may differ from the known key that it is taken for."""
    return 1 if len(key) < 2 * _BEGINNING else 2


def _distance(one: str, other: str) -> int:
    """Return the edit distance, counting insertions, deletions, substitutions and swaps of adjacent letters."""
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
    """Yield the pydantic models in a type: itself, or those inside unions, lists and annotations."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    else:
        for part in get_args(kind):
            yield from models_of(part)


def fields_at(kind: Any, location: Sequence[int | str]) -> tuple[list[type[BaseModel]], list[FieldInfo]]:
    """Follow one of pydantic's error locations into a type.

    Returns the models at that location, and the fields that its last key names: several if models of a union share
    the key. Steps that are not keys (the tags of unions and the indices of lists) are skipped.
    """
    models = list(models_of(kind))
    last: list[FieldInfo] = []
    for step in location:
        inner = [model.model_fields[step] for model in models if step in model.model_fields]
        if inner:
            last = inner
            models = [nested for field in inner for nested in models_of(field.annotation)]
    return models, last


def keys_at(kind: Any, location: Sequence[int | str]) -> set[str]:
    """Return the keys of the models at a location in the type `kind`."""
    models, _ = fields_at(kind, location)
    return {key for model in models for key in model.model_fields}


def words_at(kind: Any, location: Sequence[int | str], key: str) -> list[str]:
    """Return the words that the field `key` allows at a location in the type `kind`."""
    models, _ = fields_at(kind, location)
    fields = [model.model_fields[key] for model in models if key in model.model_fields]
    return list(dict.fromkeys(str(word) for field in fields for word in get_args(field.annotation)))


T = TypeVar("T")


# What was expected, by pydantic's error types: templates of `say`.
_TEXT = "text is expected, not {value}"
_WHOLE = "a whole number is expected, not {value}"
_NUMBER = "a number is expected, not {value}"
_TRUTH = "true or false is expected, not {value}"
_LIST = "a list is expected, not {value}"
_OBJECT = "an object is expected, not {value}"
_EXPECTED = {
    "string_type": _TEXT,
    "string_unicode": "text of whole characters is expected, not {value}",
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": "a smaller number is expected, not {value}",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "a finite number is expected, not {value}",
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "sequence_str": _LIST,
    "iterable_type": _LIST,
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "callable_type": "a function is expected, not {value}",
    "is_instance_of": "an object of another type is expected, not {value}",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "invalid_key": "a key is text, not {value}",
}
_SIZES = {  # a bound's name, and the messages for a bound of 1 and for other bounds
    "too_short": (
        "min_length",
        "at least {count} entry is expected, not {size}",
        "at least {count} entries are expected, not {size}",
    ),
    "too_long": (
        "max_length",
        "at most {count} entry is expected, not {size}",
        "at most {count} entries are expected, not {size}",
    ),
    "string_too_short": (
        "min_length",
        "at least {count} character is expected, not {size}",
        "at least {count} characters are expected, not {size}",
    ),
    "string_too_long": (
        "max_length",
        "at most {count} character is expected, not {size}",
        "at most {count} characters are expected, not {size}",
    ),
}
_BOUNDS = {"greater_than": "gt", "greater_than_equal": "ge", "less_than": "lt", "less_than_equal": "le"}
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
    """Convert one of pydantic's error locations to a path into `value`, such as ``hands[2][4]``.

    The path leaves out tags of unions, that is, steps that are not keys of the data. With `missing`, the last step
    is a missing key rather than a tag.
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
    """Format a value for a message: long text is cut, and lists and objects are only named."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _message(error: ErrorDetails, kind: Any) -> str:
    """Return a message for people about one of pydantic's errors; `kind` is the type of the whole value."""
    name, value, context = error["type"], error["input"], error.get("ctx", {})
    if name in _SIZES:
        bound, singular, many = _SIZES[name]
        return say_many(singular, many, context[bound], size=len(value))
    if name in _BOUNDS:
        bounds = {_BOUNDS[name]: context[_BOUNDS[name]]}
        if max(bounds.values()) <= HUGE:  # beside a huge bound the other one says nothing
            bounds = bounds_at(kind, error["loc"]) or bounds
        return say("{range} is expected, not {value}", range=range_of(**bounds), value=_shown(value))
    if name == "literal_error":
        names = re.findall(r"'([^']*)'", context["expected"]) or [context["expected"]]
        near = nearest(value, names) if isinstance(value, str) else None
        message = say("one of {names} is expected, not {value}", value=_shown(value), names=", ".join(names))
        if len(names) == 1:
            message = say("{name} is expected, not {value}", name=names[0], value=_shown(value))
        return say("{sentence}; {more}", sentence=message, more=near[1]) if near else message
    return _wanted(_EXPECTED[name], value) if name in _EXPECTED else error["msg"]


_NUMBERED = re.compile(r"(?:seat|player|席|プレイヤー)?\s*(\d{1,15})番?", re.IGNORECASE)


def _wanted(template: str, value: object) -> str:
    """Say what was expected; of a text that means it, what to write: 1 for ``"1"`` or ``seat 1``."""
    message = say(template, value=_shown(value))
    meant = None
    if isinstance(value, str) and len(value) <= _LONGEST:
        word = plain(value).strip()
        if template in (_WHOLE, _NUMBER) and (numbered := _NUMBERED.fullmatch(word)):
            meant = str(int(numbered[1]))
        elif template == _TRUTH and word.lower() in ("true", "false"):
            meant = word.lower()
    return (
        say("{message}: write {meant}, without quotation marks", message=message, meant=meant)
        if meant
        else message
    )


def whole_fault(value: object, key: str, least: int = 0, most: int | None = None) -> Fault | None:
    """Return a fault unless the value is a whole number from `least` to `most`."""
    if not isinstance(value, int) or isinstance(value, bool):
        return Fault("wrong_type", _wanted(_WHOLE, value), key)
    if value < least or (most is not None and value > most):
        return Fault("out_of_range", outside(value, least, most), key)
    return None


def players_fault(name: str, players: object, fewest: int, most: int) -> Fault | None:
    """Return a fault unless `players` can play the game or the variant called `name`."""
    wrong = whole_fault(players, "players", fewest, most)
    if wrong is None or wrong.code != "out_of_range":
        return wrong
    message = say_many(
        "{name} is for {count} player, not for {players}",
        "{name} is for {count} players, not for {players}",
        most,
        name=name,
        players=players,
    )
    if fewest < most:
        template = "{name} is for {fewest} to {most} players, not for {players}"
        message = say(template, name=name, fewest=fewest, most=most, players=players)
    return wrong._replace(message=message)


def bounds_at(kind: Any, location: Sequence[int | str]) -> dict[str, Any]:
    """Return the bounds (`ge`, `gt`, `le`, `lt`) of the number at a location in a type; empty if it has none."""
    _, fields = fields_at(kind, location)
    return next((bounds for field in fields if (bounds := _bounds_in((field.annotation, field.metadata)))), {})


def _bounds_in(annotated: Any) -> dict[str, Any]:
    """Return the bounds of the first bounded number in a type; empty if there is none.

    `annotated` is the type and its metadata, in which pydantic keeps bounds.
    """
    annotation, metadata = annotated
    bounds: dict[str, Any] = {}
    for note in metadata:
        for part in (note, *getattr(note, "metadata", ())):
            bounds |= {
                name: getattr(part, name) for name in _BOUNDS.values() if getattr(part, name, None) is not None
            }
    inner = getattr(annotation, "__metadata__", ())
    parts = get_args(annotation)
    if inner:
        parts = parts[:1]
    return bounds or next((more for part in parts if (more := _bounds_in((part, inner)))), {})


def findings_of(refusal: ValidationError, value: object, kind: Any = None) -> list[Fault]:
    """Convert pydantic's errors about `value` to faults; unknown keys come first, since they may cause others.

    If the expected type is given as `kind`, an unknown key is reported with the most similar known one. Raises
    RuntimeError if a check failed instead of finding a fault: the code of the game or of Athanor is wrong then.
    """
    details = _causes(refusal.errors(include_url=False))
    for detail in details:
        if detail["type"] in ("value_error", "assertion_error"):  # `fault` makes errors of other types
            error = detail["ctx"]["error"]
            name = value.get("game") if isinstance(value, Mapping) else None
            raise RuntimeError(
                f"a check of {name or 'input'} failed: {type(error).__name__}: {error}; "
                "to refuse the input, it must raise `solver.validation.fault`"
            ) from error
    details.sort(key=lambda detail: detail["type"] != "extra_forbidden")
    return [fault for detail in details[:MOST_FAULTS] for fault in _faults(detail, value, kind)]


def _causes(details: list[ErrorDetails]) -> list[ErrorDetails]:
    """Return all errors except "too short" for lists that have enough entries, of which some were rejected."""
    return [
        detail
        for detail in details
        if detail["type"] != "too_short"
        or not isinstance(detail["input"], list | tuple)
        or len(detail["input"]) < detail["ctx"]["min_length"]
    ]


def _faults(error: ErrorDetails, value: object, kind: Any) -> Iterator[Fault]:
    context = error.get("ctx", {})
    code = error["type"]
    path = path_of(tuple(error["loc"]), value, missing=code == "missing")
    if "path" in context:  # ours, by `fault` or `refuse`
        yield Fault(code, error["msg"], str(context["path"]), context.get("words", "")).under(path)
        yield from (other.under(path) for other in context.get("others", ()))
        return
    message = _message(error, kind)
    name = _CODES.get(code, "wrong_type")
    if code in ("union_tag_invalid", "union_tag_not_found"):
        key = str(context["discriminator"]).strip("'")
        path = joined(path, key)
        if code == "union_tag_invalid" and not isinstance(error["input"][key], str):
            yield Fault("wrong_type", _wanted(_TEXT, error["input"][key]), path)
            return
        if code == "union_tag_invalid" and key == "game":
            name = "unknown_game"
        tag, names = str(context.get("tag")), re.findall(r"'([^']*)'", context.get("expected_tags", ""))
        missing = say("{key} is missing", key=key)
        if words := words_at(kind, error["loc"], key):
            missing = say("{key} is missing; it is one of {words}", key=key, words=", ".join(words))
        message = (
            with_names(say("there is no {key} called {name!r}", key=key, name=tag), tag, names)
            if names
            else missing
        )
    elif code == "extra_forbidden":
        *location, unknown = error["loc"]
        keys = keys_at(kind, location)
        near = nearest(str(unknown), keys)
        message = unknown_key(unknown, near[1] if near else "")
        if unknown in keys:
            message = say("{key!r} is a key of other kinds of positions, not of this one", key=unknown)
    elif code == "missing":
        message = say("{key} is missing", key=error["loc"][-1])
    yield Fault(name, message, path)


def unknown_key(key: object, more: str) -> str:
    """Return the message about an unknown key; `more` suggests a key or lists all of them, and may be empty."""
    message = say("unknown key {key!r}", key=key)
    return say("{sentence}; {more}", sentence=message, more=more) if more else message


def validated(read: Callable[[object], T], data: object, kind: type[AthanorError] = PositionError) -> T:
    """Call `read`, a pydantic validator, on JSON-like data.

    If the data are invalid, raises an error of type `kind` with the API's codes and paths.
    """
    try:
        return read(data)
    except ValidationError as error:
        model = getattr(read, "__self__", None)  # set if `read` is a method of a model
        raise kind.of(findings_of(error, data, model)) from None


# ----------------------------------------------------------------------------------------------------
# How our pydantic validators report faults: with the API's code and path, and all together.


def at_most(count: int) -> BeforeValidator:
    """Return a validator that refuses a list of more than `count` entries before they are read.

    With `max_length` alone, pydantic counts only entries that are right, and collects the faults of all others.
    """

    def check(value: object) -> object:
        if isinstance(value, list | tuple) and len(value) > count:
            sizes = {"field_type": "Tuple", "max_length": count, "actual_length": len(value)}
            raise PydanticKnownError("too_long", sizes)
        return value

    return BeforeValidator(check)


def fault(code: str, message: str, path: str = "") -> PydanticCustomError:
    """Make an error to raise inside a pydantic validator; `path` is relative to the value being validated."""
    return refusal([Fault(code, message, path)])


def refusal(faults: Iterable[Fault]) -> PydanticCustomError:
    """Combine one or more faults into an error that a pydantic validator can raise.

    Half a character in a message (a surrogate without its other half) is escaped, since pydantic can't print it.
    """
    first, *others = (
        fault._replace(message=fault.message.encode(errors="backslashreplace").decode())
        for fault in islice(dict.fromkeys(faults), MOST_FAULTS)
    )
    context = {"message": first.message, "path": first.path, "words": first.words, "others": others}
    return PydanticCustomError(first.code, "{message}", context)


def refuse(faults: Iterable[Fault]) -> None:
    """Raise all faults as one error, if there are any; for pydantic validators."""
    listed = list(faults)
    if listed:
        raise refusal(listed)


def faults_in(error: PydanticCustomError) -> Iterator[Fault]:
    """Yield the faults in an error made by `fault` or `refusal`."""
    context = error.context or {}
    yield Fault(error.type, context["message"], context["path"], context.get("words", ""))
    yield from context.get("others", ())


def all_of(*checks: Callable[[], object], then: Iterable[Callable[[], object]] = ()) -> None:
    """Run every check, each of which may raise a fault, and raise all faults together.

    The checks in `then` run only if no card is illegal or duplicate: they assume that every card is in exactly one
    place.
    """
    faults: list[Fault] = []

    def make(several: Iterable[Callable[[], object]]) -> None:
        for check in several:
            try:
                check()
            except PydanticCustomError as error:
                faults.extend(faults_in(error))

    make(checks)
    if not any(fault.code in ("illegal_card", "duplicate_card") for fault in faults):
        make(then)
    refuse(faults)
