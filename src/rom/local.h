/* Local linearisation (theory 4.3 to 4.7): at the start of an interval the full system is
   linearised and projected on a few modes; the linear system is stepped until the state has
   moved too far. Only increments are reduced. */
#ifndef GOS_LOCAL_H
#define GOS_LOCAL_H

#include "gossamer/reduce.h"
#include "rom/interval.h"
#include "rom/nullspace.h"
#include "solve/integrator.h"
#include "system/system.h"

/* Options, in the order of local_rows.h. */
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
    int coupling;        // bool: forces depend on temperatures within an interval
    int corotated;       // bool
    int search;          // undamped modes in the search space; 0: automatic
    int refresh;         // intervals between eigenproblems; 0: 1
    double columns;      // least independent part of a second vector to be kept
    double max_interval; // [s], 0: none
    double tolerance;    // of intervals controlled by their error
    /* component modes (local_parts.h) */
    int interfaces;
    int attachments; // bool
    /* vectors of a run (pod.h) */
    int vectors, thermal_vectors; // per cluster; 0: by `truncation`
    int clusters, snapshots;
    double overlap, truncation; // [-]
    double training;            // [s], 0: to the end
} gos_local_def;

/** Options of the system's method. @return GOS_E_USE for another method */
gos_status gos__local_def(gos_ctx *ctx, const gos_system *sys, gos_local_def *def);

/* Linear model in free motions, and the modes kept (local_modes.c). */
typedef struct gos_local_modes {
    gos_ctx *ctx;
    int n;                     // free motions
    int r;                     // requested modes
    int p;                     // undamped modes that span the search space
    int cap;                   // column capacity
    double *K, *D;             // (n, n) row-major; K includes J_d and constraint forces
    double *lambda;            // undamped eigenvalues (p)
    double *X;                 // undamped modes, each contiguous (p, n)
    double *Kp, *Dp;           // projected on X (p, p)
    double *A, *re, *im, *vec; // companion form (2p, 2p), roots (2p), eigenvectors by columns
    double *weight;            // participation of undamped modes in each root's vector (2p, p)
    int *owner;                // undamped mode that owns a root (2p)
    int *count;                // number of roots of an undamped mode (p)
    double *product;           // |s1 s2| of each mode (p)
    int *order;                // (p)
    double *Y;                 // columns in terms of undamped modes, each contiguous (cap, p)
    int m;                     // columns kept
    int nmodal;                // leading columns that are modes
    double *V;                 // columns, each contiguous (cap, n), orthonormal
    double *work, *small;      // LAPACK workspace, and (n, n) + (n)
    int nwork;
    int *iwork, niwork, *support;
    int overdamped, pairs; // counts among the kept modes, for the report
} gos_local_modes;

/** GOS_E_LIMIT if there are too many free motions for dense matrices. */
gos_status gos__local_size_check(gos_ctx *ctx, int n);
gos_status gos__local_modes_create(gos_ctx *ctx, int n, const gos_local_def *def,
                                   gos_local_modes **modes);
/** Allocate for `most` given columns instead of modes, and two more. */
gos_status gos__local_columns_create(gos_ctx *ctx, int n, int max_columns, gos_local_modes **modes);
void gos__local_modes_destroy(gos_local_modes *k);
/** Modes of K, D into V (theory 4.4). */
gos_status gos__local_modes_solve(gos_local_modes *k, const gos_local_def *def);
/** Append the component of x (n) orthogonal to the columns, normalised; false if negligible. */
bool gos__local_modes_append(gos_local_modes *k, const double *x);
/** x := (K + D / T + 1 / T^2)^-1 x, displacement after T under a load (theory 4.7-5). @return
 *  GOS_RETRY if singular. */
gos_status gos__local_modes_respond(gos_local_modes *k, double T, double *x);

/* Frame rotating steadily about a point; zero angular velocity: at rest. */
typedef struct gos_local_frame {
    bool on;
    double centre[3], omega[3];
} gos_local_frame;

typedef struct gos_local_parts gos_local_parts; // local_parts.h

struct gos_local {
    GOS_INTEGRATOR;
    gos_local_def def;
    gos_state *origin; // state at the start of the interval
    gos_nullspace *space;
    gos_local_modes *modes;
    gos_local_parts *parts; // NULL: not component modes
    gos_interval *lin;
    gos_local_frame frame;
    int cluster;        // cluster of the current basis; -1: none yet
    int n;              // free motions
    int rt;             // thermal modes
    double *v;          // velocity in the parallel basis (n)
    double *W;          // columns in coordinates (nq, cap)
    double *OW;         // omega x W (nq, cap)
    double *Psi0, *Psi; // thermal modes (nt, rt), and with the rate column (nt, rt + 1)
    double *r;          // force residual at x without inertia (sys->n)
    double *r1;         // scratch (sys->n)
    double *sol;        // solution of the saddle-point system (sys->n)
    double *thd;        // temperature rates of the full model (nt)
    double *stiff;      // Newton matrix of the stiffness (pattern.nnz)
    double *tall;       // (nq, max(n, cap))
    double *jump;       // (cap)
    double *small;      // (max(n, cap)^2)
    double *near;       // distances to clusters (2 nq)
    int naxis;          // axes of rigid bodies, which the displacement threshold also limits
    int *axis;          // their indices; detect rotation about the node
    double *axis_w;     // radii of gyration [m] (naxis)
    bool active;        // an interval is open
    double overshoot;   // of a threshold by the attempt, relative
    double interval;    // planned or expected length [s]
    bool failed;        // the last step failed: the history is invalid
    gos_local_report report;
};

/** Functions of the integrator (solve/stepper.h), in local_start.c, local_history.c and local.c. */
gos_status gos__local_check(void *method);
gos_status gos__local_allocate(void *method);
void gos__local_release(void *method);
gos_status gos__local_start(void *method);
void gos__local_sizes(void *method, gos_walk *w);
gos_status gos__local_save(void *method, gos_walk *w);
gos_status gos__local_begin(void *method, gos_stop_kind kind, double t_end);
gos_status gos__local_plan(void *method, gos_step *k);
gos_status gos__local_attempt(void *method, gos_step *k);
gos_status gos__local_error(void *method, gos_step *k);
gos_status gos__local_cut(void *method, double t);
double gos__local_shorten(void *method, const gos_step *k, gos_status status);
gos_status gos__local_accept(void *method, gos_step *k);
gos_status gos__local_end(void *method, gos_stop_kind kind, bool last);
void gos__local_undo(void *method);
void gos__local_interpolate(void *method, double t);
void gos__local_statistics(const void *method, gos_statistics *stats);
extern const gos_stepper gos__local_stepper; // local_system.c
/** Full system that uses this stepper; `sys` must outlive it (local_system.c). */
gos_status gos__local_system(gos_ctx *ctx, const gos_system *sys, gos_system **local);
/** Linear model at the present state: modes, columns, matrices, loads (local_model.c). */
gos_status gos__local_linearise(gos_local *g);
/** Select the basis of a run nearest to the present state (local_pod.c). */
void gos__local_take_cluster(gos_local *g);
/** Force residual at g->x into g->r, and sums of powers. Updates multipliers and temperature
 *  rates. */
gos_status gos__local_forces(gos_local *g, double t_eval, gos_sums *sums);
/** Error of the finished interval from the force residual, relative to its allowance (theory
 *  4.7-4). */
double gos__local_discontinuity(gos_local *g);
/** Rotate vectors (nv, 3) by the frame's angle after time t; points: about the centre. */
void gos__local_turn(const gos_local *g, double t, bool points, const double *from, double *to);

#endif
