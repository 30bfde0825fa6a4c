/* Residual and Newton matrix of solids without the solver: what their floating-point operations
   alone would take, and two threads against one. `peak` is what OpenBLAS reaches in products of
   large matrices on one thread, the operations of a residual are counted by hand (below), `over` is
   its time over what they take at half of that (asked at most 2). Meshes of a box, whose elements
   share tables, and of a tube, where each has its own. CSV on stdout.

   Then the run of a reduced solid, a pendulum of 0.6 s in 12 fields, on two meshes: its time and
   that of preparing it.

   bench_solid [CELLS] (a direction, 32 by default: 10^5 unknowns) */
#include <cblas.h>

#include "bench.h"
#include "solve/consistent.h"

enum { RUNS = 7 };

static const struct {
    const char *name, *mesh;
    double cells; // of the given number, in each direction
} cases[] = {
    {"box hex8", "type: box, size: [1, 1, 1], order: linear", 1},
    {"tube hex8", "type: tube, inner: 0.5, outer: 1, length: 1, angle: 1, order: linear", 1},
    {"box hex20", "type: box, size: [1, 1, 1], order: quadratic", 0.625},
    {"box tet10", "type: box, size: [1, 1, 1], order: quadratic, shape: tetrahedra", 0.5},
};

/* multiplications and additions of all points: z and Q, 2 for each of the 9 nv products; the law's
   strains 39, stresses 21, columns 45; weights 9; and of the rows of the mass */
static double operations(const gos_system *s) {
    double sum = 6.0 * s->mass.nnz;
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        sum += (double)p->ne * p->ng * (36.0 * p->nv + 39 + 21 + 45 + 9);
    }
    return sum;
}

/* operations per second of products of matrices */
static double peak(void) {
    enum { N = 768 };
    double *a = calloc(3 * (size_t)N * N, sizeof *a), best = HUGE_VAL;
    for (size_t i = 0; i < 2 * (size_t)N * N; i++) {
        a[i] = 1e-3 * (double)(i % 97);
    }
    for (int i = 0; i < RUNS; i++) {
        const double from = gos__now();
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, a + N * N, N, 0,
                    a + 2 * N * N, N);
        best = fmin(best, gos__now() - from);
    }
    free(a);
    return 2.0 * N * N * N / best;
}

/* best times of one residual and one matrix with so many threads, and of processor time of the
   calling thread in the matrix: what a machine with nothing else to do would get */
static void measure(gos_ctx *ctx, const gos_system *s, const gos_point_of *at, int threads,
                    double best[3]) {
    gos_work *w = NULL;
    double *r = calloc((size_t)s->n + 1, sizeof *r);
    if (gos_ctx_set_threads(ctx, threads) || !r || gos__work_create(ctx, s, &w)) {
        bench_die(ctx);
    }
    const gos_residual to = {
        .q = r, .th = r + s->nq, .c = r + s->nq + s->nt, .h = r + s->n - s->nh};
    const gos_newton_factors f = {.m = 1, .k = 1e-6, .cm = 1, .ck = 1e-3, .lam = 1, .lamT = 1};
    best[0] = best[1] = best[2] = HUGE_VAL;
    for (int i = 0; i < RUNS; i++) {
        const double from = gos__now();
        if (gos__residual(w, at, &to, NULL)) {
            bench_die(ctx);
        }
        const double middle = gos__now(), cpu = gos__cpu_time();
        gos__jacobian(w, at, &f);
        best[0] = fmin(best[0], middle - from);
        best[1] = fmin(best[1], gos__now() - middle);
        best[2] = fmin(best[2], gos__cpu_time() - cpu);
    }
    gos__work_destroy(ctx, w);
    free(r);
}

