/* Named sets by location: in a box, on a plane or cylinder, in a sector, or nearest to a point.
   Cells and sides must have all their nodes there; in a sector the mean of their corners counts,
   since sectors partition a mesh. Part sizes equal those of the sectors if cells follow their
   borders; otherwise a warning is issued. */
#include "mesh/named_sets.h"

#include "math/vec3.h"

typedef enum what { NODES, CELLS, SIDES } what;

static const char *const kinds[] = {"nodes", "cells", "sides"};

typedef struct box_def {
    double from[3], to[3];
} box_def;
typedef struct plane_def {
    double point[3], normal[3];
} plane_def;
typedef struct cylinder_def {
    double point[3], axis[3], radius;
} cylinder_def;
typedef struct sector_def {
    double point[3], axis[3], zero[3], at, angle;
} sector_def;

typedef struct def {
    int of; // enum what
    const char *in;
    box_def box;
    plane_def plane;
    cylinder_def cylinder;
    sector_def sector;
    double near[3], tolerance;
} def;

/* ---- tables ---------------------------------------------------------------------------------- */

#define POINT(type, key, flags_, def_, doc_)                                                       \
    {                                                                                              \
        .name = #key, .kind = GOS_K_VECTOR, .unit = "m", .shape = 3, .flags = flags_, .def = def_, \
        .offset = offsetof(type, key), .doc = doc_                                                 \
    }
#define DIRECTION(type, key, flags_, def_, doc_)                                                   \
    {                                                                                              \
        .name = #key, .kind = GOS_K_VECTOR, .unit = "-", .shape = 3,                               \
        .flags = GOS_P_UNIT_VECTOR | (flags_), .def = def_, .offset = offsetof(type, key),         \
        .doc = doc_                                                                                \
    }

static const gos_param box_params[] = {
    POINT(box_def, from, GOS_P_REQUIRED, NULL, "corner with the smallest coordinates"),
    POINT(box_def, to, GOS_P_REQUIRED, NULL, "corner with the largest coordinates"),
    {.name = NULL}};

static const gos_param plane_params[] = {
    POINT(plane_def, point, 0, "[0, 0, 0]", "a point on it"),
    DIRECTION(plane_def, normal, GOS_P_REQUIRED, NULL, "its normal"),
    {.name = NULL}};

static const gos_param cylinder_params[] = {
    POINT(cylinder_def, point, 0, "[0, 0, 0]", "a point on its axis"),
    DIRECTION(cylinder_def, axis, 0, "[0, 0, 1]", "its axis"),
    {.name = "radius",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(cylinder_def, radius),
     .doc = "its radius"},
    {.name = NULL}};

static const gos_param sector_params[] = {
    {.name = "at",
     .kind = GOS_K_NUMBER,
     .unit = "rad",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(sector_def, at),
     .doc = "angle of its middle"},
    {.name = "angle",
     .kind = GOS_K_NUMBER,
     .unit = "rad",
     .lo = 0,
     .hi = GOS_MESH_FULL,
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(sector_def, angle),
     .doc = "its opening angle"},
    POINT(sector_def, point, 0, "[0, 0, 0]", "a point on the axis of the angles"),
    DIRECTION(sector_def, axis, 0, "[0, 0, 1]", "axis of the angles"),
    DIRECTION(sector_def, zero, 0, "[1, 0, 0]",
              "direction of angle 0 (its component normal to the axis)"),
    {.name = NULL}};

#define SURFACE(key, doc_)                                                                         \
    {                                                                                              \
        .name = #key, .kind = GOS_K_MAP, .unit = "", .sub = key##_params,                          \
        .offset = offsetof(def, key), .doc = doc_                                                  \
    }

