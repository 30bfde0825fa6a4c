/* Linear model of a deck with its supports, about the undeformed state. */
#include "base/base.h"
#include "deck/fe_model.h"
#include "deck/fe_springs.h"

typedef gos_deck_model making;

static const char *const component[GOS_FE_FREEDOMS] = {"x", "y", "z", "rx", "ry", "rz"};

/* ---- supports -------------------------------------------------------------------------------- */

static gos_status hold_row(making *k, const gos_deck_held *row, int dof, const double axis[3]) {
    gos_conditions *c = &k->ties.move;
    bool begun = false;
    for (int i = 0; i < 3 * row->n; i++) {
        const int at = gos__deck_ties_number(&k->ties, row->node[i / 3], dof / 3 * 3 + i % 3);
        if (at < 0 || axis[i % 3] == 0) {
            continue;
        }
        GOS_TRY(begun ? GOS_OK : gos__conditions_begin(c, -1));
        GOS_TRY(gos__conditions_term(c, at, axis[i % 3]));
        begun = true;
    }
    return GOS_OK;
}

/* supports along the local axes of nodes */
static gos_status hold(making *k, const gos_deck_nodal *n) {
    for (int i = 0; i < n->n; i++) {
        for (int dof = n->dof - 1; dof < n->dof_last && dof < GOS_FE_FREEDOMS; dof++) {
            double axis[3];
            gos_deck_held row[2];
            gos__deck_direction(k->mesh->deck, n->node[i], dof, axis, NULL);
            const int rows = gos__deck_held(k->mesh->deck, n->node[i], dof, axis, row);
            for (int j = 0; j < rows; j++) {
                GOS_TRY(hold_row(k, &row[j], dof, axis));
            }
        }
    }
    return GOS_OK;
}

static gos_status hold_all(making *k) {
    const gos_deck *d = k->mesh->deck;
    bool loaded = d->nload > 0;
    for (int i = 0; i < d->nnodal; i++) {
        const gos_deck_nodal *n = &d->nodal[i];
        loaded = loaded || n->kind == GOS_DECK_FORCE || n->kind == GOS_DECK_TEMPERATURE ||
                 (n->kind == GOS_DECK_FIXED && n->value != 0);
        GOS_TRY(n->kind == GOS_DECK_FIXED ? hold(k, n) : GOS_OK);
    }
    const gos_deck_step *s = &d->step;
    if (k->loaded) {
        return GOS_OK;
    }
    if (s->procedure == GOS_DECK_BUCKLE || s->procedure == GOS_DECK_COMPLEX_FREQUENCY ||
        s->nlgeom) {
        gos__warn(k->ctx, s->loc, gos__deck_word(d, "*STEP"),
                  "%s not applied: the linear model describes the undeformed state, without "
                  "geometric stiffness and rotation",
                  s->procedure == GOS_DECK_BUCKLE              ? gos__deck_word(d, "*BUCKLE is")
                  : s->procedure == GOS_DECK_COMPLEX_FREQUENCY ? "*COMPLEX FREQUENCY is"
                                                               : "NLGEOM is");
    }
    if (loaded) {
        gos__note(k->ctx, k->mesh->source ? k->mesh->source : "",
                  "the linear model describes the undeformed state: loads, temperatures and "
                  "prescribed motions of the deck are ignored");
    }
    return GOS_OK;
}

/* Dependent unknowns as independent conditions, from T (free, unknowns). The first unknown equal to
   a free one represents it. */
