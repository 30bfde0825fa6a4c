/* Linear models on an accelerated base. With q = T x + r, x the displacement of the base, a = x'',
   M r'' + D r' + K r = -M T a where neither stiffness nor constraints resist T. */
#include <math.h>

#include "base/units.h"
#include "gossamer/model.h"
#include "gossamer/vibration.h"
#include "linear/linear.h"

#define OPPOSED 1e-9 // negligible resistance to the translation

enum { FRAME_VECTORS = 4 };

typedef enum output_kind {
    RELATIVE, // as it is
    POSITION, // becomes an acceleration
    VELOCITY
} output_kind;

struct gos_base {
    gos_ctx *ctx;
    gos_linear *linear;
    output_kind *kind; // (outputs)
    double *carried;   // accelerations with the base (outputs)
};

typedef struct making {
    gos_ctx *ctx;
    const gos_linear *l;
    const char *body; // NULL: ground
    int axis;
    const double *T; // unit translation (nq)
    double *MT;      // (nq)
    gos_base *base;
} making;

static const char *const letter[] = {"x", "y", "z"};

/* ---- checks ---------------------------------------------------------------------------------- */

static double largest(int n, const double *x) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Is A T below rounding of its terms? */
static gos_status resists(const making *k, const gos_sparse *A, bool *any) {
    double *y = gos__zalloc(k->ctx, 2 * (size_t)A->m + 1, sizeof *y), *size = y ? y + A->m : NULL;
    GOS_TRY(y ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j < A->n; j++) {
        for (int e = A->p[j]; e < A->p[j + 1]; e++) {
            y[A->i[e]] += A->x[e] * k->T[j];
            size[A->i[e]] += fabs(A->x[e] * k->T[j]);
        }
    }
    *any = largest(A->m, y) > OPPOSED * largest(A->m, size);
    gos__free(k->ctx, y);
    return GOS_OK;
}

/* coordinates of its frame: position and three axes; -1: none */
static void find_frame(const making *k, int vector[FRAME_VECTORS]) {
    static const char *const part[] = {"position", "a1", "a2", "a3"};
    for (int p = 0; p < FRAME_VECTORS; p++) {
        char want[300];
        gos__format(want, sizeof want, "%s.%s", k->body, part[p]);
        vector[p] = -1;
        for (int i = 0; i < k->l->nq / 3 && k->l->ncomp == 3; i++) {
            if (k->l->coordinate[i] && strcmp(k->l->coordinate[i], want) == 0) {
                vector[p] = i;
            }
        }
    }
}

static gos_status check(const making *k) {
    const gos_linear *l = k->l;
    bool held = false, sprung = false;
    if (l->nq == 0 || !(largest(l->nq, k->T) > 0)) {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "base drive: the rigid motions of this model are unknown or it has no "
                         "motion; use a model file, not matrices");
    }
    if (!k->body) {
        return GOS_OK;
    }
    int vector[FRAME_VECTORS];
    find_frame(k, vector);
    if (vector[0] < 0 || vector[1] < 0 || vector[2] < 0 || vector[3] < 0) {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "base drive: there is no rigid or floating body '%s'; give the name of "
                         "one, or ground",
                         k->body);
    }
    GOS_TRY(resists(k, &l->block[GOS_BLOCK_C], &held));
    GOS_TRY(resists(k, &l->block[GOS_BLOCK_K], &sprung));
    return held || sprung
               ? gos__fail(k->ctx, GOS_E_INPUT,
                           "base drive: body '%s' cannot be the base, because the model is also "
                           "connected to the ground by %s; remove this connection, or drive the "
                           "ground",
                           k->body, held ? "joints" : "springs")
               : GOS_OK;
}

/* ---- a body as base -------------------------------------------------------------------------- */

typedef struct triplets {
    int n, *i, *j;
    double *x;
} triplets;

static void put(triplets *t, int i, int j, double x) {
    t->i[t->n] = i;
    t->j[t->n] = j;
    t->x[t->n++] = x;
}

