"""What games of tricks share, for any number of seats and any deck.

`rules` is what a game says of its rules. From the bottom up: `fields` (closed models, places, seats), `history`
(the past, and what it excludes), `positions` and `cards` (mixins for positions and views), `questions` and `moves`
(what may be asked and played). A plain game comes ready-made: `plain` and `state` (positions and their moves),
`records`, `describe`, `playing`, `face` (where all that lies), `plain_analysis`, `plain_hint`, and `plain_search`
(both of these from rules for the search). Analyses of any game of tricks are made with `analysis`, `player_score`
and `maxn`.
"""
