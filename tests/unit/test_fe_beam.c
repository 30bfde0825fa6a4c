/* Beams in meshes: rigid motions, patches of constant stretch, twist and curvature, masses, heat,
   stresses, buckling, frequencies and their order, sections that are turned and off their nodes,
   and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fe/beam_section.h"
#include "fe/recovery.h"
#include "linalg/dense.h"
#include "support/fe_mesh.h"
#include "support/stress_work.h"
#include "support/suite.h"
#include "support/verify.h"

#define EXACT 1e-11 // bending beside stretch: entries of very unlike size

/* E, nu, density, expansion, conductivity, specific heat */
static const double E = 3, nu = 0.3, rho = 2, alpha = 0.01, lambda = 1.3, heat = 1.9;
static const double height = 0.1, width = 0.06; // along y and z

typedef struct chain {
    gos_ctx *ctx;
    gos_mesh *mesh;
    gos_fe_material material;
    gos_fe_profile profile;
    gos_fe_part part;
    gos_fe_body *body;
    gos_fe_heat heat;
    gos_sparse M;
    double d[3], length; // direction
    double axis[3][3];   // of its section
    int n;
} chain;

static gos_fe_profile scaled(double by) {
    const double h = by * height, b = by * width;
    return (gos_fe_profile){.A = h * b,
                            .Iy = h * b * b * b / 12,
                            .Iz = b * h * h * h / 12,
                            .J = 4e-6,
                            .shear = {0.85, 0.82},
                            .perimeter = 2 * (h + b),
                            .height = h,
                            .width = b};
}

static gos_fe_profile rectangle(void) {
    return scaled(1);
}

/* cells along d from the origin, of unequal length unless `equal` */
static void begin_with(chain *b, const double d[3], double length, int cells, bool equal,
                       gos_fe_profile profile) {
    gos_cell_block *block;
    *b = (chain){.ctx = gos_ctx_create(), .length = length, .profile = profile};
    memcpy(b->d, d, sizeof b->d);
    fe_good(b->ctx, gos__mesh_create(b->ctx, &b->mesh));
    fe_good(b->ctx, gos__mesh_nodes(b->mesh, cells + 1, (gos_loc){0}, NULL));
    fe_good(b->ctx, gos__mesh_cells(b->mesh, GOS_CELL_LINE2, cells, (gos_loc){0}, NULL, &block));
    for (int i = 0; i <= cells; i++) {
        const double u = (double)i / cells, s = equal ? u : u + 0.3 * u * (1 - u);
        for (int c = 0; c < 3; c++) {
            b->mesh->x[i][c] = length * s * d[c];
        }
    }
    for (int i = 0; i < 2 * cells; i++) {
        block->node[i] = i / 2 + i % 2;
    }
    fe_good(b->ctx, gos__mesh_finish(b->mesh, (gos_loc){0}, NULL));
    b->material = fe_isotropic(b->ctx, E, nu, rho, alpha, lambda, heat);
    b->part = (gos_fe_part){
        .element = gos__fe_element("beam"), .material = &b->material, .profile = &b->profile};
    fe_good(b->ctx, gos__fe_body_create(b->ctx, b->mesh, 1, &b->part, &b->body));
    fe_good(b->ctx, gos__fe_body_mechanics(b->body));
    fe_good(b->ctx, gos__fe_body_heat(b->body, &b->heat));
    fe_good(b->ctx, gos__fe_body_mass(b->body, &b->M));
    b->n = b->body->freedom.n;
    assert_int_equal(b->n, 6 * (cells + 1));
    assert_int_equal(b->body->temperature.n, cells + 1);
    double h;
    assert_true(gos__fe_profile_axes(&b->profile, b->mesh->x[0], b->mesh->x[1], b->axis, &h));
}

static const double slanted[3] = {2.0 / 7, 3.0 / 7, -6.0 / 7};

static void begin(chain *b, int cells) {
    gos_fe_profile p = rectangle();
    memcpy(p.normal, (const double[3]){0.3, 1, 0.2}, sizeof p.normal);
    begin_with(b, slanted, 1.5, cells, false, p);
}

static void end(chain *b) {
    gos__sparse_free(b->ctx, &b->M);
    gos__fe_heat_free(b->ctx, &b->heat);
    gos__fe_body_destroy(b->body);
    gos__mesh_destroy(b->mesh);
    gos_ctx_destroy(b->ctx);
}

/* displacement and rotation in the section's axes by the place along the beam */
typedef void motion(double s, double u[3], double turn[3]);

