/* Moment distributed along a plate edge, about its deformed tangent (theory guide 2.7). With slope
   p along the edge, t = p/|p|, and slope s across it, virtual work per length is M t . (s x ds) /
   (s . s), so Q = M (t x s) / (s . s) acts on s. The cubic s depends on nodal tangential slopes
   too; four Gauss points per element, one item each. Follower load about t. */
#include "loads/load.h"
#include "loads/loads.h"
#include "math/gauss.h"

#define POINTS 4

typedef struct edge_moment_def {
    gos_texts on;
    gos_timefn *moment;
} edge_moment_def;

typedef struct edge_moment {
    double w; // integration weight [m]
} edge_moment;

static const gos_param params[] = {
    {.name = "on",
     .kind = GOS_K_NAMES,
     .unit = "",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(edge_moment_def, on),
     .doc = "the plate edge or edges on which the moment acts, e.g. panel.edge.x1"},
    {.name = "moment",
     .kind = GOS_K_TIMEFN,
     .unit = "N",
     .flags = GOS_P_REQUIRED | GOS_P_PROBES,
     .offset = offsetof(edge_moment_def, moment),
     .doc = "moment per unit length of edge, right-handed about y on edges x0, x1 and about x on "
            "y0, y1; a number or a function of time"},
    {0}};

/* q = t x s / a, a = s . s:
   dq/ds = [t]_x / a - 2 q s^T / a,   dq/dp = -[s]_x (1 - t t^T) / (|p| a) */
static void eval(const gos_item *it, const gos_item_io *io) {
    const edge_moment *par = it->par;
    const double *p = io->x, *s = io->x + 3, M = io->scale * io->fn[0] * par->w;
    const double lp = gos__norm3(p), a = gos__dot3(s, s);
    if (!(lp > 0.0) || !(a > 0.0)) {
        return;
    }
    double q[3], S[9], P[9], D[9];
    const double t[3] = {p[0] / lp, p[1] / lp, p[2] / lp};
    gos__cross3(t, s, q);
    for (int c = 0; io->f && c < 3; ++c) {
        io->f[3 + c] = M * q[c] / a;
    }
    if (!io->fx) {
        return;
    }
    gos__skew3(t, S);
    gos__add33(io->fx, 6, 1, 1, M / a, S);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            io->fx[6 * (3 + i) + 3 + j] -= 2.0 * M * q[i] * s[j] / (a * a);
            P[3 * i + j] = ((i == j) - t[i] * t[j]) / lp;
        }
    }
    gos__skew3(s, S);
    gos__mul33(S, P, D);
    gos__add33(io->fx, 6, 1, 0, -M / a, D);
}

static const gos_item_type type_edge_moment = {
    .name = "edge moment", .eval = eval, .by_input = gos__by_unit_input};
static const gos_input_def input = {.fn = 0, .unit = "N", .kind = GOS_INPUT_FORCE};

static gos_status add_point(gos_builder *b, const gos_location *edge, double f, double w,
                            const gos_item *form, gos_loc loc) {
    gos_item item = *form;
    gos_location p;
    double along[3], across[3];
    edge_moment *par = GOS_NEW(b->arena, edge_moment, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    par->w = w;
    item.par = par;
    edge->body->ops->edge(edge->body, edge->edge, f, &p, along, across);
    GOS_TRY(gos__direction(b, &p, along, loc, item.name, &item.m[0]));
    GOS_TRY(gos__direction(b, &p, across, loc, item.name, &item.m[1]));
    return gos__add_item(b, &item, NULL);
}

static gos_status add_edge(gos_builder *b, const gos_location *edge, const gos_item *form,
                           gos_loc loc) {
    const int n = gos__edge_nodes(edge) - 1;
    double x[POINTS], w[POINTS];
    gos__gauss(POINTS, x, w);
    for (int side = 0; side < n; ++side) {
        gos_location end[2];
        double d[3];
        gos__edge_node(edge, side, n + 1, &end[0]);
        gos__edge_node(edge, side + 1, n + 1, &end[1]);
        gos__sub3(end[1].x, end[0].x, d);
        for (int g = 0; g < POINTS; ++g) {
            GOS_TRY(add_point(b, edge, (side + x[g]) / n, w[g] * gos__norm3(d), form, loc));
        }
    }
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    edge_moment_def def = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    gos_item item = {.type = &type_edge_moment,
                     .loc = entry->key_loc,
                     .nm = 2,
                     .nfn = 1,
                     .ninput = 1,
                     .input = &input};
    GOS_TRY(gos__add_timefns(b, 1, &def.moment, &item.fn0));
    item.name = gos__arena_strdup(b->arena, object);
    item.entry = gos__arena_strdup(b->arena, name);
    if (!item.name || !item.entry) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < def.on.n; ++i) {
        gos_location p;
        GOS_TRY(gos__locate(b, def.on.v[i], def.on.loc[i], object, &p));
        if (!p.edge) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, def.on.loc[i], object,
                                "'%s' is not a plate edge; name one, e.g. panel.edge.x1",
                                def.on.v[i]);
        }
        GOS_TRY(add_edge(b, &p, &item, def.on.loc[i]));
    }
    return GOS_OK;
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_edge_moment = {
    .section = "loads",
    .name = "edge_moment",
    .doc = "moment distributed along a plate edge, about the edge; it follows the edge",
    .params = params,
    .size = sizeof(edge_moment_def),
    .example = "roll: {type: edge_moment, on: panel.edge.x1, moment: \"20*t\"}",
    .ops = &ops};
