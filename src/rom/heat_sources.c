/* Temperature functions of local sources (heaters, contacts): responses (C / tau + L) g = w of
   the body to unit heat for some times tau and at steady state, with points of the mesh. If
   there are as many as nodes, nodal temperatures are kept. */
#include <cblas.h>
#include <math.h>

#include "rom/heat_space.h"

#define TIMES 4 // responses to a source: after 1/100, 1/10 and all of the run, and steady
// steady state: part of the rate kept, for bodies without heat sink
#define KEPT_RATE 1e-6
#define INDEPENDENT 1e-3 // smallest relative norm of an independent function
#define MAX_FUNCTIONS 24 // largest number of functions for sources per body

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

/* ---- functions ------------------------------------------------------------------------------- */

/* unit heat at one marker, one time */
static void respond(const gos_heat_space *h, gos_heat_functions *k, gos_solver *solver,
                    const gos_tmarker *m) {
    const gos_body *b = h->p->body;
    memset(k->y, 0, k->n * sizeof *k->y);
    double max = 0;
    for (int j = 0; j < m->n; j++) {
        const int at = m->idx[j] - b->t0;
        if (at >= 0 && at < b->nt && at % b->nfam == 0) {
            k->y[at / b->nfam] += m->w[j];
            max = fmax(max, fabs(m->w[j]));
        }
    }
    if (max > 0) {
        gos__solver_solve(solver, k->y);
        gos__heat_functions_add(h, k, INDEPENDENT);
    }
}

static gos_status add_responses(const gos_heat_space *h, gos_heat_functions *k) {
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
        const double rate = rest ? KEPT_RATE * l / c : 100 * pow(0.1, t) / end;
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

/* up to the number of nodes */
static gos_status make_functions(const gos_heat_space *h, gos_heat_functions *k) {
    GOS_TRY(gos__heat_functions_begin(h, MAX_FUNCTIONS, k));
    // otherwise the smooth functions already span the mesh
    return k->m < k->nt ? GOS_OK : add_responses(h, k);
}

static void find_fed(const gos_item *it, const gos_body *b, bool *fed) {
    double x[3 * GOS_ITEM_MARKERS] = {0}, th[GOS_ITEM_TMARKERS] = {0};
    double fn[GOS_ITEM_FUNCTIONS] = {0}, heat[GOS_ITEM_TMARKERS];
    const bool known = it->ninput > 0 && it->type->by_input && it->nm == 0;
    for (int k = 0; k < (known ? it->ninput : 1); k++) {
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
            it->type->by_input(it, &io, &it->input[k]);
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
    gos_heat_space h = {.r = r, .p = p, .n = n};
    gos_heat_functions local = {.n = n, .nt = 1}, k = {.n = n, .nt = f->nt};
    GOS_TRY(gos__heat_space_make(&h));
    GOS_TRY(make_functions(&h, &local)); // independent of smooth functions
    r->short_of |= local.m == local.nt + MAX_FUNCTIONS;
    p->source_fn = local.q;
    p->nsource_fn = local.m;
    p->nnode = n;
    if (all) {
        return keep_nodes(r, f, n);
    }
    GOS_TRY(make_functions(&h, &k));
    return k.m > k.nt ? gos__heat_functions_store(&h, &k, f) : GOS_OK;
}
