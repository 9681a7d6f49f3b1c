"""What cannot be asked of a position, or dealt: errors that all games raise in the same words."""

from __future__ import annotations

from collections.abc import Sequence

from solver.inputs.errors import RequestError


def hidden_hands(wanted: str) -> RequestError:
    """A view cannot be analyzed; `wanted` says what has to be given."""
    return RequestError("hidden_cards", f"the other hands are hidden: to analyze, give {wanted}", "hand")


def view_not_played() -> RequestError:
    """A view cannot be played on from."""
    return RequestError("hidden_cards", "a view is not played on from: the other hands are hidden", "hand")


def nothing_hidden() -> RequestError:
    """A position with every card known needs no hint."""
    message = "every card is known: analyze, or ask for a hint of one seat's view"
    return RequestError("all_known", message, "hands")


def history_needed() -> RequestError:
    """What a seat sees does not follow from a position that does not tell the tricks before."""
    return RequestError("missing_key", "a view needs the tricks played before: give history", "history")


def check_viewer(seat: int, players: int, own: int | None = None) -> None:
    """Raise RequestError for a seat that there is not, or that is not the `own` one of a view."""
    if not 0 <= seat < players:
        raise RequestError("out_of_range", f"there is no seat {seat}; seats are 0 to {players - 1}", "seat")
    if own not in (None, seat):
        raise RequestError("hidden_cards", f"this is what seat {own} sees, not seat {seat}", "seat")


def dealt_players(game: str, players: int | None, bounds: tuple[int, int], usual: int) -> int:
    """How many players a deal is for: `usual`, unless it is said. Raises RequestError outside the bounds."""
    fewest, most = bounds
    players = usual if players is None else players
    if not fewest <= players <= most:
        numbers = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        raise RequestError("out_of_range", f"{game} is for {numbers} players, not for {players}", "players")
    return players


def dealt_variant(game: str, variant: str | None, variants: Sequence[str]) -> str | None:
    """Which variant is dealt: the first, unless it is said. Raises RequestError for one that is not offered."""
    if variants:
        variant = variant or variants[0]
    if variant is not None and variant not in variants:
        offered = f"{' and '.join(variants)} are" if variants else f"{game} has no variants"
        raise RequestError("unknown_value", f"{variant!r} is not dealt; {offered}", "variant")
    return variant
