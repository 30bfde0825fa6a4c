/* Electric potentials condensed: the model without them answers as the one that has them as
   unknowns, and methods that know none reduce it. Electrodes are of all kinds: open, of a given
   charge, of a given voltage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "control/plant.h"
#include "linear/condensed.h"
#include "support/linear_models.h"
#include "support/suite.h"

/* ---- models ---------------------------------------------------------------------------------- */

enum { N = 16, T = 5, E = 4, NU = 4, NY = 6, LARGEST = 32 };
enum { PUSH, CHARGE, VOLT3, VOLT4 };
enum { PLACE, PHI1, PHI2, APART, CHARGE3, FAR };

typedef struct wanted {
    bool heat, free, held;
    double length, charge, voltage; // what one unit of the model is in SI
} wanted;

static const wanted plain = {.length = 1, .charge = 1, .voltage = 1},
                    warm = {.heat = true, .length = 1, .charge = 1, .voltage = 1},
                    small = {.length = 1e-3, .charge = 1e-9, .voltage = 1e3};

static void add(double *A, int rows, int i, int j, double x) {
    A[j * rows + i] += x;
}

/* a dense block of the model, filled by `fill` */
typedef void filling(const wanted *w, double *A);

static void put(gos_ctx *ctx, gos_linear *l, gos_block block, const wanted *w, filling *fill) {
    double A[LARGEST * LARGEST] = {0};
    fill(w, A);
    linear_put(ctx, l, block, A);
}

/* Electrode e sits between two masses and feels how far they are apart, K_up^T q = g (q_b - q_a):
   theory 2.4. The first two have a capacity in common, the first is open, the charge of the second
   is given, and the voltages of the others. */
static const double g[E] = {30, 20, 25, 15}, capacity[E] = {0.4, 0.5, 0.3, 0.6}, common = 0.1;
static const double pyro[E] = {0.1, -0.08, 0.12, 0}, T0 = 2;
static const int from[E] = {2, 5, 9, 13}, to[E] = {4, 7, 10, 15};

static void force_by_potential(const wanted *w, double *A) {
    for (int e = 0; e < E; e++) {
        add(A, N, from[e], e, g[e] * w->voltage);
        add(A, N, to[e], e, -g[e] * w->voltage);
    }
}

static void charge_by_place(const wanted *w, double *A) {
    for (int e = 0; e < 2; e++) { // the others have rows phi = v
        add(A, E, e, from[e], -g[e] * w->length / w->charge);
        add(A, E, e, to[e], g[e] * w->length / w->charge);
    }
}

static void permittivity(const wanted *w, double *A) {
    const double unit = w->voltage / w->charge;
    for (int e = 0; e < E; e++) {
        add(A, E, e, e, e < 2 ? capacity[e] * unit : 1);
    }
    add(A, E, 0, 1, -common * unit);
    add(A, E, 1, 0, -common * unit);
}

static void charge_by_heat(const wanted *w, double *A) {
    for (int e = 0; e < 2; e++) {
        for (int j = 0; j < T; j++) {
            add(A, E, e, j, pyro[e] * (1 + j % 2) / w->charge);
        }
    }
}

static void heat_by_potential(const wanted *w, double *A) {
    for (int e = 0; e < E; e++) {
        for (int j = 0; j < T; j++) {
            add(A, T, j, e, T0 * pyro[e] * (1 + j % 2) * w->voltage);
        }
    }
}

static void force_by_input(const wanted *w, double *A) {
    GOS_UNUSED(w);
    add(A, N, 11, PUSH, 1);
    add(A, N, 3, PUSH, -1); // in balance, so that a free chain stays
    add(A, N, 8, CHARGE, 0.5);
}

static void charge_by_input(const wanted *w, double *A) {
    GOS_UNUSED(w);
    add(A, E, 1, CHARGE, 1);
    add(A, E, 2, VOLT3, 1);
    add(A, E, 3, VOLT4, 1);
}

static void output_by_place(const wanted *w, double *A) {
    add(A, NY, PLACE, 7, 1);
    add(A, NY, PLACE, 1, -0.5);
    add(A, NY, FAR, 12, 1);
    add(A, NY, FAR, 4, -1);
    add(A, NY, CHARGE3, from[2], -g[2] * w->length / w->charge);
    add(A, NY, CHARGE3, to[2], g[2] * w->length / w->charge);
}

