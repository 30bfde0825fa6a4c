/* Floating beams in the builder: places and inertia of random motions against the kinematics of
 * particles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "floating/floating.h"
#include "math/gauss.h"
#include "parts/derived.h"
#include "support/items.h"
#include "support/suite.h"

#define NE 3
#define H 0.4
#define N (6 * NE) // amplitudes of a clamped beam

static const char text[] = "bodies:\n"
                           "  arm: {type: floating_beam, material: steel, section: bar, from: [1, "
                           "2, 3], to: [1, 3.2, 3],\n"
                           "        elements: 3, rotary_inertia: true, coupling: %s}\n";

/* a model, with a random frame and random amplitudes of the size `size` */
typedef struct motion {
    fixture f;
    const gos_derived *derived;
    double r[3], a[3][3], z[N];
} motion;

static void write(motion *m) {
    memcpy(m->f.b.e0[m->derived->r], m->r, sizeof m->r);
    for (int c = 0; c < 3; c++) {
        memcpy(m->f.b.e0[m->derived->axis + c], m->a[c], sizeof m->a[c]);
    }
    for (int k = 0; k < N; k++) {
        m->f.b.e0[m->derived->z[k] / 3][m->derived->z[k] % 3] = m->z[k];
    }
}

static void begin(motion *m, const char *coupling, uint64_t seed, double size) {
    char model[1000];
    snprintf(model, sizeof model, text, coupling);
    make_ok(&m->f, model);
    m->derived = m->f.b.body[0]->derived;
    assert_int_equal(m->derived->n, N);
    random_fill(&seed, 3, 1, m->r);
    random_fill(&seed, 9, 1, m->a[0]);
    random_fill(&seed, N, 1, m->z);
    for (int k = 0; k < N; k++) {
        m->z[k] *= size;
    }
    write(m);
}

/* displacement by first order, rotation and shortening at s, body axes, by the formulas of the
 * theory */
static void beam_at(const double *z, double s, double u[3], double turn[3], double *shorter) {
    const int e = s >= NE * H ? NE - 1 : (int)(s / H);
    double x[8], w[8];
    *shorter = 0;
    gos__gauss(8, x, w);
    for (int i = 0; i <= e; i++) {
        const double part = i < e ? 1 : s / H - e;
        for (int g = 0; g <= 8; g++) {
            const double xi = g < 8 ? part * x[g] : part;
            double n[2][6] = {{0}}, S[4], dS[4];
            for (int k = 0; k < 12; k++) {
                const int at = 6 * (i - 1 + k / 6) + k % 6;
                n[k / 6][k % 6] = at >= 0 ? z[at] : 0;
            }
            S[0] = 1 - 3 * xi * xi + 2 * xi * xi * xi;
            S[1] = H * (xi - 2 * xi * xi + xi * xi * xi);
            S[2] = 1 - S[0];
            S[3] = H * (xi * xi * xi - xi * xi);
            dS[0] = (6 * xi * xi - 6 * xi) / H;
            dS[1] = 1 - 4 * xi + 3 * xi * xi;
            dS[2] = -dS[0];
            dS[3] = 3 * xi * xi - 2 * xi;
            const double dv = dS[0] * n[0][1] + dS[1] * n[0][5] + dS[2] * n[1][1] + dS[3] * n[1][5];
            const double dw = dS[0] * n[0][2] - dS[1] * n[0][4] + dS[2] * n[1][2] - dS[3] * n[1][4];
            if (g < 8) {
                *shorter += part * H * w[g] * (dv * dv + dw * dw) / 2;
                continue;
            }
            u[0] = (1 - xi) * n[0][0] + xi * n[1][0];
            u[1] = S[0] * n[0][1] + S[1] * n[0][5] + S[2] * n[1][1] + S[3] * n[1][5];
            u[2] = S[0] * n[0][2] - S[1] * n[0][4] + S[2] * n[1][2] - S[3] * n[1][4];
            turn[0] = (1 - xi) * n[0][3] + xi * n[1][3];
            turn[1] = -dw;
            turn[2] = dv;
        }
    }
}

/* displacements and rotations of second order at the nodes: those that leave the strains of second
   order at 0 (the stretch of first order aside), theta2' = theta x theta' / 2 and u2' = theta2 x e1
   + theta x (theta x e1) / 2 */
