/* The dumbbell satellite against its definition: counts, mass, frequencies; what a motion in space
   keeps; temperatures and gradients in sun, shadow and radiation; order in the step. Longer runs
   are in nightly_satellite_long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "math/vec3.h"
#include "support/satellite.h"
#include "support/suite.h"

/* ---- the model ------------------------------------------------------------------------------- */

#define STILL "torque_a=0 torque_b=0 spin=0 "

/* 68 rod nodes of 6, 30 panel nodes of 9, two bodies of 12; 2 x 6 + 4 x 6 + 8 x 3 + 6 x 9
   constraints; 68 x 3 + 30 x 2 temperatures, 8 of them tied */
static void counts(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_sizes n;
    satellite_open(&v, STILL);
    gos_system_sizes(v.sys, &n);
    assert_int_equal(n.coordinates, 702);
    assert_int_equal(n.constraints, 114);
    assert_int_equal(n.temperatures, 264);
    assert_int_equal(n.temperature_constraints, 8);
    assert_int_equal(n.nodes, 100 + 6); // ends of lines from both bodies to brackets and panels
    verify_close(&v);
}

/* momenta of a rigid motion, omega x every vector and a velocity of all positions, by the mass
 * matrix */
static void rigid_rates(const verify *v, const double velocity[3], const double omega[3],
                        double p[3], double l[3]) {
    for (int i = 0; i < v->sys->nv; i++) {
        gos__cross3(omega, v->state->q + 3 * i, v->state->v + 3 * i);
        for (int c = 0; c < 3; c++) {
            v->state->v[3 * i + c] += v->sys->trans[i] * velocity[c];
        }
    }
    gos_system_momentum(v->sys, v->state, p, l);
}

/* to the digits that the definition prints */
static void mass_properties(void **state) {
    GOS_UNUSED(state);
    static const double inertia[] = {1.70017781e6, 2.11176e4, 1.68299233e6}, rest[3] = {0};
    static const double digit[] = {6e-3, 0.06, 6e-3}; // of half a unit of the last one, and more
    verify v;
    double p[3], l[3], centre[3];
    satellite_open(&v, STILL);
    rigid_rates(&v, (const double[]){1, 0, 0}, rest, p, l);
    const double mass = p[0];
    verify_near("mass [kg]", mass, 12491.51485, 6e-6);
    centre[2] = -l[1] / mass; // l = r x p turned round: (0, z, -y) m
    centre[1] = -l[2] / mass;
    rigid_rates(&v, (const double[]){0, 1, 0}, rest, p, l);
    centre[0] = l[2] / mass;
    verify_near("centre of mass, x [m]", centre[0], 0, 1e-12);
    verify_near("centre of mass, y [m]", centre[1], 18.9185388, 6e-8);
    verify_near("centre of mass, z [m]", centre[2], 0, 1e-12);
    for (int c = 0; c < 3; c++) {
        double omega[3] = {0}, back[3];
        omega[c] = 1;
        gos__cross3(centre, omega, back); // so that the centre of mass rests
        rigid_rates(&v, back, omega, p, l);
        verify_near("moment of inertia about the centre of mass [kg m^2]", l[c], inertia[c],
                    digit[c]);
        verify_below("linear momentum of that [kg m/s]", gos__norm3(p), 1e-6);
    }
    verify_close(&v);
}

/* 702 - 114 motions are free, so the constraints have full rank; six of them without a frequency.
   The frequencies, to their printed digits, are those of an independent prototype. */
