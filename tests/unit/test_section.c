/* Materials and sections: geometry, temperature families, outline and area quadrature. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "math/gauss.h"
#include "math/section_shapes.h"
#include "parts/section.h"
#include "support/near.h"
#include "support/suite.h"

typedef struct fixture {
    gos_ctx *ctx;
    gos_model *model;
    gos_arena *arena;
} fixture;

/* element (i, j) of the in-section conduction matrix (nfam, nfam) [-]: times k [W/(m K)] */
static double conduction_at(const gos_section *s, int i, int j) {
    return s->cond[i * s->nfam + j];
}

static int setup(void **state) {
    static fixture f;
    f = (fixture){.ctx = gos_ctx_create()};
    f.arena = gos__arena_create(f.ctx);
    *state = &f;
    return f.arena ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    gos_model_destroy(f->model);
    gos__arena_destroy(f->arena);
    gos_ctx_destroy(f->ctx);
    return 0;
}

/* the entry x of a model */
static const gos_node *entry(fixture *f, const char *text) {
    gos_model_destroy(f->model);
    f->model = NULL;
    char *yaml = gos__arena_printf(f->arena, "sections: {x: %s}\n", text);
    assert_non_null(yaml);
    gos_status s = gos_model_parse(f->ctx, yaml, strlen(yaml), "test.yaml", NULL, &f->model);
    if (s == GOS_OK) {
        s = gos__model_parameters(f->model);
    }
    if (s != GOS_OK) {
        print_error("%s\n", gos_ctx_message(f->ctx));
        fail();
    }
    return gos__node_find(f->model->root, "sections.x");
}

static const gos_section *section(fixture *f, const char *text) {
    gos_section *s = NULL;
    const gos_node *node = entry(f, text);
    if (gos__section_make(f->model, node, "section 'x'", f->arena, &s) != GOS_OK) {
        print_error("%s\n", gos_ctx_message(f->ctx));
        fail();
    }
    return s;
}

static const gos_material *material(fixture *f, const char *text) {
    gos_material *m = NULL;
    const gos_node *node = entry(f, text);
    if (gos__material_make(f->model, node, "material 'x'", f->arena, &m) != GOS_OK) {
        print_error("%s\n", gos_ctx_message(f->ctx));
        fail();
    }
    return m;
}

static double total(const gos_section_point *p, int n, int i, int j) {
    double sum = 0.0;
    for (int q = 0; q < n; q++) {
        sum += p[q].dl * p[q].phi[i] * p[q].phi[j];
    }
    return sum;
}

/* capacity is what the area quadrature says, and families are orthogonal */
static void check_capacity(const gos_section *s) {
    for (int i = 0; i < s->nfam; i++) {
        near_rel(total(s->end, s->nend, i, i), s->cap[i], 1e-12);
        for (int j = 0; j < i; j++) {
            double size = sqrt(s->cap[i] * s->cap[j]);
            assert_true(fabs(total(s->end, s->nend, i, j)) < 1e-13 * size);
        }
    }
}

/* Saint-Venant's J over the polar moment, theory 2.7 */
static void torsion(void **state) {
    GOS_UNUSED(state);
    const double side[4][2] = {{1, 1}, {1, 2}, {5, 1}, {12.3777, 3.2024}};
    const double ratio[4] = {0.84346, 0.54884, 0.13445, 0.21003};
    for (int i = 0; i < 4; i++) {
        double a = side[i][0], b = side[i][1];
        double polar = a * b * (a * a + b * b) / 12.0;
        assert_true(fabs(gos__torsion_rectangle(a, b) / polar - ratio[i]) < 6e-6);
        near_rel(gos__torsion_rectangle(a, b), gos__torsion_rectangle(b, a), 1e-15);
    }
}

