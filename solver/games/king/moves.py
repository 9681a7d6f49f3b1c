"""King × Alchemy's positions in play: legal moves and their text, deals, views, records, scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, Field, model_validator

from solver.answers import Answer, MadeRecipe, MatchScore
from solver.common import mask, members, one_after_another, points_counted
from solver.decks import chosen, deck_of
from solver.display import Sheet, SheetScore, leaders_of, sheet_score, totals_of, with_sheet
from solver.errors import IncompleteMoveError, MoveError, RequestError
from solver.game import split_anyway
from solver.games.king import rules
from solver.games.king.deck import CARDS, KIND, Deck, read_by
from solver.games.king.keys import KingRules, impossible_taking, piles_at, taking_fault
from solver.games.king.position import Cards, CardSet, DeckField, FinishedTrick, Hands, Round
from solver.games.king.rules import (
    DEALT,
    PLAYERS,
    ROUNDS,
    TRICKS,
    Masks,
    Move,
    Play,
    Taking,
    bottom,
    card_named,
    gains,
    move_text,
    parse,
    play_text,
    plays,
    takings,
    winner,
)
from solver.language import say, say_many, say_of, sentences, translated
from solver.limits import Control, Limit
from solver.rounds_in_play import Round as RoundInPlay
from solver.tricks import moves
from solver.tricks.match import NOTHING_TOLD, MatchInPlay, TrickPlaying, standing
from solver.tricks.memory import MISSED, remembered_as, taker_of, unknown_rows, unseen_trick, voids_now
from solver.tricks.positions import Model, refuse_doubles, spread, without
from solver.tricks.text import trick_text, tricks_row
from solver.validation import fault


def as_king(position: BaseModel) -> Round | CardSet:
    """The same position, narrowed to King × Alchemy's types for the type checker."""
    assert isinstance(position, Round | CardSet)
    return position


def as_round(position: BaseModel) -> Round:
    """The same position, narrowed to a round for the type checker."""
    assert isinstance(position, Round)
    return position


def as_known(position: BaseModel) -> Round:
    """The position, if it is a round with all cards known. Raises RequestError otherwise."""
    position = as_king(position)
    if isinstance(position, CardSet):
        raise RequestError(
            "not_offered", say("a set of cards cannot be played: to analyze, give the hands"), "cards"
        )
    if position.viewer is not None:
        raise moves.hidden_hands(say("all hands"))
    if position.choosing:
        raise RequestError(
            "not_offered",
            say("all pick simultaneously, so a single pick has no value: analyze the round after the picks"),
            "stage",
        )
    return position


def as_view(position: BaseModel) -> Round:
    """The position, if it is a view. Raises RequestError otherwise."""
    position = as_king(position)
    if isinstance(position, CardSet):
        raise RequestError(
            "not_offered", say("a set of cards cannot be played: ask what can be made of it"), "cards"
        )
    if position.viewer is None:
        raise moves.nothing_hidden()
    return position


def asks(position: BaseModel) -> frozenset[str]:
    """The names of the questions that can be asked about a position; none while all pick and all is known."""
    position = as_king(position)
    if isinstance(position, CardSet):
        return frozenset({"compound"})
    if position.viewer is not None:
        return frozenset({"hint"})
    return frozenset() if position.choosing else frozenset({"analyze", "best-move", "value"})


def legal_moves(position: BaseModel) -> Sequence[Move]:
    """Every legal move in canonical order; picking a card is represented as a `Play` of it.

    Empty when the round is over, and in a view while another seat is to move.
    """
    position = as_king(position)
    if isinstance(position, CardSet) or position.viewer not in (None, position.seat_to_move):
        return []
    deck, hand = position.full_deck, position.hand_masks[position.seat_to_move]
    if position.choosing:
        return [Play(card, deck.cards[card].suit) for card in members(hand)]
    if position.trick_is_full:
        return rules.takings(deck, position.plays)
    return rules.playable(deck, hand, position.plays)


def format_move(position: BaseModel, move: Move) -> str:
    """Write a move as text, such as ``F3`` or ``take F3 W1 give E9``. A Dancer that is picked has no suit."""
    position = as_king(position)
    deck = position.full_deck
    if isinstance(move, Play) and isinstance(position, Round) and position.choosing:
        return deck.cards[move.card].code
    return move_text(deck, move)


def parse_move(position: BaseModel, text: str) -> Move:
    """Parse the text of a legal move. Raises MoveError with the reason if it is not one."""
    position = as_king(position)
    deck = position.full_deck
    if isinstance(position, Round) and position.choosing:
        card = card_named(deck, text.strip())
        move: Move = Play(card, deck.cards[card].suit)
    else:
        move = _move_of(position, text)
    _check_move(position, move)
    return move


