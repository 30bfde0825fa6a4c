/* Temperature alone: conduction, surfaces, sources, sections and orientation against closed forms
   and NAFEMS T2, T3 (theory guide 2.1, 2.4, 2.5, 2.8). The rods do not expand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/suite.h"
#include "support/verify.h"

/* A clamped rod along x; tests add a `heat:` section and change parameters, section or
   direction. */
static const char rod[] =
    "parameters: {n: 8, L: 0.1, b: 0.02, h: 0.01, k: 50, c: 400, rho: 8000, q: 1.0e4, J: 1}\n"
    "reference_temperature: 300\n"
    "materials:\n"
    "  m: {density: rho, young: 1.0e9, conductivity: k, specific_heat: c, absorptivity: 0.7,\n"
    "      emissivity: 0.6}\n"
    "sections:\n"
    "  bar: {type: rectangle, width: b, height: h, depth_modes: J}\n"
    "  wire: {type: circle, radius: h}\n"
    "  tube: {type: annulus, outer: h, inner: 0.6*h}\n"
    "  profile: {type: general, area: b*h, Iy: 1.0e-8, Iz: 2.0e-8, perimeter: 0.08}\n"
    "bodies:\n"
    "  rod: {type: ancf_cable, material: m, section: bar, from: [0, 0, 0], to: [L, 0, 0],\n"
    "        elements: n}\n"
    "joints: {root: {type: clamp, between: [ground, rod.start]}}\n"
    "probes:\n"
    "  start: {at: rod.start, quantity: temperature}\n"
    "  mid: {at: rod.at(L/2), quantity: temperature}\n"
    "  far: {at: rod.at(0.8*L), quantity: temperature}\n"
    "  end: {at: rod.end, quantity: temperature}\n"
    "analysis: {type: static}\n";

/* only the mean of the first section is prescribed: section gradients are free there */
#define GROUNDED "  base: {type: temperature, on: rod.start, value: 0, gradients: free}\n"

static const double STEFAN = 5.670374419e-8;
static const double L = 0.1, b = 0.02, h = 0.01, k = 50, c = 400, rho = 8000, q = 1e4;
static const double absorbed = 0.7 * 1e4; // absorptivity times q [W/m^2]

static void open_rod(verify *v, const char *heat, const char *settings) {
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%sheat:\n%s", rod, heat);
    verify_text(v, text, settings);
}

static double value(const verify *v, const char *what) {
    return verify_value(v, NULL, what);
}

/* "WHAT" of the steady state */
static double steady(const char *heat, const char *settings, const char *what) {
    verify v;
    open_rod(&v, heat, settings);
    verify_static(&v);
    const double y = value(&v, what);
    verify_close(&v);
    return y;
}

/* a number that should be reached to round-off, against its own size */
static void exactly(const char *what, double got, double want) {
    verify_near(what, got, want, 1e-9 * fmax(fabs(want), 1e-3));
}

/* ---- NAFEMS ---------------------------------------------------------------------------------- */

/* T2, one-dimensional heat transfer with radiation: 1000 K at one end, emissivity 0.98 to 300 K at
   the other; 927.0 K. Exactly: k (1000 - T)/L = sigma eps (T^4 - 300^4), linear in between. */
static void nafems_t2(void **state) {
    GOS_UNUSED(state);
    static const char heat[] =
        "  hot: {type: temperature, on: rod.start, value: 700}\n"
        "  cold: {type: radiation, on: rod.end, sink: 300, emissivity: 0.98}\n";
    double T = 900;
    for (int i = 0; i < 50; i++) {
        const double f = 55.6 * (1000 - T) / 0.1 - 0.98 * STEFAN * (pow(T, 4) - pow(300, 4));
        T += f / (55.6 / 0.1 + 4 * 0.98 * STEFAN * pow(T, 3));
    }
    const double end = steady(heat, "k=55.6 n=3", "end.T") + 300;
    verify_near("NAFEMS T2, end [K]", end, 927.0, 0.05);
    exactly("the same from its equation [K]", end, T);
    exactly("middle, linear [K]", steady(heat, "k=55.6 n=3", "mid.T") + 300, 0.5 * (1000 + T));
}

