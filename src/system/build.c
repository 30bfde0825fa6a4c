/* Builds a system from a model: collects all entries and errors, numbers unknowns and lays out the
 * Newton matrix. */
#include <math.h>
#include <ctype.h>

#include "base/base.h"
#include "bodies/piezo.h"
#include "mesh/generate.h"
#include "system/constants.h"
#include "signals/zero_crossing.h"
#include "constraints/dropped_rows.h"
#include "signals/feedback.h"
#include "probes/fields.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "probes/probe.h"
#include "constraints/redundant.h"
#include "system/settings.h"
#include "system/shadows.h"
#include "signals/settings_design.h"
#include "system/system.h"
#include "system/thermal_only.h"

/* Checks of remaining entries after failed bodies. */

typedef struct remaining {
    gos_builder *b;
    gos_system *s;
    bool shallow;           // unfinished bodies or patches: make nothing
    gos_names failed_names; // entries missing after reported errors
} remaining;

static gos_status add(remaining *k, const char *name) {
    return gos__names_find(&k->failed_names, name, strlen(name))
               ? GOS_OK
               : gos__names_add(k->b->arena, &k->failed_names, name, k);
}

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* whether a value refers to a missing entry, also inside expressions */
static bool names_failed(const remaining *k, const gos_node *node) {
    for (const char *at = node->text; node->kind == GOS_SCALAR && *at;) {
        size_t n = 0;
        while (is_letter(at[n])) {
            n++;
        }
        if (n > 0 && gos__names_find(&k->failed_names, at, n)) {
            return true;
        }
        at += n > 0 ? n : 1;
    }
    for (const gos_node *c = node->child; c; c = c->next) {
        if (names_failed(k, c)) {
            return true;
        }
    }
    return false;
}

/* Failed bodies, and bodies depending on them. */
static gos_status check_bodies(remaining *k) {
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
        const gos_status s = names_failed(k, e) ? GOS_E_INPUT : body->ops->finish(b, body);
        GOS_TRY(s == GOS_OK ? GOS_OK : add(k, e->key));
        status = s == GOS_E_MEMORY ? s : status;
    }
    return status;
}

static gos_status make_probe(remaining *k, const gos_node *e, const char *object) {
    const gos_status status = gos__probe_make(k->b, e, object, &k->s->probe[k->s->nprobe]);
    k->s->nprobe += status == GOS_OK;
    return status;
}

/* names in messages */
static const struct {
    const char *section, *singular;
} singulars[] = {{"materials", "material"}, {"sections", "section"},       {"meshes", "mesh"},
                 {"bodies", "body"},        {"joints", "joint"},           {"loads", "load"},
                 {"heat", "heat"},          {"probes", "probe"},           {"events", "event"},
                 {"designs", "design"},     {"controllers", "controller"}, {"piezo", "piezo"}};

/* name in messages: "body 'rod'"; NULL without memory */
static const char *object_name(gos_arena *a, const char *section, const char *key) {
    for (int i = 0; i < GOS_COUNT(singulars); i++) {
        if (strcmp(singulars[i].section, section) == 0) {
            return gos__arena_printf(a, "%s '%s'", singulars[i].singular, key);
        }
    }
    return gos__arena_printf(a, "%s '%s'", section, key);
}

static gos_status entry_make(gos_builder *b, const char *section, const gos_node *e,
                             const char *object) {
    const gos_type *type = NULL;
    GOS_TRY(gos__type_of(b->model, e, section, gos__registry(), object, &type));
    const gos_build_ops *ops = type->ops;
    return ops->build(b, type, e, e->key, object);
}

static gos_status entry_check(gos_builder *b, const char *section, const gos_node *e,
                              const char *object) {
    const gos_type *type = NULL;
    GOS_TRY(gos__type_of(b->model, e, section, gos__registry(), object, &type));
    void *def = gos__arena_alloc(b->arena, 1, type->size);
    return def ? gos__fill(b->model, e, type->params, object, b->arena, def) : GOS_E_MEMORY;
}

