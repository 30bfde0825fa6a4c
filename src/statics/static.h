/* Statics, shared between its files: Newton's method at one place of a path (static.c), going along
   the path (static_path.c), what happens where it loses its stability (static_branch.c), arc length
   (static_arc.c), steady rotation (static_rotation.c).
   A place s on the path is a load factor from 0 to 1, or the part of a time span that has
   passed. */
#ifndef GOS_STATIC_H
#define GOS_STATIC_H

#include "gossamer/sim.h"
#include "linalg/solver.h"
#include "system/system.h"
#include "statics/stability.h"
#include "statics/turning.h"

typedef struct gos_statics {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_options *opt;
    gos_work *w;
    gos_solver *solver;
    gos_state *x; // being tried
    double *r;    // residual, then correction (n)
    gos_statistics *stats;
    int bad_column;       // of the last singular factorisation
    double place;         // that was tried last
    gos_turning *turning; // NULL: at rest
    double *v;            // rates of the rotation (nq); NULL: at rest
    bool held_heat;       // temperatures are kept
    bool unique_heat;     // temperatures have been found to be unique
    bool timed;           // places are parts of a time span
    double begin, length; // it [s]
    double most;          // largest step of the path
    double shortest;      // a step that is shorter has come to a point where the path ends or turns
    /* stability; NULL, 0: not looked at */
    gos_stability *st;
    gos_signs signs;     // of the last equilibrium
    bool curved;         // some constraints are not linear in the coordinates
    bool began_unstable; // the first Newton matrix of the last iteration had negative pivots
    int neutral;         // negative pivots that are none but for rounding
    double hold;         // of the mass, in the matrix: holds directions that move freely [1/s^2]
    bool looked;         // for these, where a step had no solution
    int real;            // those that have been looked at, and are
    int told;            // those that the user knows of
    gos_state *last;     // scratch: where a search began
    double *push, *step; // first right-hand side and correction of the last iteration (n)
    double *scratch;     // (3 n)
    double damping;      // of the overdamped motion to the next equilibrium [1/s^2], times the mass
    const double *from;  // where its step began (nq)
    double unit;         // size of moves that are large in it
    /* path */
    gos_path_fn store; // NULL: nothing is stored
    void *user;
} gos_statics;

/** The point of evaluation at a state and a place. v: rates, or NULL. */
gos_point_of gos__static_point(const gos_statics *k, const gos_state *x, const double *v, double s);
/** Time of a place, or its load factor, as text: "0.53 of the load". */
const char *gos__static_place(const gos_statics *k, double s, char buf[48]);
/** Residual into k->r and Newton matrix into the work, at k->x and a place. */
gos_status gos__static_linearise(gos_statics *k, double s, gos_sums *sums);
/** Newton's method from k->x at a place; *count: iterations used. k->push and k->step are those of
 * the first one. @return GOS_RETRY, or GOS_E_SINGULAR without a record */
gos_status gos__static_balance(gos_statics *k, double s, int *count, gos_sums *sums);
/** Factorise the Newton matrix in the work and correct k->r by it. */
gos_status gos__static_correct(gos_statics *k, double s);
/** Largest of a change of coordinates dq (nq): positions over the extent, and vectors. */
double gos__static_size(const gos_statics *k, const double *dq);
/** rate (n) := derivative of the residual along the path at x, by a difference. */
gos_status gos__static_rate(gos_statics *k, const gos_state *x, double s, double *rate);
/** Record why there is no equilibrium beyond `done`. */
gos_status gos__static_refuse(gos_statics *k, gos_status status, double done);
/** Count the signs of the last equilibrium into k->signs. */
gos_status gos__static_count(gos_statics *k);
/** Look once for directions that move freely at x, such as the rotation of a beam on ball joints
 * about itself; k->hold is set if there are any. */
gos_status gos__static_free(gos_statics *k, const gos_state *x);
/** Do k->signs say that it is unstable? */
bool gos__static_unstable(const gos_statics *k);
/** Make k->x, at s, the state: its memory is brought up to date. */
void gos__static_take(gos_statics *k, gos_state *state, double s, const gos_sums *sums);

/** The equilibrium of the state's temperatures, which are kept, at its time; as
 * gos_solve_static. */
gos_status gos__static_hold(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                            gos_state *state, gos_statistics *stats);
/** From a state that balances at `done` to `s` = 1; with a span of time each equilibrium is
 * stored. */
gos_status gos__static_advance(gos_statics *k, gos_state *state);
/** The same along the arc length. */
gos_status gos__static_arc(gos_statics *k, gos_state *state);

/** Beyond `done`, where `state` is the last stable equilibrium, the path ends, turns or becomes
 * unstable: k->x becomes the stable equilibrium at s that the loads lead to, and it is said.
 * @return GOS_E_DIVERGED with a record when nothing pushes to either side, or nothing is found */
gos_status gos__static_leave(gos_statics *k, const gos_state *state, double done, double s,
                             gos_sums *sums);
/** Where Newton's method finds no equilibrium at all: k->x moves from `state` to rest at s, where
 * it does so near by (*rests). */
gos_status gos__static_sag(gos_statics *k, gos_state *state, double s, bool *rests, gos_sums *sums);
/** Say that the state at s is unstable, or that it cannot be told. */
void gos__static_tell(gos_statics *k, double s);

/* rotation (static_rotation.c) */
gos_status gos__static_begin_rotation(gos_statics *k, gos_state *state);
gos_status gos__static_end_rotation(gos_statics *k, gos_state *state);

#endif
