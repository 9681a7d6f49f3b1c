"""The decorators `kernel`, `lean` and `inlined`, which compile functions to machine code.

A kernel takes numbers, arrays and named tuples of them. Machine code is specialized for the kinds of the arguments
(`solver.kernels.kinds`): calls with arguments of the same kinds run the same machine code.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast

from solver.kernels import machine
from solver.kernels.cache import Files
from solver.kernels.kinds import guarded, kind, text
from solver.kernels.machine import APART, CHECKED, OFF

F = TypeVar("F", bound=Callable[..., object])

# Search kernels allocate nothing. Without Numba's reference counting, each array passed to a helper saves two
# atomic additions, more than most helpers cost: searches measured five to ten times as fast.
_LEAN = {"_nrt": False}


class _Watch(threading.local):
    """Holds, per thread, a callback to run before each kernel is compiled.

    If it raises an exception, nothing is compiled.
    """

    begins: Callable[[Kernel], None] | None = None


WATCH = _Watch()


class _Found(NamedTuple):
    """Two functions that run the machine code for certain kinds of arguments.

    `guarded` first checks that its arguments are of these kinds; `run` does not.
    """

    run: Callable[..., Any]
    guarded: Callable[..., Any]


class Kernel:
    """A function that runs as machine code, which is loaded or compiled on the first call.

    `loads` and `compiles` count how often machine code was loaded and compiled: once per combination of argument
    kinds. Numba is imported only to compile.
    """

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.loads = self.compiles = 0
        self.options = {"nopython": True, "nogil": True, **options}
        self._apart = options.get(APART, False)
        if self._apart:
            machine.LOADERS[self._name] = self.ready
        self._found: dict[tuple[Any, ...], _Found] = {}
        self._finding = threading.RLock()
        self._run: Callable[..., Any] = self._first  # for the argument kinds of the last call

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._run(*arguments, **named)

    def _first(self, *arguments: Any, **named: Any) -> Any:
        bound = inspect.signature(self.py_func).bind(*arguments, **named)
        bound.apply_defaults()
        return self._other(*bound.args)

    def _other(self, *arguments: Any) -> Any:
        """Run the machine code for the kinds of these arguments, after loading or compiling it if needed."""
        kinds = tuple(map(kind, arguments))
        found = self._found.get(kinds) or self._load(kinds) or self._compile(kinds)
        self._run = found.guarded
        return found.run(*arguments)

    def ready(self, kinds: tuple[Any, ...], compiles: bool) -> str:
        """Load the machine code for these kinds of arguments, and return the symbol by which other code calls it.

        Raises OSError if it is not in the cache, unless it `compiles` then. For kernels that are `apart`.
        """
        if kinds not in self._found and not self._load(kinds):
            if not compiles:
                raise OSError(f"{self} is not in the cache")
            self._compile(kinds)
        return self._symbol(kinds)

    def _symbol(self, kinds: tuple[Any, ...]) -> str:
        """Return the symbol of the machine code for these kinds, the same in every process, mangled as in C++."""
        digest = hashlib.blake2b(repr(tuple(map(text, kinds))).encode(), digest_size=16)
        name = f"athanor.{self._name}.{digest.hexdigest()}"
        return f"_ZN{len(name)}{name}E"

    @property
    def _name(self) -> str:
        return f"{self.py_func.__module__}.{self.py_func.__qualname__}"

    def _keep(self, kinds: tuple[Any, ...], run: Callable[..., Any]) -> _Found:
        found = self._found[kinds] = _Found(run, guarded(self.py_func, kinds, run, self._other))
        return found

    def __repr__(self) -> str:
        return f"<kernel {self._name}>"

    @functools.cached_property
    def forms(self) -> Any:
        """Numba's dispatcher for this function."""
        from solver.kernels.compiling import Forms

        return Forms(self.py_func, self.options)

    @property
    def _numba_type_(self) -> Any:
        """The Numba type that this kernel has within a kernel that calls it."""
        from solver.kernels.compiling import called

        return called(self.forms)

    def kept(self) -> set[Path | None]:
        """Return the cache files of the machine code used so far, with None for code that is not cached."""
        return {self._files.kept(self._key(kinds)) for kinds in self._found}

    def forget(self) -> None:
        """Remove the kernel's cache files."""
        self._files.flush()

    @functools.cached_property
    def _files(self) -> Files:
        return Files(self.py_func, self.options)

    def _key(self, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(map(text, kinds)), tuple(machine.own_target())

    def _load(self, kinds: tuple[Any, ...]) -> _Found | None:
        with self._finding:
            if kinds in self._found:  # another thread was faster
                return self._found[kinds]
            try:
                code = self._files.load(self._key(kinds))
                if code is None:
                    return None
                found = machine.Code(*code)
                symbol = self._symbol(kinds) if self._apart else None
                for part in found.parts:
                    machine.load_part(part)
                run = machine.function(found, self.py_func, symbol)
            except Exception:  # machine code that cannot be linked is recompiled
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
            if self._apart:
                run = machine.function(code, self.py_func, self._symbol(kinds))
            elif keep:
                try:
                    run = machine.function(code, self.py_func)  # so that the cached code is what runs
                except Exception:
                    self._files.flush()
            return self._keep(kinds, run)


def _compiled(function: F, **options: Any) -> F:
    return function if OFF else cast(F, Kernel(cast(FunctionType, function), options))


def kernel(function: F) -> F:
    """Decorator: compile a function on its first call, cache it on disk, and release the GIL while it runs.

    An index that is not a constant must not be negative: compiled code does not let it count from the end.
    """
    return _compiled(function)


def lean(function: F) -> F:
    """Like `kernel`, for functions that neither make nor return arrays.

    Calling one that returns an array from Python raises TypeError: it would return freed memory.
    """
    return _compiled(function, **_LEAN)


def apart(function: F) -> F:
    """Like `lean`, for a large function that several kernels call: all of them call the same machine code.

    Other functions are compiled into each kernel that calls them.
    """
    return _compiled(function, **{APART: True}, **_LEAN)


def inlined(function: F) -> F:
    """Like `lean`, for a helper of lean kernels that is inlined whatever its size.

    With bounds checking on, the compiler decides what to inline instead: speed matters less then, and it compiles
    sooner.
    """
    return _compiled(function, forceinline=not CHECKED, **_LEAN)


# ----------------------------------------------------------------------------------------------------
# Templates: functions that use a game's rules as globals, and are compiled anew for each game.
#
# The cache identifies a function by its qualified name and the globals it reads (`solver.kernels.cache`). So each
# instance gets its own qualified name, the same in every process.


Rules = Mapping[str, Any]


def instantiate(template: F, rules: Rules, game: str, decorator: Callable[[F], F] = lean) -> F:
    """Make a kernel from `template`, with its globals overridden by `rules`. `game` makes its name unique.

    `decorator` is `lean` or `inlined`. A template that calls itself by its own name calls the instance. The
    instance has the template's type.
    """
    assert isinstance(template, FunctionType)
    name = f"{template.__name__}_{game}"
    names = {**template.__globals__, **rules}
    instance = FunctionType(template.__code__, names, name, template.__defaults__, template.__closure__)
    instance.__qualname__ = name
    instance.__module__ = template.__module__
    decorated: F = decorator(cast(Any, instance))
    names[template.__name__] = decorated
    return decorated


class Instances:
    """Instantiates templates for one game; each instance sees the game's rules and the earlier instances."""

    def __init__(self, game: str, rules: Rules) -> None:
        self.game = game
        self.names = dict(rules)

    def of(self, template: F, decorator: Callable[[F], F] = lean) -> F:
        """Return an instance of a template, which later instances can call. Nothing is compiled yet."""
        decorated = instantiate(template, dict(self.names), self.game, decorator)
        self.names[template.__name__] = decorated
        return decorated
