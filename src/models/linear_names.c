/* Names of linear models as lines of text. */
#include "models/linear_io.h"

enum { LINE_MAX_BYTES = 512 }; // bytes of a line

/* RFC 4180. An apostrophe is prepended to text that a spreadsheet would read as a formula, or that
   begins with one. */
static bool needs_apostrophe(const char *text) {
    const char first = text[strspn(text, "'")];
    return first != '\0' && strchr("=+-@", first) != NULL;
}

static bool put_cell(FILE *out, const char *text) {
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    bool good = fputs(quoted ? ",\"" : ",", out) >= 0;
    good = good && (!needs_apostrophe(text) || fputc('\'', out) != EOF);
    for (; *text && good; text++) {
        good = (*text != '"' || fputc('"', out) != EOF) && fputc(*text, out) != EOF;
    }
    return good && (!quoted || fputc('"', out) != EOF);
}

static bool put_line(FILE *out, const char *kind, const char *name, const char *unit) {
    return fputs(kind, out) >= 0 && put_cell(out, name) && (!unit || put_cell(out, unit)) &&
           fputc('\n', out) != EOF;
}

bool gos__linear_put_names(const gos_linear *l, FILE *out) {
    bool good = fprintf(out, "components,%d\n", l->ncomp) > 0;
    for (int i = 0; i < l->nq / l->ncomp && good; i++) {
        good = !l->coordinate[i] || put_line(out, "coordinate", l->coordinate[i], NULL);
    }
    for (int i = 0; i < l->nt && good; i++) {
        good = !l->temperature[i] || put_line(out, "temperature", l->temperature[i], NULL);
    }
    for (int i = 0; i < l->nu && good; i++) {
        const gos_port p = gos_linear_input(l, i);
        good = put_line(out, "input", p.name, p.unit);
    }
    for (int i = 0; i < l->ny && good; i++) {
        const gos_port p = gos_linear_output(l, i);
        good = put_line(out, "output", p.name, p.unit);
    }
    return good;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct names {
    gos_linear *l;
    int ncoordinate, ntemperature, ninput, noutput; // read so far
} names;

/* the leading cells of a line, in place */
typedef struct cells {
    char *cell[3];
    int n;
} cells;

static gos_status take_line(names *k, const cells *c) {
    gos_linear *l = k->l;
    if (c->n < 2) {
        return GOS_OK;
    }
    const char *kind = c->cell[0], *name = c->cell[1];
    if (strcmp(kind, "components") == 0) {
        l->ncomp = strcmp(name, "3") == 0 && l->nq % 3 == 0 ? 3 : 1;
    } else if (strcmp(kind, "coordinate") == 0 && k->ncoordinate < l->nq / l->ncomp) {
        l->coordinate[k->ncoordinate] = gos__arena_strdup(l->arena, name);
        return l->coordinate[k->ncoordinate++] ? GOS_OK : GOS_E_MEMORY;
    } else if (strcmp(kind, "temperature") == 0 && k->ntemperature < l->nt) {
        l->temperature[k->ntemperature] = gos__arena_strdup(l->arena, name);
        return l->temperature[k->ntemperature++] ? GOS_OK : GOS_E_MEMORY;
    } else if (c->n > 2) {
        if (strcmp(kind, "input") == 0 && k->ninput < l->nu) {
            return gos__linear_name_input(l, k->ninput++, name, c->cell[2]);
        }
        if (strcmp(kind, "output") == 0 && k->noutput < l->ny) {
            return gos__linear_name_output(l, k->noutput++, name, c->cell[2]);
        }
    }
    return GOS_OK;
}

/* Unquotes the cell at s (before stop) into `to`; returns its end, NULL: no room, or a 0 byte. An
   unquoted `last` cell extends to the end of the line (older units with commas). */
static const char *take_cell(const char *s, const char *stop, bool last, char *to,
                             const char *room) {
    const bool quoted = s < stop && *s == '"';
    for (s += quoted; s < stop; s++) {
        if (quoted && *s == '"') {
            if (s + 1 == stop || s[1] != '"') {
                s++;
                break; // skip text after the closing quote
            }
            s++;
        } else if (!quoted && ((*s == ',' && !last) || *s == '\n')) {
            break;
        }
        if (to == room || *s == '\0') {
            return NULL;
        }
        *to++ = *s;
    }
    if (!quoted && s < stop && *s == '\n' && to[-1] == '\r') {
        to--;
    }
    *to = '\0';
    while (s < stop && *s != ',' && *s != '\n') {
        s++;
    }
    return s;
}

/* Returns the start of the next line, NULL: too long or not text. */
static const char *split(const char *s, const char *stop, char text[LINE_MAX_BYTES], cells *c) {
    char *to = text + 1; // keeps to[-1] valid
    text[0] = '\0';
    c->n = 0;
    for (;; s++) {
        s = take_cell(s, stop, c->n == 2, to, text + LINE_MAX_BYTES - 1);
        if (!s) {
            return NULL;
        }
        if (c->n < GOS_COUNT(c->cell)) {
            const bool marked = c->n > 0 && *to == '\'' && needs_apostrophe(to);
            c->cell[c->n++] = to + marked;
            to += strlen(to) + 1;
            to -= to == text + LINE_MAX_BYTES; // full: reject the next byte
        }
        if (s == stop || *s == '\n') {
            return s + (s < stop);
        }
    }
}

static gos_status name_rest(names *k) {
    char name[16];
    for (; k->ninput < k->l->nu; k->ninput++) {
        gos__format(name, sizeof name, "u%d", k->ninput + 1);
        GOS_TRY(gos__linear_name_input(k->l, k->ninput, name, ""));
    }
    for (; k->noutput < k->l->ny; k->noutput++) {
        gos__format(name, sizeof name, "y%d", k->noutput + 1);
        GOS_TRY(gos__linear_name_output(k->l, k->noutput, name, ""));
    }
    return GOS_OK;
}

gos_status gos__linear_get_names(gos_linear *l, const char *text, size_t n, const char *file) {
    names k = {.l = l};
    int line = 1;
    for (const char *s = text, *stop = text + n; s < stop; line++) {
        char copy[LINE_MAX_BYTES];
        cells c;
        s = split(s, stop, copy, &c);
        if (!s) {
            const gos_loc loc = {gos__intern(l->ctx, file), line, 0};
            return gos__fail_at(l->ctx, GOS_E_INPUT, loc, NULL,
                                "this line is too long for a name, or is not text");
        }
        GOS_TRY(take_line(&k, &c));
    }
    return name_rest(&k);
}
