"""HTTP responses: long ones are compressed, and files have ETags, so that clients need not download them twice."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from flask import Response, request

from solver.answers import Answer

JSON = "application/json"
NDJSON = "application/x-ndjson"
SCRIPT = "text/javascript; charset=utf-8"
STYLE = "text/css; charset=utf-8"
PICTURE = "image/svg+xml"
_LATER = "respond-async"


def asks_again() -> bool:
    """Whether the client asks again by itself for what may succeed later (``Prefer: respond-async``, RFC 7240)."""
    return _LATER in request.headers.get("Prefer", "")


_COMPRESSED = ("image/png",)
_WORTH = 1400  # bytes: a shorter answer fits in one packet anyway


def packed(answer: Response) -> Response:
    """Compress a JSON response if it is long enough and the client accepts gzip; streams are not compressed."""
    if answer.is_streamed or answer.mimetype != JSON or "Content-Encoding" in answer.headers:
        return answer
    answer.vary.add("Accept-Encoding")
    if len(body := answer.get_data()) >= _WORTH and request.accept_encodings["gzip"] > 0:
        answer.set_data(gzip.compress(body, 1, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def json_response(answer: Answer | dict[str, Any]) -> Response:
    """Return a response with an answer, which a search process has written already, or with data."""
    if isinstance(answer, dict):
        return Response(json.dumps(answer, ensure_ascii=False, separators=(",", ":")), mimetype=JSON)
    return Response(answer.to_json(), mimetype=JSON)


@dataclass(frozen=True)
class File:
    """A file to be sent, with its digest and its compressed forms."""

    content: bytes
    content_type: str

    def packed(self, coding: str) -> bytes:
        """The content in one of `CODINGS`: as small as takes a tenth of a second for the page's script."""
        if coding not in self._packed:
            self._packed[coding] = CODINGS[coding](self.content)
        return self._packed[coding]

    @cached_property
    def _packed(self) -> dict[str, bytes]:
        return {}

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:20]


def _brotli(content: bytes) -> bytes:
    import brotli  # only a server needs it

    packed: bytes = brotli.compress(content, quality=9)
    return packed


# The content codings of files, the smallest first. Browsers take `br` from secure addresses alone.
CODINGS: Mapping[str, Callable[[bytes], bytes]] = {"br": _brotli, "gzip": partial(gzip.compress, mtime=0)}


def sent(file: File, keeping: str) -> Response:
    """Return a response with a file, compressed if the client accepts that. `keeping` is the header
    `Cache-Control`.
    """
    codings = [coding for coding in CODINGS if request.accept_encodings[coding] > 0]
    coding = codings[0] if codings and file.content_type not in _COMPRESSED else None
    answer = Response(file.packed(coding) if coding else file.content, content_type=file.content_type)
    if coding:
        answer.headers["Content-Encoding"] = coding
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = keeping
    answer.set_etag(file.digest + (f"-{coding}" if coding else ""))
    answer.make_conditional(request)
    return answer
