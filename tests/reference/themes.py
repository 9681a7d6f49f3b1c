"""The themes of puzzles, slow and obvious: what the checks of `puzzles.py` in each game are checked against.

Each game's function takes a position in its public form, the best move and best play from it on (as far as it is
known), and returns the themes that the position has, written from what their names say and from the games' rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from tests.reference import alchemy, aqua, king, kirin
from tests.reference.king_deck import DANCER, HOUSE, TRUMP, Deck, index

Position = Mapping[str, Any]


def _true(themes: Mapping[str, object]) -> set[str]:
    return {name for name, holds in themes.items() if holds}


# ----------------------------------------------------------------------------------------------------
# Kirin.


def _kirin_tricks(now: kirin.State) -> Iterator[tuple[int, ...]]:
    """Every way in which the trick may end."""
    whole = len(now.trick) == 3
    for card in kirin.legal(now):
        if whole:
            yield (*now.trick, card)
        else:
            yield from _kirin_tricks(kirin.after(now, card))


def of_kirin(position: Position, best: str, line: Sequence[str], player: int | None, held_down: bool) -> set[str]:
    now, declared = kirin.load(position)
    card, me, direction = kirin.number(best), kirin.to_move(now), now.direction
    own = declared[me] if player in (None, me) else None
    legal, led = kirin.legal(now), not now.trick
    trick = (*now.trick, *map(kirin.number, line))[:4]
    taker = kirin.winner(trick, now.leader, direction) if len(trick) == 4 else None
    lost = taker not in (None, me)

    def takes(mine: int) -> bool:
        tricks = [(*now.trick, mine)] if len(now.trick) == 3 else _kirin_tricks(kirin.after(now, mine))
        return all(kirin.winner(each, now.leader, direction) == me for each in tricks)

    sure = [mine for mine in legal if takes(mine)]
    after = kirin.next_direction(trick, direction) if len(trick) == 4 else direction
    others = [each for each in trick if each != card]
    without = kirin.next_direction(others, direction) if len(trick) == 4 else direction
    later, at = False, now
    for move in map(kirin.number, line):
        ended = (*at.trick, move)
        if len(ended) == 4 and at.trick[:1] != trick[:1] and kirin.winner(ended, at.leader, at.direction) == me:
            later |= ended[(me - at.leader) % 4] in sure
        at = kirin.after(at, move)
    bound = 0
    for seat in {0, 1, 2, 3} - {me}:
        free = kirin.legal(now._replace(leader=seat, trick=()))
        bound += led and set(kirin.legal(now._replace(leader=(seat - 1) % 4, trick=(card,)))) != set(free)
    ranked = [each for each in legal if not kirin.is_kirin(each)]
    many = led and card in ranked and len(ranked) > 1
    colours = Counter(kirin.name(each)[0] for each in trick)
    trumps = [each for each in legal if kirin.name(each)[1] == "T"]
    mine = kirin.name(card)[0] == own
    return _true(
        {
            "flip the order": kirin.is_kirin(card) and after != direction == without,
            "keep the order": kirin.is_kirin(card) and after == direction != without,
            "sacrifice": mine and lost and any(kirin.name(each)[0] != own for each in legal),
            "take it later": card not in sure and later,
            "lose on purpose": not led and sure and lost,
            "two at once": own and taker == me and colours[own] > 1,
            "lead a kirin": led and kirin.is_kirin(card),
            "throw a kirin": not led and kirin.is_kirin(card),
            "force their card": bound > 1,
            "give up the lead": led and lost,
            "keep the trump": trumps and card not in trumps,
            "trump": card in trumps,
            "deny": held_down,
            "what you can spare": not led and lost and own and not mine and card in ranked,
            "take the trick": taker == me,
            "lead the weakest": many and not any(kirin.beats(card, each, direction) for each in ranked),
            "lead the strongest": many and not any(kirin.beats(each, card, direction) for each in ranked),
        }
    )


# ----------------------------------------------------------------------------------------------------
# King × Alchemy.


def _king_tricks(deck: Deck, now: king.State) -> Iterator[king.State]:
    """Every state in which the trick is full."""
    if len(now.trick) == len(now.hands):
        yield now
        return
    for move in king.legal(deck, now):
        yield from _king_tricks(deck, king.after(deck, now, move))


def _king_move(deck: Deck, now: king.State, text: str) -> king.Move:
    return next(move for move in king.legal(deck, now) if king.text(deck, move) == text)


def of_king(position: Position, best: str, line: Sequence[str], player: int | None, held_down: bool) -> set[str]:
    deck, now = king.load(position)
    me, move, legal, led = (
        king.to_move(deck, now),
        _king_move(deck, now, best),
        king.legal(deck, now),
        not now.trick,
    )
    full = len(now.trick) == len(now.hands)
    states = [now]
    for text in line:
        states.append(king.after(deck, states[-1], _king_move(deck, states[-1], text)))
    end = states[-1]
    filled = next((at for at in states[1:] if len(at.trick) == len(at.hands)), None) if not full else None
    taker = None if filled is None else king.to_move(deck, filled)
    lost = taker not in (None, me)
    own = end.won[me] if king.over(end) else frozenset()
    if isinstance(move, king.Take):
        worth = {each: king.points(deck, frozenset(each.taken)) for each in legal if isinstance(each, king.Take)}

        total = king.bonus(deck, own)

        def is_made(card: int, with_card: int | None = None) -> bool:
            """Whether a best compounding makes the card's recipe, and uses the other card in it."""
            supply = [[each for each in own - {card} if deck[each].provides == need] for need in deck[card].needs]
            return any(
                deck[card].bonus + king.bonus(deck, own - {card, *uses}) == total
                for uses in product(*supply)
                if len(set(uses)) == len(uses) and with_card in (None, *uses)
            )

        carriers = [card for card in own if deck[card].needs]
        return _true(
            {
                "leave points": worth[move] < max(worth.values()),
                "recipe": any(card in carriers and is_made(card) for card in move.taken),
                "ingredient": any(is_made(card, one) for one in move.taken for card in carriers if card != one),
                "what to give": any(each.taken == move.taken and each != move for each in worth),
                "most points": worth[move] == max(worth.values()),
                "deny": held_down,
            }
        )
    cards = [each for each in legal if isinstance(each, king.Played)]
    suit, trumps = king.suit_of(deck, move), [each for each in cards if deck[each.card].suit == TRUMP]
    dances, dancers = deck[move.card].suit == DANCER, [each for each in cards if deck[each.card].suit == DANCER]
    sure = [
        each
        for each in cards
        if all(king.to_move(deck, at) == me for at in _king_tricks(deck, king.after(deck, now, each)))
    ]
    under = filled and king.bottom(deck, filled.trick)
    taking = next((text for text in line if text.startswith("take")), "")
    held = [card for card in now.hands[me] if deck[card].suit == suit]
    numbers = sorted(deck[card].number for card in held)
    later = void = False
    for at, text in zip(states, line, strict=False):
        if at is now or king.to_move(deck, at) != me:
            continue
        play = _king_move(deck, at, text)
        if isinstance(play, king.Take):
            later |= king.winner(deck, at.trick).card in {each.card for each in sure} - {move.card}
        elif at.trick and king.lead_suit(deck, at.trick) == suit:
            void |= king.suit_of(deck, play) not in (suit, TRUMP)

    def over(each: king.Played) -> bool:
        return king.winner(deck, (*now.trick, each)) == each

    shown = filled.trick if filled else ()
    several = led and not dances and suit != TRUMP and len(held) > 1
    return _true(
        {
            "lift the Dancer": filled
            and deck[king.winner(deck, shown).card].suit == DANCER
            and any(deck[each.card].suit == TRUMP for each in shown),
            "take it later": move not in sure and later,
            "be the lowest": under == move and "give" in taking,
            "lose on purpose": not led and sure and lost,
            "void yourself": suit != TRUMP and not dances and held == [move.card] and void,
            "the Dancer": dances,
            "keep the Dancer": dancers and not dances,
            "trump": move in trumps,
            "give up the lead": led and lost,
            "deny": held_down,
            "what you can spare": not led and lost and suit not in (king.lead_suit(deck, now.trick), TRUMP),
            "stay below": not led and not over(move) and any(map(over, cards)),
            "keep the highest": several and deck[move.card].number < numbers[-1],
            "lead the highest": several and deck[move.card].number == numbers[-1],
            "your last of a suit": led and suit != TRUMP and held == [move.card],
            "take the trick": taker == me,
        }
    )


