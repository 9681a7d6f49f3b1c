"""What users may set of the memory of searches, in the environment."""

from __future__ import annotations

from functools import cache

from solver.errors import whole_number
from solver.search.memory import machine

MEGABYTE = 1 << 20
LEAST_MEGABYTES = 16  # of all tables together
TABLE_MEGABYTES = 256  # of one, unless another size is set
_MOST = 1 << 24
_MOST_OF_A_TABLE = 65536
_MOST_BY_DEFAULT = 2048  # MiB
_UNKNOWN = 4096 * MEGABYTE  # what a machine is taken to have that does not tell


def memory_megabytes() -> int:
    """The most that all tables may take: ATHANOR_MEMORY_MB, by default half the machine's memory, at most 2 GiB.

    Raises RequestError when the variable is no such number.
    """
    found = whole_number("ATHANOR_MEMORY_MB", LEAST_MEGABYTES, _MOST, "MiB")
    return default_megabytes() if found is None else found


def table_megabytes() -> int:
    """The size that a prover's table should have: ATHANOR_TABLE_MB, 256 by default.

    Raises RequestError when the variable is no such number.
    """
    found = whole_number("ATHANOR_TABLE_MB", 1, _MOST_OF_A_TABLE, "MiB")
    return TABLE_MEGABYTES if found is None else found


@cache
def default_megabytes() -> int:
    """Half of the memory that this process may have, at most 2 GiB."""
    half = (machine.available() or _UNKNOWN) // 2 // MEGABYTE
    return max(LEAST_MEGABYTES, min(_MOST_BY_DEFAULT, half))
