"""Reduction of somebody's matrices: a plate of springs and masses as its author has it in numpy or scipy, reduced by Krylov
vectors to a tolerance on a band, with the error that was measured.

    python3 matrices.py
"""
import numpy as np

import gossamer as gos

N = 24  # nodes along each side
try:
    from scipy import sparse

    line = sparse.diags([2 * np.ones(N), -np.ones(N - 1), -np.ones(N - 1)], [0, 1, -1])
    one = sparse.identity(N)
    K = 1e4 * (sparse.kron(line, one) + sparse.kron(one, line)).tocsc()
    M = sparse.identity(N * N).tocsc()
except ImportError:
    print("scipy is not installed: dense matrices")
    line = 2 * np.eye(N) - np.eye(N, k=1) - np.eye(N, k=-1)
    K = 1e4 * (np.kron(line, np.eye(N)) + np.kron(np.eye(N), line))
    M = np.eye(N * N)

B = np.zeros((N * N, 1))
B[N * 5 + 7] = 1
C = np.zeros((2, N * N))
C[0, N * 5 + 7] = C[1, N * 17 + 11] = 1
plate = gos.matrices(M=M, D=1e-4 * K, K=K, B=B, C=C, inputs=[("shaker", "N")], outputs=[("here", "m"), ("there", "m")])
print(plate)
print(plate.modes(5))

exact = 2 * np.sqrt(2e4) * np.sin(np.pi / (2 * (N + 1))) / (2 * np.pi)
assert abs(plate.modes(1)[0]["frequency"] / exact - 1) < 1e-12

band = (0.5, 8.0)
small = plate.reduce("krylov", tolerance=1e-4, band=band)
print(small.report)
error = plate.compare(small, band)
print(f"{small.info['coordinates']} of {plate.info['coordinates']} coordinates, relative error {error['relative']:.2e} on "
      f"{band[0]} to {band[1]} Hz")
assert error["relative"] < 1e-4

A, B, C, D = small.state_space()
poles = np.linalg.eigvals(A)
print(f"state space of {len(A)} states, all poles left of {poles.real.max():.3g} 1/s")
assert poles.real.max() < 0
