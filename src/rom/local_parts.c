/* Component mode synthesis. A body's own constraint rows are eliminated (L L^T = M, A = C L^-T,
   null space N, U = L^-T N); shared rows G = C U are its interface. Free: modes of s^2 + s D + K
   in U; held: with G fixed. Responses (K + s D + s^2)^-1 G^T are added, s at the lowest elastic
   frequency or at rest: attachment or constraint modes, same span. The null space of the joints
   combines all columns. */
#include "rom/local_parts.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "rom/nullspace_rows.h"

#define RIGID 1e-9 // eigenvalue of a rigid motion relative to the largest one

typedef struct part {
    const gos_body *body;
    int q0, nq;             // its coordinates
    int ninner, nouter;     // numbers of own and shared rows
    int *inner, *outer;     // their indices
    bool rigid;             // all motions are kept
    int n;                  // number of motions
    int held;               // motions held at the interface; 0: free
    double *U;              // basis of the motions (nq, n), row-major
    double *G;              // interface rows in these motions (nouter, n)
    double *N;              // motions with the interface fixed (n, n - held)
    gos_local_modes *modes; // eigenproblem, NULL: rigid
    gos_local_modes *all;   // K, D and the columns (n)
    double *J, *L;          // (nq, nq)
} part;

/* Null space by pivoted QR. */
typedef struct null_of {
    double *A, *tau, *work; // A (n, rows) by columns
    lapack_int *pivot;
    int nwork;
} null_of;

struct gos_local_parts {
    gos_ctx *ctx;
    const gos_system *sys;
    int npart;
    part *part;
    int max_columns; // columns of all parts
    double *C;       // constraint rows of all joints (nc, nq)
    int nouter;      // rows between parts
    int *outer;      // their indices
    double *B;       // columns of the parts in coordinates, block-diagonal (nq, most), row-major
    double *Z;       // their null space, contiguous (most, most)
    double *W, *MW;  // (nq)
    double *square;  // (largest nq, the same)
    null_of null;
};

/* ---- null spaces ----------------------------------------------------------------------------- */

static gos_status null_create(gos_ctx *ctx, int n, int rows, null_of *k) {
    const int max_columns = n > 0 ? n : 1, m = rows > 0 ? rows : 1;
    double a = 0, b = 0;
    k->A = gos__zalloc(ctx, (size_t)max_columns * m, sizeof *k->A);
    k->tau = gos__zalloc(ctx, max_columns, sizeof *k->tau);
    k->pivot = gos__zalloc(ctx, m, sizeof *k->pivot);
    LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, max_columns, m, k->A, max_columns, k->pivot, k->tau, &a,
                        -1);
    LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', max_columns, max_columns,
                        max_columns < m ? max_columns : m, k->A, max_columns, k->tau, NULL,
                        max_columns, &b, -1);
    k->nwork = (int)fmax(a, b) + 1;
    k->work = gos__zalloc(ctx, k->nwork, sizeof *k->work);
    return k->A && k->tau && k->pivot && k->work ? GOS_OK : GOS_E_MEMORY;
}

static void null_destroy(gos_ctx *ctx, null_of *k) {
    gos__free(ctx, k->A);
    gos__free(ctx, k->tau);
    gos__free(ctx, k->pivot);
    gos__free(ctx, k->work);
}

