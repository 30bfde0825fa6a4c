/* Prescribed displacements and rotations of *BOUNDARY as joints between the frame and nodes, one
   for each direction, along mesh or *TRANSFORM axes. The frame is fixed to the other supports. */
#include "deck/body_deck.h"

#include "math/vec3.h"

typedef struct moving {
    gos_builder *b;
    const gos_mesh_deck_user *user;
    gos_mesh_deck_text to;
    int warned;                  // last line with a warning
    const gos_deck_nodal **last; // line of each freedom (nodes, 6)
} moving;

static gos_status refuse(const moving *k, const gos_deck_nodal *n, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, n->loc, k->user->object, "*BOUNDARY: %s", why);
}

/* displacement or rotation of a node along a direction of the mesh */
static gos_status bring(moving *k, const gos_deck_nodal *n, int node, int dof, bool turn,
                        const double own[3], double value) {
    const gos_deck *d = k->user->mesh->deck;
    const int lead = k->user->ties ? gos__deck_turned_by(d, node) : -1;
    const long long tag = gos__mesh_node_tag(k->user->mesh, lead >= 0 ? lead : node);
    const char *body = k->user->body;
    double e[3] = {0, 0, 0};
    for (int i = 0; i < 9; i++) {
        e[i % 3] += own[i / 3] * k->user->axis[i / 3][i % 3];
    }
    k->to.n = 0;
    GOS_TRY(gos__mesh_deck_put(&k->to,
                               "{%s_boundary_%d_%lld_%d: {type: %s, between: [%s.frame, "
                               "\"%s.node(%lld)\"], ",
                               body, n->loc.line,
                               (long long)gos__mesh_node_tag(k->user->mesh, node), dof + 1,
                               turn ? "driven_rotation" : "driven", body, body, tag));
    GOS_TRY(gos__mesh_deck_put(&k->to,
                               turn ? "axis: [%.17g, %.17g, %.17g], angle: "
                                    : "components: x, direction: [%.17g, %.17g, %.17g], "
                                      "displacement: [",
                               e[0], e[1], e[2]));
    GOS_TRY(gos__mesh_deck_put_magnitude(&k->to, value,
                                         n->amplitude < 0 ? NULL : &d->amplitude[n->amplitude], 0));
    GOS_TRY(gos__mesh_deck_put(&k->to, turn ? "}}" : ", 0, 0]}}"));
    return gos__bring_entries(k->b, "joints", k->to.text, n->loc);
}

/* nodes of shells and beams, and of couplings */
static bool has_rotation(const moving *k, int node) {
    const gos_deck *d = k->user->mesh->deck;
    int first;
    bool any = gos__deck_fibres_at(d, node, &first) > 0;
    for (int i = 0; i < d->ncoupling && k->user->ties; i++) {
        any = any || d->coupling[i].reference == node;
    }
    for (int i = 0; i < d->mesh->nblock && !any; i++) {
        const gos_cell_block *b = &d->mesh->block[i];
        const int nodes = gos__cell_kind[b->shape].nodes, dim = gos__cell_kind[b->shape].dim;
        for (int j = 0; j < b->n * nodes && (dim == 1 || dim == 2); j++) {
            any = any || b->node[j] == node;
        }
    }
    return any;
}

/* Rotations of a shell are components of a vector in its surface: one direction, or with a second
   one the whole vector, as in CalculiX. All lines of the node at its first rotation. */
