"""The files that keep games in progress, and the folder for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from athanor.sessions import Session


class File:
    """Where a game is kept. Saving never ends the game: what goes wrong is told once, and play goes on."""

    def __init__(self, path: Path, *, named: bool) -> None:
        self.path = path
        self.named = named  # by the player, who then keeps it when the game is over, too
        self.trouble: str | None = None

    def save(self, session: Session) -> bool:
        """Write the game whole, or leave what was there; whether it was written. `trouble` says why not."""
        from api.cli.terminal.failures import reason_of
        from puzzles.format import replacing

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(session.saved.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
            with replacing(self.path) as temporary:
                temporary.write_text(text + "\n", encoding="utf-8")
        except OSError as found:
            self.trouble = f"cannot write {self.path}: {reason_of(found)}"
            return False
        self.trouble = None
        return True

    def remove(self) -> None:
        """Take the file of a game that is over away."""
        from contextlib import suppress

        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def folder() -> Path:
    """Where games are kept unless the player names a file; it need not be there."""
    from platformdirs import user_state_path

    return user_state_path("athanor", appauthor=False) / "play"


def free_path(game: str, seed: int) -> Path:
    """A path in `folder` at which no game is kept yet."""
    number = 1
    path = folder() / f"{game}-{seed}.json"
    while path.exists():
        number += 1
        path = path.with_name(f"{game}-{seed}-{number}.json")
    return path


def latest_path(game: str) -> Path | None:
    """Where the game of this name that was played last is kept."""
    try:
        found = [(path.stat().st_mtime, path) for path in folder().glob(f"{game}-*.json")]
    except OSError:
        return None
    return max(found)[1] if found else None
