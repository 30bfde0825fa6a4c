/* Line meshes: straight members between points in space, each of equal cells. */
#include "mesh/generate.h"

typedef struct def {
    gos_mesh_def mesh;
    const gos_node *points, *members;
    int cells;
} def;

static const gos_param params[] = {
    {.name = "points",
     .kind = GOS_K_NODE,
     .unit = "m",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(def, points),
     .doc = "two or more points [x, y, z]"},
    {.name = "members",
     .kind = GOS_K_NODE,
     .unit = "",
     .offset = offsetof(def, members),
     .doc = "pairs of points joined by a straight member, counted from 1: [[1, 2], [2, 3]]; "
            "default: each point and the next"},
    {.name = "cells",
     .kind = GOS_K_INT,
     .unit = "",
     .lo = 1,
     .hi = GOS_LIMIT_MESH_CELLS,
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(def, cells),
     .doc = "number of equal cells of each member"},
    GOS_MESH_SETS,
    {.name = NULL}};

typedef struct frame {
    const gos_mesh_maker *k;
    const def *d;
    int npoint, nmember;
    double (*x)[3];   // (npoint)
    int (*member)[2]; // (nmember), from 0
    gos_mesh *mesh;
} frame;

static gos_status read_row(const gos_mesh_maker *k, const gos_node *row, int n, const char *what,
                           double *to) {
    int c = 0;
    bool good = row->kind == GOS_LIST && row->n == n;
    for (const gos_node *v = good ? row->child : NULL; v; v = v->next) {
        good = good && v->kind == GOS_SCALAR;
    }
    if (!good) {
        return gos__fail_at(k->model->ctx, GOS_E_INPUT, row->loc, k->object, "%s", what);
    }
    for (const gos_node *v = row->child; v; v = v->next, c++) {
        GOS_TRY(gos__quantity(k->model, v->text, v->loc, k->object, &(gos_measure){.unit = "m"},
                              &to[c]));
    }
    return GOS_OK;
}

static gos_status read_points(frame *f) {
    const gos_node *list = f->d->points;
    int i = 0;
    if (list->kind != GOS_LIST || list->n < 2) {
        return gos__fail_at(f->k->model->ctx, GOS_E_INPUT, list->loc, f->k->object,
                            "points must be two or more, [[0, 0, 0], [1, 0, 0]]");
    }
    f->npoint = list->n;
    f->x = gos__arena_alloc(f->mesh->arena, (size_t)list->n, sizeof *f->x);
    GOS_TRY(f->x ? GOS_OK : GOS_E_MEMORY);
    for (const gos_node *p = list->child; p; p = p->next, i++) {
        GOS_TRY(read_row(f->k, p, 3, "a point must be three numbers, [x, y, z]", f->x[i]));
    }
    return GOS_OK;
}

static gos_status read_members(frame *f) {
    const gos_node *list = f->d->members;
    int i = 0;
    if (list && (list->kind != GOS_LIST || list->n < 1)) {
        return gos__fail_at(f->k->model->ctx, GOS_E_INPUT, list->loc, f->k->object,
                            "members must be pairs of numbers of points, [[1, 2], [2, 3]]");
    }
    f->nmember = list ? list->n : f->npoint - 1;
    f->member = gos__arena_alloc(f->mesh->arena, (size_t)f->nmember, sizeof *f->member);
    GOS_TRY(f->member ? GOS_OK : GOS_E_MEMORY);
    for (int m = 0; m < f->nmember; m++) {
        f->member[m][0] = m;
        f->member[m][1] = m + 1;
    }
    for (const gos_node *p = list ? list->child : NULL; p; p = p->next, i++) {
        double end[2];
        GOS_TRY(read_row(f->k, p, 2, "a member must be two numbers of points, [1, 2]", end));
        for (int e = 0; e < 2; e++) {
            if (!(end[e] >= 1 && end[e] <= f->npoint && end[e] == rint(end[e]))) {
                return gos__fail_at(f->k->model->ctx, GOS_E_INPUT, p->loc, f->k->object,
                                    "there is no point %g; give numbers from 1 to %d", end[e],
                                    f->npoint);
            }
            f->member[i][e] = (int)end[e] - 1;
        }
    }
    return GOS_OK;
}

