/* Patches with mass and stiffness of their own, through the model file: strips against closed forms
   of layered beams, with and without a core, on one face and on both; frequencies; whole and
   reduced; what a layer does to temperatures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/suite.h"
#include "support/verify.h"

#define L 0.2
#define WIDTH 0.02
#define H 1e-3
#define H_P 2e-4
#define E31 (-6.5)
#define EPS 1.3e-8
#define E_S 70e9
#define E_P 60e9
#define V 100.0

#define STRIP                                                                                      \
    "parameters: {V: 100, nx: 10, h: 1e-3, nu: 0}\n"                                               \
    "materials: {alloy: {density: 2700, young: 70e9, poisson: nu},\n"                              \
    "  pzt: {density: 7800, young: 60e9, poisson: nu}}\n"                                          \
    "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [nx, 1]}}\n"                      \
    "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"              \
    "  thickness: h, reference: clamped, at: left, interfaces: {tip: {of: right}},\n"              \
    "  reduce: {method: modes, order: 4}}}\n"                                                      \
    "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
#define PATCHES                                                                                    \
    "type: patch, on: beam, thickness: 2e-4, e31: -6.5, e32: 0, along: [1, 0, 0],\n"               \
    "  permittivity: 1.3e-8, material: pzt"
#define TIP "  tip: {at: beam.tip, quantity: displacement}"

static void statics(const char *text, const char *settings, verify *v) {
    char model[4000];
    snprintf(model, sizeof model, "%sanalysis: {type: static}\n", text);
    verify_text(v, model, settings);
    verify_static(v);
}

/* E I of a core of thickness h between two patches, per width */
static double bending(double h) {
    const double arm = (h + H_P) / 2;
    return E_S * h * h * h / 12 + 2 * E_P * (H_P * H_P * H_P / 12 + H_P * arm * arm);
}

/* w = e31 V (h + h_p) L^2 / (2 D), u = -2 e31 V L / (E_s h + 2 E_p h_p); a bimorph's charge is 2 C
 * V + (e31 (h + h_p))^2 b L V / D */
static void bimorph(void **state) {
    GOS_UNUSED(state);
    const double D = bending(H), w = E31 * V * (H + H_P) * L * L / (2 * D),
                 u = -2 * E31 * V * L / (E_S * H + 2 * E_P * H_P), a = E31 * (H + H_P),
                 Q = (2 * EPS * L * WIDTH / H_P + a * a * WIDTH * L / D) * V;
    for (int reduced = 0; reduced < 2; reduced++) {
        const char *how = reduced ? "floating_bodies=reduced" : NULL;
        verify v;
        statics(STRIP "piezo: {p: {" PATCHES ", channels: {bend: [upper, -lower]}, voltage: V}}\n"
                      "probes: {q: {at: p.bend, quantity: charge},\n"
                      "  s: {at: beam.node(5), quantity: stress, face: upper}, " TIP "}\n",
                how, &v);
        verify_near("stress of the shell", verify_value(&v, NULL, "s.xx"),
                    -2 * w / (L * L) * E_S * H / 2, 1e-8 * fabs(w / (L * L) * E_S * H));
        verify_near("tip", verify_value(&v, NULL, "tip.z"), w, 1e-8 * fabs(w));
        verify_near("charge", verify_value(&v, NULL, "q.value"), Q, 1e-8 * Q);
        verify_close(&v);
        statics(STRIP "piezo: {p: {" PATCHES ", channels: joined, voltage: V}}\n"
                      "probes: {" TIP "}\n",
                how, &v);
        verify_near("stretch", verify_value(&v, NULL, "tip.x"), u, 1e-8 * u);
        verify_near("no bending", verify_value(&v, NULL, "tip.z"), 0, 1e-9 * fabs(w));
        verify_close(&v);
    }
    verify v; // `own: none` leaves the material out
    statics(STRIP "piezo: {p: {" PATCHES ", own: none, channels: bimorph, voltage: V}}\n"
                  "probes: {" TIP "}\n",
            NULL, &v);
    const double bare = E31 * V * (H + H_P) * L * L / (2 * E_S * H * H * H / 12);
    verify_near("bare", verify_value(&v, NULL, "tip.z"), bare, 1e-8 * fabs(bare));
    verify_close(&v);
}