static void output_by_potential(const wanted *w, double *A) {
    add(A, NY, PHI1, 0, 1);
    add(A, NY, PHI2, 1, 1);
    add(A, NY, APART, 0, 1);
    add(A, NY, APART, 1, -1);
    add(A, NY, CHARGE3, 2, capacity[2] * w->voltage / w->charge);
}

static void capacities(const wanted *w, double *A) {
    GOS_UNUSED(w);
    for (int j = 0; j < T; j++) {
        add(A, T, j, j, 2);
        if (j > 0) {
            add(A, T, j, j - 1, 0.5);
            add(A, T, j - 1, j, 0.5);
        }
    }
}

static void conduction(const wanted *w, double *A) {
    GOS_UNUSED(w);
    for (int j = 0; j < T; j++) {
        add(A, T, j, j, 3);
        if (j > 0) {
            add(A, T, j, j - 1, -1);
            add(A, T, j - 1, j, -1);
        }
    }
}

static void force_by_heat(const wanted *w, double *A) {
    GOS_UNUSED(w);
    for (int j = 0; j < T; j++) {
        add(A, N, 3 * j, j, -4);
    }
}

static void heat_by_rate(const wanted *w, double *A) {
    for (int j = 0; j < T; j++) {
        add(A, T, j, 3 * j, T0 * 4 * w->length);
    }
}

static void heat_by_input(const wanted *w, double *A) {
    GOS_UNUSED(w);
    add(A, T, 2, PUSH, 1);
}

static void output_by_heat(const wanted *w, double *A) {
    for (int j = 0; j < T; j++) {
        add(A, NY, FAR, j, 0.1);
        add(A, NY, CHARGE3, j, pyro[2] * (1 + j % 2) / w->charge);
    }
}

static void ties(const wanted *w, double *A) {
    GOS_UNUSED(w);
    add(A, 1, 0, 0, 1);
    add(A, 1, 0, 8, -1);
}

static void heat_ties(const wanted *w, double *A) {
    GOS_UNUSED(w);
    add(A, 1, 0, 1, 1);
    add(A, 1, 0, 3, -0.5);
}

static void put_chain(gos_ctx *ctx, const wanted *w, gos_linear *l) {
    static const gos_block copied[] = {GOS_BLOCK_M, GOS_BLOCK_D, GOS_BLOCK_K};
    const chain c = {.n = N,
                     .beta = 1e-3,
                     .dashpot = w->free ? 0 : 0.5,
                     .free = w->free,
                     .nu = 1,
                     .in = {0},
                     .ny = 1,
                     .out = {0}};
    gos_linear *part = chain_model(ctx, &c);
    for (int k = 0; k < GOS_COUNT(copied); k++) {
        linear_good(ctx, gos__linear_put(l, copied[k], &part->block[copied[k]]));
        gos_sparse *A = &l->block[copied[k]];
        for (int e = 0; e < A->nnz; e++) {
            A->x[e] *= w->length;
        }
    }
    for (int i = 0; i < N; i++) {
        l->coordinate[i] = gos__arena_printf(l->arena, "mass(%d)", i + 1);
        l->rigid[i] = 1;
    }
    gos_linear_destroy(part);
}

