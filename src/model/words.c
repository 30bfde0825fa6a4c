/* Names in expressions, and messages for unknown names and invalid characters, with column and
 * suggestion. */
#include "model/words.h"

#include <strings.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int gos__words_length(const char *s) {
    int n = 0;
    while (is_letter(s[n]) || (n > 0 && is_digit(s[n]))) {
        n++;
    }
    return n;
}

bool gos__words_same(const char *s, int n, const char *name) {
    return strncmp(s, name, n) == 0 && name[n] == '\0';
}

const gos_function *gos__words_function(const char *s, int n) {
    int count;
    const gos_function *f = gos__functions(&count);
    for (int i = 0; i < count; i++) {
        if (gos__words_same(s, n, f[i].name)) {
            return &f[i];
        }
    }
    return NULL;
}

bool gos__words_probe(const gos_words *w, const char *name) {
    static const char suffix[] = "_state"; // controller states
    const gos_node *probes = gos__node_get(w->m->root, "probes"),
                   *controllers = gos__node_get(w->m->root, "controllers");
    const size_t n = strlen(name), end = sizeof suffix - 1;
    if (probes != NULL && probes->kind == GOS_MAP && gos__node_get(probes, name) != NULL) {
        return true;
    }
    char owner[GOS_LIMIT_NAME + 1];
    if (controllers == NULL || controllers->kind != GOS_MAP || n <= end || n > GOS_LIMIT_NAME ||
        strcmp(name + n - end, suffix) != 0) {
        return false;
    }
    memcpy(owner, name, n - end);
    owner[n - end] = '\0';
    return gos__node_get(controllers, owner) != NULL;
}

const char *gos__words_next(const char **s, int *len) {
    const char *p = *s;
    while (*p != '\0') {
        const int name = gos__words_length(p);
        const int number = (int)gos__number_length(p);
        if (name > 0) {
            *s = p + name;
            *len = name;
            const char *after = *s + strspn(*s, " \t\n");
            if (*after != '(') {
                return p;
            }
            p = *s;
        } else {
            p += number > 0 ? number : 1;
        }
    }
    *s = p;
    return NULL;
}

bool gos__words_reserved(const char *name) {
    const int n = (int)strlen(name);
    double value;
    return gos__words_same("t", 1, name) || gos__constant(name, n, &value) ||
           gos__words_function(name, n);
}

/* ---- errors ---------------------------------------------------------------------------------- */

gos_status gos__words_wrong(const gos_words *w, int pos, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof(text), fmt, args);
    va_end(args);
    gos_loc loc = w->loc;
    loc.col += loc.col > 0 ? pos : 0;
    // the column suffices
    if (strlen(w->text) > 80) {
        return gos__fail_at(w->m->ctx, GOS_E_INPUT, loc, w->object, "%s", text);
    }
    return gos__fail_at(w->m->ctx, GOS_E_INPUT, loc, w->object, "%s, in '%s'", text, w->text);
}

gos_status gos__words_unknown_function(const gos_words *w, int pos, int n) {
    char word[GOS_LIMIT_NAME + 1];
    gos__format(word, sizeof(word), "%.*s", n, w->text + pos);
    int count;
    const gos_function *f = gos__functions(&count);
    const char *names[64];
    int nname = 0;
    for (int i = 0; i < count && i < GOS_COUNT(names); i++) {
        names[nname++] = f[i].name;
    }
    if (gos__parameter_get(w->m, word, (int)strlen(word)) != NULL ||
        gos__words_same("t", 1, word)) {
        return gos__words_wrong(w, pos, "'%s' is not a function; to multiply write %s*(...)", word,
                                word);
    }
    const char *near = gos__suggest(word, names, nname);
    if (near != NULL) {
        return gos__words_wrong(w, pos, "unknown function '%s'; did you mean '%s'?", word, near);
    }
    return gos__words_wrong(w, pos, "unknown function '%s'", word);
}

/* length of nan, inf or .inf (numbers in YAML), else 0 */
static int no_number_length(const char *s) {
    static const char *const words[] = {"nan", "infinity", "inf"};
    const int dot = s[0] == '.';
    const int n = gos__words_length(s + dot);
    for (int i = 0; i < GOS_COUNT(words); i++) {
        if (n == (int)strlen(words[i]) && strncasecmp(s + dot, words[i], n) == 0) {
            return dot + n;
        }
    }
    return 0;
}

/* the controller whose output has this name: NAME, NAME_command, or NAME_25 of further components
 */
static const gos_node *controller_of(const gos_words *w, const char *word) {
    const gos_node *controllers = gos__node_get(w->m->root, "controllers");
    const bool any = controllers != NULL && controllers->kind == GOS_MAP;
    for (const gos_node *c = any ? controllers->child : NULL; c != NULL; c = c->next) {
        const size_t n = strlen(c->key);
        const char *rest = word + n;
        if (strncmp(word, c->key, n) == 0 &&
            (*rest == '\0' || strcmp(rest, "_command") == 0 ||
             (rest[0] == '_' && rest[1] != '\0' &&
              strspn(rest + 1, "0123456789") == strlen(rest + 1)))) {
            return c;
        }
    }
    return NULL;
}

