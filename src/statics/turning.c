/* Terms and Newton solution of a steady rotation (turning.h). */
#include "statics/turning.h"

#include <math.h>

#include "math/orbit.h"
#include "math/vec3.h"
#include "system/derived.h"
#include "system/gravity_gradient.h"
#include "linalg/symmetric.h"

/* Stability of a steady rotation: a minimum of strain energy plus centrifugal potential is stable,
   at fixed rate or momentum. Otherwise gyroscopic forces may stabilise it without dissipation
   (Kelvin, Tait and Chetaev). Counted as in stability.h. */

#define NEGLIGIBLE_FORCE 1e-9 // negligible force in a translation, relative to its terms

/* index among motion, constraints and border; -1: heat */
static int place(const gos_rotating *t, int i) {
    const gos_system *s = t->sys;
    const int c = i - s->nq - s->nt;
    if (i < s->nq || i >= s->n) {
        return i < s->nq ? i : s->nq + s->nc + i - s->n;
    }
    return c >= 0 && c < s->nc ? s->nq + c : -1;
}

/* symmetric part of the last matrix without heat */
static gos_status take(const gos_rotating *t, gos_sparse *B) {
    const gos_sparse *A = &t->A;
    const int n = t->sys->nq + t->sys->nc + t->nfree;
    const size_t room = 2L * A->nnz + 1;
    int *i = gos__alloc(t->ctx, room, sizeof *i), *j = gos__alloc(t->ctx, room, sizeof *j), m = 0;
    double *x = gos__alloc(t->ctx, room, sizeof *x);
    gos_status status = i && j && x ? GOS_OK : GOS_E_MEMORY;
    for (int c = 0; c < A->n && status == GOS_OK; c++) {
        for (int k = A->p[c]; k < A->p[c + 1]; k++) {
            const int row = place(t, A->i[k]), column = place(t, c);
            if (row >= 0 && column >= 0) {
                i[m] = row, j[m] = column, x[m++] = 0.5 * A->x[k];
                i[m] = column, j[m] = row, x[m++] = 0.5 * A->x[k];
            }
        }
    }
    if (status == GOS_OK) {
        status = gos__sparse_from_triplets(t->ctx, n, n, m, i, j, x, B);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(B);
    }
    gos__free(t->ctx, i);
    gos__free(t->ctx, j);
    gos__free(t->ctx, x);
    return status;
}

/* A free translation across the axis is uniform in inertial space: in rotating axes its stiffness
   -Omega^2 m (times `fall` in a field) does not indicate instability. work: (4, B->n). */
static bool is_free(const gos_rotating *t, gos_work *w, const double *q, const gos_sparse *B,
                    const double d[3], double fall, double *work) {
    const gos_system *s = t->sys;
    double *u = work, *Mu = u + B->n, *y = Mu + B->n, *size = y + B->n;
    const double rate2 = gos__dot3(t->spin, t->spin);
    memset(work, 0, 4L * B->n * sizeof *work);
    for (int i = 0; i < s->nv; i++) {
        for (int c = 0; c < 3; c++) {
            u[3 * i + c] = s->trans[i] * d[c];
        }
    }
    gos__inertia_apply(w, q, u, Mu);
    for (int j = 0; j < s->nq; j++) {
        for (int k = B->p[j]; k < B->p[j + 1]; k++) {
            y[B->i[k]] += B->x[k] * u[j];
            size[B->i[k]] += fabs(B->x[k] * u[j]);
        }
    }
    for (int i = 0; i < s->nq + s->nc; i++) {
        const double force = y[i] + (i < s->nq ? fall * rate2 * Mu[i] : 0);
        if (!(fabs(force) <= NEGLIGIBLE_FORCE * size[i])) {
            return false;
        }
    }
    return true;
}

