/* Points on surfaces and in volumes, and their law: one normal, no forces. */
#include "floating/mesh_surface.h"

#include <math.h>

#include "floating/mesh_picture.h"
#include "parts/visibility.h"

#define LANES GOS_LANES

/* ---- the law --------------------------------------------------------------------------------- */

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
        c[l] = 0 - u[0] * b->z[l] - u[1] * b->z[LANES + l] - u[2] * b->z[2 * LANES + l];
        c[LANES + l] = 0; // no second director
    }
    for (int i = 0; dc && i < 3; i++) {
        for (int l = 0; l < LANES; l++) {
            dc[i * LANES + l] = -u[i];
            dc[(3 + i) * LANES + l] = 0;
        }
    }
}

static const gos_law law = {.name = "surface of a mesh",
                            .nz = 1,
                            .ndir = 1,
                            .resultants = no_resultants,
                            .tangent = no_tangent,
                            .cosines = cosines};

/* ---- patches --------------------------------------------------------------------------------- */

/* Sides and faces of cells with heat. */
typedef struct patches {
    const gos_mesh_skin *skin;
    const gos_mesh_surface *surface; // sides, NULL: none ...
    bool whole;                      // sides of non-shells, faces of shells
    const gos_mesh_set *cells;       // cells, NULL: all
    int nface;                       // 0: none
    int face[2];                     // 1, -1: shells; 0: sheets
    bool inside;                     // volumes
} patches;

typedef gos_mesh_patch patch;

static int sides_of(const patches *p) {
    return p->surface ? p->surface->n : 0;
}

static int count_of(const patches *p) {
    const int cells = p->cells ? p->cells->n : p->skin->mesh->ncell;
    return sides_of(p) + (p->inside ? cells : p->nface * cells);
}

