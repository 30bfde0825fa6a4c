/* Stiffness of the stress in bodies of meshes: work on rotations, derivatives of the strain energy
   of large displacements, columns that buckle and heated strips, closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fe/recovery.h"
#include "support/fe_mesh.h"
#include "support/suite.h"
#include "support/verify.h"

#define L 1.0
#define H 0.02 // depth of columns
#define B 0.03 // width

static void column_place(const double u[3], double x[3]) {
    x[0] = L * u[0];
    x[1] = H * (u[1] - 0.5);
    x[2] = B * u[2];
}

static void strip_place(const double u[3], double x[3]) { // of shells: bends out of its plane
    x[0] = L * u[0];
    x[1] = B * (u[1] - 0.5);
    x[2] = 0;
}

typedef struct column {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material;
    gos_fe_part part;
    gos_fe_body *body;
    gos_fe_heat heat;
    gos_sparse M, G;
    bool *held;
    double *u, *t;
} column;

typedef struct kind {
    const char *element;
    gos_cell_shape shape;
    int n[3];
} kind;

static const kind kinds[] = {
    {"plane_stress", GOS_CELL_QUAD8, {20, 2, 0}},
    {"plane_stress_incompatible", GOS_CELL_QUAD4, {40, 2, 0}},
    {"solid", GOS_CELL_HEX20, {20, 2, 1}},
    {"solid_incompatible", GOS_CELL_HEX8, {40, 2, 2}},
    {"solid", GOS_CELL_TET10, {20, 2, 2}},
    {"shell", GOS_CELL_QUAD4, {40, 2, 0}},
};

static const double E = 70e9, alpha = 2e-5, rho = 2700;

static bool is_shell(const column *c) {
    return c->part.element->directors;
}

static void begin(column *c, const kind *k) {
    *c = (column){.ctx = gos_ctx_create()};
    const bool shell = strcmp(k->element, "shell") == 0;
    c->mesh = fe_grid(c->ctx, k->shape, k->n, shell ? strip_place : column_place, true);
    c->material = fe_isotropic(c->ctx, E, 0, rho, alpha, 200, 900);
    c->part = (gos_fe_part){.element = gos__fe_element(k->element),
                            .material = &c->material,
                            .thickness = shell ? H : B};
    fe_good(c->ctx, gos__fe_body_create(c->ctx, c->mesh, 1, &c->part, &c->body));
    fe_good(c->ctx, gos__fe_body_mechanics(c->body));
    fe_good(c->ctx, gos__fe_body_heat(c->body, &c->heat));
    fe_good(c->ctx, gos__fe_body_mass(c->body, &c->M));
    c->held = calloc((size_t)c->body->freedom.n, sizeof *c->held);
    c->u = calloc((size_t)c->body->freedom.n, sizeof *c->u);
    c->t = calloc((size_t)c->body->temperature.n, sizeof *c->t);
}

static void end(column *c) {
    gos__sparse_free(c->ctx, &c->M);
    gos__sparse_free(c->ctx, &c->G);
    gos__fe_heat_free(c->ctx, &c->heat);
    gos__fe_body_destroy(c->body);
    gos__mesh_destroy(c->mesh);
    gos_ctx_destroy(c->ctx);
    free(c->held);
    free(c->u);
    free(c->t);
}

static void hold_at(column *c, int node, const char *what) {
    for (int f = 0; f < GOS_FE_FREEDOMS; f++) {
        const int row = gos__fe_number(&c->body->freedom, node, f);
        if (row >= 0 && strchr(what, "xyzuvw"[f])) {
            c->held[row] = true;
        }
    }
}

/* No motion sideways of the plane of bending; ends that do not turn: both clamped, or guided and
   held in the middle, where the mode cos(pi x / L) of the pinned column's load is 0. (A pin at one
   point of a solid would give way.) */
static void support(column *c, bool clamped) {
    const bool shell = is_shell(c);
    for (int i = 0; i < c->mesh->nnode; i++) {
        const double *x = c->mesh->x[i];
        hold_at(c, i, shell ? "yuw" : "z");
        if (x[0] < 1e-12 || x[0] > L - 1e-12) {
            hold_at(c, i, shell ? (clamped ? "xzv" : "xv") : clamped ? "xy" : "x");
        }
        if (!clamped && fabs(x[0] - L / 2) < 1e-12 && (shell || fabs(x[1]) < 1e-12)) {
            hold_at(c, i, shell ? "z" : "y");
        }
    }
}

