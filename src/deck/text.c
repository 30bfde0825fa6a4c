/* Include files, lines, comma-separated fields, numbers. */
#include "deck/reader.h"

#include <ctype.h>
#include <math.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

gos_status gos__deck_fail(gos_deck_reader *r, const gos_deck_field *f, const char *fmt, ...) {
    char text[600];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    gos_loc loc = r->loc;
    loc.col = f && f->s >= r->begin && f->s <= r->end ? (int)(f->s - r->begin) + 1 : 0;
    return gos__fail_at(r->ctx, GOS_E_INPUT, loc, r->object[0] ? r->object : NULL, "%s", text);
}

/* ---- files ----------------------------------------------------------------------------------- */

static gos_status push(gos_deck_reader *r, int file) {
    const gos_deck_file *f = &r->file[file];
    if (f->size > GOS_LIMIT_DECK_BYTES - r->bytes) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, r->object[0] ? r->object : NULL,
                            "the deck with its include files is longer than %zu bytes",
                            GOS_LIMIT_DECK_BYTES);
    }
    r->bytes += f->size;
    r->open[r->depth++] = (gos_deck_cursor){.file = file, .s = f->text};
    return GOS_OK;
}

gos_status gos__deck_rewind(gos_deck_reader *r) {
    r->depth = 0;
    r->bytes = 0;
    r->held = false;
    r->object[0] = '\0';
    r->loc = (gos_loc){0};
    r->begin = r->at = r->end = r->file[0].text;
    gos__deck_instances_begin(r);
    return push(r, 0);
}

/* file with this resolved path; -1: new */
static int file_of(const gos_deck_reader *r, const char *path) {
    for (int i = 0; i < r->nfile; i++) {
        if (r->file[i].path && strcmp(r->file[i].path, path) == 0) {
            return i;
        }
    }
    return -1;
}

static gos_status read_file(gos_deck_reader *r, const char *path, char *real, int *number) {
    gos_deck_file f = {.path = gos__arena_strdup(r->arena, real),
                       .name = gos__intern(r->ctx, path)};
    GOS_TRY(f.path && f.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__grow(r->ctx, (void **)&r->file, &r->file_cap, r->nfile + 1, sizeof *r->file));
    GOS_TRY(gos__file_read(r->ctx, path, GOS_LIMIT_DECK_BYTES - r->bytes, r->loc, "*INCLUDE",
                           &f.owned, &f.size));
    f.text = f.owned;
    r->deck->hash = gos__hash(r->deck->hash, f.text, f.size);
    *number = r->nfile;
    r->file[r->nfile++] = f;
    return GOS_OK;
}

static gos_status refuse_loop(gos_deck_reader *r, int file, const char *name) {
    for (int k = 0; k < r->depth; k++) {
        if (r->open[k].file == file) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, "*INCLUDE",
                                "file '%.200s' would include itself endlessly; remove this line",
                                name);
        }
    }
    return r->depth < GOS_LIMIT_DECK_DEPTH
               ? GOS_OK
               : gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, "*INCLUDE",
                              "files include each other more than %d deep", GOS_LIMIT_DECK_DEPTH);
}

/* file name in `*INCLUDE, INPUT=name` */
static gos_status include_name(gos_deck_reader *r, char *name, size_t size) {
    gos_deck_field f;
    name[0] = '\0';
    (void)gos__deck_field(r, &f); // the card
    while (gos__deck_field(r, &f)) {
        const char *equals = memchr(f.s, '=', f.n);
        const gos_deck_field key = {f.s, equals ? (int)(equals - f.s) : f.n};
        if (!equals || !gos__deck_is_word(&key, "INPUT")) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, "*INCLUDE",
                                "there is no parameter '%.*s'; write *INCLUDE, INPUT=file", key.n,
                                key.s);
        }
        const char *s = equals + 1, *end = f.s + f.n;
        while (s < end && (is_blank(*s) || *s == '"')) {
            s++;
        }
        while (end > s && (is_blank(end[-1]) || end[-1] == '"')) {
            end--;
        }
        gos__format(name, size, "%.*s", (int)(end - s), s);
    }
    return name[0] ? GOS_OK
                   : gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, "*INCLUDE",
                                  "the file is missing; write *INCLUDE, INPUT=file");
}

