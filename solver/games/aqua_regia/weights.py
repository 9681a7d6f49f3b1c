"""The weights of Aqua Regia's plausible player: what `benchmarks.aqua_learning` found for the house deck."""

# fmt: off
PLAYER = (
    4.77, -0.82, -0.51, 2.66, -0.1, 0.15,  # to follow
    2.03, 3.0, -1.17, 3.31, 2.94, -1.74,  # to lead
    1.4, -0.4, 0.38, 2.2, -2.18, 3.36, 3.66, -1.28,  # to pass, and to exchange
)
# fmt: on
