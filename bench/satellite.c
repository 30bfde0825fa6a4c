/* Dumbbell satellite, full against reduced, everything measured in one run: CSV on stdout.
   Arguments: model; a part (full, reduced, refined, stored, local; default: all but local); for
   `stored` the program gossamer; for `local` the ends of the pieces of S0 and S1 [s], which cost
   minutes.

   Errors are max over t of e(t), RMS over nodes [m], against a full run on the same mesh with small
   steps. Times are processor time (one thread), the least of several runs, so that a shared machine
   does not spoil them. What was not run to the end is extrapolated and says so. */
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"

#include "gossamer/reduce.h"

enum { TIMES = 101, SETTINGS = 40 };

static const char *const s0[] = {"t_end", "10", NULL};
static const char *const s1[] = {"t_end", "3",    "torque_a", "-5000", "torque_b",
                                 "-5000", "spin", "0",        NULL};

/* one line of the table; text is empty where a column has no meaning */
typedef struct line {
    const char *run, *method;
    int modes; // fields, or modes of an interval; 0: full
    double end, prepare, error;
    long intervals;
    double baseline; // solve time [s] for the whole run that `ratio` refers to
    double whole;    // length of the whole run [s], longer than `end` when extrapolated
} line;

static void heading(void) {
    printf("run,method,modes,coordinates,temperatures,points,steps,intervals,simulated_s,solve_s,"
           "prepare_s,error_m,ms_per_step,solve_whole_s,extrapolated,full_over_this\n");
}

static double row(const line *l, const bench_run *b) {
    const double whole = b->cpu * l->whole / l->end;
    printf("%s,%s,%d,%d,%d,%d,%ld,%ld,%g,%.4g,%.3g,%.3g,%.3g,%.4g,%s,%.3g\n", l->run, l->method,
           l->modes, b->sizes.coordinates, b->sizes.temperatures, b->sizes.points, b->stats.steps,
           l->intervals, l->end, b->cpu, l->prepare, l->error,
           1e3 * b->cpu / (double)b->stats.steps, whole, l->whole > l->end ? "extrapolated" : "",
           l->baseline > 0 ? l->baseline / whole : 1);
    fflush(stdout);
    return whole;
}

/* the least disturbed of `times` runs; fields of the first */
static bench_run least(gos_ctx *ctx, const gos_system *s, const gos_options *o, int times) {
    bench_run b = bench_integrate(ctx, s, o, TIMES);
    for (int i = 1; i < times; i++) {
        bench_run again = bench_integrate(ctx, s, o, 0);
        b.cpu = fmin(b.cpu, again.cpu);
        bench_free(&again);
    }
    return b;
}

/* settings of a run and some more */
static const char *const *with(const char *const *run, const char *const *more,
                               const char *set[SETTINGS]) {
    int n = 0;
    for (const char *const *list = run; list; list = list == run ? more : NULL) {
        for (int i = 0; list[i] && n + 1 < SETTINGS; i++) {
            set[n++] = list[i];
        }
    }
    set[n] = NULL;
    return set;
}

static gos_options options_of(const gos_system *s) {
    gos_options o;
    gos_options_get(s, &o);
    return o;
}

/* full runs of S0: error control, fixed steps, the published step */
static void full(const char *path) {
    gos_ctx *ctx = gos_ctx_create();
    gos_system *s = bench_system(ctx, path, s0);
    gos_options o = options_of(s), fixed = o, published = o;
    fixed.step = 2e-3;
    bench_run ref = bench_integrate(ctx, s, &fixed, TIMES);
    bench_run b = least(ctx, s, &o, 5);
    line l = {.run = "S0", .method = "full 1 mm", .end = 10, .whole = 10};
    l.error = bench_error(&ref, &b) * ref.sizes.extent;
    l.baseline = row(&l, &b);
    bench_free(&b);
    fixed.step = 1e-3;
    b = least(ctx, s, &fixed, 2);
    l.method = "full fixed 1e-3";
    l.error = bench_error(&ref, &b) * ref.sizes.extent;
    row(&l, &b);
    bench_free(&b);
    published.step = 1e-4;
    published.end = l.end = 1;
    b = least(ctx, s, &published, 2);
    l.method = "full fixed 1e-4";
    l.error = 0;
    row(&l, &b);
    bench_free(&b);
    bench_free(&ref);
    gos_system_destroy(s);
    gos_ctx_destroy(ctx);
}