static double *move(const chain *b, motion *by) {
    double *u = calloc((size_t)b->n, sizeof *u);
    for (int i = 0; i < b->mesh->nnode; i++) {
        double s = 0, v[3] = {0}, w[3] = {0};
        for (int c = 0; c < 3; c++) {
            s += b->mesh->x[i][c] * b->d[c];
        }
        by(s, v, w);
        for (int k = 0; k < 9; k++) {
            u[6 * i + k % 3] += v[k / 3] * b->axis[k / 3][k % 3];
            u[6 * i + 3 + k % 3] += w[k / 3] * b->axis[k / 3][k % 3];
        }
    }
    return u;
}

static double *product(const gos_sparse *A, const double *x) {
    double *y = malloc(sizeof *y * (size_t)A->m);
    fe_apply(A, x, y);
    return y;
}

/* of the rigid body about the origin */
static double *rigid_motion(const chain *b, int k) {
    double *u = calloc((size_t)b->n, sizeof *u);
    for (int i = 0; i < b->mesh->nnode; i++) {
        const int a = k - 3, p = (a + 1) % 3, q = (a + 2) % 3;
        u[6 * i + k] = 1;
        if (k >= 3) {
            u[6 * i + q] = b->mesh->x[i][p];
            u[6 * i + p] = -b->mesh->x[i][q];
        }
    }
    return u;
}

static void rigid(void **state) {
    GOS_UNUSED(state);
    for (int off = 0; off < 2; off++) {
        chain b;
        gos_fe_profile p = rectangle();
        p.turn = 0.4;
        p.offset[0] = off ? 0.07 : 0;
        p.offset[1] = off ? -0.04 : 0;
        begin_with(&b, slanted, 1.5, 3, false, p);
        for (int k = 0; k < 6; k++) {
            double *u = rigid_motion(&b, k), *f = product(&b.body->K, u);
            verify_below("rigid motion", fe_largest(b.n, f) / gos__sparse_largest(&b.body->K),
                         1e-14);
            free(u);
            free(f);
        }
        end(&b);
    }
}

/* ---- patches --------------------------------------------------------------------------------- */

static void stretched(double s, double u[3], double turn[3]) {
    u[0] = 0.3 * s;
    GOS_UNUSED(turn);
}
static void twisted(double s, double u[3], double turn[3]) {
    turn[0] = 0.3 * s;
    GOS_UNUSED(u);
}
static void bent_y(double s, double u[3], double turn[3]) { // v'' = 0.3, theta_z = v'
    u[1] = 0.15 * s * s;
    turn[2] = 0.3 * s;
}
static void bent_z(double s, double u[3], double turn[3]) { // w'' = 0.3, theta_y = -w'
    u[2] = 0.15 * s * s;
    turn[1] = -0.3 * s;
}

/* Constant stretch, twist and moments: energy, and no force on nodes between; a constant shear
   force bends: v = F (L s^2 / 2 - s^3 / 6) / EI + F s / (kappa G A), exact as well. */
static double L_, EI_, GA_;
static void pushed_y(double s, double u[3], double turn[3]) {
    u[1] = (L_ * s * s / 2 - s * s * s / 6) / EI_ + s / GA_;
    turn[2] = (L_ * s - s * s / 2) / EI_;
}
static void pushed_z(double s, double u[3], double turn[3]) {
    u[2] = (L_ * s * s / 2 - s * s * s / 6) / EI_ + s / GA_;
    turn[1] = -(L_ * s - s * s / 2) / EI_;
}

static void patch(const char *label, motion *by, double energy) {
    chain b;
    begin(&b, 4);
    double *u = move(&b, by), *f = product(&b.body->K, u), worst = 0;
    verify_below(label, fabs(fe_dot(b.n, u, f) / energy - 1), EXACT);
    for (int i = 1; i + 1 < b.mesh->nnode; i++) {
        worst = fmax(worst, fe_largest(6, f + 6 * i));
    }
    verify_below(label, worst / gos__sparse_largest(&b.body->K) / fe_largest(b.n, u), EXACT);
    free(u);
    free(f);
    end(&b);
}

