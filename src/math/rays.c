/* See rays.h. Ray-triangle intersection by Moller and Trumbore (Journal of Graphics Tools 2 (1997)
 * 21). */
#include "math/rays.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "math/vec3.h"

#define LEAF 4
#define EDGE 1e-10 // relative overlap of adjacent triangles
#define PAD 1e-9   // relative padding of boxes

typedef struct item {
    double middle[3];
    double key;
    int number;
} item;

static int by_key(const void *a, const void *b) {
    const item *x = a, *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static int longest(const item *t, int n) {
    int axis = 0;
    double max = -1;
    for (int c = 0; c < 3; c++) {
        double lo = t[0].middle[c], hi = lo;
        for (int i = 1; i < n; i++) {
            lo = fmin(lo, t[i].middle[c]);
            hi = fmax(hi, t[i].middle[c]);
        }
        if (hi - lo > max) {
            max = hi - lo;
            axis = c;
        }
    }
    return axis;
}

/* Splits into halves, for a logarithmic depth. */
static void divide(gos_rays *r, item *all, int first, int n) {
    gos_rays_node *node = &r->node[r->nnode++];
    *node = (gos_rays_node){.first = first, .count = n <= LEAF ? n : 0};
    if (n > LEAF) {
        const int axis = longest(all + first, n);
        for (int i = first; i < first + n; i++) {
            all[i].key = all[i].middle[axis];
        }
        qsort(all + first, (size_t)n, sizeof *all, by_key);
        divide(r, all, first, n / 2);
        divide(r, all, first + n / 2, n - n / 2);
    }
    node->skip = r->nnode;
}

gos_status gos__rays_make(gos_ctx *ctx, gos_arena *a, int n, const int (*corner)[3],
                          const int *cell, const double (*x)[3], gos_rays *rays) {
    item *t = gos__alloc(ctx, (size_t)n + 1, sizeof *t);
    *rays = (gos_rays){.n = n,
                       .corner = gos__arena_alloc(a, (size_t)n + 1, sizeof *rays->corner),
                       .cell = GOS_NEW(a, int, n + 1L),
                       .node = GOS_NEW(a, gos_rays_node, 2L * n + 1)};
    const bool good = t && rays->corner && rays->cell && rays->node;
    for (int i = 0; i < n && good; i++) {
        t[i] = (item){.number = i};
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                t[i].middle[c] += x[corner[i][k]][c] / 3;
            }
        }
    }
    if (good && n > 0) {
        divide(rays, t, 0, n);
    }
    for (int i = 0; i < n && good; i++) {
        memcpy(rays->corner[i], corner[t[i].number], sizeof *corner);
        rays->cell[i] = cell[t[i].number];
    }
    gos__free(ctx, t);
    return good ? GOS_OK : GOS_E_MEMORY;
}

static void around(const gos_rays *r, const gos_rays_node *node, const double (*x)[3],
                   double box[6]) {
    for (int c = 0; c < 3; c++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (int i = node->first; i < node->first + node->count; i++) {
            for (int k = 0; k < 3; k++) {
                lo = fmin(lo, x[r->corner[i][k]][c]);
                hi = fmax(hi, x[r->corner[i][k]][c]);
            }
        }
        box[c] = lo;
        box[3 + c] = hi;
    }
    const double pad = PAD * fmax(fmax(box[3] - box[0], box[4] - box[1]), fmax(box[5] - box[2], 0));
    for (int c = 0; c < 3; c++) {
        box[c] -= pad;
        box[3 + c] += pad;
    }
}

void gos__rays_fit(const gos_rays *rays, const double (*x)[3], double (*box)[6]) {
    for (int i = rays->nnode - 1; i >= 0; i--) {
        const gos_rays_node *node = &rays->node[i];
        if (node->count > 0) {
            around(rays, node, x, box[i]);
            continue;
        }
        const double *left = box[i + 1], *right = box[rays->node[i + 1].skip];
        for (int c = 0; c < 3; c++) {
            box[i][c] = fmin(left[c], right[c]);
            box[i][3 + c] = fmax(left[3 + c], right[3 + c]);
        }
    }
}

static bool passes(const double box[6], const double from[3], const double u[3], const double by[3],
                   double near, double far) {
    for (int c = 0; c < 3; c++) {
        if (u[c] == 0) {
            if (from[c] < box[c] || from[c] > box[3 + c]) {
                return false;
            }
            continue;
        }
        const double a = (box[c] - from[c]) * by[c], b = (box[3 + c] - from[c]) * by[c];
        near = fmax(near, fmin(a, b));
        far = fmin(far, fmax(a, b));
    }
    return near <= far;
}