/* a run in full and with rising numbers of fields, on some mesh */
static void reduced(const char *path, const char *name, const char *const *run, int repeat,
                    const char *const *fields) {
    gos_ctx *ctx = gos_ctx_create();
    gos_system *s = bench_system(ctx, path, run);
    gos_options o = options_of(s), fine = o;
    fine.tolerance = o.tolerance / 20;
    bench_run ref = bench_integrate(ctx, s, &fine, TIMES), f = least(ctx, s, &o, repeat);
    line l = {.run = name, .method = "full 1 mm", .end = o.end, .whole = o.end};
    l.error = bench_error(&ref, &f) * ref.sizes.extent;
    l.baseline = row(&l, &f);
    l.method = "rotation_closed";
    for (int i = 0; fields[i]; i++) {
        const char *set[SETTINGS], *const number[] = {"reduction.number", fields[i], NULL};
        gos_system *m = bench_system(ctx, path, with(run, number, set)), *rom = NULL;
        const clock_t begin = clock();
        if (gos_reduce_auto(ctx, m, &rom)) {
            bench_die(ctx);
        }
        l.prepare = (double)(clock() - begin) / CLOCKS_PER_SEC;
        o = options_of(rom);
        bench_run b = least(ctx, rom, &o, repeat + 3);
        l.modes = atoi(fields[i]);
        l.error = bench_error(&ref, &b) * ref.sizes.extent;
        row(&l, &b);
        bench_free(&b);
        gos_system_destroy(rom);
        gos_system_destroy(m);
    }
    bench_free(&f);
    bench_free(&ref);
    gos_system_destroy(s);
    gos_ctx_destroy(ctx);
}

