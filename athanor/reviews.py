"""Reviews of games: how much each move lost, given what the player knew and in the actual deal."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Unpack
from zlib import crc32

from athanor.arguments import limit_of
from athanor.asking import Bounds, Help, OnlyHere, Search, Seed, Whole, question
from athanor.questions import warm
from solver.common import Random
from solver.errors import PositionError, RequestError
from solver.language import say, say_many
from solver.registry import game_of

if TYPE_CHECKING:
    from athanor.sessions import Saved, Session
    from puzzles.format import PuzzleFile
    from solver.limits import Limit, Progress, ProgressCallback
    from solver.reviewing import Account, Decided, Foreign, Judged, Review, ReviewedMove
    from solver.rounds_in_play import Round


SECONDS = 0.3  # for each question about a move, by default
_LONGER = 2  # times as long for the two questions that compare the move made with the hint's best


@question(here=True)
def review(
    game: Saved | Mapping[str, Any] | str | bytes,
    *,
    round: Annotated[int | None, Bounds(ge=1), Help("Only this round; the first is 1.")] = None,
    seat: Annotated[Whole | None, Help("Only the moves of this seat.")] = None,
    seed: Annotated[Seed, Help("Which hidden cards the hints sample."), OnlyHere()] = 0,
    model: Annotated[str | None, Help("How the others play in the analyses with every card known.")] = None,
    **search: Unpack[Search],
) -> Review:
    """Review a saved game: how much every decision lost, and how each seat's expected score changed.

    `game` is a game saved by `athanor play`, as text (one game) or as JSON. Each move is compared with the best
    one, first by a hint based on what its seat knew. Separately, it is judged with every card known: by an
    analysis of the position (where `model` says how the others play), and by a hint in the actual deal. Forced
    moves are left out; an unfinished round is reviewed up to its last move. Each of these searches may take
    `seconds` or `nodes`, or both as `limit`; by default 0.3 seconds. If the hint prefers another move, the two are
    compared for twice as long. With a limit of nodes only, the same `seed` gives the same review.

    `round` (from 1) and `seat` restrict the review. `progress` is called before each decision; another thread may
    set `cancel` to end the review.

    Raises PositionError for a game that cannot be read or that breaks the rules, RequestError for an unknown
    round, seat or model, and for a game without moves.
    """
    from athanor.sessions import Session

    limit = limit_of(search.get("limit"), search.get("seconds"), search.get("nodes"))
    if limit.seconds is None and limit.nodes is None:
        limit = limit_of(None, SECONDS, None)
    wish = Wish(limit, seed, model, round, seat)
    return review_of(Session(_saved(game)), wish, search.get("progress"), search.get("cancel"))


@dataclass(frozen=True, slots=True)
class Wish:
    """The options of a review: the limit of each question, the hints' seed, the model, and the moves to review."""

    limit: Limit
    seed: int = 0
    model: str | None = None
    round: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A move to review, given by its round and its number in that round (both from 1), with search options."""

    round_number: int
    number: int
    limit: Limit
    seed: int
    model: str | None

    def judged(self, session: Session, cancel: threading.Event | None, *, proving: bool = True) -> Judged:
        """Search for the best move, both with and without knowledge of the hidden cards.

        The results are a hint based on what the seat knew and, with every card known, an analysis (if `proving`)
        and a hint that judges only the best move and the move made. The samples by which a hint chooses a move
        overrate that move. So these two moves are compared once more, on other samples, by a second hint. Two
        moves alone get many more samples than all moves do, so their difference has a far smaller error.
        """
        from solver.limits import Control
        from solver.reviewing import Judged

        table = session.states(self.round_number - 1)[self.number - 1].by_points()
        move = session.moves_of(self.round_number - 1)[self.number - 1]
        hint = table.hint(Control(self.limit, cancel, compare=move), seed=self.seed)
        if cancel is not None and cancel.is_set():
            return Judged(hint)
        both = frozenset({move, hint.best or move})
        limit = self.limit if len(both) == 1 else _longer(self.limit)
        seeds = [Random(self.seed, stream).below(1 << 30) for stream in (1, 2)]
        truth = table.hint_in_truth(Control(limit, cancel, among=both), seed=seeds[0])
        again = None
        if not hint.exact and len(both) > 1:
            again = table.hint(Control(limit, cancel, compare=move, among=both), seed=seeds[1])
        analysis, known = None, table.known if proving else None
        if known is not None:
            with suppress(RequestError):  # for simultaneous moves, which some models don't value
                analysis = session.game.analyze(known, Control(self.limit, cancel), model=self.model)
        return Judged(hint, analysis, truth, again)


def _longer(limit: Limit) -> Limit:
    seconds, nodes = (bound and _LONGER * bound for bound in (limit.seconds, limit.nodes))
    return limit.model_copy(update={"seconds": seconds, "nodes": nodes})


@dataclass(frozen=True, slots=True)
class _Made:
    """A move that was made, the state of the round just before it, and the decision to review."""

    table: Round
    move: str
    decision: Decision


def review_of(
    session: Session,
    wish: Wish,
    progress: ProgressCallback | None = None,
    cancel: threading.Event | None = None,
) -> Review:
    """Like `review`, but for a game in progress."""
    wanted = decisions(session, wish)
    if wish.limit.seconds is not None:
        warm(session.game.name)
    judged: list[Judged] = []
    for step in progress_of(wanted):
        if progress is not None:
            progress(step)
        judgement = wanted[len(judged)].judged(session, cancel)
        if cancel is not None and cancel.is_set():
            break
        judged.append(judgement)
    return assembled(session, wish, judged)


def progress_of(wanted: Sequence[Decision]) -> Iterator[Progress]:
    """Yield the progress of a review before each of its decisions."""
    from solver.limits import Progress

    started = time.monotonic()
    for index in range(len(wanted)):
        stage = say("move {number} of {count}", number=index + 1, count=len(wanted))
        yield Progress(0, time.monotonic() - started, index / len(wanted), stage)


def decisions(session: Session, wish: Wish) -> list[Decision]:
    """Return the decisions to review. Raises RequestError for a seat, round or model that does not exist."""
    players = session.round.players
    if wish.seat is not None and not 0 <= wish.seat < players:
        raise RequestError(
            "out_of_range",
            say("there is no seat {seat}; seats are 0 to {last}", seat=wish.seat, last=players - 1),
            "seat",
        )
    begun = sum(len(states) > 1 for states in session.rounds())
    if wish.round is not None and not 1 <= wish.round <= begun:
        raise RequestError(
            "out_of_range",
            say_many(
                "there is no round {number}; {count} round was begun",
                "there is no round {number}; {count} rounds were begun",
                begun,
                number=wish.round,
            ),
            "round",
        )
    if not begun:
        raise RequestError("out_of_range", say("no move of this game was made yet"), "round")
    models = session.game.models
    if wish.model is not None and wish.model not in models:
        from solver.validation import with_names

        sentence = say("{model!r} is not a model of {game}", model=wish.model, game=session.game.name)
        raise RequestError("unknown_model", with_names(sentence, str(wish.model), models), "model")
    return [decided.decision for decided in _made(session, wish)]


def assembled(session: Session, wish: Wish, judged: Sequence[Judged]) -> Review:
    """Return the review, given what the search for each decision found, or for the first of them."""
    from solver.reviewing import Review, reviewed, totals

    decided = list(_made(session, wish))
    done: list[tuple[_Made, Judged, ReviewedMove]] = []
    for entry, judgement in zip(decided, judged, strict=False):
        number, round_number = entry.decision.number, entry.decision.round_number
        move = reviewed(
            entry.table, entry.move, judgement, number=number, round_number=round_number, text=_text(entry.table)
        )
        done.append((entry, judgement, move))
    moves, accounts = _accounted(session, done)
    ends = [states[-1].position for states in session.rounds()]
    notes = [sentence for end in ends if getattr(end, "as_played", None) for sentence in session.game.notes(end)]
    notes += dict.fromkeys(sentence for entry, _, _ in done for sentence in entry.table.revoked)
    begun = _begun(session, sorted({entry.decision.round_number for entry, _, _ in done}))
    if notes:
        notes.append(
            say(
                "Moves against the rules are not judged: what they changed is counted as luck or the others' part."
            )
        )
    notes += begun
    seats = sorted({move.seat for move in moves}) if wish.seat is None else [wish.seat]
    return Review(
        game=session.game.name,
        unit=session.round.unit,
        complete=len(done) == len(decided),
        seats=totals(moves, accounts, seats, session.round.unit),
        moves=tuple(moves),
        **({"notes": tuple(notes)} if notes else {}),
    )


def _begun(session: Session, numbers: Sequence[int]) -> list[str]:
    """Say of which of these rounds only the end is known, as some points had been made by then."""
    from solver.rounds_in_play import playing_of

    found = []
    for number in numbers:
        first = session.states(number - 1)[0]
        points = playing_of(session.game).standings(first.position) if first.unit == "lead" else None
        if points and any(points):
            made = "–".join(map(str, points))
            words = say("Round {number} is reviewed from {points} on: earlier moves are not known.",
                        number=number, points=made)  # fmt: skip
            found.append(words)
    return found


def _accounted(
    session: Session, done: Sequence[tuple[_Made, Judged, ReviewedMove]]
) -> tuple[list[ReviewedMove], list[tuple[int, Account | None]]]:
    """Divide each seat's score in each round among luck, the other players and the seat's own moves.

    Returns the moves with these parts filled in, and (seat, account) pairs.
    """
    from solver.reviewing import account

    own: dict[tuple[int, int], list[tuple[_Made, Judged, ReviewedMove]]] = {}
    for entry in done:
        own.setdefault((entry[2].round, entry[2].seat), []).append(entry)
    parts: dict[tuple[int, int], ReviewedMove] = {(move.round, move.number): move for _, _, move in done}
    accounts: list[tuple[int, Account | None]] = []
    for (number, seat), entries in own.items():
        states, events = session.states(number - 1), session.moves_of(number - 1)
        foreign = [
            (state, event) if _is_foreign(state, event, seat) else None
            for state, event in zip(states, events, strict=False)
        ]
        last = 0
        decided: list[Decided | None] = []
        for choice, judged, move in entries:
            decided.append(_decided(choice, judged, _others(foreign[last : move.number - 1])))
            last = move.number
        whole = [decision for decision in decided if decision is not None]
        unit = states[0].unit
        result = session.result(number - 1, seat)
        after = _others(foreign[last:])
        shares = account(whole, result, unit=unit, others=after) if len(whole) == len(decided) else None
        accounts.append((seat, shares))
        if shares is None:
            continue
        for (_, _, move), step, (luck, others) in zip(entries, whole, shares.steps, strict=True):
            by = step.truth or step.known
            keys = {"loss": round(by.best - by.made, 9), "loss_error": by.gap_error, "luck": luck,
                    "others": others if shares.told else None,
                    "value_before": by.best, "value_after": by.made}  # fmt: skip
            parts[move.round, move.number] = move.model_copy(update=keys)
    return list(parts.values()), accounts


def _is_foreign(state: Round, event: str, seat: int) -> bool:
    """Whether an event of a round is a move of another seat. In a duel, that may be quicker than the seat to move,
    and cards turned up after a move are none.
    """
    if state.unit != "lead":
        return state.to_move != seat
    return not state.entries and (state.to_move != seat or event not in state.moves())


def _others(events: Sequence[tuple[Round, str] | None]) -> Foreign:
    """What other seats did, given the states and their moves in them; None is a move of the seat's own."""
    from solver.reviewing import Foreign

    made = [(state, move) for state, move in (event for event in events if event) if list(state.moves()) != [move]]
    given = [state.given(move) for state, move in made]
    known = [amount for amount in given if amount is not None]
    return Foreign(bool(made), sum(known) if len(known) == len(given) else None)


