"""Alchemy at the table: dealing, what a player sees, legal moves, playing them, records and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, model_validator

from solver.answers import Score
from solver.common import Random, cards_counted, points_counted
from solver.display import Scores, Sheet, sheet_score, with_sheet
from solver.errors import MoveError, PositionError, RequestError
from solver.game import split_anyway
from solver.games.alchemy.deck import JOKER, Move, card, cards, points, rank_of
from solver.games.alchemy.deck import parse_move as read_move
from solver.games.alchemy.position import (
    Cards,
    DuelScore,
    Round,
    SolitaireScore,
    check_lies,
    check_rules,
    dealt_duel,
    duel_view,
    observe_duel,
    places,
    play_duel,
    possible_grabs,
    ranks_of,
    refuse_surplus,
    solitaire_of,
    winner_of,
)
from solver.games.alchemy.rules import (
    SOLITAIRE,
    WITHOUT_CAP_LOSS,
    AlchemyReadings,
    RulesField,
    Turn,
    Variant,
    duel_min_line,
    match_of,
    matches,
    solitaire_moves,
    solitaire_play,
)
from solver.language import say, say_many, say_of, translated
from solver.limits import Control
from solver.rule_options import readings_in
from solver.tricks.any_round import MISSING
from solver.tricks.positions import Model
from solver.validation import fault, with_names

_MOST_CHOICES = 20_000  # of cards of a puzzle's line whose moves are listed: a quarter of a second


def asks(position: Round) -> frozenset[str]:
    """Return the names of the questions that can be asked about a position, such as "hint" and "analyze"."""
    if position.is_solitaire:
        questions = {"hint", "best-move", "value", "all-matches"}
        return frozenset(questions if position.stock_hidden else questions | {"analyze", "winnable"})
    if position.is_duel:
        if position.over:
            return frozenset()
        open_to_both = {"analyze", "best-move", "value", "all-matches"} if position.grab is None else set()
        return frozenset({"hint"} | open_to_both)
    questions = {"analyze", "value", "best-move" if position.objective else "all-matches"}
    return frozenset(questions)


def hand_of(position: Round) -> int | None:
    """Return the rank of the card drawn by the player to move, or None if the game is over."""
    if position.over:
        return None
    return position.drawn[position.seat_to_move] if position.is_duel else position.hand_rank


def legal_moves(position: Round) -> Sequence[Move]:
    """Return every legal move in canonical order; empty when the game is over.

    Raises RequestError for a puzzle with too many ways to choose line cards; `analyze` still counts its matches.
    """
    if position.is_solitaire:
        turn = position.turn
        return [] if turn.hand is None else solitaire_moves(position.solitaire, turn.line, turn.hand)
    if position.is_duel:
        return position.moves(position.seat_to_move)
    choices = prod(count + 1 for count in Counter(position.line_ranks).values())
    if choices > _MOST_CHOICES:
        message = say(
            "the line's cards can be chosen in {choices:,} ways; moves are listed for up to {most_choices:,}",
            choices=choices,
            most_choices=_MOST_CHOICES,
        )
        raise RequestError("too_large", message, "line")
    candidates = matches(position.line_ranks, position.hand_rank, position.min_line)
    return [move for move in candidates if position.cards in (None, len(move.used))]


def _fewest_line_cards(position: Round) -> int:
    if position.is_solitaire:
        return position.solitaire.min_line
    if position.is_duel:
        return duel_min_line(position.drawn[position.seat_to_move], position.table_jokers)
    return position.min_line


def parse_move(position: Round, text: str) -> Move:
    """Return the legal move that `text` means, with its canonical split.

    Raises MoveError if the text is not a move, or the move is illegal.
    """
    hand = hand_of(position)
    move = read_move(text, hand)
    check_lies(move, position.left_ranks, text)
    if move.kind == "match" and hand is not None:
        fewest = _fewest_line_cards(position)
        exactly = position.cards
        if len(move.used) < fewest or exactly not in (None, len(move.used)):
            template = "{text!r} uses {count} of the line's cards; a match here uses at least {wanted}"
            if exactly is not None:
                template = "{text!r} uses {count} of the line's cards; a match here uses exactly {wanted}"
            message = say(template, text=text, count=len(move.used), wanted=exactly or fewest)
            raise MoveError("illegal_move", message)
        canonical = match_of(move.used, hand)
        assert canonical is not None  # `move` is itself a split of these cards
        return canonical
    if move.kind == "none" and not position.is_duel:
        raise MoveError("illegal_move", say("only a duel player may decline"))
    if position.variant == "free" or move not in legal_moves(position):
        why = say("the game is over") if hand is None else say("a match exists, and it may not be declined")
        raise MoveError("illegal_move", say("{text!r} is not a move here: {why}", text=text, why=why))
    return move


def format_move(position: Round, move: Move) -> str:
    return str(move)


def solitaire_position(variant: Variant, turn: Turn, discarded: Sequence[int] = ()) -> Round:
    """Build a solitaire position from ranks, without validating them."""
    return Round.model_construct(
        game="alchemy",
        variant=variant.name,
        rules=AlchemyReadings(alternative_without_cap_loss=True) if variant == WITHOUT_CAP_LOSS else None,
        cap=turn.cap,
        line=tuple(cards(turn.line)),
        hand=MISSING if turn.hand is None else card(turn.hand),
        stock=tuple(cards(turn.stock)),
        discarded=tuple(cards(discarded)),
        **dict.fromkeys(("table_jokers", "pile", "opponent_pile"), MISSING),
    )


def play(position: Round, move: Move) -> Round:
    """Return the position after a legal move.

    Raises MoveError for an illegal move. Raises RequestError if the next cards are hidden, and for a `free`
    puzzle, in which no moves are made.
    """
    if position.is_duel:
        return play_duel(position, move)
    if not position.is_solitaire:
        raise RequestError("not_playable", say("a free puzzle cannot be played on"), "variant")
    if position.stock_hidden:
        raise RequestError("hidden_cards", say("the stock is hidden: the next cards are not known"), "stock")
    if move not in legal_moves(position):
        raise MoveError("illegal_move", say("{move} is not a move of this position", move=move))
    return _played(position, move)


def _played(position: Round, move: Move) -> Round:
    """Return the position after a move, legal or not, with the stock known."""
    turn = position.turn
    assert turn.hand is not None
    after = solitaire_play(position.solitaire, turn, move)
    gone = [*ranks_of(position.discarded), *move.used, turn.hand]
    then = solitaire_position(position.solitaire, after, gone)
    return then.model_copy(update={"as_played": position.as_played}) if position.as_played else then


def deal(
    seed: int,
    *,
    number: int = 0,
    players: int | None = None,
    variant: str | None = None,
    rules: Mapping[str, bool] | None = None,
) -> Round:
    """Return deal `number` of a seed: a solitaire's first turn (`solo` by default), or a duel's first exchange.

    A duel's deck has as many jokers as in rounds where a player has reached 75 points; their number depends on
    `rules`.

    Raises RequestError for a variant that cannot be dealt.
    """
    variant = variant or ("duel" if players == 2 else "solo")
    if variant != "duel" and variant not in SOLITAIRE:
        message = with_names(
            say("{variant!r} cannot be dealt", variant=variant), str(variant), [*SOLITAIRE, "duel"]
        )
        raise RequestError("unknown_value", message, "variant")
    if variant == "duel":
        return dealt_duel(seed, number, readings_in(AlchemyReadings, rules).jokers[1])
    solitaire = SOLITAIRE[variant]
    cap, deck = solitaire.cap, solitaire.deck
    Random(seed, number).shuffle(deck)
    return solitaire_position(solitaire, Turn(cap, tuple(deck[:cap]), deck[cap], tuple(deck[cap + 1 :])))


def view(position: Round, seat: int) -> Round:
    """Return the position as the player in `seat` sees it.

    The order of the stock is hidden, and a duel is turned so that `seat` becomes seat 0. Raises RequestError if
    there is no such seat.
    """
    seats = 2 if position.is_duel else 1
    if not 0 <= seat < seats:
        raise RequestError(
            "out_of_range",
            say("there is no seat {seat}; seats are 0 to {seats}", seat=seat, seats=seats - 1),
            "seat",
        )
    if position.is_solitaire and position.stock is not None:
        return position.model_copy(update={"stock": None, "unseen": tuple(cards(sorted(position.unseen_ranks)))})
    if position.is_duel:
        return duel_view(position, seat)
    return position


def worlds(position: Round, most: int, seed: int = 0) -> list[Round]:
    """Sample orders of a solitaire's hidden stock, possibly with repetitions: see `solver.game.Game.worlds`.

    Raises RequestError if nothing is hidden.
    """
    if not position.is_solitaire or position.stock is not None:
        raise RequestError("all_known", say("no card is hidden"), "stock")
    agreeing: list[Round] = []
    for number in range(most):
        stock = [*position.unseen_ranks]
        Random(seed, number).shuffle(stock)
        agreeing.append(position.model_copy(update={"stock": tuple(cards(stock)), "unseen": None}))
    return agreeing


# ----------------------------------------------------------------------------------------------------
# Updating views with a move, and the cards then turned up from the stock.


def observe(position: Round, texts: Sequence[str]) -> tuple[Round, int]:
    """Update a view with the move ``texts[0]`` and, after it, the cards turned up from a hidden stock.

    Returns the new view and the number of texts used. A solitaire's last card turned up is the new hand; for duels
    see `observe_duel`. Raises MoveError for an illegal move, too few cards, or cards that are not among the unseen
    ones; RequestError for a puzzle.
    """
    if position.is_duel:
        return observe_duel(position, texts)
    if not position.is_solitaire:
        raise RequestError("not_playable", say("a free puzzle cannot be played on"), "variant")
    text, anyway = split_anyway(texts[0])
    if anyway:
        position, move = _stood(position, text)
    else:
        move = parse_move(position, text)
    if not position.stock_hidden:
        return _played(position, move), 1
    many = turned_up(position, move)
    return _after(position, move, texts[1 : many + 1], many), many + 1


def _stood(position: Round, text: str) -> tuple[Round, Move]:
    """Return the position with a move in `as_played`, and the move.

    Raises MoveError for one that nobody can have made, and for cards turned up by mistake.
    """
    hand = hand_of(position)
    if hand is None:
        raise MoveError(
            "illegal_move", say("{text!r} is not a move here: {why}", text=text, why=say("the game is over"))
        )
    if rank_of(text) is not None:
        message = say(
            "{text!r}: take back cards that were turned up by mistake, or go on from the cards as they lie now, "
            "as a new position whose cap is the number of cards in the line",
            text=text,
        )
        raise MoveError("illegal_move", message)
    move = read_move(text, hand, anyway=True)
    check_lies(move, position.left_ranks, text)
    if move.kind == "match":
        move = match_of(move.used, hand) or move
    return position.model_copy(update={"as_played": (*(position.as_played or ()), str(move))}), move


def turned_up(position: Round, move: Move) -> int:
    """Return how many cards a move turns up, to refill the line and as the next hand if there is one."""
    return len(position.unseen_ranks) - len(_turned(position, move).stock)


def _turned(position: Round, move: Move) -> Turn:
    """The turn after a move of a solitaire, with the unseen cards in any order."""
    return solitaire_play(position.solitaire, replace(position.turn, stock=position.unseen_ranks), move)


def _after(position: Round, move: Move, shown: Sequence[str], many: int) -> Round:
    """Return the position after a move that turns up `many` cards, which are given in `shown`.

    Raises MoveError if they are not among the unseen cards, or else if there are too few of them.
    """
    unseen = Counter(position.unseen_ranks)
    up = []
    for text in shown:
        rank = rank_of(text)
        if rank is None or rank == JOKER:
            raise MoveError("illegal_move", say("{text!r} is not a card that can be turned up", text=text))
        if not unseen[rank]:
            raise MoveError("illegal_move", say("{card} cannot be turned up: no more are unseen", card=card(rank)))
        unseen[rank] -= 1
        up.append(card(rank))
    if len(shown) < many:
        turn = _turned(position, move)
        lies, at = len(turn.line), len(turn.line) - many + (turn.hand is not None) + len(shown) + 1
        message = say("Which is card {at} of {all} in the line?", at=at, all=lies)
        if at > lies:
            message = say("Which card do you draw?")
        raise MoveError("incomplete_move", message)
    rest = tuple(cards(sorted(unseen.elements())))
    after = _played(position.model_copy(update={"stock": (*up, *rest), "unseen": None}), move)
    return after.model_copy(update={"stock": None, "unseen": rest})


def possible(position: Round) -> Sequence[str]:
    """Return the legal moves as text; in a duel, those of both players while nobody has grabbed."""
    if position.is_duel:
        return possible_grabs(position)
    return list(map(str, legal_moves(position)))


# ----------------------------------------------------------------------------------------------------
# Positions as labelled lines for a person.


def describe(position: Round) -> list[tuple[str, str]]:
    """Return the position as (label, text) lines for a person to read."""
    if position.is_solitaire:
        stock = position.unseen_ranks
        rows = [
            (
                say_of("cards on the table", "Line"),
                f"{' '.join(position.line)}   ({say('cap {cap}', cap=position.cap)})",
            ),
            (say_of("the card drawn", "Hand"), position.hand or "–"),
        ]
        label = say("Unseen") if position.stock is None else say("Stock")
        left = f"{' '.join(cards(stock))}   ({cards_counted(len(stock))})" if stock else say("empty")
        return [*rows, (label, left)]
    if position.is_duel:
        return _duel_rows(position)
    wanted = say_many("at least {count} line card", "at least {count} line cards", position.min_line)
    if position.cards is not None:
        wanted = say("{wanted}, exactly {count}", wanted=wanted, count=position.cards)
    if position.objective:
        objective = translated(position.objective.replace("-", " "))
        wanted = say("{wanted}; best: {objective}", wanted=wanted, objective=objective)
    return [
        (say_of("cards on the table", "Line"), " ".join(position.line)),
        (say_of("the card drawn", "Hand"), position.hand),
        (say_of("cards that sum", "Match"), wanted),
    ]


def _duel_rows(position: Round) -> list[tuple[str, str]]:
    jokers, grab = position.table_jokers, position.grab
    line = " ".join(position.line) or "–"
    aside = f"   ({say('jokers set aside: {count}', count=jokers)})" if jokers else ""
    rows = [(say_of("cards on the table", "Line"), line + aside)]
    if grab is not None:
        who, move = grab
        sentence = say("the opponent {move}", move=move) if who else say("you {move}", move=move)
        rows.append((say("Grabbed"), sentence))
        rows.append((say("Left"), " ".join(cards(position.left_ranks)) or "–"))
    for seat, (label, pile) in enumerate(zip((say("You"), say("Opponent")), position.piles, strict=True)):
        won = say("pile: {cards}, {points}", cards=cards_counted(len(pile)), points=points_counted(points(pile)))
        if position.over:
            rows.append((label, won))
        else:
            hand = position.drawn[seat]
            rows.append((label, f"{say('a joker') if hand == JOKER else card(hand)}   ({won})"))
    if position.totals is not None:
        you, opponent = position.totals
        rows.append((say("Race"), say("you {you}, the opponent {opponent}, to 100", you=you, opponent=opponent)))
    if position.totals is not None or position.stock is not None:
        rows.append((say("Deck"), cards_counted(len(position.unseen_ranks))))
    return rows


# ----------------------------------------------------------------------------------------------------
# Records: a solitaire as played, the piles of a duel, or a duel's score sheet.


_MOST_MOVES = 1000  # of a record
_MOST_ROUNDS = 1000  # of a match


class SolitaireRecord(Model):
    """A solitaire as it was played: the shuffled deck (the line first), and the moves."""

    game: Literal["alchemy"]
    variant: Literal["solo", "alternative"]
    rules: RulesField = None
    deck: Cards
    moves: Annotated[tuple[Annotated[str, Field(strict=True)], ...], Field(max_length=_MOST_MOVES, fail_fast=True)]

    @property
    def solitaire(self) -> Variant:
        """The rules of the variant with the chosen options."""
        return solitaire_of(self.variant, self.rules)

    @property
    def deck_ranks(self) -> tuple[int, ...]:
        return ranks_of(self.deck)

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_rules(self.rules, self.variant)
        for path, rank in places("deck", self.deck):
            if rank == JOKER or rank > self.solitaire.ranks:
                raise fault(
                    "illegal_card",
                    say("{card} is not in the deck of {variant}", card=card(rank), variant=self.variant),
                    path,
                )
        refuse_surplus(places("deck", self.deck))
        if len(self.deck) != len(self.solitaire.deck):
            raise fault(
                "wrong_size",
                say(
                    "the deck of {variant} has {count} cards",
                    variant=self.variant,
                    count=len(self.solitaire.deck),
                ),
                "deck",
            )
        return self


PilesRecord = tuple[Cards, Cards]


def _check_piles(piles: PilesRecord) -> PilesRecord:
    refuse_surplus(card_at for seat, pile in enumerate(piles) for card_at in places(f"[{seat}]", pile))
    return piles


class DuelRound(Model):
    """The two players' piles at the end of a round."""

    piles: Annotated[PilesRecord, AfterValidator(_check_piles)]

    @property
    def points(self) -> tuple[int, int]:
        first, second = (points(ranks_of(pile)) for pile in self.piles)
        return first, second


