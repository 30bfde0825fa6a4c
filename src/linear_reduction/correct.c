/* Correction by truncated modes, driven one-way by load and reduced motion V p. With S = Phi^T M
   V and z = eta + phi^T M V p:
     z'' + Phi^T D Phi z' + Omega^2 z = Phi^T B u - Phi^T D (V - Phi S) p',   q = (V - Phi S) p +
   Phi z.
   The motion along these modes is exact; the p' term vanishes for modal damping. */
#include "linear_reduction/correct.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/eigen.h"
#include "linear/condensed.h"
#include "linear_reduction/first_order.h"

#define CONTAINED_NORM 1e-7 // largest relative M-norm outside the basis of a contained mode
#define COUPLING_THRESHOLD 1e-8

typedef struct correction {
    gos_ctx *ctx;
    const gos_linear *full;
    const gos_linear_reduction *r;
    int nq, nr, n;
    double *lambda; // squared frequencies (n)
    double *X;      // mode shapes (nq, n)
    int *number;    // their indices among the full model's modes, from 0 (n)
    double *V;      // [V - Phi S, Phi] (nq, nr + n)
} correction;

gos_status gos__correct_check(gos_ctx *ctx, const gos_linear *l, int n) {
    if (n > 0 && (l->nq == 0 || l->nt > 0 || !l->symmetric)) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "correction by truncated modes requires a model of displacements only "
                         "with symmetric matrices; this one %s",
                         l->nt > 0 ? "has temperatures or states of first order"
                                   : "has M, D or K without symmetry");
    }
    if (n < 0 || n > l->nq) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "correction by %d modes: this model has %d coordinates; give 0 to %d", n,
                         l->nq, l->nq);
    }
    return GOS_OK;
}

/* ---- truncated modes ------------------------------------------------------------------------- */

/* relative M-norm of x outside the basis; L: Cholesky factor of V^T M V */
static double outside(const correction *c, const double *L, const double *x, double *work) {
    const double *V = c->r->V.v[GOS_FIELD_Q];
    double *rest = work, *Mx = work + c->nq, *s = work + 2L * c->nq;
    memcpy(rest, x, c->nq * sizeof *rest);
    for (int pass = 0; pass < 2; pass++) { // repeated against round-off
        gos__sparse_apply(&c->full->M, 1, rest, Mx);
        cblas_dgemv(CblasColMajor, CblasTrans, c->nq, c->nr, 1, V, c->nq, Mx, 1, 0, s, 1);
        LAPACKE_dpotrs(LAPACK_COL_MAJOR, 'L', c->nr, 1, L, c->nr, s, c->nr);
        cblas_dgemv(CblasColMajor, CblasNoTrans, c->nq, c->nr, -1, V, c->nq, s, 1, 1, rest, 1);
    }
    gos__sparse_apply(&c->full->M, 1, rest, Mx);
    return sqrt(fmax(gos__dense_dot(c->nq, rest, Mx), 0));
}

static gos_status factor(const correction *c, double *L) {
    const double *V = c->r->V.v[GOS_FIELD_Q];
    double *MV = gos__alloc(c->ctx, (size_t)c->nq * c->nr + 1, sizeof *MV);
    if (!MV) {
        return GOS_E_MEMORY;
    }
    gos__sparse_apply(&c->full->M, c->nr, V, MV);
    gos__dense_product(c->nr, c->nr, c->nq, V, MV, L);
    gos__free(c->ctx, MV);
    return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', c->nr, L, c->nr) == 0
               ? GOS_OK
               : gos__fail(c->ctx, GOS_E_SINGULAR,
                           "basis vectors are linearly dependent, so the modes that they contain "
                           "cannot be identified for the correction");
}

static gos_status select_modes(correction *c, int found, const double *L, double *work) {
    int kept = 0;
    for (int k = 0; k < found && kept < c->n; k++) {
        const double *x = c->X + (size_t)k * c->nq;
        if (outside(c, L, x, work) > CONTAINED_NORM) {
            c->lambda[kept] = c->lambda[k];
            c->number[kept] = k;
            memmove(c->X + (size_t)kept++ * c->nq, x, c->nq * sizeof *x);
        }
    }
    return kept == c->n ? GOS_OK
                        : gos__fail(c->ctx, GOS_E_INPUT,
                                    "correction by %d modes: only %d modes are not contained in "
                                    "the reduced model; give %d at most",
                                    c->n, kept, kept);
}

