/* Reduced models of what is stable are stable, or refused: thermoelastic models keep their energy
   on one-sided bases of each field; others are looked at by their roots. Roots are found here by
   another way, the QZ algorithm on the dense equations of first order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "linear/state_space.h"
#include "linear_reduction/stability.h"
#include "support/linear_models.h"
#include "support/suite.h"
#include "support/turn_model.h"

#define HERTZ (2 * M_PI)

/* a rod that bends and stretches under forces, heats up in deformation, and is heated and cooled */
static const char rod[] =
    "parameters: {n: 3}\n"
    "materials: {st: {density: 7850, young: 2.1e11, poisson: 0.3, conductivity: 50,\n"
    "  specific_heat: 460, expansion: 1.2e-5, damping: {normal: 1.0e-6, shear: 1.0e-6}}}\n"
    "sections: {s: {type: rectangle, height: 0.002, width: 0.004, depth_modes: 3}}\n"
    "bodies: {rod: {type: ancf_cable, material: st, section: s, from: [0, 0, 0], to: [0.3, 0, 0],\n"
    "  elements: n}}\n"
    "joints: {c: {type: clamp, between: [ground, rod.start]}}\n"
    "loads: {f: {type: force, on: rod.end, value: [0, 1.0e-4, 2.0e-4]}}\n"
    "heat: {s: {type: flux, value: 1000, direction: [0.3, -1, 0.2], on: rod},\n"
    "  a: {type: convection, coefficient: 20, on: rod}}\n"
    "probes: {u: {at: rod.end, quantity: displacement}, v: {at: rod.at(0.15), quantity: "
    "velocity},\n"
    "  T: {at: rod.end, quantity: temperature}}\n"
    "analysis: {type: dynamic, thermoelastic_heat: true}\n";

/* the same with another rod clamped to it at an angle, of a material that expands more */
static const char pair[] =
    "materials: {st: {density: 7850, young: 2.1e11, poisson: 0.3, conductivity: 50,\n"
    "  specific_heat: 460, expansion: 1.2e-5, damping: {normal: 1.0e-6, shear: 1.0e-6}},\n"
    "  al: {density: 2700, young: 7.0e10, poisson: 0.3, conductivity: 200, specific_heat: 900,\n"
    "  expansion: 2.4e-5}}\n"
    "sections: {s: {type: rectangle, height: 0.002, width: 0.004, depth_modes: 2}}\n"
    "bodies: {rod: {type: ancf_cable, material: st, section: s, from: [0, 0, 0], to: [0.3, 0, 0],\n"
    "  elements: 4}, arm: {type: ancf_cable, material: al, section: s, from: [0.3, 0, 0],\n"
    "  to: [0.5, 0.1, 0], elements: 4}}\n"
    "joints: {c: {type: clamp, between: [ground, rod.start]}, d: {type: spherical, between: "
    "[rod.end, arm.start]},\n"
    "  e: {type: spherical, between: [ground, arm.end]}}\n"
    "loads: {f: {type: force, on: rod.end, value: [0, 1.0e-4, 2.0e-4]}}\n"
    "heat: {a: {type: convection, coefficient: 20, on: rod}, b: {type: convection, coefficient: 9, "
    "on: arm}}\n"
    "probes: {u: {at: rod.end, quantity: displacement}, T: {at: arm.end, quantity: temperature}}\n"
    "analysis: {type: dynamic, thermoelastic_heat: true}\n";

typedef struct linearised {
    verify v;
    gos_linear *l;
} linearised;

/* turned by a rotation vector (NULL: as it is), in other units */
static linearised open_model(const char *text, const char *settings, const double *rotation,
                             double length, double mass) {
    linearised m = {.v = {.ctx = gos_ctx_create()}};
    assert_non_null(m.v.ctx);
    verify_good(&m.v, gos_model_parse(m.v.ctx, text, strlen(text), "test", NULL, &m.v.model));
    verify_set(&m.v, settings);
    if (rotation) {
        turn_model(&m.v, rotation, length, mass);
    }
    verify_compile(&m.v);
    verify_good(&m.v, gos_linearise(m.v.ctx, m.v.sys, m.v.state, &m.l));
    return m;
}

static void close_model(linearised *m) {
    gos_linear_destroy(m->l);
    verify_close(&m->v);
}

