/* Reduction methods on benchmark models: the order that brings the relative H-infinity error on a
   band below 1e-2, 1e-4 and 1e-6, with the error measured against the full model and the processor
   time to reduce. Orders are searched by growth and bisection; balanced models of all orders come
   from one pair of Gramians. Models are read from the folder GOSSAMER_MOR_DATA. Prints a table in
   Markdown, what it is doing to stderr. bench_linear_reduction [MODEL [METHOD]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "gossamer/gossamer.h"
#include "linalg/matrix_market.h"
#include "linear/linear.h"
#include "linear_reduction/reduce.h"

typedef struct benchmark {
    const char *name;
    bool second, descriptor, resonant;
    double band[2]; // [rad/s], the time unit of rail is its own
} benchmark;

static const benchmark benchmarks[] = {
    {"iss1R", true, false, true, {0.1, 100}},    {"build", true, false, true, {1, 100}},
    {"iss12A", false, false, true, {0.1, 200}},  {"beam", false, false, true, {0.01, 100}},
    {"CDplayer", false, false, true, {1, 1e5}},  {"heat-cont", false, false, false, {0, 1e3}},
    {"rail_109", false, true, false, {0, 0.1}},  {"rail_371", false, true, false, {0, 0.1}},
    {"rail_1357", false, true, false, {0, 0.1}}, {"stykel_g600", false, false, false, {0, 100}},
};

typedef struct entry {
    const char *label, *method, *ranking;
    int points; // spread over the band
    bool second, first, two_sided;
    bool chooses;     // the order, for a tolerance
    bool cuts;        // a model of low order is the beginning of one of high order
    const char *only; // this model; NULL: all
} entry;

static const entry entries[] = {
    {"modes by frequency", "modes", .second = true},
    {"modes by cost", "modes", "cost", .second = true},
    {"modes by peak", "modes", "peak", .second = true},
    {"modes, balanced ranking", "modes", "balanced", .second = true},
    {"modes_static by cost", "modes_static", "cost", .second = true},
    {"balanced_second", "balanced_second", .second = true},
    {"irka_second", "irka_second", .second = true},
    {"krylov, 6 points", "krylov", .points = 6, .second = true, .first = true},
    {"krylov, 6 points, two-sided", "krylov", .points = 6, .first = true, .two_sided = true},
    {"irka", "irka", .first = true},
    {"balanced", "balanced", .first = true, .cuts = true},
    {"balanced, order by bound", "balanced", .first = true, .chooses = true, .only = "iss12A"},
    {"auto", "auto", .second = true, .first = true, .chooses = true},
};

static gos_ctx *ctx;

static void die(void) {
    fprintf(stderr, "%s\n", gos_ctx_message(ctx));
    exit(1);
}

static gos_matrix_view view(const gos_sparse *S) {
    return (gos_matrix_view){S->m, S->n, S->nnz, S->p, S->i, S->x};
}

static gos_sparse read_matrix(const benchmark *b, const char *which) {
    char path[600];
    gos_sparse S;
    snprintf(path, sizeof path, "%s/%s/%s.mtx", getenv("GOSSAMER_MOR_DATA"), b->name, which);
    if (gos__matrix_market_read(ctx, path, 0, (gos_loc){0}, NULL, &S)) {
        die();
    }
    return S;
}

/* factor times rows [r0, r0 + m) of the first n columns */
static gos_sparse part(const gos_sparse *S, int r0, int m, int n, double factor) {
    gos_sparse P = {0};
    double *A = gos__zalloc(ctx, (size_t)m * (size_t)n, sizeof *A);
    for (int j = 0; A && j < n; j++) {
        for (int k = S->p[j]; k < S->p[j + 1]; k++) {
            if (S->i[k] >= r0 && S->i[k] < r0 + m) {
                A[(size_t)j * (size_t)m + (size_t)(S->i[k] - r0)] = factor * S->x[k];
            }
        }
    }
    if (!A || gos__sparse_from_dense(ctx, m, n, A, &P)) {
        die();
    }
    gos__free(ctx, A);
    return P;
}

/* Stykel's chain with its constraint: M q'' = K q + D q' - G^T lambda + B u, B and C of first
   order */
