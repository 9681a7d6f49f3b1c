"""Routes that need no search: games, rules, decks, files as text, puzzles as data."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from functools import cache, lru_cache, partial

from flask import Blueprint, Response, request

import athanor
import athanor.table
from api.bodies import BYTES, TOML, check_type, read_as_search, read_puzzles, read_query, read_text, unread
from api.config import Config
from api.errors import NotFoundError
from api.models import (
    MOST_LISTED,
    FileQuery,
    GameInfo,
    Games,
    NextPuzzleQuery,
    PuzzleFileQuery,
    PuzzleInfo,
    PuzzleQuery,
    Puzzles,
    ReadFile,
    Rules,
    SeriesInfo,
    decks_of,
)
from api.puzzle_lists import listed, listing, puzzle_info
from api.readiness import Readiness
from api.responses import CODINGS, JSON, File, json_response, sent
from api.search_pool import SearchPool
from api.searches import list_puzzles, read_deck
from api.streams import as_search
from athanor.questions import kind_of
from puzzles import training
from puzzles.format import Puzzle
from puzzles.rating import Rating
from solver import decks, registry
from solver.codec import unquoted
from solver.errors import PositionError, RequestError
from solver.language import LANGUAGES, language, say, speaking, translated
from solver.rounds_in_play import playing_of
from solver.texts import Read
from solver.validation import with_names


def blueprint(config: Config, searches: SearchPool, readiness: Readiness) -> Blueprint:
    """The routes that need no search, except to read long files. A request for a game's cards moves the game to
    the front of the loading queue. Raises RequestError if the file of votes cannot be read.
    """
    opinions = _opinions(config)
    routes = Blueprint("games", __name__)

    @routes.get("/v1/games")
    def games() -> Response:
        return json_response(Games(games=tuple(game_info(name) for name in athanor.games())))

    @routes.get("/v1/rules/<name>")
    def rules(name: str) -> Response:
        try:
            game = athanor.game(name)
        except RequestError as error:
            raise NotFoundError.of(error.faults) from None
        accepted = request.accept_mimetypes.best_match(["application/json", "text/markdown"])
        if accepted == "text/markdown":
            return Response(game.rules(), content_type="text/markdown; charset=utf-8")
        return json_response(Rules(game=name, rules=game.rules(), for_players=game.rules(for_players=True)))

    @routes.get("/v1/decks")
    def deck_catalogue() -> Response:
        return json_response(decks_of(decks.catalogue()))

    @routes.post("/v1/decks")
    def deck_file() -> Response:
        check_type(request, TOML)
        text, name = read_text(request), decks.name_from(read_query(FileQuery).name or "")
        reading = partial(read_deck, str(text), name)
        try:
            return json_response(read_as_search(reading, len(text), partial(as_search, config, searches)))
        except PositionError as error:
            if error.code in ("invalid_toml", "too_large"):
                raise unread(error) from None
            raise

    @routes.post("/v1/text")
    def text_file() -> Response:
        check_type(request, BYTES)
        text = read_text(request)
        kind, names = kind_of(text, read_query(FileQuery).name or ""), text.names
        if kind == "position" and not text.lstrip().startswith("{"):
            text = Read(unquoted(text))
        return json_response(ReadFile(text=text, kind=kind, guessed=names))

    @routes.get("/v1/puzzles")
    def collection() -> Response:
        return sent(_chosen(read_query(PuzzleQuery), opinions), "no-cache")

    @routes.get("/v1/puzzles/next")
    def next_puzzle() -> Response:
        query = read_query(NextPuzzleQuery)
        puzzles = {puzzle.id: puzzle for puzzle in _matching(query, opinions)}
        skipped = dict.fromkeys(query.skip.split(","), _SEEN)
        seen = training.Standing(new=Rating(query.rating, 0.0), puzzles=skipped, liked=opinions.liked)
        name = training.next_puzzle(training.listed(puzzles), seen, datetime.now(UTC))
        return json_response(listed([puzzles[name]] if name else [], solutions=query.solutions))

    @routes.post("/v1/puzzles")
    def puzzle_file() -> Response:
        read_query(PuzzleFileQuery)
        return json_response(read_puzzles(list_puzzles, partial(as_search, config, searches)))

    return routes


def game_info(name: str) -> GameInfo:
    """Return a game's entry in the list of games."""
    game = registry.game(name)
    return GameInfo(
        name=name,
        title=translated(game.title),
        players=game.players,
        variants=dict(game.variants),
        models=tuple(game.models),
        rules={option: translated(words) for option, words in game.options.items()},
        disputed=tuple(game.disputed),
        description=game.about and translated(game.about),
        rounds=playing_of(game).match_rounds,
        won_or_lost=game.race,
        levels=tuple(game.levels),
        has_card_faces=game.shows_cards,
        fields=tuple(game.fields),
        sides=tuple(game.sides),
    )


