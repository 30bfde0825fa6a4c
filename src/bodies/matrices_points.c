/* Nodes of matrices for small displacements: position x + u, axes a_j = e_j + theta x e_j. Markers
 * cannot hold a cross product, so the axes are coordinates, tied to theta by nine linear rows. */
#include "bodies/matrices_body.h"
#include "bodies/component_rows.h"
#include "parts/marker.h"
#include "parts/vec3.h"

/* ---- coordinates of a node ------------------------------------------------------------------- */

/* theta, a_1, a_2, a_3: a_j - e_j - theta x e_j = 0 */
static void axes_eval(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it);
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2}, *a = io->x + 3 + 3 * j;
        double turned[3], E[9];
        gos__cross3(io->x, e, turned);
        gos__skew3(e, E);
        for (int k = 0; k < 3; k++) {
            const int row = 3 * j + k;
            if (io->c) {
                io->c[row] += a[k] - e[k] - turned[k];
            }
            for (int l = 0; io->cx && l < 3; l++) { // theta x e = -e x theta
                io->cx[12 * row + l] += E[3 * k + l];
                io->cx[12 * row + 3 + 3 * j + l] += k == l;
            }
        }
    }
}

static const gos_item_type axes_type = {.name = "small rotation", .eval = axes_eval};

static gos_status add_axes(gos_builder *b, const gos_body *body, const char *name, int turn) {
    gos_item item = {
        .type = &axes_type, .name = name, .loc = body->loc, .nm = 4, .nc = 9, .linear = true};
    const double one = 1;
    for (int j = 0; j < 4; j++) {
        const int v = turn + j;
        GOS_TRY(gos__marker_make(b->arena, 1, &v, &one, NULL, &item.m[j]));
    }
    return gos__add_item(b, &item, NULL);
}

static void set_axes(gos_builder *b, int turn) {
    for (int j = 0; j < 3; j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        gos__cross3(b->e0[turn], e, b->e0[turn + 1 + j]);
        gos__cross3(b->v0[turn], e, b->v0[turn + 1 + j]);
        b->e0[turn + 1 + j][j] += 1;
    }
}

gos_status gos__matrices_nodes_add(gos_builder *b, gos_body *body, gos_matrices_body *m) {
    int v;
    body->nnode = m->nnode;
    int *node_v = GOS_NEW(b->arena, int, m->nnode + 1);
    if (!node_v) {
        return GOS_E_MEMORY;
    }
    body->node_v = node_v;
    for (int k = 0; k < m->nnode; k++) {
        gos_matrices_node *node = &m->node[k];
        GOS_TRY(gos__add_vectors(b, 1, node->x, 1, &node->v));
        node_v[k] = node->v;
        body->nv++;
        if (node->turns) {
            GOS_TRY(gos__add_vectors(b, 4, NULL, 0, &v));
            node->axis = v + 1;
            body->nv += 4;
        }
    }
    return GOS_OK;
}

int gos__matrices_node_at(const gos_matrices_node *node, int k) {
    return k < 3 ? 3 * node->v + k : 3 * (node->axis - 1) + k - 3;
}

gos_status gos__matrices_nodes_tie(gos_builder *b, const gos_body *body, gos_matrices_body *m,
                                   const char *name) {
    for (int k = 0; k < m->nnode; k++) {
        const gos_matrices_node *node = &m->node[k];
        for (int c = 0; c < GOS_NODE_DOFS; c++) {
            if (node->dof[c] < 0 && (c < 3 || node->turns)) {
                GOS_TRY(gos__hold_component(b, body->loc, name, gos__matrices_node_at(node, c)));
            }
        }
        if (node->turns) {
            set_axes(b, node->axis - 1);
            GOS_TRY(add_axes(b, body, name, node->axis - 1));
        }
    }
    return GOS_OK;
}

/* ---- attachment points ----------------------------------------------------------------------- */

gos_status gos__matrices_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                                const char *object, gos_location *place) {
    const gos_matrices_body *m = b->par;
    if (m->nnode == 0) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "body '%s' is defined by matrices and has no nodes; give it `nodes`, "
                            "or use loads of type input and probes of quantity output",
                            b->name);
    }
    for (int k = 0; k < m->nnode; k++) {
        if (strcmp(m->node[k].name, ref) == 0) {
            *place = (gos_location){.body = b,
                                    .node = k,
                                    .face = -1,
                                    .turns = m->node[k].turns ? GOS_PLACE_TURNS : GOS_PLACE_STAYS};
            memcpy(place->x, m->node[k].x, sizeof place->x);
            return GOS_OK;
        }
    }
    const char *near = gos__suggest(ref, m->node_name, m->nnode);
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        near
                            ? "body '%s' has no node '%s' (did you mean '%s'?)"
                            : "body '%s' has no node '%s'; use one of its table `nodes`, e.g. '%s'",
                        b->name, ref, near ? near : m->node_name[0]);
}

gos_status gos__matrices_position(gos_arena *a, const gos_body *b, const gos_location *p,
                                  gos_marker *to) {
    const gos_matrices_body *m = b->par;
    const double one = 1;
    return gos__marker_make(a, 1, &m->node[p->node].v, &one, NULL, to);
}

gos_status gos__matrices_direction(gos_arena *a, const gos_body *b, const gos_location *p,
                                   const double d[3], gos_marker *to) {
    const gos_matrices_body *m = b->par;
    const gos_matrices_node *node = &m->node[p->node];
    const int v[3] = {node->axis, node->axis + 1, node->axis + 2};
    return node->turns ? gos__marker_make(a, 3, v, d, NULL, to) : GOS_E_INPUT;
}
