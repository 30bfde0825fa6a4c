/* Gaussian elimination of conditions one by one: dependent unknowns are substituted, then the
 * condition is solved for an unknown. Chains are resolved at the end, from the last condition to
 * the first. */
#include "linalg/ties.h"

#include <math.h>

#define ROUNDING 1e-9        // relative to the largest term: remainder of a redundant condition
#define MIN_COEFFICIENT 1e-6 // relative to the largest term: too small to solve for

gos_status gos__conditions_begin(gos_conditions *c, int follows) {
    int cap = c->cap;
    GOS_TRY(gos__grow(c->ctx, (void **)&c->start, &cap, c->n + 2, sizeof *c->start));
    GOS_TRY(gos__grow(c->ctx, (void **)&c->follows, &c->cap, c->n + 2, sizeof *c->follows));
    c->start[c->n] = c->nterm;
    c->follows[c->n++] = follows;
    c->start[c->n] = c->nterm;
    return GOS_OK;
}

gos_status gos__conditions_term(gos_conditions *c, int unknown, double factor) {
    int cap = c->capacity;
    GOS_TRY(gos__grow(c->ctx, (void **)&c->unknown, &cap, c->nterm + 1, sizeof *c->unknown));
    GOS_TRY(gos__grow(c->ctx, (void **)&c->factor, &c->capacity, c->nterm + 1, sizeof *c->factor));
    c->unknown[c->nterm] = unknown;
    c->factor[c->nterm++] = factor;
    c->start[c->n] = c->nterm;
    return GOS_OK;
}

void gos__conditions_free(gos_conditions *c) {
    gos__free(c->ctx, c->start);
    gos__free(c->ctx, c->follows);
    gos__free(c->ctx, c->unknown);
    gos__free(c->ctx, c->factor);
    *c = (gos_conditions){.ctx = c->ctx};
}

typedef struct solving {
    const gos_conditions *c;
    const double *size;
    int *from;          // row that an unknown depends by, -1: free (n)
    gos_conditions row; // solved conditions: follows = terms
    double *sum;        // of the current condition (n), otherwise 0
    int *list, nlist;   // its unknowns (n)
    bool *listed;       // (n)
} solving;

static void add(solving *s, int j, double x) {
    s->sum[j] += x;
    if (!s->listed[j]) {
        s->listed[j] = true;
        s->list[s->nlist++] = j;
    }
}

static void clear(solving *s) {
    for (int k = 0; k < s->nlist; k++) {
        s->sum[s->list[k]] = 0;
        s->listed[s->list[k]] = false;
    }
    s->nlist = 0;
}

/* List index of the dependent unknown with the lowest row; -1: all are free. */
static int next_followed(const solving *s) {
    int best = -1;
    for (int k = 0; k < s->nlist; k++) {
        const int row = s->from[s->list[k]], own = best < 0 ? -1 : s->from[s->list[best]];
        if (row >= 0 && s->sum[s->list[k]] != 0 && (best < 0 || row < own)) {
            best = k;
        }
    }
    return best;
}

/* Substitutes all dependent unknowns; raises *scale to the largest term met. */
static void replace(solving *s, double *scale) {
    for (int k = next_followed(s); k >= 0; k = next_followed(s)) {
        const int j = s->list[k], row = s->from[j];
        const double by = s->sum[j];
        s->sum[j] = 0;
        for (int t = s->row.start[row]; t < s->row.start[row + 1]; t++) {
            const int i = s->row.unknown[t];
            add(s, i, by * s->row.factor[t]);
            *scale = fmax(*scale, fabs(by * s->row.factor[t]) * s->size[i]);
        }
    }
}

/* Unknown to solve for; -1: the condition is redundant. */
static int pivot_of(const solving *s, int preferred, double scale) {
    int best = -1;
    double max = 0;
    for (int k = 0; k < s->nlist; k++) {
        const int j = s->list[k];
        const double x = fabs(s->sum[j]) * s->size[j];
        if (x > max) {
            max = x;
            best = j;
        }
    }
    if (!(max > ROUNDING * scale)) {
        return -1;
    }
    return preferred >= 0 && fabs(s->sum[preferred]) * s->size[preferred] > MIN_COEFFICIENT * max
               ? preferred
               : best;
}

static gos_status take(solving *s, int condition, int *given) {
    const gos_conditions *c = s->c;
    double scale = 0;
    for (int t = c->start[condition]; t < c->start[condition + 1]; t++) {
        add(s, c->unknown[t], c->factor[t]);
        scale = fmax(scale, fabs(c->factor[t]) * s->size[c->unknown[t]]);
    }
    replace(s, &scale);
    const int pivot = pivot_of(s, c->follows[condition], scale);
    *given += pivot < 0;
    gos_status status = pivot < 0 ? GOS_OK : gos__conditions_begin(&s->row, pivot);
    for (int k = 0; k < s->nlist && pivot >= 0 && status == GOS_OK; k++) {
        const int j = s->list[k];
        const bool counts = fabs(s->sum[j]) * s->size[j] > 1e-15 * scale;
        status = j == pivot || !counts
                     ? GOS_OK
                     : gos__conditions_term(&s->row, j, -s->sum[j] / s->sum[pivot]);
    }
    if (status == GOS_OK && pivot >= 0) {
        s->from[pivot] = s->row.n - 1;
    }
    clear(s);
    return status;
}

