/* Reduced point blocks. Every point depends on all fields of its group, z = z0 + sum_k (sum_j
   b_j phi_kj) c_k. Bodies with smooth fields have few points, others those of the mesh. */
#include <math.h>

#include "rom/rom.h"

#define L GOS_LANES

typedef struct target {
    gos_points p;
    int m;
    bool shifted; // z0 is not zero
    double *row;  // (nz, m)
    double *z0;   // (nz, 3)
    double *size; // (nz): scale of z0
} target;

/* n lanes; the arena aligns large arrays */
static double *lanes(gos_arena *a, size_t n) {
    return GOS_NEW(a, double, (n > 4 ? n : 4) * L);
}

static gos_status allocate(gos_rom *r, const gos_rom_body *body, int n, int nref, target *t) {
    const gos_rom_group *g = &r->group[body->group];
    gos_arena *a = r->sys->arena;
    gos_points *p = &t->p;
    const size_t nz = p->law->nz, m = g->m;
    p->dense = true;
    p->ne = n;
    p->ng = 1;
    p->nv = t->m = g->m;
    p->nt = body->f.nt;
    p->nfam = p->nt ? body->body->nfam : 0;
    p->nb = p->ntab = (n + L - 1) / L;
    const size_t nb = p->nb, nt = p->nt, nf = p->nfam;
    p->v = GOS_NEW(a, int, nb *m *L + 1);
    p->th = GOS_NEW(a, int, nb *nt *nf *L + 1);
    p->tab = GOS_NEW(a, int, nb + 1);
    p->b = lanes(a, nb * nz * m);
    p->N = lanes(a, nb * nt);
    p->w = lanes(a, nb);
    p->ref = lanes(a, nb * nref);
    p->z0 = lanes(a, nb * 3 * nz);
    t->row = GOS_NEW(r->arena, double, nz *m + 1);
    t->z0 = GOS_NEW(r->arena, double, 3 * nz + 1);
    t->size = GOS_NEW(r->arena, double, nz + 1);
    if (!p->v || !p->th || !p->tab || !p->b || !p->N || !p->w || !p->ref || !p->z0 || !t->row ||
        !t->z0 || !t->size) {
        return GOS_E_MEMORY;
    }
    for (int ib = 0; ib < p->nb; ib++) {
        p->tab[ib] = ib;
        for (int k = 0; k < g->m * L; k++) {
            p->v[ib * g->m * L + k] = g->first + k / L;
        }
        for (int k = 0; k < p->nt * p->nfam * L; k++) {
            p->th[ib * p->nt * p->nfam * L + k] = body->t0 + k / L;
        }
    }
    return GOS_OK;
}

static void clear_point(target *t) {
    memset(t->row, 0, (t->p.law->nz * t->m) * sizeof(double));
    memset(t->z0, 0, (3 * t->p.law->nz) * sizeof(double));
    memset(t->size, 0, t->p.law->nz * sizeof(double));
}

/* fields phi (m), constant part x0 */
static void add_coordinate(target *t, int q, double b, const double *phi, const double *x0) {
    if (b == 0) {
        return;
    }
    for (int k = 0; k < t->m; k++) {
        t->row[q * t->m + k] += b * phi[k];
    }
    for (int c = 0; c < 3; c++) {
        t->z0[3 * q + c] += b * x0[c];
        t->size[q] += fabs(b * x0[c]);
    }
}

/* z_q += b times vector coordinate v */
static void add_vector(const gos_rom *r, target *t, int q, double b, int v) {
    const gos_rom_body *body = &r->body[r->body_of[v]];
    const size_t at = v - body->body->v0;
    add_coordinate(t, q, b, body->phi + at * t->m, body->origin + 3 * at);
}

/* with temperature functions N (nt) and references ref (nref) */
static void put_point(target *t, int i, double w, const double *N, const double *ref) {
    gos_points *p = &t->p;
    const long ib = i / L, last = i + 1 == p->ne ? L : i % L + 1, nz = p->law->nz;
    for (int l = i % L; l < last; l++) { // padding lanes have weight 0
        for (int k = 0; k < nz * t->m; k++) {
            p->b[(ib * (nz * t->m) + k) * L + l] = t->row[k];
        }
        for (int k = 0; k < 3 * nz; k++) {
            const bool some = fabs(t->z0[k]) > 1e-10 * t->size[k / 3];
            p->z0[(ib * 3 * nz + k) * L + l] = some ? t->z0[k] : 0;
            t->shifted |= some;
        }
        for (int k = 0; k < p->nt; k++) {
            p->N[(ib * p->nt + k) * L + l] = N[k];
        }
        for (int k = 0; k < p->law->nref; k++) {
            p->ref[(ib * p->law->nref + k) * L + l] = ref[k];
        }
        p->w[ib * L + l] = l == i % L ? w : 0;
    }
}

static gos_status finish(gos_rom *r, target *t) {
    gos_points *p = GOS_NEW(r->sys->arena, gos_points, 1);
    if (!p) {
        return GOS_E_MEMORY;
    }
    *p = t->p;
    p->z0 = t->shifted ? p->z0 : NULL;
    p->N = p->nt ? p->N : NULL;
    p->th = p->nt ? p->th : NULL;
    r->sys->points[r->sys->npoints++] = p;
    return gos__rom_gram(r, p);
}

/* ---- points of smooth fields ----------------------------------------------------------------- */

