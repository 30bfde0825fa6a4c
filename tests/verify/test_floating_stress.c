/* Stresses and strains of floating bodies of meshes at nodes, sets and over all of them: closed
   forms, full against reduced coordinates, two materials at a node, rates, outputs of linear
   models, and what CalculiX prints (tests/reference/calculix.py). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "gossamer/reduce.h"
#include "rom/reconstruction.h"
#include "support/random.h"
#include "support/reduced.h"
#include "support/suite.h"
#include "support/verify.h"

#define FOLDER GOS_SOURCE_DIR "/tests/reference/calculix"
#define STEEL                                                                                      \
    "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3, expansion: 1.2e-5,\n"         \
    "  conductivity: 43, specific_heat: 465}}\n"

static void components(const verify *v, const char *probe, double y[6]) {
    double all[GOS_PROBE_MAX];
    verify_probe(v, NULL, probe, all);
    memcpy(y, all, 6 * sizeof *y);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* A bar that is turned, pulled, and warm: s_xx = F / A in its own axes, no stress by the
   temperature; strains s / E + alpha T, -nu s / E + alpha T. One cell across takes equal forces at
   its corners for a uniform traction: all of it is exact. */
static void uniform(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STEEL "meshes: {bar: {type: box, size: [0.3, 0.2, 0.1], cells: [3, 1, 1]}}\n"
              "bodies: {bar: {type: floating, mesh: bar, material: steel,\n"
              "  rotation_vector: [0, 0, pi/2]}}\n"
              "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
              "heat: {T: {type: temperature, value: 50, on: bar.corner_7}}\n"
              "loads:\n"
              "  pull: {type: force, on: bar.right, value: [0, 4e6, 0]}\n"
              "  back: {type: force, on: bar.left, value: [0, -4e6, 0]}\n"
              "probes: {s: {at: bar.node(2), quantity: stress},\n"
              "  e: {at: bar.node(2), quantity: strain},\n"
              "  mean: {at: bar.bottom, quantity: stress},\n"
              "  mises: {at: bar.node(2), quantity: von_mises},\n"
              "  principal: {at: bar.node(2), quantity: principal_stress}}\n"
              "analysis: {type: static}\n";
    verify v = {0};
    double s[6], e[6], mean[6], p[GOS_PROBE_MAX];
    verify_text(&v, model, "");
    verify_static(&v);
    components(&v, "s", s);
    components(&v, "e", e);
    components(&v, "mean", mean);
    verify_probe(&v, NULL, "principal", p);
    const double wanted = 4e6 / 0.02, a = 1.2e-5 * 50, strain[3] = {1, -0.3, -0.3};
    for (int c = 0; c < 6; c++) {
        verify_near("stress in the body's axes", s[c], c == 0 ? wanted : 0, 1e-8 * wanted);
        verify_near("mean over a side", mean[c], c == 0 ? wanted : 0, 1e-8 * wanted);
        verify_near("strain", e[c], c < 3 ? strain[c] * wanted / 2.1e11 + a : 0, 1e-8 * a);
    }
    verify_near("von Mises", verify_value(&v, NULL, "mises.value"), wanted, 1e-8 * wanted);
    for (int c = 0; c < 3; c++) {
        verify_near("principal stresses", p[c], c == 0 ? wanted : 0, 1e-8 * wanted);
    }
    verify_close(&v);
}

/* The same bar pushed and twisted by a state of stress that is not diagonal is covered by CalculiX
   below. Between walls: s = -E alpha T along x, nothing across. */
