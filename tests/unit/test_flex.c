/* Frames of beams and flexible bodies in the axes of a frame: frequencies, smaller spaces, damping,
   loads and what is refused, against closed forms. What is of second order, and integrals over the
   mass, are test_flex_forms.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/reduce_linear.h"
#include "support/flex_beam.h"
#include "support/suite.h"

/* ---- frequencies ----------------------------------------------------------------------------- */

/* floating-frame theory 5.1: 20 elements of the clamped hub-beam, to all digits given there */
static void test_clamped(void **state) {
    (void)state;
    static const double bending[3] = {3.90934329, 24.49948629, 68.60025001};
    double omega[3];
    beam b;
    make(&b, &arm, 1.8, 20, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "15");
    assert_int_equal(b.flex->n, 40);
    assert_int_equal(b.flex->C.m, 0);
    lowest(&b, 3, omega);
    for (int i = 0; i < 3; i++) {
        near_abs(omega[i], bending[i], 1e-8 * bending[i]);
    }
    end(&b);
    make(&b, &arm, 1.8, 20, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "0");
    lowest(&b, 1, omega);
    near_abs(omega[0], 4357.34096, 1e-5);
    end(&b);
}

/* chord: pinned at both ends, (j pi / L)^2 sqrt(EI / rho A); free: roots of cos cosh = 1; the error
   of cubic elements is (k h)^4 / 720 of the frequency */
static void test_conditions(void **state) {
    (void)state;
    static const double free_free[2] = {22.3732854478, 61.6728228676}, L = 2;
    double omega[4];
    beam b;
    make(&b, &unit, L, 20, along_x, false);
    hold(&b, GOS_FLEX_CHORD);
    keep(&b, "15");
    lowest(&b, 2, omega);
    for (int j = 1; j <= 2; j++) {
        const double k = j * M_PI / L, h = L / 20;
        near_abs(omega[j - 1], k * k * (1 + pow(k * h, 4) / 1440), 1e-7 * k * k);
    }
    end(&b);
    make(&b, &unit, L, 20, along_x, false);
    hold(&b, GOS_FLEX_MEAN_AXIS);
    keep(&b, "15");
    assert_int_equal(b.flex->C.m, 2); // translation along y, rotation about z
    lowest(&b, 2, omega);
    for (int j = 0; j < 2; j++) {
        near_abs(omega[j], free_free[j] / (L * L), 2e-5 * omega[j]);
    }
    end(&b);
}

/* with rotary inertia (Rayleigh), pinned: omega^2 = EI k^4 / (rho A (1 + k^2 I / A)); twist,
   clamped and free: pi / (2 L) sqrt(GJ / rho J) of linear elements: lambda + lambda^2 h^2 / 12 */
static void test_rotary(void **state) {
    (void)state;
    const double L = 2, k = M_PI / L, h = L / 20;
    double omega[1];
    beam b;
    make(&b, &unit, L, 20, along_x, true);
    hold(&b, GOS_FLEX_CHORD);
    keep(&b, "15");
    lowest(&b, 1, omega);
    near_abs(omega[0], k * k / sqrt(1 + k * k * unit.inertia[0]), 1e-6 * k * k);
    end(&b);
    for (int rotary = 0; rotary < 2; rotary++) { // that about the axis is there always
        make(&b, &unit, L, 20, along_x, rotary);
        hold(&b, GOS_FLEX_CLAMPED);
        keep(&b, "3");
        lowest(&b, 1, omega);
        const double lambda = pow(k / 2, 2), c2 = 2 / 3e-3;
        near_abs(omega[0] * omega[0], c2 * (lambda + lambda * lambda * h * h / 12),
                 1e-6 * c2 * lambda);
        end(&b);
    }
}

/* axes of the body do not matter */
static void test_turned(void **state) {
    (void)state;
    double omega[2][8];
    beam b;
    for (int turned = 0; turned < 2; turned++) {
        make(&b, &unit, 2, 8, turned ? skew : along_x, true);
        hold(&b, GOS_FLEX_CLAMPED);
        keep(&b, "012345");
        lowest(&b, 8, omega[turned]);
        end(&b);
    }
    for (int i = 0; i < 8; i++) {
        near_abs(omega[1][i], omega[0][i], 1e-9 * omega[0][i]);
    }
}

/* ---- smaller spaces, damping, what is refused ------------------------------------------------ */

