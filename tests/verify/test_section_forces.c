/* Axial forces in sections of thin cables and beams against equilibrium, everywhere along the body,
   with 16 elements: catenaries, a pendulum of wire, a spinning cable, a point load, warm cables;
   span over thickness up to 10^4. At a point of an element the stretch of an axis that is bent is a
   matter of its shape functions (membrane locking): 1,500 times the force in the first catenary
   here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

enum { PLACES = 41 };

/* what a model says beside its probes */
typedef struct line {
    const char *body; // `r`, and its material, section, joints, loads
    double length;    // of it
    bool dynamic;     // run to the end
} line;

/* a model with probes of the axial force at places along the body, solved */
static void open_line(verify *v, const line *l) {
    static char text[20000];
    int n = snprintf(text, sizeof text, "%sprobes:\n", l->body);
    for (int i = 0; i < PLACES; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  N%d: {at: r.at(%.17g), quantity: section_force}\n"
                      "  e%d: {at: r.at(%.17g), quantity: strain}\n",
                      i, l->length * i / (PLACES - 1), i, l->length * i / (PLACES - 1));
    }
    assert_true(n < (int)sizeof text);
    verify_text(v, text, NULL);
    if (l->dynamic) {
        verify_run(v);
    } else {
        verify_static(v);
    }
}

static double force_at(verify *v, int i) {
    char name[20];
    double y[GOS_PROBE_MAX];
    (void)snprintf(name, sizeof name, "N%d", i);
    verify_probe(v, NULL, name, y);
    return y[0];
}

static double strain_at(verify *v, int i) {
    char name[20];
    double y[GOS_PROBE_MAX];
    (void)snprintf(name, sizeof name, "e%d", i);
    verify_probe(v, NULL, name, y);
    return y[0];
}

/* ---- catenaries ------------------------------------------------------------------------------ */

/* horizontal force over weight per length of a catenary */
static double catenary(double span, double length) {
    double low = 0.01 * span, high = 100 * span;
    for (int k = 0; k < 200; k++) {
        const double a = 0.5 * (low + high);
        if (2 * a * sinh(span / 2 / a) > length) {
            low = a;
        } else {
            high = a;
        }
    }
    return low;
}

#define STEEL "materials: {w: {density: 159154.94309189534, young: 2e11}}\n"
#define WIRE(inertia)                                                                              \
    "sections: {s: {type: general, area: 3.1415926535897933e-06, Iy: " inertia ", Iz: " inertia    \
    "}}\n"
#define PINNED                                                                                     \
    "joints: {p: {type: spherical, between: [ground, r.start]}, q: {type: spherical, between: "    \
    "[ground, r.end]}}\nanalysis: {type: static}\n"
#define HANGS(type, more, to, length, gravity)                                                     \
    "bodies: {r: {type: " type ", material: w, section: s, from: [0, 0, 0], to: " to               \
    ", length: " length ", elements: 16" more "}}\ngravity: " gravity "\n"

static double worst_of_catenary(const char *body, double span, double length, double w) {
    verify v;
    const double a = catenary(span, length);
    double worst = 0;
    open_line(&v, &(line){.body = body, .length = length});
    for (int i = 0; i < PLACES; i++) {
        const double right = w * hypot(a, length * i / (PLACES - 1) - length / 2);
        worst = fmax(worst, fabs(force_at(&v, i) / right - 1));
    }
    verify_close(&v);
    return worst;
}

/* 4.905 N/m, 3 m of wire between points that are 2 m apart; 1e-6 N m^2 to 2e-6 N m^2. Also with
   gravity along another axis and the span turned with it, in mm, t and s, and of another length. */
