"""The version that is served."""

from __future__ import annotations

from importlib import metadata

try:
    VERSION = metadata.version("athanor-cards")
except metadata.PackageNotFoundError:  # run from a checkout that was not installed
    VERSION = "0+unknown"
