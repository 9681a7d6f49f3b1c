"""A round at a real table, recorded by somebody who saw only some of the cards: what was seen, move by move."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from athanor.reading import is_observed, is_view, played, turn_of
from solver.common import Random, lying, mask, members
from solver.errors import AthanorError, IncompleteMoveError, MoveError, RequestError
from solver.game import spelled
from solver.language import say
from solver.playing import Round, Shown
from solver.texts import plain

if TYPE_CHECKING:
    from solver.answers import Hint, Rows
    from solver.limits import Control


def is_seen(position: BaseModel) -> bool:
    """Whether a round that begins with this position is recorded as one seat saw it."""
    return is_view(position) or (is_observed(position) and getattr(position, "stock", None) is None)


_CARD = re.compile(r"[A-Za-z][0-9A-Za-z+-]{0,2}(:[A-Za-z])?|10|[0-9]|(10|[0-9+-]{1,2})[A-Za-z]")
_MISSED = re.compile(r"\?\d{0,3}|\d[+-]")  # a card that was not seen, or what is entered for it afterwards
_MOST_CARDS = 20  # in a line that is read as several moves; no trick has that many
_GUESSES = 6  # the most guesses at the cards missed in the current trick
_FEWEST_GUESSES = 2
_MOST_TRIES = 40


@dataclass(frozen=True)
class ObservedRound(Round):
    """A round as one player sees it: the position is a view, and the moves are what was seen (`athanor.play`).

    `told` holds what has been entered of a move that is still incomplete, such as a match without the cards turned
    up after it. If a card was missed (``?``), it holds everything entered from that card on. `asked` is the
    message that asks for the missing part, and `next_seat` is the seat that acts next, or None.

    `end` is the final state of the round once it is over; it may reveal the other hands. `shown` holds the cards
    that each seat showed at the end: in Kirin the card set aside, in Aqua Regia the cards left in hand. `later`
    holds all that was seen from this point to the end.
    """

    counted: str = "points"
    told: tuple[str, ...] = ()
    asked: str = ""
    next_seat: int | None = None
    end: ObservedRound | None = None
    shown: Shown = ()
    later: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        return self.counted if self.duel is None else self.duel.unit

    @property
    def seat(self) -> int:
        """The seat of the player who sees the round."""
        return int(getattr(self.position, "seat", 0))

    @property
    def to_move(self) -> int | None:
        if self.asked:  # while a question is open, it is nobody's turn
            return (self.seat + 1) % self.players if self.next_seat is None else self.next_seat
        return turn_of(self.position)

    def moves(self) -> Sequence[str]:
        """Return the player's legal moves; empty if another seat is to move, since its moves are unknown."""
        if self.told or self.to_move != self.seat:
            return ()
        return [self.game.format_move(self.position, move) for move in self.game.legal_moves(self.position)]

    def move_of(self, text: str) -> str:
        """Return the player's own legal move in canonical form; for any other event, correct only the spelling."""
        usual = spelled(self.game, self.position, [text])[0]
        if self.moves():
            with suppress(MoveError):
                return self.game.format_move(self.position, self.game.parse_move(self.position, usual))
        return usual

    def play(self, move: str) -> ObservedRound:
        words = move.split() if self.told and not self.asked else ()  # cards turned up may be alike, as 6 6
        texts = (*self.told, *(words if words and all(map(_CARD.fullmatch, words)) else [move]))
        try:
            position, _ = played(self.position, texts)
        except IncompleteMoveError as error:
            return replace(self, told=texts, asked=error.message, next_seat=error.seat)
        except MoveError as error:
            if error.code == "incomplete_move":
                return replace(self, told=texts)
            raise
        return replace(self, position=position, told=(), asked="", next_seat=None)

    def hint(self, control: Control, *, seed: int = 0) -> Hint:
        if self.asked:
            return self._hint_by_guesses(control, seed)
        return self.game.hint(self.position, control, seed=seed, others=self.others)

    def _hint_by_guesses(self, control: Control, seed: int) -> Hint:
        """Average the hints for several guesses at the cards that the player missed in the current trick."""
        from solver.hints.guesses import averaged, in_parts

        guesses = self._guesses(Random(seed, 17))
        missed = say("A card on the table was missed. Look at the table, and enter it with fix.")
        led = bool(getattr(self.position, "trick", ()))  # what may be played depends on the card led
        if self.next_seat != self.seat or not led or len(guesses) < _FEWEST_GUESSES:
            raise RequestError("not_to_move", missed)
        ask = partial(self.game.hint, seed=seed, others=self.others)
        hints = in_parts([partial(ask, guess) for guess in guesses], control)
        if len(hints) < _FEWEST_GUESSES:
            raise RequestError("not_to_move", missed)
        return averaged(hints, control, missed, seed)

    def _guesses(self, random: Random) -> list[BaseModel]:
        """Return up to `_GUESSES` different views, with randomly guessed cards in place of the missed ones."""
        views: list[BaseModel] = []
        for _ in range(_MOST_TRIES):
            view: Any = self.position
            try:
                for text in self.told:
                    if text == "?":
                        cards = self.game.possible(view)
                        text = cards[random.below(len(cards))]
                    view, _ = played(view, [text])
            except (MoveError, ValueError):
                continue
            if view not in views:
                views.append(view)
            if len(views) == _GUESSES:
                break
        return views

    def hint_in_truth(self, control: Control, *, seed: int = 0) -> Hint | None:
        if self.end is None:
            return None
        cards = self._cards_to_come()
        if cards is None:
            known = self.known
            if known is not None:
                return self.whole(known).hint_in_truth(control, seed=seed)
            return self.game.playing.hint_in_truth(self.position, self.end.position, self.shown, control, seed)
        masks = self._masks(cards)
        with lying([*masks[self.seat + 1 :], *masks[: self.seat]]):
            return replace(self, position=self._unrevoked(masks)).hint(control, seed=seed)

    def _masks(self, hands: Sequence[Sequence[str]]) -> list[int]:
        view: Any = self.position
        numbers = {view.past.rules.name(card): card for card in members(view.all_cards)}
        return [mask(numbers[text.split(":")[0]] for text in hand) for hand in hands]

    def _unrevoked(self, hands: Sequence[int]) -> BaseModel:
        """The view, without conclusions from plays that were against the rules in truth, as the `hands` show.

        Nobody may have known it then: a revoke comes out with a card that the seat plays later.
        """
        view: Any = self.position
        cards = [revoke.rules.name(revoke.rules.card(revoke.play)) for revoke in self._revokes(hands)]
        if not cards:
            return self.position
        return self.position.model_copy(update={"as_played": (*(view.as_played or ()), *cards)})

    def _revokes(self, hands: Sequence[int]) -> list[Any]:
        view: Any = self.position
        return [show_out for show_out in view.past.show_outs if show_out.excluded & hands[show_out.seat]]

    @property
    def revoked(self) -> list[str]:
        """Sentences on the plays that were against the rules in truth, which the player did not know then."""
        cards = self._cards_to_come()
        if cards is None:
            return []
        from solver.tricks.moves import trick_number

        view: Any = self.position
        hands = self._masks(cards)
        return [
            say(
                "{seat:Who} played {play} to trick {number} although {seat:it|you} held {cards}. Until that came "
                "out, moves are judged by what was known.",
                seat=revoke.seat,
                play=revoke.rules.play_text(revoke.play),
                number=trick_number(view, revoke),
                cards=" ".join(map(revoke.rules.name, revoke.rules.members(revoke.excluded & hands[revoke.seat]))),
            )
            for revoke in self._revokes(hands)
        ]

    def by_points(self) -> Round:
        return self.duel or super().by_points()

    @property
    def duel(self) -> Round | None:
        """The round with both hands known, in games that hide no hands, such as a duel; None in other games.

        Once the round is over, the order of the deck is known, too.
        """
        return self.game.playing.open_round(self.position, None if self.end is None else self.later)

    def for_match(self) -> ObservedRound:
        raise RequestError("not_offered", say("at a real table, the view itself says so"), "for_match")

    def drawn(self, seed: int) -> None:
        return None  # the others' moves are seen, not chosen

    @property
    def known(self) -> BaseModel | None:
        """The position with every card known, completed by what the end of the round shows.

        None if the round is not over, or if too few cards were shown.
        """
        if self.end is None:
            return None
        cards = self._cards_to_come()
        if cards is None:
            return self.game.playing.known_at(self.position, self.end.position, self.shown)
        from solver.positions import parse_position, position_data

        hands = [[text.split(":")[0] for text in texts] for texts in cards]  # a played card may have further parts
        seen = position_data(self._unrevoked(self._masks(hands)))
        data = {key: value for key, value in seen.items() if key not in _OF_ONE_SEAT}
        declared = {"declared": [cards[0] for cards in self.shown]} if self.shown else {}
        try:
            return parse_position({**data, "hands": hands, **declared})
        except AthanorError:
            return None  # some cards are never revealed

    def whole(self, known: BaseModel) -> Round:
        """Return a round with every card known that begins with the position `known`."""
        usual = self.game.playing.opening(0, number=0, players=self.players, variant=None, before=())
        return replace(usual, position=known, players=self.players)

    def _cards_to_come(self) -> list[list[str]] | None:
        """Return the cards that each seat plays from this point to the end of the round.

        Returns None if the end is unknown, or if some seat does not play all the cards in its hand.
        """
        if self.end is None or getattr(self.position, "trick", None) is None:
            return None
        plays = _plays(self.end.position)[len(_plays(self.position)) :]
        hands = [[text for seat, text in plays if seat == holder] for holder in range(self.players)]
        count: Callable[[int], int] = self.position.count  # type: ignore[attr-defined]
        return hands if all(len(hand) == count(seat) for seat, hand in enumerate(hands)) else None

    def seen(self, seat: int) -> BaseModel | None:
        return self.position if seat == self.seat else None

    def rows(self, seat: int | None = None) -> Rows:
        return self.game.describe(self.position)