static void test_catenaries(void **state) {
    (void)state;
    const double w = 4.905;
    verify_below("beam",
                 worst_of_catenary(STEEL WIRE("1e-17") HANGS("ancf_beam", "", "[2, 0, 0]", "3",
                                                             "[0, 0, -9.81]") PINNED,
                                   2, 3, w),
                 1e-2);
    verify_below("cable",
                 worst_of_catenary(STEEL WIRE("1e-17") HANGS("ancf_cable", "", "[2, 0, 0]", "3",
                                                             "[0, 0, -9.81]") PINNED,
                                   2, 3, w),
                 1e-3);
    verify_below("cable, turned",
                 worst_of_catenary(STEEL WIRE("1e-17") HANGS(
                                       "ancf_cable", ", normal: [0.8, -0.6, 0]",
                                       "[0.72, 0.96, 1.6]", "3", "[4.7088, 6.2784, -5.886]") PINNED,
                                   2, 3, w),
                 1e-3);
    verify_below("cable, frame carried along, another length",
                 worst_of_catenary(STEEL WIRE("1e-17") HANGS("ancf_cable", ", frame: transported",
                                                             "[2, 0, 0]", "2.2", "[0, 0, -9.81]")
                                       PINNED,
                                   2, 2.2, w),
                 1e-3);
    verify_below(
        "beam, mm, t, s",
        worst_of_catenary(
            "materials: {w: {density: 1.5915494309189534e-7, young: 2e5}}\n"
            "sections: {s: {type: general, area: 3.1415926535897933, Iy: 1e-5, Iz: 1e-5}}\n" HANGS(
                "ancf_beam", "", "[2000, 0, 0]", "3000", "[0, 0, -9810]") PINNED,
            2000, 3000, 4.905e-3),
        1e-2);
}

/* ---- against the reaction of a joint --------------------------------------------------------- */

/* A pendulum of wire, 1e-3 m in 10 m, that begins level: the joint's force is that of the end's
   section, which bears no shear; the other end is free. */
static void test_pendulum(void **state) {
    (void)state;
    static const char *const body[] = {"ancf_cable", "ancf_beam"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        verify v;
        double R[GOS_PROBE_MAX], N[GOS_PROBE_MAX];
        (void)snprintf(text, sizeof text,
                       "materials: {w: {density: 7800, young: 2e9, damping: {normal: 1e-3, shear: "
                       "1e-3}}}\n"
                       "sections: {s: {type: circle, diameter: 1e-3}}\n"
                       "bodies: {r: {type: %s, material: w, section: s, from: [0, 0, 0], to: [10, "
                       "0, 0], elements: 16, normal: [0, 1, 0]}}\n"
                       "joints: {p: {type: spherical, between: [ground, r.start]}}\n"
                       "gravity: [0, 0, -9.81]\nanalysis: {end: 0.6, tolerance: 1.0e-4}\n"
                       "probes: {R: {joint: p, quantity: joint_force}, N: {at: r.start, quantity: "
                       "section_force}, end: {at: r.end, quantity: section_force}}\n",
                       body[k]);
        verify_text(&v, text, NULL);
        verify_run(&v);
        verify_probe(&v, NULL, "R", R);
        verify_probe(&v, NULL, "N", N);
        verify_near_rel(body[k], N[0], hypot(R[0], R[2]), 1e-2);
        verify_probe(&v, NULL, "end", R);
        verify_below("free end", fabs(R[0]) / N[0], 1e-2);
        verify_close(&v);
    }
}

/* A cable that turns about its end at 20 rad/s: rho A w^2 (L^2 - x^2)/2. */
static void test_spinning(void **state) {
    (void)state;
    static const char *const body[] = {"ancf_cable", "ancf_beam"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        verify v;
        double worst = 0;
        (void)snprintf(text, sizeof text,
                       "materials: {w: {density: 7800, young: 2e11, damping: {normal: 1e-4, shear: "
                       "1e-4}}}\n"
                       "sections: {s: {type: circle, diameter: 1e-3}}\n"
                       "bodies: {r: {type: %s, material: w, section: s, from: [0, 0, 0], to: [2, "
                       "0, 0], elements: 16, normal: [0, 0, 1]}}\n"
                       "joints: {p: {type: spherical, between: [ground, r.start]}}\n"
                       "initial: {r: {angular_velocity: [0, 0, 20], about: [0, 0, 0]}}\n"
                       "analysis: {end: 0.05, tolerance: 1.0e-4}\n",
                       body[k]);
        open_line(&v, &(line){.body = text, .length = 2, .dynamic = true});
        const double m = 7800 * acos(-1.0) * 2.5e-7, most = m * 400 * 4 / 2;
        for (int i = 0; i < PLACES; i++) {
            const double x = 2.0 * i / (PLACES - 1), right = m * 400 * (4 - x * x) / 2;
            worst = fmax(worst, fabs(force_at(&v, i) - right) / most);
        }
        verify_below(body[k], worst, 1e-2);
        verify_close(&v);
    }
}

/* ---- terms of the balance -------------------------------------------------------------------- */

/* A hanging wire with a load at the node in its middle: the force jumps there, and is linear on
 * both sides. */