static gos_status refuse_output(const gos_words *w, int pos, const char *word,
                                const gos_node *controller) {
    const gos_node *signal =
        controller->kind == GOS_MAP ? gos__node_get(controller, "signal") : NULL;
    const bool reads = signal != NULL && signal->kind == GOS_SCALAR;
    return gos__words_wrong(w, pos,
                            "'%s' is the output of a controller, which expressions cannot use; "
                            "write its law with the probes that it reads%s%.60s%s",
                            word, reads ? " (`" : "", reads ? signal->text : "", reads ? "`)" : "");
}

/* "; there are a, b and 3 more" of a section, or nothing */
static void list_names(const gos_node *section, char *text, size_t size) {
    enum { SHOWN = 6 };
    size_t n = 0;
    int k = 0;
    text[0] = '\0';
    if (section == NULL || section->kind != GOS_MAP) {
        return;
    }
    for (const gos_node *c = section->child; c != NULL && k < SHOWN && n < size; c = c->next, k++) {
        n +=
            (size_t)gos__format(text + n, size - n, "%s%s", k == 0 ? "; there are " : ", ", c->key);
    }
    if (section->n > SHOWN && n < size) {
        gos__format(text + n, size - n, " and %d more", section->n - SHOWN);
    }
}

gos_status gos__words_unknown_name(const gos_words *w, int pos, int n) {
    if (gos__words_function(w->text + pos, n) != NULL) {
        return gos__words_wrong(w, pos, "function '%.*s' needs its arguments in parentheses", n,
                                w->text + pos);
    }
    if (gos__words_same(w->text + pos, n, "t")) {
        return gos__words_wrong(w, pos,
                                "the time t cannot be used here; this value must be constant");
    }
    char word[GOS_LIMIT_NAME + 1];
    gos__format(word, sizeof(word), "%.*s", n, w->text + pos);
    static const char *const others[] = {"pi", "e", "t"};
    if (gos__words_probe(w, word)) {
        return gos__words_wrong(w, pos, "probe '%s' cannot be used here; %s", word,
                                w->scope->time
                                    ? "only force, moment, edge_moment, input and heat_flow may "
                                      "depend on probes; this value depends on time alone"
                                    : "this value must be constant");
    }
    const gos_node *controller = w->scope->probes ? controller_of(w, word) : NULL;
    if (controller != NULL) {
        return refuse_output(w, pos, word, controller);
    }
    const gos_node *parameters = gos__node_get(w->m->root, "parameters");
    const char *near = gos__node_suggest(w->m->ctx, parameters, others, 2 + w->scope->time, word);
    if (near == NULL && w->scope->probes) {
        near = gos__node_suggest(w->m->ctx, gos__node_get(w->m->root, "probes"), NULL, 0, word);
    }
    if (near != NULL) {
        return gos__words_wrong(w, pos, "unknown name '%s'; did you mean '%s'?", word, near);
    }
    if (no_number_length(word) > 0) {
        return gos__words_wrong(w, pos, "unknown name '%s'; give a finite number", word);
    }
    char known[300] = "";
    if (w->scope->probes) {
        list_names(gos__node_get(w->m->root, "probes"), known, sizeof known);
    }
    return gos__words_wrong(w, pos, "unknown name '%s'; declare it under 'parameters:'%s%s", word,
                            w->scope->probes ? " or 'probes:'" : "", known);
}

gos_status gos__words_wrong_character(const gos_words *w, int pos) {
    const char ch = w->text[pos];
    const int n = no_number_length(w->text + pos);
    if (n > 0) {
        return gos__words_wrong(w, pos, "'%.*s' is not a finite number; give one", n,
                                w->text + pos);
    }
    switch (ch) {
    case '=':
        return gos__words_wrong(w, pos, "a single '=' is not allowed; write == to compare");
    case '&':
        return gos__words_wrong(w, pos, "write && for 'and'");
    case '|':
        return gos__words_wrong(w, pos, "write || for 'or'");
    case '!':
        return gos__words_wrong(w, pos, "write (...) == 0 for 'not'");
    case '%':
        return gos__words_wrong(w, pos, "write mod(a, b) for the remainder, or divide by 100");
    case '"':
    case '\'':
        return gos__words_wrong(w, pos, "quotes are not allowed in an expression; remove them");
    case '[':
    case '{':
        return gos__words_wrong(w, pos, "use round parentheses");
    default:
        break;
    }
    if (ch > 0x20 && ch < 0x7f) {
        return gos__words_wrong(w, pos, "'%c' is not allowed in an expression", ch);
    }
    return gos__words_wrong(w, pos, "a character is not allowed in an expression");
}
