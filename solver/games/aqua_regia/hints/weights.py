"""The weights of Aqua Regia's plausible players; `benchmarks.aqua_learning` found PLAYER for the house deck."""

# fmt: off
PLAYER = (
    19.55, -2.02, -1.03, 11.61, 1.85, 1.22,  # to follow
    5.78, 10.75, -5.16, 16.88, 15.21, -8.16,  # to lead
    5.93, -1.45, 3.49, 5.34, -12.55, 19.78, 10.74, -5.31,  # to pass, and to exchange
)
# Who looks ahead: fitted as `benchmarks.aqua_watching` does, to 5,188 choices of hints of 400 games with three
# players that took all others for trained rule players. Hints have changed since: it finds somewhat other weights.
AHEAD = (
    0.81, 4.69, -0.77, -0.02, -0.4, -0.04,  # to follow
    0.35, 3.14, -1.28, 0.7, 0.4, -1.4,  # to lead
    1.87, -0.72, 0.21, 0.72, -1.69, 1.38, 0.04, 0.41,  # to pass, and to exchange
)
GREEDY = (
    20.0, -15.0, 0.0, 0.0, 0.0, 0.0,  # to follow
    20.0, -15.0, 0.0, 0.0, 0.0, 0.0,  # to lead
    -40.0, 0.0, -5.0, 20.0, -20.0, 0.0, 0.0, 5.0,  # to pass, and to exchange
)
# fmt: on
