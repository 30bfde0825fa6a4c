/* The solid against linear finite elements, patch tests, closed forms and CalculiX: large bending,
   heat, rotation, free flight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solid/solid.h"
#include "fe/mesh_body.h"
#include "gossamer/gossamer.h"
#include "mesh/generate.h"
#include "math/vec3.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

/* meshes whose elements are no parallelepipeds, but for tetrahedra with nodes on edges: their
   points are exact where edges are straight */
#define TUBE "{type: tube, inner: 0.5, outer: 1.1, angle: deg(75), length: 0.7, cells: [2, 3, 2]"
#define BOX "{type: box, size: [0.6, 0.9, 0.7], cells: [2, 3, 2]"
static const struct {
    const char *name, *mesh;
} shapes[] = {{"hex8", TUBE "}"},
              {"hex20", TUBE ", order: quadratic}"},
              {"tet4", TUBE ", shape: tetrahedra}"},
              {"tet10", BOX ", order: quadratic, shape: tetrahedra}"}};

static void open_block(verify *v, int shape) {
    char text[2000];
    snprintf(text, sizeof text,
             "materials: {m: {density: 7, young: 3, poisson: 0.3, conductivity: 2,\n"
             "                specific_heat: 5, expansion: 2.0e-3}}\n"
             "meshes: {m: %s}\n"
             "bodies: {block: {type: solid, material: m, mesh: m}}\n",
             shapes[shape].mesh);
    verify_text(v, text, NULL);
}

/* ---- against linear elements ----------------------------------------------------------------- */

/* largest difference of two matrices over the largest entry; columns of `view` are pick[j] of the
 * other's, by rows too */
static double matrix_difference(const gos_matrix_view *view, const gos_sparse *A, int each,
                                double factor) {
    double worst = 0, largest = 0;
    double *column = calloc((size_t)view->rows, sizeof *column);
    for (int j = 0; j < view->columns; j++) {
        memset(column, 0, (size_t)view->rows * sizeof *column);
        for (int k = view->start[j]; k < view->start[j + 1]; k++) {
            column[view->row[k]] += view->value[k];
        }
        for (int k = A->p[j / each]; k < A->p[j / each + 1]; k++) {
            const int row = A->i[k] * each + j % each;
            column[row] -= factor * A->x[k];
            largest = fmax(largest, fabs(factor * A->x[k]));
        }
        for (int i = 0; i < view->rows; i++) {
            worst = fmax(worst, fabs(column[i]));
        }
    }
    free(column);
    assert_true(largest > 0);
    return worst / largest;
}

/* at rest the matrices are those of the linear elements of src/fe on the same mesh, entry by
   entry */
static void linear_elements(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < GOS_COUNT(shapes); i++) {
        verify v;
        gos_linear *l = NULL;
        gos_fe_body *fe = NULL;
        gos_fe_heat heat = {0};
        gos_matrix_view K, M, C, KT, G;
        gos_mesh *mesh = NULL;
        char what[80];
        open_block(&v, i);
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &l));
        gos_linear_block(l, GOS_BLOCK_K, &K);
        gos_linear_block(l, GOS_BLOCK_M, &M);
        gos_linear_block(l, GOS_BLOCK_C_T, &C);
        gos_linear_block(l, GOS_BLOCK_K_T, &KT);
        gos_linear_block(l, GOS_BLOCK_G, &G);
        const gos_node *entry = gos__node_get(gos__node_get(v.model->root, "meshes"), "m");
        verify_good(&v, gos__mesh_make(v.model, entry, "mesh 'm'", &mesh));
        gos_fe_material material = {.density = 7, .heat = 5};
        verify_good(&v, gos__fe_isotropic(v.ctx, (gos_loc){0}, "m", 3, 0.3, &material));
        for (int c = 0; c < 3; c++) {
            material.expansion[c] = 2e-3;
            material.conductivity[c][c] = 2;
        }
        const gos_fe_part part = {.element = &gos__fe_element_solid,
                                  .n = mesh->ncell,
                                  .material = &material,
                                  .object = "m"};
        verify_good(&v, gos__fe_body_create(v.ctx, mesh, 1, &part, &fe));
        verify_good(&v, gos__fe_body_mechanics(fe));
        verify_good(&v, gos__fe_body_heat(fe, &heat));
        const struct {
            const char *name;
            gos_matrix_view *view;
            const gos_sparse *A;
            int each;
            double factor;
        } pairs[] = {{"stiffness", &K, &fe->K, 1, 1},
                     {"mass", &M, &fe->mass, 3, 1},
                     {"capacity", &C, &heat.C, 1, 1},
                     {"conduction", &KT, &heat.K, 1, 1},
                     {"force by temperature", &G, &heat.couple, 1, -1}};
        for (int k = 0; k < GOS_COUNT(pairs); k++) {
            snprintf(what, sizeof what, "%s: %s against linear elements", shapes[i].name,
                     pairs[k].name);
            verify_below(
                what, matrix_difference(pairs[k].view, pairs[k].A, pairs[k].each, pairs[k].factor),
                1e-12);
        }
        gos__fe_heat_free(v.ctx, &heat);
        gos__fe_body_destroy(fe);
        gos__mesh_destroy(mesh);
        gos_linear_destroy(l);
        verify_close(&v);
    }
}