static gos_linear *open_chain(const benchmark *b) {
    enum { N = 600 };
    static const char *const which[] = {"M", "D", "K", "G", "B", "C"};
    gos_sparse S[6], P[4];
    gos_matrix_view v[6];
    gos_linear *l = NULL;
    for (int k = 0; k < 6; k++) {
        S[k] = read_matrix(b, which[k]);
    }
    P[0] = part(&S[1], 0, N, N, -1);
    P[1] = part(&S[2], 0, N, N, -1);
    P[2] = part(&S[4], N, N, 1, 1);
    P[3] = part(&S[5], 0, 3, N, 1);
    const gos_sparse *const used[] = {&S[0], &P[0], &P[1], &S[3], &P[2], &P[3]};
    for (int k = 0; k < 6; k++) {
        v[k] = view(used[k]);
    }
    const gos_matrices m = {.M = &v[0], .D = &v[1], .K = &v[2], .G = &v[3], .B = &v[4], .C = &v[5]};
    if (gos_linear_from_matrices(ctx, &m, &l)) {
        die();
    }
    for (int k = 0; k < 6; k++) {
        gos__sparse_free(ctx, &S[k]);
    }
    for (int k = 0; k < 4; k++) {
        gos__sparse_free(ctx, &P[k]);
    }
    return l;
}

static gos_linear *open_model(const benchmark *b) {
    static const char *const which[] = {"A", "B", "C", "E"};
    gos_sparse S[4] = {{0}};
    gos_matrix_view v[4];
    gos_linear *l = NULL;
    if (strcmp(b->name, "stykel_g600") == 0) {
        return open_chain(b);
    }
    for (int k = 0; k < (b->descriptor ? 4 : 3); k++) {
        S[k] = read_matrix(b, which[k]);
        v[k] = view(&S[k]);
    }
    const gos_matrices m = {.A = &v[0],
                            .B = &v[1],
                            .C = &v[2],
                            .E = b->descriptor ? &v[3] : NULL,
                            .second_order = b->second};
    if (gos_linear_from_matrices(ctx, &m, &l)) {
        die();
    }
    for (int k = 0; k < 4; k++) {
        gos__sparse_free(ctx, &S[k]);
    }
    return l;
}