_SEEN = training.PuzzleState(training.NEW, solved=True)


def _opinions(config: Config) -> training.Standing:
    """Return what the operator's file of votes, if there is one, says about the puzzles."""
    return training.opinions(config.votes_file) if config.votes_file else training.Standing()


def _chosen(query: PuzzleQuery, opinions: training.Standing) -> File:
    """Return the requested puzzles: the one of a day, the one with an ID, or a page of the filtered ones.

    Raises RequestError if there is no such game or theme, or no puzzle `after`.
    """
    solutions = query.solutions
    puzzles = _matching(query, opinions)
    if query.day is not None:
        return _file(listed([training.daily(training.chosen(game=query.game), query.day)], solutions=solutions))
    if query.id is not None:
        chosen = [puzzle for puzzle in puzzles if puzzle.id == query.id]
        return _file(listed(chosen, solutions=solutions))
    if query.rating is not None:
        least, most = query.rating
        puzzles = [puzzle for puzzle in puzzles if least <= training.rating_of(puzzle).points <= most]
    ids = [puzzle.id for puzzle in puzzles]
    if query.after is not None:
        if query.after not in ids:
            raise RequestError("unknown_value", say("none of these puzzles is {id}", id=query.after), "after")
        ids = ids[ids.index(query.after) + 1 :]
    more = ids[query.limit - 1] if len(ids) > query.limit else None
    ids = ids[: query.limit]
    forward = tuple(round(opinions.vote_bonus(name)) for name in ids)
    return _page(tuple(ids), forward, more, solutions, str(language()))


def _matching(query: PuzzleQuery | NextPuzzleQuery, opinions: training.Standing) -> list[Puzzle]:
    """Return the puzzles of a game, question, theme, grade and series, in order.

    Raises RequestError if one of these is unknown.
    """
    if query.game is not None:
        registry.game(query.game)
    if query.theme is not None and query.theme not in training.themes():
        sentence = say("there is no theme {theme!r}", theme=query.theme)
        raise RequestError("unknown_value", with_names(sentence, query.theme, training.themes()), "theme")
    return training.matching(
        game=query.game,
        grade=query.grade,
        theme=query.theme,
        ask=query.ask,
        series=query.series,
        standing=opinions,
    )


@lru_cache(maxsize=100)
def _page(ids: tuple[str, ...], forward: tuple[int, ...], more: str | None, solutions: bool, spoken: str) -> File:
    """Return puzzles of the collection in a language, each with the points by which votes move it forward.

    Cached, and so without the names that one client has for the players.
    """
    with speaking(spoken):
        known = [
            info.model_copy(update={"vote_bonus": points}) if points else info
            for info, points in zip((_known(name, solutions, spoken) for name in ids), forward, strict=True)
        ]
        listed = listing(known, more)
        return _file(listed.model_copy(update={"series": _series_of(ids)}) if solutions else listed)


def _series_of(ids: Collection[str]) -> tuple[SeriesInfo, ...]:
    """Return the series that have one of these puzzles, in the current language."""
    return tuple(
        SeriesInfo(name=row.name, title=translated(row.title), lesson=translated(row.lesson), puzzles=row.puzzles)
        for row in training.all_series().values()
        if not set(row.puzzles).isdisjoint(ids)
    )


@cache
def _known(name: str, solutions: bool, spoken: str) -> PuzzleInfo:
    """Return a puzzle of the collection, in the current language, which is `spoken`. Many pages share it."""
    return puzzle_info(training.by_id()[name], solutions=solutions)


def collection_pieces(config: Config) -> list[Callable[[], object]]:
    """Functions that read the puzzles of the collection, and write and compress its list in each language.

    That takes a second or two, for which the first one who asks for puzzles need not wait.
    """
    opinions = _opinions(config)

    def list_in(spoken: str, coding: str) -> None:
        with speaking(spoken):  # as the page asks for it
            _chosen(PuzzleQuery(solutions=True, limit=MOST_LISTED), opinions).packed(coding)

    pieces: list[Callable[[], object]] = [partial(training.puzzles_of, path) for path in training.files()]
    return pieces + [partial(list_in, spoken, coding) for spoken in LANGUAGES for coding in CODINGS]


def _file(puzzles: Puzzles) -> File:
    return File(puzzles.to_json().encode(), JSON)
