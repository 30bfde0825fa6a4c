/* generalised_alpha, bdf and radau beside each other: error of the whole run against tolerance,
   with steps and processor time, in one run. Arguments: model, then NAME VALUE pairs of settings,
   `reduction` for the reduced model, or the one integrator that is requested. The reference is
   radau with a tolerance of 1e-9. CSV on stdout; errors are max over t of the RMS over nodes,
   relative to the extent. */
#include "bench.h"

#include "gossamer/reduce.h"

enum { TIMES = 101, SETTINGS = 40, REPEATS = 3 };

static bench_run least(gos_ctx *ctx, const gos_system *s, const gos_options *o) {
    bench_run b = bench_integrate(ctx, s, o, TIMES);
    for (int i = 1; i < REPEATS; i++) {
        bench_run again = bench_integrate(ctx, s, o, 0);
        b.cpu = fmin(b.cpu, again.cpu);
        bench_free(&again);
    }
    return b;
}

static gos_system *reduced_of(gos_ctx *ctx, gos_system *full) {
    gos_system *s = NULL;
    if (gos_reduce_auto(ctx, full, &s)) {
        bench_die(ctx);
    }
    return s;
}

int main(int argc, char **argv) {
    gos_blas_select(argv);
    static const char *const name[] = {"generalised_alpha", "bdf", "radau"};
    const char *set[SETTINGS] = {NULL};
    const char *path = argc > 1 ? argv[1] : "examples/dumbbell-satellite/model.yaml";
    bool reduced = false;
    int n = 0, only = -1;
    for (int i = 2; i < argc && n + 1 < SETTINGS; i++) {
        if (strcmp(argv[i], "reduction") == 0) {
            reduced = true;
            continue;
        }
        const int before = only;
        for (int k = 0; k < 3; k++) {
            only = strcmp(argv[i], name[k]) == 0 ? k : only;
        }
        if (only == before) {
            set[n++] = argv[i];
        }
    }
    gos_ctx *ctx = gos_ctx_create();
    gos_system *s = bench_system(ctx, path, set);
    s = reduced ? reduced_of(ctx, s) : s;
    gos_options o;
    gos_options_get(s, &o);
    o.step = 0;
    o.integrator = GOS_RADAU;
    o.tolerance = 1e-9;
    bench_run ref = bench_integrate(ctx, s, &o, TIMES);
    printf("integrator,tolerance,steps,rejected,iterations,jacobians,factorisations,cpu_s,error,"
           "error_T,allocations\n");
    for (int i = 0; i < 3; i++) {
        for (int k = 2; k < 8; k++) {
            o.integrator = i;
            o.tolerance = pow(10, -k);
            if ((only >= 0 && i != only) || (i == 0 && k > 6)) { // order 2 takes long
                continue;
            }
            bench_run b = least(ctx, s, &o);
            printf("%s,%.3g,%ld,%ld,%ld,%ld,%ld,%.4g,%.3g,%.3g,%ld\n", name[i], o.tolerance,
                   b.stats.steps, b.stats.rejected, b.stats.iterations, b.stats.jacobians,
                   b.stats.factorisations, b.cpu, bench_error(&ref, &b),
                   bench_temperature_error(&ref, &b), b.allocations);
            fflush(stdout);
            bench_free(&b);
        }
    }
    bench_free(&ref);
    gos_system_destroy(s);
    gos_ctx_destroy(ctx);
    return 0;
}
