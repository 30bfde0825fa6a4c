/* The entry `reduce` of floating bodies: the projected body against the one on its mesh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "floating/floating.h"
#include "gossamer/reduce_linear.h"
#include "support/items.h"
#include "support/suite.h"

/* the hub-beam of floating-frame theory 5.1, and the beam of the spin-up, 5.3 */
static const char hub_beam[] =
    "floating_bodies: %s\n"
    "materials: {alu: {density: 2767, young: 6.895e10, poisson: 0.3}}\n"
    "sections: {bar: {type: general, area: 2.5e-4, Iy: 1.0e-9, Iz: 1.302e-10, J: 1.0e-9}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: alu, section: bar, from: [0, 0, 0], to: [1.8, 0, 0],\n"
    "        elements: 20, bending: y, torsion: rigid, reduce: {%s\n";
static const char spin_up[] =
    "floating_bodies: %s\n"
    "materials: {m: {density: 1.2, young: 2.8e7, poisson: 0.3}}\n"
    "sections: {bar: {type: general, area: 1, Iy: 5.0e-4, Iz: 5.0e-4, J: 1.0e-9}}\n"
    "bodies:\n"
    "  arm: {type: floating_beam, material: m, section: bar, from: [0, 0, 0], to: [10, 0, 0],\n"
    "        elements: 10, bending: y, torsion: rigid, reduce: {%s\n";

static gos_status open_body(fixture *f, const char *text, const char *which, const char *keys) {
    char model[1500];
    char body[600];
    snprintf(body, sizeof body, "%s}%s", keys, strchr(keys, '}') ? "" : "}");
    snprintf(model, sizeof model, text, which, body);
    return make_with(f, NULL, false, model);
}

/* the first member of the data of all floating bodies */
static const gos_flex *flex_of(const fixture *f) {
    return ((const gos_floating_body *)f->b.body[0]->par)->flex;
}

static const gos_flex *open_ok(fixture *f, const char *text, const char *which, const char *keys) {
    const gos_status status = open_body(f, text, which, keys);
    if (status != GOS_OK) {
        print_error("%s\n", gos_ctx_message(f->ctx));
    }
    assert_int_equal(status, GOS_OK);
    return flex_of(f);
}

/* the model from a load to what is conjugate to another */
static gos_linear *linear_of(const gos_flex *f, const gos_flex_input *in,
                             const gos_flex_input *out) {
    gos_linear *l;
    gos_flex_port port[2];
    double *load = calloc((size_t)(2 * f->n), sizeof *load);
    for (int i = 0; i < 2; i++) {
        port[i] = (gos_flex_port){"a", "", load + i * f->n, NULL};
        gos__flex_load(f, i ? out : in, 1, load + i * f->n);
    }
    assert_int_equal(gos__flex_linear(f, 1, port, 1, port + 1, &l), GOS_OK);
    free(load);
    return l;
}

/* entry of a sparse matrix */
static double entry(const gos_sparse *A, int i, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == i) {
            return A->x[k];
        }
    }
    return 0;
}

/* Y (s^2 M + K)^-1 B of an undamped model with one input and output, s = (re, im): by its modes */
static void transfer(const gos_linear *l, const double s[2], double H[2]) {
    const int n = l->nq;
    gos_mode *mode = calloc((size_t)n, sizeof *mode);
    double *X = calloc((size_t)n * (size_t)n, sizeof *X);
    int found;
    assert_int_equal(gos_linear_shapes(l->ctx, l, n, mode, X, &found), GOS_OK);
    H[0] = H[1] = 0;
    for (int m = 0; m < found; m++) {
        double b = 0, y = 0;
        for (int i = 0; i < n; i++) {
            b += entry(&l->block[GOS_BLOCK_B], i, 0) * X[m * n + i];
            y += entry(&l->block[GOS_BLOCK_Y_q], 0, i) * X[m * n + i];
        }
        const double re = s[0] * s[0] - s[1] * s[1] + mode[m].omega * mode[m].omega,
                     im = 2 * s[0] * s[1], size = re * re + im * im;
        H[0] += b * y * re / size;
        H[1] -= b * y * im / size;
    }
    free(mode);
    free(X);
}

