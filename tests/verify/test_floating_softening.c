/* Floating bodies of meshes with `coupling: zeroth`: what their stress would do to their stiffness,
   which a run warns of. Strips that are heated between their ends, pushed columns, rotation, and
   bodies that expand freely. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <lapacke.h>

#include "solve/validity.h"
#include "support/suite.h"
#include "support/verify.h"

#define L 1.0
#define H 0.02
#define ALPHA 2e-5
#define YOUNG 7e10

typedef struct looked {
    double taken, added;
} looked;

/* At the state of the only body. */
static looked look(const verify *v) {
    const gos_body *b = v->sys->body[0];
    const size_t q = 3 * (size_t)b->v0;
    gos_softening *s = NULL;
    looked to;
    verify_good(v, gos__softening_create(v->ctx, v->sys, b, q, v->state, &s));
    gos__softening_check(s, v->state->q + q, v->state->th + b->t0, &to.taken, &to.added);
    gos__softening_destroy(s);
    return to;
}

/* At rest at a time, which loads and temperatures follow: one system has all of them. */
static looked look_static(verify *v, double t) {
    v->state->t = t;
    verify_static(v);
    return look(v);
}

/* Warnings of a run of the model that contain a text. */
static int warnings_of(const verify *v, const char *with) {
    int n = 0;
    verify_good(v, gos_run_into(v->ctx, v->sys, &v->opt, NULL, &(gos_sink){0}, NULL, NULL));
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const char *said = gos_ctx_diag(v->ctx, i)->text;
        if (strstr(said, "stiffness of one of its lowest modes")) {
            print_message("%s\n", said);
        }
        n += strstr(said, with) != NULL;
    }
    return n;
}

static int warnings(const char *text, const char *set, const char *with) {
    verify v;
    verify_text(&v, text, set);
    const int n = warnings_of(&v, with);
    verify_close(&v);
    return n;
}

/* Nothing is found in the state at rest, and no run warns. */
static void expect_nothing(const char *text, const char *set, double most) {
    verify v;
    verify_text(&v, text, set);
    assert_int_equal(warnings_of(&v, "stiffness"), 0);
    const looked to = look_static(&v, 0);
    verify_below("taken", to.taken, most);
    verify_below("added", to.added, most);
    verify_close(&v);
}

/* ---- heated strips --------------------------------------------------------------------------- */

#define ALLOY                                                                                      \
    "materials: {alloy: {density: 2700, young: 7e10, poisson: 0, expansion: 2e-5,\n"               \
    "  conductivity: 200, specific_heat: 900}}\n"

/* Ends that do not move: in the middle of their faces, or all of them. */
static const char model[] =
    "parameters: {T: 0}\n" ALLOY "meshes: {strip: %s}\n"
    "bodies: {strip: {type: floating, mesh: strip, material: alloy, element: %s,\n"
    "  thickness: %g, %s, reduce: %s}}\n"
    "joints:\n"
    "%s"
    "heat: {T: {type: temperature, value: T + t, on: strip.node(1)}}\n"
    "redundant: drop\n"
    "analysis: {type: static}\n"
    "floating_bodies: %s\n";
static const char chord[] = "reference: chord, at: left, chord_end: right";
static const char clamped[] = "reference: clamped, at: left";
static const char mean[] = "reference: mean_axis";
static const char frame[] = "  frame: {type: clamp, between: [ground, strip.frame]}\n";
static const char pin[] = "  frame: {type: clamp, between: [ground, strip.frame]}\n"
                          "  end: {type: spherical, between: [ground, strip.right]}\n";
static const char pins[] =
    "  begin: {type: revolute, between: [ground, strip.left], axis: [0, 0, 1]}\n"
    "  end: {type: revolute, between: [ground, strip.right], axis: [0, 0, 1]}\n";
static const char clamp[] = "  frame: {type: clamp, between: [ground, strip.frame]}\n"
                            "  end: {type: clamp, between: [ground, strip.right]}\n";
static const char clamps[] = "  begin: {type: clamp, between: [ground, strip.left]}\n"
                             "  end: {type: clamp, between: [ground, strip.right]}\n";
static const char nodes[] = "  frame: {type: clamp, between: [ground, strip.frame]}\n"
                            "  end_1: {type: clamp, between: [ground, strip.corner_2]}\n"
                            "  end_2: {type: clamp, between: [ground, strip.corner_3]}\n";

static const char sheet[] =
    "{type: rectangle, size: [1, 0.02], corner: [0, -0.01, 0], cells: [20, 2], "
    "order: quadratic}";
static const char bricks[] =
    "{type: box, size: [1, 0.02, 0.03], corner: [0, -0.01, -0.015], cells: [40, 1, 1]}";
