/* Points of a solid in the volume and on heated surfaces; constant matrices. */
#include <math.h>

#include "solid/solid.h"
#include "parts/visibility.h"
#include "math/vec3.h"

#define L GOS_LANES
#define EQUAL_TOLERANCE 1e-12 // relative to the element size

static const gos_solid *solid_of(const gos_body *b) {
    return b->par;
}

/* ---- constant matrices ----------------------------------------------------------------------- */

/* int N N, int grad N . grad N */
typedef struct element_matrices {
    double m[GOS_CELL_NODES * GOS_CELL_NODES], g[GOS_CELL_NODES * GOS_CELL_NODES];
} element_matrices;

static void make_matrices(const gos_solid *c, const gos_solid_block *k, int e, const gos_rule *mass,
                          const gos_rule *stiffness, element_matrices *o) {
    const int n = k->nodes;
    memset(o, 0, sizeof *o);
    for (int g = 0; g < mass->n; g++) {
        gos_solid_point p;
        gos__solid_point(c, k, e, mass->at[g], &p);
        for (int i = 0; i < n * n; i++) {
            o->m[i] += mass->weight[g] * p.det * p.N[i / n] * p.N[i % n];
        }
    }
    for (int g = 0; g < stiffness->n; g++) {
        gos_solid_point p;
        gos__solid_point(c, k, e, stiffness->at[g], &p);
        for (int i = 0; i < n * n; i++) {
            o->g[i] += stiffness->weight[g] * p.det * gos__dot3(p.grad[i / n], p.grad[i % n]);
        }
    }
}

static gos_status add_matrix(gos_builder *b, gos_triplets *t, int n, const int *node, int first,
                             double factor, const double *v) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) { // gos__add_symmetric enters both triangles
            GOS_TRY(
                gos__add_symmetric(b, t, first + node[i], first + node[j], factor * v[i * n + j]));
        }
    }
    return GOS_OK;
}

