/* Interfaces: parsing, and rigid ones as ties between amplitudes. */
#include "floating/mesh_interfaces.h"

#include "floating/mesh_locations.h"

typedef struct interface_def {
    const char *of;
    int averaging;
    double at[3];
} interface_def;

static const gos_param params[] = {
    {.name = "of",
     .kind = GOS_K_TEXT,
     .unit = "",
     .offset = offsetof(interface_def, of),
     .doc = "set of nodes or sides; default: the set of the interface's name"},
    {.name = "type",
     .kind = GOS_K_CHOICE,
     .unit = "",
     .def = "rigid",
     .choices = "rigid|averaging",
     .offset = offsetof(interface_def, averaging),
     .doc = "rigid: moves as a rigid body; averaging: follows the mean motion of its nodes"},
    {.name = "at",
     .kind = GOS_K_VECTOR,
     .unit = "m",
     .shape = 3,
     .def = "[0, 0, 0]",
     .offset = offsetof(interface_def, at),
     .doc = "reference point, mesh axes"},
    {0}};

typedef struct tying {
    gos_builder *b;
    const char *object;
    const gos_mesh *mesh;
    gos_flex *flex;
    gos_mesh_interfaces *list;
    int *owner; // 1 + rigid interface, 0: none (nodes)
} tying;

/* ---- parsing --------------------------------------------------------------------------------- */

static gos_status read_one(const tying *t, const gos_node *entry, gos_mesh_interface *to) {
    interface_def d = {0};
    gos_builder *b = t->b;
    const char *name = entry->key;
    if (entry->kind != GOS_MAP || strcmp(name, "frame") == 0 || strcmp(name, "skin") == 0 ||
        strchr(name, '(')) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->key_loc, t->object,
                            entry->kind != GOS_MAP
                                ? "interface '%s' must be a map, {of: SET, type: rigid}"
                                : "an interface cannot be called '%s'; use another name",
                            name);
    }
    GOS_TRY(gos__fill(b->model, entry, params, t->object, b->arena, &d));
    *to = (gos_mesh_interface){.name = gos__arena_strdup(b->arena, name),
                               .of = d.of ? d.of : name,
                               .loc = entry->key_loc,
                               .rigid = !d.averaging,
                               .placed = gos__node_given(entry, "at") != NULL};
    memcpy(to->at, d.at, sizeof to->at);
    GOS_TRY(to->name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__mesh_locations_nodes(b->arena, t->mesh, t->flex, to->of, &to->n, &to->node));
    for (int i = 0; i < 3 * to->n && !to->placed; i++) {
        to->at[i % 3] += t->mesh->x[to->node[i / 3]][i % 3] / to->n;
    }
    return to->n > 0 ? GOS_OK
                     : gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, d.of ? "of" : "type"),
                                    t->object,
                                    "interface '%s': the mesh has no set of nodes or sides '%s' in "
                                    "this body; give one by `of`",
                                    name, to->of);
}

/* rotation determined, no node in two rigid ones */
static gos_status check(const tying *t, int number) {
    const gos_mesh_interface *in = &t->list->v[number];
    double centre[3], inverse[3][3]; // from displacements
    const bool determined =
        in->rigid ? gos__mesh_locations_turn(t->flex, in->n, in->node)
                  : gos__mesh_locations_fit(t->flex, in->n, in->node, centre, inverse);
    if (!determined && (in->rigid || in->placed)) {
        return gos__fail_at(
            t->b->ctx, GOS_E_INPUT, in->loc, t->object,
            "interface '%s': %s of set '%s' %s the rotation about every axis; give a set of nodes "
            "that are not collinear, or join single nodes by spherical joints",
            in->name, in->n > 1 ? "the nodes" : "the node", in->of,
            in->n > 1 ? "do not determine" : "does not determine");
    }
    for (int i = 0; in->rigid && i < in->n; i++) {
        int *owner = &t->owner[in->node[i]];
        if (*owner > 0) {
            return gos__fail_at(
                t->b->ctx, GOS_E_INPUT, in->loc, t->object,
                "node %lld is in the rigid interfaces '%s' and '%s', which would merge them; give "
                "one interface for both, or remove the node from one",
                (long long)gos__mesh_node_tag(t->mesh, in->node[i]), t->list->v[*owner - 1].name,
                in->name);
        }
        *owner = 1 + number;
    }
    return GOS_OK;
}

