/* Shared by the cable laws with a section frame: frame components, section forces and heat,
 * transformation to space. Notation of kernel_cable.c. */
#ifndef GOS_CABLE_FRAME_H
#define GOS_CABLE_FRAME_H

#include "base/kernel.h"
#include "line/cable_law.h"

typedef gos_v8 vd;

/* section frame and strains */
typedef struct frame {
    vd a, A, iD, mu, tau, c2, eps, k2, k3; // A = 1/|p|, iD = 1/|v x t|
    vd R[3][3];                            // rows t, d2, d3
} frame;

/* stiffnesses of eps, k2, k3; stress-free curvatures (k2, k3) */
typedef struct section {
    vd D[3], k0[2];
} section;

/* Of the whole body, without curvature; own >= 0: per point, from reference data `own` on. */
GOS_INLINE void section_make(const gos_cable_par *par, const gos_batch *b, const int own,
                             section *c) {
    const vd zero = {0};
    if (own >= 0) {
        for (int k = 0; k < 2; k++) {
            c->k0[k] = GOS_CV8(b->ref, own + k);
        }
        for (int k = 0; k < 3; k++) {
            c->D[k] = GOS_CV8(b->ref, own + 2 + k);
        }
    } else {
        c->D[0] = zero + par->EA, c->D[1] = zero + par->EIz, c->D[2] = zero + par->EIy;
    }
}

/* Scale of increments: 1/|p| for p and s, 1/D for v. */
GOS_INLINE const vd *scale_of(const frame *f, int o) {
    return o == 6 ? &f->iD : &f->A;
}

/* rates (x, y, n) in the frame */
GOS_INLINE void frame_rates(const frame *f, const int n, const double *zd, vd u[9]) {
    for (int o = 0; o < n; o += 3) {
        const vd s = *scale_of(f, o);
        for (int i = 0; i < 3; i++) {
            u[o + i] = s * (f->R[i][0] * GOS_CV8(zd, o) + f->R[i][1] * GOS_CV8(zd, o + 1) +
                            f->R[i][2] * GOS_CV8(zd, o + 2));
        }
    }
}

/* Subtracts stress-free curvature and thermal strain from e = (eps, k2, k3). */
GOS_INLINE void subtract_free_strains(const gos_cable_par *par, const section *c, const int own,
                                      int nfam, const gos_batch *b, vd e[3]) {
    if (own >= 0) {
        e[1] -= c->k0[0];
        e[2] -= c->k0[1];
    }
    if (b->th && nfam > 0) {
        e[0] -= par->alpha * GOS_CV8(b->th, 0);
        e[1] += par->alpha * GOS_CV8(b->th, 1);
        e[2] += par->alpha * GOS_CV8(b->th, 2);
    }
}

/* Section forces M (N, M2, M3) from strains and rates r; heat and energies if requested. */
GOS_INLINE void section_forces(const gos_cable_par *par, const int own, int nfam,
                               const gos_batch *b, const vd strain[3], const vd r[3], vd M[3]) {
    const double ga = par->gamma, al = par->alpha;
    vd e[3] = {strain[0], strain[1], strain[2]};
    section c;
    section_make(par, b, own, &c);
    const vd *D = c.D;
    subtract_free_strains(par, &c, own, nfam, b, e);
    for (int k = 0; k < 3; k++) {
        M[k] = D[k] * (e[k] + ga * r[k]);
    }
    const vd P = ga * (D[0] * r[0] * r[0] + D[1] * r[1] * r[1] + D[2] * r[2] * r[2]);
    if (b->heat && b->th) {
        GOS_V8(b->heat, 0) += par->viscous * P - par->T0 * al * D[0] * r[0];
        GOS_V8(b->heat, 1) += par->T0 * al * D[1] * r[1];
        GOS_V8(b->heat, 2) += par->T0 * al * D[2] * r[2];
    }
    if (b->energy) {
        GOS_V8(b->energy, 0) = 0.5 * (D[0] * e[0] * e[0] + D[1] * e[1] * e[1] + D[2] * e[2] * e[2]);
        GOS_V8(b->power, 0) = P;
        GOS_V8(b->dwdth, 0) = -D[0] * al * e[0];
        GOS_V8(b->dwdth, 1) = D[1] * al * e[1];
        GOS_V8(b->dwdth, 2) = D[2] * al * e[2];
    }
}

