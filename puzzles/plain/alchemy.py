"""The solitaires of Alchemy with a known stock, in plain Python for `check_proof.py`.

The score is 1 for a won game and 0 for a lost one. The state of a game in play is (cap, line, card), where `card`
counts the cards drawn from the stock, as hands or into the line. The state of a finished game is "won" or "lost".
This file needs no other part of Athanor.
"""

KEYS = {"game", "variant", "cap", "line", "hand", "stock", "rules"}
OPTIONS = {"alternative_without_cap_loss"}
RANKS = {"A": 1, **{str(number): number for number in range(2, 11)}, "J": 11, "Q": 12, "K": 13}
NAMES = {rank: name for name, rank in RANKS.items()}
# For each variant: the first length of the line, the fewest line cards of a match, the highest rank.
VARIANTS = {"solo": (6, 3, 13), "alternative": (4, 1, 10)}


class Round:
    player = 0

    def __init__(self, position, player):
        cap, self.fewest, highest = VARIANTS[position["variant"]]
        rules = position.get("rules", {})
        self.lost_at = (
            0 if rules.get("alternative_without_cap_loss") and position["variant"] == "alternative" else 2
        )
        self.drawn = [RANKS[card] for card in (position["hand"], *position["stock"])]
        line = sorted(RANKS[card] for card in position["line"])
        cards = self.drawn + line
        if player != 0 or max(cards) > highest or any(cards.count(rank) > 4 for rank in cards):
            raise ValueError("there is no such position")
        if type(position["cap"]) is not int or not self.lost_at < position["cap"] <= cap:
            raise ValueError("there is no such cap")
        if len(line) > position["cap"] or (len(line) < position["cap"] and position["stock"]):
            raise ValueError("the line has another length than the cap")
        self.start = (position["cap"], tuple(line), 0), 0

    def turn(self, state):
        return 0

    def moves(self, state):
        """Return every match, as the line cards that it uses; if there is none, every discard."""
        if isinstance(state, str):
            return []
        _, line, card = state
        hand, matches = self.drawn[card], set()
        for chosen in range(1, 1 << len(line)):
            used = [rank for index, rank in enumerate(line) if chosen >> index & 1]
            if (
                len(used) >= self.fewest
                and (hand + sum(used)) % 2 == 0
                and sums(used, (hand + sum(used)) // 2 - hand)
            ):
                matches.add(tuple(used))
        if matches:
            return [" ".join(NAMES[rank] for rank in used) for used in sorted(matches)]
        return [f"discard {NAMES[rank]}" for rank in sorted(set(line))]

    def play(self, state, move):
        cap, line, card = state
        words = move.split()
        left = list(line)
        for word in words[1:] if words[0] == "discard" else words:
            left.remove(RANKS[word])
        cap -= words[0] == "discard"
        card += 1
        drawn = self.drawn[card : card + max(0, cap - len(left))]
        left += drawn
        card += len(drawn)
        if card == len(self.drawn):
            return "won", 0
        if cap <= self.lost_at:
            return "lost", 0
        return (cap, tuple(sorted(left)), card), 0

    def bounds(self, state):
        if isinstance(state, str):
            return (1, 1) if state == "won" else (0, 0)
        return (1, 1) if state[2] == len(self.drawn) - 1 else (0, 1)  # the last card is drawn: won either way


def sums(ranks, target):
    """Whether some of the ranks sum to `target`."""
    if target <= 0 or not ranks:
        return target == 0
    return sums(ranks[1:], target - ranks[0]) or sums(ranks[1:], target)
