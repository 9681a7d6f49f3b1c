"""OR-Tools' constraint models, without pandas.

`ortools.sat.python.cp_model` imports pandas, which takes four fifths of the time, for functions that take or give
tables of variables. Nobody calls them here. To name their types pandas is stood in for; whoever calls them in the
same process makes them import it.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["cp_model"]
_PANDAS, _MODELS = "pandas", "ortools.sat.python.cp_model"


class _Types(ModuleType):
    """The names that signatures are written with."""

    Index = type("Index", (), {})
    Series = type("Series", (), {})


class _Later(ModuleType):
    """Pandas, imported when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(_PANDAS), name)


def _imported() -> Any:
    if _PANDAS in sys.modules or _MODELS in sys.modules:
        return importlib.import_module(_MODELS)
    sys.modules[_PANDAS] = _Types(_PANDAS)
    try:
        found: Any = importlib.import_module(_MODELS)
    finally:
        del sys.modules[_PANDAS]
    found.pd = _Later(_PANDAS)
    return found


if TYPE_CHECKING:
    from ortools.sat.python import cp_model
else:
    cp_model = _imported()
