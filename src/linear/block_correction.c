/* Simultaneous correction of roots by Jacobi-Davidson (Sleijpen and van der Vorst, SIAM J.
   Matrix Anal. Appl. 17, 1996). The basis contains all low undamped modes, so on its complement
   K + s^2 M is close to P = K + mu M, factorised once. Pi^T T(s) dx = Pi^T r (Pi: projector on
   the complement) is solved by Richardson iteration, temperatures of oscillations with s C_T +
   K_T; the coupling is swept once, leading field first. Strong damping or coupling prevents
   convergence (then: complex_shifts.c). */
#include "linear/block_correction.h"

#include <math.h>

#include "linalg/complex_solver.h"
#include "linalg/dense.h"
#include "linear/merged.h"

#define SHIFT 0.05                // mu relative to the last undamped eigenvalue in the basis
#define STEPS 4                   // most Richardson steps
#define CHANGE 0.02               // relative size of a final step
#define HEAVY 0.2                 // largest damping ratio
#define NEGLIGIBLE_CORRECTION 0.1 // relative to the required accuracy: negligible correction
#define FIRST 1e-3                // further factor before the temperature scale is known
#define SLOW 1e-3 // relative to the last frequency in the basis: P is adequate for any slower root
#define PANEL 8   // directions orthogonalised together
#define POLLUTED 1e-3 // relative remainder below which constraints are restored

struct gos_block_correction {
    gos_linear *heat;           // temperatures alone
    gos_merged *merged;         // T_tt(s) = s C_T + K_T with constraints
    gos_complex_solver *solver; // of T_tt(s)
    gos_complex *value, *z;     // (nnz), (merged->n)
    bool begun;                 // directions of every root have been added
};

/* real and imaginary parts of roots are adjacent columns */
typedef struct work {
    gos_quadratic *q;
    int count, ncol;
    gos_target **root;         // (count)
    int *at;                   // first column of each (count + 1)
    double *error;             // (count)
    double *size;              // (count)
    double *change;            // of the last step (count)
    double *X, *R, *Z, *A, *B; // displacements: vectors, residuals, corrections, scratch (n, ncol)
    double *theta, *S, *dtheta, *C; // the same for temperatures (nt, ncol)
    double *panel;                  // (n, 8)
    double *small;                  // (nidle + cap, ncol)
} work;

/* ---- applicability --------------------------------------------------------------------------- */

bool gos__block_correction_applies(const gos_quadratic *q, int count, const gos_target *list) {
    const gos_linear *l = q->l;
    bool light = l->symmetric_K && !l->gyroscopic && l->nphi == 0 && q->m0 > q->nrigid;
    for (int k = 0; k < q->m0; k++) {
        light = light && q->lambda0[k] >= 0;
    }
    const double last = light ? sqrt(q->lambda0[q->m0 - 1]) : 0;
    for (int k = 0; k < count; k++) {
        const double size = hypot(list[k].re, list[k].im);
        light = light && (list[k].im > 0 ? fabs(list[k].re) <= HEAVY * size
                                         : list[k].thermal || size <= SLOW * last);
    }
    return light;
}

static gos_status begin_heat(gos_quadratic *q, gos_block_correction *c) {
    static const gos_block block[] = {GOS_BLOCK_C_T, GOS_BLOCK_K_T, GOS_BLOCK_H};
    const gos_linear *l = q->l;
    const gos_linear_size size = {.nt = l->nt, .nh = l->nh};
    bool symmetric;
    GOS_TRY(gos__linear_create(q->ctx, &size, &c->heat));
    for (int k = 0; k < GOS_COUNT(block); k++) {
        GOS_TRY(gos__linear_put(c->heat, block[k], &l->block[block[k]]));
    }
    GOS_TRY(gos__linear_close(c->heat));
    GOS_TRY(gos__merged_create(q->ctx, c->heat, &c->merged));
    const gos_merged *w = c->merged;
    GOS_TRY(gos__merged_symmetric(w, &symmetric));
    c->value = gos__alloc(q->ctx, w->pattern.nnz + 1L, sizeof *c->value);
    c->z = gos__alloc(q->ctx, w->n + 1L, sizeof *c->z);
    if (!c->value || !c->z) {
        return GOS_E_MEMORY;
    }
    const gos_complex_def def = {.pattern = &w->pattern,
                                 .symmetric = symmetric,
                                 .ncomp = 1,
                                 .nlast = l->nh,
                                 .saddle = l->nh > 0};
    return gos__complex_solver_create(q->ctx, &def, NULL, &c->solver);
}

