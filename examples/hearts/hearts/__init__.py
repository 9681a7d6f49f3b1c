"""Hearts without passing: thirteen cards each, nobody has a partner, and points are to be avoided."""

from solver.tricks import FRENCH_SUITS, PlainTrickGame


class Hearts(PlainTrickGame):
    package = __name__
    name = "hearts"
    title = "Hearts"
    about = "Four players, thirteen tricks. Take no hearts, and not the queen of spades."
    players = (4, 4)
    suits = FRENCH_SUITS
    variants = {
        "moon": "who takes all 26 points loses none, and the others lose 26 each",
        "no-moon": "who takes all 26 points loses them",
    }
    models = ("paranoid", "ally", "maxn")
    places = {"playing": ".position:HeartsPlaying"}
    record_help = """\
hearts: the cards that each seat has won, for one to four rounds.
  {"game": "hearts", "moon": true,
   "rounds": [{"won": [["CA", "C2", …], […], […], […]]}]}"""


GAME = Hearts()