static gos_status constraints(const gos_deck_model *k, const gos_sparse *T, gos_sparse *C) {
    gos_ctx *ctx = k->ctx;
    const int n = T->n, most = T->nnz + n;
    int *i = gos__alloc(ctx, 2 * (size_t)most + 1, sizeof *i), *j = i ? i + most : NULL;
    int *stands = gos__alloc(ctx, (size_t)T->m + 1, sizeof *stands), row = 0, count = 0;
    double *x = gos__alloc(ctx, (size_t)most + 1, sizeof *x);
    gos_status status = i && stands && x ? GOS_OK : GOS_E_MEMORY;
    for (int u = n - 1; u >= 0 && status == GOS_OK; u--) {
        if (T->p[u + 1] == T->p[u] + 1 && T->x[T->p[u]] == 1) {
            stands[T->i[T->p[u]]] = u;
        }
    }
    for (int u = 0; u < n && status == GOS_OK; u++) {
        if (T->p[u + 1] > T->p[u] && stands[T->i[T->p[u]]] == u) {
            continue;
        }
        i[count] = row;
        j[count] = u;
        x[count++] = 1;
        for (int q = T->p[u]; q < T->p[u + 1]; q++) {
            i[count] = row;
            j[count] = stands[T->i[q]];
            x[count++] = -T->x[q];
        }
        row++;
    }
    status = status == GOS_OK ? gos__sparse_from_triplets(ctx, row, n, count, i, j, x, C) : status;
    gos__free(ctx, i);
    gos__free(ctx, stands);
    gos__free(ctx, x);
    return status;
}

/* ---- names and rigid motions ----------------------------------------------------------------- */

