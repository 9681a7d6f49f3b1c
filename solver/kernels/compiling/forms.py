"""The two forms of a kernel: the one that Python calls, and the one that is linked into other kernels."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.np import numpy_support

from solver.kernels.compiling.inference import remembering
from solver.kernels.compiling.linking import KernelCompiler, Linkable, cachable
from solver.kernels.compiling.shortcuts import shortened
from solver.kernels.kinds import ALIGNED, BOOLEAN, FLOAT, INTEGER, WRITEABLE, order
from solver.kernels.machine import Code

_NUMBERS = {INTEGER: types.int64, FLOAT: types.float64, BOOLEAN: types.boolean}
_SETTINGS = ".numba_config.yaml"  # in the working folder it changes Numba's switches, which then are not stamped


class Forms(CPUDispatcher):  # type: ignore[misc]
    """The form that Python calls, and in `linkable` the other one."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        bare = {"no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={**options, **bare}, pipeline_class=KernelCompiler)
        self.linkable = Linkable(function, options, self)

    def code(self, kinds: tuple[Any, ...]) -> tuple[Code, bool, Callable[..., Any]]:
        """Compile for arguments of these kinds.

        The answer is the machine code, whether other processes can use it, and what runs it in this one.
        """
        signature = tuple(map(numba_type, kinds))
        with remembering(), shortened():
            self.compile(signature)
        result = self.overloads[signature]
        module = result.library._final_module
        names = [variable.name for variable in module.global_variables]
        own = result.environment
        known = [(name, lookup_environment(name)) for name in names if name.startswith("_ZN08NumbaEnv")]
        constants = [(own.env_name, own.consts)]
        constants += [(name, found.consts) for name, found in known if found and found.consts and found is not own]
        declared = [*module.functions, *module.global_variables]
        needs = sorted(used.name for used in declared if used.is_declaration and not used.name.startswith("llvm."))
        code = Code(
            entry=result.fndesc.llvm_cpython_wrapper_name,
            constants=tuple((name, list(found)) for name, found in constants),
            needs=tuple(needs),
            image=result.library._get_compiled_object(),
        )
        # Linked code may use environments that no machine code of its own has announced.
        for name, found in known:
            if found is not None:
                result.codegen.set_env(name, found)
        return code, cachable(result) and not Path(_SETTINGS).exists(), result.entry_point


def one_at_a_time() -> AbstractContextManager[Any]:
    """Within this no other thread compiles."""
    lock: AbstractContextManager[Any] = global_compiler_lock
    return lock


def called(forms: Forms) -> types.Dispatcher:
    """The type of a kernel where another one calls it."""
    return types.Dispatcher(forms.linkable)


def numba_type(kind: Any) -> Any:
    """The type that Numba gives to arguments of a kind."""
    if isinstance(kind, str):
        return _NUMBERS[kind]
    first, *rest = kind
    if isinstance(first, type):
        inner = [numba_type(field) for field in rest]
        return types.NamedTuple(inner, first) if hasattr(first, "_fields") else types.Tuple(inner)
    dimensions, flags = rest
    return types.Array(
        numpy_support.from_dtype(first),
        dimensions,
        order(flags),
        readonly=not flags & WRITEABLE,
        aligned=bool(flags & ALIGNED),
    )
