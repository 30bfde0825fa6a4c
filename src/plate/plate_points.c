/* Points of plates and their layers; assembly helpers. */
#include "plate/plate.h"

#define L GOS_LANES
#define NZ 5 // 3-vectors per point
#define NV 12

gos_status gos__plate_matrix(gos_builder *b, gos_triplets *m, int n, const int *idx,
                             const double *v) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) { // gos__add_symmetric enters both triangles
            if (v[i * n + j] != 0) {
                GOS_TRY(gos__add_symmetric(b, m, idx[i], idx[j], v[i * n + j]));
            }
        }
    }
    return GOS_OK;
}

/* m: points of heat sources, so uniform heat gives uniform temperature; g: Gauss points, exact for
 * linear temperatures. */
void gos__plate_bilinear_by(const gos_plate_element *e, double m[16], double g[3][16]) {
    gos_plate_point p[GOS_PLATE_POINTS];
    double N[4], grad[2][4];
    int n = gos__plate_rule(e, false, p);
    memset(m, 0, 16 * sizeof *m);
    memset(g, 0, 3 * sizeof *g);
    for (int q = 0; q < n; q++) {
        gos__bilinear(p[q].xi, N, NULL);
        for (int i = 0; i < 16; i++) {
            m[i] += p[q].w * N[i / 4] * N[i % 4];
        }
    }
    n = gos__plate_gauss(e, 4, p);
    for (int q = 0; q < n; q++) {
        gos__bilinear_gradient(e->x, p[q].xi, grad);
        for (int i = 0; i < 16; i++) {
            const int r = i / 4, s = i % 4;
            g[0][i] += p[q].w * grad[0][r] * grad[0][s];
            g[1][i] += p[q].w * grad[1][r] * grad[1][s];
            g[2][i] += p[q].w * (grad[0][r] * grad[1][s] + grad[1][r] * grad[0][s]);
        }
    }
}

void gos__plate_bilinear(const gos_plate_element *e, double m[16], double g[16]) {
    double by[3][16];
    gos__plate_bilinear_by(e, m, by);
    for (int i = 0; i < 16; i++) {
        g[i] = by[0][i] + by[1][i];
    }
}

/* Fills lane l of a table; fills: padding with weight 0. */
static void fill_lane(const gos_points *p, const gos_plate_element *e, long tab, int l,
                      bool fills) {
    gos_plate_point at[GOS_PLATE_POINTS];
    double S[6][NV], N[4];
    (void)gos__plate_rule(e, false, at);
    for (long g = 0; g < p->ng; g++) {
        const size_t k = tab * p->ng + g, lane = l;
        gos__plate_shapes_at(e, &at[g], S);
        gos__bilinear(at[g].xi, N, NULL);
        for (size_t i = 0; i < NZ * NV; i++) {
            p->b[(k * NZ * NV + i) * L + lane] = S[1 + i / NV][i % NV];
        }
        p->w[k * L + lane] = fills ? 0 : at[g].w;
        for (size_t i = 0; i < (size_t)p->nt; i++) {
            p->N[(k * 4 + i) * L + lane] = N[i];
        }
    }
}

static int element_of(const gos_points *p, const int *cell, int ib, int l) {
    const int e = ib * L + l < p->ne ? ib * L + l : ib * L;
    return cell ? cell[e] : e;
}

static void fill_table(const gos_points *p, const gos_plate *c, const int *cell, int ib, int tab) {
    gos_plate_element element;
    for (int l = 0; l < L; l++) {
        const int e = ib * L + l;
        gos__plate_element(c, element_of(p, cell, ib, l), &element);
        fill_lane(p, &element, tab, l, e >= p->ne);
    }
    p->tab[ib] = tab;
}

/* Equal elements share a table, plus one for an incomplete last batch. */
static void fill_tables(const gos_points *p, const gos_plate *c, const int *cell) {
    if (!c->alike) {
        for (int ib = 0; ib < p->nb; ib++) {
            fill_table(p, c, cell, ib, ib);
        }
        return;
    }
    fill_table(p, c, cell, 0, 0);
    if (p->ntab == 2) {
        fill_table(p, c, cell, p->nb - 1, 1);
    }
}

static void fill_indices(const gos_points *p, const gos_body *body, const int *of) {
    for (int ib = 0; ib < p->nb; ib++) {
        for (int l = 0; l < L; l++) {
            const int *cell = body->cell + 4 * element_of(p, of, ib, l);
            for (int j = 0; j < NV; j++) {
                p->v[(ib * NV + j) * L + l] = body->v0 + 3 * cell[j / 3] + j % 3;
            }
            for (int i = 0; i < p->nt * p->nfam; i++) {
                p->th[(ib * p->nt * p->nfam + i) * L + l] =
                    body->t0 + cell[i / p->nfam] * p->nfam + i % p->nfam;
            }
        }
    }
}

gos_status gos__plate_points(gos_builder *b, const gos_body *body, const gos_law *law,
                             const void *par, bool rates, int n, const int *cell) {
    const gos_plate *c = body->par;
    gos_plate_element first;
    gos_plate_point at[GOS_PLATE_POINTS];
    gos__plate_element(c, 0, &first);
    gos_points p = {.law = law,
                    .par = par,
                    .body = body->index,
                    .ne = n,
                    .ng = gos__plate_rule(&first, false, at),
                    .nv = NV,
                    .nt = body->nfam ? 4 : 0,
                    .nfam = body->nfam,
                    .rates = rates,
                    .surface = cell == NULL};
    p.nb = (p.ne + L - 1) / L;
    p.ntab = !c->alike ? p.nb : p.ne % L && p.nb > 1 ? 2 : 1;
    const size_t tables = (size_t)p.ntab * p.ng * L;
    p.v = GOS_NEW(b->arena, int, (size_t)p.nb *NV *L);
    p.tab = GOS_NEW(b->arena, int, p.nb);
    p.b = GOS_NEW(b->arena, double, tables *NZ *NV);
    p.w = GOS_NEW(b->arena, double, tables);
    p.ref = GOS_NEW(b->arena, double, L); // unused: the law has none
    if (p.nt) {
        p.N = GOS_NEW(b->arena, double, tables * 4);
        p.th = GOS_NEW(b->arena, int, (size_t)p.nb * 4 * p.nfam * L);
    }
    if (!p.v || !p.tab || !p.b || !p.w || !p.ref || (p.nt && (!p.N || !p.th))) {
        return GOS_E_MEMORY;
    }
    fill_indices(&p, body, cell);
    fill_tables(&p, c, cell);
    double locations[2 * GOS_PLATE_POINTS];
    for (int g = 0; g < p.ng; g++) {
        memcpy(locations + 2 * g, at[g].xi, sizeof at[g].xi);
    }
    GOS_TRY(gos__points_draw(b->arena, &p, cell, locations));
    return gos__add_points(b, &p);
}