static void test_project(void **state) {
    (void)state;
    beam b;
    make(&b, &arm, 1.8, 10, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "0123 45");
    const int n = b.flex->n;
    gos_linear *l;
    gos_mode mode[4];
    double *V = calloc(4 * (size_t)n, sizeof *V), omega[4];
    int found;
    assert_int_equal(gos__flex_linear(b.flex, 0, NULL, 0, NULL, &l), GOS_OK);
    assert_int_equal(gos_linear_shapes(b.ctx, l, 4, mode, V, &found), GOS_OK);
    gos_flex *whole = b.flex;
    assert_int_equal(gos__flex_project(whole, &(gos_flex_space){.r = 4, .V = V}, &b.flex), GOS_OK);
    lowest(&b, 4, omega);
    for (int i = 0; i < 4; i++) {
        near_abs(omega[i], mode[i].omega, 1e-9 * omega[i]);
    }
    // of the displacement of the end by the second mode, and of the field X_1 with it
    double u = 0, x = 0;
    for (int k = 0; k < n; k++) {
        u += at(&whole->move, k, 3 * 10 + 1) * V[n + k];
        x += at(&whole->gram, 1, gos__flex_at(k, 1)) * V[n + k];
    }
    near_abs(at(&b.flex->move, 1, 3 * 10 + 1), u, 1e-12);
    near_abs(at(&b.flex->gram, 1, gos__flex_at(1, 1)), x, 1e-12);
    near_abs(at(&b.flex->gram, 0, 0), 2767 * 2.5e-4 * 1.8, 1e-12);
    near_abs(at(&b.flex->second, 6 * 4, 3 * 10), -1,
             1e-10); // forms of elements stay, each projected
    double s = 0;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) {
            s += V[n + i] * at(&whole->moment[1], i, j) * V[j];
        }
    }
    near_abs(at(&b.flex->moment[1], 1, 0), s, 1e-9 * fabs(s));
    gos__flex_destroy(whole);
    gos_linear_destroy(l);
    free(V);
    end(&b);
}

/* every mode of a beam decays with the ratio that was given; Rayleigh: (a / omega + b omega) / 2;
   Kelvin-Voigt: gamma omega / 2 with the factor of normal strains, or that of twist */
static void test_damping(void **state) {
    (void)state;
    static const char *const freedoms[] = {"012345", "012345", "01245", "3"};
    gos_fe_beam data = unit;
    data.gamma[0] = 0.004;
    data.gamma[1] = 0.001;
    for (int kind = 0; kind < 4; kind++) {
        beam b;
        make(&b, kind < 2 ? &unit : &data, 2, 6, along_x, false);
        gos__flex_destroy(b.flex);
        b.frame.damping[0] = kind == 0 ? 0.2 : 0;
        b.frame.damping[1] = kind == 0 ? 0.003 : 0;
        assert_int_equal(gos__fe_frame_make(b.ctx, &b.frame, &b.flex), GOS_OK);
        hold(&b, GOS_FLEX_CLAMPED);
        keep(&b, freedoms[kind]);
        gos_linear *l;
        gos_mode mode[5];
        int found;
        assert_int_equal(kind == 1 ? gos__flex_damp(b.flex, 0.02) : GOS_OK, GOS_OK);
        assert_int_equal(gos__flex_linear(b.flex, 0, NULL, 0, NULL, &l), GOS_OK);
        assert_int_equal(gos_linear_modes(b.ctx, l, 5, true, mode, &found), GOS_OK);
        for (int i = 0; i < 5; i++) {
            const double w = mode[i].omega;
            const double want[4] = {(0.2 / w + 0.003 * w) / 2, 0.02, 0.004 * w / 2, 0.001 * w / 2};
            near_abs(mode[i].damping, want[kind], 1e-8);
        }
        gos_linear_destroy(l);
        end(&b);
    }
}

