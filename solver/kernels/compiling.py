"""Compiling with Numba, which is imported only here: cached code runs without it (`solver.kernels.machine`).

Numba compiles a separate machine-code version of every function that a kernel calls, although the caller has the
same code inlined; with nested searches, most of the compile time goes into code that never runs. Here a function
has two forms. The one called from Python is compiled as usual (`Forms`). The one called from other kernels is only
translated to LLVM code (`Linkable`), which is linked into the caller and optimized there.

LLVM inlines small functions, but makes machine code of large ones, in each kernel that calls them. So the second
form of a function that is `apart` is only a declaration: its callers call the machine code of the first.
"""

from __future__ import annotations

import operator
import pickle
from collections.abc import Callable
from contextlib import AbstractContextManager
from copy import copy
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core import ir as numba_ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.serialize import dumps
from numba.core.typed_passes import InlineOverloads, NopythonRewrites, PreLowerStripPhis
from numba.core.untyped_passes import InlineClosureLikes, InlineInlinables, WithLifting
from numba.extending import intrinsic, lower_builtin
from numba.np import arrayobj, numpy_support

from solver.kernels import machine
from solver.kernels.cache import Files
from solver.kernels.kinds import ALIGNED, BOOLEAN, C_ORDER, FLOAT, FORTRAN_ORDER, INTEGER, WRITEABLE, order
from solver.kernels.machine import APART, Code, Part

_NUMBERS = {INTEGER: types.int64, FLOAT: types.float64, BOOLEAN: types.boolean}
_SETTINGS = ".numba_config.yaml"  # in the working folder it changes Numba's settings, unknown to the stamp
LINKABLE = "linkable"


class _Codegen:
    """Wraps Numba's code generator for libraries without machine code, whose variables have no addresses."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: the kernel that the code is linked into sets the environment."""


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """A library whose functions are optimized one by one before they are linked, as Numba does, but sooner."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class KernelLibrary(_Library):
    """The machine code of a kernel, which LLVM optimizes only once.

    Numba optimizes twice: the first pass is there to group operations of reference counting. Kernels use no Python
    objects, so one pass gives equally fast code, and Kirin's kernels compile in 15% less time (those of King ×
    Alchemy and Aqua Regia in hardly any less).
    """

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class LinkableLibrary(_Library):
    """A library of LLVM code to be linked into other kernels. It has no machine code."""

    @property
    def codegen(self) -> _Codegen:
        return _Codegen(self._codegen)

    def _optimize_final_module(self) -> None:
        """Do nothing: the kernel that the code is linked into optimizes it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def _get_module_for_linking(self) -> Any:
        """Like Numba's method, which refuses to link nothing: a kernel that is `apart` is only declared."""
        defined = any(not function.is_declaration for function in self._final_module.functions)
        return super()._get_module_for_linking() if defined else self._final_module

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        return self.name, LINKABLE, self._get_module_for_linking().as_bitcode()

    @classmethod
    def restored(cls, codegen: Any, name: str, bitcode: bytes) -> LinkableLibrary:
        """Restore a library from what `serialize_using_object_code` returned."""
        library = cls(codegen, name)
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


def _rebuilt(target_context: Any, payload: tuple[Any, ...]) -> CompileResult:
    """Rebuild a compile result from the `payload` that its `_reduce` returned."""
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
    """The cache of a function's `Linkable` form, with the interface of Numba's caches."""

    cache_path = ""

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        self._files = Files(function, options, f".{LINKABLE}")

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the cached result for a signature, or None."""
        try:
            data = self._files.load((signature, target_context.codegen().magic_tuple()))
            if data is None:
                return None
            parts, payload = pickle.loads(data)
            for part in parts:
                machine.load_part(part, compiles=True)
            return _rebuilt(target_context, payload)
        except Exception:  # code that cannot be linked is recompiled
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Save the compiled result for a signature, if it is cachable."""
        if cachable(result):
            data = _parts_of(result.library), result._reduce()
            self._files.save((signature, result.codegen.magic_tuple()), dumps(data))

    def flush(self) -> None:
        self._files.flush()


