"""What puzzles' notes say of a wrong move, slow and obvious: each English clause is read and checked by replaying.

Each game's function takes a position in its public form, the clause, best play after the wrong move and
throughout, and the seat that the puzzle asks about. It raises AssertionError if the clause is false, if it is not
known, or if what it says is as true of the best line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from typing import Any, NamedTuple

from tests.reference import alchemy, aqua, king, kirin
from tests.reference.king_deck import Deck

Position = Mapping[str, Any]


class Trick(NamedTuple):
    """A trick that was played to its end, in notation: its cards in play order, and by card who gets it."""

    cards: tuple[str, ...]
    taker: int | None
    card: str | None
    got: Mapping[str, int]
    forced: frozenset[str]
    order: str = ""


class Lines(NamedTuple):
    """The tricks after the wrong move, and those of best play; the first moves of both."""

    worse: list[Trick]
    better: list[Trick]
    wrong: str
    best: str
    lost: Callable[[str], bool]


def _listed(text: str) -> list[str]:
    """The cards of "D6, S1 and B+"."""
    return re.split(", | and ", text)


def _seat(text: str) -> int:
    return int(text.removeprefix("seat "))


def _with(tricks: Iterable[Trick], cards: Sequence[str]) -> list[Trick]:
    return [trick for trick in tricks if set(cards) & set(trick.cards)]


CARDS = r"[A-Z][\w+-]*(?:(?:, | and )[A-Z][\w+-]*)*"
TAKEN = re.compile(
    r"(?:(seat \d) then has to play (\S+), and )?(seat \d|nobody) then (?:takes|gets) "
    rf"({CARDS}|a trick)(?: with (\S+?))?(?:([,;] .*))?"
)
REASONS: Mapping[str, str] = {
    r", which is gone by then after (.+)": "gone",
    r", which beats (\S+) because the order is (\w+)": "order",
    r"; played now, (\S+) takes this trick": "now",
    r"; after (.+), (\S+) takes a trick": "later",
    r"; after (.+), (seat \d) takes (.+) with (\S+)": "instead",
    rf"; with best play, (seat \d) takes ({CARDS}) with (\S+)": "other",
    r"; with best play, (\S+) takes a trick": "itself",
}


def of_tricks(clause: str, lines: Lines) -> None:
    """Check a clause about who takes cards after a wrong move of Kirin or King × Alchemy."""
    worse, better, wrong, best, lost = lines
    kept = re.fullmatch(rf"kept, it would take ({CARDS}|a trick) later", clause)
    if kept:
        cards = [wrong] if kept[1] == "a trick" else _listed(kept[1])
        assert any(trick.card == wrong and set(cards) <= {*trick.got} for trick in better[1:])
        assert all(map(lost, cards))
        return
    taken = TAKEN.fullmatch(clause)
    assert taken, clause
    who, played, seat, told, card, rest = taken.groups()
    cards = [card] if told == "a trick" else _listed(told)
    (trick, *others) = _with(worse, cards)
    assert not others
    assert set(cards) <= set(trick.cards)
    assert all(map(lost, cards))
    if seat == "nobody":
        assert not set(cards) & set(trick.got)
    else:
        assert {trick.got[each] for each in cards} == {_seat(seat)}
    assert card in (None, trick.card)
    if card is not None:
        assert trick.taker == _seat(seat)
    there = _with(better, cards)
    if who is not None:
        assert played in trick.forced
        assert there[0].card == played
        assert there[0].taker == _seat(who)
    if rest is None:
        return
    reason, found = next((name, match) for how, name in REASONS.items() if (match := re.fullmatch(how, rest)))
    if reason == "gone":
        assert found[1] == best
        now = worse.index(trick)  # "then", which is none of the trick on the table
        assert any(card in earlier.cards for earlier in better[: min(now, better.index(there[0]))])
        return
    assert len(there) == 1
    if reason == "order":
        assert found[2] == trick.order != there[0].order
        assert found[1] == there[0].card
        assert found[1] in trick.cards
    elif reason == "now":
        assert found[1] == best == there[0].card
        assert there[0] == better[0]
    elif reason == "later":
        assert (found[1], found[2]) == (best, there[0].card)
    elif reason == "instead":
        assert (found[1], found[4]) == (best, there[0].card)
        assert {there[0].got[each] for each in cards} == {_seat(found[2])} == {there[0].taker}
    elif reason == "itself":
        assert [found[1]] == cards == [there[0].card]
    else:
        assert (there[0].taker, there[0].card) == (_seat(found[1]), found[3])
        assert {*_listed(found[2])} == {*cards} - ({found[3]} if found[3] in cards else set())
        assert {there[0].got[each] for each in cards} == {there[0].taker}


# ----------------------------------------------------------------------------------------------------
# Kirin.


def _kirin_tricks(now: kirin.State, line: Sequence[str]) -> Iterator[Trick]:
    forced: set[str] = set()
    for text in line:
        assert kirin.number(text) in kirin.legal(now)
        if len(kirin.legal(now)) == 1 < len(now.hands[kirin.to_move(now)]):
            forced.add(text)
        trick = (*now.trick, kirin.number(text))
        if len(trick) == 4:
            taker = kirin.winner(trick, now.leader, now.direction)
            cards = tuple(map(kirin.name, trick))
            card = None if taker is None else cards[(taker - now.leader) % 4]
            got = {} if taker is None else dict.fromkeys(cards, taker)
            yield Trick(cards, taker, card, got, frozenset(forced), now.direction)
            forced = set()
        now = kirin.after(now, kirin.number(text))
    assert kirin.over(now)


def of_kirin(
    position: Position, clause: str, wrong: Sequence[str], right: Sequence[str], asked: int, held_down: bool
) -> None:
    now, declared = kirin.load(position)
    worse, better = list(_kirin_tricks(now, wrong)), list(_kirin_tricks(now, right))

    def wins(tricks: Sequence[Trick], card: str) -> bool:
        return card[0] == declared[asked] and any(trick.got.get(card) == asked for trick in tricks)

    def lost(card: str) -> bool:
        most, least = (worse, better) if held_down else (better, worse)
        return wins(most, card) and not wins(least, card)

    of_tricks(clause, Lines(worse, better, wrong[0], right[0], lost))
    beaten = re.search(r"with (\S+), which beats (\S+) because", clause)
    if beaten:
        card, other = map(kirin.number, beaten.groups())
        (order,) = {trick.order for trick in worse if kirin.name(card) == trick.card}
        (usual,) = {trick.order for trick in better if kirin.name(other) == trick.card}
        assert kirin.beats(card, other, order)
        assert kirin.beats(other, card, usual)


# ----------------------------------------------------------------------------------------------------
# King × Alchemy.


def _king_line(deck: Deck, now: king.State, line: Sequence[str]) -> tuple[list[Trick], king.State]:
    tricks = []
    for text in line:
        move = next(each for each in king.legal(deck, now) if king.text(deck, each) == text)
        after = king.after(deck, now, move)
        if isinstance(move, king.Take):
            cards = tuple(deck[each.card].code for each in now.trick)
            got = {deck[card].code: seat for seat, pile in enumerate(after.won) for card in pile - now.won[seat]}
            best = deck[king.winner(deck, now.trick).card].code
            tricks.append(Trick(cards, king.to_move(deck, now), best, got, frozenset()))
        now = after
    assert king.over(now)
    return tricks, now


def of_king(
    position: Position, clause: str, wrong: Sequence[str], right: Sequence[str], asked: int, held_down: bool
) -> None:
    deck, now = king.load(position)
    (worse, end), (better, best_end) = (_king_line(deck, now, line) for line in (wrong, right))
    most, least = (end, best_end) if held_down else (best_end, end)
    by_code = {card.code: number for number, card in enumerate(deck)}

    def lost(code: str) -> bool:
        card = by_code[code]
        return deck[card].vp > 0 and card in most.won[asked] and card not in least.won[asked]

    recipe = re.fullmatch(
        rf"(seat \d) then (lacks|gets) ({CARDS}) (?:for|and can make) .+ \((\d+) points\)(?:: (seat \d) gets \3)?",
        clause,
    )
    if recipe is None:
        of_tricks(clause, Lines(worse, better, wrong[0].partition(":")[0], right[0], lost))
        return
    seat, verb, told, count, other = recipe.groups()
    cards, least_pile = frozenset(by_code[code] for code in _listed(told)), least.won[asked]
    assert _seat(seat) == asked
    assert held_down == (verb == "gets")
    assert cards <= most.won[asked] - least_pile
    assert any(
        deck[card].bonus == int(count)
        and not _alone(deck, card, least_pile)
        and _alone(deck, card, least_pile | cards)
        and not any(_alone(deck, card, least_pile | cards - {one}) for one in cards)
        for card in most.won[asked]
    )
    if other is not None:
        assert cards <= end.won[_seat(other)]


def _alone(deck: Deck, card: int, pile: frozenset[int]) -> bool:
    """Whether a pile can make a card's recipe, if it makes no other."""
    supply = [[each for each in pile - {card} if deck[each].provides == need] for need in deck[card].needs]
    return card in pile and bool(supply) and any(len(set(uses)) == len(uses) for uses in product(*supply))


