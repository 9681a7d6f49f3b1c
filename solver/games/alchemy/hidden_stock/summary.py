"""A `winrate` for a person: the winnable share, what simple players win, where deals are lost."""

from __future__ import annotations

from solver.games.alchemy.hidden_stock.winrate import Share, WinrateResult
from solver.protocol.survey import Section

_BAR = 40  # characters of the longest bar


def sections(result: WinrateResult) -> list[Section]:
    """The result as headings and labelled lines."""
    ended = "" if result.finished else " (ended before all were dealt)"
    rows = [
        ("Variant", result.variant),
        ("Deals", f"{result.deals:,}{ended}, seed {result.seed}"),
        ("Winnable", f"{result.won:,}, {_share(result)}" if result.deals else "unknown"),
        ("Speed", f"{result.deals_per_second:,.0f} deals/s, {result.seconds:.2f} s"),
    ]
    parts = [Section(None, rows)]
    played = [policy for policy in result.policies if policy.deals]
    if played:
        rows = [(policy.name, f"{_share(policy)}  {policy.description}") for policy in played]
        parts.append(Section("Won by policies that do not see the stock:", rows))
    if any(result.lost_at):
        most = max(result.lost_at)
        lost = [(left, count) for left, count in enumerate(result.lost_at) if count]
        bars = [(str(left), f"{count:>9,} {'▇' * round(_BAR * count / most)}") for left, count in lost]
        parts.append(Section("Lost deals by the fewest stock cards left:", bars))
    return parts


def _share(part: Share) -> str:
    return f"{part.share:.4%} (95%: {part.low:.4%} to {part.high:.4%})"
