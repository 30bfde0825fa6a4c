/* Continuum elements, eight cells at once (continuum.h). */
#include "fe/continuum.h"

typedef gos_v8 vd;

/* ---- geometry -------------------------------------------------------------------------------- */

/* of J[i][j] (positions by natural coordinates); determinant */
GOS_INLINE void cofactors(int dim, const double *x, int n, const double (*dN)[3], vd A[3][3],
                          vd *det) {
    vd J[3][3];
    const vd zero = {0};
    for (int i = 0; i < dim; i++) {
        for (int j = 0; j < dim; j++) {
            J[i][j] = zero;
        }
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < dim; j++) {
                J[i][j] += dN[k][i] * GOS_CV8(x, 3 * k + j);
            }
        }
    }
    if (dim == 2) {
        A[0][0] = J[1][1];
        A[0][1] = -J[0][1];
        A[1][0] = -J[1][0];
        A[1][1] = J[0][0];
        *det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
        return;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            A[j][i] = J[p][r] * J[q][s] - J[p][s] * J[q][r];
        }
    }
    *det = J[0][0] * A[0][0] + J[0][1] * A[1][0] + J[0][2] * A[2][0];
}

GOS_INLINE void radius(const gos_continuum *c, const double *x, const double *N, vd *r) {
    const vd zero = {0};
    *r = zero;
    for (int k = 0; k < c->nodes; k++) {
        *r += N[k] * GOS_CV8(x, 3 * k);
    }
}

/* volume factor: thickness, or circumference */
GOS_INLINE void depth(const gos_continuum *c, bool ring, const double *x, const double *N, vd *h) {
    if (ring) {
        radius(c, x, N, h);
        *h *= 2 * 3.14159265358979323846;
    } else {
        const vd zero = {0};
        *h = zero + c->thickness;
    }
}

typedef struct range {
    double least[8], most[8];
} range;

GOS_INLINE void keep(const vd *volume, range *r) {
    for (int l = 0; l < 8; l++) {
        const double v = (*volume)[l];
        r->least[l] = v < r->least[l] || !(v == v) ? v : r->least[l];
        r->most[l] = v > r->most[l] ? v : r->most[l];
    }
}

/* at stiffness points; roots of weights; slopes times these */
GOS_INLINE void slopes_at(const gos_continuum *c, int dim, bool ring, const double *x, double *g,
                          double *s, range *volume) {
    const int slopes = ring ? 3 : dim, all = c->nodes + c->inner;
    vd A0[3][3], det0;
    cofactors(dim, x, c->nodes, c->centre, A0, &det0);
    for (int p = 0; p < c->stiffness.n; p++) {
        const double *N = c->stiffness.N[p];
        const double(*dN)[3] = c->stiffness.dN[p];
        vd A[3][3], det, h, root;
        cofactors(dim, x, c->nodes, dN, A, &det);
        depth(c, ring, x, N, &h);
        h *= det;
        keep(&h, volume);
        h *= c->stiffness.weight[p];
        gos__v8_sqrt(&h, &root);
        GOS_V8(s, p) = root;
        const vd by = root / det;
        double *at = g + (size_t)p * all * slopes * 8;
        for (int k = 0; k < all; k++) {
            for (int j = 0; j < dim; j++) {
                vd slope = (k < c->nodes ? A[j][0] : A0[j][0]) * dN[k][0];
                for (int i = 1; i < dim; i++) {
                    slope += (k < c->nodes ? A[j][i] : A0[j][i]) * dN[k][i];
                }
                GOS_V8(at, k * slopes + j) = slope * by;
            }
        }
        if (ring) {
            vd r;
            radius(c, x, N, &r);
            r = root / r;
            for (int k = 0; k < c->nodes; k++) {
                GOS_V8(at, k * 3 + 2) = N[k] * r;
            }
        }
    }
}

/* ---- stiffness and conduction ---------------------------------------------------------------- */

GOS_INLINE void material(const gos_continuum_law *law, int comps, const double *A, int nd, int row,
                         int column, double *K) {
    for (int r = 0; r < comps; r++) {
        for (int s = 0; s < comps; s++) {
            const int rs = r * comps + s;
            vd sum = {0};
            for (int k = law->start[rs]; k < law->start[rs + 1]; k++) {
                sum += GOS_CV8(law->D, k) * GOS_CV8(A, law->place[k]);
            }
            GOS_V8(K, (row + r) * nd + column + s) = sum;
        }
    }
}

GOS_INLINE void pairs(const gos_continuum *c, const gos_continuum_law *law, int slopes, int comps,
                      int dim, const double *g, gos_fe_local *local) {
    const int all = c->nodes + c->inner, nd = all * comps;
    const size_t step = (size_t)all * slopes * 8;
    for (int i = 0; i < all; i++) {
        for (int j = i; j < all; j++) {
            vd A[9] = {{0}};
            const double *a = g + (size_t)i * slopes * 8, *b = g + (size_t)j * slopes * 8;
            for (int p = 0; p < c->stiffness.n; p++, a += step, b += step) {
                for (int u = 0; u < slopes; u++) {
                    for (int v = 0; v < slopes; v++) {
                        A[3 * u + v] += GOS_CV8(a, u) * GOS_CV8(b, v);
                    }
                }
            }
            if (local->K) {
                material(law, comps, (const double *)A, nd, i * comps, j * comps, local->K);
            }
            if (local->conduct && j < c->nodes) {
                vd sum = {0};
                for (int u = 0; u < dim; u++) {
                    for (int v = 0; v < dim; v++) {
                        sum += GOS_CV8(law->lambda, 3 * u + v) * A[3 * u + v];
                    }
                }
                GOS_V8(local->conduct, i * c->nodes + j) = sum;
            }
        }
    }
}

