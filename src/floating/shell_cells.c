/* Shell tubes as beams: walls lock in in-plane bending. A cell of length l has a shear strain k s
   besides k y; the body needs
   1 + sum A G/E (b . t)^2 l^2/12 / sum A (y^2 + (b . t)^2 w^2/12 + (b . n)^2 h^2/12)
   times the moment of a beam bent along b; n: normal, t: across the beam, w: width along t, y:
   distance from the centre along b. Round tube: 1 + (G/E) l^2/(12 r^2). */
#include "floating/shell_cells.h"
#include "base/units.h"

#include <lapacke.h>
#include <math.h>

#include "base/base.h"
#include "math/vec3.h"

#define STIFF 1.1                 // reported factor over a beam,
#define PLANE 1.5                 // of flat bodies in their plane
#define MAX_NORMAL_DEVIATION 1e-3 // deviation of normals

typedef struct wall {
    double middle[3], normal[3];
    double area; // times the thickness
    double x[4][3];
} wall;

static void look(const gos_mesh *m, int i, double thickness, wall *w) {
    int at;
    const gos_cell_block *b = gos__mesh_cell(m, i, &at);
    const int *node = b->node + (size_t)at * 4;
    double d[2][3];
    memset(w->middle, 0, sizeof w->middle);
    for (int k = 0; k < 4; k++) {
        memcpy(w->x[k], m->x[node[k]], sizeof w->x[k]);
        for (int c = 0; c < 3; c++) {
            w->middle[c] += w->x[k][c] / 4;
        }
    }
    gos__sub3(w->x[2], w->x[0], d[0]);
    gos__sub3(w->x[3], w->x[1], d[1]);
    gos__cross3(d[0], d[1], w->normal);
    const double twice = gos__norm3(w->normal);
    for (int c = 0; c < 3 && twice > 0; c++) {
        w->normal[c] /= twice;
    }
    w->area = thickness * twice / 2;
}

/* longest axis first, in rows; false: no cells */
static bool axes_of(const gos_mesh *m, const double *shear, const double *thickness,
                    double axis[3][3], double centre[3], bool *flat) {
    double sum = 0, S[9] = {0}, size[3], first[3] = {0};
    memset(centre, 0, 3 * sizeof *centre);
    *flat = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->ncell; i++) {
            wall w;
            double across[3];
            if (!(shear[i] > 0)) {
                continue;
            }
            look(m, i, thickness[i], &w);
            for (int k = 0; k < 9; k++) {
                const double a = w.middle[k / 3] - centre[k / 3];
                S[k] += pass * w.area * a * (w.middle[k % 3] - centre[k % 3]);
            }
            for (int c = 0; c < 3 && pass == 0; c++) {
                centre[c] += w.area * w.middle[c];
            }
            sum += pass == 0 ? w.area : 0;
            if (gos__norm3(first) == 0) {
                memcpy(first, w.normal, sizeof first);
            }
            gos__cross3(first, w.normal, across);
            *flat = *flat && gos__norm3(across) < MAX_NORMAL_DEVIATION;
        }
        for (int c = 0; c < 3 && pass == 0 && sum > 0; c++) {
            centre[c] /= sum;
        }
    }
    if (!(sum > 0) || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', 3, S, 3, size) != 0) {
        return false;
    }
    for (int k = 0; k < 9; k++) { // ascending
        axis[2 - k / 3][k % 3] = S[k];
    }
    return true;
}

/* along b, of a body along e; *longest: cell length along e */
static double factor_of(const gos_mesh *m, const double *shear, const double *thickness,
                        const double e[3], const double b[3], const double centre[3],
                        double *longest) {
    double extra = 0, whole = 0;
    for (int i = 0; i < m->ncell; i++) {
        wall w;
        double s[3], t[3], d[3], l[2] = {HUGE_VAL, -HUGE_VAL}, width[2] = {HUGE_VAL, -HUGE_VAL};
        if (!(shear[i] > 0)) {
            continue;
        }
        look(m, i, thickness[i], &w);
        const double out = gos__dot3(e, w.normal),
                     in = 1 - out * out; // squared
        for (int c = 0; c < 3; c++) {
            s[c] = e[c] - out * w.normal[c];
        }
        gos__cross3(w.normal, s, t);
        for (int k = 0; k < 4; k++) {
            const double along = gos__dot3(w.x[k], e);
            l[0] = fmin(l[0], along);
            l[1] = fmax(l[1], along);
            width[0] = fmin(width[0], gos__dot3(w.x[k], t));
            width[1] = fmax(width[1], gos__dot3(w.x[k], t));
        }
        gos__sub3(w.middle, centre, d);
        const double y = gos__dot3(d, b), across = gos__dot3(b, t), normal = gos__dot3(b, w.normal);
        const double length = l[1] - l[0], wide = width[1] - width[0], h = thickness[i];
        extra += w.area * shear[i] * across * across * in * length * length / 12;
        whole += w.area * in * in *
                 (y * y + (across * across * wide * wide + normal * normal * h * h) / 12);
        *longest = fmax(*longest, in > 0.5 ? length : 0);
    }
    return whole > 0 ? 1 + extra / whole : 1;
}

gos_status gos__shell_cells(gos_builder *b, gos_loc loc, const char *object, const gos_mesh *m,
                            const double *shear, const double *thickness) {
    double axis[3][3], centre[3], most = 1, longest = 0;
    bool flat;
    if (!axes_of(m, shear, thickness, axis, centre, &flat)) {
        return GOS_OK;
    }
    for (int k = 1; k < 3; k++) {
        most = fmax(most, factor_of(m, shear, thickness, axis[0], axis[k], centre, &longest));
    }
    if (most < (flat ? PLANE : STIFF)) {
        return GOS_OK;
    }
    const double good = longest * sqrt(0.02 / (most - 1));
    const char *unit = gos__unit_label(b->model->units, "m", GOS_UNIT_BUFFER);
    char text[400];
    gos__format(
        text, sizeof text,
        "its cells, up to %.3g %s long, make it too stiff by a factor of about %.3g in bending %s: "
        "with bilinear displacements shells lock in in-plane bending; with cells of %.2g %s along "
        "it the error is 2 %%",
        longest, unit, most, flat ? "in its plane" : "as a whole", good, unit);
    if (flat) {
        gos__note(b->ctx, object, text);
    } else {
        gos__warn(b->ctx, loc, object, "%s", text);
    }
    return GOS_OK;
}
