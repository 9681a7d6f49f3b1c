"""What workers of jobs may take of the memory."""

from __future__ import annotations

from solver.search.memory.settings import memory_megabytes, table_megabytes


def share_megabytes(workers: int) -> int:
    """The MiB of tables that each of so many workers may take: a part of what all searches may take together.

    It is never too little for tables of the size that is set, on which the nodes of a search depend.
    """
    return max(2 * table_megabytes(), memory_megabytes() // workers)
