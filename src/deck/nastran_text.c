/* Files and includes, lines, and cards of bulk data: small, large and free fields. */
#include <ctype.h>

#include "deck/nastran_reader.h"

#define FIELDS 8     // of a line after the name
#define SMALL 8      // columns of a field
#define LARGE 16     // ... of a large field
#define MAX_LINE 256 // longest line with tabs

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static gos_status fail(gos_nastran *r, const char *what) {
    return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, NULL, "%s", what);
}

/* ---- files ----------------------------------------------------------------------------------- */

static gos_status push(gos_nastran *r, int file) {
    const gos_nastran_file *f = &r->file[file];
    if (f->size > GOS_LIMIT_DECK_BYTES - r->bytes) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, NULL,
                            "the deck with its include files is longer than %zu bytes",
                            GOS_LIMIT_DECK_BYTES);
    }
    r->bytes += f->size;
    r->open[r->depth++] = (gos_nastran_cursor){.file = file, .s = f->text};
    return GOS_OK;
}

static gos_status read_file(gos_nastran *r, const char *path, const char *real, int *number) {
    gos_nastran_file f = {.path = gos__arena_strdup(r->arena, real),
                          .name = gos__intern(r->ctx, path)};
    GOS_TRY(f.path && f.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__grow(r->ctx, (void **)&r->file, &r->file_cap, r->nfile + 1, sizeof *r->file));
    GOS_TRY(gos__file_read(r->ctx, path, GOS_LIMIT_DECK_BYTES - r->bytes, r->loc, "INCLUDE",
                           &f.owned, &f.size));
    f.text = f.owned;
    r->deck->hash = gos__hash(r->deck->hash, f.text, f.size);
    *number = r->nfile;
    r->file[r->nfile++] = f;
    return GOS_OK;
}

/* index of a file, read if it is new */
static gos_status file_for(gos_nastran *r, const char *path, const char *real, int *number) {
    *number = -1;
    for (int i = 0; i < r->nfile; i++) {
        if (r->file[i].path && strcmp(r->file[i].path, real) == 0) {
            *number = i;
        }
    }
    for (int k = 0; k < r->depth; k++) {
        if (r->open[k].file == *number) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, "INCLUDE",
                                "file '%.200s' would include itself endlessly; remove this line",
                                path);
        }
    }
    return *number >= 0 ? GOS_OK : read_file(r, path, real, number);
}

static gos_status include(gos_nastran *r, const char *s) {
    char name[256];
    const char *path, *end = r->end, *close;
    int number;
    while (s < end && (is_blank(*s) || *s == '=')) {
        s++;
    }
    if (s < end && (*s == '\'' || *s == '"')) {
        close = memchr(s + 1, *s, (size_t)(end - s - 1));
        if (!close) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, "INCLUDE",
                                "the file name has no closing quote; write it on one line");
        }
        s++;
        end = close;
    }
    gos__format(name, sizeof name, "%.*s", (int)(end - s < 250 ? end - s : 250), s);
    if (name[0] == '\0') {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, "INCLUDE",
                            "the file is missing; write INCLUDE 'file'");
    }
    if (r->depth == GOS_LIMIT_DECK_DEPTH) {
        return gos__fail_at(r->ctx, GOS_E_LIMIT, r->loc, "INCLUDE",
                            "files include each other more than %d deep", GOS_LIMIT_DECK_DEPTH);
    }
    GOS_TRY(gos__path_below(r->ctx, r->folder, name, r->loc, "INCLUDE", r->arena, &path));
    char *real = realpath(path, NULL);
    if (!real) {
        return gos__fail_at(r->ctx, GOS_E_FILE, r->loc, "INCLUDE", "cannot open file '%.200s'",
                            name);
    }
    const gos_status status = file_for(r, path, real, &number);
    free(real);
    return status == GOS_OK ? push(r, number) : status;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* of the innermost file, without comment; false at its end */
static bool raw_line(gos_nastran *r) {
    gos_nastran_cursor *c = &r->open[r->depth - 1];
    const gos_nastran_file *f = &r->file[c->file];
    const char *stop = f->text + f->size;
    if (c->s >= stop) {
        return false;
    }
    const char *newline = memchr(c->s, '\n', (size_t)(stop - c->s));
    r->begin = c->s;
    r->end = newline ? newline : stop;
    c->s = newline ? newline + 1 : stop;
    c->line++;
    r->loc = (gos_loc){f->name, c->line, 0};
    r->cut = !newline;
    const char *comment = memchr(r->begin, '$', (size_t)(r->end - r->begin));
    r->end = comment ? comment : r->end;
    while (r->end > r->begin && is_blank(r->end[-1])) {
        r->end--;
    }
    return true;
}