static gos_status find_modes(correction *c) {
    // the basis contains at most nr modes
    const int requested = c->nr < c->nq - c->n ? c->n + c->nr : c->nq;
    const gos_pencil p = {.K = &c->full->K,
                          .M = &c->full->M,
                          .C = &c->full->block[GOS_BLOCK_C],
                          .ncomp = c->full->ncomp};
    const size_t nr = c->nr;
    double *L = gos__alloc(c->ctx, nr * nr + 2L * c->nq + nr + 1, sizeof *L);
    c->lambda = gos__zalloc(c->ctx, requested, sizeof *c->lambda);
    c->number = gos__zalloc(c->ctx, requested, sizeof *c->number);
    c->X = gos__alloc(c->ctx, (size_t)requested * c->nq, sizeof *c->X);
    gos_status status = L && c->lambda && c->number && c->X ? GOS_OK : GOS_E_MEMORY;
    int found = 0;
    status = status == GOS_OK ? factor(c, L) : status;
    status = status == GOS_OK ? gos__eigen_lowest(c->ctx, &p, requested, c->lambda, c->X, &found)
                              : status;
    status = status == GOS_OK ? select_modes(c, found, L, L + nr * nr) : status;
    gos__free(c->ctx, L);
    return status;
}

/* ---- corrected model ------------------------------------------------------------------------- */

static gos_status make_basis(correction *c) {
    const size_t reduced = (size_t)c->nq * c->nr, added = (size_t)c->nq * c->n;
    double *MX = gos__alloc(c->ctx, added + (size_t)c->n * c->nr + 1, sizeof *MX);
    c->V = gos__alloc(c->ctx, reduced + added, sizeof *c->V);
    if (!MX || !c->V) {
        gos__free(c->ctx, MX);
        return GOS_E_MEMORY;
    }
    double *S = MX + added;
    memcpy(c->V, c->r->V.v[GOS_FIELD_Q], reduced * sizeof *c->V);
    memcpy(c->V + reduced, c->X, added * sizeof *c->V);
    gos__sparse_apply(&c->full->M, c->n, c->X, MX);
    gos__dense_product(c->n, c->nr, c->nq, MX, c->V, S);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, c->nq, c->nr, c->n, -1, c->X, c->nq, S,
                c->n, 1, c->V, c->nq);
    gos__free(c->ctx, MX);
    return GOS_OK;
}

/* to = Phi^T A, or A V' with V' (nq, nr + n) */
static gos_status port_block(const correction *c, const gos_sparse *A, bool output,
                             gos_sparse *to) {
    const int m = output ? A->m : c->n, n = output ? c->nr + c->n : A->n;
    double *dense = gos__zalloc(c->ctx, (size_t)m * n + 1, sizeof *dense);
    if (!dense) {
        return GOS_E_MEMORY;
    }
    if (output) {
        gos__sparse_apply(A, n, c->V, dense);
    }
    for (int j = 0; j < n && !output; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            for (long i = 0; i < m; i++) {
                dense[j * m + i] += A->x[k] * c->X[i * c->nq + A->i[k]];
            }
        }
    }
    const gos_status status = gos__sparse_from_dense(c->ctx, m, n, dense, to);
    gos__free(c->ctx, dense);
    return status;
}

