/* Stress and strain: by nodal freedoms and temperatures (fe/recovery.h), these by amplitudes. Six
   sums per location. */
#include "floating/mesh_stress.h"

#include <math.h>

#include "base/units.h"
#include "floating/mesh_picture.h"
#include "fe/layup.h"
#include "fe/beam_section.h"
#include "fe/recovery.h"
#include "mesh/find.h"
#include "mesh/shapes.h"

#define ON_LINE 1e-3 // off a beam, over the section's size

typedef struct recovering {
    gos_builder *b;
    const gos_body *body;
    gos_mesh_stress *s;
    const gos_floating_body *f;
    const gos_mesh *mesh;
    const gos_recovery *what;
    int n; // nodes of the location
    int *node;
    int count, cap; // results
    gos_recovered *found;
    bool *seen;       // (nodes)
    double *sum;      // over amplitudes or temperatures
    bool *seen_row;   // marks entries in the sum ...
    int *used, nused; // ... and their list
} recovering;

/* ---- the elements ---------------------------------------------------------------------------- */

static void destroy(void *fe) {
    gos__fe_body_destroy(fe);
}

/* freedoms and neighbours, without matrices */
static gos_status make_elements(const recovering *k) {
    gos_mesh_stress *s = k->s;
    if (s->fe) {
        return GOS_OK;
    }
    GOS_TRY(gos__fe_body_create(k->b->ctx, k->mesh, s->npart, s->part, &s->fe));
    if (gos__arena_defer(k->b->arena, destroy, s->fe) != GOS_OK) {
        gos__fe_body_destroy(s->fe);
        s->fe = NULL;
        return GOS_E_MEMORY;
    }
    s->freedom = GOS_NEW(k->b->arena, int, s->fe->freedom.n + 1);
    s->temperature = GOS_NEW(k->b->arena, int, s->fe->temperature.n + 1);
    GOS_TRY(s->freedom && s->temperature ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < 2 * k->mesh->nnode; i++) {
        const int t = gos__fe_number(&s->fe->temperature, i / 2, i % 2);
        if (t >= 0) {
            s->temperature[t] = i;
        }
    }
    for (int i = 0; i < 6 * k->mesh->nnode; i++) {
        const int freedom = gos__fe_number(&s->fe->freedom, i / 6, i % 6);
        if (freedom >= 0) {
            s->freedom[freedom] = i;
        }
    }
    return GOS_OK;
}

/* ---- nodes of a location --------------------------------------------------------------------- */

static void add_node(recovering *k, int node) {
    if (!k->seen[node] && k->s->fe->start[node + 1] > k->s->fe->start[node]) {
        k->seen[node] = true;
        k->node[k->n++] = node;
    }
}

static void add_surface(recovering *k, const gos_mesh_surface *surface) {
    for (int i = 0; i < surface->n; i++) {
        int node[GOS_CELL_SIDE_NODES];
        const int count = gos__mesh_side(k->mesh, surface->cell[i], surface->side[i], node);
        for (int j = 0; j < count; j++) {
            add_node(k, node[j]);
        }
    }
}

static void add_named(recovering *k, const gos_mesh_interfaces *interfaces, const char *name) {
    for (int i = 0; i < interfaces->n; i++) {
        const gos_mesh_interface *v = &interfaces->v[i];
        for (int j = 0; strcmp(v->name, name) == 0 && j < v->n; j++) {
            add_node(k, v->node[j]);
        }
    }
    if (k->n > 0) {
        return;
    }
    const gos_mesh_set *set = gos__mesh_node_set(k->mesh, name);
    const gos_mesh_surface *surface = gos__mesh_surface(k->mesh, name);
    for (int i = 0; set && i < set->n; i++) {
        add_node(k, set->item[i]);
    }
    if (!set && surface) {
        add_surface(k, surface);
    }
}

