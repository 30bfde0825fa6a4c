/* Radiation between faces of bodies that see each other: gaps, a box in a box, plates along an edge
   in parts, balances, Newton's matrix, what is reported and refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/reduce.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

#define SIGMA 5.670374419e-8

#define HEAD                                                                                       \
    "parameters: {d: 1, T1: 100, T2: 0, h: 0.002, e1: 0.3, e2: 0.6, n: 1, s: 2.7}\n"               \
    "reference_temperature: 300\n"                                                                 \
    "materials: {m: {density: 2700, young: 1.0e9, conductivity: 150, specific_heat: 900, "         \
    "emissivity: 0.5}}\n"
#define PLATE(name, corner, x, y)                                                                  \
    "  " name ": {type: ancf_plate, material: m, thickness: h, corner: " corner ", x: " x          \
    ", y: " y ", elements: [4, 4]}\n"
#define HOLD(name) "  j" name ": {type: clamp, between: [ground, " name ".edge.x0], rigid: true}\n"
#define WARM "initial: {p: {temperature: T1}, q: {temperature: T2}}\n"

/* how many messages have this text */
static int told(const verify *v, const char *with) {
    int n = 0;
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        n += strstr(gos_ctx_diag(v->ctx, i)->text, with) != NULL;
    }
    return n;
}

/* heat into each body at the state [W]; scale 1 */
static void heat_into(const verify *v, double *q) {
    gos_work *w = NULL;
    double *all = calloc((size_t)v->sys->n + 1, sizeof *all);
    assert_non_null(all);
    verify_good(v, gos__work_create(v->ctx, v->sys, &w));
    const gos_point_of at = {.scale = 1, .q = v->state->q, .th = v->state->th};
    const gos_residual out = gos__residual_of(v->sys, all);
    verify_good(v, gos__residual(w, &at, &out, NULL));
    for (int i = 0; i < v->sys->nbody; i++) {
        const gos_body *b = v->sys->body[i];
        q[i] = 0;
        for (int k = b->t0; k < b->t0 + b->nt; k++) {
            q[i] -= v->sys->tmean[k] * out.th[k];
        }
    }
    gos__work_destroy(v->ctx, w);
    free(all);
}

static double fourth(double T) {
    return T * T * T * T;
}

/* Two plates of 1 m at a distance of 1 mm: as infinite ones, to the 0.2 % that leaves the gap; the
 * sink is as warm as the cold one. */
static void test_gap(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] =
        HEAD WARM "bodies:\n" PLATE("p", "[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0]")
            PLATE("q", "[0, 0, d]", "[1, 0, 0]", "[0, 1, 0]") "joints:\n" HOLD("p")
                HOLD("q") "heat: {g: {type: enclosure, faces: [p.top, q.bottom], emissivity: [e1, "
                          "e2], sink: "
                          "s}}\n";
    verify v;
    double q[2];
    verify_text(&v, text, "d=0.001 s=300");
    heat_into(&v, q);
    const double want = SIGMA * (fourth(400) - fourth(300)) / (1 / 0.3 + 1 / 0.6 - 1);
    verify_near("gap [W]", q[1], want, 5e-3 * want);
    verify_close(&v);
    // black ones 1 m apart, in cold space: each loses by what it sees
    verify_text(&v, text, "e1=1 e2=1 s=0");
    heat_into(&v, q);
    const double F = 0.1998249; // Howell, C-11
    verify_near("black: p [W]", q[0], SIGMA * (F * fourth(300) - fourth(400)), 3.0);
    verify_near("black: q [W]", q[1], SIGMA * (F * fourth(400) - fourth(300)), 3.0);
    verify_close(&v);
}

/* A rigid box of 1 m in one of six plates that look inwards: whatever goes from one goes to the
   other, nothing to the sink. With a black outer box exactly e A sigma dT^4, with a grey one less
   than that. */
#define ROOM                                                                                       \
    "bodies:\n"                                                                                    \
    "  c: {type: rigid, shape: {box: [1, 1, 1]}, mass: 100, inertia: [20, 20, 20], emissivity: "   \
    "0.5,\n"                                                                                       \
    "      heat_capacity: 1000}\n" PLATE("p", "[-1, -1, -1]", "[2, 0, 0]", "[0, 2, 0]")            \
        PLATE("q", "[-1, -1, 1]", "[0, 2, 0]", "[2, 0, 0]")                                        \
            PLATE("r", "[-1, -1, -1]", "[0, 2, 0]", "[0, 0, 2]") PLATE("t", "[1, -1, -1]",         \
                                                                       "[0, 0, 2]", "[0, 2, 0]")   \
                PLATE("u", "[-1, -1, -1]", "[0, 0, 2]", "[2, 0, 0]")                               \
                    PLATE("w", "[-1, 1, -1]", "[2, 0, 0]",                                         \
                          "[0, 0, 2]") "initial: {c: {temperature: T1}}\n"                         \
                                       "heat: {g: {type: enclosure, faces: [c, p.top, q.top, "     \
                                       "r.top, t.top, u.top, w.top],\n"                            \
                                       "  emissivity: [e1, e2, e2, e2, e2, e2, e2], sink: s}}\n"

