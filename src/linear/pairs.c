/* Pairing of real roots into overdamped modes. Equal roots have arbitrary vectors, so vectors
   are compared by the spaces that equal roots span. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "linalg/dense.h"
#include "linear/quadratic.h"

#define EQUAL 1e-7     // relative distance of equal roots
#define STRANGER 0.3   // smallest common part of partners' displacements
#define DEPENDENT 1e-6 // relative norm of a dependent displacement

/* real roots, ascending */
typedef struct reals {
    int n;
    int *root;       // columns of the vectors (n)
    int *from, *to;  // range of roots equal to each (n)
    double *k;       // stiffness of the displacements (n)
    double *y;       // normalised displacements (m, n)
    double *space;   // orthonormal per range, or zero (m, n)
    double *overlap; // space^T y (n, n)
} reals;

typedef struct couple {
    double bad;
    int a, b;
} couple;

/* real and not thermal */
static bool is_real(const gos_quadratic *q, int i) {
    return q->im[i] == 0 && !(q->heat && q->thermal[i]);
}

/* normalised displacement part in undamped modes; returns y^T K y */
static double displacement(const gos_quadratic *q, int root, double *y) {
    const double *v = gos__dense_column(q->Y, q->nroots, root);
    double norm = 0, stiffness = 0;
    for (int i = 0; i < q->m; i++) {
        y[i] = v[2 * (q->m - 1 - i)] / q->w[i];
        norm += y[i] * y[i];
    }
    for (int i = 0; i < q->m; i++) {
        y[i] /= norm > 0 ? sqrt(norm) : 1;
        stiffness += q->lambda[i] * y[i] * y[i];
    }
    return stiffness;
}

static void add_pair(gos_quadratic *q, int a, int b) {
    gos_unit *u = &q->unit[q->nunit++];
    const bool opposite = q->re[a] * q->re[b] < 0; // unstable one first, else slower first
    if (opposite ? q->re[a] < q->re[b] : fabs(q->re[a]) > fabs(q->re[b])) {
        const int t = a;
        a = b;
        b = t;
    }
    const double product = q->re[a] * q->re[b];
    *u = (gos_unit){.re = {q->re[a], q->re[b]}, .root = {a, b}, .rigid = q->re[a] == 0};
    u->key = u->rigid ? 0 : product > 0 ? sqrt(product) : -sqrt(-product);
}

/* insertion sort is stable */
static void gather(const gos_quadratic *q, reals *r) {
    for (int i = 0; i < q->nroots; i++) {
        int to = r->n;
        if (!is_real(q, i)) {
            continue;
        }
        for (; to > 0 && q->re[r->root[to - 1]] > q->re[i]; to--) {
            r->root[to] = r->root[to - 1];
        }
        r->root[to] = i;
        r->n++;
    }
    for (int i = 0; i < r->n; i++) {
        r->k[i] = displacement(q, r->root[i], gos__dense_column(r->y, q->m, i));
        const double s = q->re[r->root[i]];
        const bool same = i > 0 && s - q->re[r->root[i - 1]] <= EQUAL * fabs(q->re[r->root[i - 1]]);
        r->from[i] = same ? r->from[i - 1] : i;
    }
    for (int i = r->n - 1; i >= 0; i--) {
        r->to[i] = i + 1 < r->n && r->from[i + 1] == r->from[i] ? r->to[i + 1] : i + 1;
    }
}

/* orthonormalise each range, twice */
static void span(int m, reals *r) {
    memcpy(r->space, r->y, (size_t)m * r->n * sizeof *r->y);
    for (int i = 0; i < r->n; i++) {
        double *x = gos__dense_column(r->space, m, i);
        for (int pass = 0; pass < 2; pass++) {
            for (int j = r->from[i]; j < i; j++) {
                const double *other = gos__dense_column(r->space, m, j);
                const double along = gos__dense_dot(m, x, other);
                for (int k = 0; k < m; k++) {
                    x[k] -= along * other[k];
                }
            }
        }
        const double left = sqrt(gos__dense_dot(m, x, x));
        for (int k = 0; k < m; k++) {
            x[k] = left > DEPENDENT ? x[k] / left : 0;
        }
    }
    gos__dense_product(r->n, r->n, m, r->space, r->y, r->overlap);
}

/* norm of the part of displacement b in the space of a */
static double part(const reals *r, int a, long b) {
    const double *o = r->overlap + b * r->n;
    double sum = 0;
    for (int j = r->from[a]; j < r->to[a]; j++) {
        sum += o[j] * o[j];
    }
    return sqrt(sum);
}

/* Mismatch of two real roots. Roots of one overdamped mode share y, and their product is its
   stiffness: s^2 + s (y^T D y) + y^T K y = 0. Equal roots form one (critically damped) mode only
   with equal displacements. */
static double mismatch(const gos_quadratic *q, const reals *r, int a, int b) {
    const double product = q->re[r->root[a]] * q->re[r->root[b]], ka = r->k[a], kb = r->k[b];
    const double off_a = fabs(product - ka) / fmax(fmax(fabs(product), fabs(ka)), DBL_MIN);
    const double off_b = fabs(product - kb) / fmax(fmax(fabs(product), fabs(kb)), DBL_MIN);
    const double *ya = gos__dense_column(r->y, q->m, a), *yb = gos__dense_column(r->y, q->m, b);
    const double common = r->from[a] == r->from[b] ? fabs(gos__dense_dot(q->m, ya, yb))
                                                   : fmax(part(r, a, b), part(r, b, a));
    return off_a + off_b + (common < STRANGER ? 4 : 1e-6 * (1 - common));
}

static int compare_couples(const void *a, const void *b) {
    const couple *x = a, *y = b;
    if (x->bad != y->bad) {
        return x->bad < y->bad ? -1 : 1;
    }
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

/* greedy pairing by mismatch; list (n (n - 1) / 2) */
static void marry(gos_quadratic *q, reals *r, couple *list) {
    size_t count = 0;
    for (int a = 0; a < r->n; a++) {
        for (int b = a + 1; b < r->n; b++) {
            list[count++] = (couple){.bad = mismatch(q, r, a, b), .a = a, .b = b};
        }
    }
    qsort(list, count, sizeof *list, compare_couples);
    for (size_t i = 0; i < count; i++) {
        int *a = &r->root[list[i].a], *b = &r->root[list[i].b];
        if (*a >= 0 && *b >= 0) {
            add_pair(q, *a, *b);
            *a = *b = -1;
        }
    }
}

gos_status gos__quadratic_pair(gos_quadratic *q) {
    const size_t m = q->m;
    size_t n = 0;
    for (int i = 0; i < q->nroots; i++) {
        n += is_real(q, i);
    }
    int *ints = gos__alloc(q->ctx, 3 * n + 1, sizeof *ints);
    double *doubles = gos__alloc(q->ctx, n + 2 * m * n + n * n + 1, sizeof *doubles);
    couple *list = gos__alloc(q->ctx, n * n / 2 + 1, sizeof *list);
    const bool all = ints && doubles && list;
    if (all && n > 0) {
        reals r = {.root = ints, .from = ints + n, .to = ints + 2 * n, .k = doubles};
        r.y = r.k + n;
        r.space = r.y + m * n;
        r.overlap = r.space + m * n;
        gather(q, &r);
        span(q->m, &r);
        marry(q, &r, list);
    }
    gos__free(q->ctx, list);
    gos__free(q->ctx, doubles);
    gos__free(q->ctx, ints);
    return all ? GOS_OK : GOS_E_MEMORY;
}
