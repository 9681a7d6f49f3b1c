"""`kernel`: the one way to compile a function."""

from __future__ import annotations

import functools
import hashlib
import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, TypeVar, cast

from solver.kernels import machine, shipped
from solver.kernels.cache import Files
from solver.kernels.kinds import guarded, kind, text
from solver.kernels.switches import CHECKED, OFF

F = TypeVar("F", bound=Callable[..., object])

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
        self._options = {"nopython": True, "nogil": True, **options}
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
        from solver.kernels.compiling.forms import Forms

        return Forms(self.py_func, self._options)

    @property
    def _numba_type_(self) -> Any:
        """What a kernel sees that calls this one."""
        from solver.kernels.compiling.forms import called

        return called(self.forms)

    def kept(self) -> set[Path | None]:
        """The files with the machine code of all that was called so far; None for what is not kept."""
        return {self._files.kept(self._key(kinds)) for kinds in self._found}

    def forget(self) -> None:
        """Remove what is kept of the kernel."""
        self._files.flush()

    @functools.cached_property
    def _files(self) -> Files:
        return Files(self.py_func)

    def _key(self, kinds: tuple[Any, ...]) -> tuple[Any, ...]:
        code = hashlib.blake2b(self.py_func.__code__.co_code, digest_size=16).hexdigest()
        return tuple(map(text, kinds)), tuple(shipped.own()), code

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
        from solver.kernels.compiling.forms import one_at_a_time

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