static void held_and_warm(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STEEL "meshes: {bar: {type: box, size: [0.3, 0.1, 0.1], cells: [3, 1, 1]}}\n"
              "bodies: {bar: {type: floating, mesh: bar, material: steel}}\n"
              "joints: {one: {type: clamp, between: [ground, bar.left]},\n"
              "  other: {type: clamp, between: [ground, bar.right]}}\n"
              "heat: {T: {type: temperature, value: 50, on: bar.corner_7}}\n"
              "probes: {s: {at: bar.node(2), quantity: stress},\n"
              "  principal: {at: bar.node(2), quantity: principal_stress},\n"
              "  largest: {at: bar, quantity: max_von_mises}}\n"
              "analysis: {type: static}\n";
    verify v = {0};
    double s[6];
    const double wanted = 2.1e11 * 1.2e-5 * 50;
    verify_text(&v, model, "");
    verify_static(&v);
    components(&v, "s", s);
    for (int c = 0; c < 6; c++) {
        verify_near("stress of a held bar", s[c], c == 0 ? -wanted : 0, 1e-8 * wanted);
    }
    verify_near("largest von Mises", verify_value(&v, NULL, "largest.value"), wanted,
                1e-8 * wanted);
    verify_near("third principal", verify_value(&v, NULL, "principal.third"), -wanted,
                1e-8 * wanted);
    verify_close(&v);
}

/* int_a^r T r dr of T = A + B log r */
static double heat_integral(double A, double B, double a, double r) {
    const double at_r = r * r / 2 * (A + B * (log(r) - 0.5));
    return at_r - a * a / 2 * (A + B * (log(a) - 0.5));
}

/* A free disc with heat through it: films at both edges make T = A + B log r; Timoshenko, Theory of
   Elasticity, 150. The stresses of quadratic elements converge with the square of their size. */
static double disc_error(int cells) {
    static const char model[] =
        "parameters: {n: 4}\n" STEEL
        "meshes: {disc: {type: annulus, inner: 0.075, outer: 0.15, cells: [n, 9*n],\n"
        "  order: quadratic, sets: {mid: {of: nodes, box: {from: [0.1124, -1e-6, -1],\n"
        "    to: [0.1126, 1e-6, 1]}}, in: {of: nodes, box: {from: [0.0749, -1e-6, -1],\n"
        "    to: [0.0751, 1e-6, 1]}}, out: {of: nodes, box: {from: [0.1499, -1e-6, -1],\n"
        "    to: [0.1501, 1e-6, 1]}}}}}\n"
        "bodies: {disc: {type: floating, mesh: disc, material: steel, element: plane_stress,\n"
        "  thickness: 0.007}}\n"
        "joints: {hold: {type: clamp, between: [ground, disc.frame]}}\n"
        "heat:\n"
        "  warm: {type: convection, coefficient: 2000, ambient: 200, on: disc.inner}\n"
        "  cold: {type: convection, coefficient: 1000, ambient: 0, on: disc.outer}\n"
        "probes: {s_in: {at: disc.in, quantity: stress}, s_out: {at: disc.out, quantity: stress},\n"
        "  s_mid: {at: disc.mid, quantity: stress}}\n"
        "analysis: {type: static}\n";
    const double a = 0.075, b = 0.15, E = 2.1e11, alpha = 1.2e-5, k = 43, h_a = 2000, h_b = 1000;
    verify v = {0};
    char set[20];
    double worst = 0, most = 0;
    (void)snprintf(set, sizeof set, "n=%d", cells);
    verify_text(&v, model, set);
    verify_static(&v);
    // h_a (200 - T(a)) = -k B / a, -k B / b = h_b T(b)
    const double slope = -200 / (k / (h_a * a) + k / (h_b * b) + log(b / a));
    const double level = -k * slope / (h_b * b) - slope * log(b);
    const struct {
        const char *probe;
        double r;
    } at[] = {{"s_in", a}, {"s_mid", 0.1125}, {"s_out", b}};
    for (int i = 0; i < GOS_COUNT(at); i++) {
        const double r = at[i].r, part = heat_integral(level, slope, a, r),
                     all = heat_integral(level, slope, a, b) / (b * b - a * a);
        const double radial = alpha * E / (r * r) * (-part + (r * r - a * a) * all);
        const double hoop =
            alpha * E / (r * r) * (part + (r * r + a * a) * all - (level + slope * log(r)) * r * r);
        double s[6];
        components(&v, at[i].probe, s);
        worst = fmax(worst, fmax(fabs(s[0] - radial), fabs(s[1] - hoop)));
        most = fmax(most, fabs(hoop));
    }
    verify_close(&v);
    return worst / most;
}

