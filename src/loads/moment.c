/* Moment tau at a point (theory guide 1.4, 3.1), with global components or along rotating axes. Its
   virtual work equals that of forces on the vectors of the point:
     rigid body: Q_aj = 1/2 tau x a_j on the axes (markers 0..2), exact for orthonormal axes
     cable: Q_p = tau x p / (p . p) on the slope p (marker 0); no twist, so no work along p
     beam:  Q_a = 1/2 (tau x a/|a|^2 - n (b . tau)/|m|),  m = a x b,
            Q_b = 1/2 (tau x b/|b|^2 + n (a . tau)/|m|)  on the section vectors (markers 0, 1;
            theory guide 2.7, b x (tau x n) = -n (b . tau)): half on each vector.
   Axes: of the body, of another rigid body (markers after those of the point), or of the
   section. */
#include "loads/load.h"
#include "loads/loads.h"

#define MARKERS 3

typedef struct gos_moment {
    gos_load_kind kind;
    gos_rotating on;
    int own;     // number of markers of the point
    int axes;    // GOS_LOAD_AXES: first axis marker
    double v[3]; // reference vector of a cable section [-]
} gos_moment;

static const gos_param params[] = {
    GOS_LOAD_ON("the point or points on which the moment acts: a rigid body, or a point of a cable "
                "or beam"),
    GOS_LOAD_VALUE("moment", "N m", "moment [Mx, My, Mz], each a number or a function of time"),
    GOS_LOAD_FRAME,
    {0}};

typedef struct torque {
    double tau[3], D[MARKERS][9];
} torque;

typedef struct work {
    double q[MARKERS][3], K[MARKERS][MARKERS][9], T[MARKERS][9];
} work;

static void add_axis(torque *t, double m, const double d[3]) {
    for (int c = 0; c < 3; ++c) {
        t->tau[c] += m * d[c];
    }
}

static void add_derivative(double *to, double m, const double *D) {
    for (int k = 0; k < 9; ++k) {
        to[k] += m * D[k];
    }
}

/* false: section axes undefined */
static bool torque_of(const gos_moment *par, const gos_item_io *io, torque *t) {
    double d[3][3], D[3][9];
    gos_vectors f;
    memset(t, 0, sizeof *t);
    if ((par->kind == GOS_LOAD_SECTION && !gos__section_frame(io->x, par->v, d, D)) ||
        (par->kind == GOS_LOAD_VECTORS && !gos__vectors_frame(io->x, io->x + 3, &f))) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        const double m = io->scale * io->fn[k], e[3] = {k == 0, k == 1, k == 2};
        switch (par->kind) {
        case GOS_LOAD_SPACE:
            add_axis(t, m, e);
            break;
        case GOS_LOAD_AXES:
            add_axis(t, m, io->x + 3 * (par->axes + k));
            break;
        case GOS_LOAD_SECTION:
            add_axis(t, m, d[k]);
            add_derivative(t->D[0], m, D[k]);
            break;
        case GOS_LOAD_VECTORS:
            add_axis(t, m, f.d[k]);
            add_derivative(t->D[0], m, f.D[k][0]);
            add_derivative(t->D[1], m, f.D[k][1]);
            break;
        }
    }
    return true;
}

/* Q_aj = 1/2 tau x a_j; dQ/da_j = 1/2 [tau]_x, dQ/dtau = -1/2 [a_j]_x */
static void on_axes(const double *x, const double tau[3], work *w) {
    double S[9];
    for (int j = 0; j < 3; ++j) {
        const double *a = x + 3 * j;
        gos__cross3(tau, a, w->q[j]);
        for (int c = 0; c < 3; ++c) {
            w->q[j][c] *= 0.5;
        }
        gos__skew3(tau, S);
        add_derivative(w->K[j][j], 0.5, S);
        gos__skew3(a, S);
        add_derivative(w->T[j], -0.5, S);
    }
}

/* Q = tau x p / a, a = p . p; dQ/dp = [tau]_x / a - 2 Q p^T / a, dQ/dtau = -[p]_x / a */
static void on_slope(const double *p, const double tau[3], work *w) {
    const double a = gos__dot3(p, p);
    double S[9];
    if (!(a > 0.0)) {
        return;
    }
    gos__cross3(tau, p, w->q[0]);
    for (int c = 0; c < 3; ++c) {
        w->q[0][c] /= a;
    }
    gos__skew3(tau, S);
    for (int k = 0; k < 9; ++k) {
        w->K[0][0][k] = (S[k] - 2.0 * w->q[0][k / 3] * p[k % 3]) / a;
    }
    gos__skew3(p, S);
    add_derivative(w->T[0], -1.0 / a, S);
}

/* Force on section vector v (`mine`): Q = 1/2 (tau x v/|v|^2 + sign n (w . tau)/|m|), w the other
   vector; d(1/|m|) = -(A . da + B . db)/|m|, dn = -A (n . da) - B (n . db) */
static void vector_moment(const gos_vectors *f, const double tau[3], const double *const vec[2],
                          int mine, double *q, double K[MARKERS][9]) {
    const double *v = vec[mine], *w = vec[1 - mine], sign = mine ? 1.0 : -1.0;
    double vv = gos__dot3(v, v), wt = sign * gos__dot3(w, tau) * f->inverse, T[9];
    gos__cross3(tau, v, q);
    gos__skew3(tau, T);
    for (int k = 0; k < 9; ++k) {
        int i = k / 3, j = k % 3;
        K[mine][k] = 0.5 / vv * (T[k] - 2.0 * q[i] * v[j] / vv);
        K[1 - mine][k] = 0.5 * sign * f->inverse * f->n[i] * tau[j];
        K[0][k] -= 0.5 * wt * (f->A[i] * f->n[j] + f->n[i] * f->A[j]);
        K[1][k] -= 0.5 * wt * (f->B[i] * f->n[j] + f->n[i] * f->B[j]);
    }
    for (int c = 0; c < 3; ++c) {
        q[c] = 0.5 * (q[c] / vv + wt * f->n[c]);
    }
}