/* @return ray parameter at the triangle, HUGE_VAL: no intersection. *back: see rays.h */
static double meets(const double a[3], const double b[3], const double c[3], const double from[3],
                    const double u[3], bool *back) {
    double e[2][3], p[3], s[3], q[3];
    for (int k = 0; k < 3; k++) {
        e[0][k] = b[k] - a[k];
        e[1][k] = c[k] - a[k];
        s[k] = from[k] - a[k];
    }
    gos__cross3(u, e[1], p);
    const double det = gos__dot3(e[0], p);
    if (det == 0) { // parallel, or degenerate
        return HUGE_VAL;
    }
    const double v = gos__dot3(s, p) / det;
    gos__cross3(s, e[0], q);
    const double w = gos__dot3(u, q) / det;
    *back = det < 0; // det = -u . (e0 x e1)
    return v >= -EDGE && w >= -EDGE && v + w <= 1 + EDGE ? gos__dot3(e[1], q) / det : HUGE_VAL;
}

bool gos__rays_meet(const gos_rays *rays, const double (*x)[3], const double (*box)[6],
                    const double from[3], const double u[3], double near, double far, int but) {
    const double by[3] = {1 / u[0], 1 / u[1], 1 / u[2]};
    for (int i = 0; i < rays->nnode;) {
        const gos_rays_node *node = &rays->node[i];
        if (!passes(box[i], from, u, by, near, far)) {
            i = node->skip;
            continue;
        }
        for (int k = node->first; k < node->first + node->count; k++) {
            const int *n = rays->corner[k];
            bool back;
            const double t =
                rays->cell[k] == but ? HUGE_VAL : meets(x[n[0]], x[n[1]], x[n[2]], from, u, &back);
            if (t > near && t < far) {
                return true;
            }
        }
        i++;
    }
    return false;
}

/* At equal distance the triangle with the lower index. */
int gos__rays_first(const gos_rays *rays, const double (*x)[3], const double (*box)[6],
                    const double from[3], const double u[3], double near, int but, bool *back) {
    const double by[3] = {1 / u[0], 1 / u[1], 1 / u[2]};
    double far = HUGE_VAL;
    int first = -1;
    for (int i = 0; i < rays->nnode;) {
        const gos_rays_node *node = &rays->node[i];
        if (!passes(box[i], from, u, by, near, far)) {
            i = node->skip;
            continue;
        }
        for (int k = node->first; k < node->first + node->count; k++) {
            const int *n = rays->corner[k];
            bool side;
            const double t =
                rays->cell[k] == but ? HUGE_VAL : meets(x[n[0]], x[n[1]], x[n[2]], from, u, &side);
            if (t > near && t < far) {
                far = t;
                first = k;
                *back = side;
            }
        }
        i++;
    }
    return first;
}

void gos__rays_spread(long i, double s[2]) {
    static const double step[2] = {0.75487766624669276, 0.56984029099805327}; // 1/z, 1/z^2
    for (int k = 0; k < 2; k++) {
        const double at = 0.5 + (double)i * step[k];
        s[k] = at - floor(at);
    }
}

/* Sobol sequence with the direction numbers of Joe and Kuo (SIAM Journal on Scientific Computing
 * 30 (2008) 2635): m_k for each bit, from primitive polynomials of degree 0 (powers of 2), 1, 2
 * and 3 */
void gos__rays_spread4(long i, double s[4]) {
    static const uint32_t degree[4] = {0, 1, 2, 3}, poly[4] = {0, 0, 1, 1},
                          begin[4][3] = {{1}, {1}, {1, 3}, {1, 3, 1}};
    for (int c = 0; c < 4; c++) {
        uint32_t m[32], x = 0;
        for (uint32_t k = 0; k < 32 && (uint64_t)i >> k; k++) {
            const uint32_t d = degree[c];
            m[k] = d == 0 ? 1 : k < d ? begin[c][k] : m[k - d] ^ (m[k - d] << d);
            for (uint32_t j = 1; j < d && k >= d; j++) {
                m[k] ^= (poly[c] >> (d - 1 - j) & 1) * (m[k - j] << j);
            }
            x ^= ((uint64_t)i >> k & 1) ? m[k] << (31 - k) : 0;
        }
        s[c] = ((double)x + 0.5) / 4294967296.0;
    }
}
