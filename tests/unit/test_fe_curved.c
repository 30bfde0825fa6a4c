/* Patch test on curved cells: a uniform strain makes no forces on nodes inside. What the forces are
   integrals of are products of derivatives of the map, by polynomials: exact at the points of
   hex20; of degree 3 on tet10, whose four points are exact to degree 2, so that the forces are
   those of the square of the curvature, and fall with it faster than the elements become small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/fe_patch.h"
#include "support/suite.h"
#include "support/verify.h"

static double bend; // how curved

static void curved(const double u[3], double x[3]) {
    x[0] = u[0] + bend * sin(4 * u[1] + u[0]);
    x[1] = u[1] - bend * sin(3 * u[2] - u[0]) * u[1];
    x[2] = u[2] + bend * cos(4 * u[0] + u[1] * u[2]);
}

static bool is_inside(const double x[3]) { // by its place in the cube
    return x[0] > 1e-9 && x[0] < 1 - 1e-9 && x[1] > 1e-9 && x[1] < 1 - 1e-9 && x[2] > 1e-9 &&
           x[2] < 1 - 1e-9;
}

/* largest force inside, over the largest of the boundary */
static double inner_force(gos_cell_shape shape, double how_curved) {
    const double F[3][3] = {{0.3, 0.5, -0.2}, {-0.1, 0.7, 0.4}, {0.6, 0.2, -0.5}};
    const int n[3] = {2, 3, 2};
    gos_ctx *ctx = gos_ctx_create();
    gos_fe_material m = fe_isotropic(ctx, 2, 0.3, 1, 0, 0, 0);
    const gos_fe_part part = {.element = gos__fe_element("solid"), .material = &m};
    gos_fe_body *b;
    double worst = 0;
    bend = how_curved;
    gos_mesh *mesh = fe_grid(ctx, shape, n, curved, false),
             *cube = fe_grid(ctx, shape, n, NULL, false);
    fe_good(ctx, gos__fe_body_create(ctx, mesh, 1, &part, &b));
    fe_good(ctx, gos__fe_body_mechanics(b));
    double *u = calloc((size_t)b->freedom.n, sizeof *u),
           *f = calloc((size_t)b->freedom.n, sizeof *f);
    for (int i = 0; i < 9 * mesh->nnode; i++) {
        u[gos__fe_number(&b->freedom, i / 9, i % 3)] +=
            F[i % 3][i / 3 % 3] * mesh->x[i / 9][i / 3 % 3];
    }
    fe_apply(&b->K, u, f);
    for (int i = 0; i < 3 * mesh->nnode; i++) {
        const double own = fabs(f[gos__fe_number(&b->freedom, i / 3, i % 3)]);
        worst = is_inside(cube->x[i / 3]) ? fmax(worst, own) : worst;
    }
    worst /= fe_largest(b->freedom.n, f);
    free(u);
    free(f);
    gos__fe_body_destroy(b);
    gos__mesh_destroy(mesh);
    gos__mesh_destroy(cube);
    gos_ctx_destroy(ctx);
    return worst;
}

static void patch_test(void **state) {
    GOS_UNUSED(state);
    verify_below("hex20, curved", inner_force(GOS_CELL_HEX20, 0.2), 1e-13);
    verify_below("tet10, straight", inner_force(GOS_CELL_TET10, 0), 1e-13);
    const double f[3] = {inner_force(GOS_CELL_TET10, 0.1), inner_force(GOS_CELL_TET10, 0.05),
                         inner_force(GOS_CELL_TET10, 0.025)};
    print_message("    tet10, curved: %.2e, %.2e, %.2e\n", f[0], f[1], f[2]);
    verify_below("tet10, curved", f[0], 3e-3);
    verify_within("order in the curvature", log2(f[1] / f[2]), 1.9, 2.1);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(patch_test)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
