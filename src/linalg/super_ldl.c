/* Analysis of the supernodal L D L^T and traversal of its tree (super_ldl.h). Similar columns of L
 * are merged from the leaves up: a few zeros in longer dense products cost little. Update matrices
 * use two stacks, by even and odd depth, so that a front is formed while its children's exist;
 * positions are computed in advance. */
#include "linalg/super_ldl.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/pool.h"

#define MIN_PARTS 24 // least number of parts of the work, which limits subtrees
#define ALIGNED 64   // bytes

/* Admissible share of zero blocks in supernodes of w block columns. */
static double zeros_of(int w) {
    return w <= 3 ? 0.6 : w <= 8 ? 0.2 : 0.08;
}

/* A supernode being formed, stored at its last column. */
typedef struct join {
    int w, h; // columns, blocks below
    double zeros;
} join;

static double blocks_of(int w, int h) {
    return 0.5 * w * (w + 1.0) + (double)w * h;
}

/* Merges c into its parent k if admissible. */
static bool joined(join *k, const join *c) {
    const int w = k->w + c->w;
    const double all = blocks_of(w, k->h),
                 zeros = k->zeros + c->zeros + all - blocks_of(k->w, k->h) - blocks_of(c->w, c->h);
    if (w > GOS_SUPER_MAX_WIDTH || zeros > zeros_of(w) * all) {
        return false;
    }
    k->w = w;
    k->zeros = zeros;
    return true;
}