static void frequencies(void **state) {
    GOS_UNUSED(state);
    enum { FREE = 588, RIGID = 6 };
    static const double omega[] = {0.05251, 0.10489, 0.27724, 0.35024, 0.67896, 0.71456,
                                   0.76637, 0.76906, 1.07957, 1.12148, 1.32035, 1.67812,
                                   1.69185, 1.74098, 1.84445, 1.88070, 1.96083, 1.97936,
                                   2.02349, 2.10441, 2.29163, 2.30256, 2.49436, 2.76908};
    static gos_mode mode[FREE + 1];
    verify v;
    gos_linear *linear;
    int found;
    satellite_open(&v, STILL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, FREE + 1, false, mode, &found));
    assert_int_equal(found, FREE);
    for (int i = 0; i < RIGID; i++) {
        assert_true(mode[i].rigid);
    }
    for (int i = 0; i < (int)(sizeof omega / sizeof *omega); i++) {
        assert_false(mode[RIGID + i].rigid);
        verify_near("frequency [rad/s]", mode[RIGID + i].omega, omega[i], 6e-6);
    }
    verify_near("highest frequency [rad/s]", mode[FREE - 1].omega, 15277.55, 6e-3);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* ---- run S0 ---------------------------------------------------------------------------------- */

static const double flux = 5000, absorptivity = 0.82, conductivity = 45, specific_heat = 30;
static const double thickness = 0.03, radius = 0.05, bore = 0.005; // of panels; of rods [m]
static const double panel_density = 2700, rod_density = 7850;

static double area(void) {
    return M_PI * (radius * radius - bore * bore);
}

static double second_moment(void) {
    return M_PI / 4 * (pow(radius, 4) - pow(bore, 4));
}

/* rates of the mean temperature [K/s] and of gradients [1/s], their final values [K/m] in steady
 * light */
static double rod_rise(void) {
    return absorptivity * flux * 2 * radius / (rod_density * specific_heat * area());
}

static double panel_rise(void) {
    return absorptivity * flux / (panel_density * specific_heat * thickness);
}

static double rod_decay(void) {
    return conductivity * area() / (rod_density * specific_heat * second_moment());
}

static double panel_decay(void) {
    return 12 * conductivity / (panel_density * specific_heat * thickness * thickness);
}

static double rod_gradient(void) {
    return M_PI / 2 * absorptivity * flux * radius * radius / (conductivity * area());
}

static double panel_gradient(void) {
    return absorptivity * flux / (2 * conductivity);
}

/* the closed forms against the printed numbers */
static void closed_forms(void **state) {
    GOS_UNUSED(state);
    verify_near("rods warm by [K/s]", rod_rise(), 0.22391, 5e-6);
    verify_near("panels warm by [K/s]", panel_rise(), 1.68724, 5e-6);
    verify_near("gradient of rods [K/m]", rod_gradient(), 46.016, 5e-4);
    verify_near("gradient of panels [K/m]", panel_gradient(), 45.556, 5e-4);
    verify_near("rate of it in rods [1/s]", rod_decay(), 0.302705, 5e-7);
    verify_near("rate of it in panels [1/s]", panel_decay(), 7.4074, 5e-5);
}

/* Conservation and energy in fixed steps: what is left falls with the square of the step. The
   components across and the linear momentum are left to round-off and to Newton. */
static void conserved(void **state) {
    GOS_UNUSED(state);
    static const char *const step[] = {SATELLITE_FIXED "8e-3", SATELLITE_FIXED "4e-3"};
    satellite_balance b[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        satellite_open(&v, step[i]);
        b[i] = satellite_watch(&v, -0.1, -1000, 0);
        verify_close(&v);
        verify_below("angular momentum off, relative", b[i].angular / b[i].momentum, 5e-7);
        verify_below("its other components, relative", b[i].across / b[i].momentum, 1e-11);
        verify_below("linear momentum, of mass times 1 m/s", b[i].linear / 12491.5, 1e-9);
        verify_below("heat, of what was supplied", b[i].heat, 1e-12);
    }
    verify_below("energy, of the largest part", b[1].energy / b[1].exchanged, 1e-6);
    verify_within("order of the angular momentum", verify_order(b[0].angular, b[1].angular, 2), 1.8,
                  3.2);
    verify_within("order of the energy balance", verify_order(b[0].energy, b[1].energy, 2), 1.8,
                  3.2);
}

