/* Shape functions and rules of every shape of cells: nodal values, polynomials, derivatives,
   degrees of rules, volumes and normals of sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "mesh/shapes.h"
#include "support/suite.h"
#include "support/verify.h"

typedef enum family { CUBE, SIMPLEX, WEDGE } family;

static family family_of(gos_cell_shape s) {
    switch (s) {
    case GOS_CELL_TRI3:
    case GOS_CELL_TRI6:
    case GOS_CELL_TET4:
    case GOS_CELL_TET10:
        return SIMPLEX;
    case GOS_CELL_WEDGE6:
    case GOS_CELL_WEDGE15:
        return WEDGE;
    default:
        return CUBE;
    }
}

static bool quadratic(gos_cell_shape s) {
    return gos__cell_kind[s].nodes > gos__cell_kind[s].corners;
}

static const double inside[3][3] = {{0.21, 0.34, 0.17}, {0.5, 0.1, 0.3}, {0.05, 0.6, 0.02}};

/* x^p y^q z^r */
static double monomial(const int p[3], const double x[3]) {
    double f = 1;
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < p[d]; i++) {
            f *= x[d];
        }
    }
    return f;
}

/* exponents number k of 0 <= p, q, r <= most, none beyond the dimension; false: not one */
static bool exponents(int k, int most, int dim, int p[3]) {
    p[0] = k % (most + 1);
    p[1] = k / (most + 1) % (most + 1);
    p[2] = k / (most + 1) / (most + 1);
    return (dim > 1 || p[1] == 0) && (dim > 2 || p[2] == 0);
}

static void nodes(void **state) {
    GOS_UNUSED(state);
    for (int s = GOS_CELL_LINE2; s < GOS_CELL_SHAPES; s++) {
        double at[GOS_CELL_NODES][3], N[GOS_CELL_NODES], worst = 0;
        const int n = gos__cell_kind[s].nodes;
        gos__shape_nodes((gos_cell_shape)s, at);
        for (int k = 0; k < n; k++) {
            gos__shape((gos_cell_shape)s, at[k], N, NULL);
            for (int l = 0; l < n; l++) {
                worst = fmax(worst, fabs(N[l] - (k == l)));
            }
        }
        verify_below(gos__cell_kind[s].name, worst, 1e-15);
    }
}

/* all polynomials of degree 1 or 2, with their derivatives */
static void polynomials(void **state) {
    GOS_UNUSED(state);
    for (int s = GOS_CELL_LINE2; s < GOS_CELL_SHAPES; s++) {
        const gos_cell_kind *kind = &gos__cell_kind[s];
        double at[GOS_CELL_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], worst = 0;
        int p[3];
        gos__shape_nodes((gos_cell_shape)s, at);
        for (int g = 0; g < 3; g++) {
            gos__shape((gos_cell_shape)s, inside[g], N, dN);
            for (int k = 0; k < 27; k++) {
                if (!exponents(k, 2, kind->dim, p) ||
                    p[0] + p[1] + p[2] > (quadratic((gos_cell_shape)s) ? 2 : 1)) {
                    continue;
                }
                double f = 0, df[3] = {0, 0, 0};
                for (int l = 0; l < kind->nodes; l++) {
                    f += N[l] * monomial(p, at[l]);
                    for (int d = 0; d < 3; d++) {
                        df[d] += dN[l][d] * monomial(p, at[l]);
                    }
                }
                worst = fmax(worst, fabs(f - monomial(p, inside[g])));
                for (int d = 0; d < kind->dim; d++) {
                    int less[3] = {p[0], p[1], p[2]};
                    less[d]--;
                    const double slope = p[d] ? p[d] * monomial(less, inside[g]) : 0;
                    worst = fmax(worst, fabs(df[d] - slope));
                }
            }
        }
        verify_below(kind->name, worst, 1e-14);
    }
}

/* derivatives against differences: terms of higher degree too */
static void derivatives(void **state) {
    GOS_UNUSED(state);
    const double h = 1e-4;
    for (int s = GOS_CELL_LINE2; s < GOS_CELL_SHAPES; s++) {
        const gos_cell_kind *kind = &gos__cell_kind[s];
        double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], worst = 0;
        gos__shape((gos_cell_shape)s, inside[0], N, dN);
        for (int d = 0; d < 3; d++) {
            double x[3], above[GOS_CELL_NODES], below[GOS_CELL_NODES];
            memcpy(x, inside[0], sizeof x);
            x[d] += h;
            gos__shape((gos_cell_shape)s, x, above, NULL);
            x[d] -= 2 * h;
            gos__shape((gos_cell_shape)s, x, below, NULL);
            for (int k = 0; k < kind->nodes; k++) {
                const double slope = d < kind->dim ? (above[k] - below[k]) / (2 * h) : 0;
                worst = fmax(worst, fabs(slope - dN[k][d]));
            }
        }
        verify_below(kind->name, worst, 1e-8);
    }
}

