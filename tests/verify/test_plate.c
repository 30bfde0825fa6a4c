/* The thin plate against closed forms and converged values (theory guide 2.7, 5.6): patch tests,
   frequencies, roll-up by a consistent edge moment, heat and what it bends, balances of a
   motion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <lapacke.h>

#include "plate/plate_law.h"
#include "gossamer/gossamer.h"
#include "math/vec3.h"
#include "support/balance.h"
#include "support/sanitized.h"
#include "support/suite.h"
#include "support/verify.h"

/* ---- small vibrations ------------------------------------------------------------------------ */

/* FV16: a = 10 m, h = 0.05 m, E = 200 GPa, nu = 0.3, rho = 8000 kg/m^3 */
static const char square[] =
    "parameters: {n: 8}\n"
    "materials: {steel: {density: 8000, young: 2.0e11, poisson: 0.3}}\n"
    "bodies:\n"
    "  plate: {type: ancf_plate, material: steel, thickness: 0.05, corner: [0, 0, 0],\n"
    "          x: [10, 0, 0], y: [0, 10, 0], elements: [n, n]}\n";

static const char clamped_square[] =
    "parameters: {n: 8}\n"
    "materials: {steel: {density: 8000, young: 2.0e11, poisson: 0.3}}\n"
    "bodies:\n"
    "  plate: {type: ancf_plate, material: steel, thickness: 0.05, corner: [0, 0, 0],\n"
    "          x: [10, 0, 0], y: [0, 10, 0], elements: [n, n]}\n"
    "joints: {root: {type: clamp, between: [ground, plate.edge.x0]}}\n";

/* pi^2 sqrt(D / (rho h)) / a^2 of it */
static double unit_frequency(void) {
    const double D = 2e11 * 0.05 * 0.05 * 0.05 / (12 * 0.91);
    return M_PI * M_PI * sqrt(D / (8000 * 0.05)) / 100;
}

static void lowest(const char *text, int n, int count, gos_mode *mode) {
    verify v;
    gos_linear *linear = NULL;
    char set[40];
    int found;
    snprintf(set, sizeof set, "n=%d", n);
    verify_text(&v, text, set);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, count, false, mode, &found));
    assert_int_equal(found, count);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* theory guide 5.6, rows "free", to the printed digits, and their limits within 0.1 % */
static void free_frequencies(void **state) {
    GOS_UNUSED(state);
    static const double table[3][3] = {{1.36641, 1.98760, 2.46361}, {1.36512, 1.98606, 2.46027}};
    static const double limit[3] = {1.36461, 1.98550, 2.45909};
    for (int k = 0; k < 2; k++) {
        gos_mode mode[9];
        lowest(square, 8 << k, 9, mode);
        for (int i = 0; i < 6; i++) {
            assert_true(mode[i].rigid);
        }
        for (int i = 0; i < 3; i++) {
            const double f = mode[6 + i].omega / unit_frequency();
            verify_near("free square", f, table[k][i], 0.6e-5);
            if (k == 1) {
                verify_below("... from the limit", f / limit[i] - 1, 1e-3);
            }
        }
    }
}

/* theory guide 5.6, rows FV16, to the printed digits, and the limits within 0.3 % */
static void cantilever_frequencies(void **state) {
    GOS_UNUSED(state);
    static const double table[2][6] = {{0.41792, 1.02469, 2.57139, 3.26852, 3.72828, 6.48113},
                                       {0.41794, 1.02432, 2.56496, 3.27331, 3.72762, 6.51311}};
    static const double limit[6] = {0.41793, 1.0242, 2.5627, 3.2749, 3.7271, 6.524};
    for (int k = 0; k < 2; k++) {
        gos_mode mode[6];
        lowest(clamped_square, 8 << k, 6, mode);
        for (int i = 0; i < 6; i++) {
            verify_near("FV16 [Hz]", mode[i].frequency, table[k][i], 0.6e-5);
            if (k == 1) {
                verify_below("... from the limit", mode[i].frequency / limit[i] - 1, 3e-3);
            }
        }
    }
}

