"""The passes that make LLVM code of a kernel: Numba's, without those that kernels do not need."""

from __future__ import annotations

from types import CodeType
from typing import Any

from numba.core import lowering, typed_passes, untyped_passes
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, PassManager, register_pass
from numba.core.ir_utils import enforce_no_phis
from numba.core.postproc import PostProcessor

# For what no kernel has: blocks that begin with `with`, loops over tuples of several types, arguments that are
# compiled in, and loops in parallel; and for printing the types of a function.
_NEEDLESS = frozenset(
    {
        untyped_passes.WithLifting,
        untyped_passes.FindLiterallyCalls,
        untyped_passes.LiteralUnroll,
        untyped_passes.LiteralPropagationSubPipelinePass,
        typed_passes.AnnotateTypes,
        typed_passes.DumpParforDiagnostics,
    }
)
_CLOSURES = frozenset({untyped_passes.InlineClosureLikes, untyped_passes.MakeFunctionToJitFunction})
_ARRAYS = frozenset({typed_passes.NopythonRewrites})  # expressions of whole arrays, which are made anew


def kernel_passes(state: Any) -> PassManager:
    """The passes for the function that is being compiled."""
    manager = DefaultPassBuilder.define_nopython_pipeline(state)
    needless = _NEEDLESS
    if not any(isinstance(constant, CodeType) for constant in state.func_id.code.co_consts):
        needless |= _CLOSURES
    instead: dict[type, type] = {typed_passes.NativeLowering: _NativeLowering}
    if not state.flags.nrt:
        needless |= _ARRAYS
        instead[typed_passes.IRLegalization] = _Legalization
    manager.passes = [(instead.get(step, step), text) for step, text in manager.passes if step not in needless]
    return manager


@register_pass(mutates_CFG=False, analysis_only=True)
class _Legalization(AnalysisPass):  # type: ignore[misc]
    """Without telling where variables end, which matters only where references are counted."""

    _name = "kernel_legalization"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        enforce_no_phis(state.func_ir)
        PostProcessor(state.func_ir).run()
        return True


class _Lower(lowering.Lower):  # type: ignore[misc]
    """Makes LLVM code of a function, without reading what a variable held before if nothing counts references."""

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        if self.context.enable_nrt or argidx is not None or name in self._singly_assigned_vars:
            super().storevar(value, name, argidx)
        else:
            self._alloca_var(name, self.typeof(name))
            place = self.getvar(name)
            assert value.type == place.type.pointee, (name, value.type, place.type)
            self.builder.store(value, place)


@register_pass(mutates_CFG=True, analysis_only=False)
class _NativeLowering(typed_passes.BaseNativeLowering):  # type: ignore[misc]
    """Makes LLVM code."""

    _name = "kernel_lowering"

    @property
    def lowering_class(self) -> type:
        return _Lower
