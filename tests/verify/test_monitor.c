/* Reduced models under other loads than those they were made with: the residual of the full model
   reports what the fields cannot represent. Where the error is more than three times what was
   predicted a warning says so, with a number of the right size; under the loads of training nothing
   is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/io.h"
#include "gossamer/reduce.h"
#include "rom/auto.h"
#include "support/suite.h"
#include "support/turned.h"
#include "support/verify.h"
#include "support/reduced.h"

/* a swinging rod in the sun; springs k, dashpots d, a bending group of forces f, a heater w and a
 * push p come later */
/* places along the rod are texts in its units: 4@ is 0.4 m */
static const char rod[] =
    "parameters: {" TURNED_PARAMETERS
    ", n: 16, L: 1.2, E: 1e8, till: 0.6, k: 1e-9, d: 0, f: 0, w: 0, "
    "p: 0, sun: 2e4, g: 9.81}\n"
    "materials: {m: {density: 2000*rho, young: E*Pa, poisson: 0.3, conductivity: Nm/mm,\n"
    "  specific_heat: 200*mm^2, expansion: 1e-4, damping: {normal: 4.5e-3, shear: 4.4e-4},\n"
    "  absorptivity: 1}}\n"
    "sections: {bar: {type: rectangle, height: 0.01*mm, width: 0.02*mm}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0],\n"
    "  to: " TURNED(
        "L*mm", "0",
        "0") ", elements: n}}\n"
             "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
             "gravity: " TURNED(
                 "0", "-g*mm",
                 "0") "\n"
                      "loads:\n"
                      "  s: {type: spring, between: [ground, rod.at(4@)], stiffness: k*Nm/mm^2, "
                      "damping: d*Nm/mm^2,\n"
                      "    at: " TURNED(
                          "0.4*mm", "mm",
                          "0") "}\n"
                               "  u: {type: spring, between: [ground, rod.at(8@)], stiffness: "
                               "k*Nm/mm^2, damping: d*Nm/mm^2,\n"
                               "    at: " TURNED(
                                   "0.8*mm", "mm",
                                   "0") "}\n"
                                        "  a: {type: force, on: rod.at(5@), frame: body, value: "
                                        "[0, f*Nm/mm, 0]}\n"
                                        "  b: {type: force, on: rod.at(6@), frame: body, value: "
                                        "[0, -2*f*Nm/mm, 0]}\n"
                                        "  c: {type: force, on: rod.at(7@), frame: body, value: "
                                        "[0, f*Nm/mm, 0]}\n"
                                        "  push: {type: force, on: rod.end, value: " TURNED(
                                            "0", "0",
                                            "p*Nm/mm") "}\n"
                                                       "heat:\n"
                                                       "  sun: {type: flux, value: sun*Nm/mm^2, "
                                                       "direction: " TURNED(
                                                           "0", "-1",
                                                           "0") ", on: rod}\n"
                                                                "  h: {type: heat_flow, value: "
                                                                "w*Nm, on: rod.at(6@)}\n"
                                                                "analysis: {type: dynamic, end: "
                                                                "till, "
                                                                "tolerance: 1e-4}\n"
                                                                "output: {every: till/60}\n";

static void write_places(char *text, size_t size, const char *unit) {
    size_t n = 0;
    for (const char *c = rod; *c && n + 4 < size; c++) {
        n += (size_t)snprintf(text + n, size - n, "%.*s", *c == '@' ? 3 : 1, *c == '@' ? unit : c);
    }
}

static void open(verify *v, int way, const char *more) {
    const turned t = way == 1 ? turned_by(0.4, 1.1, -0.7, true) : turned_by(0, 0, 0, false);
    char settings[2000], all[1000], text[8000];
    // one of twice the length is softer
    (void)snprintf(all, sizeof all, "%s%s", way == 2 ? "L=2.4 n=24 " : "", more);
    turned_settings(&t, all, settings, sizeof settings);
    write_places(text, sizeof text, way == 1 ? "e2" : "e-1");
    verify_text(v, text, settings);
    reduce_as(v->sys, (gos_reduction_def){.statics = 1, .tolerance = 1e-3});
}

