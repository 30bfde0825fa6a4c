/* Pressure of sunlight: force and torque of plates, boxes, tubes and spheres against closed forms
   and sums over facets, each kind of body; momentum over time, eclipses, the distance of the Sun;
   Newton matrices, inputs, reduced models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "linear/linear.h"
#include "math/orbit.h"
#include "math/vec3.h"
#include "support/newton_matrix.h"
#include "support/reduced.h"
#include "support/suite.h"

#define C_0 299792458.0
#define P0 (1361 / C_0) // [Pa]

/* ---- what light does at t = 0 ---------------------------------------------------------------- */

static const char head[] =
    "parameters: {f: 1361}\n"
    "materials: {m: {density: 1000, young: 1.0e7, poisson: 0.3, absorptivity: 0.6}}\n"
    "sections: {r: {type: rectangle, height: 0.2, width: 0.1},\n"
    "           o: {type: circle, diameter: 0.3}}\n"
    "meshes: {cube: {type: box, size: [0.4, 0.6, 0.8], corner: [-0.2, -0.3, -0.4], cells: [2, 1, "
    "2]},\n"
    "         sheet: {type: rectangle, size: [2, 0.5], corner: [-1, -0.25, 0], cells: [3, 2]},\n"
    "         mast: {type: frame, points: [[-1, 0, 0], [1, 0, 0]], cells: 3}}\n";

/* generalised forces: the residual without light less that with it */
static void light_of(const verify *v, double *Q) {
    gos_work *w = NULL;
    double *all = calloc((size_t)v->sys->n + 1, sizeof *all);
    assert_non_null(all);
    verify_good(v, gos__work_create(v->ctx, v->sys, &w));
    const gos_point_of at = {.scale = 1, .q = v->state->q, .th = v->state->th};
    const gos_residual out = gos__residual_of(v->sys, all);
    verify_good(v, gos__residual(w, &at, &out, NULL));
    for (int i = 0; i < v->sys->nq; i++) {
        Q[i] -= out.q[i];
    }
    gos__work_destroy(v->ctx, w);
    free(all);
}

enum { MOST = 3000 };

/* Force and torque about the origin: work in a rigid translation and rotation of all
   coordinates. */
static void wrench(const char *body, const char *load, double F[3], double T[3]) {
    static double Q[MOST];
    char text[VERIFY_TEXT];
    memset(Q, 0, sizeof Q);
    memset(F, 0, 3 * sizeof *F);
    memset(T, 0, 3 * sizeof *T);
    snprintf(text, sizeof text,
             "%sbodies: {x: {%s}}\nloads: {l: {type: solar_pressure, flux: f, %s}}\n", head, body,
             load);
    for (int dark = 0; dark < 2; dark++) {
        verify v;
        verify_text(&v, text, dark ? "f=0" : NULL);
        assert_true(v.sys->nq <= MOST);
        if (dark) {
            for (int i = 0; i < v.sys->nq; i++) {
                Q[i] = -Q[i];
            }
        }
        light_of(&v, Q);
        for (int j = 0; dark && j < v.sys->nq / 3; j++) {
            double t[3];
            gos__cross3(v.sys->e0 + 3 * j, Q + 3 * j, t);
            for (int k = 0; k < 3; k++) { // Q is the residual in the light less that in the dark
                F[k] -= v.sys->trans[j] * Q[3 * j + k];
                T[k] -= t[k];
            }
        }
        verify_close(&v);
    }
}

/* ---- an independent sum over facets ---------------------------------------------------------- */

typedef struct optics {
    double s, d, r; // specular, diffuse, absorbed and sent out again
} optics;

static void add_facet(const optics *o, const double s[3], const double n[3], const double x[3],
                      double area, double F[3], double T[3]) {
    const double c = gos__dot3(s, n);
    double f[3], t[3];
    if (!(c > 0)) {
        return;
    }
    const double again = o->r * (1 - o->s - o->d);
    for (int k = 0; k < 3;
         k++) { // absorbed, mirrored, scattered, sent out: what arrives, and recoils
        f[k] = -P0 * area * c *
               ((1 - o->s - o->d) * s[k] + o->s * 2 * c * n[k] + o->d * (s[k] + 2.0 / 3 * n[k]) +
                again * 2.0 / 3 * n[k]);
    }
    gos__cross3(x, f, t);
    for (int k = 0; k < 3; k++) {
        F[k] += f[k];
        T[k] += t[k];
    }
}

static const optics all_optics[] = {{0, 0, 0},     {1, 0, 0},     {0, 1, 0},
                                    {0.3, 0.2, 0}, {0.3, 0.2, 1}, {0, 0.4, 0.5}};

static const char *optics_text(const optics *o) {
    static char text[200];
    snprintf(text, sizeof text, "specular: %g, diffuse: %g, reemitted: %g", o->s, o->d, o->r);
    return text;
}

static void compare_wrench(const char *body, const char *on, const double s[3], const optics *o,
                           const double F[3], const double T[3], double arm, double tol) {
    char load[600], what[700];
    double f[3], t[3];
    snprintf(load, sizeof load, "on: %s, direction: [%.17g, %.17g, %.17g], %s", on, -3 * s[0],
             -3 * s[1], -3 * s[2], optics_text(o));
    wrench(body, load, f, t);
    snprintf(what, sizeof what, "force on %.40s (%s), off of all", body, optics_text(o));
    verify_below(what, verify_distance(f, F) / gos__norm3(F), tol);
    snprintf(what, sizeof what, "torque on %.40s (%s), off of force and size", body,
             optics_text(o));
    verify_below(what, verify_distance(t, T) / (gos__norm3(F) * arm), tol);
}

