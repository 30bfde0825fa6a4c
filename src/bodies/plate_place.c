/* Places of a plate: nodes, points, corners, edges and faces, and the markers there. */
#include <math.h>

#include "bodies/plate.h"
#include "math/plate_shapes.h"
#include "parts/marker.h"
#include "parts/vec3.h"

static const gos_plate *plate_of(const gos_body *b) {
    return b->par;
}

/* ---- finding ------------------------------------------------------------------------------------- */

static void place_at(const gos_plate *c, double x, double y, gos_place *p) {
    const double u[2] = {x, y};
    int at[2];
    bool node = true;
    for (int d = 0; d < 2; d++) {
        const double i = u[d] / c->h[d];
        at[d] = (int)lround(i);
        node = node && fabs(i - at[d]) < 1e-9;
        p->u[d] = u[d];
    }
    p->node = node ? (c->ne[0] + 1) * at[1] + at[0] : -1;
    for (int k = 0; k < 3; k++) {
        p->x[k] = c->corner[k] + x * c->e[0][k] + y * c->e[1][k];
    }
}

static void place_node(const gos_plate *c, int i, int j, gos_place *p) {
    place_at(c, i == c->ne[0] ? c->side[0] : c->h[0] * i, j == c->ne[1] ? c->side[1] : c->h[1] * j,
             p);
}

/* the numbers in "word(a)" or "word(a,b)"; returns how many, 0: not this word */
static int arguments_of(const char *ref, const char *word, double value[2]) {
    const size_t n = strlen(word), all = strlen(ref);
    if (all < n + 3 || strncmp(ref, word, n) != 0 || ref[n] != '(' || ref[all - 1] != ')') {
        return 0;
    }
    const char *from = ref + n + 1, *comma = strchr(from, ','), *end = ref + all - 1;
    if (!comma) {
        return gos__number_parse(from, (size_t)(end - from), &value[0]) ? 1 : 0;
    }
    return gos__number_parse(from, (size_t)(comma - from), &value[0]) &&
                   gos__number_parse(comma + 1, (size_t)(end - comma - 1), &value[1])
               ? 2
               : 0;
}

static bool whole_in(double v, double most) {
    return v >= 0 && v <= most && v == floor(v);
}

/* true: the reference was understood, *good tells whether there is such a place */
static bool locate_point(const gos_plate *c, const char *ref, gos_place *p, bool *good) {
    static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double v[2];
    const int row = c->ne[0] + 1, nodes = arguments_of(ref, "node", v);
    if (nodes == 1) {
        if ((*good = whole_in(v[0], row * (c->ne[1] + 1) - 1))) {
            place_node(c, (int)v[0] % row, (int)v[0] / row, p);
        }
        return true;
    }
    if (nodes == 2) {
        if ((*good = whole_in(v[0], c->ne[0]) && whole_in(v[1], c->ne[1]))) {
            place_node(c, (int)v[0], (int)v[1], p);
        }
        return true;
    }
    if (arguments_of(ref, "at", v) == 2) {
        *good = v[0] >= 0 && v[0] <= c->side[0] * (1 + 1e-12) && v[1] >= 0 &&
                v[1] <= c->side[1] * (1 + 1e-12);
        if (*good) {
            place_at(c, fmin(v[0], c->side[0]), fmin(v[1], c->side[1]), p);
        }
        return true;
    }
    if (arguments_of(ref, "corner", v) == 1) {
        if ((*good = v[0] >= 1 && whole_in(v[0], 4))) {
            const int *at = corner[(int)v[0] - 1];
            place_node(c, at[0] * c->ne[0], at[1] * c->ne[1], p);
        }
        return true;
    }
    return false;
}

