/* Simply supported plates of plies against Navier's sums with the shears of first order: deflection
   and frequency of a specially orthotropic plate, of a sandwich with a soft core, and of what
   bending stretches: antisymmetric cross-plies and angle-plies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fe/layup.h"
#include "fe/mesh_body.h"
#include "support/fe_mesh.h"
#include "support/suite.h"

#define LX 1.5 // sides
#define LY 1.0

typedef enum support { ALONG, ACROSS } support; // displacement that an edge holds in its plane

typedef struct plate {
    const char *name;
    int n;
    gos_fe_ply ply[4];
    support support;
} plate;

static void rectangle(const double u[3], double x[3]) {
    x[0] = LX * u[0];
    x[1] = LY * u[1];
    x[2] = 0;
}

/* ---- Navier ---------------------------------------------------------------------------------- */

/* rows of strains by the amplitudes U, V, W, X, Y of a half wave each way, where u, v, psi of an
   edge along it vanish, or (ACROSS) u, v across it: those that go as sin sin or cos cos, each with
   its own */
static void navier_rows(support how, double b[8][5]) {
    const double a = M_PI / LX, c = M_PI / LY, in = how == ALONG ? -1 : 1;
    const double rows[8][5] = {
        {in * a, 0, 0, 0, 0}, {0, in * c, 0, 0, 0}, {-in * c, -in * a, 0, 0, 0},
        {0, 0, 0, -a, 0},     {0, 0, 0, 0, -c},     {0, 0, 0, c, a},
        {0, 0, a, 1, 0},      {0, 0, c, 0, 1}};
    memcpy(b, rows, sizeof rows);
}

/* K and M over a quarter of the area: of the eight strains those whose waves differ have no work
 * together */
static void navier(const gos_fe_plate *p, support how, double K[25], double M[25]) {
    // 0: sin sin, 1: cos cos, 2 and 3: shears
    const int wave[8] = {
        how == ALONG ? 0 : 1, how == ALONG ? 0 : 1, how == ALONG ? 1 : 0, 0, 0, 1, 2, 3};
    double b[8][5], C[8][8] = {{0}};
    navier_rows(how, b);
    for (int i = 0; i < 9; i++) {
        C[i / 3][i % 3] = p->A[i / 3][i % 3];
        C[i / 3][3 + i % 3] = C[3 + i % 3][i / 3] = p->B[i / 3][i % 3];
        C[3 + i / 3][3 + i % 3] = p->D[i / 3][i % 3];
    }
    C[6][6] = p->S[0][0];
    C[7][7] = p->S[1][1];
    memset(K, 0, 25 * sizeof *K);
    memset(M, 0, 25 * sizeof *M);
    for (int rs = 0; rs < 64; rs++) {
        const int r = rs / 8, s = rs % 8;
        for (int ij = 0; ij < 25 && wave[r] == wave[s]; ij++) {
            K[ij] += b[r][ij / 5] * C[r][s] * b[s][ij % 5];
        }
    }
    for (int i = 0; i < 5; i++) {
        M[6 * i] = i < 3 ? p->mass[0] : p->mass[2];
    }
}

/* deflection by q sin sin, and the lowest squared frequency */
static void navier_solve(const gos_fe_plate *p, support how, double *w, double *omega) {
    double K[25], M[25], x[5] = {0, 0, 1, 0, 0}, size = 0;
    navier(p, how, K, M);
    for (int k = 0; k < 60; k++) { // inverse iteration
        double L[25], f[5];
        memcpy(L, K, sizeof L);
        for (int i = 0; i < 5; i++) {
            f[i] = k == 0 ? x[i] : M[6 * i] * x[i];
        }
        for (int i = 0; i < 5; i++) { // elimination
            for (int j = i + 1; j < 5; j++) {
                const double by = L[5 * j + i] / L[6 * i];
                for (int c = i; c < 5; c++) {
                    L[5 * j + c] -= by * L[5 * i + c];
                }
                f[j] -= by * f[i];
            }
        }
        for (int i = 4; i >= 0; i--) {
            for (int c = i + 1; c < 5; c++) {
                f[i] -= L[5 * i + c] * f[c];
            }
            f[i] /= L[6 * i];
        }
        if (k == 0) {
            *w = f[2];
        }
        size = fabs(f[2]);
        for (int i = 0; i < 5; i++) {
            x[i] = f[i] / size;
        }
        *omega = 1 / size;
    }
}

