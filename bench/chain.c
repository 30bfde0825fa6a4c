/* A chain of rigid bodies on revolute joints, hung up at one end and let go: time per step and body
   from 25 to 800 bodies, what of it goes into assembly, factorisation and solution, and the
   exponent of the time per step. CSV on stdout. The argument is the length of the runs [s]. */
#include "bench.h"

#define STEP 1e-3 // [s]
#define REPEATS 5

static gos_system *chain(gos_ctx *ctx, int n, double length) {
    const size_t room = 400 * (size_t)n + 2000;
    char *text = malloc(room);
    size_t at = 0;
    gos_model *m = NULL;
    gos_system *s = NULL;
    if (!text) {
        bench_die(ctx);
    }
    at += (size_t)snprintf(text + at, room - at, "bodies:\n");
    for (int i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, room - at,
                               "  b%d: {type: rigid, mass: 1, inertia: [0.01, 0.1, 0.1],\n"
                               "       position: [%.17g, 0, 0], points: {a: [-0.5, 0, 0],\n"
                               "       b: [0.5, 0, 0]}}\n",
                               i, 0.5 + i);
    }
    at += (size_t)snprintf(text + at, room - at, "joints:\n");
    for (int i = 0; i < n; i++) {
        if (i == 0) {
            at += (size_t)snprintf(
                text + at, room - at,
                "  j0: {type: revolute, between: [ground, b0.a], axis: [0, 0, 1]}\n");
        } else {
            at += (size_t)snprintf(
                text + at, room - at,
                "  j%d: {type: revolute, between: [b%d.b, b%d.a], axis: [0, 0, 1]}\n", i, i - 1, i);
        }
    }
    (void)snprintf(text + at, room - at,
                   "gravity: [0, -9.81, 0]\n"
                   "analysis: {type: dynamic, end: %g, step: %g}\n",
                   length, STEP);
    if (gos_model_parse(ctx, text, strlen(text), "chain", NULL, &m) ||
        gos_system_create(ctx, m, &s)) {
        bench_die(ctx);
    }
    gos_model_destroy(m);
    free(text);
    return s;
}

/* the least disturbed of several runs */
static gos_statistics measure(int n, double length) {
    gos_ctx *ctx = gos_ctx_create();
    gos_system *s = chain(ctx, n, length);
    gos_options o;
    gos_options_get(s, &o);
    gos_statistics best = {0};
    for (int i = 0; i < REPEATS; i++) {
        bench_run b = bench_integrate(ctx, s, &o, 0);
        if (i == 0 || b.stats.time_total < best.time_total) {
            best = b.stats;
        }
        bench_free(&b);
    }
    gos_system_destroy(s);
    gos_ctx_destroy(ctx);
    return best;
}

int main(int argc, char **argv) {
    const double length = argc > 1 ? atof(argv[1]) : 0.2;

    gos_blas_select(argv);
    double x[6], y[6], sx = 0, sy = 0, sxx = 0, sxy = 0;
    int k = 0;
    (void)measure(25, length); // the processor takes its pace
    printf("bodies,steps,iterations_per_step,factorisations_per_step,us_per_step_and_body,"
           "residual,matrix,factorisation,solution,rest\n");
    for (int n = 25; n <= 800; n *= 2) {
        const gos_statistics b = measure(n, length);
        const double scale = 1e6 / ((double)b.steps * n), steps = (double)b.steps;
        const double known = b.time_residual + b.time_jacobian + b.time_factor + b.time_solve;
        printf("%d,%ld,%.2f,%.2f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", n, b.steps,
               (double)b.iterations / steps, (double)b.factorisations / steps, scale * b.time_total,
               scale * b.time_residual, scale * b.time_jacobian, scale * b.time_factor,
               scale * b.time_solve, scale * (b.time_total - known));
        fflush(stdout);
        x[k] = log(n);
        y[k] = log(b.time_total / steps);
        sx += x[k];
        sy += y[k];
        sxx += x[k] * x[k];
        sxy += x[k] * y[k];
        k++;
    }
    printf("exponent of the time per step: %.3f\n", (k * sxy - sx * sy) / (k * sxx - sx * sx));
    return 0;
}
