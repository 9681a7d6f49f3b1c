"""Aqua Regia's rules: by hand, as recorded, and move by move against the reference; the kernels against the rules.

``python -m tests.games.aqua_regia.test_rules`` records the playthroughs in tests/data/aqua-regia anew.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from solver.common import Random
from solver.errors import RequestError
from solver.games.aqua_regia import GAME, fast_rules, rules
from solver.games.aqua_regia.deck import ACID, AQUA_REGIA, FIELDS, VAPOR, WATER, Deck, house, members
from solver.games.aqua_regia.fast_rules import Deal, deal_of, drawn_of, move_of, node_of
from solver.games.aqua_regia.position import Round
from solver.games.aqua_regia.rules import Play, State
from solver.games.aqua_regia.search import sure_winner
from solver.kernels.words import Words
from solver.positions import parse_record, position_data
from tests.games.aqua_regia.deals import after, known_from, moves, position
from tests.games.aqua_regia.random_positions import either, random_position, random_table
from tests.reference import aqua as ref
from tests.support import places

# Case by case, worked by hand from the rulebook: what holds of the reference and of the solver alike. -----------


class ByReference:
    """A house position by the reference."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.now = ref.load(data)[1]

    @property
    def moves(self) -> list[str]:
        return [ref.text(ref.HOUSE, move) for move in ref.legal(ref.HOUSE, self.now)]

    def after(self, *texts: str) -> ByReference:
        later = copy.copy(self)
        for text in texts:
            later.now = ref.play(ref.HOUSE, later.now, ref.legal(ref.HOUSE, later.now)[later.moves.index(text)])
        return later


