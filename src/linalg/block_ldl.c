/* Analysis of the block L D L^T: blocks of unknowns, elimination order, positions of entries. The
 * order is fixed; pivoting is within blocks only. This is stable for quasi-definite matrices (R.
 * J. Vanderbei, SIAM J. Optim. 5, 1995): unknowns with mass have positive pivots, and constraints,
 * eliminated last, have the negative definite C A^-1 C^T. Other matrices are reported as
 * singular. */
#include "linalg/block_ldl.h"

#include "linalg/block_ldl_parts.h"
#include "linalg/order.h"
#include "linalg/super_ldl.h"

/* Supernodes: solutions are 1.4 to 2 times slower than row by row, factorisations faster from some
 * 3000 products a block (bars of hex8; 29 in a chain of rigid bodies), but share threads. */
#define WIDE_BLOCKS 3000     // smallest number of blocks
#define WIDE_PRODUCTS 2000.0 // smallest number of block products for each
#define DISSECT 1000 // blocks from which nested dissection may fill less than minimum degree

struct gos_block_ldl {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    const unsigned char *group;
    int n;
    // block of each unknown (pattern.n), -1 outside the group; original numbers, later elimination
    // order
    int *block;
    int *member; // unknowns of each block in elimination order, -1: none (n, 3)
    gos_block_factor f;
    gos_super *super; // used instead of the values of f for large matrices
};

static bool is_in(const gos_block_ldl *s, int i) {
    return !s->group || s->group[i] == 0;
}

static bool has_pivot(const gos_pattern *a, int j) {
    for (int k = a->p[j]; k < a->p[j + 1]; k++) {
        if (a->i[k] == j) {
            return true;
        }
    }
    return false;
}

/* Marks the vector blocks coupled to unknown j; returns their number. */
static int mark_vectors(const gos_block_ldl *s, int j, int *mark) {
    const gos_pattern *a = s->pattern;
    int count = 0;
    for (int k = a->p[j]; k < a->p[j + 1]; k++) {
        const int b = a->i[k] < 3 * a->vectors ? s->block[a->i[k]] : -1;
        if (b >= 0 && mark[b] != j) {
            mark[b] = j;
            count++;
        }
    }
    return count;
}

/* Are constraints `one` and one + 1 coupled to the same vectors? mark (pattern.n) */
static bool alike(const gos_block_ldl *s, int one, int *mark) {
    const int count = mark_vectors(s, one, mark);
    int same = 0;
    const gos_pattern *a = s->pattern;
    for (int k = a->p[one + 1]; k < a->p[one + 2]; k++) {
        const int b = a->i[k] < 3 * a->vectors ? s->block[a->i[k]] : -1;
        if (b >= 0 && mark[b] != one && mark[b] != -2 - one) {
            return false;
        }
        if (b >= 0 && mark[b] == one) {
            mark[b] = -2 - one;
            same++;
        }
    }
    return count > 0 && same == count;
}

/* Do unknowns `one` and one + 1 have the same column pattern? Columns are sorted. */
static bool same_columns(const gos_block_ldl *s, int one) {
    const gos_pattern *a = s->pattern;
    int k = a->p[one], l = a->p[one + 1];
    for (;; k++, l++) {
        while (k < a->p[one + 1] && s->block[a->i[k]] == -2) {
            k++;
        }
        while (l < a->p[one + 2] && s->block[a->i[l]] == -2) {
            l++;
        }
        if (k == a->p[one + 1] || l == a->p[one + 2]) {
            return k == a->p[one + 1] && l == a->p[one + 2];
        }
        if (a->i[k] != a->i[l]) {
            return false;
        }
    }
}

/* A block is a vector, up to three consecutive unknowns of equal pattern (temperatures of a node),
 * or constraints on the same vectors. late (n): constraint blocks */
