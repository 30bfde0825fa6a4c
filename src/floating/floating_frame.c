/* Body type floating_frame: straight beams between named points, rigidly joined. At t = 0 the frame
   has global axes and its origin at the first point. */
#include "bodies/bodies.h"

#include <math.h>

#include "floating/floating_def.h"
#include "floating/floating_range.h"
#include "line/line.h"
#include "math/vec3.h"

typedef struct frame_def {
    const char *material, *section;
    int elements;
    const gos_node *points, *beams;
    const char *at, *chord_end;
    gos_floating_def floating;
} frame_def;

typedef struct beam_def {
    const char *from, *to, *material, *section;
    double normal[3];
    int elements;
} beam_def;

typedef struct floating_frame {
    gos_floating_body f;
    int npoint;
    const char **name; // points, the first nodes (npoint)
    int mean;
} floating_frame;

#define FLOATING offsetof(frame_def, floating)
#define NAME(st, key, flags_, choices_, doc_)                                                      \
    {                                                                                              \
        .name = #key, .kind = GOS_K_NAME, .unit = "", .flags = flags_,                             \
        .offset = offsetof(st, key), .choices = choices_, .doc = doc_                              \
    }
#define POINT(st, key, flags_, doc_)                                                               \
    {                                                                                              \
        .name = #key, .kind = GOS_K_TEXT, .unit = "", .flags = flags_,                             \
        .offset = offsetof(st, key), .doc = doc_                                                   \
    }

static const gos_param params[] = {
    {.name = "points",
     .kind = GOS_K_NODE,
     .unit = "m",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(frame_def, points),
     .doc = "points where beams meet and end at t = 0, {NAME: [x, y, z], ...}; joints and loads "
            "refer to BODY.NAME. The first one is the origin of the frame"},
    {.name = "beams",
     .kind = GOS_K_NODE,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(frame_def, beams),
     .doc = "straight beams, [{from: NAME, to: NAME, ...}, ...], rigidly joined at shared points; "
            "`material`, `section` and `elements` override those of the body; `normal` is the "
            "local z of the section (zero: e3, or e2 for a beam within 20 degrees of e3)"},
    NAME(frame_def, material, 0, "materials", "material of beams without their own"),
    NAME(frame_def, section, 0, "sections", "cross-section of beams without their own"),
    {.name = "elements",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 1,
     .hi = GOS_LIMIT_ELEMENTS,
     .def = "4",
     .offset = offsetof(frame_def, elements),
     .doc = "number of equal elements of each beam"},
    GOS_FLOATING_REFERENCE(FLOATING, "mean_axis",
                           "what the frame follows. clamped: the point `at` and the sections "
                           "there; chord: that point and `chord_end`; mean_axis: the whole body, "
                           "so that deformation has no momentum to first order"),
    POINT(frame_def, at, 0, "point of the reference; default: the first one"),
    POINT(frame_def, chord_end, 0, "the chord's other end; default: the last point"),
    GOS_FLOATING_COUPLING(FLOATING),
    GOS_FLOATING_ROTARY(FLOATING),
    GOS_FLOATING_SHORTENING(FLOATING),
    GOS_FLOATING_DAMPING(FLOATING),
    GOS_FLOATING_MASSES(FLOATING),
    GOS_FLOATING_REDUCE(FLOATING),
    GOS_FLOATING_VECTOR(FLOATING, velocity, "m/s",
                        "velocity of the first point at t = 0, global axes"),
    GOS_FLOATING_VECTOR(FLOATING, angular_velocity, "rad/s",
                        "angular velocity at t = 0, global axes"),
    {0}};

static const gos_param beam_params[] = {POINT(beam_def, from, GOS_P_REQUIRED, "start point"),
                                        POINT(beam_def, to, GOS_P_REQUIRED, "end point"),
                                        NAME(beam_def, material, 0, "materials", "its material"),
                                        NAME(beam_def, section, 0, "sections", "its cross-section"),
                                        {.name = "elements",
                                         .kind = GOS_K_INT,
                                         .unit = "",
                                         .lo = 0,
                                         .hi = GOS_LIMIT_ELEMENTS,
                                         .def = "0",
                                         .offset = offsetof(beam_def, elements),
                                         .doc = "number of equal elements; 0: those of the body"},
                                        {.name = "normal",
                                         .kind = GOS_K_VECTOR,
                                         .unit = "-",
                                         .shape = 3,
                                         .def = "[0, 0, 0]",
                                         .offset = offsetof(beam_def, normal),
                                         .doc = "local z of the section"},
                                        {0}};

