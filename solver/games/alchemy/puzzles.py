"""Making alchemy puzzles: random positions, themes, and the moves that a simple player would find.

Ranks are added up, so no two of them are interchangeable. The order of the line doesn't matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from pydantic import TypeAdapter

from solver.answer_tables import percent
from solver.answers import Analysis, Answer, Hint
from solver.common import Random
from solver.games.alchemy.deck import JOKER, KING, WORTH, Move, cards, parse_move, points, rank_of
from solver.games.alchemy.duel import Grab, Option, grabs, options
from solver.games.alchemy.moves import legal_moves
from solver.games.alchemy.position import MatchesAnalysis, Round
from solver.games.alchemy.rules import (
    DUEL_LINE,
    SOLITAIRE,
    Turn,
    Variant,
    duel_min_line,
    matches,
    solitaire_moves,
    solitaire_play,
)
from solver.language import say, say_many
from solver.puzzle_maker import BEST_MOVE, VALUE, AnyDeck, Candidate, Composer, Theme, Try, found_in

# ----------------------------------------------------------------------------------------------------
# Random positions for puzzles: exchanges of a duel, solitaires, lines to be searched.


_GAME = "alchemy"


def duel(random: Random) -> dict[str, Any]:
    """Return a random exchange before the first grab, sometimes with three aces collected or a joker set aside."""
    deck, piled = _shuffled("solo", random), not random.below(4)
    if piled:  # and the fourth lies in the line
        deck = [1, *(rank for rank in deck if rank != 1)]
    line, rest = deck[:DUEL_LINE], deck[DUEL_LINE:]
    data: dict[str, Any] = {"game": _GAME, "variant": "duel", "line": cards(sorted(line))}
    data |= {"hand": cards(rest[:1])[0], "opponent_hand": cards(rest[1:2])[0]}
    if piled:
        data["pile"] = cards([1] * 3)
    if not random.below(8):
        data["table_jokers"] = 1
    return data


def solitaire(random: Random, *, hidden: bool) -> dict[str, Any]:
    """Return a random ending of a solitaire, with its stock in draw order or with four to nine hidden cards."""
    variant = ("solo", "alternative")[random.below(2)]
    rules = SOLITAIRE[variant]
    deck = _shuffled(variant, random)
    cap = rules.shortest + random.below(rules.caps)
    line, (hand, *rest) = cards(sorted(deck[:cap])), cards(deck[cap:])
    data = {"game": _GAME, "variant": variant, "cap": cap, "line": line, "hand": hand}
    if hidden:
        return {**data, "unseen": cards(sorted(deck[cap + 1 : cap + 1 + 4 + random.below(6)]))}
    return {**data, "stock": rest[: 4 + random.below(_MOST_STOCK - 3)]}


def free(random: Random, fewest: int, most: int) -> dict[str, Any]:
    """Return a random sum-matching puzzle with `fewest` to `most` cards in its line."""
    deck = _shuffled("solo", random)
    size = fewest + random.below(most - fewest + 1)
    line = cards(sorted(deck[:size]))
    hand = cards(deck[size : size + 1])[0]
    return {"game": _GAME, "variant": "free", "min_line": 1 + random.below(3), "line": line, "hand": hand}


def _shuffled(variant: str, random: Random) -> list[int]:
    deck = SOLITAIRE[variant].deck
    random.shuffle(deck)
    return deck


WINNABLE, ALL_MATCHES = "winnable", "all-matches"
_POSITION: TypeAdapter[Any] = TypeAdapter(Round)
_DRAWN = 12  # positions drawn for each deal
_FOUND = 3  # line cards in the matches that a quick look finds, at most
_FEWEST, _MOST = 2, 4  # matches of a puzzle that lists them: to list more is work, and no riddle
_MOST_STOCK = 12  # cards, in draw order or face down
_LEAST = 0.02  # least lead of a best move over the next, as a chance to win
_CLOSE = 2  # points that a grab may score less than another and still look right
_LOOKED_AT = (8, 32, 128)  # moves or stocks, by readers of depth 1, 2 and 3
_NOTICED = 20  # of so many small matches a reader overlooks one
_COUNTED = 4  # matches that count as one step in a puzzle that lists or counts them

# ----------------------------------------------------------------------------------------------------
# Themes of the best move of an Alchemy puzzle, or of the matches that are asked for.


@dataclass(frozen=True)
class Solved:
    """A position and its best move, which is None if the task is not to find one."""

    position: Round
    best: Move | None

    @property
    def duel(self) -> Round | None:
        return self.position if self.position.is_duel else None

    @property
    def solitaire(self) -> Round | None:
        return self.position if self.position.is_solitaire else None

    @property
    def free(self) -> Round | None:
        return self.position if self.position.variant == "free" else None

    @property
    def used(self) -> tuple[int, ...]:
        """The line cards that the best move matches; empty if it is not a match."""
        return self.best.used if self.best is not None and self.best.kind == "match" else ()

    @cached_property
    def choices(self) -> Mapping[Move, Option]:
        """In a duel, each first grab with the best reply; otherwise empty."""
        return {option.grab.move: option for option in options(self.duel, 0)} if self.duel else {}

    @cached_property
    def moves(self) -> Sequence[Move]:
        return legal_moves(self.position)

    @property
    def chosen(self) -> Option | None:
        return None if self.best is None else self.choices.get(self.best)


def _denies(solved: Solved) -> bool:
    """Whether the opponent has a match before the best match is made, but none after it."""
    duel, chosen = solved.duel, solved.chosen
    if duel is None or chosen is None or not solved.used or not chosen.denies:
        return False
    theirs = duel_min_line(duel.drawn[1], duel.table_jokers)
    return any(True for _ in matches(duel.line_ranks, duel.drawn[1], theirs))


def _spoils(solved: Solved) -> bool:
    """Whether the best match leaves the opponent a match, but a less valuable one than another move would."""
    duel, chosen = solved.duel, solved.chosen
    if duel is None or chosen is None or not solved.used or chosen.denies:
        return False
    return chosen.reply.points < max(option.reply.points for option in solved.choices.values())


def _takes_less(solved: Solved) -> bool:
    """Whether another move scores more points than the best one, before the opponent's reply is counted."""
    chosen = solved.chosen
    return chosen is not None and chosen.grab.points < max(
        option.grab.points for option in solved.choices.values()
    )


