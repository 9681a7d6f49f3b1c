"""HTTP responses: long ones are compressed, and files have ETags, so that clients need not download them twice."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property

from flask import Response, request

from solver.answers import Answer

JSON = "application/json"
NDJSON = "application/x-ndjson"


_WORTH = 1400  # bytes: a shorter answer fits in one packet anyway


def packed(answer: Response) -> Response:
    """Compress a JSON response if it is long enough and the client accepts gzip; streams are not compressed."""
    if answer.is_streamed or answer.mimetype != JSON or "Content-Encoding" in answer.headers:
        return answer
    vary(answer, "Accept-Encoding")
    if len(body := answer.get_data()) >= _WORTH and request.accept_encodings["gzip"] > 0:
        answer.set_data(gzip.compress(body, 1, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


def vary(answer: Response, header: str) -> None:
    """Add a request header's name to the response's `Vary`."""
    known = answer.headers.get("Vary", "")
    if header not in known:
        answer.headers["Vary"] = f"{known}, {header}" if known else header


def json_response(answer: Answer) -> Response:
    return Response(answer.to_json(), mimetype=JSON)


@dataclass(frozen=True)
class File:
    """A file to be sent, with its digest and its compressed form."""

    content: bytes
    content_type: str

    @cached_property
    def packed(self) -> bytes:
        """The content, compressed with gzip at the highest level."""
        return gzip.compress(self.content, 9, mtime=0)

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()[:20]


def sent(file: File, keeping: str) -> Response:
    """Return a response with a file, compressed if the client accepts gzip. `keeping` is the header
    `Cache-Control`.
    """
    packed = request.accept_encodings["gzip"] > 0
    answer = Response(file.packed if packed else file.content, content_type=file.content_type)
    if packed:
        answer.headers["Content-Encoding"] = "gzip"
    answer.headers["Vary"] = "Accept-Encoding"
    answer.headers["Cache-Control"] = keeping
    answer.set_etag(file.digest + ("-gzip" if packed else ""))
    answer.make_conditional(request)
    return answer
