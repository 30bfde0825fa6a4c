/* What a report shows of a design: courses under the disturbance against the same loop by
   Runge-Kutta steps, open poles, modes and patches; kept in a file, and refused when that is
   damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hdf5.h>

#include "gossamer/io.h"
#include "pages/design_view.h"
#include "support/folder.h"
#include "support/suite.h"
#include "support/verify.h"

#define MASS 3.0
#define STIFFNESS 12.0
#define DAMPING 0.2
#define FORCE 5.0

static const char oscillator[] =
    "parameters: {v_max: 1.5, sample: 0}\n"
    "bodies:\n"
    "  mass: {type: rigid, mass: 3, inertia: [1, 1, 1]}\n"
    "  wall: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [-1, 0, 0]}\n"
    "joints:\n"
    "  rail: {type: prismatic, between: [ground, mass], axis: [1, 0, 0]}\n"
    "  wall: {type: clamp, between: [ground, wall]}\n"
    "loads:\n"
    "  push: {type: force, on: mass, value: [0, 0, 0]}\n"
    "  gust: {type: force, on: mass, value: [0, 0, 0]}\n"
    "  rod: {type: spring, between: [wall, mass], stiffness: 12, damping: 0.2}\n"
    "probes:\n"
    "  place: {at: mass, quantity: displacement, direction: [1, 0, 0]}\n"
    "  speed: {at: mass, quantity: velocity, direction: [1, 0, 0]}\n"
    "designs:\n"
    "  hold: {type: lqr, inputs: push.x, signals: [place, speed], signal_weights: [1, 30], k_Q: 1, "
    "v_max: v_max,\n"
    "         disturbance: gust.x, force: 5, t_force: 0.5, duration: 0.7, t_end: 12, output: "
    "place}\n"
    "  calm: {type: lqr, inputs: push.x, signals: [place, speed], disturbance: gust.x, output: "
    "place}\n"
    "  rate: {type: lqg, inputs: push.x, signals: place, noise: 1, disturbance: gust.x, force: 5, "
    "duration: 0.7,\n"
    "         t_end: 12, output: speed, sample: 0.01}\n";

typedef struct designed {
    gos_ctx *ctx;
    gos_model *model;
    gos_design *design;
} designed;

static void make(designed *d, const char *text, const char *name) {
    *d = (designed){.ctx = gos_ctx_create()};
    assert_int_equal(gos_model_parse(d->ctx, text, strlen(text), "m.yaml", NULL, &d->model),
                     GOS_OK);
    if (gos_design_show(d->ctx, d->model, name, &d->design) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(d->ctx));
    }
}

static void release(designed *d) {
    gos_design_destroy(d->design);
    gos_model_destroy(d->model);
    gos_ctx_destroy(d->ctx);
}

/* ---- courses --------------------------------------------------------------------------------- */

typedef struct loop {
    double kp, kd, limit; // u = clip(-kp x - kd v)
} loop;

static double command(const loop *l, const double y[2]) {
    return -l->kp * y[0] - l->kd * y[1];
}

static double clip(const loop *l, double u) {
    return fmin(l->limit, fmax(-l->limit, u));
}

static double acceleration(const loop *l, double t, const double y[2]) {
    const double w = t >= 0.5 && t < 1.2 ? FORCE : 0;
    return (w + clip(l, command(l, y)) - DAMPING * y[1] - STIFFNESS * y[0]) / MASS;
}

