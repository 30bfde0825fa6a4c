/* OUTPUT4: each matrix has a header, records of columns, and a record of a column beyond the last.
   A column is one run of rows, or (row 0) a sequence of runs with headers of their own. */
#include "linalg/output4.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

#define INTEGER 8       // width of a whole number in text
#define BIG_ROW 65536   // header of a run without BIGMAT: row + BIG_ROW (words + 1)
#define RECORD_BYTES 24 // of a binary header

enum { SQUARE = 1, RECTANGULAR = 2, LOWER = 4, UPPER = 5, SYMMETRIC = 6 };

typedef struct reader {
    gos_ctx *ctx;
    const char *file, *begin, *s, *stop; // s: unread
    int line;
    bool binary, swap;
    const char *record, *end; // unread part of a record, or of a line

    /* matrix */
    char name[INTEGER + 1];
    int rows, columns, form, type;
    int words, parts; // 4-byte words of a number; numbers of a value
    bool big, keep;
    int each, width; // values in a line, characters of each

    int n, icap, jcap, xcap;
    int *i, *j;
    double *x;
} reader;

static gos_status refuse(const reader *r, const char *fmt, ...) GOS_PRINTF(2, 3);
static gos_status refuse(const reader *r, const char *fmt, ...) {
    char text[400];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    const gos_loc loc = {r->file, r->binary ? 0 : r->line, 0};
    return r->binary ? gos__fail_at(r->ctx, GOS_E_INPUT, loc, NULL, "byte %lld: %s",
                                    (long long)(r->s - r->begin), text)
                     : gos__fail_at(r->ctx, GOS_E_INPUT, loc, NULL, "%s", text);
}

static gos_status refuse_end(const reader *r) {
    return refuse(r, "the file ends inside matrix '%s'; it is truncated", r->name);
}

/* ---- records --------------------------------------------------------------------------------- */

static int32_t whole_at(const reader *r, const char *s) {
    unsigned char b[4];
    int32_t v;
    memcpy(b, s, sizeof b);
    if (r->swap) {
        const unsigned char c[4] = {b[3], b[2], b[1], b[0]};
        memcpy(b, c, sizeof b);
    }
    memcpy(&v, b, sizeof v);
    return v;
}

static double value_at(const reader *r, const char *s) {
    unsigned char b[8];
    float single;
    double v;
    const size_t n = 4 * (size_t)r->words;
    for (size_t k = 0; k < n; k++) {
        b[k] = (unsigned char)s[r->swap ? n - 1 - k : k];
    }
    if (r->words == 1) {
        memcpy(&single, b, sizeof single);
        return (double)single;
    }
    memcpy(&v, b, sizeof v);
    return v;
}

/* next line, or binary record with its length before and after; *more false: the file ends */
static gos_status next(reader *r, bool *more) {
    *more = r->s < r->stop;
    if (!*more) {
        return GOS_OK;
    }
    if (!r->binary) {
        const char *end = memchr(r->s, '\n', (size_t)(r->stop - r->s));
        r->line++;
        r->record = r->s;
        r->end = end ? end : r->stop;
        r->s = end ? end + 1 : r->stop;
        r->end -= r->end > r->record && r->end[-1] == '\r';
        return GOS_OK;
    }
    const ptrdiff_t left = r->stop - r->s;
    const int32_t n = left >= 8 ? whole_at(r, r->s) : -1;
    if (n < 0 || n % 4 != 0 || n > left - 8 || whole_at(r, r->s + 4 + n) != n) {
        return refuse(r, "this is no record of a binary OUTPUT4 file; it is truncated, or has "
                         "whole numbers of 8 bytes, which are not supported");
    }
    r->record = r->s + 4;
    r->end = r->record + n;
    r->s = r->end + 4;
    return GOS_OK;
}

