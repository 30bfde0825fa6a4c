/* Named locations as further nodes of a flex. */
#include "floating/mesh_locations.h"

#include "floating/mesh_interfaces.h"
#include "deck/deck.h"

#include <lapacke.h>
#include <math.h>

#define THIN 1e-8 // relative moment that determines a rotation

typedef struct joining {
    gos_flex *flex;
    gos_mesh_locations *locations;
    int n;                        // nodes of the set
    const int *node;              // (n)
    const gos_mesh_interface *as; // NULL: none
    double centre[3];
    double inverse[3][3]; // moments about the centre; 0: undetermined axes
    double *sum;          // (flex->n)
} joining;

/* ---- column by column assembly --------------------------------------------------------------- */

/* append `rows` entries as a column; further ones must be 0 */
static gos_status append(gos_ctx *ctx, gos_sparse *A, int rows, const double *column) {
    gos_sparse B;
    int more = 0;
    for (int i = 0; i < rows; i++) {
        more += column[i] != 0;
    }
    GOS_TRY(gos__sparse_alloc(ctx, A->m, A->n + 1, (size_t)A->nnz + (size_t)more, &B));
    memcpy(B.p, A->p, ((size_t)A->n + 1) * sizeof *B.p);
    memcpy(B.i, A->i, (size_t)A->nnz * sizeof *B.i);
    memcpy(B.x, A->x, (size_t)A->nnz * sizeof *B.x);
    B.nnz = A->nnz;
    for (int i = 0; i < rows; i++) {
        if (column[i] != 0) {
            B.i[B.nnz] = i;
            B.x[B.nnz++] = column[i];
        }
    }
    B.p[A->n + 1] = B.nnz;
    gos__sparse_free(ctx, A);
    *A = B;
    return GOS_OK;
}

static void add_column(const gos_sparse *A, int column, double factor, double *to) {
    for (int k = A->p[column]; k < A->p[column + 1]; k++) {
        to[A->i[k]] += factor * A->x[k];
    }
}

/* ---- a set ----------------------------------------------------------------------------------- */

static bool flat(const joining *k) {
    bool moves = false;
    for (int i = 0; i < k->n; i++) {
        const int column = 3 * k->node[i];
        moves = moves || k->flex->move.p[column + 2] < k->flex->move.p[column + 3] ||
                k->flex->turn.p[column] < k->flex->turn.p[column + 3];
    }
    return !moves;
}

/* inverse of sum (r^2 I - r r^T); whether all rotations are determined */
static bool measure(joining *k) {
    double T[9] = {0}, w[3];
    memset(k->centre, 0, sizeof k->centre);
    memset(k->inverse, 0, sizeof k->inverse);
    for (int i = 0; i < 3 * k->n; i++) {
        k->centre[i % 3] += k->flex->x[k->node[i / 3]][i % 3] / k->n;
    }
    for (int i = 0; i < k->n; i++) {
        double r[3], square = 0;
        for (int c = 0; c < 3; c++) {
            r[c] = k->flex->x[k->node[i]][c] - k->centre[c];
            square += r[c] * r[c];
        }
        for (int c = 0; c < 9; c++) {
            T[c] += (c % 4 == 0 ? square : 0) - r[c / 3] * r[c % 3];
        }
    }
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'L', 3, T, 3, w) != 0 || !(w[2] > 0)) {
        return false;
    }
    for (int m = 0; m < 3; m++) {
        for (int c = 0; c < 9 && w[m] > THIN * w[2]; c++) {
            k->inverse[c / 3][c % 3] += T[3 * m + c / 3] * T[3 * m + c % 3] / w[m];
        }
    }
    return w[0] > THIN * w[2] || flat(k);
}

static void mean_move(const joining *k, int c) {
    for (int i = 0; i < k->n; i++) {
        add_column(&k->flex->move, 3 * k->node[i] + c, 1.0 / k->n, k->sum);
    }
}

/* factor times (inverse sum r x u)_c */
static void fitted_turn(const joining *k, int c, double factor) {
    for (int i = 0; i < k->n; i++) {
        for (int d = 0; d < 3; d++) {
            const int p = (d + 1) % 3, q = (d + 2) % 3;
            const double rp = k->flex->x[k->node[i]][p] - k->centre[p];
            const double rq = k->flex->x[k->node[i]][q] - k->centre[q];
            add_column(&k->flex->move, 3 * k->node[i] + q, factor * k->inverse[c][d] * rp, k->sum);
            add_column(&k->flex->move, 3 * k->node[i] + p, -factor * k->inverse[c][d] * rq, k->sum);
        }
    }
}

