/* The section-vector beam against shooting solutions, published values and closed forms (theory
   guide 2.7, 5.6): large bending with shear, bending with torsion, the Princeton beam, vibrations,
   temperatures, rigid motion, heat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

/* tip displacement of a static model */
static void solve_tip(const char *text, const char *settings, double tip[3]) {
    verify v;
    double y[GOS_PROBE_MAX];
    verify_text(&v, text, settings);
    verify_static(&v);
    verify_probe(&v, NULL, "tip", y);
    memcpy(tip, y, 3 * sizeof *tip);
    verify_close(&v);
}

#define CANTILEVER(section, material)                                                              \
    "materials: {m: " material "}\n"                                                               \
    "sections: {s: " section "}\n"                                                                 \
    "bodies: {boom: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [L, 0, 0],\n"  \
    "         elements: n, section_penalty: f}}\n"                                                 \
    "joints: {root: {type: clamp, between: [ground, boom.start]}}\n"                               \
    "probes: {tip: {at: boom.end, quantity: displacement},\n"                                      \
    "         turn: {at: boom.end, quantity: rotation_vector},\n"                                  \
    "         M: {at: boom.at(0.3), quantity: section_moment}}\n"                                  \
    "analysis: {type: static}\n"

/* ---- large bending with shear ---------------------------------------------------------------- */

/* thick: l/h = 4; k_s = 10 (1 + nu)/(12 + 11 nu) by default */
static const char thick[] = "parameters: {n: 8, L: 2, F: \"5e8*0.5^3\", f: 10}\n" CANTILEVER(
    "{type: rectangle, height: 0.5, width: 0.1}",
    "{density: 7850, young: 2.07e11, poisson: 0.3}") "loads: {f: {type: force, on: boom.end, "
                                                     "value: [0, F, 0]}}\n";

/* the section is deep: beyond 0.17 of the load it would leave the plane, which the source does
   not */
#define ANY "analysis.branch=any"

/* shooting solution of Reissner's equations to 12 digits, theory guide 5.6; the guide's prototype
   has relative errors 2.6e-5, 1.6e-6, 1.0e-7 in x and 1.5e-5, 9.2e-7, 5.7e-8 in y */
static void large_bending(void **state) {
    GOS_UNUSED(state);
    static const double limit[3] = {5e-5, 5e-6, 2e-7};
    double error[3][2];
    for (int i = 0; i < 3; i++) {
        char settings[50];
        double tip[3];
        snprintf(settings, sizeof settings, "n=%d " ANY, 8 << i);
        solve_tip(thick, settings, tip);
        error[i][0] = fabs(-tip[0] / 0.1509711442 - 1);
        error[i][1] = fabs(tip[1] / 0.7105685979 - 1);
        verify_below("large load, relative error of u_x", error[i][0], limit[i]);
        verify_below("large load, relative error of u_y", error[i][1], limit[i]);
        assert_true(fabs(tip[2]) < 1e-13);
    }
    for (int c = 0; c < 2; c++) { // from 8 to 16, before the last digits of the limit count
        verify_within("order", verify_order(error[0][c], error[1][c], 2), 3.7, 4.3);
        verify_within("order", verify_order(error[1][c], error[2][c], 2), 3.7, 4.3);
    }
}

/* one element under a small load: the guide's table, u_y = 8.0990325398e-4 */
static void small_bending(void **state) {
    GOS_UNUSED(state);
    double tip[3], fine[3];
    solve_tip(thick, "n=1 F=5e5*0.5^3", tip);
    verify_near("small load, one element, u_y", tip[1], 8.0990325398e-4, 1e-10);
    verify_near("small load, one element, -u_x", -tip[0], 1.8698e-7, 0.5e-11);
    solve_tip(thick, "n=8 F=5e5*0.5^3", fine);
    verify_near("small load, 8 elements, -u_x", -fine[0], 1.88848708e-7, 1e-15);
}

/* in a plane the section's penalty has no influence but through the interpolation of a, of which
   the error above is 1.5e-5 */
