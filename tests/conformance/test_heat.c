/* Every heat type: derivatives against central differences, refusal of wrong entries. Values are
 * test_heat_closed.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/heated.h"
#include "support/suite.h"

/* ---- derivatives --------------------------------------------------------------------------- */

/* one column of differences, all lanes at once: x[col] moved by h */
static void column(const rig *r, const points *p, double *x, const double *h, double *d) {
    result hi, lo;
    double keep[L];
    memcpy(keep, x, sizeof keep);
    for (int l = 0; l < L; l++) {
        x[l] = keep[l] + h[l];
    }
    evaluate(r, p, 0.8, &hi);
    for (int l = 0; l < L; l++) {
        x[l] = keep[l] - h[l];
    }
    evaluate(r, p, 0.8, &lo);
    memcpy(x, keep, sizeof keep);
    for (int i = 0; i < r->section->nfam * L; i++) {
        d[i] = (hi.heat[i] - lo.heat[i]) / (2.0 * h[i % L]);
    }
}

/* largest difference and largest entry of a block (nfam)(n), in units of the families' sizes */
static void check_block(const rig *r, points *p, double *x, int n, const double *J,
                        const double *step, const double *unit, const char *what) {
    int nfam = r->section->nfam;
    double size[GOS_FAMILIES], worst = 0.0, largest = 0.0, d[GOS_FAMILIES * L];
    sizes(r->section, size);
    for (int j = 0; j < n; j++) {
        double h[L];
        for (int l = 0; l < L; l++) {
            h[l] = step[j];
        }
        column(r, p, &x[j * L], h, d);
        for (int i = 0; i < nfam * L; i++) {
            int k = i / L, l = i % L;
            double f = unit[j] / size[k], exact = J[(k * n + j) * L + l];
            worst = fmax(worst, f * fabs(exact - d[i]));
            largest = fmax(largest, f * fabs(exact));
        }
    }
    if (!(worst <= 1e-7 * largest)) {
        print_error("%s: derivative off by %g of %g\n", what, worst, largest);
        fail();
    }
}

/* heat of one surface (nfam)(LANES) at functions fn, or its derivative by an input */
static void surface_heat(const rig *r, const points *p, const gos_surface *s, const double *fn,
                         const gos_input_def *by, double *heat) {
    const gos_points *block = r->b.points[0];
    const gos_batch b = {.z = p->z, .th = p->th, .ref = p->ref, .heat = heat};
    memset(heat, 0, GOS_FAMILIES * L * sizeof *heat);
    if (by) {
        s->type->by_input(s->par, block->law, block->par, block->nfam, fn, 0.8, by, &b);
    } else {
        s->type->eval(s->par, block->law, block->par, block->nfam, fn, 0.8, &b);
    }
}

/* the input that a surface declares, against differences; its unit is that of its function */
static void check_input(const rig *r, const points *p, const gos_surface *s) {
    _Alignas(64) double hi[GOS_FAMILIES * L], lo[GOS_FAMILIES * L], d[GOS_FAMILIES * L];
    double fn[10], worst = 0.0, largest = 0.0;
    fn_values(r, s->fn0, s->nfn, 0.3, fn);
    assert_int_equal(s->ninput, 1);
    assert_string_equal(s->input->unit, gos__timefn_unit(r->b.fn[s->fn0 + s->input->fn]));
    surface_heat(r, p, s, fn, s->input, d);
    double *u = &fn[s->input->fn];
    const double h = 1e-4 * fmax(1.0, fabs(*u)), u0 = *u;
    *u = u0 + h;
    surface_heat(r, p, s, fn, NULL, hi);
    *u = u0 - h;
    surface_heat(r, p, s, fn, NULL, lo);
    for (int i = 0; i < r->section->nfam * L; i++) {
        worst = fmax(worst, fabs((hi[i] - lo[i]) / (2.0 * h) - d[i]));
        largest = fmax(largest, fabs(d[i]));
    }
    assert_true(largest > 0.0 && worst <= 1e-6 * largest);
}

