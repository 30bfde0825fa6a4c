/* Reader of CalculiX matrix files, which have no header. */
#include "deck/calculix.h"

#include <ctype.h>
#include <math.h>

#include "mesh/tags.h"

typedef struct reader {
    gos_ctx *ctx;
    gos_loc loc;
    const char *s, *stop;         // rest of the text
    const char *begin, *at, *end; // its beginning and rest
} reader;

typedef struct word {
    const char *s;
    int n;
} word;

static gos_status refuse(const reader *r, const word *w, const char *fmt, ...) GOS_PRINTF(3, 4);
static gos_status refuse(const reader *r, const word *w, const char *fmt, ...) {
    char text[400];
    gos_loc loc = r->loc;
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    loc.col = w ? (int)(w->s - r->begin) + 1 : 0;
    return gos__fail_at(r->ctx, GOS_E_INPUT, loc, NULL, "%s", text);
}

static bool next_line(reader *r) {
    while (r->s < r->stop) {
        const char *newline = memchr(r->s, '\n', r->stop - r->s);
        r->begin = r->at = r->s;
        r->end = newline ? newline : r->stop;
        r->s = newline ? newline + 1 : r->stop;
        r->loc.line++;
        while (r->at < r->end && isspace((unsigned char)*r->at)) {
            r->at++;
        }
        if (r->at < r->end) {
            return true;
        }
    }
    return false;
}

static word next_word(reader *r) {
    while (r->at < r->end && isspace((unsigned char)*r->at)) {
        r->at++;
    }
    word w = {r->at, 0};
    while (r->at < r->end && !isspace((unsigned char)*r->at)) {
        r->at++;
        w.n += w.n < INT32_MAX;
    }
    return w;
}

static gos_status end_line(reader *r) {
    const word w = next_word(r);
    return w.n == 0 ? GOS_OK
                    : refuse(r, &w, "unexpected '%.*s' on this line", w.n < 40 ? w.n : 40, w.s);
}

/* whole number in s[0..n), 1 .. most; 0: invalid */
static int64_t whole(const char *s, int n, int64_t most) {
    int64_t v = 0;
    for (int k = 0; k < n; k++) {
        if (!isdigit((unsigned char)s[k]) || v > most) {
            return 0;
        }
        v = 10 * v + (s[k] - '0');
    }
    return v <= most ? v : 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static gos_status read_dof(reader *r, gos_calculix_dof *d) {
    const word w = next_word(r);
    const char *point = memchr(w.s, '.', w.n);
    d->node = point ? whole(w.s, (int)(point - w.s), INT64_MAX / 1000) : 0;
    d->direction = point ? (int)whole(point + 1, (int)(w.s + w.n - point - 1), 6) : 0;
    if (d->node == 0 || d->direction == 0) {
        return refuse(
            r, &w, "'%.*s' is not a row of a matrix; write NODE.DIRECTION, with directions 1 to 6",
            w.n < 40 ? w.n : 40, w.s);
    }
    return end_line(r);
}

static gos_status read_dofs(reader *r, gos_tags *rows, int *count, int *cap,
                            gos_calculix_dof **dof) {
    while (next_line(r)) {
        gos_calculix_dof d;
        int before;
        GOS_TRY(read_dof(r, &d));
        GOS_TRY(gos__grow(r->ctx, (void **)dof, cap, *count + 1, sizeof d));
        GOS_TRY(gos__tags_add(rows, 8 * d.node + d.direction, *count, &before));
        if (before >= 0) {
            return refuse(r, NULL, "%lld.%d is already row %d", (long long)d.node, d.direction,
                          before + 1);
        }
        (*dof)[(*count)++] = d;
        if (*count > GOS_LIMIT_MATRIX_ORDER) {
            return gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, NULL, "a matrix has at most %d rows",
                                GOS_LIMIT_MATRIX_ORDER);
        }
    }
    return *count > 0 ? GOS_OK : refuse(r, NULL, "there are no rows");
}

gos_status gos__calculix_dofs_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                    int *count, gos_calculix_dof **dof) {
    reader r = {.ctx = ctx, .loc = {.file = file}, .s = text, .stop = text + n};
    gos_tags rows = {.ctx = ctx};
    gos_calculix_dof *list = NULL;
    int have = 0, cap = 0;
    const gos_status status = read_dofs(&r, &rows, &have, &cap, &list);
    gos__tags_free(&rows);
    if (status != GOS_OK) {
        gos__free(ctx, list);
        return status;
    }
    *count = have;
    *dof = list;
    return GOS_OK;
}