static void add_cells(recovering *k, const gos_mesh_set *set) {
    for (int i = 0; i < set->n; i++) {
        int at;
        const gos_cell_block *b = gos__mesh_cell(k->mesh, set->item[i], &at);
        const int n = gos__cell_kind[b->shape].nodes;
        for (int j = 0; j < n; j++) {
            add_node(k, b->node[(size_t)at * n + j]);
        }
    }
}

/* nodes of gos_location.surface, see gos__mesh_skin_find */
static void add_skin(recovering *k, const gos_location *p) {
    const gos_mesh *m = k->mesh;
    const int cells = 1 + m->nsurface, faces = cells + m->ncell_set + (p->side < 0);
    const int set = p->surface < cells                  ? -1
                    : p->surface < cells + m->ncell_set ? p->surface - cells
                                                        : (p->surface - faces) / 2 - 1;
    if (p->surface < cells) {
        add_surface(k, &m->surface[p->surface - 1]);
    } else if (set >= 0) {
        add_cells(k, &m->cell_set[set]);
    }
    for (int i = 0; i < m->nnode && set < 0 && p->surface >= cells; i++) {
        add_node(k, i);
    }
}

static gos_status nodes_of(recovering *k, const gos_mesh_locations *locations,
                           const gos_location *p) {
    const int nnode = k->mesh->nnode;
    k->node = GOS_NEW(k->b->arena, int, nnode + 1);
    k->seen = gos__zalloc(k->b->ctx, (size_t)nnode + 1, sizeof *k->seen);
    GOS_TRY(k->node && k->seen ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < nnode && p->whole; i++) {
        add_node(k, i);
    }
    if (p->node >= nnode && p->node < nnode + locations->nset) {
        add_named(k, &locations->interfaces, locations->name[p->node - nnode]);
    } else if (p->node >= 0 && p->node < nnode) {
        add_node(k, p->node);
    } else if (p->surface > 0) {
        add_skin(k, p);
    }
    return k->n > 0 ? GOS_OK
                    : gos__fail_at(k->b->ctx, GOS_E_INPUT, k->what->loc, k->what->object,
                                   "'%s' has no elements there, so there is no stress or strain; "
                                   "give a node or a set of its mesh",
                                   k->body->name);
}

/* ---- materials at nodes ---------------------------------------------------------------------- */

static void mark_part(const recovering *k, int part) {
    memset(k->seen, 0, (size_t)k->mesh->nnode * sizeof *k->seen);
    for (int cell = 0; cell < k->mesh->ncell; cell++) {
        int i;
        const int own = k->s->fe->part_of[cell];
        const gos_cell_block *b = gos__mesh_cell(k->mesh, cell, &i);
        const int n = gos__cell_kind[b->shape].nodes;
        for (int c = 0;
             c < n && own >= 0 && gos__mesh_parts_alike(&k->s->part[own], &k->s->part[part]); c++) {
            k->seen[b->node[(size_t)i * n + c]] = true;
        }
    }
}

