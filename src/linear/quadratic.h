/* The damped problem while it is being solved: damped.c chooses the directions, projected.c
   solves the problem on them, pairs.c finds which real roots are one mode. */
#ifndef GOS_QUADRATIC_H
#define GOS_QUADRATIC_H

#include "linear/linear.h"

/* One mode of the damped problem: a conjugate pair, or the two real roots of an overdamped mode. */
typedef struct gos_unit {
    double key;       // order: omega, negative when unstable without oscillation
    double re[2], im; // im > 0: a pair re[0] +- i im
    int root[2];      // columns of the vectors
    bool rigid;
} gos_unit;

typedef struct gos_quadratic {
    gos_ctx *ctx;
    const gos_linear *l;
    const gos_sparse *D, *K; // D NULL: without
    gos_sparse S;            // the symmetric part of D
    gos_sparse skew;         // the skew part, where D is no more than that
    int n, nz;               // order, free directions
    int nidle;               // rigid modes that D leaves alone: s = 0 twice, kept out
    int nfree;               // rigid modes that D slows down: s = 0 once each
    int nrigid;              // rigid modes that are not idle
    int m, cap, m0;          // directions, room for them, those that are undamped modes
    double *V;               // (n, nidle + cap), M-orthonormal: idle ones first
    double *lambda0;         // of the undamped modes (m0)
    gos_saddle *saddle;      // made when directions are missing
    double least;            // smallest tau
    double *work;            // (n, 12)
    double *small;           // matrices of the projected problem
    double *gyration;        // skew part of D in modes of the projection (m, m); NULL: none
    double *lambda, *W;      // undamped modes of the projection (m), (m, m)
    double *w;               // scales (m)
    double *re, *im, *Y;     // roots and vectors (2m), (2m, 2m)
    gos_unit *unit;
    int nunit;
} gos_quadratic;

/** Project on V, and find all roots of the projection. */
gos_status gos__quadratic_solve(gos_quadratic *q);
/** Gather the roots to modes, lowest first. */
gos_status gos__quadratic_units(gos_quadratic *q);
/** Add a unit for every two real roots: those of one overdamped mode together. */
gos_status gos__quadratic_pair(gos_quadratic *q);
/** Does a mode whirl with the rotation, 1, against it, -1, or neither, 0? */
int gos__quadratic_whirl(const gos_quadratic *q, const gos_unit *u);

#endif
