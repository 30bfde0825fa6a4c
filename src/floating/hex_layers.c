/* Single layers of 8-node hexahedra lock in bending: curvature k causes a shear strain k x besides
   k z, so length a and height b need
   f = (1/(1 + nu)) (1/(1 - nu) + (a/b)^2/2)
   times the moment of a beam. */
#include "floating/hex_layers.h"

#include <math.h>

#include "math/vec3.h"

#define STIFF 1.1 // reported factor over a beam

static void centre(const gos_mesh *m, const int node[4], double x[3]) {
    x[0] = x[1] = x[2] = 0;
    for (int i = 0; i < 12; i++) {
        x[i % 3] += 0.25 * m->x[node[i / 3]][i % 3];
    }
}

/* longest distance between middles of opposite edges */
static double length(const gos_mesh *m, const int node[4]) {
    double most = 0;
    for (int k = 0; k < 2; k++) {
        double d[3];
        for (int i = 0; i < 3; i++) {
            d[i] = 0.5 * (m->x[node[1 + k]][i] + m->x[node[(2 + k) % 4]][i] - m->x[node[k]][i] -
                          m->x[node[(3 + k) % 4]][i]);
        }
        most = fmax(most, gos__norm3(d));
    }
    return most;
}

static bool are_opposite(const int a[4], const int b[4]) {
    for (int i = 0; i < 16; i++) {
        if (a[i / 4] == b[i % 4]) {
            return false;
        }
    }
    return true;
}

/* factor of a layer between two sides */
static double stiffness(const gos_mesh *m, int side[2][GOS_CELL_SIDE_NODES], double nu) {
    double x[2][3], b[3], a = 0;
    for (int i = 0; i < 2; i++) {
        centre(m, side[i], x[i]);
        a = fmax(a, length(m, side[i]));
    }
    gos__sub3(x[1], x[0], b);
    const double slender = a / gos__norm3(b);
    return (1 / (1 - nu) + 0.5 * slender * slender) / (1 + nu);
}

/* sides [i, ...) of the skin; 0: not a single layer */
static double factor_of(const gos_mesh *m, const gos_mesh_surface *skin, const int *next, int i,
                        double nu) {
    double most = 0;
    for (; i >= 0; i = next[i]) {
        int side[2][GOS_CELL_SIDE_NODES];
        (void)gos__mesh_side(m, skin->cell[i], skin->side[i], side[0]);
        for (int j = next[i]; j >= 0; j = next[j]) {
            (void)gos__mesh_side(m, skin->cell[j], skin->side[j], side[1]);
            most = are_opposite(side[0], side[1]) ? fmax(most, stiffness(m, side, nu)) : most;
        }
    }
    return most;
}

gos_status gos__hex_layers(gos_builder *b, gos_loc loc, const char *object, const gos_mesh *m,
                           const double *poisson) {
    const gos_mesh_surface *skin = gos__mesh_surface(m, "skin");
    int *first =
            gos__alloc(b->ctx, (size_t)m->ncell + (skin ? (size_t)skin->n : 0) + 1, sizeof *first),
        count = 0;
    double most = 0;
    GOS_TRY(first ? GOS_OK : GOS_E_MEMORY);
    int *next = first + m->ncell; // list of its sides
    memset(first, -1, (size_t)m->ncell * sizeof *first);
    for (int i = 0; skin && i < skin->n; i++) {
        next[i] = first[skin->cell[i]];
        first[skin->cell[i]] = i;
    }
    for (int i = 0; i < m->ncell; i++) {
        int at;
        if (gos__mesh_cell(m, i, &at)->shape != GOS_CELL_HEX8 || !(poisson[i] < 1)) {
            continue;
        }
        const double f = factor_of(m, skin, next, first[i], poisson[i]);
        count += f > STIFF;
        most = fmax(most, f);
    }
    gos__free(b->ctx, first);
    if (count > 0) {
        gos__warn(
            b->ctx, loc, object,
            "single layers of 8-node elements (%d elements) are too stiff in bending by a factor "
            "of up to %.3g; use elements of 20 nodes (order: quadratic, C3D20), or several layers "
            "of elements no longer than the wall thickness",
            count, most);
    }
    return GOS_OK;
}