static void test_box(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    double q[7], sum = 0;
    const double drive = SIGMA * (fourth(400) - fourth(300));
    verify_text(&v, HEAD ROOM, "e1=0.3 e2=1 s=0");
    heat_into(&v, q);
    verify_near("in a black box [W]", -q[0], 0.3 * 6 * drive, 1e-9 * drive);
    for (int i = 0; i < 7; i++) {
        sum += q[i];
        verify_near("a sixth each, of a black box", i ? q[i] : 0, i ? 0.3 * drive : 0,
                    0.01 * drive);
    }
    verify_near("sum [W]", sum, 0, 1e-9);
    verify_close(&v);
    verify_text(&v, HEAD ROOM, "e1=0.3 e2=0.6 s=0");
    heat_into(&v, q);
    // sides of one temperature are alike by symmetry, but not uniform within: two-surface formula
    const double want = 6 * drive / (1 / 0.3 + 0.25 * (1 / 0.6 - 1));
    verify_near("in a grey box [W]", -q[0], want, 1e-6 * want);
    verify_close(&v);
}

/* Plates along an edge, of black surfaces in cold space: sums over a face do not depend on the
 * parts; where heat arrives does. */
static void test_parts(void **unused) {
    GOS_UNUSED(unused);
    static const char text[] = HEAD WARM "bodies:\n" PLATE("p", "[0, 0, 0]", "[1, 0, 0]",
                                                           "[0, 1, 0]")
        PLATE("q", "[0, 0, 0]", "[0, 1, 0]", "[0, 0, 1]") "joints:\n" HOLD("p") HOLD(
            "q") "heat: {g: {type: enclosure, faces: [p.top, q.top], emissivity: 1, sink: 0, "
                 "patches: "
                 "n}}\n"
                 "probes: {near: {at: 'p.at(0.05, 0.5)', quantity: temperature},\n"
                 "  far: {at: 'p.at(0.95, 0.5)', quantity: temperature}}\nanalysis: {end: 20}\n";
    verify v;
    double q[2][2], near[2], far[2];
    for (int i = 0; i < 2; i++) {
        verify_text(&v, text, i ? "n=16" : "n=1");
        heat_into(&v, q[i]);
        const double want = SIGMA * (0.200044 * fourth(300) - fourth(400)); // Howell, C-14
        verify_near("p along an edge [W]", q[i][0], want, 0.6);             // 0.6 of 92 W
        verify_close(&v);
        verify_text(&v, text,
                    i ? "n=16 T1=0 T2=300 materials.m.conductivity=1e-3"
                      : "n=1 T1=0 T2=300 materials.m.conductivity=1e-3");
        verify_run(&v);
        near[i] = verify_value(&v, NULL, "near.T");
        far[i] = verify_value(&v, NULL, "far.T");
        verify_close(&v);
    }
    verify_near("in one part: as warm near the edge as far", near[0], far[0], 1e-6);
    verify_within("in 16: near over far [K]", near[1] - far[1], 3, 12);
    verify_near("heat, in parts or not [W]", q[1][0], q[0][0], 0.6);
}

/* a run: what one loses the other has, to rounding of the temperatures */
static void test_run(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, HEAD ROOM "analysis: {end: 2000, step: 20}\n", "s=0");
    double stored = 1000 * v.state->th[v.sys->body[0]->t0];
    verify_run(&v);
    for (int i = 0; i < v.sys->nbody; i++) {
        const gos_body *b = v.sys->body[i];
        double *c = calloc((size_t)v.sys->nt, sizeof *c);
        assert_non_null(c);
        gos__storage_apply(v.sys, v.state->th, c);
        for (int k = b->t0; k < b->t0 + b->nt; k++) {
            stored -= v.sys->tmean[k] * c[k];
        }
        free(c);
    }
    verify_below("box [K over the reference]", v.state->th[v.sys->body[0]->t0], 60);
    verify_near("heat lost [J of 1e5]", stored, 0, 1e-5);
    verify_close(&v);
}