def of_recipes(position: Position, recipes: Sequence[tuple[str, Sequence[str]]]) -> set[str]:
    """The themes of a set of cards whose best compounding makes these recipes: a card each, and what it uses."""
    deck, by_code = HOUSE, {card.code: card for card in HOUSE}
    pile = frozenset(index(deck, code) for code in position["cards"])

    def alone(card: int) -> bool:
        """Whether its recipe could be made if it were the only one."""
        supply = [[each for each in pile - {card} if deck[each].provides == need] for need in deck[card].needs]
        return bool(deck[card].needs) and any(len(set(uses)) == len(uses) for uses in product(*supply))

    possible = [card for card in pile if alone(card)]
    bonuses = [deck[card].bonus for card in possible]
    made = [by_code[code].bonus for code, _ in recipes]
    used = {code for _, uses in recipes for code in uses}
    level = min(bonuses) == max(bonuses)
    return _true(
        {
            "leave the dearest recipe": max(made) < max(bonuses),
            "recipe card as ingredient": any(deck[card].code in used for card in possible),
            "four recipes": len(made) > 3,
            "few recipes": len(made) < 3,
            "the dearest recipe, too": max(made) == max(bonuses) and not level,
            "equal recipes": level,
        }
    )


# ----------------------------------------------------------------------------------------------------
# Aqua Regia.


