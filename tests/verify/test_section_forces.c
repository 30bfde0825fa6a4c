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
#include "support/turn_model.h"
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

enum { STRIP_PLACES = 17 };

/* A strip of thickness t along x, 1/10 as wide, with probes of forces in its middle. */
static void open_strip(verify *v, double length, double t, bool quads, bool moved,
                       const char *rest) {
    static const double by[3] = {0.7, -1.1, 0.4};
    static char text[16000];
    const double w = 0.1 * length;
    int n = snprintf(text, sizeof text,
                     "materials: {w: {density: 2700, young: 70e9, poisson: 0}}\n"
                     "bodies: {r: {type: ancf_plate, material: w, thickness: %.17g, ",
                     t);
    if (quads) {
        n += snprintf(text + n, sizeof text - (size_t)n, "nodes: [");
        for (int i = 0; i < 34; i++) {
            n += snprintf(text + n, sizeof text - (size_t)n, "[%.17g, %.17g, 0]%s",
                          length * (i / 2) / 16, w * (i % 2), i < 33 ? ", " : "], quads: [");
        }
        for (int i = 0; i < 16; i++) {
            n += snprintf(text + n, sizeof text - (size_t)n, "[%d, %d, %d, %d]%s", 2 * i, 2 * i + 2,
                          2 * i + 3, 2 * i + 1, i < 15 ? ", " : "], ");
        }
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "edges: {x0: [0, 1], x1: [32, 33]}}}\nprobes:\n");
    } else {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "corner: [0, 0, 0], x: [%g, 0, 0], y: [0, %g, 0], elements: [16, "
                      "1]}}\nprobes:\n",
                      length, w);
    }
    for (int i = 0; i < STRIP_PLACES; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  N%d: {at: \"r.at(%.17g,%.17g)\", quantity: section_force}\n"
                      "  e%d: {at: \"r.at(%.17g,%.17g)\", quantity: strain}\n",
                      i, length * i / (STRIP_PLACES - 1), w / 2, i, length * i / (STRIP_PLACES - 1),
                      w / 2);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "%s", rest);
    assert_true(n < (int)sizeof text);
    *v = (verify){.ctx = gos_ctx_create()};
    verify_good(v, gos_model_parse(v->ctx, text, strlen(text), "test.yaml", NULL, &v->model));
    turn_model(v, moved ? by : (const double[3]){0, 0, 0}, moved ? 1e3 : 1, moved ? 1e-3 : 1);
    verify_compile(v);
    verify_static(v);
}

/* largest deviation of N_11 from a constant [N/m] */
static double worst_of_strip(verify *v, double right, bool moved) {
    double worst = 0;
    for (int i = 0; i < STRIP_PLACES; i++) {
        worst = fmax(worst, fabs(force_at(v, i) * (moved ? 1e3 : 1) - right));
    }
    return worst;
}

/* The force per width of a strip of unit width between clamps under q per area: the length of its
 * deflection, D w_xxxx - H w_xx = q, is its elongation H L/(E t). */
static double force_of_clamped(double length, double t, double q) {
    const double E = 70e9, c = length / 2, D = E * t * t * t / 12;
    double low = 1e-12 * E * t, high = E * t;
    for (int k = 0; k < 100; k++) {
        const double H = sqrt(low * high), a = sqrt(H / D);
        double sum = 0;
        for (int i = 0; i < 20000; i++) { // by the middle of intervals
            const double x = (i + 0.5) / 20000 * c;
            const double s =
                q / H * (x - c * exp(a * (x - c)) * -expm1(-2 * a * x) / -expm1(-2 * a * c));
            sum += s * s * c / 20000;
        }
        *(sum > H * length / (E * t) ? &low : &high) = H;
    }
    return low;
}

#define CLAMPED                                                                                    \
    "joints: {a: {type: clamp, between: [ground, r.edge.x0]}, b: {type: clamp, between: [ground, " \
    "r.edge.x1]}}\n"