/* is it the first part of its material, and requested? */
static bool first_of(const recovering *k, int part) {
    const gos_mesh_stress *s = k->s;
    for (int i = 0; i < part; i++) {
        if (gos__mesh_parts_alike(&s->part[i], &s->part[part])) {
            return false;
        }
    }
    return !k->what->material || strcmp(k->what->material, s->material[part]) == 0;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_column(recovering *k, const gos_sparse *A, int column, double factor) {
    for (int p = A->p[column]; p < A->p[column + 1]; p++) {
        const int i = A->i[p];
        if (!k->seen_row[i]) {
            k->seen_row[i] = true;
            k->used[k->nused++] = i;
        }
        k->sum[i] += factor * A->x[p];
    }
}

/* indices `to` (NULL: from `first`); clears the sum */
static gos_status close_sum(recovering *k, const int *to, int first, gos_tmarker *m) {
    int *idx = GOS_NEW(k->b->arena, int, k->nused + 1);
    double *w = GOS_NEW(k->b->arena, double, k->nused + 1);
    GOS_TRY(idx && w ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->nused; i++) {
        const int at = k->used[i];
        idx[i] = to ? to[at] : first + at;
        w[i] = k->sum[at];
        k->sum[at] = 0;
        k->seen_row[at] = false;
    }
    *m = (gos_tmarker){.n = k->nused, .idx = idx, .w = w};
    k->nused = 0;
    return GOS_OK;
}

/* sum of a component weighted over `locations` locations; weight NULL: mean */
static gos_status take_component(recovering *k, const gos_fe_components *c, int location,
                                 int locations, const double *weight, int a, gos_recovered *r) {
    const gos_flex *flex = k->f->flex;
    for (int p = location; p < location + locations; p++) {
        const double w = weight ? weight[p - location] : 1.0 / locations;
        for (int i = c->by_u.p[6 * p + a]; i < c->by_u.p[6 * p + a + 1]; i++) {
            const int at = k->s->freedom[c->by_u.i[i]], node = at / 6, d = at % 6;
            add_column(k, d < 3 ? &flex->move : &flex->turn, 3 * node + d % 3, w * c->by_u.x[i]);
        }
    }
    GOS_TRY(close_sum(k, k->f->derived->z, 0, &r->q[a]));
    for (int p = location; p < location + locations && flex->heat.n > 0; p++) {
        const double w = weight ? weight[p - location] : 1.0 / locations;
        for (int i = c->by_t.p[6 * p + a]; i < c->by_t.p[6 * p + a + 1]; i++) {
            const int at = k->s->temperature[c->by_t.i[i]];
            add_column(k, at % 2 ? &flex->heat.across : &flex->heat.at, at / 2, w * c->by_t.x[i]);
        }
    }
    return close_sum(k, NULL, k->body->t0, &r->th[a]);
}

/* ---- all materials --------------------------------------------------------------------------- */

static gos_status room_for(recovering *k, int n) {
    if (k->count + n > k->cap) {
        const int cap = k->count + n;
        gos_recovered *more = GOS_NEW(k->b->arena, gos_recovered, cap);
        GOS_TRY(more ? GOS_OK : GOS_E_MEMORY);
        if (k->count > 0) {
            memcpy(more, k->found, (size_t)k->count * sizeof *more);
        }
        k->found = more;
        k->cap = cap;
    }
    return GOS_OK;
}

/* position at t = 0 */
static void position_of(const recovering *k, int node, double x[3]) {
    for (int c = 0; c < 3; c++) {
        x[c] = k->f->origin[c];
        for (int j = 0; j < 3; j++) {
            x[c] += k->mesh->x[node][j] * k->f->axis[j][c];
        }
    }
}

/* ply exists; between plies one must be selected */
static gos_status check_ply(const recovering *k, const gos_fe_part *part) {
    const gos_recovery *w = k->what;
    const int plies = part->layup ? part->layup->n : 0;
    if (w->ply > plies) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, w->loc, w->object,
                            plies > 0 ? "the laminate there has %d plies; give `ply` at most that"
                                      : "there is no laminate (%d plies); remove `ply`",
                            plies);
    }
    return plies > 1 && w->ply == 0 && w->face == 0 && !w->strain
               ? gos__fail_at(k->b->ctx, GOS_E_INPUT, w->loc, w->object,
                              "the laminate there has a separate stress in each of its %d plies; "
                              "give `ply` (components in ply axes), or `face: upper` or `lower`",
                              plies)
               : GOS_OK;
}

