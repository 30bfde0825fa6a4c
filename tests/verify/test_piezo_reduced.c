/* Bodies with electrodes in reduced runs: every method that makes a basis of amplitudes, against
   the whole body; shunts, whose voltages and currents are states, beside bodies that
   rotation_closed reduces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "gossamer/io.h"
#include "gossamer/reduce.h"
#include "support/folder.h"
#include "support/history.h"
#include "support/suite.h"
#include "support/verify.h"

/* driven in bending at its root, open in the middle, shunted further out */
#define STRIP                                                                                      \
    "materials: {alloy: {density: 2700, young: 70e9, poisson: 0.3}}\n"                             \
    "sections: {s: {type: rectangle, height: 2e-3, width: 5e-3}}\n"                                \
    "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [8, 1], sets: {\n"                \
    "  root: {of: cells, box: {from: [-1, -1, -1], to: [0.05, 1, 1]}},\n"                          \
    "  mid: {of: cells, box: {from: [0.05, -1, -1], to: [0.1, 1, 1]}},\n"                          \
    "  far: {of: cells, box: {from: [0.1, -1, -1], to: [0.15, 1, 1]}}}}}\n"                        \
    "piezo:\n"                                                                                     \
    "  drive: {type: patch, on: beam.root, thickness: 2e-4, e31: -6.5, permittivity: 1.3e-8,\n"    \
    "    channels: bimorph, voltage: \"50*(1-cos(2*pi*30*t))\"}\n"                                 \
    "  open: {type: patch, on: beam.mid, faces: upper, thickness: 2e-4, e31: -6.5,\n"              \
    "    permittivity: 1.3e-8, drive: charge, channels: joined}\n"                                 \
    "  shunt: {type: patch, on: beam.far, faces: lower, thickness: 2e-4, e31: -6.5,\n"             \
    "    permittivity: 1.3e-8, drive: shunt, resistance: 2e4, inductance: 10, channels: joined}\n" \
    "probes:\n"                                                                                    \
    "  tip: {at: beam.tip, quantity: displacement}\n"                                              \
    "  v: {at: open, quantity: voltage}\n"                                                         \
    "  q: {at: drive(1), quantity: charge}\n"                                                      \
    "  vs: {at: shunt, quantity: voltage}\n"                                                       \
    "  i: {at: shunt, quantity: motional_current}\n"                                               \
    "analysis: {type: dynamic, end: 0.03, step: 1e-4}\n"
#define BEAM                                                                                       \
    "  beam: {type: floating, mesh: strip, material: alloy, element: shell, thickness: 1e-3,\n"    \
    "    reference: clamped, at: left, interfaces: {tip: {of: right}}, rayleigh: [0, 1e-5],\n"     \
    "    reduce: {%s}}\n"
#define HELD STRIP "bodies:\n" BEAM "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
#define WITH_ROD                                                                                   \
    STRIP "bodies:\n" BEAM                                                                         \
          "  rod: {type: ancf_cable, material: alloy, section: s, from: [0.2, 0.01, 0],\n"         \
          "    to: [0.4, 0.01, 0], elements: 3}\n"                                                 \
          "joints:\n"                                                                              \
          "  hold: {type: clamp, between: [ground, beam.frame]}\n"                                 \
          "  ball: {type: spherical, between: [beam.tip, rod.start]}\n"                            \
          "gravity: [0, 0, -9.81]\n"

static const char *const probes[] = {"tip.z", "v.value", "q.value", "vs.value", "i.value"};
enum { PROBES = GOS_COUNT(probes), POINTS = 15 };

typedef struct course {
    double y[POINTS][PROBES];
} course;

static course follow(verify *v) {
    course c;
    history_record(v, 0.002, POINTS, PROBES, probes, c.y[0]);
    return c;
}

static course course_of(const char *model, const char *method, const char *settings) {
    char text[6000];
    verify v;
    snprintf(text, sizeof text, model, method);
    verify_text(&v, text, settings);
    const course c = follow(&v);
    verify_close(&v);
    return c;
}

/* Voltages of the open and the shunted electrode, the charge of the driven one: every method
   against the whole body. Deflections by electrodes and at the joint are in each basis, and what is
   left is the dynamics of the method; methods of first order, and what cannot be without a band,
   are refused by name. */