static const gos_param params[] = {
    {.name = "of",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "nodes",
     .choices = "nodes|cells|sides",
     .offset = offsetof(def, of),
     .doc = "kind of set: nodes, cells, or sides of cells"},
    {.name = "in",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(def, in),
     .doc = "restrict to this set of the same kind; default for sides: 'skin', the outer ones"},
    SURFACE(box, "restrict to an axis-parallel box"),
    SURFACE(plane, "restrict to a plane"),
    SURFACE(cylinder, "restrict to a cylinder"),
    SURFACE(sector,
            "restrict to a sector about an axis; cells and sides are selected by the mean "
            "of their corners, but in all other regions only if all their nodes are inside"),
    {.name = "near",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .offset = offsetof(def, near),
     .doc = "restrict to the single item nearest to this point, among those selected by the other "
            "keys"},
    {.name = "tolerance",
     .kind = GOS_K_NUMBER,
     .unit = "m",
     .lo = 0,
     .hi = HUGE_VAL,
     .offset = offsetof(def, tolerance),
     .doc = "distance up to which an item counts as in or on; default 1e-6 of the diagonal of the "
            "mesh"},
    {.name = NULL}};

const gos_type gos__mesh_set_type = {
    .section = "meshes",
    .name = "mesh_set",
    .doc = "An entry of the key `sets` of a mesh: the items that satisfy all its keys.",
    .params = params,
    .size = sizeof(def),
    .example = "rim: {of: sides, in: outer, sector: {at: 0, angle: deg(60)}}",
};

/* ---- location tests -------------------------------------------------------------------------- */

typedef struct chooser {
    const gos_mesh *mesh;
    const def *d;
    bool box, plane, cylinder, sector, near; // given keys
    double tol;
    double e[3][3]; // of the sector: direction of angle 0, of a right angle, axis
    int cut;        // cells and sides that cross a border of the sector
} chooser;

static bool on(const chooser *k, const double x[3]) {
    double y[3];
    for (int c = 0; c < 3 && k->box; c++) {
        if (!(x[c] >= k->d->box.from[c] - k->tol && x[c] <= k->d->box.to[c] + k->tol)) {
            return false;
        }
    }
    if (k->plane) {
        gos__sub3(x, k->d->plane.point, y);
        if (!(fabs(gos__dot3(y, k->d->plane.normal)) <= k->tol)) {
            return false;
        }
    }
    if (k->cylinder) {
        gos__sub3(x, k->d->cylinder.point, y);
        const double h = gos__dot3(y, k->d->cylinder.axis);
        const double r = sqrt(fmax(gos__dot3(y, y) - h * h, 0));
        return fabs(r - k->d->cylinder.radius) <= k->tol;
    }
    return true;
}

/* distance of x inside the nearer border of the sector [m], along the circle; below 0: outside */
static double inside(const chooser *k, const double x[3]) {
    double y[3];
    gos__sub3(x, k->d->sector.point, y);
    const double a = gos__dot3(y, k->e[0]), b = gos__dot3(y, k->e[1]);
    const double off = remainder(atan2(b, a) - k->d->sector.at, 2 * M_PI);
    return (0.5 * k->d->sector.angle - fabs(off)) * hypot(a, b);
}

static void mean_of(const gos_mesh *m, int n, const int *node, double x[3]) {
    for (int c = 0; c < 3; c++) {
        x[c] = 0;
        for (int i = 0; i < n; i++) {
            x[c] += m->x[node[i]][c] / n;
        }
    }
}

/* nodes of the i-th item of a kind, or of a set; returns the number of corners */
static int nodes_of(const gos_mesh *m, what of, int i, int side, int *n, int node[GOS_CELL_NODES]) {
    int at;
    if (of == NODES) {
        node[0] = i;
        *n = 1;
        return 1;
    }
    const gos_cell_block *b = gos__mesh_cell(m, i, &at);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    if (of == SIDES) {
        *n = gos__mesh_side(m, i, side, node);
        return gos__cell_kind[kind->side[side]].corners;
    }
    *n = kind->nodes;
    memcpy(node, b->node + (size_t)at * *n, (size_t)*n * sizeof *node);
    return kind->corners;
}

