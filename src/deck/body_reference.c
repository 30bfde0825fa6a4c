/* Deck supports as the reference of a body's frame. */
#include "deck/body_deck.h"

#include <lapacke.h>
#include <math.h>

/* add squares of a row of the six rigid motions */
static void add_rigid(const double x[3], bool turn, const double axis[3], double G[36]) {
    double row[6] = {0};
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        row[turn ? 3 + c : c] += axis[c];
        if (!turn) { // axis . (theta x r)
            row[3 + d] += axis[c] * x[e];
            row[3 + e] -= axis[c] * x[d];
        }
    }
    for (int i = 0; i < 36; i++) {
        G[i] += row[i / 6] * row[i % 6];
    }
}

typedef struct supporting {
    gos_builder *b;
    const gos_mesh_deck_user *user;
    gos_flex *flex;
    double size; // of the mesh
    gos_conditions held;
    double G[36];
    const gos_deck_nodal **last; // line of each freedom (nodes, 6)
} supporting;

/* of an equal share of displacements, or of one rotation */
static gos_status hold_row(supporting *k, const gos_deck_held *row, bool turn,
                           const double axis[3]) {
    const gos_sparse *A = turn ? &k->flex->turn : &k->flex->move;
    double x[3] = {0, 0, 0};
    bool begun = false;
    for (int i = 0; i < 3 * row->n; i++) {
        const int column = 3 * row->node[i / 3] + i % 3;
        x[i % 3] += k->flex->x[row->node[i / 3]][i % 3] / (k->size * row->n);
        for (int p = A->p[column]; p < A->p[column + 1] && axis[i % 3] != 0; p++) {
            GOS_TRY(begun ? GOS_OK : gos__conditions_begin(&k->held, -1));
            GOS_TRY(gos__conditions_term(&k->held, A->i[p], axis[i % 3] * A->x[p]));
            begun = true;
        }
    }
    if (begun) {
        add_rigid(x, turn, axis, k->G);
    }
    return GOS_OK;
}

/* fix a freedom along the node's axes */
static gos_status hold_one(supporting *k, int node, int dof) {
    const gos_deck *d = k->user->mesh->deck;
    const int lead = k->user->ties ? gos__deck_turned_by(d, node) : -1;
    const bool turn = dof >= 3 || lead >= 0;
    double axis[3];
    gos_deck_held row[2];
    gos__deck_direction(d, node, dof, axis, NULL);
    const int rows =
        gos__deck_held(d, lead >= 0 ? lead : node, turn ? dof % 3 + 3 : dof, axis, row);
    for (int j = 0; j < rows; j++) {
        GOS_TRY(hold_row(k, &row[j], turn, axis));
    }
    return GOS_OK;
}

/* later lines override */
static gos_status hold_line(supporting *k, const gos_deck_nodal *n) {
    for (int i = 0; i < n->n; i++) {
        for (int dof = n->dof - 1; dof < n->dof_last && dof < 6; dof++) {
            const gos_deck_nodal *last = k->last[6 * n->node[i] + dof];
            GOS_TRY(last == n && n->value == 0 ? hold_one(k, n->node[i], dof) : GOS_OK);
        }
    }
    return GOS_OK;
}

/* prescribed displacements prevent rigid motions, too (body_moved.c) */
static void guide_line(supporting *k, const gos_deck_nodal *n) {
    for (int i = 0; i < n->n; i++) {
        for (int dof = n->dof - 1; dof < n->dof_last && dof < 3; dof++) {
            double axis[3], x[3];
            if (k->last[6 * n->node[i] + dof] == n && n->value != 0) {
                gos__deck_direction(k->user->mesh->deck, n->node[i], dof, axis, NULL);
                for (int c = 0; c < 3; c++) {
                    x[c] = k->user->mesh->x[n->node[i]][c] / k->size;
                }
                add_rigid(x, false, axis, k->G);
            }
        }
    }
}

static bool is_firm(const supporting *k) {
    double G[36], w[6] = {0};
    memcpy(G, k->G, sizeof G);
    return LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', 6, G, 6, w) == 0 && w[0] > 1e-9 * w[5];
}

/* A plane body does not leave its plane. */
static void hold_plane(supporting *k) {
    const gos_sparse *A = &k->flex->move;
    for (int i = 0; i < k->user->mesh->nnode; i++) {
        if (A->p[3 * i + 2] < A->p[3 * i + 3]) {
            return;
        }
    }
    for (int row = 2; row < 5; row++) {
        k->G[7 * row] += 1;
    }
}

gos_status gos__mesh_deck_hold(gos_builder *b, const gos_mesh_deck_user *user,
                               const gos_mesh_interfaces *interfaces, gos_flex *flex) {
    const gos_deck *deck = user->mesh->deck;
    supporting k = {.b = b, .user = user, .flex = flex, .held = {.ctx = b->ctx}};
    k.last = gos__mesh_deck_last(b->ctx, user->mesh);
    gos_status status = k.last ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < 3 * user->mesh->nnode; i++) {
        k.size = fmax(k.size, fabs(user->mesh->x[i / 3][i % 3]));
    }
    for (int i = 0; i < deck->nnodal && status == GOS_OK; i++) {
        const gos_deck_nodal *n = &deck->nodal[i];
        if (n->kind == GOS_DECK_FIXED && n->dof <= 6) {
            status =
                gos__mesh_interfaces_hold(b->ctx, interfaces, n->n, n->node, n->loc, user->object);
            status = status == GOS_OK ? hold_line(&k, n) : status;
        }
    }
    hold_plane(&k);
    for (int i = 0; i < deck->nnodal && user->loads; i++) {
        const gos_deck_nodal *n = &deck->nodal[i];
        if (n->kind == GOS_DECK_FIXED && n->dof <= 6 && n->value != 0) {
            guide_line(&k, n);
            flex->guided = true;
        }
    }
    if (status == GOS_OK && !is_firm(&k)) {
        status = gos__fail_at(b->ctx, GOS_E_INPUT, user->loc, user->object,
                              "a clamped frame without `at` is fixed to the supports of the deck "
                              "(*BOUNDARY), but these do not prevent all rigid-body motion; "
                              "specify a node set `at`, or another reference");
    }
    status = status == GOS_OK ? gos__flex_fix(flex, &k.held) : status;
    gos__conditions_free(&k.held);
    gos__free(b->ctx, (void *)k.last);
    return status;
}