/* whole number of a fixed field of the line, or of the record */
static gos_status take_whole(reader *r, int width, int *value) {
    if (r->binary) {
        if (r->end - r->record < 4) {
            return refuse_end(r);
        }
        *value = whole_at(r, r->record);
        r->record += 4;
        return GOS_OK;
    }
    const char *s = r->record, *end = r->end - s > width ? s + width : r->end;
    r->record = end;
    while (s < end && (*s == ' ' || *s == '\t')) {
        s++;
    }
    const bool minus = s < end && *s == '-';
    long long v = 0;
    const char *first = s + minus;
    for (s = first; s < end && *s >= '0' && *s <= '9' && v <= INT32_MAX; s++) {
        v = 10 * v + (*s - '0');
    }
    const bool digits = s > first;
    while (s < end && *s == ' ') {
        s++;
    }
    if (!digits || s < end || v > INT32_MAX) {
        return refuse(r, "a whole number of %d characters is needed in each field of this line",
                      width);
    }
    *value = (int)(minus ? -v : v);
    return GOS_OK;
}

/* 1.5E+3, 1.5D+3, 1.5+3 */
static bool parse_value(const char *s, const char *end, double *x) {
    char text[64];
    size_t n = 0;
    while (s < end && *s == ' ') {
        s++;
    }
    for (; s < end && *s != ' ' && n < sizeof text - 2; s++) {
        const bool sign = (*s == '+' || *s == '-') && n > 0 && text[n - 1] != 'e';
        if (sign) {
            text[n++] = 'e';
        }
        text[n++] = (char)(*s == 'D' || *s == 'd' || *s == 'E' ? 'e' : *s);
    }
    while (s < end && *s == ' ') {
        s++;
    }
    text[n] = '\0';
    return s == end && n > 0 && gos__number_parse(text, n, x);
}

static gos_status add(reader *r, int i, int j, double x) {
    if (!isfinite(x)) {
        return refuse(r, "the value of row %d, column %d is not finite", i, j);
    }
    if (x == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__grow(r->ctx, (void **)&r->i, &r->icap, r->n + 1, sizeof *r->i));
    GOS_TRY(gos__grow(r->ctx, (void **)&r->j, &r->jcap, r->n + 1, sizeof *r->j));
    GOS_TRY(gos__grow(r->ctx, (void **)&r->x, &r->xcap, r->n + 1, sizeof *r->x));
    r->i[r->n] = i - 1;
    r->j[r->n] = j - 1;
    r->x[r->n++] = x;
    return GOS_OK;
}