static void rectangle(void **state) {
    const gos_section *s = section(*state, "{type: rectangle, height: 0.01, width: 0.02}");
    double h = 0.01, b = 0.02;
    near_rel(s->A, 2e-4, 1e-15);
    near_rel(s->Iz, b * h * h * h / 12, 1e-14);
    near_rel(s->Iy, h * b * b * b / 12, 1e-14);
    assert_int_equal(s->nfam, 3);
    assert_int_equal(s->nend, 9);
    assert_int_equal(s->noutline, 12);
    assert_true(s->has_outline && !s->round);
    check_capacity(s);
    near_rel(conduction_at(s, 1, 1), s->A, 1e-14);
    near_rel(conduction_at(s, 2, 2), s->A, 1e-14);
    assert_true(conduction_at(s, 0, 0) == 0.0 && conduction_at(s, 1, 2) == 0.0);
    // outline integrals of theory 2.5
    near_rel(total(s->outline, s->noutline, 0, 0), 2 * (b + h), 1e-14);
    near_rel(total(s->outline, s->noutline, 1, 1), b * h * h / 2 + h * h * h / 6, 1e-13);
    near_rel(total(s->outline, s->noutline, 2, 2), h * b * b / 2 + b * b * b / 6, 1e-13);
}

/* moments in closed form against the points of each face */
static void faces(void **state) {
    const gos_section *s =
        section(*state, "{type: rectangle, height: 0.03, width: 0.02, depth_modes: 7}");
    const char *names[4] = {"top", "bottom", "right", "left"};
    assert_int_equal(s->nface, 4);
    for (int i = 0; i < 4; i++) {
        const gos_section_face *f = &s->face[i];
        assert_string_equal(f->name, names[i]);
        assert_int_equal(f->dir, i / 2);
        assert_true(f->sign == (i % 2 ? -1.0 : 1.0));
        for (int k = 0; k < s->nfam; k++) {
            double sum = total(s->outline + f->first, f->count, k, 0);
            assert_true(fabs(sum - f->moment[k]) < 1e-14 * f->moment[0]);
        }
    }
}

/* in-section conduction from the gradients, by a quadrature of its own */
static void depth_conduction(void **state) {
    const gos_section *s =
        section(*state, "{type: rectangle, height: 0.03, width: 0.02, depth_modes: 15}");
    double x[20], w[20], P[GOS_FAMILIES], d[GOS_FAMILIES];
    gos__gauss(20, x, w);
    double *sum = test_calloc((size_t)s->nfam * s->nfam, sizeof *sum);
    for (int q = 0; q < 20; q++) {
        gos__legendre(15, 2 * x[q] - 1, P, d);
        double g[GOS_FAMILIES] = {0, 1, 0};
        for (int k = 3; k < s->nfam; k++) {
            g[k] = d[k - 1] * 2 / s->height;
        }
        for (int i = 0; i < s->nfam * s->nfam; i++) {
            sum[i] += w[q] * s->A * g[i / s->nfam] * g[i % s->nfam];
        }
    }
    sum[2 * s->nfam + 2] = s->A;
    for (int i = 0; i < s->nfam; i++) {
        for (int j = 0; j < s->nfam; j++) {
            double scale = sqrt(sum[i * s->nfam + i] * sum[j * s->nfam + j]);
            assert_true(fabs(conduction_at(s, i, j) - sum[i * s->nfam + j]) <= 1e-11 * scale);
        }
    }
    test_free(sum);
    check_capacity(s);
}

/* lowest eigenvalue of cond x = mu cap x among antisymmetric families, by inverse iteration */
static double lowest_rate(const gos_section *s) {
    int fam[GOS_FAMILIES], n = 0;
    for (int k = 1; k < s->nfam; k++) {
        if (k == 1 || (k > 3 && k % 2 == 0)) {
            fam[n++] = k;
        }
    }
    double x[GOS_FAMILIES] = {1}, mu = 0.0;
    for (int it = 0; it < 60; it++) {
        // Gauss elimination of a small positive definite matrix
        double a[GOS_FAMILIES][GOS_FAMILIES + 1];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i][j] = conduction_at(s, fam[i], fam[j]);
            }
            a[i][n] = s->cap[fam[i]] * x[i];
        }
        for (int p = 0; p < n; p++) {
            for (int i = p + 1; i < n; i++) {
                double f = a[i][p] / a[p][p];
                for (int j = p; j <= n; j++) {
                    a[i][j] -= f * a[p][j];
                }
            }
        }
        double y[GOS_FAMILIES], xy = 0.0, yy = 0.0;
        for (int i = n - 1; i >= 0; i--) {
            y[i] = a[i][n];
            for (int j = i + 1; j < n; j++) {
                y[i] -= a[i][j] * y[j];
            }
            y[i] /= a[i][i];
        }
        for (int i = 0; i < n; i++) {
            xy += s->cap[fam[i]] * x[i] * y[i];
            yy += s->cap[fam[i]] * y[i] * y[i];
        }
        mu = xy / yy;
        for (int i = 0; i < n; i++) {
            x[i] = y[i] / sqrt(yy);
        }
    }
    return mu;
}

