/* Strains and stresses in cells of continuum elements. */
#include <cblas.h>
#include <math.h>

#include "fe/continuum.h"

#define INNER 9 // freedoms of incompatible modes
#define MAX_FREEDOMS (3 * GOS_CELL_NODES)

/* strains at a point by nodal and internal freedoms */
typedef struct strains {
    double N[GOS_CELL_NODES];
    double B[6][MAX_FREEDOMS + INNER];
    double volume; // without quadrature weight
} strains;

/* Incompatible modes use the scaled Jacobian of the centre: no work with constant stress. */
static void inner_slopes(const gos_continuum *c, const gos_fe_cell *cell, const double at[3],
                         double det, double (*grad)[3]) {
    double(*x)[3] = (double(*)[3])cell->x, by[GOS_FE_INNER][3] = {{0}};
    double basis[3][3] = {{0}}, N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], g[GOS_CELL_NODES][3];
    gos__shape(cell->shape, (const double[3]){0}, N, dN);
    const double det0 = gos__shape_gradient(c->dim, c->nodes, x, dN, g);
    // derivatives of natural coordinate i, from nodal values
    double node[GOS_CELL_NODES][3];
    gos__shape_nodes(cell->shape, node);
    for (int i = 0; i < c->dim; i++) {
        for (int k = 0; k < c->nodes; k++) {
            for (int j = 0; j < c->dim; j++) {
                basis[i][j] += node[k][i] * g[k][j];
            }
        }
    }
    for (int i = 0; i < c->inner; i++) {
        for (int j = 0; j < c->dim; j++) {
            by[i][j] = -2 * at[i] * basis[i][j] * det0 / det;
        }
        memcpy(grad[i], by[i], sizeof by[i]);
    }
}

static void strains_at(const gos_continuum *c, const gos_fe_cell *cell, const double at[3],
                       strains *s) {
    double(*x)[3] = (double(*)[3])cell->x, dN[GOS_CELL_NODES][3];
    double grad[GOS_CELL_NODES + GOS_FE_INNER][3] = {{0}}, r = 0;
    gos__shape(cell->shape, at, s->N, dN);
    s->volume = gos__shape_gradient(c->dim, c->nodes, x, dN, grad);
    inner_slopes(c, cell, at, s->volume, grad + c->nodes);
    for (int k = 0; k < c->nodes; k++) {
        r += s->N[k] * x[k][0];
    }
    for (int k = 0; k < c->nodes && c->kind == GOS_CONTINUUM_RING; k++) {
        grad[k][2] = s->N[k] / r;
    }
    memset(s->B, 0, sizeof s->B);
    for (int k = 0; k < c->nodes + c->inner; k++) {
        for (int rp = 0; rp < 9; rp++) {
            const int row = rp / 3, slope = rp % 3;
            const int a = row < c->comps && slope < c->slopes
                              ? gos__continuum_strain_of(c->kind, row, slope)
                              : -1;
            if (a >= 0) {
                s->B[a][k * c->comps + row] += grad[k][slope];
            }
        }
    }
}

