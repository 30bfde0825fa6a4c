#include "control/number_table.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

#define TABLE_BYTES ((size_t)256 << 20) // a thousand modes of ten thousand channels

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

gos_status gos__number_table_wrong(const gos_number_table *t, int line, int col, const char *what) {
    return gos__fail_at(t->ctx, GOS_E_INPUT, (gos_loc){.file = t->file, .line = line, .col = col},
                        NULL, "%s", what);
}

static gos_status add_value(gos_number_table *t, double value) {
    GOS_TRY(gos__grow(t->ctx, (void **)&t->x, &t->room, t->n + 1, sizeof *t->x));
    t->x[t->n++] = value;
    return GOS_OK;
}

static gos_status read_line(gos_number_table *t, const char *begin, const char *end, int line) {
    int count = 0;
    for (const char *at = begin; at < end;) {
        const char *stop = at;
        while (stop < end && *stop != ',' && *stop != ';' && !is_blank(*stop)) {
            stop++;
        }
        double value;
        if (stop == at || !gos__number_parse(at, stop - at, &value)) {
            return gos__number_table_wrong(t, line, (int)(at - begin) + 1,
                                           "not a finite number; give one");
        }
        if (!isfinite(value) || fabs(value) > GOS_LIMIT_NUMBER) {
            return gos__number_table_wrong(t, line, (int)(at - begin) + 1,
                                           "the number is too large; give a smaller one");
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
        (void)snprintf(
            text, sizeof text,
            "%d values, but the first row (line %d) has %d; use the same number in all rows", count,
            t->line[0], t->columns);
        return gos__number_table_wrong(t, line, 1, text);
    }
    t->columns = count;
    GOS_TRY(gos__grow(t->ctx, (void **)&t->line, &t->line_room, t->rows + 1, sizeof *t->line));
    t->line[t->rows++] = line;
    return GOS_OK;
}

static bool begins_with_name(const char *at, const char *end) {
    static const char *const numbers[] = {"nan", "inf"};
    const char *stop = at;
    while (stop < end && *stop != ',' && *stop != ';' && !is_blank(*stop)) {
        stop++;
    }
    const char *word = *at == '-' || *at == '+' ? at + 1 : at;
    for (int i = 0; i < GOS_COUNT(numbers); i++) {
        if (stop - word >= 3 && strncasecmp(word, numbers[i], 3) == 0) {
            return false;
        }
    }
    double value;
    return !gos__number_parse(at, stop - at, &value);
}

static gos_status parse(gos_number_table *t, const char *text, size_t n) {
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
    return t->rows > 0
               ? GOS_OK
               : gos__number_table_wrong(t, line, 1, "the file has no numbers; give rows of them");
}

gos_status gos__number_table_read(gos_ctx *ctx, const char *path, gos_loc loc, const char *object,
                                  gos_number_table *t) {
    *t = (gos_number_table){.ctx = ctx, .file = gos__intern(ctx, path)};
    char *text = NULL;
    size_t n = 0;
    if (!t->file) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(gos__file_read(ctx, path, TABLE_BYTES, loc, object, &text, &n));
    const gos_status status = parse(t, text, n);
    gos__free(ctx, text);
    return status;
}

void gos__number_table_free(gos_number_table *t) {
    if (t->ctx) {
        gos__free(t->ctx, t->x);
        gos__free(t->ctx, t->line);
    }
    *t = (gos_number_table){0};
}
