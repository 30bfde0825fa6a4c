/* Classical lamination as textbooks have it (R. M. Jones, Mechanics of Composite Materials, 1999,
   eqs. 2.85, 4.22-24, 4.62-64), written down on its own: stiffness, forces of temperature, mass and
   heat of plies in axes and about a surface of any kind. */
#ifndef GOS_TEST_LAMINATION_H
#define GOS_TEST_LAMINATION_H

#include <math.h>

typedef struct fibres {
    double E1, E2, nu12, G12, a1, a2, k1, k2, k3, rho, c, gn, gs;
} fibres;

typedef struct layer {
    const fibres *of;
    double thickness, angle; // from x [rad]
} layer;

typedef struct lamination {
    double A[3][3], B[3][3], D[3][3]; // about the surface
    double V[3][3][3];                // the same of the viscous stiffness
    double N[2][3], M[2][3];          // by T and T_z
    double mass[3], heat[3];          // int rho (1, z, z^2), rho c (1, phi, phi^2)
    double k[3][3];                   // xx, yy, xy of int k (1, phi, phi^2)
    double through, height;
} lamination;

static inline void jones(const fibres *f, double gn, double gs, double angle, double Q[3][3]) {
    const double nu21 = f->nu12 * f->E2 / f->E1, d = 1 - f->nu12 * nu21;
    const double q11 = gn * f->E1 / d, q22 = gn * f->E2 / d, q12 = gn * f->nu12 * f->E2 / d,
                 q66 = gs * f->G12;
    const double c = cos(angle), s = sin(angle), c2 = c * c, s2 = s * s;
    Q[0][0] = q11 * c2 * c2 + 2 * (q12 + 2 * q66) * s2 * c2 + q22 * s2 * s2;
    Q[1][1] = q11 * s2 * s2 + 2 * (q12 + 2 * q66) * s2 * c2 + q22 * c2 * c2;
    Q[0][1] = Q[1][0] = (q11 + q22 - 4 * q66) * s2 * c2 + q12 * (s2 * s2 + c2 * c2);
    Q[2][2] = (q11 + q22 - 2 * q12 - 2 * q66) * s2 * c2 + q66 * (s2 * s2 + c2 * c2);
    Q[0][2] = Q[2][0] = (q11 - q12 - 2 * q66) * s * c2 * c + (q12 - q22 + 2 * q66) * s * s2 * c;
    Q[1][2] = Q[2][1] = (q11 - q12 - 2 * q66) * s * s2 * c + (q12 - q22 + 2 * q66) * s * c2 * c;
}

/* one ply between z0 and z1 over the surface, at temperatures phi of T_z at its faces */
static inline void add_layer(const layer *y, double z0, double z1, const double phi[2],
                             lamination *l) {
    const double c = cos(y->angle), s = sin(y->angle), t = z1 - z0, g = 0.5 / sqrt(3.0);
    const fibres *f = y->of;
    const double w[3] = {t, (z1 * z1 - z0 * z0) / 2, (z1 * z1 * z1 - z0 * z0 * z0) / 3};
    const double a[3] = {f->a1 * c * c + f->a2 * s * s, f->a1 * s * s + f->a2 * c * c,
                         2 * (f->a1 - f->a2) * s * c};
    const double k[3] = {f->k1 * c * c + f->k2 * s * s, f->k1 * s * s + f->k2 * c * c,
                         (f->k1 - f->k2) * s * c};
    double Q[3][3], V[3][3];
    jones(f, 1, 1, y->angle, Q);
    jones(f, f->gn, f->gs, y->angle, V);
    for (int i = 0; i < 9; i++) {
        l->A[i / 3][i % 3] += w[0] * Q[i / 3][i % 3];
        l->B[i / 3][i % 3] += w[1] * Q[i / 3][i % 3];
        l->D[i / 3][i % 3] += w[2] * Q[i / 3][i % 3];
        for (int m = 0; m < 3; m++) {
            l->V[m][i / 3][i % 3] += w[m] * V[i / 3][i % 3];
        }
    }
    for (int q = 0; q < 2; q++) { // two points, exact for products of two linear ones
        const double at = 0.5 + (q ? g : -g), z = z0 + at * t,
                     warm[2] = {1, phi[0] + at * (phi[1] - phi[0])};
        for (int i = 0; i < 3; i++) {
            const double stress = Q[i][0] * a[0] + Q[i][1] * a[1] + Q[i][2] * a[2];
            for (int n = 0; n < 2; n++) {
                l->N[n][i] += t / 2 * stress * warm[n];
                l->M[n][i] += t / 2 * stress * warm[n] * z;
            }
            l->mass[i] += t / 2 * f->rho * (i == 0 ? 1 : i == 1 ? z : z * z);
            const double power = i == 0 ? 1 : i == 1 ? warm[1] : warm[1] * warm[1];
            l->heat[i] += t / 2 * f->rho * f->c * power;
            for (int n = 0; n < 3; n++) {
                l->k[i][n] += t / 2 * power * k[n];
            }
        }
    }
}

/* plies from below, whose middle is at `offset` over the surface */
static inline void laminate(const layer *y, int n, double offset, lamination *l) {
    double resistance = 0;
    *l = (lamination){0};
    for (int i = 0; i < n; i++) {
        l->height += y[i].thickness;
        resistance += y[i].thickness / y[i].of->k3;
    }
    l->through = l->height * l->height / resistance;
    double z = offset - l->height / 2, phi = -l->height / 2;
    for (int i = 0; i < n; i++) {
        const double next = phi + l->height * (y[i].thickness / y[i].of->k3) / resistance;
        add_layer(&y[i], z, z + y[i].thickness, (const double[2]){phi, next}, l);
        z += y[i].thickness;
        phi = next;
    }
}

#endif
