#include "system/unfinished.h"

#include <ctype.h>

#include "signals/zero_crossing.h"
#include "probes/probe.h"
#include "system/settings.h"
#include "signals/settings_design.h"

typedef struct behind {
    gos_builder *b;
    gos_system *s;
    bool shallow;     // unfinished bodies or patches: make nothing
    gos_names unmade; // entries missing after reported errors
} behind;

static gos_status add(behind *k, const char *name) {
    return gos__names_find(&k->unmade, name, strlen(name))
               ? GOS_OK
               : gos__names_add(k->b->arena, &k->unmade, name, k);
}

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* whether a value refers to a missing entry, also inside expressions */
static bool names_unmade(const behind *k, const gos_node *node) {
    for (const char *at = node->text; node->kind == GOS_SCALAR && *at;) {
        size_t n = 0;
        while (is_letter(at[n])) {
            n++;
        }
        if (n > 0 && gos__names_find(&k->unmade, at, n)) {
            return true;
        }
        at += n > 0 ? n : 1;
    }
    for (const gos_node *c = node->child; c; c = c->next) {
        if (names_unmade(k, c)) {
            return true;
        }
    }
    return false;
}

/* Failed bodies, and bodies depending on them. */
static gos_status look_at_bodies(behind *k) {
    gos_builder *b = k->b;
    const gos_node *e = NULL;
    while ((e = gos__next_entry(b, "bodies", e)) != NULL) {
        GOS_TRY(gos__names_find(&b->bodies, e->key, strlen(e->key)) ? GOS_OK : add(k, e->key));
    }
    gos_status status = GOS_OK;
    while ((e = gos__next_entry(b, "bodies", e)) != NULL) {
        gos_body *body = gos__names_find(&b->bodies, e->key, strlen(e->key));
        if (!body || !body->ops->finish) {
            continue;
        }
        const gos_status s = names_unmade(k, e) ? GOS_E_INPUT : body->ops->finish(b, body);
        GOS_TRY(s == GOS_OK ? GOS_OK : add(k, e->key));
        status = s == GOS_E_MEMORY ? s : status;
    }
    return status;
}

static gos_status make_probe(behind *k, const gos_node *e, const char *object) {
    const gos_status status = gos__probe_make(k->b, e, object, &k->s->probe[k->s->nprobe]);
    k->s->nprobe += status == GOS_OK;
    return status;
}

/* makes entries, or checks them alone */
static gos_status look_at(behind *k, const char *section) {
    gos_status status = GOS_OK;
    const bool probes = strcmp(section, "probes") == 0;
    const gos_node *e = NULL;
    while ((e = gos__next_entry(k->b, section, e)) != NULL) {
        const char *object = gos__object_name(k->b->arena, section, e->key);
        GOS_TRY(object ? GOS_OK : GOS_E_MEMORY);
        const bool unmade = k->shallow || names_unmade(k, e);
        const gos_status s =
            !unmade  ? probes ? make_probe(k, e, object) : gos__entry_make(k->b, section, e, object)
             : probes ? gos__probe_check(k->b, e, object)
                     : gos__entry_check(k->b, section, e, object);
        GOS_TRY(s == GOS_E_MEMORY ? s : GOS_OK);
        GOS_TRY(unmade || s != GOS_OK ? add(k, e->key) : GOS_OK);
        status = status == GOS_OK ? s : status;
    }
    return status;
}

typedef gos_status (*check_fn)(gos_builder *b, const gos_node *entry, const char *object);

static gos_status check_each(gos_builder *b, const char *section, check_fn check) {
    gos_status status = GOS_OK;
    const gos_node *e = NULL;
    while ((e = gos__next_entry(b, section, e)) != NULL) {
        const char *object = gos__object_name(b->arena, section, e->key);
        const gos_status s = object ? check(b, e, object) : GOS_E_MEMORY;
        GOS_TRY(s == GOS_E_MEMORY ? s : GOS_OK);
        status = status == GOS_OK ? s : status;
    }
    return status;
}

gos_status gos__check_unfinished(gos_builder *b, gos_system *s, bool finished) {
    static const char *const sections[] = {"joints", "loads", "heat", "controllers", "probes"};
    const bool patches = gos__node_get(b->model->root, "piezo") != NULL;
    behind k = {.b = b, .s = s, .shallow = finished || patches};
    gos_status first = k.shallow ? GOS_OK : look_at_bodies(&k);
    for (int i = 0; i < GOS_COUNT(sections) && first != GOS_E_MEMORY; i++) {
        const gos_status status = look_at(&k, sections[i]);
        first = first == GOS_OK || status == GOS_E_MEMORY ? status : first;
    }
    GOS_TRY(first == GOS_E_MEMORY ? first : GOS_OK);
    const gos_status rest[] = {first, gos__settings_check_initial(b),
                               check_each(b, "events", gos__crossing_check),
                               check_each(b, "designs", gos__design_check)};
    for (int i = 0; i < GOS_COUNT(rest); i++) {
        GOS_TRY(rest[i]);
    }
    return GOS_OK;
}