static void unit(double x[3]) {
    const double n = gos__norm3(x);
    for (int k = 0; k < 3; k++) {
        x[k] /= n;
    }
}

/* a + sum_j u_j axis_j */
static void place(const double a[3], double (*axis)[3], double u, double v, double w, double x[3]) {
    for (int k = 0; k < 3; k++) {
        x[k] = a[k] + u * axis[0][k] + v * axis[1][k] + w * axis[2][k];
    }
}

static const double turn[3] = {0.3, -0.5, 0.7}, centre[3] = {0.5, -1, 2};
#define TURNED "position: [0.5, -1, 2], rotation_vector: [0.3, -0.5, 0.7]"

/* ---- flat ------------------------------------------------------------------------------------ */

/* In figures: P = 1361/c, 60 degrees off the normal z of a plate of 2 m^2. Absorbed -P A c s;
   mirrored -2 P A c^2 n; scattered -P A c (s + 2/3 n). */
static void test_figures(void **unused) {
    GOS_UNUSED(unused);
    const double P = 4.539807335646850e-6, c = 0.5, a = sqrt(0.75);
    const double want[3][3] = {{-P * 2 * c * a, 0, -P * 2 * c * c},
                               {0, 0, -P * 4 * c * c},
                               {-P * 2 * c * a, 0, -P * 2 * c * (c + 2.0 / 3)}};
    for (int i = 0; i < 3; i++) {
        char load[300], what[60];
        double F[3], T[3];
        snprintf(load, sizeof load, "on: x, direction: [%.17g, 0, -1], %s", -sqrt(3.0),
                 optics_text(&all_optics[i]));
        wrench("type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], x: [2, 0, 0],\n"
               "y: [0, 1, 0], elements: [2, 1]",
               load, F, T);
        snprintf(what, sizeof what, "force of case %d, off [N]", i);
        verify_below(what, verify_distance(F, want[i]), 1e-14 * P);
    }
}

/* both sides and either side of a plate and of sheets in a turned frame, and a rigid facet with an
 * arm */
static void test_flat(void **unused) {
    GOS_UNUSED(unused);
    double axis[3][3];
    char plate[500], quads[500];
    gos__rotated_axes(turn, axis);
    double corner[4][3];
    for (int i = 0; i < 4; i++) {
        place(centre, axis, i == 1 || i == 2 ? 1 : -1, i > 1 ? 0.25 : -0.25, 0, corner[i]);
    }
    snprintf(plate, sizeof plate,
             "type: ancf_plate, material: m, thickness: 0.01, elements: [3, 2],\n"
             "corner: [%.17g, %.17g, %.17g], x: [%.17g, %.17g, %.17g], y: [%.17g, %.17g, %.17g]",
             corner[0][0], corner[0][1], corner[0][2], 2 * axis[0][0], 2 * axis[0][1],
             2 * axis[0][2], 0.5 * axis[1][0], 0.5 * axis[1][1], 0.5 * axis[1][2]);
    snprintf(quads, sizeof quads,
             "type: ancf_plate, material: m, thickness: 0.01, elements: [3, 2],\n"
             "corners: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g],\n"
             "[%.17g, %.17g, %.17g]]",
             corner[0][0], corner[0][1], corner[0][2], corner[1][0], corner[1][1], corner[1][2],
             corner[2][0], corner[2][1], corner[2][2], corner[3][0], corner[3][1], corner[3][2]);
    const char *const bodies[] = {
        plate, quads,
        ("type: floating, mesh: sheet, material: m, element: shell, thickness: 0.01, " TURNED),
        ("type: floating, mesh: sheet, material: m, element: plane_stress, thickness: "
         "0.01, " TURNED),
        ("type: rigid, mass: 1, inertia: [1, 1, 1], " TURNED)};
    for (int i = 0; i < GOS_COUNT(bodies); i++) {
        // in the short form all six sets on a plate and on a facet, those with all terms on the
        // others
        for (int k = suite_long() || i % 4 == 0 ? 0 : 4; k < GOS_COUNT(all_optics); k++) {
            for (int side = -1; side <= 1; side += 2) { // of the Sun
                const double n[3] = {side * axis[2][0], side * axis[2][1], side * axis[2][2]};
                double s[3] = {1 - side, 2, 3 * side}, F[3] = {0}, T[3] = {0};
                unit(s);
                const bool front = gos__dot3(s, n) > 0;
                const double lit[3] = {front ? n[0] : -n[0], front ? n[1] : -n[1],
                                       front ? n[2] : -n[2]};
                add_facet(&all_optics[k], s, lit, centre, 1, F, T);
                compare_wrench(bodies[i],
                               i == 4 ? "x, facets: [{normal: [0, 0, 2], area: 1, sides: both}]"
                                      : "x",
                               s, &all_optics[k], F, T, 2, 1e-12);
                const bool upper = gos__dot3(s, axis[2]) > 0;
                const char *const face[][2] = {{"x.bottom", "x.top"},
                                               {"x.bottom", "x.top"},
                                               {"x.lower", "x.upper"},
                                               {"x", "x"},
                                               {"x, facets: [{normal: [0, 0, -1], area: 1}]",
                                                "x, facets: [{normal: [0, 0, 1], area: 1}]"}};
                compare_wrench(bodies[i], face[i][upper], s, &all_optics[k], F, T, 2, 1e-12);
            }
        }
    }
}

