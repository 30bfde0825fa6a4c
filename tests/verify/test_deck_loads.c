/* What the first step of a deck does to a body (`deck_loads: true`): against what CalculiX prints
   of the same decks (tests/reference/calculix.py, seven digits), and in closed form; and what is
   refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

#define HOLD "joints: {hold: {type: clamp, between: [ground, body.frame]}}\n"

/* what a deck does to a body whose mesh may have turned by a quarter about x */
static double compare(const char *name, int width, int every, const char *body, bool turned) {
    char all[200];
    (void)snprintf(all, sizeof all, ", deck_loads: true%s", body);
    return calculix_compare(name, width, every, all, "", turned, 0);
}

/* *DFLUX and *FILM. On triangles of six nodes CalculiX integrates films with three points, which is
 * of too low a degree. */
static void test_heat(void **state) {
    (void)state;
    verify_below("bracket, hex20", compare("bracket-heat-hex20", 3, 7, ", at: FIX", false), 1e-6);
    verify_below("bracket, tet10", compare("bracket-heat-tet10", 3, 7, ", at: FIX", false), 1e-5);
}

/* *TEMPERATURE at every node and *BOUNDARY, which holds the frame */
static void test_thermal_displacement(void **state) {
    (void)state;
    verify_below("bracket, hex20", compare("bracket-static-hex20", 5, 9, "", false), 1e-4);
    verify_below("bracket, tet10", compare("bracket-static-tet10", 5, 9, "", false), 1e-4);
}

/* *CLOAD along the three axes, of the mesh in its position: forces turn with it */
static void test_forces(void **state) {
    (void)state;
    verify_below("bar", compare("small-bar-push", 5, 1, ", temperature: off", false), 1e-6);
    verify_below(
        "bar that stands",
        compare("small-bar-push", 5, 1, ", temperature: off, rotation_vector: [pi/2, 0, 0]", true),
        1e-6);
}

/* A body of type solid, held by its face: the deck's heat, whose law is linear here, and forces. */
static double of_solid(const char *name, int width, int every, const char *body) {
    static double row[1400 * 5];
    static char text[40000];
    const int n = calculix_read(name, width, 1400, row);
    double worst = 0, most = 0;
    verify v;
    int used = snprintf(text, sizeof text,
                        "meshes: {m: {type: deck, file: %s.inp}}\n"
                        "bodies: {body: {type: solid, mesh: m, deck_loads: true%s}}\n"
                        "joints: {hold: {type: clamp, between: [ground, body.FIX]}}\n"
                        "analysis: {type: static}\nprobes:\n",
                        name, body);
    for (int i = 0; i < n; i += every) {
        used +=
            snprintf(text + used, sizeof text - used, "  P%d: {at: body.node(%d), quantity: %s}\n",
                     i, (int)row[width * i + 1], width == 3 ? "temperature" : "displacement");
    }
    assert_true(n > 0 && used < (int)sizeof text);
    calculix_open(&v, text, CALCULIX);
    verify_static(&v);
    for (int i = 0; i < n; i += every) {
        char probe[20];
        double y[GOS_PROBE_MAX];
        (void)snprintf(probe, sizeof probe, "P%d", i);
        verify_probe(&v, v.state, probe, y);
        for (int c = 0; c < width - 2; c++) {
            worst = fmax(worst, fabs(y[c] - row[width * i + 2 + c]));
            most = fmax(most, fabs(row[width * i + 2 + c]));
        }
    }
    verify_close(&v);
    return worst / most;
}

static void test_solid(void **state) {
    (void)state;
    verify_below("solid, heat", of_solid("bracket-heat-hex20", 3, 7, ""), 1e-5);
    // strains of 1e-3 are not small to it
    verify_below("solid, forces", of_solid("small-bar-push", 5, 1, ", temperature: off"), 1e-2);
}

/* Pressure on surfaces and faces of elements, gravity, rotation; of a body that stands they turn
 * with it */
static void test_spread(void **state) {
    (void)state;
    static const char *const name[] = {"pressure-push", "gravity-push", "centrifugal-push"};
    for (int i = 0; i < GOS_COUNT(name); i++) {
        verify_below(name[i], compare(name[i], 5, 1, ", temperature: off", false), 1e-6);
        verify_below(
            "standing",
            compare(name[i], 5, 1, ", temperature: off, rotation_vector: [pi/2, 0, 0]", true),
            1e-6);
        verify_below("with temperatures",
                     calculix_compare(name[i], 5, 4, ", deck_loads: true",
                                      "heat: {held: {type: temperature, on: body.FIX, value: 0}}\n",
                                      false, 0),
                     1e-6);
    }
}

