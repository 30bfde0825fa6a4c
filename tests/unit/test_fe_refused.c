/* What bodies of meshes refuse, with the cell's number and line in its source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/fe_mesh.h"
#include "support/suite.h"

typedef struct bad {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material;
    gos_fe_part part[2];
    gos_fe_body *body;
} bad;

/* two cells with the numbers 71, 72 in lines 31, 32 of a file */
static void begin(bad *b, const char *element, gos_cell_shape shape) {
    const int n[3] = {2, 1, gos__cell_kind[shape].dim == 3};
    *b = (bad){.ctx = gos_ctx_create()};
    b->mesh = fe_grid(b->ctx, shape, n, NULL, true);
    b->material = fe_isotropic(b->ctx, 1, 0.3, 1, 1, 1, 1);
    gos_cell_block *block = &b->mesh->block[0];
    block->tag = GOS_NEW(b->mesh->arena, int64_t, block->n);
    block->line = GOS_NEW(b->mesh->arena, int, block->n);
    for (int i = 0; i < block->n; i++) {
        block->tag[i] = 71 + i;
        block->line[i] = 31 + i;
    }
    b->mesh->source = "part.inp";
    for (int p = 0; p < 2; p++) {
        b->part[p] = (gos_fe_part){.element = gos__fe_element(element),
                                   .material = &b->material,
                                   .thickness = 0.1,
                                   .loc = {.file = "model.yaml", .line = 5, .col = 3},
                                   .object = "body 'disc'"};
        assert_non_null(b->part[p].element);
    }
}

static void end(bad *b) {
    gos__fe_body_destroy(b->body);
    gos__mesh_destroy(b->mesh);
    gos_ctx_destroy(b->ctx);
}

static void told(const bad *b, gos_status status, const char *text) {
    assert_int_equal(status, GOS_E_INPUT);
    const char *message = gos_ctx_message(b->ctx);
    if (!strstr(message, text)) {
        fail_msg("'%s' is not in '%s'", text, message);
    }
}

static void inside_out(void **state) {
    GOS_UNUSED(state);
    static const struct {
        const char *element;
        gos_cell_shape shape;
    } each[] = {{"plane_stress", GOS_CELL_QUAD4}, {"plane_strain", GOS_CELL_TRI6},
                {"axisymmetric", GOS_CELL_QUAD8}, {"solid", GOS_CELL_HEX8},
                {"solid", GOS_CELL_TET10},        {"solid_incompatible", GOS_CELL_HEX8},
                {"solid_reduced", GOS_CELL_HEX20}};
    for (int k = 0; k < GOS_COUNT(each); k++) {
        bad b;
        gos_fe_heat heat;
        begin(&b, each[k].element, each[k].shape);
        // the second cell alone: its middle is turned over by corners that change their places
        gos_cell_block *block = &b.mesh->block[0];
        const int nodes = gos__cell_kind[each[k].shape].nodes;
        int *node = block->node + nodes;
        const int other =
            each[k].shape == GOS_CELL_HEX20 ? 8 : 1; // a corner with the middle of its edge
        const int swap = node[0];
        node[0] = node[other];
        node[other] = swap;
        fe_good(b.ctx, gos__fe_body_create(b.ctx, b.mesh, 1, b.part, &b.body));
        told(&b, gos__fe_body_mechanics(b.body), "part.inp:32");
        told(&b, GOS_E_INPUT, "cell 72 has no volume, or is inverted");
        gos_ctx_clear(b.ctx);
        told(&b, gos__fe_body_heat(b.body, &heat), "cell 72 has no volume");
        gos__fe_heat_free(b.ctx, &heat);
        end(&b);
    }
}

/* a quadrilateral whose corner lies in the triangle of the others: turned inside out at one point
 * alone */