static gos_distance truth_of(verify *v, gos_system *reduced) {
    gos_trial_runs full, less;
    gos_options o = v->opt;
    verify_good(v, gos__trial_runs_create(v->ctx, v->sys, &o, &full));
    verify_good(v, gos__trial_runs_create(v->ctx, v->sys, &o, &less));
    o.tolerance = 1e-5;
    verify_good(v, gos__trial_runs_run(v->ctx, v->sys, &o, &full, NULL, NULL));
    gos_options_get(reduced, &o);
    verify_good(v, gos__trial_runs_run(v->ctx, reduced, &o, &less, NULL, NULL));
    const gos_distance d = gos__trial_runs_distance(v->sys, &less, &full);
    gos__trial_runs_free(v->ctx, &full);
    gos__trial_runs_free(v->ctx, &less);
    return d;
}

/* what the warning with this text says that the error is; 0: there is none */
static double told(const verify *v, const char *text) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const char *said = gos_ctx_diag(v->ctx, i)->text;
        const char *number = strstr(said, text) ? strstr(said, "about ") : NULL;
        if (number) {
            return strtod(number + strlen("about "), NULL);
        }
    }
    return 0;
}

/* the model of `trained` under other loads: what is true, and what is reported */
static void check_other(const gos_system *trained, int way, const char *loads) {
    verify v;
    gos_system *moved;
    open(&v, way, loads);
    verify_good(&v, gos__rom_make(v.ctx, v.sys, &trained->rom->def, trained->rom, NULL, &moved));
    const gos_reduction *r = &moved->rom->chosen;
    const gos_distance d = truth_of(&v, moved);
    gos_options o;
    gos_options_get(moved, &o);
    verify_good(&v, gos_run(v.ctx, moved, &o, NULL, NULL));
    const double motion = told(&v, "of the extent in this run");
    const double heat = told(&v, "indicates a temperature error");
    print_message("  way %d %s: motion %.3g, said %.3g (made for %.3g); heat %.3g, said %.3g "
                  "(%.3g)\n",
                  way, loads, d.position, motion, r->predicted, d.temperature, heat,
                  r->predicted_temperature);
    assert_true(motion > 0 || d.position < 3 * r->predicted);
    assert_true(heat > 0 || d.temperature < 3 * r->predicted_temperature);
    assert_true(motion == 0 || (motion < 3 * d.position && motion > d.position / 3));
    assert_true(heat == 0 || (heat < 3 * d.temperature && heat > d.temperature / 3));
    gos_system_destroy(moved);
    verify_close(&v);
}

static void other_loads(void **state) {
    (void)state;
    static const char *const loads[] = {"k=500", "d=50", "w=50", "f=2"};
    for (int way = 0; way < 3; way++) {
        verify v;
        gos_system *made;
        open(&v, way, "");
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
        for (int i = 0; i < GOS_COUNT(loads); i++) {
            check_other(made, way, loads[i]);
        }
        gos_system_destroy(made);
        verify_close(&v);
    }
}

/* ten models under the loads they were made with */
static void training(void **state) {
    (void)state;
    static const char *const loads[] = {"n=8",       "n=12 E=3e8", "n=8 sun=0", "n=8 g=3",
                                        "n=8 L=0.8", "n=12 f=0.5", "n=8 p=0.2", "n=12 k=20",
                                        "n=8 d=1",   "n=8 w=2"};
    for (int i = 0; i < GOS_COUNT(loads); i++) {
        verify v;
        gos_system *made;
        char settings[200];
        (void)snprintf(settings, sizeof settings, "till=0.3 %s", loads[i]);
        open(&v, 0, settings);
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
        const gos_distance d = truth_of(&v, made);
        gos_options o;
        gos_options_get(made, &o);
        verify_good(&v, gos_run(v.ctx, made, &o, NULL, NULL));
        const double motion = told(&v, "of the extent in this run");
        const double heat = told(&v, "indicates a temperature error");
        print_message("  %s: motion %.3g, heat %.3g, residuals %.3g, %.3g\n", settings, d.position,
                      d.temperature, made->rom->chosen.residual,
                      made->rom->chosen.residual_temperature);
        assert_true(motion == 0 || d.position > 1e-3);
        assert_true(heat == 0 || d.temperature > 1e-3);
        const double estimate = made->rom->chosen.residual_temperature;
        assert_true(estimate <= 3 * d.temperature && estimate >= d.temperature / 3);
        gos_system_destroy(made);
        verify_close(&v);
    }
}

/* ---- buckling -------------------------------------------------------------------------------- */

/* A strut on ball joints, held at its middle, under three halves of its critical load, 4 pi^2 E I /
   L^2, and a symmetric side load. Fields of that run are symmetric. A small antisymmetric force a
   makes it buckle in two half waves: the full model grows away from the reduced one. */
