"""`kernel`: the one way to compile a function, and the kinds of arguments that its machine code is made for.

A kernel takes numbers, arrays and named tuples of them. Two calls with arguments of the same kinds run the same
machine code. Every integer is taken as an int64, and every floating-point number as a float64.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from solver.kernels import machine
from solver.kernels.cache import Files
from solver.kernels.machine import CHECKED, OFF

F = TypeVar("F", bound=Callable[..., object])

INTEGER, FLOAT, BOOLEAN = "int64", "float64", "bool"

# Of a NumPy array's flags, those that are compiled in: C and Fortran order, aligned, writeable.
C_ORDER, FORTRAN_ORDER, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400
_FLAGS = C_ORDER | FORTRAN_ORDER | ALIGNED | WRITEABLE

_NUMBERS: dict[type, str] = {
    **dict.fromkeys((int, np.int8, np.int16, np.int32, np.int64), INTEGER),
    **dict.fromkeys((np.uint8, np.uint16, np.uint32, np.uint64), INTEGER),
    **dict.fromkeys((float, np.float32, np.float64), FLOAT),
    **dict.fromkeys((bool, np.bool_), BOOLEAN),
}
_ndarray = np.ndarray

# Kernels of a search allocate nothing. Without Numba's reference counting each array that is passed to a helper
# saves two atomic additions, more than most helpers cost: measured, searches run five to ten times as fast.
_LEAN = {"_nrt": False}


class _Watch(threading.local):
    """Who is told, in this thread, of each kernel that is about to be compiled; an exception prevents it."""

    begins: Callable[[Kernel], None] | None = None


WATCH = _Watch()


class _Found(NamedTuple):
    """What runs machine code, and the same with a look at its arguments."""

    run: Callable[..., Any]
    guarded: Callable[..., Any]


class Kernel:
    """A function that runs as machine code, which is loaded or compiled when it is first called.

    `loads` and `compiles` count how often that was done, once for all arguments of the same kinds. Numba is
    imported only to compile.
    """

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.loads = self.compiles = 0
        self.options = {"nopython": True, "nogil": True, **options}
        self._found: dict[tuple[Any, ...], _Found] = {}
        self._finding = threading.RLock()
        self._run: Callable[..., Any] = self._first  # for arguments of the kinds of the call before

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._run(*arguments, **named)

    def _first(self, *arguments: Any, **named: Any) -> Any:
        bound = inspect.signature(self.py_func).bind(*arguments, **named)
        bound.apply_defaults()
        return self._other(*bound.args)

    def _other(self, *arguments: Any) -> Any:
        """A call with arguments that may be of other kinds than those of the call before."""
        kinds = tuple(map(kind, arguments))
        found = self._found.get(kinds) or self._load(kinds) or self._compile(kinds)
        self._run = found.guarded
        return found.run(*arguments)

    def _keep(self, kinds: tuple[Any, ...], run: Callable[..., Any]) -> _Found:
        found = self._found[kinds] = _Found(run, guarded(self.py_func, kinds, run, self._other))
        return found

    def __repr__(self) -> str:
        return f"<kernel {self.py_func.__module__}.{self.py_func.__qualname__}>"

    @functools.cached_property
    def forms(self) -> Any:
        """What Numba compiles."""
        from solver.kernels.compiling import Forms

        return Forms(self.py_func, self.options)

    @property
    def _numba_type_(self) -> Any:
        """What a kernel sees that calls this one."""
        from solver.kernels.compiling import called

        return called(self.forms)

    def kept(self) -> set[Path | None]:
        """The files with the machine code of all that was called so far; None for what is not kept."""
        return {self._files.kept(self._key(kinds)) for kinds in self._found}

    def forget(self) -> None:
        """Remove what is kept of the kernel."""
        self._files.flush()

    @functools.cached_property
    def _files(self) -> Files:
        return Files(self.py_func, self.options)

    def _key(self, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(map(text, kinds)), tuple(machine.own_target())

    def _load(self, kinds: tuple[Any, ...]) -> _Found | None:
        with self._finding:
            if kinds in self._found:  # another thread was first
                return self._found[kinds]
            try:
                code = self._files.load(self._key(kinds))
                if code is None:
                    return None
                run = machine.function(machine.Code(*code), self.py_func)
            except Exception:  # machine code that cannot be linked is compiled anew
                return None
            self.loads += 1
            return self._keep(kinds, run)

    def _compile(self, kinds: tuple[Any, ...]) -> _Found:
        if WATCH.begins is not None:
            WATCH.begins(self)
        from solver.kernels.compiling import one_at_a_time

        with one_at_a_time():
            if kinds in self._found:
                return self._found[kinds]
            run: Callable[..., Any]
            code, keep, run = self.forms.code(kinds)
            self.compiles += 1
            if keep:
                self._files.save(self._key(kinds), tuple(code))
                try:
                    run = machine.function(code, self.py_func)  # so that what is kept is what runs
                except Exception:
                    self._files.flush()
            return self._keep(kinds, run)


def _compiled(function: F, **options: Any) -> F:
    return function if OFF else cast(F, Kernel(cast(FunctionType, function), options))


def kernel(function: F) -> F:
    """Compile on first call, cache on disk, release the GIL while running."""
    return _compiled(function)


def lean(function: F) -> F:
    """Like `kernel`, for one that makes no arrays and returns none."""
    return _compiled(function, **_LEAN)


def inlined(function: F) -> F:
    """Like `lean`, for a helper of lean kernels that is to be inlined whatever its size.

    With bounds checking the compiler decides: such code need not be fast, and is compiled sooner so.
    """
    return _compiled(function, forceinline=not CHECKED, **_LEAN)


def kind(value: Any) -> Any:
    """The kind of an argument: a word for a number, a tuple for an array or a tuple.

    The kind of an array is its dtype, its number of dimensions and its flags, that of a tuple is its class and the
    kinds of its fields. Raises TypeError for what no kernel takes.
    """
    of = type(value)
    if of is _ndarray:
        return value.dtype, value.ndim, value.flags.num & _FLAGS
    number = _NUMBERS.get(of)
    if number is not None:
        return number
    if isinstance(value, tuple):
        return (of, *map(kind, value))
    if isinstance(value, _ndarray):
        return value.dtype, value.ndim, value.flags.num & _FLAGS
    raise TypeError(f"a kernel takes numbers, arrays and tuples of them, not {of.__name__}")


def guarded(
    python: FunctionType, kinds: tuple[Any, ...], run: Callable[..., Any], other: Callable[..., Any]
) -> Callable[..., Any]:
    """A function that calls `run` where its arguments are of these kinds, and `other` where they may not be.

    It has the parameters and defaults of `python`. Every call of a kernel waits for it, so it is written out for
    these kinds: to work out the kind of each argument takes three times as long.
    """
    names = python.__code__.co_varnames[: python.__code__.co_argcount]
    known: dict[str, Any] = {"_run": run, "_other": other, "_type": type, "_numbers": _NUMBERS, "_array": _ndarray}
    numbers = count()

    def constant(value: Any) -> str:
        name = f"_{next(numbers)}"
        known[name] = value
        return name

    def conditions(place: str, kind: Any) -> Iterator[str]:
        if isinstance(kind, str):
            usual = {INTEGER: int, FLOAT: float, BOOLEAN: bool}[kind]
            yield f"(_type({place}) is {constant(usual)} or _numbers.get(_type({place})) == {kind!r})"
            return
        first, *rest = kind
        if isinstance(first, type):
            yield f"_type({place}) is {constant(first)} and len({place}) == {len(rest)}"
            for index, field in enumerate(rest):
                yield from conditions(f"{place}[{index}]", field)
            return
        dimensions, flags = rest
        yield f"_type({place}) is _array and {place}.dtype is {constant(first)} and {place}.ndim == {dimensions}"
        yield f"{place}.flags.num & {_FLAGS} == {flags}"

    tests = " and ".join(test for pair in zip(names, kinds, strict=True) for test in conditions(*pair)) or "True"
    given = ", ".join(names)
    made: Callable[..., Any] = eval(f"lambda {given}: _run({given}) if {tests} else _other({given})", known)
    made.__defaults__ = python.__defaults__
    return made


def order(flags: int) -> str:
    """How an array lies in memory, in Numba's letters."""
    return "C" if flags & C_ORDER else "F" if flags & FORTRAN_ORDER else "A"


def text(kind: Any) -> str:
    """A kind in words that are the same in every process."""
    if isinstance(kind, str):
        return kind
    first, *rest = kind
    if isinstance(first, type):
        fields = getattr(first, "_fields", ())
        return f"{first.__module__}.{first.__qualname__}{fields}({', '.join(map(text, rest))})"
    dimensions, flags = rest
    dtype = first.str if first.names is None else f"{first!r}{first.fields!r}"
    return f"{dtype}{dimensions}{order(flags)}{'' if flags & WRITEABLE else 'r'}{'' if flags & ALIGNED else 'u'}"