def of_aqua(position: Position, best: str, line: Sequence[str], player: int | None, held_down: bool) -> set[str]:
    if "hands" not in position:  # a view: the other hands are of no matter, and best play is not known
        count = len(position["counts"])
        hands = [position["hand"] if seat == position["seat"] else position["hand"][:1] for seat in range(count)]
        position = {**position, "hands": hands}
    table, now = aqua.load(position)
    words = {aqua.text(table, move): move for move in aqua.legal(table, now)}
    move = words.get(best) or aqua.Pass(0, 0)  # to take a card that only the full pile of a view has
    me, plays, led, held = now.turn, aqua.plays(table, now), not now.plays, Counter(now.hands[now.turn])
    passes = isinstance(move, aqua.Pass)
    metals = sorted({play.metal for play in plays})
    mine = move if isinstance(move, aqua.Play) else aqua.Play(-1, 0)
    most = max((play.many for play in plays if play.metal == mine.metal), default=0)
    broken = {play.metal for play in plays if play.many < held[play.metal]} - {mine.metal}
    kept, at = False, now
    for text in line:
        there = next(each for each in aqua.legal(table, at) if aqua.text(table, each) == text)
        kept |= at.turn == me and isinstance(there, aqua.Play) and there.many > 1 and there.metal in broken
        at = aqua.after(table, at, there)
    choice = not passes and len(metals) > 1
    return _true(
        {
            "reverse change": mine.many == 4,
            "no reverse change": mine.many < 4 and any(play.many == 4 for play in plays),
            "precipitate": passes and best != "pass",
            "let the field change": passes and (me + 1) % len(now.hands) == now.owner,
            "hold back": passes and plays,
            "break a set": 0 < mine.many < most,
            "keep a pair": kept,
            "one more": now.plays and mine.many > now.plays[-1].many,
            "skip ahead": choice and not led and mine.metal > metals[0],
            "keep the lowest": choice and led and mine.metal > metals[0],
            "deny": held_down,
            "several at once": mine.many > 1 and mine.many == most,
            "lead low": choice and led and mine.metal == metals[0],
            "just enough": choice and not led and mine.metal == metals[0],
            "nothing to play": not led and not plays,
        }
    )


# ----------------------------------------------------------------------------------------------------
# Alchemy.


