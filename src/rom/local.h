/* Stepping by local linearisation (theory 4.3 to 4.7): at the start of an interval the system is
   linearised about its state, a few modes of the linear model are kept, and the small linear system
   is stepped until the state has moved too far. Positions, velocities and temperatures of the full
   model stay the state throughout; only their increments within an interval are reduced. */
#ifndef GOS_LOCAL_H
#define GOS_LOCAL_H

#include "gossamer/reduce.h"
#include "rom/interval.h"
#include "rom/nullspace.h"
#include "events/breaks.h"
#include "system/system.h"

/* Local linearisation, as published and made right: what its methods are told; choices in the order
   of their tables (local_rows.h). Columns are modes of the whole, modes of its parts, or vectors of
   a run. */
enum { GOS_LOCAL_OF_WHOLE, GOS_LOCAL_OF_PARTS, GOS_LOCAL_OF_RUN };
enum { GOS_LOCAL_COMPLEX, GOS_LOCAL_REAL, GOS_LOCAL_DIAGONAL };
enum { GOS_VELOCITY_COLUMN, GOS_VELOCITY_TRUNCATE, GOS_VELOCITY_SCALE };
enum { GOS_DROPPED_FOLLOW, GOS_DROPPED_IGNORE };
enum { GOS_INTERVALS_THRESHOLDS, GOS_INTERVALS_ERROR };
enum { GOS_INTERFACES_FREE, GOS_INTERFACES_HELD };
typedef struct gos_local_def {
    int kind;                              // GOS_LOCAL_OF_...
    int displacement_modes, thermal_modes; // 0: all
    struct {
        double displacement, temperature; // [m], [K]
    } thresholds;
    int modes, velocity, dropped, intervals;
    int coupling;        // bool: derivative of forces with respect to temperatures
    int corotated;       // bool
    int search;          // undamped modes to search among, 0: chosen
    int refresh;         // intervals from one eigenproblem to the next, 0: 1
    double columns;      // least part of a second vector that makes a column
    double max_interval; // [s], 0: none
    double tolerance;    // of intervals as long as their error allows
    /* of parts (local_parts.h) */
    int interfaces;
    int attachments; // bool
    /* of a run (pod.h) */
    int vectors, thermal_vectors; // of a cluster, 0: by `truncation`
    int clusters, snapshots;
    double overlap, truncation; // [-]
    double training;            // [s], 0: to the end
} gos_local_def;

/** What a system's method says (local_type.c). @return GOS_E_USE for another method */
gos_status gos__local_def(gos_ctx *ctx, const gos_system *sys, gos_local_def *def);

/* The linear model in free motions, and the modes kept of it (modes_local.c). */
typedef struct gos_local_modes {
    gos_ctx *ctx;
    int n;                     // free motions
    int r;                     // modes wanted
    int p;                     // undamped modes that the damped ones are sought among
    int cap;                   // room for columns
    double *K, *D;             // (n, n) row-major, K with J_d and constraint forces
    double *lambda;            // undamped eigenvalues (p)
    double *X;                 // undamped modes, each contiguous (p, n)
    double *Kp, *Dp;           // on them (p, p)
    double *A, *re, *im, *vec; // companion form (2p, 2p), roots (2p), vectors by columns
    double *weight;            // roots' parts on undamped modes (2p, p)
    int *owner;                // undamped mode that a root belongs to (2p)
    int *count;                // roots of an undamped mode (p)
    double *product;           // |s1 s2| of each (p)
    int *order;                // (p)
    double *Y;                 // kept columns on the undamped modes, each contiguous (cap, p)
    int m;                     // columns kept so far
    int nmodal;                // those that are modes, the first ones
    double *V;                 // columns, each contiguous (cap, n), orthonormal
    double *work, *small;      // LAPACK's, and (n, n) + (n)
    int nwork;
    int *iwork, niwork, *support;
    int overdamped, pairs; // of the modes kept: for the report
} gos_local_modes;

/** GOS_E_LIMIT for more free motions than dense matrices are for. */
gos_status gos__local_size_check(gos_ctx *ctx, int n);
gos_status gos__local_modes_create(gos_ctx *ctx, int n, const gos_local_def *def,
                                   gos_local_modes **modes);