/* ---- patch tests ----------------------------------------------------------------------------- */

/* nodal forces (and heat) where every node goes from X to A X, at the temperature T everywhere, at
   rest; and which nodes are inside */
static double *forces_of(verify *v, const double A[9], double T, gos_sizes *n) {
    gos_equations *eq = NULL;
    gos_system_sizes(v->sys, n);
    double *r = calloc((size_t)(n->coordinates + n->temperatures), sizeof *r);
    verify_good(v, gos_equations_create(v->ctx, v->sys, &eq));
    gos_equations_point at = gos_equations_at(v->state);
    double *q = calloc((size_t)n->coordinates, sizeof *q);
    double *th = calloc((size_t)n->temperatures, sizeof *th);
    double *zero = calloc((size_t)n->coordinates, sizeof *zero);
    for (int i = 0; i < n->coordinates; i++) {
        const double *x = at.q + i / 3 * 3;
        q[i] = A[i % 3 * 3] * x[0] + A[i % 3 * 3 + 1] * x[1] + A[i % 3 * 3 + 2] * x[2];
    }
    for (int i = 0; i < n->temperatures; i++) {
        th[i] = T;
    }
    at.q = q;
    at.T = th;
    at.v = at.a = zero;
    verify_good(v, gos_equations_residual(eq, &at, r));
    gos_equations_destroy(eq);
    free(q);
    free(th);
    free(zero);
    return r;
}

/* is a node of the block on its skin? */
static bool outside(const verify *v, int node) {
    const gos_body *b = v->sys->body[0];
    const gos_solid *c = b->par;
    const gos_solid_set *skin = &c->set[c->skin];
    for (int i = 0; i < skin->n; i++) {
        if (skin->node[i] == node) {
            return true;
        }
    }
    return false;
}

static void largest_forces(const verify *v, const double *r, const gos_sizes *n, double *inside,
                           double *all) {
    *inside = *all = 0;
    for (int i = 0; i < n->coordinates; i++) {
        *all = fmax(*all, fabs(r[i]));
        *inside = outside(v, i / 3) ? *inside : fmax(*inside, fabs(r[i]));
    }
}

/* One gradient everywhere, far from 1: nodes inside are without force. Rigid rotation by 2 rad: all
   are. Uniform temperature and the expansion that belongs to it, s + s^2/2 = alpha T, turned too:
   all are; without it they are not. */
