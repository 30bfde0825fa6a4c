/* Running a model into a sink of one's own: what it is given is what a results file has, to the
   last digit; it ends the run when it wants, in words; from a point that it keeps the run continues
   as if nothing had been. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "gossamer/gossamer.h"
#include "support/suite.h"
#include "support/verify.h"

/* A hot pendulum whose load switches (steps of error control begin again), and a top whose angle
 * passes half turns. */
static const char model[] =
    "name: sunk\n"
    "parameters: {n: 6}\n"
    "materials:\n"
    "  rubber: {density: 1000, young: 1.0e7, poisson: 0.3, conductivity: 1.0, specific_heat: 200,\n"
    "           expansion: 1.0e-4, damping: {normal: 2.0e-3}, absorptivity: 1}\n"
    "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, 0], to: [1, 0, 0], "
    "elements: n}\n"
    "  top: {type: rigid, mass: 2, inertia: [0.3, 0.3, 0.5], angular_velocity: [0, 0, 20]}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "gravity: [0, -9.81, 0]\n"
    "loads: {push: {type: force, on: rod.end, value: [0, 0, 'mod(floor(20*t), 2)']}}\n"
    "heat: {sun: {type: flux, value: 2e4, direction: [0, -1, 0], on: rod}}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  warm: {at: rod.end, quantity: temperature}\n"
    "  turned: {at: top, quantity: angle}\n"
    "analysis: {type: dynamic, end: 0.4, tolerance: 1.0e-5}\n"
    "output: {every: 0.013}\n"
    "reduction: {method: rotation_closed, fields: polynomials, number: 8}\n";

enum { MOST_ROWS = 40000, MOST_FRAMES = 100, MOST_NODES = 60, WIDTH = 8 };

/* in which function it ends the run, and when */
typedef enum where { NOWHERE, BEGIN, ROW, FRAME, STEP, CHECKPOINT, END } where;

typedef struct memory {
    gos_ctx *ctx;
    int width, nodes, rows, frames, steps, begins, ends;
    double time[MOST_ROWS], value[MOST_ROWS][WIDTH], rate[MOST_ROWS][WIDTH];
    double frame_time[MOST_FRAMES], moved_by[MOST_FRAMES][3 * MOST_NODES];
    double velocity[MOST_FRAMES][3 * MOST_NODES], temperature[MOST_FRAMES][MOST_NODES];
    gos_energy energy[MOST_FRAMES];
    gos_heat heat[MOST_FRAMES];
    double reference[3 * MOST_NODES];
    int messages; // so far
    gos_status status;
    bool moved;
    gos_statistics stats;
    where stop;        // there,
    int after, answer; // at the call of this number, with this answer
    int wanted;        // checkpoint after this step, 0: none
    gos_state *kept;
    gos_run_point point;
    double last[WIDTH]; // of the point
    int rows_then;      // of the point
    long allocations,
        most; // calls of the allocator after the last step; the most between two steps
} memory;

static memory *new_memory(gos_ctx *ctx) {
    memory *m = calloc(1, sizeof *m);
    assert_non_null(m);
    m->ctx = ctx;
    return m;
}

static int answer(const memory *m, where here, int count) {
    return m->stop == here && count > m->after ? m->answer : 0;
}

static int begin(void *user, const gos_run_info *run) {
    memory *m = user;
    gos_mesh_info mesh;
    gos_system_mesh(run->system, &mesh);
    m->width = run->nvalues;
    m->nodes = mesh.nnodes;
    assert_int_equal(run->nprobes, gos_system_nprobes(run->system));
    assert_int_equal(run->goes_on, m->rows > 0);
    assert_true(run->nvalues <= WIDTH && mesh.nnodes <= MOST_NODES);
    memcpy(m->reference, run->reference, 3 * sizeof(double) * (size_t)m->nodes);
    return answer(m, BEGIN, ++m->begins);
}