/* makes entries, or checks them alone */
static gos_status check_section(remaining *k, const char *section) {
    gos_status status = GOS_OK;
    const bool probes = strcmp(section, "probes") == 0;
    const gos_node *e = NULL;
    while ((e = gos__next_entry(k->b, section, e)) != NULL) {
        const char *object = object_name(k->b->arena, section, e->key);
        GOS_TRY(object ? GOS_OK : GOS_E_MEMORY);
        const bool failed_names = k->shallow || names_failed(k, e);
        const gos_status s =
            !failed_names ? probes ? make_probe(k, e, object) : entry_make(k->b, section, e, object)
            : probes ? gos__probe_check(k->b, e, object)
                          : entry_check(k->b, section, e, object);
        GOS_TRY(s == GOS_E_MEMORY ? s : GOS_OK);
        GOS_TRY(failed_names || s != GOS_OK ? add(k, e->key) : GOS_OK);
        status = status == GOS_OK ? s : status;
    }
    return status;
}

typedef gos_status (*check_fn)(gos_builder *b, const gos_node *entry, const char *object);

static gos_status check_each(gos_builder *b, const char *section, check_fn check) {
    gos_status status = GOS_OK;
    const gos_node *e = NULL;
    while ((e = gos__next_entry(b, section, e)) != NULL) {
        const char *object = object_name(b->arena, section, e->key);
        const gos_status s = object ? check(b, e, object) : GOS_E_MEMORY;
        GOS_TRY(s == GOS_E_MEMORY ? s : GOS_OK);
        status = status == GOS_OK ? s : status;
    }
    return status;
}

/* Report errors after body failures. Entries depending on failed ones are checked alone; others
 * are made. s->probe has room for all. finished: bodies failed on finishing, which is not
 * repeated; nothing is made. @return the first failure */
