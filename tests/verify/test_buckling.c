/* Load factors of linearised buckling: columns, frames, plates, strips that buckle sideways, heated
   bars, constant loads beside scaled ones; upright, and turned in mm, tonne, s. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/turn_model.h"
#include "support/verify.h"

#define MOST 6

static const double upright[3] = {0, 0, 0}, turned[3] = {0.7, -1.1, 0.4};

static void open_in(verify *v, const char *text, bool moved) {
    // temperatures have no unit of mass; turn_model leaves the thicknesses of plies
    const bool hot = strstr(text, "heat:") != NULL, plies = strstr(text, "plies") != NULL;
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test.yaml", NULL, &v->model));
    turn_model(v, moved ? turned : upright, moved && !plies ? 1e3 : 1,
               moved && !hot && !plies ? 1e-3 : 1);
    verify_compile(v);
}

/* scaled: NULL or one name; returns the number of factors */
static int factors_of(verify *v, const char *scaled, double time, int n, double factor[MOST],
                      gos_buckling_info *info) {
    gos_buckling_mode mode[MOST];
    int found;
    const gos_buckling_options o = {
        .scaled = scaled ? &scaled : NULL, .nscaled = scaled ? 1 : 0, .time = time};
    verify_good(v, gos_buckling(v->ctx, v->sys, &v->opt, &o, n, mode, NULL, &found, info));
    for (int i = 0; i < found; i++) {
        factor[i] = mode[i].factor;
    }
    return found;
}

/* the lowest factor of a text, upright and (ways: 2) turned in mm, against `want` */
static void check_ways(const char *what, const char *text, const char *scaled, double want,
                       double within, int ways) {
    for (int moved = 0; moved < ways; moved++) {
        verify v;
        double factor[MOST] = {0};
        gos_buckling_info info;
        open_in(&v, text, moved);
        assert_true(factors_of(&v, scaled, 0, 1, factor, &info) == 1);
        verify_near(what, factor[0] / want, 1, within);
        verify_close(&v);
    }
}

static void check_lowest(const char *what, const char *text, const char *scaled, double want,
                         double within) {
    check_ways(what, text, scaled, want, within, 2);
}

/* ---- columns --------------------------------------------------------------------------------- */

#define L 1.0
#define EI (2e11 * 0.02 * 1e-6 / 12) // weak axis of 20 mm by 10 mm
#define SECTION                                                                                    \
    "materials: {s: {density: 7800, young: 2e11, poisson: 0.3}}\n"                                 \
    "sections: {q: {type: rectangle, height: 0.01, width: 0.02}}\n"

typedef struct column {
    const char *name, *joints, *on;
    double load; // Euler's, over EI / L^2
} column;

static const column columns[] = {
    {"clamped, free", "  c: {type: clamp, between: [ground, r.start]}\n", "r.end",
     0.25 * M_PI *M_PI},
    {"pinned, pinned",
     "  c: {type: spherical, between: [ground, r.start]}\n"
     "  d: {type: point_on_line, between: [r.end, ground], direction: [1, 0, 0]}\n",
     "r.end", M_PI *M_PI},
    {"clamped, pinned",
     "  c: {type: clamp, between: [ground, r.start]}\n"
     "  d: {type: point_on_line, between: [r.end, ground], direction: [1, 0, 0]}\n",
     "r.end", 4.493409457909064 * 4.493409457909064},
    {"clamped, guided",
     "  c: {type: clamp, between: [ground, r.start]}\n"
     "  d: {type: clamp, between: [r.end, s]}\n"
     "  e: {type: prismatic, between: [ground, s], axis: [1, 0, 0]}\n",
     "s", 4 * M_PI *M_PI},
};

static void write_column(const column *c, const char *body, double P, const char *more, char *text,
                         size_t size) {
    const bool slides = strcmp(c->on, "s") == 0;
    (void)snprintf(text, size,
                   SECTION "bodies:\n%s%sjoints:\n%sloads:\n"
                           "  P: {type: force, 'on': %s, value: [-%.17g, 0, 0]}\n%s"
                           "analysis: {type: static}\n",
                   body,
                   slides ? "  s: {type: rigid, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: "
                            "[1, 0, 0]}\n"
                          : "",
                   c->joints, c->on, P, more);
}

#define LINE                                                                                       \
    ", material: s, section: q, from: [0, 0, 0], to: [1, 0, 0], normal: [0, 0, 1], elements: "     \
    "16}\n"

