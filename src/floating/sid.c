/* Body type sid: standard input data (SID_FEM) in a floating frame. */
#include "floating/sid.h"

#include "floating/floating_def.h"
#include "floating/floating_range.h"
#include "math/vec3.h"

typedef struct sid_def {
    const char *file;
    const gos_node *locations;
    double position[3], rotation_vector[3];
    gos_floating_def floating;
} sid_def;

#define FLOATING offsetof(sid_def, floating)
#define VECTOR(key, unit_, doc_)                                                                   \
    {                                                                                              \
        .name = #key, .kind = GOS_K_VECTOR, .unit = unit_, .shape = 3, .def = "[0, 0, 0]",         \
        .offset = offsetof(sid_def, key), .doc = doc_                                              \
    }

static const gos_param params[] = {
    {.name = "file",
     .kind = GOS_K_TEXT,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(sid_def, file),
     .doc = "SID_FEM file, below the model's folder (docs/sid.md), in SI units; stress from frame "
            "motion and forces stiffens the body as given in the file"},
    {.name = "places",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(sid_def, locations),
     .doc = "names of nodes, {NAME: number of the node in the file, ...}; all nodes are also "
            "node(NUMBER)"},
    VECTOR(position, "m", "position of the frame's origin at t = 0"),
    VECTOR(rotation_vector, "rad",
           "rotation of its axes from the global axes at t = 0 (axis times angle)"),
    GOS_FLOATING_DAMPING(FLOATING),
    GOS_FLOATING_REDUCE(FLOATING),
    GOS_FLOATING_VECTOR(FLOATING, velocity, "m/s", "velocity of the origin at t = 0, global axes"),
    GOS_FLOATING_VECTOR(FLOATING, angular_velocity, "rad/s",
                        "angular velocity at t = 0, global axes"),
    {0}};

typedef struct sid_location {
    const char *name;
    int node;
} sid_location;

typedef struct sid_body {
    gos_floating_body f;
    int nnode;
    const int *number; // in the file (nnode)
    const bool *turns; // (nnode)
    int nlocation;
    sid_location *location; // (nlocation)
    const gos_sid *data;    // may be NULL
} sid_body;

typedef struct making {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const sid_def *def;
    sid_body *m;
} making;

/* ---- locations ------------------------------------------------------------------------------- */

static int number_of(const sid_body *m, int number) {
    for (int i = 0; i < m->nnode; i++) {
        if (m->number[i] == number) {
            return i;
        }
    }
    return -1;
}

static int node_of(const void *par, const char *name) {
    const sid_body *m = par;
    int number = 0, end = 0;
    for (int i = 0; i < m->nlocation; i++) {
        if (strcmp(m->location[i].name, name) == 0) {
            return m->location[i].node;
        }
    }
    return sscanf(name, "node(%9d)%n", &number, &end) == 1 && end > 0 && !name[end]
               ? number_of(m, number)
               : -1;
}

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *p) {
    const sid_body *m = b->par;
    const bool frame = strcmp(ref, "frame") == 0;
    const int i = frame ? m->nnode : node_of(m, ref);
    if (i < 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "'%s' has no location '%s'; use frame, node(NUMBER) with a number of "
                            "its file, or a name of its `places`",
                            b->name, ref);
    }
    *p = (gos_location){.body = b,
                        .node = i,
                        .face = -1,
                        .turns = frame || m->turns[i] ? GOS_LOCATION_TURNS : GOS_LOCATION_STAYS};
    for (int c = 0; c < 3; c++) {
        p->x[c] = m->f.origin[c];
        for (int j = 0; j < 3 && !frame; j++) {
            p->x[c] += m->f.flex->x[i][j] * m->f.axis[j][c];
        }
    }
    return GOS_OK;
}

static const gos_body_ops body_ops = {.locate = locate,
                                      .position = gos__floating_node_position,
                                      .direction = gos__floating_node_direction,
                                      .range = gos__floating_range};

static gos_status take_locations(const making *k) {
    const gos_node *list = k->def->locations;
    gos_ctx *ctx = k->b->ctx;
    if (list && list->kind != GOS_MAP) {
        return gos__fail_at(ctx, GOS_E_INPUT, list->loc, k->object,
                            "places must be a map, {NAME: number of a node, ...}");
    }
    k->m->location = GOS_NEW(k->b->arena, sid_location, list ? list->n + 1 : 1);
    GOS_TRY(k->m->location ? GOS_OK : GOS_E_MEMORY);
    for (const gos_node *c = list ? list->child : NULL; c; c = c->next) {
        double x = -1;
        const bool number =
            c->kind == GOS_SCALAR && gos__number_parse(c->text, strlen(c->text), &x);
        const int node = number && x >= 0 && x < 1e9 && x == (int)x ? number_of(k->m, (int)x) : -1;
        if (node < 0 || !gos__name_valid(c->key) || strcmp(c->key, "frame") == 0) {
            return gos__fail_at(ctx, GOS_E_INPUT, c->loc, k->object,
                                node < 0 ? "places: '%.64s' must be the number of a node of the "
                                           "file"
                                         : "places: '%.64s' cannot be a name; use letters, digits "
                                           "and _, and not `frame`",
                                c->key);
        }
        k->m->location[k->m->nlocation++] =
            (sid_location){gos__arena_strdup(k->b->arena, c->key), node};
        GOS_TRY(k->m->location[k->m->nlocation - 1].name ? GOS_OK : GOS_E_MEMORY);
    }
    return GOS_OK;
}