static int row(void *user, double time, const double *value, const double *rate) {
    memory *m = user;
    assert_int_equal(m->begins, 1);
    assert_true(m->rows < MOST_ROWS);
    m->time[m->rows] = time;
    memcpy(m->value[m->rows], value, (size_t)m->width * sizeof *value);
    memcpy(m->rate[m->rows], rate, (size_t)m->width * sizeof *rate);
    return answer(m, ROW, ++m->rows);
}

static int frame(void *user, const gos_frame *f) {
    memory *m = user;
    assert_true(m->frames < MOST_FRAMES);
    const int k = m->frames;
    m->frame_time[k] = f->time;
    for (int i = 0; i < 3 * m->nodes; i++) {
        m->moved_by[k][i] = f->position[i] - m->reference[i];
        m->velocity[k][i] = f->velocity[i];
    }
    if (f->temperature) {
        memcpy(m->temperature[k], f->temperature, (size_t)m->nodes * sizeof(double));
    }
    m->energy[k] = f->energy;
    m->heat[k] = f->heat;
    return answer(m, FRAME, ++m->frames);
}

static int step(void *user, const gos_statistics *stats) {
    memory *m = user;
    m->steps++;
    const long now = gos_ctx_allocations(m->ctx), since = now - m->allocations;
    // the first steps make the room, where the load switches accelerations are found again, and
    // messages are kept
    const bool plain = m->steps > 3 && stats->restarts == m->stats.restarts &&
                       gos_ctx_ndiag(m->ctx) == m->messages;
    m->messages = gos_ctx_ndiag(m->ctx);
    m->most = plain && since > m->most ? since : m->most;
    m->allocations = now;
    m->stats = *stats;
    return answer(m, STEP, m->steps);
}

static bool due(void *user) {
    const memory *m = user;
    return m->wanted > 0 && m->steps == m->wanted;
}

static int checkpoint(void *user, const gos_run_point *point, const gos_statistics *stats) {
    memory *m = user;
    assert_non_null(point->state);
    assert_int_equal(stats->steps, m->steps);
    if (m->kept && !m->point.state) { // the first one
        assert_int_equal(gos_state_copy(m->kept, point->state), GOS_OK);
        memcpy(m->last, point->value, (size_t)m->width * sizeof *m->last);
        m->point = *point;
        m->point.state = m->kept;
        m->point.value = m->last;
        m->rows_then = m->rows;
    }
    return answer(m, CHECKPOINT, 1);
}

static int end(void *user, gos_status status, bool moved, const gos_statistics *stats) {
    memory *m = user;
    m->ends++;
    m->status = status;
    m->moved = moved;
    m->stats = *stats;
    return answer(m, END, m->ends);
}

static const gos_sink sink = {begin, row, NULL, frame, NULL, step, due, checkpoint, end};

/* ---- what it is given ------------------------------------------------------------------------ */

static void same(const void *a, const void *b, size_t n, const char *what) {
    if (memcmp(a, b, n) != 0) {
        fail_msg("%s differs", what);
    }
}

