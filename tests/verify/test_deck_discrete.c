/* Trusses, springs, dashpots and point masses of decks, and B32 beams. Two trusses hold node 2,
   which moves along x alone: stiffness, frequency, damping and thermal displacement in closed form;
   each also turned, in mm, t, s, and of another size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four above */
#include <cmocka.h>

#include <math.h>

#include "gossamer/linearise.h"
#include "support/calculix.h"
#include "support/folder.h"
#include "support/suite.h"

#define E 2e11     /* Pa */
#define AREA 1e-4  /* m^2 */
#define RHO 7850.0 /* kg/m^3 */
#define K1 1e7     /* SPRING1, N/m */
#define KA 2e7     /* SPRINGA */
#define C 500.0    /* N s/m */
#define MASS 3.0   /* kg */
#define FORCE 1e3  /* N */

typedef struct form {
    double L, unit, mass; // length [m]; the deck's units [m], [kg]
    bool turned;
} form;

static const form forms[] = {{0.5, 1, 1, false}, {0.5, 1e-3, 1000, true}, {2, 1, 1, true}};

/* node 1 at the origin, 2 at L on x, 3 at 2 L (ground of the spring), 4 at L on y */
static void write_deck(const form *f, const char *more, const char *load) {
    FILE *to = fopen(folder_path("t.inp"), "w");
    const double L = f->L / f->unit, M = f->mass;
    assert_non_null(to);
    (void)fprintf(to,
                  "*NODE, NSET=ALL\n1, 0, 0, 0\n2, %.17g, 0, 0\n3, %.17g, 0, 0\n4, 0, %.17g, 0\n"
                  "*ELEMENT, TYPE=T3D2, ELSET=T\n1, 1, 2\n2, 4, 2\n"
                  "*MATERIAL, NAME=M\n*ELASTIC\n%.17g, 0.3\n*DENSITY\n%.17g\n*EXPANSION\n1.E-5\n"
                  "*SOLID SECTION, ELSET=T, MATERIAL=M\n%.17g\n"
                  "*BOUNDARY\n1, 1, 3\n3, 1, 3\n4, 1, 3\n2, 2, 3\n%s*STEP\n*STATIC\n%s*END STEP\n",
                  L, 2 * L, L, E * f->unit / M, RHO * f->unit * f->unit * f->unit / M,
                  AREA / (f->unit * f->unit), more, load);
    assert_int_equal(fclose(to), 0);
}

static const char *discrete(const form *f) {
    static char text[600];
    (void)snprintf(text, sizeof text,
                   "*ELEMENT, TYPE=SPRING1, ELSET=S1\n11, 2\n*SPRING, ELSET=S1\n1\n%.17g\n"
                   "*ELEMENT, TYPE=SPRINGA, ELSET=SA\n12, 2, 3\n*SPRING, ELSET=SA\n\n%.17g\n"
                   "*ELEMENT, TYPE=DASHPOTA, ELSET=D\n13, 3, 2\n*DASHPOT, ELSET=D\n,\n%.17g\n"
                   "*ELEMENT, TYPE=MASS, ELSET=P\n14, 2\n*MASS, ELSET=P\n%.17g\n",
                   K1 / f->mass, KA / f->mass, C / f->mass, MASS / f->mass);
    return text;
}

static double stiffness(const form *f) {
    return E * AREA / f->L * (1 + 1 / (2 * sqrt(2)));
}

static void open_form(verify *v, const form *f, const char *body) {
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "meshes: {m: {type: deck, file: t.inp, scale: %.17g, mass_scale: %.17g}}\n"
        "bodies: {b: {type: floating, mesh: m, reference: clamped, deck_loads: true%s%s}}\n"
        "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
        "probes: {u: {at: b.node(2), quantity: displacement}, s: {at: b.node(1), "
        "quantity: stress}}\nanalysis: {type: static}\n",
        f->unit, f->mass, body, f->turned ? ", rotation_vector: [0.3, -0.5, 0.8]" : "");
    calculix_open(v, text, folder);
}

/* along x of the mesh */
static double moved(verify *v, const form *f) {
    double u[GOS_PROBE_MAX];
    verify_static(v);
    verify_probe(v, v->state, "u", u);
    if (!f->turned) {
        assert_true(fabs(u[1]) + fabs(u[2]) < 1e-12 * fabs(u[0]));
        return u[0];
    }
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

static const char *push(const form *f) {
    static char text[100];
    (void)snprintf(text, sizeof text, "*CLOAD\n2, 1, %.17g\n", FORCE / (f->mass * f->unit));
    return text;
}

static void test_static(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const form *f = &forms[i];
        verify v;
        write_deck(f, "", push(f));
        open_form(&v, f, "");
        verify_near_rel("trusses", moved(&v, f), FORCE / stiffness(f), 1e-10);
        verify_close(&v);
        write_deck(f, discrete(f), push(f));
        open_form(&v, f, "");
        verify_near_rel("with springs", moved(&v, f), FORCE / (stiffness(f) + K1 + KA), 1e-10);
        verify_close(&v);
    }
}

