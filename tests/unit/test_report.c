/* The data of reports: thinned curves and meshes, packed numbers, escaped texts; failures at every
   allocation and on a full disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "pages/report.h"
#include "results/results.h"
#include "support/faults.h"
#include "support/suite.h"

/* ---- values ---------------------------------------------------------------------------------- */

/* What is written into a page, as text. */
static char written[4096];
static gos_page page_on(FILE **out) {
    memset(written, 0, sizeof written);
    *out = fmemopen(written, sizeof written, "w");
    assert_non_null(*out);
    return (gos_page){.out = *out};
}

static void test_texts(void **state) {
    (void)state;
    assert_int_equal(gos__utf8_length("a"), 1);
    assert_int_equal(gos__utf8_length("\xc3\xa4"), 2);
    assert_int_equal(gos__utf8_length("\xe2\x82\xac"), 3);
    assert_int_equal(gos__utf8_length("\xf0\x9f\x98\x80"), 4);
    static const char *const wrong[] = {
        "\x80",         "\xc3",        "\xc0\xaf",         "\xe0\x80\xaf",
        "\xed\xa0\x80", "\xe2\x82",    "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80", "\xff\xfe\xfd"};
    for (int i = 0; i < GOS_COUNT(wrong); i++) {
        assert_int_equal(gos__utf8_length(wrong[i]), 0);
    }
    FILE *out;
    gos_page p = page_on(&out);
    gos__page_open(&p, NULL, '{');
    gos__page_text(&p, "a\"", "</script>\n&\\\x01\xff\xc3\xa4");
    gos__page_text(&p, "b", NULL);
    gos__page_number(&p, "c", 0.1);
    gos__page_number(&p, "d", (double)INFINITY);
    gos__page_bool(&p, "e", true);
    gos__page_close(&p, '}');
    gos__xml_text(out, "<b a='\"'>\x01&\xff", ' ');
    (void)fclose(out);
    assert_string_equal(written,
                        "{\"a\\u0022\":\"\\u003c/script\\u003e\\u000a\\u0026\\u005c\\u0001\\ufffd"
                        "\xc3\xa4\",\"b\":null,\"c\":0.10000000000000001,\"d\":null,\"e\":true}"
                        "&lt;b a='&quot;'&gt; &amp; ");
}

static void test_arrays(void **state) {
    (void)state;
    const double v[] = {0, 9, 1, 9, (double)NAN, 9, 0.5, 9};
    const double high[] = {1e9, 1e9 + 1};
    const long keep[] = {0, 1};
    const int n[] = {1, 258};
    FILE *out;
    gos_page p = page_on(&out);
    gos__page_floats(&p, "f", v, 2, keep, 2);
    gos__page_floats(&p, "g", high, 1, NULL, 2);
    gos__page_floats(&p, "h", v, 1, NULL, 0);
    gos__page_ints(&p, "i", n, 2);
    (void)fclose(out);
    // 0 and 1 as they are, then -0.5 and 0.5 about their middle
    assert_string_equal(written, "\"f\":{\"middle\":0,\"floats\":\"AAAAAAAAgD8=\"},"
                                 "\"g\":{\"middle\":1000000000.5,\"floats\":\"AAAAvwAAAD8=\"},"
                                 "\"h\":{\"middle\":0,\"floats\":\"\"},\"i\":\"AQAAAAIBAAA=\"");
    p = page_on(&out);
    const double codes[] = {0, 1, (double)NAN};
    gos__page_parts(&p, "p", codes, 3, 1);
    (void)fclose(out);
    assert_string_equal(written, "\"p\":{\"range\":[0,1],\"parts\":\"AAD+////\"}");
}

/* ---- thinning -------------------------------------------------------------------------------- */

enum { MANY = 20000, LIMIT = 400 };

static void test_curve(void **state) {
    (void)state;
    static double t[MANY], v[2 * MANY];
    static long keep[LIMIT];
    for (int i = 0; i < MANY; i++) {
        t[i] = pow(i / (MANY - 1.0), 3); // steps of very different size
        v[2 * i + 1] = sin(40 * t[i]);
    }
    v[2 * 12345 + 1] = 7; // peaks of one step each
    v[2 * 777 + 1] = -8;
    const long n = gos__thin_curve(t, v + 1, MANY, 2, LIMIT, keep);
    assert_in_range(n, LIMIT / 2, LIMIT);
    assert_true(keep[0] == 0 && keep[n - 1] == MANY - 1);
    bool high = false, low = false;
    for (long i = 0; i < n; i++) {
        assert_true(i == 0 || keep[i] > keep[i - 1]);
        high = high || keep[i] == 12345;
        low = low || keep[i] == 777;
    }
    assert_true(high && low);
    // few values are all kept; what is not finite neither hides others nor is hidden
    assert_int_equal(gos__thin_curve(t, v, LIMIT, 1, LIMIT, keep), LIMIT);
    for (int i = 0; i < MANY; i++) {
        v[i] = i < MANY / 2 ? (double)NAN : 1;
        t[i] = 3; // and no time passes
    }
    v[MANY / 4] = 5;
    const long m = gos__thin_curve(t, v, MANY, 1, LIMIT, keep);
    assert_in_range(m, 3, LIMIT);
    for (long i = 0; i < m; i++) {
        high = high && keep[i] != MANY / 4;
    }
    assert_false(high);
    for (int i = 0; i < MANY; i++) {
        v[i] = (double)NAN;
        t[i] = i;
    }
    assert_in_range(gos__thin_curve(t, v, MANY, 1, LIMIT, keep), 3, LIMIT);
}

