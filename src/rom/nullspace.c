/* Null space of the constraints (theory 4.1): linear rows are eliminated once by substitution, e
   = U1 y with constant sparse U1; rigid bodies whose twelve coordinates remain get an analytic
   12 x 6 block; other rows use QR with column pivoting. The basis is M-orthonormal and aligned
   by the polar factor of its overlap with the previous one (theory eq. 2). */
#include "rom/nullspace.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "rom/nullspace_rows.h"

#define ACCEPTED 1e-12             // relative acceptance limit of ||C U||
#define CONSTRAINT_TOLERANCE 1e-12 // largest constraint value after a correction
#define CORRECTIONS 8              // largest number of corrections of the configuration
#define ALIGNMENTS 30 // largest number of Newton-Schulz iterations for the polar factor

struct gos_nullspace {
    gos_ctx *ctx;
    const gos_system *sys;
    bool constant, known, factored;
    int n;            // free motions
    double *U, *last; // current and previous basis (nq, n)
    double error;
    /* stage 1: linear rows */
    int npivot;
    int *pivot;       // eliminated scalar coordinate of each retained row (npivot)
    double *row;      // reduced rows (npivot, nq): e_pivot = -sum row e
    bool *eliminated; // (nq)
    /* stages 2 and 3: columns of T = U1 U2 */
    int ny;           // columns
    int *column;      // column of a retained coordinate (nq), -1: none
    int *body;        // bodies with analytic blocks
    int *body_column; // their first columns
    int nbody;
    int nrest; // rows left for QR
    int *rest;
    double *C;               // (nc, nq)
    double *T;               // (nq, ny)
    double *B, *tau, *lwork; // QR of the remaining rows
    int nlwork;
    lapack_int *jpvt;
    int *used;         // true for columns that the remaining rows act on (ny)
    double *Z;         // (ny, ny)
    double *X, *Y, *P; // (ny, ny) each
    double *MU;        // (nq, ny)
    /* saddle-point matrix */
    gos_solver *solver;
    double *r;         // (sys->n)
    double *pivots_at; // coordinates of the last pivots (nq)
    double pivots_t;   // time of the last pivots [s]
    bool own_pivots;   // the last factorisation chose them
};

/* ---- analysis -------------------------------------------------------------------------------- */

static gos_status refuse_driven(gos_ctx *ctx, const gos_system *sys) {
    for (int i = 0; i < sys->nitem; i++) {
        const gos_item *it = sys->item[i];
        for (int k = 0; k < it->nfn && (it->nc > 0 || it->nh > 0); k++) {
            if (!gos__timefn_constant(sys->fn[it->fn0 + k])) {
                return gos__fail_at(ctx, GOS_E_INPUT, it->loc, it->name,
                                    "%s does not support joints or temperatures prescribed as "
                                    "functions of time; use rotation_closed",
                                    sys->reduction.type->name);
            }
        }
    }
    return GOS_OK;
}

static gos_status eliminate_linear(gos_nullspace *s, gos_work *w) {
    const gos_system *sys = s->sys;
    const size_t nq = sys->nq;
    int *kind = gos__zalloc(s->ctx, nq + 1, sizeof *kind);
    if (!kind) {
        return GOS_E_MEMORY;
    }
    int m = 0;
    gos__constraint_rows_classify(sys, kind);
    gos__constraint_rows_fill(sys, w, 0, sys->e0, s->C);
    s->constant = true;
    for (int i = 0; i < sys->nitem; i++) {
        const gos_item *it = sys->item[i];
        for (int r = 0; r < it->nc && it->linear; r++) {
            memcpy(s->row + nq * m++, s->C + nq * (it->c0 + r), nq * sizeof(double));
        }
        s->constant = s->constant && (it->nc == 0 || it->linear);
    }
    gos__constraint_rows_reduce(m, sys->nq, s->row, kind, s->pivot, &s->npivot);
    for (int k = 0; k < s->npivot; k++) {
        s->eliminated[s->pivot[k]] = true;
    }
    gos__free(s->ctx, kind);
    return GOS_OK;
}