/* Z (*nz of n, contiguous): null space of `rows` rows in k->A, each contiguous (n) */
static gos_status null_space(gos_ctx *ctx, null_of *k, int n, int rows, double *Z, int *nz) {
    const int min = n < rows ? n : rows;
    int rank = 0;
    memset(k->pivot, 0, rows * sizeof *k->pivot);
    if (min > 0 && LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, n, rows, k->A, n, k->pivot, k->tau,
                                       k->work, k->nwork) != 0) {
        return gos__fail(ctx, GOS_E_NONFINITE,
                         "the constraint rows of a body's joints are not finite");
    }
    for (long i = 0; i < min; i++) {
        rank += fabs(k->A[i * n + i]) > GOS_CONSTRAINT_RANK * fabs(k->A[0]);
    }
    *nz = n - rank;
    memset(Z, 0, (size_t)n * *nz * sizeof *Z);
    for (long j = 0; j < *nz; j++) {
        Z[j * n + rank + j] = 1;
    }
    if (rank > 0 && *nz > 0 &&
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', n, *nz, rank, k->A, n, k->tau, Z, n,
                            k->work, k->nwork) != 0) {
        return gos__fail(ctx, GOS_E_NONFINITE,
                         "the constraint rows of a body's joints are not finite");
    }
    return GOS_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool touches(const gos_item *it, const part *p) {
    const int first = p->q0 / 3, end = first + p->nq / 3;
    for (int m = 0; m < it->nm; m++) {
        for (int j = 0; j < it->m[m].n; j++) {
            if (it->m[m].idx[j] >= first && it->m[m].idx[j] < end) {
                return true;
            }
        }
    }
    return false;
}

static gos_status list_rows(gos_local_parts *k) {
    const gos_system *s = k->sys;
    k->outer = gos__zalloc(k->ctx, s->nc + 1L, sizeof *k->outer);
    for (int b = 0; b < k->npart; b++) {
        k->part[b].inner = gos__zalloc(k->ctx, s->nc + 1L, sizeof(int));
        k->part[b].outer = gos__zalloc(k->ctx, s->nc + 1L, sizeof(int));
        if (!k->part[b].inner || !k->part[b].outer) {
            return GOS_E_MEMORY;
        }
    }
    for (int i = 0; i < s->nitem && k->outer; i++) {
        const gos_item *it = s->item[i];
        int bodies = 0;
        for (int b = 0; b < k->npart; b++) {
            bodies += touches(it, &k->part[b]);
        }
        for (int r = it->c0; r < it->c0 + it->nc; r++) {
            for (int b = 0; b < k->npart; b++) {
                part *p = &k->part[b];
                if (touches(it, p)) {
                    *(bodies > 1 ? &p->outer[p->nouter++] : &p->inner[p->ninner++]) = r;
                }
            }
            if (bodies > 1) {
                k->outer[k->nouter++] = r;
            }
        }
    }
    return k->outer ? GOS_OK : GOS_E_MEMORY;
}

/* ---- motions of one part --------------------------------------------------------------------- */

/* L (nq, nq) with L L^T = M, by columns */
static gos_status factor_mass(gos_local_parts *k, part *p) {
    const gos_system *s = k->sys;
    const int n = p->nq, first = p->q0 / 3;
    memset(p->L, 0, (size_t)n * n * sizeof *p->L);
    for (int i = 0; i < n / 3; i++) {
        for (int e = s->mass.p[first + i]; e < s->mass.p[first + i + 1]; e++) {
            const int j = s->mass.j[e] - first;
            for (int c = 0; c < 3 && j >= 0 && j < n / 3; c++) {
                p->L[(size_t)(3 * j + c) * n + 3 * i + c] = s->mass.v[e];
            }
        }
    }
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, p->L, n) == 0
               ? GOS_OK
               : gos__fail_at(k->ctx, GOS_E_SINGULAR, p->body->loc, p->body->name,
                              "has massless degrees of freedom, so component modes do not exist; "
                              "use complex_modes, with modes of the whole system");
}

/* U for k->C; *n motions */
static gos_status own_motions(gos_local_parts *k, part *p, int *n) {
    const int nq = p->nq;
    for (long r = 0; r < p->ninner; r++) {
        cblas_dcopy(nq, k->C + (size_t)p->inner[r] * k->sys->nq + p->q0, 1, k->null.A + r * nq, 1);
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, nq, p->L, nq,
                    k->null.A + r * nq, 1);
    }
    double *Z = k->square;
    GOS_TRY(null_space(k->ctx, &k->null, nq, p->ninner, Z, n));
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, nq, *n, 1, p->L, nq,
                Z, nq);
    for (int j = 0; j < *n; j++) {
        cblas_dcopy(nq, Z + (size_t)j * nq, 1, p->U + j, *n);
    }
    for (long r = 0; r < p->nouter; r++) {
        cblas_dgemv(CblasRowMajor, CblasTrans, nq, *n, 1, p->U, *n,
                    k->C + (size_t)p->outer[r] * k->sys->nq + p->q0, 1, 0, p->G + r * *n, 1);
    }
    return GOS_OK;
}