static gos_status check_unfinished(gos_builder *b, gos_system *s, bool finished) {
    static const char *const sections[] = {"joints", "loads", "heat", "controllers", "probes"};
    const bool patches = gos__node_get(b->model->root, "piezo") != NULL;
    remaining k = {.b = b, .s = s, .shallow = finished || patches};
    gos_status first = k.shallow ? GOS_OK : check_bodies(&k);
    for (int i = 0; i < GOS_COUNT(sections) && first != GOS_E_MEMORY; i++) {
        const gos_status status = check_section(&k, sections[i]);
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

#define MIN_REPORTED_MEMORY 1e8 // [bytes]

typedef gos_status (*entry_fn)(gos_builder *b, const gos_node *entry, const char *object);

/* applies fn to all entries; returns the first error */
static gos_status each(gos_builder *b, const char *section, entry_fn fn, int *count) {
    gos_status status = GOS_OK;
    for (const gos_node *e = gos__next_entry(b, section, NULL); e;
         e = gos__next_entry(b, section, e)) {
        const char *object = object_name(b->arena, section, e->key);
        if (!object) {
            return GOS_E_MEMORY;
        }
        const gos_status s = fn(b, e, object);
        status = status == GOS_OK ? s : status;
        if (s == GOS_E_MEMORY) {
            return s;
        }
        if (count) {
            ++*count;
        }
    }
    return status;
}

static gos_status count_entry(gos_builder *b, const char *section, const gos_node *e,
                              const char *object) {
    const gos_node *word = gos__node_given(e, "type");
    const gos_type *const *types = gos__registry();
    for (int i = 0; word && word->kind == GOS_SCALAR && types[i]; i++) {
        if (strcmp(types[i]->section, section) == 0 && strcmp(types[i]->name, word->text) == 0) {
            const gos_build_ops *ops = types[i]->ops;
            return ops && ops->count ? ops->count(b, e, object) : GOS_OK;
        }
    }
    return GOS_OK;
}

static gos_status body_entry(gos_builder *b, const gos_node *e, const char *object) {
    return entry_make(b, "bodies", e, object);
}

static gos_status count_body(gos_builder *b, const gos_node *e, const char *object) {
    return count_entry(b, "bodies", e, object);
}

static gos_status count_heat(gos_builder *b, const gos_node *e, const char *object) {
    return count_entry(b, "heat", e, object);
}

static gos_status joint_entry(gos_builder *b, const gos_node *e, const char *object) {
    return entry_make(b, "joints", e, object);
}

static gos_status load_entry(gos_builder *b, const gos_node *e, const char *object) {
    return entry_make(b, "loads", e, object);
}

static gos_status heat_entry(gos_builder *b, const gos_node *e, const char *object) {
    return entry_make(b, "heat", e, object);
}

static gos_status controller_entry(gos_builder *b, const gos_node *e, const char *object) {
    return entry_make(b, "controllers", e, object);
}

static gos_status piezo_entry(gos_builder *b, const gos_node *e, const char *object) {
    return entry_make(b, "piezo", e, object);
}

static gos_status finish_piezo(gos_builder *b, const gos_node *e, const char *object) {
    const gos_piezo *p = gos__find_piezo(b, e);
    GOS_UNUSED(object);
    return p ? gos__piezo_finish(b, p) : GOS_OK;
}

static gos_status material_entry(gos_builder *b, const gos_node *e, const char *object) {
    gos_material *m = NULL;
    GOS_TRY(gos__material_make(b->model, e, object, b->arena, &m));
    return gos__names_add(b->arena, &b->materials, e->key, m);
}

static gos_status finish_material(gos_builder *b, const gos_node *e, const char *object) {
    return gos__laminate_finish(b, e, object);
}

static gos_status section_entry(gos_builder *b, const gos_node *e, const char *object) {
    gos_section *s = NULL;
    GOS_TRY(gos__section_make(b->model, e, object, b->arena, &s));
    return gos__names_add(b->arena, &b->sections, e->key, s);
}

static void destroy_mesh(void *mesh) {
    gos__mesh_destroy(mesh);
}

static gos_status mesh_entry(gos_builder *b, const gos_node *e, const char *object) {
    gos_mesh *mesh = NULL;
    GOS_TRY(gos__mesh_make(b->model, e, object, &mesh));
    const gos_status status = gos__arena_defer(b->arena, destroy_mesh, mesh);
    if (status != GOS_OK) {
        gos__mesh_destroy(mesh);
        return status;
    }
    return gos__names_add(b->arena, &b->meshes, e->key, mesh);
}

static gos_status finish_bodies(gos_builder *b) {
    gos_status status = GOS_OK;
    for (int i = 0; i < b->nbody; i++) {
        gos_body *body = b->body[i];
        const gos_status s = body->ops->finish ? body->ops->finish(b, body) : GOS_OK;
        status = status == GOS_OK ? s : status;
    }
    return status;
}

static int count_of(const gos_builder *b, const char *section) {
    const gos_node *n = gos__node_get(b->model->root, section);
    return n ? n->n : 0;
}

static gos_status first_of(const gos_status *status, int n) {
    for (int i = 0; i < n; i++) {
        if (status[i] != GOS_OK) {
            return status[i];
        }
    }
    return GOS_OK;
}

static gos_status read_bodies(gos_builder *b, gos_system *s) {
    const gos_status status[] = {
        gos__settings_root(b),
        gos__settings_orbit_read(b),
        gos__settings_run(b, &s->options, &s->steady_heat, &s->reduction, &s->output_limit),
        each(b, "materials", material_entry, NULL),
        each(b, "materials", finish_material, NULL),
        each(b, "sections", section_entry, NULL),
        each(b, "bodies", count_body, NULL),
        each(b, "heat", count_heat, NULL)};
    for (int i = 1; i <= 2; i++) { // too much to make: the rest is checked as entries alone
        GOS_TRY(status[GOS_COUNT(status) - i]);
    }
    const gos_status derived[] = {
        first_of(status, GOS_COUNT(status)), each(b, "meshes", mesh_entry, NULL),
        each(b, "piezo", piezo_entry, NULL), each(b, "bodies", body_entry, NULL)};
    return first_of(derived, GOS_COUNT(derived));
}

static gos_status read_rest(gos_builder *b, gos_system *s) {
    gos_status status[] = {
        each(b, "joints", joint_entry, &s->njoints),    each(b, "loads", load_entry, &s->nloads),
        each(b, "heat", heat_entry, &s->nheat),         gos__settings_apply_initial(b),
        each(b, "controllers", controller_entry, NULL), GOS_OK};
    gos_status *of_probes = &status[GOS_COUNT(status) - 1];
    const gos_node *probes = gos__node_get(b->model->root, "probes");
    for (const gos_node *e = probes ? probes->child : NULL; e; e = e->next) {
        const char *object = object_name(b->arena, "probes", e->key);
        const gos_status p =
            object ? gos__probe_make(b, e, object, &s->probe[s->nprobe]) : GOS_E_MEMORY;
        s->nprobe += p == GOS_OK;
        *of_probes = *of_probes == GOS_OK ? p : *of_probes;
    }
    const gos_status last[] = {gos__crossings_make(b, s),
                               each(b, "designs", gos__design_check, NULL)};
    const gos_status rest = first_of(status, GOS_COUNT(status));
    return rest != GOS_OK ? rest : first_of(last, GOS_COUNT(last));
}

static gos_status check_steady(const gos_builder *b, const gos_system *s) {
    bool states = false;
    for (int i = 0; i < b->nsingle; i++) {
        states = states || b->single[i].heat;
    }
    if (!s->steady_heat || !states) {
        return GOS_OK;
    }
    const gos_body *body = b->body[0];
    for (int i = 0; i < b->nbody; i++) {
        body = b->body[i]->ops->port && b->body[i]->nt > 0 ? b->body[i] : body;
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, body->name,
                        "`heat: steady` does not support first-order states (of matrices, "
                        "controllers, wheels, shunts); remove it, or the entries with such states");
}

static gos_status collect(gos_builder *b, gos_system *s) {
    s->probe = GOS_NEW(b->arena, gos_probe *, count_of(b, "probes") + 1);
    if (!s->probe) {
        return GOS_E_MEMORY;
    }
    gos_status bodies = read_bodies(b, s);
    const bool derived = bodies == GOS_OK;
    bodies = derived ? each(b, "piezo", finish_piezo, NULL) : bodies;
    bodies = bodies == GOS_OK ? finish_bodies(b) : bodies;
    if (bodies != GOS_OK) {
        const bool memory =
            bodies == GOS_E_MEMORY || check_unfinished(b, s, derived) == GOS_E_MEMORY;
        return memory ? GOS_E_MEMORY : bodies;
    }
    s->strain_heat = b->gough_joule && b->nt > 0;
    GOS_TRY(read_rest(b, s));
    GOS_TRY(gos__loops_states(b));
    GOS_TRY(check_steady(b, s));
    GOS_TRY(gos__loops_probes(b, s));
    GOS_TRY(gos__probes_sensed(b, s));
    GOS_TRY(gos__feedback_make(b, s->probe, s->nprobe));
    GOS_TRY(gos__loops_make(b, s));
    GOS_TRY(gos__shared_rows_drop(b));
    const bool alone =
        b->nbody == 1 && s->njoints + s->nloads + s->nheat + s->nprobe + b->ncontroller == 0;
    s->linear = alone ? b->linear : NULL;
    GOS_TRY(gos__settings_reduction_kind(b->ctx, b->model, s->reduction.type, s->linear != NULL));
    if (b->nbody == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, b->model->root->loc, NULL,
                            "the model has no bodies; add at least one under 'bodies:'");
    }
    return GOS_OK;
}

static void *copy_of(gos_arena *a, const void *from, size_t n, size_t size) {
    void *to = gos__arena_alloc(a, n + 1, size);
    if (to && n) {
        memcpy(to, from, n * size);
    }
    return to;
}

/* the same for vectors, with `front` derived vectors before the first */
static void *vectors_of(gos_arena *a, int front, const void *from, int n, size_t size) {
    char *to = gos__arena_alloc(a, (size_t)front + (size_t)n + 1, size);
    if (!to) {
        return NULL;
    }
    to += (size_t)front * size;
    if (n) {
        memcpy(to, from, (size_t)n * size);
    }
    return to;
}

static gos_status label_probes(gos_arena *a, const gos_system *s) {
    for (int i = 0; i < s->nprobe; i++) {
        GOS_TRY(gos__unit_kept(s->units, s->probe[i]->unit, a, &s->probe[i]->unit));
    }
    return GOS_OK;
}

/* the model may be changed or freed before the system */
static gos_status take_units(const gos_model *m, gos_system *s) {
    s->units = m->units ? copy_of(s->arena, m->units, 1, sizeof *m->units) : NULL;
    return m->units && !s->units ? GOS_E_MEMORY : GOS_OK;
}

static gos_status take_arrays(gos_builder *b, gos_system *s) {
    gos_arena *a = s->arena;
    GOS_TRY(gos__derived_make(b, s));
    const int front = s->derived ? s->derived->n : 0;
    s->nv = b->nv;
    s->nt = b->nt;
    s->nc = b->nc;
    s->nh = b->nh;
    s->e0 = vectors_of(a, front, b->e0, b->nv, sizeof *b->e0);
    s->v0 = vectors_of(a, front, b->v0, b->nv, sizeof *b->v0);
    s->trans = vectors_of(a, front, b->trans, b->nv, sizeof *b->trans);
    s->th0 = copy_of(a, b->th0, (size_t)b->nt, sizeof *b->th0);
    s->tmean = copy_of(a, b->tmean, (size_t)b->nt, sizeof *b->tmean);
    s->body = copy_of(a, b->body, (size_t)b->nbody, sizeof *b->body);
    s->points = copy_of(a, b->points, (size_t)b->npoints, sizeof *b->points);
    s->item = copy_of(a, b->item, (size_t)b->nitem, sizeof *b->item);
    s->fn = copy_of(a, b->fn, (size_t)b->nfn, sizeof *b->fn);
    if (!s->e0 || !s->v0 || !s->trans || !s->th0 || !s->tmean || !s->body || !s->points ||
        !s->item || !s->fn) {
        return GOS_E_MEMORY;
    }
    s->nbody = b->nbody;
    s->npoints = b->npoints;
    s->nitem = b->nitem;
    s->nfn = b->nfn;
    b->nfn = 0; // the system now owns the time functions
    memcpy(s->gravity, b->gravity, sizeof s->gravity);
    s->orbit = b->orbit;
    s->T_ref = b->T_ref;
    s->missing = b->lacks;
    for (int i = 0; i < s->nbody; i++) {
        s->reduced_bodies |= b->reduce_floating && (b->body[i]->derived || b->body[i]->still);
    }
    s->basis_time = b->basis_time;
    s->electrode = b->electrode;
    gos__derived_fill(s, s->e0, s->v0, NULL, NULL);
    GOS_TRY(gos__derived_pull(b->ctx, s));
    GOS_TRY(gos__rows_from_triplets(b->ctx, a, s->nv, &b->mass, &s->mass));
    GOS_TRY(gos__rows_from_triplets(b->ctx, a, s->nt, &b->capacity, &s->capacity));
    GOS_TRY(gos__rows_from_triplets(b->ctx, a, s->nt, &b->conduction, &s->conduction));
    return gos__constants_make(b, s);
}

static gos_status take_mesh(gos_system *s) {
    gos_arena *a = s->arena;
    size_t cells = 0, corners = 0, nodes = 0;
    for (int i = 0; i < s->nbody; i++) {
        nodes += (size_t)s->body[i]->nnode + (size_t)s->body[i]->nmark;
        cells += (size_t)s->body[i]->ncell;
        corners += (size_t)(s->body[i]->ncell * s->body[i]->cell_size);
    }
    s->node_r = GOS_NEW(a, gos_marker, nodes + 1);
    s->node_T = GOS_NEW(a, gos_tmarker, nodes + 1);
    s->cell_offset = GOS_NEW(a, int, cells + 1);
    s->cell_nodes = GOS_NEW(a, int, corners + 1);
    s->cell_body = GOS_NEW(a, int, cells + 1);
    s->body_first_node = GOS_NEW(a, int, s->nbody + 1);
    s->body_names = GOS_NEW(a, const char *, s->nbody + 1);
    if (!s->node_r || !s->node_T || !s->cell_offset || !s->cell_nodes || !s->cell_body ||
        !s->body_first_node || !s->body_names) {
        return GOS_E_MEMORY;
    }
    const double one = 1;
    for (int i = 0, at = 0; i < s->nbody; i++) {
        const gos_body *b = s->body[i];
        s->body_names[i] = b->name;
        for (int k = 0; k < b->ncell; k++) {
            s->cell_body[s->ncells++] = i;
            for (int j = 0; j < b->cell_size; j++) {
                s->cell_nodes[at++] = s->nnodes + b->cell[k * b->cell_size + j];
            }
            s->cell_offset[s->ncells] = at;
        }
        for (int k = 0; k < b->nnode; k++, s->nnodes++) {
            GOS_TRY(gos__marker_make(a, 1, &b->node_v[k], &one, NULL, &s->node_r[s->nnodes]));
            if (b->node_t) {
                GOS_TRY(gos__tmarker_make(a, 1, &b->node_t[k], &one, &s->node_T[s->nnodes]));
            }
        }
        for (int k = 0; k < b->nmark; k++, s->nnodes++) {
            s->node_r[s->nnodes] = b->mark[k];
            if (b->mark_t) {
                s->node_T[s->nnodes] = b->mark_t[k];
            } else if (b->node_t) { // single temperature
                GOS_TRY(gos__tmarker_make(a, 1, &b->node_t[0], &one, &s->node_T[s->nnodes]));
            }
        }
        s->body_first_node[i + 1] = s->nnodes;
    }
    return GOS_OK;
}

/* laid_out = false: for checks and counts only */
static gos_status create(gos_ctx *ctx, gos_model *model, bool laid_out, gos_system **sys) {
    gos_arena *a = gos__arena_create(ctx);
    gos_system *s = a ? GOS_NEW(a, gos_system, 1) : NULL;
    if (!s) {
        gos__arena_destroy(a);
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->arena = a;
    s->name = gos__arena_strdup(a, gos_model_name(model));
    s->text = gos__arena_strdup(a, gos_model_text(model));
    s->given = model->given;
    s->foreign = model->callbacks || model->laws;
    s->folder = model->folder ? gos__arena_strdup(a, model->folder) : NULL;
    model->tables = GOS_HASH_BEGIN;
    gos_builder b = {.ctx = ctx, .model = model, .arena = a};
    const int before = gos__nerrors(ctx);
    const bool named = s->name && s->text && (s->folder || !model->folder);
    gos_status status = named ? gos__model_parameters(model) : GOS_E_MEMORY;
    if (status == GOS_OK || status == GOS_E_INPUT) { // parameter errors do not hide others
        gos_status entries = take_units(model, s);
        entries = entries == GOS_OK ? collect(&b, s) : entries;
        status = status == GOS_OK || entries == GOS_E_MEMORY ? entries : status;
    }
    s->tables = model->tables;
    status = status == GOS_OK && gos__nerrors(ctx) > before ? GOS_E_INPUT : status;
    status = status == GOS_OK ? take_arrays(&b, s) : status;
    status = status == GOS_OK ? label_probes(a, s) : status;
    status = status == GOS_OK ? gos__dependent_rows_drop(ctx, s, b.drop_redundant) : status;
    status = status == GOS_OK ? gos__rigid_outline_make(s) : status;
    status = status == GOS_OK ? take_mesh(s) : status;
    status = status == GOS_OK ? gos__fields_make(&b, s) : status;
    status = status == GOS_OK ? gos__shadows_make(&b, s) : status;
    status = status == GOS_OK ? gos__system_sums(s) : status;
    status = status == GOS_OK ? gos__extent_find(ctx, s) : status;
    status = status == GOS_OK && laid_out ? gos__system_finish(ctx, s) : status;
    if (status == GOS_OK) {
        gos__constants_norms(&b, s);
    }
    status = status == GOS_OK ? gos__redundant_check(ctx, s) : status;
    status = status == GOS_OK ? gos__dropped_finish(ctx, s) : status;
    if (status == GOS_OK) {
        gos__thermal_only_warn(ctx, s, model->root);
    }
    if (status == GOS_OK && !laid_out && b.planned >= MIN_REPORTED_MEMORY) {
        char text[100];
        gos__format(text, sizeof text, "a run needs at least %.2g GB; %.3g GB are allowed",
                    1e-9 * b.planned, 1e-9 * b.memory);
        gos__note(ctx, "memory", text);
    }
    gos__builder_release(&b);
    if (status != GOS_OK) {
        gos_system_destroy(s);
        return status;
    }
    *sys = s;
    return GOS_OK;
}

gos_status gos_system_create(gos_ctx *ctx, gos_model *model, gos_system **sys) {
    return create(ctx, model, true, sys);
}

gos_status gos_system_check(gos_ctx *ctx, gos_model *model, gos_sizes *sizes) {
    gos_system *s;
    GOS_TRY(create(ctx, model, false, &s));
    gos_system_sizes(s, sizes);
    gos_system_destroy(s);
    return GOS_OK;
}

void gos_system_destroy(gos_system *s) {
    if (!s) {
        return;
    }
    for (int i = 0; i < s->nfn && !s->full; i++) { // reduced systems borrow them
        gos__timefn_free(s->fn[i]);
    }
    gos__arena_destroy(s->arena);
}
