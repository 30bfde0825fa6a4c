/* Controllers in a system: signals are read from the state, the amounts of inputs get what the law
   makes of them.

   With signals y(t, q, q', T), states s among the temperature coordinates and v = limited(u0 + C s
   + D (y - y0)) the amount of input i is what the model declares plus v_i. It is added to the
   functions of time for the length of an evaluation (gos__loops_enter, gos__loops_leave), so that
   items and surfaces of heat know nothing of it. With F_i the derivative of forces and heat by
   amount i, which they declare for linear models, the Newton matrix loses

       F_i v_i' (C ds + D (y_q dq + y_v dq' + y_T dT)),

   a product of low rank that is added as one dense block of the rows that the inputs reach and the
   columns that the signals read. States have the rows s' = A s + B (y - y0) + E (v - u0).

   Signals may show amounts at once, y = y(state) + G (declared + v), as the charge of an electrode
   that is driven does. Laws without D for them are turned into ones with E + B G, which need
   y(state) + G declared alone.

   A sampled controller reads its signals where a step begins at a sample time and keeps what it
   holds in the memory of the system; between its times it is a constant. */
#ifndef GOS_LOOPS_H
#define GOS_LOOPS_H

#include "parts/controller.h"
#include "system/assemble.h"
#include "probes/probe.h"

/* One controller. */
typedef struct gos_control_loop {
    const gos_controller *law;
    const gos_item **signal; // that read them (ny)
    int *fn;                 // functions of time of the inputs (nu)
    int body;                // that has its states, -1: none
    int t0;                  // first of them among the temperatures
    int depth;               // sampled: outputs that wait for the end of the delay
    size_t m0;               // ... and first memory slot
    int nrow, ncol;          // of its block in the Newton matrix; continuous
    int *row, *col;          // among the unknowns, ascending
    int nforce;              // the first rows are forces, the others heat
    int nq;                  // the first columns are coordinates, the others temperatures
    int *pos;                // of entries in the matrix (nrow, ncol), by rows
    bool direct;             // some of its signals show amounts at once
} gos_control_loop;

typedef struct gos_loops {
    int n;
    gos_control_loop *loop;
    int *governor; // which loop governs each function of time, -1: none (nfn)
} gos_loops;

/* ---- making (loops.c) ------------------------------------------------------------------------ */

/** States of the builder's controllers, as the temperatures of bodies without places. */
gos_status gos__loops_states(gos_builder *b);
/** Probes of what they do, behind those of the model. */
gos_status gos__loops_probes(gos_builder *b, gos_system *sys);
/** The first state of a continuous one among the temperatures of the builder, when it has
 * states. */
int gos__loops_first_state(const gos_builder *b, const gos_controller *c);
/** Their signals and inputs, when probes and loads are there. sys->loops stays NULL without
 * controllers. */
gos_status gos__loops_make(gos_builder *b, gos_system *sys);
/** Signals of controller i that show at once what it says itself: that part becomes one of E, so
 * that a loop's signals are those of the state and of declared amounts alone. (loop_direct.c)
 *  @return GOS_E_INPUT: the law passes such a signal on at once; it is sampled with a delay, or
 * rounded; another controller governs that amount */
gos_status gos__loop_fold_direct(gos_builder *b, const gos_loops *all, int i);
/** The same controllers in a system whose items and temperatures are others: map[i] is item i of
 * `from`, t0[b] the first temperature of its body b. */
gos_status gos__loops_renumber(const gos_system *from, gos_item *const *map, const int *t0,
                               gos_system *sys);
/** Their memory behind that of items and points, whose size is sys->nmem. */
void gos__loops_number(gos_system *sys);
void gos__loops_begin_memory(gos_system *sys);
/** Rows and columns of their blocks, when all items are there; then the entries, in the order of
 * their positions. */
gos_status gos__loops_lay(gos_ctx *ctx, gos_system *sys);
void gos__loops_entries(const gos_system *sys, gos_entry_sink *k);
/** How many bodies, the last ones, are states of controllers and no bodies. */
int gos__loops_bodies(const gos_system *sys);
/** First continuous (or sampled) controller, NULL: there is none. */
const gos_control_loop *gos__loops_first(const gos_system *sys, bool sampled);

/* ---- evaluating (loops_eval.c) --------------------------------------------------------------- */

gos_status gos__loops_work_create(gos_ctx *ctx, const gos_system *sys,
                                  struct gos_loops_work **work);
void gos__loops_work_destroy(gos_ctx *ctx, struct gos_loops_work *work);
/** Add what controllers say at x, a point that was entered, to w->fn, and take it away again. */
void gos__loops_enter(gos_work *w, const gos_point_of *x);
void gos__loops_leave(gos_work *w);
/** Rows of their states: th (nt) -= A s + B y + E v, of the evaluation that was entered. */
void gos__loops_residual(const gos_work *w, double *th);
/** A sampled controller's answer at a point that was entered: amounts u, limited v (nu); its states
 * (n) become the next ones. */
void gos__loop_answer(gos_work *w, const gos_point_of *x, int loop, double *states, double *u,
                      double *v);
/** States that begin where they rest (gos_controller.rests) do, at a point that was entered: of
 * controller `loop` (n). */
void gos__loop_rest(gos_work *w, const gos_point_of *x, int loop, double *states);
/** Where a run begins: those of continuous controllers that are still what the model gives them. */
void gos__loops_begin(gos_work *w, gos_state *x);
/** Derivatives at x, which was entered; what is in front of w->made->f is lost. */
void gos__loops_differentiate(gos_work *w, const gos_point_of *x);
/** Add them to the Newton matrix. */
void gos__loops_jacobian(const gos_work *w, const gos_newton_factors *f, double *values);
/** What a controller makes of a state: wanted amounts u, limited ones v (nu). */
void gos__loop_observe(const gos_system *sys, const gos_state *x, int loop, double *u, double *v);

/** Has any of the continuous ones limits? */
bool gos__loops_limited(const gos_system *sys);
/** The part of the step from x0 to x at whose end an amount has just passed a limit, from where it
 * is when it goes straight; 1: none does. *which: the first signal of that controller. */
double gos__loops_corner(gos_work *w, const gos_state *x0, const gos_state *x,
                         const gos_item **which);
/** What controllers add to a function of time at a state. */
double gos__loops_added(const gos_state *x, int fn);

/* ---- sampling (loops_sampled.c) -------------------------------------------------------------- */

/** Doubles that a sampled controller remembers. */
size_t gos__loop_memory_size(const gos_control_loop *l);
/** What they are before its first sample. */
void gos__loop_memory_start(const gos_control_loop *l, double *mem);
/** What it holds at time t. */
const double *gos__loop_held(const gos_control_loop *l, const double *mem, double t);
/** ... wanted, before limits. */
const double *gos__loop_wanted(const gos_control_loop *l, const double *mem, double t);
/** States of a sampled controller at a state of the system (n). */
const double *gos__loop_states(const gos_state *x, int loop);
/** The next time after t at which a controller samples or its output changes [s]; HUGE_VAL:
 * never. */
double gos__loops_next(const gos_system *sys, double t);
/** A step begins at x: samples that are due are taken, outputs that are due applied.
 *  @return whether an amount has jumped. */
bool gos__loops_sample(gos_work *w, gos_state *x);

#endif
