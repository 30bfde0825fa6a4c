/* Flat triangular shells of three nodes, thin (no transverse shear strain). Bending: discrete
   Kirchhoff (Batoz, Bathe, Ho, A study of three-node triangular plate bending elements, IJNME 15
   (1980)). Membrane with drilling rotations: the optimal ANDES template (Felippa, A study of
   optimal membrane triangles with drilling freedoms, CMAME 192 (2003)). */
#include "fe/shell_triangle.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "mesh/shapes.h"

#define NODES 3
#define FREEDOMS (6 * NODES)
#define LOCAL (3 * NODES) // u, v, theta_z or w, theta_x, theta_y of each node
#define MEAN 1.5          // alpha_b: in-plane bending of rectangles is exact
#define HIGHER_ORDER_FACTOR 1.5

/* a cell in its plane */
typedef struct plane {
    double e[3][3]; // axes, 3 normal
    double x[NODES], y[NODES];
    double area;
    double grad[2][2]; // natural coordinate by position
} plane;

/* axis 1 along the projected d; NULL: along the first side */
static void find_plane(const double (*x)[3], const double *d, plane *t) {
    double side[2][3];
    for (int c = 0; c < 3; c++) {
        side[0][c] = x[1][c] - x[0][c];
        side[1][c] = x[2][c] - x[0][c];
    }
    gos__cross3(side[0], side[1], t->e[2]);
    t->area = 0.5 * gos__unit3(t->e[2]);
    memcpy(t->e[0], d ? d : side[0], sizeof t->e[0]);
    const double off = gos__dot3(t->e[0], t->e[2]);
    for (int c = 0; c < 3; c++) {
        t->e[0][c] -= off * t->e[2][c];
    }
    (void)gos__unit3(t->e[0]);
    gos__cross3(t->e[2], t->e[0], t->e[1]);
    t->x[0] = t->y[0] = 0;
    for (int k = 1; k < NODES; k++) {
        t->x[k] = gos__dot3(side[k - 1], t->e[0]);
        t->y[k] = gos__dot3(side[k - 1], t->e[1]);
    }
    const double by = 0.5 / t->area;
    t->grad[0][0] = t->y[2] * by;
    t->grad[0][1] = -t->x[2] * by;
    t->grad[1][0] = -t->y[1] * by;
    t->grad[1][1] = t->x[1] * by;
}

/* ---- membrane -------------------------------------------------------------------------------- */

/* mean strains xx, yy, xy by u, v, theta_z */
static void mean_rows(const plane *t, double B[3][LOCAL]) {
    const double *x = t->x, *y = t->y, by = 0.5 / t->area;
    memset(B, 0, 3 * sizeof B[0]);
    for (int i = 0; i < NODES; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double yjk = y[j] - y[k], xkj = x[k] - x[j];
        const double yik = y[i] - y[k], yji = y[j] - y[i], xki = x[k] - x[i], xij = x[i] - x[j];
        B[0][3 * i] = B[2][3 * i + 1] = by * yjk;
        B[1][3 * i + 1] = B[2][3 * i] = by * xkj;
        B[0][3 * i + 2] = by * MEAN / 6 * yjk * (yik - yji);
        B[1][3 * i + 2] = by * MEAN / 6 * xkj * (xki - xij);
        B[2][3 * i + 2] = by * MEAN / 3 * (xki * yik - xij * yji);
    }
}

/* T: strains xx, yy, xy by strains along the sides 12, 23, 31; squares of their lengths */
static void natural(const plane *t, double T[3][3], double square[3]) {
    double M[3][3];
    for (int s = 0; s < 3; s++) {
        const int i = s, j = (s + 1) % 3;
        const double dx = t->x[j] - t->x[i], dy = t->y[j] - t->y[i];
        square[s] = dx * dx + dy * dy;
        M[s][0] = dx * dx / square[s];
        M[s][1] = dy * dy / square[s];
        M[s][2] = dx * dy / square[s];
    }
    double c[3];
    gos__cross3(M[1], M[2], c);
    const double det = gos__dot3(M[0], c);
    for (int s = 0; s < 3; s++) {
        gos__cross3(M[(s + 1) % 3], M[(s + 2) % 3], c);
        for (int a = 0; a < 3; a++) {
            T[a][s] = c[a] / det;
        }
    }
}

/* adds strains by deviations of the nodes' rotations from that of the mean displacement */
static void add_higher(const plane *t, double beta, const double N[NODES], double B[3][LOCAL]) {
    // beta_1 ... beta_9 in the pattern of Q at each node (Felippa, eqs 29, 38)
    static const double Q[NODES][3][3] = {{{1, 2, 1}, {0, 1, -1}, {-1, -1, -2}},
                                          {{-2, -1, -1}, {1, 1, 2}, {-1, 0, 1}},
                                          {{1, -1, 0}, {-1, -2, -1}, {2, 1, 1}}};
    double T[3][3], square[3];
    natural(t, T, square);
    for (int n = 0; n < NODES; n++) { // deviation of node n
        double along[3], strain[3];
        for (int s = 0; s < 3; s++) {
            along[s] = 0;
            for (int k = 0; k < NODES; k++) {
                along[s] += N[k] * Q[k][s][n] * 2 * t->area / (3 * square[s]);
            }
        }
        for (int a = 0; a < 3; a++) {
            strain[a] = HIGHER_ORDER_FACTOR * sqrt(beta) *
                        (T[a][0] * along[0] + T[a][1] * along[1] + T[a][2] * along[2]);
            B[a][3 * n + 2] += strain[a];
        }
        for (int i = 0; i < NODES; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            for (int a = 0; a < 3; a++) {
                B[a][3 * i] += strain[a] * (t->x[k] - t->x[j]) / (4 * t->area);
                B[a][3 * i + 1] += strain[a] * (t->y[k] - t->y[j]) / (4 * t->area);
            }
        }
    }
}