static double static_response(const gos_flex *f, const gos_flex_input *in,
                              const gos_flex_input *out) {
    double H[2], zero = 0;
    gos_linear *l = linear_of(f, in, out);
    assert_int_equal(gos_linear_response(f->ctx, l, 1, &zero, H), GOS_OK);
    gos_linear_destroy(l);
    return H[0];
}

/* frequency of amplitude k, which are those of the projected body: M and K are diagonal */
static double frequency(const gos_flex *f, int k) {
    double m = 0;
    for (int c = 0; c < 3; c++) {
        m += entry(&f->gram, gos__flex_at(k, c), gos__flex_at(k, c));
    }
    return sqrt(entry(&f->K, k, k) / m);
}

static const gos_flex_input end_x = {GOS_FLEX_FORCE, 0, 0, 20}, end_y = {GOS_FLEX_FORCE, 1, 0, 20};

/* Five Krylov vectors, as the published ones may be meant: of the force across the end alone, three
   and two, two and three, four and one, of both forces as one. The lowest frequency of the mesh
   is 3.90934329 rad/s, the first axial one 4357.34096; spaces of one vector for the axial force
   contain the static stretch, 3 (EA / L) / (rho A L) its square. */
static void test_krylov(void **state) {
    (void)state;
    const double EA = 6.895e10 * 2.5e-4, m = 2767 * 2.5e-4 * 1.8, L = 1.8;
    const struct {
        const char *keys;
        int axial;    // vectors along the beam
        double first; // error of the bending frequency at most [rad/s]
        double along; // lowest axial one [rad/s], 0: there is none
    } cases[] = {
        {"method: krylov, order: 5, inputs: [end.y]", 0, 1e-8, 0},
        {"method: krylov, order: 5, inputs: [end.y, end.x]", 2, 1e-8, 4357.34},
        {"method: krylov, order: 5, inputs: [end.x, end.y]", 3, 5e-6, 4357.34},
        {"method: krylov, order: 4, inputs: end.y, static: [end.x]", 1, 1e-8,
         sqrt(3 * EA / (L * m))},
        {"method: krylov, order: 4, inputs: end.y, static: [end.x, centrifugal.zz]", 2, 1e-8,
         4357.3},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        fixture f;
        const gos_flex *flex = open_ok(&f, hub_beam, "reduced", cases[i].keys);
        int axial = 0;
        double along = 1e9;
        for (int k = 0; k < flex->n; k++) {
            const bool is = fabs(entry(&flex->move, k, 60)) > fabs(entry(&flex->move, k, 61));
            axial += is;
            along = is && frequency(flex, k) < along ? frequency(flex, k) : along;
        }
        print_message("%s: %d amplitudes, %.9f and %.5f rad/s\n", cases[i].keys, flex->n,
                      frequency(flex, 0), along);
        assert_int_equal(flex->n, i == 4 ? 6 : 5);
        assert_int_equal(axial, cases[i].axial);
        assert_true(fabs(frequency(flex, 0) - 3.90934329) <= cases[i].first);
        assert_true(cases[i].along == 0 || fabs(along - cases[i].along) <= 2e-2 * cases[i].along);
        // as large as the body: the amplitude is the root of the mean square of the displacement
        assert_true(fabs(entry(&flex->gram, 0, 0) - m) <= 1e-12 * m);
        drop(&f);
    }
}

/* Both forces as one input: the vectors are sums, and every one has both parts; their space answers
   that sum alone, statically exactly. */
static void test_combined(void **state) {
    (void)state;
    fixture f, whole;
    const gos_flex *flex = open_ok(&f, hub_beam, "reduced",
                                   "method: krylov, order: 5, inputs: [\"4*end.x + 0.2*end.y\"]");
    const gos_flex *full = open_ok(&whole, hub_beam, "whole", "method: krylov, order: 5");
    assert_int_equal(flex->n, 5);
    assert_int_equal(full->n, 60);
    const double u =
        4 * static_response(flex, &end_x, &end_y) + 0.2 * static_response(flex, &end_y, &end_y);
    const double want = 0.2 * static_response(full, &end_y, &end_y);
    assert_true(fabs(want - 0.2 * 1.8 * 1.8 * 1.8 / (3 * 6.895e10 * 1.302e-10)) <= 1e-9 * want);
    assert_true(fabs(u - want) <= 1e-8 * want);
    drop(&f);
    drop(&whole);
}