static void warm_disc(void **state) {
    GOS_UNUSED(state);
    const double coarse = disc_error(4), fine = disc_error(8);
    verify_below("disc with a temperature along the radius, 4 x 36", coarse, 0.03);
    verify_below("8 x 72", fine, 0.008);
    verify_within("order", verify_order(coarse, fine, 2), 1.6, 2.6);
}

/* A cantilever of quadratic hexahedra: M c / I = F (L - x) h / 2 / I at the middle of its length,
   on its upper side. And a shell: 6 M / h^2 on its faces, of either sign, nothing between. */
static void bending(void **state) {
    GOS_UNUSED(state);
    static const char solid[] =
        "materials: {m: {density: 7800, young: 2e11, poisson: 0}}\n"
        "meshes: {beam: {type: box, size: [1, 0.05, 0.1], cells: [8, 1, 2], order: quadratic,\n"
        "  sets: {above: {of: nodes, box: {from: [0.49, -1, 0.099], to: [0.51, 1, 0.101]}}}}}\n"
        "bodies: {beam: {type: floating, mesh: beam, material: m, reference: clamped, at: left}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
        "loads: {F: {type: force, on: beam.right, value: [0, 0, -1e4]}}\n"
        "probes: {s: {at: beam.above, quantity: stress},\n"
        "  largest: {at: beam.top, quantity: max_von_mises}}\n"
        "analysis: {type: static}\n";
    static const char shell[] =
        "materials: {m: {density: 7800, young: 2e11, poisson: 0}}\n"
        "meshes: {sheet: {type: rectangle, size: [1, 0.1], cells: [20, 2],\n"
        "  sets: {middle: {of: nodes, box: {from: [0.49, -1, -1], to: [0.51, 1, 1]}}}}}\n"
        "bodies: {sheet: {type: floating, mesh: sheet, material: m, element: shell,\n"
        "  thickness: 0.01, reference: clamped, at: left}}\n"
        "joints: {hold: {type: clamp, between: [ground, sheet.frame]}}\n"
        "loads: {F: {type: force, on: sheet.right, value: [0, 0, -10]}}\n"
        "probes: {s: {at: sheet.middle, quantity: stress, face: %s}}\n"
        "analysis: {type: static}\n";
    verify v = {0};
    double s[6];
    verify_text(&v, solid, "");
    verify_static(&v);
    components(&v, "s", s);
    const double want = 1e4 * 0.5 * 0.05 / (0.05 * 0.001 / 12);
    verify_near("cantilever of hexahedra", s[0], want, 2e-3 * want);
    verify_near("largest, at the clamped end", verify_value(&v, NULL, "largest.value"), 2 * want,
                0.05 * want);
    verify_near("where it is", verify_value(&v, NULL, "largest.x"), 0, 1e-12);
    verify_near("... on the upper side", verify_value(&v, NULL, "largest.z"), 0.1, 1e-12);
    verify_close(&v);
    static const char *const faces[] = {"upper", "middle", "lower"};
    for (int i = 0; i < 3; i++) {
        char text[1200];
        (void)snprintf(text, sizeof text, shell, faces[i]);
        verify_text(&v, text, NULL);
        verify_static(&v);
        components(&v, "s", s);
        const double moment = 10 * 0.5 / 0.1; // per length
        verify_near(faces[i], s[0], (1 - i) * 6 * moment / 1e-4, 1e-3 * 6 * moment / 1e-4);
        verify_close(&v);
    }
}

/* A free sheet that is warmer above bends without stress; its strain is that of the temperature,
   alpha T of either sign on its faces, which films with large coefficients hold at +-20 K. */