/* theory 2.8: 12, 9.875 and 9.869607 kappa/h^2; exactly pi^2 */
static void depth_rates(void **state) {
    const char *text = "{type: rectangle, height: 0.5, width: 2, depth_modes: %d}";
    const double rate[3] = {12.0, 9.875, 9.869607}, tol[3] = {1e-12, 1e-3, 2e-6};
    for (int i = 0; i < 3; i++) {
        fixture *f = *state;
        const gos_section *s = section(f, gos__arena_printf(f->arena, text, 2 * i + 1));
        assert_true(fabs(lowest_rate(s) * 0.25 - rate[i]) < tol[i]);
    }
}

static void round_sections(void **state) {
    const gos_section *s = section(*state, "{type: circle, diameter: 0.02}");
    double R = 0.01, r = 0.006;
    near_rel(s->A, M_PI * R * R, 1e-15);
    near_rel(s->Iy, M_PI / 4 * R * R * R * R, 1e-14);
    near_rel(s->J, 2 * s->Iz, 1e-14);
    assert_true(s->round && s->has_outline && s->nface == 0);
    check_capacity(s);
    near_rel(total(s->outline, s->noutline, 0, 0), 2 * M_PI * R, 1e-14);
    near_rel(total(s->outline, s->noutline, 1, 1), M_PI * R * R * R, 1e-14);
    near_rel(total(s->outline, s->noutline, 2, 2), M_PI * R * R * R, 1e-14);

    s = section(*state, "{type: annulus, outer: 0.01, inner_diameter: 0.012}");
    near_rel(s->A, M_PI * (R * R - r * r), 1e-14);
    near_rel(s->Iy, M_PI / 4 * (R * R * R * R - r * r * r * r), 1e-14);
    near_rel(s->J, 2 * s->Iz, 1e-14);
    near_rel(s->inner, r, 1e-15);
    check_capacity(s);
    // fourth powers too: int y^4 dA = pi/8 (R^6 - r^6), int y^2 z^2 dA a third of it
    double y4 = 0.0, y2z2 = 0.0, R6 = pow(R, 6), r6 = pow(r, 6);
    for (int i = 0; i < s->nend; i++) {
        double y = s->end[i].phi[1], z = s->end[i].phi[2];
        y4 += s->end[i].dl * y * y * y * y;
        y2z2 += s->end[i].dl * y * y * z * z;
    }
    near_rel(y4, M_PI / 8 * (R6 - r6), 1e-13);
    near_rel(y2z2, M_PI / 24 * (R6 - r6), 1e-13);
}

/* theory 2.8: cos m phi, sin m phi on the mean radius, T_y and T_z times it; the outline is the
   outer circle, with enough points for phi T^4 */