/* Static stretch of the spinning beam, omega^2 rho A L^3 / (3 EA) = 5.143e-4 m at 6 rad/s
   (theory 5.3); bending vectors alone have none of it, and the deflection by the Euler load is that
   of the load as an input. */
static void test_static(void **state) {
    (void)state;
    const gos_flex_input spin = {GOS_FLEX_CENTRIFUGAL, 2, 2, 0}, euler = {GOS_FLEX_EULER, 2, 0, 0};
    const gos_flex_input out[2] = {{GOS_FLEX_FORCE, 0, 0, 10}, {GOS_FLEX_FORCE, 1, 0, 10}};
    for (int with = 0; with < 2; with++) {
        fixture f;
        const gos_flex *flex = open_ok(
            &f, spin_up, "reduced",
            with ? "method: modes, order: 3, inputs: euler.z, static: [centrifugal.zz, euler.z]"
                 : "method: modes, order: 3, inputs: euler.z");
        const double stretch = 36 * static_response(flex, &spin, &out[0]);
        const double bend = static_response(flex, &euler, &out[1]),
                     want = -11 * 1.2 * 1e5 / (120 * 1.4e4);
        assert_int_equal(flex->n, 3 + 2 * with);
        if (with) {
            assert_true(fabs(stretch - 36 * 1.2 * 1000 / (3 * 2.8e7)) <= 1e-12);
            assert_true(fabs(bend - want) <= 1e-9);
        } else {
            assert_true(fabs(stretch) <= 1e-12);
            assert_true(fabs(bend - want) > 1e-6);
        }
        drop(&f);
    }
}

/* The order by the estimator, of a body with 1 % damping: the response at the end to a force across
   it, on a band of seven modes, is within the tolerance, and the order is not much more than
   needed. */
static void test_estimator(void **state) {
    (void)state;
    const double band[2] = {0.1, 700};
    int last = 0;
    for (int i = 0; i < 2; i++) {
        const double tolerance = i ? 1e-6 : 1e-3;
        char keys[200];
        fixture f, whole;
        gos_band_error error;
        snprintf(keys, sizeof keys,
                 "method: krylov, band: [0.016, 111.4], tolerance: %g, inputs: end.y}, zeta: 0.01",
                 tolerance);
        const gos_flex *flex = open_ok(&f, hub_beam, "reduced", keys);
        gos_linear *small = linear_of(flex, &end_y, &end_y);
        gos_linear *full = linear_of(open_ok(&whole, hub_beam, "whole", keys), &end_y, &end_y);
        assert_int_equal(gos_linear_band_error(f.ctx, full, small, band[0], band[1], &error),
                         GOS_OK);
        print_message("%d amplitudes, error %.2g\n", flex->n, error.relative);
        assert_true(error.relative <= 1.25 * tolerance);
        assert_true(flex->n > last && flex->n < 25);
        last = flex->n;
        gos_linear_destroy(small);
        gos_linear_destroy(full);
        drop(&f);
        drop(&whole);
    }
}

/* Without an entry: all loads of the frame and at the ends, by method auto. */
static void test_default(void **state) {
    (void)state;
    fixture f, whole;
    const gos_flex *flex = open_ok(&f, hub_beam, "reduced", "");
    const gos_flex *full = open_ok(&whole, hub_beam, "whole", "");
    const gos_flex_input euler = {GOS_FLEX_EULER, 2, 0, 0};
    print_message("%d amplitudes\n", flex->n);
    assert_true(flex->n < 40);
    const double want = static_response(full, &euler, &end_y);
    assert_true(fabs(want) > 0.1 &&
                fabs(static_response(flex, &euler, &end_y) - want) <= 1e-3 * fabs(want));
    drop(&f);
    drop(&whole);
}