gos_status gos__block_correction_begin(gos_quadratic *q) {
    const gos_pencil p = {.K = &q->l->K,
                          .M = &q->l->M,
                          .D = q->D ? &q->S : NULL,
                          .C = &q->l->block[GOS_BLOCK_C],
                          .ncomp = q->l->ncomp};
    q->blocks = gos__zalloc(q->ctx, 1, sizeof *q->blocks);
    if (!q->blocks) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(q->saddle ? GOS_OK : gos__saddle_create(q->ctx, &p, &q->saddle));
    GOS_TRY(gos__saddle_factor(q->saddle, 0, SHIFT * q->lambda0[q->m0 - 1]));
    return q->heat ? begin_heat(q, q->blocks) : GOS_OK;
}

void gos__block_correction_free(gos_quadratic *q) {
    gos_block_correction *c = q->blocks;
    if (c) {
        gos__complex_solver_destroy(c->solver);
        gos__merged_destroy(c->merged);
        gos_linear_destroy(c->heat);
        gos__free(q->ctx, c->value);
        gos__free(q->ctx, c->z);
        gos__free(q->ctx, c);
    }
    q->blocks = NULL;
}

/* ---- vectors and residuals ------------------------------------------------------------------- */

static void expand(work *b) {
    const gos_quadratic *q = b->q;
    const size_t m = q->solved;
    double *y = b->B, *turned = y + m * b->ncol; // (m, ncol) each; n > 2 m
    for (int k = 0; k < b->count; k++) {
        for (int c = b->at[k]; c < b->at[k + 1]; c++) {
            const int column = b->root[k]->column[c - b->at[k]];
            const double *v = gos__dense_column(q->Y, q->nroots, column);
            for (size_t i = 0; i < m; i++) {
                y[c * m + i] = v[2 * (m - 1 - i)] / q->w[i];
            }
            if (q->heat) {
                gos__thermal_expand(q, column, b->theta + (size_t)c * q->heat->n);
            }
        }
    }
    gos__dense_combine(q->solved, b->ncol, q->solved, q->W, y, turned);
    gos__dense_combine(q->n, b->ncol, q->solved, gos__dense_column(q->V, q->n, q->nidle), turned,
                       b->X);
}

/* to += sign s^power Y per root; columns have n entries */
static void accumulate(const work *b, size_t n, int power, double sign, const double *Y,
                       double *to) {
    for (int k = 0; k < b->count; k++) {
        const gos_target *r = b->root[k];
        const double re = sign * (power == 2   ? r->re * r->re - r->im * r->im
                                  : power == 1 ? r->re
                                               : 1);
        const double im = sign * (power == 2 ? 2 * r->re * r->im : power == 1 ? r->im : 0);
        const double *y = Y + b->at[k] * n;
        double *x = to + b->at[k] * n;
        for (size_t i = 0; i < n; i++) {
            x[i] += re * y[i];
        }
        for (size_t i = 0; i < n && r->im > 0; i++) {
            x[i] -= im * y[n + i];
            x[n + i] += im * y[i] + re * y[n + i];
        }
    }
}

/* R += sign (K + s D + s^2 M) X */
static void apply_motion(const work *b, double sign, const double *X, double *R) {
    const gos_quadratic *q = b->q;
    const gos_sparse *const A[] = {&q->l->K, q->D, &q->l->M};
    for (int power = 0; power < GOS_COUNT(A); power++) {
        if (A[power]) {
            gos__sparse_apply_symmetric(A[power], b->ncol, X, b->B, b->panel);
            accumulate(b, q->n, power, sign, b->B, R);
        }
    }
}

/* to += sign s^power times block of `from`; rows: of `to` */
static void apply_block(const work *b, gos_block block, size_t rows, int power, double sign,
                        const double *from, double *scratch, double *to) {
    gos__sparse_apply(&b->q->l->block[block], b->ncol, from, scratch);
    accumulate(b, rows, power, sign, scratch, to);
}

static void residuals(work *b) {
    const gos_quadratic *q = b->q;
    memset(b->R, 0, (size_t)q->n * b->ncol * sizeof *b->R);
    apply_motion(b, 1, b->X, b->R);
    if (!q->heat) {
        return;
    }
    const size_t nt = q->heat->n;
    memset(b->S, 0, nt * b->ncol * sizeof *b->S);
    apply_block(b, GOS_BLOCK_G, q->n, 0, 1, b->theta, b->B, b->R);
    apply_block(b, GOS_BLOCK_K_T, nt, 0, 1, b->theta, b->C, b->S);
    apply_block(b, GOS_BLOCK_C_T, nt, 1, 1, b->theta, b->C, b->S);
    apply_block(b, GOS_BLOCK_H_q, nt, 0, 1, b->X, b->C, b->S);
    apply_block(b, GOS_BLOCK_H_v, nt, 1, 1, b->X, b->C, b->S);
}

