/* Coordinates kept by component modes: those of rigid interfaces, or of single nodes. */
#include "floating/interface_coordinates.h"

#include <math.h>
#include <stdio.h>

#define RIGID 6 // coordinates of a location

typedef struct listing {
    gos_builder *b;
    const gos_node *entry;
    const char *object;
    const gos_flex *flex;
    bool *mark;     // (flex->n)
    int count;      // number marked
    char text[200]; // "r: 6, s: 3"
} listing;

/* Entries of a node's columns, at most RIGID; RIGID + 1: more. */
static int entries_of(const gos_sparse *A, int node, int at[RIGID]) {
    int n = 0;
    for (int p = A->p[3 * node]; p < A->p[3 * node + 3]; p++) {
        bool known = A->x[p] == 0;
        for (int k = 0; k < n; k++) {
            known = known || at[k] == A->i[p];
        }
        if (!known && n == RIGID) {
            return RIGID + 1;
        }
        if (!known) {
            at[n++] = A->i[p];
        }
    }
    return n;
}

/* rotations count where they are coordinates, not derived from other nodes */
static gos_status add_location(listing *l, int node, const char *name) {
    int at[2 * RIGID];
    const int before = l->count, moves = entries_of(&l->flex->move, node, at);
    if (moves > RIGID) {
        return gos__fail_at(l->b->ctx, GOS_E_INPUT, gos__key_loc(l->entry, "interface"), l->object,
                            "the motion of '%s' is a mean over nodes, which is not a coordinate; "
                            "declare it as an interface of type rigid, or use another method",
                            name);
    }
    const int turns = entries_of(&l->flex->turn, node, at + moves);
    const int all = moves + (turns <= RIGID ? turns : 0);
    for (int k = 0; k < all; k++) {
        l->count += !l->mark[at[k]];
        l->mark[at[k]] = true;
    }
    if (l->count > before) {
        const size_t n = strlen(l->text);
        gos__format(l->text + n, sizeof l->text - n, "%s%s: %d", n > 0 ? ", " : "", name,
                    l->count - before);
    }
    return GOS_OK;
}

/* "q(3)": a coordinate by number, as linear models of bodies call it */
static bool add_coordinate(listing *l, const char *name) {
    int at = -1, end = 0;
    if (sscanf(name, "q(%d)%n", &at, &end) != 1 || name[end] != '\0' || at < 0 ||
        at >= l->flex->n) {
        return false;
    }
    l->count += !l->mark[at];
    l->mark[at] = true;
    return true;
}

static gos_status add_given(listing *l, const gos_floating_names *names,
                            const gos_linear_reduction_options *options) {
    for (int i = 0; i < options->ninterface; i++) {
        const char *name = options->interface[i];
        const int node = names->node(names->par, name);
        if (node < 0 && add_coordinate(l, name)) {
            continue;
        }
        GOS_TRY(node >= 0
                    ? add_location(l, node, name)
                    : gos__fail_at(
                          l->b->ctx, GOS_E_INPUT, gos__key_loc(l->entry, "interface"), l->object,
                          "'%s' is not a location of this body; give its interfaces, or %s", name,
                          names->known));
    }
    return GOS_OK;
}

static gos_status add_default(listing *l, const gos_floating_names *names) {
    const bool declared = names->ninterface > 0;
    const int n = declared ? names->ninterface : names->nend;
    const int *node = declared ? names->interface : names->end;
    const char *const *name = declared ? names->interface_name : names->end_name;
    for (int i = 0; i < n; i++) {
        GOS_TRY(add_location(l, node[i], name[i]));
    }
    return GOS_OK;
}

/* A condition of the frame among marked coordinates alone determines one of them. */
static void leave_dependent(listing *l) {
    const gos_sparse *C = &l->flex->C;
    for (int row = 0; C->p && row < C->m; row++) {
        int largest = -1;
        double size = 0;
        bool all = true;
        for (int j = 0; j < C->n; j++) {
            for (int p = C->p[j]; p < C->p[j + 1] && all; p++) {
                const bool here = C->i[p] == row && C->x[p] != 0;
                all = !here || l->mark[j];
                if (here && fabs(C->x[p]) > size) {
                    size = fabs(C->x[p]);
                    largest = j;
                }
            }
        }
        if (all && largest >= 0) {
            l->mark[largest] = false;
            l->count--;
        }
    }
}

static gos_status check_order(const listing *l, int order) {
    if (l->count == 0) {
        return gos__fail_at(l->b->ctx, GOS_E_INPUT, l->entry->loc, l->object,
                            "the method needs interface coordinates, but the body has no location "
                            "that moves in its frame; declare `interfaces`, or list locations "
                            "under `interface`");
    }
    return order == 0 || order >= l->count
               ? GOS_OK
               : gos__fail_at(l->b->ctx, GOS_E_INPUT, gos__key_loc(l->entry, "order"), l->object,
                              "order %d is less than the number of interface coordinates, %d (%s); "
                              "increase it, or list fewer locations under `interface`",
                              order, l->count, l->text);
}

static gos_status name_coordinates(const listing *l, gos_linear_reduction_options *options) {
    const char **name =
        (const char **)gos__arena_alloc(l->b->arena, (size_t)l->count + 1, sizeof *name);
    int n = 0;
    GOS_TRY(name ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j < l->flex->n; j++) {
        if (l->mark[j]) {
            name[n] = gos__arena_printf(l->b->arena, "q(%d)", j);
            GOS_TRY(name[n++] ? GOS_OK : GOS_E_MEMORY);
        }
    }
    options->interface = name;
    options->ninterface = n;
    return GOS_OK;
}

static bool has_interface(const gos_type *method) {
    for (const gos_param *p = method->params; p->name; p++) {
        if (strcmp(p->name, "interface") == 0) {
            return true;
        }
    }
    return false;
}

gos_status gos__floating_interface(gos_builder *b, const gos_node *entry, const char *object,
                                   const gos_type *method, const gos_flex *flex,
                                   const gos_floating_names *names,
                                   gos_linear_reduction_options *options) {
    if (!has_interface(method)) {
        return GOS_OK;
    }
    listing l = {.b = b, .entry = entry, .object = object, .flex = flex};
    l.mark = GOS_NEW(b->arena, bool, flex->n + 1);
    GOS_TRY(l.mark ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(options->ninterface > 0 ? add_given(&l, names, options) : add_default(&l, names));
    leave_dependent(&l);
    GOS_TRY(check_order(&l, options->order));
    return name_coordinates(&l, options);
}

static bool is_text(const gos_node *n, const char *text) {
    return n && n->kind == GOS_SCALAR && strcmp(n->text, text) == 0;
}

gos_status gos__floating_interface_early(gos_builder *b, const gos_node *reduce, const char *object,
                                         int count) {
    const bool given = reduce && reduce->kind == GOS_MAP;
    const gos_node *method = given ? gos__node_get(reduce, "method") : NULL;
    const gos_node *order = given ? gos__node_given(reduce, "order") : NULL;
    double asked = 0;
    if (!is_text(method, "craig_bampton") || !order || order->kind != GOS_SCALAR ||
        gos__node_given(reduce, "interface")) {
        return GOS_OK;
    }
    GOS_TRY(gos__expr(b->model, order->text, order->loc, object, &asked));
    return asked == 0 || asked >= count
               ? GOS_OK
               : gos__fail_at(b->ctx, GOS_E_INPUT, order->loc, object,
                              "order %g is less than the number of coordinates of its rigid "
                              "interfaces, %d; increase it, or list fewer of them under "
                              "`interface`",
                              asked, count);
}
