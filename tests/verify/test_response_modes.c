/* Response modes of a heated ring: exact statics of their temperatures whatever modes of motion
   stand beside them, errors that fall with the temperature basis, columns that depend on others,
   pairs of equal fields; and the heat of strains in a reduced run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce_linear.h"
#include "linalg/saddle.h"
#include "linear/linear.h"
#include "support/suite.h"
#include "support/verify.h"

/* a ring that is held at its inner edge, heated on a sixth of its face, cooled by a film on another
 * one */
static const char ring[] =
    "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 12e-6,\n"
    "  conductivity: 43, specific_heat: 465}}\n"
    "meshes: {ring: {type: annulus, inner: 0.075, outer: 0.15, cells: [3, 18],\n"
    "  sets: {hot: {of: cells, sector: {at: 0, angle: pi/3}},\n"
    "    cold: {of: cells, sector: {at: pi, angle: pi/3}}}}}\n"
    "bodies: {disc: {type: floating, mesh: ring, material: steel, element: plane_stress,\n"
    "  thickness: 0.007, reference: clamped, at: inner}}\n"
    "joints: {hub: {type: clamp, between: [ground, disc.frame]}}\n"
    "heat:\n"
    "  hot: {type: flux, value: 3000, on: disc.hot}\n"
    "  cold: {type: convection, coefficient: film, ambient: 0, on: disc.cold}\n"
    "analysis: {end: 1}\n"
    "parameters: {film: 10}\n";

typedef struct heated {
    verify v;
    gos_linear *l;
    gos_saddle *saddle;
} heated;

static void begin(heated *h, const char *settings) {
    verify_text(&h->v, ring, settings);
    verify_good(&h->v, gos_linearise_structure(h->v.ctx, h->v.sys, h->v.state, &h->l));
    const gos_pencil pencil = {
        .K = &h->l->K, .M = &h->l->M, .C = &h->l->block[GOS_BLOCK_C], .ncomp = 1};
    verify_good(&h->v, gos__saddle_create(h->v.ctx, &pencil, &h->saddle));
    verify_good(&h->v, gos__saddle_factor(h->saddle, 0, 0));
}

static void end(heated *h) {
    gos__saddle_destroy(h->saddle);
    gos_linear_destroy(h->l);
    verify_close(&h->v);
}

/* u := - K^-1 G theta, and u . K u */
static double deform(heated *h, const double *theta, double *u) {
    double energy = 0, *f = calloc((size_t)h->l->nq, sizeof *f);
    gos__sparse_apply(&h->l->block[GOS_BLOCK_G], 1, theta, u);
    for (int i = 0; i < h->l->nq; i++) {
        u[i] = -u[i];
    }
    verify_good(&h->v, gos__saddle_solve(h->saddle, 1, u, u));
    gos__sparse_apply(&h->l->K, 1, u, f);
    for (int i = 0; i < h->l->nq; i++) {
        energy += u[i] * f[i];
    }
    free(f);
    return energy;
}

static gos_linear_reduction *reduce(heated *h, int order, int modes) {
    const gos_linear_reduction_options o = {
        .method = "response_modes", .order = order, .modes = modes};
    gos_linear_reduction *r = NULL;
    verify_good(&h->v, gos_linear_reduce(h->v.ctx, h->l, &o, &r));
    return r;
}

/* full values of reduced ones */
static double *lift(const gos_linear_reduction *r, gos_field field, const double *z) {
    int n, k;
    const double *V = gos_linear_reduction_basis(r, field, false, &n, &k);
    double *x = calloc((size_t)n, sizeof *x);
    for (int j = 0; j < k; j++) {
        for (int i = 0; i < n; i++) {
            x[i] += V[(size_t)j * (size_t)n + (size_t)i] * z[j];
        }
    }
    return x;
}

static void add_dense(const gos_sparse *S, double *A) {
    for (int j = 0; j < S->n; j++) {
        for (int p = S->p[j]; p < S->p[j + 1]; p++) {
            A[S->i[p] + (size_t)j * (size_t)S->m] += S->x[p];
        }
    }
}

