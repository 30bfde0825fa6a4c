/* Local axes at a point; directions of nodal freedoms (*TRANSFORM, ROT NODE). */
#include "deck/fe_parts.h"
#include "deck/fe_ties.h"

#include <math.h>

#include "math/vec3.h"

bool gos__deck_axes(bool cylindrical, const double a[3], const double b[3], const double x[3],
                    double axes[3][3]) {
    bool good;
    if (cylindrical) {
        double along = 0, size = 0;
        for (int c = 0; c < 3; c++) {
            axes[2][c] = b[c] - a[c];
            size = fmax(size, fabs(x[c] - a[c]));
        }
        good = gos__unit3(axes[2]) > 0;
        for (int c = 0; c < 3; c++) {
            along += (x[c] - a[c]) * axes[2][c];
        }
        for (int c = 0; c < 3; c++) {
            axes[0][c] = x[c] - a[c] - along * axes[2][c];
        }
        good = gos__unit3(axes[0]) > 1e-12 * size && good;
    } else {
        memcpy(axes[0], a, sizeof axes[0]);
        good = gos__unit3(axes[0]) > 0;
        gos__cross3(a, b, axes[2]);
        good = gos__unit3(axes[2]) > 0 && good;
    }
    gos__cross3(axes[2], axes[0], axes[1]);
    return good;
}

/* On a cylinder axis any radial direction is valid (as in CalculiX); that of the least parallel
   global axis is used. */
static void axes_of(const gos_deck_transform *t, const double x[3], double axes[3][3]) {
    if (gos__deck_axes(t->cylindrical, t->a, t->b, x, axes) || !t->cylindrical) {
        return;
    }
    int least = 0;
    for (int c = 1; c < 3; c++) {
        least = fabs(axes[2][c]) < fabs(axes[2][least]) ? c : least;
    }
    for (int c = 0; c < 3; c++) {
        axes[0][c] = (c == least) - axes[2][least] * axes[2][c];
    }
    (void)gos__unit3(axes[0]);
    gos__cross3(axes[2], axes[0], axes[1]);
}

static bool has(const gos_deck_transform *t, int node) {
    int low = 0, high = t->n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (t->node[middle] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < t->n && t->node[low] == node;
}

bool gos__deck_direction(const gos_deck *d, int node, int dof, double e[3], gos_loc *loc) {
    for (int i = d->ntransform - 1; i >= 0; i--) { // later cards override
        const gos_deck_transform *t = &d->transform[i];
        if (has(t, node)) {
            double axes[3][3];
            axes_of(t, d->mesh->x[node], axes);
            memcpy(e, axes[dof % 3], sizeof axes[0]);
            if (loc) {
                *loc = t->loc;
            }
            return true;
        }
    }
    for (int c = 0; c < 3; c++) {
        e[c] = c == dof % 3;
    }
    return false;
}

int gos__deck_turned_by(const gos_deck *d, int node) {
    for (int i = 0; i < d->ncoupling; i++) {
        if (d->coupling[i].rotation == node) {
            return d->coupling[i].reference;
        }
    }
    return -1;
}