static void run(int number, int cells, double rate) {
    char text[1000];
    const int n = (int)(cases[number].cells * cells);
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *s = NULL;
    gos_state *x = NULL;
    snprintf(text, sizeof text,
             "materials: {m: {density: 2700, young: 7.0e10, poisson: 0.3}}\n"
             "meshes: {m: {%s, cells: [%d, %d, %d]}}\n"
             "bodies: {b: {type: solid, material: m, mesh: m}}\nanalysis: {end: 1}\n",
             cases[number].mesh, n, n, n);
    if (gos_model_parse(ctx, text, strlen(text), "bench", NULL, &m) ||
        gos_system_create(ctx, m, &s) || gos_state_create(ctx, s, &x)) {
        bench_die(ctx);
    }
    for (int i = 0; i < s->nq; i++) {
        x->q[i] += 1e-4 * sin(0.3 * i);
    }
    const gos_point_of at = gos__state_point(x, 0);
    double one[3], two[3];
    measure(ctx, s, &at, 1, one);
    measure(ctx, s, &at, 2, two);
    const double count = operations(s);
    printf("%s,%d,%.3g,%.2f,%.2f,%.2f,%.1f,%.2f,%.2f,%s\n", cases[number].name, s->nq, count,
           1e3 * one[0], 1e-9 * count / one[0], one[0] * 0.5 * rate / count, 1e3 * one[1],
           one[1] / two[1], one[2] / two[2], gos_blas_kernels());
    fflush(stdout);
    gos_state_destroy(x);
    gos_system_destroy(s);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

/* n x n/4 x n/4 elements with nodes on edges; processor time, best of some runs */
static void reduced(int n) {
    const int across = n < 4 ? 1 : n / 4;
    char text[1000];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *s = NULL, *small = NULL;
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, -9.81]\n"
        "materials: {m: {density: 1000, young: 5.0e6, damping: {normal: 4.0e-3,\n"
        "                shear: 4.0e-3}}}\n"
        "meshes: {m: {type: box, size: [1, 0.1, 0.1], cells: [%d, %d, %d], order: quadratic}}\n"
        "bodies: {b: {type: solid, material: m, mesh: m}}\n"
        "joints: {pin: {type: revolute, between: [ground, b.left], axis: [0, 1, 0]}}\n"
        "analysis: {end: 0.6, tolerance: 1.0e-4}\n"
        "reduction: {method: rotation_closed, fields: modes, number: 12}\n",
        n, across, across);
    const double start = gos__cpu_time();
    if (gos_ctx_set_threads(ctx, 1) ||
        gos_model_parse(ctx, text, strlen(text), "bench", NULL, &m) ||
        gos_system_create(ctx, m, &s) || gos_reduce(ctx, s, &small)) {
        bench_die(ctx);
    }
    const double made = gos__cpu_time() - start;
    double best = HUGE_VAL;
    int64_t steps = 0;
    for (int i = 0; i < RUNS; i++) {
        gos_options opt;
        gos_state *x = NULL;
        gos_integrator *run = NULL;
        gos_statistics stats;
        gos_options_get(small, &opt);
        const double from = gos__cpu_time();
        if (gos_state_create(ctx, small, &x) || gos_integrator_create(ctx, small, &opt, x, &run)) {
            bench_die(ctx);
        }
        while (gos_state_time(x) < opt.end) {
            if (gos_integrator_step(run, opt.end)) {
                bench_die(ctx);
            }
        }
        best = fmin(best, gos__cpu_time() - from);
        gos_integrator_statistics(run, &stats);
        steps = stats.steps;
        gos_integrator_destroy(run);
        gos_state_destroy(x);
    }
    printf("reduced,%d,%d,%lld,%.2f,%.1f\n", s->nq, small->nq, (long long)steps, 1e3 * best, made);
    fflush(stdout);
    gos_system_destroy(small);
    gos_system_destroy(s);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

int main(int argc, char **argv) {
    const int cells = argc > 1 ? atoi(argv[1]) : 32;
    const double rate = peak();
    printf("# peak %.1f GF/s\n", 1e-9 * rate);
    printf(
        "case,unknowns,operations,residual_ms,GF_per_s,over,matrix_ms,two_threads,caller,kernel\n");
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        run(i, cells, rate);
    }
    printf("case,unknowns,reduced,steps,run_ms,preparing_s\n");
    reduced(3 * cells / 4);
    reduced(27 * cells / 16);
    return 0;
}
