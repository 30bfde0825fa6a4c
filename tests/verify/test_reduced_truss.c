/* Welded trusses: beams clamped to small rigid nodes and to a hub, some joints with force probes.
   Each triangle closes a loop, so fields that fulfil some joints fulfil others by rounding. Planar
   and spatial, 3 to 10 members, turned, and in millimetres, the reduced model must run and follow
   the full one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "math/vec3.h"
#include "support/suite.h"
#include "support/verify.h"

#define MAX_MEMBERS 10
#define MAX_NODES (MAX_MEMBERS + 3)
#define BAY 0.9        // length of a bay [m]
#define TOLERANCE 1e-3 // of reductions by default
#define MAX_STEPS 3    // steps of the reduced run relative to the full one

typedef struct truss {
    int nmember, dim; // dim: 2 planar, 3 spatial
    const char *name;
    double turn[3]; // rotation vector of all
    bool mm;        // in mm-t-s
} truss;

typedef struct frame {
    double axis[3][3], length; // turned axes; units of length in a metre
    char *text;
    size_t used;
} frame;

static void add(frame *f, const char *format, ...) {
    va_list list;
    va_start(list, format);
    f->used += (size_t)vsnprintf(f->text + f->used, VERIFY_TEXT - f->used, format, list);
    va_end(list);
    assert_true(f->used < VERIFY_TEXT);
}

/* "KEY: [x, y, z]" of a turned vector */
static void add_vector(frame *f, const char *key, const double x[3], double scale) {
    double y[3];
    for (int i = 0; i < 3; i++) {
        y[i] = scale * (f->axis[0][i] * x[0] + f->axis[1][i] * x[1] + f->axis[2][i] * x[2]);
    }
    add(f, "%s: [%.17g, %.17g, %.17g]", key, y[0], y[1], y[2]);
}

/* ends of each member, positions of nodes [m]; the first `dim` nodes are on the hub */
static int lay_out(const truss *t, int end[MAX_MEMBERS][2], double x[MAX_NODES][3]) {
    static const double base[2][3][3] = {{{0.5, -0.4, 0}, {0.5, 0.4, 0}},
                                         {{0.5, -0.3, -0.3}, {0.5, 0.4, -0.2}, {0.5, 0, 0.4}}};
    int n = t->dim, m = 0;
    memcpy(x, base[t->dim - 2], (size_t)n * sizeof x[0]);
    for (; m < t->nmember % t->dim; m++) { // between nodes of the hub
        end[m][0] = m;
        end[m][1] = m + 1;
    }
    while (m < t->nmember) {
        const double next[3] = {x[n - t->dim][0] + BAY, x[n - t->dim][1] + 0.03 * n,
                                x[n - t->dim][2]};
        memcpy(x[n], next, sizeof next);
        for (int i = 0; i < t->dim; i++, m++) {
            end[m][0] = n - t->dim + i;
            end[m][1] = n;
        }
        n++;
    }
    return n;
}

static void add_bodies(frame *f, const truss *t, int n, int end[][2], double x[][3]) {
    const double L = f->length, mass = t->mm ? 1e-3 : 1, inertia = mass * L * L;
    add(f, "bodies:\n  hub: {type: rigid, mass: %g, inertia: [%g, %g, %g]}\n", 200 * mass,
        100 * inertia, 100 * inertia, 100 * inertia);
    for (int i = t->dim; i < n; i++) {
        add(f, "  n%d: {type: rigid, mass: %g, inertia: [%g, %g, %g]", i, 0.2 * mass,
            1e-4 * inertia, 1e-4 * inertia, 1e-4 * inertia);
        add_vector(f, ", position", x[i], L);
        add(f, "}\n");
    }
    for (int m = 0; m < t->nmember; m++) {
        const double *a = x[end[m][0]], *b = x[end[m][1]];
        const double z[3] = {0, 0, 1}, e1[3] = {1, 0, 0};
        const bool steep = fabs(b[2] - a[2]) > 0.5 * fabs(b[0] - a[0]);
        add(f, "  m%d: {type: ancf_beam, material: alloy, section: bar, elements: 2", m);
        add_vector(f, ", from", a, L);
        add_vector(f, ", to", b, L);
        add_vector(f, ", normal", steep ? e1 : z, 1);
        add(f, "}\n");
    }
}

