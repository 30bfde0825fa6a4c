/* Damped modes with temperatures, and thermal roots. One-way coupled fields are solved
   separately. */
#include <lapacke.h>
#include <math.h>

#include "linear/condensed.h"
#include "linear/quadratic.h"
#include "linear/state_space.h"

#define REGULAR 1e-13         // smallest reciprocal condition of E for E^-1 A
#define ROUNDED 1e-9          // imaginary part at round-off level, relative to the root
#define GROWTH_TOLERANCE 1e-9 // significant real part relative to the fastest root

/* ---- roots of first order -------------------------------------------------------------------- */

static int slower_first(const void *a, const void *b) {
    const gos_root *x = a, *y = b;
    const double sx = hypot(x->re, x->im), sy = hypot(y->re, y->im);
    return sx != sy ? (sx < sy ? -1 : 1) : (x->re < y->re) - (x->re > y->re);
}

/* The n slowest finite roots alpha / beta, one per conjugate pair. */
static void take_roots(int states, const double *re, const double *im, const double *beta,
                       gos_root *all, int n, gos_root *roots, int *found) {
    int count = 0;
    for (int i = 0; i < states; i++) {
        const double b = beta ? beta[i] : 1;
        const double size = hypot(re[i], im[i]);
        if (fabs(b) > REGULAR * size && im[i] >= 0) {
            all[count].re = re[i] / b;
            all[count++].im = im[i] > ROUNDED * size ? im[i] / fabs(b) : 0;
        }
    }
    qsort(all, count, sizeof *all, slower_first);
    *found = count < n ? count : n;
    memcpy(roots, all, *found * sizeof *roots);
}

/* eigenvalues of E x' = A x, E singular; room (3 n) */
static gos_status pencil_roots(gos_ctx *ctx, gos_state_space *s, double *room) {
    return LAPACKE_dggev(LAPACK_COL_MAJOR, 'N', 'N', s->n, s->A, s->n, s->E, s->n, room,
                         room + s->n, room + 2 * s->n, NULL, 1, NULL, 1) == 0
               ? GOS_OK
               : gos__fail(ctx, GOS_E_DIVERGED, "the roots of the model did not converge");
}

/* the same for regular E, given its factors */
static gos_status matrix_roots(gos_ctx *ctx, gos_state_space *s, const lapack_int *pivot,
                               double *room) {
    return LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', s->n, s->n, s->E, s->n, pivot, s->A, s->n) == 0 &&
                   LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', s->n, s->A, s->n, room, room + s->n,
                                 NULL, 1, NULL, 1) == 0
               ? GOS_OK
               : gos__fail(ctx, GOS_E_DIVERGED, "the roots of the model did not converge");
}

static gos_status dense_roots(gos_ctx *ctx, const gos_linear *thermal, int n, gos_root *roots,
                              int *found) {
    gos_state_space s;
    gos_status status = gos__state_space_make(ctx, thermal, &s);
    const size_t states = s.n;
    double *room = gos__alloc(ctx, 3 * states + states * states + 1, sizeof *room);
    lapack_int *pivot = gos__alloc(ctx, states + 1, sizeof *pivot);
    gos_root *all = gos__alloc(ctx, states + 1, sizeof *all);
    status = status == GOS_OK && !(room && pivot && all) ? GOS_E_MEMORY : status;
    if (status == GOS_OK && s.n > 0) {
        double *kept = room + 3 * states, condition = 0;
        memcpy(kept, s.E, states * states * sizeof *kept);
        const double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', s.n, s.n, s.E, s.n);
        const bool factored =
            LAPACKE_dgetrf(LAPACK_COL_MAJOR, s.n, s.n, s.E, s.n, pivot) == 0 &&
            LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', s.n, s.E, s.n, norm, &condition) == 0;
        const bool regular = factored && condition > REGULAR;
        if (!regular) {
            memcpy(s.E, kept, states * states * sizeof *kept);
        }
        status = regular ? matrix_roots(ctx, &s, pivot, room) : pencil_roots(ctx, &s, room);
        if (status == GOS_OK) {
            take_roots(s.n, room, room + states, regular ? NULL : room + 2 * states, all, n, roots,
                       found);
        }
    }
    gos__free(ctx, room);
    gos__free(ctx, pivot);
    gos__free(ctx, all);
    gos__state_space_free(ctx, &s);
    return status;
}

static gos_status skew_of(gos_ctx *ctx, const gos_sparse *A, double *skew) {
    gos_sparse S = {0};
    const gos_status status = gos__sparse_symmetric_part(ctx, A, &S, skew);
    gos__sparse_free(ctx, &S);
    return status;
}

/* C_T theta' + K_T theta = 0, H theta = 0 */
static gos_status thermal_part(gos_ctx *ctx, const gos_linear *l, gos_linear **part) {
    static const gos_block block[] = {GOS_BLOCK_C_T, GOS_BLOCK_K_T, GOS_BLOCK_H};
    const gos_linear_size size = {.nt = l->nt, .nh = l->nh};
    gos_status status = gos__linear_create(ctx, &size, part);
    for (int i = 0; status == GOS_OK && i < GOS_COUNT(block); i++) {
        status = gos__linear_put(*part, block[i], &l->block[block[i]]);
    }
    return status == GOS_OK ? gos__linear_close(*part) : status;
}

