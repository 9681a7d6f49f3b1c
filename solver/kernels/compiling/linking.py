"""Kernels that other kernels call are compiled once, into code that is still to be optimized.

Numba turns every function that a kernel calls into machine code of its own, although the caller has the same code
inlined; with nested searches most of the compile time goes into code that never runs. Here a function has two
forms. What Python calls is compiled as usual (`solver.kernels.compiling.forms`). What another kernel calls is
translated to LLVM code only, which is linked into the caller and optimized there.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

from solver.kernels.cache import Files
from solver.kernels.compiling.passes import kernel_passes

LINKABLE = "linkable"


class _Codegen:
    """Numba's code generator for a library that has no machine code, so no variables whose place is known."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to do: the kernel that the code is linked into sets it."""


class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The machine code of a kernel, which LLVM optimizes once.

    Numba has it optimized twice, so that the first time brings together what counts references to objects. Kernels
    have no objects: once makes code that is as fast, and Kirin's kernels are compiled in 15% less time, though
    those of King × Alchemy and Aqua Regia in hardly any less.
    """

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class LinkableLibrary(JITCodeLibrary):  # type: ignore[misc]
    """LLVM code to be linked into others; no machine code."""

    @property
    def codegen(self) -> _Codegen:
        return _Codegen(self._codegen)

    def _optimize_final_module(self) -> None:
        """Left to the kernel that the code is linked into."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        return self.name, LINKABLE, self._get_module_for_linking().as_bitcode()

    @classmethod
    def restored(cls, codegen: Any, name: str, bitcode: bytes) -> LinkableLibrary:
        """The library that `serialize_using_object_code` made."""
        library = cls(codegen, name)
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


def _rebuilt(target_context: Any, payload: tuple[Any, ...]) -> CompileResult:
    """The compile result whose `_reduce` gave `payload`."""
    (name, _, data), descriptor, environment, signature, objectmode, lifted, annotation, init, others = payload
    library = LinkableLibrary.restored(target_context.codegen(), name, data)
    return CompileResult(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=target_context.get_executable(library, descriptor, environment),
        fndesc=descriptor,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=init,
        referenced_envs=others,
    )


class LinkableCache:
    """The cache of a function's linkable form, with the methods of Numba's. What is not cachable is not kept."""

    cache_path = ""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._files = Files(function, f".{LINKABLE}")
        self._code = hashlib.blake2b(function.__code__.co_code, digest_size=16).hexdigest()

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """What is kept for a signature, or None."""
        try:
            data = self._files.load(self._key(signature, target_context.codegen()))
            return data and _rebuilt(target_context, pickle.loads(data))
        except Exception:  # what cannot be linked is compiled anew
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep what was compiled for a signature."""
        if cachable(result):
            self._files.save(self._key(signature, result.codegen), dumps(result._reduce()))

    def flush(self) -> None:
        """Forget what is kept of the function."""
        self._files.flush()

    def _key(self, signature: Any, codegen: Any) -> tuple[Any, ...]:
        return signature, codegen.magic_tuple(), self._code


def cachable(result: Any) -> bool:
    """Whether another process could use what was compiled: it holds no addresses of this one."""
    return not result.library.has_dynamic_globals and all(loop.can_cache for loop in result.lifted)


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's pipeline, ending in a library of a kind."""

    library: type[JITCodeLibrary] = KernelLibrary

    def define_pipelines(self) -> list[Any]:
        return [kernel_passes(self.state)]

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class _LinkableCompiler(KernelCompiler):
    """The pipeline, ending in a linkable library."""

    library = LinkableLibrary


class Linkable(CPUDispatcher):  # type: ignore[misc]
    """The form of a kernel that other kernels call; never called from Python."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], owner: CPUDispatcher) -> None:
        bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={**options, **bare}, pipeline_class=_LinkableCompiler)
        self._owner = owner
        self._cache = LinkableCache(function)

    @property
    def is_compiling(self) -> bool:
        """Whether a call of this function is a recursive one. It is so in both forms, which are one function."""
        return bool(self._compiling_counter or self._owner._compiling_counter)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """One form for constants and variables: constants are propagated after linking, so one will do."""
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(types.unliteral, args)), plain)
