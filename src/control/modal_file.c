#include "control/modal_file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#define MODAL_BYTES ((size_t)256 << 20) // of one table: a thousand modes of ten thousand channels

/* a table of numbers as it is read: all rows have as many columns as the first */
typedef struct table {
    gos_ctx *ctx;
    char path[PATH_MAX];
    const char *file; // interned
    double *x;        // row by row
    int room, n, rows, columns;
    int *line, line_room; // of each row
} table;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static gos_status wrong(const table *t, int line, int col, const char *what) {
    return gos__fail_at(t->ctx, GOS_E_INPUT, (gos_loc){.file = t->file, .line = line, .col = col},
                        NULL, "%s", what);
}

static gos_status add_value(table *t, double value) {
    GOS_TRY(gos__grow(t->ctx, (void **)&t->x, &t->room, t->n + 1, sizeof *t->x));
    t->x[t->n++] = value;
    return GOS_OK;
}

/* the values of one line; begin and end of its text */
static gos_status read_line(table *t, const char *begin, const char *end, int line) {
    int count = 0;
    for (const char *at = begin; at < end;) {
        const char *stop = at;
        while (stop < end && *stop != ',' && *stop != ';' && !is_blank(*stop)) {
            stop++;
        }
        double value;
        if (stop == at || !gos__number_parse(at, stop - at, &value)) {
            return wrong(t, line, (int)(at - begin) + 1, "a number was expected");
        }
        if (!isfinite(value) || fabs(value) > GOS_LIMIT_NUMBER) {
            return wrong(t, line, (int)(at - begin) + 1, "the number is too large");
        }
        GOS_TRY(add_value(t, value));
        count++;
        for (at = stop; at < end && is_blank(*at); at++) {
        }
        if (at < end && (*at == ',' || *at == ';')) {
            for (at++; at < end && is_blank(*at); at++) {
            }
        }
    }
    if (t->rows > 0 && count != t->columns) {
        char text[120];
        (void)snprintf(text, sizeof text, "%d values; the line of the first row, %d, has %d", count,
                       t->line[0], t->columns);
        return wrong(t, line, 1, text);
    }
    t->columns = count;
    GOS_TRY(gos__grow(t->ctx, (void **)&t->line, &t->line_room, t->rows + 1, sizeof *t->line));
    t->line[t->rows++] = line;
    return GOS_OK;
}

/* a first line of names is known by its beginning */
static bool begins_with_name(const char *at, const char *end) {
    const char *stop = at;
    while (stop < end && *stop != ',' && *stop != ';' && !is_blank(*stop)) {
        stop++;
    }
    double value;
    return !gos__number_parse(at, stop - at, &value);
}

static gos_status parse(table *t, const char *text, size_t n) {
    const char *const all = text + n;
    int line = 1;
    bool first = true;
    for (const char *at = text; at < all; line++) {
        const char *end = memchr(at, '\n', all - at);
        end = end ? end : all;
        const char *from = at, *to = end;
        while (from < to && is_blank(*from)) {
            from++;
        }
        while (to > from && is_blank(to[-1])) {
            to--;
        }
        if (to > from && *from != '#') {
            if (!first || !begins_with_name(from, to)) {
                GOS_TRY(read_line(t, from, to, line));
            }
            first = false;
        }
        at = end < all ? end + 1 : all;
    }
    return t->rows > 0 ? GOS_OK : wrong(t, line, 1, "the file has no numbers");
}

static gos_status read_table(gos_ctx *ctx, const char *folder, const char *name, gos_loc loc,
                             const char *object, table *t) {
    *t = (table){.ctx = ctx};
    if (snprintf(t->path, sizeof t->path, "%s/%s", folder, name) >= (int)sizeof t->path) {
        return gos__fail_at(ctx, GOS_E_FILE, loc, object, "%s: the name is too long", folder);
    }
    t->file = gos__intern(ctx, t->path);
    char *text = NULL;
    size_t n = 0;
    if (!t->file) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__file_read(ctx, t->path, MODAL_BYTES, loc, object, &text, &n));
    const gos_status status = parse(t, text, n);
    gos__free(ctx, text);
    return status;
}