/* of (n): last column of the supernode of each column. list, next (n): scratch */
static void find_joins(int n, const int *parent, const int *count, join *j, int *of, int *list,
                       int *next) {
    for (int k = 0; k < n; k++) {
        list[k] = -1;
        of[k] = k;
        j[k] = (join){.w = 1, .h = count[k]};
    }
    for (int k = 0; k < n; k++) {
        /* children with the most blocks first, which add the fewest zeros */
        for (int c = list[k]; c >= 0; c = next[c]) {
            if (joined(&j[k], &j[c])) {
                of[c] = k;
            }
        }
        if (parent[k] >= 0) {
            int *at = &list[parent[k]];
            while (*at >= 0 && j[*at].h >= j[k].h) {
                at = &next[*at];
            }
            next[k] = *at;
            *at = k;
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        of[k] = of[k] == k ? k : of[of[k]];
    }
}

/* Postorder numbers of supernodes, by last column (n), and parents; stack, list, next (n):
 * scratch. @return their number */
static int number_supernodes(int n, const int *parent, const int *of, int *number, int *up,
                             int *stack, int *list, int *next) {
    int count = 0, top = 0, roots = -1;
    for (int k = 0; k < n; k++) {
        list[k] = -1;
    }
    for (int k = n - 1; k >= 0; k--) {
        if (of[k] == k) {
            int *at = parent[k] >= 0 ? &list[of[parent[k]]] : &roots;
            next[k] = *at;
            *at = k;
        }
    }
    for (int r = roots; r >= 0; r = next[r]) {
        stack[top++] = r;
        while (top > 0) {
            const int k = stack[top - 1], c = list[k];
            if (c >= 0) {
                list[k] = next[c];
                stack[top++] = c;
            } else {
                number[k] = count++;
                top--;
            }
        }
    }
    for (int k = 0; k < n; k++) {
        if (of[k] == k) {
            up[number[k]] = parent[k] >= 0 ? number[of[parent[k]]] : -1;
        }
    }
    return count;
}

/* Makes supernodes contiguous in order (n); sets first and parent. */
static gos_status place_supernodes(gos_super *f, int *order, const int *parent, const join *j,
                                   const int *of, int *work) {
    const size_t n = f->n;
    int *number = work, *up = work + n, *stack = work + 2 * n, *list = work + 3 * n,
        *next = work + 4 * n;
    f->ns = number_supernodes(f->n, parent, of, number, up, stack, list, next);
    const size_t ns = f->ns;
    f->first = gos__zalloc(f->ctx, ns + 1, sizeof *f->first);
    f->at = gos__zalloc(f->ctx, ns + 1, sizeof *f->at);
    f->parent = gos__alloc(f->ctx, ns + 1, sizeof *f->parent);
    f->of = gos__alloc(f->ctx, n + 1, sizeof *f->of);
    if (!f->first || !f->at || !f->parent || !f->of) {
        return GOS_E_MEMORY;
    }
    memcpy(f->parent, up, ns * sizeof *up);
    for (int k = 0; k < f->n; k++) {
        if (of[k] == k) {
            f->first[number[k] + 1] = j[k].w;
            f->at[number[k] + 1] = (size_t)j[k].h;
        }
    }
    for (size_t s = 0; s < ns; s++) {
        f->first[s + 1] += f->first[s];
        f->at[s + 1] += f->at[s];
        list[s] = f->first[s];
    }
    for (int k = 0; k < f->n; k++) {
        const int s = number[of[k]], i = list[s]++;
        stack[i] = order[k];
        f->of[i] = s;
    }
    memcpy(order, stack, n * sizeof *order);
    return GOS_OK;
}

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

/* Row blocks of each supernode; place, mark (n): scratch. */
static void find_rows(gos_super *f, const gos_pattern *g, const int *order, int *place, int *mark) {
    for (int k = 0; k < f->n; k++) {
        place[order[k]] = k;
        mark[k] = -1;
    }
    for (int s = 0; s < f->ns; s++) {
        int *row = f->row + f->at[s], count = 0;
        const int end = f->first[s + 1];
        for (int k = f->first[s]; k < end; k++) {
            for (int p = g->p[order[k]]; p < g->p[order[k] + 1]; p++) {
                const int i = place[g->i[p]];
                if (i >= end && mark[i] != s) {
                    mark[i] = s;
                    row[count++] = i;
                }
            }
        }
        for (int c = f->child[s]; c >= 0; c = f->next[c]) {
            for (size_t p = f->at[c]; p < f->at[c + 1]; p++) {
                const int i = f->row[p];
                if (i >= end && mark[i] != s) {
                    mark[i] = s;
                    row[count++] = i;
                }
            }
        }
        qsort(row, (size_t)count, sizeof *row, compare);
    }
}

static void find_places(gos_super *f) {
    for (int s = 0; s < f->ns; s++) {
        const int t = f->parent[s];
        if (t < 0) {
            continue;
        }
        const int w = f->first[t + 1] - f->first[t];
        size_t q = f->at[t];
        for (size_t p = f->at[s]; p < f->at[s + 1]; p++) {
            if (f->row[p] < f->first[t + 1]) {
                f->place[p] = f->row[p] - f->first[t];
                continue;
            }
            while (f->row[q] < f->row[p]) {
                q++;
            }
            f->place[p] = w + (int)(q - f->at[t]);
        }
    }
}

static int compare_work(const void *a, const void *b) {
    const double *x = a, *y = b;
    return x[0] != y[0] ? (x[0] < y[0] ? 1 : -1) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Maximal subtrees with at most one share of the work. work (ns), most (ns, 2): scratch */
static void find_subtrees(gos_super *f, double *work, double *max) {
    f->products = 0;
    for (int s = 0; s < f->ns; s++) {
        work[s] = 0;
        f->begin[s] = s;
    }
    for (int s = 0; s < f->ns; s++) {
        const double w = 3.0 * (f->first[s + 1] - f->first[s]),
                     h = 3.0 * (double)(f->at[s + 1] - f->at[s]);
        const double own = w * (w * w / 3 + w * h + h * h / 2);
        f->products += own;
        work[s] += own;
        if (f->parent[s] >= 0) {
            work[f->parent[s]] += work[s];
            f->begin[f->parent[s]] =
                f->begin[f->parent[s]] < f->begin[s] ? f->begin[f->parent[s]] : f->begin[s];
        }
    }
    for (int s = f->ns - 1; s >= 0; s--) {
        f->top[s] = work[s] * MIN_PARTS > f->products;
        if (!f->top[s] && (f->parent[s] < 0 || f->top[f->parent[s]])) {
            max[2L * f->ntask] = work[s];
            max[2L * f->ntask++ + 1] = s;
        }
    }
    qsort(max, (size_t)f->ntask, 2 * sizeof *max, compare_work);
    for (int k = 0; k < f->ntask; k++) {
        f->root[k] = (int)max[2L * k + 1];
    }
}

/* Size of an update matrix with its absolute diagonal terms (doubles). */
static size_t left_by(const gos_super *f, int s) {
    const size_t h = f->at[s + 1] - f->at[s];
    return (3 * h + 1) * (size_t)gos__super_below((int)h);
}

/* Positions in two stacks that begin at *size, for supernodes from `begin` to `end` inside or
 * outside the top part. depth (ns) */
static void stack_up(gos_super *f, int begin, int end, bool top, const unsigned char *depth,
                     size_t *size) {
    size_t head[2] = {0, 0}, peak[2] = {0, 0};
    for (int s = begin; s < end; s++) {
        if ((f->top[s] != 0) != top) {
            continue;
        }
        const int odd = depth[s];
        f->update[s] = head[odd];
        head[odd] += left_by(f, s);
        peak[odd] = head[odd] > peak[odd] ? head[odd] : peak[odd];
        for (int c = f->child[s]; c >= 0; c = f->next[c]) {
            if ((f->top[c] != 0) == top && f->update[c] < head[!odd]) {
                head[!odd] = f->update[c];
            }
        }
    }
    for (int s = begin; s < end; s++) {
        if ((f->top[s] != 0) == top) {
            f->update[s] += *size + (depth[s] ? peak[0] : 0);
        }
    }
    *size += peak[0] + peak[1];
}

/* Sizes of all arrays; @return doubles of the stacks */
static size_t find_sizes(gos_super *f, unsigned char *depth) {
    size_t size = 0;
    f->entries = 0;
    for (int s = 0; s < f->ns; s++) {
        const int w = f->first[s + 1] - f->first[s], h = (int)(f->at[s + 1] - f->at[s]);
        const int n = gos__super_lead(w, h);
        f->high = n > f->high ? n : f->high;
        f->rows = h > f->rows ? h : f->rows;
        f->panel[s + 1] = f->panel[s] + 3 * (size_t)w * (size_t)n;
        f->entries += (size_t)w * (size_t)(4.5 * (w - 1) + 9.0 * h + 6);
    }
    for (int s = f->ns - 1; s >= 0; s--) {
        depth[s] = f->parent[s] < 0 ? 0 : !depth[f->parent[s]];
    }
    for (int k = 0; k < f->ntask; k++) {
        stack_up(f, f->begin[f->root[k]], f->root[k] + 1, false, depth, &size);
    }
    stack_up(f, 0, f->ns, true, depth, &size);
    return size;
}

static double *aligned(gos_super *f, int which, size_t n) {
    char *p = gos__zalloc(f->ctx, n * sizeof(double) + ALIGNED, 1);
    f->owned[which] = p;
    return p ? (double *)(void *)(p + (ALIGNED - (uintptr_t)p % ALIGNED) % ALIGNED) : NULL;
}

static gos_status make_tree(gos_super *f) {
    const size_t ns = f->ns;
    double *work = gos__alloc(f->ctx, 3 * ns + 1, sizeof *work);
    unsigned char *depth = gos__alloc(f->ctx, ns + 1, 1);
    f->panel = gos__zalloc(f->ctx, ns + 1, sizeof *f->panel);
    f->update = gos__zalloc(f->ctx, ns + 1, sizeof *f->update);
    f->root = gos__alloc(f->ctx, ns + 1, sizeof *f->root);
    f->begin = gos__alloc(f->ctx, ns + 1, sizeof *f->begin);
    f->top = gos__alloc(f->ctx, ns + 1, sizeof *f->top);
    gos_status status = GOS_E_MEMORY;
    if (work && depth && f->panel && f->update && f->root && f->begin && f->top) {
        find_subtrees(f, work, work + ns);
        f->stack = aligned(f, 0, find_sizes(f, depth));
        f->l = aligned(f, 1, f->panel[ns]);
        status = f->stack && f->l && f->panel[ns] < INT64_MAX / 16 ? GOS_OK : GOS_E_MEMORY;
    }
    gos__free(f->ctx, work);
    gos__free(f->ctx, depth);
    return status;
}

static gos_status make_room(gos_super *f) {
    const size_t n = f->n;
    f->threads = gos__pool_threads(gos__ctx_pool(f->ctx));
    f->scratch = (size_t)gos__super_scratch(f->high, f->rows);
    f->inverse = gos__alloc(f->ctx, GOS_BLOCK * n + 1, sizeof *f->inverse);
    f->x = aligned(f, 2, 3 * n);
    f->room = aligned(f, 3, f->scratch * (size_t)f->threads);
    return f->inverse && f->x && f->room ? GOS_OK : GOS_E_MEMORY;
}

static gos_status build(gos_super *f, const gos_pattern *g, int *order, int *work, join *j) {
    const size_t n = f->n;
    int *parent = work, *count = work + n, *of = work + 2 * n, *rest = work + 3 * n;
    (void)gos__block_fill(g, order, rest, rest + n, parent, count);
    find_joins(f->n, parent, count, j, of, rest, rest + n);
    GOS_TRY(place_supernodes(f, order, parent, j, of, rest));
    const size_t ns = f->ns, rows = f->at[ns];
    f->row = gos__alloc(f->ctx, rows + 1, sizeof *f->row);
    f->place = gos__zalloc(f->ctx, rows + 1, sizeof *f->place);
    f->child = gos__alloc(f->ctx, ns + 1, sizeof *f->child);
    f->next = gos__alloc(f->ctx, ns + 1, sizeof *f->next);
    if (!f->row || !f->place || !f->child || !f->next) {
        return GOS_E_MEMORY;
    }
    for (int s = 0; s < f->ns; s++) {
        f->child[s] = f->next[s] = -1;
    }
    for (int s = f->ns - 1; s >= 0; s--) {
        if (f->parent[s] >= 0) {
            f->next[s] = f->child[f->parent[s]];
            f->child[f->parent[s]] = s;
        }
    }
    find_rows(f, g, order, rest, rest + n);
    find_places(f);
    GOS_TRY(make_tree(f));
    return make_room(f);
}

gos_status gos__super_create(gos_ctx *ctx, const gos_pattern *g, int *order, gos_super **super) {
    gos_super *f = gos__zalloc(ctx, 1, sizeof *f);
    if (!f) {
        return GOS_E_MEMORY;
    }
    *f = (gos_super){.ctx = ctx, .n = g->n, .last_search = {-1, -1, -1}};
    const size_t n = g->n;
    int *work = gos__alloc(ctx, 8 * n + 1, sizeof *work);
    join *j = gos__alloc(ctx, n + 1, sizeof *j);
    const gos_status status = work && j ? build(f, g, order, work, j) : GOS_E_MEMORY;
    gos__free(ctx, work);
    gos__free(ctx, j);
    if (status != GOS_OK) {
        gos__super_destroy(f);
        return status;
    }
    *super = f;
    return GOS_OK;
}

void gos__super_destroy(gos_super *f) {
    if (f) {
        void *const lists[] = {f->first,    f->of,       f->at,      f->row,     f->place,
                               f->parent,   f->child,    f->next,    f->panel,   f->update,
                               f->root,     f->begin,    f->top,     f->inverse, f->owned[0],
                               f->owned[1], f->owned[2], f->owned[3]};
        for (int i = 0; i < GOS_COUNT(lists); i++) {
            gos__free(f->ctx, lists[i]);
        }
        gos__free(f->ctx, f);
    }
}

int gos__super_position(gos_super *f, int s, int i, int k, int down, int along) {
    const int w = f->first[s + 1] - f->first[s], h = (int)(f->at[s + 1] - f->at[s]);
    if (f->last_search[0] != s || f->last_search[1] != k) { // entries of a block are consecutive
        f->last_search[0] = s;
        f->last_search[1] = k;
        f->last_search[2] = 3 * (k - f->first[s]);
        if (k >= f->first[s + 1]) {
            const int *row = f->row + f->at[s],
                      *at = bsearch(&k, row, (size_t)h, sizeof k, compare);
            f->last_search[2] = gos__super_below(w) + 3 * (int)(at - row);
        }
    }
    return gos__super_lead(w, h) * (3 * (i - f->first[s]) + along) + f->last_search[2] + down;
}

typedef struct climb {
    gos_super *f;
    const double *values;
    atomic_int next;  // next subtree
    int front, parts; // the shared front, its number of parts
    struct found {
        int block, part, negative;
    } found[GOS_SUPER_THREADS]; // by each thread
} climb;

static double *scratch_of(const gos_super *f, int thread) {
    return f->room + f->scratch * (size_t)thread;
}

/* Forms the panel of a front; false: a pivot vanishes (the first is kept). */
static bool made(climb *c, int s, int thread) {
    struct found *own = &c->found[thread];
    int part;
    const int block = gos__kernel_super_panel(c->f, s, c->values, scratch_of(c->f, thread), &part,
                                              &own->negative);
    if (block >= 0 && (own->block < 0 || block < own->block)) {
        own->block = block;
        own->part = part;
    }
    return block < 0;
}

static int below(const gos_super *f, int s) {
    return (int)(f->at[s + 1] - f->at[s]);
}

static void do_subtrees(void *arg, int thread) {
    climb *c = arg;
    const gos_super *f = c->f;
    for (int k = atomic_fetch_add(&c->next, 1); k < f->ntask; k = atomic_fetch_add(&c->next, 1)) {
        for (int s = f->begin[f->root[k]]; s <= f->root[k] && made(c, s, thread); s++) {
            gos__kernel_super_leave(f, s, scratch_of(f, thread), 0, below(f, s));
        }
    }
}

/* First column block (even) of a part, for parts of a triangle of equal size. */
static int begin_of(int h, int part, int parts) {
    return part == parts ? h : (int)(h * (1 - sqrt(1 - (double)part / parts))) / 2 * 2;
}

static void do_columns(void *arg, int thread) {
    climb *c = arg;
    const int h = below(c->f, c->front);
    gos__kernel_super_leave(c->f, c->front, scratch_of(c->f, 0), begin_of(h, thread, c->parts),
                            begin_of(h, thread + 1, c->parts));
}

int gos__super_factor(gos_super *f, const double *values, int *part, int *negative) {
    climb c = {.f = f, .values = values};
    gos_pool *pool = gos__ctx_pool(f->ctx);
    int threads = gos__pool_threads(pool);
    threads = threads < f->threads ? threads : f->threads;
    threads = threads < GOS_SUPER_THREADS ? threads : GOS_SUPER_THREADS;
    for (int i = 0; i < threads; i++) {
        c.found[i].block = -1;
    }
    gos__pool_run(pool, threads, do_subtrees, &c);
    struct found all = {.block = -1};
    for (int i = 0; i < threads; i++) {
        if (c.found[i].block >= 0 && (all.block < 0 || c.found[i].block < all.block)) {
            all = c.found[i];
        }
    }
    for (int s = 0; s < f->ns && all.block < 0; s++) {
        if (!f->top[s]) {
            continue;
        }
        if (!made(&c, s, 0)) {
            all = c.found[0];
            break;
        }
        c.front = s;
        c.parts = below(f, s) < GOS_SUPER_SHARED ? 1 : threads;
        gos__pool_run(pool, c.parts, do_columns, &c);
    }
    *negative = 0;
    for (int i = 0; i < threads; i++) {
        *negative += c.found[i].negative;
    }
    *part = all.block < 0 ? -1 : all.part;
    return all.block;
}
