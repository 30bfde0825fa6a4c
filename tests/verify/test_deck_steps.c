/* What the step of a deck says beside its loads: temperatures at which its materials are taken,
   nodes that stay at the initial temperature, and what is requested and not applied, which is
   warned of with the deck's line. Closed forms: a bar that is free to grow, of two cells. Each
   model also turned, in millimetres and tonnes, and of another size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "gossamer/linearise.h"
#include "support/calculix.h"
#include "support/folder.h"
#include "support/near.h"
#include "support/suite.h"

typedef struct deck {
    double length, unit; // of the bar; the deck's unit of length [m]
    double mass;         // the deck's unit of mass [kg]
    const char *material, *step;
    const char *body;  // further keys of the body
    bool turned, cold; // cold: no temperatures
    const char *type;  // of elements, NULL: C3D8I
} deck;

/* Two cells along x, unit cross-section times (length/4)^2. Nodes 1 to 4 at x = 0, 5 to 8, 9 to 12
 * (TIP); END(2) is the tip's face. */
static void write_deck(const deck *d) {
    FILE *f = fopen(folder_path("bar.inp"), "w");
    const double h = d->length / 2 / d->unit;
    assert_non_null(f);
    (void)fputs("*NODE, NSET=ALL\n", f);
    for (int i = 0; i < 12; i++) {
        const int c = i % 4;
        (void)fprintf(f, "%d, %.17g, %.17g, %.17g\n", i + 1, i / 4 * h,
                      c == 1 || c == 2 ? h / 2 : 0, c > 1 ? h / 2 : 0);
    }
    (void)fputs("*NSET, NSET=TIP\n9, 10, 11, 12\n*NSET, NSET=X\n1, 2, 3, 4\n"
                "*NSET, NSET=Y\n1, 4, 5, 8, 9, 12\n*NSET, NSET=Z\n1, 2, 5, 6, 9, 10\n"
                "*BOUNDARY\nX, 1, 1\nY, 2, 2\nZ, 3, 3\n*MATERIAL, NAME=M\n",
                f);
    (void)fprintf(f,
                  "%s*ELEMENT, TYPE=%s, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
                  "2, 5, 6, 7, 8, 9, 10, 11, 12\n*SOLID SECTION, ELSET=E, MATERIAL=M\n%s",
                  d->material, d->type ? d->type : "C3D8I", d->step);
    assert_int_equal(fclose(f), 0);
}

static void open_deck(verify *v, const deck *d, const char *rest) {
    char text[2000];
    write_deck(d);
    (void)snprintf(
        text, sizeof text,
        "meshes: {m: {type: deck, file: bar.inp, scale: %.17g, mass_scale: %.17g}}\n"
        "bodies: {b: {type: floating, mesh: m, reference: clamped%s%s}}\n"
        "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
        "probes: {u: {at: \"b.node(9)\", quantity: displacement}, v: {at: \"b.node(7)\", "
        "quantity: displacement}%s}\n"
        "analysis: {type: static}\n%s",
        d->unit, d->mass, d->body, d->turned ? ", rotation_vector: [0.3, -0.5, 0.8]" : "",
        d->cold ? ""
                : ", T: {at: b.TIP, quantity: temperature}, T1: {at: \"b.node(1)\", quantity: "
                  "temperature}, T5: {at: \"b.node(5)\", quantity: temperature}",
        rest);
    calculix_open(v, text, folder);
}

/* growth of the bar along itself: of its edge on the planes of symmetry, which moves along it
   alone */
