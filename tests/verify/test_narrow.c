/* Pulses that are narrow beside the run, and smooth, so that no switching time marks them: of a
   force, of a drive, of heat, as expressions and tables, in full and reduced runs. Impulses, heat
   and the vibration left behind have closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>

#include "gossamer/reduce.h"
#include "steppers/alpha/generalised_alpha.h"
#include "solve/integrator.h"
#include "support/suite.h"
#include "support/verify.h"

#define ROOT_PI 1.7724538509055160273
#define GAUSS "exp(-((t-3.7)/w)^2)" // area w ROOT_PI

static bool warned(const verify *v, const char *what) {
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *d = gos_ctx_diag(v->ctx, i);
        if (strstr(d->text, what)) {
            print_message("    %s: %s\n", d->object ? d->object : "-", d->text);
            return true;
        }
    }
    return false;
}

/* momentum at the end of a run of 10 s, and its size */
static double momentum_of(verify *v, double p[3]) {
    double l[3];
    verify_run(v);
    gos_system_momentum(v->sys, v->state, p, l);
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

/* ---- forces ---------------------------------------------------------------------------------- */

typedef struct force_form {
    const char *name, *body, *on;
    double f[3], size; // in newtons
} force_form;

/* widths of 1/200 to 1/100,000 of the run */
static void forces(void **state) {
    GOS_UNUSED(state);
    static const force_form forms[] = {
        {"as it is", "{type: rigid, mass: 1, inertia: [1, 1, 1]}", "b", {10, 0, 0}, 10},
        {"turned", "{type: rigid, mass: 1, inertia: [1, 1, 1]}", "b", {0, 10, 0}, 10},
        {"turned again", "{type: rigid, mass: 1, inertia: [1, 1, 1]}", "b", {6, 0, -8}, 10},
        {"and again, in mm, t, s",
         "{type: rigid, mass: 0.001, inertia: [1000, 1000, 1000]}",
         "b",
         {-2, 6, 9},
         11},
        {"a free cable of two metres, a hundredth of the force",
         "{type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [2, 0, 0], elements: 4}",
         "[b.start, b.end]",
         {0, 0.1, 0},
         0.2}};
    static const double part[] = {1.0 / 200, 1.0 / 2000, 1.0 / 5000, 1.0 / 20000, 1e-5};
    for (int i = 0; i < GOS_COUNT(forms); i++) {
        for (int k = 0; k < GOS_COUNT(part); k++) {
            const force_form *f = &forms[i];
            const double w = 10 * part[k];
            char text[1500], what[100];
            double p[3];
            verify v;
            snprintf(text, sizeof text,
                     "parameters: {w: %.17g}\n"
                     "materials: {m: {density: 2000, young: 1e7}}\n"
                     "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
                     "bodies: {b: %s}\n"
                     "loads: {p: {type: force, on: %s, value: [\"%g*" GAUSS "\", \"%g*" GAUSS
                     "\", \"%g*" GAUSS "\"]}}\nanalysis: {end: 10}\n",
                     w, f->body, f->on, f->f[0], f->f[1], f->f[2]);
            verify_text(&v, text, NULL);
            const double want = f->size * w * ROOT_PI, got = momentum_of(&v, p);
            snprintf(what, sizeof what, "impulse, 1/%.0f of the run, %ld steps, %s", 1 / part[k],
                     v.stats.steps, f->name);
            verify_near(what, got / want, 1, 1e-3);
            for (int c = 0; c < 3; c++) { // and its direction
                assert_true(fabs(p[c] - got * f->f[c] * (i == 4 ? 2 : 1) / f->size) <= 1e-6 * got);
            }
            verify_close(&v);
        }
    }
}

/* other courses: two pulses, one with wide foothills, pulses on something else */
static void courses(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *name, *f;
        double want, bound;
    } table[] = {{"two pulses, 10 times as wide and 10 times as high",
                  "exp(-((t-2)/5e-3)^2)+10*exp(-((t-7.3)/5e-4)^2)", ROOT_PI * 1e-2, 5e-4},
                 {"two pulses in touch", "exp(-((t-5)/2e-3)^2)+exp(-((t-5.01)/2e-3)^2)",
                  ROOT_PI * 4e-3, 5e-4},
                 {"exponential feet", "1/cosh((t-4.4)/1e-3)", M_PI * 1e-3, 5e-4},
                 {"algebraic feet", "1/(1+((t-5)/5e-3)^2)", 1e-2 * 1.569796327128229752565, 5e-4},
                 {"there and back", "-(t-5)/1e-3*exp(-((t-5)/2e-3)^2) + exp(-((t-5)/2e-3)^2)",
                  ROOT_PI * 2e-3, 5e-4},
                 {"on a slow oscillation, whose impulse is 0",
                  "0.001*sin(2*pi*t)+exp(-((t-5)/2e-3)^2)", ROOT_PI * 2e-3, 1e-3},
                 {"parabola between switches", "max(0, 1-((t-5)/2e-3)^2)", 2e-3 * 4 / 3, 1e-3}};
    for (int i = 0; i < GOS_COUNT(table); i++) {
        char text[1000];
        double p[3];
        verify v;
        snprintf(text, sizeof text,
                 "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
                 "loads: {p: {type: force, on: b, value: [\"%s\", 0, 0]}}\n"
                 "analysis: {end: 10, tolerance: 1e-5}\n",
                 table[i].f);
        verify_text(&v, text, NULL);
        (void)momentum_of(&v, p);
        print_message("    %ld steps\n", v.stats.steps);
        verify_near(table[i].name, p[0] / table[i].want, 1, table[i].bound);
        verify_close(&v);
    }
}