static const char shells[] =
    "{type: rectangle, size: [1, 0.03], corner: [0, -0.015, 0], cells: [40, 1]}";
static const char responses[] = "{method: response_modes, order: 1, modes: 8}";
static const char choose[] = "{}"; // auto

static const struct strip {
    const char *mesh, *element;
    double thickness, times; // of the pinned one's temperature of buckling
    const char *reference, *reduce, *joints, *how;
    double within; // of the closed form: shear of some (pi H / L)^2, clamped four times, and modes
} strip[] = {
    {sheet, "plane_stress", 0.03, 1, chord, "{}", pin, "whole", 1e-3},
    {sheet, "plane_stress", 0.03, 1, chord, responses, pin, "reduced", 1e-3},
    {bricks, "solid_incompatible", 0, 1, chord, "{}", pin, "whole", 1e-3},
    {bricks, "solid_incompatible", 0, 1, chord, responses, pin, "reduced", 1e-3},
    {bricks, "solid_incompatible", 0, 1, mean, "{}", pins, "whole", 1e-3},
    {bricks, "solid_incompatible", 0, 1, mean, responses, pins, "reduced", 2e-2},
    {bricks, "solid_incompatible", 0, 4, clamped, "{}", clamp, "whole", 1e-2},
    {bricks, "solid_incompatible", 0, 4, clamped, responses, clamp, "reduced", 1e-2},
    {bricks, "solid_incompatible", 0, 4, clamped, choose, clamp, "reduced", 2e-2},
    {bricks, "solid_incompatible", 0, 4, mean, responses, clamps, "reduced", 2e-2},
    {shells, "shell", H, 1, chord, "{}", pin, "whole", 1e-3},
    {shells, "shell", H, 4, clamped, "{}", nodes, "whole", 1e-2},
};

/* The part of the stiffness that is taken is T over pi^2 I / (A alpha l^2), clamped four times
   that, and linear in T; cooled, a strip gains as much against the same mode. Free to expand it has
   no stress. */
static void strips(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(strip); i++) {
        const struct strip *s = &strip[i];
        if (!suite_long() && (i == 2 || i == 3 || i == 5 || i == 7)) {
            continue; // other cases have their element, frame and method
        }
        const double cr = s->times * M_PI * M_PI * H * H / (12 * ALPHA * L * L);
        char text[2000], set[40];
        verify v;
        snprintf(text, sizeof text, model, s->mesh, s->element, s->thickness, s->reference,
                 s->reduce, s->joints, s->how);
        print_message("%s, %s, %s, %s\n", s->element, s->reference, s->reduce, s->how);
        snprintf(set, sizeof set, "T=%.10g", -cr);
        verify_text(&v, text, set);
        const looked cold = look_static(&v, 0), warm = look_static(&v, 1.5 * cr);
        verify_close(&v);
        verify_near("taken, half of buckling", warm.taken, 0.5, 0.5 * s->within);
        verify_near("cold", cold.added, 1, s->within);
        verify_below("taken when cold", cold.taken, 1e-3);
    }
}

static void free_to_expand(void **state) {
    GOS_UNUSED(state);
    static const char *const how[] = {"whole", "reduced"};
    for (int i = 0; i < 4; i++) {
        char text[2000];
        snprintf(text, sizeof text, model, sheet, "plane_stress", 0.03, i < 2 ? chord : mean,
                 responses, frame, how[i % 2]);
        expect_nothing(text, "T=1000", 1e-9);
    }
}

/* A run says so from a tenth on, and more from 1 on. */
static void told(void **state) {
    GOS_UNUSED(state);
    static const double part[] = {0.095, 0.105, 0.98, 1.02};
    static const int taken[] = {0, 1, 1, 0}, beyond[] = {0, 0, 0, 1};
    for (int i = 0; i < 4; i++) {
        char text[2000], set[40];
        snprintf(text, sizeof text, model, sheet, "plane_stress", 0.03, chord, responses, pin,
                 "reduced");
        snprintf(set, sizeof set, "T=%.10g", part[i] * M_PI * M_PI * H * H / (12 * ALPHA * L * L));
        assert_int_equal(warnings(text, set, "`coupling: zeroth` neglects; later"), taken[i]);
        assert_int_equal(warnings(text, set, "the body has buckled"), beyond[i]);
    }
}

/* ---- loads ----------------------------------------------------------------------------------- */

static const char column[] =
    "parameters: {F: 0}\n" ALLOY
    "meshes: {bar: {type: box, size: [1, 0.02, 0.03], corner: [0, -0.01, -0.015],\n"
    "  cells: [20, 1, 1]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: alloy, element: solid_incompatible,\n"
    "  reference: clamped, at: left, temperature: \"off\", %s}}\n"
    "joints: {frame: {type: clamp, between: [ground, bar.frame]}}\n"
    "loads: {push: {type: force, on: bar.%s, value: ['F - t', 0, 0]}}\n"
    "analysis: {type: static}\n"
    "floating_bodies: %s\n";

