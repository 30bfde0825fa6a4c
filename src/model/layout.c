/* Keys at the top level of a model. Names of entries become paths in results files and CSV column
 * heads, hence their strict form. */
#include "model/private.h"

static const char *const keys[] = {"name",
                                   "description",
                                   "units",
                                   "parameters",
                                   "reference_temperature",
                                   "stefan_boltzmann",
                                   "gravity",
                                   "orbit",
                                   "redundant",
                                   "floating_bodies",
                                   "materials",
                                   "sections",
                                   "meshes",
                                   "bodies",
                                   "joints",
                                   "loads",
                                   "heat",
                                   "piezo",
                                   "controllers",
                                   "designs",
                                   "probes",
                                   "events",
                                   "initial",
                                   "analysis",
                                   "output",
                                   "reduction"};

static const char *const named[] = {"parameters", "materials", "sections", "meshes", "bodies",
                                    "joints",     "loads",     "heat",     "piezo",  "controllers",
                                    "designs",    "probes",    "events",   "initial"};

static const char *const texts[] = {"name", "description"};

static bool is_among(const char *key, const char *const *list, int n) {
    for (int i = 0; i < n; i++) {
        if (strcmp(key, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *const *gos__layout_keys(int *n) {
    *n = GOS_COUNT(keys);
    return keys;
}

bool gos__layout_known(const char *key) {
    return is_among(key, keys, GOS_COUNT(keys));
}

bool gos__layout_named(const char *key) {
    return is_among(key, named, GOS_COUNT(named));
}

static gos_status unknown_key(gos_ctx *ctx, const gos_node *entry) {
    const char *near = gos__suggest(entry->key, keys, GOS_COUNT(keys));
    if (near != NULL) {
        return gos__fail_at(ctx, GOS_E_INPUT, entry->key_loc, NULL,
                            "unknown key '%.64s'; did you mean '%s'?", entry->key, near);
    }
    return gos__fail_at(
        ctx, GOS_E_INPUT, entry->key_loc, NULL,
        "unknown key '%.64s'; a model has name, description, units, parameters, "
        "reference_temperature, stefan_boltzmann, gravity, orbit, redundant, floating_bodies, "
        "materials, sections, meshes, bodies, "
        "joints, loads, heat, piezo, controllers, designs, probes, events, initial, analysis, "
        "output, reduction",
        entry->key);
}

static gos_status check_named(gos_ctx *ctx, gos_node *section) {
    // an empty section counts as absent
    if (gos__node_null(section)) {
        section->kind = GOS_MAP;
        section->n = 0;
        return GOS_OK;
    }
    if (section->kind != GOS_MAP) {
        return gos__fail_at(ctx, GOS_E_INPUT, section->loc, section->key,
                            "must be a map of named entries, like  name: {...}");
    }
    gos_status status = GOS_OK;
    for (const gos_node *c = section->child; c != NULL; c = c->next) {
        if (!gos__name_valid(c->key)) {
            status = gos__fail_at(ctx, GOS_E_INPUT, c->key_loc, section->key,
                                  "'%.80s' is not a valid name; use letters, digits and _, not "
                                  "beginning with a digit, at most %d characters",
                                  c->key, GOS_LIMIT_NAME);
        }
    }
    return status;
}

static gos_status check_text(gos_ctx *ctx, const gos_node *node) {
    if (node->kind == GOS_SCALAR) {
        return GOS_OK;
    }
    return gos__fail_at(ctx, GOS_E_INPUT, node->loc, node->key,
                        "must be a text, not a %s; put it in quotes",
                        node->kind == GOS_LIST ? "list" : "map");
}

gos_status gos__layout_check(gos_ctx *ctx, gos_node *root) {
    gos_status status = GOS_OK;
    for (gos_node *c = root->child; c != NULL; c = c->next) {
        gos_status here = GOS_OK;
        if (!is_among(c->key, keys, GOS_COUNT(keys))) {
            here = unknown_key(ctx, c);
        } else if (gos__layout_named(c->key)) {
            here = check_named(ctx, c);
        } else if (is_among(c->key, texts, GOS_COUNT(texts))) {
            here = check_text(ctx, c);
        }
        status = here != GOS_OK ? here : status;
    }
    return status;
}