/* the side that looks away feels nothing */
static void test_dark(void **unused) {
    GOS_UNUSED(unused);
    const char *const bodies[] = {
        ("type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], x: [1, 0, 0],\n"
         "y: [0, 1, 0], elements: [1, 1]"),
        "type: floating, mesh: sheet, material: m, element: shell, thickness: 0.01",
        "type: rigid, mass: 1, inertia: [1, 1, 1]",
        "type: ancf_beam, material: m, section: r, from: [0, 0, 0], to: [1, 0, 0], elements: 1",
        "type: ancf_cable, material: m, section: r, from: [0, 0, 0], to: [1, 0, 0], elements: 1"};
    const char *const away[] = {"x.bottom", "x.lower", "x, facets: [{normal: [0, 0, -1], area: 1}]",
                                "x.left", "x.left"};
    for (int i = 0; i < GOS_COUNT(bodies); i++) {
        char load[200];
        double F[3], T[3];
        snprintf(load, sizeof load,
                 "on: %s, direction: [0.3, 0.2, -1], specular: 0.2, diffuse: 0.3", away[i]);
        wrench(bodies[i], load, F, T);
        assert_true(gos__norm3(F) == 0 && gos__norm3(T) == 0);
    }
}

/* ---- boxes, tubes, spheres ------------------------------------------------------------------- */

static void add_box(const optics *o, const double s[3], double (*axis)[3], const double edge[3],
                    int faces, double F[3], double T[3]) {
    for (int i = 0; i < 6; i++) {
        const int along = i / 2;
        double arm[3] = {0}, x[3], n[3];
        if (!(faces & 1 << i)) {
            continue;
        }
        arm[along] = (i % 2 ? -0.5 : 0.5) * edge[along];
        place(centre, axis, arm[0], arm[1], arm[2], x);
        for (int k = 0; k < 3; k++) {
            n[k] = (i % 2 ? -1 : 1) * axis[along][k];
        }
        add_facet(o, s, n, x, edge[(along + 1) % 3] * edge[(along + 2) % 3], F, T);
    }
}

static void test_box(void **unused) {
    GOS_UNUSED(unused);
    const double edge[3] = {0.4, 0.6, 0.8}, bar[3] = {2, 0.2, 0.1};
    double axis[3][3], s[3] = {1, -2, 0.5};
    char beam[400], cable[400];
    gos__rotated_axes(turn, axis);
    unit(s);
    double from[3], to[3];
    place(centre, axis, -1, 0, 0, from);
    place(centre, axis, 1, 0, 0, to);
    snprintf(beam, sizeof beam,
             "type: ancf_beam, material: m, section: r, from: [%.17g, %.17g, %.17g],\n"
             "to: [%.17g, %.17g, %.17g], elements: 2, normal: [%.17g, %.17g, %.17g]",
             from[0], from[1], from[2], to[0], to[1], to[2], axis[2][0], axis[2][1], axis[2][2]);
    snprintf(cable, sizeof cable, "type: ancf_cable%s", strchr(beam, ','));
    const char *const solids[] = {"type: solid, mesh: cube, material: m, " TURNED,
                                  "type: floating, mesh: cube, material: m, " TURNED,
                                  "type: rigid, mass: 1, shape: {box: [0.4, 0.6, 0.8]}, " TURNED};
    char floating[400];
    snprintf(floating, sizeof floating, "type: floating_beam%s", strchr(beam, ','));
    const char *const lines[] = {
        beam, floating,
        "type: floating, mesh: mast, material: m, section: r, normal: [0, 0, 1], " TURNED, cable};
    for (int k = 0; k < GOS_COUNT(all_optics); k++) {
        double F[3] = {0}, T[3] = {0}, f[3] = {0}, t[3] = {0};
        add_box(&all_optics[k], s, axis, edge, 63, F, T);
        add_box(&all_optics[k], s, axis, bar, 60, f, t); // without ends
        for (int i = 0; i < GOS_COUNT(solids); i++) {
            compare_wrench(solids[i], "x", s, &all_optics[k], F, T, 2, 1e-12);
        }
        for (int i = 0; i < GOS_COUNT(lines); i++) {
            if (i == 3) { // of a cable all acts on the axis
                gos__cross3(centre, f, t);
            }
            compare_wrench(lines[i], "x", s, &all_optics[k], f, t, 2, 1e-12);
        }
    }
}

/* A tube against a sum over the facets around it, and in closed form; with its ends as a rigid
   body, of which one that absorbs all has no torque about its centre (it is convex and its shadow
   symmetric). */