static double growth(verify *v) {
    double u[GOS_PROBE_MAX];
    verify_static(v);
    verify_probe(v, v->state, "u", u);
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

/* warnings that have all of a text, with a line above 0 of the deck; all warnings */
static int warnings(const verify *v, const char *has, int *all) {
    int n = 0;
    *all = 0;
    for (int i = 0; i < gos_ctx_ndiag(v->ctx); i++) {
        const gos_diag *g = gos_ctx_diag(v->ctx, i);
        const bool warning = g->count > 0;
        *all += warning;
        n +=
            warning && strstr(g->text, has) && g->file && strstr(g->file, "bar.inp") && g->line > 0;
    }
    return n;
}

/* ---- materials over temperature -------------------------------------------------------------- */

/* a from 1e-5 at 0 to 2e-5 at 1000, counted from ZERO; E from 210 GPa at 0 to 110 GPa at 1000: in
 * steps of E and ZERO */
#define HEAT "*CONDUCTIVITY\n50.\n*SPECIFIC HEAT\n460.\n*DENSITY\n7850.\n"
#define STEEL(zero)                                                                                \
    "*ELASTIC\n210.E9, 0.3, 0.\n110.E9, 0.3, 1000.\n*EXPANSION, ZERO=" zero                        \
    "\n1.E-5, 0.\n2.E-5, 1000.\n" HEAT
/* in mm, t, s */
#define STEEL_MM                                                                                   \
    "*ELASTIC\n210.E3, 0.3, 0.\n110.E3, 0.3, 1000.\n*EXPANSION, ZERO=0."                           \
    "\n1.E-5, 0.\n2.E-5, 1000.\n*CONDUCTIVITY\n50.\n*SPECIFIC HEAT\n4.6E8\n*DENSITY\n7.85E-9\n"
#define BEGINS(T) "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, " T "\n*STEP\n*STATIC\n"
#define PULLED "*DLOAD\n2, P2, -1.2E9\n"
#define END_STEP "*END STEP\n"

/* strain of expansion from T0 to T */
static double expansion(double T0, double T, double zero) {
    return 1e-5 * ((1 + T / 1000) * (T - zero) - (1 + T0 / 1000) * (T0 - zero));
}

static double young(double T) {
    return 210e9 - 100e6 * T;
}

/* 900 degrees and 1.2 GPa: grows by a(900) 900 + p/E(900) */
static void test_step_temperature(void **state) {
    (void)state;
    const double grown = expansion(0, 900, 0) + 1.2e9 / young(900);
    const deck cases[] = {
        {.length = 1,
         .unit = 1,
         .mass = 1,
         .material = STEEL("0."),
         .step = BEGINS("0.") "*TEMPERATURE\nALL, 900.\n" PULLED END_STEP},
        {.length = 1,
         .unit = 1e-3,
         .mass = 1000,
         .material = STEEL_MM,
         .step = BEGINS("0.") "*TEMPERATURE\nALL, 900.\n*DLOAD\n2, P2, -1.2E3\n" END_STEP,
         .turned = true},
        {.length = 0.3,
         .unit = 1,
         .mass = 1,
         .material = STEEL("50."),
         .step = BEGINS("20.") "*TEMPERATURE\nALL, 900.\n" PULLED END_STEP},
    };
    for (int i = 0; i < 3; i++) {
        deck d = cases[i];
        verify v;
        int all;
        d.body = ", deck_loads: true";
        open_deck(&v, &d, "");
        const double right = i < 2 ? grown : expansion(20, 900, 50) + 1.2e9 / young(900);
        verify_near_rel("growth", growth(&v) / d.length, right, 1e-9);
        assert_int_equal(warnings(&v, "", &all), 0);
        verify_close(&v);
    }
}

/* A temperature that the model states instead: the expansion from the initial one to it is a mean,
   and the run warns of what the step's temperature changes, at the card. */
static void test_stated_temperature(void **state) {
    (void)state;
    const deck d = {.length = 1,
                    .unit = 1,
                    .mass = 1,
                    .material = STEEL("0."),
                    .step = BEGINS("0.") "*TEMPERATURE\nALL, 900.\n" END_STEP,
                    .body = ", deck_loads: true, material_temperature: 300"};
    verify v;
    int all;
    open_deck(&v, &d, "");
    verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, NULL, NULL, NULL));
    verify_near_rel("growth", growth(&v), 900 * 1.3e-5, 1e-9);
    assert_int_equal(warnings(&v, "of material 'M' is 1.9e-05, a relative change of 0.46", &all),
                     1);
    assert_int_equal(all, 1);
    verify_close(&v);
}