/* Is it in the set's location? Also its distance from `near`. */
static bool belongs(chooser *k, what of, int i, int side, double *distance) {
    int node[GOS_CELL_NODES], n;
    const int corners = nodes_of(k->mesh, of, i, side, &n, node);
    double x[3], y[3];
    for (int j = 0; j < n; j++) {
        if (!on(k, k->mesh->x[node[j]])) {
            return false;
        }
    }
    mean_of(k->mesh, corners, node, x);
    gos__sub3(x, k->d->near, y);
    *distance = gos__dot3(y, y);
    if (!k->sector) {
        return true;
    }
    const bool in = inside(k, x) >= -k->tol;
    bool across = false;
    for (int j = 0; j < corners; j++) {
        const double depth = inside(k, k->mesh->x[node[j]]);
        across = across || (in ? depth < -k->tol : depth > k->tol);
    }
    k->cut += across && k->d->sector.angle < 2 * M_PI - 1e-9;
    return in;
}

/* ---- selection ------------------------------------------------------------------------------- */

/* what may be chosen */
typedef struct candidates {
    int n;
    const int *item; // NULL: all
    const unsigned char *side;
} candidates;

static gos_status find_candidates(const gos_mesh_maker *k, const gos_node *entry, const def *d,
                                  const gos_mesh *m, candidates *c) {
    const char *name = d->in ? d->in : "skin";
    const gos_mesh_set *set = d->of == NODES && d->in   ? gos__mesh_node_set(m, name)
                              : d->of == CELLS && d->in ? gos__mesh_cell_set(m, name)
                                                        : NULL;
    const gos_mesh_surface *surface = d->of == SIDES ? gos__mesh_surface(m, name) : NULL;
    if (set) {
        *c = (candidates){set->n, set->item, NULL};
    } else if (surface) {
        *c = (candidates){surface->n, surface->cell, surface->side};
    } else if (d->in || d->of == SIDES) {
        return gos__fail_at(
            k->model->ctx, GOS_E_INPUT, gos__key_loc(entry, "in"), k->object,
            "there is no set of %s '%.64s' here; give one of the mesh, or one defined above",
            kinds[d->of], name);
    } else {
        *c = (candidates){d->of == NODES ? m->nnode : m->ncell, NULL, NULL};
    }
    return GOS_OK;
}

/* the selected ones overwrite the sufficiently long list; returns their number */
static int choose(chooser *k, const candidates *c, int *item, unsigned char *side) {
    int n = 0;
    double nearest = HUGE_VAL, distance;
    for (int i = 0; i < c->n; i++) {
        const int j = c->item ? c->item[i] : i;
        const unsigned char s = c->side ? c->side[i] : 0;
        if (!belongs(k, (what)k->d->of, j, s, &distance) || (k->near && !(distance < nearest))) {
            continue;
        }
        nearest = distance;
        n = k->near ? 0 : n;
        item[n] = j;
        side[n++] = s;
    }
    return n;
}

static gos_status add(const gos_mesh_maker *maker, const gos_node *entry, gos_mesh *m, chooser *k,
                      const candidates *c, int *item, unsigned char *side) {
    const what of = (what)k->d->of;
    const int n = choose(k, c, item, side);
    if (n == 0) {
        return gos__fail_at(maker->model->ctx, GOS_E_INPUT, entry->key_loc, maker->object,
                            "no %s of the mesh satisfy these conditions; change the location, or "
                            "increase the tolerance",
                            kinds[of]);
    }
    if (k->cut > 0) {
        gos__warn(maker->model->ctx, entry->key_loc, maker->object,
                  "%d %s cross the border of the sector of '%s'; those with their centre in the "
                  "sector are included, so the set is larger or smaller than the sector; align "
                  "cells with the border",
                  k->cut, kinds[of], entry->key);
    }
    return of == NODES   ? gos__mesh_add_nodes(m, entry->key, n, item)
           : of == CELLS ? gos__mesh_add_cells(m, entry->key, n, item)
                         : gos__mesh_add_surface(m, entry->key, n, item, side);
}

