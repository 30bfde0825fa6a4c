/* What reduction methods share: the task they are given, the result they fill, their table. A
   method fills bases; checks, projection, normal form, moments and errors are done here for all of
   them. */
#ifndef GOS_REDUCE_INTERNAL_H
#define GOS_REDUCE_INTERNAL_H

#include "gossamer/reduce_linear.h"
#include "linear/floating.h"
#include "linear_reduction/krylov.h"
#include "linear_reduction/methods.h"

struct gos_linear_reduction {
    gos_ctx *ctx;
    gos_linear *model;
    gos_space V, W;   // W is empty when one-sided
    bool physical;    // reduced coordinates have a meaning: no normal form
    int kept;         // the first of them are coordinates of the full model ...
    int *kept_index;  // ... these (kept)
    int npoints;      // expansion points ...
    gos_point *point; // ... (npoints)
    int moments;      // coefficients that agree at each
    double *hankel;   // (nhankel)
    double
        *slaved; // displacements beside V by reduced temperatures (nq, nslaved), of the first ones
    int nslaved;
    int nhankel;
    gos_linear_reduction_report report;
};

typedef struct gos_step_check gos_step_check;

typedef struct gos_reduce_task {
    gos_ctx *ctx;
    const gos_linear *full;
    gos_reduce_pencil *pencil; // of the full model; NULL: its method is bare
    const gos_linear_reduction_options *opt;
    int order; // 0: not given, only for methods that choose it
    const gos_step_check
        *steps; // what method auto keeps besides responses on the band; NULL: nothing
    gos_linear_reduction *out;
} gos_reduce_task;

/* What a method does with a linear model; its name, meaning and parameters are in its type
 * (methods.h). */
typedef struct gos_reduce_method {
    bool first_order; // works on the model as one system of first order
    bool eliminate;   // constraints are eliminated before, and `candidates` modes taken
    bool decays;      // needs a model whose motions decay
    bool own_order;   // chooses the order by itself when none is given
    bool inputless;   // its vectors are those of the model alone, whatever its inputs
    bool bare;        // works on blocks of the model: it needs no pencil
    bool potentials;  // has a basis of its own for electric potentials; others see them condensed
    bool physical;    // keeps coordinates of the model, so that its free motions stay among them
    gos_status (*reduce)(gos_reduce_task *task);
    gos_status (*complete)(gos_reduce_task *task); // adds to the projected model; NULL: nothing
} gos_reduce_method;

/** Let the deformations under the first n reduced temperatures follow these at once, beside a basis
 * and its projection that are there (quasi_static.c). */
gos_status gos__reduce_slave(gos_reduce_task *task, int n);

/** Refuse a model that no method can take, with what is wrong with it (check.c). */
gos_status gos__reduce_check_model(gos_ctx *ctx, const gos_linear *l);
/** Refuse impossible options. */
gos_status gos__reduce_check_options(gos_ctx *ctx, const gos_linear *l,
                                     const gos_linear_reduction_options *opt, bool first_order);
/** The model of W^T P V; out's bases are brought to normal form first (project.c). */
gos_status gos__reduce_project(gos_ctx *ctx, const gos_linear *full, gos_linear_reduction *out);
/** S (r, r) = V^T A V, A symmetric; exact: with sums of 24 digits (project.c). */
gos_status gos__reduce_congruence(gos_ctx *ctx, const gos_sparse *A, bool exact, int r,
                                  const double *V, double *S);
/** Sizes of inputs (nu) and outputs (ny) so that on the band the largest response of each output,
 * and to each input, is in * out; more where rounding leaves more than the tolerance of a response
 * unknown, 1 where there is none (port_scaling.c). */
gos_status gos__channel_sizes(gos_ctx *ctx, const gos_linear *l, const double band[2],
                              double tolerance, double *in, double *out);
/** Divide inputs and outputs by these, so that a response of in * out becomes 1; `back`:
 * multiply. */
void gos__scale_channels(gos_linear *l, const double *in, const double *out, bool back);
/** Bring the basis of a field to V^T M V = I, V^T K V = diag(*lambda); *lambda is the caller's to
 * free, and stays as it is, with the basis, when M is not positive definite on it
 * (normal_form.c). */
gos_status gos__reduce_normal_form(gos_ctx *ctx, const gos_sparse *K, const gos_sparse *M,
                                   int field, gos_space *s, double **lambda);
/** Add the free motions to a reduction of f->held: coordinates (of first order: displacements and
 *  velocities) before the others, exact, and vectors before the others (free_motion.c). */
gos_status gos__reduce_join(const gos_linear *l, const gos_floating *f, gos_linear_reduction *out);
/** Remember points at which `moments` coefficients must agree. */
gos_status gos__reduce_points(gos_linear_reduction *out, int n, const gos_point *points,
                              int moments);
/** Most snapshots of a transient for one input, and how many there are (snapshots.c). */
int gos__reduce_transient_count(const gos_linear_reduction_options *opt, int most);
/** S (unknowns, inputs * count): responses of the full model from rest to a pulse
 *  exp(-((t - 6 / hi) hi)^2 / 2) on each input in turn, over the pulse and two periods of the
 * lowest frequency of the band, at most 200 of the highest. */