/* a spring whose second end is a node without cell, supported along the spring alone */
static void test_held_along(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const form *f = &forms[i];
        char more[300];
        verify v;
        (void)snprintf(more, sizeof more,
                       "*NODE\n5, %.17g, 0, 0\n*BOUNDARY\n5, 1, 1\n*ELEMENT, TYPE=SPRINGA, "
                       "ELSET=SA\n12, 2, 5\n*SPRING, ELSET=SA\n\n%.17g\n",
                       3 * f->L / f->unit, KA / f->mass);
        write_deck(f, more, push(f));
        open_form(&v, f, "");
        verify_near_rel("spring", moved(&v, f), FORCE / (stiffness(f) + KA), 1e-10);
        verify_close(&v);
    }
}

/* one freedom: frequency, and the factor of its rate */
static void test_frequency(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const form *f = &forms[i];
        const double m = MASS + RHO * AREA * f->L * (1 + sqrt(2)) / 3;
        const double k = stiffness(f) + K1 + KA;
        gos_linear *linear[2];
        gos_mesh *mesh;
        verify v;
        write_deck(f, discrete(f), "*CLOAD\n2, 1, 0.\n");
        open_form(&v, f, "");
        verify_good(&v, gos_linearise(v.ctx, v.sys, v.state, &linear[0]));
        verify_good(&v, gos_mesh_create(v.ctx, v.model, "m", &mesh));
        verify_good(&v, gos_linear_from_mesh(v.ctx, mesh, &linear[1]));
        for (int j = 0; j < 2; j++) {
            gos_mode mode;
            int found = 0;
            gos_matrix_view D;
            double c = 0;
            verify_good(&v, gos_linear_modes(v.ctx, linear[j], 1, false, &mode, &found));
            assert_int_equal(found, 1);
            verify_near_rel("frequency", mode.omega, sqrt(k / m), 1e-10);
            gos_linear_block(linear[j], GOS_BLOCK_D, &D);
            for (int e = 0; e < D.entries; e++) {
                c += D.value[e];
            }
            verify_near_rel("damping", c, C, 1e-10);
        }
        gos_linear_destroy(linear[0]);
        gos_linear_destroy(linear[1]);
        gos_mesh_destroy(mesh);
        verify_close(&v);
    }
}

/* left out with `parts`, with a warning */
static void test_parts(void **state) {
    (void)state;
    const form *f = &forms[0];
    char load[200];
    verify v;
    (void)snprintf(load, sizeof load, "%s*DLOAD\nP, GRAV, 50., 1., 0., 0.\n", push(f));
    write_deck(f, discrete(f), load);
    calculix_open(&v,
                  "materials: {m: {young: 2e11, poisson: 0.3, density: 7850}}\n"
                  "meshes: {m: {type: deck, file: t.inp}}\n"
                  "bodies: {b: {type: floating, mesh: m, reference: clamped, deck_loads: true, "
                  "parts: [{cells: T, material: m, element: truss, thickness: 1e-4}]}}\n"
                  "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
                  "probes: {u: {at: b.node(2), quantity: displacement}}\n"
                  "analysis: {type: static}\n",
                  folder);
    assert_int_equal(gos_ctx_ndiag(v.ctx), 1);
    assert_int_equal(gos_ctx_diag(v.ctx, 0)->count, 4); // at the first of the cards
    assert_non_null(strstr(gos_ctx_diag(v.ctx, 0)->text, "left out, because `parts` replaces"));
    verify_near_rel("trusses alone", moved(&v, f), FORCE / stiffness(f), 1e-10);
    verify_close(&v);
}

/* Gravity and centrifugal forces on a mass. */
static void test_weight(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const form *f = &forms[i];
        const double k = stiffness(f) + K1 + KA;
        char load[200];
        verify v;
        (void)snprintf(load, sizeof load, "*DLOAD\nP, GRAV, %.17g, 1., 0., 0.\n", 50 / f->unit);
        write_deck(f, discrete(f), load);
        open_form(&v, f, "");
        verify_near_rel("weight", moved(&v, f), MASS * 50 / k, 1e-10);
        verify_close(&v);
        (void)snprintf(load, sizeof load, "*DLOAD\nP, CENTRIF, 400., %.17g, 0., 7., 0., 0., 1.\n",
                       -0.1 / f->unit);
        write_deck(f, discrete(f), load);
        open_form(&v, f, "");
        // y of the force acts on fixed freedoms
        verify_near_rel("centrifugal force", moved(&v, f), MASS * 400 * (f->L + 0.1) / k, 1e-10);
        verify_close(&v);
    }
}

