/* Full forces are split into the part of the reduced equations and the remainder. */
#include "rom/reconstruction.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#define REGULARISATION 1e-12 // regularisation relative to the largest mass

static int row_of(const gos_rom *r, int v, const int *first) {
    return first[r->body_of[v]] + v - r->body[r->body_of[v]].body->v0;
}

/* first: body rows */
static void weigh(const gos_rom *r, int g, const int *first, double *Mphi) {
    const gos_rows_matrix *M = &r->full->mass;
    const int m = r->group[g].m;
    for (int i = 0; i < r->nbody; i++) {
        const gos_body *b = r->body[i].body;
        for (int v = b->v0; v < b->v0 + b->nv && r->body[i].group == g; v++) {
            double *to = Mphi + (size_t)row_of(r, v, first) * m;
            for (int e = M->p[v]; e < M->p[v + 1]; e++) {
                const gos_rom_body *p = &r->body[r->body_of[M->j[e]]];
                cblas_daxpy(m, M->v[e], p->phi + (size_t)(M->j[e] - p->body->v0) * m, 1, to, 1);
            }
            if (b->ops->port) {
                cblas_daxpy(m, gos__rom_port_mass(r->full, v),
                            r->body[i].phi + (size_t)(v - b->v0) * m, 1, to, 1);
            }
        }
    }
}

static gos_status factorise(gos_reconstruction *l, int g, const int *first) {
    const gos_rom *r = &l->rom;
    const int m = r->group[g].m;
    double *G = l->G[g], max = 0;
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        if (p->group == g && m > 0) {
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, m, p->body->nv, 1, p->phi, m,
                        l->Mphi[g] + (size_t)first[i] * m, m, 1, G, m);
        }
    }
    for (int i = 0; i < m; i++) {
        max = fmax(max, G[i * m + i]);
    }
    for (int i = 0; i < m; i++) {
        G[i * m + i] += REGULARISATION * max;
    }
    return m == 0 || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, G, m) == 0
               ? GOS_OK
               : gos__fail(r->ctx, GOS_E_SINGULAR, "reduction: the mass of the fields is singular");
}

static gos_status make_groups(gos_reconstruction *l) {
    const gos_rom *r = &l->rom;
    gos_arena *a = r->arena;
    int max = 0;
    int *first = GOS_NEW(a, int, r->nbody + 1), *rows = GOS_NEW(a, int, r->ngroup + 1);
    l->Mphi = GOS_NEW(a, double *, r->ngroup + 1);
    l->G = GOS_NEW(a, double *, r->ngroup + 1);
    if (!first || !rows || !l->Mphi || !l->G) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < r->nbody; i++) {
        first[i] = rows[r->body[i].group];
        rows[r->body[i].group] += r->body[i].body->nv;
    }
    for (int g = 0; g < r->ngroup; g++) {
        const size_t m = r->group[g].m;
        if (r->group[g].plain) {
            continue;
        }
        max = r->group[g].m > max ? r->group[g].m : max;
        l->Mphi[g] = GOS_NEW(a, double, rows[g] * m + 1);
        l->G[g] = GOS_NEW(a, double, m *m + 1);
        if (!l->Mphi[g] || !l->G[g]) {
            return GOS_E_MEMORY;
        }
        weigh(r, g, first, l->Mphi[g]);
        GOS_TRY(factorise(l, g, first));
    }
    l->c = GOS_NEW(a, double, 3 * max + 1);
    return l->c ? GOS_OK : GOS_E_MEMORY;
}