/* A reduced body has the deflections under what the deck does to it in its basis: at rest it is the
 * whole one. */
static void test_reduced(void **state) {
    (void)state;
    static const char *const name[] = {"pressure-push", "gravity-push", "centrifugal-push",
                                       "kinematic-push"};
    for (int i = 0; i < GOS_COUNT(name); i++) {
        verify_below(name[i],
                     calculix_compare(name[i], 5, 20,
                                      ", deck_loads: true, temperature: off, "
                                      "reduce: {method: modes, order: 4}",
                                      "floating_bodies: reduced\n", false, 0),
                     1e-6);
    }
}

/* ---- closed forms: a cube of 1 m ------------------------------------------------------------- */

#define CUBE                                                                                       \
    "*NODE, NSET=N\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"      \
    "*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1,2,3,4,5,6,7,8\n"                                           \
    "*MATERIAL, NAME=M\n*ELASTIC\n1.E9, 0.3\n*DENSITY\n1000.\n*CONDUCTIVITY\n1.E6\n"               \
    "*SPECIFIC HEAT\n10.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"                                   \
    "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nN, 20.\n"

static void write_deck(const char *rest) {
    FILE *f = fopen(folder_path("cube.inp"), "w");
    assert_non_null(f);
    assert_true(fputs(CUBE, f) >= 0 && fputs(rest, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

#define MODEL(mesh, body, rest)                                                                    \
    "meshes: {m: {type: deck, file: cube.inp" mesh "}}\n"                                          \
    "bodies: {body: {type: floating, mesh: m" body "}}\n" HOLD rest

/* temperature of a node at the end, over that at the beginning */
static double warm(const char *step, const char *model) {
    double y[GOS_PROBE_MAX];
    verify v;
    write_deck(step);
    calculix_open(&v, model, folder);
    verify_run(&v);
    verify_probe(&v, v.state, "T", y);
    verify_close(&v);
    return y[0];
}

#define RUN                                                                                        \
    "probes: {T: {at: body.node(7), quantity: temperature}}\n"                                     \
    "analysis: {end: 10, step: 0.1}\n"
#define STEP "*STEP\n*HEAT TRANSFER\n1., 10.\n"

/* a cube of 1e4 J/K that is heated, quickly conducting: mean temperatures are integrals of the
   heat */
static void test_amplitudes(void **state) {
    (void)state;
    const char *model = MODEL("", ", deck_loads: true", RUN);
    // 1000 W times the integral of the amplitude: 2/2 + 4 + 2/2
    const char *flux = "*AMPLITUDE, NAME=A\n0., 0., 2., 1., 6., 1., 8., 0.\n" STEP
                       "*DFLUX, AMPLITUDE=A\nE, S2, 1000.\n*END STEP\n";
    verify_below("flux by an amplitude", fabs(warm(flux, model) / (1000 * 6 / 1e4) - 1), 1e-3);
    verify_below(
        "heat of nodes",
        fabs(warm(STEP "*CFLUX\n1, 11, 10.\n2, 11, 20.\n*END STEP\n", model) - 30 * 10 / 1e4),
        1e-4);
    verify_below("heat inside",
                 fabs(warm(STEP "*DFLUX\nE, BF, 500.\n*END STEP\n", model) - 500 * 10 / 1e4), 1e-6);
    // two lines on one face add up
    const char *two = STEP "*DFLUX\nE, S2, 300.\nE, S2, 200.\n*END STEP\n";
    verify_below("two fluxes", fabs(warm(two, model) - 500 * 10 / 1e4), 500 / 1e6); // q L / k
}

/* all nodes at the temperature that the deck says, over the one at which it begins; the later line
 * counts */
static void test_prescribed(void **state) {
    (void)state;
    const char *model = MODEL("", ", deck_loads: true", RUN);
    verify_below(
        "*BOUNDARY",
        fabs(warm(STEP "*BOUNDARY\nN, 11, 11, 50.\n7, 11, 11, 55.\n*END STEP\n", model) - 35),
        1e-9);
    const char *ramp = "*AMPLITUDE, NAME=A\n0., 1., 20., 3.\n" STEP
                       "*BOUNDARY, AMPLITUDE=A\nN, 11, 11, 20.\n*END STEP\n";
    verify_below("by an amplitude", fabs(warm(ramp, model) - 20), 1e-9);
}

/* Film and radiation against a source: steady q V = h (T - Ts) A, and eps sigma (T^4 - Ts^4) A, on
 * one face of six. */
static void test_steady(void **state) {
    (void)state;
    const char *steady = "probes: {T: {at: body.node(7), quantity: temperature}}\n"
                         "analysis: {type: static}\n";
    char model[600];
    (void)snprintf(model, sizeof model, MODEL("", ", deck_loads: true", "%s"), steady);
    double y[GOS_PROBE_MAX];
    verify v;
    write_deck("*AMPLITUDE, NAME=H\n0., 2.\n" STEP
               "*DFLUX\nE, BF, 500.\n*FILM, FILM AMPLITUDE=H\nE, F1, 45., 25.\n*END STEP\n");
    calculix_open(&v, model, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "T", y);
    verify_below("film", fabs(y[0] - (45 - 20 + 500.0 / 50)), 1e-3); // conducts well, not at once
    verify_close(&v);
    write_deck("*PHYSICAL CONSTANTS, ABSOLUTE ZERO=-273.15, STEFAN BOLTZMANN=5.670374419E-8\n" STEP
               "*DFLUX\nE, BF, 500.\n*RADIATE\nE, R1, 30., 0.8\n*END STEP\n");
    calculix_open(&v, model, folder);
    verify_static(&v);
    verify_probe(&v, v.state, "T", y);
    const double T = pow(500 / (0.8 * 5.670374419e-8) + pow(303.15, 4), 0.25);
    verify_below("radiation", fabs(y[0] - (T - 293.15)), 1e-3);
    verify_close(&v);
}

/* a deck in mm, t, s: its flux in mW/mm^2 is kW/m^2 */
static void test_units(void **state) {
    (void)state;
    const char *model = MODEL(", scale: 1e-3, mass_scale: 1000", ", deck_loads: true", RUN);
    // C = 1000 t/mm^3 * 10 mm^2/(s^2 K) * 1 mm^3 = 1e4 t mm^2/(s^2 K) = 10 J/K; flux 300 t/s^3 on 1
    // mm^2
    verify_below("millimetres and tonnes",
                 fabs(warm(STEP "*DFLUX\nE, S2, 300.\n*END STEP\n", model) / (300 * 10 / 1e4) - 1),
                 1e-3);
}

/* Prescribed temperatures of many nodes are one, reduced too and the last line counts. */
static void test_prescribed_sets(void **state) {
    (void)state;
    for (int reduced = 0; reduced < 2; reduced++) {
        double y[GOS_PROBE_MAX];
        char model[700];
        verify v;
        (void)snprintf(model, sizeof model,
                       "%smeshes: {m: {type: deck, file: cube.inp}}\n"
                       "bodies: {body: {type: floating, mesh: m, deck_loads: true,\n"
                       "                reduce: {method: krylov, order: 2}}}\n" HOLD
                       "probes: {th: {at: body.node(7), quantity: temperature}}\n"
                       "analysis: {type: static}\n",
                       reduced ? "floating_bodies: reduced\n" : "");
        write_deck(STEP
                   "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=HIGH\n5,6,7,8\n"
                   "*BOUNDARY\nN, 11, 11, 70.\nLOW, 11, 11, 20.\nHIGH, 11, 11, 30.\n*END STEP\n");
        calculix_open(&v, model, folder);
        verify_static(&v);
        verify_probe(&v, v.state, "th", y);
        verify_near("end", y[0], 10, 1e-9);
        verify_close(&v);
    }
}

/* A free cube of 1000 kg under a pressure on its upper face, which it takes along as it turns, or
   under the deck's gravity, whose direction is that of the mesh at t = 0: a t^2 / 2 of its node in
   the corner after 1 s; nothing under pressure all around. */
static void test_adrift(void **state) {
    (void)state;
    static const struct {
        const char *load, *turn;
        double y[3];
    } cases[] = {
        {"E, P2, 100.\n", "", {0, 0, -0.05}},
        {"E, P2, 100.\n", ", rotation_vector: [pi/2, 0, 0]", {0, 0.05, 0}},
        {"E, GRAV, 0.1, 0., 0., -1.\n", ", rotation_vector: [pi/2, 0, 0]", {0, 0.05, 0}},
        {"E, P1, 1.E4\nE, P2, 1.E4\nE, P3, 1.E4\nE, P4, 1.E4\nE, P5, 1.E4\nE, P6, 1.E4\n",
         "",
         {0, 0, 0}},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        char step[300], model[700];
        double y[GOS_PROBE_MAX];
        verify v;
        (void)snprintf(step, sizeof step, "*STEP\n*STATIC\n*DLOAD\n%s*END STEP\n", cases[i].load);
        write_deck(step);
        (void)snprintf(
            model, sizeof model,
            "meshes: {m: {type: deck, file: cube.inp}}\n"
            "bodies: {body: {type: floating, mesh: m, deck_loads: true, temperature: off, "
            "rayleigh: [100, 0]%s}}\n"
            "probes: {u: {at: body.frame, quantity: displacement}}\n"
            "analysis: {end: 1, step: 0.01}\n",
            cases[i].turn);
        calculix_open(&v, model, folder);
        verify_run(&v);
        verify_probe(&v, v.state, "u", y);
        for (int c = 0; c < 3;
             c++) { // the frame follows the mean of the body, which is pressed by 1e-5
            verify_near("path", y[c], cases[i].y[c], 1e-9);
        }
        verify_close(&v);
    }
}

/* A pressure with an amplitude is one of time; its resultant is what the ground bears. */
static void test_resultant(void **state) {
    (void)state;
    double y[GOS_PROBE_MAX];
    verify v;
    write_deck("*AMPLITUDE, NAME=A\n0., 0., 20., 2.\n*STEP\n*STATIC\n*DLOAD, AMPLITUDE=A\nE, P3, "
               "100.\nE, P5, 30.\n*END STEP\n");
    calculix_open(&v,
                  MODEL("", ", deck_loads: true, temperature: off, rayleigh: [0, 1e-3]",
                        "probes: {F: {joint: hold, quantity: joint_force}}\n"
                        "analysis: {end: 10, step: 0.5}\n"),
                  folder);
    verify_run(&v);
    verify_probe(&v, v.state, "F", y);
    // face 3 lies at y = 0, face 5 at y = 1
    verify_near("force across", fabs(y[1]), 70, 1e-6);
    verify_near("force along", hypot(y[0], y[2]), 0, 1e-6);
    verify_close(&v);
}

/* faces as meshers write them, elements of surfaces without section: a set of them on the outside
 * is a surface, of 1 m^2 */
static void test_faces(void **state) {
    (void)state;
    const char *faces = "*ELEMENT, TYPE=CPS4, ELSET=TOP\n2, 5,6,7,8\n*ELEMENT, TYPE=CPS4, "
                        "ELSET=SIDES\n3, 1,5,8,4\n4, 2,3,7,6\n";
    const char *model = MODEL("", "",
                              "heat: {a: {type: flux, value: 100, on: body.TOP},\n"
                              "       b: {type: flux, value: 30, on: body.SIDES}}\n" RUN);
    verify_below("heat on faces of elements", fabs(warm(faces, model) / (160 * 10 / 1e4) - 1),
                 1e-3);
}

/* ---- what is refused, and what is reported
 * ------------------------------------------------------- */

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *step, *words;
        int line;
    } cases[] = {
        {"*STEP\n*STATIC\n*CLOAD\n1, 5, 9.\n*END STEP\n", "rotation", 27},
        {"*INITIAL CONDITIONS, TYPE=TEMPERATURE\n3, 21.\n*STEP\n*STATIC\n*END STEP\n",
         "different initial temperatures", 25},
        {"*INITIAL CONDITIONS, TYPE=VELOCITY\n3, 1, 2.\n*STEP\n*STATIC\n*END STEP\n", "velocity",
         25},
        {"*PHYSICAL CONSTANTS, ABSOLUTE ZERO=-273.15, STEFAN BOLTZMANN=5.67E-11\n*STEP\n*STATIC\n"
         "*RADIATE\nE, R1, 30., 0.8\n*END STEP\n",
         "STEFAN BOLTZMANN", 28},
        {"*PHYSICAL CONSTANTS, ABSOLUTE ZERO=0., STEFAN BOLTZMANN=5.67E-8\n*STEP\n*STATIC\n"
         "*RADIATE\nE, R1, 30., 0.8\n*END STEP\n",
         "reference_temperature", 28},
    };
    for (int i = 0; i < GOS_COUNT(cases); i++) {
        verify v;
        write_deck(cases[i].step);
        assert_int_equal(calculix_try(&v, MODEL("", ", deck_loads: true", ""), folder),
                         GOS_E_INPUT);
        const bool bends = gos_ctx_diag(v.ctx, 0)->status == GOS_OK; // one C3D8, which is warned of
        const gos_diag *d = gos_ctx_diag(v.ctx, bends);
        if (!strstr(d->text, cases[i].words) || d->line != cases[i].line) {
            fail_msg("line %d: %s", d->line, d->text);
        }
        gos_model_destroy(v.model);
        gos_ctx_destroy(v.ctx);
    }
}

static void expect_refused(const char *model, const char *words) {
    verify v;
    assert_int_equal(calculix_try(&v, model, folder), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(v.ctx), words)) {
        fail_msg("%s", gos_ctx_message(v.ctx));
    }
    gos_model_destroy(v.model);
    gos_ctx_destroy(v.ctx);
}