/* a table of many points, and one with points where something happens only */
static void tables(void **state) {
    GOS_UNUSED(state);
    char folder[] = "narrow-XXXXXX", name[60];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/p.csv", folder);
    for (int i = 0; i < 4; i++) {
        const bool many = i % 2 == 0, cubic = i >= 2;
        const double w = many ? 0.02 : 0.001, d = w / 40;
        FILE *f = fopen(name, "w");
        assert_non_null(f);
        fprintf(f, "t,F\n0,0\n");
        for (int k = 1; k * d < 10 - d; k++) {
            const double t = k * d, x = (t - 5) / w;
            if (many || fabs(x) < 6) {
                fprintf(f, "%.17g,%.17g\n", t, exp(-x * x));
            }
        }
        fprintf(f, "10,0\n");
        fclose(f);
        char text[1000];
        double p[3];
        verify v = {.ctx = gos_ctx_create()};
        snprintf(text, sizeof text,
                 "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
                 "loads: {p: {type: force, on: b, value: [{table: p.csv, interpolation: %s}, 0, "
                 "0]}}\nanalysis: {end: 10}\n",
                 cubic ? "cubic" : "linear");
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", folder, &v.model));
        verify_compile(&v);
        (void)momentum_of(&v, p);
        print_message("    %s, points %s: %ld steps\n", cubic ? "cubic" : "linear",
                      many ? "everywhere" : "at the pulse", v.stats.steps);
        verify_near("impulse by a table", p[0] / (w * ROOT_PI), 1, 1e-3);
        verify_close(&v);
    }
    unlink(name);
    rmdir(folder);
}

/* ---- drives, heat ---------------------------------------------------------------------------- */

/* A driven place jerks a mass on a spring: v = omega^2 integral of the drive's displacement times
   cos omega (t - s), omega = 4 1/s; in mm, t, s and along y the second time. */
static void drives(void **state) {
    GOS_UNUSED(state);
    static const double part[] = {1.0 / 2000, 1.0 / 5000, 1.0 / 20000};
    for (int i = 0; i < 6; i++) {
        const double w = 10 * part[i / 2], mm = i % 2 ? 1000 : 1;
        const char *along = i % 2 ? "y" : "x";
        char text[2000];
        verify v;
        snprintf(text, sizeof text,
                 "parameters: {w: %.17g, mm: %g}\n"
                 "bodies:\n"
                 "  a: {type: rigid, mass: 1/mm, inertia: [mm, mm, mm]}\n"
                 "  b: {type: rigid, mass: 1/mm, inertia: [mm, mm, mm], position: [%s, %s, 0]}\n"
                 "joints: {d: {type: driven, between: [ground, a], components: %s, "
                 "displacement: [\"%s\", \"%s\", 0]}}\n"
                 "loads: {s: {type: spring, between: [a, b], stiffness: 16/mm}}\n"
                 "probes: {v: {at: b, quantity: velocity}}\n"
                 "analysis: {end: 10}\n",
                 w, mm, i % 2 ? "0" : "mm", i % 2 ? "mm" : "0", along,
                 i % 2 ? "0" : "0.1*mm*" GAUSS, i % 2 ? "0.1*mm*" GAUSS : "0");
        verify_text(&v, text, NULL);
        verify_start(&v);
        const double t = 3.7 + 8 * w, size = 16 * 0.1 * mm * w * ROOT_PI * exp(-4 * w * w);
        char name[60];
        double y[GOS_PROBE_MAX];
        snprintf(name, sizeof name, "%s: velocity, pulse of 1/%.0f", along, 1 / part[i / 2]);
        verify_probe(&v, verify_at(&v, t), "v", y);
        verify_near(name, y[i % 2] / size, cos(4 * 8 * w), 1e-3);
        verify_close(&v);
    }
}

/* heat into an insulated rod of 8 J/K, also of one twice as long */
static void heat(void **state) {
    GOS_UNUSED(state);
    static const double part[] = {1.0 / 2000, 1.0 / 5000, 1.0 / 20000};
    for (int i = 0; i < 6; i++) {
        const double w = 10 * part[i / 2], L = i % 2 ? 2 : 1;
        char text[1500], name[60];
        verify v;
        gos_heat h;
        snprintf(
            text, sizeof text,
            "parameters: {w: %.17g}\n"
            "materials: {m: {density: 2000, young: 1e7, conductivity: 200, specific_heat: 20}}\n"
            "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
            "bodies: {b: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: "
            "[%g, 0, 0], elements: 4}}\n"
            "joints: {c: {type: clamp, between: [ground, b.start]}}\n"
            "heat: {q: {type: heat_flow, on: b.end, value: \"5*" GAUSS "\"}}\n"
            "analysis: {end: 10}\n",
            w, L);
        verify_text(&v, text, NULL);
        verify_run(&v);
        gos_system_heat(v.sys, v.state, &h);
        snprintf(name, sizeof name, "heat, pulse of 1/%.0f, %ld steps", 1 / part[i / 2],
                 v.stats.steps);
        verify_near(name, h.stored / (5 * w * ROOT_PI), 1, 1e-3);
        verify_close(&v);
    }
}

