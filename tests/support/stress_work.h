/* For tests of what stress does between motions: by its derivatives and by the matrices of a body.
 * Include after fe_mesh.h. */
#ifndef GOS_TEST_STRESS_WORK_H
#define GOS_TEST_STRESS_WORK_H

#include "fe/mesh_body.h"
#include "support/random.h"

enum { STRESS_MOTIONS = 3, STRESS_PAIRS = 6, STRESS_PIECES = 2 };

static inline void stress_cross(const double a[3], const double b[3], double out[3]) {
    for (int c = 0; c < 3; c++) {
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

/* (a x (b x r) + b x (a x r)) / 2 */
static inline void stress_turn(const double a[3], const double b[3], const double r[3],
                               double out[3]) {
    double ab[3], ba[3], one[3], other[3];
    stress_cross(b, r, ab);
    stress_cross(a, ab, one);
    stress_cross(a, r, ba);
    stress_cross(b, ba, other);
    for (int c = 0; c < 3; c++) {
        out[c] = 0.5 * (one[c] + other[c]);
    }
}

/* work of K u - couple t on the displacements of second order of a pair */
static inline double stress_links(const gos_fe_body *b, const gos_fe_rotating *turning,
                                  const double *f, int i, int j) {
    double sum = 0;
    for (int node = 0; node < b->mesh->nnode; node++) {
        const int number = turning->owner[node] - 1;
        double r[3], moved[3], turned[3] = {0}, end[3];
        if (number < 0) {
            continue;
        }
        const double *x = turning->theta + 3 * (turning->n * i + number);
        const double *y = turning->theta + 3 * (turning->n * j + number);
        for (int c = 0; c < 3; c++) {
            r[c] = b->mesh->x[node][c] - turning->at[number][c];
        }
        stress_turn(x, y, r, moved);
        if (b->director) {
            stress_turn(x, y, b->director[node], end);
            stress_cross(b->director[node], end, turned);
        }
        for (int c = 0; c < GOS_FE_FREEDOMS; c++) {
            const int at = gos__fe_number(&b->freedom, node, c);
            sum += at < 0 ? 0 : f[at] * (c < 3 ? moved[c] : turned[c - 3]);
        }
    }
    return sum;
}

/* Of a body with K and couple, for displacements u (NULL: any) and any temperatures; *turns: also
 * with pieces that turn. */
static inline void check_stress_work(const gos_fe_body *b, const gos_sparse *couple,
                                     const double *u, bool turns, const char *label) {
    const size_t nu = (size_t)b->freedom.n, nt = (size_t)b->temperature.n;
    double *X = calloc((STRESS_MOTIONS + 4 + STRESS_PAIRS) * nu, sizeof *X);
    double *own = X + STRESS_MOTIONS * nu, *f = own + nu, *g = f + nu, *by_u = g + 2 * nu;
    double *t = calloc((1 + STRESS_PAIRS) * nt, sizeof *t), *by_t = t + nt;
    double theta[STRESS_MOTIONS * STRESS_PIECES * 3];
    int *owner = calloc((size_t)b->mesh->nnode, sizeof *owner);
    static const double at[STRESS_PIECES][3] = {{0.3, -0.2, 0.5}, {-1, 0.4, 0.1}};
    uint64_t seed = 5;
    gos_sparse G = {0};
    for (size_t k = 0; k < STRESS_MOTIONS * nu + (u ? 0 : nu); k++) {
        X[k] = random_uniform(&seed);
    }
    if (u) {
        memcpy(own, u, nu * sizeof *u);
    }
    for (size_t k = 0; k < nt; k++) {
        t[k] = 10 * random_uniform(&seed);
    }
    for (int k = 0; k < GOS_COUNT(theta); k++) {
        theta[k] = random_uniform(&seed);
    }
    for (int k = 0; k < b->mesh->nnode; k++) {
        owner[k] = k % 4 == 3 ? 0 : 1 + k % 2;
    }
    const gos_fe_rotating turning = {.owner = owner, .at = at, .theta = theta, .n = STRESS_PIECES};
    assert_int_equal(gos__fe_body_stress_stiffness(b, own, t, &G), GOS_OK);
    gos__sparse_apply(&b->K, 1, own, f);
    gos__sparse_apply(couple, 1, t, g);
    for (size_t k = 0; k < nu; k++) {
        f[k] -= g[k];
    }
    for (int way = 0; way < 1 + turns; way++) {
        double worst = 0, size = 0;
        assert_int_equal(
            gos__fe_body_stress_work(b, STRESS_MOTIONS, X, way ? &turning : NULL, by_u, by_t),
            GOS_OK);
        for (int i = 0, pair = 0; i < STRESS_MOTIONS; i++) {
            gos__sparse_apply(&G, 1, X + (size_t)i * nu, g);
            for (int j = 0; j <= i; j++, pair++) {
                double want = way ? stress_links(b, &turning, f, i, j) : 0, got = 0;
                for (size_t k = 0; k < nu; k++) {
                    want += X[(size_t)j * nu + k] * g[k];
                    got += by_u[(size_t)pair * nu + k] * own[k];
                }
                for (size_t k = 0; k < nt; k++) {
                    got += by_t[(size_t)pair * nt + k] * t[k];
                }
                worst = fmax(worst, fabs(got - want));
                size = fmax(size, fabs(want));
            }
        }
        print_message("%s%s: %.1e\n", label, way ? ", turning" : "", worst / size);
        assert_true(size > 0 && worst <= 1e-12 * size);
    }
    gos__sparse_free(b->ctx, &G);
    free(X);
    free(t);
    free(owner);
}

#endif
