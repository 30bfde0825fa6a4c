/* Values of probes between the steps of a run are as good as those at the steps: every quantity,
   with every integrator, against a run with steps a tenth as long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/io.h"
#include "probes/probe.h"

#include "support/examples.h"
#include "support/suite.h"

#define INSIDE 3 // times inside each step

static const char *const models[] = {
    // rigid bodies, their joints and loads, an orbit
    "orbit: {altitude: 500e3, inclination: 0.9, beta: 0.3}\n"
    "bodies:\n"
    "  hub: {type: rigid, mass: 4, inertia: [1, 1.5, 2], angular_velocity: [0, 0, 1.5]}\n"
    "  box: {type: rigid, mass: 5, inertia: [1, 2, 3], position: [0.3, 0.2, 0.4],\n"
    "        angular_velocity: [0, 0, 1.5], velocity: [-0.3, 0.45, 0]}\n"
    "  lid: {type: rigid, mass: 1, inertia: [1, 2, 3], position: [1, 0, 0]}\n"
    "joints:\n"
    "  h: {type: revolute, between: [ground, hub.node], axis: [0, 0, 1]}\n"
    "  d: {type: universal, between: [hub, box], at: [0.3, 0, 0.4], axis: [1, 0, 0],\n"
    "      second_axis: [0, 1, 0]}\n"
    "  c: {type: revolute, between: [ground, lid.node], axis: [0, 1, 0]}\n"
    "loads:\n"
    "  p: {type: moment, on: box, moment: [\"9*sin(3*t)\", \"7*cos(2*t)\", 2]}\n"
    "  w: {type: wheel, on: lid, axis: [0.6, 0, 0.8], inertia: 0.3, moment: \"2*cos(3*t)\"}\n"
    "  s: {type: torsion_spring, between: [ground, lid.node], axis: [0, 1, 0], stiffness: 20,\n"
    "      damping: 1, rest_angle: 0.3}\n"
    "probes:\n"
    "  x: {at: box}\n"
    "  u: {at: box, quantity: displacement}\n"
    "  v: {at: box, quantity: velocity, frame: hub}\n"
    "  a: {at: box, quantity: acceleration}\n"
    "  a2: {at: box, quantity: acceleration, frame: hub}\n"
    "  turn: {at: box, quantity: rotation_vector}\n"
    "  spin: {at: lid, quantity: angular_velocity}\n"
    "  angle: {at: lid, quantity: angle, axis: [0, 1, 0]}\n"
    "  F: {joint: d, quantity: joint_force}\n"
    "  F2: {joint: d, quantity: joint_force, frame: hub}\n"
    "  M: {joint: h, quantity: joint_moment}\n"
    "  M2: {joint: c, quantity: joint_moment}\n"
    "  c: {joint: c, quantity: joint_coordinates}\n"
    "  cd: {joint: c, quantity: joint_rates}\n"
    "  hinge: {load: s, quantity: hinge}\n"
    "  wheel: {load: w, quantity: wheel}\n"
    "  E: {quantity: energy}\n"
    "  p: {quantity: momentum}\n"
    "  L: {quantity: angular_momentum}\n"
    "  factor: {quantity: load_factor}\n"
    "  violation: {quantity: constraint_violation}\n"
    "  orbit: {at: box, quantity: orbit_coordinates}\n"
    "  place: {quantity: orbit_position}\n"
    "  speed: {quantity: orbit_velocity}\n"
    "  sun: {quantity: sun_direction}\n"
    "  light: {quantity: sunlight}\n"
    "analysis: {end: 3, tolerance: 1.0e-4}\n",
    // sections, temperatures and what holds them
    "materials: {m: {density: 1000, young: 1.0e5, poisson: 0.3, conductivity: 50,\n"
    "    specific_heat: 100, expansion: 1.0e-4, damping: {normal: 0.05, shear: 0.05}}}\n"
    "sections: {bar: {type: rectangle, height: 0.1, width: 0.2, shear_factors: [0.8, 0.8]}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 2, normal: [0, 0, 1]}\n"
    "  boom: {type: ancf_beam, material: m, section: bar, from: [0, 2, 0], to: [1, 2, 0],\n"
    "         elements: 1}\n"
    "  panel: {type: ancf_plate, material: m, thickness: 0.1, corner: [0, 3, 0],\n"
    "          x: [1, 0, 0], y: [0, 1, 0], elements: [1, 1]}\n"
    "joints:\n"
    "  r: {type: clamp, between: [ground, rod.start]}\n"
    "  b: {type: clamp, between: [ground, boom.start]}\n"
    "  p: {type: clamp, between: [ground, panel.edge.x0]}\n"
    "loads:\n"
    "  f: {type: force, on: [rod.end, boom.end, panel.corner(1)], value: [0, 0, "
    "\"2*sin(3*t)^2\"]}\n"
    "heat:\n"
    "  T: {type: temperature, on: rod.start, value: \"20*sin(2*t)^2\"}\n"
    "  q: {type: flux, on: [boom, panel.top], value: \"100*sin(3*t)^2\"}\n"
    "probes:\n"
    "  T: {at: rod.end, quantity: temperature}\n"
    "  Tp: {at: \"panel.at(0.3,0.2)\", quantity: temperature}\n"
    "  e: {at: rod.at(0.3), quantity: strain}\n"
    "  k: {at: boom.at(0.3), quantity: curvature}\n"
    "  N: {at: boom.at(0.3), quantity: section_force}\n"
    "  M: {at: \"panel.at(0.3,0.2)\", quantity: section_moment}\n"
    "  Q: {quantity: reaction_heat, heat: T}\n"
    "  F: {joint: b, quantity: joint_moment}\n"
    "  w: {at: rod.end, quantity: acceleration}\n"
    "  E: {quantity: energy}\n"
    "analysis: {end: 2, tolerance: 1.0e-4}\n",
    // what bodies of meshes and matrices tell
    "materials: {m: {density: 1000, young: 1.0e6, poisson: 0.3,\n"
    "    damping: {normal: 0.02, shear: 0.02}}}\n"
    "meshes:\n"
    "  brick: {type: box, size: [0.3, 0.2, 0.1], cells: [2, 1, 1], order: quadratic}\n"
    "  shell: {type: rectangle, size: [0.2, 0.1], cells: [2, 1]}\n"
    "bodies:\n"
    "  block: {type: solid, material: m, mesh: brick}\n"
    "  sheet: {type: floating, mesh: shell, material: m, element: shell, thickness: 1.0e-2,\n"
    "    reference: clamped, at: left, rayleigh: [0, 0.02]}\n"
    "  arm: {type: matrices, M: arm_M.mtx, K: arm_K.mtx, B: arm_B.mtx, C: arm_C.mtx,\n"
    "    inputs: roll, outputs: seen}\n"
    "joints:\n"
    "  b: {type: clamp, between: [ground, block.left]}\n"
    "  s: {type: clamp, between: [ground, sheet.frame]}\n"
    "loads:\n"
    "  f: {type: force, on: block.corner_7, value: [0, 0, \"5*sin(3*t)^2\"]}\n"
    "  i: {type: input, on: arm.roll, value: \"sin(3*t)^2\"}\n"
    "piezo: {p: {type: patch, on: sheet, thickness: 4.0e-4, e31: -1.0e-3, permittivity: 1.3e-8,\n"
    "    voltage: \"20*sin(2*t)^2\"}}\n"
    "probes:\n"
    "  S: {at: \"block.at(0.1,0.1,0.05)\", quantity: stress}\n"
    "  e: {at: \"block.at(0.1,0.1,0.05)\", quantity: strain}\n"
    "  mises: {at: \"block.at(0.1,0.1,0.05)\", quantity: von_mises}\n"
    "  main: {at: \"block.at(0.1,0.1,0.05)\", quantity: principal_stress}\n"
    "  worst: {at: block.left, quantity: max_von_mises}\n"
    "  y: {at: arm.seen, quantity: output}\n"
    "  Q: {at: \"p(1)\", quantity: charge}\n"
    "  Qm: {at: \"p(1)\", quantity: motional_charge}\n"
    "  I: {at: \"p(1)\", quantity: motional_current}\n"
    "  V: {at: \"p(1)\", quantity: voltage}\n"
    "  u: {at: sheet.corner_2}\n"
    "  F: {joint: b, quantity: joint_force}\n"
    "analysis: {end: 1, tolerance: 1.0e-4}\n",
};

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct stored {
    verify v;
    gos_results *run;
    gos_results_info info;
} stored;

static void run_model(stored *s, const char *text, const char *name, const char *settings,
                      double step, double most) {
    char path[200], more[200];
    (void)snprintf(more, sizeof more, "%s analysis.step=%.17g analysis.max_step=%.17g",
                   settings ? settings : "", step, most);
    matrix_model(&s->v, text, more);
    (void)snprintf(path, sizeof path, "%s/%s.h5", matrix_folder, name);
    verify_good(&s->v, gos_run(s->v.ctx, s->v.sys, &s->v.opt, path, NULL));
    verify_good(&s->v, gos_results_open(s->v.ctx, path, &s->run));
    gos_results_info_get(s->run, &s->info);
}

static void close_run(stored *s) {
    gos_results_close(s->run);
    verify_close(&s->v);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static double worst; // error between steps, of what is allowed

static double largest(const gos_probe_info *info, const double *y) {
    double most = 0;
    for (int c = 0; c < info->ncomp; c++) {
        most = fmax(most, fabs(y[c]));
    }
    return most;
}

/* Von Mises and principal stresses have a kink where the stress passes zero: they are compared from
   a tenth of their largest value on, which is returned; 0 for other probes. */
