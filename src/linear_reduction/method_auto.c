/* Method auto: Krylov vectors at points of largest error. Moderate models: errors are measured
   on the band, points go to their peaks. Larger ones: by an error estimator (estimator.h), if
   available; otherwise the difference of successive models predicts the error of the earlier one
   (theory 3.4), confirmed by points in the widest gaps. Finally the bases are truncated
   (compress.c). */
#include <cblas.h>
#include <complex.h>
#include <math.h>

#include "linear_reduction/estimator.h"
#include "linear_reduction/frequency_response.h"
#include "linear_reduction/stability.h"

#define MAX_ROUNDS 60      // rounds that add points
#define CONFIRMED_ROUNDS 3 // consecutive rounds within the tolerance
#define BLOCKS_PER_POINT 2
#define AXIS_OFFSET 1e-3   // relative offset of points from the imaginary axis, to avoid poles
#define ACCURACY_SHARE 0.1 // required accuracy relative to the difference or tolerance
#define MAX_TRIALS 20      // largest number of rounds to settle a difference
#define ROUNDING 1e-11     // relative difference at round-off level
// largest number of unknowns for measured errors, if factorisations are cheap
#define MEASURED_UNKNOWNS 2000
#define RICH_TOLERANCE 1e-4   // tolerance of bases to be truncated to a given order
#define UNTRUNCATED_SHARE 0.3 // tolerance before truncation, relative
#define ERROR_FLOOR 0.05      // error floor relative to the tolerance
#define MAX_NEW_POINTS 16     // largest number of points between measurements
#define POINTS_PER_NEW 6      // one more point per so many existing ones
#define MAX_POINTS 200        // largest number of points
#define STEP_ROUNDS 3         // rounds for step inputs,
#define STEP_REDUCTION 0.1    // each with the band tolerance reduced by this factor

static gos_status add_point(gos_reduce_task *t, gos_complex s) {
    gos_reduce_pencil *p = t->pencil;
    gos_linear_reduction *out = t->out;
    char text[80];
    int blocks;
    gos__format(text, sizeof text, "reduction: %d vectors", gos__space_largest(&out->V));
    GOS_TRY(gos__progress(t->ctx, 0, text));
    GOS_TRY(gos__krylov_vectors(p, s, false, BLOCKS_PER_POINT * p->nu, &out->V, &blocks));
    if (!p->one_sided) {
        return gos__krylov_vectors(p, s, true, BLOCKS_PER_POINT * p->ny, &out->W, &blocks);
    }
    return p->symmetric && gos__reduce_collocated(p)
               ? GOS_OK
               : gos__krylov_vectors(p, s, true, BLOCKS_PER_POINT * p->ny, &out->V, &blocks);
}

/* An error unless accepted, or truncation to a given order follows. The caller warns. */
static gos_status missed(const gos_reduce_task *t, double tolerance, int points) {
    return t->order > 0 || t->opt->accept
               ? GOS_OK
               : gos__fail(t->ctx, GOS_E_DIVERGED,
                           "tolerance %g was not met with %d points and %d vectors; the predicted "
                           "error is %g",
                           tolerance, points, gos__space_largest(&t->out->V),
                           t->out->report.predicted);
}

static void trim(gos_linear_reduction *out) {
    for (int f = 0; f < GOS_NFIELDS && out->W.ctx; f++) {
        const int n = out->V.count[f] < out->W.count[f] ? out->V.count[f] : out->W.count[f];
        out->V.count[f] = out->W.count[f] = n;
    }
}

static gos_status copy_space(const gos_space *from, gos_space *to) {
    gos__space_init(from->ctx, from->start, from->max, to);
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const size_t n = (size_t)gos__space_rows(from, f);
        for (int k = 0; k < from->count[f]; k++) {
            GOS_TRY(gos__space_put(to, f, from->v[f] + (size_t)k * n));
        }
    }
    return GOS_OK;
}

/* bases stay orthonormal */
static gos_status model_of_bases(gos_reduce_task *t, gos_linear **model) {
    gos_linear_reduction r = *t->out; // shares vectors, not their counts
    r.model = NULL;
    r.physical = true; // normal form would change the basis
    trim(&r);
    const gos_status status = gos__reduce_project(t->ctx, t->full, &r);
    *model = r.model;
    return status;
}

/* Current model for error measurement; symmetric ones in normal form on a copied basis, since
   round-off of large stiffness entries would mask the lowest resonances of slender solids. */