static void patch_at(const patches *p, int i, patch *to) {
    const gos_mesh *m = p->skin->mesh;
    const int n = sides_of(p), faces = p->inside ? 1 : p->nface;
    const int k = i < n ? i : (i - n) / faces;
    int at;
    to->cell = i < n ? p->surface->cell[k] : p->cells ? p->cells->item[k] : k;
    const gos_cell_block *b = gos__mesh_cell(m, to->cell, &at);
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    to->shape = b->shape;
    to->side = i < n ? p->surface->side[k] : -1;
    to->shell = p->skin->shell[to->cell] && !p->inside; // uniform heat: no gradient
    to->beam = i >= n && p->skin->profile[to->cell];
    to->face = i < n || p->inside ? 0 : p->face[(i - n) % faces];
    if (i < n) {
        to->shape = kind->side[p->surface->side[k]];
        gos__mesh_side(m, to->cell, p->surface->side[k], to->node);
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

/* cells of lower dimensions only carry names, unless they are shells */
static bool counts(const patches *p, int i, const patch *one) {
    const bool side = i < sides_of(p);
    if (one->beam) { // once
        return one->face == 0 || (one->face > 0 && p->nface == 2);
    }
    if (side || one->face != 0) {
        return !p->whole || one->shell != side;
    }
    return p->skin->shell[one->cell] ||
           gos__cell_kind[one->shape].dim == highest_dim(p->skin->mesh);
}

#define AROUND 24 // around round sections, for light
// levels through shell sides, exact for linear products
#define LEVELS 2

/* integration point of a patch */
typedef struct spot {
    double weight; // area; sheet sides: length times thickness; or volume
    double normal[3];
    double zeta; // over a shell's middle
    double N[GOS_CELL_NODES];
} spot;

static int levels_of(const patches *p, const patch *one) {
    if (one->beam) {
        return p->inside ? 1 : p->skin->profile[one->cell]->height > 0 ? 4 : AROUND;
    }
    return one->shell && one->face == 0 ? LEVELS : 1;
}

static int spots_of(const patches *p, const patch *one, const gos_rule *rule) {
    return levels_of(p, one) * rule->n;
}

/* Beams: rectangle, or circle of equal perimeter, whose shadow is the mean of any convex section
   (Cauchy). */
static void beam_spot(const patches *p, const patch *one, double half, int side, spot *to) {
    const gos_fe_profile *f = p->skin->profile[one->cell];
    const int *node = one->node;
    double axis[3][3], length, y = 1, z = 0;
    gos__fe_profile_axes(f, p->skin->mesh->x[node[0]], p->skin->mesh->x[node[1]], axis, &length);
    to->weight = half * length;
    if (p->inside) {
        to->weight *= f->A;
        return;
    }
    if (f->height > 0) {
        y = side < 2 ? 1 - 2 * side : 0;
        z = side < 2 ? 0 : 5 - 2 * side;
        to->weight *= side < 2 ? f->width : f->height;
    } else {
        y = cos(2 * M_PI * side / AROUND);
        z = sin(2 * M_PI * side / AROUND);
        to->weight *= f->perimeter / AROUND;
    }
    for (int c = 0; c < 3; c++) {
        to->normal[c] = y * axis[1][c] + z * axis[2][c];
    }
}

static void spot_at(const patches *p, const patch *one, const gos_rule *rule, int g, spot *to) {
    const gos_cell_kind *kind = &gos__cell_kind[one->shape];
    const double h = p->skin->thickness[one->cell];
    const int levels = levels_of(p, one), k = g / levels;
    double dN[GOS_CELL_NODES][3], x[GOS_CELL_NODES][3];
    for (int i = 0; i < kind->nodes; i++) {
        memcpy(x[i], p->skin->mesh->x[one->node[i]], sizeof x[i]);
    }
    *to = (spot){.zeta = levels > 1 ? (g % levels - 0.5) * h / sqrt(3.0) : 0.5 * one->face * h};
    gos__shape(one->shape, rule->at[k], to->N, dN);
    if (one->beam) {
        to->zeta = 0;
        beam_spot(p, one, 0.5 * rule->weight[k], g % levels, to);
        return;
    }
    if (kind->dim == 3) {
        double grad[GOS_CELL_NODES][3];
        to->weight = rule->weight[k] * gos__shape_gradient(3, kind->nodes, x, dN, grad);
        return;
    }
    to->weight =
        rule->weight[k] * gos__shape_normal(kind->dim, kind->nodes, x, dN, to->normal) / levels;
    to->weight *= p->inside || kind->dim == 1 ? h : 1;
    for (int c = 0; c < 3 && one->face < 0; c++) {
        to->normal[c] = -to->normal[c];
    }
}

/* after named surfaces: cell sets, then upper and lower faces of all shells and of sets */
static patches patches_of(const gos_mesh_skin *skin, int surface, bool inside) {
    const gos_mesh *m = skin->mesh;
    patches p = {.skin = skin, .inside = inside};
    const int cells = surface - 1 - m->nsurface, face = cells - m->ncell_set;
    if (face >= 0) {
        p.cells = face > 1 ? &m->cell_set[face / 2 - 1] : NULL;
        p.nface = 1;
        p.face[0] = face % 2 ? -1 : 1;
        p.whole = !p.cells;
    } else if (cells >= 0) {
        p.cells = &m->cell_set[cells];
        p.nface = 1;
    } else if (surface > 0) {
        p.surface = &m->surface[surface - 1];
    } else if (!inside) {
        p.surface = gos__mesh_surface(m, "skin");
        p.whole = true;
        p.nface = 2;
        p.face[0] = 1;
        p.face[1] = -1;
    }
    return p;
}

/* unreduced, at most 2 per node; returns their number */
static int functions_at(const patches *p, const patch *one, const spot *s, int *number,
                        double *by) {
    const int nodes = gos__cell_kind[one->shape].nodes;
    for (int k = 0; k < nodes; k++) {
        number[k] = p->skin->of_node[one->node[k]];
        by[k] = s->N[k];
        number[nodes + k] = one->shell ? p->skin->of_across[one->node[k]] : -1;
        by[nodes + k] = s->zeta * s->N[k];
    }
    return one->shell ? 2 * nodes : nodes;
}

gos_status gos__mesh_skin_integrate(const gos_mesh_skin *skin, int surface, bool inside,
                                    const gos_mesh_incidence *incidence, double *load,
                                    gos_status (*add)(void *to, int i, int j, double x), void *to) {
    const patches p = patches_of(skin, surface, inside);
    for (int i = 0; i < count_of(&p); i++) {
        patch one;
        gos_rule rule;
        patch_at(&p, i, &one);
        gos__rule(one.shape, GOS_RULE_MASS, &rule);
        for (int g = 0; counts(&p, i, &one) && g < spots_of(&p, &one, &rule); g++) {
            int at[2 * GOS_CELL_NODES];
            double N[2 * GOS_CELL_NODES];
            spot s;
            spot_at(&p, &one, &rule, g, &s);
            const int n = functions_at(&p, &one, &s, at, N);
            const double come = incidence ? incidence->value(incidence->par, s.normal) : 1;
            for (int k = 0; k < n; k++) {
                load[at[k] < 0 ? 0 : at[k]] += at[k] < 0 ? 0 : come * s.weight * N[k];
            }
            for (int k = 0; k < n * n && add; k++) {
                const bool both = at[k / n] >= 0 && at[k % n] >= 0; // reported when read
                GOS_TRY(both ? add(to, at[k / n], at[k % n], s.weight * N[k / n] * N[k % n])
                             : GOS_OK);
            }
        }
    }
    return GOS_OK;
}

/* ---- a block --------------------------------------------------------------------------------- */

typedef struct filling {
    const patches *p;
    gos_points *to;
    gos_rule rule;
} filling;

/* lane of element e, point g (ntab = nb, ng, size, LANES) */
static size_t at(const filling *f, int e, int g, int size, int i) {
    return (((size_t)(e / LANES) * (size_t)f->to->ng + (size_t)g) * (size_t)size + (size_t)i) *
               LANES +
           (size_t)(e % LANES);
}

static void fill_temperature(const filling *f, int e, const patch *one, int g, const spot *s) {
    const gos_mesh_skin *skin = f->p->skin;
    int number[2 * GOS_CELL_NODES];
    double N[2 * GOS_CELL_NODES];
    const int n = functions_at(f->p, one, s, number, N), nodes = gos__cell_kind[one->shape].nodes;
    for (int k = 0; k < n; k++) {
        if (skin->nodal) {
            f->to->N[at(f, e, g, f->to->nt, k)] = N[k];
            continue;
        }
        const gos_sparse *A = k < nodes ? skin->at : skin->across;
        const int node = one->node[k % nodes];
        for (int q = A->p[node]; q < A->p[node + 1]; q++) {
            f->to->N[at(f, e, g, f->to->nt, A->i[q])] += N[k] * A->x[q];
        }
    }
}

/* `real` false: padding lane */
static void fill_element(const filling *f, int e, const patch *one, bool real) {
    const gos_mesh_skin *skin = f->p->skin;
    const int nodes = gos__cell_kind[one->shape].nodes;
    gos_points *to = f->to;
    for (int c = 0; c < to->nv; c++) {
        to->v[((e / LANES) * 3 + c) * LANES + e % LANES] = skin->axes + c;
    }
    for (int k = 0; k < to->nt; k++) {
        const int own =
            k < nodes ? skin->of_node[one->node[k % nodes]] : skin->of_across[one->node[k % nodes]];
        to->th[((size_t)(e / LANES) * (size_t)to->nt + (size_t)k) * LANES + (size_t)(e % LANES)] =
            skin->t0 + (skin->nodal ? own : k);
    }
    for (int g = 0; g < to->ng; g++) {
        spot s;
        spot_at(f->p, one, &f->rule, g, &s);
        to->w[at(f, e, g, 1, 0)] = real ? s.weight : 0;
        for (int c = 0; c < 3 && !skin->still; c++) {
            to->b[at(f, e, g, 3, c)] = s.normal[c];
        }
        for (int i = 0; i < 9 && skin->still; i++) {
            to->z0[at(f, e, g, 3, i % 3)] += s.normal[i / 3] * skin->still[i / 3][i % 3];
        }
        fill_temperature(f, e, one, g, &s);
    }
}

#define KINDS (GOS_CELL_SHAPES + 1)

/* shape, or (after these) rectangular beam; temperature varies through the thickness */
static int kind_of(const patches *p, const patch *one) {
    const bool flat = one->beam && levels_of(p, one) == 4;
    const int shape = flat ? GOS_CELL_SHAPES : one->beam ? GOS_CELL_POINT : (int)one->shape;
    return 2 * shape + one->shell;
}

#define SLOTS (GOS_CELL_SIDES + 1)

/* (cells, SLOTS) by cell and 1 + side, 0: cell; -1: not drawn; allocated. */
static gos_status find_drawn(gos_ctx *ctx, const gos_mesh_skin *skin, int **of) {
    const gos_mesh *m = skin->mesh;
    const gos_mesh_surface *sides = gos__mesh_has_solids(m) ? gos__mesh_surface(m, "skin") : NULL;
    const size_t n = (size_t)m->ncell * SLOTS;
    int at, drawn = 0;
    *of = gos__alloc(ctx, n + 1, sizeof **of);
    GOS_TRY(*of ? GOS_OK : GOS_E_MEMORY);
    memset(*of, -1, n * sizeof **of);
    for (int i = 0; sides && i < sides->n; i++) {
        (*of)[(size_t)sides->cell[i] * SLOTS + 1 + (size_t)sides->side[i]] = drawn++;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->ncell && (pass > 0 || !sides); i++) {
            const bool sheet = gos__cell_kind[gos__mesh_cell(m, i, &at)->shape].dim == 2;
            if (pass ? skin->profile[i] != NULL : sheet) {
                (*of)[(size_t)i * SLOTS] = drawn++;
            }
        }
    }
    return GOS_OK;
}

/* In the picture; none if not drawn, or reduced to patterns without shadows. */
static gos_status draw_points(gos_builder *b, const patches *p, const patch *like,
                              const gos_rule *rule, const int *of, gos_points *to) {
    int *cell = GOS_NEW(b->arena, int, to->ne + 1), e = 0;
    double *locations = GOS_NEW(b->arena, double, 2L * to->ng + 1);
    const bool flat = gos__cell_kind[like->shape].corners == 3;
    const int levels = levels_of(p, like);
    if (!cell || !locations) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < count_of(p); i++) {
        patch one;
        patch_at(p, i, &one);
        if (kind_of(p, &one) == kind_of(p, like) && counts(p, i, &one)) {
            cell[e] = of[(size_t)one.cell * SLOTS + 1 + (size_t)one.side];
            if (cell[e++] < 0) {
                return GOS_OK;
            }
        }
    }
    for (int g = 0; g < 2 * to->ng; g++) { // natural coordinates -1 .. 1
        const double x = rule->at[g / 2 / levels][g % 2];
        locations[g] = flat ? x : like->beam && g % 2 ? 0 : (1 + x) / 2;
    }
    return gos__points_draw(b->arena, to, cell, locations);
}