/* solution of T3 by sine series: T = g x/L + sum b_n(t) sin(n pi x/L), g = 100 sin(pi t/40),
   b_n' + D n^2 b_n = 2 (-1)^n/(n pi) g', b_n(0) = 0 */
static double t3_series(double x, double t) {
    const double w = M_PI / 40, D0 = 35.0 / (7200 * 440.5) * M_PI * M_PI / (L * L);
    double T = 100 * sin(w * t) * x / L;
    for (int n = 1; n < 2000; n++) {
        const double D = D0 * n * n, f = 200 * w / (n * M_PI) * (n % 2 ? -1 : 1);
        T += f * (D * cos(w * t) + w * sin(w * t) - D * exp(-D * t)) / (D * D + w * w) *
             sin(n * M_PI * x / L);
    }
    return T;
}

static double t3(int n, double step) {
    verify v;
    char settings[200];
    snprintf(settings, sizeof settings,
             "k=35 c=440.5 rho=7200 n=%d analysis.step=%.17g analysis.type=dynamic analysis.end=32",
             n, step);
    open_rod(&v,
             "  cold: {type: temperature, on: rod.start, value: 0}\n"
             "  hot: {type: temperature, on: rod.end, value: \"100*sin(pi*t/40)\"}\n",
             settings);
    verify_run(&v);
    const double T = value(&v, "far.T");
    verify_close(&v);
    return T;
}

/* T3, transient: 0 at one end, 100 sin(pi t/40) at the other; 36.60 at x = 0.08 m, t = 32 s */
static void nafems_t3(void **state) {
    GOS_UNUSED(state);
    const double exact = t3_series(0.08, 32);
    verify_near("NAFEMS T3, series", exact, 36.60, 5e-3);
    const double coarse = t3(40, 0.1), fine = t3(80, 0.05);
    verify_near("NAFEMS T3, 80 elements, step 0.05 s", fine, 36.60, 0.02);
    verify_within("its order in mesh and step",
                  verify_order(fabs(coarse - exact), fabs(fine - exact), 2), 1.9, 2.1);
    verify_near("extrapolated by its order", fine + (fine - coarse) / 3, exact, 1e-3);
}

/* ---- conduction, capacity, sources ----------------------------------------------------------- */

static void conduction(void **state) {
    GOS_UNUSED(state);
    static const char ends[] = "  a: {type: temperature, on: rod.start, value: 100}\n"
                               "  b: {type: temperature, on: rod.end, value: 20}\n";
    exactly("linear profile, middle", steady(ends, "", "mid.T"), 60);
    exactly("linear profile, inside an element", steady(ends, "n=3", "far.T"), 36);
    /* Q L/(k A) */
    exactly("heat flow into the end",
            steady("  in: {type: heat_flow, on: rod.end, value: 12}\n"
                   "  a: {type: temperature, on: rod.start, value: 5}\n",
                   "", "end.T"),
            5 + 12 * L / (k * b * h));
    exactly(
        "heat flow at a point, beyond it",
        steady("  in: {type: heat_flow, on: rod.at(0.8*L), value: 12}\n" GROUNDED, "n=5", "end.T"),
        0.8 * 12 * L / (k * b * h));
    /* uniform source, one end at 0, the other insulated: r L^2/(2 k), nodally exact */
    exactly("uniform source",
            steady("  in: {type: source, on: rod, value: 1.0e6}\n" GROUNDED, "n=4", "end.T"),
            1e6 * L * L / (2 * k));
}