static gos_status model_now(gos_reduce_task *t, gos_linear **model) {
    gos_linear_reduction r = *t->out;
    if (!t->full->symmetric || r.W.ctx) {
        return model_of_bases(t, model);
    }
    r.model = NULL;
    gos_status status = copy_space(&t->out->V, &r.V);
    status = status == GOS_OK ? gos__reduce_project(t->ctx, t->full, &r) : status;
    gos__space_free(&r.V);
    *model = r.model;
    return status;
}

/* logarithmic centre of the widest gap between used frequencies */
static double widest_gap(int n, const double *used, double lo, double hi) {
    double at = sqrt(lo * hi), widest = 0;
    for (int i = -1; i < n; i++) {
        const double from = i < 0 ? lo : used[i];
        double to = hi;
        for (int j = 0; j < n; j++) {
            to = used[j] > from && used[j] < to ? used[j] : to;
        }
        if (from > 0 && from < hi && to / from > widest) {
            widest = to / from;
            at = sqrt(from * to);
        }
    }
    return at;
}

/* termination criterion */
typedef struct aim {
    double tolerance;          // of the change between models
    const gos_linear *against; // if set: part of the difference from this model
    int rounds, confirmed;     // most rounds; required consecutive ones
} aim;

/* Add a point at used[round]. *next: frequency of the largest change, *change: its size. */
static gos_status one_round(gos_reduce_task *t, int round, double *used, double *next,
                            double *change, gos_linear **last) {
    gos_linear *now = NULL;
    gos_band_error e = {0};
    used[round] = fmax(*next, 1e-4 * t->opt->band[1]);
    GOS_TRY(add_point(t, gos__complex(AXIS_OFFSET, 1) * used[round]));
    GOS_TRY(model_now(t, &now));
    const gos_status status =
        gos_linear_band_error(t->ctx, now, *last, t->opt->band[0], t->opt->band[1], &e);
    gos_linear_destroy(*last);
    *last = now;
    *next = e.worst;
    *change = e.relative;
    return status;
}

static gos_status grow(gos_reduce_task *t, const aim *a, gos_linear **last, double *result) {
    const double *band = t->opt->band;
    double used[MAX_ROUNDS], at = band[1], required = a->tolerance, change = 0;
    int good = 0, round = 0;
    for (; round < a->rounds && good < a->confirmed; round++) {
        GOS_TRY(one_round(t, round, used, &at, &change, last));
        *result = change;
        if (a->against) {
            gos_band_error e;
            GOS_TRY(gos_linear_band_error(t->ctx, *last, a->against, band[0], band[1], &e));
            *result = e.relative;
            required = fmax(ACCURACY_SHARE * e.relative, ROUNDING);
        }
        good = change <= required ? good + 1 : 0;
        // confirm in unsampled gaps
        at = good ? widest_gap(round + 1, used, fmax(band[0], 1e-4 * band[1]), band[1]) : at;
    }
    t->out->report.iterations = round;
    return good < a->confirmed && !a->against ? missed(t, a->tolerance, round) : GOS_OK;
}

static gos_status grow_measured(gos_reduce_task *t, gos_responder *full, double tolerance,
                                gos_linear **last) {
    const double *band = t->opt->band;
    const double floor = fmax(band[0], 1e-4 * band[1]);
    gos_linear_reduction_report *report = &t->out->report;
    int points = 0, before = 0;
    for (;; report->iterations++) {
        gos_band_error e;
        double peak[MAX_NEW_POINTS];
        int n = 1 + points / POINTS_PER_NEW < MAX_NEW_POINTS ? 1 + points / POINTS_PER_NEW
                                                             : MAX_NEW_POINTS;
        GOS_TRY(gos__band_responses(t->ctx, full, *last, band, ERROR_FLOOR * tolerance, NULL, &e,
                                    &n, peak));
        report->predicted = e.relative;
        report->compared += e.evaluations;
        bool good = e.relative <= tolerance;
        if (good && !t->pencil->symmetric) {
            gos_growth growth;
            GOS_TRY(gos__reduced_stable(t->ctx, t->full, *last, &good, &growth));
        }
        if (good) {
            return GOS_OK;
        }
        const int size = gos__space_largest(&t->out->V);
        if (points >= MAX_POINTS || size == before) {
            return missed(t, tolerance, points);
        }
        before = size;
        for (int k = 0; k < n; k++, points++) {
            GOS_TRY(add_point(t, gos__complex(AXIS_OFFSET, 1) * fmax(peak[k], floor)));
        }
        gos_linear_destroy(*last);
        *last = NULL;
        GOS_TRY(model_now(t, last));
    }
}