/* Heat that the model brings: no step states it, and materials are those at the beginning. A
 * warning from 5 % on, not at 4 %. */
static void test_warned(void **state) {
    (void)state;
    const char *const heat[] = {"heat: {hot: {type: temperature, on: b.ALL, value: 40}}\n",
                                "heat: {hot: {type: temperature, on: b.ALL, value: 60}}\n"};
    for (int i = 0; i < 2; i++) {
        const deck d = {.length = 1,
                        .unit = 1,
                        .mass = 1,
                        .turned = i == 1,
                        .material = STEEL("0."),
                        .step = BEGINS("0.") END_STEP,
                        .body = ""};
        verify v;
        int all;
        open_deck(&v, &d, heat[i]);
        verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, NULL, NULL, NULL));
        assert_int_equal(warnings(&v, "the expansion of material 'M'", &all), i);
        assert_int_equal(all, i);
        verify_close(&v);
    }
}

/* ---- temperatures of the step ---------------------------------------------------------------- */

/* Without *TEMPERATURE all nodes stay at the initial one; with it on some, the others do. */
static void test_initial(void **state) {
    (void)state;
    const char *const step[] = {BEGINS("20.") PULLED END_STEP,
                                BEGINS("20.") "*TEMPERATURE\nTIP, 120.\n" END_STEP};
    for (int i = 0; i < 2; i++) {
        const deck d = {.length = 1,
                        .unit = 1,
                        .mass = 1,
                        .turned = i == 1,
                        .material = "*ELASTIC\n210.E9, 0.3\n*EXPANSION\n1.2E-5\n" HEAT,
                        .step = step[i],
                        .body = ", deck_loads: true"};
        double T[GOS_PROBE_MAX], T1[GOS_PROBE_MAX];
        verify v;
        open_deck(&v, &d, "");
        const double u = growth(&v);
        verify_probe(&v, v.state, "T", T);
        verify_probe(&v, v.state, "T1", T1);
        assert_true(fabs(T[0] - (i == 0 ? 0 : 100)) < 1e-9 && fabs(T1[0]) < 1e-9);
        if (i == 0) {
            verify_near_rel("growth", u, 1.2e9 / 210e9, 1e-9);
        }
        verify_close(&v);
    }
}

/* prescribed temperatures need no conductivity */
static void test_no_conductivity(void **state) {
    (void)state;
    const deck d = {.length = 0.4,
                    .unit = 1,
                    .mass = 1,
                    .turned = true,
                    .material = "*ELASTIC\n210.E9, 0.3\n*EXPANSION\n1.2E-5\n*DENSITY\n7850.\n",
                    .step = BEGINS("20.") "*TEMPERATURE\nALL, 120.\n" END_STEP,
                    .body = ", deck_loads: true"};
    verify v;
    open_deck(&v, &d, "");
    verify_near_rel("growth", growth(&v), 0.4 * 1.2e-3, 1e-9);
    verify_close(&v);
}

/* ---- what the analysis does not need --------------------------------------------------------- */

static void expect_error(verify *v, const char *has) {
    const char *text = gos_ctx_message(v->ctx);
    if (!strstr(text, has)) {
        fail_msg("expected '%s', got '%s'", has, text);
    }
    gos_ctx_clear(v->ctx);
}

/* Statics without density: exact, and refused where inertia matters: modes, runs in time, gravity,
   spin. */
