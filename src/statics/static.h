/* Statics: Newton's method (static_newton.c), path following and arc length (static_path.c), loss
   of stability (static_branch.c), steady rotation (turning.c). Path location s: load factor from 0
   to 1, or elapsed part of a time span. */
#ifndef GOS_STATIC_H
#define GOS_STATIC_H

#include "gossamer/sim.h"
#include "linalg/anderson.h"
#include "linalg/solver.h"
#include "system/system.h"
#include "statics/stability.h"
#include "statics/turning.h"

/* Factors in the solver, reused where they are expensive. */
typedef struct gos_static_factors {
    gos_anderson *mix; // NULL: cheap, not reused
    double *weight;    // of the unknowns in its norm (n)
    bool valid;        // of a Newton matrix with `added`
    bool at_start;     // the state has not left their equilibrium
    double added;      // mass in it [1/s^2]
    int uses;          // corrections with them, except the first
    double moved;      // sum of all corrections with them, as gos__static_size
} gos_static_factors;

typedef struct gos_statics {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *opt;
    gos_work *w;
    gos_solver *solver;
    gos_static_factors old;
    gos_state *x; // trial state
    double *r;    // residual, then correction (n)
    gos_statistics *stats;
    int bad_column;        // of the last singular factorisation
    double place;          // last location tried
    gos_rotating *turning; // NULL: at rest
    double *v;             // rotation rates (nq); NULL: at rest
    bool held_heat;        // frozen temperatures
    bool unique_heat;      // temperatures are known to be unique
    bool timed;            // locations are parts of a time span
    double begin, length;  // time span [s]
    double max_step;       // largest step
    double shortest;       // smaller steps indicate an end or turn of the path
    /* stability; NULL, 0: not monitored */
    gos_stability *st;
    gos_signs signs;     // of the last equilibrium
    bool curved;         // some constraints are nonlinear
    bool began_unstable; // first Newton matrix of the last iteration had negative pivots
    int neutral;         // negative pivots due to rounding
    double hold;         // of the mass, in the matrix: fixes free directions [1/s^2]
    bool free_checked;   // for these, after a step without solution
    bool mechanism;      // moves freely along the loads at the start, before they stiffen it
    bool mechanism_checked;
    int real;            // verified negative pivots
    int reported;        // reported negative pivots
    gos_state *last;     // scratch: start of a search
    double *push, *step; // first right-hand side and correction of the last iteration (n)
    double *scratch;     // (3 n)
    double damping;      // overdamped motion [1/s^2], times the mass
    const double *from;  // start of its step (nq)
    double unit;         // size of its large moves
    /* path */
    gos_path_fn store; // NULL: no output
    void *user;
} gos_statics;

/** Evaluation point at a state and location. v: rates, or NULL. */
gos_point_of gos__static_point(const gos_statics *k, const gos_state *x, const double *v, double s);
/** Text of a location, such as "0.53 of the load", or its time. */
const char *gos__static_position(const gos_statics *k, double s, char buf[48]);
/** Residual to k->r and Newton matrix, at k->x and s. */
gos_status gos__static_linearise(gos_statics *k, double s, gos_sums *sums);
/** Newton's method from k->x at s; *count: iterations, four with reused factors as one; sets
 * k->push and k->step. @return GOS_RETRY, or GOS_E_SINGULAR without a record */
gos_status gos__static_balance(gos_statics *k, double s, int *count, gos_sums *sums);
/** Prepare the reuse of factors. */
gos_status gos__static_reuse(gos_statics *k);
/** Factorise the Newton matrix and correct with k->r. */
gos_status gos__static_correct(gos_statics *k, double s);
/** Largest change in dq (nq): positions over the extent, and vectors. */
double gos__static_size(const gos_statics *k, const double *dq);
/** rate (n) := derivative of the residual along the path at x, by differences. */
gos_status gos__static_rate(gos_statics *k, const gos_state *x, double s, double *rate);
gos_status gos__static_refuse(gos_statics *k, gos_status status, double done);
gos_status gos__static_count(gos_statics *k);
/** Search once for directions that move freely at x, such as the rotation of a beam on ball joints
 * about its axis; sets k->hold if there are any. */
gos_status gos__static_free(gos_statics *k, const gos_state *x);
/** Search once for free directions at the start x along which the loads work, as of a pendulum;
 * sets k->mechanism if there are any. */
gos_status gos__static_find_mechanism(gos_statics *k, const gos_state *x);
/** True if k->signs indicate instability. */
bool gos__static_unstable(const gos_statics *k);
/** Accept k->x at s as the state and update its memory. */
void gos__static_take(gos_statics *k, gos_state *state, double s, const gos_sums *sums);

/** Equilibrium at the state's time with frozen temperatures; as gos_solve_static. */
gos_status gos__static_hold(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                            gos_state *state, gos_statistics *stats);
/** Follow the path from balance at `done` to s = 1; stores each equilibrium of a time span. */
gos_status gos__static_advance(gos_statics *k, gos_state *state);
/** The same by arc length. */
gos_status gos__static_arc(gos_statics *k, gos_state *state);

/** The path ends, turns or loses stability beyond `done`. Moves k->x from the last stable
 * equilibrium `state` to the one at s that the loads lead to, and reports it.
 * @return GOS_E_DIVERGED with a record if no load favours a side, or none is found */
gos_status gos__static_leave(gos_statics *k, const gos_state *state, double done, double s,
                             gos_sums *sums);
/** If Newton's method fails at the start: moves k->x from `state` to a nearby rest at s, if any
 * (*rests). */
gos_status gos__static_sag(gos_statics *k, gos_state *state, double s, bool *rests, gos_sums *sums);
/** Report that the state at s is unstable, or cannot be classified. */
void gos__static_report(gos_statics *k, double s);

#endif