/* to (n, nr + n) = Phi^T D V', without round-off coupling */
static gos_status damping(const correction *c, gos_sparse *to) {
    const int columns = c->nr + c->n;
    const size_t size = (size_t)c->nq * columns;
    const size_t block = (size_t)c->n * columns;
    double *DV = gos__alloc(c->ctx, size + block + columns, sizeof *DV);
    if (!DV) {
        return GOS_E_MEMORY;
    }
    double *small = DV + size, *own = small + block;
    const gos_sparse *D = &c->full->block[GOS_BLOCK_D];
    gos__sparse_apply(D, c->nr, c->r->V.v[GOS_FIELD_Q], DV);
    gos__sparse_apply(D, c->n, c->X, DV + (size_t)c->nr * c->nq);
    for (long j = 0; j < columns; j++) {
        const double *x =
            j < c->nr ? c->r->V.v[GOS_FIELD_Q] + j * c->nq : c->X + (j - c->nr) * c->nq;
        own[j] = fabs(gos__dense_dot(c->nq, x, DV + j * c->nq));
    }
    gos__sparse_apply(D, c->nr, c->V, DV);
    gos__dense_product(c->n, columns, c->nq, c->X, DV, small);
    for (long j = 0; j < columns; j++) {
        for (int i = 0; i < c->n; i++) {
            double *d = &small[j * c->n + i];
            const double min = COUPLING_THRESHOLD * sqrt(own[j] * own[c->nr + i]);
            *d = j != c->nr + i && fabs(*d) <= min ? 0 : *d;
        }
    }
    const gos_status status = gos__sparse_from_dense(c->ctx, c->n, columns, small, to);
    gos__free(c->ctx, DV);
    return status;
}

static gos_status stiffness(const correction *c, gos_sparse *to) {
    GOS_TRY(gos__sparse_alloc(c->ctx, c->n, c->n, c->n, to));
    for (int k = 0; k < c->n; k++) {
        to->i[k] = k;
        to->x[k] = c->lambda[k];
        to->p[k + 1] = k + 1;
    }
    to->nnz = c->n;
    return GOS_OK;
}

/* names; rigid-body motion belongs to the reduced coordinates */
static gos_status names(const correction *c, gos_linear *l) {
    const gos_linear *reduced = c->r->model;
    char text[200];
    for (int i = 0; i < l->nq; i++) {
        gos_linear_coordinate(reduced, i, text, sizeof text);
        l->coordinate[i] = i < c->nr
                               ? gos__arena_strdup(l->arena, text)
                               : gos__arena_printf(l->arena, "mode(%d)", c->number[i - c->nr] + 1);
        GOS_TRY(l->coordinate[i] ? GOS_OK : GOS_E_MEMORY);
    }
    for (long k = 0; k < 6; k++) {
        memcpy(l->rigid + k * l->nq, reduced->rigid + k * c->nr, c->nr * sizeof(double));
    }
    return gos__linear_name_ports(reduced, l);
}

/* rows of the modes */
enum { PART_D, PART_K, PART_B, PARTS };

static gos_status fill(const correction *c, gos_sparse part[PARTS], gos_linear *l) {
    const gos_sparse *b = c->r->model->block, *of = c->full->block;
    const int nr = c->nr;
    GOS_TRY(damping(c, &part[PART_D]));
    GOS_TRY(stiffness(c, &part[PART_K]));
    GOS_TRY(port_block(c, &of[GOS_BLOCK_B], false, &part[PART_B]));
    const gos_block_part M[] = {{&b[GOS_BLOCK_M], 1, 0, 0, 0}, {NULL, 1, nr, nr, c->n}};
    const gos_block_part D[] = {{&b[GOS_BLOCK_D], 1, 0, 0, 0}, {&part[PART_D], 1, nr, 0, 0}};
    const gos_block_part K[] = {{&b[GOS_BLOCK_K], 1, 0, 0, 0}, {&part[PART_K], 1, nr, nr, 0}};
    const gos_block_part B[] = {{&b[GOS_BLOCK_B], 1, 0, 0, 0}, {&part[PART_B], 1, nr, 0, 0}};
    const struct {
        gos_block block;
        const gos_block_part *parts;
    } all[] = {{GOS_BLOCK_M, M}, {GOS_BLOCK_D, D}, {GOS_BLOCK_K, K}, {GOS_BLOCK_B, B}};
    for (int k = 0; k < GOS_COUNT(all); k++) {
        gos_sparse *S = &l->block[all[k].block];
        GOS_TRY(gos__compose(c->ctx, S->m, S->n, 2, all[k].parts, S));
    }
    const gos_block outputs[] = {GOS_BLOCK_Y_q, GOS_BLOCK_Y_v};
    for (int k = 0; k < GOS_COUNT(outputs); k++) {
        gos__sparse_free(c->ctx, &l->block[outputs[k]]);
        GOS_TRY(port_block(c, &of[outputs[k]], true, &l->block[outputs[k]]));
    }
    GOS_TRY(gos__linear_put(l, GOS_BLOCK_Y_u, &b[GOS_BLOCK_Y_u]));
    GOS_TRY(names(c, l));
    return gos__linear_close(l);
}

