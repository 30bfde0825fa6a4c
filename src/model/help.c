/* Reference of the model format, generated from the parameter tables, as plain text or markdown. */
#include "model/private.h"
#include "model/reference.h"
#include "model/words.h"

#include <math.h>

/* ---- parts of a parameter's line ------------------------------------------------------------- */

/* "a|b", or "a (0)|b (1)" for words with numbers */
static void choice_words(const char *choices, char *buf, size_t size) {
    size_t n = 0;
    for (const char *s = choices; *s != '\0' && n + 4 < size; s++) {
        const size_t digits = *s == '=' ? strcspn(s + 1, "|") : 0;
        if (*s == '=') {
            gos__format(buf + n, size - n, " (%.*s)", (int)digits, s + 1);
            n = strlen(buf);
            s += digits;
        } else {
            buf[n++] = *s;
            buf[n] = '\0';
        }
    }
}

/* "3 numbers", "material name", "linear or cubic" ... */
static void kind_words(const gos_param *p, char *buf, size_t size) {
    switch (p->kind) {
    case GOS_K_NUMBER:
        gos__format(buf, size, "number");
        break;
    case GOS_K_INT:
        gos__format(buf, size, "whole number");
        break;
    case GOS_K_BOOL:
        gos__format(buf, size, "true or false");
        break;
    case GOS_K_VECTOR:
        gos__format(buf, size, "%s of %d", p->flags & GOS_P_UNIT_VECTOR ? "direction" : "list",
                    p->shape);
        break;
    case GOS_K_NUMBERS:
        gos__format(buf, size, p->shape > 0 ? "list of numbers or pairs" : "list of numbers");
        break;
    case GOS_K_TEXT:
        gos__format(buf, size, "text");
        break;
    case GOS_K_CHOICE:
        choice_words(p->choices, buf, size);
        break;
    case GOS_K_NAME:
        gos__format(buf, size, "name from %s", p->choices);
        for (char *bar = strchr(buf, '|'); bar; bar = strchr(buf, '|')) { // "bodies|joint"
            const char *rest = p->choices + strlen(p->choices) - strlen(bar) + 1;
            gos__format(bar, size - (bar - buf), " or %s", rest);
        }
        break;
    case GOS_K_NAMES:
        gos__format(buf, size, "name or list of names");
        break;
    case GOS_K_TIMEFN:
        gos__format(buf, size, "function of %s%s", p->choices != NULL ? p->choices : "t",
                    p->flags & GOS_P_PROBES ? " and probes" : "");
        break;
    case GOS_K_TIMEFNS:
        gos__format(buf, size, "list of %d functions of t%s", p->shape,
                    p->flags & GOS_P_PROBES ? " and probes" : "");
        break;
    case GOS_K_MAP:
        gos__format(buf, size, "map");
        break;
    case GOS_K_NODE:
        gos__format(buf, size, "see text");
        break;
    }
}

static bool has_unit(const gos_param *p) {
    return p->unit != NULL && p->unit[0] != '\0';
}

static void range_words(const gos_param *p, char *buf, size_t size) {
    const bool lo = p->lo > -HUGE_VAL, hi = p->hi < HUGE_VAL;
    const char *lo_sign = p->flags & GOS_P_LO_OPEN ? ">" : ">=";
    const char *hi_sign = p->flags & GOS_P_HI_OPEN ? "<" : "<=";
    buf[0] = '\0';
    if (p->lo == 0.0 && p->hi == 0.0) {
        return;
    }
    if (lo && hi) {
        gos__format(buf, size, "%s %.15g, %s %.15g", lo_sign, p->lo, hi_sign, p->hi);
    } else if (lo) {
        gos__format(buf, size, "%s %.15g", lo_sign, p->lo);
    } else if (hi) {
        gos__format(buf, size, "%s %.15g", hi_sign, p->hi);
    }
}

/* for methods that serve linear and nonlinear models */
static const char *models_words(const gos_param *p) {
    return p->flags & GOS_P_LINEAR      ? "linear models: "
           : p->flags & GOS_P_NONLINEAR ? "nonlinear models: "
                                        : "";
}

static const char *default_words(const gos_param *p) {
    if (p->flags & GOS_P_REQUIRED) {
        return "required";
    }
    return p->def != NULL ? p->def : "-";
}

/* ---- one type -------------------------------------------------------------------------------- */