/* temperatures that are linear in time are exact in any number of steps: T = r t/(rho c) */
static void capacity(void **state) {
    GOS_UNUSED(state);
    verify v;
    open_rod(&v, "  in: {type: source, on: rod, value: 1.0e6}\n",
             "analysis.type=dynamic analysis.end=3 analysis.step=0.3");
    verify_run(&v);
    exactly("uniform heating, middle", value(&v, "mid.T"), 1e6 * 3 / (rho * c));
    gos_heat heat;
    gos_system_heat(v.sys, v.state, &heat);
    exactly("heat stored [J]", heat.stored, 1e6 * 3 * L * b * h);
    exactly("heat supplied [J]", heat.supplied, 1e6 * 3 * L * b * h);
    verify_close(&v);
}

/* gradients across the section */
static void across(void **state) {
    GOS_UNUSED(state);
    /* q in on one side and out on the other: q/k */
    static const char up[] = "  in: {type: flux, on: rod.top, value: q}\n"
                             "  out: {type: flux, on: rod.bottom, value: -q}\n" GROUNDED;
    static const char side[] = "  in: {type: flux, on: rod.right, value: q}\n"
                               "  out: {type: flux, on: rod.left, value: -q}\n" GROUNDED;
    exactly("T_y, top against bottom", steady(up, "", "end.T_y"), q / k);
    exactly("T_z then", steady(up, "", "end.T_z"), 0);
    exactly("T then", steady(up, "", "end.T"), 0);
    exactly("T_z, right against left", steady(side, "", "end.T_z"), q / k);
    exactly("T_y then", steady(side, "", "end.T_y"), 0);
    /* T_y with depth modes: the linear profile is among them */
    exactly("T_y with five modes", steady(up, "J=5", "end.T_y"), q / k);
    /* whole outline: 2 (b + h) q heats the mean only, mean at the end s L^2/(2 k A) */
    exactly("flux into the whole outline",
            steady("  in: {type: flux, on: rod, value: q}\n" GROUNDED, "", "end.T"),
            2 * (b + h) * q * L * L / (2 * k * b * h));
}

/* A uniform section at the start, q in and out behind it: k A T_y - k I T_y'' = q b h, so
   T_y = q/k (1 - cosh((L - x)/l)/cosh(L/l)) with l = h/sqrt(12); T_z likewise with b. */
static void uniform_start(void **state) {
    GOS_UNUSED(state);
    static const char up[] = "  in: {type: flux, on: rod.top, value: q}\n"
                             "  out: {type: flux, on: rod.bottom, value: -q}\n"
                             "  base: {type: temperature, on: rod.start, value: 0}\n";
    static const char side[] = "  in: {type: flux, on: rod.right, value: q}\n"
                               "  out: {type: flux, on: rod.left, value: -q}\n"
                               "  base: {type: temperature, on: rod.start, value: 0}\n";
    const double length = 0.01, ly = h / sqrt(12), lz = b / sqrt(12);
    const double y = q / k * (1 - cosh(0.5 * length / ly) / cosh(length / ly));
    const double z = q / k * (1 - cosh(0.5 * length / lz) / cosh(length / lz));
    exactly("T_y at a uniform start", steady(up, "L=0.01", "start.T_y"), 0);
    const double coarse = steady(up, "L=0.01 n=16", "mid.T_y"),
                 fine = steady(up, "L=0.01 n=32", "mid.T_y");
    verify_near("T_y behind it", fine, y, 1e-3 * y);
    verify_within("its order", verify_order(fabs(coarse - y), fabs(fine - y), 2), 1.9, 2.1);
    verify_near("T_z behind it", steady(side, "L=0.01 n=32", "mid.T_z"), z, 1e-3 * z);
}

/* dynamic run of `seconds` in steps of it; the state at its end */
static void transient(verify *v, const char *heat, const char *settings, double seconds,
                      int steps) {
    char all[400];
    snprintf(all, sizeof all, "%s analysis.type=dynamic analysis.end=%.17g analysis.step=%.17g",
             settings, seconds, seconds / steps);
    open_rod(v, heat, all);
    verify_run(v);
}