static double norm_of(const work *b, int k, const double *Y, const double *MY) {
    const size_t n = b->q->n;
    double sum = 0;
    for (int c = b->at[k]; c < b->at[k + 1]; c++) {
        sum += gos__dense_dot(b->q->n, Y + c * n, MY + c * n);
    }
    return sqrt(fabs(sum));
}

static double heat_norm_of(const work *b, int k, const double *theta) {
    double sum = 0;
    for (int c = b->at[k]; c < b->at[k + 1] && b->q->heat; c++) {
        sum = hypot(sum, gos__thermal_norm(b->q, theta + (size_t)c * b->q->heat->n));
    }
    return b->q->heat ? sum / b->q->heat->scale : 0;
}

static double rate_of(const work *b, int k) {
    return fmax(hypot(b->root[k]->re, b->root[k]->im), b->q->least);
}

/* ---- corrections ----------------------------------------------------------------------------- */

/* A := A - V V^T M A; MA (n, ncol): scratch, on return M times the old A; small (nidle + m, ncol)
 */
static void deflate(gos_quadratic *q, int ncol, double *A, double *MA, double *small,
                    double *panel) {
    const int all = q->nidle + q->m;
    gos__sparse_apply_symmetric(&q->l->M, ncol, A, MA, panel);
    gos__dense_product(all, ncol, q->n, q->V, MA, small);
    gos__dense_combine(q->n, ncol, all, q->V, small, MA);
    for (size_t i = 0; i < (size_t)q->n * ncol; i++) {
        A[i] -= MA[i];
    }
}

/* true if the last step A was significant */
static bool goes_on(work *b) {
    const gos_quadratic *q = b->q;
    bool matters = false;
    gos__sparse_apply_symmetric(&q->l->M, b->ncol, b->A, b->B, b->panel);
    for (int k = 0; k < b->count; k++) {
        b->change[k] = rate_of(b, k) * norm_of(b, k, b->A, b->B) / b->size[k];
    }
    gos__sparse_apply_symmetric(&q->l->M, b->ncol, b->Z, b->B, b->panel);
    for (int k = 0; k < b->count; k++) {
        b->error[k] = rate_of(b, k) * norm_of(b, k, b->Z, b->B) / b->size[k];
        matters = matters || b->change[k] > fmax(0.5 * GOS_ACCURATE, CHANGE * b->error[k]);
    }
    return matters;
}

/* Z := solution of the correction equation; overwrites R */
static gos_status correct_motion(work *b) {
    gos_quadratic *q = b->q;
    const size_t all = (size_t)q->n * b->ncol;
    memset(b->Z, 0, all * sizeof *b->Z);
    for (int step = 1;; step++) {
        GOS_TRY(gos__saddle_solve(q->saddle, b->ncol, b->R, b->A));
        deflate(q, b->ncol, b->A, b->B, b->small, b->panel);
        for (size_t i = 0; i < all; i++) {
            b->Z[i] += b->A[i];
        }
        if (!goes_on(b) || step == STEPS) {
            return GOS_OK;
        }
        apply_motion(b, -1, b->A, b->R);
    }
}

static void take_column(const work *b, int column, int part, const gos_complex *z, double *to) {
    const size_t nt = b->q->heat->n;
    for (size_t i = 0; i < nt; i++) {
        to[column * nt + i] = ((const double *)&z[i])[part];
    }
}

/* dtheta := (s C_T + K_T)^-1 S for oscillations; real roots: real shift */
static gos_status correct_heat(work *b, bool oscillations) {
    gos_quadratic *q = b->q;
    gos_block_correction *c = q->blocks;
    const gos_merged *w = c->merged;
    const size_t nt = q->heat->n;
    double tau = 0;
    for (int k = 0; k < b->count; k++) {
        const gos_target *r = b->root[k];
        const int at = b->at[k];
        double *to = b->dtheta + at * nt;
        if ((r->im > 0) != oscillations) {
            continue;
        }
        if (r->im > 0) {
            const gos_complex s = gos__complex(r->re, r->im);
            for (int e = 0; e < w->pattern.nnz; e++) {
                c->value[e] = w->A[0][e] + s * w->A[1][e];
            }
            memset(c->z, 0, w->n * sizeof *c->z);
            for (size_t i = 0; i < nt; i++) {
                c->z[i] = gos__complex(b->S[at * nt + i], b->S[(at + 1) * nt + i]);
            }
            GOS_TRY(gos__complex_solver_factor(c->solver, c->value));
            GOS_TRY(gos__complex_solver_solve(c->solver, false, 1, c->z));
            take_column(b, at, 0, c->z, b->dtheta);
            take_column(b, at + 1, 1, c->z, b->dtheta);
        } else if (q->heat->saddle) {
            if (r->tau != tau) {
                GOS_TRY(gos__saddle_factor(q->heat->saddle, 0, tau = r->tau));
            }
            GOS_TRY(gos__saddle_solve(q->heat->saddle, 1, b->S + at * nt, to));
        } else {
            memset(to, 0, nt * sizeof *to);
        }
        for (int col = at; col < b->at[k + 1]; col++) {
            gos__thermal_orthogonalise(q, b->dtheta + col * nt, b->C);
        }
    }
    return GOS_OK;
}