/* n numbers of rows row ... of a column */
static gos_status take_values(reader *r, int n, int row, int column) {
    if (row < 1 || n < 1 || (n - 1) / r->parts > r->rows - row) {
        return refuse(r, "column %d has %d values from row %d on, but the matrix has %d rows",
                      column, n, row, r->rows);
    }
    for (int k = 0; k < n; k++) {
        double x = 0;
        bool more = true;
        if (!r->binary && k % r->each == 0) {
            GOS_TRY(next(r, &more));
        }
        const ptrdiff_t size = r->binary ? 4 * (ptrdiff_t)r->words : r->width;
        const ptrdiff_t left = r->end - r->record;
        if (!more || left <= 0 || (r->binary && left < size)) {
            return refuse_end(r);
        }
        const char *end = left < size ? r->end : r->record + size;
        if (r->binary) {
            x = value_at(r, r->record);
        } else if (!parse_value(r->record, end, &x)) {
            return refuse(r, "'%.*s' is not a number; each has %d characters",
                          (int)(end - r->record), r->record, r->width);
        }
        r->record = end;
        GOS_TRY(r->keep ? add(r, row + k, column, x) : GOS_OK);
    }
    return GOS_OK;
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* "1P,5E16.9" */
static bool parse_format(reader *r) {
    char text[40] = "";
    int scale;
    const ptrdiff_t n = r->end - r->record;
    memcpy(text, r->record, (size_t)(n < 39 ? n : 39));
    for (char *c = text; *c; c++) {
        *c = (char)toupper((unsigned char)*c);
        *c = (char)(*c == 'D' ? 'E' : *c);
    }
    const bool good = sscanf(text, " %d P , %d E %d", &scale, &r->each, &r->width) == 3 ||
                      sscanf(text, " %d E %d", &r->each, &r->width) == 2;
    return good && r->each >= 1 && r->each <= 100 && r->width >= 8 && r->width <= 60;
}

static gos_status take_name(reader *r) {
    const ptrdiff_t n = r->end - r->record;
    int kept = 0;
    for (int k = 0; k < INTEGER && k < n; k++) {
        const char c = r->record[k];
        if (c != ' ') {
            r->name[kept++] = c >= 33 && c < 127 ? (char)toupper((unsigned char)c) : '?';
        }
    }
    r->name[kept] = '\0';
    r->record = n > INTEGER ? r->record + INTEGER : r->end;
    return kept > 0 ? GOS_OK : refuse(r, "the matrix has no name");
}

/* of a matrix to be skipped too */
static gos_status check_sizes(const reader *r) {
    const int larger = r->rows > r->columns ? r->rows : r->columns;
    if (r->rows < 1 || r->columns < 1 || larger > GOS_LIMIT_MATRIX_ORDER) {
        return refuse(r, "'%s' has %d rows and %d columns; 1 to %d are possible", r->name, r->rows,
                      r->columns, GOS_LIMIT_MATRIX_ORDER);
    }
    return r->type >= 1 && r->type <= 4
               ? GOS_OK
               : refuse(r, "'%s' is of type %d; 1 to 4 are possible", r->name, r->type);
}

static gos_status check_kind(const reader *r) {
    const int larger = r->rows > r->columns ? r->rows : r->columns;
    if (larger > GOS_LIMIT_FREE_ORDER && larger > r->stop - r->begin) {
        return refuse(r,
                      "'%s' declares %d rows or columns, but the file has %lld bytes; it is "
                      "truncated, or its sizes are wrong",
                      r->name, larger, (long long)(r->stop - r->begin));
    }
    if (r->parts == 2) {
        return refuse(r, "'%s' is complex (type %d); write a real matrix", r->name, r->type);
    }
    if (r->form != SQUARE && r->form != RECTANGULAR && r->form != LOWER && r->form != UPPER &&
        r->form != SYMMETRIC) {
        return refuse(r,
                      "'%s' is of form %d; write it square (1), rectangular (2) or symmetric (6)",
                      r->name, r->form);
    }
    return r->form == RECTANGULAR || r->rows == r->columns
               ? GOS_OK
               : refuse(r, "'%s' is of form %d, but has %d rows and %d columns", r->name, r->form,
                        r->rows, r->columns);
}

static gos_status read_header(reader *r, bool *more) {
    GOS_TRY(next(r, more));
    while (*more && !r->binary && r->record == r->end) { // empty lines at the end
        GOS_TRY(next(r, more));
    }
    if (!*more) {
        return GOS_OK;
    }
    GOS_TRY(take_whole(r, INTEGER, &r->columns));
    GOS_TRY(take_whole(r, INTEGER, &r->rows));
    GOS_TRY(take_whole(r, INTEGER, &r->form));
    GOS_TRY(take_whole(r, INTEGER, &r->type));
    GOS_TRY(take_name(r));
    r->big = r->rows < 0;
    r->rows = r->rows < 0 && r->rows > INT32_MIN ? -r->rows : r->rows;
    r->words = r->type % 2 == 0 ? 2 : 1;
    r->parts = r->type > 2 ? 2 : 1;
    if (!r->binary && !parse_format(r)) {
        return refuse(r, "the line ends with the format of the values, such as 1P,5E16.9");
    }
    return check_sizes(r);
}

/* runs of a sparse column with `words` words */
static gos_status read_runs(reader *r, int column, int words) {
    bool more = true;
    while (words > 0) {
        int first, row, length;
        GOS_TRY(r->binary ? GOS_OK : next(r, &more));
        GOS_TRY(more ? take_whole(r, r->big ? INTEGER : 2 * INTEGER, &first) : refuse_end(r));
        if (r->big) {
            GOS_TRY(take_whole(r, INTEGER, &row));
            length = first > 0 ? first - 1 : 0;
        } else {
            length = first / BIG_ROW - 1;
            row = first % BIG_ROW;
        }
        words -= r->big ? 2 : 1;
        if (length < 1 || length > words || length % r->words != 0) {
            return refuse(r, "the lengths of the runs of column %d do not add up to its length",
                          column);
        }
        GOS_TRY(take_values(r, length / r->words, row, column));
        words -= length;
    }
    return GOS_OK;
}

static gos_status read_columns(reader *r) {
    int last = 0;
    for (;;) {
        bool more;
        int column, row, length;
        GOS_TRY(next(r, &more));
        GOS_TRY(more ? take_whole(r, INTEGER, &column) : refuse_end(r));
        GOS_TRY(take_whole(r, INTEGER, &row));
        GOS_TRY(take_whole(r, INTEGER, &length));
        if (column <= last || length < 0) {
            return refuse(r, "column %d with %d words follows column %d; columns must ascend",
                          column, length, last);
        }
        if (column > r->columns) { // the end, with a value
            return r->binary ? GOS_OK : next(r, &more);
        }
        last = column;
        if (row == 0) {
            GOS_TRY(read_runs(r, column, length));
        } else if (r->binary && length % r->words != 0) {
            return refuse(r, "column %d has %d words, which are no whole number of values", column,
                          length);
        } else {
            GOS_TRY(take_values(r, r->binary ? length / r->words : length, row, column));
        }
    }
}

static gos_status check_entries(const reader *r, const gos_sparse *A) {
    bool lower = false, upper = false;
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            lower = lower || A->i[k] > j;
            upper = upper || A->i[k] < j;
            if (k > A->p[j] && A->i[k] == A->i[k - 1]) {
                return refuse(r, "entry (%d, %d) of '%s' is given twice", A->i[k] + 1, j + 1,
                              r->name);
            }
        }
    }
    return r->form != SYMMETRIC || lower == upper
               ? GOS_OK
               : refuse(r,
                        "'%s' is symmetric (form 6), but has entries in one triangle only; write "
                        "both",
                        r->name);
}

