/* Coordinate systems and grid points. */
#include <math.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

#define DEPTH 200           // longest chain of coordinate systems
#define ALONG 1e-9          // relative distance from an axis that is on it
#define DEGREE (M_PI / 180) // [rad]

static gos_status resolve(gos_nastran *r, const gos_nastran_card *c, int i, int64_t id, int depth,
                          const gos_nastran_axes **axes);

static bool unit(double v[3]) {
    const double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; c++) {
        v[c] /= size;
    }
    return size > 0;
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        c[i] = a[j] * b[l] - a[l] * b[j];
    }
}

/* ---- cards ----------------------------------------------------------------------------------- */

static gos_status add_axes(gos_nastran *r, const gos_nastran_card *c, int first) {
    static const char letters[] = "RCS";
    gos_nastran_axes a = {.card = c, .first = first}, *to;
    a.kind = (gos_nastran_axes_kind)(strchr(letters, c->name[5]) - letters);
    GOS_TRY(gos__nastran_id(r, c, first, "number of the coordinate system", &a.id));
    GOS_TRY(gos__nastran_new(r, c, &r->axes_of, a.id, "coordinate system", r->naxes));
    GOS_TRY(gos__nastran_add(r, &r->axes, &r->naxes, sizeof a, &to));
    *to = a;
    return GOS_OK;
}

gos_status gos__nastran_read_axes(gos_nastran *r, const gos_nastran_card *c) {
    if (c->name[4] == '1' && c->n > 4) {
        return gos__nastran_fail(r, c, 5,
                                 "two coordinate systems on one card are not supported; write two "
                                 "cards");
    }
    return add_axes(r, c, 1);
}

gos_status gos__nastran_read_grdset(gos_nastran *r, const gos_nastran_card *c) {
    GOS_TRY(gos__nastran_whole(r, c, 2, "coordinate system", 0, 0, &r->usual.cp));
    GOS_TRY(gos__nastran_whole(r, c, 6, "displacement system", 0, 0, &r->usual.cd));
    return gos__nastran_components(r, c, 7, &r->usual.spc);
}

gos_status gos__nastran_read_grid(gos_nastran *r, const gos_nastran_card *c) {
    gos_nastran_grid g = {.card = c};
    GOS_TRY(gos__nastran_id(r, c, 1, "number of the grid point", &g.id));
    GOS_TRY(gos__nastran_whole(r, c, 2, "coordinate system CP", 0, r->usual.cp, &g.cp));
    GOS_TRY(gos__nastran_reals(r, c, 3, "coordinate", 3, g.x));
    GOS_TRY(gos__nastran_whole(r, c, 6, "displacement system CD", 0, r->usual.cd, &g.cd));
    GOS_TRY(gos__nastran_components(r, c, 7, &g.spc));
    g.spc = gos__nastran_blank(r, c, 7) ? r->usual.spc : g.spc;
    GOS_TRY(gos__nastran_unused(r, c, 8, 8, "superelements"));
    GOS_TRY(gos__nastran_new(r, c, &r->grid_of, g.id, "grid point", r->ngrid));
    GOS_TRY(gos__grow(r->ctx, (void **)&r->grid, &r->grid_cap, r->ngrid + 1, sizeof g));
    r->grid[r->ngrid++] = g;
    return r->ngrid > GOS_LIMIT_MESH_NODES ? gos__mesh_nodes(r->mesh, r->ngrid, c->loc, c->name)
                                           : GOS_OK;
}

/* ---- systems --------------------------------------------------------------------------------- */

static void place(const gos_nastran_axes *a, const double x[3], double to[3]) {
    const double s = sin(x[1] * DEGREE), k = cos(x[1] * DEGREE);
    double own[3] = {x[0], x[1], x[2]};
    if (a->kind == GOS_NASTRAN_CYLINDRICAL) {
        own[0] = x[0] * k;
        own[1] = x[0] * s;
    } else if (a->kind == GOS_NASTRAN_SPHERICAL) {
        own[0] = x[0] * s * cos(x[2] * DEGREE);
        own[1] = x[0] * s * sin(x[2] * DEGREE);
        own[2] = x[0] * k;
    }
    for (int c = 0; c < 3; c++) {
        to[c] =
            a->origin[c] + own[0] * a->axis[0][c] + own[1] * a->axis[1][c] + own[2] * a->axis[2][c];
    }
}

static gos_status grid_at(gos_nastran *r, const gos_nastran_card *c, int i, int depth,
                          double x[3]) {
    int64_t id;
    const gos_nastran_axes *a;
    GOS_TRY(gos__nastran_id(r, c, i, "number of a grid point", &id));
    const gos_nastran_card *found = gos__nastran_find(r, &r->grid_of, id);
    if (!found) {
        return gos__nastran_fail(r, c, i,
                                 "there is no grid point %lld; correct the number, or add "
                                 "it by GRID",
                                 (long long)id);
    }
    const gos_nastran_grid *g = &r->grid[found->thing];
    GOS_TRY(resolve(r, g->card, 2, g->cp, depth, &a));
    place(a, g->x, x);
    return GOS_OK;
}

