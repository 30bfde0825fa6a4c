/* Loads and temperatures of the chosen subcase. */
#include <math.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

/* ---- load sets ------------------------------------------------------------------------------- */

static gos_status add_share(gos_nastran *r, int64_t set, double factor) {
    gos_nastran_share *s;
    for (int i = 0; i < r->nshare; i++) {
        if (r->share[i].set == set) {
            r->share[i].factor += factor;
            return GOS_OK;
        }
    }
    GOS_TRY(gos__nastran_add(r, &r->share, &r->nshare, sizeof *s, &s));
    *s = (gos_nastran_share){.set = set, .factor = factor};
    return GOS_OK;
}

/* LOAD: factors of sets; else the set itself */
gos_status gos__nastran_combine(gos_nastran *r) {
    bool combined = false;
    for (int i = 0; i < r->ncard; i++) {
        const gos_nastran_card *c = &r->card[i];
        int64_t id;
        double all, one;
        if (strcmp(c->name, "LOAD") != 0) {
            continue;
        }
        GOS_TRY(gos__nastran_id(r, c, 1, "number of the set", &id));
        if (id != r->chosen.load) {
            continue;
        }
        if (combined) {
            return gos__nastran_fail(r, c, 1, "set %lld has two LOAD cards; join them",
                                     (long long)id);
        }
        combined = true;
        GOS_TRY(gos__nastran_real(r, c, 2, "overall factor", (double)NAN, &all));
        for (int k = 3; k <= c->n; k += 2) {
            GOS_TRY(gos__nastran_real(r, c, k, "factor", (double)NAN, &one));
            GOS_TRY(gos__nastran_id(r, c, k + 1, "number of a load set", &id));
            GOS_TRY(add_share(r, id, all * one));
        }
    }
    return combined || r->chosen.load == 0 ? GOS_OK : add_share(r, r->chosen.load, 1);
}

/* factor of the card's set, field 1; 0: not selected */
static gos_status factor_of(gos_nastran *r, const gos_nastran_card *c, double *factor) {
    int64_t id;
    *factor = 0;
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the load set", &id));
    for (int i = 0; i < r->nshare; i++) {
        *factor = r->share[i].set == id ? r->share[i].factor : *factor;
    }
    return GOS_OK;
}

gos_status gos__nastran_read_other_load(gos_nastran *r, const gos_nastran_card *c) {
    double factor;
    GOS_TRY(factor_of(r, c, &factor));
    return factor == 0
               ? GOS_OK
               : gos__nastran_fail(r, c, 0,
                                   "this load is not supported; give FORCE, MOMENT, PLOAD2, PLOAD4 "
                                   "or GRAV, or do not select its set");
}

gos_status gos__nastran_connect(gos_nastran *r) {
    const gos_deck *d = r->deck;
    r->connected = gos__zalloc(r->ctx, r->mesh->nnode + 1L, sizeof *r->connected);
    GOS_TRY(r->connected ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->nnode; i++) {
        r->connected[r->node[i]] = true;
    }
    for (int i = 0; i < d->ncoupling; i++) {
        const gos_deck_coupling *c = &d->coupling[i];
        r->connected[c->reference] = true;
        for (int k = 0; k < c->n; k++) {
            r->connected[c->node[k]] = true;
        }
    }
    return GOS_OK;
}

/* ---- forces ---------------------------------------------------------------------------------- */

static gos_status along_node(gos_nastran *r, int node, const double v[3], double own[3]) {
    const gos_nastran_grid *g = &r->grid[node];
    double axes[3][3];
    GOS_TRY(gos__nastran_axes_at(r, g->card, 6, g->cd, g->x, axes));
    for (int k = 0; k < 3; k++) {
        own[k] = axes[k][0] * v[0] + axes[k][1] * v[1] + axes[k][2] * v[2];
    }
    return GOS_OK;
}

/* vector in a coordinate system at x, fields i ... */
static gos_status vector(gos_nastran *r, const gos_nastran_card *c, int system, int i,
                         const double x[3], double v[3]) {
    int64_t id;
    double own[3], axes[3][3];
    GOS_TRY(gos__nastran_whole(r, c, system, "coordinate system", 0, 0, &id));
    GOS_TRY(gos__nastran_reals(r, c, i, "component of the direction", 3, own));
    GOS_TRY(gos__nastran_axes_at(r, c, system, id, x, axes));
    for (int k = 0; k < 3; k++) {
        v[k] = own[0] * axes[0][k] + own[1] * axes[1][k] + own[2] * axes[2][k];
    }
    return GOS_OK;
}

