/* Component mode synthesis with complex modes: roots of the columns' problem against those of the
   whole, all modes and few, parts free and held, with and without attachment modes, one part damped
   a hundred times more than the other; runs against full ones; a single part is the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <complex.h>
#include <lapacke.h>

#include "gossamer/linearise.h"
#include "rom/local_parts.h"
#include "support/faults.h"
#include "support/local_runs.h"
#include "support/suite.h"

#define METHOD "reduction=null reduction.method=complex_synthesis "

/* two cables welded together, the first one clamped */
static const char frame[] =
    "materials:\n"
    "  stiff: {density: 2700, young: 7.0e10, damping: {normal: 2.0e-5}}\n"
    "  soft: {density: 2000, young: 2.0e10, damping: {normal: 2.0e-3}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  a: {type: ancf_cable, material: stiff, section: s, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: 5}\n"
    "  b: {type: ancf_cable, material: soft, section: s, from: [1, 0, 0], to: [1.8, 0, 0], "
    "elements: 4}\n"
    "joints:\n"
    "  root: {type: clamp, between: [ground, a.start]}\n"
    "  weld: {type: clamp, between: [a.end, b.start]}\n"
    "analysis: {end: 1.0e-3, step: 1.0e-4}\n";

/* ---- roots ----------------------------------------------------------------------------------- */

#define MOST 400

typedef struct roots {
    int n, columns, motions;
    double complex s[MOST];
} roots;

/* of eta'' + D eta' + K eta = 0 on the columns that are modes, at the first interval */
static void small_roots(verify *v, roots *r) {
    gos_system *sys;
    gos_state *x;
    gos_local *g;
    verify_good(v, gos_reduce(v->ctx, v->sys, &sys));
    verify_good(v, gos_state_create(v->ctx, sys, &x));
    verify_good(v, gos_local_create(v->ctx, sys, &v->opt, x, &g));
    verify_good(v, gos_local_step(g, v->opt.end));
    const int m = g->modes->nmodal, all = g->lin->m, n = 2 * m;
    double *A = calloc((size_t)n * (size_t)n, sizeof *A), re[MOST], im[MOST];
    assert_true(n <= MOST);
    for (int i = 0; i < m; i++) {
        A[(m + i) * n + i] = 1;
        for (int j = 0; j < m; j++) {
            A[j * n + m + i] = -g->lin->K[i * all + j];
            A[(m + j) * n + m + i] = -g->lin->D[i * all + j];
        }
    }
    assert_int_equal(LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, A, n, re, im, NULL, 1, NULL, 1),
                     0);
    r->n = n;
    r->columns = m;
    r->motions = g->n;
    for (int i = 0; i < n; i++) {
        r->s[i] = re[i] + im[i] * (double complex)I;
    }
    free(A);
    gos_local_destroy(g);
    gos_state_destroy(x);
    gos_system_destroy(sys);
}

/* largest distance of the `count` lowest roots of the whole from the nearest root, relative */
static double off(verify *v, const roots *r, int count) {
    gos_linear *l;
    gos_mode modes[MOST];
    int found;
    double most = 0;
    verify_good(v, gos_linearise_structure(v->ctx, v->sys, v->state, &l));
    verify_good(v, gos_linear_modes(v->ctx, l, count, true, modes, &found));
    assert_int_equal(found, count);
    for (int i = 0; i < found; i++) {
        const double complex s = modes[i].re + modes[i].im * (double complex)I;
        double nearest = HUGE_VAL;
        for (int j = 0; j < r->n; j++) {
            nearest = fmin(nearest, cabs(r->s[j] - s) / cabs(s));
        }
        most = fmax(most, nearest);
    }
    gos_linear_destroy(l);
    return most;
}

static double of_frame(const char *settings, int count, int *columns) {
    verify v;
    roots r;
    verify_text(&v, frame, settings);
    small_roots(&v, &r);
    const double e = off(&v, &r, count);
    print_message("  %s: %d columns, %d roots off by %.3g\n", settings, r.columns, count, e);
    *columns = r.columns;
    assert_true(r.columns <= r.motions);
    verify_close(&v);
    return e;
}