static void put(FILE *out, const char *fmt, ...) GOS_PRINTF(2, 3);

static void put(FILE *out, const char *fmt, ...) {
    char line[2048];
    va_list args;
    va_start(args, fmt);
    gos__vformat(line, sizeof(line), fmt, args);
    va_end(args);
    fputs(line, out);
}

/* escape |, which ends a table cell */
static void put_cell(FILE *out, const char *text) {
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '|') {
            fputc('\\', out);
        }
        fputc(*s, out);
    }
}

static void put_row(FILE *out, const char *prefix, const gos_param *p) {
    char kind[256], range[96];
    kind_words(p, kind, sizeof(kind));
    range_words(p, range, sizeof(range));
    put(out, "| `%s%s` | ", prefix, p->name);
    put_cell(out, kind);
    put(out, " | %s | %s | %s | ", has_unit(p) ? p->unit : "", range, default_words(p));
    put(out, "%s", models_words(p));
    put_cell(out, p->doc != NULL ? p->doc : "");
    put(out, " |\n");
}

static void put_value(FILE *out, const gos_value_info *v) {
    const bool unit = v->unit[0] != '\0';
    put(out, "    %-20s %s%s%s%s\n", v->name, unit ? "[" : "", v->unit, unit ? "] " : "", v->doc);
}

static void put_lines(FILE *out, const char *prefix, const gos_param *p) {
    char kind[256], range[96], name[128];
    kind_words(p, kind, sizeof(kind));
    range_words(p, range, sizeof(range));
    gos__format(name, sizeof(name), "%s%s", prefix, p->name);
    put(out, "  %-22s %s%s%s%s%s%s%s", name, kind, has_unit(p) ? " [" : "",
        has_unit(p) ? p->unit : "", has_unit(p) ? "]" : "", range[0] != '\0' ? ", " : "", range,
        p->flags & GOS_P_REQUIRED ? ", required" : "");
    if (!(p->flags & GOS_P_REQUIRED) && p->def != NULL) {
        put(out, ", default %s", p->def);
    }
    put(out, "\n");
    if (p->doc != NULL) {
        put(out, "  %-22s   %s%s\n", "", models_words(p), p->doc);
    }
}

static void put_values(FILE *out, const gos_param *p) {
    gos_value_info v;
    for (int i = 0; p->value != NULL && p->value(i, &v); i++) {
        put_value(out, &v);
    }
}

static void put_params(FILE *out, const char *prefix, const gos_param *p, bool markdown) {
    for (; p->name != NULL; p++) {
        if (markdown) {
            put_row(out, prefix, p);
        } else {
            put_lines(out, prefix, p);
            put_values(out, p);
        }
        if (p->kind == GOS_K_MAP) {
            char inner[128];
            gos__format(inner, sizeof(inner), "%s%s.", prefix, p->name);
            put_params(out, inner, p->sub, markdown);
        }
    }
}