# ----------------------------------------------------------------------------------------------------
# Aqua Regia.


def of_aqua(
    position: Position, clause: str, wrong: Sequence[str], right: Sequence[str], asked: int, held_down: bool
) -> None:
    table, now = aqua.load(position)
    first, states = now, [now]
    moves = []
    for text in wrong:
        moves.append(next(each for each in aqua.legal(table, now) if aqua.text(table, each) == text))
        now = aqua.after(table, now, moves[-1])
        states.append(now)
    out = next(seat for seat, hand in enumerate(now.hands) if not hand)
    assert (out == asked) == held_down
    said = clause.split("; ")
    ended = [at for at, after in pairwise(states) if at.plays and not after.plays and not aqua.over(after)]
    for part in said:
        if found := re.fullmatch(r"(seat \d) can follow it with (.+), but can't follow (.+)", part):
            hand = first.hands[_seat(found[1])]
            there = first._replace(turn=_seat(found[1]))
            assert hand
            assert _seat(found[1]) != first.turn
            assert found[3] == right[0]
            assert found[2] in _followers(table, there, wrong[0])
            assert not _followers(table, there, right[0])
            assert found[2] in wrong[1:]
        elif found := re.fullmatch(r"it parts (.+), which go at once in best play", part):
            assert _at_once(found[1], wrong[0])
            assert found[1] in _own(table, first, right)
        elif found := re.fullmatch(r"(seat \d) then has to play (.+), not (.+) at once", part):
            assert _at_once(found[3], found[2])
            assert found[3] in _own(table, first, right)
            assert _seat(found[1]) == first.turn
            assert any(
                at.turn == first.turn
                and text == found[2]
                and len([metal for metal in at.hands[at.turn] if table.symbols[metal] == text.split()[0]])
                >= len(found[3].split())
                and found[3] not in [aqua.text(table, each) for each in aqua.plays(table, at)]
                for at, text in zip(states, wrong, strict=False)
            )
        elif found := re.fullmatch(
            r"(seat \d) then has nothing to play on (.+), on which best play lays (.+)", part
        ):
            assert _seat(found[1]) == asked
            assert (found[2], "") in _laid(table, first, wrong, asked)
            assert (found[2], found[3]) in _laid(table, first, right, asked)
        elif found := re.fullmatch(r"(seat \d) lays (.+) on (.+), with nothing to play on it in best play", part):
            assert _seat(found[1]) == out
            assert (found[3], found[2]) in _laid(table, first, wrong, out)
            assert (found[3], "") in _laid(table, first, right, out)
        elif found := re.fullmatch(r"(seat \d) takes the trick, not (seat \d) as in best play", part):
            assert _seat(found[1]) == ended[0].owner
            assert _seat(found[2]) == _taker(table, first, right) != ended[0].owner
        elif found := re.fullmatch(r"it plays (.+) at once, which best play parts", part):
            assert found[1] == wrong[0]
            alone = [text for text in _own(table, first, right) if {*text.split()} == {*wrong[0].split()}]
            assert len(alone) > 1
            assert all(len(text) < len(wrong[0]) for text in alone)
        elif found := re.fullmatch(r"it lets go of (\w+), which best play plays", part):
            assert wrong[0].startswith(f"pass {found[1]}>")
            assert not right[0].startswith(f"pass {found[1]}>")
            assert any(text.split()[0] == found[1] for text in _own(table, first, right))
        elif found := re.fullmatch(r"it leaves (\w+), which best play picks up and plays", part):
            assert right[0].endswith(f">{found[1]}")
            assert any(text.split()[0] == found[1] for text in _own(table, first, right))
            assert not any(text.split()[0] == found[1] for text in _own(table, first, wrong))
        elif found := re.fullmatch(r"(seat \d) takes the trick, (?:but can't lead in )?(.+?)(?: follows)?", part):
            before = ended[0]
            after = states[states.index(before) + 1]
            assert _seat(found[1]) == before.owner
            assert found[2] == aqua.FIELDS[after.field].replace("-", " ")
            assert ("can't" in part) == (after.turn != before.owner)
            if "can't" in part:
                assert not aqua.plays(table, after._replace(turn=before.owner or 0))
        elif found := re.fullmatch(r"(seat \d) (?:picks up (\w+) and )?goes out first with (.+)", part):
            assert _seat(found[1]) == out
            assert found[3] == wrong[-1]
            if found[2]:
                assert found[2] in re.split(r"[ >]", wrong[0])
                assert any(
                    at.turn == out and text.endswith(f">{found[2]}")
                    for at, text in zip(states, wrong, strict=False)
                )
        else:
            found = re.fullmatch(r"(seat \d) still holds (.+)", part)
            assert found, part
            held = [table.symbols[metal] for metal in now.hands[_seat(found[1])]]
            some, _, rest = found[2].partition(" and ")
            listed = [*some.split(", "), *([rest] if rest and "other" not in rest else [])]
            assert _seat(found[1]) == asked
            assert not Counter(listed) - Counter(held)
            assert len(held) - len(listed) == (int(rest.split()[0]) if "other" in rest else 0)


