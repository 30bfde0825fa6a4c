/* *BOUNDARY as joints, one per supported or driven node, along mesh or *TRANSFORM axes at t = 0. */
#include "deck/body_deck.h"

#include <math.h>

#define ALONG 1e-9 // tolerance for a direction along a global axis

typedef struct supporting {
    gos_builder *b;
    const gos_mesh_deck_user *user;
    // last line for each direction of a node; NULL: free (nodes, 3)
    const gos_deck_nodal **by;
    gos_mesh_deck_text to;
} supporting;

typedef struct held {
    int node, n, dof[3];         // n directions
    const gos_deck_nodal *by[3]; // their lines
    double e[3][3];              // their global axes
    const gos_deck_nodal *moved; // line with a motion, NULL: none
} held;

static void list_lines(const supporting *k) {
    const gos_deck *d = k->user->mesh->deck;
    for (int i = 0; i < d->nnodal; i++) {
        const gos_deck_nodal *n = &d->nodal[i];
        for (int j = 0; n->kind == GOS_DECK_FIXED && j < n->n; j++) {
            for (int dof = n->dof - 1; dof < n->dof_last && dof < 3; dof++) {
                k->by[3 * n->node[j] + dof] = n;
            }
        }
    }
}

/* nodes without solid cells have no stiffness */
static void drop_bare(const supporting *k, bool *solid) {
    const gos_mesh *m = k->user->mesh;
    for (int i = 0; i < m->nblock; i++) {
        const gos_cell_block *b = &m->block[i];
        const int nodes = gos__cell_kind[b->shape].dim == 3 ? gos__cell_kind[b->shape].nodes : 0;
        for (int j = 0; j < b->n * nodes; j++) {
            solid[b->node[j]] = true;
        }
    }
    for (int i = 0; i < 3 * m->nnode; i++) {
        k->by[i] = solid[i / 3] ? k->by[i] : NULL;
    }
}

static void describe(const supporting *k, int node, held *h) {
    *h = (held){.node = node};
    for (int dof = 0; dof < 3; dof++) {
        const gos_deck_nodal *n = k->by[3 * node + dof];
        double along[3];
        if (!n) {
            continue;
        }
        gos__deck_direction(k->user->mesh->deck, node, dof, along, NULL);
        for (int i = 0; i < 9; i++) {
            h->e[h->n][i % 3] += along[i / 3] * k->user->axis[i / 3][i % 3];
        }
        h->moved = n->value != 0 ? n : h->moved;
        h->dof[h->n] = dof;
        h->by[h->n++] = n;
    }
}

static gos_status begin(supporting *k, const held *h, int which, const char *type) {
    const int line = h->by[which]->loc.line, dof = h->dof[which] + 1;
    const char *body = k->user->body;
    const long long tag = gos__mesh_node_tag(k->user->mesh, h->node);
    k->to.n = 0;
    return gos__mesh_deck_put(
        &k->to, "{%s_boundary_%d_%lld_%d: {type: %s, between: [ground, \"%s.node(%lld)\"]", body,
        line, tag, dof, type, body, tag);
}

static gos_status bring(supporting *k, const held *h, int which) {
    GOS_TRY(gos__mesh_deck_put(&k->to, "}}"));
    return gos__bring_entries(k->b, "joints", k->to.text, h->by[which]->loc);
}

/* global axis parallel to a direction, -1: none */
static int axis_of(const double e[3]) {
    for (int c = 0; c < 3; c++) {
        if (fabs(fabs(e[c]) - 1) <= ALONG) {
            return c;
        }
    }
    return -1;
}

static gos_status hold_direction(supporting *k, const held *h, int which) {
    const double *e = h->e[which];
    GOS_TRY(begin(k, h, which, "point_on_plane"));
    GOS_TRY(gos__mesh_deck_put(&k->to, ", normal: [%.17g, %.17g, %.17g]", e[0], e[1], e[2]));
    return bring(k, h, which);
}

