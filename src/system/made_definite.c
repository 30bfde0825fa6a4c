/* Checks the mass of floating bodies. First-order models combine second-order coupling terms with
   the rigid body only, so E^T M_e E may be indefinite. Critical: frame rotation with amplitudes
   that keep the body at rest, e.g. a clamped basis on a hinge. */
#include <lapacke.h>
#include <math.h>

#include "parts/vec3.h"
#include "system/made.h"

#define SLACK 1e-4 // tolerance for omitted terms, relative to each motion's own mass
#define MOST 600   // maximum amplitudes of a checked body

/* unit motion k into u (nq): translations, rotations about the origin, amplitudes */
static void motion(const gos_floating *b, const double *q, int k, double *u) {
    if (k < 3) {
        u[3 * b->r + k] = 1;
    } else if (k < 6) {
        const double axis[3] = {k == 3, k == 4, k == 5};
        for (int c = 0; c < 3; c++) {
            gos__cross3(axis, q + 3 * (b->axis + c), u + 3 * (b->axis + c));
        }
    } else {
        u[b->z[k - 6]] = 1;
    }
}

/* A (n, n) := mass of motions, normalised; false: a negative diagonal */
static bool mass_of(gos_work *w, const gos_floating *b, const double *q, int n, double *u,
                    double *A) {
    const size_t nq = w->sys->nq;
    double *y = u + nq;
    for (long j = 0; j < n; j++) {
        double moment[3] = {0, 0, 0}, side[3];
        memset(u, 0, nq * sizeof *u);
        motion(b, q, (int)j, u);
        gos__inertia_apply(w, q, u, y);
        for (int c = 0; c < 3; c++) {
            gos__cross3(q + 3 * (b->axis + c), y + 3 * (b->axis + c), side);
            for (int k = 0; k < 3; k++) {
                moment[k] += side[k];
            }
        }
        for (long i = 0; i < n; i++) {
            A[i * n + j] = i < 3 ? y[3 * b->r + i] : i < 6 ? moment[i - 3] : y[b->z[i - 6]];
        }
    }
    for (long i = 0; i < n; i++) {
        if (!(A[i * n + i] > 0)) {
            return false;
        }
        u[i] = 1 / sqrt(A[i * n + i]);
    }
    for (long i = 0; i < (long)n * n; i++) {
        A[i] *= u[i / n] * u[i % n];
        A[i] += i / n == i % n ? SLACK : 0;
    }
    return true;
}

const gos_floating *gos__made_indefinite(gos_ctx *ctx, gos_work *w, const double *q) {
    const gos_system *s = w->sys;
    for (int k = 0; s->made && k < s->made->nbody; k++) {
        const gos_floating *b = &s->made->body[k];
        const int n = b->n + 6;
        if (b->nform == 0 || b->n > MOST) {
            continue;
        }
        const size_t room = 2 * (size_t)s->nq + n, all = room + (size_t)n * n;
        double *u = gos__alloc(ctx, all, sizeof *u);
        const bool positive = !u || (mass_of(w, b, q, n, u, u + room) &&
                                     LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, u + room, n) == 0);
        gos__free(ctx, u);
        if (!positive) {
            return b;
        }
    }
    return NULL;
}