def _move_of(position: Round | CardSet, text: str) -> Move:
    """Parse a move. A gift to the bottom is the same whether the text names that seat or not."""
    move = parse(position.full_deck, text)
    if isinstance(move, Taking) and isinstance(position, Round) and position.trick_is_full:
        turn = bottom(position.full_deck, position.plays)
        if turn is not None and move.to == (position.leader + turn) % position.players:
            return move._replace(to=None)
    return move


def _check_move(position: Round | CardSet, move: Move) -> None:
    allowed = legal_moves(position)
    if move not in allowed:
        raise MoveError("illegal_move", _why_not(position, move, allowed))


def _why_not(position: Round | CardSet, move: Move, allowed: Sequence[Move]) -> str:
    if isinstance(position, CardSet):
        return say("a set of cards cannot be played")
    deck, seat = position.full_deck, position.seat_to_move
    why = moves.why_not_now(position, allowed)
    if why is not None:
        return why
    if position.trick_is_full:
        if isinstance(move, Play):
            return say(
                "the trick is full: {seat:who} {seat:takes|take}, as in {move_text}",
                seat=seat,
                move_text=move_text(deck, allowed[0]),
            )
        wrong = taking_fault(deck, position.plays, move)
        assert wrong is not None
        return wrong[1]
    if isinstance(move, Taking):
        if position.choosing:
            return say("nothing is to be taken: {seat:who} {seat:is|are} to pick a card", seat=seat)
        return _nothing_to_take(seat)
    plays = [other for other in allowed if isinstance(other, Play)]
    king = KingRules(deck, position.players)
    return moves.why_no_play(king, seat, move, position.hand_masks[seat], position.plays, plays)


def _nothing_to_take(seat: int) -> str:
    return say("nothing is to be taken: {seat:who} {seat:is|are} to play a card", seat=seat)


def play(position: BaseModel, move: Move) -> Round:
    """The position after a legal move.

    Raises MoveError for an illegal move, RequestError for a view, where other hands are hidden.
    """
    position = as_king(position)
    if isinstance(position, CardSet):
        raise RequestError("not_offered", say("a set of cards cannot be played"), "cards")
    if position.viewer is not None:
        raise moves.view_not_played()
    _check_move(position, move)
    if position.choosing:
        assert isinstance(move, Play)
        return after_pick(position, move.card)
    deck, update = position.full_deck, _changes(position, position.known_history, move)
    if isinstance(move, Play):
        update["hands"] = without(position.hands, position.seat_to_move, deck.code(move.card))
        update["won"] = _piles(deck, position.piles)
    return position.model_copy(update={"history": position.known_history, **update})


def _changes(position: Round, history: Sequence[FinishedTrick] | None, move: Move) -> dict[str, Any]:
    """The public fields that a play or a taking changes, with their new values.

    `history` has the tricks before the move, or None if they are unknown.
    """
    deck = position.full_deck
    if isinstance(move, Play):
        return {"trick": (*position.trick, play_text(deck, move))}
    piles = list(position.piles)
    for seat, cards in gains(deck, position.leader, position.plays, move):
        piles[seat] |= cards
    if history is not None:
        finished = FinishedTrick(
            leader=position.leader,
            cards=position.trick,
            taken=tuple(deck.codes(move.taken)),
            given=None if move.given is None else deck.code(move.given),
            also_given=tuple(deck.codes(move.more)) or None,
            given_to=move.to,
        )
        history = (*history, finished)
    return {"leader": position.seat_to_move, "trick": (), "won": _piles(deck, piles), "history": history}


def _piles(deck: Deck, piles: Iterable[int]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(deck.codes(members(pile))) for pile in piles)


def after_pick(position: Round, card: int) -> Round:
    """The position after `seat` has picked `card` from its hand; the next seat without a pick is to move."""
    code = position.full_deck.cards[card].code
    won = tuple((code,) if seat == position.seat else pile for seat, pile in enumerate(position.picked))
    hands = without(position.hands, position.seat, code)
    others = ((position.seat + step) % position.players for step in range(1, position.players))
    waiting = [seat for seat in others if not won[seat]]
    if waiting:
        return position.model_copy(update={"seat": waiting[0], "hands": hands, "won": won})
    return Round(**position.fields("leader", "removed"), hands=hands, won=won, history=())


# ----------------------------------------------------------------------------------------------------
# Deals, and what each seat sees.


PLAYERS_DEALT = 4  # by default
VARIANTS = ("picked", "unpicked")  # what `deal` makes


