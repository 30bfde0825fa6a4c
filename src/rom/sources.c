/* Temperature functions for sources that sit at a place: heaters, contacts. Smooth functions along a body hold no
   peak; what one unit of such a source does to the body, (C / tau + L) g = w for some times tau and at rest, is a
   function more. They are functions of the mesh, so they come with points of the mesh only. With as many
   functions as a body has nodes its temperatures are kept as they are. */
#include <cblas.h>
#include <math.h>

#include "rom/rom.h"

#define TIMES 4 // responses to a source: after a hundredth, a tenth and all of the run, and at rest
#define REST 1e-6 // at rest a body without any other support keeps this part of its rate
#define NEW 1e-3  // what a function adds, relative to itself: less is nothing
#define MOST 24   // functions for sources that a body gets

/* Scalar capacity and conduction of one family of a body, and their sum to be solved with. */
typedef struct body_heat {
    const gos_rom *r;
    const gos_rom_body *p;
    int n; // nodes
    gos_pattern pattern;
    double *C, *L, *A; // (nnz)
} body_heat;

static bool is_source(const gos_item *it) {
    return it->ntm > 0 && it->nh == 0 && it->nc == 0 && !it->watches;
}

static bool has_markers(const gos_item *it, const gos_body *b) {
    for (int m = 0; m < it->ntm; m++) {
        for (int j = 0; j < it->tm[m].n; j++) {
            const int at = it->tm[m].idx[j] - b->t0;
            if (at >= 0 && at < b->nt && it->tm[m].n < b->nt / b->nfam) {
                return true;
            }
        }
    }
    return false;
}

bool gos__rom_has_sources(const gos_system *s) {
    for (int i = 0; i < s->nitem; i++) {
        for (int k = 0; k < s->nbody && is_source(s->item[i]); k++) {
            const gos_body *b = s->body[k];
            if (b->nt > 0 && b->ops->fields && has_markers(s->item[i], b)) {
                return true;
            }
        }
    }
    return false;
}

uint64_t gos__rom_local_heat(const gos_system *s) {
    uint64_t h = GOS_HASH_BEGIN;
    for (int i = 0; i < s->nitem; i++) {
        for (int k = 0; k < s->nbody && is_source(s->item[i]); k++) {
            const gos_body *b = s->body[k];
            const bool expands = b->nt > 0 && gos__body_expands(b);
            for (int m = 0; expands && has_markers(s->item[i], b) && m < s->item[i]->ntm; m++) {
                const gos_tmarker *t = &s->item[i]->tm[m];
                h = gos__hash(h, t->idx, t->n * sizeof *t->idx);
                h = gos__hash(h, t->w, t->n * sizeof *t->w);
            }
        }
    }
    return h;
}

/* ---- matrices of a body ---------------------------------------------------------------------- */

/* entries of row i of M among the first family of the body; returns how many are in the list then */
static int add_row(const body_heat *h, const gos_rows_matrix *M, int i, int n, int *list,
                   double *value, const int *where) {
    const gos_body *b = h->p->body;
    const int row = b->t0 + i * b->nfam;
    for (int e = M->p[row]; e < M->p[row + 1]; e++) {
        const int at = M->j[e] - b->t0;
        if (at < 0 || at >= b->nt || at % b->nfam != 0) {
            continue;
        }
        const int j = at / b->nfam;
        if (value) {
            value[where[j]] += M->v[e];
            continue;
        }
        int k = 0;
        while (k < n && list[k] != j) {
            k++;
        }
        list[k] = j;
        n = k == n ? n + 1 : n;
    }
    return n;
}

static int ascending(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static gos_status make_matrices(body_heat *h) {
    gos_arena *a = h->r->arena;
    const gos_rows_matrix *C = &h->r->full->capacity, *L = &h->r->full->conduction;
    const gos_body *b = h->p->body;
    int room = 0;
    for (int i = 0; i < h->n; i++) {
        const int row = b->t0 + i * b->nfam;
        room += C->p[row + 1] - C->p[row] + L->p[row + 1] - L->p[row];
    }
    h->pattern.n = h->n;
    h->pattern.p = GOS_NEW(a, int, h->n + 1);
    h->pattern.i = GOS_NEW(a, int, room + 1);
    h->C = GOS_NEW(a, double, room + 1);
    h->L = GOS_NEW(a, double, room + 1);
    h->A = GOS_NEW(a, double, room + 1);
    int *where = GOS_NEW(a, int, h->n + 1);
    if (!h->pattern.p || !h->pattern.i || !h->C || !h->L || !h->A || !where) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < h->n; i++) { // symmetric: rows are columns
        int *list = h->pattern.i + h->pattern.p[i];
        int n = add_row(h, C, i, 0, list, NULL, NULL);
        n = add_row(h, L, i, n, list, NULL, NULL);
        qsort(list, n, sizeof *list, ascending);
        h->pattern.p[i + 1] = h->pattern.p[i] + n;
        for (int k = 0; k < n; k++) {
            where[list[k]] = h->pattern.p[i] + k;
        }
        (void)add_row(h, C, i, 0, NULL, h->C, where);
        (void)add_row(h, L, i, 0, NULL, h->L, where);
    }
    h->pattern.nnz = h->pattern.p[h->n];
    return GOS_OK;
}