#define STIFF (YOUNG * 0.03 * H * H * H / 12)

/* Pushed at its free end it buckles at pi^2 EI / (4 l^2); at the end of a rigid arm a beyond it
 * where k a tan(k l) = 1, F = EI k^2. */
static void columns(void **state) {
    GOS_UNUSED(state);
    static const char *const how[] = {"whole", "reduced"};
    double k = 1;
    for (int i = 0; i < 50; i++) { // k a tan k = 1, a = 0.5
        k = atan(2 / k);
    }
    for (int i = 0; i < 6; i++) {
        if (!suite_long() && (i == 1 || i == 2)) {
            continue; // the free end whole, the interface reduced, the arm both
        }
        char text[2000], set[40];
        verify v;
        const char *extra = i / 2 == 0   ? "reduce: {}"
                            : i / 2 == 1 ? "interfaces: {tip: {of: right}}"
                                         : "interfaces: {tip: {of: right, at: [1.5, 0, 0]}}";
        const double want = i / 2 < 2 ? M_PI * M_PI / 4 * STIFF : k * k * STIFF;
        snprintf(text, sizeof text, column, extra, i / 2 == 0 ? "right" : "tip", how[i % 2]);
        snprintf(set, sizeof set, "F=%.10g", 0.3 * want);
        verify_text(&v, text, set);
        const looked pulled = look_static(&v, 0), pushed = look_static(&v, 0.6 * want);
        verify_close(&v);
        // modes of a free end have no moment there, as the arm makes, and fewer converge from below
        const double within = 0.3 * (i / 2 == 2 ? 4e-2 : 1e-2);
        verify_near("part of the critical force", pushed.taken, 0.3, within);
        verify_near("pulled", pulled.added, 0.3, within);
    }
}

/* A square bar that turns, E I and rho A L^4 are 1: the tension (1 - x^2) / 2 of the rate 1 adds
   most to a combination of its bending, the largest of int (1 - x^2) / 2 w'^2 over int w''^2, here
   of polynomials x^2 ... x^7: int x^(i - 1) x^(j - 1) (1 - x^2) / 2 = 1 / ((i + j - 1) (i + j +
   1)). */
static double spun(void) {
    enum { N = 6 };
    double A[N * N], B[N * N], w[N];
    for (int k = 0; k < N * N; k++) {
        const int i = 2 + k / N, j = 2 + k % N;
        A[k] = (double)(i * j) / ((i + j - 1) * (i + j + 1));
        B[k] = (double)(i * (i - 1) * j * (j - 1)) / (i + j - 3);
    }
    assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', N, A, N, B, N, w), 0);
    return w[N - 1];
}

static const char blade[] =
    "parameters: {Omega: 0}\n"
    "materials: {unit: {density: 1e4, young: 1.2e9, poisson: 0}}\n"
    "meshes: {bar: {type: box, size: [1, 0.01, 0.01], corner: [0, -0.005, -0.005],\n"
    "  cells: [40, 1, 1]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: unit, element: solid_incompatible,\n"
    "  reference: clamped, at: left, angular_velocity: [0, 0, Omega],\n"
    "  reduce: {method: modes, order: 10, static: [centrifugal.zz]}}}\n"
    "joints:\n"
    "  drive: {type: driven_rotation, between: [ground, bar.frame], axis: [0, 0, 1],\n"
    "    angle: 'Omega*t'}\n"
    "  axle: {type: revolute, between: [ground, bar.frame], axis: [0, 0, 1]}\n"
    "floating_bodies: %s\n";

static void rotation(void **state) {
    GOS_UNUSED(state);
    static const char *const how[] = {"whole", "reduced"};
    for (int i = 0; i < 2; i++) {
        verify v;
        char text[2000];
        snprintf(text, sizeof text, blade, how[i]);
        verify_text(&v, text, "Omega=1");
        v.opt.analysis = GOS_STATIC;
        v.opt.end = 0;
        v.opt.spin_z = 1;
        verify_static(&v);
        const looked to = look(&v);
        verify_near("added", to.added, spun(), 2e-3 * spun());
        verify_below("taken", to.taken, 1e-6);
        verify_close(&v);
    }
}

/* ---- rigid motion on springs
 * -------------------------------------------------------------------------------------------- */

