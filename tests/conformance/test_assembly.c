/* The assembled system keeps the contract (system.h): its Newton matrix agrees with differences of
   the residual on random states, for all bodies, joints, loads and heat together and for reduced
   models; rigid motion makes no force, forces turn with everything, the energy changes by the power
   of the forces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/rotation.h"
#include "support/suite.h"

/* ---- Newton matrices ------------------------------------------------------------------------- */

/* Everything that a Newton matrix can contain, with stiffnesses of similar size so that no part
   hides behind another: cables with damping and temperature in an anisotropic section, with depth
   modes, with reduced quadrature, a plain one; rigid bodies; joints with linear and quadratic rows;
   all loads and all heat, thermoelastic and viscous heat on. */
static const char everything[] =
    "reference_temperature: 2\n"
    "gravity: [0.3, -1, 0.2]\n"
    "materials:\n"
    "  hot: {density: 3, young: 40, conductivity: 2, specific_heat: 1.5, expansion: 0.02,\n"
    "        damping: {normal: 0.2}, absorptivity: 0.8, emissivity: 0.6}\n"
    "  cold: {density: 2, young: 60}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.4, width: 0.7}\n"
    "  deep: {type: rectangle, height: 0.5, width: 0.4, depth_modes: 3}\n"
    "  pipe: {type: annulus, outer: 0.4, inner: 0.2}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: hot, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 3}\n"
    "  arm: {type: ancf_cable, material: hot, section: deep, from: [1, 0, 0], to: [2, 0, 0],\n"
    "        elements: 2, normal: [0, 1, 2], carried_by: hub}\n"
    "  tube: {type: ancf_cable, material: hot, section: pipe, from: [2, 0, 0], to: [2, 1, 0],\n"
    "         elements: 9, quadrature: reduced, frame: transported}\n"
    "  mast: {type: ancf_cable, material: cold, section: pipe, from: [0, 0, 1], to: [0, 0, 2],\n"
    "         elements: 2}\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.2, 0.3, 0.4], position: [0, 0, 0.5],\n"
    "        rotation_vector: [0.3, -0.5, 0.7], points: {tip: [0.1, 0.2, -0.3]}}\n"
    "  box: {type: rigid, mass: 1, inertia: [0.2, 0.3, 0.4, 0.01, 0.02, -0.01],\n"
    "        centre_of_mass: [0.1, 0, 0.2], position: [2, 1, 0]}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [ground, rod.start], axis: [0, 0, 1]}\n"
    "  weld: {type: tie, between: [rod.end, arm.start], smooth: true, temperature: true}\n"
    "  elbow: {type: spherical, between: [arm.end, tube.start], temperature: true, gradients: "
    "false}\n"
    "  grip: {type: clamp, between: [tube.end, box]}\n"
    "  foot: {type: clamp, between: [hub, mast.start], at: [0, 0, 1], rigid: false}\n"
    "  hinge: {type: revolute, between: [hub, ground], at: [0, 0, 0], axis: [1, 2, 3]}\n"
    "  rail: {type: point_on_line, between: [\"mast.at(0.7)\", hub], direction: [0, 0, 1]}\n"
    "  floor: {type: point_on_plane, between: [box.centre, ground], normal: [1, 1, 1]}\n"
    "  drive: {type: driven, between: [ground, mast.end], displacement: [\"sin(t)\", 0, 0],\n"
    "          components: x}\n"
    "loads:\n"
    "  f1: {type: force, on: \"rod.at(0.3)\", value: [1, \"2*t\", 3], frame: body}\n"
    "  f2: {type: force, on: [hub.tip, box], value: [1, 2, 3], frame: body}\n"
    "  f3: {type: force, on: tube.end, value: [1, 2, 3]}\n"
    "  m1: {type: moment, on: rod.end, moment: [1, 2, 3]}\n"
    "  m2: {type: moment, on: mast.end, moment: [1, 2, 3], frame: body}\n"
    "  m3: {type: moment, on: hub, moment: [1, 2, 3]}\n"
    "  m4: {type: moment, on: box, moment: [1, 2, 3], frame: body}\n"
    "  k1: {type: spring, between: [ground, arm.end], at: [1, 1, 0], stiffness: 3, damping: 2}\n"
    "  k2: {type: spring, between: [hub.tip, \"rod.at(0.6)\"], stiffness: 3, damping: 2,\n"
    "       free_length: 0.2}\n"
    "heat:\n"
    "  sun: {type: flux, value: \"3+t\", direction: [1, -2, 0.5], on: [rod, tube, arm.top]}\n"
    "  lamp: {type: flux, value: 5, on: [arm.top, rod.left]}\n"
    "  spot: {type: flux, value: 4, direction: [0.3, -1, 0.2], on: tube.end}\n"
    "  air: {type: convection, coefficient: 3, ambient: 0.5, on: [rod, arm, rod.end, tube.end]}\n"
    "  space: {type: radiation, sink: 1, on: [rod, tube, arm.bottom, arm.end]}\n"
    "  current: {type: source, value: 2, on: rod}\n"
    "  flow: {type: heat_flow, value: 3, on: \"arm.at(0.3)\"}\n"
    "  wall: {type: temperature, value: \"sin(t)\", on: rod.start}\n"
    "  probe: {type: temperature, value: 0.5, on: \"tube.at(0.6)\", gradients: free}\n"
    "analysis: {thermoelastic_heat: true, viscous_heating: true}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4, thermal_fields: 2}\n";