static void test_columns(void **state) {
    (void)state;
    // the beam's shear compliance reduces Euler's load P by P / (k G A) at most, 1.1e-3
    static const struct {
        const char *body;
        double within;
    } kind[] = {{"  r: {type: ancf_cable" LINE, 1e-4},
                {"  r: {type: ancf_beam" LINE, 1.2e-3},
                {"  r: {type: floating_beam, reference: clamped" LINE, 1e-4}};
    for (int k = 0; k < GOS_COUNT(kind); k++) {
        for (int i = 0; i < GOS_COUNT(columns); i++) {
            const bool spins = i == 1 && k > 0; // about its axis: a beam on ball joints
            char text[3000];
            column c = columns[i];
            c.joints = spins
                           ? "  c: {type: universal, between: [ground, r.start], axis: [0, 1, 0], "
                             "second_axis: [0, 0, 1]}\n"
                             "  d: {type: point_on_line, between: [r.end, ground], direction: "
                             "[1, 0, 0]}\n"
                           : c.joints;
            write_column(&c, kind[k].body, 2.5, "", text, sizeof text);
            check_lowest(c.name, text, NULL, c.load * EI / (L * L) / 2.5, kind[k].within);
        }
    }
}

/* The first three of the pinned column, squares of 1, 2, 3; about the strong axis 4 times. */
static void test_several(void **state) {
    (void)state;
    static const double want[] = {1, 4, 4, 9, 16, 16};
    char text[3000];
    double factor[MOST];
    gos_buckling_info info;
    verify v;
    write_column(&columns[1], "  r: {type: ancf_cable" LINE, 1, "", text, sizeof text);
    open_in(&v, text, false);
    assert_int_equal(factors_of(&v, NULL, 0, 6, factor, &info), 6);
    for (int i = 0; i < 6; i++) {
        verify_near("pinned column", factor[i] / (M_PI * M_PI * EI), want[i], 1e-3 * want[i]);
    }
    assert_string_equal(info.scaled, "P.x");
    assert_string_equal(info.constant, "");
    verify_close(&v);
}

/* A constant force Q beside the scaled one: Euler's load less Q. A weight across changes nothing at
   first order, whether constant or scaled. Loads at a time have its values. */
static void test_constant(void **state) {
    (void)state;
    char text[3000];
    const double euler = columns[0].load * EI;
    write_column(&columns[0], "  r: {type: ancf_cable" LINE, 1,
                 "  Q: {type: force, 'on': r.end, value: [-300, 0, 0]}\n", text, sizeof text);
    check_lowest("beside a constant force", text, "P", euler - 300, 2e-5);
    check_lowest("both scaled", text, NULL, euler / 301, 2e-5);
    write_column(&columns[0], "  r: {type: ancf_cable" LINE, 1,
                 "  Q: {type: force, 'on': r.end, value: [0, 0, 0.1]}\n", text, sizeof text);
    check_lowest("beside a constant force across", text, "P", euler, 1e-4);
    verify v;
    double factor[MOST];
    gos_buckling_info info;
    write_column(&columns[0], "  r: {type: ancf_cable" LINE, 1,
                 "  Q: {type: force, 'on': r.end, value: ['-2*t', 0, 0]}\n", text, sizeof text);
    open_in(&v, text, false);
    assert_int_equal(factors_of(&v, "Q", 3, 1, factor, &info), 1);
    verify_near("value at 3 s", factor[0] * 6 / (euler - 1), 1, 2e-5);
    assert_string_equal(info.constant, "P.x");
    verify_close(&v);
}

/* A column under its weight: 7.8373 EI / L^3 (Greenhill), by gravity alone. */
static void test_weight(void **state) {
    (void)state;
    static const char text[] =
        "gravity: [-9.81, 0, 0]\n" SECTION "bodies:\n  r: {type: ancf_cable" LINE
        "joints: {c: {type: clamp, between: [ground, r.start]}}\nanalysis: {type: static}\n";
    check_lowest("own weight", text, "gravity", 7.837347438943 * EI / (7800 * 2e-4 * 9.81), 1e-4);
}