class _ApartCache(LinkableCache):
    """Has declarations of a kernel that is `apart`, whose machine code it loads or compiles."""

    def __init__(self, function: FunctionType, options: dict[str, Any], owner: CPUDispatcher) -> None:
        super().__init__(function, options)
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._owner = owner

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the declaration for a signature, after which code that calls it can be linked."""
        symbol = machine.load_part(Part(self._name, tuple(map(kind_of, signature))), compiles=True)
        declared = super().load_overload(signature, target_context)
        if declared is None:
            self._owner.compile(signature)
            _, descriptor, *rest = self._owner.overloads[signature]._reduce()
            descriptor = copy(descriptor)
            descriptor.mangled_name = symbol
            empty = LinkableLibrary(target_context.codegen(), symbol)
            empty.finalize()
            declared = _rebuilt(target_context, (empty.serialize_using_object_code(), descriptor, *rest))
            self.save_overload(signature, declared)
        return declared


def _parts_of(library: JITCodeLibrary) -> tuple[Part, ...]:
    """Return the kernels that code calls by their symbols."""
    names = (used.name for used in library._final_module.functions if used.is_declaration)
    return tuple(machine.SYMBOLS[name] for name in names if name in machine.SYMBOLS)


def cachable(result: Any) -> bool:
    """Return whether other processes could use a compiled result: it contains no addresses of this one."""
    return not result.library.has_dynamic_globals and all(loop.can_cache for loop in result.lifted)


@register_pass(mutates_CFG=False, analysis_only=False)
class PlainIndices(FunctionPass):  # type: ignore[misc]
    """Makes the indices of arrays unsigned: in kernels none counts from the end, and every check costs time.

    A negative index would need three instructions to tell, in each access. Without them, King × Alchemy's searches
    take a fifth less time.
    """

    _name = "plain_indices"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Change the accesses of a function and their types."""
        for block in state.func_ir.blocks.values():
            for number, step in enumerate(block.body):
                if isinstance(step, numba_ir.Assign):
                    step.value = self._plain(state.calltypes, step.value)
                else:
                    block.body[number] = self._plain(state.calltypes, step)
        return True

    def _plain(self, kinds: Any, node: Any) -> Any:
        """Return the node to use for `node`, and set its types in `kinds` if it is an access with an integer.

        A constant index is used like any other, unless it is negative, for Numba first looks in vain for a special
        way, which takes long.
        """
        reads = isinstance(node, numba_ir.Expr) and node.op in ("getitem", "static_getitem")
        if not reads and not isinstance(node, numba_ir.SetItem | numba_ir.StaticSetItem):
            return node
        signature = kinds.get(node)
        array, index, *value = signature.args if signature else (None, None)
        if not isinstance(array, types.Array) or not isinstance(index, types.Integer):
            return node
        plain = node
        if isinstance(node, numba_ir.StaticSetItem) or (reads and node.op == "static_getitem"):
            if node.index < 0:
                return node
            if reads:
                plain = numba_ir.Expr.getitem(node.value, node.index_var, node.loc)
            else:
                plain = numba_ir.SetItem(node.target, node.index_var, node.value, node.loc)
        del kinds[node]
        kinds[plain] = signature.replace(args=(array, types.uintp, *value))
        return plain


# Numba's code for an access unpacks the whole array, whose other parts LLVM then removes.