/* the two lowest frequencies with w held at the nodes of all edges */
static void supported(int n, double f[2]) {
    verify v;
    gos_linear *linear = NULL;
    gos_matrix_view block[2];
    char set[40];
    snprintf(set, sizeof set, "n=%d", n);
    verify_text(&v, square, set);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_block(linear, GOS_BLOCK_K, &block[0]);
    gos_linear_block(linear, GOS_BLOCK_M, &block[1]);
    const int all = 3 * (n + 1) * (n + 1);
    int *index = calloc((size_t)all, sizeof *index), left = 0;
    for (int i = 0; i < all; i++) {
        const int x = i / 3 % (n + 1), y = i / 3 / (n + 1), part = i % 3;
        const bool ex = x == 0 || x == n, ey = y == 0 || y == n;
        const bool held = part == 0 && (ex || ey);
        index[i] = held ? -1 : left++;
    }
    double *A = calloc(2 * (size_t)left * (size_t)left, sizeof *A), *B = A + left * left;
    double *w = calloc((size_t)left, sizeof *w);
    for (int b = 0; b < 2; b++) {
        for (int col = 2; col < 3 * all; col += 3) { // the third component of all vectors
            for (int k = block[b].start[col]; k < block[b].start[col + 1]; k++) {
                const int row = block[b].row[k];
                if (row % 3 == 2 && index[row / 3] >= 0 && index[col / 3] >= 0) {
                    (b ? B : A)[index[col / 3] * left + index[row / 3]] = block[b].value[k];
                }
            }
        }
    }
    assert_int_equal(LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'N', 'L', left, A, left, B, left, w), 0);
    f[0] = sqrt(w[0]) / unit_frequency();
    f[1] = sqrt(w[1]) / unit_frequency();
    free(index);
    free(A);
    free(w);
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* theory guide 5.6: 1.98375 and 4.93804, 1.99585 and 4.98362; exact 2 and 5 */
static void supported_frequencies(void **state) {
    GOS_UNUSED(state);
    double f[3][2];
    supported(4, f[0]);
    supported(8, f[1]);
    supported(16, f[2]);
    verify_near("supported 4, 1st", f[0][0], 1.93986, 0.6e-5);
    verify_near("supported 8, 1st", f[1][0], 1.98375, 0.6e-5);
    verify_near("supported 8, 2nd", f[1][1], 4.93804, 0.6e-5);
    verify_near("supported 16, 1st", f[2][0], 1.99585, 0.6e-5);
    verify_near("supported 16, 2nd", f[2][1], 4.98362, 0.6e-5);
    verify_below("1st from the exact one", f[2][0] / 2 - 1, 3e-3);
    verify_below("2nd from the exact one", f[2][1] / 5 - 1, 4e-3);
    verify_within("order from 8 to 16", verify_order(2 - f[1][0], 2 - f[2][0], 2), 1.9, 2.1);
}

/* ---- patch tests ----------------------------------------------------------------------------- */

/* two plates in a row, 2 x 3 elements of 0.5 x 0.4 and of 1.25 x 0.4 */
static const char graded[] =
    "materials: {m: {density: 1, young: 1.0e4, poisson: 0.3}}\n"
    "bodies:\n"
    "  a: {type: ancf_plate, material: m, thickness: 0.1, corner: [0, 0, 0], x: [1, 0, 0],\n"
    "      y: [0, 1.2, 0], elements: [2, 3]}\n"
    "  b: {type: ancf_plate, material: m, thickness: 0.1, corner: [1, 0, 0], x: [2.5, 0, 0],\n"
    "      y: [0, 1.2, 0], elements: [2, 3]}\n";

enum { GRADED_NODES = 24, GRADED_ROWS = 9 * GRADED_NODES };

/* displacement of component c: (value, by x, by y) of the polynomials x, y, x^2/2, y^2/2, x y */
static void patch_field(int kind, double x, double y, double u[3]) {
    const double f[5][3] = {
        {x, 1, 0}, {y, 0, 1}, {0.5 * x * x, x, 0}, {0.5 * y * y, 0, y}, {x * y, y, x}};
    memcpy(u, f[kind], sizeof f[kind]);
}

/* Linear membrane and quadratic bending displacements: the forces of the elements around every node
   that is not at the outer edges cancel, that between the plates included, and the energy is
   exact. */