/* ---- bending --------------------------------------------------------------------------------- */

/* Slopes (b_x, b_y) = (theta_y, -theta_x) of six nodes by w, theta_x, theta_y of the corners:
   quadratic, on each side with the rotation of a cubic w along it and a linear one across. */
static void side_slopes(const plane *t, double b[6][2][LOCAL]) {
    memset(b, 0, 6 * sizeof b[0]);
    for (int k = 0; k < NODES; k++) {
        b[k][0][3 * k + 2] = 1;
        b[k][1][3 * k + 1] = -1;
    }
    for (int s = 0; s < 3; s++) {
        const int i = s, j = (s + 1) % 3;
        const double d[2] = {t->x[j] - t->x[i], t->y[j] - t->y[i]}, l = hypot(d[0], d[1]);
        for (int q = 0; q < LOCAL; q++) {
            const double S[2] = {b[i][0][q] + b[j][0][q], b[i][1][q] + b[j][1][q]};
            const double w = (q == 3 * i) - (q == 3 * j);
            const double along = 1.5 / l * w - 0.75 * (d[0] * S[0] + d[1] * S[1]) / l;
            for (int a = 0; a < 2; a++) {
                b[3 + s][a][q] = 0.5 * S[a] + d[a] / l * along;
            }
        }
    }
}

static void curvature_rows(const plane *t, const double at[2], double B[3][LOCAL]) {
    const double place[3] = {at[0], at[1], 0};
    double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], b[6][2][LOCAL];
    side_slopes(t, b);
    gos__shape(GOS_CELL_TRI6, place, N, dN);
    memset(B, 0, 3 * sizeof B[0]);
    for (int k = 0; k < 6; k++) {
        const double dx = dN[k][0] * t->grad[0][0] + dN[k][1] * t->grad[1][0];
        const double dy = dN[k][0] * t->grad[0][1] + dN[k][1] * t->grad[1][1];
        for (int q = 0; q < LOCAL; q++) {
            B[0][q] += dx * b[k][0][q];
            B[1][q] += dy * b[k][1][q];
            B[2][q] += dy * b[k][0][q] + dx * b[k][1][q];
        }
    }
}

/* ---- a point --------------------------------------------------------------------------------- */

/* to freedoms along mesh axes */
static void put_rows(const plane *t, double Bm[3][LOCAL], double Bb[3][LOCAL], gos_shell_point *p) {
    for (int r = 0; r < 3; r++) {
        for (int q = 0; q < FREEDOMS; q++) {
            const int k = q / 6, c = q % 3;
            const double *m = &Bm[r][3 * k], *b = &Bb[r][3 * k];
            const bool turns = q % 6 >= 3;
            p->B[8 * (r * GOS_SHELL_FREEDOMS + q)] =
                turns ? t->e[2][c] * m[2] : t->e[0][c] * m[0] + t->e[1][c] * m[1];
            p->B[8 * ((3 + r) * GOS_SHELL_FREEDOMS + q)] =
                turns ? t->e[0][c] * b[1] + t->e[1][c] * b[2] : t->e[2][c] * b[0];
        }
    }
}

void gos__shell_triangle_point(const gos_shell *s, const double (*x)[3], const double *axis,
                               const double at[2], gos_shell_point *p) {
    const double(*A)[3] = s->plate.A;
    const double nu = A[0][1] / sqrt(A[0][0] * A[1][1]);
    const double N[NODES] = {1 - at[0] - at[1], at[0], at[1]};
    double Bm[3][LOCAL], Bb[3][LOCAL];
    plane t;
    memset(p, 0, sizeof *p);
    find_plane(x, axis, &t);
    mean_rows(&t, Bm);
    add_higher(&t, fmax(0.01, 0.5 * (1 - 4 * nu * nu)), N, Bm);
    curvature_rows(&t, at, Bb);
    put_rows(&t, Bm, Bb, p);
    memcpy(p->N, N, sizeof N);
    for (int i = 0; i < 9; i++) {
        p->frame[8 * i] = t.e[i / 3][i % 3];
    }
    for (int k = 0; k < NODES; k++) {
        for (int a = 0; a < 2; a++) {
            p->slope[8 * (2 * k + a)] = k == 0   ? -t.grad[0][a] - t.grad[1][a]
                                        : k == 1 ? t.grad[0][a]
                                                 : t.grad[1][a];
        }
    }
    p->area[0] = 2 * t.area;
}

