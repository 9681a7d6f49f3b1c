"""Runs compiled machine code without Numba.

A kernel's machine code reads its arguments from Python itself. All it needs is LLVM's linker and the C functions
of three of Numba's small extension modules. They are loaded from Numba's folder without Numba itself, whose import
takes longer than everything else in a short command. Numba finds them loaded if it is imported later.

A wheel may include compiled kernels for a level of processor features that most machines have: `make wheel` copies
a cache into the folder `SHIPPED`, with a note of the target processor. It is read-only. A kernel that is missing
there, or that this processor cannot run, is compiled as usual.
"""

from __future__ import annotations

import builtins
import ctypes
import importlib.util
import json
import os
import pickle
import sys
import threading
from collections.abc import Callable
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import llvmlite
import llvmlite.binding as llvm
import numpy as np

# Numba's environment variables, read without Numba.
OFF = int(os.environ.get("NUMBA_DISABLE_JIT") or 0) != 0  # kernels are plain Python
CHECKED = int(os.environ.get("NUMBA_BOUNDSCHECK") or 0) != 0  # an index outside an array is an IndexError
CPU_NAME = os.environ.get("NUMBA_CPU_NAME")
CPU_FEATURES = os.environ.get("NUMBA_CPU_FEATURES")
_OTHERS = ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_DEBUGINFO", "NUMBA_LOOP_VECTORIZE", "NUMBA_SLP_VECTORIZE")

