/* No root is missed and none is there twice: random coupled models against LAPACK on their
 * equations of first order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "support/near.h"
#include "support/random_roots.h"
#include "support/suite.h"

static void explain(const random_model *r, uint64_t seed, const char *what) {
    print_error("seed %llu: %d coordinates, %d rows, %d temperatures%s%s%s%s%s: %s\n",
                (unsigned long long)seed, r->nq, r->nc, r->nt, r->free ? ", free" : "",
                r->gyroscopic ? ", gyroscopic" : "", r->follower ? ", follower" : "",
                r->controller ? ", controller" : "", r->damped ? ", dashpots" : "", what);
}

/* Each root of one list has one of the other, the nearest that is left; returns the largest
   distance beyond tolerance. Double roots (motions without force) split by the root of rounding. */
static double unmatched(int n, const root *is, root *should, double fastest, root *which) {
    double worst = 0;
    for (int i = 0; i < n; i++) {
        int at = -1;
        double best = HUGE_VAL;
        for (int j = 0; j < n; j++) {
            const double off = cabs(should[j] - is[i]);
            if (off < best) {
                best = off;
                at = j;
            }
        }
        // a chain of n equal dashpots or springs has nearly equal roots: of order two at most is
        // allowed for
        const double beyond = best - 1e-6 * cabs(is[i]) - 3e-7 * sqrt(fastest) - 1e-11 * fastest;
        if (beyond > worst) {
            worst = beyond;
            *which = is[i];
        }
        if (at >= 0) {
            should[at] = NAN;
        }
    }
    return worst;
}

static bool all_roots(uint64_t seed, int most) {
    draws d = {.state = seed * 0x9E3779B97F4A7C15ull + 1};
    random_model r = draw_model(&d, most);
    const int states = 2 * r.nq + r.nt;
    gos_mode *mode = test_calloc(states + 1, sizeof *mode);
    gos_root *slow = test_calloc(states + 1, sizeof *slow);
    root *is = test_calloc(3 * states + 3, sizeof *is), *should, which = 0;
    int found = 0, nroots = 0;
    double fastest;
    const int n = dense_roots(r.ctx, r.linear, &should, &fastest);
    const gos_status status =
        gos_linear_coupled_modes(r.ctx, r.linear, states, mode, &found, states, slow, &nroots);
    bool good = status == GOS_OK;
    if (!good) {
        explain(&r, seed, gos_ctx_message(r.ctx));
    } else {
        const int m = expand_roots(found, mode, nroots, slow, is);
        char text[120];
        if (m != n) {
            snprintf(text, sizeof text, "%d roots instead of %d", m, n);
            explain(&r, seed, text);
            good = false;
        } else {
            const double off = unmatched(n, is, should, fastest, &which);
            good = !(off > 0);
            if (!good) {
                snprintf(text, sizeof text, "%.9g + %.9g i is off by %.2g (fastest %.2g)",
                         creal(which), cimag(which), off, fastest);
                explain(&r, seed, text);
            }
        }
    }
    test_free(should);
    test_free(is);
    test_free(mode);
    test_free(slow);
    model_done(&r);
    return good;
}

/* Models of up to 60 and, every tenth, 300 unknowns. */
static void test_random(void **unused) {
    (void)unused;
    const int count = suite_long() ? 1000 : 60;
    int bad = 0;
    for (int i = 0; i < count; i++) {
        bad += !all_roots((uint64_t)i + 1, i % 10 == 9 ? 300 : 60);
    }
    if (bad) {
        print_error("%d of %d models\n", bad, count);
    }
    assert_int_equal(bad, 0);
}

/* ---- models with slow temperatures ----------------------------------------------------------- */

/* W. K. Kim, E. A. Thornton 1993: a boom of the space telescope in the sun, its mass at the tip;
 * vectors by columns of R */
static const char boom[] =
    "parameters: {n: 8, inc: 0.7, M: 1, KG: 1, xx: 1, xy: 0, xz: 0, yx: 0, yy: 1, yz: 0, zx: 0, "
    "zy: 0, zz: 1,\n"
    "  L: 5.91*M, s: -sin(inc), c: -cos(inc)}\n"
    "reference_temperature: 290\n"
    "stefan_boltzmann: 5.670374419e-8*KG\n"
    "materials:\n"
    "  becu: {density: 7010*KG/M^3, young: 1.93e11*KG/M, poisson: 0.3, conductivity: 16.6*KG*M, "
    "specific_heat: 502*M^2,\n"
    "         expansion: 1.69e-5, absorptivity: 0.5, emissivity: 0.13}\n"
    "sections: {tube: {type: annulus, outer_diameter: 0.022095*M, inner_diameter: 0.021625*M}}\n"
    "bodies:\n"
    "  boom: {type: ancf_beam, material: becu, section: tube, from: [0, 0, 0], to: [L*xx, L*xy, "
    "L*xz],\n"
    "         normal: [zx, zy, zz], elements: n}\n"
    "  tip: {type: rigid, mass: 0.867*KG, inertia: [0.01*KG*M^2, 0.01*KG*M^2, 0.01*KG*M^2],\n"
    "        position: [L*xx, L*xy, L*xz]}\n"
    "joints:\n"
    "  root: {type: clamp, between: [ground, boom.start]}\n"
    "  end: {type: clamp, between: [tip, boom.end]}\n"
    "heat:\n"
    "  sunlight: {type: sun, flux: 1350*KG, direction: [s*xx + c*yx, s*xy + c*yy, s*xz + c*yz], "
    "on: boom}\n"
    "  space: {type: radiation, sink: 3, on: boom}\n"
    "analysis: {end: 200}\n";

