/* Attachment points of a solid and their markers. */
#include <math.h>

#include "solid/solid.h"
#include "math/vec3.h"
#include "parts/spread.h"

/* Surface points of a solid for distributed loads. */

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

/* gos_body_ops.spread. */
static gos_status solid_spread(gos_builder *b, const gos_body *body, const gos_location *p,
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

#define NATURAL_TOLERANCE 1e-9 // of natural coordinates
#define BOX_MARGIN 0.05        // of an element's box, for curved sides
#define ITERATIONS 30

static const gos_solid *solid_of(const gos_body *b) {
    return b->par;
}

/* ---- finding a point ------------------------------------------------------------------------- */

typedef struct spot {
    const gos_solid_block *k;
    int e;
    double at[3]; // natural coordinates
} spot;

/* Distance outside the natural cell; <= 0: inside. */
static double outside(gos_cell_shape shape, const double at[3]) {
    const bool wedge = shape == GOS_CELL_WEDGE6 || shape == GOS_CELL_WEDGE15;
    if (shape == GOS_CELL_HEX8 || shape == GOS_CELL_HEX20) {
        return fmax(fmax(fabs(at[0]), fabs(at[1])), fabs(at[2])) - 1;
    }
    const double z = wedge ? 0 : at[2];
    const double flat = fmax(fmax(-at[0], -at[1]), fmax(-z, at[0] + at[1] + z - 1));
    return wedge ? fmax(flat, fabs(at[2]) - 1) : flat;
}

static bool in_box(const gos_solid *c, const gos_solid_block *k, int e, const double x[3]) {
    for (int d = 0; d < 3; d++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int i = 0; i < k->nodes; i++) {
            lo = fmin(lo, c->x[k->node[e * k->nodes + i]][d]);
            hi = fmax(hi, c->x[k->node[e * k->nodes + i]][d]);
        }
        if (!(x[d] >= lo - BOX_MARGIN * (hi - lo) && x[d] <= hi + BOX_MARGIN * (hi - lo))) {
            return false;
        }
    }
    return true;
}

/* Finds the natural coordinates of x; false if outside the element. */
static bool invert(const gos_solid *c, spot *s, const double x[3]) {
    const gos_solid_block *k = s->k;
    const bool hex = k->shape == GOS_CELL_HEX8 || k->shape == GOS_CELL_HEX20;
    double corner[GOS_CELL_NODES][3];
    gos__shape_nodes(k->shape, corner);
    for (int d = 0; d < 3; d++) {
        s->at[d] = hex ? 0 : 0.25;
    }
    for (int it = 0; it < ITERATIONS; it++) {
        gos_solid_point p;
        double r[3] = {x[0], x[1], x[2]}, step[3] = {0}, size = 0;
        gos__solid_point(c, k, s->e, s->at, &p);
        for (int i = 0; i < k->nodes; i++) {
            for (int d = 0; d < 3; d++) {
                r[d] -= p.N[i] * c->x[k->node[s->e * k->nodes + i]][d];
            }
        }
        if (!(p.det > 0)) {
            return false;
        }
        for (int i = 0; i < k->nodes; i++) { // natural coordinates are sums of shape functions too
            const double by = gos__dot3(p.grad[i], r);
            for (int d = 0; d < 3; d++) {
                step[d] += by * corner[i][d];
            }
        }
        for (int d = 0; d < 3; d++) {
            s->at[d] += step[d];
            size = fmax(size, fabs(step[d]));
        }
        if (size <= 1e-13) {
            break;
        }
    }
    return outside(k->shape, s->at) <= NATURAL_TOLERANCE;
}