/* *heat: capacity and conduction are symmetric, the capacity is positive */
static gos_status is_heat(gos_ctx *ctx, const gos_linear *l, bool *heat) {
    static const gos_block block[] = {GOS_BLOCK_C_T, GOS_BLOCK_K_T};
    *heat = true;
    for (int i = 0; i < GOS_COUNT(block); i++) {
        double skew = 0;
        GOS_TRY(skew_of(ctx, &l->block[block[i]], &skew));
        *heat = *heat && skew <= GOS_SYMMETRIC;
    }
    const gos_sparse *C = &l->block[GOS_BLOCK_C_T];
    for (int j = 0; j < C->n && *heat; j++) {
        double diagonal = 0;
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            diagonal = C->i[k] == j ? C->x[k] : diagonal;
        }
        *heat = diagonal > 0;
    }
    return GOS_OK;
}

static gos_status thermal_roots(gos_ctx *ctx, const gos_linear *l, int n, gos_root *roots,
                                int *found) {
    bool heat;
    gos_linear *part = NULL;
    *found = 0;
    if (n <= 0 || l->nt == 0) {
        return GOS_OK;
    }
    GOS_TRY(is_heat(ctx, l, &heat));
    if (!heat) {
        gos_status status = thermal_part(ctx, l, &part);
        status = status == GOS_OK ? dense_roots(ctx, part, n, roots, found) : status;
        gos_linear_destroy(part);
        return status;
    }
    double *rate = gos__alloc(ctx, n + 1L, sizeof *rate);
    const gos_status status =
        rate ? gos_linear_thermal_modes(ctx, l, n, rate, NULL, found) : GOS_E_MEMORY;
    for (int i = 0; status == GOS_OK && i < *found; i++) {
        roots[i] = (gos_root){.re = 0 - rate[i]};
    }
    gos__free(ctx, rate);
    return status;
}

/* Thermal roots missing from the coupled iteration: rigid structures decouple the fields; other
   first-order states may oscillate. */
static gos_status roots_beside(gos_ctx *ctx, const gos_linear *l, int nmodes, int nthermal,
                               gos_root *roots, int *nroots) {
    bool heat;
    GOS_TRY(is_heat(ctx, l, &heat));
    if (heat) {
        return *nroots == 0 ? thermal_roots(ctx, l, nthermal, roots, nroots) : GOS_OK;
    }
    if (2L * (l->nq - l->nc) + l->nt - l->nh <= GOS_WHOLE) {
        return GOS_OK; // all were found
    }
    gos__warn(ctx, (gos_loc){0}, NULL,
              "besides the %d modes listed, complex eigenvalues of first-order states may be "
              "missing",
              nmodes);
    return GOS_OK;
}

/* ---- all fields ------------------------------------------------------------------------------ */

static void warn_growing(gos_ctx *ctx, int n, const gos_root *roots) {
    int grow = 0;
    double fastest = 0;
    for (int i = 0; i < n; i++) {
        fastest = fmax(fastest, hypot(roots[i].re, roots[i].im));
    }
    for (int i = 0; i < n; i++) {
        grow += roots[i].re > GROWTH_TOLERANCE * fastest;
    }
    if (grow) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the configuration is unstable: %d eigenvalues of temperatures or states have "
                  "real parts > 0",
                  grow);
    }
}

/* requires a model without potentials */
static gos_status find_all(gos_ctx *ctx, const gos_linear *l, int n, gos_mode *modes, int *found,
                           int nthermal, gos_root *roots, int *nroots) {
    const gos_sparse *block = l->block;
    double skew = 0;
    gos_status status = l->nq > 0 ? skew_of(ctx, &block[GOS_BLOCK_M], &skew) : GOS_OK;
    const bool back = block[GOS_BLOCK_H_q].nnz + block[GOS_BLOCK_H_v].nnz > 0;
    if (status != GOS_OK) {
        return status;
    }
    if (skew > GOS_SYMMETRIC) { // no energy form: roots cannot be attributed to fields
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the mass matrix is not symmetric (two-sided reduction): eigenvalues of the "
                  "whole model are computed instead of modes");
        status = dense_roots(ctx, l, nthermal, roots, nroots);
    } else if (l->nq > 0 && l->nt > 0 && block[GOS_BLOCK_G].nnz > 0 && back) {
        status = gos__linear_damped_heat(ctx, l, n, modes, found, nthermal, roots, nroots);
        if (status == GOS_OK && nthermal > 0) {
            status = roots_beside(ctx, l, *found, nthermal, roots, nroots);
        }
    } else {
        status = l->nq > 0 && n > 0 ? gos__linear_damped(ctx, l, n, true, modes, found) : GOS_OK;
        status = status == GOS_OK ? thermal_roots(ctx, l, nthermal, roots, nroots) : status;
    }
    if (status == GOS_OK) {
        warn_growing(ctx, *nroots, roots);
    }
    return status;
}

gos_status gos_linear_coupled_modes(gos_ctx *ctx, const gos_linear *linear, int n, gos_mode *modes,
                                    int *found, int nthermal, gos_root *roots, int *nroots) {
    gos_linear *own;
    *found = *nroots = 0;
    if (n < 0 || nthermal < 0 || n + nthermal == 0) {
        return gos__fail(ctx, GOS_E_USE,
                         "%d modes and %d thermal eigenvalues were requested; request at least one",
                         n, nthermal);
    }
    GOS_TRY(gos__linear_condense(ctx, linear, &own, &linear));
    const gos_status status = find_all(ctx, linear, n, modes, found, nthermal, roots, nroots);
    gos_linear_destroy(own);
    return status;
}
