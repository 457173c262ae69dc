"""The two ways this project compiles a function: called, or put in place of the call.

Divisions follow numpy, so that no kernel can raise; `fastmath` stays off. Where numba is told to do
nothing (`NUMBA_DISABLE_JIT=1`) the functions run as plain Python and play the same games.
"""

from __future__ import annotations

from numba import njit

jit = njit(error_model="numpy")
inline = njit(error_model="numpy", inline="always")
driver = njit(error_model="numpy", nogil=True, cache=True)
