/* The data of a page of `gossamer view`: what it says of positions and temperatures is what the
   results hold, within half a 2-byte part of their range; how far two runs are apart is what
   gos_compare says; what holds no scene is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gossamer/io.h"
#include "results/results.h"
#include "support/faults.h"
#include "support/suite.h"

enum { SIDE = 12, NODES = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1), TIMES = 9, LONG = 1200 };

static double place[3 * NODES];

static gos_mesh_info make_mesh(void) {
    static int offset[CELLS + 1], corner[4 * CELLS], body[CELLS], first[2] = {0, NODES};
    static const char *const bodies[] = {"sheet"};
    for (int i = 0; i < NODES; i++) {
        place[3 * i] = i % SIDE;
        place[3 * i + 1] = i / SIDE;
    }
    for (int k = 0; k < CELLS; k++) {
        const int at = k / (SIDE - 1) * SIDE + k % (SIDE - 1);
        const int four[] = {at, at + 1, at + SIDE + 1, at + SIDE};
        memcpy(corner + 4 * k, four, sizeof four);
        offset[k + 1] = 4 * (k + 1);
    }
    return (gos_mesh_info){NODES, CELLS, 1, offset, corner, body, bodies, first};
}

/* node i of a sheet under a wave at time t; `off`: how far a second run is from it, which grows
 * with time to t = 0.5 and shrinks */
static void wave(int i, double t, double off, double x[3], double v[3], double *T) {
    const double phase = 0.7 * place[3 * i] - 3 * t;
    x[0] = place[3 * i] + 5 * t;
    x[1] = place[3 * i + 1] + off * t * (1 - t) * (1 + 0.1 * i / NODES);
    x[2] = sin(phase);
    v[0] = 5;
    v[1] = off * (1 - 2 * t) * (1 + 0.1 * i / NODES);
    v[2] = -3 * cos(phase);
    *T = 40 * t * cos(phase) + off;
}

static char paths[4][64];

static void write_results(gos_ctx *ctx, const char *path, const gos_mesh_info *mesh, int times,
                          double off) {
    const gos_writer_layout layout = {.name = "sheet",
                                      .text = "name: sheet\n",
                                      .options = "end: 1\n",
                                      .sizes = {.bodies = 1, .nodes = mesh->nnodes, .extent = SIDE},
                                      .mesh = *mesh,
                                      .reference = place,
                                      .thermal = true,
                                      .T_ref = 280};
    static double x[3 * NODES], v[3 * NODES], T[NODES], rate[NODES];
    gos_writer *w;
    assert_int_equal(gos__writer_create(ctx, path, &layout, &w), GOS_OK);
    for (int k = 0; k < times; k++) {
        const double t = times > 1 ? k / (times - 1.0) : 0;
        for (int i = 0; i < mesh->nnodes; i++) {
            wave(i, t, off, x + 3 * i, v + 3 * i, &T[i]);
        }
        const gos_frame frame = {
            .time = t, .position = x, .velocity = v, .temperature = T, .temperature_rate = rate};
        assert_int_equal(gos__writer_row(w, t, NULL, NULL), GOS_OK);
        assert_int_equal(gos__writer_frame(w, &frame), GOS_OK);
    }
    const gos_statistics stats = {.steps = times};
    assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
}

static int make_results(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_mesh_info mesh = make_mesh(), none = {0}, half = mesh;
    half.ncells = CELLS / 2;
    for (int i = 0; i < 4; i++) {
        (void)snprintf(paths[i], sizeof paths[i], "/tmp/gossamer_test_%ld_view%d.h5",
                       (long)getpid(), i);
    }
    write_results(ctx, paths[0], &mesh, TIMES, 0);
    write_results(ctx, paths[1], &mesh, LONG, 0.25);
    write_results(ctx, paths[2], &none, TIMES, 0);
    write_results(ctx, paths[3], &half, TIMES, 0);
    gos_ctx_destroy(ctx);
    return 0;
}

static int remove_results(void **state) {
    (void)state;
    return unlink(paths[0]) + unlink(paths[1]) + unlink(paths[2]) + unlink(paths[3]);
}

