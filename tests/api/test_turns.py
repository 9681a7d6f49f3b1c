"""Whose turn it is: who has had least, of the clients and of the connections of each."""

from __future__ import annotations

from collections import Counter

from api.scheduling.turns import Owner, Turns


def served(turns: Turns[str], costs: dict[str, float], count: int = 10_000) -> list[str]:
    """Items in their turns, each of which takes as long as that of its client's; all of them, or so many."""
    found: list[str] = []
    while len(found) < count and (one := turns.pop()) is not None:
        owner, item = one
        turns.charge(owner, costs.get(str(owner[0]), 0.001))
        found.append(item)
    return found


def test_clients_whose_items_take_as_long_take_turns() -> None:
    turns: Turns[str] = Turns()
    for number in range(3):
        turns.put(("a",), f"a{number}")
    for client in "bc":
        turns.put((client,), f"{client}0")
    turns.put(("b",), "b1")
    assert served(turns, {}) == ["a0", "b0", "c0", "a1", "b1", "a2"]
    assert len(turns) == 0
    assert turns.pop() is None


def test_a_client_whose_items_take_long_has_fewer_turns() -> None:
    turns: Turns[str] = Turns()
    for number in range(100):
        turns.put(("long", number % 5), "long")
        turns.put(("quick", number), "quick")
    first = Counter(served(turns, {"long": 0.02, "quick": 0.004}, count=60))
    assert 4 <= first["quick"] / first["long"] <= 6


def test_who_asks_now_and_then_is_served_after_one_of_the_others() -> None:
    turns: Turns[str] = Turns()
    for number in range(200):
        turns.put(("crowd", number % 20), "crowd")
    served(turns, {"crowd": 0.025}, count=50)
    for _ in range(20):
        turns.put(("now and then",), "mine")
        assert "mine" in served(turns, {"crowd": 0.025, "now and then": 0.004}, count=2)


def test_no_connection_is_forgotten_for_others_that_come() -> None:
    """Even if each of those asks once and is another, those who have had much are served in between."""
    turns: Turns[str] = Turns()
    turns.put(("client", "first"), "first")
    assert served(turns, {}, 1) == ["first"]
    turns.charge(("client", "first"), 60.0)
    turns.put(("client", "first"), "again")
    for number in range(100):
        turns.put(("client", number), "other")
        if served(turns, {}, 1) == ["again"]:
            break
    assert 5 <= number <= 20  # as long as it took is not charged: nobody waits for long


def test_within_a_client_a_connection_with_little_does_not_wait_for_one_with_much() -> None:
    turns: Turns[str] = Turns()
    for _ in range(50):
        turns.put(("client", "much"), "much")
    served(turns, {"client": 0.01}, 10)
    turns.put(("client", "little"), "little")
    assert "little" in served(turns, {"client": 0.01}, 2)


def test_what_is_barred_waits() -> None:
    turns: Turns[str] = Turns()
    turns.put(("a", 1), "a")
    turns.put(("b", 2), "b")
    assert turns.pop(["a"]) == (("b", 2), "b")
    assert turns.pop(["a"]) is None
    assert len(turns) == 1
    assert turns.pop() == (("a", 1), "a")


def test_an_item_is_taken_out_of_its_turn() -> None:
    turns: Turns[str] = Turns()
    owners: list[Owner] = [("a", 1), ("a", 2), ("b", 1)]
    for owner in owners:
        turns.put(owner, "item")
    assert turns.remove(("a", 1), "item")
    assert not turns.remove(("a", 1), "item")
    assert not turns.remove(("nobody",), "item")
    assert not turns.remove(("b", 1), "another")
    assert [turns.pop() for _ in range(3)] == [(("a", 2), "item"), (("b", 1), "item"), None]


def test_who_waits_for_nothing_is_remembered_but_not_for_ever() -> None:
    turns: Turns[str] = Turns()
    for number in range(20_000):
        turns.put((number, number), "one")
        served(turns, {})
    assert len(turns._all.parts) <= 512


def test_what_is_first_is_before_all_others() -> None:
    turns: Turns[str] = Turns()
    turns.put(("a",), "a")
    for item in ("b", "c", "d"):
        turns.put(("b",), item, first=True)
    assert len(turns) == 4
    assert turns.remove(("b",), "c")
    assert served(turns, {}) == ["b", "d", "a"]
