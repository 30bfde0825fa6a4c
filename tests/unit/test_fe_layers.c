/* Layers on shells: with layers of its own material a shell is a thicker one, around another
 * middle; moments of mass; rigid motions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fe/mesh_body.h"
#include "support/fe_mesh.h"
#include "support/stress_work.h"
#include "support/suite.h"

#define H 0.05   // of the shell
#define UP 0.02  // of the layer above it ...
#define LOW 0.03 // ... and below

static double lift; // of the plane of the mesh

static void skewed(const double u[3], double x[3]) {
    x[0] = 1.3 * u[0] + 0.2 * u[1] + 0.1 * u[0] * u[1];
    x[1] = 0.9 * u[1] - 0.1 * u[0] + 0.15 * u[0] * u[1];
    x[2] = lift;
}

static void bent(const double u[3], double x[3]) {
    const double a = 0.9 * u[0];
    x[0] = sin(a);
    x[1] = u[1] + 0.2 * u[0];
    x[2] = 1 - cos(a);
}

/* a shell and what lies on it */
typedef struct made {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material[2];
    gos_fe_part part, layer[2];
    gos_fe_body *body;
    gos_fe_heat heat;
} made;

static void make(made *m, fe_place *place, double h, double up, double low, double E) {
    const int grid[3] = {3, 2, 0};
    *m = (made){.ctx = gos_ctx_create()};
    m->material[0] = fe_isotropic(m->ctx, 3.0, 0.3, 2.0, 0.01, 1.3, 1.9);
    m->material[1] = fe_isotropic(m->ctx, E, 0.3, E, 0.01, 1.3, 1.9); // the density is E 2 / 3, too
    m->material[1].density = 2.0 * E / 3;
    m->mesh = fe_grid(m->ctx, GOS_CELL_QUAD4, grid, place, true);
    m->part = (gos_fe_part){
        .element = gos__fe_element("shell"), .material = &m->material[0], .thickness = h};
    static const int cells[6] = {5, 4, 3, 2, 1, 0};
    const double thick[2] = {up, low};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        if (thick[i] > 0) {
            m->layer[n++] = (gos_fe_part){.element = m->part.element,
                                          .n = 6,
                                          .cell = cells,
                                          .material = &m->material[1],
                                          .thickness = thick[i],
                                          .offset = (1 - 2 * i) * (h + thick[i]) / 2,
                                          .follows = true};
        }
    }
    fe_good(m->ctx, gos__fe_body_create(m->ctx, m->mesh, 1, &m->part, &m->body));
    gos__fe_body_layers(m->body, n, m->layer);
    fe_good(m->ctx, gos__fe_body_mechanics(m->body));
    fe_good(m->ctx, gos__fe_body_heat(m->body, &m->heat));
}

static void drop(made *m) {
    gos__fe_heat_free(m->ctx, &m->heat);
    gos__fe_body_destroy(m->body);
    gos__mesh_destroy(m->mesh);
    gos_ctx_destroy(m->ctx);
}

enum { NODES = 12, U = 6 * NODES, T = 2 * NODES };

static double *times(const made *m, const gos_sparse *A, const double *x) {
    double *y = calloc((size_t)A->m, sizeof *y);
    assert_non_null(y);
    gos__sparse_apply(A, 1, x, y);
    GOS_UNUSED(m);
    return y;
}

/* values of a field of any deflection, and (in the plane) one without a difference between the
   rotation about the normal and that of any layer: membrane strain is constant, and theta_x,x +
   theta_y,y = 0 */
static void field(const made *m, double o, double *u) {
    for (int k = 0; k < NODES; k++) {
        const double x = m->mesh->x[k][0], y = m->mesh->x[k][1];
        const double theta[2] = {0.3 * x + 0.7 * y, 0.4 * x - 0.3 * y};
        u[6 * k] = 0.11 * x + 0.25 * y + o * theta[1];
        u[6 * k + 1] = -0.05 * x + 0.17 * y - o * theta[0];
        u[6 * k + 2] = sin(1 + 2.7 * k);
        u[6 * k + 3] = theta[0];
        u[6 * k + 4] = theta[1];
        u[6 * k + 5] = (-0.05 - 0.25) / 2;
    }
}

/* forces on the middle of the thick shell as those on the middle of the other one */
static void move_forces(double o, double *f) {
    for (int k = 0; k < NODES; k++) {
        f[6 * k + 3] -= o * f[6 * k + 1];
        f[6 * k + 4] += o * f[6 * k];
    }
}

