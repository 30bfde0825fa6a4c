/* The thermal disc: matrices of its temperatures and displacements against numbers that CalculiX
   printed for the same mesh (tests/reference/calculix), reduced runs against the run of all its
   coordinates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "gossamer/linearise.h"
#include "linalg/saddle.h"
#include "linear/linear.h"
#include "support/suite.h"
#include "support/verify.h"

#define FOLDER GOS_SOURCE_DIR "/tests/reference/calculix"

/* a disc on the mesh of a deck, held at its inner edge, with the face of the hot cells heated and
   that of the cold ones cooled */
static gos_linear *linear_of(verify *v, const char *deck) {
    char text[2000];
    gos_linear *linear = NULL;
    (void)snprintf(
        text, sizeof text,
        "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 12e-6,\n"
        "  conductivity: 43, specific_heat: 465}}\n"
        "meshes: {disc: {type: deck, file: %s.inp}}\n"
        "bodies: {disc: {type: floating, mesh: disc, material: steel, element: plane_stress,\n"
        "  thickness: 0.007, reference: clamped, at: INNER}}\n"
        "joints: {hub: {type: clamp, between: [ground, disc.frame]}}\n"
        "heat:\n"
        "  hot: {type: flux, value: 3000, on: disc.HOT}\n"
        "  cold: {type: convection, coefficient: 10, ambient: -200, on: disc.COLD}\n"
        "analysis: {end: 1}\n",
        deck);
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test", FOLDER, &v->model));
    verify_compile(v);
    verify_good(v, gos_linearise_structure(v->ctx, v->sys, v->state, &linear));
    return linear;
}

/* rows time,node,value... of a table until one of another time; false at its end */
typedef struct table {
    FILE *file;
    double time, value[3];
    int node;
} table;

static void open_table(table *t, const char *name) {
    char path[300];
    (void)snprintf(path, sizeof path, FOLDER "/%s.csv", name);
    t->file = fopen(path, "r");
    assert_non_null(t->file);
}

static bool next_row(table *t) {
    char line[200];
    while (fgets(line, sizeof line, t->file)) {
        if (sscanf(line, "%lf,%d,%lf,%lf,%lf", &t->time, &t->node, &t->value[0], &t->value[1],
                   &t->value[2]) >= 3) {
            return true;
        }
    }
    (void)fclose(t->file);
    return false;
}

/* A (n, n) += factor times a block */
static void add_dense(const gos_linear *l, gos_block which, double factor, double *A) {
    const gos_sparse *S = &l->block[which];
    for (int j = 0; j < S->n; j++) {
        for (int k = S->p[j]; k < S->p[j + 1]; k++) {
            A[S->i[k] + (size_t)j * (size_t)S->m] += factor * S->x[k];
        }
    }
}

/* backward Euler with steps of 60 s, as CalculiX does: temperatures of all nodes every hour; it
 * prints seven digits */
