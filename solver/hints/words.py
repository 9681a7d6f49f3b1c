"""Words of reasons: means over the sampled worlds, as people say them."""

from __future__ import annotations


def amount(value: float, unit: tuple[str, str]) -> str:
    """A number, such as a mean, to two places; `unit` names one and several."""
    one, several = unit
    return f"{value:.2f} {several}" if f"{value:.2f}" != "1.00" else f"1 {one}"


def points(value: float) -> str:
    """A number of points, such as a mean, to two places."""
    return amount(value, ("point", "points"))


def share(value: float) -> str:
    """A share of the sampled worlds, from 0 to 1; what is rounded is neither all nor none."""
    if value >= 1 - 1e-12:
        return "all"
    if value <= 1e-12:
        return "none"
    percent = round(100 * value)
    return "more than 99%" if percent == 100 else "less than 1%" if percent == 0 else f"{percent}%"
