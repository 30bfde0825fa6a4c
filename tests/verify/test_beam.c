/* The section-vector beam against shooting solutions, published values and closed forms (theory
   guide 2.7, 5.6): large bending with shear, bending with torsion, the Princeton beam, vibrations,
   temperatures, rigid motion, heat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "parts/vec3.h"
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

/* shooting solution of Reissner's equations to 12 digits, theory guide 5.6; the guide's prototype
   has relative errors 2.6e-5, 1.6e-6, 1.0e-7 in x and 1.5e-5, 9.2e-7, 5.7e-8 in y */
static void large_bending(void **state) {
    GOS_UNUSED(state);
    static const double limit[3] = {5e-5, 5e-6, 2e-7};
    double error[3][2];
    for (int i = 0; i < 3; i++) {
        char settings[50];
        double tip[3];
        snprintf(settings, sizeof settings, "n=%d", 8 << i);
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

/* in a plane the section's penalty has no influence but through the interpolation of a, of which the
   error above is 1.5e-5 */
static void penalty_in_plane(void **state) {
    GOS_UNUSED(state);
    double soft[3], stiff[3];
    solve_tip(thick, "f=1", soft);
    solve_tip(thick, "f=100", stiff);
    verify_near("penalty 1 and 100, u_y", soft[1], stiff[1], 2e-7);
}

/* ---- bending with torsion -------------------------------------------------------------------- */

/* theory guide 5.6: tip torque (0.5, 2, 0) MN m; k_t and k_s prescribed by the source. Saint-Venant's
   k_t = 0.54884 instead changes u_y, the coupling of twist and bending, by 8 % to 2.0151e-4 */
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_bending),    cmocka_unit_test(small_bending),
        cmocka_unit_test(penalty_in_plane), cmocka_unit_test(bending_with_torsion),
        cmocka_unit_test(torsion),          cmocka_unit_test(princeton_beam),
    };
    return cmocka_run_group_tests_name("beam", tests, NULL, NULL);
}