/* How fast T_y reaches its steady value: late in the transient the slowest antisymmetric rate
   remains, 12 kappa/h^2 with one gradient, 9.875 with J = 3 and 9.869607 with J = 5 (pi^2:
   9.869604; theory guide 2.8). */
static double relaxation(int modes) {
    static const char heat[] = "  in: {type: flux, on: rod.top, value: q}\n"
                               "  out: {type: flux, on: rod.bottom, value: -q}\n";
    const double unit = h * h * rho * c / k;
    char settings[100];
    snprintf(settings, sizeof settings, "n=1 J=%d", modes);
    verify v;
    double left[2];
    for (int i = 0; i < 2; i++) {
        transient(&v, heat, settings, (0.2 + 0.1 * i) * unit, 2000 + 1000 * i);
        left[i] = q / k - value(&v, "mid.T_y");
        verify_close(&v);
    }
    return log(left[0] / left[1]) / 0.1;
}

static void depth(void **state) {
    GOS_UNUSED(state);
    /* step 1e-4 of the unit: rate error 10^3 (1e-4)^2/12 times a factor near 1 */
    verify_near("rate of T_y, one gradient", relaxation(1), 12, 1e-5);
    verify_near("rate of T_y, J = 3", relaxation(3), 9.875, 5e-4);
    verify_near("rate of T_y, J = 5", relaxation(5), 9.869607, 1e-5);
    /* heating one face: T = q t/(rho c h), and behind it the parabola
       (q h/k) ((3 eta^2 - 1)/6 + ...) = (q h/k)(u/4 + P_2(u)/12), so T_y = q/(2 k) */
    verify v;
    const double end = 5 * h * h * rho * c / k;
    for (int side = 0; side < 2; side++) {
        transient(&v,
                  side ? "  in: {type: flux, on: rod.bottom, value: q}\n"
                       : "  in: {type: flux, on: rod.top, value: q}\n",
                  "n=1 J=4", end, 100);
        exactly("mean of a heated face", value(&v, "mid.T"), q * end / (rho * c * h));
        verify_near("T_y behind it", value(&v, "mid.T_y"), (side ? -q : q) / (2 * k), 1e-6);
        verify_near("P_2 behind it", value(&v, "mid.P2"), q * h / (12 * k), 1e-6);
        verify_close(&v);
    }
}

/* ---- convection, radiation ------------------------------------------------------------------- */

/* rectangular fin, T(0) = 100, film on its outline and on its end:
   T = 100 (cosh m(L - x) + (e/(m k)) sinh m(L - x)) / (cosh m L + (e/(m k)) sinh m L) */
static void fin(void **state) {
    GOS_UNUSED(state);
    static const char heat[] =
        "  hot: {type: temperature, on: rod.start, value: 100}\n"
        "  air: {type: convection, on: [rod, rod.end], coefficient: 200, ambient: 20}\n";
    const double e = 200, m = sqrt(e * 2 * (b + h) / (k * b * h)), r = e / (m * k);
    const double want = 20 + 80 / (cosh(m * L) + r * sinh(m * L));
    const double coarse = steady(heat, "n=10", "end.T"), fine = steady(heat, "n=20", "end.T");
    verify_near("fin, end [K]", fine, want, 0.05);
    verify_within("its order", verify_order(fabs(coarse - want), fabs(fine - want), 2), 1.9, 2.1);
}