@lower_builtin(operator.getitem, types.Array, types.uintp)  # type: ignore[untyped-decorator]
def _read(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Read an entry of an array."""
    array, _ = signature.args
    if not _is_plain(context, array):
        return arrayobj.getitem_arraynd_intp(context, builder, signature, arguments)
    return arrayobj.load_item(context, builder, array, _address(context, builder, array, *arguments))


@lower_builtin(operator.setitem, types.Array, types.uintp, types.Any)  # type: ignore[untyped-decorator]
def _write(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Set an entry of an array."""
    array, _, kind = signature.args
    if not _is_plain(context, array):
        return arrayobj.setitem_array(context, builder, signature, arguments)
    *where, value = arguments
    value = context.cast(builder, value, kind, array.dtype)
    return arrayobj.store_item(context, builder, array, value, _address(context, builder, array, *where))


def _is_plain(context: Any, array: Any) -> bool:
    """Return whether an entry's address is that of the array's first, plus the index: nothing else is needed."""
    number = isinstance(array.dtype, types.Number | types.Boolean)
    return array.ndim == 1 and array.layout == "C" and number and not context.enable_boundscheck


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    return builder.gep(context.data_model_manager[kind].get(builder, array, "data"), [index])


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's pipeline without what kernels do not need, with `library` as the class that holds the compiled code.

    Numba analyzes a function anew after each pass, which only matters after nested functions were inlined, and it
    joins expressions of whole arrays, for which lean kernels have no memory.
    """

    library: type[JITCodeLibrary] = KernelLibrary

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(PlainIndices, PreLowerStripPhis)
        needless = {WithLifting, InlineInlinables, InlineOverloads}
        if not any(isinstance(constant, CodeType) for constant in self.state.func_id.code.co_consts):
            needless.add(InlineClosureLikes)
            pipeline._ENFORCING = False
        if not self.state.flags.nrt:
            needless.add(NopythonRewrites)
        pipeline.passes = [step for step in pipeline.passes if step[0] not in needless]
        pipeline.finalize()
        return [pipeline]

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class _LinkableCompiler(KernelCompiler):
    """Like `KernelCompiler`, for code that is linked into other kernels."""

    library = LinkableLibrary


def _known(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that Numba knows."""
    return {name: value for name, value in options.items() if name != APART}


class Linkable(CPUDispatcher):  # type: ignore[misc]
    """The form of a kernel that other kernels call; never called from Python."""

    def __init__(self, function: FunctionType, options: dict[str, Any], owner: CPUDispatcher) -> None:
        bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={**_known(options), **bare}, pipeline_class=_LinkableCompiler)
        self._owner = owner
        apart = options.get(APART, False)
        self._cache = _ApartCache(function, options, owner) if apart else LinkableCache(function, options)

    @property
    def is_compiling(self) -> bool:
        """Whether the function is being compiled in either form, so that a call of it would be recursive."""
        return bool(self._compiling_counter or self._owner._compiling_counter)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Like Numba's method, but ignore that some arguments are constants.

        So the function is compiled once, not once for each constant. LLVM propagates the constants after linking.
        """
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(map(types.unliteral, args)), plain)


class Forms(CPUDispatcher):  # type: ignore[misc]
    """The form of a kernel that Python code calls; `linkable` is the form that other kernels call."""

    def __init__(self, function: FunctionType, options: dict[str, Any]) -> None:
        bare = {"no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={**_known(options), **bare}, pipeline_class=KernelCompiler)
        self.linkable = Linkable(function, options, self)

    def code(self, kinds: tuple[Any, ...]) -> tuple[Code, bool, Callable[..., Any]]:
        """Compile for arguments of these kinds (`solver.kernels.kinds.kind`).

        Returns the machine code, whether other processes can use it, and a function that runs it in this one.
        Raises TypeError for a `lean` kernel that returns an array, whose memory nothing would keep.
        """
        signature = tuple(map(numba_type, kinds))
        self.compile(signature)
        result = self.overloads[signature]
        if not self.targetoptions.get("_nrt", True) and has_array(result.signature.return_type):
            raise TypeError(f"{self.py_func.__qualname__} is lean and returns an array: make it a `kernel`")
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
            native=result.fndesc.llvm_func_name,
            constants=tuple((name, list(found)) for name, found in constants),
            needs=tuple(needs),
            parts=_parts_of(result.library),
            image=result.library._get_compiled_object(),
        )
        # Linked code may use environments that no machine code of its own has registered.
        for name, found in known:
            if found is not None:
                result.codegen.set_env(name, found)
        return code, cachable(result) and not Path(_SETTINGS).exists(), result.entry_point


# Faster versions of some of Numba's functions, with the same results.

_resolved: dict[Any, Any] = {}
_resolve = types.Function.get_call_type


def _call_type(function: Any, context: Any, arguments: Any, named: Any) -> Any:
    """Like Numba's method for its own functions and operators, but resolve each kind of call only once.

    A game's kernels have thousands of operations on integers, and Numba tries its many templates for each.
    """
    key = function, arguments, tuple(named.items())
    if key not in _resolved:
        _resolved[key] = _resolve(function, context, arguments, named)
    return _resolved[key]


types.Function.get_call_type = _call_type

_WITHOUT_VARIABLES = frozenset({str, int, bool, type(None), numba_ir.Loc})
_list_variables = numba_ir.Inst._rec_list_vars


def _variables(step: Any, value: Any) -> Any:
    """Like Numba's method, which lists the variables of a part of a step, but soon done with the usual parts."""
    of = type(value)
    return [value] if of is numba_ir.Var else [] if of in _WITHOUT_VARIABLES else _list_variables(step, value)