static double smooth_from(const stored *run, int i, const gos_probe_info *info) {
    const bool norm =
        strcmp(info->quantity, "von_mises") == 0 || strcmp(info->quantity, "principal_stress") == 0;
    const double *t = gos_results_time(run->run);
    double most = 0, y[GOS_PROBE_MAX];
    for (long k = 0; k < run->info.nrows && norm; k++) {
        verify_good(&run->v, gos_results_probe_at(run->run, i, t[k], y));
        most = fmax(most, largest(info, y));
    }
    return 0.1 * most;
}

/* Between steps a component of probe i is off by three times what it is at steps, or by the
 * tolerance of the run, at most. */
static void check_probe(const stored *coarse, const stored *fine, int i, const char *how) {
    const double *t = gos_results_time(coarse->run);
    gos_probe_info info;
    double at[GOS_PROBE_MAX] = {0}, inside[GOS_PROBE_MAX] = {0}, size[GOS_PROBE_MAX] = {0};
    gos_results_probe_info(coarse->run, i, &info);
    const double from = smooth_from(fine, i, &info);
    for (long k = 0; k + 1 < coarse->info.nrows; k++) {
        for (int j = 0; j <= INSIDE; j++) {
            double a[GOS_PROBE_MAX], b[GOS_PROBE_MAX];
            const double time = t[k] + (t[k + 1] - t[k]) * j / (INSIDE + 1);
            verify_good(&coarse->v, gos_results_probe_at(coarse->run, i, time, a));
            verify_good(&fine->v, gos_results_probe_at(fine->run, i, time, b));
            for (int c = 0; c < info.ncomp; c++) {
                double *e = j == 0 ? at : inside;
                e[c] = largest(&info, b) < from ? e[c] : fmax(e[c], fabs(a[c] - b[c]));
                size[c] = fmax(size[c], fabs(b[c]));
            }
        }
    }
    for (int c = 1; c < info.ncomp && !strchr(info.unit, ','); c++) { // one size of a vector
        size[0] = fmax(size[0], size[c]);
    }
    // the location of the largest stress jumps from node to node, at unknown times
    const int n = strcmp(info.quantity, "max_von_mises") == 0 ? 1 : info.ncomp;
    for (int c = 0; c < n; c++) {
        size[c] = strchr(info.unit, ',') ? size[c] : size[0];
        const double allowed = fmax(3 * at[c], coarse->v.opt.tolerance * size[c]);
        worst = size[c] > 0 ? fmax(worst, inside[c] / allowed) : worst;
        if (!(inside[c] <= allowed)) {
            print_error("%s: %s.%s (%s) is off by %g between steps, %g at steps, of %g\n", how,
                        info.name, info.components[c], info.quantity, inside[c], at[c], size[c]);
            fail();
        }
    }
}