/* Position and the mean rotation of the axes, theta = sum_i a_i x da_i / 2, by the rigid
   rotations e x a_i. */
static void hold_frame(const making *k, const int vector[FRAME_VECTORS], int row, triplets *t) {
    const size_t nq = k->l->nq;
    for (int c = 0; c < 3; c++) {
        const double *R = k->l->rigid + (3 + (size_t)c) * nq;
        put(t, row + c, 3 * vector[0] + c, 1);
        for (int p = 1; p < FRAME_VECTORS; p++) {
            for (int d = 0; d < 3; d++) {
                put(t, row + 3 + c, 3 * vector[p] + d, 0.5 * R[3 * vector[p] + d]);
            }
        }
    }
}

static gos_status constrain(const making *k, gos_sparse *C) {
    const gos_sparse *old = &k->l->block[GOS_BLOCK_C];
    int vector[FRAME_VECTORS];
    const int most = old->nnz + 30;
    triplets t = {.i = gos__alloc(k->ctx, 2 * (size_t)most + 1, sizeof *t.i),
                  .x = gos__alloc(k->ctx, (size_t)most + 1, sizeof *t.x)};
    t.j = t.i ? t.i + most : NULL;
    gos_status status = t.i && t.x ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < old->n && status == GOS_OK; j++) {
        for (int e = old->p[j]; e < old->p[j + 1]; e++) {
            put(&t, old->i[e], j, old->x[e]);
        }
    }
    if (status == GOS_OK && k->body) {
        find_frame(k, vector);
        hold_frame(k, vector, old->m, &t);
    }
    status = status == GOS_OK ? gos__sparse_from_triplets(k->ctx, old->m + (k->body ? 6 : 0),
                                                          old->n, t.n, t.i, t.j, t.x, C)
                              : status;
    gos__free(k->ctx, t.i);
    gos__free(k->ctx, t.x);
    return status;
}

/* ---- the model ------------------------------------------------------------------------------- */

/* B = -M T, and the momentum along the axis as a further output */
static gos_status drive(const making *k, gos_linear *to) {
    const gos_linear *l = k->l;
    const int n = l->nq;
    const gos_sparse *Y = &l->block[GOS_BLOCK_Y_q];
    const int most = Y->nnz + n;
    int *i = gos__alloc(k->ctx, 2 * (size_t)most + 1, sizeof *i), *j = i ? i + most : NULL;
    double *x = gos__alloc(k->ctx, (size_t)most + 1, sizeof *x);
    gos_sparse B = {0}, whole = {0};
    triplets t = {.i = i, .j = j, .x = x};
    gos_status status = i && x ? GOS_OK : GOS_E_MEMORY;
    for (int c = 0; c < n && status == GOS_OK; c++) {
        if (k->MT[c] != 0) {
            put(&t, c, 0, -k->MT[c]);
        }
    }
    status = status == GOS_OK ? gos__sparse_from_triplets(k->ctx, n, 1, t.n, i, j, x, &B) : status;
    status = status == GOS_OK ? gos__linear_put(to, GOS_BLOCK_B, &B) : status;
    t.n = 0;
    for (int c = 0; c < n && status == GOS_OK; c++) {
        for (int e = Y->p[c]; e < Y->p[c + 1]; e++) {
            put(&t, Y->i[e], c, Y->x[e]);
        }
        if (k->MT[c] != 0) {
            put(&t, l->ny, c, k->MT[c]);
        }
    }
    status = status == GOS_OK
                 ? gos__sparse_from_triplets(k->ctx, l->ny + 1, n, t.n, i, j, x, &whole)
                 : status;
    status = status == GOS_OK ? gos__linear_put(to, GOS_BLOCK_Y_q, &whole) : status;
    gos__sparse_free(k->ctx, &B);
    gos__sparse_free(k->ctx, &whole);
    gos__free(k->ctx, i);
    gos__free(k->ctx, x);
    return status;
}