def seats_deal(
    seed: int,
    *,
    number: int = 0,
    players: int | None = None,
    variant: str | None = None,
    deck: str | Mapping[str, Any] | None = None,
) -> Round:
    """Deal cards by seed and number, by default from the house deck; return the position. Seat 0 leads.

    The variant does not change the cards dealt; in "picked", each seat has already picked its last one. Raises
    RequestError for deals that are not offered, PositionError for a bad deck.
    """
    players = players or PLAYERS_DEALT
    variant = moves.dealt_variant("king", variant, VARIANTS)
    written = chosen(KIND, deck)
    cards = deck_of(KIND, written)
    *dealt, removed = moves.shuffled(CARDS, [DEALT[players]] * players, seed, number)
    position = Round(
        game="king",
        deck=written,
        seat=0,
        leader=0,
        hands=tuple(tuple(cards.codes(sorted(hand))) for hand in dealt),
        removed=tuple(cards.codes(sorted(removed))),
    )
    if variant == "picked":
        for hand in dealt:
            position = after_pick(position, hand[-1])
    return position


def view(position: BaseModel, seat: int) -> Round:
    """The view of the player in `seat`: what that player sees of the position.

    Raises RequestError for a position without its earlier plays and picks and, if `position` is already a view,
    for any seat but its own.
    """
    position = as_king(position)
    if isinstance(position, CardSet):
        raise RequestError("not_offered", say("a set of cards has no seats"), "cards")
    moves.check_viewer(seat, position.players, position.viewer)
    if position.viewer is not None:
        return position
    own: dict[str, Any] = {"seat": seat, "hand": position.hands[seat]}
    deck, piles, hands = position.full_deck, position.piles, position.hand_masks
    if position.choosing:
        if position.picked[seat]:
            message = say(
                "{seat:who} {seat:has|have} picked and {seat:waits|wait} for the others, "
                "whose picks {seat:it does|you do} not see yet",
                seat=seat,
            )
            raise RequestError("not_offered", message, "seat")
    else:
        own |= {"history": moves.history_seen(position), "won": _piles(deck, piles)}
        own |= {"trick": position.trick, "as_played": position.as_played}
        for other, (pile, gained) in enumerate(zip(piles, position.past.won, strict=True)):
            if not pile & ~gained:
                message = say(
                    "a view needs the cards picked before the first trick: give that of {other:who}", other=other
                )
                raise RequestError("missing_key", message, "won")
    placed = reduce(or_, (*piles, *hands), mask(play.card for play in position.plays) | position.past.discarded)
    own["removed"] = position.removed or tuple(deck.codes(members(position.all_cards & ~placed)))
    return Round(**position.fields("leader"), **own)


# ----------------------------------------------------------------------------------------------------
# Positions as labelled lines for a person.


_NONE = "–"
_LOOK = Limit(nodes=100)  # for compounding a pile; in decks made to be hard, the best way found is shown
Rows = list[tuple[str, str]]


def _sorted(deck: Deck, texts: Cards) -> str:
    return " ".join(sorted(texts, key=deck.index.__getitem__)) or _NONE


def pile_text(deck: Deck, pile: int) -> str:
    """Write a pile as text: its cards, their points, and the items that they already make."""
    if not pile:
        return _NONE
    from solver.games.king.compounding import best_within

    compounding, most = best_within(deck, members(pile), Control(_LOOK))
    items = one_after_another(f"{translated(recipe.item)} +{recipe.bonus}" for recipe in compounding.recipes)
    worth = points_counted(compounding.vp)
    if items and compounding.total == most:
        worth = say("{points}; makes {items} = {total}", points=worth, items=items, total=compounding.total)
    elif items:
        worth = say("{points}; makes {items} = {total}, perhaps up to {most}",
                    points=worth, items=items, total=compounding.total, most=most)  # fmt: skip
    return f"{' '.join(deck.codes(members(pile)))}   ({worth})"


def _over(position: Round) -> bool:
    return not position.trick and not any(position.hand_masks)


def _trick_row(position: Round) -> tuple[str, str]:
    plays = trick_text(position.leader, position.players, position.trick)
    if position.trick_is_full:
        sentence = say(
            "{plays}; {seat:who} {seat:wins|win} and {seat:is|are} to take",
            plays=plays,
            seat=position.seat_to_move,
        )
        return say("Trick"), sentence
    if _over(position):
        sentence = say(
            "none; the round is over, and the winner of its last trick is seat {seat}", seat=position.leader
        )
        return say("Trick"), sentence
    return say("Trick"), plays or say("none yet; seat {seat} leads", seat=position.leader)