/* the reduced model at rest under random temperatures, against the full one */
static void statics(void **state) {
    GOS_UNUSED(state);
    heated h;
    begin(&h, NULL);
    for (int modes = 0; modes <= 12; modes += 6) {
        gos_linear_reduction *r = reduce(&h, 7, modes);
        const gos_linear *s = gos_linear_reduction_model(r);
        double z[7], *K = calloc((size_t)s->nq * (size_t)s->nq, sizeof *K);
        double *q = calloc((size_t)s->nq, sizeof *q), *u = calloc((size_t)h.l->nq, sizeof *u);
        assert_int_equal(s->nt, 7);
        assert_int_equal(s->nq, 7 + modes);
        for (int i = 0; i < 7; i++) {
            z[i] = sin(1 + 3.7 * i);
        }
        double *theta = lift(r, GOS_TEMPERATURE, z);
        deform(&h, theta, u);
        gos__sparse_apply(&s->block[GOS_BLOCK_G], 1, z, q);
        add_dense(&s->K, K);
        for (int k = 0; k < s->nq; k++) { // elimination; K is positive definite
            for (int i = k + 1; i < s->nq; i++) {
                const double f =
                    K[i + (size_t)k * (size_t)s->nq] / K[k + (size_t)k * (size_t)s->nq];
                q[i] -= f * q[k];
                for (int j = k; j < s->nq; j++) {
                    K[i + (size_t)j * (size_t)s->nq] -= f * K[k + (size_t)j * (size_t)s->nq];
                }
            }
        }
        for (int i = s->nq - 1; i >= 0; i--) {
            q[i] = -q[i];
            for (int j = i + 1; j < s->nq; j++) {
                q[i] -= K[i + (size_t)j * (size_t)s->nq] * q[j];
            }
            q[i] /= K[i + (size_t)i * (size_t)s->nq];
        }
        double *have = lift(r, GOS_DISPLACEMENT, q), off = 0, most = 0;
        for (int i = 0; i < h.l->nq; i++) {
            off = fmax(off, fabs(have[i] - u[i]));
            most = fmax(most, fabs(u[i]));
        }
        char label[60];
        snprintf(label, sizeof label, "with %d modes of motion", modes);
        verify_below(label, off / most, 1e-10);
        free(K);
        free(q);
        free(u);
        free(theta);
        free(have);
        gos_linear_reduction_destroy(r);
    }
    end(&h);
}

/* The steady temperature of the hot face and the deformation under it, by projection (in the
 * capacity) on more and more fields. */
static void more_fields(void **state) {
    GOS_UNUSED(state);
    heated h;
    begin(&h, NULL);
    const gos_linear *l = h.l;
    const size_t nt = (size_t)l->nt;
    double *theta = calloc(nt, sizeof *theta), *C = calloc(nt, sizeof *C),
           *B = calloc(nt * 2, sizeof *B);
    double *u = calloc((size_t)l->nq, sizeof *u), last[2] = {HUGE_VAL, HUGE_VAL};
    gos_saddle *heat = NULL;
    gos_sparse none;
    verify_good(&h.v, gos__sparse_alloc(h.v.ctx, 0, l->nt, 0, &none));
    const gos_pencil pencil = {.K = &l->K_T, .M = &l->block[GOS_BLOCK_C_T], .C = &none, .ncomp = 1};
    verify_good(&h.v, gos__saddle_create(h.v.ctx, &pencil, &heat));
    verify_good(&h.v, gos__saddle_factor(heat, 0, 0));
    add_dense(&l->block[GOS_BLOCK_B_T], B);
    verify_good(&h.v, gos__saddle_solve(heat, 1, B, theta));
    gos__saddle_destroy(heat);
    gos__sparse_free(h.v.ctx, &none);
    for (int order = 1; order <= 15; order += 2) {
        gos_linear_reduction *r = reduce(&h, order, 0);
        int n, k;
        const double *W = gos_linear_reduction_basis(r, GOS_TEMPERATURE, false, &n, &k);
        double *rest = calloc(nt, sizeof *rest), error[2] = {0};
        double *CW = calloc(nt * (size_t)k, sizeof *CW);
        memcpy(rest, theta, nt * sizeof *rest);
        gos__sparse_apply(&l->block[GOS_BLOCK_C_T], k, W, CW);
        for (int pass = 0; pass < 60;
             pass++) { // modes are orthogonal in C; their basis may be turned
            for (int j = 0; j < k; j++) {
                double up = 0, down = 0;
                for (size_t i = 0; i < nt; i++) {
                    up += CW[(size_t)j * nt + i] * rest[i];
                    down += CW[(size_t)j * nt + i] * W[(size_t)j * nt + i];
                }
                for (size_t i = 0; i < nt; i++) {
                    rest[i] -= up / down * W[(size_t)j * nt + i];
                }
            }
        }
        gos__sparse_apply(&l->block[GOS_BLOCK_C_T], 1, rest, C);
        for (size_t i = 0; i < nt; i++) {
            error[0] += rest[i] * C[i];
        }
        error[1] = deform(&h, rest, u);
        print_message("    %d: %.4g, %.4g\n", order, sqrt(error[0]), sqrt(error[1]));
        // fields across the axis of symmetry add nothing but rounding
        assert_true(error[0] < (1 + 1e-9) * last[0] && error[1] < (1 + 1e-9) * last[1]);
        memcpy(last, error, sizeof last);
        free(rest);
        free(CW);
        gos_linear_reduction_destroy(r);
    }
    free(theta);
    free(C);
    free(B);
    free(u);
    end(&h);
}

