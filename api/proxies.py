"""What a trusted proxy says of a request: its client's address, its scheme, and the path that leads here."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from werkzeug.middleware.proxy_fix import ProxyFix

_PREFIX = re.compile(r"(/[\w~][\w.~-]*)+", re.ASCII)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


# What each header may say; anything else is ignored. A proxy must overwrite them, or clients could choose them.
_FIT: Mapping[str, Callable[[str], object]] = {
    "HTTP_X_FORWARDED_FOR": _is_address,
    "HTTP_X_FORWARDED_PROTO": ("http", "https").__contains__,
    "HTTP_X_FORWARDED_PREFIX": _PREFIX.fullmatch,
}


def behind(app: Callable[..., Iterable[bytes]], proxies: Sequence[str]) -> Callable[..., Iterable[bytes]]:
    """Return a WSGI application that believes the headers ``X-Forwarded-For``, ``-Proto`` and ``-Prefix`` of
    requests from the addresses or networks `proxies`, and ignores those of all others.
    """
    trusted = [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]
    fixed = ProxyFix(app, x_for=1, x_proto=1, x_host=0, x_prefix=1)

    @lru_cache(maxsize=256)
    def trusts(sender: str) -> bool:
        return _is_address(sender) and any(ipaddress.ip_address(sender) in network for network in trusted)

    def answer(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        if not trusts(environ.get("REMOTE_ADDR", "")):
            return app(environ, start)
        for name, fits in _FIT.items():
            said = environ.pop(name, "").rpartition(",")[2].strip().rstrip("/")
            if fits(said):
                environ[name] = said
        return fixed(environ, start)

    return answer