def _fourth_ace(solved: Solved) -> bool:
    duel, chosen = solved.duel, solved.chosen
    if duel is None or chosen is None or not solved.used:
        return False
    taken = (*solved.used, duel.drawn[0])
    return 1 in taken and chosen.grab.points > points(taken) + WORTH[JOKER] * duel.table_jokers


def _joker(solved: Solved) -> bool:
    duel = solved.duel
    return bool(duel and solved.used and (duel.table_jokers or duel.drawn[0] == JOKER))


def _king(solved: Solved) -> bool:
    """Whether the best match takes a king, worth two points, from the line of a duel."""
    return solved.duel is not None and KING in solved.used


def _whole_line(solved: Solved) -> bool:
    """Whether the best move uses the whole line or, if the puzzle asks for all matches, some match does."""
    if solved.free is not None:
        return any(len(move.used) == len(solved.free.line) for move in solved.moves)
    line = solved.position.line
    return bool(solved.used) and len(solved.used) == len(line)


def _small(solved: Solved) -> bool:
    """Whether the best match of a solitaire uses fewer cards than some other match."""
    used = solved.used
    return bool(solved.solitaire and used) and len(used) < max(len(move.used) for move in solved.moves)


def _large(solved: Solved) -> bool:
    """Whether no match of a solitaire uses more cards than the best one."""
    used = solved.used
    return bool(solved.solitaire and used) and len(used) == max(len(move.used) for move in solved.moves)


def _ends(solved: Solved) -> bool:
    """Whether the stock is known and the best move wins immediately."""
    solitaire, best = solved.solitaire, solved.best
    if solitaire is None or best is None or solitaire.stock_hidden:
        return False
    return bool(solitaire_play(solitaire.solitaire, solitaire.turn, best).won)


def _keeps_high(solved: Solved) -> bool:
    """Whether there is no match, and the best discard is not the highest card of the line."""
    solitaire, best = solved.solitaire, solved.best
    if solitaire is None or best is None or best.kind != "discard":
        return False
    return best.used[0] < max(solitaire.turn.line)


