/* Counts of roots by the argument principle: iterations on small models, which LAPACK would solve
   whole, miss no oscillation, and find again what is left out of their first basis. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "linear/quadratic.h"
#include "support/near.h"
#include "support/random_roots.h"
#include "support/suite.h"

/* a note of the last call that contains the words */
static bool noted(const gos_ctx *ctx, const char *words) {
    for (int i = 0; i < gos_ctx_ndiag(ctx); i++) {
        const gos_diag *d = gos_ctx_diag(ctx, i);
        if (d->count == 0 && strstr(d->text, words)) {
            return true;
        }
    }
    return false;
}

/* ---- random models --------------------------------------------------------------------------- */

typedef struct listed {
    int found, nroots;
    gos_mode mode[300];
    gos_root slow[300];
    double reach; // size of the largest oscillation
} listed;

/* the iteration, however small the model is */
static gos_status iterate(const random_model *r, int n, int omitted, listed *is) {
    const gos_damped_def def = {
        .n = n, .nthermal = r->heat ? n : 0, .damped = true, .heat = r->heat, .omitted = omitted};
    *is = (listed){0};
    const gos_status status = gos__linear_damped_part(r->ctx, r->linear, &def, is->mode, &is->found,
                                                      is->slow, &is->nroots);
    for (int i = 0; i < is->found; i++) {
        is->reach = fmax(is->reach, is->mode[i].im > 0 ? is->mode[i].omega : 0);
    }
    return status;
}

/* how often the root is in the lists */
static int times(const listed *is, root s, double tolerance) {
    int n = 0;
    for (int i = 0; i < is->found; i++) {
        n += cabs(is->mode[i].re + is->mode[i].im * IMAG - s) <= tolerance;
    }
    for (int i = 0; i < is->nroots; i++) {
        n += cabs(is->slow[i].re + is->slow[i].im * IMAG - s) <= tolerance;
    }
    return n;
}

/* roots of all (n) within the distance */
static int near_root(int n, const root *all, root s, double tolerance) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        count += cabs(all[i] - s) <= tolerance;
    }
    return count;
}

/* Oscillations below the last one that is listed are there, and without overdamped modes real roots
   below the last thermal one; none is there more often than in the dense solution. */
static int compare(const random_model *r, const listed *is, int n, const root *should,
                   double fastest, const char *what) {
    int bad = 0;
    for (int i = 0; i < n; i++) {
        const double tolerance = 1e-6 * cabs(should[i]) + 3e-7 * sqrt(fastest) + 1e-11 * fastest;
        const double size = cabs(should[i]), rest = fabs(creal(should[i]));
        const bool swings = cimag(should[i]) > GOS_SWINGS * rest;
        const double last =
            is->nroots ? hypot(is->slow[is->nroots - 1].re, is->slow[is->nroots - 1].im) : 0;
        const int found = times(is, should[i], tolerance);
        const bool wanted =
            (swings && size < 0.999 * is->reach) ||
            (!r->damped && cimag(should[i]) == 0 && size > 100 * tolerance && size < 0.999 * last);
        if (wanted && found == 0) {
            print_error("%s: %.6g + %.6g i is missing below %.6g, %.6g\n", what, creal(should[i]),
                        cimag(should[i]), is->reach, last);
            bad = 1;
        }
        if (swings && found > near_root(n, should, should[i], 2 * tolerance)) {
            print_error("%s: %.6g + %.6g i is there %d times\n", what, creal(should[i]),
                        cimag(should[i]), found);
            bad = 1;
        }
    }
    return bad;
}

static int check_model(uint64_t seed, int most, int omitted, int *refused, int *open) {
    draws d = {.state = seed * 0x9E3779B97F4A7C15ull + 1};
    random_model r = draw_model(&d, most);
    static listed is;
    int bad = 0;
    root *should;
    double fastest;
    char what[80];
    const int n = dense_roots(r.ctx, r.linear, &should, &fastest);
    snprintf(what, sizeof what, "seed %llu, without undamped mode %d", (unsigned long long)seed,
             omitted);
    if (iterate(&r, 8, omitted, &is) != GOS_OK) {
        assert_non_null(strstr(gos_ctx_message(r.ctx), "did not converge"));
        ++*refused;
    } else {
        bad = compare(&r, &is, n, should, fastest, what);
        *open += noted(r.ctx, "not verified");
        if (noted(r.ctx, "not found")) {
            print_error("%s: a gap is reported\n", what);
            bad = 1;
        }
    }
    test_free(should);
    model_done(&r);
    return bad;
}