static void test_tube(void **unused) {
    GOS_UNUSED(unused);
    const double R = 0.15, L = 2;
    double axis[3][3], s[3] = {1, -2, 0.5}, from[3], to[3];
    char line[4][400];
    gos__rotated_axes(turn, axis);
    unit(s);
    place(centre, axis, -1, 0, 0, from);
    place(centre, axis, 1, 0, 0, to);
    const char *const types[] = {"ancf_cable", "ancf_beam", "floating_beam"};
    for (int i = 0; i < 3; i++) {
        snprintf(line[i], sizeof line[i],
                 "type: %s, material: m, section: o, from: [%.17g, %.17g, %.17g],\n"
                 "to: [%.17g, %.17g, %.17g], elements: 2",
                 types[i], from[0], from[1], from[2], to[0], to[1], to[2]);
    }
    snprintf(line[3], sizeof line[3],
             "type: floating, mesh: mast, material: m, section: o, " TURNED);
    for (int k = 0; k < GOS_COUNT(all_optics); k++) {
        const optics *o = &all_optics[k];
        double F[3] = {0}, T[3] = {0}, G[3], all[3], torque[3];
        const int n = 20000;
        for (int i = 0; i < n;
             i++) { // the midpoint rule around the tube, along which nothing changes
            const double phi = 2 * M_PI * (i + 0.5) / n;
            double x[3], out[3];
            place(centre, axis, 0, R * cos(phi), R * sin(phi), x);
            for (int c = 0; c < 3; c++) {
                out[c] = (x[c] - centre[c]) / R;
            }
            add_facet(o, s, out, x, 2 * M_PI * R * L / n, F, T);
        }
        const double c = gos__dot3(s, axis[0]), q = sqrt(1 - c * c);
        const double again = o->d + o->r * (1 - o->s - o->d);
        for (int i = 0; i < 3; i++) {
            const double across = s[i] - c * axis[0][i];
            G[i] = -P0 * R * L *
                   (2 * (1 - o->s) * q * s[i] + (8 * o->s * q + M_PI * again) / 3 * across);
        }
        verify_below("closed form of a tube against a sum, off of all",
                     verify_distance(F, G) / gos__norm3(G), 1e-7);
        for (int i = 0; i < 4; i++) {
            compare_wrench(line[i], "x", s, o, F, T, 2, 1e-7);
        }
        memcpy(all, F, sizeof all);
        memcpy(torque, T, sizeof torque);
        for (int side = -1; side <= 1; side += 2) {
            double x[3];
            const double out[3] = {side * axis[0][0], side * axis[0][1], side * axis[0][2]};
            place(centre, axis, side, 0, 0, x);
            add_facet(o, s, out, x, M_PI * R * R, all, torque);
        }
        compare_wrench(
            "type: rigid, mass: 1, shape: {cylinder: [0.15, 2], axis: [1, 0, 0]}, " TURNED, "x", s,
            o, all, torque, 2, 1e-7);
        compare_wrench(line[0], "[x, x.start, x.end]", s, o, all, torque, 2, 1e-7);
        if (k == 0) {
            double moved[3];
            gos__cross3(centre, all, moved);
            verify_below("torque about its centre, of force and size",
                         verify_distance(moved, torque) / (gos__norm3(all) * L), 1e-7);
        }
    }
}

/* -P pi R^2 (1 + 4/9 d) s, whatever is mirrored */
static void test_sphere(void **unused) {
    GOS_UNUSED(unused);
    double s[3] = {1, -2, 0.5};
    unit(s);
    for (int k = 0; k < GOS_COUNT(all_optics); k++) {
        const optics *o = &all_optics[k];
        double F[3], T[3];
        const double again = o->d + o->r * (1 - o->s - o->d);
        for (int i = 0; i < 3; i++) {
            F[i] = -P0 * M_PI * 0.49 * (1 + 4.0 / 9 * again) * s[i];
        }
        gos__cross3(centre, F, T);
        compare_wrench("type: rigid, mass: 1, shape: {sphere: 0.7}, " TURNED, "x", s, o, F, T, 2,
                       1e-13);
        compare_wrench("type: rigid, mass: 1, inertia: [1, 1, 1], points: {p: [0, 0, 0]}, " TURNED,
                       "x.p, radius: 0.7", s, o, F, T, 2, 1e-13);
    }
}

/* The default: what the material's absorptivity and the mirror leave is scattered. */
static void test_material(void **unused) {
    GOS_UNUSED(unused);
    double F[3], T[3];
    wrench("type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], x: [1, 0, 0],\n"
           "y: [0, 1, 0], elements: [1, 1]",
           "on: x.top, direction: [0, 0, -1], specular: 0.1", F, T);
    verify_near("force [N]", F[2], -P0 * (0.9 + 2 * (0.1 + 0.3 / 3)), 1e-18);
}

/* A bent tube and a bent face follow the slope: a quarter of a circle against a sum along the exact
 * one, of third order. */
static void test_bent(void **unused) {
    GOS_UNUSED(unused);
    double off[2];
    const optics o = {0.3, 0.2, 0};
    double s[3] = {1, 0.6, 0.3}, F[3] = {0}, T[3] = {0};
    unit(s);
    for (int i = 0; i < 20000; i++) {
        const double a = 0.5 * M_PI * (i + 0.5) / 20000, t[3] = {-sin(a), cos(a), 0};
        const double c = gos__dot3(s, t), q = sqrt(1 - c * c), dl = 0.5 * M_PI / 20000;
        for (int k = 0; k < 3; k++) {
            F[k] -= P0 * 0.15 * dl *
                    (2 * 0.7 * q * s[k] + (8 * 0.3 * q + M_PI * 0.2) / 3 * (s[k] - c * t[k]));
        }
    }
    for (int i = 0; i < 2; i++) {
        char body[300], load[300];
        double f[3];
        snprintf(body, sizeof body,
                 "type: ancf_cable, material: m, section: o, from: [1, 0, 0], to: [0, 1, 0],\n"
                 "arc: [%.17g, %.17g, 0], elements: %d",
                 sqrt(0.5), sqrt(0.5), 2 << i);
        snprintf(load, sizeof load, "on: x, direction: [%.17g, %.17g, %.17g], %s", -s[0], -s[1],
                 -s[2], optics_text(&o));
        wrench(body, load, f, T);
        off[i] = verify_distance(f, F) / gos__norm3(F);
    }
    verify_below("force on a quarter of a circle, 4 elements, off of all", off[1], 1e-4);
    verify_within("order", verify_order(off[0], off[1], 2), 2.5, 6);
}

