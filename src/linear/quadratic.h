/* The damped problem while it is being solved: damped.c chooses the directions, projected.c solves
   the problem on them, pairs.c finds which real roots are one mode, completeness.c checks that no
   root is missing. */
#ifndef GOS_QUADRATIC_H
#define GOS_QUADRATIC_H

#include "linear/linear.h"

/* Temperatures that take part in the damped problem: directions of their own beside those of the
   displacements (thermal_directions.c). */
typedef struct gos_quadratic_heat {
    int n, nz;       // temperatures, free directions
    int m, cap;      // directions, room for them
    int solved;      // directions of the projection that was solved last
    double least;    // smallest tau
    double fastest;  // largest rate
    double rounding; // roots of this size are 0
    int wanted;      // slowest thermal roots that shall converge
    double *V;       // (n, cap), orthonormal in C_T
    double scale;    // theta = scale V c: then |c|^2 / 2 and the kinetic energy are of one measure
    gos_saddle *saddle; // of K_T + tau C_T, symmetric part
    double *work;       // (n, GOS_HEAT_WORK)
    gos_root *root;     // thermal roots of the projection, slowest first
    int *column;        // their vectors
    int nroot;
} gos_quadratic_heat;

/* One mode of the damped problem: a conjugate pair, or the two real roots of an overdamped mode. */
typedef struct gos_unit {
    double key;       // order: omega, negative when unstable without oscillation
    double re[2], im; // im > 0: a pair re[0] +- i im
    int root[2];      // columns of the vectors
    bool rigid;
} gos_unit;

/* A root that shall converge. */
typedef struct gos_target {
    double re, im;
    double tau;    // near |s|
    int column[2]; // of its vectors
    bool thermal;  // a root of first-order states
    bool done;     // in this round, or settled
} gos_target;

typedef struct gos_quadratic {
    gos_ctx *ctx;
    const gos_linear *l;
    const gos_sparse *D, *K;  // D NULL: without
    gos_sparse S;             // the symmetric part of D
    gos_sparse skew;          // the skew part, where D is no more than that
    int n, nz;                // order, free directions
    int nidle;                // rigid modes that D leaves alone: s = 0 twice, kept out
    int nfree;                // rigid modes that D slows down: s = 0 once each
    int nrigid;               // rigid modes that are not idle
    int m, cap, m0;           // directions, room for them, those that are undamped modes
    double *V;                // (n, nidle + cap), M-orthonormal: idle ones first
    double *lambda0;          // of the undamped modes (m0)
    gos_saddle *saddle;       // made when directions are missing
    double least;             // smallest tau
    double slowest;           // lowest frequency, or least [rad/s]
    double *work;             // (n, GOS_QUADRATIC_WORK), then (2 nt)
    double *small;            // matrices of the projected problem
    double *gyration;         // skew part of D in modes of the projection (m, m); NULL: none
    double *lambda, *W;       // undamped modes of the projection (m), (m, m)
    double *w;                // scales (m)
    int solved;               // directions of the projection that was solved last
    int nroots;               // of the projection: 2m, and the directions of heat
    double *re, *im, *Y;      // roots and vectors (nroots), (nroots, nroots)
    double *left;             // left vectors, stored alike; NULL without heat
    bool *thermal;            // roots of first-order states rather than of modes (nroots)
    bool whole;               // the projection has all free directions
    int most_whole;           // unknowns of first order up to which it has
    int omitted;              // mode and field that are left out of the first basis, from 1; tests
    gos_quadratic_heat *heat; // NULL: temperatures stand still
    struct gos_block_correction *blocks; // NULL: not in use
    bool one_by_one; // roots are corrected one by one: block corrections do not apply
    struct gos_complex_shifts *shifts; // NULL: directions come from real shifts
    gos_root *settled;                 // whose vectors are accurate (nsettled)
    int nsettled;
    gos_unit *unit;
    int nunit;
} gos_quadratic;

/** Project on V, and find all roots of the projection. */
gos_status gos__quadratic_solve(gos_quadratic *q);
/** Gather the roots to modes, lowest first. */
gos_status gos__quadratic_units(gos_quadratic *q);
/** Add a unit for every two real roots: those of one overdamped mode together. */
gos_status gos__quadratic_pair(gos_quadratic *q);
/** Add a displacement to the basis unless it lies in it already; z is changed, scratch (n). */
gos_status gos__quadratic_add(gos_quadratic *q, double *z, double *scratch, int *added);
/** Prepare directions about complex shifts (complex_shifts.c). */
gos_status gos__quadratic_begin_shifts(gos_quadratic *q);
/** Solve the projection and add directions until the modes that fill n entries, and the thermal
 * roots wanted, are accurate. */
gos_status gos__quadratic_iterate(gos_quadratic *q, int n);
/** Search for roots that are missing among these; a gap that remains is noted (completeness.c). */
gos_status gos__quadratic_verify(gos_quadratic *q, int n);
/** Room for directions of temperatures, and the first of them: the slowest fields, those that the
 *  undamped modes in q heat, as many as thermal roots are wanted. */
gos_status gos__thermal_begin(gos_quadratic *q);
void gos__thermal_free(gos_quadratic *q);
/** Put what temperatures do into the projected matrix A (nroots, nroots), and set the scale; the
 * other entries of its last heat->m columns and rows are zero. */
gos_status gos__thermal_project(gos_quadratic *q, double *A);
/** Temperatures of a column of the projection's vectors, theta (n). */
void gos__thermal_expand(const gos_quadratic *q, int column, double *theta);
/** z := z - V V^T C_T z, with scratch Cz (heat->n); returns what is left. */
double gos__thermal_orthogonalise(const gos_quadratic *q, double *z, double *Cz);
/** Add a direction of temperatures unless it is there already; z and scratch (n) are changed. The
 * saddle is factorised. */
gos_status gos__thermal_add(gos_quadratic *q, double *z, double *scratch, int *added);
/** The norm of temperatures by their capacity, theta (heat->n) */
double gos__thermal_norm(gos_quadratic *q, const double *theta);
/** Gather the thermal roots of the projection, slowest first. */
gos_status gos__thermal_roots(gos_quadratic *q);
/** Residual of heat of the root re + i im with displacements x[2] and temperatures theta[2] (real
 * and imaginary parts): relative to its terms, and not less than to a small part of `size`, the
 * root of the mode's energy; directions that are missing are added. The saddle is factorised. */
gos_status gos__thermal_improve(gos_quadratic *q, double re, double im, double size, double *x[2],
                                double *theta[2], double *worst, int *added);
/** Does a mode whirl with the rotation, 1, against it, -1, or neither, 0? */
int gos__quadratic_whirl(const gos_quadratic *q, const gos_unit *u);

#define GOS_WHOLE 1500 // unknowns of first order up to which LAPACK finds all roots
#define GOS_SWINGS                                                                                 \
    0.1 // imaginary part relative to the real one of roots that are found about complex shifts
#define GOS_ACCURATE 1e-8  // relative residual of a mode
#define GOS_DEPENDENT 1e-8 // what is left of a direction when it adds nothing
#define GOS_WEAK                                                                                   \
    1e-6 // of a mode's energy norm: residuals of parts that hardly move are relative to it
#define GOS_HEAT_WORK 12
#define GOS_QUADRATIC_WORK 14

#endif