static void temperatures(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_linear *l = linear_of(&v, "disc-heat-face-36x4");
    const int n = l->nt, steps = 300;
    const double h = 60, input[2] = {3000, -200};
    double *A = calloc((size_t)n * (size_t)n, sizeof *A), *T = calloc((size_t)n, sizeof *T);
    double *rhs = calloc((size_t)n, sizeof *rhs), *B = calloc(2 * (size_t)n, sizeof *B);
    assert_int_equal(n, 180);
    assert_int_equal(l->nu, 2);
    add_dense(l, GOS_BLOCK_C_T, 1 / h, A);
    add_dense(l, GOS_BLOCK_K_T, 1, A);
    add_dense(l, GOS_BLOCK_B_T, 1, B);
    assert_int_equal(LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, A, n), 0);
    table t;
    double worst = 0, largest = 0;
    open_table(&t, "disc-heat-face-36x4");
    bool more = next_row(&t);
    for (int s = 1; s <= steps && more; s++) {
        gos__sparse_apply(&l->block[GOS_BLOCK_C_T], 1, T, rhs);
        for (int i = 0; i < n; i++) {
            T[i] = rhs[i] / h + B[i] * input[0] + B[n + i] * input[1];
        }
        assert_int_equal(LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', n, 1, A, n, T, n), 0);
        for (; more && fabs(t.time - s * h) < 1e-6; more = next_row(&t)) {
            worst = fmax(worst, fabs(T[t.node - 1] - t.value[0]));
            largest = fmax(largest, fabs(t.value[0]));
        }
    }
    assert_false(more);
    verify_below("temperatures, of the largest", worst / largest, 1e-6);
    free(A);
    free(B);
    free(T);
    free(rhs);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* displacements by CalculiX's temperatures, cells of eight nodes; CPS8 becomes one layer of bricks
   there, whose faces bulge near the held edge */
static void displacements(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_linear *l = linear_of(&v, "disc-static-face-72x8");
    double *theta = calloc((size_t)l->nt, sizeof *theta), *u = calloc((size_t)l->nq, sizeof *u);
    table t;
    open_table(&t, "disc-heat-face-72x8");
    while (next_row(&t)) {
        theta[t.node - 1] = t.value[0];
    }
    gos__sparse_apply(&l->block[GOS_BLOCK_G], 1, theta, u);
    for (int i = 0; i < l->nq; i++) {
        u[i] = -u[i];
    }
    const gos_pencil pencil = {.K = &l->K, .M = &l->M, .C = &l->block[GOS_BLOCK_C], .ncomp = 1};
    gos_saddle *saddle;
    verify_good(&v, gos__saddle_create(v.ctx, &pencil, &saddle));
    verify_good(&v, gos__saddle_factor(saddle, 0, 0));
    verify_good(&v, gos__saddle_solve(saddle, 1, u, u));
    gos__saddle_destroy(saddle);
    // behind the frame's 12 coordinates come two of each node that is not held, in order
    double worst = 0, largest = 0;
    int at = 12;
    open_table(&t, "disc-static-face-72x8");
    while (next_row(&t)) {
        const bool held = t.value[0] == 0 && t.value[1] == 0;
        for (int c = 0; c < 2 && !held; c++) {
            worst = fmax(worst, fabs(u[at++] - t.value[c]));
            largest = fmax(largest, fabs(t.value[c]));
        }
    }
    assert_in_range(l->nq - at, 0, 2); // three coordinates stand side by side
    verify_below("displacements, of the largest", worst / largest, 1e-4);
    free(theta);
    free(u);
    gos_linear_destroy(l);
    verify_close(&v);
}

/* Heat that sets in at once moves the disc by 1e-7 m/s. Steps of a minute do not resolve its
   vibration, and the derivative of its acceleration at the start must not predict the first of
   them: 4e5 m/s, 1e11 J. */
static void slow_start(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_energy energy;
    verify_example(&v, "thermal-disc", "t_end=60 analysis.motion=dynamic analysis.step=60");
    verify_run(&v);
    gos_system_energy(v.sys, v.state, &energy);
    verify_below("kinetic energy [J]", energy.kinetic, 1e-10);
    verify_close(&v);
}

/* ---- reduced runs ---------------------------------------------------------------------------- */

enum { TIMES = 31 };

static double every = 600; // steps [s]

/* u0, u90, u180 at TIMES times; with another entry `reduce` of the body than the example has, or
 * NULL */
static void course(const char *settings, const char *reduce, double y[TIMES][9]) {
    verify v = {.ctx = gos_ctx_create()};
    verify_good(
        &v, gos_model_read(v.ctx, GOS_SOURCE_DIR "/examples/thermal-disc/model.yaml", &v.model));
    verify_set(&v, "analysis.motion=dynamic");
    verify_set(&v, every == 600 ? "analysis.step=600" : "analysis.step=60");
    verify_set(&v, settings);
    if (reduce) {
        verify_good(&v, gos_model_set(v.ctx, v.model, "bodies.disc.reduce", reduce));
    }
    verify_compile(&v);
    verify_start(&v);
    for (int i = 0; i < TIMES; i++) {
        const gos_state *x = verify_at(&v, every * i);
        verify_probe(&v, x, "u0", y[i]);
        verify_probe(&v, x, "u90", y[i] + 3);
        verify_probe(&v, x, "u180", y[i] + 6);
    }
    verify_close(&v);
}

/* largest distance of a node from where it is in the run of all coordinates, over the largest
 * displacement there */
static double error_by(const char *settings, const char *reduce, double whole[TIMES][9]) {
    double y[TIMES][9], worst = 0, peak = 0;
    char all[300];
    (void)snprintf(all, sizeof all, "floating_bodies=reduced %s", settings);
    course(all, reduce, y);
    for (int i = 0; i < 3 * TIMES; i++) {
        static const double zero[3];
        worst = fmax(worst, verify_distance(y[i / 3] + 3 * (i % 3), whole[i / 3] + 3 * (i % 3)));
        peak = fmax(peak, verify_distance(whole[i / 3] + 3 * (i % 3), zero));
    }
    return worst / peak;
}

static double error_of(const char *settings, double whole[TIMES][9]) {
    return error_by(settings, NULL, whole);
}

/* As published: seven modes of temperature, made without the film, and their seven response modes
   do what the whole mesh does, and eighteen modes of vibration instead of them do not. Krylov
   vectors need four (for two loads with functions of time of their own on the rim: ten). Steps of
   600 s show the beginning of the transient, where errors are largest. */
static void face(void **state) {
    GOS_UNUSED(state);
    double whole[TIMES][9];
    course("", NULL, whole);
    verify_near("largest displacement, 0.2 mm", whole[TIMES - 1][0], 2.135e-4, 1e-6);
    const double published = error_of("film_modes=0", whole);
    const double film = error_of("", whole);
    const double plain = error_of("film_modes=0 response_modes=0 mechanical_modes=18", whole);
    verify_below("7 + 7 response modes, without film", published, 0.01);
    verify_below("7 + 7 response modes, with film", film, 0.01);
    verify_within("7 + 18 modes of vibration", plain, 10 * published, 0.5);
    verify_below("Krylov, 4 temperatures", error_by("", "{method: krylov, order: 4}", whole), 2e-3);
    verify_below("auto at 1e-3", error_by("", "{method: auto, inputs: [hot, cold]}", whole), 1e-3);
    verify_below("Krylov at 1e-3", error_by("", "{method: krylov, inputs: [hot, cold]}", whole),
                 1e-3);
}

static void rim(void **state) {
    GOS_UNUSED(state);
    double whole[TIMES][9];
    course("variant=1", NULL, whole);
    const double published = error_of("variant=1 film_modes=0", whole);
    const double plain =
        error_of("variant=1 film_modes=0 response_modes=0 mechanical_modes=18", whole);
    verify_below("rim: 7 + 7 response modes, without film", published, 0.02);
    verify_below("rim: 7 + 7 response modes, with film", error_of("variant=1", whole), 0.02);
    verify_within("rim: 7 + 18 modes of vibration", plain, 5 * published, 0.8);
    verify_below("rim: Krylov, 10 temperatures",
                 error_by("variant=1", "{method: krylov, order: 10}", whole), 2e-3);
    verify_below("rim: auto at 1e-3",
                 error_by("variant=1", "{method: auto, inputs: [hot_rim, cold_rim]}", whole), 1e-3);
}

/* Half an hour by steps of a minute, relative to the largest displacement in 18000 s, also on the
   rim, where the two loads take half of each other's deflection away, and with the flux alone. */
static void first_minutes(void **state) {
    GOS_UNUSED(state);
    double whole[TIMES][9];
    every = 60;
    for (int v = 0; v < 3; v++) {
        static const char *const settings[] = {"variant=0", "variant=1", "variant=1 T_inf=0"};
        static const char *const inputs[] = {"hot, cold", "hot_rim, cold_rim", "hot_rim, cold_rim"};
        static const double largest[] = {2.135e-4, 2.754e-5, 5.691e-5}; // [m]
        char reduce[100];
        course(settings[v], NULL, whole);
        (void)snprintf(reduce, sizeof reduce, "{method: auto, inputs: [%s]}", inputs[v]);
        const double e = error_by(settings[v], reduce, whole);
        double peak = 0; // until 1800 s
        for (int i = 0; i < 3 * TIMES; i++) {
            static const double zero[3];
            peak = fmax(peak, verify_distance(whole[i / 3] + 3 * (i % 3), zero));
        }
        verify_below(settings[v], e * peak / largest[v], 1e-3);
    }
    every = 600;
}

/* the more modes of temperature, the smaller the error, down to that of the steps */
static void more_modes(void **state) {
    GOS_UNUSED(state);
    double whole[TIMES][9], last = 1;
    course("", NULL, whole);
    for (int n = 1; n <= 13; n += 4) {
        char settings[100];
        (void)snprintf(settings, sizeof settings, "thermal_modes=%d response_modes=%d", n, n);
        const double e = error_of(settings, whole);
        print_message("    %d: %g\n", n, e);
        assert_true(e < last);
        last = e;
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temperatures),  cmocka_unit_test(displacements),
        cmocka_unit_test(slow_start),    cmocka_unit_test(face),
        cmocka_unit_test(rim),           cmocka_unit_test(more_modes),
        cmocka_unit_test(first_minutes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