/* displacements along global axes, each a function of time */
static gos_status move_along_axes(supporting *k, const held *h) {
    const gos_deck *d = k->user->mesh->deck;
    int of[3] = {-1, -1, -1};
    for (int i = 0; i < h->n; i++) {
        of[axis_of(h->e[i])] = i;
    }
    GOS_TRY(begin(k, h, 0, "driven"));
    GOS_TRY(gos__mesh_deck_put(&k->to, ", components: %s%s%s, displacement: [",
                               of[0] < 0 ? "" : "x", of[1] < 0 ? "" : "y", of[2] < 0 ? "" : "z"));
    for (int c = 0; c < 3; c++) {
        const gos_deck_nodal *n = of[c] < 0 ? NULL : h->by[of[c]];
        const bool still = !n || n->value == 0;
        GOS_TRY(gos__mesh_deck_put(&k->to, "%s", c > 0 ? ", " : ""));
        GOS_TRY(gos__mesh_deck_put_magnitude(
            &k->to, still ? 0 : n->value * h->e[of[c]][c],
            still || n->amplitude < 0 ? NULL : &d->amplitude[n->amplitude], 0));
    }
    GOS_TRY(gos__mesh_deck_put(&k->to, "]"));
    return bring(k, h, 0);
}

/* displacement along local axes, with one amplitude */
static gos_status move_obliquely(supporting *k, const held *h) {
    const gos_deck *d = k->user->mesh->deck;
    double way[3] = {0, 0, 0}, length = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < h->n; j++) {
            way[i] += h->by[j]->value * h->e[j][i];
        }
        length = fmax(length, fabs(way[i]));
    }
    for (int j = 0; j < 3; j++) {
        if (h->n < 3 || (h->by[j]->value != 0 && h->by[j]->amplitude != h->moved->amplitude)) {
            return gos__fail_at(k->b->ctx, GOS_E_INPUT, h->moved->loc, k->user->object,
                                "*BOUNDARY: node %lld is driven along an oblique axis; this needs "
                                "all three directions with one amplitude; leave `deck_supports` "
                                "out, and drive the node by joints",
                                (long long)gos__mesh_node_tag(k->user->mesh, h->node));
        }
    }
    GOS_TRY(begin(k, h, 0, "driven"));
    GOS_TRY(gos__mesh_deck_put_vector(
        &k->to, "displacement", 1, way,
        h->moved->amplitude < 0 ? NULL : &d->amplitude[h->moved->amplitude]));
    return bring(k, h, 0);
}

static gos_status bring_node(supporting *k, const held *h) {
    bool axes = true;
    for (int i = 0; i < h->n; i++) {
        axes = axes && axis_of(h->e[i]) >= 0;
    }
    if (h->moved) {
        return axes ? move_along_axes(k, h) : move_obliquely(k, h);
    }
    if (h->n == 3) {
        GOS_TRY(begin(k, h, 0, "spherical"));
        return bring(k, h, 0);
    }
    for (int i = 0; i < h->n; i++) {
        GOS_TRY(hold_direction(k, h, i));
    }
    return GOS_OK;
}

gos_status gos__mesh_deck_supports(gos_builder *b, const gos_mesh_deck_user *user) {
    supporting k = {.b = b, .user = user, .to = {.ctx = b->ctx}};
    const int nnode = user->mesh->nnode;
    k.by = gos__zalloc(b->ctx, 3 * (size_t)nnode + 1, sizeof *k.by);
    bool *solid = gos__zalloc(b->ctx, (size_t)nnode + 1, sizeof *solid);
    gos_status status = k.by && solid ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        list_lines(&k);
        drop_bare(&k, solid);
    }
    for (int i = 0; i < nnode && status == GOS_OK; i++) {
        held h;
        describe(&k, i, &h);
        status = h.n > 0 ? bring_node(&k, &h) : GOS_OK;
    }
    gos__free(b->ctx, k.by);
    gos__free(b->ctx, solid);
    gos__free(b->ctx, k.to.text);
    return status;
}