def _won_rows(deck: Deck, piles: Sequence[int]) -> Rows:
    return [(say("Seat {seat} won", seat=seat), pile_text(deck, pile)) for seat, pile in enumerate(piles) if pile]


def _removed_row(deck: Deck, removed: Cards | None) -> Rows:
    return [(say("Removed"), _sorted(deck, removed))] if removed else []


def _known(position: Round) -> Rows:
    deck = position.full_deck
    rows = []
    for seat, hand in enumerate(position.hands):
        mark = f"   ({say('to move')})" if seat == position.seat_to_move and not _over(position) else ""
        rows.append((say("Seat {seat}", seat=seat), _sorted(deck, hand) + mark))
    return [*rows, *_won_rows(deck, position.piles), _trick_row(position)]


def _pick(position: Round) -> Rows:
    deck = position.full_deck
    rows = []
    for seat, (hand, picked) in enumerate(zip(position.hands, position.picked, strict=True)):
        marks = [say("has picked {card}", card=picked[0]) if picked else say("has not picked yet")]
        marks += [say("to pick now")] * (seat == position.seat)
        rows.append((say("Seat {seat}", seat=seat), f"{_sorted(deck, hand)}   ({say('; ').join(marks)})"))
    leader = (say("Leader"), say("seat {seat}", seat=position.leader))
    return [*rows, *_removed_row(deck, position.removed), leader]


def _last_trick_row(position: Round) -> str:
    """Describe the previous trick, and what its winner took and gave."""
    assert position.history
    last = position.history[-1]
    plays = trick_text(last.leader, position.players, last.cards)
    seat, taken = position.leader, " ".join(last.taken)
    if last.given:
        template = "{plays}; {seat:who} won and took {taken} and gave {given}"
        if last.given_to is not None:
            template = "{plays}; {seat:who} won and took {taken} and gave {given} to {other:who}"
        given = " ".join((last.given, *(last.also_given or ())))
        return say(
            template, plays=plays, seat=seat, taken=taken or say("nothing"), given=given, other=last.given_to
        )
    if not taken:
        return say("{plays}; {seat:who} won and took nothing", plays=plays, seat=seat)
    return say("{plays}; {seat:who} won and took {taken}", plays=plays, seat=seat, taken=taken)


def _seen(position: Round) -> Rows:
    deck, seat, players = position.full_deck, position.seat, position.players
    you = say("seat {seat}", seat=seat)
    if position.choosing:
        you = say("seat {seat} of {players}; to pick a card, which is won outright", seat=seat, players=players)
    rows = [*position.match_rows, (say("You"), you), (say("Hand"), _sorted(deck, position.hand))]
    removed = _removed_row(deck, position.removed)
    if position.choosing:
        return [*rows, *removed, (say("Leader"), say("seat {seat}", seat=position.leader))]
    rows += [_trick_row(position), tricks_row(position.over, TRICKS[players])]
    if position.history:
        rows.append((say("Last trick"), _last_trick_row(position)))
    rows += _won_rows(deck, position.piles)
    for other in range(players):
        suits = [suit for suit in range(4) if deck.of_suit[suit] & ~position.excluded(other) == 0]
        if suits and other != seat:
            names = " ".join(deck.suits[suit] for suit in suits)
            rows.append((say("Seat {seat} holds", seat=other), say("no {suits}", suits=names)))
    unseen = " ".join(deck.codes(members(position.unseen))) or _NONE
    return [*rows, *removed, (say("Unseen"), unseen), *unknown_rows(position)]


def notes(position: BaseModel) -> Sequence[str]:
    """Name the disputed readings, not in force, by which a full trick would be taken or given otherwise."""
    if not isinstance(position, Round) or not position.trick_is_full:
        return ()
    deck, plays = position.full_deck, position.plays
    disputed = {
        "no_bottom_when_trumped": say(
            "Nobody followed the lead suit, so the leader is the bottom and gets a card. "
            "Some tables have no bottom then."
        ),
        "late_trump_does_not_lift": say(
            "A trump lifts the Dancer although it was played later. At some tables only an earlier trump does."
        ),
    }

    def settled(deck: Deck) -> tuple[object, ...]:
        ways = takings(deck, plays)
        return winner(deck, plays), ways, ways[0].given is not None and bottom(deck, plays)

    now = settled(deck)
    others = {name: deck.readings.model_copy(update={name: True}) for name in disputed}
    return [disputed[name] for name, other in others.items() if settled(read_by(deck, other)) != now]


def describe(position: BaseModel) -> Rows:
    """Describe a position for people, as pairs of a label and a text."""
    position = as_king(position)
    deck = position.full_deck
    if isinstance(position, CardSet):
        rows = [(say("Cards"), pile_text(deck, mask(position.numbers)))]
    elif position.viewer is None:
        rows = _pick(position) if position.choosing else _known(position)
    else:
        rows = _seen(position)
    return [(say_of("the cards of a game", "Deck"), translated(deck.title)), *rows]


