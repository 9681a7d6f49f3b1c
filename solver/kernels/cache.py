"""Compiled kernels on disk, and the check that each still matches its source.

A kernel's file is named after its function and a hash of its *stamp*, its arguments' kinds and the processor. The
stamp is a hash of everything that Numba compiles into the machine code: the function's bytecode and constants, the
globals it reads, and the same for every kernel it calls, as they are in this process. So an edit recompiles
exactly the kernels it affects, a copy of the sources finds the same files, and edited code never runs old machine
code. (Numba's own cache checks only the kernel's file: it misses an edited helper in another file.)

Processes that compile at the same time write the same file with the same content. Each file begins with a hash of
the rest. A damaged, foreign or unreadable file counts as absent, and an unwritable folder only costs time: the
kernel is cached in a temporary folder, or compiled again. Since files are executed, a folder or file that somebody
else could have written counts as absent too.
"""

from __future__ import annotations

import contextlib
import dis
import hashlib
import os
import pickle
import shutil
import stat
import tempfile
import time
import uuid
import weakref
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from solver.common import user_folder
from solver.kernels import machine

_STALE_SECONDS = 30 * 24 * 3600
_TOUCH_SECONDS = 24 * 3600
_DIGEST = 16  # bytes
_OURS = ("compiling.py", "jit.py", "kinds.py")  # files of Athanor, besides Numba, that affect the machine code
_SOURCE = os.stat(__file__)
_own_parts: weakref.WeakKeyDictionary[FunctionType, tuple[bytes, list[FunctionType]]] = weakref.WeakKeyDictionary()


class _UnknownError(Exception):
    """Raised if a kernel reads a value, and it is not known how Numba compiles such values."""


def stamp(function: FunctionType, options: dict[str, Any]) -> str | None:
    """Return a hash of all that a function's machine code depends on, except its arguments and the processor.

    Returns None, in which case the machine code must not be cached, if the function reads a global of an unknown
    kind, or if other functions may have the same name: closures, nested functions, and functions of scripts.
    """
    if function.__closure__ or "<locals>" in function.__qualname__ or function.__module__ == "__main__":
        return None
    digest = hashlib.blake2b(f"{_compilers()}\n{sorted(options.items())}".encode(), digest_size=_DIGEST)
    numbers = {function: 0}
    reached = [function]
    try:
        for kernel in reached:
            if kernel not in _own_parts:
                _own_parts[kernel] = _parts(kernel)
            own, called = _own_parts[kernel]
            digest.update(own)
            for other in called:
                if other not in numbers:
                    numbers[other] = len(numbers)
                    reached.append(other)
                digest.update(numbers[other].to_bytes(4, "little"))
    except _UnknownError:
        return None
    return digest.hexdigest()


@cache
def _compilers() -> str:
    return f"{machine.compilers()}\n{_sources()}"


def _sources() -> str:
    """Return a hash of Athanor's modules that affect how kernels are compiled."""
    texts = (Path(__file__).with_name(name).read_bytes() for name in _OURS)
    return hashlib.blake2b(b"\0".join(texts), digest_size=_DIGEST).hexdigest()


def _parts(function: FunctionType) -> tuple[bytes, list[FunctionType]]:
    """Return a hash of the function alone, and the kernels that it refers to."""
    called: list[FunctionType] = []
    lines = [f"{function.__module__}.{function.__qualname__}"]
    named = function.__kwdefaults__ and tuple(sorted(function.__kwdefaults__.items()))
    lines += [_described(value, (), called) for value in (function.__defaults__, named)]
    for code in _codes(function.__code__):
        lines.append(_own_code(code, function.__doc__ if code is function.__code__ else None))
        for name in code.co_names:  # names of globals, and of attributes, which may coincide with a global's name
            if name not in function.__globals__:
                continue
            try:
                lines.append(f"{name}={_described(function.__globals__[name], code.co_names, called)}")
            except _UnknownError:
                if name in _globals(code):
                    raise
    return hashlib.blake2b("\n".join(lines).encode(), digest_size=_DIGEST).digest(), called


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code object and those of nested functions, such as comprehensions."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _own_code(code: CodeType, doc: str | None) -> str:
    """Return the bytecode of a function as text, without its docstring and line numbers."""
    constants = list(code.co_consts)
    if doc is not None and constants[:1] == [doc]:
        constants[0] = None
    plain = [
        sorted(map(repr, constant)) if isinstance(constant, frozenset) else repr(constant)
        for constant in constants
        if not isinstance(constant, CodeType)
    ]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return f"{code.co_code!r}{plain}{names}{counts}{getattr(code, 'co_exceptiontable', b'')!r}"


