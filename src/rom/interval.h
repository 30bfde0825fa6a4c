/* Linear system of an interval (theory 4.6), M- and C-orthonormal, row-major:
     eta'' + D eta' + K eta + G p = f0 + f1 t,    p' + L p + Hq eta + Hv eta' = r0 + r1 t,
   by first-order generalised-alpha (Jansen, Whiting, Hulbert 2000) or the matrix exponential. */
#ifndef GOS_INTERVAL_H
#define GOS_INTERVAL_H

#include "solve/walk.h"

typedef struct gos_interval {
    gos_ctx *ctx;
    int cap, tcap; // column capacity
    int m, mt;
    double *K, *D;   // (m, m)
    double *G;       // (m, mt)
    double *Hq, *Hv; // (mt, m)
    double *L;       // (mt, mt)
    double *f0, *f1; // (m)
    double *r0, *r1; // (mt)
    double *start;   // eta, eta', p at the start (2 m + mt)
    double *g, *gd;  // current state and its rate
    double t;        // time since the start [s]
    double lag; // step of generalised-alpha to which gd belongs [s]; 0: gd satisfies the equations
    /* scratch */
    double *g0, *gd0, t0, lag0; // before the last step of generalised-alpha (2 m + mt)
    double *lu, *z, *y, *exact, *work;
    int *pivot;
    double factored; // step of the factors lu [s]; 0: none
    long factorisations;
} gos_interval;

gos_status gos__interval_create(gos_ctx *ctx, int cap, int tcap, gos_interval **interval);
void gos__interval_destroy(gos_interval *i);
/** Start from `start`; rates follow from the equations. */
void gos__interval_begin(gos_interval *i);
/** Serialise a started interval. */
void gos__interval_walk(gos_interval *i, gos_walk *past);
/** One step of generalised-alpha with spectral radius rho at infinity. @return GOS_RETRY if its
 *  matrix is singular. */
gos_status gos__interval_alpha(gos_interval *i, double h, double rho);
/** Undo that step. */
void gos__interval_undo(gos_interval *i);
/** Advance exactly from the start to time t. @return GOS_RETRY if the exponential overflows. */
gos_status gos__interval_exact(gos_interval *i, double t);

#endif