/* requested quantity, which the part must provide */
static gos_status what_of(const recovering *k, const gos_fe_part *part, gos_fe_recovery *what) {
    const double *fibre = k->what->fibre;
    *what = (gos_fe_recovery){.quantity = k->what->strain ? GOS_FE_STRAIN : GOS_FE_STRESS,
                              .material = part->material,
                              .thickness = part->thickness,
                              .profile = part->profile,
                              .depth = {.face = k->what->face,
                                        .ply = k->what->ply,
                                        .own = k->what->ply > 0,
                                        .fibre = {fibre[0], fibre[1]}}};
    GOS_TRY(check_ply(k, part));
    if (k->what->face != 0 && !part->element->directors) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->what->loc, k->what->object,
                            "'%s' has no faces there; `face` applies to shells only, remove it",
                            k->body->name);
    }
    if ((fibre[0] != 0 || fibre[1] != 0) &&
        !(part->profile && gos__fe_profile_has(part->profile, fibre[0], fibre[1]))) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->what->loc, k->what->object,
                            part->profile ? "the fibre y = %g, z = %g is outside the section of "
                                            "the beams there; give one inside"
                                          : "there are no beams there; `fibre` (y = %g, z = %g) "
                                            "applies to their sections, remove it",
                            fibre[0], fibre[1]);
    }
    return GOS_OK;
}

static gos_status refuse_parts(const recovering *k) {
    return gos__fail_at(
        k->b->ctx, GOS_E_INPUT, k->what->loc, k->what->object,
        "parts of different material or thickness, or beams of different directions, meet there, "
        "so the stress is ambiguous; give a point inside one of them, or its `material`");
}

/* stresses are averaged over aligned beams only */
static gos_status refuse_corners(const recovering *k, int part, int n, const int *node) {
    int corner;
    GOS_TRY(gos__mesh_beam_corner(k->s->fe, &k->s->part[part], n, node, &corner));
    return corner < 0
               ? GOS_OK
               : gos__fail_at(k->b->ctx, GOS_E_INPUT, k->what->loc, k->what->object,
                              "beams of different directions meet at node(%lld), so the stress is "
                              "ambiguous; give a point on one of them, BODY.at(x, y, z)",
                              (long long)gos__mesh_node_tag(k->mesh, corner));
}

/* each beam end separately, as beams may meet at a corner */
static gos_status take_ends(recovering *k, int part, const gos_fe_recovery *what, int n,
                            const int *node) {
    const gos_mesh *m = k->mesh;
    bool *wanted = gos__zalloc(k->b->ctx, (size_t)m->nnode + 1, sizeof *wanted);
    gos_status status = wanted ? room_for(k, 2 * m->ncell) : GOS_E_MEMORY;
    for (int i = 0; i < n && wanted; i++) {
        wanted[node[i]] = true;
    }
    for (int e = 0; e < 2 * m->ncell && status == GOS_OK; e++) {
        int i;
        const int cell = e / 2, own = k->s->fe->part_of[cell];
        const gos_cell_block *b = gos__mesh_cell(m, cell, &i);
        if (own < 0 || !gos__mesh_parts_alike(&k->s->part[own], &k->s->part[part]) ||
            !wanted[b->node[2 * (size_t)i + (size_t)(e % 2)]]) {
            continue;
        }
        const double at[3] = {e % 2 ? 1 : -1, 0, 0};
        gos_fe_components c = {0};
        gos_recovered *r = &k->found[k->count++];
        *r = (gos_recovered){.material = k->s->material[part]};
        position_of(k, b->node[2 * (size_t)i + (size_t)(e % 2)], r->x);
        status = gos__fe_components_at_point(k->s->fe, what, cell, at, &c);
        for (int a = 0; a < 6 && status == GOS_OK; a++) {
            status = take_component(k, &c, 0, 1, NULL, a, r);
        }
        gos__fe_components_free(k->b->ctx, &c);
    }
    gos__free(k->b->ctx, wanted);
    return status;
}