/* analytic block if none of its twelve coordinates is eliminated */
static bool is_analytic(const gos_nullspace *s, const gos_body *b) {
    bool all = b->rigid_item >= 0 && b->nv == 4;
    for (int k = 0; k < 12 && all; k++) {
        all = !s->eliminated[3 * b->v0 + k];
    }
    return all;
}

static void number_columns(gos_nullspace *s) {
    const gos_system *sys = s->sys;
    for (int j = 0; j < sys->nq; j++) {
        s->column[j] = s->eliminated[j] ? -1 : -2;
    }
    for (int i = 0; i < sys->nbody; i++) {
        const gos_body *b = sys->body[i];
        if (is_analytic(s, b)) {
            s->body[s->nbody] = i;
            s->body_column[s->nbody++] = s->ny;
            s->ny += 6;
            for (int k = 0; k < 12; k++) {
                s->column[3 * b->v0 + k] = -1;
            }
        }
    }
    for (int j = 0; j < sys->nq; j++) {
        s->column[j] = s->column[j] == -2 ? s->ny++ : -1;
    }
}

static void list_nonlinear_rows(gos_nullspace *s) {
    const gos_system *sys = s->sys;
    for (int i = 0; i < sys->nitem; i++) {
        const gos_item *it = sys->item[i];
        bool done = it->linear;
        for (int k = 0; k < s->nbody; k++) {
            done = done || sys->body[s->body[k]]->rigid_item == i;
        }
        for (int r = 0; r < it->nc && !done; r++) {
            s->rest[s->nrest++] = it->c0 + r;
        }
    }
}

static double *doubles(gos_nullspace *s, size_t n) {
    return gos__zalloc(s->ctx, n + 1, sizeof(double));
}

static gos_status allocate_rows(gos_nullspace *s) {
    const size_t nq = s->sys->nq, nc = s->sys->nc;
    s->C = doubles(s, nc * nq);
    s->row = doubles(s, nc * nq);
    s->pivot = gos__zalloc(s->ctx, nc + 1, sizeof *s->pivot);
    s->rest = gos__zalloc(s->ctx, nc + 1, sizeof *s->rest);
    s->eliminated = gos__zalloc(s->ctx, nq + 1, sizeof *s->eliminated);
    s->column = gos__zalloc(s->ctx, nq + 1, sizeof *s->column);
    s->body = gos__zalloc(s->ctx, s->sys->nbody + 1L, sizeof *s->body);
    s->body_column = gos__zalloc(s->ctx, s->sys->nbody + 1L, sizeof *s->body_column);
    s->r = doubles(s, s->sys->n);
    s->pivots_at = doubles(s, nq);
    const bool all = s->C && s->row && s->pivot && s->rest && s->eliminated && s->column &&
                     s->body && s->body_column && s->r && s->pivots_at;
    return all ? GOS_OK : GOS_E_MEMORY;
}

static gos_status allocate_columns(gos_nullspace *s) {
    const size_t nq = s->sys->nq, ny = s->ny, nr = s->nrest;
    s->T = doubles(s, nq * ny);
    s->U = doubles(s, nq * ny);
    s->last = doubles(s, nq * ny);
    s->MU = doubles(s, nq * ny);
    s->X = doubles(s, ny * ny);
    s->Y = doubles(s, ny * ny);
    s->P = doubles(s, ny * ny);
    s->Z = doubles(s, ny * ny);
    s->B = doubles(s, ny * nr);
    s->tau = doubles(s, nr + ny);
    s->nlwork = (int)(64 * (ny + nr + 1));
    s->lwork = doubles(s, s->nlwork);
    s->jpvt = gos__zalloc(s->ctx, nr + 1, sizeof *s->jpvt);
    s->used = gos__zalloc(s->ctx, ny + 1, sizeof *s->used);
    const bool all = s->T && s->U && s->last && s->MU && s->X && s->Y && s->P && s->Z && s->B &&
                     s->tau && s->lwork && s->jpvt && s->used;
    return all ? GOS_OK : GOS_E_MEMORY;
}