static int notes(const gos_ctx *ctx, const char *with) {
    int n = 0;
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        n += strstr(gos_ctx_diag(ctx, i)->text, with) != NULL;
    }
    return n;
}

/* 108 displacements: 7 responses and 105 modes of motion are 4 more than are independent, and that
 * is reported. */
static void dependent(void **state) {
    GOS_UNUSED(state);
    heated h;
    begin(&h, NULL);
    gos_linear_reduction *r = reduce(&h, 7, 105);
    print_message("%s\n", gos_ctx_diag(h.v.ctx, gos_ctx_ndiag(h.v.ctx) - 1)->text);
    assert_int_equal(gos_linear_reduction_model(r)->nq, 108);
    assert_int_equal(notes(h.v.ctx, "displacement mode"), 4);
    assert_int_equal(notes(h.v.ctx, "response mode "), 0);
    gos_linear_reduction_destroy(r);
    end(&h);
}

/* Without a film the ring has a uniform field and pairs: 7 fields are three of them, 6 divide
   one. */
static void pairs(void **state) {
    GOS_UNUSED(state);
    heated h;
    begin(&h, "film=0");
    gos_linear_reduction_destroy(reduce(&h, 7, 0));
    assert_int_equal(notes(h.v.ctx, "the same rate"), 0);
    gos_linear_reduction_destroy(reduce(&h, 6, 0));
    assert_int_equal(notes(h.v.ctx, "the same rate"), 1);
    end(&h);
}

/* Kelvin, as in test_floating_mesh, by one temperature field and the deformation under the pull: a
   fall by T_ref alpha sigma / (rho c + 2 T_ref E alpha^2 / (1 - nu)). */
static void cooled_by_strain(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "reference_temperature: 300\n"
        "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 1.2e-5,\n"
        "  conductivity: 1, specific_heat: 465}}\n"
        "meshes: {bar: {type: rectangle, size: [0.4, 0.1], cells: [4, 1]}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: steel, element: plane_stress,\n"
        "  thickness: 0.01, zeta: 0.5, reduce: {method: response_modes, order: 1}}}\n"
        "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
        "loads:\n"
        "  pull: {type: force, on: bar.right, value: [\"1e5*(1-cos(pi*t/0.05))/2\", 0, 0]}\n"
        "  back: {type: force, on: bar.left, value: [\"-1e5*(1-cos(pi*t/0.05))/2\", 0, 0]}\n"
        "probes: {T: {at: bar.node(8), quantity: temperature}}\n"
        "analysis: {end: 0.05, step: 2.5e-5, thermoelastic_heat: true}\n"
        "floating_bodies: reduced\n";
    verify v = {0};
    verify_text(&v, model, "");
    verify_run(&v);
    const double sigma = 1e5 / (0.1 * 0.01);
    const double capacity = 7800 * 465.0 + 2 * 300 * 2.1e11 * 1.2e-5 * 1.2e-5 / 0.7;
    const double fall = 300 * 1.2e-5 * sigma / capacity;
    verify_near("fall of temperature", verify_value(&v, v.state, "T.T"), -fall, 1e-5 * fall);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statics), cmocka_unit_test(more_fields),      cmocka_unit_test(dependent),
        cmocka_unit_test(pairs),   cmocka_unit_test(cooled_by_strain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