static void film(void **state) {
    GOS_UNUSED(state);
    /* q in at the bottom, film e on the top only: T_top = ambient + q/e, then linear with -q/k */
    static const char slab[] = "  in: {type: flux, on: rod.bottom, value: q}\n"
                               "  air: {type: convection, on: rod.top, coefficient: 500,\n"
                               "        ambient: 10}\n";
    exactly("slab with film, mean", steady(slab, "", "mid.T"), 10 + q / 500 + q * h / (2 * k));
    exactly("slab with film, T_y", steady(slab, "", "mid.T_y"), -q / k);
    exactly("slab with film, mean, J = 3", steady(slab, "J=3", "mid.T"),
            10 + q / 500 + q * h / (2 * k));
    /* +q and -q and a film all around: (k A + e int y^2 dl) T_y = q b h */
    static const char both[] =
        "  in: {type: flux, on: rod.top, value: q}\n"
        "  out: {type: flux, on: rod.bottom, value: -q}\n"
        "  air: {type: convection, on: rod, coefficient: 500, ambient: 10}\n";
    const double yy = b * h * h / 2 + h * h * h / 6;
    exactly("T_y with film all around", steady(both, "", "mid.T_y"),
            q * b * h / (k * b * h + 500 * yy));
    exactly("T with film all around", steady(both, "", "mid.T"), 10);
    /* circle: perimeter 2 pi R; general section: its perimeter */
    static const char warm[] =
        "  in: {type: source, on: rod, value: 1.0e6}\n"
        "  air: {type: convection, on: rod, coefficient: 500, ambient: 10}\n";
    exactly("circle with film", steady(warm, "bodies.rod.section=wire", "mid.T"),
            10 + 1e6 * h / (2 * 500));
    exactly("annulus with film", steady(warm, "bodies.rod.section=tube", "mid.T"),
            10 + 1e6 * (1 - 0.36) * h / (2 * 500));
    exactly("general section with film", steady(warm, "bodies.rod.section=profile", "mid.T"),
            10 + 1e6 * b * h / (0.08 * 500));
}

static void radiation(void **state) {
    GOS_UNUSED(state);
    /* source r against radiation from the outline: r A = sigma eps P (T^4 - 250^4) */
    static const char warm[] = "  in: {type: source, on: rod, value: 1.0e6}\n"
                               "  space: {type: radiation, on: rod, sink: 250}\n";
    const double flux = 1e6 * b * h / (2 * (b + h));
    exactly("bar radiating from its outline", steady(warm, "", "mid.T") + 300,
            pow(flux / (0.6 * STEFAN) + pow(250, 4), 0.25));
    exactly("circle radiating", steady(warm, "bodies.rod.section=wire", "mid.T") + 300,
            pow(1e6 * h / 2 / (0.6 * STEFAN) + pow(250, 4), 0.25));
    /* q in at the bottom, radiation from the top: T_top from it, then linear */
    static const char slab[] = "  in: {type: flux, on: rod.bottom, value: q}\n"
                               "  space: {type: radiation, on: rod.top, sink: 250}\n";
    const double top = pow(q / (0.6 * STEFAN) + pow(250, 4), 0.25);
    exactly("slab radiating, mean", steady(slab, "", "mid.T") + 300, top + q * h / (2 * k));
    exactly("slab radiating, T_y", steady(slab, "", "mid.T_y"), -q / k);
    exactly("slab radiating, mean, J = 3", steady(slab, "J=3", "mid.T") + 300,
            top + q * h / (2 * k));
}

/* ---- directed flux --------------------------------------------------------------------------- */

typedef struct lit {
    const char *settings, *direction;
    double T, T_y, T_z; // mean at the end of the rod (start at 0), gradients [K], [K/m]
} lit;

/* s is the heat per length into the mean: T at the end is s L^2/(2 k A) */
static double end_mean(double s, double area) {
    return s * L * L / (2 * k * area);
}

static void check_lit(const char *what, const lit *c1) {
    char heat[300], text[100];
    snprintf(heat, sizeof heat, "  sun: {type: flux, on: rod, value: q, direction: %s}\n" GROUNDED,
             c1->direction);
    snprintf(text, sizeof text, "%s, T", what);
    exactly(text, steady(heat, c1->settings, "end.T"), c1->T);
    snprintf(text, sizeof text, "%s, T_y", what);
    exactly(text, steady(heat, c1->settings, "end.T_y"), c1->T_y);
    snprintf(text, sizeof text, "%s, T_z", what);
    exactly(text, steady(heat, c1->settings, "end.T_z"), c1->T_z);
}