/* mean axes: the vectors fulfil the conditions, and none are left */
static void test_mean_axis(void **state) {
    (void)state;
    fixture f;
    const gos_flex *flex = open_ok(&f, hub_beam, "reduced",
                                   "method: modes, order: 2, inputs: end.y}, reference: mean_axis");
    static const double free_free[2] = {22.3732854478, 61.6728228676};
    const double unit = sqrt(6.895e10 * 1.302e-10 / (2767 * 2.5e-4)) / (1.8 * 1.8);
    assert_int_equal(flex->C.m, 0);
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(frequency(flex, k) - free_free[k] * unit) <= 2e-5 * free_free[k] * unit);
        assert_true(fabs(entry(&flex->gram, 0, gos__flex_at(k, 1))) <= 1e-10);
        assert_true(fabs(entry(&flex->gram, 1, gos__flex_at(k, 1))) <= 1e-10);
    }
    drop(&f);
}

/* The arm under 4 N along it, turning at 2.7 rad/s 0.1 m from the axle: frequencies in axes that
   turn, of tests/reference/hub_beam.py (HubBeam.stiffness, 20 elements); without the force and
   rates, and at zeroth order, where the arm softens by their square alone. */
static void test_loaded(void **state) {
    (void)state;
    static const double none[] = {3.90934329, 24.49948629},
                        first[] = {5.01092997, 26.48762273, 70.5483969},
                        zeroth[] = {2.82718322, 24.35025315, 68.5470955};
    const double w2 = 2.7 * 2.7;
    const struct {
        const char *coupling;
        double size;
        const double *want;
    } cases[] = {{"first", 0, none}, {"first", 1, first}, {"zeroth", 1, zeroth}};
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        const struct {
            gos_flex_input in;
            double amount;
        } loads[] = {{end_x, 4},
                     {{GOS_FLEX_CENTRIFUGAL, 2, 2, 0}, w2},
                     {{GOS_FLEX_ACCELERATION, 0, 0, 0}, -0.1 * w2}};
        char keys[100];
        fixture f;
        gos_mode mode[3];
        gos_linear *l;
        int found;
        snprintf(keys, sizeof keys, "method: modes, order: 3}, coupling: %s", cases[i].coupling);
        gos_flex loaded = *open_ok(&f, hub_beam, "whole", keys);
        gos_sparse K;
        assert_int_equal(gos__sparse_copy(f.ctx, &loaded.K, &K), GOS_OK);
        for (int k = 0; k < GOS_COUNT(loads); k++) {
            assert_int_equal(
                gos__flex_stiffen(&loaded, &loads[k].in, cases[i].size * loads[k].amount, &K),
                GOS_OK);
        }
        loaded.K = K;
        assert_int_equal(gos__flex_linear(&loaded, 0, NULL, 0, NULL, &l), GOS_OK);
        assert_int_equal(gos_linear_modes(f.ctx, l, 3, false, mode, &found), GOS_OK);
        for (int k = 0; k < (cases[i].size > 0 ? 3 : 2); k++) {
            print_message("%.9g want %.9g\n", mode[k].omega, cases[i].want[k]);
            assert_true(fabs(mode[k].omega - cases[i].want[k]) <= 1e-7 * cases[i].want[k]);
        }
        gos_linear_destroy(l);
        gos__sparse_free(f.ctx, &K);
        drop(&f);
    }
}

/* About a complex point real and imaginary parts of a vector serve: both together answer the force
   there exactly, statically they do not. */
