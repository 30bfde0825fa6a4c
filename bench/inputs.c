/* A loop that sets an input at every step of fixed length: processor time beside the plain run,
   which has the force of the model, in turns of one program, the median of the turns' ratios. Three
   more runs: the same points as a table in the model file (the digits have to be the same), and
   held values. The model is a rod on a pin that is pushed at its tip, or an arm: a rod clamped to a
   rigid hub on a hinge, which a moment turns; its constraints turn with it. Usage: bench_inputs
   [ELEMENTS [STEPS [TURNS [ROUGH [rod|arm]]]]]. CSV. */
#include "bench.h"

enum { PLAIN, TABLE, LINEAR, HELD, KINDS };
static const char *const names[KINDS] = {"plain", "table", "set, linear", "set, held"};

#define MATERIAL                                                                                   \
    "materials: {m: {density: 7200, young: 2.0e7, poisson: 0.3, damping: {normal: 2.0e-3}}}\n"     \
    "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"

typedef struct subject {
    const char *name, *input;
    const char *text; // elements, value of the input, end and step
} subject;

static const subject subjects[] = {
    {"rod", "push.z",
     MATERIAL
     "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
     "elements: %s}}\n"
     "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
     "gravity: [0, -9.81, 0]\n"
     "loads: {push: {type: force, on: rod.end, value: [0, 0, %s]}}\n"
     "probes: {tip: {at: rod.end, quantity: position}}\n"
     "analysis: {end: %.17g, step: %.17g}\n"},
    {"arm", "turn.z",
     MATERIAL
     "bodies:\n"
     "  hub: {type: rigid, mass: 20, inertia: [0.4, 0.4, 0.4], position: [0, 0, 0], points: {root: "
     "[0.1, 0, 0]}}\n"
     "  rod: {type: ancf_cable, material: m, section: s, from: [0.1, 0, 0], to: [1.1, 0, 0], "
     "elements: %s}\n"
     "joints:\n"
     "  hinge: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
     "  root: {type: clamp, between: [hub.root, rod.start]}\n"
     "loads: {turn: {type: moment, on: hub, moment: [0, 0, %s]}}\n"
     "probes: {tip: {at: rod.end, quantity: position}}\n"
     "analysis: {end: %.17g, step: %.17g}\n"}};

typedef struct outcome {
    double cpu; // [s]
    gos_statistics stats;
    double tip[GOS_PROBE_MAX];
} outcome;

static double rough; // part of the force that changes its sign at every step [N]

/* a force that wanders, as a controller's does */
static double history(long k) {
    return 2 + 0.3 * sin(0.001 * (double)k) + (k % 2 ? rough : -rough);
}

static const char *table_file(const char *folder, long steps, double h) {
    static char path[600];
    snprintf(path, sizeof path, "%s/course.csv", folder);
    FILE *f = fopen(path, "w");
    for (long k = 0; f && k <= steps; k++) {
        fprintf(f, "%.17g,%.17g\n", (double)k * h, history(k));
    }
    if (!f || fclose(f)) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    return path;
}

static gos_system *compile(gos_ctx *ctx, const subject *of, const char *elements, int kind,
                           const char *folder, const gos_options *o) {
    char text[2000];
    gos_model *m = NULL;
    gos_system *s = NULL;
    snprintf(text, sizeof text, of->text, elements, kind == TABLE ? "{table: course.csv}" : "2",
             o->end, o->step);
    if (gos_model_parse(ctx, text, strlen(text), of->name, folder, &m) ||
        gos_system_create(ctx, m, &s)) {
        bench_die(ctx);
    }
    gos_model_destroy(m);
    return s;
}

static outcome run(gos_ctx *ctx, const gos_system *s, const char *input, int kind, long steps) {
    outcome r = {0};
    gos_options o;
    gos_state *x;
    gos_integrator *g;
    gos_options_get(s, &o);
    const int push = gos_system_input_find(s, input), tip = gos_system_probe_find(s, "tip");
    bool bad = gos_state_create(ctx, s, &x) != GOS_OK || push < 0;
    if (!bad && kind >= LINEAR) {
        bad = gos_state_set_input(ctx, x, push, history(0), 0);
        bad = bad || (kind == LINEAR && gos_state_set_input(ctx, x, push, history(1), o.step));
    }
    bad = bad || gos_integrator_create(ctx, s, &o, x, &g);
    const clock_t begin = clock();
    for (long k = 1; k <= steps && !bad; k++) {
        const double until = (double)k * o.step;
        while (!bad && gos_state_time(x) < until) {
            bad = gos_integrator_step(g, until) != GOS_OK;
        }
        if (!bad && kind >= LINEAR && k < steps) {
            bad = gos_state_set_input(ctx, x, push, history(kind == LINEAR ? k + 1 : k),
                                      kind == LINEAR ? (double)(k + 1) * o.step : until);
        }
    }
    r.cpu = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (bad || gos_system_probe(ctx, s, x, tip, r.tip, NULL)) {
        bench_die(ctx);
    }
    gos_integrator_statistics(g, &r.stats);
    gos_integrator_destroy(g);
    gos_state_destroy(x);
    return r;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    enum { MOST = 99 };
    gos_blas_select(argv);
    const char *elements = argc > 1 ? argv[1] : "16";
    const long steps = argc > 2 ? atol(argv[2]) : 10000;
    const int turns = argc > 3 ? (int)fmin(MOST, atof(argv[3])) : 7;
    rough = argc > 4 ? atof(argv[4]) : 0;
    const subject *of = subjects + (argc > 5 && strcmp(argv[5], subjects[1].name) == 0);
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    static double ratio[KINDS][MOST];
    gos_options o = {.step = 1e-4, .end = 1e-4 * (double)steps};
    gos_ctx *ctx = gos_ctx_create();
    gos_system *s[KINDS];
    outcome r[KINDS];
    const char *path = table_file(folder, steps, o.step);
    for (int k = 0; k < KINDS; k++) {
        s[k] = compile(ctx, of, elements, k, folder, &o);
    }
    for (int i = 0; i < turns; i++) {
        for (int k = 0; k < KINDS; k++) {
            r[k] = run(ctx, s[k], of->input, k, steps);
            ratio[k][i] = r[k].cpu / r[PLAIN].cpu;
        }
    }
    printf("run,steps,restarts,iterations,factorisations,cpu_s,ratio,least,most,off_table\n");
    for (int k = 0; k < KINDS; k++) {
        double off = 0;
        qsort(ratio[k], (size_t)turns, sizeof *ratio[k], compare);
        for (int c = 0; c < 3; c++) {
            off = fmax(off, fabs(r[k].tip[c] - r[TABLE].tip[c]));
        }
        printf("\"%s\",%ld,%ld,%ld,%ld,%.4f,%.4f,%.4f,%.4f,%.3g\n", names[k], r[k].stats.steps,
               r[k].stats.restarts, r[k].stats.iterations, r[k].stats.factorisations, r[k].cpu,
               ratio[k][turns / 2], ratio[k][0], ratio[k][turns - 1], off);
        gos_system_destroy(s[k]);
    }
    remove(path);
    gos_ctx_destroy(ctx);
    return 0;
}