static void check_model(const char *text, const char *how, const char *settings, double step) {
    stored coarse, fine;
    run_model(&coarse, text, "coarse", settings, step, 0);
    const double mean = coarse.v.opt.end / (double)(coarse.info.nrows - 1);
    run_model(&fine, text, "fine", settings, 0.1 * step, step > 0 ? 0 : 0.1 * mean);
    worst = 0;
    for (int i = 0; i < coarse.info.nprobes; i++) {
        check_probe(&coarse, &fine, i, how);
    }
    print_message("    %-60s %.2f\n", how, worst);
    close_run(&coarse);
    close_run(&fine);
}

static void between(void **unused) {
    GOS_UNUSED(unused);
    for (int i = 0; i < GOS_COUNT(models); i++) {
        check_model(models[i], "generalised_alpha", NULL, 0);
        check_model(models[i], "generalised_alpha, fixed steps", NULL, 0.02);
        check_model(models[i], "bdf", "analysis.integrator=bdf", 0);
        check_model(models[i], "radau", "analysis.integrator=radau", 0);
    }
}

/* every quantity is in one of the models */
static void all_quantities(void **unused) {
    GOS_UNUSED(unused);
    int n;
    const gos_quantity *q = gos__quantities(&n);
    for (int k = 0; k < n; k++) {
        bool there = strcmp(q[k].name, "position") == 0; // that of a probe which names none
        char text[100];
        (void)snprintf(text, sizeof text, "quantity: %s", q[k].name);
        for (int i = 0; i < GOS_COUNT(models); i++) {
            const char *at = strstr(models[i], text);
            there |= at && strchr(",}", at[strlen(text)]);
        }
        if (!there) {
            print_error("no model has a probe of %s\n", q[k].name);
            fail();
        }
    }
}

