/* Stability of a steady rotation: a minimum of strain energy plus centrifugal potential is stable,
   at fixed rate or momentum. Otherwise gyroscopic forces may stabilise it without dissipation
   (Kelvin, Tait and Chetaev). Counted as in stability.h. */
#include <math.h>

#include "linalg/symmetric.h"
#include "math/orbit.h"
#include "parts/vec3.h"
#include "statics/turning.h"
#include "system/assemble.h"
#include "system/gravity_gradient.h"

#define HELD 1e-9 // negligible force in a translation, relative to its terms

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
        if (!(fabs(force) <= HELD * size[i])) {
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
    const int least = fabs(a[0]) <= fabs(a[1]) && fabs(a[0]) <= fabs(a[2]) ? 0
                      : fabs(a[1]) <= fabs(a[2])                           ? 1
                                                                           : 2;
    double e[3] = {0, 0, 0}, d[3], b[3];
    e[least] = 1;
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