/* displacements times a frequency, so that they are of one size with velocities */
static void scale_states(const gos_linear *l, gos_state_space *s) {
    const int m = (s->n - (l->nt - l->nh) - l->nphi) / 2;
    double k = 0, mass = 0;
    for (int j = 0; j < m; j++) {
        for (int i = m; i < 2 * m; i++) {
            k = fmax(k, fabs(s->A[j * s->n + i]));
            mass = fmax(mass, fabs(s->E[(j + m) * s->n + i]));
        }
    }
    const double w = k > 0 ? sqrt(k / mass) : 1;
    for (int j = 0; j < m; j++) {
        s->A[(j + m) * s->n + j] *= w;
        for (int i = m; i < s->n; i++) {
            s->A[j * s->n + i] /= w;
        }
    }
}

/* largest real part of a root over the largest root's length; infinite roots are none */
static double growth_of(gos_ctx *ctx, const gos_linear *l, double *rate) {
    gos_state_space s;
    linear_good(ctx, gos__state_space_make(ctx, l, &s));
    scale_states(l, &s);
    const size_t n = (size_t)s.n;
    double *re = test_calloc(3 * n + 1, sizeof *re), *im = re + n, *beta = im + n;
    double most = -HUGE_VAL, longest = 0;
    assert_int_equal(LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', s.n, s.A, s.n, s.E, s.n, re, im,
                                   beta, NULL, 1, NULL, 1),
                     0);
    for (size_t i = 0; i < n; i++) {
        if (fabs(beta[i]) > 1e-14 * hypot(re[i], im[i])) {
            most = fmax(most, re[i] / beta[i]);
            longest = fmax(longest, hypot(re[i], im[i]) / fabs(beta[i]));
        }
    }
    test_free(re);
    gos__state_space_free(ctx, &s);
    *rate = most;
    return most / longest;
}

/* methods and orders, each stable or refused; *refused counts those of two_sided and irka */
static void try_methods(gos_ctx *ctx, const gos_linear *l, bool kept, int *refused, int *given) {
    static const struct {
        const char *method;
        bool two_sided;
    } way[] = {{"krylov", true}, {"irka", false}, {"krylov", false}, {"modes_static", false}};
    for (int k = 0; k < GOS_COUNT(way); k++) {
        for (int order = 6; order <= 24; order += 6) {
            gos_linear_reduction *r = NULL;
            double rate;
            const gos_status status = gos_linear_reduce(
                ctx, l,
                &(gos_linear_reduction_options){
                    .method = way[k].method, .order = order, .two_sided = way[k].two_sided},
                &r);
            if (k >= 2 && kept) { // an energy cannot grow
                linear_good(ctx, status);
            }
            if (status != GOS_OK) {
                assert_true(status == GOS_E_DIVERGED || status == GOS_E_SINGULAR);
                *refused += strstr(gos_ctx_message(ctx), "unstable") != NULL ||
                            strstr(gos_ctx_message(ctx), "almost orthogonal") != NULL;
                continue;
            }
            ++*given;
            gos_linear_reduction_report report;
            gos_linear_reduction_get(r, &report);
            assert_true(growth_of(ctx, gos_linear_reduction_model(r), &rate) < 1e-9);
            assert_int_equal(report.stability,
                             k >= 2 && kept ? GOS_STABLE_BY_ENERGY : GOS_STABLE_BY_ROOTS);
            gos_linear_reduction_destroy(r);
        }
    }
}