static bool find_spot(const gos_solid *c, const double x[3], spot *s) {
    for (int i = 0; i < c->nblock; i++) {
        for (int e = 0; e < c->block[i].n; e++) {
            *s = (spot){.k = &c->block[i], .e = e};
            if (in_box(c, s->k, e, x) && invert(c, s, x)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- materials ------------------------------------------------------------------------------- */

/* Part of the elements at a location; -1: several. */
static int part_at(const gos_solid *c, const gos_location *p) {
    const gos_solid_set *set = p->node < 0 && p->set ? &c->set[p->set - 1] : NULL;
    int part = -1;
    for (int i = 0; i < c->nblock; i++) {
        const gos_solid_block *k = &c->block[i];
        for (int e = 0; e < k->n && k->part != part; e++) {
            const int *node = k->node + (long)e * k->nodes;
            spot s = {.k = k, .e = e};
            bool there = !set && p->node < 0 && in_box(c, k, e, p->x) && invert(c, &s, p->x);
            for (int j = 0; j < k->nodes && !there; j++) {
                there = p->node >= 0 && node[j] == p->node;
                for (int n = 0; set && n < set->n && !there; n++) {
                    there = node[j] == set->node[n];
                }
            }
            if (there && part >= 0) {
                return -1;
            }
            part = there ? k->part : part;
        }
    }
    return part;
}

static const void *law_par(const gos_body *b, const gos_location *p) {
    const gos_solid *c = solid_of(b);
    if (p->node >= c->nnode) {
        return &c->part[c->twin[p->node - c->nnode].part].par;
    }
    const int part = c->npart > 1 ? part_at(c, p) : 0;
    return part < 0 ? NULL : &c->part[part].par;
}

/* ---- locating -------------------------------------------------------------------------------- */

static int nearest_node(const gos_solid *c, const double x[3]) {
    int best = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < c->nnode; i++) {
        double d[3];
        gos__sub3(c->x[i], x, d);
        const double dd = gos__dot3(d, d);
        best = dd < least ? i : best;
        least = fmin(least, dd);
    }
    return best;
}

/* Parses "word(a,b,c)". @return number of arguments, 0: other word */
static int arguments_of(const char *ref, const char *word, double value[3]) {
    const size_t n = strlen(word), all = strlen(ref);
    if (all < n + 3 || strncmp(ref, word, n) != 0 || ref[n] != '(' || ref[all - 1] != ')') {
        return 0;
    }
    const char *from = ref + n + 1, *end = ref + all - 1;
    for (int i = 0; i < 3; i++) {
        const char *comma = memchr(from, ',', end - from), *stop = comma ? comma : end;
        if (!gos__number_parse(from, stop - from, &value[i])) {
            return 0;
        }
        if (!comma) {
            return i + 1;
        }
        from = comma + 1;
    }
    return 0;
}

static int node_of(const gos_solid *c, double tag) {
    int lo = 0, hi = c->nnode;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if ((double)c->tag[mid] < tag) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < c->nnode && (double)c->tag[lo] == tag ? lo : -1;
}

static void place_node(const gos_solid *c, int node, gos_location *p) {
    p->node = node;
    memcpy(p->x, c->x[node], sizeof p->x);
}

static gos_status locate_point(gos_ctx *ctx, const gos_body *b, const double x[3], gos_loc loc,
                               const char *object, gos_location *p) {
    const gos_solid *c = solid_of(b);
    spot s;
    double d[3];
    const int near = nearest_node(c, x);
    gos__sub3(c->x[near], x, d);
    if (gos__norm3(d) <= NATURAL_TOLERANCE * cbrt(c->volume / c->ncell)) {
        place_node(c, near, p);
        return GOS_OK;
    }
    if (!find_spot(c, x, &s)) {
        const double *at = c->x[near];
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "at(%g,%g,%g) is outside '%s'; give a point inside, the nearest node "
                            "is node(%lld) at (%g, %g, %g)",
                            x[0], x[1], x[2], b->name, (long long)c->tag[near], at[0], at[1],
                            at[2]);
    }
    memcpy(p->x, x, sizeof p->x);
    return GOS_OK;
}

static gos_status refuse_location(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                                  const char *object) {
    const gos_solid *c = solid_of(b);
    char sets[240] = "";
    int used = 0;
    for (int i = 0; i < c->nset && used < GOS_COUNT(sets) - 80; i++) {
        used += gos__format(sets + used, sizeof sets - used, ", %s", c->set[i].name);
    }
    return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                        "no location '%s' on '%s'; use node(k) with its number in the mesh, %lld "
                        "to %lld, at(x,y,z)%s%s",
                        ref, b->name, (long long)c->tag[0], (long long)c->tag[c->nnode - 1],
                        c->nset ? ", or a set or surface" : "", sets);
}

static gos_status locate(gos_ctx *ctx, const gos_body *b, const char *ref, gos_loc loc,
                         const char *object, gos_location *p) {
    const gos_solid *c = solid_of(b);
    double v[3];
    if (arguments_of(ref, "node", v) == 1 && node_of(c, v[0]) >= 0) {
        place_node(c, node_of(c, v[0]), p);
        return GOS_OK;
    }
    if (arguments_of(ref, "at", v) == 3) {
        return locate_point(ctx, b, v, loc, object, p);
    }
    for (int i = 0; i < c->nset; i++) {
        const gos_solid_set *s = &c->set[i];
        if (strcmp(ref, s->name) == 0) {
            p->set = 1 + i;
            p->surface = s->nside > 0 ? 1 + i : 0;
            p->turns = s->rank < 2 ? GOS_LOCATION_STAYS : GOS_LOCATION_AS_BODY;
            memcpy(p->x, s->x, sizeof p->x);
            return GOS_OK;
        }
    }
    return refuse_location(ctx, b, ref, loc, object);
}

static int set_node(const gos_body *b, int set, int k, gos_location *p) {
    const gos_solid *c = solid_of(b);
    const gos_solid_set *s = &c->set[set - 1];
    *p = (gos_location){.body = b, .face = -1, .turns = GOS_LOCATION_STAYS};
    place_node(c, s->node[k], p);
    return s->n;
}

/* ---- markers --------------------------------------------------------------------------------- */

/* Weighted nodal sum: value, or derivative along d. */
typedef struct weights {
    int n, cap;
    int *node;
    double *w;
} weights;

static gos_status add_weight(gos_arena *a, weights *k, int node, double w) {
    if (k->n == k->cap) {
        const int cap = k->cap ? 2 * k->cap : GOS_CELL_NODES;
        int *more = GOS_NEW(a, int, cap);
        double *values = GOS_NEW(a, double, cap);
        if (!more || !values) {
            return GOS_E_MEMORY;
        }
        for (int i = 0; i < k->n; i++) {
            more[i] = k->node[i];
            values[i] = k->w[i];
        }
        k->node = more;
        k->w = values;
        k->cap = cap;
    }
    k->node[k->n] = node;
    k->w[k->n++] = w;
    return GOS_OK;
}

/* Adds factor times values (d NULL) or derivatives along d of an element. */
static gos_status add_spot(gos_arena *a, const gos_solid *c, const spot *s, const double *d,
                           double factor, weights *k) {
    gos_solid_point p;
    gos__solid_point(c, s->k, s->e, s->at, &p);
    for (int i = 0; i < s->k->nodes; i++) {
        const double w = d ? gos__dot3(p.grad[i], d) : p.N[i];
        GOS_TRY(add_weight(a, k, s->k->node[s->e * s->k->nodes + i], factor * w));
    }
    return GOS_OK;
}

/* Adds the mean derivative over the elements, for copies over those of their part. */
static gos_status add_node_gradient(gos_arena *a, const gos_solid *c, int drawn, const double d[3],
                                    weights *k) {
    const int part = drawn < c->nnode ? -1 : c->twin[drawn - c->nnode].part;
    const int *first = c->touch_start + gos__solid_node(c, drawn);
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = first[0]; i < first[1]; i++) {
            const gos_solid_touch *t = &c->touch[i];
            const gos_solid_block *block = &c->block[t->block];
            double corner[GOS_CELL_NODES][3];
            if (part >= 0 && block->part != part) {
                continue;
            }
            if (pass == 0) {
                count++;
                continue;
            }
            spot s = {.k = block, .e = t->e};
            gos__shape_nodes(block->shape, corner);
            memcpy(s.at, corner[t->corner], sizeof s.at);
            GOS_TRY(add_spot(a, c, &s, d, 1.0 / count, k));
        }
    }
    return GOS_OK;
}