/* origin, point on z, point in the plane xz */
static gos_status points_of(gos_nastran *r, const gos_nastran_axes *a, int depth, double x[3][3]) {
    const gos_nastran_card *c = a->card;
    const gos_nastran_axes *in;
    int64_t reference;
    if (c->name[4] == '1') {
        for (int k = 0; k < 3; k++) {
            GOS_TRY(grid_at(r, c, a->first + 1 + k, depth, x[k]));
        }
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_whole(r, c, 2, "reference system", 0, 0, &reference));
    GOS_TRY(resolve(r, c, 2, reference, depth, &in));
    for (int k = 0; k < 3; k++) {
        double own[3];
        GOS_TRY(gos__nastran_reals(r, c, 3 + 3 * k, "coordinate of a point", 3, own));
        place(in, own, x[k]);
    }
    return GOS_OK;
}

static gos_status make_axes(gos_nastran *r, gos_nastran_axes *a, int depth) {
    double x[3][3], z[3], other[3];
    GOS_TRY(points_of(r, a, depth, x));
    for (int c = 0; c < 3; c++) {
        a->origin[c] = x[0][c];
        z[c] = x[1][c] - x[0][c];
        other[c] = x[2][c] - x[0][c];
    }
    const bool good = unit(z) && unit(other);
    cross(z, other, a->axis[1]);
    const double sine = sqrt(a->axis[1][0] * a->axis[1][0] + a->axis[1][1] * a->axis[1][1] +
                             a->axis[1][2] * a->axis[1][2]);
    if (!good || !(sine > ALONG)) {
        return gos__nastran_fail(r, a->card, 0,
                                 "the three points of coordinate system %lld are collinear; move "
                                 "one",
                                 (long long)a->id);
    }
    unit(a->axis[1]);
    memcpy(a->axis[2], z, sizeof z);
    cross(a->axis[1], z, a->axis[0]);
    a->state = 2;
    return GOS_OK;
}