/* theory guide 2.4: b |c2| + h |c3| into the mean, T_y = a q c2/(2 k) steady, T_z likewise */
static void rectangle_in_the_sun(void **state) {
    GOS_UNUSED(state);
    const double g = absorbed / (2 * k), C = 0.8, S = 0.6, A = b * h;
    const lit above = {"", "[0, -1, 0]", end_mean(absorbed * b, A), g, 0};
    const lit below = {"", "[0, 2, 0]", end_mean(absorbed * b, A), -g, 0};
    const lit right = {"", "[0, 0, -1]", end_mean(absorbed * h, A), 0, g};
    const lit slanted = {"", "[0, -0.8, 0.6]", end_mean(absorbed * (b * C + h * S), A), g * C,
                         -g * S};
    const lit along = {"", "[0.6, -0.8, 0]", end_mean(absorbed * b * C, A), g * C, 0};
    const lit parallel = {"", "[1, 0, 0]", 0, 0, 0};
    check_lit("sun above", &above);
    check_lit("sun below", &below);
    check_lit("sun from the right", &right);
    check_lit("sun slanted", &slanted);
    check_lit("sun slanted along the rod", &along);
    check_lit("sun along the rod", &parallel);
    /* rod along y: d3 = e3, d2 = e3 x e2 = -e1 */
    const lit upright = {"bodies.rod.to=[0,L,0]", "[1, 0, 0]", end_mean(absorbed * b, A), g, 0};
    check_lit("upright rod", &upright);
    /* rod along z: v = e2, d2 = e2 x e3 = e1 */
    const lit tower = {"bodies.rod.to=[0,0,L]", "[-0.8, -0.6, 0]",
                       end_mean(absorbed * (b * C + h * S), A), g * C, g * S};
    check_lit("rod along z", &tower);
    /* normal given: d3 = e2, d2 = e2 x e1 = -e3 */
    const lit turned = {"bodies.rod.normal=[0,1,0]", "[0, -0.6, 0.8]",
                        end_mean(absorbed * (b * C + h * S), A), g * C, g * S};
    check_lit("rod with another normal", &turned);
    /* single faces see the sun only from their side, and no others do */
    static const char lamp[] =
        "  sun: {type: flux, on: rod.top, value: q, direction: [0, %s, 0]}\n";
    char heat[300];
    snprintf(heat, sizeof heat, lamp, "-1");
    strcat(heat, GROUNDED);
    exactly("top face lit", steady(heat, "", "end.T"), end_mean(absorbed * b, A));
    snprintf(heat, sizeof heat, lamp, "1");
    strcat(heat, GROUNDED);
    exactly("top face in the dark", steady(heat, "", "end.T"), 0);
}

/* 2 R c_perp into the mean; k A T_y = (pi/2) R^2 a q c2 */
static void circle_in_the_sun(void **state) {
    GOS_UNUSED(state);
    const double A = M_PI * h * h, tube = A * (1 - 0.36), C = 0.8, S = 0.6;
    const double g = absorbed * 0.5 * M_PI * h * h / k;
    const lit wire = {"bodies.rod.section=wire", "[0, -0.8, -0.6]", end_mean(absorbed * 2 * h, A),
                      g * C / A, g * S / A};
    const lit along = {"bodies.rod.section=wire", "[0.6, -0.8, 0]",
                       end_mean(absorbed * 2 * h * C, A), g * C / A, 0};
    const lit hollow = {"bodies.rod.section=tube", "[0, 0.8, -0.6]",
                        end_mean(absorbed * 2 * h, tube), -g * C / tube, g * S / tube};
    check_lit("wire in the sun", &wire);
    check_lit("wire slanted along", &along);
    check_lit("tube in the sun", &hollow);
}