static gos_status smooth_points(gos_rom *r, const gos_points *from, const gos_rom_body *body) {
    const gos_body_fields *f = &body->f;
    const gos_rom_group *g = &r->group[body->group];
    target t = {.p = {.law = f->law,
                      .par = f->par,
                      .body = from->body,
                      .rates = f->rates,
                      .surface = true,
                      .nsurf = from->nsurf,
                      .surf = from->surf}};
    const int nz = f->law->nz, nref = f->law->nref;
    GOS_TRY(allocate(r, body, f->npoints, nref, &t));
    for (int i = 0; i < f->npoints; i++) {
        clear_point(&t);
        for (int q = 0; q < nz; q++) {
            for (int k = 0; k < f->n; k++) {
                const size_t raw = body->raw + k;
                add_coordinate(&t, q, f->b[(i * nz + q) * f->n + k], g->T + raw * g->m,
                               g->D0 + 3 * raw);
            }
        }
        const gos_marker *carrier = body->body->carrier;
        for (int k = 0; carrier && k < carrier->n; k++) {
            add_vector(r, &t, nz - 1, carrier->w[k], carrier->idx[k]);
        }
        put_point(&t, i, f->w[i], f->N + (size_t)i * f->nt, f->ref + (size_t)i * nref);
    }
    return finish(r, &t);
}

/* ---- points of the mesh ---------------------------------------------------------------------- */

/* index in tables (.., n, LANES) */
static size_t table_at(const gos_points *p, int e, int g, int n) {
    return ((size_t)p->tab[e / L] * p->ng + g) * n * L + (e % L);
}

static void mesh_point(const gos_rom *r, const gos_points *from, int e, int g, target *t) {
    const int nz = from->law->nz, nv = from->nv, ib = e / L, l = e % L;
    const double *b = from->b + table_at(from, e, g, nz * nv);
    clear_point(t);
    for (int q = 0; q < nz; q++) {
        for (int j = 0; j < nv; j++) {
            add_vector(r, t, q, b[(q * nv + j) * L], from->v[(ib * nv + j) * L + l]);
        }
    }
}

static void mesh_functions(const gos_points *from, const gos_rom_body *body, int e, int g,
                           double *N) {
    const gos_body *b = body->body;
    const long nt = body->f.nt, ib = e / L, l = e % L;
    memset(N, 0, nt * sizeof *N);
    for (int i = 0; i < from->nt; i++) {
        const int node = (from->th[(ib * from->nt + i) * from->nfam * L + l] - b->t0) / b->nfam;
        const double w = from->N[table_at(from, e, g, from->nt) + (i * L)];
        for (int k = 0; k < nt; k++) {
            N[k] += w * body->f.tvalue[node * nt + k];
        }
    }
}

static gos_status mesh_points(gos_rom *r, const gos_points *from, const gos_rom_body *body) {
    target t = {.p = {.law = from->law,
                      .par = from->par,
                      .body = from->body,
                      .rates = from->rates,
                      .surface = from->surface,
                      .nsurf = from->nsurf,
                      .surf = from->surf}};
    const int nref = from->law->nref;
    double *N = GOS_NEW(r->arena, double, body->f.nt + 1);
    double *ref = GOS_NEW(r->arena, double, nref + 1);
    if (!N || !ref) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(allocate(r, body, from->ne * from->ng, nref, &t));
    for (int i = 0; i < t.p.ne; i++) {
        const int e = i / from->ng, g = i % from->ng;
        mesh_point(r, from, e, g, &t);
        if (body->f.nt) {
            mesh_functions(from, body, e, g, N);
        }
        for (int k = 0; k < nref; k++) {
            ref[k] = from->ref[table_at(from, e, g, nref) + (k * L)];
        }
        put_point(&t, i, from->w[table_at(from, e, g, 1)], N, ref);
    }
    return finish(r, &t);
}

/* ---- points of floating bodies --------------------------------------------------------------- */

static gos_status kept_points(gos_rom *r, const gos_points *from, const gos_rom_body *body) {
    gos_system *s = r->sys;
    const size_t nv = (size_t)from->nb * from->nv * L;
    const size_t nt = (size_t)from->nb * from->nt * from->nfam * L;
    gos_points *p = GOS_NEW(s->arena, gos_points, 1);
    int *v = GOS_NEW(s->arena, int, nv + 1), *th = GOS_NEW(s->arena, int, nt + 1);
    if (!p || !v || !th) {
        return GOS_E_MEMORY;
    }
    for (size_t i = 0; i < nv; i++) {
        v[i] = from->v[i] + r->group[body->group].first + body->raw - body->body->v0;
    }
    for (size_t i = 0; i < nt; i++) {
        th[i] = from->th[i] + body->t0 - body->body->t0;
    }
    *p = *from;
    p->v = v;
    p->th = th;
    s->points[s->npoints++] = p;
    return GOS_OK;
}

gos_status gos__rom_points(gos_rom *r) {
    gos_system *s = r->sys;
    s->points = GOS_NEW(s->arena, gos_points *, r->full->npoints + 1);
    if (!s->points) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < r->full->npoints; i++) {
        const gos_points *from = r->full->points[i];
        const gos_rom_body *body = &r->body[from->body];
        if (r->group[body->group].m == 0) {
            continue; // fixed vectors have no coordinate
        }
        if (body->body->derived) {
            GOS_TRY(kept_points(r, from, body));
        } else if (!body->f.n || r->def.on_mesh) {
            GOS_TRY(mesh_points(r, from, body));
        } else if (from->surface) { // for all laws
            GOS_TRY(smooth_points(r, from, body));
        }
    }
    return GOS_OK;
}
