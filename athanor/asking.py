"""What callers may ask: typed functions, whose signatures alone declare their keywords.

An annotation holds a keyword's type, its bounds and its help: ``Annotated[int, Bounds(ge=0), Help("…")]``.
`checked` checks the arguments of a Python call by it. For a `question`, the body of its HTTP call, its unit in a
job, the options of its command and their descriptions follow from it as well.
"""

from __future__ import annotations

import builtins
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property, wraps
from importlib import import_module
from itertools import starmap
from types import GenericAlias, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ParamSpec,
    TypedDict,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from solver.common import EXACT, SEEDS
from solver.errors import AthanorError, RequestError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.limits import Control, Limit, ProgressCallback

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


# ----------------------------------------------------------------------------------------------------
# What an annotation says besides the type, and the types of keywords that many functions take.


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a number, or of a list's length.

    Pydantic reads them as a group of the classes of `annotated_types`, which take long to import.
    """

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    max_length: int | None = None
    __is_annotated_types_grouped_metadata__ = True

    def __iter__(self) -> Iterator[Any]:
        from pydantic import Field

        stated = {name: value for name, value in asdict(self).items() if value is not None}
        yield from Field(**stated).metadata


@dataclass(frozen=True, slots=True)
class Help:
    """What a keyword does, in a sentence, and what stands for its value in the help of a command."""

    text: str
    metavar: str | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """The type that reads a keyword's value from JSON, as ``module:name``, since importing it takes long."""

    path: str


class OnlyHere:
    """Says of a keyword that it is for callers on this machine: it is neither in HTTP bodies nor in jobs."""


@dataclass(frozen=True, slots=True)
class Read:
    """A position or record that has been read from the body of a call or the unit of a job."""

    position: Any


if TYPE_CHECKING:
    # Text is a line, such as ``kirin seat=2 hand=…``, or JSON.
    PositionLike = BaseModel | Mapping[str, Any] | str | bytes
    RecordLike = BaseModel | Mapping[str, Any] | str | bytes
else:
    PositionLike = Annotated[Any, Sent("solver.positions:SentPosition")]
    RecordLike = Annotated[Any, Sent("solver.positions:SentRecord")]

Whole = Annotated[int, Bounds(ge=0, lt=EXACT)]
Count = Annotated[int, Bounds(ge=1, lt=EXACT)]
Seed = Annotated[int, Bounds(ge=0, lt=SEEDS)]


_SECONDS = Help("Give the best so far after S seconds.")


class Limits(TypedDict, total=False):
    """The limits of a search, which ends at the first one reached."""

    seconds: Annotated[float | None, Bounds(gt=0), _SECONDS]
    nodes: Annotated[int | None, Bounds(gt=0, lt=EXACT), Help("Give the best so far after N nodes.")]


class Search(Limits, total=False):
    """The keywords of all questions that search.

    `limit` has both limits. `progress` is called from time to time with a `Progress`, and another thread may set
    `cancel` to end the search. The service and jobs give a `control` in place of all these.
    """

    limit: Limit | None
    progress: ProgressCallback | None
    cancel: threading.Event | None
    control: Control


# ----------------------------------------------------------------------------------------------------
# Checking the arguments of a call, as strictly as JSON is read.