static void free_table(table *t) {
    gos__free(t->ctx, t->x);
    gos__free(t->ctx, t->line);
}

/* a vector in one line or one column, of n values unless n is 0 */
static gos_status check_vector(const table *t, int n, const char *of) {
    char text[160];
    if (t->rows > 1 && t->columns > 1) {
        return wrong(t, t->line[0], 1, "one line or one column of values was expected");
    }
    if (n > 0 && t->n != n) {
        (void)snprintf(text, sizeof text, "%d values for %d %s", t->n, n, of);
        return wrong(t, t->line[t->rows - 1], 1, text);
    }
    return GOS_OK;
}

enum { FREQUENCY, CENTRE, KUP, CAPACITANCE, TABLES };
static const char *const file_name[TABLES] = {"freq_hz.csv", "phi_centre.csv", "Kup.csv",
                                              "capacitance.csv"};

static gos_status check_all(const table t[TABLES]) {
    const int n = t[FREQUENCY].n;
    GOS_TRY(check_vector(&t[FREQUENCY], 0, NULL));
    GOS_TRY(check_vector(&t[CENTRE], n, "modes of freq_hz.csv"));
    for (int i = 0; i < n; i++) {
        const int line = t[FREQUENCY].line[t[FREQUENCY].rows > 1 ? i : 0];
        if (!(t[FREQUENCY].x[i] > 0)) {
            return wrong(&t[FREQUENCY], line, 1, "frequencies are positive: hold the structure");
        }
        if (i > 0 && t[FREQUENCY].x[i] < t[FREQUENCY].x[i - 1]) {
            return wrong(&t[FREQUENCY], line, 1, "frequencies are to ascend");
        }
    }
    if (t[KUP].rows != n) {
        char text[160];
        (void)snprintf(text, sizeof text,
                       "%d lines for %d modes of freq_hz.csv; give Kup.csv a line per mode and a "
                       "column per channel",
                       t[KUP].rows, n);
        return wrong(&t[KUP], t[KUP].line[t[KUP].rows - 1], 1, text);
    }
    GOS_TRY(check_vector(&t[CAPACITANCE], t[KUP].columns, "columns of Kup.csv"));
    for (int i = 0; i < t[CAPACITANCE].n; i++) {
        if (!(t[CAPACITANCE].x[i] > 0)) {
            return wrong(&t[CAPACITANCE], t[CAPACITANCE].line[t[CAPACITANCE].rows > 1 ? i : 0], 1,
                         "capacitances are positive");
        }
    }
    return GOS_OK;
}

gos_status gos__modal_read(gos_ctx *ctx, const char *folder, double damping, gos_loc loc,
                           const char *object, gos_modal *m) {
    *m = (gos_modal){0};
    table t[TABLES] = {{.ctx = ctx}, {.ctx = ctx}, {.ctx = ctx}, {.ctx = ctx}};
    gos_status status = GOS_OK;
    for (int k = 0; k < TABLES && status == GOS_OK; k++) {
        status = read_table(ctx, folder, file_name[k], loc, object, &t[k]);
    }
    status = status == GOS_OK ? check_all(t) : status;
    status = status == GOS_OK ? gos__modal_create(ctx, t[FREQUENCY].n, t[KUP].columns, m) : status;
    for (long i = 0; i < m->n && status == GOS_OK; i++) {
        m->omega[i] = 2 * M_PI * t[FREQUENCY].x[i];
        m->zeta[i] = damping;
        m->phi[i] = t[CENTRE].x[i];
        for (long p = 0; p < m->np; p++) {
            m->Kup[p * m->n + i] = t[KUP].x[i * m->np + p];
        }
    }
    if (status == GOS_OK) {
        memcpy(m->capacitance, t[CAPACITANCE].x, m->np * sizeof *m->capacitance);
    }
    for (int k = 0; k < TABLES; k++) {
        free_table(&t[k]);
    }
    return status;
}
