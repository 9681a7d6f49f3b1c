"""The log of the service under load."""

from __future__ import annotations

import io
import logging

import pytest

from api import logs


def test_what_is_logged_again_and_again_is_counted_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    log = logging.Logger("loud")
    log.addHandler(logs.handler(stream))
    moment = [100.0]
    monkeypatch.setattr("api.logs.time.monotonic", lambda: moment[0])
    for number in range(1000):
        if number == 999:
            moment[0] += 60
        log.warning("request %d failed", number)
    log.warning("something else")
    lines = stream.getvalue().splitlines()
    assert len(lines) == 7
    assert "request 999 failed" in lines[5]
    assert "994 more" in lines[5]
    assert "something else" in lines[6]