static void patches(void **state) {
    GOS_UNUSED(state);
    static const double affine[9] = {1.3, 0.4, -0.2, 0.1, 0.8, 0.3, -0.25, 0.2, 1.1};
    const double c = cos(2), s = sin(2), T = 30, a = 2e-3 * T, e = sqrt(1 + 2 * a);
    const double turn[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double grow[9] = {e * c, -e * s, 0, e * s, e * c, 0, 0, 0, e};
    for (int i = 0; i < GOS_COUNT(shapes); i++) {
        const struct {
            const char *what;
            const double *A;
            double T;
            bool inside;
        } cases[] = {{"one gradient: forces inside", affine, 0, true},
                     {"one gradient, warm: forces inside", affine, T, true},
                     {"rigid rotation: forces", turn, 0, false},
                     {"free expansion: forces", grow, T, false}};
        for (int k = 0; k < GOS_COUNT(cases); k++) {
            verify v;
            gos_sizes n;
            double inside, all;
            char what[100];
            open_block(&v, i);
            double *r = forces_of(&v, cases[k].A, cases[k].T, &n);
            largest_forces(&v, r, &n, &inside, &all);
            free(r);
            snprintf(what, sizeof what, "%s: %s [N]", shapes[i].name, cases[k].what);
            verify_below(what, cases[k].inside ? inside : all, 2e-14);
            assert_true(!cases[k].inside || all > 1e-2);
            r = forces_of(&v, one, T, &n); // heated and held
            largest_forces(&v, r, &n, &inside, &all);
            assert_true(all > 1e-3);
            free(r);
            verify_close(&v);
        }
    }
}

/* ---- large bending against CalculiX ---------------------------------------------------------- */

static const char cantilever[] =
    "materials: {m: {density: 1, young: 1200, poisson: 0.3}}\n"
    "meshes: {bar: {type: box, size: [10, 1, 1], cells: [10, 1, 1], order: quadratic}}\n"
    "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
    "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"
    "loads: {tip: {type: force, on: bar.right, value: [0, 0, -3]}}\n"
    "analysis: {type: static, load_steps: 8, newton_tolerance: 1.0e-4}\n"
    "probes:\n"
    "  low: {quantity: displacement, at: \"bar.at(10, 0, 0)\"}\n"
    "  side: {quantity: displacement, at: \"bar.at(10, 0, 0.5)\"}\n"
    "  high: {quantity: displacement, at: \"bar.at(10, 1, 1)\"}\n";

/* reference/solid_cantilever.py C3D20 > bar.inp; ccx bar (CalculiX 2.20): displacements of nodes of
   the end under 3 N, which bends it by 0.6 of its length, all digits that it prints */
static void bent_as_by_calculix(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *probe;
        double u[3];
    } want[] = {{"low", {-2.949386, 1.700300e-04, -5.797070}},
                {"side", {-2.534324, 3.126017e-04, -6.018820}},
                {"high", {-2.119285, -4.548352e-04, -6.240587}}};
    verify v;
    verify_text(&v, cantilever, NULL);
    verify_static(&v);
    for (int i = 0; i < GOS_COUNT(want); i++) {
        double u[GOS_PROBE_MAX];
        verify_probe(&v, NULL, want[i].probe, u);
        for (int c = 0; c < 3; c++) {
            verify_near(want[i].probe, u[c], want[i].u[c], c == 1 ? 2e-9 : 2e-6);
        }
    }
    verify_close(&v);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

static const char bar[] =
    "parameters: {nu: 0, F: 0, T: 0, alpha: 1.0e-3}\n"
    "reference_temperature: 300\n"
    "materials: {m: {density: 8, young: 200, poisson: nu, conductivity: 2, specific_heat: 500,\n"
    "                expansion: alpha, emissivity: 0.8, absorptivity: 0.7}}\n"
    "meshes: {bar: {type: box, size: [2, 0.5, 0.4], cells: [4, 1, 2], order: quadratic}}\n"
    "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
    "joints: {root: {type: clamp, between: [ground, bar.left]}}\n"
    "probes:\n"
    "  u: {quantity: displacement, at: bar.right}\n"
    "  T: {quantity: temperature, at: bar.right}\n"
    "  S: {quantity: stress, at: \"bar.at(0.7, 0.1, 0.15)\"}\n"
    "  mises: {quantity: von_mises, at: \"bar.at(0.7, 0.1, 0.15)\"}\n"
    "  principal: {quantity: principal_stress, at: \"bar.at(0.7, 0.1, 0.15)\"}\n"
    "  largest: {quantity: max_von_mises, at: bar.right}\n";

#define STATIC "analysis: {type: static, newton_tolerance: 1.0e-6, load_steps: 1}\n"

/* Saint Venant and Kirchhoff's bar: the dead force F makes the stretch l with F/A = E l (l^2 -
   1)/2; S = E (l^2 - 1)/2, Cauchy's stress l S (l^-2 across: nu = 0). Against the linear bar
   differences fall with the square of the strain. */
static void pulled_bar(void **state) {
    GOS_UNUSED(state);
    static const double stretch[3] = {1.2, 1.02, 1.002};
    double off[3];
    for (int i = 0; i < 3; i++) {
        const double l = stretch[i], S = 100 * (l * l - 1), F = 0.2 * l * S;
        verify v;
        char text[4000], set[60];
        snprintf(text, sizeof text,
                 "%sloads: {pull: {type: force, on: bar.right, value: [F, 0, 0]}}\n"
                 "heat: {cold: {type: temperature, value: 0, on: bar}}\n" STATIC,
                 bar);
        snprintf(set, sizeof set, "F=%.17g", F);
        verify_text(&v, text, set);
        verify_static(&v);
        const double u = verify_value(&v, NULL, "u.x");
        verify_near("stretch of a pulled bar", 1 + u / 2, l, 1e-12);
        verify_near("... its stress S11", verify_value(&v, NULL, "S.S11"), S, 1e-9);
        verify_near("... von Mises' stress", verify_value(&v, NULL, "mises.value"), l * S, 1e-9);
        verify_near("... first principal stress", verify_value(&v, NULL, "principal.first"), l * S,
                    1e-9);
        verify_near("... largest at its end", verify_value(&v, NULL, "largest.value"), l * S, 1e-9);
        verify_near("... which was at", verify_value(&v, NULL, "largest.x"), 2, 1e-15);
        off[i] = fabs(u - F * 2 / (0.2 * 200));
        verify_close(&v);
    }
    verify_within("order of the difference from linear elements", verify_order(off[1], off[2], 10),
                  1.95, 2.05);
}

/* heated between fixed walls on all sides: S = -E alpha T/(1 - 2 nu) in every direction, without
 * von Mises' stress */
static void held_and_heated(void **state) {
    GOS_UNUSED(state);
    verify v;
    char text[4000];
    snprintf(text, sizeof text, "%sheat: {warm: {type: temperature, value: T, on: bar}}\n" STATIC,
             bar);
    memcpy(strstr(text, "bar.left"), "bar.skin", 8);
    verify_text(&v, text, "nu=0.3 T=20");
    verify_static(&v);
    const double want = -200 * 1e-3 * 20 / (1 - 0.6);
    verify_near("held and heated: S11", verify_value(&v, NULL, "S.S11"), want, 1e-11);
    verify_near("... S22", verify_value(&v, NULL, "S.S22"), want, 1e-11);
    verify_near("... S33", verify_value(&v, NULL, "S.S33"), want, 1e-11);
    verify_near("... von Mises", verify_value(&v, NULL, "mises.value"), 0, 1e-11);
    verify_close(&v);
}

/* a bar that spins about its clamped end: u = rho w^2 L^3/(3 E) to first order, so that errors fall
 * with w^2 */
static void spinning_bar(void **state) {
    GOS_UNUSED(state);
    double off[2];
    for (int i = 0; i < 2; i++) {
        const double ww = i == 0 ? 0.02 : 0.005; // strain 4 ww 8/(2 200) = 1.6e-3 at the root
        verify v;
        char text[4000], set[60];
        snprintf(text, sizeof text,
                 "%sheat: {cold: {type: temperature, value: 0, on: bar}}\n"
                 "analysis: {type: static, newton_tolerance: 1.0e-6,\n"
                 "           spin: {axis: [0, 0, 1], rate: F}}\n",
                 bar);
        char *joints = strstr(text, "bodies: {bar"), after[4000];
        snprintf(after, sizeof after, "%s", strstr(text, "probes:"));
        snprintf(
            joints, sizeof text - (size_t)(joints - text),
            "bodies:\n  bar: {type: solid, material: m, mesh: bar, position: [0, -0.25, -0.2]}\n"
            "  hub: {type: rigid, mass: 1, inertia: [1, 1, 1]}\n"
            "joints:\n  root: {type: clamp, between: [hub, bar.left]}\n"
            "  turn: {type: driven_rotation, between: [ground, hub], axis: [0, 0, 1],\n"
            "         angle: \"F*t\"}\n  pin: {type: revolute, between: [ground, hub],\n"
            "         axis: [0, 0, 1]}\n%s",
            after);
        snprintf(set, sizeof set, "F=%.17g", sqrt(ww));
        verify_text(&v, text, set);
        verify_static(&v);
        const double first = 8 * ww * 8 / (3 * 200);
        off[i] = verify_value(&v, NULL, "u.x") / first - 1;
        verify_near("stretch of a spinning bar over that of first order", 1 + off[i], 1, 2e-3);
        verify_close(&v);
    }
    verify_within("order of the error in w^2", verify_order(off[0], off[1], 4), 0.95, 1.05);
}

/* Flux, sun, convection and radiation on one end of a bar whose other end is at 0: k T/L = what
   they bring at T. A source inside: s L^2/(2 k) besides. The sun shines at 60 degrees to the
   normal; the bar casts it away where it faces away. */
static void heat_on_surfaces(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *entry;
        double flux, film, ambient, radiates, source;
    } cases[] = {
        {"{type: flux, value: 90, on: bar.right}", 90, 0, 0, 0, 0},
        {"{type: flux, value: 90, direction: [-0.5, 0.75, -0.4330127018922193], on: bar.right}",
         90 * 0.7 * 0.5, 0, 0, 0, 0},
        {"{type: flux, value: 90, direction: [0.5, 0.8660254037844386, 0], on: bar.right}", 0, 0, 0,
         0, 0},
        {"{type: convection, coefficient: 3, ambient: 40, on: bar.right}", 0, 3, 40, 0, 0},
        {"{type: radiation, sink: 400, on: bar.right}", 0, 0, 0, 0.8 * 5.670374419e-8, 0},
        {"{type: source, value: 70, on: bar}", 0, 0, 0, 0, 70},
        {"{type: heat_flow, value: 11, on: bar.right}", 55, 0, 0, 0, 0},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v;
        char text[4000];
        double T = 0, high = 500;
        snprintf(
            text, sizeof text,
            "%sheat:\n  cold: {type: temperature, value: 0, on: bar.left}\n  some: %s\n" STATIC,
            bar, cases[i].entry);
        verify_text(&v, text, "alpha=0"); // sides do not turn
        verify_static(&v);
        for (int it = 0; it < 80; it++) { // k T/L + h T = the rest, which falls with T
            const double mid = 0.5 * (T + high), now = 300 + mid, sink = 400;
            const double radiation = cases[i].radiates * (pow(sink, 4) - pow(now, 4));
            const double brings =
                cases[i].flux + cases[i].film * cases[i].ambient + radiation + cases[i].source;
            *(brings > (1 + cases[i].film) * mid ? &T : &high) = mid;
        }
        verify_near("heat on the end of a bar: its temperature", verify_value(&v, NULL, "T.T"), T,
                    1e-9);
        verify_close(&v);
    }
}