static void patch(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *what;
        int kind, component;
        double energy; // per area, of E = 1e4, nu = 0.3, h = 0.1
    } field[6] = {{"constant E11", 0, 0, 0.5 * 1e3 / 0.91},
                  {"constant E22", 1, 1, 0.5 * 1e3 / 0.91},
                  {"constant 2 E12", 1, 0, 0.5 * 1e3 / 2.6},
                  {"constant b11", 2, 2, 0.5 * 10.0 / 12 / 0.91},
                  {"constant b22", 3, 2, 0.5 * 10.0 / 12 / 0.91},
                  {"constant b12", 4, 2, 0.5 * 4 * 10.0 / 12 / 2.6}};
    verify v;
    gos_linear *linear = NULL;
    gos_matrix_view K;
    verify_text(&v, graded, NULL);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    gos_linear_block(linear, GOS_BLOCK_K, &K);
    for (int i = 0; i < 6; i++) {
        double u[GRADED_ROWS] = {0}, r[GRADED_ROWS] = {0}, size[GRADED_ROWS] = {0};
        double at[GRADED_NODES][3], energy = 0, worst = 0, most = 0;
        for (int n = 0; n < GRADED_NODES; n++) {
            double f[3];
            memcpy(at[n], v.sys->e0 + 9 * n, sizeof at[n]);
            patch_field(field[i].kind, at[n][0], at[n][1], f);
            for (int k = 0; k < 3; k++) {
                u[9 * n + 3 * k + field[i].component] = f[k];
            }
        }
        for (int c = 0; c < GRADED_ROWS; c++) {
            for (int k = K.start[c]; k < K.start[c + 1]; k++) {
                r[K.row[k]] += K.value[k] * u[c];
                size[K.row[k]] += fabs(K.value[k] * u[c]);
                energy += 0.5 * K.value[k] * u[c] * u[K.row[k]];
            }
        }
        for (int n = 0; n < GRADED_NODES; n++) {
            const double x = at[n][0], y = at[n][1];
            if (x < 0.1 || x > 3.4 || y < 0.1 || y > 1.1 || n % 3 == (n < 12 ? 2 : 0)) {
                for (int k = 0; n < 12 && n % 3 == 2 && y > 0.1 && y < 1.1 && k < 9; k++) {
                    worst = fmax(worst, fabs(r[9 * n + k] + r[9 * (n + 10) + k]));
                }
                continue;
            }
            for (int k = 0; k < 9; k++) {
                worst = fmax(worst, fabs(r[9 * n + k]));
                most = fmax(most, size[9 * n + k]);
            }
        }
        verify_below(field[i].what, worst / most, 1e-12);
        verify_near("... energy", energy / (field[i].energy * 3.5 * 1.2), 1, 1e-10);
    }
    gos_linear_destroy(linear);
    verify_close(&v);
}

/* ---- roll-up --------------------------------------------------------------------------------- */

/* a strip 1 x 0.25 rolled up into a circle by M = 2 pi D / l, nu = 0 */
static const char strip[] =
    "parameters: {n: 16, m: 1, h: 1.0e-3, E: 2.0e11, l: 1}\n"
    "materials: {steel: {density: 8000, young: E, poisson: 0}}\n"
    "bodies:\n"
    "  strip: {type: ancf_plate, material: steel, thickness: h, corner: [0, 0, 0], x: [l, 0, 0],\n"
    "          y: [0, 0.25, 0], elements: [n, m]}\n"
    "joints: {root: {type: clamp, between: [ground, strip.edge.x0]}}\n"
    "loads: {roll: {type: edge_moment, on: strip.edge.x1, moment: \"-2*pi*E*h^3/12/l\"}}\n"
    "probes:\n"
    "  tip: {at: strip.corner(2)}\n"
    "  e: {at: \"strip.at(l/2,0.1)\", quantity: strain}\n"
    "  k: {at: \"strip.at(l/2,0.1)\", quantity: curvature}\n"
    "  N: {at: \"strip.at(l/2,0.1)\", quantity: section_force}\n"
    "  M: {at: \"strip.at(l/2,0.1)\", quantity: section_moment}\n"
    "analysis: {type: static, load_steps: 20, branch: any}\n"; // from an eighth of a turn on it
                                                               // would twist