/* Nodes without data rotate with the frame, if there are rotations. */
static gos_status number_nodes(const making *k, const gos_sid *s) {
    const gos_flex *f = k->m->f.flex;
    int *number = GOS_NEW(k->b->arena, int, s->nnode + 1);
    bool *turns = GOS_NEW(k->b->arena, bool, s->nnode + 1);
    GOS_TRY(number && turns ? GOS_OK : GOS_E_MEMORY);
    k->m->nnode = s->nnode;
    k->m->number = number;
    k->m->turns = turns;
    for (int i = 0; i < s->nnode; i++) {
        number[i] = s->node[i].number;
        const bool still = f->move.p[3 * i + 3] == f->move.p[3 * i];
        turns[i] = f->turn.p[3 * i + 3] > f->turn.p[3 * i] || (still && f->turn.nnz > 0);
    }
    return GOS_OK;
}

/* ---- the body -------------------------------------------------------------------------------- */

/* D += a M + b K, with the mass of the amplitudes */
static gos_status add_rayleigh(const making *k, gos_flex *f) {
    const double *ab = k->def->floating.rayleigh;
    gos_ctx *ctx = k->b->ctx;
    gos_linear *l = NULL;
    gos_sparse made = {0}, sum = {0};
    if (ab[0] == 0 && ab[1] == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__flex_linear(f, 0, NULL, 0, NULL, &l));
    gos_status status = gos__sparse_sum(ctx, ab[0], &l->M, ab[1], &l->K, &made);
    status = status == GOS_OK ? gos__sparse_sum(ctx, 1, &f->D, 1, &made, &sum) : status;
    gos_linear_destroy(l);
    gos__sparse_free(ctx, &made);
    if (status == GOS_OK) {
        gos__sparse_free(ctx, &f->D);
        f->D = sum;
    }
    return status;
}

static gos_status read_file(const making *k, gos_sid **sid) {
    if (k->b->model->units) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->entry->key_loc, k->object,
                            "SID files are in SI units, but the model has units %s; remove `units` "
                            "of the model, or give numbers with units ('3 mm')",
                            k->b->model->units->text);
    }
    gos_model *m = k->b->model;
    gos_arena *a = k->b->arena;
    const gos_loc loc = gos__key_loc(k->entry, "file");
    const char *path;
    GOS_TRY(gos__path_below(k->b->ctx, m->folder, k->def->file, loc, k->object, a, &path));
    GOS_TRY(gos__sid_read(k->b->ctx, path, loc, k->object, sid));
    for (int b = 0; b < GOS_SID_NBLOCK; b++) { // for checkpoints
        const gos_sid_block *block = &(*sid)->block[b];
        for (int e = 0; e < block->n; e++) {
            m->tables = gos__hash(m->tables, &block->entry[e].x, sizeof block->entry[e].x);
        }
    }
    return GOS_OK;
}

static void destroy(void *sid) {
    gos__sid_destroy(sid);
}

static bool stays(const making *k) {
    const gos_floating_def *d = &k->def->floating;
    return d->zeta == 0 && d->rayleigh[0] == 0 && d->rayleigh[1] == 0 && !k->b->reduce_floating;
}

const gos_sid *gos__sid_body_data(const gos_body *body) {
    const sid_body *m = body->par;
    return strcmp(body->type, gos__body_sid.name) == 0 ? m->data : NULL;
}

int gos__sid_body_number(const gos_body *body, int node) {
    const sid_body *m = body->par;
    return strcmp(body->type, gos__body_sid.name) == 0 ? m->number[node] : node + 1;
}

static gos_status make_flex(const making *k, const gos_sid *s) {
    sid_body *m = k->m;
    gos_floating_names names = {
        .node = node_of, .par = m, .known = "node(NUMBER) and the names of its `places`"};
    GOS_TRY(
        gos__sid_to_flex(s, gos__key_loc(k->entry, "file"), k->object, &m->f.flex, &m->f.second));
    GOS_TRY(number_nodes(k, s));
    GOS_TRY(take_locations(k));
    GOS_TRY(add_rayleigh(k, m->f.flex));
    GOS_TRY(gos__floating_mentions(k->b, k->entry->key, &names));
    return gos__floating_finish(k->b, k->entry, k->object, &k->def->floating, &names, &m->f.flex);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    sid_def d = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &d));
    sid_body *m = GOS_NEW(b->arena, sid_body, 1);
    char *own = gos__arena_strdup(b->arena, object);
    gos_body body = {.name = gos__arena_strdup(b->arena, name),
                     .type = type->name,
                     .loc = entry->key_loc,
                     .ops = &body_ops,
                     .par = m};
    const making k = {.b = b, .entry = entry, .object = object, .def = &d, .m = m};
    gos_sid *s = NULL;
    GOS_TRY(m && own && body.name ? GOS_OK : GOS_E_MEMORY);
    memcpy(m->f.origin, d.position, sizeof m->f.origin);
    gos__rotated_axes(d.rotation_vector, m->f.axis);
    GOS_TRY(read_file(&k, &s));
    const gos_status kept = gos__arena_defer(b->arena, destroy, s);
    if (kept != GOS_OK) {
        gos__sid_destroy(s);
        return kept;
    }
    const gos_status status = make_flex(&k, s);
    if (status != GOS_OK) {
        gos__flex_destroy(m->f.flex);
        return status;
    }
    m->data = stays(&k) ? s : NULL;
    const gos_floating_picture picture = {.nnode = m->nnode, .cell_size = 2};
    GOS_TRY(gos__floating_add(b, &d.floating.start, &picture, own, &m->f, &body));
    return gos__add_body(b, &body, NULL);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__body_sid = {
    .section = "bodies",
    .name = "sid",
    .doc = "Flexible body from standard input data (SID_FEM) of another program, in its floating "
           "frame.",
    .params = params,
    .size = sizeof(sid_def),
    .example = "boom: {type: sid, file: boom.SID_FEM, position: [0, 0, 1], places: {tip: 21}}",
    .ops = &ops,
};
