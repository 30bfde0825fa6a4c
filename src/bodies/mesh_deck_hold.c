/* The supports of a deck as what the frame of a body holds on to. */
#include "bodies/mesh_deck.h"

#include <lapacke.h>
#include <math.h>

gos_status gos__mesh_deck_axes(gos_ctx *ctx, const gos_mesh_deck_user *user,
                               const gos_deck_nodal *n) {
    const gos_deck *d = user->mesh->deck;
    for (int i = 0; i < d->ntransform; i++) {
        const gos_deck_transform *t = &d->transform[i];
        for (int j = 0, l = 0; j < t->n && l < n->n;) {
            if (t->node[j] == n->node[l]) {
                return gos__fail_at(ctx, GOS_E_INPUT, n->loc, user->object,
                                    "node %lld has axes of its own by *TRANSFORM (line %d), which "
                                    "bodies do not take; say this along the axes of the mesh",
                                    (long long)gos__mesh_node_tag(user->mesh, n->node[l]),
                                    t->loc.line);
            }
            if (t->node[j] < n->node[l]) {
                j++;
            } else {
                l++;
            }
        }
    }
    return GOS_OK;
}

static void drop_column(const gos_sparse *A, int column, bool *dropped) {
    for (int p = A->p[column]; p < A->p[column + 1]; p++) {
        dropped[A->i[p]] = true;
    }
}

/* what the six rigid motions do to a displacement or rotation: rows are summed as squares */
static void add_rigid(const double x[3], int dof, double G[36]) {
    double row[6] = {0};
    const int c = dof % 3, d = (c + 1) % 3, e = (c + 2) % 3;
    row[dof < 3 ? c : 3 + c] = 1;
    if (dof < 3) { // theta x r
        row[3 + d] = x[e];
        row[3 + e] = -x[d];
    }
    for (int i = 0; i < 36; i++) {
        G[i] += row[i / 6] * row[i % 6];
    }
}

static gos_status drop_line(gos_builder *b, const gos_mesh_deck_user *user, const gos_deck_nodal *n,
                            const gos_flex *flex, double size, bool *dropped, double G[36]) {
    if (n->value != 0) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, n->loc, user->object,
                            "*BOUNDARY: supports that move are not taken; hold the frame by a "
                            "driven joint");
    }
    GOS_TRY(gos__mesh_deck_axes(b->ctx, user, n));
    for (int i = 0; i < n->n; i++) {
        const int node = n->node[i];
        double x[3];
        for (int c = 0; c < 3; c++) {
            x[c] = flex->x[node][c] / size;
        }
        for (int dof = n->dof - 1; dof < n->dof_last && dof < 6; dof++) {
            const gos_sparse *A = dof < 3 ? &flex->move : &flex->turn;
            const int column = 3 * node + dof % 3;
            if (A->p[column] < A->p[column + 1]) {
                drop_column(A, column, dropped);
                add_rigid(x, dof, G);
            }
        }
    }
    return GOS_OK;
}

gos_status gos__mesh_deck_hold(gos_builder *b, const gos_mesh_deck_user *user,
                               const gos_mesh_interfaces *interfaces, gos_flex *flex) {
    const gos_deck *deck = user->mesh->deck;
    double G[36] = {0}, w[6] = {0}, size = 0;
    bool *dropped = gos__zalloc(b->ctx, (size_t)flex->n + 1, sizeof *dropped);
    gos_status status = dropped ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < 3 * user->mesh->nnode; i++) {
        size = fmax(size, fabs(user->mesh->x[i / 3][i % 3]));
    }
    for (int i = 0; i < deck->nnodal && status == GOS_OK; i++) {
        const gos_deck_nodal *n = &deck->nodal[i];
        if (n->kind == GOS_DECK_FIXED && n->dof <= 6) {
            status =
                gos__mesh_interfaces_hold(b->ctx, interfaces, n->n, n->node, n->loc, user->object);
            status = status == GOS_OK ? drop_line(b, user, n, flex, size, dropped, G) : status;
        }
    }
    const bool firm =
        LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 6, G, 6, w) == 0 && w[0] > 1e-9 * w[5];
    if (status == GOS_OK && !firm) {
        status = gos__fail_at(b->ctx, GOS_E_INPUT, user->loc, user->object,
                              "a clamped frame without `at` holds on to the supports of the deck "
                              "(*BOUNDARY), and these leave the body free to move or turn; name a "
                              "set `at`, or take another reference");
    }
    status = status == GOS_OK ? gos__flex_drop(flex, dropped) : status;
    gos__free(b->ctx, dropped);
    return status;
}
