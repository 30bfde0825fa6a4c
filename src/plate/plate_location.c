/* Attachment points of a plate and their markers. */
#include <math.h>

#include "plate/plate_balance.h"
#include "parts/spread.h"
#include "math/vec3.h"

#define LOCATION_TOLERANCE 1e-9 // relative to the element size

static const gos_plate *plate_of(const gos_body *b) {
    return b->par;
}

/* ---- locating -------------------------------------------------------------------------------- */

static void place_in_plane(const gos_plate *c, const double x[2], int node, gos_location *p) {
    p->node = node;
    for (int d = 0; d < 2; d++) {
        p->u[d] = x[d];
    }
    for (int k = 0; k < 3; k++) {
        p->x[k] = c->corner[k] + x[0] * c->e[0][k] + x[1] * c->e[1][k];
    }
}

static void place_node(const gos_plate *c, int node, gos_location *p) {
    place_in_plane(c, c->x[node], node, p);
}

/* @return false if outside the plate */
static bool place_at(const gos_plate *c, double x, double y, gos_location *p) {
    gos_plate_element e;
    gos_plate_point at;
    if (!(gos__plate_find(c, x, y, &e, &at) <= LOCATION_TOLERANCE)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        const double size = hypot(e.x[2][0] - e.x[0][0], e.x[2][1] - e.x[0][1]);
        if (hypot(x - e.x[i][0], y - e.x[i][1]) <= LOCATION_TOLERANCE * size) {
            place_node(c, c->cell[4 * e.cell + i], p);
            return true;
        }
    }
    place_in_plane(c, at.x, -1, p);
    return true;
}

/* "word(a)", "word(a,b)". @return number of arguments, 0: other word */
static int arguments_of(const char *ref, const char *word, double value[2]) {
    const size_t n = strlen(word), all = strlen(ref);
    if (all < n + 3 || strncmp(ref, word, n) != 0 || ref[n] != '(' || ref[all - 1] != ')') {
        return 0;
    }
    const char *from = ref + n + 1, *comma = strchr(from, ','), *end = ref + all - 1;
    if (!comma) {
        return gos__number_parse(from, end - from, &value[0]) ? 1 : 0;
    }
    return gos__number_parse(from, comma - from, &value[0]) &&
                   gos__number_parse(comma + 1, end - comma - 1, &value[1])
               ? 2
               : 0;
}

/* structured mesh */
static bool in_rows(const gos_plate *c) {
    return c->ne[0] > 0;
}

static bool whole_in(double v, double most) {
    return v >= 0 && v <= most && v == floor(v);
}

/* @return whether the form is known; *good: the point exists */
static bool locate_point(const gos_plate *c, const char *ref, gos_location *p, bool *good) {
    static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double v[2];
    const int row = c->ne[0] + 1, nodes = arguments_of(ref, "node", v);
    if (nodes == 1) {
        if ((*good = whole_in(v[0], c->nnode - 1))) {
            place_node(c, (int)v[0], p);
        }
        return true;
    }
    if (nodes == 2) {
        if ((*good = in_rows(c) && whole_in(v[0], c->ne[0]) && whole_in(v[1], c->ne[1]))) {
            place_node(c, row * (int)v[1] + (int)v[0], p);
        }
        return true;
    }
    if (arguments_of(ref, "at", v) == 2) {
        *good = place_at(c, v[0], v[1], p);
        return true;
    }
    if (arguments_of(ref, "corner", v) == 1) {
        if ((*good = in_rows(c) && v[0] >= 1 && whole_in(v[0], 4))) {
            const int *at = corner[(int)v[0] - 1];
            place_node(c, row * at[1] * c->ne[1] + at[0] * c->ne[0], p);
        }
        return true;
    }
    return false;
}

static gos_status refuse_point(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                               const char *object) {
    const gos_plate *c = plate_of(b);
    if (c->rectangle) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "no '%s' on '%s'; use node(0,0) to node(%d,%d), equal to node(0) to "
                            "node(%d), at(0,0) to at(%g,%g) in units of length of the model, or "
                            "corner(1) to corner(4)",
                            ref, b->name, c->ne[0], c->ne[1], b->nnode - 1, c->side[0], c->side[1]);
    }
    if (in_rows(c)) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, loc, object,
            "no '%s' on '%s'; use node(0,0) to node(%d,%d), equal to node(0) to node(%d), "
            "corner(1) to corner(4), or at(x,y) in units of length of the model, x from the first "
            "corner towards the second, "
            "inside the plate (which lies between at(%g,%g) and at(%g,%g))",
            ref, b->name, c->ne[0], c->ne[1], b->nnode - 1, c->lo[0], c->lo[1], c->hi[0], c->hi[1]);
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        "no '%s' on '%s', a mesh by nodes and quads; use node(0) to node(%d), or "
                        "at(x,y) in units of length of the model, x from the first node of quad 0 "
                        "towards its second, inside "
                        "the plate (which lies between at(%g,%g) and at(%g,%g))",
                        ref, b->name, b->nnode - 1, c->lo[0], c->lo[1], c->hi[0], c->hi[1]);
}