static void test_no_density(void **state) {
    (void)state;
    const deck cases[] = {{.unit = 1,
                           .mass = 1,
                           .material = "*ELASTIC\n210.E9, 0.3\n",
                           .step = "*STEP\n*STATIC\n" PULLED END_STEP},
                          {.unit = 1e-3,
                           .mass = 1000,
                           .material = "*ELASTIC\n210.E3, 0.3\n",
                           .step = "*STEP\n*STATIC\n*DLOAD\n2, P2, -1.2E3\n" END_STEP,
                           .turned = true}};
    for (int i = 0; i < 2; i++) {
        deck d = cases[i];
        gos_linear *linear = NULL;
        gos_integrator *run = NULL;
        verify v;
        d.length = i + 0.5;
        d.cold = true;
        d.body = ", deck_loads: true";
        open_deck(&v, &d, "");
        verify_near_rel("growth", growth(&v) / d.length, 1.2e9 / 210e9, 1e-9);
        assert_int_equal(gos_linearise(v.ctx, v.sys, v.state, &linear), GOS_E_INPUT);
        expect_error(&v, "has no *DENSITY, but modes");
        assert_int_equal(gos_integrator_create(v.ctx, v.sys, &v.opt, v.state, &run), GOS_E_INPUT);
        expect_error(&v, "but runs in time require it; add it");
        v.opt.spin_x = 1;
        assert_int_equal(gos_solve_static(v.ctx, v.sys, &v.opt, v.state, NULL), GOS_E_INPUT);
        expect_error(&v, "but rotating equilibria require it; add it");
        verify_close(&v);
    }
}

/* In a `solid` too: 1.2 GPa of dead load by the law of its large strains, sigma = E e with Green's
   strain e: F/A0 = E e sqrt(1 + 2 e). */
static void test_solid_no_density(void **state) {
    (void)state;
    const deck d = {.length = 1,
                    .material = "*ELASTIC\n210.E9, 0.\n",
                    .unit = 1,
                    .mass = 1,
                    .step = "*STEP\n*STATIC\n*CLOAD\nTIP, 1, 1.875E7\n" END_STEP,
                    .type = "C3D8"};
    const char *model =
        "meshes: {m: {type: deck, file: bar.inp}}\n"
        "bodies: {b: {type: solid, mesh: m, deck_loads: true, deck_supports: "
        "true}}\n"
        "probes: {u: {at: \"b.node(9)\", quantity: displacement}}\nanalysis: {type: static}\n";
    double u[GOS_PROBE_MAX];
    verify v;
    write_deck(&d);
    calculix_open(&v, model, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "u", u);
    const double e = u[0] + u[0] * u[0] / 2;
    verify_near_rel("force", 210e9 * e * (1 + u[0]), 4 * 1.875e7 / 0.0625, 1e-8);
    verify_close(&v);
}

static void refuse_deck(const deck *d, const char *rest, const char *has) {
    char text[1000];
    verify v;
    write_deck(d);
    (void)snprintf(text, sizeof text,
                   "meshes: {m: {type: deck, file: bar.inp}}\n"
                   "bodies: {b: {type: floating, mesh: m%s}}\n"
                   "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n%s",
                   d->body, rest);
    assert_int_equal(calculix_try(&v, text, folder), GOS_E_INPUT);
    expect_error(&v, has);
    verify_close(&v);
}

static void test_density_needed(void **state) {
    (void)state;
    static const char *const still = "analysis: {type: static}\n";
    static const struct {
        const char *step, *body, *rest;
    } cases[] = {
        {PULLED, ", deck_loads: true, reference: clamped", "analysis: {end: 1}\n"},
        {PULLED, ", deck_loads: true, reference: clamped",
         "analysis: {type: static}\ngravity: [0, 0, -9.81]\n"},
        {PULLED, ", deck_loads: true, reference: mean_axis", "analysis: {type: static}\n"},
        {PULLED, ", deck_loads: true, reference: clamped",
         "analysis: {type: static, spin: {axis: [1, 0, 0], rate: 2}}\n"},
        {"*DLOAD\nE, GRAV, 9.81, 0, 0, -1\n", ", deck_loads: true, reference: clamped", NULL},
        {"*DLOAD\nE, CENTRIF, 100., 0, 0, 0, 1, 0, 0\n", ", deck_loads: true, reference: clamped",
         NULL},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char step[200];
        (void)snprintf(step, sizeof step, "*STEP\n*STATIC\n%s" END_STEP, cases[i].step);
        const deck d = {.length = 1,
                        .unit = 1,
                        .mass = 1,
                        .body = cases[i].body,
                        .step = step,
                        .material = "*ELASTIC\n210.E9, 0.3\n"};
        refuse_deck(&d, cases[i].rest ? cases[i].rest : still,
                    "material 'M' of the deck has no *DENSITY; add it");
    }
}