static void step(const loop *l, double t, double h, double y[2]) {
    double k[4][2], at[2] = {y[0], y[1]};
    static const double part[4] = {0, 0.5, 0.5, 1};
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 2 && i > 0; c++) {
            at[c] = y[c] + part[i] * h * k[i - 1][c];
        }
        k[i][0] = at[1];
        k[i][1] = acceleration(l, t + 0.5 * h,
                               at); // in the middle: the force does not change within a step
    }
    for (int c = 0; c < 2; c++) {
        y[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

/* least and largest of each span, of place, acceleration and input, by 200 steps in each; the RMS
 * behind the disturbance */
static void follow(const loop *l, const gos_design_history *c, double tolerance) {
    enum { STEPS = 200 };
    const double h = c->time[0] / STEPS;
    double y[2] = {0, 0}, size[3] = {0.1, 1, 1}, sum = 0, most = 0, watched = 0;
    double highest[2] = {0, 0}, deepest[2] = {0, 0}; // as they are, as they are seen
    for (int k = 0; k < c->n; k++) {
        double lo[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, hi[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        for (int i = 0; i <= STEPS; i++) {
            const double t = k * c->time[0] + i * h;
            const double v[4] = {y[0], acceleration(l, t + 1e-9, y), clip(l, command(l, y)),
                                 acceleration(l, t - 1e-9, y)}; // before and after a jump
            for (int j = 0; j < 4; j++) {
                lo[j % 3 + j / 3] = fmin(lo[j % 3 + j / 3], v[j]);
                hi[j % 3 + j / 3] = fmax(hi[j % 3 + j / 3], v[j]);
            }
            if (t > 1.2 && i < STEPS) {
                sum += h * v[1] * v[1];
                watched += h;
                most = fmax(most, fabs(command(l, y)));
            }
            if (i < STEPS) {
                step(l, t, h, y);
            }
        }
        highest[0] = fmax(highest[0], hi[1]);
        highest[1] = fmax(highest[1], c->acceleration_high[k]);
        deepest[0] = fmin(deepest[0], lo[0]);
        deepest[1] = fmin(deepest[1], c->low[k]);
        const double *low[] = {c->low, c->acceleration_low, c->ninput ? c->input_low[0] : NULL},
                     *high[] = {c->high, c->acceleration_high, c->ninput ? c->input_high[0] : NULL};
        // what is seen lies within what there is, and spans are hardly longer than the distance of
        // looks
        for (int j = 0; j < 3 && low[j]; j++) {
            assert_true(low[j][k] > lo[j] - tolerance * size[j] &&
                        high[j][k] < hi[j] + tolerance * size[j]);
        }
    }
    const double rms = sqrt(sum / watched);
    print_message("    acceleration RMS %.6g (%.6g), command %.6g (%.6g)\n", c->rms, rms,
                  c->command, most);
    assert_true(fabs(c->rms - rms) < 2e-3 * rms);
    assert_true(fabs(highest[0] - highest[1]) < 2e-3 * highest[0] &&
                fabs(deepest[0] - deepest[1]) < -2e-3 * deepest[0]);
    assert_true(c->closed ? fabs(c->command - most) < 2e-3 * most : c->command == 0);
}

static void test_courses(void **state) {
    GOS_UNUSED(state);
    designed d;
    const char *none;
    int n, poles;
    make(&d, oscillator, "hold");
    const gos_design_history *c = gos_design_histories(d.design, &n, &none);
    const gos_control_law *law = gos_design_law(d.design);
    const loop held = {-law->D[0], -law->D[1], 1.5}, left = {0, 0, HUGE_VAL};
    assert_int_equal(n, 4);
    assert_null(none);
    for (int i = 0; i < n; i++) {
        assert_int_equal(c[i].closed, i % 2);
        assert_int_equal(c[i].plant, i / 2);
        assert_string_equal(c[i].output, "place.value");
        assert_string_equal(c[i].unit, "m");
        assert_string_equal(c[i].acceleration_unit, "m/s^2");
        assert_string_equal(c[i].input_unit, "N");
        assert_string_equal(c[i].disturbance, "gust.x, 5 N from 0.5 to 1.2 s");
        assert_null(c[i].failure);
        assert_int_equal(c[i].ninput, i % 2);
        follow(i % 2 ? &held : &left, &c[i], 2e-3);
    }
    assert_true(c[1].command > 1.5 && c[1].clipped > 0 && c[1].clipped < 0.5); // it was limited
    const gos_root *open = gos_design_open_poles(d.design, &poles);
    assert_int_equal(poles, 1);
    assert_true(fabs(open[0].re + DAMPING / (2 * MASS)) < 1e-12);
    assert_true(fabs(hypot(open[0].re, open[0].im) - 2) < 1e-12); // sqrt(12 / 3)
    release(&d);
}

static void test_none(void **state) {
    GOS_UNUSED(state);
    designed d;
    const char *none;
    int n;
    make(&d, oscillator, "calm");
    (void)gos_design_histories(d.design, &n, &none);
    assert_int_equal(n, 0);
    assert_non_null(strstr(none, "a disturbance with force and duration"));
    release(&d);
    make(&d, oscillator, "rate");
    (void)gos_design_histories(d.design, &n, &none);
    assert_int_equal(n, 0);
    assert_non_null(strstr(none, "continuous controllers"));
    release(&d);
}

/* ---- modes and patches ----------------------------------------------------------------------- */

static const char strip[] =
    "materials: {m: {density: 2700, young: 7.0e10, poisson: 0.3}}\n"
    "meshes: {strip: {type: rectangle, size: [0.6, 0.1], cells: [6, 1], sets: {root: {box: {from: "
    "[-1, -1, -1], to: [1.0e-6, 1, 1]}}, tip: {near: [0.6, 0, 0]}}}}\n"
    "bodies: {strip: {type: floating, mesh: strip, material: m, element: shell, thickness: 1.0e-3, "
    "reference: clamped, at: root, zeta: 0.01}}\n"
    "joints: {hold: {type: clamp, between: [ground, strip.frame]}}\n"
    "piezo: {p: {type: patch, on: strip, thickness: 2.0e-4, e31: -6, permittivity: 1.0e-8}}\n"
    "loads: {gust: {type: force, on: strip.tip, value: [0, 0, 0]}}\n"
    "probes: {tip: {at: strip.tip, quantity: displacement, direction: [0, 0, 1]}}\n"
    "designs:\n"
    "  pick: {type: lqr, inputs: p, weight: velocity, k_Q: 1.0e6, v_max: 100, output: tip, "
    "disturbance: "
    "gust.z, force: 1,\n"
    "         duration: 0.01, t_end: 1, design_modes: 4, plant_modes: 8, choose: 4}\n";

static void test_view(void **state) {
    GOS_UNUSED(state);
    designed d;
    int n;
    make(&d, strip, "pick");
    const gos_design_view *v = d.design->view;
    const gos_design_input *input = gos_design_inputs(d.design, &n);
    assert_string_equal(v->name, "pick");
    assert_int_equal(v->mesh.nnodes, 15); // and the frame
    assert_int_equal(v->mesh.ncells, 6);
    assert_int_equal(v->npatch, 12);
    assert_int_equal(n, 12);
    for (int i = 0; i < n; i++) { // in the order of cells, upper faces first
        assert_int_equal(v->patch[i].candidate, i);
        assert_int_equal(v->patch[i].cell, i % 6);
        assert_int_equal(v->patch[i].side, i < 6 ? 1 : -1);
        // both faces of a cell do the same but for signs
        assert_true(fabs(input[i].importance - input[i % 6].importance) <
                    1e-6 * input[0].importance);
    }
    assert_int_equal(v->nmode, 4);
    assert_int_equal(strncmp(v->mode_names, "mode 1: ", 8), 0);
    double tip = 0, root = 0, most = 0;
    for (int i = 0; i < v->mesh.nnodes; i++) { // the first mode: its tip moves most, along z
        const double x = v->x[3 * i], w = fabs(v->shape[3 * i + 2]);
        tip = fabs(x - 0.6) < 1e-9 ? fmax(tip, w) : tip;
        root = fabs(x) < 1e-9 ? fmax(root, w) : root;
        most = fmax(most, w);
    }
    assert_true(tip > 0 && tip == most && root < 1e-6 * tip);
    release(&d);
}

/* ---- in files -------------------------------------------------------------------------------- */

static void same(int n, const double *a, const double *b) {
    assert_true((a == NULL) == (b == NULL));
    assert_true(!a || memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

static void test_kept(void **state) {
    GOS_UNUSED(state);
    designed d;
    gos_design *again = NULL;
    const char *none, *path = folder_path("pick.h5");
    int n, m;
    make(&d, strip, "pick");
    assert_int_equal(gos_controller_save(d.ctx, d.design, path), GOS_OK);
    assert_int_equal(gos_controller_read(d.ctx, path, &again), GOS_OK);
    const gos_design_history *a = gos_design_histories(d.design, &n, &none),
                             *b = gos_design_histories(again, &m, &none);
    assert_int_equal(n, 4);
    assert_int_equal(m, 4);
    for (int i = 0; i < n; i++) {
        assert_int_equal(a[i].n, b[i].n);
        same(a[i].n, a[i].time, b[i].time);
        same(a[i].n, a[i].low, b[i].low);
        same(a[i].n, a[i].acceleration_high, b[i].acceleration_high);
        assert_true(a[i].rms == b[i].rms && a[i].limit == b[i].limit &&
                    a[i].clipped == b[i].clipped);
        assert_string_equal(a[i].disturbance, b[i].disturbance);
        assert_int_equal(a[i].ninput, b[i].ninput);
        for (int k = 0; k < a[i].ninput; k++) {
            assert_string_equal(a[i].input[k], b[i].input[k]);
            same(a[i].n, a[i].input_low[k], b[i].input_low[k]);
        }
    }
    const gos_design_view *v = d.design->view, *w = again->view;
    assert_string_equal(v->mode_names, w->mode_names);
    same(v->nmode * 3 * v->mesh.nnodes, v->shape, w->shape);
    assert_memory_equal(v->patch, w->patch, (size_t)v->npatch * sizeof *v->patch);
    assert_memory_equal(v->mesh.cell_nodes, w->mesh.cell_nodes, 24 * sizeof(int));
    const gos_root *p = gos_design_open_poles(d.design, &n), *q = gos_design_open_poles(again, &m);
    assert_int_equal(n, m);
    assert_memory_equal(p, q, (size_t)n * sizeof *p);
    gos_design_destroy(again);
    release(&d);
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word)) {
        n++;
    }
    return n;
}

/* The data of the page have each mode of the plant: frequency, damping ratio and its pole. */
static void lists_modes(const gos_design *d, const char *text) {
    gos_design_report r;
    int n;
    const gos_design_mode *m = gos_design_modes(d, &n);
    gos_design_get(d, &r);
    assert_true(n > r.modes - r.rigid);
    for (int i = 0; i < n; i++) {
        char row[200];
        (void)snprintf(row, sizeof row, "{\"omega\":%.17g,\"damping\":%.17g,\"pole\":[%.17g,%.17g]",
                       m[i].omega, m[i].damping, m[i].pole.re, m[i].pole.im);
        if (!strstr(text, row)) {
            fail_msg("%s is missing", row);
        }
    }
}

/* all twelve patches on two sides, four of which drive */
static void test_drawn(void **state) {
    GOS_UNUSED(state);
    designed d;
    const char *path = folder_path("drawn.h5");
    char *text = NULL;
    size_t size;
    make(&d, strip, "pick");
    assert_int_equal(gos_controller_save(d.ctx, d.design, path), GOS_OK);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(gos_controller_picture(d.ctx, path, out), GOS_OK);
    (void)fclose(out);
    assert_int_equal(strncmp(text, "<svg", 4), 0);
    assert_int_equal(count(text, "class=\"patch\""), 8);
    assert_int_equal(count(text, "class=\"patch chosen\""), 4);
    assert_int_equal(count(text, "y [m]"), 2);
    assert_non_null(strstr(text, "design pick: 4 of 12 inputs drive"));
    free(text);
    out = open_memstream(&text, &size);
    assert_int_equal(gos_controller_report(d.ctx, path, out), GOS_OK);
    (void)fclose(out);
    assert_int_equal(count(text, "patch chosen"), 4);
    assert_int_equal(count(text, "{\"name\":\"mode "), 4);
    assert_int_equal(count(text, "\"output\":\"tip.value\""), 4);
    lists_modes(d.design, text);
    free(text);
    release(&d);
}

/* each number in turn is wrong: refused, or (coordinates, amplitudes) shown as it is, but never
 * read beyond its end */
static void test_damaged(void **state) {
    GOS_UNUSED(state);
    static const double wrong[] = {-1, 1e300, 0.5, HUGE_VAL};
    designed d;
    const char *path = folder_path("bad.h5");
    int refused = 0;
    make(&d, strip, "pick");
    assert_int_equal(gos_controller_save(d.ctx, d.design, path), GOS_OK);
    release(&d);
    for (int i = 0; i < 90; i++) {
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t set = H5Dopen2(file, "/view/numbers", H5P_DEFAULT), space = H5Dget_space(set);
        const hsize_t at = (hsize_t)i, one = 1;
        const hid_t memory = H5Screate_simple(1, &one, NULL);
        double before;
        assert_true(H5Sselect_elements(space, H5S_SELECT_SET, 1, &at) >= 0);
        assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &before) >= 0);
        for (int k = 0; k <= GOS_COUNT(wrong); k++) {
            const double x = k < GOS_COUNT(wrong) ? wrong[k] : before;
            assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, &x) >= 0);
            assert_true(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
            if (k < GOS_COUNT(wrong)) {
                gos_ctx *ctx = gos_ctx_create();
                FILE *nowhere = fopen("/dev/null", "w");
                const gos_status status = gos_controller_report(ctx, path, nowhere);
                assert_true(status == GOS_OK || status == GOS_E_FILE);
                refused += status != GOS_OK;
                (void)fclose(nowhere);
                gos_ctx_destroy(ctx);
            }
        }
        (void)H5Sclose(memory);
        (void)H5Sclose(space);
        (void)H5Dclose(set);
        (void)H5Fclose(file);
    }
    print_message("    %d of %d refused\n", refused, 90 * GOS_COUNT(wrong));
    assert_true(refused > 90);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_courses), cmocka_unit_test(test_none),
        cmocka_unit_test(test_view),    cmocka_unit_test(test_kept),
        cmocka_unit_test(test_drawn),   cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
