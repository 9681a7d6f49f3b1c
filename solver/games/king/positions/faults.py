"""Why a play or a taking is against the rules, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solver.common.masks import mask, members
from solver.games.king.cards.deck import Deck
from solver.games.king.cards.rules import TAKEN, Play, Taking, available, bottom, winner
from solver.games.king.cards.text import play_text


def listed(deck: Deck, cards: Iterable[int]) -> str:
    return " ".join(deck.codes(cards))


def taking_fault(deck: Deck, trick: Sequence[Play], taking: Taking) -> tuple[str, str] | None:
    """What is wrong with a taking: where ("taken", "taken[1]", "given") and why; None when it is legal."""
    place = winner(deck, trick)
    kept = trick[place].card
    lower = available(deck, trick)
    cards = [play.card for play in trick]
    for index, card in enumerate(taking.taken):
        code, where = deck.cards[card].code, f"taken[{index}]"
        if card not in cards:
            return where, f"{code} is not in the trick"
        if card == kept:
            return where, f"{code} won the trick and is kept; it is not among the cards taken"
        if not lower >> card & 1:
            number = deck.cards[kept].number
            return (
                where,
                f"{code} may not be taken: its number is not below {number}, that of {deck.cards[kept].code}",
            )
        if card in taking.taken[:index]:
            return where, f"{code} is taken twice"
    wanted = min(TAKEN, lower.bit_count())
    if len(taking.taken) != wanted:
        choice = f"of {listed(deck, members(lower))} " if lower else ""
        return (
            "taken",
            f"{choice}exactly {wanted} must be taken with {deck.cards[kept].code}, not {len(taking.taken)}",
        )
    return _giving_fault(deck, trick, taking, mask(cards) & ~(1 << kept) & ~mask(taking.taken))


def _giving_fault(deck: Deck, trick: Sequence[Play], taking: Taking, left: int) -> tuple[str, str] | None:
    given, receiver = taking.given, bottom(deck, trick)
    code = "" if given is None else deck.cards[given].code
    if given is not None and receiver is None:
        return "given", f"{code} is given to nobody: this trick has no bottom"
    if given is not None and not left >> given & 1:
        return "given", f"{code} is not among the cards left of the trick: {listed(deck, members(left)) or 'none'}"
    if given is None and receiver is not None and left:
        whose = play_text(deck, trick[receiver])
        return "given", f"one of {listed(deck, members(left))} must be given to the player of {whose}, the bottom"
    return None