gos_status gos__nastran_read_force(gos_nastran *r, const gos_nastran_card *c) {
    int node;
    double factor, size, v[3], own[3];
    GOS_TRY(factor_of(r, c, &factor));
    if (factor == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_node(r, c, 2, "number of a grid point", &node));
    if (!r->connected[node]) {
        return gos__nastran_fail(r, c, 2,
                                 "grid point %lld belongs to no element; connect it, or remove the "
                                 "load",
                                 (long long)gos__mesh_node_tag(r->mesh, node));
    }
    GOS_TRY(gos__nastran_real(r, c, 4, "factor of the vector", (double)NAN, &size));
    GOS_TRY(vector(r, c, 3, 5, r->mesh->x[node], v));
    GOS_TRY(along_node(r, node, v, own));
    for (int k = 0; k < 3; k++) {
        GOS_TRY(own[k] == 0 ? GOS_OK
                            : gos__nastran_nodal(r, c, GOS_DECK_FORCE, node,
                                                 1 + k + (c->name[0] == 'M' ? 3 : 0),
                                                 factor * size * own[k]));
    }
    return GOS_OK;
}

static gos_status add_load(gos_nastran *r, const gos_deck_load *l) {
    gos_deck_load *to;
    GOS_TRY(gos__nastran_add(r, &r->deck->load, &r->deck->nload, sizeof *to, &to));
    *to = *l;
    return GOS_OK;
}

gos_status gos__nastran_read_grav(gos_nastran *r, const gos_nastran_card *c) {
    static const double origin[3] = {0, 0, 0};
    gos_deck_load l = {
        .kind = GOS_DECK_GRAVITY, .amplitude = -1, .factor_amplitude = -1, .loc = c->loc};
    double factor, a, n[3];
    GOS_TRY(factor_of(r, c, &factor));
    if (factor == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_real(r, c, 3, "acceleration", (double)NAN, &a));
    GOS_TRY(vector(r, c, 2, 4, origin, n));
    const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(size > 0)) {
        return gos__nastran_fail(r, c, 4, "the direction has no length");
    }
    a *= factor * size;
    l.value[0] = fabs(a);
    for (int k = 0; k < 3; k++) {
        l.value[1 + k] = (a < 0 ? -1 : 1) * n[k] / size;
    }
    int *all = GOS_NEW(r->arena, int, r->mesh->ncell + 1L);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->mesh->ncell; i++) {
        all[i] = i;
    }
    l.on = (gos_deck_faces){.n = r->mesh->ncell, .cell = all};
    return add_load(r, &l);
}

/* ---- pressure -------------------------------------------------------------------------------- */

typedef struct pressing {
    double value;
    int corner, other; // nodes that choose the face of a solid; -1: none
    double factor;
} pressing;

static bool has(int n, const int *node, int wanted) {
    for (int i = 0; i < n; i++) {
        if (node[i] == wanted) {
            return true;
        }
    }
    return false;
}

/* Face of a solid: with the corner, and the opposite one (quadrilaterals) or without the other
   (triangles of tetrahedra); -1: none, or several */
static int side_of(const gos_mesh *m, int cell, const gos_cell_block *b, const pressing *p) {
    const gos_cell_kind *kind = &gos__cell_kind[b->shape];
    int found = -1;
    for (int s = 0; s < kind->sides; s++) {
        int node[GOS_CELL_SIDE_NODES];
        gos__mesh_side(m, cell, s, node);
        const int corners = gos__cell_kind[kind->side[s]].corners;
        const bool corner = has(corners, node, p->corner);
        bool fits = corner && p->other < 0 && corners == 3; // triangle of a wedge
        for (int k = 0; k < corners && corners == 4 && corner; k++) {
            fits = fits || (node[k] == p->corner && node[(k + 2) % 4] == p->other);
        }
        if (kind->corners == 4) {
            fits = corner && p->other >= 0 && !has(corners, node, p->other);
        }
        if (fits && found >= 0) {
            return -1;
        }
        found = fits ? s : found;
    }
    return found;
}