/* heated by 1 K: stress, and what it does to the stiffness */
static void heat_up(column *c, double theta) {
    for (int i = 0; i < c->body->temperature.n; i++) {
        c->t[i] = is_shell(c) && i % 2 ? 0 : theta;
    }
    fe_apply(&c->heat.couple, c->t, c->u);
    fe_solve(c->ctx, &c->body->K, c->held, c->u);
    gos__sparse_free(c->ctx, &c->G);
    fe_good(c->ctx, gos__fe_body_stress_stiffness(c->body, c->u, c->t, &c->G));
}

/* lowest factor of the stress at which K + factor G is singular */
static double buckling(column *c) {
    gos_sparse sum;
    double lambda[1];
    // by squared frequencies that fall to 0: the factor found by secants
    double lo = 0, hi = 0, f_lo, f_hi;
    fe_lowest(c->ctx, &c->body->K, &c->M, c->held, 1, lambda, NULL);
    f_lo = lambda[0];
    hi = 1;
    for (int k = 0; k < 30; k++) {
        fe_good(c->ctx, gos__sparse_sum(c->ctx, 1, &c->body->K, hi, &c->G, &sum));
        fe_lowest(c->ctx, &sum, &c->M, c->held, 1, lambda, NULL);
        gos__sparse_free(c->ctx, &sum);
        f_hi = lambda[0];
        const double next = hi - f_hi * (hi - lo) / (f_hi - f_lo);
        if (fabs(next - hi) < 1e-7 * fabs(next)) {
            return next;
        }
        lo = hi;
        f_lo = f_hi;
        hi = next;
    }
    fail();
    return 0;
}

static double first(column *c, double factor) {
    gos_sparse sum;
    double lambda[1];
    fe_good(c->ctx, gos__sparse_sum(c->ctx, 1, &c->body->K, factor, &c->G, &sum));
    fe_lowest(c->ctx, &sum, &c->M, c->held, 1, lambda, NULL);
    gos__sparse_free(c->ctx, &sum);
    return lambda[0];
}

/* theta_cr = pi^2 I / (A alpha l^2), four times that when clamped, but for shear and the strain
   before buckling: parts in a thousand, (pi H / L)^2 of some unity, and four times that */
static void heated(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < GOS_COUNT(kinds); k++) {
        for (int clamped = 0; clamped < 2; clamped++) {
            column c;
            char label[100];
            begin(&c, &kinds[k]);
            support(&c, clamped);
            heat_up(&c, 1);
            const double exact = (clamped ? 4 : 1) * M_PI * M_PI * H * H / (12 * alpha * L * L);
            const double found = buckling(&c);
            snprintf(label, sizeof label, "%s %s, %s: %.3f K of %.3f K", c.part.element->name,
                     gos__cell_kind[kinds[k].shape].name, clamped ? "clamped" : "guided", found,
                     exact);
            verify_below(label, fabs(found / exact - 1), clamped ? 4e-3 : 1e-3);
            // squared frequencies are linear in the temperature, where the mode stays the same
            const double none = first(&c, 0), half = first(&c, 0.5 * found);
            verify_below("half of it", fabs(half / none - 0.5), clamped ? 2e-2 : 1e-3);
            end(&c);
        }
    }
}

/* expansion that nothing hinders: no stiffness */
static void free_expansion(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < GOS_COUNT(kinds); k++) {
        column c;
        begin(&c, &kinds[k]);
        for (int i = 0; i < c.mesh->nnode; i++) {
            for (int f = 0; f < 3; f++) {
                const int row = gos__fe_number(&c.body->freedom, i, f);
                if (row >= 0) {
                    c.u[row] = alpha * 50 * c.mesh->x[i][f];
                }
            }
        }
        for (int i = 0; i < c.body->temperature.n; i++) {
            c.t[i] = is_shell(&c) && i % 2 ? 0 : 50;
        }
        fe_good(c.ctx, gos__fe_body_stress_stiffness(c.body, c.u, c.t, &c.G));
        verify_below(c.part.element->name,
                     gos__sparse_largest(&c.G) / gos__sparse_largest(&c.body->K), 1e-15);
        end(&c);
    }
}

