/* Numbers with units. They are checked for dimension and converted into the units of the model. */
#include "model/quantity.h"

#include <math.h>

bool gos__quantity_written(const char *text, size_t *number, const char **unit) {
    const size_t sign = text[0] == '-' || text[0] == '+';
    const size_t n = gos__number_length(text + sign);
    const char *s = text + sign + n;
    s += strspn(s, " ");
    const char *after = s + 1 + strspn(*s ? s + 1 : s, " ");
    const bool percent = *s == '%' && (*after == '\0' || *after == '/'); // not "5 % 2"
    const bool letter = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || percent;
    *number = sign + n;
    *unit = s;
    return n > 0 && letter && s > text + sign + n;
}

static gos_status wrong(gos_model *m, gos_loc loc, const char *object, const char *fmt, ...)
    GOS_PRINTF(4, 5);

static gos_status wrong(gos_model *m, gos_loc loc, const char *object, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    gos__vformat(text, sizeof text, fmt, args);
    va_end(args);
    return gos__fail_at(m->ctx, GOS_E_INPUT, loc, object, "%s", text);
}

gos_status gos__quantity_refuse(gos_model *m, const char *text, gos_loc loc, const char *object) {
    return wrong(m, loc, object, "'%.60s': this value takes no unit; give a plain number", text);
}

static gos_status unknown_unit(gos_model *m, const char *text, const char *at, int length,
                               gos_loc loc, const char *object) {
    char word[GOS_LIMIT_NAME + 1];
    gos__format(word, sizeof word, "%.*s", length, at);
    if (length == 0) {
        return wrong(m, loc, object,
                     "'%.60s' is not a number with a unit; write units like 'N m/rad' or "
                     "'W/(m^2 K)', after a plain number",
                     text);
    }
    char near[GOS_UNIT_NAME];
    return gos__unit_suggest(word, near)
               ? wrong(m, loc, object, "unknown unit '%s' in '%.60s'; did you mean '%s'?", word,
                       text, near)
               : wrong(m, loc, object,
                       "unknown unit '%s' in '%.60s'; `gossamer help units` lists the units", word,
                       text);
}

static gos_status parse(gos_model *m, const char *text, const char *name, gos_loc loc,
                        const char *object, gos_unit_def *unit) {
    int word;
    const char *at = gos__unit_parse(name, strlen(name), unit, &word);
    return at ? unknown_unit(m, text, at, word, loc, object) : GOS_OK;
}

/* the reference temperature [K] */
static gos_status reference_of(gos_model *m, double *value) {
    const gos_node *node = gos__node_given(m->root, "reference_temperature");
    const gos_measure kelvin = {.unit = "K", .scale = GOS_ABSOLUTE};
    const char *text = node && node->kind == GOS_SCALAR ? node->text : GOS_REFERENCE_TEMPERATURE;
    return gos__quantity(m, text, node ? node->loc : (gos_loc){0}, "model", &kelvin, value);
}

/* degC and degF are absolute temperatures; K is a difference, or absolute where the key is */
static gos_status convert_temperature(gos_model *m, const char *text, gos_loc loc,
                                      const char *object, gos_temperature scale,
                                      const gos_unit_def *unit, double *value) {
    double reference = 0;
    if (unit->offset == 0 && scale == GOS_OVER_REFERENCE) {
        return wrong(m, loc, object,
                     "'%.60s' may be meant absolute or relative to reference_temperature; give an "
                     "absolute temperature in degC, or the difference from the reference [K] as a "
                     "plain number",
                     text);
    }
    if (unit->offset != 0 && scale == GOS_DIFFERENCE) {
        return wrong(m, loc, object,
                     "'%.60s' is an absolute temperature, but this is a difference of "
                     "temperatures; give it in K",
                     text);
    }
    if (scale == GOS_OVER_REFERENCE) {
        GOS_TRY(reference_of(m, &reference));
    }
    *value -= reference;
    return GOS_OK;
}