static double gap(const char *set) {
    verify v;
    double x[GOS_PROBE_MAX];
    verify_text(&v, strip, set);
    verify_static(&v);
    verify_probe(&v, NULL, "tip", x);
    verify_close(&v);
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/* theory guide 5.6: gap 4.5e-2 and 3.5e-4 with one element across. At h/l = 1e-2 the energy's own
   gap is 2 pi^2/3 (h/l)^2 = 6.6e-4: a moment compresses the middle surface and turns the end
   further. */
static void roll_up(void **state) {
    GOS_UNUSED(state);
    verify_near("gap, 8 elements", gap("n=8"), 4.5e-2, 0.05e-2);
    if (!SANITIZED) {
        verify_near("gap, 16 elements", gap(NULL), 3.5e-4, 0.05e-4);
    }
    verify_within("gap of a thick strip", gap("h=0.01 m=4"), 6.6e-4, 9e-4);
}

/* what the probes say of the closed strip: one curvature, 2 pi/l towards the normal, one moment */
static void probes(void **state) {
    GOS_UNUSED(state);
    const double D = 2e11 * 1e-9 / 12;
    verify v;
    gos_probe_info info;
    verify_text(&v, strip, "n=32");
    verify_static(&v);
    verify_near("b11 l / 2 pi", verify_value(&v, NULL, "e.b11") / (2 * M_PI), 1, 5e-3);
    verify_near("the same as curvature", verify_value(&v, NULL, "k.b11"),
                verify_value(&v, NULL, "e.b11"), 0);
    verify_near("M11 / (2 pi D/l)", verify_value(&v, NULL, "M.M11") / (2 * M_PI * D), 1, 5e-3);
    verify_below("M22", verify_value(&v, NULL, "M.M22") / (2 * M_PI * D), 1e-3);
    const double E11 = verify_value(&v, NULL, "e.E11"), N11 = verify_value(&v, NULL, "N.N11");
    // both vanish but for the discretisation: relative to the moment times the curvature
    verify_below("N11 - E h E11, of M k", fabs(N11 - 2e8 * E11) / (D * 4 * M_PI * M_PI), 1e-9);
    gos_system_probe_info(v.sys, verify_find(&v, "N"), &info);
    assert_true(info.ncomp == 3 && strcmp(info.unit, "N/m") == 0);
    gos_system_probe_info(v.sys, verify_find(&v, "M"), &info);
    assert_true(info.ncomp == 3 && strcmp(info.unit, "N") == 0);
    verify_close(&v);
}

#define HUNG                                                                                       \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "materials: {m: {density: 2000, young: 1.0e10, poisson: 0.3}}\n"                               \
    "bodies:\n"                                                                                    \
    "  hub: {type: rigid, mass: 3, inertia: [1, 1, 1], position: [0, 0, 0]}\n"                     \
    "  plate: {type: ancf_plate, material: m, thickness: 0.02, corner: [0.1, -0.3, 0],\n"          \
    "          x: [1, 0, 0], y: [0, 0.6, 0], elements: [4, 3]}\n"                                  \
    "joints:\n"                                                                                    \
    "  fixed: {type: clamp, between: [ground, hub]}\n"                                             \
    "  root: {type: clamp, between: [hub, plate.edge.x0]}\n"                                       \
    "analysis: {type: static}\n"                                                                   \
    "reduction: {method: rotation_closed, fields: modes, number: 8}\n"

/* the clamp of an edge carries the weight, rho a b h g: its force is the sum over its nodes */
static void reaction(void **state) {
    GOS_UNUSED(state);
    static const char text[] = HUNG "probes: {f: {quantity: joint_force, joint: root}}\n";
    verify v;
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_near("weight [N]", verify_value(&v, NULL, "f.z"), -2000 * 0.6 * 0.02 * 9.81, 1e-6);
    verify_near("horizontal [N]", verify_value(&v, NULL, "f.x"), 0, 1e-6);
    verify_close(&v);
}

/* a plate whose edge a rigid body holds, reduced: the rows of all nodes are eliminated */
static void reduced_edge(void **state) {
    GOS_UNUSED(state);
    static const char text[] = HUNG "probes: {tip: {at: plate.corner(2)}}\n";
    verify v;
    gos_system *small = NULL;
    gos_state *x = NULL;
    double full[GOS_PROBE_MAX], less[GOS_PROBE_MAX];
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "tip", full);
    verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
    verify_good(&v, gos_state_create(v.ctx, small, &x));
    verify_good(&v, gos_solve_static(v.ctx, small, &v.opt, x, NULL));
    verify_good(&v, gos_system_probe(v.ctx, small, x, 0, less, NULL));
    verify_below("sag, reduced against full", less[2] / full[2] - 1, 1e-3);
    gos_state_destroy(x);
    gos_system_destroy(small);
    verify_close(&v);
}