static const char strut[] =
    "parameters: {" TURNED_PARAMETERS ", n: 12, L: 1, f: 0.02, a: 0, till: 0.5,\n"
    "  P: 6*pi^2*1e8*0.02*0.01^3/12/L^2}\n"
    "materials: {m: {density: 2000*rho, young: 1e8*Pa, poisson: 0.3,\n"
    "  damping: {normal: 1e-4, shear: 1e-4}}}\n"
    "sections: {bar: {type: rectangle, height: 0.01*mm, width: 0.02*mm}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0], elements: n,\n"
    "    to: " TURNED(
        "L*mm", "0",
        "0") "}\n"
             "  end: {type: rigid, mass: 0.01*rho*mm^3, inertia: [rho*mm^5, rho*mm^5, rho*mm^5],\n"
             "    position: " TURNED(
                 "L*mm", "0",
                 "0") "}\n"
                      "joints:\n"
                      "  foot: {type: spherical, between: [ground, rod.start]}\n"
                      "  head: {type: spherical, between: [rod.end, end]}\n"
                      "  guide: {type: prismatic, between: [ground, end], axis: " TURNED(
                          "1", "0",
                          "0") "}\n"
                               "loads:\n"
                               "  hold: {type: spring, between: [ground, rod.at(0.5*L*mm)], "
                               "stiffness: 1e4*Nm/mm^2,\n"
                               "    at: " TURNED(
                                   "0.5*L*mm", "L*mm",
                                   "0") ", free_length: L*mm}\n"
                                        "  side: {type: spring, between: [ground, "
                                        "rod.at(0.5*L*mm)], stiffness: 1e4*Nm/mm^2,\n"
                                        "    at: " TURNED(
                                            "0.5*L*mm", "0",
                                            "L*mm") ", free_length: L*mm}\n"
                                                    "  press: {type: force, on: end, "
                                                    "value: " TURNED(
                                                        "-P*Nm/mm*min(t/0.1, 1)", "0",
                                                        "0") "}\n"
                                                             "  b: {type: force, on: "
                                                             "rod.at(0.25*L*mm), value: " TURNED(
                                                                 "0", "(f+a)*Nm/mm",
                                                                 "0") "}\n"
                                                                      "  c: {type: force, on: "
                                                                      "rod.at(0.75*L*mm), "
                                                                      "value: " TURNED(
                                                                          "0", "(f-a)*Nm/mm",
                                                                          "0") "}\n"
                                                                               "analysis: {type: "
                                                                               "dynamic, end: "
                                                                               "till, tolerance: "
                                                                               "1e-4}\n"
                                                                               "output: {every: "
                                                                               "till/60}\n";

static void open_strut(verify *v, int way, const char *more) {
    const turned t = way == 1 ? turned_by(0.4, 1.1, -0.7, true) : turned_by(0, 0, 0, false);
    char settings[2000], all[200];
    (void)snprintf(all, sizeof all, "%s%s", way == 2 ? "L=1.4 n=16 till=1 " : "", more);
    turned_settings(&t, all, settings, sizeof settings);
    verify_text(v, strut, settings);
    reduce_as(v->sys, (gos_reduction_def){.statics = 0, .tolerance = 1e-3});
}

static bool warns(const verify *v, const char *text) {
    bool found = false;
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        found = found || strstr(gos_ctx_diag(v->ctx, i)->text, text);
    }
    return found;
}

static void check_strut(const gos_system *trained, int way, const char *loads, bool grows) {
    verify v;
    gos_system *moved;
    gos_options o;
    open_strut(&v, way, loads);
    verify_good(&v, gos__rom_make(v.ctx, v.sys, &trained->rom->def, trained->rom, NULL, &moved));
    const gos_distance d = truth_of(&v, moved);
    gos_options_get(moved, &o);
    verify_good(&v, gos_run(v.ctx, moved, &o, NULL, NULL));
    // a basis may contain part of the second buckling mode
    const bool warned = warns(&v, "outside of the reduced basis is unstable") ||
                        warns(&v, "the residual of the full model indicates an error of");
    print_message("  way %d %s: motion %.3g (made for %.3g)%s\n", way, loads, d.position,
                  moved->rom->chosen.predicted, warned ? ", warned of" : "");
    // the distance contains the error of time integration too
    assert_true((d.position > 3 * fmax(moved->rom->chosen.predicted, o.tolerance)) == grows);
    assert_true(warned == grows);
    gos_system_destroy(moved);
    verify_close(&v);
}