# ----------------------------------------------------------------------------------------------------
# Updating views with what happens: picks turned up, cards played, cards taken and given.


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[Round, int]:
    """Update a view with the first event in `texts`; return the new view and the number of texts used.

    An event is a play, such as ``D:F``, or what the winner of a trick took and gave. All picks
    together are one event, with one text per player: the player's own card, then those of the other seats
    clockwise. Raises MoveError for an impossible event.
    """
    view = as_view(position)
    if view.choosing:
        return _picked(view, texts[: view.players]), view.players
    if texts[0] == MISSED:
        return _after_missed(view, texts), len(texts)
    return _observed(view, texts[0]), 1


def _picked(view: Round, texts: Sequence[str]) -> Round:
    """The view at the start of the round, once all players have picked a card."""
    deck, players = view.full_deck, view.players
    seats = [(view.seat + step) % players for step in range(players)]
    own = format_move(view, parse_move(view, texts[0]))
    won: dict[int, tuple[str, ...]] = {view.seat: (own,)}
    open_cards = view.unseen
    for seat, text in zip(seats[1:], texts[1:], strict=False):
        if text == MISSED:
            won[seat] = ()
            continue
        card = card_named(deck, text.strip())
        if not open_cards >> card & 1:
            raise MoveError(
                "illegal_move",
                say("{seat:who} cannot have picked {code}: it is elsewhere", seat=seat, code=deck.code(card)),
            )
        open_cards &= ~(1 << card)
        won[seat] = (deck.cards[card].code,)
    if len(texts) < players:
        raise MoveError("incomplete_move", say("What did {seat:who} pick?", seat=seats[len(texts)]))
    fields = view.fields("leader", "removed", "seat", *NOTHING_TOLD)
    fields["hand"] = tuple(card for card in view.hand if card != own)
    fields["won"] = tuple(won[seat] for seat in range(players))
    return Round(**fields | {"trick": ()} | ({} if all(won.values()) else {"gone": ()}))


def _after_missed(view: Round, texts: Sequence[str]) -> Round:
    """The view after a trick in which the player did not see every card.

    The texts are the plays from the first missed one on, with ``?`` for each missed card; then the seat that took
    the trick; then what the player got, written as a taking: ``take F3`` or ``take -``. What the others got need
    not be known.
    """
    deck, players, left = view.full_deck, view.players, view.players - len(view.trick)
    if left:
        legal = rules.playable(deck, view.hand_mask, view.plays)
        shown = unseen_trick(view, texts[:left], partial(_play_of, view), lambda play: play in legal)
        if len(texts) == left:
            raise IncompleteMoveError(say("Who took the trick? 2 is seat 2"))
        taker, texts = taker_of(texts[left], players), texts[left:]
    else:
        shown, taker = [(seat, play) for seat, play, _ in view.current_trick.by_seat(players)], view.seat_to_move
    if len(texts) < 2:
        raise IncompleteMoveError(say("Which of its cards did you get? take F3 E1, or take - for none"))
    words = texts[1].split()
    if words[:1] != ["take"]:
        raise MoveError(
            "illegal_move", say("{text!r}: say what you got, as in take F3 E1, or take -", text=texts[1])
        )
    played = {seat: play.card for seat, play in shown}
    got = mask(_cards_got(view, [word for word in words[1:] if word != "-"], played.values()))
    piles = list(view.piles)
    piles[view.seat] |= got
    if taker in played:
        piles[taker] |= 1 << played[taker]
    gone = view.past.discarded | mask((*played.values(), *view.numbers("gone")))
    for pile in piles:
        gone &= ~pile
    own = {deck.code(card) for seat, card in played.items() if seat == view.seat}
    changes = {
        "hand": [card for card in view.hand if card not in own],
        "won": _piles(deck, piles),
        "leader": taker,
        "trick": (),
        "gone": deck.codes(members(gone)),
        "voids": voids_now(view, shown),
    }
    fields = view.fields("removed", "as_played", "seat", *NOTHING_TOLD)
    return remembered_as(Round, fields | changes, " ".join(texts))


def _play_of(view: Round, text: str) -> Play:
    move = parse(view.full_deck, text)
    if isinstance(move, Taking):
        raise MoveError("illegal_move", say("{text}: a card is expected, as it was played", text=text))
    return move


