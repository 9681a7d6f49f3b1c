"""Examples for the OpenAPI document: unfinished rounds of every game, which can be sent as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from athanor.sessions import Saved, Session
from puzzles.format import ASKS
from solver import registry
from solver.decks import kinds
from solver.errors import AthanorError
from solver.game import Game, is_open
from solver.positions import position_data

Examples = dict[str, dict[str, Any]]
_SEED = 1
_PLAYED = 9  # moves: in a game of four seats, the third trick has begun


def _deals() -> Iterator[tuple[str, str, str | None, Any, Any]]:
    """Yield, for a round of every game and variant, a key, the game, the variant, the position, and the view of
    the seat to move.
    """
    for name in registry.names():
        game = registry.game(name)
        for variant in game.variants or (None,):
            try:
                position = _played(game, game.deal(_SEED, variant=variant))
                view = game.view(position, _seat_to_move(position))
            except AthanorError:  # some variants cannot be dealt
                continue
            yield f"{name}-{variant}" if variant else name, name, variant, position, view


def _seat_to_move(position: Any) -> int:
    return int(getattr(position, "seat_to_move", 0))


def _played(game: Game, position: Any) -> Any:
    """Play the first legal move, up to `_PLAYED` times. Stops before a move that leaves no legal moves or changes
    the position's type.
    """
    for _ in range(_PLAYED):
        moves = game.legal_moves(position)
        if not moves:
            break
        try:
            after = game.play(position, moves[0])
        except AthanorError:  # play cannot continue from a duel's exchange
            break
        if type(after) is not type(position) or not game.legal_moves(after):
            break
        position = after
    return position


def analyses() -> Examples:
    """Example bodies for `/v1/analyze`."""
    return {
        key: {"summary": f"A round of {key}, every card known", "value": {"position": position_data(position)}}
        for key, name, _, position, _ in _deals()
        if "analyze" in registry.game(name).asks(position)
    }


def hints() -> Examples:
    """Example bodies for `/v1/hint`."""
    examples: Examples = {}
    for key, name, _, _, view in _deals():
        if "hint" in registry.game(name).asks(view):
            body = {"position": position_data(view), "limit": {"seconds": 2.0}}
            examples[key] = {"summary": f"A round of {key}, as the player to move sees it", "value": body}
    return examples


def batches() -> Examples:
    """Example bodies for `/v1/batch`: a hint and an analysis for a round of every game."""
    asked = [
        {"ask": ask, **example["value"]}
        for ask, of in (("hint", hints()), ("analyze", analyses()))
        for example in of.values()
    ]
    return {"deals": {"summary": "A hint and an analysis of each kind of round", "value": {"questions": asked}}}


def questions(ask: str) -> Examples:
    """Example bodies for the question `ask`, which only some games have."""
    asked = (registry.game(name).questions.get(ask) for name in registry.names())
    examples = {key: example for question in asked if question for key, example in question.examples.items()}
    return {key: {"summary": example.summary, "value": dict(example.body)} for key, example in examples.items()}


def deals() -> Examples:
    """Example bodies for `/v1/deal`."""
    examples: Examples = {}
    for key, name, variant, _, _ in _deals():
        body = {"game": name, "variant": variant, "seed": _SEED} if variant else {"game": name, "seed": _SEED}
        examples[key] = {"summary": f"A deal of {key}", "value": body}
    return examples


def cards() -> Examples:
    """Example bodies for `/v1/cards`: the games that show their cards."""
    names = [name for name in registry.names() if registry.game(name).places.get("cards")]
    return {name: {"summary": f"The cards of {name}", "value": {"game": name}} for name in names}


def decks() -> Examples:
    """Example bodies for `/v1/deck`: the games whose cards can be changed."""
    names = [kind.game for kind in kinds()]
    return {name: {"summary": f"The house deck of {name}", "value": {"game": name}} for name in names}


def positions() -> Examples:
    """Example bodies for `/v1/moves`: a round of every game, with every card known and as the seat to move sees
    it.
    """
    examples: Examples = {}
    for key, _, _, position, view in _deals():
        examples[key] = {"summary": f"A round of {key}", "value": {"position": position_data(position)}}
        examples[f"{key}-view"] = {
            "summary": f"A view of a round of {key}",
            "value": {"position": position_data(view)},
        }
    return examples


def plays() -> Examples:
    """Example bodies for `/v1/play`: the first legal move in a round of every game."""
    examples: Examples = {}
    for key, name, _, position, _ in _deals():
        game = registry.game(name)
        moves = game.legal_moves(position)
        if not moves:
            continue
        try:
            game.play(position, moves[0])
        except AthanorError:  # play cannot continue from a duel's exchange
            continue
        body = {"position": position_data(position), "moves": [game.format_move(position, moves[0])]}
        examples[key] = {"summary": f"A move in a round of {key}", "value": body}
    return examples


def jobs() -> Examples:
    """Example bodies for `/v1/jobs`: an analysis of a round of every game, many deals of every game, and all
    surveys.
    """
    asked = [example["value"]["position"] for example in analyses().values()]
    analysis = {"kind": "analyze", "questions": asked, "limit": {"nodes": 10_000}, "key": "my rounds"}
    dealt = [{"deals": 1_000, **example["value"]} for example in deals().values()]
    surveyed = [
        {"game": name, "survey": survey.name, "seed": _SEED}
        for name in registry.names()
        for survey in registry.game(name).surveys
        if survey.parts is not None
    ]
    return {
        "analyses": {"summary": "An analysis of each kind of round", "value": analysis},
        "deals": {"summary": "A thousand deals of each kind", "value": {"kind": "deal", "questions": dealt}},
        "surveys": {"summary": "Each survey", "value": {"kind": "survey", "questions": surveyed}},
    }


def matches() -> Examples:
    """Example bodies for `/v1/match`: a match of one round in every game, before the first move."""
    examples: Examples = {}
    for key, name, variant, _, _ in _deals():
        if registry.game(name).places.get("playing") is None:
            continue
        options = {"game": name, "seed": _SEED, "seconds": 0.3, "rounds": 1}
        body = {"match": {**options, "variant": variant} if variant in registry.game(name).variants else options}
        examples[key] = {"summary": f"A game of {key}", "value": body}
    return examples


def seats() -> Examples:
    """Example bodies for `/v1/view`: a round of every game, with the seat to move."""
    examples: Examples = {}
    for key, _, _, position, _ in _deals():
        seat = _seat_to_move(position)
        body = {"position": position_data(position), "seat": seat}
        examples[key] = {"summary": f"Seat {seat} of a round of {key}", "value": body}
    return examples


def hidden() -> Examples:
    """Example bodies for `/v1/worlds`: the view of the seat to move in every game that has hidden cards."""
    shown: Examples = {}
    for key, name, _, _, view in _deals():
        game = registry.game(name)
        if game.places["worlds"] and game.is_view(view) and not is_open(view):
            shown[key] = {"summary": f"Two deals of {key}", "value": {"position": position_data(view), "limit": 2}}
    return shown


def puzzle_file() -> dict[str, Any]:
    """An example body for `/v1/solve`: a puzzle from every game."""
    puzzles = []
    for key, name, _, position, _ in _deals():
        asks = registry.game(name).asks(position)
        ask = next((ask for ask in ASKS if ask in asks), None)
        if ask is not None:
            puzzles.append(
                {"id": key, "title": f"A round of {key}", "ask": ask, "position": position_data(position)}
            )
    return {"puzzle": puzzles}


def reviews() -> Examples:
    """Example bodies for `/v1/match/review`: matches after the first move, if that is the reviewed seat's."""
    examples: Examples = {}
    for key, example in matches().items():
        match = example["value"].get("match", example["value"])
        session = Session(Saved.model_validate(match))
        if session.round.to_move != session.seat:
            continue
        body = {"match": {**match, "moves": [[session.round.moves()[0]]]}, "limit": {"nodes": 1_000}}
        examples[key] = {"summary": f"A move in a game of {key}", "value": body}
    return examples
