"""The weights of Aqua Regia's plausible player: what `benchmarks.aqua_learning` found for the house deck."""

# fmt: off
PLAYER = (
    19.55, -2.02, -1.03, 11.61, 1.85, 1.22,  # to follow
    5.78, 10.75, -5.16, 16.88, 15.21, -8.16,  # to lead
    5.93, -1.45, 3.49, 5.34, -12.55, 19.78, 10.74, -5.31,  # to pass, and to exchange
)
# fmt: on
