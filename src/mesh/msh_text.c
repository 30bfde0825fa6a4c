/* Numbers in Gmsh files, from lines of text or from bytes. */
#include "mesh/msh_reader.h"

#include <math.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

gos_status gos__msh_refuse(const gos_msh_reader *r, const char *at, const char *fmt, ...) {
    char text[400], position[40] = "";
    gos_loc loc = {r->file, 0, 0};
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    if (r->binary) {
        gos__format(position, sizeof position, "byte %zu: ", (size_t)(at - r->begin) + 1);
    } else {
        const char *line = r->line_begin;
        loc.line = r->line;
        while (line > at) { // it is in an earlier line
            for (line--; line > r->begin && line[-1] != '\n'; line--) {
            }
            loc.line--;
        }
        loc.col = (int)(at - line) + 1;
    }
    return gos__fail_at(r->ctx, GOS_E_INPUT, loc, NULL, "%s%s", position, text);
}

gos_loc gos__msh_loc(const gos_msh_reader *r) {
    return (gos_loc){r->file, r->binary ? 0 : r->line, 0};
}

/* ---- text ------------------------------------------------------------------------------------ */

static void skip_blanks(gos_msh_reader *r) {
    while (r->s < r->stop && is_blank(*r->s)) {
        r->s++;
    }
}

bool gos__msh_find(gos_msh_reader *r) {
    for (;;) {
        skip_blanks(r);
        if (r->s == r->stop) {
            return false;
        }
        if (*r->s != '\n') {
            return true;
        }
        r->s++;
        r->line++;
        r->line_begin = r->s;
    }
}

void gos__msh_rest(gos_msh_reader *r, const char **s, int *n) {
    skip_blanks(r);
    const char *end = memchr(r->s, '\n', (size_t)(r->stop - r->s));
    const char *last = end ? end : r->stop;
    *s = r->s;
    r->s = last;
    if (end) {
        r->s++;
        r->line++;
        r->line_begin = r->s;
    }
    while (last > *s && is_blank(last[-1])) {
        last--;
    }
    *n = (int)(last - *s < 1000 ? last - *s : 1000);
}

static size_t next_word(gos_msh_reader *r, const char **s) {
    skip_blanks(r);
    *s = r->s;
    while (r->s < r->stop && *r->s != '\n' && !is_blank(*r->s)) {
        r->s++;
    }
    return (size_t)(r->s - *s);
}

static gos_status missing(const gos_msh_reader *r, const char *at, const char *what) {
    return at == r->stop
               ? gos__msh_refuse(r, at, "the file ends where %s is expected; it is truncated", what)
               : gos__msh_refuse(r, at, "%s is missing on this line", what);
}

static gos_status out_of_range(const gos_msh_reader *r, const char *at, const char *what,
                               const char *got, int ngot, int64_t lo, int64_t hi) {
    const int n = ngot < 40 ? ngot : 40;
    return hi == INT64_MAX
               ? gos__msh_refuse(
                     r, at, "'%.*s' is not a valid %s: a whole number of at least %lld is needed",
                     n, got, what, (long long)lo)
               : gos__msh_refuse(
                     r, at, "'%.*s' is not a valid %s: a whole number from %lld to %lld is needed",
                     n, got, what, (long long)lo, (long long)hi);
}

gos_status gos__msh_text_int(gos_msh_reader *r, const char *what, int64_t lo, int64_t hi,
                             int64_t *value) {
    const char *s;
    const size_t n = next_word(r, &s);
    const bool minus = n > 0 && s[0] == '-';
    int64_t v = 0;
    size_t k = minus;
    if (n == 0) {
        return missing(r, s, what);
    }
    while (k < n && s[k] >= '0' && s[k] <= '9' && v <= INT64_MAX / 10 - 1) {
        v = 10 * v + (s[k++] - '0');
    }
    v = minus ? -v : v;
    if (k < n || n == (size_t)minus || v < lo || v > hi) {
        return out_of_range(r, s, what, s, (int)(n < 40 ? n : 40), lo, hi);
    }
    *value = v;
    return GOS_OK;
}

static gos_status check_double(const gos_msh_reader *r, const char *at, const char *what,
                               double x) {
    return fabs(x) <= GOS_LIMIT_NUMBER ? GOS_OK
                                       : gos__msh_refuse(r, at, "%s is not a finite number", what);
}

gos_status gos__msh_text_double(gos_msh_reader *r, const char *what, double *value) {
    const char *s;
    const size_t n = next_word(r, &s);
    if (n == 0) {
        return missing(r, s, what);
    }
    if (!gos__number_parse(s, n, value)) {
        return gos__msh_refuse(r, s, "%s must be a finite number, got '%.*s'", what,
                               (int)(n < 40 ? n : 40), s);
    }
    return check_double(r, s, what, *value);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static gos_status take(gos_msh_reader *r, const char *what, size_t n, void *to) {
    if ((size_t)(r->stop - r->s) < n) {
        return gos__msh_refuse(r, r->s, "the file ends where %s is expected; it is truncated",
                               what);
    }
    memcpy(to, r->s, n);
    r->s += n;
    return GOS_OK;
}

gos_status gos__msh_int(gos_msh_reader *r, const char *what, int bytes, int64_t lo, int64_t hi,
                        int64_t *value) {
    if (!r->binary) {
        return gos__msh_text_int(r, what, lo, hi, value);
    }
    const char *at = r->s;
    int32_t small = 0;
    int64_t v = 0;
    if (bytes == 4) {
        GOS_TRY(take(r, what, sizeof small, &small));
        v = small;
    } else {
        GOS_TRY(take(r, what, sizeof v, &v));
    }
    if (v < lo || v > hi) {
        char text[32];
        const int n = gos__format(text, sizeof text, "%lld", (long long)v);
        return out_of_range(r, at, what, text, n, lo, hi);
    }
    *value = v;
    return GOS_OK;
}

gos_status gos__msh_double(gos_msh_reader *r, const char *what, double *value) {
    if (!r->binary) {
        return gos__msh_text_double(r, what, value);
    }
    const char *at = r->s;
    GOS_TRY(take(r, what, sizeof *value, value));
    return check_double(r, at, what, *value);
}

/* ---- records --------------------------------------------------------------------------------- */

gos_status gos__msh_line_end(gos_msh_reader *r) {
    const char *s;
    const size_t n = next_word(r, &s);
    if (n > 0) {
        return gos__msh_refuse(r, s, "unexpected '%.*s' on this line", (int)(n < 40 ? n : 40), s);
    }
    if (!r->binary) {
        (void)gos__msh_find(r);
    } else if (r->s < r->stop) {
        r->s++; // arbitrary bytes follow
    }
    return GOS_OK;
}

gos_status gos__msh_end(gos_msh_reader *r) {
    return r->binary ? GOS_OK : gos__msh_line_end(r);
}

gos_status gos__msh_room(const gos_msh_reader *r, const char *at, const char *what, double n,
                         double text, double bytes) {
    const double left = (double)(r->stop - r->s);
    return n * (r->binary ? bytes : text) <= left + 1
               ? GOS_OK
               : gos__msh_refuse(r, at,
                                 "%.0f %s are declared, but %.0f bytes are left; the file is "
                                 "truncated, or the number is wrong",
                                 n, what, left);
}
