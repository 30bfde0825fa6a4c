/* Direction in which modes about a steady rotation whirl. e^(s t) (x + i y) rotates from x to -y: a
   forward whirl if ([w] x).(-y) = x.[w] y > 0, a Hermitian form z^H [w] z / 2i. Modes with equal
   roots have arbitrary vectors, so its values are those on the space that they span. */
#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "linear/quadratic.h"

#define WHIRLS 1e-2   // smallest whirl measure relative to the rate of rotation
#define EQUAL 1e-7    // relative distance of equal roots
#define DISTINCT 1e-8 // added to the squares of vectors, which may be dependent

/* Projected displacements of the modes and of i times the modes, real and imaginary. */
typedef struct whirl_space {
    int m, n;        // length, number of vectors
    double *re, *im; // (m, n)
    double *turned;  // [w] im (m, n)
    double *form;    // (n, n)
    double *square;  // (n, n)
    double *value;   // (n)
    double *X;       // (n, n)
} whirl_space;

static void take(const gos_quadratic *q, const gos_unit *u, int j, whirl_space *w) {
    const double *re = gos__dense_column(q->Y, q->nroots, u->root[0]);
    const double *im = gos__dense_column(q->Y, q->nroots, u->root[1]);
    double *x = gos__dense_column(w->re, w->m, 2 * j), *y = gos__dense_column(w->im, w->m, 2 * j);
    double size = 0;
    for (int i = 0; i < w->m; i++) {
        x[i] = re[2 * (w->m - 1 - i)] / q->w[i];
        y[i] = im[2 * (w->m - 1 - i)] / q->w[i];
        size += x[i] * x[i] + y[i] * y[i];
    }
    const double unit = size > 0 ? 1 / sqrt(size) : 0;
    for (int i = 0; i < w->m; i++) {
        x[i] *= unit;
        y[i] *= unit;
        x[w->m + i] = -y[i];
        y[w->m + i] = x[i];
    }
}

/* (m, m) skew form of the projection: that of the model, else its gyroscopic terms */
static gos_status project(const gos_quadratic *q, double *form) {
    const int m = q->m;
    const size_t n = q->n;
    if (q->l->whirl.nnz == 0) {
        memcpy(form, q->gyration, (size_t)m * m * sizeof *form);
        return GOS_OK;
    }
    double *V = gos__alloc(q->ctx, 2 * n * m + 1, sizeof *V), *FV = V + n * m;
    if (!V) {
        return GOS_E_MEMORY;
    }
    gos__dense_combine(q->n, m, m, gos__dense_column(q->V, q->n, q->nidle), q->W, V);
    gos__sparse_apply(&q->l->whirl, m, V, FV);
    gos__dense_product(m, m, q->n, V, FV, form);
    gos__free(q->ctx, V);
    return GOS_OK;
}

static gos_status find(const gos_quadratic *q, const double *form, whirl_space *w) {
    const int m = w->m, n = w->n;
    gos__dense_combine(m, n, m, form, w->im, w->turned);
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            const double *xa = gos__dense_column(w->re, m, a), *xb = gos__dense_column(w->re, m, b);
            const double *ya = gos__dense_column(w->im, m, a), *yb = gos__dense_column(w->im, m, b);
            w->form[b * n + a] = 0.5 * (gos__dense_dot(m, xa, gos__dense_column(w->turned, m, b)) +
                                        gos__dense_dot(m, xb, gos__dense_column(w->turned, m, a)));
            w->square[b * n + a] =
                gos__dense_dot(m, xa, xb) + gos__dense_dot(m, ya, yb) + (a == b ? DISTINCT : 0);
        }
    }
    return gos__dense_pencil(q->ctx, n, w->form, w->square, n, w->value, w->X);
}

/* Values come in pairs. A double root with one vector gives directions that are the regularisation
   alone: they have the whirl of the others. */
static void assign(const whirl_space *w, double least, gos_unit *u) {
    int whirl = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; 2 * j < w->n; j++) {
            const double *x = gos__dense_column(w->X, w->n, 2 * j), value = w->value[2 * j];
            const bool dependent = DISTINCT * gos__dense_dot(w->n, x, x) > 0.5;
            if (!dependent && pass == 0) {
                whirl = u[j].whirl = value > least ? 1 : value < -least ? -1 : 0;
            } else if (dependent && pass == 1) {
                u[j].whirl = whirl;
            }
        }
    }
}

static gos_status find_equal(gos_quadratic *q, const double *form, gos_unit *u, int count,
                             double least) {
    const size_t m = q->m, n = 2 * (size_t)count;
    double *work = gos__zalloc(q->ctx, 3 * m * n + (3 * n + 1) * n, sizeof *work);
    if (!work) {
        return GOS_E_MEMORY;
    }
    double *square = work + 3 * m * n;
    whirl_space w = {.m = q->m,
                     .n = (int)n,
                     .re = work,
                     .im = work + m * n,
                     .turned = work + 2 * m * n,
                     .form = square,
                     .square = square + n * n,
                     .X = square + 2 * n * n,
                     .value = square + 3 * n * n};
    for (int j = 0; j < count; j++) {
        take(q, u + j, j, &w);
    }
    const gos_status status = find(q, form, &w);
    if (status == GOS_OK) {
        assign(&w, least, u);
    }
    gos__free(q->ctx, work);
    return status;
}

static bool equal(const gos_unit *a, const gos_unit *b) {
    return hypot(a->re[0] - b->re[0], a->im - b->im) <= EQUAL * b->key;
}

static gos_status find_all(gos_quadratic *q, const double *form) {
    double most = 0;
    for (long i = 0; i < (long)q->m * q->m; i++) {
        most = fmax(most, fabs(q->gyration[i]));
    }
    const double least = WHIRLS * (q->l->whirl.nnz > 0 ? q->l->spin : most);
    for (int k = 0, count = 1; k < q->nunit; k += count, count = 1) {
        if (!(q->unit[k].im > 0)) {
            continue;
        }
        while (k + count < q->nunit && q->unit[k + count].im > 0 &&
               equal(&q->unit[k + count - 1], &q->unit[k + count])) {
            count++;
        }
        GOS_TRY(find_equal(q, form, q->unit + k, count, least));
    }
    return GOS_OK;
}

gos_status gos__quadratic_whirls(gos_quadratic *q) {
    if (!q->gyration || q->m == 0) {
        return GOS_OK;
    }
    double *form = gos__alloc(q->ctx, (size_t)q->m * q->m, sizeof *form);
    gos_status status = form ? project(q, form) : GOS_E_MEMORY;
    status = status == GOS_OK ? find_all(q, form) : status;
    gos__free(q->ctx, form);
    return status;
}