static void check_surfaces(const char *section, const char *entry) {
    rig r;
    rig_make(&r, section, entry);
    points p;
    result out;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        random_points(r.section, seed, &p);
        evaluate(&r, &p, 0.8, &out);
        double step[GOS_FAMILIES], unit[GOS_FAMILIES], size[GOS_FAMILIES];
        for (int j = 0; j < NZ3; j++) {
            step[j] = 1e-5;
            unit[j] = 1.0;
        }
        check_block(&r, &p, p.z, NZ3, out.Hz, step, unit, entry);
        sizes(r.section, size);
        for (int k = 0; k < r.section->nfam; k++) {
            step[k] = 0.02 / size[k];
            unit[k] = 1.0 / size[k];
        }
        check_block(&r, &p, p.th, r.section->nfam, out.Ht, step, unit, entry);
        for (int i = 0; i < r.b.points[0]->nsurf; i++) {
            check_input(&r, &p, &r.b.points[0]->surf[i]);
        }
    }
    rig_free(&r);
}

static void surface_derivatives(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod}",
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod, smoothing: 1.0e-2}",
        ("{type: flux, value: \"1e3*(1+t)\", direction: [\"sin(9*t)\", 0.3, -1], on: rod, "
         "absorptivity: 0.5}"),
        "{type: convection, coefficient: 25, ambient: \"10*t\", on: rod}",
        "{type: radiation, sink: 200, on: rod}",
        "{type: source, value: 1.0e5, on: rod}",
        SUN,
    };
    const char *sections[] = {BAR, DEEP, TUBE, RING, LEAF};
    for (int i = 0; i < GOS_COUNT(entry); i++) {
        for (int j = 0; j < GOS_COUNT(sections); j++) {
            check_surfaces(sections[j], entry[i]);
        }
    }
    check_surfaces(LEAF, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.top}");
    check_surfaces(LEAF, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.bottom}");
    check_surfaces(LEAF, "{type: radiation, sink: 200, on: rod.bottom}");
    check_surfaces(LEAF, "{type: convection, coefficient: 25, on: rod.top}");
    check_surfaces(DEEP, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.top}");
    check_surfaces(DEEP, "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.left}");
    check_surfaces(DEEP, "{type: radiation, sink: 200, on: [rod.right, rod.bottom]}");
    check_surfaces(DEEP, "{type: convection, coefficient: 25, on: [rod.top, rod.left]}");
    check_surfaces(PLAIN, "{type: radiation, sink: 200, on: rod}");
    check_surfaces(PLAIN, "{type: convection, coefficient: 25, on: rod}");
}