enum { CHAIN = 1000, SIDE = 60, NODES = CHAIN + SIDE * SIDE + 1 };

static int cell_offset[NODES + 1], cell_nodes[5 * NODES], cell_body[NODES];
static double places[3 * NODES];

/* A cable of CHAIN nodes, a plate of SIDE x SIDE, and a point without any cell. */
static gos_mesh_info make_mesh(void) {
    static const char *const bodies[] = {"cable", "plate", "point"};
    int n = 0, at = 0;
    for (int i = 0; i < CHAIN; i++) {
        places[3 * i] = i;
    }
    for (int i = 0; i + 1 < CHAIN; i++) {
        cell_nodes[at++] = i;
        cell_nodes[at++] = i + 1;
        cell_body[n] = 0;
        cell_offset[++n] = at;
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        places[3 * (CHAIN + i)] = i % SIDE;
        places[3 * (CHAIN + i) + 1] = i / SIDE;
    }
    for (int i = 0; i < SIDE * (SIDE - 1); i++) {
        if (i % SIDE == SIDE - 1) {
            continue;
        }
        const int corner = CHAIN + i,
                  quad[] = {corner, corner + 1, corner + SIDE + 1, corner + SIDE};
        memcpy(cell_nodes + at, quad, sizeof quad);
        at += 4;
        cell_body[n] = 1;
        cell_offset[++n] = at;
    }
    return (gos_mesh_info){.nnodes = NODES,
                           .ncells = n,
                           .nbodies = 3,
                           .cell_offset = cell_offset,
                           .cell_nodes = cell_nodes,
                           .cell_body = cell_body,
                           .body_names = bodies};
}

static void test_mesh(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    gos_arena *arena = gos__arena_create(ctx);
    const gos_mesh_info mesh = make_mesh();
    gos_thin_mesh all, thin;
    assert_int_equal(gos__thin_mesh(arena, &mesh, places, NODES, &all), GOS_OK);
    assert_int_equal(all.nnodes, NODES);
    assert_int_equal(all.ncells, mesh.ncells);
    assert_memory_equal(all.cell_nodes, mesh.cell_nodes,
                        (size_t)mesh.cell_offset[mesh.ncells] * sizeof(int));

    assert_int_equal(gos__thin_mesh(arena, &mesh, places, 300, &thin), GOS_OK);
    assert_in_range(thin.nnodes, 300, 650); // of both kinds about as many as wanted
    assert_true(thin.node[0] == 0 && thin.node[thin.nnodes - 1] == NODES - 1);
    int lines = 0, areas = 0, before = 0;
    for (int i = 0; i < thin.ncells; i++) {
        const int *node = thin.cell_nodes + thin.cell_offset[i];
        const int n = thin.cell_offset[i + 1] - thin.cell_offset[i];
        assert_true(node[0] >= 0 && node[0] < thin.nnodes);
        if (n == 2) {
            assert_int_equal(node[0], before); // one chain without a gap
            before = node[1];
            lines++;
        } else {
            assert_true(n == 3 || n == 4);
            assert_true(thin.node[node[0]] >= CHAIN && thin.cell_body[i] == 1);
            areas++;
        }
    }
    assert_int_equal(thin.node[before], CHAIN - 1);
    assert_in_range(lines, 150, 300);
    assert_in_range(areas, 100, 400);
    gos__arena_destroy(arena);
    gos_ctx_destroy(ctx);
}

/* ---- whole reports --------------------------------------------------------------------------- */

static const char *const xyz[] = {"x", "y", "z"};
static const gos_probe_info probes[] = {{"tip", "position", "m", 3, xyz, 0, true}};

/* Results of a plate and a cable, with a name that is out for trouble. */
static void write_results(gos_ctx *ctx, const char *path, double shift) {
    const gos_mesh_info mesh = make_mesh();
    const gos_writer_layout layout = {.name = "</script><b>",
                                      .text = "name: </script>\n",
                                      .options = "end: 1\n",
                                      .sizes = {.bodies = 3, .nodes = NODES, .extent = CHAIN},
                                      .probes = probes,
                                      .nprobes = 1,
                                      .mesh = mesh,
                                      .reference = places,
                                      .thermal = true};
    static double v[3 * NODES], heat[NODES];
    gos_writer *w;
    assert_int_equal(gos__writer_create(ctx, path, &layout, &w), GOS_OK);
    for (int k = 0; k <= 10; k++) {
        const double rates[3] = {0}, t = k / 10.0, row[3] = {shift, t, k == 5 ? (double)NAN : 0};
        const gos_frame frame = {.time = t,
                                 .position = places,
                                 .velocity = v,
                                 .temperature = heat,
                                 .temperature_rate = heat};
        assert_int_equal(gos__writer_row(w, t, row, rates), GOS_OK);
        assert_int_equal(gos__writer_frame(w, &frame), GOS_OK);
    }
    const gos_statistics stats = {.steps = 10, .time_total = 1};
    assert_int_equal(gos__writer_close(w, "complete", &stats), GOS_OK);
}