/* ---- the body -------------------------------------------------------------------------------- */

static bool held_at(support how, const double x[3], int c) {
    const bool side = x[0] < 1e-9 || x[0] > LX - 1e-9, end = x[1] < 1e-9 || x[1] > LY - 1e-9;
    const bool first = c == 0 || c == 4, second = c == 1 || c == 3; // along x: u and its rotation
    // psi along an edge vanishes; in the plane u along it, or across it
    return (c == 2 && (side || end)) || (c == 4 && end) || (c == 3 && side) ||
           (first && c == 0 && (how == ALONG ? end : side)) ||
           (second && c == 1 && (how == ALONG ? side : end));
}

/* deflection in the middle by q sin sin, and the lowest squared frequency */
static void solve(gos_ctx *ctx, const plate *of, const gos_fe_plate *p, int cells, double *w,
                  double *omega) {
    const int grid[3] = {cells, cells, 0};
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const gos_fe_layup layup = {of->n, of->ply};
    gos_fe_material mean;
    gos_fe_body *body;
    gos_sparse M;
    gos__fe_plate_smear(p, &mean);
    gos_mesh *mesh = fe_grid(ctx, GOS_CELL_QUAD4, grid, rectangle, true);
    const gos_fe_part part = {.element = gos__fe_element("shell"),
                              .material = &mean,
                              .thickness = p->thickness,
                              .layup = &layup,
                              .axes = axes};
    fe_good(ctx, gos__fe_body_create(ctx, mesh, 1, &part, &body));
    fe_good(ctx, gos__fe_body_mechanics(body));
    fe_good(ctx, gos__fe_body_mass(body, &M));
    const int n = body->freedom.n, middle = (cells / 2) * (cells + 2);
    bool *held = calloc((size_t)n, sizeof *held);
    double *x = calloc((size_t)n, sizeof *x), *f = calloc((size_t)n, sizeof *f);
    assert_true(held && x && f);
    for (int k = 0; k < n; k++) {
        held[k] = held_at(of->support, mesh->x[k / 6], k % 6);
    }
    // the load by its values at the nodes: int N N' q'
    for (int k = 0; k < mesh->nnode; k++) {
        for (int at = body->start[k]; at < body->start[k + 1]; at++) {
            const double *y = mesh->x[body->near[at]];
            x[6 * k + 2] +=
                body->mass.x[at] / p->mass[0] * sin(M_PI * y[0] / LX) * sin(M_PI * y[1] / LY);
        }
    }
    fe_solve(ctx, &body->K, held, x);
    *w = x[6 * middle + 2];
    *omega = 0;
    for (int k = 0; k < 25; k++) { // from a shape that is the mode, nearly
        memset(f, 0, (size_t)n * sizeof *f);
        gos__sparse_apply(&M, 1, x, f);
        double before = 0, after = 0;
        for (int i = 0; i < n; i++) {
            before += x[i] * f[i];
        }
        memcpy(x, f, (size_t)n * sizeof *x);
        fe_solve(ctx, &body->K, held, x);
        for (int i = 0; i < n; i++) {
            after += x[i] * f[i];
        }
        *omega = before / after;
        for (int i = 0; i < n; i++) {
            x[i] /= after;
        }
    }
    free(held);
    free(x);
    free(f);
    gos__sparse_free(ctx, &M);
    gos__fe_body_destroy(body);
    gos__mesh_destroy(mesh);
}

/* finer and finer: to the closed form with order 2 */
static void converges(gos_ctx *ctx, const plate *of, gos_fe_plate *p, double bound) {
    static const int cells[3] = {4, 8, 16};
    gos_arena *arena = gos__arena_create(ctx);
    const gos_fe_layup layup = {of->n, of->ply};
    double want[2], off[3][2];
    fe_good(ctx, gos__fe_plate_layup(ctx, (gos_loc){0}, of->name, &layup, arena, p));
    navier_solve(p, of->support, &want[0], &want[1]);
    for (int k = 0; k < 3; k++) {
        double is[2];
        solve(ctx, of, p, cells[k], &is[0], &is[1]);
        for (int i = 0; i < 2; i++) {
            off[k][i] = fabs(is[i] / want[i] - 1);
        }
    }
    print_message(
        "    %s: deflection %.2e, squared frequency %.2e with 16 x 16, orders %.2f %.2f\n",
        of->name, off[2][0], off[2][1], log2(off[1][0] / off[2][0]), log2(off[1][1] / off[2][1]));
    for (int i = 0; i < 2; i++) {
        assert_true(off[2][i] < bound && log2(off[1][i] / off[2][i]) > 1.9 &&
                    log2(off[1][i] / off[2][i]) < 2.2);
    }
    gos__arena_destroy(arena);
}