static void second_at(const double *z, double *second) {
    double x[8], w[8];
    gos__gauss(8, x, w);
    memset(second, 0, N * sizeof *second);
    for (int e = 0; e < NE; e++) {
        double *to = second + 6 * e;
        if (e > 0) {
            memcpy(to, to - 6, 6 * sizeof *to);
            to[1] += H * to[5];
            to[2] -= H * to[4];
        }
        for (int g = 0; g < 8; g++) {
            const double xi = x[g], h = 1e-4 * H, ones[3] = {1, 0, 0};
            double u[3], turn[3][3], shorter, bend[3], rate[3], once[3], twice[3];
            for (int k = 0; k < 3; k++) { // quadratic along an element: differences are exact
                beam_at(z, H * (e + xi) + (k - 1) * h, u, turn[k], &shorter);
            }
            for (int c = 0; c < 3; c++) {
                bend[c] = (turn[2][c] - turn[0][c]) / (2 * h);
            }
            gos__cross3(turn[1], bend, rate);
            gos__cross3(turn[1], ones, once);
            gos__cross3(turn[1], once, twice);
            for (int c = 0; c < 3; c++) {
                to[c] += 0.5 * H * w[g] * twice[c];
                to[3 + c] += 0.5 * H * w[g] * rate[c];
            }
            to[1] += 0.5 * H * w[g] * H * (1 - xi) * rate[2];
            to[2] -= 0.5 * H * w[g] * H * (1 - xi) * rate[1];
        }
    }
}