def _cards_got(view: Round, codes: Sequence[str], played: Iterable[int]) -> Iterator[int]:
    """The cards that the player got from a trick. Raises MoveError for one that can't have been in it."""
    possible = view.unseen | mask(played)
    for code in codes:
        card = card_named(view.full_deck, code)
        if not possible >> card & 1:
            raise MoveError("illegal_move", say("{card} can't have been in this trick", card=code))
        yield card


def _observed(view: Round, text: str) -> Round:
    moves.check_goes_on(view)
    seat, deck = view.seat_to_move, view.full_deck
    text, anyway = split_anyway(text)
    if anyway:
        return _after_anyway(view, _move_of(view, text))
    if seat == view.seat:
        return _after_move(view, parse_move(view, text))
    move = _move_of(view, text)
    if view.trick_is_full:
        if move not in takings(deck, view.plays):
            raise MoveError("illegal_move", _wrong_taking(view, move))
    elif isinstance(move, Taking):
        raise MoveError("illegal_move", _nothing_to_take(seat))
    else:
        moves.check_hidden(view, seat, move.card)
    return _after_move(view, move)


def _after_anyway(view: Round, move: Move) -> Round:
    """The view after a play or a taking that may be against the rules. Raises MoveError if it is impossible."""
    seat, deck = view.seat_to_move, view.full_deck
    if view.trick_is_full:
        if isinstance(move, Play):
            raise MoveError("illegal_move", _wrong_taking(view, move))
        why = impossible_taking(deck, view.leader, view.plays, move)
        if why is not None:
            raise MoveError("illegal_move", why)
        return _after_move(view, move, moves.with_anyway(view, seat, [deck.code(view.plays[0].card)]))
    if isinstance(move, Taking):
        raise MoveError("illegal_move", _nothing_to_take(seat))
    if seat != view.seat:
        moves.check_hidden(view, seat, move.card, anyway=True)
    elif not view.hand_mask >> move.card & 1:
        raise MoveError("illegal_move", _why_not(view, move, legal_moves(view)))
    return _after_move(view, move, moves.with_anyway(view, seat, [deck.code(move.card)]))


def _wrong_taking(view: Round, move: Play | Taking) -> str:
    deck = view.full_deck
    first = move_text(deck, takings(deck, view.plays)[0])
    return say(
        "the trick is full: {seat:who} {seat:takes|take}, as in {first}, and not {move}",
        seat=view.seat_to_move,
        first=first,
        move=move_text(deck, move),
    )


def _after_move(view: Round, move: Move, more: Mapping[str, Any] | None = None) -> Round:
    deck, changes = view.full_deck, _changes(view, view.history, move) | dict(more or {})
    if isinstance(move, Play):
        changes["hand"] = tuple(card for card in view.hand if card != deck.code(move.card))
    seen = moves.seen if more is None else moves.seen_anyway
    return seen(view, move_text(deck, move), changes)


def possible(position: BaseModel) -> Sequence[str]:
    """The texts of all moves that the seat to move could make, given a view.

    For the view's own seat these are its legal moves.
    """
    view = as_view(position)
    if view.seat_to_move == view.seat:
        return [format_move(view, move) for move in legal_moves(view)]
    deck = view.full_deck
    if view.trick_is_full:
        return [move_text(deck, move) for move in takings(deck, view.plays)]
    return [play_text(deck, play) for play in moves.possible_plays(view, plays(deck, view.unseen))]


# ----------------------------------------------------------------------------------------------------
# Records: finished rounds, and matches of up to three, as users send them, validated.


class FinishedRound(Model):
    """A finished round: the cards that each seat has won, including the one picked before the first trick."""

    won: Hands


class KingRecord(Model):
    """The rounds of a match so far, in order; a single round is a list of one.

    All have the same number of players.
    """

    game: Literal["king"]
    deck: DeckField = "house"
    rounds: Annotated[tuple[FinishedRound, ...], Field(min_length=1, max_length=ROUNDS, fail_fast=True)]

    @property
    def full_deck(self) -> Deck:
        """The deck that the field `deck` names or contains."""
        return deck_of(KIND, self.deck)

    @property
    def players(self) -> int:
        return len(self.rounds[0].won)

    def piles(self, number: int) -> Masks:
        """The cards that each seat won in round `number` (from 0), as masks."""
        return tuple(mask(pile) for pile in piles_at(self.full_deck, self.rounds[number].won, "won"))

    @model_validator(mode="after")
    def _check(self) -> Self:
        for number, played in enumerate(self.rounds):
            path = f"rounds[{number}].won"
            if len(played.won) != self.players:
                message = say(
                    "round 1 had {players} players, this one has {count}",
                    players=self.players,
                    count=len(played.won),
                )
                raise fault("wrong_size", message, path)
            piles = piles_at(self.full_deck, played.won, path)
            refuse_doubles(spread(path, piles), self.full_deck.code)
            self._check_sizes(piles, path)
        return self

    def _check_sizes(self, piles: tuple[tuple[int, ...], ...], path: str) -> None:
        """Raise a fault for piles of impossible sizes.

        Each seat has its picked card, and each trick adds a card to the piles, or up to all of its cards.
        """
        for seat, pile in enumerate(piles):
            if not pile:
                raise fault(
                    "missing_card",
                    say("{seat:who} {seat:has|have} won the card that {seat:it|you} picked, at least", seat=seat),
                    f"{path}[{seat}]",
                )
        players, tricks = self.players, TRICKS[self.players]
        least, most = players + tricks, players * (1 + tricks)
        count = sum(map(len, piles))
        if not least <= count <= most:
            message = say(
                "{players} players win {least} to {most} cards in a round, picks included, not {count}",
                players=players,
                least=least,
                most=most,
                count=count,
            )
            raise fault("wrong_size", message, path)


