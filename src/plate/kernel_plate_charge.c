/* Charges of patches on plates, from the strains of kernel_plate.c. Curvature terms with
 * coefficients k sum up to n . s, s = k_4 r_11 + k_5 r_22 + 2 k_6 r_12. */
#include "plate/normal.h"
#include "plate/plate_charge.h"

#define L GOS_LANES
#define NZ GOS_PLATE_CHARGE_SLOPES
#define NV 12

typedef gos_v8 vd;

GOS_INLINE double lane_sum(const vd *x) {
    double sum = 0;
    for (int l = 0; l < L; l++) {
        sum += (*x)[l];
    }
    return sum;
}

/* a batch of points */
typedef struct points {
    const double *S, *k;
    gos_normal f;
    vd z[3][3]; // r_11, r_22, r_12
    vd s[3];
} points;

GOS_INLINE void points_make(const double *S, const double *k, const double *e, points *p) {
    const vd zero = {0};
    vd z[NZ][3];
    for (int q = 0; q < NZ; q++) {
        for (int c = 0; c < 3; c++) {
            z[q][c] = zero;
            for (int j = 0; j < NV; j++) {
                z[q][c] += GOS_CV8(S, q * NV + j) * e[3 * j + c];
            }
        }
    }
    p->S = S;
    p->k = k;
    gos__normal_make(z[0], z[1], &p->f);
    for (int c = 0; c < 3; c++) {
        for (int q = 0; q < 3; q++) {
            p->z[q][c] = z[2 + q][c];
        }
        p->s[c] = GOS_CV8(k, 3) * z[2][c] + GOS_CV8(k, 4) * z[3][c] + 2 * GOS_CV8(k, 5) * z[4][c];
    }
}

GOS_INLINE double points_value(const points *p) {
    vd aa, bb, ab, sum;
    gos__v8_dot(p->f.a, p->f.a, &aa);
    gos__v8_dot(p->f.b, p->f.b, &bb);
    gos__v8_dot(p->f.a, p->f.b, &ab);
    gos__v8_dot(p->f.n, p->s, &sum);
    sum += GOS_CV8(p->k, 0) * (0.5 * (aa - 1.0)) + GOS_CV8(p->k, 1) * (0.5 * (bb - 1.0)) +
           GOS_CV8(p->k, 2) * ab;
    return lane_sum(&sum);
}

GOS_INLINE void points_gradient(const points *p, double factor, double *g) {
    vd h[3], by[NZ][3];
    gos__normal_h(&p->f, p->s, h);
    gos__normal_pull(&p->f, h, by[0], by[1]);
    for (int c = 0; c < 3; c++) {
        by[0][c] += GOS_CV8(p->k, 0) * p->f.a[c] + GOS_CV8(p->k, 2) * p->f.b[c];
        by[1][c] += GOS_CV8(p->k, 1) * p->f.b[c] + GOS_CV8(p->k, 2) * p->f.a[c];
        by[2][c] = GOS_CV8(p->k, 3) * p->f.n[c];
        by[3][c] = GOS_CV8(p->k, 4) * p->f.n[c];
        by[4][c] = 2 * GOS_CV8(p->k, 5) * p->f.n[c];
    }
    for (int j = 0; j < NV; j++) {
        for (int c = 0; c < 3; c++) {
            vd x = {0};
            for (int q = 0; q < NZ; q++) {
                x += GOS_CV8(p->S, q * NV + j) * by[q][c];
            }
            g[3 * j + c] += factor * lane_sum(&x);
        }
    }
}

/* second derivatives by r_1, r_2, and mixed ones with s */
typedef struct seconds {
    vd aa[9], ab[9], bb[9], Na[9], Nb[9];
    vd t[NV]; // of each coordinate in s
} seconds;

GOS_INLINE void seconds_make(const points *p, seconds *o) {
    vd D[3][9];
    gos__normal_second(&p->f, p->s, D);
    gos__normal_turn(&p->f, o->Na, o->Nb);
    for (int i = 0; i < 9; i++) {
        o->aa[i] = D[0][i];
        o->ab[i] = D[1][i];
        o->bb[i] = D[2][i];
        if (i % 4 == 0) {
            o->aa[i] += GOS_CV8(p->k, 0);
            o->ab[i] += GOS_CV8(p->k, 2);
            o->bb[i] += GOS_CV8(p->k, 1);
        }
    }
    for (int j = 0; j < NV; j++) {
        o->t[j] = GOS_CV8(p->k, 3) * GOS_CV8(p->S, 2 * NV + j) +
                  GOS_CV8(p->k, 4) * GOS_CV8(p->S, 3 * NV + j) +
                  2 * GOS_CV8(p->k, 5) * GOS_CV8(p->S, 4 * NV + j);
    }
}

GOS_INLINE void points_hessian(const points *p, double factor, int width, double *H) {
    seconds o;
    seconds_make(p, &o);
    for (int i = 0; i < NV; i++) {
        const vd i1 = GOS_CV8(p->S, i), i2 = GOS_CV8(p->S, NV + i);
        for (int j = 0; j < NV; j++) {
            const vd j1 = GOS_CV8(p->S, j), j2 = GOS_CV8(p->S, NV + j);
            for (int c = 0; c < 9; c++) {
                const int r = c / 3, s = c % 3, turned = 3 * s + r;
                const vd x = i1 * (j1 * o.aa[c] + j2 * o.ab[c] + o.t[j] * o.Na[c]) +
                             i2 * (j1 * o.ab[turned] + j2 * o.bb[c] + o.t[j] * o.Nb[c]) +
                             o.t[i] * (j1 * o.Na[turned] + j2 * o.Nb[turned]);
                H[(3 * i + r) * width + 3 * j + s] += factor * lane_sum(&x);
            }
        }
    }
}

GOS_KERNEL double gos__plate_charge(const gos_plate_charge *c, const double *e, double factor,
                                    double *g, int width, double *H) {
    double sum = 0;
    for (long ib = 0; ib < c->nb; ib++) {
        points p;
        points_make(c->S + ib * (NZ * NV * L), c->per + ib * (GOS_PLATE_CHARGE_STRAINS * L), e, &p);
        sum += points_value(&p);
        if (g) {
            points_gradient(&p, factor, g);
        }
        if (H) {
            points_hessian(&p, factor, width, H);
        }
    }
    return sum;
}
