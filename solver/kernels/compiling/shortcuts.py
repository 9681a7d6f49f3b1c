"""What Numba does for every function although no kernel needs it, left out while kernels are compiled.

Each function here takes the place of one of Numba's, and does the same but for what it says. With the shorter list
of passes (`solver.kernels.compiling.passes`) that saves a sixth of the time that compiling the games takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from numba.core import analysis, errors, event, ir, postproc, transforms
from numba.core.base import BaseContext
from numba.core.codegen import CPUCodegen, CPUCodeLibrary, JITCPUCodegen
from numba.core.compiler_machinery import PassManager
from numba.core.postproc import PostProcessor
from numba.core.registry import cpu_target

from solver.kernels.compiling.linking import LinkableLibrary

_sizes: dict[Any, int] = {}
_walks: dict[type, Any] = {}  # for each type how to walk through its values; None where they hold no variables


def _variables(_instruction: ir.Inst, value: Any) -> list[ir.Var]:
    """All variables in a value: `ir.Inst._rec_list_vars`, which looks at the type of each part again and again."""
    found: list[ir.Var] = []
    _walk(value, found)
    return found


def _statement_variables(statement: ir.Stmt) -> list[ir.Var]:
    found: list[ir.Var] = []
    _walk_dict(statement.__dict__, found)
    return found


def _walk(value: Any, found: list[ir.Var]) -> None:
    of = type(value)
    try:
        walk = _walks[of]
    except KeyError:
        walk = _walks[of] = next((walk for base, walk in _WALKS if issubclass(of, base)), None)
    if walk is not None:
        walk(value, found)


def _walk_dict(values: dict[Any, Any], found: list[ir.Var]) -> None:
    for value in values.values():
        _walk(value, found)


def _walk_list(values: list[Any] | tuple[Any, ...], found: list[ir.Var]) -> None:
    for value in values:
        _walk(value, found)


_WALKS: tuple[tuple[Any, Any], ...] = (
    (ir.Var, lambda variable, found: found.append(variable)),
    (ir.Inst, lambda instruction, found: found.extend(instruction.list_vars())),
    ((list, tuple), _walk_list),
    (dict, _walk_dict),
)


def _use_defs(blocks: dict[int, ir.Block]) -> Any:
    """The variables that each block uses of others, and those that it defines: `analysis.compute_use_defs`."""
    uses: dict[int, set[str]] = {}
    definitions: dict[int, set[str]] = {}
    for offset, block in blocks.items():
        used = uses[offset] = set()
        defined = definitions[offset] = set()
        for statement in block.body:
            named = [variable.name for variable in statement.list_vars()]
            if type(statement) is ir.Assign:
                target = statement.target.name
                if named.count(target) == 1:
                    defined.add(target)
            used.update(name for name in named if name not in defined)
    return analysis._use_defs_result(usemap=uses, defmap=definitions)


_usual_run = PostProcessor.run


def _postprocess(self: PostProcessor, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """As `PostProcessor.run`, but which variables live where a block begins is told only of generators.

    Nothing else asks. To find that out at every pass takes an eighth of the time.
    """
    function = self.func_ir
    if function.is_generator:
        _usual_run(self, emit_dels, extend_lifetimes)
        return
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _run_pass(self: PassManager, _index: int, step: Any, state: Any) -> None:
    """One pass over a function, without telling and timing it."""
    step.analysis = self._analysis
    try:
        step.run_initialization(state)
        step.run_pass(state)
        step.run_finalizer(state)
    except errors.NumbaError as error:
        error.add_context(f"Pass {step.name()}")
        raise


def _optimize_functions(self: CPUCodeLibrary, module: Any) -> None:
    """The passes over single functions, by one pass manager, and only over functions that have a body."""
    module.data_layout = self._codegen._data_layout
    passes, builder = self._codegen._function_pass_manager()
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


def _size(self: BaseContext, kind: Any) -> int:
    """The bytes that a value of an LLVM type takes, worked out once for each type."""
    key = str(kind)
    found = _sizes.get(key)
    if found is None:
        found = _sizes[key] = _usual_size(self, kind)
    return found


_usual_size = BaseContext.get_abi_sizeof


def _refresh(self: BaseContext) -> None:
    """Look for new declarations of functions if there are any. Numba looks a dozen times for each function."""
    global _declared
    lists = (vars(registry) for registry in (*self._registries, *self.typing_context._registries))
    declared = sum(len(entries) for named in lists for entries in named.values())
    if declared != _declared or not declared:
        _usual_refresh(self)
        _declared = declared


_usual_refresh = BaseContext.refresh
_declared = -1


def _untimed(_kind: str, _callback: Callable[[float], None]) -> AbstractContextManager[None]:
    return nullcontext()


def _nothing(*_: Any) -> None:
    """What is left out altogether."""


_INSTEAD: list[tuple[Any, str, Any]] = [
    (ir.Inst, "_rec_list_vars", _variables),
    (ir.Stmt, "list_vars", _statement_variables),
    (analysis, "compute_use_defs", _use_defs),
    (PostProcessor, "run", _postprocess),
    (PassManager, "_runPass", _run_pass),
    (CPUCodeLibrary, "_optimize_functions", _optimize_functions),
    (CPUCodegen, "_check_llvm_bugs", _nothing),
    (BaseContext, "get_abi_sizeof", _size),
    (BaseContext, "refresh", _refresh),
    (event, "install_timer", _untimed),
    (JITCPUCodegen, "_library_class", LinkableLibrary),  # of Numba's own functions, which only kernels call
]


@contextmanager
def shortened() -> Iterator[None]:
    """Within this Numba takes the short cuts. Its lock for compiling must be held."""
    cpu_target.target_context.refresh()  # what is compiled for all users of Numba is compiled as usual
    usual = [(owner, name, vars(owner)[name]) for owner, name, _ in _INSTEAD]
    for owner, name, instead in _INSTEAD:
        setattr(owner, name, instead)
    try:
        yield
    finally:
        for owner, name, before in usual:
            setattr(owner, name, before)
