/* Rotational symmetry check: points and items are evaluated at the state and rotated by an angle.
   Forces must rotate along, heat stay, constraints hold with the same span. Space-fixed parts pass
   only along or about the axis. Time functions are frozen, but drives advance. */
#include <math.h>

#include "math/orbit.h"
#include "math/vec3.h"
#include "statics/turning.h"
#include "system/derived.h"
#include "system/gravity_gradient.h"

#define FORCE_DIFFERENCE 1e-7
#define FORCE_ROUNDING 1e-13        // ... relative to the terms of a force
#define MAX_VIOLATION 1e-8          // constraint violation, relative to the extent
#define MAX_UNSPANNED 1e-7          // part of a constraint row outside the span of the others
#define MIN_TEMPERATURE_CHANGE 1e-9 // negligible temperature change per radian [K]

static const double angles[] = {1.0, 2.3}; // [rad], not related to any symmetry

typedef struct evaluation {
    double f[3 * GOS_ITEM_MARKERS], heat[GOS_ITEM_TMARKERS];
    double c[GOS_ITEM_ROWS], cx[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
} evaluation;

typedef struct check {
    const gos_rotating *t;
    gos_work *w;
    gos_point_of at, turned; // before and after rotation
    double R[9];             // the rotation between them
    double time;             // rotation time [s]
    double *q, *v, *vt;      // rotated coordinates; both rates (nq)
    double *Q, *Qt, *noise;  // both forces; rounding level (nq)
    double *heat, *heat_t;   // (nt)
    double extent;           // largest arm [m]
    double no_heat;          // negligible heat [W]
} check;

static void turn(const double R[9], const double x[3], double y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
    }
}

static void rotation(const double axis[3], double angle, double R[9]) {
    double S[9], S2[9];
    gos__skew3(axis, S);
    gos__mul33(S, S, S2);
    for (int i = 0; i < 9; i++) {
        R[i] = (i % 4 == 0) + sin(angle) * S[i] + (1 - cos(angle)) * S2[i];
    }
}

static gos_status refuse(const check *k, gos_loc loc, const char *object, const char *what) {
    return gos__fail_at(
        k->t->ctx, GOS_E_INPUT, loc, object,
        "%s changes with the rotation about the axis (%.4g, %.4g, %.4g), so there is no steady "
        "rotation; let it act along or about the axis, or rotate with a body",
        what, k->t->axis[0], k->t->axis[1], k->t->axis[2]);
}

static void evaluate_points(const check *k, int i, const gos_point_of *x, double *Q, double *heat) {
    const gos_system *s = k->t->sys;
    memset(Q, 0, s->nq * sizeof *Q);
    memset(heat, 0, s->nt * sizeof *heat);
    const gos_points_sum sum = {.e = x->q,
                                .v = x->v,
                                .th = x->th,
                                .mem = gos__memory_of(s, x),
                                .t = x->t,
                                .fn = k->w->fn,
                                .scale = 1,
                                .Q = Q,
                                .R = s->nt ? heat : NULL};
    gos__points_residual(s->points[i], &sum, k->w->points);
}

static double size_of(int n, const double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) {
        max = fmax(max, fabs(x[i]));
    }
    return max;
}

static gos_status check_points(const check *k, int i) {
    const gos_system *s = k->t->sys;
    const gos_points *p = s->points[i];
    evaluate_points(k, i, &k->at, k->Q, k->heat);
    evaluate_points(k, i, &k->turned, k->Qt, k->heat_t);
    const double max = size_of(s->nq, k->Q), heat = size_of(s->nt, k->heat);
    const gos_body *b = p->body >= 0 && p->body < s->nbody ? s->body[p->body] : NULL;
    char object[GOS_LIMIT_NAME + 16];
    (void)gos__format(object, sizeof object, "body '%s'", b ? b->name : "");
    const gos_loc loc = b ? b->loc : (gos_loc){0};
    for (int c = 0; c < s->nv; c++) {
        double y[3];
        turn(k->R, k->Q + 3 * c, y);
        for (int d = 0; d < 3; d++) {
            const double noise = size_of(3, k->noise + 3 * c);
            if (!(fabs(k->Qt[3 * c + d] - y[d]) <=
                  FORCE_DIFFERENCE * max + FORCE_ROUNDING * noise)) {
                return refuse(k, loc, object,
                              "its section does not rotate with it (carried_by: BODY enables "
                              "this): its bending");
            }
        }
    }
    for (int c = 0; c < s->nt; c++) {
        if (!(fabs(k->heat_t[c] - k->heat[c]) <= FORCE_DIFFERENCE * heat + k->no_heat)) {
            if (p->nsurf == 1) {
                (void)gos__format(object, sizeof object, "heat '%s'", p->surf[0].name);
            }
            return refuse(k, loc, object, "heat on the surface");
        }
    }
    return GOS_OK;
}

