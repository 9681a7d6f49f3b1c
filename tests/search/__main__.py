"""Random small positions against the plain references, with each part of the searches on and off.

``python -m tests.search --positions 100000``: positions of each game in turn, so many in all. Every value of every
move is asked for with all parts, with none, with each alone and with all but each, and by several threads.
``--seed`` and the number in a message tell a position again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from solver.common import members
from solver.games.aqua_regia import analyze as aqua_regia_analyze
from solver.games.aqua_regia import fast_rules as aqua_regia_rules
from solver.games.aqua_regia.position import Round as AquaRound
from solver.games.king.analyze import PROVERS as KING_PROVERS
from solver.games.king.analyze import MaxnScores, PlayerScore
from solver.games.king.fast_rules import ALL_SWITCHES as OF_KING
from solver.games.king.rules import move_text
from solver.games.kirin import analyze as kirin_analyze
from solver.games.kirin.deck import name as kirin_name
from solver.games.kirin.fast_rules import ALL_SWITCHES as OF_KIRIN
from solver.games.kirin.search import PROVERS as KIRIN_PROVERS
from solver.games.kirin.search import player_score
from solver.limits import Control
from solver.positions import parse_position
from solver.search import parallel
from solver.search.trick_rules import SWITCHES
from tests.games.aqua_regia.random_positions import random_position as random_aqua
from tests.games.king.random_positions import random_deck
from tests.games.king.random_positions import random_position as random_king
from tests.games.kirin.deals import letters, position_of, random_state
from tests.reference import aqua as aqua_reference
from tests.reference import king as king_reference
from tests.reference import kirin as kirin_reference
from tests.support.games import AGAINST_OTHERS, check_rows

Values = dict[str, Any]
# What the reference says of every move, and what the search says with some switches and threads.
Case = tuple[Values, Callable[[int, int], Values]]


def exact(bounds: Mapping[Any, tuple[int, int]], text: Callable[[Any], str]) -> Values:
    """The values of moves by their text; bounds that are not equal stay bounds, which no reference says."""
    return {text(move): low if low == high else (low, high) for move, (low, high) in bounds.items()}


def king(rng: random.Random) -> Case:
    players = rng.randint(3, 5)
    deck = random_deck(rng) if rng.random() < 0.5 else None
    data = random_king(rng, players=players, cards=rng.randint(1, {3: 3, 4: 3, 5: 2}[players]), deck=deck)
    position: Any = parse_position(data)
    state = position.state
    model, player = rng.choice(("paranoid", "paranoid", "ally", "maxn")), rng.randrange(players)
    told, now = king_reference.load(data)
    found = king_reference.values(told, now, model, player)
    expected = {king_reference.text(told, move): value for move, value in found.items()}

    def ask(switches: int, threads: int) -> Values:
        control = Control(threads=threads)
        with KING_PROVERS.lend() as prover:
            if model == "maxn":
                everybody = MaxnScores(prover, state, control)
                everybody.deal[SWITCHES] &= switches
                return {move_text(state.deck, move): scores for move, scores in everybody.moves().items()}
            search = PlayerScore(prover, state, player, allies=model == "ally", control=control)
            search.deal[SWITCHES] &= switches
            return exact(search.moves(), lambda move: move_text(state.deck, move))

    return expected, ask


def kirin(rng: random.Random) -> Case:
    state, declared = random_state(rng, rng.randint(1, 3), heavy=rng.random() < 0.5)
    model, player = rng.choice(("paranoid", "paranoid", "ally", "maxn")), rng.randrange(4)
    found = kirin_reference.values(state, letters(declared), model, player)
    kirin_reference._one_player.cache_clear()
    kirin_reference._maxn.cache_clear()
    expected = {kirin_reference.name(card): value for card, value in found.items()}
    position = position_of(state, declared)

    def ask(switches: int, threads: int) -> Values:
        control = Control(threads=threads)
        if model == "maxn":
            answer = kirin_analyze.analyze(position, control, model=model)
            return {entry.move: entry.value for entry in answer.moves}
        with KIRIN_PROVERS.lend() as prover:
            colour, allies = position.colours[player], model == "ally"
            search = player_score(prover, position.state, colour, player, allies=allies, control=control)
            search.deal[SWITCHES] &= switches
            return exact(search.moves(), kirin_name)

    return expected, ask


def aqua_regia(rng: random.Random) -> Case:
    players = rng.randint(2, 4)
    data = random_aqua(rng, players=players, cards=rng.randint(players, 8), stock=0, climbing=rng.random() < 0.5)
    data["discard"] = data["discard"][:8]
    model, player = rng.choice(("paranoid", "ally", "maxn")), rng.randrange(players)
    table, now = aqua_reference.load(data)
    found = aqua_reference.values(table, now, model, player)
    expected = {aqua_reference.text(table, move): value for move, value in found.items()}
    position = AquaRound.model_validate(data)

    def ask(switches: int, threads: int) -> Values:
        aqua_regia_rules.ALL_SWITCHES = switches  # which every new deal gets
        answer = aqua_regia_analyze.analyze(position, Control(threads=threads), model=model, player=player)
        return {entry.move: entry.value for entry in answer.moves}

    return expected, ask


GAMES: dict[str, tuple[Callable[[random.Random], Case], int]] = {
    "king": (king, OF_KING),
    "kirin": (kirin, OF_KIRIN),
    "aqua-regia": (aqua_regia, aqua_regia_rules.ALL_SWITCHES),
}
check_rows(GAMES, AGAINST_OTHERS)


def settings(everything: int) -> Iterator[tuple[str, int, int]]:
    """What is said of it, the switches and the threads."""
    yield "all parts", everything, 1
    yield "no part", 0, 1
    yield "three threads", everything, 3
    for number in members(everything):
        yield f"bit {number} alone", 1 << number, 1
        yield f"all but bit {number}", everything & ~(1 << number), 1


@click.command()
@click.option("--positions", default=1000, help="in all")
@click.option("--seed", default=1)
@click.option("--only", type=click.Choice(list(GAMES)), help="of one game")
def main(positions: int, seed: int, only: str | None) -> None:
    """Compare the searches with the references."""
    parallel.EASY_ANALYSIS, parallel.EASY_QUESTION, kirin_analyze.SETS_A_WORKER = 0, 1, 1
    names = [only] if only else list(GAMES)
    begun, questions = time.monotonic(), 0
    for number in range(positions):
        name = names[number % len(names)]
        make, switches = GAMES[name]
        expected, ask = make(random.Random(f"{seed} {number}"))
        for what, bits, threads in settings(switches):
            questions += 1
            if (found := ask(bits, threads)) != expected:
                raise click.ClickException(
                    f"{name}, seed {seed}, position {number}, {what}: {found}, the reference: {expected}"
                )
        if (number + 1) % 1000 == 0:
            click.echo(f"{number + 1:,} positions, {questions:,} questions, {time.monotonic() - begun:.0f} s")
    click.echo(f"{positions:,} positions, {questions:,} questions: every value is the reference's")


if __name__ == "__main__":
    main()