/* eps [-], k2, k3 [1/m]; N [N], M2, M3 [N m] with viscous parts */
GOS_INLINE void put_strains(const gos_cable_par *par, const int own, int nfam, const gos_batch *b,
                            const vd e[3], const vd r[3], double *strain, double *force) {
    vd free[3] = {e[0], e[1], e[2]};
    section c;
    section_make(par, b, own, &c);
    subtract_free_strains(par, &c, own, nfam, b, free);
    for (int k = 0; k < 3; k++) {
        GOS_V8(strain, k) = e[k];
        if (own >= 0 && k > 0) { // relative to the stress-free state
            GOS_V8(strain, k) -= c.k0[k - 1];
        }
        GOS_V8(force, k) = c.D[k] * (free[k] + par->gamma * r[k]);
    }
}

#define AT(i, j) K[(i)*n + (j)]

/* Kz block (i0, j0) = scales R^T K R */
GOS_INLINE void turn_block(const frame *f, const int n, vd *K, int i0, int j0, double *Kz) {
    const vd A2 = *scale_of(f, i0) * *scale_of(f, j0);
    for (int j = 0; j < 3; j++) {
        vd m[3];
        for (int i = 0; i < 3; i++) {
            m[i] = A2 * (AT(i0 + i, j0) * f->R[0][j] + AT(i0 + i, j0 + 1) * f->R[1][j] +
                         AT(i0 + i, j0 + 2) * f->R[2][j]);
        }
        for (int i = 0; i < 3; i++) {
            GOS_V8(Kz, (i0 + i) * n + j0 + j) =
                f->R[0][i] * m[0] + f->R[1][i] * m[1] + f->R[2][i] * m[2];
        }
    }
}

/* gradients g (3 strains, n) and rates h = H u, frame components */
typedef struct gradients {
    vd g[3][9], h[3][9];
} gradients;

/* Derivatives of the Gough-Joule and viscous heat by z and zd. */
GOS_INLINE void heat_tangent(const gos_cable_par *par, const section *c, const frame *f,
                             const int n, const gradients *d, const vd r[3], const gos_batch *b) {
    const vd *D = c->D;
    const double ta = par->T0 * par->alpha;
    const vd te[3] = {-ta * D[0], ta * D[1], ta * D[2]};
    const vd zero = {0};
    vd q[3][9];
    for (int j = 0; j < n; j++) {
        vd s[3], visc = zero;
        for (int k = 0; k < 3; k++) {
            s[k] = *scale_of(f, j - j % 3) * (b->hk * d->h[k][j] + b->hd * d->g[k][j]);
            visc += (2 * par->viscous * par->gamma * D[k]) * r[k] * s[k];
        }
        q[0][j] = te[0] * s[0] + visc;
        q[1][j] = te[1] * s[1];
        q[2][j] = te[2] * s[2];
    }
    for (int k = 0; k < 3; k++) {
        for (int o = 0; o < n; o += 3) {
            for (int i = 0; i < 3; i++) {
                GOS_V8(b->Hz, k * n + o + i) +=
                    q[k][o] * f->R[0][i] + q[k][o + 1] * f->R[1][i] + q[k][o + 2] * f->R[2][i];
            }
        }
    }
}

/* Derivatives of the forces by the families: -EA alpha grad eps, EIz alpha grad k2, EIy alpha grad
 * k3. */
GOS_INLINE void thermal_tangent(const gos_cable_par *par, const section *c, const frame *f,
                                const int n, const gradients *d, int nfam, double *G) {
    const vd m[3] = {-par->alpha * c->D[0], par->alpha * c->D[1], par->alpha * c->D[2]};
    for (int k = 0; k < 3; k++) {
        for (int o = 0; o < n; o += 3) {
            for (int i = 0; i < 3; i++) {
                GOS_V8(G, (o + i) * nfam + k) =
                    m[k] * *scale_of(f, o) *
                    (d->g[k][o] * f->R[0][i] + d->g[k][o + 1] * f->R[1][i] +
                     d->g[k][o + 2] * f->R[2][i]);
            }
        }
    }
}

/* Transforms K and d to space: Kz, G, Hz. */
GOS_INLINE void turn_back(const gos_cable_par *par, const section *c, int nfam, const gos_batch *b,
                          const int n, const frame *f, const gradients *d, const vd r[3], vd *K) {
    for (int i = 0; i < n; i += 3) {
        for (int j = 0; j < n; j += 3) {
            turn_block(f, n, K, i, j, b->Kz);
        }
    }
    if (b->G && b->th) {
        thermal_tangent(par, c, f, n, d, nfam, b->G);
    }
    if (b->Hz && b->th && b->zd) {
        heat_tangent(par, c, f, n, d, r, b);
    }
}

#endif