static void warm_faces(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        STEEL "meshes: {sheet: {type: rectangle, size: [0.4, 0.3], cells: [4, 3]}}\n"
              "bodies: {sheet: {type: floating, mesh: sheet, material: steel, element: shell,\n"
              "  thickness: 0.01}}\n"
              "joints: {hold: {type: clamp, between: [ground, sheet.frame]}}\n"
              "heat: {hot: {type: convection, coefficient: 1e9, ambient: 20, on: sheet.upper},\n"
              "  cold: {type: convection, coefficient: 1e9, ambient: -20, on: sheet.lower}}\n"
              "probes: {up: {at: sheet.node(8), quantity: strain, face: upper},\n"
              "  mid: {at: sheet.node(8), quantity: strain},\n"
              "  low: {at: sheet.node(8), quantity: strain, face: lower},\n"
              "  largest: {at: sheet.upper, quantity: max_von_mises}}\n"
              "analysis: {type: static}\n";
    verify v = {0};
    double up[6], mid[6], low[6];
    verify_text(&v, model, "");
    verify_static(&v);
    components(&v, "up", up);
    components(&v, "mid", mid);
    components(&v, "low", low);
    const double alpha_T = 1.2e-5 * 20;
    for (int c = 0; c < 2; c++) {
        verify_near("upper face", up[c], alpha_T, 1e-4 * alpha_T);
        verify_near("middle", mid[c], 0, 1e-4 * alpha_T);
        verify_near("lower face", low[c], -alpha_T, 1e-4 * alpha_T);
    }
    verify_below("stress of the upper face, over what it has when held",
                 verify_value(&v, NULL, "largest.value") / (2.1e11 * alpha_T), 1e-3);
    verify_close(&v);
}

/* ---- materials ------------------------------------------------------------------------------- */

/* two bars in parallel, pulled so that both are strained by 1e-3: each material has E e at the
   nodes between them; without `material` a probe there is refused, the largest value is that of the
   stiffer one */
