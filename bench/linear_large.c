/* Reduction and frequency response of models with 10^5 coordinates: a plate (ancf_plate, free) and
   a space frame of cables. 50 Krylov vectors at a real point against one factorisation and 60
   solves of blocks as wide as the inputs are many; seconds for a frequency of the full model, and
   for 1000 of the reduced one.

   bench_linear_large [elements of the plate's side [cells of the frame's side]] */
#include "bench.h"
#include "frame.h"
#include "linear_reduction/reduce.h"

#define ORDER 50
#define SOLVES 60
#define POINT 60.0 // expansion point [1/s]
#define FULL 3     // frequencies of the full model
#define MANY 1000  // of the reduced one

static void check(gos_ctx *ctx, gos_status status) {
    if (status != GOS_OK) {
        bench_die(ctx);
    }
}

static void fill_random(size_t n, gos_complex *x) {
    uint64_t seed = 88172645463325252u;
    for (size_t i = 0; i < n; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        x[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
}

/* one factorisation and 60 solves, as the methods do them */
static void unit(gos_ctx *ctx, const gos_linear *l, double *factor, double *solves) {
    gos_reduce_pencil *p;
    const size_t size = (size_t)l->nq * (size_t)l->nu;
    gos_complex *X = malloc(size * sizeof *X);
    if (!X) {
        exit(1);
    }
    check(ctx, gos__reduce_pencil_create(ctx, l, NULL, &p));
    double start = gos__cpu_time();
    check(ctx, gos__reduce_pencil_factor(p, POINT));
    *factor = gos__cpu_time() - start;
    *solves = 0;
    for (int done = 0; done < SOLVES; done++) {
        fill_random(size, X);
        start = gos__cpu_time();
        check(ctx, gos__reduce_pencil_solve(p, false, l->nu, X));
        *solves += gos__cpu_time() - start;
    }
    gos__reduce_pencil_destroy(p);
    free(X);
}

static double respond(gos_ctx *ctx, const gos_linear *l, int n) {
    double *omega = malloc((size_t)n * sizeof *omega);
    double *H = malloc(2 * (size_t)n * (size_t)l->nu * (size_t)l->ny * sizeof *H);
    if (!omega || !H) {
        exit(1);
    }
    for (int k = 0; k < n; k++) {
        omega[k] = 20 + 200.0 * (k + 0.5) / n;
    }
    const double start = gos__cpu_time();
    check(ctx, gos_linear_response(ctx, l, n, omega, H));
    const double time = gos__cpu_time() - start;
    free(omega);
    free(H);
    return time;
}

static void measure(const char *name, const char *text) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model;
    gos_system *sys;
    gos_state *state;
    gos_linear *l;
    check(ctx, gos_model_parse(ctx, text, strlen(text), name, NULL, &model));
    check(ctx, gos_system_create(ctx, model, &sys));
    check(ctx, gos_state_create(ctx, sys, &state));
    check(ctx, gos_linearise(ctx, sys, state, &l));
    double factor, solves;
    unit(ctx, l, &factor, &solves);
    const gos_point point = {POINT, 0};
    const gos_linear_reduction_options opt = {
        .method = "krylov", .order = ORDER, .npoints = 1, .points = &point};
    gos_linear_reduction *r;
    gos_linear_reduction_report report;
    double start = gos__cpu_time();
    check(ctx, gos_linear_reduce(ctx, l, &opt, &r));
    const double whole = gos__cpu_time() - start;
    gos_linear_reduction_get(r, &report);
    // the basis alone: wall times of its parts as shares of the whole
    const double parts = report.time_basis + report.time_project + report.time_check;
    const double once = respond(ctx, l, 1), more = respond(ctx, l, 1 + FULL);
    const double small = respond(ctx, gos_linear_reduction_model(r), MANY);
    const double limit = factor + solves;
    printf("%s,%d,%d,%d,%d,%.2f,%.2f,%.2f,%.2f,%.2f,%.2f,%.1e,%.2f,%.2f,%.4f\n", name, l->nq, l->nc,
           l->nu, report.coordinates, factor, solves, whole, whole / limit,
           whole * report.time_basis / parts, whole * report.time_project / parts,
           report.moment_error, once, (more - once) / FULL, small);
    fflush(stdout);
    gos_linear_reduction_destroy(r);
    gos_linear_destroy(l);
    gos_state_destroy(state);
    gos_system_destroy(sys);
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

static void plate(int n) {
    char text[1200];
    (void)snprintf(
        text, sizeof text,
        "materials: {m: {density: 2700, young: 7.0e10, damping: {normal: 1.0e-5, shear: 1.0e-5}}}\n"
        "bodies:\n  p: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], x: [1, "
        "0, 0], y: [0, 1, 0], elements: [%d, %d], quadrature: reduced}\n"
        "loads:\n  f: {type: force, on: 'p.node(0,0)', value: [0, 0, 1]}\n"
        "  g: {type: force, on: 'p.node(%d,%d)', value: [0, 0, 1]}\n"
        "probes:\n  a: {at: 'p.node(%d,%d)', quantity: displacement}\n",
        n, n, n / 2, n / 3, n, n);
    measure("plate", text);
}

static void frame(int n) {
    char more[600];
    const int side = n + 1, last = side * side * side - 1;
    (void)snprintf(more, sizeof more,
                   "loads:\n  f: {type: force, on: h%d, value: [1, 1, 1]}\n"
                   "probes:\n  a: {at: h%d, quantity: displacement}\n",
                   last, last - side);
    char *text = frame_text(n, 30, more);
    measure("frame", text);
    free(text);
}

int main(int argc, char **argv) {
    gos_blas_select(argv);
    const int side = argc > 1 ? atoi(argv[1]) : 105, cells = argc > 2 ? atoi(argv[2]) : 5;
    printf("# kernels %s; processor times in s\n", gos_blas_kernels());
    printf(
        "model,coordinates,constraints,inputs,vectors,factorisation,60 block solves,reduction,over "
        "limit,its basis,its projection,moment error,response of one frequency with analysis,a "
        "further one,1000 of the reduced model\n");
    if (side > 0) {
        plate(side);
    }
    if (cells > 0) {
        frame(cells);
    }
    return 0;
}