/* mass rho int N N, capacity rho c int N N, conduction k int grad N . grad N */
static gos_status add_matrices(gos_builder *b, const gos_body *body) {
    const gos_solid *c = solid_of(body);
    element_matrices o;
    for (int i = 0; i < c->nblock; i++) {
        const gos_solid_block *k = &c->block[i];
        const gos_material *m = c->part[k->part].material;
        gos_rule mass, stiffness;
        gos__rule(k->shape, GOS_RULE_MASS, &mass);
        gos__rule(k->shape, GOS_RULE_STIFFNESS, &stiffness);
        for (int e = 0; e < k->n; e++) {
            const int n = k->nodes, *node = k->node + (long)e * n;
            make_matrices(c, k, e, &mass, &stiffness, &o);
            GOS_TRY(add_matrix(b, &b->mass, n, node, body->v0, m->density, o.m));
            if (body->nfam) {
                GOS_TRY(add_matrix(b, &b->capacity, n, node, body->t0,
                                   m->density * m->specific_heat, o.m));
                GOS_TRY(add_matrix(b, &b->conduction, n, node, body->t0, m->conductivity, o.g));
            }
        }
    }
    return GOS_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static gos_status allocate(gos_arena *a, gos_points *p) {
    const long tables = (long)p->ntab * p->ng * L, nz = p->law->nz;
    p->v = GOS_NEW(a, int, (long)p->nb * p->nv * L);
    p->tab = GOS_NEW(a, int, p->nb);
    p->b = GOS_NEW(a, double, tables *nz * p->nv);
    p->w = GOS_NEW(a, double, tables);
    p->ref = GOS_NEW(a, double, L); // unused: the laws have none
    if (p->nt) {
        p->N = GOS_NEW(a, double, tables * p->nt);
        p->th = GOS_NEW(a, int, (long)p->nb * p->nt * L);
    }
    return p->v && p->tab && p->b && p->w && p->ref && (!p->nt || (p->N && p->th)) ? GOS_OK
                                                                                   : GOS_E_MEMORY;
}

static void put_nodes(const gos_points *p, const gos_body *body, int ib, int l, const int *node) {
    for (int j = 0; j < p->nv; j++) {
        p->v[((long)ib * p->nv + j) * L + l] = body->v0 + node[j];
        if (p->nt) {
            p->th[((long)ib * p->nt + j) * L + l] = body->t0 + node[j];
        }
    }
}

/* Sets point g of lane l: rows z (nz, nv) of shape data, N (nv). */
static void put_point(const gos_points *p, int tab, int g, int l, const double *z, const double *N,
                      double w) {
    const long k = (long)tab * p->ng + g;
    const int nz = p->law->nz;
    for (int i = 0; i < nz * p->nv; i++) {
        p->b[(k * nz * p->nv + i) * L + l] = z[i];
    }
    p->w[k * L + l] = w;
    for (int i = 0; i < p->nt; i++) {
        p->N[(k * p->nt + i) * L + l] = N[i];
    }
}

/* ---- volume ---------------------------------------------------------------------------------- */

/* Element of lane l; idle lanes repeat the first one with weight 0. */
static int element_in(const gos_solid_block *k, int ib, int l) {
    return ib * L + l < k->n ? ib * L + l : ib * L;
}

/* Whether two batches are equal up to translation, lane by lane. */
static bool alike(const gos_solid *c, const gos_solid_block *k, int one, int two) {
    if ((one + 1) * L > k->n || (two + 1) * L > k->n) {
        return false;
    }
    for (int l = 0; l < L; l++) {
        const int *m = k->node + (long)(one * L + l) * k->nodes;
        const int *n = k->node + (long)(two * L + l) * k->nodes;
        double d[3], size = 0;
        gos__sub3(c->x[n[0]], c->x[m[0]], d);
        for (int i = 1; i < k->nodes; i++) {
            for (int q = 0; q < 3; q++) {
                size = fmax(size, fabs(c->x[m[i]][q] - c->x[m[0]][q]));
            }
        }
        for (int i = 1; i < k->nodes; i++) {
            for (int q = 0; q < 3; q++) {
                if (!(fabs(c->x[n[i]][q] - c->x[m[i]][q] - d[q]) <= EQUAL_TOLERANCE * size)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Assigns tables; identical batches share one. @return number of tables */
static int count_tables(const gos_solid *c, const gos_solid_block *k, int nb, int *tab) {
    int n = 0, last = 0; // of the newest table
    for (int ib = 0; ib < nb; ib++) {
        if (ib == 0 || !alike(c, k, last, ib)) {
            n++;
            last = ib;
        }
        tab[ib] = n - 1;
    }
    return n;
}

static void fill_table(const gos_points *p, const gos_solid *c, const gos_solid_block *k,
                       const gos_rule *rule, int ib) {
    for (int l = 0; l < L; l++) {
        for (int g = 0; g < rule->n; g++) {
            gos_solid_point at;
            double z[3 * GOS_CELL_NODES];
            gos__solid_point(c, k, element_in(k, ib, l), rule->at[g], &at);
            for (int i = 0; i < 3 * k->nodes; i++) {
                z[i] = at.grad[i % k->nodes][i / k->nodes];
            }
            const double w = ib * L + l < k->n ? rule->weight[g] * at.det : 0;
            put_point(p, p->tab[ib], g, l, z, at.N, w);
        }
    }
}

static gos_status add_block(gos_builder *b, const gos_body *body, const gos_solid_block *k) {
    const gos_solid *c = solid_of(body);
    const gos_solid_par *par = &c->part[k->part].par;
    gos_rule rule;
    gos__rule(k->shape, GOS_RULE_STIFFNESS, &rule);
    gos_points p = {.law = body->law,
                    .par = par,
                    .body = body->index,
                    .ne = k->n,
                    .nb = (k->n + L - 1) / L,
                    .ng = rule.n,
                    .nv = k->nodes,
                    .nt = body->nfam ? k->nodes : 0,
                    .nfam = body->nfam,
                    .rates = par->lambda_v != 0 || par->mu_v > 0 || par->T0 > 0,
                    .surface = true};
    int *tab = gos__alloc(b->ctx, p.nb + 1L, sizeof *tab);
    if (!tab) {
        return GOS_E_MEMORY;
    }
    p.ntab = count_tables(c, k, p.nb, tab);
    const gos_status status = allocate(b->arena, &p);
    for (int ib = 0; ib < p.nb && status == GOS_OK; ib++) {
        p.tab[ib] = tab[ib];
        if (ib == 0 || tab[ib] != tab[ib - 1]) {
            fill_table(&p, c, k, &rule, ib);
        }
        for (int l = 0; l < L; l++) {
            put_nodes(&p, body, ib, l, k->node + (long)element_in(k, ib, l) * k->nodes);
        }
    }
    gos__free(b->ctx, tab);
    return status == GOS_OK ? gos__add_points(b, &p) : status;
}

gos_status gos__solid_add_points(gos_builder *b, const gos_body *body) {
    const gos_solid *c = solid_of(body);
    int *points = c->points + 2 * c->nset;
    GOS_TRY(add_matrices(b, body));
    points[0] = b->npoints;
    points[1] = c->nblock;
    for (int i = 0; i < c->nblock; i++) {
        GOS_TRY(add_block(b, body, &c->block[i]));
    }
    return GOS_OK;
}

/* ---- surfaces -------------------------------------------------------------------------------- */

/* Two orthonormal tangents of a side, in terms of its positions (2, n); the first along the first
 * natural coordinate, their product the normal. dA: area by natural coordinates. */
static void tangents(int n, double (*x)[3], double (*dN)[3], double *z, double *dA) {
    double t[2][3] = {{0}}, normal[3];
    for (int i = 0; i < n; i++) {
        for (int q = 0; q < 6; q++) {
            t[q / 3][q % 3] += dN[i][q / 3] * x[i][q % 3];
        }
    }
    gos__cross3(t[0], t[1], normal);
    *dA = gos__norm3(normal);
    const double a = gos__norm3(t[0]), along = gos__dot3(t[0], t[1]) / a;
    for (int i = 0; i < n; i++) { // unit vectors t0 / a and (t1 - along t0 / a) / (dA / a)
        z[i] = dN[i][0] / a;
        z[n + i] = (dN[i][1] - along / a * dN[i][0]) * a / *dA;
    }
}

static int pick_sides(const gos_solid *c, const gos_solid_set *s, gos_cell_shape shape, int *pick) {
    int n = 0, node[GOS_CELL_SIDE_NODES];
    for (int i = 0; i < s->nside; i++) {
        if (gos__solid_side(c, &s->side[i], node) == shape) {
            pick[n++] = i;
        }
    }
    return n;
}

static void fill_sides(const gos_points *p, const gos_body *body, const gos_solid_set *s,
                       const int *pick, const gos_rule *rule) {
    const gos_solid *c = solid_of(body);
    for (int i = 0; i < p->nb * L; i++) {
        const int which = pick[i < p->ne ? i : i / L * L];
        int node[GOS_CELL_SIDE_NODES];
        double x[GOS_CELL_SIDE_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3];
        const gos_cell_shape shape = gos__solid_side(c, &s->side[which], node);
        for (int k = 0; k < p->nv; k++) {
            memcpy(x[k], c->x[node[k]], sizeof x[k]);
        }
        put_nodes(p, body, i / L, i % L, node);
        for (int g = 0; g < rule->n; g++) {
            double z[2 * GOS_CELL_SIDE_NODES], dA;
            gos__shape(shape, rule->at[g], N, dN);
            tangents(p->nv, x, dN, z, &dA);
            put_point(p, i / L, g, i % L, z, N, i < p->ne ? rule->weight[g] * dA : 0);
        }
    }
}

static gos_status add_surface(gos_builder *b, const gos_body *body, const gos_solid_set *s) {
    static const gos_cell_shape shapes[] = {GOS_CELL_TRI3, GOS_CELL_TRI6, GOS_CELL_QUAD4,
                                            GOS_CELL_QUAD8};
    int *pick = GOS_NEW(b->arena, int, s->nside + 1);
    if (!pick) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < GOS_COUNT(shapes); i++) {
        gos_rule rule;
        gos__rule(shapes[i], GOS_RULE_MASS, &rule);
        gos_points p = {.law = &gos__skin_law,
                        .body = body->index,
                        .ne = pick_sides(solid_of(body), s, shapes[i], pick),
                        .ng = rule.n,
                        .nv = gos__cell_kind[shapes[i]].nodes,
                        .nt = gos__cell_kind[shapes[i]].nodes,
                        .nfam = body->nfam};
        if (p.ne == 0) {
            continue;
        }
        p.nb = p.ntab = (p.ne + L - 1) / L;
        GOS_TRY(allocate(b->arena, &p));
        for (int ib = 0; ib < p.nb; ib++) {
            p.tab[ib] = ib;
        }
        fill_sides(&p, body, s, pick, &rule);
        GOS_TRY(gos__add_points(b, &p));
    }
    return GOS_OK;
}

static gos_status facets_of(gos_ctx *ctx, const gos_solid *c, const gos_solid_set *s,
                            gos_facet **f) {
    *f = gos__alloc(ctx, (size_t)s->nside + 1, sizeof **f);
    GOS_TRY(*f ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < s->nside; i++) {
        int node[GOS_CELL_SIDE_NODES];
        const gos_cell_shape shape = gos__solid_side(c, &s->side[i], node);
        (*f)[i].n = shape == GOS_CELL_TRI3 || shape == GOS_CELL_TRI6 ? 3 : 4;
        for (int k = 0; k < (*f)[i].n; k++) {
            memcpy((*f)[i].x[k], c->x[node[k]], sizeof(*f)[i].x[k]);
        }
    }
    return GOS_OK;
}

gos_status gos__solid_sees_itself(gos_ctx *ctx, const gos_body *body, const gos_location *p,
                                  double *part) {
    const gos_solid *c = solid_of(body);
    const gos_solid_set *all = &c->set[c->skin < 0 ? 0 : c->skin];
    const gos_solid_set *some = p->surface ? &c->set[p->surface - 1] : all;
    gos_facet *f = NULL, *g = NULL;
    if (c->skin < 0) {
        return GOS_OK;
    }
    gos_status status = facets_of(ctx, c, some, &f);
    status = status == GOS_OK ? facets_of(ctx, c, all, &g) : status;
    if (status == GOS_OK) {
        *part = gos__facets_blocked(some->nside, f, all->nside, g);
    }
    gos__free(ctx, f);
    gos__free(ctx, g);
    return status;
}

gos_status gos__solid_surface(gos_builder *b, const gos_body *body, const gos_location *p,
                              bool inside, int *first, int *n) {
    const gos_solid *c = solid_of(body);
    const int set = inside ? c->nset : p->surface ? p->surface - 1 : c->skin;
    int *points = c->points + 2 * set;
    if (points[1] == 0) { // first request
        points[0] = b->npoints;
        GOS_TRY(add_surface(b, body, &c->set[set]));
        points[1] = b->npoints - points[0];
    }
    *first = points[0];
    *n = points[1];
    return GOS_OK;
}
