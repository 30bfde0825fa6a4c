/* States are clustered by k-means (Lloyd 1982), starting from equal time intervals; bases of
   neighbours overlap (Amsallem, Zahr, Farhat 2012). Differences from the centre are
   mass-orthonormalised successively and the triangular factor is decomposed, which resolves
   vectors far below the square root of round-off. */
#include "rom/pod.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#define MAX_MOVES 100  // largest number of k-means iterations
#define ROUNDING 1e-13 // relative round-off threshold
// [1/s] entries of the mass matrix per second, measured on a 2.6 GHz Xeon
#define ENTRIES_PER_SECOND 1e9
#define PROGRESS_ENTRIES 1e6 // entries between two calls of the progress callback
#define LONG_DURATION 60.0   // [s] estimates from here on are warned about

/* ---- training run ---------------------------------------------------------------------------- */

static gos_status run_through(gos_ctx *ctx, gos_ctx *quiet, const gos_system *sys,
                              const gos_options *options, int n, gos_state *x, gos_training *to) {
    gos_integrator *run = NULL;
    if (options->start_equilibrium) {
        gos_options static_options = *options;
        gos_statistics spent;
        static_options.analysis = GOS_STATIC;
        GOS_TRY(gos_solve_static(quiet, sys, &static_options, x, &spent));
    }
    gos_status status = gos_integrator_create(quiet, sys, options, x, &run);
    for (int i = 0; i < n && status == GOS_OK; i++) {
        const double t = i == n - 1 ? options->end : options->end * i / (n - 1);
        while (status == GOS_OK && gos_state_time(x) < t) {
            status = gos_integrator_step(run, options->end);
            status = status == GOS_OK ? gos__progress(ctx, gos_state_time(x) / options->end,
                                                      "a run of the full model for its vectors")
                                      : status;
        }
        if (status == GOS_OK) {
            gos__training_add(to, gos_integrator_at(run, t));
        }
    }
    gos_integrator_destroy(run);
    return status;
}

static gos_status train(gos_ctx *ctx, const gos_system *sys, const gos_local_def *def,
                        gos_training *to) {
    gos_options options;
    gos_options_get(sys, &options);
    options.end = def->training > 0 ? def->training : options.end;
    if (options.analysis == GOS_STATIC || !(options.end > 0)) {
        return gos__fail(ctx, GOS_E_USE,
                         "reduction: %s derives its vectors from a run in time, but this analysis "
                         "has none; specify `analysis: {type: dynamic, end: ...}`",
                         sys->reduction.type->name);
    }
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_state *x = NULL;
    gos_status status = quiet ? gos_state_create(quiet, sys, &x) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = run_through(ctx, quiet, sys, &options, to->cap, x, to);
    }
    if (status != GOS_OK && quiet && gos__nerrors(quiet) > 0) {
        status =
            gos__fail(ctx, status, "the run of the full model for the vectors of %s failed: %s",
                      sys->reduction.type->name, gos_ctx_message(quiet));
    }
    gos_state_destroy(x);
    gos_ctx_destroy(quiet);
    return status;
}

/* ---- clusters -------------------------------------------------------------------------------- */

typedef struct clusters {
    gos_ctx *ctx;
    const gos_system *sys;
    const gos_local_def *def;
    const gos_training *run;
    int n;             // clusters
    double *centre;    // (n, nq)
    double *distances; // distance of each state from each centre (states, n)
    int *of;           // nearest centre of each state
    int *count;
    double *work; // (2 nq)
} clusters;

/* squared distance in the mass norm; work (2 nq) */
static double distance(const gos_system *s, const double *q, const double *p, double *work) {
    double *d = work, *Md = work + s->nq;
    for (int i = 0; i < s->nq; i++) {
        d[i] = q[i] - p[i];
    }
    gos__rows_apply(&s->mass, 3, d, Md);
    return fmax(0, cblas_ddot(s->nq, d, 1, Md, 1));
}