static gos_status resolve(gos_nastran *r, const gos_nastran_card *c, int i, int64_t id, int depth,
                          const gos_nastran_axes **axes) {
    static const gos_nastran_axes basic = {.axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    *axes = &basic;
    if (id == 0) {
        return GOS_OK;
    }
    const gos_nastran_card *found = gos__nastran_find(r, &r->axes_of, id);
    if (!found) {
        return gos__nastran_fail(r, c, i,
                                 "there is no coordinate system %lld; correct the number, "
                                 "or add it by CORD2R",
                                 (long long)id);
    }
    gos_nastran_axes *a = &r->axes[found->thing];
    *axes = a;
    if (a->state == 2) {
        return GOS_OK;
    }
    if (a->state == 1 || depth > DEPTH) {
        return gos__nastran_fail(r, a->card, 0,
                                 "coordinate system %lld depends on itself; correct its reference",
                                 (long long)id);
    }
    a->state = 1;
    const gos_status status = make_axes(r, a, depth + 1);
    a->state = status == GOS_OK ? 2 : 0;
    return status;
}

gos_status gos__nastran_axes_at(gos_nastran *r, const gos_nastran_card *c, int i, int64_t id,
                                const double x[3], double axes[3][3]) {
    const gos_nastran_axes *a;
    GOS_TRY(resolve(r, c, i, id, 0, &a));
    memcpy(axes, a->axis, sizeof a->axis);
    if (a->kind == GOS_NASTRAN_RECTANGULAR) {
        return GOS_OK;
    }
    double own[3] = {0, 0, 0}, size = 0;
    for (int k = 0; k < 9; k++) {
        own[k / 3] += (x[k % 3] - a->origin[k % 3]) * a->axis[k / 3][k % 3];
    }
    for (int k = 0; k < 3; k++) {
        size = fmax(size, fabs(own[k]));
    }
    const double radius = hypot(own[0], own[1]);
    const bool on_axis = !(radius > ALONG * size); // the directions at angle 0 are used
    const double k = on_axis ? 1 : own[0] / radius, s = on_axis ? 0 : own[1] / radius;
    double e[3][3] = {{k, s, 0}, {-s, k, 0}, {0, 0, 1}};
    if (a->kind == GOS_NASTRAN_SPHERICAL) {
        const double R = hypot(radius, own[2]), up = R > 0 ? own[2] / R : 1;
        const double out = R > 0 ? radius / R : 0;
        const double ball[3][3] = {{out * k, out * s, up}, {up * k, up * s, -out}, {-s, k, 0}};
        memcpy(e, ball, sizeof e);
    }
    memset(axes, 0, 9 * sizeof(double));
    for (int m = 0; m < 27; m++) {
        axes[m / 9][m % 3] += e[m / 9][m / 3 % 3] * a->axis[m / 3 % 3][m % 3];
    }
    return GOS_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b) {
    const gos_nastran_grid *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

gos_status gos__nastran_nodes(gos_nastran *r) {
    gos_status status = GOS_OK;
    for (int i = 0; i < r->naxes; i++) {
        const gos_nastran_axes *a;
        const gos_status now = resolve(r, r->axes[i].card, 0, r->axes[i].id, 0, &a);
        status = status == GOS_OK ? now : status;
    }
    GOS_TRY(status);
    for (int i = 0; i < r->ngrid; i++) { // positions of CORD1R stay in their own system
        const gos_nastran_axes *a;
        gos_nastran_grid *g = &r->grid[i];
        const gos_status now = resolve(r, g->card, 2, g->cp, 0, &a);
        double x[3];
        place(a, g->x, x);
        memcpy(g->x, x, sizeof x);
        g->cp = 0;
        status = status == GOS_OK ? now : status;
        if (gos__nerrors(r->ctx) >= GOS_LIMIT_DIAGS) {
            return status;
        }
    }
    GOS_TRY(status);
    if (r->ngrid > 0) {
        qsort(r->grid, (size_t)r->ngrid, sizeof *r->grid, by_id);
    }
    r->node_room = r->ngrid + gos__nastran_more_ends(r);
    GOS_TRY(gos__mesh_nodes(r->mesh, r->node_room, (gos_loc){0}, NULL));
    r->mesh->nnode = r->ngrid;
    r->mesh->tag = GOS_NEW(r->arena, int64_t, r->node_room + 1L);
    GOS_TRY(r->mesh->tag ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->ngrid; i++) {
        r->mesh->tag[i] = r->grid[i].id;
        memcpy(r->mesh->x[i], r->grid[i].x, sizeof r->grid[i].x);
    }
    return GOS_OK;
}

gos_status gos__nastran_node_id(gos_nastran *r, const gos_nastran_card *c, int i, int64_t id,
                                int *node) {
    *node = gos__mesh_find_node(r->mesh, id);
    return *node >= 0 ? GOS_OK
                      : gos__nastran_fail(r, c, i,
                                          "there is no grid point %lld; correct the "
                                          "number, or add it by GRID",
                                          (long long)id);
}

gos_status gos__nastran_node(gos_nastran *r, const gos_nastran_card *c, int i, const char *what,
                             int *node) {
    int64_t id;
    GOS_TRY(gos__nastran_id(r, c, i, what, &id));
    return gos__nastran_node_id(r, c, i, id, node);
}

/* ---- displacement systems -------------------------------------------------------------------- */

/* Nodes with the same axes share a transform: all of a rectangular system, else one each. */
static gos_status add_transform(gos_nastran *r, int first, int n, const int *node) {
    gos_deck *d = r->deck;
    gos_deck_transform *t;
    const gos_nastran_grid *g = &r->grid[node[first]];
    double axes[3][3];
    GOS_TRY(gos__nastran_axes_at(r, g->card, 6, g->cd, g->x, axes));
    GOS_TRY(gos__nastran_add(r, &d->transform, &d->ntransform, sizeof *t, &t));
    *t = (gos_deck_transform){.n = n, .node = node + first, .loc = g->card->loc};
    memcpy(t->a, axes[0], sizeof t->a);
    memcpy(t->b, axes[1], sizeof t->b);
    return GOS_OK;
}

static gos_status add_transforms(gos_nastran *r, const gos_nastran_axes *a, int *node) {
    int n = 0;
    for (int i = 0; i < r->ngrid; i++) {
        if (r->grid[i].cd == a->id) {
            node[n++] = i;
        }
    }
    const int together = a->kind == GOS_NASTRAN_RECTANGULAR ? n : 1;
    int *kept = GOS_NEW(r->arena, int, n + 1L);
    GOS_TRY(kept ? GOS_OK : GOS_E_MEMORY);
    memcpy(kept, node, (size_t)n * sizeof *node);
    for (int i = 0; i < n; i += together) {
        GOS_TRY(add_transform(r, i, together, kept));
    }
    return GOS_OK;
}

gos_status gos__nastran_displacement_axes(gos_nastran *r) {
    gos_status status = GOS_OK;
    int *node = gos__alloc(r->ctx, r->ngrid + 1L, sizeof *node);
    GOS_TRY(node ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < r->ngrid && status == GOS_OK; i++) {
        const gos_nastran_axes *a;
        status = resolve(r, r->grid[i].card, 6, r->grid[i].cd, 0, &a);
    }
    for (int i = 0; i < r->naxes && status == GOS_OK; i++) {
        status = add_transforms(r, &r->axes[i], node);
    }
    gos__free(r->ctx, node);
    return status;
}

gos_status gos__nastran_permanent(gos_nastran *r) {
    for (int i = 0; i < r->ngrid; i++) {
        for (int k = 0; k < 6; k++) {
            GOS_TRY((r->grid[i].spc & 1u << k) == 0
                        ? GOS_OK
                        : gos__nastran_nodal(r, r->grid[i].card, GOS_DECK_FIXED, i, 1 + k, 0.0));
        }
    }
    return GOS_OK;
}