/* ne patches of the same kind as `like`; of: see find_drawn */
static gos_status add_block(gos_builder *b, const gos_body *body, const patches *p,
                            const patch *like, int ne, const int *of) {
    filling f = {.p = p};
    const int nodes = gos__cell_kind[like->shape].nodes, nb = (ne + LANES - 1) / LANES;
    const int nt = !p->skin->nodal ? p->skin->at->m : like->shell ? 2 * nodes : nodes;
    gos_points to = {.law = &law,
                     .body = body->index,
                     .ne = ne,
                     .nb = nb,
                     .nv = p->skin->still ? 0 : 3,
                     .nt = nt,
                     .nfam = 1,
                     .ntab = nb,
                     .surface = true};
    patch one, last = *like;
    gos__rule(like->shape, GOS_RULE_MASS, &f.rule);
    to.ng = spots_of(p, like, &f.rule);
    const size_t lanes = (size_t)nb * LANES, points = lanes * (size_t)to.ng;
    to.v = GOS_NEW(b->arena, int, 3 * lanes);
    to.th = GOS_NEW(b->arena, int, (size_t)nt *lanes);
    to.tab = GOS_NEW(b->arena, int, (size_t)nb);
    to.b = GOS_NEW(b->arena, double, 3 * points);
    to.z0 = p->skin->still ? GOS_NEW(b->arena, double, 3 * points) : NULL;
    to.N = GOS_NEW(b->arena, double, (size_t)nt *points);
    to.w = GOS_NEW(b->arena, double, points);
    if (!to.v || !to.th || !to.tab || !to.b || !to.N || !to.w || (p->skin->still && !to.z0)) {
        return GOS_E_MEMORY;
    }
    f.to = &to;
    int e = 0;
    for (int i = 0; i < count_of(p); i++) {
        patch_at(p, i, &one);
        if (kind_of(p, &one) == kind_of(p, like) && counts(p, i, &one)) {
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
    GOS_TRY(p->inside || !p->skin->nodal ? GOS_OK : draw_points(b, p, like, &f.rule, of, &to));
    return gos__add_points(b, &to);
}

static gos_status add_blocks(gos_builder *b, const gos_body *body, const patches *p, int *n) {
    int ne[2 * KINDS] = {0};
    patch like[2 * KINDS], one;
    for (int i = 0; i < count_of(p); i++) {
        patch_at(p, i, &one);
        if (counts(p, i, &one)) {
            like[kind_of(p, &one)] = one;
            ne[kind_of(p, &one)]++;
        }
    }
    *n = 0;
    int *of = NULL;
    gos_status status = find_drawn(b->ctx, p->skin, &of);
    for (int s = 0; s < GOS_COUNT(ne) && status == GOS_OK; s++) {
        if (ne[s] > 0) {
            status = add_block(b, body, p, &like[s], ne[s], of);
            ++*n;
        }
    }
    gos__free(b->ctx, of);
    return status;
}

/* ---- of a body ------------------------------------------------------------------------------- */

gos_status gos__mesh_skin_begin(gos_arena *a, gos_mesh_skin *skin) {
    const gos_mesh *m = skin->mesh;
    const size_t most = 4 + (size_t)m->nsurface + 3 * (size_t)m->ncell_set;
    skin->made = gos__arena_alloc(a, most, sizeof *skin->made);
    skin->thickness = GOS_NEW(a, double, m->ncell + 1);
    skin->shell = GOS_NEW(a, bool, m->ncell + 1);
    skin->profile =
        (const gos_fe_profile **)gos__arena_alloc(a, (size_t)m->ncell + 1, sizeof *skin->profile);
    return skin->made && skin->thickness && skin->shell && skin->profile ? GOS_OK : GOS_E_MEMORY;
}

int gos__mesh_skin_side(const char *text, char *name, size_t size) {
    static const char *const ending[2] = {"upper", "lower"};
    const size_t n = strlen(text);
    snprintf(name, size, "%s", text);
    for (int i = 0; i < 2; i++) {
        const size_t m = strlen(ending[i]);
        const bool whole = n == m, part = n > m && text[n - m - 1] == '.';
        if ((whole || part) && n < size && strcmp(text + n - m, ending[i]) == 0) {
            name[whole ? 0 : n - m - 1] = '\0';
            return i == 0 ? 1 : -1;
        }
    }
    return 0;
}

static bool all_shells(const gos_mesh_skin *skin, const gos_mesh_set *set) {
    bool all = set->n > 0;
    for (int i = 0; i < set->n; i++) {
        all = all && skin->shell[set->item[i]];
    }
    return all;
}

static bool all_sheets(const gos_mesh_skin *skin, const gos_mesh_set *set) {
    bool all = highest_dim(skin->mesh) == 2;
    for (int i = 0; i < set->n; i++) {
        all = all && !skin->shell[set->item[i]];
    }
    return all;
}

static bool all_beams(const gos_mesh_skin *skin, const gos_mesh_set *set) {
    bool all = set->n > 0;
    for (int i = 0; i < set->n; i++) {
        all = all && skin->profile[set->item[i]];
    }
    return all;
}

static bool has_shells(const gos_mesh_skin *skin) {
    bool any = false;
    for (int i = 0; i < skin->mesh->ncell && !any; i++) {
        any = skin->shell[i];
    }
    return any;
}

int gos__mesh_skin_find(const gos_mesh_skin *skin, const char *name, int side) {
    const gos_mesh *m = skin->mesh;
    const int cells = 1 + m->nsurface, faces = cells + m->ncell_set + (side < 0);
    if (!name) {
        return has_shells(skin) ? faces : 0;
    }
    for (int i = 0; i < m->nsurface && side == 0; i++) {
        if (strcmp(m->surface[i].name, name) == 0) {
            return 1 + i;
        }
    }
    for (int i = 0; i < m->ncell_set; i++) {
        if (strcmp(m->cell_set[i].name, name) != 0) {
            continue;
        }
        const bool whole = all_sheets(skin, &m->cell_set[i]) || all_beams(skin, &m->cell_set[i]);
        return side == 0 ? (whole ? cells + i : 0)
                         : (all_shells(skin, &m->cell_set[i]) ? faces + 2 * (1 + i) : 0);
    }
    return 0;
}

/* every node must have a temperature */
static gos_status check(gos_builder *b, const gos_body *body, const patches *p) {
    bool good = true, around = true;
    for (int i = 0; i < count_of(p) && good; i++) {
        patch one;
        patch_at(p, i, &one);
        const gos_cell_kind *kind = &gos__cell_kind[one.shape];
        for (int k = 0; k < kind->nodes && counts(p, i, &one); k++) {
            good = good && p->skin->of_node[one.node[k]] >= 0;
        }
        const bool thick = !one.beam && (kind->dim == 1 || (kind->dim == 2 && p->inside));
        around = around && !(one.beam && counts(p, i, &one) && !p->inside &&
                             !(p->skin->profile[one.cell]->perimeter > 0));
        good = good && (!thick || !counts(p, i, &one) || p->skin->thickness[one.cell] > 0);
    }
    if (!around) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, body->name,
                            "heat acts on the surface of its beams, but their section has no "
                            "perimeter; give it one");
    }
    return good
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, body->loc, body->name,
                              "heat acts on a surface or volume with cells that belong to no part; "
                              "give sets without such cells, or make separate bodies of them");
}