/* A core that vanishes leaves 3 e31 V L^2 / (E H^2) of a strip of thickness H = 2 h_p, to first
   order in h / h_p: the ratio is (1 + a) / (1 + 3 a / 2 + ...), a = h / h_p */
static void no_core(void **state) {
    GOS_UNUSED(state);
    const double coreless = 3 * E31 * V * L * L / (E_P * 4 * H_P * H_P);
    double last = 0;
    for (double h = 1e-5; h > 5e-9; h /= 10) {
        char set[60];
        const double want = E31 * V * (h + H_P) * L * L / (2 * bending(h));
        verify v;
        snprintf(set, sizeof set, "h=%.17g", h);
        statics(STRIP "piezo: {p: {" PATCHES ", channels: bimorph, voltage: V}}\n"
                      "probes: {" TIP "}\n",
                set, &v);
        const double w = verify_value(&v, NULL, "tip.z"), off = 1 - w / coreless;
        print_message("    h / h_p %.0e: %.3e off\n", h / H_P, off);
        verify_near("tip", w, want, 1e-7 * fabs(want));
        verify_near("first order", off / (h / H_P), 0.5, 1.2 * h / H_P + 1e-4);
        assert_true(last == 0 || fabs(last / off - 10) < 0.5);
        last = off;
        verify_close(&v);
    }
}

/* Layers of a strip that lies on one face: with A = E h + E_p h_p, B = E_p h_p z, D = E h^3 / 12 +
   E_p (h_p^3 / 12 + h_p z^2) about the middle of the shell, z = (h + h_p) / 2, no force and no
   moment leave A e + B k = -e31 V, B e + D k = -e31 V z: strain e and curvature k of e + zeta k */
static void one_face(void **state) {
    GOS_UNUSED(state);
    static const char *const faces[] = {"upper", "lower"};
    for (int i = 0; i < 4; i++) {
        const double z = (1 - 2 * (i % 2)) * (H + H_P) / 2, A = E_S * H + E_P * H_P,
                     B = E_P * H_P * z,
                     D = E_S * H * H * H / 12 + E_P * (H_P * H_P * H_P / 12 + H_P * z * z),
                     f = -E31 * V, e = (D * f - B * f * z) / (A * D - B * B),
                     k = (A * f * z - B * f) / (A * D - B * B);
        char text[3000];
        verify v;
        snprintf(text, sizeof text,
                 STRIP "piezo: {p: {" PATCHES ", faces: %s, channels: joined, voltage: V}}\n"
                       "probes: {q: {at: p, quantity: charge}, " TIP "}\n",
                 faces[i % 2]);
        statics(text, i / 2 ? "floating_bodies=reduced" : NULL, &v);
        verify_near("tip", verify_value(&v, NULL, "tip.z"), -k * L * L / 2, 1e-8 * fabs(k * L * L));
        verify_near("stretch", verify_value(&v, NULL, "tip.x"), e * L, 1e-8 * fabs(e * L));
        const double q = EPS * L * WIDTH / H_P * V - E31 * WIDTH * L * (e + z * k);
        verify_near("charge", verify_value(&v, NULL, "q.value"), q, 1e-8 * q);
        verify_close(&v);
    }
}

static double lowest(const char *text, const char *settings, int n, gos_mode *mode) {
    gos_linear *linear;
    int found;
    verify v;
    verify_text(&v, text, settings);
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear));
    verify_good(&v, gos_linear_modes(v.ctx, linear, n, false, mode, &found));
    assert_int_equal(found, n);
    gos_linear_destroy(linear);
    verify_close(&v);
    return mode[0].omega;
}

