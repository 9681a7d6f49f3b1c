"""King × Alchemy in plain Python for `check_proof.py`: rounds with every card known, and decks.

A state is (hands, leader, trick, pile): each hand is a tuple of card codes in the order of the deck, the trick a
list of plays in order, and `pile` the set of cards the player has won; cards won by others don't matter. `bounds`
gives bounds on the player's whole score. This file needs no other part of Athanor.
"""

from functools import lru_cache
from itertools import combinations

KEYS = {"game", "deck", "leader", "trick", "hands", "won", "cards", "rules"}
OPTIONS = {"late_trump_does_not_lift", "no_bottom_when_trumped"}
TAKEN = 2  # cards of a trick that its winner takes besides its own


def read_deck(position):
    """Return the cards of a position's deck by their codes."""
    cards = {}
    for card in position["deck"]["card"]:
        recipe = card.get("recipe")
        numbers = [card["number"], card["vp"], *([recipe["bonus"]] if recipe else [])]
        if card["code"] in cards or not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError(f"the deck's card {card['code']} is wrong")
        cards[card["code"]] = card
    return cards


class Round:
    def __init__(self, position, player):
        self.player = player
        self.deck = read_deck(position)
        self.order = {code: index for index, code in enumerate(self.deck)}
        self.suits = list(position["deck"]["suits"])
        self.dancer = next(code for code, card in self.deck.items() if card["kind"] == "dancer")
        self.rules = position.get("rules", {})
        hands = tuple(self.sorted(hand) for hand in position["hands"])
        self.seats = len(hands)
        trick, leader, won = tuple(position["trick"]), position["leader"], position["won"]
        if not all(type(seat) is int and 0 <= seat < self.seats for seat in (player, leader)) or self.seats < 2:
            raise ValueError("there is no such seat")
        placed = [card for cards in (*hands, [*map(self.card, trick)], *won) for card in cards]
        if len(set(placed)) != len(placed) or not set(placed) <= set(self.deck) or len(trick) > self.seats:
            raise ValueError("there are no such cards")
        whole = [len(hand) + ((seat - leader) % self.seats < len(trick)) for seat, hand in enumerate(hands)]
        if len(set(whole)) != 1 or len(won) != self.seats or not all(self.suit(play) for play in trick):
            raise ValueError("the hands have other sizes")
        self.start = (hands, leader, trick, frozenset(won[player])), 0
        self.best = lru_cache(maxsize=None)(self.best)

    def sorted(self, cards):
        return tuple(sorted(cards, key=self.order.__getitem__))

    def card(self, play):
        """Return the card of a play; a played Dancer is written with the suit that it names, as in D:F."""
        return play.partition(":")[0] if play not in self.deck else play

    def suit(self, play):
        """Return the suit of a play: a letter, or "trump"."""
        card = self.card(play)
        if card == self.dancer:
            return self.suits[self.suits.index(play.partition(":")[2])]
        return self.deck[card].get("suit") or "trump"

    def strength(self, play):
        """Return a key that orders plays of one suit; the Dancer is below other cards of the same number."""
        card = self.card(play)
        return self.deck[card]["number"], card != self.dancer

    def lifted(self, trick):
        """Return the Dancer's index in the trick if a trump makes it the highest card, else None."""
        for index, play in enumerate(trick):
            if self.card(play) == self.dancer:
                others = trick[:index] if self.rules.get("late_trump_does_not_lift") else trick
                return index if any(self.suit(other) == "trump" for other in others) else None
        return None

    def winner(self, trick):
        """Return the place in a complete trick, from 0, of the card that wins it."""
        lifted = self.lifted(trick)
        if lifted is not None:
            return lifted
        suit = "trump" if any(self.suit(play) == "trump" for play in trick) else self.suit(trick[0])
        return max(
            (p for p, play in enumerate(trick) if self.suit(play) == suit), key=lambda p: self.strength(trick[p])
        )

    def bottom(self, trick):
        """Return the place of the bottom, the lowest card of the suit led, in a complete trick, or None."""
        lifted, won, suit = self.lifted(trick), self.winner(trick), self.suit(trick[0])
        places = [index for index, play in enumerate(trick) if self.suit(play) == suit and index != lifted]
        trumped = lifted is not None or self.suit(trick[won]) == "trump"
        if not places or (self.rules.get("no_bottom_when_trumped") and places == [0] and trumped):
            return None
        lowest = min(places, key=lambda index: self.strength(trick[index]))
        return None if lowest == won else lowest

    def turn(self, state):
        _, leader, trick, _ = state
        return (leader + (self.winner(trick) if len(trick) == self.seats else len(trick))) % self.seats

    def moves(self, state):
        hands, _, trick, _ = state
        if len(trick) == self.seats:
            return self.takings(trick)
        hand = hands[self.turn(state)]
        plays = [play for card in hand for play in self.named(card)]
        lead = self.suit(trick[0]) if trick else "trump"
        if lead != "trump" and any(card != self.dancer and self.suit(card) == lead for card in hand):
            return [play for play in plays if self.suit(play) in (lead, "trump")]
        return plays

    def named(self, card):
        return [f"{card}:{suit}" for suit in self.suits] if card == self.dancer else [card]

    def takings(self, trick):
        """Return the winner's options after a complete trick, such as "take F3 W1 give E9"."""
        won = self.winner(trick)
        rest = self.sorted(self.card(play) for index, play in enumerate(trick) if index != won)
        highest = self.deck[self.card(trick[won])]["number"]
        lower = [card for card in rest if self.deck[card]["number"] < highest]
        listed = []
        for taken in combinations(lower, min(TAKEN, len(lower))):
            text = f"take {' '.join(taken) or '-'}"
            left = [card for card in rest if card not in taken]
            gives = left and self.bottom(trick) is not None
            listed += [f"{text} give {card}" for card in left] if gives else [text]
        return listed

    def play(self, state, move):
        hands, leader, trick, pile = state
        seat = self.turn(state)
        if len(trick) < self.seats:
            card = self.card(move)
            hands = tuple(tuple(c for c in hand if other != seat or c != card) for other, hand in enumerate(hands))
            return (hands, leader, (*trick, move), pile), 0
        taken, _, gift = move.partition(" give ")
        if seat == self.player:
            pile |= {self.card(trick[self.winner(trick)]), *taken.split()[1:]} - {"-"}
        elif gift and (leader + self.bottom(trick)) % self.seats == self.player:
            pile |= {gift}
        return (hands, seat, (), pile), 0

    def bounds(self, state):
        """Return the least and the most that the player can score.

        The least is the score of the cards won so far. The most is the score with all cards in play added to them,
        as if recipes did not compete for cards.
        """
        hands, _, trick, pile = state
        least = self.points(pile) + self.best(pile)
        live = {card for hand in hands for card in hand} | set(map(self.card, trick))
        if not live:
            return least, least
        cards = pile | live
        return least, self.points(cards) + sum(recipe["bonus"] for _, recipe in self.makeable(cards))

    def points(self, cards):
        return sum(self.deck[card]["vp"] for card in cards)

    def makeable(self, cards):
        """Yield (code, recipe) for each recipe whose ingredients are all provided by other cards."""
        for code in cards:
            recipe = self.deck[code].get("recipe")
            if recipe:
                others = [self.deck[card].get("provides") for card in cards if card != code]
                if all(others.count(need) >= recipe["needs"].count(need) for need in recipe["needs"]):
                    yield code, recipe

    def best(self, pile):
        """Return the highest total bonus that the cards of a pile can make, using each card at most once."""
        supply = {}
        for card in pile:
            kind = self.deck[card].get("provides")
            supply[kind] = supply.get(kind, 0) + 1
        recipes = [
            (recipe["bonus"], [*recipe["needs"], *filter(None, [self.deck[code].get("provides")])])
            for code, recipe in self.makeable(pile)
        ]
        recipes.sort(key=lambda recipe: -recipe[0])
        most = 0

        def look(index, bonus):
            nonlocal most
            most = max(most, bonus)
            if bonus + sum(more for more, _ in recipes[index:]) <= most:
                return
            more, kinds = recipes[index]
            for kind in kinds:
                supply[kind] -= 1
            if all(supply[kind] >= 0 for kind in kinds):
                look(index + 1, bonus + more)
            for kind in kinds:
                supply[kind] += 1
            look(index + 1, bonus)

        look(0, 0)
        return most