static gos_status analyse(gos_nullspace *s, gos_work *w) {
    GOS_TRY(refuse_driven(s->ctx, s->sys));
    GOS_TRY(allocate_rows(s));
    GOS_TRY(eliminate_linear(s, w));
    number_columns(s);
    list_nonlinear_rows(s);
    GOS_TRY(allocate_columns(s));
    return gos__solver_create(s->ctx, &s->sys->pattern, &s->solver);
}

gos_status gos__nullspace_create(gos_ctx *ctx, const gos_system *sys, gos_nullspace **space) {
    gos_nullspace *s = gos__zalloc(ctx, 1, sizeof *s);
    gos_work *w = NULL;
    if (!s) {
        return GOS_E_MEMORY;
    }
    s->ctx = ctx;
    s->sys = sys;
    gos_status status = gos__work_create(ctx, sys, &w);
    status = status == GOS_OK ? analyse(s, w) : status;
    gos__work_destroy(ctx, w);
    if (status != GOS_OK) {
        gos__nullspace_destroy(s);
        return status;
    }
    *space = s;
    return GOS_OK;
}

void gos__nullspace_destroy(gos_nullspace *s) {
    if (!s) {
        return;
    }
    void *const blocks[] = {s->C,    s->row,         s->pivot, s->rest, s->eliminated, s->column,
                            s->body, s->body_column, s->r,     s->T,    s->U,          s->last,
                            s->MU,   s->X,           s->Y,     s->P,    s->Z,          s->B,
                            s->tau,  s->lwork,       s->jpvt,  s->used, s->pivots_at};
    for (int i = 0; i < GOS_COUNT(blocks); i++) {
        gos__free(s->ctx, blocks[i]);
    }
    gos__solver_destroy(s->solver);
    gos__free(s->ctx, s);
}

int gos__nullspace_size(const gos_nullspace *s) {
    return s->n;
}

const double *gos__nullspace_basis(const gos_nullspace *s) {
    return s->U;
}

bool gos__nullspace_constant(const gos_nullspace *s) {
    return s->constant;
}

double gos__nullspace_error(const gos_nullspace *s) {
    return s->error;
}

/* ---- basis ----------------------------------------------------------------------------------- */

/* T = U1 U2: retained coordinates, body blocks, and dependent coordinates */
static void fill_T(gos_nullspace *s, const double *q) {
    const gos_system *sys = s->sys;
    const size_t ny = s->ny;
    memset(s->T, 0, sys->nq * ny * sizeof *s->T);
    for (int j = 0; j < sys->nq; j++) {
        if (s->column[j] >= 0) {
            s->T[j * ny + s->column[j]] = 1;
        }
    }
    for (int k = 0; k < s->nbody; k++) {
        const int v0 = sys->body[s->body[k]]->v0;
        double *at = s->T + 3L * v0 * ny + s->body_column[k];
        for (int c = 0; c < 3; c++) {
            at[c * ny + c] = 1;
        }
        for (int j = 1; j < 4; j++) { // da = dtheta x a = -[a]x dtheta
            const double *a = q + 3 * (v0 + j);
            double *row = at + 3L * j * ny + 3;
            row[1] = a[2], row[2] = -a[1];
            row[ny] = -a[2], row[ny + 2] = a[0];
            row[2 * ny] = a[1], row[2 * ny + 1] = -a[0];
        }
    }
    for (long k = 0; k < s->npivot; k++) {
        const double *row = s->row + k * sys->nq;
        double *to = s->T + s->pivot[k] * ny;
        for (int j = 0; j < sys->nq; j++) {
            if (row[j] != 0 && j != s->pivot[k]) {
                cblas_daxpy(s->ny, -row[j], s->T + j * ny, 1, to, 1);
            }
        }
    }
}