static void test_newton(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v,
                HEAD "bodies:\n" PLATE("p", "[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0]")
                    PLATE("q", "[0, 0, 0]", "[0, 1, 0]",
                          "[0, 0, 1]") "heat: {g: {type: enclosure, faces: [p.top, q.top], "
                                       "patches: 3, sink: 200}}\n",
                NULL);
    check_newton_matrix(v.sys, "enclosure", 20, false);
    verify_close(&v);
}

/* ---- what is reported, what is refused
 * ----------------------------------------------------------- */

static void test_moved(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    const char *text =
        HEAD "bodies:\n"
             "  c: {type: rigid, shape: {box: [1, 1, 1]}, mass: 100, inertia: [20, 20, 20], "
             "emissivity: 0.5, heat_capacity: 1000, position: [0, 0, 1]}\n"
             "  d: {type: rigid, shape: {box: [1, 1, 1]}, mass: 100, inertia: [20, 20, 20], "
             "emissivity: 0.5, heat_capacity: 1000, position: [0, 0, -1]}\n"
             "initial: {c: {velocity: [0, w, 0]}, d: {velocity: [0, 0, 0]}}\n"
             "heat: {g: {type: enclosure, faces: [c, d]}}\nanalysis: {end: 1, step: 0.1}\n";
    char model[VERIFY_TEXT];
    for (int i = 0; i < 2; i++) {
        snprintf(model, sizeof model, "%s", text);
        memcpy(strstr(model, "w, 0]}, d"), i ? "1" : "0", 1);
        verify_text(&v, model, NULL);
        verify_run(&v);
        assert_int_equal(told(&v, "moved or bent"), i);
        verify_close(&v);
    }
}

static void refused(const char *heat, const char *message) {
    char text[VERIFY_TEXT];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    snprintf(text, sizeof text,
             HEAD "sections: {o: {type: rectangle, height: 0.1, width: 0.1}}\n"
                  "bodies:\n" PLATE("p", "[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0]")
                      PLATE("q", "[0, 0, 0]", "[0, 1, 0]",
                            "[0, 0, 1]") "  r: {type: ancf_cable, material: m, section: o, from: "
                                         "[0, 0, 0], to: [1, "
                                         "0, 0]}\n"
                                         "heat: {g: {type: enclosure, %s}}\n",
             heat);
    assert_int_equal(gos_model_parse(ctx, text, strlen(text), "test", NULL, &model), GOS_OK);
    assert_int_equal(gos_system_create(ctx, model, &sys), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(ctx), message)) {
        print_error("'%s' has no '%s'\n", gos_ctx_message(ctx), message);
        fail();
    }
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

static void test_refused(void **unused) {
    GOS_UNUSED(unused);
    refused("faces: [p, q.top]", "list one of its faces");
    refused("faces: [p.top, p.top]", "listed twice");
    refused("faces: [p.top, r.top]", "no drawn surface");
    refused("faces: [p.top, q.top], patches: 30", "more than 34");
    refused("faces: [p.top, q.top], emissivity: [0.1, 0.2, 0.3]", "one per face");
    refused("faces: [p.top, q.top], obstacles: r", "to block radiation");
    refused("faces: [p.top, q.top], obstacles: z", "there is no body 'z'");
    refused("faces: [p.top, q.top], emissivity: 0", "emissivity");
    verify v;
    gos_system *reduced = NULL;
    verify_text(&v,
                HEAD "bodies:\n" PLATE("p", "[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0]")
                    PLATE("q", "[0, 0, 0]", "[0, 1, 0]",
                          "[0, 0, 1]") "heat: {g: {type: enclosure, faces: [p.top, q.top]}}\n",
                NULL);
    assert_int_equal(gos_reduce(v.ctx, v.sys, &reduced), GOS_E_USE);
    assert_non_null(strstr(gos_ctx_message(v.ctx), "run the full model"));
    verify_close(&v);
    verify_text(&v,
                HEAD "bodies:\n" PLATE("p", "[0, 0, 0]", "[1, 0, 0]", "[0, 1, 0]") PLATE(
                    "q", "[0, 0, 0]", "[0, 1, 0]",
                    "[0, 0, 1]") "heat: {g: {type: enclosure, faces: [p.bottom, q.bottom]}}\n",
                NULL);
    assert_int_equal(told(&v, "no two faces see each other"), 1);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gap),     cmocka_unit_test(test_box),    cmocka_unit_test(test_parts),
        cmocka_unit_test(test_run),     cmocka_unit_test(test_newton), cmocka_unit_test(test_moved),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