static bool is_temperature(const gos_unit_def *unit) {
    const gos_unit_def kelvin = {.power = {[GOS_DIM_TEMPERATURE] = 1}};
    return gos__unit_same_dimension(unit, &kelvin);
}

/* a value with `unit`, checked against that of a key; NULL: any but scales of temperature */
static gos_status convert(gos_model *m, const char *text, gos_loc loc, const char *object,
                          const gos_measure *of, const gos_unit_def *unit, double *value) {
    gos_unit_def key;
    char label[GOS_UNIT_TEXT];
    if (!of->unit || gos__unit_parse(of->unit, strlen(of->unit), &key, NULL) ||
        (of->unit[0] == '\0')) {
        return of->unit && of->unit[0] && strcmp(of->unit, "-") != 0
                   ? wrong(m, loc, object,
                           "'%.60s': the unit is not fixed (%s); give a plain "
                           "number",
                           text, of->unit)
                   : gos__quantity_refuse(m, text, loc, object);
    }
    if (!gos__unit_same_dimension(unit, &key)) {
        const bool coulomb = is_temperature(&key) && strcmp(text + strcspn(text, " "), " C") == 0;
        gos__unit_label(m->units, of->unit, label, sizeof label);
        return gos__unit_plain(&key)
                   ? gos__quantity_refuse(m, text, loc, object)
                   : wrong(m, loc, object, "'%.60s' cannot be converted to %s; give %s%s", text,
                           label, coulomb ? "degC, C is the coulomb, or " : "a value in ", label);
    }
    *value = gos__unit_convert(unit, m->units, *value);
    return is_temperature(unit) ? convert_temperature(m, text, loc, object, of->scale, unit, value)
                                : GOS_OK;
}

/* a parameter that stands alone keeps its unit: check its dimension */
static gos_status check_parameter(gos_model *m, const char *text, gos_loc loc, const char *object,
                                  const gos_measure *of) {
    const gos_parameter *p = gos__parameter_get(m, text, (int)strlen(text));
    gos_unit_def key;
    if (!p || !p->unit) {
        return GOS_OK;
    }
    const bool known =
        of->unit && of->unit[0] != '\0' && !gos__unit_parse(of->unit, strlen(of->unit), &key, NULL);
    if (!known || (gos__unit_same_dimension(p->unit, &key) &&
                   !(is_temperature(&key) && of->scale == GOS_OVER_REFERENCE))) {
        return GOS_OK;
    }
    double ignored = 0;
    return convert(m, text, loc, object, of, p->unit, &ignored);
}

gos_status gos__quantity(gos_model *m, const char *text, gos_loc loc, const char *object,
                         const gos_measure *of, double *value) {
    size_t n;
    const char *name;
    double v;
    if (!gos__quantity_written(text, &n, &name)) {
        GOS_TRY(gos__expr(m, text, loc, object, &v));
        GOS_TRY(check_parameter(m, text, loc, object, of));
        *value = of->si ? gos__unit_from_si(m->units, of->unit, v) : v;
        return GOS_OK;
    }
    char number[64];
    gos_unit_def unit;
    gos__format(number, sizeof number, "%.*s", (int)n, text);
    GOS_TRY(gos__expr(m, number, loc, object, &v));
    GOS_TRY(parse(m, text, name, loc, object, &unit));
    GOS_TRY(convert(m, text, loc, object, of, &unit, &v));
    if (!(fabs(v) <= GOS_LIMIT_NUMBER)) {
        return wrong(m, loc, object, "%g is too large; give at most %g", v, GOS_LIMIT_NUMBER);
    }
    *value = v;
    return GOS_OK;
}