static void patches(void **state) {
    GOS_UNUSED(state);
    const gos_fe_profile p = rectangle();
    const double G = E / (2 * (1 + nu)), L = 1.5, e = 0.09 * L;
    patch("stretch", stretched, E * p.A * e);
    patch("twist", twisted, G * p.J * e);
    patch("bending along y", bent_y, E * p.Iz * e);
    patch("bending along z", bent_z, E * p.Iy * e);
    L_ = L;
    for (int d = 0; d < 2; d++) { // work of the unit force at its end
        EI_ = E * (d ? p.Iy : p.Iz);
        GA_ = G * p.A * p.shear[d];
        patch(d ? "force along z" : "force along y", d ? pushed_z : pushed_y,
              L * L * L / (3 * EI_) + L / GA_);
    }
}

/* ---- mass ------------------------------------------------------------------------------------ */

/* rho int X X^T of a bar from the origin, and its sections' second moments: mass of rigid motions,
 * by M and the Gram matrix */
static void masses(void **state) {
    GOS_UNUSED(state);
    chain b;
    gos_flex *flex;
    begin(&b, 3);
    const double A = height * width, m = rho * A * b.length;
    double X[4][4] = {{m}}, worst = 0, got[4][4] = {{0}};
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3;
        X[0][1 + j] = X[1 + j][0] = m * b.length / 2 * b.d[j];
        X[1 + i][1 + j] = m * b.length * b.length / 3 * b.d[i] * b.d[j] +
                          m / A *
                              (b.profile.Iz * b.axis[1][i] * b.axis[1][j] +
                               b.profile.Iy * b.axis[2][i] * b.axis[2][j]);
    }
    fe_good(b.ctx, gos__fe_body_flex(b.body, &flex));
    for (int j = 0; j < 4; j++) {
        for (int k = flex->gram.p[j]; k < flex->gram.p[j + 1] && flex->gram.i[k] < 4; k++) {
            got[flex->gram.i[k]][j] = flex->gram.x[k];
        }
    }
    for (int k = 0; k < 16; k++) {
        worst = fmax(worst, fabs(got[k / 4][k % 4] - X[k / 4][k % 4]));
    }
    verify_below("rigid body of the Gram matrix", worst / m, 1e-14);
    for (int k = 0; k < 6; k++) {
        double *u = rigid_motion(&b, k), *f = product(&b.M, u);
        const int a = 1 + (k + 1) % 3, c = 1 + (k + 2) % 3;
        const double exact = k < 3 ? m : X[a][a] + X[c][c];
        verify_below("mass", fabs(fe_dot(b.n, u, f) / exact - 1), EXACT);
        free(u);
        free(f);
    }
    gos__flex_destroy(flex);
    end(&b);
}

/* lowest frequency of bending in one plane, both ends on hinges: squared */
static double lowest(int cells, int plane, double by) {
    static const double along[3] = {1, 0, 0};
    chain b;
    begin_with(&b, along, 1, cells, true, scaled(by));
    const int n = 2 * cells; // without the deflections of both ends
    double *D[2], *X = malloc(sizeof *X * (size_t)n), low;
    int *at = malloc(sizeof *at * (size_t)b.n), k = 0;
    for (int i = 0; i < b.n; i++) {
        const int node = i / 6, c = i % 6;
        const bool end = node == 0 || node == cells;
        at[i] = (c == 1 + plane && !end) || c == 5 - plane ? k++ : -1;
    }
    assert_int_equal(k, n);
    for (int s = 0; s < 2; s++) {
        const gos_sparse *from = s ? &b.M : &b.body->K;
        D[s] = calloc((size_t)(n * n), sizeof *D[s]);
        for (int j = 0; j < b.n; j++) {
            for (int p = from->p[j]; p < from->p[j + 1] && at[j] >= 0; p++) {
                if (at[from->i[p]] >= 0) {
                    D[s][at[j] * n + at[from->i[p]]] += from->x[p];
                }
            }
        }
    }
    fe_good(b.ctx, gos__dense_pencil(b.ctx, n, D[0], D[1], 1, &low, X));
    free(D[0]);
    free(D[1]);
    free(X);
    free(at);
    end(&b);
    return low;
}

/* Timoshenko's beam on hinges, k = pi / L: (rho I w^2 - EI k^2 - S) (rho A w^2 - S k^2) = (S k)^2
   with S = kappa G A. Shapes are those of static forces at nodes: fourth order while cells are long
   against the section, second order of what shear does. */
static double error_of(int cells, int plane, double by) {
    const gos_fe_profile p = scaled(by);
    const double I = plane ? p.Iy : p.Iz, S = p.shear[plane] * E / (2 * (1 + nu)) * p.A;
    const double k2 = M_PI * M_PI, a = rho * I * rho * p.A, c = E * I * k2 * S * k2;
    const double b = rho * I * S * k2 + rho * p.A * (E * I * k2 + S);
    const double exact = 2 * c / (b + sqrt(b * b - 4 * a * c));
    return lowest(cells, plane, by) / exact - 1;
}

