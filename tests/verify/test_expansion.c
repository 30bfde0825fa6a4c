/* Reduced models beside local heat: what expands there has displacements of its own, so that
   section forces are those of the full model. Without them the thermal strain meets a stress of its
   own size (32 N where the full model has 9 N). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/io.h"
#include "gossamer/reduce.h"
#include "rom/limits.h"
#include "rom/rom.h"
#include "support/suite.h"
#include "support/turned.h"
#include "support/verify.h"
#include "support/reduced.h"

#define TIMES 50

/* a swinging rod with a heater beside which the section force is read; `two` hangs below it with
 * one of its own */
static const char swing[] =
    "parameters: {" TURNED_PARAMETERS ", n: 16, w: 50, alpha: 1e-4, at: 8}\n"
    "materials: {m: {density: 2000*rho, young: 1e8*Pa, conductivity: Nm/mm,\n"
    "  specific_heat: 200*mm^2, expansion: alpha, damping: {normal: 4.5e-3, shear: 4.4e-4}}}\n"
    "sections: {bar: {type: rectangle, height: 0.01*mm, width: 0.02*mm}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0],\n"
    "    to: " TURNED(
        "1.2*mm", "0",
        "0") ", elements: n}\n%s"
             "joints:\n"
             "  pin: {type: spherical, between: [ground, rod.start]}\n%s"
             "gravity: " TURNED(
                 "0", "-9.81*mm",
                 "0") "\n"
                      "heat: {h: {type: heat_flow, value: w*Nm, on: rod.node(at)}%s}\n"
                      "probes:\n"
                      "  N: {at: rod.at(6.1@), quantity: section_force}\n"
                      "  M: {at: rod.at(6.1@), quantity: section_moment}\n"
                      "analysis: {type: dynamic, end: 0.5, tolerance: 1e-5}\n"
                      "output: {every: 0.01}\n";

static void open(verify *v, int way, const char *more) {
    const turned t = way == 1 ? turned_by(0.4, 1.1, -0.7, true) : turned_by(0, 0, 0, false);
    static const char second[] = "  two: {type: ancf_cable, material: m, section: bar, "
                                 "elements: 8, from: [1.2, 0, 0], to: [1.8, 0, 0]}\n";
    static const char tie[] = "  tie: {type: tie, between: [rod.end, two.start]}\n";
    static const char *const other[] = {second, tie,
                                        ", k: {type: heat_flow, value: -w/2, on: two.node(3)}"};
    char settings[2000], metres[8000], text[8000];
    (void)snprintf(metres, sizeof metres, swing, way == 2 ? other[0] : "", way == 2 ? other[1] : "",
                   way == 2 ? other[2] : "");
    turned_settings(&t, more, settings, sizeof settings);
    size_t n = 0;
    for (const char *c = metres; *c && n + 4 < sizeof text; c++) { // 6.1@: a tenth of a metre
        const char *unit = way == 1 ? "e2" : "e-1";
        n += (size_t)snprintf(text + n, sizeof text - n, "%.*s", *c == '@' ? 3 : 1,
                              *c == '@' ? unit : c);
    }
    verify_text(v, text, settings);
}

typedef struct forces {
    double N[TIMES], M[2 * TIMES]; // along the rod; both moments
} forces;

static forces forces_of(verify *v, const gos_system *sys) {
    forces f;
    gos_options o;
    gos_state *x;
    gos_integrator *run;
    gos_options_get(v->sys, &o);
    verify_good(v, gos_state_create(v->ctx, sys, &x));
    verify_good(v, gos_integrator_create(v->ctx, sys, &o, x, &run));
    for (int i = 0; i < TIMES; i++) {
        const double t = o.end * (i + 1) / TIMES;
        double y[GOS_PROBE_MAX];
        while (gos_state_time(x) < t) {
            verify_good(v, gos_integrator_step(run, o.end));
        }
        const gos_state *at = gos_integrator_at(run, t);
        verify_good(v, gos_system_probe(v->ctx, sys, at, verify_find(v, "N"), y, NULL));
        f.N[i] = y[0];
        verify_good(v, gos_system_probe(v->ctx, sys, at, verify_find(v, "M"), y, NULL));
        f.M[i] = y[0];
        f.M[TIMES + i] = y[1];
    }
    gos_integrator_destroy(run);
    gos_state_destroy(x);
    return f;
}

