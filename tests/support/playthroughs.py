"""Whole games as text, played by a simple player from seeds: ``python -m tests.support.playthroughs --write``.

The files in `tests/playthroughs` are what the rules made of these games when they were last written; a test
plays them again and compares, so that no change of the rules, of the deals or of a move's text goes unseen.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from solver import registry
from solver.common import Random
from solver.games.alchemy.deck import NONE, Move, cards, points
from solver.games.alchemy.position import (
    Round,
    dealt_duel,
    observe_duel,
    totals_after,
    winner_of,
)
from solver.positions import parse_record
from tests.support import places

FOLDER = places.PLAYTHROUGHS
_GAME = registry.game("alchemy")


def _text(ranks: tuple[int, ...]) -> str:
    return " ".join(cards(ranks)) or "–"


def solitaire(variant: str, seed: int) -> Iterator[str]:
    """A solitaire: the match with the fewest cards, the later of equal ones; without one the middle discard."""
    position = _GAME.deal(seed, variant=variant)
    assert isinstance(position, Round)
    yield f"alchemy {variant}, seed {seed}"
    deck = [*position.line, position.hand, *(position.stock or ())]
    yield "deck: " + " ".join(str(card) for card in deck)
    made: list[str] = []
    while position.hand is not None:
        turn = position.turn
        moves = _GAME.legal_moves(position)
        if moves[0].kind == "match":
            fewest = min(len(move.used) for move in moves)
            chosen = [move for move in moves if len(move.used) == fewest][-1]
        else:
            chosen = moves[len(moves) // 2]
        yield ""
        held = f"line {_text(turn.line)}, cap {turn.cap}; hand {position.hand}; stock {len(turn.stock)}"
        yield f"turn {len(made) + 1}: {held}"
        yield "moves: " + ", ".join(map(str, moves))
        yield f"plays: {chosen}"
        made.append(str(chosen))
        after = _GAME.play(position, chosen)
        assert isinstance(after, Round)
        position = after
    yield ""
    end = position.turn
    yield f"end: line {_text(end.line)}, cap {end.cap}; stock {len(end.stock)}"
    record = {"game": "alchemy", "variant": variant, "deck": deck, "moves": made}
    score = _GAME.score(parse_record(record)).to_dict()
    yield f"score: {score['value']}, {score['left']} stock cards left after {score['turns']} turns"


def _choose(state: Round, player: int, random: Random) -> tuple[list[Move], Move]:
    """A player's moves, and the one that scores most; now and then another one."""
    moves = state.moves(player)
    if random.below(4) == 0:
        return moves, moves[random.below(len(moves))]
    return moves, max(moves, key=lambda move: points(move.used))


def duel(seed: int, jokers: int, added_jokers: int) -> Iterator[str]:
    """A match of duels to 100 points, with jokers in the deck and more of them added from 75 points on."""
    random = Random(seed, 1 << 32)  # not a stream of the deals
    yield f"alchemy duel, seed {seed}, jokers {jokers}, added from 75 points {added_jokers}"
    totals = (0, 0)
    number = 0
    while winner_of(totals) is None:
        state = dealt_duel(seed, number, jokers + (added_jokers if max(totals) >= 75 else 0))
        yield ""
        yield f"round {number + 1}"
        while not state.over:
            first = random.below(2)
            head = f"line {_text(state.line_ranks)}; hands {_text(state.drawn)}; deck {len(state.unseen_ranks)}"
            yield head + (f"; jokers set aside {state.table_jokers}" if state.table_jokers else "")
            moves, mine = _choose(state, first, random)
            yield f"  player {first} grabs first, of {len(moves)} moves: {mine}"
            state, _ = observe_duel(state, [f"{first}:{mine}"])
            others, other = [NONE], NONE
            if mine is NONE or not state.table_jokers:
                others, other = _choose(state, 1 - first, random)
            yield f"  player {1 - first}, of {len(others)} moves: {other}"
            state, _ = observe_duel(state, [str(other)])
        for player, pile in enumerate(state.piles):
            yield f"pile {player}: {_text(tuple(sorted(pile)))} = {points(pile)}"
        totals = totals_after(totals, state.piles)
        yield f"totals: {totals[0]} {totals[1]}"
        number += 1
    yield ""
    yield f"player {winner_of(totals)} wins"


PLAYTHROUGHS: dict[str, Callable[[], Iterator[str]]] = {
    "alchemy_solo_won": lambda: solitaire("solo", 1),
    "alchemy_solo_lost": lambda: solitaire("solo", 51),
    "alchemy_alternative_won": lambda: solitaire("alternative", 1),
    "alchemy_alternative_lost": lambda: solitaire("alternative", 2),
    "alchemy_duel": lambda: duel(1, 0, 2),
    "alchemy_duel_jokers": lambda: duel(2, 2, 1),
}


def played(name: str) -> str:
    """The text of a playthrough, played now."""
    return "\n".join(PLAYTHROUGHS[name]()) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="renew the files")
    write = parser.parse_args().write
    FOLDER.mkdir(exist_ok=True)
    for name in PLAYTHROUGHS:
        path = FOLDER / f"{name}.txt"
        text = played(name)
        old = path.read_text(encoding="utf-8") if path.exists() else None
        print(f"{name}: {'as written' if text == old else 'differs'}, {text.count(chr(10))} lines")
        if write:
            path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
