/* The stepper by BDF: orders 1 to 5 on the stabilised form of index 2 (bdf_matrix.h). */
#ifndef GOS_BDF_H
#define GOS_BDF_H

#include "linalg/solver.h"
#include "steppers/bdf/bdf_matrix.h"
#include "events/breaks.h"
#include "solve/conservation.h"
#include "steppers/bdf/ida.h"

/* Integrals of powers that are carried along with each step. */
typedef enum gos_bdf_integral {
    GOS_BDF_DISSIPATED,
    GOS_BDF_WORK,
    GOS_BDF_THERMAL,
    GOS_BDF_HEAT_IN,
    GOS_BDF_HEAT_CON,
    GOS_BDF_NINTEGRAL
} gos_bdf_integral;

typedef struct gos_bdf {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_options opt;
    gos_state *x;  // the caller's
    gos_state *x0; // start of the last step
    gos_state *at; // interpolated
    gos_work *w;
    gos_bdf_matrix matrix;
    gos_solver *solver;
    gos_ida *ida;
    double *y, *yd;    // unknowns and rates (matrix.at.n)
    double *r;         // scratch (matrix.at.n)
    double *worst;     // last correction of Newton (matrix.at.n)
    double *mv;        // scratch (nstate)
    double t_start;    // of the run
    gos_breaks breaks; // where steps have to end
    gos_watch watch;   // what the run conserves
    double from,
        stop;  // of what is stepped now: where it began anew, and where the step ends at the latest
               // [s]
    bool runs; // there are steps to go on from
    double T_range; // temperature scale for errors [K]
    double shakes;  // velocities that rounding of the coordinates makes, RMS relative to the extent
                    // [1/s]
    int short_steps; // in a row, far shorter than the run
    double place;    // RMS of the coordinates, relative to the extent: what rounding is a part of
    double spent;    // what the steps so far may have made of errors, of the tolerance
    double made;     // ... and what they have, as they are estimated [-]
    bool tells;      // that is told at the end
    double base[GOS_BDF_NINTEGRAL]; // integrals up to where it began anew
    gos_sums sums;                  // at the last solution
    gos_status failed;              // what has stopped a step
    double tried;                   // time at which y, yd are what was not finite [s]; NAN: all was
    long iterations, rejected;      // before this stepper went on
    gos_statistics stats;
} gos_bdf;

/** One accepted step, not beyond t_end (bdf_step.c). */
gos_status gos__bdf_step(gos_bdf *g, double t_end);
/** State of g->at at a time inside the last step (bdf_step.c). */
const gos_state *gos__bdf_at(gos_bdf *g, double t);
/** The equations as IDA asks for them; user: gos_bdf (bdf_problem.c). */
gos_ida_problem gos__bdf_problem(gos_bdf *g);
/** Consistent values at g->x, as a start or where the motion starts anew, and a first step
 * (bdf_start.c). */
gos_status gos__bdf_start(gos_bdf *g);
/** What one step h may do to positions, velocities and temperatures, relative to their scales
 * (bdf_problem.c). */
double gos__bdf_allowed(const gos_bdf *g, double h);
/** Size of a change of velocities (nq), relative to the largest speed, or to what rounding makes
 * where so little is `allowed` that this is larger. */
double gos__bdf_velocity_rms(const gos_bdf *g, const double *dv, double allowed);
/** What watch.c looks at. */
gos_watched gos__bdf_watched(const gos_bdf *g);
/** y, y' from a state, and back; without the times. */
void gos__bdf_pack(gos_bdf *g);
void gos__bdf_unpack(const gos_bdf *g, const double *y, const double *yd, gos_state *x);

#endif