def _alone(solved: Solved) -> bool:
    """Whether the puzzle asks for all matches, and at least one has a single card on one side."""
    return solved.free is not None and any(min(map(len, move.sides)) == 1 for move in solved.moves if move.sides)


def _twins(solved: Solved) -> bool:
    """Whether the puzzle asks for all matches, and two cards of its line have the same rank."""
    return solved.free is not None and len(set(solved.free.line)) < len(solved.free.line)


def _deal(solved: Solved) -> Round | None:
    """Return the deal of a puzzle that asks whether it can be won; None for other puzzles.

    The themes of such puzzles depend on the deal alone, so that they don't reveal the answer.
    """
    return solved.solitaire if solved.best is None else None


def _left(solved: Solved, *, many: bool) -> bool:
    deal = _deal(solved)
    return deal is not None and (len(deal.unseen_ranks) >= _LONG_STOCK) == many


def _last_miss(solved: Solved) -> bool:
    deal = _deal(solved)
    return deal is not None and deal.cap == deal.solitaire.shortest


_LONG_STOCK = 9

THEMES: Mapping[str, Theme[Solved]] = {
    "decline": lambda solved: bool(solved.duel and solved.best and solved.best.kind == "none"),
    "fourth ace": _fourth_ace,
    "joker": _joker,
    "less is more": _takes_less,
    "deny": _denies,
    "spoil": _spoils,
    "take the king": _king,
    "last card": _ends,
    "small match": _small,
    "keep the highest card": _keeps_high,
    "no match": lambda solved: bool(solved.solitaire and solved.best and solved.best.kind == "discard"),
    "large match": _large,
    "whole line": _whole_line,
    "two of a rank": _twins,
    "one against many": _alone,
    "no simple match": lambda solved: solved.free is not None and not _alone(solved),
    "last chance": _last_miss,
    "many cards left": lambda solved: _left(solved, many=True),
    "few cards left": lambda solved: _left(solved, many=False),
}


