/* Bushing: 6 x 6 stiffness and damping between two points, in axes a_k fixed in the first body A.
   With point x and vectors b_k (= a_k at t = 0) of the second body B,
       y_k   = a_k . (x_B - x_A) - its value at t = 0
       y_3+k = 1/2 (a_j . b_i - a_i . b_j),  (k, i, j) = 123, 231, 312: sin(angle) times the axis
       Q     = -K y - C y',   f = dy/dx^T Q by virtual work.
   y is quadratic in the markers, so the tangent is exact. A symmetric K has an energy. */
#include "joints/joint.h"
#include "joints/joints.h"

enum { XA, XB, A, B = A + 3, MARKERS = B + 3, N = 3 * MARKERS };

typedef struct bushing_def {
    gos_joint_def joint;
    gos_numbers stiffness, damping;
} bushing_def;

typedef struct gos_bushing {
    double K[36], C[36]; // row-major
    double y0[3];        // [m]
} gos_bushing;

static const gos_param params[] = {
    GOS_JOINT_BETWEEN("the two attachment points, e.g. [ground, hub.node]; the matrices refer to "
                      "the axes of the first body (global axes for the ground)"),
    {.name = "stiffness",
     .kind = GOS_K_NUMBERS,
     .unit = "N/m, N, N m",
     .flags = GOS_P_REQUIRED,
     .offset = offsetof(bushing_def, stiffness),
     .doc = "6 diagonal entries, translation along x, y, z [N/m] and rotation about them [N "
            "m/rad], or all 36 entries row by row"},
    {.name = "damping",
     .kind = GOS_K_NUMBERS,
     .unit = "N s/m, N s, N m s",
     .offset = offsetof(bushing_def, damping),
     .doc = "viscous damping matrix in the same form; default: none"},
    GOS_JOINT_AT,
    {0}};

typedef struct deformation {
    double y[6], rate[6];
    double dy[6][N];    // dy/dx
    double drate[6][N]; // d rate/dx: second derivatives times marker rates
} deformation;

/* add factor x_i . (x_j - x_k) (k < 0: x_i . x_j) to y_r */
static void add_product(const gos_item_io *io, deformation *d, int r, double factor, int i, int j,
                        int k) {
    double u[3], v[3] = {0};
    for (int c = 0; c < 3; ++c) {
        u[c] = io->x[3 * j + c] - (k < 0 ? 0.0 : io->x[3 * k + c]);
        if (io->xd) {
            v[c] = io->xd[3 * j + c] - (k < 0 ? 0.0 : io->xd[3 * k + c]);
        }
    }
    for (int c = 0; c < 3; ++c) {
        const double a = io->x[3 * i + c], ad = io->xd ? io->xd[3 * i + c] : 0.0;
        d->y[r] += factor * a * u[c];
        d->rate[r] += factor * (ad * u[c] + a * v[c]);
        d->dy[r][3 * i + c] += factor * u[c];
        d->dy[r][3 * j + c] += factor * a;
        d->drate[r][3 * i + c] += factor * v[c];
        d->drate[r][3 * j + c] += factor * ad;
        if (k >= 0) {
            d->dy[r][3 * k + c] -= factor * a;
            d->drate[r][3 * k + c] -= factor * ad;
        }
    }
}

static void add_curved(double *fx, double Q, int i, int j, int k) {
    gos__addeye(fx, N, i, j, Q);
    gos__addeye(fx, N, j, i, Q);
    if (k >= 0) {
        gos__addeye(fx, N, i, k, -Q);
        gos__addeye(fx, N, k, i, -Q);
    }
}

static void deform(const gos_bushing *p, const gos_item_io *io, deformation *d) {
    memset(d, 0, sizeof *d);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        add_product(io, d, k, 1.0, A + k, XB, XA);
        d->y[k] -= p->y0[k];
        add_product(io, d, 3 + k, 0.5, A + j, B + i, -1);
        add_product(io, d, 3 + k, -0.5, A + i, B + j, -1);
    }
}

static void tangent(const gos_bushing *p, const gos_item_io *io, const deformation *d,
                    const double Q[6]) {
    for (int r = 0; r < 6; ++r) {
        double dQ[N] = {0.0}, dQv[N] = {0.0}; // dQ_r/dx, dQ_r/dx'
        for (int s = 0; s < 6; ++s) {
            for (int m = 0; m < N; ++m) {
                dQ[m] -= p->K[6 * r + s] * d->dy[s][m] + p->C[6 * r + s] * d->drate[s][m];
                dQv[m] -= p->C[6 * r + s] * d->dy[s][m];
            }
        }
        for (int i = 0; i < N; ++i) {
            for (int m = 0; m < N && d->dy[r][i] != 0.0; ++m) {
                if (io->fx) {
                    io->fx[i * N + m] += d->dy[r][i] * dQ[m];
                }
                if (io->fv) {
                    io->fv[i * N + m] += d->dy[r][i] * dQv[m];
                }
            }
        }
    }
    for (int k = 0; io->fx && k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        add_curved(io->fx, Q[k], A + k, XB, XA);
        add_curved(io->fx, 0.5 * Q[3 + k], A + j, B + i, -1);
        add_curved(io->fx, -0.5 * Q[3 + k], A + i, B + j, -1);
    }
}