static void combine(double a[3][3], const double b[3], double x[3]) {
    for (int l = 0; l < 3; l++) {
        x[l] = a[0][l] * b[0] + a[1][l] * b[1] + a[2][l] * b[2];
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double s;
} places[] = {{"arm.start", 0},     {"arm.end", NE *H},     {"arm.node(1)", H},
              {"arm.at(0.7)", 0.7}, {"arm.at(0.13)", 0.13}, {"arm.at(0.8)", 0.8}};

static void test_positions(void **state) {
    (void)state;
    for (int order = 0; order < 2; order++) {
        motion m;
        begin(&m, order ? "1" : "0", 5, 0.3);
        for (int i = 0; i < GOS_COUNT(places); i++) {
            gos_location p;
            gos_marker x;
            double got[3], b[3], turn[3], shorter, want[3], z2[N], more[3], none;
            assert_int_equal(gos__locate(&m.f.b, places[i].name, (gos_loc){0}, "", &p), GOS_OK);
            assert_int_equal(gos__position(&m.f.b, &p, &x), GOS_OK);
            gos__marker_initial(&m.f.b, &x, got);
            beam_at(m.z, places[i].s, b, turn, &shorter);
            second_at(m.z, z2); // between nodes by the element's functions, but for the shortening
            beam_at(z2, places[i].s, more, turn, &none);
            b[0] += places[i].s - (order ? shorter : 0);
            b[1] += order ? more[1] : 0;
            b[2] += order ? more[2] : 0;
            combine(m.a, b, want);
            for (int l = 0; l < 3; l++) {
                assert_true(fabs(got[l] - m.r[l] - want[l]) <= (order ? 1e-12 : 1e-14));
            }
        }
        drop(&m.f);
    }
}

/* d + theta x d, and with displacements of second order theta2 x d + theta x (theta x d) / 2; d in
   the axes at t = 0, which are those of the beam: y, -x, z of space */
static void test_directions(void **state) {
    (void)state;
    static const double initial[3][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    for (int order = 0; order < 2; order++) {
        motion m;
        uint64_t seed = 9;
        begin(&m, order ? "1" : "0", 7, 0.3);
        for (int i = 0; i < GOS_COUNT(places) + 1; i++) {
            const bool frame = i == GOS_COUNT(places);
            gos_location p;
            gos_marker x;
            double d[3], got[3], b[3], u[3], turn[3] = {0}, shorter, once[3], twice[3], want[3];
            double z2[N], more[3] = {0}, further[3];
            assert_int_equal(
                gos__locate(&m.f.b, frame ? "arm.frame" : places[i].name, (gos_loc){0}, "", &p),
                GOS_OK);
            random_fill(&seed, 3, 1, d);
            assert_int_equal(gos__direction(&m.f.b, &p, d, (gos_loc){0}, "", &x), GOS_OK);
            gos__marker_initial(&m.f.b, &x, got);
            for (int c = 0; c < 3; c++) {
                b[c] = gos__dot3(d, initial[c]);
            }
            if (!frame) {
                beam_at(m.z, places[i].s, u, turn, &shorter);
                second_at(m.z, z2);
                beam_at(z2, places[i].s, u, more, &shorter);
            }
            gos__cross3(turn, b, once);
            gos__cross3(turn, once, twice);
            gos__cross3(more, b, further);
            for (int c = 0; c < 3; c++) {
                b[c] += once[c] + (order ? further[c] + 0.5 * twice[c] : 0);
            }
            combine(m.a, b, want);
            for (int l = 0; l < 3; l++) {
                assert_true(fabs(got[l] - want[l]) <= (order ? 1e-12 : 1e-14));
            }
        }
        drop(&m.f);
    }
}

/* ---- inertia --------------------------------------------------------------------------------- */

/* kinetic energy of the scalar mass and, of particles, that of the displacements with the
   shortening, section inertia (7800 kg/m^3, 10 by 20 mm) included */
static void energies(motion *m, const double rate[3 + 9 + N], bool second, double *scalar,
                     double *particles) {
    const double eps = 1e-5, rho = 7800, A = 2e-4, I[2] = {0.02 * 1e-6 / 12, 0.01 * 8e-6 / 12};
    const gos_triplets *t = &m->f.b.mass;
    const int derived = m->f.b.derived->n, nv = m->f.b.nv;
    motion at[2] = {*m, *m};
    double(*e)[3] = calloc((size_t)(2 * (derived + nv)), sizeof *e);
    for (int side = 0; side < 2; side++) {
        const double h = side ? eps : -eps;
        for (int l = 0; l < 3; l++) {
            at[side].r[l] += h * rate[l];
        }
        for (int l = 0; l < 9; l++) {
            at[side].a[l / 3][l % 3] += h * rate[3 + l];
        }
        for (int k = 0; k < N; k++) {
            at[side].z[k] += h * rate[12 + k];
        }
        write(&at[side]);
        for (int i = -derived; i < nv; i++) {
            gos__vector_initial(&m->f.b, i, e[side * (derived + nv) + derived + i]);
        }
    }
    write(m);
    *scalar = *particles = 0;
    for (int i = 0; i < derived + nv; i++) { // rates, from differences
        for (int l = 0; l < 3; l++) {
            e[i][l] = (e[derived + nv + i][l] - e[i][l]) / (2 * eps);
        }
    }
    for (int k = 0; k < t->n; k++) {
        *scalar += 0.5 * t->v[k] * gos__dot3(e[derived + t->i[k]], e[derived + t->j[k]]);
    }
    double x[8], w[8];
    gos__gauss(8, x, w);
    for (int g = 0; g < 8 * NE * 4; g++) {
        const double s = H * (g / 32 + x[g / 4 % 8]);
        const int across =
            1 + g % 4 / 2; // two points along y, two along z: the moments of the section
        const double off = (g % 2 ? 1 : -1) * sqrt(2 * I[across - 1] / A);
        double p[2][3], v[3];
        for (int side = 0; side < 2; side++) {
            double b[3], turn[3], d[3] = {0}, turned[3], twice[3], shorter;
            beam_at(at[side].z, s, b, turn, &shorter);
            d[across] = off;
            gos__cross3(turn, d, turned);
            gos__cross3(turn, turned, twice);
            b[0] += s - (second ? shorter : 0);
            for (int c = 0; c < 3; c++) {
                b[c] += d[c] + turned[c] + (second ? 0.5 * twice[c] : 0);
            }
            combine(at[side].a, b, p[side]);
            for (int l = 0; l < 3; l++) {
                p[side][l] += at[side].r[l];
            }
        }
        gos__sub3(p[1], p[0], v);
        *particles += 0.5 * rho * A * H * w[g / 4 % 8] / 4 * gos__dot3(v, v) / (4 * eps * eps);
    }
    free(e);
}

/* Without displacements of second order the energy is that of the particles; with them to the
   second power of amplitudes and their rates: what is left falls with the third. */
static void test_mass(void **state) {
    (void)state;
    double left[2];
    for (int i = 0; i < 3; i++) {
        const double size = i == 2 ? 0.0025 : 0.005;
        double rate[12 + N], scalar, particles;
        uint64_t seed = 21;
        motion m;
        begin(&m, i ? "1" : "0", 11, size);
        random_fill(&seed, 12 + N, 1, rate);
        for (int k = 0; k < N; k++) {
            rate[12 + k] *= size;
        }
        energies(&m, rate, i > 0, &scalar, &particles);
        assert_true(particles > 0.1);
        if (i == 0) {
            assert_true(fabs(scalar - particles) <= 1e-8 * particles);
        } else {
            left[i - 1] = scalar - particles;
        }
        drop(&m.f);
    }
    assert_true(fabs(left[0]) > 1e-8);
    assert_true(fabs(left[0] / left[1]) > 7 && fabs(left[0] / left[1]) < 9);
}

/* First frequency of the bar between pins of floating-frame theory 5.2, 63.0853205 Hz with rotary
   inertia and 63.1040989 without (tests/reference/buckling.csv), bent along y; along z as the root
   of the moments. The amplitudes move nodes along that axis alone. */
static void test_bending(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool z = i / 2, rotary = i % 2;
        char model[1000];
        fixture f;
        gos_linear *l;
        gos_mode mode;
        int found;
        snprintf(
            model, sizeof model,
            "materials: {m: {density: 7850, young: 2.1e11, poisson: 0.3}}\n"
            "sections: {bar: {type: general, area: 7.6e-5, Iy: 1.834e-8, Iz: 4.585e-9, J: 1e-9}}\n"
            "bodies:\n  bar: {type: floating_beam, material: m, section: bar, from: [0, 0, 0], to: "
            "[1, 0, 0], reference: chord,\n        bending: %s, axial: rigid, torsion: rigid, "
            "rotary_inertia: %s}\n",
            z ? "z" : "y", rotary ? "true" : "false");
        assert_int_equal(make_with(&f, NULL, false, model), GOS_OK);
        const gos_flex *flex = ((const gos_floating_body *)f.b.body[0]->par)->flex;
        assert_int_equal(gos__flex_linear(flex, 0, NULL, 0, NULL, &l), GOS_OK);
        assert_int_equal(gos_linear_modes(f.ctx, l, 1, false, &mode, &found), GOS_OK);
        const double k = M_PI * M_PI * (z ? 1.834e-8 : 4.585e-9) / 7.6e-5; // of rotary inertia
        const double want = 2 * M_PI * 63.1040989 * (z ? 2 : 1) / (rotary ? sqrt(1 + k) : 1);
        assert_true(fabs(mode.omega - want) <= 1e-6 * want);
        if (!z && rotary) {
            assert_true(fabs(mode.omega / (2 * M_PI) - 63.0853205) <= 1e-4);
        }
        for (int c = 0; c < 3; c++) { // of the middle
            const int column = 30 + c;
            assert_int_equal(flex->move.p[column + 1] - flex->move.p[column], c == 1 + z);
        }
        gos_linear_destroy(l);
        drop(&f);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *keys, *message;
    } bad[] = {{"bending: none, axial: rigid, torsion: rigid", "no deformation is left"},
               {"to: [1, 2, 3]", "body needs a length"},
               {"coupling: second", "coupling"},
               {"normal: [0, 1, 0]", "perpendicular to it"}};
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        char model[600];
        fixture f;
        snprintf(model, sizeof model,
                 "bodies:\n  arm: {type: floating_beam, material: steel, section: bar, from: [1, "
                 "2, 3], %s%s}\n",
                 i == 1 ? "" : "to: [1, 3, 3], ", bad[i].keys);
        assert_int_equal(make(&f, model), GOS_E_INPUT);
        assert_non_null(strstr(gos_ctx_message(f.ctx), bad[i].message));
        drop(&f);
    }
    fixture f;
    gos_location p;
    char model[1000];
    snprintf(model, sizeof model, text, "1");
    make_ok(&f, model);
    assert_int_equal(gos__locate(&f.b, "arm.top", (gos_loc){0}, "", &p), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(f.ctx), "node(i)"));
    drop(&f);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_positions),
                                       cmocka_unit_test(test_directions),
                                       cmocka_unit_test(test_mass), cmocka_unit_test(test_bending),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