gos_status gos__reduce_transient_snapshots(gos_reduce_task *t, int most, double *S);
/** The point of expansion when none is given, factorised: 0, or amid the band when that is a pole,
 * as of a model that moves freely (method_krylov.c). */
gos_status gos__reduce_own_point(gos_reduce_task *t, gos_point *point);
/** Compare moments of both models at the points (moments.c). */
gos_status gos__reduce_check_moments(gos_ctx *ctx, gos_reduce_pencil *full,
                                     gos_linear_reduction *out);
/** Outputs are the inputs' work conjugates: Y0 = c B^T, or Y1 = c B^T, and the other is zero. */
bool gos__reduce_collocated(const gos_reduce_pencil *p);

/** What is done before a method that cannot do with constraints, or with too many coordinates: the
 *  exact model on the null space of its constraints (dense, up to 2000 states), or the one of
 *  opt->candidates modes. *stage is NULL when there is nothing to do (intermediate_model.c). */
gos_status gos__reduce_stage(gos_reduce_task *t, gos_linear_reduction **stage);
/** Bases of t->out from those of the stage's model to those of the full one. */
gos_status gos__reduce_unstage(gos_reduce_task *t, const gos_linear_reduction *stage,
                               bool first_order);
/** Cut the bases of t->out, which give `model` (orthonormal, not in normal form), to the lowest
 * order whose difference to it, relative on the band, is at most `room`, or (order > 0) to that
 * order, or a lower one within `room`; *difference is what it is, 0 where nothing was cut. Models
 * with potentials are not (compress.c).
 */
gos_status gos__reduce_compress(gos_reduce_task *t, const gos_linear *model, double room, int order,
                                double *difference);
/** Vectors of each field of a small model in the order in which inputs excite and outputs see them
 * on a band: of the Gramians of that band, field by field (compress_fields.c). */
gos_status gos__reduce_field_vectors(gos_ctx *ctx, const gos_linear *model, const double band[2],
                                     gos_space *vectors);
/** Reduce to options->order (0 for methods that choose), without a prediction of the error. Options
 *  have been checked. */
gos_status gos__reduce_at_order(gos_ctx *ctx, const gos_linear *linear,
                                const gos_linear_reduction_options *options,
                                gos_linear_reduction **reduction);
/** The lowest order, of a growing sequence up to `most`, whose predicted error on the band is below
 * the tolerance (order.c). */
gos_status gos__reduce_by_tolerance(gos_ctx *ctx, const gos_linear *linear,
                                    const gos_linear_reduction_options *options, int most,
                                    gos_linear_reduction **reduction);
/** Predict the error of out's model on a band, and bound it where theory does (estimate.c). */
gos_status gos__reduce_estimate(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                                bool first_order, gos_linear_reduction *out);
/* How inputs set in at rest, and until when. */
typedef struct gos_step_times {
    double first, end;      // first step, end [s]
    const double *together; // amounts of inputs that act at once (nu), NULL: not known
    const double *out;      // by which outputs were divided (ny), NULL: they are as they are
} gos_step_times;

/** Errors of displacements (and of other outputs than temperatures, each unit for itself) after
 * inputs set in at rest, each relative to the largest by that input until the end, their sum over
 * the inputs; or, if it is larger, that of all inputs together relative to what these reach
 * together: at the first points of steps of lengths from the first to the end, by the trapezoidal
 * rule for both. Made of a full model, it serves any number of reduced ones (error_steps.c). */
gos_status gos__step_check_create(gos_ctx *ctx, const gos_linear *full, const gos_step_times *times,
                                  gos_step_check **check);
void gos__step_check_destroy(gos_step_check *check);
gos_status gos__step_check_error(const gos_step_check *check, const gos_linear *reduced,
                                 double *error);
/** gos_linear_reduce by method auto, with errors of each channel, whose tolerance also holds after
 * inputs set in (`out` of `times` is not asked for; reduce.c). */
gos_status gos__reduce_starting(gos_ctx *ctx, const gos_linear *linear,
                                const gos_linear_reduction_options *options,
                                const gos_step_times *times, gos_linear_reduction **reduction);
/** May the error of a reduced model be measured, or would the responses of the full one cost more
 * than reducing it? */
gos_status gos__reduce_measurable(gos_reduce_pencil *p, bool *known);
/* an error, and the channel with the largest part of it; -1: not known */
typedef struct gos_judgement {
    double error;
    int input, output;
} gos_judgement;
/** The error on a band of the model on a basis that has the fields of `linear`, relative to the
 * largest response of each input and output (basis_error.c). */
gos_status gos__reduce_judge(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                             double tolerance, const gos_space *basis, gos_judgement *judgement);
/** A model of method auto before its bases are cut: larger than need be, for who wants to know how
 * `linear` responds (method_auto.c).
 */
gos_status gos__reduce_uncut(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                             double tolerance, gos_linear_reduction **reduction);
/** The relative difference between out's model and one that grows from its bases, by vectors of
 * method auto, until it changes by no more than a tenth of that (method_auto.c). */
gos_status gos__reduce_grown_difference(gos_ctx *ctx, const gos_linear *linear,
                                        const double band[2], bool first_order,
                                        const gos_linear_reduction *out, double *difference);

#endif
