/* Piezoelectric patches: free of rigid motion, the contour integral of flat ones, curved ones,
 * axes, heat. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fe/piezo.h"
#include "support/fe_mesh.h"
#include "support/near.h"
#include "support/suite.h"
#include "support/verify.h"

static void cross3(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        c[i] = a[p] * b[q] - a[q] * b[p];
    }
}

/* a warped cell in space with directors that differ */
static const double warped[4][3] = {{0, 0, 0}, {1.1, 0.1, 0.2}, {1.3, 0.9, 0.1}, {-0.1, 1.2, 0.15}};
static const double tips[4][3] = {{0.1, -0.2, 1}, {-0.1, -0.2, 1}, {0, 0.1, 1}, {0.15, 0, 1}};

static void cell(const double from[4][3], double x[4][3], double n[4][3]) {
    for (int k = 0; k < 4; k++) {
        const double size = sqrt(tips[k][0] * tips[k][0] + tips[k][1] * tips[k][1] + 1);
        for (int c = 0; c < 3; c++) {
            x[k][c] = from[k][c];
            n[k][c] = tips[k][c] / size;
        }
    }
}

static double charge(const gos_fe_patch_row *r, double (*u)[6]) {
    double sum = 0;
    for (int k = 0; k < 24; k++) {
        sum += r->force[k / 6][k % 6] * u[k / 6][k % 6];
    }
    return sum;
}

/* no charge by translations and by small rotations, on both faces of a warped cell */
static void test_rigid(void **state) {
    GOS_UNUSED(state);
    double x[4][3], n[4][3], u[4][6];
    cell(warped, x, n);
    for (int face = -1; face < 2; face += 2) {
        const gos_fe_patch p = {.face = face,
                                .thickness = 0.03,
                                .e = {-6.5, -4, 1.3},
                                .permittivity = 2,
                                .along = {0.3, 1, 0}};
        gos_fe_patch_row row;
        assert_int_equal(gos__fe_patch_row(x, n, 0.1, &p, &row), GOS_OK);
        for (int m = 0; m < 6; m++) {
            memset(u, 0, sizeof u);
            for (int k = 0; k < 4; k++) {
                if (m < 3) {
                    u[k][m] = 1;
                } else {
                    u[k][m] = 1;
                    cross3(u[k] + 3, x[k], u[k]);
                }
            }
            near_abs(charge(&row, u), 0, 1e-14);
        }
        near_abs(row.capacitance, 2 * row.area / 0.03, 1e-12);
    }
}

/* outward integral of theta_y n_x - theta_x n_y along the sides of the cell, by Simpson's rule,
   which is exact for bilinear rotations; and of u n_x + v n_y for the part in the plane
   (theory 2.4) */
static void contour(double (*x)[3], double (*u)[6], double *membrane, double *bending) {
    *membrane = *bending = 0;
    for (int k = 0; k < 4; k++) {
        const int l = (k + 1) % 4;
        const double nx = x[l][1] - x[k][1], ny = x[k][0] - x[l][0]; // times the length
        *membrane += nx * (u[k][0] + u[l][0]) / 2 + ny * (u[k][1] + u[l][1]) / 2;
        *bending += nx * (u[k][4] + u[l][4]) / 2 - ny * (u[k][3] + u[l][3]) / 2;
    }
}

