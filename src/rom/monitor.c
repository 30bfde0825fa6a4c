/* Error estimate of a reduced run by the full model's residual: states are reconstructed, and
   the forces and heat outside the reduced equations are solved in one implicit step,
     (M / s^2 + D / s + K) e = -(force residual),  (C / T + L) e_T = -(heat residual),
   under all constraints; T is the elapsed time, s a part of the run. Valid for missing motions
   stiffer than the present ones, and for heat. The heat error due to e counts for as long as
   forces remain. Estimates at training, where the error is known, set the scale. If the missing
   motion is unstable (it buckles), the estimate grows with its rate for the rest of the run. */
#include "rom/monitor.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>

#include "rom/auto.h"
#include "rom/mechanisms.h"
#include "rom/reconstruction.h"
#include "signals/loops.h"
#include "solve/shared_factors.h"
#include "system/derived.h"

// No origin is recorded for these values, all dimensionless.
// s relative to the run: residuals of motion do not keep their direction longer, and inertia
// prevents apparent buckling
#define RESPONSE_TIME 0.05
#define MAX_SCALE 5.0 // upper limit of the scale, the ratio of error to estimate at training
// the same for temperatures, whose estimate has the right magnitude itself
#define MAX_HEAT_SCALE 1.25
#define WARNING_RATIO 2.5     // ratio of error to predicted error above which a warning is issued
#define NEGLIGIBLE_ERROR 0.05 // negligible error relative to the tolerance
#define RESIDUAL_SHARE 0.03   // part of the run's iterations available for residuals
#define TANGENT_SHARE 0.2     // ... for tangents
#define MAX_NODES 200         // nodes at which errors are evaluated
#define TANGENT_COST 5        // cost of a tangent in residuals, approximately
#define FORCE_GROWTH 4        // growth of squared forces after which a tangent is evaluated again
#define INVERSE_ITERATIONS 5  // iterations that isolate the least stable part of the missing motion
#define UNSTABLE_RATIO 1.01   // ratio of the last two; 1 for free motion
#define TRAINING_RATIO 1.25   // ratio of estimates up to which a run is as in training
// random error of a mean of few samples, relative to the mean with alternating signs
#define NOISE_FACTOR 2.0

static const char motion_text[] =
    "the residual of the full model indicates an error of about %.2g of the extent in this run "
    "(predicted for the loads of the reduction: %.2g); repeat the reduction with these loads, or "
    "compare with a full run";
static const char unstable_text[] =
    "the error of this run is unknown from t = %.4g s on: motion outside of the reduced basis is "
    "unstable (buckling) and grows at %.2g per second; repeat the reduction with these loads and a "
    "tolerance, or compare with a full run";
static const char heat_text[] =
    "the residual of the full model indicates a temperature error of about %.2g of the range in "
    "this run (predicted for the loads of the reduction: %.2g); repeat the reduction with these "
    "heat sources, or compare with a full run";

struct gos_monitor {
    gos_ctx *ctx;
    const gos_system *sys, *full;
    gos_arena *arena;
    gos_reconstruction reconstruction;
    gos_work *w;
    gos_solver *solver, *own;        // own: equal to solver, unless runs share one
    bool begun, measured, estimated; // first state, largest residual, estimate are set
    double start;                    // time of the first state [s]
    double *q, *v, *th, *thd,
        *lam;    // reconstructed state; q and r have room for derived vectors in front
    double *mem; // memory of the full model (nmem)
    double *r;   // residual, then error; with two scratch vectors (3, n)
    gos_mechanisms mechanisms;
    double *heat;        // time integral of the heat residual (nt)
    double *alternating; // the same with alternating signs (nt)
    double *turned;      // temperature error due to a persistent motion error (nt)
    double sampled;      // time of the last sample [s]
    double sizes;        // time integral of the force magnitude [N s/kg^0.5]
    int samples;
    double low, high; // temperature range so far [K]
    double max_size;  // largest squared force residual per mass so far [N^2/kg]
    double checked;   // ... at the last check of growth
    int nchecks;
    double unstable;   // first time with an unstable missing motion [s]; infinite: none
    double rate;       // ... its largest rate since [1/s]
    double grown;      // ... the largest error at the end of the run, over the extent
    gos_state *worst;  // reduced state with the most force
    double *worst_mem; // memory of the full model at that time (nmem)
    struct {
        double motion;             // RMS over nodes, over the extent
        double temperature, range; // RMS over nodes; range of temperatures [K]
    } estimates;
};