/* blocks of another number of rows: a view with more, empty ones */
static gos_status copy_blocks(const making *k, gos_linear *to) {
    static const gos_block same[] = {
        GOS_BLOCK_M,     GOS_BLOCK_D,     GOS_BLOCK_K,     GOS_BLOCK_G, GOS_BLOCK_C_T,
        GOS_BLOCK_K_T,   GOS_BLOCK_H_q,   GOS_BLOCK_H_v,   GOS_BLOCK_H, GOS_BLOCK_K_phi,
        GOS_BLOCK_G_phi, GOS_BLOCK_H_phi, GOS_BLOCK_T_phi, GOS_BLOCK_P};
    static const gos_block rows[] = {GOS_BLOCK_Y_v, GOS_BLOCK_Y_T, GOS_BLOCK_Y_phi};
    gos_status status = GOS_OK;
    for (int i = 0; i < GOS_COUNT(same) && status == GOS_OK; i++) {
        status = gos__linear_put(to, same[i], &k->l->block[same[i]]);
    }
    for (int i = 0; i < GOS_COUNT(rows) && status == GOS_OK; i++) {
        gos_sparse A = k->l->block[rows[i]];
        A.m = k->l->ny + 1;
        status = gos__linear_put(to, rows[i], &A);
    }
    return status;
}

static gos_status name_ports(const making *k, gos_linear *to) {
    char name[40], acceleration[GOS_UNIT_MAX], force[GOS_UNIT_MAX];
    gos_unit_name(k->l->units, "m/s^2", acceleration, sizeof acceleration);
    gos_unit_name(k->l->units, "N", force, sizeof force);
    gos__format(name, sizeof name, "base.%s", letter[k->axis]);
    GOS_TRY(gos__linear_name_input(to, 0, name, acceleration));
    for (int i = 0; i < k->l->ny; i++) {
        const gos_port p = gos_linear_output(k->l, i);
        const bool moves = k->base->kind[i] != RELATIVE;
        GOS_TRY(gos__linear_name_output(to, i, p.name, moves ? acceleration : p.unit));
    }
    gos__format(name, sizeof name, "base.force.%s", letter[k->axis]);
    return gos__linear_name_output(to, k->l->ny, name, force);
}