class BySolver:
    """A house position by the solver, shown as the reference shows it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.at = known_from(data)

    @property
    def now(self) -> ref.State:
        return slow_state(self.at.state)

    @property
    def moves(self) -> list[str]:
        return moves(self.at)

    def after(self, *texts: str) -> BySolver:
        later = copy.copy(self)
        later.at = after(self.at, *texts)
        return later


Board = ByReference | BySolver
Lay = Callable[..., Board]


@pytest.fixture(params=[ByReference, BySolver])
def lay(request: pytest.FixtureRequest) -> Lay:
    """Makes a house position; cards as text. Seat 0 is to move in water if nothing else is said."""

    def laid(*hands: str, **more: Any) -> Board:
        cards = {key: value.split() for key, value in more.items() if key in ("table", "stock", "discard")}
        data = {"game": "aqua-regia", "deck": "house", "field": "water", "turn": 0} | more | cards
        found: Board = request.param(data | {"hands": [hand.split() for hand in hands]})
        return found

    return laid


def symbols(cards: tuple[int, ...]) -> str:
    return " ".join(ref.HOUSE.symbols[card] for card in cards)


def where(board: Board) -> tuple[int, str]:
    """Whose turn it is, and in which field."""
    return board.now.turn, FIELDS[board.now.field]


@pytest.mark.parametrize(
    ("hand", "field", "expected"),
    [
        ("Li Li Mg Mg Al Fe Fe Ag Ag Pt Pt Pt", "water", "Li, Li Li, Mg"),
        ("Li Li Mg Mg Al Fe Fe Ag Ag Pt Pt Pt", "vapor", "Li, Li Li, Mg, Mg Mg, Al, Fe"),
        ("Li Li Mg Mg Al Fe Fe Ag Ag Pt Pt Pt", "acid", "Li, Li Li, Mg, Mg Mg, Al, Fe, Fe Fe, Ag"),
        (
            "Li Li Mg Mg Al Fe Fe Ag Ag Pt Pt Pt",
            "aqua-regia",
            "Li, Li Li, Mg, Mg Mg, Al, Fe, Fe Fe, Ag, Pt, Pt Pt, Pt Pt Pt",
        ),
        ("Mg Li Ca Mg Li Ca Li Zn", "water", "Li, Li Li, Li Li Li, Ca, Ca Ca, Mg"),
    ],
)
def test_leads(lay: Lay, hand: str, field: str, expected: str) -> None:
    """The dealer who can lead must."""
    assert lay(hand, "Au", field=field).moves == expected.split(", ")


@pytest.mark.parametrize(
    ("table", "field", "hand", "expected"),
    [
        ("Mg", "acid", "Mg Al Fe Fe Fe Ag Ag Pt", "Al, Fe, Fe Fe, Ag"),  # several of Fe, but not of Ag
        ("Al", "acid", "Mg Al Al Zn Zn Zn Fe Pb Hg Hg", "Zn, Zn Zn, Fe, Pb, Hg"),
        ("Al Al", "acid", "K Zn Zn Zn Zn Fe Hg Hg", "Zn Zn, Zn Zn Zn"),
        ("Mg Mg", "acid", "Al Fe Fe Fe Ag Ag Sn Sn Sn Sn", "Fe Fe, Fe Fe Fe, Sn Sn, Sn Sn Sn"),
        ("Al Al Al", "acid", "K Zn Zn Zn Zn Fe Hg Hg", "Zn Zn Zn, Zn Zn Zn Zn"),
        ("Zn Zn Zn", "acid", "Fe Fe Fe Fe", "Fe Fe Fe, Fe Fe Fe Fe"),
        ("Zn Zn Zn Zn", "acid", "Fe Fe Fe Fe Sn Sn Sn", "Fe Fe Fe Fe"),  # never five
        ("Zn Zn Zn", "vapor", "Fe Fe Fe Fe", ""),
        ("Li", "water", "Mg Mg", "Mg"),  # two ask for more than one does
        ("Li", "water", "Au Zn", ""),  # no reaction, no play
        ("Fe", "vapor", "Au Ni Li", ""),
        ("Li Ca", "water", "K K Na Na", "Na, Na Na"),  # only the top counts
        ("K Ca Ca", "water", "Na Na Na Mg Mg Mg Li K", "Na Na, Na Na Na"),  # and its run
    ],
)
def test_follows(lay: Lay, table: str, field: str, hand: str, expected: str) -> None:
    at = lay(hand, "Au", "Li", table=table, field=field, owner=1)
    assert at.moves == [*filter(None, expected.split(", ")), "pass"]


@pytest.mark.parametrize(
    ("hands", "turn", "field", "reversed", "expected"),
    [
        (["Au", "Pt", "Li", "K"], 0, "water", False, (2, "water")),
        (["K", "Pt", "Au"], 1, "water", False, (0, "water")),  # round past the last seat
        (["Al", "Al", "Fe"], 2, "water", False, (2, "vapor")),  # nobody can lead: the first dealer tries again
        (["Au", "Sn", "Sn"], 1, "water", False, (1, "acid")),
        (["Pt", "Au"], 1, "water", False, (1, "aqua-regia")),
        (["Au", "Pt", "Sn Sn"], 1, "water", False, (2, "acid")),
        (["Au", "Pt", "Sn Sn"], 1, "water", True, (1, "aqua-regia")),  # one step back
        (["Sn", "Au"], 0, "water", True, (0, "aqua-regia")),
        (["Ag", "Zn"], 0, "vapor", False, (1, "vapor")),
        (["Cu", "Ag"], 1, "vapor", True, (1, "aqua-regia")),  # by way of water
    ],
)
def test_the_deal_is_passed_without_drawing_and_the_field_may_change(
    lay: Lay, hands: list[str], turn: int, field: str, reversed: bool, expected: tuple[int, str]
) -> None:
    at = lay(*hands, turn=turn, field=field, reversed=reversed, stock="Li K")
    assert where(at) == expected
    assert [symbols(hand) for hand in at.now.hands] == hands
    assert symbols(at.now.stock) == "Li K"


def test_a_pass_draws_one_card_while_there_are_any(lay: Lay) -> None:
    at = lay("Li", "Au", "Pt", turn=1, table="Ca", owner=0, stock="K").after("pass")
    assert [symbols(hand) for hand in at.now.hands] == ["Li", "K Au", "Pt"]
    assert (at.now.stock, at.now.turn) == ((), 2)
    at = lay("Li", "Au", "Pt", turn=1, table="Ca", owner=0).after("pass")
    assert [symbols(hand) for hand in at.now.hands] == ["Li", "Au", "Pt"]


def test_a_pass_is_not_final(lay: Lay) -> None:
    at = lay("Mg K", "Ca K", "Na K", table="Li", owner=2).after("pass", "Ca", "pass")
    assert (at.now.turn, at.now.owner) == (0, 1)
    assert at.moves == ["Mg", "pass"]  # K does not beat Ca
    assert at.after("Mg").now.owner == 0


def test_precipitations_know_the_drawn_card_and_come_last(lay: Lay) -> None:
    at = lay("Au Li", "K", table="Zn", field="acid", owner=1, stock="Zn Fe", discard="Pb Li Zn")
    assert at.moves == ["pass", "pass Li>Zn", "pass Li>Pb", "pass Zn>Pb"]
    later = at.after("pass Zn>Pb")  # the drawn one; it was the last pass, so the trick ends
    assert [symbols(hand) for hand in later.now.hands] == ["Li Pb Au", "K"]
    assert symbols(later.now.discard) == "Li Zn Zn Zn"  # the two there, the one discarded, and the trick's
    assert symbols(later.now.stock) == "Fe"
    assert (where(later), later.now.plays, later.now.owner) == ((1, "aqua-regia"), (), None)


@pytest.mark.parametrize(
    ("hands", "table", "discard", "exchanges"),
    [
        (["Ag", "Zn"], "Li", "Ag Cu", []),  # nothing stronger is there
        (["Ag", "Zn"], "Li", "Pt Pt Pt Pt Au Au Au", ["Ag>Au"]),  # a metal that is all there may not be taken
        (["Li Zn", "Mg"], "K Ca Na", "", []),  # cards of the trick are not in the pile yet
        (
            ["Mg Ca Ca Na", "Ag"],
            "Mg",
            "Al Na Mg",
            ["Ca>Na", "Ca>Mg", "Ca>Al", "Na>Mg", "Na>Al", "Mg>Al"],
        ),
    ],
)
def test_what_may_be_taken(lay: Lay, hands: list[str], table: str, discard: str, exchanges: list[str]) -> None:
    at = lay(*hands, table=table, owner=1, discard=discard)
    assert at.moves == ["pass", *(f"pass {pair}" for pair in exchanges)]


def test_all_others_pass_and_the_last_player_deals_in_the_next_field(lay: Lay) -> None:
    at = lay("Na Zn", "K", "Zn", table="Li", owner=2).after("Na", "pass", "pass")
    assert (where(at), at.now.owner, at.now.plays, at.moves) == ((0, "vapor"), None, (), ["Zn"])
    assert symbols(at.now.discard) == "Li Na"
    unable = lay("Na Cu", "Ag", "Zn", table="Li", owner=2).after("Na", "pass", "pass")
    assert where(unable) == (2, "vapor")  # the new dealer cannot lead, and passes the deal
    again = lay("Li", "Au Pt", "K", table="Mg", field="aqua-regia", owner=1, turn=2).after("pass", "pass")
    assert where(again) == (2, "water")


def test_passes_are_counted_from_the_last_play(lay: Lay) -> None:
    at = lay("K Cu", "Ca Cu", "Na K", turn=1, table="Li", owner=0).after("pass", "Na", "pass")
    assert at.now.plays  # seat 1 passed before seat 2 played, and is asked again
    assert at.now.turn == 1
    assert (at.after("pass").now.plays, at.after("pass").now.turn) == ((), 2)


def test_four_at_once_turn_the_order_until_the_next_four(lay: Lay) -> None:
    at = lay("Li Li Li Li Zn Zn Au", "Na Na Na Na Cu", "Ca Au")
    once = at.after("Li Li Li Li")
    assert once.now.reverse
    twice = once.after("Na Na Na Na")
    assert not twice.now.reverse
    assert where(twice.after("pass", "pass"))[1] == "vapor"
    turned = once.after("pass", "pass")
    assert where(turned)[1] == "aqua-regia"
    assert where(turned.after("Zn", "pass", "pass"))[1] == "acid"  # over tricks, too
    assert not at.after("Li Li Li").now.reverse


def test_the_first_without_cards_wins_at_once(lay: Lay) -> None:
    over = lay("Mg", "Mg", "Na K", table="Li", owner=2, stock="Au").after("Mg")
    assert ref.scores(over.now) == (1, 0, 0)
    assert over.moves == []


def test_the_winner_is_described() -> None:
    over = after(position("Mg", "Mg", "Na K", table="Li", owner=2, stock="Au"), "Mg")
    assert ("Seat 0", "–   (has gone out and wins)") in GAME.describe(over)


@pytest.mark.parametrize(("field", "up", "down"), [(0, 1, 3), (1, 2, 0), (2, 3, 1), (3, 0, 2)])
def test_the_order_of_the_fields(field: int, up: int, down: int) -> None:
    assert rules.next_field(field, False) == up
    assert rules.next_field(field, True) == down
    assert (WATER, VAPOR, ACID, AQUA_REGIA) == (0, 1, 2, 3)


def test_runs_are_parted_where_the_metal_changes() -> None:
    assert rules.runs((1, 2, 2, 5)) == [Play(1, 1), Play(2, 2), Play(5, 1)]
    assert rules.runs(()) == []


def test_the_house_deck() -> None:
    deck = house()
    assert " ".join(deck.index) == "Li K Ca Na Mg Al Zn Fe Ni Sn Pb Cu Hg Ag Pt Au"
    assert (deck.name, deck.copies, deck.size, deck.cards) == ("house", 4, 16, 64)
    lets = ["".join(str(min(row, 2)) for row in metal.reactivity) for metal in deck.metals]
    assert " ".join(lets) == ("2222 2222 2222 2222 1222 0222 0222 0122 0022 0022 0012 0012 0012 0011 0002 0002")


# Against the reference, on random positions and tables. ---------------------------------------------------------


def slow_state(state: State) -> ref.State:
    """The same state for the reference."""
    return ref.State(
        hands=tuple(tuple(members(hand)) for hand in state.hands),
        turn=state.turn,
        field=state.field,
        reverse=state.reversed,
        plays=tuple(ref.Play(play.metal, play.count) for play in rules.runs(state.table)),
        owner=state.owner,
        stock=state.stock,
        discard=tuple(members(state.discard)),
    )


def measure(state: State) -> int:
    """What never grows, and falls with every play and every pass that draws."""
    return 2 * len(state.stock) + sum(map(sum, state.hands))


def same_moves(deck: Deck, table: ref.Table, state: State, slow: ref.State) -> list[rules.Move]:
    """The legal moves, when both agree on the state and on its moves, in order."""
    assert slow_state(state) == slow
    legal = rules.legal_moves(deck, state)
    assert [rules.text_of(deck, move) for move in legal] == [
        ref.text(table, move) for move in ref.legal(table, slow)
    ]
    return legal


@pytest.mark.parametrize("own_table", [False, True])
def test_games_from_random_positions_to_the_end(own_table: bool) -> None:
    rng = random.Random(51 + own_table)
    seen: set[str] = set()
    for _ in range(200):
        table_data = random_table(rng) if own_table else None
        players = rng.randint(2, 5)
        if table_data is not None and len(table_data["metal"]) * table_data["copies"] < players:
            continue
        cards = players * rng.randint(1, 10)
        position = known_from(
            random_position(rng, deck=table_data, players=players, cards=cards, rules=either(rng))
        )
        deck, state = position.metals, position.state
        table, slow = ref.load(position_data(position))
        if state != position.state_as_written:
            seen.add("deal passed on")
        while legal := same_moves(deck, table, state, slow):
            index = rng.randrange(len(legal))
            if rng.random() < 0.3:  # as many cards as can be
                index = max(range(len(legal)), key=lambda choice: getattr(legal[choice], "count", 0))
            move = legal[index]
            seen.add(type(move).__name__)
            after = rules.play(deck, state, move)
            assert measure(after) <= measure(state)
            falls = isinstance(move, rules.Play) or bool(state.stock)
            assert (measure(after) < measure(state)) == falls
            if after.reversed != state.reversed:
                seen.add("reversed")
            state, slow = after, ref.play(table, slow, ref.legal(table, slow)[index])
        assert state.winner == ref.scores(slow).index(1)
    assert seen == {"deal passed on", "Play", "Pass", "reversed"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_playouts_of_whole_deals_end(players: int) -> None:
    rng = random.Random(players)
    for number in range(8):
        position: Any = GAME.deal(51, number=number, players=players)
        deck, state = position.metals, position.state
        start = measure(state)
        plies = idle = 0
        while legal := rules.legal_moves(deck, state):
            after = rules.play(deck, state, rng.choice(legal))
            assert measure(after) <= measure(state)
            idle = idle + 1 if measure(after) == measure(state) else 0
            assert idle < players  # passes without a draw; then the owner must lead
            state = after
            plies += 1
        assert state.winner is not None
        assert plies <= start * players


# Kernels against the rules in plain Python, and what bounds a search. -------------------------------------------


def numbers(deal: Deal, node: Words) -> list[int]:
    found = np.zeros(deal.moves, np.int64)
    count = fast_rules.moves(deal.words, node, 0, found, 0, 1)
    return [int(move) for move in found[:count]]


def random_state(rng: random.Random, players: int | None = None) -> tuple[Deck, State]:
    while True:
        try:
            table = random_table(rng) if rng.random() < 0.5 else None
            data = random_position(rng, players=players, deck=table, rules=either(rng))
        except ValueError:
            continue
        position = known_from(data)
        return position.metals, position.state


def key(deal: Deal, node: Words) -> tuple[int, int]:
    return int(fast_rules.digest(deal.words, node, 0, 0)), int(fast_rules.digest(deal.words, node, 0, 1))


@pytest.mark.covered
@pytest.mark.small
def test_random_games_step_by_step() -> None:
    rng = random.Random(1)
    for _ in range(60):
        deck, state = random_state(rng)
        deal = deal_of(deck, state, "paranoid")
        node = node_of(deal, state)
        length = 0
        while state.winner is None:
            moves = numbers(deal, node)
            assert [move_of(move, deal.metals) for move in moves] == rules.legal_moves(deck, state)
            assert moves == sorted(moves)
            assert len(moves) <= deal.moves
            move = rng.choice(moves)
            state = rules.play(deck, state, move_of(move, deal.metals))
            child = np.zeros_like(node)
            fast_rules.play(deal.words, node, 0, child, 0, move)
            node = child
            length += 1
            if state.winner is None:
                # The stock is the deal's; the state's own is what is left of it.
                assert drawn_of(int(node[fast_rules.STATUS])) == deal.words[fast_rules.STOCK_SIZE] - len(
                    state.stock
                )
                fresh = node_of(deal, state)
                fresh[fast_rules.STATUS] |= node[fast_rules.STATUS] & (1023 << fast_rules._DRAWN)
                assert fresh.tolist() == node.tolist()
        assert node[fast_rules.STATUS] >> fast_rules.OUT == state.winner + 1
        assert length <= deal.depth


@pytest.mark.small
def test_a_sure_winner_can_force_it() -> None:
    rng = random.Random(2)
    seen = 0
    while seen < 40:
        data = random_position(rng, cards=rng.randint(3, 6), stock=rng.choice((0, 0, 1, 2)))
        data["discard"] = data["discard"][:4]
        position = known_from(data)
        state = position.state
        deal = deal_of(position.metals, state, "paranoid")
        node = np.concatenate((node_of(deal, state), np.zeros(200, np.int64)))
        winner = sure_winner(deal.words, node, 0)
        if winner < 0:
            continue
        seen += 1
        assert winner == state.turn
        table, now = ref.load(data)
        assert ref.value(table, now, "paranoid") == 1, data


@pytest.mark.small
def test_keys_tell_nodes_apart_but_for_cards_that_cannot_matter() -> None:
    deck = house()
    base = State(
        hands=(deck.counts([5, 9]), deck.counts([6, 6, 15])), turn=0, field=3, discard=deck.counts([2, 7, 12, 12])
    )
    others = [
        State(base.hands, 1, 3, discard=base.discard),
        State(base.hands, 0, 2, discard=base.discard),
        State(base.hands, 0, 3, True, discard=base.discard),
        State(base.hands[::-1], 0, 3, discard=base.discard),
        State(base.hands, 0, 3, discard=deck.counts([2, 7, 12])),
        State(base.hands, 0, 3, discard=deck.counts([2, 7, 7, 12, 12])),
    ]
    deal = deal_of(deck, State(base.hands, 0, 3, discard=deck.counts([2, 2, 4, 7, 7, 12, 12])), "paranoid")
    keys = [key(deal, node_of(deal, state)) for state in (base, *others)]
    assert len(set(keys)) == len(keys)
    assert len({word for pair in keys for word in pair}) == 2 * len(keys)
    # Nothing in hands is weaker than these, so nobody can take them.
    same = State(base.hands, 0, 3, discard=deck.counts([2, 2, 4, 7, 12, 12]))
    assert key(deal, node_of(deal, same)) == keys[0]


def test_a_deck_that_does_not_fit_the_search_is_refused() -> None:
    rng = random.Random(3)
    data = random_position(rng, players=2, cards=40, deck=random_table(rng, metals=40, copies=4), crowded=False)
    position = known_from(data)
    with pytest.raises(RequestError, match="metals of up to 4 cards are too many") as caught:
        deal_of(position.metals, position.state, "paranoid")
    assert caught.value.code == "too_large"
    assert caught.value.path == "deck"


@pytest.mark.small
@pytest.mark.parametrize(("metals", "copies"), [(63, 1), (31, 3), (21, 7), (15, 9)])
def test_the_widest_decks_that_fit(metals: int, copies: int) -> None:
    rng = random.Random(4)
    data = random_position(
        rng, players=3, cards=metals * copies // 2, stock=9, deck=random_table(rng, metals, copies), crowded=False
    )
    position = known_from(data)
    deck, state = position.metals, position.state
    deal = deal_of(deck, state, "paranoid")
    node = node_of(deal, state)
    while state.winner is None:
        moves = numbers(deal, node)
        assert [move_of(move, deal.metals) for move in moves] == rules.legal_moves(deck, state)
        plays = [move for move in moves if move < fast_rules.PASS]
        move = rng.choice(plays or moves)
        state = rules.play(deck, state, move_of(move, deal.metals))
        child = np.zeros_like(node)
        fast_rules.play(deal.words, node, 0, child, 0, move)
        node = child


# Playthroughs, and the reference's move counts. -----------------------------------------------------------------

FOLDER = places.DATA / "aqua-regia"

PLAYTHROUGHS = {2: 14, 3: 22, 4: 1, 5: 22}  # players, and the seed


def playthrough(players: int, seed: int) -> str:
    """A game from the deal to its score; half of the moves are the play of most cards, the others are random."""
    random = Random(seed, players)
    position = GAME.deal(seed, players=players)
    rows = [f"aqua-regia, seed {seed}, {players} players"]
    while moves := GAME.legal_moves(position):
        assert isinstance(position, Round)
        if not position.table:
            rows += ["", *(f"{label}: {text}" for label, text in GAME.describe(position))]
        move = moves[random.below(len(moves))]
        plays = [move for move in moves if isinstance(move, Play)]
        if plays and random.below(2):
            move = max(plays, key=lambda play: play.count)
        choice = ", ".join(GAME.format_move(position, move) for move in moves)
        rows.append(f"seat {position.seat_to_move}: {GAME.format_move(position, move)}   (of {choice})")
        position = GAME.play(position, move)
    assert isinstance(position, Round)
    rows += ["", *(f"{label}: {text}" for label, text in GAME.describe(position))]
    record = parse_record({"game": "aqua-regia", "rounds": [{"hands": position.hands}]})
    return "\n".join([*rows, "", GAME.score(record).to_json(), ""])


def files() -> Iterator[tuple[str, str]]:
    """Name and text of every file."""
    for players, seed in PLAYTHROUGHS.items():
        yield f"playthrough-{players}.txt", playthrough(players, seed)


def main() -> None:
    for name, text in files():
        (FOLDER / name).write_text(text, encoding="utf-8")


ROWS: list[dict[str, Any]] = json.loads((FOLDER / "counts.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("players", PLAYTHROUGHS)
def test_playthroughs_are_as_recorded(players: int) -> None:
    recorded = (FOLDER / f"playthrough-{players}.txt").read_text(encoding="utf-8")
    assert playthrough(players, PLAYTHROUGHS[players]) == recorded


def test_the_playthroughs_cover_what_can_happen() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("playthrough-*.txt"))
    for words in (", reversed)", "Field: aqua regia", ">", "Stock: empty", "none of them may be taken", "wins"):
        assert words in text


def count_lines(deck: Deck, state: State, plies: int) -> int:
    """In how many ways the next `plies` moves can be made."""
    if plies == 0 or state.winner is not None:
        return 1
    moves = rules.legal_moves(deck, state)
    if plies == 1:
        return len(moves)
    return sum(count_lines(deck, rules.play(deck, state, move), plies - 1) for move in moves)


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_move_counts_are_as_recorded(row: dict[str, Any]) -> None:
    position = known_from(row["position"])
    counted = [count_lines(position.metals, position.state, plies + 1) for plies in range(len(row["lines"]))]
    assert counted == row["lines"]


if __name__ == "__main__":
    main()
