from solver.kernels.jit import inlined as inlined
from solver.kernels.jit import kernel as kernel
from solver.kernels.jit import lean as lean