/* Portal, clamped columns, both loaded: sways at k l cot(k l) = -6, k^2 = P / EI. */
static void test_frame(void **state) {
    (void)state;
#define LEG(name, a, b)                                                                            \
    "  " name ": {type: ancf_cable, material: s, section: q, from: [" a "], to: [" b "], normal: " \
    "[0, 0, 1], elements: 8}\n"
    static const char text[] =
        SECTION "bodies:\n" LEG("a", "0, 0, 0", "0, 1, 0") LEG("b", "0, 1, 0", "1, 1, 0")
            LEG("d", "1, 1, 0",
                "1, 0, 0") "  s: {type: rigid, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: "
                           "[0, 1, 0]}\n"
                           "  t: {type: rigid, mass: 0.1, inertia: [1e-4, 1e-4, 1e-4], position: "
                           "[1, 1, 0]}\n"
                           "joints:\n"
                           "  c: {type: clamp, between: [ground, a.start]}\n"
                           "  e: {type: clamp, between: [ground, d.end]}\n"
                           "  f: {type: clamp, between: [a.end, s]}\n  g: {type: clamp, between: "
                           "[b.start, s]}\n"
                           "  h: {type: clamp, between: [b.end, t]}\n  i: {type: clamp, between: "
                           "[d.start, t]}\n"
                           "  j: {type: planar, between: [ground, s], normal: [0, 0, 1]}\n"
                           "loads:\n"
                           "  P: {type: force, 'on': s, value: [0, -1, 0]}\n"
                           "  Q: {type: force, 'on': t, value: [0, -1, 0]}\n"
                           "analysis: {type: static}\n";
    double x = 2.7; // x cos(x) + 6 sin(x) = 0
    for (int i = 0; i < 20; i++) {
        x -= (x * cos(x) + 6 * sin(x)) / (7 * cos(x) - x * sin(x));
    }
    check_lowest("portal", text, NULL, x * x * EI, 2e-4);
}