/* Conduction alone, without elasticity, density, capacity and supports: linear temperatures, no
   displacement relative to the frame. */
static void test_heat_alone(void **state) {
    (void)state;
    static const char *const body[] = {", deck_loads: true", ", deck_loads: true, motion: free",
                                       ", deck_loads: true, at: X, motion: free"};
    for (int i = 0; i < 6; i++) {
        const deck d = {.length = 0.4,
                        .unit = i > 2 ? 1e-3 : 1,
                        .mass = i > 2 ? 1000 : 1,
                        .material = "*CONDUCTIVITY\n50.\n",
                        .step = "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n*STEP\n"
                                "*HEAT TRANSFER, STEADY STATE\n"
                                "*BOUNDARY\nX, 11, 11, 120.\nTIP, 11, 11, 320.\n" END_STEP,
                        .turned = i % 3 > 0,
                        .body = body[i % 3]};
        double T[GOS_PROBE_MAX];
        verify v;
        open_deck(&v, &d, "");
        assert_true(growth(&v) < 1e-15);
        verify_probe(&v, v.state, "T5", T);
        verify_near_rel("temperature in the middle", T[0], 200, 1e-9);
        verify_close(&v);
    }
}

/* A body without elasticity has temperatures only, or is rigid: no stress; in time density and
   capacity are needed. */
static void test_heat_refused(void **state) {
    (void)state;
    const deck d = {.length = 1,
                    .unit = 1,
                    .mass = 1,
                    .body = ", deck_loads: true, reference: clamped",
                    .material = "*CONDUCTIVITY\n50.\n",
                    .step = "*STEP\n*HEAT TRANSFER, STEADY STATE\n"
                            "*BOUNDARY\nX, 11, 11, 120.\nTIP, 11, 11, 320.\n" END_STEP};
    refuse_deck(&d, "analysis: {end: 1}\n", "has no *DENSITY; add it");
    refuse_deck(&d, "analysis: {type: static}\nprobes: {s: {at: b.node(5), quantity: stress}}\n",
                "stress requires a point on");
    deck rigid = d;
    rigid.body = ", deck_loads: true, motion: free, reference: clamped";
    refuse_deck(&rigid,
                "analysis: {type: static}\nprobes: {s: {at: b.node(5), quantity: stress}}\n",
                "is rigid: its deck has no *ELASTIC");
}

/* ---- prescribed displacements ---------------------------------------------------------------- */

#define ELASTIC "*ELASTIC\n210.E9, 0.3\n"

/* The tip moves by 1e-3 of the length, the sides contract by 0.3 of it; a later line overrides an
   earlier one. Also by a local axis of *TRANSFORM. */
