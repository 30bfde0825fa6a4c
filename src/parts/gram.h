/* Forces of a reduced block without integration points. With z_q = sum_i b_qi c_i, the
 * Green-Lagrange strains
 *
 *     E_qr = (z_q . z_r - delta_qr)/2 = (sum_ij b_qi b_rj g_ij - delta_qr)/2,   g_ij = c_i . c_j,
 *
 * are linear in the rotation-invariant products g_ij. If the energy is quadratic in strains and
 * temperatures, the sum over all points is
 *
 *     W = |s|^2/2,   s = e + U (g - g0) + T theta,
 *
 * where the length of s is the rank of that form, independent of the mesh. Exact up to
 * round-off. */
#ifndef GOS_GRAM_H
#define GOS_GRAM_H

#include "parts/law.h"

/* Quadratic form of a law: energy (E - theta a)^T C (E - theta a)/2, viscous stress V E', heat -T0
 * a^T C E'. Strains E11 E22 E33 2E12 2E23 2E13; symmetric matrices. */
struct gos_green {
    double C[36], V[36], a[6], T0;
};

/* Pairs (i, j), i <= j, are ordered by rows. */
struct gos_gram {
    int m,
        all;         // amplitudes; plus three fixed axes if z has a constant part
    int pairs;       // all (all + 1)/2
    int nt;          // temperatures
    int rank, vrank; // of the elastic and viscous forms
    double T0;       // [K]
    double *g0;      // (pairs)
    double *U, *V;   // (rank, pairs), (vrank, pairs)
    double *dU, *dV; // ds/dc_i = sum_j d_ij c_j: (rank, m, all), (vrank, m, all)
    double *e, *T;   // (rank), (rank, nt)
};

static inline int gos__gram_pair(int all, int i, int j) {
    return i <= j ? i * all - i * (i - 1) / 2 + j - i : j * all - j * (j - 1) / 2 + i - j;
}

/** Work size of the functions below [doubles]. */
size_t gos__gram_work(const gos_gram *k);
/** Adds forces, heat, energy and power of the block. */
void gos__gram_residual(const gos_points *p, const gos_points_sum *s, double *energy, double *power,
                        double *work);
/** As gos__points_tangent_dense. */
void gos__gram_tangent(const gos_points *p, const gos_points_sum *s, const gos_points_factors *f,
                       int n, int nq, double *values, double *work);

#endif