#define CRAFT(more)                                                                                \
    "materials: {m: {density: 100, young: 1e9, poisson: 0.3,\n"                                    \
    "  damping: {normal: 0.02, shear: 0.02}, expansion: 2e-5, conductivity: 1,\n"                  \
    "  specific_heat: 900, absorptivity: 0.8, emissivity: 0.8}}\nreference_temperature: 250\n"     \
    "heat:\n"                                                                                      \
    "  sun: {type: sun, direction: [-1, 0, 0], eclipse: [[-100, 10]], penumbra: 2, on: panel}\n"   \
    "  space: {type: radiation, sink: 3, on: panel}\n"                                             \
    "bodies:\n"                                                                                    \
    "  hub: {type: rigid, mass: 300, inertia: [50, 50, 50]}\n"                                     \
    "  panel: {type: ancf_plate, material: m, thickness: 0.02, elements: [4, 2],\n"                \
    "    quadrature: reduced, corner: [0, 0.5, -0.5], x: [0, 4, 0], y: [0, 0, 1]}\n"               \
    "joints: {root: {type: clamp, between: [hub, panel.edge.x0]}}\n"                               \
    "loads:\n"                                                                                     \
    "  wheel: {type: moment, on: hub, moment: [0, 0, \"2*sin(2*pi*min(t/20, 1))\"]}\n" more        \
    "probes: {a: {at: hub, quantity: rotation_vector}, w: {at: hub, quantity: "                    \
    "angular_velocity}}\n"                                                                         \
    "analysis: {type: dynamic, end: 40, step: 0.05}\n"                                             \
    "output: {every: 0.5}\n"

/* A craft is reduced without its attitude control, which is stable and no growth of errors. */
static void controlled(void **state) {
    (void)state;
    static const char with[] =
        CRAFT("  side: {type: force, on: \"panel.at(4, 1)\", value: [0.1*sin(t), 0, 0]}\n"
              "controllers:\n"
              "  pd: {type: pid, signal: a.z, rate: w.z, inputs: wheel.z, kp: 20, kd: 60}\n");
    verify v, craft;
    gos_system *made, *moved;
    verify_text(&craft, CRAFT(""), NULL);
    reduce_as(craft.sys, (gos_reduction_def){.tolerance = 1e-3});
    verify_good(&craft, gos_reduce_auto(craft.ctx, craft.sys, &made));
    verify_text(&v, with, NULL);
    verify_good(&v, gos__rom_make(v.ctx, v.sys, &made->rom->def, made->rom, NULL, &moved));
    const gos_distance d = truth_of(&v, moved);
    gos_options o;
    gos_options_get(moved, &o);
    verify_good(&v, gos_run(v.ctx, moved, &o, NULL, NULL));
    print_message("  controlled: motion %.3g (made for %.3g)\n", d.position,
                  made->rom->chosen.predicted);
    assert_true(d.position < 1e-3);
    assert_false(warns(&v, "outside of the reduced basis is unstable"));
    gos_system_destroy(moved);
    gos_system_destroy(made);
    verify_close(&v);
    verify_close(&craft);
}

#define PANEL(name, side)                                                                          \
    "  " name ": {type: ancf_plate, material: m, thickness: 0.02, elements: [4, 1],\n"             \
    "    quadrature: reduced, corner: [" side "0.5, " side "-0.5, 0], x: [" side "3, 0, 0],\n"     \
    "    y: [0, " side "1, 0]}\n"

/* A free craft in the sun, turned and stopped. Its turning is in the basis; the forces of its
   acceleration in the tangent are no buckling. */
static void free_panels(void **state) {
    (void)state;
    static const char text[] =
        "materials: {m: {density: 1600, young: 7e10, poisson: 0.3,\n"
        "  damping: {normal: 1e-4, shear: 1e-4}, expansion: 2e-5, conductivity: 1,\n"
        "  specific_heat: 900, absorptivity: 0.8, emissivity: 0.8}}\n"
        "reference_temperature: 280\n"
        "heat:\n"
        "  sun: {type: flux, value: 1361, direction: [0, 0, -1], on: [p, q]}\n"
        "  space: {type: radiation, sink: 3, on: [p, q]}\n"
        "bodies:\n"
        "  hub: {type: rigid, mass: 100, inertia: [20, 20, 20]}\n" PANEL("p", "")
            PANEL("q", "-1*") "joints:\n"
                              "  a: {type: clamp, between: [hub, p.edge.x0]}\n"
                              "  b: {type: clamp, between: [hub, q.edge.x0]}\n"
                              "loads: {t: {type: moment, on: hub,\n"
                              "  moment: [0, \"2*sin(2*pi*t/20)*(t<20)\", 0]}}\n"
                              "analysis: {end: 60, step: 0.2}\n"
                              "reduction: {method: rotation_closed, fields: modes, number: 6,\n"
                              "  thermal_fields: 2, tolerance: 1e-4}\n";
    verify v;
    gos_system *made;
    gos_options o;
    verify_text(&v, text, NULL);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &made));
    const gos_distance d = truth_of(&v, made);
    gos_options_get(made, &o);
    verify_good(&v, gos_run(v.ctx, made, &o, NULL, NULL));
    print_message("  free panels: motion %.3g\n", d.position);
    assert_true(d.position < 1e-4);
    assert_false(warns(&v, "outside of the reduced basis is unstable"));
    gos_system_destroy(made);
    verify_close(&v);
}