static char *page(gos_ctx *ctx, const char *path, const char *against) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(gos_view_page(ctx, path, against, out), GOS_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* ---- reading what the page holds: base64 after a key, behind another one --------------------- */

static const char *behind(const char *text, const char *mark) {
    const char *at = strstr(text, mark);
    assert_non_null(at);
    return at + strlen(mark);
}

static int letter(char c) {
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(all, c) : NULL;
    return at ? (int)(at - all) : -1;
}

static size_t decode(const char *text, unsigned char *to, size_t most) {
    size_t n = 0;
    unsigned held = 0;
    int bits = 0;
    for (; letter(*text) >= 0; text++) {
        held = held << 6 | (unsigned)letter(*text);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            assert_true(n < most);
            to[n++] = (unsigned char)(held >> bits & 255);
        }
    }
    return n;
}

/* the numbers of {"range": [...], "parts": ...} that begin at text, in columns of `width`, and the
 * largest error that they may have */
static size_t read_parts(const char *text, int width, double *v, size_t most, double *within) {
    static unsigned char bytes[2000000];
    double range[6];
    const char *at = behind(text, "\"range\":[");
    for (int i = 0; i < 2 * width; i++) {
        char *end;
        range[i] = strtod(at, &end);
        at = end + 1;
    }
    const size_t n = decode(behind(at, "\"parts\":\""), bytes, sizeof bytes) / 2;
    assert_true(n <= most);
    *within = 0;
    for (size_t i = 0; i < n; i++) {
        const double *r = range + 2 * (i % (size_t)width);
        const unsigned code = bytes[2 * i] | (unsigned)bytes[2 * i + 1] << 8;
        v[i] = r[0] + code * (r[1] - r[0]) / 65534;
        *within = fmax(*within, (r[1] - r[0]) / 65534 / 2);
    }
    return n;
}

/* 4-byte floats about their middle */
static size_t read_floats(const char *text, double *v, size_t most) {
    static float floats[3 * NODES + LONG];
    const double middle = strtod(behind(text, "\"middle\":"), NULL);
    const size_t n =
        decode(behind(text, "\"floats\":\""), (unsigned char *)floats, sizeof floats) / 4;
    assert_true(n <= most);
    for (size_t i = 0; i < n; i++) {
        v[i] = middle + (double)floats[i];
    }
    return n;
}

/* ---- tests
 * ------------------------------------------------------------------------------------------------
 */

/* All nodes at all times are in the page, at the places and with the temperatures of the
   results. */
static void test_numbers(void **state) {
    (void)state;
    static double reference[3 * NODES], u[3 * NODES * TIMES], T[NODES * TIMES],
        speed[NODES * TIMES], at[3 * NODES], heat[NODES], v[3 * NODES], time[TIMES];
    gos_ctx *ctx = gos_ctx_create();
    char *text = page(ctx, paths[0], NULL);
    const char *frames = behind(text, "\"frames\":{");
    double within, within_T, within_v;
    assert_int_equal(read_floats(behind(text, "\"reference\":"), reference, 3 * NODES), 3 * NODES);
    assert_int_equal(read_floats(behind(frames, "\"time\":"), time, TIMES), TIMES);
    assert_int_equal(read_parts(behind(frames, "\"displacement\":"), 3, u, GOS_COUNT(u), &within),
                     GOS_COUNT(u));
    assert_int_equal(read_parts(behind(frames, "\"temperature\":"), 1, T, GOS_COUNT(T), &within_T),
                     GOS_COUNT(T));
    assert_int_equal(
        read_parts(behind(frames, "\"name\":\"speed\""), 1, speed, GOS_COUNT(speed), &within_v),
        GOS_COUNT(speed));
    assert_true(within < 5.0 / 65534 &&
                within > 0); // half a part of the 5 m that it moves, and less
    gos_results *run;
    assert_int_equal(gos_results_open(ctx, paths[0], &run), GOS_OK);
    const gos_node_fields fields = {.position = at, .velocity = v, .temperature = heat};
    static const int instants[] = {3, TIMES - 1};
    for (int k = 0; k < 2; k++) {
        const int f = instants[k];
        assert_int_equal(gos_results_frame(run, f, &fields), GOS_OK);
        assert_true(fabs(time[f] - gos_results_frame_times(run)[f]) < 1e-7);
        for (int i = 0; i < 3 * NODES; i++) {
            // and 4-byte floats of the 12 m of the reference
            assert_true(fabs(reference[i] + u[3 * NODES * f + i] - at[i]) < within + 1e-6);
        }
        for (int i = 0; i < NODES; i++) {
            const double s = sqrt(v[3 * i] * v[3 * i] + v[3 * i + 1] * v[3 * i + 1] +
                                  v[3 * i + 2] * v[3 * i + 2]);
            assert_true(fabs(T[NODES * f + i] - heat[i]) < within_T * 1.0001);
            assert_true(fabs(speed[NODES * f + i] - s) < within_v * 1.0001);
        }
    }
    assert_true(strtod(behind(text, "\"reference_temperature\":"), NULL) == 280);
    gos_results_close(run);
    free(text);
    gos_ctx_destroy(ctx);
}