static gos_status allocate(gos_monitor *m) {
    const gos_system *s = m->full;
    gos_arena *a = m->arena;
    const size_t front = gos__derived_room(s);
    m->q = GOS_NEW(a, double, front + s->nq + 1);
    m->v = GOS_NEW(a, double, s->nq + 1);
    m->th = GOS_NEW(a, double, s->nt + 1);
    m->thd = GOS_NEW(a, double, s->nt + 1);
    m->lam = GOS_NEW(a, double, s->nc + 1);
    m->r = GOS_NEW(a, double, front + 3L * s->n + 1);
    m->mem = GOS_NEW(a, double, s->nmem + 1);
    m->heat = GOS_NEW(a, double, s->nt + 1);
    m->alternating = GOS_NEW(a, double, s->nt + 1);
    m->turned = GOS_NEW(a, double, s->nt + 1);
    m->worst_mem = GOS_NEW(a, double, s->nmem + 1);
    GOS_TRY(gos_state_create(m->ctx, m->sys, &m->worst));
    if (!m->worst_mem || !m->q || !m->v || !m->th || !m->thd || !m->lam || !m->r || !m->mem ||
        !m->heat || !m->alternating || !m->turned) {
        return GOS_E_MEMORY;
    }
    m->q += front;
    m->r += front;
    memcpy(m->mem, s->mem0, s->nmem * sizeof *m->mem);
    GOS_TRY(gos__work_create(m->ctx, s, &m->w));
    if (m->sys->shared) {
        GOS_TRY(gos__shared_factors_whole(m->sys->shared, &s->pattern, &m->solver));
    }
    if (!m->solver) {
        GOS_TRY(gos__solver_create(m->ctx, &s->pattern, &m->own));
        m->solver = m->own;
    }
    GOS_TRY(gos__mechanisms_create(a, s, &m->mechanisms));
    return gos__reconstruction_create(m->ctx, a, m->sys, &m->reconstruction);
}

gos_status gos__monitor_create(gos_ctx *ctx, const gos_system *reduced, gos_monitor **monitor) {
    *monitor = NULL;
    if (!reduced->full || !reduced->rom || reduced->stepper ||
        gos__rom_has_matrices(reduced->full)) {
        return GOS_OK;
    }
    gos_monitor *m = gos__zalloc(ctx, 1, sizeof *m);
    if (!m) {
        return GOS_E_MEMORY;
    }
    m->ctx = ctx;
    m->sys = reduced;
    m->full = reduced->full;
    m->low = m->unstable = HUGE_VAL;
    m->high = -HUGE_VAL;
    m->arena = gos__arena_create(ctx);
    const gos_status status = m->arena ? allocate(m) : GOS_E_MEMORY;
    if (status != GOS_OK) {
        gos__monitor_destroy(m);
        return status;
    }
    *monitor = m;
    return GOS_OK;
}

void gos__monitor_destroy(gos_monitor *m) {
    if (m) {
        gos__solver_destroy(m->own);
        gos_state_destroy(m->worst);
        gos__work_destroy(m->ctx, m->w);
        gos__arena_destroy(m->arena);
        gos__free(m->ctx, m);
    }
}

static gos_point_of reconstruct(gos_monitor *m, const gos_state *x, const double *mem) {
    gos__reconstruct_motion(&m->reconstruction, true, x->q, m->q);
    gos__reconstruct_motion(&m->reconstruction, false, x->v, m->v);
    gos__reconstruct_heat(&m->reconstruction, x->th, m->th);
    gos__reconstruct_heat(&m->reconstruction, x->thd, m->thd);
    gos__reconstruct_multipliers(&m->reconstruction, x->lam, m->lam);
    return (gos_point_of){.t = x->t,
                          .scale = x->load,
                          .q = m->q,
                          .v = m->v,
                          .th = m->th,
                          .thd = m->thd,
                          .lam = m->lam,
                          .mem = mem};
}

