/* *MPC and *DISTRIBUTING COUPLING as equations of small displacements. */
#include <math.h>

#include "deck/reader.h"
#include "math/vec3.h"

typedef struct list {
    int n, *node;
} list;

/* ---- equations ------------------------------------------------------------------------------- */

/* of at most `terms` */
static gos_status begin(gos_deck_reader *r, int terms, gos_loc loc, gos_deck_equation **e) {
    gos_deck *d = r->deck;
    GOS_TRY(gos__deck_count(r, terms));
    GOS_TRY(gos__deck_add(r, &d->equation, &d->nequation, sizeof **e, e));
    **e = (gos_deck_equation){.node = GOS_NEW(r->arena, int, terms + 1L),
                              .dof = GOS_NEW(r->arena, int, terms + 1L),
                              .factor = GOS_NEW(r->arena, double, terms + 1L),
                              .loc = loc};
    return (*e)->node && (*e)->dof && (*e)->factor ? GOS_OK : GOS_E_MEMORY;
}

static void add_term(gos_deck_equation *e, int node, int dof, double factor) {
    if (factor != 0) {
        e->node[e->n] = node;
        e->dof[e->n] = dof;
        e->factor[e->n++] = factor;
    }
}

static void add_along(gos_deck_equation *e, int node, const double v[3], double factor) {
    for (int c = 0; c < 3; c++) {
        add_term(e, node, 1 + c, factor * v[c]);
    }
}