/* unconstrained rigid motions, by name */
static void test_refused(void **state) {
    (void)state;
    static const char *const what[] = {"translation along x", "translation along y",
                                       "rotation about x", "rotation about z"};
    static const char *const freedom[] = {"0", "1", "3", "15"};
    for (int i = 0; i < 4; i++) {
        beam b;
        make(&b, &unit, 2, 4, along_x, false);
        bool dropped[30] = {false};
        for (int k = 0; k < 30; k++) { // pinned in the middle where it may turn
            dropped[k] = !strchr(freedom[i], '0' + k % 6) || (i == 3 && k == 2 * 6 + 1);
        }
        assert_int_equal(gos__flex_drop(b.flex, dropped), GOS_OK);
        assert_int_equal(gos__flex_check(b.flex, (gos_loc){0}, "body 'arm'"), GOS_E_INPUT);
        assert_non_null(strstr(gos_ctx_message(b.ctx), what[i]));
        end(&b);
    }
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* Statics of a cantilever, closed forms at its end, to which finite elements are exact at nodes: L
   = 2, EA = 1e4, EI_y = 1 and EI_z = 4, GJ = 2, rho A = 1. Triangular line load q at the end: 11 q
   L^4 / (120 EI); the twist of sections, whose inertia about the axis is 3e-3: theta = J L^2 / (2
   GJ). */
static void test_loads(void **state) {
    (void)state;
    const double L = 2, EA = 1e4, J = 3e-3;
    const struct {
        gos_flex_input input, at; // what acts, and where the answer is read
        double want;
    } cases[] = {
        {{.load = GOS_FLEX_FORCE, .axis = 1, .node = 8}, {0}, L * L * L / 3},
        {{.load = GOS_FLEX_FORCE, .axis = 2, .node = 8}, {0}, L * L * L / 12},
        {{.load = GOS_FLEX_MOMENT, .axis = 2, .node = 8}, {.axis = 1}, L * L / 2},
        {{.load = GOS_FLEX_MOMENT, .axis = 1, .node = 8}, {.axis = 2}, -L * L / 8},
        {{.load = GOS_FLEX_ACCELERATION, .axis = 0}, {.axis = 0}, -L * L / (2 * EA)},
        {{.load = GOS_FLEX_ACCELERATION, .axis = 1}, {.axis = 1}, -pow(L, 4) / 8},
        {{.load = GOS_FLEX_EULER, .axis = 2}, {.axis = 1}, -11 * pow(L, 5) / 120},
        {{.load = GOS_FLEX_EULER, .axis = 1}, {.axis = 2}, 11 * pow(L, 5) / 480},
        {{.load = GOS_FLEX_EULER, .axis = 0}, {.load = GOS_FLEX_MOMENT, .axis = 0}, -J * L * L / 4},
        {{.load = GOS_FLEX_CENTRIFUGAL, .axis = 2, .other = 2}, {.axis = 0}, L * L * L / (3 * EA)},
        {{.load = GOS_FLEX_CENTRIFUGAL, .axis = 0, .other = 0}, {.axis = 0}, 0},
        {{.load = GOS_FLEX_CENTRIFUGAL, .axis = 0, .other = 1}, {.axis = 1}, -11 * pow(L, 5) / 120},
    };
    beam b;
    make(&b, &unit, L, 8, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "012345");
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        gos_flex_input at = i < 2 ? cases[i].input : cases[i].at;
        double H[2], omega = 0;
        at.node = 8;
        at.load = at.load == GOS_FLEX_MOMENT ? GOS_FLEX_MOMENT : GOS_FLEX_FORCE;
        gos_linear *l = linear_of(b.flex, 1, &cases[i].input, 1, &at);
        assert_int_equal(gos_linear_response(b.ctx, l, 1, &omega, H), GOS_OK);
        near_abs(H[0], cases[i].want, 1e-9);
        gos_linear_destroy(l);
    }
    end(&b);
}

/* A skew beam that is free, at the angular velocity w: the sum of the loads along each axis is S
   w^2 - w (w . S) with S = int X dm = rho A L^2 / 2 along the beam. */
static void test_centrifugal(void **state) {
    (void)state;
    const double L = 2, w[3] = {0.3, -0.5, 0.7};
    double S[3], sum[3] = {0}, ww = 0, wS = 0, load[6 * 9];
    beam b;
    make(&b, &unit, L, 8, skew, false);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            const gos_flex_input in = {.load = GOS_FLEX_CENTRIFUGAL, .axis = i, .other = j};
            memset(load, 0, sizeof load);
            gos__flex_load(b.flex, &in, 1, load);
            for (int k = 0; k < 54; k++) {
                sum[k % 3] += k % 6 < 3 ? w[i] * w[j] * load[k] : 0;
            }
        }
        S[i] = L * L / 2 * skew[0][i];
        ww += w[i] * w[i];
        wS += w[i] * S[i];
    }
    for (int c = 0; c < 3; c++) {
        near_abs(sum[c], S[c] * ww - w[c] * wS, 1e-12);
    }
    end(&b);
}

/* A column of 1.5 m along y and an arm of 0.5 m along x on it, rigidly joined, by closed forms of
   beam statics at the end; the column's local y is -x. An axial force 1 pulls the column along y,
   and the arm along x: there alone bending draws the end back. */