static void evaluate_item(const check *k, const gos_item *it, const gos_point_of *x, double later,
                          evaluation *e) {
    double fn[16];
    *e = (evaluation){0};
    gos_item_io io = gos__item_inputs(k->w, it, x);
    for (int i = 0; i < it->nfn && i < GOS_COUNT(fn) && it->nc > 0; i++) {
        fn[i] = io.fn[i] + later * io.fnd[i];
    }
    io.fn = it->nc > 0 && it->nfn <= GOS_COUNT(fn) ? fn : io.fn;
    io.f = e->f;
    if (it->nc > 0) {
        io.c = e->c;
        io.cx = e->cx;
    }
    if (it->ntm > 0) {
        io.heat = e->heat;
    }
    it->type->eval(it, &io);
}

/* amplitudes do not rotate */
static bool is_single(const gos_system *s, const gos_marker *m) {
    return m->n > 0 && m->idx[0] >= 0 && gos__derived_single(s, m->idx[0]);
}

/* rows of moving markers, rotated back by R unless NULL */
static void moving_rows(const gos_system *s, const gos_item *it, const double *cx, const double *R,
                        double *rows) {
    const int n = 3 * it->nm;
    for (int r = 0; r < it->nc; r++) {
        for (int m = 0; m < it->nm; m++) {
            const double *c = cx + r * n + 3 * m;
            const bool turns = R && !is_single(s, &it->m[m]);
            for (int d = 0; d < 3; d++) {
                const double turned =
                    turns ? c[0] * R[d] + c[1] * R[3 + d] + c[2] * R[6 + d] : c[d];
                rows[r * n + 3 * m + d] = it->m[m].n > 0 ? turned : 0;
            }
        }
    }
}

static double row_norm(int n, const double *a) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * a[i];
    }
    return sqrt(sum);
}

/* removes components along nb orthonormal rows of B */
static void project_out(int n, int nb, const double *B, double *a) {
    for (int b = 0; b < nb; b++) {
        double dot = 0;
        for (int i = 0; i < n; i++) {
            dot += B[b * n + i] * a[i];
        }
        for (int i = 0; i < n; i++) {
            a[i] -= dot * B[b * n + i];
        }
    }
}

/* true if span(A) contains the rows of B; overwrites both */
static bool spans(int m, int n, double *A, double *B) {
    int rank = 0;
    for (int r = 0; r < m; r++) {
        double *a = A + rank * n;
        memmove(a, A + r * n, n * sizeof *a);
        const double before = row_norm(n, a);
        project_out(n, rank, A, a);
        project_out(n, rank, A, a);
        const double after = row_norm(n, a);
        if (after > MAX_UNSPANNED * before) {
            for (int i = 0; i < n; i++) {
                a[i] /= after;
            }
            rank++;
        }
    }
    for (int r = 0; r < m; r++) {
        double *b = B + r * n;
        const double before = row_norm(n, b);
        project_out(n, rank, A, b);
        if (!(row_norm(n, b) <= MAX_UNSPANNED * before)) {
            return false;
        }
    }
    return true;
}

