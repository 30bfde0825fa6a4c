/* Random rotations, and vectors turned by them. */
#ifndef GOS_TEST_ROTATION_H
#define GOS_TEST_ROTATION_H

#include "math/vec3.h"
#include "support/newton_matrix.h"

/* rows of R: unit vectors across each other */
static inline void random_rotation(uint64_t *seed, double R[9]) {
    double a[3], b[3], c[3];
    random_fill(seed, 3, 1, a);
    random_fill(seed, 3, 1, b);
    gos__cross3(a, b, c);
    gos__cross3(c, a, b);
    for (int i = 0; i < 3; i++) {
        R[i] = a[i] / gos__norm3(a), R[3 + i] = b[i] / gos__norm3(b),
        R[6 + i] = c[i] / gos__norm3(c);
    }
}

/* y = R x */
static inline void turn(const double R[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    }
}

#endif