/* omega = 1.8751^2 sqrt(D / (m L^4)) of a slender beam; on both faces D = E h^3 / 12 + ..., on one
   about the neutral axis, D - B^2 / A. Second order in the cells, towards what rotary inertia and
   shear (of order (h / L)^2) leave. */
static void frequencies(void **state) {
    GOS_UNUSED(state);
    for (int both = 0; both < 2; both++) {
        const double z = (H + H_P) / 2, own = E_P * (H_P * H_P * H_P / 12 + H_P * z * z),
                     A = E_S * H + E_P * H_P, B = E_P * H_P * z, shell = E_S * H * H * H / 12,
                     D = both ? shell + 2 * own : shell + own - B * B / A,
                     m = 2700 * H + (1 + both) * 7800 * H_P,
                     want = 1.875104068711961 * 1.875104068711961 / (L * L) * sqrt(D / m);
        double off[3];
        char text[3000];
        snprintf(text, sizeof text, STRIP "piezo: {p: {" PATCHES ", faces: [%s]}}\n",
                 both ? "upper, lower" : "lower");
        for (int k = 0; k < 3; k++) {
            static const char *const fine[] = {"nx=20", "nx=40", "nx=80"};
            gos_mode mode[1];
            off[k] = lowest(text, fine[k], 1, mode) / want - 1;
        }
        const double rest = (4 * off[2] - off[1]) / 3;
        print_message("    %.3e, %.3e, %.3e off; without cells %.1e\n", off[0], off[1], off[2],
                      rest);
        verify_near("order", (off[0] - off[1]) / (off[1] - off[2]), 4, 0.05);
        verify_near("slender", rest, 0, 5e-5);
    }
}

/* A plate of skewed cells with patches of its own material on both faces, or one, is a thicker
   plate: frequencies of the free body, which its middle has no part in. */
static void thicker_plate(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {m: {density: 2700, young: 70e9, poisson: 0.3}}\n"
        "meshes: {plate: {type: patch, corners: [[0, 0, 0], [0.3, 0.02, 0], [0.34, 0.25, 0],\n"
        "  [0.03, 0.2, 0]], cells: [6, 5]}}\n"
        "bodies: {plate: {type: floating, mesh: plate, material: m, element: shell,\n"
        "  thickness: %g}}\n%s%s%s";
    static const char *const of[] = {"upper, lower", "upper", "lower"};
    for (int i = 0; i < 3; i++) {
        char text[3000], faces[300];
        gos_mode thin[12], thick[12];
        snprintf(faces, sizeof faces,
                 "piezo: {p: {type: patch, on: plate, thickness: 5.0e-4, e31: -6.5,\n"
                 "  permittivity: 1.3e-8, material: m, faces: [%s]}}\n",
                 of[i]);
        snprintf(text, sizeof text, model, 2e-3, faces, "", "");
        lowest(text, NULL, 12, thin);
        snprintf(text, sizeof text, model, i == 0 ? 3e-3 : 2.5e-3, "", "", "");
        lowest(text, NULL, 12, thick);
        double off = 0;
        for (int k = 6; k < 12; k++) {
            off = fmax(off, fabs(thin[k].omega / thick[k].omega - 1));
        }
        print_message("    %s: %.1e, from %.1f Hz\n", of[i], off, thick[6].frequency);
        assert_true(thick[6].frequency > 10 && off < 1e-4);
    }
}

/* A layer that expands more bends the strip like a bimetal: A e + B k = N, B e + D k = M with N = E
   h a T + E_p h_p a_p T, M = E_p h_p a_p T z; and it stores heat: rho c h + rho_p c_p h_p per
   area. */