typedef struct making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const frame_def *def;
    floating_frame *m;
    int nbeam, nnode, nelement;
    beam_def *beam;            // (nbeam)
    const gos_node **location; // entries (nbeam)
    double (*x)[3];            // global axes; points, then nodes between (nnode)
    gos_fe_beam *element;      // (nelement)
} making;

/* ---- points ---------------------------------------------------------------------------------- */

static int point_of(const void *par, const char *name) {
    const floating_frame *m = par;
    for (int i = 0; i < m->npoint; i++) {
        if (strcmp(m->name[i], name) == 0) {
            return i;
        }
    }
    return strcmp(name, "mean") == 0 ? m->mean : -1;
}

static gos_status unknown_point(const making *k, const char *name, gos_loc loc) {
    const char *near = gos__suggest(name, k->m->name, k->m->npoint);
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, loc, k->object, "there is no point '%s'%s%s%s",
                        name, near ? "; did you mean '" : "; add it to `points`", near ? near : "",
                        near ? "'?" : "");
}

static gos_status find_point(const making *k, const char *name, gos_loc loc, int *i) {
    *i = point_of(k->m, name);
    return *i >= 0 && *i < k->m->npoint ? GOS_OK : unknown_point(k, name, loc);
}

static gos_status read_point(const making *k, const gos_node *node, double x[3]) {
    gos_ctx *ctx = k->b->ctx;
    const bool taken = strcmp(node->key, "frame") == 0 || strcmp(node->key, "mean") == 0;
    if (!gos__name_valid(node->key) || taken) {
        return gos__fail_at(ctx, GOS_E_INPUT, node->key_loc, k->object,
                            "'%.80s' cannot name a point; use letters, digits and _, not starting "
                            "with a digit, and not `frame` or `mean`",
                            node->key);
    }
    if (node->kind != GOS_LIST || node->n != 3) {
        return gos__fail_at(ctx, GOS_E_INPUT, node->loc, k->object,
                            "point '%s' needs three coordinates, [x, y, z]", node->key);
    }
    int c = 0;
    for (const gos_node *v = node->child; v; v = v->next, c++) {
        if (v->kind != GOS_SCALAR) {
            return gos__fail_at(ctx, GOS_E_INPUT, v->loc, k->object,
                                "a coordinate of point '%s' is not a number", node->key);
        }
        GOS_TRY(gos__quantity(k->b->model, v->text, v->loc, k->object, &(gos_measure){.unit = "m"},
                              &x[c]));
    }
    return GOS_OK;
}

static gos_status read_points(const making *k) {
    const gos_node *map = k->def->points;
    floating_frame *m = k->m;
    if (map->kind != GOS_MAP || map->n < 2) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, map->loc, k->object,
                            "points must be a map of at least two, {NAME: [x, y, z], ...}");
    }
    m->name = (const char **)gos__arena_alloc(k->b->arena, map->n, sizeof *m->name);
    GOS_TRY(m->name ? GOS_OK : GOS_E_MEMORY);
    for (const gos_node *c = map->child; c; c = c->next) {
        GOS_TRY(read_point(k, c, k->x[m->npoint]));
        m->name[m->npoint] = gos__arena_strdup(k->b->arena, c->key);
        GOS_TRY(m->name[m->npoint++] ? GOS_OK : GOS_E_MEMORY);
    }
    return GOS_OK;
}

/* ---- beams ----------------------------------------------------------------------------------- */

/* also counts nodes and elements */
static gos_status read_beams(making *k) {
    const gos_node *list = k->def->beams;
    gos_arena *a = k->b->arena;
    if (list->kind != GOS_LIST || list->n == 0) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, list->loc, k->object,
                            "beams must be a list, [{from: NAME, to: NAME}, ...]");
    }
    k->beam = GOS_NEW(a, beam_def, list->n);
    k->location = (const gos_node **)gos__arena_alloc(a, list->n, sizeof *k->location);
    GOS_TRY(k->beam && k->location ? GOS_OK : GOS_E_MEMORY);
    k->nnode = k->def->points->kind == GOS_MAP ? k->def->points->n : 0;
    for (const gos_node *c = list->child; c; c = c->next) {
        beam_def *d = &k->beam[k->nbeam];
        if (c->kind != GOS_MAP) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, c->loc, k->object,
                                "a beam is a map, {from: NAME, to: NAME}");
        }
        GOS_TRY(gos__fill(k->b->model, c, beam_params, k->object, a, d));
        d->elements = d->elements > 0 ? d->elements : k->def->elements;
        GOS_TRY(gos__check_room(k->b, 2.0 * (k->nnode + (double)d->elements), 0,
                                gos__key_loc(c, "elements"), k->object));
        k->nnode += d->elements - 1;
        k->nelement += d->elements;
        k->location[k->nbeam++] = c;
    }
    return GOS_OK;
}