static void penalty_in_plane(void **state) {
    GOS_UNUSED(state);
    double soft[3], stiff[3];
    solve_tip(thick, "f=1 " ANY, soft);
    solve_tip(thick, "f=100 " ANY, stiff);
    verify_near("penalty 1 and 100, u_y", soft[1], stiff[1], 2e-7);
}

/* ---- bending with torsion -------------------------------------------------------------------- */

/* theory guide 5.6: tip torque (0.5, 2, 0) MN m; k_t and k_s prescribed by the source.
   Saint-Venant's k_t = 0.54884 instead changes u_y, the coupling of twist and bending, by 8 %
   to 2.0151e-4 */
static void bending_with_torsion(void **state) {
    GOS_UNUSED(state);
    static const char text[] = "parameters: {n: 4, L: 2, kt: 0.5768, f: 10}\n" CANTILEVER(
        "{type: rectangle, height: 0.2, width: 0.4, shear_factors: [0.8331, 0.7961],\n"
        "    torsion_constant: \"kt*0.2*0.4*(0.2^2+0.4^2)/12\"}",
        "{density: 7850, young: 2.07e11, poisson: 0.3}") "loads: {m: {type: moment, on: "
                                                         "boom.end, moment: [0.5e6, 2e6, 0]}}\n"
                                                         "";
    double tip[3];
    solve_tip(text, NULL, tip);
    verify_near("bending with torsion, |u_x|", fabs(tip[0]), 1.09438e-4, 1e-4 * 1.09438e-4);
    verify_near("bending with torsion, |u_y|", fabs(tip[1]), 1.86437e-4, 1e-4 * 1.86437e-4);
    verify_near("bending with torsion, |u_z|", fabs(tip[2]), 1.811740e-2, 1e-4 * 1.811740e-2);
    solve_tip(text, "n=1", tip);
    verify_near("one element, |u_x|", fabs(tip[0]), 1.09435e-4, 1e-9);
    verify_near("one element, |u_y|", fabs(tip[1]), 1.8645e-4, 1e-8);
    solve_tip(text, "kt=0.54884", tip);
    verify_near("Saint-Venant's k_t, |u_y|", fabs(tip[1]), 2.0151e-4, 1e-8);
}

/* pure torque: angle M l/(G J) with Saint-Venant's J, along the axis of a square section */
static void torsion(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v,
                "parameters: {n: 2, L: 2, f: 10}\n" CANTILEVER(
                    "{type: rectangle, height: 0.1, width: 0.1}",
                    "{density: 7850, young: 2.08e11, poisson: 0.3}") "loads: {m: {type: moment, "
                                                                     "on: boom.end, moment: [1e4, "
                                                                     "0, 0], frame: body}}\n",
                NULL);
    verify_static(&v);
    /* G J = 8e10 * 0.1406 * 1e-4; the square's 0.84346 (Iy + Iz), theory guide 2.7 */
    const double GJ = 8e10 * 0.84346 * 1e-4 / 6, turn = verify_value(&v, NULL, "turn.x");
    verify_near("twist of a square bar", turn, 1e4 * 2 / GJ, 1e-5 * turn);
    verify_near("torque in it", verify_value(&v, NULL, "M.M1"), 1e4, 1);
    verify_close(&v);
}

/* ---- Princeton beam -------------------------------------------------------------------------- */

static const char princeton[] = "parameters: {n: 8, L: 0.508, P: 13.345, J: 0, f: 10}\n" CANTILEVER(
    "{type: rectangle, height: 12.3777e-3, width: 3.2024e-3 MORE}",
    "{density: 2700, young: 71.7e9, poisson: 0.31}") "loads: {f: {type: force, on: boom.end, "
                                                     "value: [0, -P*cos(pi/4), "
                                                     "P*sin(pi/4)]}}\n";

static void solve_princeton(const char *more, const char *settings, double tip[3]) {
    char text[2000];
    const char *at = strstr(princeton, " MORE");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - princeton), princeton, more, at + 5);
    solve_tip(text, settings, tip);
}