static gos_status make_heat(gos_reconstruction *l) {
    const gos_rom *r = &l->rom;
    l->H = GOS_NEW(r->arena, double *, r->nbody + 1);
    for (int i = 0; l->H && i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        const int nt = p->f.nt, nodes = p->body->nfam > 0 ? p->body->nt / p->body->nfam : 0;
        if (gos__rom_keeps_heat(p->body) || nt == 0 || nodes == 0) {
            continue;
        }
        double *H = l->H[i] = GOS_NEW(r->arena, double, (size_t)nt *nt), max = 0;
        if (!H) {
            return GOS_E_MEMORY;
        }
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, nt, nt, nodes, 1, p->f.tvalue, nt,
                    p->f.tvalue, nt, 0, H, nt);
        for (int k = 0; k < nt; k++) {
            max = fmax(max, H[k * nt + k]);
        }
        for (int k = 0; k < nt; k++) { // there may be more functions than nodes
            H[k * nt + k] += REGULARISATION * max;
        }
        if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', nt, H, nt) != 0) {
            return gos__fail(r->ctx, GOS_E_SINGULAR,
                             "reduction: the temperature functions are linearly dependent");
        }
    }
    return l->H ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__reconstruction_create(gos_ctx *ctx, gos_arena *arena, const gos_system *reduced,
                                      gos_reconstruction *reconstruction) {
    *reconstruction = (gos_reconstruction){.rom = {.ctx = ctx,
                                                   .arena = arena,
                                                   .full = reduced->full,
                                                   .def = reduced->rom->def,
                                                   .stored = reduced->rom}};
    GOS_TRY(gos__rom_fields(&reconstruction->rom));
    GOS_TRY(make_groups(reconstruction));
    return make_heat(reconstruction);
}

void gos__reconstruct_motion(const gos_reconstruction *reconstruction, bool origin, const double *x,
                             double *y) {
    const gos_rom *r = &reconstruction->rom;
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        const gos_rom_group *g = &r->group[p->group];
        double *to = y + 3L * p->body->v0;
        const size_t n = 3L * p->body->nv * sizeof *to;
        if (origin) {
            memcpy(to, p->origin, n);
        } else {
            memset(to, 0, n);
        }
        if (g->m > 0 && p->body->nv > 0) {
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, p->body->nv, 3, g->m, 1, p->phi,
                        g->m, x + 3 * g->first, 3, 1, to, 3);
        }
    }
}

void gos__reconstruct_heat(const gos_reconstruction *reconstruction, const double *x, double *y) {
    const gos_rom *r = &reconstruction->rom;
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        const gos_body *b = p->body;
        const int nf = b->nfam;
        for (int j = 0; j < b->nt; j++) {
            double *to = y + b->t0 + j;
            if (gos__rom_keeps_heat(b)) {
                *to = x[p->t0 + j];
                continue;
            }
            const double *value = p->f.tvalue + (size_t)(j / nf) * p->f.nt;
            *to = cblas_ddot(p->f.nt, value, 1, x + p->t0 + j % nf, nf);
        }
    }
}

/* x (m, k) := G^-1 x */
static void solve(int m, int k, const double *G, double *x) {
    // upper triangle by rows
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, m, k, 1, G, m, x,
                k);
    cblas_dtrsm(CblasRowMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, m, k, 1, G, m, x,
                k);
}

static void keep_plain(const gos_rom *r, const double *y, double *x) {
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        const gos_rom_group *g = &r->group[p->group];
        if (g->plain) {
            memcpy(x + 3L * (g->first + p->raw), y + 3L * p->body->v0,
                   3L * p->body->nv * sizeof *x);
        }
    }
}

void gos__project_motion(const gos_reconstruction *reconstruction, bool origin, const double *y,
                         double *x) {
    const gos_rom *r = &reconstruction->rom;
    memset(x, 0, 3L * r->nv * sizeof *x);
    keep_plain(r, y, x);
    for (int g = 0; g < r->ngroup; g++) {
        const int m = r->group[g].plain ? 0 : r->group[g].m;
        double *c = x + 3L * r->group[g].first;
        int row = 0;
        for (int i = 0; i < r->nbody && m > 0; i++) {
            const gos_rom_body *p = &r->body[i];
            const int nv = p->body->nv;
            if (p->group != g || nv == 0) {
                continue;
            }
            const double *Mphi = reconstruction->Mphi[g] + (size_t)row * m;
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, 3, nv, 1, Mphi, m,
                        y + 3L * p->body->v0, 3, 1, c, 3);
            if (origin) {
                cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, 3, nv, -1, Mphi, m,
                            p->origin, 3, 1, c, 3);
            }
            row += nv;
        }
        if (m > 0) {
            solve(m, 3, reconstruction->G[g], c);
        }
    }
}

