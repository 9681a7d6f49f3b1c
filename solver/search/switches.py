"""The switches of the searches: one bit of a deal's word `SWITCHES` for each part that can be turned off.

The parts that games share have their bits here; a game's own are allotted behind them, by `Switches`. The answer
to a question never depends on a switch, only the work does; so tests turn each part off and on.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TABLE = 1 << 0  # both trick searches: remember boundaries
PROOF_NUMBERS = 1 << 1  # the score search: proof numbers where many tricks are left, not alpha-beta alone
ATTEMPTS = 1 << 2  # the score search: short attempts, each in another order
HISTORY = 1 << 3  # the fail-soft search: moves that have cut before come first
RELATED = 1 << 4  # the fail-soft search: bounds of nodes that are known to be worth less or more
RELAXING = 1 << 5  # the fail-soft search: ask a node worth no more first
PROBING = 1 << 6  # the fail-soft search: try the opponents' moves in rounds of few nodes
FIRST_OWN = 16  # the bit of a game's first own switch

SHARED: Mapping[str, int] = MappingProxyType(
    {
        "table": TABLE,
        "proof_numbers": PROOF_NUMBERS,
        "attempts": ATTEMPTS,
        "history": HISTORY,
        "related": RELATED,
        "relaxing": RELAXING,
        "probing": PROBING,
    }
)


class Switches:
    """The switches of one game: those of the shared parts that it uses, and its own, each with a bit of its own.

    Raises ValueError for a name that is taken or unknown, and when the bits of a word are used up.
    """

    def __init__(self, *shared: str) -> None:
        self.named: dict[str, int] = {}
        for name in shared:
            if name not in SHARED:
                raise ValueError(f"no shared switch is named {name!r}; there are {', '.join(SHARED)}")
            self._enter(name, SHARED[name])
        self._next = FIRST_OWN

    def own(self, name: str) -> int:
        """The bit of a further switch, for a part of the game's own."""
        if self._next > 62:
            raise ValueError(f"no bit is left for the switch {name!r}")
        if name in SHARED:
            raise ValueError(f"the switch {name!r} is one of the shared ones")
        bit = 1 << self._next
        self._enter(name, bit)
        self._next += 1
        return bit

    def _enter(self, name: str, bit: int) -> None:
        if name in self.named:
            raise ValueError(f"there are two switches {name!r}")
        self.named[name] = bit

    @property
    def everything(self) -> int:
        """All switches on."""
        return sum(self.named.values())