/* what would act twice */
static void test_doubles(void **state) {
    (void)state;
    write_deck("*STEP\n*STATIC\n*DLOAD\nE, GRAV, 9.81, 0., 0., -1.\n*END STEP\n");
    expect_refused(MODEL("", ", deck_loads: true", "gravity: [0, 0, -9.81]\n"), "`gravity`");
    write_deck("*STEP\n*STATIC\n*DLOAD\nE, CENTRIF, 9., 0., 0., 0., 0., 0., 1.\n*END STEP\n");
    expect_refused(MODEL("", ", deck_loads: true, angular_velocity: [0, 0, 3]", ""), "twice");
}

/* supports that let it turn about a line, that move; a body that has no temperatures, or no
   units */
static void test_conditions(void **state) {
    (void)state;
    const char *clamped = MODEL("", ", reference: clamped", "");
    write_deck("*BOUNDARY\n1, 1, 3\n2, 1, 3\n");
    expect_refused(clamped, "do not prevent all rigid-body motion");
    write_deck("*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3, 3, 0.1\n");
    expect_refused(clamped, "prescribed displacements are loads; give the body `deck_loads: true`");
    write_deck(STEP "*CFLUX\n1, 11, 10.\n*END STEP\n");
    expect_refused(MODEL("", ", deck_loads: true, temperature: off", ""), "no temperatures");
    expect_refused(MODEL(", scale: 1e-3", ", deck_loads: true", ""), "mass_scale");
    expect_refused("meshes: {m: {type: box, size: [1, 1, 1], cells: [1, 1, 1]}}\n"
                   "materials: {s: {density: 1, young: 1}}\n"
                   "bodies: {body: {type: floating, mesh: m, material: s, deck_loads: true}}\n",
                   "its mesh is not a deck");
}