/* A free craft unfolds a panel on a hinge without stiffness of its own. The turning of hinges is in
   the basis; the forces of accelerated panels in the tangent are no buckling. */
static const char unfolding_craft[] =
    "parameters: {x: 0}\n"
    "materials: {s: {density: 150, young: 2e9, poisson: 0.3, damping: {normal: 3e-3, shear: "
    "3e-3}}}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 200, inertia: [40, 40, 45], position: [x, 0, 0]}\n"
    "  yoke: {type: rigid, mass: 2, inertia: [0.5, 0.1, 0.5], position: [x+1, 0, 0]}\n"
    "  p: {type: ancf_plate, material: s, thickness: 0.02, corner: [x+1, -0.5, 0],\n"
    "    x: [1.5, 0, 0], y: [0, 1, 0], elements: [4, 2], quadrature: reduced}\n"
    "  q: {type: ancf_plate, material: s, thickness: 0.02, corner: [x+2.5, -0.5, 0],\n"
    "    x: [1.5, 0, 0], y: [0, 1, 0], elements: [4, 2], quadrature: reduced}\n"
    "joints:\n"
    "  a: {type: clamp, between: [hub, yoke.node]}\n"
    "  b: {type: clamp, between: [yoke, p.edge.x0]}\n"
    "  c: {type: spherical, between: [p.edge.x1, q.edge.x0]}\n"
    "loads:\n"
    "  s: {type: torsion_spring, between: [p.edge.x1, q.edge.x0], axis: [0, 1, 0],\n"
    "    stiffness: 1.5, damping: 0.3, rest_angle: 1.2}\n"
    "  t: {type: moment, on: hub, moment: [0, \"t < 1 ? 10 : t < 2 ? -10 : 0\", 0]}\n"
    "analysis: {end: 3}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 6, tolerance: 1e-4}\n";

static void unfolding(void **state) {
    (void)state;
    static const char *const places[] = {NULL, "x=100"};
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_system *made;
        gos_options o;
        verify_text(&v, unfolding_craft, places[i]);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &made));
        const gos_distance d = truth_of(&v, made);
        gos_options_get(made, &o);
        verify_good(&v, gos_run(v.ctx, made, &o, NULL, NULL));
        print_message("  unfolding: motion %.3g\n", d.position);
        assert_true(d.position < 1e-3);
        assert_false(warns(&v, "outside of the reduced basis is unstable"));
        gos_system_destroy(made);
        verify_close(&v);
    }
}

/* The samples of a training run are output times, so that its range is that of a run. */
static void samples(void **state) {
    (void)state;
    static const struct {
        double every;
        int samples;
    } cases[] = {{0.01, 101}, {1.0 / 200, 201}, {1.0 / 1000, 201}, {1.0 / 300, 151}, {0.05, 61}};
    verify v;
    verify_text(&v, unfolding_craft, NULL);
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        gos_options o = v.opt;
        gos_trial_runs k;
        o.output_every = cases[i].every * o.end;
        verify_good(&v, gos__trial_runs_create(v.ctx, v.sys, &o, &k));
        assert_int_equal(k.samples, cases[i].samples);
        gos__trial_runs_free(v.ctx, &k);
    }
    verify_close(&v);
}

static void buckling(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        verify v;
        gos_system *made;
        open_strut(&v, way, "");
        verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &made));
        check_strut(made, way, "a=0", false);
        check_strut(made, way, "a=2e-3", true);
        // below the critical load of two half waves
        check_strut(made, way, "a=2e-3 P=3/L^2", false);
        gos_system_destroy(made);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(other_loads), cmocka_unit_test(training),
                                       cmocka_unit_test(buckling),    cmocka_unit_test(controlled),
                                       cmocka_unit_test(free_panels), cmocka_unit_test(unfolding),
                                       cmocka_unit_test(samples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