/* ---- rigid motion in place of freedoms ------------------------------------------------------- */

/* amplitude of displacement 0 to 2, rotation 3 to 5; -1: none */
static int freedom_of(const gos_flex *f, int node, int c) {
    const gos_sparse *A = c < 3 ? &f->move : &f->turn;
    const int column = 3 * node + c % 3;
    return A->p[column] < A->p[column + 1] ? A->i[A->p[column]] : -1;
}

/* From `next` on. Plane bodies: in-plane displacements, rotation about the normal. */
static int number_unknowns(const gos_flex *f, gos_mesh_interface *in, int next) {
    bool moves[3] = {false, false, false};
    for (int i = 0; i < 3 * in->n; i++) {
        moves[i % 3] = moves[i % 3] || freedom_of(f, in->node[i / 3], i % 3) >= 0;
    }
    for (int c = 0; c < 3; c++) {
        in->unknown[c] = moves[c] ? next++ : -1;
    }
    for (int c = 0; c < 3; c++) {
        in->unknown[3 + c] = moves[(c + 1) % 3] && moves[(c + 2) % 3] ? next++ : -1;
    }
    return next;
}

/* unknowns (at most three) of a node's freedom; returns their number */
static int follow(const gos_flex *f, const gos_mesh_interface *in, int node, int c, int at[3],
                  double by[3]) {
    const int d = c % 3, p = (d + 1) % 3, q = (d + 2) % 3;
    const double r[3] = {f->x[node][0] - in->at[0], f->x[node][1] - in->at[1],
                         f->x[node][2] - in->at[2]};
    const int unknown[3] = {in->unknown[c], c < 3 ? in->unknown[3 + p] : -1,
                            c < 3 ? in->unknown[3 + q] : -1};
    const double factor[3] = {1, r[q], -r[p]}; // (theta x r)_d = theta_p r_q - theta_q r_p
    int n = 0;
    for (int k = 0; k < 3; k++) {
        if (unknown[k] >= 0 && factor[k] != 0) {
            at[n] = unknown[k];
            by[n++] = factor[k];
        }
    }
    return n;
}

/* refuse nodes whose freedoms depend on others through the deck */
static gos_status check_own(const tying *t, const long *to) {
    const gos_flex *f = t->flex;
    for (int i = 0; i < 6 * t->mesh->nnode; i++) {
        const gos_sparse *A = i % 6 < 3 ? &f->move : &f->turn;
        const int column = 3 * (i / 6) + i % 3, first = A->p[column], n = A->p[column + 1] - first;
        if (t->owner[i / 6] > 0 && n > 0 &&
            (n > 1 || A->x[first] != 1 || to[A->i[first]] != 1 + i)) {
            const gos_mesh_interface *in = &t->list->v[t->owner[i / 6] - 1];
            return gos__fail_at(t->b->ctx, GOS_E_INPUT, in->loc, t->object,
                                "interface '%s': the deck constrains node %lld; make the interface "
                                "averaging, join the deck's reference node, or leave the deck's "
                                "constraints out (`deck_ties: false`)",
                                in->name, (long long)gos__mesh_node_tag(t->mesh, i / 6));
        }
    }
    return GOS_OK;
}

/* R (new, old): remaining freedoms, then interface unknowns. to (old): 0, or 1 + 6 node + c if
   dependent. */
