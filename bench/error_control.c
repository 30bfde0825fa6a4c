/* Full-order thermal pendulum by error control: error of the whole run against tolerance, with
   steps and solve time; the reference is a run with a fixed step of 5e-5 s. CSV on stdout. */
#include "bench.h"

int main(int argc, char **argv) {
    gos_blas_select(argv);
    const char *path = argc > 1 ? argv[1] : "examples/thermal-pendulum/model.yaml";
    const char *n = argc > 2 ? argv[2] : "16";
    const char *set[] = {"n", n, NULL};
    gos_ctx *ctx = gos_ctx_create();
    gos_system *s = bench_system(ctx, path, set);
    gos_options o;
    gos_options_get(s, &o);
    gos_options fine = o;
    fine.step = 5e-5;
    bench_run ref = bench_integrate(ctx, s, &fine, 101);
    printf("tolerance,steps,rejected,iterations,factorisations,solve_ms,error_of_L,error_of_T,"
           "allocations\n");
    for (double tol = 1e-2; tol > 5e-6; tol /= 2) {
        o.tolerance = tol;
        bench_run b = bench_integrate(ctx, s, &o, 101);
        printf("%.3g,%ld,%ld,%ld,%ld,%.2f,%.3g,%.3g,%ld\n", tol, b.stats.steps, b.stats.rejected,
               b.stats.iterations, b.stats.factorisations, 1e3 * b.stats.time_total,
               bench_error(&ref, &b), bench_temperature_error(&ref, &b), b.allocations);
        bench_free(&b);
    }
    bench_free(&ref);
    gos_system_destroy(s);
    gos_ctx_destroy(ctx);
    return 0;
}