/* end faces: outward normals -t at the start, +t at the end; q L/k, or absorbed by the cosine */
static void end_faces(void **state) {
    GOS_UNUSED(state);
    exactly("flux into the end",
            steady("  in: {type: flux, on: rod.end, value: q}\n" GROUNDED, "", "end.T"), q * L / k);
    exactly(
        "sun on the end",
        steady("  in: {type: flux, on: rod.end, value: q, direction: [-0.8, 0.6, 0]}\n" GROUNDED,
               "", "end.T"),
        0.8 * absorbed * L / k);
    exactly("sun behind the end",
            steady("  in: {type: flux, on: rod.end, value: q, direction: [0.8, 0.6, 0]}\n" GROUNDED,
                   "", "end.T"),
            0);
    exactly("sun on the start",
            steady("  in: {type: flux, on: rod.start, value: q, direction: [1, 0, 0]}\n"
                   "  base: {type: temperature, on: rod.end, value: 0, gradients: free}\n",
                   "", "start.T"),
            absorbed * L / k);
    exactly(
        "film on the end",
        steady("  in: {type: convection, on: rod.end, coefficient: 100, ambient: 40}\n" GROUNDED,
               "", "end.T"),
        40 * 100 / (100 + k / L));
}

/* the rod turns: bent to a quarter circle its upper side turns from the sun, c2 = cos(pi s/(2 L)):
   T(L) = a q/(k h) int s cos(pi s/(2 L)) ds = a q L^2 (2/pi - 4/pi^2)/(k h) */
static void bent_in_the_sun(void **state) {
    GOS_UNUSED(state);
    static const char heat[] =
        "  sun: {type: flux, on: rod, value: q, direction: [0, -1, 0]}\n" GROUNDED
        "loads: {bend: {type: moment, on: rod.end, moment: [0, 0, 0.5*pi*1.0e9*b*h^3/(12*L)]}}\n";
    const double want = absorbed * L * L * (2 / M_PI - 4 / (M_PI * M_PI)) / (k * h);
    const double coarse = steady(heat, "n=8", "end.T"), fine = steady(heat, "n=16", "end.T");
    verify_near("bent rod in the sun, T at the end", fine, want, 2e-3 * want);
    verify_within("its order", verify_order(fabs(coarse - want), fabs(fine - want), 2), 1.8, 4.5);
    /* its gradient follows but for conduction along the axis: k A T_y - k I T_y'' = a q b h/2 c2 */
    const double g = absorbed / (2 * k) / (1 + h * h / 12 * pow(M_PI / (2 * L), 2));
    verify_near("T_y in the middle", steady(heat, "n=32", "mid.T_y"), g * sqrt(0.5), 1e-3 * g);
}

/* ---- ties, balance --------------------------------------------------------------------------- */

