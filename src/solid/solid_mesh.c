/* Mesh of a solid: cells of three dimensions, with their sets. */
#include <lapacke.h>
#include <math.h>

#include "solid/solid.h"
#include "math/vec3.h"

#define ZERO_EXTENT 1e-9 // relative extent treated as 0

void gos__solid_point(const gos_solid *c, const gos_solid_block *k, int e, const double at[3],
                      gos_solid_point *p) {
    double x[GOS_CELL_NODES][3], dN[GOS_CELL_NODES][3];
    for (int i = 0; i < k->nodes; i++) {
        memcpy(x[i], c->x[k->node[e * k->nodes + i]], sizeof x[i]);
    }
    gos__shape(k->shape, at, p->N, dN);
    p->det = gos__shape_gradient(3, k->nodes, x, dN, p->grad);
}

gos_cell_shape gos__solid_side(const gos_solid *c, const gos_solid_side *s,
                               int node[GOS_CELL_SIDE_NODES]) {
    const gos_solid_block *k = &c->block[s->block];
    const gos_cell_kind *kind = &gos__cell_kind[k->shape];
    const gos_cell_shape shape = kind->side[s->side];
    for (int i = 0; i < gos__cell_kind[shape].nodes; i++) {
        node[i] = k->node[s->e * k->nodes + kind->side_node[s->side][i]];
    }
    return shape;
}

/* ---- nodes and elements ---------------------------------------------------------------------- */

/* a mesh being copied */
typedef struct taking {
    const gos_mesh *mesh;
    const int *part_of; // NULL: the first
    int *number;        // (nnode) body index, -1: in no element
    int *block, *e;     // (ncell) element; block -1: not a solid
} taking;

static bool is_solid(const gos_cell_block *k) {
    return gos__cell_kind[k->shape].dim == 3;
}

static gos_status take_nodes(gos_builder *b, const taking *t, const double position[3],
                             const double rotation[3], gos_solid *c) {
    const gos_mesh *mesh = t->mesh;
    gos__rotated_axes(rotation, c->axis);
    for (int i = 0; i < mesh->nnode; i++) {
        t->number[i] = -1;
    }
    for (int i = 0; i < mesh->nblock; i++) {
        const gos_cell_block *k = &mesh->block[i];
        const long n = is_solid(k) ? (long)k->n * gos__cell_kind[k->shape].nodes : 0;
        for (long j = 0; j < n; j++) {
            t->number[k->node[j]] = 0;
        }
        c->ncell += n > 0 ? k->n : 0;
    }
    for (int i = 0; i < mesh->nnode; i++) {
        t->number[i] = t->number[i] < 0 ? -1 : c->nnode++;
    }
    c->x = (double(*)[3])GOS_NEW(b->arena, double, 3 * (c->nnode + 1));
    c->tag = GOS_NEW(b->arena, int64_t, c->nnode + 1);
    if (!c->x || !c->tag) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < mesh->nnode; i++) {
        const int at = t->number[i];
        for (int d = 0; d < 3 && at >= 0; d++) {
            const double *x = mesh->x[i];
            c->x[at][d] =
                position[d] + c->axis[0][d] * x[0] + c->axis[1][d] * x[1] + c->axis[2][d] * x[2];
            c->tag[at] = gos__mesh_node_tag(mesh, i);
        }
    }
    return GOS_OK;
}

/* Makes a block from the elements of one part, unless empty. */
static gos_status take_block(gos_builder *b, const taking *t, const gos_cell_block *from, int part,
                             gos_solid *c) {
    gos_solid_block *k = &c->block[c->nblock];
    const gos_solid_block *before = c->nblock > 0 ? k - 1 : NULL;
    *k = (gos_solid_block){.shape = from->shape,
                           .part = part,
                           .nodes = gos__cell_kind[from->shape].nodes,
                           .first = before ? before->first + before->n : 0};
    for (int i = 0; i < from->n; i++) {
        const int cell = from->first + i;
        if ((t->part_of ? t->part_of[cell] : 0) == part) {
            t->block[cell] = c->nblock;
            t->e[cell] = k->n++;
        }
    }
    if (k->n == 0) {
        return GOS_OK;
    }
    k->node = GOS_NEW(b->arena, int, (long)k->n * k->nodes);
    if (!k->node) {
        return GOS_E_MEMORY;
    }
    for (long j = 0; j < (long)from->n * k->nodes; j++) {
        const int cell = from->first + (int)(j / k->nodes);
        if (t->block[cell] == c->nblock) {
            k->node[(long)t->e[cell] * k->nodes + j % k->nodes] = t->number[from->node[j]];
        }
    }
    c->nblock++;
    return GOS_OK;
}

