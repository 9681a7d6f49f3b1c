"""For `athanor serve --phone`: the address in the local network, a token for this run, and both as a QR code."""

from __future__ import annotations

import ipaddress
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.tokens import Limits, made
from solver.errors import RequestError
from solver.language import say

_ELSEWHERE = ("192.0.2.1", 9)  # an address reserved for documentation (RFC 5737)
_UNLIMITED = Limits(requests=0, searches=0)  # whoever can read the terminal needs no limits
_QUIET = 2  # modules of white round the code: fewer than the standard's four, but phones read it


def local_address() -> str:
    """Return this machine's IPv4 address in the local network. Raises RequestError if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)  # UDP: this chooses a route, but sends nothing
            address = ipaddress.ip_address(probe.getsockname()[0])
        except OSError:
            address = ipaddress.ip_address("127.0.0.1")
    if address.is_loopback or not address.is_private:
        raise RequestError(
            "no_network", say("this machine has no address in a local network; name one with --host")
        )
    return str(address)


@contextmanager
def token_file() -> Iterator[tuple[str, str]]:
    """Yield the end of an address, with a new token, and the path of a temporary file of only this token.

    Browsers never send this end, the part after #, to a server.
    """
    secret, kept = made("phone", _UNLIMITED)
    with tempfile.TemporaryDirectory(prefix="athanor-") as folder:
        path = Path(folder) / "tokens"
        path.write_text(kept.line + "\n", encoding="utf-8")
        yield f"#~token={secret}", str(path)


def show(address: str) -> None:
    """Print the QR code of the page's address."""
    import segno

    print(say("On a phone in the same network, scan this, or open the address. It is valid for this run only."))
    segno.make(address, error="l", micro=False).terminal(out=sys.stdout, border=_QUIET, compact=True)
    sys.stdout.flush()
