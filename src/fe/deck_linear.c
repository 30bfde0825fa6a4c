/* The linear model of a deck by itself: its cells, held as it says, about their undeformed state. */
#include "base/note.h"
#include "fe/deck_parts.h"
#include "fe/mesh_body.h"

typedef struct making {
    gos_ctx *ctx;
    const gos_mesh *mesh;
    gos_arena *arena; // of parts and materials
    gos_deck_parts parts;
    gos_fe_body *body;
    bool *held; // (freedoms)
    int nheld;
} making;

static const char *const component[GOS_FE_FREEDOMS] = {"x", "y", "z", "rx", "ry", "rz"};

/* ---- what is held --------------------------------------------------------------------------------- */

static bool is_turned(const gos_deck *d, int node, gos_loc *loc) {
    for (int i = 0; i < d->ntransform; i++) {
        const gos_deck_transform *t = &d->transform[i];
        for (int k = 0; k < t->n; k++) {
            if (t->node[k] == node) {
                *loc = t->loc;
                return true;
            }
        }
    }
    return false;
}

static gos_status hold(making *k, const gos_deck_nodal *n) {
    const gos_deck *d = k->mesh->deck;
    gos_loc loc;
    for (int i = 0; i < n->n; i++) {
        if (d->ntransform > 0 && is_turned(d, n->node[i], &loc)) {
            return gos__fail_at(k->ctx, GOS_E_INPUT, loc, "*TRANSFORM",
                                "node %lld is held along axes of its own, which models of decks do "
                                "not take; hold it along the global ones",
                                (long long)gos__mesh_node_tag(k->mesh, n->node[i]));
        }
        for (int c = n->dof; c <= n->dof_last && c <= GOS_FE_FREEDOMS; c++) {
            const int at = gos__fe_number(&k->body->freedom, n->node[i], c - 1);
            if (at >= 0 && !k->held[at]) {
                k->held[at] = true;
                k->nheld++;
            }
        }
    }
    return GOS_OK;
}

static gos_status hold_all(making *k) {
    const gos_deck *d = k->mesh->deck;
    bool loaded = d->nload > 0;
    k->held = gos__zalloc(k->ctx, (size_t)k->body->freedom.n + 1, sizeof *k->held);
    GOS_TRY(k->held ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < d->nnodal; i++) {
        const gos_deck_nodal *n = &d->nodal[i];
        loaded = loaded || n->kind == GOS_DECK_FORCE || n->kind == GOS_DECK_TEMPERATURE ||
                 (n->kind == GOS_DECK_FIXED && n->value != 0);
        GOS_TRY(n->kind == GOS_DECK_FIXED ? hold(k, n) : GOS_OK);
    }
    if (loaded) {
        gos__note(k->ctx, k->mesh->source ? k->mesh->source : "",
                  "the linear model is about the undeformed state: loads, temperatures and "
                  "prescribed motions of the deck are left out");
    }
    return GOS_OK;
}

/* rows that pick what is held */
static gos_status constraints(const making *k, gos_sparse *C) {
    GOS_TRY(gos__sparse_alloc(k->ctx, k->nheld, k->body->freedom.n, (size_t)k->nheld, C));
    for (int j = 0, at = 0; j < k->body->freedom.n; j++) {
        if (k->held[j]) {
            C->i[at] = at;
            C->x[at++] = 1;
        }
        C->p[j + 1] = at;
    }
    return GOS_OK;
}

/* ---- names and rigid motions ------------------------------------------------------------------------ */

/* one name for the three components of a node where all nodes have just these */
static gos_status name_all(const making *k, gos_linear *l) {
    const gos_fe_layout *f = &k->body->freedom;
    bool solids = true;
    for (int i = 0; i < k->mesh->nnode; i++) {
        solids = solids && (f->mask[i] == 0 || f->mask[i] == 7);
    }
    l->ncomp = solids ? 3 : 1;
    for (int i = 0; i < k->mesh->nnode; i++) {
        const long long tag = gos__mesh_node_tag(k->mesh, i);
        for (int c = 0; c < GOS_FE_FREEDOMS; c += solids ? GOS_FE_FREEDOMS : 1) {
            const int at = gos__fe_number(f, i, c);
            if (at < 0) {
                continue;
            }
            const char *name =
                solids ? gos__arena_printf(l->arena, "node(%lld)", tag)
                       : gos__arena_printf(l->arena, "node(%lld).%s", tag, component[c]);
            GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
            l->coordinate[at / l->ncomp] = name;
        }
    }
    return GOS_OK;
}

