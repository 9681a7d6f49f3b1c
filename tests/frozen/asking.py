"""Asking many requests, in processes of their own where there are to be several."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from tests.frozen.requests import requests
from tests.frozen.service import Answer, Request, ask, settle

Key = tuple[str, int]  # a kind, and a request of it by its place

_CHUNK = 40  # requests that a process is given at a time


@cache
def kinds() -> dict[str, list[Request]]:
    """All requests by their kind."""
    found: dict[str, list[Request]] = defaultdict(list)
    for request in requests():
        found[request.kind].append(request)
    return found


def request_of(key: Key) -> Request:
    """The request of this kind and place."""
    return kinds()[key[0]][key[1]]


def answered(keys: list[Key], jobs: int) -> tuple[dict[Key, Answer], dict[Key, float]]:
    """The answers to these requests, and the seconds that each took, from so many processes, or from this one."""
    chunks = [keys[start : start + _CHUNK] for start in range(0, len(keys), _CHUNK)]
    found: dict[Key, Answer] = {}
    times: dict[Key, float] = {}
    with ExitStack() as stack:
        asked: Iterable[list[tuple[Key, Answer, float]]] = map(_ask, chunks)
        if jobs > 1:
            pool = stack.enter_context(ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")))
            asked = pool.map(_ask, chunks)
        for done in asked:
            for key, answer, seconds in done:
                found[key], times[key] = answer, seconds
            if sys.stderr.isatty():
                print(f"\r{len(found):,} of {len(keys):,}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return found, times


@cache
def _folder() -> Path:
    return settle()


def _ask(keys: list[Key]) -> list[tuple[Key, Answer, float]]:
    folder = _folder()
    found = []
    for key in keys:
        begun = time.perf_counter()
        try:
            answer = ask(request_of(key), folder)
        except Exception as error:  # a fault of the product is an answer, too, and one that differs
            answer = Answer(f"raised {type(error).__name__}: {error}", "")
        found.append((key, answer, time.perf_counter() - begun))
    return found