static void test_complex_shift(void **state) {
    (void)state;
    static const char *const keys[] = {
        "method: krylov, order: 2, inputs: [end.y], static: [], shift: [[-2, 15]]",
        "method: krylov, order: 2, inputs: [end.y], static: [], shift: [-2]"};
    fixture whole;
    const gos_flex *full = open_ok(&whole, hub_beam, "whole", "method: krylov, order: 2");
    for (int i = 0; i < 2; i++) {
        fixture f;
        const gos_flex *flex = open_ok(&f, hub_beam, "reduced", keys[i]);
        gos_linear *l[2] = {linear_of(full, &end_y, &end_y), linear_of(flex, &end_y, &end_y)};
        double H[2][2], s[2][2] = {{-2, 15}, {-2, 0}};
        assert_int_equal(flex->n, 2);
        for (int k = 0; k < 2; k++) {
            transfer(l[k], s[i], H[k]);
            gos_linear_destroy(l[k]);
        }
        const double size = hypot(H[0][0], H[0][1]);
        print_message("%s: %.3g\n", keys[i], hypot(H[0][0] - H[1][0], H[0][1] - H[1][1]) / size);
        assert_true(hypot(H[0][0] - H[1][0], H[0][1] - H[1][1]) <= 1e-10 * size);
        drop(&f);
    }
    drop(&whole);
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *keys, *message;
    } bad[] = {
        {"method: krylov, order: 3, inputs: [tip.y]", "'tip.y' is not a load"},
        {"method: krylov, order: 3, inputs: [end.q]", "'q' is not a direction"},
        {"method: krylov, order: 3, inputs: [centrifugal.z]", "xx, yy, zz"},
        {"method: krylov, order: 3, inputs: [start.y]", "does not deform the body"},
        {"method: krylov, order: 3, inputs: [end.z]", "does not deform the body"},
        {"method: krylov, order: 3, state: [euler.z]", "add no stiffness"},
        {"method: krylov, order: 3, state: [end.rz]", "add no stiffness"},
        {"method: krylov, order: 3, state: [4*tip.x]", "'tip.x' is not a load"},
        {"method: krylov, order: 3, two_sided: true", "do not support 'two_sided'"},
        {"method: krylov, order: 3, correction: -3", "correction must be"},
        {"method: krylov, order: 3, correction: 3, frame_motions: [euler.z]", "0 numbers"},
        {"method: krylov, order: 3, frame_motions: [euler.z], frame_inertia: [1]",
         "are used by the correction only"},
        {"method: krylov, order: 3, correction: 3, frame_motions: [end.y], frame_inertia: 1",
         "forces and products of rates must not be given"},
        {"method: krylov, order: 3, correction: 3, frame_inertia: [-1]", "frame_inertia must"},
        {"method: balanced, order: 3", "displacements"},
        {"method: kryov, order: 3", "did you mean 'krylov'"},
        {"method: krylov, ordr: 3", "did you mean 'order'"},
        {"method: auto, fields: modes", "do not support 'fields'"}};
    for (int i = 0; i < 2 * GOS_COUNT(bad); i++) { // a full run refuses them, too
        fixture f;
        const char *keys = bad[i / 2].keys;
        assert_int_equal(open_body(&f, hub_beam, i % 2 ? "whole" : "reduced", keys), GOS_E_INPUT);
        if (!strstr(gos_ctx_message(f.ctx), bad[i / 2].message)) {
            print_error("%s: %s\n", keys, gos_ctx_message(f.ctx));
            fail();
        }
        assert_non_null(strstr(gos_ctx_message(f.ctx), "test.yaml:6:"));
        drop(&f);
    }
}

static int stop(void *user, double fraction, double seconds, const char *text) {
    GOS_UNUSED(fraction);
    GOS_UNUSED(seconds);
    snprintf(user, 80, "%s", text);
    return strstr(text, "reduction") != NULL;
}

/* a reduction of a second reports progress while the model is compiled, and can be
 * stopped */
static void test_stopped(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "floating_bodies: reduced\n"
        "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3}}\n"
        "meshes: {bar: {type: box, size: [1, 0.05, 0.05], cells: [60, 6, 6]}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: steel, reference: clamped, at: left,\n"
        "  reduce: {method: auto, tolerance: 1e-3}}}\n";
    char text[80] = "";
    gos_ctx *ctx = gos_ctx_create();
    gos_model *m = NULL;
    gos_system *s = NULL;
    assert_int_equal(gos_model_parse(ctx, model, strlen(model), "test.yaml", NULL, &m), GOS_OK);
    gos_ctx_set_progress(ctx, stop, text);
    assert_int_equal(gos_system_create(ctx, m, &s), GOS_E_INTERRUPTED);
    assert_non_null(strstr(text, "reduction"));
    gos_model_destroy(m);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_krylov),  cmocka_unit_test(test_combined),
        cmocka_unit_test(test_static),  cmocka_unit_test(test_estimator),
        cmocka_unit_test(test_default), cmocka_unit_test(test_mean_axis),
        cmocka_unit_test(test_loaded),  cmocka_unit_test(test_complex_shift),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
