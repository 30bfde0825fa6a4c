/* Labels, card parameters, lookup. */
#include "deck/reader.h"

#include <ctype.h>

bool gos__deck_is_word(const gos_deck_field *f, const char *word) {
    for (int k = 0; k < f->n; k++) {
        if (f->s[k] == ' ' || f->s[k] == '\t') {
            continue;
        }
        while (*word == ' ') {
            word++;
        }
        if (toupper((unsigned char)f->s[k]) != *word) {
            return false;
        }
        word++;
    }
    return *word == '\0';
}

/* upper case without blanks, except quoted; false: too long, or control characters */
static bool canonical(const char *s, int n, char *label, int size) {
    bool quoted = false;
    int used = 0;
    for (int k = 0; k < n; k++) {
        const unsigned char c = (unsigned char)s[k];
        if (c == '"') {
            quoted = !quoted;
            continue;
        }
        if (!quoted && (c == ' ' || c == '\t')) {
            continue;
        }
        if (c < 32 || c == 127 || used + 1 >= size) {
            return false;
        }
        label[used++] = (char)(quoted ? c : toupper(c));
    }
    label[used] = '\0';
    return true;
}

gos_status gos__deck_label(gos_deck_reader *r, const gos_deck_field *f,
                           char label[GOS_DECK_LABEL + 1]) {
    if (!canonical(f->s, f->n, label, GOS_DECK_LABEL + 1)) {
        return gos__deck_fail(r, f, "'%.*s' is not a label; use at most %d printable characters",
                              f->n < 40 ? f->n : 40, f->s, GOS_DECK_LABEL);
    }
    return label[0] ? GOS_OK : gos__deck_fail(r, f, "a label is missing here");
}

/* ---- the card -------------------------------------------------------------------------------- */

/* "*node  PRINT" -> "*NODE PRINT" */
static gos_status card_name(gos_deck_reader *r, const gos_deck_field *f) {
    int used = 0;
    r->object[0] = '\0';
    for (int k = 0; k < f->n; k++) {
        const unsigned char c = (unsigned char)f->s[k];
        const bool blank = c == ' ' || c == '\t';
        if (used > GOS_DECK_LABEL || (!blank && (c < 33 || c > 126))) {
            return gos__deck_fail(r, f, "'%.*s' is not a card", f->n < 40 ? f->n : 40, f->s);
        }
        if (!blank || r->object[used - 1] != ' ') {
            r->object[used++] = (char)(blank ? ' ' : toupper(c));
            r->object[used] = '\0';
        }
    }
    return GOS_OK;
}

static gos_status read_param(gos_deck_reader *r, const gos_deck_field *f) {
    if (f->n == 0) {
        return GOS_OK;
    }
    if (r->nparam == GOS_COUNT(r->param)) {
        return gos__deck_fail(r, f, "there are more than %d parameters", GOS_COUNT(r->param));
    }
    gos_deck_param *p = &r->param[r->nparam];
    const char *equals = memchr(f->s, '=', f->n);
    const int nkey = equals ? (int)(equals - f->s) : f->n;
    const int nvalue = equals ? f->n - nkey - 1 : 0;
    if (!canonical(f->s, nkey, p->key, sizeof p->key) ||
        !canonical(equals ? equals + 1 : "", nvalue, p->value, sizeof p->value)) {
        return gos__deck_fail(r, f,
                              "'%.*s' is not a parameter; use at most %d printable characters",
                              f->n < 40 ? f->n : 40, f->s, GOS_DECK_LABEL);
    }
    p->loc = r->loc;
    p->loc.col = (int)(f->s - r->begin) + 1;
    r->nparam++;
    return GOS_OK;
}

gos_status gos__deck_read_card(gos_deck_reader *r) {
    gos_deck_field f;
    (void)gos__deck_field(r, &f);
    r->nparam = 0;
    r->card_loc = r->loc;
    GOS_TRY(card_name(r, &f));
    for (;;) {
        while (gos__deck_field(r, &f)) {
            GOS_TRY(read_param(r, &f));
        }
        if (r->end == r->begin || r->end[-1] != ',') {
            return GOS_OK;
        }
        bool more; // trailing comma
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            return GOS_OK;
        }
    }
}

/* ---- parameters ------------------------------------------------------------------------------ */

static const gos_deck_param *find_param(const gos_deck_reader *r, const char *key) {
    for (int i = 0; i < r->nparam; i++) {
        if (strcmp(r->param[i].key, key) == 0) {
            return &r->param[i];
        }
    }
    return NULL;
}

static gos_status fail_param(gos_deck_reader *r, const gos_deck_param *p, const char *fmt, ...)
    GOS_PRINTF(3, 4);
static gos_status fail_param(gos_deck_reader *r, const gos_deck_param *p, const char *fmt, ...) {
    char text[400];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    return gos__fail_at(r->ctx, GOS_E_INPUT, p ? p->loc : r->card_loc, r->object, "%s", text);
}

