/* Every element with every shape that it takes, on distorted cells: rigid motions, constant strain
   and stress, uniform and constant flux of heat, free expansion, what temperatures do to forces,
   masses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/fe_patch.h"
#include "support/stress_work.h"
#include "support/suite.h"
#include "support/verify.h"

#define PATCH 1e-12

static void strain_of(const patch *p, double F[3][3], double e[6]) {
    const double full[6] = {F[0][0],           F[1][1],           F[2][2],
                            F[0][1] + F[1][0], F[1][2] + F[2][1], F[2][0] + F[0][2]};
    memcpy(e, full, sizeof full);
    if (p->ring) {
        e[2] = F[0][0];
        e[3] = F[0][1] + F[1][0];
    }
    if (p->part.element->dim == 2) {
        e[2] = p->ring ? e[2] : 0;
        e[4] = e[5] = 0;
    }
}

/* material as the element has it, in axes of the mesh */
static void law(const patch *p, double H[6][6], double stress[6]) {
    gos_fe_material m;
    gos__fe_part_material(&p->part, 0, &m);
    if (strncmp(p->part.element->name, "plane_stress", 12) == 0) {
        gos__fe_material_thin(&m);
    }
    memcpy(H, m.stiffness, sizeof m.stiffness);
    for (int a = 0; a < 6; a++) {
        stress[a] = 0;
        for (int b = 0; b < 6; b++) {
            stress[a] += H[a][b] * m.expansion[b];
        }
    }
}

/* nodes of the boundary */
static bool *boundary(const patch *p) {
    bool *on = calloc((size_t)p->mesh->nnode, sizeof *on);
    const gos_mesh_surface *skin = gos__mesh_surface(p->mesh, "skin");
    for (int i = 0; i < skin->n; i++) {
        int node[GOS_CELL_SIDE_NODES];
        const int n = gos__mesh_side(p->mesh, skin->cell[i], skin->side[i], node);
        for (int k = 0; k < n; k++) {
            on[node[k]] = true;
        }
    }
    return on;
}

/* ---- what holds for each --------------------------------------------------------------------- */

/* no force: translations and rotations; of rings along the axis */
static void rigid_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    begin(&p, e, shape, crooked);
    const int n = p.body->freedom.n;
    double *f = malloc(sizeof *f * (size_t)n), worst = 0;
    const double scale = gos__sparse_largest(&p.body->K);
    for (int k = 0; k < 6; k++) {
        double F[3][3] = {{0}};
        if (k >= 3) {
            F[(k + 1) % 3][(k + 2) % 3] = 1;
            F[(k + 2) % 3][(k + 1) % 3] = -1;
        }
        double *u = linear(&p, F);
        for (int i = 0; i < p.mesh->nnode && k < 3; i++) {
            const int row = gos__fe_number(&p.body->freedom, i, k);
            if (row >= 0) {
                u[row] = 1;
            }
        }
        fe_apply(&p.body->K, u, f);
        const bool rigid = p.ring ? k == 1 : e->dim == 3 || k < 2 || k == 5;
        worst = rigid ? fmax(worst, fe_largest(n, f) / scale) : worst;
        free(u);
    }
    verify_below(label, worst, PATCH);
    free(f);
    end(&p);
}

/* constant strain: no force inside, energy of the whole */
static void strain_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    double F[3][3] = {{0.3, 0.5, -0.2}, {-0.1, 0.7, 0.4}, {0.6, 0.2, -0.5}}, strain[6];
    double H[6][6], stress[6], energy = 0;
    begin(&p, e, shape, crooked);
    if (p.ring) {
        F[0][1] = F[1][0] = 0; // a shear that is uniform is none in balance
    }
    const int n = p.body->freedom.n;
    double *u = linear(&p, F), *f = malloc(sizeof *f * (size_t)n), worst = 0;
    bool *on = boundary(&p);
    fe_apply(&p.body->K, u, f);
    strain_of(&p, F, strain);
    law(&p, H, stress);
    for (int a = 0; a < 36; a++) {
        energy += strain[a / 6] * H[a / 6][a % 6] * strain[a % 6] * p.volume;
    }
    int inside = 0;
    for (int i = 0; i < p.mesh->nnode; i++) {
        for (int c = 0; c < 3 && !on[i]; c++) {
            const int row = gos__fe_number(&p.body->freedom, i, c);
            // of rings the hoop stress pulls inwards, unless it is that of the radius
            if (row >= 0 && !(p.ring && c == 0)) {
                worst = fmax(worst, fabs(f[row]) / fe_largest(n, f));
                inside++;
            }
        }
    }
    assert_true(inside > 0);
    verify_below(label, worst, PATCH);
    verify_below(label, fabs(fe_dot(n, u, f) / energy - 1), PATCH);
    free(u);
    free(f);
    free(on);
    end(&p);
}

