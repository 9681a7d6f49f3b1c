"""Several threads on one question: the same values, and no entry of two halves; the table they share."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import athanor
from solver.errors import RequestError
from solver.games.aqua_regia import analyze as aqua_regia_analyze
from solver.games.king import analyze as king_analyze
from solver.games.kirin import analyze as kirin_analyze
from solver.games.kirin import fast_rules
from solver.games.kirin import search as kirin_search
from solver.games.kirin.rules import NOTHING, Order, State
from solver.kernels.words import Words
from solver.limits import Control, Limit
from solver.search import fail_soft, parallel, proof_number, trick_rules, winner_search
from solver.search.fail_soft import EXACT, packed, put_wide, recall
from solver.search.score_search import ScoreProver
from solver.search.trick_rules import (
    BUCKET,
    ENTRY,
    GENERATION,
    NEAR_WORDS,
    SPLIT,
    STORED,
    SWITCHES,
    TABLE_WORDS,
    score_table,
)
from tests.games.aqua_regia.deals import ending
from tests.games.king.rounds import position_of, round_at
from tests.games.kirin.deals import full_deal
from tests.support.games import AGAINST_OTHERS, check_rows

GAMES: dict[str, tuple[Any, Any]] = {
    "aqua-regia": (aqua_regia_analyze, lambda rng: ending(rng, 2, 16)),
    "kirin": (kirin_analyze, lambda rng: full_deal(rng, 7)),
    "king": (king_analyze, lambda rng: position_of(round_at(rng, rng.choice((3, 4, 5)), 6))),
}
check_rows(GAMES, AGAINST_OTHERS)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Threads are called for every question; how many, one entry a call."""
    called: list[int] = []
    call = parallel.Team.call

    def counted(self: parallel.Team, work: Any) -> None:
        called.append(len(work))
        call(self, work)

    monkeypatch.setattr(parallel, "EASY_ANALYSIS", 0)
    monkeypatch.setattr(parallel, "EASY_QUESTION", 1)
    monkeypatch.setattr(parallel, "FIRST_NODES", 100)
    monkeypatch.setattr(king_analyze, "VALUE_NODES", 0)  # kernels that ask themselves call nobody
    monkeypatch.setattr(parallel.Team, "call", counted)
    return called


@pytest.mark.parametrize("name", list(GAMES))
def test_values_are_the_same_with_any_number_of_threads_which_are_called_and_end(
    name: str, at_once: list[int]
) -> None:
    game, make = GAMES[name]
    rng = random.Random(7)
    called = set()
    for number in range(6):
        position, threads = make(rng), 2 + number % 3
        alone = game.analyze(position, Control())
        assert not at_once
        several = game.analyze(position, Control(threads=threads))
        called |= {(threads, count) for count in at_once}
        at_once.clear()
        assert several.exact
        assert several.value == alone.value
        assert {entry.move: entry.bounds for entry in several.moves} == {
            entry.move: entry.bounds for entry in alone.moves
        }
    assert called == {(2, 1), (3, 2), (4, 3)}
    assert not [thread for thread in threading.enumerate() if thread.name == "search"]


SMALL: dict[str, tuple[Any, Any]] = {
    "aqua-regia": (aqua_regia_analyze, lambda rng: ending(rng, 2, 11)),
    "kirin": (kirin_analyze, lambda rng: full_deal(rng, 6)),
    "king": (king_analyze, lambda rng: position_of(round_at(rng, 3, 5))),
}
check_rows(SMALL, AGAINST_OTHERS)


@pytest.mark.small
@pytest.mark.parametrize("name", list(SMALL))
def test_small_positions_have_the_same_values(name: str, at_once: list[int], amount: Callable[[int], int]) -> None:
    game, make = SMALL[name]
    rng = random.Random(147)  # its first three, which plain Python tries, are easy and call threads nevertheless
    for _ in range(amount(12)):
        position = make(rng)
        alone, several = (game.analyze(position, Control(threads=threads)) for threads in (1, 3))
        assert several.value == alone.value
        assert {entry.move: entry.bounds for entry in several.moves} == {
            entry.move: entry.bounds for entry in alone.moves
        }
    assert at_once


class WhenCalled(threading.Event):
    """A cancel flag that is set as soon as threads are called."""

    def __init__(self, called: list[int]) -> None:
        super().__init__()
        self._called = called

    def is_set(self) -> bool:
        return bool(self._called)


@pytest.mark.parametrize("name", list(GAMES))
def test_a_cancel_ends_all_threads(name: str, at_once: list[int]) -> None:
    hard = {"king": position_of(round_at(random.Random(2), 3, 10)), "kirin": full_deal(random.Random(2), 8)}
    position = hard[name] if name in hard else athanor.deal(name, seed=2)
    answer = GAMES[name][0].analyze(position, Control(cancel=WhenCalled(at_once), threads=3))
    assert at_once == [2]
    assert not answer.exact
    assert not [thread for thread in threading.enumerate() if thread.name == "search"]