static gos_status check_rows(const check *k, const gos_item *it, const evaluation *a,
                             const evaluation *b) {
    double A[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS], B[3 * GOS_ITEM_ROWS * GOS_ITEM_MARKERS];
    for (int r = 0; r < it->nc; r++) {
        const double size = fmax(1, k->extent);
        if (!(fabs(b->c[r]) <= MAX_VIOLATION * size + 2 * fabs(a->c[r]))) {
            return gos__fail_at(k->t->ctx, GOS_E_INPUT, it->loc, it->name,
                                "is not compatible with a rotation of (%.6g, %.6g, %.6g) rad/s: "
                                "after %.4g rad its violation would be %.3g; use a drive with "
                                "this rate, and align joint axes on the ground with the rotation "
                                "axis",
                                k->t->spin[0], k->t->spin[1], k->t->spin[2],
                                k->time * gos__norm3(k->t->spin), b->c[r]);
        }
    }
    moving_rows(k->t->sys, it, a->cx, NULL, A);
    moving_rows(k->t->sys, it, b->cx, k->R, B);
    return spans(it->nc, 3 * it->nm, A, B) ? GOS_OK
                                           : refuse(k, it->loc, it->name, "its constraint");
}

/* of coordinate or derived vectors */
static double noise_of(const check *k, int vector) {
    const gos_derived_table *derived = k->t->sys->derived;
    if (vector >= 0) {
        return size_of(3, k->noise + 3 * vector);
    }
    const gos_floating *b = &derived->body[derived->body_of[-1 - vector]];
    return size_of(3, k->noise + 3 * (b->axis + b->vec[derived->vec_of[-1 - vector]]->c));
}

static gos_status check_item(const check *k, const gos_item *it) {
    evaluation a, b;
    evaluate_item(k, it, &k->at, 0, &a);
    evaluate_item(k, it, &k->turned, k->time, &b);
    double max = size_of(3 * it->nm, a.f), heat = size_of(it->ntm, a.heat);
    for (int m = 0; m < it->nm; m++) {
        double y[3], noise = 0;
        if (is_single(k->t->sys, &it->m[m])) {
            memcpy(y, a.f + 3 * m, sizeof y);
        } else {
            turn(k->R, a.f + 3 * m, y);
        }
        for (int j = 0; j < it->m[m].n; j++) {
            noise = fmax(noise, noise_of(k, it->m[m].idx[j]));
        }
        for (int d = 0; d < 3 && it->m[m].n > 0; d++) {
            if (!(fabs(b.f[3 * m + d] - y[d]) <= FORCE_DIFFERENCE * max + FORCE_ROUNDING * noise)) {
                return refuse(k, it->loc, it->name, "its force");
            }
        }
    }
    for (int m = 0; m < it->ntm; m++) {
        if (!(fabs(b.heat[m] - a.heat[m]) <= FORCE_DIFFERENCE * heat + k->no_heat)) {
            return refuse(k, it->loc, it->name, "its heat");
        }
    }
    return it->nc > 0 ? check_rows(k, it, &a, &b) : GOS_OK;
}

static gos_status check_gravity(const check *k) {
    const double *g = k->t->sys->gravity;
    double across[3];
    gos__cross3(k->t->axis, g, across);
    return gos__norm3(across) <= FORCE_DIFFERENCE * gos__norm3(g)
               ? GOS_OK
               : refuse(k, (gos_loc){0}, "gravity", "its direction");
}

/* A circular orbit's field rotates with the orbit about the normal through the origin, so
   co-rotating states are steady. */
static gos_status check_gravity_gradient(const check *k) {
    const gos_orbit *o = k->t->sys->orbit;
    if (!gos__gravity_gradient_acts(k->t->sys)) {
        return GOS_OK;
    }
    gos_orbit_position at;
    double off = 0, arm[3];
    gos__orbit_at(o, k->at.t, &at);
    gos__cross3(k->t->axis, k->t->pivot, arm);
    for (int c = 0; c < 3; c++) {
        off = fmax(off, fabs(k->t->spin[c] - o->rate * at.axes[6 + c]));
    }
    if (o->e == 0 && o->node_rate == 0 && off <= FORCE_DIFFERENCE * o->rate &&
        gos__norm3(arm) <= FORCE_DIFFERENCE * k->extent) {
        return GOS_OK;
    }
    return gos__fail_at(
        k->t->ctx, GOS_E_INPUT, (gos_loc){0}, "orbit",
        "the gravity gradient rotates with the orbit, so a steady rotation must have the same "
        "rate: about the normal of a circular orbit (j2: 0) through the origin, here axis (%.4g, "
        "%.4g, %.4g) at %.10g rad/s; or set gravity_gradient: false",
        at.axes[6], at.axes[7], at.axes[8], o->rate);
}

