/* Orthotropic and laminated thin plates: their law and heat against classical lamination,
   frequencies and deflections by Navier, arcs of what expands unevenly, heat through films and
   plies, and one material in all ways to say it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "plate/plate_law.h"
#include "gossamer/gossamer.h"
#include "support/lamination.h"
#include "support/suite.h"
#include "support/verify.h"

#define DEG (M_PI / 180)

/* ---- the law --------------------------------------------------------------------------------- */

static const fibres carbon = {.E1 = 140e9,
                              .E2 = 9e9,
                              .nu12 = 0.3,
                              .G12 = 5e9,
                              .a1 = -1e-6,
                              .a2 = 3e-5,
                              .k1 = 5,
                              .k2 = 0.6,
                              .k3 = 0.5,
                              .rho = 1600,
                              .c = 900,
                              .gn = 2e-3,
                              .gs = 5e-3};
static const fibres glass = {.E1 = 40e9,
                             .E2 = 8e9,
                             .nu12 = 0.25,
                             .G12 = 4e9,
                             .a1 = 6e-6,
                             .a2 = 2e-5,
                             .k1 = 1,
                             .k2 = 0.4,
                             .k3 = 0.3,
                             .rho = 2000,
                             .c = 800,
                             .gn = 1e-3,
                             .gs = 3e-3};
#define FIBRES                                                                                     \
    "  carbon: {type: orthotropic, density: 1600, E1: 140e9, E2: 9e9, nu12: 0.3, G12: 5e9,\n"      \
    "    G13: 5e9, G23: 3.2e9, expansion1: -1e-6, expansion2: 3e-5, conductivity1: 5,\n"           \
    "    conductivity2: 0.6, conductivity3: 0.5, specific_heat: 900,\n"                            \
    "    damping: {normal: 2e-3, shear: 5e-3}}\n"                                                  \
    "  glass: {type: orthotropic, density: 2000, E1: 40e9, E2: 8e9, nu12: 0.25, G12: 4e9,\n"       \
    "    G13: 4e9, G23: 3e9, expansion1: 6e-6, expansion2: 2e-5, conductivity1: 1,\n"              \
    "    conductivity2: 0.4, conductivity3: 0.3, specific_heat: 800,\n"                            \
    "    damping: {normal: 1e-3, shear: 3e-3}}\n"

static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* (A, -B; -B, D) in the order of the law */
static void order(double A[3][3], double B[3][3], double D[3][3], double C[6][6]) {
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, c = i % 3;
        C[r][c] = A[r][c];
        C[r][3 + c] = C[3 + r][c] = -B[r][c];
        C[3 + r][3 + c] = D[r][c];
    }
}

static void same_numbers(const char *what, int n, const double *got, const double *want) {
    double off = 0;
    for (int i = 0; i < n; i++) {
        off = fmax(off, fabs(got[i] - want[i]));
    }
    verify_below(what, off / largest(n, want), 1e-12);
}

/* three plies of two materials at angles to a direction, off the surface by what makes their mass
 * balance */
static const double angles[3] = {50 * DEG, -25 * DEG, 30 * DEG};
static void uneven(lamination *l, double *offset) {
    const layer plies[3] = {
        {&carbon, 1e-3, angles[0]}, {&glass, 5e-4, angles[1]}, {&carbon, 2e-3, angles[2]}};
    laminate(plies, 3, 0, l);
    *offset = -l->mass[1] / l->mass[0];
    laminate(plies, 3, *offset, l);
}

static void open_uneven(verify *v, double offset) {
    char text[3000];
    (void)snprintf(text, sizeof text,
                   "materials:\n" FIBRES
                   "  panel: {type: laminate, material: carbon, offset: %.17g, plies: [{angle: "
                   "deg(30), thickness: 1e-3},\n"
                   "    {angle: deg(-45), thickness: 5e-4, material: glass}, {angle: deg(10), "
                   "thickness: 2e-3}]}\n"
                   "bodies: {p: {type: ancf_plate, material: panel, corner: [0, 0, 0],\n"
                   "  x: [0, 0.5, 0], y: [-0.3, 0, 0], elements: [2, 2],\n"
                   "  direction: [-sin(deg(20)), cos(deg(20)), 0.7]}}\n"
                   "analysis: {end: 1, thermoelastic_heat: true, viscous_heating: true}\n",
                   offset);
    verify_text(v, text, NULL);
}

