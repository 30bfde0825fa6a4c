/* Displacement functions for local heat. Smooth fields cannot represent the expansion by local
   temperature functions (heat_sources.c) and would produce spurious stress. Each function adds
   the response K u = f(T) of the free body at its initial configuration, as scalar functions of
   the components of u; supports only add smooth responses. */
#include "rom/thermal_expansion.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/sparse.h"

#define FREE_SHIFT 1e-10   // shift of a free body relative to its largest eigenvalue
#define INDEPENDENT 1e-2   // smallest relative strain added by an independent function
#define MIN_PRINCIPAL 1e-3 // smallest principal function of a response, relative to its largest
#define MAX_FUNCTIONS 24   // largest number of functions per body
#define THERMAL_FAMILIES 3 // temperature families that bend and stretch

/* Matrices of a body, and its functions, orthonormal in the scalar mass. */
typedef struct expansion {
    gos_rom *r;
    gos_work *w;
    gos_rom_body *p;
    gos_sparse K, G, P;  // tangent (3 nv, 3 nv), thermal load matrix (3 nv, nt), shifted tangent
    gos_pattern pattern; // of P
    gos_solver *solver;
    int nv, n, m;        // rows; number of functions before and now
    double *q, *Mq;      // (n + MAX_FUNCTIONS, nv)
    double *x, *y, *My;  // components of a response (3, nv), one of them, mass times it (nv)
    double *u, *Ku, *th; // response and tangent times it (nv, 3), temperatures (nt)
} expansion;

/* ---- functions ------------------------------------------------------------------------------- */

static void weigh(const expansion *k, const double *x, double *y) {
    const gos_rows_matrix *M = &k->r->full->mass;
    const int v0 = k->p->body->v0;
    for (int i = 0; i < k->nv; i++) {
        y[i] = 0;
        for (int e = M->p[v0 + i]; e < M->p[v0 + i + 1]; e++) {
            const int j = M->j[e] - v0;
            y[i] += j >= 0 && j < k->nv ? M->v[e] * x[j] : 0;
        }
    }
}

/* orthogonalise x (nv); returns its length, with mass times x in k->My */
static double remove_functions(const expansion *k, double *x) {
    for (int pass = 0; pass < 2; pass++) {
        for (long j = 0; j < k->m; j++) {
            const size_t at = j * k->nv;
            cblas_daxpy(k->nv, -cblas_ddot(k->nv, k->Mq + at, 1, x, 1), k->q + at, 1, x, 1);
        }
    }
    weigh(k, x, k->My);
    return sqrt(fmax(0, cblas_ddot(k->nv, x, 1, k->My, 1)));
}

static void append(expansion *k, const double *x, double size) {
    const size_t at = (size_t)k->m++ * k->nv;
    for (int i = 0; i < k->nv; i++) {
        k->q[at + i] = x[i] / size;
        k->Mq[at + i] = k->My[i] / size;
    }
}

/* twice the strain energy of components (3, nv) */
static double energy_of(const expansion *k, const double *x) {
    for (long i = 0; i < 3 * k->nv; i++) {
        k->u[i] = x[i % 3 * k->nv + (i / 3)];
    }
    gos__sparse_apply(&k->K, 1, k->u, k->Ku);
    return fmax(0, cblas_ddot(3 * k->nv, k->u, 1, k->Ku, 1));
}

/* append principal functions of k->x, which do not depend on the global axes */
static void take(expansion *k) {
    const int nv = k->nv;
    const double before = energy_of(k, k->x);
    double G[9], w[3];
    for (long c = 0; c < 3; c++) {
        (void)remove_functions(k, k->x + c * nv);
        for (long d = 0; d <= c; d++) {
            G[3 * c + d] = cblas_ddot(nv, k->My, 1, k->x + d * nv, 1);
        }
    }
    if (!(energy_of(k, k->x) > INDEPENDENT * INDEPENDENT * before)) {
        return;
    }
    k->r->short_of |= k->m == k->n + MAX_FUNCTIONS;
    if (LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'L', 3, G, 3, w) != 0) {
        return;
    }
    for (int i = 2;
         i >= 0 && w[i] > MIN_PRINCIPAL * MIN_PRINCIPAL * w[2] && k->m < k->n + MAX_FUNCTIONS;
         i--) {
        memset(k->y, 0, nv * sizeof *k->y);
        for (long c = 0; c < 3; c++) {
            cblas_daxpy(nv, G[3 * c + i], k->x + c * nv, 1, k->y, 1);
        }
        const double size = remove_functions(k, k->y);
        if (size > 0) {
            append(k, k->y, size);
        }
    }
}

