/* One model text in many positions and units: vectors are written by TURNED("x", "y", "z") in axes
   of the model, and the settings made here say where these axes point and what the units are. Texts
   multiply lengths by mm, densities by rho, stresses by Pa (and so on, by dimension); parameters
   and settings of the test stay those of SI. */
#ifndef GOS_TEST_TURNED_H
#define GOS_TEST_TURNED_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define TURNED_AXIS(x, y, z, c) "(" x ")*a" c "+(" y ")*b" c "+(" z ")*c" c
#define TURNED(x, y, z)                                                                            \
    "[\"" TURNED_AXIS(x, y, z, "x") "\", \"" TURNED_AXIS(x, y, z, "y") "\", \"" TURNED_AXIS(       \
        x, y, z, "z") "\"]"
/* to begin `parameters: {` with */
#define TURNED_PARAMETERS                                                                          \
    "ax: 1, ay: 0, az: 0, bx: 0, by: 1, bz: 0, cx: 0, cy: 0, cz: 1, mm: 1, rho: 1, Pa: 1, Nm: 1"

typedef struct turned {
    double R[3][3]; // columns: where the axes of the model point
    double mm;      // units of length in a metre
    double tonne;   // units of mass in a kilogram
} turned;

/* rotations about z, the new x and the new z, then the units: mm, tonne, s, or SI */
static inline turned turned_by(double first, double second, double third, bool millimetres) {
    const double a[3] = {first, second, third};
    turned t = {.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                .mm = millimetres ? 1000 : 1,
                .tonne = millimetres ? 1e-3 : 1};
    for (int k = 0; k < 3; k++) {
        const double c = cos(a[k]), s = sin(a[k]);
        const int p = k == 1 ? 1 : 0, q = k == 1 ? 2 : 1;
        for (int i = 0; i < 3; i++) {
            const double x = t.R[i][p], y = t.R[i][q];
            t.R[i][p] = c * x + s * y;
            t.R[i][q] = c * y - s * x;
        }
    }
    return t;
}

/* settings of this position, followed by more of them (NULL: none) */
static inline void turned_settings(const turned *t, const char *more, char *buf, size_t size) {
    int n = 0;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            n += snprintf(buf + n, size - (size_t)n, "parameters.%c%c=%.17g ", "abc"[j], "xyz"[i],
                          t -> R[i][j]);
        }
    }
    snprintf(buf + n, size - (size_t)n,
             "parameters.mm=%.17g parameters.rho=%.17g parameters.Pa=%.17g parameters.Nm=%.17g %s",
             t->mm, t->tonne / pow(t->mm, 3), t->tonne / t->mm, t->tonne * t->mm * t->mm,
             more ? more : "");
}

/* a vector that came out [m in the units], in axes of the model and metres */
static inline void turned_back(const turned *t, const double x[3], double y[3]) {
    for (int j = 0; j < 3; j++) {
        y[j] = 0;
        for (int i = 0; i < 3; i++) {
            y[j] += t->R[i][j] * x[i] / t->mm;
        }
    }
}

#endif