static void check_items(const char *section, const char *entry) {
    rig r;
    rig_make(&r, section, entry);
    assert_true(r.b.nitem > 0);
    double size[GOS_FAMILIES];
    sizes(r.section, size);
    uint64_t seed = 7;
    double worst[3] = {0}, largest[3] = {0}; // over all states: in some the end is in the dark
    for (int n = 0; n < 10 * r.b.nitem; n++) {
        const gos_item *it = r.b.item[n % r.b.nitem];
        assert_string_equal(it->name, "heat 'x'");
        double x[3], th[GOS_FAMILIES];
        item_result at, hi, lo;
        for (int i = 0; i < 3; i++) {
            x[i] = random_uniform(&seed);
        }
        for (int k = 0; k < it->ntm; k++) {
            th[k] = 40.0 * random_uniform(&seed) / size[k];
        }
        item_evaluate(&r, it, x, th, 0.8, &at);
        for (int j = 0; j < 3 * it->nm + it->ntm; j++) {
            int k = j - 3 * it->nm; // family of a temperature column
            double *v = k < 0 ? &x[j] : &th[k], keep = *v;
            double unit = k < 0 ? 1.0 : 1.0 / size[k], step = k < 0 ? 1e-6 : 0.02 * unit;
            *v = keep + step;
            item_evaluate(&r, it, x, th, 0.8, &hi);
            *v = keep - step;
            item_evaluate(&r, it, x, th, 0.8, &lo);
            *v = keep;
            for (int i = 0; i < it->ntm; i++) {
                double f = unit / size[i], d = (hi.heat[i] - lo.heat[i]) / (2.0 * step);
                double exact = k < 0 ? at.x[i * 3 * it->nm + j] : at.th[i * it->ntm + k];
                worst[k >= 0] = fmax(worst[k >= 0], f * fabs(d - exact));
                largest[k >= 0] = fmax(largest[k >= 0], f * fabs(exact));
            }
            for (int i = 0; k >= 0 && i < it->nh; i++) {
                double d = (hi.h[i] - lo.h[i]) / (2.0 * step);
                worst[2] = fmax(worst[2], fabs(d - at.hth[i * it->ntm + k]));
                largest[2] = fmax(largest[2], fabs(at.hth[i * it->ntm + k]));
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!(worst[i] <= 1e-7 * largest[i])) {
            print_error("%s: block %d off by %g of %g\n", entry, i, worst[i], largest[i]);
            fail();
        }
    }
    rig_free(&r);
}

static void item_derivatives(void **state) {
    GOS_UNUSED(state);
    const char *entry[] = {
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: [rod.start, rod.end]}",
        "{type: flux, value: 2.0e3, direction: [1, -2, 0.5], on: rod.end, smoothing: 1.0e-2}",
        "{type: flux, value: 2.0e3, on: rod.end}",
        ("{type: sun, direction: [1, -2, 0.5], albedo: 0.3, earth_infrared: 240, "
         "earth_direction: [0.3, 1, 0], on: rod.end}"),
        "{type: convection, coefficient: 25, ambient: 30, on: rod.end}",
        "{type: radiation, sink: 200, on: [rod.start, rod.end]}",
        "{type: heat_flow, value: \"3*t\", on: [rod.start, rod.middle]}",
        "{type: temperature, value: \"3*t\", on: [rod.start, rod.middle]}",
        "{type: temperature, value: \"3*t\", on: rod}",
        "{type: temperature, value: \"3*t\", on: rod.end, gradients: free}",
    };
    const char *sections[] = {BAR, DEEP, TUBE, RING, PLAIN};
    for (int i = 0; i < GOS_COUNT(entry); i++) {
        for (int j = 0; j < GOS_COUNT(sections); j++) {
            check_items(sections[j], entry[i]);
        }
    }
}

/* ---- entries ------------------------------------------------------------------------------- */