static void compare_with_file(const memory *m, gos_ctx *ctx, const char *path) {
    gos_results *file;
    gos_results_info info;
    assert_int_equal(gos_results_open(ctx, path, &file), GOS_OK);
    gos_results_info_get(file, &info);
    assert_string_equal(info.status, "complete");
    assert_int_equal(m->rows, info.nrows);
    assert_int_equal(m->frames, info.nframes);
    assert_int_equal(m->stats.steps, info.statistics.steps);
    assert_int_equal(m->stats.iterations, info.statistics.iterations);
    same(m->time, gos_results_time(file), sizeof(double) * (size_t)m->rows, "a time");
    same(m->frame_time, gos_results_frame_times(file), sizeof(double) * (size_t)m->frames,
         "an output time");
    int at = 0;
    for (int i = 0; i < info.nprobes; i++) {
        const double *value, *rate;
        gos_probe_info probe;
        gos_results_probe_info(file, i, &probe);
        assert_int_equal(gos_results_probe(file, i, &value, &rate), GOS_OK);
        const size_t n = (size_t)probe.ncomp;
        for (int k = 0; k < m->rows; k++) {
            same(m->value[k] + at, value + (size_t)k * n, n * sizeof *value, probe.name);
            same(m->rate[k] + at, rate + (size_t)k * n, n * sizeof *rate, "a rate");
        }
        at += probe.ncomp;
    }
    assert_int_equal(at, m->width);
    static double d[3 * MOST_NODES], v[3 * MOST_NODES], T[MOST_NODES];
    const size_t n = sizeof(double) * (size_t)m->nodes;
    for (int k = 0; k < m->frames; k++) {
        gos_energy energy;
        gos_heat heat;
        const gos_node_fields fields = {.displacement = d, .velocity = v, .temperature = T};
        assert_int_equal(gos_results_frame(file, k, &fields), GOS_OK);
        assert_int_equal(gos_results_balance(file, k, &energy, &heat), GOS_OK);
        same(m->moved_by[k], d, 3 * n, "a displacement");
        same(m->velocity[k], v, 3 * n, "a velocity");
        same(m->temperature[k], T, n, "a temperature");
        same(&m->energy[k], &energy, sizeof energy, "an energy");
        same(&m->heat[k], &heat, sizeof heat, "heat");
    }
    gos_results_close(file);
}

static void make_path(char path[64]) {
    (void)strcpy(path, "/tmp/gos_run_XXXXXX");
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
}

static void compare_sinks(const gos_system *sys, const verify *v) {
    char path[64];
    make_path(path);
    memory *m = new_memory(v->ctx);
    verify_good(v, gos_run_into(v->ctx, sys, &v->opt, NULL, &sink, m, NULL));
    assert_int_equal(m->begins, 1);
    assert_int_equal(m->ends, 1);
    assert_int_equal(m->status, GOS_OK);
    assert_true(m->moved);
    assert_int_equal(m->rows, m->steps + 1); // and the start
    assert_int_equal(m->frames, 32);         // 0, 0.013, ..., 0.39 and the end
    assert_true(m->stats.restarts >= 7);     // the load switches at 0.05, 0.1, ...
    assert_true(m->value[m->rows - 1][m->width - 1] > 2 * M_PI);
    assert_int_equal(m->most, 0); // no memory from step to step
    verify_good(v, gos_run(v->ctx, sys, &v->opt, path, NULL));
    compare_with_file(m, v->ctx, path);
    (void)unlink(path);
    // without a sink: the same run
    gos_statistics stats;
    verify_good(v, gos_run_into(v->ctx, sys, &v->opt, NULL, NULL, NULL, &stats));
    assert_int_equal(stats.steps, m->stats.steps);
    assert_int_equal(stats.iterations, m->stats.iterations);
    free(m);
}

static void test_same_as_file(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, model, NULL);
    compare_sinks(v.sys, &v);
    gos_system *reduced = NULL;
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &reduced));
    compare_sinks(reduced, &v);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* What is written into the run's warnings comes without a file, too. */
static void test_watched(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_system *reduced = NULL;
    verify_text(&v, model, NULL);
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &reduced));
    gos_ctx_clear(v.ctx);
    memory *m = new_memory(v.ctx);
    verify_good(&v, gos_run_into(v.ctx, reduced, &v.opt, NULL, &sink, m, NULL));
    bool warned = false; // this reduction has not been compared with a full run
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        warned = warned || strstr(gos_ctx_diag(v.ctx, i)->text, "its error is unknown");
    }
    assert_true(warned);
    free(m);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* ---- ending the run -------------------------------------------------------------------------- */