SHIPPED = Path(__file__).with_name("shipped")
NOTE = "target.json"  # in SHIPPED: the fields of a `Target`
# The processor features of each level. Source: the x86-64 psABI, table 3.1, in LLVM's names.
_LEVELS = {
    "x86-64-v3": frozenset(
        {"cx16", "sahf", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3", "avx", "avx2"}
        | {"bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
    ),
}

_HELPERS, _FUNCTIONS, _RUNTIME = "numba._helperlib", "numba._dynfunc", "numba.core.runtime._nrt_python"
_CELL = ".numba.unresolved$"  # prefix of the variable with the address of a function that calls itself
_loading = threading.RLock()  # LLVM's execution engines share state that is not thread-safe


APART = "apart"  # the option of a kernel whose machine code others call by a symbol


class Part(NamedTuple):
    """A kernel, by name, whose machine code for arguments of certain kinds others call by a symbol."""

    kernel: str
    kinds: tuple[Any, ...]


# For each kernel that is `apart`, the function that loads it (`solver.kernels.jit.Kernel.ready`).
LOADERS: dict[str, Callable[[tuple[Any, ...], bool], str]] = {}
SYMBOLS: dict[str, Part] = {}  # what was loaded so far


def load_part(part: Part, *, compiles: bool = False) -> str:
    """Load machine code that other code calls, and return its symbol.

    Raises OSError if it is not in the cache, unless it `compiles` then; KeyError if its module was not imported.
    """
    symbol = LOADERS[part.kernel](part.kinds, compiles)
    SYMBOLS[symbol] = part
    return symbol


class Code(NamedTuple):
    """The machine code of a kernel for arguments of certain kinds, as an object file (`image`).

    `entry` is the name of the function that Python calls, `native` that of the one that other machine code calls.
    `constants` has names of variables, each with a list of constants: the variable must be set to the address of
    an object that holds them. The kernel's own constants come first, then those of linked code. `needs` has the
    names of all symbols that the code uses but does not define; `parts` are the kernels among them.
    """

    entry: str
    native: str
    constants: tuple[tuple[str, list[Any]], ...]
    needs: tuple[str, ...]
    parts: tuple[Part, ...]
    image: bytes


def function(code: Code, python: FunctionType, symbol: str | None = None) -> Callable[..., Any]:
    """Return a callable that runs machine code in place of the function `python`.

    With a `symbol`, other machine code can call it by that name, as long as the callable is kept. Raises OSError
    if something that the machine code needs is missing.
    """
    with _loading:
        helpers = _ready()
        cells = {name: ctypes.c_void_p() for name in code.needs if name.startswith(_CELL)}
        for name, cell in cells.items():
            llvm.add_symbol(name, ctypes.addressof(cell))
        for name in code.needs:
            # If it is missing, LLVM would terminate the process.
            if llvm.address_of_symbol(name) is None:
                raise OSError(f"there is no {name}")
        # One engine per function: LLVM may confuse functions of the same name in different object files.
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(code.image))
        engine.finalize_object()
        for name, cell in cells.items():
            cell.value = engine.get_function_address(name.removeprefix(_CELL))
        environments = [_environment(engine, helpers, python, *named) for named in code.constants]
        alive = (engine, cells, environments)
        if symbol is not None:
            llvm.add_symbol(symbol, engine.get_function_address(code.native))
        address = engine.get_function_address(code.entry)
        callable_: Callable[..., Any] = helpers.make_function(
            sys.modules.get(python.__module__, builtins), python.__name__, "", address, environments[0], alive
        )
        return callable_


def _environment(engine: Any, helpers: Any, python: FunctionType, name: str, constants: list[Any]) -> Any:
    """Make an object with the machine code's constants, and store its address in the variable `name`."""
    environment = helpers.Environment(python.__globals__)
    environment.consts.extend(constants)
    ctypes.c_void_p.from_address(engine.get_global_value_address(name)).value = id(environment)
    return environment


def _engine() -> Any:
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


@cache
def _ready() -> Any:
    """Give LLVM the addresses that machine code may call, as Numba does.

    Returns Numba's extension module that makes functions.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    helpers, functions, runtime = map(_extension, (_HELPERS, _FUNCTIONS, _RUNTIME))
    for name, address in (*helpers.c_helpers.items(), *functions.c_helpers.items()):
        llvm.add_symbol(f"numba_{name}", address)
        llvm.add_symbol(name, address)  # logarithms and the like have their own names
    if "numba" not in sys.modules:
        llvm.add_symbol("numba_unpickle", ctypes.cast(_unpickle, ctypes.c_void_p).value)
    for name, address in runtime.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
    llvm.add_symbol("_Py_NoneStruct", id(None))
    for fault in vars(builtins).values():
        if isinstance(fault, type) and issubclass(fault, BaseException):
            llvm.add_symbol(f"PyExc_{fault.__name__}", id(fault))
    _engine()  # the first engine also registers the process's own symbols
    return functions


@ctypes.PYFUNCTYPE(  # type: ignore[untyped-decorator]
    ctypes.py_object, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)
def _unpickle(place: int, length: int, _digest: int) -> Any:
    """Unpickle a class that machine code returns or raises. Numba's own version would import Numba."""
    return _unpickled(place, ctypes.string_at(place, length))


@cache
def _unpickled(_place: int, content: bytes) -> Any:
    return pickle.loads(content)


def _extension(name: str) -> Any:
    """Load one of Numba's extension modules without importing Numba. Raises ImportError."""
    loaded = sys.modules.get(name)
    if loaded is None:
        module = Path(numba_folder(), *name.split(".")[1:])
        paths = (module.with_name(module.name + suffix) for suffix in EXTENSION_SUFFIXES)
        path = next((str(path) for path in paths if path.is_file()), None)
        spec = importlib.util.spec_from_file_location(name, path, loader=ExtensionFileLoader(name, path or ""))
        if path is None or spec is None or spec.loader is None:
            raise ImportError(f"there is no {name}")
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        sys.modules[name] = loaded
    assert isinstance(loaded, ModuleType)
    return loaded


@cache
def numba_folder() -> Path:
    """Return Numba's folder, found without importing it. Raises ImportError if it is not installed."""
    spec = importlib.util.find_spec("numba")
    if spec is None or spec.origin is None:
        raise ImportError("Numba is not installed")
    return Path(spec.origin).parent


@cache
def compilers() -> str:
    """Return the versions and settings of compilers that affect machine code, as text."""
    numba = (numba_folder() / "_version.py").read_text(encoding="utf-8")
    switches = [f"{name}={os.environ.get(name) or ''}" for name in _OTHERS]
    python = sys.implementation.cache_tag or sys.version
    return "\n".join([python, llvmlite.__version__, numba, np.__version__, *switches])


class Target(NamedTuple):
    """The target of machine code: LLVM's target triple, processor name, and features added or removed."""

    triple: str
    cpu: str
    features: str

    def runs_on(self, other: Target) -> bool:
        """Return whether machine code for this target also runs correctly on `other`, this process's target."""
        if self == other:
            return True
        if CPU_NAME is not None or self.triple != other.triple or self.features:
            return False
        needed = _LEVELS.get(self.cpu)
        return needed is not None and needed <= _host_features()


@cache
def own_target() -> Target:
    """Return the target of this process: from the environment, or else this machine's processor."""
    features = CPU_FEATURES
    if features is None:
        try:
            features = llvm.get_host_cpu_features().flatten()
        except RuntimeError:
            features = ""
    return Target(llvm.get_process_triple(), CPU_NAME or llvm.get_host_cpu_name(), features)


@cache
def _host_features() -> frozenset[str]:
    """Return the features of this machine's processor by LLVM's names; empty if LLVM cannot detect them."""
    try:
        return frozenset(name for name, there in llvm.get_host_cpu_features().items() if there)
    except RuntimeError:
        return frozenset()


@cache
def shipped_target(folder: Path) -> Target | None:
    """Return the target of the kernels in this folder; None if there are none."""
    try:
        return Target(**json.loads((folder / NOTE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
