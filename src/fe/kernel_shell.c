/* Quadrilateral shells, eight cells at once (shell.h). Particles at x = sum N_k (x_k + zeta n_k)
   move by sum N_k (u_k + zeta theta_k x n_k). Covariant strains: e_ab = (x,a . u,b + x,b . u,a) /
   2, k_ab = (x,a . w,b + x,b . w,a + n,a . u,b + n,b . u,a) / 2, g_a = x,a . w + n . u,a, w = sum
   N_k theta_k x n_k. */
#include "fe/shell.h"

typedef gos_v8 vd;

#define NODES GOS_SHELL_NODES
#define COLUMNS GOS_SHELL_FREEDOMS
#define ROW(p, row, k) GOS_V8((p)->B, (row)*COLUMNS + (k))

static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
/* tying points: g_xi at the first two, g_eta at the others */
static const double tied[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};

GOS_INLINE void bilinear(const double at[2], double N[4], double dN[2][4]) {
    for (int k = 0; k < NODES; k++) {
        N[k] = 0.25 * (1 + corner[k][0] * at[0]) * (1 + corner[k][1] * at[1]);
        dN[0][k] = 0.25 * corner[k][0] * (1 + corner[k][1] * at[1]);
        dN[1][k] = 0.25 * corner[k][1] * (1 + corner[k][0] * at[0]);
    }
}

GOS_INLINE void combine(const double f[4], const double *of, vd v[3]) {
    for (int c = 0; c < 3; c++) {
        v[c] = f[0] * GOS_CV8(of, c);
        for (int k = 1; k < NODES; k++) {
            v[c] += f[k] * GOS_CV8(of, 3 * k + c);
        }
    }
}

GOS_INLINE void cross(const vd a[3], const vd b[3], vd c[3]) {
    for (int i = 0; i < 3; i++) {
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        c[i] = a[p] * b[q] - a[q] * b[p];
    }
}