/* all heat on all sides, damping and both couplings: the Newton matrix of a random state */
static void newton_matrix(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "reference_temperature: 300\n"
        "materials: {m: {density: 8, young: 20, poisson: 0.3, conductivity: 2, specific_heat: 5,\n"
        "                expansion: 1.0e-2, emissivity: 0.8, absorptivity: 0.7,\n"
        "                damping: {normal: 0.4, shear: 0.3}}}\n"
        "meshes: {bar: {type: box, size: [1, 0.8, 0.6], cells: [1, 1, 2], order: quadratic}}\n"
        "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
        "joints:\n"
        "  root: {type: clamp, between: [ground, bar.left]}\n"
        "  pin: {type: spherical, between: [ground, bar.right]}\n"
        "heat:\n"
        "  sun: {type: flux, value: 90, direction: [-0.4, -0.7, -0.5], on: bar}\n"
        "  film: {type: convection, coefficient: 3, ambient: 40, on: bar.top}\n"
        "  glow: {type: radiation, sink: 400, on: bar.front}\n"
        "  source: {type: source, value: 7, on: bar}\n"
        "analysis: {end: 1, thermoelastic_heat: true, viscous_heating: true}\n";
    verify v;
    verify_text(&v, model, NULL);
    check_newton_matrix(v.sys, "solid", 50, 1);
    verify_close(&v);
}