static void test_point_load(void **state) {
    (void)state;
    static const char *const body[] = {"ancf_cable", "ancf_beam"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        verify v;
        const double w = 7800 * acos(-1.0) * 2.5e-7 * 9.81;
        (void)snprintf(text, sizeof text,
                       "materials: {w: {density: 7800, young: 2e11}}\n"
                       "sections: {s: {type: circle, diameter: 1e-3}}\n"
                       "bodies: {r: {type: %s, material: w, section: s, from: [0, 0, 0], to: [0, "
                       "0, -2], elements: 16, normal: [0, 1, 0]}}\n"
                       "joints: {p: {type: clamp, between: [ground, r.start]}}\n"
                       "loads: {P: {type: force, on: r.at(1), value: [0, 0, -3]}}\n"
                       "gravity: [0, 0, -9.81]\nanalysis: {type: static}\n",
                       body[k]);
        open_line(&v, &(line){.body = text, .length = 2});
        for (int i = 0; i < PLACES; i++) {
            const double x = 2.0 * i / (PLACES - 1);
            if (i != PLACES / 2) {
                verify_near(body[k], force_at(&v, i), w * (2 - x) + (x < 1 ? 3 : 0), 1e-3);
            }
        }
        verify_close(&v);
    }
}

/* Cables of one to three elements that are held, warm and linearly warmer towards one side: -EA
 * alpha T; strain is what the stress makes. */
static void test_warm(void **state) {
    (void)state;
    for (int n = 1; n <= 3; n++) {
        char text[1000];
        verify v;
        const double EA = 2e11 * acos(-1.0) * 2.5e-5, T = 10;
        (void)snprintf(
            text, sizeof text,
            "materials: {w: {density: 7800, young: 2e11, conductivity: 40, "
            "specific_heat: 500, expansion: 1e-5}}\n"
            "sections: {s: {type: circle, diameter: 0.01}}\n"
            "bodies: {r: {type: ancf_cable, material: w, section: s, from: [0, 0, 0], "
            "to: [0.1, 0, 0], elements: %d}}\n"
            "joints: {p: {type: clamp, rigid: true, between: [ground, r.start]}, q: {type: "
            "clamp, rigid: true, between: [ground, r.end]}}\n"
            "heat: {h: {type: temperature, on: r, value: 10}}\n"
            "analysis: {type: static}\n",
            n);
        open_line(&v, &(line){.body = text, .length = 0.1});
        for (int i = 0; i < PLACES; i += 5) {
            verify_near_rel("force", force_at(&v, i), -EA * 1e-5 * T, 1e-9);
            verify_near("strain", strain_at(&v, i), 0, 1e-12);
        }
        verify_close(&v);
    }
}

/* ---- plates ---------------------------------------------------------------------------------- */

/* notes about membrane locking of a strip under a moment at its end (0: its weight along it) */
static int notes_of_strip(double moment, int elements) {
    char text[1000];
    int n = 0;
    verify v;
    (void)snprintf(
        text, sizeof text,
        "materials: {w: {density: 2700, young: 70e9, poisson: 0}}\n"
        "bodies: {r: {type: ancf_plate, material: w, thickness: 1e-4, corner: [0, 0, 0], "
        "x: [1, 0, 0], y: [0, 0.1, 0], elements: [%d, 1]}}\n"
        "joints: {p: {type: clamp, between: [ground, r.edge.x0]}}\n"
        "loads: {m: {type: edge_moment, on: r.edge.x1, moment: %g}}\ngravity: [%g, 0, 0]\n"
        "probes: {N: {at: \"r.at(0.53,0.05)\", quantity: section_force}}\n"
        "analysis: {type: static, load_steps: 10}\n",
        elements, moment, moment == 0 ? 9.81 : 0);
    verify_text(&v, text, NULL);
    verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, NULL, NULL, NULL));
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        n += strstr(gos_ctx_diag(v.ctx, i)->text, "membrane locking") != NULL;
    }
    verify_close(&v);
    return n;
}

/* Membrane forces of bent plates are not put right: a run says where more than 5 % of one are the
 * element's own. */
static void test_plates(void **state) {
    (void)state;
    const double bent = -1.5 * 70e9 * 1e-12 / 12;
    assert_int_equal(notes_of_strip(bent, 8), 1);
    assert_int_equal(notes_of_strip(2 * bent, 16), 1);
    assert_int_equal(notes_of_strip(0, 8), 0);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catenaries), cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_spinning),   cmocka_unit_test(test_point_load),
        cmocka_unit_test(test_warm),       cmocka_unit_test(test_plates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