static double factorial(int n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* int x^p y^q z^r over the natural cell */
static double exact(family f, int dim, const int p[3]) {
    double sum = 1;
    const int flat = f == CUBE ? 0 : f == WEDGE ? 2 : dim;
    for (int d = flat; d < dim; d++) {
        sum *= p[d] % 2 ? 0 : 2.0 / (p[d] + 1);
    }
    if (flat > 0) {
        const int total = p[0] + p[1] + (flat > 2 ? p[2] : 0);
        sum *= factorial(p[0]) * factorial(p[1]) * (flat > 2 ? factorial(p[2]) : 1) /
               factorial(total + flat);
    }
    return sum;
}

/* (points, degree, degree along the line of wedges) of every rule */
static const int rules[GOS_CELL_SHAPES][3][3] = {
    [GOS_CELL_LINE2] = {{2, 3, 0}, {2, 3, 0}, {2, 3, 0}},
    [GOS_CELL_LINE3] = {{3, 5, 0}, {3, 5, 0}, {2, 3, 0}},
    [GOS_CELL_TRI3] = {{1, 1, 0}, {3, 2, 0}, {1, 1, 0}},
    [GOS_CELL_TRI6] = {{3, 2, 0}, {7, 5, 0}, {3, 2, 0}},
    [GOS_CELL_QUAD4] = {{4, 3, 0}, {4, 3, 0}, {4, 3, 0}},
    [GOS_CELL_QUAD8] = {{9, 5, 0}, {9, 5, 0}, {4, 3, 0}},
    [GOS_CELL_TET4] = {{1, 1, 0}, {4, 2, 0}, {1, 1, 0}},
    [GOS_CELL_TET10] = {{4, 2, 0}, {15, 5, 0}, {4, 2, 0}},
    [GOS_CELL_WEDGE6] = {{6, 2, 3}, {6, 2, 3}, {2, 1, 3}},
    [GOS_CELL_WEDGE15] = {{9, 2, 5}, {21, 5, 5}, {6, 2, 3}},
    [GOS_CELL_HEX8] = {{8, 3, 0}, {8, 3, 0}, {8, 3, 0}},
    [GOS_CELL_HEX20] = {{27, 5, 0}, {27, 5, 0}, {8, 3, 0}},
};

static bool within(family f, const int p[3], int degree, int along) {
    if (f == CUBE) {
        return p[0] <= degree && p[1] <= degree && p[2] <= degree;
    }
    return p[0] + p[1] + (f == SIMPLEX ? p[2] : 0) <= degree && (f == SIMPLEX || p[2] <= along);
}

static void degrees(void **state) {
    GOS_UNUSED(state);
    for (int s = GOS_CELL_LINE2; s < GOS_CELL_SHAPES; s++) {
        const gos_cell_kind *kind = &gos__cell_kind[s];
        const family f = family_of((gos_cell_shape)s);
        for (int use = 0; use < 3; use++) {
            gos_rule rule;
            double worst = 0, beyond = 0;
            const int *told = rules[s][use];
            int p[3];
            gos__rule((gos_cell_shape)s, (gos_rule_use)use, &rule);
            assert_int_equal(rule.n, told[0]);
            for (int k = 0; k < 343; k++) {
                if (!exponents(k, 6, kind->dim, p)) {
                    continue;
                }
                double sum = 0;
                for (int g = 0; g < rule.n; g++) {
                    sum += rule.weight[g] * monomial(p, rule.at[g]);
                }
                double *error = within(f, p, told[1], told[2]) ? &worst : &beyond;
                *error = fmax(*error, fabs(sum - exact(f, kind->dim, p)));
            }
            verify_below(kind->name, worst, 1e-14);
            assert_true(beyond > 1e-6); // the degree is what is reported
            for (int g = 0; g < rule.n; g++) {
                assert_true(rule.weight[g] > 0);
            }
        }
    }
}

/* mass of cells of reduced integration: exact to degree 3 in each direction, regular */
static void reduced_mass(void **state) {
    GOS_UNUSED(state);
    static const gos_cell_shape shape[] = {GOS_CELL_QUAD8, GOS_CELL_HEX20};
    for (int s = 0; s < 2; s++) {
        const int dim = gos__cell_kind[shape[s]].dim, nodes = gos__cell_kind[shape[s]].nodes;
        double N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], M[GOS_CELL_NODES][GOS_CELL_NODES] = {{0}};
        double worst = 0;
        gos_rule rule;
        int p[3];
        gos__rule(shape[s], GOS_RULE_REDUCED_MASS, &rule);
        for (int k = 0; k < 64; k++) {
            const bool of_cell = exponents(k, 3, dim, p);
            double sum = 0;
            for (int g = 0; g < rule.n; g++) {
                sum += rule.weight[g] * monomial(p, rule.at[g]);
            }
            if (of_cell) {
                worst = fmax(worst, fabs(sum - exact(CUBE, dim, p)));
            }
        }
        verify_below("reduced mass", worst, 1e-14);
        for (int g = 0; g < rule.n; g++) {
            gos__shape(shape[s], rule.at[g], N, dN);
            for (int k = 0; k < nodes * nodes; k++) {
                M[k / nodes][k % nodes] += rule.weight[g] * N[k / nodes] * N[k % nodes];
            }
        }
        for (int i = 0; i < nodes; i++) { // pivots of Cholesky's method
            assert_true(M[i][i] > 1e-6);
            for (int j = i + 1; j < nodes; j++) {
                for (int k = i + 1; k < nodes; k++) {
                    M[j][k] -= M[j][i] * M[i][k] / M[i][i];
                }
            }
        }
    }
}

