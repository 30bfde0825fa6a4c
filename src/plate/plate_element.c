/* Plate elements: functions, integration points, point location. The functions of
 * rectangles and quadrilaterals are in quad_shapes.h (theory 2.7). */
#include <math.h>

#include "plate/plate.h"
#include "math/gauss.h"
#include "math/quad_shapes.h"

void gos__plate_element(const gos_plate *c, int cell, gos_plate_element *e) {
    e->plate = c;
    e->cell = cell;
    for (int i = 0; i < 4; i++) {
        memcpy(e->x[i], c->x[c->cell[4 * cell + i]], sizeof e->x[i]);
    }
    if (!c->rectangle) {
        gos__quad_make((const double(*)[2])e->x, &e->quad);
    }
}

/* Position and area of a point, from xi and its weight w in the unit square. */
static void map_point(const gos_plate_element *e, double w, gos_plate_point *p) {
    double N[4], dN[2][4], J[2][2] = {{0}};
    gos__bilinear(p->xi, N, dN);
    p->x[0] = p->x[1] = 0;
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 2; c++) {
            p->x[c] += N[i] * e->x[i][c];
            J[0][c] += dN[0][i] * e->x[i][c];
            J[1][c] += dN[1][i] * e->x[i][c];
        }
    }
    p->w = w * (J[0][0] * J[1][1] - J[0][1] * J[1][0]);
}

int gos__plate_gauss(const gos_plate_element *e, int n, gos_plate_point *p) {
    double x[64], w[64];
    gos__gauss(n, x, w);
    for (int g = 0; g < n * n; g++) {
        p[g] = (gos_plate_point){.xi = {x[g % n], x[g / n]}};
        map_point(e, w[g % n] * w[g / n], &p[g]);
    }
    return n * n;
}

/* Fields are cubic in each triangle. Three points are exact for linear curvatures and slopes; more
 * would stiffen bent skew elements, whose membrane strains cannot vanish everywhere. */
int gos__plate_rule(const gos_plate_element *e, bool exact, gos_plate_point p[GOS_PLATE_POINTS]) {
    if (e->plate->rectangle) {
        return gos__plate_gauss(e, exact ? 4 : e->plate->order, p);
    }
    const gos_quad *q = &e->quad;
    const int n = exact ? 16 : 3;
    double l[16][3], w[16];
    gos__triangle_rule(n, l, w);
    for (int i = 0; i < 4 * n; i++) {
        const int t = i / n;
        for (int k = 0; k < 2; k++) {
            p[i].x[k] = l[i % n][0] * q->centre[k] + l[i % n][1] * q->x[t][k] +
                        l[i % n][2] * q->x[(t + 1) % 4][k];
        }
        gos__bilinear_inverse(e->x, p[i].x, p[i].xi);
        p[i].w = w[i % n] * q->area[t];
    }
    return 4 * n;
}

void gos__plate_shapes_at(const gos_plate_element *e, const gos_plate_point *p, double S[6][12]) {
    if (e->plate->rectangle) {
        gos__plate_shapes(e->plate->h[0], e->plate->h[1], p->xi[0], p->xi[1], S);
    } else {
        double l[3];
        const int t = gos__quad_triangle(&e->quad, p->x, l);
        gos__quad_shapes(&e->quad, t, l, S);
    }
}

/* Distance of x outside the convex quadrilateral q, over its size. */
static double outside(const double q[4][2], const double x[2]) {
    double most = -HUGE_VAL, size = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = q[i], *b = q[(i + 1) % 4];
        const double d[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(d[0], d[1]);
        most = fmax(most, (d[1] * (x[0] - a[0]) - d[0] * (x[1] - a[1])) / length);
        size = fmax(size, length);
    }
    return most / size;
}

static double find_rectangle(const gos_plate *c, double x, double y, gos_plate_element *e,
                             gos_plate_point *p) {
    const double u[2] = {x, y};
    double most = -1;
    int at[2];
    for (int d = 0; d < 2; d++) {
        const double i = u[d] / c->h[d];
        at[d] = i < c->ne[d] - 1 ? (int)fmax(i, 0) : c->ne[d] - 1;
        p->xi[d] = i - at[d];
        most = fmax(most, fmax(-p->xi[d], p->xi[d] - 1));
    }
    gos__plate_element(c, c->ne[0] * at[1] + at[0], e);
    return most;
}

double gos__plate_find(const gos_plate *c, double x, double y, gos_plate_element *e,
                       gos_plate_point *p) {
    *p = (gos_plate_point){.x = {x, y}};
    if (c->rectangle) {
        return find_rectangle(c, x, y, e, p);
    }
    double least = HUGE_VAL;
    int best = 0;
    for (int k = 0; k < c->ncell && least > 0; k++) {
        double q[4][2];
        for (int i = 0; i < 4; i++) {
            memcpy(q[i], c->x[c->cell[4 * k + i]], sizeof q[i]);
        }
        const double far = outside((const double(*)[2])q, p->x);
        if (far < least) {
            least = far;
            best = k;
        }
    }
    gos__plate_element(c, best, e);
    gos__bilinear_inverse((const double(*)[2])e->x, p->x, p->xi);
    return least;
}
