/* Error of steps of fixed size: against a run of the model with its own loads as functions of time
   and its own error control. */
#include <math.h>

#include "models/polynomial_model.h"
#include "probes/probe.h"

typedef struct comparison {
    gos_ctx *ctx;
    const gos_polynomial_model *m;
    const gos_system *s;
    gos_state *run; // under error control
    gos_step_state own;
    double *u, *y, *start;           // inputs (nu), outputs of the run and at the start (ny)
    double *y_own, *start_own, *off; // outputs of the steps, largest difference (ny)
    double *range;                   // largest change of an output (ny)
    int *probe, *component;          // of outputs (ny)
    bool started;
} comparison;

/* outputs in the order of the model's probes; those left out have no output of their name */
static void find_outputs(comparison *k) {
    for (int i = 0; i < k->m->tables.ny; i++) {
        const char *name = k->m->output[i].name;
        for (int p = 0; p < k->s->nprobe; p++) {
            const gos_probe *probe = k->s->probe[p];
            const size_t n = strlen(probe->name);
            for (int c = 0; c < probe->ncomp && strncmp(name, probe->name, n) == 0; c++) {
                if (name[n] == '\0' ||
                    (name[n] == '.' && strcmp(name + n + 1, probe->components[c]) == 0)) {
                    k->probe[i] = p;
                    k->component[i] = c;
                }
            }
        }
    }
}

static void read_inputs(const comparison *k, double *u) {
    for (int i = 0; i < k->m->tables.nu; i++) {
        u[i] = gos__state_function(k->run, k->m->input[i].fn, k->run->t, NULL, NULL);
    }
}

static gos_status observe(comparison *k, const gos_state *x) {
    double value[GOS_PROBE_MAX];
    const int ny = k->m->tables.ny;
    for (int i = 0, last = -1; i < ny; i++) {
        if (k->probe[i] != last) {
            last = k->probe[i];
            gos__probe_sample(k->s, x, k->s->probe[last], NULL, value, NULL);
        }
        k->y[i] = value[k->component[i]];
    }
    gos_step_outputs(&k->m->tables, k->own.q, k->own.v, k->u, k->own.work, k->y_own);
    for (int i = 0; i < ny; i++) {
        if (!k->started) {
            k->start[i] = k->y[i];
            k->start_own[i] = k->y_own[i];
        }
        const double change = k->y[i] - k->start[i];
        k->range[i] = fmax(k->range[i], fabs(change));
        k->off[i] = fmax(k->off[i], fabs(k->y_own[i] - k->start_own[i] - change));
        if (!isfinite(k->y_own[i])) {
            return gos__fail(k->ctx, GOS_E_NONFINITE,
                             "steps of %g s diverge at t = %g s; use a smaller step",
                             k->m->tables.step, x->t);
        }
    }
    k->started = true;
    return GOS_OK;
}

static gos_status run(comparison *k, const gos_options *o) {
    const gos_step_tables *t = &k->m->tables;
    const double begin = k->run->t;
    const long n = (long)floor((o->end - begin) / t->step * (1 + 1e-12));
    gos_integrator *integrator = NULL;
    read_inputs(k, k->u);
    gos_status status = observe(k, k->run);
    status =
        status == GOS_OK ? gos_integrator_create(k->ctx, k->s, o, k->run, &integrator) : status;
    for (long i = 1; i <= n && status == GOS_OK; i++) {
        const double time = i == n ? o->end : begin + (double)i * t->step;
        gos_step_advance(t, &k->own, k->u);
        while (status == GOS_OK && k->run->t < time) {
            status = gos_integrator_step(integrator, o->end);
        }
        if (status == GOS_OK) {
            const gos_state *at = gos_integrator_at(integrator, fmin(time, k->run->t));
            for (int j = 0; j < t->nu; j++) {
                k->u[j] = gos__state_function(at, k->m->input[j].fn, time, NULL, NULL);
            }
            status = observe(k, at);
        }
        if (status == GOS_OK) {
            status = gos__progress(k->ctx, (double)i / (double)n, "comparison with a run");
        }
    }
    gos_integrator_destroy(integrator);
    return status;
}

/* Relative to the largest change of a component of the same probe. */
static void report_worst(const comparison *k, gos_step_report *r) {
    r->run_error = 0;
    r->run_output = -1;
    for (int i = 0; i < k->m->tables.ny; i++) {
        double largest = 0;
        for (int j = 0; j < k->m->tables.ny; j++) {
            largest = k->probe[j] == k->probe[i] ? fmax(largest, k->range[j]) : largest;
        }
        const double error = largest > 0 ? k->off[i] / largest : 0;
        if (error > r->run_error) {
            r->run_error = error;
            r->run_output = i;
        }
    }
}

static gos_status allocate(comparison *k, double **block, int **index) {
    const gos_step_tables *t = &k->m->tables;
    const size_t nq = 3L * t->nv, nc = (size_t)t->nc, ny = (size_t)t->ny;
    const size_t work = (size_t)gos_step_work(t);
    double *at = *block =
        gos__zalloc(k->ctx, 2 * nq + nc + work + (size_t)t->nu + 6 * ny + 1, sizeof *at);
    *index = gos__zalloc(k->ctx, nq + nc + 2 * ny + 1, sizeof **index);
    GOS_TRY(*block && *index ? GOS_OK : GOS_E_MEMORY);
    memcpy(at, k->m->start, (2 * nq + nc) * sizeof *at);
    k->own = (gos_step_state){at, at + nq, at + 2 * nq, at + 2 * nq + nc, *index + 2 * ny};
    k->u = at + 2 * nq + nc + work;
    k->y = k->u + t->nu;
    k->start = k->y + ny;
    k->y_own = k->start + ny;
    k->start_own = k->y_own + ny;
    k->off = k->start_own + ny;
    k->range = k->off + ny;
    k->probe = *index;
    k->component = *index + ny;
    return GOS_OK;
}

gos_status gos__polynomial_model_compare(gos_ctx *ctx, const gos_polynomial_model *m,
                                         const gos_system *s, const gos_state *x,
                                         gos_step_report *report) {
    comparison k = {.ctx = ctx, .m = m, .s = s};
    double *block = NULL;
    int *index = NULL;
    const gos_options *o = &s->options;
    if (o->analysis != GOS_DYNAMIC || !(o->end >= x->t + m->tables.step)) {
        return gos__fail(ctx, GOS_E_USE,
                         "a comparison requires a dynamic analysis that ends at "
                         "least one step after the state");
    }
    gos__progress_start(ctx);
    gos_status status = gos_state_create(ctx, s, &k.run);
    status = status == GOS_OK ? gos_state_copy(k.run, x) : status;
    status = status == GOS_OK ? allocate(&k, &block, &index) : status;
    if (status == GOS_OK) {
        find_outputs(&k);
        status = run(&k, o);
    }
    if (status == GOS_OK) {
        report_worst(&k, report);
    }
    gos_state_destroy(k.run);
    gos__free(ctx, block);
    gos__free(ctx, index);
    return status;
}