class DuelRecord(Model):
    """The rounds of a duel so far, in order."""

    game: Literal["alchemy"]
    variant: Literal["duel"]
    rounds: Annotated[tuple[DuelRound, ...], Field(max_length=_MOST_ROUNDS, fail_fast=True)]


_MOST = 92  # of a round: 4 kings 8, 4 aces together 10, 44 other cards, and 3 jokers 30


class DuelSheet(Sheet):
    """A score sheet of a duel: both players' points in each round, until one player has won the race to 100."""

    game: Literal["alchemy"]
    variant: Literal["duel"]

    seats: ClassVar[tuple[int, int]] = (2, 2)

    @classmethod
    def fault_of(cls, played: Scores) -> str | None:
        if sum(played) > _MOST:
            return say(
                "the cards and three jokers are worth {most} points in all, not {sum}", most=_MOST, sum=sum(played)
            )
        return None

    @classmethod
    def is_over(cls, rounds: int, totals: Scores) -> bool:
        first, second = totals
        return winner_of((first, second)) is not None


Record = with_sheet(Annotated[SolitaireRecord | DuelRecord, Field(discriminator="variant")], DuelSheet)


# ----------------------------------------------------------------------------------------------------
# `score`: how a recorded solitaire ended, and the points of a duel's rounds.


def score(record: BaseModel, _control: Control | None = None) -> Score:
    """Replay a record and return its result.

    Raises MoveError with the path of an illegal move, PositionError for rounds played after the match was won.
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
            raise MoveError(
                "illegal_move", say("{text!r} comes after the game is over", text=text), f"moves[{number}]"
            )
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
            raise PositionError("conflict", say("the match was won before this round"), f"rounds[{number}]")
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