static void princeton_beam(void **state) {
    GOS_UNUSED(state);
    /* beams of a commercial program as published, theta = 45 degrees: P, -u_y, u_z [m] */
    static const double table[][3] = {{8.896, 8.8372e-3, 0.108988}, {13.345, 1.51862e-2, 0.156467}};
    double tip[3], fine[3];
    for (int i = 0; i < GOS_COUNT(table); i++) {
        char settings[50];
        snprintf(settings, sizeof settings, "P=%g", table[i][0]);
        solve_princeton("", settings, tip);
        verify_below("Princeton, exact J, y against published", -tip[1] / table[i][1] - 1, 0.015);
        verify_below("Princeton, exact J, z against published", tip[2] / table[i][2] - 1, 0.003);
    }
    /* the guide's values with k_t = 0.198, of a mesh of about this size */
    const char *const kt = ", torsion_constant: \"0.198*12.3777e-3*3.2024e-3*"
                           "(12.3777e-3^2+3.2024e-3^2)/12\"";
    solve_princeton(kt, NULL, tip);
    verify_near("Princeton, k_t = 0.198, u_y", tip[1], -0.015620, 1e-4 * 0.015620);
    verify_near("Princeton, k_t = 0.198, u_z", tip[2], 0.156772, 1e-4 * 0.156772);
    solve_princeton(kt, "n=16", fine);
    verify_below("8 and 16 elements, z", tip[2] / fine[2] - 1, 2e-5);
}

/* ---- vibrations ------------------------------------------------------------------------------ */

#define BAR                                                                                        \
    "parameters: {n: 8, E: 2.0e11, rho: 7800, nu: 0.3, h: 0.1, b: 0.06}\n"                         \
    "materials: {m: {density: rho, young: E, poisson: nu}}\n"                                      \
    "sections: {s: {type: rectangle, height: h, width: b}}\n"                                      \
    "bodies: {boom: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"  \
    "         elements: n}}\n"

static int modes_of(const char *text, int n, gos_mode *mode) {
    verify v;
    gos_linear *linear = NULL;
    int found = 0;
    verify_text(&v, text, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, n, false, mode, &found));
    gos_linear_destroy(linear);
    verify_close(&v);
    return found;
}

/* six, not nine as with Gauss points alone (theory guide 2.7) */
static void free_beam(void **state) {
    GOS_UNUSED(state);
    gos_mode mode[12];
    assert_int_equal(modes_of(BAR, 12, mode), 12);
    for (int i = 0; i < 12; i++) {
        assert_int_equal(mode[i].rigid, i < 6);
    }
    /* Euler's 22.3733 sqrt(EI/(rho A)) of the weaker axis, lowered by shear and rotary inertia */
    const double omega = 22.3733 * sqrt(2.0e11 * 0.06 * 0.06 / 12 / 7800);
    verify_within("first mode over Euler's", mode[6].omega / omega, 0.98, 0.995);
}

/* Timoshenko's frequencies of a simply supported beam, k = m pi/l: the lower root of
   rho^2 I/(k_s G) w^4 - (rho A + rho I k^2 (1 + E/(k_s G))) w^2 + E I k^4 = 0, with l = 1 */
static double timoshenko(int m) {
    const double E = 2.0e11, rho = 7800, G = E / 2.6, ks = 10 * 1.3 / (12 + 11 * 0.3);
    const double A = 0.1 * 0.06, I = 0.06 * 1e-3 / 12, k = m * M_PI;
    const double a = rho * rho * I / (ks * G), c = E * I * k * k * k * k;
    const double b = rho * A + rho * I * k * k * (1 + E / (ks * G));
    return sqrt((b - sqrt(b * b - 4 * a * c)) / (2 * a));
}

static void frequencies(void **state) {
    GOS_UNUSED(state);
    static const char text[] = BAR
        "joints: {a: {type: spherical, between: [ground, boom.start]},\n"
        "         b: {type: point_on_line, between: [ground, boom.end], direction: [1, 0, 0]}}\n";
    static const double error[3] = {4.8e-5, 7.1e-4, 3.2e-3}; // theory guide 5.6, 8 elements
    gos_mode mode[16];
    const int n = modes_of(text, 16, mode);
    for (int m = 1; m <= 3; m++) {
        const double want = timoshenko(m);
        double best = HUGE_VAL;
        for (int i = 0; i < n; i++) { // the other plane and torsion are elsewhere
            const double e = mode[i].omega / want - 1;
            best = fabs(e) < fabs(best) ? e : best;
        }
        verify_within("frequency over Timoshenko's - 1", best, 0.8 * error[m - 1],
                      1.2 * error[m - 1]);
    }
}

