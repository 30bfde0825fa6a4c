/* Numbers and lists in the fields of a card. */
#include <ctype.h>
#include <math.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

gos_nastran_field gos__nastran_field(const gos_nastran *r, const gos_nastran_card *c, int i) {
    return i >= 1 && i <= c->n ? r->field[c->first + i - 1]
                               : (gos_nastran_field){"", 0, c->loc.line, 0};
}

bool gos__nastran_blank(const gos_nastran *r, const gos_nastran_card *c, int i) {
    return gos__nastran_field(r, c, i).n == 0;
}

bool gos__nastran_is_word(const gos_nastran *r, const gos_nastran_card *c, int i,
                          const char *word) {
    const gos_nastran_field f = gos__nastran_field(r, c, i);
    for (int k = 0; k < f.n; k++) {
        if (*word == '\0' || toupper((unsigned char)f.s[k]) != *word++) {
            return false;
        }
    }
    return *word == '\0';
}

bool gos__nastran_is_whole(const gos_nastran *r, const gos_nastran_card *c, int i) {
    const gos_nastran_field f = gos__nastran_field(r, c, i);
    int k = f.n > 0 && (f.s[0] == '-' || f.s[0] == '+');
    if (k == f.n) {
        return false;
    }
    while (k < f.n && isdigit((unsigned char)f.s[k])) {
        k++;
    }
    return k == f.n;
}

/* ---- messages -------------------------------------------------------------------------------- */

gos_status gos__nastran_fail(gos_nastran *r, const gos_nastran_card *c, int i, const char *fmt,
                             ...) {
    char text[600];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    const gos_nastran_field f = gos__nastran_field(r, c, i);
    const gos_loc loc = {c->loc.file, f.line, f.n > 0 ? f.col : 0};
    return gos__fail_at(r->ctx, GOS_E_INPUT, loc, c->name, "%s", text);
}

void gos__nastran_warn(gos_nastran *r, const gos_nastran_card *c, const char *fmt, ...) {
    char text[600];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    gos__warn(r->ctx, c->loc, c->name, "%s", text);
}