/* all modes of all parts are the whole: its coordinates without what the joints take, and its
   roots */
static void all_modes(void **state) {
    (void)state;
    static const char *const settings[] = {
        METHOD, METHOD "reduction.interfaces=held", METHOD "reduction.attachments=false",
        METHOD "reduction.modes=real", METHOD "reduction.interfaces=held reduction.modes=real"};
    for (int i = 0; i < GOS_COUNT(settings); i++) {
        int columns;
        verify_below("roots of all modes", of_frame(settings[i], 30, &columns), 1e-7);
        assert_int_equal(columns, 55); // of 66 coordinates; clamps take 5 of one cable, 6 of two
    }
}

/* few modes: the roots of the whole are met the better the more there are, far better with what the
   weld does to the parts; damping of one part alone is no harm */
static void few_modes(void **state) {
    (void)state;
    static const char *const kinds[] = {
        "reduction.interfaces=free reduction.modes=complex",
        "reduction.interfaces=held reduction.modes=complex",
        "reduction.interfaces=free reduction.modes=real",
        "reduction.interfaces=held reduction.modes=real",
        "reduction.interfaces=free reduction.modes=complex reduction.attachments=false"};
    double e[GOS_COUNT(kinds)][3];
    for (int i = 0; i < GOS_COUNT(kinds); i++) {
        for (int k = 0; k < 3; k++) {
            char settings[300];
            int columns;
            (void)snprintf(settings, sizeof settings, METHOD "reduction.displacement_modes=%d %s",
                           6 + 4 * k, kinds[i]);
            e[i][k] = of_frame(settings, 6, &columns);
        }
        if (i < 4) {
            verify_below("14 modes a part / 6", e[i][2] / e[i][0], 0.1);
            verify_below("14 modes a part", e[i][2], 1e-3);
        }
    }
    verify_below("with attachment modes / without", e[0][2] / e[4][2], 0.1);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static local_track full, small, whole;

/* two links of unlike material, pinned, and a rigid body that turns at the end */
static const char links[] =
    "parameters: {g: 9.81}\n"
    "materials:\n"
    "  a: {density: 2000, young: 1.0e8, damping: {normal: 1.0e-4}}\n"
    "  b: {density: 1500, young: 4.0e7, damping: {normal: 1.0e-2}}\n"
    "sections: {s: {type: rectangle, height: 0.02, width: 0.03}}\n"
    "bodies:\n"
    "  first: {type: ancf_cable, material: a, section: s, from: [0, 0, 0], to: [0.7, 0, 0], "
    "elements: 4}\n"
    "  second: {type: ancf_cable, material: b, section: s, from: [0.7, 0, 0], to: [1.2, 0, 0], "
    "elements: 3}\n"
    "  mass: {type: rigid, mass: 0.3, inertia: [1.0e-3, 1.0e-3, 1.0e-3], position: [1.2, 0, 0]}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, first.start]}\n"
    "  knee: {type: clamp, between: [first.end, second.start]}\n"
    "  wrist: {type: revolute, between: [second.end, mass], axis: [0, 0, 1]}\n"
    "gravity: [0, -g, 0]\n"
    "analysis: {end: 0.25, step: 2.5e-4}\n";

static double of_links(const char *settings) {
    verify v;
    verify_text(&v, links, settings);
    if (!suite_long()) {
        v.opt.end = 0.1;
    }
    if (full.n == 0) {
        local_full(&v, &full);
    }
    local_reduced(&v, &small);
    const double e = local_away(&full, &small);
    print_message("  %s: %d columns, %ld intervals, e %.3g m\n", settings, small.report.columns,
                  small.report.intervals, e);
    assert_int_equal(small.allocations, 0);
    verify_below("joints", small.report.null_error, 1e-12);
    verify_close(&v);
    return e;
}

#define FINE METHOD "reduction.thresholds.displacement=2e-4 "

static void runs(void **state) {
    (void)state;
    static const char *const kinds[] = {"", "reduction.interfaces=held",
                                        "reduction.modes=real reduction.interfaces=held"};
    for (int i = 0; i < GOS_COUNT(kinds); i++) {
        double e[2];
        for (int k = 0; k < 2; k++) {
            char settings[300];
            (void)snprintf(settings, sizeof settings, FINE "reduction.displacement_modes=%d %s",
                           k ? 12 : 3, kinds[i]);
            e[k] = of_links(settings);
        }
        verify_below("12 modes a part / 3", e[1] / e[0], 0.3);
        verify_below("12 modes a part [m]", e[1], 1e-4);
    }
    verify_below("all modes [m]", of_links(FINE), 2e-5);
}

/* one body is the whole: the modes of complex_modes. Every step has its interval: where one ends by
   a threshold, the last digit may decide between two steps; and 12 modes cut no pair of equal ones,
   of bending in two planes, of which rounding chooses. */
#define EACH "reduction.thresholds.displacement=1e-12 "
static void single_part(void **state) {
    (void)state;
    verify v;
    verify_example(&v, "thermal-pendulum",
                   METHOD EACH "n=5 t_end=0.02 analysis.step=1e-4 reduction.displacement_modes=12 "
                               "reduction.thermal_modes=8");
    local_reduced(&v, &small);
    verify_close(&v);
    verify_example(&v, "thermal-pendulum",
                   "reduction=null reduction.method=complex_modes " EACH "n=5 t_end=0.02 "
                   "analysis.step=1e-4 reduction.displacement_modes=12 reduction.thermal_modes=8");
    local_reduced(&v, &whole);
    verify_close(&v);
    assert_int_equal(small.report.intervals, 200);
    assert_int_equal(whole.report.intervals, 200);
    verify_below("parts of one body from its modes [m]", local_away(&small, &whole), 1e-10);
    verify_below("... [K]", local_away_heat(&small, &whole), 1e-9);
}

/* ---- refusals, memory ------------------------------------------------------------------------ */

static void refusals(void **state) {
    (void)state;
    verify v = {.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, frame, strlen(frame), "test", NULL, &v.model));
    verify_set(&v, METHOD "reduction.corotated=true");
    gos_system *sys;
    assert_int_equal(gos_system_create(v.ctx, v.model, &sys), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "'corotated' is a parameter of complex_modes"));
    verify_close(&v);
    gos_local *run;
    verify_example(&v, "thermal-pendulum", METHOD "n=340");
    assert_int_equal(gos_local_create(v.ctx, v.sys, &v.opt, v.state, &run), GOS_E_LIMIT);
    verify_close(&v);
}