static gos_status take_elements(gos_builder *b, const taking *t, gos_solid *c) {
    c->block = GOS_NEW(b->arena, gos_solid_block, (long)t->mesh->nblock * c->npart + 1);
    if (!c->block) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < t->mesh->ncell; i++) {
        t->block[i] = -1;
    }
    for (int i = 0; i < t->mesh->nblock; i++) {
        for (int part = 0; part < c->npart && is_solid(&t->mesh->block[i]); part++) {
            GOS_TRY(take_block(b, t, &t->mesh->block[i], part, c));
        }
    }
    return GOS_OK;
}

/* Rejects inverted elements; sums the volume. */
static gos_status check_elements(gos_builder *b, const taking *t, gos_loc loc, const char *object,
                                 gos_solid *c) {
    for (int cell = 0; cell < t->mesh->ncell; cell++) {
        if (t->block[cell] < 0) {
            continue;
        }
        const gos_solid_block *k = &c->block[t->block[cell]];
        gos_rule rule[2];
        gos__rule(k->shape, GOS_RULE_STIFFNESS, &rule[0]);
        gos__rule(k->shape, GOS_RULE_MASS, &rule[1]);
        for (int g = 0; g < rule[0].n + rule[1].n; g++) {
            const int r = g < rule[0].n ? 0 : 1, q = g - r * rule[0].n;
            gos_solid_point p;
            gos__solid_point(c, k, t->e[cell], rule[r].at[q], &p);
            c->volume += r == 0 ? rule[r].weight[q] * p.det : 0;
            if (!(p.det > 0)) {
                return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                    "element %lld of the mesh is inverted or has no volume; "
                                    "reverse the order of its nodes, or correct them",
                                    (long long)gos__mesh_cell_tag(t->mesh, cell));
            }
        }
    }
    return GOS_OK;
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* Sets mean position and spread; arms are given from the origin. */
static void measure_set(const gos_solid *c, gos_solid_set *s) {
    double G[9] = {0}, size[3];
    for (int i = 0; i < s->n; i++) {
        for (int d = 0; d < 3; d++) {
            s->x[d] += s->w[i] * c->x[s->node[i]][d];
        }
    }
    for (int i = 0; i < s->n; i++) {
        double r[3];
        gos__sub3(c->x[s->node[i]], s->x, r);
        for (int d = 0; d < 3; d++) {
            s->arm[i][d] -= s->w[i] * s->x[d];
        }
        for (int k = 0; k < 9; k++) {
            G[k] += s->arm[i][k / 3] * r[k % 3];
        }
    }
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', 3, G, 3, size) != 0) {
        return;
    }
    for (int j = 0; j < 3; j++) {
        if (size[j] > ZERO_EXTENT * size[2]) {
            s->rank++;
            for (int k = 0; k < 9; k++) {
                s->spread[k] += G[3 * j + k / 3] * G[3 * j + k % 3] / size[j];
            }
        }
    }
}

/* Copies the nodes that solid cells have. */
static gos_status take_node_set(gos_arena *a, const gos_mesh_set *from, const gos_solid *c,
                                const int *number, gos_solid_set *s) {
    s->name = gos__arena_strdup(a, from->name);
    s->node = GOS_NEW(a, int, from->n + 1);
    s->w = GOS_NEW(a, double, from->n + 1);
    s->arm = (double(*)[3])GOS_NEW(a, double, 3 * (from->n + 1));
    if (!s->name || !s->node || !s->w || !s->arm) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < from->n; i++) {
        if (number[from->item[i]] >= 0) {
            s->node[s->n++] = number[from->item[i]];
        }
    }
    for (int i = 0; i < s->n; i++) {
        s->w[i] = 1.0 / s->n;
        for (int d = 0; d < 3; d++) {
            s->arm[i][d] = s->w[i] * c->x[s->node[i]][d];
        }
    }
    return GOS_OK;
}

