/* Interface of reduction methods. A method only fills bases; checks, projection, normal form,
   moments and errors are common. */
#ifndef GOS_REDUCE_INTERNAL_H
#define GOS_REDUCE_INTERNAL_H

#include "gossamer/reduce_linear.h"
#include "linear/floating.h"
#include "linear_reduction/krylov.h"
#include "linear_reduction/methods.h"

struct gos_linear_reduction {
    gos_ctx *ctx;
    gos_linear *model;
    gos_space V, W;    // W is empty if one-sided
    bool physical;     // reduced coordinates are physical: no normal form
    int kept;          // number of leading coordinates kept from the full model,
    int *kept_index;   // their indices (kept)
    int npoints;       // number of expansion points
    gos_point *point;  // (npoints)
    int moments;       // moments matched at each
    double *hankel;    // (nhankel)
    double *dependent; // dependent displacements per reduced temperature (nq, ndependent)
    int ndependent;
    int nhankel;
    gos_linear_reduction_report report;
};

typedef struct gos_step_check gos_step_check;

typedef struct gos_reduce_task {
    gos_ctx *ctx;
    const gos_linear *full;
    gos_reduce_pencil *pencil; // of the full model; NULL: the method is bare
    const gos_linear_reduction_options *opt;
    int order;                   // 0: automatic
    const gos_step_check *steps; // step responses limited by method auto; NULL: none
    gos_linear_reduction *out;
} gos_reduce_task;

/* Linear part of a method; name, description and parameters are in its type (methods.h). */
typedef struct gos_reduce_method {
    bool first_order; // requires a first-order system
    bool eliminate;   // requires elimination of constraints, or projection on `candidates` modes
    bool decays;      // requires an asymptotically stable model
    bool own_order;   // has an automatic order
    bool inputless;   // does not depend on inputs
    bool bare;        // does not need a pencil
    bool potentials;  // supports electric potentials; otherwise they are condensed
    bool physical;    // keeps physical coordinates, including free motions
    gos_status (*reduce)(gos_reduce_task *task);
    gos_status (*complete)(gos_reduce_task *task); // extends the projected model; NULL: nothing
} gos_reduce_method;

/** Make deformations under the first n reduced temperatures dependent on them (quasi_static.c). */
gos_status gos__reduce_dependent(gos_reduce_task *task, int n);

/** Reject invalid models (check.c). */
gos_status gos__reduce_check_model(gos_ctx *ctx, const gos_linear *l);
/** Reject invalid options. */
gos_status gos__reduce_check_options(gos_ctx *ctx, const gos_linear *l,
                                     const gos_linear_reduction_options *opt, bool first_order);
/** Model W^T P V; out's bases are normalised first (project.c). */
gos_status gos__reduce_project(gos_ctx *ctx, const gos_linear *full, gos_linear_reduction *out);
/** S (r, r) = V^T A V, A symmetric; exact: with sums of 24 digits (project.c). */
gos_status gos__reduce_congruence(gos_ctx *ctx, const gos_sparse *A, bool exact, int r,
                                  const double *V, double *S);
/** Scales of inputs (nu) and outputs (ny): the largest response of each channel on the band is
 *  in * out; 1 without responses. Responses with round-off above the tolerance increase them. */
gos_status gos__channel_sizes(gos_ctx *ctx, const gos_linear *l, const double band[2],
                              double tolerance, double *in, double *out);
/** Divide inputs and outputs by these scales, or multiply (`back`). */
void gos__scale_channels(gos_linear *l, const double *in, const double *out, bool back);
/** Normalise the basis of a field: V^T M V = I, V^T K V = diag(*lambda). The caller frees
 *  *lambda. No effect if M is not positive definite. */
gos_status gos__reduce_normal_form(gos_ctx *ctx, const gos_sparse *K, const gos_sparse *M,
                                   int field, gos_space *s, double **lambda);
/** Prepend the free motions to a reduction of f->held: exact coordinates (first order:
 *  displacements and velocities) and vectors. */
gos_status gos__reduce_join(const gos_linear *l, const gos_floating *f, gos_linear_reduction *out);
/** Store points where `moments` moments must match. */
gos_status gos__reduce_points(gos_linear_reduction *out, int n, const gos_point *points,
                              int moments);
/** Number of transient snapshots per input, at most `most` (snapshots.c). */
int gos__reduce_transient_count(const gos_linear_reduction_options *opt, int max);
/** S (unknowns, inputs * count): responses from rest to a pulse exp(-((t - 6 / hi) hi)^2 / 2) on
 *  each input in turn, over the pulse and two periods of the lowest frequency, at most 200 of
 *  the highest. */