def of_alchemy(position: Position, best: str | None) -> set[str]:
    """The themes of a position and its best move; None if all matches are asked for, or whether it can be won."""
    rank = {name: number for number, name in enumerate(["X", "A", *map(str, range(2, 11)), *"JQK"])}
    line, hand = [rank[card] for card in position["line"]], rank[position["hand"]]
    least: int = (
        position["min_line"] if position["variant"] == "free" else 3 if position["variant"] == "solo" else 1
    )
    kind, used = _best(best, rank, hand)
    if position["variant"] == "duel":
        return _of_duel(position, rank, line, hand, used if kind == "match" else None)
    if position["variant"] == "free":
        alike = Counter(line)
        splits = [
            (left, right) for used in _sets(line) if len(used) >= least for left, right in _sides(used, hand)
        ]
        alone = any(1 in (len(left), len(right)) for left, right in splits)
        return _true(
            {
                "whole line": any(len(left) + len(right) == len(line) + 1 for left, right in splits),
                "two of a rank": max(alike.values()) > 1,
                "one against many": alone,
                "no simple match": not alone,
            }
        )
    shortest, cap = 3, position["cap"]
    stock = position.get("stock")
    unseen = stock if stock is not None else position["unseen"]
    if best is None:
        return _true(
            {
                "last chance": cap == shortest,
                "many cards left": len(unseen) > 8,
                "few cards left": len(unseen) < 9,
            }
        )
    sizes = [len(each) for each in _sets(line) if len(each) >= least and _sides(each, hand)]
    left = None if stock is None else _left_after(stock, cap, len(line), kind, len(used))
    return _true(
        {
            "small match": kind == "match" and len(used) < max(sizes),
            "large match": kind == "match" and len(used) == max(sizes),
            "whole line": kind == "match" and len(used) == len(line),
            "last card": left is not None and left < 1,
            "keep the highest card": kind == "discard" and used[0] < max(line),
            "no match": kind == "discard",
        }
    )


def _best(best: str | None, rank: Mapping[str, int], hand: int) -> tuple[str, tuple[int, ...]]:
    """The kind of a move, and the cards of the line that it takes: all but the hand."""
    if best is None or best == "none":
        return "none", ()
    if best.startswith("discard "):
        return "discard", (rank[best.split()[1]],)
    summed = Counter(rank[card] for card in best.replace("=", "+").split("+"))
    return "match", tuple(sorted((summed - Counter([hand])).elements()))


def _sets(line: Sequence[int]) -> set[tuple[int, ...]]:
    return {tuple(sorted(used)) for size in range(1, len(line) + 1) for used in combinations(line, size)}


def _sides(used: Sequence[int], hand: int) -> list[tuple[Sequence[int], Sequence[int]]]:
    """The ways to put these cards and the hand on two sides of equal sum."""
    places = range(len(used))
    halves = (set(chosen) for size in range(1, len(used) + 1) for chosen in combinations(places, size))
    pairs = (
        ([used[at] for at in places if at in half], [hand, *(used[at] for at in places if at not in half)])
        for half in halves
    )
    return [(left, right) for left, right in pairs if sum(left) == sum(right)]


def _left_after(stock: Sequence[str], cap: int, line: int, kind: str, used: int) -> int:
    """How many cards of the stock are left when the next has been drawn: below 1, the deal is won."""
    cap -= kind == "discard"
    kept = line - (1 if kind == "discard" else used)
    return len(stock) - max(0, cap - kept)


def _of_duel(
    position: Position, rank: Mapping[str, int], line: list[int], hand: int, used: tuple[int, ...] | None
) -> set[str]:
    other, jokers = rank[position["opponent_hand"]], position.get("table_jokers", 0)
    piles = [[rank[card] for card in position.get(key) or ()] for key in ("pile", "opponent_pile")]
    told = {
        move[1] if move[0] == "match" else None: worth
        for move, worth in alchemy.duel(line, hand, other, jokers, *piles).items()
    }
    if used is not None:
        used = next(each for each in told if each is not None and Counter(each) == Counter(used))
    points, reply, _, denied = told[used]
    before = alchemy.matches(tuple(sorted(line)), other, alchemy._duel_min_line(other, jokers))
    aces = piles[0].count(1)
    gained = [] if used is None else [*used, hand]
    return _true(
        {
            "decline": used is None,
            "fourth ace": aces < 4 <= aces + gained.count(1),
            "joker": used is not None and (jokers or hand == rank["X"]),
            "less is more": any(worth[0] > points for worth in told.values()),
            "deny": used is not None and denied and before,
            "spoil": used is not None and not denied and any(worth[1] > reply for worth in told.values()),
            "take the king": used is not None and rank["K"] in used,
        }
    )
