/* Flexible bodies that are written as standard input data and read again move as those they were
   made of: the same equations, so that what is left is what Newton's iteration leaves of either. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gossamer/io.h"
#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

#include "support/matrix_files.h"

static const char *file_of(const char *name) {
    static char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", matrix_folder, name);
    return path;
}

#define MATERIALS                                                                                  \
    "materials:\n"                                                                                 \
    "  alu: {density: 2767, young: 6.895e10, poisson: 0.3}\n"                                      \
    "sections:\n"                                                                                  \
    "  bar: {type: rectangle, height: 0.01, width: 0.025}\n"                                       \
    "meshes:\n"                                                                                    \
    "  block: {type: box, size: [1, 0.05, 0.02], cells: [6, 1, 1]}\n"                              \
    "  sheet: {type: rectangle, size: [0.8, 0.2], cells: [4, 2]}\n"

#define RUN                                                                                        \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "probes: {p: {at: b.%s, quantity: position}, q: {at: b.frame, quantity: position}}\n"          \
    "loads: {push: {type: force, on: b.%s, value: [0, '2*sin(9*t)', '3*t']}}\n"                    \
    "analysis: {type: dynamic, end: 0.5, step: 2.5e-4, newton_tolerance: 1.0e-6}\n"                \
    "%s"

/* the body, its node at which it is pushed and seen, and its number in the file; what it is joined
 * to */
typedef struct example {
    const char *body, *node, *rest;
    const char *start; // what both say of the start
    int number;
    bool reduced;
} example;

#define PLACED "position: [0.1, 0.2, 0.3], rotation_vector: [0.3, -0.5, 0.2], "
#define THROWN "velocity: [1, 0, 4], angular_velocity: [0.5, 2, 9]"
#define SLOW "velocity: [1, 0, 4], angular_velocity: [0.5, 0.8, 1.5]"

static void model_of(const example *e, bool read, char *text, size_t size) {
    char place[40], body[600];
    (void)snprintf(place, sizeof place, "node(%d)", e->number);
    (void)snprintf(body, sizeof body, "{%s, %s}", read ? "type: sid, file: b.SID_FEM" : e->body,
                   e->start);
    const char *at = read ? place : e->node;
    int n = snprintf(text, size, MATERIALS "%sbodies:\n  b: %s\n",
                     e->reduced && !read ? "floating_bodies: reduced\n" : "", body);
    (void)snprintf(text + n, size - (size_t)n, RUN, at, at, e->rest ? e->rest : "");
}

static void run(verify *v, double at[6]) {
    verify_run(v);
    for (int i = 0; i < 6; i++) {
        const char *const what[] = {"p.x", "p.y", "p.z", "q.x", "q.y", "q.z"};
        at[i] = verify_value(v, NULL, what[i]);
    }
}

/* of a run of half a second from a body to its copy [m]; *moved: how far its node went */
static double difference(const example *e, double *moved) {
    char text[3000];
    double want[6], got[6], off = 0;
    verify v;
    model_of(e, false, text, sizeof text);
    matrix_model(&v, text, NULL);
    verify_good(&v, gos_system_write_sid(v.ctx, v.sys, "b", 0, 0, NULL, file_of("b.SID_FEM")));
    double first[GOS_PROBE_MAX];
    verify_probe(&v, NULL, "p", first);
    run(&v, want);
    verify_close(&v);
    model_of(e, true, text, sizeof text);
    matrix_model(&v, text, NULL);
    if (gos_ctx_ndiag(v.ctx) > 0) {
        char message[400];
        gos_ctx_format(v.ctx, 0, message, sizeof message);
        fail_msg("%s", message);
    }
    run(&v, got);
    verify_close(&v);
    *moved = 0;
    for (int i = 0; i < 6; i++) {
        off = fmax(off, fabs(got[i] - want[i]));
        *moved += i < 3 ? fabs(want[i] - first[i]) : 0;
    }
    return off;
}

#define BEAM "from: [0, 0, 0], to: [1.8, 0, 0], elements: 4, "

static void test_motion(void **state) {
    (void)state;
    static const example list[] = {
        // whole, with damping
        {.body =
             "type: floating_beam, material: alu, section: bar, " BEAM "rayleigh: [0.1, 1.0e-4]",
         .node = "node(3)",
         .number = 4,
         .start = THROWN},
        // of order zero, and with rotary inertia
        {.body = "type: floating_beam, material: alu, section: bar, " BEAM
                 "coupling: zeroth, rotary_inertia: true, reference: chord",
         .node = "end",
         .number = 5,
         .start = SLOW},
        // mean axes and a rigid mass
        {.body = "type: floating_beam, material: alu, section: bar, " BEAM "reference: mean_axis, "
                 "masses: [{at: end, mass: 0.5, inertia: [1e-3, 2e-3, 3e-3]}]",
         .node = "end",
         .number = 5,
         .start = THROWN},
        // solid elements, reduced
        {.body = "type: floating, mesh: block, material: alu, element: solid, "
                 "reduce: {method: modes, order: 6, inputs: [node(28).z]}",
         .node = "node(28)",
         .number = 28,
         .start = PLACED THROWN,
         .reduced = true},
        // shells, stiffened by stress, reduced
        {.body = "type: floating, mesh: sheet, material: alu, element: shell, thickness: 2.0e-3, "
                 "coupling: first, reduce: {method: modes, order: 6, inputs: [node(5).z]}",
         .node = "node(5)",
         .number = 5,
         .start = PLACED THROWN,
         .reduced = true},
    };
    for (int i = 0; i < GOS_COUNT(list); i++) {
        char what[80];
        double moved;
        const double off = difference(&list[i], &moved);
        (void)snprintf(what, sizeof what, "body %d and its copy, over their way", i);
        verify_below(what, off / moved, 1e-8);
    }
}