class KingSheet(Sheet):
    """A score sheet of King × Alchemy: the points of each round."""

    game: Literal["king"]

    seats: ClassVar[tuple[int, int]] = PLAYERS
    match_rounds: ClassVar[int | None] = ROUNDS


Record = with_sheet(KingRecord, KingSheet)


# ----------------------------------------------------------------------------------------------------
# `score`: a round, or a match of three; equal totals share the win.


class Earned(Answer):
    """A seat's score in a round: the points of the cards won, and the bonuses of the best recipes.

    `bounds`, the least and the most that the total can be, are set only if the limit was reached before the best
    was proved; the other fields are then the best found.
    """

    seat: int
    vp: int
    bonus: int
    total: int
    recipes: tuple[MadeRecipe, ...]
    bounds: tuple[int, int] | None = None

    def one_line(self) -> str:
        items = one_after_another(
            say(
                "{item} {bonus} ({card} of {uses})",
                item=translated(recipe.item), bonus=recipe.bonus, card=recipe.card, uses=" ".join(recipe.uses),
            )
            for recipe in self.recipes
        )  # fmt: skip
        total = f"{self.total} = {self.vp} + {self.bonus}"
        if self.bounds is not None:
            total = say("{low} to {high}, found {total}", low=self.bounds[0], high=self.bounds[1], total=total)
        return say("seat {seat}: {made}", seat=self.seat, made=f"{total}: {items}" if items else total)


class KingScore(MatchScore):
    """The points of each round and in total, by seat; `earned` adds the recipes made.

    `winners` has the seat with the highest total, or all seats that tie for it; it is None until the third round
    is over.
    `exact` is False if the limit was reached before everything was proved: then points are the best found, and
    there are no winners.
    """

    exact: bool = True
    earned: tuple[tuple[Earned, ...], ...]


AnyScore = KingScore | SheetScore


def earned(deck: Deck, seat: int, pile: int, control: Control) -> Earned:
    """Score a seat's pile (a mask), compounded as well as possible within the control's limit."""
    from solver.games.king.compounding import best_within

    best, most = best_within(deck, members(pile), control)
    open_end = {} if best.total == most else {"bounds": (best.total, most)}
    return Earned(seat=seat, vp=best.vp, bonus=best.bonus, total=best.total, recipes=best.recipes, **open_end)


def score(record: BaseModel, control: Control) -> KingScore | SheetScore:
    """Score a record (see `record_score`) or a score sheet."""
    if isinstance(record, KingSheet):
        return sheet_score("king", record)
    assert isinstance(record, KingRecord)
    return record_score(record, control)


def record_score(record: KingRecord, control: Control) -> KingScore:
    """Score a record, with every pile compounded as well as possible within the control's limit."""
    deck = record.full_deck
    by_round = tuple(
        tuple(earned(deck, seat, pile, control) for seat, pile in enumerate(record.piles(number)))
        for number in range(len(record.rounds))
    )
    rounds = tuple(tuple(seat.total for seat in played) for played in by_round)
    totals = totals_of(rounds)
    finished = len(rounds) == ROUNDS
    exact = all(seat.bounds is None for played in by_round for seat in played)
    return KingScore(
        game="king",
        rounds=rounds,
        totals=totals,
        winners=leaders_of(totals) if finished and exact else None,
        finished=finished,
        **({} if exact else {"exact": False}),
        earned=by_round,
    )


# ----------------------------------------------------------------------------------------------------
# King × Alchemy round by round: three rounds; the winner of a round's last trick leads the next.