static gos_linear *electrodes(gos_ctx *ctx, const wanted *w) {
    static const char *const in[] = {"push", "charge", "v3", "v4"}, *const out[] = {
                                                                        "place", "phi1", "phi2",
                                                                        "apart", "q3",   "far"};
    const gos_linear_size size = {.nq = N,
                                  .nt = w->heat ? T : 0,
                                  .nphi = E,
                                  .nc = w->held,
                                  .nh = w->held && w->heat,
                                  .nu = NU,
                                  .ny = NY};
    gos_linear *l;
    linear_good(ctx, gos__linear_create(ctx, &size, &l));
    put_chain(ctx, w, l);
    put(ctx, l, GOS_BLOCK_G_phi, w, force_by_potential);
    put(ctx, l, GOS_BLOCK_H_phi, w, charge_by_place);
    put(ctx, l, GOS_BLOCK_K_phi, w, permittivity);
    put(ctx, l, GOS_BLOCK_B, w, force_by_input);
    put(ctx, l, GOS_BLOCK_B_phi, w, charge_by_input);
    put(ctx, l, GOS_BLOCK_Y_q, w, output_by_place);
    put(ctx, l, GOS_BLOCK_Y_phi, w, output_by_potential);
    if (w->heat) {
        put(ctx, l, GOS_BLOCK_C_T, w, capacities);
        put(ctx, l, GOS_BLOCK_K_T, w, conduction);
        put(ctx, l, GOS_BLOCK_G, w, force_by_heat);
        put(ctx, l, GOS_BLOCK_H_v, w, heat_by_rate);
        put(ctx, l, GOS_BLOCK_B_T, w, heat_by_input);
        put(ctx, l, GOS_BLOCK_T_phi, w, charge_by_heat);
        put(ctx, l, GOS_BLOCK_P, w, heat_by_potential);
        put(ctx, l, GOS_BLOCK_Y_T, w, output_by_heat);
    }
    if (w->held) {
        put(ctx, l, GOS_BLOCK_C, w, ties);
    }
    if (w->held && w->heat) {
        put(ctx, l, GOS_BLOCK_H, w, heat_ties);
    }
    for (int i = 0; i < NU; i++) {
        linear_good(ctx, gos__linear_name_input(l, i, in[i], ""));
    }
    for (int i = 0; i < NY; i++) {
        linear_good(ctx, gos__linear_name_output(l, i, out[i], ""));
    }
    linear_good(ctx, gos__linear_close(l));
    return l;
}

/* the largest difference at n frequencies [rad/s], each output relative to its own largest response
 * to each input */
static double difference(gos_ctx *ctx, const gos_linear *a, const gos_linear *b, double lo,
                         double hi, int n) {
    const size_t size = (size_t)a->nu * (size_t)a->ny;
    double *omega = test_calloc((size_t)n, sizeof *omega), worst = 0;
    double *H[2];
    for (int k = 0; k < n; k++) {
        omega[k] = lo * pow(hi / lo, n > 1 ? (double)k / (n - 1) : 0);
    }
    for (int m = 0; m < 2; m++) {
        H[m] = test_calloc(2 * size * (size_t)n, sizeof *H[m]);
        linear_good(ctx, gos_linear_response(ctx, m ? b : a, n, omega, H[m]));
    }
    for (size_t i = 0; i < size; i++) {
        double off = 0, most = 0;
        for (size_t k = 0; k < (size_t)n; k++) {
            const double *x = H[0] + 2 * (k * size + i), *y = H[1] + 2 * (k * size + i);
            off = fmax(off, hypot(x[0] - y[0], x[1] - y[1]));
            most = fmax(most, hypot(x[0], x[1]));
        }
        worst = most > 0 ? fmax(worst, off / most) : fmax(worst, off);
    }
    test_free(omega);
    test_free(H[0]);
    test_free(H[1]);
    return worst;
}

/* ---- the condensed model itself -------------------------------------------------------------- */

/* The same responses as with potentials for unknowns, to rounding; a block that is left out, or has
 * the other sign, is seen. */