/* a cell that is stretched, turned and bent: places of its nodes */
static void bent(gos_cell_shape s, double x[GOS_CELL_NODES][3]) {
    double at[GOS_CELL_NODES][3];
    gos__shape_nodes(s, at);
    for (int k = 0; k < gos__cell_kind[s].nodes; k++) {
        const double *a = at[k];
        x[k][0] = 1 + 1.2 * a[0] + 0.2 * a[1] - 0.1 * a[2] + 0.05 * a[0] * a[1];
        x[k][1] = -2 + 0.1 * a[0] + 0.9 * a[1] + 0.3 * a[2] - 0.04 * a[1] * a[1];
        x[k][2] = 0.2 * a[0] + 0.1 * a[1] + 1.1 * a[2] + 0.06 * a[0] * a[2];
        x[k][2] = gos__cell_kind[s].dim < 3 ? 0 : x[k][2];
    }
}

static void gradients(void **state) {
    GOS_UNUSED(state);
    for (int s = GOS_CELL_TRI3; s < GOS_CELL_SHAPES; s++) {
        const gos_cell_kind *kind = &gos__cell_kind[s];
        double x[GOS_CELL_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3], worst = 0;
        double grad[GOS_CELL_NODES][3];
        bent((gos_cell_shape)s, x);
        gos__shape((gos_cell_shape)s, inside[0], N, dN);
        const double det = gos__shape_gradient(kind->dim, kind->nodes, x, dN, grad);
        assert_true(det > 0.5);
        for (int i = 0; i < kind->dim; i++) {
            for (int j = 0; j < kind->dim; j++) {
                double slope = 0;
                for (int k = 0; k < kind->nodes; k++) {
                    slope += grad[k][i] * x[k][j];
                }
                worst = fmax(worst, fabs(slope - (i == j)));
            }
        }
        verify_below(kind->name, worst, 1e-14);
    }
}

/* the volume by the cell's points, and by those of its sides: int x . n dA = dim V, int n dA = 0 */
static void sides(void **state) {
    GOS_UNUSED(state);
    for (int s = GOS_CELL_TRI3; s < GOS_CELL_SHAPES; s++) {
        const gos_cell_kind *kind = &gos__cell_kind[s];
        double x[GOS_CELL_NODES][3], N[GOS_CELL_NODES], dN[GOS_CELL_NODES][3];
        double grad[GOS_CELL_NODES][3], volume = 0, flux = 0, sum[3] = {0, 0, 0};
        gos_rule rule;
        bent((gos_cell_shape)s, x);
        gos__rule((gos_cell_shape)s, GOS_RULE_MASS, &rule);
        for (int g = 0; g < rule.n; g++) {
            gos__shape((gos_cell_shape)s, rule.at[g], N, dN);
            volume += rule.weight[g] * gos__shape_gradient(kind->dim, kind->nodes, x, dN, grad);
        }
        for (int side = 0; side < kind->sides; side++) {
            const gos_cell_shape of = kind->side[side];
            const int n = gos__cell_kind[of].nodes;
            double y[GOS_CELL_NODES][3], normal[3];
            for (int k = 0; k < n; k++) {
                memcpy(y[k], x[(int)kind->side_node[side][k]], sizeof y[k]);
            }
            gos__rule(of, GOS_RULE_MASS, &rule);
            for (int g = 0; g < rule.n; g++) {
                gos__shape(of, rule.at[g], N, dN);
                const double dA =
                    rule.weight[g] * gos__shape_normal(kind->dim - 1, n, y, dN, normal);
                for (int d = 0; d < 3; d++) {
                    sum[d] += dA * normal[d];
                    for (int k = 0; k < n; k++) {
                        flux += dA * normal[d] * N[k] * y[k][d];
                    }
                }
            }
        }
        assert_true(volume > 0.1);
        verify_below(kind->name, fabs(flux / (kind->dim * volume) - 1), 1e-13);
        verify_below(kind->name, hypot(hypot(sum[0], sum[1]), sum[2]) / volume, 1e-13);
    }
}

static int suite(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes),   cmocka_unit_test(polynomials),  cmocka_unit_test(derivatives),
        cmocka_unit_test(degrees), cmocka_unit_test(reduced_mass), cmocka_unit_test(gradients),
        cmocka_unit_test(sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
SUITE_INTERNAL(suite)