static void warmed(void **state) {
    GOS_UNUSED(state);
    static const char model[] =
        "materials: {alloy: {density: 2700, young: 70e9, poisson: 0, expansion: 2e-5,\n"
        "    conductivity: 100, specific_heat: 900},\n"
        "  pzt: {density: 7800, young: 60e9, poisson: 0, expansion: 4e-6, conductivity: 1.5,\n"
        "    specific_heat: 420}}\n"
        "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [10, 1]}}\n"
        "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"
        "  thickness: 1e-3, reference: clamped, at: left, interfaces: {tip: {of: right}}}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
        "heat: {up: {type: convection, coefficient: 1e9, ambient: 10, on: beam.upper},\n"
        "  low: {type: convection, coefficient: 1e9, ambient: 10, on: beam.lower}}\n"
        "piezo: {p: {" PATCHES ", faces: upper}}\nprobes: {" TIP "}\n";
    const double z = (H + H_P) / 2, A = E_S * H + E_P * H_P, B = E_P * H_P * z,
                 D = E_S * H * H * H / 12 + E_P * (H_P * H_P * H_P / 12 + H_P * z * z),
                 N = E_S * H * 2e-5 * 10 + E_P * H_P * 4e-6 * 10, M = E_P * H_P * 4e-6 * 10 * z,
                 k = (A * M - B * N) / (A * D - B * B), e = (D * N - B * M) / (A * D - B * B);
    verify v;
    assert_true(k < 0); // the ceramic above expands less: the tip goes up
    statics(model, NULL, &v);
    verify_near("tip", verify_value(&v, NULL, "tip.z"), -k * L * L / 2, 1e-4 * fabs(k * L * L));
    verify_near("stretch", verify_value(&v, NULL, "tip.x"), e * L, 1e-4 * fabs(e * L));
    verify_close(&v);
    static const char heated[] =
        "materials: {alloy: {density: 2700, young: 70e9, poisson: 0, expansion: 2e-5,\n"
        "    conductivity: 100, specific_heat: 900},\n"
        "  pzt: {density: 7800, young: 60e9, poisson: 0, expansion: 4e-6, conductivity: 1.5,\n"
        "    specific_heat: 420}}\n"
        "meshes: {strip: {type: rectangle, size: [0.2, 0.02], cells: [10, 1]}}\n"
        "bodies: {beam: {type: floating, mesh: strip, material: alloy, element: shell,\n"
        "  thickness: 1e-3, reference: clamped, at: left}}\n"
        "joints: {hold: {type: clamp, between: [ground, beam.frame]}}\n"
        "heat: {q: {type: flux, on: beam.upper, value: 1000}}\n"
        "piezo: {p: {" PATCHES "}}\nprobes: {T: {at: beam.right, quantity: temperature}}\n"
        "analysis: {end: 10, step: 0.1}\n";
    verify_text(&v, heated, NULL);
    verify_run(&v);
    const double capacity = 2700 * 900 * H + 2 * 7800 * 420 * H_P;
    verify_near("temperature", verify_value(&v, NULL, "T.T"), 1000 * 10 / capacity, 1e-6);
    verify_close(&v);
}

/* x^T A x of a block of a linear model */
static double square(const gos_linear *l, gos_block which, const double *x) {
    gos_matrix_view A;
    double sum = 0;
    gos_linear_block(l, which, &A);
    for (int j = 0; j < A.columns; j++) {
        for (int k = A.start[j]; k < A.start[j + 1]; k++) {
            sum += x[A.row[k]] * A.value[k] * x[j];
        }
    }
    return sum;
}

/* `modal`: one mode of the shell alone carries the patches on its first half: omega^2 = phi^T K phi
   / phi^T M phi with K and M of the whole, phi of the bare shell; that is above what `assembled`
   has, whose mode is its own, and whole bodies are the same. */