/* the text after a word at the start of the line, NULL: another word */
static const char *after(const gos_nastran *r, const char *word) {
    const char *s = r->begin;
    while (s < r->end && is_blank(*s)) {
        s++;
    }
    while (*word && s < r->end && toupper((unsigned char)*s) == *word) {
        s++;
        word++;
    }
    return *word == '\0' && (s == r->end || !isalnum((unsigned char)*s)) ? s : NULL;
}

gos_status gos__nastran_line(gos_nastran *r, bool *more) {
    *more = true;
    while (r->depth > 0) {
        if (!raw_line(r)) {
            r->depth--;
            continue;
        }
        const char *name = after(r, "INCLUDE");
        if (name) {
            GOS_TRY(include(r, name));
        } else if (r->end > r->begin) {
            return GOS_OK;
        }
    }
    *more = false;
    return GOS_OK;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* The line with tabs replaced by blanks up to multiples of eight columns. */
static gos_status expand(gos_nastran *r) {
    char text[MAX_LINE];
    int n = 0;
    if (!memchr(r->begin, '\t', (size_t)(r->end - r->begin))) {
        return GOS_OK;
    }
    for (const char *s = r->begin; s < r->end; s++) {
        const int to = *s == '\t' ? (n / SMALL + 1) * SMALL : n + 1;
        if (to > MAX_LINE) {
            return fail(r, "the line is too long");
        }
        while (n < to) {
            text[n++] = (char)(*s == '\t' ? ' ' : *s);
        }
    }
    char *kept = gos__arena_alloc(r->arena, (size_t)n + 1, 1);
    GOS_TRY(kept ? GOS_OK : GOS_E_MEMORY);
    memcpy(kept, text, (size_t)n);
    r->begin = kept;
    r->end = kept + n;
    return GOS_OK;
}

static gos_nastran_field trimmed(const gos_nastran *r, const char *s, const char *end) {
    while (s < end && is_blank(*s)) {
        s++;
    }
    while (end > s && is_blank(end[-1])) {
        end--;
    }
    return (gos_nastran_field){s, (int)(end - s), r->loc.line, (int)(s - r->begin) + 1};
}

/* columns of a line, cut at its end */
static gos_nastran_field columns(const gos_nastran *r, int from, int n) {
    const long length = r->end - r->begin;
    return trimmed(r, r->begin + (from < length ? from : length),
                   r->begin + (from + n < length ? from + n : length));
}

static gos_status add_field(gos_nastran *r, gos_nastran_field f) {
    GOS_TRY(gos__grow(r->ctx, (void **)&r->field, &r->field_cap, r->nfield + 1, sizeof f));
    r->field[r->nfield++] = f;
    return GOS_OK;
}

/* Fields after the name; those behind the last one of the line are its continuation. */
static gos_status add_free(gos_nastran *r, const char *s, int most) {
    int n = 0;
    while (s <= r->end) {
        const char *comma = memchr(s, ',', (size_t)(r->end - s));
        const char *end = comma ? comma : r->end;
        const gos_nastran_field f = trimmed(r, s, end);
        if (n > most && f.n > 0) {
            return fail(r, "the line has more than ten fields; continue the card on the next line");
        }
        GOS_TRY(n < most ? add_field(r, f) : GOS_OK);
        n++;
        s = end + 1;
    }
    for (; n < most; n++) {
        GOS_TRY(add_field(r, trimmed(r, r->end, r->end)));
    }
    return GOS_OK;
}

/* The comma after the name, of free fields; NULL: fields are columns. */
static const char *first_comma(const gos_nastran *r) {
    const char *s = r->begin;
    while (s < r->end && is_blank(*s)) {
        s++;
    }
    return memchr(s, ',', (size_t)(r->end - s < SMALL + 2 ? r->end - s : SMALL + 2));
}

static gos_status add_fields(gos_nastran *r, bool large) {
    const int most = large ? FIELDS / 2 : FIELDS, wide = large ? LARGE : SMALL;
    const char *comma = first_comma(r);
    if (comma) {
        return add_free(r, comma + 1, most);
    }
    for (int i = 0; i < most; i++) {
        GOS_TRY(add_field(r, columns(r, SMALL + i * wide, wide)));
    }
    return GOS_OK;
}

/* ---- cards ----------------------------------------------------------------------------------- */

static gos_status check_continuation(gos_nastran *r, int *n) {
    if (r->ncard == 0) {
        return fail(r, "a continuation line is not below a card; add the card above it");
    }
    gos_nastran_card *c = &r->card[r->ncard - 1];
    *n = r->nfield - c->first;
    return r->nfield < INT32_MAX - 100 ? GOS_OK : fail(r, "the file has too many fields");
}

static gos_status begin_card(gos_nastran *r, const gos_nastran_field *name, int length) {
    char word[SMALL + 1];
    for (int i = 0; i < length; i++) {
        word[i] = (char)toupper((unsigned char)name->s[i]);
        if (!isalnum((unsigned char)word[i])) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, NULL,
                                "'%.*s' is not a card of bulk data%s", name->n, name->s,
                                word[i] == '=' ? "; replicated cards (=) are not supported" : "");
        }
    }
    word[length] = '\0';
    GOS_TRY(gos__grow(r->ctx, (void **)&r->card, &r->card_cap, r->ncard + 1, sizeof *r->card));
    const char *kept = gos__intern(r->ctx, word);
    r->card[r->ncard++] = (gos_nastran_card){.name = kept, .loc = r->loc, .first = r->nfield};
    return kept ? GOS_OK : GOS_E_MEMORY;
}