static double processor_time(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

typedef struct outcome {
    int order;
    double error, bound, time; // order 0: failed
} outcome;

typedef struct search {
    const gos_linear *l;
    const benchmark *b;
    const entry *e;
    int n, most;                // unknowns, highest order
    gos_linear_reduction *rich; // of methods that cut: of all orders ...
    double time;                // ... which took this long
} search;

static gos_status reduce(const search *s, int order, double tolerance, gos_linear_reduction **r) {
    const benchmark *b = s->b;
    const entry *e = s->e;
    gos_point points[8];
    for (int k = 0; k < e->points; k++) { // a little off the imaginary axis
        const double lo = b->band[0] > 0 ? b->band[0] : 1e-4 * b->band[1];
        const double w = lo * pow(b->band[1] / lo, (k + 0.5) / e->points);
        points[k] = (gos_point){b->resonant ? 1e-3 * w : w, b->resonant ? w : 0};
    }
    // no band with an order: the true error follows, a prediction is not needed
    const gos_linear_reduction_options opt = {
        .method = e->method,
        .order = order,
        .npoints = e->points,
        .points = points,
        .two_sided = e->two_sided,
        .ranking = e->ranking,
        .candidates = e->ranking ? 10000 : 0,
        .tolerance = tolerance,
        .band = {order ? 0 : b->band[0], order ? 0 : b->band[1]}};
    return gos_linear_reduce(ctx, s->l, &opt, r);
}

/* the first `order` states of a balanced model */
static gos_linear *leading(const gos_linear *l, int order) {
    static const gos_block blocks[] = {GOS_BLOCK_C_T, GOS_BLOCK_K_T, GOS_BLOCK_B_T, GOS_BLOCK_Y_T};
    const gos_linear_size size = {.nt = order, .nu = l->nu, .ny = l->ny};
    gos_linear *small;
    if (gos__linear_create(ctx, &size, &small)) {
        die();
    }
    for (int k = 0; k < 4; k++) {
        gos_sparse *to = &small->block[blocks[k]];
        const int m = to->m, n = to->n;
        gos__sparse_free(ctx, to);
        *to = part(&l->block[blocks[k]], 0, m, n, 1);
    }
    if (gos__linear_close(small)) {
        die();
    }
    return small;
}

static void measure(const search *s, const gos_linear *small, outcome *o) {
    gos_band_error error;
    if (gos_linear_band_error(ctx, s->l, small, s->b->band[0], s->b->band[1], &error)) {
        o->order = 0;
        return;
    }
    o->error = error.relative;
    o->bound /= error.largest;
}

static outcome attempt(search *s, int order, double tolerance) {
    outcome o = {.order = order, .error = HUGE_VAL};
    gos_linear_reduction *r = s->rich;
    gos_linear_reduction_report report;
    const double begin = processor_time();
    if (!r && reduce(s, s->e->cuts ? s->most : order, tolerance, &r)) {
        fprintf(stderr, "%s %s %d: %s\n", s->b->name, s->e->label, order, gos_ctx_message(ctx));
        gos_ctx_clear(ctx);
        o.order = 0;
        return o;
    }
    const double time = processor_time() - begin;
    gos_linear_reduction_get(r, &report);
    if (s->e->cuts) {
        int nhankel;
        const double *sigma = gos_linear_reduction_hankel(r, &nhankel);
        for (int i = order; i < nhankel; i++) {
            o.bound += 2 * sigma[i];
        }
        s->time = s->rich ? s->time : time;
        s->rich = r;
        o.time = s->time;
        gos_linear *small = leading(gos_linear_reduction_model(r), order);
        measure(s, small, &o);
        gos_linear_destroy(small);
    } else {
        o.order = report.coordinates + report.temperatures;
        o.bound = report.bound;
        o.time = time;
        measure(s, gos_linear_reduction_model(r), &o);
        gos_linear_reduction_destroy(r);
    }
    fprintf(stderr, "%s %s: order %d, error %.1e, %.2f s\n", s->b->name, s->e->label, o.order,
            o.error, o.time);
    return o;
}

/* growth by a quarter from order `low` on, then bisection between the last that failed and the
   first that did not, down to a fortieth */
static outcome find(search *s, int low, double tolerance) {
    int failed = low - 1, order = low;
    outcome o, best = {.error = HUGE_VAL};
    for (;; order = order + order / 4 + 1) {
        order = order < s->most ? order : s->most;
        o = attempt(s, order, 0);
        if (o.order > 0 && o.error <= tolerance) {
            best = o;
            break;
        }
        best.error = o.order > 0 ? fmin(best.error, o.error) : best.error;
        failed = order;
        if (order == s->most) {
            return best;
        }
    }
    while (order - failed > 1 + order / 40) {
        const int middle = (order + failed) / 2;
        o = attempt(s, middle, 0);
        if (o.order > 0 && o.error <= tolerance) {
            best = o;
            order = middle;
        } else {
            failed = middle;
        }
    }
    return best;
}

static void row(const gos_linear *l, const benchmark *b, const entry *e, int n, int states) {
    const double tolerances[] = {1e-2, 1e-4, 1e-6};
    search s = {.l = l, .b = b, .e = e, .n = n};
    int low = e->points > 0 ? 6 : 2;
    s.most = e->first && strcmp(e->method, "krylov") != 0 ? states : n;
    s.most = !e->cuts && s.most > 320 ? 320 : s.most;
    if (e->cuts && s.most > 1000) {
        s.most = 1000;
    }
    printf("| %s | %d | %s |", b->name, n, e->label);
    for (int t = 0; t < 3; t++) {
        const outcome o = e->chooses ? attempt(&s, 0, tolerances[t]) : find(&s, low, tolerances[t]);
        if (o.order > 0) {
            low = o.order;
            printf(" %d; %.1e", o.order, o.error);
            if (o.bound > 0) {
                printf(" (%.1e)", o.bound);
            }
            printf("; %.2g |", o.time);
        } else if (isfinite(o.error)) {
            printf(" > %d; %.1e |", s.most, o.error);
        } else {
            printf(" fails |");
        }
        fflush(stdout);
        if (!e->chooses && o.order == 0) { // nor a smaller error
            for (t++; t < 3; t++) {
                printf(" > %d |", s.most);
            }
        }
    }
    printf("\n");
    gos_linear_reduction_destroy(s.rich);
}

int main(int argc, char *argv[]) {
    gos_blas_select(argv);
    if (!getenv("GOSSAMER_MOR_DATA")) {
        printf("GOSSAMER_MOR_DATA does not name the folder of benchmark models\n");
        return 0;
    }
    ctx = gos_ctx_create();
    printf("| model | unknowns | method | 1e-2 | 1e-4 | 1e-6 |\n|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof benchmarks / sizeof *benchmarks; k++) {
        const benchmark *b = &benchmarks[k];
        if (argc > 1 && strcmp(argv[1], b->name) != 0) {
            continue;
        }
        gos_linear *l = open_model(b);
        gos_linear_info info;
        gos_linear_info_get(l, &info);
        const int n = info.coordinates + info.temperatures;
        for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
            const entry *e = &entries[i];
            const bool fits =
                (b->second ? e->second : e->first) && (!e->only || strcmp(e->only, b->name) == 0);
            if (fits && (argc < 3 || strcmp(argv[2], e->label) == 0)) {
                row(l, b, e, n, n + info.coordinates);
            }
        }
        gos_linear_destroy(l);
    }
    printf("\n%.0f s of processor time\n", processor_time());
    gos_ctx_destroy(ctx);
    return 0;
}
