"""A question as a command was given it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

KINDS = ("analyze", "hint", "compound")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question about the position in one input.

    `kind` is the function of `athanor` that answers it, `options` its keyword arguments beside the position,
    `name` what messages call the input, and `content` its bytes. The answer is told as JSON, or as tables with at
    most the first moves or with `every` one. `pictured`: a picture of it is wished too.
    """

    kind: str
    options: dict[str, Any]
    name: str
    content: bytes
    as_json: bool = False
    every: bool = False
    pictured: bool = False

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready data that `from_dict` reads back."""
        return asdict(self) | {"content": self.content.decode("latin-1")}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Question:
        return cls(**data | {"content": data["content"].encode("latin-1")})
