/* Thermal strain at rest (theory guide 2.3, 5.2): uniform temperatures leave no stress, uniform
   gradients bend a free cable to a circle, a held cable feels the force. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/turned.h"
#include "support/verify.h"

/* A cable of 1 m with a soft clamp (its stretch is free), and probes across its last element, where
   discretisation leaves a moment. The gradient is q/k, exact in one static solution. */
static const char cable[] =
    "parameters: {n: 8, d: 0.02, E: 1.0e8, alpha: 1.0e-4, k: 0.5, dT: 0, qy: 0, qz: 0, h: 1/n}\n"
    "materials: {m: {density: 1000, young: E, conductivity: k, specific_heat: 100,\n"
    "                expansion: alpha}}\n"
    "sections: {s: {type: rectangle, width: 1.5*d, height: d}}\n"
    "bodies: {rod: {type: ancf_cable, material: m, section: s, from: [0, 0, 0], to: [1, 0, 0],\n"
    "               elements: n}}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start], rigid: false}}\n"
    "heat:\n"
    "  mean: {type: temperature, on: rod.start, value: dT, gradients: free}\n"
    "  top: {type: flux, on: rod.top, value: qy}\n"
    "  bottom: {type: flux, on: rod.bottom, value: -qy}\n"
    "  right: {type: flux, on: rod.right, value: qz}\n"
    "  left: {type: flux, on: rod.left, value: -qz}\n"
    "probes:\n"
    "  tip: {at: rod.end, quantity: position}\n"
    "  T: {at: rod.at(1/3), quantity: temperature}\n"
    "  N: {at: rod.at(1/3), quantity: section_force}\n"
    "  strain: {at: rod.at(1/3), quantity: strain}\n"
    "  M0: {at: rod.at(1 - h), quantity: section_moment}\n"
    "  M1: {at: rod.at(1 - 0.75*h), quantity: section_moment}\n"
    "  M2: {at: rod.at(1 - 0.5*h), quantity: section_moment}\n"
    "  M3: {at: rod.at(1 - 0.25*h), quantity: section_moment}\n"
    "  M4: {at: rod.end, quantity: section_moment}\n"
    "analysis: {type: static}\n";

/* the other end clamped too */
#define WALL "joints.wall.type=clamp joints.wall.between=[rod.end,ground]"

static void solve(verify *v, const char *settings) {
    verify_text(v, cable, settings);
    verify_static(v);
}

static double value(const verify *v, const char *what) {
    return verify_value(v, NULL, what);
}

/* stretch lambda with (lambda^2 - 1)/2 = alpha dT, no force, no energy */
static void uniform_temperature(void **state) {
    GOS_UNUSED(state);
    static const double dT[] = {-200, 500};
    for (int i = 0; i < 2; i++) {
        verify v;
        char settings[100];
        snprintf(settings, sizeof settings, "dT=%g", dT[i]);
        solve(&v, settings);
        const double a = 1e-4 * dT[i], EA = 1e8 * 0.02 * 0.03;
        gos_energy e;
        gos_system_energy(v.sys, v.state, &e);
        verify_near("T", value(&v, "T.T"), dT[i], 1e-9);
        verify_near("length of the hot cable", value(&v, "tip.x"), sqrt(1 + 2 * a), 1e-12);
        verify_near("its strain", value(&v, "strain.axial"), a, 1e-12);
        verify_below("its force over E A alpha dT", value(&v, "N.N") / (EA * a), 1e-10);
        verify_below("its energy over E A (alpha dT)^2/2", e.strain / (0.5 * EA * a * a), 1e-10);
        verify_close(&v);
    }
}

/* held at both ends it is under the force -E A alpha dT, and its axis does not move */
static void restrained(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, cable, "dT=100 analysis.branch=any " WALL); // it would buckle
    verify_static(&v);
    verify_near("force of a hot restrained cable", value(&v, "N.N"), -1e8 * 0.02 * 0.03 * 1e-2,
                1e-9 * 6e2);
    verify_near("its end", value(&v, "tip.x"), 1, 1e-12);
    verify_close(&v);
}

typedef struct bend {
    double moment; // largest residual moment in the last element over E I alpha T_y
    double tip;    // error of the tip over the length
} bend;