/* the largest difference relative to the range of the second */
static double off(int n, const double *a, const double *b) {
    double most = 0, lo = b[0], hi = b[0];
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        lo = fmin(lo, b[i]);
        hi = fmax(hi, b[i]);
    }
    return most / (hi - lo);
}

static bool warns(const verify *v) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        if (strstr(gos_ctx_diag(v->ctx, i)->text, "does not cover 'N'")) {
            return true;
        }
    }
    return false;
}

typedef struct space {
    const char *name;
    gos_reduction_def def;
} space;

static const space spaces[] = {
    {"auto", {.statics = 1, .tolerance = 1e-3}},
    {"auto, modes", {.statics = 1, .tolerance = 1e-3, .fields = GOS_FIELDS_MODES}},
    {"polynomials", {.number = 10, .thermal_fields = 3, .on_mesh = 1}},
    {"modes", {.number = 10, .thermal_fields = 3, .statics = 1, .fields = GOS_FIELDS_MODES}},
    {"modes without statics", {.number = 13, .thermal_fields = 3, .fields = GOS_FIELDS_MODES}}};

/* within a tenth of their ranges, and no worse than the same fields and points are without heat */
static void compare(int way, const space *k, const forces *hot, const forces *cold) {
    verify v, w;
    gos_system *made, *same;
    open(&v, way, NULL);
    open(&w, way, "w=0");
    reduce_as(v.sys, k->def);
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
    verify_good(&w, gos__rom_make(w.ctx, w.sys, &made->rom->def, made->rom, NULL, &same));
    const forces f = forces_of(&v, made), g = forces_of(&w, same);
    const double N = off(TIMES, f.N, hot->N), M = off(2 * TIMES, f.M, hot->M);
    const double N0 = off(TIMES, g.N, cold->N), M0 = off(2 * TIMES, g.M, cold->M);
    print_message(
        "  way %d, %s: %d of %d coordinates (%d of local expansion), force off by %.2g of "
        "its range (cold %.2g), moment by %.2g (%.2g)\n",
        way, k->name, made->nq, v.sys->nq, made->rom->chosen.expansions, N, N0, M, M0);
    assert_true(N < 0.1 && N < 1.2 * N0 + 0.01);
    assert_true(M < 0.1 && M < 1.2 * M0 + 0.01);
    assert_false(warns(&v));
    assert_true(made->nq < v.sys->nq / 2);
    gos_system_destroy(same);
    gos_system_destroy(made);
    verify_close(&w);
    verify_close(&v);
}

static void beside_heaters(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        verify v, w;
        open(&v, way, NULL);
        open(&w, way, "w=0");
        const forces hot = forces_of(&v, v.sys), cold = forces_of(&w, w.sys);
        for (int i = 0; i < GOS_COUNT(spaces); i++) {
            compare(way, &spaces[i], &hot, &cold);
        }
        verify_close(&w);
        verify_close(&v);
    }
}

/* what is not in the space is reported: sources at other places than a stored model was made with,
   Gauss points. What does not expand has nothing to be reported */
static void told(void **state) {
    (void)state;
    static const char *const more[] = {NULL, "at=10", "w=90", "alpha=0"};
    for (int i = 0; i < GOS_COUNT(more); i++) {
        verify v, w;
        gos_system *made, *moved, *gauss;
        open(&v, 0, NULL);
        open(&w, 0, more[i]);
        reduce_as(v.sys, spaces[2].def);
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
        verify_good(&w, gos__rom_make(w.ctx, w.sys, &made->rom->def, made->rom, NULL, &moved));
        assert_int_equal(moved->nq, made->nq);
        gos__rom_limits(w.ctx, moved);
        assert_int_equal(warns(&w), i == 1);
        gos_system_destroy(moved);
        verify_close(&w);
        open(&w, 0, more[i]);
        gos_reduction_def off_mesh = spaces[2].def;
        off_mesh.on_mesh = 0;
        reduce_as(w.sys, off_mesh);
        verify_good(&w, gos_reduce_auto(w.ctx, w.sys, &gauss));
        assert_int_equal(warns(&w), i < 3);
        gos_system_destroy(gauss);
        gos_system_destroy(made);
        verify_close(&w);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(beside_heaters), cmocka_unit_test(told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
