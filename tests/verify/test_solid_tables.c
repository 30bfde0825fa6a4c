/* Properties over the temperature that a `solid` has at its points: derivatives of the law and of
   the Newton matrix against differences; closed forms of a bar that is warm, held, conducts and
   stores heat; balances of energy and heat; the reduced body; CalculiX. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "solid/solid_law.h"
#include "gossamer/reduce.h"
#include "support/balance.h"
#include "support/calculix.h"
#include "support/newton_matrix.h"
#include "support/suite.h"

#define YOUNG "{points: [[-50, 80], [0, 70], [40, 66], [400, 30]]}"
#define POISSON "{points: [[-50, 0.25], [30, 0.3], [400, 0.36]]}"
#define CONDUCTIVITY "{points: [[-50, 3], [0, 2], [100, 1.5]]}"
#define HEAT "{points: [[-50, 5], [0, 6], [100, 10]]}"
#define EXPANSION "{points: [[-50, 1.0e-3], [0, 1.5e-3], [100, 2.5e-3]]}"
#define ALL                                                                                        \
    "reference_temperature: 300\n"                                                                 \
    "materials: {m: {density: 0.3, young: " YOUNG ", poisson: " POISSON                            \
    ",\n  conductivity: " CONDUCTIVITY ", specific_heat: " HEAT ", expansion: " EXPANSION          \
    ",\n  damping: {normal: 0.02, shear: 0.015}}}\n"
#define BLOCK                                                                                      \
    ALL "meshes: {m: {type: box, size: [1, 0.7, 0.4], cells: [2, 1, 1], order: quadratic}}\n"      \
        "bodies: {b: {type: solid, mesh: m, material: m}}\n"

/* ---- the law --------------------------------------------------------------------------------- */

enum { N = GOS_LANES, NZ = 9 };

typedef struct point {
    _Alignas(64) double x[(2 * NZ + 1) * N]; // z, zd, th
} point;

typedef struct values {
    _Alignas(64) double sigma[NZ * N], heat[N], energy[N], power[N], dwdth[3 * N];
} values;

static void evaluate(const gos_points *p, const point *at, values *v) {
    memset(v, 0, sizeof *v);
    const gos_batch b = {.z = at->x,
                         .zd = at->x + NZ * N,
                         .th = at->x + 2 * NZ * N,
                         .sigma = v->sigma,
                         .heat = v->heat,
                         .energy = v->energy,
                         .power = v->power,
                         .dwdth = v->dwdth};
    p->law->resultants(p->par, 1, &b);
}

typedef struct derivatives {
    _Alignas(64) double Kz[NZ * NZ * N], G[NZ * N], Hz[NZ * N], Ht[N];
} derivatives;

static void differentiate(const gos_points *p, const point *at, double k, double d,
                          derivatives *t) {
    memset(t, 0, sizeof *t);
    const gos_batch b = {.z = at->x,
                         .zd = at->x + NZ * N,
                         .th = at->x + 2 * NZ * N,
                         .ck = k,
                         .cd = d,
                         .hk = k,
                         .hd = d,
                         .Kz = t->Kz,
                         .G = t->G,
                         .Hz = t->Hz,
                         .Ht = t->Ht};
    p->law->tangent(p->par, 1, &b);
}

/* every derivative by every variable, in all lanes; temperatures between the points of the
   tables */