static const char pendulum[] = ALLOY
    "meshes: {bar: {type: box, size: [1, 0.02, 0.03],\n"
    "  corner: [0, -0.01, -0.015], cells: [16, 1, 1]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: alloy, element: solid_incompatible,\n"
    "  rotation_vector: [0, 0, %s], temperature: \"off\", %s, reduce: %s}}\n"
    "joints: {axle: {type: revolute, between: [ground, bar.%s], axis: %s}}\n"
    "loads:\n"
    "  spring: {type: torsion_spring, between: [ground, bar.%s], axis: %s, stiffness: 3}\n"
    "  pull: {type: force, on: bar.right, value: %s}\n"
    "analysis: {type: static}\n"
    "floating_bodies: %s\n";

/* A bar on a soft spring at its hinge, which is pulled outwards or pushed: in the lowest motion,
 * that of the spring, it does not bend (adds 0.55). Sideways it is clamped there: 20 N are 5.8e-3
 * and 2.6e-3 of the critical forces pi^2 EI / (4 l^2). */
static void on_spring(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *turn, *reference, *end, *axis, *pull, *push, *how;
    } c[] = {
        {"0", clamped, "frame", "[0, 0, 1]", "[20, 0, 0]", "[-2, 0, 0]", "reduced"},
        {"0", clamped, "frame", "[0, 0, 1]", "[20, 0, 0]", "[-2, 0, 0]", "whole"},
        {"0", mean, "left", "[0, 0, 1]", "[20, 0, 0]", "[-2, 0, 0]", "reduced"},
        {"0", chord, "left", "[0, 1, 0]", "[20, 0, 0]", "[-2, 0, 0]", "reduced"},
        {"pi/2", clamped, "frame", "[0, 0, 1]", "[0, 20, 0]", "[0, -2, 0]", "reduced"},
    };
    for (int i = 0; i < 2 * GOS_COUNT(c); i++) {
        const int j = i / 2;
        char text[2000];
        snprintf(text, sizeof text, pendulum, c[j].turn, c[j].reference, j < 2 ? "{}" : responses,
                 c[j].end, c[j].axis, c[j].end, c[j].axis, i % 2 ? c[j].push : c[j].pull, c[j].how);
        print_message("%s, %s, %s\n", c[j].reference, c[j].axis, c[j].how);
        expect_nothing(text, NULL, 6e-3);
    }
}

/* ---- rigid motion of a free hinge ------------------------------------------------------------ */

static const char swinging[] =
    "gravity: %s\n"
    "materials: {steel: {density: %s, young: %s, poisson: 0.3}}\n"
    "meshes: {bar: {type: box, size: [%s], cells: [20, 2, 2]}}\n"
    "bodies: {bar: {type: floating, mesh: bar, material: steel, rotation_vector: [0, 0, %s],\n"
    "  reference: %s, reduce: {method: modes, order: 16}}}\n"
    "joints: {axle: {type: revolute, between: [ground, bar.left], axis: %s}}\n"
    "analysis: {type: dynamic, end: 0.3, step: 5e-3}\n"
    "floating_bodies: %s\n";

/* A bar of steel swings on its hinge by its own weight, whose stress changes its stiffness by
 * 1e-4. Rotation about the hinge has no stiffness, and is not one of the motions of the body (it
 * was: adds 3700). */
static void free_hinge(void **state) {
    GOS_UNUSED(state);
    static const char metres[] = "1, 0.05, 0.05", millimetres[] = "1000, 50, 50";
    static const char *const c[][8] = {
        {"[0, -9.81, 0]", "7850", "2.1e11", metres, "0", "mean_axis", "[0, 0, 1]", "reduced"},
        {"[0, -9.81, 0]", "7850", "2.1e11", metres, "0", "mean_axis", "[0, 0, 1]", "whole"},
        {"[0, 0, -9.81]", "7850", "2.1e11", metres, "0", "mean_axis", "[0, 1, 0]", "reduced"},
        {"[9.81, 0, 0]", "7850", "2.1e11", metres, "pi/2", "mean_axis", "[0, 0, 1]", "reduced"},
        {"[0, -9810, 0]", "7850e-12", "2.1e5", millimetres, "0", "mean_axis", "[0, 0, 1]",
         "reduced"},
    };
    for (int i = 0; i < GOS_COUNT(c); i++) {
        char text[2000];
        snprintf(text, sizeof text, swinging, c[i][0], c[i][1], c[i][2], c[i][3], c[i][4], c[i][5],
                 c[i][6], c[i][7]);
        assert_int_equal(warnings(text, NULL, "stiffness"), 0);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips),    cmocka_unit_test(free_to_expand), cmocka_unit_test(told),
        cmocka_unit_test(columns),   cmocka_unit_test(rotation),       cmocka_unit_test(on_spring),
        cmocka_unit_test(free_hinge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