static void alike(const char *what, int n, const double *a, const double *b, bool turns) {
    double size = 0, off = 0;
    for (int i = 0; i < n; i++) {
        if (turns || i % 6 != 5) { // what stands for inertia about the normal is another amount
            size = fmax(size, fabs(a[i]));
            off = fmax(off, fabs(a[i] - b[i]));
        }
    }
    print_message("    %s: %.1e\n", what, off / size);
    assert_true(size > 1e-6 && off <= 1e-12 * size);
}

static void compare_moves(const made *thin, const made *thick, double o) {
    double u[U], v[U];
    field(thin, 0, u);
    field(thin, o, v);
    gos_sparse M[2], G[2];
    double t[T], s[T];
    for (int k = 0; k < NODES; k++) {
        t[2 * k] = 0.3 * sin(k);
        t[2 * k + 1] = 5 * cos(1 + k);
        s[2 * k] = t[2 * k] + o * t[2 * k + 1];
        s[2 * k + 1] = t[2 * k + 1];
    }
    fe_good(thin->ctx, gos__fe_body_mass(thin->body, &M[0]));
    fe_good(thick->ctx, gos__fe_body_mass(thick->body, &M[1]));
    fe_good(thin->ctx, gos__fe_body_stress_stiffness(thin->body, u, t, &G[0]));
    fe_good(thick->ctx, gos__fe_body_stress_stiffness(thick->body, v, s, &G[1]));
    const gos_sparse *pairs[3][2] = {
        {&thin->body->K, &thick->body->K}, {&M[0], &M[1]}, {&G[0], &G[1]}};
    static const char *const names[] = {"stiffness", "mass", "stiffness of the stress"};
    for (int i = 0; i < 3; i++) {
        double *f = times(thin, pairs[i][0], u), *g = times(thick, pairs[i][1], v);
        move_forces(o, g);
        alike(names[i], U, f, g, false);
        free(f);
        free(g);
    }
    double *f = times(thin, &thin->heat.couple, t), *g = times(thick, &thick->heat.couple, s);
    move_forces(o, g);
    alike("forces by temperature", U, f, g, false);
    free(f);
    free(g);
    const gos_sparse *warm[2][2] = {{&thin->heat.C, &thick->heat.C},
                                    {&thin->heat.K, &thick->heat.K}};
    for (int i = 0; i < 2; i++) {
        double *p = times(thin, warm[i][0], t), *q = times(thick, warm[i][1], s);
        for (int k = 0; k < NODES; k++) {
            q[2 * k + 1] += o * q[2 * k];
        }
        alike(i == 0 ? "capacity" : "conduction", T, p, q, true);
        free(p);
        free(q);
    }
    for (int i = 0; i < 2; i++) {
        gos__sparse_free(thin->ctx, &M[i]);
        gos__sparse_free(thin->ctx, &G[i]);
    }
}

static double entry(const gos_sparse *A, int i, int j) {
    for (int k = A->p[j]; k < A->p[j + 1]; k++) {
        if (A->i[k] == i) {
            return A->x[k];
        }
    }
    return 0;
}

/* layers of the shell's material above, below and on both sides: a shell of the sum of thicknesses
 * whose middle lies elsewhere */
static void test_one_material(void **state) {
    GOS_UNUSED(state);
    static const double of[3][2] = {{UP, 0}, {0, LOW}, {UP, LOW}};
    for (int i = 0; i < 3; i++) {
        const double o = (of[i][0] - of[i][1]) / 2;
        made thin, thick;
        print_message("    layers of %g and %g\n", of[i][0], of[i][1]);
        lift = 0;
        make(&thin, skewed, H, of[i][0], of[i][1], 3.0);
        lift = o;
        make(&thick, skewed, H + of[i][0] + of[i][1], 0, 0, 3.0);
        compare_moves(&thin, &thick, o);
        gos_flex *a, *b;
        fe_good(thin.ctx, gos__fe_body_flex(thin.body, &a));
        fe_good(thick.ctx, gos__fe_body_flex(thick.body, &b));
        for (int k = 0; k < 16; k++) { // moments of mass: of 1, x, y, z
            const double one = entry(&a->gram, k / 4, k % 4), other = entry(&b->gram, k / 4, k % 4);
            assert_true(fabs(one - other) <= 1e-14);
        }
        gos__flex_destroy(a);
        gos__flex_destroy(b);
        drop(&thin);
        drop(&thick);
    }
}

static void rectangle(const double u[3], double x[3]) {
    x[0] = 1.5 * u[0];
    x[1] = 0.8 * u[1];
    x[2] = 0;
}

/* one layer of another density above: m, m z and J of the free body, also by M times rigid
 * motions */