static void fourier(void **state) {
    fixture *f = *state;
    const char *text = "{type: annulus, outer: 0.011, inner: 0.009, modes: %d}";
    const double R = 0.01, w = 0.002, Ro = 0.011;
    const char *names[] = {"T", "T_y", "T_z", "a2", "b2", "a3", "b3"};
    for (int modes = 1; modes <= 8; modes++) {
        const gos_section *s = section(f, gos__arena_printf(f->arena, text, modes));
        assert_int_equal(s->nfam, 2 * modes + 1);
        check_capacity(s);
        near_rel(s->cap[0], 2 * M_PI * R * w, 1e-14);
        near_rel(total(s->outline, s->noutline, 0, 0), 2 * M_PI * Ro, 1e-14);
        for (int k = 1; k < s->nfam; k++) {
            const int m = (k + 1) / 2;
            const double unit = m == 1 ? R * R : 1;
            near_rel(s->cap[k], unit * M_PI * R * w, 1e-14);
            near_rel(conduction_at(s, k, k), unit * M_PI * w * m * m / R, 1e-14);
            near_rel(total(s->outline, s->noutline, k, k), unit * M_PI * Ro, 1e-13);
            for (int j = 0; j < k; j++) {
                assert_true(conduction_at(s, k, j) == 0 && conduction_at(s, j, k) == 0);
            }
            // degree 5 of the highest order: int cos^5 over the circle is 0, int cos^4 is 3/8 of it
            double five = 0, four = 0;
            for (int i = 0; i < s->noutline; i++) {
                four += s->outline[i].dl * pow(s->outline[i].phi[k], 4);
                five += s->outline[i].dl * pow(s->outline[i].phi[k], 5);
            }
            near_rel(four, 0.375 * 2 * M_PI * Ro * unit * unit, 1e-13);
            assert_true(fabs(five) < 1e-15 * pow(unit, 2.5));
        }
        for (int k = 0; k < s->nfam && k < GOS_COUNT(names); k++) {
            assert_string_equal(s->family[k], names[k]);
        }
        assert_true(s->family[s->nfam - 1][1] - '0' == modes || modes == 1);
    }
    assert_int_equal(gos_ctx_ndiag(f->ctx), 0);
    section(f, "{type: annulus, outer: 0.01, inner: 0.006, modes: 2}"); // not thin, and said
    assert_int_equal(gos_ctx_ndiag(f->ctx), 1);
}

static void general(void **state) {
    const gos_section *s = section(*state, "{type: general, area: 3.0e-4, Iy: 4.0e-8, Iz: 2.0e-8}");
    near_rel(s->J, 6e-8, 1e-15);
    assert_true(!s->has_outline && s->noutline == 0);
    check_capacity(s);
    s = section(*state, "{type: general, area: 3.0e-4, Iy: 4.0e-8, Iz: 2.0e-8, J: 1.0e-9, "
                        "perimeter: 0.12}");
    near_rel(s->J, 1e-9, 1e-15);
    assert_int_equal(s->noutline, 1);
    near_rel(total(s->outline, 1, 0, 0), 0.12, 1e-15);
}

static void bad_sections(void **state) {
    fixture *f = *state;
    const char *bad[] = {
        "{type: rectangle, height: 0.01}",
        "{type: rectangle, height: 0.01, width: -0.02}",
        "{type: rectangle, height: 0, width: 0.02}",
        "{type: rectangle, height: .nan, width: 0.02}",
        "{type: rectangle, height: 0.01, width: 0.02, depth_modes: 0}",
        "{type: rectangle, height: 0.01, width: 0.02, depth_modes: 16}",
        "{type: rectangle, height: 0.01, width: 0.02, depth_modes: 1.5}",
        "{type: rectangle, height: 0.01, width: 0.02, widht: 3}",
        "{type: rectangle, height: 1.0e-120, width: 1.0e-120}",
        "{type: rectangle, height: 1.0e+120, width: 1.0e+120}",
        "{type: rectangel, height: 0.01, width: 0.02}",
        "{height: 0.01, width: 0.02}",
        "{type: circle}",
        "{type: circle, radius: 0.01, diameter: 0.02}",
        "{type: circle, radius: -1}",
        "{type: annulus, outer: 0.01}",
        "{type: annulus, outer: 0.01, inner: 0.01}",
        "{type: annulus, outer: 0.01, inner: 0.02}",
        "{type: annulus, outer: 0.01, inner: 0.009, modes: 0}",
        "{type: annulus, outer: 0.01, inner: 0.009, modes: 9}",
        "{type: general, area: 1.0e-4}",
        "{type: general, area: 1.0e-4, Iy: 1.0e-9, Iz: 0}",
    };
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        const gos_node *node = entry(f, bad[i]);
        gos_section *s = NULL;
        gos_status status = gos__section_make(f->model, node, "section 'x'", f->arena, &s);
        if (status != GOS_E_INPUT || s || gos__nerrors(f->ctx) == 0) {
            print_error("accepted: %s\n", bad[i]);
            fail();
        }
        gos_ctx_clear(f->ctx);
    }
}