/* ---- heat ------------------------------------------------------------------------------------ */

/* T_z = alpha_s q/(2 k) (1 - exp(-12 kappa t/h^2)) and T = alpha_s q t/(rho c h) of a plate that is
   lit across its top (theory guide 2.7), whose normal is x cross y = +X; its bottom is dark. k =
   0.5, rho c = 2e5, h = 0.02: 12 kappa/h^2 = 0.075 1/s. */
static void gradient(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "materials: {m: {density: 1000, young: 1.0e8, poisson: 0.3, conductivity: 0.5,\n"
        "                specific_heat: 200, absorptivity: 0.8}}\n"
        "bodies:\n"
        "  plate: {type: ancf_plate, material: m, thickness: 0.02, corner: [0, 30, 1],\n"
        "          x: [0, 0, 4], y: [0, -2, 0], elements: [4, 2]}\n"
        "joints: {c: {type: clamp, between: [ground, plate.edge.x0]}}\n"
        "heat: {sun: {type: flux, value: 1000, direction: [-1, 0, 0], on: plate.top}}\n"
        "probes: {th: {at: plate.corner(3), quantity: temperature}}\n"
        "analysis: {end: 20, step: 0.1}\n";
    verify v;
    double y[GOS_PROBE_MAX];
    verify_text(&v, text, NULL);
    verify_run(&v);
    verify_probe(&v, NULL, "th", y);
    verify_near("T", y[0], 0.8 * 1000 * 20 / (2e5 * 0.02), 1e-9);
    verify_near("T_z", y[1], 0.8 * 1000 / (2 * 0.5) * (1 - exp(-0.075 * 20)), 1e-2);
    verify_near("T_z by name", verify_value(&v, NULL, "th.T_z"), y[1], 0);
    verify_close(&v);
}

/* Edges held at 0 and 100 K: linear between, and the heat k h b 100/a flows through both edges. */
static void conduction(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "materials: {m: {density: 1000, young: 1.0e8, poisson: 0.3, conductivity: 0.5,\n"
        "                specific_heat: 200}}\n"
        "bodies:\n"
        "  plate: {type: ancf_plate, material: m, thickness: 0.02, corner: [0, 0, 0],\n"
        "          x: [2, 0, 0], y: [0, 1, 0], elements: [5, 3]}\n"
        "joints: {c: {type: clamp, between: [ground, plate.edge.x0]}}\n"
        "heat:\n"
        "  cold: {type: temperature, value: 0, on: plate.edge.x0}\n"
        "  warm: {type: temperature, value: 100, on: plate.edge.x1}\n"
        "probes: {th: {at: \"plate.at(0.7,0.4)\", quantity: temperature}}\n"
        "analysis: {type: static}\n";
    verify v;
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_near("T at 0.7 of 2 m", verify_value(&v, NULL, "th.T"), 35, 1e-9);
    verify_near("T_z", verify_value(&v, NULL, "th.T_z"), 0, 1e-9);
    double flow = 0;
    for (int i = 0; i < v.sys->nitem; i++) {
        if (strcmp(v.sys->item[i]->name, "heat 'warm'") == 0) {
            flow += v.state->lamT[v.sys->item[i]->h0];
        }
    }
    verify_near("heat flow [W]", fabs(flow), 0.5 * 0.02 * 1 * 100 / 2, 1e-9);
    verify_close(&v);
}

/* Steady: what a tilted plate absorbs it radiates from both faces, and the rest of the difference
   is conducted through the thickness. Temperatures count from 1 K. */
