"""What the protocol `solver.game.Game` promises, for every registered game, over random rounds.

Nothing here knows a game: positions come from its deals, and from there by random legal moves.
"""

from __future__ import annotations

import json
import re
from functools import cache, partial
from itertools import pairwise
from typing import Any

import pytest
from pydantic import BaseModel

from solver import registry
from solver.answers import Analysis, MoveValue
from solver.common import Random
from solver.errors import MoveError, RequestError
from solver.language import LANGUAGES, speaking
from solver.limits import Control, Limit
from solver.positions import parse_position, parse_record, position_data
from solver.registry import game_of
from solver.rounds_in_play import playing_of
from tests.support.rounds import (
    CASES,
    SEEDS,
    Case,
    each_case,
    each_game,
    endings,
    models,
    playout,
    positions,
    short,
    texts,
    views,
)
from tests.support.search_checks import check_bounds, text_of, within

LIMITS = (1, 40, 2000)


@each_game
def test_every_game_is_dealt(name: str) -> None:
    assert name in {case.name for case in CASES}


@each_case
def test_deals_are_repeated_and_differ(case: Case) -> None:
    assert case.deal(5) == case.deal(5)
    assert case.deal(5) != case.deal(6)
    other = case.game.deal(5, number=1, players=case.players, variant=case.variant)
    assert other != case.deal(5)


@each_game
def test_what_is_not_dealt_is_refused(name: str) -> None:
    game = registry.game(name)
    with pytest.raises(RequestError) as found:
        game.deal(1, players=99)
    assert found.value.path == "players"
    if game.variants:
        with pytest.raises(RequestError) as found:
            game.deal(1, variant="nonsense")
        assert found.value.path == "variant"


@each_case
def test_moves_are_read_back_from_their_texts(case: Case) -> None:
    game = case.game
    for position in (*positions(case), *views(case)):
        moves = list(game.legal_moves(position))
        written = texts(position)
        assert len(set(moves)) == len(set(written)) == len(moves)
        assert [game.parse_move(position, text) for text in written] == moves


@each_case
def test_the_order_of_moves_does_not_depend_on_how_cards_are_listed(case: Case) -> None:
    for position in filter(texts, positions(case)):  # a lost solitaire cannot be sent
        data = position_data(position)
        for key in ("hand", "line"):
            if isinstance(data.get(key), list):
                data[key].reverse()
        for hand in data.get("hands", ()):
            hand.reverse()
        assert texts(parse_position(data)) == texts(position)


@each_case
def test_what_is_played_is_a_position_again(case: Case) -> None:
    for seed in SEEDS:
        for before, after in list(pairwise(playout(case, seed)))[::-3]:
            assert after != before
            read = parse_position(position_data(after)) if case.game.legal_moves(after) else after
            assert position_data(read) == position_data(after)
            assert texts(read) == texts(after)


@each_case
def test_an_illegal_move_is_refused_with_a_reason(case: Case) -> None:
    game = case.game
    foreign = {
        text: move
        for seed in SEEDS
        for one in playout(case, seed)
        for text, move in zip(texts(one), game.legal_moves(one), strict=True)
    }
    refused = []
    for position in positions(case):
        legal = set(texts(position))
        others = [text for text in foreign if text not in legal][:5]
        for text in (*others, "nonsense", ""):
            try:
                move = game.parse_move(position, text)
            except MoveError as found:
                refused.append(found)
            else:
                assert game.format_move(position, move) in legal  # another way to write a legal move
        for text in others:
            with pytest.raises((MoveError, RequestError)):
                game.play(position, foreign[text])
    assert refused
    assert all(found.code and len(found.message) > 5 for found in refused)


@each_case
def test_a_view_hides_the_cards_of_others(case: Case) -> None:
    """The same view comes of every layout of the cards that its seat does not see."""
    game, random = case.game, Random(9)
    position = case.deal(4)
    data = position_data(position)
    for seat in range(len(data.get("hands", [0]))):
        view = game.view(position, seat)
        seen = position_data(view)
        if "hint" not in game.asks(view) or view == position:
            continue
        assert not {"hands", "stock"} & set(seen)
        for _ in range(3):
            other = _relaid(data, seat, random)
            assert other != data
            assert game.view(parse_position(other), seat) == view


def _relaid(data: dict[str, Any], seat: int, random: Random) -> dict[str, Any]:
    """The position with the cards that `seat` does not see dealt anew to the same places."""
    hands, stock = data.get("hands", []), data.get("stock", [])
    hidden = [card for other, hand in enumerate(hands) if other != seat for card in hand] + stock
    random.shuffle(hidden)
    laid = iter(hidden)
    new = {
        "hands": [hand if other == seat else [next(laid) for _ in hand] for other, hand in enumerate(hands)],
        "stock": [next(laid) for _ in stock],
    }
    return data | {key: value for key, value in new.items() if key in data}


@each_case
def test_what_cannot_be_asked_is_refused(case: Case) -> None:
    game = case.game
    for position in (*positions(case), *views(case)):
        asks = game.asks(position)
        questions = {"analyze": game.analyze, "hint": game.hint}
        for ask, question in questions.items():
            if ask not in asks:
                with pytest.raises(RequestError) as found:
                    question(position, Control(Limit(nodes=1)))
                assert found.value.message


@cache
def analyzed(case: Case) -> list[tuple[BaseModel, str | None, Any]]:
    """Endings with each model and the exact answer."""
    return [
        (position, model, case.game.analyze(position, Control(), model=model))
        for position in endings(case)
        for model in models(case)
    ]