/* Internal freedoms by nodal ones (INNER, nd) and temperatures (INNER, nodes): zero force. */
static void inner_by(const gos_continuum *c, const gos_fe_cell *cell, double (*H)[6],
                     const double stress[6], double by[INNER][MAX_FREEDOMS + GOS_CELL_NODES]) {
    const int nd = c->nodes * c->comps, n = c->inner * c->comps, all = nd + c->nodes;
    double A[INNER][INNER] = {{0}};
    strains s;
    gos_rule rule;
    memset(by, 0, INNER * sizeof *by);
    gos__rule(cell->shape, GOS_RULE_STIFFNESS, &rule);
    for (int p = 0; p < rule.n; p++) {
        strains_at(c, cell, rule.at[p], &s);
        for (int i = 0; i < n; i++) {
            double f[6] = {0}, load = 0;
            for (int a = 0; a < 36; a++) {
                f[a % 6] += s.B[a / 6][nd + i] * H[a / 6][a % 6];
            }
            for (int a = 0; a < 6; a++) {
                load += s.B[a][nd + i] * stress[a];
            }
            const double w = rule.weight[p] * s.volume;
            for (int a = 0; a < 6; a++) {
                for (int j = 0; j < nd; j++) {
                    by[i][j] -= w * f[a] * s.B[a][j];
                }
                for (int j = 0; j < n; j++) {
                    A[i][j] += w * f[a] * s.B[a][nd + j];
                }
            }
            for (int j = 0; j < c->nodes; j++) {
                by[i][nd + j] += w * load * s.N[j];
            }
        }
    }
    for (int k = 0; k < n; k++) { // positive definite
        for (int i = 0; i < n; i++) {
            const double f = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = 0; j < n; j++) {
                A[i][j] -= f * A[k][j];
            }
            for (int j = 0; j < all; j++) {
                by[i][j] -= f * by[k][j];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < all; j++) {
            by[i][j] /= A[i][i];
        }
    }
}

/* for zero transverse stress: zz, yz, zx by elastic xx, yy, xy */
static void across(const gos_fe_material *m, double G[6][6]) {
    static const int out[3] = {2, 4, 5};
    double A[3][6];
    memset(G, 0, 36 * sizeof G[0][0]);
    for (int i = 0; i < 3; i++) {
        memcpy(A[i], m->stiffness[out[i]], sizeof A[i]);
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            const double f = i == k ? 0 : A[i][out[k]] / A[k][out[k]];
            for (int j = 0; j < 6; j++) {
                A[i][j] -= f * A[k][j];
            }
        }
    }
    for (int i = 0; i < 9; i++) {
        const int in = i % 3 == 2 ? 3 : i % 3;
        G[out[i / 3]][in] = -A[i / 3][in] / A[i / 3][out[i / 3]];
    }
}

/* y += factor L (6, n) x */
static void multiply(double (*L)[6], double factor, const double x[6], double *y, int stride) {
    for (int a = 0; a < 36; a++) {
        y[(size_t)(a / 6) * stride] += factor * L[a / 6][a % 6] * x[a % 6];
    }
}

void gos__continuum_recover(const void *data, const gos_fe_cell *cell, bool strain, int n,
                            double (*at)[3], const gos_fe_depth *depth, double *by_u,
                            double *by_t) {
    const gos_continuum *c = data;
    const int nd = c->nodes * c->comps;
    gos_fe_material m = cell->material;
    double L[6][6] = {{0}}, load[6] = {0}, inner[INNER][MAX_FREEDOMS + GOS_CELL_NODES];
    GOS_UNUSED(depth);
    if (c->thin) {
        gos__fe_material_thin(&m);
    }
    for (int a = 0; a < 36; a++) {
        load[a / 6] += m.stiffness[a / 6][a % 6] * m.expansion[a % 6];
    }
    if (c->inner > 0) {
        inner_by(c, cell, m.stiffness, load, inner);
    }
    // result: L times (strain - expansion theta), for strains plus expansion theta
    if (!strain) {
        memcpy(L, m.stiffness, sizeof L);
    } else if (c->thin) {
        across(&cell->material, L);
    }
    for (int a = 0; a < 6 && strain; a++) {
        L[a][a] += !c->thin || a < 2 || a == 3;
    }
    memset(by_u, 0, (size_t)n * 6 * (size_t)nd * sizeof *by_u);
    memset(by_t, 0, (size_t)n * 6 * (size_t)c->nodes * sizeof *by_t);
    for (int p = 0; p < n; p++) {
        strains s;
        double *u = by_u + (size_t)p * 6 * nd, *t = by_t + (size_t)p * 6 * c->nodes;
        strains_at(c, cell, at[p], &s);
        for (int k = 0; k < nd + c->nodes; k++) {
            double e[6] = {0};
            double *y = k < nd ? u + k : t + (k - nd);
            const int stride = k < nd ? nd : c->nodes;
            for (int a = 0; a < 6; a++) {
                e[a] = k < nd ? s.B[a][k] : 0;
                for (int i = 0; i < c->inner * c->comps; i++) {
                    e[a] += s.B[a][nd + i] * inner[i][k];
                }
                e[a] -= k < nd ? 0 : s.N[k - nd] * m.expansion[a];
            }
            multiply(L, 1, e, y, stride);
            for (int a = 0; a < 6 && strain && k >= nd; a++) {
                y[(size_t)a * stride] += s.N[k - nd] * cell->material.expansion[a];
            }
        }
    }
}

