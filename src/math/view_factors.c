/* See view_factors.h. */
#include "math/view_factors.h"

#include <math.h>

#define MIN_DISTANCE 1e-12 // relative to a triangle: closer intersections are ignored
#define ROUNDS 200         // scaling iterations
#define EVEN 1e-13         // tolerance of row sums relative to the area

/* Edges and twice the area; n: unit normal. */
static double triangle_geometry(const gos_view *v, const gos_view_piece *p, double e[2][3],
                                double n[3]) {
    for (int c = 0; c < 3; c++) {
        e[0][c] = v->x[p->corner[1]][c] - v->x[p->corner[0]][c];
        e[1][c] = v->x[p->corner[2]][c] - v->x[p->corner[0]][c];
    }
    n[0] = e[0][1] * e[1][2] - e[0][2] * e[1][1];
    n[1] = e[0][2] * e[1][0] - e[0][0] * e[1][2];
    n[2] = e[0][0] * e[1][1] - e[0][1] * e[1][0];
    const double twice = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int c = 0; c < 3 && twice > 0; c++) {
        n[c] *= (p->back ? -1 : 1) / twice;
    }
    return twice;
}

/* Cosine-distributed direction in the half space of n. */
static void leave(const double n[3], double r2, double turn, double u[3]) {
    // frame around n (Duff et al., Journal of Computer Graphics Techniques 6 (2017) 1)
    const double sign = n[2] < 0 ? -1 : 1, a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    const double e[2][3] = {{1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0]},
                            {b, sign + n[1] * n[1] * a, -n[1]}};
    const double r = sqrt(r2), phi = 2 * 3.14159265358979323846 * turn, up = sqrt(1 - r2);
    for (int c = 0; c < 3; c++) {
        u[c] = r * cos(phi) * e[0][c] + r * sin(phi) * e[1][c] + up * n[c];
    }
}

/* First patch hit by a ray from the piece, -1: none. */
static int meet(const gos_view *v, const double (*box)[6], const gos_view_piece *p,
                const double s[4]) {
    double e[2][3], n[3], from[3], u[3];
    const double twice = triangle_geometry(v, p, e, n), far = sqrt(s[0]);
    bool back = false;
    for (int c = 0; c < 3; c++) {
        from[c] = v->x[p->corner[0]][c] + far * ((1 - s[1]) * e[0][c] + s[1] * e[1][c]);
    }
    leave(n, s[2], s[3], u);
    const int t =
        gos__rays_first(v->rays, v->x, box, from, u, MIN_DISTANCE * sqrt(twice), p->cell, &back);
    return t < 0 ? -1 : v->patch[v->rays->cell[t]][back];
}

/* Casts the rays of the patch with pieces from .. to; twice (npiece): twice their areas. */
static void cast(const gos_view *v, const double (*box)[6], int from, int to, const double *twice,
                 double all, double *S) {
    const int patch = v->piece[from].patch;
    for (long i = 0; i < v->each; i++) {
        double s[4];
        int k = from;
        gos__rays_spread4(patch * v->each + i, s);
        double left = s[0] * all;
        while (k < to - 1 && left >= twice[k]) {
            left -= twice[k++];
        }
        s[0] = twice[k] > 0 ? fmin(left / twice[k], 1) : 0;
        const int other = meet(v, box, &v->piece[k], s);
        if (other >= 0) {
            S[(size_t)patch * (size_t)v->n + (size_t)other] += all / 2 / (double)v->each;
        }
    }
}

/* Symmetrises with unchanged row sums. */
static void balance(int n, double *S, double *sum) {
    for (long i = 0; i < n; i++) {
        sum[i] = 0;
        for (long j = 0; j < n; j++) {
            sum[i] += S[i * n + j];
        }
    }
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < i; j++) {
            S[i * n + j] = S[j * n + i] = 0.5 * (S[i * n + j] + S[j * n + i]);
        }
    }
    double off = 1;
    for (int round = 0; round < ROUNDS && off > EVEN; round++) {
        off = 0;
        for (long i = 0; i < n; i++) {
            double now = 0;
            for (long j = 0; j < n; j++) {
                now += S[i * n + j];
            }
            const double d = now > 0 ? sqrt(sum[i] / now) : 1;
            off = fmax(off, fabs(d - 1));
            for (long j = 0; j < n; j++) {
                S[i * n + j] *= d;
                S[j * n + i] *= d;
            }
        }
    }
}