static gos_status make_ties(const tying *t, long *to, gos_sparse *R) {
    const gos_flex *f = t->flex;
    int stay = 0;
    for (int i = 0; i < 6 * t->mesh->nnode; i++) {
        const int freedom = t->owner[i / 6] > 0 ? freedom_of(f, i / 6, i % 6) : -1;
        if (freedom >= 0) {
            to[freedom] = 1 + i;
        }
    }
    GOS_TRY(check_own(t, to));
    for (int k = 0; k < f->n; k++) {
        stay += to[k] == 0;
    }
    int next = stay;
    for (int i = 0; i < t->list->n; i++) {
        next = t->list->v[i].rigid ? number_unknowns(f, &t->list->v[i], next) : next;
    }
    GOS_TRY(gos__sparse_alloc(f->ctx, next, f->n, 3 * (size_t)f->n, R));
    R->nnz = stay = 0;
    for (int k = 0; k < f->n; k++) {
        const int node = (int)((to[k] - 1) / 6), c = (int)((to[k] - 1) % 6);
        if (to[k] == 0) {
            R->i[R->nnz] = stay++;
            R->x[R->nnz++] = 1;
        } else {
            R->nnz +=
                follow(f, &t->list->v[t->owner[node] - 1], node, c, R->i + R->nnz, R->x + R->nnz);
        }
        R->p[k + 1] = R->nnz;
    }
    return GOS_OK;
}

static gos_status tie(const tying *t) {
    gos_ctx *ctx = t->flex->ctx;
    gos_sparse R = {0};
    long *to = gos__zalloc(ctx, (size_t)t->flex->n + 1, sizeof *to);
    gos_status status = to ? make_ties(t, to, &R) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__flex_tie(t->flex, &R, NULL) : status;
    gos__sparse_free(ctx, &R);
    gos__free(ctx, to);
    return status;
}

gos_status gos__mesh_interfaces_make(gos_builder *b, const gos_node *entry, const char *object,
                                     const gos_mesh *mesh, gos_flex *flex,
                                     gos_mesh_interfaces *list) {
    tying t = {.b = b, .object = object, .mesh = mesh, .flex = flex, .list = list};
    bool any = false;
    *list = (gos_mesh_interfaces){0};
    if (!entry) {
        return GOS_OK;
    }
    if (entry->kind != GOS_MAP) {
        return gos__fail_at(b->ctx, GOS_E_INPUT, entry->loc, object,
                            "interfaces must be a map, {NAME: {of: SET, type: rigid}, ...}");
    }
    list->v = GOS_NEW(b->arena, gos_mesh_interface, entry->n + 1);
    t.owner = GOS_NEW(b->arena, int, mesh->nnode + 1);
    GOS_TRY(list->v && t.owner ? GOS_OK : GOS_E_MEMORY);
    for (const gos_node *c = entry->child; c; c = c->next) {
        GOS_TRY(read_one(&t, c, &list->v[list->n]));
        list->v[list->n].rigid = list->v[list->n].rigid && flex->n > 0; // else nothing to tie
        list->n++;
        GOS_TRY(flex->n > 0 ? check(&t, list->n - 1) : GOS_OK);
        any = any || list->v[list->n - 1].rigid;
    }
    return any ? tie(&t) : GOS_OK;
}

gos_status gos__mesh_interfaces_hold(gos_ctx *ctx, const gos_mesh_interfaces *list, int n,
                                     const int *node, gos_loc loc, const char *object) {
    for (int i = 0; i < list->n; i++) {
        const gos_mesh_interface *in = &list->v[i];
        int held = 0;
        for (int k = 0; in->rigid && k < in->n; k++) {
            bool found = false;
            for (int m = 0; m < n && !found; m++) {
                found = node[m] == in->node[k];
            }
            held += found;
        }
        if (held > 0 && held < in->n) {
            return gos__fail_at(
                ctx, GOS_E_INPUT, loc, object,
                "the frame would be fixed to some nodes of the rigid interface '%s' only; use the "
                "interface (`at: %s`), or a set that does not overlap it",
                in->name, in->name);
        }
    }
    return GOS_OK;
}