static gos_status include(gos_deck_reader *r) {
    char name[256];
    const char *path;
    GOS_TRY(include_name(r, name, sizeof name));
    GOS_TRY(gos__path_below(r->ctx, r->folder, name, r->loc, "*INCLUDE", r->arena, &path));
    char *real = realpath(path, NULL);
    if (!real) {
        return gos__fail_at(r->ctx, GOS_E_FILE, r->loc, "*INCLUDE", "cannot open file '%.200s'",
                            name);
    }
    int number = file_of(r, real);
    gos_status status =
        number >= 0 ? refuse_loop(r, number, name) : read_file(r, path, real, &number);
    free(real);
    GOS_TRY(status);
    GOS_TRY(r->depth < GOS_LIMIT_DECK_DEPTH ? GOS_OK : refuse_loop(r, -1, name));
    return push(r, number);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* of the innermost file; false at its end */
static bool raw_line(gos_deck_reader *r) {
    gos_deck_cursor *c = &r->open[r->depth - 1];
    const gos_deck_file *f = &r->file[c->file];
    const char *stop = c->stop ? c->stop : f->text + f->size;
    if (c->s >= stop) {
        return false;
    }
    const char *newline = memchr(c->s, '\n', (size_t)(stop - c->s));
    r->begin = r->at = c->s;
    r->end = newline ? newline : stop;
    c->s = newline ? newline + 1 : stop;
    c->line++;
    r->loc = (gos_loc){f->name, c->line, 0};
    while (r->end > r->begin && is_blank(r->end[-1])) {
        r->end--;
    }
    while (r->at < r->end && is_blank(*r->at)) {
        r->at++;
    }
    r->is_card = r->at < r->end && *r->at == '*';
    r->cut = !newline && !r->is_card && r->at < r->end;
    return true;
}

static bool is_note(const gos_deck_reader *r) {
    return r->at == r->end || (r->is_card && (r->end - r->at == 1 || r->at[1] == '*'));
}

static bool is_include(gos_deck_reader *r) {
    const char *at = r->at;
    gos_deck_field f;
    const bool found = r->is_card && gos__deck_field(r, &f) && gos__deck_is_word(&f, "*INCLUDE");
    r->at = at;
    return found;
}

gos_status gos__deck_line(gos_deck_reader *r, bool *more) {
    *more = true;
    if (r->held) {
        r->held = false;
        return GOS_OK;
    }
    while (r->depth > 0) {
        if (!raw_line(r)) {
            r->depth--;
        } else if (is_include(r)) {
            GOS_TRY(include(r));
        } else if (!is_note(r)) {
            return GOS_OK;
        }
    }
    *more = false;
    r->begin = r->at = r->end;
    return GOS_OK;
}

gos_status gos__deck_data(gos_deck_reader *r, bool *more) {
    GOS_TRY(gos__deck_line(r, more));
    if (*more && r->is_card) {
        r->held = true;
        *more = false;
    }
    return GOS_OK;
}

gos_status gos__deck_skip(gos_deck_reader *r) {
    bool more = true;
    while (more) {
        GOS_TRY(gos__deck_data(r, &more));
    }
    return GOS_OK;
}

/* ---- fields ---------------------------------------------------------------------------------- */

bool gos__deck_field(gos_deck_reader *r, gos_deck_field *f) {
    bool quoted = false;
    if (r->at >= r->end) {
        return false;
    }
    const char *s = r->at;
    while (s < r->end && (quoted || *s != ',')) {
        quoted = *s == '"' ? !quoted : quoted;
        s++;
    }
    f->s = r->at;
    r->at = s < r->end ? s + 1 : s;
    while (f->s < s && is_blank(*f->s)) {
        f->s++;
    }
    while (s > f->s && is_blank(s[-1])) {
        s--;
    }
    f->n = (int)(s - f->s < INT32_MAX ? s - f->s : INT32_MAX);
    return true;
}

gos_status gos__deck_end(gos_deck_reader *r) {
    gos_deck_field f;
    while (gos__deck_field(r, &f)) {
        if (f.n > 0) {
            return gos__deck_fail(r, &f, "unexpected '%.*s' on this line", f.n < 40 ? f.n : 40,
                                  f.s);
        }
    }
    return GOS_OK;
}

bool gos__deck_is_number(const gos_deck_field *f) {
    int k = f->n > 0 && (f->s[0] == '-' || f->s[0] == '+');
    if (f->n == k) {
        return false;
    }
    while (k < f->n && isdigit((unsigned char)f->s[k])) {
        k++;
    }
    return k == f->n;
}

bool gos__deck_parse_real(const gos_deck_field *f, double *x) {
    char text[64];
    if (gos__number_parse(f->s, f->n, x)) {
        return fabs(*x) <= GOS_LIMIT_NUMBER;
    }
    if (f->n >= (int)sizeof text) {
        return false;
    }
    for (int k = 0; k < f->n; k++) {
        text[k] = (char)(f->s[k] == 'd' || f->s[k] == 'D' ? 'e' : f->s[k]);
    }
    text[f->n] = '\0';
    return gos__number_parse(text, f->n, x) && fabs(*x) <= GOS_LIMIT_NUMBER;
}

gos_status gos__deck_real(gos_deck_reader *r, const gos_deck_field *f, const char *what,
                          double *x) {
    if (f->n == 0) {
        return gos__deck_fail(r, f, "the %s is missing here", what);
    }
    return gos__deck_parse_real(f, x)
               ? GOS_OK
               : gos__deck_fail(r, f, "'%.*s' is not a finite number; the %s is needed here",
                                f->n < 40 ? f->n : 40, f->s, what);
}

gos_status gos__deck_whole(gos_deck_reader *r, const gos_deck_field *f, const char *what,
                           int64_t lo, int64_t hi, int64_t *x) {
    if (f->n == 0) {
        return gos__deck_fail(r, f, "the %s is missing here", what);
    }
    int64_t v = 0;
    int k = f->s[0] == '-' || f->s[0] == '+';
    while (k < f->n && isdigit((unsigned char)f->s[k]) && v < INT64_MAX / 100) {
        v = 10 * v + (f->s[k++] - '0');
    }
    v = f->s[0] == '-' ? -v : v;
    if (!gos__deck_is_number(f) || k < f->n || v < lo || v > hi) {
        return gos__deck_fail(
            r, f, "'%.*s' is not a valid %s: a whole number from %lld to %lld is needed",
            f->n < 40 ? f->n : 40, f->s, what, (long long)lo, (long long)hi);
    }
    *x = v;
    return GOS_OK;
}

gos_status gos__deck_next_real(gos_deck_reader *r, const char *what, double def, double *x) {
    gos_deck_field f;
    *x = def;
    if (gos__deck_field(r, &f) && f.n > 0) {
        return gos__deck_real(r, &f, what, x);
    }
    f = (gos_deck_field){r->end, 0};
    return isnan(def) ? gos__deck_fail(r, &f, "the %s is missing here", what) : GOS_OK;
}

gos_status gos__deck_next_whole(gos_deck_reader *r, const char *what, int64_t lo, int64_t hi,
                                int64_t def, int64_t *x) {
    gos_deck_field f;
    *x = def;
    if (gos__deck_field(r, &f) && f.n > 0) {
        return gos__deck_whole(r, &f, what, lo, hi, x);
    }
    f = (gos_deck_field){r->end, 0};
    return def < lo ? gos__deck_fail(r, &f, "the %s is missing here", what) : GOS_OK;
}

gos_status gos__deck_reals(gos_deck_reader *r, const char *what, int n, double *x) {
    const gos_loc loc = r->loc;
    for (int k = 0; k < n; k++) {
        gos_deck_field f;
        bool more = true;
        if (!gos__deck_field(r, &f)) {
            GOS_TRY(gos__deck_data(r, &more));
            more = more && gos__deck_field(r, &f);
        }
        if (!more) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, loc, r->object,
                                "there are %d of %d values of the %s; give all", k, n, what);
        }
        GOS_TRY(gos__deck_real(r, &f, what, &x[k]));
    }
    return GOS_OK;
}