static gos_status plate_locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                               const char *object, gos_place *p) {
    static const char *const edges[] = {"edge.x0", "edge.x1", "edge.y0", "edge.y1"};
    const gos_plate *c = plate_of(b);
    bool good;
    if (locate_point(c, ref, p, &good)) {
        return good ? GOS_OK
                    : gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                                   "no '%s' on '%s'; give node(0,0) to node(%d,%d), which are "
                                   "node(0) to node(%d), at(0,0) to at(%g,%g) in m, and corner(1) "
                                   "to corner(4)",
                                   ref, b->name, c->ne[0], c->ne[1], b->nnode - 1, c->side[0],
                                   c->side[1]);
    }
    for (int i = 0; i < GOS_COUNT(edges); i++) {
        if (strcmp(ref, edges[i]) == 0) {
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
    return gos__fail_at(
        ctx, GOS_E_INPUT, loc, object,
        "no place '%s' on '%s'; name node(i,j), node(k), at(x,y), "
        "corner(1..4), edge.x0, edge.x1, edge.y0, edge.y1 and the faces top, bottom",
        ref, b->name);
}

static int plate_edge(const gos_body *b, int edge, double f, gos_place *p, double along[3],
                      double across[3]) {
    const gos_plate *c = plate_of(b);
    const int d = edge <= 2 ? 1 : 0; // direction along the edge: y for x0 and x1
    const double far = (edge - 1) % 2 ? c->side[1 - d] : 0;
    *p = (gos_place){.body = b, .face = -1};
    place_at(c, d == 0 ? f * c->side[0] : far, d == 0 ? far : f * c->side[1], p);
    memcpy(along, c->e[d], sizeof c->e[d]);
    memcpy(across, c->e[1 - d], sizeof c->e[d]);
    return c->ne[d];
}

/* ---- markers ------------------------------------------------------------------------------------- */

/* element of a place and the coordinates in it */
static void element_at(const gos_plate *c, const gos_place *p, int node[4], double xi[2]) {
    int at[2];
    for (int d = 0; d < 2; d++) {
        const double i = p->u[d] / c->h[d];
        at[d] = i < c->ne[d] - 1 ? (int)i : c->ne[d] - 1;
        xi[d] = i - at[d];
    }
    gos__plate_cell(c, at[0], at[1], node);
}

static gos_status shape_marker(gos_arena *a, const gos_body *b, const gos_place *p, int derivative,
                               gos_marker *m) {
    if (p->node >= 0 && derivative <= GOS_SHAPE_2) { // the nodal coordinate, free of round-off
        const int one = b->v0 + 3 * p->node + derivative;
        const double unit = 1;
        return gos__marker_make(a, 1, &one, &unit, NULL, m);
    }
    const gos_plate *c = plate_of(b);
    double S[6][12], xi[2];
    int node[4], idx[12];
    element_at(c, p, node, xi);
    gos__plate_shapes(c->h[0], c->h[1], xi[0], xi[1], S);
    for (int i = 0; i < 12; i++) {
        idx[i] = b->v0 + 3 * node[i / 3] + i % 3;
    }
    return gos__marker_make(a, 12, idx, S[derivative], NULL, m);
}

static gos_status plate_position(gos_arena *a, const gos_body *b, const gos_place *p,
                                 gos_marker *m) {
    return shape_marker(a, b, p, GOS_SHAPE, m);
}

/* a combination of r_x and r_y; the normal is no linear function of the coordinates */
static gos_status plate_vectors(gos_arena *a, const gos_body *b, const gos_place *p, int *n,
                                gos_marker m[2]) {
    *n = 2;
    GOS_TRY(shape_marker(a, b, p, GOS_SHAPE_1, &m[0]));
    return shape_marker(a, b, p, GOS_SHAPE_2, &m[1]);
}

static gos_status plate_direction(gos_arena *a, const gos_body *b, const gos_place *p,
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

static gos_status plate_gradients(gos_arena *a, const gos_body *b, const gos_place *p,
                                  gos_marker *m) {
    for (int i = 0; i < b->law->nz; i++) {
        GOS_TRY(shape_marker(a, b, p, GOS_SHAPE_1 + i, &m[i]));
    }
    return GOS_OK;
}

static gos_status plate_temperature(gos_arena *a, const gos_body *b, const gos_place *p,
                                    gos_tmarker *tm) {
    double xi[2];
    int node[4];
    element_at(plate_of(b), p, node, xi);
    const double x = xi[0], y = xi[1];
    const double N[4] = {(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y}, unit = 1;
    for (int f = 0; f < b->nfam; f++) {
        int idx[4];
        for (int i = 0; i < 4; i++) {
            idx[i] = b->t0 + (p->node >= 0 ? p->node : node[i]) * b->nfam + f;
        }
        GOS_TRY(gos__tmarker_make(a, p->node >= 0 ? 1 : 4, idx, p->node >= 0 ? &unit : N, &tm[f]));
    }
    return GOS_OK;
}

const gos_body_ops gos__plate_ops = {
    .locate = plate_locate,
    .position = plate_position,
    .direction = plate_direction,
    .vectors = plate_vectors,
    .gradients = plate_gradients,
    .edge = plate_edge,
    .temperature = plate_temperature,
    .fields = gos__plate_fields,
};