static void law_is_lamination(void **state) {
    GOS_UNUSED(state);
    lamination l;
    double offset, C[6][6], F[2][6], free[2][6] = {{0}};
    uneven(&l, &offset);
    verify v;
    open_uneven(&v, offset);
    const gos_plate_plies_par *p = v.sys->points[0]->par;
    assert_ptr_equal(v.sys->points[0]->law, &gos__plate_plies_law);
    order(l.A, l.B, l.D, C);
    same_numbers("stiffness", 36, (const double *)p->C, (const double *)C);
    for (int b = 0; b < 4; b++) { // each of A, B, B, D by itself: their units differ
        double got[9], want[9];
        for (int i = 0; i < 9; i++) {
            got[i] = p->C[b / 2 * 3 + i / 3][b % 2 * 3 + i % 3];
            want[i] = C[b / 2 * 3 + i / 3][b % 2 * 3 + i % 3];
        }
        same_numbers(b == 0 ? "A" : b == 3 ? "D" : "B", 9, got, want);
    }
    order(l.V[0], l.V[1], l.V[2], C);
    same_numbers("damping", 36, (const double *)p->V, (const double *)C);
    same_numbers("damping of bending", 3, &p->V[3][3], &C[3][3]);
    for (int f = 0; f < 2; f++) {
        for (int i = 0; i < 3; i++) {
            F[f][i] = l.N[f][i];
            F[f][3 + i] = -l.M[f][i];
        }
        same_numbers("forces of temperature", 3, p->F[f], F[f]);
        same_numbers("moments of temperature", 3, p->F[f] + 3, F[f] + 3);
        for (int i = 0; i < 36; i++) {
            free[f][i / 6] += p->C[i / 6][i % 6] * p->free[f][i % 6];
        }
        same_numbers("of free strains", 3, free[f], F[f]);
        same_numbers("of free curvatures", 3, free[f] + 3, F[f] + 3);
    }
    verify_close(&v);
}

/* each ply's power enters at the height of its middle: of one that alone is damped V times that */
static void power_of_a_ply(void **state) {
    GOS_UNUSED(state);
    verify v;
    verify_text(
        &v,
        "materials:\n"
        "  m: {density: 1, young: 1, poisson: 0.3, conductivity: 1, specific_heat: 1}\n"
        "  d: {density: 1, young: 1, poisson: 0.3, conductivity: 1, specific_heat: 1,\n"
        "    damping: {normal: 0.2, shear: 0.1}}\n"
        "  panel: {type: laminate, thickness: 0.001, plies: [{material: m}, {material: m},\n"
        "    {material: d}]}\n"
        "bodies: {p: {type: ancf_plate, material: panel, corner: [0, 0, 0], x: [1, 0, 0],\n"
        "  y: [0, 1, 0], elements: [2, 2], direction: [1, 1, 0]}}\n",
        NULL);
    const gos_plate_plies_par *p = v.sys->points[0]->par;
    double off = 0;
    for (int i = 0; i < 36; i++) {
        off = fmax(off, fabs(p->H[i / 6][i % 6] - 1e-3 * p->V[i / 6][i % 6]));
    }
    verify_below("power", off / (1e-3 * p->V[0][0]), 1e-14);
    // of an isotropic ply in the axes of the plate, as a plate of it
    verify_near("normal", p->V[0][0], 1e-3 * 0.2 / 0.91, 1e-17);
    verify_near("shear", p->V[2][2], 1e-3 * 0.1 / 2.6, 1e-17);
    verify_close(&v);
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* x^T A y of a block */
static double product(const gos_matrix_view *A, const double *x, const double *y) {
    double sum = 0;
    for (int j = 0; j < A->columns; j++) {
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            sum += x[A->row[k]] * A->value[k] * y[j];
        }
    }
    return sum;
}

/* capacity and conduction of fields that are linear in the plane, T or T_z, in pairs: exact
 * integrals */