/* Remaining rows on T, without zero columns: B (nused, nrest) = (C T)^T. */
static int fill_B(gos_nullspace *s) {
    const int nq = s->sys->nq, ny = s->ny;
    int n = 0;
    for (long r = 0; r < s->nrest; r++) { // with all columns first
        cblas_dgemv(CblasRowMajor, CblasTrans, nq, ny, 1, s->T, ny, s->C + (size_t)s->rest[r] * nq,
                    1, 0, s->B + r * ny, 1);
    }
    for (int j = 0; j < ny; j++) {
        double max = 0;
        for (long r = 0; r < s->nrest; r++) {
            max = fmax(max, fabs(s->B[r * ny + j]));
        }
        s->used[j] = max > 0;
        n += s->used[j];
    }
    for (long r = 0; r < s->nrest; r++) { // remove unused entries; ascending, hence in place
        int to = 0;
        for (int j = 0; j < ny; j++) {
            if (s->used[j]) {
                s->B[r * n + to++] = s->B[r * ny + j];
            }
        }
    }
    return n;
}

/* Z (n, *nz) column-major: null space of the remaining rows in the used columns */
static gos_status null_space_of_rest(gos_nullspace *s, int n, int *nz) {
    memset(s->jpvt, 0, (s->nrest + 1L) * sizeof *s->jpvt);
    const int min = n < s->nrest ? n : s->nrest;
    int rank = 0;
    if (min > 0 && LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, s->nrest, s->B, n, s->jpvt, s->tau,
                                       s->lwork, s->nlwork) != 0) {
        return gos__fail(s->ctx, GOS_E_NONFINITE, "the constraint Jacobian is not finite");
    }
    for (long i = 0; i < min; i++) {
        rank += fabs(s->B[i * n + i]) > GOS_CONSTRAINT_RANK * fabs(s->B[0]);
    }
    *nz = n - rank;
    memset(s->Z, 0, (size_t)n * *nz * sizeof *s->Z);
    for (long j = 0; j < *nz; j++) {
        s->Z[j * n + (rank + j)] = 1;
    }
    if (rank > 0 && *nz > 0 &&
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', n, *nz, rank, s->B, n, s->tau, s->Z, n,
                            s->lwork, s->nlwork) != 0) {
        return gos__fail(s->ctx, GOS_E_NONFINITE, "the constraint Jacobian is not finite");
    }
    return GOS_OK;
}

/* U = T U3: unused columns, then combinations of the used ones */
static gos_status fill_U(gos_nullspace *s) {
    const int nq = s->sys->nq, ny = s->ny, used = fill_B(s);
    int nz = 0;
    GOS_TRY(null_space_of_rest(s, used, &nz));
    const int n = ny - used + nz;
    if (s->known && n != s->n) {
        return gos__fail(s->ctx, GOS_E_SINGULAR,
                         "the number of degrees of freedom changed from %d to %d: the mechanism "
                         "passes through a singular configuration",
                         s->n, n);
    }
    s->n = n;
    for (long i = 0; i < nq; i++) {
        const double *from = s->T + i * ny;
        double *to = s->U + i * n, *packed = s->MU;
        int plain = 0, k = 0;
        for (int j = 0; j < ny; j++) {
            if (s->used[j]) {
                packed[k++] = from[j];
            } else {
                to[plain++] = from[j];
            }
        }
        for (long j = 0; j < nz; j++) {
            to[plain + j] = cblas_ddot(used, packed, 1, s->Z + j * used, 1);
        }
    }
    return GOS_OK;
}

/* Y (nq, n) = M X; scalar mass on each component */
static void mass_apply(const gos_system *sys, int n, const double *X, double *Y) {
    const gos_rows_matrix *M = &sys->mass;
    memset(Y, 0, (size_t)sys->nq * n * sizeof *Y);
    for (int i = 0; i < M->n; i++) {
        for (int k = M->p[i]; k < M->p[i + 1]; k++) { // the rows of x, y, z are contiguous
            cblas_daxpy(3 * n, M->v[k], X + 3L * M->j[k] * n, 1, Y + 3L * i * n, 1);
        }
    }
}