static gos_status make_model(const correction *c, gos_linear **corrected) {
    const gos_linear *from = c->r->model;
    gos_sparse part[PARTS] = {{0}};
    gos_linear *l;
    GOS_TRY(gos__linear_create(
        c->ctx, &(gos_linear_size){.nq = c->nr + c->n, .nu = from->nu, .ny = from->ny}, &l));
    const gos_status status = fill(c, part, l);
    for (int k = 0; k < PARTS; k++) {
        gos__sparse_free(c->ctx, &part[k]);
    }
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *corrected = l;
    return GOS_OK;
}

/* ---- interface ------------------------------------------------------------------------------- */

static gos_status make(correction *c, gos_linear **corrected) {
    gos_status status = find_modes(c);
    status = status == GOS_OK ? make_basis(c) : status;
    return status == GOS_OK ? make_model(c, corrected) : status;
}

static gos_status begin(gos_ctx *ctx, const gos_linear *full, const gos_linear_reduction *r, int n,
                        correction *c) {
    *c = (correction){
        .ctx = ctx, .full = full, .r = r, .nq = full->nq, .nr = r->V.count[GOS_FIELD_Q], .n = n};
    GOS_TRY(gos__correct_check(ctx, full, n));
    if (n == 0) {
        return gos__fail(ctx, GOS_E_INPUT, "correction by 0 modes: give one or more");
    }
    const gos_linear *m = r->model;
    if (m->nq != c->nr || c->nr == 0 || m->nt > 0 || m->nphi > 0 ||
        gos__space_rows(&r->V, GOS_FIELD_Q) != full->nq || m->nu != full->nu || m->ny != full->ny) {
        return gos__fail(
            ctx, GOS_E_INPUT,
            "correction by truncated modes requires a reduced model of second order without "
            "potentials of its own, and the full model from which it was derived");
    }
    return GOS_OK;
}

static void end(correction *c) {
    gos__free(c->ctx, c->lambda);
    gos__free(c->ctx, c->number);
    gos__free(c->ctx, c->X);
    gos__free(c->ctx, c->V);
}

gos_status gos_linear_correct(gos_ctx *ctx, const gos_linear *full, const gos_linear_reduction *r,
                              int modes, gos_linear **corrected) {
    correction c;
    gos_linear *own;
    GOS_TRY(gos__linear_condense(ctx, full, &own, &full));
    gos_status status = begin(ctx, full, r, modes, &c);
    if (status == GOS_OK) {
        status = make(&c, corrected);
        end(&c);
    }
    gos_linear_destroy(own);
    return status;
}

/* the right basis is replaced; the old one becomes the left basis */
static gos_status replace_basis(const correction *c, gos_linear_reduction *out) {
    gos_space V;
    gos__space_init(c->ctx, out->V.start, NULL, &V);
    for (long k = 0; k < c->nr + c->n; k++) {
        const gos_status status = gos__space_put(&V, GOS_FIELD_Q, c->V + k * c->nq);
        if (status != GOS_OK) {
            gos__space_free(&V);
            return status;
        }
    }
    V.dropped = out->V.dropped;
    if (out->W.ctx) {
        gos__space_free(&out->V);
    } else {
        out->W = out->V;
    }
    out->V = V;
    return GOS_OK;
}

gos_status gos__reduce_correct(gos_ctx *ctx, const gos_linear *full, int modes,
                               gos_linear_reduction *out) {
    correction c;
    gos_linear *model = NULL;
    GOS_TRY(begin(ctx, full, out, modes, &c));
    gos_status status = make(&c, &model);
    status = status == GOS_OK ? replace_basis(&c, out) : status;
    end(&c);
    if (status != GOS_OK) {
        gos_linear_destroy(model);
        return status;
    }
    gos_linear_destroy(out->model);
    out->model = model;
    out->report.coordinates = model->nq;
    out->report.corrections = modes;
    // estimates of the uncorrected model no longer apply
    out->report.predicted = out->report.band_bound = out->report.bound = 0;
    return GOS_OK;
}