/* ---- matrices -------------------------------------------------------------------------------- */

static void put(double *lanes, int lane, int at, double x, bool first) {
    if (lanes) {
        lanes[8 * at + lane] = x + (first ? 0 : lanes[8 * at + lane]);
    }
}

/* (N, M) by freedom j, times the weight */
static void resultants(const gos_fe_plate *l, const gos_shell_point *p, int j, double w,
                       double f[6]) {
    for (int r = 0; r < 3; r++) {
        f[r] = f[3 + r] = 0;
        for (int q = 0; q < 3; q++) {
            const double strain = p->B[8 * (q * GOS_SHELL_FREEDOMS + j)];
            const double curve = p->B[8 * ((3 + q) * GOS_SHELL_FREEDOMS + j)];
            f[r] += w * (l->A[r][q] * strain + l->B[r][q] * curve);
            f[3 + r] += w * (l->B[r][q] * strain + l->D[r][q] * curve);
        }
    }
}

static void add_stiffness(const gos_fe_plate *l, const gos_shell_point *p, int lane, double w,
                          bool first, gos_fe_local *local) {
    for (int j = 0; j < FREEDOMS; j++) {
        double f[6], by[2] = {0, 0};
        resultants(l, p, j, w, f);
        for (int i = 0; i < FREEDOMS && local->K; i++) {
            double sum = 0;
            for (int r = 0; r < 6; r++) {
                sum += p->B[8 * (r * GOS_SHELL_FREEDOMS + i)] * f[r];
            }
            put(local->K, lane, i * FREEDOMS + j, sum, first);
        }
        for (int r = 0; r < 3; r++) { // unit mean temperature, unit gradient
            for (int m = 0; m < 2; m++) {
                by[m] += f[r] * l->strain[m][r] + f[3 + r] * l->bend[m][r];
            }
        }
        for (int k = 0; k < NODES; k++) {
            put(local->couple, lane, j * 2 * NODES + 2 * k, p->N[k] * by[0], first);
            put(local->couple, lane, j * 2 * NODES + 2 * k + 1, p->N[k] * by[1], first);
        }
    }
}

/* g_i . L g_j of two nodes */
static double along(const double L[2][2], const gos_shell_point *p, int i, int j) {
    double sum = 0;
    for (int ab = 0; ab < 4; ab++) {
        sum += p->slope[8 * (2 * i + ab / 2)] * L[ab / 2][ab % 2] * p->slope[8 * (2 * j + ab % 2)];
    }
    return sum;
}

/* of N_j with a slope of N_i across tilted axes */
static double slant(const gos_fe_plate *l, const gos_shell_point *p, int i, int j) {
    return p->N[j] *
           (p->slope[8 * (2 * i)] * l->slant[0] + p->slope[8 * (2 * i + 1)] * l->slant[1]);
}

static void add_scalars(const gos_fe_plate *l, const gos_shell_point *p, int lane, double w,
                        bool first, gos_fe_local *local) {
    double *const of_mass[3] = {local->mass, local->moment, local->rotary};
    for (int ij = 0; ij < NODES * NODES; ij++) {
        const int i = ij / NODES, j = ij % NODES, row = 2 * NODES, at = 2 * i * row + 2 * j;
        const double both = w * p->N[i] * p->N[j];
        for (int k = 0; k < 3; k++) {
            put(of_mass[k], lane, ij, l->mass[k] * both, first);
        }
        put(local->C, lane, at, l->heat[0] * both, first);
        put(local->C, lane, at + 1, l->heat[1] * both, first);
        put(local->C, lane, at + row, l->heat[1] * both, first);
        put(local->C, lane, at + row + 1, l->heat[2] * both, first);
        const double mixed = w * along(l->lambda[1], p, i, j);
        put(local->conduct, lane, at, w * along(l->lambda[0], p, i, j), first);
        put(local->conduct, lane, at + 1, mixed + w * slant(l, p, i, j), first);
        put(local->conduct, lane, at + row, mixed + w * slant(l, p, j, i), first);
        put(local->conduct, lane, at + row + 1,
            w * along(l->lambda[2], p, i, j) + l->through * both, first);
    }
}

void gos__shell_triangle(const gos_shell *s, const double (*x)[3], const double (*director)[3],
                         const double *axis, int lane, gos_fe_local *local) {
    // exact for quadratic functions
    static const double middle[3][2] = {{0.5, 0}, {0.5, 0.5}, {0, 0.5}};
    double toward = 0;
    gos_shell_point p;
    for (int g = 0; g < 3; g++) {
        gos__shell_triangle_point(s, x, axis, middle[g], &p);
        const double w = p.area[0] / 6;
        add_stiffness(&s->plate, &p, lane, w, g == 0, local);
        add_scalars(&s->plate, &p, lane, w, g == 0, local);
    }
    for (int k = 0; k < 3 * NODES; k++) {
        toward += director[k / 3][k % 3] * p.frame[8 * (6 + k % 3)];
    }
    local->least[lane] = p.area[0] > 0 && toward > 0 ? 1 : -1;
}