/* ---- response of a body ---------------------------------------------------------------------- */

/* response to function j of a family */
static void respond(expansion *k, int family, long j) {
    const gos_body *b = k->p->body;
    memset(k->th, 0, b->nt * sizeof *k->th);
    for (int i = 0; i < k->p->nnode; i++) {
        k->th[i * b->nfam + family] = k->p->source_fn[j * k->p->nnode + i];
    }
    gos__sparse_apply(&k->G, 1, k->th, k->u);
    gos__solver_solve(k->solver, k->u);
    for (long i = 0; i < 3 * k->nv; i++) {
        k->x[i % 3 * k->nv + (i / 3)] = -k->u[i];
    }
    take(k);
}

/* estimated by the diagonals */
static double largest(const gos_sparse *K, const gos_rows_matrix *M, int v0) {
    double max = 0;
    for (int c = 0; c < K->n; c++) {
        double stiffness = 0, mass = 0;
        for (int e = K->p[c]; e < K->p[c + 1]; e++) {
            stiffness = K->i[e] == c ? K->x[e] : stiffness;
        }
        for (int e = M->p[v0 + c / 3]; e < M->p[v0 + c / 3 + 1]; e++) {
            mass = M->j[e] == v0 + c / 3 ? M->v[e] : mass;
        }
        max = mass > 0 ? fmax(max, stiffness / mass) : max;
    }
    return max;
}

static gos_status make_matrices(expansion *k) {
    const gos_system *s = k->r->full;
    const gos_body *b = k->p->body;
    const gos_point_of at = {.q = s->e0, .th = s->th0};
    const int v0 = 3 * b->v0, n = 3 * k->nv;
    gos_ctx *ctx = k->r->ctx;
    gos_sparse K, M = {0};
    gos__jacobian(k->w, &at, &(gos_newton_factors){.k = 1});
    GOS_TRY(
        gos__sparse_block(ctx, &s->pattern, k->w->values, v0, n, s->at.th + b->t0, b->nt, &k->G));
    GOS_TRY(gos__sparse_block(ctx, &s->pattern, k->w->values, v0, n, v0, n, &K));
    gos_status status = gos__sparse_symmetric_part(ctx, &K, &k->K, NULL);
    gos__sparse_free(ctx, &K);
    GOS_TRY(status);
    gos__jacobian(k->w, &at, &(gos_newton_factors){.m = 1});
    GOS_TRY(gos__sparse_block(ctx, &s->pattern, k->w->values, v0, n, v0, n, &M));
    const double shift = FREE_SHIFT * largest(&k->K, &s->mass, b->v0);
    status = gos__sparse_sum(ctx, 1, &k->K, shift, &M, &k->P);
    gos__sparse_free(ctx, &M);
    return status;
}

static gos_status make_functions(expansion *k) {
    gos_arena *a = k->r->arena;
    const size_t nv = k->nv, room = k->n + MAX_FUNCTIONS;
    k->q = GOS_NEW(a, double, room *nv);
    k->Mq = GOS_NEW(a, double, room *nv);
    k->x = GOS_NEW(a, double, 3 * nv);
    k->y = GOS_NEW(a, double, nv);
    k->My = GOS_NEW(a, double, nv);
    k->u = GOS_NEW(a, double, 3 * nv);
    k->Ku = GOS_NEW(a, double, 3 * nv);
    k->th = GOS_NEW(a, double, k->p->body->nt + 1);
    if (!k->q || !k->Mq || !k->x || !k->y || !k->My || !k->u || !k->Ku || !k->th) {
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < k->n; j++) {
        cblas_dcopy(k->nv, k->p->f.value + j, k->n, k->y, 1);
        const double size = remove_functions(k, k->y);
        if (!(size > 0)) {
            return GOS_OK; // k->m < k->n: the mesh is spanned
        }
        append(k, k->y, size);
    }
    return GOS_OK;
}

/* value (nv, m), dual (m, nv) with new functions; allocates the mass */
static gos_status store(const expansion *k, gos_body_fields *f) {
    gos_arena *a = k->r->arena;
    const size_t nv = k->nv, m = k->m, n = k->n;
    double *value = GOS_NEW(a, double, nv *m), *dual = GOS_NEW(a, double, nv *m);
    double *mass = GOS_NEW(a, double, m *m);
    if (!value || !dual || !mass) {
        return GOS_E_MEMORY;
    }
    memcpy(dual, f->dual, nv * n * sizeof *dual);
    memcpy(dual + nv * n, k->Mq + nv * n, nv * (m - n) * sizeof *dual);
    for (size_t i = 0; i < nv; i++) {
        memcpy(value + i * m, f->value + i * n, n * sizeof *value);
        for (size_t j = n; j < m; j++) {
            value[i * m + j] = k->q[j * nv + i];
        }
    }
    f->value = value;
    f->dual = dual;
    f->mass = mass;
    f->n = k->m;
    return GOS_OK;
}