static void materials(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {hard: {density: 7800, young: 2e11, poisson: 0},\n"
        "  soft: {density: 2700, young: 7e10, poisson: 0}}\n"
        "meshes: {bar: {type: rectangle, size: [1, 0.2], cells: [4, 4], sets: {\n"
        "  lower: {of: cells, box: {from: [0, 0, -1], to: [1, 0.1, 1]}},\n"
        "  upper: {of: cells, box: {from: [0, 0.1, -1], to: [1, 0.2, 1]}},\n"
        "  between: {of: nodes, box: {from: [0.2, 0.09, -1], to: [0.8, 0.11, 1]}}}}}\n"
        "bodies: {bar: {type: floating, mesh: bar, element: plane_stress, thickness: 0.01,\n"
        "  reference: clamped, at: left, parts: [{cells: lower, material: hard},\n"
        "    {cells: upper, material: soft}]}}\n"
        "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"
        "loads: {a: {type: force, on: bar.node(5), value: [5e4, 0, 0]},\n"
        "  b: {type: force, on: bar.node(10), value: [1e5, 0, 0]},\n"
        "  c: {type: force, on: bar.node(15), value: [6.75e4, 0, 0]},\n"
        "  d: {type: force, on: bar.node(20), value: [3.5e4, 0, 0]},\n"
        "  e: {type: force, on: bar.node(25), value: [1.75e4, 0, 0]}}\n"
        "probes: {hard: {at: bar.between, quantity: stress, material: hard},\n"
        "  soft: {at: bar.between, quantity: stress, material: soft},\n"
        "  largest: {at: bar.between, quantity: max_von_mises}%s}\n"
        "analysis: {type: static}\n";
    char text[1500];
    verify v = {0};
    double hard[6], soft[6];
    (void)snprintf(text, sizeof text, model, "");
    verify_text(&v, text, "");
    verify_static(&v);
    components(&v, "hard", hard);
    components(&v, "soft", soft);
    // a strain of 1e-3
    verify_near("hard", hard[0], 2e8, 1);
    verify_near("soft", soft[0], 7e7, 1);
    verify_near("largest", verify_value(&v, NULL, "largest.value"), 2e8, 1);
    verify_close(&v);
    static const struct {
        const char *probe, *message;
    } refused[] = {
        {", s: {at: bar.between, quantity: stress}", "the materials 'hard' and 'soft' meet there"},
        {", s: {at: bar.between, quantity: stress, material: lead}",
         "no element of material 'lead'"},
        {", s: {at: bar.node(1), quantity: stress, face: upper}", "'bar' has no faces there"},
        {", s: {at: bar.node(1), quantity: section_force}",
         "section_force requires a point on a cable"},
        {", s: {at: bar.node(1), quantity: position, face: upper}", "remove it"},
        {", s: {at: bar.frame, quantity: stress}", "'bar' has no elements there"},
        {", s: {at: bar.skin, quantity: stress}", "'bar.skin' is a whole surface"},
        {", s: {at: ground, quantity: max_von_mises}", "max_von_mises requires a set"}};
    for (int i = 0; i < GOS_COUNT(refused); i++) {
        (void)snprintf(text, sizeof text, model, refused[i].probe);
        v = (verify){.ctx = gos_ctx_create()};
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
        print_message("    %s\n", refused[i].probe);
        assert_int_equal(gos_system_create(v.ctx, v.model, &v.sys), GOS_E_INPUT);
        if (!strstr(gos_ctx_message(v.ctx), refused[i].message)) {
            print_error("%s\n", gos_ctx_message(v.ctx));
            fail();
        }
        verify_close(&v);
    }
}

/* ---- reduced --------------------------------------------------------------------------------- */

#define SWUNG                                                                                      \
    "floating_bodies: %s\n" STEEL                                                                  \
    "meshes: {bar: {type: box, size: [0.6, 0.05, 0.03], cells: [8, 1, 1], order: quadratic}}\n"    \
    "bodies: {bar: {type: floating, mesh: bar, material: steel, reference: clamped, at: left,\n"   \
    "  zeta: 0.02, reduce: {method: krylov, order: %d}}}\n"                                        \
    "joints: {hold: {type: clamp, between: [ground, bar.frame]}}\n"                                \
    "heat: {sun: {type: flux, value: 2e4, on: bar.top},\n"                                         \
    "  film: {type: convection, coefficient: 100, on: bar.bottom}}\n"                              \
    "loads: {F: {type: force, on: bar.right, value: [\"2e3*min(t/0.02, 1)\", 0, "                  \
    "\"-500*min(t/0.02, 1)\"]}}\n"                                                                 \
    "probes: {s: {at: bar.node(30), quantity: stress}, top: {at: bar.top, quantity: stress},\n"    \
    "  mises: {at: bar.node(30), quantity: von_mises},\n"                                          \
    "  principal: {at: bar.node(30), quantity: principal_stress},\n"                               \
    "  largest: {at: bar.skin, quantity: max_von_mises}}\n"                                        \
    "analysis: {type: %s, end: 0.04, step: 2.5e-4}\n"

static void run_swung(verify *v, int order, bool reduced, bool still) {
    char text[2000];
    (void)snprintf(text, sizeof text, SWUNG, reduced ? "reduced" : "whole", order,
                   still ? "static" : "dynamic");
    verify_text(v, text, "");
    if (still) {
        verify_static(v);
    } else {
        verify_run(v);
    }
}

/* largest difference of what the reduced and the whole body tell, over the largest stress */
static void compare_reduced(int order, bool still, double limit) {
    static const char *const names[] = {"s", "top", "mises", "principal", "largest"};
    static const int count[] = {6, 6, 1, 3, 1};
    verify full = {0}, few = {0};
    double y[GOS_PROBE_MAX], z[GOS_PROBE_MAX];
    run_swung(&full, order, false, still);
    run_swung(&few, order, true, still);
    verify_probe(&full, NULL, "largest", y);
    const double most = y[0];
    print_message("    %d coordinates instead of %d\n", few.sys->nq, full.sys->nq);
    assert_true(8 * few.sys->nq < full.sys->nq);
    for (int i = 0; i < GOS_COUNT(names); i++) {
        double worst = 0;
        verify_probe(&full, NULL, names[i], y);
        verify_probe(&few, NULL, names[i], z);
        for (int c = 0; c < count[i]; c++) {
            worst = fmax(worst, fabs(y[c] - z[c]));
        }
        verify_below(names[i], worst / most, limit);
    }
    verify_close(&full);
    verify_close(&few);
}

/* Krylov's vectors about 0 contain the equilibrium under force, flux and film: its stresses are the
   same to rounding. In motion they are as near as the basis brings displacements. */
static void reduced(void **state) {
    GOS_UNUSED(state);
    compare_reduced(4, true, 1e-7);
    compare_reduced(18, false, 0.01); // of 20, rounding decides how many are independent
}

/* rates are those of the values; as outputs of a linear model the same derivatives as by
 * differences of the state */
static void rates(void **state) {
    GOS_UNUSED(state);
    static const char *const names[] = {"s", "mises", "principal"};
    static const int count[] = {6, 1, 3};
    verify v = {0};
    double later[GOS_PROBE_MAX], before[GOS_PROBE_MAX], now[GOS_PROBE_MAX], rate[GOS_PROBE_MAX];
    run_swung(&v, 4, true, false);
    const double h = 1e-6;
    for (int i = 0; i < GOS_COUNT(names); i++) {
        const int probe = verify_find(&v, names[i]);
        double worst = 0, most = 0;
        verify_good(&v, gos_system_probe(v.ctx, v.sys, v.state, probe, now, rate));
        gos_state *x;
        verify_good(&v, gos_state_create(v.ctx, v.sys, &x));
        for (int side = 0; side < 2; side++) {
            const double dt = side ? h : -h;
            verify_good(&v, gos_state_copy(x, v.state));
            for (int k = 0; k < v.sys->nq; k++) {
                x->q[k] += dt * v.state->v[k];
            }
            for (int k = 0; k < v.sys->nt; k++) {
                x->th[k] += dt * v.state->thd[k];
            }
            verify_good(&v, gos_system_probe(v.ctx, v.sys, x, probe, side ? later : before, NULL));
        }
        gos_state_destroy(x);
        for (int c = 0; c < count[i]; c++) {
            worst = fmax(worst, fabs((later[c] - before[c]) / (2 * h) - rate[c]));
            most = fmax(most, fabs(rate[c]));
        }
        verify_below(names[i], worst / most, 1e-5);
    }
    verify_close(&v);
}

/* the static answer of the linear model to the force is the change of equilibria, 1e-4 of the force
 * apart on both sides */
static void outputs(void **state) {
    GOS_UNUSED(state);
    static const char *const names[] = {"s", "mises", "principal"};
    static const int count[] = {6, 1, 3};
    const double zero = 0, h = 1e-4;
    char text[2000];
    verify v[3];
    gos_linear *l;
    gos_linear_info info;
    int in = -1;
    for (int k = 0; k < 3; k++) {
        (void)snprintf(text, sizeof text, SWUNG, "reduced", 4, "static");
        char *force = strstr(text, "\"2e3*min(t/0.02, 1)\"");
        char after[1500], number[40];
        (void)snprintf(after, sizeof after, "%s", strchr(force, ']'));
        (void)snprintf(number, sizeof number, "%.17g, 0, -500", 2e3 * (1 + h * (k - 1)));
        (void)snprintf(force, sizeof text - (size_t)(force - text), "%s%s", number, after);
        verify_text(&v[k], text, "");
        verify_static(&v[k]);
    }
    verify_good(&v[1], gos_linearise(v[1].ctx, v[1].sys, v[1].state, &l));
    gos_linear_info_get(l, &info);
    double *H = malloc(2 * sizeof *H * (size_t)info.inputs * (size_t)info.outputs);
    verify_good(&v[1], gos_linear_response(v[1].ctx, l, 1, &zero, H));
    for (int i = 0; i < info.inputs; i++) {
        in = strcmp(gos_linear_input(l, i).name, "F.x") == 0 ? i : in;
    }
    assert_true(in >= 0);
    for (int i = 0; i < GOS_COUNT(names); i++) {
        double y[3][GOS_PROBE_MAX], worst = 0, most = 0;
        int out = 0;
        for (int k = 0; k < 3; k++) {
            verify_probe(&v[k], NULL, names[i], y[k]);
        }
        while (strncmp(gos_linear_output(l, out).name, names[i], strlen(names[i])) != 0) {
            out++;
        }
        for (int c = 0; c < count[i]; c++) {
            const double by = (y[2][c] - y[0][c]) / (2 * h * 2e3);
            worst = fmax(worst, fabs(by - H[2 * ((out + c) * info.inputs + in)]));
            most = fmax(most, fabs(by));
        }
        verify_below(names[i], worst / most, 1e-6);
    }
    free(H);
    gos_linear_destroy(l);
    for (int k = 0; k < 3; k++) {
        verify_close(&v[k]);
    }
}

/* a system whose other bodies are reduced: at any state probes are those of the full system at the
 * state that it stands for */
static void beside_others(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {steel: {density: 7800, young: 2.1e11, poisson: 0.3},\n"
        "  soft: {density: 1100, young: 1e7, poisson: 0.3, expansion: 2e-4, conductivity: 0.2,\n"
        "    specific_heat: 1500}}\n"
        "meshes: {bar: {type: box, size: [0.6, 0.05, 0.03], cells: [6, 1, 1]}}\n"
        "bodies: {bar: {type: floating, mesh: bar, material: steel},\n"
        "  block: {type: solid, mesh: bar, material: soft, position: [0.6, 0, 0]}}\n"
        "joints: {pin: {type: spherical, between: [bar.right, block.left]}}\n"
        "probes: {s: {at: bar.node(3), quantity: stress}, e: {at: bar.top, quantity: strain},\n"
        "  mises: {at: bar.node(3), quantity: von_mises},\n"
        "  largest: {at: bar, quantity: max_von_mises},\n"
        "  of_solid: {at: block.right, quantity: max_von_mises}}\n"
        "analysis: {end: 1}\n";
    static const char *const names[] = {"s", "e", "mises", "largest", "of_solid"};
    verify v = {0};
    gos_system *reduced = NULL;
    gos_state *x = NULL;
    gos_reconstruction lift;
    gos_arena *a;
    uint64_t seed = 3;
    verify_text(&v, model, "");
    reduce_as(v.sys,
              (gos_reduction_def){
                  .fields = GOS_FIELDS_MODES, .number = 12, .statics = 1, .tolerance = 1e-3});
    verify_good(&v, gos_reduce(v.ctx, v.sys, &reduced));
    assert_true(reduced->nq < v.sys->nq);
    a = gos__arena_create(v.ctx);
    verify_good(&v, gos__reconstruction_create(v.ctx, a, reduced, &lift));
    verify_good(&v, gos_state_create(v.ctx, reduced, &x));
    for (int i = 0; i < reduced->nq; i++) {
        x->q[i] += 5e-4 * random_uniform(&seed);
    }
    for (int i = 0; i < reduced->nt; i++) {
        x->th[i] = 1.5 * i - 4;
    }
    gos__reconstruct_motion(&lift, true, x->q, v.state->q);
    gos__reconstruct_heat(&lift, x->th, v.state->th);
    assert_true(reduced->nt > 0);
    for (int i = 0; i < GOS_COUNT(names); i++) {
        double y[GOS_PROBE_MAX], z[GOS_PROBE_MAX], worst = 0, most = 0;
        gos_probe_info info;
        const int probe = verify_find(&v, names[i]);
        gos_system_probe_info(v.sys, probe, &info);
        verify_probe(&v, NULL, names[i], y);
        verify_good(&v, gos_system_probe(v.ctx, reduced, x, probe, z, NULL));
        for (int c = 0; c < info.ncomp; c++) {
            worst = fmax(worst, fabs(y[c] - z[c]));
            most = fmax(most, fabs(y[c]));
        }
        assert_true(most > 0);
        verify_below(names[i], worst / most, 1e-9);
    }
    gos_state_destroy(x);
    gos__arena_destroy(a);
    gos_system_destroy(reduced);
    verify_close(&v);
}

/* ---- CalculiX -------------------------------------------------------------------------------- */

/* The same elements with the same points: C3D8, C3D10 and, with points of lower degree, C3D20R. Six
 * digits are printed. */
static void compare(const char *name, const char *element, double limit) {
    enum { MOST = 1400, EVERY = 5 };
    static double row[MOST * 7];
    static char text[60000];
    char path[300], line[300];
    int n = 0;
    verify v;
    (void)snprintf(path, sizeof path, FOLDER "/%s.csv", name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (n < MOST && fgets(line, sizeof line, f)) {
        char *s = line;
        for (int k = 0; line[0] >= '0' && line[0] <= '9' && k < 7; k++) {
            row[7 * n + k] = strtod(s, &s);
            s += *s == ',';
            n += k == 6;
        }
    }
    assert_int_equal(fclose(f), 0);
    int used = snprintf(
        text, sizeof text,
        "materials: {steel: {density: 7800, young: 210e9, poisson: 0.3, conductivity: 43,\n"
        "  specific_heat: 465, expansion: 12e-6}}\n"
        "meshes: {m: {type: deck, file: %s.inp, mass_scale: 1}}\n"
        "bodies: {body: {type: floating, mesh: m%s%s, reference: clamped, at: FIX}}\n"
        "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"
        "heat: {T: {type: temperature, value: 100, on: body.node(1)}}\n"
        "loads: {F: {type: force, on: body.EDGE, value: [3e4, 1e4, 0]}}\n"
        "analysis: {type: static}\nprobes:\n"
        "  largest: {at: body, quantity: max_von_mises}\n",
        name, element ? ", material: steel, element: " : "", element ? element : "");
    for (int i = 0; i < n; i += EVERY) {
        used += snprintf(text + used, sizeof text - used,
                         "  s%d: {at: body.node(%d), quantity: stress, material: %s}\n", i,
                         (int)row[7 * i], element ? "steel" : "STEEL");
    }
    assert_true(n > 0 && used < (int)sizeof text);
    v = (verify){.ctx = gos_ctx_create()};
    verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", FOLDER, &v.model));
    verify_compile(&v);
    verify_static(&v);
    double worst = 0, most = 0, mises = 0;
    for (int i = 0; i < n; i++) {
        const double *s = row + 7 * i + 1;
        const double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
        mises = fmax(mises, sqrt(0.5 * (a * a + b * b + c * c) +
                                 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])));
    }
    for (int i = 0; i < n; i += EVERY) {
        char probe[20];
        double y[6];
        (void)snprintf(probe, sizeof probe, "s%d", i);
        components(&v, probe, y);
        for (int c = 0; c < 6; c++) {
            worst = fmax(worst, fabs(y[c] - row[7 * i + 1 + c]));
            most = fmax(most, fabs(row[7 * i + 1 + c]));
        }
    }
    verify_below(name, worst / most, limit);
    verify_near("largest von Mises", verify_value(&v, NULL, "largest.value"), mises, limit * mises);
    verify_close(&v);
}

static void calculix(void **state) {
    GOS_UNUSED(state);
    compare("bracket-stress-hex8", "solid", 2e-5);
    compare("bracket-stress-hex8", NULL, 2e-5); // materials and elements of the deck
    compare("bracket-stress-tet10", "solid", 2e-5);
    compare("bracket-stress-hex20r", "solid_reduced", 2e-5);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform),    cmocka_unit_test(held_and_warm),
        cmocka_unit_test(warm_disc),  cmocka_unit_test(bending),
        cmocka_unit_test(warm_faces), cmocka_unit_test(materials),
        cmocka_unit_test(reduced),    cmocka_unit_test(rates),
        cmocka_unit_test(outputs),    cmocka_unit_test(beside_others),
        cmocka_unit_test(calculix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
