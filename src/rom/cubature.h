/* Cubature: a few points with new non-negative weights reproduce the forces and heat of all
   points in the training states (energy-conserving sampling and weighting, Farhat et al. 2014).
   Forces remain the gradient of an energy, so balances hold. */
#ifndef GOS_CUBATURE_H
#define GOS_CUBATURE_H

#include "system/system.h"

/* Stored states of a run of a reduced system. */
typedef struct gos_training {
    int n, cap, nq, nt;
    // keep `cap` states evenly selected from `of`, 0: the first ones; states so far
    int of, visited;
    double *t;  // times (cap)
    double *q;  // coordinates (cap, nq)
    double *v;  // their rates (cap, nq)
    double *th; // temperatures (cap, nt)
} gos_training;

gos_status gos__training_create(gos_ctx *ctx, const gos_system *sys, int cap, gos_training *k);
void gos__training_free(gos_ctx *ctx, gos_training *k);
/** Index of stored state i in the run. */
int gos__training_sample(const gos_training *k, int i);
/** Store a copy of the state; ignored beyond cap. */
void gos__training_add(gos_training *k, const gos_state *state);

/* Selected points of a block, in ascending order. */
typedef struct gos_selection {
    int all, n;     // points before and after selection
    int *index;     // (n)
    double *weight; // (n)
} gos_selection;

typedef struct gos_cubature gos_cubature;
/** Sample the forces of all blocks in the training states and in random variants with about
 *  their strain energies. part: divisor of the number of states. `sys` must outlive the
 *  cubature. */
gos_status gos__cubature_create(gos_ctx *ctx, gos_system *sys, const gos_training *training,
                                int part, gos_cubature **cubature);
void gos__cubature_destroy(gos_cubature *c);
/** Work of gos__cubature_create, see rom/auto.h. */
double gos__cubature_work(const gos_system *sys, int part);
/** Replace the points of `sys`. Force error about `tolerance`, RMS over the training states,
 *  each kind (elastic, thermal, viscous; stretching, bending; heat) relative to itself. Total
 *  weights are kept; repeated calls start from all points. selection (npoints of sys) is stored
 *  in its arena; *points: new number. */
gos_status gos__cubature_apply(gos_cubature *c, double tolerance, gos_selection *selection,
                               int *points);

void gos__cubature_restore(gos_cubature *c);

/** Replace block i by selected points of `from`, the original block. Requires ascending indices
 *  below from->ne and non-negative weights. */
gos_status gos__cubature_select(gos_system *sys, int i, const gos_points *from,
                                const gos_selection *selection);

/** Gradients z (3 nz, LANES) of dense batch ib at coordinates q, with the constant part if
 *  `shifted`, and temperatures T (nfam, LANES; may be NULL) from th. */
void gos__batch_gradients(const gos_points *p, int ib, const double *q, const double *th,
                          bool shifted, double *z, double *T);

#endif