gos_status gos__quantity_parameter(gos_model *m, const char *text, gos_loc loc, const char *object,
                                   double *value, const gos_unit_def **unit) {
    size_t n;
    const char *name;
    *unit = NULL;
    if (!gos__quantity_written(text, &n, &name)) {
        return gos__expr(m, text, loc, object, value);
    }
    gos_unit_def u;
    GOS_TRY(parse(m, text, name, loc, object, &u));
    if (u.offset != 0) {
        return wrong(m, loc, object,
                     "'%.60s': a parameter may be used as a temperature or as a difference; write "
                     "the temperature in %s at the key itself",
                     text, name);
    }
    gos_unit_def *own = GOS_NEW(m->arena, gos_unit_def, 1);
    char number[64];
    if (!own) {
        return GOS_E_MEMORY;
    }
    *own = u;
    gos__format(number, sizeof number, "%.*s", (int)n, text);
    GOS_TRY(gos__expr(m, number, loc, object, value));
    *value = gos__unit_convert(&u, m->units, *value);
    *unit = own;
    return GOS_OK;
}

/* ---- the units of a model -------------------------------------------------------------------- */

static gos_status unknown_set(gos_model *m, const gos_node *node) {
    char list[128] = "";
    for (int i = 0; gos__unit_set_name(i); i++) {
        const size_t have = strlen(list);
        gos__format(list + have, sizeof list - have, "%s%s", i > 0 ? ", " : "",
                    gos__unit_set_name(i));
    }
    return wrong(m, node->loc, "units",
                 "'%.40s' is not a set of units; give %s, or base units like {length: mm, mass: t, "
                 "time: s}",
                 node->text, list);
}

static gos_status read_base(gos_model *m, const gos_node *c, gos_unit_set *set) {
    static const char *const names[] = {"length", "mass", "time", "current"};
    static const char *const examples[] = {"mm", "t", "s", "mA"};
    int d = 0;
    while (d < GOS_COUNT(names) && strcmp(c->key, names[d]) != 0) {
        d++;
    }
    if (d == GOS_COUNT(names)) {
        return wrong(m, c->key_loc, "units",
                     "unknown key '%.40s'; base units are length, mass, time and current", c->key);
    }
    if (c->kind != GOS_SCALAR || !gos__unit_set_base(set, d, c->text)) {
        return wrong(m, c->loc, "units", "%s must be a unit of %s, like %s, not '%.40s'", names[d],
                     names[d], examples[d], c->kind == GOS_SCALAR ? c->text : "");
    }
    if (d == GOS_DIM_TIME && strcmp(c->text, "s") != 0) {
        return wrong(m, c->loc, "units",
                     "times are in s; other units of time are not supported, but numbers may have "
                     "them (5 %.10s)",
                     c->text);
    }
    return GOS_OK;
}

gos_status gos__model_units(gos_model *m) {
    const gos_node *node = gos__node_given(m->root, "units");
    m->units = NULL;
    if (!node) {
        return GOS_OK;
    }
    gos_unit_set *set = GOS_NEW(m->arena, gos_unit_set, 1);
    if (!set) {
        return GOS_E_MEMORY;
    }
    gos_status status = GOS_OK;
    (void)gos__unit_set_find("SI", set);
    if (node->kind == GOS_SCALAR) {
        status = gos__unit_set_find(node->text, set) ? GOS_OK : unknown_set(m, node);
    } else if (node->kind == GOS_LIST) {
        status = wrong(m, node->loc, "units",
                       "must be a name like mm-t-s, or base units like {length: mm, mass: t}");
    }
    for (const gos_node *c = node->kind == GOS_MAP ? node->child : NULL; c; c = c->next) {
        const gos_status here = read_base(m, c, set);
        status = here != GOS_OK ? here : status;
        gos__unit_set_describe(set);
    }
    gos_unit_set si;
    (void)gos__unit_set_find("SI", &si);
    m->units = status == GOS_OK && !gos__unit_set_same(set, &si) ? set : NULL;
    return status;
}

const char *gos_model_units(gos_model *model) {
    return gos__model_units(model) == GOS_OK && model->units ? model->units->text : "SI";
}