static gos_status take_part(recovering *k, int part, int n, const int *node) {
    const bool each = k->what->each;
    gos_fe_recovery what;
    gos_fe_components c = {0};
    GOS_TRY(what_of(k, &k->s->part[part], &what));
    if (k->s->part[part].profile && each) {
        return take_ends(k, part, &what, n, node);
    }
    GOS_TRY(k->s->part[part].profile ? refuse_corners(k, part, n, node) : GOS_OK);
    gos_status status = room_for(k, each ? n : 1);
    status = status == GOS_OK ? gos__fe_components_at_nodes(k->s->fe, &what, n, node, &c) : status;
    for (int i = 0; i < (each ? n : 1) && status == GOS_OK; i++) {
        gos_recovered *r = &k->found[k->count++];
        *r = (gos_recovered){.material = k->s->material[part]};
        position_of(k, node[i], r->x);
        for (int a = 0; a < 6 && status == GOS_OK; a++) {
            status = take_component(k, &c, i, each ? 1 : n, NULL, a, r);
        }
    }
    gos__fe_components_free(k->b->ctx, &c);
    return status;
}

static gos_status refuse_materials(const recovering *k, int groups, const char *first,
                                   const char *other) {
    const gos_recovery *w = k->what;
    if (groups == 0) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, w->loc, w->object,
                            "there is no element of material '%s' there; give another `material`",
                            w->material);
    }
    return strcmp(first, other) == 0
               ? gos__fail_at(k->b->ctx, GOS_E_INPUT, w->loc, w->object,
                              "parts of different thickness meet there, so the stress is "
                              "ambiguous; give nodes inside one of them")
               : gos__fail_at(k->b->ctx, GOS_E_INPUT, w->loc, w->object,
                              "the materials '%s' and '%s' meet there, so the stress is "
                              "ambiguous; select one with `material`",
                              first, other);
}

static gos_status take_parts(recovering *k) {
    int *node = GOS_NEW(k->b->arena, int, k->n + 1), groups = 0;
    const char *first = NULL, *other = NULL;
    GOS_TRY(node ? GOS_OK : GOS_E_MEMORY);
    for (int part = 0; part < k->s->npart; part++) {
        int n = 0;
        if (!first_of(k, part)) {
            continue;
        }
        mark_part(k, part);
        for (int i = 0; i < k->n; i++) {
            if (k->seen[k->node[i]]) {
                node[n++] = k->node[i];
            }
        }
        if (n > 0) {
            first = groups == 0 ? k->s->material[part] : first;
            other = k->s->material[part];
            groups++;
            GOS_TRY(take_part(k, part, n, node));
        }
    }
    return groups == 1 || (groups > 1 && k->what->each) ? GOS_OK
                                                        : refuse_materials(k, groups, first, other);
}

static gos_status begin(recovering *k) {
    const gos_flex *flex = k->f->flex;
    const size_t rows = (size_t)(flex->n > flex->heat.n ? flex->n : flex->heat.n);
    k->sum = gos__zalloc(k->b->ctx, rows + 1, sizeof *k->sum);
    k->used = gos__alloc(k->b->ctx, rows + 1, sizeof *k->used);
    k->seen_row = gos__zalloc(k->b->ctx, rows + 1, sizeof *k->seen_row);
    return k->sum && k->used && k->seen_row ? make_elements(k) : GOS_E_MEMORY;
}

static void end(const recovering *k) {
    gos__free(k->b->ctx, k->sum);
    gos__free(k->b->ctx, k->used);
    gos__free(k->b->ctx, k->seen_row);
    gos__free(k->b->ctx, k->seen);
}

gos_status gos__mesh_stress(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                            const gos_floating_body *f, const gos_mesh_locations *locations,
                            const gos_location *p, const gos_recovery *what, int *n,
                            gos_recovered **r) {
    gos_recovery own = *what;
    own.face = p->side != 0 ? p->side : what->face;
    recovering k = {.b = b, .body = body, .s = s, .f = f, .mesh = locations->mesh, .what = &own};
    gos_status status = begin(&k);
    status = status == GOS_OK ? nodes_of(&k, locations, p) : status;
    status = status == GOS_OK ? take_parts(&k) : status;
    end(&k);
    *n = k.count;
    *r = k.found;
    return status;
}