static gos_status expand(expansion *k) {
    const gos_body *b = k->p->body;
    GOS_TRY(make_functions(k));
    if (k->m < k->n) {
        return GOS_OK;
    }
    GOS_TRY(make_matrices(k));
    k->pattern = (gos_pattern){.n = k->P.n, .nnz = k->P.nnz, .p = k->P.p, .i = k->P.i};
    GOS_TRY(gos__solver_create(k->r->ctx, &k->pattern, &k->solver));
    const gos_status status = gos__solver_factor(k->solver, k->P.x, NULL);
    if (status != GOS_OK) {
        return status == GOS_E_SINGULAR ? GOS_OK : status; // coordinates without mass or stiffness
    }
    for (int f = 0; f < b->nfam && f < THERMAL_FAMILIES; f++) {
        for (int j = 0; j < k->p->nsource_fn && k->p->fed[f]; j++) {
            respond(k, f, j);
        }
    }
    return k->m > k->n ? store(k, &k->p->f) : GOS_OK;
}

bool gos__rom_expands(const gos_rom_body *p) {
    return p->nsource_fn > 0 && gos__body_expands(p->body);
}

gos_status gos__rom_expansion(gos_rom *r, gos_rom_body *p) {
    if (r->found || p->f.n == 0 || !gos__rom_expands(p)) { // existing fields already include it
        return GOS_OK;
    }
    expansion k = {.r = r, .p = p, .nv = p->body->nv, .n = p->f.n};
    gos_status status = gos__work_create(r->ctx, r->full, &k.w);
    status = status == GOS_OK ? expand(&k) : status;
    gos__solver_destroy(k.solver);
    gos__sparse_free(r->ctx, &k.K);
    gos__sparse_free(r->ctx, &k.G);
    gos__sparse_free(r->ctx, &k.P);
    gos__work_destroy(r->ctx, k.w);
    p->expansions = k.m > k.n ? k.m - k.n : 0;
    r->expansions += p->expansions;
    return status;
}

/* ---- fields at mesh coordinates -------------------------------------------------------------- */

/* T (n, m) and D0 (n, 3) of group i at vector coordinates, in body order */
static gos_status values_of(gos_rom *r, int i, gos_rom_info *k) {
    const int m = r->group[i].m;
    for (int j = 0; j < r->nbody; j++) {
        k->n[i] += r->body[j].group == i ? r->body[j].body->nv : 0;
    }
    k->m[i] = m;
    double *T = k->T[i] = GOS_NEW(r->arena, double, (size_t)k->n[i] * m + 1);
    double *D = k->D0[i] = GOS_NEW(r->arena, double, 3L * k->n[i] + 1);
    if (!T || !D) {
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < r->nbody; j++) {
        const gos_rom_body *p = &r->body[j];
        if (p->group == i) {
            const size_t nv = p->body->nv;
            memcpy(T, p->phi, nv * m * sizeof *T);
            memcpy(D, p->origin, 3 * nv * sizeof *D);
            T += nv * m;
            D += 3 * nv;
        }
    }
    return GOS_OK;
}

gos_status gos__rom_at_nodes(gos_rom *r) {
    gos_rom_info *k = GOS_NEW(r->arena, gos_rom_info, 1);
    if (!k) {
        return GOS_E_MEMORY;
    }
    k->ngroup = r->ngroup;
    k->n = GOS_NEW(r->arena, int, 2 * r->ngroup + 1);
    k->T = GOS_NEW(r->arena, double *, 2 * r->ngroup + 1);
    if (!k->n || !k->T) {
        return GOS_E_MEMORY;
    }
    k->m = k->n + r->ngroup;
    k->D0 = k->T + r->ngroup;
    for (int i = 0; i < r->ngroup; i++) {
        GOS_TRY(values_of(r, i, k));
    }
    r->found = k;
    r->def.fields = GOS_FIELDS_MODES;
    r->ngroup = r->nv = r->nt = 0;
    return GOS_OK;
}

uint64_t gos__rom_relieved(const gos_rom *r) {
    const bool on_mesh = r->def.fields == GOS_FIELDS_MODES || r->def.on_mesh;
    return on_mesh && !r->short_of ? gos__rom_local_heat(r->full) : 0;
}