/* ---- temperatures ---------------------------------------------------------------------------- */

/* Held without a stress: six equations, none of them a length. The gradients are q/k. */
static const char hot[] =
    "parameters: {n: 4, dT: 300, q: 20, d: 0.05}\n"
    "materials: {m: {density: 1000, young: 1.0e8, poisson: 0.3, conductivity: 0.5,\n"
    "                specific_heat: 100, expansion: 1.0e-3}}\n"
    "sections: {s: {type: rectangle, height: d, width: 1.5*d}}\n"
    "bodies: {boom: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "         elements: n}}\n"
    "joints:\n"
    "  hinge: {type: revolute, between: [ground, boom.start], axis: [0, 0, 1]}\n"
    "  stop: {type: point_on_plane, between: [ground, boom.end], normal: [0, 1, 0]}\n"
    "heat:\n"
    "  mean: {type: temperature, on: boom.start, value: dT, gradients: free}\n"
    "  top: {type: flux, on: boom.top, value: 18*q}\n"
    "  bottom: {type: flux, on: boom.bottom, value: -18*q}\n"
    "  right: {type: flux, on: boom.right, value: q}\n"
    "  left: {type: flux, on: boom.left, value: -q}\n"
    "probes:\n"
    "  tip: {at: boom.end, quantity: position}\n"
    "  T: {at: boom.at(0.3), quantity: temperature}\n"
    "  strain: {at: boom.at(0.25*(0.5 - sqrt(1/12))), quantity: strain}\n"
    "  N: {at: boom.at(0.25*(0.5 - sqrt(1/12))), quantity: section_force}\n"
    "  M: {at: boom.at(0.25*(0.5 - sqrt(1/12))), quantity: section_moment}\n"
    "analysis: {type: static}\n";

/* No energy with any number of elements: at the points all nine strains can be what temperature
   requires. The tip is on the circle of curvature alpha |T'| up to the order of the elements. */
static void hot_and_free(void **state) {
    GOS_UNUSED(state);
    double miss[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_energy e;
        double tip[GOS_PROBE_MAX];
        verify_text(&v, hot, i ? "n=8" : NULL);
        verify_static(&v);
        verify_near("T", verify_value(&v, NULL, "T.T"), 300, 1e-6);
        verify_near("T_y", verify_value(&v, NULL, "T.T_y"), 18 * 20 / 0.5, 1e-6);
        verify_near("T_z", verify_value(&v, NULL, "T.T_z"), 20 / 0.5, 1e-6);
        gos_system_energy(v.sys, v.state, &e);
        const double EA = 1e8 * 0.05 * 0.075;
        verify_below("energy over E A (alpha dT)^2/2", e.strain / (0.5 * EA * 0.09), 1e-15);
        if (!i) {
            verify_near("axial strain at a Gauss point", verify_value(&v, NULL, "strain.axial"),
                        0.3, 1e-9);
            verify_near("k2 there, -alpha T_y", verify_value(&v, NULL, "strain.k2"), -0.72, 1e-8);
            verify_near("k3 there, -alpha T_z", verify_value(&v, NULL, "strain.k3"), -0.04, 1e-8);
            verify_below("N there over E A", verify_value(&v, NULL, "N.N") / EA, 1e-9);
        }
        verify_probe(&v, NULL, "tip", tip);
        /* an arc of length 1.3 that turns by phi: its chord */
        const double phi = hypot(0.72, 0.04), chord = 1.3 * 2 / phi * sin(0.5 * phi);
        miss[i] = fabs(gos__norm3(tip) - chord);
        verify_close(&v);
    }
    verify_below("chord of the hot beam, 4 elements", miss[0], 1e-5);
    verify_within("its order", verify_order(miss[0], miss[1], 2), 3.5, 4.5);
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* A damped beam let fall from the side, bent about both axes and twisted: what it loses is what was
   dissipated (generalised-alpha at a small step); the imbalance falls with the step squared. */
static const char swinging[] =
    "parameters: {g: 2e-3, step: 1e-3}\n"
    "gravity: [0, -9.81, -5]\n"
    "materials: {m: {density: 2000, young: 2.0e6, poisson: 0.3, conductivity: 1,\n"
    "                specific_heat: 50, expansion: 1.0e-3, damping: {normal: g, shear: g}}}\n"
    "sections: {s: {type: rectangle, height: 0.06, width: 0.04}}\n"
    "bodies: {boom: {type: ancf_beam, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "         elements: 3}}\n"
    "joints: {root: {type: clamp, between: [ground, boom.start]}}\n"
    "loads: {twist: {type: moment, on: boom.end, moment: [0.05, 0, 0], frame: body}}\n"
    "probes: {tip: {at: boom.end, quantity: position},\n"
    "         omega: {at: boom.end, quantity: angular_velocity}}\n"
    "analysis: {type: dynamic, end: 0.4, step: step, thermoelastic_heat: true,\n"
    "           viscous_heating: true}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 8, thermal_fields: 3}\n";