static void test_moments(void **state) {
    GOS_UNUSED(state);
    made m;
    gos_flex *flex;
    gos_sparse M;
    const double A = 1.5 * 0.8, shell = 2.0 * H * A, patch = 2.0 * 7.0 / 3 * UP * A,
                 z = (H + UP) / 2, mass = shell + patch,
                 zz = shell * H * H / 12 + patch * (UP * UP / 12 + z * z);
    make(&m, rectangle, H, UP, 0, 7.0);
    fe_good(m.ctx, gos__fe_body_flex(m.body, &flex));
    const double want[4][4] = {{mass, 0.75 * mass, 0.4 * mass, z * patch},
                               {0, 0.75 * mass, 0.3 * mass, 0.75 * z * patch},
                               {0, 0, 0.64 / 3 * mass, 0.4 * z * patch},
                               {0, 0, 0, zz}};
    for (int i = 0; i < 4; i++) {
        for (int j = i; j < 4; j++) {
            assert_true(fabs(entry(&flex->gram, i, j) - want[i][j]) <= 1e-14);
        }
    }
    double R[6][U] = {{0}}, J[6][6];
    for (int k = 0; k < U; k++) {
        const double *x = m.mesh->x[k / 6];
        for (int a = 0; a < 3; a++) {
            const int p = (a + 1) % 3, q = (a + 2) % 3;
            R[a][k] = k % 6 == a;
            R[3 + a][k] = k % 6 == 3 + a ? 1 : k % 6 == q ? x[p] : k % 6 == p ? -x[q] : 0;
        }
    }
    fe_good(m.ctx, gos__fe_body_mass(m.body, &M));
    for (int i = 0; i < 6; i++) {
        double *f = times(&m, &M, R[i]);
        for (int j = 0; j < 6; j++) {
            J[i][j] = 0;
            for (int k = 0; k < U; k++) {
                J[i][j] += R[j][k] * f[k];
            }
        }
        free(f);
    }
    // acceleration along x turns about y by the first moment, along y about x the other way
    assert_true(fabs(J[0][4] - z * patch) < 1e-14 && fabs(J[1][3] + z * patch) < 1e-14);
    assert_true(fabs(J[0][0] - mass) < 1e-13 && J[2][5] == 0);
    assert_true(fabs(J[3][3] - (0.64 / 3 * mass + zz)) < 1e-13);
    assert_true(fabs(J[4][4] - (0.75 * mass + zz)) < 1e-13);
    gos__sparse_free(m.ctx, &M);
    gos__flex_destroy(flex);
    drop(&m);
}

/* translations and rotations of a curved shell with two unlike layers take no force, and no force
 * holds them by temperature */
static void test_rigid(void **state) {
    GOS_UNUSED(state);
    made m;
    make(&m, bent, H, UP, LOW, 7.0);
    double *f, size = 0;
    for (int k = 0; k < m.body->K.nnz; k++) {
        size = fmax(size, fabs(m.body->K.x[k]));
    }
    for (int i = 0; i < 6; i++) {
        double u[U] = {0};
        for (int k = 0; k < U; k++) {
            const double *x = m.mesh->x[k / 6];
            const int a = i % 3, p = (a + 1) % 3, q = (a + 2) % 3;
            u[k] = i < 3 ? k % 6 == a : k % 6 == i ? 1 : k % 6 == q ? x[p] : k % 6 == p ? -x[q] : 0;
        }
        f = times(&m, &m.body->K, u);
        double work = 0;
        for (int k = 0; k < U; k++) {
            assert_true(fabs(f[k]) <= 1e-13 * size);
        }
        free(f);
        for (int t = 0; t < T; t++) {
            for (int e = m.heat.couple.p[t]; e < m.heat.couple.p[t + 1]; e++) {
                work += u[m.heat.couple.i[e]] * m.heat.couple.x[e] * sin(1 + t);
            }
        }
        assert_true(fabs(work) <= 1e-14);
    }
    drop(&m);
}

/* Of shells and layers. Drilling, which is no stress, would work on turning nodes, too:
 * displacements without it. */
static void test_stress_work(void **state) {
    GOS_UNUSED(state);
    made m;
    double u[U];
    make(&m, bent, H, UP, LOW, 7.0);
    check_stress_work(m.body, &m.heat.couple, NULL, false, "curved shell with layers");
    drop(&m);
    lift = 0;
    make(&m, skewed, H, UP, LOW, 7.0);
    field(&m, 0, u);
    check_stress_work(m.body, &m.heat.couple, u, true, "flat shell with layers");
    drop(&m);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_material),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_rigid),
        cmocka_unit_test(test_stress_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