static void stresses(const gos_continuum *c, const gos_fe_cell *cell, const double *u,
                     const double *t, double stress[GOS_RULE_POINTS][6]) {
    const int nd = c->nodes * c->comps;
    double by_u[GOS_RULE_POINTS * 6 * MAX_FREEDOMS], by_t[GOS_RULE_POINTS * 6 * GOS_CELL_NODES];
    gos__continuum_recover(c, cell, false, c->stiffness.n, (double(*)[3])c->stiffness.at, 0, by_u,
                           by_t);
    for (int row = 0; row < 6 * c->stiffness.n; row++) {
        double sum = 0;
        for (int k = 0; k < nd; k++) {
            sum += by_u[row * nd + k] * u[k];
        }
        for (int k = 0; k < c->nodes; k++) {
            sum += by_t[row * c->nodes + k] * t[k];
        }
        stress[row / 6][row % 6] = sum;
    }
}

/* w grad N_k . sigma grad N_l per component; axisymmetric: N / r to the radial one */
static void add_point(const gos_continuum *c, double (*grad)[3], const double stress[6], double w,
                      double *G) {
    static const signed char place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    const bool ring = c->kind == GOS_CONTINUUM_RING;
    const int n = c->nodes, nd = n * c->comps;
    for (int kl = 0; kl < n * n; kl++) {
        const int k = kl / n, l = kl % n;
        double sum = 0;
        for (int ab = 0; ab < 9; ab++) {
            const bool hoop = ring && (ab / 3 == 2 || ab % 3 == 2);
            sum +=
                hoop ? 0 : grad[k][ab / 3] * stress[(int)place[ab / 3][ab % 3]] * grad[l][ab % 3];
        }
        for (int d = 0; d < c->comps; d++) {
            G[(size_t)(k * c->comps + d) * nd + l * c->comps + d] += w * sum;
        }
        if (ring) {
            G[(size_t)(k * c->comps) * nd + l * c->comps] +=
                w * stress[2] * grad[k][2] * grad[l][2];
        }
    }
}

/* slopes of shape functions, axisymmetric with N / r; returns the volume */
static double slopes_at(const gos_continuum *c, const gos_fe_cell *cell, int p,
                        double grad[GOS_CELL_NODES][3]) {
    const bool ring = c->kind == GOS_CONTINUUM_RING;
    double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], r = 0;
    memset(grad, 0, GOS_CELL_NODES * sizeof grad[0]);
    gos__shape(cell->shape, c->stiffness.at[p], N, dN);
    const double w = c->stiffness.weight[p] * c->thickness *
                     gos__shape_gradient(c->dim, c->nodes, (double(*)[3])cell->x, dN, grad);
    for (int k = 0; k < c->nodes; k++) {
        r += N[k] * cell->x[k][0];
    }
    for (int k = 0; k < c->nodes && ring; k++) {
        grad[k][2] = N[k] / r;
    }
    return ring ? w * 2 * 3.14159265358979323846 * r : w;
}