static gos_status keep(reader *r, gos_sparse *A) {
    GOS_TRY(gos__sparse_from_triplets(r->ctx, r->rows, r->columns, r->n, r->i, r->j, r->x, A));
    const gos_status status = check_entries(r, A);
    if (status != GOS_OK) {
        gos__sparse_free(r->ctx, A);
    }
    return status;
}

/* the matrix by its name, or the only one */
static gos_status find(reader *r, const char *matrix, gos_sparse *A) {
    char names[200] = "";
    int found = 0;
    for (bool more = true;;) {
        GOS_TRY(read_header(r, &more));
        if (!more) {
            break;
        }
        const size_t have = strlen(names);
        gos__format(names + have, sizeof names - have, "%s%s", have ? ", " : "", r->name);
        r->keep = matrix ? strcasecmp(matrix, r->name) == 0 : found == 0;
        GOS_TRY(r->keep ? check_kind(r) : GOS_OK);
        GOS_TRY(read_columns(r));
        if (r->keep && (matrix || found == 0)) {
            GOS_TRY(found > 0
                        ? refuse(r, "the file has two matrices '%s'; name them apart", r->name)
                        : keep(r, A));
        }
        found += r->keep || !matrix;
    }
    if (found == 1) {
        return GOS_OK;
    }
    r->line = 0;
    r->s = r->begin;
    return found == 0 ? refuse(r, "the file has no matrix '%s', but %s", matrix ? matrix : "",
                               names[0] ? names : "none")
                      : refuse(r, "the file has the matrices %s; name one: FILE.op4:NAME", names);
}

