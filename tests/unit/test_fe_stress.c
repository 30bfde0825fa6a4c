/* Stresses and strains of every element with every shape: constant ones of linear displacements,
   those of temperatures, as fields and as linear functions; one material beside another;
   invariants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fe/recovery.h"
#include "support/fe_patch.h"
#include "support/suite.h"
#include "support/verify.h"

#define EXACT 1e-12

static const double slope[3][3] = {{0.3, 0.5, -0.2}, {-0.1, 0.7, 0.4}, {0.6, 0.2, -0.5}};

static bool thin(const gos_fe_element *e) {
    return strncmp(e->name, "plane_stress", 12) == 0;
}

/* stress and all six strains of slope at the temperature theta */
static void expected(const patch *p, double theta, double stress[6], double strain[6]) {
    const gos_fe_element *e = p->part.element;
    double F[3][3];
    gos_fe_material m;
    memcpy(F, slope, sizeof F);
    gos__fe_part_material(&p->part, 0, &m);
    const double full[6] = {F[0][0],           F[1][1],           F[2][2],
                            F[0][1] + F[1][0], F[1][2] + F[2][1], F[2][0] + F[0][2]};
    memcpy(strain, full, sizeof full);
    if (e->dim == 2) {
        strain[2] = p->ring ? F[0][0] : 0;
        strain[4] = strain[5] = 0;
    }
    gos_fe_material flat = m;
    if (thin(e)) {
        gos__fe_material_thin(&flat);
    }
    for (int a = 0; a < 6; a++) {
        stress[a] = 0;
        for (int b = 0; b < 6; b++) {
            stress[a] += flat.stiffness[a][b] * (strain[b] - m.expansion[b] * theta);
        }
    }
    if (thin(e)) { // axes turned about z alone: zz by the others
        double s = m.expansion[2] * theta;
        for (int b = 0; b < 4; b++) {
            s -= b == 2
                     ? 0
                     : m.stiffness[2][b] * (strain[b] - m.expansion[b] * theta) / m.stiffness[2][2];
        }
        strain[2] = s;
    }
}

static void constant_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    double F[3][3], stress[6], strain[6], worst[2] = {0, 0};
    begin(&p, e, shape, crooked);
    memcpy(F, slope, sizeof F);
    if (p.ring) {
        F[0][1] = 0; // no hoop strain y / r
        F[1][0] = slope[0][1] + slope[1][0];
    }
    const int nn = p.mesh->nnode, nt = p.body->temperature.n;
    double *u = linear(&p, F), *t = malloc(sizeof *t * (size_t)nt);
    double(*value)[6] = malloc(sizeof *value * (size_t)nn);
    int *count = malloc(sizeof *count * (size_t)nn);
    for (int i = 0; i < nt; i++) {
        t[i] = 7;
    }
    expected(&p, 7, stress, strain);
    for (int q = 0; q < 2; q++) {
        const gos_fe_recovery what = {.quantity = (gos_fe_quantity)q};
        fe_good(p.ctx, gos__fe_field(p.body, &what, u, t, value, count));
        for (int i = 0; i < nn; i++) {
            assert_true(count[i] > 0);
            for (int a = 0; a < 6; a++) {
                worst[q] = fmax(worst[q], fabs(value[i][a] - (q ? strain : stress)[a]));
            }
        }
        verify_below(label, worst[q], EXACT);
    }
    free(u);
    free(t);
    free(value);
    free(count);
    end(&p);
}

/* any displacements and temperatures: linear functions at nodes and points give what the field
 * gives */
static void functions_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    gos_fe_components c, at;
    begin(&p, e, shape, crooked);
    const int nn = p.mesh->nnode, n = p.body->freedom.n, nt = p.body->temperature.n;
    double *u = malloc(sizeof *u * (size_t)n), *t = malloc(sizeof *t * (size_t)nt);
    double(*value)[6] = malloc(sizeof *value * (size_t)nn), f[12], g[12], worst = 0;
    int *count = malloc(sizeof *count * (size_t)nn);
    const int node[2] = {0, 5};
    const gos_fe_recovery what = {
        .quantity = GOS_FE_STRESS, .material = &p.material, .thickness = p.part.thickness};
    for (int i = 0; i < n; i++) {
        u[i] = sin(1.0 + 3 * i);
    }
    for (int i = 0; i < nt; i++) {
        t[i] = cos(2.0 * i);
    }
    fe_good(p.ctx, gos__fe_field(p.body, &what, u, t, value, count));
    fe_good(p.ctx, gos__fe_components_at_nodes(p.body, &what, 2, node, &c));
    gos__sparse_apply_transposed(&c.by_u, u, f);
    gos__sparse_apply_transposed(&c.by_t, t, g);
    for (int a = 0; a < 12; a++) {
        worst = fmax(worst, fabs(f[a] + g[a] - value[node[a / 6]][a % 6]));
    }
    verify_below(label, worst, 1e-10);
    // node 0 is a corner of the first cell; where it is the only one, the point there is the same
    if (count[0] == 1) {
        double place[GOS_CELL_NODES][3];
        int k = 0;
        gos__shape_nodes(shape, place);
        while (p.mesh->block[0].node[k] != 0) {
            k++;
        }
        fe_good(p.ctx, gos__fe_components_at_point(p.body, &what, 0, place[k], &at));
        gos__sparse_apply_transposed(&at.by_u, u, f);
        gos__sparse_apply_transposed(&at.by_t, t, g);
        worst = 0;
        for (int a = 0; a < 6; a++) {
            worst = fmax(worst, fabs(f[a] + g[a] - value[0][a]));
        }
        verify_below(label, worst, 1e-10);
        gos__fe_components_free(p.ctx, &at);
    }
    gos__fe_components_free(p.ctx, &c);
    free(u);
    free(t);
    free(value);
    free(count);
    end(&p);
}

