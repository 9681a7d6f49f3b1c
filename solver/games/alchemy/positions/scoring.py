"""`score` for alchemy: how a recorded solitaire ended, and the points of a duel's rounds."""

from __future__ import annotations

from pydantic import BaseModel

from solver.common.control import Control
from solver.games.alchemy.answers import DuelScore, SolitaireScore
from solver.games.alchemy.cards.rules import Turn, solitaire_play
from solver.games.alchemy.positions.moves import parse_move, solitaire_position
from solver.games.alchemy.positions.race import winner_of
from solver.games.alchemy.positions.records import DuelRecord, DuelSheet, SolitaireRecord
from solver.inputs.errors import MoveError, PositionError
from solver.protocol.answers import Answer
from solver.protocol.showing.sheets import sheet_score


def score(record: BaseModel, _control: Control | None = None) -> Answer:
    """The result of a record, replayed by the rules.

    Raises MoveError with the path of a move that is not legal, PositionError for rounds played after the match
    was won.
    """
    if isinstance(record, DuelSheet):
        return sheet_score("alchemy", record)
    if isinstance(record, SolitaireRecord):
        return _solitaire(record)
    assert isinstance(record, DuelRecord)
    return _duel(record)


def _solitaire(record: SolitaireRecord) -> SolitaireScore:
    deck, cap = record.deck_ranks, record.solitaire.cap
    turn = Turn(cap, deck[:cap], deck[cap], deck[cap + 1 :])
    for number, text in enumerate(record.moves):
        if turn.won is not None:
            raise MoveError("illegal_move", f"{text!r} comes after the game is over", f"moves[{number}]")
        position = solitaire_position(record.solitaire, turn)
        try:
            move = parse_move(position, text)
        except MoveError as error:
            raise error.under(f"moves[{number}]") from None
        turn = solitaire_play(record.solitaire, turn, move)
    return SolitaireScore(
        game="alchemy",
        variant=record.variant,
        finished=turn.won is not None,
        value=None if turn.won is None else "won" if turn.won else "lost",
        left=len(turn.stock),
        turns=len(record.moves),
    )


def _duel(record: DuelRecord) -> DuelScore:
    totals = (0, 0)
    for number, played in enumerate(record.rounds):
        if winner_of(totals) is not None:
            raise PositionError("conflict", "the match was won before this round", f"rounds[{number}]")
        totals = totals[0] + played.points[0], totals[1] + played.points[1]
    winner = winner_of(totals)
    return DuelScore(
        game="alchemy",
        variant="duel",
        rounds=tuple(played.points for played in record.rounds),
        totals=totals,
        winner=winner,
        finished=winner is not None,
    )