class AlchemyComposer(Composer):
    """Makes puzzles from random positions rather than from rounds played."""

    tasks = (BEST_MOVE, VALUE, WINNABLE, ALL_MATCHES)
    themes = THEMES

    def candidates(
        self, task: str, model: str | None, random: Random, *, seed: int, number: int, deck: AnyDeck = None
    ) -> Iterable[Candidate]:
        return (Candidate(_POSITION.validate_python(self._drawn(task, random))) for _ in range(_DRAWN))

    def _drawn(self, task: str, random: Random) -> dict[str, Any]:
        if task == WINNABLE:
            return solitaire(random, hidden=False)
        if task == ALL_MATCHES:
            return free(random, 5, 9)
        kind = random.below(4 if task == BEST_MOVE else 3)
        if kind < 2:
            return duel(random)
        return solitaire(random, hidden=kind == 2)

    def caption(self, task: str, candidate: Candidate) -> Sequence[str]:
        """Name the drawn cards and the line."""
        position: Any = candidate.position
        what = "Solitaire" if position.is_solitaire else {"duel": "Duel"}.get(position.variant, "Sums")
        drawn = filter(None, (position.hand, position.opponent_hand))
        return (what, " ".join(drawn), " ".join(sorted(position.line, key=lambda text: rank_of(text) or 0)))

    def symmetry(self, task: str, candidate: Candidate) -> str:
        """Return a key that is the same for equivalent positions.

        The order of the stock matters, the order of the line does not; of the piles, only the number of aces
        matters.
        """
        position: Any = candidate.position
        fields = position.model_dump(exclude_defaults=True)
        fields["line"] = sorted(fields["line"])
        for pile in ("pile", "opponent_pile"):
            fields[pile] = (fields.get(pile) or ()).count("A")
        if position.is_solitaire:
            fields.pop("discarded", None)
            fields["unseen"] = sorted(position.unseen_ranks) if position.stock_hidden else None
        return f"{task} {sorted(fields.items())}"

    def fits(self, task: str, candidate: Candidate, answer: Answer) -> bool:
        """Whether a candidate makes a good puzzle: the choice matters, and greedy play does not win the deal."""
        position: Any = candidate.position
        if position.variant == "free":
            assert isinstance(answer, MatchesAnalysis)
            return answer.value is not None and _FEWEST <= answer.value <= _MOST
        if task == WINNABLE:
            assert isinstance(answer, Analysis)
            wanted = "won" if sum(position.unseen_ranks) % 2 else "lost"  # as many of either
            return answer.value == wanted and not _greedily(position.solitaire, position.turn).won
        if isinstance(answer, Hint):
            behind = [gap[0] for move in answer.moves if (gap := answer.gap(move.move)) and gap[0] > 0]
            return task != BEST_MOVE or min(behind, default=0.0) >= _LEAST
        value = getattr(answer, "value", None)
        return len(legal_moves(position)) > 2 and value not in (0, "lost")

    def is_readable(self, candidate: Candidate, answer: Answer) -> bool:
        position: Any = candidate.position
        if position.is_solitaire and len(position.unseen_ranks) > _MOST_STOCK:
            return False
        if isinstance(answer, MatchesAnalysis) and (answer.value is None or answer.value > _MOST):
            return False
        return super().is_readable(candidate, answer)

    def tempting(self, task: str, candidate: Candidate) -> Collection[str] | None:
        """Return a duel's grabs that score nearly the most, or a solitaire's matches or else its discards."""
        position: Any = candidate.position
        if position.is_duel:
            grabbed = grabs(position, 0)
            most = max(grab.points for grab in grabbed)
            return {str(grab.move) for grab in grabbed if grab.points >= most - _CLOSE}
        moves = legal_moves(position)
        matched = [move for move in moves if move.kind == "match"]
        return {str(move) for move in matched or moves}

    def obvious(self, task: str, candidate: Candidate) -> Try:
        """Return a simple player's answer, or None if the task has no such answer.

        In a duel, this player grabs the most points and, in a tie, the most cards. In a solitaire, the player
        uses the most cards or discards the highest. In a sum-matching puzzle, only matches of few cards are seen.
        """
        position: Any = candidate.position
        if position.variant == "free":
            return sum(len(move.used) <= _FOUND for move in legal_moves(position))
        if task == WINNABLE:  # a grade must not say whether greed is right
            return None
        if position.is_duel:
            grab = max(grabs(position, 0), key=lambda grab: (grab.points, len(grab.move.used)))
            return str(grab.move) if task == BEST_MOVE else grab.points
        return str(_greedy(legal_moves(position))) if task == BEST_MOVE else None

    def rival(self, task: str, candidate: Candidate, wrong: Mapping[str, float]) -> str | None:
        """Also look among all moves that look right: of these, the one that loses least."""
        looks_right = [move for move in self.tempting(task, candidate) or () if move in wrong]
        closest = min(looks_right, key=lambda move: wrong[move], default=None)
        return super().rival(task, candidate, wrong) or closest

    def shallow(self, task: str, candidate: Candidate) -> Try:
        """Return the number of matches with a single card on one side, where all are asked for."""
        position: Any = candidate.position
        if position.variant != "free":
            return None
        return sum(min(map(len, move.sides)) == 1 for move in legal_moves(position) if move.sides)

    def searches(self, task: str, candidate: Candidate) -> bool:
        position: Any = candidate.position
        return position.is_solitaire and task != WINNABLE

    def read(self, task: str, candidate: Candidate, depth: int, random: Random) -> Try:
        """Return the answer of somebody who overlooks matches of many cards.

        In a duel, a reader of depth 1 does not think of the reply. In a solitaire with its stock known, a reader
        looks at some lines of play, and guesses if none of them wins; with its stock hidden, the reader imagines
        some stocks, and plays each greedily.
        """
        position: Any = candidate.position
        if position.objective is not None:
            return None
        if position.variant == "free":
            return sum(_notices(move, depth, random) for move in legal_moves(position))
        if position.is_duel:
            return _read_duel(task, position, depth, random)
        return _read_solitaire(task, position, _LOOKED_AT[depth - 1], random)

    def steps(self, task: str, candidate: Candidate, answer: Answer) -> int:
        if isinstance(answer, MatchesAnalysis):
            return (answer.value or 0) // _COUNTED
        position: Any = candidate.position
        if task == WINNABLE:
            return _choices(position)
        if position.is_solitaire and position.stock is not None:
            return super().steps(task, candidate, answer)
        if position.is_solitaire:
            return len(position.unseen_ranks) // 2  # about how many draws can follow
        return len(legal_moves(position)) // _COUNTED

    def themes_of(self, task: str, candidate: Candidate, best: str, line: Sequence[str]) -> Sequence[str]:
        position: Any = candidate.position
        asks_move = task != WINNABLE and not (position.variant == "free" and task != BEST_MOVE)
        return found_in(THEMES, Solved(position, self.game.parse_move(position, best) if asks_move else None))

    def note(self, candidate: Candidate) -> str:
        position: Any = candidate.position
        if position.variant == "free":
            return say("A match uses at least {least} of the line's {all} cards; {few} use no more than {found}",
                       least=position.min_line, all=len(position.line), few=self.obvious(ALL_MATCHES, candidate),
                       found=_FOUND)  # fmt: skip
        if position.is_duel:
            return say("You grab first, then the other takes the best that you leave")
        left, misses = len(position.unseen_ranks), position.cap + 1 - position.solitaire.shortest
        misses -= legal_moves(position)[0].kind == "discard"  # one that was drawn already
        text = say_many("The stock of {count} card is known", "The stock of {count} cards is known", left)
        if position.stock_hidden:
            text = say_many("{count} card is face down", "{count} cards are face down", left)
        return say_many("{told}; a draw without a match loses", "{told}; {count} draws without a match lose",
                        misses, told=text)  # fmt: skip

    def because(self, candidate: Candidate, wrong: Sequence[str], right: Sequence[str]) -> str:
        """Say what a grab leaves to the other player, where a lost deal ends, or how often no match follows."""
        position: Any = candidate.position
        if position.is_duel:
            return _left_to_other(position, wrong[0], right[0])
        if not position.is_solitaire:
            return ""
        if position.stock_hidden:
            return _draws(position, wrong[0], right[0])
        turn = position.turn
        for text in wrong:
            last, turn = turn, solitaire_play(position.solitaire, turn, parse_move(text, turn.hand))
        if turn.won is not False or last.hand is None:
            return ""
        return say_many(
            "then {hand} finds no match in {line}, and {count} card is left in the stock",
            "then {hand} finds no match in {line}, and {count} cards are left in the stock",
            len(turn.stock), hand=cards([last.hand])[0], line=" ".join(cards(sorted(last.line))),
        )  # fmt: skip