gos_status gos__mesh_skin_points(gos_builder *b, const gos_body *body, gos_mesh_skin *skin,
                                 const gos_location *location, bool inside, int *first, int *n) {
    const int which = location->surface;
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

gos_status gos__mesh_skin_each(const gos_mesh_skin *skin, int surface,
                               gos_status (*each)(void *to, const gos_mesh_patch *one), void *to) {
    const patches p = patches_of(skin, surface, false);
    const bool sheets = highest_dim(skin->mesh) == 2;
    for (int i = 0; i < count_of(&p); i++) {
        patch one;
        patch_at(&p, i, &one);
        const int dim = gos__cell_kind[one.shape].dim;
        one.sheet = sheets && dim == 2 && !one.shell && (p.cells || one.face > 0);
        if ((dim == 2 && (one.sheet || counts(&p, i, &one))) || (one.beam && counts(&p, i, &one))) {
            GOS_TRY(each(to, &one));
        }
    }
    return GOS_OK;
}

/* facets of patches; *f is allocated */
static gos_status facets_of(gos_ctx *ctx, const patches *p, int *n, gos_facet **f) {
    *n = 0;
    *f = gos__alloc(ctx, (size_t)count_of(p) + 1, sizeof **f);
    GOS_TRY(*f ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < count_of(p); i++) {
        patch one;
        patch_at(p, i, &one);
        const int corners = gos__cell_kind[one.shape].corners;
        if (gos__cell_kind[one.shape].dim != 2 || !counts(p, i, &one)) {
            continue;
        }
        gos_facet *to = &(*f)[(*n)++];
        to->n = corners;
        for (int k = 0; k < corners; k++) { // reversed
            memcpy(to->x[k], p->skin->mesh->x[one.node[one.face < 0 ? corners - 1 - k : k]],
                   sizeof to->x[k]);
        }
    }
    return GOS_OK;
}

gos_status gos__mesh_skin_sees_itself(gos_ctx *ctx, const gos_mesh_skin *skin,
                                      const gos_location *p, double *part) {
    const patches some = patches_of(skin, p->surface, false), all = patches_of(skin, 0, false);
    gos_facet *f = NULL, *g = NULL;
    int n, m;
    gos_status status = facets_of(ctx, &some, &n, &f);
    status = status == GOS_OK ? facets_of(ctx, &all, &m, &g) : status;
    if (status == GOS_OK) {
        *part = gos__facets_blocked(n, f, m, g);
    }
    gos__free(ctx, f);
    gos__free(ctx, g);
    return status;
}

gos_status gos__mesh_skin_section(gos_arena *a, bool shells, const gos_section **section) {
    gos_section *s = GOS_NEW(a, gos_section, 1);
    gos_section_point *point = GOS_NEW(a, gos_section_point, 1);
    if (!s || !point) {
        return GOS_E_MEMORY;
    }
    *point = (gos_section_point){.dl = 1, .phi = {1}};
    *s = (gos_section){.A = 1,
                       .nfam = shells ? 2 : 1,
                       .family = {"T", "T_z"},
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
