/* Vectors of two bodies that define a hinge angle, and the angle with its derivatives. */
#include "parts/hinge.h"

#include <math.h>

#include "parts/location.h"
#include "math/vec3.h"

enum { E, F, G };

/* ---- the angle ------------------------------------------------------------------------------- */

/* function of (e, f, g) with derivatives */
typedef struct form {
    double v, d[9], h[81];
} form;

static void add_pair(double *H, int i, int j, const double B[9]) {
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            H[(3 * i + r) * 9 + 3 * j + c] += B[3 * r + c];
            H[(3 * j + c) * 9 + 3 * i + r] += B[3 * r + c];
        }
    }
}

/* n = |e| e . (f x g) */
static void sine_part(const double *e, const double *f, const double *g, form *n) {
    double t[9], S[9], l = gos__norm3(e), u[3];
    gos__cross3(f, g, t);
    gos__cross3(g, e, t + 3);
    gos__cross3(e, f, t + 6);
    double triple = gos__dot3(e, t);
    for (int k = 0; k < 3; ++k) {
        u[k] = e[k] / l;
    }
    n->v = l * triple;
    memset(n->h, 0, sizeof n->h);
    const double *cross[3] = {f, e, g}; // for the second derivatives
    const int at[3][2] = {{E, G}, {F, G}, {E, F}};
    for (int i = 0; i < 3; ++i) {
        gos__skew3(cross[i], S);
        for (int k = 0; k < 9;
             ++k) { // d(f x g)/dg = [f]x, d(g x e)/dg = -[e]x, d(f x g)/df = -[g]x
            S[k] *= i == 0 ? l : -l;
        }
        add_pair(n->h, at[i][0], at[i][1], S);
    }
    for (int i = 0; i < 9; ++i) {
        n->d[i] = l * t[i] + (i < 3 ? u[i] * triple : 0.0);
        for (int k = 0; k < 3; ++k) {
            n->h[9 * i + k] += t[i] * u[k];
            n->h[9 * k + i] += u[k] * t[i];
        }
    }
    for (int i = 0; i < 9; ++i) { // second derivatives of |e|
        n->h[(i / 3) * 9 + i % 3] += triple * ((i / 3 == i % 3) - u[i / 3] * u[i % 3]) / l;
    }
}

/* c = e.e f.g - e.f e.g */
static void cosine_part(const double *e, const double *f, const double *g, form *c) {
    double ee = gos__dot3(e, e), ef = gos__dot3(e, f), eg = gos__dot3(e, g), fg = gos__dot3(f, g);
    double B[3][9]; // (e, f), (e, g), (f, g)
    c->v = ee * fg - ef * eg;
    memset(c->h, 0, sizeof c->h);
    for (int i = 0; i < 3; ++i) {
        c->d[i] = 2.0 * fg * e[i] - eg * f[i] - ef * g[i];
        c->d[3 + i] = ee * g[i] - eg * e[i];
        c->d[6 + i] = ee * f[i] - ef * e[i];
        for (int j = 0; j < 3; ++j) {
            int k = 3 * i + j;
            double one = i == j;
            c->h[9 * i + j] = 2.0 * fg * one - f[i] * g[j] - g[i] * f[j];
            B[0][k] = 2.0 * e[i] * g[j] - g[i] * e[j] - eg * one;
            B[1][k] = 2.0 * e[i] * f[j] - f[i] * e[j] - ef * one;
            B[2][k] = ee * one - e[i] * e[j];
        }
    }
    add_pair(c->h, E, F, B[0]);
    add_pair(c->h, E, G, B[1]);
    add_pair(c->h, F, G, B[2]);
}

bool gos__hinge_angle(const double x[9], gos_hinge_angle *a) {
    form n, c;
    *a = (gos_hinge_angle){0};
    if (!(gos__norm3(x) > 0.0)) {
        return false;
    }
    sine_part(x, x + 3, x + 6, &n);
    cosine_part(x, x + 3, x + 6, &c);
    double rr = n.v * n.v + c.v * c.v;
    if (!(rr > 0.0)) {
        return false;
    }
    a->angle = atan2(n.v, c.v);
    for (int i = 0; i < 9; ++i) {
        a->dx[i] = (c.v * n.d[i] - n.v * c.d[i]) / rr;
    }
    for (int i = 0; i < 9; ++i) {
        for (int j = 0; j < 9; ++j) {
            int k = 9 * i + j;
            a->dxx[k] = (c.v * n.h[k] - n.v * c.h[k] + n.d[i] * c.d[j] - c.d[i] * n.d[j] -
                         2.0 * a->dx[i] * (n.v * n.d[j] + c.v * c.d[j])) /
                        rr;
        }
    }
    return true;
}

double gos__hinge_unwrap(double angle, double near) {
    const double turn = 2.0 * 3.14159265358979323846;
    return angle + turn * round((near - angle) / turn);
}

/* ---- making ---------------------------------------------------------------------------------- */