/* ---- a point between nodes ------------------------------------------------------------------- */

/* has the part the material and, if `depths`, faces and fibres? */
static bool asked(const recovering *k, int part, bool depths) {
    const gos_recovery *w = k->what;
    const gos_fe_part *p = part < 0 ? NULL : &k->s->part[part];
    const bool fibre = depths && (w->fibre[0] != 0 || w->fibre[1] != 0);
    const bool face = depths && (w->face != 0 || w->ply != 0);
    return p && (!w->material || strcmp(w->material, k->s->material[part]) == 0) &&
           (!fibre || p->profile) && (!face || p->element->directors);
}

/* Part and cell with point X (mesh axes), local coordinates; *parts: number of different parts, or
   beam directions. */
static int part_at(const recovering *k, const double X[3], bool depths, int *parts, int *cell,
                   double at[3]) {
    int found = -1;
    *parts = 0;
    for (int i = 0; i < k->mesh->ncell; i++) {
        double here[3];
        const int part = k->s->fe->part_of[i];
        if (!asked(k, part, depths)) {
            continue;
        }
        // shells within half the thickness; beams on their axis
        const gos_fe_part *p = &k->s->part[part];
        const double off = p->profile ? ON_LINE * sqrt(p->profile->A) : p->thickness / 2;
        if (!gos__mesh_inside(k->mesh, i, X, off, here)) {
            continue;
        }
        *parts += found < 0 || !gos__mesh_parts_alike(p, &k->s->part[found]) ||
                  (p->profile && !gos__mesh_beam_goes_on(k->mesh, i, *cell));
        found = part;
        *cell = i;
        memcpy(at, here, sizeof here);
    }
    return found;
}

static gos_status refuse_outside(const recovering *k, const double x[3], const double X[3]) {
    int best = 0;
    double least = HUGE_VAL, location[3];
    for (int i = 0; i < k->mesh->nnode; i++) {
        const double *y = k->mesh->x[i];
        const double far = hypot(hypot(y[0] - X[0], y[1] - X[1]), y[2] - X[2]);
        const bool nearer = far < least && k->s->fe->start[i + 1] > k->s->fe->start[i];
        best = nearer ? i : best;
        least = nearer ? far : least;
    }
    position_of(k, best, location);
    return gos__fail_at(k->b->ctx, GOS_E_INPUT, k->what->loc, k->what->object,
                        "at(%g, %g, %g) is outside '%s'%s%s; the nearest node is node(%lld) at "
                        "(%g, %g, %g), %g %s away",
                        x[0], x[1], x[2], k->body->name, k->what->material ? ", or not in " : "",
                        k->what->material ? k->what->material : "",
                        (long long)gos__mesh_node_tag(k->mesh, best), location[0], location[1],
                        location[2], least,
                        gos__unit_label(k->b->model->units, "m", GOS_UNIT_BUFFER));
}

/* interpolated in a cell by shape functions */
static gos_status take_point(recovering *k, int cell, int part, const double at[3],
                             gos_recovered *r) {
    int i;
    const gos_cell_block *b = gos__mesh_cell(k->mesh, cell, &i);
    const int n = gos__cell_kind[b->shape].nodes;
    const gos_fe_part *p = &k->s->part[part];
    gos_fe_recovery what;
    double N[GOS_CELL_NODES];
    gos_fe_components c = {0};
    GOS_TRY(what_of(k, p, &what));
    gos__shape(b->shape, at, N, NULL);
    // beams: from the cell, which has end forces
    gos_status status =
        p->profile ? gos__fe_components_at_point(k->s->fe, &what, cell, at, &c)
                   : gos__fe_components_at_nodes(k->s->fe, &what, n, b->node + (size_t)i * n, &c);
    for (int a = 0; a < 6 && status == GOS_OK; a++) {
        status = take_component(k, &c, 0, p->profile ? 1 : n, p->profile ? NULL : N, a, r);
    }
    gos__fe_components_free(k->b->ctx, &c);
    return status;
}

