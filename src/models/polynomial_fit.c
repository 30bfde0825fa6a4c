#include "models/polynomial_fit.h"

#include <math.h>

#define ROUNDING 1e-13 // of coefficients, relative to the largest value of the row
#define EQUAL 1e-10    // of values at random points, relative to the sum of all terms
#define POINTS 24      // random points, half of them near x0
#define RANGE 2.0      // of the random points

typedef struct fit {
    gos_ctx *ctx;
    const gos_sampled_function *f;
    gos_polynomials *p;
    uint64_t seed;
    double *x, *zero;      // (n), F(0) (m)
    double *y[7], *single; // values (m), (n, 3, m) coefficients of x, x^2, x^3
    double *largest;       // (m)
    bool *together;        // (n, n) pairs that occur in one term
    double *pair;          // (n, n, m) coefficients of x_i x_j; above the diagonal
} fit;

static double uniform(fit *k) {
    k->seed = k->seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(k->seed >> 11) / 4503599627370496.0 - 1) * RANGE;
}

static void sample(fit *k, double *y) {
    k->f->value(k->f->user, k->x, y);
    for (int r = 0; r < k->f->m; r++) {
        k->largest[r] = fmax(k->largest[r], fabs(y[r]));
    }
}

/* y := F at a e_i + b e_j + c e_l, without F(0) */
static void at_axes(fit *k, const int axis[3], const double a[3], double *y) {
    for (int i = 0; i < 3; i++) {
        if (axis[i] >= 0) {
            k->x[axis[i]] = a[i];
        }
    }
    sample(k, y);
    for (int r = 0; r < k->f->m; r++) {
        y[r] -= k->zero[r];
    }
    for (int i = 0; i < 3; i++) {
        if (axis[i] >= 0) {
            k->x[axis[i]] = 0;
        }
    }
}

static gos_status add(fit *k, int row, int a, int b, int c, double value) {
    gos_polynomials *p = k->p;
    if (!(fabs(value) > ROUNDING * k->largest[row])) {
        return GOS_OK;
    }
    GOS_TRY(gos__grow(k->ctx, (void **)&p->term, &p->room, p->n + 1, sizeof *p->term));
    p->term[p->n++] = (gos_monomial){row, {a, b, c}, value};
    return GOS_OK;
}

/* x_i, x_i^2, x_i^3 */
static gos_status fit_single(fit *k, int i) {
    const int axis[3] = {i, -1, -1};
    const size_t m = (size_t)k->f->m;
    double *to = k->single + 3 * m * (size_t)i;
    at_axes(k, axis, (double[3]){1}, k->y[0]);
    at_axes(k, axis, (double[3]){-1}, k->y[1]);
    at_axes(k, axis, (double[3]){2}, k->y[2]);
    for (size_t r = 0; r < m; r++) {
        const double odd = (k->y[0][r] - k->y[1][r]) / 2, even = (k->y[0][r] + k->y[1][r]) / 2;
        const double cubic = (k->y[2][r] - 4 * even - 2 * odd) / 6;
        to[r] = odd - cubic;
        to[m + r] = even;
        to[2 * m + r] = cubic;
        GOS_TRY(add(k, (int)r, i + 1, 0, 0, to[r]));
        GOS_TRY(add(k, (int)r, i + 1, i + 1, 0, even));
        GOS_TRY(add(k, (int)r, i + 1, i + 1, i + 1, cubic));
    }
    return GOS_OK;
}

/* whether x_i and x_j occur in one term: second difference at a random point */
static bool interact(fit *k, int i, int j, const double *base) {
    memcpy(k->x, base, (size_t)k->f->n * sizeof *base);
    for (int c = 0; c < 4; c++) {
        k->x[i] = base[i] + (c & 1 ? 1 : 0);
        k->x[j] = base[j] + (c & 2 ? 1 : 0);
        sample(k, k->y[c]);
    }
    memset(k->x, 0, (size_t)k->f->n * sizeof *k->x);
    bool any = false;
    for (int r = 0; r < k->f->m; r++) {
        const double d = k->y[0][r] - k->y[1][r] - k->y[2][r] + k->y[3][r];
        any = any || !(fabs(d) <= ROUNDING * k->largest[r]);
    }
    return any;
}

/* x_i x_j, x_i^2 x_j, x_i x_j^2 */
static gos_status fit_pair(fit *k, int i, int j) {
    const int axis[3] = {i, j, -1};
    const size_t n = (size_t)k->f->n, m = (size_t)k->f->m;
    static const double sign[3][3] = {{1, 1}, {-1, 1}, {1, -1}};
    for (int c = 0; c < 3; c++) {
        at_axes(k, axis, sign[c], k->y[c]);
        for (size_t r = 0; r < m; r++) {
            for (int d = 0; d < 2; d++) {
                const double *s = k->single + 3 * m * (size_t)axis[d], a = sign[c][d];
                k->y[c][r] -= a * s[r] + s[m + r] + a * s[2 * m + r];
            }
        }
    }
    for (size_t r = 0; r < m; r++) {
        const double b = (k->y[0][r] + k->y[1][r]) / 2, c = (k->y[0][r] + k->y[2][r]) / 2;
        k->pair[(n * (size_t)i + (size_t)j) * m + r] = k->y[0][r]; // all of them at (1, 1)
        GOS_TRY(add(k, (int)r, i + 1, j + 1, 0, k->y[0][r] - b - c));
        GOS_TRY(add(k, (int)r, i + 1, i + 1, j + 1, b));
        GOS_TRY(add(k, (int)r, i + 1, j + 1, j + 1, c));
    }
    return GOS_OK;
}

