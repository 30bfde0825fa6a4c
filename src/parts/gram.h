/* Forces of a reduced block without its points. With z_q = sum_i b_qi c_i at every point, the
   strains of Green and Lagrange,

       E_qr = (z_q . z_r - delta_qr)/2 = (sum_ij b_qi b_rj g_ij - delta_qr)/2,   g_ij = c_i . c_j,

   depend on the products of amplitudes alone, which no rotation changes, and they do so linearly.
   Where the energy is a quadratic form of them and of the temperatures, so is that of all points
   together,

       W = |s|^2/2,   s = e + U (g - g0) + T theta,

   with as many s as that form has ranks, however fine the mesh. Nothing is left out but what is
   round-off. */
#ifndef GOS_GRAM_H
#define GOS_GRAM_H

#include "parts/parts.h"

/* What a law says of itself at a point: energy (E - theta a)^T C (E - theta a)/2, viscous stress V
   E', heat -T0 a^T C E'. Strains are E11 E22 E33 2E12 2E23 2E13; matrices are symmetric. */
struct gos_green {
    double C[36], V[36], a[6], T0;
};

/* Pairs (i, j) of amplitudes with i <= j are in rows of i. */
struct gos_gram {
    int m,
        all; // amplitudes; with three fixed ones behind them, the axes, where z has a constant part
    int pairs;       // all (all + 1)/2
    int nt;          // temperatures
    int rank, vrank; // rows of the elastic and of the viscous form
    double T0;       // [K]
    double *g0;      // (pairs)
    double *U, *V;   // (rank, pairs), (vrank, pairs)
    double *dU, *dV; // derivatives of s by c_i are sum_j d_ij c_j: (rank, m, all), (vrank, m, all)
    double *e, *T;   // (rank), (rank, nt)
};

static inline int gos__gram_pair(int all, int i, int j) {
    return i <= j ? i * all - i * (i - 1) / 2 + j - i : j * all - j * (j - 1) / 2 + i - j;
}

/** Scratch of the two below [doubles]. */
size_t gos__gram_work(const gos_gram *k);
/** Add forces, heat, energy and power of the block; energy and power go to *energy and *power. */
void gos__gram_residual(const gos_points *p, const gos_points_sum *s, double *energy, double *power,
                        double *work);
/** As gos__points_tangent_dense. */
void gos__gram_tangent(const gos_points *p, const gos_points_sum *s, const gos_points_factors *f,
                       int n, int nq, double *values, double *work);

#endif
