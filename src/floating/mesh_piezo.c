#include "floating/mesh_piezo.h"

#include "floating/mesh_picture.h"
#include "fe/piezo.h"
#include "floating/mesh_material.h"

/* Patches as shell layers. */

/* layers, one per entry, face and shell thickness */
typedef struct layers {
    gos_builder *b;
    const gos_fe_body *fe;
    const gos_piezo_wiring *all;
    int n, *of; // -1: no mass and stiffness (patches)
    gos_fe_part *layer;
    const gos_piezo **entry; // of each layer
} layers;

static gos_status begin_layer(layers *k, const gos_piezo *p, double offset, bool warm) {
    const gos_material *from = NULL;
    const gos_loc loc = gos__key_loc(p->entry, "material");
    gos_fe_material *m = NULL;
    GOS_TRY(gos__piezo_material(k->b, p, warm, &from));
    GOS_TRY(gos__mesh_material(k->b, from, loc, p->object, &m));
    k->entry[k->n] = p;
    k->layer[k->n++] = (gos_fe_part){.element = gos__fe_element("shell"),
                                     .material = m,
                                     .thickness = p->def.thickness,
                                     .offset = offset,
                                     .follows = true,
                                     .loc = p->entry->loc,
                                     .object = p->object};
    return GOS_OK;
}

static gos_status find_layer(layers *k, int patch, bool warm) {
    const gos_piezo_patch *p = &k->all->patch[patch];
    const gos_piezo *entry = p->entry;
    const double shell = k->fe->part[k->fe->part_of[p->cell]].thickness;
    const double offset = p->face * (shell + entry->def.thickness) / 2;
    int at = 0;
    while (at < k->n && (k->entry[at] != entry || k->layer[at].offset != offset)) {
        at++;
    }
    GOS_TRY(at == k->n ? begin_layer(k, entry, offset, warm) : GOS_OK);
    k->of[patch] = at;
    k->layer[at].n++;
    return GOS_OK;
}

gos_status gos__mesh_layers(gos_builder *b, const gos_piezo_wiring *all, bool warm, gos_fe_body *fe,
                            int *known) {
    const size_t n = (size_t)all->n + 1;
    layers k = {.b = b,
                .fe = fe,
                .all = all,
                .of = GOS_NEW(b->arena, int, n),
                .layer = GOS_NEW(b->arena, gos_fe_part, n),
                .entry = (const gos_piezo **)gos__arena_alloc(b->arena, n, sizeof *k.entry)};
    GOS_TRY(k.of && k.layer && k.entry ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < all->n; i++) {
        k.of[i] = -1;
    }
    for (int modal = 0; modal < 2; modal++) {
        for (int i = 0; i < all->n; i++) {
            const int own = all->patch[i].entry->def.own;
            GOS_TRY(own == (modal ? GOS_PIEZO_MODAL : GOS_PIEZO_ASSEMBLED) ? find_layer(&k, i, warm)
                                                                           : GOS_OK);
        }
        *known = modal ? *known : k.n;
    }
    for (int i = 0; i < k.n; i++) {
        int *cell = GOS_NEW(b->arena, int, k.layer[i].n), count = 0;
        GOS_TRY(cell ? GOS_OK : GOS_E_MEMORY);
        for (int p = 0; p < all->n; p++) {
            if (k.of[p] == i) {
                cell[count++] = all->patch[p].cell;
            }
        }
        k.layer[i].cell = cell;
    }
    gos__fe_body_layers(fe, k.n, k.layer);
    return GOS_OK;
}

/* Note the mass of the layers and the capacitances. */
static void mesh_layers_warn(gos_builder *b, const gos_piezo_wiring *piezo,
                             const double *capacitance, const gos_flex *flex) {
    double added = 0;
    for (int i = 0; i < piezo->n; i++) {
        const gos_piezo_def *d = &piezo->patch[i].entry->def;
        if (d->own != GOS_PIEZO_NONE) {
            const double area = capacitance[i] * d->thickness / d->permittivity;
            added += gos__find_material(b, d->material)->density * d->thickness * area;
        }
    }
    const double bare = flex->gram.x[0] - added; // first entry: int 1 dm
    if (added > 0) {
        gos__piezo_note_mass(b, piezo->entry[0], added, bare);
    }
}

#define MAX_CHARGE_PAIRS 2e7 // pairs coupled by charge-driven electrodes

/* ---- cells ----------------------------------------------------------------------------------- */

static bool is_shell(const gos_fe_body *fe, int cell) {
    int at;
    const int part = fe->part_of[cell];
    return part >= 0 && fe->part[part].element->directors &&
           gos__mesh_cell(fe->mesh, cell, &at)->shape == GOS_CELL_QUAD4;
}