static void put_example(FILE *out, const char *example) {
    while (*example != '\0') {
        const size_t n = strcspn(example, "\n");
        put(out, "    %.*s\n", (int)n, example);
        example += n + (example[n] == '\n');
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

static const gos_param no_params[] = {{.name = NULL}};

static const gos_type expression = {
    .section = "values",
    .name = "expression",
    .doc = "A number: a literal, or an expression of the model's parameters. Operators from loose "
           "to tight: a ? b : c; ||; &&; < > <= >= == !=; + -; * /; sign; ^. A comparison gives 1 "
           "or 0. Constants: pi, e. Angles are in radians.",
    .params = no_params,
    .example = "length: 2*L + sqrt(a^2 + b^2)\ntilt: deg(30)"};

/* printed at the end of the reference */
static const gos_type *const values[] = {&expression, &gos__timefn_type, NULL};

static void put_functions(FILE *out, bool markdown) {
    int n;
    const gos_function *f = gos__functions(&n);
    put(out, markdown ? "\nFunctions:" : "  functions             ");
    for (int i = 0; i < n; i++) {
        const char *arguments = f[i].nmax == 0 ? "(a, b, ...)" : f[i].nmax == 2 ? "(a, b)" : "(x)";
        put(out, markdown ? "%s `%s%s`" : "%s %s%s", i > 0 ? "," : "", f[i].name, arguments);
    }
    put(out, markdown ? ".\n" : "\n");
}

static void put_type(FILE *out, const gos_type *type, bool markdown) {
    if (markdown) {
        put(out, "\n### %s\n\n%s\n", type->name, type->doc);
        if (type->params[0].name != NULL) {
            put(out, "\n| key | value | unit | range | default | meaning |\n"
                     "|---|---|---|---|---|---|\n");
        }
    } else {
        put(out, "%s (in %s): %s\n\n", type->name, type->section, type->doc);
    }
    put_params(out, "", type->params, markdown);
    if (type == &expression) {
        put_functions(out, markdown);
    }
    if (type->example != NULL) {
        put(out, markdown ? "\n```yaml\n" : "\n  example\n");
        put_example(out, type->example);
        put(out, markdown ? "```\n" : "\n");
    }
}

/* ---- words inside entries -------------------------------------------------------------------- */

static bool has_word(const char *text, const char *word) {
    const int n = (int)strlen(word);
    for (const char *at = text != NULL && n > 0 ? strstr(text, word) : NULL; at != NULL;
         at = strstr(at + 1, word)) {
        const bool begins = at == text || gos__words_length(at - 1) == 0;
        if (begins && gos__words_length(at) == n) {
            return true;
        }
    }
    return false;
}

/* a permitted value of this name */
static bool has_value(const gos_param *p, const char *word, gos_value_info *v) {
    for (int i = 0; p->value != NULL && p->value(i, v); i++) {
        if (strcmp(v->name, word) == 0) {
            return true;
        }
    }
    return false;
}

typedef enum match { MATCH_KEY, MATCH_LISTED, MATCH_VALUE, MATCH_TEXT, NMATCH } match;

static bool matches(const gos_param *p, const char *word, match how) {
    switch (how) {
    case MATCH_KEY:
        return strcmp(p->name, word) == 0;
    case MATCH_LISTED:
        return has_value(p, word, &(gos_value_info){0});
    case MATCH_VALUE:
        // some text parameters name their values in the doc
        return has_word(p->kind == GOS_K_CHOICE                     ? p->choices
                        : p->kind == GOS_K_TEXT && p->value == NULL ? p->doc
                                                                    : NULL,
                        word);
    default:
        return has_word(p->doc, word);
    }
}

/* returns the number of matching parameters */
static int put_matches(FILE *out, const gos_type *type, const char *prefix, const gos_param *p,
                       const char *word, match how) {
    static const char *const relation[NMATCH] = {"is a key of", "is a value in", "is a value in",
                                                 "is mentioned in"};
    gos_value_info v;
    int found = 0;
    for (; p->name != NULL; p++) {
        if (matches(p, word, how)) {
            put(out, "%s %s %s (in %s)\n", word, relation[how], type->name, type->section);
            put_lines(out, prefix, p);
            if (has_value(p, word, &v)) {
                put_value(out, &v);
            }
            found++;
        }
        if (p->kind == GOS_K_MAP) {
            char inner[128];
            gos__format(inner, sizeof(inner), "%s%s.", prefix, p->name);
            found += put_matches(out, type, inner, p->sub, word, how);
        }
    }
    return found;
}

/* the same for all types and the ways [from, to) */
static int put_word(FILE *out, const gos_type *const *types, const char *word, match from,
                    match to) {
    int found = 0;
    for (int how = from; how < (int)to; how++) {
        for (int i = 0; types[i] != NULL; i++) {
            found += put_matches(out, types[i], "", types[i]->params, word, (match)how);
        }
    }
    return found;
}

/* ---- all types ------------------------------------------------------------------------------- */

/* Looks up a word that is neither a type nor a section: matching keys and values, else a similar
 * type name, else docs that contain it (from 4 letters). */
static gos_status word_help(gos_ctx *ctx, const gos_type *const *types, const char *type,
                            FILE *out) {
    if (put_word(out, types, type, MATCH_KEY, MATCH_TEXT) > 0) {
        return GOS_OK;
    }
    const char *names[256];
    int n = 0;
    for (int i = 0; types[i] != NULL && n < GOS_COUNT(names); i++) {
        names[n++] = types[i]->name;
    }
    for (int i = 0; values[i] != NULL && n < GOS_COUNT(names); i++) {
        names[n++] = values[i]->name;
    }
    const char *near = gos__suggest(type, names, n);
    if (near != NULL) {
        return gos__fail(ctx, GOS_E_INPUT, "unknown type '%.64s'; did you mean '%s'?", type, near);
    }
    if (strlen(type) >= 4 && put_word(out, types, type, MATCH_TEXT, NMATCH) > 0) {
        return GOS_OK;
    }
    return gos__fail(ctx, GOS_E_INPUT, "unknown type '%.64s'; `help all` lists all", type);
}

/* entries of a section are adjacent in the registry */
static void put_all(FILE *out, const gos_type *const *types, bool markdown) {
    const char *section = "";
    for (; *types != NULL; types++) {
        if (strcmp((*types)->section, section) != 0) {
            section = (*types)->section;
            put(out, markdown ? "\n## %s\n" : "==== %s ====\n\n", section);
        }
        put_type(out, *types, markdown);
    }
}

/* print types by name or section; returns their number */
static int put_named(FILE *out, const gos_type *const *types, const char *name, bool markdown) {
    int found = 0;
    for (; *types != NULL; types++) {
        if (strcmp((*types)->name, name) == 0 || strcmp((*types)->section, name) == 0) {
            put_type(out, *types, markdown);
            found++;
        }
    }
    return found;
}

gos_status gos__help(gos_ctx *ctx, const gos_type *const *types, const char *type, bool markdown,
                     FILE *out) {
    if (type == NULL) {
        put_all(out, types, markdown);
        put_all(out, values, markdown);
    } else if (strcmp(type, "units") == 0) {
        (void)put_word(out, types, type, MATCH_KEY, MATCH_VALUE);
        gos__unit_help(markdown, out);
    } else if (put_named(out, types, type, markdown) + put_named(out, values, type, markdown) ==
               0) {
        GOS_TRY(word_help(ctx, types, type, out));
    } else if (!markdown) { // also a value, such as the type and the quantity `temperature`
        (void)put_word(out, types, type, MATCH_LISTED, MATCH_VALUE);
    }
    if (ferror(out)) {
        return gos__fail(ctx, GOS_E_FILE, "the reference could not be written");
    }
    return GOS_OK;
}

/* ---- for bindings ---------------------------------------------------------------------------- */

/* key *k of a table, nested keys following their map; k counts down to 0. NULL: out of range */
static const gos_param *find_key(const gos_param *p, const char *prefix, int *k, char *name,
                                 size_t size) {
    for (; p->name != NULL; p++) {
        if ((*k)-- == 0) {
            gos__format(name, size, "%s%s", prefix, p->name);
            return p;
        }
        if (p->kind == GOS_K_MAP) {
            char inner[128];
            gos__format(inner, sizeof(inner), "%s%s.", prefix, p->name);
            const gos_param *found = find_key(p->sub, inner, k, name, size);
            if (found != NULL) {
                return found;
            }
        }
    }
    return NULL;
}

bool gos__type_param(const gos_type *type, int k, gos_param_info *info) {
    const gos_param *p =
        k >= 0 ? find_key(type->params, "", &k, info->name, sizeof(info->name)) : NULL;
    if (p == NULL) {
        return false;
    }
    kind_words(p, info->kind, sizeof(info->kind));
    range_words(p, info->range, sizeof(info->range));
    info->unit = has_unit(p) ? p->unit : "";
    info->required = (p->flags & GOS_P_REQUIRED) != 0;
    info->def = info->required ? NULL : p->def;
    info->doc = p->doc != NULL ? p->doc : "";
    return true;
}

/* word i of "a|b" or "a=0|b=1" */
static bool choice_value(const char *choices, int i, gos_value_info *info) {
    const char *s = choices;
    for (int k = 0; k < i && *s != '\0'; k++) {
        s += strcspn(s, "|");
        s += *s == '|';
    }
    const int n = (int)strcspn(s, "|=");
    gos__format(info->name, sizeof(info->name), "%.*s", n, s);
    info->unit = info->doc = "";
    info->number = s[n] == '=' ? (int)strtol(s + n + 1, NULL, 10) : i;
    return n > 0;
}

bool gos__type_value(const gos_type *type, int k, int j, gos_value_info *info) {
    char name[128];
    const gos_param *p =
        k >= 0 && j >= 0 ? find_key(type->params, "", &k, name, sizeof(name)) : NULL;
    return p != NULL && (p->kind == GOS_K_CHOICE ? choice_value(p->choices, j, info)
                                                 : p->value != NULL && p->value(j, info));
}