/* A uniform stress along x and any field v: v . G v = sigma int (dv/dx)^2, here of rotations by
   omega about z (and y): of a stretched bar sigma V omega^2; and G symmetric. */
static void turned(void **state) {
    GOS_UNUSED(state);
    for (int k = 0; k < GOS_COUNT(kinds); k++) {
        column c;
        begin(&c, &kinds[k]);
        const int n = c.body->freedom.n;
        double *v = calloc((size_t)n, sizeof *v), *f = malloc(sizeof *f * (size_t)n), asymmetry;
        gos_sparse S;
        const int off = is_shell(&c) ? 2 : 1; // axis that x turns towards
        for (int i = 0; i < c.mesh->nnode; i++) {
            const double *x = c.mesh->x[i];
            c.u[gos__fe_number(&c.body->freedom, i, 0)] = 1e-3 * x[0];
            v[gos__fe_number(&c.body->freedom, i, off)] = x[0];
            v[gos__fe_number(&c.body->freedom, i, 0)] = -x[off];
            if (is_shell(&c)) { // theta_y = -w,x
                v[gos__fe_number(&c.body->freedom, i, 4)] = -1;
            }
        }
        fe_good(c.ctx, gos__fe_body_stress_stiffness(c.body, c.u, NULL, &c.G));
        fe_apply(&c.G, v, f);
        verify_below(c.part.element->name, fabs(fe_dot(n, v, f) / (E * 1e-3 * L * B * H) - 1),
                     1e-11);
        fe_good(c.ctx, gos__sparse_symmetric_part(c.ctx, &c.G, &S, &asymmetry));
        verify_below("symmetric", asymmetry, 1e-14);
        gos__sparse_free(c.ctx, &S);
        free(v);
        free(f);
        end(&c);
    }
}

/* Rings: u_r = v turns nothing, but a hoop stress s works on it by the square of the hoop strain, s
   (v / r)^2; a disc that is stretched uniformly, sigma_r = sigma_t = s, and v_r = r: 2 s V; v_y =
   r: s V. */
static void ring_place(const double u[3], double x[3]) {
    x[0] = 1 + u[0];
    x[1] = 0.3 * u[1];
    x[2] = 0;
}

static void rings(void **state) {
    GOS_UNUSED(state);
    gos_ctx *ctx = gos_ctx_create();
    const int n[3] = {4, 2, 0};
    gos_mesh *mesh = fe_grid(ctx, GOS_CELL_QUAD8, n, ring_place, true);
    gos_fe_material m = fe_isotropic(ctx, 2, 0.3, 1, 0, 1, 1);
    const gos_fe_part part = {.element = gos__fe_element("axisymmetric"), .material = &m};
    gos_fe_body *body;
    gos_sparse G;
    fe_good(ctx, gos__fe_body_create(ctx, mesh, 1, &part, &body));
    double *u = calloc((size_t)body->freedom.n, sizeof *u),
           *v = calloc((size_t)body->freedom.n, sizeof *v);
    double *f = calloc((size_t)body->freedom.n, sizeof *f);
    const double s = 2 / (1 - 0.3) * 0.01, volume = M_PI * 3 * 0.3;
    for (int i = 0; i < mesh->nnode; i++) {
        u[gos__fe_number(&body->freedom, i, 0)] = 0.01 * mesh->x[i][0];
        u[gos__fe_number(&body->freedom, i, 1)] = -2 * 0.3 / 0.7 * 0.01 * mesh->x[i][1];
    }
    fe_good(ctx, gos__fe_body_stress_stiffness(body, u, NULL, &G));
    for (int c = 0; c < 2; c++) {
        memset(v, 0, sizeof *v * (size_t)body->freedom.n);
        for (int i = 0; i < mesh->nnode; i++) {
            v[gos__fe_number(&body->freedom, i, c)] = mesh->x[i][0];
        }
        fe_apply(&G, v, f);
        verify_below(c ? "axial" : "radial",
                     fabs(fe_dot(body->freedom.n, v, f) / ((c ? 1 : 2) * s * volume) - 1), 1e-12);
    }
    gos__sparse_free(ctx, &G);
    free(u);
    free(v);
    free(f);
    gos__fe_body_destroy(body);
    gos__mesh_destroy(mesh);
    gos_ctx_destroy(ctx);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(turned), cmocka_unit_test(rings),
                                       cmocka_unit_test(free_expansion), cmocka_unit_test(heated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