GOS_INLINE void dot(const vd a[3], const vd b[3], vd *s) {
    *s = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* normalise a vector; *length was its length */
GOS_INLINE void unit(vd a[3], vd *length) {
    vd square;
    dot(a, a, &square);
    gos__v8_sqrt(&square, length);
    for (int i = 0; i < 3; i++) {
        a[i] /= *length;
    }
}

/* along coordinate a: row of 24, and value for the position */
GOS_INLINE void tie(const double *x, const double *director, const double at[2], int a, double *row,
                    vd *place) {
    double N[4], dN[2][4];
    vd g[3], n[3];
    bilinear(at, N, dN);
    combine(dN[a], x, g);
    combine(N, director, n);
    dot(n, g, place);
    for (int k = 0; k < NODES; k++) {
        vd nk[3], by[3];
        for (int c = 0; c < 3; c++) {
            nk[c] = GOS_CV8(director, 3 * k + c);
        }
        cross(nk, g, by); // g . (theta x n) = theta . (n x g)
        for (int c = 0; c < 3; c++) {
            GOS_V8(row, 6 * k + c) = dN[a][k] * n[c];
            GOS_V8(row, 6 * k + 3 + c) = N[k] * by[c];
        }
    }
}

/* local components xx, yy, xy (engineering) of covariant ones */
GOS_INLINE void turn(vd A[2][2], const vd e[3], vd out[3]) {
    for (int i = 0; i < 2; i++) {
        out[i] = A[i][0] * A[i][0] * e[0] + A[i][1] * A[i][1] * e[1] + A[i][0] * A[i][1] * e[2];
    }
    out[2] = 2.0 * A[0][0] * A[1][0] * e[0] + 2.0 * A[0][1] * A[1][1] * e[1] +
             (A[0][0] * A[1][1] + A[0][1] * A[1][0]) * e[2];
}

/* with tangents g; A[i][a]: natural coordinate a by position along axis i */
GOS_INLINE void frame_at(vd g[2][3], const double *axis, gos_shell_point *p, vd e[3][3],
                         vd A[2][2]) {
    vd area, length, J[2][2];
    cross(g[0], g[1], e[2]);
    unit(e[2], &area);
    GOS_V8(p->area, 0) = area;
    for (int c = 0; c < 3; c++) {
        e[0][c] = axis ? GOS_CV8(axis, c) : g[0][c];
    }
    vd off;
    dot(e[0], e[2], &off);
    for (int c = 0; c < 3; c++) {
        e[0][c] -= off * e[2][c];
    }
    unit(e[0], &length);
    cross(e[2], e[0], e[1]);
    for (int a = 0; a < 2; a++) {
        dot(g[a], e[0], &J[a][0]);
        dot(g[a], e[1], &J[a][1]);
    }
    const vd by = 1.0 / (J[0][0] * J[1][1] - J[0][1] * J[1][0]);
    A[0][0] = J[1][1] * by;
    A[0][1] = -J[0][1] * by;
    A[1][0] = -J[1][0] * by;
    A[1][1] = J[0][0] * by;
    for (int i = 0; i < 9; i++) {
        GOS_V8(p->frame, i) = e[i / 3][i % 3];
    }
}

GOS_INLINE void node_rows(int k, double dN[2][4], vd g[2][3], vd b[2][3], vd A[2][2],
                          const double *director, gos_shell_point *p) {
    vd nk[3], by[2][3], local[3];
    for (int c = 0; c < 3; c++) {
        nk[c] = GOS_CV8(director, 3 * k + c);
    }
    cross(nk, g[0], by[0]);
    cross(nk, g[1], by[1]);
    for (int c = 0; c < 3; c++) {
        const vd zero = {0};
        const vd e[3] = {dN[0][k] * g[0][c], dN[1][k] * g[1][c],
                         dN[1][k] * g[0][c] + dN[0][k] * g[1][c]};
        turn(A, e, local);
        for (int r = 0; r < 3; r++) {
            ROW(p, r, 6 * k + c) = local[r];
            ROW(p, r, 6 * k + 3 + c) = zero;
        }
        const vd f[3] = {dN[0][k] * b[0][c], dN[1][k] * b[1][c],
                         dN[1][k] * b[0][c] + dN[0][k] * b[1][c]};
        turn(A, f, local);
        for (int r = 0; r < 3; r++) {
            ROW(p, 3 + r, 6 * k + c) = local[r];
        }
        const vd h[3] = {dN[0][k] * by[0][c], dN[1][k] * by[1][c],
                         dN[1][k] * by[0][c] + dN[0][k] * by[1][c]};
        turn(A, h, local);
        for (int r = 0; r < 3; r++) {
            ROW(p, 3 + r, 6 * k + 3 + c) = local[r];
        }
    }
}

/* rotation about the normal minus that of the membrane */
GOS_INLINE void drilling_row(vd e[3][3], gos_shell_point *p) {
    for (int k = 0; k < NODES; k++) {
        for (int c = 0; c < 3; c++) {
            ROW(p, 8, 6 * k + c) =
                0.5 * (GOS_CV8(p->slope, 2 * k + 1) * e[0][c] - GOS_CV8(p->slope, 2 * k) * e[1][c]);
            ROW(p, 8, 6 * k + 3 + c) = p->N[k] * e[2][c];
        }
    }
}

/* shears from tied ones (4 rows of 24, values for the position) */
GOS_INLINE void rows_at(const double *x, const double *director, const double *axis,
                        const double *ties, const vd place[4], const double at[2],
                        gos_shell_point *p) {
    double dN[2][4];
    vd g[2][3], b[2][3], e[3][3], A[2][2], bend[3], local[3];
    bilinear(at, p->N, dN);
    for (int a = 0; a < 2; a++) {
        combine(dN[a], x, g[a]);
        combine(dN[a], director, b[a]);
    }
    frame_at(g, axis, p, e, A);
    for (int k = 0; k < NODES; k++) {
        for (int i = 0; i < 2; i++) {
            GOS_V8(p->slope, 2 * k + i) = A[i][0] * dN[0][k] + A[i][1] * dN[1][k];
        }
        node_rows(k, dN, g, b, A, director, p);
    }
    const double to[4] = {0.5 * (1 - at[1]), 0.5 * (1 + at[1]), 0.5 * (1 - at[0]),
                          0.5 * (1 + at[0])};
    for (int j = 0; j < COLUMNS; j++) {
        vd s[2];
        for (int a = 0; a < 2; a++) {
            s[a] = to[2 * a] * GOS_CV8(ties, 2 * a * COLUMNS + j) +
                   to[2 * a + 1] * GOS_CV8(ties, (2 * a + 1) * COLUMNS + j);
        }
        for (int i = 0; i < 2; i++) {
            ROW(p, 6 + i, j) = A[i][0] * s[0] + A[i][1] * s[1];
        }
    }
    drilling_row(e, p);
    vd mixed[2];
    dot(b[0], g[0], &bend[0]);
    dot(b[1], g[1], &bend[1]);
    dot(b[0], g[1], &mixed[0]);
    dot(b[1], g[0], &mixed[1]);
    bend[2] = mixed[0] + mixed[1];
    turn(A, bend, local);
    for (int i = 0; i < 3; i++) {
        GOS_V8(p->curve, i) = local[i];
    }
    for (int i = 0; i < 2; i++) {
        GOS_V8(p->curve, 3 + i) = A[i][0] * (to[0] * place[0] + to[1] * place[1]) +
                                  A[i][1] * (to[2] * place[2] + to[3] * place[3]);
    }
}

GOS_INLINE void all_ties(const double *x, const double *director, double *ties, vd place[4]) {
    for (int t = 0; t < 4; t++) {
        tie(x, director, tied[t], t / 2, ties + (size_t)8 * COLUMNS * t, &place[t]);
    }
}

GOS_KERNEL void gos__kernel_shell_point(const double *x, const double *director, const double *axis,
                                        const double at[2], gos_shell_point *p) {
    _Alignas(64) double ties[8 * 4 * COLUMNS];
    vd place[4];
    all_ties(x, director, ties, place);
    rows_at(x, director, axis, ties, place, at, p);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* M (3, 3) times rows of freedom j, starting at row `from` */
GOS_INLINE void times(const double M[3][3], const gos_shell_point *p, int from, int j, vd f[3]) {
    for (int r = 0; r < 3; r++) {
        f[r] = M[r][0] * GOS_CV8(p->B, from * COLUMNS + j);
        for (int q = 1; q < 3; q++) {
            f[r] += M[r][q] * GOS_CV8(p->B, (from + q) * COLUMNS + j);
        }
    }
}

/* resultants by freedom j, times the area */
GOS_INLINE void resultants(const gos_shell *s, const gos_shell_point *p, int j, vd f[9]) {
    const gos_fe_plate *l = &s->plate;
    const vd area = GOS_CV8(p->area, 0);
    times(l->A, p, 0, j, f);
    times(l->D, p, 3, j, f + 3);
    if (l->coupled) {
        vd by_bend[3], by_strain[3];
        times(l->B, p, 3, j, by_bend);
        times(l->B, p, 0, j, by_strain);
        for (int r = 0; r < 3; r++) {
            f[r] += by_bend[r];
            f[3 + r] += by_strain[r];
        }
    }
    for (int r = 0; r < 2; r++) {
        f[6 + r] = l->S[r][0] * GOS_CV8(p->B, 6 * COLUMNS + j) +
                   l->S[r][1] * GOS_CV8(p->B, 7 * COLUMNS + j);
    }
    f[8] = s->drilling * GOS_CV8(p->B, 8 * COLUMNS + j);
    for (int r = 0; r < 9; r++) {
        f[r] *= area;
    }
}

GOS_INLINE void stiffness(const gos_shell *s, const gos_shell_point *p, bool first, double *K) {
    for (int j = 0; j < COLUMNS; j++) {
        vd f[9];
        resultants(s, p, j, f);
        for (int i = 0; i <= j; i++) {
            vd sum = GOS_CV8(p->B, i) * f[0];
            for (int r = 1; r < GOS_SHELL_ROWS; r++) {
                sum += GOS_CV8(p->B, r * COLUMNS + i) * f[r];
            }
            if (first) {
                GOS_V8(K, i * COLUMNS + j) = sum;
            } else {
                GOS_V8(K, i * COLUMNS + j) += sum;
            }
        }
    }
}

/* A stretch changes curvatures and initial shears, so uniform heat causes no stress. Temperatures:
   2 k mean, 2 k + 1 gradient. */
GOS_INLINE void couple(const gos_shell *s, const gos_shell_point *p, bool first, double *f) {
    const gos_fe_plate *l = &s->plate;
    const double *a = l->strain[0];
    const vd c[3] = {GOS_CV8(p->curve, 0), GOS_CV8(p->curve, 1), 0.5 * GOS_CV8(p->curve, 2)};
    // curvature (C a + a C) / 2 of tensors, in the order xx, yy, xy (engineering)
    const vd free[3] = {c[0] * a[0] + 0.5 * c[2] * a[2], c[1] * a[1] + 0.5 * c[2] * a[2],
                        c[2] * (a[0] + a[1]) + 0.5 * (c[0] + c[1]) * a[2]};
    const vd shear[2] = {GOS_CV8(p->curve, 3) * a[0] + 0.5 * GOS_CV8(p->curve, 4) * a[2],
                         GOS_CV8(p->curve, 4) * a[1] + 0.5 * GOS_CV8(p->curve, 3) * a[2]};
    for (int i = 0; i < COLUMNS; i++) {
        vd r[9], mean = {0}, gradient = {0};
        resultants(s, p, i, r);
        for (int q = 0; q < 3; q++) {
            mean += r[q] * a[q] + r[3 + q] * (free[q] + l->bend[0][q]);
            gradient += r[q] * l->strain[1][q] + r[3 + q] * l->bend[1][q];
        }
        mean += r[6] * shear[0] + r[7] * shear[1];
        for (int k = 0; k < NODES; k++) {
            const vd m = p->N[k] * mean, g = p->N[k] * gradient;
            if (first) {
                GOS_V8(f, i * 8 + 2 * k) = m;
                GOS_V8(f, i * 8 + 2 * k + 1) = g;
            } else {
                GOS_V8(f, i * 8 + 2 * k) += m;
                GOS_V8(f, i * 8 + 2 * k + 1) += g;
            }
        }
    }
}

GOS_INLINE void put(bool first, const vd *value, double *lanes, int at) {
    if (first) {
        GOS_V8(lanes, at) = *value;
    } else {
        GOS_V8(lanes, at) += *value;
    }
}

/* g_i . L g_j of two nodes, times the area */
GOS_INLINE void along(const double L[2][2], const gos_shell_point *p, int i, int j, vd *sum) {
    const vd a = GOS_CV8(p->slope, 2 * i), b = GOS_CV8(p->slope, 2 * i + 1);
    const vd c = GOS_CV8(p->slope, 2 * j), d = GOS_CV8(p->slope, 2 * j + 1);
    *sum =
        GOS_CV8(p->area, 0) * (a * (L[0][0] * c + L[0][1] * d) + b * (L[1][0] * c + L[1][1] * d));
}

/* mass, capacity, conductance of two nodes; temperatures 2 k, 2 k + 1 */
GOS_INLINE void scalars(const gos_shell *s, const gos_shell_point *p, bool first,
                        gos_fe_local *local) {
    const gos_fe_plate *l = &s->plate;
    const vd area = GOS_CV8(p->area, 0);
    double *const of_mass[3] = {local->mass, local->moment, local->rotary};
    for (int ij = 0; ij < NODES * NODES; ij++) {
        const int i = ij / NODES, j = ij % NODES, at = 2 * i * 8 + 2 * j;
        const vd both = p->N[i] * p->N[j] * area;
        for (int k = 0; k < 3; k++) {
            const vd m = l->mass[k] * both;
            if (of_mass[k]) {
                put(first, &m, of_mass[k], ij);
            }
        }
        if (local->C) {
            const vd mean = l->heat[0] * both, mixed = l->heat[1] * both;
            const vd gradient = l->heat[2] * both;
            put(first, &mean, local->C, at);
            put(first, &mixed, local->C, at + 1);
            put(first, &mixed, local->C, at + 8);
            put(first, &gradient, local->C, at + 9);
        }
        if (local->conduct) {
            const vd a = GOS_CV8(p->slope, 2 * i), b = GOS_CV8(p->slope, 2 * i + 1);
            const vd c = GOS_CV8(p->slope, 2 * j), d = GOS_CV8(p->slope, 2 * j + 1);
            vd mean, mixed, gradient;
            along(l->lambda[0], p, i, j, &mean);
            along(l->lambda[1], p, i, j, &mixed);
            along(l->lambda[2], p, i, j, &gradient);
            const vd up = mixed + area * p->N[j] * (a * l->slant[0] + b * l->slant[1]);
            const vd down = mixed + area * p->N[i] * (c * l->slant[0] + d * l->slant[1]);
            gradient += l->through * both;
            put(first, &mean, local->conduct, at);
            put(first, &up, local->conduct, at + 1);
            put(first, &down, local->conduct, at + 8);
            put(first, &gradient, local->conduct, at + 9);
        }
    }
}

GOS_KERNEL void gos__kernel_shell(const gos_shell *s, const double *x, const double *director,
                                  const double *axis, gos_fe_local *local) {
    const double root = 0.57735026918962576451;
    _Alignas(64) double ties[8 * 4 * COLUMNS], least[8], most[8];
    vd place[4];
    gos_shell_point p;
    all_ties(x, director, ties, place);
    for (int g = 0; g < 4; g++) {
        const double at[2] = {root * corner[g][0], root * corner[g][1]};
        rows_at(x, director, axis, ties, place, at, &p);
        if (local->K) {
            stiffness(s, &p, g == 0, local->K);
        }
        if (local->couple) {
            couple(s, &p, g == 0, local->couple);
        }
        scalars(s, &p, g == 0, local);
        for (int l = 0; l < 8; l++) {
            // a normal against the directors means an inverted cell
            double along = 0;
            for (int k = 0; k < 4 * 3; k++) {
                along += p.N[k / 3] * director[8 * k + l] * p.frame[8 * (6 + k % 3) + l];
            }
            const double v = along > 0 ? p.area[l] : -p.area[l];
            least[l] = g == 0 || v < least[l] || !(v == v) ? v : least[l];
            most[l] = g == 0 || v > most[l] ? v : most[l];
        }
    }
    for (int l = 0; l < 8; l++) {
        local->least[l] = least[l] / most[l];
    }
}