static void law(void **state) {
    GOS_UNUSED(state);
    verify v = {0};
    uint64_t seed = 7;
    point at;
    values f[4], here;
    derivatives by_z, by_v;
    block b[6] = {{.what = "stress by place"},       {.what = "stress by rate"},
                  {.what = "stress by temperature"}, {.what = "heat by place"},
                  {.what = "heat by rate"},          {.what = "heat by temperature"}};
    block w[2] = {{.what = "energy by place"}, {.what = "energy by temperature"}};
    verify_text(&v, BLOCK "analysis: {end: 1, thermoelastic_heat: true, viscous_heating: true}\n",
                NULL);
    const gos_points *p = v.sys->points[0];
    assert_non_null(((const gos_solid_par *)p->par)->over);
    random_fill(&seed, 2 * NZ * N, 0.3, at.x);
    random_fill(&seed, N, 1, at.x + 2 * NZ * N);
    for (int i = 0; i < NZ * N; i++) {
        at.x[i] += i / N % 4 == 0;
    }
    for (int l = 0; l < N; l++) {
        at.x[2 * NZ * N + l] = 15 + 8 * at.x[2 * NZ * N + l] + 55 * (l % 2);
    }
    differentiate(p, &at, 1, 0, &by_z);
    differentiate(p, &at, 0, 1, &by_v);
    evaluate(p, &at, &here);
    for (int j = 0; j <= 2 * NZ; j++) {
        const double step = j == 2 * NZ ? 1e-1 : 1e-3;
        for (int k = 0; k < 4; k++) {
            point moved = at;
            for (int l = 0; l < N; l++) {
                moved.x[j * N + l] += shifts[k] * step;
            }
            evaluate(p, &moved, &f[k]);
        }
        for (int l = 0; l < N; l++) {
            for (int i = 0; i < NZ; i++) {
                const double s[4] = {f[0].sigma[i * N + l], f[1].sigma[i * N + l],
                                     f[2].sigma[i * N + l], f[3].sigma[i * N + l]};
                const double own = j < NZ       ? by_z.Kz[(i * NZ + j) * N + l]
                                   : j < 2 * NZ ? by_v.Kz[(i * NZ + j - NZ) * N + l]
                                                : by_z.G[i * N + l];
                compare(&b[j / NZ], own, difference(s, step));
            }
            const double h[4] = {f[0].heat[l], f[1].heat[l], f[2].heat[l], f[3].heat[l]};
            const double e[4] = {f[0].energy[l], f[1].energy[l], f[2].energy[l], f[3].energy[l]};
            compare(&b[3 + j / NZ],
                    j < NZ       ? by_z.Hz[j * N + l]
                    : j < 2 * NZ ? by_v.Hz[(j - NZ) * N + l]
                                 : by_z.Ht[l],
                    difference(h, step));
            if (j == 2 * NZ) {
                compare(&w[1], here.dwdth[l], difference(e, step));
            }
        }
    }
    // at rest the stress is the derivative of the energy
    memset(at.x + NZ * N, 0, sizeof(double) * NZ * N);
    evaluate(p, &at, &here);
    for (int j = 0; j < NZ; j++) {
        for (int k = 0; k < 4; k++) {
            point moved = at;
            for (int l = 0; l < N; l++) {
                moved.x[j * N + l] += shifts[k] * 1e-3;
            }
            evaluate(p, &moved, &f[k]);
        }
        for (int l = 0; l < N; l++) {
            const double e[4] = {f[0].energy[l], f[1].energy[l], f[2].energy[l], f[3].energy[l]};
            compare(&w[0], here.sigma[j * N + l], difference(e, 1e-3));
        }
    }
    for (int i = 0; i < 8; i++) {
        check_block(i < 6 ? &b[i] : &w[i - 6]);
    }
    verify_close(&v);
}

/* ---- the Newton matrix ----------------------------------------------------------------------- */

static void newton_matrix(void **state) {
    GOS_UNUSED(state);
    verify v = {0};
    verify_text(&v,
                BLOCK "joints: {root: {type: clamp, between: [ground, b.left]}}\n"
                      "heat: {f: {type: convection, coefficient: 3, ambient: 40, on: b.top}}\n"
                      "analysis: {end: 1, thermoelastic_heat: true, viscous_heating: true}\n",
                NULL);
    check_newton_matrix(v.sys, "solid", 60, true);
    verify_close(&v);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

#define HELD                                                                                       \
    "joints: {a: {type: spherical, between: [ground, b.corner_1]},\n"                              \
    "  b: {type: point_on_line, between: [b.corner_2, ground], direction: [1, 0, 0]},\n"           \
    "  c: {type: point_on_plane, between: [b.corner_4, ground], normal: [0, 0, 1]}}\n"

/* at 60 K: E 64.., nu .., and the strain by the mean coefficient from the reference to 60 K times
 * 60 K */
static void warm_and_pulled(void **state) {
    GOS_UNUSED(state);
    const double E = 66 - 36 * 20 / 360.0, nu = 0.3 + 0.06 * 30 / 370, a = (1.5e-3 + 6e-4) * 60;
    const double P = 5; // force by the area that it had
    double u[GOS_PROBE_MAX], l = 1;
    verify v = {0};
    verify_text(&v,
                BLOCK HELD "heat: {warm: {type: temperature, on: b, value: 60}}\n"
                           "loads: {p: {type: force, on: b.right, value: [0.7*0.4*5, 0, 0]},\n"
                           "  m: {type: force, on: b.left, value: [-0.7*0.4*5, 0, 0]}}\n"
                           "probes: {u: {at: b.corner_7, quantity: displacement}}\n"
                           "analysis: {type: static, newton_tolerance: 1e-9}\n",
                NULL);
    verify_static(&v);
    verify_probe(&v, v.state, "u", u);
    for (int i = 0; i < 50; i++) { // l E ((l^2 - 1)/2 - a) = P
        const double f = l * E * ((l * l - 1) / 2 - a) - P, d = E * ((3 * l * l - 1) / 2 - a);
        l -= f / d;
    }
    const double across = sqrt(1 + 2 * (a - nu * ((l * l - 1) / 2 - a)));
    verify_near("length", 1 + u[0], l, 1e-8);
    verify_near("width", 1 + u[1] / 0.7, across, 1e-8);
    verify_near("height", 1 + u[2] / 0.4, across, 1e-8);
    verify_close(&v);
}

/* k = 2 - T/200: 2 T - T^2/400 is linear between the ends at 0 and 80 K */
static void conducting(void **state) {
    GOS_UNUSED(state);
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        verify_text(&v,
                    "parameters: {n: 4}\n" ALL
                    "meshes: {m: {type: box, size: [1, 0.7, 0.4], cells: [n, 1, 1]}}\n"
                    "bodies: {b: {type: solid, mesh: m, material: m}}\n" HELD
                    "heat: {c: {type: temperature, on: b.left, value: 0},\n"
                    "  h: {type: temperature, on: b.right, value: 80}}\n"
                    "probes: {T: {at: \"b.at(0.5, 0, 0)\", quantity: temperature}}\n"
                    "analysis: {type: static, newton_tolerance: 1e-9}\n",
                    i ? "n=8" : NULL);
        verify_static(&v);
        const double want = 400 - sqrt(400 * 400 - 400 * (2 * 80 - 80 * 80 / 400.0) / 2);
        // linear elements of one dimension are exact at nodes
        verify_near("temperature in the middle", verify_value(&v, v.state, "T.T"), want, 1e-9);
        verify_close(&v);
    }
}