static void dented(void **state) {
    GOS_UNUSED(state);
    bad b;
    begin(&b, "plane_stress", GOS_CELL_QUAD4);
    const int *node = b.mesh->block[0].node;
    b.mesh->x[node[0]][0] = 0.45;
    b.mesh->x[node[0]][1] = 0.9;
    fe_good(b.ctx, gos__fe_body_create(b.ctx, b.mesh, 1, b.part, &b.body));
    told(&b, gos__fe_body_mechanics(b.body), "cell 71 has no volume");
    end(&b);
    begin(&b, "solid", GOS_CELL_HEX8); // flat
    for (int i = 0; i < b.mesh->nnode; i++) {
        b.mesh->x[i][2] = 0;
    }
    fe_good(b.ctx, gos__fe_body_create(b.ctx, b.mesh, 1, b.part, &b.body));
    told(&b, gos__fe_body_mechanics(b.body), "cell 71 has no volume");
    end(&b);
}

static void parts(void **state) {
    GOS_UNUSED(state);
    bad b;
    const int both[2] = {0, 1}, last[1] = {1};
    begin(&b, "solid", GOS_CELL_QUAD4); // nothing of its dimension, or named: another shape
    b.part[0].cell = both;
    b.part[0].n = 2;
    told(&b, gos__fe_body_create(b.ctx, b.mesh, 1, b.part, &b.body),
         "cell 71 is a quad4, which solid does not support");
    end(&b);
    begin(&b, "plane_stress", GOS_CELL_QUAD4);
    b.part[1].cell = last;
    b.part[1].n = 1;
    told(&b, gos__fe_body_create(b.ctx, b.mesh, 2, b.part, &b.body),
         "cell 72 already has a material");
    end(&b);
    begin(&b, "plane_stress", GOS_CELL_QUAD4);
    b.mesh->x[b.mesh->block[0].node[2]][2] = 0.1;
    told(&b, gos__fe_body_create(b.ctx, b.mesh, 1, b.part, &b.body), "is not in the plane z = 0");
    end(&b);
    begin(&b, "shell", GOS_CELL_QUAD4);
    b.part[0].thickness = (double)NAN;
    told(&b, gos__fe_body_create(b.ctx, b.mesh, 1, b.part, &b.body),
         "shell needs a thickness greater than 0");
    told(&b, GOS_E_INPUT, "model.yaml:5");
    end(&b);
    begin(&b, "axisymmetric", GOS_CELL_QUAD4); // over the axis
    for (int i = 0; i < b.mesh->nnode; i++) {
        b.mesh->x[i][0] -= 0.3;
    }
    fe_good(b.ctx, gos__fe_body_create(b.ctx, b.mesh, 1, b.part, &b.body));
    told(&b, gos__fe_body_mechanics(b.body), "cell 71 has no volume");
    end(&b);
    assert_null(gos__fe_element("brick"));
}

static void materials(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_fe_material m = {0};
    static const double bad_nu[4] = {0.5, -1, (double)NAN, 0.7};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(gos__fe_isotropic(ctx, (gos_loc){0}, "material 'a'", 1, bad_nu[k], &m),
                         GOS_E_INPUT);
    }
    assert_int_equal(gos__fe_isotropic(ctx, (gos_loc){0}, NULL, -1, 0.3, &m), GOS_E_INPUT);
    const double E[3] = {1, 1, 1}, G[3] = {1, 1, 1}, nu[3] = {0.9, 0.1, -0.9};
    assert_int_equal(gos__fe_orthotropic(ctx, (gos_loc){0}, NULL, E, nu, G, &m), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "strain energy is not positive"));
    // isotropic: Lame's constants
    fe_good(ctx, gos__fe_isotropic(ctx, (gos_loc){0}, NULL, 2.6, 0.3, &m));
    const double lambda = 2.6 * 0.3 / (1.3 * 0.4), mu = 1;
    for (int k = 0; k < 36; k++) {
        const int i = k / 6, j = k % 6;
        const double exact = i < 3 && j < 3 ? lambda + (i == j ? 2 * mu : 0) : i == j ? mu : 0;
        assert_true(fabs(m.stiffness[i][j] - exact) < 1e-14);
    }
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(inside_out), cmocka_unit_test(dented),
                                       cmocka_unit_test(parts), cmocka_unit_test(materials)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