/* displacement at the attachment point: mean plus rotation about the centre */
static void move_at(const joining *k, int c) {
    const int p = (c + 1) % 3, q = (c + 2) % 3;
    mean_move(k, c);
    if (k->as && k->as->placed) {
        fitted_turn(k, p, k->as->at[q] - k->centre[q]);
        fitted_turn(k, q, k->centre[p] - k->as->at[p]);
    }
}

static gos_status add_columns(joining *k, bool turn) {
    gos_flex *f = k->flex;
    for (int c = 0; c < 3; c++) {
        memset(k->sum, 0, (size_t)f->n * sizeof *k->sum);
        if (k->as && k->as->rigid) {
            const int unknown = k->as->unknown[turn ? 3 + c : c];
            k->sum[unknown < 0 ? 0 : unknown] = unknown < 0 ? 0 : 1;
        } else if (!turn) {
            move_at(k, c);
        } else if (k->n == 1) {
            add_column(&f->turn, 3 * k->node[0] + c, 1, k->sum);
        } else {
            fitted_turn(k, c, 1);
        }
        GOS_TRY(append(f->ctx, turn ? &f->turn : &f->move, f->n, k->sum));
    }
    return GOS_OK;
}

/* mean gradient of shells; thickness if uniform */
static gos_status add_gradient(const joining *k, double *sum) {
    gos_flex_heat *h = &k->flex->heat;
    const int number = h->at.n - 1;
    double half = h->half[k->node[0]];
    memset(sum, 0, (size_t)h->n * sizeof *sum);
    for (int i = 0; i < k->n; i++) {
        add_column(&h->across, k->node[i], 1.0 / k->n, sum);
        half = h->half[k->node[i]] == half ? half : 0;
    }
    h->half[number] = half;
    return append(k->flex->ctx, &h->across, h->n, sum);
}

static gos_status add_temperature(const joining *k) {
    gos_flex_heat *h = &k->flex->heat;
    double *sum = gos__zalloc(k->flex->ctx, (size_t)h->n + 1, sizeof *sum);
    GOS_TRY(sum ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < k->n; i++) {
        add_column(&h->at, k->node[i], 1.0 / k->n, sum);
    }
    gos_status status = append(k->flex->ctx, &h->at, h->n, sum);
    status = status == GOS_OK && h->half ? add_gradient(k, sum) : status;
    gos__free(k->flex->ctx, sum);
    return status;
}

static gos_status add_set(joining *k, const char *name, double (*x)[3]) {
    gos_mesh_locations *p = k->locations;
    const bool full = measure(k);
    GOS_TRY(add_columns(k, false));
    GOS_TRY(add_columns(k, true));
    GOS_TRY(k->flex->heat.n > 0 ? add_temperature(k) : GOS_OK);
    memcpy(x[p->mesh->nnode + p->nset], k->as ? k->as->at : k->centre, sizeof k->centre);
    p->many[p->mesh->nnode + p->nset] = k->n > 1;
    p->turns[p->mesh->nnode + p->nset] =
        k->flex->n == 0 || (k->as && k->as->rigid) || (k->n == 1 ? p->turns[k->node[0]] : full);
    p->members[p->nset] =
        (gos_mesh_members){.n = k->as && k->as->rigid ? 0 : k->n, .node = k->node};
    p->name[p->nset++] = name;
    return GOS_OK;
}

/* ---- all locations --------------------------------------------------------------------------- */

/* node without cells of the body */
static bool bare(const gos_flex *f, int node) {
    if (f->n == 0) { // temperatures only
        return f->heat.at.p[node] == f->heat.at.p[node + 1];
    }
    return f->move.p[3 * node] == f->move.p[3 * node + 3] &&
           f->turn.p[3 * node] == f->turn.p[3 * node + 3];
}

