/* Collects faces with heat into surfaces and sets, nodes of one temperature into sets. */
#include "deck/deck.h"

#define MAX_PATCHES 1000 // each becomes a location

static const char *const card[] = {
    [GOS_DECK_FLUX] = "DFLUX", [GOS_DECK_FILM] = "FILM", [GOS_DECK_RADIATION] = "RADIATE"};

static bool same(const gos_deck_load *a, const gos_deck_load *b) {
    return a->kind == b->kind && a->value[0] == b->value[0] && a->value[1] == b->value[1] &&
           a->amplitude == b->amplitude && a->factor_amplitude == b->factor_amplitude;
}

static int class_of(int face) {
    return face < 0 ? face : 0;
}

static gos_status name_patch(gos_deck *d, const gos_deck_load *l, const char **name) {
    const gos_mesh *m = d->mesh;
    *name = gos__arena_printf(m->arena, "%s(%d)", card[l->kind], l->loc.line);
    for (int k = 2; *name && (gos__mesh_surface(m, *name) || gos__mesh_cell_set(m, *name)); k++) {
        *name = gos__arena_printf(m->arena, "%s(%d.%d)", card[l->kind], l->loc.line, k);
    }
    return *name ? GOS_OK : GOS_E_MEMORY;
}

static gos_status find_patch(gos_deck *d, int load, int face, gos_deck_patch **patch) {
    const gos_deck_load *l = &d->load[load];
    for (int i = 0; i < d->npatch; i++) {
        *patch = &d->patch[i];
        if ((*patch)->face == face && same(&d->load[(*patch)->load], l)) {
            return GOS_OK;
        }
    }
    if (d->npatch == MAX_PATCHES) {
        return gos__fail_at(d->mesh->ctx, GOS_E_LIMIT, l->loc, NULL,
                            "more than %d different heat loads on faces; give one for a whole "
                            "surface, or use an expression of the model",
                            MAX_PATCHES);
    }
    *patch = &d->patch[d->npatch];
    **patch = (gos_deck_patch){.load = load, .face = face};
    GOS_TRY(name_patch(d, l, &(*patch)->name));
    d->npatch++;
    return GOS_OK;
}

static int size_of(const gos_mesh *m, const gos_deck_patch *p) {
    const gos_mesh_surface *s = p->face == 0 ? gos__mesh_surface(m, p->name) : NULL;
    const gos_mesh_set *c = p->face == 0 ? NULL : gos__mesh_cell_set(m, p->name);
    return s ? s->n : c ? c->n : 0;
}

static gos_status add_faces(gos_deck *d, int load, int face, int *cell, unsigned char *side) {
    const gos_deck_faces *on = &d->load[load].on;
    gos_deck_patch *p = NULL;
    int n = 0;
    for (int i = 0; i < on->n; i++) {
        if (class_of(on->face[i]) == face) {
            cell[n] = on->cell[i];
            side[n++] = (unsigned char)(face == 0 ? on->face[i] : 0);
        }
    }
    if (n == 0) {
        return GOS_OK;
    }
    GOS_TRY(find_patch(d, load, face, &p));
    const int before = size_of(d->mesh, p);
    GOS_TRY(face == 0 ? gos__mesh_add_surface(d->mesh, p->name, n, cell, side)
                      : gos__mesh_add_cells(d->mesh, p->name, n, cell));
    return size_of(d->mesh, p) == before + n
               ? GOS_OK
               : gos__fail_at(
                     d->mesh->ctx, GOS_E_INPUT, d->load[load].loc, NULL,
                     "a face already has the same heat from line %d; add both values in one line",
                     d->load[p->load].loc.line);
}

static gos_status add_load(gos_deck *d, int load) {
    const int n = d->load[load].on.n;
    gos_ctx *ctx = d->mesh->ctx;
    int *cell = gos__alloc(ctx, (size_t)n + 1, sizeof *cell);
    unsigned char *side = gos__alloc(ctx, (size_t)n + 1, 1);
    gos_status status = cell && side ? GOS_OK : GOS_E_MEMORY;
    for (int face = 0; face >= GOS_DECK_FACE_POS && status == GOS_OK; face--) {
        status = add_faces(d, load, face, cell, side);
    }
    gos__free(ctx, cell);
    gos__free(ctx, side);
    return status;
}