static gos_status values_at(gos_arena *a, const gos_solid *c, const gos_location *p, weights *k) {
    spot s;
    if (p->node >= 0) {
        return add_weight(a, k, gos__solid_node(c, p->node), 1);
    }
    if (p->set) {
        const gos_solid_set *set = &c->set[p->set - 1];
        for (int i = 0; i < set->n; i++) {
            GOS_TRY(add_weight(a, k, set->node[i], set->w[i]));
        }
        return GOS_OK;
    }
    return find_spot(c, p->x, &s) ? add_spot(a, c, &s, NULL, 1, k) : GOS_E_INTERNAL;
}

/* GOS_E_INPUT: the set's nodes do not define it. */
static gos_status derivatives_at(gos_arena *a, const gos_solid *c, const gos_location *p,
                                 const double d[3], weights *k) {
    spot s;
    if (p->node >= 0) {
        return add_node_gradient(a, c, p->node, d, k);
    }
    if (!p->set) {
        return find_spot(c, p->x, &s) ? add_spot(a, c, &s, d, 1, k) : GOS_E_INTERNAL;
    }
    const gos_solid_set *set = &c->set[p->set - 1];
    double g[3], back[3] = {0};
    for (int i = 0; i < 3; i++) {
        g[i] = gos__dot3(set->spread + 3 * i, d);
    }
    for (int i = 0; i < set->n; i++) {
        const double w = gos__dot3(set->arm[i], g);
        for (int q = 0; q < 3; q++) {
            back[q] += w * (c->x[set->node[i]][q] - set->x[q]);
        }
        GOS_TRY(add_weight(a, k, set->node[i], w));
    }
    gos__sub3(back, d, back);
    return gos__norm3(back) <= 1e-6 * gos__norm3(d) ? GOS_OK : GOS_E_INPUT;
}