static void materials(void **state) {
    const gos_material *m = material(*state, "{density: 2000, young: 1.0e8}");
    near_rel(m->density, 2000, 0);
    near_rel(m->poisson, 0.3, 0);
    near_rel(m->absorptivity, 1, 0);
    assert_true(m->conductivity == 0.0 && m->specific_heat == 0.0 && m->expansion == 0.0);
    assert_true(m->gamma_n == 0.0 && m->gamma_s == 0.0 && m->emissivity == 0.0);

    m = material(*state, "{density: 2000, young: 1.0e8, poisson: 0.25, conductivity: 1, "
                         "specific_heat: 200, expansion: 1.0e-4, absorptivity: 0.3, "
                         "emissivity: 0.8, damping: {normal: 4.5e-3, shear: 4.4e-4}}");
    near_rel(m->gamma_n, 4.5e-3, 0);
    near_rel(m->gamma_s, 4.4e-4, 0);
    near_rel(m->emissivity, 0.8, 0);

    // theory 1.5; an isotropic solid with equal factors damps uniaxial stress with that factor
    m = material(*state, "{density: 1, young: 1, poisson: 0.25, damping: {volumetric: 3, "
                         "deviatoric: 6}}");
    near_rel(m->gamma_n, 2 * 1.25 / 3 * 6 + 0.5 / 3 * 3, 1e-15);
    near_rel(m->gamma_s, 6, 0);
    m = material(*state, "{density: 1, young: 1, poisson: 0.1, damping: {volumetric: 2, "
                         "deviatoric: 2}}");
    near_rel(m->gamma_n, 2, 1e-15);

    // one thermal constant without the other is worth a warning
    fixture *f = *state;
    assert_int_equal(gos_ctx_ndiag(f->ctx), 0);
    material(f, "{density: 1, young: 1, conductivity: 5}");
    assert_int_equal(gos_ctx_ndiag(f->ctx), 1);
    assert_int_equal(gos_ctx_diag(f->ctx, 0)->status, GOS_OK);
}

static void bad_materials(void **state) {
    fixture *f = *state;
    const char *bad[] = {
        "{young: 1.0e8}",
        "{density: 2000}",
        "{density: 0, young: 1.0e8}",
        "{density: -2000, young: 1.0e8}",
        "{density: 2000, young: .inf}",
        "{density: 2000, young: 1.0e8, poisson: 0.5}",
        "{density: 2000, young: 1.0e8, poisson: -1}",
        "{density: 2000, young: 1.0e8, conductivity: -1}",
        "{density: 2000, young: 1.0e8, absorptivity: 1.1}",
        "{density: 2000, young: 1.0e8, emissivity: -0.1}",
        "{density: 2000, young: 1.0e8, damping: {normal: -1}}",
        "{density: 2000, young: 1.0e8, damping: {normal: 1, deviatoric: 1}}",
        "{density: 2000, young: 1.0e8, damping: {noraml: 1}}",
        "{density: 2000, young: 1.0e8, damping: 3}",
        "{denisty: 2000, young: 1.0e8}",
    };
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        const gos_node *node = entry(f, bad[i]);
        gos_material *m = NULL;
        gos_status status = gos__material_make(f->model, node, "material 'x'", f->arena, &m);
        if (status != GOS_E_INPUT || m || gos__nerrors(f->ctx) == 0) {
            print_error("accepted: %s\n", bad[i]);
            fail();
        }
        gos_ctx_clear(f->ctx);
    }
}

/* every type has a doc, and its example makes one */
static void examples(void **state) {
    fixture *f = *state;
    for (int i = 0; gos__section_types[i]; i++) {
        const gos_type *t = gos__section_types[i];
        assert_string_equal(t->section, "sections");
        assert_true(t->doc && *t->doc);
        section(f, strchr(t->example, '{'));
    }
    material(f, strchr(gos__material.example, '{'));
    assert_int_equal(gos_ctx_ndiag(f->ctx), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torsion),
        TEST(rectangle),
        TEST(faces),
        TEST(depth_conduction),
        TEST(depth_rates),
        TEST(round_sections),
        TEST(fourier),
        TEST(general),
        TEST(bad_sections),
        TEST(materials),
        TEST(bad_materials),
        TEST(examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
