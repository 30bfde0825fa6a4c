/* Ray-triangle intersection (Moller and Trumbore, Journal of Graphics Tools 2 (1997) 21). */
#include "parts/visibility.h"

#include "base/base.h"
#include "math/vec3.h"

#define TESTS 1e7      // approximate limit
#define MIN_SAMPLES 50 // minimum
#define EDGE 1e-9      // both triangles include their edge
#define TOUCHES 1e-6   // least hit distance over facet size

/* Whether the ray along u hits the triangle beyond `near`. */
static bool meets(const double from[3], const double u[3], const double *a, const double *b,
                  const double *c, double near) {
    double e[2][3], p[3], s[3], q[3];
    gos__sub3(b, a, e[0]);
    gos__sub3(c, a, e[1]);
    gos__cross3(u, e[1], p);
    const double det = gos__dot3(e[0], p);
    if (det == 0) {
        return false;
    }
    gos__sub3(from, a, s);
    const double v = gos__dot3(s, p) / det;
    gos__cross3(s, e[0], q);
    const double w = gos__dot3(u, q) / det;
    return v >= -EDGE && w >= -EDGE && v + w <= 1 + EDGE && gos__dot3(e[1], q) / det > near;
}

static double look(const gos_facet *f, double middle[3], double normal[3]) {
    double d[2][3];
    const int last = f->n - 1;
    for (int c = 0; c < 3; c++) {
        middle[c] = 0;
        for (int k = 0; k < f->n; k++) {
            middle[c] += f->x[k][c] / f->n;
        }
    }
    if (f->n == 4) { // diagonals
        gos__sub3(f->x[2], f->x[0], d[0]);
        gos__sub3(f->x[3], f->x[1], d[1]);
    } else {
        gos__sub3(f->x[1], f->x[0], d[0]);
        gos__sub3(f->x[last], f->x[0], d[1]);
    }
    gos__cross3(d[0], d[1], normal);
    const double twice = gos__norm3(normal);
    for (int c = 0; c < 3 && twice > 0; c++) {
        normal[c] /= twice;
    }
    return twice / 2;
}

double gos__facets_blocked(int n, const gos_facet *facet, int m, const gos_facet *all) {
    const double most = TESTS / (m + 1);
    const int rays = most < MIN_SAMPLES ? MIN_SAMPLES : (int)most, step = n > rays ? n / rays : 1;
    double area = 0, blocked = 0;
    for (int i = 0; i < n; i += step) {
        double middle[3], normal[3];
        const double own = look(&facet[i], middle, normal), near = TOUCHES * sqrt(own);
        bool hit = false;
        for (int k = 0; k < m && !hit; k++) {
            const gos_facet *f = &all[k];
            hit = meets(middle, normal, f->x[0], f->x[1], f->x[2], near) ||
                  (f->n == 4 && meets(middle, normal, f->x[0], f->x[2], f->x[3], near));
        }
        area += own;
        blocked += hit ? own : 0;
    }
    return area > 0 ? blocked / area : 0;
}