static double swing(const char *settings, double tip[3], double *dissipated) {
    verify v;
    gos_energy e;
    double y[GOS_PROBE_MAX];
    verify_text(&v, swinging, settings);
    verify_run(&v);
    gos_system_energy(v.sys, v.state, &e);
    verify_probe(&v, NULL, "tip", y);
    memcpy(tip, y, 3 * sizeof *tip);
    *dissipated = e.dissipated;
    assert_true(e.kinetic + e.strain > 0.1 && fabs(e.thermal_work) > 0);
    verify_close(&v);
    return fabs(e.balance) / (e.kinetic + e.strain + e.dissipated);
}

static void energy_balance(void **state) {
    GOS_UNUSED(state);
    double tip[2][3], lost[2];
    const double coarse = swing("step=2e-3", tip[0], &lost[0]);
    const double fine = swing("step=1e-3", tip[1], &lost[1]);
    verify_below("energy balance over the energies, step 1 ms", fine, 2e-3);
    verify_within("its order", verify_order(coarse, fine, 2), 1.5, 3);
    verify_within("dissipated [J]", lost[1], 0.05, 50);
    assert_true(tip[1][1] < -0.2 && tip[1][2] < -0.1);
}

/* A slow pull F cools by T = -T_ref alpha sigma / (rho c + T_ref E alpha^2) (W. Thomson), whatever
   holds the section in shape; the section is free to grow and shrink. */
static void thermoelastic(void **state) {
    GOS_UNUSED(state);
    static const char pulled[] =
        "parameters: {f: 10}\n"
        "materials: {m: {density: 2700, young: 7e10, poisson: 0.3, conductivity: 150,\n"
        "  specific_heat: 900, expansion: 2.3e-5, damping: {normal: 1e-4, shear: 1e-4}}}\n"
        "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
        "bodies: {bar: {type: ancf_beam, material: m, section: s, from: [0, 0, 0],\n"
        "  to: [0, 0, 0.2], elements: 2, section_penalty: f}}\n"
        "joints: {root: {type: clamp, between: [ground, bar.start], rigid: false}}\n"
        "loads: {pull: {type: force, on: bar.end, value: [0, 0, \"4e4*t^3*(10-15*t+6*t^2)\"]}}\n"
        "probes: {T: {at: bar.at(0.1), quantity: temperature}}\n"
        "analysis: {end: 1, tolerance: 1e-7, thermoelastic_heat: true}\n";
    const double E = 7e10, alpha = 2.3e-5, T_ref = 293.15, sigma = 4e4 / 4e-4,
                 want = -T_ref * alpha * sigma / (2700 * 900.0 + T_ref * E * alpha * alpha);
    static const char *const penalty[] = {"f=1", "f=10", "f=100"};
    for (int k = 0; k < GOS_COUNT(penalty); k++) {
        verify v;
        verify_text(&v, pulled, penalty[k]);
        verify_run(&v);
        verify_near(penalty[k], verify_value(&v, NULL, "T.T"), want, 2e-4 * fabs(want));
        verify_close(&v);
    }
}

