/* Points on surfaces of meshes and inside them, and their law: no forces, no heat of its own, and a normal. */
#include "bodies/mesh_surface.h"

#define LANES GOS_LANES

/* ---- the law ---------------------------------------------------------------------------------------- */

static void no_resultants(const void *par, int nfam, const gos_batch *b) {
    GOS_UNUSED(par);
    GOS_UNUSED(nfam);
    memset(b->sigma, 0, 3 * LANES * sizeof *b->sigma);
    if (b->energy) {
        memset(b->energy, 0, LANES * sizeof *b->energy);
        memset(b->power, 0, LANES * sizeof *b->power);
        memset(b->dwdth, 0, LANES * sizeof *b->dwdth);
    }
}

static void no_tangent(const void *par, int nfam, const gos_batch *b) {
    GOS_UNUSED(par);
    GOS_UNUSED(nfam);
    memset(b->Kz, 0, 9 * LANES * sizeof *b->Kz);
}

/* z is the outward normal */
static void cosines(const void *par, const gos_batch *b, const double *u, double *c, double *dc) {
    GOS_UNUSED(par);
    for (int l = 0; l < LANES; l++) {
        c[l] = 0;
        c[LANES + l] = 0; // there is no second director
        for (int i = 0; i < 3; i++) {
            c[l] -= u[i] * b->z[i * LANES + l];
            if (dc) {
                dc[i * LANES + l] = -u[i];
                dc[(3 + i) * LANES + l] = 0;
            }
        }
    }
}

static const gos_law law = {.name = "surface of a mesh",
                            .nz = 1,
                            .ndir = 1,
                            .resultants = no_resultants,
                            .tangent = no_tangent,
                            .cosines = cosines};

/* ---- patches ---------------------------------------------------------------------------------------- */

/* Sides, or cells, on which heat acts, one shape after another. */
typedef struct patches {
    const gos_mesh_skin *skin;
    const gos_mesh_surface *surface; // sides, or
    const gos_mesh_set *cells;       // cells, or (neither) all cells
    bool inside;
} patches;

typedef struct patch {
    gos_cell_shape shape;
    int cell; // on a sheet's side: whose plane it lies in
    int node[GOS_CELL_NODES];
} patch;

static int count_of(const patches *p) {
    return p->surface ? p->surface->n : p->cells ? p->cells->n : p->skin->mesh->ncell;
}

static void patch_at(const patches *p, int i, patch *to) {
    const gos_mesh *m = p->skin->mesh;
    int at;
    to->cell = p->surface ? p->surface->cell[i] : p->cells ? p->cells->item[i] : i;
    const gos_cell_block *b = gos__mesh_cell(m, to->cell, &at);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    to->shape = b->shape;
    if (p->surface) {
        to->shape = kind->side[p->surface->side[i]];
        gos__mesh_side(m, to->cell, p->surface->side[i], to->node);
        return;
    }
    memcpy(to->node, b->node + (size_t)at * kind->nodes, (size_t)kind->nodes * sizeof *to->node);
}

static int highest_dim(const gos_mesh *m) {
    int dim = 0;
    for (int i = 0; i < m->nblock; i++) {
        const int d = m->block[i].n > 0 ? gos__cell_kind[m->block[i].shape].dim : 0;
        dim = d > dim ? d : dim;
    }
    return dim;
}

/* cells of lower dimension carry names and no matter */
static bool counts(const patches *p, const patch *one) {
    return p->surface || gos__cell_kind[one->shape].dim == highest_dim(p->skin->mesh);
}

/* weight of a point: area, of a sheet's side length times thickness, of the inside volume; and the normal */
static double weigh(const patches *p, const patch *one, const gos_rule *rule, int g,
                    double normal[3]) {
    const gos_cell_kind *kind = &gos__cell_kind[one->shape];
    double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], x[GOS_CELL_NODES][3];
    for (int k = 0; k < kind->nodes; k++) {
        memcpy(x[k], p->skin->mesh->x[one->node[k]], sizeof x[k]);
    }
    gos__shape(one->shape, rule->at[g], N, dN);
    memset(normal, 0, 3 * sizeof *normal);
    if (kind->dim == 3) {
        double grad[GOS_CELL_NODES][3];
        return rule->weight[g] * gos__shape_gradient(3, kind->nodes, x, dN, grad);
    }
    const double size = rule->weight[g] * gos__shape_normal(kind->dim, kind->nodes, x, dN, normal);
    return p->inside || kind->dim == 1 ? size * p->skin->thickness : size;
}

static patches patches_of(const gos_mesh_skin *skin, int surface, bool inside) {
    const gos_mesh *m = skin->mesh;
    patches p = {.skin = skin, .inside = inside};
    if (surface > m->nsurface) {
        p.cells = &m->cell_set[surface - 1 - m->nsurface];
    } else if (surface > 0) {
        p.surface = &m->surface[surface - 1];
    } else if (!inside) {
        p.surface = gos__mesh_surface(m, "skin");
    }
    return p;
}