/* memory that runs out at any allocation: an error, nothing lost */
static void out_of_memory(void **state) {
    (void)state;
    faults f;
    verify v = {.ctx = faults_context(&f)};
    assert_non_null(v.ctx);
    verify_good(&v, gos_model_parse(v.ctx, links, strlen(links), "test", NULL, &v.model));
    verify_set(&v, METHOD "reduction.interfaces=held reduction.displacement_modes=3");
    verify_compile(&v);
    gos_status status = GOS_E_MEMORY;
    long n = 0;
    while (status != GOS_OK) {
        gos_local *run = NULL;
        gos_ctx_clear(v.ctx);
        const long before = f.live;
        faults_arm(&f, ++n, 0);
        status = gos_local_create(v.ctx, v.sys, &v.opt, v.state, &run);
        faults_arm(&f, 0, 0);
        gos_local_destroy(run);
        if (status != GOS_OK) {
            assert_int_equal(status, GOS_E_MEMORY);
            gos_ctx_clear(v.ctx);
            assert_int_equal(f.live, before);
        }
        assert_true(n < 10000);
    }
    print_message("    %ld allocations\n", n - 1);
    verify_close(&v);
    assert_int_equal(f.live, 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_modes),   cmocka_unit_test(few_modes), cmocka_unit_test(runs),
        cmocka_unit_test(single_part), cmocka_unit_test(refusals),  cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