@each_case
def test_an_analysis_has_every_move_once_and_the_best_first(case: Case) -> None:
    for position, _, answer in analyzed(case):
        assert isinstance(answer, case.game.analysis_type)
        assert answer.exact
        moves = [entry.move for entry in answer.moves]
        order = texts(position)
        assert sorted(moves) == sorted(order)
        assert answer.best == (moves[0] if moves else None)
        for one, other in pairwise(answer.moves):
            if _worth(one) == _worth(other):
                assert order.index(one.move) < order.index(other.move)
        if moves and isinstance(answer.moves[0], MoveValue):
            assert answer.value == answer.moves[0].value
            assert answer.bounds == (answer.value, answer.value)
        _check_line(position, answer)


def _worth(entry: BaseModel) -> dict[str, Any]:
    return entry.model_dump(exclude={"move", "used"})


def _check_line(position: BaseModel, answer: Analysis) -> None:
    """The line begins with the best move, and is legal by the rules alone."""
    game = game_of(position)
    if answer.line:
        assert answer.line[0] == answer.best
    for text in answer.line:
        move = game.parse_move(position, text)
        if not _playable(position):
            return
        position = game.play(position, move)


def _playable(position: BaseModel) -> bool:
    """Whether positions of this kind are played on: a puzzle is not."""
    game = game_of(position)
    try:
        game.play(position, game.legal_moves(position)[0])
    except RequestError:
        return False
    return True


@each_case
def test_a_move_is_worth_what_the_position_after_it_is(case: Case) -> None:
    game = case.game
    for position, model, answer in analyzed(case):
        if not answer.moves or not _playable(position):
            continue
        for entry in answer.moves[:6]:
            after = game.play(position, game.parse_move(position, entry.move))
            if "analyze" not in game.asks(after):
                continue  # an exchange of a duel is solved as a whole
            player = None if model is None else answer.player
            low, high = game.analyze(after, short(), model=model, player=player).bounds
            assert within(low, entry.value, high)


@each_case
def test_a_limit_of_nodes_gives_bounds_that_hold(case: Case) -> None:
    for position, model, _ in analyzed(case):
        if case.game.legal_moves(position):
            ask = partial(case.game.analyze, position, model=model)
            check_bounds(ask, LIMITS, tighten=False, over=1 << 30)


@each_case
def test_a_hint_is_the_same_for_the_same_seed_and_nodes(case: Case) -> None:
    game = case.game
    for view in views(case)[:9:3]:
        limit = Limit(nodes=300)
        answer = game.hint(view, Control(limit), seed=3)
        assert isinstance(answer, game.hint_type)
        assert text_of(game.hint(view, Control(limit), seed=3)) == text_of(answer)
        assert sorted(entry.move for entry in answer.moves) == sorted(texts(view))
        assert answer.best == answer.moves[0].move
        assert answer.reason.endswith(".")
        told = json.loads(answer.to_json())
        assert told["sure"] in ("clear", "slight", "close", "only", None)
        assert (told["sure"] == "only") == (len(answer.moves) == 1)
        assert len(told["causes"]) <= 2
        assert all(cause["code"].isidentifier() and None not in cause.values() for cause in told["causes"])
        assert game.hint(view, Control(limit), seed=3, worlds=2).worlds <= 2


@each_case
def test_positions_are_described(case: Case) -> None:
    for position in (*positions(case), *views(case)):
        rows = case.game.describe(position)
        assert rows
        assert all(label and isinstance(text, str) for label, text in rows)


@each_case
def test_rounds_played_out_have_a_score(case: Case) -> None:
    game, random = case.game, Random(8)
    table = playing_of(game).opening(3, number=0, players=case.players, variant=case.variant, before=[])
    while table.to_move is not None:
        moves = table.moves()
        table = table.play(moves[random.below(len(moves))])
    record = playing_of(game).record([table])
    score = game.score(record)
    assert isinstance(score, game.score_type)
    assert game.score(parse_record(position_data(record))) == score


@each_game
def test_rules_are_written(name: str) -> None:
    rules = registry.game(name).rules()
    assert rules.startswith("# ")
    assert len(rules) > 500


@each_game
def test_rules_in_each_language_have_the_same_headings_tables_and_codes(name: str) -> None:
    def codes(text: str) -> tuple[list[str], int, set[str]]:
        return re.findall(r"^#+", text, re.MULTILINE), text.count("\n|"), set(re.findall(r"`[^`]+`", text))

    game = registry.game(name)
    for for_players in (False, True):
        english = game.rules(for_players=for_players)
        for language in LANGUAGES[1:]:
            with speaking(language):
                found = game.rules(for_players=for_players)
            assert found != english or not registry.is_own(name)  # guests may speak English alone
            assert codes(found) == codes(english)


@each_game
def test_rules_for_players_name_no_keys_or_commands(name: str) -> None:
    for language in LANGUAGES:
        with speaking(language):
            whole, found = registry.game(name).rules(), registry.game(name).rules(for_players=True)
        assert "<!--" not in whole
        assert "<!--" not in found
        if registry.is_own(name):
            assert re.findall(r"`(?:\w+_\w+|athanor.*?|--.*?|.*\".*)`", found) == []
            assert re.findall(r"`(?:\w+_\w+|athanor.*?|--.*?|.*\".*)`", whole)