class KingInPlay(MatchInPlay):
    """A round in play, beginning with the picks. Picks are simultaneous: each stays hidden until all are made."""

    def announcement(self, move: str) -> str:
        if as_round(self.position).choosing:
            return say("picks a card")
        after = as_round(self.play(move).position)
        if not after.trick_is_full:
            return move
        return say("{move}; the trick goes to {seat:who}", move=move, seat=after.seat_to_move)

    def winner(self, after: RoundInPlay) -> int | None:
        return as_round(after.position).leader

    def secret(self, move: str) -> bool:
        return as_round(self.position).choosing

    def revealed(self, move: str, now: RoundInPlay) -> str | None:
        return None if as_round(now.position).choosing else say("picks {card}", card=move)

    def seen(self, seat: int) -> BaseModel | None:
        position = as_round(self.position)
        if position.choosing and position.picked[seat]:
            return None
        return super().seen(seat)

    def cards(self) -> list[dict[str, str]]:
        return as_king(self.position).full_deck.rows()


class KingPlaying(TrickPlaying):
    """Plays rounds and matches of King × Alchemy."""

    in_play = KingInPlay
    usual = "unpicked"
    match_rounds = ROUNDS

    def first_leader(self, dealt: Any, before: Sequence[RoundInPlay]) -> int:
        return _end(before[-1]).leader if before else super().first_leader(dealt, before)

    def standing(self, before: Sequence[RoundInPlay]) -> Mapping[str, Any]:
        return standing(record_score(self.record(before), Control()).rounds if before else ())

    def record(self, rounds: Sequence[RoundInPlay]) -> KingRecord:
        ends = list(map(_end, rounds))
        return KingRecord(game="king", deck=ends[0].deck, rounds=tuple(FinishedRound(won=end.won) for end in ends))

    def next_leader(self, end: Any) -> Mapping[str, int]:
        return {"leader": end.leader}

    def own_score(self, view: BaseModel) -> int:
        """The final points of the seat of a view, at the end of a round."""
        view = as_round(view)
        return earned(view.full_deck, view.seat, view.piles[view.seat], Control()).total

    def standings(self, position: BaseModel) -> Sequence[int] | None:
        now = as_round(position)
        if getattr(now, "gone", None) or getattr(now, "forgotten", 0):
            return None
        return [earned(now.full_deck, seat, pile, Control()).total for seat, pile in enumerate(now.piles)]

    def summary(self, rounds: Sequence[RoundInPlay], you: int | None) -> list[str]:
        record = self.record(rounds[-1:])
        [last] = record_score(record, Control()).earned
        sentences_told = [
            sentences(making(earning, you), *unmade(record.full_deck, pile, earning))
            for earning, pile in zip(last, record.piles(0), strict=True)
            if earning.recipes or earning.seat == you
        ]
        return [*super().summary(rounds, you), *sentences_told]


def unmade(deck: Deck, pile: int, earned: Earned) -> list[str]:
    """Say which recipes a pile (a mask) has all cards for, but were not made beside the others."""
    if earned.bounds is not None:
        return []
    from solver.games.king.compounding import carriers_of

    carriers = {recipe.card for recipe in earned.recipes}
    items = [
        say("{item} +{bonus}", item=translated(card.recipe.item), bonus=card.recipe.bonus)
        for card in map(deck.cards.__getitem__, carriers_of(deck, [*members(pile)]))
        if card.recipe and card.code not in carriers
    ]
    if not items:
        return []
    return [say("Not counted: {items}, since each card serves only once.", items=one_after_another(items))]


def making(earned: Earned, you: int | None) -> str:
    """Return a sentence that says what a seat made from its cards; `you` is the reader's own seat."""
    if not earned.recipes:
        return say_many(
            "You have {count} point from cards, and completed no recipe.",
            "You have {count} points from cards, and completed no recipe.",
            earned.vp,
        )
    items = one_after_another(
        say("{item} +{bonus} ({card} with {uses})",
            item=translated(way.item), card=way.card, uses=one_after_another(way.uses), bonus=way.bonus)
        for way in earned.recipes
    )  # fmt: skip
    if earned.bounds is not None:
        items = say("{items}, the best that was found in time", items=items)
    if earned.seat == you:
        return say_many(
            "You have {count} point from cards, and made {items}.",
            "You have {count} points from cards, and made {items}.",
            earned.vp,
            items=items,
        )
    return say_many(
        "{seat:Who} {seat:has|have} {count} point from cards, and made {items}.",
        "{seat:Who} {seat:has|have} {count} points from cards, and made {items}.",
        earned.vp,
        seat=earned.seat,
        items=items,
    )


def _end(played: RoundInPlay) -> Round:
    return as_round(played.position)