static gos_status press(gos_nastran *r, const gos_nastran_card *c, const gos_nastran_cell *own,
                        const pressing *p) {
    const int cell = own->index;
    int at, face;
    const gos_cell_block *b = gos__mesh_cell(r->mesh, cell, &at);
    const int dim = gos__cell_kind[b->shape].dim;
    gos_deck_load l = {
        .kind = GOS_DECK_PRESSURE, .amplitude = -1, .factor_amplitude = -1, .loc = c->loc};
    if (dim < 2) {
        return gos__nastran_fail(r, c, 2,
                                 "element %lld is a %s; pressure acts on shells and "
                                 "solids",
                                 (long long)b->tag[at], b->type);
    }
    // along the normal
    face = dim == 3      ? side_of(r->mesh, cell, b, p)
           : own->turned ? GOS_DECK_FACE_POS
                         : GOS_DECK_FACE_NEG;
    if (dim == 3 && face < 0) {
        return gos__nastran_fail(r, c, 7,
                                 "G1 and G3 or G4 (fields 8 and 9) do not choose a face of element "
                                 "%lld; give a corner of the face and the opposite one, or the "
                                 "corner off the face of a CTETRA",
                                 (long long)b->tag[at]);
    }
    int *one = GOS_NEW(r->arena, int, 1);
    signed char *side = GOS_NEW(r->arena, signed char, 1);
    GOS_TRY(one && side ? GOS_OK : GOS_E_MEMORY);
    *one = cell;
    *side = (signed char)face;
    l.value[0] = p->value * p->factor;
    l.on = (gos_deck_faces){.n = 1, .cell = one, .face = side};
    return add_load(r, &l);
}

/* elements of a range; a single one must exist */
static gos_status press_range(gos_nastran *r, const gos_nastran_card *c, const int64_t range[3],
                              int i, void *arg) {
    if (range[0] == range[1]) {
        const gos_nastran_card *e = gos__nastran_find(r, &r->element_of, range[0]);
        if (!e) {
            return gos__nastran_fail(r, c, i, "there is no element %lld; correct the number",
                                     (long long)range[0]);
        }
        return press(r, c, &r->cell[e->thing], arg);
    }
    for (int k = 0; k < r->ncell; k++) {
        const int64_t id = r->cell[k].id;
        GOS_TRY(id >= range[0] && id <= range[1] && (id - range[0]) % range[2] == 0
                    ? press(r, c, &r->cell[k], arg)
                    : GOS_OK);
    }
    return GOS_OK;
}

/* P2 ... P4 are empty or equal to P1 */
static gos_status uniform(gos_nastran *r, const gos_nastran_card *c, double p1) {
    for (int k = 4; k <= 6; k++) {
        double p;
        GOS_TRY(gos__nastran_real(r, c, k, "pressure", p1, &p));
        if (p != p1) {
            return gos__nastran_fail(r, c, k,
                                     "pressure that varies over an element is not "
                                     "supported; give one value");
        }
    }
    return GOS_OK;
}

gos_status gos__nastran_read_pload4(gos_nastran *r, const gos_nastran_card *c) {
    pressing p = {.corner = -1, .other = -1};
    int64_t range[3] = {0, 0, 1};
    GOS_TRY(factor_of(r, c, &p.factor));
    if (p.factor == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_id(r, c, 2, "number of an element", &range[0]));
    range[1] = range[0];
    GOS_TRY(gos__nastran_real(r, c, 3, "pressure", (double)NAN, &p.value));
    GOS_TRY(uniform(r, c, p.value));
    GOS_TRY(gos__nastran_unused(r, c, 9, 12, "a direction other than the normal"));
    if (gos__nastran_is_word(r, c, 7, "THRU")) {
        GOS_TRY(gos__nastran_id(r, c, 8, "number of the last element", &range[1]));
    } else if (!gos__nastran_blank(r, c, 7)) {
        GOS_TRY(gos__nastran_node(r, c, 7, "corner of the face", &p.corner));
        GOS_TRY(gos__nastran_blank(r, c, 8)
                    ? GOS_OK
                    : gos__nastran_node(r, c, 8, "second corner", &p.other));
    }
    return press_range(r, c, range, 2, &p);
}