/* The name, with its star for large fields, or of a continuation: empty, + or *. */
static gos_nastran_field name_of(const gos_nastran *r) {
    const char *comma = first_comma(r);
    return comma ? trimmed(r, r->begin, comma) : columns(r, 0, SMALL);
}

static gos_status read_line(gos_nastran *r) {
    GOS_TRY(expand(r));
    const gos_nastran_field name = name_of(r);
    const bool more = name.n == 0 || name.s[0] == '+' || name.s[0] == '*';
    const bool large = name.n > 0 && (name.s[0] == '*' || name.s[name.n - 1] == '*');
    int n = 0, length = name.n - (large && !more);
    if (more) {
        GOS_TRY(check_continuation(r, &n));
        for (int k = n; !large && k % FIELDS != 0; k++) { // after a half of large fields
            GOS_TRY(add_field(r, trimmed(r, r->end, r->end)));
        }
        return add_fields(r, large);
    }
    while (length > 0 && is_blank(name.s[length - 1])) {
        length--;
    }
    if (length > SMALL) {
        return gos__fail_at(r->ctx, GOS_E_INPUT, r->loc, NULL,
                            "'%.*s' is not a card of bulk data: names have at most %d letters",
                            name.n < 40 ? name.n : 40, name.s, SMALL);
    }
    GOS_TRY(begin_card(r, &name, length));
    return add_fields(r, large);
}

static void finish_cards(gos_nastran *r) {
    for (int i = 0; i < r->ncard; i++) {
        gos_nastran_card *c = &r->card[i];
        c->n = (i + 1 < r->ncard ? r->card[i + 1].first : r->nfield) - c->first;
        while (c->n > 0 && r->field[c->first + c->n - 1].n == 0) {
            c->n--;
        }
    }
}

/* ---- sections of the file -------------------------------------------------------------------- */

static gos_status find_bulk(gos_nastran *r) {
    for (bool more = true;;) {
        GOS_TRY(gos__nastran_line(r, &more));
        const char *rest = more ? after(r, "BEGIN") : NULL;
        if (!more || rest) {
            r->has_case = rest != NULL;
            return GOS_OK;
        }
    }
}

static gos_status rewind_files(gos_nastran *r) {
    r->depth = 0;
    r->bytes = 0;
    r->loc = (gos_loc){0};
    return push(r, 0);
}

gos_status gos__nastran_split(gos_nastran *r) {
    gos_status first = GOS_OK;
    GOS_TRY(rewind_files(r));
    GOS_TRY(find_bulk(r));
    GOS_TRY(rewind_files(r));
    bool bulk = !r->has_case;
    for (bool more = true;;) {
        GOS_TRY(gos__nastran_line(r, &more));
        if (!more || (bulk && after(r, "ENDDATA"))) {
            r->ended = more;
            break;
        }
        const bool begins = !bulk && after(r, "BEGIN");
        const gos_status status = begins ? GOS_OK : bulk ? read_line(r) : gos__nastran_control(r);
        bulk = bulk || begins;
        first = first == GOS_OK ? status : first;
        if (status != GOS_OK &&
            (status != GOS_E_INPUT || gos__nerrors(r->ctx) >= GOS_LIMIT_DIAGS)) {
            return status;
        }
    }
    finish_cards(r);
    if (!r->ended && !r->open_ended) {
        gos__warn(r->ctx, r->loc, NULL,
                  "the file has no ENDDATA; check that it is complete, and add it");
    }
    return first;
}