const char *gos__deck_param(const gos_deck_reader *r, const char *key) {
    const gos_deck_param *p = find_param(r, key);
    return p ? p->value : NULL;
}

gos_status gos__deck_need(gos_deck_reader *r, const char *key, const char **value) {
    *value = gos__deck_param(r, key);
    return *value && **value
               ? GOS_OK
               : fail_param(r, NULL, "the parameter %s is missing; give %s=...", key, key);
}

gos_status gos__deck_param_real(gos_deck_reader *r, const char *key, double def, double *x) {
    const gos_deck_param *p = find_param(r, key);
    *x = def;
    if (!p) {
        return GOS_OK;
    }
    char text[GOS_DECK_LABEL + 1];
    gos__format(text, sizeof text, "%s", p->value);
    const gos_deck_field f = {text, (int)strlen(text)};
    return gos__deck_parse_real(&f, x)
               ? GOS_OK
               : fail_param(r, p, "'%s' is not a finite number for %s", p->value, key);
}

gos_status gos__deck_param_choice(gos_deck_reader *r, const char *key, const char *words,
                                  int *choice) {
    const gos_deck_param *p = find_param(r, key);
    *choice = 0;
    if (!p) {
        return GOS_OK;
    }
    const size_t n = strlen(p->value);
    for (const char *s = words; *s; (*choice)++) {
        const size_t length = strcspn(s, " ");
        if (length == n && memcmp(s, p->value, n) == 0) {
            return GOS_OK;
        }
        s += length;
        s += *s == ' ';
    }
    *choice = 0;
    return fail_param(r, p, "%s=%s is not supported; options: %s", key, p->value, words);
}

gos_status gos__deck_check_params(gos_deck_reader *r, const gos_deck_card *card) {
    for (int i = 0; i < r->nparam; i++) {
        const gos_deck_param *p = &r->param[i];
        const size_t n = strlen(p->key);
        bool known = false;
        for (const char *s = card->params; *s && !known;) {
            const size_t length = strcspn(s, " ");
            known = length == n && memcmp(s, p->key, n) == 0;
            s += length;
            s += *s == ' ';
        }
        if (!known) {
            return card->params[0]
                       ? fail_param(r, p, "the parameter %s is not supported; options: %s", p->key,
                                    card->params)
                       : fail_param(r, p, "the parameter %s is not supported; the card has none",
                                    p->key);
        }
        if (find_param(r, p->key) != p) {
            return fail_param(r, p, "the parameter %s is given twice", p->key);
        }
    }
    return GOS_OK;
}

/* ---- lookup by label ------------------------------------------------------------------------- */

/* with the prefix of an instance */
static const int *find_in(const gos_deck_reader *r, const gos_names *names, int scope,
                          const char *label) {
    char full[2 * GOS_DECK_LABEL + 4];
    gos__format(full, sizeof full, "%s%s", gos__deck_prefix(r, scope), label);
    return gos__names_find(names, full, strlen(full));
}

/* of the instance, else of the assembly */
static const int *find_label(const gos_deck_reader *r, const gos_names *names, const char *label) {
    const int *found = find_in(r, names, r->within, label);
    return found ? found : gos__names_find(names, label, strlen(label));
}

const int *gos__deck_find(const gos_deck_reader *r, const gos_names *names, const char *label) {
    return find_in(r, names, r->scope, label);
}

gos_status gos__deck_named(gos_deck_reader *r, const gos_names *names, const char *what,
                           const char *label, int *number) {
    const int *found = find_label(r, names, label);
    if (!found) {
        return gos__deck_fail(r, NULL,
                              "there is no %s '%s' above this line; define it, or correct its name",
                              what, label);
    }
    *number = *found;
    return GOS_OK;
}

gos_status gos__deck_param_named(gos_deck_reader *r, const gos_names *names, const char *what,
                                 const char *key, int *number) {
    const gos_deck_param *p = find_param(r, key);
    *number = -1;
    if (!p) {
        return GOS_OK;
    }
    const int *found = find_label(r, names, p->value);
    if (!found) {
        return fail_param(r, p,
                          "there is no %s '%s' above this line; define it, or correct its name",
                          what, p->value);
    }
    *number = *found;
    return GOS_OK;
}

gos_status gos__deck_name(gos_deck_reader *r, gos_names *names, const char *what, const char *label,
                          int number, const char **kept) {
    if (gos__deck_find(r, names, label)) {
        return fail_param(r, NULL, "there are two %ss '%s'; rename one", what, label);
    }
    int *thing = GOS_NEW(r->arena, int, 1);
    *kept = gos__arena_printf(r->arena, "%s%s", gos__deck_prefix(r, r->scope), label);
    GOS_TRY(thing && *kept ? GOS_OK : GOS_E_MEMORY);
    *thing = number;
    return gos__names_add(r->arena, names, *kept, thing);
}

gos_status gos__deck_add(gos_deck_reader *r, void *list, int *n, size_t size, void *thing) {
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
