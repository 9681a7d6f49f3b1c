"""What may be behind the lead of a card in a plain game: who can beat it, who has to follow, what is kept back.

All of it is asked of the game's rules (`solver.tricks.rules.PlainRules`), so a game gets it without a word: a card
beats what lies if it is `playable` and then the `winner`, and a hand has to follow if it has any of the cards that
a holder of all cards would have to play.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from solver.common.masks import mask, members
from solver.hints.causes import Cause, Noted, Truths, Witnessed, shown, told
from solver.hints.paired import Sums
from solver.hints.ranking import Lead
from solver.kernels.arrays import Words
from solver.tricks.plain.positions import View
from solver.tricks.rules import PlainRules


def because(view: View, cards: Sequence[int], sums: Sums, ahead: Lead, rollouts: Witnessed, unit: str) -> str:
    """What is behind a clear lead, as a sentence with a space before it; empty where nothing shows.

    The rollouts have noted of each world the hands, as masks by seat. `unit` names several of the score.
    """
    noted = rollouts.witness.noted(sums)
    if noted is None:
        return ""
    causes = [*_duties(view, cards, noted, ahead), *_answers(view, cards, noted, ahead)]
    causes += _kept(view, cards, noted, ahead)
    return told(shown(noted, ahead, causes), unit)


def _later(view: View) -> list[int]:
    """The seats that are still to play to the current trick, in order."""
    return [(view.seat + step) % view.players for step in range(1, view.players - len(view.plays))]


def _duties(view: View, cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """The seats that are still to play have to follow, or not."""
    rules = view.past.rules
    for lead in view.plays[:1] or (cards[ahead.best], cards[ahead.second]):
        follow = rules.playable(rules.all_cards, (lead,))
        for seat in _later(view):
            has_to: Truths = (noted.words[:, seat] & follow) != 0
            yield Cause(f"seat {seat} may have to follow {rules.lead_text(lead)}", has_to)
            yield Cause(f"seat {seat} may have nothing that has to follow {rules.lead_text(lead)}", ~has_to)


def _answers(view: View, cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """The seats that are still to play can beat a card that wins so far, or not."""
    rules = view.past.rules
    for move in (ahead.best, ahead.second):
        trick = (*view.plays, cards[move])
        text = rules.name(cards[move])
        if not _later(view) or rules.winner(trick) != len(view.plays):
            continue
        beating = _beating(rules, trick, view.unseen)
        someone = np.zeros(len(noted.words), np.bool_)
        for seat in _later(view):
            answers = _playable(rules, noted.words[:, seat], trick) & beating
            someone |= answers != 0
            for held in members(int(np.bitwise_or.reduce(answers))):
                yield Cause(f"seat {seat} may beat {text} with {rules.name(held)}", (answers >> held & 1) != 0)
        yield Cause(f"a seat that is still to play may beat {text}", someone)
        yield Cause(f"{text} may be beaten by nobody still to play", ~someone)


def _kept(view: View, cards: Sequence[int], noted: Noted, ahead: Lead) -> Iterator[Cause]:
    """The next best card, kept back, is one that no other hand can beat when it is led."""
    rules = view.past.rules
    trick = (cards[ahead.second],)
    beating = _beating(rules, trick, view.unseen)
    safe = np.ones(len(noted.words), np.bool_)
    for seat in range(view.players):
        if seat != view.seat:
            safe &= (_playable(rules, noted.words[:, seat], trick) & beating) == 0
    yield Cause(f"{rules.name(trick[0])}, kept back, may be a card that no other hand can beat", safe)


def _beating(rules: PlainRules, trick: tuple[int, ...], cards: int) -> int:
    """Which of some cards would win a trick as it lies."""
    return mask(card for card in members(cards) if rules.winner((*trick, card)) == len(trick))


def _playable(rules: PlainRules, hands: Words, trick: tuple[int, ...]) -> Words:
    """What each of some hands may play next to an unfinished trick, as masks."""
    return np.array([rules.playable(hand, trick) for hand in hands.tolist()], np.int64)
