/* Applies the deck's constraints: eliminates dependent amplitudes and temperatures; reference nodes
   follow. */
#include "deck/body_deck.h"

/* columns [first, first + n) of T */
static gos_status columns_of(gos_ctx *ctx, const gos_sparse *T, int first, int n, gos_sparse *A) {
    const int from = T->p[first], nnz = T->p[first + n] - from;
    GOS_TRY(gos__sparse_alloc(ctx, T->m, n, (size_t)nnz, A));
    for (int j = 0; j <= n; j++) {
        A->p[j] = T->p[first + j] - from;
    }
    memcpy(A->i, T->i + from, (size_t)nnz * sizeof *A->i);
    memcpy(A->x, T->x + from, (size_t)nnz * sizeof *A->x);
    return GOS_OK;
}

/* displacements (from = 0) or rotations (3) of reference nodes replace empty columns of A */
static gos_status name_references(const gos_deck_ties *t, const gos_sparse *T, int from,
                                  gos_sparse *A) {
    gos_sparse B;
    GOS_TRY(gos__sparse_alloc(t->ctx, T->m, A->n, (size_t)A->nnz + (size_t)T->nnz, &B));
    B.nnz = 0;
    for (int j = 0; j < A->n; j++) {
        const int node = j / 3, r = t->of_node[node];
        const int extra = r > 0 ? t->reference[r - 1].unknown[from + j % 3] : -1;
        const gos_sparse *of = extra >= 0 ? T : A;
        const int column = extra >= 0 ? extra : j, n = of->p[column + 1] - of->p[column];
        memcpy(B.i + B.nnz, of->i + of->p[column], (size_t)n * sizeof *B.i);
        memcpy(B.x + B.nnz, of->x + of->p[column], (size_t)n * sizeof *B.x);
        B.nnz += n;
        B.p[j + 1] = B.nnz;
    }
    gos__sparse_free(t->ctx, A);
    *A = B;
    return GOS_OK;
}

static gos_status tie_moves(const gos_deck_ties *t, gos_flex *flex) {
    gos_sparse T = {0}, R = {0};
    gos_status status = gos__deck_ties_solve(t, &t->move, &T);
    status = status == GOS_OK ? columns_of(t->ctx, &T, 0, flex->n, &R) : status;
    status = status == GOS_OK ? gos__flex_tie(flex, &R, NULL) : status;
    status = status == GOS_OK ? name_references(t, &T, 0, &flex->move) : status;
    status = status == GOS_OK ? name_references(t, &T, 3, &flex->turn) : status;
    gos__sparse_free(t->ctx, &R);
    gos__sparse_free(t->ctx, &T);
    return status;
}

static gos_status tie_temperatures(const gos_mesh_deck_user *user, const gos_deck_ties *t,
                                   const gos_mesh_deck_heat *heat, gos_flex *flex) {
    gos_sparse S = {0};
    const int n = flex->heat.n;
    double *size = gos__alloc(t->ctx, (size_t)n + 1, sizeof *size);
    for (int i = 0; i < n && size; i++) {
        size[i] = 1;
    }
    gos_status status = size ? gos__ties_solve(&t->warmth, n, size, &S, NULL) : GOS_E_MEMORY;
    for (int k = 0; k < n && status == GOS_OK; k++) {
        if (S.p[k + 1] != S.p[k] + 1 || S.x[S.p[k]] != 1) {
            status =
                gos__fail_at(t->ctx, GOS_E_INPUT, user->loc, user->object,
                             "the deck ties temperatures of nodes to those of several others (*TIE "
                             "of non-matching meshes), which bodies with temperatures do not "
                             "support; use matching meshes, or give `temperature: off`");
        }
    }
    status = status == GOS_OK ? gos__flex_tie(flex, NULL, &S) : status;
    for (int i = 0; i < user->mesh->nnode && status == GOS_OK; i++) {
        heat->of_node[i] = heat->of_node[i] < 0 ? -1 : S.i[S.p[heat->of_node[i]]];
        heat->of_across[i] = heat->of_across[i] < 0 ? -1 : S.i[S.p[heat->of_across[i]]];
    }
    gos__sparse_free(t->ctx, &S);
    gos__free(t->ctx, size);
    return status;
}

gos_status gos__mesh_deck_tie(const gos_mesh_deck_user *user, const gos_fe_body *fe,
                              const gos_mesh_deck_heat *heat, gos_flex *flex) {
    gos_deck_ties t;
    gos_status status = gos__deck_ties_make(&t, user->mesh->deck, fe, user->ties, user->object);
    status = status == GOS_OK && t.move.n > 0 && flex->n > 0 ? tie_moves(&t, flex) : status;
    status = status == GOS_OK && t.warmth.n > 0 && flex->heat.n > 0
                 ? tie_temperatures(user, &t, heat, flex)
                 : status;
    gos__deck_ties_free(&t);
    return status;
}