/* Models of up to 300 unknowns by the iteration; also as if it had not found the third or sixth
 * undamped mode. */
static void test_random(void **unused) {
    (void)unused;
    const int count = suite_long() ? 1000 : 40;
    int bad = 0, refused = 0, open = 0;
    for (int i = 0; i < count; i++) {
        for (int omitted = 0; omitted < 3; omitted++) {
            bad += check_model((uint64_t)i + 1, 300, omitted * 3, &refused, &open);
        }
    }
    if (bad + refused + open) {
        print_error("of %d: %d wrong, %d refused, %d not verified\n", 3 * count, bad, refused,
                    open);
    }
    assert_int_equal(bad, 0);
    assert_true(refused <= 3 * count / 100);
    assert_true(open <= 3 * count / 100);
}

/* ---- fields that are apart ------------------------------------------------------------------- */

/* Oscillators and temperatures each by itself, but for the first of each: no residual leads from
   one to another, so what the first basis lacks is found by the counts alone. One mode is
   overdamped. */
static random_model draw_apart(double rate) {
    enum { MODES = 40, FIELDS = 50, SLOWED = 4 };
    random_model r = {
        .ctx = gos_ctx_create(), .nq = MODES, .nt = FIELDS, .heat = true, .damped = true};
    const gos_linear_size size = {.nq = MODES, .nt = FIELDS};
    need(r.ctx, gos__linear_create(r.ctx, &size, &r.linear));
    full M = full_of(MODES, MODES), K = full_of(MODES, MODES), D = full_of(MODES, MODES);
    full C = full_of(FIELDS, FIELDS), A = full_of(FIELDS, FIELDS);
    full G = full_of(MODES, FIELDS), H = full_of(FIELDS, MODES);
    for (int i = 0; i < MODES; i++) {
        const double w = 1 + 0.3 * i;
        put(&M, i, i, 1);
        put(&K, i, i, w * w);
        put(&D, i, i, i == SLOWED ? 3 * w : 0.02 * w);
    }
    for (int i = 0; i < FIELDS; i++) {
        put(&C, i, i, 1);
        put(&A, i, i, rate * (1 + 0.5 * i));
    }
    put(&G, 0, 0, 0.1);
    put(&H, 0, 0, 0.1);
    put_block(r.linear, GOS_BLOCK_M, &M, r.ctx);
    put_block(r.linear, GOS_BLOCK_K, &K, r.ctx);
    put_block(r.linear, GOS_BLOCK_D, &D, r.ctx);
    put_block(r.linear, GOS_BLOCK_C_T, &C, r.ctx);
    put_block(r.linear, GOS_BLOCK_K_T, &A, r.ctx);
    put_block(r.linear, GOS_BLOCK_G, &G, r.ctx);
    put_block(r.linear, GOS_BLOCK_H_v, &H, r.ctx);
    need(r.ctx, gos__linear_close(r.linear));
    return r;
}

static void test_apart(void **unused) {
    (void)unused;
    for (int omitted = 0; omitted < 9; omitted++) {
        random_model r = draw_apart(0.01);
        static listed is;
        root *should;
        double fastest;
        char what[60];
        const int n = dense_roots(r.ctx, r.linear, &should, &fastest);
        snprintf(what, sizeof what, "apart, without mode and field %d", omitted);
        need(r.ctx, iterate(&r, 9, omitted, &is));
        assert_int_equal(is.nroots, 9);
        assert_int_equal(compare(&r, &is, n, should, fastest, what), 0);
        for (int k = 1; k < 9; k++) {
            near_rel_named(what, is.slow[k].re, -0.01 * (1 + 0.5 * k), 1e-8);
        }
        assert_false(noted(r.ctx, "not verified"));
        assert_false(noted(r.ctx, "not found"));
        assert_int_equal(noted(r.ctx, "the undamped mode of 0.3501 Hz is overdamped: eigenvalues"),
                         omitted != 5);
        test_free(should);
        model_done(&r);
    }
}

/* Temperatures faster than the oscillations that are listed: those beyond are no gap. */
static void test_fast(void **unused) {
    (void)unused;
    random_model r = draw_apart(1);
    static listed is;
    root *should;
    double fastest;
    const int n = dense_roots(r.ctx, r.linear, &should, &fastest);
    need(r.ctx, iterate(&r, 4, 0, &is));
    assert_int_equal(compare(&r, &is, n, should, fastest, "fast temperatures"), 0);
    assert_false(noted(r.ctx, "not found"));
    assert_true(noted(r.ctx, "were not counted"));
    test_free(should);
    model_done(&r);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_apart),
                                       cmocka_unit_test(test_fast)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
