/* The symmetric part of a Newton matrix, factorised and solved: a square of nodes of four
   3-vectors, each coupled to its neighbours, as plates are. Processor time, the least of several,
   row by row, by supernodes, and by gos_solver (KLU or MUMPS); `busiest` is that of the thread that
   has the most to do, the caller or the others together: what a machine with nothing else to do
   would take with two threads. CSV on stdout.

   bench_block_ldl [NODES ALONG A SIDE [THREADS]] */
#include "bench.h"
#include "linalg/block_ldl.h"

enum { VECTORS = 4, WIDE = 3 * VECTORS, TIMES = 9 };

static double seconds(clockid_t clock) {
    struct timespec t;
    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double value(int i, int j) {
    const long low = i < j ? i : j, high = i < j ? j : i;
    return i == j ? 30 : 0.5 * (double)((low * 7919 + high * 104729) % 1000) / 1000 - 0.25;
}

static gos_pattern make(int side, double **values) {
    const int n = WIDE * side * side;
    gos_pattern a = {.n = n, .vectors = n / 3};
    a.p = malloc(((size_t)n + 1) * sizeof *a.p);
    a.i = malloc((size_t)n * 9 * WIDE * sizeof *a.i);
    *values = malloc((size_t)n * 9 * WIDE * sizeof **values);
    if (!a.p || !a.i || !*values) {
        exit(1);
    }
    for (int j = 0; j < n; j++) {
        const int x = j / WIDE % side, y = j / WIDE / side;
        a.p[j] = a.nnz;
        for (int k = 0; k < 9; k++) {
            const int u = x + k % 3 - 1, v = y + k / 3 - 1;
            for (int c = 0; c < WIDE && u >= 0 && v >= 0 && u < side && v < side; c++) {
                a.i[a.nnz] = WIDE * (v * side + u) + c;
                (*values)[a.nnz] = value(a.i[a.nnz], j);
                a.nnz++;
            }
        }
    }
    a.p[n] = a.nnz;
    return a;
}

static double residual(const gos_pattern *a, const double *values, const double *x) {
    double *y = calloc((size_t)a->n, sizeof *y), most = 0;
    for (int j = 0; j < a->n && y; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            y[a->i[k]] += values[k] * x[j];
        }
    }
    for (int i = 0; i < a->n && y; i++) {
        most = fmax(most, fabs(y[i] - sin(i)));
    }
    free(y);
    return most;
}

static void right_hand_side(int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = sin(i);
    }
}

static void blocks(gos_ctx *ctx, const gos_pattern *a, const double *values, gos_ldl_way way,
                   double *x) {
    gos_block_ldl *s = NULL;
    double factor = HUGE_VAL, busiest = HUGE_VAL, solve = HUGE_VAL;
    const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (gos__block_ldl_create(ctx, a, NULL, way, &s)) {
        bench_die(ctx);
    }
    const double analysis = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
    for (int k = 0; k < TIMES; k++) {
        double all = seconds(CLOCK_PROCESS_CPUTIME_ID), own = seconds(CLOCK_THREAD_CPUTIME_ID);
        if (gos__block_ldl_factor(s, values, NULL)) {
            bench_die(ctx);
        }
        all = seconds(CLOCK_PROCESS_CPUTIME_ID) - all;
        own = seconds(CLOCK_THREAD_CPUTIME_ID) - own;
        factor = fmin(factor, all);
        busiest = fmin(busiest, fmax(own, all - own));
        right_hand_side(a->n, x);
        const double t = seconds(CLOCK_PROCESS_CPUTIME_ID);
        gos__block_ldl_solve(s, x);
        solve = fmin(solve, seconds(CLOCK_PROCESS_CPUTIME_ID) - t);
    }
    printf("%d,%s,%.3g,%.3g,%.3g,%.3g,%ld,%.1e\n", a->n,
           way == GOS_LDL_ROWS ? "rows" : "supernodes", 1e3 * analysis, 1e3 * factor, 1e3 * busiest,
           1e3 * solve, gos__block_ldl_entries(s), residual(a, values, x));
    gos__block_ldl_destroy(s);
}

static void other(gos_ctx *ctx, const gos_pattern *a, const double *values, double *x) {
    gos_solver *s = NULL;
    double time[4] = {seconds(CLOCK_PROCESS_CPUTIME_ID)};
    gos_status status = gos__solver_create(ctx, a, &s);
    status = status == GOS_OK ? gos__solver_factor(s, values, NULL) : status;
    time[1] = seconds(CLOCK_PROCESS_CPUTIME_ID);
    status = status == GOS_OK ? gos__solver_factor(s, values, NULL) : status;
    if (status != GOS_OK) {
        bench_die(ctx);
    }
    time[2] = seconds(CLOCK_PROCESS_CPUTIME_ID);
    right_hand_side(a->n, x);
    gos__solver_solve(s, x);
    time[3] = seconds(CLOCK_PROCESS_CPUTIME_ID);
    printf("%d,gos_solver,%.3g,%.3g,,%.3g,,%.1e\n", a->n, 1e3 * (time[1] - time[0]),
           1e3 * (time[2] - time[1]), 1e3 * (time[3] - time[2]), residual(a, values, x));
    gos__solver_destroy(s);
}

int main(int argc, char **argv) {
    const int side = argc > 1 ? atoi(argv[1]) : 38, threads = argc > 2 ? atoi(argv[2]) : 1;
    gos_ctx *ctx = gos_ctx_create();
    if (!ctx || side < 2 || side > 400 || gos_ctx_set_threads(ctx, threads)) {
        fprintf(stderr, "bench_block_ldl [NODES ALONG A SIDE, 2 to 400 [THREADS]]\n");
        return 2;
    }
    double *values;
    const gos_pattern a = make(side, &values);
    double *x = malloc((size_t)a.n * sizeof *x);
    if (!x) {
        return 1;
    }
    printf("unknowns,method,analysis_ms,factor_ms,busiest_ms,solve_ms,entries,residual\n");
    if (side <= 60) { // much slower, and not taken there
        blocks(ctx, &a, values, GOS_LDL_ROWS, x);
    }
    blocks(ctx, &a, values, GOS_LDL_SUPERNODES, x);
    other(ctx, &a, values, x);
    free(x);
    free(values);
    free(a.p);
    free(a.i);
    gos_ctx_destroy(ctx);
    return 0;
}