/* dQ/dtau = 1/2 (-[v]_x/|v|^2 + sign n w^T/|m|) */
static void by_torque(const gos_vectors *f, const double *const vec[2], int mine, double T[9]) {
    const double *v = vec[mine], *w = vec[1 - mine], vv = gos__dot3(v, v);
    double S[9];
    gos__skew3(v, S);
    for (int k = 0; k < 9; ++k) {
        T[k] = 0.5 * ((mine ? f->inverse : -f->inverse) * f->n[k / 3] * w[k % 3] - S[k] / vv);
    }
}

static void on_section(const double *x, const double tau[3], work *w) {
    const double *const vec[2] = {x, x + 3};
    gos_vectors f;
    if (!gos__vectors_frame(vec[0], vec[1], &f)) {
        return;
    }
    for (int mine = 0; mine < 2; ++mine) {
        vector_moment(&f, tau, vec, mine, w->q[mine], w->K[mine]);
        by_torque(&f, vec, mine, w->T[mine]);
    }
}

/* dQ/dx_j at fixed tau, plus dQ/dtau (dtau/dx_j) and dQ/dtau tau_k for axis k */
static void add_derivatives(const gos_moment *par, const gos_item_io *io, int nm, const torque *t,
                            const work *w) {
    double M[9];
    for (int i = 0; i < par->own; ++i) {
        for (int j = 0; j < par->own; ++j) {
            gos__mul33(w->T[i], t->D[j], M);
            gos__add33(io->fx, 3 * nm, i, j, 1.0, w->K[i][j]);
            gos__add33(io->fx, 3 * nm, i, j, 1.0, M);
        }
        for (int k = 0; par->kind == GOS_LOAD_AXES && k < 3; ++k) {
            gos__add33(io->fx, 3 * nm, i, par->axes + k, io->scale * io->fn[k], w->T[i]);
        }
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_moment *par = it->par;
    torque t;
    work w = {0};
    if (!torque_of(par, io, &t)) {
        return;
    }
    if (par->on == GOS_TURN_TANGENT) {
        on_slope(io->x, t.tau, &w);
    } else if (par->on == GOS_TURN_SECTION) {
        on_section(io->x, t.tau, &w);
    } else {
        on_axes(io->x, t.tau, &w);
    }
    for (int i = 0; io->f && i < 3 * par->own; ++i) {
        io->f[i] = w.q[i / 3][i % 3];
    }
    if (io->fx) {
        add_derivatives(par, io, it->nm, &t, &w);
    }
}

static const gos_item_type type_moment = {
    .name = "moment", .eval = eval, .by_input = gos__by_unit_input};
static const gos_input_def inputs[3] = GOS_LOAD_INPUTS("N m");

static gos_status add_location(gos_builder *b, const gos_location *p, gos_loc loc,
                               const char *object, gos_moment *par, gos_item *item) {
    switch (par->on) {
    case GOS_TURN_SECTION:
        par->kind = GOS_LOAD_VECTORS;
        par->own = 2;
        return gos__load_vectors(b, p, item->m);
    case GOS_TURN_TANGENT:
        par->kind = GOS_LOAD_SECTION;
        par->own = 1;
        return gos__load_section(b, p, loc, object, &item->m[0], par->v);
    case GOS_TURN_FRAME:
        par->kind = GOS_LOAD_AXES;
        par->own = 3;
        return gos__rigid_axes(b, p, &item->m[0]);
    case GOS_TURN_PLANE:
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "a concentrated moment on plate '%s' would cause an infinite "
                            "rotation; use edge_moment on an edge, or clamp a rigid body to the "
                            "plate",
                            p->body->name);
    case GOS_TURN_NOTHING:
        break;
    }
    return gos__fail_at(
        b->ctx, GOS_E_INPUT, loc, object,
        p->set ? "these nodes of body '%s' coincide or are collinear, so they do not define a "
                 "rotation; use a set of nodes that is not collinear"
               : "this node of body '%s' has no rotations; give rx, ry, rz in its node table",
        p->body->name);
}

static gos_status add(gos_builder *b, const gos_location *p, gos_loc loc, const char *object,
                      const gos_load_axes *axes, gos_item *item) {
    gos_moment *par = GOS_NEW(b->arena, gos_moment, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    item->type = &type_moment;
    item->par = par;
    par->on = gos__rotating(p);
    GOS_TRY(add_location(b, p, loc, object, par, item));
    item->nm = par->own;
    if (axes->frame == GOS_LOAD_GLOBAL) {
        par->kind = GOS_LOAD_SPACE;
    } else if (axes->frame == GOS_LOAD_NAMED) {
        par->kind = GOS_LOAD_AXES;
        par->axes = par->own;
        item->nm += 3;
        memcpy(&item->m[par->axes], axes->axis, sizeof axes->axis);
    }
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    return gos__load_build(b, type, entry, object, inputs, add);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_moment = {
    .section = "loads",
    .name = "moment",
    .doc = "moment on a rigid body or at a point of a cable or beam; `frame` lets it follow its "
           "own or another body",
    .params = params,
    .size = sizeof(gos_load_def),
    .example = "twist: {type: moment, on: rod.end, moment: [0, 0, \"2*pi*t\"]}",
    .ops = &ops};