def _left_to_other(position: Round, wrong: str, best: str) -> str:
    """Say what the other player takes after a wrong grab, and after the best one."""
    by_move = {str(option.grab.move): option for option in options(position, 0)}
    worse, better = by_move[wrong], by_move[best]
    left = {"points": worse.grab.points, "reply": str(worse.reply.move), "less": worse.reply.points, "move": best}
    if worse.reply.points <= better.reply.points:
        return say("it scores only {points}, not {more}", more=better.grab.points, **left)
    if not better.reply.points:
        return say("it scores {points}, but leaves {reply} for {less}; {move} leaves nothing", **left)
    return say("it scores {points}, but leaves {reply} for {less}; {move} leaves no more than {more}",
               more=better.reply.points, **left)  # fmt: skip


def _draws(position: Round, wrong: str, best: str) -> str:
    """Say how often no match follows a wrong move of a solitaire, if more often than the best one."""
    misses, fewest = (_missing(position, parse_move(text, position.turn.hand)) for text in (wrong, best))
    if misses <= fewest:
        return ""
    return say("the next card then finds no match in {share} of deals, after {move} in {less}",
               share=percent(misses), less=percent(fewest), move=best)  # fmt: skip


def _missing(position: Round, move: Move) -> float:
    """Return the chance that the card drawn after a move of a solitaire, with its stock hidden, finds no match."""
    rules, turn, unseen = position.solitaire, position.turn, position.unseen_ranks
    after = solitaire_play(rules, replace(turn, stock=unseen), move)
    drawn = len(unseen) - len(after.stock) - (after.hand is not None)
    if after.hand is None:
        return 0.0
    kept = (Counter(after.line) - Counter(unseen[:drawn])).elements()
    line, count, missing = tuple(kept), 0, 0
    for filled in combinations(range(len(unseen)), drawn):
        cards_in = tuple(unseen[at] for at in filled)
        for at in set(range(len(unseen))).difference(filled):
            count += 1
            missing += not any(True for _ in matches((*line, *cards_in), unseen[at], rules.min_line))
    return missing / count