static gos_status refuse(gos_deck_reader *r, gos_loc loc, const char *what) {
    return gos__fail_at(r->ctx, GOS_E_INPUT, loc, r->object, "%s", what);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* constant distance of two nodes */
static gos_status add_beam(gos_deck_reader *r, list *l, gos_loc loc) {
    double d[3];
    gos_deck_equation *e;
    if (l->n != 2) {
        return refuse(r, loc, "BEAM needs two nodes");
    }
    gos__sub3(r->mesh->x[l->node[1]], r->mesh->x[l->node[0]], d);
    if (!(gos__norm3(d) > 0)) {
        return refuse(r, loc, "BEAM: the two nodes coincide, so their distance has no direction");
    }
    gos__unit3(d);
    GOS_TRY(begin(r, 6, loc, &e));
    add_along(e, l->node[1], d, 1);
    add_along(e, l->node[0], d, -1);
    return GOS_OK;
}

/* further nodes stay on the line through the first and the second, in two directions */
static gos_status add_straight(gos_deck_reader *r, list *l, gos_loc loc) {
    const double(*x)[3] = (const double(*)[3])r->mesh->x;
    double d[3], across[2][3] = {{0}};
    if (l->n < 3) {
        return refuse(r, loc, "STRAIGHT needs three nodes or more");
    }
    gos__sub3(x[l->node[1]], x[l->node[0]], d);
    const double length = gos__norm3(d);
    if (!(length > 0)) {
        return refuse(r, loc, "STRAIGHT: the first two nodes coincide");
    }
    gos__unit3(d);
    const int least = fabs(d[0]) <= fabs(d[1]) && fabs(d[0]) <= fabs(d[2]) ? 0
                      : fabs(d[1]) <= fabs(d[2])                           ? 1
                                                                           : 2;
    double e[3] = {least == 0, least == 1, least == 2};
    gos__cross3(d, e, across[0]);
    gos__unit3(across[0]);
    gos__cross3(d, across[0], across[1]);
    for (int i = 2; i < l->n; i++) {
        double to[3];
        gos__sub3(x[l->node[i]], x[l->node[0]], to);
        const double s = gos__dot3(to, d) / length;
        for (int k = 0; k < 2; k++) {
            gos_deck_equation *eq;
            GOS_TRY(begin(r, 9, loc, &eq));
            add_along(eq, l->node[i], across[k], 1);
            add_along(eq, l->node[0], across[k], s - 1);
            add_along(eq, l->node[1], across[k], -s);
        }
    }
    return GOS_OK;
}

/* the third node of a plane is the first one off the line of the first two */
static void bring_third(const gos_deck_reader *r, list *l) {
    const double(*x)[3] = (const double(*)[3])r->mesh->x;
    double a[3], b[3], n[3];
    gos__sub3(x[l->node[1]], x[l->node[0]], a);
    for (int i = 2; i < l->n; i++) {
        gos__sub3(x[l->node[i]], x[l->node[0]], b);
        gos__cross3(a, b, n);
        if (gos__norm3(n) > 1e-6 * gos__norm3(a) * gos__norm3(b)) {
            const int other = l->node[2];
            l->node[2] = l->node[i];
            l->node[i] = other;
            return;
        }
    }
}

/* further nodes stay in the plane of the first three */
static gos_status add_plane(gos_deck_reader *r, list *l, gos_loc loc) {
    const double(*x)[3] = (const double(*)[3])r->mesh->x;
    double a[3], b[3], n[3];
    if (l->n < 4) {
        return refuse(r, loc, "PLANE needs four nodes or more");
    }
    bring_third(r, l);
    gos__sub3(x[l->node[1]], x[l->node[0]], a);
    gos__sub3(x[l->node[2]], x[l->node[0]], b);
    gos__cross3(a, b, n);
    const double aa = gos__dot3(a, a), bb = gos__dot3(b, b), ab = gos__dot3(a, b);
    const double area = aa * bb - ab * ab;
    if (!(area > 1e-12 * aa * bb)) {
        return refuse(r, loc, "PLANE: all nodes lie on a line");
    }
    gos__unit3(n);
    for (int i = 3; i < l->n; i++) {
        double to[3];
        gos_deck_equation *e;
        gos__sub3(x[l->node[i]], x[l->node[0]], to);
        const double p = gos__dot3(to, a), q = gos__dot3(to, b);
        const double s = (p * bb - q * ab) / area, t = (q * aa - p * ab) / area;
        GOS_TRY(begin(r, 12, loc, &e));
        add_along(e, l->node[i], n, 1);
        add_along(e, l->node[0], n, s + t - 1);
        add_along(e, l->node[1], n, -s);
        add_along(e, l->node[2], n, -t);
    }
    return GOS_OK;
}

/* Displacement 1 of the last node is the mean angle about the axis given by its coordinates: the
   mean of a . (p x u)/p^2 with p from the axis through the centre of the other nodes. */
static gos_status add_mean_turn(gos_deck_reader *r, list *l, gos_loc loc) {
    const double(*x)[3] = (const double(*)[3])r->mesh->x;
    const int n = (l->n - 1) / 3, own = l->node[l->n - 1];
    double axis[3], centre[3] = {0, 0, 0}, most = 0;
    int used = 0;
    gos_deck_equation *e;
    memcpy(axis, x[own], sizeof axis);
    if (l->n < 4 || l->n % 3 != 1 || !(gos__norm3(axis) > 0)) {
        return refuse(r, loc,
                      "MEANROT needs each node three times, then one whose coordinates "
                      "are the axis of rotation");
    }
    gos__unit3(axis);
    for (int i = 0; i < 3 * n; i++) {
        centre[i % 3] += x[l->node[3 * (i / 3)]][i % 3] / n;
    }
    GOS_TRY(begin(r, 6 * n + 1, loc, &e));
    add_term(e, own, 1, 1);
    double sum[3] = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        double p[3], by[3];
        gos__sub3(x[l->node[3 * i]], centre, p);
        const double along = gos__dot3(p, axis);
        for (int c = 0; c < 3; c++) {
            p[c] -= along * axis[c];
        }
        const double square = gos__dot3(p, p);
        most = fmax(most, square);
        if (square > 1e-20 * most) {
            gos__cross3(axis, p, by); // a . (p x u) = (a x p) . u
            add_along(e, l->node[3 * i], by, -1 / square);
            for (int c = 0; c < 3; c++) {
                sum[c] += by[c] / square;
            }
            used++;
        }
    }
    if (used < 2) {
        return refuse(r, loc, "MEANROT: fewer than two nodes lie off the axis");
    }
    for (int k = 0; k < n; k++) { // of displacements relative to their mean
        add_along(e, l->node[3 * k], sum, 1.0 / n);
    }
    for (int k = 1; k < e->n; k++) {
        e->factor[k] /= used;
    }
    return GOS_OK;
}

