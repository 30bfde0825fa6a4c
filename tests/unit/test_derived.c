/* Made vectors in the builder: numbers that are final at once, forms that grow as places ask,
   initial values that follow the coordinates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "parts/derived.h"
#include "support/items.h"
#include "support/suite.h"

static void near3(const double a[3], double x, double y, double z) {
    const double b[3] = {x, y, z};
    for (int k = 0; k < 3; ++k) {
        assert_true(fabs(a[k] - b[k]) <= 1e-15);
    }
}

/* origin 1, axes 2 .. 4, amplitudes 15, 16, 17 behind a vector of another item */
static gos_derived *make_body(fixture *f) {
    static const int z[3] = {15, 16, 17};
    const double e0[18] = {9, 9, 9, 1, 2, 3, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0.1, 0.2, -0.3};
    int first;
    gos_derived *m;
    *f = (fixture){.ctx = gos_ctx_create()};
    f->b = (gos_builder){.ctx = f->ctx, .arena = gos__arena_create(f->ctx)};
    assert_int_equal(gos__add_vectors(&f->b, 6, e0, 0, &first), GOS_OK);
    assert_int_equal(gos__derived_create(&f->b, "body 'x'", (gos_loc){0}, 1, 2, 3, z, &m), GOS_OK);
    return m;
}

static void test_numbers(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    gos_derived *m = make_body(&f), *other;
    int v;
    assert_int_equal(gos__derived_vector(m, 0, 2, &v), GOS_OK);
    assert_int_equal(v, -1);
    assert_int_equal(gos__derived_vector(m, 2, 0, &v), GOS_OK);
    assert_int_equal(v, -2);
    // another body counts on, and each keeps what it has
    assert_int_equal(gos__derived_create(&f.b, "body 'y'", (gos_loc){0}, 1, 2, 3, m->z, &other),
                     GOS_OK);
    assert_int_equal(gos__derived_vector(other, 2, 0, &v), GOS_OK);
    assert_int_equal(v, -3);
    for (int s = 0; s < 40; ++s) { // forms beyond the room that there was
        const int i[2] = {s % 3, 1}, j[2] = {s % 3, 1};
        const double w[2] = {1.0 + s, 0.0};
        int number;
        assert_int_equal(
            gos__derived_form(m, &(gos_derived_form){.nnz = 2, .i = i, .j = j, .v = w}, &number),
            GOS_OK);
        assert_int_equal(number, 3 + s);
        assert_int_equal(m->form[s].nnz, 1); // zeros left out
        assert_int_equal(gos__derived_vector(m, s % 3, number, &v), GOS_OK);
        assert_int_equal(v, -4 - s);
    }
    assert_int_equal(gos__derived_vector(m, 0, 2, &v), GOS_OK);
    assert_int_equal(v, -1);
    assert_int_equal(gos__derived_vector(m, 1, 4, &v), GOS_OK);
    assert_int_equal(v, -5);
    assert_int_equal(f.b.derived->n, 43);
    assert_int_equal(f.b.derived->nbody, 2);
    assert_ptr_equal(f.b.derived->pair[2].of, other);
    drop(&f);
}

static void test_initial_values(void **unused) {
    GOS_UNUSED(unused);
    fixture f;
    gos_derived *m = make_body(&f);
    const int i[3] = {0, 0, 2}, j[3] = {2, 0, 0};
    const double v[3] = {2.0, 5.0, 2.0}, off[3] = {0.5, 0.0, 0.0};
    int s, idx[3] = {1};
    double x[3];
    assert_int_equal(
        gos__derived_form(m, &(gos_derived_form){.nnz = 3, .i = i, .j = j, .v = v}, &s), GOS_OK);
    assert_int_equal(gos__derived_vector(m, 1, 1, &idx[1]), GOS_OK);
    assert_int_equal(gos__derived_vector(m, 2, s, &idx[2]), GOS_OK);
    gos__vector_initial(&f.b, 1, x);
    near3(x, 1, 2, 3);
    gos__vector_initial(&f.b, idx[1], x); // a_2 z_2
    near3(x, 0, 0, 0.2);
    gos__vector_initial(&f.b, idx[2], x); // a_3 q, q = (2 * 2 z_1 z_3 + 5 z_1^2) / 2
    near3(x, 0, 0.5 * (0.12 - 0.05), 0);
    f.b.e0[5][0] = 0.0; // later than the vector was made
    gos__vector_initial(&f.b, idx[2], x);
    near3(x, 0, 0, 0);
    // and through a marker
    const double w[3] = {1.0, 10.0, 3.0};
    gos_marker at;
    assert_int_equal(gos__marker_make(f.b.arena, 3, idx, w, off, &at), GOS_OK);
    assert_int_equal(at.n, 3);
    gos__marker_initial(&f.b, &at, x);
    near3(x, 1.5, 2, 5);
    drop(&f);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_initial_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
