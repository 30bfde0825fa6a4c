/* Constant matrices in reduced coordinates q = origin + Phi c: V^T A V, V = Phi times the unit
   matrix of x, y, z. Initial force and energy of K are separate, since a reduced reference need
   not represent the configuration. */
#include <cblas.h>
#include <math.h>

#include "parts/first_order_states.h"
#include "parts/derived.h"
#include "rom/rom.h"
#include "system/constants.h"

bool gos__rom_has_matrices(const gos_system *s) {
    bool any = false;
    for (int i = 0; i < s->nbody && s->constants && !any; i++) {
        any = s->body[i]->ops->port != NULL && !gos__body_is_states(s->body[i]);
    }
    return any;
}

typedef struct dense {
    const gos_rom_body *p;
    const gos_rom_group *g;
    double *Y, *R; // (3 nv, 3 m), (3 m, 3 m)
} dense;

static gos_status add_plain(gos_builder *b, gos_constant which, const gos_rows_matrix *A, int from,
                            int n, int to) {
    for (int i = from; i < from + n; i++) {
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            GOS_TRY(gos__add_constant(b, which, i - from + to, A->j[k] - from + to, A->v[k]));
        }
    }
    return GOS_OK;
}

/* Y = A V, R = V^T Y */
static void project_dense(const dense *d, const gos_rows_matrix *A) {
    const int m = d->g->m, nv = d->p->body->nv, v0 = d->p->body->v0;
    const size_t width = 3L * m;
    memset(d->Y, 0, 3L * nv * width * sizeof *d->Y);
    memset(d->R, 0, width * width * sizeof *d->R);
    for (int i = 0; i < 3 * nv; i++) {
        double *y = d->Y + i * width;
        for (int k = A->p[3 * v0 + i]; k < A->p[3 * v0 + i + 1]; k++) {
            const int j = A->j[k] - 3 * v0;
            cblas_daxpy(m, A->v[k], d->p->phi + (size_t)(j / 3) * m, 1, y + j % 3, 3);
        }
        const double *phi = d->p->phi + (size_t)(i / 3) * m;
        for (int a = 0; a < m; a++) {
            cblas_daxpy(3 * m, phi[a], y, 1, d->R + (3 * a + i % 3) * width, 1);
        }
    }
}

static gos_status add_dense(const gos_rom *r, gos_builder *b, const gos_rom_body *p) {
    const gos_rom_group *g = &r->group[p->group];
    const size_t width = 3L * g->m, nq = 3L * p->body->nv;
    dense d = {.p = p, .g = g};
    d.Y = GOS_NEW(r->arena, double, nq *width + 1);
    d.R = GOS_NEW(r->arena, double, width *width + 1);
    if (!d.Y || !d.R) {
        return GOS_E_MEMORY;
    }
    for (int which = 0; which < GOS_CONSTANT_E; which++) {
        project_dense(&d, &r->full->constants->A[which]);
        for (size_t i = 0; i < width * width; i++) {
            if (d.R[i] != 0) {
                GOS_TRY(gos__add_constant(b, which, 3 * g->first + (int)(i / width),
                                          3 * g->first + (int)(i % width), d.R[i]));
            }
        }
    }
    return GOS_OK;
}

/* weighted by the mass norm of the field */
static gos_status add_singles(const gos_rom *r, gos_builder *b, const gos_rom_body *p) {
    const gos_constants *c = r->full->constants;
    const gos_rom_group *g = &r->group[p->group];
    const size_t v0 = 3L * p->body->v0;
    for (int a = 0; a < 3 * g->m; a++) {
        gos_constant_coordinate one = {.i = 3 * g->first + a, .scale = r->full->extent};
        for (int v = 0; v < p->body->nv; v++) {
            const double phi = p->phi[v * g->m + a / 3];
            one.weight += phi * phi * c->weight[v0 + (3 * v + a % 3)];
        }
        one.rest = r->sys->e0[3 * g->first + a];
        GOS_TRY(gos__add_single(b, &one));
    }
    return GOS_OK;
}

static gos_status refuse_temperatures(const gos_rom *r) {
    return gos__fail(r->ctx, GOS_E_USE,
                     "reduction: temperatures act on a body by constant matrices, which "
                     "temperature functions do not support; run the full model");
}

