"""Certificates: proofs of a value that `puzzles.check_proof` checks by plain rules, without a search.

To make one, this module plays through the game by the same plain rules. Whenever the proving side is to move, a
search finds a move that keeps the value; a repeated position reuses its node.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from puzzles import check_proof
from solver.answers import Analysis, Answer, CompoundAnalysis
from solver.errors import AthanorError, RequestError
from solver.game import ProofSearch
from solver.language import say
from solver.limits import Control
from solver.registry import game_of

MOST_BYTES = 20_000_000  # of a certificate
_WEIGHT = 1000  # a weight is in thousandths of a point

Certificate = dict[str, Any]


class NoCertificateError(AthanorError):
    """No certificate can be made; the message says why."""


def certificate(position: BaseModel, answer: Answer, control: Control | None = None) -> Certificate:
    """Return the certificate of an answer's value. Raises NoCertificateError if there is none."""
    try:
        if isinstance(answer, CompoundAnalysis):
            return _of_compounding(position, answer)
        return _of_play(position, answer, control or Control())
    except RequestError as error:
        raise NoCertificateError("not_offered", error.message) from None


def text_of(certificate: Certificate) -> str:
    """Return a certificate as JSON, one node per line."""
    parts = [
        f"{json.dumps(key)}: {_lines(value) if isinstance(value, list) else _compact(value)}"
        for key, value in certificate.items()
    ]
    return "{" + ",\n".join(parts) + "}\n"


def _lines(values: list[Any]) -> str:
    return "[" + ",\n".join(map(_compact, values)) + "]"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# ----------------------------------------------------------------------------------------------------
# Values of play: a strategy of the player that reaches the value, and one of the others that prevents more.


def _of_play(position: BaseModel, answer: Answer, control: Control) -> Certificate:
    if not isinstance(answer, Analysis) or getattr(answer, "model", None) == "maxn":
        raise NoCertificateError(
            "not_offered",
            say("certificates can be made for values under paranoid and ally, known stocks and compounding"),
        )
    if answer.value is None:
        raise NoCertificateError("not_proved", say("the search ended before the value was proved"))
    game, player = game_of(position), answer.player
    assert player is not None
    model = getattr(answer, "model", None)
    claim: dict[str, Any] = {"position": game.claim(position)}
    if model is not None:
        claim |= {"model": model, "player": player}
    value: Any = answer.value
    claim["value"] = value
    rules = check_proof.rules_of(claim["position"])["Round"](claim["position"], player)
    value = check_proof.VALUES.get(value, value)
    with game.proving(position, control, model=model, player=player) as proving:
        size = 0
        certificate: Certificate = {"claim": claim}
        for key, least in (("at_least", True), ("at_most", False)):
            tree = _Tree(rules, proving, value, control, least=least, together=model != "paranoid", size=size)
            certificate[key] = tree.nodes
            state, won = rules.start
            tree.node(state, won, proving.start)
            size = tree.size
    return certificate


