/* Frequencies and damping of linearised models against closed forms: beams and rods (theory 5.2), a
   rigid pendulum, structures stiffened by tension, and a column that flutters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "linalg/eigen.h"
#include "support/modes.h"
#include "support/suite.h"

/* square section: each bending frequency comes twice; L = 1 m, EI/(rho A) = (c h)^2 / 12 */
#define CABLE                                                                                      \
    "parameters: {n: 16, h: 0.01, E: 2.0e11, rho: 7800, g: 0, P: 0}\n"                             \
    "materials: {m: {density: rho, young: E, poisson: 0.3, damping: {normal: g, shear: g}}}\n"     \
    "sections: {s: {type: rectangle, height: h, width: h}}\n"                                      \
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "   \
    "elements: n}}\n"

static const char free_cable[] = CABLE;
static const char cantilever[] = CABLE "joints: {c: {type: clamp, between: [ground, rod.start]}}\n";
static const char soft_cantilever[] =
    CABLE "joints: {c: {type: clamp, between: [ground, rod.start], rigid: false}}\n";
static const char pinned[] = CABLE "joints: {c: {type: spherical, between: [ground, rod.start]}}\n";
static const char supported[] =
    CABLE "joints: {a: {type: spherical, between: [ground, rod.start]},\n"
          "         b: {type: point_on_line, between: [ground, rod.end], direction: [1, 0, 0]}}\n"
          "loads: {f: {type: force, on: rod.end, value: [P, 0, 0]}}\n";

static double unit_of(double h, double E, double rho) {
    return sqrt(E * h * h / 12 / rho);
}

/* pairs of bending frequencies over the unit, after `zeros` rigid modes */
static void check_pairs(const char *text, int n, int zeros, int npair, const double *expected,
                        double tolerance) {
    gos_mode mode[16];
    fixture f = linear_model(text, NAMES("n"), VALUES(n));
    const double unit = unit_of(0.01, 2.0e11, 7800);
    get_modes(&f, zeros + 2 * npair, false, mode);
    for (int i = 0; i < zeros; i++) {
        assert_true(mode[i].rigid && mode[i].omega == 0);
    }
    for (int k = 0; k < 2 * npair; k++) {
        assert_false(mode[zeros + k].rigid);
        near_rel_named("frequency", mode[zeros + k].omega / unit, expected[k / 2], tolerance);
    }
    done(&f);
}

/* Cubic elements give omega too large by (beta / n)^4 / 1440, beta^2 the constant: with 64 elements
   below 6e-7 here, so the printed digits of the constants decide */
static void test_beams(void **unused) {
    GOS_UNUSED(unused);
    check_pairs(cantilever, 64, 0, 3, (const double[]){3.51602, 22.0345, 61.6972}, 2e-6);
    check_pairs(pinned, 64, 2, 3, (const double[]){15.4182, 49.9649, 104.248}, 5e-6);
    const double p = M_PI * M_PI;
    check_pairs(supported, 64, 0, 3, (const double[]){p, 4 * p, 9 * p}, 1e-6);
    check_pairs(free_cable, 64, 5, 3, (const double[]){22.3733, 61.6728, 120.903}, 5e-6);
}

static const char tilted[] =
    "parameters: {n: 16, h: 0.01}\n"
    "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
    "sections: {s: {type: rectangle, height: h, width: 2*h}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0.3, -0.1, 0.2], "
    "to: [0.9, 0.5, -0.4], elements: n}}\n";

/* The straight cable has no coordinate for its own spin, so five rigid modes, for any
   mesh, the slenderness and the direction. */