gos_status gos__nastran_read_pload2(gos_nastran *r, const gos_nastran_card *c) {
    pressing p = {.corner = -1, .other = -1};
    GOS_TRY(factor_of(r, c, &p.factor));
    if (p.factor == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_real(r, c, 2, "pressure", (double)NAN, &p.value));
    return gos__nastran_list(r, c, 3, "elements", press_range, &p);
}

/* ---- temperatures ---------------------------------------------------------------------------- */

/* of all nodes, of TEMPD */
static gos_status everywhere(gos_nastran *r, gos_loc loc, gos_deck_nodal_kind kind, double value) {
    gos_deck *d = r->deck;
    gos_deck_nodal *n;
    int *all = GOS_NEW(r->arena, int, r->mesh->nnode + 1L);
    GOS_TRY(all ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->mesh->nnode; i++) {
        all[i] = i;
    }
    GOS_TRY(gos__nastran_add(r, &d->nodal, &d->nnodal, sizeof *n, &n));
    *n = (gos_deck_nodal){.kind = kind,
                          .n = r->mesh->nnode,
                          .node = all,
                          .dof = 11,
                          .dof_last = 11,
                          .value = value,
                          .amplitude = -1,
                          .in_step = kind == GOS_DECK_TEMPERATURE,
                          .loc = loc};
    return GOS_OK;
}

gos_status gos__nastran_read_tempd(gos_nastran *r, const gos_nastran_card *c) {
    for (int k = 1; k <= c->n; k += 2) {
        int64_t id;
        double value;
        GOS_TRY(gos__nastran_id(r, c, k, "number of the set", &id));
        GOS_TRY(gos__nastran_real(r, c, k + 1, "temperature", (double)NAN, &value));
        GOS_TRY(id == r->chosen.temperature ? everywhere(r, c->loc, GOS_DECK_TEMPERATURE, value)
                                            : GOS_OK);
        GOS_TRY(id == r->chosen.initial ? everywhere(r, c->loc, GOS_DECK_INITIAL_TEMPERATURE, value)
                                        : GOS_OK);
    }
    return GOS_OK;
}

gos_status gos__nastran_read_temp(gos_nastran *r, const gos_nastran_card *c) {
    int64_t id;
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the set", &id));
    for (int k = 2; k < c->n; k += 2) {
        int node;
        double value;
        if (id != r->chosen.temperature && id != r->chosen.initial) {
            return GOS_OK;
        }
        GOS_TRY(gos__nastran_node(r, c, k, "number of a grid point", &node));
        GOS_TRY(gos__nastran_real(r, c, k + 1, "temperature", (double)NAN, &value));
        GOS_TRY(id == r->chosen.temperature
                    ? gos__nastran_nodal(r, c, GOS_DECK_TEMPERATURE, node, 11, value)
                    : GOS_OK);
        GOS_TRY(id == r->chosen.initial
                    ? gos__nastran_nodal(r, c, GOS_DECK_INITIAL_TEMPERATURE, node, 11, value)
                    : GOS_OK);
    }
    return GOS_OK;
}

/* Without TEMPERATURE(INITIAL) strains count from TREF, which must be one for all materials. */
gos_status gos__nastran_reference_temperature(gos_nastran *r) {
    const gos_deck *d = r->deck;
    const gos_deck_material *first = NULL;
    if (r->chosen.temperature == 0 || r->chosen.initial != 0) {
        return GOS_OK;
    }
    for (int i = 0; i < d->nmaterial; i++) {
        const gos_deck_material *m = &d->material[i];
        if (m->expansion.n == 0) {
            continue;
        }
        if (first && first->zero != m->zero) {
            return gos__fail_at(r->ctx, GOS_E_INPUT, m->loc, "TREF",
                                "materials have different reference temperatures (%g, and %g in "
                                "line %d); give the nodes an initial temperature by "
                                "TEMPERATURE(INITIAL)",
                                m->zero, first->zero, first->loc.line);
        }
        first = m;
    }
    return first && first->zero != 0
               ? everywhere(r, first->loc, GOS_DECK_INITIAL_TEMPERATURE, first->zero)
               : GOS_OK;
}