static gos_status turn_shell(moving *k, int node, int dof) {
    const gos_deck_nodal **last = k->last + GOS_FE_FREEDOMS * (size_t)node;
    double first[3] = {0, 0, 0}, second[3], sum[3] = {0, 0, 0};
    bool both = false;
    for (int i = dof; i < GOS_FE_FREEDOMS; i++) {
        double own[3], apart[3];
        gos_deck_held row[2];
        gos__deck_direction(k->user->mesh->deck, node, i, own, NULL);
        if (!last[i] || last[i]->value == 0 ||
            gos__deck_held(k->user->mesh->deck, node, i, own, row) == 0) {
            continue;
        }
        if (last[i]->amplitude != last[dof]->amplitude) {
            return refuse(k, last[i], "rotations of a shell need one amplitude");
        }
        for (int c = 0; c < 3; c++) {
            sum[c] += last[i]->value * own[c];
        }
        if (gos__norm3(first) == 0) {
            memcpy(first, own, sizeof first);
            gos__unit3(first);
        }
        gos__cross3(first, own, apart);
        if (gos__norm3(apart) > 1e-4 * gos__norm3(own)) {
            both = true;
            const double along = gos__dot3(first, own);
            for (int c = 0; c < 3; c++) {
                second[c] = own[c] - along * first[c];
            }
            gos__unit3(second);
        }
    }
    if (gos__norm3(first) == 0) {
        return GOS_OK; // about the normal
    }
    GOS_TRY(bring(k, last[dof], node, dof, true, first, gos__dot3(sum, first)));
    return both ? bring(k, last[dof], node, dof == 3 ? 4 : 5, true, second, gos__dot3(sum, second))
                : GOS_OK;
}

static gos_status move(moving *k, const gos_deck_nodal *n, int node, int dof) {
    const int lead = k->user->ties ? gos__deck_turned_by(k->user->mesh->deck, node) : -1;
    if (k->user->undeformed) {
        if (n->loc.line != k->warned) {
            gos__warn(k->b->ctx, n->loc, k->user->object,
                      "*BOUNDARY: the prescribed displacement is not applied: the body does not "
                      "deform (`motion: none`, or a deck without *ELASTIC)");
        }
        k->warned = n->loc.line;
        return GOS_OK;
    }
    if (!k->user->loads) {
        return refuse(k, n, "prescribed displacements are loads; give the body `deck_loads: true`");
    }
    int first;
    if (dof >= 3 && lead < 0 && gos__deck_fibres_at(k->user->mesh->deck, node, &first) == 1) {
        bool earlier = false;
        for (int i = 3; i < dof; i++) {
            const gos_deck_nodal *other = k->last[GOS_FE_FREEDOMS * (size_t)node + i];
            earlier = earlier || (other && other->value != 0);
        }
        return earlier ? GOS_OK : turn_shell(k, node, dof);
    }
    if (dof >= 3 && lead < 0 && !has_rotation(k, node)) {
        return refuse(k, n,
                      "the node has no rotation, as it belongs to solids only; remove this "
                      "line, or couple nodes to a reference node and turn that");
    }
    double own[3];
    gos__deck_direction(k->user->mesh->deck, node, dof, own, NULL);
    return bring(k, n, node, dof, dof >= 3 || lead >= 0, own, n->value);
}

const gos_deck_nodal **gos__mesh_deck_last(gos_ctx *ctx, const gos_mesh *mesh) {
    const gos_deck *d = mesh->deck;
    const gos_deck_nodal **last = (const gos_deck_nodal **)gos__zalloc(
        ctx, GOS_FE_FREEDOMS * (size_t)mesh->nnode + 1, sizeof *last);
    for (int i = 0; i < d->nnodal && last; i++) {
        const gos_deck_nodal *n = &d->nodal[i];
        for (int j = 0; n->kind == GOS_DECK_FIXED && j < n->n; j++) {
            for (int dof = n->dof - 1; dof < n->dof_last && dof < GOS_FE_FREEDOMS; dof++) {
                last[GOS_FE_FREEDOMS * n->node[j] + dof] = n;
            }
        }
    }
    return last;
}

gos_status gos__mesh_deck_moved(gos_builder *b, const gos_mesh_deck_user *user) {
    moving k = {.b = b, .user = user, .to = {.ctx = b->ctx}};
    const int n = GOS_FE_FREEDOMS * user->mesh->nnode;
    const gos_deck_nodal **last = gos__mesh_deck_last(b->ctx, user->mesh);
    k.last = last;
    gos_status status = last ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < n && status == GOS_OK; i++) {
        status = last[i] && last[i]->value != 0
                     ? move(&k, last[i], i / GOS_FE_FREEDOMS, i % GOS_FE_FREEDOMS)
                     : GOS_OK;
    }
    gos__free(b->ctx, (void *)last);
    gos__free(b->ctx, k.to.text);
    return status;
}
