#include "fe/beam_section.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

#define ALONG 1e-6              // sine below which the normal counts as along the cell
#define STEEP (20 * M_PI / 180) // angle to e3 within which e3 cannot define z
#define ROUND 1e-9              // relative tolerance of lengths and angles

bool gos__fe_profile_axes(const gos_fe_profile *p, const double x0[3], const double x1[3],
                          double axis[3][3], double *length) {
    double n[3] = {p->normal[0], p->normal[1], p->normal[2]}, y[3], z[3];
    for (int c = 0; c < 3; c++) {
        axis[0][c] = x1[c] - x0[c];
    }
    *length = sqrt(gos__dot3(axis[0], axis[0]));
    if (!(*length > 0)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        axis[0][c] /= *length;
    }
    if (gos__dot3(n, n) == 0) {
        n[fabs(axis[0][2]) > cos(STEEP) ? 1 : 2] = 1;
    }
    const double size = sqrt(gos__dot3(n, n)), along = gos__dot3(n, axis[0]);
    for (int c = 0; c < 3; c++) {
        z[c] = n[c] - along * axis[0][c];
    }
    const double across = sqrt(gos__dot3(z, z));
    if (!(across > ALONG * size)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        z[c] /= across;
    }
    gos__cross3(z, axis[0], y);
    for (int c = 0; c < 3; c++) {
        axis[1][c] = cos(p->turn) * y[c] + sin(p->turn) * z[c];
        axis[2][c] = cos(p->turn) * z[c] - sin(p->turn) * y[c];
    }
    return true;
}

bool gos__fe_profile_has(const gos_fe_profile *p, double y, double z) {
    if (p->radius > 0) {
        return hypot(y, z) <= (1 + ROUND) * p->radius;
    }
    return p->height == 0 ||
           (fabs(y) <= (0.5 + ROUND) * p->height && fabs(z) <= (0.5 + ROUND) * p->width);
}

bool gos__fe_profile_same(const gos_fe_profile *p, const gos_fe_profile *q) {
    return p == q || (p && q && memcmp(p, q, sizeof *p) == 0);
}