static const double *place(const clusters *c, long state) {
    return c->run->q + state * c->run->nq;
}

/* Entries of the mass matrix used by the distances of one state from all centres. */
static double entries(const gos_system *s, int n) {
    return 3.0 * s->mass.p[s->mass.n] * n;
}

/* changed: a cluster has. pass: of the iteration */
static gos_status assign_clusters(clusters *c, int pass, bool *changed) {
    const long progress_interval = 1 + (long)(PROGRESS_ENTRIES / (1 + entries(c->sys, c->n)));
    char text[128];
    (void)gos__format(text, sizeof text, "clustering %d states, at most %d passes of about %.2g s",
                      c->run->n, MAX_MOVES, entries(c->sys, c->n) * c->run->n / ENTRIES_PER_SECOND);
    *changed = false;
    for (long i = 0; i < c->run->n; i++) {
        if (i % progress_interval == 0) {
            const double part = (double)i / c->run->n;
            GOS_TRY(gos__progress(c->ctx, (pass + part) / MAX_MOVES, text));
        }
        double *distances = c->distances + i * c->n;
        int best = 0;
        for (int k = 0; k < c->n; k++) {
            distances[k] =
                distance(c->sys, place(c, i), c->centre + (size_t)k * c->sys->nq, c->work);
            best = distances[k] < distances[best] ? k : best;
        }
        *changed = *changed || c->of[i] != best;
        c->of[i] = best;
    }
    return GOS_OK;
}

/* empty clusters keep their centre */
static void move(clusters *c) {
    const int nq = c->sys->nq;
    memset(c->count, 0, c->n * sizeof *c->count);
    for (int i = 0; i < c->run->n; i++) {
        c->count[c->of[i]]++;
    }
    for (int k = 0; k < c->n; k++) {
        if (c->count[k] > 0) {
            memset(c->centre + (size_t)k * nq, 0, nq * sizeof(double));
        }
    }
    for (int i = 0; i < c->run->n; i++) {
        cblas_daxpy(nq, 1.0 / c->count[c->of[i]], place(c, i), 1, c->centre + (size_t)c->of[i] * nq,
                    1);
    }
}

static gos_status gather(clusters *c) {
    const long states = c->run->n;
    const int requested = c->def->clusters;
    c->n = requested < states / 2 ? requested : (int)(states / 2);
    c->centre = gos__zalloc(c->ctx, (size_t)c->n * c->sys->nq + 1, sizeof(double));
    c->distances = gos__zalloc(c->ctx, states * c->n, sizeof(double));
    c->of = gos__zalloc(c->ctx, states, sizeof *c->of);
    c->count = gos__zalloc(c->ctx, c->n, sizeof *c->count);
    c->work = gos__zalloc(c->ctx, 2L * c->sys->nq + 1, sizeof(double));
    if (!c->centre || !c->distances || !c->of || !c->count || !c->work) {
        return GOS_E_MEMORY;
    }
    for (long i = 0; i < states; i++) {
        c->of[i] = (int)(i * c->n / states);
    }
    move(c);
    bool changed = true;
    for (int k = 0; k < MAX_MOVES && changed; k++) {
        GOS_TRY(assign_clusters(c, k, &changed));
        changed = changed || k == 0;
        if (changed) {
            move(c);
        }
    }
    return GOS_OK;
}

static void clusters_free(clusters *c) {
    void *const blocks[] = {c->centre, c->distances, c->of, c->count, c->work};
    for (int k = 0; k < GOS_COUNT(blocks); k++) {
        gos__free(c->ctx, blocks[k]);
    }
}

/* ---- vectors --------------------------------------------------------------------------------- */

typedef struct vectors {
    gos_ctx *ctx;
    const gos_rows_matrix *weight; // mass or capacity
    int width;                     // 3 or 1 columns per row
    int n, states;
    double *x;  // differences (states, n), then vectors (rank, n)
    double *Wx; // weighted (rank, n)
    double *R;  // coefficients by columns (most, states)
    double *s;  // singular values (most)
    double *lapack;
    int max_vectors, rank, nlapack;
    double size; // largest norm
} vectors;

