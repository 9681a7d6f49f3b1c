"""Surveys over many deals: finding them by name, and merging the rows of their parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Unpack, cast

from athanor.arguments import control_of
from athanor.asking import Count, Search, Seed, checked
from solver import registry
from solver.errors import RequestError
from solver.game import Parts, Survey
from solver.language import say

if TYPE_CHECKING:
    from solver.answers import Answer, WinrateResult


@checked
def winrate(
    variant: str, *, deals: Count = 100_000, seed: Seed = 0, jobs: Count = 1, **search: Unpack[Search]
) -> WinrateResult:
    """How many deals of a solitaire of Alchemy can be won, with a 95% interval.

    `variant` is "solo" or "alternative". The first `deals` deals of a seed are solved in `jobs` threads, whose
    number does not change the result. The limits are as for `analyze`; if one ends the survey early, it is not
    `finished` and covers the deals done by then.

    Raises RequestError for a variant that is not a solitaire.
    """
    (survey,) = (survey for survey in registry.game("alchemy").surveys if survey.name == "winrate")
    assert survey.run is not None
    control = control_of(search)
    survey.run(variant, deals=1)  # loads the kernels, which should not count as time
    control.restart()
    return cast("WinrateResult", survey.run(variant, deals=deals, seed=seed, jobs=jobs, control=control))


_WHOSE = ("game", "survey", "variant", "seed")  # the keys of a row that identify its survey


def find(game: str, name: str, variant: str | None) -> tuple[Survey, Parts, str]:
    """Find a survey that can be split into parts; return the survey, how it is split, and the variant.

    Without `variant`, the survey's first is used. Raises RequestError for an unknown game, survey or variant.
    """
    from solver.validation import with_names

    there = {survey.name: survey for survey in registry.game(game).surveys if survey.parts is not None}
    if name not in there:
        sentence = say("{game} has no survey {name!r}", game=game, name=name[:40])
        raise RequestError("unknown_value", with_names(sentence, name, there), "survey")
    survey = there[name]
    variant = survey.variants[0] if variant is None else variant
    if variant not in survey.variants:
        sentence = say("{name} has no variant {variant!r}", name=name, variant=variant[:40])
        raise RequestError("unknown_value", with_names(sentence, variant, survey.variants), "variant")
    assert survey.parts is not None
    return survey, survey.parts, variant


def labelled(game: str, name: str, variant: str, seed: int, row: Mapping[str, Any]) -> dict[str, Any]:
    """Add the keys that identify a survey to one of its rows."""
    return {"game": game, "survey": name, "variant": variant, "seed": seed, **row}


def together(rows: Iterable[Mapping[str, Any]]) -> tuple[Survey, Answer]:
    """Merge the rows of a survey, in any order; return the survey and its result.

    Raises RequestError if there are no rows, or if they belong to different surveys or seeds, count a deal twice,
    or are not rows of a survey.
    """
    all_rows = list(rows)
    if not all_rows:
        raise RequestError("wrong_size", say("there are no rows of a survey"))
    try:
        whose = {tuple(row[key] for key in _WHOSE) for row in all_rows}
    except (KeyError, TypeError):
        raise RequestError("wrong_type", say("these are not the rows of a survey")) from None
    if len(whose) > 1:
        raise RequestError("conflict", say("the rows belong to several surveys or seeds"))
    game, name, variant, seed = whose.pop()
    survey, parts, variant = find(game, name, variant)
    try:
        return survey, parts.merged(variant, seed, all_rows)
    except (KeyError, TypeError, ValueError, IndexError):
        raise RequestError(
            "wrong_type", say("these are not the rows of a survey {name} of {game}", name=name, game=game)
        ) from None