static gos_status correct(work *b) {
    gos_quadratic *q = b->q;
    if (!q->heat) {
        return correct_motion(b);
    }
    const size_t nt = q->heat->n;
    memset(b->dtheta, 0, nt * b->ncol * sizeof *b->dtheta);
    GOS_TRY(correct_heat(b, true));
    apply_block(b, GOS_BLOCK_G, q->n, 0, -1, b->dtheta, b->B, b->R);
    GOS_TRY(correct_motion(b));
    apply_block(b, GOS_BLOCK_H_q, nt, 0, -1, b->Z, b->C, b->S);
    apply_block(b, GOS_BLOCK_H_v, nt, 1, -1, b->Z, b->C, b->S);
    GOS_TRY(correct_heat(b, false));
    for (int k = 0; k < b->count; k++) {
        b->error[k] = hypot(b->error[k], heat_norm_of(b, k, b->dtheta) / b->size[k]);
    }
    return GOS_OK;
}

/* ---- directions ------------------------------------------------------------------------------ */

/* Remove constraint violations due to round-off: Z := P^-1 P Z. */
static gos_status restore(work *b, int count, double *Z) {
    gos_quadratic *q = b->q;
    const double mu = SHIFT * q->lambda0[q->m0 - 1];
    gos__sparse_apply_symmetric(&q->l->K, count, Z, b->R, b->panel);
    gos__sparse_apply_symmetric(&q->l->M, count, Z, b->B, b->panel);
    for (size_t i = 0; i < (size_t)q->n * count; i++) {
        b->R[i] += mu * b->B[i];
    }
    return gos__saddle_solve(q->saddle, count, b->R, Z);
}

/* append Z (n, count); least: norms of negligible directions */
static gos_status add_panel(work *b, int count, double *Z, const double *least, int *added) {
    gos_quadratic *q = b->q;
    const size_t n = q->n;
    double *MZ = b->B;
    deflate(q, count, Z, MZ, b->small, b->panel);
    GOS_TRY(restore(b, count, Z));
    for (int pass = 0; pass < 2; pass++) {
        deflate(q, count, Z, MZ, b->small, b->panel);
    }
    for (int c = 0; c < count && q->m < q->cap && q->m + q->nidle < q->nz; c++) {
        double *z = Z + c * n, left = 0, before = 0;
        for (int pass = 0; pass < 3; pass++) { // within the panel
            gos__sparse_apply(&q->l->M, 1, z, MZ);
            left = sqrt(fabs(gos__dense_dot(q->n, z, MZ)));
            before = pass == 0 ? left : before;
            if (!(left > least[c]) || !(left > GOS_DEPENDENT * before)) {
                break;
            }
            if (pass == 1 && left < POLLUTED * before) {
                GOS_TRY(gos__saddle_project(q->saddle, z));
                deflate(q, 1, z, MZ, b->small, b->panel);
            } else if (pass < 2) {
                gos__dense_product(q->nidle + q->m, 1, q->n, q->V, MZ, b->small);
                gos__dense_combine(q->n, 1, q->nidle + q->m, q->V, b->small, MZ);
                for (size_t i = 0; i < n; i++) {
                    z[i] -= MZ[i];
                }
            }
        }
        if (!(left > least[c]) || !(left > GOS_DEPENDENT * before)) {
            continue;
        }
        double *v = gos__dense_column(q->V, q->n, q->nidle + q->m++);
        for (size_t i = 0; i < n; i++) {
            v[i] = z[i] / left;
        }
        ++*added;
    }
    return GOS_OK;
}