class _Tree:
    """The nodes of one side's strategy; each node comes after those that it links to."""

    def __init__(
        self,
        rules: Any,
        proving: ProofSearch,
        value: int,
        control: Control,
        *,
        least: bool,
        together: bool,
        size: int,
    ) -> None:
        self.nodes: list[Any] = ["settled"]
        self.size = size  # written so far, in bytes
        self._rules = rules
        self._proving = proving
        self._value = value
        self._control = control
        self._least = least
        self._together = together
        self._known: dict[Any, list[tuple[int, int]]] = {}  # for each state, the points won and the node

    def node(self, state: Any, won: int, at: Any) -> int:
        """Return the index of a state's node, adding the node if necessary.

        `won` is the number of points the player has won so far; `at` is the state as the search represents it.
        """
        there = self._standing(state, won)
        if there is not None:
            return there
        if self._control.stopped():
            raise _ended()
        moves = self._rules.moves(state)
        ours = self._least == (self._together or self._rules.turn(state) == self._rules.player)
        ways = [(move, *self._after(state, won, move)) for move in moves]
        if ours:
            ways = [self._kept(ways, at)]
        links = {}
        for move, after, gained in ways:
            links[move] = self.node(after, gained, self._proving.after(at, move))
        written: Any = list(*links.items()) if ours else links
        number = len(self.nodes)
        self.nodes.append(written)
        self.size += len(_compact(written).encode()) + 2
        if self.size > MOST_BYTES:
            raise NoCertificateError(
                "too_large", say("the certificate would have more than {most} MB", most=MOST_BYTES // 1_000_000)
            )
        self._known.setdefault(state, []).append((won, number))
        return number

    def _after(self, state: Any, won: int, move: str) -> tuple[Any, int]:
        after, gained = self._rules.play(state, move)
        return after, won + gained

    def _standing(self, state: Any, won: int) -> int | None:
        """Return the index of an existing node that proves the claim for a state and the points won, or None.

        The index is 0 if these points and the bounds on those still to be won settle the claim. Otherwise the node
        was made for the same state with the same number of points, or with one that is worse for the claim.
        """
        low, high = self._rules.bounds(state)
        if won + low >= self._value if self._least else won + high <= self._value:
            return 0
        for before, number in self._known.get(state, ()):
            if won >= before if self._least else won <= before:
                return number
        return None

    def _kept(self, ways: list[tuple[str, Any, int]], at: Any) -> tuple[str, Any, int]:
        """Return the first move proved to keep the value, preferably one that needs no new nodes."""
        for way in ways:
            if self._standing(*way[1:]) is not None:
                return way
        for way in ways:
            asked = self._value if self._least else self._value + 1
            reaches = self._proving.reaches(self._proving.after(at, way[0]), asked)
            if reaches is None:
                raise _ended()
            if reaches is self._least:
                return way
        raise AssertionError("the search proves a value that none of the moves keeps")


def _ended() -> NoCertificateError:
    return NoCertificateError("not_proved", say("the limit was reached before the certificate was made"))


# ----------------------------------------------------------------------------------------------------
# Compounding: the recipes, and card weights that bound the bonus, or a recipe to branch on.


def _of_compounding(position: BaseModel, answer: CompoundAnalysis) -> Certificate:
    if not answer.exact:
        raise NoCertificateError("not_proved", say("the search ended before the value was proved"))
    game = game_of(position)
    data = game.claim(position)
    deck = check_proof.rules_of(data)["read_deck"](data)
    cards = {card: deck[card] for card in data["cards"]}
    return {
        "claim": {"position": data, "total": answer.total},
        "recipes": [[recipe.card, list(recipe.uses)] for recipe in answer.recipes],
        "at_most": _bounding(cards, answer.bonus, {}),
    }


def _bounding(cards: Mapping[str, Any], most: int, made: dict[str, bool]) -> Any:
    """Return a tree proving that no set of recipes that agrees with `made` has a bonus above `most`."""
    weights, parts = _weights(cards, made)
    bound = check_proof.bound(cards, weights, made)
    if bound is None or bound // _WEIGHT <= most:
        return weights
    card = min(parts, key=lambda code: abs(parts[code] - 0.5))
    yes, no = (_bounding(cards, most, {**made, card: choice}) for choice in (True, False))
    return [card, yes, no]


def _weights(cards: Mapping[str, Any], made: Mapping[str, bool]) -> tuple[dict[str, int], dict[str, float]]:
    """Return the card weights with the lowest bound, and for each undecided recipe, what fraction of it is made.

    The weights solve a linear program, whose dual solution gives the fractions.
    """
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    weight = {card: solver.NumVar(0, solver.infinity(), card) for card in cards}
    price: dict[str, Any] = {}
    for code, card in cards.items():
        if (kind := card.get("provides")) is not None:
            price.setdefault(kind, solver.NumVar(0, solver.infinity(), kind))
            solver.Add(price[kind] <= weight[code])
    total = solver.Sum(weight.values())
    rows: dict[str, Any] = {}
    for code, recipe in _recipes(cards):
        if made.get(code) is False or not all(kind in price for kind in recipe["needs"]):
            continue
        over = recipe["bonus"] - weight[code] - solver.Sum(price[kind] for kind in recipe["needs"])
        if made.get(code):
            total += over
        else:
            rest = solver.NumVar(0, solver.infinity(), "")
            rows[code] = solver.Add(rest >= over)
            total += rest
    solver.Minimize(total)
    if solver.Solve() != pywraplp.Solver.OPTIMAL:  # no bound: the decided recipes are impossible
        return {}, dict.fromkeys(rows, 0.5)
    weights = {card: round(_WEIGHT * variable.solution_value()) for card, variable in weight.items()}
    return {card: amount for card, amount in weights.items() if amount}, {
        c: abs(r.dual_value()) for c, r in rows.items()
    }


def _recipes(cards: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((code, card["recipe"]) for code, card in cards.items() if card.get("recipe"))