/* flat cells of any shape: -e31 [membrane + zeta bending] */
static void test_contour(void **state) {
    GOS_UNUSED(state);
    const double flats[3][4][3] = {{{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.0929, 0}, {0, 0.0929, 0}},
                                   {{0, 0, 0}, {2, 0.3, 0}, {2.5, 1.3, 0}, {0.5, 1, 0}},
                                   {{0, 0, 0}, {2, -0.3, 0}, {1.5, 1.3, 0}, {0.1, 0.8, 0}}};
    const double h = 9e-4, hp = 4e-4, e = -6.5;
    for (int s = 0; s < 3; s++) {
        double x[4][3], n[4][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, u[4][6];
        memcpy(x, flats[s], sizeof x);
        for (int k = 0; k < 24; k++) {
            u[k / 6][k % 6] = sin(1 + 2.7 * k * (s + 1));
        }
        for (int face = -1; face < 2; face += 2) {
            const gos_fe_patch p = {
                .face = face, .thickness = hp, .e = {e, e, 0}, .permittivity = 1.3e-8};
            gos_fe_patch_row row;
            double membrane, bending;
            assert_int_equal(gos__fe_patch_row(x, n, h, &p, &row), GOS_OK);
            contour(x, u, &membrane, &bending);
            const double want = -e * (membrane + face * (h + hp) / 2 * bending);
            near_abs(charge(&row, u) / want, 1, 1e-13);
        }
    }
}

/* a stretch along the patch's axis 1 and one across it, a shear: each constant alone; turned by 30
 * degrees */
static void test_axes(void **state) {
    GOS_UNUSED(state);
    double x[4][3], n[4][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, u[4][6];
    const double a = M_PI / 6, A = 0.5 * 0.4;
    const double e1[3] = {cos(a), sin(a), 0}, e2[3] = {-sin(a), cos(a), 0};
    memcpy(x, (const double[4][3]){{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.4, 0}, {0, 0.4, 0}}, sizeof x);
    for (int which = 0; which < 3; which++) {
        gos_fe_patch p = {.face = 1, .thickness = 0.1, .along = {e1[0], e1[1], 7}};
        gos_fe_patch_row row;
        p.e[which] = 3;
        assert_int_equal(gos__fe_patch_row(x, n, 0.2, &p, &row), GOS_OK);
        for (int strain = 0; strain < 3; strain++) {
            memset(u, 0, sizeof u);
            for (int k = 0; k < 4; k++) {
                const double s = x[k][0] * e1[0] + x[k][1] * e1[1],
                             t = x[k][0] * e2[0] + x[k][1] * e2[1];
                for (int c = 0; c < 3; c++) {
                    u[k][c] = strain == 0 ? s * e1[c] : strain == 1 ? t * e2[c] : t * e1[c];
                }
            }
            near_abs(charge(&row, u), strain == which ? -3 * A : 0, 1e-14);
        }
    }
}

/* a cylinder that widens: hoop strain w / (R + zeta) on an area that is larger by (R + zeta) / R,
   the charge of both faces is the same, -e w A / R; an even warmth of 1 K makes -pyro times the
   area of each */
static void test_cylinder(void **state) {
    GOS_UNUSED(state);
    const double R = 0.5, w = 1e-3, h = 0.06, hp = 0.02, pyro = 2.5e-4;
    double last = 0;
    for (int m = 8; m <= 32; m *= 2) {
        const double a = M_PI / m;
        double worst = 0;
        for (int face = -1; face < 2; face += 2) {
            double x[4][3], n[4][3], u[4][6] = {{0}};
            for (int k = 0; k < 4; k++) {
                const double t = k == 0 || k == 3 ? -a / 2 : a / 2, z = k < 2 ? 0 : 0.3;
                memcpy(n[k], (const double[3]){cos(t), sin(t), 0}, sizeof n[k]);
                memcpy(x[k], (const double[3]){R * cos(t), R * sin(t), z}, sizeof x[k]);
                u[k][0] = w * cos(t);
                u[k][1] = w * sin(t);
            }
            const gos_fe_patch p = {
                .face = face, .thickness = hp, .e = {-6.5, -6.5, 0}, .pyro = pyro};
            gos_fe_patch_row row;
            assert_int_equal(gos__fe_patch_row(x, n, h, &p, &row), GOS_OK);
            const double area = R * a * 0.3, outer = area * (R + face * (h + hp) / 2) / R;
            worst = fmax(worst, fabs(charge(&row, u) / (6.5 * w * area / R) - 1));
            worst = fmax(worst, fabs(row.area / outer - 1));
            double heat = 0, gradient = 0;
            for (int k = 0; k < 4; k++) {
                heat += row.heat[k][0];
                gradient += row.heat[k][1];
            }
            near_abs(heat / (-pyro * row.area), 1, 1e-13);
            near_abs(gradient / (-pyro * row.area * face * (h + hp) / 2), 1, 1e-13);
        }
        if (last > 0) {
            near_abs(last / worst, 4, 0.2); // flat sides against arcs: second order
        }
        last = worst;
    }
    assert_true(last < 1e-3);
}

static void bent(const double u[3], double x[3]) {
    const double a = 0.9 * u[0];
    memcpy(x, (const double[3]){sin(a), u[1], 1 - cos(a)}, 3 * sizeof *x);
}

/* the matrix of a body has the rows of its patches, at the unknowns of their nodes; what is no cell
   of a shell is refused */
static void test_body(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_fe_material material = fe_isotropic(ctx, 3.0, 0.3, 2.0, 0.01, 1.3, 1.9);
    const int grid[3] = {3, 2, 0};
    gos_mesh *mesh = fe_grid(ctx, GOS_CELL_QUAD4, grid, bent, true);
    const gos_fe_part part = {
        .element = gos__fe_element("shell"), .material = &material, .thickness = 0.05};
    gos_fe_body *body = NULL;
    fe_good(ctx, gos__fe_body_create(ctx, mesh, 1, &part, &body));
    gos_fe_patch patch[2] = {{.cell = 4, .face = 1, .thickness = 0.01, .e = {-6, -6, 0}, .pyro = 1},
                             {.cell = 0, .face = -1, .thickness = 0.02, .e = {2, 1, 0}, .pyro = 3}};
    for (int i = 0; i < 2; i++) {
        patch[i].permittivity = 1e-8;
        patch[i].along[1] = 1;
    }
    gos_sparse force, heat;
    double capacitance[2];
    fe_good(ctx, gos__fe_patches(body, 2, patch, &force, &heat, capacitance));
    assert_int_equal(force.m, body->freedom.n);
    assert_int_equal(heat.n, body->temperature.n);
    for (int i = 0; i < 2; i++) {
        double x[4][3], n[4][3];
        const int *node = mesh->block[0].node + 4 * patch[i].cell;
        for (int k = 0; k < 4; k++) {
            memcpy(x[k], mesh->x[node[k]], sizeof x[k]);
        }
        gos__fe_cell_directors(body, 4, node, n);
        gos_fe_patch_row row;
        assert_int_equal(gos__fe_patch_row(x, n, 0.05, &patch[i], &row), GOS_OK);
        near_abs(capacitance[i], row.capacitance, 1e-20);
        double sum = 0, all = 0;
        for (int k = 0; k < 24; k++) {
            const int at = gos__fe_number(&body->freedom, node[k / 6], k % 6);
            const double want = row.force[k / 6][k % 6];
            double found = 0;
            for (int e = force.p[i]; e < force.p[i + 1]; e++) {
                found = force.i[e] == at ? force.x[e] : found;
            }
            near_abs(found, want, 1e-16);
            sum += fabs(want);
        }
        for (int e = force.p[i]; e < force.p[i + 1]; e++) {
            all += fabs(force.x[e]);
        }
        near_abs(sum, all, 1e-14);
        for (int k = 0; k < 8; k++) {
            const int at = gos__fe_number(&body->temperature, node[k / 2], k % 2);
            double found = 0;
            for (int e = heat.p[at]; e < heat.p[at + 1]; e++) {
                found = heat.i[e] == i ? heat.x[e] : found;
            }
            near_abs(found, row.heat[k / 2][k % 2], 1e-16);
        }
    }
    gos__sparse_free(ctx, &force);
    gos__sparse_free(ctx, &heat);
    patch[1].cell = 6;
    assert_int_equal(gos__fe_patches(body, 2, patch, &force, NULL, NULL), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "patch 2: there is no cell"));
    gos_ctx_clear(ctx);
    patch[1].cell = 0;
    patch[1].thickness = 0;
    assert_int_equal(gos__fe_patches(body, 2, patch, &force, NULL, NULL), GOS_E_INPUT);
    assert_non_null(strstr(gos_ctx_message(ctx), "thickness"));
    gos__fe_body_destroy(body);
    gos__mesh_destroy(mesh);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid), cmocka_unit_test(test_contour),
        cmocka_unit_test(test_axes),  cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