/* ---- over time ------------------------------------------------------------------------------- */

/* the velocity of the centre of a free sail at the end; P A/m is 1e-3 m/s^2 of a flux of 1361
   W/m^2 */
static void flight(const char *body, const char *light, const char *more, double v[3]) {
    verify run;
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text,
             "bodies: {x: {type: rigid, mass: 4.539807335646850, inertia: [1, 2, 3], %s}}\n"
             "loads: {l: {type: solar_pressure, on: x, %s}}\n"
             "probes: {v: {at: x, quantity: velocity}}\n%s",
             body, light, more);
    verify_text(&run, text, NULL);
    verify_run(&run);
    verify_probe(&run, NULL, "v", v);
    verify_close(&run);
}

#define SAIL "facets: [{normal: [0, 0, 1], area: 1000, sides: both}], specular: 0.7, diffuse: 0.2"

/* A sail that turns once about an axis in its plane in 20 s: means of |c| 2/pi, |c|^3 4/(3 pi), c^2
 * 1/2; across them none. */
static void test_momentum(void **unused) {
    GOS_UNUSED(unused);
    double v[3];
    flight("angular_velocity: [0, 0.1*pi, 0]", "direction: [0, 0, -1], " SAIL,
           "analysis: {end: 20, step: 0.005}\n", v);
    verify_near("velocity along the light [m/s]", v[2],
                -1e-3 * 20 * (0.3 * 2 / M_PI + 2 * 0.7 * 4 / (3 * M_PI) + 0.2 / 3), 1e-8);
    verify_below("velocity across [m/s]", hypot(v[0], v[1]), 1e-8);
}

/* a sail that stands across the light: the eclipse takes away 3 s of 10 s, its penumbra nothing
 * more */
static void test_eclipse(void **unused) {
    GOS_UNUSED(unused);
    double v[3];
    flight("position: [1, 2, 3]", "direction: [0, 0, -1], eclipse: [[4, 7]], penumbra: 1, " SAIL,
           "analysis: {end: 10, step: 0.05}\n", v);
    verify_near("velocity [m/s]", v[2], -1e-3 * 7 * (0.3 + 2 * (0.7 + 0.2 / 3)), 1e-7);
}

/* One revolution with the Sun 30 degrees over the plane: the light lasts for the period less the
   time in the cylinder's shadow. What is absorbed is along the light. */
static void test_orbit(void **unused) {
    GOS_UNUSED(unused);
    double v[3];
    flight("position: [0, 0, 0]", "facets: [{normal: [0, 0, 1], area: 1000}], diffuse: 0",
           "orbit: {semi_major_axis: 7e6, beta: deg(30), noon: 1, shadow: cylindrical, "
           "gravity_gradient: false}\n"
           "analysis: {end: 5828.5166, step: 58.285166}\n",
           v);
    const double a = 7e6, R = 6378137, rate = 2 * M_PI / 5828.5166;
    const double dark = 2 * acos(sqrt(a * a - R * R) / (a * cos(M_PI / 6))) / rate;
    const double dv = 1e-3 * 0.5 * (5828.5166 - dark);
    verify_near("velocity along the normal [m/s]", v[2], -dv * 0.5, 1e-6 * dv);
    verify_near("velocity in the plane [m/s]", hypot(v[0], v[1]), dv * cos(M_PI / 6), 1e-6 * dv);
}

/* At the perihelion and the aphelion of 2026 the Earth is 0.98330 and 1.01664 au from the Sun, for
   pressure and heat, by a series that is good to 1e-4 au; a flux that is given is not changed. */
static void test_distance(void **unused) {
    GOS_UNUSED(unused);
    static const char *const date[] = {"2026-01-03T17:00:00", "2026-07-06T17:00:00"};
    static const double distance[] = {0.98330, 1.01664};
    for (int i = 0; i < 4; i++) {
        verify run;
        char text[VERIFY_TEXT];
        const char *const flux = i < 2 ? "" : ", flux: 1361";
        double v[3];
        snprintf(
            text, sizeof text,
            "materials: {m: {density: 1000, young: 1.0e9, conductivity: 1, specific_heat: 100,\n"
            "                absorptivity: 1}}\n"
            "bodies: {x: {type: rigid, mass: 4.539807335646850, inertia: [1, 1, 1]},\n"
            "         p: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0],\n"
            "             x: [1, 0, 0], y: [0, 1, 0], elements: [1, 1]}}\n"
            "loads: {l: {type: solar_pressure, on: x, radius: sqrt(1000/pi), diffuse: 0%s}}\n"
            "heat: {h: {type: sun, on: p%s}}\n"
            "orbit: {altitude: 2e7, date: \"%s\", shadow: none, gravity_gradient: false}\n"
            "probes: {v: {at: x, quantity: velocity}, T: {at: 'p.at(0.5, 0.5)', "
            "quantity: temperature}}\n"
            "analysis: {end: 1, step: 0.1}\n",
            flux, flux, date[i % 2]);
        verify_text(&run, text, NULL);
        verify_run(&run);
        verify_probe(&run, NULL, "v", v);
        gos_orbit_position at;
        gos__orbit_at(run.sys->orbit, 0.5, &at);
        const double scale = i < 2 ? 1 / (distance[i] * distance[i]) : 1;
        verify_near("velocity by the pressure [m/s]", gos__norm3(v), 1e-3 * scale, 2e-7);
        verify_near("warmed by light [K]", verify_value(&run, NULL, "T.T"),
                    1361 * scale * fabs(at.sun[2]) / 1000, 1e-4);
        verify_close(&run);
    }
}

