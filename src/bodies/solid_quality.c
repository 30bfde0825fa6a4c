/* What is too stiff: a layer of hexahedra with nodes at corners alone. Bent to a curvature k, such an element of
   length a and height b has a shear strain k x besides the strain k z, so that it takes

       f = (1/(1 + nu)) (1/(1 - nu) + (a/b)^2/2)

   times the moment of a beam. Layers share the bending of the whole, and only those that are alone in a wall are looked at. */
#include <math.h>

#include "bodies/solid.h"
#include "parts/vec3.h"

#define STIFF 1.1 // in bending, over a beam: what is told

static void centre(const gos_solid *c, const int node[4], double x[3]) {
    x[0] = x[1] = x[2] = 0;
    for (int i = 0; i < 12; i++) {
        x[i % 3] += 0.25 * c->x[node[i / 3]][i % 3];
    }
}

/* longest of the lines between middles of opposite edges */
static double length(const gos_solid *c, const int node[4]) {
    double most = 0;
    for (int k = 0; k < 2; k++) {
        double d[3];
        for (int i = 0; i < 3; i++) {
            d[i] = 0.5 * (c->x[node[1 + k]][i] + c->x[node[(2 + k) % 4]][i] - c->x[node[k]][i] -
                          c->x[node[(3 + k) % 4]][i]);
        }
        most = fmax(most, gos__norm3(d));
    }
    return most;
}

/* the factor of a layer between two sides of an element */
static double stiffness(const gos_solid *c, const gos_solid_side side[2]) {
    int node[2][GOS_CELL_SIDE_NODES];
    double x[2][3], b[3], a = 0;
    for (int i = 0; i < 2; i++) {
        (void)gos__solid_side(c, &side[i], node[i]);
        centre(c, node[i], x[i]);
        a = fmax(a, length(c, node[i]));
    }
    gos__sub3(x[1], x[0], b);
    const double nu = c->part[c->block[side[0].block].part].material->poisson;
    const double slender = a / gos__norm3(b);
    return (1 / (1 - nu) + 0.5 * slender * slender) / (1 + nu);
}

static bool are_opposite(const gos_solid *c, const gos_solid_side *p, const gos_solid_side *q) {
    int a[GOS_CELL_SIDE_NODES], b[GOS_CELL_SIDE_NODES];
    (void)gos__solid_side(c, p, a);
    (void)gos__solid_side(c, q, b);
    for (int i = 0; i < 16; i++) {
        if (a[i / 4] == b[i % 4]) {
            return false;
        }
    }
    return true;
}

gos_status gos__solid_quality(gos_builder *b, gos_loc loc, const char *object, const gos_solid *c) {
    const gos_solid_set *skin = c->skin < 0 ? NULL : &c->set[c->skin];
    const long room = 2L * c->ncell + (skin ? skin->nside : 0) + 1;
    int *first = gos__alloc(b->ctx, room, sizeof *first), count = 0;
    double most = 0;
    if (!first) {
        return GOS_E_MEMORY;
    }
    int *told = first + c->ncell,
        *next = told + c->ncell; // sides of an element on the skin: a list
    for (int i = 0; i < c->ncell; i++) {
        first[i] = -1;
        told[i] = 0;
    }
    for (int i = 0; skin && i < skin->nside; i++) {
        const gos_solid_side *s = &skin->side[i];
        const gos_solid_block *k = &c->block[s->block];
        if (k->shape != GOS_CELL_HEX8) {
            continue;
        }
        for (int j = first[k->first + s->e]; j >= 0; j = next[j]) {
            if (are_opposite(c, s, &skin->side[j])) {
                const double f = stiffness(c, (gos_solid_side[2]){*s, skin->side[j]});
                count += f > STIFF && !told[k->first + s->e];
                told[k->first + s->e] |= f > STIFF;
                most = fmax(most, f);
            }
        }
        next[i] = first[k->first + s->e];
        first[k->first + s->e] = i;
    }
    gos__free(b->ctx, first);
    if (count > 0) {
        gos__warn(
            b->ctx, loc, object,
            "elements of 8 nodes that are a layer by themselves (%d) are up to %.3g times as stiff "
            "in "
            "bending as what they stand for; take elements of 20 nodes (order: quadratic, C3D20), "
            "or "
            "several layers of elements that are no longer than the wall is thick",
            count, most);
    }
    return GOS_OK;
}
