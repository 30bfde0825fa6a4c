/* Driver of runs in time: state, switching times, checks, statistics and history, for all methods
 * (stepper.h). */
#ifndef GOS_INTEGRATOR_H
#define GOS_INTEGRATOR_H

#include "constraints/dropped_rows.h"
#include "events/breaks.h"
#include "gossamer/sim.h"
#include "solve/conservation.h"
#include "solve/step_limit.h"
#include "solve/stepper.h"
#include "system/system.h"

typedef struct gos_step_budget {
    long steps;
    double mark;   // time after the last multiple of GOS_PACE_STEPS [s]
    double passed; // time advanced by those steps; 0: unknown [s]
} gos_step_budget;

#define GOS_INTEGRATOR_FIELDS(X)                                                                   \
    X(gos_ctx *, ctx, "")                                                                          \
    X(const gos_system *, sys, "")                                                                 \
    X(const gos_stepper *, by, "the method")                                                       \
    X(gos_options, opt, "with defaults of this run")                                               \
    X(gos_state *, x, "of the caller, changed by each step")                                       \
    X(gos_state *, x0, "start of the last step")                                                   \
    X(gos_state *, at, "interpolated in the last step; scratch of a step")                         \
    X(gos_work *, w, "")                                                                           \
    X(double *, mv, "scratch of norms and balances (nstate + nq + 2 n)")                           \
    X(double, t_start, "of the run [s]")                                                           \
    X(gos_walk *, stored, "while it is created: history to continue from; NULL: start at x")       \
    X(gos_breaks, breaks, "times at which steps must end")                                         \
    X(gos_conservation, watch, "")                                                                 \
    X(double, T_range, "temperature scale for errors [K]")                                         \
    X(double, place, "RMS coordinates relative to the extent, which scale rounding")               \
    X(double, made, "estimated errors of the steps so far [-]")                                    \
    X(bool, reports, "their sum is reported at the end of the run")                                \
    X(gos_statistics, stats, "")                                                                   \
    X(gos_step_limit, limit, "")                                                                   \
    X(gos_step_budget, budget, "")                                                                 \
    X(gos_dropped_reported, dropped, "")                                                           \
    X(long, more, "numbers of the run behind the stored history")

#define GOS_INTEGRATOR_MEMBER(type, name, doc) type name;

struct gos_integrator {
    GOS_INTEGRATOR_FIELDS(GOS_INTEGRATOR_MEMBER)
};

/* First member of a method's struct: the driver's data, under their own names. */
#define GOS_INTEGRATOR                                                                             \
    union {                                                                                        \
        gos_integrator run;                                                                        \
        struct {                                                                                   \
            GOS_INTEGRATOR_FIELDS(GOS_INTEGRATOR_MEMBER)                                           \
        };                                                                                         \
    }

/* Passes numbers of a run beyond the history of its integrator. */
typedef gos_status (*gos_run_walk)(void *run, gos_walk *w);

/* names of the driver's data in a history, in order */
extern const char gos__integrator_layout[];

/** As gos_integrator_create, by a given method. */
gos_status gos__integrator_create(gos_ctx *ctx, const gos_system *sys, const gos_stepper *by,
                                  const gos_options *options, gos_state *state,
                                  gos_integrator **integrator);
/** As gos_integrator_store_history, followed by numbers of the run. */
gos_status gos__integrator_store_run(gos_integrator *g, gos_run_walk more, void *run);
/** Read these numbers from the state from which the integrator was created, before its first step.
 * *stored: there are some. */
gos_status gos__integrator_read_run(const gos_integrator *g, gos_run_walk more, void *run,
                                    bool *stored);

/** As gos_integrator_at, but without updating energies. */
const gos_state *gos__integrator_position(gos_integrator *g, double t);
/** If the last step began at a switch: its start, with the right limit of time. Arrays of *start
 * are borrowed until the next call. */
bool gos__integrator_start(const gos_integrator *g, gos_state *start);
/** State j inside the last step, from dense output; NULL after the last. Borrowed until the next
 * call. */
const gos_state *gos__integrator_inside(gos_integrator *g, int j);
/** Does something switch at the end of the last step? *before: left limit of that time. */
bool gos__integrator_switches(const gos_integrator *g, double *before);

/* For methods: */

/** Updates the scales of errors at g->x: temperature range, largest speed, RMS coordinates. */
void gos__integrator_scales(gos_integrator *g);
/** Powers, heat flows and strain energy of a state. */
void gos__state_sums(gos_state *x, const gos_sums *sums);
/** ... by a residual with time functions at t; r: scratch (n). */
void gos__integrator_sum_up(gos_integrator *g, double t, gos_state *x, double *r);
/** Heat stored since the start of the step, from the temperatures of y. */
void gos__integrator_store_heat(const gos_integrator *g, gos_state *y);

#endif