gos_status gos__output4_parse(gos_ctx *ctx, const char *data, size_t n, const char *file,
                              const char *matrix, gos_sparse *A) {
    reader r = {.ctx = ctx, .file = file, .begin = data, .s = data, .stop = data + n};
    *A = (gos_sparse){0};
    if (n >= 4) {
        const int32_t first = whole_at(&r, data);
        r.swap = first == (int32_t)((uint32_t)RECORD_BYTES << 24);
        r.binary = first == RECORD_BYTES || r.swap;
    }
    const gos_status status = find(&r, matrix, A);
    if (status != GOS_OK) {
        gos__sparse_free(ctx, A);
        *A = (gos_sparse){0};
    }
    gos__free(ctx, r.i);
    gos__free(ctx, r.j);
    gos__free(ctx, r.x);
    return status;
}

gos_status gos__output4_read(gos_ctx *ctx, const char *path, const char *matrix, gos_loc loc,
                             const char *object, gos_sparse *A) {
    char *data;
    size_t n;
    const char *file = gos__intern(ctx, path);
    *A = (gos_sparse){0};
    GOS_TRY(file ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_MATRIX_BYTES, loc, object, &data, &n));
    const gos_status status = gos__output4_parse(ctx, data, n, file, matrix, A);
    gos__free(ctx, data);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* whole numbers as a line, or part of a binary record */
static void put(bool text, int n, const int32_t *v, FILE *out) {
    for (int k = 0; k < n && text; k++) {
        (void)fprintf(out, "%*d%s", INTEGER, v[k], k == n - 1 ? "\n" : "");
    }
    if (!text) {
        (void)fwrite(v, sizeof *v, (size_t)n, out);
    }
}

static void put_values(bool text, int n, const double *x, FILE *out) {
    char word[40];
    for (int k = 0; k < n && text; k++) {
        gos__format(word, sizeof word, "%24.16E", x[k]);
        (void)fprintf(out, "%s%s", word, k % 3 == 2 || k == n - 1 ? "\n" : "");
    }
    if (!text) {
        (void)fwrite(x, sizeof *x, (size_t)n, out);
    }
}

/* number of values from k on in consecutive rows of a column */
static int run_of(const gos_sparse *A, int k, int end) {
    int n = 1;
    while (k + n < end && A->i[k + n] == A->i[k] + n) {
        n++;
    }
    return n;
}

static void put_column(const gos_sparse *A, int j, bool text, FILE *out) {
    const int end = A->p[j + 1];
    int32_t words = 0;
    for (int k = A->p[j], n; k < end; k += n) {
        n = run_of(A, k, end);
        words += 2 + 2 * n;
    }
    const int32_t bytes = 12 + 4 * words, head[3] = {j + 1, 0, words};
    put(text, text ? 0 : 1, &bytes, out);
    put(text, 3, head, out);
    for (int k = A->p[j], n; k < end; k += n) {
        n = run_of(A, k, end);
        const int32_t run[2] = {2 * n + 1, A->i[k] + 1};
        put(text, 2, run, out);
        put_values(text, n, A->x + k, out);
    }
    put(text, text ? 0 : 1, &bytes, out);
}

bool gos__output4_write(const gos_sparse *A, bool symmetric, const char *name, bool text,
                        FILE *out) {
    const int form = symmetric ? SYMMETRIC : A->m == A->n ? SQUARE : RECTANGULAR;
    const int32_t head[4] = {A->n, -A->m, form, 2}, last[3] = {A->n + 1, 1, text ? 1 : 2};
    const int32_t header = RECORD_BYTES, bytes = 20;
    const double one = 1;
    if (text) {
        (void)fprintf(out, "%8d%8d%8d%8d%-8.8s1P,3E24.16\n", head[0], head[1], head[2], head[3],
                      name);
    } else {
        put(false, 1, &header, out);
        put(false, 4, head, out);
        (void)fprintf(out, "%-8.8s", name);
        put(false, 1, &header, out);
    }
    for (int j = 0; j < A->n; j++) {
        if (A->p[j + 1] > A->p[j]) {
            put_column(A, j, text, out);
        }
    }
    put(text, text ? 0 : 1, &bytes, out);
    put(text, 3, last, out);
    put_values(text, 1, &one, out);
    put(text, text ? 0 : 1, &bytes, out);
    return ferror(out) == 0;
}
