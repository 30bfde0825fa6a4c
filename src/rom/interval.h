/* The small linear system of one interval (theory 4.6): second order in the motion, first order in
   the temperatures, both M- or C-orthonormal,

       eta'' + D eta' + K eta + G p = f0 + f1 t,    p' + L p + Hq eta + Hv eta' = r0 + r1 t,

   and its two ways through time: first-order generalised-alpha (Jansen, Whiting, Hulbert 2000) and
   exact stepping by the exponential. Matrices are row-major. */
#ifndef GOS_INTERVAL_H
#define GOS_INTERVAL_H

#include "solve/stepper.h"

typedef struct gos_interval {
    gos_ctx *ctx;
    int cap, tcap;   // most columns
    int m, mt;       // columns
    double *K, *D;   // (m, m)
    double *G;       // (m, mt)
    double *Hq, *Hv; // (mt, m)
    double *L;       // (mt, mt)
    double *f0, *f1; // (m)
    double *r0, *r1; // (mt)
    double *start;   // eta, eta', p at the start (2 m + mt)
    double *g, *gd;  // the same now, and its rate
    double t;        // since the start [s]
    double lag; // gd is that of generalised-alpha with this step, 0: that of the equations now [s]
    /* scratch */
    double *g0, *gd0, t0, lag0; // before the last step of generalised-alpha (2 m + mt)
    double *lu, *z, *y, *exact, *work;
    int *pivot;
    double factored; // step that lu belongs to, 0: none
    long factorisations;
} gos_interval;

gos_status gos__interval_create(gos_ctx *ctx, int cap, int tcap, gos_interval **interval);
void gos__interval_destroy(gos_interval *i);
/** Begin: the state is `start`, rates follow from the equations (never carried over). */
void gos__interval_begin(gos_interval *i);
/** All of an interval that has begun. */
void gos__interval_walk(gos_interval *i, gos_walk *past);
/** One step of generalised-alpha with spectral radius rho at infinity.
 *  @return GOS_RETRY when its matrix is singular. */
gos_status gos__interval_alpha(gos_interval *i, double h, double rho);
/** As if that step had not been taken. */
void gos__interval_undo(gos_interval *i);
/** From the start exactly to time t. @return GOS_RETRY when the exponential overflows. */
gos_status gos__interval_exact(gos_interval *i, double t);

#endif