static void test_moved(void **state) {
    (void)state;
    static const char *const step[] = {
        "*STEP\n*STATIC\n*BOUNDARY\nTIP, 1, 1, 5.E-4\n" END_STEP,
        "*BOUNDARY\nTIP, 1, 1\n*STEP\n*STATIC\n*BOUNDARY\nTIP, 1, 1, 7.\nTIP, 1, 1, 0.5\n" END_STEP,
        "*TRANSFORM, NSET=TIP\n0., 1., 0., -1., 0., 0.\n*STEP\n*STATIC\n*BOUNDARY\n"
        "TIP, 2, 2, -5.E-4\n" END_STEP,
    };
    for (int i = 0; i < 3; i++) {
        const deck d = {.length = 0.5,
                        .unit = i == 1 ? 1e-3 : 1,
                        .mass = i == 1 ? 1000 : 1,
                        .material = ELASTIC,
                        .turned = i > 0,
                        .cold = true,
                        .step = step[i],
                        .body = ", deck_loads: true"};
        double v7[GOS_PROBE_MAX];
        verify v;
        open_deck(&v, &d, "");
        verify_near_rel("growth", growth(&v), 5e-4, 1e-9);
        verify_probe(&v, v.state, "u", v7);
        assert_true(i > 0 || v7[0] > 0);
        verify_probe(&v, v.state, "v", v7); // at half the length, in the corner y, z = h/2
        const double h = 0.25 / 2, side = 0.3 * 1e-3 * h;
        verify_near_rel("middle", sqrt(v7[0] * v7[0] + v7[1] * v7[1] + v7[2] * v7[2]),
                        sqrt(2.5e-4 * 2.5e-4 + 2 * side * side), 1e-9);
        verify_close(&v);
    }
}

static void test_moved_refused(void **state) {
    (void)state;
    deck d = {.length = 1,
              .unit = 1,
              .mass = 1,
              .material = ELASTIC,
              .step = "*STEP\n*STATIC\n*BOUNDARY\nTIP, 5, 5, 0.1\n" END_STEP,
              .body = ", deck_loads: true, reference: clamped"};
    refuse_deck(&d, "analysis: {type: static}\n", "*BOUNDARY: the node has no rotation");
    d.step = "*STEP\n*STATIC\n*BOUNDARY\nTIP, 1, 1, 0.1\n" END_STEP;
    d.body = ", reference: clamped";
    refuse_deck(&d, "analysis: {type: static}\n", "give the body `deck_loads: true`");
}

/* ---- what is not applied --------------------------------------------------------------------- */

static void test_not_applied(void **state) {
    (void)state;
    static const struct {
        const char *step, *has;
        int all;
    } cases[] = {
        {"*STEP, NLGEOM\n*STATIC\n" PULLED END_STEP, "NLGEOM is not applied", 1},
        {"*STEP\n*BUCKLE\n3\n" PULLED END_STEP, "*BUCKLE: buckling loads are not computed in runs",
         1},
        {"*STEP\n*STEADY STATE DYNAMICS\n1., 2.\n" PULLED END_STEP, "harmonic amplitudes", 1},
        {"*STEP\n*STATIC, TOTAL TIME AT START=5.\n" PULLED END_STEP, "TOTAL TIME AT START", 1},
        {"*STEP\n*STATIC\n" PULLED END_STEP "*STEP\n*STATIC\n" END_STEP, "step 2", 1},
        {"*STEP, NLGEOM=NO\n*STATIC\n" PULLED END_STEP, "*", 0},
        {"*STEP\n*DYNAMIC, EXPLICIT\n1.E-6, 1.E-3, 1.E-7\n" PULLED END_STEP,
         "number 3 (1e-07) adds mass", 1},
        {"*STEP\n*DYNAMIC\n1.E-6, 1.E-3, 1.E-7, 1.E-5, 1.E-5\n" PULLED END_STEP, "*", 0},
        {"*STEP\n*FREQUENCY\n3, , , 1.E-7\n" END_STEP, "number 4 (1e-07) adds mass", 1},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        const deck d = {.length = 1,
                        .unit = 1,
                        .mass = 1,
                        .step = cases[i].step,
                        .material = "*ELASTIC\n210.E9, 0.3\n" HEAT,
                        .body = ", deck_loads: true"};
        verify v;
        int all;
        open_deck(&v, &d, "");
        assert_int_equal(warnings(&v, cases[i].has, &all), cases[i].all);
        assert_int_equal(all, cases[i].all);
        verify_close(&v);
    }
}

/* A cantilever of beams, E 210 GPa, 1 x 0.01 x 0.02, in metres or millimetres and tonnes: warnings
 * of a run that have this text. */
