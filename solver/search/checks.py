"""Checks whether a game's rules for the score search meet the search's requirements, for the tests of a game.

Rules that pass may still be wrong for the game, so also compare values with those of a plain search over the rules
in Python.
"""

from __future__ import annotations

import random

import numpy as np

from solver.kernels.words import Words
from solver.search.rules import PROOF_NUMBERS
from solver.search.trick_rules import MOVE_CODES, NEED, NO, SWITCHES, YES, ScoreRules

_SIMILAR = 500  # nodes
_GAMES_ALIKE = 4  # from two nodes with one key


def check_rules(rules: ScoreRules, deal: Words, root: Words, *, games: int = 20, seed: int = 0) -> None:
    """Play random games from the node `root`, and check the rules at every node on the way.

    The checks cover the moves (`listed` and `moves`), the keys that the search asks for with the deal's SWITCHES,
    NEED and `in_play`, `size`, and how games end. From a node of each game, the keys of many similar nodes are
    compared. Raises ValueError with the name of a rule that does not meet the requirements in
    `solver.search.trick_rules`.
    """
    checked = _Checked(rules, deal, random.Random(seed))
    for _ in range(games):
        checked.similar(checked.game(root))


class _Checked:
    def __init__(self, rules: ScoreRules, deal: Words, rng: random.Random) -> None:
        self._rules = rules
        self._deal = deal
        self._rng = rng
        self._met: dict[int, Words] = {}  # a node of each key, with nothing needed
        instances = rules.instances().names  # with the defaults of omitted rules
        self._settle, self._listed, self._moves = instances["settle"], instances["listed"], instances["moves"]

    def _hold(self, true: bool, rule: str, message: str) -> None:
        if not true:
            raise ValueError(f"{self._rules.who}: {rule}: {message}")

    def game(self, root: Words) -> Words:
        """Play one random game from a node to its end, checking every node. Returns a random one of them."""
        rules, deal = self._rules, self._deal
        node = picked = root.copy()
        node[NEED] = 0
        most = rules.in_play(deal, node, 0)
        self._hold(0 <= most < (1 << rules.point_bits), "point_bits", f"too few for the {most} points in play")
        for number in range(rules.longest_line):
            moves = self._legal(node)
            self._check_settled(node, over=not moves)
            if not moves:
                return picked
            if self._rng.random() * (number + 1) < 1:
                picked = node
            self._check_key(node)
            self._check_order(node, moves)
            child = self._after(node, self._rng.choice(moves))
            won = int(node[NEED] - child[NEED])
            before, after = rules.in_play(deal, node, 0), rules.in_play(deal, child, 0)
            self._hold(won >= 0, "play", f"{won} points won; what the search counts must never be lost again")
            self._hold(won <= before - after, "in_play", f"{before} points, then {won} won and {after} left")
            smaller = rules.size(deal, child, 0) <= rules.size(deal, node, 0)
            self._hold(smaller, "size", "more tricks to begin after a move than before it")
            node = child
        raise ValueError(f"{rules.who}: longest_line: a game has more than {rules.longest_line} moves")

    def similar(self, root: Words) -> None:
        """Check the keys of the nodes that are reached from a node if only two moves are made in each.

        These are the first moves from a random one on, so most games play the same cards in different orders.
        Where parts of a key overlap, two such nodes soon have the same key.
        """
        first = self._rng.randrange(MOVE_CODES)
        nodes = {root.tobytes(): root}
        for _ in range(_SIMILAR):
            node = next(iter(nodes.values()), None)
            if node is None:
                return
            del nodes[next(iter(nodes))]
            moves = self._legal(node)
            if moves:
                self._check_key(node)
            for move in sorted(moves, key=lambda move: (move - first) % MOVE_CODES)[:2]:
                child = self._after(node, move)
                nodes[child.tobytes()] = child

    def _after(self, node: Words, move: int) -> Words:
        child = np.zeros_like(node)
        self._rules.play(self._deal, node, 0, child, 0, move)
        return child

    def _legal(self, node: Words) -> list[int]:
        out = np.full(2 * self._rules.most_moves + MOVE_CODES, -1, np.int64)
        count = self._listed(self._deal, node, 0, out, 0)
        moves: list[int] = out[:count].tolist()
        most = self._rules.most_moves
        self._hold(count <= most, "listed", f"{count} moves, most_moves says {most}")
        self._hold(len(set(moves)) == count, "listed", f"a move twice: {moves}")
        numbered = all(0 <= move < MOVE_CODES for move in moves)
        self._hold(numbered, "listed", f"moves are numbers from 0 below {MOVE_CODES}, not {moves}")
        return moves

    def _check_order(self, node: Words, legal: list[int]) -> None:
        out = np.full(2 * self._rules.most_moves + MOVE_CODES, -1, np.int64)
        moves = out[: self._moves(self._deal, node, 0, out, 0, -1)].tolist()
        self._hold(len(moves) > 0 and set(moves) <= set(legal), "moves", f"{moves}, where {legal} are legal")
        first = self._rng.choice(moves)
        again = out[: self._moves(self._deal, node, 0, out, 0, first)].tolist()
        self._hold(again[0] == first, "moves", f"begins with {again[0]}, asked to with {first}")

    def _check_key(self, node: Words) -> None:
        if not (self._deal[SWITCHES] & PROOF_NUMBERS or self._rules.boundary(self._deal, node, 0)):
            return  # alpha-beta remembers only boundaries
        key = int(self._rules.key(self._deal, node, 0))
        bits = self._rules.key_bits
        self._hold(0 < key < 1 << bits, "key", f"{key} is not above 0 and below 2**{bits}")
        words = node.copy()
        words[NEED] = 0
        other = self._met.setdefault(key, words)
        differ = np.flatnonzero(other != words).tolist()
        alike = not differ or all(self._alike(words, other) for _ in range(_GAMES_ALIKE))
        self._hold(alike, "key", f"{key} is the key of two nodes, which differ in the words {differ}")

    def _alike(self, first: Words, second: Words) -> bool:
        """Play a random game from two nodes, with moves of the same numbers. Return whether both go alike."""
        while True:
            moves, others = self._legal(first), self._legal(second)
            if len(moves) != len(others) or first[NEED] != second[NEED]:
                return False
            if not moves:
                return True
            if self._rules.maximises(self._deal, first, 0) != self._rules.maximises(self._deal, second, 0):
                return False
            number = self._rng.randrange(len(moves))
            first, second = self._after(first, moves[number]), self._after(second, others[number])

    def _check_settled(self, node: Words, *, over: bool) -> None:
        asked = node.copy()
        for need in (-1, 0, 1):
            asked[NEED] = need
            answer = self._settle(self._deal, asked, 0)
            if need <= 0:
                self._hold(answer == YES, "settle", "not YES where nothing is needed")
            elif over:
                self._hold(answer == NO, "settle", "not NO at the end of the round where a point is needed")