gos_status gos__reduce_transient_snapshots(gos_reduce_task *t, int max, double *S);
/** Default expansion point, factorised: 0, or inside the band if 0 is a pole (method_krylov.c). */
gos_status gos__reduce_own_point(gos_reduce_task *t, gos_point *point);
/** Compare moments of both models at the points (moments.c). */
gos_status gos__reduce_check_moments(gos_ctx *ctx, gos_reduce_pencil *full,
                                     gos_linear_reduction *out);
/** True if outputs are work conjugate to the inputs: Y0 or Y1 = c B^T, and the other zero. */
bool gos__reduce_collocated(const gos_reduce_pencil *p);

/** Intermediate model for methods without constraints or with few coordinates: exact on the null
 *  space (dense, up to 2000 states), or in opt->candidates modes. *stage NULL: not needed. */
gos_status gos__reduce_stage(gos_reduce_task *t, gos_linear_reduction **stage);
/** Transform bases of t->out from the intermediate to the full model. */
gos_status gos__reduce_unstage(gos_reduce_task *t, const gos_linear_reduction *stage,
                               bool first_order);
/** Truncate the orthonormal bases of t->out, of `model`, to the lowest order with a relative
 *  difference on the band of at most `room`, or (order > 0) to that order. *difference: 0 if
 *  unchanged. Models with potentials are not truncated. */
gos_status gos__reduce_compress(gos_reduce_task *t, const gos_linear *model, double room, int order,
                                double *difference);
/** Vectors of each field of a small model by band-limited balancing (compress_fields.c). */
gos_status gos__reduce_field_vectors(gos_ctx *ctx, const gos_linear *model, const double band[2],
                                     gos_space *vectors);
/** Reduce to options->order (0: automatic) without an error estimate. Options are checked. */
gos_status gos__reduce_at_order(gos_ctx *ctx, const gos_linear *linear,
                                const gos_linear_reduction_options *options,
                                gos_linear_reduction **reduction);
/** Lowest of increasing orders up to `most` with a band error below the tolerance. */
gos_status gos__reduce_by_tolerance(gos_ctx *ctx, const gos_linear *linear,
                                    const gos_linear_reduction_options *options, int max,
                                    gos_linear_reduction **reduction);
/** Estimate, and where possible bound, the error of out's model on a band (estimate.c). */
gos_status gos__reduce_estimate(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                                bool first_order, gos_linear_reduction *out);
/* Times and magnitudes of step inputs. */
typedef struct gos_step_times {
    double first, end;      // first step, end [s]
    const double *together; // magnitudes of simultaneous inputs (nu); NULL: unknown
    const double *out;      // output scales (ny); NULL: 1
} gos_step_times;

/** Errors after step inputs from rest, for outputs other than temperatures (grouped by unit),
 *  relative to the largest value due to that input, summed over inputs; or, if larger, for all
 *  inputs together. Initial points of trapezoidal steps from the first length to the end. One
 *  check serves any number of reduced models. */
gos_status gos__step_check_create(gos_ctx *ctx, const gos_linear *full, const gos_step_times *times,
                                  gos_step_check **check);
void gos__step_check_destroy(gos_step_check *check);
gos_status gos__step_check_error(const gos_step_check *check, const gos_linear *reduced,
                                 double *error);
/** gos_linear_reduce by method auto with channel-wise errors and limits on step responses
 *  (times->out is ignored). */
gos_status gos__reduce_starting(gos_ctx *ctx, const gos_linear *linear,
                                const gos_linear_reduction_options *options,
                                const gos_step_times *times, gos_linear_reduction **reduction);
/** *known: errors can be measured at acceptable cost. */
gos_status gos__reduce_is_measurable(gos_reduce_pencil *p, bool *known);
/* error and its worst channel; -1: unknown */
typedef struct gos_reduction_assessment {
    double error;
    int input, output;
} gos_reduction_assessment;
/** Error on a band of a model projected on a basis with the fields of `linear`, relative to the
 *  largest response of each channel. */
gos_status gos__reduction_assess(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                                 double tolerance, const gos_space *basis,
                                 gos_reduction_assessment *assessment);
/** Untruncated basis of method auto, as a reference for responses. */
gos_status gos__reduce_uncut(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                             double tolerance, gos_linear_reduction **reduction);
/** Relative difference between out's model and one extended by method auto until it changes by
 *  at most a tenth of it. */
gos_status gos__reduce_grown_difference(gos_ctx *ctx, const gos_linear *linear,
                                        const double band[2], bool first_order,
                                        const gos_linear_reduction *out, double *difference);

#endif
