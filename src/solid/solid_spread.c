/* Surface points of a solid for distributed loads. */
#include "solid/solid.h"
#include "parts/marker.h"
#include "parts/spread.h"

/* Functions and derivatives of a side in w (3, n). */
static gos_status add_side(gos_builder *b, const gos_body *body, const gos_solid_side *side,
                           const gos_spread_to *to) {
    const gos_solid *c = body->par;
    int node[GOS_CELL_SIDE_NODES];
    const gos_cell_shape shape = gos__solid_side(c, side, node);
    const int n = gos__cell_kind[shape].nodes;
    gos_rule rule;
    gos__rule(shape, GOS_RULE_MASS, &rule);
    for (int k = 0; k < n; k++) {
        node[k] += body->v0;
    }
    for (int g = 0; g < rule.n; g++) {
        gos_spread p = {.kind = GOS_SPREAD_TANGENT, .size = rule.weight[g]};
        gos_marker *m[3] = {&p.x, &p.v[0], &p.v[1]};
        double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], w[GOS_CELL_NODES];
        gos__shape(shape, rule.at[g], N, dN);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < n; k++) {
                w[k] = i == 0 ? N[k] : dN[k][i - 1];
            }
            GOS_TRY(gos__marker_make(b->arena, n, node, w, NULL, m[i]));
        }
        GOS_TRY(to->add(to->par, &p));
    }
    return GOS_OK;
}

gos_status gos__solid_spread(gos_builder *b, const gos_body *body, const gos_location *p,
                             const gos_spread_to *to) {
    const gos_solid *c = body->par;
    const int which = p->surface ? p->surface - 1 : p->whole ? c->skin : -1;
    if (which < 0) {
        return gos__fail_at(
            b->ctx, GOS_E_INPUT, to->loc, to->object,
            "'%s' has no area; use the body for its whole skin, or a surface of its mesh",
            to->text);
    }
    for (int i = 0; i < c->set[which].nside; i++) {
        GOS_TRY(add_side(b, body, &c->set[which].side[i], to));
    }
    return GOS_OK;
}
