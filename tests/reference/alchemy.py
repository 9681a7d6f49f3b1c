"""The card game alchemy, slow and obvious: what the fast solver is checked against.

Written from the rules alone. Ranks are 1..13, a joker is 0. A line's order never matters, so lines are
kept as ascending tuples. Tuples of ranks compare as the canonical order asks: as lists, a prefix first.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

Cards = tuple[int, ...]
Witness = tuple[Cards, Cards]
Move = tuple[str, Cards]  # ("match", used), ("discard", (rank,)) or ("none", ())

JOKER = 0
ACE = 1
KING = 13

#: name -> (highest rank, cap at the start, line cards that a match needs)
VARIANTS: dict[str, tuple[int, int, int]] = {"solo": (13, 6, 3), "alternative": (10, 4, 1)}
LOST = 2  # the cap at which a game is lost if the stock is not empty; by the option for `alternative` it is 0


def _sorted(cards: Iterable[int]) -> Cards:
    return tuple(sorted(cards))


def _without(cards: Iterable[int], gone: Iterable[int]) -> Cards:
    """The cards that stay, ascending; every card of ``gone`` has to be there."""
    stay = sorted(cards)
    for card in gone:
        stay.remove(card)
    return tuple(stay)


# ---------------------------------------------------------------------------------------------- matches


def _splits(used: Cards, hand: int) -> Iterator[Witness]:
    """Every way to part the used line cards: (beside the hand, against it). A joker hand is in no sum."""
    for size in range(len(used) + 1):
        for chosen in combinations(range(len(used)), size):
            side = tuple(used[i] for i in chosen)
            other = tuple(used[i] for i in range(len(used)) if i not in chosen)
            side_is_empty = hand == JOKER and not side
            if not side_is_empty and other and hand + sum(side) == sum(other):  # JOKER is 0: adds nothing
                yield side, other


@cache
def _matches(line: Cards, hand: int, min_line: int) -> tuple[tuple[Cards, Witness], ...]:
    if not all(ACE <= card <= KING for card in line) or not JOKER <= hand <= KING:
        raise ValueError(f"not a line and a hand: {line}, {hand}")
    found: dict[Cards, Witness] = {}
    for size in range(min_line, len(line) + 1):
        for used in combinations(line, size):  # ascending, since the line is
            if used not in found:
                splits = list(_splits(used, hand))
                if splits:
                    found[used] = min(splits)
    return tuple(sorted(found.items()))


def matches(line: Sequence[int], hand: int, min_line: int) -> dict[Cards, Witness]:
    """Every distinct move, in canonical order, with the split that has the smallest hand side."""
    return dict(_matches(_sorted(line), hand, min_line))


def _name(rank: int) -> str:
    return {JOKER: "X", ACE: "A", 11: "J", 12: "Q", KING: "K"}.get(rank, str(rank))


def text(move: Cards | Move, witness: Witness | None, hand: int) -> str:
    """The move as the contract writes it; ``move`` is a whole move or just a match's used line cards."""
    match move:
        case ("discard", (int(rank),)):
            return f"discard {_name(rank)}"
        case ("none", _):
            return "none"
    if witness is None:
        raise ValueError("a match has a witness")
    first, second = witness
    left = first if hand == JOKER else (hand, *first)
    return "+".join(map(_name, left)) + "=" + "+".join(map(_name, second))


# -------------------------------------------------------------------------------------------- solitaire


def _moves(min_line: int, line: Cards, hand: int) -> list[Move]:
    """The matches; only where there are none, the discards."""
    found: list[Move] = [("match", used) for used in matches(line, hand, min_line)]
    return found or [("discard", (rank,)) for rank in sorted(set(line))]


def _apply(cap: int, line: Cards, move: Move) -> tuple[int, Cards]:
    """Cap and line after the move, before the line is refilled. The hand is gone either way."""
    kind, cards = move
    return (cap if kind == "match" else cap - 1), _without(line, cards)


