"""Kirin in plain Python for `check_proof.py`: a round with every card known.

A state is (hands, leader, direction, trick): each hand is a tuple of cards in the order of the deck, the direction
is 1 if ascending and -1 if descending, and the trick lists its cards in the order played. The score is the number
of cards of the player's own colour that the player has won. This file needs no other part of Athanor.
"""

KEYS = {"game", "direction", "leader", "trick", "hands", "declared", "won", "rules"}
OPTIONS = {"declared_counts", "led_kirin_asks_only_kirin"}
COLOURS = "DSBG"  # from the strongest to the weakest when ascending
RANKS = "123456T+-"
DECK = [colour + rank for colour in COLOURS for rank in RANKS]
DIRECTIONS = {"ascending": 1, "descending": -1}
SEATS = 4


def colour_of(card, direction):
    """Return the strength of a card's colour in this direction (1 or -1): the higher, the stronger."""
    return -direction * COLOURS.index(card[0])


def rank_of(card, direction):
    """Return the strength of a card's rank in this direction: 0 for a kirin, which has none, and 7 for a trump."""
    if card[1] in "+-":
        return 0
    if card[1] == "T":
        return 7
    return int(card[1]) if direction > 0 else 7 - int(card[1])


class Round:
    def __init__(self, position, player):
        rules = position.get("rules", {})
        self.player = player
        self.only_kirin = rules.get("led_kirin_asks_only_kirin", False)
        hands = tuple(tuple(sorted(hand, key=DECK.index)) for hand in position["hands"])
        trick, leader = tuple(position["trick"]), position["leader"]
        declared, won = position["declared"], position["won"]
        if (
            type(player) is not int
            or player not in range(SEATS)
            or type(leader) is not int
            or leader not in range(4)
        ):
            raise ValueError("there is no such seat")
        cards = [card for cards in (*hands, trick, declared, *won) for card in cards]
        if len(set(cards)) != len(cards) or not set(cards) <= set(DECK) or (len(declared), len(won)) != (4, 4):
            raise ValueError("there are no such cards")
        whole = [len(hand) + ((seat - leader) % SEATS < len(trick)) for seat, hand in enumerate(hands)]
        if len(whole) != SEATS or len(set(whole)) != 1 or len(trick) >= SEATS:
            raise ValueError("the hands have other sizes")
        self.colour = declared[player][0]
        points = self.points(won[player]) + bool(rules.get("declared_counts"))
        self.start = (hands, leader, DIRECTIONS[position["direction"]], trick), points

    def points(self, cards):
        return sum(card[0] == self.colour for card in cards)

    def turn(self, state):
        _, leader, _, trick = state
        return (leader + len(trick)) % SEATS

    def moves(self, state):
        hands, _, direction, trick = state
        hand = hands[self.turn(state)]
        return [card for card in hand if trick and self.qualifies(card, trick[0], direction)] or list(hand)

    def qualifies(self, card, standard, direction):
        """Whether a follower who holds this card must play it or another qualifying card."""
        if colour_of(card, direction) <= colour_of(standard, direction):
            return False
        if card[1] in "+-":
            return True
        if standard[1] in "+-" and self.only_kirin:
            return False
        return rank_of(card, direction) > rank_of(standard, direction)

    def play(self, state, card):
        hands, leader, direction, trick = state
        seat = self.turn(state)
        hands = tuple(tuple(c for c in hand if other != seat or c != card) for other, hand in enumerate(hands))
        trick = (*trick, card)
        if len(trick) < SEATS:
            return (hands, leader, direction, trick), 0
        highest = max(range(SEATS), key=lambda p: (rank_of(trick[p], direction), colour_of(trick[p], direction)))
        after = self.turned(trick, direction)
        if rank_of(trick[highest], direction) == 0:  # four kirin: nobody wins
            return (hands, leader, after, ()), 0
        winner = (leader + highest) % SEATS
        return (hands, winner, after, ()), self.points(trick) if winner == self.player else 0

    def turned(self, trick, direction):
        """Return the direction after a trick, set by the strongest kirin in it.

        It stays unchanged without kirin, or if both kirin of the strongest colour were played.
        """
        kirin = [card for card in trick if card[1] in "+-"]
        if not kirin:
            return direction
        strongest = max(kirin, key=lambda card: colour_of(card, direction))[0]
        signs = [card[1] for card in kirin if card[0] == strongest]
        return direction if len(signs) == 2 else 1 if signs == ["+"] else -1

    def bounds(self, state):
        """Return the least and the most that the player can still win, given the cards in play."""
        hands, _, _, trick = state
        return 0, sum(map(self.points, hands)) + self.points(trick)