gos_status gos__hinge_locations(gos_builder *b, const gos_texts *between, gos_loc loc,
                                const char *object, gos_location p[2], int *nodes) {
    if (between->n != 2) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "between lists %d attachment points; list two, e.g. [ground, "
                            "rod.start]",
                            between->n);
    }
    for (int s = 0; s < 2; ++s) {
        const char *text = between->v[s];
        gos_loc at = between->loc[s];
        GOS_TRY(gos__locate(b, text, at, object, &p[s]));
        if (!nodes || !p[s].edge) {
            GOS_TRY(gos__locate_point(b, text, at, object, &p[s]));
        }
    }
    if (!p[0].body && !p[1].body) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "the ground does not rotate relative to itself; use a body for one of "
                            "them");
    }
    if (p[0].body == p[1].body && p[0].body->rigid_item >= 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "both locations are on rigid body '%s', which does not rotate "
                            "relative to itself; specify two bodies",
                            p[0].body->name);
    }
    const int n[2] = {gos__edge_nodes(&p[0]), gos__edge_nodes(&p[1])};
    if (n[0] > 0 && n[1] > 0 && n[0] != n[1]) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' has %d nodes and '%s' has %d; give both plates the same number "
                            "of elements along them",
                            between->v[0], n[0], between->v[1], n[1]);
    }
    if (nodes) {
        *nodes = n[0] > 0 ? n[0] : n[1] > 0 ? n[1] : 1;
    }
    return GOS_OK;
}

void gos__hinge_node(const gos_location all[2], int k, int nodes, gos_location p[2]) {
    bool turned = all[0].edge && all[1].edge && gos__edges_opposite(&all[0], &all[1], nodes);
    for (int s = 0; s < 2; ++s) {
        p[s] = all[s];
        if (all[s].edge) {
            gos__edge_node(&all[s], s == 1 && turned ? nodes - 1 - k : k, nodes, &p[s]);
        }
    }
}

/* Vector d rotating with the location; GOS_E_INPUT without a message if none. */
static gos_status direction_of(gos_builder *b, const gos_location *p, const double d[3],
                               gos_marker *m) {
    if (!p->body) {
        *m = gos__marker_fixed(d);
        return GOS_OK;
    }
    return p->body->ops->direction ? p->body->ops->direction(b->arena, p->body, p, d, m)
                                   : GOS_E_INPUT;
}

/* Chooses the slope or section vector more nearly perpendicular to the axis. */
static gos_status more_across(gos_builder *b, const gos_location *p, const double axis[3],
                              gos_marker *m) {
    gos_marker all[2];
    double t[3], c[3], most = -1.0;
    int count;
    GOS_TRY(p->body->ops->vectors(b->arena, p->body, p, &count, all));
    for (int i = 0; i < 2; ++i) {
        gos__marker_initial(b, &all[i], t);
        gos__cross3(axis, t, c);
        if (gos__norm3(c) > most) {
            most = gos__norm3(c);
            *m = all[i];
        }
    }
    return GOS_OK;
}

/* Vector rotating with the location: perpendicular to the axis if available, else a slope. */
static gos_status across(gos_builder *b, const gos_location *p, const double axis[3],
                         const char *text, gos_loc loc, const char *object, gos_marker *m) {
    double n[2][3], t[3], c[3];
    gos__normals3(axis, n[0], n[1]);
    for (int i = 0; i < 2; ++i) {
        gos_status status = direction_of(b, p, n[i], m);
        if (status != GOS_E_INPUT) {
            return status;
        }
    }
    if (gos__rotating(p) == GOS_TURN_PLANE || gos__rotating(p) == GOS_TURN_SECTION) {
        return more_across(b, p, axis, m);
    }
    GOS_TRY(gos__tangent(b, p, loc, object, m, t));
    gos__cross3(axis, t, c);
    if (!(gos__norm3(c) > 1e-3 * gos__norm3(t))) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "'%s' is parallel to the axis and does not rotate about it; change the "
                            "axis, or use a rigid body",
                            text);
    }
    return GOS_OK;
}

gos_status gos__hinge_make(gos_builder *b, const gos_texts *between, const gos_location p[2],
                           const double axis[3], const char *object, gos_marker m[3],
                           double *angle0, int *carrier) {
    gos_status carried = GOS_E_INPUT;
    int by = -1;
    for (int s = 0; s < 2 && carried == GOS_E_INPUT; ++s) {
        carried = p[s].body ? direction_of(b, &p[s], axis, &m[E]) : GOS_E_INPUT;
        by = carried == GOS_OK ? s : by;
    }
    if (carrier) {
        *carrier = by;
    }
    if (carried == GOS_E_INPUT) {
        m[E] = gos__marker_fixed(axis);
    } else {
        GOS_TRY(carried);
    }
    double x[9];
    gos_hinge_angle a;
    for (int s = 0; s < 2; ++s) {
        GOS_TRY(across(b, &p[s], axis, between->v[s], between->loc[s], object, &m[F + s]));
    }
    for (int k = 0; k < 3; ++k) {
        gos__marker_initial(b, &m[k], x + 3 * k);
    }
    if (!gos__hinge_angle(x, &a)) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, between->loc[0], object,
                            "'%s' and '%s' have no angle about the axis at t = 0; change the axis",
                            between->v[0], between->v[1]);
    }
    *angle0 = a.angle;
    return GOS_OK;
}