static int count_free(const gos_rotating *t, gos_work *w, const double *q, const gos_sparse *B,
                      double *work) {
    const double *a = t->axis;
    if (gos__gravity_gradient_acts(
            t->sys)) { // radial motion in an orbit, where the field contributes
        gos_orbit_position at;
        gos__orbit_at(t->sys->orbit, w->t, &at);
        return is_free(t, w, q, B, at.axes, 3, work);
    }
    const int min = fabs(a[0]) <= fabs(a[1]) && fabs(a[0]) <= fabs(a[2]) ? 0
                    : fabs(a[1]) <= fabs(a[2])                           ? 1
                                                                         : 2;
    double e[3] = {0, 0, 0}, d[3], b[3];
    e[min] = 1;
    gos__cross3(a, e, d);
    const double length = gos__norm3(d);
    for (int c = 0; c < 3; c++) {
        d[c] /= length;
    }
    gos__cross3(a, d, b);
    return is_free(t, w, q, B, d, 1, work) + is_free(t, w, q, B, b, 1, work);
}

gos_status gos__rotating_count(const gos_rotating *t, gos_work *w, const double *q, int *unstable) {
    gos_sparse B = {0};
    gos_symmetric *ldl = NULL;
    int negative = 0;
    *unstable = 0;
    GOS_TRY(take(t, &B));
    const gos_pattern pattern = {.n = B.n, .nnz = B.nnz, .p = B.p, .i = B.i};
    const gos_symmetric_def def = {.pattern = &pattern, .ncomp = 1, .nlast = t->sys->nc + t->nfree};
    double *work = gos__alloc(t->ctx, 4 * (size_t)B.n + 1, sizeof *work);
    gos_status status = work ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = gos__symmetric_create(t->ctx, &def, &gos__symmetric_mumps, &ldl);
    }
    if (status == GOS_OK) {
        status = gos__symmetric_factor(ldl, B.x, false, &negative);
    }
    if (status == GOS_OK) {
        *unstable = negative - t->sys->nc - t->nfree - count_free(t, w, q, &B, work);
    }
    gos__symmetric_destroy(ldl);
    gos__free(t->ctx, work);
    gos__sparse_free(t->ctx, &B);
    return status;
}

#define NEGLIGIBLE_MOTION_FORCE 1e-9 // negligible force of a motion, relative to its terms
#define STIFFNESS_ROUNDING 1e-12     // rounding of a dense stiffness, relative to its largest entry

bool gos__rotating_given(const gos_options *o, double spin[3], double pivot[3]) {
    const double w[3] = {o->spin_x, o->spin_y, o->spin_z};
    const double p[3] = {o->pivot_x, o->pivot_y, o->pivot_z};
    memcpy(spin, w, sizeof w);
    memcpy(pivot, p, sizeof p);
    return gos__norm3(w) > 0;
}

/* coordinate of a floating body, unreduced: no constant part, no mass of its own */
static bool floats(const gos_system *s, int i) {
    bool any = gos__derived_single(s, i);
    for (int k = 0; s->derived && k < s->derived->nbody; k++) {
        const gos_floating *b = &s->derived->body[k];
        any = any || i == b->r || (i >= b->axis && i < b->axis + 3);
    }
    return any;
}

/* Reduced systems have positions E0 + Phi q. E0 = Phi o lies in the space; o follows from M o =
   Phi^T M_full E0. */
static gos_status add_constant_part(gos_rotating *t) {
    const gos_system *s = t->sys;
    const size_t n = s->nv;
    double *A = gos__zalloc(t->ctx, n * n + 3 * n + 1, sizeof *A), *o = A + n * n;
    gos_pattern p = {.n = s->nv, .nnz = s->nv * s->nv, .dense = true};
    gos_solver *solver = NULL;
    gos_status status = A ? gos__solver_create(t->ctx, &p, &solver) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (int i = 0; i < s->nv; i++) {
            if (floats(s, i)) {
                A[i * n + i] = 1;
                continue;
            }
            for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
                A[s->mass.j[k] * n + i] = s->mass.v[k];
            }
            for (long c = 0; c < 3; c++) {
                o[c * n + i] = s->origin[3 * i + c];
            }
        }
        int column;
        status = gos__solver_factor(solver, A, &column);
    }
    if (status == GOS_OK) {
        gos__solver_solve_columns(solver, 3, o);
        for (long i = 0; i < s->nq; i++) {
            t->offset[i] += o[i % 3 * n + i / 3];
        }
    } else if (status == GOS_E_SINGULAR) {
        status = gos__fail(t->ctx, GOS_E_USE,
                           "the mass matrix of the reduced system is singular; use the full system "
                           "for steady rotation");
    }
    gos__solver_destroy(solver);
    gos__free(t->ctx, A);
    return status;
}

