/* Prescribed displacements of *BOUNDARY as joints between the frame and nodes, one for each
   direction, along mesh or *TRANSFORM axes. The frame is fixed to the other supports. */
#include "deck/body_deck.h"

#include "math/vec3.h"

typedef struct moving {
    gos_builder *b;
    const gos_mesh_deck_user *user;
    gos_mesh_deck_text to;
    int warned; // last line with a warning
} moving;

static gos_status refuse(const moving *k, const gos_deck_nodal *n, const char *why) {
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, n->loc, k->user->object, "*BOUNDARY: %s", why);
}

static gos_status bring(moving *k, const gos_deck_nodal *n, int node, int dof) {
    const gos_deck *d = k->user->mesh->deck;
    const long long tag = gos__mesh_node_tag(k->user->mesh, node);
    const char *body = k->user->body;
    double own[3], e[3] = {0, 0, 0};
    gos__deck_direction(d, node, dof, own, NULL);
    for (int i = 0; i < 9; i++) {
        e[i % 3] += own[i / 3] * k->user->axis[i / 3][i % 3];
    }
    k->to.n = 0;
    GOS_TRY(gos__mesh_deck_put(
        &k->to,
        "{%s_boundary_%d_%lld_%d: {type: driven, between: [%s.frame, \"%s.node(%lld)\"], "
        "components: x, direction: [%.17g, %.17g, %.17g], displacement: [",
        body, n->loc.line, tag, dof + 1, body, body, tag, e[0], e[1], e[2]));
    GOS_TRY(gos__mesh_deck_put_magnitude(&k->to, n->value,
                                         n->amplitude < 0 ? NULL : &d->amplitude[n->amplitude], 0));
    GOS_TRY(gos__mesh_deck_put(&k->to, ", 0, 0]}}"));
    return gos__bring_entries(k->b, "joints", k->to.text, n->loc);
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
    return dof >= 3 || lead >= 0
               ? refuse(k, n,
                        "prescribed rotations are not supported; leave this line out, and turn "
                        "the node by a joint of type driven_rotation")
               : bring(k, n, node, dof);
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