/* one name per node if all have exactly three displacements */
static gos_status name_all(const gos_deck_model *k, gos_linear *l) {
    const gos_fe_layout *f = &k->body->freedom;
    bool solids = k->ties.nreference == 0;
    for (int i = 0; i < k->mesh->nnode; i++) {
        solids = solids && (f->mask[i] == 0 || f->mask[i] == 7);
    }
    l->ncomp = solids ? 3 : 1;
    for (int i = 0; i < k->mesh->nnode; i++) {
        const long long tag = gos__mesh_node_tag(k->mesh, i);
        for (int c = 0; c < GOS_FE_FREEDOMS; c += solids ? GOS_FE_FREEDOMS : 1) {
            const int at = gos__deck_ties_number(&k->ties, i, c);
            if (at < 0 || gos__deck_ties_turns(&k->ties, i)) {
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

static void rigid_about(const gos_deck_model *k, const double about[3], gos_linear *l) {
    const long n = l->nq;
    for (int i = 0; i < k->mesh->nnode; i++) {
        for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
            const int at = gos__deck_ties_number(&k->ties, i, c);
            if (at < 0 || gos__deck_ties_turns(&k->ties, i)) {
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

/* Centre of mass from the rigid motions about the origin, as mass may lie off the nodes: motion e
   and rotation f give the product m x_d. */
static gos_status centre_of(const gos_deck_model *k, const gos_linear *l, double centre[3]) {
    const long n = l->nq;
    double *Mt = gos__alloc(k->ctx, 3 * (size_t)n + 1, sizeof *Mt);
    GOS_TRY(Mt ? GOS_OK : GOS_E_MEMORY);
    for (int c = 0; c < 3; c++) {
        gos__sparse_apply(&l->block[GOS_BLOCK_M], 1, l->rigid + c * n, Mt + c * n);
    }
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        double mass = 0, moment = 0;
        for (long i = 0; i < n; i++) {
            mass += l->rigid[e * n + i] * Mt[e * n + i] + l->rigid[f * n + i] * Mt[f * n + i];
            moment += l->rigid[(3 + f) * n + i] * Mt[e * n + i] -
                      l->rigid[(3 + e) * n + i] * Mt[f * n + i];
        }
        centre[d] = mass > 0 ? moment / mass : 0;
    }
    gos__free(k->ctx, Mt);
    return GOS_OK;
}

static gos_status rigid_motions(const gos_deck_model *k, gos_linear *l) {
    static const double origin[3] = {0, 0, 0};
    double centre[3];
    rigid_about(k, origin, l);
    GOS_TRY(centre_of(k, l, centre));
    memset(l->rigid, 0, 6 * (size_t)l->nq * sizeof *l->rigid);
    rigid_about(k, centre, l);
    return GOS_OK;
}

/* ---- the model ------------------------------------------------------------------------------- */

gos_status gos__deck_widen(gos_ctx *ctx, int n, gos_sparse *A) {
    int *p = gos__alloc(ctx, (size_t)n + 1, sizeof *p);
    GOS_TRY(p ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j <= n; j++) {
        p[j] = A->p[j < A->n ? j : A->n];
    }
    gos__free(ctx, A->p);
    A->p = p;
    A->m = A->n = n;
    return GOS_OK;
}

static gos_status fill(making *k, gos_sparse *constraint, gos_linear *l) {
    gos_sparse *M = &l->block[GOS_BLOCK_M], *K = &l->block[GOS_BLOCK_K];
    gos_sparse *C = &l->block[GOS_BLOCK_C], *D = &l->block[GOS_BLOCK_D];
    const double *damping = k->parts.damping;
    gos_sparse *const all[] = {M, K, C};
    for (int i = 0; i < GOS_COUNT(all); i++) {
        gos__sparse_free(k->ctx, all[i]);
    }
    *C = *constraint;
    *constraint = (gos_sparse){0};
    GOS_TRY(gos__fe_body_mass(k->body, M));
    *K = k->body->K;
    k->body->K = (gos_sparse){0};
    GOS_TRY(gos__deck_widen(k->ctx, l->nq, M));
    GOS_TRY(gos__deck_widen(k->ctx, l->nq, K));
    if (damping[0] != 0 || damping[1] != 0) {
        gos__sparse_free(k->ctx, D);
        GOS_TRY(gos__sparse_sum(k->ctx, damping[0], M, damping[1], K, D));
    }
    const gos_deck_discrete discrete = {.n = l->nq, .nmass = l->nq, .K = K, .D = D, .M = M};
    GOS_TRY(gos__deck_springs(k->body, &k->ties, "deck", true, &discrete));
    GOS_TRY(name_all(k, l));
    GOS_TRY(rigid_motions(k, l));
    return gos__linear_close(l);
}

static gos_status make_model(making *k, gos_linear **linear) {
    gos_sparse T = {0}, C = {0};
    gos_linear *l = NULL;
    gos_status status = gos__deck_ties_solve(&k->ties, &k->ties.move, &T);
    status = status == GOS_OK ? constraints(k, &T, &C) : status;
    gos__sparse_free(k->ctx, &T);
    status = status == GOS_OK
                 ? gos__linear_create(k->ctx, &(gos_linear_size){.nq = k->ties.n, .nc = C.m}, &l)
                 : status;
    status = status == GOS_OK ? fill(k, &C, l) : status;
    gos__sparse_free(k->ctx, &C);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

static bool has_weight(const gos_deck *d) {
    bool any = false;
    for (int i = 0; i < d->nload; i++) {
        any = any || d->load[i].kind == GOS_DECK_GRAVITY || d->load[i].kind == GOS_DECK_CENTRIFUGAL;
    }
    return any;
}

gos_status gos__deck_model_make(gos_deck_model *k, gos_linear **linear) {
    if (!k->mesh->deck) {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "this mesh has no materials; only CalculiX and Abaqus decks can be read "
                         "as linear models without a model file");
    }
    const gos_deck_given given = {.object = "deck",
                                  .loc = {k->mesh->source, 0, 0},
                                  .no_density = k->loaded && !has_weight(k->mesh->deck),
                                  .no_heat = k->loaded};
    k->arena = gos__arena_create(k->ctx);
    GOS_TRY(k->arena ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__deck_parts(k->ctx, k->arena, k->mesh->deck, &given, &k->parts));
    GOS_TRY(gos__fe_body_create(k->ctx, k->mesh, k->parts.n, k->parts.part, &k->body));
    GOS_TRY(gos__fe_body_mechanics(k->body));
    GOS_TRY(gos__deck_ties_make(&k->ties, k->mesh->deck, k->body, true, given.object));
    GOS_TRY(hold_all(k));
    return make_model(k, linear);
}

void gos__deck_model_free(gos_deck_model *k) {
    gos__deck_ties_free(&k->ties);
    gos__fe_body_destroy(k->body);
    if (k->arena) {
        gos__arena_destroy(k->arena);
    }
}

gos_status gos_linear_from_mesh(gos_ctx *ctx, const gos_mesh *mesh, gos_linear **linear) {
    gos_deck_model k = {.ctx = ctx, .mesh = mesh};
    if (!mesh->deck) {
        return gos__fail(
            ctx, GOS_E_INPUT,
            "this mesh has no materials; only decks of CalculiX, Abaqus and Nastran can "
            "be read as linear models without a model file");
    }
    const gos_status status = gos__deck_model_make(&k, linear);
    gos__deck_model_free(&k);
    return status;
}