static gos_status make_linear(const making *k) {
    const gos_linear *l = k->l;
    gos_sparse C = {0};
    GOS_TRY(constrain(k, &C));
    const gos_linear_size size = {.nq = l->nq,
                                  .nt = l->nt,
                                  .nphi = l->nphi,
                                  .nc = C.m,
                                  .nh = l->nh,
                                  .nu = 1,
                                  .ny = l->ny + 1};
    gos_status status = gos__linear_create(k->ctx, &size, &k->base->linear);
    gos_linear *to = k->base->linear;
    status = status == GOS_OK ? copy_blocks(k, to) : status;
    status = status == GOS_OK ? gos__linear_put(to, GOS_BLOCK_C, &C) : status;
    status = status == GOS_OK ? drive(k, to) : status;
    status = status == GOS_OK ? gos__linear_copy_names(l, to) : status;
    status = status == GOS_OK ? name_ports(k, to) : status;
    gos__sparse_free(k->ctx, &C);
    return status == GOS_OK ? gos__linear_close(to) : status;
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* y (ny) += Y x */
static void add_rows(const gos_sparse *Y, const double *x, double *y) {
    for (int j = 0; j < Y->n; j++) {
        for (int e = Y->p[j]; e < Y->p[j + 1]; e++) {
            y[Y->i[e]] += Y->x[e] * x[j];
        }
    }
}

static bool measures(const char *unit, const char *si) {
    double one = 1;
    return gos_unit_convert(unit, si, &one);
}

/* Outputs that any translation carries along are motions; the others are relative. */
static gos_status classify(const making *k) {
    const gos_linear *l = k->l;
    const size_t ny = l->ny;
    double *y = gos__zalloc(k->ctx, 6 * ny + 1, sizeof *y);
    GOS_TRY(y ? GOS_OK : GOS_E_MEMORY);
    for (int c = 0; c < 3; c++) {
        const double *T = l->rigid + (size_t)c * l->nq;
        add_rows(&l->block[GOS_BLOCK_Y_q], T, y + 2 * c * ny);
        add_rows(&l->block[GOS_BLOCK_Y_v], T, y + (2 * c + 1) * ny);
    }
    for (size_t i = 0; i < ny; i++) {
        double by[2] = {0, 0};
        for (int c = 0; c < 6; c++) {
            by[c % 2] = fmax(by[c % 2], fabs(y[c * ny + i]));
        }
        const char *unit = gos_linear_output(l, (int)i).unit;
        const bool position = measures(unit, "m") && by[0] > OPPOSED;
        const bool velocity = measures(unit, "m/s") && by[1] > OPPOSED;
        k->base->kind[i] = position ? POSITION : velocity ? VELOCITY : RELATIVE;
        k->base->carried[i] = position   ? y[2 * k->axis * ny + i]
                              : velocity ? y[(2 * k->axis + 1) * ny + i]
                                         : 0;
    }
    gos__free(k->ctx, y);
    k->base->kind[ny] = POSITION; // of mass times position
    for (int i = 0; i < l->nq; i++) {
        k->base->carried[ny] += k->T[i] * k->MT[i];
    }
    return GOS_OK;
}

gos_status gos_base_create(gos_ctx *ctx, const gos_linear *linear, const char *body, int axis,
                           gos_base **base) {
    if (axis < 0 || axis > 2) {
        return gos__fail(ctx, GOS_E_USE, "base drive: axis %d is not 0, 1 or 2", axis);
    }
    making k = {.ctx = ctx,
                .l = linear,
                .body = body && strcmp(body, "ground") != 0 ? body : NULL,
                .axis = axis,
                .T = linear->rigid + (size_t)axis * linear->nq};
    GOS_TRY(check(&k));
    const size_t ny = linear->ny;
    gos_base *b = gos__zalloc(ctx, 1, sizeof *b);
    GOS_TRY(b ? GOS_OK : GOS_E_MEMORY);
    *b = (gos_base){.ctx = ctx,
                    .kind = gos__zalloc(ctx, ny + 1, sizeof *b->kind),
                    .carried = gos__zalloc(ctx, ny + 1, sizeof *b->carried)};
    k.base = b;
    k.MT = gos__alloc(ctx, (size_t)linear->nq + 1, sizeof *k.MT);
    gos_status status = b->kind && b->carried && k.MT ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_apply(&linear->M, 1, k.T, k.MT);
        status = classify(&k);
    }
    status = status == GOS_OK ? make_linear(&k) : status;
    gos__free(ctx, k.MT);
    if (status != GOS_OK) {
        gos_base_destroy(b);
        return status;
    }
    *base = b;
    return GOS_OK;
}

void gos_base_destroy(gos_base *base) {
    if (base) {
        gos_linear_destroy(base->linear);
        gos__free(base->ctx, base->kind);
        gos__free(base->ctx, base->carried);
        gos__free(base->ctx, base);
    }
}

int gos_base_noutputs(const gos_base *base) {
    return base->linear->ny;
}

gos_port gos_base_output(const gos_base *base, int i) {
    return gos_linear_output(base->linear, i);
}

const gos_linear *gos_base_linear(const gos_base *base) {
    return base->linear;
}

gos_status gos_base_response(gos_ctx *ctx, const gos_base *base, int n, const double *omega,
                             double *H) {
    const int ny = base->linear->ny;
    GOS_TRY(gos_linear_response(ctx, base->linear, n, omega, H));
    for (int k = 0; k < n; k++) {
        const double w = omega[k];
        for (int i = 0; i < ny; i++) {
            double *h = H + 2 * ((size_t)k * ny + i);
            const double re = h[0], im = h[1];
            if (base->kind[i] == POSITION) {
                h[0] = base->carried[i] - w * w * re;
                h[1] = -w * w * im;
            } else if (base->kind[i] == VELOCITY) {
                h[0] = base->carried[i] - w * im;
                h[1] = w * re;
            }
        }
    }
    return GOS_OK;
}
