"""Check certificates: python check_proof.py FILE …

Needs only Python and the plain rules beside it (``plain/``), and computes positions, replies and scores itself.
Prints "proved", or else where the proof fails, with exit code 1.

A certificate of play has a `claim`, ``{"position", "model", "player", "value"}``, and two strategies: `at_least`
reaches the value for one side, `at_most` prevents more for the other. A strategy is a list of nodes. Node 0 is
"settled": the points won and still to be won decide. Others are ``[move, node]`` on the strategy's own turns, else
``{move: node, …}`` with every legal move. Indices lead to earlier nodes; the last node is the position itself.

A compounding certificate has a `claim`, ``{"position", "total"}``, `recipes`, ``[[card, [used card, …]], …]``, and
`at_most`, a tree. A leaf is ``{card: weight, …}``, in thousandths of a point, for `bound`. Any other node is
``[card, tree, tree]``: in the first subtree the card's recipe is made, in the second it is not.
"""

import json
import runpy
import sys
from functools import lru_cache
from pathlib import Path

RULES = {"alchemy": "alchemy", "aqua-regia": "aqua_regia", "king": "king", "kirin": "kirin"}
VALUES = {"won": 1, "lost": 0}


class BrokenProofError(Exception):
    """The proof fails; the message says where."""


def need(condition, message):
    if not condition:
        raise BrokenProofError(message)


def whole(value, what):
    need(type(value) is int and value >= 0, f"{what} is no whole number: {value!r}")
    return value


@lru_cache
def plain(game):
    """Load the plain rules of a game; return the module's definitions, a dict by name."""
    need(game in RULES, f"no rules of the game {game!r}")
    return runpy.run_path(str(Path(__file__).with_name("plain") / f"{RULES[game]}.py"))


def rules_of(position):
    """Return the plain rules for a position. Raises BrokenProofError if it has keys or options unknown to them."""
    rules = plain(position["game"])
    need(set(position) <= rules["KEYS"], f"the position has other keys than {' '.join(sorted(rules['KEYS']))}")
    options = position.get("rules", {})
    need(set(options) <= rules["OPTIONS"] and {*map(type, options.values())} <= {bool}, "the rules are unknown")
    return rules


def check_play(claim, proof):
    """Check a proof that a position has the claimed value; return its number of nodes."""
    need(set(claim) <= {"position", "model", "player", "value"}, "the claim has other keys")
    position, model, value = claim["position"], claim.get("model"), claim["value"]
    need(model in (None, "paranoid", "ally"), f"no proofs for the model {model!r}")
    need((model is None) == (position["game"] == "alchemy"), "a model is missing, or there is one too many")
    value = VALUES[value] if model is None else whole(value, "the value")
    game = rules_of(position)["Round"](position, claim["player"] if model else 0)
    for key, least in (("at_least", True), ("at_most", False)):
        try:
            check_nodes(game, proof[key], value, least, model != "paranoid")
        except BrokenProofError as broken:
            raise BrokenProofError(f"{key}: {broken}") from None
    return len(proof["at_least"]) + len(proof["at_most"])


def check_nodes(game, nodes, value, least, together):
    """Check that a strategy keeps the player's score at or above `value` if `least`, else at or below it.

    With `together`, all seats play for the player. If several paths reach a node, it must hold for the worst.
    """
    need(type(nodes) is list and nodes[:1] == ["settled"], 'node 0 is not "settled"')
    reached = {}
    worse = min if least else max

    def link(number, below, state, won, move):
        need(type(number) is int and 0 <= number < below, f"{move} leads to no earlier node")
        if number == 0:
            low, high = game.bounds(state)
            settled = won + low >= value if least else won + high <= value
            need(settled, f"after {move} the score is {won + low} to {won + high}, which does not decide {value}")
            return
        other, before = reached.get(number, (state, won))
        need(other == state, f"{move} leads to node {number}, which is another position")
        reached[number] = state, worse(before, won)

    link(len(nodes) - 1, len(nodes), *game.start, "no move")
    for number in range(len(nodes) - 1, 0, -1):
        node = nodes[number]
        try:
            need(number in reached, "nothing leads here")
            state, won = reached.pop(number)
            legal = game.moves(state)
            if least == (together or game.turn(state) == game.player):
                need(type(node) is list and len(node) == 2, "our side moves: [move, node] is wanted")
                links = [node]
                need(node[0] in legal, f"{node[0]} is not legal")
            else:
                need(type(node) is dict, "the other side moves: {move: node, …} is wanted")
                need(set(node) == set(legal), f"the moves are not {' '.join(sorted(legal))}")
                need(legal, "nobody can move, and nothing is settled")
                links = node.items()
            for move, child in links:
                after, gained = game.play(state, move)
                link(child, number, after, won + gained, move)
        except BrokenProofError as broken:
            raise BrokenProofError(f"node {number}: {broken}") from None


