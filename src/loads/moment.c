/* Moment at a place (theory guide 1.4, 3.1).
       rigid body:  Q_aj = 1/2 tau x a_j on the axes (markers 0..2), its exact virtual work for
                    orthonormal axes; tau = tau_k e_k, or sum_k tau_k a_k in the body's axes
       cable:       Q_p = m x p / (p . p) on the slope p (marker 0); m = m_k e_k, or sum_k m_k
   d_k(p) in the section frame. The part of m along p does no work: a cable has no twist.
       beam:        Q_a = 1/2 (tau x a/|a|^2 - n (b . tau)/|m|),  m = a x b,
                    Q_b = 1/2 (tau x b/|b|^2 + n (a . tau)/|m|) on the section vectors (markers 0,
                    1; theory guide 2.7, b x (tau x n) = -n (b . tau)): each vector carries half of
   what turns the section in its plane, the normal the other half of what bends. tau = tau_k e_k, or
   sum_k tau_k d_k with the section's axes. */
#include "loads/load.h"
#include "loads/loads.h"

typedef struct gos_moment {
    gos_load_kind kind; // GOS_LOAD_RIGID: axes of the body; else as for a force
    gos_turning on;
    double v[3]; // reference vector of a cable's section [-]
} gos_moment;

static const gos_param params[] = {
    GOS_LOAD_ON("the place or places that the moment acts on: a rigid body, or a point of a cable "
                "or beam"),
    GOS_LOAD_VALUE("moment", "N m", "moment [Mx, My, Mz], each a number or a function of time"),
    GOS_LOAD_FRAME,
    {0}};

/* Q_aj = 1/2 tau x a_j; dQ_aj/da_j = 1/2 [tau]_x; body axes: also dtau/da_k = tau_k I, so that
   dQ_aj/da_k = -1/2 tau_k [a_j]_x. */
static void rigid_moment(const gos_moment *par, const gos_item_io *io) {
    bool follows = par->kind == GOS_LOAD_RIGID;
    double tau[3] = {0.0, 0.0, 0.0}, T[9], A[9];
    for (int k = 0; k < 3; ++k) {
        for (int c = 0; c < 3; ++c) {
            double axis = follows ? io->x[3 * k + c] : (double)(c == k);
            tau[c] += io->scale * io->fn[k] * axis;
        }
    }
    gos__skew3(tau, T);
    for (int j = 0; j < 3; ++j) {
        const double *a = io->x + 3 * j;
        if (io->f) {
            double q[3];
            gos__cross3(tau, a, q);
            for (int c = 0; c < 3; ++c) {
                io->f[3 * j + c] = 0.5 * q[c];
            }
        }
        if (io->fx) {
            gos__add33(io->fx, 9, j, j, 0.5, T);
            gos__skew3(a, A);
            for (int k = 0; follows && k < 3; ++k) {
                gos__add33(io->fx, 9, j, k, -0.5 * io->scale * io->fn[k], A);
            }
        }
    }
}

/* Spatial moment on a cable and, in the section frame, its derivative by the slope. */
static bool cable_moment_vector(const gos_moment *par, const gos_item_io *io, double m[3],
                                double M[9]) {
    double d[3][3], D[3][9];
    memset(M, 0, 9 * sizeof *M);
    for (int c = 0; c < 3; ++c) {
        m[c] = io->scale * io->fn[c];
    }
    if (par->kind == GOS_LOAD_SPACE) {
        return true;
    }
    if (!gos__section_frame(io->x, par->v, d, D)) {
        return false;
    }
    const double local[3] = {m[0], m[1], m[2]};
    for (int c = 0; c < 3; ++c) {
        m[c] = local[0] * d[0][c] + local[1] * d[1][c] + local[2] * d[2][c];
    }
    for (int k = 0; k < 9; ++k) {
        M[k] = local[0] * D[0][k] + local[1] * D[1][k] + local[2] * D[2][k];
    }
    return true;
}

/* Q = m x p / a, a = p . p: dQ/dp = [m]_x / a - 2 (m x p) p^T / a^2 - [p]_x M / a, M = dm/dp. */
static void cable_moment(const gos_moment *par, const gos_item_io *io) {
    const double *p = io->x;
    double a = gos__dot3(p, p), m[3], M[9], q[3];
    if (!(a > 0.0) || !cable_moment_vector(par, io, m, M)) {
        return;
    }
    gos__cross3(m, p, q);
    for (int c = 0; io->f && c < 3; ++c) {
        io->f[c] = q[c] / a;
    }
    if (!io->fx) {
        return;
    }
    double S[9], PM[9];
    gos__skew3(m, S);
    gos__add33(io->fx, 3, 0, 0, 1.0 / a, S);
    gos__skew3(p, S);
    gos__mul33(S, M, PM);
    gos__add33(io->fx, 3, 0, 0, -1.0 / a, PM);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            io->fx[3 * i + j] -= 2.0 * q[i] * p[j] / (a * a);
        }
    }
}

