"""OR-Tools' models are imported without pandas, which is there all the same for whoever calls what needs it."""

from __future__ import annotations

import sys

import pytest

from solver.search import cpsat


def test_pandas_is_imported_by_those_who_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "pandas"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, cpsat._MODELS)
    models = cpsat._imported()
    assert "pandas" not in sys.modules
    model = models.CpModel()
    number = model.new_int_var(0, 5, "number")
    model.add(2 * number <= 7)
    model.maximize(number)
    solver = models.CpSolver()
    assert solver.status_name(solver.solve(model)) == "OPTIMAL"
    assert solver.value(number) == 3
    assert "pandas" not in sys.modules
    monkeypatch.setitem(sys.modules, "pandas", sys)  # to import the real one takes long
    monkeypatch.setattr(sys, "Index", int, raising=False)
    assert models.pd.Index is int
