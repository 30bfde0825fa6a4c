/* What a run says of the errors of its probes, against runs of a far smaller tolerance;
   probe_tolerance; motion below the tolerance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "steppers/alpha/generalised_alpha.h"
#include "solve/integrator.h"
#include "support/suite.h"
#include "support/verify.h"

enum { SAMPLES = 200, COMPONENTS = 16 };

/* all components of all probes at even times */
typedef struct track {
    int n;
    double y[SAMPLES + 1][COMPONENTS];
    double told[COMPONENTS];
    long steps;
    char note[1000];
} track;

static void follow(const char *text, const char *settings, bool tell, track *k) {
    verify v;
    verify_text(&v, text, settings);
    verify_start(&v);
    if (tell) {
        verify_good(&v, gos_integrator_track_errors(v.run));
    }
    for (int i = 0; i <= SAMPLES; i++) {
        const gos_state *x = verify_at(&v, v.opt.end * i / SAMPLES);
        k->n = 0;
        for (int p = 0; p < gos_system_nprobes(v.sys); p++) {
            gos_probe_info info;
            double y[GOS_PROBE_MAX];
            gos_system_probe_info(v.sys, p, &info);
            verify_good(&v, gos_system_probe(v.ctx, v.sys, x, p, y, NULL));
            for (int c = 0; c < info.ncomp; c++) {
                k->y[i][k->n++] = y[c];
            }
        }
    }
    for (int i = 0; i < k->n && tell; i++) {
        double rate;
        gos__error_propagation_value(((gos_alpha *)v.run)->probe_errors, i, &k->told[i], &rate);
    }
    k->note[0] = '\0';
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v.ctx, i);
        if (d->status == GOS_OK) {
            snprintf(k->note + strlen(k->note), sizeof k->note - strlen(k->note), "%s%s\n",
                     d->count > 0 ? "warning: " : "", d->text);
        }
    }
    gos_integrator_statistics(v.run, &v.stats);
    k->steps = v.stats.steps;
    verify_close(&v);
}

/* largest error of component i, and its range */
static double error_of(const track *k, const track *exact, int i, double *range) {
    double e = 0, low = HUGE_VAL, high = -HUGE_VAL;
    for (int j = 0; j <= SAMPLES; j++) {
        e = fmax(e, fabs(k->y[j][i] - exact->y[j][i]));
        low = fmin(low, exact->y[j][i]);
        high = fmax(high, exact->y[j][i]);
    }
    *range = high - low;
    return e;
}

typedef struct form {
    const char *name, *text;
    int at[4];  // tested components, -1: no more
    double low; // of what is reported, relative to the error
} form;

#define CABLE(mm, rho, E, end, normal, gravity)                                                    \
    "materials: {m: {density: " rho ", young: " E "}}\n"                                           \
    "sections: {s: {type: rectangle, height: 0.01*" mm ", width: 0.02*" mm "}}\n"                  \
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: " end          \
    ", elements: 6, normal: " normal "}}\n"                                                        \
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"                             \
    "gravity: " gravity "\n"                                                                       \
    "probes: {p: {at: rod.end, quantity: position}, v: {at: rod.end, quantity: velocity}}\n"       \
    "analysis: {end: 1}\n"

#define SPRING(mm, kg, x, v)                                                                       \
    "bodies:\n"                                                                                    \
    "  a: {type: rigid, mass: 1*" kg ", inertia: [0.1*" kg "*" mm "^2, 0.1*" kg "*" mm             \
    "^2, 0.1*" kg "*" mm "^2]}\n"                                                                  \
    "  b: {type: rigid, mass: 1*" kg ", inertia: [0.1*" kg "*" mm "^2, 0.1*" kg "*" mm             \
    "^2, 0.1*" kg "*" mm "^2], position: " x ", velocity: " v "}\n"                                \
    "loads: {s: {type: spring, between: [a, b], stiffness: 100*" kg "}}\n"                         \
    "probes: {p: {at: b, quantity: position}, v: {at: b, quantity: velocity}}\n"                   \
    "analysis: {end: 10}\n"

#define HUB(n)                                                                                     \
    "materials: {cfrp: {density: 1600, young: 7.0e10, poisson: 0.3, damping: {normal: 1.0e-4, "    \
    "shear: 1.0e-4}}}\n"                                                                           \
    "bodies:\n"                                                                                    \
    "  hub: {type: rigid, mass: 100, inertia: [20, 20, 20], points: {right: [0.5, 0, 0]}}\n"       \
    "  right: {type: ancf_plate, material: cfrp, thickness: 0.005, corner: [0.5, -0.5, 0], x: "    \
    "[3, 0, 0], y: [0, 1, 0], elements: " n "}\n"                                                  \
    "joints: {r: {type: clamp, between: [hub, right.edge.x0]}}\n"                                  \
    "loads: {torque: {type: moment, on: hub, moment: [0, \"5*(t<2) - 5*(t>=2)\", 0], frame: "      \
    "body}}\n"                                                                                     \
    "probes: {rate: {at: hub, quantity: angular_velocity}, attitude: {at: hub, quantity: "         \
    "rotation_vector}}\n"                                                                          \
    "analysis: {end: 4}\n"