/* ---- entries --------------------------------------------------------------------------------- */

typedef struct triplets {
    int n, icap, jcap, xcap;
    int *i, *j;
    double *x;
} triplets;

static gos_status keep(gos_ctx *ctx, triplets *t, int i, int j, double x) {
    GOS_TRY(gos__grow(ctx, (void **)&t->i, &t->icap, t->n + 1, sizeof *t->i));
    GOS_TRY(gos__grow(ctx, (void **)&t->j, &t->jcap, t->n + 1, sizeof *t->j));
    GOS_TRY(gos__grow(ctx, (void **)&t->x, &t->xcap, t->n + 1, sizeof *t->x));
    t->i[t->n] = i;
    t->j[t->n] = j;
    t->x[t->n++] = x;
    return GOS_OK;
}

static gos_status read_place(reader *r, const char *what, int order, int *k) {
    const word w = next_word(r);
    *k = (int)whole(w.s, w.n, order) - 1;
    return *k >= 0
               ? GOS_OK
               : refuse(r, &w, "'%.*s' is not a valid %s: it must be a whole number from 1 to %d",
                        w.n < 40 ? w.n : 40, w.s, what, order);
}

static gos_status read_entry(reader *r, int order, triplets *t, char *diagonal) {
    int i, j;
    double x;
    GOS_TRY(read_place(r, "row", order, &i));
    GOS_TRY(read_place(r, "column", order, &j));
    const word w = next_word(r);
    if (!gos__number_parse(w.s, w.n, &x) || !isfinite(x)) {
        return refuse(r, &w, "'%.*s' is not a finite number", w.n < 40 ? w.n : 40, w.s);
    }
    GOS_TRY(end_line(r));
    diagonal[i] = (char)(diagonal[i] || i == j);
    if (t->n > INT32_MAX / 2 - 2) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, NULL, "the matrix has too many entries");
    }
    GOS_TRY(keep(r->ctx, t, i, j, x));
    return i == j ? GOS_OK : keep(r->ctx, t, j, i, x);
}

static gos_status read_entries(reader *r, int order, triplets *t, char *diagonal) {
    while (next_line(r)) {
        GOS_TRY(read_entry(r, order, t, diagonal));
    }
    for (int i = 0; i < order; i++) {
        if (!diagonal[i]) {
            return refuse(r, NULL,
                          "row %d of %d has no diagonal entry; the file is truncated or belongs to "
                          "another job",
                          i + 1, order);
        }
    }
    return GOS_OK;
}

/* remove zeros, refuse duplicates */
static gos_status clean(const reader *r, gos_sparse *A) {
    int n = 0;
    for (int j = 0, from = 0; j < A->n; j++) {
        const int to = A->p[j + 1];
        for (int k = from; k < to; k++) {
            if (k > from && A->i[k] == A->i[k - 1]) {
                return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){.file = r->loc.file}, NULL,
                                    "entry (%d, %d) is given twice", j + 1, A->i[k] + 1);
            }
        }
        for (int k = from; k < to; k++) {
            if (A->x[k] != 0.0) {
                A->i[n] = A->i[k];
                A->x[n++] = A->x[k];
            }
        }
        from = to;
        A->p[j + 1] = n;
    }
    A->nnz = n;
    return GOS_OK;
}

gos_status gos__calculix_matrix_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                      int order, gos_sparse *A) {
    reader r = {.ctx = ctx, .loc = {.file = file}, .s = text, .stop = text + n};
    triplets t = {0};
    char *diagonal = gos__zalloc(ctx, order + 1L, 1);
    *A = (gos_sparse){0};
    gos_status status = diagonal ? read_entries(&r, order, &t, diagonal) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__sparse_from_triplets(ctx, order, order, t.n, t.i, t.j, t.x, A)
                              : status;
    status = status == GOS_OK ? clean(&r, A) : status;
    if (status != GOS_OK) {
        gos__sparse_free(ctx, A);
    }
    gos__free(ctx, diagonal);
    gos__free(ctx, t.i);
    gos__free(ctx, t.j);
    gos__free(ctx, t.x);
    return status;
}