/* nodes of a line that no later line has, as a set */
static gos_status hold_warm(gos_deck *d, gos_deck_nodal *n, bool *prescribed, int *node,
                            int *left) {
    const char *what = n->kind == GOS_DECK_FIXED ? "BOUNDARY" : "TEMPERATURE";
    const gos_mesh *m = d->mesh;
    int count = 0;
    for (int i = 0; i < n->n; i++) {
        if (!prescribed[n->node[i]]) {
            node[count++] = n->node[i];
            prescribed[n->node[i]] = true;
        }
    }
    *left = count;
    if (count < 2) {
        return GOS_OK;
    }
    n->set = gos__arena_printf(m->arena, "%s(%d)", what, n->loc.line);
    for (int k = 2; n->set && gos__mesh_node_set(m, n->set); k++) {
        n->set = gos__arena_printf(m->arena, "%s(%d.%d)", what, n->loc.line, k);
    }
    return n->set ? gos__mesh_add_nodes(d->mesh, n->set, count, node) : GOS_E_MEMORY;
}

bool gos__deck_temperatures_given(const gos_deck *d) {
    const gos_deck_procedure p = d->step.procedure;
    return p != GOS_DECK_NO_STEP && p != GOS_DECK_HEAT_TRANSFER && p != GOS_DECK_COUPLED &&
           p != GOS_DECK_UNCOUPLED;
}

/* nodes of cells without a line, as the set d->rest */
static gos_status hold_rest(gos_deck *d, bool *prescribed, int *node) {
    const gos_mesh *m = d->mesh;
    int count = 0;
    for (int i = 0; i < m->nblock; i++) {
        const gos_cell_block *b = &m->block[i];
        const int nodes = gos__cell_kind[b->shape].nodes;
        for (int j = 0; j < b->n * nodes; j++) {
            if (!prescribed[b->node[j]] && !gos__deck_stands_for_face(d, b, j / nodes)) {
                node[count++] = b->node[j];
                prescribed[b->node[j]] = true;
            }
        }
    }
    if (count == 0) {
        return GOS_OK;
    }
    const char *name = gos__arena_printf(m->arena, "INITIAL(%d)", d->step.loc.line);
    for (int k = 2; name && gos__mesh_node_set(m, name); k++) {
        name = gos__arena_printf(m->arena, "INITIAL(%d.%d)", d->step.loc.line, k);
    }
    GOS_TRY(name ? gos__mesh_add_nodes(d->mesh, name, count, node) : GOS_E_MEMORY);
    d->rest = name;
    return GOS_OK;
}

/* at the end of the step, against earlier lines */
static void compare_temperature(gos_deck *d, const gos_deck_nodal *n, bool first) {
    const gos_deck_amplitude *a = n->amplitude < 0 ? NULL : &d->amplitude[n->amplitude];
    const double T = n->value * (a ? a->v[a->n - 1] : 1);
    d->uniform = first || (d->uniform && T == d->step_temperature);
    d->step_temperature = T;
}

static bool is_warm(const gos_deck *d) {
    bool any = false;
    for (int i = 0; i < d->nmaterial; i++) {
        any = any || (d->material[i].conductivity.n > 0 && d->material[i].specific_heat.n > 0);
    }
    return any;
}

static gos_status add_warm_sets(gos_deck *d) {
    gos_ctx *ctx = d->mesh->ctx;
    const size_t room = (size_t)d->mesh->nnode + 1;
    bool *prescribed = gos__zalloc(ctx, room, sizeof *prescribed);
    int *node = gos__alloc(ctx, room, sizeof *node);
    gos_status status = prescribed && node ? GOS_OK : GOS_E_MEMORY;
    bool any = false;
    for (int i = d->nnodal - 1; i >= 0 && status == GOS_OK; i--) {
        gos_deck_nodal *n = &d->nodal[i];
        const bool warm =
            n->kind == GOS_DECK_TEMPERATURE || (n->kind == GOS_DECK_FIXED && n->dof == 11);
        int count = 0;
        status = warm ? hold_warm(d, n, prescribed, node, &count) : GOS_OK;
        if (count > 0) {
            compare_temperature(d, n, !any);
            any = true;
        }
    }
    if (status == GOS_OK && gos__deck_temperatures_given(d) && (any || is_warm(d))) {
        status = hold_rest(d, prescribed, node);
    }
    d->given = any && gos__deck_temperatures_given(d);
    d->uniform = d->uniform && gos__deck_temperatures_given(d) && !d->rest;
    gos__free(ctx, prescribed);
    gos__free(ctx, node);
    return status;
}

gos_status gos__deck_patches(gos_deck *d) {
    d->patch = GOS_NEW(d->mesh->arena, gos_deck_patch, MAX_PATCHES);
    GOS_TRY(d->patch ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < d->nload; i++) {
        const gos_deck_load_kind kind = d->load[i].kind;
        if (kind == GOS_DECK_FLUX || kind == GOS_DECK_FILM || kind == GOS_DECK_RADIATION) {
            GOS_TRY(add_load(d, i));
        }
    }
    return add_warm_sets(d);
}