static void test_methods(void **state) {
    static const struct {
        const char *method;
        double
            bound; // of tip, others 100 times (voltages of an electrode are differences of slopes)
    } cases[] = {
        {"method: modes, order: 8", 1e-7},
        {"method: modes_static, order: 26", 1e-7},
        {"method: krylov, order: 24", 1e-6},
        {"method: response_modes, order: 8", 1e-7},
        {"method: auto, tolerance: 1e-3", 1e-6},
        {"method: irka_second, order: 24", 1e-7},
        {"method: balanced_second, order: 24", 1e-6},
        {"method: craig_bampton, order: 20, interface: ['q(3)']", 1e-6},
        {"method: free_interface, order: 30", 1e-7},
        {"method: complex_modes, order: 8", 1e-6},
        {"method: frequency_vectors, order: 44, band: [1, 500]", 1e-7},
        {"method: pod, order: 24, band: [1, 500]", 1e-7},
    };
    GOS_UNUSED(state);
    const course whole = course_of(HELD, "method: modes, order: 3", "floating_bodies=whole");
    for (int k = 0; k < GOS_COUNT(cases); k++) {
        const course c = course_of(HELD, cases[k].method, "floating_bodies=reduced");
        for (int p = 0; p < PROBES; p++) {
            char what[200];
            snprintf(what, sizeof what, "%s: %s", cases[k].method, probes[p]);
            verify_below(what, history_error(POINTS, PROBES, p, c.y[0], whole.y[0]),
                         (p > 0 ? 1000 : 1) * cases[k].bound);
        }
    }
}

static void test_refused(void **state) {
    static const struct {
        const char *method, *what;
    } cases[] = {
        {"method: balanced, order: 8", "a floating body needs a basis of displacements"},
        {"method: irka, order: 8", "a floating body needs a basis of displacements"},
        {"method: pod, order: 8", "require a frequency band"},
        {"method: modes_static, order: 8", "is too low for one static vector"},
        {"method: craig_bampton, order: 5", "less than the number of coordinates of its rigid"},
    };
    GOS_UNUSED(state);
    for (int k = 0; k < GOS_COUNT(cases); k++) {
        char text[6000];
        verify v = {.ctx = gos_ctx_create()};
        snprintf(text, sizeof text, HELD, cases[k].method);
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
        verify_set(&v, "floating_bodies=reduced");
        assert_true(gos_system_create(v.ctx, v.model, &v.sys) < 0);
        assert_non_null(strstr(gos_ctx_message(v.ctx), cases[k].what));
        verify_close(&v);
    }
}

/* v.sys := its reduced system, with a state; the full one is returned */
static gos_system *take(verify *v, gos_system *reduced) {
    gos_system *full = v->sys;
    gos_state_destroy(v->state);
    v->sys = reduced;
    verify_good(v, gos_state_create(v->ctx, v->sys, &v->state));
    gos_options_get(v->sys, &v->opt);
    return full;
}

static void close_reduced(verify *v, gos_system *full) {
    gos_integrator_destroy(v->run);
    gos_state_destroy(v->state);
    gos_system_destroy(v->sys);
    v->run = NULL;
    v->state = NULL;
    v->sys = full;
    verify_close(v);
}

/* Beside a cable that rotation_closed reduces with all its fields the strip and its circuits stay
   as they are: the same course as without, from a stored reduction, too. Shunts had crashed it, and
   small dense systems solved for their voltages as if motion did nothing to them ("no solution of
   the step" with a resistor alone). */
static void test_shunts(void **state) {
    static const char *const settings[] = {
        "floating_bodies=reduced reduction.method=rotation_closed reduction.fields=modes "
        "reduction.number=60 analysis.tolerance=1e-7",
        "floating_bodies=reduced reduction.method=rotation_closed reduction.fields=modes "
        "reduction.number=60 analysis.tolerance=1e-7 piezo.shunt.inductance=0"};
    static const char basis[] = "method: modes, order: 6";
    GOS_UNUSED(state);
    char text[6000];
    const char *path = folder_path("shunt.h5");
    snprintf(text, sizeof text, WITH_ROD, basis);
    for (int i = 0; i < 2 * GOS_COUNT(settings); i++) {
        const bool stored = i % 2;
        verify v;
        gos_system *reduced = NULL;
        const course full = course_of(WITH_ROD, basis, settings[i / 2]);
        verify_text(&v, text, settings[i / 2]);
        verify_good(&v, stored ? gos_rom_load(v.ctx, v.sys, path, &reduced)
                               : gos_reduce(v.ctx, v.sys, &reduced));
        gos_system *of = take(&v, reduced);
        if (!stored) {
            verify_good(&v, gos_rom_save(v.ctx, v.sys, path));
        }
        const course c = follow(&v);
        for (int p = 0; p < PROBES; p++) {
            verify_below(probes[p], history_error(POINTS, PROBES, p, c.y[0], full.y[0]),
                         p > 0 ? 1e-4 : 1e-6);
        }
        close_reduced(&v, of);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_shunts),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