/* kept: no flux falls on what tilts; all: other methods too */
static void expect_stable(const char *what, linearised *m, bool kept, bool all) {
    gos_linear_reduction *r;
    gos_linear_reduction_report report;
    gos_time_error e[16];
    gos_ctx *ctx = m->v.ctx;
    double rate, full;
    int refused = 0, given = 0;
    gos_energy_form form;
    linear_good(ctx, gos__energy_form(ctx, m->l, &form));
    assert_int_equal(form, kept ? GOS_ENERGY_KEPT : GOS_ENERGY_NEARLY);
    linear_good(ctx, gos_linear_reduce(ctx, m->l,
                                       &(gos_linear_reduction_options){
                                           .method = "auto", .band = {0.01 * HERTZ, 200 * HERTZ}},
                                       &r));
    gos_linear_reduction_get(r, &report);
    const double relative = growth_of(ctx, gos_linear_reduction_model(r), &rate);
    growth_of(ctx, m->l, &full);
    // a step of every input over 0.05 s
    enum { POINTS = 201 };
    const int nu = m->l->nu;
    double *u = test_calloc((size_t)(nu * POINTS), sizeof *u);
    for (int i = 0; i < nu * POINTS; i++) {
        u[i] = 1;
    }
    assert_true(m->l->ny <= GOS_COUNT(e));
    linear_good(ctx,
                gos_linear_time_error(ctx, m->l, gos_linear_reduction_model(r),
                                      GOS_TRANSIENT_IMPLICIT, 0.05 / (POINTS - 1), POINTS, u, e));
    double worst = 0, largest = 0;
    for (int i = 0; i < m->l->ny; i++) {
        worst = fmax(worst, e[i].max);
        largest = fmax(largest, e[i].largest);
    }
    if (all) {
        try_methods(ctx, m->l, kept, &refused, &given);
    }
    print_message("%-10s auto %d + %d of %d + %d, growth %.1e (full %.1e) 1/s, %.1e; step %.1e; "
                  "others: %d given, %d refused\n",
                  what, report.coordinates, report.temperatures, m->l->nq, m->l->nt, rate, full,
                  relative, worst / largest, given, refused);
    assert_int_equal(report.stability, kept ? GOS_STABLE_BY_ENERGY : GOS_STABLE_BY_ROOTS);
    assert_true(relative < 1e-9 && full < 0);
    assert_true(report.predicted <= 1e-3 && worst < 10 * largest); // bounded: a step
                                                                   // goes beyond the band
    assert_true(2 * report.coordinates < m->l->nq && 2 * report.temperatures < m->l->nt);
    assert_true(kept || !all || refused > 0); // left vectors of their own are no good here
    test_free(u);
    gos_linear_reduction_destroy(r);
    close_model(m);
}

static void test_thermoelastic(void **unused) {
    GOS_UNUSED(unused);
    static const double turns[3][3] = {{0, 0, 1.1}, {0.7, -0.4, 0.2}, {-2, 0.3, 1.2}};
    linearised m = open_model(rod, "n=4", NULL, 1, 1);
    expect_stable("rod", &m, false, true);
    for (int k = 0; k < (suite_long() ? 3 : 1); k++) {
        m = open_model(rod, "n=4", turns[k], 1000, 1e-3);
        expect_stable("turned, mm", &m, false, k == 0);
    }
    m = open_model(rod, "n=8", NULL, 1, 1);
    expect_stable("8 elements", &m, false, false);
    m = open_model(pair, NULL, NULL, 1, 1);
    expect_stable("two rods", &m, true, true);
}

/* ---- the form -------------------------------------------------------------------------------- */

/* a chain whose springs push when they are warm, and are heated by H_v = factor G^T but for one
 * entry */
static gos_linear *heated(gos_ctx *ctx, double factor, double spoilt) {
    enum { Q = 8, T = 6 };
    double M[Q * Q] = {0}, K[Q * Q] = {0}, C[T * T] = {0}, K_T[T * T] = {0}, G[T * Q] = {0};
    double H[T * Q] = {0}, B[Q] = {0}, Y[Q] = {0};
    for (int i = 0; i < Q; i++) {
        M[i * Q + i] = 1 + 0.1 * i;
        K[i * Q + i] = 2000;
        if (i > 0) {
            K[i * Q + i - 1] = K[(i - 1) * Q + i] = -1000;
        }
    }
    for (int i = 0; i < T; i++) {
        C[i * T + i] = 2;
        K_T[i * T + i] = 5;
        G[i * Q + i + 1] = 20; // (Q, T)
        G[i * Q + i] = -20;
        H[(i + 1) * T + i] = 20 * factor; // (T, Q)
        H[i * T + i] = -20 * factor;
    }
    H[T] *= spoilt;
    B[Q - 1] = Y[Q - 1] = 1;
    gos_linear *l;
    linear_good(
        ctx, gos__linear_create(ctx, &(gos_linear_size){.nq = Q, .nt = T, .nu = 1, .ny = 1}, &l));
    linear_put(ctx, l, GOS_BLOCK_M, M);
    linear_put(ctx, l, GOS_BLOCK_K, K);
    linear_put(ctx, l, GOS_BLOCK_C_T, C);
    linear_put(ctx, l, GOS_BLOCK_K_T, K_T);
    linear_put(ctx, l, GOS_BLOCK_G, G);
    linear_put(ctx, l, GOS_BLOCK_H_v, H);
    linear_put(ctx, l, GOS_BLOCK_B, B);
    linear_put(ctx, l, GOS_BLOCK_Y_q, Y);
    linear_good(ctx, gos__linear_close(l));
    return l;
}