static gos_status vectors_create(vectors *v) {
    const size_t n = v->n, states = v->states;
    double size = 0;
    v->max_vectors = v->n < v->states ? v->n : v->states;
    v->max_vectors = v->max_vectors > 0 ? v->max_vectors : 1;
    v->x = gos__zalloc(v->ctx, states * n + 1, sizeof(double));
    v->Wx = gos__zalloc(v->ctx, ((size_t)v->max_vectors + 1) * n + 1, sizeof(double));
    v->R = gos__zalloc(v->ctx, v->max_vectors * states + 1, sizeof(double));
    v->s = gos__zalloc(v->ctx, v->max_vectors + 1L, sizeof(double));
    if (!v->x || !v->Wx || !v->R || !v->s) {
        return GOS_E_MEMORY;
    }
    LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'O', 'N', v->max_vectors, v->states, v->R, v->max_vectors,
                        v->s, NULL, v->max_vectors, NULL, 1, &size, -1);
    v->nlapack = (int)size + 1;
    v->lapack = gos__zalloc(v->ctx, v->nlapack, sizeof(double));
    return v->lapack ? GOS_OK : GOS_E_MEMORY;
}

static void vectors_free(vectors *v) {
    void *const blocks[] = {v->x, v->Wx, v->R, v->s, v->lapack};
    for (int k = 0; k < GOS_COUNT(blocks); k++) {
        gos__free(v->ctx, blocks[k]);
    }
    v->x = v->Wx = v->R = v->s = v->lapack = NULL;
}

/* orthogonalised twice; a remainder at round-off is dropped */
static void add_difference(vectors *v, long j) {
    const int n = v->n;
    double *y = v->x + j * n, *R = v->R + j * v->max_vectors, *to = v->Wx + (long)v->rank * n;
    for (int pass = 0; pass < 2; pass++) {
        for (long k = 0; k < v->rank; k++) {
            const double part = cblas_ddot(n, v->Wx + k * n, 1, y, 1);
            cblas_daxpy(n, -part, v->x + k * n, 1, y, 1);
            R[k] += part;
        }
    }
    gos__rows_apply(v->weight, v->width, y, to);
    const double left = sqrt(fmax(0, cblas_ddot(n, to, 1, y, 1)));
    if (left > ROUNDING * v->size && v->rank < v->max_vectors) {
        R[v->rank] = left;
        cblas_dscal(n, 1 / left, to, 1);
        cblas_dscal(n, 1 / left, y, 1);
        memmove(v->x + (long)v->rank * n, y, n * sizeof *y);
        v->rank++;
    }
}

/* *left: RMS truncation error relative to `scale` */
static int truncated(const vectors *v, int requested, double truncation, double scale,
                     double *left) {
    double rest = 0;
    int keep = v->rank;
    const double per = v->states * scale * scale;
    while (keep > 0) {
        const double more = rest + v->s[keep - 1] * v->s[keep - 1];
        if (requested > 0 ? keep <= requested : sqrt(more / per) > truncation || truncation == 0) {
            break;
        }
        rest = more;
        keep--;
    }
    *left = fmax(*left, per > 0 ? sqrt(rest / per) : 0);
    return keep;
}

/* out (m, n) in `basis` (rank, n) */
static void combine(const vectors *v, int m, const double *basis, double *out) {
    if (m > 0) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, v->n, v->rank, 1, v->R,
                    v->max_vectors, basis, v->n, 0, out, v->n);
    }
}

static gos_status decompose(vectors *v) {
    v->rank = 0;
    for (int j = 0; j < v->states; j++) {
        add_difference(v, j);
    }
    const lapack_int info =
        v->max_vectors > 0 ? LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'O', 'N', v->max_vectors,
                                                 v->states, v->R, v->max_vectors, v->s, NULL,
                                                 v->max_vectors, NULL, 1, v->lapack, v->nlapack)
                           : 0;
    return info == 0
               ? GOS_OK
               : gos__fail(v->ctx, info < 0 ? GOS_E_NONFINITE : GOS_E_DIVERGED,
                           "the singular value decomposition of a run's states did not converge");
}