def _check(variant: str, cap: int, line: Sequence[int], hand: int, stock: Sequence[int], lost: int) -> None:
    ranks, start, _ = VARIANTS[variant]
    if not all(ACE <= card <= ranks for card in (*line, hand, *stock)):
        raise ValueError("a card that is not in the deck")
    if not lost < cap <= start or len(line) > cap or (stock and len(line) < cap):
        raise ValueError(f"a line of {len(line)} at cap {cap}")


def solitaire_moves(variant: str, line: Sequence[int], hand: int) -> list[Move]:
    """The legal moves in canonical order."""
    return _moves(VARIANTS[variant][2], _sorted(line), hand)


@cache
def _left(min_line: int, lost: int, cap: int, line: Cards, stock: Cards) -> int:
    """Fewest stock cards left, 0 = won; a move was just made and the line is not yet refilled."""
    missing = cap - len(line)
    line, stock = _sorted(line + stock[:missing]), stock[missing:]
    if not stock:
        return 0
    if cap == lost:
        return len(stock)
    hand, stock = stock[0], stock[1:]
    return min(_left(min_line, lost, *_apply(cap, line, move), stock) for move in _moves(min_line, line, hand))


def _solitaire_left(min_line: int, lost: int, cap: int, line: Cards, hand: int, stock: Cards) -> dict[Move, int]:
    return {move: _left(min_line, lost, *_apply(cap, line, move), stock) for move in _moves(min_line, line, hand)}


def solitaire_left(
    variant: str, cap: int, line: Sequence[int], hand: int, stock: Sequence[int], lost: int = LOST
) -> dict[Move, int]:
    """For each move the fewest stock cards left after a loss (0 = won), the stock known, in draw order."""
    _check(variant, cap, line, hand, stock, lost)
    _left.cache_clear()
    return _solitaire_left(VARIANTS[variant][2], lost, cap, _sorted(line), hand, tuple(stock))


@cache
def _chance(min_line: int, lost: int, cap: int, line: Cards, unseen: Cards) -> Fraction:
    """Chance to win; a move was just made, the line is not yet fully refilled. Cards come one at a time."""
    if not unseen:
        return Fraction(1)
    refilling = len(line) < cap
    if not refilling and cap == lost:
        return Fraction(0)
    total = Fraction(0)
    for card in unseen:  # every physical card is as likely to be next
        rest = _without(unseen, [card])
        if refilling:
            total += _chance(min_line, lost, cap, _sorted((*line, card)), rest)
        else:
            moves = _moves(min_line, line, card)
            total += max(_chance(min_line, lost, *_apply(cap, line, move), rest) for move in moves)
    return total / len(unseen)


def win_probability(
    variant: str, cap: int, line: Sequence[int], hand: int, unseen: Iterable[int], lost: int = LOST
) -> dict[Move, Fraction]:
    """For each move the chance to win, all later choices as good as they can be without seeing the stock."""
    cards = _sorted(unseen)
    _check(variant, cap, line, hand, cards, lost)
    _chance.cache_clear()
    min_line = VARIANTS[variant][2]
    return {
        move: _chance(min_line, lost, *_apply(cap, _sorted(line), move), cards)
        for move in solitaire_moves(variant, line, hand)
    }


def _orders(cards: Cards) -> Iterator[Cards]:
    """Every distinct order of a multiset; each stands for equally many orders of the physical cards."""
    if not cards:
        yield ()
    for first in sorted(set(cards)):
        for rest in _orders(_without(cards, [first])):
            yield (first, *rest)


def clairvoyant(
    variant: str, cap: int, line: Sequence[int], hand: int, unseen: Iterable[int], lost: int = LOST
) -> dict[Move, Fraction]:
    """For each move the share of stock orders that are won after it by a player who knows the order."""
    cards = _sorted(unseen)
    _check(variant, cap, line, hand, cards, lost)
    _left.cache_clear()
    won = dict.fromkeys(solitaire_moves(variant, line, hand), 0)
    orders = 0
    for stock in _orders(cards):
        orders += 1
        for move, left in _solitaire_left(VARIANTS[variant][2], lost, cap, _sorted(line), hand, stock).items():
            won[move] += left == 0
    return {move: Fraction(count, orders) for move, count in won.items()}


