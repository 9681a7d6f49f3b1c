"""What is behind the lead of a move, on positions made for it, and cards denied by a plain recount."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

import athanor
from solver.common import mask, members
from solver.games.king.hint import rounds
from solver.games.king.moves import format_move, legal_moves
from solver.games.king.position import Round
from solver.games.king.reasons import PLAYING, because, can_make, denied, scenes_of
from solver.games.king.rules import Play, Taking
from solver.games.king.worlds import deals
from solver.hints.causes import Notes
from solver.hints.ranking import CHANCE, Margin, Sums, lead, ranked
from solver.hints.rounds import Rounds
from solver.positions import parse_position
from tests.games.king.plain_hints import Judge
from tests.games.king.rounds import to_move
from tests.reference import king
from tests.reference.king_deck import DANCER, HOUSE, SUITS
from tests.support.kinds import of_kind

INGREDIENT = (
    "king seat=3 hand=F3,F4,E1,E3,E6,E9,A10 pick=F6,A8,E8,E5 removed=E10,T3 "
    "history=0:T2,A6,F11,E7/0:D:W,T1,W2,T5:take:W2,T1:give:T5/0:A3,W1,A5,A7:take:W1,A3:give:A5 "
    "trick=3:A11,A9,W10,A1"
)
NOBODY = (
    "king seat=3 hand=W2,W6,W10,E3,E4,E11,A3,A10,T1,T4 pick=W8,F11,W7,F3 removed=F4,A2 "
    "history=0:F7,F8,F5,F6:take:F6,F7:give:F5 trick=1:D:A,A9"
)
BEATS = (
    "king seat=0 hand=F6,W7,E7,E8,E11,A8,A10,T1,T5 pick=W6,E4,E1,A5 removed=E9,T2 "
    "history=0:F1,F3,F9,F10:take:F1,F3:give:F9/3:F2,F5,F7,F8:take:F2,F5:give:F7 trick=2:W4,W1"
)
BEATEN = "king seat=2 hand=F4,F8,F10,W4,E2,E4,T1,T2,T3,T4,D pick=A5,W2,E10,E3 removed=F2,W5 trick=0:W11,W7"
KEPT = (
    "king seat=2 hand=F5,W3,W4,W9,W11,E5,A5,T3 pick=A2,W5,A9,A1 removed=W2,W10 "
    "history=0:D:E,E3,E1,E11:take:E3,D:give:E1/3:A4,T5,T2,A3:take:A3,A4:give:T2/0:E7,E9,E10,T1:give:E7 "
    "trick=3:F11,F3,F8"
)

SURE = "king seat=2 hand=F4,F8,F10,W4,E2,E4,T1,T2,T3,T5,D pick=A5,W2,E10,E3 removed=F2,W5 trick=0:W11,W7"


@pytest.mark.parametrize(
    ("view", "code", "fields"),
    [
        (NOBODY, "now_wins", {"move": "A10", "card": "A10"}),
        (BEATS, "kept_wins", {"move": "W7", "card": "T5"}),
        (BEATEN, "can_be_beaten", {"card": "T4", "cards": ["T5"]}),
        (KEPT, "keeps_trump", {"card": "T3"}),
    ],
)
def test_the_cause_of_a_lead(view: str, code: str, fields: dict[str, object]) -> None:
    found = athanor.hint(view, nodes=20_000)
    assert any(cause.code == code and fields.items() <= cause.to_dict().items() for cause in found.causes)


def scored(text: str, seed: int = 1) -> tuple[Round, Rounds, Notes]:
    """Worlds of a view as they are noted."""
    view = of_kind(Round, parse_position(text))
    return view, *noted_of(view, seed)


def noted_of(view: Round, seed: int = 1) -> tuple[Rounds, Notes]:
    playing = rounds(deals(view), legal_moves(view), seed)
    sums = Sums(playing.moves, playing.statistics)
    for first in range(0, 480, 20):
        results = np.empty((20, playing.moves, playing.statistics))
        playing.play(first, results, np.ones(20))
        sums.add(results, np.ones(20), chained=True)
    noted = playing.witness.noted(sums.worlds, chained=True)
    assert noted is not None
    return playing, noted


def beats(view: Round, hands: Sequence[int], move: Play, seat: int) -> frozenset[str]:
    """By the plain reference, the cards with which a later seat can beat a card that is played now."""
    trick = tuple(
        king.Played(play.card, SUITS[play.suit] if HOUSE[play.card].suit == DANCER else None)
        for play in (*view.plays, move)
    )
    own = [frozenset(members(hands[seat]))] * view.players
    state = king.State(tuple(own), view.leader, trick, (frozenset(),) * view.players)
    answers = [one for one in king.legal(HOUSE, state) if isinstance(one, king.Played)]
    return frozenset(HOUSE[one.card].code for one in answers if king.winner(HOUSE, (*trick, one)) == one)


def test_a_stated_share_counts_deals_by_how_likely_they_make_what_was_played() -> None:
    checked = Counter[str]()
    for seed in range(40):
        view = to_move(seed, 43 + seed % 2, players=3)
        found = deals(view)
        if view.trick_is_full or len(view.plays) > 1 or not 10 < found.total <= 200:
            continue
        worlds = [found.world(rank) for rank in range(found.total)]
        judge = Judge(found)
        weights = [judge.weight(places) for places in worlds]
        hands = [found.hands(places) for places in worlds]
        moves, (playing, noted) = legal_moves(view), noted_of(view)
        compare = scenes_of(view, moves, noted, playing)
        for best, other in permutations(range(len(moves)), 2):
            for row in PLAYING:
                if row.code not in ("can_be_beaten", "stays_best", "beaten_by"):
                    continue
                for claim in row.claims(compare(best, other)):
                    about = moves[best if row.code == "stays_best" else other]
                    assert isinstance(about, Play)
                    told = claim.fields
                    later = [
                        (view.seat + step) % view.players for step in range(1, view.players - len(view.plays))
                    ]
                    seats = [told["seat"]] if row.code == "beaten_by" else later
                    holds = []
                    for dealt in hands:
                        cards = frozenset().union(*(beats(view, dealt, about, seat) for seat in seats))
                        asked = {told["card"]} & cards if row.code == "beaten_by" else cards
                        holds.append(bool(asked) != (row.code == "stays_best"))
                    share = sum(weight for weight, true in zip(weights, holds, strict=True) if true) / sum(weights)
                    assert told["share"] == pytest.approx(share, abs=0.12), (str(view), row.code, told)
                    checked[row.code] += 1
        if len(checked) == 3 and checked.total() > 30:
            return
    raise AssertionError(checked)


@pytest.mark.parametrize(
    ("text", "code"), [(KEPT, "keeps_trump"), (BEATS, "can_be_beaten"), (BEATS, "takes_trick")]
)
def test_a_planted_cause_is_found_and_an_absent_one_is_not(text: str, code: str) -> None:
    view, playing, noted = scored(text)
    moves = [format_move(view, move) for move in legal_moves(view)]
    best, second = {KEPT: ("F5", "T3"), BEATS: ("W7", "T5")}[text]
    if code == "takes_trick":
        best, second = second, best
    ahead = Margin(moves.index(best), moves.index(second), 1.0, 0.1)
    scene = scenes_of(view, legal_moves(view), noted, playing)(ahead.best, ahead.second)
    claim = next(claim for row in PLAYING if row.code == code for claim in row.claims(scene))
    for planted in (True, False):
        places = np.asarray(claim.made, np.float64)
        if not planted:
            places = np.random.default_rng(1).permutation(places)
        noted.results[:, :, 0] = 0.0
        noted.results[:, ahead.best, 0] = 4 * places - (0 if planted else 0.01)
        found = because(view, legal_moves(view), noted, ahead, playing)
        assert (code in {told.cause.code for told in found}) == planted


def test_a_reason_names_only_cards_that_are_surely_taken() -> None:
    view, playing, noted = scored(SURE)
    moves = legal_moves(view)
    wins = next(row for row in PLAYING if row.code == "wins_cards")
    only = next(row for row in PLAYING if row.code == "only_it_wins")
    claims = {row.code: 0 for row in (wins, only)}
    for best, other in permutations(range(len(moves)), 2):
        scene = scenes_of(view, moves, noted, playing)(best, other)
        for claim in wins.claims(scene):
            taken = [scene.deck.index[card] for card in claim.fields["cards"]]
            assert all(scene.best.gets(card).all() for card in taken)
            claims["wins_cards"] += 1
        claims["only_it_wins"] += sum(1 for _ in only.claims(scene))
    assert claims["wins_cards"] == 0  # one card is still to come, and may be taken instead
    assert claims["only_it_wins"] > 0


@pytest.mark.small
def test_what_a_recipe_takes() -> None:
    view = of_kind(Round, parse_position(INGREDIENT))
    deck = view.full_deck
    oil = deck.index["A9"]  # of Vitriol and Sulfur
    pile = {number for number, card in enumerate(deck.cards) if card.provides in ("Vitriol", "Sulfur")}
    every = sum(1 << number for number in pile) | 1 << oil
    vitriol = sum(1 << number for number in pile if deck.cards[number].provides == "Vitriol")
    piles = np.array([every, every & ~(1 << oil), every & ~vitriol, 1 << oil])
    assert can_make(deck, oil, piles).tolist() == [True, False, False, False]


def test_what_is_noted_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    view = of_kind(Round, parse_position(INGREDIENT))
    moves = legal_moves(view)
    playing = rounds(deals(view), moves, 1)
    noted: list[np.ndarray] = []
    monkeypatch.setattr(playing.witness, "note", lambda _first, _results, words: noted.append(words))
    playing.play(0, np.empty((3, len(moves), playing.statistics)), np.ones(3))
    for row in noted[0].tolist():
        hands, ends = row[: view.players], row[view.players : view.players + len(moves)]
        assert hands[view.seat] == view.hand_mask
        assert [hand.bit_count() for hand in hands] == [view.count(seat) for seat in range(view.players)]
        others = sum(hands) - view.hand_mask
        assert others & ~view.unseen == 0
        for move, end in zip(moves, ends, strict=True):
            assert isinstance(move, Taking)
            assert (view.piles[view.seat] | mask(move.taken)) & ~end == 0


# Seat 1 loses this trick whatever it plays. W4 brings it a little more than W10, which seat 2 wants.
PLAYED = (
    "king seat=1 hand=W4,W10,E11 pick=F1,E5,F4,A2 removed=W6,E10 history=0:E1,E7,E8,E9:take:E1,E8:give:E7/"
    "3:F2,F8,F6,F5:take:F2,F5:give:F6/0:T1,E4,D:F,F9:take:E4,T1:give:F9/2:A6,A3,A1,A10:take:A1,A6:give:A3/"
    "1:A4,T5,T3,W8:take:A4,T3:give:W8/2:A7,A11,W5,A5:take:W5,A5:give:A7/3:F3,F10,F11,T2:give:F11/"
    "2:A8,W7,W3,E3:take:W7,E3 trick=2:A9,W9,T4"
)
GIVEN = (
    "king seat=3 hand=W7,W8,E3,E11 pick=W2,A2,F4,F2 removed=F7,A7 history=0:F8,F11,T2,F6:give:F11/"
    "2:A4,A5,A1,A8:take:A1,A4:give:A5/1:W1,W9,W4,W11:take:W1,W4:give:W9/0:W3,W6,T1,T5:take:W3,T1:give:W6/"
    "3:F1,E6,F10,T3:take:F1:give:E6/2:F9,F5,A9,F3:take:F3,F5:give:A9 trick=2:E1,E10,E8,E4"
)
LAST = {PLAYED: (51, 47, 46, 51), GIVEN: (51, 44, 52, 50)}
WORLDS, BATCH = 400, 8  # so many that a denied card is surely seen
Recipe = tuple[int, str, str]  # a seat, the card that it lacks, and the item


def last_round(text: str) -> str:
    return f"{text} totals={','.join(map(str, LAST[text]))} round=3"


@cache
def witnessed(text: str) -> tuple[Round, Rounds, Notes, Margin]:
    """Some worlds of a view, as they are noted."""
    view = of_kind(Round, parse_position(text))
    playing = rounds(deals(view), legal_moves(view), 1)
    sums = Sums(playing.moves, playing.statistics)
    for first in range(0, WORLDS, BATCH):
        results = np.empty((BATCH, playing.moves, playing.statistics))
        playing.play(first, results, np.ones(BATCH))
        sums.add(results, np.ones(BATCH), chained=True)
    texts = list(map(str, range(playing.moves)))
    noted, ahead = playing.witness.noted(sums.worlds, chained=True), lead(ranked(sums, texts, ""), texts, CHANCE)
    assert noted is not None
    assert ahead is not None
    return view, playing, noted, ahead


@pytest.mark.parametrize(
    ("text", "card", "item"), [(PLAYED, "W10", "Fine Silver"), (GIVEN, "E4", "Flowers of Antimony")]
)
def test_what_another_seat_lacks_is_a_cause_in_the_match_alone(text: str, card: str, item: str) -> None:
    told = athanor.hint(last_round(text), nodes=20_000)
    (cause,) = (cause for cause in told.causes if cause.code == "denies_card")
    assert (cause.seat, cause.card, cause.item) == (2, card, item)
    assert f" lets seat 2 get {card} for {item}; the reverse is true in " in told.reason
    ordinary = athanor.hint(text, nodes=2000)
    assert "denies_card" not in {cause.code for cause in ordinary.causes}
    if text == PLAYED:
        assert (ordinary.best, told.best) == ("W4", "W10")


@pytest.mark.parametrize("text", [PLAYED, GIVEN])
def test_what_is_noted_of_all_seats_where_hints_go_by_the_match(text: str) -> None:
    view, playing, noted, _ = witnessed(last_round(text))
    assert witnessed(text)[2].words.shape[1] == view.players + 2 * playing.moves
    scene = scenes_of(view, legal_moves(view), noted, playing)(0, 1)
    for move in range(playing.moves):
        points = []
        for world in range(WORLDS):
            piles, scores = ends(noted, world, move)
            assert piles[view.seat] == noted.words[world, view.players + move]
            assert [before & pile for before, pile in zip(view.piles, piles, strict=True)] == list(view.piles)
            assert sum(pile.bit_count() for pile in piles) == sum(piles).bit_count()
            assert scores == [score(pile) for pile in piles]
            points.append(scores)
        chances = scene.chances(np.arange(WORLDS), np.array(points, np.float64))
        assert chances.tolist() == noted.scores[:, move].tolist()


@pytest.mark.parametrize("text", [PLAYED, GIVEN])
def test_the_lead_that_would_be_without_a_denial_is_that_of_a_plain_recount(text: str) -> None:
    view, playing, noted, ahead = witnessed(last_round(text))
    wanted = recounted(view, noted, ahead)
    found = {}
    leads = noted.leads(ahead.best, ahead.second)
    for claim in denied(scenes_of(view, legal_moves(view), noted, playing)(ahead.best, ahead.second)):
        assert claim.part is not None
        fields = claim.fields
        found[fields["seat"], fields["card"], fields["item"]] = (leads - claim.part).tolist()
    for key, undone in found.items():
        assert undone == pytest.approx(wanted[key], abs=1e-12)
    half = sum(noted.scores[:, ahead.best] - noted.scores[:, ahead.second]) / 2
    assert {key for key, leads in wanted.items() if sum(leads) <= half} == set(found)


def recounted(view: Round, noted: Notes, ahead: Margin) -> dict[Recipe, list[float]]:
    """For each seat, card and recipe the leads, if the seat had what it lacks after one move alone."""
    assert view.totals is not None
    leads: dict[Recipe, list[float]] = {}
    for world in range(WORLDS):
        best, second = (ends(noted, world, move) for move in (ahead.best, ahead.second))
        for seat, card in product(set(range(view.players)) - {view.seat}, range(len(HOUSE))):
            for carrier, held in enumerate(view.full_deck.cards):
                if held.recipe is not None and (carrier == card or HOUSE[card].provides in held.recipe.needs):
                    won = []
                    for (piles, scores), (others, _) in ((best, second), (second, best)):
                        final = [before + score for before, score in zip(view.totals, scores, strict=True)]
                        final[seat] += denial(piles[seat], others[seat], card, carrier)
                        won.append(final[view.seat] == max(final))
                    leads.setdefault((seat, HOUSE[card].code, held.recipe.item), []).append(won[0] - won[1])
    return leads


@cache
def denial(pile: int, other: int, card: int, carrier: int) -> int:
    """The bonus that a pile lacks because of a card that the other one has, and that serves a recipe there."""
    mine, others = frozenset(members(pile)), frozenset(members(other))
    if card in mine or card not in others or not brings(others - {card}, card, carrier):
        return 0
    return brings(mine, card, carrier)


def brings(pile: frozenset[int], card: int, carrier: int) -> int:
    """The bonus that a card adds to a pile, if the recipe can be made with it, and cannot without."""
    if makes(pile, carrier) or not makes(pile | {card}, carrier):
        return 0
    return king.bonus(HOUSE, pile | {card}) - king.bonus(HOUSE, pile)


def makes(pile: frozenset[int], carrier: int) -> bool:
    provided = Counter(HOUSE[card].provides for card in pile - {carrier})
    return carrier in pile and all(provided[need] >= n for need, n in Counter(HOUSE[carrier].needs).items())


def ends(noted: Notes, world: int, move: int) -> tuple[list[int], list[int]]:
    """The piles of all seats after a move, and their scores, as they are noted."""
    moves = noted.scores.shape[1]
    row = noted.words[world].tolist()
    players = (len(row) - 2 * moves) // (1 + 2 * moves)
    rest = row[players + 2 * moves + 2 * players * move :]
    return rest[: 2 * players : 2], rest[1 : 2 * players : 2]


@cache
def score(pile: int) -> int:
    return king.score(HOUSE, frozenset(members(pile)))