static gos_status grow_by_measurement(gos_reduce_task *t, double tolerance) {
    gos_responder full;
    gos_linear *last = NULL;
    GOS_TRY(gos__responder_begin(t->ctx, t->full, &full));
    gos_status status = model_now(t, &last);
    status = status == GOS_OK ? grow_measured(t, &full, tolerance, &last) : status;
    gos__responder_end(t->ctx, &full);
    gos_linear_destroy(last);
    return status;
}

/* includes a bound if within `wanted` */
static gos_status estimate_now(gos_reduce_task *t, gos_estimator *estimator, double required,
                               gos_estimate *v) {
    gos_linear *now = NULL;
    GOS_TRY(model_now(t, &now));
    gos_status status = gos__estimator_difference(estimator, now, &v->error);
    if (status == GOS_OK && v->error.relative <= required) {
        status = gos__estimator_compare(estimator, now, v);
    }
    gos_linear_destroy(now);
    return status == GOS_OK ? GOS_OK : gos__fail(t->ctx, status, "errors could not be estimated");
}

static gos_status grow_estimated(gos_reduce_task *t, gos_estimator *estimator,
                                 double reference_error, double tolerance) {
    const double *band = t->opt->band, floor = fmax(band[0], 1e-4 * band[1]);
    gos_linear_reduction_report *report = &t->out->report;
    double used[MAX_ROUNDS];
    for (int round = 0; round < MAX_ROUNDS; round++) {
        gos_estimate v = {0};
        GOS_TRY(estimate_now(t, estimator, tolerance - reference_error, &v));
        report->predicted = v.error.relative + reference_error;
        report->iterations = round;
        if (report->predicted <= tolerance) {
            return GOS_OK;
        }
        double at = fmax(v.error.worst, floor);
        for (int k = 0; k < round; k++) {
            at =
                fabs(at / used[k] - 1) < AXIS_OFFSET ? widest_gap(round, used, floor, band[1]) : at;
        }
        used[round] = at;
        GOS_TRY(add_point(t, gos__complex(AXIS_OFFSET, 1) * at));
    }
    return missed(t, tolerance, MAX_ROUNDS);
}

static gos_status grow_alone(gos_reduce_task *t, double tolerance) {
    const aim a = {.tolerance = tolerance, .rounds = MAX_ROUNDS, .confirmed = CONFIRMED_ROUNDS};
    gos_linear *last = NULL;
    gos_status status = model_now(t, &last);
    status = status == GOS_OK ? grow(t, &a, &last, &t->out->report.predicted) : status;
    gos_linear_destroy(last);
    return status;
}

/* start near the low end, off rigid motions */
static gos_status begin(gos_reduce_task *t) {
    return add_point(t, fmax(t->opt->band[0], AXIS_OFFSET * t->opt->band[1]));
}

static gos_status cut(gos_reduce_task *t, double tolerance, bool measurable,
                      gos_estimator *estimator) {
    gos_linear_reduction_report *report = &t->out->report;
    gos_linear *model = NULL;
    gos_estimate v;
    double more = 0;
    GOS_TRY(model_of_bases(t, &model));
    const bool by_tolerance = t->opt->tolerance > 0 || t->order == 0; // else only an order is given
    gos_status status = gos__reduce_compress(
        t, model, by_tolerance ? tolerance - report->predicted : 0, t->order, &more);
    report->predicted += more; // upper bound
    gos_linear_destroy(model);
    if (status != GOS_OK || !estimator) {
        return status;
    }
    GOS_TRY(estimate_now(t, estimator, HUGE_VAL, &v));
    report->band_bound = v.bound;
    report->predicted = measurable ? report->predicted : v.error.relative;
    return GOS_OK;
}

/* A Krylov block costs as much as one frequency, a measurement hundreds. */
gos_status gos__reduce_is_measurable(gos_reduce_pencil *p, bool *measurable) {
    bool heavy = true;
    if (p->n <= MEASURED_UNKNOWNS) {
        GOS_TRY(gos__reduce_pencil_heavy(p, &heavy));
    }
    *measurable = !heavy;
    return GOS_OK;
}