static void make_blocks(gos_block_ldl *s, int *mark, bool *late) {
    const gos_pattern *a = s->pattern;
    int size = 0;
    for (int i = 0; i < a->n; i++) {
        mark[i] = -1;
        s->block[i] = is_in(s, i) ? -1 : -2;
    }
    for (int i = 0; i < a->n; i++) {
        if (s->block[i] == -2) {
            continue;
        }
        const bool vector = i < 3 * a->vectors, pivot = vector || has_pivot(a, i);
        const bool follows = !vector && i > 3 * a->vectors && s->n > 0 &&
                             s->block[i - 1] == s->n - 1 && late[s->n - 1] == !pivot && size < 3;
        const bool joins =
            vector ? i % 3 > 0
                   : follows && (pivot ? same_columns(s, i - 1) : alike(s, i - 1, mark));
        if (!joins) {
            late[s->n++] = !pivot;
            size = 0;
        }
        s->block[i] = s->n - 1;
        size++;
    }
}

/* Graph of blocks as a pattern, with the diagonal except for constraints; mark (n). */
static gos_status make_graph(const gos_block_ldl *s, const int *member, const bool *late, int *mark,
                             gos_pattern *g) {
    const gos_pattern *a = s->pattern;
    g->n = s->n;
    g->p = gos__alloc(s->ctx, s->n + 1L, sizeof *g->p);
    g->i = gos__alloc(s->ctx, 2L * a->nnz + s->n + 1, sizeof *g->i);
    if (!g->p || !g->i) {
        return GOS_E_MEMORY;
    }
    for (int b = 0; b < s->n; b++) {
        mark[b] = -1;
    }
    int at = 0;
    for (int b = 0; b < s->n; b++) {
        g->p[b] = at;
        mark[b] = b;
        if (!late[b]) {
            g->i[at++] = b;
        }
        for (int c = 0; c < 3 && member[3L * b + c] >= 0; c++) {
            const int j = member[3L * b + c];
            for (int k = a->p[j]; k < a->p[j + 1]; k++) {
                const int of = s->block[a->i[k]];
                if (of >= 0 && mark[of] != b) {
                    mark[of] = b;
                    g->i[at++] = of;
                }
            }
        }
    }
    g->p[s->n] = g->nnz = at;
    return GOS_OK;
}

/* g := g + g^T, since Newton patterns have a few unsymmetric couplings. Edges may be duplicated. */
static gos_status make_symmetric(gos_ctx *ctx, gos_pattern *g) {
    int *p = gos__zalloc(ctx, g->n + 2L, sizeof *p),
        *i = gos__alloc(ctx, 2L * g->nnz + 1, sizeof *i);
    if (!p || !i) {
        gos__free(ctx, p);
        gos__free(ctx, i);
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < g->n; j++) {
        for (int k = g->p[j]; k < g->p[j + 1]; k++) {
            p[g->i[k] + 1]++;
            p[j + 1] += g->i[k] != j;
        }
    }
    for (int j = 0; j < g->n; j++) {
        p[j + 1] += p[j];
    }
    for (int j = 0; j < g->n; j++) {
        for (int k = g->p[j]; k < g->p[j + 1]; k++) {
            i[p[g->i[k]]++] = j;
            if (g->i[k] != j) {
                i[p[j]++] = g->i[k];
            }
        }
    }
    for (int j = g->n; j > 0; j--) {
        p[j] = p[j - 1];
    }
    p[0] = 0;
    gos__free(ctx, g->p);
    gos__free(ctx, g->i);
    g->p = p;
    g->i = i;
    g->nnz = p[g->n];
    return GOS_OK;
}

/* Elimination tree of an order (parent) and block count of each column of L (count); place, mark:
 * scratch (n). @return number of block products of the factorisation */
double gos__block_fill(const gos_pattern *g, const int *order, int *place, int *mark, int *parent,
                       int *count) {
    double products = 0;
    for (int k = 0; k < g->n; k++) {
        place[order[k]] = k;
        count[k] = 0;
    }
    for (int k = 0; k < g->n; k++) {
        parent[k] = -1;
        mark[k] = k;
        for (int p = g->p[order[k]]; p < g->p[order[k] + 1]; p++) {
            for (int i = place[g->i[p]]; i < k && mark[i] != k; i = parent[i]) {
                parent[i] = parent[i] < 0 ? k : parent[i];
                count[i]++;
                mark[i] = k;
            }
        }
    }
    for (int k = 0; k < g->n; k++) {
        products += 0.5 * count[k] * (count[k] + 3.0);
    }
    return products;
}