/* N (n, n - held): motions that leave the interface fixed */
static gos_status hold(gos_local_parts *k, part *p, int *free) {
    memcpy(k->null.A, p->G, (size_t)p->nouter * p->n * sizeof *p->G);
    double *Z = k->square;
    GOS_TRY(null_space(k->ctx, &k->null, p->n, p->nouter, Z, free));
    for (int j = 0; j < *free; j++) {
        cblas_dcopy(p->n, Z + (size_t)j * p->n, 1, p->N + j, *free);
    }
    return GOS_OK;
}

static gos_status changed(const gos_local_parts *k, const part *p) {
    return gos__fail_at(k->ctx, GOS_E_SINGULAR, p->body->loc, p->body->name,
                        "the number of degrees of freedom that its joints allow has changed: the "
                        "mechanism passes through a singular configuration");
}

static gos_status motions(gos_local_parts *k, part *p, bool held) {
    int n = 0, free = 0;
    GOS_TRY(own_motions(k, p, &n));
    if (n != p->n) {
        return changed(k, p);
    }
    if (held && !p->rigid) {
        GOS_TRY(hold(k, p, &free));
        return free == n - p->held ? GOS_OK : changed(k, p);
    }
    return GOS_OK;
}

/* ---- matrices of one part -------------------------------------------------------------------- */

/* A (n, n) = U^T J U */
static void project(const gos_local_parts *k, part *p, const double *values, double *A) {
    const gos_system *s = k->sys;
    const int nq = p->nq, n = p->n;
    memset(p->J, 0, (size_t)nq * nq * sizeof *p->J);
    for (long j = 0; j < nq; j++) {
        const int column = s->at.q + p->q0 + (int)j;
        for (int e = s->pattern.p[column]; e < s->pattern.p[column + 1]; e++) {
            const long i = s->pattern.i[e] - s->at.q - p->q0;
            if (i >= 0 && i < nq) {
                p->J[i * nq + j] = values[e];
            }
        }
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, nq, n, nq, 1, p->J, nq, p->U, n, 0,
                k->square, n);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, nq, 1, p->U, n, k->square, n, 0, A,
                n);
}

/* A (m, m) = N^T B N */
static void restrict_to(const gos_local_parts *k, const part *p, const double *B, double *A) {
    const int n = p->n, m = n - p->held;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, n, 1, B, n, p->N, m, 0, k->square,
                m);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, m, n, 1, p->N, m, k->square, m, 0, A,
                m);
}

/* lowest elastic frequency of the part [rad/s] */
static double lowest(const gos_local_modes *m) {
    const double rigid = RIGID * fabs(m->lambda[m->p - 1]);
    for (int i = 0; i < m->p; i++) {
        if (m->lambda[i] > rigid) {
            return sqrt(m->lambda[i]);
        }
    }
    return sqrt(fabs(m->lambda[m->p - 1]));
}

static gos_status part_columns(gos_local_parts *k, part *p, const gos_local *g) {
    gos_local_modes *all = p->all, *own = p->modes;
    all->m = 0;
    if (p->rigid) {
        memset(all->V, 0, (size_t)p->n * p->n * sizeof *all->V);
        for (long i = 0; i < p->n; i++) {
            all->V[i * p->n + i] = 1;
        }
        all->m = p->n;
        return GOS_OK;
    }
    project(k, p, g->stiff, all->K);
    project(k, p, g->w->values, all->D);
    if (p->held > 0) {
        restrict_to(k, p, all->K, own->K);
        restrict_to(k, p, all->D, own->D);
    } else {
        memcpy(own->K, all->K, (size_t)p->n * p->n * sizeof *own->K);
        memcpy(own->D, all->D, (size_t)p->n * p->n * sizeof *own->D);
    }
    GOS_TRY(gos__local_modes_solve(own, &g->def));
    double *x = all->small + (size_t)p->n * p->n;
    for (long j = 0; j < own->m; j++) {
        if (p->held > 0) {
            cblas_dgemv(CblasRowMajor, CblasNoTrans, p->n, own->n, 1, p->N, own->n,
                        own->V + j * own->n, 1, 0, x, 1);
        } else {
            memcpy(x, own->V + j * p->n, p->n * sizeof *x);
        }
        (void)gos__local_modes_append(all, x);
    }
    const double s = lowest(own);
    for (long r = 0; r < p->nouter && g->def.attachments && s > 0; r++) {
        memcpy(x, p->G + r * p->n, p->n * sizeof *x);
        const gos_status status = gos__local_modes_respond(all, 1 / s, x);
        if (status == GOS_OK) { // singular: omitted
            (void)gos__local_modes_append(all, x);
        } else if (status != GOS_RETRY) {
            return status;
        }
    }
    return GOS_OK;
}