gos_status gos__mesh_stress_at(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                               const gos_floating_body *f, const gos_mesh *mesh, const double x[3],
                               const gos_recovery *what, gos_recovered **r) {
    recovering k = {.b = b, .body = body, .s = s, .f = f, .mesh = mesh, .what = what};
    double X[3] = {0}, at[3];
    int parts = 0, cell = -1;
    for (int c = 0; c < 9; c++) {
        X[c / 3] += (x[c % 3] - f->origin[c % 3]) * f->axis[c / 3][c % 3];
    }
    *r = GOS_NEW(b->arena, gos_recovered, 1);
    gos_status status = *r ? begin(&k) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        int part = part_at(&k, X, true, &parts, &cell, at);
        if (part < 0) { // reported by the part
            part = part_at(&k, X, false, &parts, &cell, at);
        }
        status = part < 0    ? refuse_outside(&k, x, X)
                 : parts > 1 ? refuse_parts(&k)
                             : take_point(&k, cell, part, at, *r);
        (*r)->material = part < 0 ? NULL : s->material[part];
        memcpy((*r)->x, x, sizeof(*r)->x);
    }
    end(&k);
    return status;
}

/* ---- drawn nodes ----------------------------------------------------------------------------- */

// nodes processed at a time, to bound memory
#define NODE_BATCH 1000

/* drawn with indices `at` */
static gos_status take_drawn(recovering *k, int part, int n, const int *node, const int *at,
                             gos_recovered *to) {
    const gos_fe_part *p = &k->s->part[part];
    const gos_fe_recovery what = {.quantity = k->what->strain ? GOS_FE_STRAIN : GOS_FE_STRESS,
                                  .material = p->material,
                                  .thickness = p->thickness,
                                  .profile = p->profile,
                                  .depth = {.face = p->element->directors ? k->what->face : 0}};
    gos_fe_components c = {0};
    gos_status status = gos__fe_components_at_nodes(k->s->fe, &what, n, node, &c);
    for (int i = 0; i < n && status == GOS_OK; i++) {
        gos_recovered *r = &to[at[i]];
        r->material = k->s->material[part];
        position_of(k, node[i], r->x);
        for (int a = 0; a < 6 && status == GOS_OK; a++) {
            status = take_component(k, &c, i, 1, NULL, a, r);
        }
    }
    gos__fe_components_free(k->b->ctx, &c);
    return status;
}

static gos_status take_all_drawn(recovering *k, gos_recovered *to) {
    int node[NODE_BATCH], at[NODE_BATCH];
    for (int part = 0; part < k->s->npart; part++) {
        int n = 0;
        for (int i = 0; i < k->s->ndrawn; i++) {
            if (k->s->drawn_part[i] == part) {
                node[n] = k->s->drawn[i];
                at[n++] = k->body->nnode + i;
            }
            if (n == NODE_BATCH) {
                GOS_TRY(take_drawn(k, part, n, node, at, to));
                n = 0;
            }
        }
        GOS_TRY(n > 0 ? take_drawn(k, part, n, node, at, to) : GOS_OK);
    }
    return GOS_OK;
}

gos_status gos__mesh_stress_drawn(gos_builder *b, const gos_body *body, gos_mesh_stress *s,
                                  const gos_floating_body *f, const gos_mesh *mesh,
                                  const gos_recovery *what, gos_recovered **r) {
    recovering k = {.b = b, .body = body, .s = s, .f = f, .mesh = mesh, .what = what};
    *r = GOS_NEW(b->arena, gos_recovered, body->nnode + s->ndrawn + 1);
    gos_status status = *r ? begin(&k) : GOS_E_MEMORY;
    status = status == GOS_OK ? take_all_drawn(&k, *r) : status;
    end(&k);
    return status;
}