/* share (nnode, 4), initially zero: int N dA, int N x dA by body node */
static void add_areas(const gos_solid *c, gos_solid_set *s, double *share) {
    for (int i = 0; i < s->nside; i++) {
        int node[GOS_CELL_SIDE_NODES];
        double x[GOS_CELL_SIDE_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], normal[3];
        gos_rule rule;
        const gos_cell_shape shape = gos__solid_side(c, &s->side[i], node);
        const int n = gos__cell_kind[shape].nodes;
        for (int k = 0; k < n; k++) {
            memcpy(x[k], c->x[node[k]], sizeof x[k]);
        }
        gos__rule(shape, GOS_RULE_MASS, &rule);
        for (int g = 0; g < rule.n; g++) {
            gos__shape(shape, rule.at[g], N, dN);
            const double dA = rule.weight[g] * gos__shape_normal(2, n, x, dN, normal);
            double at[4] = {1, 0, 0, 0};
            for (int k = 0; k < 3 * n; k++) {
                at[1 + k % 3] += N[k / 3] * x[k / 3][k % 3];
            }
            s->area += dA;
            for (int k = 0; k < 4 * n; k++) {
                share[4 * node[k / 4] + k % 4] += dA * N[k / 4] * at[k % 4];
            }
        }
    }
}

static gos_status take_surface(gos_builder *b, const taking *t, const gos_mesh_surface *from,
                               const gos_solid *c, double *share, bool *has, gos_solid_set *s) {
    gos_arena *a = b->arena;
    s->name = gos__arena_strdup(a, from->name);
    s->side = GOS_NEW(a, gos_solid_side, from->n + 1);
    if (!s->name || !s->side) {
        return GOS_E_MEMORY;
    }
    memset(share, 0, 4L * c->nnode * sizeof *share);
    memset(has, 0, (size_t)c->nnode * sizeof *has);
    for (int i = 0; i < from->n; i++) {
        const int cell = from->cell[i];
        gos_solid_side *side = &s->side[s->nside];
        if (t->block[cell] < 0) {
            continue;
        }
        int node[GOS_CELL_SIDE_NODES];
        *side = (gos_solid_side){.block = t->block[cell], .e = t->e[cell], .side = from->side[i]};
        s->nside++;
        const gos_cell_shape shape = gos__solid_side(c, side, node);
        for (int k = 0; k < gos__cell_kind[shape].nodes; k++) {
            s->n += !has[node[k]];
            has[node[k]] = true;
        }
    }
    add_areas(c, s, share);
    s->node = GOS_NEW(a, int, s->n + 1);
    s->w = GOS_NEW(a, double, s->n + 1);
    s->arm = (double(*)[3])GOS_NEW(a, double, 3 * (s->n + 1));
    if (!s->node || !s->w || !s->arm) {
        return GOS_E_MEMORY;
    }
    int at = 0;
    for (int i = 0; i < c->nnode; i++) {
        if (has[i]) {
            s->node[at] = i;
            for (int d = 0; d < 3; d++) {
                s->arm[at][d] = share[4 * i + 1 + d] / s->area;
            }
            s->w[at++] = share[4 * i] / s->area;
        }
    }
    return GOS_OK;
}

static gos_status take_sets(gos_builder *b, const taking *t, gos_solid *c) {
    const gos_mesh *mesh = t->mesh;
    double *share = gos__alloc(b->ctx, 4L * c->nnode + 1, sizeof *share);
    bool *has = gos__alloc(b->ctx, c->nnode + 1L, sizeof *has);
    gos_status status = share && has ? GOS_OK : GOS_E_MEMORY;
    c->skin = -1;
    c->set = GOS_NEW(b->arena, gos_solid_set, mesh->nsurface + mesh->nnode_set + 1);
    status = c->set ? status : GOS_E_MEMORY;
    for (int i = 0; i < mesh->nsurface && status == GOS_OK; i++) {
        gos_solid_set *s = &c->set[c->nset];
        status = take_surface(b, t, &mesh->surface[i], c, share, has, s);
        c->skin = strcmp(mesh->surface[i].name, "skin") == 0 && s->n > 0 ? c->nset : c->skin;
        c->nset += s->n > 0;
    }
    const int surfaces = c->nset;
    for (int i = 0; i < mesh->nnode_set && status == GOS_OK; i++) {
        gos_solid_set *s = &c->set[c->nset];
        int same = 0; // a surface is also a set of its nodes
        while (same < surfaces && strcmp(c->set[same].name, mesh->node_set[i].name) != 0) {
            same++;
        }
        if (same == surfaces) {
            *s = (gos_solid_set){0};
            status = take_node_set(b->arena, &mesh->node_set[i], c, t->number, s);
            c->nset += s->n > 0;
        }
    }
    for (int i = 0; i < c->nset && status == GOS_OK; i++) {
        measure_set(c, &c->set[i]);
    }
    c->points = GOS_NEW(b->arena, int, 2 * c->nset + 2);
    status = c->points ? status : GOS_E_MEMORY;
    gos__free(b->ctx, share);
    gos__free(b->ctx, has);
    return status;
}