/* the tip of the same beam with fields from `number` modes and static responses */
static void swing_reduced(int number, double tip[GOS_PROBE_MAX]) {
    verify v;
    gos_system *small = NULL;
    char settings[50];
    snprintf(settings, sizeof settings, "reduction.number=%d", number);
    verify_text(&v, swinging, settings);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
    gos_system *whole = v.sys; // the reduced one borrows from it
    gos_state_destroy(v.state);
    v.sys = small;
    verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
    verify_run(&v);
    verify_probe(&v, NULL, "tip", tip);
    gos_integrator_destroy(v.run);
    gos_state_destroy(v.state);
    gos_system_destroy(small);
    v.run = NULL;
    v.state = NULL;
    v.sys = whole;
    verify_close(&v);
}

static void reduced(void **state) {
    GOS_UNUSED(state);
    double full[3], lost, few[GOS_PROBE_MAX], more[GOS_PROBE_MAX];
    swing("g=2e-3", full, &lost);
    swing_reduced(8, few);
    swing_reduced(16, more);
    verify_below("tip of the reduced beam, 8 modes [m]", verify_distance(full, few), 0.02);
    verify_below("tip of the reduced beam, 16 modes [m]", verify_distance(full, more), 2e-4);
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* Rates of T and T_y in parallel flux q from -y at t = 0 (theory guide 2.4): rectangle b x h
   alpha q b/(rho c A) and alpha q b h/2/(rho c Iz); circle 2 alpha q R/(rho c A) and
   pi/2 alpha q R^2/(rho c I). No conduction yet, for T = 0. */
static void absorbed(const char *section, double mean, double gradient) {
    char text[1000];
    verify v;
    double T[GOS_PROBE_MAX], rate[GOS_PROBE_MAX];
    snprintf(text, sizeof text,
             "materials: {m: {density: 2, young: 1e6, conductivity: 3, specific_heat: 5,\n"
             "                absorptivity: 0.5}}\n"
             "sections: {s: %s}\n"
             "bodies: {boom: {type: ancf_beam, material: m, section: s, from: [0, 0, 0],\n"
             "         to: [1, 0, 0], elements: 3}}\n"
             "joints: {root: {type: clamp, between: [ground, boom.start]}}\n"
             "heat: {sun: {type: flux, value: 7, direction: [0, -1, 0], on: boom}}\n"
             "probes: {T: {at: boom.at(0.37), quantity: temperature}}\n"
             "analysis: {type: dynamic, end: 1e-9, step: 1e-9}\n",
             section);
    verify_text(&v, text, NULL);
    verify_start(&v);
    verify_good(&v, gos_system_probe(v.ctx, v.sys, v.state, verify_find(&v, "T"), T, rate));
    verify_near("rate of T", rate[0], 0.5 * 7 * mean / 10, 1e-10 * rate[0]);
    verify_near("rate of T_y", rate[1], 0.5 * 7 * gradient / 10, 1e-10 * rate[1]);
    verify_below("rate of T_z", rate[2], 1e-12);
    verify_close(&v);
}

static void heat(void **state) {
    GOS_UNUSED(state);
    const double h = 0.2, b = 0.3, R = 0.25, A = M_PI * R * R;
    absorbed("{type: rectangle, height: 0.2, width: 0.3}", b / (b * h),
             0.5 * b * h / (b * h * h * h / 12));
    absorbed("{type: circle, radius: 0.25}", 2 * R / A, 0.5 * M_PI * R * R / (0.25 * A * R * R));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_bending),
        cmocka_unit_test(small_bending),
        cmocka_unit_test(penalty_in_plane),
        cmocka_unit_test(bending_with_torsion),
        cmocka_unit_test(torsion),
        cmocka_unit_test(princeton_beam),
        cmocka_unit_test(free_beam),
        cmocka_unit_test(frequencies),
        cmocka_unit_test(hot_and_free),
        cmocka_unit_test(energy_balance),
        cmocka_unit_test(thermoelastic),
        cmocka_unit_test(reduced),
        cmocka_unit_test(heat),
    };
    return cmocka_run_group_tests_name("beam", tests, NULL, NULL);
}
SUITE(suite)