/* uniform temperature of the free body: u = alpha theta x without force */
static void expansion_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    gos_fe_material m;
    begin(&p, e, shape, crooked);
    gos__fe_part_material(&p.part, 0, &m);
    const double *a = m.expansion;
    double F[3][3] = {
        {a[0], a[3] / 2, a[5] / 2}, {a[3] / 2, a[1], a[4] / 2}, {a[5] / 2, a[4] / 2, a[2]}};
    const int n = p.body->freedom.n, nt = p.body->temperature.n;
    double *f = malloc(sizeof *f * (size_t)n), *g = malloc(sizeof *g * (size_t)n);
    double *one = malloc(sizeof *one * (size_t)nt);
    for (int i = 0; i < nt; i++) {
        one[i] = 1;
    }
    if (strncmp(e->name, "plane_strain", 12) == 0) { // what is held across the plane presses in it
        double H[6][6], stress[6], more[2][2];
        law(&p, H, stress);
        // solve H e = stress for xx, yy, xy
        double A[3][4] = {{H[0][0], H[0][1], H[0][3], stress[0]},
                          {H[1][0], H[1][1], H[1][3], stress[1]},
                          {H[3][0], H[3][1], H[3][3], stress[3]}};
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++) {
                const double by = A[i][k] / A[k][k];
                for (int j = k; j < 4 && i != k; j++) {
                    A[i][j] -= by * A[k][j];
                }
            }
        }
        more[0][0] = A[0][3] / A[0][0];
        more[1][1] = A[1][3] / A[1][1];
        more[0][1] = more[1][0] = A[2][3] / A[2][2] / 2;
        for (int k = 0; k < 4; k++) {
            F[k / 2][k % 2] = more[k / 2][k % 2];
        }
    }
    double *u = linear(&p, F), worst = 0;
    fe_apply(&p.body->K, u, f);
    fe_apply(&p.heat.couple, one, g);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(f[i] - g[i]));
    }
    verify_below(label, worst / fe_largest(n, g), PATCH);
    free(u);
    free(f);
    free(g);
    free(one);
    end(&p);
}

/* constant flux: no heat inside, dissipation of the whole; and the heat of a unit of temperature */
static void flux_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    gos_fe_material m;
    begin(&p, e, shape, crooked);
    gos__fe_part_material(&p.part, 0, &m);
    const double slope[3] = {p.ring ? 0 : 0.7, -0.4, e->dim == 3 ? 0.5 : 0};
    const int nt = p.body->temperature.n;
    double *T = malloc(sizeof *T * (size_t)nt), *f = malloc(sizeof *f * (size_t)nt), power = 0;
    double *one = malloc(sizeof *one * (size_t)nt), worst = 0;
    bool *on = boundary(&p);
    for (int i = 0; i < p.mesh->nnode; i++) {
        const int t = gos__fe_number(&p.body->temperature, i, 0);
        T[t] = fe_dot(3, slope, p.mesh->x[i]);
        one[t] = 1;
    }
    fe_apply(&p.heat.K, T, f);
    for (int i = 0; i < p.mesh->nnode; i++) {
        const int t = gos__fe_number(&p.body->temperature, i, 0);
        worst = on[i] ? worst : fmax(worst, fabs(f[t]) / fe_largest(nt, f));
    }
    for (int a = 0; a < 9; a++) {
        power += slope[a / 3] * m.conductivity[a / 3][a % 3] * slope[a % 3] * p.volume;
    }
    verify_below(label, worst, PATCH);
    verify_below(label, fabs(fe_dot(nt, T, f) / power - 1), PATCH);
    fe_apply(&p.heat.K, one, f);
    verify_below(label, fe_largest(nt, f) / gos__sparse_largest(&p.heat.K), PATCH);
    fe_apply(&p.heat.C, one, f);
    verify_below(label, fabs(volume_of(p.body, f, &p) / p.volume - 1), PATCH);
    free(T);
    free(f);
    free(one);
    free(on);
    end(&p);
}

/* work of uneven temperatures on constant strain: stress : strain int N, the last from the
   capacity */
static void couple_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    double F[3][3] = {{0.3, 0.5, -0.2}, {-0.1, 0.7, 0.4}, {0.6, 0.2, -0.5}}, strain[6];
    double H[6][6], stress[6], work = 0;
    begin(&p, e, shape, leaning);
    const int nt = p.body->temperature.n;
    double *u = linear(&p, F), *one = malloc(sizeof *one * (size_t)nt), worst = 0;
    double *f = malloc(sizeof *f * (size_t)nt), *g = malloc(sizeof *g * (size_t)nt);
    for (int i = 0; i < nt; i++) {
        one[i] = 1;
    }
    if (p.ring) {
        F[0][1] = 0; // of a hoop strain F01 y / r
        free(u);
        u = linear(&p, F);
    }
    strain_of(&p, F, strain);
    law(&p, H, stress);
    for (int a = 0; a < 6; a++) {
        work += stress[a] * strain[a] / (p.material.density * p.material.heat);
    }
    gos__sparse_apply_transposed(&p.heat.couple, u, f);
    fe_apply(&p.heat.C, one, g);
    for (int i = 0; i < nt; i++) {
        worst = fmax(worst, fabs(f[i] - work * g[i]));
    }
    verify_below(label, worst / fe_largest(nt, f), PATCH);
    free(u);
    free(one);
    free(f);
    free(g);
    end(&p);
}