/* ---- derivatives, inputs --------------------------------------------------------------------- */

/* all kinds of points; light so strong that its derivatives are of the size of the stiffness */
static const char everything[] =
    "parameters: {f: 1361}\n"
    "materials: {m: {density: 1000, young: 1.0e5, poisson: 0.3, absorptivity: 0.6}}\n"
    "sections: {r: {type: rectangle, height: 0.2, width: 0.1},\n"
    "           o: {type: circle, diameter: 0.3}}\n"
    "meshes: {cube: {type: box, size: [0.4, 0.6, 0.8], cells: [1, 1, 1]},\n"
    "         sheet: {type: rectangle, size: [2, 0.5], cells: [1, 1]}}\n"
    "bodies:\n"
    "  p: {type: ancf_plate, material: m, thickness: 0.1, corner: [0, 0, 0], x: [1, 0.2, 0.3],\n"
    "      y: [-0.19, 0.95, 0], elements: [1, 1]}\n"
    "  a: {type: ancf_cable, material: m, section: r, from: [0, 0, 0], to: [1, 0.3, 0.2],\n"
    "      elements: 1}\n"
    "  c: {type: ancf_cable, material: m, section: o, from: [0, 0, 0], to: [0.4, 1, 0.1],\n"
    "      elements: 1}\n"
    "  b: {type: ancf_beam, material: m, section: r, from: [0, 0, 0], to: [1, 0.3, 0.2],\n"
    "      elements: 1}\n"
    "  s: {type: solid, mesh: cube, material: m}\n"
    "  h: {type: rigid, mass: 3, shape: {cylinder: [0.3, 0.5]}, rotation_vector: [1, 0.3, 0.2]}\n"
    "  k: {type: floating, mesh: sheet, material: m, element: shell, thickness: 0.1,\n"
    "      rotation_vector: [0.3, 0.4, 0]}\n"
    "  g: {type: floating_beam, material: m, section: r, from: [0, 0, 0], to: [1, 0.2, 0],\n"
    "      elements: 1}\n"
    "loads: {l: {type: solar_pressure, flux: f, on: [p, a, a.end, c, b, s, h, k, g], specular: "
    "0.3,\n"
    "            diffuse: 0.2, direction: [-1, -2, -1.5], speed_of_light: 0.1, smoothing: 0.01}}\n";

static void test_newton_matrix(void **unused) {
    GOS_UNUSED(unused);
    verify v;
    verify_text(&v, everything, NULL);
    check_newton_matrix(v.sys, "pressure of sunlight", 0, false);
    verify_close(&v);
}

/* the input of the linear model is what 1 W/m^2 more does */
static void test_input(void **unused) {
    GOS_UNUSED(unused);
    verify v, more;
    gos_linear *l = NULL;
    double *r = calloc(MOST, sizeof *r), worst = 0, most = 0;
    assert_non_null(r);
    verify_text(&v, everything, NULL);
    verify_text(&more, everything, "f=1362");
    assert_true(v.sys->nq <= MOST);
    light_of(&more, r);
    for (int i = 0; i < v.sys->nq; i++) {
        r[i] = -r[i];
    }
    light_of(&v, r); // what more light has beyond it, negative
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
    assert_int_equal(l->block[GOS_BLOCK_B].n, 1);
    assert_string_equal(gos_linear_input(l, 0).name, "l");
    assert_string_equal(gos_linear_input(l, 0).unit, "W/m^2");
    const gos_sparse *B = &l->block[GOS_BLOCK_B];
    for (int e = B->p[0]; e < B->p[1]; e++) {
        r[B->i[e]] += B->x[e];
        most = fmax(most, fabs(B->x[e]));
    }
    for (int i = 0; i < v.sys->nq; i++) {
        worst = fmax(worst, fabs(r[i]));
    }
    verify_below("input against a difference, off of the largest", worst / most, 1e-9);
    gos_linear_destroy(l);
    free(r);
    verify_close(&more);
    verify_close(&v);
}

/* ---- bending --------------------------------------------------------------------------------- */

/* Absorbing cantilevers of 1 m across the light deflect by q L^4/(8 EI) under light so strong that
   this is 1 cm; floating and reduced ones, too. */