static gos_status choose(const making *k, int i, const gos_material **mat,
                         const gos_section **sec) {
    const beam_def *d = &k->beam[i];
    const char *material = d->material ? d->material : k->def->material;
    const char *section = d->section ? d->section : k->def->section;
    if (!material || !section) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->location[i]->loc, k->object,
                            "a beam has no %s; give one there or for the whole body",
                            material ? "section" : "material");
    }
    *mat = gos__find_material(k->b, material);
    *sec = gos__find_section(k->b, section);
    return *mat && *sec ? GOS_OK : GOS_E_INPUT; // reported when read
}

/* continues the numbers */
static gos_status make_beam(const making *k, int i, int *node, int *element) {
    const beam_def *d = &k->beam[i];
    const gos_material *mat = NULL;
    const gos_section *sec = NULL;
    gos_line_def line_def = {.elements = d->elements};
    gos_line line;
    int a, z;
    GOS_TRY(find_point(k, d->from, gos__key_loc(k->location[i], "from"), &a));
    GOS_TRY(find_point(k, d->to, gos__key_loc(k->location[i], "to"), &z));
    GOS_TRY(choose(k, i, &mat, &sec));
    memcpy(line_def.from, k->x[a], sizeof line_def.from);
    memcpy(line_def.to, k->x[z], sizeof line_def.to);
    memcpy(line_def.normal, d->normal, sizeof line_def.normal);
    GOS_TRY(gos__line_make(k->b, k->location[i], k->object, &line_def, d->elements, &line));
    double axis[3][3];
    memcpy(axis[0], line.t[0], sizeof axis[0]);
    memcpy(axis[2], line.v[0], sizeof axis[2]);
    gos__cross3(axis[2], axis[0], axis[1]);
    for (int e = 0; e < d->elements; e++) {
        const int from = e == 0 ? a : *node - 1, to = e == d->elements - 1 ? z : *node;
        if (to == *node) {
            memcpy(k->x[(*node)++], line.x[e + 1], sizeof line.x[e + 1]);
        }
        k->element[(*element)++] =
            gos__floating_element(mat, sec, from, to, (const double(*)[3])axis);
    }
    return GOS_OK;
}

/* all points on beams, beams connected */
static gos_status check_joined(const making *k) {
    int *group = GOS_NEW(k->b->arena, int, k->nnode);
    GOS_TRY(group ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->nnode; i++) {
        group[i] = i;
    }
    for (bool again = true; again;) {
        again = false;
        for (int e = 0; e < k->nelement; e++) {
            int *p = &group[k->element[e].node[0]], *q = &group[k->element[e].node[1]];
            again = again || *p != *q;
            *p = *q = *p < *q ? *p : *q;
        }
    }
    for (int i = 0; i < k->m->npoint; i++) {
        if (group[i] != 0) {
            return gos__fail_at(
                k->b->ctx, GOS_E_INPUT, gos__key_loc(k->def->points, k->m->name[i]), k->object,
                "no beams connect point '%s' to point '%s'; join them, or use two bodies",
                k->m->name[0], k->m->name[i]);
        }
    }
    return GOS_OK;
}

static gos_status make_elements(making *k) {
    int node = k->m->npoint, element = 0;
    k->element = GOS_NEW(k->b->arena, gos_fe_beam, k->nelement);
    GOS_TRY(k->element ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->nbeam; i++) {
        GOS_TRY(make_beam(k, i, &node, &element));
    }
    memcpy(k->m->f.origin, k->x[0], sizeof k->m->f.origin);
    for (int i = 0; i < k->nnode; i++) { // body axes
        gos__sub3(k->x[i], k->m->f.origin, k->x[i]);
    }
    return check_joined(k);
}

/* ---- the body -------------------------------------------------------------------------------- */