gos_status gos__rotating_create(gos_ctx *ctx, const gos_system *sys, const double spin[3],
                                const double pivot[3], gos_rotating **turning) {
    for (int i = 0; i < sys->nbody; i++) {
        const gos_body *b = sys->body[i];
        if (b->ops->port) {
            return gos__fail_at(
                ctx, GOS_E_USE, b->loc, b->name,
                "matrix bodies and patch charges have no position in space and cannot rotate; "
                "remove this body (for electrodes: its `piezo` entries), or the spin");
        }
    }
    gos_rotating *t = gos__zalloc(ctx, 1, sizeof *t);
    if (!t) {
        return GOS_E_MEMORY;
    }
    t->ctx = ctx;
    t->sys = sys;
    const double rate = gos__norm3(spin);
    for (int c = 0; c < 3; c++) {
        t->spin[c] = spin[c];
        t->pivot[c] = pivot[c];
        t->axis[c] = spin[c] / rate;
    }
    const size_t room = (1 + 2 * GOS_TURNING_FREE) * (size_t)sys->nq;
    t->offset = gos__zalloc(ctx, room + 1, sizeof *t->offset);
    gos_status status = t->offset ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        t->motion = t->offset + sys->nq;
        t->held = t->motion + GOS_TURNING_FREE * (size_t)sys->nq;
        for (int i = 0; i < sys->nq; i++) {
            t->offset[i] = -sys->trans[i / 3] * pivot[i % 3];
        }
        status = sys->origin ? add_constant_part(t) : GOS_OK;
    }
    if (status == GOS_OK && sys->derived) {
        t->values = gos__alloc(ctx, (size_t)sys->pattern.nnz + 1, sizeof *t->values);
        status = t->values ? GOS_OK : GOS_E_MEMORY;
    }
    if (status != GOS_OK) {
        gos__rotating_destroy(t);
        return status;
    }
    *turning = t;
    return GOS_OK;
}

void gos__rotating_destroy(gos_rotating *t) {
    if (t) {
        gos__solver_destroy(t->solver);
        gos__sparse_free(t->ctx, &t->A);
        gos__free(t->ctx, t->values);
        gos__free(t->ctx, t->offset);
        gos__free(t->ctx, t);
    }
}

/* rotating part of vector i; zero for amplitudes */
static void arm_of(const gos_rotating *t, const double *q, int i, double arm[3]) {
    const bool turns = !gos__derived_single(t->sys, i);
    for (int c = 0; c < 3; c++) {
        arm[c] = turns ? q[3 * i + c] + t->offset[3 * i + c] : 0;
    }
}

void gos__rotating_rates(const gos_rotating *t, double rate, const double *q, double *v) {
    for (int i = 0; i < t->sys->nv; i++) {
        double arm[3];
        arm_of(t, q, i, arm);
        gos__cross3(t->spin, arm, v + 3 * i);
        for (int c = 0; c < 3; c++) {
            v[3 * i + c] *= rate;
        }
    }
}