def _at_once(whole: str, part: str) -> bool:
    """Whether a play is of more cards of the same metal than another."""
    return {*whole.split()} == {*part.split()} and len(whole) > len(part)


def _own(table: aqua.Table, now: aqua.State, line: Sequence[str]) -> list[str]:
    """The moves of the seat to move in a line."""
    seat, own = now.turn, []
    for text in line:
        own += [text] * (now.turn == seat)
        now = aqua.after(
            table, now, next(each for each in aqua.legal(table, now) if aqua.text(table, each) == text)
        )
    return own


def _replayed(
    table: aqua.Table, now: aqua.State, line: Sequence[str]
) -> Iterator[tuple[aqua.State, str, aqua.State]]:
    """Each state of a line, the move there, and the state after it."""
    for text in line:
        move = next(each for each in aqua.legal(table, now) if aqua.text(table, each) == text)
        yield now, text, (now := aqua.after(table, now, move))


def _laid(table: aqua.Table, first: aqua.State, line: Sequence[str], seat: int) -> set[tuple[str, str]]:
    """On which play a seat lays what; an empty text where it has nothing to play."""
    return {
        (aqua.text(table, now.plays[-1]), "" if text.startswith("pass") else text)
        for now, text, _ in _replayed(table, first, line)
        if now.turn == seat and now.plays and (aqua.plays(table, now) or text.startswith("pass"))
        if not text.startswith("pass") or not aqua.plays(table, now)
    }