def check_compounding(claim, proof):
    """Check that the recipes can be made and have the claimed total, and that no others have a higher one."""
    need(set(claim) == {"position", "total"}, "the claim has other keys")
    deck = rules_of(claim["position"])["read_deck"](claim["position"])
    cards = claim["position"]["cards"]
    total = whole(claim["total"], "the total")
    need(len(set(cards)) == len(cards) and all(card in deck for card in cards), "cards that are not in the deck")
    points = sum(deck[card]["vp"] for card in cards)
    used, bonus = set(), 0
    for carrier, ingredients in proof["recipes"]:
        for card in (carrier, *ingredients):
            need(card in cards, f"{card} is not there")
            need(card not in used, f"{card} is used twice")
            used.add(card)
        recipe = deck[carrier].get("recipe")
        need(recipe, f"{carrier} has no recipe")
        provided = sorted(str(deck[card].get("provides")) for card in ingredients)
        need(provided == sorted(recipe["needs"]), f"{carrier} needs {' '.join(recipe['needs'])}")
        bonus += recipe["bonus"]
    need(points + bonus == total, f"the recipes come to {points + bonus}")
    return check_tree({card: deck[card] for card in cards}, proof["at_most"], total - points, {})


def check_tree(cards, tree, most, made):
    """Check that no set of recipes that agrees with `made` has a bonus above `most`; return the leaf count."""
    if type(tree) is dict:
        upper = bound(cards, tree, made)
        need(upper is None or upper // 1000 <= most, f"with {made}: the bound is {upper}/1000, not {most}")
        return 1
    card, yes, no = tree
    need(card in cards and cards[card].get("recipe") and card not in made, f"{card} has no recipe to decide on")
    return check_tree(cards, yes, most, {**made, card: True}) + check_tree(cards, no, most, {**made, card: False})


def bound(cards, weights, made):
    """Return an upper bound on the bonus, in thousandths of a point; None if `made` is impossible.

    `made` maps cards to whether their recipe is made. An ingredient costs as much as the lightest card that
    provides it, by the non-negative `weights`. So the cards that a recipe uses, its own included, weigh at least
    its cost, and all used cards weigh at most as much as all cards. The bonus is therefore at most the total
    weight plus, for each recipe made, its bonus minus its cost.
    """
    for card, weight in weights.items():
        need(card in cards and whole(weight, f"the weight of {card}") < 10**9, f"{card} has no such weight")
    supply, price = {}, {}
    for code, card in cards.items():
        if (kind := card.get("provides")) is not None:
            price[kind] = min(price.get(kind, 10**9), weights.get(code, 0))
            supply[kind] = supply.get(kind, 0) + (not made.get(code, False))
    total = sum(weights.get(code, 0) for code in cards)
    for code, card in cards.items():
        if (recipe := card.get("recipe")) is None or made.get(code) is False:
            continue
        if made.get(code):
            for kind in recipe["needs"]:
                supply[kind] = supply.get(kind, 0) - 1
        elif not all(kind in price for kind in recipe["needs"]):
            continue
        over = 1000 * recipe["bonus"] - weights.get(code, 0) - sum(price.get(kind, 0) for kind in recipe["needs"])
        total += over if made.get(code) else max(0, over)
    return None if min(supply.values(), default=0) < 0 else total


def check(certificate):
    """Check a certificate and return its number of nodes. Raises BrokenProofError if the proof fails."""
    try:
        claim = certificate["claim"]
        return (check_compounding if "total" in claim else check_play)(claim, certificate)
    except (AttributeError, LookupError, RuntimeError, StopIteration, TypeError, ValueError) as error:
        raise BrokenProofError(f"this is no certificate ({type(error).__name__}: {error})") from None


def main(files):
    broken = 0
    for name in files:
        try:
            nodes = check(json.loads(Path(name).read_text(encoding="utf-8")))
            print(f"{name}: proved ({nodes:,} nodes)")
        except (BrokenProofError, OSError, ValueError) as error:
            broken += 1
            print(f"{name}: broken: {error}")
    return 1 if broken or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