static void test_form(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    static const struct {
        double factor, spoilt;
        gos_energy_form form;
        gos_stability what; // by roots, too
    } c[] = {
        {-0.3, 1, GOS_ENERGY_KEPT, GOS_STABLE_BY_ENERGY},
        {0, 1, GOS_ENERGY_KEPT, GOS_STABLE_BY_ENERGY}, // one way
        {-0.3, 1.01, GOS_ENERGY_NONE, GOS_STABLE_BY_ROOTS},
        {0.3, 1, GOS_ENERGY_NONE, GOS_UNSTABLE}}; // springs that are cooled when they are pressed
    for (int k = 0; k < GOS_COUNT(c); k++) {
        gos_linear *l = heated(ctx, c[k].factor, c[k].spoilt);
        gos_energy_form form;
        double rate;
        gos_growth g;
        linear_good(ctx, gos__energy_form(ctx, l, &form));
        linear_good(ctx, gos__growth(ctx, l, 100, &g));
        growth_of(ctx, l, &rate);
        print_message("H_v = %4.1f G^T: energy %d, found %d, %.3g 1/s, by QZ %.3g 1/s\n",
                      c[k].factor, form, g.what, g.re, rate);
        assert_true(form == c[k].form && g.what == c[k].what);
        assert_true(g.what == GOS_UNSTABLE ? fabs(g.re / rate - 1) < 1e-9 : rate < 1e-9);
        gos_linear_destroy(l);
    }
    gos_ctx_destroy(ctx);
}

/* ---- reports --------------------------------------------------------------------------------- */

static gos_status reduce_by(gos_ctx *ctx, const gos_linear *l, const char *method, int order,
                            bool two_sided, gos_linear_reduction_report *report) {
    gos_linear_reduction *r = NULL;
    const gos_status status = gos_linear_reduce(
        ctx, l,
        &(gos_linear_reduction_options){.method = method, .order = order, .two_sided = two_sided},
        &r);
    if (status == GOS_OK) {
        gos_linear_reduction_get(r, report);
        gos_linear_reduction_destroy(r);
    }
    return status;
}

static void test_verdicts(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_linear_reduction_report report;
    // left vectors of their own lose the stability of a damped chain
    const chain damped = {
        .n = 30, .beta = 1e-3, .dashpot = 20, .nu = 1, .in = {29}, .ny = 1, .out = {12}};
    gos_linear *l = chain_model(ctx, &damped);
    assert_int_equal(reduce_by(ctx, l, "krylov", 6, true, &report), GOS_E_DIVERGED);
    assert_non_null(strstr(gos_ctx_message(ctx), "while the full model is stable"));
    linear_good(ctx, reduce_by(ctx, l, "krylov", 6, false, &report));
    assert_int_equal(report.stability, GOS_STABLE_BY_ENERGY);
    gos_linear_destroy(l);
    // rigid motions do not grow, nor do vibrations without damping
    const chain loose = {.n = 30, .free = true, .nu = 1, .in = {0}, .ny = 1, .out = {29}};
    l = chain_model(ctx, &loose);
    linear_good(ctx, reduce_by(ctx, l, "modes", 6, false, &report));
    assert_int_equal(report.stability, GOS_STABLE_BY_ENERGY);
    linear_good(ctx, reduce_by(ctx, l, "craig_bampton", 6, false, &report));
    assert_true(report.stability == GOS_STABLE_BY_ENERGY);
    gos_linear_destroy(l);
    // a spring that pushes away: its reduced model may grow, and is said to; nothing decays to
    // balance
    l = chain_model(ctx, &damped);
    double K[30 * 30] = {0};
    for (int i = 0; i < 30; i++) {
        K[i * 30 + i] = 2000;
        if (i > 0) {
            K[i * 30 + i - 1] = K[(i - 1) * 30 + i] = -1000;
        }
    }
    K[0] = -2000;
    linear_put(ctx, l, GOS_BLOCK_K, K);
    linear_good(ctx, gos__linear_close(l));
    linear_good(ctx, reduce_by(ctx, l, "modes", 6, false, &report));
    assert_int_equal(report.stability, GOS_UNSTABLE);
    double rate;
    growth_of(ctx, l, &rate);
    print_message("unstable chain: growth %.9g 1/s, full %.9g 1/s\n", report.growth, rate);
    assert_true(fabs(report.growth / rate - 1) < 0.1);
    assert_int_equal(reduce_by(ctx, l, "balanced", 6, false, &report), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "unstable"));
    assert_int_equal(reduce_by(ctx, l, "balanced_second", 6, false, &report), GOS_E_INPUT);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
}