/** Room for `most` columns that are given (gos__local_modes_append) instead of modes, and for two
 * more. */
gos_status gos__local_columns_create(gos_ctx *ctx, int n, int most, gos_local_modes **modes);
void gos__local_modes_destroy(gos_local_modes *k);
/** Modes of the matrices K, D into V (theory 4.4). */
gos_status gos__local_modes_solve(gos_local_modes *k, const gos_local_def *def);
/** Append what x (n) adds to the columns, normalised; false when it adds nothing. */
bool gos__local_modes_append(gos_local_modes *k, const double *x);
/** x := (K + D / T + 1 / T^2)^-1 x: displacement after a time T under a load (theory 4.7-5).
 *  @return GOS_RETRY when the matrix is singular. */
gos_status gos__local_modes_respond(gos_local_modes *k, double T, double *x);

/* A frame that turns steadily about a point; angular velocity 0: at rest. */
typedef struct gos_local_frame {
    bool on;
    double centre[3], omega[3];
} gos_local_frame;

typedef struct gos_local_parts gos_local_parts; // local_parts.h

struct gos_local {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_options opt;
    gos_local_def def;
    gos_state *x;       // the caller's
    gos_state *x0, *at; // start of the last step; interpolated
    gos_state *origin;  // start of the interval
    gos_work *w;
    gos_nullspace *space;
    gos_local_modes *modes;
    gos_local_parts *parts; // NULL: columns are not of parts
    gos_interval *lin;
    gos_local_frame frame;
    int cluster;        // of the bases of a run, -1: none yet
    int n;              // free motions
    int rt;             // thermal modes
    double *v;          // velocity in the parallel basis (n)
    double *W;          // kept columns in coordinates (nq, cap)
    double *OW;         // omega x W (nq, cap)
    double *Psi0, *Psi; // thermal modes (rt, nt) and with the rate column (rt + 1, nt), contiguous
    double *r;          // residual of the forces at x without inertia (sys->n)
    double *r1;         // a second one (sys->n)
    double *sol;        // solution with the saddle point matrix (sys->n)
    double *thd;        // temperature rates of the full model (nt)
    double *stiff;      // Newton matrix of the stiffness (pattern.nnz)
    double *tall;       // (nq, max(n, cap)) products
    double *jump;       // (cap)
    double *small;      // (max(n, cap)^2)
    double *near;       // of a run's bases, to measure distances (2 nq)
    int naxis;          // axes of rigid bodies: the displacement threshold holds for them times
    int *axis;          // the radius of gyration, or a body could turn about its node unseen
    double *axis_w;     // [m] (naxis)
    bool active;        // an interval is open
    double interval;    // length that is planned or expected [s]
    double t_start;     // of the run
    double T_range;     // of temperatures [K]
    gos_breaks breaks;  // where steps have to end
    bool failed;        // the last step failed: this is no longer what it was before
    gos_local_report report;
    gos_statistics stats;
};

/** Prepare to step, or to go on (local_start.c). */
gos_status gos__local_begin(const gos_run_of *run, gos_local **local);
/** Walk through what is known beyond the state; the basis of the motions is passed first, by itself
 *  (local_history.c). */
void gos__local_give(gos_local *g, gos_walk *past);
gos_status gos__local_take(gos_local *g, gos_walk *past);
/** The full system with this way to step (local_system.c); `sys` must outlive it. */
gos_status gos__local_system(gos_ctx *ctx, const gos_system *sys, gos_system **local);
/** Linear model at the present state: modes, columns, matrices, loads (local_model.c). */
gos_status gos__local_linearise(gos_local *g);
/** The basis of a run that belongs to the present state: columns and thermal vectors
 * (local_pod.c). */
void gos__local_take_cluster(gos_local *g);
/** Residual of the forces at the state of g->x into g->r, sums of powers; multipliers, true
 *  temperature rates follow. */
gos_status gos__local_forces(gos_local *g, double t_eval, gos_sums *sums);
/** Error of the interval that ends now by the jump of the forces (theory 4.7-4), relative to what
 *  it may spend. */
double gos__local_jump(gos_local *g);
/** Turn vectors (nv, 3) with the frame by its angle after time t; points: about the centre. */
void gos__local_turn(const gos_local *g, double t, bool points, const double *from, double *to);

#endif
