/* State of the damped eigenproblem: directions (damped.c), projected solution and pairs of real
   roots (projected.c), completeness (completeness.c). */
#ifndef GOS_QUADRATIC_H
#define GOS_QUADRATIC_H

#include "linear/linear.h"

/* Temperatures in the damped problem, with separate directions (thermal_directions.c). */
typedef struct gos_quadratic_heat {
    int n, nz;          // temperatures, free directions
    int m, cap;         // directions, capacity
    int solved;         // directions of the last projection
    double least;       // smallest tau
    double fastest;     // largest rate
    double rounding;    // round-off threshold of zero roots
    int wanted;         // number of slowest thermal roots to converge
    double *V;          // (n, cap), orthonormal in C_T
    double scale;       // theta = scale V c: |c|^2 / 2 is comparable with the kinetic energy
    gos_saddle *saddle; // symmetric part of K_T + tau C_T
    double *work;       // (n, GOS_HEAT_WORK)
    gos_root *root;     // thermal roots of the projection, slowest first
    int *column;        // columns of their vectors
    int nroot;
} gos_quadratic_heat;

/* A damped mode: conjugate pair, or two real roots of an overdamped mode. */
typedef struct gos_unit {
    double key;       // sort key: omega, negative if unstable without oscillation
    double re[2], im; // im > 0: pair re[0] +- i im
    int root[2];      // columns of the vectors
    int whirl;        // 1 forward, -1 backward, 0 none
    bool rigid;
} gos_unit;

/* A root to converge. */
typedef struct gos_target {
    double re, im;
    double tau;    // near |s|
    int column[2]; // columns of its vectors
    bool thermal;  // a root of first-order states
    bool done;     // in this round, or settled
} gos_target;

typedef struct gos_quadratic {
    gos_ctx *ctx;
    const gos_linear *l;
    const gos_sparse *D, *K;  // D NULL: undamped
    gos_sparse S;             // symmetric part of D
    gos_sparse skew;          // skew part, if D is only that
    int n, nz;                // order, free directions
    int nidle;                // rigid modes without damping: double root 0, excluded
    int nfree;                // damped rigid modes with one root 0 each
    int nrigid;               // rigid modes that are not idle
    int m, cap, m0;           // directions, capacity, number of undamped modes
    double *V;                // (n, nidle + cap), M-orthonormal: idle ones first
    double *lambda0;          // of the undamped modes (m0)
    gos_saddle *saddle;       // created on demand
    double least;             // smallest tau
    double slowest;           // lowest frequency, or least [rad/s]
    double *work;             // (n, GOS_QUADRATIC_WORK), then (2 nt)
    double *small;            // matrices of the projected problem
    double *gyration;         // skew part of D in projected modes (m, m); NULL: none
    double *lambda, *W;       // undamped modes of the projection (m), (m, m)
    double *w;                // scales (m)
    int solved;               // directions of the last projection
    int nroots;               // roots of the projection: 2 m plus thermal directions
    double *re, *im, *Y;      // roots and vectors (nroots), (nroots, nroots)
    double *left;             // left vectors in the same layout; NULL without heat
    bool *thermal;            // thermal roots (nroots)
    bool whole;               // the projection is complete
    int most_whole;           // first-order unknowns up to which it is
    int omitted;              // for tests: mode and field omitted from the initial basis, from 1
    gos_quadratic_heat *heat; // NULL: constant temperatures
    struct gos_block_correction *blocks; // NULL: inactive
    bool one_by_one;                     // single-root corrections only
    struct gos_complex_shifts *shifts;   // NULL: real shifts
    gos_root *settled;                   // roots with accurate vectors (nsettled)
    int nsettled;
    gos_unit *unit;
    int nunit;
} gos_quadratic;

/** Project on V and compute all roots. */
gos_status gos__quadratic_solve(gos_quadratic *q);
/** Assemble modes from roots, lowest first. */
gos_status gos__quadratic_units(gos_quadratic *q);
gos_status gos__quadratic_pair(gos_quadratic *q);
/** Add a displacement unless dependent; overwrites z, scratch (n). */
gos_status gos__quadratic_add(gos_quadratic *q, double *z, double *scratch, int *added);
/** Prepare complex shifts (complex_shifts.h). */
gos_status gos__quadratic_begin_shifts(gos_quadratic *q);
/** Extend the basis until the first n modes and the requested thermal roots are accurate. */
gos_status gos__quadratic_iterate(gos_quadratic *q, int n);
/** Search for missing roots; notes report remaining gaps. */
gos_status gos__quadratic_verify(gos_quadratic *q, int n);
/** Initial thermal directions: the slowest fields and those heated by the undamped modes in q,
 *  as many as requested roots. */
gos_status gos__thermal_begin(gos_quadratic *q);
void gos__thermal_free(gos_quadratic *q);
/** Add thermal terms to the projected matrix A (nroots, nroots), whose last heat->m rows and
 *  columns are zero, and set the scale. */
gos_status gos__thermal_project(gos_quadratic *q, double *A);
/** Temperatures theta (n) of a column of the projection. */
void gos__thermal_expand(const gos_quadratic *q, int column, double *theta);
/** z := z - V V^T C_T z, scratch Cz (heat->n); returns its norm. */
double gos__thermal_orthogonalise(const gos_quadratic *q, double *z, double *Cz);
/** Add a thermal direction unless dependent; overwrites z, scratch (n). Requires a factorised
 *  saddle. */
gos_status gos__thermal_add(gos_quadratic *q, double *z, double *scratch, int *added);
/** capacity norm of theta (heat->n) */
double gos__thermal_norm(gos_quadratic *q, const double *theta);
/** Collect the thermal roots of the projection, slowest first. */
gos_status gos__thermal_roots(gos_quadratic *q);
/** Heat residual of root re + i im with displacements x[2] and temperatures theta[2] (real,
 *  imaginary), relative to its terms, at least to a fraction of `size`, the square root of the
 *  mode's energy; adds directions if needed. Requires a factorised saddle. */
gos_status gos__thermal_improve(gos_quadratic *q, double re, double im, double size, double *x[2],
                                double *theta[2], double *worst, int *added);
/** Set the whirl of all units. */
gos_status gos__quadratic_whirls(gos_quadratic *q);

#define GOS_WHOLE 1500     // most first-order unknowns for solution by LAPACK
#define GOS_SWINGS 0.1     // smallest |im| / |re| of roots found by complex shifts
#define GOS_ACCURATE 1e-8  // required relative residual
#define GOS_DEPENDENT 1e-8 // relative norm of a dependent direction
// relative to a mode's energy norm: reference of residuals of nearly static parts
#define GOS_WEAK 1e-6
#define GOS_HEAT_WORK 12
#define GOS_QUADRATIC_WORK 14

#endif