_END = object()
# Types that annotations name but their modules import only for type checkers. Others are read by the function.
_LATER = {
    "Control": "solver.limits",
    "Limit": "solver.limits",
    "ProgressCallback": "solver.limits",
    "Puzzle": "puzzles.format",
    "PuzzleFile": "puzzles.format",
    "SentPuzzle": "puzzles.training",
    "Saved": "athanor.sessions",
}


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with a check of its arguments, which raises RequestError, and names the wrong ones."""
    signature = _signature(function)
    parameters = signature.parameters
    places = [name for name, parameter in parameters.items() if parameter.kind is parameter.POSITIONAL_OR_KEYWORD]
    required = {name for name in places if parameters[name].default is inspect.Parameter.empty}
    has_others = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())

    ask: Callable[..., R] = function

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        from solver.validation import validated

        values: dict[str, Any] = dict(zip(places, given, strict=False)) | named
        fits = len(values) == len(given) + len(named) and required <= values.keys()
        if not fits or not (has_others or values.keys() <= parameters.keys()):
            signature.bind(*given, **named)  # raises TypeError; it takes long
        kind = _arguments(function)
        known = {name: value for name, value in values.items() if name in kind.model_fields}
        for name, value in vars(validated(kind.model_validate, known, RequestError)).items():
            if type(value).__name__ == "ValidatorIterator":
                values[name] = _entries(name, value)
        return ask(**values)

    vars(call)["__signature__"] = signature
    return call


def _entries(name: str, entries: Iterator[T]) -> Iterator[T]:
    """Yield the entries of an iterable argument, each of which is checked only when it is read."""
    from solver.validation import validated

    def following(end: object) -> Any:
        return next(entries, end)

    while True:
        try:
            entry = validated(following, _END, RequestError)
        except RequestError as error:
            raise error.under(name) from None
        if entry is _END:
            return
        yield entry


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """Return a function's signature, with the keywords of `Search` in place of ``**search``."""
    signature = inspect.signature(function)
    parameters: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.annotation == "Unpack[Search]":
            parameters += [
                parameter.replace(
                    name=name, kind=inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind.__forward_arg__
                )
                for name, kind in inspect.get_annotations(Search).items()
            ]
        else:
            parameters.append(parameter)
    return signature.replace(parameters=parameters)


@cache
def _arguments(function: Callable[..., Any]) -> type[BaseModel]:
    """Return the model that checks the arguments of a function."""
    from pydantic import ConfigDict, create_model

    config = ConfigDict(strict=True, allow_inf_nan=False, arbitrary_types_allowed=True)
    types = _types_in(function)
    if types.pop("search", None) is not None:
        types |= _types_in(Search)
    names = _signature(function).parameters
    fields: dict[str, Any] = {name: (kind, None) for name, kind in types.items() if name in names}
    return create_model(function.__name__, __config__=config, **fields)


def _types_in(annotated: Any, *, quickly: bool = False) -> dict[str, Any]:
    """Return the types in the annotations of a function or class; `quickly`, `Any` for those in `_LATER`."""
    names = _Names(vars(import_module(annotated.__module__)))
    if quickly:
        names |= dict.fromkeys(_LATER, Any)
    return get_type_hints(annotated, localns=names, include_extras=True)


class _Names(dict[str, Any]):
    """What the names in annotations mean; `Any` for a type that the function reads by itself."""

    def __missing__(self, name: str) -> Any:
        if name in _LATER:
            return getattr(import_module(_LATER[name]), name)
        return getattr(builtins, name, Any)


# ----------------------------------------------------------------------------------------------------
# Questions, and their keywords.


@dataclass(frozen=True)
class Keyword:
    """A keyword of a question: its name, its default, and what its annotation says."""

    name: str
    annotation: Any
    default: Any = None

    @cached_property
    def _parts(self) -> tuple[Any, tuple[Any, ...]]:
        """The type itself, without None, and what the annotation says besides."""
        kind, notes = self.annotation, []
        while True:
            if get_origin(kind) is Annotated:
                kind, *more = get_args(kind)
                notes += more
            elif get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind):
                kind = Union[tuple(part for part in get_args(kind) if part is not NoneType)]  # noqa: UP007
            else:
                return kind, tuple(notes)

    @property
    def kind(self) -> Any:
        return self._parts[0]

    def note(self, kind: type[T]) -> T | None:
        """Return what the annotation says of this kind, such as `Help` or `Bounds`; None if it says nothing."""
        return next((note for note in self._parts[1] if isinstance(note, kind)), None)

    @property
    def help(self) -> str:
        note = self.note(Help)
        return note.text if note else ""

    @property
    def metavar(self) -> str | None:
        """What stands for its value in the help of a command; None for click's own word."""
        note = self.note(Help)
        return (note and note.metavar) or {int: "N", float: "S"}.get(self.kind)

    @property
    def bounds(self) -> tuple[Any, Any, bool]:
        """The least and the greatest value, and whether the least one is excluded."""
        bounds = self.note(Bounds) or Bounds()
        least, most = bounds.gt if bounds.ge is None else bounds.ge, bounds.le
        if self.kind is not int:
            return least, most, bounds.gt is not None
        return (
            least if bounds.gt is None else bounds.gt + 1,
            most if bounds.lt is None else bounds.lt - 1,
            False,
        )

    @property
    def field(self) -> tuple[Any, Any]:
        """The keyword as a field of a pydantic model that reads JSON."""
        from pydantic import Field

        kind, about = self.annotation, dict[str, Any](description=self.help or None)
        if sent := self.note(Sent):
            module, _, name = sent.path.partition(":")
            kind = getattr(import_module(module), name)
            kind = kind if self.default is inspect.Parameter.empty else kind | None
        elif self.kind in (bool, float, int, str):
            about["strict"] = True
        elif get_origin(self.kind) is Sequence:
            kind = Annotated[(GenericAlias(tuple, (*get_args(self.kind), ...)), *self._parts[1])]
            about["fail_fast"] = True
        return Annotated[kind, Field(**about)], ... if self.default is inspect.Parameter.empty else self.default