/* by error control, as the example runs; the incidence stays perpendicular to 1e-5 */
static void temperatures(void **state) {
    GOS_UNUSED(state);
    verify v;
    satellite_open(&v, NULL);
    verify_start(&v);
    for (int t = 1; t <= 10; t++) {
        const gos_state *x = verify_at(&v, t);
        char what[60];
        snprintf(what, sizeof what, "at %d s: panel T [K]", t);
        verify_near(what, verify_value(&v, x, "t5.T"), panel_rise() * t, 1e-6 * panel_rise() * t);
        verify_near("panel T_z [K/m]", verify_value(&v, x, "t5.T_z"),
                    panel_gradient() * (1 - exp(-panel_decay() * t)), 2e-3);
        verify_near("rod T [K]", verify_value(&v, x, "t2.T"), rod_rise() * t,
                    1e-6 * rod_rise() * t);
        verify_near("rod T_y [K/m]", verify_value(&v, x, "t2.T_y"),
                    rod_gradient() * (1 - exp(-rod_decay() * t)), 2e-3);
    }
    verify_close(&v);
}

/* ---- S3: radiation --------------------------------------------------------------------------- */

static const double sigma = 5.670374419e-8, emissivity = 0.8, datum = 293.15, space = 3;

/* what leaves a surface at an increment of temperature [W/m^2] */
static double leaves(double T) {
    return emissivity * sigma * (pow(datum + T, 4) - pow(space, 4));
}

/* rates of T and T_z of a panel whose upper side is lit: heat through the sides, and its moment */
static void panel_rates(const double T[2], double rate[2]) {
    const double top = absorptivity * flux - leaves(T[0] + thickness / 2 * T[1]);
    const double bottom = -leaves(T[0] - thickness / 2 * T[1]);
    const double c = panel_density * specific_heat * thickness;
    rate[0] = (top + bottom) / c;
    rate[1] =
        (6 / thickness * (top - bottom) - 12 / thickness * conductivity * T[1]) / (c * thickness);
}

/* rates of T and T_y of a rod, round the outline; the bore is adiabatic */
static void rod_rates(const double T[2], double rate[2]) {
    enum { N = 64 };
    double loss = 0, moment = 0;
    for (int i = 0; i < N; i++) {
        const double y = radius * cos(2 * M_PI * i / N);
        const double q = leaves(T[0] + y * T[1]) * 2 * M_PI * radius / N;
        loss += q;
        moment += q * y;
    }
    rate[0] = (absorptivity * flux * 2 * radius - loss) / (rod_density * specific_heat * area());
    rate[1] =
        (M_PI / 2 * absorptivity * flux * radius * radius - moment - conductivity * area() * T[1]) /
        (rod_density * specific_heat * second_moment());
}

/* the classical Runge-Kutta method with steps of 1 ms, good to 1e-10 here */
static void march(void (*rates)(const double *, double *), double end, double T[2]) {
    const int n = (int)round(end / 1e-3);
    const double h = end / n;
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    for (int k = 0; k < n; k++) {
        double d[2] = {0}, sum[2] = {0};
        for (int s = 0; s < 4; s++) {
            const double x[2] = {T[0] + at[s] * h * d[0], T[1] + at[s] * h * d[1]};
            rates(x, d);
            sum[0] += weight[s] * h * d[0];
            sum[1] += weight[s] * h * d[1];
        }
        T[0] += sum[0];
        T[1] += sum[1];
    }
}

/* two equations of a panel, and of a rod far from joints */
static void radiation(void **state) {
    GOS_UNUSED(state);
    verify v;
    double panel[2] = {0}, rod[2] = {0};
    satellite_open(&v, SATELLITE_S3);
    const satellite_balance b = satellite_watch(&v, -0.1, -1000, 0);
    march(panel_rates, 10, panel);
    march(rod_rates, 10, rod);
    verify_near("panel T after 10 s [K]", verify_value(&v, NULL, "t5.T"), panel[0], 2e-6);
    verify_near("panel T_z [K/m]", verify_value(&v, NULL, "t5.T_z"), panel[1], 2e-3);
    verify_near("rod T [K]", verify_value(&v, NULL, "t2.T"), rod[0], 1e-8);
    verify_near("rod T_y [K/m]", verify_value(&v, NULL, "t2.T_y"), rod[1], 2e-3);
    verify_below("heat, of what was supplied", b.heat, 1e-12);
    verify_below("angular momentum off, relative", b.angular / b.momentum, 1e-5);
    verify_close(&v);
}

