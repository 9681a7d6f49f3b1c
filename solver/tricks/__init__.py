"""What games of tricks share, for any number of seats and any deck.

`rules` is what a game says of its rules. From the bottom up: `fields` (closed models, places, seats), `history`
(the past, and what it excludes), `positions` and `cards` (mixins for positions and views), `questions` and `moves`
(what may be asked and played). A plain game comes ready-made: `plain` and `state` (positions and their moves),
`records`, `describe`, `playing`, `face` (where all that lies), and `plain_analysis`. Analyses of any such game are
made with `analysis`, `player_score` and `maxn`.
"""