def _globals(code: CodeType) -> set[str]:
    """Return the names that a code object reads as globals, without attributes. Slow."""
    return {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def _described(value: Any, attributes: tuple[str, ...], called: list[FunctionType]) -> str:
    """Return a string that changes whenever Numba would compile a value differently.

    Kernels in the value are added to `called`. `attributes` are the names that may be read from a module. Raises
    _UnknownError.
    """
    of = type(value)
    name = f"{of.__module__}.{of.__qualname__}"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.dtype):
        return f"{name} {value!r}"
    if isinstance(value, np.generic | np.ndarray) and not value.dtype.hasobject:
        content = hashlib.blake2b(value.tobytes(), digest_size=_DIGEST).hexdigest()
        return f"{value.dtype!r}{value.dtype.fields}{value.shape}{value.strides}{content}"
    if isinstance(value, tuple):
        return f"{_described(of, (), called)}({', '.join(_described(part, (), called) for part in value)})"
    if isinstance(getattr(value, "py_func", None), FunctionType) and hasattr(value, "options"):
        called.append(value.py_func)
        return f"kernel {sorted(value.options.items())}"
    if of.__module__ == "solver.kernels.words":
        return f"operation {value.__name__}"
    if isinstance(value, BuiltinFunctionType | FunctionType):
        # Numba can't compile a call of a plain function, so it can only occur in a branch that a constant removes.
        return f"function {value.__module__}.{value.__qualname__}"
    if isinstance(value, type) and (hasattr(value, "_fields") or value.__module__ in ("builtins", "numpy")):
        more = getattr(value, "_fields", ()), getattr(value, "_field_defaults", {})
        return f"class {value.__module__}.{value.__qualname__}{more}"
    if isinstance(value, ModuleType):
        if value.__name__ in ("numpy", "math"):
            return f"module {value.__name__}"
        read = [name for name in attributes if hasattr(value, name)]
        if not attributes:  # a module read from a module
            raise _UnknownError(name)
        return f"module {value.__name__} {[_described(getattr(value, name), (), called) for name in read]}"
    raise _UnknownError(name)


@cache
def roots() -> tuple[Path, ...]:
    """Return the folders to search for kernels: the user's cache, then a temporary folder.

    New kernels go to the first that is writable.
    """
    folders = [user_folder("cache") / "kernels"]
    with contextlib.suppress(OSError):  # no temporary folder at all
        user = os.getuid() if hasattr(os, "getuid") else "user"
        folders.append(Path(tempfile.gettempdir(), f"athanor-{user}"))
    return tuple(folders)


def trusted(about: os.stat_result) -> bool:
    """Return whether a folder or file can only have been written by those who may run any code here anyway.

    That is so if its owner is this user, the superuser, or the owner of this source file, and nobody else can
    write to it who cannot write to this source file.
    """
    if not hasattr(os, "getuid"):
        return True
    others = stat.S_IWGRP | stat.S_IWOTH
    return about.st_uid in (os.getuid(), 0, _SOURCE.st_uid) and not about.st_mode & others & ~_SOURCE.st_mode


def readable(root: Path) -> bool:
    """Return whether `root` is a folder, not a link to one, whose kernels are safe to run."""
    try:
        about = root.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(about.st_mode) and trusted(about)


