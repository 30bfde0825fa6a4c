/* Forces of reduced solids by products of amplitudes, against the sums over their points: forces,
   heat, energy, power and the whole Newton matrix in states far from the start, clamped (with a
   constant part) and free. And what of that matrix may be left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "parts/gram.h"
#include "rom/auto.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/verify.h"

static const char model[] =
    "reference_temperature: 300\n"
    "materials:\n"
    "  m: {density: 8, young: 20, poisson: 0.3, conductivity: 2, specific_heat: 5,\n"
    "      expansion: 1.0e-2, damping: {normal: 0.4, shear: 0.3}}\n"
    "meshes: {bar: {type: tube, inner: 0.5, outer: 0.7, angle: 2, length: 0.3, cells: [1, 8, 2],\n"
    "               order: quadratic}}\n"
    "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
    "joints: {root: {type: %s, between: [ground, bar.%s]%s}}\n"
    "analysis: {end: 1, thermoelastic_heat: %s, viscous_heating: %s}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 5, thermal_fields: 3}\n";

typedef struct sums {
    double *Q, *R, *dwdth, *J, energy, power;
} sums;

static sums evaluate(const gos_system *s, const gos_points *p, const double *q, const double *v,
                     const double *th) {
    const size_t n = (size_t)s->n;
    sums o = {.Q = calloc(n, sizeof(double)),
              .R = calloc(n, sizeof(double)),
              .dwdth = calloc(n, sizeof(double)),
              .J = calloc(n * n, sizeof(double))};
    double *work = aligned_alloc(64, (gos__points_dense_work(p) + 8) / 8 * 64);
    const gos_points_sum to = {.e = q,
                               .v = v,
                               .th = th,
                               .scale = 1,
                               .Q = o.Q,
                               .R = o.R,
                               .energy = &o.energy,
                               .power = &o.power,
                               .dwdth = o.dwdth};
    const gos_points_factors f = {.k = 0.7, .d = 0.4, .hk = 0.3, .hd = 1.1};
    gos__points_residual(p, &to, work);
    gos__points_tangent_dense(&p, 1, &to, &f, s->n, s->nq, o.J, work);
    free(work);
    return o;
}

static double difference(size_t n, const double *a, const double *b, double *largest) {
    double most = 0;
    *largest = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
        *largest = fmax(*largest, fabs(b[i]));
    }
    return most / *largest;
}

/* the symmetric part of forces by coordinates, without what motion does to heat; and twice what one
 * block makes, of two blocks */
static void check_parts(const gos_system *s, const gos_points *p, const gos_points_sum *at,
                        const double *J) {
    const size_t n = (size_t)s->n, nq = (size_t)s->nq;
    const gos_points *const both[2] = {p, p};
    const gos_points_factors f = {
        .k = 0.7, .d = 0.4, .hk = 0.3, .hd = 1.1, .triangular = true, .symmetric = true};
    double *half = calloc(n * n, sizeof *half), *want = calloc(n * n, sizeof *want);
    double *work = aligned_alloc(64, (gos__points_dense_work(p) + 8) / 8 * 64), size, skew = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double a = J[j * n + i], b = J[i * n + j];
            want[j * n + i] = i < nq && j < nq ? a + b : i < nq || j >= nq ? 2 * a : 0;
            skew = i < nq && j < nq ? fmax(skew, fabs(a - b)) : skew;
        }
    }
    assert_true(gos__points_together(p, p));
    gos__points_tangent_dense(both, 2, at, &f, s->n, s->nq, half, work);
    verify_below("symmetric part", difference(n * n, half, want, &size), 1e-14);
    assert_true(at->v == NULL || skew > 1e-3 * size); // there is something to leave out
    free(half);
    free(want);
    free(work);
}

static void check_block(const gos_system *s, const gos_points *p, bool heat) {
    const size_t nq = (size_t)s->nq, nt = (size_t)s->nt;
    double *q = calloc(nq, sizeof *q), *v = calloc(nq, sizeof *v), *th = calloc(nt, sizeof *th);
    uint64_t seed = 3;
    for (size_t i = 0; i < nq; i++) {
        q[i] = s->e0[i] + 0.2 * random_uniform(&seed);
        v[i] = random_uniform(&seed);
    }
    for (size_t i = 0; i < nt; i++) {
        th[i] = 30 * random_uniform(&seed);
    }
    gos_points plain = *p;
    plain.gram = NULL;
    for (int moving = 0; moving < 2; moving++) {
        const sums a = evaluate(s, p, q, moving ? v : NULL, th);
        const sums b = evaluate(s, &plain, q, moving ? v : NULL, th);
        const size_t n = (size_t)s->n;
        double size;
        verify_below("forces", difference(nq, a.Q, b.Q, &size), 1e-11);
        assert_true(size > 1e-3);
        verify_below("dW/dtheta", difference(nt, a.dwdth, b.dwdth, &size), 1e-11);
        assert_true(size > 1e-3);
        verify_below("energy", fabs(a.energy / b.energy - 1), 1e-11);
        verify_below("Newton matrix", difference(n * n, a.J, b.J, &size), 1e-11);
        check_parts(s, &plain,
                    &(gos_points_sum){.e = q, .v = moving ? v : NULL, .th = th, .scale = 1}, b.J);
        if (moving) {
            verify_below("power", fabs(a.power / b.power - 1), 1e-11);
            assert_true(b.power > 1e-3);
        }
        if (moving && heat) {
            verify_below("heat", difference(nt, a.R, b.R, &size), 1e-11);
            assert_true(size > 1e-3);
        }
        const sums all[2] = {a, b};
        for (int i = 0; i < 2; i++) {
            free(all[i].Q);
            free(all[i].R);
            free(all[i].dwdth);
            free(all[i].J);
        }
    }
    free(q);
    free(v);
    free(th);
}

