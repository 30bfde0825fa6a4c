/* The decks that CalculiX was run on (tests/reference/calculix.py) are read whole: nothing of them
   is refused or warned of, and loads lie where they are meant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "deck/deck.h"
#include "support/context.h"
#include "support/near.h"
#include "support/suite.h"

#define FOLDER GOS_SOURCE_DIR "/tests/reference/calculix/"

static gos_deck *read_deck(const char *name) {
    char path[300];
    gos_mesh *mesh;
    gos_deck *deck = NULL;
    (void)snprintf(path, sizeof path, FOLDER "%s.inp", name);
    gos_ctx_clear(ctx);
    assert_int_equal(gos__mesh_create(ctx, &mesh), GOS_OK);
    if (gos__deck_read(mesh, path, (gos_loc){0}, NULL, &deck) != GOS_OK) {
        fail_msg("%s", gos_ctx_message(ctx));
    }
    assert_int_equal(gos_ctx_ndiag(ctx), 0);
    return deck;
}

/* area of the polygon of the corners of a face, of an edge times thickness */
static double area_of(const gos_mesh *m, const gos_deck_faces *on, int i, double thickness) {
    int node[GOS_CELL_NODES], k, corners;
    const gos_cell_block *b = gos__mesh_cell(m, on->cell[i], &k);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    if (on->face[i] < 0) {
        corners = kind->corners;
        memcpy(node, b->node + (size_t)k * kind->nodes, corners * sizeof *node);
    } else {
        (void)gos__mesh_side(m, on->cell[i], on->face[i], node);
        corners = gos__cell_kind[kind->side[on->face[i]]].corners;
    }
    double sum[3] = {0, 0, 0}, length = 0;
    const double *o = m->x[node[0]];
    for (int c = 0; c < 3; c++) {
        length = hypot(length, m->x[node[1]][c] - o[c]);
    }
    for (int j = 1; j + 1 < corners; j++) {
        const double *p = m->x[node[j]], *q = m->x[node[j + 1]];
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += ((p[d] - o[d]) * (q[e] - o[e]) - (p[e] - o[e]) * (q[d] - o[d])) / 2;
        }
    }
    return corners == 2 ? length * thickness
                        : sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static double area_with(const gos_deck *d, gos_deck_load_kind kind) {
    double sum = 0;
    for (int l = 0; l < d->nload; l++) {
        for (int i = 0; d->load[l].kind == kind && i < d->load[l].on.n; i++) {
            sum += area_of(d->mesh, &d->load[l].on, i, d->section[0].value[0]);
        }
    }
    return sum;
}

static void test_disc(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *name;
        int nodes, cells, around;
        bool rim;
    } discs[] = {{"disc-heat-face-36x4", 180, 144, 36, false},
                 {"disc-heat-rim-36x4", 180, 144, 36, true},
                 {"disc-heat-face-72x8", 1872, 576, 72, false},
                 {"disc-heat-rim-72x8", 1872, 576, 72, true}};
    for (int i = 0; i < GOS_COUNT(discs); i++) {
        gos_deck *d = read_deck(discs[i].name);
        const double step = 2 * acos(-1.0) / discs[i].around, sixth = discs[i].around / 6.0;
        const double area = discs[i].rim ? sixth * 2 * 0.15 * sin(step / 2) * 0.007
                                         : sixth * sin(step) / 2 * (0.15 * 0.15 - 0.075 * 0.075);
        assert_int_equal(d->mesh->nnode, discs[i].nodes);
        assert_int_equal(d->mesh->ncell, discs[i].cells);
        near_rel(area_with(d, GOS_DECK_FLUX), area, 1e-10);
        near_rel(area_with(d, GOS_DECK_FILM), area, 1e-10);
        assert_true(d->step.procedure == GOS_DECK_HEAT_TRANSFER && d->step.direct);
        assert_true(d->step.data[0] == 60 && d->step.data[1] == 18000);
        assert_int_equal(gos__mesh_node_set(d->mesh, "RIM")->n, 3);
        gos__deck_destroy(d);
    }
}

static void test_displaced(void **state) {
    GOS_UNUSED(state);
    static const char *const names[] = {"disc-static-face-72x8", "disc-static-rim-72x8",
                                        "bracket-static-hex20", "bracket-static-tet10"};
    for (int i = 0; i < GOS_COUNT(names); i++) {
        gos_deck *d = read_deck(names[i]);
        int warm = 0;
        for (int k = 0; k < d->nnodal; k++) {
            warm += d->nodal[k].kind == GOS_DECK_TEMPERATURE ? d->nodal[k].n : 0;
        }
        assert_int_equal(warm, d->mesh->nnode);
        assert_int_equal(d->step.procedure, GOS_DECK_STATIC);
        gos__deck_destroy(d);
    }
}

static void test_solids(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *name;
        gos_cell_shape shape;
        int cells;
    } solids[] = {
        {"bar-modes-hex20", GOS_CELL_HEX20, 32},      {"bar-modes-hex8", GOS_CELL_HEX8, 32},
        {"bar-modes-hex8i", GOS_CELL_HEX8, 32},       {"bar-modes-tet10", GOS_CELL_TET10, 192},
        {"bracket-modes-hex20", GOS_CELL_HEX20, 102}, {"bracket-modes-tet10", GOS_CELL_TET10, 612},
        {"bracket-heat-hex20", GOS_CELL_HEX20, 102},  {"bracket-heat-tet10", GOS_CELL_TET10, 612},
        {"large-bending-hex20", GOS_CELL_HEX20, 20}};
    for (int i = 0; i < GOS_COUNT(solids); i++) {
        gos_deck *d = read_deck(solids[i].name);
        assert_int_equal(d->mesh->block[0].shape, solids[i].shape);
        assert_int_equal(d->mesh->ncell, solids[i].cells);
        if (d->step.procedure == GOS_DECK_HEAT_TRANSFER) {
            near_rel(area_with(d, GOS_DECK_FLUX), 0.1 * 0.06, 1e-10);
            near_rel(area_with(d, GOS_DECK_FILM), 0.08 * 0.06, 1e-10);
            assert_float_equal(gos__mesh_surface(d->mesh, "WALL")->n,
                               solids[i].cells == 102 ? 48 : 96, 0);
        }
        gos__deck_destroy(d);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disc),
        cmocka_unit_test(test_displaced),
        cmocka_unit_test(test_solids),
    };
    return cmocka_run_group_tests(tests, context_setup, context_teardown);
}
SUITE_INTERNAL(suite)