def writable(root: Path) -> bool:
    """Make the folder if needed; return whether kernels in it are safe to run. Raises OSError if that fails."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return readable(root)


def drop_stale(root: Path) -> None:
    """Remove the files of kernels that nobody has used for a month (each use updates a file's time)."""
    horizon = time.time() - _STALE_SECONDS
    for kept in root.iterdir():
        with contextlib.suppress(OSError):  # other processes may drop them at the same time
            if kept.lstat().st_mtime < horizon:
                shutil.rmtree(kept) if kept.is_dir() else kept.unlink()


_drop_stale_once = cache(drop_stale)  # not before each of a game's kernels


@cache
def _used(path: Path) -> None:
    """Set a file's modification time to now, unless it is less than about a day old, to show that it is in use."""
    with contextlib.suppress(OSError):
        if path.stat().st_mtime < time.time() - _TOUCH_SECONDS:
            os.utime(path)


class Files:
    """The cache files of one function, one for each key: the kinds of its arguments, and the processor.

    `form` is part of the files' names, to keep apart the forms in which a function is compiled
    (`solver.kernels.compiling`). A function without a stamp is not cached.
    """

    def __init__(self, function: FunctionType, options: dict[str, Any], form: str = "") -> None:
        self._stamp = stamp(function, options)
        self._base = f"{function.__module__}.{function.__qualname__}{form}"

    def load(self, key: tuple[Any, ...]) -> Any:
        """Return the data for a key, from the cache or the kernels in a wheel; None if there is none."""
        if self._stamp is None:
            return None
        places = [(root, key) for root in roots()]
        kinds, target = key
        shipped, own = machine.shipped_target(machine.SHIPPED), machine.own_target()
        if shipped and target == tuple(own) and shipped.runs_on(own):
            places.append((machine.SHIPPED, (kinds, tuple(shipped))))
        for root, wanted in places:
            with contextlib.suppress(Exception):  # whatever is wrong with a file, recompiling is right
                if readable(root):
                    path = root / self._name(wanted)
                    code = _read(path, (self._stamp, *wanted))
                    if root != machine.SHIPPED:
                        _used(path)
                    return code
        return None

    def kept(self, key: tuple[Any, ...]) -> Path | None:
        """Return the path of the cache file for a key; None if it does not exist."""
        paths = (root / self._name(key) for root in roots())
        return next((path for path in paths if path.is_file()), None)

    def save(self, key: tuple[Any, ...], data: Any) -> None:
        """Save the data for a key in the first writable folder, if there is one."""
        if self._stamp is None or not _compilers().endswith(_sources()):  # edited while this process ran
            return
        content = pickle.dumps(((self._stamp, *key), data), pickle.HIGHEST_PROTOCOL)
        for root in roots():
            with contextlib.suppress(OSError):
                if writable(root):
                    _drop_stale_once(root)
                    _write(root / self._name(key), content)
                    return

    def flush(self) -> None:
        """Remove this function's cache files, so that it is recompiled."""
        for root in roots():
            for path in root.glob(f"{self._base}-*.nbc"):
                with contextlib.suppress(OSError):
                    path.unlink()

    def _name(self, key: tuple[Any, ...]) -> str:
        whole = repr((self._stamp, *key)).encode()
        return f"{self._base}-{hashlib.blake2b(whole, digest_size=_DIGEST).hexdigest()}.nbc"


def _read(path: Path, key: tuple[Any, ...]) -> Any:
    """Return the data in a cache file.

    Raises OSError if the file cannot be read, could have been written by another user, is damaged, or belongs to
    another key.
    """
    with path.open("rb") as file:
        if not trusted(os.fstat(file.fileno())):
            raise OSError(f"{path} may be somebody else's")
        digest, content = file.read(_DIGEST), file.read()
    if hashlib.blake2b(content, digest_size=_DIGEST).digest() != digest:
        raise OSError(f"{path} is damaged")
    kept, data = pickle.loads(content)
    if kept != key:
        raise OSError(f"{path} belongs to another kernel")
    return data


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically: the hash of the content, then the content. Raises OSError."""
    digest = hashlib.blake2b(content, digest_size=_DIGEST).digest()
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        draft.touch(mode=0o600)
        with draft.open("wb") as file:
            file.write(digest + content)
        draft.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