static gos_status add(work *b, int *added) {
    gos_quadratic *q = b->q;
    const size_t n = q->n;
    double least[PANEL];
    int filled = 0;
    for (int k = 0; k < b->count; k++) {
        const bool first = !q->blocks->begun, open = first || b->error[k] > GOS_ACCURATE;
        const double allowed =
            (first ? FIRST : 1) * NEGLIGIBLE_CORRECTION * GOS_ACCURATE * b->size[k];
        for (int c = b->at[k]; c < b->at[k + 1] && open; c++) {
            least[filled] = allowed / rate_of(b, k);
            memcpy(b->A + filled++ * n, b->Z + c * n, n * sizeof *b->A);
            if (filled == PANEL) {
                GOS_TRY(add_panel(b, filled, b->A, least, added));
                filled = 0;
            }
        }
        for (int c = b->at[k]; c < b->at[k + 1] && open && q->heat && q->heat->m < q->heat->nz;
             c++) {
            double *z = b->dtheta + (size_t)c * q->heat->n;
            if (gos__thermal_norm(q, z) / q->heat->scale > allowed) {
                GOS_TRY(gos__thermal_add(q, z, b->C, added));
            }
        }
    }
    return add_panel(b, filled, b->A, least, added);
}

/* ---- round ----------------------------------------------------------------------------------- */

static gos_status make_room(work *b) {
    gos_quadratic *q = b->q;
    const size_t n = q->n, nt = q->heat ? q->heat->n : 0, ncol = b->ncol > PANEL ? b->ncol : PANEL;
    const size_t wide = n > 2 * (size_t)q->solved ? n : 2 * (size_t)q->solved;
    b->panel = gos__alloc(q->ctx, (4 * n + wide) * ncol + 8 * n + (q->nidle + q->cap) * ncol + 1,
                          sizeof *b->panel); // aligned
    b->theta = gos__alloc(q->ctx, 4 * nt * ncol + 1, sizeof *b->theta);
    if (!b->panel || !b->theta) {
        return GOS_E_MEMORY;
    }
    b->X = b->panel + 8 * n;
    b->R = b->X + n * ncol;
    b->Z = b->R + n * ncol;
    b->A = b->Z + n * ncol;
    b->B = b->A + n * ncol;
    b->small = b->B + wide * ncol;
    b->S = b->theta + nt * ncol;
    b->dtheta = b->S + nt * ncol;
    b->C = b->dtheta + nt * ncol;
    return GOS_OK;
}

static gos_status round_of(work *b, double *worst, int *added) {
    gos_quadratic *q = b->q;
    GOS_TRY(make_room(b));
    if (q->heat && q->heat->saddle) { // for projection of temperatures on their constraints
        GOS_TRY(gos__saddle_factor(q->heat->saddle, 0, q->heat->fastest));
    }
    expand(b);
    gos__sparse_apply_symmetric(&q->l->M, b->ncol, b->X, b->B, b->panel);
    for (int k = 0; k < b->count; k++) {
        b->size[k] = hypot(rate_of(b, k) * norm_of(b, k, b->X, b->B), heat_norm_of(b, k, b->theta));
    }
    residuals(b);
    GOS_TRY(correct(b));
    for (int k = 0; k < b->count; k++) {
        *worst = fmax(*worst, b->error[k]);
        b->root[k]->done = q->blocks->begun && !(b->error[k] > GOS_ACCURATE);
    }
    GOS_TRY(add(b, added));
    q->blocks->begun = true;
    return GOS_OK;
}

gos_status gos__block_correction_run(gos_quadratic *q, int count, gos_target *list, double *worst,
                                     int *added) {
    work b = {.q = q};
    b.root = gos__alloc(q->ctx, count + 1L, sizeof(gos_target *));
    b.at = gos__zalloc(q->ctx, count + 1L, sizeof *b.at);
    b.error = gos__zalloc(q->ctx, 3L * count + 1, sizeof *b.error);
    b.size = b.error + count;
    b.change = b.size + count;
    gos_status status = b.root && b.at && b.error ? GOS_OK : GOS_E_MEMORY;
    for (int k = 0; k < count && status == GOS_OK; k++) {
        if (!list[k].done && hypot(list[k].re, list[k].im) > 0) {
            b.root[b.count] = &list[k];
            b.ncol += list[k].im > 0 ? 2 : 1;
            b.at[++b.count] = b.ncol;
        }
    }
    if (status == GOS_OK && b.count > 0) {
        status = round_of(&b, worst, added);
    }
    gos__free(q->ctx, b.panel);
    gos__free(q->ctx, b.theta);
    gos__free(q->ctx, b.root);
    gos__free(q->ctx, b.at);
    gos__free(q->ctx, b.error);
    return status;
}
