/* BDF integrator of orders 1 to 5 on the stabilised index-2 form (bdf_matrix.h). */
#ifndef GOS_BDF_H
#define GOS_BDF_H

#include "linalg/solver.h"
#include "steppers/bdf/bdf_matrix.h"
#include "solve/integrator.h"
#include "steppers/bdf/ida.h"

typedef enum gos_bdf_integral {
    GOS_BDF_DISSIPATED,
    GOS_BDF_WORK,
    GOS_BDF_THERMAL,
    GOS_BDF_HEAT_IN,
    GOS_BDF_HEAT_CON,
    GOS_BDF_NINTEGRAL
} gos_bdf_integral;

typedef struct gos_bdf {
    GOS_INTEGRATOR;
    gos_bdf_matrix matrix;
    gos_solver *solver;
    gos_ida *ida;
    double *y, *yd; // unknowns and rates (matrix.at.n)
    double *r;      // scratch (matrix.at.n)
    double *worst;  // last Newton correction (matrix.at.n)
    // last restart, and latest end of the current step [s]
    double from, stop;
    bool runs; // IDA has a history to continue from
    // RMS velocity of coordinate rounding, relative to the extent [1/s]
    double shakes;
    int short_steps;                // consecutive steps far shorter than the run
    double spent;                   // allowed errors of all steps so far, in tolerances
    double base[GOS_BDF_NINTEGRAL]; // integrals up to the last restart
    gos_sums sums;
    gos_status failed;         // status that stopped a step
    double tried;              // time of the last nonfinite result [s]; NAN: none
    long iterations, rejected; // counts before continuation
} gos_bdf;

/** User data: gos_bdf (bdf_problem.c). */
gos_ida_problem gos__bdf_problem(gos_bdf *g);
/** Allowed error of a step h in positions, velocities and temperatures, relative to their scales
 * (bdf_problem.c). */
double gos__bdf_allowed(const gos_bdf *g, double h);
/** Norm of a change of velocities (nq) relative to the largest speed, or to rounding if this is
 * larger. */
double gos__bdf_velocity_rms(const gos_bdf *g, const double *dv, double allowed);
/** Convert between y, y' and a state, without times. */
void gos__bdf_pack(gos_bdf *g);
void gos__bdf_unpack(const gos_bdf *g, const double *y, const double *yd, gos_state *x);

#endif