/* mass, its first and second moments against those of the box, in M and in the Gram matrix */
static void mass_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    gos_flex *flex;
    begin(&p, e, shape, crooked);
    if (p.ring) {
        assert_int_equal(gos__fe_body_flex(p.body, &flex), GOS_E_INPUT);
        assert_non_null(strstr(gos_ctx_message(p.ctx), "axisymmetric"));
        gos_ctx_clear(p.ctx);
        end(&p);
        return;
    }
    const double m = p.material.density * p.volume, *x;
    const double lo[3] = {0.4, -0.2, e->dim == 3 ? 0 : -0.15},
                 hi[3] = {1.9, 0.8, e->dim == 3 ? 0.8 : 0.15};
    double R[4][4], worst = 0;
    fe_good(p.ctx, gos__fe_body_flex(p.body, &flex));
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            const double sa = a ? (lo[a - 1] + hi[a - 1]) / 2 : 1,
                         sb = b ? (lo[b - 1] + hi[b - 1]) / 2 : 1;
            R[a][b] = m * sa * sb;
            if (a == b && a > 0) {
                const double w = hi[a - 1] - lo[a - 1];
                R[a][b] += m * w * w / 12;
            }
        }
    }
    const gos_sparse *G = &flex->gram;
    double got[4][4] = {{0}};
    for (int j = 0; j < 4; j++) {
        for (int k = G->p[j]; k < G->p[j + 1] && G->i[k] < 4; k++) {
            got[G->i[k]][j] = G->x[k];
        }
    }
    for (int a = 0; a < 16; a++) {
        worst = fmax(worst, fabs(got[a / 4][a % 4] - R[a / 4][a % 4]) / m);
    }
    verify_below(label, worst, PATCH);
    // linear displacements: the same integrals by the shapes, and by M
    double F[3][3] = {{0.3, 0.5, -0.2}, {-0.1, 0.7, 0.4}, {0.6, 0.2, -0.5}};
    double *u = linear(&p, F), *f = malloc(sizeof *f * (size_t)p.body->freedom.n), exact = 0,
           by = 0;
    fe_apply(&p.M, u, f);
    for (int c = 0; c < e->dim; c++) {
        for (int ab = 0; ab < 9; ab++) {
            const bool flat = e->dim == 2 && (ab / 3 == 2 || ab % 3 == 2);
            exact += flat ? 0 : F[c][ab / 3] * F[c][ab % 3] * R[1 + ab / 3][1 + ab % 3];
        }
    }
    verify_below(label, fabs(fe_dot(p.body->freedom.n, u, f) / exact - 1), PATCH);
    // int rho X_y u_x = F_xd int rho X_y X_d
    x = u;
    for (int k = 0; k < p.body->freedom.n; k++) {
        const int column = gos__flex_at(k, 0);
        for (int q = G->p[column]; q < G->p[column + 1]; q++) {
            by += G->i[q] == 2 ? G->x[q] * x[k] : 0;
        }
    }
    exact = F[0][0] * R[2][1] + F[0][1] * R[2][2] + (e->dim == 3 ? F[0][2] * R[2][3] : 0);
    verify_below(label, fabs(by / exact - 1), PATCH);
    assert_int_equal(flex->nnode, p.mesh->nnode);
    assert_int_equal(flex->move.nnz, p.body->freedom.n);
    free(u);
    free(f);
    gos__flex_destroy(flex);
    end(&p);
}

static void rigid(void **state) {
    GOS_UNUSED(state);
    for_each(rigid_each);
}
static void strain(void **state) {
    GOS_UNUSED(state);
    for_each(strain_each);
}
static void expansion(void **state) {
    GOS_UNUSED(state);
    for_each(expansion_each);
}
static void flux(void **state) {
    GOS_UNUSED(state);
    for_each(flux_each);
}
static void couple(void **state) {
    GOS_UNUSED(state);
    for_each(couple_each);
}
static void mass(void **state) {
    GOS_UNUSED(state);
    for_each(mass_each);
}

/* what any stress does between a few motions, by its derivatives, is what the matrices of the body
 * say */
static void stress_each(const gos_fe_element *e, gos_cell_shape shape, const char *label) {
    patch p;
    begin(&p, e, shape, crooked);
    check_stress_work(p.body, &p.heat.couple, NULL, !e->ring, label);
    end(&p);
}

static void stress_work(void **state) {
    GOS_UNUSED(state);
    for_each(stress_each);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rigid),      cmocka_unit_test(strain),
                                       cmocka_unit_test(expansion),  cmocka_unit_test(flux),
                                       cmocka_unit_test(couple),     cmocka_unit_test(mass),
                                       cmocka_unit_test(stress_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