/* insulated: rho (6 T + T^2/50) = q t, and what is stored is what has come in */
static void storing(void **state) {
    GOS_UNUSED(state);
    gos_heat h;
    verify v = {0};
    verify_text(&v,
                BLOCK HELD "heat: {q: {type: source, value: 3, on: b}}\n"
                           "probes: {T: {at: b.corner_7, quantity: temperature}}\n"
                           "analysis: {end: 50, step: 0.5}\n",
                NULL);
    verify_run(&v);
    const double want = -150 + sqrt(150 * 150 + 50 * 3 * 50 / 0.3);
    verify_near("temperature", verify_value(&v, v.state, "T.T"), want, 1e-3);
    gos_system_heat(v.sys, v.state, &h);
    verify_near("stored", h.stored, 3 * 50 * 0.28, 1e-4 * 42);
    verify_near("supplied", h.supplied, 3 * 50 * 0.28, 1e-4 * 42);
    verify_near("balance", h.balance, 0, 1e-9 * 42);
    verify_close(&v);
}

/* A block that rings, warm on one side: the work of its temperatures and the heat of its strains,
 * both with moduli that change */
static void balances(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        BLOCK "joints: {root: {type: clamp, between: [ground, b.left]}}\n"
              "heat: {warm: {type: flux, value: 40, on: b.top}}\n"
              "loads: {p: {type: force, on: b.right, value: [0, 0, \"0.5*sin(5*t)\"]}}\n"
              "analysis: {end: 1, step: 0.01, thermoelastic_heat: true, viscous_heating: true}\n";
    double open[2], heat[2];
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        verify_text(&v, model, i ? "analysis.step=0.005" : NULL);
        open[i] = verify_imbalance(&v, &heat[i]);
        verify_below("heat", fabs(heat[i]), 1e-8);
    }
    verify_below("energy", open[1], 1e-3);
    verify_within("order of energy", verify_order(open[0], open[1], 2), 1.7, 3);
}

/* ---- reduced --------------------------------------------------------------------------------- */