/* ---- synthesis ------------------------------------------------------------------------------- */

/* returns the number of columns in B */
static int place(gos_local_parts *k) {
    int m = 0;
    memset(k->B, 0, (size_t)k->sys->nq * k->max_columns * sizeof *k->B);
    for (int b = 0; b < k->npart; b++) {
        const part *p = &k->part[b];
        if (p->all->m > 0) {
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, p->nq, p->all->m, p->n, 1, p->U,
                        p->n, p->all->V, p->n, 0, k->B + (size_t)p->q0 * k->max_columns + m,
                        k->max_columns);
        }
        m += p->all->m;
    }
    return m;
}

static gos_status combine(gos_local_parts *k, gos_local *g, int m) {
    const int nq = k->sys->nq, n = g->n;
    const double *U = gos__nullspace_basis(g->space);
    int nz = 0;
    for (long r = 0; r < k->nouter; r++) {
        cblas_dgemv(CblasRowMajor, CblasTrans, nq, m, 1, k->B, k->max_columns,
                    k->C + (size_t)k->outer[r] * nq, 1, 0, k->null.A + r * m, 1);
    }
    GOS_TRY(null_space(k->ctx, &k->null, m, k->nouter, k->Z, &nz));
    g->modes->m = 0;
    for (long j = 0; j < nz; j++) {
        double *y = g->modes->small;
        cblas_dgemv(CblasRowMajor, CblasNoTrans, nq, m, 1, k->B, k->max_columns, k->Z + j * m, 1, 0,
                    k->W, 1);
        gos__rows_apply(&k->sys->mass, 3, k->W, k->MW);
        cblas_dgemv(CblasRowMajor, CblasTrans, nq, n, 1, U, n, k->MW, 1, 0, y, 1);
        (void)gos__local_modes_append(g->modes, y);
    }
    g->modes->nmodal = g->modes->m;
    return GOS_OK;
}

gos_status gos__local_parts_columns(gos_local *g) {
    gos_local_parts *k = g->parts;
    g->modes->pairs = g->modes->overdamped = 0;
    gos__constraint_rows_fill(k->sys, g->w, g->x->t, g->x->q, k->C);
    for (int b = 0; b < k->npart; b++) {
        part *p = &k->part[b];
        GOS_TRY(motions(k, p, g->def.interfaces == GOS_INTERFACES_HELD));
        GOS_TRY(part_columns(k, p, g));
        g->modes->pairs += p->rigid ? 0 : p->modes->pairs;
        g->modes->overdamped += p->rigid ? 0 : p->modes->overdamped;
    }
    return combine(k, g, place(k));
}