/* see compress.c */
static bool can_be_cut(const gos_reduce_task *t) {
    return t->full->nphi == 0 && (t->pencil->one_sided || t->full->nq == 0);
}

static void limit(gos_space *s, int order) {
    for (int f = 0; f < GOS_NFIELDS; f++) {
        s->max[f] = s->max[f] < order ? s->max[f] : order;
    }
}

/* NULL: none is sufficiently accurate. Its basis starts from `found`. */
static gos_status make_estimator(gos_reduce_task *t, const gos_space *found, double tolerance,
                                 gos_estimator **estimator, double *reference_error) {
    gos_estimate v;
    bool settled = false;
    GOS_TRY(gos__estimator_create(t->ctx, t->full, t->opt->band, found, estimator));
    settled = *estimator &&
              gos__estimator_bound(*estimator, NULL, 1, ACCURACY_SHARE * tolerance, &v, &settled) ==
                  GOS_OK &&
              settled;
    if (!settled) {
        gos__estimator_destroy(*estimator);
        *estimator = NULL;
    }
    *reference_error = settled ? v.reference_error : 0;
    return GOS_OK;
}

/* Bases within the tolerance; *measurable: errors are measured, else by *estimator (NULL: none). */
static gos_status grow_bases(gos_reduce_task *t, double tolerance, bool *measurable,
                             gos_estimator **estimator) {
    double reference_error = 0;
    *estimator = NULL;
    GOS_TRY(gos__reduce_is_measurable(t->pencil, measurable));
    if (!*measurable) {
        GOS_TRY(make_estimator(t, NULL, tolerance, estimator, &reference_error));
    }
    gos_status status = begin(t);
    if (status == GOS_OK) {
        status = *measurable ? grow_by_measurement(t, UNTRUNCATED_SHARE * tolerance)
                 : *estimator
                     ? grow_estimated(t, *estimator, reference_error, UNTRUNCATED_SHARE * tolerance)
                     : grow_alone(t, UNTRUNCATED_SHARE * tolerance);
    }
    trim(t->out);
    if (status == GOS_OK && *measurable && !t->opt->unproved) {
        status = make_estimator(t, &t->out->V, tolerance, estimator, &reference_error);
    }
    return status;
}

/* Step heat inputs: band responses, relative to final values, permit larger initial errors. */
static gos_status grow_for_starts(gos_reduce_task *t, double tolerance, bool measurable) {
    double *predicted = &t->out->report.predicted;
    double finer = UNTRUNCATED_SHARE * tolerance;
    for (int round = 0;; round++) {
        gos_linear *now = NULL;
        double error;
        GOS_TRY(model_now(t, &now));
        gos_status status = gos__step_check_error(t->steps, now, &error);
        gos_linear_destroy(now);
        GOS_TRY(status);
        *predicted = fmax(*predicted, error);
        if (error <= UNTRUNCATED_SHARE * tolerance || round == STEP_ROUNDS) {
            return GOS_OK;
        }
        finer *= STEP_REDUCTION;
        GOS_TRY(measurable ? grow_by_measurement(t, finer) : grow_alone(t, finer));
        trim(t->out);
    }
}

static void begin_left(gos_reduce_task *t) {
    if (!t->pencil->one_sided) {
        gos__space_init(t->ctx, t->pencil->start, t->pencil->max, &t->out->W);
    }
}

static gos_status automatic(gos_reduce_task *t) {
    gos_reduce_pencil *p = t->pencil;
    // order only: truncate rich bases
    const double own = t->order > 0 ? RICH_TOLERANCE : 1e-3;
    const double tolerance = t->opt->tolerance > 0 ? t->opt->tolerance : own;
    if (!(t->opt->band[1] > 0)) {
        return gos__fail(
            t->ctx, GOS_E_INPUT,
            "method auto requires a frequency band on which the tolerance must be met");
    }
    if (p->nu == 0 || p->ny == 0) {
        return gos__fail(t->ctx, GOS_E_INPUT, "method auto requires inputs and outputs");
    }
    begin_left(t);
    if (t->order > 0 && !can_be_cut(t)) { // stop at that order
        limit(&t->out->V, t->order);
        limit(&t->out->W, t->order);
    }
    gos_estimator *estimator;
    bool measurable;
    gos_status status = grow_bases(t, tolerance, &measurable, &estimator);
    if (status == GOS_OK && t->steps) {
        status = grow_for_starts(t, tolerance, measurable);
    }
    status = status == GOS_OK ? cut(t, tolerance, measurable, estimator) : status;
    gos__estimator_destroy(estimator);
    return status;
}