static void eval(const gos_item *it, const gos_item_io *io) {
    const gos_bushing *p = it->par;
    deformation d;
    double Q[6] = {0.0};
    if (!io->f && !io->fx && !io->fv && !io->energy) {
        return;
    }
    deform(p, io, &d);
    for (int r = 0; r < 36; ++r) {
        Q[r / 6] -= p->K[r] * d.y[r % 6] + p->C[r] * d.rate[r % 6];
        if (io->energy) {
            *io->energy += 0.5 * d.y[r / 6] * p->K[r] * d.y[r % 6];
            *io->power += d.rate[r / 6] * p->C[r] * d.rate[r % 6];
        }
    }
    for (int i = 0; io->f && i < N; ++i) {
        for (int r = 0; r < 6; ++r) {
            io->f[i] += Q[r] * d.dy[r][i];
        }
    }
    if (io->fx || io->fv) {
        tangent(p, io, &d, Q);
    }
}

static const gos_item_type type_bushing = {.name = "bushing", .eval = eval};

/* a symmetric K has an energy; otherwise forces count as loads */
static bool symmetric(const double K[36]) {
    for (int i = 0; i < 36; ++i) {
        if (K[i] != K[i % 6 * 6 + i / 6]) {
            return false;
        }
    }
    return true;
}

static gos_status matrix(const gos_joint *j, const char *key, const gos_numbers *v, double M[36]) {
    if (v->n != 0 && v->n != 6 && v->n != 36) {
        return gos__fail_at(j->b->ctx, GOS_E_INPUT, gos__key_loc(j->entry, key), j->object,
                            "%s has %d numbers; give 6 for a diagonal matrix, or all 36", key,
                            v->n);
    }
    for (int i = 0; i < v->n; ++i) {
        M[v->n == 6 ? 7 * i : i] = v->v[i];
    }
    return GOS_OK;
}

static gos_status build(gos_builder *b, const gos_type *type, const gos_node *entry,
                        const char *name, const char *object) {
    GOS_UNUSED(name);
    gos_joint j;
    bushing_def def;
    GOS_TRY(gos__joint_begin(b, type, entry, object, &j, &def.joint));
    gos_bushing *p = GOS_NEW(b->arena, gos_bushing, 1);
    if (!p) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(matrix(&j, "stiffness", &def.stiffness, p->K));
    GOS_TRY(matrix(&j, "damping", &def.damping, p->C));
    GOS_TRY(gos__joint_apart(&j, &def.joint));
    gos__joint_marker(&j, 0, true, &j.end[0].m);
    gos__joint_marker(&j, 1, true, &j.end[1].m);
    double a[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, d[3];
    gos__sub3(j.end[1].x, j.end[0].x, d);
    if (j.end[0].location.body && gos__rotating(&j.end[0].location) == GOS_TURN_FRAME) {
        gos_marker own[3];
        GOS_TRY(gos__rigid_axes(b, &j.end[0].location, own));
        for (int k = 0; k < 3; ++k) {
            gos__marker_initial(b, &own[k], a[k]);
        }
    }
    for (int m = 0; m < 6; ++m) {
        int index;
        GOS_TRY(gos__joint_direction(&j, m / 3, a[m % 3], &index));
        p->y0[m % 3] = gos__dot3(a[m % 3], d);
    }
    j.item.type = &type_bushing;
    j.item.stores = symmetric(p->K);
    j.item.par = p;
    return gos__joint_add_item(&j);
}

static const gos_build_ops ops = {.build = build};

const gos_type gos__joint_bushing = {
    .section = "joints",
    .name = "bushing",
    .doc =
        "elastic joint: stiffness and damping matrices between two points, in axes that rotate "
        "with the first body; force-free at t = 0; limited to small rotations (uses their sines)",
    .params = params,
    .size = sizeof(bushing_def),
    .example = "mount: {type: bushing, between: [ground, slider.centre], stiffness: [1.0e6, 1.0e6, "
               "5.0e5, 800, 800, 200], damping: [100, 100, 50, 0.1, 0.1, 0.05]}",
    .ops = &ops};
