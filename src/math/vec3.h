/* Vectors and 3x3 blocks. */
#ifndef GOS_VEC3_H
#define GOS_VEC3_H

#include <math.h>
#include <stddef.h>

static inline double gos__dot3(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double gos__norm3(const double a[3]) {
    return sqrt(gos__dot3(a, a));
}

/* Divides a by its norm. @return the norm; if 0, a is not finite */
static inline double gos__unit3(double a[3]) {
    const double size = gos__norm3(a);
    for (int k = 0; k < 3; ++k) {
        a[k] /= size;
    }
    return size;
}

/* c = a x b; c must not alias a or b */
static inline void gos__cross3(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void gos__sub3(const double a[3], const double b[3], double c[3]) {
    for (int k = 0; k < 3; ++k) {
        c[k] = a[k] - b[k];
    }
}

/* S = [a]_x, so that S b = a x b */
static inline void gos__skew3(const double a[3], double S[9]) {
    S[0] = 0.0, S[1] = -a[2], S[2] = a[1];
    S[3] = a[2], S[4] = 0.0, S[5] = -a[0];
    S[6] = -a[1], S[7] = a[0], S[8] = 0.0;
}

/* C = A B, 3x3 */
static inline void gos__mul33(const double A[9], const double B[9], double C[9]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
        }
    }
}

/* Axes a_j = R e_j of the rotation vector u (Rodrigues). */
static inline void gos__rotated_axes(const double u[3], double axis[3][3]) {
    double S[9], SS[9];
    double angle = gos__norm3(u);
    gos__skew3(u, S);
    gos__mul33(S, S, SS);
    // avoids cancellation for small angles
    double f = angle > 1e-4 ? sin(angle) / angle : 1.0 - angle * angle / 6.0;
    double h = 0.5 * angle;
    double q = angle > 1e-4 ? sin(h) / h : 1.0 - h * h / 6.0;
    for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) {
            axis[j][k] = (j == k) + f * S[3 * k + j] + 0.5 * q * q * SS[3 * k + j];
        }
    }
}

/* adds s B to block (i, j) of the row-major M with n columns */
static inline void gos__add33(double *M, int n, int i, int j, double s, const double B[9]) {
    double *at = M + (size_t)(3 * i) * (size_t)n + 3 * j;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            at[(size_t)r * (size_t)n + c] += s * B[3 * r + c];
        }
    }
}

/* adds s I to block (i, j) */
static inline void gos__addeye(double *M, int n, int i, int j, double s) {
    double *at = M + (size_t)(3 * i) * (size_t)n + 3 * j;
    for (int r = 0; r < 3; ++r) {
        at[(size_t)r * (size_t)n + r] += s;
    }
}

/* Makes (w, n1, n2) right-handed orthonormal for a unit vector w. */
static inline void gos__normals3(const double w[3], double n1[3], double n2[3]) {
    // start from the axis least aligned with w
    int k = fabs(w[0]) <= fabs(w[1]) ? (fabs(w[0]) <= fabs(w[2]) ? 0 : 2)
                                     : (fabs(w[1]) <= fabs(w[2]) ? 1 : 2);
    double e[3] = {k == 0, k == 1, k == 2};
    gos__cross3(w, e, n1);
    double l = gos__norm3(n1);
    for (int c = 0; c < 3; ++c) {
        n1[c] /= l;
    }
    gos__cross3(w, n1, n2);
}

#endif
