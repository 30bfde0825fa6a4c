/* Linear models of decks: frequencies against CalculiX's printed ones, masses and inertia in closed
   form, names, what is held, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "gossamer/blas.h"
#include "linear/linear.h"
#include "deck/deck.h"
#include "support/near.h"
#include "support/suite.h"

enum { NX = 4, NY = 2, MY = NY + 1 };

/* bench/decks.py: bar of 1 x 0.05 x 0.05 m, 4 x 2 x 2 C3D8; what follows are its conditions */
static gos_deck *bar(gos_ctx *ctx, const char *rest) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    fputs("*NODE\n", f);
    for (int i = 0; i < (NX + 1) * MY * MY; i++) {
        fprintf(f, "%d, %.12g, %.12g, %.12g\n", 10 * (i + 1), (double)(i / (MY * MY)) / NX,
                0.05 * (i % MY) / NY, 0.05 * (i / MY % MY) / NY);
    }
    fputs("*ELEMENT, TYPE=C3D8, ELSET=ALL\n", f);
    for (int i = 0; i < NX * NY * NY; i++) {
        const int on = MY * MY, o = i % NY + MY * (i / NY % NY) + on * (i / (NY * NY)) + 1;
        const int node[8] = {o,      o + on,      o + on + 1,      o + 1,
                             o + MY, o + on + MY, o + on + MY + 1, o + MY + 1};
        fprintf(f, "%d", i + 1);
        for (int c = 0; c < 8; c++) {
            fprintf(f, ", %d", 10 * node[c]);
        }
        fputs("\n", f);
    }
    fputs("*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1e11, 0.3\n*DENSITY\n7850.\n"
          "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n*NSET, NSET=HELD, GENERATE\n10, 90, 10\n",
          f);
    fputs(rest, f);
    fclose(f);
    gos_deck *deck = NULL;
    if (gos__deck_parse(ctx, "bar.inp", text, size, NULL, &deck) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    free(text);
    return deck;
}

/* CalculiX 2.20, `ccx bar`, *FREQUENCY, 6: printed with seven digits */
static void test_frequencies(void **unused) {
    GOS_UNUSED(unused);
    static const double calculix[] = {135.9364, 135.9364, 807.0768, 897.0489, 897.0489, 1332.893};
    gos_ctx *ctx = gos_ctx_create();
    gos_deck *deck = bar(ctx, "*BOUNDARY\nHELD, 1, 3\n*BOUNDARY\nHELD, 2, 6\n");
    gos_linear *l = NULL;
    gos_mode mode[6];
    int found;
    assert_int_equal(gos_linear_from_mesh(ctx, deck->mesh, &l), GOS_OK);
    gos_linear_info info;
    gos_linear_info_get(l, &info);
    // nine nodes by three directions, of which some are said twice; rotations are none of solids
    assert_true(info.coordinates == 3 * 45 && info.constraints == 27 && info.symmetric);
    const double mass = 7850 * 0.05 * 0.05;
    near_rel(info.mass, mass, 1e-12);
    near_rel(info.inertia[0], mass * 2 * 0.05 * 0.05 / 12, 1e-12);
    near_rel(info.inertia[1], mass * (1 + 0.05 * 0.05) / 12, 1e-12);
    near_rel(info.inertia[2], mass * (1 + 0.05 * 0.05) / 12, 1e-12);
    assert_int_equal(gos_linear_modes(ctx, l, 6, false, mode, &found), GOS_OK);
    assert_int_equal(found, 6);
    for (int i = 0; i < 6; i++) {
        near_rel(mode[i].frequency, calculix[i], 5e-7);
    }
    char name[40];
    gos_linear_coordinate(l, 3 * 44 + 1, name, sizeof name);
    assert_string_equal(name, "node(450).y");
    assert_int_equal(gos_ctx_ndiag(ctx), 0);
    gos_linear_destroy(l);
    gos__deck_destroy(deck);
    gos_ctx_destroy(ctx);
}

/* free: six rigid motions, by their names; damping and loads of the deck */
static void test_moving(void **unused) {
    GOS_UNUSED(unused);
    gos_ctx *ctx = gos_ctx_create();
    gos_deck *deck = bar(ctx, "*MATERIAL, NAME=OTHER\n*STEP\n*STATIC\n*CLOAD\nHELD, 2, 1.\n"
                              "*END STEP\n");
    gos_linear *l = NULL;
    gos_mode mode[7];
    int found;
    assert_int_equal(gos_linear_from_mesh(ctx, deck->mesh, &l), GOS_OK);
    assert_true(gos_ctx_ndiag(ctx) == 1 && strstr(gos_ctx_diag(ctx, 0)->text, "are ignored"));
    assert_int_equal(gos_linear_modes(ctx, l, 7, false, mode, &found), GOS_OK);
    for (int i = 0; i < 7; i++) {
        assert_true(mode[i].kind == (i < 3   ? GOS_MODE_TRANSLATION
                                     : i < 6 ? GOS_MODE_ROTATION
                                             : GOS_MODE_ELASTIC));
    }
    gos_linear_destroy(l);
    gos__deck_destroy(deck);
    gos_ctx_destroy(ctx);
}

static void refused(const char *rest, const char *why) {
    gos_ctx *ctx = gos_ctx_create();
    gos_deck *deck = bar(ctx, rest);
    gos_linear *l = NULL;
    assert_int_equal(gos_linear_from_mesh(ctx, deck->mesh, &l), GOS_E_INPUT);
    if (strstr(gos_ctx_message(ctx), why) == NULL) {
        fail_msg("'%s' does not say '%s'", gos_ctx_message(ctx), why);
    }
    gos__deck_destroy(deck);
    gos_ctx_destroy(ctx);
}

static void test_refusals(void **unused) {
    GOS_UNUSED(unused);
    refused("*EQUATION\n2\n440, 5, 1., 450, 1, -1.\n", "no degree of freedom 5");
    gos_ctx *ctx = gos_ctx_create();
    gos_mesh *mesh = NULL;
    gos_linear *l = NULL;
    assert_int_equal(gos__mesh_create(ctx, &mesh), GOS_OK);
    assert_int_equal(gos_linear_from_mesh(ctx, mesh, &l), GOS_E_INPUT);
    gos__mesh_destroy(mesh);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    gos_blas_select(suite_command);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frequencies),
        cmocka_unit_test(test_moving),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