/* ---- what jumps ------------------------------------------------------------------------------ */

/* A pendulum, whose angle a sampled law reads, and bodies that are held: reactions are the forces
   that switch and jump, the law's command, which is held between samples, and a ramp that begins
   with a kink. */
static const char jumps[] =
    "bodies:\n"
    "  arm: {type: rigid, mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0.5, 0]}\n"
    "  a: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
    "  c: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  h: {type: revolute, between: [ground, arm.node], axis: [0, 1, 0]}\n"
    "  ha: {type: clamp, between: [ground, a.node]}\n"
    "  hb: {type: clamp, between: [ground, b.node]}\n"
    "  hc: {type: clamp, between: [ground, c.node]}\n"
    "loads:\n"
    "  s: {type: torsion_spring, between: [ground, arm.node], axis: [0, 1, 0], stiffness: 20}\n"
    "  fa: {type: force, on: a, value: [\"10*(t>0.35)-4*(t>=0.7)\", 0, 0]}\n"
    "  fb: {type: force, on: b, value: [0, 0, 0]}\n"
    "  fc: {type: force, on: c, value: [\"5*max(0, t-0.43)\", 0, 0]}\n"
    "controllers:\n"
    "  law: {type: expression, inputs: fb.x, amounts: \"3+10*angle.value\", sample: {period: "
    "0.1}}\n"
    "probes:\n"
    "  angle: {at: arm, quantity: angle, axis: [0, 1, 0]}\n"
    "  A: {joint: ha, quantity: joint_force}\n"
    "  B: {joint: hb, quantity: joint_force}\n"
    "  C: {joint: hc, quantity: joint_force}\n"
    "  v: {at: arm, quantity: angular_velocity}\n"
    "analysis: {end: 1, tolerance: 1.0e-4}\n";

static double component(const stored *s, const char *name, double t) {
    double y[GOS_PROBE_MAX];
    verify_good(&s->v, gos_results_probe_at(s->run, gos_results_probe_find(s->run, name), t, y));
    return y[0];
}

static void check_jumps(const char *settings, double step) {
    stored s;
    run_model(&s, jumps, "jumps", settings, step, 0);
    double a = 0, b = 0, c = 0;
    for (int k = 1; k < 2000; k++) {
        const double t = 5e-4 * k + 1e-5, sample = 0.1 * floor(t / 0.1);
        const double law = 3 + 10 * component(&s, "angle", sample);
        a = fmax(a, fabs(fabs(component(&s, "A", t)) - (t > 0.35 ? 10 : 0) + (t > 0.7 ? 4 : 0)));
        b = fmax(b, fabs(fabs(component(&s, "B", t)) - fabs(law)));
        c = fmax(c, fabs(fabs(component(&s, "C", t)) - 5 * fmax(0, t - 0.43)));
    }
    print_message("    %s, %g\n", settings ? settings : "generalised_alpha", step);
    verify_below("a force that switches [N]", a, 1e-9);
    verify_below("a command that is held [N]", b, 1e-9);
    verify_below("a ramp with a kink [N]", c, 1e-9);
    close_run(&s);
}

static void what_jumps(void **unused) {
    GOS_UNUSED(unused);
    check_jumps(NULL, 0);
    check_jumps(NULL, 0.05);
    check_jumps("analysis.integrator=bdf", 0);
    check_jumps("analysis.integrator=radau", 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(between), cmocka_unit_test(all_quantities),
                                       cmocka_unit_test(what_jumps)};
    return cmocka_run_group_tests(tests, example_files, matrix_folder_remove);
}
SUITE_INTERNAL(suite)