static void stop_at(const verify *v, where stop, const char *words, gos_status status, int back,
                    const memory *whole) {
    memory *m = new_memory(v->ctx);
    m->stop = stop;
    m->after = stop == ROW ? 10 : stop == FRAME ? 5 : stop == STEP ? 20 : 0;
    m->answer = back;
    m->wanted = stop == CHECKPOINT ? 15 : 0;
    gos_ctx_clear(v->ctx);
    assert_int_equal(gos_run_into(v->ctx, v->sys, &v->opt, NULL, &sink, m, NULL), status);
    print_message("    %s\n", gos_ctx_message(v->ctx));
    assert_non_null(strstr(gos_ctx_message(v->ctx), words));
    assert_int_equal(m->ends, stop == BEGIN ? 0 : 1);
    assert_int_equal(m->status, stop == BEGIN || stop == END ? GOS_OK : status);
    // what came so far is what the whole run gives, and nothing came after the answer
    const int rows[] = {0, 0, 11, m->rows, 22, 16, whole->rows};
    assert_int_equal(m->rows, rows[stop]);
    assert_int_equal(m->frames, stop == FRAME ? 6 : stop == END ? whole->frames : m->frames);
    same(m->time, whole->time, sizeof(double) * (size_t)m->rows, "a time");
    same(m->value, whole->value, sizeof m->value[0] * (size_t)m->rows, "a row");
    same(m->energy, whole->energy, sizeof m->energy[0] * (size_t)m->frames, "an energy");
    free(m);
}

static void test_stopped(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, model, NULL);
    memory *whole = new_memory(v.ctx);
    verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, &sink, whole, NULL));
    static const char *const words[] = {"",       "'begin'",      "'row'", "'frame'",
                                        "'step'", "'checkpoint'", "'end'"};
    for (where stop = BEGIN; stop <= END; stop++) {
        stop_at(&v, stop, words[stop], GOS_E_INTERRUPTED, 1, whole);
        stop_at(&v, stop, words[stop], GOS_E_FILE, GOS_E_FILE, whole);
    }
    free(whole);
    verify_close(&v);
}

static int stop_now(void *user, double fraction, double seconds, const char *text) {
    GOS_UNUSED(fraction);
    GOS_UNUSED(seconds);
    GOS_UNUSED(text);
    return ((memory *)user)->steps > 0;
}

/* Stopped from elsewhere the sink is offered a point to continue from, and has the last state. */
static void test_interrupted(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, model, "analysis.end=1e2 output.every=1e1");
    memory *m = new_memory(v.ctx);
    verify_good(&v, gos_state_create(v.ctx, v.sys, &m->kept));
    gos_ctx_set_progress(v.ctx, stop_now, m);
    assert_int_equal(gos_run_into(v.ctx, v.sys, &v.opt, NULL, &sink, m, NULL), GOS_E_INTERRUPTED);
    assert_int_equal(m->ends, 1);
    assert_int_equal(m->status, GOS_E_INTERRUPTED);
    assert_int_equal(m->frames, 2); // the start, and where it stopped
    assert_true(m->frame_time[1] == m->time[m->rows - 1]);
    assert_non_null(m->point.state);
    assert_true(gos_state_time(m->kept) == m->time[m->rows - 1]);
    gos_state_destroy(m->kept);
    free(m);
    verify_close(&v);
}

/* ---- going on -------------------------------------------------------------------------------- */

static void go_on(const verify *v, const gos_system *sys) {
    memory *whole = new_memory(v->ctx), *part = new_memory(v->ctx);
    verify_good(v, gos_run_into(v->ctx, sys, &v->opt, NULL, &sink, whole, NULL));
    const int stops[] = {1, 7, whole->steps / 2, whole->steps - 1};
    for (int i = 0; i < GOS_COUNT(stops); i++) {
        memset(part, 0, sizeof *part);
        part->ctx = v->ctx;
        part->stop = CHECKPOINT;
        part->answer = 1;
        part->wanted = stops[i];
        verify_good(v, gos_state_create(v->ctx, sys, &part->kept));
        assert_int_equal(gos_run_into(v->ctx, sys, &v->opt, NULL, &sink, part, NULL),
                         GOS_E_INTERRUPTED);
        assert_int_equal(part->rows, stops[i] + 1);
        assert_true(part->frames < whole->frames);
        const gos_run_point from = part->point;
        part->stop = NOWHERE;
        part->begins = part->ends = 0;
        part->wanted = 0;
        verify_good(v, gos_run_into(v->ctx, sys, &v->opt, &from, &sink, part, NULL));
        assert_int_equal(part->rows, whole->rows);
        assert_int_equal(part->frames, whole->frames);
        assert_int_equal(part->stats.steps, whole->stats.steps);
        assert_int_equal(part->stats.iterations, whole->stats.iterations);
        same(part->time, whole->time, sizeof part->time, "a time");
        same(part->value, whole->value, sizeof part->value, "a row");
        same(part->rate, whole->rate, sizeof part->rate, "a rate");
        same(part->frame_time, whole->frame_time, sizeof part->frame_time, "an output time");
        same(part->moved_by, whole->moved_by, sizeof part->moved_by, "a displacement");
        same(part->temperature, whole->temperature, sizeof part->temperature, "a temperature");
        same(part->energy, whole->energy, sizeof part->energy, "an energy");
        same(part->heat, whole->heat, sizeof part->heat, "heat");
        gos_state_destroy(part->kept);
    }
    free(whole);
    free(part);
}