/* u := scale * [w][w] e for coordinates and, in front, derived vectors; w->made is at q */
static void turned_twice(const gos_rotating *t, const gos_work *w, double scale, double *u) {
    for (int i = -t->sys->derived->n; i < t->sys->nv; i++) {
        double arm[3], once[3];
        if (i < 0) { // composed of axes and rotate with them
            memcpy(arm, w->derived->q + 3 * (long)i, sizeof arm);
        } else {
            arm_of(t, w->derived->q, i, arm);
        }
        gos__cross3(t->spin, arm, once);
        gos__cross3(t->spin, once, u + 3 * (long)i);
        for (int c = 0; c < 3; c++) {
            u[3 * (long)i + c] *= scale;
        }
    }
}

static void add_derived(const gos_rotating *t, gos_work *w, double scale, const double *q,
                        double *r) {
    const gos_system *s = t->sys;
    gos__derived_put(s, w->derived, q, NULL, NULL);
    turned_twice(t, w, scale, w->derived->u);
    gos__derived_clear(s, w->derived);
    gos__derived_mass(s, w->derived->u, r, w->derived->f);
    gos__derived_fold(s, w->derived, w->derived->f, r);
}

void gos__rotating_add_force(const gos_rotating *t, gos_work *w, double scale, const double *q,
                             double *r) {
    if (t->sys->derived) {
        add_derived(t, w, scale, q, r);
    }
    const gos_rows_matrix *M = &t->sys->mass;
    for (int i = 0; i < M->n; i++) {
        double sum[3] = {0, 0, 0}, once[3], twice[3];
        for (int k = M->p[i]; k < M->p[i + 1]; k++) {
            double arm[3];
            arm_of(t, q, M->j[k], arm);
            for (int c = 0; c < 3; c++) {
                sum[c] += M->v[k] * arm[c];
            }
        }
        gos__cross3(t->spin, sum, once);
        gos__cross3(t->spin, once, twice);
        for (int c = 0; c < 3; c++) {
            r[3 * i + c] += scale * twice[c];
        }
    }
}

static double largest(int n, const double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) {
        max = fmax(max, fabs(x[i]));
    }
    return max;
}

/* true if joints or, along the axis, springs resist motion u; rotation-invariant forces cannot
   resist rotation. K: stiffness */
static bool is_held(const gos_rotating *t, gos_work *w, const gos_point_of *x, const gos_sparse *K,
                    bool along, const double *u, double *scratch) {
    const gos_system *s = t->sys;
    const double size = largest(s->nq, u);
    double *Cu = scratch, *Ku = scratch + s->nc, *terms = Ku + s->nq;
    if (!(size > 0)) {
        return true; // no such motion, e.g. a straight cable about itself
    }
    gos__constraint_apply(w, x, u, Cu);
    if (largest(s->nc, Cu) > NEGLIGIBLE_MOTION_FORCE * size) {
        return true;
    }
    memset(terms, 0, s->nq * sizeof *terms);
    for (int j = 0; j < K->n; j++) {
        for (int k = K->p[j]; k < K->p[j + 1]; k++) {
            terms[K->i[k]] += fabs(K->x[k] * u[j]);
        }
    }
    gos__sparse_apply(K, 1, u, Ku);
    // rows without stiffness contain rounding of other entries
    const double rounding = s->reduced ? STIFFNESS_ROUNDING * gos__sparse_largest(K) * size : 0;
    return along && largest(s->nq, Ku) > NEGLIGIBLE_MOTION_FORCE * largest(s->nq, terms) + rounding;
}

/* Motion k at x. In an orbit the field constrains co-rotating motion, except along the orbit, where
   field and centrifugal forces stay balanced. @return false: not a motion */
static bool motion_of(const gos_rotating *t, const gos_point_of *x, int k, double *u) {
    const gos_system *s = t->sys;
    const bool falls = gos__gravity_gradient_acts(s);
    gos_orbit_position at = {0};
    if (falls != (k == 2)) {
        return false;
    }
    if (falls) {
        gos__orbit_at(s->orbit, x->t, &at);
    }
    for (int i = 0; i < s->nv; i++) {
        double arm[3];
        arm_of(t, x->q, i, arm);
        gos__cross3(t->axis, arm, u + 3 * i);
        for (int c = 0; c < 3 && k != 1; c++) {
            u[3 * i + c] = s->trans[i] * (k == 0 ? t->axis[c] : at.axes[3 + c]);
        }
    }
    return true;
}