/* the end of an arm on a hub that turns at 25 rad/s, against the hub, after 0.4 s */
static double deflection(const char *arm, bool write) {
    static const char hub[] = MATERIALS
        "bodies:\n"
        "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
        "  b: {%s}\n"
        "joints:\n"
        "  axle: {type: revolute, between: [ground, hub], axis: [0, 0, 1]}\n"
        "  root: {type: clamp, between: [hub, b.%s]}\n"
        "  drive: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1], angle: '25*t'}\n"
        "loads: {push: {type: force, on: b.end, value: [0, 1, 0], frame: hub}}\n"
        "probes: {p: {at: b.end, quantity: displacement, frame: hub}}\n"
        "initial: {all: {angular_velocity: [0, 0, 25], about: [0, 0, 0]}}\n"
        "analysis: {type: dynamic, end: 0.4, step: 2.5e-4, newton_tolerance: 1.0e-6}\n";
    char text[3000];
    verify v;
    (void)snprintf(text, sizeof text, hub, arm, strstr(arm, "sid") ? "root" : "start");
    matrix_model(&v, text, NULL);
    if (write) {
        verify_good(&v, gos_system_write_sid(v.ctx, v.sys, "b", 0, 0, NULL, file_of("b.SID_FEM")));
    }
    verify_run(&v);
    const double y = verify_value(&v, NULL, "p.y");
    verify_close(&v);
    return y;
}

/* Far above the first frequency of 15.6 rad/s: without what the file says of stress (m1 of phi, Ct
   and Oe) the arm would leave its place, as one of order zero does. */
static void test_hub(void **state) {
    (void)state;
    static const char beam[] = "type: floating_beam, material: alu, section: bar, " BEAM;
    static const char copy[] = "type: sid, file: b.SID_FEM, places: {end: 5, root: 1}";
    char zeroth[300];
    (void)snprintf(zeroth, sizeof zeroth, "%s coupling: zeroth", beam);
    const double far = deflection(zeroth, true), far_copy = deflection(copy, false);
    verify_below("copy of order zero, relative", fabs(far_copy / far - 1), 1e-7);
    const double y = deflection(beam, true), y_copy = deflection(copy, false);
    verify_below("arm on a fast hub and its copy [m]", fabs(y_copy - y), 1e-9);
    verify_below("its deflection [m]", fabs(y), 0.05);
    assert_true(fabs(far) > 1);
}

/* all of a file */
static char *bytes_of(const char *path, size_t *n) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = calloc(1 << 20, 1);
    *n = fread(text, 1, 1 << 20, f);
    assert_int_equal(fclose(f), 0);
    return text;
}

static void copy_masses(void) {
    size_t n;
    char *text = bytes_of(GOS_SOURCE_DIR "/tests/fuzz/corpus/sid/masses.SID_FEM", &n);
    matrix_text("b.SID_FEM", text);
    free(text);
}

/* Four masses of 1 kg in a file as others write them; the second one moves across the line of the
   first three on a spring of 100 N/m. The spring is stretched by y_2 - (y_1 + y_3) / 2: 150 1/s^2.
   Its mass counts: it falls. */
static void test_masses(void **state) {
    (void)state;
    static const char text[] = "bodies: {b: {type: sid, file: b.SID_FEM, position: [0, 0, 5]}}\n"
                               "gravity: [0, 0, -9.81]\n"
                               "probes: {p: {at: b.node(40), quantity: position}}\n"
                               "analysis: {type: dynamic, end: 0.5, step: 1.0e-2}\n";
    verify v;
    gos_linear *l;
    gos_mode mode[12];
    int found;
    copy_masses();
    matrix_model(&v, text, NULL);
    assert_int_equal(gos_ctx_ndiag(v.ctx), 0);
    verify_start(&v);
    verify_good(&v, gos_linearise_structure(v.ctx, v.sys, v.state, &l));
    verify_good(&v, gos_linear_modes(v.ctx, l, 12, false, mode, &found));
    assert_int_equal(found, 7);
    verify_near("frequency [rad/s]", mode[6].omega, sqrt(150), 1e-9);
    gos_linear_destroy(l);
    verify_close(&v);
    matrix_model(&v, text, NULL);
    verify_run(&v);
    verify_near("height [m]", verify_value(&v, NULL, "p.z"), 6 - 0.5 * 9.81 * 0.25, 1e-9);
    verify_close(&v);
}