static const char *const turning[] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx",
                                      "zy", "zz", "M",  "KG", "n",  NULL};

/* the four lowest modes of the boom in its equilibrium are its two bending pairs, as in the dense
 * solution of its equations */
static void lowest_of_boom(const double *values) {
    static const double right[4] = {0.25796, 0.25797, 2.9394, 2.9409};
    gos_mode mode[4];
    int found, nroots;
    gos_root slow[4];
    fixture f = read_model(boom, turning, values);
    to_equilibrium(&f);
    linearise(&f);
    need(f.ctx, gos_linear_coupled_modes(f.ctx, f.linear, 4, mode, &found, 4, slow, &nroots));
    assert_int_equal(found, 4);
    assert_int_equal(nroots, 4);
    for (int i = 0; i < 4; i++) {
        near_rel_named("frequency", mode[i].frequency, right[i], values[11] > 8 ? 3e-4 : 5e-5);
    }
    done(&f);
}

static void test_boom(void **unused) {
    (void)unused;
    lowest_of_boom((const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 8});
    // turned about x by 90 degrees, x to y to z, and about (1, 1, 1)-like axes without zeros
    lowest_of_boom((const double[]){1, 0, 0, 0, 0, 1, 0, -1, 0, 1, 1, 8});
    lowest_of_boom((const double[]){0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 8});
    lowest_of_boom((const double[]){2. / 3, 2. / 3, 1. / 3, -2. / 3, 1. / 3, 2. / 3, 1. / 3,
                                    -2. / 3, 2. / 3, 1, 1, 8});
    // in millimetres, tonnes and seconds
    lowest_of_boom((const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1, 1000, 1e-3, 8});
    // more than 1500 unknowns of first order: about complex shifts
    lowest_of_boom((const double[]){1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 100});
}

/* an example, with settings: its lowest oscillations [Hz], behind whatever does not swing */
static void lowest_of(const char *path, const char *const *names, const double *values, int n,
                      int most, const double *right, double tolerance) {
    char file[400];
    gos_mode *mode = test_calloc((size_t)most, sizeof *mode);
    gos_root *slow = test_calloc((size_t)most, sizeof *slow);
    int found, nroots, at = 0;
    fixture f = {.ctx = gos_ctx_create()};
    snprintf(file, sizeof file, GOS_SOURCE_DIR "/examples/%s/model.yaml", path);
    need(f.ctx, gos_model_read(f.ctx, file, &f.model));
    for (int i = 0; names[i]; i++) {
        need(f.ctx, gos_model_set_number(f.ctx, f.model, names[i], values[i]));
    }
    need(f.ctx, gos_system_create(f.ctx, f.model, &f.sys));
    need(f.ctx, gos_state_create(f.ctx, f.sys, &f.state));
    linearise(&f);
    need(f.ctx, gos_linear_coupled_modes(f.ctx, f.linear, most, mode, &found, most, slow, &nroots));
    for (int i = 0; i < found && at < n; i++) {
        if (mode[i].im > 0) {
            near_rel_named(path, mode[i].frequency, right[at++], tolerance);
        }
    }
    assert_int_equal(at, n);
    test_free(mode);
    test_free(slow);
    done(&f);
}

static void test_examples(void **unused) {
    (void)unused;
    lowest_of("solar-array", NAMES("n"), VALUES(4), 3, 14,
              (const double[]){0.07678, 0.07961, 0.2140}, 3e-4);
    static const double satellite[] = {0.0083567, 0.016693, 0.044125, 0.055743, 0.10806};
    const char *const names[] = {"torque_a", "torque_b", "spin", "panel_elements", NULL};
    lowest_of("dumbbell-satellite", names, VALUES(0, 0, 0, 4), 5, 11, satellite, 1e-4);
    lowest_of("dumbbell-satellite", names, VALUES(0, 0, 0, 8), 5, 11, satellite, 1e-4);
}

/* ---- modes without the loop ------------------------------------------------------------------ */

static void test_open_loops(void **unused) {
    (void)unused;
    static const char text[] =
        "bodies: {b: {type: rigid, mass: 2, inertia: [1, 1, 1], position: [0, 0, 0]}}\n"
        "joints: {s: {type: prismatic, between: [ground, b], axis: [1, 0, 0]}}\n"
        "loads: {k: {type: spring, between: [ground, b], at: [-1, 0, 0], free_length: 1, "
        "stiffness: "
        "8},\n"
        "        u: {type: force, on: b, value: [0, 0, 0]}}\n"
        "probes: {x: {at: b, quantity: position}}\n"
        "controllers: {c: {type: designed}}\n";
    fixture f = {.ctx = gos_ctx_create()};
    gos_mode mode[1];
    int found;
    need(f.ctx, gos_model_parse(f.ctx, text, strlen(text), "test.yaml", NULL, &f.model));
    assert_int_equal(gos_system_create(f.ctx, f.model, &f.sys), GOS_E_INPUT);
    gos_model_open_loops(f.model);
    need(f.ctx, gos_system_create(f.ctx, f.model, &f.sys));
    need(f.ctx, gos_state_create(f.ctx, f.sys, &f.state));
    linearise(&f);
    need(f.ctx, gos_linear_modes(f.ctx, f.linear, 1, false, mode, &found));
    assert_int_equal(found, 1);
    near_rel_named("frequency without the loop", mode[0].omega, 2, 1e-12);
    done(&f);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_boom),
                                       cmocka_unit_test(test_examples),
                                       cmocka_unit_test(test_open_loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
