/* Residual and Newton matrix of large meshes by several threads, without the solver: the time of
   both relative to one thread, the best of five pairs of runs, and whether all digits are the same.
   `caller` is the same for the processor time of the thread that calls: what a machine with nothing
   else to do would get, but for the bandwidth of its memory. CSV on stdout.

   bench_threads [THREADS [UNKNOWNS]] */
#include "bench.h"
#include "solve/consistent.h"

enum { PAIRS = 5 };

#define MATERIAL                                                                                   \
    "materials:\n"                                                                                 \
    "  m: {density: 2700, young: 7.0e10, poisson: 0.3, conductivity: 150, specific_heat: 900,\n"   \
    "      expansion: 2.3e-5, damping: {normal: 1.0e-4}, absorptivity: 0.3, emissivity: 0.8}\n"    \
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"                                \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "heat: {sun: {type: flux, value: 1361, direction: [0, 0.6, -0.8], on: b}}\n"                   \
    "analysis: {type: dynamic, end: 1}\n"

static const struct {
    const char *name, *text;
    double per_n; // unknowns of n = 1
} cases[] = {
    {"cable",
     MATERIAL "parameters: {n: 10}\nbodies:\n  b: {type: ancf_cable, material: m, section: s, "
              "from: [0, 0, 0], to: [100, 0, 0], elements: n}\n",
     9},
    {"beam",
     MATERIAL "parameters: {n: 10}\nbodies:\n  b: {type: ancf_beam, material: m, section: s, "
              "from: [0, 0, 0], to: [100, 0, 0], elements: n}\n",
     24},
    {"plate",
     MATERIAL "parameters: {n: 10}\nbodies:\n  b: {type: ancf_plate, material: m, "
              "thickness: 0.01, corner: [0, 0, 0], x: [100, 0, 0], y: [0, 1, 0], "
              "elements: [n, 20]}\n",
     231},
};

typedef struct evaluation {
    gos_ctx *ctx;
    gos_work *w;
    double *r, seconds, cpu; // of one residual and one matrix
} evaluation;

static void evaluate(evaluation *e, const gos_system *s, const gos_point_of *x, int times) {
    const gos_residual r = {
        .q = e->r, .th = e->r + s->nq, .c = e->r + s->nq + s->nt, .h = e->r + s->n - s->nh};
    const gos_newton_factors f = {
        .m = 1, .k = 1e-6, .d = 1e-3, .cm = 1, .ck = 1e-3, .cd = 1, .lam = 1, .lamT = 1};
    const double from = gos__now(), cpu = gos__cpu_time();
    for (int i = 0; i < times; i++) {
        if (gos__residual(e->w, x, &r, NULL)) {
            bench_die(e->ctx);
        }
        gos__jacobian(e->w, x, &f);
    }
    e->seconds = (gos__now() - from) / times;
    e->cpu = (gos__cpu_time() - cpu) / times;
}

static evaluation begin(gos_ctx *ctx, const gos_system *s) {
    evaluation e = {.ctx = ctx, .r = calloc((size_t)s->n + 1, sizeof *e.r)};
    if (!e.r || gos__work_create(ctx, s, &e.w)) {
        bench_die(ctx);
    }
    return e;
}

static void run(int number, int threads, double unknowns) {
    char n[16];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *s = NULL;
    gos_state *x = NULL;
    snprintf(n, sizeof n, "%d", (int)(unknowns / cases[number].per_n));
    if (gos_model_parse(ctx, cases[number].text, strlen(cases[number].text), "bench", NULL, &m) ||
        gos_model_set(ctx, m, "n", n) || gos_system_create(ctx, m, &s) ||
        gos_state_create(ctx, s, &x)) {
        bench_die(ctx);
    }
    for (int i = 0; i < s->nq; i++) { // something that bends, moves and is warm
        x->v[i] = 0.1 * sin(0.7 * i);
        x->q[i] += 1e-4 * sin(0.3 * i);
    }
    for (int i = 0; i < s->nt; i++) {
        x->th[i] = cos(0.2 * i);
    }
    const gos_point_of at = gos__state_point(x, 0);
    evaluation one = begin(ctx, s);
    if (gos_ctx_set_threads(ctx, threads)) {
        bench_die(ctx);
    }
    evaluation all = begin(ctx, s);
    evaluate(&one, s, &at, 1);
    evaluate(&all, s, &at, 1);
    const bool same =
        memcmp(one.r, all.r, (size_t)s->n * sizeof *one.r) == 0 &&
        memcmp(one.w->values, all.w->values, (size_t)s->pattern.nnz * sizeof *one.w->values) == 0;
    double best = 0, caller = 0, ms = 0;
    for (int i = 0; i < PAIRS; i++) {
        const int times = 1 + (int)(0.2 / one.seconds);
        evaluate(&one, s, &at, times);
        evaluate(&all, s, &at, times);
        if (one.seconds / all.seconds > best) {
            best = one.seconds / all.seconds;
            ms = 1e3 * one.seconds;
        }
        caller = fmax(caller, one.cpu / all.cpu);
    }
    printf("%s,%d,%d,%.2f,%.2f,%.2f,%s\n", cases[number].name, s->n, threads, ms, best, caller,
           same ? "yes" : "NO");
    fflush(stdout);
    gos__work_destroy(ctx, one.w);
    gos__work_destroy(ctx, all.w);
    free(one.r), free(all.r);
    gos_state_destroy(x);
    gos_system_destroy(s);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 2;
    printf("mesh,unknowns,threads,one_ms,times_as_fast,caller,same_digits\n");
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        run(i, threads, argc > 2 ? atof(argv[2]) : 1e5);
    }
    return 0;
}
