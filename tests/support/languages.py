"""The language of this process, which a command in it sets for the next one too."""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator
from contextlib import contextmanager

from solver.language import language, use


@contextmanager
def as_before() -> Iterator[None]:
    """After the block, the language is what it was before: ours, click's, and that of other programs."""
    before, domain, named = language(), gettext.textdomain(), os.environ.get("LANGUAGE")
    try:
        yield
    finally:
        use(before)
        gettext.textdomain(domain)
        os.environ.pop("LANGUAGE", None)
        if named is not None:
            os.environ["LANGUAGE"] = named