/* A force on a node without cells does not act, with a warning. */
static void test_bare(void **state) {
    (void)state;
    const form *f = &forms[0];
    verify v;
    write_deck(f, "*NODE\n9, 1, 1, 1\n", "*CLOAD\n2, 1, 1000.\n9, 1, 5.\n3, 1, 0.\n");
    open_form(&v, f, "");
    assert_int_equal(gos_ctx_ndiag(v.ctx), 1);
    const gos_diag *d = gos_ctx_diag(v.ctx, 0);
    assert_non_null(strstr(d->text, "1 nodes of this line (9) belong to no cell or constraint"));
    verify_near_rel("the other force", moved(&v, f), FORCE / stiffness(f), 1e-10);
    verify_close(&v);
}

/* Both trusses are 100 K warmer: node 2 moves where their forces balance; the stress of the first.
 */
static void test_heat(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const form *f = &forms[i];
        const double e = 1e-3, k = E * AREA / f->L, pushed = k * e * f->L * (1 + 0.5 * sqrt(2));
        double s[GOS_PROBE_MAX];
        verify v;
        write_deck(f, "", "*TEMPERATURE\nALL, 100.\n");
        open_form(&v, f, "");
        const double u = moved(&v, f);
        verify_near_rel("thermal displacement", u, pushed / stiffness(f), 1e-10);
        verify_probe(&v, v.state, "s", s);
        verify_near_rel("stress", s[0], E * (u / f->L - e), 1e-9);
        verify_close(&v);
    }
}

static void refuse(const char *more, const char *body, const char *has) {
    char text[800];
    verify v;
    write_deck(&forms[0], more, "*CLOAD\n2, 1, 1.\n");
    (void)snprintf(text, sizeof text,
                   "meshes: {m: {type: deck, file: t.inp}}\n"
                   "bodies: {b: {type: floating, mesh: m, deck_loads: true%s}}\n"
                   "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
                   "analysis: {type: static}\n",
                   body);
    assert_int_equal(calculix_try(&v, text, folder), GOS_E_INPUT);
    if (!strstr(gos_ctx_message(v.ctx), has)) {
        fail_msg("expected '%s', got '%s'", has, gos_ctx_message(v.ctx));
    }
    verify_close(&v);
}

static void test_refused(void **state) {
    (void)state;
    static const char *const held = ", reference: clamped";
    refuse("*ELEMENT, TYPE=SPRINGA, ELSET=S\n11, 2, 3\n", held, "add *SPRING, *DASHPOT or *MASS");
    refuse("*NODE\n7, 1, 1, 1\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n11, 2, 7\n*SPRING, ELSET=S\n\n1.\n",
           held, "belongs to no cell");
    refuse("*NODE\n7, 1, 1, 0\n*BOUNDARY\n7, 1, 1\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n11, 2, 7\n"
           "*SPRING, ELSET=S\n\n1.\n",
           held, "belongs to no cell");
    refuse("*NODE, NSET=N\n7, 1, 0, 0\n*TRANSFORM, NSET=N\n1., 1., 0., -1., 1., 0.\n"
           "*BOUNDARY\n7, 1, 1\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n11, 2, 7\n"
           "*SPRING, ELSET=S\n\n1.\n",
           held, "belongs to no cell");
    refuse("*NODE\n7, 0.5, 0, 0\n*BOUNDARY\n7, 1, 3\n*ELEMENT, TYPE=SPRINGA, ELSET=S\n11, 2, 7\n"
           "*SPRING, ELSET=S\n\n1.\n",
           held, "its nodes coincide");
    refuse("*ELEMENT, TYPE=SPRING1, ELSET=S\n11, 2\n*SPRING, ELSET=S\n1\n1.\n",
           ", reference: mean_axis", "acts against the ground");
    refuse("*ELEMENT, TYPE=MASS, ELSET=S\n11, 3\n*MASS, ELSET=S\n1.\n", held,
           "its node belongs to no cell");
}

/* One quadratic truss, fixed at one end: K = EA/(3 L) [16 -8; -8 7], M = rho A L/30 [16 2; 2 4], so
   w^2 = 10 m E/(rho L^2) with 60 m^2 - 208 m + 48 = 0. */
