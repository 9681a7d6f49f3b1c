"""Certificates with one thing changed that they can't do without, so that each must be refused.

A change that could leave a proof a proof is not made: another legal choice, say, is one only where its node stands
for another position, which a second link to that node shows.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from puzzles.check_proof import VALUES, bound, rules_of

Certificate = dict[str, Any]
Mutation = tuple[str, Certificate]
SIDES = ("at_least", "at_most")


def mutations(proof: Certificate, random: Random) -> Iterator[Mutation]:
    """Changed certificates, each with what was changed; one of each kind that fits, at random places."""
    made = _of_compounding(proof, random) if "total" in proof["claim"] else _of_play(proof, random)
    for name, change in made:
        changed = copy.deepcopy(proof)
        change(changed)
        yield name, changed


Change = tuple[str, Callable[[Certificate], object]]


def _of_play(proof: Certificate, random: Random) -> Iterator[Change]:
    claim = proof["claim"]
    value = claim["value"]
    if isinstance(value, str):
        yield "the other outcome", lambda p: p["claim"].update(value="lost" if value == "won" else "won")
        yield "no outcome", lambda p: p["claim"].update(value="drawn")
    else:
        yield "a larger value", lambda p: p["claim"].update(value=value + random.randint(1, 3))
        yield "a smaller value", lambda p: p["claim"].update(value=value - 1)
        yield "a value in words", lambda p: p["claim"].update(value=str(value))
        yield "another model", lambda p: p["claim"].update(model="maxn")
        yield "a seat that is not there", lambda p: p["claim"].update(player=9)
    yield "a key too many", lambda p: p["claim"]["position"].update(history=[])
    side = random.choice(SIDES)
    yield "a side is missing", lambda p: p.pop(side)
    yield "nothing is settled", lambda p: p[side].__setitem__(0, {})
    yield "a node that nothing leads to", lambda p: p[side].append(copy.deepcopy(p[side][-1]))
    for side in SIDES:
        if len(proof[side]) > 1:
            yield from _of_nodes(proof, side, random)


def _of_nodes(proof: Certificate, side: str, random: Random) -> Iterator[Change]:
    claim, nodes = proof["claim"], proof[side]
    value = VALUES.get(claim["value"], claim["value"])
    game = rules_of(claim["position"])["Round"](claim["position"], claim.get("player", 0))
    states: dict[int, Any] = {len(nodes) - 1: game.start[0]}
    parents: Counter[int] = Counter()
    for number in range(len(nodes) - 1, 0, -1):
        for move, child in _links(nodes[number]):
            states[child] = game.play(states[number], move)[0]
            parents[child] += 1
    root = len(nodes) - 1
    number = random.randint(1, root)
    node = nodes[number]
    move, child = random.choice(_links(node))
    yield f"{side}: a link upwards", _linked(side, number, move, number)
    yield f"{side}: a link to nowhere", _linked(side, number, move, len(nodes))
    if isinstance(node, dict):
        yield f"{side}: a dropped reply", lambda p: p[side][number].pop(move)
        yield f"{side}: a reply too many", lambda p: p[side][number].update({"X9": 0})
        yield f"{side}: a choice for replies", lambda p: p[side].__setitem__(number, [move, child])
    else:
        yield f"{side}: a choice that is not legal", lambda p: p[side][number].__setitem__(0, "X9")
        yield f"{side}: a reply for a choice", lambda p: p[side].__setitem__(number, {move: child})
        for other in game.moves(states[number]):
            if parents[child] > 1 and child and game.play(states[number], other)[0] != states[child]:
                yield f"{side}: another choice", _chosen(side, number, other)
    after, gained = game.play(states[number], move)
    if child and number == root:  # only there are the points won before known
        won = game.start[1] + gained
        low, high = game.bounds(after)
        if won + low < value if side == "at_least" else won + high > value:
            yield f"{side}: settled too soon", _linked(side, number, move, 0)
    for other in random.sample(range(1, number), min(5, number - 1)):
        if parents[other] > (other == child) and states[other] != after:
            yield f"{side}: a link to another position", _linked(side, number, move, other)
    yield from _other_hands(proof, side, random.choice(_links(nodes[root]))[0], game)


def _links(node: Any) -> list[tuple[str, int]]:
    return list(node.items()) if isinstance(node, dict) else [(node[0], node[1])]


def _linked(side: str, number: int, move: str, child: int) -> Callable[[Certificate], object]:
    def change(proof: Certificate) -> None:
        node = proof[side][number]
        node[1 if isinstance(node, list) else move] = child

    return change


def _chosen(side: str, number: int, move: str) -> Callable[[Certificate], object]:
    return lambda proof: proof[side][number].__setitem__(0, move)


def _other_hands(proof: Certificate, side: str, move: str, game: Any) -> Iterator[Change]:
    """A position in which the first move that the certificate names cannot be made."""
    position = proof["claim"]["position"]
    if position["game"] == "alchemy":
        gone = move.split()[-1]
        other = next(rank for rank in ("2", "3", "4", "5", "6", "7", "8") if rank not in position["line"])
        line = [other if one == gone else one for one in position["line"]]
        yield f"{side}: another line", lambda p: p["claim"]["position"].update(line=line)
        return
    card = move.split()[0].partition(":")[0]
    seat = game.turn(game.start[0])
    hands = [list(hand) for hand in position["hands"]]
    if card in hands[seat]:
        if position["game"] == "aqua-regia":
            hands[seat] = [one for one in hands[seat] if one != card]
        else:
            giver = next(one for one in range(len(hands)) if one != seat and hands[one])
            place = hands[seat].index(card)
            hands[seat][place], hands[giver][0] = hands[giver][0], card
        yield f"{side}: another hand", lambda p: p["claim"]["position"].update(hands=hands)


def _without(place: int, bonus: int) -> Callable[[Certificate], object]:
    def change(proof: Certificate) -> None:
        proof["recipes"].pop(place)
        proof["claim"]["total"] -= bonus

    return change


def _of_compounding(proof: Certificate, random: Random) -> Iterator[Change]:
    claim = proof["claim"]
    deck = rules_of(claim["position"])["read_deck"](claim["position"])
    cards = {card: deck[card] for card in claim["position"]["cards"]}
    most = claim["total"] - sum(card["vp"] for card in cards.values())
    yield "a larger total", lambda p: p["claim"].update(total=claim["total"] + random.randint(1, 3))
    yield "a smaller total", lambda p: p["claim"].update(total=claim["total"] - 1)
    yield "a card twice", lambda p: p["claim"]["position"]["cards"].append(p["claim"]["position"]["cards"][0])
    yield "no bound", lambda p: p.pop("at_most")
    if proof["recipes"]:
        place = random.randrange(len(proof["recipes"]))
        carrier, uses = proof["recipes"][place]
        yield "a recipe is missing", lambda p: p["recipes"].pop(place)
        bonus = deck[carrier]["recipe"]["bonus"]
        if bonus:
            yield "fewer recipes, all right", _without(place, bonus)
        yield "a recipe twice", lambda p: p["recipes"].append([carrier, uses])
        yield "an ingredient is missing", lambda p: p["recipes"][place][1].pop()
        yield "a card of its own recipe", lambda p: p["recipes"][place][1].__setitem__(0, carrier)
        yield "a used card is not there", lambda p: p["claim"]["position"]["cards"].remove(uses[0])
        strange = [
            card for card in cards if card not in uses and cards[card].get("provides") != deck[uses[0]]["provides"]
        ]
        if strange:
            wrong = random.choice(strange)
            yield "another ingredient", lambda p: p["recipes"][place][1].__setitem__(0, wrong)
    if isinstance(proof["at_most"], dict):
        found = bound(cards, {}, {})
        if found // 1000 > most:
            yield "no weights", lambda p: p.update(at_most={})
        card = random.choice(list(cards))
        heavy = proof["at_most"].get(card, 0) + 10**8
        yield "a heavy card", lambda p: p["at_most"].update({card: heavy})
        yield "a weight below nothing", lambda p: p["at_most"].update({card: -1})
    else:
        yield "a branch is missing", lambda p: p["at_most"].pop()
        yield "another branching", lambda p: p["at_most"].__setitem__(0, "X9")
