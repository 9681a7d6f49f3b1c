"""How a pydantic validator of ours says what is wrong: with the contract's code and path."""

from __future__ import annotations

from pydantic_core import PydanticCustomError


def fault(code: str, message: str, path: str = "") -> PydanticCustomError:
    """An error to raise inside a validator; `path` is seen from the value being validated."""
    return PydanticCustomError(code, "{message}", {"message": message, "path": path})