def _taker(table: aqua.Table, first: aqua.State, line: Sequence[str]) -> int | None:
    """Who takes the first trick that ends in a line."""
    return next(now.owner for now, _, after in _replayed(table, first, line) if now.plays and not after.plays)


def _followers(table: aqua.Table, now: aqua.State, laid: str) -> list[str]:
    """What the seat to move could play on a move."""
    symbols = laid.split()
    top = aqua.Play(table.symbols.index(symbols[0]), len(symbols))
    return [aqua.text(table, each) for each in aqua.plays(table, now._replace(plays=(*now.plays, top)))]


# ----------------------------------------------------------------------------------------------------
# Alchemy.


RANK = {name: number for number, name in enumerate(["X", "A", *map(str, range(2, 11)), *"JQK"])}


def of_alchemy(position: Position, clause: str, wrong: Sequence[str], right: Sequence[str]) -> None:
    line, hand = [RANK[card] for card in position["line"]], RANK[position["hand"]]
    if position["variant"] == "duel":
        _of_duel(position, clause, line, hand, wrong, right)
    elif "stock" not in position:
        found = re.fullmatch(r"the next card then finds no match in (\S+)% of deals, after (.+) in (\S+)%", clause)
        assert found, clause
        assert found[2] == right[0]
        shares = [_misses(position, line, hand, text) for text in (wrong[0], right[0])]
        assert shares[0] > shares[1]
        for share, told in zip(shares, (found[1], found[3]), strict=True):
            assert abs(100 * share - float(told)) <= 0.5
    else:
        found = re.fullmatch(
            r"then (\S+) finds no match in (.+), and (\d+) cards? (?:is|are) left in the stock", clause
        )
        assert found, clause
        cap, stock = position["cap"], [RANK[card] for card in position["stock"]]
        for text in wrong:
            last = sorted(line), hand
            cap, line = _after(cap, line, hand, text)
            while stock and len(line) < cap:
                line.append(stock.pop(0))
            hand = stock.pop(0) if stock and cap >= 3 else 0
        assert cap < 3
        assert stock
        assert last == (sorted(RANK[card] for card in found[2].split()), RANK[found[1]])
        assert not alchemy.matches(last[0], last[1], _least(position))
        assert len(stock) == int(found[3])