static void test_rigid_modes(void **unused) {
    GOS_UNUSED(unused);
    const char *const text[] = {free_cable, tilted};
    const double n[] = {1, 8, 40, 333, 2000}, h[] = {0.1, 0.01, 1e-3};
    for (int i = 0; i < 2 * GOS_COUNT(n) * GOS_COUNT(h); i++) {
        gos_mode mode[7];
        fixture f = linear_model(text[i % 2], NAMES("n", "h"),
                                 VALUES(n[i / 2 % GOS_COUNT(n)], h[i / 2 / GOS_COUNT(n)]));
        get_modes(&f, 7, false, mode);
        for (int k = 0; k < 7; k++) {
            assert_int_equal(mode[k].rigid, k < 5);
            assert_true(isfinite(mode[k].omega) && (k < 5) == (mode[k].omega == 0));
        }
        done(&f);
    }
}

/* a thread of 2000 elements, 100000 times longer than thick: its stretching drowns its bending
   in the rounding of K, and that is reported */
static void test_too_fine(void **unused) {
    GOS_UNUSED(unused);
    gos_mode mode[7];
    const double n[] = {20, 2000};
    for (int i = 0; i < 2; i++) {
        fixture f = linear_model(tilted, NAMES("n", "h"), VALUES(n[i], 1e-5));
        get_modes(&f, 7, false, mode);
        assert_int_equal(gos_ctx_ndiag(f.ctx), i);
        assert_true(mode[0].rigid);
        done(&f);
    }
}

/* bending with cubic elements: omega converges with h^4 */
static void test_order(void **unused) {
    GOS_UNUSED(unused);
    const double exact[] = {3.516015268505, 22.034491565, 61.697214414};
    double last[3] = {0};
    for (int n = 8; n <= 32; n *= 2) {
        gos_mode mode[6];
        fixture f = linear_model(cantilever, NAMES("n"), VALUES(n));
        get_modes(&f, 6, false, mode);
        for (int k = 0; k < 3; k++) {
            const double error = mode[2 * k].omega / unit_of(0.01, 2.0e11, 7800) / exact[k] - 1;
            assert_true(error > 0); // an upper bound, as of every conforming element
            if (n > 8) {
                const double order = log2(last[k] / error);
                near_abs_named("order", order, 4, 0.15);
            }
            last[k] = error;
        }
        done(&f);
    }
}

/* (k - 1/2) pi c / L; the clamp must leave the stretch free. Cubic rod elements: order 6. */
static void test_axial(void **unused) {
    GOS_UNUSED(unused);
    const double E = 2.0e11, rho = 7800;
    fixture f = linear_model(soft_cantilever, NAMES("n"), VALUES(8));
    gos_mode mode[40];
    int axial = 0;
    get_modes(&f, 40, false, mode);
    for (int k = 0; k < 40; k++) {
        if (mode[k].mass[0] > 1e-6) {
            const double exact = (axial + 0.5) * M_PI * sqrt(E / rho);
            near_rel_named("axial frequency", mode[k].omega, exact, axial ? 1e-4 : 1e-7);
            axial++;
        }
        if (axial == 3) {
            break;
        }
    }
    assert_int_equal(axial, 3);
    done(&f);
}

