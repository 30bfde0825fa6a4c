/* Local linearisation (theory 4.3 to 4.7): each interval is linearised about its start,
   projected on a few modes, and stepped until the state has moved too far. Only increments are
   reduced. */
#ifndef GOS_LOCAL_H
#define GOS_LOCAL_H

#include "gossamer/reduce.h"
#include "rom/interval.h"
#include "rom/nullspace.h"
#include "events/breaks.h"
#include "system/system.h"

/* Options, in the order of local_rows.h. Columns: modes of the whole, of its parts, or vectors
   of a run. */
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
    int coupling;        // bool: thermal forces within an interval
    int corotated;       // bool
    int search;          // undamped modes in the search space; 0: auto
    int refresh;         // intervals per eigenproblem; 0: 1
    double columns;      // least independent part of a second vector
    double max_interval; // [s], 0: none
    double tolerance;    // for error control
    /* component modes */
    int interfaces;
    int attachments; // bool
    /* vectors of a run */
    int vectors, thermal_vectors; // per cluster; 0: by `truncation`
    int clusters, snapshots;
    double overlap, truncation; // [-]
    double training;            // [s], 0: to the end
} gos_local_def;

/** Options of the system's method. @return GOS_E_USE for others */
gos_status gos__local_def(gos_ctx *ctx, const gos_system *sys, gos_local_def *def);

/* Linear model in free motions, and its modes (local_modes.c). */
typedef struct gos_local_modes {
    gos_ctx *ctx;
    int n;                     // free motions
    int r;                     // requested
    int p;                     // size of the search space
    int cap;                   // capacity
    double *K, *D;             // (n, n) row-major; K with J_d and constraint forces
    double *lambda;            // undamped eigenvalues (p)
    double *X;                 // undamped modes, each contiguous (p, n)
    double *Kp, *Dp;           // projected (p, p)
    double *A, *re, *im, *vec; // companion form (2p, 2p), roots (2p), vectors by columns
    double *weight;            // participation of modes in roots (2p, p)
    int *owner;                // mode owning a root (2p)
    int *count;                // roots per mode (p)
    double *product;           // |s1 s2| (p)
    int *order;                // (p)
    double *Y;                 // kept columns in undamped modes, contiguous (cap, p)
    int m;                     // kept
    int nmodal;                // leading modal ones
    double *V;                 // contiguous (cap, n), orthonormal
    double *work, *small;      // LAPACK; (n, n) + (n)
    int nwork;
    int *iwork, niwork, *support;
    int overdamped, pairs; // for the report
} gos_local_modes;

/** GOS_E_LIMIT for too many motions. */
gos_status gos__local_size_check(gos_ctx *ctx, int n);
gos_status gos__local_modes_create(gos_ctx *ctx, int n, const gos_local_def *def,
                                   gos_local_modes **modes);
/** Room for `most` given columns and two more. */
gos_status gos__local_columns_create(gos_ctx *ctx, int n, int most, gos_local_modes **modes);
void gos__local_modes_destroy(gos_local_modes *k);
/** Modes of K, D into V (theory 4.4). */
gos_status gos__local_modes_solve(gos_local_modes *k, const gos_local_def *def);
/** Append the normalised part of x (n) orthogonal to V; false if negligible. */
bool gos__local_modes_append(gos_local_modes *k, const double *x);
/** x := (K + D / T + 1 / T^2)^-1 x, displacement after T (theory 4.7-5). @return GOS_RETRY if
 *  singular. */
gos_status gos__local_modes_respond(gos_local_modes *k, double T, double *x);

/* Steadily rotating frame. */
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
    gos_state *x0, *at; // last step's start; interpolated
    gos_state *origin;  // interval's start
    gos_work *w;
    gos_nullspace *space;
    gos_local_modes *modes;
    gos_local_parts *parts; // NULL: not of parts
    gos_interval *lin;
    gos_local_frame frame;
    int cluster;        // current basis, -1: none
    int n;              // free motions
    int rt;             // thermal modes
    double *v;          // in the parallel basis (n)
    double *W;          // columns in coordinates (nq, cap)
    double *OW;         // omega x W (nq, cap)
    double *Psi0, *Psi; // thermal modes (nt, rt), with rate column (nt, rt + 1)
    double *r;          // force residual without inertia (sys->n)
    double *r1;         // scratch (sys->n)
    double *sol;        // saddle-point solution (sys->n)
    double *thd;        // temperature rates (nt)
    double *stiff;      // stiffness (pattern.nnz)
    double *tall;       // (nq, max(n, cap))
    double *jump;       // (cap)
    double *small;      // (max(n, cap)^2)
    double *near;       // cluster distances (2 nq)
    int naxis;          // rigid bodies' axes, also limited by the displacement threshold,
    int *axis;          // to detect rotation about nodes
    double *axis_w;     // radii of gyration [m] (naxis)
    bool active;        // an interval is open
    double interval;    // planned or expected [s]
    double t_start;     // of the run
    double T_range;     // [K]
    gos_breaks breaks;  // required ends of steps
    bool failed;        // failed: history invalid
    gos_local_report report;
    gos_statistics stats;
};

/** Create, or resume from run->past (local_start.c). */
gos_status gos__local_begin(const gos_run_of *run, gos_local **local);
/** Serialise the history; the basis of motions comes first (local_history.c). */
void gos__local_give(gos_local *g, gos_walk *past);
gos_status gos__local_take(gos_local *g, gos_walk *past);
/** Full system with this stepper; `sys` must outlive it (local_system.c). */
gos_status gos__local_system(gos_ctx *ctx, const gos_system *sys, gos_system **local);
/** Modes, columns, matrices, loads at the present state (local_model.c). */
gos_status gos__local_linearise(gos_local *g);
/** Select the nearest basis of a run (local_pod.c). */
void gos__local_take_cluster(gos_local *g);
/** Force residual into g->r, sums of powers; updates multipliers and temperature rates. */
gos_status gos__local_forces(gos_local *g, double t_eval, gos_sums *sums);
/** Error of the finished interval over its allowance (theory 4.7-4). */
double gos__local_jump(gos_local *g);
/** Rotate vectors (nv, 3) by the frame's angle after t; points: about the centre. */
void gos__local_turn(const gos_local *g, double t, bool points, const double *from, double *to);

#endif