def _decided(made: _Made, judged: Judged, others: Foreign) -> Decided | None:
    from solver.reviewing import Decided, expectation

    known = expectation(made.table, judged.again or judged.hint, made.move, judged.hint.best)
    if known is None:
        return None
    truth = None
    if judged.truth is not None:
        truth = expectation(made.table, judged.truth, made.move, judged.hint.best)
    return Decided(known, truth, others)


def _text(table: Round) -> str | None:
    """Return the position with every card known as text.

    Returns None if some cards are unknown, or if this position has no text form.
    """
    from solver.positions import text_of

    if table.known is None:
        return None
    try:
        return text_of(table.known)
    except PositionError:
        return None


def _made(session: Session, wish: Wish) -> Iterator[_Made]:
    """Yield the moves to review: those that `wish` selects and that were not forced."""
    count = 0
    for index, states in enumerate(session.rounds()):
        if wish.round not in (None, index + 1):
            continue
        moves: Sequence[str] = session.moves_of(index)
        for number, (table, move) in enumerate(zip(states, moves, strict=False), start=1):
            if wish.seat in (None, table.to_move) and len(table.moves()) > 1 and move in table.moves():
                seed = Random(wish.seed, count).below(1 << 30)
                yield _Made(table, move, Decision(index + 1, number, wish.limit, seed, wish.model))
                count += 1