gos_status gos__rotating_find_free(gos_rotating *t, gos_work *w, const gos_point_of *x) {
    const gos_system *s = t->sys;
    gos_sparse K = {0};
    double *scratch = gos__alloc(t->ctx, 2 * (size_t)s->nq + s->nc + 1, sizeof *scratch);
    if (!scratch) {
        return GOS_E_MEMORY;
    }
    w->floats = true;
    gos__jacobian(w, x, &(gos_newton_factors){.k = 1, .lam = 1});
    w->floats = false;
    const gos_status status =
        gos__sparse_block(t->ctx, &s->pattern, w->values, 0, s->nq, 0, s->nq, &K);
    t->nfree = 0;
    for (int k = 0; k < GOS_TURNING_FREE && status == GOS_OK; k++) {
        double *u = t->motion + (size_t)t->nfree * s->nq;
        if (motion_of(t, x, k, u) && !is_held(t, w, x, &K, k != 1, u, scratch)) {
            gos__inertia_apply(w, x->q, u, t->held + (size_t)t->nfree * s->nq);
            t->along[t->nfree++] = k != 1;
        }
    }
    gos__sparse_free(t->ctx, &K);
    gos__free(t->ctx, scratch);
    return status;
}

typedef struct triplets {
    int n, *i, *j;
    double *x;
} triplets;

static gos_status make_room(gos_ctx *ctx, size_t max, triplets *t) {
    if (max > INT32_MAX / 2) {
        return gos__fail(ctx, GOS_E_LIMIT,
                         "rotation matrices would have %zu entries, which exceeds the limit", max);
    }
    t->i = gos__alloc(ctx, max + 1, sizeof *t->i);
    t->j = gos__alloc(ctx, max + 1, sizeof *t->j);
    t->x = gos__alloc(ctx, max + 1, sizeof *t->x);
    return t->i && t->j && t->x ? GOS_OK : GOS_E_MEMORY;
}

static void put(triplets *t, int i, int j, double x) {
    if (x != 0) {
        t->i[t->n] = i;
        t->j[t->n] = j;
        t->x[t->n++] = x;
    }
}

/* frees the triplets */
static gos_status finish(gos_ctx *ctx, gos_status status, triplets *t, int m, int n,
                         gos_sparse *A) {
    if (status == GOS_OK) {
        status = gos__sparse_from_triplets(ctx, m, n, t->n, t->i, t->j, t->x, A);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(A);
    }
    gos__free(ctx, t->i);
    gos__free(ctx, t->j);
    gos__free(ctx, t->x);
    return status;
}

static void put_blocks(triplets *t, const gos_rows_matrix *A, double scale, const double S[9]) {
    for (int i = 0; i < A->n; i++) {
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            for (int c = 0; c < 9; c++) {
                put(t, 3 * i + c / 3, 3 * A->j[k] + c % 3, scale * A->v[k] * S[c]);
            }
        }
    }
}

static void put_times(triplets *e, const gos_system *s, const gos_sparse *A, double scale,
                      const double W[9]) {
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1] && !gos__derived_single(s, j / 3); k++) {
            for (int c = 0; c < 3; c++) {
                put(e, A->i[k], j / 3 * 3 + c, scale * A->x[k] * W[3 * (j % 3) + c]);
            }
        }
    }
}

gos_status gos__rotating_times(const gos_rotating *t, const gos_sparse *A, const double W[9],
                               gos_sparse *B) {
    triplets e = {0};
    const gos_status status = make_room(t->ctx, 3 * (size_t)A->nnz, &e);
    if (status == GOS_OK) {
        put_times(&e, t->sys, A, 1, W);
    }
    return finish(t->ctx, status, &e, A->m, A->n, B);
}

