/* Tables from CSV files. The header line is optional, # begins a comment, cells are separated by ;
 * , tab or blanks (the first of these in the first line). The first column increases strictly.
 * Interpolation is linear or by a natural cubic spline; end values are used beyond the range. */
#include "model/private.h"

#include <math.h>

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    gos_ctx *ctx;
    const gos_table_def *def;
    const char *object;
    const char *file; // interned path
    int line;
    const char *begin;
    char separator; // 0 until the first line is seen
    int ncolumn;    // cells of the first line
    int column;     // index of the values
    gos_table *table;
    int cap;
} reader;

/* without surrounding blanks */
typedef struct cell {
    const char *s;
    size_t n;
} cell;

static gos_loc loc_at(const reader *r, const char *at) {
    return (gos_loc){r->file, r->line, (int)(at - r->begin) + 1};
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static char find_separator(const char *s, size_t n) {
    // ; first, because a comma may be a wrong decimal point
    static const char candidates[] = ";,\t";
    for (const char *c = candidates; *c != '\0'; c++) {
        if (memchr(s, *c, n) != NULL) {
            return *c;
        }
    }
    return ' ';
}

static bool next_cell(const reader *r, const char **s, const char *end, cell *out) {
    if (*s > end) {
        return false;
    }
    const char *p = *s, *q;
    if (r->separator == ' ') {
        for (q = p; q < end && !is_blank(*q); q++) {
        }
        *s = q;
        while (*s < end && is_blank(**s)) {
            (*s)++;
        }
        *s += *s == end; // past the end: no further cell
    } else {
        q = memchr(p, r->separator, end - p);
        q = q != NULL ? q : end;
        *s = q + 1;
    }
    while (p < q && is_blank(*p)) {
        p++;
    }
    while (q > p && is_blank(q[-1])) {
        q--;
    }
    *out = (cell){p, q - p};
    return true;
}

/* in a header, find the requested column by name */
static gos_status start_columns(reader *r, const char *s, const char *end, bool header) {
    const char *column_name = r->def->column;
    double number;
    const bool by_number = gos__number_parse(column_name, strlen(column_name), &number);
    r->column = -1;
    cell c;
    while (next_cell(r, &s, end, &c)) {
        if (++r->ncolumn > GOS_LIMIT_TABLE_COLUMNS) {
            return gos__fail_at(r->ctx, GOS_E_LIMIT, loc_at(r, c.s), r->object,
                                "a table has at most %d columns", GOS_LIMIT_TABLE_COLUMNS);
        }
        const size_t quote = c.n > 1 && c.s[0] == '"' && c.s[c.n - 1] == '"';
        if (header && !by_number && c.n - 2 * quote == strlen(column_name) &&
            memcmp(c.s + quote, column_name, strlen(column_name)) == 0) {
            r->column = r->ncolumn - 1;
        }
    }
    if (by_number && number >= 1 && number <= r->ncolumn && floor(number) == number) {
        r->column = (int)number - 1;
    }
    if (r->column < 0) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->def->column_loc, r->object,
                            "table '%.100s' has no column '%.64s'; give a number from 1 to %d%s",
                            r->def->file, column_name, r->ncolumn,
                            header ? " or a name of its header" : "");
    }
    return GOS_OK;
}

static gos_status add_row(reader *r, double x, double y, const char *at) {
    gos_table *t = r->table;
    if (!(t->n == 0 || x > t->x[t->n - 1])) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, loc_at(r, at), r->object,
                            "the first column must increase from line to line, but %g follows %g",
                            x, t->x[t->n - 1]);
    }
    if (t->n >= r->cap) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, loc_at(r, at), r->object,
                            "a table has at most %d rows", GOS_LIMIT_TABLE_ROWS);
    }
    t->x[t->n] = x;
    t->y[t->n] = y * r->def->scale;
    t->n++;
    return GOS_OK;
}