/* Of a run with more output times than a page holds: the largest error between two runs is what
   gos_compare says, and the time at which it is largest is among those that are shown. */
static void test_errors(void **state) {
    (void)state;
    static double error[NODES * 400];
    gos_ctx *ctx = gos_ctx_create();
    gos_results *a, *b;
    gos_comparison c;
    assert_int_equal(gos_results_open(ctx, paths[1], &a), GOS_OK);
    assert_int_equal(gos_results_open(ctx, paths[0], &b), GOS_OK);
    assert_int_equal(gos_compare(ctx, a, b, &c), GOS_OK);
    char *text = page(ctx, paths[1], paths[0]);
    static const char *const names[] = {"\"name\":\"error of position\"",
                                        "\"name\":\"error of temperature\""};
    const double worst[] = {c.position.worst, c.temperature.worst};
    // between the nine times of the other run its cubics err by v'' too: the worst is no round
    // number
    assert_true(worst[0] > 0.06 && worst[0] < 0.08);
    for (int i = 0; i < 2; i++) {
        const char *at = behind(text, names[i]);
        double within, most = 0;
        assert_true(strtod(behind(at, "\"least\":"), NULL) == 0);
        assert_true(strtod(behind(at, "\"largest\":"), NULL) == worst[i]);
        const size_t n = read_parts(at, 1, error, GOS_COUNT(error), &within);
        assert_int_equal(n % NODES, 0);
        assert_in_range(n / NODES, 300, 400);
        for (size_t k = 0; k < n; k++) {
            most = fmax(most, error[k]);
        }
        assert_true(fabs(most - worst[i]) <= 1e-9 * worst[i]); // the range ends there
    }
    gos_comparison_free(ctx, &c);
    gos_results_close(a);
    gos_results_close(b);
    free(text);
    gos_ctx_destroy(ctx);
}

static void refuse(const char *path, const char *against, gos_status expected, const char *words) {
    gos_ctx *ctx = gos_ctx_create();
    char line[512] = "";
    FILE *out = fopen("/dev/null", "w");
    assert_int_equal(gos_view_page(ctx, path, against, out), expected);
    (void)fclose(out);
    for (int i = 0; i < gos_ctx_ndiag(ctx) && !strstr(line, words); i++) {
        gos_ctx_format(ctx, i, line, sizeof line);
    }
    if (!strstr(line, words)) {
        fail_msg("'%s' is not said: %s", words, line);
    }
    gos_ctx_destroy(ctx);
}

static void test_refused(void **state) {
    (void)state;
    refuse("/nowhere.h5", NULL, GOS_E_FILE, "/nowhere.h5");
    refuse(paths[0], "/nowhere.h5", GOS_E_FILE, "/nowhere.h5");
    refuse(paths[2], NULL, GOS_E_USE, "no scene to show");
    refuse(paths[0], paths[3], GOS_E_USE, "meshes of the two runs differ");
    gos_ctx *ctx = gos_ctx_create();
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(gos_view_page(ctx, paths[0], NULL, full), GOS_E_FILE);
    (void)fclose(full);
    gos_ctx_destroy(ctx);
}

static void test_memory(void **state) {
    (void)state;
    bool reached = true;
    for (long n = 1; reached; n++) {
        faults f;
        gos_ctx *ctx = faults_context(&f);
        assert_non_null(ctx);
        faults_arm(&f, n, 0);
        FILE *out = fopen("/dev/null", "w");
        const gos_status status = gos_view_page(ctx, paths[0], paths[0], out);
        (void)fclose(out);
        reached = f.calls >= n;
        assert_true(reached ? status == GOS_E_MEMORY || status == GOS_E_FILE : status == GOS_OK);
        gos_ctx_destroy(ctx);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, make_results, remove_results);
}
SUITE_INTERNAL(suite)