/* distinct; `seen` (nodes) is false on entry and exit */
static int surface_nodes(const gos_mesh *m, const gos_mesh_surface *s, bool *seen, int *to) {
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        int node[GOS_CELL_SIDE_NODES];
        const int count = gos__mesh_side(m, s->cell[i], s->side[i], node);
        for (int k = 0; k < count; k++) {
            if (!seen[node[k]]) {
                seen[node[k]] = true;
                to[n++] = node[k];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        seen[to[i]] = false;
    }
    return n;
}

/* nodes with freedoms to the front; returns their number */
static int carrying(const gos_flex *f, int n, const int *node, int *to) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (!bare(f, node[i])) {
            to[count++] = node[i];
        }
    }
    return count;
}

gos_status gos__mesh_locations_nodes(gos_arena *a, const gos_mesh *m, const gos_flex *flex,
                                     const char *name, int *n, int **node) {
    const gos_mesh_set *set = gos__mesh_node_set(m, name);
    const gos_mesh_surface *surface = set ? NULL : gos__mesh_surface(m, name);
    *n = 0;
    *node = GOS_NEW(a, int, (set ? set->n : surface ? m->nnode : 0) + 1);
    GOS_TRY(*node ? GOS_OK : GOS_E_MEMORY);
    if (set) {
        *n = carrying(flex, set->n, set->item, *node);
    } else if (surface) {
        bool *seen = gos__zalloc(flex->ctx, (size_t)m->nnode + 1, sizeof *seen);
        GOS_TRY(seen ? GOS_OK : GOS_E_MEMORY);
        *n = carrying(flex, surface_nodes(m, surface, seen, *node), *node, *node);
        gos__free(flex->ctx, seen);
    }
    return GOS_OK;
}

bool gos__mesh_locations_turn(const gos_flex *flex, int n, const int *node) {
    joining k = {.flex = (gos_flex *)(uintptr_t)flex, .n = n, .node = node};
    bool turns = false;
    for (int i = 0; i < n; i++) {
        turns = turns || flex->turn.p[3 * node[i]] < flex->turn.p[3 * node[i] + 3];
    }
    return turns || (n > 1 && measure(&k));
}

bool gos__mesh_locations_fit(const gos_flex *flex, int n, const int *node, double centre[3],
                             double inverse[3][3]) {
    joining k = {.flex = (gos_flex *)(uintptr_t)flex, .n = n, .node = node};
    const bool determined = measure(&k);
    memcpy(centre, k.centre, sizeof k.centre);
    memcpy(inverse, k.inverse, sizeof k.inverse);
    return determined;
}

static bool usable(const joining *k, const char *name) {
    bool taken = strcmp(name, "skin") == 0 || strcmp(name, "frame") == 0;
    for (int i = 0; i < k->locations->interfaces.n; i++) {
        taken = taken || strcmp(name, k->locations->interfaces.v[i].name) == 0;
    }
    return !taken;
}

static gos_status add_named(joining *k, gos_arena *a, const char *name, double (*x)[3]) {
    int *node;
    if (!usable(k, name)) {
        return GOS_OK;
    }
    GOS_TRY(gos__mesh_locations_nodes(a, k->locations->mesh, k->flex, name, &k->n, &node));
    k->node = node;
    return k->n > 0 ? add_set(k, name, x) : GOS_OK;
}

/* remainder of weights on the frame's origin, without displacement */
static gos_status add_pattern(joining *k, gos_arena *a, int number, int c, double (*x)[3]) {
    gos_mesh_locations *p = k->locations;
    gos_flex *f = k->flex;
    const gos_mesh_pattern *of = &p->pattern[number];
    const int location = p->mesh->nnode + p->nset;
    double none = 0;
    p->name[p->nset] = gos__arena_printf(a, GOS_MESH_PATTERN, number, "xyz"[c]);
    GOS_TRY(p->name[p->nset] ? GOS_OK : GOS_E_MEMORY);
    for (int d = 0; d < 3; d++) {
        memset(k->sum, 0, (size_t)f->n * sizeof *k->sum);
        for (int i = 0; i < p->mesh->nnode; i++) {
            const double w = of->force[3 * i + c] / of->size[c];
            x[location][d] += w * f->x[i][d];
            if (w != 0) {
                add_column(&f->move, 3 * i + d, w, k->sum);
            }
        }
        GOS_TRY(append(f->ctx, &f->move, f->n, k->sum));
    }
    memset(k->sum, 0, (size_t)f->n * sizeof *k->sum);
    for (int d = 0; d < 3; d++) {
        GOS_TRY(append(f->ctx, &f->turn, f->n, k->sum));
    }
    GOS_TRY(f->heat.n > 0 ? append(f->ctx, &f->heat.at, 0, &none) : GOS_OK);
    GOS_TRY(f->heat.half ? append(f->ctx, &f->heat.across, 0, &none) : GOS_OK);
    p->many[location] = p->turns[location] = true;
    p->members[p->nset++] =
        (gos_mesh_members){.n = p->mesh->nnode, .force = of->force + c, .size = of->size[c]};
    return GOS_OK;
}