GOS_INLINE void forces(const gos_continuum *c, const gos_continuum_law *law, int slopes, int comps,
                       const double *g, const double *s, double *out) {
    const int all = c->nodes + c->inner;
    for (int i = 0; i < all; i++) {
        for (int j = 0; j < c->nodes; j++) {
            vd b[3] = {{0}};
            for (int p = 0; p < c->stiffness.n; p++) {
                const vd N = c->stiffness.N[p][j] * GOS_CV8(s, p);
                for (int u = 0; u < slopes; u++) {
                    b[u] += GOS_CV8(g, ((size_t)p * all + i) * slopes + u) * N;
                }
            }
            for (int r = 0; r < comps; r++) {
                vd sum = {0};
                for (int u = 0; u < slopes; u++) {
                    sum += GOS_CV8(law->beta, 3 * r + u) * b[u];
                }
                GOS_V8(out, (i * comps + r) * c->nodes + j) = sum;
            }
        }
    }
}

/* Condense internal freedoms, the last of nd, into `to`. */
GOS_INLINE void condense(int nd, int inner, int nt, double *K, double *f, double *to) {
    const int n = nd - inner;
    for (int k = nd - 1; k >= n; k--) {
        const vd by = 1.0 / GOS_CV8(K, k * nd + k);
        for (int i = 0; i < k; i++) {
            const vd factor = GOS_CV8(K, i * nd + k) * by;
            for (int j = i; j < k; j++) {
                GOS_V8(K, i * nd + j) -= factor * GOS_CV8(K, j * nd + k);
            }
            for (int j = 0; j < nt && f; j++) {
                GOS_V8(f, i * nt + j) -= factor * GOS_CV8(f, k * nt + j);
            }
        }
    }
    for (int i = 0; i < n && to; i++) {
        for (int j = i; j < n; j++) {
            GOS_V8(to, i * n + j) = GOS_CV8(K, i * nd + j);
        }
    }
}

/* ---- mass and capacity ----------------------------------------------------------------------- */

GOS_INLINE void mass(const gos_continuum *c, const gos_continuum_law *law, int dim, bool ring,
                     const double *x, double *s, range *volume, gos_fe_local *local) {
    const gos_continuum_points *m = &c->mass;
    for (int p = 0; p < m->n; p++) {
        vd A[3][3], det, h;
        cofactors(dim, x, c->nodes, m->dN[p], A, &det);
        depth(c, ring, x, m->N[p], &h);
        h *= det;
        keep(&h, volume);
        GOS_V8(s, p) = m->weight[p] * h;
    }
    for (int i = 0; i < c->nodes; i++) {
        for (int j = i; j < c->nodes; j++) {
            vd sum = {0};
            for (int p = 0; p < m->n; p++) {
                sum += (m->N[p][i] * m->N[p][j]) * GOS_CV8(s, p);
            }
            if (local->mass) {
                GOS_V8(local->mass, i * c->nodes + j) = sum * GOS_CV8(law->density, 0);
            }
            if (local->C) {
                GOS_V8(local->C, i * c->nodes + j) = sum * GOS_CV8(law->heat, 0);
            }
        }
    }
}

/* with incompatible modes stiffness and coupling are condensed together */
GOS_INLINE void element(const gos_continuum *c, const gos_continuum_law *law, int dim, bool ring,
                        const double *x, gos_fe_local *local) {
    const int slopes = ring ? 3 : dim, comps = dim, nd = (c->nodes + c->inner) * comps;
    double *s = local->scratch, *g = s + 8 * GOS_RULE_POINTS;
    double *aside = g + (size_t)8 * c->stiffness.n * (c->nodes + c->inner) * slopes;
    gos_fe_local all = *local;
    range volume;
    for (int l = 0; l < 8; l++) {
        volume.least[l] = __builtin_inf();
        volume.most[l] = 0;
    }
    if (c->inner > 0 && (local->K || local->couple)) {
        all.K = aside;
        all.couple = local->couple ? aside + (size_t)8 * nd * nd : NULL;
    }
    if (all.K || all.conduct || all.couple) {
        slopes_at(c, dim, ring, x, g, s, &volume);
    }
    if (all.K || all.conduct) {
        pairs(c, law, slopes, comps, dim, g, &all);
    }
    if (all.couple) {
        forces(c, law, slopes, comps, g, s, all.couple);
    }
    if (all.K && c->inner > 0) {
        const int n = c->nodes * comps;
        condense(nd, nd - n, c->nodes, all.K, all.couple, local->K);
        for (int i = 0; i < n * c->nodes && all.couple; i++) {
            GOS_V8(local->couple, i) = GOS_CV8(all.couple, i);
        }
    }
    if (local->mass || local->C) {
        mass(c, law, dim, ring, x, s, &volume, local);
    }
    for (int l = 0; l < 8; l++) {
        local->least[l] = volume.least[l] / volume.most[l]; // NaN if none is positive
    }
}

GOS_KERNEL void gos__kernel_continuum(const gos_continuum *c, const gos_continuum_law *law,
                                      const double *x, gos_fe_local *local) {
    switch (c->kind) {
    case GOS_CONTINUUM_PLANE:
        element(c, law, 2, false, x, local);
        break;
    case GOS_CONTINUUM_RING:
        element(c, law, 2, true, x, local);
        break;
    default:
        element(c, law, 3, false, x, local);
    }
}