static void test_quadratic_trusses(void **state) {
    (void)state;
    static const char *const type[] = {"T3D3", "T2D3"};
    const double m = (208 - sqrt(208.0 * 208 - 4 * 60 * 48)) / 120;
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(folder_path("t.inp"), "w");
        gos_linear *linear;
        gos_mesh *mesh;
        gos_mode mode;
        int found = 0;
        verify v = {.ctx = gos_ctx_create()};
        const char *model = "meshes: {m: {type: deck, file: t.inp}}\n";
        assert_non_null(f);
        (void)fprintf(f,
                      "*NODE, NSET=ALL\n1, 0\n2, 0.25\n3, 0.5\n*ELEMENT, TYPE=%s, ELSET=T\n"
                      "1, 1, 2, 3\n*MATERIAL, NAME=M\n*ELASTIC\n2.E11, 0.3\n*DENSITY\n7850.\n"
                      "*SOLID SECTION, ELSET=T, MATERIAL=M\n1.E-4\n*BOUNDARY\nALL, 2, 3\n1, 1\n"
                      "*STEP\n*FREQUENCY\n1\n*END STEP\n",
                      type[i]);
        assert_int_equal(fclose(f), 0);
        verify_good(&v, gos_model_parse(v.ctx, model, strlen(model), "test", folder, &v.model));
        verify_good(&v, gos_mesh_create(v.ctx, v.model, "m", &mesh));
        verify_good(&v, gos_linear_from_mesh(v.ctx, mesh, &linear));
        verify_good(&v, gos_linear_modes(v.ctx, linear, 1, false, &mode, &found));
        verify_near_rel("frequency", mode.omega, sqrt(10 * m * E / (RHO * 0.25)), 1e-10);
        gos_linear_destroy(linear);
        gos_mesh_destroy(mesh);
        verify_close(&v);
    }
}

/* ---- B32 ------------------------------------------------------------------------------------- */

/* Two elements of three nodes are four Timoshenko beams: tip of a cantilever under a force, with
   shear by Cowper's factor 10 (1 + nu)/(12 + 11 nu); sets by name and by number. */
static void test_quadratic_beams(void **state) {
    (void)state;
    static const char *const set[] = {
        ", ELSET=S\n1, 1, 2, 3\n2, 3, 4, 5\n", "\n1, 1, 2, 3\n2, 3, 4, 5\n*ELSET, ELSET=S\n1\n2\n",
        "\n1, 1, 2, 3\n2, 3, 4, 5\n*ELSET, ELSET=S, GENERATE\n1, 2\n"};
    for (int i = 0; i < 3; i++) {
        FILE *f = fopen(folder_path("t.inp"), "w");
        const double k = 10 * 1.3 / (12 + 11 * 0.3), I = 0.05 * 1e-3 / 12, G = 2e11 / 2.6;
        double u[GOS_PROBE_MAX];
        verify v;
        assert_non_null(f);
        (void)fprintf(f,
                      "*NODE\n1, 0\n2, 0.5\n3, 1\n4, 1.5\n5, 2\n*ELEMENT, TYPE=B32%s%s"
                      "*MATERIAL, NAME=M\n*ELASTIC\n2.E11, 0.3\n"
                      "*BEAM SECTION, ELSET=S, MATERIAL=M, SECTION=RECT\n0.05, 0.1\n0, 1, 0\n"
                      "*BOUNDARY\n1, 1, 6\n*STEP\n*STATIC\n*CLOAD\n5, 3, 1000.\n*END STEP\n",
                      i == 1 ? "R" : "", set[i]);
        assert_int_equal(fclose(f), 0);
        calculix_open(
            &v,
            "meshes: {m: {type: deck, file: t.inp}}\n"
            "bodies: {b: {type: floating, mesh: m, reference: clamped, deck_loads: true}}\n"
            "joints: {hold: {type: clamp, between: [ground, b.frame]}}\n"
            "probes: {u: {at: b.node(5), quantity: displacement}}\n"
            "analysis: {type: static}\n",
            folder);
        verify_static(&v);
        verify_probe(&v, v.state, "u", u);
        verify_near_rel("tip", u[2], 8e3 / (3 * 2e11 * I) + 2e3 / (k * G * 5e-3), 1e-9);
        verify_close(&v);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_static),
        cmocka_unit_test(test_held_along),
        cmocka_unit_test(test_frequency),
        cmocka_unit_test(test_weight),
        cmocka_unit_test(test_bare),
        cmocka_unit_test(test_heat),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_quadratic_beams),
        cmocka_unit_test(test_quadratic_trusses),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
SUITE(suite)