static void frequencies(void **state) {
    GOS_UNUSED(state);
    for (int plane = 0; plane < 2; plane++) {
        const double thin = error_of(4, plane, 0.01), thick = error_of(16, plane, 2);
        printf("    %g %g\n", thin, thick);
        verify_within("error of four cells", thin, 0, 1e-3);
        verify_within("order of a thin beam", log2(thin / error_of(8, plane, 0.01)), 3.8, 4.2);
        verify_within("error of 16 cells", thick, 0, 1e-3);
        verify_within("order of a thick beam", log2(thick / error_of(32, plane, 2)), 1.9, 2.1);
    }
}

/* ---- heat ------------------------------------------------------------------------------------ */

static void grown(double s, double u[3], double turn[3]) {
    u[0] = alpha * s;
    GOS_UNUSED(turn);
}

/* warm and free: no force, no stress; held: -E alpha T along it */
static void expansion(void **state) {
    GOS_UNUSED(state);
    chain b;
    begin(&b, 4);
    const gos_fe_recovery what = {.quantity = GOS_FE_STRESS, .depth = {.fibre = {0.03, -0.02}}};
    const int nt = b.body->temperature.n;
    double *u = move(&b, grown), *t = malloc(sizeof *t * (size_t)nt), worst = 0;
    double(*value)[6] = malloc(sizeof *value * (size_t)b.mesh->nnode);
    int *count = malloc(sizeof *count * (size_t)b.mesh->nnode);
    for (int i = 0; i < nt; i++) {
        t[i] = 1;
    }
    double *f = product(&b.body->K, u), *g = product(&b.heat.couple, t);
    for (int i = 0; i < b.n; i++) {
        worst = fmax(worst, fabs(f[i] - g[i]));
    }
    verify_below("expansion", worst / fe_largest(b.n, g), EXACT);
    fe_good(b.ctx, gos__fe_field(b.body, &what, u, t, value, count));
    verify_below("its stress", fe_largest(6 * b.mesh->nnode, value[0]) / (E * alpha), EXACT);
    memset(u, 0, (size_t)b.n * sizeof *u);
    fe_good(b.ctx, gos__fe_field(b.body, &what, u, t, value, count));
    for (int a = 0; a < 6; a++) {
        const int i = a < 3 ? a : a - 3, j = a < 3 ? a : (a - 2) % 3;
        verify_near("stress of a held beam", value[2][a], -E * alpha * b.d[i] * b.d[j],
                    1e-12 * E * alpha);
    }
    free(u);
    free(t);
    free(f);
    free(g);
    free(value);
    free(count);
    end(&b);
}

/* constant flux, capacity, what is around it and in it */
static void conduction(void **state) {
    GOS_UNUSED(state);
    chain b;
    begin(&b, 4);
    const int nt = b.body->temperature.n, cell[4] = {0, 1, 2, 3};
    const double A = height * width, L = b.length, outline = 2 * (height + width);
    const gos_fe_area around = {.n = 4, .cell = cell};
    double *T = malloc(sizeof *T * (size_t)nt), *Q = calloc((size_t)nt, sizeof *Q), size, sum = 0;
    gos_sparse film = {0};
    for (int i = 0; i < nt; i++) {
        T[i] = b.mesh->x[i][0] / b.d[0];
    }
    double *f = product(&b.heat.K, T);
    for (int i = 0; i < nt; i++) {
        verify_near("flux", f[i], i == 0 ? -lambda * A : i + 1 == nt ? lambda * A : 0, 1e-14);
    }
    free(f);
    f = product(&b.heat.C, T);
    verify_below("capacity", fabs(fe_dot(nt, T, f) / (rho * heat * A * L * L * L / 3) - 1), EXACT);
    free(f);
    fe_good(b.ctx, gos__fe_area_size(b.body, &around, &size));
    verify_below("outside", fabs(size / (outline * L) - 1), EXACT);
    fe_good(b.ctx, gos__fe_film(b.body, &around, &film));
    f = product(&film, T);
    verify_below("film", fabs(fe_dot(nt, T, f) / (outline * L * L * L / 3) - 1), EXACT);
    free(f);
    fe_good(b.ctx, gos__fe_source(b.body, 0, NULL, 7, Q));
    for (int i = 0; i < nt; i++) {
        sum += Q[i];
    }
    verify_below("source", fabs(sum / (7 * A * L) - 1), EXACT);
    gos__sparse_free(b.ctx, &film);
    free(T);
    free(Q);
    end(&b);
}