static void modal(void **state) {
    GOS_UNUSED(state);
    static const char model[] = STRIP
        "piezo: {p: {type: patch, on: [\"beam.cell(1)\", \"beam.cell(2)\", \"beam.cell(3)\"],\n"
        "  thickness: 2e-4, e31: -6.5, permittivity: 1.3e-8, material: pzt}}\n";
    gos_linear *bare, *whole;
    gos_linear_info info;
    gos_mode mode[1];
    int found;
    verify v, w;
    verify_text(&v, model, "piezo.p.own=none");
    verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &bare));
    gos_linear_info_get(bare, &info);
    double *phi = calloc((size_t)info.coordinates, sizeof *phi);
    assert_non_null(phi);
    verify_good(&v, gos_linear_shapes(v.ctx, bare, 1, mode, phi, &found));
    const double without = mode[0].omega;
    verify_text(&w, model, "piezo.p.own=modal");
    verify_good(&w, gos_linearise(w.ctx, w.sys, w.state, &whole));
    const double want = sqrt(square(whole, GOS_BLOCK_K, phi) / square(whole, GOS_BLOCK_M, phi)),
                 own = lowest(model, NULL, 1, mode);
    verify_near("whole", lowest(model, "piezo.p.own=modal", 1, mode), own, 1e-9 * own);
    const char *few =
        "floating_bodies=reduced bodies.beam.reduce.order=1 bodies.beam.reduce.static=[]";
    char set[300];
    snprintf(set, sizeof set, "%s piezo.p.own=modal", few);
    const double one = lowest(model, set, 1, mode);
    print_message("    %g without, %g of the mode, %g of all [rad/s]\n", without, want, own);
    verify_near("modal", one, want, 1e-8 * want);
    assert_true(want > 1.01 * own && own > 1.05 * without);
    verify_near("assembled", lowest(model, few, 1, mode), own, 1e-8 * own);
    gos_linear_destroy(bare);
    gos_linear_destroy(whole);
    verify_close(&v);
    verify_close(&w);
    free(phi);
}

static void refused(const char *patches, const char *body, const char *why) {
    char text[3000];
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_ctx *ctx = gos_ctx_create();
    snprintf(
        text, sizeof text,
        "materials: {m: {density: 2700, young: 70e9, poisson: 0.3%s},\n"
        "  pzt: {density: 7800, young: 60e9, poisson: 0.3},\n"
        "  soft: {density: 7800, young: \"6e10 - 1e8*T\", poisson: 0.3}}\n"
        "meshes: {s: {type: rectangle, size: [1, 1], cells: [1, 1]}}\n"
        "bodies: {s: {type: floating, mesh: s, material: m, element: shell, thickness: 0.01}}\n"
        "piezo: {p: {type: patch, on: s, thickness: 1e-3, e31: -6, permittivity: 1e-8%s}}\n",
        body, patches);
    gos_status status = gos_model_parse(ctx, text, strlen(text), "test.yaml", NULL, &model);
    status = status == GOS_OK ? gos_system_create(ctx, model, &sys) : status;
    assert_int_not_equal(status, GOS_OK);
    if (!strstr(gos_ctx_message(ctx), why)) {
        fail_msg("'%s' does not say '%s'", gos_ctx_message(ctx), why);
    }
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
}

static void refusals(void **state) {
    GOS_UNUSED(state);
    refused(", own: assembled", "", "patches with mass and stiffness need a material");
    refused(", material: gold", "", "gold");
    refused(", material: soft", "", "do not support temperature-dependent properties");
    refused(", material: pzt", ", conductivity: 1, specific_heat: 1",
            "material 'pzt' has no conductivity or specific_heat");
}

/* what patches weigh against the shell is reported: 2 x 7800 x 0.2 mm / (2700 x 1 mm) */
static void told(void **state) {
    GOS_UNUSED(state);
    bool found = false;
    verify v;
    statics(STRIP "piezo: {p: {" PATCHES "}}\nprobes: {" TIP "}\n", NULL, &v);
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        found = found || strstr(gos_ctx_diag(v.ctx, i)->text, "patches add 116 % to the mass");
    }
    assert_true(found);
    verify_close(&v);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bimorph),     cmocka_unit_test(no_core),       cmocka_unit_test(one_face),
        cmocka_unit_test(frequencies), cmocka_unit_test(thicker_plate), cmocka_unit_test(warmed),
        cmocka_unit_test(modal),       cmocka_unit_test(refusals),      cmocka_unit_test(told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE(suite)
