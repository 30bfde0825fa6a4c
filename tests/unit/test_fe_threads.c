/* Assembly of finite elements shared by threads: the digits of one thread, the same refusal, and
   nothing out of order (this program is also built with the thread sanitizer). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/fe_mesh.h"
#include "support/suite.h"

static void skewed(const double u[3], double x[3]) {
    x[0] = 2 * u[0] + 0.1 * u[1] * u[2];
    x[1] = u[1] + 0.05 * sin(3 * u[0]);
    x[2] = u[2] * (1 + 0.2 * u[0]);
}

static void arched(const double u[3], double x[3]) {
    x[0] = u[0];
    x[1] = sin(u[1]);
    x[2] = cos(u[1]);
}

typedef struct sample {
    const char *element;
    gos_cell_shape shape;
    int n[3];
    fe_place *place;
    bool layered; // with a layer on its cells
} sample;

typedef struct sums {
    gos_fe_body *body;
    gos_fe_heat heat;
} sums;

typedef struct made {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material;
    gos_fe_part part, layer;
} made;

static void open(const sample *s, int threads, made *m) {
    *m = (made){.ctx = gos_ctx_create()};
    fe_good(m->ctx, gos_ctx_set_threads(m->ctx, threads));
    m->material = fe_isotropic(m->ctx, 3.0, 0.3, 2.0, 0.01, 1.3, 1.9);
    m->mesh = fe_grid(m->ctx, s->shape, s->n, s->place, true);
    m->part = (gos_fe_part){
        .element = gos__fe_element(s->element), .material = &m->material, .thickness = 0.02};
    m->layer = m->part;
    m->layer.offset = 0.02;
    m->layer.follows = true;
}

static void close(made *m) {
    gos__mesh_destroy(m->mesh);
    gos_ctx_destroy(m->ctx);
}

static void sum(const sample *s, made *m, sums *to) {
    int *cell = calloc((size_t)m->mesh->ncell, sizeof *cell);
    assert_non_null(cell);
    for (int i = 0; i < m->mesh->ncell; i++) {
        cell[i] = i;
    }
    m->layer.cell = cell;
    m->layer.n = m->mesh->ncell;
    fe_good(m->ctx, gos__fe_body_create(m->ctx, m->mesh, 1, &m->part, &to->body));
    gos__fe_body_layers(to->body, s->layered, &m->layer);
    fe_good(m->ctx, gos__fe_body_mechanics(to->body));
    fe_good(m->ctx, gos__fe_body_heat(to->body, &to->heat));
    free(cell);
}

static void drop(made *m, sums *s) {
    gos__fe_heat_free(m->ctx, &s->heat);
    gos__fe_body_destroy(s->body);
    close(m);
}

static void same(const gos_sparse *a, const gos_sparse *b) {
    assert_int_equal(a->nnz, b->nnz);
    assert_memory_equal(a->x, b->x, (size_t)a->nnz * sizeof *a->x);
}

static const sample samples[] = {{"solid", GOS_CELL_HEX8, {14, 9, 9}, skewed, false},
                                 {"solid", GOS_CELL_TET10, {8, 6, 6}, skewed, false},
                                 {"shell", GOS_CELL_QUAD4, {37, 31, 0}, arched, true},
                                 {"shell", GOS_CELL_QUAD4, {37, 31, 0}, arched, false}};

static void test_digits(void **state) {
    (void)state;
    for (int i = 0; i < GOS_COUNT(samples); i++) {
        made one, many;
        sums want, have;
        open(&samples[i], 1, &one);
        assert_true(one.mesh->ncell > 1000); // fewer are not shared
        sum(&samples[i], &one, &want);
        for (int threads = 2; threads <= 5; threads += 1 + (threads == 3)) {
            open(&samples[i], threads, &many);
            sum(&samples[i], &many, &have);
            same(&have.body->K, &want.body->K);
            same(&have.body->mass, &want.body->mass);
            same(&have.body->rotary, &want.body->rotary);
            same(&have.body->moment, &want.body->moment);
            same(&have.heat.C, &want.heat.C);
            same(&have.heat.K, &want.heat.K);
            same(&have.heat.couple, &want.heat.couple);
            assert_true(have.body->across == want.body->across);
            drop(&many, &have);
        }
        drop(&one, &want);
    }
}

/* cells that are turned inside out, far from each other: the first one is named by any number of
 * threads */
static void test_refused(void **state) {
    char first[400] = "";
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        made m;
        gos_fe_body *body = NULL;
        open(&samples[0], threads, &m);
        for (int k = 0; k < 2; k++) { // corners 0 and 6 change places
            int *node = m.mesh->block[0].node + (size_t)8 * (size_t)(k == 0 ? 1003 : 205);
            const int kept = node[0];
            node[0] = node[6];
            node[6] = kept;
        }
        fe_good(m.ctx, gos__fe_body_create(m.ctx, m.mesh, 1, &m.part, &body));
        assert_int_equal(gos__fe_body_mechanics(body), GOS_E_INPUT);
        if (threads == 1) {
            snprintf(first, sizeof first, "%s", gos_ctx_message(m.ctx));
            assert_non_null(strstr(first, "inverted"));
        }
        assert_string_equal(gos_ctx_message(m.ctx), first);
        gos__fe_body_destroy(body);
        close(&m);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_digits),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