/* ---- bases of a cluster ---------------------------------------------------------------------- */

static bool belongs(const clusters *c, long state, int k) {
    const double *distances = c->distances + state * c->n, reach = 1 + c->def->overlap;
    return distances[k] <= reach * reach * distances[c->of[state]];
}

/* from `centre` (n); `of`: all states (states, n) */
static gos_status differences(const clusters *c, int k, const double *of, const double *centre,
                              vectors *v) {
    v->states = 0;
    for (int i = 0; i < c->run->n; i++) {
        v->states += belongs(c, i, k);
    }
    GOS_TRY(vectors_create(v));
    double *to = v->x;
    for (int i = 0; i < c->run->n; i++) {
        if (belongs(c, i, k)) {
            const double *x = of + (size_t)i * v->n;
            gos__rows_apply(v->weight, v->width, x, v->Wx);
            v->size = fmax(v->size, sqrt(fmax(0, cblas_ddot(v->n, v->Wx, 1, x, 1))));
            for (int j = 0; j < v->n; j++) {
                *to++ = x[j] - centre[j];
            }
        }
    }
    return GOS_OK;
}

static gos_status motion(clusters *c, gos_arena *a, int k, gos_pod *pod, gos_pod_cluster *to) {
    const gos_system *s = c->sys;
    vectors v = {.ctx = c->ctx, .weight = &s->mass, .width = 3, .n = s->nq};
    gos_status status = differences(c, k, c->run->q, to->centre, &v);
    status = status == GOS_OK ? decompose(&v) : status;
    if (status == GOS_OK) {
        to->m = truncated(&v, c->def->vectors, c->def->truncation, sqrt(s->mass_total) * s->extent,
                          &pod->left);
        to->motion = GOS_NEW(a, double, (size_t)to->m * s->nq + 1);
        status = to->motion ? GOS_OK : GOS_E_MEMORY;
    }
    if (status == GOS_OK) {
        combine(&v, to->m, v.Wx, to->motion);
    }
    vectors_free(&v);
    return status;
}

/* mean temperature change [K] */
static double heat_range(const clusters *c) {
    const gos_system *s = c->sys;
    double range = s->options.temperature_range > 0 ? s->options.temperature_range : 0;
    for (int i = 0; i < c->run->n; i++) {
        const double *th = c->run->th + (size_t)i * s->nt;
        for (int j = 0; j < s->nt; j++) {
            range = fmax(range, s->tmean[j] * fabs(th[j] - s->th0[j]));
        }
    }
    return range > 0 ? range : 1;
}

static gos_status heat(clusters *c, gos_arena *a, int k, gos_pod *pod, gos_pod_cluster *to) {
    const gos_system *s = c->sys;
    vectors v = {.ctx = c->ctx, .weight = &s->capacity, .width = 1, .n = s->nt};
    double *mean = gos__zalloc(c->ctx, s->nt + 1L, sizeof *mean);
    for (int i = 0; i < c->run->n && mean; i++) {
        if (c->of[i] == k) {
            cblas_daxpy(s->nt, 1.0 / to->n, c->run->th + (size_t)i * s->nt, 1, mean, 1);
        }
    }
    gos_status status = mean ? differences(c, k, c->run->th, mean, &v) : GOS_E_MEMORY;
    status = status == GOS_OK ? decompose(&v) : status;
    if (status == GOS_OK) {
        to->mt = truncated(&v, c->def->thermal_vectors, c->def->truncation,
                           sqrt(s->capacity_total) * heat_range(c), &pod->left_heat);
        to->heat = GOS_NEW(a, double, (size_t)to->mt * s->nt + 1);
        status = to->heat ? GOS_OK : GOS_E_MEMORY;
    }
    if (status == GOS_OK) {
        combine(&v, to->mt, v.x, to->heat);
    }
    vectors_free(&v);
    gos__free(c->ctx, mean);
    return status;
}