def _saved(game: Saved | Mapping[str, Any] | str | bytes) -> Saved:
    from athanor.sessions import Saved, read_one
    from solver.validation import validated

    if isinstance(game, Saved):
        return game
    if isinstance(game, str | bytes):
        return read_one(game)
    return validated(Saved.model_validate, dict(game))


_PUZZLE_SECONDS = 5.0  # to prove a puzzle's solution


def puzzles_of(
    review: Review,
    *,
    model: str | None = None,
    progress: ProgressCallback | None = None,
    cancel: threading.Event | None = None,
) -> PuzzleFile | None:
    """Make a puzzle from each clear mistake in a review: find the best move with every card known.

    A mistake is left out unless a better move can be proved in five seconds. Returns None if no puzzle was made.
    """
    from puzzles.check import solve_puzzle
    from puzzles.format import from_data
    from solver.limits import Limit, Progress
    from solver.positions import parse_position, position_data

    clear = [move for move in review.moves if move.clear and move.text is not None]
    started = time.monotonic()
    puzzles: list[dict[str, Any]] = []
    for index, move in enumerate(clear):
        if progress is not None:
            progress(Progress(0, time.monotonic() - started, index / len(clear), f"puzzle {index + 1}"))
        assert move.text is not None
        position = parse_position(move.text)
        game = game_of(position)
        if move.move not in [game.format_move(position, other) for other in game.legal_moves(position)]:
            continue  # only the first half of a move
        puzzle: dict[str, Any] = {
            "id": f"{review.game}-{move.round}-{move.number}-{crc32(move.text.encode()):08x}",
            "title": say("Better than {move}", move=move.move),
            "ask": "best-move",
            "position": position_data(position),
            "note": move.reason,
        }
        if game.models:
            puzzle["model"] = model or game.models[0]
        limit = Limit(seconds=_PUZZLE_SECONDS)
        solution = solve_puzzle(from_data({"puzzle": [puzzle]}).puzzle[0], limit, cancel).found
        if solution is not None and solution.best and move.move not in solution.best:
            puzzles.append(puzzle | {"solution": solution.model_dump(mode="json", exclude_none=True)})
    return from_data({"puzzle": puzzles}) if puzzles else None