/* ---- S5: shadow ------------------------------------------------------------------------------ */

/* gradient of a panel after light to 4 s, shadow to 6 s, light again */
static double panel_snap(double t) {
    const double l = panel_decay();
    double z = 1 - exp(-l * fmin(t, 4));
    z *= t > 4 ? exp(-l * (fmin(t, 6) - 4)) : 1;
    return panel_gradient() * (t > 6 ? 1 + (z - 1) * exp(-l * (t - 6)) : z);
}

static void shadow(void **state) {
    GOS_UNUSED(state);
    static const double time[] = {4, 4.2, 4.5, 6, 6.2, 6.5, 10},
                        light[] = {4, 4, 4, 4, 4.2, 4.5, 8};
    verify v;
    satellite_open(&v, SATELLITE_S5);
    verify_start(&v);
    for (int i = 0; i < 7; i++) {
        const gos_state *x = verify_at(&v, time[i]);
        char what[60];
        snprintf(what, sizeof what, "at %g s: panel T [K]", time[i]);
        verify_near(what, verify_value(&v, x, "t5.T"), panel_rise() * light[i], 2e-6);
        verify_near("panel T_z [K/m]", verify_value(&v, x, "t5.T_z"), panel_snap(time[i]), 2e-3);
        verify_near("rod T [K]", verify_value(&v, x, "t2.T"), rod_rise() * light[i], 1e-8);
    }
    gos_heat h;
    gos_system_heat(v.sys, v.state, &h);
    /* two panels of 8 m^2; rods of 2 x 28 m and 4 x sqrt(53) m */
    const double lit = 16 + 2 * radius * (56 + 4 * sqrt(53));
    verify_near("heat over 8 s of light on all areas", h.supplied / (absorptivity * flux * lit * 8),
                1, 1e-7);
    verify_below("heat balance, of that", h.balance / h.supplied, 1e-12);
    gos_integrator_statistics(v.run, &v.stats);
    assert_int_equal(v.stats.restarts, 2);
    verify_close(&v);
}

/* ---- the published load ---------------------------------------------------------------------- */

static void published_load(void **state) {
    GOS_UNUSED(state);
    satellite_converges("S1", SATELLITE_S1, 3, 8e-3, 2e-4);
}

/* ---- a part of it: both bodies on one rod ---------------------------------------------------- */

/* clamped as in the satellite, bent in its plane by opposite moments; it bends to 28 m 50 N m/EI =
   0.285 rad when this is done slowly */
static const char one_rod[] =
    "parameters: {n: 28, h: 0.02, torque: 50}\n"
    "materials: {rod: {density: 7850, young: 1.0e9, poisson: 0.3, damping: {normal: 4.5e-3}}}\n"
    "sections: {tube: {type: annulus, outer_diameter: 0.1, inner_diameter: 0.01}}\n"
    "bodies:\n"
    "  cone: {type: rigid, mass: 1600, position: [0, -1, 0],\n"
    "         inertia: [564.636735, 781.710287, 781.710287], points: {bracket: [0, 1, 1]}}\n"
    "  cube: {type: rigid, mass: 4400, position: [0, 29, 0], inertia: [8800/3, 8800/3, 8800/3],\n"
    "         points: {bracket: [0, -1, 1]}}\n"
    "  L1: {type: ancf_cable, material: rod, section: tube, from: [0, 0, 1], to: [0, 28, 1],\n"
    "       normal: [0, 0, -1], carried_by: cube, elements: n, temperature: off}\n"
    "joints:\n"
    "  L1_cone: {type: clamp, between: [cone.bracket, L1.start]}\n"
    "  L1_cube: {type: clamp, between: [cube.bracket, L1.end]}\n"
    "loads:\n"
    "  wheel_a: {type: moment, on: cone, moment: [torque, 0, 0]}\n"
    "  wheel_b: {type: moment, on: cube, moment: [-torque, 0, 0]}\n"
    "probes: {middle: {at: L1.at(14), quantity: displacement},\n"
    "         a: {at: cone, quantity: rotation_vector}, b: {at: cube, quantity: rotation_vector}}\n"
    "analysis: {type: dynamic, end: 10, step: h, newton_tolerance: 1.0e-9}\n";

