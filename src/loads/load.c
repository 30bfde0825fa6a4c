/* Common code of forces and moments: reads `on`, makes one item per point, computes section axes
   and derivatives
       cable: t = p/|p|,  d2 = v x p/|v x p|,  d3 = t x d2          (theory guide 2.2, choice A)
       beam:  n = a x b/|a x b|,  d2 = a/|a|,  d3 = b/|b|           (theory guide 2.7)
   With A, B dual to a, b in their plane: dn = -A (n.da) - B (n.db). */
#include "loads/load.h"

static gos_status read_frame(gos_builder *b, const gos_node *entry, const char *frame,
                             const char *object, gos_load_axes *axes) {
    const gos_node *at = gos__node_get(entry, "frame");
    gos_location location;
    axes->frame = strcmp(frame, "global") == 0 ? GOS_LOAD_GLOBAL
                  : strcmp(frame, "body") == 0 ? GOS_LOAD_BODY
                                               : GOS_LOAD_NAMED;
    if (axes->frame != GOS_LOAD_NAMED) {
        return GOS_OK;
    }
    GOS_TRY(gos__locate_frame(b, frame, at ? at->loc : entry->key_loc, object, &location));
    return gos__rigid_axes(b, &location, axes->axis);
}

gos_status gos__load_build(gos_builder *b, const gos_type *type, const gos_node *entry,
                           const char *object, const gos_input_def input[3],
                           gos_load_location_fn add) {
    gos_load_def def = {0};
    gos_load_axes axes = {0};
    GOS_TRY(gos__fill(b->model, entry, type->params, object, b->arena, &def));
    GOS_TRY(read_frame(b, entry, def.frame, object, &axes));
    gos_item item = {.loc = entry->key_loc, .nfn = 3, .ninput = 3, .input = input};
    GOS_TRY(gos__add_timefns(b, 3, def.value, &item.fn0));
    item.name = gos__arena_strdup(b->arena, object);
    item.entry = gos__arena_strdup(b->arena, entry->key);
    if (!item.name || !item.entry) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < def.on.n; ++i) {
        gos_location p;
        gos_loc loc = def.on.loc[i];
        GOS_TRY(gos__locate_point(b, def.on.v[i], loc, object, &p));
        if (!p.body) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                                "a load cannot act on the ground; specify a point of a body");
        }
        gos_item one = item;
        GOS_TRY(add(b, &p, loc, object, &axes, &one));
        GOS_TRY(gos__add_item(b, &one, NULL));
    }
    return GOS_OK;
}

gos_status gos__load_section(gos_builder *b, const gos_location *p, gos_loc loc, const char *object,
                             gos_marker *slope, double v[3]) {
    double t[3], d[3][3], D[3][9];
    GOS_TRY(gos__tangent(b, p, loc, object, slope, t));
    memcpy(v, p->body->v_ref, 3 * sizeof *v);
    if (!gos__section_frame(t, v, d, D)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "body '%s' has no section axes here: its local z (%g, %g, %g) is "
                            "parallel to its tangent; give the body another `normal`",
                            p->body->name, v[0], v[1], v[2]);
    }
    return GOS_OK;
}

/* P = (1 - u u^T) / l, derivative of a direction u, length l */
static void direction_derivative(const double u[3], double l, double P[9]) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            P[3 * i + j] = ((i == j) - u[i] * u[j]) / l;
        }
    }
}

bool gos__section_frame(const double p[3], const double v[3], double d[3][3], double D[3][9]) {
    double u[3], V[9], P[9], S[9], A[9], B[9];
    memset(d, 0, 9 * sizeof(double));
    memset(D, 0, 27 * sizeof(double));
    gos__cross3(v, p, u);
    double lp = gos__norm3(p), lu = gos__norm3(u);
    if (!(lp > 0.0) || !(lu > 1e-12 * lp)) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        d[0][k] = p[k] / lp;
        d[1][k] = u[k] / lu;
    }
    gos__cross3(d[0], d[1], d[2]);
    direction_derivative(d[0], lp, D[0]);
    // d2 = u/|u| with u = [v]_x p
    direction_derivative(d[1], lu, P);
    gos__skew3(v, V);
    gos__mul33(P, V, D[1]);
    // d3 = t x d2: -[d2]_x dt + [t]_x dd2
    gos__skew3(d[1], S);
    gos__mul33(S, D[0], A);
    gos__skew3(d[0], S);
    gos__mul33(S, D[1], B);
    for (int k = 0; k < 9; ++k) {
        D[2][k] = B[k] - A[k];
    }
    return true;
}

gos_status gos__load_vectors(gos_builder *b, const gos_location *p, gos_marker m[2]) {
    int n;
    return p->body->ops->vectors(b->arena, p->body, p, &n, m);
}

bool gos__vectors_frame(const double a[3], const double b[3], gos_vectors *f) {
    memset(f, 0, sizeof *f);
    double m[3], la = gos__norm3(a), lb = gos__norm3(b);
    gos__cross3(a, b, m);
    double lm = gos__norm3(m);
    if (!(lm > 1e-12 * la * lb)) {
        return false;
    }
    f->inverse = 1.0 / lm;
    for (int k = 0; k < 3; ++k) {
        f->n[k] = f->d[0][k] = m[k] / lm;
        f->d[1][k] = a[k] / la;
        f->d[2][k] = b[k] / lb;
    }
    gos__cross3(b, f->n, f->A);
    gos__cross3(f->n, a, f->B);
    for (int k = 0; k < 3; ++k) {
        f->A[k] /= lm;
        f->B[k] /= lm;
    }
    direction_derivative(f->d[1], la, f->D[1][0]);
    direction_derivative(f->d[2], lb, f->D[2][1]);
    for (int k = 0; k < 9; ++k) { // n has unit length and is normal to a and b
        f->D[0][0][k] = -f->A[k / 3] * f->n[k % 3];
        f->D[0][1][k] = -f->B[k / 3] * f->n[k % 3];
    }
    return true;
}
