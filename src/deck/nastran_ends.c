/* Ends of bars with pins or offsets: nodes of their own, which follow the grid points. */
#include "base/base.h"
#include "deck/nastran_reader.h"

static bool is_bar(const gos_nastran_card *c) {
    return strcmp(c->name, "CBAR") == 0 || strcmp(c->name, "CBEAM") == 0;
}

int gos__nastran_more_ends(const gos_nastran *r) {
    int n = 0;
    for (int i = 0; i < r->ncard; i++) {
        n += is_bar(&r->card[i]) && r->card[i].n >= 9 ? 2 : 0;
    }
    return n;
}

gos_status gos__nastran_read_ends(gos_nastran *r, const gos_nastran_card *c, gos_nastran_end e[2]) {
    for (int i = 0; i < 2; i++) {
        const gos_nastran_grid *g = &r->grid[e[i].node];
        double own[3], axes[3][3];
        GOS_TRY(gos__nastran_components(r, c, 9 + i, &e[i].pins));
        GOS_TRY(gos__nastran_reals(r, c, 11 + 3 * i, "offset", 3, own));
        GOS_TRY(gos__nastran_axes_at(r, g->card, 6, g->cd, g->x, axes));
        for (int k = 0; k < 3; k++) {
            e[i].offset[k] = own[0] * axes[0][k] + own[1] * axes[1][k] + own[2] * axes[2][k];
        }
    }
    if ((e[0].pins & e[1].pins & 0xfu) != 0) {
        return gos__nastran_fail(r, c, 10,
                                 "both ends release the same component of 1 to 4, so the element "
                                 "moves freely; keep it at one end");
    }
    return GOS_OK;
}

/* Numbers of such nodes follow the largest of the grid points. */
static gos_status add_node(gos_nastran *r, const gos_nastran_card *c, const gos_nastran_end *e,
                           int *node) {
    gos_mesh *m = r->mesh;
    gos_nastran_grid g = {.id = m->tag[m->nnode - 1] + 1, .card = c};
    for (int k = 0; k < 3; k++) {
        g.x[k] = m->x[e->node][k] + e->offset[k];
    }
    GOS_TRY(gos__grow(r->ctx, (void **)&r->grid, &r->grid_cap, r->ngrid + 1, sizeof g));
    *node = m->nnode++; // within r->node_room
    r->grid[r->ngrid++] = g;
    m->tag[*node] = g.id;
    memcpy(m->x[*node], g.x, sizeof g.x);
    return GOS_OK;
}

gos_status gos__nastran_end_node(gos_nastran *r, const gos_nastran_card *c, double axis[3][3],
                                 const gos_nastran_end *e, int *node) {
    gos_deck *d = r->deck;
    gos_deck_coupling k = {.reference = e->node,
                           .rotation = -1,
                           .surface = -1,
                           .n = 1,
                           .orientation = d->norientation,
                           .loc = c->loc},
                      *to;
    gos_deck_orientation *o;
    *node = e->node;
    if (e->pins == 0 && e->offset[0] == 0 && e->offset[1] == 0 && e->offset[2] == 0) {
        return GOS_OK;
    }
    GOS_TRY(add_node(r, c, e, node));
    int *follower = GOS_NEW(r->arena, int, 1);
    k.name = gos__arena_printf(r->arena, "%s in line %d", c->name, c->loc.line);
    GOS_TRY(follower && k.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__nastran_add(r, &d->orientation, &d->norientation, sizeof *o, &o));
    *o = (gos_deck_orientation){.name = k.name, .loc = c->loc};
    memcpy(o->a, axis[0], sizeof o->a);
    memcpy(o->b, axis[1], sizeof o->b);
    *follower = *node;
    k.node = follower;
    for (int i = 0; i < 6; i++) {
        k.dof[i] = (e->pins >> i & 1u) == 0;
    }
    GOS_TRY(gos__nastran_add(r, &d->coupling, &d->ncoupling, sizeof *to, &to));
    *to = k;
    return GOS_OK;
}