/* static equilibrium of internal functions: one element in pure bending is exact, sigma = -E kappa
 * y */
static void bending_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    if (!strstr(e->name, "incompatible") || strstr(e->name, "strain")) {
        return;
    }
    begin(&p, e, shape, NULL);
    p.part.axes = NULL;
    p.material = fe_isotropic(p.ctx, 3.0, 0.3, 1, 0, 1, 1);
    gos__fe_body_destroy(p.body);
    fe_good(p.ctx, gos__fe_body_create(p.ctx, p.mesh, 1, &p.part, &p.body));
    const int nn = p.mesh->nnode;
    double *u = calloc((size_t)p.body->freedom.n, sizeof *u), worst = 0;
    double(*value)[6] = malloc(sizeof *value * (size_t)nn);
    int *count = malloc(sizeof *count * (size_t)nn);
    for (int i = 0; i < nn;
         i++) { // u = -kappa x y, v = kappa (x^2 + nu (y^2 - z^2)) / 2, w = kappa nu y z
        const double *x = p.mesh->x[i], k = 0.2, nu = 0.3;
        const double by[3] = {-k * x[0] * x[1],
                              k / 2 * (x[0] * x[0] + nu * (x[1] * x[1] - x[2] * x[2])),
                              k * nu * x[1] * x[2]};
        for (int c = 0; c < e->dim; c++) {
            u[gos__fe_number(&p.body->freedom, i, c)] = by[c];
        }
    }
    const gos_fe_recovery what = {.quantity = GOS_FE_STRESS};
    fe_good(p.ctx, gos__fe_field(p.body, &what, u, NULL, value, count));
    for (int i = 0; i < nn; i++) {
        for (int a = 0; a < 6; a++) {
            const double exact = a == 0 ? -3.0 * 0.2 * p.mesh->x[i][1] : 0;
            worst = fmax(worst, fabs(value[i][a] - exact));
        }
    }
    verify_below(label, worst, EXACT);
    free(u);
    free(value);
    free(count);
    end(&p);
}

static void constant(void **state) {
    GOS_UNUSED(state);
    for_each(constant_each);
}
static void functions(void **state) {
    GOS_UNUSED(state);
    for_each(functions_each);
}
static void bending(void **state) {
    GOS_UNUSED(state);
    for_each(bending_each);
}

/* two materials beside each other: at the nodes between them each has its own stress; elsewhere it
 * is refused */
static void materials_apart(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    const int n[3] = {2, 1, 0}, first[1] = {0}, second[1] = {1};
    gos_mesh *mesh = fe_grid(ctx, GOS_CELL_QUAD4, n, NULL, true);
    gos_fe_material soft = fe_isotropic(ctx, 1, 0, 1, 0, 1, 1),
                    hard = fe_isotropic(ctx, 10, 0, 1, 0, 1, 1);
    const gos_fe_element *e = gos__fe_element("plane_stress");
    const gos_fe_part part[2] = {
        {.element = e, .n = 1, .cell = first, .material = &soft, .thickness = 1},
        {.element = e, .n = 1, .cell = second, .material = &hard, .thickness = 1}};
    gos_fe_body *body;
    fe_good(ctx, gos__fe_body_create(ctx, mesh, 2, part, &body));
    double *u = calloc((size_t)body->freedom.n, sizeof *u), value[6][6];
    int count[6];
    for (int i = 0; i < mesh->nnode; i++) {
        u[gos__fe_number(&body->freedom, i, 0)] = 0.1 * mesh->x[i][0];
    }
    gos_fe_recovery what = {.quantity = GOS_FE_STRESS, .material = &hard, .thickness = 1};
    fe_good(ctx, gos__fe_field(body, &what, u, NULL, value, count));
    assert_int_equal(count[0], 0);
    assert_int_equal(count[1], 1);
    verify_below("hard", fabs(value[1][0] - 1.0), 1e-14);
    what.material = NULL;
    fe_good(ctx, gos__fe_field(body, &what, u, NULL, value, count));
    verify_below("both", fabs(value[1][0] - 0.55), 1e-14);
    gos_fe_components c;
    what.material = &hard;
    assert_int_equal(gos__fe_components_at_nodes(body, &what, 1, (const int[1]){0}, &c),
                     GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "node 1 has no cell of that material"));
    gos__fe_components_free(ctx, &c);
    free(u);
    gos__fe_body_destroy(body);
    gos__mesh_destroy(mesh);
    gos_ctx_destroy(ctx);
}

static void invariants(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    const double pull[6] = {3, 0, 0, 0, 0, 0}, shear[6] = {0, 0, 0, 0, 2, 0};
    double w[3];
    verify_below("pull", fabs(gos__fe_mises(pull) - 3), 1e-15);
    verify_below("shear", fabs(gos__fe_mises(shear) - 2 * sqrt(3.0)), 1e-15);
    gos__fe_principal(GOS_FE_STRESS, shear, w);
    verify_below("principal stress", fabs(w[0] - 2) + fabs(w[1]) + fabs(w[2] + 2), 1e-14);
    gos__fe_principal(GOS_FE_STRAIN, shear, w);
    verify_below("principal strain", fabs(w[0] - 1) + fabs(w[1]) + fabs(w[2] + 1), 1e-14);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(constant), cmocka_unit_test(functions),
                                       cmocka_unit_test(bending), cmocka_unit_test(materials_apart),
                                       cmocka_unit_test(invariants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