int gos__local_parts_max_columns(const gos_local_parts *k) {
    return k->max_columns;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

static gos_status zeros(gos_local_parts *k, double **x, size_t n) {
    *x = gos__zalloc(k->ctx, n + 1, sizeof **x);
    return *x ? GOS_OK : GOS_E_MEMORY;
}

static gos_status prepare(gos_local_parts *k, part *p, const gos_local_def *def) {
    const size_t nq = p->nq;
    int free = 0;
    GOS_TRY(zeros(k, &p->U, nq * nq));
    GOS_TRY(zeros(k, &p->G, p->nouter * nq));
    GOS_TRY(zeros(k, &p->N, nq * nq));
    GOS_TRY(zeros(k, &p->J, nq * nq));
    GOS_TRY(zeros(k, &p->L, nq * nq));
    GOS_TRY(factor_mass(k, p));
    GOS_TRY(own_motions(k, p, &p->n));
    p->rigid = p->body->rigid_item >= 0 || p->n == 0;
    if (def->interfaces == GOS_INTERFACES_HELD && !p->rigid) {
        GOS_TRY(hold(k, p, &free));
        p->held = p->n - free;
        p->rigid = free == 0;
    }
    if (!p->rigid) {
        GOS_TRY(gos__local_modes_create(k->ctx, p->n - p->held, def, &p->modes));
    }
    const int own = p->rigid ? p->n : p->modes->cap - 2 + (def->attachments ? p->nouter : 0);
    GOS_TRY(gos__local_columns_create(k->ctx, p->n, own, &p->all));
    k->max_columns += p->all->cap - 2;
    return GOS_OK;
}

static gos_status list_parts(gos_local_parts *k) {
    const gos_system *s = k->sys;
    int nv = 0;
    k->part = gos__zalloc(k->ctx, s->nbody + 1L, sizeof *k->part);
    for (int b = 0; b < s->nbody && k->part; b++) {
        if (s->body[b]->nv > 0) {
            k->part[k->npart++] =
                (part){.body = s->body[b], .q0 = 3 * s->body[b]->v0, .nq = 3 * s->body[b]->nv};
            nv += s->body[b]->nv;
        }
    }
    if (k->part && nv != s->nv) {
        return gos__fail(k->ctx, GOS_E_USE,
                         "reduction: complex_synthesis requires every coordinate to belong to one "
                         "body, which is not the case here; use complex_modes");
    }
    return k->part ? GOS_OK : GOS_E_MEMORY;
}

static gos_status fill(gos_local_parts *k, gos_local *g) {
    const size_t nq = k->sys->nq, nc = k->sys->nc;
    GOS_TRY(list_parts(k));
    GOS_TRY(list_rows(k));
    GOS_TRY(zeros(k, &k->C, nc * nq));
    GOS_TRY(zeros(k, &k->square, nq * nq));
    GOS_TRY(null_create(k->ctx, k->sys->nq, k->sys->nc, &k->null));
    gos__constraint_rows_fill(k->sys, g->w, g->x->t, g->x->q, k->C);
    for (int b = 0; b < k->npart; b++) {
        GOS_TRY(prepare(k, &k->part[b], &g->def));
    }
    const size_t max_columns = k->max_columns;
    GOS_TRY(zeros(k, &k->B, nq * max_columns));
    GOS_TRY(zeros(k, &k->Z, max_columns * max_columns));
    GOS_TRY(zeros(k, &k->W, nq));
    return zeros(k, &k->MW, nq);
}

gos_status gos__local_parts_create(gos_local *g, gos_local_parts **parts) {
    GOS_TRY(gos__local_size_check(g->ctx, g->n));
    gos_local_parts *k = gos__zalloc(g->ctx, 1, sizeof *k);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->ctx = g->ctx;
    k->sys = g->sys;
    const gos_status status = fill(k, g);
    if (status != GOS_OK) {
        gos__local_parts_destroy(k);
        return status;
    }
    *parts = k;
    return GOS_OK;
}

void gos__local_parts_destroy(gos_local_parts *k) {
    if (!k) {
        return;
    }
    for (int b = 0; b < k->npart; b++) {
        part *p = &k->part[b];
        void *const blocks[] = {p->inner, p->outer, p->U, p->G, p->N, p->J, p->L};
        for (int i = 0; i < GOS_COUNT(blocks); i++) {
            gos__free(k->ctx, blocks[i]);
        }
        gos__local_modes_destroy(p->modes);
        gos__local_modes_destroy(p->all);
    }
    void *const blocks[] = {k->part, k->C, k->outer, k->B, k->Z, k->W, k->MW, k->square};
    for (int i = 0; i < GOS_COUNT(blocks); i++) {
        gos__free(k->ctx, blocks[i]);
    }
    null_destroy(k->ctx, &k->null);
    gos__free(k->ctx, k);
}