gos_status gos__solid_mesh(gos_builder *b, const gos_mesh *mesh, const int *part_of,
                           const double position[3], const double rotation[3], gos_loc loc,
                           const char *object, gos_solid *c) {
    int *all = gos__alloc(b->ctx, mesh->nnode + 2L * mesh->ncell + 1, sizeof *all);
    if (!all) {
        return GOS_E_MEMORY;
    }
    const taking t = {.mesh = mesh,
                      .part_of = part_of,
                      .number = all,
                      .block = all + mesh->nnode,
                      .e = all + mesh->nnode + mesh->ncell};
    gos_status status = take_nodes(b, &t, position, rotation, c);
    if (status == GOS_OK && c->ncell == 0) {
        status = gos__fail_at(
            b->ctx, GOS_E_INPUT, loc, object,
            "the mesh has no solid cells; use one with hexahedra, tetrahedra or wedges");
    }
    status = status == GOS_OK ? take_elements(b, &t, c) : status;
    status = status == GOS_OK ? check_elements(b, &t, loc, object, c) : status;
    status = status == GOS_OK ? take_sets(b, &t, c) : status;
    gos__free(b->ctx, all);
    return status;
}

/* ---- pictures -------------------------------------------------------------------------------- */

gos_status gos__solid_skin(gos_arena *a, const gos_solid *c, int *ncell, int **cell) {
    const gos_solid_set *skin = c->skin < 0 ? NULL : &c->set[c->skin];
    *ncell = skin ? skin->nside : 0;
    *cell = GOS_NEW(a, int, 4L * *ncell + 1);
    if (!*cell) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < *ncell; i++) {
        int node[GOS_CELL_SIDE_NODES];
        const gos_cell_shape shape = gos__solid_side(c, &skin->side[i], node);
        const int corners = gos__cell_kind[shape].corners;
        for (int k = 0; k < 4; k++) {
            const int last = k < corners ? k : corners > 0 ? corners - 1 : 0;
            (*cell)[4 * i + k] = node[last];
        }
    }
    return GOS_OK;
}

/* ---- rotation of nodes ----------------------------------------------------------------------- */

/* Chooses the farthest node, then the one with the largest triangle. */
static void choose_pair(const gos_solid *c, const gos_solid_block *k, int e, int node,
                        int pair[2]) {
    double most[2] = {0, 0}, to[3], other[3], normal[3];
    memset(to, 0, sizeof to);
    pair[0] = pair[1] = -1;
    for (int second = 0; second < 2; second++) {
        for (int j = 0; j < k->nodes; j++) {
            const int at = k->node[e * k->nodes + j];
            gos__sub3(c->x[at], c->x[node], other);
            gos__cross3(to, other, normal);
            const double size = second ? gos__dot3(normal, normal) : gos__dot3(other, other);
            if (at != node && size > most[second]) {
                most[second] = size;
                pair[second] = at;
            }
        }
        gos__sub3(c->x[pair[0]], c->x[node], to);
    }
}

gos_status gos__solid_turns(gos_builder *b, const gos_solid *c, int v0, const int **turn) {
    int *to = GOS_NEW(b->arena, int, 2 * (size_t)c->nnode + 1);
    GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < c->nnode; i++) {
        const gos_solid_touch *at = &c->touch[c->touch_start[i]];
        int pair[2];
        choose_pair(c, &c->block[at->block], at->e, i, pair);
        to[2 * i] = v0 + pair[0];
        to[2 * i + 1] = v0 + pair[1];
    }
    *turn = to;
    return GOS_OK;
}