static void heat_is_lamination(void **state) {
    GOS_UNUSED(state);
    lamination l;
    double offset, field[6][18] = {{0}};
    gos_linear *linear = NULL;
    gos_matrix_view C, K;
    verify v;
    uneven(&l, &offset);
    open_uneven(&v, offset);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_block(linear, GOS_BLOCK_C_T, &C);
    gos_linear_block(linear, GOS_BLOCK_K_T, &K);
    assert_int_equal(C.rows, 18);
    const double a = 0.5, b = 0.3, area = a * b;
    for (int i = 0; i < 9; i++) { // 1, x, y of T, then of T_z
        const double of[3] = {1, a * (i % 3) / 2, b * (i / 3) / 2};
        for (int f = 0; f < 6; f++) {
            field[f][2 * i + f / 3] = of[f % 3];
        }
    }
    // int of products of 1, x, y
    const double P[3][3] = {
        {1, a / 2, b / 2}, {a / 2, a * a / 3, a * b / 4}, {b / 2, a * b / 4, b * b / 3}};
    double off[2] = {0, 0};
    for (int f = 0; f < 36; f++) {
        const int r = f / 6, c = f % 6, i = r % 3, j = c % 3, power = r / 3 + c / 3;
        const double grad = i == 0 || j == 0 ? 0 : i == j ? l.k[power][i - 1] : l.k[power][2];
        const double want[2] = {area * l.heat[power] * P[i][j],
                                area * (grad + (power == 2 ? l.through * P[i][j] : 0))};
        off[0] =
            fmax(off[0], fabs(product(&C, field[r], field[c]) - want[0]) / area / l.heat[power]);
        off[1] = fmax(off[1], fabs(product(&K, field[r], field[c]) - want[1]) / area /
                                  (fabs(l.k[power][0]) + (power == 2 ? l.through : 0)));
    }
    verify_below("capacity", off[0], 1e-12);
    verify_below("conduction", off[1], 1e-12);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* of polynomials of degree 1, which the mesh has too, the matrices are those of the mesh for their
 * values at nodes */
static void heat_of_fields(void **state) {
    GOS_UNUSED(state);
    lamination l;
    double offset, value[6][18] = {{0}}, off[2] = {0, 0}, most[2] = {0, 0};
    gos_linear *linear = NULL;
    gos_matrix_view mesh[2];
    gos_body_fields f;
    verify v;
    uneven(&l, &offset);
    open_uneven(&v, offset);
    gos_arena *arena = gos__arena_create(v.ctx);
    const gos_body *b = v.sys->body[0];
    verify_good(&v, b->ops->fields(v.ctx, arena, b, 3, 3, 36, &f));
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_block(linear, GOS_BLOCK_C_T, &mesh[0]);
    gos_linear_block(linear, GOS_BLOCK_K_T, &mesh[1]);
    for (int i = 0; i < 9 * 6; i++) { // of each node field k of family i % 2
        const int node = i / 6, k = i % 6 / 2, family = i % 2;
        value[2 * k + family][2 * node + family] = f.tvalue[3 * node + k];
    }
    for (int r = 0; r < 36; r++) {
        const double *own[2] = {f.capacity, f.conduction};
        const int scale = r / 6 % 2 + r % 2; // T_z over T, a length
        for (int m = 0; m < 2; m++) {
            const double at = pow(l.height, -scale),
                         want = at * product(&mesh[m], value[r / 6], value[r % 6]);
            off[m] = fmax(off[m], fabs(at * own[m][r] - want));
            most[m] = fmax(most[m], fabs(want));
        }
    }
    verify_below("capacity of fields", off[0] / most[0], 1e-12);
    verify_below("conduction of fields", off[1] / most[1], 1e-12);
    gos__arena_destroy(arena);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* films on both faces of a sandwich: resistances in a row; and T_z bends it as its faces and core
 * expand (as of the shell, test_laminates) */
static void films(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials:\n"
        "  face: {density: 2700, young: 7e10, poisson: 0, expansion: 2.3e-6, conductivity: 2,\n"
        "    specific_heat: 900}\n"
        "  core: {density: 60, young: 7e7, poisson: 0, expansion: 5e-6, conductivity: 0.04,\n"
        "    specific_heat: 1400}\n"
        "  panel: {type: laminate, plies: [{material: face, thickness: 0.001},\n"
        "    {material: core, thickness: 0.01}], symmetric: true}\n"
        "bodies: {p: {type: ancf_plate, material: panel, corner: [0, 0, 0], x: [2, 0, 0],\n"
        "  y: [0, 0.1, 0], elements: [8, 1]}}\n"
        "joints: {hold: {type: clamp, between: [ground, \"p.node(0,0)\"]}}\n"
        "heat:\n"
        "  warm: {type: convection, coefficient: 40, ambient: 80, on: p.top}\n"
        "  cold: {type: convection, coefficient: 25, ambient: -30, on: p.bottom}\n"
        "probes: {th: {at: \"p.at(1,0.05)\", quantity: temperature},\n"
        "  b: {at: \"p.at(1,0.05)\", quantity: curvature}}\n"
        "analysis: {type: static}\n";
    const double q = 110 / (1 / 40.0 + 2 * 0.001 / 2 + 0.02 / 0.04 + 1 / 25.0);
    verify v;
    verify_text(&v, model, NULL);
    verify_static(&v);
    const double upper = 80 - q / 40, lower = -30 + q / 25;
    verify_near("T", verify_value(&v, NULL, "th.T"), (upper + lower) / 2, 1e-9);
    verify_near("T_z", verify_value(&v, NULL, "th.T_z"), (upper - lower) / 0.022, 1e-7);
    const double slope[2] = {q / 2, q / 0.04}, border = 0.01 * slope[1];
    const double face = (pow(0.011, 3) - pow(0.01, 3)) / 3, lever = (0.011 * 0.011 - 1e-4) / 2;
    const double moment = 7e10 * 2.3e-6 * (border * lever + slope[0] * (face - 0.01 * lever)) +
                          7e7 * 5e-6 * slope[1] * 1e-6 / 3;
    const double curvature = moment / (7e10 * face + 7e7 * 1e-6 / 3);
    verify_near("b11", verify_value(&v, NULL, "b.b11"), -curvature, 1e-5 * curvature);
    int told = 0;
    for (int k = 0; k < gos_ctx_ndiag(v.ctx); k++) {
        told += strstr(gos_ctx_diag(v.ctx, k)->text, "neglect transverse shear") != NULL;
    }
    assert_int_equal(told, 1);
    verify_close(&v);
}

/* ---- arcs ------------------------------------------------------------------------------------ */

/* Two metals that expand along a strip alone, without contraction: each fibre along it has E_1
   alpha_1, and the strip, held at one end, is an arc of Timoshenko's curvature (J. Opt. Soc. Am. 11
   (1925), eq. 4) without stress, of strains E and b everywhere: r_1 has the length s = sqrt(1 + 2
   E), the arc the curvature b / s^2 and the angle b L / s. It turns by almost a quarter. */
static void bimetal(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "parameters: {nx: 32}\nmaterials:\n"
        "  steel: {type: orthotropic, density: 7800, E1: 2.1e11, E2: 2.1e11, nu12: 0, G12: 8e10,\n"
        "    G13: 8e10, G23: 8e10, expansion1: 1.2e-5, expansion2: 0, conductivity1: 50,\n"
        "    specific_heat: 480}\n"
        "  brass: {type: orthotropic, density: 7800, E1: 1.0e11, E2: 1.0e11, nu12: 0, G12: 4e10,\n"
        "    G13: 4e10, G23: 4e10, expansion1: 1.9e-5, expansion2: 0, conductivity1: 110,\n"
        "    specific_heat: 380}\n"
        "  panel: {type: laminate, plies: [%s]}\n"
        "bodies: {p: {type: ancf_plate, material: panel, corner: [0, 0, 0], x: [0.2, 0, 0],\n"
        "  y: [0, 0.02, 0], elements: [nx, 1]}}\n"
        "joints: {hold: {type: clamp, between: [ground, p.edge.x0]}}\n"
        "heat: {T: {type: temperature, value: 500, on: p}}\n"
        "probes: {tip: {at: \"p.at(0.2,0.01)\", quantity: displacement}}\n"
        "analysis: {type: static, newton_tolerance: 1e-8}\n";
    static const char *const plies[2] = {
        "{material: steel, thickness: 2e-4}, {material: brass, thickness: 3e-4}",
        "{material: brass, thickness: 3e-4}, {material: steel, thickness: 2e-4}"};
    const double m = 2.0 / 3, n = 2.1, h = 5e-4, T = 500, L = 0.2;
    const double curvature = 6 * 0.7e-5 * T * (1 + m) * (1 + m) /
                             (h * (3 * (1 + m) * (1 + m) + (1 + m * n) * (m * m + 1 / (m * n))));
    for (int i = 0; i < 2; i++) {
        char text[2000];
        double y[3];
        verify v;
        (void)snprintf(text, sizeof text, model, plies[i]);
        verify_text(&v, text, NULL);
        verify_static(&v);
        // strain where z = 0, without force: sum of E t (E + z k - alpha T) = 0, k towards what
        // expands less
        const double k = (i ? 1 : -1) * -curvature, z[2] = {i ? 1.5e-4 : -1.5e-4, i ? -1e-4 : 1e-4},
                     Et[2] = {2.1e11 * 2e-4, 1e11 * 3e-4};
        const double E =
            (Et[0] * (1.2e-5 * T - z[0] * k) + Et[1] * (1.9e-5 * T - z[1] * k)) / (Et[0] + Et[1]);
        const double s = sqrt(1 + 2 * E), bend = -k / (s * s), angle = -k * L / s;
        assert_true(fabs(angle) > 1.1);
        verify_probe(&v, NULL, "tip", y);
        verify_near("x", y[0], sin(angle) / bend - L, 1e-7 * L);
        verify_near("z", y[2], (1 - cos(angle)) / bend, 1e-7 * L);
        verify_near("y", y[1], 0, 1e-9 * L);
        verify_close(&v);
    }
}

/* a free ply at an angle becomes longer, wider and oblique by the tensor of its expansion: Green's
 * strains, of direction and of ply angle */
static void oblique(void **state) {
    GOS_UNUSED(state);
    static const char *const ways[2][2] = {{"[0]", "direction: [cos(deg(25)), sin(deg(25)), 0]"},
                                           {"[deg(25)]", "direction: [0, 0, 0]"}};
    const double c = cos(25 * DEG), s = sin(25 * DEG), T = 400;
    const double xx = (-1e-6 * c * c + 3e-5 * s * s) * T, yy = (-1e-6 * s * s + 3e-5 * c * c) * T,
                 xy = 2 * (-1e-6 - 3e-5) * s * c * T;
    for (int i = 0; i < 2; i++) {
        char text[3000];
        verify v;
        (void)snprintf(text, sizeof text,
                       "materials:\n" FIBRES
                       "  panel: {type: laminate, material: carbon, thickness: 2e-3, plies: %s}\n"
                       "bodies: {p: {type: ancf_plate, material: panel, corner: [0, 0, 0],\n"
                       "  x: [1, 0, 0], y: [0, 1, 0], elements: [2, 2], %s}}\n"
                       "joints: {a: {type: spherical, between: [ground, p.corner(1)]},\n"
                       "  b: {type: point_on_line, between: [ground, p.corner(2)], direction: [1, "
                       "0, 0]},\n"
                       "  c: {type: point_on_plane, between: [ground, p.corner(4)], normal: [0, 0, "
                       "1]}}\n"
                       "heat: {T: {type: temperature, value: 400, on: p}}\n"
                       "probes: {e: {at: \"p.at(0.3,0.6)\", quantity: strain}}\n"
                       "analysis: {type: static, newton_tolerance: 1e-8}\n",
                       ways[i][0], ways[i][1]);
        verify_text(&v, text, NULL);
        verify_static(&v);
        verify_near("E11", verify_value(&v, NULL, "e.E11"), xx, 1e-9 * fabs(yy));
        verify_near("E22", verify_value(&v, NULL, "e.E22"), yy, 1e-9 * fabs(yy));
        verify_near("2E12", verify_value(&v, NULL, "e.2E12"), xy, 1e-9 * fabs(yy));
        verify_close(&v);
    }
}

/* ---- one material in all ways to say it ------------------------------------------------------ */

#define ISOTROPIC                                                                                  \
    "  iso: {density: 2000, young: 1.0e8, poisson: 0.3, conductivity: 1, specific_heat: 200,\n"    \
    "    expansion: 1.0e-3, absorptivity: 0.8, emissivity: 0.6,\n"                                 \
    "    damping: {normal: 2.0e-3, shear: 1.0e-3}}\n"                                              \
    "  ortho: {type: orthotropic, density: 2000, E1: 1.0e8, E2: 1.0e8, nu12: 0.3, G12: 1e8/2.6,\n" \
    "    G13: 1e8/2.6, G23: 1e8/2.6, conductivity1: 1, specific_heat: 200, expansion1: 1.0e-3,\n"  \
    "    absorptivity: 0.8, emissivity: 0.6, damping: {normal: 2.0e-3, shear: 1.0e-3}}\n"          \
    "  ply: {type: laminate, plies: [{material: iso, thickness: 0.01}], absorptivity: 0.8,\n"      \
    "    emissivity: 0.6}\n"                                                                       \
    "  half: {type: laminate, plies: [{material: iso, thickness: 0.003},\n"                        \
    "    {material: ortho, thickness: 0.007}], absorptivity: 0.8, emissivity: 0.6}\n"

/* a plate that swings in the sun: of the material, orthotropic with equal constants, a laminate of
   one ply, and, without the heat of damping (which is each ply's), of two */
static void one_material(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *what, *viscous;
    } cases[] = {{"iso, thickness: 0.01", "true"},
                 {"ortho, thickness: 0.01", "true"},
                 {"ply", "true"},
                 {"iso, thickness: 0.01", "false"},
                 {"half", "false"}};
    double y[5][5];
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char text[4000];
        verify v;
        (void)snprintf(
            text, sizeof text,
            "gravity: [0, 0, -9.81]\nmaterials:\n" ISOTROPIC "bodies:\n"
            "  plate: {type: ancf_plate, material: %s, corner: [0, 0, 0], x: [1, 0, 0],\n"
            "          y: [0, 0.6, 0], elements: [4, 3]}\n"
            "joints: {pin: {type: spherical, between: [ground, plate.corner(1)]}}\n"
            "heat:\n"
            "  sun: {type: flux, value: 20000, direction: [0, 0.6, -0.8], on: plate}\n"
            "  space: {type: radiation, sink: 3, on: plate}\n"
            "probes: {tip: {at: plate.corner(3)}, th: {at: \"plate.at(0.5,0.3)\", quantity: "
            "temperature}}\n"
            "analysis: {end: 0.1, thermoelastic_heat: true, viscous_heating: %s, "
            "newton_tolerance: 1.0e-10, step: 1.0e-3}\n",
            cases[i].what, cases[i].viscous);
        verify_text(&v, text, NULL);
        verify_run(&v);
        verify_probe(&v, NULL, "tip", y[i]);
        y[i][3] = verify_value(&v, NULL, "th.T");
        y[i][4] = verify_value(&v, NULL, "th.T_z");
        verify_close(&v);
    }
    static const int like[][2] = {{1, 0}, {2, 0}, {4, 3}};
    for (int k = 0; k < 3; k++) {
        double off = 0;
        for (int i = 0; i < 5; i++) {
            off = fmax(off, fabs(y[like[k][0]][i] / y[like[k][1]][i] - 1));
        }
        verify_below(cases[like[k][0]].what, off, 1e-9);
    }
    assert_true(fabs(y[0][4] / y[3][4] - 1) > 1e-6 || fabs(y[0][3] / y[3][3] - 1) > 1e-6);
}