/* sums of |K| |q|, which bound the rounding of forces */
static gos_status find_noise(check *k, const gos_state *x) {
    const gos_system *s = k->t->sys;
    gos_sparse K = {0};
    gos__jacobian(k->w, &k->at, &(gos_newton_factors){.k = 1});
    GOS_TRY(gos__sparse_block(k->t->ctx, &s->pattern, k->w->values, 0, s->nq, 0, s->nq, &K));
    for (int j = 0; j < K.n; j++) {
        const double size = fabs(x->q[j] + k->t->offset[j]) + k->extent * s->trans[j / 3];
        for (int e = K.p[j]; e < K.p[j + 1]; e++) {
            k->noise[K.i[e]] += fabs(K.x[e]) * size;
        }
    }
    gos__sparse_free(k->t->ctx, &K);
    const double max = size_of(s->nq, k->noise);
    for (int i = 0; i < s->nq && s->reduced;
         i++) { // every coordinate's force depends on all points
        k->noise[i] = max;
    }
    return GOS_OK;
}

static gos_status check_angle(check *k, const gos_state *x, double angle) {
    const gos_rotating *t = k->t;
    const gos_system *s = t->sys;
    rotation(t->axis, angle, k->R);
    k->time = angle / gos__norm3(t->spin);
    for (int i = 0; i < s->nv; i++) {
        double arm[3], y[3];
        if (gos__derived_single(s, i)) {
            memcpy(k->q + 3 * i, x->q + 3 * i, sizeof y);
            continue;
        }
        for (int c = 0; c < 3; c++) {
            arm[c] = x->q[3 * i + c] + t->offset[3 * i + c];
        }
        turn(k->R, arm, y);
        for (int c = 0; c < 3; c++) {
            k->q[3 * i + c] = y[c] - t->offset[3 * i + c];
        }
    }
    gos__rotating_rates(t, 1, k->q, k->vt);
    for (int i = 0; i < s->npoints; i++) {
        GOS_TRY(check_points(k, i));
    }
    for (int i = 0; i < s->nitem; i++) {
        GOS_TRY(check_item(k, s->item[i]));
    }
    return GOS_OK;
}

gos_status gos__rotating_check(const gos_rotating *t, gos_work *w, const gos_state *x) {
    const gos_system *s = t->sys;
    const size_t nq = s->nq, nt = s->nt;
    double *room = gos__zalloc(t->ctx, 6 * nq + 2 * nt + 1, sizeof *room);
    if (!room) {
        return GOS_E_MEMORY;
    }
    check k = {.t = t,
               .w = w,
               .q = room,
               .v = room + nq,
               .vt = room + 2 * nq,
               .Q = room + 3 * nq,
               .Qt = room + 4 * nq,
               .noise = room + 5 * nq,
               .heat = room + 6 * nq,
               .heat_t = room + 6 * nq + nt};
    k.no_heat = MIN_TEMPERATURE_CHANGE * s->capacity_total * gos__norm3(t->spin);
    gos__rotating_rates(t, 1, x->q, k.v);
    k.at = (gos_point_of){
        .t = x->t, .scale = 1, .q = x->q, .v = k.v, .th = x->th, .lam = x->lam, .mem = x->mem};
    k.turned = k.at;
    k.turned.q = k.q;
    k.turned.v = k.vt;
    for (int i = 0; i < s->nq; i++) {
        k.extent = fmax(k.extent, s->trans[i / 3] * fabs(x->q[i] + t->offset[i]));
    }
    gos__work_time(w, x->t);
    gos_status status = check_gravity(&k);
    status = status == GOS_OK ? check_gravity_gradient(&k) : status;
    status = status == GOS_OK ? find_noise(&k, x) : status;
    for (int i = 0; i < GOS_COUNT(angles) && status == GOS_OK; i++) {
        status = check_angle(&k, x, angles[i]);
    }
    gos__free(t->ctx, room);
    return status;
}