static void radiation(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "reference_temperature: 1\n"
        "materials: {m: {density: 1000, young: 1.0e8, poisson: 0.3, conductivity: 0.5,\n"
        "                specific_heat: 200, absorptivity: 0.8, emissivity: 0.6}}\n"
        "bodies:\n"
        "  plate: {type: ancf_plate, material: m, thickness: 0.02, corner: [0, 0, 0],\n"
        "          x: [1, 0, 0], y: [0, 1, 0], elements: [3, 2]}\n"
        "joints: {c: {type: clamp, between: [ground, plate.edge.y1]}}\n"
        "heat:\n"
        "  sun: {type: flux, value: 1361, direction: [0.6, 0, 0.8], on: plate}\n"
        "  space: {type: radiation, sink: 3, on: plate}\n"
        "initial: {all: {temperature: 250}}\n"
        "probes: {th: {at: \"plate.at(0.3,0.7)\", quantity: temperature}}\n"
        "analysis: {type: static}\n";
    verify v;
    double y[GOS_PROBE_MAX];
    verify_text(&v, text, NULL);
    verify_static(&v);
    verify_probe(&v, NULL, "th", y);
    /* the sun comes from below: the bottom (z = -h/2) is lit with the cosine 0.8 */
    const double q = 0.8 * 1361 * 0.8, es = 0.6 * 5.670374419e-8;
    const double top = 1 + y[0] + 0.01 * y[1], bottom = 1 + y[0] - 0.01 * y[1];
    const double out_top = es * (pow(top, 4) - 81), out_bottom = es * (pow(bottom, 4) - 81);
    verify_near("radiated from both faces [W/m^2]", out_top + out_bottom, q, 1e-6 * q);
    verify_near("conducted k T_z [W/m^2]", 0.5 * y[1], -0.5 * (q - out_bottom + out_top), 1e-6 * q);
    verify_close(&v);
}

/* A free square under uniform T_z, psi = alpha T_z a^2/h = 1: no developable surface has two
   curvatures, so it cannot be quite free of stress. Theory guide 2.7: centre curvature alpha T_z (1
   - 0.008 psi^2), energy 1.63e-3 psi^2 W0, W0 = E h^3/(12 (1 - nu)) (alpha T_z)^2 a^2. */