def _notices(move: Move, depth: int, random: Random) -> bool:
    """Whether a reader notices a match: nearly always if it uses few cards, half as often with each card more."""
    return random.below(_NOTICED) < _NOTICED - 1 and not random.below(2 ** max(0, len(move.used) - 2 - depth))


def _read_duel(task: str, position: Round, depth: int, random: Random) -> Try:
    """Return the answer of a reader who notices some matches of either player."""
    mine, theirs = (
        [grab for grab in grabs(position, player) if not grab.move.used or _notices(grab.move, depth, random)]
        for player in (0, 1)
    )
    random.shuffle(mine)

    def swing(grab: Grab) -> int:
        left = Counter(position.line_ranks) - Counter(grab.move.used)
        stays = depth > 1 and not (position.table_jokers and grab.move.used)
        replies = [reply.points for reply in theirs if Counter(reply.move.used) <= left] if stays else []
        return grab.points - max(replies, default=0)

    best = max(mine, key=swing)
    return swing(best) if task == VALUE else str(best.move)


def _read_solitaire(task: str, position: Round, looks: int, random: Random) -> Try:
    """Return the answer of a reader who looks at `looks` moves, or imagines `looks` stocks if it is hidden."""
    rules, turn, moves = position.solitaire, position.turn, list(legal_moves(position))
    random.shuffle(moves)
    if position.stock_hidden:
        wins: Counter[Move] = Counter()
        for _ in range(looks):
            stock = list(position.unseen_ranks)
            random.shuffle(stock)
            now = replace(turn, stock=tuple(stock))
            wins.update(move for move in moves if _greedily(rules, solitaire_play(rules, now, move)).won)
        best = max(moves, key=lambda move: wins[move])
        return wins[best] / looks if task == VALUE else str(best)
    left = [looks]

    def wins_from(now: Turn) -> bool | None:
        """Whether the rest can be won; None if that was not looked at to the end."""
        if now.hand is None:
            return bool(now.won)
        left[0] -= 1
        known: bool | None = False
        choices = solitaire_moves(rules, now.line, now.hand)
        random.shuffle(choices)
        for choice in choices:
            won = wins_from(solitaire_play(rules, now, choice)) if left[0] > 0 else None
            if won:
                return True
            known = None if won is None else known
        return known

    results = {move: wins_from(solitaire_play(rules, turn, move)) for move in moves}
    known = True if True in results.values() else None if None in results.values() else False
    if task != BEST_MOVE:
        won = bool(random.below(2)) if known is None else known
        return "won" if won else "lost"
    if known is False:  # then the fewest cards left count
        return str(min(moves, key=lambda move: len(_greedily(rules, solitaire_play(rules, turn, move)).stock)))
    return str(next(move for move in moves if results[move] is known))


def _greedy(moves: Sequence[Move]) -> Move:
    """Return the move with the most cards; in a tie, the one with the highest sum."""
    return max(moves, key=lambda move: (len(move.used), sum(move.used)))


def _choices(position: Round) -> int:
    """Return in how many positions of a deal with a known stock the player has a choice and plays on after it."""
    rules, following = position.solitaire, dict[Turn, set[Turn]]()
    waiting = [position.turn]
    for turn in waiting:
        if turn not in following:
            moves = [] if turn.hand is None else solitaire_moves(rules, turn.line, turn.hand)
            following[turn] = {solitaire_play(rules, turn, move) for move in moves}
            waiting += following[turn]
    return sum(len(after) > 1 and any(map(following.get, after)) for after in following.values())


def _greedily(rules: Variant, turn: Turn) -> Turn:
    """Play a deal greedily to its end, and return that."""
    while turn.hand is not None:
        turn = solitaire_play(rules, turn, _greedy(solitaire_moves(rules, turn.line, turn.hand)))
    return turn
