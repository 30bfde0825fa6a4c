/* Surface points for distributed loads, between the deformed nodes, for shells on the middle
   surface. Beam sections rotate with the frame, except for their axis. */
#include "floating/mesh_spread.h"

#include <math.h>

typedef struct spreading {
    gos_builder *b;
    const gos_body *body;
    const gos_mesh_skin *skin;
    const gos_floating_body *f;
    const gos_spread_to *to;
    gos_marker *node; // n = 0: not yet made
} spreading;

static gos_status sum_nodes(const spreading *k, const gos_mesh_patch *one, const double *w,
                            gos_marker *m) {
    const int n = gos__cell_kind[one->shape].nodes;
    gos_marker part[GOS_CELL_NODES];
    for (int i = 0; i < n; i++) {
        gos_marker *at = &k->node[one->node[i]];
        if (at->n == 0) {
            const gos_location p = {.body = k->body, .node = one->node[i], .face = -1};
            GOS_TRY(k->body->ops->position(k->b->arena, k->body, &p, at));
        }
        part[i] = *at;
    }
    return gos__marker_sum(k->b->arena, n, part, w, m);
}

/* vector d in mesh axes, rotating with the frame */
static gos_status direction_of(const spreading *k, const double d[3], gos_marker *m) {
    const int r = k->f->r;
    const int idx[3] = {r + 1, r + 2, r + 3};
    return gos__marker_make(k->b->arena, 3, idx, d, NULL, m);
}

static gos_status add_face(const spreading *k, const gos_mesh_patch *one, const double *N,
                           double (*dN)[3], double weight) {
    gos_spread p = {.kind = GOS_SPREAD_TANGENT, .size = weight, .both = one->sheet};
    gos_marker *m[3] = {&p.x, &p.v[one->face < 0], &p.v[!(one->face < 0)]};
    double w[GOS_CELL_NODES];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < gos__cell_kind[one->shape].nodes; j++) {
            w[j] = i == 0 ? N[j] : dN[j][i - 1];
        }
        GOS_TRY(sum_nodes(k, one, w, m[i]));
    }
    return k->to->add(k->to->par, &p);
}

/* beam segment: tube, or four faces of a rectangle */
static gos_status add_around(const spreading *k, const gos_mesh_patch *one, const double *N,
                             double (*dN)[3], double weight) {
    const gos_fe_profile *f = k->skin->profile[one->cell];
    double w[GOS_CELL_NODES], axis[3][3], length;
    gos_marker x, slope, d[2];
    for (int j = 0; j < gos__cell_kind[one->shape].nodes; j++) {
        w[j] = dN[j][0];
    }
    gos__fe_profile_axes(f, k->skin->mesh->x[one->node[0]], k->skin->mesh->x[one->node[1]], axis,
                         &length);
    GOS_TRY(sum_nodes(k, one, N, &x));
    GOS_TRY(sum_nodes(k, one, w, &slope));
    GOS_TRY(direction_of(k, axis[1], &d[0]));
    GOS_TRY(direction_of(k, axis[2], &d[1]));
    const gos_marker part[3] = {x, d[0], d[1]};
    gos_spread p = {.kind = GOS_SPREAD_ROUND,
                    .v = {slope},
                    .size = weight,
                    .radius = f->perimeter / (2 * M_PI)};
    if (!(f->height > 0)) {
        GOS_TRY(gos__marker_sum(k->b->arena, 3, part,
                                (const double[]){1, f->offset[0], f->offset[1]}, &p.x));
        return k->to->add(k->to->par, &p);
    }
    for (int i = 0; i < 4; i++) { // z x slope is along y, slope x y along z
        const double sign = i % 2 ? -1 : 1, half = 0.5 * sign * (i < 2 ? f->height : f->width);
        const double at[3] = {1, f->offset[0] + (i < 2 ? half : 0),
                              f->offset[1] + (i < 2 ? 0 : half)};
        const bool first = (i >= 2) == (sign > 0);
        p.kind = GOS_SPREAD_TANGENT;
        p.size = weight * (i < 2 ? f->width : f->height);
        p.v[first ? 0 : 1] = slope;
        p.v[first ? 1 : 0] = d[i < 2];
        GOS_TRY(gos__marker_sum(k->b->arena, 3, part, at, &p.x));
        GOS_TRY(k->to->add(k->to->par, &p));
    }
    return GOS_OK;
}

static gos_status add_patch(void *par, const gos_mesh_patch *one) {
    const spreading *k = par;
    gos_rule rule;
    if (one->beam && !(k->skin->profile[one->cell]->perimeter > 0)) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->to->loc, k->to->object,
                            "'%s' has beams whose section has no perimeter; give them one",
                            k->to->text);
    }
    gos__rule(one->shape, GOS_RULE_MASS, &rule);
    for (int g = 0; g < rule.n; g++) {
        double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3];
        gos__shape(one->shape, rule.at[g], N, dN);
        GOS_TRY(one->beam ? add_around(k, one, N, dN, rule.weight[g])
                          : add_face(k, one, N, dN, rule.weight[g]));
    }
    return GOS_OK;
}

static gos_status count_patch(void *par, const gos_mesh_patch *one) {
    GOS_UNUSED(one);
    ++*(int *)par;
    return GOS_OK;
}

gos_status gos__mesh_spread(gos_builder *b, const gos_body *body, const gos_mesh_skin *skin,
                            const gos_floating_body *f, const gos_location *p,
                            const gos_spread_to *to) {
    spreading k = {b, body, skin, f, to, GOS_NEW(b->arena, gos_marker, skin->mesh->nnode + 1)};
    int n = 0;
    GOS_TRY(k.node ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(p->whole || p->surface ? gos__mesh_skin_each(skin, p->surface, count_patch, &n)
                                   : GOS_OK);
    if (n == 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, to->loc, to->object,
                            "'%s' has no area; give the body for its whole skin, a surface, or a "
                            "set of cells that are shells (.upper, .lower), sheets or beams",
                            to->text);
    }
    return gos__mesh_skin_each(skin, p->surface, add_patch, &k);
}