def play_solitaire(
    variant: str, deck: Sequence[int], choose: Callable[[int, Cards, int, list[Move]], Move], lost: int = LOST
) -> tuple[bool, int, list[Move]]:
    """A whole game: the first cards of the deck are the line, the rest the stock in draw order.

    ``choose`` gets cap, line (ascending), hand and the legal moves.
    Answers (won, stock cards left, moves made).
    """
    _, cap, min_line = VARIANTS[variant]
    line, stock = _sorted(deck[:cap]), list(deck[cap:])
    made: list[Move] = []
    while stock and cap > lost:
        hand = stock.pop(0)
        moves = _moves(min_line, line, hand)
        move = choose(cap, line, hand, list(moves))
        if move not in moves:
            raise ValueError(f"illegal move {move}")
        made.append(move)
        cap, line = _apply(cap, line, move)
        while stock and len(line) < cap:
            line = _sorted((*line, stock.pop(0)))
    return not stock, len(stock), made


# ------------------------------------------------------------------------------------------------- duel


def points(pile: Iterable[int]) -> int:
    """What a collection pile is worth at the end of a round."""
    cards = list(pile)
    aces = cards.count(ACE)
    total = aces if aces < 4 else 10 + (aces - 4)
    for card in cards:
        if card == JOKER:
            total += 10
        elif card == KING:
            total += 2
        elif card != ACE:
            total += 1
    return total


def _duel_min_line(hand: int, table_jokers: int) -> int:
    """The line cards a player's match needs, by the house rules."""
    if hand == JOKER:
        return 5 if table_jokers else 4
    return 4 if table_jokers else 1  # five cards in all, the hand included


def _duel_gains(line: Cards, hand: int, table_jokers: int, pile: Sequence[int]) -> dict[Cards, int]:
    """Every match of one player with the points it adds to that player's pile."""
    gains: dict[Cards, int] = {}
    for used in matches(line, hand, _duel_min_line(hand, table_jokers)):
        taken = [*used, hand, *[JOKER] * table_jokers]
        gains[used] = points([*pile, *taken]) - points(pile)
    return gains


def duel(
    line: Sequence[int],
    hand: int,
    opponent_hand: int,
    table_jokers: int,
    pile: Sequence[int],
    opponent_pile: Sequence[int],
) -> dict[Move, tuple[int, int, int, bool]]:
    """One exchange, ``hand`` grabbing first: move -> (points, opponent's best reply, swing, denies)."""
    whole = _sorted(line)
    gains: dict[Move, int] = {
        ("match", used): gain for used, gain in _duel_gains(whole, hand, table_jokers, pile).items()
    }
    gains["none", ()] = 0
    answer: dict[Move, tuple[int, int, int, bool]] = {}
    for move, gain in gains.items():
        kind, used = move
        if kind == "match" and table_jokers:
            replies: dict[Cards, int] = {}  # the rest of the line is discarded
        else:
            replies = _duel_gains(_without(whole, used), opponent_hand, table_jokers, opponent_pile)
        reply = max(replies.values(), default=0)
        answer[move] = (gain, reply, gain - reply, not replies)
    return answer


# ------------------------------------------------------------------------------------------------- free


def optimum(line: Sequence[int], hand: int, min_line: int, objective: str, cards: int | None = None) -> int | None:
    """The best value of an objective over all matches (with exactly ``cards`` line cards, if given)."""
    fitting = [used for used in matches(line, hand, min_line) if cards is None or len(used) == cards]
    if objective == "most-cards":
        return max((len(used) for used in fitting), default=None)
    if objective == "fewest-cards":
        return min((len(used) for used in fitting), default=None)
    if objective == "most-points":
        return max((points([*used, hand]) for used in fitting), default=None)
    raise ValueError(f"unknown objective {objective!r}")
