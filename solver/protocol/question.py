"""What a game declares of a question of its own, beside those about moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from pydantic import BaseModel

    from solver.common.control import Control
    from solver.protocol.answers import Answer


class Example(NamedTuple):
    """A body of a request that works as it is, and what it asks for in a few words."""

    summary: str
    body: Mapping[str, Any]


class Question(Protocol):
    """A question that some positions of a game can be asked, such as "compound". `asks` tells of which."""

    @property
    def answer_type(self) -> type[Answer]:
        """The type of `answer`, for the API's document."""

    @property
    def examples(self) -> Mapping[str, Example]:
        """Requests that ask it, by a short name."""

    def answer(self, position: BaseModel, control: Control, wishes: Any = None) -> Answer:
        """The answer. `wishes` are what the question takes beside a position; None: nothing is wished.

        Raises RequestError for a position or for wishes that cannot be answered.
        """

    def warm(self) -> None:
        """Load all that answering needs, so that no user waits for it."""