gos_status gos__mesh_skin_integrate(const gos_mesh_skin *skin, int surface, bool inside,
                                    double *load,
                                    gos_status (*add)(void *to, int i, int j, double x), void *to) {
    const patches p = patches_of(skin, surface, inside);
    for (int i = 0; i < count_of(&p); i++) {
        patch one;
        gos_rule rule;
        patch_at(&p, i, &one);
        gos__rule(one.shape, GOS_RULE_MASS, &rule);
        const int n = gos__cell_kind[one.shape].nodes;
        for (int g = 0; g < rule.n && counts(&p, &one); g++) {
            double N[GOS_CELL_NODES], normal[3];
            const double w = weigh(&p, &one, &rule, g, normal);
            gos__shape(one.shape, rule.at[g], N, NULL);
            for (int k = 0; k < n; k++) {
                load[one.node[k]] += w * N[k];
            }
            for (int k = 0; k < n * n && add; k++) {
                GOS_TRY(add(to, one.node[k / n], one.node[k % n], w * N[k / n] * N[k % n]));
            }
        }
    }
    return GOS_OK;
}

/* ---- a block ---------------------------------------------------------------------------------------- */

typedef struct filling {
    const patches *p;
    gos_points *to;
    gos_rule rule;
    int nodes;
} filling;

/* the lane of element e at point g of a table (ntab = nb, ng, size, LANES) */
static size_t at(const filling *f, int e, int g, int size, int i) {
    return (((size_t)(e / LANES) * (size_t)f->rule.n + (size_t)g) * (size_t)size + (size_t)i) *
               LANES +
           (size_t)(e % LANES);
}

/* functions of the element's temperature coordinates at a point */
static void fill_temperature(const filling *f, int e, const patch *one, int g) {
    const gos_sparse *A = f->p->skin->at;
    double N[GOS_CELL_NODES];
    gos__shape(one->shape, f->rule.at[g], N, NULL);
    for (int k = 0; k < f->nodes; k++) {
        if (f->p->skin->nodal) {
            f->to->N[at(f, e, g, f->to->nt, k)] = N[k];
            continue;
        }
        for (int q = A->p[one->node[k]]; q < A->p[one->node[k] + 1]; q++) {
            f->to->N[at(f, e, g, f->to->nt, A->i[q])] += N[k] * A->x[q];
        }
    }
}

/* `real`: else a lane that is left over, without weight */
static void fill_element(const filling *f, int e, const patch *one, bool real) {
    const gos_mesh_skin *skin = f->p->skin;
    gos_points *to = f->to;
    for (int c = 0; c < 3; c++) {
        to->v[((e / LANES) * 3 + c) * LANES + e % LANES] = skin->axes + c;
    }
    for (int k = 0; k < to->nt; k++) {
        to->th[((size_t)(e / LANES) * (size_t)to->nt + (size_t)k) * LANES + (size_t)(e % LANES)] =
            skin->t0 + (skin->nodal ? skin->of_node[one->node[k]] : k);
    }
    for (int g = 0; g < f->rule.n; g++) {
        double normal[3];
        const double w = weigh(f->p, one, &f->rule, g, normal);
        to->w[at(f, e, g, 1, 0)] = real ? w : 0;
        for (int c = 0; c < 3; c++) {
            to->b[at(f, e, g, 3, c)] = normal[c];
        }
        fill_temperature(f, e, one, g);
    }
}

static gos_status add_block(gos_builder *b, const gos_body *body, const patches *p,
                            gos_cell_shape shape, int ne) {
    filling f = {.p = p, .nodes = gos__cell_kind[shape].nodes};
    const int nb = (ne + LANES - 1) / LANES, nt = p->skin->nodal ? f.nodes : p->skin->at->m;
    gos_points to = {.law = &law,
                     .body = body->index,
                     .ne = ne,
                     .nb = nb,
                     .nv = 3,
                     .nt = nt,
                     .nfam = 1,
                     .ntab = nb,
                     .surface = true};
    patch one, last = {0};
    gos__rule(shape, GOS_RULE_MASS, &f.rule);
    to.ng = f.rule.n;
    const size_t lanes = (size_t)nb * LANES, points = lanes * (size_t)to.ng;
    to.v = GOS_NEW(b->arena, int, 3 * lanes);
    to.th = GOS_NEW(b->arena, int, (size_t)nt *lanes);
    to.tab = GOS_NEW(b->arena, int, (size_t)nb);
    to.b = GOS_NEW(b->arena, double, 3 * points);
    to.N = GOS_NEW(b->arena, double, (size_t)nt *points);
    to.w = GOS_NEW(b->arena, double, points);
    if (!to.v || !to.th || !to.tab || !to.b || !to.N || !to.w) {
        return GOS_E_MEMORY;
    }
    f.to = &to;
    int e = 0;
    for (int i = 0; i < count_of(p); i++) {
        patch_at(p, i, &one);
        if (one.shape == shape) {
            last = one;
            fill_element(&f, e++, &one, true);
        }
    }
    for (; e < nb * LANES; e++) {
        fill_element(&f, e, &last, false);
    }
    for (int i = 0; i < nb; i++) {
        to.tab[i] = i;
    }
    return gos__add_points(b, &to);
}

