/* Nodal matrices of a floating mesh body. */
#include "floating/floating_mesh_make.h"

#include <math.h>

#include "deck/fe_springs.h"

/* of the deck, which `parts` replaces */
static bool uses_sections(const gos_mesh_making *k) {
    return k->m->skin.mesh->deck && !k->def->parts;
}

/* a M + b K */
static gos_status damp(const gos_mesh_making *k, const gos_fe_body *fe, gos_flex *flex) {
    const double *r = k->def->floating.rayleigh;
    gos_sparse M = {0};
    if (!(r[0] > 0 || r[1] > 0)) {
        return GOS_OK;
    }
    GOS_TRY(gos__fe_body_mass(fe, &M));
    gos__sparse_free(k->b->ctx, &flex->D);
    const gos_status status = gos__sparse_sum(k->b->ctx, r[0], &M, r[1], &flex->K, &flex->D);
    gos__sparse_free(k->b->ctx, &M);
    return status;
}

static gos_status name_temperatures(const gos_fe_body *fe, gos_flex *flex) {
    gos_flex_heat *h = &flex->heat;
    const int nnode = fe->mesh->nnode;
    GOS_TRY(gos__sparse_alloc(flex->ctx, h->n, nnode, (size_t)h->n, &h->at));
    h->at.nnz = 0;
    for (int i = 0; i < nnode; i++) {
        const int t = gos__fe_number(&fe->temperature, i, 0);
        if (t >= 0) {
            h->at.i[h->at.nnz] = t;
            h->at.x[h->at.nnz++] = 1;
            h->mean[t] = 1;
        }
        h->at.p[i + 1] = h->at.nnz;
    }
    return GOS_OK;
}

/* half thickness at nodes; 0: no shells, or different thicknesses */
static void find_thickness(const gos_mesh_skin *skin, double *half) {
    const gos_mesh *m = skin->mesh;
    for (int cell = 0; cell < m->ncell; cell++) {
        int at;
        const gos_cell_block *b = gos__mesh_cell(m, cell, &at);
        const int n = gos__cell_kind[b->shape].nodes, *node = b->node + (size_t)at * n;
        for (int k = 0; k < n && skin->shell[cell]; k++) {
            const double own = skin->thickness[cell] / 2, had = half[node[k]];
            half[node[k]] = had == 0 || had == own ? own : -1;
        }
    }
    for (int i = 0; i < m->nnode; i++) {
        half[i] = fmax(0, half[i]);
    }
}

static gos_status name_gradients(const gos_mesh_making *k, const gos_fe_body *fe, gos_flex *flex) {
    gos_flex_heat *h = &flex->heat;
    const int nnode = fe->mesh->nnode;
    const gos_mesh *m = fe->mesh; // for sets, interfaces and deck loads
    const size_t named = (k->def->interfaces ? (size_t)k->def->interfaces->n : 0) +
                         (m->deck ? 3 * (size_t)m->deck->nload : 0);
    const size_t most = (size_t)nnode + (size_t)m->nnode_set + (size_t)m->nsurface + named + 1;
    h->half = gos__zalloc(flex->ctx, most, sizeof *h->half);
    GOS_TRY(h->half ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__sparse_alloc(flex->ctx, h->n, nnode, (size_t)h->n, &h->across));
    h->across.nnz = 0;
    for (int i = 0; i < nnode; i++) {
        const int g = gos__fe_number(&fe->temperature, i, 1);
        if (g >= 0) {
            h->across.i[h->across.nnz] = g;
            h->across.x[h->across.nnz++] = 1;
        }
        h->across.p[i + 1] = h->across.nnz;
    }
    find_thickness(&k->m->skin, h->half);
    return GOS_OK;
}

static gos_status make_heat(const gos_mesh_making *k, const gos_fe_body *fe, gos_flex *flex) {
    gos_fe_heat heat = {0};
    gos_flex_heat *h = &flex->heat;
    gos_status status =
        k->m->f.still ? gos__fe_body_conduction(fe, &heat) : gos__fe_body_heat(fe, &heat);
    h->n = fe->temperature.n;
    h->T_ref = k->b->gough_joule ? k->b->T_ref : 0;
    h->mean = gos__zalloc(flex->ctx, (size_t)h->n + 1, sizeof *h->mean);
    status = status == GOS_OK && !h->mean ? GOS_E_MEMORY : status;
    status = status == GOS_OK ? name_temperatures(fe, flex) : status;
    status = status == GOS_OK && k->shells ? name_gradients(k, fe, flex) : status;
    if (status == GOS_OK) {
        h->C = heat.C;
        h->S = heat.K;
        if (!k->m->f.still) {
            gos__sparse_free(flex->ctx, &h->G);
            h->G = heat.couple;
        }
        heat = (gos_fe_heat){0};
        for (int i = 0; i < h->G.nnz; i++) { // right-hand side
            h->G.x[i] = -h->G.x[i];
        }
    }
    gos__fe_heat_free(flex->ctx, &heat);
    return status;
}