static gos_status refuse_location(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                                  const char *object) {
    const gos_plate *c = plate_of(b);
    char edges[200] = "";
    int used = 0;
    for (int i = 0; i < c->nedge && used < GOS_COUNT(edges) - 80; i++) {
        used += gos__format(edges + used, sizeof edges - used, ", %s", c->edge[i].name);
    }
    return gos__fail_at(
        ctx, GOS_E_INPUT, loc, object,
        "no location '%s' on '%s'; use %snode(k), at(x,y)%s%s or the faces top, bottom", ref,
        b->name, in_rows(c) ? "node(i,j), " : "", in_rows(c) ? ", corner(1..4)" : "", edges);
}

static gos_status plate_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                               const char *object, gos_location *p) {
    const gos_plate *c = plate_of(b);
    bool good;
    if (locate_point(c, ref, p, &good)) {
        return good ? GOS_OK : refuse_point(ctx, b, ref, loc, object);
    }
    for (int i = 0; i < c->nedge; i++) {
        if (strcmp(ref, c->edge[i].name) == 0) {
            p->edge = 1 + i;
            return GOS_OK;
        }
    }
    for (int i = 0; i < b->section->nface; i++) {
        if (strcmp(ref, b->section->face[i].name) == 0) {
            p->face = i;
            return GOS_OK;
        }
    }
    return refuse_location(ctx, b, ref, loc, object);
}

static void to_space(const gos_plate *c, const double d[2], double x[3]) {
    for (int k = 0; k < 3; k++) {
        x[k] = d[0] * c->e[0][k] + d[1] * c->e[1][k];
    }
}

static int plate_edge(const gos_body *b, int edge, double f, gos_location *p, double along[3],
                      double across[3]) {
    const gos_plate *c = plate_of(b);
    const gos_plate_edge *on = &c->edge[edge - 1];
    const double at = f * on->n;
    const int node = (int)lround(at), side = (int)fmin(fmax(floor(at), 0), on->n - 1);
    *p = (gos_location){.body = b, .face = -1};
    if (fabs(at - node) < LOCATION_TOLERANCE) {
        place_node(c, on->node[node], p);
    } else {
        const double *from = c->x[on->node[side]], *to = c->x[on->node[side + 1]];
        const double u[2] = {from[0] + (at - side) * (to[0] - from[0]),
                             from[1] + (at - side) * (to[1] - from[1])};
        place_in_plane(c, u, -1, p);
    }
    to_space(c, on->along, along);
    to_space(c, on->across, across);
    return on->n;
}

/* ---- markers --------------------------------------------------------------------------------- */

static gos_status shape_marker(gos_arena *a, const gos_body *b, const gos_location *p,
                               int derivative, gos_marker *m) {
    if (p->node >= 0 && derivative <= GOS_SHAPE_2) { // free of round-off
        const int one = b->v0 + 3 * p->node + derivative;
        const double unit = 1;
        return gos__marker_make(a, 1, &one, &unit, NULL, m);
    }
    double S[6][12];
    int idx[12];
    gos_plate_element e;
    gos_plate_point at;
    (void)gos__plate_find(plate_of(b), p->u[0], p->u[1], &e, &at);
    gos__plate_shapes_at(&e, &at, S);
    for (int i = 0; i < 12; i++) {
        idx[i] = b->v0 + 3 * b->cell[4 * e.cell + i / 3] + i % 3;
    }
    return gos__marker_make(a, 12, idx, S[derivative], NULL, m);
}

static gos_status plate_position(gos_arena *a, const gos_body *b, const gos_location *p,
                                 gos_marker *m) {
    return shape_marker(a, b, p, GOS_SHAPE, m);
}

/* Combines r_x and r_y; the normal is nonlinear in the coordinates. */
static gos_status plate_vectors(gos_arena *a, const gos_body *b, const gos_location *p, int *n,
                                gos_marker m[2]) {
    *n = 2;
    GOS_TRY(shape_marker(a, b, p, GOS_SHAPE_1, &m[0]));
    return shape_marker(a, b, p, GOS_SHAPE_2, &m[1]);
}

static gos_status plate_direction(gos_arena *a, const gos_body *b, const gos_location *p,
                                  const double d[3], gos_marker *m) {
    const gos_plate *c = plate_of(b);
    const double part[2] = {gos__dot3(c->e[0], d), gos__dot3(c->e[1], d)};
    if (!(fabs(gos__dot3(c->n, d)) <= 1e-9 * gos__norm3(d))) {
        return GOS_E_INPUT;
    }
    gos_marker slope[2];
    int n;
    GOS_TRY(plate_vectors(a, b, p, &n, slope));
    return gos__marker_sum(a, 2, slope, part, m);
}