static gos_status make_marker(gos_arena *a, const gos_body *b, weights *k, gos_marker *m) {
    for (int i = 0; i < k->n; i++) {
        k->node[i] += b->v0;
    }
    return gos__marker_make(a, k->n, k->node, k->w, NULL, m);
}

static gos_status position(gos_arena *a, const gos_body *b, const gos_location *p, gos_marker *m) {
    weights k = {0};
    GOS_TRY(values_at(a, solid_of(b), p, &k));
    return make_marker(a, b, &k, m);
}

static gos_status direction(gos_arena *a, const gos_body *b, const gos_location *p,
                            const double d[3], gos_marker *m) {
    weights k = {0};
    GOS_TRY(derivatives_at(a, solid_of(b), p, d, &k));
    return make_marker(a, b, &k, m);
}

/* Unit vectors e_1 and e_2, or in the plane of a set. */
static gos_status vectors(gos_arena *a, const gos_body *b, const gos_location *p, int *n,
                          gos_marker m[2]) {
    double d[2][3] = {{1, 0, 0}, {0, 1, 0}};
    *n = 2;
    if (p->set && p->node < 0 && solid_of(b)->set[p->set - 1].rank == 2) {
        const gos_solid_set *s = &solid_of(b)->set[p->set - 1];
        double normal[3], size = 0;
        for (int i = 0; i < 3;
             // longest row of the spread, and one perpendicular to it
             i++) {
            const double l = gos__norm3(s->spread + 3 * i);
            memcpy(d[0], l > size ? s->spread + 3 * i : d[0], sizeof d[0]);
            size = fmax(size, l);
        }
        size = 0;
        for (int i = 0; i < 3; i++) {
            double across[3];
            gos__cross3(d[0], s->spread + 3 * i, across);
            const double l = gos__norm3(across);
            memcpy(normal, l > size ? across : normal, sizeof normal);
            size = fmax(size, l);
        }
        gos__cross3(normal, d[0], d[1]);
        for (int i = 0; i < 6; i++) {
            d[i / 3][i % 3] /= i < 3 ? 1 : size * gos__norm3(d[0]);
        }
        const double l = gos__norm3(d[0]);
        for (int i = 0; i < 3; i++) {
            d[0][i] /= l;
        }
    }
    GOS_TRY(direction(a, b, p, d[0], &m[0]));
    return direction(a, b, p, d[1], &m[1]);
}

/* Deformation gradient by body axes, to which strains and stresses refer. */
static gos_status gradients(gos_arena *a, const gos_body *b, const gos_location *p, gos_marker *z) {
    for (int i = 0; i < 3; i++) {
        GOS_TRY(direction(a, b, p, solid_of(b)->axis[i], &z[i]));
    }
    return GOS_OK;
}