static void test_deflection(void **unused) {
    GOS_UNUSED(unused);
    static const char *const body[] = {
        "type: ancf_plate, thickness: 0.01, corner: [0, -0.05, 0], x: [1, 0, 0], y: [0, 0.1, 0],\n"
        "elements: [8, 1]}}\njoints: {j: {type: clamp, between: [ground, x.edge.x0], rigid: "
        "true}}\n",
        "type: ancf_beam, section: r, from: [0, 0, 0], to: [1, 0, 0], elements: 8}}\n"
        "joints: {j: {type: clamp, between: [ground, x.start]}}\n",
        "type: ancf_cable, section: r, from: [0, 0, 0], to: [1, 0, 0], elements: 8}}\n"
        "joints: {j: {type: clamp, between: [ground, x.start]}}\n",
        "type: floating_beam, section: r, from: [0, 0, 0], to: [1, 0, 0], elements: 8}}\n"
        "joints: {j: {type: clamp, between: [ground, x.frame]}}\n",
        "type: floating, mesh: m, element: shell, thickness: 0.01, reference: clamped, at: left}}\n"
        "joints: {j: {type: clamp, between: [ground, x.frame]}}\n",
        "type: floating, mesh: l, section: r, normal: [0, 0, 1], reference: clamped, at: "
        "point_1}}\n"
        "joints: {j: {type: clamp, between: [ground, x.frame]}}\n"};
    static const char *const tip[] = {"x.at(1,0.05)", "x.end",   "x.end",
                                      "x.end",        "x.right", "x.point_2"};
    for (int i = 0; i < GOS_COUNT(body); i++) {
        verify v;
        char text[VERIFY_TEXT], what[100];
        double u[3];
        snprintf(text, sizeof text,
                 "materials: {m: {density: 1000, young: 2.0e9, poisson: 0}}\n"
                 "sections: {r: {type: rectangle, height: 0.1, width: 0.01}}\n"
                 "meshes: {m: {type: rectangle, size: [1, 0.1], corner: [0, -0.05, 0], cells: [16, "
                 "2]},\n"
                 "         l: {type: frame, points: [[0, 0, 0], [1, 0, 0]], cells: 8}}\n"
                 "bodies: {x: {material: m, %sloads: {l: {type: solar_pressure, on: x, direction: "
                 "[0, 0, 1],\n"
                 "  diffuse: 0, speed_of_light: 1361/%.17g}}\n"
                 "probes: {u: {at: '%s', quantity: displacement}}\nanalysis: {type: static}\n",
                 body[i], 0.01 * 8 * 2e9 * 1e-6 / 12, tip[i]);
        verify_text(&v, text, NULL);
        verify_static(&v);
        verify_probe(&v, NULL, "u", u);
        snprintf(what, sizeof what, "deflection of %.30s [m]", body[i]);
        verify_near(what, u[2], 0.01, 1.2e-4); // the frame's: large rotations, shear, mesh
        verify_close(&v);
    }
}

/* Panels in strong light, reduced against full: large deflections of absolute ones, small ones of a
   floating one on its modes. The light comes from aside, and the surfaces turn in it. */
typedef struct panel {
    const char *text;
    double speed; // of light: how strong it is
    double least, off;
    bool floating;
} panel;

static const panel panels[] = {
    {"p: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, -0.05, 0], x: [1, 0, 0],\n"
     "    y: [0, 0.1, 0], elements: [6, 1]}}\n"
     "joints: {j: {type: clamp, between: [ground, p.edge.x0], rigid: true}}\n"
     "probes: {u: {at: 'p.at(1,0.05)', quantity: displacement}}\n",
     0.5, 0.1, 5e-3, false},
    {"p: {type: ancf_cable, material: m, section: r, from: [0, 0, 0], to: [1, 0, 0],\n"
     "    elements: 8}}\njoints: {j: {type: clamp, between: [ground, p.start]}}\n"
     "probes: {u: {at: p.end, quantity: displacement}}\n",
     0.5, 0.1, 5e-3, false},
    {"p: {type: floating, mesh: m, material: m, element: shell, thickness: 0.01,\n"
     "    reference: clamped, at: left, reduce: {method: modes, order: 6}}}\n"
     "joints: {j: {type: clamp, between: [ground, p.frame]}}\n"
     "probes: {u: {at: p.right, quantity: displacement}}\n",
     100, 5e-3, 1e-5, true}};

static void tip_of(verify *v, double u[3]) {
    verify_run(v);
    verify_probe(v, NULL, "u", u);
    gos_integrator_destroy(v->run);
    v->run = NULL;
}

/* displacements of the tip at the end, full and reduced */
static void tips(const panel *p, double u[2][3]) {
    verify v;
    gos_system *reduced = NULL;
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text,
             "materials: {m: {density: 1000, young: 2.0e9, poisson: 0, damping: {normal: "
             "2.0e-3}}}\n"
             "sections: {r: {type: rectangle, height: 0.1, width: 0.01}}\n"
             "meshes: {m: {type: rectangle, size: [1, 0.1], corner: [0, -0.05, 0], cells: [8, "
             "1]}}\n"
             "bodies: {%sloads: {l: {type: solar_pressure, on: p, direction: [0.5, 0.2, 1],\n"
             "  specular: 0.5, diffuse: 0.1, speed_of_light: %g}}\n"
             "analysis: {end: 0.2, tolerance: 1.0e-5}\n",
             p->text, p->speed);
    verify_text(&v, text, NULL);
    tip_of(&v, u[0]);
    if (p->floating) {
        verify_close(&v);
        verify_text(&v, text, "floating_bodies=reduced");
        tip_of(&v, u[1]);
        verify_close(&v);
        return;
    }
    reduce_as(v.sys, (gos_reduction_def){
                         .fields = GOS_FIELDS_MODES, .number = 8, .statics = 1, .tolerance = 1e-6});
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    gos_system *whole = v.sys;
    gos_state_destroy(v.state);
    v.sys = reduced;
    verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
    tip_of(&v, u[1]);
    gos_state_destroy(v.state);
    v.state = NULL;
    v.sys = whole;
    gos_system_destroy(reduced);
    verify_close(&v);
}