gos_status gos__view_factors(gos_ctx *ctx, const gos_view *v, double *area, double *S) {
    double(*box)[6] = gos__alloc(ctx, (size_t)v->rays->nnode + 1, sizeof *box);
    double *twice = gos__alloc(ctx, (size_t)v->npiece + (size_t)v->n + 1, sizeof *twice);
    const bool good = box && twice;
    memset(area, 0, (size_t)v->n * sizeof *area);
    memset(S, 0, (size_t)v->n * (size_t)v->n * sizeof *S);
    for (int k = 0; k < v->npiece && good; k++) {
        double e[2][3], n[3];
        twice[k] = triangle_geometry(v, &v->piece[k], e, n);
        area[v->piece[k].patch] += twice[k] / 2;
    }
    if (good) {
        gos__rays_fit(v->rays, v->x, box);
    }
    for (int from = 0, to; from < v->npiece && good; from = to) {
        const int patch = v->piece[from].patch;
        for (to = from; to < v->npiece && v->piece[to].patch == patch;) {
            to++;
        }
        cast(v, (const double(*)[6])box, from, to, twice, 2 * area[patch], S);
    }
    if (good) {
        balance(v->n, S, twice + v->npiece);
    }
    gos__free(ctx, box);
    gos__free(ctx, twice);
    return good ? GOS_OK : GOS_E_MEMORY;
}

/* Solves M (n, n) X = R (n, m); M is diagonally dominant, so no pivoting is needed. */
static void eliminate(long n, long m, double *M, double *R) {
    for (long k = 0; k < n; k++) {
        for (long i = k + 1; i < n; i++) {
            const double f = M[i * n + k] / M[k * n + k];
            for (long j = k; j < n && f != 0; j++) {
                M[i * n + j] -= f * M[k * n + j];
            }
            for (long j = 0; j < m && f != 0; j++) {
                R[i * m + j] -= f * R[k * m + j];
            }
        }
    }
    for (long k = n - 1; k >= 0; k--) {
        for (long j = 0; j < m; j++) {
            double x = R[k * m + j];
            for (long i = k + 1; i < n; i++) {
                x -= M[k * n + i] * R[i * m + j];
            }
            R[k * m + j] = x / M[k * n + k];
        }
    }
}

/* Radiosities J for emissive powers E of patches and surroundings: J_i = e_i E_i + (1 - e_i)
 * (sum_j F_ij J_j + F_i E_out). Patch i absorbs from j e_i A_i sum_k F_ik dJ_k/dE_j, which is
 * symmetric. In a closed enclosure the matrix is diagonally dominant if at least one patch
 * absorbs. */
gos_status gos__view_exchange(gos_ctx *ctx, int count, const double *area, const double *S,
                              const double *e, double *B, double *outside) {
    const long n = count, m = n + 1;
    double *M = gos__zalloc(ctx, (size_t)(n * n + n * m) + 1, sizeof *M);
    if (!M) {
        return GOS_E_MEMORY;
    }
    double *R = M + n * n;
    for (long i = 0; i < n; i++) {
        double total = 0;
        for (long j = 0; j < n; j++) {
            const double F = S[i * n + j] / area[i];
            M[i * n + j] = (i == j) - (1 - e[i]) * F;
            total += F;
        }
        R[i * m + i] = e[i];
        R[i * m + n] = (1 - e[i]) * fmax(0, 1 - total);
    }
    eliminate(n, m, M, R);
    for (long i = 0; i < n; i++) {
        double out = area[i];
        for (long j = 0; j < n; j++) {
            out -= S[i * n + j];
            B[i * n + j] = 0;
        }
        outside[i] = e[i] * fmax(0, out);
        for (long k = 0; k < n; k++) {
            for (long j = 0; j < n; j++) {
                B[i * n + j] += e[i] * S[i * n + k] * R[k * m + j];
            }
            outside[i] += e[i] * S[i * n + k] * R[k * m + n];
        }
    }
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < i; j++) {
            B[i * n + j] = B[j * n + i] = 0.5 * (B[i * n + j] + B[j * n + i]);
        }
    }
    gos__free(ctx, M);
    return GOS_OK;
}
