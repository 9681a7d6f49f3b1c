"""The house decks as tables, for tests of how decks are read."""

from __future__ import annotations

import csv
import io

from solver import decks, registry

ROWS = {kind.game: kind.house.rows() for kind in decks.kinds() if registry.is_own(kind.game)}
JAPANESE = {
    "card": "カード", "kind": "種類", "name": "名前", "suit": "スート", "number": "数字", "points": "点数",
    "provides": "提供", "makes": "調合品", "of": "材料", "bonus": "ボーナス", "metal": "記号",
    "water": "水", "vapor": "水蒸気", "acid": "酸", "aqua-regia": "王水",
}  # fmt: skip


def table(rows: list[dict[str, str]], separator: str = ",", columns: list[str] | None = None) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, columns or list(rows[0]), delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def spelled(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Needs are parted by + in tables."""
    return [{column: cell.replace(", ", " + ") for column, cell in row.items()} for row in rows]