static gos_status orthonormalise(gos_nullspace *s) {
    const int n = s->n, nq = s->sys->nq;
    mass_apply(s->sys, n, s->U, s->MU);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, nq, 1, s->U, n, s->MU, n, 0, s->X,
                n);
    const lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, s->X, n);
    if (info != 0) {
        return gos__fail(s->ctx, GOS_E_SINGULAR,
                         "the mass matrix is singular on the constraints; give every body mass");
    }
    // X = R^T R with R upper: U R^-1; row-major U is U^T by columns, R^T is lower there
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, n, nq, 1, s->X, n,
                s->U, n);
    return GOS_OK;
}

/* polar factor of the nearly orthogonal X, in place, by Newton-Schulz iteration */
static bool polar(gos_nullspace *s, int n) {
    for (int it = 0; it < ALIGNMENTS; it++) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, n, 1, s->X, n, s->X, n, 0, s->Y,
                    n);
        double off = 0;
        for (long i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double *y = &s->Y[i * n + j];
                off = fmax(off, fabs(*y - (i == j)));
                *y = (i == j ? 1.5 : 0) - 0.5 * *y;
            }
        }
        if (!(off < 2)) {
            return false;
        }
        if (off < 4e-15 * sqrt(n)) {
            return true;
        }
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, s->X, n, s->Y, n, 0,
                    s->P, n);
        memcpy(s->X, s->P, (size_t)n * n * sizeof *s->X);
    }
    return true;
}

/* U := U polar(U^T M last) (theory eq. 2) */
static gos_status align(gos_nullspace *s) {
    const int n = s->n, nq = s->sys->nq;
    mass_apply(s->sys, n, s->last, s->MU);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, nq, 1, s->U, n, s->MU, n, 0, s->X,
                n);
    if (!polar(s, n)) {
        return gos__fail(s->ctx, GOS_E_INTERNAL,
                         "consecutive null-space bases are not aligned; "
                         "use smaller thresholds");
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nq, n, n, 1, s->U, n, s->X, n, 0, s->MU,
                n);
    memcpy(s->U, s->MU, (size_t)nq * n * sizeof *s->U);
    return GOS_OK;
}

static gos_status accept(gos_nullspace *s) {
    const int n = s->n, nq = s->sys->nq, nc = s->sys->nc;
    const double size =
        gos__largest_of((size_t)nc * nq, s->C) * gos__largest_of((size_t)nq * n, s->U);
    double max = 0;
    for (long r = 0; r < nc && n > 0; r++) {
        cblas_dgemv(CblasRowMajor, CblasTrans, nq, n, 1, s->U, n, s->C + r * nq, 1, 0, s->MU, 1);
        max = fmax(max, gos__largest_of(n, s->MU));
    }
    s->error = size > 0 ? max / size : 0;
    if (!(s->error <= ACCEPTED)) {
        return gos__fail(
            s->ctx, GOS_E_SINGULAR,
            "the null space of the constraints is inaccurate (%.1e): they are nearly dependent",
            s->error);
    }
    return GOS_OK;
}

gos_status gos__nullspace_update(gos_nullspace *s, gos_work *w, const gos_point_of *x) {
    if (s->known && s->constant) {
        return GOS_OK;
    }
    if (s->known) {
        memcpy(s->last, s->U, (size_t)s->sys->nq * s->n * sizeof *s->U);
    }
    gos__constraint_rows_fill(s->sys, w, x->t, x->q, s->C);
    fill_T(s, x->q);
    GOS_TRY(fill_U(s));
    GOS_TRY(orthonormalise(s));
    GOS_TRY(s->known ? align(s) : GOS_OK);
    GOS_TRY(accept(s));
    s->known = true;
    return GOS_OK;
}