static const char *path_of(int i) {
    static char path[2][64];
    (void)snprintf(path[i], sizeof path[i], "/tmp/gossamer_test_%ld_report%d.h5", (long)getpid(),
                   i);
    return path[i];
}

static int make_results(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    write_results(ctx, path_of(0), 0);
    write_results(ctx, path_of(1), 1);
    gos_ctx_destroy(ctx);
    return 0;
}

static int remove_results(void **state) {
    (void)state;
    return unlink(path_of(0)) + unlink(path_of(1));
}

static void test_page(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    const gos_report_run runs[] = {{.path = path_of(0)}, {.path = path_of(1)}};
    const gos_report_content content = {.run = runs, .nruns = 2};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(gos_report(ctx, &content, out), GOS_OK);
    assert_int_equal(fclose(out), 0);
    assert_in_range(size, 50000, 3000000);
    // the name does not end the script, and the page ends where it should
    int ends = 0;
    for (const char *at = text; (at = strstr(at, "</script>")) != NULL; at++) {
        ends++;
    }
    assert_int_equal(ends, 2);
    assert_non_null(strstr(text, "<title>&lt;/script&gt;&lt;b&gt; - "));
    assert_non_null(strstr(text, "\"comparison\":{"));
    assert_non_null(strstr(text, "\"differences\":["));
    assert_non_null(strstr(text, "</html>"));
    free(text);

    const gos_report_content none = {.run = runs, .nruns = 0};
    assert_int_equal(gos_report(ctx, &none, stdout), GOS_E_USE);
    const gos_report_run missing = {.path = "/nowhere.h5"};
    const gos_report_content wrong = {.run = &missing, .nruns = 1};
    assert_int_equal(gos_report(ctx, &wrong, stdout), GOS_E_FILE);
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    assert_int_equal(gos_report(ctx, &content, full), GOS_E_FILE);
    (void)fclose(full);
    gos_ctx_destroy(ctx);
}

static void test_family(void **state) {
    (void)state;
    gos_ctx *ctx = gos_ctx_create();
    static const char *const names[] = {"n", "kind"}, *const first[] = {"1", "a"},
                             *const second[] = {"2", "<b>"};
    const gos_report_run runs[] = {{.value = first, .failure = "no \"luck\"", .wall = 1},
                                   {.path = path_of(1), .value = second, .wall = (double)NAN}};
    const gos_report_content content = {
        .run = runs, .nruns = 2, .parameter = names, .nparameters = 2, .title = "T"};
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(gos_report(ctx, &content, out), GOS_OK);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "\"parameters\":[\"n\",\"kind\"]"));
    assert_non_null(strstr(text, "\"failure\":\"no \\u0022luck\\u0022\""));
    assert_non_null(strstr(text, "\"values\":[\"2\",\"\\u003cb\\u003e\"]"));
    assert_null(strstr(text, "\"frames\":")); // shapes of many runs would be too much
    free(text);
    // a sweep of which nothing came is still a page
    const gos_report_content failed = {
        .run = runs, .nruns = 1, .parameter = names, .nparameters = 2};
    out = fopen("/dev/null", "w");
    assert_int_equal(gos_report(ctx, &failed, out), GOS_OK);
    (void)fclose(out);
    gos_ctx_destroy(ctx);
}

static void test_memory(void **state) {
    (void)state;
    const gos_report_run runs[] = {{.path = path_of(0)}, {.path = path_of(1)}};
    const gos_report_content content = {.run = runs, .nruns = 2};
    bool reached = true;
    for (long n = 1; reached; n++) {
        faults f;
        gos_ctx *ctx = faults_context(&f);
        assert_non_null(ctx);
        faults_arm(&f, n, 0);
        FILE *out = fopen("/dev/null", "w");
        const gos_status status = gos_report(ctx, &content, out);
        (void)fclose(out);
        reached = f.calls >= n;
        assert_true(reached ? status == GOS_E_MEMORY || status == GOS_E_FILE : status == GOS_OK);
        gos_ctx_destroy(ctx);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),  cmocka_unit_test(test_arrays), cmocka_unit_test(test_curve),
        cmocka_unit_test(test_mesh),   cmocka_unit_test(test_page),   cmocka_unit_test(test_family),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, make_results, remove_results);
}
SUITE_INTERNAL(suite)