def _least(position: Position) -> int:
    """The fewest line cards of a match."""
    return 3 if position["variant"] == "solo" else 1


def _after(cap: int, line: list[int], hand: int, text: str) -> tuple[int, list[int]]:
    """The most cards of the line, and those that are left, after a move."""
    if text.startswith("discard "):
        used = Counter([RANK[text.split()[1]]])
    else:
        left, right = (Counter(RANK[card] for card in side.split("+")) for side in text.split("="))
        assert sum(left.elements()) == sum(right.elements())
        used = left + right - Counter([hand])
    assert used <= Counter(line)
    return cap - text.startswith("discard "), sorted((Counter(line) - used).elements())


def _misses(position: Position, line: list[int], hand: int, text: str) -> Fraction:
    """The chance that the card drawn after a move finds no match."""
    cap, kept = _after(position["cap"], line, hand, text)
    unseen = [RANK[card] for card in position["unseen"]]
    need = max(0, min(cap - len(kept), len(unseen)))
    if need == len(unseen):
        return Fraction(0)
    draws = (
        list(permutations(range(len(unseen)), need + 1))
        if need < 3
        else [
            (*some, one)
            for some in combinations(range(len(unseen)), need)
            for one in range(len(unseen))
            if one not in some
        ]
    )
    missing = sum(
        not alchemy.matches([*kept, *(unseen[at] for at in draw[:-1])], unseen[draw[-1]], _least(position))
        for draw in draws
    )
    return Fraction(missing, len(draws))


def _of_duel(
    position: Position, clause: str, line: list[int], hand: int, wrong: Sequence[str], right: Sequence[str]
) -> None:
    other, jokers = RANK[position["opponent_hand"]], position.get("table_jokers", 0)
    piles = [[RANK[card] for card in position.get(key) or ()] for key in ("pile", "opponent_pile")]
    worth = alchemy.duel(line, hand, other, jokers, *piles)

    def of(text: str) -> tuple[int, int, int, bool]:
        _, left = _after(0, line, hand, text) if text != "none" else (0, line)
        used = tuple(sorted((Counter(line) - Counter(left)).elements()))
        return next(each for move, each in worth.items() if Counter(move[1]) == Counter(used))

    worse, better = of(wrong[0]), of(right[0])
    numbers = re.fullmatch(
        r"it scores (?:only (\d+), not (\d+)|(\d+), but leaves (\S+) for (\d+); "
        r"(\S+) leaves (?:nothing|no more than (\d+)))",
        clause,
    )
    assert numbers, clause
    only, more, points, _, left, best, least = numbers.groups()
    if only is not None:
        assert (worse[0], better[0]) == (int(only), int(more))
        assert worse[0] < better[0]
        return
    assert (worse[0], worse[1]) == (int(points), int(left))
    assert best == right[0]
    assert better[1] == int(least or 0) < worse[1]
