"""The operations on words of `solver.kernels.bits` as Numba compiles them: an instruction each."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic


def function_type(name: str) -> types.Function:
    """What Numba sees where a kernel names the operation."""
    cpu_target.typing_context.refresh()  # it may not have seen this file yet
    found: types.Function = cpu_target.typing_context.resolve_value_type(globals()[name])
    return found


@intrinsic  # type: ignore[untyped-decorator]
def wrapping_sum(_context: Any, first: Any, second: Any) -> Any:
    """The sum modulo 2**64, signed."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.add(*arguments)

    return types.int64(types.int64, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def wrapping_product(_context: Any, first: Any, second: Any) -> Any:
    """The product modulo 2**64, signed."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.mul(*arguments)

    return types.int64(types.int64, types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def popcount(_context: Any, word: Any) -> Any:
    """The number of ones."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def trailing_zeros(_context: Any, word: Any) -> Any:
    """The index of the lowest one; 64 for zero."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.false_bit)

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def highest_one(_context: Any, word: Any) -> Any:
    """The index of the highest one; -1 for zero."""

    def build(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.sub(arguments[0].type(63), builder.ctlz(arguments[0], cgutils.false_bit))

    return types.int64(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def unsigned(_context: Any, word: Any) -> Any:
    """A word that is not negative, as an index that is not tested for that.

    An index of a signed type counts from the end if it is negative, which takes three instructions to find
    out. Measured, rollouts are a fifth faster without; only an index: in sums with int64 it makes a float.
    """

    def build(_ctx: Any, _builder: Any, _signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return types.uintp(types.int64), build


@intrinsic  # type: ignore[untyped-decorator]
def prefetch(_context: Any, words: Any, index: Any) -> Any:
    """Ask for the cache line of `words[index]`, without waiting for it as a read would."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte = ir.IntType(8).as_pointer()
        word = ir.IntType(32)
        place = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
        fetch = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte, word, word, word]), "llvm.prefetch.p0"
        )
        builder.call(fetch, [place, word(0), word(3), word(1)])  # to read, to keep in all caches, data
        return context.get_dummy_value()

    return types.none(words, types.int64), build