typedef struct one_rod_end {
    double middle[3], turn[3]; // of the rod's middle [m]; of the cone against the cube [rad]
    double momentum, energy; // largest |linear| + |angular| / 1 m [kg m/s]; imbalance over the work
} one_rod_end;

static one_rod_end run_one_rod(int elements, double step) {
    verify v;
    one_rod_end r = {0};
    char settings[60];
    double y[GOS_PROBE_MAX], p[3], l[3], work = 0;
    snprintf(settings, sizeof settings, "n=%d h=%g", elements, step);
    verify_text(&v, one_rod, settings);
    verify_start(&v);
    while (gos_state_time(v.state) < v.opt.end) {
        gos_energy e;
        verify_good(&v, gos_integrator_step(v.run, v.opt.end));
        gos_system_momentum(v.sys, v.state, p, l);
        gos_system_energy(v.sys, v.state, &e);
        r.momentum = fmax(r.momentum, gos__norm3(p) + gos__norm3(l));
        r.energy = fmax(r.energy, fabs(e.balance));
        work = fmax(work, fabs(e.work));
    }
    r.energy /= work;
    verify_probe(&v, NULL, "middle", r.middle);
    verify_probe(&v, NULL, "a", r.turn);
    verify_probe(&v, NULL, "b", y);
    for (int c = 0; c < 3; c++) {
        r.turn[c] -= y[c];
    }
    verify_close(&v);
    print_message("    %d elements, %g s: middle (%.8f, %.8f) m, turn %.8f rad; momentum %.1e, "
                  "energy %.1e\n",
                  elements, step, r.middle[1], r.middle[2], r.turn[0], r.momentum, r.energy);
    return r;
}

/* Nothing acts from outside. Order two in the step (nothing locks at 1 m: order four in the
   mesh, 3.7 from 7 to 28 elements); what a step leaves of the angular momentum, too. */
static void both_bodies_on_one_rod(void **state) {
    GOS_UNUSED(state);
    one_rod_end mesh[3], step[4];
    double m[2], h[3];
    for (int i = 0; i < 3; i++) {
        mesh[i] = run_one_rod(7 << i, 0.02);
    }
    for (int i = 0; i < 4; i++) {
        step[i] = run_one_rod(14, 0.04 / (1 << i));
    }
    for (int i = 0; i < 2; i++) {
        m[i] = verify_distance(mesh[i].middle, mesh[i + 1].middle);
    }
    for (int i = 0; i < 3; i++) {
        h[i] = verify_distance(step[i].middle, step[i + 1].middle);
    }
    verify_below("middle, from 10 to 5 ms [m]", h[2], 5e-6);
    verify_within("order of the middle in the step", verify_order(h[1], h[2], 2), 1.9, 2.1);
    verify_below("middle, from 14 to 28 elements [m]", m[1], 5e-5);
    verify_within("order of the middle in the mesh", verify_order(m[0], m[1], 2), 3.5, 4.5);
    /* against 50 N m times 10 s */
    verify_below("momentum after 10 s, relative", step[3].momentum / 500, 1e-8);
    verify_within("order of the momentum", verify_order(step[0].momentum, step[2].momentum, 4), 1.8,
                  2.2);
    verify_below("energy, of the work", step[3].energy, 1e-5);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),         cmocka_unit_test(mass_properties),
        cmocka_unit_test(frequencies),    cmocka_unit_test(closed_forms),
        cmocka_unit_test(conserved),      cmocka_unit_test(temperatures),
        cmocka_unit_test(radiation),      cmocka_unit_test(shadow),
        cmocka_unit_test(published_load), cmocka_unit_test(both_bodies_on_one_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