static gos_status check_members(const frame *f) {
    for (int m = 0; m < f->nmember; m++) {
        const double *a = f->x[f->member[m][0]], *b = f->x[f->member[m][1]];
        if (!(hypot(hypot(b[0] - a[0], b[1] - a[1]), b[2] - a[2]) > 0)) {
            return gos__fail_at(f->k->model->ctx, GOS_E_INPUT,
                                f->d->members ? f->d->members->loc : f->d->points->loc,
                                f->k->object, "member %d has no length", m + 1);
        }
    }
    return GOS_OK;
}

/* node i of a member: its ends are the points; intermediate nodes follow all points */
static int node_of(const frame *f, int m, int i) {
    const int n = f->d->cells;
    return i == 0 ? f->member[m][0] : i == n ? f->member[m][1] : f->npoint + m * (n - 1) + i - 1;
}

static gos_status fill(const frame *f, gos_loc loc) {
    const int n = f->d->cells;
    gos_mesh *mesh = f->mesh;
    gos_cell_block *b;
    GOS_TRY(gos__mesh_nodes(mesh, f->npoint + (double)f->nmember * (n - 1), loc, f->k->object));
    GOS_TRY(gos__mesh_cells(mesh, GOS_CELL_LINE2, (double)f->nmember * n, loc, f->k->object, &b));
    memcpy(mesh->x, f->x, (size_t)f->npoint * sizeof *f->x);
    for (int m = 0; m < f->nmember; m++) {
        const double *from = f->x[f->member[m][0]], *to = f->x[f->member[m][1]];
        for (int i = 0; i < n; i++) {
            const double s = (double)i / n;
            const int node = node_of(f, m, i);
            b->node[2 * (m * n + i)] = node;
            b->node[2 * (m * n + i) + 1] = node_of(f, m, i + 1);
            for (int c = 0; c < 3 && i > 0; c++) {
                mesh->x[node][c] = (1 - s) * from[c] + s * to[c];
            }
        }
    }
    return GOS_OK;
}

/* node sets point_1 ..., cell sets member_1 ... */
static gos_status name(const frame *f) {
    char text[40];
    int *cell = GOS_NEW(f->mesh->arena, int, f->d->cells);
    GOS_TRY(cell ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < f->npoint; i++) {
        gos__format(text, sizeof text, "point_%d", i + 1);
        GOS_TRY(gos__mesh_add_nodes(f->mesh, text, 1, &i));
    }
    for (int m = 0; m < f->nmember; m++) {
        for (int i = 0; i < f->d->cells; i++) {
            cell[i] = m * f->d->cells + i;
        }
        gos__format(text, sizeof text, "member_%d", m + 1);
        GOS_TRY(gos__mesh_add_cells(f->mesh, text, f->d->cells, cell));
    }
    return GOS_OK;
}

static gos_status make(const gos_mesh_maker *k, const void *par, gos_mesh *mesh) {
    frame f = {.k = k, .d = par, .mesh = mesh};
    const gos_loc loc = gos__key_loc(k->entry, "cells");
    GOS_TRY(read_points(&f));
    GOS_TRY(read_members(&f));
    GOS_TRY(check_members(&f));
    GOS_TRY(fill(&f, loc));
    GOS_TRY(name(&f));
    return gos__mesh_finish(mesh, loc, k->object);
}

static const gos_mesh_ops ops = {.make = make};

const gos_type gos__mesh_frame = {
    .section = "meshes",
    .name = "frame",
    .doc = "Lines in space, for beams. Node sets: point_1, point_2 ...; cell sets: member_1, "
           "member_2 ...",
    .params = params,
    .size = sizeof(def),
    .example = "portal: {type: frame, points: [[0, 0, 0], [0, 0, 2], [3, 0, 2], [3, 0, 0]], cells: "
               "8}",
    .ops = &ops,
};