static void make(const truss *t, char text[VERIFY_TEXT]) {
    frame f = {.length = t->mm ? 1000 : 1, .text = text};
    int end[MAX_MEMBERS][2];
    double x[MAX_NODES][3];
    const int n = lay_out(t, end, x);
    const double L = f.length, push[3] = {0.5, 3, 5}, turn[3] = {0, 0, 20 * L};
    gos__rotated_axes(t->turn, f.axis);
    add(&f,
        "%smaterials: {alloy: {density: %g, young: %g, poisson: 0.3,\n"
        "  damping: {normal: 2.0e-3, shear: 2.0e-3}}}\n"
        "sections: {bar: {type: rectangle, height: %g, width: %g}}\n",
        t->mm ? "units: mm-t-s\n" : "", t->mm ? 2.7e-9 : 2700, t->mm ? 7e4 : 7e10, 0.012 * L,
        0.012 * L);
    add_bodies(&f, t, n, end, x);
    add(&f, "joints:\n");
    for (int k = 0; k < 2 * t->nmember; k++) {
        const int node = end[k / 2][k % 2];
        char owner[16] = "hub";
        if (node >= t->dim) {
            snprintf(owner, sizeof owner, "n%d", node);
        }
        add(&f, "  j%d: {type: clamp, between: [%s, m%d.%s]", k, owner, k / 2,
            k % 2 ? "end" : "start");
        add_vector(&f, ", at", x[node], L);
        add(&f, "}\n");
    }
    add(&f, "loads:\n  push: {type: force, on: n%d", n - 1);
    add(&f, ", value: [");
    for (int i = 0; i < 3; i++) {
        add(&f, "%s\"%.17g*(1 - cos(pi*t/0.3))\"", i ? ", " : "",
            f.axis[0][i] * push[0] + f.axis[1][i] * push[1] + f.axis[2][i] * push[2]);
    }
    add(&f, "]");
    add(&f, "}\n  turn: {type: moment, on: hub");
    add_vector(&f, ", moment", turn, 1);
    add(&f, "}\nprobes:\n  tip: {at: n%d, quantity: displacement}\n", n - 1);
    for (int k = 1; k < 2 * t->nmember; k += 3) {
        add(&f, "  f%d: {joint: j%d, quantity: joint_force}\n", k, k);
    }
    add(&f, "analysis: {end: 0.3, tolerance: 1.0e-5}\n"
            "reduction: {method: rotation_closed, fields: modes, number: 24}\n");
}

/* tip at the end of the run, its steps */
static void run(verify *v, double tip[3], long *steps) {
    verify_run(v);
    verify_probe(v, v->state, "tip", tip);
    *steps = v->stats.steps;
}

static void follow(const truss *t) {
    static char text[VERIFY_TEXT];
    double tip[2][3], d[3];
    long steps[2];
    verify v;
    gos_system *reduced;
    make(t, text);
    verify_text(&v, text, NULL);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    run(&v, tip[0], &steps[0]);
    gos_integrator_destroy(v.run);
    gos_state_destroy(v.state);
    v.run = NULL;
    gos_system *const full = v.sys;
    v.sys = reduced;
    verify_good(&v, gos_state_create(v.ctx, reduced, &v.state));
    run(&v, tip[1], &steps[1]);
    for (int i = 0; i < 3; i++) {
        d[i] = tip[1][i] - tip[0][i];
    }
    print_message("  %d members, %s: %d of %d coordinates, %ld and %ld steps\n", t->nmember,
                  t->name, reduced->nq, full->nq, steps[1], steps[0]);
    verify_below("tip, reduced and full, relative to the extent", gos__norm3(d) / full->extent,
                 TOLERANCE);
    verify_below("steps, reduced over full", (double)steps[1] / (double)steps[0], MAX_STEPS);
    gos_integrator_destroy(v.run);
    gos_state_destroy(v.state);
    gos_system_destroy(reduced);
    v.run = NULL;
    v.state = NULL;
    v.sys = full;
    verify_close(&v);
}

static void test_trusses(void **state) {
    static const truss kinds[] = {
        {.dim = 2, .name = "planar"},
        {.dim = 3, .name = "spatial"},
        {.dim = 2, .name = "planar, turned", .turn = {0.3, 0.5, -0.7}},
        {.dim = 3, .name = "spatial, turned", .turn = {0.3, 0.5, -0.7}},
        {.dim = 2, .name = "planar, mm-t-s", .mm = true},
        {.dim = 3, .name = "spatial, mm-t-s", .mm = true},
    };
    static const int members[] = {3, 6, MAX_MEMBERS};
    (void)state;
    for (int i = 0; i < GOS_COUNT(kinds); i++) {
        for (int k = 0; k < GOS_COUNT(members); k++) {
            truss t = kinds[i];
            t.nmember = members[k];
            follow(&t);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trusses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