static void test_responses(void **unused) {
    GOS_UNUSED(unused);
    static const gos_block terms[] = {GOS_BLOCK_G_phi, GOS_BLOCK_H_phi, GOS_BLOCK_T_phi,
                                      GOS_BLOCK_P,     GOS_BLOCK_B_phi, GOS_BLOCK_Y_phi};
    const wanted held = {.heat = true, .held = true, .length = 1, .charge = 1, .voltage = 1};
    const wanted *const all[] = {&plain, &warm, &held, &small};
    gos_ctx *ctx = gos_ctx_create();
    for (int m = 0; m < GOS_COUNT(all); m++) {
        gos_linear *l = electrodes(ctx, all[m]), *c;
        linear_good(ctx, gos__linear_condensed(ctx, l, &c));
        const double off = difference(ctx, l, c, 0.01, 1000, 40);
        print_message("model %d: responses %.1e\n", m, off);
        assert_true(c->nphi == 0 && c->nq == N && off < 1e-11);
        assert_string_equal(gos_linear_output(c, CHARGE3).name, "q3");
        char name[40];
        gos_linear_coordinate(c, 4, name, sizeof name);
        assert_string_equal(name, "mass(5)");
        assert_true(c->rigid[3] == 1 && c->symmetric_K);
        gos_linear_destroy(c);
        for (int t = 0; t < GOS_COUNT(terms) && m == 1; t++) {
            for (int flip = 0; flip < 2; flip++) {
                gos_linear *other;
                linear_good(ctx, gos__linear_copy(ctx, l, &other));
                gos_sparse *A = &other->block[terms[t]];
                for (int k = 0; k < A->nnz; k++) {
                    A->x[k] *= flip ? -1 : 0;
                }
                linear_good(ctx, gos__linear_condensed(ctx, other, &c));
                const double seen = difference(ctx, l, c, 0.01, 1000, 40);
                print_message("  block %d %s: %.1e\n", (int)terms[t], flip ? "flipped" : "dropped",
                              seen);
                assert_true(seen > 1e-2);
                gos_linear_destroy(c);
                gos_linear_destroy(other);
            }
        }
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
}

/* A mass on a spring with one electrode: k + g^2 / eps when open (theory 2.7), k when its voltage
   is 0; the same for the undamped and for damped modes. */
static void test_modes(void **unused) {
    GOS_UNUSED(unused);
    const double m = 2, k = 50, coupling = 3, eps = 0.4, d = 0.6;
    gos_ctx *ctx = gos_ctx_create();
    for (int open = 0; open < 2; open++) {
        gos_linear *l;
        gos_mode mode[2];
        int found, none;
        linear_good(ctx, gos__linear_create(
                             ctx, &(gos_linear_size){.nq = 1, .nphi = 1, .nu = 1, .ny = 1}, &l));
        linear_put(ctx, l, GOS_BLOCK_M, &m);
        linear_put(ctx, l, GOS_BLOCK_K, &k);
        linear_put(ctx, l, GOS_BLOCK_D, &d);
        linear_put(ctx, l, GOS_BLOCK_G_phi, (const double[]){-coupling});
        linear_put(ctx, l, GOS_BLOCK_H_phi, (const double[]){open ? coupling : 0});
        linear_put(ctx, l, GOS_BLOCK_K_phi, &eps);
        linear_good(ctx, gos__linear_close(l));
        const double stiff = k + (open ? coupling * coupling / eps : 0), omega = sqrt(stiff / m);
        linear_good(ctx, gos_linear_modes(ctx, l, 1, false, mode, &found));
        assert_true(found == 1 && fabs(mode[0].omega / omega - 1) < 1e-14);
        linear_good(ctx, gos_linear_coupled_modes(ctx, l, 1, mode, &found, 0, NULL, &none));
        assert_true(found == 1 && fabs(mode[0].re / (-d / (2 * m)) - 1) < 1e-10);
        assert_true(fabs(mode[0].im / sqrt(omega * omega - d * d / (4 * m * m)) - 1) < 1e-10);
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
}

/* Plants of control design: rates of driven voltages warm the model, and no rate of an input is
 * left. */
static void test_plant(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = electrodes(ctx, &warm);
    gos_plant p;
    linear_good(ctx, gos__plant_make(ctx, l, &p));
    assert_int_equal(p.n, 2 * N + T);
    for (int k = 0; k < 6; k++) {
        const double omega = 0.05 * pow(10, k);
        double H[2][2 * NU * NY], off = 0, most = 0;
        linear_good(ctx, gos__plant_response(ctx, &p, omega, H[0]));
        linear_good(ctx, gos_linear_response(ctx, l, 1, &omega, H[1]));
        for (int y = 0; y < NY; y++) {
            for (int u = 0; u < NU; u++) {
                const double *a = H[0] + 2 * (u * NY + y), *b = H[1] + 2 * (y * NU + u);
                off = fmax(off, hypot(a[0] - b[0], a[1] - b[1]));
                most = fmax(most, hypot(b[0], b[1]));
            }
        }
        assert_true(off < 1e-11 * most);
    }
    gos__plant_free(ctx, &p);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* ---- methods --------------------------------------------------------------------------------- */

typedef struct job {
    const char *method;
    int order, whole, modes; // of a smaller model; of one that has all; modes beside responses
    bool first_order, heat;
    double error; // of the smaller one on the band, at most
} job;

static const job jobs[] = {
    {.method = "modes", .order = 10, .whole = N, .error = 0.7, .heat = true},
    {.method = "modes_static", .order = 12, .whole = N, .error = 0.2, .heat = true},
    {.method = "response_modes", .order = 5, .whole = N, .modes = 8, .error = 0.5, .heat = true},
    {.method = "irka", .order = 22, .error = 0.5, .heat = true},
    {.method = "irka_second", .order = 14, .error = 0.5},
    {.method = "balanced",
     .order = 20,
     .whole = 2 * N,
     .first_order = true,
     .error = 0.2,
     .heat = true},
    {.method = "balanced_second", .order = 12, .whole = N, .error = 0.2},
    {.method = "craig_bampton", .order = 14, .whole = N, .error = 0.5},
    {.method = "free_interface", .order = 12, .whole = N, .error = 0.2},
    {.method = "complex_modes", .order = 12, .whole = N, .error = 0.5},
};

static gos_linear_reduction *reduce(gos_ctx *ctx, const gos_linear *l,
                                    const gos_linear_reduction_options *opt) {
    gos_linear_reduction *r = NULL;
    linear_good(ctx, gos_linear_reduce(ctx, l, opt, &r));
    return r;
}

static double entry(const gos_linear *l, gos_block block, int i, int j) {
    const gos_sparse *A = &l->block[block];
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == i) {
            return A->x[k];
        }
    }
    return 0;
}

/* what inputs do at once is exact at any order: charge by voltage C, and voltages by charge C^-1 of
 * the first two electrodes */
static void check_at_once(const gos_linear *l, const wanted *w) {
    const double unit = w->voltage / w->charge,
                 det = (capacity[0] * capacity[1] - common * common) * unit;
    assert_true(fabs(entry(l, GOS_BLOCK_Y_u, PHI2, CHARGE) * det / capacity[0] - 1) < 1e-12);
    assert_true(fabs(entry(l, GOS_BLOCK_Y_u, PHI1, CHARGE) * det / common - 1) < 1e-12);
    assert_true(fabs(entry(l, GOS_BLOCK_Y_u, CHARGE3, VOLT3) / (capacity[2] * unit) - 1) < 1e-12);
}

/* Every method without potentials accepts the model, in any unit: the error on the band is one
   of the method, what it predicts of it is true, and a basis of all coordinates gives the model
   itself. */
static void check_method(const job *j, const wanted *w) {
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = electrodes(ctx, w);
    gos_linear_reduction_report report;
    gos_linear_reduction_options opt = {
        .method = j->method, .order = j->order, .band = {0.5, 30}, .modes = j->modes};
    gos_band_error e;
    gos_linear_reduction *r = reduce(ctx, l, &opt);
    gos_linear_reduction_get(r, &report);
    const gos_linear *got = gos_linear_reduction_model(r);
    linear_good(ctx, gos_linear_band_error(ctx, l, got, opt.band[0], opt.band[1], &e));
    print_message("%-16s length %g, heat %d: to %d + %d, error %.2e, predicted %.2e, bound %.1e",
                  j->method, w->length, w->heat, got->nq, got->nt, e.relative, report.predicted,
                  report.bound / e.largest);
    assert_int_equal(report.condensed, E);
    assert_int_equal(got->nphi, 0);
    assert_true(e.relative < j->error && e.relative < 1.1 * report.predicted + 1e-12);
    assert_true(report.bound == 0 || e.relative * e.largest < report.bound);
    if (!w->heat) { // warm, potentials also have what their rates warm at once
        check_at_once(got, w);
    }
    gos_linear_reduction_destroy(r);
    if (j->whole > 0) {
        opt.order = j->whole + (w->heat && j->first_order ? T : 0);
        opt.modes = j->modes > 0 ? N : 0;
        r = reduce(ctx, l, &opt);
        linear_good(ctx, gos_linear_band_error(ctx, l, gos_linear_reduction_model(r), opt.band[0],
                                               opt.band[1], &e));
        print_message(", all: %.1e", e.relative);
        assert_true(e.relative < 1e-10);
        gos_linear_reduction_destroy(r);
    }
    print_message("\n");
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static void test_methods(void **unused) {
    GOS_UNUSED(unused);
    for (int k = 0; k < GOS_COUNT(jobs); k++) {
        check_method(&jobs[k], &plain);
        check_method(&jobs[k], &small);
        if (jobs[k].heat) {
            check_method(&jobs[k], &warm);
        }
    }
}

/* At rest: interface coordinates that stay and static vectors answer exactly, charges and voltages
 * among the outputs. */
static void test_rest(void **unused) {
    GOS_UNUSED(unused);
    static const char *const exact[] = {"craig_bampton", "modes_static", "free_interface"};
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = electrodes(ctx, &plain);
    for (int k = 0; k < GOS_COUNT(exact); k++) {
        gos_linear_reduction *r =
            reduce(ctx, l, &(gos_linear_reduction_options){.method = exact[k], .order = 14});
        const double off = difference(ctx, l, gos_linear_reduction_model(r), 0, 0, 1);
        print_message("%-16s at rest %.1e\n", exact[k], off);
        assert_true(off < 1e-9);
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* Moments at a point, theory 3.2, are kept where a correction has potentials condensed before
   krylov sees the model, and the model is the one of the condensed model. */
static void test_moments(void **unused) {
    GOS_UNUSED(unused);
    const gos_point point = {2, 0};
    const gos_linear_reduction_options opt = {
        .method = "krylov", .order = 12, .npoints = 1, .points = &point, .correction = 1};
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = electrodes(ctx, &plain), *c;
    linear_good(ctx, gos__linear_condensed(ctx, l, &c));
    gos_linear_reduction *of[] = {reduce(ctx, c, &opt), reduce(ctx, l, &opt)};
    gos_linear_reduction_report report;
    gos_linear_reduction_get(of[1], &report);
    assert_int_equal(report.condensed, E);
    assert_int_equal(report.moments, 3); // blocks of four
    assert_true(report.moment_error < 1e-9);
    assert_true(difference(ctx, gos_linear_reduction_model(of[0]),
                           gos_linear_reduction_model(of[1]), 0.1, 100, 50) < 1e-9);
    gos_linear_reduction_destroy(of[0]);
    gos_linear_reduction_destroy(of[1]);
    gos_linear_destroy(c);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* The reduced model with `modes` truncated modes beside it: what is predicted is true. Returns the
 * error on the band. */
static double corrected_error(gos_ctx *ctx, const gos_linear *l, const char *method, int modes) {
    gos_linear_reduction_options opt = {
        .method = method, .order = 6, .correction = modes, .band = {0, 30}};
    gos_linear_reduction *r = reduce(ctx, l, &opt);
    gos_linear_reduction_report report;
    gos_band_error e;
    gos_linear_reduction_get(r, &report);
    assert_true(report.condensed == E && report.corrections == modes);
    linear_good(ctx, gos_linear_band_error(ctx, l, gos_linear_reduction_model(r), 0, 30, &e));
    assert_true(e.relative < 1.1 * report.predicted + 1e-9);
    gos_linear_reduction_destroy(r);
    return e.relative;
}

/* Truncated modes beside a reduced motion, made with it or afterwards: with as many as there are
   coordinates the model is the full one. Krylov keeps potentials unless it is to be corrected. */
static void test_correction(void **unused) {
    GOS_UNUSED(unused);
    static const char *const methods[] = {"irka_second", "balanced_second", "krylov"};
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = electrodes(ctx, &plain), *corrected;
    for (int k = 0; k < GOS_COUNT(methods); k++) {
        const double few = corrected_error(ctx, l, methods[k], 4),
                     all = corrected_error(ctx, l, methods[k], N);
        print_message("%-16s with 4 modes %.1e, with all %.1e\n", methods[k], few, all);
        assert_true(all < 1e-9);
        gos_linear_reduction *r =
            reduce(ctx, l, &(gos_linear_reduction_options){.method = methods[k], .order = 6});
        if (gos_linear_reduction_model(r)->nphi == 0) {
            linear_good(ctx, gos_linear_correct(ctx, l, r, N, &corrected));
            assert_true(difference(ctx, l, corrected, 0.5, 30, 200) < 1e-9);
            gos_linear_destroy(corrected);
        } else {
            assert_int_equal(gos_linear_correct(ctx, l, r, 2, &corrected), GOS_E_INPUT);
            assert_non_null(strstr(gos_ctx_message(ctx), "without potentials of its own"));
        }
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* A chain without walls: its motion as a whole is kept exactly, and open electrodes do not feel
   it. */
static void test_free_chain(void **unused) {
    GOS_UNUSED(unused);
    static const char *const methods[] = {"modes_static", "balanced", "balanced_second",
                                          "irka_second", "free_interface"};
    const wanted w = {.free = true, .length = 1e-3, .charge = 1e-9, .voltage = 1e3};
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = electrodes(ctx, &w);
    for (int k = 0; k < GOS_COUNT(methods); k++) {
        const bool first = strcmp(methods[k], "balanced") == 0;
        gos_linear_reduction *r = reduce(
            ctx, l,
            &(gos_linear_reduction_options){
                .method = methods[k], .order = first ? 26 : 14, .band = {0.5, 30}, .each = true});
        gos_linear_reduction_report report;
        gos_linear_reduction_get(r, &report);
        const gos_linear *got = gos_linear_reduction_model(r);
        const double off = difference(ctx, l, got, 0.3, 30, 300);
        print_message("free, %-16s %.1e, predicted %.1e\n", methods[k], off, report.predicted);
        assert_true(off < 0.2);
        char name[40];
        if (first) {
            gos_linear_temperature(got, 0, name, sizeof name);
        } else {
            gos_linear_coordinate(got, 0, name, sizeof name);
        }
        assert_string_equal(name, "free(1)");
        gos_linear_reduction_destroy(r);
    }
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

static void refuse(gos_ctx *ctx, const gos_linear *l, gos_status status, const char *text) {
    gos_linear_reduction *r;
    gos_mode mode;
    int found;
    const gos_linear_reduction_options opt = {.method = "modes", .order = 1};
    assert_int_equal(gos_linear_reduce(ctx, l, &opt, &r), status);
    assert_non_null(strstr(gos_ctx_message(ctx), text));
    assert_int_equal(gos_linear_modes(ctx, l, 1, false, &mode, &found), status);
    assert_non_null(strstr(gos_ctx_message(ctx), text));
}

/* Potentials that are known to a constant only, and one that touches so much that the stiffness
 * would be full */
static void test_refused(void **unused) {
    GOS_UNUSED(unused);
    enum { LARGE = 6000 };
    gos_ctx *ctx = gos_ctx_create();
    gos_linear *l = electrodes(ctx, &plain), *big;
    double K[E * E] = {0};
    for (int i = 0; i < E; i++) { // capacities between neighbours, none to the ground
        for (int j = 0; j < E; j++) {
            K[j * E + i] = i == j ? (i == 0 || i == E - 1 ? 0.3 : 0.6) : abs(i - j) == 1 ? -0.3 : 0;
        }
    }
    linear_put(ctx, l, GOS_BLOCK_K_phi, K);
    refuse(ctx, l, GOS_E_SINGULAR, "some potentials are determined only up to a constant");
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
    ctx = gos_ctx_create();
    linear_good(ctx, gos__linear_create(ctx, &(gos_linear_size){.nq = LARGE, .nphi = 1}, &big));
    gos_sparse *const square[] = {&big->block[GOS_BLOCK_M], &big->block[GOS_BLOCK_K]};
    for (int k = 0; k < 2; k++) {
        gos__sparse_free(ctx, square[k]);
        linear_good(ctx, gos__sparse_alloc(ctx, LARGE, LARGE, LARGE, square[k]));
        for (int j = 0; j < LARGE; j++) {
            square[k]->i[j] = j;
            square[k]->x[j] = 1;
            square[k]->p[j + 1] = j + 1;
        }
    }
    double *row = test_calloc(LARGE, sizeof *row);
    for (int j = 0; j < LARGE; j++) {
        row[j] = 1;
    }
    linear_put(ctx, big, GOS_BLOCK_G_phi, row);
    linear_put(ctx, big, GOS_BLOCK_H_phi, row);
    linear_put(ctx, big, GOS_BLOCK_K_phi, row);
    linear_good(ctx, gos__linear_close(big));
    refuse(ctx, big, GOS_E_LIMIT, "use a reduction method that keeps potentials (auto, krylov");
    test_free(row);
    gos_linear_destroy(big);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_responses),  cmocka_unit_test(test_modes),
        cmocka_unit_test(test_plant),      cmocka_unit_test(test_methods),
        cmocka_unit_test(test_rest),       cmocka_unit_test(test_moments),
        cmocka_unit_test(test_correction), cmocka_unit_test(test_free_chain),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