/* Floating bodies at q: derivatives of E^T f at fixed centrifugal force f (*K), and of f (*M,
   before [w][w]). */
static gos_status derived_blocks(const gos_rotating *t, gos_work *w, double scale, const double *q,
                                 gos_sparse *K, gos_sparse *M) {
    const gos_system *s = t->sys;
    const gos_newton_factors factor[] = {{.k = 1}, {.m = scale}};
    gos_sparse *const to[] = {K, M};
    gos__derived_put(s, w->derived, q, NULL, NULL);
    w->derived->known = false; // accelerations are centrifugal
    turned_twice(t, w, scale, w->derived->a);
    gos__derived_clear(s, w->derived);
    gos__derived_mass(s, w->derived->a, NULL, w->derived->f);
    for (int i = 0; i < 2; i++) {
        memset(t->values, 0, s->pattern.nnz * sizeof *t->values);
        gos__derived_jacobian(s, w->derived, &factor[i], true, w->derived->f, NULL, t->values);
        GOS_TRY(gos__sparse_block(t->ctx, &s->pattern, t->values, 0, s->nq, 0, s->nq, to[i]));
    }
    return GOS_OK;
}

/* Newton matrix, centrifugal terms and border; the pattern depends on zero values */
static gos_status assemble(gos_rotating *t, gos_work *w, double scale, const double *q) {
    const gos_system *s = t->sys;
    double W[9], W2[9];
    triplets e = {0};
    gos_sparse J = {0}, K = {0}, M = {0};
    gos__skew3(t->spin, W);
    gos__mul33(W, W, W2);
    gos__sparse_free(t->ctx, &t->A);
    GOS_TRY(gos__sparse_block(t->ctx, &s->pattern, w->values, 0, s->n, 0, s->n, &J));
    gos_status status = s->derived ? derived_blocks(t, w, scale, q, &K, &M) : GOS_OK;
    const size_t border = 2L * t->nfree * s->nq, derived = K.nnz + 3L * M.nnz;
    status = status == GOS_OK
                 ? make_room(t->ctx, (size_t)J.nnz + 9L * s->mass.nnz + border + derived, &e)
                 : status;
    if (status == GOS_OK) {
        for (int j = 0; j < K.n; j++) {
            for (int k = K.p[j]; k < K.p[j + 1]; k++) {
                put(&e, K.i[k], j, K.x[k]);
            }
        }
        if (s->derived) {
            put_times(&e, s, &M, 1, W2);
        }
        for (int j = 0; j < s->n; j++) {
            for (int k = J.p[j]; k < J.p[j + 1]; k++) {
                put(&e, J.i[k], j, J.x[k]);
            }
        }
        put_blocks(&e, &s->mass, scale, W2);
        for (int f = 0; f < t->nfree; f++) {
            for (int i = 0; i < s->nq; i++) {
                const double b = t->held[(size_t)f * s->nq + i];
                put(&e, i, s->n + f, b);
                put(&e, s->n + f, i, b);
            }
        }
    }
    gos__sparse_free(t->ctx, &J);
    gos__sparse_free(t->ctx, &K);
    gos__sparse_free(t->ctx, &M);
    const int n = s->n + t->nfree;
    GOS_TRY(finish(t->ctx, status, &e, n, n, &t->A));
    t->pattern = (gos_pattern){.n = n, .nnz = t->A.nnz, .p = t->A.p, .i = t->A.i};
    return GOS_OK;
}

gos_status gos__rotating_solve(gos_rotating *t, gos_work *w, double scale, const double *q,
                               double *r, int *column) {
    gos__solver_destroy(t->solver);
    t->solver = NULL;
    GOS_TRY(assemble(t, w, scale, q));
    GOS_TRY(gos__solver_create(t->ctx, &t->pattern, &t->solver));
    GOS_TRY(gos__solver_factor(t->solver, t->A.x, column));
    gos__solver_solve(t->solver, r);
    return GOS_OK;
}