/* motions about a point: translations, rotations */
static void rigid_about(const making *k, const double about[3], gos_linear *l) {
    const long n = l->nq;
    for (int i = 0; i < k->mesh->nnode; i++) {
        for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
            const int at = gos__fe_number(&k->body->freedom, i, c);
            if (at < 0) {
                continue;
            }
            if (c >= 3) {
                l->rigid[c * n + at] = 1;
                continue;
            }
            const int d = (c + 1) % 3, e = (c + 2) % 3; // u_c = w_d r_e - w_e r_d
            l->rigid[c * n + at] = 1;
            l->rigid[(3 + d) * n + at] = k->mesh->x[i][e] - about[e];
            l->rigid[(3 + e) * n + at] = about[d] - k->mesh->x[i][d];
        }
    }
}

/* rotations are about the centre of mass */
static gos_status rigid_motions(const making *k, gos_linear *l) {
    const double origin[3] = {0, 0, 0};
    double middle[3] = {0, 0, 0}, mass = 0;
    double *Mt = gos__alloc(k->ctx, (size_t)l->nq + 1, sizeof *Mt);
    GOS_TRY(Mt ? GOS_OK : GOS_E_MEMORY);
    rigid_about(k, origin, l);
    gos__sparse_apply(&l->block[GOS_BLOCK_M], 1, l->rigid, Mt);
    for (int i = 0; i < k->mesh->nnode; i++) {
        const int at = gos__fe_number(&k->body->freedom, i, 0);
        for (int c = 0; c < 3 && at >= 0; c++) {
            middle[c] += Mt[at] * k->mesh->x[i][c];
        }
        mass += at >= 0 ? Mt[at] : 0;
    }
    for (int c = 0; c < 3 && mass > 0; c++) {
        middle[c] /= mass;
    }
    rigid_about(k, middle, l);
    gos__free(k->ctx, Mt);
    return GOS_OK;
}

/* ---- the model -------------------------------------------------------------------------------------- */

static gos_status fill(making *k, gos_linear *l) {
    gos_sparse *M = &l->block[GOS_BLOCK_M], *K = &l->block[GOS_BLOCK_K];
    gos_sparse *C = &l->block[GOS_BLOCK_C], *D = &l->block[GOS_BLOCK_D];
    const double *damping = k->parts.damping;
    gos_sparse *const all[] = {M, K, C};
    for (int i = 0; i < GOS_COUNT(all); i++) {
        gos__sparse_free(k->ctx, all[i]);
    }
    GOS_TRY(gos__fe_body_mass(k->body, M));
    *K = k->body->K;
    k->body->K = (gos_sparse){0};
    GOS_TRY(constraints(k, C));
    if (damping[0] != 0 || damping[1] != 0) {
        gos__sparse_free(k->ctx, D);
        GOS_TRY(gos__sparse_sum(k->ctx, damping[0], M, damping[1], K, D));
    }
    GOS_TRY(name_all(k, l));
    GOS_TRY(rigid_motions(k, l));
    return gos__linear_close(l);
}

static gos_status make(making *k, gos_linear **linear) {
    const gos_deck_given given = {.object = "deck", .loc = {k->mesh->source, 0, 0}};
    gos_linear *l;
    k->arena = gos__arena_create(k->ctx);
    GOS_TRY(k->arena ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__deck_parts(k->ctx, k->arena, k->mesh->deck, &given, &k->parts));
    GOS_TRY(gos__fe_body_create(k->ctx, k->mesh, k->parts.n, k->parts.part, &k->body));
    GOS_TRY(gos__fe_body_mechanics(k->body));
    GOS_TRY(hold_all(k));
    GOS_TRY(gos__linear_create(k->ctx, &(gos_linear_size){.nq = k->body->freedom.n, .nc = k->nheld},
                               &l));
    const gos_status status = fill(k, l);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

gos_status gos_linear_from_mesh(gos_ctx *ctx, const gos_mesh *mesh, gos_linear **linear) {
    making k = {.ctx = ctx, .mesh = mesh};
    if (!mesh->deck) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "this mesh comes without materials; only decks of CalculiX and Abaqus are "
                         "linear models by themselves");
    }
    const gos_status status = make(&k, linear);
    gos__fe_body_destroy(k.body);
    gos__free(ctx, k.held);
    if (k.arena) {
        gos__arena_destroy(k.arena);
    }
    return status;
}