static gos_status fit_triple(fit *k, const int axis[3]) {
    const size_t n = (size_t)k->f->n, m = (size_t)k->f->m;
    at_axes(k, axis, (double[3]){1, 1, 1}, k->y[0]);
    for (size_t r = 0; r < m; r++) {
        double value = k->y[0][r];
        for (int a = 0; a < 3; a++) {
            const double *s = k->single + 3 * m * (size_t)axis[a];
            value -= s[r] + s[m + r] + s[2 * m + r];
            for (int b = a + 1; b < 3; b++) {
                value -= k->pair[(n * (size_t)axis[a] + (size_t)axis[b]) * m + r];
            }
        }
        GOS_TRY(add(k, (int)r, axis[0] + 1, axis[1] + 1, axis[2] + 1, value));
    }
    return GOS_OK;
}

static gos_status fit_all(fit *k) {
    const int n = k->f->n;
    double *base = k->y[6] + k->f->m;
    for (int i = 0; i < n; i++) {
        base[i] = uniform(k);
    }
    sample(k, k->zero);
    for (int r = 0; r < k->f->m; r++) {
        GOS_TRY(add(k, r, 0, 0, 0, k->zero[r]));
    }
    for (int i = 0; i < n; i++) {
        GOS_TRY(fit_single(k, i));
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            k->together[(size_t)i * (size_t)n + (size_t)j] = interact(k, i, j, base);
            if (k->together[(size_t)i * (size_t)n + (size_t)j]) {
                GOS_TRY(fit_pair(k, i, j));
            }
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int l = j + 1; l < n && k->together[(size_t)i * (size_t)n + (size_t)j]; l++) {
                if (k->together[(size_t)i * (size_t)n + (size_t)l] &&
                    k->together[(size_t)j * (size_t)n + (size_t)l]) {
                    GOS_TRY(fit_triple(k, (int[3]){i, j, l}));
                }
            }
        }
    }
    return GOS_OK;
}

static void check(fit *k, const double *x0) {
    const gos_polynomials *p = k->p;
    double *y = k->y[0], *sum = k->y[1], *size = k->y[2];
    k->p->exact = true;
    for (int point = 0; point < POINTS; point++) {
        for (int i = 0; i < k->f->n; i++) {
            k->x[i] = point % 2 ? uniform(k) : x0[i] + 0.1 * uniform(k);
        }
        k->f->value(k->f->user, k->x, y);
        memset(sum, 0, (size_t)k->f->m * sizeof *sum);
        memset(size, 0, (size_t)k->f->m * sizeof *size);
        for (int t = 0; t < p->n; t++) {
            double value = p->term[t].value;
            for (int c = 0; c < 3; c++) {
                value *= p->term[t].at[c] > 0 ? k->x[p->term[t].at[c] - 1] : 1;
            }
            sum[p->term[t].row] += value;
            size[p->term[t].row] += fabs(value);
        }
        for (int r = 0; r < k->f->m; r++) {
            k->p->exact =
                k->p->exact && fabs(y[r] - sum[r]) <= EQUAL * (size[r] + ROUNDING * k->largest[r]);
        }
    }
}

gos_status gos__polynomials_fit(gos_ctx *ctx, const gos_sampled_function *f, const double *x0,
                                gos_polynomials *p) {
    const size_t n = (size_t)f->n, m = (size_t)f->m;
    fit k = {.ctx = ctx, .f = f, .p = p, .seed = 1};
    *p = (gos_polynomials){0};
    k.x = gos__zalloc(ctx, 2 * n + 9 * m + 3 * n * m + n * n * m + 1, sizeof *k.x);
    k.together = gos__zalloc(ctx, n * n + 1, sizeof *k.together);
    gos_status status = k.x && k.together ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        k.zero = k.x + n;
        k.largest = k.zero + m;
        k.single = k.largest + m;
        k.pair = k.single + 3 * n * m;
        for (int i = 0; i < 7; i++) {
            k.y[i] = k.pair + n * n * m + m * (size_t)i; // the base of pairs follows the last one
        }
        status = fit_all(&k);
    }
    if (status == GOS_OK) {
        check(&k, x0);
    }
    gos__free(ctx, k.x);
    gos__free(ctx, k.together);
    return status;
}

void gos__polynomials_free(gos_ctx *ctx, gos_polynomials *p) {
    gos__free(ctx, p->term);
    *p = (gos_polynomials){0};
}