/* Weight the heat residual (nt) with the time since the last sample. If it varies faster than it
   is sampled, its mean is random, and the alternating sum is as large. */
static void average(gos_monitor *m, const double *heat, double size, double t) {
    const double dt = t - m->sampled;
    m->sizes += dt * sqrt(size);
    cblas_daxpy(m->full->nt, dt, heat, 1, m->heat, 1);
    cblas_daxpy(m->full->nt, m->samples % 2 == 0 ? dt : -dt, heat, 1, m->alternating, 1);
    m->sampled = t;
    m->samples++;
}

/* into m->r, without those balanced by the reduced equations */
static gos_status residuals(gos_monitor *m, const gos_point_of *at) {
    const gos_system *s = m->full;
    const gos_residual r = gos__residual_of(s, m->r);
    GOS_TRY(gos__residual(m->w, at, &r, NULL));
    gos__reconstruction_remove(&m->reconstruction, m->r);
    return GOS_OK;
}

/* m->r := resulting error; forces act for the time t, heat for T; T = 0: steady */
static gos_status respond(gos_monitor *m, const gos_point_of *at, double t, double T) {
    const gos_system *s = m->full;
    const double span = fmin(t, RESPONSE_TIME * m->sys->options.end);
    const gos_newton_factors f = {.m = span > 0 ? 1 / (span * span) : 0,
                                  .k = 1,
                                  .d = span > 0 ? 1 / span : 0,
                                  .cm = T > 0 ? 1 / T : 0,
                                  .ck = 1,
                                  .cd = span > 0 ? 1 / span : 0,
                                  .lam = 1,
                                  .lamT = 1};
    gos__jacobian(m->w, at, &f);
    GOS_TRY(gos__solver_factor(m->solver, m->w->values, NULL));
    // separately: short forces do not change heat over the whole time
    double *heat = m->r + s->n, *alternating = heat + s->n;
    memset(heat, 0, 2L * s->n * sizeof *heat);
    memcpy(heat + s->at.th, m->r + s->at.th, s->nt * sizeof *heat);
    memcpy(heat + s->n - s->nh, m->r + s->n - s->nh, s->nh * sizeof *heat);
    for (int i = 0; i < s->nt && T > 0; i++) {
        alternating[s->at.th + i] = m->alternating[i] / T;
    }
    memset(m->r + s->at.th, 0, s->nt * sizeof *heat);
    memset(m->r + s->n - s->nh, 0, s->nh * sizeof *heat);
    gos__solver_solve_columns(m->solver, 3, m->r);
    memcpy(m->turned, m->r + s->at.th, s->nt * sizeof *heat);
    memcpy(m->r + s->at.th, heat + s->at.th, s->nt * sizeof *heat);
    return GOS_OK;
}

/* Node i of n that represent all. */
static int node_of(const gos_system *s, int i, int n) {
    return (int)((long)i * (s->nnodes - 1) / (n > 1 ? n - 1 : 1));
}