/* T_y = T_z-less gradient q/k: circle of curvature -alpha T_y, turned by `angle` at the tip */
static bend bent(int n, double angle, bool across) {
    verify v;
    char settings[100];
    snprintf(settings, sizeof settings, "n=%d %s=%.17g*k/alpha", n, across ? "qz" : "qy", angle);
    solve(&v, settings);
    const double I = across ? 0.02 * pow(0.03, 3) / 12 : 0.03 * pow(0.02, 3) / 12;
    bend e = {0};
    for (int i = 0; i < 5; i++) {
        char name[3] = {'M', (char)('0' + i), '\0'};
        double M[GOS_PROBE_MAX];
        verify_probe(&v, NULL, name, M);
        e.moment = fmax(e.moment, fabs(M[across ? 1 : 0]) / (1e8 * I * fabs(angle)));
        assert_true(fabs(M[across ? 0 : 1]) < 1e-9 * 1e8 * I);
    }
    /* convex towards the hot side: away from it, -y (-z) */
    const double side = -(1 - cos(angle)) / angle;
    const double want[3] = {sin(angle) / angle, across ? 0 : side, across ? side : 0};
    double tip[GOS_PROBE_MAX];
    verify_probe(&v, NULL, "tip", tip);
    e.tip = verify_distance(tip, want);
    verify_close(&v);
    return e;
}

static void uniform_gradient(void **state) {
    GOS_UNUSED(state);
    for (int across = 0; across < 2; across++) {
        bend e[4];
        for (int i = 0; i < 4; i++) {
            e[i] = bent(8 << i, 1, across != 0);
            print_message("    %d elements: moment %.3e, tip %.3e\n", 8 << i, e[i].moment,
                          e[i].tip);
        }
        verify_within("order of the residual moment", verify_order(e[2].moment, e[3].moment, 2),
                      1.9, 2.1);
        verify_within("order of the tip", verify_order(e[2].tip, e[3].tip, 2), 3.8, 4.2);
    }
}

/* cold top: the other way */
static void gradient_sign(void **state) {
    GOS_UNUSED(state);
    verify v;
    solve(&v, "n=16 qy=-0.5*k/alpha");
    verify_near("T_y", value(&v, "T.T_y"), -0.5e4, 1e-6);
    verify_near("tip of a cable with a cold top", value(&v, "tip.y"), (1 - cos(0.5)) / 0.5, 1e-5);
    verify_near("curvature towards +y", value(&v, "strain.k2"), 0.5, 1e-3);
    verify_close(&v);
}

/* both ends clamped: straight, under the moment E I alpha T_y */
static void restrained_gradient(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(&v, cable, "qy=0.3*k/alpha " WALL);
    verify_static(&v);
    const double EI = 1e8 * 0.03 * pow(0.02, 3) / 12;
    verify_near("moment of a restrained cable", value(&v, "M2.M2") / EI, 0.3, 1e-9);
    verify_close(&v);
}

/* mean temperature and both gradients at once: curvature alpha sqrt(T_y^2 + T_z^2) per reference
   length on a cable longer by lambda; in the plane spanned by both while the section does not
   turn */
static void all_at_once(void **state) {
    GOS_UNUSED(state);
    verify v;
    solve(&v, "n=64 dT=300 qy=0.1*k/alpha qz=0.1*k/alpha");
    const double lambda = sqrt(1 + 2 * 0.03), angle = 0.1 * sqrt(2),
                 side = (cos(angle) - 1) / angle;
    double tip[GOS_PROBE_MAX];
    verify_probe(&v, NULL, "tip", tip);
    /* the section frame of a cable without twist turns about the tangent by the order of
       angle^2/2 */
    verify_near("tip x", tip[0], lambda * sin(angle) / angle, 1e-6);
    verify_near("tip across", sqrt(tip[1] * tip[1] + tip[2] * tip[2]), -lambda * side, 1e-6);
    verify_close(&v);
}

/* ---- no reference temperature -------------------------------------------------------------- */