/* ---- free flight ----------------------------------------------------------------------------- */

/* momentum and moment of momentum about the origin, int x x v dm */
static void momenta(const verify *v, double p[3], double L[3]) {
    const gos_rows_matrix *M = &v->sys->mass;
    memset(p, 0, 3 * sizeof *p);
    memset(L, 0, 3 * sizeof *L);
    for (int i = 0; i < M->n; i++) {
        for (int k = M->p[i]; k < M->p[i + 1]; k++) {
            const double *x = v->state->q + 3 * i, *u = v->state->v + 3 * M->j[k];
            double c[3];
            gos__cross3(x, u, c);
            for (int d = 0; d < 3; d++) {
                p[d] += M->v[k] * u[d];
                L[d] += M->v[k] * c[d];
            }
        }
    }
}

/* A soft block that tumbles, stretched by its rotation and ringing: energy and moment of momentum
   are kept at the order of the steps, momentum by every step. */
static void free_flight(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 8, young: 2.0e3, poisson: 0.3}}\n"
        "meshes: {bar: {type: box, size: [1, 0.5, 0.25], cells: [2, 1, 1], order: quadratic}}\n"
        "bodies: {bar: {type: solid, material: m, mesh: bar}}\n"
        "initial: {bar: {velocity: [1, 2, -0.5], angular_velocity: [9, 6, 15]}}\n"
        "analysis: {end: 0.2, step: 4.0e-4, rho_infinity: 1, newton_tolerance: 1.0e-6}\n";
    double energy[2], turn[2];
    for (int i = 0; i < 2; i++) {
        verify v;
        double p[3], L[3], p1[3], L1[3];
        gos_energy e;
        verify_text(&v, model, i ? "analysis.step=2.0e-4" : NULL);
        momenta(&v, p, L);
        verify_near("momentum at the start", p[0], 1, 1e-12); // 8 kg/m^3 of 1/8 m^3
        verify_run(&v);
        momenta(&v, p1, L1);
        gos_system_energy(v.sys, v.state, &e);
        assert_true(e.strain > 1); // of 16 J
        energy[i] = fabs(e.balance) / e.kinetic;
        turn[i] = verify_distance(L, L1) / gos__norm3(L);
        verify_below("change of momentum", verify_distance(p, p1), 1e-9);
        verify_below("change of energy", energy[i], 1e-3);
        verify_below("change of moment of momentum", turn[i], 1e-3);
        verify_close(&v);
    }
    verify_within("order of energy", verify_order(energy[0], energy[1], 2), 1.8, 4);
    verify_within("order of moment of momentum", verify_order(turn[0], turn[1], 2), 1.8, 4);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_elements),     cmocka_unit_test(patches),
        cmocka_unit_test(bent_as_by_calculix), cmocka_unit_test(pulled_bar),
        cmocka_unit_test(held_and_heated),     cmocka_unit_test(spinning_bar),
        cmocka_unit_test(heat_on_surfaces),    cmocka_unit_test(newton_matrix),
        cmocka_unit_test(free_flight),
    };
    return cmocka_run_group_tests_name("solid", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