/* Forces along a straight path s of coordinates are cubic in s: the constant, linear, quadratic and
 * cubic parts, and the part of temperatures, each alone relative to its own size. */
static void check_degrees(const gos_system *s, const gos_points *p) {
    enum { FORCES = 5, PARTS = 5 };
    const size_t nq = (size_t)s->nq, nt = (size_t)s->nt;
    double *q = calloc(2 * nq + nt, sizeof *q), *along = q + nq, *th = along + nq, size;
    double *part[2][PARTS];
    uint64_t seed = 7;
    gos_points plain = *p;
    plain.gram = NULL;
    for (size_t i = 0; i < nq; i++) {
        along[i] = 0.1 * random_uniform(&seed);
    }
    for (int k = 0; k < 2; k++) {
        double *f[FORCES];
        for (int at = 0; at < FORCES; at++) { // s = -1, 0, 1, 2, and 1 with temperatures
            const double by = at < FORCES - 1 ? at - 1 : 1;
            for (size_t i = 0; i < nq; i++) {
                q[i] = s->e0[i] + by * along[i];
            }
            for (size_t i = 0; i < nt; i++) {
                th[i] = at < FORCES - 1 ? 0 : 30 + 5 * (double)i;
            }
            const sums o = evaluate(s, k ? &plain : p, q, NULL, th);
            f[at] = o.Q;
            free(o.R);
            free(o.dwdth);
            free(o.J);
        }
        for (int d = 0; d < PARTS; d++) {
            part[k][d] = calloc(nq, sizeof(double));
        }
        for (size_t i = 0; i < nq; i++) {
            const double odd = (f[2][i] - f[0][i]) / 2, even = (f[2][i] + f[0][i]) / 2 - f[1][i];
            const double cubic = (f[3][i] - f[1][i] - 4 * even - 2 * odd) / 6;
            const double parts[PARTS] = {f[1][i], odd - cubic, even, cubic, f[4][i] - f[2][i]};
            for (int d = 0; d < PARTS; d++) {
                part[k][d][i] = parts[d];
            }
        }
        for (int at = 0; at < FORCES; at++) {
            free(f[at]);
        }
    }
    static const char *const name[PARTS] = {"constant", "linear", "quadratic", "cubic", "thermal"};
    for (int d = 0; d < PARTS; d++) {
        const double off = difference(nq, part[0][d], part[1][d], &size);
        if (d > 0) { // without strain there is no force
            verify_below(name[d], off, 1e-10);
            assert_true(size > 1e-3);
        }
        free(part[0][d]);
        free(part[1][d]);
    }
    free(q);
}

/* type of the joint, place, rest of it; heat of strains; viscous heat, which no quadratic form
 * contains */
static const struct {
    const char *joint, *place, *rest, *heat, *viscous;
    bool constant, form;
} cases[] = {{"clamp", "start", "", "true", "false", true, true},
             {"clamp", "start", "", "false", "false", true, true},
             {"spherical", "node(1)", "", "true", "false", false, true},
             {"revolute", "start", ", axis: [0, 0, 1]", "true", "false", false, true},
             {"clamp", "start", "", "true", "true", true, false}};

static void against_points(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v;
        gos_system *small = NULL;
        char text[2000];
        snprintf(text, sizeof text, model, cases[i].joint, cases[i].place, cases[i].rest,
                 cases[i].heat, cases[i].viscous);
        verify_text(&v, text, NULL);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
        assert_int_equal(small->npoints, 1);
        const gos_points *p = small->points[0];
        assert_int_equal(p->gram != NULL, cases[i].form);
        if (p->gram) {
            print_message("%s: %d fields, %d points, %d products, rank %d, viscous %d\n",
                          cases[i].joint, p->nv, p->ne, p->gram->pairs, p->gram->rank,
                          p->gram->vrank);
            assert_int_equal(p->z0 != NULL, cases[i].constant);
            check_block(small, p, strcmp(cases[i].heat, "true") == 0);
            check_degrees(small, p);
        }
        gos_system_destroy(small);
        verify_close(&v);
    }
}

/* eight times as many elements, no more work in a run: counted, not timed */
static void cost_of_meshes(void **state) {
    GOS_UNUSED(state);
    double work[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        gos_system *small = NULL;
        char text[1000];
        const int n = i + 1;
        snprintf(text, sizeof text,
                 "materials: {m: {density: 8, young: 20}}\n"
                 "meshes: {bar: {type: box, size: [4, 1, 1], cells: [%d, %d, %d], order: "
                 "quadratic}}\n"
                 "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
                 "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"
                 "analysis: {end: 1}\n"
                 "reduction: {method: rotation_closed, fields: modes, number: 6}\n",
                 6 * n, 2 * n, 2 * n);
        verify_text(&v, text, NULL);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
        assert_int_equal(small->points[0]->ne, 27 * 24 * n * n * n);
        assert_non_null(small->points[0]->gram);
        work[i] =
            gos__cost_run(small, &(gos_statistics){.iterations = 1000, .jacobians = 30}) / 1e3;
        gos_system_destroy(small);
        verify_close(&v);
    }
    verify_near("work of a run, finer mesh over coarse one", work[1] / work[0], 1, 0.2);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_points),
        cmocka_unit_test(cost_of_meshes),
    };
    return cmocka_run_group_tests_name("gram", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
