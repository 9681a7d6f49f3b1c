"""King × Alchemy as one player sees it, growing: picks that are turned up, cards played, cards taken and given."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from solver.common.masks import mask, members
from solver.games.king.cards.rules import Play, Taking, gains, plays, takings
from solver.games.king.cards.text import card_of, move_text, parse, play_text
from solver.games.king.positions.fields import FinishedTrick, cards_at
from solver.games.king.positions.known import View
from solver.games.king.positions.moves import as_view, format_move, legal_moves, parse_move
from solver.games.king.positions.picks import PickView
from solver.inputs.errors import MoveError
from solver.tricks.observing import check_goes_on, check_hidden, possible_plays, seen


def observe(position: BaseModel, texts: Sequence[str]) -> tuple[View, int]:
    """A view after the first of `texts` was seen: a play (``D:F``), or what the winner of a trick took and gave.

    Before the first trick it is as many texts as there are players, since all pick at once: the own card, then
    those of the other seats to the left. Returns how many texts it was. Raises MoveError for what cannot have
    happened.
    """
    view = as_view(position)
    if isinstance(view, PickView):
        return _picked(view, texts[: view.players]), view.players
    return _observed(view, texts[0]), 1


def _picked(view: PickView, texts: Sequence[str]) -> View:
    """The round as it begins once all have picked."""
    deck, players = view.full_deck, view.players
    seats = [(view.seat + step) % players for step in range(players)]
    if len(texts) < players:
        waiting = ", ".join(map(str, seats[len(texts) :]))
        message = f"all pick at once: after the own pick give those that are turned up, of the seats {waiting}"
        raise MoveError("incomplete_move", message)
    own = format_move(view, parse_move(view, texts[0]))
    won, open_cards = {view.seat: (own,)}, view.unseen
    for seat, text in zip(seats[1:], texts[1:], strict=True):
        card = card_of(deck, text.strip())
        if isinstance(card, str):
            raise MoveError("illegal_move", card)
        if not open_cards >> card & 1:
            raise MoveError("illegal_move", f"seat {seat} cannot have picked {deck.code(card)}: it is elsewhere")
        open_cards &= ~(1 << card)
        won[seat] = (deck.cards[card].code,)
    return View(
        game="king",
        deck=view.deck,
        rules=view.rules,
        **view.told_of_match,
        seat=view.seat,
        hand=tuple(card for card in view.hand if card != own),
        won=tuple(won[seat] for seat in range(players)),
        removed=view.removed,
        leader=view.leader,
    )


def _observed(view: View, text: str) -> View:
    """The view after a play or a taking."""
    check_goes_on(view)
    seat, deck = view.seat_to_move, view.full_deck
    if seat == view.seat:
        move = parse_move(view, text)
        return _after_taking(view, move) if isinstance(move, Taking) else _after_play(view, move)
    move = parse(deck, text)
    if view.trick_is_full:
        if move not in takings(deck, view.plays):
            raise MoveError("illegal_move", _wrong_taking(view, move))
        assert isinstance(move, Taking)
        return _after_taking(view, move)
    if isinstance(move, Taking):
        raise MoveError("illegal_move", f"nothing is to be taken: seat {seat} is to play a card")
    check_hidden(view, seat, move.card)
    return _after_play(view, move)


def _wrong_taking(view: View, move: Play | Taking) -> str:
    deck = view.full_deck
    first = move_text(deck, takings(deck, view.plays)[0])
    return f"the trick is full: seat {view.seat_to_move} takes, as in {first}, and not {move_text(deck, move)}"


def _after_play(view: View, move: Play) -> View:
    deck = view.full_deck
    text = play_text(deck, move)
    hand = tuple(card for card in view.hand if card != deck.cards[move.card].code)
    return seen(view, text, {"hand": hand, "trick": (*view.trick, text)})


def _after_taking(view: View, move: Taking) -> View:
    deck = view.full_deck
    won = [list(pile) for pile in view.won]
    for receiver, gained in gains(deck, view.leader, view.plays, move):
        won[receiver] += deck.codes(members(gained))
    given = None if move.given is None else deck.cards[move.given].code
    finished = FinishedTrick(
        leader=view.leader, cards=view.trick, taken=tuple(deck.codes(move.taken)), given=given
    )
    piles = tuple(tuple(deck.codes(members(mask(cards_at(deck, pile, "won"))))) for pile in won)
    changes = {"leader": view.seat_to_move, "trick": (), "won": piles, "history": (*view.history, finished)}
    return seen(view, move_text(deck, move), changes)


def possible(position: BaseModel) -> Sequence[str]:
    """What the seat to move could be doing: the own legal moves, or the plays or takings there can be."""
    view = as_view(position)
    if isinstance(view, PickView) or view.seat_to_move == view.seat:
        return [format_move(view, move) for move in legal_moves(view)]
    deck = view.full_deck
    if view.trick_is_full:
        return [move_text(deck, move) for move in takings(deck, view.plays)]
    return [play_text(deck, play) for play in possible_plays(view, plays(deck, view.unseen))]