/* ---- stress ---------------------------------------------------------------------------------- */

/* s = E (u' - y v'' - z w'') along the beam in a fibre, e across -nu of it */
static void fibres(void **state) {
    GOS_UNUSED(state);
    static motion *const by[3] = {stretched, bent_y, bent_z};
    const double y = 0.03, z = -0.02, part[3] = {1, -y, -z};
    chain b;
    begin(&b, 4);
    double(*value)[6] = malloc(sizeof *value * (size_t)b.mesh->nnode);
    int *count = malloc(sizeof *count * (size_t)b.mesh->nnode);
    for (int k = 0; k < 6; k++) {
        const bool strain = k > 2;
        const gos_fe_recovery what = {.quantity = strain ? GOS_FE_STRAIN : GOS_FE_STRESS,
                                      .depth = {.fibre = {y, z}}};
        double *u = move(&b, by[k % 3]);
        const double e = 0.3 * part[k % 3];
        fe_good(b.ctx, gos__fe_field(b.body, &what, u, NULL, value, count));
        for (int a = 0; a < 6; a++) {
            const int i = a < 3 ? a : a - 3, j = a < 3 ? a : (a - 2) % 3;
            const double dd = b.d[i] * b.d[j], across = strain ? nu * ((i == j) - dd) : 0;
            const double one = (strain ? e : E * e) * (dd - across);
            verify_near(strain ? "strain" : "stress", value[2][a], (strain && a > 2 ? 2 : 1) * one,
                        1e-12);
        }
        free(u);
    }
    free(value);
    free(count);
    end(&b);
}

/* ---- stiffness of the stress ----------------------------------------------------------------- */

/* Force at which a beam on hinges buckles that shears by it (Engesser): P = Pe / (1 + Pe / (kappa G
   A)); orders as below. By displacements and by heat between walls. */
static double buckles(int cells, bool warm, double by) {
    static const double along[3] = {1, 0, 0};
    chain b;
    gos_sparse G = {0};
    begin_with(&b, along, 1, cells, true, scaled(by));
    const double A = b.profile.A;
    double *u = calloc((size_t)b.n, sizeof *u), *t = calloc((size_t)cells + 1, sizeof *t);
    for (int i = 0; i <= cells; i++) { // the compressive force 1
        u[6 * i] = warm ? 0 : -b.mesh->x[i][0] / (E * A);
        t[i] = warm ? 1 / (E * A * alpha) : 0;
    }
    fe_good(b.ctx, gos__fe_body_stress_stiffness(b.body, u, t, &G));
    const int n = 2 * cells;
    double *D[2], *X = malloc(sizeof *X * (size_t)n), low;
    for (int s = 0; s < 2; s++) {
        const gos_sparse *from = s ? &b.body->K : &G;
        D[s] = calloc((size_t)(n * n), sizeof *D[s]);
        for (int j = 0; j < b.n; j++) { // w and theta_y
            const int node = j / 6, c = j % 6;
            const bool in = c == 4 || (c == 2 && node > 0 && node < cells);
            const int to = c == 4 ? node : cells + node;
            for (int p = from->p[j]; p < from->p[j + 1] && in; p++) {
                const int r = from->i[p], m = r / 6, d = r % 6;
                if (d == 4 || (d == 2 && m > 0 && m < cells)) {
                    D[s][to * n + (d == 4 ? m : cells + m)] += from->x[p];
                }
            }
        }
    }
    fe_good(b.ctx, gos__dense_pencil(b.ctx, n, D[0], D[1], 1, &low, X)); // G x = -1/P K x
    gos__sparse_free(b.ctx, &G);
    free(D[0]);
    free(D[1]);
    free(X);
    free(u);
    free(t);
    end(&b);
    return -1 / low;
}

static double off_buckling(int cells, double by) {
    const gos_fe_profile p = scaled(by);
    const double Pe = M_PI * M_PI * E * p.Iy, S = p.shear[1] * E / (2 * (1 + nu)) * p.A;
    return buckles(cells, false, by) / (Pe / (1 + Pe / S)) - 1;
}

