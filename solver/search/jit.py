from solver.kernels.jit import inlined as inlined, kernel as kernel, lean as lean
