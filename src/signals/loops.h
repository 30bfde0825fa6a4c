/* Controllers: signals are read from the state, outputs of the control law are added to inputs.

   With signals y(t, q, q', T) and states s among the temperatures, v = limited(u0 + C s + D (y -
   y0)); input i is its declared value + v_i, added to the time functions during an evaluation
   (gos__loops_enter, gos__loops_leave). States: s' = A s + B (y - y0) + E (v - u0). With F_i the
   derivative of forces and heat by input i, the Newton matrix gains
     - F_i v_i' (C ds + D (y_q dq + y_v dq' + y_T dT)),
   a dense block of rows affected by the inputs and columns read by the signals.

   For direct feed-through y = y(state) + G (declared + v), laws without D for it are rewritten with
   E + B G, which need y(state) + G declared only. Sampled controllers read signals at steps
   starting at a sample time and hold their output in the system's memory. */
#ifndef GOS_LOOPS_H
#define GOS_LOOPS_H

#include "parts/controller.h"
#include "system/assemble.h"
#include "probes/probe.h"

/* A controller. */
typedef struct gos_control_loop {
    const gos_controller *law;
    const gos_item **signal; // signal items (ny)
    int *fn;                 // time functions of the inputs (nu)
    int body;                // body index of its states, -1: none
    int t0;                  // first state among the temperatures
    int depth;               // sampled: maximum number of delayed outputs
    size_t m0;               // ... first memory slot
    int nrow, ncol;          // continuous: size of its Newton block
    int *row, *col;          // unknowns, ascending
    int nforce;              // first nforce rows are forces, then heat
    int nq;                  // first nq columns are coordinates, then temperatures
    int *pos;                // matrix positions (nrow, ncol), by rows
    bool direct;             // some signals have direct feed-through
} gos_control_loop;

typedef struct gos_loops {
    int n;
    gos_control_loop *loop;
    int *governor; // controller of each time function, -1: none (nfn)
} gos_loops;

/* ---- making (loops.c) */

/** Add controller states, as temperatures of bodies without geometry. */
gos_status gos__loops_states(gos_builder *b);
/** Append the probes of controllers. */
gos_status gos__loops_probes(gos_builder *b, gos_system *sys);
/** First state of a continuous controller among the builder's temperatures. */
int gos__loops_first_state(const gos_builder *b, const gos_controller *c);
/** Make signals and inputs, after probes and loads. sys->loops is NULL without controllers. */
gos_status gos__loops_make(gos_builder *b, gos_system *sys);
/** Copy to a system with other items and temperatures: map[i] is item i of `from`, t0[b] the first
 * temperature of body b. */
gos_status gos__loops_renumber(const gos_system *from, gos_item *const *map, const int *t0,
                               gos_system *sys);
/** Append controller memory to that of items and points; updates sys->nmem. */
void gos__loops_number(gos_system *sys);
void gos__loops_begin_memory(gos_system *sys);
/** Set rows and columns of Newton blocks, after all items; then entries by position. */
gos_status gos__loops_lay(gos_ctx *ctx, gos_system *sys);
void gos__loops_entries(const gos_system *sys, gos_entry_sink *k);
/** Number of trailing bodies that only hold controller states. */
int gos__loops_bodies(const gos_system *sys);
/** First continuous (or sampled) controller; NULL if there is none. */
const gos_control_loop *gos__loops_first(const gos_system *sys, bool sampled);

/* ---- evaluation (loops_eval.c) */

gos_status gos__loops_work_create(gos_ctx *ctx, const gos_system *sys,
                                  struct gos_loops_work **work);
void gos__loops_work_destroy(gos_ctx *ctx, struct gos_loops_work *work);
/** Add controller outputs at the entered point x to w->fn; remove them. */
void gos__loops_enter(gos_work *w, const gos_point_of *x);
void gos__loops_leave(gos_work *w);
/** State equations: th (nt) -= A s + B y + E v, at the entered point. */
void gos__loops_residual(const gos_work *w, double *th);
/** Update of a sampled controller at an entered point: command u, limited v (nu); advances its
 * states (n). */
void gos__loop_sample(gos_work *w, const gos_point_of *x, int loop, double *states, double *u,
                      double *v);
/** Set states of controller `loop` (n) to rest at an entered point, if gos_controller.rests. */
void gos__loop_rest(gos_work *w, const gos_point_of *x, int loop, double *states);
/** Start of a run: as gos__loop_rest, for continuous controllers still in their given initial
 * state. */
void gos__loops_begin(gos_work *w, gos_state *x);
/** Derivatives at the entered point x; overwrites the start of w->made->f. */
void gos__loops_differentiate(gos_work *w, const gos_point_of *x);
/** Add them to the Newton matrix. */
void gos__loops_jacobian(const gos_work *w, const gos_newton_factors *f, double *values);
/** Command u and limited output v (nu) at a state. */
void gos__loop_observe(const gos_system *sys, const gos_state *x, int loop, double *u, double *v);

/** True if a continuous controller has limits. */
bool gos__loops_limited(const gos_system *sys);
/** Fraction of the step from x0 to x just after an output crosses a limit, by linear interpolation;
 * 1: none. *which: first signal of that controller. */
double gos__loops_corner(gos_work *w, const gos_state *x0, const gos_state *x,
                         const gos_item **which);
/** Controller output added to a time function. */
double gos__loops_added(const gos_state *x, int fn);

/* ---- sampling (loops_sampled.c) */

/** Memory size of a sampled controller in doubles. */
size_t gos__loop_memory_size(const gos_control_loop *l);
/** Memory before the first sample. */
void gos__loop_memory_start(const gos_control_loop *l, double *mem);
/** Held output at time t. */
const double *gos__loop_held(const gos_control_loop *l, const double *mem, double t);
/** ... before limits. */
const double *gos__loop_commanded(const gos_control_loop *l, const double *mem, double t);
/** States of a sampled controller (n). */
const double *gos__loop_states(const gos_state *x, int loop);
/** Next time after t at which a controller samples or its output changes [s]; HUGE_VAL: never. */
double gos__loops_next(const gos_system *sys, double t);
/** Take samples and apply outputs due at the start of a step at x. @return true if an output has
 * jumped */
bool gos__loops_sample(gos_work *w, gos_state *x);

#endif