/* parts of the mass of a clamped beam: 4 sigma^2 / beta^2 of each mode's constants */
static void test_effective_masses(void **unused) {
    GOS_UNUSED(unused);
    const double mass = 7800 * 1e-4, part[] = {0.613075, 0.188300, 0.0647319};
    gos_mode mode[54];
    fixture f = linear_model(cantilever, NAMES("n"), VALUES(32));
    get_modes(&f, 6, false, mode);
    for (int k = 0; k < 3; k++) {
        near_rel_named("effective mass", mode[2 * k].mass[1] + mode[2 * k + 1].mass[1],
                       part[k] * mass, 1e-5);
        near_rel_named("effective mass", mode[2 * k].mass[2] + mode[2 * k + 1].mass[2],
                       part[k] * mass, 1e-5);
    }
    done(&f);
    // of a free body the whole mass moves with its rigid modes, of any body with all modes
    f = linear_model(free_cable, NAMES("n"), VALUES(8));
    get_modes(&f, 54, false, mode);
    double sum[2][3] = {{0}};
    for (int k = 0; k < 54; k++) {
        for (int c = 0; c < 3; c++) {
            sum[0][c] += k < 5 ? mode[k].mass[c] : 0;
            sum[1][c] += mode[k].mass[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        near_rel_named("mass of the rigid modes", sum[0][c], mass, 1e-10);
        near_rel_named("mass of all modes", sum[1][c], mass, 1e-10);
    }
    done(&f);
}

/* Kelvin-Voigt: s = -gamma omega^2/2 +- sqrt(gamma^2 omega^4/4 - omega^2), overdamped above
   2/gamma */
static void test_kelvin_voigt(void **unused) {
    GOS_UNUSED(unused);
    const double g = 4.5e-3;
    const char *const text[] = {cantilever, free_cable};
    const double size[] = {6, 16, 200};
    for (int i = 0; i < 2 * GOS_COUNT(size); i++) {
        fixture f = linear_model(text[i % 2], NAMES("n", "h", "E", "rho", "g"),
                                 VALUES(size[i / 2], 0.01, 1e8, 2000, g));
        gos_mode undamped[24], mode[24];
        get_modes(&f, 24, false, undamped);
        get_modes(&f, 24, true, mode);
        int over = 0, k = 0;
        for (int j = 0; k < 24; j++) {
            const double w = undamped[j].omega, half = 0.5 * g * w * w;
            assert_int_equal(mode[k].rigid, undamped[j].rigid);
            near_rel_named("omega", mode[k].omega, w, 1e-7);
            near_rel_named("damping ratio", mode[k].damping, 0.5 * g * w, 1e-7);
            if (g * w < 2) {
                near_rel_named("real part", mode[k].re, -half, 1e-7);
                near_rel_named("imaginary part", mode[k].im, sqrt(w * w - half * half), 1e-6);
                k++;
                continue;
            }
            // slower root first
            const double root = sqrt(half * half - w * w);
            near_rel_named("slow root", mode[k].re, -w * w / (half + root), 1e-6);
            assert_true(mode[k].im == 0);
            if (++k < 24) {
                near_rel_named("fast root", mode[k].re, -half - root, 1e-6);
                near_rel_named("omega", mode[k].omega, w, 1e-7);
                k++;
            }
            over++;
        }
        assert_true(over > 0);
        done(&f);
    }
}

/* two materials: no closed form, but the projection of a small model is the whole space, and a fine
   mesh must come near to it */
static void test_mixed_damping(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {n: 4, g: 0}\n"
        "materials:\n"
        "  a: {density: 2000, young: 1.0e8, poisson: 0.3, damping: {normal: 4.5e-3, shear: 0}}\n"
        "  b: {density: 2000, young: 1.0e8, poisson: 0.3, damping: {normal: g, shear: 0}}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
        "bodies:\n"
        "  p: {type: ancf_cable, material: a, section: s, from: [0, 0, 0], to: [0.6, 0, 0], "
        "elements: n}\n"
        "  q: {type: ancf_cable, material: b, section: s, from: [0.6, 0, 0], to: [1.2, 0, 0], "
        "elements: n}\n"
        "joints:\n"
        "  c: {type: clamp, between: [ground, p.start]}\n"
        "  t: {type: tie, between: [p.end, q.start], smooth: true}\n";
    gos_mode mode[3][6];
    const double n[] = {8, 16, 100};
    for (int i = 0; i < 3; i++) {
        fixture f = linear_model(text, NAMES("n", "g"), VALUES(n[i], 3e-2));
        get_modes(&f, 6, true, mode[i]);
        done(&f);
    }
    for (int k = 0; k < 6; k++) {
        // 8 elements are solved whole (96 free coordinates); bending of order 4, damping likewise:
        // the tie holds the stretch continuous, which axial damping does not want, but bending does
        near_rel_named("omega", mode[1][k].omega, mode[2][k].omega, 3e-5);
        near_rel_named("omega", mode[0][k].omega, mode[2][k].omega, 5e-4);
        near_rel_named("damping", mode[0][k].damping, mode[2][k].damping, 5e-3);
        assert_true(fabs(mode[2][k].damping / (0.5 * 4.5e-3 * mode[2][k].omega) - 1) > 0.2);
    }
}

/* sqrt(m g d / (I + m d^2)): nothing but the forces of the constraints makes its stiffness */
static void test_rigid_pendulum(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {up: 1}\n"
        "bodies: {b: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.25], position: [0, -0.5*up, "
        "0]}}\n"
        "joints: {j: {type: revolute, between: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
        "gravity: [0, -9.81, 0]\n";
    const double omega = sqrt(2 * 9.81 * 0.5 / (0.25 + 2 * 0.25));
    gos_mode mode[2];
    int found;
    fixture f = linear_model(text, NULL, NULL);
    need(f.ctx, gos_linear_modes(f.ctx, f.linear, 2, false, mode, &found));
    assert_int_equal(found, 1);
    near_rel_named("pendulum", mode[0].omega, omega, 1e-13);
    done(&f);
    // upside down it falls, and says so
    f = linear_model(text, NAMES("up"), VALUES(-1));
    for (int damped = 0; damped < 2; damped++) {
        gos_ctx_clear(f.ctx);
        need(f.ctx, gos_linear_modes(f.ctx, f.linear, 2, damped, mode, &found));
        assert_int_equal(found, 1 + damped);
        near_rel_named("growth", mode[0].re, omega, 1e-13);
        assert_true(mode[0].omega == 0 && !mode[0].rigid);
        assert_int_equal(gos_ctx_ndiag(f.ctx), 1);
    }
    done(&f);
}

/* Supported beam pulled by P to the stretch l, EA (l^2 - 1) l / 2 = P: per reference length
   omega^2 = k^4 EI / (l^2 rho A) + k^2 P / (l rho A), k = n pi / L. */
static void test_tension(void **unused) {
    GOS_UNUSED(unused);
    const double E = 1e8, rho = 2000, h = 0.01, A = h * h, P = 50;
    double l = 1;
    for (int i = 0; i < 50; i++) {
        l -= (E * A * (l * l - 1) * l / 2 - P) / (E * A * (3 * l * l - 1) / 2);
    }
    fixture f = read_model(supported, NAMES("n", "h", "E", "rho", "P"), VALUES(40, h, E, rho, P));
    to_equilibrium(&f);
    linearise(&f);
    gos_mode mode[8];
    get_modes(&f, 8, false, mode);
    for (int i = 0; i < 4; i++) {
        const double k = (i + 1) * M_PI, EI = E * A * h * h / 12;
        const double w = sqrt(k * k * (k * k * EI / (l * l) + P / l) / (rho * A));
        near_rel_named("pulled beam", mode[2 * i].omega, w,
                       2e-6); // (k / 40)^4 / 1440 = 7e-6 of the bending part
        near_rel_named("pulled beam", mode[2 * i + 1].omega, w, 2e-6);
    }
    done(&f);
}

/* Thin chain hanging from a clamp: j_0k / 2 sqrt(g / L). Small corrections, by first-order
   perturbation: the clamp's boundary layer shortens it by sqrt(EI / T), its own bending and
   stretching change omega by the amounts below; of the second order, 1e-4 is left in the third
   mode. */
static void test_chain(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] = "materials: {m: {density: 1000, young: 1.0e8, poisson: 0.3}}\n"
                               "sections: {s: {type: rectangle, height: 3.0e-5, width: 3.0e-5}}\n"
                               "bodies: {rod: {type: ancf_cable, material: m, section: s, from: "
                               "[0, 0, 0], to: [0, -1, 0], "
                               "elements: 2000}}\n"
                               "joints: {c: {type: clamp, between: [ground, rod.start]}}\n"
                               "gravity: [0, -9.81, 0]\n";
    const double zero[] = {2.404825557695773, 5.520078110286311, 8.653727912911012};
    const double bending[] = {6.8e-7, 6.25e-5, 5.99e-4}, stretch[] = {-2.8e-5, -1.8e-5, -1.7e-5};
    const double tolerance[] = {1e-5, 1e-5, 2e-4};
    const double layer = sqrt(1e8 * 9e-10 / 12 / (1000 * 9.81));
    fixture f = read_model(text, NULL, NULL);
    to_equilibrium(&f);
    linearise(&f);
    gos_mode mode[6];
    get_modes(&f, 6, false, mode);
    for (int k = 0; k < 6; k++) {
        const double change = 1 + bending[k / 2] + stretch[k / 2];
        near_rel_named("chain", mode[k].omega,
                       0.5 * zero[k / 2] * sqrt(9.81 / (1 - layer)) * change, tolerance[k / 2]);
    }
    done(&f);
}

/* Beck's column: a follower force makes it flutter at 20.05 EI/L^2 with omega = 11.016 */
static void test_flutter(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        "parameters: {P: 0}\n"
        "materials: {m: {density: 1.0e4, young: 1.2e9, poisson: 0.3}}\n"
        "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\n"
        "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0], "
        "elements: 32}}\n"
        "joints: {c: {type: clamp, between: [ground, rod.start]}}\n"
        "loads: {f: {type: force, on: rod.end, value: [-P, 0, 0], frame: body}}\n";
    const double load[] = {19.9, 20.2};
    for (int i = 0; i < 2; i++) {
        gos_linear_info info;
        gos_mode mode[4];
        fixture f = read_model(text, NAMES("P"), VALUES(load[i]));
        to_equilibrium(&f);
        linearise(&f);
        gos_linear_info_get(f.linear, &info);
        assert_false(info.symmetric);
        gos_ctx_clear(f.ctx);
        get_modes(&f, 4, false, mode);
        near_rel_named("flutter frequency", mode[0].omega, 11.016, i ? 0.01 : 0.1);
        const double grows = fmax(mode[0].re, mode[1].re);
        assert_true(i ? grows > 0.1 : grows < 1e-6);
        assert_int_equal(gos_ctx_ndiag(f.ctx), i);
        done(&f);
    }
}

/* Lanczos on 120 elements against LAPACK on the same, and on 2000 against theory: there the
   rounding of K limits both, eps n^4 / beta^4. */
static void test_large(void **unused) {
    GOS_UNUSED(unused);
    enum { N = 20 };
    fixture f = linear_model(cantilever, NAMES("n", "h"), VALUES(120, 0.1));
    const gos_pencil p = {
        .K = &f.linear->K, .M = &f.linear->M, .C = &f.linear->block[GOS_BLOCK_C], .ncomp = 3};
    double dense[N], lanczos[N], *X = test_malloc(N * (size_t)f.linear->nq * sizeof *X);
    int found;
    need(f.ctx, gos__eigen_dense(f.ctx, &p, N, dense, X, &found));
    assert_int_equal(found, N);
    need(f.ctx, gos__eigen_lanczos(f.ctx, &p, N, lanczos, X, &found));
    assert_int_equal(found, N);
    double *squares = test_malloc((size_t)f.linear->nq * sizeof *squares);
    for (int k = 0; k < N; k++) {
        // the limit of both is the rounding of K, 1e-7 of the first eigenvalue here
        const double rounding = gos__pencil_rounding(&p, X + k * f.linear->nq, squares);
        near_abs_named("lambda", lanczos[k], dense[k], 4 * rounding + 1e-12 * dense[k]);
        assert_true(rounding < 1e-6 * dense[0]);
    }
    test_free(squares);
    test_free(X);
    done(&f);
    const double exact[] = {3.516015268505, 22.034491565};
    gos_mode mode[4];
    f = linear_model(cantilever, NAMES("n", "h"), VALUES(2000, 0.1));
    get_modes(&f, 4, false, mode);
    for (int k = 0; k < 4; k++) {
        near_rel_named("omega", mode[k].omega, exact[k / 2] * unit_of(0.1, 2.0e11, 7800),
                       k < 2 ? 1e-3 : 3e-5);
    }
    done(&f);
}

/* Twelve equal cantilevers of square section: every frequency comes 24 times, and ten of them
   are requested. A single Lanczos vector sees one. A cluster that is cut is reported. */
static void test_cluster(void **unused) {
    GOS_UNUSED(unused);
    char text[4096], *at = text;
    at += sprintf(at, "materials: {m: {density: 7800, young: 2.0e11, poisson: 0.3}}\n"
                      "sections: {s: {type: rectangle, height: 0.01, width: 0.01}}\nbodies:\n");
    for (int i = 0; i < 12; i++) {
        at += sprintf(at,
                      "  b%d: {type: ancf_cable, material: m, section: s, from: [0, %d, 0], "
                      "to: [1, %d, 0], elements: 8}\n",
                      i, i, i);
    }
    at += sprintf(at, "joints:\n");
    for (int i = 0; i < 12; i++) {
        at += sprintf(at, "  j%d: {type: clamp, between: [ground, b%d.start]}\n", i, i);
    }
    fixture f = linear_model(text, NULL, NULL);
    gos_mode mode[26];
    const int n[] = {10, 24, 26};
    for (int i = 0; i < 3; i++) {
        gos_ctx_clear(f.ctx);
        get_modes(&f, n[i], false, mode);
        assert_int_equal(gos_ctx_ndiag(f.ctx), n[i] % 24 != 0);
        for (int k = 0; k < n[i]; k++) {
            near_rel_named("frequency of the cluster", mode[k].omega / unit_of(0.01, 2.0e11, 7800),
                           k < 24 ? 3.51602 : 22.0345, 1e-4);
        }
    }
    done(&f);
}

/* A reduced model is linearised by the same way; ten polynomials hold the first modes. */
static void test_reduced(void **unused) {
    GOS_UNUSED(unused);
    char text[2048];
    snprintf(text, sizeof text,
             "%sreduction: {method: rotation_closed, fields: polynomials, number: 10}\n", pinned);
    fixture f = read_model(text, NAMES("n", "E", "rho", "g"), VALUES(32, 1e8, 2000, 4.5e-3));
    gos_system *reduced;
    gos_state *state;
    gos_linear *linear;
    gos_mode mode[6];
    int found;
    need(f.ctx, gos_reduce(f.ctx, f.sys, &reduced));
    need(f.ctx, gos_state_create(f.ctx, reduced, &state));
    need(f.ctx, gos_linearise(f.ctx, reduced, state, &linear));
    for (int damped = 0; damped < 2; damped++) {
        need(f.ctx, gos_linear_modes(f.ctx, linear, 6, damped, mode, &found));
        assert_int_equal(found, 6);
        for (int k = 0; k < 6; k++) {
            const double w = (k < 2 ? 0 : k < 4 ? 15.4182 : 49.9649) * unit_of(0.01, 1e8, 2000);
            near_rel_named("frequency", mode[k].omega, w, 1e-4);
            near_rel_named("damping", mode[k].damping, damped ? 0.5 * 4.5e-3 * w : 0, 1e-4);
        }
    }
    gos_linear_destroy(linear);
    gos_state_destroy(state);
    gos_system_destroy(reduced);
    done(&f);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beams),          cmocka_unit_test(test_rigid_modes),
        cmocka_unit_test(test_too_fine),       cmocka_unit_test(test_order),
        cmocka_unit_test(test_axial),          cmocka_unit_test(test_effective_masses),
        cmocka_unit_test(test_kelvin_voigt),   cmocka_unit_test(test_mixed_damping),
        cmocka_unit_test(test_rigid_pendulum), cmocka_unit_test(test_tension),
        cmocka_unit_test(test_chain),          cmocka_unit_test(test_flutter),
        cmocka_unit_test(test_large),          cmocka_unit_test(test_cluster),
        cmocka_unit_test(test_reduced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