/* two rods end to end, the first heated from top to bottom: 100 at one end, 0 at the other */
static void tied(void **state) {
    GOS_UNUSED(state);
    static const char heat[] =
        "heat:\n"
        "  a: {type: temperature, on: rod.start, value: 100, gradients: free}\n"
        "  b: {type: temperature, on: more.end, value: 0, gradients: free}\n"
        "  in: {type: flux, on: rod.top, value: q}\n"
        "  out: {type: flux, on: rod.bottom, value: -q}\n";
    static const char more[] = "{type: ancf_cable, material: m, section: bar, from: [L, 0, 0], "
                               "to: [4*L, 0, 0], elements: 5}";
    static const char *const tie[] = {
        "{type: tie, between: [rod.end, more.start], smooth: true, temperature: true}",
        "{type: tie, between: [rod.end, more.start], smooth: true, temperature: true, "
        "gradients: true}"};
    char text[VERIFY_TEXT];
    snprintf(text, sizeof text, "%s%s", rod, heat);
    for (int i = 0; i < 2; i++) {
        verify v = {.ctx = gos_ctx_create()};
        verify_good(&v, gos_model_parse(v.ctx, text, strlen(text), "test", NULL, &v.model));
        verify_good(&v, gos_model_set(v.ctx, v.model, "bodies.more", more));
        verify_good(&v, gos_model_set(v.ctx, v.model, "joints.tie", tie[i]));
        verify_compile(&v);
        verify_static(&v);
        exactly("two tied rods, T at the joint", value(&v, "end.T"), 75);
        if (i == 0) { // gradients stop at the joint
            exactly("T_y of the heated one", value(&v, "end.T_y"), q / k);
        } else { // they pass, so that the heated one loses some there
            verify_within("T_y that passes", value(&v, "end.T_y"), 0.1 * q / k, 0.9 * q / k);
        }
        verify_close(&v);
    }
}

/* Everything at once: stored = supplied + through prescribed temperatures, with the weights of the
   scheme, to round-off; fixed and controlled steps, a switching source included. (A first step so
   short that one iteration solves it leaves the multipliers of prescribed temperatures one
   iteration behind in the sums; controlled steps begin like that, so they are tested without.) */
static void balance(void **state) {
    GOS_UNUSED(state);
    static const char hot[] = "  hot: {type: temperature, on: rod.start, value: \"50*sin(t)\"}\n";
    static const char others[] =
        "  sun: {type: flux, on: rod, value: q, direction: [0.3, -1, 0.2]}\n"
        "  face: {type: flux, on: rod.left, value: q}\n"
        "  in: {type: source, on: rod, value: \"1.0e6*(t>1)*(t<2)\"}\n"
        "  flow: {type: heat_flow, on: rod.at(0.8*L), value: -3}\n"
        "  air: {type: convection, on: [rod, rod.end], coefficient: 40, ambient: \"10*t\"}\n"
        "  space: {type: radiation, on: [rod, rod.end], sink: 100}\n";
    for (int fixed = 0; fixed < 2; fixed++) {
        for (int modes = 1; modes <= 4; modes += 3) {
            verify v;
            gos_heat sum;
            char all[300], heat[1000];
            snprintf(heat, sizeof heat, "%s%s", fixed ? hot : "", others);
            snprintf(all, sizeof all,
                     "%s J=%d analysis.type=dynamic analysis.end=4 analysis.newton_tolerance=1e-20",
                     fixed ? "analysis.step=0.05" : "analysis.tolerance=1e-4", modes);
            open_rod(&v, heat, all);
            verify_run(&v);
            gos_system_heat(v.sys, v.state, &sum);
            print_message("    stored %g, supplied %g, constrained %g J in %ld steps\n", sum.stored,
                          sum.supplied, sum.constrained, v.stats.steps);
            assert_true(fabs(sum.supplied) > 1 && (fabs(sum.constrained) > 1 || !fixed));
            verify_below("heat balance, of the heat stored", sum.balance / sum.stored, 1e-12);
            verify_close(&v);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nafems_t2),
        cmocka_unit_test(nafems_t3),
        cmocka_unit_test(conduction),
        cmocka_unit_test(capacity),
        cmocka_unit_test(across),
        cmocka_unit_test(uniform_start),
        cmocka_unit_test(depth),
        cmocka_unit_test(fin),
        cmocka_unit_test(film),
        cmocka_unit_test(radiation),
        cmocka_unit_test(rectangle_in_the_sun),
        cmocka_unit_test(circle_in_the_sun),
        cmocka_unit_test(end_faces),
        cmocka_unit_test(bent_in_the_sun),
        cmocka_unit_test(tied),
        cmocka_unit_test(balance),
    };
    return cmocka_run_group_tests_name("heat", tests, NULL, NULL);
}
SUITE(suite)