static void buckling(void **state) {
    GOS_UNUSED(state);
    const double thin = off_buckling(4, 0.01), thick = off_buckling(16, 2);
    verify_within("four cells", thin, 0, 1e-3);
    verify_within("order of a thin beam", log2(thin / off_buckling(8, 0.01)), 3.8, 4.2);
    verify_within("16 cells", thick, 0, 1e-3);
    verify_within("order of a thick beam", log2(thick / off_buckling(32, 2)), 1.9, 2.1);
    verify_below("by heat", fabs(buckles(4, true, 1) / buckles(4, false, 1) - 1), EXACT);
}

/* ---- off the nodes --------------------------------------------------------------------------- */

/* Nodes that are off the middle by o: a motion of the middle is that of the nodes by -theta x o,
 * with the same forces. */
static void offset(void **state) {
    GOS_UNUSED(state);
    chain b, c;
    gos_fe_profile p = rectangle();
    memcpy(p.normal, (const double[3]){0.3, 1, 0.2}, sizeof p.normal);
    begin_with(&b, slanted, 1.5, 1, true, p);
    p.offset[0] = 0.07;
    p.offset[1] = -0.04;
    begin_with(&c, slanted, 1.5, 1, true, p);
    double o[3], worst[2] = {0};
    for (int k = 0; k < 3; k++) {
        o[k] = p.offset[0] * b.axis[1][k] + p.offset[1] * b.axis[2][k];
    }
    for (int s = 0; s < 2; s++) {
        const gos_sparse *A = s ? &b.M : &b.body->K, *B = s ? &c.M : &c.body->K;
        for (int j = 0; j < 12; j++) {
            double u[12] = {0}, v[12], f[12], g[12];
            u[j] = 1;
            memcpy(v, u, sizeof v);
            for (int k = 0; k < 6; k++) { // of the middle
                const int n = 6 * (k / 3), x = k % 3, y = (x + 1) % 3, z = (x + 2) % 3;
                v[n + x] += u[n + 3 + y] * o[z] - u[n + 3 + z] * o[y];
            }
            fe_apply(A, v, f);
            fe_apply(B, u, g);
            for (int k = 0; k < 6; k++) {
                const int n = 6 * (k / 3), x = k % 3, y = (x + 1) % 3, z = (x + 2) % 3;
                worst[s] = fmax(worst[s], fabs(g[n + x] - f[n + x]));
                worst[s] = fmax(worst[s], fabs(g[n + 3 + x] - f[n + 3 + x] -
                                               (o[y] * f[n + z] - o[z] * f[n + y])));
            }
        }
        verify_below(s ? "mass" : "stiffness", worst[s] / gos__sparse_largest(A), 1e-14);
    }
    end(&b);
    end(&c);
}

/* ---- axes ------------------------------------------------------------------------------------ */

static void axes(void **state) {
    GOS_UNUSED(state);
    const double o[3] = {0, 0, 0}, x[3] = {2, 0, 0}, up[3] = {0, 0, 3};
    gos_fe_profile p = rectangle();
    double axis[3][3], h;
    assert_true(gos__fe_profile_axes(&p, o, x, axis, &h)); // z is e3
    verify_near("z", axis[2][2], 1, 1e-15);
    verify_near("y", axis[1][1], 1, 1e-15);
    verify_near("length", h, 2, 1e-15);
    assert_true(gos__fe_profile_axes(&p, o, up, axis, &h)); // z is e2
    verify_near("z of an upright beam", axis[2][1], 1, 1e-15);
    p.turn = M_PI / 6;
    assert_true(gos__fe_profile_axes(&p, o, x, axis, &h));
    verify_near("turned y", axis[1][2], 0.5, 1e-15);
    verify_near("turned z", axis[2][1], -0.5, 1e-15);
    p.normal[0] = 1;
    assert_false(gos__fe_profile_axes(&p, o, x, axis, &h));
    assert_true(gos__fe_profile_has(&p, height / 2, -width / 2));
    assert_false(gos__fe_profile_has(&p, height / 2, width));
}

static void stress_work(void **state) {
    GOS_UNUSED(state);
    chain b;
    begin(&b, 5);
    check_stress_work(b.body, &b.heat.couple, NULL, true, "beam");
    end(&b);
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid),     cmocka_unit_test(patches),     cmocka_unit_test(masses),
        cmocka_unit_test(expansion), cmocka_unit_test(conduction),  cmocka_unit_test(fibres),
        cmocka_unit_test(buckling),  cmocka_unit_test(frequencies), cmocka_unit_test(offset),
        cmocka_unit_test(axes),      cmocka_unit_test(stress_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