void gos__project_heat(const gos_reconstruction *reconstruction, const double *y, double *x) {
    const gos_rom *r = &reconstruction->rom;
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        const gos_body *b = p->body;
        const int nf = b->nfam, nodes = nf > 0 ? b->nt / nf : 0;
        if (gos__rom_keeps_heat(b)) {
            memcpy(x + p->t0, y + b->t0, b->nt * sizeof *x);
        } else if (reconstruction->H[i]) {
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, p->f.nt, nf, nodes, 1, p->f.tvalue,
                        p->f.nt, y + b->t0, nf, 0, x + p->t0, nf);
            solve(p->f.nt, nf, reconstruction->H[i], x + p->t0);
        }
    }
}

void gos__reconstruct_multipliers(const gos_reconstruction *reconstruction, const double *x,
                                  double *y) {
    const gos_rom *r = &reconstruction->rom;
    int at = 0;
    memset(y, 0, r->full->nc * sizeof *y);
    for (int i = 0; i < r->full->nitem; i++) {
        const gos_item *it = r->full->item[i];
        for (int k = 0; k < it->nc && !r->eliminated[i]; k++) {
            y[it->c0 + k] = x[at++];
        }
    }
}

static void remove_all(const gos_rom *r, int g, double *f) {
    for (int i = 0; i < r->nbody; i++) {
        const gos_body *b = r->body[i].body;
        if (r->body[i].group == g && b->nv > 0) {
            memset(f + 3L * b->v0, 0, 3L * b->nv * sizeof *f);
        }
    }
}

void gos__reconstruction_add_forces(const gos_reconstruction *reconstruction, const double *f,
                                    double *g) {
    const gos_rom *r = &reconstruction->rom;
    for (int i = 0; i < r->nbody; i++) {
        const gos_rom_body *p = &r->body[i];
        const gos_rom_group *group = &r->group[p->group];
        const double *from = f + 3L * p->body->v0;
        if (group->plain) {
            cblas_daxpy(3 * p->body->nv, 1, from, 1, g + 3L * (group->first + p->raw), 1);
        } else if (group->m > 0 && p->body->nv > 0) {
            cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, group->m, 3, p->body->nv, 1,
                        p->phi, group->m, from, 3, 1, g + 3L * group->first, 3);
        }
    }
}

void gos__reconstruction_remove(const gos_reconstruction *reconstruction, double *f) {
    const gos_rom *r = &reconstruction->rom;
    for (int g = 0; g < r->ngroup; g++) {
        const int m = r->group[g].m;
        if (m == 0) {
            continue;
        }
        if (r->group[g].plain) {
            remove_all(r, g, f);
            continue;
        }
        memset(reconstruction->c, 0, 3L * m * sizeof *reconstruction->c);
        for (int i = 0; i < r->nbody; i++) {
            const gos_rom_body *p = &r->body[i];
            if (p->group == g && p->body->nv > 0) {
                cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, 3, p->body->nv, 1, p->phi,
                            m, f + 3L * p->body->v0, 3, 1, reconstruction->c, 3);
            }
        }
        solve(m, 3, reconstruction->G[g], reconstruction->c);
        int row = 0;
        for (int i = 0; i < r->nbody; i++) {
            const gos_body *b = r->body[i].body;
            if (r->body[i].group == g && b->nv > 0) {
                cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, b->nv, 3, m, -1,
                            reconstruction->Mphi[g] + (size_t)row * m, m, reconstruction->c, 3, 1,
                            f + 3L * b->v0, 3);
                row += b->nv;
            }
        }
    }
}