static gos_status missing(gos_nastran *r, const gos_nastran_card *c, int i, const char *what) {
    return gos__nastran_fail(r, c, i, "field %d, the %s, is empty; give it", 1 + i, what);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The point is required, as whole numbers in such fields are mostly shifted columns. */
static bool parse(const gos_nastran_field *f, double *x) {
    enum { LONGEST = 40 };
    char text[2 * LONGEST + 1]; // each sign may add an exponent
    int n = 0;
    bool point = false;
    if (f->n > LONGEST) {
        return false;
    }
    for (int k = 0; k < f->n; k++) {
        const char c = (char)tolower((unsigned char)f->s[k]);
        const bool sign = (c == '+' || c == '-') && k > 0;
        point = point || c == '.' || c == 'e' || c == 'd';
        if (sign && text[n - 1] != 'e') { // 1.5-3
            text[n++] = 'e';
        }
        text[n++] = (char)(c == 'd' ? 'e' : c);
    }
    text[n] = '\0';
    return point && gos__number_parse(text, (size_t)n, x) && fabs(*x) <= GOS_LIMIT_NUMBER;
}

gos_status gos__nastran_real(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                             double def, double *x) {
    const gos_nastran_field f = gos__nastran_field(r, c, i);
    if (f.n == 0) {
        *x = def;
        return isnan(def) ? missing(r, c, i, what) : GOS_OK;
    }
    if (parse(&f, x)) {
        return GOS_OK;
    }
    return gos__nastran_fail(
        r, c, i, "'%.*s' is not a finite number with a decimal point; field %d is the %s",
        f.n < 40 ? f.n : 40, f.s, 1 + i, what);
}

gos_status gos__nastran_positive(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                                 double *x) {
    GOS_TRY(gos__nastran_real(r, c, i, what, (double)NAN, x));
    return *x > 0 ? GOS_OK
                  : gos__nastran_fail(r, c, i, "the %s is %g; it must be above 0", what, *x);
}

gos_status gos__nastran_reals(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                              int n, double *x) {
    for (int k = 0; k < n; k++) {
        GOS_TRY(gos__nastran_real(r, c, i + k, what, 0.0, &x[k]));
    }
    return GOS_OK;
}

gos_status gos__nastran_whole(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                              int64_t lo, int64_t def, int64_t *x) {
    const gos_nastran_field f = gos__nastran_field(r, c, i);
    int64_t v = 0;
    if (f.n == 0) {
        *x = def;
        return def == GOS_NASTRAN_REQUIRED ? missing(r, c, i, what) : GOS_OK;
    }
    const bool whole = gos__nastran_is_whole(r, c, i);
    for (int k = f.s[0] == '-' || f.s[0] == '+'; whole && k < f.n && v <= GOS_NASTRAN_ID; k++) {
        v = 10 * v + (f.s[k] - '0');
    }
    v = f.s[0] == '-' ? -v : v;
    if (!whole || v < lo || v > GOS_NASTRAN_ID) {
        return gos__nastran_fail(r, c, i,
                                 "'%.*s' is not a whole number from %lld to %lld; field %d is the "
                                 "%s",
                                 f.n < 40 ? f.n : 40, f.s, (long long)lo, (long long)GOS_NASTRAN_ID,
                                 1 + i, what);
    }
    *x = v;
    return GOS_OK;
}

gos_status gos__nastran_id(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                           int64_t *x) {
    return gos__nastran_whole(r, c, i, what, 1, GOS_NASTRAN_REQUIRED, x);
}

gos_status gos__nastran_components(gos_nastran *r, const gos_nastran_card *c, int i,
                                   unsigned *bits) {
    const gos_nastran_field f = gos__nastran_field(r, c, i);
    *bits = 0;
    for (int k = 0; k < f.n; k++) {
        if (f.s[k] == '0' && f.n == 1) {
            return GOS_OK;
        }
        const unsigned bit = f.s[k] < '1' || f.s[k] > '6' ? 0 : 1u << (f.s[k] - '1');
        if (bit == 0 || (*bits & bit) != 0) {
            return gos__nastran_fail(r, c, i,
                                     "'%.*s' are not components: give distinct digits from 1 to 6",
                                     f.n < 40 ? f.n : 40, f.s);
        }
        *bits |= bit;
    }
    return GOS_OK;
}

gos_status gos__nastran_unused(gos_nastran *r, const gos_nastran_card *c, int i, int last,
                               const char *what) {
    for (; i <= last && i <= c->n; i++) {
        const gos_nastran_field f = gos__nastran_field(r, c, i);
        double x;
        const bool zero = (parse(&f, &x) && x == 0) || (f.n == 1 && f.s[0] == '0');
        if (f.n > 0 && !zero) {
            return gos__nastran_fail(r, c, i, "field %d is not supported: %s; leave it empty",
                                     1 + i, what);
        }
    }
    return GOS_OK;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* A number, or the range that begins at field *i, which ends behind it. */
static gos_status next_range(gos_nastran *r, const gos_nastran_card *c, int *i, const char *what,
                             int64_t range[3]) {
    GOS_TRY(gos__nastran_id(r, c, *i, what, &range[0]));
    range[1] = range[0];
    range[2] = 1;
    *i += 1;
    if (!gos__nastran_is_word(r, c, *i, "THRU")) {
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_id(r, c, *i + 1, what, &range[1]));
    *i += 2;
    if (gos__nastran_is_word(r, c, *i, "BY")) {
        GOS_TRY(gos__nastran_id(r, c, *i + 1, "step of the range", &range[2]));
        *i += 2;
    }
    return range[1] >= range[0]
               ? GOS_OK
               : gos__nastran_fail(r, c, *i - 1, "the range THRU ends before it begins");
}

gos_status gos__nastran_list(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                             gos_status (*take)(gos_nastran *r, const gos_nastran_card *c,
                                                const int64_t range[3], int i, void *arg),
                             void *arg) {
    bool any = false;
    while (i <= c->n) {
        int64_t range[3];
        const int at = i;
        if (gos__nastran_blank(r, c, i)) {
            i++;
            continue;
        }
        GOS_TRY(next_range(r, c, &i, what, range));
        GOS_TRY(take(r, c, range, at, arg));
        any = true;
    }
    return any ? GOS_OK : gos__nastran_fail(r, c, 0, "the card lists no %s; add some", what);
}

/* ---- storage --------------------------------------------------------------------------------- */

gos_status gos__nastran_new(gos_nastran *r, const gos_nastran_card *c, gos_tags *tags, int64_t id,
                            const char *what, int thing) {
    int before;
    const int own = (int)(c - r->card);
    GOS_TRY(gos__tags_add(tags, id, own, &before));
    if (before >= 0) {
        return gos__nastran_fail(
            r, c, 1, "%s %lld is already defined in line %d of '%.200s'; renumber one", what,
            (long long)id, r->card[before].loc.line, r->card[before].loc.file);
    }
    r->card[own].thing = thing;
    return GOS_OK;
}

const gos_nastran_card *gos__nastran_find(const gos_nastran *r, const gos_tags *tags, int64_t id) {
    const int found = gos__tags_find(tags, id);
    return found < 0 ? NULL : &r->card[found];
}

gos_status gos__nastran_add(gos_nastran *r, void *list, int *n, size_t size, void *thing) {
    void **at = list, **to = thing;
    if (*n == 0 || (*n & (*n - 1)) == 0) { // full at powers of two
        char *more = gos__arena_alloc(r->arena, *n > 0 ? 2 * (size_t)*n : 1, size);
        GOS_TRY(more ? GOS_OK : GOS_E_MEMORY);
        if (*n > 0) {
            memcpy(more, *at, (size_t)*n * size);
        }
        *at = more;
    }
    *to = (char *)*at + (size_t)*n * size;
    ++*n;
    return GOS_OK;
}