static const form forms[] = {
    {"hub with a panel", HUB("[3, 1]"), {1, 4, -1}, 1.0 / 3},
    {"cable pendulum",
     CABLE("1", "2000", "1e7", "[1, 0, 0]", "[0, 0, 1]", "[0, -9.81, 0]"),
     {0, 1, 3, 4},
     1.0 / 3},
    {"turned, in mm, t, s",
     CABLE("1000", "2e-9", "10", "[0, 1000, 0]", "[1, 0, 0]", "[0, 0, -9810]"),
     {1, 2, 4, 5},
     1.0 / 3},
    {"twice as long",
     CABLE("1", "2000", "1e7", "[0, 0, 2]", "[0, 1, 0]", "[-9.81, 0, 0]"),
     {0, 2, 3, 5},
     0.1},
    {"spring", SPRING("1", "1", "[1, 0, 0]", "[1, 0, 0]"), {0, 3, -1}, 1.0 / 3},
    {"turned, twice as long",
     SPRING("1", "1", "[0, 1.2, 1.6]", "[0, 0.6, 0.8]"),
     {1, 2, 4, -1},
     1.0 / 3}};

/* Within a factor of three. The longer cable falls for a longer time, and its motion makes errors
   larger, which a sum of what steps have made does not know: it may tell a tenth. */
static void told(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(forms); i++) {
        static track k, exact;
        follow(forms[i].text, NULL, true, &k);
        follow(forms[i].text, "analysis.tolerance=1e-6", false, &exact);
        print_message("    %s: %ld steps; %s", forms[i].name, k.steps, k.note);
        assert_non_null(strstr(k.note, "the probe with the largest estimated error is "));
        for (int j = 0; j < 4 && forms[i].at[j] >= 0; j++) {
            char what[100];
            double range;
            const int at = forms[i].at[j];
            const double e = error_of(&k, &exact, at, &range);
            snprintf(what, sizeof what, "component %d, off by %.2g of its range: told by it", at,
                     e / range);
            verify_within(what, k.told[at] / e, forms[i].low, 3);
        }
    }
}

/* what it requires is kept, by more steps */
static void tolerance(void **state) {
    GOS_UNUSED(state);
    static const int which[] = {1, 2, 4};
    static const double asked[] = {1e-3, 1e-4};
    for (int i = 0; i < GOS_COUNT(which); i++) {
        static track loose, k, exact;
        const form *f = &forms[which[i]];
        follow(f->text, NULL, true, &loose);
        follow(f->text, "analysis.tolerance=1e-7", false, &exact);
        for (int n = 0; n < GOS_COUNT(asked); n++) {
            char settings[100];
            double worst = 0;
            snprintf(settings, sizeof settings, "analysis.probe_tolerance=%g", asked[n]);
            follow(f->text, settings, true, &k);
            for (int j = 0; j < 4 && f->at[j] >= 0; j++) {
                double range;
                const double e = error_of(&k, &exact, f->at[j], &range);
                worst = fmax(worst, e / range);
            }
            print_message("    %s: %ld steps (%ld without)\n", f->name, k.steps, loose.steps);
            verify_below("error of probes, of probe_tolerance", worst / asked[n], 1);
            assert_true(k.steps >= loose.steps);
        }
    }
}

/* a cantilever of one metre whose end goes up and down by ten micrometres, or by a decimetre */
static void below(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < 2; i++) {
        char text[1000];
        static track k;
        snprintf(text, sizeof text,
                 "materials: {m: {density: 7800, young: 2.1e11}}\n"
                 "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
                 "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: "
                 "[1, 0, 0], elements: 4}}\n"
                 "joints: {c: {type: clamp, between: [ground, rod.start]}}\n"
                 "loads: {f: {type: force, on: rod.end, value: [0, %g, 0]}}\n"
                 "probes: {p: {at: rod.end, quantity: position}}\n"
                 "analysis: {end: 0.2}\n",
                 i ? 50.0 : 5e-3);
        follow(text, NULL, true, &k);
        print_message("    %s", k.note);
        const char *small = strstr(k.note, "warning: the motion");
        assert_true((small && strstr(small, "is smaller than the tolerance")) == (i == 0));
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(told), cmocka_unit_test(tolerance),
                                       cmocka_unit_test(below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