/* one or two rods at a wall, side by side; the second may be tied to the first */
static const char rods[] =
    "parameters: {" TURNED_PARAMETERS ", n: 3, size: 1, P: 0}\n"
    "materials: {m: {density: 2700*rho, young: 7.0e10*Pa, conductivity: 150, specific_heat:\n"
    "                900*mm^2, expansion: 2.3e-5}}\n"
    "sections: {s: {type: rectangle, width: 0.02*mm, height: 0.01*mm}}\n"
    "bodies:\n"
    "  a: {type: ancf_beam, material: m, section: s, from: [0, 0, 0],\n"
    "      to: " TURNED("size*mm", "0", "0") ", elements: n, normal: " TURNED(
        "0", "0", "1") "}\n"
                       "joints: {root: {type: clamp, between: [ground, a.start]}}\n"
                       "heat: {lamp: {type: heat_flow, on: a.end, value: P*Nm}}\n"
                       "probes: {T: {at: a.end, quantity: temperature}}\n"
                       "analysis: {type: static}\n";

#define SECOND                                                                                     \
    "bodies.b.type=ancf_beam bodies.b.material=m bodies.b.section=s bodies.b.elements=n "          \
    "bodies.b.from=[ax*size*mm,ay*size*mm,az*size*mm] "                                            \
    "bodies.b.to=[ax*2*size*mm,ay*2*size*mm,az*2*size*mm] bodies.b.normal=[cx,cy,cz] "             \
    "joints.more.type=clamp joints.more.between=[a.end,b.start] "

/* settings of the position, a number of elements, and more */
static gos_status try_rods(verify *v, const turned *t, int n, const char *more) {
    char settings[1500], all[1000];
    snprintf(all, sizeof all, "n=%d %s", n, more);
    turned_settings(t, all, settings, sizeof settings);
    verify_text(v, rods, settings);
    return gos_solve_static(v->ctx, v->sys, &v->opt, v->state, &v->stats);
}

static void refused(const turned *t, int n, const char *more, const char *body) {
    verify v;
    char name[40];
    snprintf(name, sizeof name, "body '%s': conducts heat, but", body);
    assert_int_equal(try_rods(&v, t, n, more), GOS_E_SINGULAR);
    if (!strstr(gos_ctx_message(v.ctx), name)) {
        fail_msg("%d elements, %s: %s", n, more, gos_ctx_message(v.ctx));
    }
    assert_int_equal(v.stats.factorisations, 0);
    verify_close(&v);
}

static void accepted(const turned *t, int n, const char *more) {
    verify v;
    verify_good(&v, try_rods(&v, t, n, more));
    verify_close(&v);
}

/* nothing says how warm the model, or one of its parts, is: named as that with any number of
   elements, heated or not; each kind of reference, and a tie to a part that has one, is enough */
static void no_reference(void **state) {
    GOS_UNUSED(state);
    const turned way[] = {turned_by(0, 0, 0, false), turned_by(0.4, 1.1, -0.7, true)};
    for (int k = 0; k < GOS_COUNT(way); k++) {
        for (int n = 1; n <= 16; n += n < 4 ? 1 : 4) {
            refused(&way[k], n, "", "a");
            refused(&way[k], n, "P=5 size=2", "a");
            refused(&way[k], n, SECOND "heat.t.type=temperature heat.t.on=a heat.t.value=5", "b");
        }
        refused(&way[k], 3, SECOND "joints.more.temperature=true P=5", "a");
        accepted(&way[k], 3, "heat.t.type=temperature heat.t.on=a.start heat.t.value=5 P=5");
        accepted(&way[k], 3,
                 SECOND "joints.more.temperature=true heat.t.type=convection heat.t.on=b.end "
                        "heat.t.coefficient=10*Pa*mm P=1");
        accepted(&way[k], 3,
                 "heat.t.type=radiation heat.t.on=a heat.t.emissivity=0.01 heat.t.sink=200 P=0.1");
        accepted(&way[k], 3, "bodies.a.temperature=off heat={} probes={}");
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_temperature), cmocka_unit_test(restrained),
        cmocka_unit_test(uniform_gradient),    cmocka_unit_test(gradient_sign),
        cmocka_unit_test(restrained_gradient), cmocka_unit_test(all_at_once),
        cmocka_unit_test(no_reference),
    };
    return cmocka_run_group_tests_name("thermal statics", tests, NULL, NULL);
}
SUITE(suite)