/* six supports are enough; nothing is taken without being requested, and a note says what */
static void test_note(void **state) {
    (void)state;
    verify v;
    write_deck("*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3, 3\n" STEP
               "*CFLUX\n1, 11, 10.\n*FILM\nE, F1, 45., 25.\n*END STEP\n");
    verify_good(&v, calculix_try(&v, MODEL("", ", reference: clamped", ""), folder));
    assert_int_equal(gos_ctx_ndiag(v.ctx), 2); // and that one C3D8 bends badly
    const gos_diag *d = gos_ctx_diag(v.ctx, 0);
    assert_int_equal(d->count, 0);
    if (!strstr(d->text, "*CFLUX (line 32), *FILM (line 34)") || strstr(d->text, "*BOUNDARY")) {
        fail_msg("%s", d->text);
    }
    gos_system_destroy(v.sys);
    gos_model_destroy(v.model);
    gos_ctx_destroy(v.ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heat),       cmocka_unit_test(test_thermal_displacement),
        cmocka_unit_test(test_forces),     cmocka_unit_test(test_amplitudes),
        cmocka_unit_test(test_prescribed), cmocka_unit_test(test_steady),
        cmocka_unit_test(test_units),      cmocka_unit_test(test_faces),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_note),       cmocka_unit_test(test_spread),
        cmocka_unit_test(test_adrift),     cmocka_unit_test(test_resultant),
        cmocka_unit_test(test_doubles),    cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_solid),      cmocka_unit_test(test_prescribed_sets),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