/* ---- what was requested ---------------------------------------------------------------------- */

/* auto with an order, a tolerance, both, and both accepted */
static void expect_asked(const char *what, gos_ctx *ctx, const gos_linear *l, int order, double low,
                         double high) {
    gos_linear_reduction_report report[4];
    gos_linear_reduction_options opt = {.method = "auto", .band = {low, high}};
    for (int k = 0; k < 4; k++) {
        gos_linear_reduction *r = NULL;
        gos_band_error e;
        opt.order = k == 1 ? 0 : order;
        opt.tolerance = k == 1 ? 1e-6 : k == 0 ? 0 : 1e-6;
        opt.accept = k == 3;
        const gos_status status = gos_linear_reduce(ctx, l, &opt, &r);
        if (k == 2) { // the order does not do
            assert_int_equal(status, GOS_E_DIVERGED);
            assert_non_null(strstr(gos_ctx_message(ctx), "above the tolerance"));
            continue;
        }
        linear_good(ctx, status);
        gos_linear_reduction_get(r, &report[k]);
        linear_good(ctx,
                    gos_linear_band_error(ctx, l, gos_linear_reduction_model(r), low, high, &e));
        print_message("%-12s order %2d, tolerance %g: %d + %d, predicted %.2e, error %.2e\n", what,
                      opt.order, opt.tolerance, report[k].coordinates, report[k].temperatures,
                      report[k].predicted, e.relative);
        const int most = report[k].coordinates > report[k].temperatures ? report[k].coordinates
                                                                        : report[k].temperatures;
        assert_true(k == 1 ? most > order && e.relative <= 1.01e-6 : most == order);
        assert_true(report[k].predicted > 0.5 * e.relative);
        gos_linear_reduction_destroy(r);
    }
    assert_true(report[0].predicted > 1e-6);
}

static void test_asked(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    const chain damped = {.n = 60, .beta = 1e-3, .nu = 2, .in = {59, 20}, .ny = 2, .out = {59, 7}};
    gos_linear *l = chain_model(ctx, &damped);
    expect_asked("chain", ctx, l, 8, 0.1, 8);
    gos_linear_destroy(l);
    chain loose = damped;
    loose.free = true;
    l = chain_model(ctx, &loose);
    expect_asked("free chain", ctx, l, 8, 0.1, 8);
    gos_linear_destroy(l);
    l = random_first_order(ctx, 40, 2, 2, 3);
    expect_asked("first order", ctx, l, 6, 0.1, 8);
    gos_linear_destroy(l);
    gos_ctx_destroy(ctx);
    linearised m = open_model(rod, NULL, NULL, 1, 1);
    expect_asked("rod", m.v.ctx, m.l, 6, 0.01 * HERTZ, 200 * HERTZ);
    close_model(&m);
}