static gos_status add_states(const gos_rom *r, gos_builder *b, const gos_rom_body *p) {
    const gos_constants *c = r->full->constants;
    const gos_body *body = p->body;
    for (int i = 0; i < body->nt; i++) {
        const size_t at = r->full->nq + body->t0 + i;
        const gos_constant_coordinate one = {
            .heat = true, .i = p->t0 + i, .scale = 1, .weight = c->weight[at]};
        GOS_TRY(gos__add_single(b, &one));
    }
    for (int i = body->t0; i < body->t0 + body->nt; i++) {
        const gos_rows_matrix *E = &c->A[GOS_CONSTANT_E];
        for (int k = E->p[i]; k < E->p[i + 1]; k++) {
            if (E->j[k] < body->t0 || E->j[k] >= body->t0 + body->nt) {
                return refuse_temperatures(r);
            }
        }
    }
    GOS_TRY(add_plain(b, GOS_CONSTANT_E, &c->A[GOS_CONSTANT_E], body->t0, body->nt, p->t0));
    return add_plain(b, GOS_CONSTANT_S, &c->A[GOS_CONSTANT_S], body->t0, body->nt, p->t0);
}

/* reduced index of an unchanged state; -1: temperature */
static int kept_state(const gos_rom *r, int t) {
    const gos_rom_body *p = &r->body[r->tbody_of[t]];
    return gos__rom_keeps_heat(p->body) ? t + p->t0 - p->body->t0 : -1;
}

/* reduced index of a floating body's coordinate */
static int kept_coordinate(const gos_rom *r, int i) {
    const gos_rom_body *p = &r->body[r->body_of[i / 3]];
    return i + 3 * (r->group[p->group].first + p->raw - p->body->v0);
}

/* entry (i, t) of G, or (t, i) of H, on the fields of i */
static gos_status add_coupling(const gos_rom *r, gos_builder *b, int which, int i, int t,
                               double x) {
    const gos_rom_body *p = &r->body[r->body_of[i / 3]];
    const gos_rom_group *g = &r->group[p->group];
    const int v = i / 3 - p->body->v0;
    for (int a = g->plain ? p->raw + v : 0; a < (g->plain ? p->raw + v + 1 : g->m); a++) {
        const double y = g->plain ? x : x * p->phi[(size_t)v * (size_t)g->m + (size_t)a];
        const int at = 3 * (g->first + a) + i % 3;
        GOS_TRY(y == 0                    ? GOS_OK
                : which == GOS_CONSTANT_G ? gos__add_constant(b, which, at, t, y)
                                          : gos__add_constant(b, which, t, at, y));
    }
    return GOS_OK;
}

/* forces of states and effects of rates, as of shunts */
static gos_status add_couplings(const gos_rom *r, gos_builder *b) {
    for (int which = GOS_CONSTANT_G; which <= GOS_CONSTANT_H; which++) {
        const gos_rows_matrix *A = &r->full->constants->A[which];
        const bool force = which == GOS_CONSTANT_G;
        for (int i = 0; i < (force ? r->full->nq : r->full->nt); i++) {
            for (int k = A->p[i]; k < A->p[i + 1]; k++) {
                const int t = kept_state(r, force ? A->j[k] : i);
                if (t < 0) {
                    return refuse_temperatures(r);
                }
                GOS_TRY(add_coupling(r, b, which, force ? i : A->j[k], t, A->v[k]));
            }
        }
    }
    return GOS_OK;
}

/* of floating bodies, which are kept unchanged */
static gos_status add_amplitudes(const gos_rom *r, gos_builder *b, const gos_rom_body *p) {
    const gos_constants *c = r->full->constants;
    for (int k = 0; k < p->body->derived->n; k++) {
        const int z = p->body->derived->z[k], to = kept_coordinate(r, z);
        const gos_constant_coordinate one = {.i = to,
                                             .rest = r->sys->e0[to],
                                             .scale = c->scale[z],
                                             .weight = c->weight[z],
                                             .amplitude = true};
        GOS_TRY(gos__add_single(b, &one));
    }
    return GOS_OK;
}

