"""The types of the arrays that kernels work on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.int64]
Floats = NDArray[np.float64]
