"""What tests of the process that searches ask, with it and without, and what can be compared of the answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from api.apart.process import Process
from api.app import create_app
from api.config import Config
from api.http.searches import Searches

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


def example(name: str) -> Any:
    return json.loads((EXAMPLES / name).read_text())


def client(process: Process | None) -> FlaskClient:
    config = Config()
    return create_app(config, Searches(config.searches, config.waiting, apart=process)).test_client()


def timeless(found: Any) -> Any:
    """An answer without what is measured by the clock."""
    if isinstance(found, dict):
        return {
            key: timeless(value)
            for key, value in found.items()
            if key not in ("seconds", "elapsed_ms", "request_id")
        }
    return [timeless(one) for one in found] if isinstance(found, list) else found
