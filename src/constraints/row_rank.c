/* Sparse elimination by rows in the given order. Pivot columns of kept rows are eliminated from
 * new rows; a row without remainder is dependent. Joints involve few coordinates, so rows remain
 * short. The pivot is the first large entry, because later rows of a chain do not involve earlier
 * coordinates. */
#include "constraints/row_rank.h"

#include <math.h>

#include "system/derived.h"

/* Near a singular position constraint gradients are nearly dependent: the remainder of a row is
 * proportional to the distance from that position. */

// relative to the largest entry of a row: smaller remainders indicate a singular position
#define NEARLY_DEPENDENT 3e-2

typedef struct putting {
    gos_row_rank *rank;
    const gos_system *s;
} putting;

/* Slopes and axes are scaled by the extent, so that rows are independent of the unit of length. */
static void put_entry(gos_entry_sink *sink, int row, int col, double v) {
    const putting *p = sink->user;
    GOS_UNUSED(row);
    gos__row_rank_put(p->rank, col, p->s->trans[col / 3] != 0 ? v : v / p->s->extent);
}

static gos_status first_dependent(const gos_system *s, const gos_state *x,
                                  gos_derived_work *derived, gos_row_rank *rank, int *first) {
    double at[3 * GOS_ITEM_MARKERS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    gos_columns columns[GOS_ITEM_MARKERS];
    putting p = {rank, s};
    gos_entry_sink sink = {.add = put_entry, .user = &p};
    gos__derived_put(s, derived, x->q, x->v, NULL);
    for (*first = 0; *first < s->nitem; ++*first) {
        const gos_item *it = s->item[*first];
        bool independent = true;
        if (it->nc > 0) {
            gos__item_gradients(s, x, it, at, cx);
            gos__columns_at(s, derived, it, columns);
        }
        for (int r = 0; r < it->nc && independent; r++) {
            gos__columns_row(columns, it->nm, cx + 3 * r * it->nm, false, r, &sink);
            GOS_TRY(gos__row_rank_add(rank, NEARLY_DEPENDENT, &independent));
        }
        if (!independent) {
            return GOS_OK;
        }
    }
    return GOS_OK;
}

static int dependent_at(gos_ctx *ctx, const gos_system *s, const gos_state *x) {
    gos_row_rank *rank = NULL;
    gos_derived_work *derived = NULL;
    int first = s->nitem;
    gos_status status = gos__row_rank_create(ctx, 3 * s->nv, &rank);
    status = status == GOS_OK ? gos__derived_work_create(ctx, s, &derived) : status;
    status = status == GOS_OK ? first_dependent(s, x, derived, rank, &first) : status;
    gos__derived_work_destroy(ctx, derived);
    gos__row_rank_destroy(rank);
    return status == GOS_OK ? first : s->nitem;
}

const gos_item *gos__singular_joint(gos_ctx *ctx, const gos_system *s, const gos_point_of *x) {
    gos_ctx *quiet = gos__ctx_quiet(ctx);
    gos_state *state = NULL;
    const gos_item *joint = NULL;
    if (quiet && gos_state_create(quiet, s, &state) == GOS_OK) {
        const int start = dependent_at(quiet, s, state);
        memcpy(state->q, x->q, s->nq * sizeof *state->q);
        memcpy(state->th, x->th, s->nt * sizeof *state->th);
        if (x->mem) {
            memcpy(state->mem, x->mem, s->nmem * sizeof *state->mem);
        }
        const int now = dependent_at(quiet, s, state);
        joint = now < s->nitem && now != start ? s->item[now] : NULL;
    }
    gos_state_destroy(state);
    gos_ctx_destroy(quiet);
    return joint;
}

#define MIN_PIVOT 0.1      // smallest pivot relative to the largest entry of a row
#define MAX_WORK 2e9       // limit of multiplications, some seconds
#define MAX_FILL (1 << 26) // limit of entries, 800 MB

typedef struct kept {
    size_t at; // index of its first entry
    int n;
} kept;

struct gos_row_rank {
    gos_ctx *ctx;
    int width; // columns that determine dependence; further ones are only transformed
    int ntraced;
    double *row;   // current row, dense (width)
    char *in;      // column is in the list (width)
    int *list;     // nonzero columns of the current row (width)
    int n;         // their number
    double size;   // largest term of the current row, before terms cancel
    int *pivot_of; // kept row with its pivot in the column, or -1 (width)
    int *heap;     // kept rows to eliminate, min-heap (width)
    int nheap;
    char *in_heap; // kept row is or was in the heap (width)
    kept *keep;    // (rank)
    int rank;
    int *col; // of all kept entries; the pivot comes first, with value 1
    double *val;
    int nentry, cap, vcap;
    double work;
    double min_remainder; // smallest relative remainder of a kept row
};

gos_status gos__row_rank_create(gos_ctx *ctx, int width, gos_row_rank **out) {
    return gos__row_rank_create_traced(ctx, width, 0, out);
}

gos_status gos__row_rank_create_traced(gos_ctx *ctx, int width, int nrow, gos_row_rank **out) {
    gos_row_rank *k = gos__zalloc(ctx, 1, sizeof *k);
    if (!k) {
        return GOS_E_MEMORY;
    }
    const size_t n = (size_t)width + (size_t)nrow + 1;
    k->ctx = ctx;
    k->width = width;
    k->ntraced = nrow;
    k->min_remainder = 1;
    k->row = gos__zalloc(ctx, n, sizeof *k->row);
    k->in = gos__zalloc(ctx, n, 1);
    k->list = gos__zalloc(ctx, n, sizeof *k->list);
    k->pivot_of = gos__zalloc(ctx, n, sizeof *k->pivot_of);
    k->heap = gos__zalloc(ctx, n, sizeof *k->heap);
    k->in_heap = gos__zalloc(ctx, n, 1);
    k->keep = gos__zalloc(ctx, n, sizeof *k->keep);
    if (!k->row || !k->in || !k->list || !k->pivot_of || !k->heap || !k->in_heap || !k->keep) {
        gos__row_rank_destroy(k);
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < width + nrow; i++) {
        k->pivot_of[i] = -1;
    }
    *out = k;
    return GOS_OK;
}

void gos__row_rank_destroy(gos_row_rank *k) {
    if (!k) {
        return;
    }
    void *const all[] = {k->row,     k->in,   k->list, k->pivot_of, k->heap,
                         k->in_heap, k->keep, k->col,  k->val};
    for (int i = 0; i < GOS_COUNT(all); i++) {
        gos__free(k->ctx, all[i]);
    }
    gos__free(k->ctx, k);
}

static void push(gos_row_rank *k, int row) {
    if (k->in_heap[row]) {
        return;
    }
    k->in_heap[row] = 1;
    int i = k->nheap++;
    for (; i > 0 && k->heap[(i - 1) / 2] > row; i = (i - 1) / 2) {
        k->heap[i] = k->heap[(i - 1) / 2];
    }
    k->heap[i] = row;
}

static int pop(gos_row_rank *k) {
    const int first = k->heap[0], last = k->heap[--k->nheap];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child + 1 < k->nheap && k->heap[child + 1] < k->heap[child]) {
            child++;
        }
        if (child >= k->nheap || k->heap[child] >= last) {
            break;
        }
        k->heap[i] = k->heap[child];
        i = child;
    }
    k->heap[i] = last;
    return first;
}

