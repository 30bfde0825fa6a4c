/* The model format as a JSON schema (draft 7) for editors, generated from the parameter tables.
 * GOS_K_NODE is unrestricted; checks that need values (ranges of expressions, existing names) are
 * left to `gossamer check`. */
#include "model/private.h"

#include <math.h>

/* ---- values ---------------------------------------------------------------------------------- */

static void next_item(FILE *out, bool *first) {
    fputs(*first ? "" : ", ", out);
    *first = false;
}

static void put_limit(FILE *out, const char *key, double limit) {
    if (isfinite(limit)) {
        fprintf(out, ", \"%s\": ", key);
        gos_json_number(out, limit);
    }
}

static void put_number(FILE *out, const gos_param *p) {
    fputs("\"type\": [\"number\", \"string\"]", out);
    if (p->lo != 0 || p->hi != 0) {
        put_limit(out, p->flags & GOS_P_LO_OPEN ? "exclusiveMinimum" : "minimum", p->lo);
        put_limit(out, p->flags & GOS_P_HI_OPEN ? "exclusiveMaximum" : "maximum", p->hi);
    }
}

/* numbered words also accept numbers and any text, which may be a parameter */
static void put_choice(FILE *out, const char *choices) {
    const bool numbered = strchr(choices, '=') != NULL;
    fputs(numbered ? "\"anyOf\": [{\"enum\": [" : "\"enum\": [", out);
    bool first = true;
    for (const char *s = choices; *s != '\0';) {
        const int n = (int)strcspn(s, "|="), all = (int)strcspn(s, "|");
        next_item(out, &first);
        fprintf(out, "\"%.*s\"", n, s);
        s += all + (s[all] == '|');
    }
    fputs(numbered ? "]}, {\"type\": [\"number\", \"string\"]}]" : "]", out);
}

static void put_values(FILE *out, const gos_param *p) {
    gos_value_info v;
    bool first = true;
    fputs("\"enum\": [", out);
    for (int i = 0; p->value(i, &v); i++) {
        next_item(out, &first);
        gos_json_text(out, v.name);
    }
    fputs("]", out);
}

static void put_list(FILE *out, int shape) {
    fputs("\"type\": \"array\", \"items\": {\"type\": [\"number\", \"string\"]}", out);
    if (shape > 0) {
        fprintf(out, ", \"minItems\": %d, \"maxItems\": %d", shape, shape);
    }
}

static void put_object(FILE *out, const gos_param *p, const char *key, const char *word,
                       bool required, bool open);

static void put_kind(FILE *out, const gos_param *p) {
    switch (p->kind) {
    case GOS_K_NUMBER:
    case GOS_K_INT:
        put_number(out, p);
        break;
    case GOS_K_BOOL:
        fputs("\"type\": [\"boolean\", \"number\", \"string\"]", out);
        break;
    case GOS_K_VECTOR:
        put_list(out, p->shape);
        break;
    case GOS_K_NUMBERS:
        fputs("\"type\": [\"array\", \"number\", \"string\"]", out);
        break;
    case GOS_K_CHOICE:
        put_choice(out, p->choices);
        break;
    case GOS_K_TEXT:
        if (p->value != NULL) {
            put_values(out, p);
            break;
        }
        fputs("\"type\": [\"string\", \"number\"]", out);
        break;
    case GOS_K_NAME:
        fputs("\"type\": [\"string\", \"number\"]", out);
        break;
    case GOS_K_NAMES:
        fputs("\"type\": [\"string\", \"array\"], \"items\": {\"type\": \"string\"}", out);
        break;
    case GOS_K_TIMEFN:
        fputs("\"type\": [\"number\", \"string\", \"object\"]", out);
        break;
    case GOS_K_TIMEFNS:
        fprintf(out,
                "\"type\": \"array\", \"items\": {\"type\": [\"number\", \"string\", \"object\"]}, "
                "\"minItems\": %d, \"maxItems\": %d",
                p->shape, p->shape);
        break;
    case GOS_K_MAP:
        put_object(out, p->sub, NULL, NULL, false, false);
        break;
    case GOS_K_NODE:
        break;
    }
}

static void put_description(FILE *out, const gos_param *p) {
    char text[2048];
    const bool unit = p->unit != NULL && p->unit[0] != '\0';
    gos__format(text, sizeof text, "%s%s%s%s%s%s", p->doc != NULL ? p->doc : p->name,
                unit ? " [" : "", unit ? p->unit : "", unit ? "]" : "",
                p->def != NULL ? "; default " : "", p->def != NULL ? p->def : "");
    fputs("\"description\": ", out);
    gos_json_text(out, text);
}

static void put_property(FILE *out, const gos_param *p) {
    gos_json_text(out, p->name);
    fputs(": {", out);
    put_description(out, p);
    if (p->kind != GOS_K_NODE) {
        // null counts as absent
        fputs(", \"anyOf\": [{\"type\": \"null\"}, {", out);
        put_kind(out, p);
        fputs("}]", out);
    }
    fputs("}", out);
}

