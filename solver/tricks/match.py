"""A match of several rounds: its state, as part of views, and how it is played round by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, Field

from solver.answer_tables import Rows
from solver.answers import Hint
from solver.codec import OrText
from solver.common import lying, mask, members, one_after_another
from solver.display import MOST_POINTS, match_summary
from solver.errors import AthanorError
from solver.language import say, translated
from solver.limits import Control
from solver.positions import parse_position, position_data
from solver.rounds_in_play import Playing, Round, not_playable
from solver.tricks.moves import trick_number
from solver.tricks.positions import CardRound, Model, check_entries, common_fields
from solver.validation import fault

_MOST_SEATS = 8
Totals = Annotated[
    tuple[Annotated[int, Field(ge=0, le=MOST_POINTS, strict=True)], ...],
    Field(max_length=_MOST_SEATS),
    OrText("10,9,12,7"),
]
RoundNumber = Annotated[int, Field(ge=1, le=1000, strict=True)]
ForMatch = Annotated[bool, Field(strict=True)]


class OfMatch(Model):
    """What a player sees of the match: each seat's points in the earlier rounds, and the number of this round.

    In the last round, a hint maximizes the chance to win or share the match. With `for_match` it does so in every
    round, and estimates the rounds to come (`solver.hints.match`).
    """

    totals: Totals | None = None
    round: RoundNumber | None = None
    for_match: ForMatch | None = None

    match_rounds: ClassVar[int] = 3

    @property
    def goes_by_match(self) -> bool:
        """Whether hints maximize the chance to win the match instead of the score.

        They do if the totals are known and this is the last round or `for_match` is on; but not if the player has
        forgotten cards, since it is then unknown what the others have won.
        """
        known = self.totals is not None and not getattr(self, "forgotten", 0)
        return known and (self.round == self.match_rounds or bool(self.for_match))

    @property
    def rounds_to_come(self) -> int:
        """The number of rounds after this one; 0 if the number of this round is not given."""
        return 0 if self.round is None else self.match_rounds - self.round

    def check_match(self, players: int) -> None:
        """Raise a fault for a wrong number of totals, or a round that the match does not have.

        With `for_match`, the totals and the round are required.
        """
        if self.totals is not None:
            check_entries(self.totals, players, "totals")
        if self.round is not None and self.round > self.match_rounds:
            raise fault(
                "out_of_range",
                say(
                    "a match has {match_rounds} rounds, so none is {round}",
                    match_rounds=self.match_rounds,
                    round=self.round,
                ),
                "round",
            )
        for key in ("totals", "round") if self.for_match else ():
            if getattr(self, key) is None:
                message = say(
                    "{key} is missing: playing for the match (for_match) needs the state of the match", key=key
                )
                raise fault("missing_key", message, key)

    @property
    def match_rows(self) -> Rows:
        """The state of the match as labelled lines, as far as it is known."""
        sentences = []
        if self.round is not None:
            sentences.append(say("round {round} of {of}", round=self.round, of=self.match_rounds))
        if self.totals is not None:
            points = one_after_another(
                say("seat {seat} {text}", seat=seat, text=total) for seat, total in enumerate(self.totals)
            )
            sentences.append(say("points before it: {points}", points=points))
        if self.for_match:
            sentences.append(say("played for the match"))
        return [(say("Match"), say("; ").join(sentences))] if sentences else []


_OF_ONE_SEAT = frozenset({"seat", "hand", "declared", "round", "totals", "for_match"})


class TricksInPlay(Round):
    """A round of tricks. After one that a seat followed, the cards that were played show the hands."""

    @property
    def known(self) -> BaseModel | None:
        masks = self._hands_to_come()
        if masks is None or self.hindsight is None:
            return super().known
        view: Any = self.position
        seen = position_data(self._unrevoked(masks))
        data = {key: value for key, value in seen.items() if key not in _OF_ONE_SEAT}
        shown = self.hindsight.shown
        declared = {"declared": [cards[0] for cards in shown]} if shown else {}
        rules = view.past.rules
        hands = [list(map(rules.name, rules.members(hand))) for hand in masks]
        try:
            return parse_position({**data, "hands": hands, **declared})
        except AthanorError:
            return None  # some cards are never revealed

    def hint_in_truth(self, control: Control, *, seed: int = 0) -> Hint | None:
        masks = self._hands_to_come()
        if masks is None or self.seat is None:
            return super().hint_in_truth(control, seed=seed)
        with lying([*masks[self.seat + 1 :], *masks[: self.seat]]):
            return replace(self, position=self._unrevoked(masks)).hint(control, seed=seed)

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
        masks = self._hands_to_come()
        if masks is None:
            return []
        view: Any = self.position
        return [
            say(
                "{seat:Who} played {play} to trick {number} although {seat:it|you} held {cards}. Until that came "
                "out, moves are judged by what was known.",
                seat=revoke.seat,
                play=revoke.rules.play_text(revoke.play),
                number=trick_number(view, revoke),
                cards=" ".join(map(revoke.rules.name, revoke.rules.members(revoke.excluded & masks[revoke.seat]))),
            )
            for revoke in self._revokes(masks)
        ]

    def _hands_to_come(self) -> list[int] | None:
        """Return the cards that each seat plays from this point to the end of the round, as masks.

        Returns None if the end is unknown, or if some seat does not play all the cards in its hand.
        """
        view: Any = self.position
        if self.hindsight is None or getattr(view, "trick", None) is None:
            return None
        numbers = {view.past.rules.name(card): card for card in members(view.all_cards)}
        hands: list[list[int]] = [[] for _ in range(self.players)]
        for seat, text in _plays(self.hindsight.end)[len(_plays(view)) :]:
            hands[seat].append(numbers[text.split(":")[0]])  # a played card may have further parts
        whole = all(len(hand) == view.count(seat) for seat, hand in enumerate(hands))
        return list(map(mask, hands)) if whole else None


def _plays(position: Any) -> list[tuple[int, str]]:
    """Return (seat, card) for every card played in a view of a trick-taking game, in order."""
    tricks = [
        *((trick.leader, trick.cards) for trick in position.history or ()),
        (position.leader, position.trick),
    ]
    return [
        ((leader + turn) % position.players, text) for leader, cards in tricks for turn, text in enumerate(cards)
    ]


class MatchInPlay(TricksInPlay):
    """A round of a match whose views include the state of the match (`OfMatch`)."""

    def for_match(self) -> Self:
        standing = self.match or {"totals": (0,) * self.players, "round": 1}
        return replace(self, match={**standing, "for_match": True})

    def by_points(self) -> Self:
        apart = super().by_points()
        if self.seat is None:
            return apart
        return replace(apart, position=self.position.model_copy(update=NOTHING_TOLD))  # the view that was followed


def standing(rounds: Sequence[Sequence[int]]) -> Mapping[str, Any]:
    """The match fields of a view in the next round; `rounds` has the scores of all seats by round."""
    if not rounds:
        return {}
    return {"totals": tuple(map(sum, zip(*rounds, strict=True))), "round": len(rounds) + 1}


NOTHING_TOLD: Mapping[str, Any] = {"totals": None, "round": None, "for_match": None}  # if a view has no match


# ----------------------------------------------------------------------------------------------------
# A trick game round by round (`solver.rounds_in_play`), until its match is over.


class CardsInPlay(TricksInPlay):
    """A round in which a move is a card played openly, and the winner takes the trick immediately."""

    untaken: ClassVar[str] = "nobody takes the trick"

    def announcement(self, move: str) -> str:
        before, after = self.position, self.play(move).position
        assert isinstance(before, CardRound)
        assert isinstance(after, CardRound)
        if after.trick:
            return move
        if after.past.won == before.past.won:
            return f"{move}; {translated(self.untaken)}"
        return say("{move}; the trick goes to {seat:who}", move=move, seat=after.leader)

    def winner(self, after: Round) -> int | None:
        before, now = self.position, after.position
        assert isinstance(before, CardRound)
        assert isinstance(now, CardRound)
        return None if now.past.won == before.past.won else now.leader


class TrickPlaying(Playing):
    """Plays rounds and matches of a trick game. A game whose record has more than the piles extends it.

    The seats take turns leading the first trick.
    """

    in_play: ClassVar[type[Round]] = CardsInPlay

    def start(self, position: Any) -> Round:
        if not hasattr(position, "trick"):
            raise not_playable()
        return self.in_play(self.game, position, position.players, seat=self.viewer(position))

    def begun(self, dealt: Any, before: Sequence[Round], seed: int, number: int) -> Any:
        first = dealt.model_copy(update={"leader": self.first_leader(dealt, before)})
        return replace(self.start(first), match=self.standing(before))

    def first_leader(self, dealt: Any, before: Sequence[Round]) -> int:
        """The seat that leads the first trick of a deal, given the rounds before it."""
        leader: int = (dealt.leader + len(before)) % len(dealt.hands)
        return leader

    def standing(self, before: Sequence[Round]) -> Mapping[str, Any]:
        """The match fields of a view, given the rounds before this one."""
        return {}

    def record(self, rounds: Sequence[Round]) -> Any:
        known = [end for played in rounds if isinstance(end := played.position, CardRound)]
        kind: type[BaseModel] = self.game.record_type
        piles = [{"won": list(map(end.trick_rules.names, end.past.won))} for end in known]
        return kind(**common_fields(known[0], kind), rounds=piles)

    @property
    def match_rounds(self) -> int:
        """The number of rounds in a match."""
        of: int = self.game.record_type.match_rounds
        return of

    def finished(self, rounds: Sequence[Round]) -> bool:
        return len(rounds) >= self.match_rounds

    def wins_match(self, number: int, totals: Sequence[int | None]) -> bool:
        return number >= self.match_rounds

    def next_leader(self, end: Any) -> Mapping[str, int]:
        whole = end.history and not getattr(end, "gone", None)
        return {"leader": (end.history[0].leader + 1) % end.players} if whole else {}

    def summary(self, rounds: Sequence[Round], you: int | None) -> list[str]:
        answer: Any = self.game.score(self.record(rounds))
        return match_summary(answer.rounds, you, finished=answer.finished, of=self.match_rounds)