static void newton_matrix(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, everything, NULL);
    check_newton_matrix(v.sys, "all", 0, true);
    check_newton_matrix(v.sys, "all, hot", 2000, true); // radiation is as strong as conduction
    verify_close(&v);
}

/* beams with section vectors, what holds and what loads them */
static const char beams[] =
    "reference_temperature: 2\n"
    "gravity: [0.3, -1, 0.2]\n"
    "materials:\n"
    "  hot: {density: 3, young: 40, poisson: 0.2, conductivity: 2, specific_heat: 1.5,\n"
    "        expansion: 0.02, damping: {normal: 0.2, shear: 0.1}, absorptivity: 0.8,\n"
    "        emissivity: 0.6}\n"
    "  cold: {density: 2, young: 60}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.4, width: 0.7}\n"
    "  deep: {type: rectangle, height: 0.5, width: 0.4, depth_modes: 3}\n"
    "  pipe: {type: annulus, outer: 0.4, inner: 0.2}\n"
    "bodies:\n"
    "  boom: {type: ancf_beam, material: hot, section: deep, from: [2, 1, 0], to: [3, 3, 2],\n"
    "         elements: 9, normal: [0, 1, 2]}\n"
    "  stub: {type: ancf_beam, material: hot, section: bar, from: [3, 3, 2], to: [4, 5, 4],\n"
    "         elements: 1, normal: [0, 1, 2]}\n"
    "  tube: {type: ancf_beam, material: cold, section: pipe, from: [0, 0, 3], to: [2, 0, 3],\n"
    "         elements: 4}\n"
    "  tail: {type: ancf_cable, material: hot, section: bar, from: [2, 0, 3], to: [2, 0, 5],\n"
    "         elements: 2}\n"
    "  box: {type: rigid, mass: 1, inertia: [0.2, 0.3, 0.4, 0.01, 0.02, -0.01],\n"
    "        centre_of_mass: [0.1, 0, 0.2], position: [2, 1, 0]}\n"
    "joints:\n"
    "  weld: {type: clamp, between: [box, boom.start], at: [2, 1, 0]}\n"
    "  splice: {type: clamp, between: [boom.end, stub.start], temperature: true}\n"
    "  tee: {type: clamp, between: [tail.start, tube.end]}\n"
    "  pivot: {type: revolute, between: [ground, stub.end], axis: [0, 1, -1]}\n"
    "  swivel: {type: revolute, between: [tube.start, ground], axis: [1, 0, 0]}\n"
    "loads:\n"
    "  f1: {type: force, on: \"boom.at(0.4)\", value: [1, \"2*t\", 3], frame: body}\n"
    "  f2: {type: force, on: tube.end, value: [1, 2, 3]}\n"
    "  m1: {type: moment, on: boom.node(3), moment: [1, 2, 3]}\n"
    "  m2: {type: moment, on: \"stub.at(0.4)\", moment: [1, 2, 3], frame: body}\n"
    "heat:\n"
    "  sun: {type: flux, value: \"3+t\", direction: [-1, -2, 0.8], on: [boom, stub.top]}\n"
    "  air: {type: convection, coefficient: 3, ambient: 0.5, on: [boom, stub.end]}\n"
    "  space: {type: radiation, sink: 1, on: [stub, boom.bottom]}\n"
    "  flow: {type: heat_flow, value: 3, on: \"boom.at(0.3)\"}\n"
    "  wall: {type: temperature, value: \"sin(t)\", on: boom.start}\n"
    "analysis: {thermoelastic_heat: true, viscous_heating: true}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 3, thermal_fields: 2}\n";

