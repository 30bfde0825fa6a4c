/* Reduced runs of floating bodies of meshes against whole ones, in turn in one process: the thermal
   disc (examples/, response modes) and a bar of 4,968 displacements on a hinge (ten modes).
   Processor seconds of making the system, which includes the reduction, and of the run, the best of
   several; the largest difference of a probe over the largest value of its quantity. CSV on stdout.
   Run it in the folder of the project. */
#include "bench.h"

#define DISC "examples/thermal-disc/model.yaml"
#define TIMES 21
#define PROBES 40

static const char bar[] =
    "gravity: [0, -9.81, 0]\n"
    "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
    "meshes: {bar: {type: box, size: [1, 0.05, 0.05], cells: [45, 5, 5]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: steel, reference: clamped, at: left,\n"
    "  rayleigh: [0, 1e-5], reduce: {method: modes, order: 10}}}\n"
    "joints: {axle: {type: revolute, between: [ground, bar.left], axis: [0, 0, 1]}}\n"
    "probes: {tip: {at: bar.corner_7, quantity: displacement}}\n"
    "analysis: {type: dynamic, end: 0.1, step: 1e-3}\n";

static const struct {
    const char *name, *set[10];
    int repeats;
} cases[] = {
    {"disc 36x4 Q4 7+7 response modes", {0}, 3},
    {"disc 72x8 Q8 7+7 response modes", {"n_r", "8", "n_c", "72", "order", "2", 0}, 3},
    {"bar 4968 10 modes", {0}, 3},
};

typedef struct result {
    double making, run, value[TIMES][PROBES];
    char kind[PROBES]; // the letter that its quantity begins with
    int probes;
} result;

static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* of a case */
static gos_model *model_of(gos_ctx *ctx, int i) {
    gos_model *m = NULL;
    if (i == 2 ? gos_model_parse(ctx, bar, strlen(bar), "bar", NULL, &m)
               : gos_model_read(ctx, DISC, &m)) {
        bench_die(ctx);
    }
    for (int k = 0; cases[i].set[k]; k += 2) {
        if (gos_model_set(ctx, m, cases[i].set[k], cases[i].set[k + 1])) {
            bench_die(ctx);
        }
    }
    return m;
}

/* the components of all probes, one after another */
static int read_probes(gos_ctx *ctx, const gos_system *s, const gos_state *x, double *to,
                       char *kind) {
    int n = 0;
    for (int p = 0; p < gos_system_nprobes(s); p++) {
        gos_probe_info info;
        double value[GOS_PROBE_MAX];
        gos_system_probe_info(s, p, &info);
        if (gos_system_probe(ctx, s, x, p, value, NULL)) {
            bench_die(ctx);
        }
        for (int c = 0; c < info.ncomp && n < PROBES; c++) {
            kind[n] = info.quantity[0];
            to[n++] = value[c];
        }
    }
    return n;
}

/* all steps, and the probes at even times */
static void run(gos_ctx *ctx, const gos_system *s, result *r) {
    gos_state *x = NULL;
    gos_integrator *g = NULL;
    gos_options o;
    int next = 0;
    gos_options_get(s, &o);
    const double begin = now();
    if (gos_state_create(ctx, s, &x) || gos_integrator_create(ctx, s, &o, x, &g)) {
        bench_die(ctx);
    }
    while (gos_state_time(x) < o.end * (1 - 1e-12)) {
        if (gos_integrator_step(g, o.end)) {
            bench_die(ctx);
        }
        while (next < TIMES && o.end * next / (TIMES - 1) <= gos_state_time(x) * (1 + 1e-12)) {
            const gos_state *at = gos_integrator_at(g, o.end * next / (TIMES - 1));
            r->probes = read_probes(ctx, s, at, r->value[next++], r->kind);
        }
    }
    r->run = fmin(r->run, now() - begin);
    gos_integrator_destroy(g);
    gos_state_destroy(x);
}

static void measure(int i, bool reduced, result *r) {
    *r = (result){.making = HUGE_VAL, .run = HUGE_VAL};
    for (int k = 0; k < cases[i].repeats; k++) {
        gos_ctx *ctx = gos_ctx_create();
        gos_model *m = model_of(ctx, i);
        gos_system *s = NULL;
        int n;
        if (reduced && gos_model_reduce_bodies(ctx, m, &n)) {
            bench_die(ctx);
        }
        const double begin = now();
        if (gos_system_create(ctx, m, &s)) {
            bench_die(ctx);
        }
        r->making = fmin(r->making, now() - begin);
        run(ctx, s, r);
        gos_model_destroy(m);
        gos_system_destroy(s);
        gos_ctx_destroy(ctx);
    }
}

/* largest, each over the largest value of its quantity */
static double difference(const result *whole, const result *small) {
    double worst = 0;
    for (int p = 0; p < whole->probes; p++) {
        double most = 0, off = 0;
        for (int k = 0; k < TIMES * whole->probes; k++) {
            const int t = k / whole->probes, q = k % whole->probes;
            most = whole->kind[q] == whole->kind[p] ? fmax(most, fabs(whole->value[t][q])) : most;
            off = q == p ? fmax(off, fabs(whole->value[t][p] - small->value[t][p])) : off;
        }
        worst = fmax(worst, most > 0 ? off / most : 0);
    }
    return worst;
}

int main(int argc, char **argv) {
    static result whole, small;
    (void)argc;
    gos_blas_select(argv);
    printf("case,s_making_whole,s_run_whole,s_making_reduced,s_run_reduced,run_ratio,total_ratio,"
           "difference\n");
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        measure(i, false, &whole);
        measure(i, true, &small);
        const double worst = difference(&whole, &small);
        printf("%s,%.3f,%.3f,%.3f,%.5f,%.0f,%.1f,%.2g\n", cases[i].name, whole.making, whole.run,
               small.making, small.run, whole.run / small.run,
               (whole.making + whole.run) / (small.making + small.run), worst);
    }
    return 0;
}