static void cap(void **state) {
    GOS_UNUSED(state);
    static const char text[] =
        "parameters: {psi: 1}\n"
        "materials: {m: {density: 1000, young: 1.0e9, poisson: 0.3, conductivity: 1,\n"
        "                specific_heat: 200, expansion: 1.0e-4}}\n"
        "bodies:\n"
        "  plate: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0],\n"
        "          x: [1, 0, 0], y: [0, 1, 0], elements: [16, 16]}\n"
        "joints:\n"
        "  a: {type: spherical, between: [ground, plate.corner(1)]}\n"
        "  b: {type: point_on_line, between: [ground, plate.corner(2)], direction: [1, 0, 0]}\n"
        "  c: {type: point_on_plane, between: [ground, plate.corner(4)], normal: [0, 0, 1]}\n"
        "heat:\n"
        "  mean: {type: temperature, value: 0, on: plate, gradients: free}\n"
        "  warm: {type: flux, value: psi*100, on: plate.top}\n"
        "  cool: {type: flux, value: -psi*100, on: plate.bottom}\n"
        "probes:\n"
        "  th: {at: \"plate.at(0.5,0.5)\", quantity: temperature}\n"
        "  b: {at: \"plate.at(0.5,0.5)\", quantity: curvature}\n"
        "analysis: {type: static}\n";
    static const double psi[] = {0.5, 1};
    for (int i = !suite_long(); i < 2; i++) {
        verify v;
        gos_energy e;
        char set[40];
        snprintf(set, sizeof set, "psi=%g", psi[i]);
        verify_text(&v, text, set);
        verify_static(&v);
        gos_system_energy(v.sys, v.state, &e);
        const double k0 = 0.01 * psi[i], W0 = 1e9 * 1e-6 / (12 * 0.7) * k0 * k0;
        verify_near("T_z = psi h/(alpha a^2)", verify_value(&v, NULL, "th.T_z"), 100 * psi[i],
                    1e-9);
        verify_near("b11 / (alpha T_z)", verify_value(&v, NULL, "b.b11") / k0,
                    -(1 - 0.008 * psi[i] * psi[i]), 1e-3);
        verify_near("b22 / (alpha T_z)", verify_value(&v, NULL, "b.b22") / k0,
                    -(1 - 0.008 * psi[i] * psi[i]), 1e-3);
        verify_near("W / (psi^2 W0)", e.strain / W0 / (psi[i] * psi[i]), 1.63e-3, 0.02e-3);
        verify_close(&v);
    }
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* a plate that swings on a corner in the sun: gravity, damping, thermal strain, thermoelastic and
   viscous heat, radiation */
static const char swing[] =
    "parameters: {end: 0.3}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {m: {density: 2000, young: 1.0e8, poisson: 0.3, conductivity: 1, specific_heat: "
    "200,\n"
    "                expansion: 1.0e-3, absorptivity: 0.8, emissivity: 0.6,\n"
    "                damping: {normal: 2.0e-3, shear: 1.0e-3}}}\n"
    "bodies:\n"
    "  plate: {type: ancf_plate, material: m, thickness: 0.01, corner: [0, 0, 0], x: [1, 0, 0],\n"
    "          y: [0, 0.6, 0], elements: [6, 4]}\n"
    "joints: {pin: {type: spherical, between: [ground, plate.corner(1)]}}\n"
    "heat:\n"
    "  sun: {type: flux, value: 20000, direction: [0, 0.6, -0.8], on: plate}\n"
    "  space: {type: radiation, sink: 3, on: plate}\n"
    "probes: {tip: {at: plate.corner(3)}, th: {at: \"plate.at(0.5,0.3)\", quantity: temperature}}\n"
    "analysis: {end: end, thermoelastic_heat: true, viscous_heating: true, newton_tolerance: "
    "1.0e-5,\n"
    "           step: 1.0e-3}\n"
    "reduction: {method: rotation_closed, fields: modes, number: 60, thermal_fields: 35}\n";

static double imbalance(const char *settings, double *heat) {
    verify v;
    verify_text(&v, swing, settings);
    return verify_imbalance(&v, heat);
}

static void balances(void **state) {
    GOS_UNUSED(state);
    double heat[2];
    const double a = imbalance("analysis.step=2e-3", &heat[0]), b = imbalance(NULL, &heat[1]);
    verify_below("energy balance, step 1 ms", b, 2e-3);
    verify_within("order of the energy balance", verify_order(a, b, 2), 1.7, 2.6);
    verify_below("heat balance", heat[1], 1e-9);
}

/* The reduced model on mesh modes follows the full one. Strains converge slower than positions, and
   with them the heat of deformation, a quarter of what warms the plate here. */
static void reduced(void **state) {
    GOS_UNUSED(state);
    verify v;
    gos_system *small = NULL;
    double full[2][GOS_PROBE_MAX], less[2][GOS_PROBE_MAX];
    verify_text(&v, swing, suite_long() ? NULL : "end=0.1");
    verify_good(&v, gos_reduce(v.ctx, v.sys, &small));
    verify_run(&v);
    verify_probe(&v, NULL, "tip", full[0]);
    verify_probe(&v, NULL, "th", full[1]);
    gos_state *x = NULL;
    gos_integrator *run = NULL;
    verify_good(&v, gos_state_create(v.ctx, small, &x));
    verify_good(&v, gos_integrator_create(v.ctx, small, &v.opt, x, &run));
    while (gos_state_time(x) < v.opt.end) {
        verify_good(&v, gos_integrator_step(run, v.opt.end));
    }
    verify_good(&v, gos_system_probe(v.ctx, small, x, 0, less[0], NULL));
    verify_good(&v, gos_system_probe(v.ctx, small, x, 1, less[1], NULL));
    gos_integrator_destroy(run);
    gos_state_destroy(x);
    gos_system_destroy(small);
    verify_below("tip, of 1.17 m", verify_distance(full[0], less[0]) / 1.17, 2e-3);
    verify_below("T", less[1][0] / full[1][0] - 1, 1e-2);
    verify_below("T_z", less[1][1] / full[1][1] - 1, 2.5e-2);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_frequencies),
        cmocka_unit_test(cantilever_frequencies),
        cmocka_unit_test(supported_frequencies),
        cmocka_unit_test(patch),
        cmocka_unit_test(roll_up),
        cmocka_unit_test(probes),
        cmocka_unit_test(reaction),
        cmocka_unit_test(reduced_edge),
        cmocka_unit_test(gradient),
        cmocka_unit_test(conduction),
        cmocka_unit_test(radiation),
        cmocka_unit_test(cap),
        cmocka_unit_test(balances),
        cmocka_unit_test(reduced),
    };
    return cmocka_run_group_tests_name("plate", tests, NULL, NULL);
}
SUITE(suite)