/* A body that was read writes its file again to the last byte; with fewer modes or places, or more
   damping, it is made again, and its nodes keep their numbers. */
static void test_again(void **state) {
    (void)state;
    static const char *const more[] = {"", ", zeta: 0.01"};
    size_t n, m;
    verify v;
    char text[300];
    matrix_model(&v,
                 MATERIALS "bodies: {b: {type: floating_beam, material: alu, section: bar, " BEAM
                           "}}\nanalysis: {end: 1}\n",
                 NULL);
    const char *const places[] = {"end", "node(2)"};
    (void)remove(file_of("b.SID_FEM")); // by hand: it would be refused as a foreign file
    verify_good(&v, gos_system_write_sid(v.ctx, v.sys, NULL, 4, 2, places, file_of("b.SID_FEM")));
    verify_close(&v);
    char *first = bytes_of(file_of("b.SID_FEM"), &n);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(text, sizeof text,
                       "bodies: {b: {type: sid, file: b.SID_FEM%s}}\nanalysis: {end: 1}\n",
                       more[i]);
        matrix_model(&v, text, NULL);
        verify_good(&v, gos_system_write_sid(v.ctx, v.sys, "b", 0, 0, NULL, file_of("c.SID_FEM")));
        char *second = bytes_of(file_of("c.SID_FEM"), &m);
        assert_int_equal(n == m && memcmp(first, second, n) == 0, i == 0);
        free(second);
        verify_close(&v);
    }
    free(first);
    copy_masses();
    matrix_model(&v, "bodies: {b: {type: sid, file: b.SID_FEM}}\nanalysis: {end: 1}\n", NULL);
    verify_good(&v, gos_system_write_sid(v.ctx, v.sys, "b", 1, 0, NULL, file_of("c.SID_FEM")));
    verify_close(&v);
    char *renumbered = bytes_of(file_of("c.SID_FEM"), &m);
    assert_non_null(strstr(renumbered, "new node                        =       40"));
    free(renumbered);
}

static void expect_told(const char *text, const char *body, const char *message) {
    char said[600] = "";
    verify v;
    matrix_model(&v, text, NULL);
    gos_ctx_clear(v.ctx);
    (void)gos_system_write_sid(v.ctx, v.sys, body, 0, 0, NULL, file_of("c.SID_FEM"));
    gos_ctx_format(v.ctx, 0, said, sizeof said);
    if (!strstr(said, message)) {
        fail_msg("'%s' is not in '%s'", message, said);
    }
    verify_close(&v);
}

/* what files cannot hold is reported, and what has none is refused */
static void test_told(void **state) {
    (void)state;
    static const char warm[] =
        "materials: {m: {density: 2767, young: 6.9e10, poisson: 0.3, conductivity: 100, "
        "specific_heat: 900, expansion: 2.0e-5}}\n"
        "sections: {bar: {type: rectangle, height: 0.01, width: 0.025}}\n"
        "meshes: {block: {type: box, size: [1, 0.05, 0.02], cells: [2, 1, 1], order: quadratic}}\n"
        "bodies:\n"
        "  r: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
        "%s\n"
        "analysis: {end: 1}\n";
    static const struct {
        const char *bodies, *body, *message;
    } list[] = {
        {"  b: {type: floating_beam, material: m, section: bar, " BEAM "}", NULL,
         "body 'b': standard input data do not support temperatures"},
        {"  b: {type: floating, mesh: block, material: m, element: solid}", "b",
         "body 'b': standard input data do not support temperatures"},
        {"  b: {type: floating, mesh: block, material: m, element: solid, coupling: first, "
         "temperature: 'off'}\n"
         "probes: {p: {at: b.node(3), quantity: position}}",
         "b", "nodes are omitted"},
        {"  b: {type: floating, mesh: block, material: m, element: solid, coupling: first, "
         "temperature: 'off'}",
         "b", "nodes are omitted"},
        {"", NULL, "no body of the model has a floating frame"},
        {"", "r", "body 'r' has no floating frame"},
        {"", "q", "there is no body 'q'"},
        {"  b: {type: floating_beam, material: m, section: bar, " BEAM "}\n"
         "  c: {type: floating_beam, material: m, section: bar, " BEAM "}",
         NULL, "2 bodies of the model have floating frames; select one with --body"},
        {"  b: {type: floating_beam, material: m, section: bar, from: [0, 0, 0], to: [1, 0, 0], "
         "elements: 100, temperature: 'off'}",
         NULL, "600 modes exceed the limit of 500"},
    };
    for (int i = 0; i < GOS_COUNT(list); i++) {
        char text[1500];
        (void)snprintf(text, sizeof text, warm, list[i].bodies);
        expect_told(text, list[i].body, list[i].message);
    }
}

static int begin(void **state) {
    return matrix_folder_make(state);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motion), cmocka_unit_test(test_hub),  cmocka_unit_test(test_masses),
        cmocka_unit_test(test_again),  cmocka_unit_test(test_told),
    };
    return cmocka_run_group_tests(tests, begin, matrix_folder_remove);
}
SUITE(suite)