static void newton_matrix_beams(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_system *reduced = NULL;
    verify_text(&v, beams, NULL);
    check_newton_matrix(v.sys, "beams", 0, true);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    check_newton_matrix(reduced, "beams, reduced", 0, true);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* the reduced system of a pendulum with heat: the dense road; a limb that shares nothing with a hub
   but the reference vector */
static const char reducible[] =
    "reference_temperature: 2\n"
    "gravity: [0.3, -1, 0.2]\n"
    "materials:\n"
    "  hot: {density: 3, young: 40, conductivity: 2, specific_heat: 1.5, expansion: 0.02,\n"
    "        damping: {normal: 0.2}, absorptivity: 0.8, emissivity: 0.6}\n"
    "sections: {deep: {type: rectangle, height: 0.5, width: 0.4, depth_modes: 3}}\n"
    "bodies:\n"
    "  arm: {type: ancf_cable, material: hot, section: deep, from: [1, 0, 0], to: [2, 0, 0],\n"
    "        elements: 6}\n"
    "  limb: {type: ancf_cable, material: hot, section: deep, from: [0, 0, 0], to: [2, 0, 0],\n"
    "         elements: 3, carried_by: hub}\n"
    "  hub: {type: rigid, mass: 1, inertia: [0.2, 0.3, 0.4], rotation_vector: [0.3, -0.5, 0.7]}\n"
    "joints: {pin: {type: spherical, between: [ground, arm.start]}}\n"
    "loads: {f: {type: force, on: arm.end, value: [1, \"2*t\", 3], frame: body}}\n"
    "heat:\n"
    "  sun: {type: flux, value: \"3+t\", direction: [1, -2, 0.5], on: [arm, limb]}\n"
    "  space: {type: radiation, sink: 1, on: [arm, arm.end]}\n"
    "analysis: {thermoelastic_heat: true, viscous_heating: true}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 5, thermal_fields: 3}\n";

static void newton_matrix_reduced(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    gos_system *reduced = NULL;
    verify_text(&v, reducible, NULL);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    check_newton_matrix(reduced, "reduced", 0, true);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* plates: edges, faces, an edge moment, a rigid body; no point is near edge-on to the sun in the
 * states tried */
static const char plates[] =
    "reference_temperature: 2\n"
    "gravity: [0.3, -1, 0.2]\n"
    "materials:\n"
    "  hot: {density: 3, young: 40, poisson: 0.3, conductivity: 2, specific_heat: 1.5,\n"
    "        expansion: 0.02, damping: {normal: 0.2, shear: 0.1}, absorptivity: 0.8,\n"
    "        emissivity: 0.6}\n"
    "bodies:\n"
    "  wing: {type: ancf_plate, material: hot, thickness: 0.4, corner: [0, 0, 0], x: [1, 0, 0],\n"
    "         y: [0, 1, 0], elements: [2, 1]}\n"
    "  flap: {type: ancf_plate, material: hot, thickness: 0.3, corner: [1, 0, 0], x: [1, 0, 0],\n"
    "         y: [0, 1, 0], elements: [1, 1]}\n"
    "  hub: {type: rigid, mass: 2, inertia: [0.2, 0.3, 0.4], position: [0, 0.5, 0]}\n"
    "joints:\n"
    "  root: {type: clamp, between: [hub, wing.edge.x0]}\n"
    "  hinge: {type: spherical, between: [wing.edge.x1, flap.edge.x0], temperature: true,\n"
    "          gradients: true}\n"
    "loads:\n"
    "  m: {type: edge_moment, on: flap.edge.x1, moment: \"2*t\"}\n"
    "  f: {type: force, on: \"wing.at(0.3,0.2)\", value: [1, \"2*t\", 3]}\n"
    "heat:\n"
    "  sun: {type: flux, value: \"3+t\", direction: [1, -2, 0.6], on: [wing, flap.bottom]}\n"
    "  space: {type: radiation, sink: 1, on: wing}\n"
    "  film: {type: convection, coefficient: 2, ambient: 1, on: flap.top}\n"
    "analysis: {thermoelastic_heat: true, viscous_heating: true}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 4, thermal_fields: 3,\n"
    "            points: 9}\n";

/* the same of other shapes: the wing a quadrilateral, the flap a mesh of two elements */
static const char quadrilaterals[] =
    "bodies.wing={type: ancf_plate, material: hot, thickness: 0.4, elements: [1, 1],"
    " corners: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1.2, 0]]}\0"
    "bodies.flap={type: ancf_plate, material: hot, thickness: 0.3,"
    " nodes: [[1, 0, 0], [1, 1, 0], [1.6, 0.1, 0], [1.4, 0.8, 0], [2, 0, 0], [2.1, 0.7, 0]],"
    " quads: [[0, 2, 3, 1], [2, 4, 5, 3]], edges: {x0: [0, 1], x1: [4, 5]}}\0";

static void check_plates(const char *what, const char *changes) {
    verify v = {.ctx = gos_ctx_create()};
    gos_system *reduced = NULL;
    verify_good(&v, gos_model_parse(v.ctx, plates, strlen(plates), "test", NULL, &v.model));
    for (const char *c = changes; *c; c += strlen(c) + 1) {
        char path[40];
        const char *value = strchr(c, '=');
        (void)snprintf(path, sizeof path, "%.*s", (int)(value - c), c);
        verify_good(&v, gos_model_set(v.ctx, v.model, path, value + 1));
    }
    verify_compile(&v);
    check_newton_matrix(v.sys, what, 0, true);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    check_newton_matrix(reduced, "... reduced", 0, true);
    gos_system_destroy(reduced);
    verify_close(&v);
}

static void newton_matrix_plates(void **unused) {
    GOS_UNUSED(unused);
    check_plates("plates", "\0");
    check_plates("quadrilaterals", quadrilaterals);
}

/* ---- energy of a system ---------------------------------------------------------------------- */

/* cables and beams that do not touch anything */
static const char loose[] =
    "materials:\n"
    "  hot: {density: 3, young: 40, conductivity: 2, specific_heat: 1.5, expansion: 0.5,\n"
    "        damping: {normal: 0.2, shear: 0.1}}\n"
    "  still: {density: 3, young: 40}\n"
    "sections:\n"
    "  bar: {type: rectangle, height: 0.4, width: 0.7}\n"
    "  deep: {type: rectangle, height: 0.5, width: 0.4, depth_modes: 4}\n"
    "  wire: {type: circle, radius: 0.3}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: hot, section: bar, from: [0, 0, 0], to: [1, 0, 0],\n"
    "        elements: 3}\n"
    "  thick: {type: ancf_cable, material: hot, section: deep, from: [0, 0, -1], to: [1, 0, -1],\n"
    "          elements: 9}\n"
    "  wire: {type: ancf_cable, material: still, section: wire, from: [0, 0, 1], to: [1, 1, 2],\n"
    "         elements: 11}\n"
    "  boom: {type: ancf_beam, material: hot, section: deep, from: [0, 0, 3], to: [1, 2, 4],\n"
    "         elements: 9}\n"
    "  pipe: {type: ancf_beam, material: still, section: wire, from: [0, 0, 5], to: [1, 2, 4],\n"
    "         elements: 4}\n"
    "  slab: {type: ancf_plate, material: hot, thickness: 0.4, corner: [0, 2, 0], x: [1, 0, 1],\n"
    "         y: [0, 1, 0], elements: [3, 3]}\n"
    "  sail: {type: ancf_plate, material: hot, thickness: 0.4, elements: [3, 3],\n"
    "         corners: [[0, 6, 0], [1, 6, 1], [0.8, 7.3, 0.8], [0, 6.9, 0]]}\n";

/* dW/dt = v . (Q_e + Q_H) + dW/dth . thd; v . Q_d = dissipated power */
static void energy_rate(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, loose, NULL);
    const gos_system *s = v.sys;
    gos_work *w = NULL;
    assert_int_equal(gos__work_create(v.ctx, s, &w), GOS_OK);
    double *r = calloc(2 * (size_t)s->n, sizeof *r), W[4];
    uint64_t seed = 11;
    random_at x, m;
    random_state(s, &seed, 0, &x);
    random_state(s, &seed, 0, &m);
    const size_t size = (size_t)(3 * s->nq + 2 * s->nt);
    memset(x.a, 0, (size_t)s->nq * sizeof *x.a);
    gos_sums sums;
    for (int k = 0; k < 4; k++) {
        memcpy(m.block, x.block, size * sizeof *m.block);
        for (int i = 0; i < s->nq; i++) {
            m.q[i] += 1e-4 * shifts[k] * x.v[i];
        }
        for (int i = 0; i < s->nt; i++) {
            m.th[i] += 1e-4 * shifts[k] * x.thd[i];
        }
        residual(w, &m, r, &sums);
        W[k] = sums.strain;
    }
    residual(w, &x, r, &sums);
    memcpy(m.block, x.block, size * sizeof *m.block);
    memset(m.v, 0, (size_t)s->nq * sizeof *m.v);
    residual(w, &m, r + s->n, NULL);
    double elastic = 0, viscous = 0;
    for (int i = 0; i < s->nq; i++) {
        elastic += x.v[i] * r[s->n + i];
        viscous += x.v[i] * (r[i] - r[s->n + i]);
    }
    const double rate = difference(W, 1e-4);
    verify_below("dW/dt - v.Q - thermal power, of dW/dt", (rate - elastic - sums.thermal) / rate,
                 1e-8);
    verify_below("v.Q_d - dissipated power, of it", viscous / sums.dissipated - 1, 1e-12);
    assert_true(fabs(sums.thermal) > 1e-3 * fabs(rate) && sums.dissipated > 0);
    free(r);
    free(x.block);
    free(m.block);
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

/* all bodies of `loose` moved rigidly: no force, no energy */
static void rigid_motion(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, loose, NULL);
    const gos_system *s = v.sys;
    gos_work *w = NULL;
    assert_int_equal(gos__work_create(v.ctx, s, &w), GOS_OK);
    double *r = calloc((size_t)s->n, sizeof *r);
    uint64_t seed = 12;
    for (int trial = 0; trial < 8; trial++) {
        random_at x;
        double R[9], shift_by[3], worst = 0;
        random_state(s, &seed, 0, &x);
        random_rotation(&seed, R);
        random_fill(&seed, 3, 10, shift_by);
        memset(x.v, 0, 2 * (size_t)s->nq * sizeof *x.v);
        memset(x.th, 0, 2 * (size_t)s->nt * sizeof *x.th);
        for (int i = 0; i < s->nv; i++) {
            turn(R, s->e0 + 3 * i, x.q + 3 * i);
            for (int c = 0; c < 3; c++) {
                x.q[3 * i + c] += s->trans[i] * shift_by[c];
            }
        }
        gos_sums sums;
        residual(w, &x, r, &sums);
        for (int i = 0; i < s->nq; i++) {
            worst = fmax(worst, fabs(r[i]));
        }
        assert_true(worst < 1e-11); // stiffnesses are of order 10^3, positions of 10
        assert_true(sums.strain < 1e-24);
        free(x.block);
    }
    free(r);
    gos__work_destroy(v.ctx, w);
    verify_close(&v);
}

/* a damped, anisotropic, warm cable in a model turned with its normal: all forces turn with it */
static void forces_turn(void **unused) {
    GOS_UNUSED(unused);
    static const char form[] =
        "materials:\n"
        "  hot: {density: 3, young: 40, conductivity: 2, specific_heat: 1.5, expansion: 0.02,\n"
        "        damping: {normal: 0.2}}\n"
        "sections: {bar: {type: rectangle, height: 0.4, width: 0.7}}\n"
        "bodies:\n"
        "  rod: {type: ancf_cable, material: hot, section: bar, from: [0, 0, 0], elements: 5,\n"
        "        to: [%.17g, %.17g, %.17g], normal: [%.17g, %.17g, %.17g]}\n";
    uint64_t seed = 13;
    double R[9], worst = 0;
    random_rotation(&seed, R);
    verify v[2];
    double *r[2];
    for (int k = 0; k < 2; k++) {
        char text[VERIFY_TEXT];
        const double to[3] = {1, 0, 0}, normal[3] = {0, 0, 1};
        double a[3], b[3];
        turn(R, to, a);
        turn(R, normal, b);
        memcpy(a, k ? a : to, sizeof a);
        memcpy(b, k ? b : normal, sizeof b);
        snprintf(text, sizeof text, form, a[0], a[1], a[2], b[0], b[1], b[2]);
        verify_text(&v[k], text, NULL);
    }
    random_at x[2];
    for (int k = 0; k < 2; k++) {
        uint64_t same = 14;
        random_state(v[k].sys, &same, 0, &x[k]);
    }
    const gos_system *s = v[0].sys;
    for (int i = 0; i < 3 * s->nv; i++) { // q, v, a of the second are those of the first, turned
        turn(R, x[0].q + 3 * i, x[1].q + 3 * i);
    }
    for (int k = 0; k < 2; k++) {
        gos_work *w = NULL;
        r[k] = calloc((size_t)s->n, sizeof *r[k]);
        assert_int_equal(gos__work_create(v[k].ctx, v[k].sys, &w), GOS_OK);
        residual(w, &x[k], r[k], NULL);
        gos__work_destroy(v[k].ctx, w);
    }
    for (int i = 0; i < s->nv; i++) {
        double f[3];
        turn(R, r[0] + 3 * i, f);
        worst = fmax(worst, verify_distance(f, r[1] + 3 * i) / (1 + gos__norm3(f)));
    }
    for (int i = s->nq; i < s->n; i++) {
        worst = fmax(worst, fabs(r[0][i] - r[1][i]) / (1 + fabs(r[0][i])));
    }
    verify_below("residuals of the turned model", worst, 1e-12);
    for (int k = 0; k < 2; k++) {
        free(r[k]);
        free(x[k].block);
        verify_close(&v[k]);
    }
}

/* What joints say can be nothing is not stored. A rigid body: 12 masses and inertias, 9 x 3 entries
   of the multipliers of its axes (9 of them at inertias), 3 x 3 + 3 x 6 gradients twice. A hinge of
   its node to the ground: 3 + 2 x 3 gradients twice. A hinge of a second body: 6 entries of
   equations of position and 2 x 6 of products of axes twice, and 2 x 2 x 3 of their multipliers. */
static void stored_entries(void **state) {
    static const char *const joint[] = {"{between: [ground, a.node]", "{between: [a.node, b.node]"};
    enum { BODY = 12 + 9 * 3 - 9 + 2 * (3 * 3 + 3 * 6) };
    static const int want[] = {2 * BODY + 2 * (3 + 2 * 3), 2 * BODY + 2 * (6 + 2 * 6) + 2 * 2 * 3};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[600];
        verify v;
        snprintf(text, sizeof text,
                 "bodies:\n"
                 "  a: {type: rigid, mass: 1, inertia: [1, 2, 2.5]}\n"
                 "  b: {type: rigid, mass: 1, inertia: [1, 2, 2.5]}\n"
                 "joints:\n  j: %s, type: revolute, axis: [0, 0, 1]}\n",
                 joint[i]);
        verify_text(&v, text, NULL);
        assert_int_equal(v.sys->pattern.nnz, want[i]);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_matrix),         cmocka_unit_test(newton_matrix_beams),
        cmocka_unit_test(newton_matrix_reduced), cmocka_unit_test(newton_matrix_plates),
        cmocka_unit_test(energy_rate),           cmocka_unit_test(rigid_motion),
        cmocka_unit_test(forces_turn),           cmocka_unit_test(stored_entries),
    };
    return cmocka_run_group_tests_name("assembly", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
