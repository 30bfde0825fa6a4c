/* Adds an item to a dense Newton matrix, column-wise for contiguous inner loops. */
#include "base/kernel.h"
#include "system/assemble.h"

GOS_INLINE bool consecutive(const gos_marker *m) {
    int off = 0;
    for (int j = 0; j < m->n; j++) {
        off |= m->idx[j] - m->idx[0] - j;
    }
    return off == 0;
}

/* column += sum over marker coordinates of w g */
GOS_INLINE void add_column(const gos_marker *m, const double g[3], double *restrict column) {
    if (m->n > 0 && consecutive(m)) {
        double *restrict to = column + 3 * m->idx[0];
        for (int j = 0; j < m->n; j++) {
            to[3 * j] += m->w[j] * g[0];
            to[3 * j + 1] += m->w[j] * g[1];
            to[3 * j + 2] += m->w[j] * g[2];
        }
        return;
    }
    for (int j = 0; j < m->n; j++) {
        double *restrict to = column + 3 * m->idx[j];
        to[0] += m->w[j] * g[0];
        to[1] += m->w[j] * g[1];
        to[2] += m->w[j] * g[2];
    }
}

GOS_INLINE void add_forces(const gos_item *it, const double *B, int n, double *restrict A) {
    const int nx = 3 * it->nm;
    for (int p = 0; p < it->nm; p++) {
        for (int l = 0; l < it->m[p].n; l++) {
            for (int c = 0; c < 3; c++) {
                double *column = A + (size_t)(3 * it->m[p].idx[l] + c) * (size_t)n;
                for (int m = 0; m < it->nm; m++) {
                    const double *b = B + 3 * m * nx + 3 * p + c;
                    const double w = it->m[p].w[l], g[3] = {w * b[0], w * b[nx], w * b[2 * nx]};
                    if (g[0] != 0 || g[1] != 0 || g[2] != 0) {
                        add_column(&it->m[m], g, column);
                    }
                }
            }
        }
    }
}

GOS_INLINE void add_rows(const gos_item *it, const double *cx, double lam, int row0, int n,
                         double *restrict A) {
    const int nx = 3 * it->nm;
    for (int r = 0; r < it->nc; r++) {
        const int row = row0 + it->c0 + r;
        for (int m = 0; m < it->nm; m++) {
            const gos_marker *k = &it->m[m];
            const double *c = cx + r * nx + 3 * m;
            const double g[3] = {lam * c[0], lam * c[1], lam * c[2]};
            add_column(k, g, A + (size_t)row * (size_t)n);
            for (int j = 0; j < k->n; j++) {
                for (int q = 0; q < 3; q++) {
                    A[(size_t)(3 * k->idx[j] + q) * (size_t)n + (size_t)row] += k->w[j] * c[q];
                }
            }
        }
    }
}

GOS_INLINE void add_heat(const gos_system *s, const gos_item *it, const gos_item_blocks *b, int i,
                         int row, double w, double *restrict A) {
    const int nx = 3 * it->nm, n = s->pattern.n, ch = s->at.lamT;
    for (int m = 0; m < it->nm; m++) {
        const gos_marker *k = &it->m[m];
        const double *g = b->bx + i * nx + 3 * m;
        for (int l = 0; l < k->n; l++) {
            for (int c = 0; c < 3; c++) {
                A[(size_t)(3 * k->idx[l] + c) * (size_t)n + (size_t)row] -=
                    b->ck * w * k->w[l] * g[c];
            }
        }
    }
    for (int p = 0; p < it->ntm; p++) {
        const gos_tmarker *k = &it->tm[p];
        for (int l = 0; l < k->n; l++) {
            A[(size_t)(s->at.th + k->idx[l]) * (size_t)n + (size_t)row] -=
                w * k->w[l] * b->bth[i * it->ntm + p];
        }
    }
    for (int r = 0; r < it->nh; r++) {
        const int line = ch + it->h0 + r;
        const double v = w * b->hth[r * it->ntm + i];
        A[(size_t)row * (size_t)n + (size_t)line] += v;
        A[(size_t)line * (size_t)n + (size_t)row] += b->lamT * v;
    }
}

/* force-temperature and heat-rate coupling */
GOS_INLINE void add_mixed(const gos_system *s, const gos_item *it, const gos_item_blocks *b,
                          double *restrict A) {
    const int nx = 3 * it->nm, n = s->pattern.n;
    for (int e = 0; e < nx * it->ntm; e++) {
        const int x = e / it->ntm, i = e % it->ntm;
        const gos_marker *m = &it->m[x / 3];
        const gos_tmarker *t = &it->tm[i];
        for (int j = 0; j < m->n; j++) {
            for (int l = 0; l < t->n; l++) {
                const size_t q = (size_t)(3 * m->idx[j] + x % 3),
                             th = (size_t)(s->at.th + t->idx[l]);
                const double w = m->w[j] * t->w[l];
                A[th * (size_t)n + q] -= w * b->Bth[e];
                A[q * (size_t)n + th] -= b->cd * w * b->bv[i * nx + x];
            }
        }
    }
}

GOS_KERNEL void gos__item_dense(const gos_system *s, const gos_item *it, const gos_item_blocks *b,
                                double *values) {
    if (!it->dead && !(it->linear && it->nc > 0)) {
        add_forces(it, b->B, s->pattern.n, values);
    }
    if (it->mixed) {
        add_mixed(s, it, b, values);
    }
    add_rows(it, b->cx, b->lam, s->at.lam, s->pattern.n, values);
    for (int i = 0; i < it->ntm; i++) {
        for (int j = 0; j < it->tm[i].n; j++) {
            add_heat(s, it, b, i, s->at.th + it->tm[i].idx[j], it->tm[i].w[j], values);
        }
    }
}
