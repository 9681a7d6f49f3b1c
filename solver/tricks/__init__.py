"""What games of tricks share, for any number of seats and any deck.

`rules` is what a game says of its rules. From the bottom up: `fields` (closed models, places, seats), `history`
(the past, and what it excludes), `positions` and `cards` (mixins for positions and views), `questions` and `moves`
(what may be asked and played). `plain`, with `records`, `describe`, `playing` and `face`, is a game ready-made.
"""
