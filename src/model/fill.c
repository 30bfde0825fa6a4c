/* Fills structs from the tree according to parameter tables. All errors of a map are recorded
 * before the call fails. */
#include "model/private.h"

#include <limits.h>
#include <math.h>

#include "base/units.h"

typedef struct filler {
    gos_model *m;
    const char *object;
    gos_arena *arena;
    const char *prefix; // prefix of nested maps, "damping." or ""
    bool si;            // reads a default, in units of SI
    gos_status status;  // worst status so far
} filler;

static void note(filler *f, gos_status status) {
    if (status != GOS_OK && f->status != GOS_E_MEMORY) {
        f->status = status;
    }
}

static gos_status wrong(const filler *f, gos_loc loc, const char *fmt, ...) GOS_PRINTF(3, 4);

static gos_status wrong(const filler *f, gos_loc loc, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof(text), fmt, args);
    va_end(args);
    gos__fail_at(f->m->ctx, GOS_E_INPUT, loc, f->object, "%s%s", f->prefix, text);
    return GOS_E_INPUT;
}

static const char *kind_text(const gos_node *node) {
    if (gos__node_null(node)) {
        return "nothing";
    }
    return node->kind == GOS_LIST ? "a list" : node->kind == GOS_MAP ? "a map" : "a single value";
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* " kg/m^3", as labelled in the model, or "" without a unit */
static const char *unit_text(const filler *f, const gos_param *p, char buf[GOS_UNIT_TEXT]) {
    const bool none = p->unit == NULL || p->unit[0] == '\0' || strcmp(p->unit, "-") == 0;
    char label[GOS_UNIT_TEXT - 1];
    gos__format(buf, GOS_UNIT_TEXT, "%s%s", none ? "" : " ",
                none ? "" : gos__unit_label(f->m->units, p->unit, label, sizeof label));
    return buf;
}

/* what component c of a parameter measures; unit: buffer */
static gos_measure measure_of(const filler *f, const gos_param *p, int c, char unit[GOS_UNIT_MAX]) {
    const char *of = p->unit;
    if (p->kind == GOS_K_VECTOR && of && strchr(of, ',')) {
        of = gos__unit_at(of, c, unit);
    }
    return (gos_measure){.unit = of,
                         .scale = p->flags & GOS_P_ABSOLUTE         ? GOS_ABSOLUTE
                                  : p->flags & GOS_P_OVER_REFERENCE ? GOS_OVER_REFERENCE
                                                                    : GOS_DIFFERENCE,
                         .si = f->si};
}

/* a bound of the range, in units of the model */
static double bound(const filler *f, const gos_param *p, double limit) {
    return isfinite(limit) ? gos__unit_from_si(f->m->units, p->unit, limit) : limit;
}

static bool has_range(const gos_param *p) {
    return !(p->lo == 0.0 && p->hi == 0.0) && (p->lo > -HUGE_VAL || p->hi < HUGE_VAL);
}

/* "> 0 and <= 0.5", follows "must be" */
static void range_text(const filler *f, const gos_param *p, char *buf, size_t size) {
    char lo[48] = "", hi[48] = "";
    if (p->lo > -HUGE_VAL) {
        gos__format(lo, sizeof(lo), "%s %.15g",
                    p->flags & GOS_P_LO_OPEN ? ">" : ">=", bound(f, p, p->lo));
    }
    if (p->hi < HUGE_VAL) {
        gos__format(hi, sizeof(hi), "%s %.15g",
                    p->flags & GOS_P_HI_OPEN ? "<" : "<=", bound(f, p, p->hi));
    }
    gos__format(buf, size, "%s%s%s", lo, lo[0] != '\0' && hi[0] != '\0' ? " and " : "", hi);
}

static bool in_range(const filler *f, const gos_param *p, double v) {
    if (!has_range(p)) {
        return true;
    }
    const double lo = bound(f, p, p->lo), hi = bound(f, p, p->hi);
    const bool above = p->flags & GOS_P_LO_OPEN ? v > lo : v >= lo;
    const bool below = p->flags & GOS_P_HI_OPEN ? v < hi : v <= hi;
    return above && below;
}

static gos_status check_range(const filler *f, const gos_param *p, gos_loc loc, const char *text,
                              double v) {
    if (in_range(f, p, v)) {
        return GOS_OK;
    }
    char range[128], unit[GOS_UNIT_TEXT], from[96] = "";
    double plain;
    range_text(f, p, range, sizeof(range));
    if (text != NULL && !gos__number_parse(text, strlen(text), &plain)) {
        gos__format(from, sizeof(from), " from '%.60s'", text);
    }
    return wrong(f, loc, "%s must be %s%s, got %.6g%s", p->name, range, unit_text(f, p, unit), v,
                 from);
}

static gos_status read_component(const filler *f, const gos_param *p, const gos_node *node, int c,
                                 double *value) {
    if (node->kind != GOS_SCALAR || gos__node_null(node)) {
        return wrong(f, node->loc, "%s must be a number or an expression, got %s", p->name,
                     kind_text(node));
    }
    char object[192];
    gos__format(object, sizeof(object), "%s%s%s%s", f->object != NULL ? f->object : "",
                f->object != NULL ? ": " : "", f->prefix, p->name);
    double v = 0.0;
    char unit[GOS_UNIT_MAX];
    const gos_measure of = measure_of(f, p, c, unit);
    GOS_TRY(gos__quantity(f->m, node->text, node->loc, object, &of, &v));
    GOS_TRY(check_range(f, p, node->loc, node->text, v));
    *value = v;
    return GOS_OK;
}

static gos_status read_number(const filler *f, const gos_param *p, const gos_node *node,
                              double *value) {
    return read_component(f, p, node, 0, value);
}

static gos_status fill_int(const filler *f, const gos_param *p, const gos_node *node, int *out) {
    double v = 0.0;
    GOS_TRY(read_number(f, p, node, &v));
    const double whole = rint(v);
    // tolerate the rounding of quotients such as 1.2/0.1
    if (!(fabs(v - whole) <= 1e-9 * fmax(1.0, fabs(v)))) {
        return wrong(f, node->loc, "%s must be a whole number, got %.6g", p->name, v);
    }
    if (!(fabs(whole) <= INT_MAX)) {
        return wrong(f, node->loc, "%s must be at most %d, got %.6g", p->name, INT_MAX, v);
    }
    *out = (int)whole;
    return GOS_OK;
}

/* ---- lists of numbers ------------------------------------------------------------------------ */

static gos_status check_list(const filler *f, const gos_param *p, const gos_node *node, int shape) {
    if (node->kind == GOS_LIST && (shape == 0 || node->n == shape)) {
        return GOS_OK;
    }
    char unit[GOS_UNIT_TEXT], size[32] = "", got[48];
    if (shape > 0) {
        gos__format(size, sizeof(size), "%d ", shape);
    }
    if (node->kind == GOS_LIST) {
        gos__format(got, sizeof(got), "%d", node->n);
    } else {
        gos__format(got, sizeof(got), "%s", kind_text(node));
    }
    const bool has_unit = unit_text(f, p, unit)[0] != '\0';
    return wrong(f, node->loc, "%s must be a list of %snumbers%s%s, got %s", p->name, size,
                 has_unit ? " in" : "", unit, got);
}

static gos_status read_numbers(const filler *f, const gos_param *p, const gos_node *node,
                               double *v) {
    gos_status status = GOS_OK;
    int i = 0;
    for (const gos_node *c = node->child; c != NULL; c = c->next, v++, i++) {
        const gos_status here = read_component(f, p, c, i, v);
        status = here != GOS_OK ? here : status;
    }
    return status;
}

static gos_status fill_vector(const filler *f, const gos_param *p, const gos_node *node,
                              double *out) {
    GOS_TRY(check_list(f, p, node, p->shape));
    double *v = GOS_NEW(f->arena, double, p->shape);
    if (v == NULL) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(read_numbers(f, p, node, v));
    if (p->flags & GOS_P_UNIT_VECTOR) {
        // scale first, to avoid over- and underflow of squares
        double largest = 0.0, sum = 0.0;
        for (int i = 0; i < p->shape; i++) {
            largest = fmax(largest, fabs(v[i]));
        }
        if (!(largest > 0.0)) {
            return wrong(f, node->loc, "%s has zero length; give a direction", p->name);
        }
        for (int i = 0; i < p->shape; i++) {
            v[i] /= largest;
            sum += v[i] * v[i];
        }
        for (int i = 0; i < p->shape; i++) {
            v[i] /= sqrt(sum);
        }
    }
    memcpy(out, v, p->shape * sizeof(*out));
    return GOS_OK;
}

static bool empty_allowed(const gos_param *p, const gos_node *node) {
    return p->flags & GOS_P_EMPTY && node->kind == GOS_LIST && node->n == 0;
}

static gos_status fill_pairs(const filler *f, const gos_param *p, const gos_node *node,
                             gos_numbers *out) {
    gos_status status = GOS_OK;
    const bool single = node->kind == GOS_SCALAR;
    const int n = single ? 1 : node->n;
    double *v = gos__arena_alloc(f->arena, 2 * (size_t)n, sizeof *v);
    if (v == NULL) {
        return GOS_E_MEMORY;
    }
    const gos_node *c = single ? node : node->child;
    for (int i = 0; i < n; i++, c = c->next) {
        gos_status here;
        if (c->kind == GOS_LIST) {
            here = check_list(f, p, c, p->shape);
            here = here == GOS_OK ? read_numbers(f, p, c, v + 2 * (ptrdiff_t)i) : here;
        } else {
            here = read_number(f, p, c, v + 2 * (ptrdiff_t)i);
        }
        status = here != GOS_OK ? here : status;
    }
    *out = (gos_numbers){v, 2 * n};
    return status;
}

static gos_status fill_numbers(const filler *f, const gos_param *p, const gos_node *node,
                               gos_numbers *out) {
    const bool single = node->kind == GOS_SCALAR && !gos__node_null(node);
    if (empty_allowed(p, node)) {
        return GOS_OK;
    }
    if (!single) {
        GOS_TRY(check_list(f, p, node, 0));
    }
    if (p->shape > 0) {
        return fill_pairs(f, p, node, out);
    }
    const int n = single ? 1 : node->n;
    double *v = GOS_NEW(f->arena, double, n);
    if (v == NULL) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(single ? read_number(f, p, node, v) : read_numbers(f, p, node, v));
    *out = (gos_numbers){v, n};
    return GOS_OK;
}

/* ---- texts and names ------------------------------------------------------------------------- */

static gos_status read_text(const filler *f, const gos_param *p, const gos_node *node,
                            const char **out) {
    if (node->kind != GOS_SCALAR || gos__node_null(node)) {
        return wrong(f, node->loc, "%s must be a text, got %s", p->name, kind_text(node));
    }
    *out = gos__arena_strdup(f->arena, node->text);
    return *out == NULL ? GOS_E_MEMORY : GOS_OK;
}

/* the i-th word of "a|b|c"; returns its length, 0: none */
static size_t choice(const char *choices, int i, const char **s) {
    while (i-- > 0) {
        choices += strcspn(choices, "|");
        choices += *choices == '|';
    }
    *s = choices;
    return strcspn(choices, "|");
}

enum { CHOICES = 32 };

/* words of "a|b" or "a=0|b=1" */
typedef struct word_list {
    const char *name[CHOICES];
    double number[CHOICES]; // NAN: none
    int n;
} word_list;

static gos_status read_words(const filler *f, const gos_param *p, word_list *w) {
    const char *s;
    w->n = 0;
    for (size_t len = choice(p->choices, 0, &s); len > 0 && w->n < CHOICES;
         len = choice(p->choices, w->n, &s)) {
        char *name = gos__arena_printf(f->arena, "%.*s", (int)len, s);
        if (name == NULL) {
            return GOS_E_MEMORY;
        }
        char *number = strchr(name, '=');
        w->name[w->n] = name;
        w->number[w->n] = (double)NAN;
        if (number != NULL) {
            *number++ = '\0';
            (void)gos__number_parse(number, strlen(number), &w->number[w->n]);
        }
        w->n++;
    }
    return GOS_OK;
}

static bool is_value(const filler *f, const char *text, double *value) {
    const gos_parameter *p = gos__parameter_get(f->m, text, (int)strlen(text));
    if (p != NULL) {
        *value = p->value;
    }
    return p != NULL || gos__number_parse(text, strlen(text), value);
}

/* "zeroth (0) or first (1)" */
static void list_words(const word_list *w, char *list, size_t size) {
    list[0] = '\0';
    for (int i = 0; i < w->n; i++) {
        const size_t have = strlen(list);
        char number[32] = "";
        if (!isnan(w->number[i])) {
            gos__format(number, sizeof number, " (%g)", w->number[i]);
        }
        gos__format(list + have, size - have, "%s%s%s",
                    i == 0          ? ""
                    : i == w->n - 1 ? " or "
                                    : ", ",
                    w->name[i], number);
    }
}

static gos_status fill_choice(const filler *f, const gos_param *p, const gos_node *node, int *out) {
    const char *text = "";
    char list[256], from[96] = "";
    double value = (double)NAN;
    word_list w;
    GOS_TRY(read_text(f, p, node, &text));
    GOS_TRY(read_words(f, p, &w));
    const bool given = is_value(f, text, &value);
    for (int i = 0; i < w.n; i++) {
        if (strcmp(w.name[i], text) == 0) {
            *out = i;
            return GOS_OK;
        }
    }
    for (int i = 0; i < w.n && given; i++) {
        if (w.number[i] == value) {
            *out = i;
            return GOS_OK;
        }
    }
    list_words(&w, list, sizeof list);
    if (given && !isnan(w.number[0]) && gos__parameter_get(f->m, text, (int)strlen(text))) {
        gos__format(from, sizeof from, ", which is %.6g", value);
    }
    const char *near = gos__suggest(text, w.name, w.n);
    return wrong(f, node->loc, "%s must be %s, got '%.64s'%s%s%s%s", p->name, list, text, from,
                 near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                 near != NULL ? "'?" : "");
}

static gos_status fill_bool(const filler *f, const gos_param *p, const gos_node *node, int *out) {
    static const char *const yes[] = {"true", "yes", "on", "True", "Yes", "On", "TRUE", "1"};
    static const char *const no[] = {"false", "no", "off", "False", "No", "Off", "FALSE", "0"};
    for (int i = 0; i < GOS_COUNT(yes) && node->kind == GOS_SCALAR; i++) {
        if (strcmp(node->text, yes[i]) == 0 || strcmp(node->text, no[i]) == 0) {
            *out = strcmp(node->text, yes[i]) == 0;
            return GOS_OK;
        }
    }
    double value;
    if (node->kind == GOS_SCALAR && is_value(f, node->text, &value) && (value == 0 || value == 1)) {
        *out = value == 1;
        return GOS_OK;
    }
    return wrong(f, node->loc, "%s must be true or false, got %s%.40s%s", p->name,
                 node->kind == GOS_SCALAR ? "'" : "",
                 node->kind == GOS_SCALAR ? node->text : kind_text(node),
                 node->kind == GOS_SCALAR ? "'" : "");
}

static gos_status fill_name(const filler *f, const gos_param *p, const gos_node *node,
                            const char **out) {
    const char *text = "", *word;
    GOS_TRY(read_text(f, p, node, &text));
    char name[GOS_LIMIT_NAME + 1];
    gos__format(name, sizeof name, "%.*s", (int)choice(p->choices, 0, &word), p->choices);
    const gos_node *section = gos__node_get(f->m->root, name);
    bool own = false; // a word that needs no entry
    char words[128] = "";
    size_t n = 0;
    for (int i = 1; (n = choice(p->choices, i, &word)) > 0 && !own; i++) {
        const size_t have = strlen(words);
        gos__format(words + have, sizeof words - have, "%s%.*s", i > 1 ? " or " : "", (int)n, word);
        own = strlen(text) == n && memcmp(text, word, n) == 0;
    }
    if (!own && gos__node_get(section, text) == NULL) {
        const char *near = gos__node_suggest(f->m->ctx, section, NULL, 0, text);
        if (near != NULL) {
            return wrong(f, node->loc, "%s: there is no '%.64s' under '%s:'; did you mean '%s'?",
                         p->name, text, name, near);
        }
        return wrong(f, node->loc, "%s: there is no '%.64s' under '%s:'; add it there%s%s", p->name,
                     text, name, words[0] != '\0' ? ", or write " : "", words);
    }
    *out = text;
    return GOS_OK;
}

static gos_status fill_names(const filler *f, const gos_param *p, const gos_node *node,
                             gos_texts *out) {
    if (node->kind == GOS_MAP || (node->kind == GOS_SCALAR && gos__node_null(node))) {
        return wrong(f, node->loc, "%s must be a name or a list of names, got %s", p->name,
                     kind_text(node));
    }
    if (empty_allowed(p, node)) {
        return GOS_OK;
    }
    if (node->kind == GOS_LIST && node->n == 0) {
        return wrong(f, node->loc, "%s is an empty list; give at least one name", p->name);
    }
    const bool single = node->kind == GOS_SCALAR;
    gos_texts t = {.n = single ? 1 : node->n};
    t.v = (const char **)gos__arena_alloc(f->arena, t.n, sizeof(*t.v));
    t.loc = GOS_NEW(f->arena, gos_loc, t.n);
    if (t.v == NULL || t.loc == NULL) {
        return GOS_E_MEMORY;
    }
    const gos_node *c = single ? node : node->child;
    for (int i = 0; i < t.n; i++, c = c->next) {
        GOS_TRY(read_text(f, p, c, &t.v[i]));
        t.loc[i] = c->loc;
    }
    *out = t;
    return GOS_OK;
}

/* ---- functions of time ----------------------------------------------------------------------- */

static gos_status fill_timefn(const filler *f, const gos_param *p, const gos_node *node,
                              gos_timefn **out) {
    char object[192];
    gos__format(object, sizeof(object), "%s%s%s%s", f->object != NULL ? f->object : "",
                f->object != NULL ? ": " : "", f->prefix, p->name);
    gos_timefn *fn = NULL;
    const gos_scope scope = {.time = p->choices == NULL,
                             .probes = (p->flags & GOS_P_PROBES) != 0,
                             .variable = p->choices,
                             .of = measure_of(f, p, 0, NULL)};
    GOS_TRY(gos__timefn_make(f->m, node, object, &scope, f->arena, &fn));
    const char *label = p->unit;
    GOS_TRY(gos__unit_kept(f->m->units, p->unit, f->arena, &label));
    gos__timefn_set_unit(fn, label);
    if (gos__timefn_constant(fn)) {
        const char *text = node->kind == GOS_SCALAR ? node->text : NULL;
        GOS_TRY(check_range(f, p, node->loc, text, gos__timefn_eval(fn, 0.0, NULL, NULL)));
    }
    *out = fn;
    return GOS_OK;
}

static gos_status fill_timefns(const filler *f, const gos_param *p, const gos_node *node,
                               gos_timefn **out) {
    GOS_TRY(check_list(f, p, node, p->shape));
    gos_status status = GOS_OK;
    for (const gos_node *c = node->child; c != NULL; c = c->next, out++) {
        const gos_status here = fill_timefn(f, p, c, out);
        status = here != GOS_OK ? here : status;
    }
    return status;
}

/* ---- maps ------------------------------------------------------------------------------------ */

static void fill_map(filler *f, const gos_node *map, const gos_param *params, void *out);

static gos_status fill_nested(filler *f, const gos_param *p, const gos_node *node, void *out) {
    if (node->kind != GOS_MAP) {
        return wrong(f, node->loc, "%s must be a map, like {%s: ...}, got %s", p->name,
                     p->sub[0].name, kind_text(node));
    }
    const char *prefix = gos__arena_printf(f->arena, "%s%s.", f->prefix, p->name);
    if (prefix == NULL) {
        return GOS_E_MEMORY;
    }
    filler inner = {f->m, f->object, f->arena, prefix, f->si, GOS_OK};
    fill_map(&inner, node, p->sub, out);
    return inner.status;
}

static gos_status fill_value(filler *f, const gos_param *p, const gos_node *node, void *out) {
    switch (p->kind) {
    case GOS_K_NUMBER:
        return read_number(f, p, node, out);
    case GOS_K_INT:
        return fill_int(f, p, node, out);
    case GOS_K_BOOL:
        return fill_bool(f, p, node, out);
    case GOS_K_VECTOR:
        return fill_vector(f, p, node, out);
    case GOS_K_NUMBERS:
        return fill_numbers(f, p, node, out);
    case GOS_K_TEXT:
        return read_text(f, p, node, out);
    case GOS_K_CHOICE:
        return fill_choice(f, p, node, out);
    case GOS_K_NAME:
        return fill_name(f, p, node, out);
    case GOS_K_NAMES:
        return fill_names(f, p, node, out);
    case GOS_K_TIMEFN:
        return fill_timefn(f, p, node, out);
    case GOS_K_TIMEFNS:
        return fill_timefns(f, p, node, out);
    case GOS_K_MAP:
        return fill_nested(f, p, node, out);
    case GOS_K_NODE:
        memcpy(out, &node, sizeof(node));
        return GOS_OK;
    }
    return gos__fail(f->m->ctx, GOS_E_INTERNAL, "parameter '%s' has no kind", p->name);
}

static gos_status fill_default(filler *f, const gos_param *p, const gos_node *map, void *out) {
    if (p->kind == GOS_K_MAP) {
        // nested structs get their own defaults; their required keys only matter when the map is
        // given
        for (const gos_param *q = p->sub; q->name != NULL; q++) {
            GOS_TRY(fill_default(f, q, map, (char *)out + q->offset));
        }
        return GOS_OK;
    }
    if (p->def == NULL) {
        return GOS_OK;
    }
    gos_node scalar = {.kind = GOS_SCALAR, .loc = map->loc, .text = p->def};
    gos_node *node = &scalar;
    if (p->def[0] == '[' || p->def[0] == '{') {
        GOS_TRY(
            gos__yaml_parse(f->m->ctx, p->def, strlen(p->def), map->loc.file, 1, f->arena, &node));
    }
    filler own = *f;
    own.si = (p->flags & GOS_P_MODEL_UNIT) == 0;
    return fill_value(&own, p, node, out);
}

static gos_status missing(const filler *f, const gos_param *p, const gos_node *map) {
    char unit[GOS_UNIT_TEXT];
    const gos_loc loc = map->key != NULL ? map->key_loc : map->loc;
    return wrong(f, loc, "%s is missing; give %s%s%s", p->name, p->doc != NULL ? p->doc : "a value",
                 unit_text(f, p, unit)[0] != '\0' ? " in" : "", unit);
}

static gos_status unknown(const filler *f, const gos_param *params, const gos_node *c) {
    const char *names[128];
    int n = 0;
    char list[512] = "";
    for (const gos_param *p = params; p->name != NULL && n < GOS_COUNT(names); p++) {
        const size_t have = strlen(list);
        gos__format(list + have, sizeof(list) - have, "%s%s", n == 0 ? "" : ", ", p->name);
        names[n++] = p->name;
    }
    const char *near = gos__suggest(c->key, names, n);
    const char *colon = strchr(c->key, ':');
    if (colon != NULL && colon[1] != '\0') {
        return gos__fail_at(f->m->ctx, GOS_E_INPUT, c->key_loc, f->object,
                            "unknown key '%s%.64s'; write a space after the colon", f->prefix,
                            c->key);
    }
    if (near != NULL) {
        return gos__fail_at(f->m->ctx, GOS_E_INPUT, c->key_loc, f->object,
                            "unknown key '%s%.64s'; did you mean '%s%s'?", f->prefix, c->key,
                            f->prefix, near);
    }
    return gos__fail_at(f->m->ctx, GOS_E_INPUT, c->key_loc, f->object,
                        "unknown key '%s%.64s'; allowed are %s", f->prefix, c->key, list);
}

static bool has_key(const gos_param *params, const char *key) {
    for (const gos_param *p = params; p->name != NULL; p++) {
        if (strcmp(p->name, key) == 0) {
            return true;
        }
    }
    return false;
}

static void fill_map(filler *f, const gos_node *map, const gos_param *params, void *out) {
    for (const gos_param *p = params; p->name != NULL; p++) {
        gos_node *node = gos__node_get(map, p->name);
        void *member = (char *)out + p->offset;
        if (node != NULL) {
            node->used = true;
        }
        if (node != NULL && !gos__node_null(node)) {
            note(f, fill_value(f, p, node, member));
        } else if (p->flags & GOS_P_REQUIRED) {
            note(f, missing(f, p, map));
        } else {
            note(f, fill_default(f, p, map, member));
        }
    }
    for (gos_node *c = map->child; c != NULL; c = c->next) {
        const bool read_already = strcmp(c->key, "type") == 0 && c->used; // used by gos__type_of
        if (!read_already && !has_key(params, c->key)) {
            note(f, unknown(f, params, c));
        }
    }
}

gos_status gos__fill(gos_model *m, const gos_node *map, const gos_param *params, const char *object,
                     gos_arena *a, void *out) {
    filler f = {m, object, a, "", false, GOS_OK};
    gos_node empty = {.kind = GOS_MAP, .key = map->key, .key_loc = map->key_loc, .loc = map->loc};
    if (map->kind != GOS_MAP && !gos__node_null(map)) {
        return wrong(&f, map->loc, "must be a map, like {%s: ...}, got %s",
                     params[0].name != NULL ? params[0].name : "type", kind_text(map));
    }
    fill_map(&f, map->kind == GOS_MAP ? map : &empty, params, out);
    return f.status;
}