static void fibres(gos_ctx *ctx, double E1, gos_fe_material *m) {
    *m = (gos_fe_material){.density = 1.6};
    fe_good(ctx, gos__fe_orthotropic(ctx, (gos_loc){0}, "fibres", (const double[3]){E1, 1, 1},
                                     (const double[3]){0.25, 0, 0},
                                     (const double[3]){0.5, 0.5, 0.2}, m));
}

static void test_orthotropic(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_fe_material m;
    gos_fe_plate p;
    fibres(ctx, 25, &m);
    converges(ctx, &(plate){"orthotropic, 1/100", 1, {{&m, 0.01, 0}}, ALONG}, &p, 0.02);
    double w, omega;
    navier_solve(&p, ALONG, &w, &omega); // thin: pi^4 (D11/a^4 + 2 (D12 + 2 D66)/a^2 b^2 + D22/b^4)
    const double a = M_PI / LX, b = M_PI / LY;
    const double thin = p.D[0][0] * pow(a, 4) + p.D[1][1] * pow(b, 4) +
                        2 * (p.D[0][1] + 2 * p.D[2][2]) * a * a * b * b;
    print_message("    thin plate: %.2e\n", w * thin - 1);
    assert_true(w * thin > 1 && w * thin < 1.006); // shears of h = LY/100
    converges(ctx, &(plate){"orthotropic, 1/10", 1, {{&m, 0.1, M_PI / 2}}, ALONG}, &p, 0.01);
    gos_ctx_destroy(ctx);
}

static void test_sandwich(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_fe_material face = fe_isotropic(ctx, 70e3, 0.3, 2.7, 0, 1, 1);
    gos_fe_material core = fe_isotropic(ctx, 50, 0.3, 0.05, 0, 1, 1);
    gos_fe_plate p;
    double w, omega;
    const plate of = {
        "sandwich", 3, {{&face, 0.001, 0}, {&core, 0.03, 0}, {&face, 0.001, 0}}, ALONG};
    converges(ctx, &of, &p, 0.01);
    navier_solve(&p, ALONG, &w, &omega);
    // bending and shear in a row: 1/(D k^4) + 1/(S k^2), k^2 = pi^2 (1/a^2 + 1/b^2)
    const double k2 = M_PI * M_PI * (1 / (LX * LX) + 1 / (LY * LY));
    const double bend = 1 / (p.D[0][0] * k2 * k2), shear = 1 / (p.S[0][0] * k2);
    print_message("    %.1f %% of the deflection is shear\n", 100 * shear / w);
    assert_true(fabs(w - bend - shear) < 1e-12 * w && shear > 0.4 * w);
    // without rotary inertia m w^2 = 1/(bend + shear), which changes little
    assert_true(fabs(omega * p.mass[0] * w - 1) < 2e-2);
    gos_ctx_destroy(ctx);
}

static void test_antisymmetric(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    gos_fe_material m;
    gos_fe_plate p;
    double w, omega, free_of_it, unused;
    fibres(ctx, 25, &m);
    const plate of[2] = {{"0/90", 2, {{&m, 0.02, 0}, {&m, 0.02, M_PI / 2}}, ALONG},
                         {"45/-45", 2, {{&m, 0.02, M_PI / 4}, {&m, 0.02, -M_PI / 4}}, ACROSS}};
    for (int i = 0; i < 2; i++) {
        converges(ctx, &of[i], &p, 0.02);
        navier_solve(&p, of[i].support, &w, &omega);
        assert_true(i == 0 ? fabs(p.B[0][0]) > 1e-3 && fabs(p.B[0][2]) < 1e-15
                           : fabs(p.B[0][2]) > 1e-4 && fabs(p.B[0][0]) < 1e-15);
        memset(p.B, 0, sizeof p.B);
        navier_solve(&p, of[i].support, &free_of_it, &unused);
        print_message("    without stretch the deflection is %.3f of it\n", free_of_it / w);
        assert_true(free_of_it < 0.6 * w);
    }
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orthotropic),
        cmocka_unit_test(test_sandwich),
        cmocka_unit_test(test_antisymmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