static gos_status choose_set(gos_builder *b, const gos_fe_body *fe, const gos_piezo *p,
                             const char *name, gos_loc loc, bool *chosen) {
    const gos_mesh *m = fe->mesh;
    const gos_mesh_set *set = gos__mesh_cell_set(m, name);
    if (!set) {
        const char *known[64];
        int n = 0;
        for (int i = 0; i < m->ncell_set && n < GOS_COUNT(known); i++) {
            known[n++] = m->cell_set[i].name;
        }
        const char *near = gos__suggest(name, known, n);
        return gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object,
                            "the mesh of '%s' has no set of cells '%s'%s%s%s", p->body, name,
                            near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    for (int i = 0; i < set->n; i++) {
        if (!is_shell(fe, set->item[i])) {
            return gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object,
                                "cell %lld of '%s' is not a shell of four nodes; only these can "
                                "have patches; remove it from the set",
                                (long long)gos__mesh_cell_tag(m, set->item[i]), name);
        }
        chosen[set->item[i]] = true;
    }
    return GOS_OK;
}

static gos_status choose_cell(gos_builder *b, const gos_fe_body *fe, const gos_piezo *p,
                              const char *text, gos_loc loc, bool *chosen) {
    long long tag = 0;
    int end = 0;
    const bool read = sscanf(text, "cell(%lld)%n", &tag, &end) == 1 && text[end] == '\0' && end > 0;
    for (int cell = 0; read && cell < fe->mesh->ncell; cell++) {
        if (gos__mesh_cell_tag(fe->mesh, cell) == tag && is_shell(fe, cell)) {
            chosen[cell] = true;
            return GOS_OK;
        }
    }
    return gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object,
                        "'%s' has no shell of four nodes '%s'; give cell(NUMBER) of its mesh",
                        p->body, text);
}

/* a set, one cell, or (empty) all shells */
static gos_status choose(gos_builder *b, const void *of, const gos_piezo *p, const char *location,
                         gos_loc loc, bool *chosen) {
    const gos_fe_body *fe = of;
    if (*location) {
        return strchr(location, '(') ? choose_cell(b, fe, p, location, loc, chosen)
                                     : choose_set(b, fe, p, location, loc, chosen);
    }
    bool any = false;
    for (int cell = 0; cell < fe->mesh->ncell; cell++) {
        chosen[cell] = chosen[cell] || is_shell(fe, cell);
        any = any || chosen[cell];
    }
    return any ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, loc, p->object,
                              "body '%s' has no shells of four nodes, which patches need; its "
                              "`element` must be a shell",
                              p->body);
}

static long long number(const void *of, int cell) {
    const gos_fe_body *fe = of;
    return (long long)gos__mesh_cell_tag(fe->mesh, cell);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* sums per electrode: A (n, patches), or (turned) transposed */
static gos_status join(gos_ctx *ctx, const gos_piezo_wiring *w, const gos_sparse *A, bool turned,
                       gos_sparse *B) {
    const size_t n = (size_t)A->nnz + 1;
    int *i = gos__alloc(ctx, 2 * n, sizeof *i), *j = i ? i + n : NULL;
    double *x = gos__alloc(ctx, n, sizeof *x);
    gos_status status = i && x ? GOS_OK : GOS_E_MEMORY;
    for (int column = 0; column < A->n && status == GOS_OK; column++) {
        for (int k = A->p[column]; k < A->p[column + 1]; k++) {
            const gos_piezo_patch *patch = &w->patch[turned ? A->i[k] : column];
            i[k] = turned ? column : A->i[k];
            j[k] = patch->electrode;
            x[k] = patch->sign * A->x[k];
        }
    }
    if (status == GOS_OK) {
        status =
            gos__sparse_from_triplets(ctx, turned ? A->n : A->m, w->nelectrode, A->nnz, i, j, x, B);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(B);
    }
    gos__free(ctx, i);
    gos__free(ctx, x);
    return status;
}

static gos_fe_patch patch_of(const gos_piezo_patch *p) {
    const gos_piezo_def *d = &p->entry->def;
    return (gos_fe_patch){.cell = p->cell,
                          .face = p->face,
                          .thickness = d->thickness,
                          .e = {d->e31, d->e32, d->e36},
                          .permittivity = d->permittivity,
                          .pyro = d->pyroelectric,
                          .along = {d->along[0], d->along[1], d->along[2]}};
}

static gos_status make(gos_builder *b, const gos_piezo_wiring *w, const gos_fe_body *fe,
                       gos_flex *flex) {
    gos_ctx *ctx = b->ctx;
    gos_flex_piezo *to = &flex->piezo;
    gos_sparse force = {0}, charge = {0};
    gos_fe_patch *patch = gos__alloc(ctx, (size_t)w->n + 1, sizeof *patch);
    double *capacitance = gos__alloc(ctx, (size_t)w->n + 1, sizeof *capacitance);
    to->n = w->nelectrode;
    to->capacitance = gos__zalloc(ctx, (size_t)to->n + 1, sizeof *to->capacitance);
    gos_status status = patch && capacitance && to->capacitance ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < w->n && status == GOS_OK; i++) {
        patch[i] = patch_of(&w->patch[i]);
    }
    if (status == GOS_OK) {
        status = gos__fe_patches(fe, w->n, patch, &force, &charge, capacitance);
    }
    status = status == GOS_OK ? join(ctx, w, &force, false, &to->force) : status;
    status = status == GOS_OK ? join(ctx, w, &charge, true, &to->charge) : status;
    for (int i = 0; i < w->n && status == GOS_OK; i++) {
        to->capacitance[w->patch[i].electrode] += capacitance[i];
    }
    if (status == GOS_OK) {
        mesh_layers_warn(b, w, capacitance, flex);
    }
    gos__sparse_free(ctx, &force);
    gos__sparse_free(ctx, &charge);
    gos__free(ctx, capacitance);
    gos__free(ctx, patch);
    return status;
}