/* largest |y| and |y - y_r| of each output over the band, inputs divided by their sizes */
static double worst_output(gos_ctx *ctx, const gos_linear *l, const gos_linear *r, double low,
                           double high) {
    enum { POINTS = 400, PORTS = 32 };
    double omega[POINTS], in[PORTS], out[PORTS], h[PORTS] = {0}, d[PORTS] = {0}, worst = 0;
    const int nu = l->nu, ny = l->ny, size = 2 * nu * ny;
    double *H = test_calloc((size_t)(2 * POINTS * size), sizeof *H), *R = H + POINTS * size;
    assert_true(nu <= PORTS && ny <= PORTS);
    linear_good(ctx, gos__channel_sizes(ctx, l, (double[]){low, high}, 1e-3, in, out));
    for (int k = 0; k < POINTS; k++) {
        omega[k] = low * pow(high / low, (double)k / (POINTS - 1));
    }
    linear_good(ctx, gos_linear_response(ctx, l, POINTS, omega, H));
    linear_good(ctx, gos_linear_response(ctx, r, POINTS, omega, R));
    for (int k = 0; k < POINTS; k++) {
        for (int i = 0; i < ny; i++) {
            for (int j = 0; j < nu; j++) { // (points, outputs, inputs, 2)
                const double *a = H + 2 * ((k * ny + i) * nu + j), *b = a + POINTS * size;
                h[i] = fmax(h[i], hypot(a[0], a[1]) / in[j]);
                d[i] = fmax(d[i], hypot(a[0] - b[0], a[1] - b[1]) / in[j]);
            }
        }
    }
    for (int i = 0; i < ny; i++) {
        worst = fmax(worst, h[i] > 0 ? d[i] / h[i] : 0);
    }
    test_free(H);
    return worst;
}

static void expect_each(const char *what, linearised *m, double *worst) {
    gos_ctx *ctx = m->v.ctx;
    gos_linear_reduction_options opt = {
        .method = "auto", .band = {0.01 * HERTZ, 200 * HERTZ}, .tolerance = 1e-3};
    for (int each = 0; each < 2; each++) {
        gos_linear_reduction *r;
        gos_linear_reduction_report report;
        opt.each = each;
        linear_good(ctx, gos_linear_reduce(ctx, m->l, &opt, &r));
        gos_linear_reduction_get(r, &report);
        worst[each] =
            worst_output(ctx, m->l, gos_linear_reduction_model(r), opt.band[0], opt.band[1]);
        print_message("%-12s %s: %d + %d, predicted %.1e, worst output %.1e of its own\n", what,
                      each ? "each" : "all ", report.coordinates, report.temperatures,
                      report.predicted, worst[each]);
        assert_true(report.each == each);
        gos_linear_reduction_destroy(r);
    }
    assert_true(worst[1] <= 1.05 * opt.tolerance); // peaks are known to some percent
    close_model(m);
}

/* displacements are small beside temperatures: relative to the largest response they may be all
 * wrong */
static void test_each(void **unused) {
    GOS_UNUSED(unused);
    static const double turn[3] = {0.7, -0.4, 0.2};
    double worst[2];
    linearised m = open_model(rod, NULL, NULL, 1, 1);
    expect_each("rod", &m, worst);
    assert_true(worst[0] > 0.01);
    m = open_model(rod, NULL, turn, 1000, 1e-3);
    expect_each("turned, mm", &m, worst);
    if (suite_long()) {
        m = open_model(rod, "n=6", NULL, 1, 1);
        expect_each("6 elements", &m, worst);
    }
    // free motions: the rest has sizes of its own, and a channel in other units is reduced as it
    // was
    gos_ctx *ctx = gos_ctx_create();
    const chain loose = {
        .n = 60, .beta = 1e-3, .free = true, .nu = 2, .in = {59, 20}, .ny = 2, .out = {59, 7}};
    gos_linear_reduction_report report[2];
    for (int k = 0; k < 2; k++) {
        gos_linear *l = chain_model(ctx, &loose);
        gos_linear_reduction *r;
        double Y[2 * 60] = {0};
        Y[2 * 59] = 1;
        Y[2 * 7 + 1] = k ? 1e-6 : 1;
        linear_put(ctx, l, GOS_BLOCK_Y_q, Y);
        linear_good(ctx, gos__linear_close(l));
        linear_good(ctx, gos_linear_reduce(ctx, l,
                                           &(gos_linear_reduction_options){.method = "modes_static",
                                                                           .order = 12,
                                                                           .band = {0.1, 8},
                                                                           .each = true},
                                           &r));
        gos_linear_reduction_get(r, &report[k]);
        gos_linear_reduction_destroy(r);
        gos_linear_destroy(l);
    }
    print_message("free chain: predicted %.3e, %.3e with a channel in other units\n",
                  report[0].predicted, report[1].predicted);
    assert_true(fabs(report[1].predicted / report[0].predicted - 1) < 0.01);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each),          cmocka_unit_test(test_asked),
        cmocka_unit_test(test_thermoelastic), cmocka_unit_test(test_form),
        cmocka_unit_test(test_verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