static gos_status set_axes(const gos_mesh_maker *maker, const gos_node *entry, chooser *k) {
    const double *axis = k->d->sector.axis, *zero = k->d->sector.zero;
    const double along = gos__dot3(axis, zero);
    double length = 0;
    for (int c = 0; c < 3; c++) {
        k->e[0][c] = zero[c] - along * axis[c];
        length += k->e[0][c] * k->e[0][c];
    }
    if (k->sector && !(length > 1e-12)) {
        return gos__fail_at(
            maker->model->ctx, GOS_E_INPUT, gos__key_loc(entry, "sector"), maker->object,
            "sector.zero is parallel to sector.axis; give a direction normal to it");
    }
    for (int c = 0; c < 3; c++) {
        k->e[0][c] /= sqrt(length);
        k->e[2][c] = axis[c];
    }
    for (int c = 0; c < 3; c++) {
        const int u = (c + 1) % 3, v = (c + 2) % 3;
        k->e[1][c] = k->e[2][u] * k->e[0][v] - k->e[2][v] * k->e[0][u];
    }
    return GOS_OK;
}

static double diagonal(const gos_mesh *m) {
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int i = 0; i < m->nnode; i++) {
            lo = fmin(lo, m->x[i][c]);
            hi = fmax(hi, m->x[i][c]);
        }
        sum += (hi - lo) * (hi - lo);
    }
    return sqrt(sum);
}

static gos_status check_name(const gos_mesh_maker *k, const gos_node *entry, const def *d,
                             const gos_mesh *m) {
    const void *old = d->of == NODES   ? (const void *)gos__mesh_node_set(m, entry->key)
                      : d->of == CELLS ? (const void *)gos__mesh_cell_set(m, entry->key)
                                       : (const void *)gos__mesh_surface(m, entry->key);
    if (!gos__name_valid(entry->key)) {
        return gos__fail_at(k->model->ctx, GOS_E_INPUT, entry->key_loc, k->object,
                            "'%.64s' cannot name a set; use letters, digits and _, at most %d, not "
                            "starting with a digit",
                            entry->key, GOS_LIMIT_NAME);
    }
    return old ? gos__fail_at(k->model->ctx, GOS_E_INPUT, entry->key_loc, k->object,
                              "the mesh already has a set of %s '%s'; use another name",
                              kinds[d->of], entry->key)
               : GOS_OK;
}

static gos_status make_set(const gos_mesh_maker *maker, const gos_node *entry, gos_mesh *m,
                           double size) {
    gos_ctx *ctx = maker->model->ctx;
    candidates c = {0};
    def d = {0};
    GOS_TRY(gos__fill(maker->model, entry, params, maker->object, m->arena, &d));
    chooser k = {.mesh = m,
                 .d = &d,
                 .box = gos__node_given(entry, "box"),
                 .plane = gos__node_given(entry, "plane"),
                 .cylinder = gos__node_given(entry, "cylinder"),
                 .sector = gos__node_given(entry, "sector"),
                 .near = gos__node_given(entry, "near")};
    k.tol = gos__node_given(entry, "tolerance") ? d.tolerance : 1e-6 * size;
    GOS_TRY(set_axes(maker, entry, &k));
    GOS_TRY(check_name(maker, entry, &d, m));
    GOS_TRY(find_candidates(maker, entry, &d, m, &c));
    int *item = gos__alloc(ctx, (size_t)c.n + 1, sizeof *item);
    unsigned char *side = gos__alloc(ctx, (size_t)c.n + 1, 1);
    const gos_status status =
        item && side ? add(maker, entry, m, &k, &c, item, side) : GOS_E_MEMORY;
    gos__free(ctx, item);
    gos__free(ctx, side);
    return status;
}

gos_status gos__mesh_named_sets(const gos_mesh_maker *maker, const gos_node *map, gos_mesh *mesh) {
    gos_status status = GOS_OK;
    if (map->kind != GOS_MAP) {
        return gos__fail_at(maker->model->ctx, GOS_E_INPUT, map->loc, maker->object,
                            "sets must be a map, {NAME: {of: nodes, ...}, ...}");
    }
    const double size = diagonal(mesh);
    for (const gos_node *e = map->child; e; e = e->next) {
        const gos_status s = make_set(maker, e, mesh, size);
        status = status == GOS_OK || s == GOS_E_MEMORY ? s : status;
        GOS_TRY(s == GOS_E_MEMORY ? s : GOS_OK);
    }
    return status;
}