static void test_corner(void **state) {
    (void)state;
    const double a = 1.5, b_ = 0.5, EI[2] = {1, 4}, GJ = 2, EA = 1e4;
    const double column[3][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    const gos_flex_input port[3] = {
        {GOS_FLEX_FORCE, 0, 0, 4}, {GOS_FLEX_FORCE, 1, 0, 4}, {GOS_FLEX_FORCE, 2, 0, 4}};
    const double want[3] = {a * a * a / (3 * EI[0]) + b_ / EA,
                            b_ * b_ * b_ / (3 * EI[0]) + b_ * b_ * a / EI[0] + a / EA,
                            (a * a * a + b_ * b_ * b_) / (3 * EI[1]) + b_ * b_ * a / GJ};
    double H[18], zero = 0;
    beam b;
    make(&b, &unit, 1, 4, along_x, false);
    gos__flex_destroy(b.flex);
    for (int i = 0; i <= 4; i++) { // three elements in the column
        b.x[i][0] = i == 4 ? b_ : 0;
        b.x[i][1] = i < 4 ? a * i / 3 : a;
        memcpy(b.element[i < 3 ? i : 3].axis, i < 3 ? column : along_x, sizeof column);
    }
    assert_int_equal(gos__fe_frame_make(b.ctx, &b.frame, &b.flex), GOS_OK);
    near_abs(at(&b.flex->gram, 0, 0), a + b_, 1e-13);
    near_abs(at(&b.flex->gram, 0, 2), a * a / 2 + a * b_, 1e-13);
    hold(&b, GOS_FLEX_CLAMPED);
    for (int e = 0; e < 4; e++) {
        near_abs(at(&b.flex->second, 6 * e, 3 * 4), e == 3 ? -1 : 0, 1e-10);
        near_abs(at(&b.flex->second, 6 * e, 3 * 4 + 1), e < 3 ? -1 : 0, 1e-10);
        near_abs(at(&b.flex->second, 6 * e, 3 * 4 + 2), 0, 1e-10);
    }
    keep(&b, "012345");
    gos_linear *l = linear_of(b.flex, 3, port, 3, port);
    assert_int_equal(gos_linear_response(b.ctx, l, 1, &zero, H), GOS_OK);
    for (int i = 0; i < 3; i++) {
        near_abs(H[2 * (3 * i + i)], want[i], 1e-9);
    }
    near_abs(H[2 * 1], -b_ * a * a / (2 * EI[0]), 1e-9); // along x by a force along y
    near_abs(H[2 * 2], 0, 1e-12);
    gos_linear_destroy(l);
    end(&b);
}

/* Five second-order Krylov vectors of the force across the end and of the Euler load, on the
   hub-beam: the projected body has the first frequency to 1e-9, and answers both loads statically
   as the whole one does. */
static void test_krylov(void **state) {
    (void)state;
    const gos_flex_input port[2] = {{GOS_FLEX_FORCE, 1, 0, 20}, {GOS_FLEX_EULER, 2, 0, 0}};
    const gos_linear_reduction_options options = {.method = "krylov", .order = 5};
    gos_linear_reduction *reduction;
    double omega[1], zero = 0, H[2][8];
    int n, r;
    beam b;
    make(&b, &arm, 1.8, 20, along_x, false);
    hold(&b, GOS_FLEX_CLAMPED);
    keep(&b, "15");
    gos_linear *l = linear_of(b.flex, 2, port, 2, port);
    assert_int_equal(gos_linear_reduce(b.ctx, l, &options, &reduction), GOS_OK);
    const double *V = gos_linear_reduction_basis(reduction, GOS_DISPLACEMENT, false, &n, &r);
    assert_int_equal(n, 40);
    assert_int_equal(r, 5);
    gos_flex *whole = b.flex;
    assert_int_equal(gos__flex_project(whole, &(gos_flex_space){.r = r, .V = V}, &b.flex), GOS_OK);
    lowest(&b, 1, omega);
    near_abs(omega[0], 3.90934329, 1e-8);
    gos_linear *small = linear_of(b.flex, 2, port, 2, port);
    assert_int_equal(gos_linear_response(b.ctx, l, 1, &zero, H[0]), GOS_OK);
    assert_int_equal(gos_linear_response(b.ctx, small, 1, &zero, H[1]), GOS_OK);
    for (int i = 0; i < 8; i += 2) {
        assert_true(fabs(H[0][i]) > 1e-3);
        near_abs(H[1][i], H[0][i], 1e-9 * fabs(H[0][i]));
    }
    gos_linear_destroy(small);
    gos_linear_reduction_destroy(reduction);
    gos_linear_destroy(l);
    gos__flex_destroy(whole);
    end(&b);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clamped),     cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_rotary),      cmocka_unit_test(test_turned),
        cmocka_unit_test(test_project),     cmocka_unit_test(test_damping),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_loads),
        cmocka_unit_test(test_krylov),      cmocka_unit_test(test_corner),
        cmocka_unit_test(test_centrifugal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
