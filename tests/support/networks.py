"""Networks of random weights, as kernels read them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from solver.hints.network import Network


def random_network(seed: int, *sizes: int) -> Network:
    """A network with layers of these sizes, the inputs first."""
    random = np.random.default_rng(seed)
    shapes = [shape for before, size in pairwise(sizes) for shape in ((before, size), (size,))]
    return Network(*((0.3 * random.standard_normal(shape)).astype(np.float32) for shape in shapes))
