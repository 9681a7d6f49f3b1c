"""Whist: four hands of eight cards, partners opposite each other, with a trump suit or without."""

from solver.tricks import FRENCH_SUITS, PlainTrickGame


class Whist(PlainTrickGame):
    package = __name__
    name = "whist"
    title = "Whist"
    about = "Four players, two against two. Win tricks; a suit may be trumps."
    players = (4, 4)
    suits = FRENCH_SUITS
    variants = {
        "trumps": "a suit is trumps: clubs, diamonds, hearts and spades in turn from deal to deal",
        "no-trumps": "no suit is trumps",
    }
    sides = (0, 1, 0, 1)
    models = ("paranoid", "ally", "maxn")
    record_help = """\
whist: the cards that each seat has won, for one to four rounds.
  {"game": "whist", "rounds": [{"won": [["CA", "C2", …], […], […], […]]}]}"""


GAME = Whist()
