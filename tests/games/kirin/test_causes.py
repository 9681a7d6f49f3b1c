"""What is behind the lead of a card that is played or set aside, on positions made for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

import athanor
from solver import registry
from solver.answers import Hint, PolicyHint
from solver.common import Random
from solver.games.kirin.deck import NUMBERS, colour, of_colour
from solver.games.kirin.hint import rounds
from solver.games.kirin.position import Round as KirinRound
from solver.games.kirin.position import numbers
from solver.games.kirin.worlds import DIRECTION_BIT, deals
from solver.hints.causes import Notes, Predicate, behind, certain
from solver.hints.ranking import Margin
from solver.kernels.machine import OFF
from solver.limits import Control, Limit
from solver.positions import parse_position
from solver.rounds_in_play import Round, playing_of
from solver.tricks.causes import is_most
from tests.support.kinds import of_kind

NOBODY = (
    "kirin seat=1 hand=D1,B5 declared=D5 history=0:S5,DT,D-,B3/1:S2,GT,B-,G+/2:D4,B2,S6,ST/1:G6,BT,S-,D+/"
    "2:S3,D2,D6,G-/0:B4,G4,S1,G1 trick=3:S4,G2"
)
FOUR_LEFT = (
    "kirin seat=0 hand=S3,S-,B1,B2 declared=B4 history=0:S1,D-,D3,D2/2:GT,D5,G3,S2/2:G4,B+,D6,B-/2:ST,G+,G5,G- "
    "trick=2:S5,B5"
)
FOLLOWS = (
    "kirin seat=2 hand=D1,D4,S5,B3 declared=D3 history=0:D6,G1,S3,BT/3:G3,B+,B-,DT/2:G6,S+,B4,ST/1:G+,B6,S4,B1"
)
# Nobody plays after this seat.
LAST = (
    "kirin seat=3 hand=D2,D3,D-,B4,G+ declared=BT history=0:G1,D6,D4,S-/1:G5,S4,G2,DT/0:ST,B+,B-,G- "
    "trick=0:D+,GT,S+"
)
WINS = "kirin seat=3 hand=DT,G1,G2,G3,S1,S2,B1,B4 declared=D1 trick=0:D6,D5,D4"


@pytest.mark.parametrize(
    ("view", "codes", "words"),
    [
        (NOBODY, ["only_it_wins", "cannot_follow"],
         "; B5 can't win it. D1 is better than B5 mainly when seat 2 can't"),
        (FOLLOWS, ["trick_points", "has_to_follow"],
         "S5 is better than D4 mainly when seat 1 must follow S5 (3"),
        (LAST, ["card_wins"], "D2 wins a later trick in 1"),
        (FOUR_LEFT, ["kept_wins", "can_be_beaten"], "B1 is better kept: it wins a later trick in "),
        (WINS, ["wins_cards"], "DT wins this trick with D4, D5 and D6 in it; S1 can't win it."),
    ],
)  # fmt: skip
def test_the_causes_of_a_lead(view: str, codes: list[str], words: str) -> None:
    found = athanor.hint(view, nodes=8000)
    assert [cause.code for cause in found.causes][: len(codes)] == codes, found.reason
    assert words in found.reason


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = of_kind(KirinRound, parse_position(FOUR_LEFT))
    playing = rounds([deals(view)], [NUMBERS["S3"], NUMBERS["B1"]], 1)
    noted: list[np.ndarray] = []
    monkeypatch.setattr(playing.witness, "note", lambda _first, _results, words: noted.append(words))
    playing.play(0, np.empty((5, 2, playing.statistics)), np.ones(5))
    for *hands, after_one, after_other in noted[0].tolist():
        for won in (after_one, after_other):
            assert won >> DIRECTION_BIT in (0, 1)
            assert (won & ((1 << DIRECTION_BIT) - 1)).bit_count() % 4 == 0
        assert hands[0] == view.hand_mask
        assert [hand.bit_count() for hand in hands] == [4, 4, 3, 3]
        others = hands[1] | hands[2] | hands[3]
        assert others.bit_count() == 10
        assert others & ~view.unseen == 0
        for seat in (1, 2, 3):
            assert hands[seat] & view.past.excluded(seat) == 0


TRUMP = "kirin seat=0 hand=D1,D4,D5,S+,S-,B2,B4,G1,GT leader=0"
LONG = "kirin seat=0 hand=S3,S6,S-,B5,G1,G2,G5,GT,G+ leader=0"
OTHERS = "kirin seat=0 hand=DT,D+,S5,S6,B4,G1,G6,G+,G- leader=0"
SHARED = "kirin seat=0 hand=D1,D3,D6,D-,S6,B5,BT,B+,G6 leader=0"
CONTESTED = "kirin seat=0 hand=DT,D+,S3,S5,ST,B2,B6,G1,G3 leader=0"


@pytest.mark.parametrize(
    ("view", "codes", "words"),
    [
        (TRUMP, ["kept_in_hand"], "GT is better kept in hand: it wins a trick in over 99% of deals, G1 would in "),
        (LONG, ["kept_in_hand", "own_cards"], " set aside, the cards of its colour in hand score "),
        (OTHERS, ["others_cards"], " set aside, cards of its colour won from others score "),
        (
            CONTESTED,
            ["colour_shared", "others_cards"],
            "is worse mainly when another player competes for the Vermilion Bird (",
        ),
    ],
)
def test_the_causes_of_a_card_set_aside(view: str, codes: list[str], words: str) -> None:
    found = athanor.hint(view, nodes=9000)
    assert [cause.code for cause in found.causes] == codes, found.reason
    assert words in found.reason


def test_no_cause_without_a_lead() -> None:
    found = athanor.hint("kirin seat=0 hand=D3,D4,DT,S4,S-,G3,G6,GT,G+ leader=0", nodes=9000)
    assert (found.sure, [cause.code for cause in found.causes]) == ("close", ["close"])
    assert found.reason == "G3 or D3: too close to call. Each brings about 4 points in the whole round."


def test_in_the_last_round_reasons_are_chances() -> None:
    found = athanor.hint(f"{SHARED} totals=5,5,5,5 round=3", nodes=20000)
    assert found.sure == "clear"
    assert "points" not in found.reason


def test_the_cards_won_that_are_noted_make_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    view = of_kind(KirinRound, parse_position(SHARED))
    cards = numbers(view.hand)
    playing = rounds([deals(view)], cards, 1)
    noted: list[np.ndarray] = []
    monkeypatch.setattr(playing.witness, "note", lambda _first, _results, words: noted.append(words))
    results = np.empty((20, len(cards), playing.statistics))
    playing.play(0, results, np.ones(20))
    for row, words in zip(results[:, :, 0].tolist(), noted[0].tolist(), strict=True):
        for points, won, card in zip(row, words[4:], cards, strict=True):
            won &= (1 << DIRECTION_BIT) - 1
            assert (won & of_colour(colour(card))).bit_count() == points
            assert won & (1 << card) == 0
            assert won.bit_count() % 4 == 0
    assert any(one[4:] != other[4:] for one, other in pairwise(noted[0].tolist()))


GAME = registry.game("kirin")


def drawn(table: Round, random: Random) -> str:
    """A move by the chances of the first answer."""
    seed, moves = random.below(1 << 30), table.moves()
    view = table.seen(table.to_move or 0)
    if len(moves) == 1 or view is None:
        return moves[seed % len(moves)]
    found = of_kind(PolicyHint, GAME.hint(view, Control(), worlds=0, seed=seed))
    left = random.below(1 << 30) / (1 << 30)
    for entry in found.moves:
        left -= entry.chance
        if left < 0:
            return entry.move
    return str(found.best)


def hints(count: int) -> Iterator[Hint]:
    """Hints at one in five choices, this many in all."""
    random, number = Random(1, 1), 0
    while True:
        table: Round = playing_of(GAME).opening(1, number=number, players=None, variant=None, before=())
        number += 1
        while table.to_move is not None:
            if len(table.moves()) > 1 and random.below(5) == 0:
                yield table.hint(Control(Limit(nodes=4000)), seed=random.below(1 << 30))
                count -= 1
                if not count:
                    return
            table = table.play(drawn(table, random))


@pytest.mark.skipif(OFF, reason="without the JIT hints take minutes")
def test_most_clear_leads_get_a_cause() -> None:
    causes = [hint.causes for hint in hints(20) if hint.sure == "clear"]
    assert len(causes) > 4
    assert sum(bool(named) for named in causes) >= 0.7 * len(causes)


def test_level_cards_are_explained_only_by_what_is_meant_for_them() -> None:
    rows: tuple[Predicate[None], ...] = (
        Predicate("half", "trick", "{move}", lambda _: [certain(move="G6")]),
        Predicate("given", "trick", "{move}", lambda _: [certain(move="G6")], level=True),
    )
    noted = Notes(np.zeros((200, 2, 1)), np.zeros((200, 1), np.int64), np.arange(200))
    for margin, code in ((Margin(0, 1, 0.0, 1.0), "given"), (Margin(0, 1, 1.0, 0.1), "half")):
        assert [told.cause.code for told in behind(rows, lambda *_: None, noted, margin)] == [code]


def test_one_half_of_a_lead_is_no_reason_where_the_other_takes_it_back() -> None:
    assert is_most(np.array([0.7]), np.array([0.4]))
    assert not is_most(np.array([0.7]), np.array([1.5]))