/* y = C x */
static void weigh(const body_heat *h, const double *x, double *y) {
    for (int i = 0; i < h->n; i++) {
        y[i] = 0;
        for (int k = h->pattern.p[i]; k < h->pattern.p[i + 1]; k++) {
            y[i] += h->C[k] * x[h->pattern.i[k]];
        }
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

typedef struct functions {
    int n, nt, m; // nodes, smooth functions, all of them
    double *q;    // orthonormal in C, the smooth ones first (nt + MOST, n)
    double *y, *Cy;
} functions;

static double length_of(const body_heat *h, functions *k) {
    weigh(h, k->y, k->Cy);
    return sqrt(fmax(0, cblas_ddot(k->n, k->y, 1, k->Cy, 1)));
}

static void remove_functions(const body_heat *h, functions *k, int from, int to) {
    weigh(h, k->y, k->Cy);
    for (long j = from; j < to; j++) {
        const double *q = k->q + j * k->n;
        cblas_daxpy(k->n, -cblas_ddot(k->n, q, 1, k->Cy, 1), q, 1, k->y, 1);
    }
}

/* k->y without what is there; its new length relative to that without the mean, which is large at rest */
static double remainder_of(const body_heat *h, functions *k) {
    remove_functions(h, k, 0, k->m < 1 ? k->m : 1);
    const double before = length_of(h, k);
    remove_functions(h, k, 0, k->m);
    remove_functions(h, k, 0, k->m);
    const double after = length_of(h, k);
    cblas_dscal(k->n, after > 0 ? 1 / after : 0, k->y, 1);
    return before > 0 ? after / before : 0;
}

static void take(const body_heat *h, functions *k, double least) {
    if (k->m < k->nt + MOST && k->m < k->n && remainder_of(h, k) > least) {
        memcpy(k->q + (size_t)k->m++ * k->n, k->y, k->n * sizeof *k->y);
    }
}

/* responses to a unit of heat at one marker, for one time */
static void respond(const body_heat *h, functions *k, gos_solver *solver, const gos_tmarker *m) {
    const gos_body *b = h->p->body;
    memset(k->y, 0, k->n * sizeof *k->y);
    double most = 0;
    for (int j = 0; j < m->n; j++) {
        const int at = m->idx[j] - b->t0;
        if (at >= 0 && at < b->nt && at % b->nfam == 0) {
            k->y[at / b->nfam] += m->w[j];
            most = fmax(most, fabs(m->w[j]));
        }
    }
    if (most > 0) {
        gos__solver_solve(solver, k->y);
        take(h, k, NEW);
    }
}

static gos_status add_responses(const body_heat *h, functions *k) {
    const gos_system *s = h->r->full;
    const double end = s->options.end;
    double c = 0, l = 0;
    gos_solver *solver = NULL;
    for (int i = 0; i < h->pattern.nnz; i++) {
        c += fabs(h->C[i]);
        l += fabs(h->L[i]);
    }
    gos_status status = gos__solver_create(h->r->ctx, &h->pattern, &solver);
    for (int t = 0; t < TIMES && status == GOS_OK && c > 0; t++) {
        const bool rest = t == TIMES - 1 || !(end > 0);
        const double rate = rest ? REST * l / c : 100 * pow(0.1, t) / end;
        for (int i = 0; i < h->pattern.nnz; i++) {
            h->A[i] = rate * h->C[i] + h->L[i];
        }
        status = gos__solver_factor(solver, h->A, NULL);
        for (int i = 0; i < s->nitem && status == GOS_OK; i++) {
            for (int m = 0; m < s->item[i]->ntm && is_source(s->item[i]); m++) {
                respond(h, k, solver, &s->item[i]->tm[m]);
            }
        }
    }
    gos__solver_destroy(solver);
    return status == GOS_E_SINGULAR ? GOS_OK : status; // a body without capacity
}

/* tvalue (nodes, m) and tdual (m, nodes) with the functions that came */
static gos_status store(const body_heat *h, const functions *k, gos_body_fields *f) {
    gos_arena *a = h->r->arena;
    const size_t n = k->n, m = k->m, nt = k->nt;
    double *value = GOS_NEW(a, double, n *m + 1), *dual = GOS_NEW(a, double, n *m + 1);
    if (!value || !dual) {
        return GOS_E_MEMORY;
    }
    memcpy(dual, f->tdual, n * nt * sizeof *dual);
    for (size_t i = 0; i < n; i++) {
        memcpy(value + i * m, f->tvalue + i * nt, nt * sizeof *value);
        for (size_t j = nt; j < m; j++) {
            value[i * m + j] = k->q[j * n + i];
        }
    }
    for (size_t j = nt; j < m; j++) {
        weigh(h, k->q + j * n, dual + j * n);
    }
    f->tvalue = value;
    f->tdual = dual;
    f->nt = k->m;
    return GOS_OK;
}

/* every node by itself */
static gos_status keep_nodes(gos_rom *r, gos_body_fields *f, int n) {
    f->tvalue = GOS_NEW(r->arena, double, (size_t)n *n + 1);
    f->tdual = GOS_NEW(r->arena, double, (size_t)n *n + 1);
    if (!f->tvalue || !f->tdual) {
        return GOS_E_MEMORY;
    }
    for (long i = 0; i < n; i++) {
        f->tvalue[i * n + i] = 1;
        f->tdual[i * n + i] = 1;
    }
    f->nt = n;
    return GOS_OK;
}

/* smooth functions and those of the sources, as many as the mesh has */
static gos_status make_functions(body_heat *h, functions *k) {
    gos_arena *a = h->r->arena;
    const gos_body_fields *f = &h->p->f;
    k->q = GOS_NEW(a, double, (size_t)(k->nt + MOST) * k->n + 1);
    k->y = GOS_NEW(a, double, k->n + 1);
    k->Cy = GOS_NEW(a, double, k->n + 1);
    if (!k->q || !k->y || !k->Cy) {
        return GOS_E_MEMORY;
    }
    for (int j = 0; j < k->nt; j++) {
        cblas_dcopy(k->n, f->tvalue + j, f->nt, k->y, 1);
        take(h, k, 0);
    }
    // with fewer the smooth ones say all that the mesh can
    return k->m < k->nt ? GOS_OK : add_responses(h, k);
}

/* the families of the body that a source can reach */
static void find_fed(const gos_item *it, const gos_body *b, bool *fed) {
    double x[3 * GOS_ITEM_MARKERS] = {0}, th[GOS_ITEM_TMARKERS] = {0};
    double fn[GOS_ITEM_FUNCTIONS] = {0}, heat[GOS_ITEM_TMARKERS];
    const bool known = it->namount > 0 && it->type->by_amount && it->nm == 0;
    for (int k = 0; k < (known ? it->namount : 1); k++) {
        memset(heat, 0, sizeof heat);
        const gos_item_io io = {.fn = fn,
                                .fnd = fn,
                                .fndd = fn,
                                .scale = 1,
                                .x = x,
                                .xd = x,
                                .th = th,
                                .mem = it->nmem ? th : NULL,
                                .heat = heat};
        if (known) {
            it->type->by_amount(it, &io, &it->amount[k]);
        }
        for (int m = 0; m < it->ntm; m++) {
            const int at = it->tm[m].n > 0 ? it->tm[m].idx[0] - b->t0 : -1;
            if (at >= 0 && at < b->nt && (!known || heat[m] != 0)) {
                fed[at % b->nfam] = true;
            }
        }
    }
}

gos_status gos__rom_sources(gos_rom *r, gos_rom_body *p) {
    const gos_body *b = p->body;
    gos_body_fields *f = &p->f;
    const int n = b->nfam ? b->nt / b->nfam : 0;
    const bool all = n > 0 && r->def.thermal_fields >= n && f->nt >= n;
    bool there = false;
    for (int i = 0; i < r->full->nitem && n > 0; i++) {
        if (is_source(r->full->item[i]) && has_markers(r->full->item[i], b)) {
            there = true;
            find_fed(r->full->item[i], b, p->fed);
        }
    }
    if (!there || f->nt == 0) {
        return all ? keep_nodes(r, f, n) : GOS_OK;
    }
    body_heat h = {.r = r, .p = p, .n = n};
    functions local = {.n = n, .nt = 1}, k = {.n = n, .nt = f->nt};
    GOS_TRY(make_matrices(&h));
    GOS_TRY(make_functions(&h, &local)); // whatever the number of smooth ones is
    r->short_of |= local.m == local.nt + MOST;
    p->source_fn = local.q;
    p->nsource_fn = local.m;
    p->nnode = n;
    if (all) {
        return keep_nodes(r, f, n);
    }
    GOS_TRY(make_functions(&h, &k));
    return k.m > k.nt ? store(&h, &k, f) : GOS_OK;
}