/* The cheaper of two orders, order (n); work (5, n). */
static gos_status find_order(const gos_block_ldl *s, const gos_pattern *g, const bool *late,
                             int *order, int *work) {
    const size_t n = s->n;
    int *other = work + 4 * n, nlast = 0;
    GOS_TRY(gos__order_constraints(s->ctx, g, late, order, NULL));
    while (nlast < s->n && late[s->n - 1 - nlast]) {
        nlast++;
    }
    for (int b = 0; b < s->n - nlast; b++) {
        if (late[b]) {
            return GOS_OK; // dissection requires constraints at the end
        }
    }
    if (s->n < DISSECT) {
        return GOS_OK;
    }
    GOS_TRY(gos__dissect(s->ctx, g, 1, nlast, other));
    const double one = gos__block_fill(g, order, work, work + n, work + 2 * n, work + 3 * n);
    if (gos__block_fill(g, other, work, work + n, work + 2 * n, work + 3 * n) < one) {
        memcpy(order, other, n * sizeof *order);
    }
    return GOS_OK;
}

/* Rows of all columns of L, then the transpose; scratch work (4, n). */
static gos_status make_structure(gos_block_ldl *s, const gos_pattern *g, const int *order,
                                 int *work) {
    gos_block_factor *f = &s->f;
    const size_t n = s->n;
    int *place = work, *mark = work + n, *parent = work + 2 * n, *count = work + 3 * n;
    (void)gos__block_fill(g, order, place, mark, parent, count);
    f->column = gos__zalloc(s->ctx, n + 1, sizeof *f->column);
    f->first = gos__zalloc(s->ctx, n + 2, sizeof *f->first);
    if (!f->column || !f->first) {
        return GOS_E_MEMORY;
    }
    for (size_t k = 0; k < n; k++) {
        f->column[k + 1] = f->column[k] + (size_t)count[k];
        count[k] = 0;
    }
    const size_t total = f->column[n] + 1;
    f->row = gos__alloc(s->ctx, total, sizeof *f->row);
    f->of = gos__alloc(s->ctx, total, sizeof *f->of);
    f->place = gos__alloc(s->ctx, total, sizeof *f->place);
    f->l = gos__zalloc(s->ctx, GOS_BLOCK * total + 3, sizeof *f->l);
    f->inverse = gos__alloc(s->ctx, GOS_BLOCK * n + 1, sizeof *f->inverse);
    f->work = gos__zalloc(s->ctx, GOS_BLOCK_WIDE * n + 1, sizeof *f->work);
    f->x = gos__zalloc(s->ctx, GOS_BLOCK_VECTOR * n + 1, sizeof *f->x);
    if (!f->row || !f->of || !f->place || !f->l || !f->inverse || !f->work || !f->x) {
        return GOS_E_MEMORY;
    }
    for (size_t k = 0; k < n; k++) {
        mark[k] = -1;
    }
    for (int k = 0; k < s->n; k++) {
        mark[k] = k;
        for (int p = g->p[order[k]]; p < g->p[order[k] + 1]; p++) {
            for (int i = place[g->i[p]]; i < k && mark[i] != k; i = parent[i]) {
                f->row[f->column[i] + (size_t)count[i]++] = k;
                f->first[k + 2]++;
                mark[i] = k;
            }
        }
    }
    for (size_t k = 0; k < n; k++) {
        f->first[k + 1] += f->first[k];
    }
    for (int j = 0; j < s->n; j++) {
        for (size_t p = f->column[j]; p < f->column[j + 1]; p++) {
            const size_t at = f->first[f->row[p] + 1]++;
            f->of[at] = j;
            f->place[at] = p;
        }
    }
    return GOS_OK;
}

/* Lists entry (row, column) or its mirror image in the symmetric part, whichever is in the later
 * block's row, by that row or by the supernode of its column. Only counts while f->from is
 * NULL. */