@dataclass(eq=False)
class Question:
    """A question that can be asked in Python, over HTTP, in jobs and on the command line.

    `seconds` is the range of its time limit for clients and commands, if it is narrower than usual, and `limits`
    are the keywords that limit it as well. If `here`, it has no call over HTTP, or one that is not only a body.
    """

    ask: Callable[..., Any]
    seconds: tuple[float, float] | None = None
    limits: tuple[str, ...] = ()
    here: bool = False

    def __post_init__(self) -> None:
        self.name = self.ask.__name__
        self.searches = "search" in inspect.signature(self.ask).parameters

    @property
    def summary(self) -> str:
        return (inspect.getdoc(self.ask) or "").partition("\n")[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return _called, (self.name,)

    @cached_property
    def keywords(self) -> Mapping[str, Keyword]:
        """All keywords but those of `Search`; first its subject, such as a position."""
        types = _types_in(self.ask, quickly=True)
        return {
            name: Keyword(name, types[name], parameter.default)
            for name, parameter in inspect.signature(self.ask).parameters.items()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        }

    @property
    def subject(self) -> str:
        return next(iter(self.keywords))

    @property
    def batched(self) -> bool:
        """Whether it searches for an answer about a position, so that a batch may ask it."""
        return self.searches and self.keywords[self.subject].annotation == PositionLike

    @property
    def sent(self) -> Mapping[str, Keyword]:
        """The keywords that clients and jobs may send."""
        return {name: keyword for name, keyword in self.keywords.items() if not keyword.note(OnlyHere)}

    @property
    def options(self) -> Mapping[str, Keyword]:
        """The keywords with a help, and the limits of its search."""
        keywords = [keyword for keyword in self.keywords.values() if keyword.help]
        limits = _types_in(Limits) if self.searches else {}
        if self.seconds is not None:
            limits["seconds"] = Annotated[float | None, Bounds(ge=self.seconds[0], le=self.seconds[1]), _SECONDS]
        return {keyword.name: keyword for keyword in (*keywords, *starmap(Keyword, limits.items()))}

    @property
    def fields(self) -> dict[str, Any]:
        """What clients and jobs may send, as fields of a pydantic model."""
        return {name: keyword.field for name, keyword in self.sent.items()}

    def run(self, values: Mapping[str, Any], control: Control | None = None) -> Any:
        """Answer the question, with values that have been read. Paths of errors begin with a keyword."""
        is_read = self.keywords[self.subject].annotation in (PositionLike, RecordLike)
        arguments = {**values, self.subject: Read(values[self.subject])} if is_read else values
        try:
            return self.ask(**arguments, **({"control": control} if self.searches else {}))
        except AthanorError as error:
            raise error.beside(self.keywords, self.subject if is_read else "") from None


QUESTIONS: dict[str, Question] = {}  # by their names; `import athanor` declares all


def _called(name: str) -> Question:
    return QUESTIONS[name]


def question(
    *, seconds: tuple[float, float] | None = None, limits: tuple[str, ...] = (), here: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare a function as a question, and check its arguments; see `Question` for the parameters."""

    def declared(ask: Callable[P, R]) -> Callable[P, R]:
        QUESTIONS[ask.__name__] = Question(ask, seconds, limits, here)
        return checked(ask)

    return declared