#define BENT                                                                                       \
    "joints: {a: {type: clamp, between: [ground, r.edge.x0]}}\n"                                   \
    "loads: {m: {type: edge_moment, on: r.edge.x1, moment: %.17g}}\nanalysis: {type: static, "     \
    "load_steps: 10}\n"

/* Thin strips under their weight between clamps. The law's force is 6 % off at a clamp with t/L =
   1e-3, 35 % with 1e-4. */
static void test_clamped_strips(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double length, t, g;
        bool quads, moved;
    } of[] = {{"rectangles", 1, 1e-3, 9.81, false, false},
              {"quadrilaterals", 1, 1e-3, 9.81, true, false},
              {"turned, mm, t, s", 1, 1e-3, 9.81, false, true},
              {"another size", 0.4, 2e-4, 3, false, false}};
    for (int k = 0; k < GOS_COUNT(of); k++) {
        char rest[600];
        verify v;
        (void)snprintf(rest, sizeof rest,
                       CLAMPED "gravity: [0, 0, -%.17g]\nanalysis: {type: static}\n", of[k].g);
        open_strip(&v, of[k].length, of[k].t, of[k].quads, of[k].moved, rest);
        const double H = force_of_clamped(of[k].length, of[k].t, 2700 * of[k].t * of[k].g);
        verify_below(of[k].name, worst_of_strip(&v, H, of[k].moved) / H, 1e-2);
        verify_near_rel("strain", strain_at(&v, 3), H / (70e9 * of[k].t), 1e-2);
        verify_close(&v);
    }
}

/* A strip of t/L = 1e-4 that a moment bends by 1.5 rad has no membrane force: within 1e-3 M k,
   where the law's is 10^4 M k. */
static void test_bent_strips(void **state) {
    (void)state;
    static const bool kind[][2] = {{false, false}, {true, false}, {false, true}};
    for (int k = 0; k < GOS_COUNT(kind); k++) {
        char rest[600];
        verify v;
        const double EI = 70e9 * 1e-12 / 12;
        (void)snprintf(rest, sizeof rest, BENT, -1.5 * EI);
        open_strip(&v, 1, 1e-4, kind[k][0], kind[k][1], rest);
        verify_below("force over M k", worst_of_strip(&v, 0, kind[k][1]) / (1.5 * 1.5 * EI), 1e-3);
        verify_close(&v);
    }
}

/* In a flat strip that is pulled and sheared the law is kept, with the parabola of N_12. */
static void test_flat_strip(void **state) {
    (void)state;
    verify v;
    double y[GOS_PROBE_MAX];
    verify_text(&v,
                "materials: {w: {density: 2700, young: 70e9, poisson: 0}}\n"
                "bodies: {r: {type: ancf_plate, material: w, thickness: 1e-3, corner: [0, 0, 0], "
                "x: [1, 0, 0], y: [0, 0.1, 0], elements: [16, 1]}, h: {type: rigid, mass: 1e-3, "
                "inertia: [1e-6, 1e-6, 1e-6], position: [1, 0.05, 0]}}\n"
                "joints: {a: {type: clamp, between: [ground, r.edge.x0]}, b: {type: clamp, "
                "between: [h, r.edge.x1]}}\n"
                "loads: {f: {type: force, on: h, value: [1000, 1, 0]}}\n"
                "probes: {N: {at: \"r.at(0.53,0.05)\", quantity: section_force}}\n"
                "analysis: {type: static}\n",
                NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "N", y);
    verify_near_rel("N_11", y[0], 1e4, 1e-2);
    verify_near_rel("N_12", y[2], 15, 0.1);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_catenaries),  cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_spinning),    cmocka_unit_test(test_point_load),
        cmocka_unit_test(test_warm),        cmocka_unit_test(test_clamped_strips),
        cmocka_unit_test(test_bent_strips), cmocka_unit_test(test_flat_strip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