/* ---- saddle-point solves --------------------------------------------------------------------- */

gos_status gos__nullspace_factor(gos_nullspace *s, gos_work *w, const gos_point_of *x) {
    if (s->factored && s->constant) {
        return GOS_OK;
    }
    const gos_newton_factors f = {.m = 1, .cm = 1, .lam = 1, .lamT = 1};
    int column;
    gos__jacobian(w, x, &f);
    const gos_status status = gos__solver_factor(s->solver, w->values, &column);
    if (status == GOS_E_SINGULAR) {
        return gos__fail(s->ctx, status,
                         "the accelerations are not unique: the mass matrix is singular on the "
                         "constraints; give every body mass");
    }
    s->factored = status == GOS_OK;
    s->own_pivots = !gos__solver_kept_pivots(s->solver);
    if (s->own_pivots && x->q != s->pivots_at) {
        memcpy(s->pivots_at, x->q, s->sys->nq * sizeof *s->pivots_at);
        s->pivots_t = x->t;
    }
    return status;
}

gos_status gos__nullspace_refactor(gos_nullspace *s, gos_work *w, const gos_point_of *x) {
    if (s->own_pivots) {
        return gos__nullspace_factor(s, w, x);
    }
    const gos_point_of at = {.t = s->pivots_t, .scale = 1, .q = s->pivots_at, .th = s->sys->th0};
    GOS_TRY(gos__nullspace_factor(s, w, &at));
    return s->constant ? GOS_OK : gos__nullspace_factor(s, w, x);
}

void gos__nullspace_walk(gos_nullspace *s, gos_walk *w) {
    gos__walk_int(w, &s->n, s->ny);
    gos__walk(w, &s->error, 1);
    gos__walk(w, s->U, w->bad ? 0 : (size_t)s->sys->nq * s->n);
    gos__walk_bool(w, &s->own_pivots);
    gos__walk(w, &s->pivots_t, 1);
    gos__walk(w, s->pivots_at, s->sys->nq);
    s->known = true;
}

void gos__nullspace_solve(const gos_nullspace *s, double *x) {
    gos__solver_solve(s->solver, x);
}

/* -C into the constraint rows of r; returns the largest magnitude */
static double violation(gos_nullspace *s, gos_work *w, double t, const double *q) {
    const gos_system *sys = s->sys;
    double *c = s->r + sys->at.lam, max = 0;
    gos_item_rows b;
    gos__work_time(w, t);
    memset(s->r, 0, sys->n * sizeof *s->r);
    for (int i = 0; i < sys->nitem; i++) {
        const gos_item *it = sys->item[i];
        if (it->nc > 0) {
            gos__constraint_rows_evaluate(w, it, t, q, &b);
        }
        for (int r = 0; r < it->nc; r++) {
            c[it->c0 + r] = -b.c[r];
            max = fmax(max, fabs(b.c[r]));
        }
    }
    return max;
}

gos_status gos__nullspace_correct(gos_nullspace *s, gos_work *w, double t, double *q, int *spent) {
    for (int k = 0; k < CORRECTIONS; k++) {
        const double max = violation(s, w, t, q);
        if (max <= 0.1 * CONSTRAINT_TOLERANCE || (k > 0 && max <= CONSTRAINT_TOLERANCE)) {
            return GOS_OK;
        }
        if (!isfinite(max)) {
            return GOS_RETRY;
        }
        const gos_point_of at = {.t = t, .scale = 1, .q = q, .th = s->sys->th0};
        GOS_TRY(gos__nullspace_factor(s, w, &at));
        gos__solver_solve(s->solver, s->r);
        cblas_daxpy(s->sys->nq, 1, s->r, 1, q, 1);
        if (spent) {
            ++*spent;
        }
    }
    return violation(s, w, t, q) <= 10 * CONSTRAINT_TOLERANCE ? GOS_OK : GOS_RETRY;
}
