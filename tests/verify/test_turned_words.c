/* Warnings and notes hang neither on the directions of the axes nor on the units: models that make
   some, or are close to it, have the same ones when they are turned and in mm, t and s, but for
   their numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>

#include "support/suite.h"
#include "support/turn_model.h"

enum { WORDS = 4000 };

typedef struct model {
    const char *name, *text;
    bool turns;         // not only in other units
    const char *some;   // what is reported, NULL: nothing of it is checked
    const char *silent; // what is not
} model;

#define HEATED                                                                                     \
    "reference_temperature: 300.0\n"                                                               \
    "materials: {s: {density: 8000, young: 7.0e10, poisson: 0.3, conductivity: 30,\n"              \
    "    specific_heat: 500, expansion: 1.0e-5, emissivity: 0.8}}\n"                               \
    "heat:\n"                                                                                      \
    "  q: {type: flux, on: b.left, value: 20000*(1-exp(-t/50))}\n"                                 \
    "  r: {type: radiation, on: b.right, sink: 250}\n"                                             \
    "  f: {type: convection, on: [b.front, b.back, b.bottom, b.top], coefficient: 15,\n"           \
    "      ambient: -10}\n"                                                                        \
    "probes: {T: {at: b.corner_1, quantity: temperature}}\n"

static const model models[] = {
    {"a free bar that warms",
     HEATED "meshes: {f: {type: box, size: [0.2, 0.02, 0.02], cells: [10, 1, 1]}}\n"
            "bodies: {b: {type: floating, mesh: f, material: s, element: solid_incompatible,\n"
            "    reference: mean_axis, angular_velocity: [0.01, 0.02, 0.03], rayleigh: [0, 1.0],\n"
            "    reduce: {method: krylov, order: 5}}}\n"
            "analysis: {end: 20, step: 0.02}\n",
     false, NULL, "stiffness"},
    {"a smaller one, at rest",
     HEATED "meshes: {f: {type: box, size: [0.02, 0.004, 0.002], cells: [6, 1, 1]}}\n"
            "bodies: {b: {type: floating, mesh: f, material: s, element: solid_incompatible,\n"
            "    reference: mean_axis, rayleigh: [0, 1.0], reduce: {method: krylov, order: 5}}}\n"
            "analysis: {end: 20, step: 0.2}\n",
     false, NULL, "stiffness"},
    {"a warm cable at rest",
     "materials: {m: {density: 2700, young: 7.0e10, conductivity: 200, specific_heat: 900,\n"
     "    expansion: 2.0e-5}}\n"
     "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
     "bodies: {b: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [2, 0, 0],\n"
     "    elements: 4}}\n"
     "joints: {c: {type: clamp, between: [ground, b.start]}}\n"
     "heat: {f: {type: temperature, on: b, value: 50}}\n"
     "analysis: {end: 10, start: equilibrium}\n",
     true, NULL, "energy"},
    {"the same with fixed steps",
     "materials: {m: {density: 2700, young: 7.0e10, conductivity: 200, specific_heat: 900,\n"
     "    expansion: 2.0e-5}}\n"
     "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
     "bodies:\n"
     "  b: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
     "    elements: 2}\n"
     "joints: {c: {type: clamp, between: [ground, b.start]}}\n"
     "heat: {f: {type: temperature, on: b, value: 50}}\n"
     "analysis: {end: 10, step: 0.01, start: equilibrium}\n",
     true, NULL, "energy"},
    {"a pendulum in steps that are too long",
     "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0],\n"
     "    points: {pin: [-0.5, 0, 0]}}}\n"
     "joints: {h: {type: spherical, between: [ground, b.pin]}}\n"
     "gravity: [0, 0, -9.81]\n"
     "analysis: {end: 10, step: 0.2}\n",
     true, "the energy balance has an error", NULL},
    {"a column under a large force",
     "materials: {m: {density: 2700, young: 7.0e10}}\n"
     "sections: {s: {type: rectangle, height: 0.002, width: 0.02}}\n"
     "bodies: {b: {type: floating_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
     "    elements: 8, reference: clamped, coupling: zeroth}}\n"
     "joints: {c: {type: clamp, between: [ground, b.start]}}\n"
     "loads: {f: {type: force, on: b.end, value: [-5, 0, 0.001]}}\n"
     "analysis: {end: 0.2, tolerance: 1.0e-3}\n",
     true, "section forces of its beams change the stiffness", NULL},
    {"a door on two points",
     "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], position: [0.5, 0, 0],\n"
     "    points: {low: [-0.5, 0, -0.4], high: [-0.5, 0, 0.4]}}}\n"
     "joints:\n"
     "  l: {type: spherical, between: [ground, b.low]}\n"
     "  h: {type: spherical, between: [ground, b.high]}\n"
     "gravity: [0, -3, -9.81]\nredundant: drop\n"
     "probes: {F: {joint: l, quantity: joint_force}}\n"
     "analysis: {end: 1}\n",
     true, "undetermined", NULL},
};

/* all that a run has said, without its numbers */
static void run_words(const model *m, bool turn, char words[WORDS]) {
    verify v = {.ctx = gos_ctx_create()};
    const double none[3] = {0, 0, 0}, some[3] = {0.7, -1.1, 0.4};
    size_t n = 0;
    assert_non_null(v.ctx);
    verify_good(&v, gos_model_parse(v.ctx, m->text, strlen(m->text), "test", NULL, &v.model));
    if (turn) {
        turn_model(&v, m->turns ? some : none, 1000, 1e-3);
    }
    verify_compile(&v);
    verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, NULL, NULL, NULL));
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v.ctx, i);
        const char *const part[] = {d->object ? d->object : "", ": ", d->text, "\n"};
        for (int k = 0; k < GOS_COUNT(part); k++) {
            for (const char *c = part[k]; *c && n + 1 < WORDS; c++) {
                if (isdigit((unsigned char)*c)) { // a number, to its end
                    c += strspn(c, "0123456789.+-e") - 1;
                } else if (*c != '-') {
                    words[n++] = *c;
                }
            }
        }
    }
    words[n] = '\0';
    verify_close(&v);
}

static void same_words(void **unused) {
    GOS_UNUSED(unused);
    static char as_it_is[WORDS], turned[WORDS];
    for (int i = 0; i < GOS_COUNT(models); i++) {
        const model *m = &models[i];
        run_words(m, false, as_it_is);
        run_words(m, true, turned);
        print_message("    %s: %s\n", m->name, as_it_is);
        assert_string_equal(turned, as_it_is);
        if (m->silent) {
            assert_null(strstr(as_it_is, m->silent));
        }
        if (m->some) {
            assert_non_null(strstr(as_it_is, m->some));
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