def plot(review: Review, target: Path | IO[bytes], file_format: str | None = None) -> None:
    """Draw charts of a review as PNG or SVG, according to `file_format` or the file's suffix.

    Each round has a row of two charts, which add up what each seat's moves lost: as judged by what the player
    knew, and in the actual deal, where that is known. Raises OSError or ValueError.
    """
    from matplotlib.figure import Figure  # slow to import

    numbers = sorted({move.round for move in review.moves}) or [1]
    figure = Figure(figsize=(10, 3.6 * len(numbers)), layout="constrained")
    rows = figure.subplots(len(numbers), 2, squeeze=False)
    for number, row in zip(numbers, rows, strict=True):
        for axes, name, title in zip(
            row, ("expected_loss", "true_loss"), ("on what was known", "in truth"), strict=True
        ):
            for seat in review.seats:
                places, sums, total = [0], [0.0], 0.0
                for move in review.moves:
                    lost = getattr(move, name)
                    if move.round == number and move.seat == seat.seat and lost is not None:
                        total += lost
                        places.append(move.number)
                        sums.append(total)
                axes.step(places, sums, where="post", marker="o", markersize=3, label=f"seat {seat.seat}")
            axes.set_title(f"round {number}: given away {title}", fontsize="medium")
            axes.set_xlabel("move of the round")
            axes.set_ylabel(review.unit)
            axes.grid(alpha=0.3)
    rows[0][0].legend(fontsize="small")
    figure.suptitle(review.game)
    figure.savefig(target, format=file_format, dpi=150)