static void bad_entries(void **state) {
    GOS_UNUSED(state);
    const struct {
        const char *section, *entry, *message;
    } bad[] = {
        {BAR, "{type: flux, value: 1}", "on"},
        {BAR, "{type: flux, on: rod}", "value"},
        {BAR, "{type: flux, value: 1, on: ground}", "heat cannot act on the ground"},
        {BAR, "{type: flux, value: 1, on: rud}", "did you mean 'rod'"},
        {BAR, "{type: flux, value: 1, on: cold}", "has no temperature"},
        {BAR, "{type: flux, value: 1, on: rod.middle}", "is a point"},
        {BAR, "{type: flux, value: 1, direction: [0, 0, 0], on: rod}", "zero length"},
        {BAR, "{type: flux, value: 1, direction: [0, 1], on: rod}", "direction"},
        {BAR, "{type: flux, value: 1, absorptivity: 0.5, on: rod.top}",
         "absorptivity requires a flux"},
        {BAR, "{type: flux, value: 1, smoothing: 1.0e-4, on: rod.top}",
         "smoothing requires a flux"},
        {BAR, "{type: flux, value: 1, direction: [0, 1, 0], absorptivity: 1.5, on: rod}",
         "absorptivity"},
        {BAR, "{type: flux, value: 1, direction: [0, 1, 0], smoothing: -1, on: rod}", "smoothing"},
        {BAR, "{type: flux, valeu: 1, on: rod}", "value"},
        {TUBE, "{type: flux, value: 1, on: rod.top}", "top"},
        {PLAIN, "{type: flux, value: 1, direction: [0, 1, 0], on: rod}", "no faces"},
        {BAR, "{type: sun, on: rod}", "direction"},
        {BAR, "{type: sun, direction: [0, 0, 0], on: rod}", "direction has zero length"},
        {BAR, "{type: sun, direction: [0, 1, 0], albedo: 0.3, on: rod}", "give earth_direction"},
        {BAR, "{type: sun, direction: [0, 1, 0], earth_infrared: 240, on: rod}",
         "give earth_direction"},
        {BAR, "{type: sun, direction: [0, 1, 0], earth_direction: [0, 1, 0], on: rod}",
         "earth_direction has no effect"},
        {BAR, "{type: sun, direction: [0, 1, 0], albedo: 0.3, earth_direction: [0, 0, 0], on: rod}",
         "earth_direction has zero length"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: 3, on: rod}", "list of pairs"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [1, 2], on: rod}", "list of pairs"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [[1, 2, 3]], on: rod}", "list of pairs"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [[1, [2]]], on: rod}", "list of pairs"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [[1, t]], on: rod}", "t"},
        {BAR, "{type: sun, direction: [0, 1, 0], eclipse: [[3, 6], [1, 4]], on: rod}", "overlap"},
        {BAR, "{type: sun, direction: [0, 1, 0], penumbra: -1, on: rod}", "penumbra"},
        {BAR, "{type: sun, direction: [0, 1, 0], absorptivity: 2, on: rod}", "absorptivity"},
        {PLAIN, "{type: sun, direction: [0, 1, 0], on: rod}", "no faces"},
        {BAR, "{type: convection, coefficient: -1, on: rod}", "coefficient"},
        {BAR, "{type: convection, coefficient: .nan, on: rod}", "coefficient"},
        {BAR, "{type: convection, on: rod}", "coefficient"},
        {BAR, "{type: convection, coefficient: 1, on: rod.middle}", "is a point"},
        {BAR, "{type: radiation, sink: -1, on: rod}", "sink"},
        {BAR, "{type: radiation, sink: 3, emissivity: 2, on: rod}", "emissivity"},
        {BAR, "{type: radiation, on: rod}", "sink"},
        {"{type: general, area: 3.0e-4, Iy: 4.0e-8, Iz: 2.0e-8}",
         "{type: radiation, sink: 3, on: rod}", "perimeter"},
        {BAR, "{type: source, value: 1, on: rod.top}", "is a face"},
        {BAR, "{type: source, value: 1, on: rod.end}", "is an end"},
        {BAR, "{type: heat_flow, value: 1, on: rod}", "is a whole body"},
        {BAR, "{type: heat_flow, value: 1, on: rod.top}", "is a face"},
        {BAR, "{type: temperature, value: 1, on: rod.top}", "is a face"},
        {BAR, "{type: temperature, value: -301, on: rod.end}", "absolute zero"},
        {BAR, "{type: temperature, value: 1, gradients: none, on: rod.end}", "gradients"},
        {BAR, "{type: fulx, value: 1, on: rod}", "flux"},
    };
    for (int i = 0; i < GOS_COUNT(bad); i++) {
        rig r;
        rig_try(&r, bad[i].section, bad[i].entry);
        const char *message = gos_ctx_message(r.ctx);
        if (r.status != GOS_E_INPUT || !strstr(message, bad[i].message)) {
            print_error("%s: status %d, '%s'\n", bad[i].entry, r.status, message);
            fail();
        }
        const gos_diag *d = gos_ctx_diag(r.ctx, 0);
        assert_true(d->line == 3 && d->col > 0 && d->object != NULL);
        rig_free(&r);
    }
}

/* no emission is allowed, and said */
static void black_out(void **state) {
    GOS_UNUSED(state);
    rig r;
    rig_make(&r, BAR, "{type: radiation, sink: 3, emissivity: 0, on: rod}");
    assert_int_equal(gos_ctx_ndiag(r.ctx), 0); // said so here
    rig_free(&r);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_derivatives),
        cmocka_unit_test(item_derivatives),
        cmocka_unit_test(bad_entries),
        cmocka_unit_test(black_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