static gos_status read_row(reader *r, const char *s, const char *end) {
    double x = 0.0, y = 0.0, value;
    const char *first = s;
    int column = 0;
    cell c;
    for (; next_cell(r, &s, end, &c); column++) {
        const bool needed = column == 0 || column == r->column;
        if (!needed) {
            continue;
        }
        if (!gos__number_parse(c.s, c.n, &value) || !isfinite(value)) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, loc_at(r, c.s), r->object,
                                "'%.*s' is not a finite number%s", (int)(c.n < 40 ? c.n : 40), c.s,
                                memchr(c.s, ',', c.n) != NULL ? "; write a decimal point"
                                                              : "; give one");
        }
        const double scaled = column == 0 ? value : value * r->def->scale;
        if (!(fabs(value) <= GOS_LIMIT_NUMBER && fabs(scaled) <= GOS_LIMIT_NUMBER)) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, loc_at(r, c.s), r->object,
                                "%g is too large; give at most %g",
                                fabs(value) <= GOS_LIMIT_NUMBER ? scaled : value, GOS_LIMIT_NUMBER);
        }
        x = column == 0 ? value : x;
        y = column == r->column ? value : y;
    }
    if (column != r->ncolumn) {
        return gos__fail_at(
            r->ctx, GOS_E_INPUT, loc_at(r, first), r->object,
            "this line has %d columns, but the first line has %d; use the same number in all lines",
            column, r->ncolumn);
    }
    return add_row(r, x, y, first);
}

static gos_status read_line(reader *r, const char *s, const char *end) {
    const char *comment = memchr(s, '#', end - s);
    end = comment != NULL ? comment : end;
    while (s < end && is_blank(*s)) {
        s++;
    }
    while (end > s && is_blank(end[-1])) {
        end--;
    }
    if (s == end) {
        return GOS_OK;
    }
    if (r->separator != 0) {
        return read_row(r, s, end);
    }
    // header, if its first cell is not a number
    r->separator = find_separator(s, end - s);
    const char *p = s;
    cell c = {s, 0};
    double number;
    next_cell(r, &p, end, &c);
    const bool header = !gos__number_parse(c.s, c.n, &number);
    GOS_TRY(start_columns(r, s, end, header));
    return header ? GOS_OK : read_row(r, s, end);
}

static gos_status read_lines(reader *r, const char *text, size_t n) {
    const char *stop = text + n;
    for (const char *s = text; s < stop;) {
        const char *end = memchr(s, '\n', stop - s);
        end = end != NULL ? end : stop;
        r->line++;
        r->begin = s;
        GOS_TRY(read_line(r, s, end));
        s = end + 1;
    }
    if (r->table->n < 2) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, (gos_loc){r->file, r->line, 0}, r->object,
                            "a table needs at least two lines of numbers, got %d", r->table->n);
    }
    return GOS_OK;
}

/* ---- splines --------------------------------------------------------------------------------- */

/* second derivatives of the natural cubic spline; the tridiagonal matrix is diagonally dominant */
static gos_status make_curve(gos_table *t, gos_arena *a) {
    const int n = t->n;
    double *m = GOS_NEW(a, double, n), *c = GOS_NEW(a, double, n);
    if (m == NULL || c == NULL) {
        return GOS_E_MEMORY;
    }
    for (int i = 1; i < n - 1; i++) {
        const double h0 = t->x[i] - t->x[i - 1], h1 = t->x[i + 1] - t->x[i];
        const double rhs = 6.0 * ((t->y[i + 1] - t->y[i]) / h1 - (t->y[i] - t->y[i - 1]) / h0);
        const double pivot = 2.0 * (h0 + h1) - h0 * c[i - 1];
        c[i] = h1 / pivot;
        m[i] = (rhs - h0 * m[i - 1]) / pivot;
    }
    m[n - 1] = 0.0;
    for (int i = n - 2; i > 0; i--) {
        m[i] -= c[i] * m[i + 1];
    }
    t->curve = m;
    return GOS_OK;
}

/* ---- construction ---------------------------------------------------------------------------- */

static int count_lines(const char *text, size_t n) {
    size_t lines = 1;
    for (const char *s = memchr(text, '\n', n); s != NULL;
         s = memchr(s + 1, '\n', text + n - s - 1)) {
        lines++;
    }
    return lines < GOS_LIMIT_TABLE_ROWS ? (int)lines : GOS_LIMIT_TABLE_ROWS;
}

gos_status gos__table_parse(gos_model *m, const char *text, size_t n, const char *file,
                            const gos_table_def *def, const char *object, gos_arena *a,
                            gos_table **table) {
    reader r = {.ctx = m->ctx, .def = def, .object = object, .file = file};
    r.cap = count_lines(text, n);
    r.table = GOS_NEW(a, gos_table, 1);
    if (r.table == NULL) {
        return GOS_E_MEMORY;
    }
    r.table->x = GOS_NEW(a, double, r.cap);
    r.table->y = GOS_NEW(a, double, r.cap);
    if (r.table->x == NULL || r.table->y == NULL) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(read_lines(&r, text, n));
    if (def->cubic) {
        GOS_TRY(make_curve(r.table, a));
    }
    *table = r.table;
    return GOS_OK;
}

