"""Whist: four hands of eight cards, partners sit opposite, a suit is trumps or none is."""

from dataclasses import replace

from solver.game import Face
from solver.tricks.plain import PLAIN_GAME

GAME = Face(
    __name__,
    name="whist",
    title="Whist",
    players=(4, 4),
    variants={
        "trumps": "a suit is trumps: clubs, diamonds, hearts and spades in turn from deal to deal",
        "no-trumps": "no suit is trumps",
    },
    models=("paranoid", "ally", "maxn"),
    places=replace(
        PLAIN_GAME,
        position_type=".positions:Position",
        record_type=".positions:Record",
        deal=".positions:deal",
        analyze=".search:analyze",
        hint=".search:hint",
        warm=(".search:warm",),
    ),
    record_help="""\
whist: the cards that each seat has won, for one to four rounds.
  {"game": "whist", "rounds": [{"won": [["CA", "C2", …], […], […], […]]}]}""",
)