/* Expresses rows by free unknowns, last row first; finished rows are in `done`, at place[row]. */
static gos_status close_chains(solving *s, gos_conditions *done, int *place) {
    gos_status status = GOS_OK;
    for (int row = s->row.n - 1; row >= 0 && status == GOS_OK; row--) {
        for (int t = s->row.start[row]; t < s->row.start[row + 1]; t++) {
            const int j = s->row.unknown[t], by = s->from[j];
            if (by < 0) {
                add(s, j, s->row.factor[t]);
                continue;
            }
            for (int q = done->start[place[by]]; q < done->start[place[by] + 1]; q++) {
                add(s, done->unknown[q], s->row.factor[t] * done->factor[q]);
            }
        }
        place[row] = done->n;
        status = gos__conditions_begin(done, -1);
        for (int k = 0; k < s->nlist && status == GOS_OK; k++) {
            status = s->sum[s->list[k]] == 0
                         ? GOS_OK
                         : gos__conditions_term(done, s->list[k], s->sum[s->list[k]]);
        }
        clear(s);
    }
    return status;
}

static gos_status make_columns(const solving *s, int n, const gos_conditions *done,
                               const int *place, gos_sparse *T) {
    gos_ctx *ctx = s->c->ctx;
    const size_t max = (size_t)n + (size_t)done->nterm;
    if (max > INT32_MAX) {
        return gos__fail(ctx, GOS_E_LIMIT, "the conditions have more than 2^31 terms");
    }
    int *i = gos__alloc(ctx, 2 * max + 1, sizeof *i), *j = i ? i + max : NULL;
    int *number = gos__alloc(ctx, (size_t)n + 1, sizeof *number), nfree = 0, count = 0;
    double *x = gos__alloc(ctx, max + 1, sizeof *x);
    gos_status status = i && number && x ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < n && status == GOS_OK; k++) {
        number[k] = s->from[k] < 0 ? nfree++ : -1;
    }
    for (int k = 0; k < n && status == GOS_OK; k++) {
        if (number[k] >= 0) {
            i[count] = number[k];
            j[count] = k;
            x[count++] = 1;
            continue;
        }
        const int row = place[s->from[k]];
        for (int q = done->start[row]; q < done->start[row + 1]; q++) {
            i[count] = number[done->unknown[q]];
            j[count] = k;
            x[count++] = done->factor[q];
        }
    }
    status =
        status == GOS_OK ? gos__sparse_from_triplets(ctx, nfree, n, count, i, j, x, T) : status;
    gos__free(ctx, i);
    gos__free(ctx, number);
    gos__free(ctx, x);
    return status;
}

static gos_status solve(solving *s, int n, gos_sparse *T, int *given) {
    gos_ctx *ctx = s->c->ctx;
    gos_conditions done = {.ctx = ctx};
    gos_status status = GOS_OK;
    memset(s->from, -1, (size_t)n * sizeof *s->from);
    for (int k = 0; k < s->c->n && status == GOS_OK; k++) {
        status = take(s, k, given);
    }
    int *place = gos__alloc(ctx, (size_t)s->row.n + 1, sizeof *place);
    status = status == GOS_OK && !place ? GOS_E_MEMORY : status;
    status = status == GOS_OK ? close_chains(s, &done, place) : status;
    status = status == GOS_OK ? make_columns(s, n, &done, place, T) : status;
    gos__free(ctx, place);
    gos__conditions_free(&done);
    return status;
}

gos_status gos__ties_solve(const gos_conditions *c, int n, const double *size, gos_sparse *T,
                           int *given) {
    const size_t room = (size_t)n + 1;
    int given_count = 0;
    solving s = {.c = c, .size = size, .row = {.ctx = c->ctx}};
    *T = (gos_sparse){0};
    s.from = gos__alloc(c->ctx, room, sizeof *s.from);
    s.sum = gos__zalloc(c->ctx, room, sizeof *s.sum);
    s.list = gos__alloc(c->ctx, room, sizeof *s.list);
    s.listed = gos__zalloc(c->ctx, room, sizeof *s.listed);
    const gos_status status =
        s.from && s.sum && s.list && s.listed ? solve(&s, n, T, &given_count) : GOS_E_MEMORY;
    if (given) {
        *given = given_count;
    }
    gos__free(c->ctx, s.from);
    gos__free(c->ctx, s.sum);
    gos__free(c->ctx, s.list);
    gos__free(c->ctx, s.listed);
    gos__conditions_free(&s.row);
    return status;
}