gos_status gos__table_make(gos_model *m, const gos_table_def *def, const char *object, gos_arena *a,
                           gos_table **table) {
    const char *path;
    GOS_TRY(gos__path_below(m->ctx, m->folder, def->file, def->file_loc, object, a, &path));
    char *text;
    size_t n;
    GOS_TRY(gos__file_read(m->ctx, path, GOS_LIMIT_TABLE_BYTES, def->file_loc, object, &text, &n));
    m->tables = gos__hash(m->tables, text, n);
    const char *file = gos__intern(m->ctx, path);
    const gos_status status =
        file == NULL ? GOS_E_MEMORY : gos__table_parse(m, text, n, file, def, object, a, table);
    gos__free(m->ctx, text);
    return status;
}

static gos_status read_point(gos_model *m, const gos_node *pair, const gos_table_def *def,
                             const char *object, double *x, double *y) {
    const gos_measure variable = {.unit = def->time ? "s" : ""};
    const gos_node *first = pair->kind == GOS_LIST && pair->n == 2 ? pair->child : NULL;
    if (first == NULL || first->kind != GOS_SCALAR || first->next->kind != GOS_SCALAR) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, pair->loc, object,
                            "points are pairs of numbers, [[0, 0], [1, 20]]");
    }
    GOS_TRY(gos__quantity(m, first->text, first->loc, object, &variable, x));
    return gos__quantity(m, first->next->text, first->next->loc, object, &def->of, y);
}

gos_status gos__table_points(gos_model *m, const gos_node *list, const gos_table_def *def,
                             const char *object, gos_arena *a, gos_table **table) {
    const int n = list->kind == GOS_LIST ? list->n : 0;
    gos_table *t = GOS_NEW(a, gos_table, 1);
    if (n < 2 || n > GOS_LIMIT_TABLE_ROWS) {
        return gos__fail_at(m->ctx, GOS_E_INPUT, list->loc, object,
                            "points must be a list of at least two pairs, [[0, 0], [1, 20]]");
    }
    if (t == NULL || (t->x = GOS_NEW(a, double, n)) == NULL ||
        (t->y = GOS_NEW(a, double, n)) == NULL) {
        return GOS_E_MEMORY;
    }
    for (const gos_node *p = list->child; p != NULL; p = p->next) {
        GOS_TRY(read_point(m, p, def, object, &t->x[t->n], &t->y[t->n]));
        if (t->n > 0 && !(t->x[t->n] > t->x[t->n - 1])) {
            return gos__fail_at(m->ctx, GOS_E_INPUT, p->loc, object,
                                "points must ascend, but %g follows %g", t->x[t->n],
                                t->x[t->n - 1]);
        }
        t->y[t->n++] *= def->scale;
    }
    *table = t;
    return def->cubic ? make_curve(t, a) : GOS_OK;
}

/* ---- evaluation ------------------------------------------------------------------------------ */

/* segment [x_i, x_i+1) that contains x; (x_i, x_i+1] if `left` */
static int find_segment(const gos_table *t, double x, bool left) {
    int lo = 0, hi = t->n - 1;
    while (hi - lo > 1) {
        const int mid = lo + (hi - lo) / 2;
        if (t->x[mid] < x || (t->x[mid] == x && !left)) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static double give(double value, double slope, double curve, double *d1, double *d2) {
    if (d1 != NULL) {
        *d1 = slope;
    }
    if (d2 != NULL) {
        *d2 = curve;
    }
    return value;
}

double gos__table_eval(const gos_table *t, double x, bool left, double *d1, double *d2) {
    const double first = t->x[0], last = t->x[t->n - 1];
    if (x < first || (x == first && left)) {
        return give(t->y[0], 0.0, 0.0, d1, d2);
    }
    if (x > last || (x == last && !left)) {
        return give(t->y[t->n - 1], 0.0, 0.0, d1, d2);
    }
    const int i = find_segment(t, x, left);
    const double h = t->x[i + 1] - t->x[i];
    const double b = (x - t->x[i]) / h, a = (t->x[i + 1] - x) / h;
    const double value = a * t->y[i] + b * t->y[i + 1], slope = (t->y[i + 1] - t->y[i]) / h;
    if (t->curve == NULL) {
        return give(value, slope, 0.0, d1, d2);
    }
    const double m0 = t->curve[i], m1 = t->curve[i + 1];
    return give(value + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * (h * h / 6.0),
                slope + ((1.0 - 3.0 * a * a) * m0 + (3.0 * b * b - 1.0) * m1) * (h / 6.0),
                a * m0 + b * m1, d1, d2);
}