/* ---- *MPC ------------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    gos_status (*add)(gos_deck_reader *, list *, gos_loc);
} kinds[] = {{"BEAM", add_beam},
             {"STRAIGHT", add_straight},
             {"PLANE", add_plane},
             {"MEANROT", add_mean_turn}};

/* nodes and sets, in the order of the lines below each other, as long as they begin with a node */
static gos_status read_nodes(gos_deck_reader *r, list *l) {
    gos_deck_field f;
    while (gos__deck_field(r, &f)) {
        int n;
        const int *node;
        if (f.n == 0) {
            continue;
        }
        GOS_TRY(gos__deck_nodes(r, &f, &n, &node));
        GOS_TRY(gos__deck_count(r, l->n + n));
        int *more = GOS_NEW(r->arena, int, (size_t)l->n + (size_t)n + 1);
        GOS_TRY(more ? GOS_OK : GOS_E_MEMORY);
        if (l->n > 0) {
            memcpy(more, l->node, (size_t)l->n * sizeof *more);
        }
        if (n > 0) {
            memcpy(more + l->n, node, (size_t)n * sizeof *more);
        }
        l->node = more;
        l->n += n;
    }
    return GOS_OK;
}

static int kind_of(const gos_deck_field *f) {
    for (int i = 0; i < GOS_COUNT(kinds); i++) {
        if (gos__deck_is_word(f, kinds[i].name)) {
            return i;
        }
    }
    return -1;
}

/* a list goes on below, on lines that begin with a number or 0 */
gos_status gos__deck_card_mpc(gos_deck_reader *r) {
    list l = {0};
    gos_loc loc = r->card_loc;
    int kind = -1;
    for (bool more = true;;) {
        gos_deck_field f = {r->end, 0};
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            break;
        }
        const char *at = r->at;
        (void)gos__deck_field(r, &f);
        const int new_kind = kind_of(&f);
        if (new_kind < 0 && kind < 0) {
            return gos__deck_fail(r, &f,
                                  "this kind of *MPC is not supported; BEAM, STRAIGHT, PLANE and "
                                  "MEANROT are, for small displacements");
        }
        if (new_kind >= 0) {
            GOS_TRY(kind >= 0 ? kinds[kind].add(r, &l, loc) : GOS_OK);
            l = (list){0};
            kind = new_kind;
            loc = r->loc;
        } else {
            r->at = at;
        }
        GOS_TRY(read_nodes(r, &l));
    }
    if (kind >= 0) {
        gos__note(r->ctx, r->object,
                  "*MPC is linearised about the undeformed state; CalculiX applies it to the "
                  "deformed one, which differs by squares of rotations");
    }
    return kind >= 0 ? kinds[kind].add(r, &l, loc) : GOS_OK;
}

/* ---- *DISTRIBUTING COUPLING ------------------------------------------------------------------ */

/* the node of an element DCOUP3D moves as the weighted mean of the nodes, without rotation */
gos_status gos__deck_card_mean(gos_deck_reader *r) {
    const char *set;
    int ncell, at, n = 0;
    const int *cell;
    double total = 0;
    struct weighted {
        int node;
        double weight;
    } *w = NULL, *one;
    GOS_TRY(gos__deck_need(r, "ELSET", &set));
    GOS_TRY(gos__deck_set_items(r, true, set, &ncell, &cell));
    const gos_cell_block *b = ncell == 1 ? gos__mesh_cell(r->mesh, cell[0], &at) : NULL;
    if (!b || !b->type || strcmp(b->type, "DCOUP3D") != 0) {
        return refuse(r, r->card_loc, "ELSET must hold one element of type DCOUP3D");
    }
    for (bool more = true;;) {
        gos_deck_field f = {r->end, 0};
        int count;
        const int *node;
        double weight;
        GOS_TRY(gos__deck_data(r, &more));
        if (!more) {
            break;
        }
        (void)gos__deck_field(r, &f);
        GOS_TRY(gos__deck_nodes(r, &f, &count, &node));
        GOS_TRY(gos__deck_next_real(r, "weight", (double)NAN, &weight));
        GOS_TRY(gos__deck_end(r));
        for (int i = 0; i < count; i++) {
            GOS_TRY(gos__deck_add(r, &w, &n, sizeof *w, &one));
            *one = (struct weighted){node[i], weight};
            total += weight;
        }
    }
    if (!(total > 0)) {
        return refuse(r, r->card_loc, "its weights must have a sum above 0");
    }
    for (int c = 1; c <= 3; c++) {
        gos_deck_equation *e;
        GOS_TRY(begin(r, n + 1, r->card_loc, &e));
        add_term(e, b->node[at], c, 1);
        for (int i = 0; i < n; i++) {
            add_term(e, w[i].node, c, -w[i].weight / total);
        }
    }
    return GOS_OK;
}
