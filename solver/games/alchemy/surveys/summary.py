"""A `winrate` for a person: the winnable share, what simple players win, where deals are lost."""

from __future__ import annotations

from collections.abc import Iterable

from solver.games.alchemy.surveys.by_hint import ByHint
from solver.games.alchemy.surveys.parts import Policies
from solver.games.alchemy.surveys.winrate import PolicyShare, Share, WinrateResult
from solver.protocol.survey import Section

_BAR = 40  # characters of the longest bar


def sections(result: WinrateResult) -> list[Section]:
    """The result as headings and labelled lines."""
    ended = "" if result.finished else " (ended before all were dealt)"
    rows = [
        ("Variant", result.variant),
        ("Deals", f"{result.deals:,}{ended}, seed {result.seed}"),
        ("Winnable", f"{result.won:,}, {_share(result)}" if result.deals else "unknown"),
    ]
    if result.deals_per_second is not None:
        rows.append(("Speed", f"{result.deals_per_second:,.0f} deals/s, {result.seconds:.2f} s"))
    parts = [Section(None, rows)]
    played = [policy for policy in result.policies if policy.deals]
    if played:
        parts.append(_players(played))
    if any(result.lost_at):
        most = max(result.lost_at)
        lost = [(left, count) for left, count in enumerate(result.lost_at) if count]
        bars = [(str(left), f"{count:>9,} {'▇' * round(_BAR * count / most)}") for left, count in lost]
        parts.append(Section("Lost deals by the fewest stock cards left:", bars))
    return parts


def policy_sections(result: Policies) -> list[Section]:
    """What simple players win, as headings and labelled lines."""
    rows = [("Variant", result.variant), ("Deals", f"{result.deals:,}, seed {result.seed}")]
    return [Section(None, rows), _players(result.policies)]


def hint_sections(result: ByHint) -> list[Section]:
    """What is won by following hints, as labelled lines."""
    rows = [
        ("Variant", result.variant),
        ("Deals", f"{result.deals:,}, seed {result.seed}"),
        ("Hints", f"{result.nodes:,} nodes each, the stock hidden"),
        ("Won", f"{result.won:,}, {_share(result)}"),
    ]
    if result.adjusted is not None and result.half is not None:
        rows.append(("Luck off", f"{result.adjusted:.4%} (95%: ± {result.half:.4%})"))
    return [Section(None, rows)]


def _players(policies: Iterable[PolicyShare]) -> Section:
    rows = [(policy.name, f"{_share(policy)}  {policy.description}") for policy in policies]
    return Section("Won by policies that do not see the stock:", rows)


def _share(part: Share) -> str:
    return f"{part.share:.4%} (95%: {part.low:.4%} to {part.high:.4%})"