gos_status gos__floating_mesh_fits(gos_builder *b, const gos_node *entry, const char *object,
                                   double displacements) {
    return b->reduce_floating || displacements <= GOS_LIMIT_AMPLITUDES
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "mesh"), object,
                              "%.0f displacements; a whole floating body has at most %d. Reduce it "
                              "(`floating_bodies: reduced` or --reduced, by its entry `reduce`), "
                              "or use a coarser mesh",
                              displacements, GOS_LIMIT_AMPLITUDES);
}

/* without layers that the vectors do not include */
static gos_status make_bare(gos_fe_body *fe, int known, gos_sparse *K, gos_sparse *gram) {
    const int all = fe->nlayer;
    gos_flex *flex = NULL;
    gos__fe_body_layers(fe, known, fe->layer);
    GOS_TRY(gos__fe_body_mechanics(fe));
    GOS_TRY(gos__fe_body_flex(fe, &flex));
    *K = flex->K;
    *gram = flex->gram;
    flex->K = flex->gram = (gos_sparse){0};
    gos__flex_destroy(flex);
    gos__fe_body_layers(fe, all, fe->layer);
    return GOS_OK;
}

static gos_status add_masses(const gos_mesh_making *k, gos_fe_body *fe) {
    const gos_deck_discrete to = {.nmass = fe->node.n, .M = &fe->mass};
    return uses_sections(k) ? gos__deck_springs(fe, NULL, k->object, gos__mesh_held_by_deck(k), &to)
                            : GOS_OK;
}

/* springs and dashpots of the deck, which `rayleigh` does not damp */
static gos_status add_springs(const gos_mesh_making *k, const gos_fe_body *fe, gos_flex *flex) {
    const gos_deck_discrete to = {.n = flex->n, .K = &flex->K, .D = &flex->D};
    return uses_sections(k) ? gos__deck_springs(fe, NULL, k->object, gos__mesh_held_by_deck(k), &to)
                            : GOS_OK;
}

/* for reduction also without such layers */
static gos_status make_flex(gos_mesh_making *k, gos_flex **flex) {
    gos_sparse K = {0}, gram = {0};
    gos_fe_body *fe = k->fe;
    int known;
    GOS_TRY(gos__mesh_layers(k->b, &k->m->piezo, k->body->nfam > 0, fe, &known));
    if (known < fe->nlayer && k->b->reduce_floating) {
        GOS_TRY(make_bare(fe, known, &K, &gram));
    }
    gos_status status = gos__fe_body_mechanics(fe);
    status = status == GOS_OK ? add_masses(k, fe) : status;
    status = status == GOS_OK ? gos__fe_body_flex(fe, flex) : status;
    if (status != GOS_OK) {
        gos__sparse_free(k->b->ctx, &K);
        gos__sparse_free(k->b->ctx, &gram);
        return status;
    }
    (*flex)->bare_K = K;
    (*flex)->bare_gram = gram;
    return GOS_OK;
}

static gos_status make_moving(gos_mesh_making *k, gos_flex **flex) {
    GOS_TRY(gos__floating_mesh_fits(k->b, k->entry, k->object, k->fe->freedom.n));
    GOS_TRY(make_flex(k, flex));
    k->m->nlayer = k->fe->nlayer;
    k->m->layer = k->fe->layer;
    GOS_TRY(damp(k, k->fe, *flex));
    return add_springs(k, k->fe, *flex);
}

static gos_status make_still(gos_mesh_making *k, gos_flex **flex) {
    if (k->m->piezo.nentry > 0) {
        return gos__fail_at(k->b->ctx, GOS_E_INPUT, gos__key_loc(k->entry, "motion"), k->object,
                            "%s lies on it, but patches need its deformation; give `motion: free`",
                            k->m->piezo.entry[0]->object);
    }
    return gos__fe_body_still(k->fe, flex);
}

gos_status gos__floating_mesh_matrices(gos_mesh_making *k) {
    gos_flex **flex = &k->m->f.flex;
    GOS_TRY(gos__fe_body_create(k->b->ctx, k->m->skin.mesh, k->npart, k->part, &k->fe));
    const gos_fe_body *fe = k->fe;
    GOS_TRY(gos__mesh_piezo_take(k->b, k->body->name, fe, &k->m->piezo));
    GOS_TRY(k->m->f.still ? make_still(k, flex) : make_moving(k, flex));
    if (k->body->nfam > 0) {
        int *of_node = GOS_NEW(k->b->arena, int, fe->mesh->nnode + 1);
        int *of_across = GOS_NEW(k->b->arena, int, fe->mesh->nnode + 1);
        GOS_TRY(of_node && of_across ? make_heat(k, fe, *flex) : GOS_E_MEMORY);
        for (int i = 0; i < fe->mesh->nnode; i++) {
            of_node[i] = gos__fe_number(&fe->temperature, i, 0);
            of_across[i] = gos__fe_number(&fe->temperature, i, 1);
        }
        k->m->skin.of_node = of_node;
        k->m->skin.of_across = of_across;
    }
    return gos__mesh_piezo(k->b, &k->m->piezo, fe, *flex);
}