/* ---- reduced models, fixed steps, cost ------------------------------------------------------- */

/* a force on the end of a cable held at its start: angular momentum */
static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char *const method[] = {"rotation_closed", "complex_modes"};
    static const double part[] = {1.0 / 2000, 1.0 / 20000};
    for (int i = 0; i < 4; i++) {
        const double w = 4 * part[i / 2];
        const int size = i % 2 ? 1 : 20; // local linearisation has thresholds of its own
        char text[1500], name[80];
        verify v;
        gos_system *sys;
        gos_state *x;
        gos_integrator *run;
        snprintf(text, sizeof text,
                 "parameters: {w: %.17g}\n"
                 "materials: {m: {density: 2000, young: 1e8, damping: {normal: 1e-2}}}\n"
                 "sections: {s: {type: rectangle, height: 0.02, width: 0.02}}\n"
                 "bodies: {b: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: "
                 "[1, 0, 0], elements: 4}}\n"
                 "joints: {c: {type: spherical, between: [ground, b.start]}}\n"
                 "loads: {p: {type: force, on: b.end, value: [0, \"%d*" GAUSS "\", 0]}}\n"
                 "analysis: {end: 4}\nreduction: {method: %s}\n",
                 w, size, method[i % 2]);
        verify_text(&v, text, NULL);
        verify_good(&v, gos_reduce(v.ctx, v.sys, &sys));
        verify_good(&v, gos_state_create(v.ctx, sys, &x));
        verify_good(&v, gos_integrator_create(v.ctx, sys, &v.opt, x, &run));
        while (gos_state_time(x) < v.opt.end) {
            verify_good(&v, gos_integrator_step(run, v.opt.end));
        }
        double p[3], l[3];
        gos_statistics stats;
        gos_system_momentum(sys, x, p, l);
        gos_integrator_statistics(run, &stats);
        snprintf(name, sizeof name, "angular momentum, pulse of 1/%.0f, %ld steps, %s",
                 1 / part[i / 2], stats.steps, method[i % 2]);
        verify_near(name, l[2] / (size * w * ROOT_PI), 1, 1e-3);
        gos_integrator_destroy(run);
        gos_state_destroy(x);
        gos_system_destroy(sys);
        verify_close(&v);
    }
}

static void open_pulse(verify *v, const char *f, const char *settings) {
    char text[1000];
    snprintf(text, sizeof text,
             "bodies: {b: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n"
             "loads: {p: {type: force, on: b, value: [\"%s\", 0, 0]}}\nanalysis: {end: 10}\n",
             f);
    verify_text(v, text, settings);
    verify_start(v);
}

static void fixed_steps(void **state) {
    GOS_UNUSED(state);
    static const char pulse[] = "10*exp(-((t-5)/0.005)^2)", jumps[] = "fixed steps of";
    verify v;
    open_pulse(&v, pulse, "analysis.step=0.01");
    assert_true(warned(&v, jumps));
    verify_close(&v);
    open_pulse(&v, pulse, "analysis.step=0.001");
    assert_false(warned(&v, jumps));
    verify_close(&v);
    open_pulse(&v, pulse, NULL); // error control needs no warning
    assert_false(warned(&v, jumps));
    verify_close(&v);
}

/* functions without narrow parts leave the steps as they were */
static void nothing_narrow(void **state) {
    GOS_UNUSED(state);
    static const char *const f[] = {"sin(3*t)",      "300+1e-3*sin(40*t)", "sin(t^2*20)",
                                    "t*(t>3)*(t<4)", "abs(sin(20*t))",     "exp(-t)*cos(50*t)",
                                    "sqrt(t+1)",     "1-exp(-t/2)",        "sin(1e5*t)*cos(777*t)",
                                    "3*t^2-t",       "exp(-((t-5)/2)^2)",  "1e-9*t"};
    for (int i = 0; i < GOS_COUNT(f); i++) {
        verify v;
        open_pulse(&v, f[i], NULL);
        const gos_alpha *run = (const gos_alpha *)v.run;
        print_message("    %s: %d\n", f[i], run->breaks.stops.narrow.n);
        assert_int_equal(run->breaks.stops.narrow.n, 0);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces),      cmocka_unit_test(courses),       cmocka_unit_test(tables),
        cmocka_unit_test(drives),      cmocka_unit_test(heat),          cmocka_unit_test(reduced),
        cmocka_unit_test(fixed_steps), cmocka_unit_test(nothing_narrow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
