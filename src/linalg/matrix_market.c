/* Reads and writes Matrix Market text. Entries are read in file order, then sorted. */
#include "linalg/matrix_market.h"

#include <ctype.h>
#include <math.h>

#define BANNER "%%MatrixMarket"

typedef enum field { REAL, INTEGER, PATTERN } field;
typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

typedef struct reader {
    gos_ctx *ctx;
    const char *file;
    const char *s, *stop; // unread text
    int line;             // of s
    const char *begin;    // of the current line
    bool coordinate;      // else array
    bool list, upper;     // list without banner and sizes; of the upper triangle
    field field;
    symmetry symmetry;
    int rows, columns;
    size_t room; // file size that must justify the matrix size [bytes]
    int entries; // expected number
    int done;
    int ai, aj; // array: row and column of the next entry
} reader;

typedef struct word {
    const char *s;
    size_t n;
} word;

typedef struct entry {
    int i, j;
    double x;
    const char *at; // position of its first word
} entry;

static gos_status refuse(const reader *r, const char *at, const char *fmt, ...) GOS_PRINTF(3, 4);
static gos_status refuse(const reader *r, const char *at, const char *fmt, ...) {
    char text[400];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    const gos_loc loc = {r->file, r->line, at ? (int)(at - r->begin) + 1 : 0};
    return gos__fail_at(r->ctx, GOS_E_INPUT, loc, NULL, "%s", text);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_separator(const reader *r, char c) {
    return is_blank(c) || (r->list && c == ',');
}

static void skip_blanks(reader *r) {
    while (r->s < r->stop && is_separator(r, *r->s)) {
        r->s++;
    }
}

static void next_line(reader *r) {
    r->s++;
    r->line++;
    r->begin = r->s;
}

static bool next_word(reader *r, word *w) {
    skip_blanks(r);
    w->s = r->s;
    while (r->s < r->stop && *r->s != '\n' && !is_separator(r, *r->s)) {
        r->s++;
    }
    w->n = r->s - w->s;
    return w->n > 0;
}

/* Skips to the first nonempty line; false at the end of the text. */
static bool find_line(reader *r) {
    for (;;) {
        skip_blanks(r);
        if (r->s == r->stop) {
            return false;
        }
        if (*r->s == '%') {
            const char *end = memchr(r->s, '\n', r->stop - r->s);
            r->s = end ? end : r->stop;
        } else if (*r->s != '\n') {
            return true;
        } else {
            next_line(r);
        }
    }
}

static gos_status end_line(reader *r) {
    word w;
    return next_word(r, &w) ? refuse(r, w.s, "unexpected '%.*s' on this line; remove it",
                                     (int)(w.n < 40 ? w.n : 40), w.s)
                            : GOS_OK;
}

static bool same(const word *w, const char *name) {
    size_t k = 0;
    while (k < w->n && name[k] && tolower((unsigned char)w->s[k]) == name[k]) {
        k++;
    }
    return k == w->n && !name[k];
}

static gos_status read_index(reader *r, const char *what, int lo, int hi, int *value) {
    word w;
    if (!next_word(r, &w)) {
        return refuse(r, w.s, "%s is missing here", what);
    }
    long long v = 0;
    size_t k = 0;
    while (k < w.n && w.s[k] >= '0' && w.s[k] <= '9' && v <= INT32_MAX) {
        v = 10 * v + (w.s[k++] - '0');
    }
    if (k < w.n || v < lo || v > hi) {
        return refuse(r, w.s, "'%.*s' is not a valid %s: a whole number from %d to %d is needed",
                      (int)(w.n < 40 ? w.n : 40), w.s, what, lo, hi);
    }
    *value = (int)v;
    return GOS_OK;
}

static gos_status read_value(reader *r, double *x) {
    word w;
    if (!next_word(r, &w)) {
        return refuse(r, w.s, "the value is missing here");
    }
    if (!gos__number_parse(w.s, w.n, x) || !isfinite(*x)) {
        const bool fortran = memchr(w.s, 'd', w.n) || memchr(w.s, 'D', w.n);
        return refuse(r, w.s, "'%.*s' is not a finite number; %s", (int)(w.n < 40 ? w.n : 40), w.s,
                      fortran ? "write exponents with E" : "write a finite number");
    }
    if (r->field == INTEGER && *x != floor(*x)) {
        return refuse(r, w.s,
                      "'%.*s' is not a whole number, but the first line declares 'integer'; write "
                      "'real' there",
                      (int)(w.n < 40 ? w.n : 40), w.s);
    }
    return GOS_OK;
}

/* Reads a word of the first line; returns its index among names, or an error (and 0). */
static gos_status read_choice(reader *r, const char *what, const char *const *names, int n,
                              int *choice) {
    word w;
    char list[100] = "";
    *choice = 0;
    if (next_word(r, &w)) {
        for (int i = 0; i < n; i++) {
            if (same(&w, names[i])) {
                *choice = i;
                return GOS_OK;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        const size_t have = strlen(list);
        gos__format(list + have, sizeof list - have, "%s%s", i ? ", " : "", names[i]);
    }
    return refuse(r, w.s, "'%.*s' is not a supported %s; supported: %s", (int)(w.n < 40 ? w.n : 40),
                  w.s, what, list);
}

static gos_status read_banner(reader *r) {
    static const char *const objects[] = {"matrix"}, *const formats[] = {"coordinate", "array"},
                             *const fields[] = {"real", "integer", "pattern", "double",
                                                "unsigned-integer"},
                             *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    const size_t n = strlen(BANNER);
    int object, format, kind, shape;
    if ((size_t)(r->stop - r->s) < n || memcmp(r->s, BANNER, n) != 0) {
        return refuse(r, r->s, "not a Matrix Market file: it does not begin with %s", BANNER);
    }
    r->s += n;
    GOS_TRY(read_choice(r, "object", objects, GOS_COUNT(objects), &object));
    GOS_TRY(read_choice(r, "format", formats, GOS_COUNT(formats), &format));
    GOS_TRY(read_choice(r, "kind of values", fields, GOS_COUNT(fields), &kind));
    GOS_TRY(read_choice(r, "symmetry", symmetries, GOS_COUNT(symmetries), &shape));
    GOS_TRY(end_line(r));
    r->coordinate = format == 0;
    r->field = kind == 3 ? REAL : kind == 4 ? INTEGER : (field)kind;
    r->symmetry = (symmetry)shape;
    return !r->coordinate && r->field == PATTERN
               ? refuse(r, NULL, "an array has values; write 'real' instead of 'pattern'")
               : GOS_OK;
}

/* Number of entries listed by an array of this size. */
static long long array_entries(const reader *r) {
    const long long n = r->columns;
    return r->symmetry == GENERAL     ? (long long)r->rows * n
           : r->symmetry == SYMMETRIC ? n * (n + 1) / 2
                                      : n * (n - 1) / 2;
}

static gos_status check_room(const reader *r, const char *at) {
    const size_t larger = r->rows > r->columns ? r->rows : r->columns;
    return larger > GOS_LIMIT_FREE_ORDER && larger > r->room
               ? refuse(r, at,
                        "%zu rows or columns are declared, but the matrix files have %zu bytes; "
                        "the file is truncated or its sizes are wrong",
                        larger, r->room)
               : GOS_OK;
}

static gos_status read_sizes(reader *r) {
    if (!find_line(r)) {
        return refuse(r, NULL, "the text ends before the line of sizes");
    }
    const char *at = r->s;
    const int max = GOS_LIMIT_MATRIX_ORDER;
    GOS_TRY(read_index(r, "number of rows", 0, max, &r->rows));
    GOS_TRY(read_index(r, "number of columns", 0, max, &r->columns));
    if (r->symmetry != GENERAL && r->rows != r->columns) {
        return refuse(r, at, "a %s matrix is square, this one has %d rows and %d columns",
                      r->symmetry == SYMMETRIC ? "symmetric" : "skew-symmetric", r->rows,
                      r->columns);
    }
    long long entries = array_entries(r);
    if (r->coordinate) {
        GOS_TRY(read_index(r, "number of entries", 0, INT32_MAX / 4, &r->entries));
        entries = r->entries;
    }
    // an entry takes at least "1" or "1 1" and a separator
    const long long room = (r->stop - r->s) / (r->coordinate ? 4 : 2) + 1;
    if (entries > room) {
        return refuse(r, at,
                      "%lld entries are declared, but the text has space for at most %lld; the "
                      "file is truncated or its sizes are wrong",
                      entries, room);
    }
    GOS_TRY(check_room(r, at));
    r->entries = (int)entries;
    r->aj = r->ai = 0;
    return end_line(r);
}

/* Next array position: down the columns, from the diagonal if symmetric. */
static void next_place(reader *r, entry *e) {
    const int first = r->symmetry == GENERAL ? 0 : r->aj + (r->symmetry == SKEW);
    r->ai = r->ai < first ? first : r->ai;
    while (r->ai >= r->rows) {
        r->aj++;
        r->ai = r->symmetry == GENERAL ? 0 : r->aj + (r->symmetry == SKEW);
    }
    e->i = r->ai++;
    e->j = r->aj;
}

static gos_status check_triangle(const reader *r, const entry *e) {
    if (r->symmetry == SKEW && e->i == e->j) {
        return refuse(r, e->at,
                      "a skew-symmetric matrix has no entries on the diagonal; remove "
                      "this one");
    }
    if (r->symmetry != GENERAL && e->i < e->j) {
        return refuse(r, e->at,
                      "(%d, %d) lies above the diagonal; a symmetric matrix lists the "
                      "lower triangle only",
                      e->i + 1, e->j + 1);
    }
    return GOS_OK;
}

static gos_status read_entry(reader *r, entry *e) {
    if (!find_line(r)) {
        return refuse(r, NULL, "the text ends after %d of %d entries", r->done, r->entries);
    }
    e->at = r->s;
    e->x = 1;
    if (r->coordinate) {
        GOS_TRY(read_index(r, "row", 1, r->rows, &e->i));
        GOS_TRY(read_index(r, "column", 1, r->columns, &e->j));
        e->i--;
        e->j--;
        if (r->upper) {
            const int i = e->i;
            e->i = e->j;
            e->j = i;
        }
        GOS_TRY(check_triangle(r, e));
    } else {
        next_place(r, e);
    }
    if (r->field != PATTERN) {
        GOS_TRY(read_value(r, &e->x));
    }
    r->done++;
    // an array may have several values per line
    return r->coordinate ? end_line(r) : GOS_OK;
}

/* Sizes and triangle of a square matrix from a list of its entries. */
static gos_status measure_list(reader *r, gos_triangle *triangle) {
    reader ahead = *r;
    bool lower = false, upper = false;
    int order = 0;
    ahead.rows = ahead.columns = GOS_LIMIT_MATRIX_ORDER;
    while (find_line(&ahead)) {
        entry e;
        GOS_TRY(ahead.done < INT32_MAX / 4 ? GOS_OK
                                           : refuse(&ahead, ahead.s, "there are too many entries"));
        GOS_TRY(read_entry(&ahead, &e));
        lower = lower || e.i > e.j;
        upper = upper || e.i < e.j;
        order = e.i >= order ? e.i + 1 : order;
        order = e.j >= order ? e.j + 1 : order;
    }
    r->rows = r->columns = order;
    r->entries = ahead.done;
    r->upper = upper && !lower;
    r->symmetry = lower != upper ? SYMMETRIC : GENERAL;
    *triangle = lower == upper ? GOS_TRIANGLE_BOTH
                : lower        ? GOS_TRIANGLE_LOWER
                               : GOS_TRIANGLE_UPPER;
    return check_room(r, NULL);
}

static gos_status read_end(reader *r) {
    return find_line(r) ? refuse(r, r->s, "there are more than the declared %d entries", r->entries)
                        : GOS_OK;
}

typedef struct triplets {
    int n;
    int *i, *j;
    double *x;
} triplets;

static void keep(triplets *t, int i, int j, double x) {
    t->i[t->n] = i;
    t->j[t->n] = j;
    t->x[t->n++] = x;
}

static gos_status read_entries(reader *r, triplets *t) {
    for (int k = 0; k < r->entries; k++) {
        entry e;
        GOS_TRY(read_entry(r, &e));
        keep(t, e.i, e.j, e.x);
        if (r->symmetry != GENERAL && e.i != e.j) {
            keep(t, e.j, e.i, r->symmetry == SKEW ? -e.x : e.x);
        }
    }
    return read_end(r);
}

/* Rereads up to the second entry (i, j) to report its position. */
static gos_status refuse_twice(reader *r, int i, int j) {
    int count = 0;
    entry e = {0};
    while (count < 2 && read_entry(r, &e) == GOS_OK) {
        count += e.i == i && e.j == j;
    }
    return refuse(r, e.at, "entry (%d, %d) is given twice; give each entry once", i + 1, j + 1);
}

/* Rejects duplicate entries, drops zeros. */
static gos_status check_columns(reader *again, gos_sparse *A) {
    int n = 0;
    for (int j = 0, from = 0; j < A->n; j++) {
        const int to = A->p[j + 1];
        for (int k = from; k < to; k++) {
            // only the lower triangle of a symmetric matrix was listed
            if (k > from && A->i[k] == A->i[k - 1] &&
                (again->symmetry == GENERAL || A->i[k] >= j)) {
                return refuse_twice(again, A->i[k], j);
            }
            if (A->x[k] != 0) {
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

static gos_status build(gos_ctx *ctx, reader *r, gos_sparse *A) {
    const size_t max = (size_t)(r->symmetry == GENERAL ? 1 : 2) * r->entries + 1;
    triplets t = {.i = gos__alloc(ctx, max, sizeof(int)),
                  .j = gos__alloc(ctx, max, sizeof(int)),
                  .x = gos__alloc(ctx, max, sizeof(double))};
    reader again = *r;
    gos_status status = t.i && t.j && t.x ? read_entries(r, &t) : GOS_E_MEMORY;
    status = status == GOS_OK
                 ? gos__sparse_from_triplets(ctx, r->rows, r->columns, t.n, t.i, t.j, t.x, A)
                 : status;
    gos__free(ctx, t.i);
    gos__free(ctx, t.j);
    gos__free(ctx, t.x);
    if (status == GOS_OK) {
        status = check_columns(&again, A);
        if (status != GOS_OK) {
            gos__sparse_free(ctx, A);
        }
    }
    return status;
}

static gos_status parse(gos_ctx *ctx, const char *text, size_t n, size_t room, const char *file,
                        gos_sparse *A) {
    reader r = {.ctx = ctx,
                .file = file,
                .s = text,
                .stop = text + n,
                .line = 1,
                .begin = text,
                .room = room};
    *A = (gos_sparse){0};
    GOS_TRY(read_banner(&r));
    GOS_TRY(read_sizes(&r));
    return build(ctx, &r, A);
}

gos_status gos__matrix_market_parse(gos_ctx *ctx, const char *text, size_t n, const char *file,
                                    gos_sparse *A) {
    return parse(ctx, text, n, n, file, A);
}

/* Whether the first word is a number. */
static bool is_list(const char *s, const char *stop) {
    while (s < stop && (is_blank(*s) || *s == '\n')) {
        s++;
    }
    return s < stop && *s >= '0' && *s <= '9';
}

gos_status gos__matrix_list_parse(gos_ctx *ctx, const char *text, size_t n, size_t room,
                                  const char *file, gos_triangle *triangle, gos_sparse *A) {
    reader r = {.ctx = ctx,
                .file = file,
                .s = text,
                .stop = text + n,
                .line = 1,
                .begin = text,
                .coordinate = true,
                .list = true,
                .room = room};
    *triangle = GOS_TRIANGLE_NONE;
    if (!is_list(text, text + n)) {
        return parse(ctx, text, n, room, file, A);
    }
    *A = (gos_sparse){0};
    GOS_TRY(measure_list(&r, triangle));
    return build(ctx, &r, A);
}

gos_status gos__matrix_list_read(gos_ctx *ctx, const char *path, size_t beside, gos_loc loc,
                                 const char *object, gos_triangle *triangle, gos_sparse *A) {
    char *text;
    size_t n;
    gos_triangle found = GOS_TRIANGLE_NONE;
    *A = (gos_sparse){0};
    const char *file = gos__intern(ctx, path);
    GOS_TRY(file ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_MATRIX_BYTES, loc, object, &text, &n));
    const size_t room = n > beside ? n : beside;
    const gos_status status = triangle ? gos__matrix_list_parse(ctx, text, n, room, file, &found, A)
                                       : parse(ctx, text, n, room, file, A);
    gos__free(ctx, text);
    if (triangle) {
        *triangle = found;
    }
    return status;
}

gos_status gos__matrix_market_read(gos_ctx *ctx, const char *path, size_t beside, gos_loc loc,
                                   const char *object, gos_sparse *A) {
    return gos__matrix_list_read(ctx, path, beside, loc, object, NULL, A);
}

bool gos__matrix_market_write(const gos_sparse *A, bool symmetric, const char *comment, FILE *out) {
    char line[100];
    int entries = 0;
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            entries += !symmetric || A->i[k] >= j;
        }
    }
    bool good = fprintf(out, "%s matrix coordinate real %s\n", BANNER,
                        symmetric ? "symmetric" : "general") > 0;
    good = good && (!comment || fprintf(out, "%% %s\n", comment) > 0);
    good = good && fprintf(out, "%d %d %d\n", A->m, A->n, entries) > 0;
    for (int j = 0; j < A->n && good; j++) {
        for (int k = A->p[j]; k < A->p[j + 1] && good; k++) {
            if (!symmetric || A->i[k] >= j) {
                gos__format(line, sizeof line, "%d %d %.17g\n", A->i[k] + 1, j + 1, A->x[k]);
                good = fputs(line, out) >= 0;
            }
        }
    }
    return good;
}
