/* Kinematics of the thin ANCF plate (theory 2.7): strains, curvatures, rates, gradients, forces. */
#ifndef GOS_PLATE_STRAINS_H
#define GOS_PLATE_STRAINS_H

#include "plate/normal.h"

typedef gos_v8 vd;

static const int vector_of[3] = {2, 3, 4};    // index of r_11, r_22, r_12 in z
static const double factor_of[3] = {1, 1, 2}; // b_11, b_22, 2 b_12

typedef struct geometry {
    gos_normal f;
    vd z[3][3];    // r_11, r_22, r_12
    vd E[3], b[3]; // E_11, E_22, 2 E_12; b_11, b_22, 2 b_12
} geometry;

typedef struct rates {
    vd a[3], b[3]; // rates of r_1, r_2
    vd z[3][3];    // of r_11, r_22, r_12
    vd m[3], n[3]; // of m and n
    vd E[3], k[3]; // of the strains
} rates;

GOS_INLINE void geometry_make(const double *z, geometry *g) {
    vd a[3], b[3];
    gos__v8_load3(z, 0, a);
    gos__v8_load3(z, 1, b);
    gos__normal_make(a, b, &g->f);
    gos__v8_dot(a, a, &g->E[0]);
    gos__v8_dot(b, b, &g->E[1]);
    gos__v8_dot(a, b, &g->E[2]);
    g->E[0] = 0.5 * (g->E[0] - 1.0);
    g->E[1] = 0.5 * (g->E[1] - 1.0);
    for (int k = 0; k < 3; k++) {
        gos__v8_load3(z, vector_of[k], g->z[k]);
        gos__v8_dot(g->f.n, g->z[k], &g->b[k]);
        g->b[k] *= factor_of[k];
    }
}

GOS_INLINE void rates_make(const geometry *g, const double *zd, rates *r) {
    vd x, y;
    gos__v8_load3(zd, 0, r->a);
    gos__v8_load3(zd, 1, r->b);
    gos__normal_dm(&g->f, r->a, r->b, r->m);
    gos__normal_h(&g->f, r->m, r->n);
    gos__v8_dot(g->f.a, r->a, &r->E[0]);
    gos__v8_dot(g->f.b, r->b, &r->E[1]);
    gos__v8_dot(g->f.a, r->b, &x);
    gos__v8_dot(g->f.b, r->a, &y);
    r->E[2] = x + y;
    for (int k = 0; k < 3; k++) {
        gos__v8_load3(zd, vector_of[k], r->z[k]);
        gos__v8_dot(r->n, g->z[k], &x);
        gos__v8_dot(g->f.n, r->z[k], &y);
        r->k[k] = factor_of[k] * (x + y);
    }
}

/* s such that n . s = sum of M_k k */
GOS_INLINE void moment_vector(const geometry *g, const vd M[3], vd s[3]) {
    for (int c = 0; c < 3; c++) {
        s[c] = M[0] * g->z[0][c] + M[1] * g->z[1][c] + 2 * M[2] * g->z[2][c];
    }
}

GOS_INLINE void put_forces(const geometry *g, const vd N[3], const vd M[3], double *sigma) {
    vd v[3], h[3], ga[3], gb[3];
    moment_vector(g, M, v);
    gos__normal_h(&g->f, v, h);
    gos__normal_pull(&g->f, h, ga, gb);
    for (int c = 0; c < 3; c++) {
        GOS_V8(sigma, c) = N[0] * g->f.a[c] + N[2] * g->f.b[c] + ga[c];
        GOS_V8(sigma, 3 + c) = N[1] * g->f.b[c] + N[2] * g->f.a[c] + gb[c];
        for (int k = 0; k < 3; k++) {
            GOS_V8(sigma, 3 * vector_of[k] + c) = factor_of[k] * M[k] * g->f.n[c];
        }
    }
}

/* Gradients g of the strains and rates d: strain i < 3 by r_1, r_2 (others 0); curvature k by r_1,
 * r_2; by its own vector: factor n (rate: factor dn). */
typedef struct gradients {
    vd g[6][6], d[6][6];
} gradients;

GOS_INLINE void gradients_make(const geometry *g, const rates *r, gradients *o) {
    const vd zero = {0};
    for (int c = 0; c < 3; c++) {
        o->g[0][c] = g->f.a[c], o->g[0][3 + c] = zero;
        o->g[1][c] = zero, o->g[1][3 + c] = g->f.b[c];
        o->g[2][c] = g->f.b[c], o->g[2][3 + c] = g->f.a[c];
        o->d[0][c] = r ? r->a[c] : zero, o->d[0][3 + c] = zero;
        o->d[1][c] = zero, o->d[1][3 + c] = r ? r->b[c] : zero;
        o->d[2][c] = r ? r->b[c] : zero, o->d[2][3 + c] = r ? r->a[c] : zero;
    }
    for (int k = 0; k < 3; k++) {
        vd h[3], dh[3], x[3], y[3], *to = o->g[3 + k], *dto = o->d[3 + k];
        gos__normal_h(&g->f, g->z[k], h);
        gos__normal_pull(&g->f, h, to, to + 3);
        for (int c = 0; c < 6; c++) {
            to[c] *= factor_of[k];
            dto[c] = zero;
        }
        if (r) { // d(b x h) = db x h + b x dh
            gos__normal_dh(&g->f, g->z[k], h, r->m, r->n, r->z[k], dh);
            gos__normal_pull(&g->f, dh, dto, dto + 3);
            gos__v8_cross(r->b, h, x);
            gos__v8_cross(h, r->a, y);
            for (int c = 0; c < 3; c++) {
                dto[c] = factor_of[k] * (dto[c] + x[c]);
                dto[3 + c] = factor_of[k] * (dto[3 + c] + y[c]);
            }
        }
    }
}

/* Adds second derivatives of strains times resultants N, M (already times ck). */
GOS_INLINE void add_geometric(const geometry *g, const vd N[3], const vd M[3], double *Kz) {
    vd s[3], D[3][9], Na[9], Nb[9];
    moment_vector(g, M, s);
    gos__normal_second(&g->f, s, D);
    gos__normal_turn(&g->f, Na, Nb);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            GOS_V8(Kz, i * 15 + j) += D[0][3 * i + j];
            GOS_V8(Kz, i * 15 + 3 + j) += D[1][3 * i + j];
            GOS_V8(Kz, (3 + j) * 15 + i) += D[1][3 * i + j];
            GOS_V8(Kz, (3 + i) * 15 + 3 + j) += D[2][3 * i + j];
            for (int k = 0; k < 3; k++) {
                const vd m = factor_of[k] * M[k];
                const int q = 3 * vector_of[k];
                GOS_V8(Kz, i * 15 + q + j) += m * Na[3 * i + j];
                GOS_V8(Kz, (3 + i) * 15 + q + j) += m * Nb[3 * i + j];
                GOS_V8(Kz, (q + j) * 15 + i) += m * Na[3 * i + j];
                GOS_V8(Kz, (q + j) * 15 + 3 + i) += m * Nb[3 * i + j];
            }
        }
        GOS_V8(Kz, i * 15 + i) += N[0];
        GOS_V8(Kz, (3 + i) * 15 + 3 + i) += N[1];
        GOS_V8(Kz, i * 15 + 3 + i) += N[2];
        GOS_V8(Kz, (3 + i) * 15 + i) += N[2];
    }
}

#endif