static void test_reduced(void **unused) {
    GOS_UNUSED(unused);
    for (int k = 0; k < GOS_COUNT(panels); k++) {
        double u[2][3];
        tips(&panels[k], u);
        verify_within("deflection of the full model, of 1 m [m]", gos__norm3(u[0]), panels[k].least,
                      1.2);
        verify_below("reduced against full [m]", verify_distance(u[1], u[0]), panels[k].off);
    }
}

/* ---- what is wrong --------------------------------------------------------------------------- */

static void refused(const char *load, const char *more, const char *message) {
    char text[VERIFY_TEXT];
    gos_ctx *ctx = gos_ctx_create();
    gos_model *model = NULL;
    gos_system *sys = NULL;
    snprintf(
        text, sizeof text,
        "%sbodies:\n"
        "  h: {type: rigid, mass: 1, inertia: [1, 1, 1], points: {p: [0, 0, 1]}}\n"
        "  p: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], x: [1, 0, 0],\n"
        "      y: [0, 1, 0], elements: [1, 1]}\n"
        "  a: {type: ancf_cable, material: m, section: r, from: [0, 0, 0], to: [1, 0, 0],\n"
        "      carried_by: h}\n"
        "  c: {type: ancf_cable, material: m, section: r, from: [0, 0, 0], to: [1, 0, 0]}\n"
        "  s: {type: solid, mesh: cube, material: m}\n"
        "  f: {type: floating, mesh: cube, material: m}\n"
        "  w: {type: floating_frame, material: m, section: r, points: {a: [0, 0, 0], b: [1, 0, "
        "0]},\n"
        "      beams: [{from: a, to: b}]}\n"
        "loads: {l: {type: solar_pressure, %s}}\n%s",
        head, load, more);
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
#define DOWN "direction: [0, 0, -1], "
    refused("on: p", "", "or give the model an `orbit`");
    refused("on: p", "orbit: {altitude: 4e5}\n", "does not define the Sun's direction");
    refused("on: p, eclipse: [[1, 2]]", "orbit: {altitude: 4e5, beta: 0}\n",
            "eclipses follow from the orbit");
    refused("on: p, direction: [0, 0, 0]", "", "direction has zero length");
    refused(DOWN "on: p, specular: -0.1", "", "specular");
    refused(DOWN "on: p, specular: 0.6, diffuse: 0.5", "", "add up to 1.1");
    refused(DOWN "on: p, specular: 0.6", "", "also specify diffuse");
    refused(DOWN "on: ground, radius: 1, diffuse: 0", "",
            "solar pressure on the ground has no effect");
    refused(DOWN "on: h, facets: [{normal: [0, 0, 1], area: 1}]", "", "give diffuse");
    refused(DOWN "on: h, diffuse: 0", "", "has no surface; give it a shape");
    refused(DOWN "on: h.p, diffuse: 0", "", "is a point of a rigid body");
    refused(DOWN "on: h, diffuse: 0, facets: [{area: 1}]", "", "normal");
    refused(DOWN "on: h, diffuse: 0, facets: [{normal: [0, 0, 0], area: 1}]", "", "normal");
    refused(DOWN "on: h, diffuse: 0, facets: [{normal: [0, 0, 1]}]", "", "area");
    refused(DOWN "on: h, diffuse: 0, facets: [{normal: [0, 0, 1], area: -1}]", "", "area");
    refused(DOWN "on: h, diffuse: 0, facets: 3", "", "must be a list");
    refused(DOWN "on: h, diffuse: 0, facets: [3]", "", "a facet must be a map");
    refused(DOWN "on: h, diffuse: 0, radius: 1, facets: [{normal: [0, 0, 1], area: 1}]", "",
            "remove one");
    refused(DOWN "on: 'p.at(0,0)', facets: [{normal: [0, 0, 1], area: 1}]", "",
            "facets require a rigid body");
    refused(DOWN "on: p.edge.x0", "", "has no area");
    refused(DOWN "on: 'c.at(0.5)'", "", "has no area");
    refused(DOWN "on: a", "", "carried_by");
    refused(DOWN "on: s.corner_1", "", "has no area");
    refused(DOWN "on: 's.node(1)'", "", "has no area");
    refused(DOWN "on: 'f.node(1)'", "", "has no area");
    refused(DOWN "on: w, diffuse: 0", "", "has no defined surface");
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures),       cmocka_unit_test(test_flat),
        cmocka_unit_test(test_dark),          cmocka_unit_test(test_box),
        cmocka_unit_test(test_tube),          cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_material),      cmocka_unit_test(test_bent),
        cmocka_unit_test(test_momentum),      cmocka_unit_test(test_eclipse),
        cmocka_unit_test(test_orbit),         cmocka_unit_test(test_distance),
        cmocka_unit_test(test_newton_matrix), cmocka_unit_test(test_input),
        cmocka_unit_test(test_deflection),    cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
