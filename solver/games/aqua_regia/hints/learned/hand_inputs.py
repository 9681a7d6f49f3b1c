"""What the learned player of Aqua Regia is told of a hand, as kernels: see `choice_inputs`."""

from __future__ import annotations

from solver.games.aqua_regia.hints.learned.sight import COUNTS, FIELDS, Odds, Sight, field_after
from solver.kernels.arrays import Floats, Words
from solver.kernels.jit import lean

BINS = 16  # parts of a deck, the weakest metals first
_OF_FIELD = 6
HAND = _OF_FIELD * FIELDS + 15 + BINS  # inputs


@lean
def write_bins(counts: Words, metals: int, scale: float, row: Floats, at: int) -> None:
    """Write how many cards of each part of the deck there are: `BINS` inputs."""
    metal = 0
    for part in range(BINS):
        many = 0
        while metal < metals and metal * BINS < (part + 1) * metals:
            many += counts[metal]
            metal += 1
        row[at + part] = scale * many


@lean
def _tell_field(sight: Sight, odds: Odds, hand: Words, field: int, row: Floats, at: int) -> None:
    """Write what of a hand a field lets out."""
    reactivity = sight.game.reactivity
    out, groups, whole, kept, best, best_single = 0, 0, 0, 0.0, 0.0, 0.0
    for metal in range(reactivity.shape[1]):
        held = hand[metal]
        lets = reactivity[field, metal]
        if held == 0 or lets == 0:
            continue
        most = min(held, COUNTS) if lets > 1 else 1
        safe = odds.safe[field, most - 1, metal]
        out += held
        groups += 1
        whole += held if most == held else 0
        kept += safe * most
        best = max(best, safe)
        best_single = max(best_single, odds.safe[field, 0, metal])
    row[at] = 0.1 * out
    row[at + 1] = 0.15 * groups
    row[at + 2] = 0.1 * whole
    row[at + 3] = 0.15 * kept
    row[at + 4] = best
    row[at + 5] = best_single


@lean
def hand_inputs(sight: Sight, odds: Odds, hand: Words, step: int, row: Floats, at: int) -> None:
    """Write what is so of a hand: `HAND` inputs. The fields change by `step`; the one of now comes first."""
    game = sight.game
    reactivity = game.reactivity
    metals = reactivity.shape[1]
    for later in range(FIELDS):
        field = field_after(game.scalars, later, step)
        _tell_field(sight, odds, hand, field, row, at + _OF_FIELD * later)
    at += _OF_FIELD * FIELDS
    cards, groups, plays, pairs, threes, fours = 0, 0, 0, 0, 0, 0
    one, two, three, four = 0, 0, 0, 0
    for metal in range(metals):
        held = hand[metal]
        if held == 0:
            continue
        cards += held
        groups += 1
        pairs += int(held == 2)
        threes += int(held == 3)
        fours += int(held > 3)
        fields, together = 0, False
        for field in range(FIELDS):
            fields += int(reactivity[field, metal] > 0)
            together = together or reactivity[field, metal] > 1
        plays += (held + COUNTS - 1) // COUNTS if together else held
        one += held if fields == 1 else 0
        two += held if fields == 2 else 0
        three += held if fields == 3 else 0
        four += held if fields == 4 else 0
    row[at] = 0.1 * cards
    row[at + 1] = 0.125 * groups
    row[at + 2] = 0.125 * plays
    row[at + 3] = 0.5 * pairs
    row[at + 4] = 0.5 * threes
    row[at + 5] = 1.0 * fours
    row[at + 6] = 0.25 * one
    row[at + 7] = 0.25 * two
    row[at + 8] = 0.25 * three
    row[at + 9] = 0.25 * four
    row[at + 10] = 1.0 if cards == 1 else 0.0
    row[at + 11] = 1.0 if cards == 2 else 0.0
    row[at + 12] = 1.0 if cards == 3 else 0.0
    row[at + 13] = 1.0 if groups == 1 else 0.0
    row[at + 14] = 1.0 if groups == 2 else 0.0
    write_bins(hand, metals, 0.5, row, at + 15)