static gos_status make_flex(making *k) {
    const frame_def *d = k->def;
    floating_frame *m = k->m;
    gos_fe_frame frame = {.nnode = k->nnode, .nbeam = k->nelement, .x = k->x, .beam = k->element};
    int *end = GOS_NEW(k->b->arena, int, m->npoint), a = 0, z = m->npoint - 1;
    GOS_TRY(end ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < m->npoint; i++) {
        end[i] = i;
    }
    gos_floating_names names = {.node = point_of,
                                .par = m,
                                .known = "its points and mean",
                                .nend = m->npoint,
                                .end = end,
                                .end_name = m->name};
    m->mean = gos__fe_mean(&frame);
    GOS_TRY(gos__floating_masses(k->b, &d->floating, &names, k->object, &frame));
    GOS_TRY(d->at ? find_point(k, d->at, gos__key_loc(k->entry, "at"), &a) : GOS_OK);
    GOS_TRY(d->chord_end ? find_point(k, d->chord_end, gos__key_loc(k->entry, "chord_end"), &z)
                         : GOS_OK);
    if (a == z && d->floating.reference == GOS_FLEX_CHORD) {
        return gos__fail_at(
            k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "chord_end"), k->object,
            "the chord starts and ends at point '%s'; give another `at` or `chord_end`",
            m->name[a]);
    }
    GOS_TRY(gos__floating_make(k->b, &d->floating, k->object, &frame, a, z, &m->f.flex));
    bool *none = gos__zalloc(k->b->ctx, m->f.flex->n, sizeof *none);
    const gos_status status = none ? gos__flex_drop(m->f.flex, none) : GOS_E_MEMORY;
    gos__free(k->b->ctx, none);
    GOS_TRY(status);
    GOS_TRY(gos__floating_mentions(k->b, k->entry->key, &names));
    return gos__floating_finish(k->b, k->entry, k->object, &d->floating, &names, &m->f.flex);
}

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *p) {
    const floating_frame *m = b->par;
    const bool frame = strcmp(ref, "frame") == 0;
    const int i = frame ? m->f.flex->nnode : point_of(m, ref);
    if (i < 0) {
        const char *near = gos__suggest(ref, m->name, m->npoint);
        return gos__fail_at(
            ctx, GOS_E_INPUT, loc, object, "floating frame '%s' has no point '%s'%s%s%s", b->name,
            ref, near ? " (did you mean '" : "; use `frame` or `mean`, or add it to its `points`",
            near ? near : "", near ? "'?)" : "");
    }
    *p = (gos_location){.body = b,
                        .node = i,
                        .face = -1,
                        .turns = i == m->mean ? GOS_LOCATION_STAYS : GOS_LOCATION_TURNS};
    for (int c = 0; c < 3; c++) {
        p->x[c] = m->f.origin[c] + (frame ? 0 : m->f.flex->x[i][c]);
    }
    return GOS_OK;
}

static const gos_body_ops body_ops = {.locate = locate,
                                      .position = gos__floating_node_position,
                                      .direction = gos__floating_node_direction,
                                      .range = gos__floating_range};

static gos_status add(making *k, gos_body *body) {
    floating_frame *m = k->m;
    int *cell = GOS_NEW(k->b->arena, int, 2 * k->nelement);
    char *own = gos__arena_strdup(k->b->arena, k->object);
    GOS_TRY(cell && own ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < 2 * k->nelement; i++) {
        cell[i] = k->element[i / 2].node[i % 2];
    }
    const gos_floating_picture picture = {
        .nnode = k->nnode, .cell_size = 2, .ncell = k->nelement, .cell = cell};
    return gos__floating_add(k->b, &k->def->floating.start, &picture, own, &m->f, body);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    frame_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &d));
    floating_frame *m = GOS_NEW(b->arena, floating_frame, 1);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = entry->key_loc,
                     .ops = &body_ops,
                     .par = m,
                     .unstiffened = d.floating.coupling == 0};
    if (!m || !body.name) {
        return GOS_E_MEMORY;
    }
    making k = {.b = b, .entry = entry, .object = object, .def = &d, .m = m};
    m->f.second = d.floating.coupling == 1;
    for (int c = 0; c < 3; c++) {
        m->f.axis[c][c] = 1;
    }
    GOS_TRY(read_beams(&k));
    k.x = gos__arena_alloc(b->arena, k.nnode, sizeof *k.x);
    GOS_TRY(k.x ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(read_points(&k));
    GOS_TRY(make_elements(&k));
    const gos_status status = make_flex(&k);
    if (status != GOS_OK) {
        gos__flex_destroy(m->f.flex);
        return status;
    }
    GOS_TRY(add(&k, &body));
    return gos__add_body(b, &body, NULL);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__body_floating_frame = {
    .section = "bodies",
    .name = "floating_frame",
    .doc =
        "Straight beams, rigidly joined where they meet, as one body with arbitrary rigid motion "
        "and small deformation: a floating frame, and linear finite elements in its axes.",
    .params = params,
    .size = sizeof(frame_def),
    .example = "bracket: {type: floating_frame, material: steel, section: bar, points: {foot: [0, "
               "0, 0], corner: [0, 0, 1], tip: [0.5, 0, 1]}, beams: [{from: foot, to: corner}, "
               "{from: corner, to: tip}]}",
    .ops = &ops,
};