static void reduced(void **state) {
    GOS_UNUSED(state);
    static const char model[] = BLOCK
        "joints: {root: {type: clamp, between: [ground, b.left]}}\n"
        "heat: {warm: {type: flux, value: 20, on: b.top},\n"
        "  film: {type: convection, coefficient: 3, ambient: 0, on: b.bottom}}\n"
        "loads: {p: {type: force, on: b.right, value: [0, 0, \"0.2*sin(t)\"]}}\n"
        "probes: {u: {at: b.corner_7, quantity: displacement}, T: {at: b.corner_7, quantity: "
        "temperature}}\n"
        "analysis: {end: 4, step: 0.05}\n"
        "reduction: {method: rotation_closed, fields: modes, number: 14, thermal_fields: 10}\n";
    double T[2], u[2][GOS_PROBE_MAX];
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        verify_text(&v, model, NULL);
        gos_system *whole = v.sys;
        if (i) {
            gos_state_destroy(v.state);
            verify_good(&v, gos_reduce(v.ctx, whole, &v.sys));
            verify_good(&v, gos_state_create(v.ctx, v.sys, &v.state));
        }
        verify_run(&v);
        T[i] = verify_value(&v, v.state, "T.T");
        verify_probe(&v, v.state, "u", u[i]);
        print_message("    %d unknowns\n", v.sys->n);
        gos_integrator_destroy(v.run);
        gos_state_destroy(v.state);
        if (i) {
            gos_system_destroy(v.sys); // borrows from the whole one, and the run from it
        }
        v.run = NULL;
        v.state = NULL;
        v.sys = whole;
        verify_close(&v);
    }
    verify_near("temperature", T[1], T[0], 1e-2 * fabs(T[0]));
    verify_near("displacement", u[1][2], u[0][2], 2e-2 * fabs(u[0][2]));
}

/* ---- CalculiX -------------------------------------------------------------------------------- */

/* largest difference over the largest value of all: displacements (width 5), temperatures over 20
 * (3) */
static double compared(const char *name, int width, const char *analysis) {
    enum { MOST = 100 };
    static double row[MOST * 5];
    static char text[12000];
    const int n = calculix_read(name, width, MOST, row);
    double worst = 0, most = 0;
    verify v;
    int used = snprintf(text, sizeof text,
                        "reference_temperature: 293.15\n"
                        "meshes: {m: {type: deck, file: %s.inp}}\n"
                        "bodies: {body: {type: solid, mesh: m, deck_loads: true, deck_supports: "
                        "true}}\nanalysis: {%s}\nprobes:\n",
                        name, analysis);
    for (int i = 0; i < n; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  P%d: {at: body.node(%d), quantity: %s}\n", i, (int)row[width * i + 1],
                         width == 5 ? "displacement" : "temperature");
    }
    calculix_open(&v, text, CALCULIX);
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) { // all tables are taken
        assert_null(strstr(gos_ctx_diag(v.ctx, i)->text, "initial temperature"));
    }
    strncmp(analysis, "type: static", 12) == 0 ? verify_static(&v) : verify_run(&v);
    for (int i = 0; i < n; i++) {
        char probe[20];
        double y[GOS_PROBE_MAX];
        (void)snprintf(probe, sizeof probe, "P%d", i);
        verify_probe(&v, v.state, probe, y);
        for (int c = 0; c < width - 2; c++) {
            const double want = row[width * i + 2 + c] - (width == 3 ? 20 : 0);
            worst = fmax(worst, fabs(y[c] - want));
            most = fmax(most, fabs(want));
        }
    }
    verify_close(&v);
    return worst / most;
}

static void calculix(void **state) {
    GOS_UNUSED(state);
    const char *statics = "type: static, newton_tolerance: 1.0e-8, load_steps: 4";
    verify_below("warm, pulled and pushed", compared("tables-push", 5, statics), 1e-5);
    // CalculiX looks conductivities up at temperatures between those of the corners alone
    verify_below("steady heat", compared("tables-heat", 3, statics), 2e-5);
}

/* the bar of tables-warming-STEP after `end` seconds at the nodes that CalculiX has printed then:
   largest difference over the largest temperature of all from its numbers at steps of 10, 5 and 2.5
   s, and from what these tend to with the powers of the step */