/* ---- entries --------------------------------------------------------------------------------- */

/* `key` (may be NULL) selects the type, whose name is `word`; `required`: it must be given.
 * `open`: other keys are read elsewhere. */
static void put_object(FILE *out, const gos_param *p, const char *key, const char *word,
                       bool required, bool open) {
    bool first = key == NULL;
    fprintf(out, "\"type\": \"object\", \"additionalProperties\": %s, \"properties\": {",
            open ? "true" : "false");
    if (key != NULL) {
        fprintf(out, "\"%s\": {\"const\": \"%s\"}", key, word);
    }
    for (const gos_param *q = p; q->name != NULL; q++) {
        next_item(out, &first);
        put_property(out, q);
    }
    fputs("}, \"required\": [", out);
    first = !required;
    if (required) {
        fprintf(out, "\"%s\"", key);
    }
    for (const gos_param *q = p; q->name != NULL; q++) {
        if (q->flags & GOS_P_REQUIRED) {
            next_item(out, &first);
            gos_json_text(out, q->name);
        }
    }
    fputs("]", out);
}

/* types nested in other entries */
static bool is_inner(const gos_type *t) {
    return t->ops == NULL &&
           (strcmp(t->section, "meshes") == 0 || strcmp(t->section, "piezo") == 0);
}

static int count_types(const gos_type *const *types, const char *section) {
    int n = 0;
    for (; *types != NULL; types++) {
        n += strcmp((*types)->section, section) == 0 && !is_inner(*types);
    }
    return n;
}

/* `key` selects the type (default `otherwise`) */
static void put_entry(FILE *out, const gos_type *const *types, const char *section, const char *key,
                      const char *otherwise, bool open) {
    const bool several = count_types(types, section) > 1;
    bool first = true;
    fputs(several ? "{\"anyOf\": [" : "", out);
    for (; *types != NULL; types++) {
        const gos_type *t = *types;
        if (strcmp(t->section, section) == 0 && !is_inner(t)) {
            next_item(out, &first);
            fputs("{\"description\": ", out);
            gos_json_text(out, t->doc);
            fputs(", ", out);
            put_object(out, t->params, key, t->name,
                       several && (otherwise == NULL || strcmp(otherwise, t->name) != 0), open);
            fputs("}", out);
        }
    }
    fputs(several ? "]}" : "", out);
}

static void put_section(FILE *out, const gos_type *const *types, const char *key) {
    const bool has_named_entries = gos__layout_named(key);
    // bodies add their own keys
    const bool open = strcmp(key, "initial") == 0;
    const bool reduction = strcmp(key, "reduction") == 0;
    if (count_types(types, key) == 0) {
        fputs(has_named_entries ? "{\"type\": [\"object\", \"null\"]}"
                                : "{\"type\": [\"string\", \"number\"]}",
              out);
        return;
    }
    fputs("{\"anyOf\": [{\"type\": \"null\"}, ", out);
    if (has_named_entries) {
        fputs("{\"type\": \"object\", \"propertyNames\": {\"pattern\": "
              "\"^[A-Za-z_][A-Za-z0-9_]{0,63}$\"}, \"additionalProperties\": ",
              out);
    }
    const char *otherwise = reduction ? "auto" : strcmp(key, "materials") == 0 ? "material" : NULL;
    put_entry(out, types, key, reduction ? "method" : "type", otherwise, open);
    fputs(has_named_entries ? "}]}" : "]}", out);
}

/* top-level values are a type of the section "model" */
static const gos_param *top_param(const gos_type *const *types, const char *key) {
    for (; *types != NULL; types++) {
        for (const gos_param *p = (*types)->params;
             strcmp((*types)->section, "model") == 0 && p->name != NULL; p++) {
            if (strcmp(p->name, key) == 0) {
                return p;
            }
        }
    }
    return NULL;
}

gos_status gos__schema(gos_ctx *ctx, const gos_type *const *types, FILE *out) {
    int n;
    const char *const *keys = gos__layout_keys(&n);
    fputs("{\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n \"title\": \"Gossamer "
          "model\",\n \"type\": \"object\", \"additionalProperties\": false,\n \"properties\": {",
          out);
    for (int i = 0; i < n; i++) {
        const gos_param *p = top_param(types, keys[i]);
        fputs(i > 0 ? ",\n  " : "\n  ", out);
        if (p != NULL) {
            put_property(out, p);
        } else {
            fprintf(out, "\"%s\": ", keys[i]);
            put_section(out, types, keys[i]);
        }
    }
    fputs("}}\n", out);
    if (ferror(out)) {
        return gos__fail(ctx, GOS_E_FILE, "the schema could not be written");
    }
    return GOS_OK;
}