/* RMS over nodes of the motion in m->r, over the extent. */
static double motion_of(gos_monitor *m) {
    const gos_system *s = m->full;
    const int n = s->nnodes < MAX_NODES ? s->nnodes : MAX_NODES;
    double sum = 0;
    gos__derived_fill(s, m->q, m->r, NULL, NULL); // derived vectors from the rates r
    for (int i = 0; i < n; i++) {
        double d[3];
        gos__marker_rate(&s->node_r[node_of(s, i, n)], m->r, d);
        sum += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
    return n > 0 ? sqrt(sum / n) / s->extent : 0;
}

/* lasts: fraction of the run over which the motion error persists */
static void measure(gos_monitor *m, double lasts) {
    const gos_system *s = m->full;
    const int n = s->nnodes < MAX_NODES ? s->nnodes : MAX_NODES;
    const double *alternating = m->r + 2L * s->n + s->at.th;
    double heat = 0, noise = 0, turned = 0;
    const double motion = motion_of(m);
    for (int i = 0; i < n; i++) {
        const int node = node_of(s, i, n);
        if (s->node_T[node].n > 0) {
            const double e = gos__tmarker_value(&s->node_T[node], m->r + s->at.th);
            const double noise_of = gos__tmarker_value(&s->node_T[node], alternating);
            const double by_motion = gos__tmarker_value(&s->node_T[node], m->turned);
            heat += e * e;
            noise += noise_of * noise_of;
            turned += by_motion * by_motion;
            const double T = gos__tmarker_value(&s->node_T[node], m->th);
            m->low = fmin(m->low, T + e);
            m->high = fmax(m->high, T + e);
        }
    }
    heat = n > 0 ? sqrt(fmax(0, heat - NOISE_FACTOR * NOISE_FACTOR * noise) / n) +
                       lasts * sqrt(turned / n)
                 : 0;
    if (!isfinite(motion) || !isfinite(heat)) {
        return;
    }
    m->estimates.motion = motion;
    m->estimates.temperature = heat;
    m->estimates.range = m->high > m->low ? m->high - m->low : 0;
    m->estimated = true;
}

/* y (nq) := A x, A in w->values */
static void coordinates_times(const gos_work *w, const double *x, double *y) {
    const gos_system *s = w->sys;
    const gos_pattern *p = &s->pattern;
    memset(y, 0, (size_t)s->nq * sizeof *y);
    for (int col = 0; col < s->nq; col++) {
        const int from = p->dense ? col * p->n : p->p[col];
        const int to = p->dense ? from + p->n : p->p[col + 1];
        for (int e = from; e < to; e++) {
            const int row = p->dense ? e - from : p->i[e];
            if (row < s->nq) {
                y[row] += w->values[e] * x[col];
            }
        }
    }
}

/* Growth rate of the missing motion e in m->r; 0: stable. Inverse iteration with
   P = M / s^2 + D / s + K amplifies a motion of rate mu by 1 / (1 - (mu s)^2), a stable one by less
   than 1. The forces of accelerated bodies make their turning, also in hinges, appear unstable in
   K, but the reduced model contains it. */
static gos_status growth_rate(gos_monitor *m, const gos_point_of *at, double e, double *rate) {
    const gos_system *s = m->full;
    const double span = RESPONSE_TIME * m->sys->options.end;
    const gos_newton_factors f = {.m = 1 / (span * span), .d = 1 / span};
    double *forces = m->r + s->n, now = e, last = e;
    GOS_TRY(gos__mechanisms_find(&m->mechanisms, m->q, m->w->values));
    gos__jacobian(m->w, at, &f);
    for (int k = 0; k < INVERSE_ITERATIONS; k++) {
        coordinates_times(m->w, m->r, forces);
        memset(m->r, 0, (size_t)s->n * sizeof *m->r);
        memcpy(m->r, forces, (size_t)s->nq * sizeof *m->r);
        gos__solver_solve(m->solver, m->r);
        gos__mechanisms_remove(&m->mechanisms, s->nq, m->r);
        last = now;
        now = motion_of(m);
    }
    *rate = now > UNSTABLE_RATIO * last ? sqrt(1 - last / now) / span : 0;
    return GOS_OK;
}

/* Is the motion error in m->r unstable? size: that of the forces that cause it. */
static gos_status check_growth(gos_monitor *m, const gos_point_of *at, double size) {
    const double e = motion_of(m), left = m->sys->options.end - at->t;
    m->checked = size;
    m->nchecks++;
    // states of controllers and wheels act like damping, which growth_rate does not include
    if (gos__loops_bodies(m->full) > 0) {
        return GOS_OK;
    }
    // forces of short duration are resisted by inertia only
    if (at->t - m->start < RESPONSE_TIME * m->sys->options.end || !(e > 0) || !isfinite(e)) {
        return GOS_OK;
    }
    double rate;
    GOS_TRY(growth_rate(m, at, e, &rate));
    if (rate > 0) {
        m->unstable = fmin(m->unstable, at->t);
        m->rate = fmax(m->rate, rate);
        m->grown = fmax(m->grown, fmin(1, e * exp(rate * fmax(0, left))));
    }
    return GOS_OK;
}

/* squared forces in m->r per mass, an indicator of the response [N^2/kg] */
static double size_of_forces(const gos_monitor *m) {
    const gos_rows_matrix *M = &m->full->mass;
    double sum = 0;
    for (int i = 0; i < M->n; i++) {
        const double *f = m->r + 3L * i;
        for (int k = M->p[i]; k < M->p[i + 1]; k++) {
            sum += M->j[k] == i && M->v[k] > 0 ? cblas_ddot(3, f, 1, f, 1) / M->v[k] : 0;
        }
    }
    return sum;
}

/* Ignore invalid states and singular tangents. */
static gos_status ignore_singular(gos_status status) {
    return status == GOS_RETRY || status == GOS_E_SINGULAR ? GOS_OK : status;
}

static void widen(gos_monitor *m) {
    const gos_system *s = m->full;
    for (int i = 0; i < s->nnodes; i++) {
        if (s->node_T[i].n > 0) {
            const double T = gos__tmarker_value(&s->node_T[i], m->th);
            m->low = fmin(m->low, T);
            m->high = fmax(m->high, T);
        }
    }
}

static gos_status sample(gos_monitor *m, const gos_state *x) {
    const gos_point_of at = reconstruct(m, x, m->mem);
    widen(m);
    GOS_TRY(residuals(m, &at));
    const double size = size_of_forces(m);
    average(m, m->r + m->full->at.th, size, x->t);
    if (size > m->max_size || !m->measured) {
        m->measured = true;
        m->max_size = size;
        GOS_TRY(gos_state_copy(m->worst, x));
        memcpy(m->worst_mem, m->mem, m->full->nmem * sizeof *m->mem);
    }
    return GOS_OK;
}

/* at the state with the largest residual, with the mean heat residual */
static gos_status estimate(gos_monitor *m, double now) {
    const gos_system *s = m->full;
    const gos_state *x = m->worst;
    const double T = now - m->start;
    const gos_point_of at = reconstruct(m, x, m->worst_mem);
    GOS_TRY(residuals(m, &at));
    if (T > 0) {
        memcpy(m->r + s->at.th, m->heat, s->nt * sizeof *m->r);
        cblas_dscal(s->nt, 1 / T, m->r + s->at.th, 1);
    }
    GOS_TRY(respond(m, &at, x->t - m->start, T));
    measure(m, T > 0 && m->max_size > 0 ? m->sizes / (T * sqrt(m->max_size)) : 1);
    return check_growth(m, &at, m->max_size);
}

/* At a state between, after `sample`. */
static gos_status check_intermediate(gos_monitor *m, const gos_state *x) {
    const gos_point_of at = reconstruct(m, x, m->mem);
    GOS_TRY(residuals(m, &at));
    const double size = size_of_forces(m);
    if (size > FORCE_GROWTH * m->checked) {
        GOS_TRY(respond(m, &at, x->t - m->start, x->t - m->start));
        GOS_TRY(check_growth(m, &at, size));
    }
    return GOS_OK;
}

gos_status gos__monitor_process(gos_monitor *m, const gos_state *x, long iterations) {
    if (!m->begun) {
        m->begun = true;
        m->start = m->sampled = x->t;
        (void)reconstruct(m, x, m->mem);
        widen(m);
        return GOS_OK;
    }
    if (m->full->nmem > 0) { // transported frames depend on the whole path
        const gos_point_of at = reconstruct(m, x, m->mem);
        (void)gos__accept(m->w, &at, m->mem);
    }
    // cost of a full evaluation in iterations, by the ratio of points
    const double each = gos__count_points(m->full) / fmax(1, gos__count_points(m->sys));
    const double n = (double)iterations;
    gos_status status = each * (m->samples + 1) <= RESIDUAL_SHARE * n ? sample(m, x) : GOS_OK;
    if (status == GOS_OK && each * TANGENT_COST * (m->nchecks + 1) <= TANGENT_SHARE * n) {
        status = check_intermediate(m, x);
    }
    return ignore_singular(status);
}

void gos__monitor_walk(gos_monitor *m, gos_walk *w) {
    double *const numbers[] = {&m->start,    &m->sampled, &m->sizes,    &m->low,  &m->high,
                               &m->max_size, &m->checked, &m->unstable, &m->rate, &m->grown};
    for (int i = 0; i < GOS_COUNT(numbers); i++) {
        gos__walk(w, numbers[i], 1);
    }
    gos__walk_bool(w, &m->begun);
    gos__walk_bool(w, &m->measured);
    gos__walk_int(w, &m->samples, INT_MAX);
    gos__walk_int(w, &m->nchecks, INT_MAX);
    gos__walk(w, m->mem, (size_t)m->full->nmem);
    gos__walk(w, m->heat, (size_t)m->full->nt);
    gos__walk(w, m->alternating, (size_t)m->full->nt);
    gos__walk(w, m->worst_mem, (size_t)m->full->nmem);
    if (m->measured && !w->bad) {
        gos__walk_state(w, m->worst);
    }
}

int gos__monitor_samples(const gos_monitor *m) {
    return m->samples;
}

gos_status gos__monitor_end(gos_monitor *m, const gos_state *x) {
    if (m->sys->options.analysis != GOS_DYNAMIC) {
        m->start = x->t; // static: only the final state counts
        m->max_size = 0;
    }
    gos_status status = sample(m, x);
    status = status == GOS_OK && m->measured ? estimate(m, x->t) : status;
    return ignore_singular(status);
}

/* relative to the range, or to temperature_range if larger */
static double relative_heat(const gos_monitor *m) {
    const double range = fmax(m->estimates.range, m->sys->options.temperature_range);
    return range > 0 ? m->estimates.temperature / range : 0;
}

void gos__monitor_store_estimate(const gos_monitor *m, gos_reduction *r) {
    r->residual = m->estimates.motion;
    r->residual_temperature = relative_heat(m);
}

/* Predicted error plus the scaled growth of the estimate since training. */
static double expected(double predicted, double trained, double now, double max_scale) {
    const double scale = trained > 0 ? fmin(fmax(predicted / trained, 1), max_scale) : 1;
    return predicted + scale * fmax(0, now - trained);
}

void gos__monitor_report(const gos_monitor *m) {
    const gos_reduction *r = &m->sys->rom->chosen;
    const double heat = relative_heat(m);
    const double motion_now = expected(r->predicted, r->residual, m->estimates.motion, MAX_SCALE);
    const double heat_now =
        expected(r->predicted_temperature, r->residual_temperature, heat, MAX_HEAT_SCALE);
    const bool alike = r->predicted > 0 && m->estimates.motion <= TRAINING_RATIO * r->residual;
    const bool trained = r->residual > 0 || r->residual_temperature > 0;
    const double threshold = trained ? NEGLIGIBLE_ERROR * r->tolerance : m->sys->rom->def.tolerance;
    // above the tolerance, though close to the prediction
    const bool missed = r->residual > 0 && r->predicted <= r->tolerance &&
                        motion_now > r->tolerance &&
                        m->estimates.motion > TRAINING_RATIO * r->residual;
    if (!m->estimated) {
        return;
    }
    if (!alike && m->grown > fmax(threshold, WARNING_RATIO * r->predicted)) {
        gos__warn(m->ctx, (gos_loc){0}, "reduction", unstable_text, m->unstable, m->rate);
    } else if (missed || (m->estimates.motion > WARNING_RATIO * r->residual &&
                          motion_now > fmax(threshold, WARNING_RATIO * r->predicted))) {
        gos__warn(m->ctx, (gos_loc){0}, "reduction", motion_text, motion_now, r->predicted);
    }
    if (heat > WARNING_RATIO * r->residual_temperature &&
        heat_now > fmax(threshold, WARNING_RATIO * r->predicted_temperature)) {
        gos__warn(m->ctx, (gos_loc){0}, "reduction", heat_text, heat_now, r->predicted_temperature);
    }
}