/* plies turned by a right angle are the plate with its axes swapped */
static void swapped(void **state) {
    GOS_UNUSED(state);
    static const char *const ways[2] = {
        "plies: [deg(20), deg(-50), deg(80)]}\nbodies: {p: {type: ancf_plate, material: panel,\n"
        "  corner: [0, 0, 0], x: [0.4, 0, 0], y: [0, 0.2, 0], elements: [6, 3]}}\n"
        "joints: {hold: {type: clamp, between: [ground, p.edge.x0]}}\n",
        "plies: [deg(-70), deg(-140), deg(-10)]}\nbodies: {p: {type: ancf_plate, material: "
        "panel,\n"
        "  corner: [0.4, 0, 0], x: [0, 0.2, 0], y: [-0.4, 0, 0], elements: [3, 6]}}\n"
        "joints: {hold: {type: clamp, between: [ground, p.edge.y1]}}\n"};
    double y[2][3];
    for (int i = 0; i < 2; i++) {
        char text[3000];
        verify v;
        (void)snprintf(text, sizeof text,
                       "materials:\n" FIBRES
                       "  panel: {type: laminate, material: carbon, thickness: 5e-4, %s"
                       "heat: {T: {type: temperature, value: 60, on: p}}\n"
                       "loads: {f: {type: force, on: p.%s, value: [20, 5, 40]}}\n"
                       "probes: {tip: {at: p.%s, quantity: displacement}}\n"
                       "analysis: {type: static, newton_tolerance: 1e-9}\n",
                       ways[i], i ? "corner(1)" : "corner(2)", i ? "corner(1)" : "corner(2)");
        verify_text(&v, text, NULL);
        verify_static(&v);
        verify_probe(&v, NULL, "tip", y[i]);
        verify_close(&v);
    }
    assert_true(fabs(y[0][2]) > 0.01);
    verify_below("tip", verify_distance(y[0], y[1]) / fabs(y[0][2]), 1e-9);
}