static gos_status add_sets(joining *k, gos_arena *a, double (*x)[3]) {
    const gos_mesh *m = k->locations->mesh;
    for (int i = 0; i < m->nnode_set; i++) {
        GOS_TRY(add_named(k, a, m->node_set[i].name, x));
    }
    for (int i = 0; i < m->nsurface; i++) {
        GOS_TRY(gos__mesh_node_set(m, m->surface[i].name) ? GOS_OK
                                                          : add_named(k, a, m->surface[i].name, x));
    }
    for (int i = 0; i < k->locations->interfaces.n; i++) {
        k->as = &k->locations->interfaces.v[i];
        k->n = k->as->n;
        k->node = k->as->node;
        GOS_TRY(add_set(k, k->as->name, x));
    }
    for (int i = 0; i < 3 * k->locations->npattern; i++) {
        GOS_TRY(k->locations->pattern[i / 3].size[i % 3] > 0 ? add_pattern(k, a, i / 3, i % 3, x)
                                                             : GOS_OK);
    }
    return GOS_OK;
}

gos_status gos__mesh_locations_add(gos_arena *a, gos_flex *flex, gos_mesh_locations *p) {
    const gos_mesh *m = p->mesh;
    const size_t most = (size_t)m->nnode_set + (size_t)m->nsurface + (size_t)p->interfaces.n +
                        3 * (size_t)p->npattern,
                 all = (size_t)m->nnode + most;
    joining k = {.flex = flex, .locations = p};
    gos_ctx *ctx = flex->ctx;
    double(*x)[3] = gos__zalloc(ctx, all + 1, sizeof *x);
    k.sum = gos__alloc(ctx, (size_t)flex->n + 1, sizeof *k.sum);
    p->name = (const char **)gos__arena_alloc(a, most + 1, sizeof *p->name);
    p->members = GOS_NEW(a, gos_mesh_members, most + 1);
    p->turns = GOS_NEW(a, bool, all + 1);
    p->many = GOS_NEW(a, bool, all + 1);
    p->bare = GOS_NEW(a, bool, all + 1);
    gos_status status = x && k.sum && p->name && p->members && p->turns && p->many && p->bare
                            ? GOS_OK
                            : GOS_E_MEMORY;
    if (status == GOS_OK) {
        memcpy(x, flex->x, (size_t)m->nnode * sizeof *x);
        for (int i = 0; i < m->nnode; i++) {
            p->turns[i] = flex->n == 0 || flex->turn.p[3 * i] < flex->turn.p[3 * i + 3];
            p->bare[i] = bare(flex, i);
        }
        status = add_sets(&k, a, x);
    }
    if (status == GOS_OK) {
        gos__free(ctx, flex->x);
        flex->x = x;
        flex->nnode = m->nnode + p->nset;
        x = NULL;
    }
    gos__free(ctx, x);
    gos__free(ctx, k.sum);
    return status;
}

static int coupling_of(const gos_mesh_locations *p, const char *name) {
    const gos_deck *d = p->mesh->deck;
    for (int i = 0; d && i < d->ncoupling; i++) {
        const gos_deck_coupling *c = &d->coupling[i];
        if (c->name && strcmp(c->name, name) == 0 && !p->bare[c->reference]) {
            return c->reference;
        }
    }
    return -1;
}

int gos__mesh_locations_find(const gos_mesh_locations *p, const char *name) {
    long long tag = 0;
    int end = 0;
    if (sscanf(name, "node(%lld)%n", &tag, &end) == 1 && name[end] == '\0') {
        return gos__mesh_find_node(p->mesh, tag);
    }
    for (int i = 0; i < p->nset; i++) {
        if (strcmp(p->name[i], name) == 0) {
            return p->mesh->nnode + i;
        }
    }
    return coupling_of(p, name);
}