@pytest.mark.parametrize("name", list(GAMES))
def test_a_limit_of_nodes_leaves_one_thread(name: str, at_once: list[int]) -> None:
    game, make = GAMES[name]
    position = make(random.Random(9))
    first, second = (game.analyze(position, Control(Limit(nodes=3000), threads=4)) for _ in range(2))
    assert not at_once
    assert first.model_copy(update={"seconds": 0.0}) == second.model_copy(update={"seconds": 0.0})


def test_a_paused_search_never_answers_for_another_node(
    at_once: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two searchers take turns: one may answer a node above the boundary that the other has half searched."""
    step, nodes = ScoreProver._step, 20

    def in_turn(self: ScoreProver, root: Words, control: Control, budget: int) -> tuple[bool, int]:
        finished, spent = step(self, root, control, min(budget, nodes))
        while not finished and spent < budget and self._team.words[parallel.HELPERS]:
            for helper in self._helpers[:1]:
                parallel.follow_table(self._own.deal, helper.deal, (TABLE_WORDS, SPLIT), STORED)
                if self._run(helper, helper.frames, nodes):
                    self._team.end()
            finished, more = step(self, root, control, nodes)
            spent += more
        return finished, spent

    def call(self: parallel.Team, work: Any) -> None:
        self.words[parallel.HELPERS] = len(work)
        monkeypatch.setattr(self, "_threads", [threading.current_thread()])

    def close(self: parallel.Team, control: Control, helpers: Any, nodes: int) -> None:
        self._threads = []
        ended(self, control, helpers, nodes)

    ended = parallel.Team.close
    monkeypatch.setattr(parallel, "FIRST_NODES", 200)
    monkeypatch.setattr(ScoreProver, "_step", in_turn)
    monkeypatch.setattr(parallel.Team, "call", call)
    monkeypatch.setattr(parallel.Team, "close", close)
    rng = random.Random(11)
    for position in [full_deal(rng, 8) for _ in range(25)][10::7]:
        values = []
        for threads, switches in ((1, fast_rules.ALL_SWITCHES), (2, fast_rules.ALL_SWITCHES & ~fast_rules.LAST)):
            with kirin_search.PROVERS.lend() as prover:
                search = kirin_search.player_score(
                    prover,
                    position.state,
                    position.colours[position.state.to_move],
                    position.state.to_move,
                    allies=False,
                    control=Control(threads=threads),
                )
                search.deal[SWITCHES] &= switches
                values.append(search.moves())
        assert values[0] == values[1]


def test_easy_questions_are_for_one_thread() -> None:
    own, control = parallel.Team(pace=1), Control(threads=2)
    control.nodes = parallel.EASY_ANALYSIS
    assert own.wanted(control, parallel.EASY_QUESTION) == 1
    assert own.wanted(control, parallel.EASY_QUESTION - 1) == 0
    control.nodes -= 1
    assert own.wanted(control, parallel.EASY_QUESTION) == 0


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "2", 1025])
def test_threads_that_there_cannot_be(threads: Any) -> None:
    with pytest.raises(RequestError, match="threads"):
        athanor.analyze(athanor.deal("kirin", seed=1), threads=threads)


def torn(table: Words, first: Words, second: Words) -> list[Words]:
    """Every table in which some words are of one writing and the others of another."""
    changed = np.flatnonzero((first != table) | (second != table))
    tables = []
    for choice in range(1, (1 << len(changed)) - 1):
        mixed = first.copy()
        for place, word in enumerate(changed):
            if choice >> place & 1:
                mixed[word] = second[word]
        tables.append(mixed)
    return tables


def test_a_fail_soft_entry_of_two_writings_is_not_believed() -> None:
    deal = np.zeros(2, np.int64)
    deal[GENERATION] = 5
    empty = np.zeros(2 * fail_soft.BUCKET, np.int64)
    written = []
    for key, second, data in ((9, 3, packed(4, 7, 2)), (10, 1, packed(5, 6, 1))):
        table = empty.copy()
        put_wide(deal, table, 0, key, second, data)
        written.append(table)
    for table in torn(empty, *written):
        for key, second in ((9, 3), (10, 1)):
            bounds = np.array([key, second, 0, 1000], np.int64)
            assert recall(deal, table, 0, bounds, 0, bounds, 2, 0, False) < EXACT - 1
            assert bounds.tolist()[2:] == [0, 1000]


def test_a_score_entry_of_two_writings_is_not_believed() -> None:
    names = score_table("torn", 40, 4)
    put, find = names["put"], names["find"]
    deal = np.zeros(16, np.int64)
    deal[GENERATION] = 3
    deal[TABLE_WORDS] = 8
    empty = np.zeros(NEAR_WORDS + 8, np.int64)
    written = []
    for key, data in ((9, 0x43), (10, 0x52)):
        table = empty.copy()
        deal[STORED] = 0
        put(deal, table, key, NEAR_WORDS, data)
        assert find(deal, table, key, NEAR_WORDS) & 0xFF == data
        written.append(table)
    for table in torn(empty, *written):
        assert find(deal, table, 9, NEAR_WORDS) == -1
        assert find(deal, table, 10, NEAR_WORDS) == -1


def test_a_winner_entry_of_two_writings_is_not_believed() -> None:
    deal = np.zeros(5, np.int64)
    deal[winner_search.GENERATION] = 3
    deal[winner_search.TABLE_WORDS] = winner_search.BUCKET
    empty = np.zeros(winner_search.BUCKET, np.int64)
    written = []
    for first, second, proof in ((16, 77, 4), (32, 78, 9)):
        table = empty.copy()
        winner_search.store(deal, table, first, second, proof, 2, 1)
        assert winner_search.recall(deal, table, first, second) >= 0
        written.append(table)
    for table in torn(empty, *written):
        for first, second, proof in ((16, 77, 4), (32, 78, 9)):
            found = winner_search.recall(deal, table, first, second)
            assert found == -1 or found & proof_number.MOST_NUMBER == proof


def test_every_word_of_a_seal_counts() -> None:
    whole = (5, 6, 7, 8)
    for place in range(4):
        other = list(whole)
        other[place] += 1
        assert fail_soft.seal(*whole) != fail_soft.seal(*other)


# ----------------------------------------------------------------------------------------------------
# The trick search's table: what was put there is found, also after more of it came into use.


WORDS = 1 << 17


def words_of_a_deal(generation: int) -> Words:
    deal = fast_rules.deal_words(State(Order(), NOTHING, 0, (), NOTHING), 0, 0, allies=False)
    deal[GENERATION] = generation
    deal[TABLE_WORDS] = WORDS >> 2
    return deal


@pytest.mark.small
def test_entries_are_found_after_the_table_has_widened() -> None:
    """Those of this deal are, far and near; those of another deal are not."""
    rng = random.Random(1)
    names = kirin_search.table()
    remember, near_bucket, bucket_of = names["remember"], names["near_bucket"], names["bucket_of"]
    table = np.zeros(NEAR_WORDS + WORDS, np.int64)
    deal, other = words_of_a_deal(700), words_of_a_deal(699)
    many = (WORDS >> 2) // ENTRY // trick_rules.ROOM
    keys = rng.sample(range(1, 1 << fast_rules.KEY_BITS), 2 * many)
    far, near = keys[: 3 * many // 2], keys[3 * many // 2 :]
    for key in far[many:]:
        remember(other, table, key, bucket_of(other, key), 2, 0, -1)
    for key in far[:many]:
        remember(deal, table, key, bucket_of(deal, key), 3, 1, -1)
    names["widen"](deal, table)
    assert (deal[TABLE_WORDS], deal[SPLIT]) == (WORDS >> 2, 0)
    for key in near:
        remember(deal, table, key, near_bucket(deal, key, 2), 1, 1, -1)

    def found() -> tuple[list[int], list[int]]:
        return (
            [key for key in far if names["find"](deal, table, key, bucket_of(deal, key)) >= 0],
            [key for key in near if names["find"](deal, table, key, near_bucket(deal, key, 2)) >= 0],
        )

    before = found()
    assert len(before[0]) > 0.9 * many
    assert len(before[1]) > 0.9 * min(len(near), NEAR_WORDS // ENTRY)
    assert not set(before[0]) & set(far[many:])
    assert deal[STORED] >= len(before[0]) + len(before[1]) > many
    names["widen"](deal, table)
    assert (WORDS >> 2) + deal[SPLIT] >= deal[STORED] * ENTRY * trick_rules.ROOM > (WORDS >> 2) + BUCKET
    split = found()
    assert before[1] == split[1]
    assert len(set(before[0]) - set(split[0])) < 0.01 * many
    deal[STORED] *= 4
    names["widen"](deal, table)
    assert (deal[TABLE_WORDS], deal[SPLIT]) == (WORDS, 0)
    after = found()
    assert before[1] == after[1]
    assert len(set(before[0]) - set(after[0])) < 0.01 * many
    assert len({bucket_of(deal, key) // BUCKET for key in after[0]}) > many // 2


@pytest.mark.small
@pytest.mark.parametrize("shift", [0, 20, fast_rules.KEY_BITS - 11])
def test_keys_that_differ_in_a_few_bits_are_far_from_one_another(shift: int) -> None:
    """As the nodes do that have the same cards: their leader, direction and what is forgotten are high bits."""
    bucket_of = kirin_search.table()["bucket_of"]
    deal = words_of_a_deal(1)
    rest = random.Random(shift).getrandbits(fast_rules.KEY_BITS) & ~(1023 << shift)
    buckets = {bucket_of(deal, rest | (bits << shift)) for bits in range(1024)}
    assert len(buckets) > 700