/* what acts on vector `mine` of the section: Q = 1/2 (tau x v/|v|^2 + sign n (w . tau)/|m|), w the
   other vector; with d(1/|m|) = -(A . da + B . db)/|m| and dn = -A (n . da) - B (n . db) */
static void vector_moment(const gos_vectors *f, const double tau[3], const double *const vec[2],
                          int mine, double *q, double K[2][9]) {
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

/* dQ/dtau of the same: 1/2 (-[v]_x/|v|^2 + sign n w^T/|m|) */
static void by_torque(const gos_vectors *f, const double *const vec[2], int mine, double T[9]) {
    const double *v = vec[mine], *w = vec[1 - mine], vv = gos__dot3(v, v);
    double S[9];
    gos__skew3(v, S);
    for (int k = 0; k < 9; ++k) {
        T[k] = 0.5 * ((mine ? f->inverse : -f->inverse) * f->n[k / 3] * w[k % 3] - S[k] / vv);
    }
}

static void beam_moment(const gos_moment *par, const gos_item_io *io) {
    const double *const vec[2] = {io->x, io->x + 3};
    gos_vectors f;
    double tau[3] = {0.0, 0.0, 0.0}, dtau[2][9] = {{0.0}};
    if (!gos__vectors_frame(vec[0], vec[1], &f)) {
        return;
    }
    for (int k = 0; k < 3; ++k) {
        double t = io->scale * io->fn[k];
        for (int c = 0; c < 3; ++c) {
            tau[c] += t * (par->kind == GOS_LOAD_SPACE ? (double)(c == k) : f.d[k][c]);
        }
        for (int m = 0; m < 18 && par->kind == GOS_LOAD_VECTORS; ++m) {
            dtau[m / 9][m % 9] += t * f.D[k][m / 9][m % 9];
        }
    }
    for (int mine = 0; mine < 2; ++mine) {
        double q[3], K[2][9], T[9], M[9];
        vector_moment(&f, tau, vec, mine, q, K);
        by_torque(&f, vec, mine, T);
        for (int c = 0; io->f && c < 3; ++c) {
            io->f[3 * mine + c] = q[c];
        }
        for (int m = 0; io->fx && m < 2; ++m) {
            gos__mul33(T, dtau[m], M);
            gos__add33(io->fx, 6, mine, m, 1.0, K[m]);
            gos__add33(io->fx, 6, mine, m, 1.0, M);
        }
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_moment *par = it->par;
    if (par->on == GOS_TURN_TANGENT) {
        cable_moment(par, io);
    } else if (par->on == GOS_TURN_SECTION) {
        beam_moment(par, io);
    } else {
        rigid_moment(par, io);
    }
}

static const gos_item_type type_moment = {
    .name = "moment", .eval = eval, .by_amount = gos__by_unit_amount};
static const gos_amount amounts[3] = GOS_LOAD_AMOUNTS("N m");

static gos_status add(gos_builder *b, const gos_place *p, gos_loc loc, const char *object,
                      int frame, gos_item *item) {
    gos_moment *par = GOS_NEW(b->arena, gos_moment, 1);
    if (!par) {
        return GOS_E_MEMORY;
    }
    item->type = &type_moment;
    item->par = par;
    par->on = gos__turning(p);
    if (par->on == GOS_TURN_SECTION) {
        par->kind = frame == GOS_LOAD_GLOBAL ? GOS_LOAD_SPACE : GOS_LOAD_VECTORS;
        item->nm = 2;
        return gos__load_vectors(b, p, item->m);
    }
    if (par->on == GOS_TURN_TANGENT) {
        par->kind = frame == GOS_LOAD_GLOBAL ? GOS_LOAD_SPACE : GOS_LOAD_SECTION;
        item->nm = 1;
        return gos__load_section(b, p, loc, object, &item->m[0], par->v);
    }
    if (gos__turning(p) == GOS_TURN_PLANE) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "a moment at a point of plate '%s' has no finite work; use "
                            "edge_moment on an edge, or clamp a rigid body to the plate",
                            p->body->name);
    }
    if (par->on == GOS_TURN_NOTHING) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, object,
                            "this node of body '%s' has no rotations; give rx, ry, rz in its table",
                            p->body->name);
    }
    par->kind = frame == GOS_LOAD_GLOBAL ? GOS_LOAD_SPACE : GOS_LOAD_RIGID;
    item->nm = 3;
    return gos__rigid_axes(b, p, &item->m[0]);
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    return gos__load_build(b, type, entry, object, amounts, add);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__load_moment = {
    .section = "loads",
    .name = "moment",
    .doc = "moment on a rigid body or at a point of a cable or beam; `frame: body` makes it follow",
    .params = params,
    .size = sizeof(gos_load_def),
    .example = "twist: {type: moment, on: rod.end, moment: [0, 0, \"2*pi*t\"]}",
    .ops = &ops};
