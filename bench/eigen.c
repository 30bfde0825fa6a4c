/* Modes of large models: time of analysis, factorisation, solves, orthogonalisation and products,
   in units of one factorisation, and ARPACK on the same factors in the same run. Residuals and the
   proof are requested, as `gossamer modes` does. Models: a plate of rectangles (published matrices,
   four unknowns a node), a plate of ancf_plate elements, a space frame of cables, and a bar of
   bricks, clamped at one end.

   bench_eigen [modes [elements of the first plate's side [cells of the frame's side [of the second
   plate [of the bar's width, 20 for 200,000 unknowns]]]]] */
#include <math.h>

#include "bench.h"
#include "frame.h"
#include "gossamer/blas.h"
#include "linalg/eigen.h"
#include "linear/linear.h"
#include "support/arpack.h"
#include "support/plate_matrix.h"

static void check(gos_ctx *ctx, gos_status status) {
    if (status != GOS_OK) {
        bench_die(ctx);
    }
}

/* a value at the shift that the block method has chosen */
static double arpack_time(gos_ctx *ctx, const gos_pencil *p, double shift, int n,
                          const double *lambda, double *worst) {
    gos_saddle *saddle;
    double *other = calloc((size_t)n, sizeof *other);
    double *X = calloc((size_t)n * (size_t)p->K->n, sizeof *X);
    int below;
    if (!other || !X) {
        exit(1);
    }
    check(ctx, gos__saddle_create(ctx, p, &saddle));
    check(ctx, gos__saddle_shift(saddle, shift, &below));
    const double start = gos__cpu_time();
    const int got = arpack_lowest(p, saddle, shift, n, 1e-10, other, X);
    const double time = gos__cpu_time() - start;
    *worst = got == n ? 0 : HUGE_VAL;
    for (int k = 0; k < got; k++) {
        const double scale = fmax(fabs(lambda[k]), 1e-6 * fabs(lambda[n - 1]));
        *worst = fmax(*worst, fabs(other[k] - lambda[k]) / scale);
    }
    gos__saddle_destroy(saddle);
    free(other);
    free(X);
    return time;
}

static void measure(gos_ctx *ctx, const char *name, const gos_pencil *p, int n) {
    gos_eigen_info info;
    double *lambda = calloc((size_t)n, sizeof *lambda),
           *residual = calloc((size_t)n, sizeof *residual);
    double *X = calloc((size_t)n * (size_t)p->K->n, sizeof *X), worst;
    int found;
    if (!lambda || !X || !residual) {
        exit(1);
    }
    const double start = gos__cpu_time();
    check(ctx, gos__eigen_find(ctx, p, n, lambda, X, &found, &info, residual));
    const double whole = gos__cpu_time() - start;
    const gos_symmetric_info *f = &info.factors;
    const double unit = f->factor / f->nfactor;
    const double iteration = whole - f->analysis - f->factor;
    const double other = arpack_time(ctx, p, info.shift, n, lambda, &worst);
    printf(
        "%s,%d,%d,%d,%s,%.3g,%.3f,%.3f,%d,%.3f,%d,%.3f,%.3f,%.3f,%.3f,%.2f,%.2f,%.1e,%.1e,%d,%d\n",
        name, p->K->n, p->C->m, found, f->way, f->entries, f->analysis, unit, f->nfactor, f->solve,
        f->nsolve, info.orthogonal, info.product, info.ritz, whole, iteration / unit,
        other / iteration, worst, info.error, info.below, info.counted);
    fflush(stdout);
    free(lambda);
    free(residual);
    free(X);
}

/* of a model as its initial configuration is */
static void model(const char *name, const char *text, int modes) {
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m;
    gos_system *sys;
    gos_state *state;
    gos_linear *linear;
    check(ctx, gos_model_parse(ctx, text, strlen(text), name, NULL, &m));
    check(ctx, gos_system_create(ctx, m, &sys));
    check(ctx, gos_state_create(ctx, sys, &state));
    check(ctx, gos_linearise(ctx, sys, state, &linear));
    const gos_pencil p = {
        .K = &linear->K, .M = &linear->M, .C = &linear->block[GOS_BLOCK_C], .ncomp = linear->ncomp};
    measure(ctx, name, &p, modes);
    gos_linear_destroy(linear);
    gos_state_destroy(state);
    gos_system_destroy(sys);
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static void elements(int n, int modes) {
    char text[400];
    (void)snprintf(
        text, sizeof text,
        "materials: {m: {density: 2700, young: 7.0e10}}\n"
        "bodies:\n  p: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], "
        "x: [1, 0, 0], y: [0, 1, 0], elements: [%d, %d], quadrature: reduced}\n",
        n, n);
    model("ancf_plate", text, modes);
}

/* 7.5 times as long as wide in cells, 20 times in length */
static void bar(int n, int modes) {
    char text[500];
    (void)snprintf(text, sizeof text,
                   "materials: {m: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
                   "meshes: {bar: {type: box, size: [1, 0.05, 0.05], cells: [%d, %d, %d]}}\n"
                   "bodies: {bar: {type: solid, mesh: bar, material: m}}\n"
                   "joints: {root: {type: clamp, between: [ground, bar.left]}}\n",
                   n * 15 / 2, n, n);
    model("solid", text, modes);
}

static void plate(int n, bool supported, int modes) {
    gos_ctx *ctx = gos_ctx_create();
    plate_matrix m;
    check(ctx, plate_matrix_make(ctx, n, supported, 0.3, &m));
    measure(ctx, supported ? "plate supported" : "plate free", &m.pencil, modes);
    plate_matrix_free(ctx, &m);
    gos_ctx_destroy(ctx);
}

int main(int argc, char **argv) {
    gos_blas_select(argv);
    const int modes = argc > 1 ? atoi(argv[1]) : 50, side = argc > 2 ? atoi(argv[2]) : 157;
    const int cells = argc > 3 ? atoi(argv[3]) : 5, second = argc > 4 ? atoi(argv[4]) : 105;
    const int width = argc > 5 ? atoi(argv[5]) : 12;
    printf("# kernels %s; times in s, iteration = all but analysis and factorisations\n",
           gos_blas_kernels());
    printf("model,unknowns,constraints,modes,factors,entries,analysis,factorisation,factorisations,"
           "solves,right-hand sides,orthogonalisation,products,projected,total,iteration over "
           "factorisation,ARPACK over iteration,largest difference,error of vectors at "
           "most,below,counted\n");
    if (side > 0) {
        plate(side, false, modes);
        plate(side, true, modes);
    }
    if (second > 0) {
        elements(second, modes);
    }
    if (width > 0) {
        bar(width, modes);
    }
    if (cells > 0) {
        char *text = frame_text(cells, 30, "");
        model("frame", text, modes);
        free(text);
    }
    return 0;
}