/* pairs of entries in columns of charge-driven electrodes */
static double pairs(const gos_piezo_wiring *piezo, const gos_sparse *A, const gos_sparse *B) {
    double sum = 0;
    for (int e = 0; e < A->n; e++) {
        sum += piezo->charge[e] ? (double)(A->p[e + 1] - A->p[e]) * (B->p[e + 1] - B->p[e]) : 0;
    }
    return sum;
}

/* sum of factor a b^T / C over charge-driven electrodes */
static gos_status add_products(gos_ctx *ctx, const gos_piezo_wiring *piezo, const double *C,
                               double factor, const gos_sparse *A, const gos_sparse *B,
                               gos_sparse *to) {
    const size_t room = (size_t)pairs(piezo, A, B);
    int *i = gos__alloc(ctx, 2 * room + 1, sizeof *i), *j = i ? i + room : NULL, n = 0;
    double *x = gos__alloc(ctx, room + 1, sizeof *x);
    gos_sparse more = {0}, sum = {0};
    for (int e = 0; e < A->n && i && x; e++) {
        for (int k = A->p[e]; k < A->p[e + 1] && piezo->charge[e]; k++) {
            for (int l = B->p[e]; l < B->p[e + 1]; l++) {
                i[n] = A->i[k];
                j[n] = B->i[l];
                x[n++] = factor * A->x[k] * B->x[l] / C[e];
            }
        }
    }
    gos_status status =
        i && x ? gos__sparse_from_triplets(ctx, A->m, B->m, n, i, j, x, &more) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_merge(&more);
        status = gos__sparse_sum(ctx, 1, to, 1, &more, &sum);
    }
    if (status == GOS_OK) {
        gos__sparse_free(ctx, to);
        *to = sum;
    }
    gos__sparse_free(ctx, &more);
    gos__free(ctx, i);
    gos__free(ctx, x);
    return status;
}

/* Eliminate V = (Q - k^T z - p^T T) / C: K + k k^T / C, forces k p^T T / C beside K z and, with
   strain heat, capacity minus T_ref p p^T / C */
static gos_status condense(gos_ctx *ctx, const gos_piezo_wiring *piezo, gos_flex *flex) {
    const gos_sparse *k = &flex->piezo.force, *p = &flex->piezo.charge;
    const double *C = flex->piezo.capacitance, most = pairs(piezo, k, k);
    gos_flex_heat *heat = &flex->heat;
    if (most > MAX_CHARGE_PAIRS) {
        const gos_piezo *one = piezo->entry[0];
        return gos__fail_at(ctx, GOS_E_LIMIT, one->entry->loc, one->object,
                            "electrodes with `drive: charge` couple %.2g pairs of displacements, "
                            "at most %.2g; use smaller ones",
                            most, MAX_CHARGE_PAIRS);
    }
    if (most == 0) {
        return GOS_OK;
    }
    GOS_TRY(add_products(ctx, piezo, C, 1, k, k, &flex->K));
    if (heat->n == 0 || p->nnz == 0) {
        return GOS_OK;
    }
    GOS_TRY(add_products(ctx, piezo, C, 1, k, p, &heat->G));
    return heat->T_ref > 0 ? add_products(ctx, piezo, C, -heat->T_ref, p, p, &heat->C) : GOS_OK;
}

/* shells are drawn in their order, unless there are solids */
static gos_status number_drawn(gos_builder *b, const gos_mesh *m, int **drawn) {
    int n = 0;
    *drawn = NULL;
    if (gos__mesh_has_solids(m)) {
        return GOS_OK;
    }
    *drawn = GOS_NEW(b->arena, int, m->ncell + 1);
    for (int cell = 0; cell < m->ncell && *drawn; cell++) {
        int at;
        (*drawn)[cell] = n;
        n += gos__cell_kind[gos__mesh_cell(m, cell, &at)->shape].dim == 2;
    }
    return *drawn ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__mesh_piezo_take(gos_builder *b, const char *name, const gos_fe_body *fe,
                                gos_piezo_wiring *piezo) {
    gos_piezo_cells cells = {.of = fe,
                             .n = fe->mesh->ncell,
                             .layers = true,
                             .warm = true,
                             .choose = choose,
                             .number = number};
    GOS_TRY(number_drawn(b, fe->mesh, &cells.drawn));
    return gos__piezo_wire(b, name, &cells, piezo);
}

gos_status gos__mesh_piezo(gos_builder *b, const gos_piezo_wiring *piezo, const gos_fe_body *fe,
                           gos_flex *flex) {
    GOS_TRY(piezo->nentry > 0 ? make(b, piezo, fe, flex) : GOS_OK);
    return piezo->nentry > 0 ? condense(b->ctx, piezo, flex) : GOS_OK;
}