/* int sum_r grad u_r . sigma grad u_r, with hoop term */
void gos__continuum_stress_stiffness(const void *data, const gos_fe_cell *cell, const double *u,
                                     const double *t, double *G) {
    const gos_continuum *c = data;
    const int nd = c->nodes * c->comps;
    double stress[GOS_RULE_POINTS][6];
    memset(G, 0, (size_t)nd * (size_t)nd * sizeof *G);
    stresses(c, cell, u, t, stress);
    for (int p = 0; p < c->stiffness.n; p++) {
        double grad[GOS_CELL_NODES][3];
        const double w = slopes_at(c, cell, p, grad);
        add_point(c, grad, stress[p], w, G);
    }
}

/* slopes of displacements; the hoop slope is that of the radial one */
static void slopes_of(const gos_continuum *c, double (*grad)[3], const double *x,
                      double slope[3][3]) {
    memset(slope, 0, 9 * sizeof slope[0][0]);
    for (int k = 0; k < c->nodes; k++) {
        for (int da = 0; da < 3 * c->comps; da++) {
            slope[da / 3][da % 3] += grad[k][da % 3] * x[k * c->comps + da / 3];
        }
    }
    if (c->kind == GOS_CONTINUUM_RING) {
        slope[1][2] = 0;
    }
}

/* of two displacements, and of a further one (NULL: none) by its strains B (6, nd) */
static void second_strain(const gos_continuum *c, double x[3][3], double y[3][3],
                          const double *further, const double *B, double eta[6]) {
    static const int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    const int nd = c->nodes * c->comps;
    for (int a = 0; a < 6; a++) {
        const int p = row[a], q = column[a];
        eta[a] = 0;
        for (int d = 0; d < 3; d++) {
            eta[a] += x[d][p] * y[d][q] + (p != q ? x[d][q] * y[d][p] : 0);
        }
        eta[a] = c->kind == GOS_CONTINUUM_RING && a > 3 ? 0 : eta[a];
        for (int k = 0; k < nd && further; k++) {
            eta[a] += B[a * nd + k] * further[k];
        }
    }
}

void gos__continuum_stress_work(const void *data, const gos_fe_cell *cell, int m, const double *X,
                                const double *second, double *by_u, double *by_t) {
    const gos_continuum *c = data;
    const int nt = c->nodes, nd = nt * c->comps, points = c->stiffness.n;
    double(*at)[3] = (double(*)[3])c->stiffness.at;
    double su[GOS_RULE_POINTS * 6 * MAX_FREEDOMS], st[GOS_RULE_POINTS * 6 * GOS_CELL_NODES];
    double B[GOS_RULE_POINTS * 6 * MAX_FREEDOMS], not_asked[GOS_RULE_POINTS * 6 * GOS_CELL_NODES];
    double eta[GOS_FE_MOTIONS * (GOS_FE_MOTIONS + 1) / 2][GOS_RULE_POINTS * 6];
    gos__continuum_recover(c, cell, false, points, at, NULL, su, st);
    if (second) {
        gos__continuum_recover(c, cell, true, points, at, NULL, B, not_asked);
    }
    for (int p = 0; p < points; p++) {
        double grad[GOS_CELL_NODES][3], slope[GOS_FE_MOTIONS][3][3];
        const double w = slopes_at(c, cell, p, grad);
        for (int i = 0, pair = 0; i < m; i++) {
            slopes_of(c, grad, X + (size_t)i * nd, slope[i]);
            for (int j = 0; j <= i; j++, pair++) {
                second_strain(c, slope[i], slope[j], second ? second + (size_t)pair * nd : NULL,
                              B + (size_t)p * 6 * nd, eta[pair] + 6 * p);
                for (int a = 0; a < 6; a++) {
                    eta[pair][6 * p + a] *= w;
                }
            }
        }
    }
    const int pairs = m * (m + 1) / 2;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, pairs, nd, 6 * points, 1, eta[0],
                GOS_RULE_POINTS * 6, su, nd, 1, by_u, nd);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, pairs, nt, 6 * points, 1, eta[0],
                GOS_RULE_POINTS * 6, st, nt, 1, by_t, nt);
}
