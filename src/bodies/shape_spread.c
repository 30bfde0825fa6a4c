/* Surfaces for distributed loads. Parallel light on a flat face acts at its centre. */
#include <math.h>

#include "bodies/shape.h"
#include "parts/marker.h"
#include "parts/spread.h"
#include "parts/vec3.h"

typedef struct spreading {
    gos_builder *b;
    int v0;
    const double *centre; // from the node, body axes
    const gos_spread_to *to;
} spreading;

/* Adds the point at `arm` from the centre, with the vector n. */
static gos_status add(const spreading *k, gos_spread *p, const double arm[3], const double n[3]) {
    const int idx[4] = {k->v0, k->v0 + 1, k->v0 + 2, k->v0 + 3};
    const double w[4] = {1, k->centre[0] + arm[0], k->centre[1] + arm[1], k->centre[2] + arm[2]};
    GOS_TRY(gos__marker_make(k->b->arena, 4, idx, w, NULL, &p->x));
    GOS_TRY(gos__marker_make(k->b->arena, 3, idx + 1, n, NULL, &p->v[0]));
    return k->to->add(k->to->par, p);
}

/* Adds both faces normal to n. */
static gos_status add_faces(const spreading *k, const double n[3], double half, double area) {
    for (int side = -1; side <= 1; side += 2) {
        gos_spread p = {.kind = GOS_SPREAD_FLAT, .size = area};
        const double out[3] = {side * n[0], side * n[1], side * n[2]};
        const double arm[3] = {half * out[0], half * out[1], half * out[2]};
        GOS_TRY(add(k, &p, arm, out));
    }
    return GOS_OK;
}

gos_status gos__shape_spread(gos_builder *b, int v0, const gos_shape_def *def,
                             const gos_spread_to *to) {
    static const double none[3] = {0}, along[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const spreading k = {b, v0, def->centre, to};
    if (def->sphere > 0) {
        gos_spread ball = {.kind = GOS_SPREAD_SPHERE, .radius = def->sphere};
        return add(&k, &ball, none, none);
    }
    if (def->cylinder[0] > 0) {
        const double r = def->cylinder[0], l = def->cylinder[1];
        gos_spread tube = {.kind = GOS_SPREAD_ROUND, .size = l, .radius = r};
        GOS_TRY(add(&k, &tube, none, def->axis));
        return add_faces(&k, def->axis, 0.5 * l, M_PI * r * r);
    }
    for (int i = 0; i < 3; i++) {
        const double area = def->box[(i + 1) % 3] * def->box[(i + 2) % 3];
        GOS_TRY(add_faces(&k, along[i], 0.5 * def->box[i], area));
    }
    return GOS_OK;
}