/* Rigid bar on a torsion spring, and one that a spring at its top supports: k / l and c l. */
static void test_springs(void **state) {
    (void)state;
#define BAR                                                                                        \
    "bodies: {b: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0], points: "   \
    "{top: [0, 0, 2]}}}\n"                                                                         \
    "joints: {h: {type: revolute, between: [ground, b], axis: [0, 1, 0], at: [0, 0, 0]}}\n"
    static const char hinge[] =
        BAR "loads:\n"
            "  k: {type: torsion_spring, between: [ground, b], axis: [0, 1, 0], stiffness: 50}\n"
            "  P: {type: force, 'on': b.top, value: [0, 0, -1]}\nanalysis: {type: static}\n";
    check_lowest("bar on a torsion spring", hinge, "P", 25, 1e-6);
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* A heated bar between clamps, alpha T E A = 4 pi^2 E I / L^2; half of it constant. */
static void test_heated(void **state) {
    (void)state;
    static const char text[] =
        "materials: {s: {density: 7800, young: 2e11, poisson: 0.3, expansion: 1e-5, conductivity: "
        "50, specific_heat: 500}}\n"
        "sections: {q: {type: rectangle, height: 0.01, width: 0.02}}\n"
        "bodies:\n  r: {type: ancf_cable" LINE
        "joints: {c: {type: clamp, between: [ground, r.start]}, d: {type: clamp, between: [ground, "
        "r.end]}}\n"
        "heat: {T: {type: temperature, 'on': r, value: 2}}\n"
        "analysis: {type: static}\n";
    check_lowest("heated bar", text, NULL, 4 * M_PI * M_PI * 1e-4 / 12 / 1e-5 / 2, 1e-4);
}

/* n by n elements, simply supported, held along x */
static void write_plate(int n, char *text, size_t size) {
    size_t at = (size_t)snprintf(
        text, size,
        "materials: {m: {density: 2700, young: 7e10, poisson: 0.3, expansion: 2e-5, conductivity: "
        "200, specific_heat: 900}}\n"
        "bodies: {p: {type: ancf_plate, material: m, thickness: 0.002, corner: [0, 0, 0], x: [1, "
        "0, 0], y: [0, 1, 0], elements: [%d, %d]}}\n"
        "heat: {T: {type: temperature, 'on': p, value: 1}}\n"
        "analysis: {type: static}\njoints:\n"
        "  o: {type: point_on_plane, between: ['p.node(0,%d)', ground], normal: [0, 1, 0]}\n",
        n, n, n / 2);
    for (int i = 0; i < (n + 1) * (n + 1); i++) {
        const int x = i % (n + 1), y = i / (n + 1);
        const bool sides = x == 0 || x == n, ends = y == 0 || y == n;
        const char *normal[] = {sides || ends ? "0, 0, 1" : NULL, sides ? "1, 0, 0" : NULL};
        for (int c = 0; c < 2; c++) {
            at += normal[c] ? (size_t)snprintf(text + at, size - at,
                                               "  j%d_%d: {type: point_on_plane, between: "
                                               "['p.node(%d,%d)', ground], normal: [%s]}\n",
                                               i, c, x, y, normal[c])
                            : 0;
        }
    }
}

/* Heated square plate, simply supported, held along one direction: E h alpha T = 4 pi^2 D / b^2;
   second order, by extrapolation of 4 and 8 elements. */
static void test_plate(void **state) {
    (void)state;
    double got[2];
    for (int fine = 0; fine < 2; fine++) {
        char text[12000];
        verify v;
        double factor[MOST] = {0};
        gos_buckling_info info;
        write_plate(fine ? 8 : 4, text, sizeof text);
        open_in(&v, text, fine);
        assert_int_equal(factors_of(&v, NULL, 0, 1, factor, &info), 1);
        got[fine] = factor[0] / (M_PI * M_PI * 4e-6 / (3 * (1 - 0.09) * 2e-5));
        verify_close(&v);
    }
    verify_near("heated plate, error ratio", (got[0] - 1) / (got[1] - 1), 4, 1);
    verify_near("heated plate", (4 * got[1] - got[0]) / 3, 1, 1e-3);
}

/* ---- further bodies -------------------------------------------------------------------------- */

/* Euler's load of a column clamped at one end, 1 m, EI: cables with a round section, with
   transported frames; a plate and a laminate, 0.2 by 0.01 m, without Poisson's ratio; solids. */
static void test_bodies(void **state) {
    (void)state;
#define MATERIAL "materials:\n  s: {density: 7800, young: 2e11, poisson: 0}\n"
#define CLAMPED(edge) "joints: {c: {type: clamp, between: [ground, " edge "]}}\n"
#define STRIP(material, more)                                                                      \
    "bodies: {r: {type: ancf_plate, material: " material more                                      \
    ", corner: [0, 0, 0], x: [1, 0, 0], "                                                          \
    "y: [0, 0.2, 0], elements: [8, 1]}}\n" CLAMPED(                                                \
        "r.edge.x0") "loads: {P: {type: force, 'on': 'r.node(8,0)', value: [-1, 0, 0]}, Q: "       \
                     "{type: force, 'on': "                                                        \
                     "'r.node(8,1)', value: [-1, 0, 0]}}\n"
#define END "loads: {P: {type: force, 'on': r.end, value: [-2, 0, 0]}}\n"
#define ROUND(more)                                                                                \
    MATERIAL "sections: {q: {type: circle, diameter: 0.02}}\nbodies: {r: {type: ancf_cable, "      \
             "material: s, section: q, from: [0, 0, 0], to: [1, 0, 0], elements: 8" more           \
             "}}\n" CLAMPED("r.start") END
    static const struct {
        const char *name, *text;
        double inertia, within;
    } list[] = {
        {"round cable", ROUND(""), M_PI * 1.6e-7 / 64, 1e-4},
        {"transported cable", ROUND(", normal: [0, 0, 1], frame: transported"), M_PI * 1.6e-7 / 64,
         1e-4},
        {"plate", MATERIAL STRIP("s", ", thickness: 0.01"), 0.2e-6 / 12, 1e-4},
        {"laminate",
         MATERIAL "  l: {type: laminate, material: s, plies: [{thickness: 0.004}, {thickness: "
                  "0.006}]}\n" STRIP("l", ""),
         0.2e-6 / 12, 1e-4},
        {"solid",
         MATERIAL "meshes: {m: {type: box, size: [1, 0.02, 0.01], cells: [14, 1, 1], order: "
                  "quadratic}}\n"
                  "bodies: {r: {type: solid, material: s, mesh: m}}\n" CLAMPED(
                      "r.left") "loads: {P: {type: force, 'on': r.right, value: [-2, 0, 0]}}\n",
         0.02e-6 / 12, 1e-3},
        {"floating solid",
         MATERIAL "meshes: {m: {type: box, size: [1, 0.02, 0.01], cells: [14, 1, 1], order: "
                  "quadratic}}\n"
                  "bodies: {r: {type: floating, material: s, mesh: m, coupling: first, reference: "
                  "clamped, at: left}}\n" CLAMPED(
                      "r.frame") "loads: {P: {type: force, 'on': r.right, value: [-2, 0, 0]}}\n",
         0.02e-6 / 12, 1e-3},
    };
    for (int i = 0; i < GOS_COUNT(list); i++) {
        char text[3000];
        (void)snprintf(text, sizeof text, "%sanalysis: {type: static}\n", list[i].text);
        const double want = 0.25 * M_PI * M_PI * 2e11 * list[i].inertia / 2;
        const bool meshed = strstr(text, "meshes") != NULL; // not turned by turn_model
        check_ways(list[i].name, text, NULL, want, list[i].within, meshed ? 1 : 2);
    }
}

/* ---- sideways -------------------------------------------------------------------------------- */

/* A strip clamped at one end, force at the other: 4.0126 sqrt(EI GJ) / L^2 (Timoshenko); the
   bending before, neglected here, would change it by 1/450. */
static void test_sideways(void **state) {
    (void)state;
    static const char *const body[] = {"ancf_beam", "floating_beam, reference: clamped"};
    for (int i = 0; i < 2; i++) {
        char text[1500];
        (void)snprintf(text, sizeof text,
                       "materials: {s: {density: 2700, young: 7e10, poisson: 0.3}}\n"
                       "sections: {q: {type: general, area: 2.4e-4, Iy: 3.2e-10, Iz: 7.2e-8, J: "
                       "1.2263e-9}}\n"
                       "bodies:\n  r: {type: %s" LINE
                       "joints: {c: {type: clamp, between: [ground, r.start]}}\n"
                       "loads: {P: {type: force, 'on': r.end, value: [0, -1, 0]}}\n"
                       "analysis: {type: static}\n",
                       body[i]);
        check_lowest("strip", text, NULL,
                     4.012599344 * sqrt(7e10 * 3.2e-10 * 7e10 / 2.6 * 1.2263e-9),
                     i ? 1.1e-3 : 1e-4);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refuse(const char *text, const char *scaled, const char *message) {
    verify v;
    gos_buckling_mode mode[2];
    gos_buckling_info info;
    int found;
    const gos_buckling_options o = {.scaled = scaled ? &scaled : NULL, .nscaled = scaled ? 1 : 0};
    open_in(&v, text, false);
    assert_true(gos_buckling(v.ctx, v.sys, &v.opt, &o, 2, mode, NULL, &found, &info) != GOS_OK);
    print_message("%s\n", gos_ctx_message(v.ctx));
    assert_non_null(strstr(gos_ctx_message(v.ctx), message));
    verify_close(&v);
}

static void test_refused(void **state) {
    (void)state;
    static const char cable[] = "  r: {type: ancf_cable" LINE;
    char text[3000];
    write_column(&columns[0], cable, 1, "", text, sizeof text);
    refuse(text, "Q", "no load, joint or heat entry 'Q'");
    write_column(&columns[0], cable, 0, "", text, sizeof text);
    refuse(text, NULL, "are zero at t = 0 s");
    write_column(&columns[0], cable, 1, "  Q: {type: force, 'on': r.end, value: [-9000, 0, 0]}\n",
                 text, sizeof text);
    refuse(text, "P", "unstable already");
    write_column(&columns[0], cable, 1,
                 "  Q: {type: force, 'on': r.end, frame: body, value: [-1, 0, 0]}\n", text,
                 sizeof text);
    refuse(text, "Q", "no potential");
    column loose = columns[1];
    loose.joints = "  c: {type: spherical, between: [ground, r.start]}\n";
    write_column(&loose, cable, 1, "", text, sizeof text);
    refuse(text, NULL, "free to move");
    // pulled: no positive factor
    verify v;
    double factor[MOST];
    gos_buckling_info info;
    write_column(&columns[0], cable, -1, "", text, sizeof text);
    open_in(&v, text, false);
    assert_int_equal(factors_of(&v, NULL, 0, 3, factor, &info), 0);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),  cmocka_unit_test(test_several),
        cmocka_unit_test(test_constant), cmocka_unit_test(test_weight),
        cmocka_unit_test(test_frame),    cmocka_unit_test(test_springs),
        cmocka_unit_test(test_heated),   cmocka_unit_test(test_plate),
        cmocka_unit_test(test_sideways), cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