static int warned_in_run(const char *step, bool mm, bool turned, const char *has) {
    char text[1000];
    FILE *f = fopen(folder_path("bar.inp"), "w");
    const double m = mm ? 1000 : 1;
    assert_non_null(f);
    (void)fprintf(f,
                  "*NODE, NSET=ALL\n1, 0, 0, 0\n2, %g, 0, 0\n3, %g, 0, 0\n4, %g, 0, 0\n"
                  "*ELEMENT, TYPE=B31, ELSET=E\n1, 1, 2\n2, 2, 3\n3, 3, 4\n*MATERIAL, NAME=M\n"
                  "*ELASTIC\n%g, 0.3\n*DENSITY\n%g\n"
                  "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n%g, %g\n0, 0, 1\n"
                  "*BOUNDARY\n1, 1, 6\n%s",
                  m / 3, m / 1.5, m, mm ? 2.1e5 : 2.1e11, mm ? 7.85e-9 : 7850, 0.02 * m, 0.01 * m,
                  step);
    assert_int_equal(fclose(f), 0);
    verify v;
    (void)snprintf(
        text, sizeof text,
        "meshes: {m: {type: deck, file: bar.inp, scale: %g, mass_scale: %g}}\n"
        "bodies: {b: {type: floating, mesh: m, reference: clamped, deck_loads: true%s}}\n"
        "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
        "analysis: {type: static}\n",
        1 / m, m, turned ? ", rotation_vector: [0.3, -0.5, 0.8]" : "");
    calculix_open(&v, text, folder);
    verify_good(&v, gos_run_into(v.ctx, v.sys, &v.opt, NULL, &(gos_sink){0}, NULL, NULL));
    int n = 0;
    for (int i = 0; i < gos_ctx_ndiag(v.ctx); i++) {
        const gos_diag *g = gos_ctx_diag(v.ctx, i);
        n += g->count > 0 && strstr(g->text, has);
    }
    verify_close(&v);
    return n;
}

/* NLGEOM of a floating body: a rotation of 0.06 by a moment, M L/(E I), and a pull that stiffens
 * the first mode by 0.02 to 0.04 are warned of, although the limits of other bodies are higher. */
static void test_nlgeom_limits(void **state) {
    (void)state;
    const double EI = 2.1e11 * 0.02 * 1e-6 / 12; // about z
    static const struct {
        const char *has;
        int axis;
    } cases[] = {{"deformation causes rotations of 0.06", 6}, {"increases the stiffness", 1}};
    for (int i = 0; i < 2; i++) {
        for (int form = 0; form < 4; form++) {
            const bool mm = form % 2 == 1, turned = form > 1;
            char step[2][200];
            const double value = i == 0 ? 0.0601 * EI * (mm ? 1000 : 1) : 0.03 * 2.4674 * EI;
            for (int k = 0; k < 2; k++) {
                (void)snprintf(step[k], sizeof step[k],
                               "*STEP%s\n*STATIC\n*CLOAD\n4, %d, %.12g\n*END STEP\n",
                               k == 0 ? "" : ", NLGEOM", cases[i].axis, value);
            }
            assert_int_equal(warned_in_run(step[0], mm, turned, cases[i].has), 0);
            assert_int_equal(warned_in_run(step[1], mm, turned, cases[i].has), 1);
        }
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_temperature), cmocka_unit_test(test_stated_temperature),
        cmocka_unit_test(test_warned),           cmocka_unit_test(test_initial),
        cmocka_unit_test(test_no_conductivity),  cmocka_unit_test(test_not_applied),
        cmocka_unit_test(test_no_density),       cmocka_unit_test(test_solid_no_density),
        cmocka_unit_test(test_density_needed),   cmocka_unit_test(test_heat_alone),
        cmocka_unit_test(test_heat_refused),     cmocka_unit_test(test_moved),
        cmocka_unit_test(test_moved_refused),    cmocka_unit_test(test_nlgeom_limits),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