static void list_entry(gos_block_ldl *s, size_t *next, int value, const int block[2],
                       const int part[2]) {
    gos_block_factor *f = &s->f;
    for (int t = 0; t < 2; t++) { // early component: rows; late one: columns
        const int i = block[t], k = block[1 - t];
        if (i > k) {
            continue;
        }
        const int group = s->super ? s->super->of[i] : k;
        if (f->from) {
            f->from[next[group]] = value;
            f->to[next[group]] =
                s->super ? gos__super_position(s->super, group, i, k, part[1 - t], part[t])
                         : GOS_BLOCK_WIDE * i + GOS_BLOCK_VECTOR * part[1 - t] + part[t];
        }
        next[group]++;
    }
}

static gos_status list_entries(gos_block_ldl *s) {
    const gos_pattern *a = s->pattern;
    gos_block_factor *f = &s->f;
    size_t *next = gos__zalloc(s->ctx, s->n + 1L, sizeof *next);
    int *part = gos__alloc(s->ctx, a->n + 1L, sizeof *part);
    f->entry = gos__zalloc(s->ctx, s->n + 1L, sizeof *f->entry);
    gos_status status = next && part && f->entry ? GOS_OK : GOS_E_MEMORY;
    for (int b = 0; b < s->n && status == GOS_OK; b++) {
        for (int c = 0; c < f->size[b]; c++) {
            part[s->member[3L * b + c]] = c;
        }
    }
    for (int pass = 0; pass < 2 && status == GOS_OK; pass++) {
        for (int j = 0; j < a->n; j++) {
            for (int k = a->p[j]; k < a->p[j + 1] && s->block[j] >= 0; k++) {
                const int i = a->i[k];
                if (s->block[i] >= 0) {
                    list_entry(s, next, k, (int[]){s->block[i], s->block[j]},
                               (int[]){part[i], part[j]});
                }
            }
        }
        if (pass == 0) {
            for (int b = 0; b < s->n; b++) {
                f->entry[b + 1] = f->entry[b] + next[b];
                next[b] = f->entry[b];
            }
            f->from = gos__alloc(s->ctx, f->entry[s->n] + 1, sizeof *f->from);
            f->to = gos__alloc(s->ctx, f->entry[s->n] + 1, sizeof *f->to);
            status = f->from && f->to ? GOS_OK : GOS_E_MEMORY;
        }
    }
    gos__free(s->ctx, next);
    gos__free(s->ctx, part);
    return status;
}

/* Renumbers blocks in elimination order; member (n, 3) has the old numbering. */
static void renumber(gos_block_ldl *s, const int *order, const int *member) {
    for (int k = 0; k < s->n; k++) {
        s->f.size[k] = 0;
        for (int c = 0; c < 3; c++) {
            const int i = member[3L * order[k] + c];
            s->member[3L * k + c] = i;
            if (i >= 0) {
                s->block[i] = k;
                s->f.size[k]++;
            }
        }
    }
}

/* Are supernodes faster? work (4, n) */
static bool is_wide(int n, const gos_pattern *g, const int *order, int *work) {
    if (n < WIDE_BLOCKS) {
        return false;
    }
    const double products = gos__block_fill(g, order, work, work + n, work + 2L * n, work + 3L * n);
    return products >= WIDE_PRODUCTS * n;
}

static gos_status analyse(gos_block_ldl *s, gos_ldl_way way, int *work, bool *late) {
    const size_t n = s->pattern->n;
    make_blocks(s, work, late);
    gos_block_factor *f = &s->f;
    f->n = s->n;
    int *member = work + n, *order = member + 3 * n, *scratch = order + n;
    for (long i = 0; i < 3L * s->n; i++) {
        member[i] = -1;
    }
    for (int i = 0; i < s->pattern->n; i++) {
        for (long c = 3L * s->block[i]; s->block[i] >= 0; c++) {
            if (member[c] < 0) {
                member[c] = i;
                break;
            }
        }
    }
    const size_t blocks = s->n;
    s->member = gos__alloc(s->ctx, 3 * blocks + 1, sizeof *s->member);
    f->size = gos__alloc(s->ctx, blocks + 1, sizeof *f->size);
    if (!s->member || !f->size) {
        return GOS_E_MEMORY;
    }
    if (blocks > INT32_MAX / GOS_BLOCK_WIDE) {
        return gos__fail(s->ctx, GOS_E_LIMIT, "the system matrix has %zu blocks, which is too many",
                         blocks);
    }
    gos_pattern g = {0};
    gos_status status = make_graph(s, member, late, work, &g);
    status = status == GOS_OK ? make_symmetric(s->ctx, &g) : status;
    status = status == GOS_OK ? find_order(s, &g, late, order, scratch) : status;
    if (status == GOS_OK) {
        const bool wide =
            s->n > 0 && (way == GOS_LDL_SUPERNODES ||
                         (way == GOS_LDL_FASTER && is_wide(s->n, &g, order, scratch)));
        status = wide ? gos__super_create(s->ctx, &g, order, &s->super)
                      : make_structure(s, &g, order, scratch);
    }
    gos__free(s->ctx, g.p);
    gos__free(s->ctx, g.i);
    GOS_TRY(status);
    renumber(s, order, member);
    GOS_TRY(list_entries(s));
    if (s->super) {
        s->super->entry = f->entry;
        s->super->from = f->from;
        s->super->to = f->to;
        s->super->size = f->size;
    }
    return GOS_OK;
}