static void bar_warms(const char *end, double off[4]) {
    enum { NODES = 132, ROWS = 4 * NODES };
    static const char *const name[3] = {"tables-warming-10", "tables-warming-5",
                                        "tables-warming-2.5"};
    static double row[3][3 * ROWS];
    static char text[12000];
    double most = 0;
    verify v;
    int used =
        snprintf(text, sizeof text,
                 "reference_temperature: 293.15\n"
                 "meshes: {m: {type: deck, file: tables-warming-10.inp}}\n"
                 "bodies: {body: {type: solid, mesh: m, deck_loads: true, deck_supports: true}}\n"
                 "analysis: {end: %s, step: 2, newton_tolerance: 1.0e-9}\nprobes:\n",
                 end);
    for (int i = 1; i <= NODES; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  P%d: {at: body.node(%d), quantity: temperature}\n", i, i);
    }
    calculix_open(&v, text, CALCULIX);
    verify_run(&v);
    memset(off, 0, 4 * sizeof *off);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(calculix_read(name[k], 3, ROWS, row[k]), ROWS);
    }
    for (int i = 0; i < ROWS; i++) {
        char probe[20];
        if (row[0][3 * i] != strtod(end, NULL)) {
            continue;
        }
        (void)snprintf(probe, sizeof probe, "P%d.T", (int)row[0][3 * i + 1]);
        const double T = verify_value(&v, v.state, probe), at10 = row[0][3 * i + 2] - 20,
                     at5 = row[1][3 * i + 2] - 20, at2 = row[2][3 * i + 2] - 20;
        const double C[4] = {at10, at5, at2, (8 * at2 - 6 * at5 + at10) / 3};
        for (int k = 0; k < 4; k++) {
            off[k] = fmax(off[k], fabs(T - C[k]));
        }
        most = fmax(most, fabs(T));
    }
    for (int k = 0; k < 4; k++) {
        off[k] /= most;
    }
    print_message("    after %s s: off by %.2e, %.2e, %.2e of %.1f K, from their limit by %.2e\n",
                  end, off[0], off[1], off[2], most, off[3]);
    verify_close(&v);
}

/* Steps of CalculiX are backward Euler's with the specific heat at their end, c(T1) (T1 - T0): an
   amount off by c' (T1 - T0)^2/2 in each step, so that its error is of first order (1.4 % of the
   largest temperature after 100 s in steps of 10 s) and its limit ours. What is left is the mesh:
   CalculiX looks tables up once for a hexahedron of eight nodes (1.1e-4 after 400 s on these
   32, 3.8e-4 on 16). */
static void calculix_warming(void **state) {
    GOS_UNUSED(state);
    double off[4];
    bar_warms("100", off);
    verify_below("after 100 s", off[3], 1e-4);
    verify_within("order of CalculiX", log2(off[0] / off[1]), 0.9, 1.1);
    verify_within("order of CalculiX", log2(off[1] / off[2]), 0.9, 1.1);
    bar_warms("400", off);
    verify_below("after 400 s", off[3], 2e-4);
}

/* the same bar on two meshes and their limit against finite volumes of stored heat
 * (tests/reference/heated_bar.py) */
static void volumes(void **state) {
    GOS_UNUSED(state);
    static const char *const probe[3] = {"a.T", "m.T", "e.T"};
    static const double want[3] = {0.02855, 8.61490, 352.38540}; // over 20
    double T[2][3];
    for (int i = 0; i < 2; i++) {
        verify v = {0};
        verify_text(&v,
                    "reference_temperature: 293.15\nparameters: {n: 32}\n"
                    "materials: {m: {density: 7800, young: 2e11, poisson: 0.3, expansion: 1e-9,\n"
                    "  conductivity: {points: [[-20, 50], [180, 45], [480, 30]]},\n"
                    "  specific_heat: {points: [[-20, 450], [180, 500], [480, 650]]}}}\n"
                    "meshes: {m: {type: box, size: [0.4, 0.1, 0.1], cells: [n, 1, 1]}}\n"
                    "bodies: {b: {type: solid, mesh: m, material: m}}\n"
                    "joints: {root: {type: clamp, between: [ground, b.left]}}\n"
                    "heat: {f: {type: flux, value: 2e5, on: b.right}}\n"
                    "probes: {a: {at: \"b.at(0, 0, 0)\", quantity: temperature},\n"
                    "  m: {at: \"b.at(0.2, 0, 0)\", quantity: temperature},\n"
                    "  e: {at: \"b.at(0.4, 0, 0)\", quantity: temperature}}\n"
                    "analysis: {end: 400, step: 1, newton_tolerance: 1.0e-9}\n",
                    i ? "n=64" : NULL);
        verify_run(&v);
        for (int k = 0; k < 3; k++) {
            T[i][k] = verify_value(&v, v.state, probe[k]);
        }
        verify_close(&v);
    }
    for (int k = 0; k < 3; k++) {
        verify_near(probe[k], (4 * T[1][k] - T[0][k]) / 3, want[k], 1e-5 * want[2]);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(law),
                                       cmocka_unit_test(newton_matrix),
                                       cmocka_unit_test(warm_and_pulled),
                                       cmocka_unit_test(conducting),
                                       cmocka_unit_test(storing),
                                       cmocka_unit_test(balances),
                                       cmocka_unit_test(reduced),
                                       cmocka_unit_test(calculix),
                                       cmocka_unit_test(calculix_warming),
                                       cmocka_unit_test(volumes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