/* processor time of all children so far [s] */
static double children(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* processor time of a command, the least of some runs [s] */
static double process(const char *command, int times) {
    double best = HUGE_VAL;
    for (int i = 0; i < times; i++) {
        const double begin = children();
        if (system(command)) {
            fprintf(stderr, "benchmark failed: %s\n", command);
            exit(1);
        }
        best = fmin(best, children() - begin);
    }
    return best;
}

/* whole processes, reading the model to closing the results: full, and with a stored reduced
   model */
static void stored(const char *path, const char *program) {
    char folder[] = "/tmp/gossamer_bench_XXXXXX", command[2000];
    if (!mkdtemp(folder)) {
        perror("mkdtemp");
        exit(1);
    }
    snprintf(command, sizeof command, "%s reduce %s -o %s/rom.h5 >/dev/null 2>&1", program, path,
             folder);
    const double make = process(command, 1);
    for (int until = 3; until <= 10; until += 7) {
        snprintf(command, sizeof command, "%s run %s -o %s/a.h5 --until %d --quiet", program, path,
                 folder, until);
        const double a = process(command, 5);
        snprintf(command, sizeof command, "%s run %s --rom %s/rom.h5 -o %s/b.h5 --until %d --quiet",
                 program, path, folder, folder, until);
        const double b = process(command, 5);
        printf("S0 process,full 1 mm,,,,,,,%d,%.4g,,,,%.4g,,1\n", until, a, a);
        printf("S0 process,stored rotation_closed,32,,,,,,%d,%.4g,%.3g,,,%.4g,,%.3g\n", until, b,
               make, b, a / b);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    (void)process(command, 1);
}

/* local linearisation of one piece with some modes */
static void linearised(gos_ctx *ctx, const gos_system *s, const gos_options *o,
                       const bench_run *ref, line *l) {
    bench_run b = {.ntimes = TIMES, .nnodes = ref->nnodes, .sizes = ref->sizes};
    gos_state *x = NULL;
    gos_local *g = NULL;
    gos_local_report report;
    b.r = calloc((size_t)(TIMES * b.nnodes) * 3, sizeof *b.r);
    const clock_t begin = clock();
    if (!b.r || gos_state_create(ctx, s, &x) || gos_local_create(ctx, s, o, x, &g)) {
        bench_die(ctx);
    }
    gos_system_nodes(s, x, b.r, NULL, NULL, NULL);
    for (int k = 1; k < TIMES; k++) {
        const double t = o->end * k / (TIMES - 1);
        while (gos_state_time(x) < t * (1 - 1e-13)) {
            if (gos_local_step(g, o->end)) {
                bench_die(ctx);
            }
        }
        gos_system_nodes(s, gos_local_at(g, t), b.r + (size_t)(3 * k * b.nnodes), NULL, NULL, NULL);
    }
    b.cpu = (double)(clock() - begin) / CLOCKS_PER_SEC;
    gos_local_statistics(g, &b.stats);
    gos_local_get_report(g, &report);
    l->modes = report.modes;
    l->intervals = report.intervals;
    l->error = bench_error(ref, &b) * ref->sizes.extent;
    row(l, &b);
    gos_local_destroy(g);
    gos_state_destroy(x);
    bench_free(&b);
}

/* the published scheme on the first piece of a run: its step, thresholds of 1 mm and 0.02 K */
static void local(const char *path, const char *name, const char *const *run, const char *end) {
    static const char *const modes[] = {"30", "70", "141", "282", NULL};
    gos_ctx *ctx = gos_ctx_create();
    const char *set[SETTINGS], *more[SETTINGS];
    const char *const piece[] = {"t_end", end, NULL};
    gos_system *s = bench_system(ctx, path, with(run, piece, set));
    gos_options o = options_of(s);
    o.step = 1e-4;
    bench_run ref = bench_integrate(ctx, s, &o, TIMES);
    line l = {.run = name, .method = "full same piece", .end = o.end, .whole = 10};
    l.baseline = row(&l, &ref);
    l.method = "complex_modes";
    for (int i = 0; modes[i]; i++) {
        char reduction[200];
        snprintf(reduction, sizeof reduction,
                 "{method: complex_modes, displacement_modes: %s, thermal_modes: 60, "
                 "thresholds: {displacement: 1.0e-3, temperature: 0.02}}",
                 modes[i]);
        const char *const entry[] = {"reduction", reduction, NULL};
        gos_system *m = bench_system(ctx, path, with(set, entry, more));
        linearised(ctx, m, &o, &ref, &l);
        gos_system_destroy(m);
    }
    bench_free(&ref);
    gos_system_destroy(s);
    gos_ctx_destroy(ctx);
}

int main(int argc, char **argv) {
    gos_blas_select(argv);
    static const char *const many[] = {"8", "12", "16", "20", "24", "32", "40", "48", NULL};
    static const char *const some[] = {"24", "32", "40", "48", NULL};
    static const char *const refined[] = {"t_end", "10", "beam_elements", "112", "panel_elements",
                                          "16",    NULL};
    static const char *const few[] = {"32", NULL};
    const char *path = argc > 1 ? argv[1] : "examples/dumbbell-satellite/model.yaml";
    const char *part = argc > 2 ? argv[2] : "";
    heading();
    if (!*part || strcmp(part, "full") == 0) {
        full(path);
    }
    if (!*part || strcmp(part, "reduced") == 0) {
        reduced(path, "S0", s0, 5, many);
        reduced(path, "S1 3 s", s1, 5, some);
    }
    if (!*part || strcmp(part, "refined") == 0) {
        reduced(path, "S0 refined", refined, 2, few);
    }
    if (!*part || strcmp(part, "stored") == 0) {
        stored(path, argc > 3 ? argv[3] : "build/gossamer");
    }
    if (strcmp(part, "local") == 0) {
        local(path, "S0", s0, argc > 3 ? argv[3] : "0.1");
        local(path, "S1", s1, argc > 4 ? argv[4] : "0.3");
    }
    return 0;
}