/* a patch on plies of one stiffness bends a plate as on one ply, also where unequal masses put the
   surface off its middle: its end then moves along by the arm times the angle besides */
static void patches(void **state) {
    GOS_UNUSED(state);
    static const char *const of[3] = {"one, thickness: 1e-3", "two", "off"};
    double y[3][3];
    for (int i = 0; i < 3; i++) {
        char text[3000];
        verify v;
        (void)snprintf(
            text, sizeof text,
            "materials:\n  one: {density: 2000, young: 70e9, poisson: 0}\n"
            "  light: {density: 1000, young: 70e9, poisson: 0}\n"
            "  heavy: {density: 3000, young: 70e9, poisson: 0}\n"
            "  pzt: {density: 7800, young: 60e9, poisson: 0}\n"
            "  two: {type: laminate, plies: [{material: one, thickness: 4e-4}, {material: one, "
            "thickness: 6e-4}]}\n"
            "  off: {type: laminate, offset: -0.125e-3, thickness: 5e-4, plies: [{material: "
            "light}, "
            "{material: heavy}]}\n"
            "bodies: {beam: {type: ancf_plate, material: %s, corner: [0, 0, 0], x: [0.2, 0, 0],\n"
            "  y: [0, 0.02, 0], elements: [10, 1]}}\n"
            "joints: {hold: {type: clamp, between: [ground, beam.edge.x0]}}\n"
            "piezo: {p: {type: patch, on: beam, thickness: 2e-4, e31: -6.5, e32: 0,\n"
            "  along: [1, 0, 0], permittivity: 1.3e-8, material: pzt, faces: upper,\n"
            "  channels: joined, voltage: 10}}\n"
            "probes: {tip: {at: \"beam.at(0.2,0.01)\", quantity: displacement}}\n"
            "analysis: {type: static, newton_tolerance: 1e-8}\n",
            of[i]);
        verify_text(&v, text, NULL);
        verify_static(&v);
        verify_probe(&v, NULL, "tip", y[i]);
        verify_close(&v);
    }
    const double w = y[0][2], angle = 2 * w / 0.2; // an arc
    verify_near("plies", y[1][2], w, 1e-10 * fabs(w));
    verify_near("off the middle", y[2][2], w, 1e-10 * fabs(w));
    verify_near("along", y[2][0] - y[0][0], -1.25e-4 * angle, 1e-3 * 1.25e-4 * fabs(angle));
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_is_lamination),
        cmocka_unit_test(power_of_a_ply),
        cmocka_unit_test(heat_is_lamination),
        cmocka_unit_test(heat_of_fields),
        cmocka_unit_test(films),
        cmocka_unit_test(bimetal),
        cmocka_unit_test(oblique),
        cmocka_unit_test(one_material),
        cmocka_unit_test(swapped),
        cmocka_unit_test(patches),
    };
    return cmocka_run_group_tests_name("plate of plies", tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