static gos_status plate_gradients(gos_arena *a, const gos_body *b, const gos_location *p,
                                  gos_marker *m) {
    for (int i = 0; i < b->law->nz; i++) {
        GOS_TRY(shape_marker(a, b, p, GOS_SHAPE_1 + i, &m[i]));
    }
    return GOS_OK;
}

/* Gauss points of the elements that share a node with the location's one. */
static gos_status plate_patch(gos_builder *b, const gos_body *body, const gos_location *p,
                              gos_location *at, double (*x)[3], int *degree, int *count) {
    const gos_plate *c = plate_of(body);
    gos_plate_element e;
    gos_plate_point point[4];
    int node[4], n = 0;
    GOS_UNUSED(b);
    (void)gos__plate_find(c, p->u[0], p->u[1], &e, point);
    memcpy(node, c->cell + 4 * (size_t)e.cell, sizeof node);
    *degree = 2;
    for (int i = 0; i < c->ncell && n + 4 <= GOS_PATCH_POINTS; i++) {
        const int *other = c->cell + 4 * (size_t)i;
        bool near = false;
        for (int k = 0; k < 16; k++) {
            near |= other[k / 4] == (p->node >= 0 ? p->node : node[k % 4]);
        }
        gos__plate_element(c, i, &e);
        for (int k = 0; near && k < gos__plate_gauss(&e, 2, point) && n < GOS_PATCH_POINTS; k++) {
            at[n] = (gos_location){.body = body, .face = -1};
            place_in_plane(c, point[k].x, -1, &at[n]);
            gos__sub3(at[n].x, p->x, x[n]);
            n++;
        }
    }
    *count = n;
    return GOS_OK;
}

static gos_status plate_temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                                    gos_tmarker *tm) {
    gos_plate_element e;
    gos_plate_point at;
    double N[4];
    const double unit = 1;
    (void)gos__plate_find(plate_of(b), p->u[0], p->u[1], &e, &at);
    gos__bilinear(at.xi, N, NULL);
    for (int f = 0; f < b->nfam; f++) {
        int idx[4];
        for (int i = 0; i < 4; i++) {
            const int node = p->node >= 0 ? p->node : b->cell[4 * e.cell + i];
            idx[i] = b->t0 + node * b->nfam + f;
        }
        GOS_TRY(gos__tmarker_make(a, p->node >= 0 ? 1 : 4, idx, p->node >= 0 ? &unit : N, &tm[f]));
    }
    return GOS_OK;
}

/* ---- distributed loads ----------------------------------------------------------------------- */

#define ALONG 2 // Gauss points along a rectangle's edge
#define SKEW 3  // ... others

/* The midsurface, lit on the side of the face. */
static gos_status add_point(gos_builder *b, const gos_body *body, const gos_plate_element *e,
                            const gos_plate_point *at, double sign, const gos_spread_to *to) {
    gos_spread p = {.kind = GOS_SPREAD_TANGENT, .size = at->w, .both = sign == 0};
    gos_marker *m[3] = {&p.x, &p.v[sign < 0], &p.v[!(sign < 0)]};
    double S[6][12];
    int idx[12];
    gos__plate_shapes_at(e, at, S);
    for (int i = 0; i < 12; i++) {
        idx[i] = body->v0 + 3 * body->cell[4 * e->cell + i / 3] + i % 3;
    }
    for (int k = 0; k < 3; k++) {
        GOS_TRY(gos__marker_make(b->arena, 12, idx, S[GOS_SHAPE + k], NULL, m[k]));
    }
    return to->add(to->par, &p);
}

static gos_status plate_spread(gos_builder *b, const gos_body *body, const gos_location *p,
                               const gos_spread_to *to) {
    const gos_plate *c = plate_of(body);
    gos_plate_point at[SKEW * SKEW];
    if (!p->whole && p->face < 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, to->loc, to->object,
                            "'%s' has no area; use the plate, or its face top or bottom", to->text);
    }
    for (int i = 0; i < c->ncell; i++) {
        gos_plate_element e;
        gos__plate_element(c, i, &e);
        const int n = gos__plate_gauss(&e, c->rectangle ? ALONG : SKEW, at);
        for (int k = 0; k < n; k++) {
            const double sign = p->whole ? 0 : body->section->face[p->face].sign;
            GOS_TRY(add_point(b, body, &e, &at[k], sign, to));
        }
    }
    return GOS_OK;
}

static const char *const coordinates[] = {"position", "slope_x", "slope_y", NULL};

const gos_body_ops gos__plate_ops = {
    .coordinates = coordinates,
    .locate = plate_locate,
    .position = plate_position,
    .direction = plate_direction,
    .vectors = plate_vectors,
    .gradients = plate_gradients,
    .patch = plate_patch,
    .edge = plate_edge,
    .balance = gos__plate_balance,
    .balanced = gos__plate_balanced,
    .temperature = plate_temperature,
    .spread = plate_spread,
    .fields = gos__plate_fields,
};