static gos_status add_blocks(gos_builder *b, const gos_body *body, const patches *p, int *n) {
    int ne[GOS_CELL_SHAPES] = {0};
    for (int i = 0; i < count_of(p); i++) {
        patch one;
        patch_at(p, i, &one);
        ne[one.shape] += counts(p, &one);
    }
    *n = 0;
    for (int s = 0; s < GOS_CELL_SHAPES; s++) {
        if (ne[s] > 0) {
            GOS_TRY(add_block(b, body, p, (gos_cell_shape)s, ne[s]));
            ++*n;
        }
    }
    return GOS_OK;
}

/* ---- of a body -------------------------------------------------------------------------------------- */

gos_status gos__mesh_skin_begin(gos_arena *a, gos_mesh_skin *skin) {
    const gos_mesh *m = skin->mesh;
    skin->made =
        gos__arena_alloc(a, 2 + (size_t)m->nsurface + (size_t)m->ncell_set, sizeof *skin->made);
    return skin->made ? GOS_OK : GOS_E_MEMORY;
}

int gos__mesh_skin_find(const gos_mesh_skin *skin, const char *name) {
    const gos_mesh *m = skin->mesh;
    for (int i = 0; i < m->nsurface; i++) {
        if (strcmp(m->surface[i].name, name) == 0) {
            return 1 + i;
        }
    }
    for (int i = 0; i < m->ncell_set && highest_dim(m) == 2; i++) {
        if (strcmp(m->cell_set[i].name, name) == 0) {
            return 1 + m->nsurface + i;
        }
    }
    return 0;
}

/* every node has a temperature, and every side a thickness */
static gos_status check(gos_builder *b, const gos_body *body, const patches *p) {
    const char *wrong = NULL;
    for (int i = 0; i < count_of(p) && !wrong; i++) {
        patch one;
        patch_at(p, i, &one);
        const gos_cell_kind *kind = &gos__cell_kind[one.shape];
        for (int k = 0; k < kind->nodes && counts(p, &one); k++) {
            wrong = p->skin->of_node[one.node[k]] < 0 ? "cells that belong to no part" : wrong;
        }
        const bool thick = kind->dim == 1 || (kind->dim == 2 && p->inside);
        wrong = thick && p->skin->uneven ? "sheets of several thicknesses" : wrong;
    }
    return wrong ? gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, body->name,
                                "heat acts on a surface or volume of it that has %s; name sets "
                                "without, or make bodies of their own of them",
                                wrong)
                 : GOS_OK;
}

gos_status gos__mesh_skin_points(gos_builder *b, const gos_body *body, gos_mesh_skin *skin,
                                 const gos_place *place, bool inside, int *first, int *n) {
    const int which = place->surface;
    for (int i = 0; i < skin->nmade; i++) {
        if (skin->made[i][0] == which && skin->made[i][1] == inside) {
            *first = skin->made[i][2];
            *n = skin->made[i][3];
            return GOS_OK;
        }
    }
    const patches p = patches_of(skin, which, inside);
    GOS_TRY(check(b, body, &p));
    *first = b->npoints;
    GOS_TRY(add_blocks(b, body, &p, n));
    const int made[4] = {which, inside, *first, *n};
    memcpy(skin->made[skin->nmade++], made, sizeof made);
    return GOS_OK;
}

gos_status gos__mesh_skin_section(gos_arena *a, const gos_section **section) {
    gos_section *s = GOS_NEW(a, gos_section, 1);
    gos_section_point *point = GOS_NEW(a, gos_section_point, 1);
    if (!s || !point) {
        return GOS_E_MEMORY;
    }
    *point = (gos_section_point){.dl = 1, .phi = {1}};
    *s = (gos_section){.A = 1,
                       .nfam = 1,
                       .family = {"T"},
                       .cap = {1},
                       .has_outline = true,
                       .nface = 1,
                       .face = {{.name = "surface", .sign = 1, .moment = {1}, .count = 1}},
                       .noutline = 1,
                       .outline = point,
                       .nend = 1,
                       .end = point};
    *section = s;
    return GOS_OK;
}