_OF_ONE_SEAT = frozenset({"seat", "hand", "declared", "round", "totals", "for_match"})


def _plays(position: Any) -> list[tuple[int, str]]:
    """Return (seat, card) for every card played in a view of a trick-taking game, in order."""
    tricks = [
        *((trick.leader, trick.cards) for trick in position.history or ()),
        (position.leader, position.trick),
    ]
    return [
        ((leader + turn) % position.players, text) for leader, cards in tricks for turn, text in enumerate(cards)
    ]


def round_of(line: str, usual: Round) -> Round:
    """Start a round from a position or view given as text; `usual` is any round of the same game.

    Raises PositionError for an invalid position, RequestError for one from which no round can start.
    """
    from solver.positions import parse_position
    from solver.registry import game_of

    position = parse_position(line)
    game = game_of(position)
    if is_seen(position):
        least, most = game.players
        seats = most if least == most or getattr(position, "seat", None) else 2
        return ObservedRound(game, position, getattr(position, "players", None) or seats, usual.unit)
    alike = usual.game is game and is_observed(usual.position) == is_observed(position)
    if alike and game.legal_moves(position):
        players = int(getattr(position, "players", usual.players))
        changes: dict[str, Any] = {"position": position, "players": players, "match": {}}
        if hasattr(usual, "dealt"):  # a record needs it
            changes["dealt"] = position
        return replace(usual, **changes)
    raise RequestError("not_playable", say("no round can start from this position"))


def moves_of(line: str) -> list[str]:
    """Split a line recorded at a real table into moves: a single move, or several cards of a trick."""
    words = re.sub("[,;]", " ", plain(line)).split()
    cards = [word.casefold() for word in words if not word.startswith("?")]
    several = len(words) <= _MOST_CARDS and len(set(cards)) == len(cards)
    several = several and all(_CARD.fullmatch(word) or _MISSED.fullmatch(word) for word in words)
    return words if several else [line]