gos_status gos__block_ldl_create(gos_ctx *ctx, const gos_pattern *pattern,
                                 const unsigned char *group, gos_ldl_way way, gos_block_ldl **ldl) {
    gos_block_ldl *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    const size_t n = pattern->n;
    *s = (gos_block_ldl){.ctx = ctx, .pattern = pattern, .group = group};
    int *work = gos__alloc(ctx, 10 * n + 1, sizeof *work);
    bool *late = gos__zalloc(ctx, n + 1, sizeof *late);
    s->block = gos__alloc(ctx, n + 1, sizeof *s->block);
    gos_status status = work && late && s->block ? GOS_OK : GOS_E_MEMORY;
    status = status == GOS_OK ? analyse(s, way, work, late) : status;
    gos__free(ctx, work);
    gos__free(ctx, late);
    if (status != GOS_OK) {
        gos__block_ldl_destroy(s);
        return status;
    }
    *ldl = s;
    return GOS_OK;
}

void gos__block_ldl_destroy(gos_block_ldl *s) {
    if (s) {
        gos_block_factor *f = &s->f;
        void *const lists[] = {s->block, s->member, f->column,  f->row,  f->first,
                               f->of,    f->place,  f->entry,   f->from, f->to,
                               f->size,  f->l,      f->inverse, f->work, f->x};
        for (int i = 0; i < GOS_COUNT(lists); i++) {
            gos__free(s->ctx, lists[i]);
        }
        gos__super_destroy(s->super);
        gos__free(s->ctx, s);
    }
}

gos_status gos__block_ldl_factor(gos_block_ldl *s, const double *values, int *unknown) {
    int part;
    const int k = s->super ? gos__super_factor(s->super, values, &part, &s->f.negative)
                           : gos__kernel_block_factor(&s->f, values, &part);
    if (unknown) {
        *unknown = k < 0 ? -1 : s->member[3L * k + part];
    }
    return k < 0 ? GOS_OK : GOS_E_SINGULAR;
}

int gos__block_ldl_negative(const gos_block_ldl *s) {
    return s->f.negative;
}

void gos__block_ldl_solve(gos_block_ldl *s, double *x) {
    double *const y = s->super ? s->super->x : s->f.x;
    const long wide = s->super ? 3 : GOS_BLOCK_VECTOR;
    for (int b = 0; b < s->n; b++) {
        for (int c = 0; c < 3; c++) {
            const int i = s->member[3L * b + c];
            y[wide * b + c] = i < 0 ? 0 : x[i];
        }
    }
    if (s->super) {
        gos__kernel_super_solve(s->super);
    } else {
        gos__kernel_block_solve(&s->f);
    }
    for (int b = 0; b < s->n; b++) {
        for (int c = 0; c < s->f.size[b]; c++) {
            x[s->member[3L * b + c]] = y[wide * b + c];
        }
    }
}

long gos__block_ldl_entries(const gos_block_ldl *s) {
    return s->super ? (long)s->super->entries : (long)s->f.column[s->n] * GOS_BLOCK + 6L * s->n;
}

gos_ldl_way gos__block_ldl_way(const gos_block_ldl *s) {
    return s->super ? GOS_LDL_SUPERNODES : GOS_LDL_ROWS;
}