const gos_reduce_method gos__method_auto = {
    .potentials = true,
    .own_order = true,
    .reduce = automatic,
};

gos_status gos__reduce_uncut(gos_ctx *ctx, const gos_linear *l, const double band[2],
                             double tolerance, gos_linear_reduction **reduction) {
    const gos_linear_reduction_options opt = {
        .band = {band[0], band[1]}, .tolerance = tolerance, .unproved = true};
    gos_linear_reduction *out = gos__zalloc(ctx, 1, sizeof *out);
    gos_estimator *estimator = NULL;
    bool measurable;
    if (!out) {
        return GOS_E_MEMORY;
    }
    out->ctx = ctx;
    gos_reduce_task t = {.ctx = ctx, .full = l, .opt = &opt, .out = out};
    gos_status status = gos__reduce_pencil_create(ctx, l, NULL, &t.pencil);
    if (status == GOS_OK) {
        gos__space_init(ctx, t.pencil->start, t.pencil->max, &out->V);
        begin_left(&t);
        status = grow_bases(&t, tolerance, &measurable, &estimator);
    }
    status = status == GOS_OK ? gos__reduce_project(ctx, l, out) : status;
    gos__estimator_destroy(estimator);
    gos__reduce_pencil_destroy(t.pencil);
    if (status != GOS_OK) {
        gos_linear_reduction_destroy(out);
        return status;
    }
    *reduction = out;
    return GOS_OK;
}

/* ---- difference from a richer model ---------------------------------------------------------- */

static gos_status add_all(const gos_space *from, gos_space *to) {
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const size_t n = gos__space_rows(from, f);
        double *x = gos__alloc(to->ctx, n + 1, sizeof *x);
        gos_status status = x ? GOS_OK : GOS_E_MEMORY;
        for (int k = 0; k < from->count[f] && status == GOS_OK; k++) {
            memcpy(x, from->v[f] + k * n, n * sizeof *x);
            status = gos__space_add(to, f, x, cblas_dnrm2((int)n, x, 1));
        }
        gos__free(to->ctx, x);
        GOS_TRY(status);
    }
    return GOS_OK;
}

/* Start the bases of t->out from those of r; left ones, too, without an energy form. */
static gos_status seed(gos_reduce_task *t, const gos_linear_reduction *r, bool first_order) {
    gos_reduce_pencil *p = t->pencil;
    gos_linear_reduction *out = t->out;
    gos__space_init(t->ctx, p->start, p->max, &out->V);
    if (!p->one_sided) {
        gos__space_init(t->ctx, p->start, p->max, &out->W);
    }
    if (first_order) {
        return GOS_OK; // vectors belong to another model
    }
    GOS_TRY(add_all(&r->V, &out->V));
    if (r->W.ctx || out->W.ctx) {
        return add_all(r->W.ctx ? &r->W : &r->V, out->W.ctx ? &out->W : &out->V);
    }
    return GOS_OK;
}

gos_status gos__reduce_grown_difference(gos_ctx *ctx, const gos_linear *l, const double band[2],
                                        bool first_order, const gos_linear_reduction *r,
                                        double *difference) {
    const gos_linear_reduction_options opt = {.band = {band[0], band[1]}};
    const aim a = {.against = r->model, .rounds = MAX_TRIALS, .confirmed = 2};
    gos_linear_reduction *out = gos__zalloc(ctx, 1, sizeof *out);
    gos_linear *last = NULL;
    if (!out) {
        return GOS_E_MEMORY;
    }
    out->ctx = ctx;
    gos_reduce_task t = {.ctx = ctx, .full = l, .opt = &opt, .out = out};
    gos_status status = gos__reduce_pencil_create(ctx, l, NULL, &t.pencil);
    status = status == GOS_OK ? seed(&t, r, first_order) : status;
    status = status == GOS_OK ? begin(&t) : status;
    status = status == GOS_OK ? model_now(&t, &last) : status;
    status = status == GOS_OK ? grow(&t, &a, &last, difference) : status;
    gos_linear_destroy(last);
    gos__reduce_pencil_destroy(t.pencil);
    gos_linear_reduction_destroy(out);
    return status;
}