static void enter(gos_row_rank *k, int col) {
    if (!k->in[col]) {
        k->in[col] = 1;
        k->list[k->n++] = col;
        if (k->pivot_of[col] >= 0) {
            push(k, k->pivot_of[col]);
        }
    }
}

void gos__row_rank_put(gos_row_rank *k, int col, double v) {
    if (v != 0) {
        enter(k, col);
        k->row[col] += v;
        if (col < k->width) {
            k->size = fmax(k->size, fabs(v));
        }
    }
}

static void eliminate(gos_row_rank *k) {
    while (k->nheap > 0) {
        const int r = pop(k);
        const kept *p = &k->keep[r];
        const int *col = k->col + p->at;
        const double *val = k->val + p->at, f = k->row[col[0]];
        k->in_heap[r] = 0;
        k->row[col[0]] = 0;
        for (int i = 1; i < p->n && f != 0; i++) {
            enter(k, col[i]);
            k->row[col[i]] -= f * val[i];
        }
        k->work += p->n;
    }
}

static double largest(const gos_row_rank *k) {
    double max = 0;
    for (int i = 0; i < k->n; i++) {
        const double v = k->list[i] < k->width ? fabs(k->row[k->list[i]]) : 0;
        max = v <= max ? max : v; // keeps NaN
    }
    return max;
}

static void remove_row(gos_row_rank *k) {
    for (int i = 0; i < k->n; i++) {
        k->row[k->list[i]] = 0;
        k->in[k->list[i]] = 0;
    }
    k->n = 0;
    k->size = 0;
}

static gos_status keep_row(gos_row_rank *k, double max, double negligible) {
    void *col = k->col, *val = k->val;
    gos_status status = gos__grow(k->ctx, &col, &k->cap, k->nentry + k->n, sizeof *k->col);
    k->col = col;
    GOS_TRY(status);
    status = gos__grow(k->ctx, &val, &k->vcap, k->nentry + k->n, sizeof *k->val);
    k->val = val;
    GOS_TRY(status);
    int pivot = -1;
    for (int i = 0; i < k->n; i++) {
        const int c = k->list[i];
        if (c < k->width && fabs(k->row[c]) >= MIN_PIVOT * max && (pivot < 0 || c < pivot)) {
            pivot = c;
        }
    }
    kept *p = &k->keep[k->rank];
    *p = (kept){.at = (size_t)k->nentry};
    const double scale = 1 / k->row[pivot];
    k->col[k->nentry] = pivot;
    k->val[k->nentry++] = 1;
    for (int i = 0; i < k->n; i++) {
        const int c = k->list[i];
        if (c != pivot && fabs(k->row[c]) > negligible) {
            k->col[k->nentry] = c;
            k->val[k->nentry++] = k->row[c] * scale;
        }
    }
    p->n = k->nentry - (int)p->at;
    k->pivot_of[pivot] = k->rank++;
    return GOS_OK;
}

gos_status gos__row_rank_add(gos_row_rank *k, double tolerance, bool *independent) {
    return gos__row_rank_add_traced(k, tolerance, independent, NULL);
}

gos_status gos__row_rank_add_traced(gos_row_rank *k, double tolerance, bool *independent,
                                    double *relation) {
    const double before = k->size;
    gos_status status = GOS_OK;
    if (k->work > MAX_WORK || k->nentry > MAX_FILL) {
        k->nheap = 0;
        memset(k->in_heap, 0, (size_t)k->rank);
        remove_row(k);
        return GOS_RETRY;
    }
    eliminate(k);
    const double after = largest(k);
    *independent = after > tolerance * before;
    if (*independent) {
        k->min_remainder = fmin(k->min_remainder, after / before);
        status = keep_row(k, after, 1e-16 * before);
    } else if (relation) {
        memcpy(relation, k->row + k->width, (size_t)k->ntraced * sizeof *relation);
    }
    remove_row(k);
    return status;
}

double gos__row_rank_min_remainder(const gos_row_rank *k) {
    return k->min_remainder;
}
