"""Aqua Regia in plain Python for `check_proof.py`: a game with every card known.

A state is (hands, turn, field, reversed, table, owner, drawn, pile). A hand and the discard pile hold the number
of cards of each metal, the table the plays of the current trick as (metal, count); `drawn` is the number of cards
drawn from the stock. The score is 1 if the player goes out first, else 0. This file needs no other part
of Athanor.
"""

KEYS = {"game", "deck", "field", "reversed", "turn", "table", "owner", "discard", "hands", "stock", "rules"}
OPTIONS = {"reactivity_one_follows_single"}
FIELDS = ["water", "vapor", "acid", "aqua-regia"]
MOST = 4  # cards in a play; that many reverse the order of the fields


class Round:
    def __init__(self, position, player):
        self.player = player
        deck = position["deck"]
        self.symbols = [metal["symbol"] for metal in deck["metal"]]
        self.reactivity = [[metal["reactivity"][field] for metal in deck["metal"]] for field in FIELDS]
        self.copies = deck["copies"]
        self.pairs = (position.get("rules", {})).get("reactivity_one_follows_single", False)
        self.stock = [self.symbols.index(card) for card in position["stock"]]
        hands = tuple(self.counts(hand) for hand in position["hands"])
        pile = self.counts(position["discard"])
        table, owner, turn = (), position.get("owner"), position["turn"]
        for metal in map(self.symbols.index, position["table"]):
            joins = bool(table) and table[-1][0] == metal
            table = (*table[:-1], (metal, table[-1][1] + 1)) if joins else (*table, (metal, 1))
        seats = [player, turn, *([owner] if table else [])]
        if not all(type(seat) is int and 0 <= seat < len(hands) for seat in seats) or len(hands) < 2:
            raise ValueError("there is no such seat")
        if (not table and owner is not None) or owner == turn or not any(map(any, self.reactivity)):
            raise ValueError("the owner of the table is wrong")
        placed = [*hands, pile, self.counts(position["stock"]), self.counts(position["table"])]
        totals = [sum(cards[metal] for cards in placed) for metal in range(len(self.symbols))]
        if max(totals) > self.copies or len(set(self.symbols)) != len(self.symbols):
            raise ValueError("there are too many cards of a metal")
        if not all(type(react) is int and react >= 0 for row in self.reactivity for react in row):
            raise ValueError("a reactivity is wrong")
        if not all(any(row[metal] for row in self.reactivity) for metal in range(len(self.symbols))):
            raise ValueError("a metal can't be played")
        field = FIELDS.index(position["field"])
        state = hands, turn, field, position["reversed"] is True, table, owner, 0, pile
        self.start = self.settled(state), 0

    def counts(self, cards):
        if not set(cards) <= set(self.symbols):
            raise ValueError("there are no such cards")
        return tuple(cards.count(symbol) for symbol in self.symbols)

    def settled(self, state):
        """Give the lead to the next seat that can lead, changing the field while nobody can; return the state."""
        hands, turn, field, turned, table, owner, drawn, pile = state
        while not table and all(map(any, hands)):
            for step in range(len(hands)):
                dealer = (turn + step) % len(hands)
                if any(held and self.reactivity[field][metal] for metal, held in enumerate(hands[dealer])):
                    return hands, dealer, field, turned, table, owner, drawn, pile
            field = self.next(field, turned)
        return hands, turn, field, turned, table, owner, drawn, pile

    def next(self, field, turned):
        return (field + (-1 if turned else 1)) % len(FIELDS)

    def turn(self, state):
        return state[1]

    def moves(self, state):
        hands, turn, field, _, table, _, drawn, pile = state
        if not all(map(any, hands)):
            return []
        hand = hands[turn]
        listed = []
        for metal, held in enumerate(hand):
            for count in range(1, min(held, MOST) + 1):
                if table and (metal <= table[-1][0] or count - table[-1][1] not in (0, 1)):
                    continue
                alone = count == 1 or (self.pairs and count == 2 and table and table[-1][1] == 1)
                if self.reactivity[field][metal] >= (1 if alone else 2):
                    listed.append(" ".join([self.symbols[metal]] * count))
        if table:
            hand = self.with_drawn(hand, drawn)
            listed.append("pass")
            olds = [old for old, held in enumerate(hand) if held]
            news = [new for new, there in enumerate(pile) if 0 < there < self.copies]
            listed += [
                f"pass {self.symbols[old]}>{self.symbols[new]}" for old in olds for new in news if new > old
            ]
        return listed

    def with_drawn(self, hand, drawn):
        return changed(hand, self.stock[drawn], 1) if drawn < len(self.stock) else hand

    def play(self, state, move):
        hands, turn, field, turned, table, owner, drawn, pile = state
        hand, following = hands[turn], (turn + 1) % len(hands)
        words = move.split()
        if words[0] != "pass":
            metal, count = self.symbols.index(words[0]), len(words)
            hands = (*hands[:turn], changed(hand, metal, -count), *hands[turn + 1 :])
            table = (*table, (metal, count))
            turned = turned != (count == MOST)
            return self.settled((hands, following, field, turned, table, turn, drawn, pile)), 0
        hand = self.with_drawn(hand, drawn)
        drawn = min(drawn + 1, len(self.stock))
        if len(words) > 1:
            old, new = map(self.symbols.index, words[1].split(">"))
            hand = changed(changed(hand, old, -1), new, 1)
            pile = changed(changed(pile, old, 1), new, -1)
        hands = (*hands[:turn], hand, *hands[turn + 1 :])
        if following == owner:  # all others have passed
            for metal, count in table:
                pile = changed(pile, metal, count)
            table, owner, field = (), None, self.next(field, turned)
        return self.settled((hands, following, field, turned, table, owner, drawn, pile)), 0

    def bounds(self, state):
        out = [seat for seat, hand in enumerate(state[0]) if not any(hand)]
        if not out:
            return 0, 1
        return (1, 1) if out[0] == self.player else (0, 0)


def changed(counts, metal, by):
    """Return the counts of the metals with `by` added to the count of `metal`."""
    return (*counts[:metal], counts[metal] + by, *counts[metal + 1 :])