/* Barlow's points of hexahedra; other shapes have none. @return their number */
static int superconvergent(gos_cell_shape shape, double at[8][3], int *degree) {
    const bool linear = shape == GOS_CELL_HEX8;
    const int n = linear ? 1 : shape == GOS_CELL_HEX20 ? 8 : 0;
    *degree = linear ? 1 : *degree;
    for (int i = 0; i < 3 * n; i++) {
        at[i / 3][i % 3] = linear ? 0 : (i / 3 >> i % 3) % 2 ? sqrt(1.0 / 3) : -sqrt(1.0 / 3);
    }
    return n;
}

static bool has_marked(const gos_solid_block *k, int e, const bool *marked) {
    for (int i = 0; i < k->nodes; i++) {
        if (marked[k->node[e * k->nodes + i]]) {
            return true;
        }
    }
    return false;
}

/* Marks the nodes of the elements that have a marked one. */
static void grow(const gos_solid *c, const bool *marked, bool *more) {
    for (int i = 0; i < c->nblock; i++) {
        const gos_solid_block *k = &c->block[i];
        for (int e = 0; e < k->n; e++) {
            for (int j = 0; has_marked(k, e, marked) && j < k->nodes; j++) {
                more[k->node[e * k->nodes + j]] = true;
            }
        }
    }
}

/* Adds the points of elements with marked nodes. */
static int add_patch(const gos_body *b, int part, const bool *marked, const gos_location *p,
                     gos_location *at, double (*x)[3], int *degree) {
    const gos_solid *c = solid_of(b);
    int n = 0;
    for (int i = 0; i < c->nblock; i++) {
        const gos_solid_block *k = &c->block[i];
        double natural[8][3];
        const int points = k->part == part ? superconvergent(k->shape, natural, degree) : 0;
        for (int e = 0; e < k->n && n + points <= GOS_PATCH_POINTS; e++) {
            for (int g = 0; has_marked(k, e, marked) && g < points; g++) {
                gos_solid_point q;
                at[n] = (gos_location){.body = b, .face = -1, .node = -1};
                gos__solid_point(c, k, e, natural[g], &q);
                for (int j = 0; j < 3 * k->nodes; j++) {
                    at[n].x[j % 3] += q.N[j / 3] * c->x[k->node[e * k->nodes + j / 3]][j % 3];
                }
                gos__sub3(at[n].x, p->x, x[n]);
                n++;
            }
        }
    }
    return n;
}

/* Elements around the nearest node; linear ones have one point each, so their neighbours belong to
 * the patch. */
static gos_status patch(gos_builder *b, const gos_body *body, const gos_location *p,
                        gos_location *at, double (*x)[3], int *degree, int *n) {
    const gos_solid *c = solid_of(body);
    const int part = c->npart > 1 ? part_at(c, p) : 0;
    bool *marked = gos__zalloc(b->ctx, 2 * (size_t)c->nnode, sizeof *marked);
    *n = 0;
    *degree = 2;
    if (!marked) {
        return GOS_E_MEMORY;
    }
    if (!p->set || p->node >= 0) {
        marked[p->node >= 0 ? gos__solid_node(c, p->node) : nearest_node(c, p->x)] = true;
        *n = add_patch(body, part, marked, p, at, x, degree);
    }
    if (*n > 0 && *degree == 1) {
        grow(c, marked, marked + c->nnode);
        *n = add_patch(body, part, marked + c->nnode, p, at, x, degree);
    }
    gos__free(b->ctx, marked);
    return GOS_OK;
}

static gos_status temperature(gos_arena *a, const gos_body *b, const gos_location *p,
                              gos_tmarker *tm) {
    weights k = {0};
    GOS_TRY(values_at(a, solid_of(b), p, &k));
    for (int i = 0; i < k.n; i++) {
        k.node[i] += b->t0;
    }
    return gos__tmarker_make(a, k.n, k.node, k.w, tm);
}

static const char *const coordinates[] = {"position", NULL};

const gos_body_ops gos__solid_ops = {
    .coordinates = coordinates,
    .locate = locate,
    .position = position,
    .direction = direction,
    .vectors = vectors,
    .gradients = gradients,
    .patch = patch,
    .law_par = law_par,
    .set_node = set_node,
    .temperature = temperature,
    .fields = gos__solid_fields,
    .surface = gos__solid_surface,
    .sees_itself = gos__solid_sees_itself,
    .spread = solid_spread,
};
