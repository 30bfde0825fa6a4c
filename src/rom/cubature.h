/* Cubature: a few points with non-negative weights reproduce forces and heat of all points in
   training states (energy-conserving sampling and weighting, Farhat et al. 2014). Forces remain
   gradients of an energy, so balances hold. */
#ifndef GOS_CUBATURE_H
#define GOS_CUBATURE_H

#include "system/system.h"

/* Stored states of a run. */
typedef struct gos_training {
    int n, cap, nq, nt;
    // keep `cap` of `of` states evenly, 0: the first; states seen
    int of, seen;
    double *t;  // times (cap)
    double *q;  // coordinates (cap, nq)
    double *v;  // their rates (cap, nq)
    double *th; // temperatures (cap, nt)
} gos_training;

gos_status gos__training_create(gos_ctx *ctx, const gos_system *sys, int cap, gos_training *k);
void gos__training_free(gos_ctx *ctx, gos_training *k);
/** Index of stored state i in the run. */
int gos__training_sample(const gos_training *k, int i);
/** Copy the state; ignored beyond cap. */
void gos__training_add(gos_training *k, const gos_state *state);

/* Selected points, ascending. */
typedef struct gos_selection {
    int all, n;     // before, after
    int *index;     // (n)
    double *weight; // (n)
} gos_selection;

typedef struct gos_cubature gos_cubature;
/** Sample forces of all blocks in training states and random variants at their strain energies.
 *  part: divisor of the states. `sys` must outlive it. */
gos_status gos__cubature_create(gos_ctx *ctx, gos_system *sys, const gos_training *training,
                                int part, gos_cubature **cubature);
void gos__cubature_destroy(gos_cubature *c);
/** Work of gos__cubature_create, see rom/auto.h. */
double gos__cubature_work(const gos_system *sys, int part);
/** Replace the points of `sys`. Force error about `tolerance`, RMS over states, each kind
 *  (elastic, thermal, viscous; stretching, bending; heat) relative to itself; weights keep their
 *  sum. Repeatable. selection (npoints of sys) in its arena; *points: new number. */
gos_status gos__cubature_apply(gos_cubature *c, double tolerance, gos_selection *selection,
                               int *points);

/** Restore all points. */
void gos__cubature_restore(gos_cubature *c);

/** Replace block i by selected points of `from`, the original block: ascending indices below
 *  from->ne, weights >= 0. */
gos_status gos__cubature_select(gos_system *sys, int i, const gos_points *from,
                                const gos_selection *selection);

/** Gradients z (3 nz, LANES) of dense batch ib at q, with the constant part if `shifted`, and
 *  temperatures T (nfam, LANES; may be NULL) at th. */
void gos__batch_gradients(const gos_points *p, int ib, const double *q, const double *th,
                          bool shifted, double *z, double *T);

#endif