static void test_goes_on(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_system *reduced = NULL;
    verify_text(&v, model, NULL);
    go_on(&v, v.sys);
    verify_good(&v, gos_reduce_auto(v.ctx, v.sys, &reduced));
    go_on(&v, reduced);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* A run that cannot continue is refused before the sink is called. */
static void test_refused(void **state) {
    GOS_UNUSED(state);
    verify v, other;
    verify_text(&v, model, NULL);
    verify_text(&other, model, "n=5");
    memory *m = new_memory(v.ctx);
    gos_run_point from = {.state = NULL};
    assert_int_equal(gos_run_into(v.ctx, v.sys, &v.opt, &from, &sink, m, NULL), GOS_E_USE);
    from.state = other.state;
    assert_int_equal(gos_run_into(v.ctx, v.sys, &v.opt, &from, &sink, m, NULL), GOS_E_USE);
    from.state = v.state;
    v.opt.analysis = GOS_STATIC;
    assert_int_equal(gos_run_into(v.ctx, v.sys, &v.opt, &from, &sink, m, NULL), GOS_E_USE);
    v.opt.analysis = GOS_DYNAMIC;
    v.opt.end = (double)NAN;
    assert_int_equal(gos_run_into(v.ctx, v.sys, &v.opt, NULL, &sink, m, NULL), GOS_E_INPUT);
    assert_int_equal(m->begins, 0);
    assert_int_equal(m->ends, 0);
    free(m);
    verify_close(&other);
    verify_close(&v);
}

/* ---- statics --------------------------------------------------------------------------------- */

static const char beam[] = "materials: {rubber: {density: 1000, young: 1.0e7}}\n"
                           "sections: {bar: {type: rectangle, height: 0.02, width: 0.02}}\n"
                           "bodies:\n"
                           "  rod: {type: ancf_cable, material: rubber, section: bar, from: [0, 0, "
                           "0], to: [1, 0, 0], elements: 4}\n"
                           "joints: {wall: {type: clamp, between: [ground, rod.start]}}\n"
                           "loads: {push: {type: force, on: rod.end, value: [0, 0, 't']}}\n"
                           "probes: {tip: {at: rod.end, quantity: position}}\n"
                           "analysis: {type: static, end: 0.1}\n"
                           "output: {every: 0.02}\n";

/* A path of equilibria gives a row and a frame at each multiple of the interval, and no
 * checkpoints. */
static void test_path(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, beam, NULL);
    memory *m = new_memory(v.ctx);
    m->wanted = 1;
    m->stop = CHECKPOINT; // which never comes
    m->answer = 1;
    verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, &sink, m, NULL));
    assert_int_equal(m->frames, 6);
    assert_int_equal(m->rows, m->frames);
    for (int k = 0; k < m->frames; k++) {
        assert_true(fabs(m->frame_time[k] - 0.02 * k) < 1e-12);
    }
    free(m);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_file), cmocka_unit_test(test_watched),
        cmocka_unit_test(test_stopped),      cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_goes_on),      cmocka_unit_test(test_refused),
        cmocka_unit_test(test_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