numba_ir.Inst._rec_list_vars = _variables

_sizes: dict[Any, int] = {}
_size = CPUContext.get_abi_sizeof


def _size_of(context: Any, kind: Any) -> int:
    """Like Numba's method, which lets LLVM read a module for the size of each variable, but once for each kind."""
    if kind not in _sizes:
        _sizes[kind] = _size(context, kind)
    return _sizes[kind]


CPUContext.get_abi_sizeof = _size_of


def has_array(kind: Any) -> bool:
    """Return whether a Numba type is that of an array, or of a tuple with an array in it."""
    return isinstance(kind, types.Array) or (isinstance(kind, types.BaseTuple) and any(map(has_array, kind.types)))


def one_at_a_time() -> AbstractContextManager[Any]:
    """Return the lock that lets only one thread compile at a time."""
    lock: AbstractContextManager[Any] = global_compiler_lock
    return lock


def called(forms: Forms) -> types.Dispatcher:
    """Return the Numba type that a kernel has within a kernel that calls it."""
    return types.Dispatcher(forms.linkable)


def numba_type(kind: Any) -> Any:
    """Return Numba's type for arguments of a kind (`solver.kernels.kinds.kind`)."""
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


def kind_of(numba_kind: Any) -> Any:
    """Return a kind of arguments for which `numba_type` returns a type. Raises TypeError if there is none."""
    if isinstance(numba_kind, types.Array):
        orders = {"C": C_ORDER, "F": FORTRAN_ORDER, "A": 0}[numba_kind.layout]
        if orders and numba_kind.ndim == 1:
            orders = C_ORDER | FORTRAN_ORDER
        flags = orders | (WRITEABLE if numba_kind.mutable else 0) | (ALIGNED if numba_kind.aligned else 0)
        return numpy_support.as_dtype(numba_kind.dtype), numba_kind.ndim, flags
    if isinstance(numba_kind, types.BaseTuple):
        return (getattr(numba_kind, "instance_class", tuple), *map(kind_of, numba_kind.types))
    for kind, number in _NUMBERS.items():
        if numba_kind == number:
            return kind
    raise TypeError(f"kernels that are apart take no {numba_kind}")


# The operations on words of `solver.kernels.words`: one instruction each.


def function_type(name: str) -> types.Function:
    """Return Numba's type for one of the operations below, by name."""
    cpu_target.typing_context.refresh()  # it may not have seen this file yet
    operation: types.Function = cpu_target.typing_context.resolve_value_type(globals()[name])
    return operation


@intrinsic  # type: ignore[untyped-decorator]
def wrapping_sum(_context: Any, first: Any, second: Any) -> Any:
    """Return the sum modulo 2**64 as a signed word."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.add(*arguments)

    return types.int64(types.int64, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def wrapping_product(_context: Any, first: Any, second: Any) -> Any:
    """Return the product modulo 2**64 as a signed word."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.mul(*arguments)

    return types.int64(types.int64, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def popcount(_context: Any, word: Any) -> Any:
    """Return the number of bits that are set."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def trailing_zeros(_context: Any, word: Any) -> Any:
    """Return the index of the lowest set bit; 64 for zero."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.false_bit)

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def highest_one(_context: Any, word: Any) -> Any:
    """Return the index of the highest set bit; -1 for zero."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.sub(arguments[0].type(63), builder.ctlz(arguments[0], cgutils.false_bit))

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(_context: Any, words: Any, index: Any) -> Any:
    """Request the cache line of `words[index]` without waiting for it."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte = ir.IntType(8).as_pointer()
        word = ir.IntType(32)
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
        fetch = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, word, word, word]), "llvm.prefetch.p0"
        )
        builder.call(fetch, [place, word(0), word(3), word(1)])  # for reading, kept in all caches, data
        return context.get_dummy_value()

    return types.none(words, types.int64), build