static gos_status add_heated(const gos_rom *r, gos_builder *b) {
    const gos_heated *from = r->full->constants->heated;
    for (; from; from = from->next) {
        gos_heated *to = GOS_NEW(r->sys->arena, gos_heated, 1);
        const size_t n = from->n;
        GOS_TRY(to ? GOS_OK : GOS_E_MEMORY);
        *to = (gos_heated){.n = from->n, .v = from->v, .next = b->heated};
        to->i = GOS_NEW(r->sys->arena, int, n + 1);
        to->j = GOS_NEW(r->sys->arena, int, n + 1);
        to->t = GOS_NEW(r->sys->arena, int, n + 1);
        to->at = GOS_NEW(r->sys->arena, int, 2 * n + 1);
        GOS_TRY(to->i && to->j && to->t && to->at ? GOS_OK : GOS_E_MEMORY);
        for (size_t e = 0; e < n; e++) {
            to->i[e] = kept_coordinate(r, from->i[e]);
            to->j[e] = kept_coordinate(r, from->j[e]);
            to->t[e] = kept_state(r, from->t[e]);
        }
        b->heated = to;
    }
    return GOS_OK;
}

static gos_status add_kept(const gos_rom *r, gos_builder *b, const gos_rom_body *p) {
    const gos_constants *c = r->full->constants;
    const int first = 3 * p->body->v0, to = 3 * (r->group[p->group].first + p->raw);
    for (int which = 0; which < GOS_CONSTANT_E; which++) {
        GOS_TRY(add_plain(b, which, &c->A[which], first, 3 * p->body->nv, to));
    }
    return GOS_OK;
}

/* to += V^T f */
static void add_force(const gos_rom *r, int i, double f, double *to) {
    const gos_rom_body *p = &r->body[r->body_of[i / 3]];
    const gos_rom_group *g = &r->group[p->group];
    const double *phi = p->phi + (size_t)(i / 3 - p->body->v0) * g->m;
    cblas_daxpy(g->m, f, phi, 1, to + 3L * g->first + i % 3, 3);
}

static gos_status add_forces(const gos_rom *r) {
    const gos_system *f = r->full;
    const gos_constants *c = f->constants;
    const gos_rows_matrix *K = &c->A[GOS_CONSTANT_K];
    gos_constants *to = r->sys->constants;
    const size_t nq = 3L * r->nv;
    double *force = GOS_NEW(r->sys->arena, double, 2 * nq + 1);
    if (!force) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < f->nq; i++) {
        const double u = f->e0[i] - c->rest[i];
        for (int k = K->p[i]; k < K->p[i + 1]; k++) {
            const int j = K->j[k];
            const double w = f->e0[j] - c->rest[j];
            if (u == 0 && w == 0) {
                continue;
            }
            add_force(r, i, K->v[k] * w, force);
            add_force(r, i, 0.5 * K->v[k] * w, force + nq);
            add_force(r, j, 0.5 * K->v[k] * u, force + nq);
            to->energy += 0.5 * u * K->v[k] * w;
            to->force = force;
            to->even = force + nq;
        }
    }
    memcpy(to->total, c->total, sizeof to->total); // norms of the full system
    return GOS_OK;
}

gos_status gos__rom_constants(gos_rom *r, gos_builder *b) {
    const gos_constants *c = r->full->constants;
    for (int i = 0; i < r->nbody && c; i++) {
        const gos_rom_body *p = &r->body[i];
        if (p->body->derived) {
            GOS_TRY(add_amplitudes(r, b, p));
            GOS_TRY(add_kept(r, b, p));
        } else if (p->body->ops->port) {
            GOS_TRY(add_states(r, b, p));
            GOS_TRY(add_singles(r, b, p));
            GOS_TRY(r->group[p->group].plain ? add_kept(r, b, p) : add_dense(r, b, p));
        }
    }
    GOS_TRY(c ? add_couplings(r, b) : GOS_OK);
    GOS_TRY(c ? add_heated(r, b) : GOS_OK);
    GOS_TRY(gos__constants_make(b, r->sys));
    if (c) {
        gos__constants_norms(b, r->sys);
    }
    return c ? add_forces(r) : GOS_OK;
}
