"""What users set in the environment, read strictly."""

from __future__ import annotations

import os

from solver.inputs.errors import RequestError

_SHOWN = 40  # characters of a value that is refused
_DIGITS = 9


def whole_number(variable: str, least: int, most: int, unit: str = "") -> int | None:
    """A number from the environment; None where the variable is not set.

    Raises RequestError, which names the variable, where it is no whole number from `least` to `most`; `unit` says
    of what.
    """
    text = os.environ.get(variable)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= _DIGITS and least <= int(text) <= most):
        what = f"a number of {unit}" if unit else "a number"
        message = f"{variable} must be {what} from {least} to {most}, not {text[:_SHOWN]!r}"
        raise RequestError("out_of_range", message)
    return int(text)
