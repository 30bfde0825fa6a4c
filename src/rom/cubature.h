/* Cubature of a reduced system: few of its points, with new weights that are not negative, give the
   generalised forces and the heat of all of them in states it has been trained with (energy-
   conserving sampling and weighting, Farhat et al. 2014). Forces stay the gradient of an energy, so
   balances are as good as before. */
#ifndef GOS_CUBATURE_H
#define GOS_CUBATURE_H

#include "system/system.h"

/* States of a reduced system, kept from a run. */
typedef struct gos_training {
    int n, cap, nq, nt;
    int of, seen; // the states kept are evenly chosen of so many; 0: the first ones
    double *t;    // times (cap)
    double *q;    // coordinates (cap, nq)
    double *v;    // their rates (cap, nq)
    double *th;   // temperatures (cap, nt)
} gos_training;

gos_status gos__training_create(gos_ctx *ctx, const gos_system *sys, int cap, gos_training *k);
void gos__training_free(gos_ctx *ctx, gos_training *k);
/** Number of the state, of all that were seen, that is kept at place i. */
int gos__training_sample(const gos_training *k, int i);
/** Keep a copy of the state; beyond cap nothing happens. */
void gos__training_add(gos_training *k, const gos_state *state);

/* Points chosen of a block, in the order of its points. */
typedef struct gos_selection {
    int all, n;     // points it had; points it has now
    int *index;     // (n)
    double *weight; // (n)
} gos_selection;

typedef struct gos_cubature gos_cubature;
/** Sample the forces of all point blocks of a reduced system in the training states and in random
 * ones made of them: its initial configuration and states of the run with fields added at about the
 *  strain energies that were met. part: 1, or more for so many times fewer states. `sys` must
 * outlive the cubature. */
gos_status gos__cubature_create(gos_ctx *ctx, gos_system *sys, const gos_training *training,
                                int part, gos_cubature **cubature);
void gos__cubature_destroy(gos_cubature *c);
/** What the last function costs, counted as runs are (rom/auto.h). */
double gos__cubature_work(const gos_system *sys, int part);
/** Give `sys` (the same) points whose forces differ by about `tolerance` from those of all points,
 * RMS over the training states, each kind of force (elastic, thermal, viscous; stretching, bending;
 *  heat) relative to itself. Total weights stay as they are. May be called again: one always
 *  begins with all points. selection (npoints of sys): the choice, in its arena; *points: how many
 *  there are now. */
gos_status gos__cubature_apply(gos_cubature *c, double tolerance, gos_selection *selection,
                               int *points);

/** Give the system all its points again. */
void gos__cubature_restore(gos_cubature *c);

/** Replace block i of a reduced system by the selected points of `from` (the block it had). The
 *  selection must fit: indices ascending below from->ne, weights not negative. */
gos_status gos__cubature_select(gos_system *sys, int i, const gos_points *from,
                                const gos_selection *selection);

/** Gradients z (3 nz, LANES) of batch ib of a dense block at coordinates q (their constant part
 * only when `shifted`) and temperatures T (nfam, LANES; may be NULL) at th. */
void gos__batch_gradients(const gos_points *p, int ib, const double *q, const double *th,
                          bool shifted, double *z, double *T);

#endif