static gos_status bases(clusters *c, gos_arena *a, gos_pod *pod) {
    const int nq = c->sys->nq;
    for (int k = 0; k < c->n; k++) {
        gos_pod_cluster *to = pod->cluster + pod->n;
        GOS_TRY(gos__progress(c->ctx, (double)k / c->n, "vectors of the clusters"));
        if (c->count[k] == 0) {
            continue;
        }
        to->n = c->count[k];
        to->centre = GOS_NEW(a, double, nq + 1L);
        if (!to->centre) {
            return GOS_E_MEMORY;
        }
        memcpy(to->centre, c->centre + (size_t)k * nq, nq * sizeof(double));
        GOS_TRY(motion(c, a, k, pod, to));
        GOS_TRY(c->sys->nt > 0 ? heat(c, a, k, pod, to) : GOS_OK);
        pod->max_vectors = to->m > pod->max_vectors ? to->m : pod->max_vectors;
        pod->max_thermal = to->mt > pod->max_thermal ? to->mt : pod->max_thermal;
        pod->n++;
    }
    return GOS_OK;
}

gos_status gos__pod_of(gos_ctx *ctx, gos_arena *arena, const gos_system *sys,
                       const gos_local_def *def, const gos_training *run, gos_pod *pod) {
    clusters c = {.ctx = ctx, .sys = sys, .def = def, .run = run};
    *pod = (gos_pod){.states = run->n, .from = run->t[0], .to = run->t[run->n - 1]};
    pod->cluster = GOS_NEW(arena, gos_pod_cluster, def->clusters);
    gos_status status = pod->cluster ? gather(&c) : GOS_E_MEMORY;
    status = status == GOS_OK ? bases(&c, arena, pod) : status;
    clusters_free(&c);
    return status;
}

/* checks before the run */
static gos_status check(gos_ctx *ctx, const gos_system *sys, const gos_local_def *def) {
    gos_nullspace *space = NULL;
    const double pass = entries(sys, def->clusters) * def->snapshots / ENTRIES_PER_SECOND;
    if (pass > LONG_DURATION) {
        gos__warn(ctx, (gos_loc){0}, "reduction",
                  "clustering %d snapshots into %d clusters takes about %.2g s a pass, and up to "
                  "%d passes; use fewer snapshots or clusters",
                  def->snapshots, def->clusters, pass, MAX_MOVES);
    }
    GOS_TRY(gos__local_size_check(ctx, sys->nq - sys->nc)); // lower bound of the free motions
    GOS_TRY(gos__nullspace_create(ctx, sys, &space));
    gos__nullspace_destroy(space);
    return GOS_OK;
}

gos_status gos__pod_make(gos_ctx *ctx, gos_arena *arena, const gos_system *sys,
                         const gos_local_def *def, gos_pod **pod) {
    const double start = gos__now();
    gos_training run;
    GOS_TRY(check(ctx, sys, def));
    *pod = GOS_NEW(arena, gos_pod, 1);
    GOS_TRY(*pod ? gos__training_create(ctx, sys, def->snapshots, &run) : GOS_E_MEMORY);
    gos_status status = train(ctx, sys, def, &run);
    status = status == GOS_OK ? gos__pod_of(ctx, arena, sys, def, &run, *pod) : status;
    gos__training_free(ctx, &run);
    (*pod)->time = gos__now() - start;
    return status;
}

int gos__pod_project(const gos_pod *pod, const gos_system *sys, const double *q, double *work) {
    int best = 0;
    double min_distance = HUGE_VAL;
    for (int k = 0; k < pod->n; k++) {
        const double squared = distance(sys, q, pod->cluster[k].centre, work);
        if (squared < min_distance) {
            min_distance = squared;
            best = k;
        }
    }
    return best;
}
