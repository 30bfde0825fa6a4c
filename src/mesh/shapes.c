/* Shape functions and quadrature rules. Functions: products of linear ones (line2, quad4, hex8),
   serendipity (line3, quad8, hex20), area and volume coordinates and their products (triangles,
   tetrahedra), triangle times line (wedges). Rules: Gauss; on triangles and tetrahedra those of
   Radon and Stroud of degree 5 (Stroud, Approximate Calculation of Multiple Integrals (1971), T2:
   5-1, T3: 5-1). */
#include "mesh/shapes.h"

#include <math.h>

#include "math/gauss.h"
#include "mesh/mesh.h"

/* Cell shapes: their sides and nodes, in CalculiX numbering. */

/* clang-format off */
const gos_cell_kind gos__cell_kind[GOS_CELL_SHAPES] = {
    [GOS_CELL_POINT] = {.name = "point", .dim = 0, .nodes = 1, .corners = 1},
    [GOS_CELL_LINE2] = {.name = "line2", .dim = 1, .nodes = 2, .corners = 2},
    [GOS_CELL_LINE3] = {.name = "line3", .dim = 1, .nodes = 3, .corners = 2},
    [GOS_CELL_TRI3] = {.name = "tri3", .dim = 2, .nodes = 3, .corners = 3, .sides = 3,
        .side = {GOS_CELL_LINE2, GOS_CELL_LINE2, GOS_CELL_LINE2},
        .side_node = {{0, 1}, {1, 2}, {2, 0}}},
    [GOS_CELL_TRI6] = {.name = "tri6", .dim = 2, .nodes = 6, .corners = 3, .sides = 3,
        .side = {GOS_CELL_LINE3, GOS_CELL_LINE3, GOS_CELL_LINE3},
        .side_node = {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}},
    [GOS_CELL_QUAD4] = {.name = "quad4", .dim = 2, .nodes = 4, .corners = 4, .sides = 4,
        .side = {GOS_CELL_LINE2, GOS_CELL_LINE2, GOS_CELL_LINE2, GOS_CELL_LINE2},
        .side_node = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
    [GOS_CELL_QUAD8] = {.name = "quad8", .dim = 2, .nodes = 8, .corners = 4, .sides = 4,
        .side = {GOS_CELL_LINE3, GOS_CELL_LINE3, GOS_CELL_LINE3, GOS_CELL_LINE3},
        .side_node = {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}}},
    [GOS_CELL_TET4] = {.name = "tet4", .dim = 3, .nodes = 4, .corners = 4, .sides = 4,
        .side = {GOS_CELL_TRI3, GOS_CELL_TRI3, GOS_CELL_TRI3, GOS_CELL_TRI3},
        .side_node = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}},
    [GOS_CELL_TET10] = {.name = "tet10", .dim = 3, .nodes = 10, .corners = 4, .sides = 4,
        .side = {GOS_CELL_TRI6, GOS_CELL_TRI6, GOS_CELL_TRI6, GOS_CELL_TRI6},
        .side_node = {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}}},
    [GOS_CELL_WEDGE6] = {.name = "wedge6", .dim = 3, .nodes = 6, .corners = 6, .sides = 5,
        .side = {GOS_CELL_TRI3, GOS_CELL_TRI3, GOS_CELL_QUAD4, GOS_CELL_QUAD4, GOS_CELL_QUAD4},
        .side_node = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
    [GOS_CELL_WEDGE15] = {.name = "wedge15", .dim = 3, .nodes = 15, .corners = 6, .sides = 5,
        .side = {GOS_CELL_TRI6, GOS_CELL_TRI6, GOS_CELL_QUAD8, GOS_CELL_QUAD8, GOS_CELL_QUAD8},
        .side_node = {{0, 2, 1, 8, 7, 6}, {3, 4, 5, 9, 10, 11}, {0, 1, 4, 3, 6, 13, 9, 12},
                      {1, 2, 5, 4, 7, 14, 10, 13}, {2, 0, 3, 5, 8, 12, 11, 14}}},
    [GOS_CELL_HEX8] = {.name = "hex8", .dim = 3, .nodes = 8, .corners = 8, .sides = 6,
        .side = {GOS_CELL_QUAD4, GOS_CELL_QUAD4, GOS_CELL_QUAD4, GOS_CELL_QUAD4, GOS_CELL_QUAD4, GOS_CELL_QUAD4},
        .side_node = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    [GOS_CELL_HEX20] = {.name = "hex20", .dim = 3, .nodes = 20, .corners = 8, .sides = 6,
        .side = {GOS_CELL_QUAD8, GOS_CELL_QUAD8, GOS_CELL_QUAD8, GOS_CELL_QUAD8, GOS_CELL_QUAD8, GOS_CELL_QUAD8},
        .side_node = {{0, 3, 2, 1, 11, 10, 9, 8}, {4, 5, 6, 7, 12, 13, 14, 15}, {0, 1, 5, 4, 8, 17, 12, 16},
                      {1, 2, 6, 5, 9, 18, 13, 17}, {2, 3, 7, 6, 10, 19, 14, 18}, {3, 0, 4, 7, 11, 16, 15, 19}}},
};

/* clang-format on */

/* ---- nodes ----------------------------------------------------------------------------------- */

/* lines, quadrilaterals, hexahedra: corners first, so shorter shapes use the beginning */
static const signed char line_node[3] = {-1, 1, 0};
static const signed char quad_node[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1},
                                            {0, -1},  {1, 0},  {0, 1}, {-1, 0}};
static const signed char hex_node[20][3] = {
    {-1, -1, -1}, {1, -1, -1}, {1, 1, -1},  {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1},
    {-1, 1, 1},   {0, -1, -1}, {1, 0, -1},  {0, 1, -1},  {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},
    {0, 1, 1},    {-1, 0, 1},  {-1, -1, 0}, {1, -1, 0},  {1, 1, 0},   {-1, 1, 0}};
/* ends of the edges of mid-edge nodes; triangles use the first three */
static const signed char simplex_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const signed char wedge_edge[9][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5},
                                             {5, 3}, {0, 3}, {1, 4}, {2, 5}};

static void node_at(gos_cell_shape shape, int k, double at[3]) {
    for (int d = 0; d < 3; d++) {
        switch (shape) {
        case GOS_CELL_LINE2:
        case GOS_CELL_LINE3:
            at[d] = d == 0 ? line_node[k] : 0;
            break;
        case GOS_CELL_QUAD4:
        case GOS_CELL_QUAD8:
            at[d] = d < 2 ? quad_node[k][d] : 0;
            break;
        case GOS_CELL_HEX8:
        case GOS_CELL_HEX20:
            at[d] = hex_node[k][d];
            break;
        case GOS_CELL_WEDGE6:
        case GOS_CELL_WEDGE15:
            at[d] = d == 2 ? (k < 3 ? -1 : 1) : k % 3 == d + 1;
            break;
        default: // corners of triangles and tetrahedra
            at[d] = k == d + 1;
        }
    }
}

void gos__shape_nodes(gos_cell_shape shape, double at[GOS_CELL_NODES][3]) {
    const gos_cell_kind *kind = &gos__cell_kind[shape];
    const bool wedge = shape == GOS_CELL_WEDGE15;
    const bool edges = wedge || shape == GOS_CELL_TRI6 || shape == GOS_CELL_TET10;
    for (int k = 0; k < kind->nodes; k++) {
        if (edges && k >= kind->corners) {
            const signed char *end = (wedge ? wedge_edge : simplex_edge)[k - kind->corners];
            for (int d = 0; d < 3; d++) {
                at[k][d] = 0.5 * (at[(int)end[0]][d] + at[(int)end[1]][d]);
            }
        } else {
            node_at(shape, k, at[k]);
        }
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Serendipity functions of a node at c: product of (1 + c x) / 2, or 1 - x^2 where c = 0; corners
   of quadratic cells times (sum c x - (dim - 1)). */
static void tensor(int dim, bool quadratic, const double c[3], const double x[3], double *N,
                   double d[3]) {
    double f[3] = {1, 1, 1}, df[3] = {0, 0, 0}, sum = 1 - dim, dsum[3] = {0, 0, 0};
    bool corner = quadratic;
    for (int i = 0; i < dim; i++) {
        f[i] = c[i] == 0 ? 1 - x[i] * x[i] : 0.5 * (1 + c[i] * x[i]);
        df[i] = c[i] == 0 ? -2 * x[i] : 0.5 * c[i];
        sum += c[i] * x[i];
        dsum[i] = c[i];
        corner = corner && c[i] != 0;
    }
    const double product = f[0] * f[1] * f[2];
    *N = corner ? product * sum : product;
    for (int i = 0; i < 3; i++) {
        const double slope = df[i] * f[(i + 1) % 3] * f[(i + 2) % 3];
        d[i] = corner ? slope * sum + product * dsum[i] : slope;
    }
}

/* area or volume coordinates and derivatives */
static void simplex(int dim, const double x[3], double L[4], double dL[4][3]) {
    L[0] = 1;
    for (int d = 0; d < 3; d++) {
        L[0] -= d < dim ? x[d] : 0;
        L[d + 1] = x[d];
        for (int k = 0; k < 4; k++) {
            dL[k][d] = d >= dim ? 0 : k == 0 ? -1 : k == d + 1;
        }
    }
}

static void simplex_shapes(int dim, int n, const double x[3], double *N, double (*dN)[3]) {
    double L[4], dL[4][3];
    simplex(dim, x, L, dL);
    for (int k = 0; k < n; k++) {
        const int a = k <= dim ? k : simplex_edge[k - dim - 1][0];
        const int b = k <= dim ? k : simplex_edge[k - dim - 1][1];
        const bool linear = n == dim + 1;
        N[k] = linear ? L[k] : k <= dim ? L[k] * (2 * L[k] - 1) : 4 * L[a] * L[b];
        for (int d = 0; d < 3; d++) {
            dN[k][d] = linear     ? dL[k][d]
                       : k <= dim ? (4 * L[k] - 1) * dL[k][d]
                                  : 4 * (dL[a][d] * L[b] + L[a] * dL[b][d]);
        }
    }
}

/* product of a triangle function f and a line function g */
static void multiply(double f, const double df[3], double g, double dg, double *N, double dN[3]) {
    *N += f * g;
    dN[0] += df[0] * g;
    dN[1] += df[1] * g;
    dN[2] += f * dg;
}

static void wedge_shapes(int n, const double x[3], double *N, double (*dN)[3]) {
    double T[6], dT[6][3], L[3], dL[3][3];
    const double bubble = 1 - x[2] * x[2], dbubble = -2 * x[2];
    simplex_shapes(2, 6, x, T, dT);
    simplex_shapes(2, 3, x, L, dL);
    memset(N, 0, (size_t)n * sizeof *N);
    memset(dN, 0, (size_t)n * sizeof *dN);
    for (int k = 0; k < n; k++) {
        const bool corner = k < 6, upright = k >= 12;
        const double side = corner ? (k < 3 ? -1 : 1) : k < 9 ? -1 : 1;
        const int i = k % 3;
        if (upright) {
            multiply(L[i], dL[i], bubble, dbubble, &N[k], dN[k]);
            continue;
        }
        const double end = 0.5 * (1 + side * x[2]);
        if (n == 6) {
            multiply(L[i], dL[i], end, 0.5 * side, &N[k], dN[k]);
        } else {
            multiply(T[corner ? i : 3 + i], dT[corner ? i : 3 + i], end, 0.5 * side, &N[k], dN[k]);
        }
        if (n == 15 && corner) {
            multiply(L[i], dL[i], -0.5 * bubble, -0.5 * dbubble, &N[k], dN[k]);
        }
    }
}

void gos__shape(gos_cell_shape shape, const double at[3], double N[GOS_CELL_NODES],
                double dN[GOS_CELL_NODES][3]) {
    const gos_cell_kind *kind = &gos__cell_kind[shape];
    double unused[GOS_CELL_NODES][3], (*d)[3] = dN ? dN : unused;
    switch (shape) {
    case GOS_CELL_TRI3:
    case GOS_CELL_TRI6:
    case GOS_CELL_TET4:
    case GOS_CELL_TET10:
        simplex_shapes(kind->dim, kind->nodes, at, N, d);
        break;
    case GOS_CELL_WEDGE6:
    case GOS_CELL_WEDGE15:
        wedge_shapes(kind->nodes, at, N, d);
        break;
    default:
        for (int k = 0; k < kind->nodes; k++) {
            double c[3] = {0, 0, 0};
            if (kind->dim > 0) {
                node_at(shape, k, c);
            }
            tensor(kind->dim, kind->nodes > kind->corners, c, at, &N[k], d[k]);
        }
    }
}

/* ---- mapping --------------------------------------------------------------------------------- */

/* J[i][j]: position j by natural coordinate i */
static void places_by(int n, double (*x)[3], double (*dN)[3], double J[3][3]) {
    memset(J, 0, 9 * sizeof J[0][0]);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                J[i][j] += dN[k][i] * x[k][j];
            }
        }
    }
}

double gos__shape_gradient(int dim, int n, double (*x)[3], double (*dN)[3], double (*grad)[3]) {
    double J[3][3], A[3][3]; // A: inverse times determinant
    places_by(n, x, dN, J);
    if (dim == 2) {
        J[0][2] = J[1][2] = J[2][0] = J[2][1] = 0;
        J[2][2] = 1;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            A[j][i] = J[p][r] * J[q][s] - J[p][s] * J[q][r];
        }
    }
    const double det = J[0][0] * A[0][0] + J[0][1] * A[1][0] + J[0][2] * A[2][0];
    for (int k = 0; k < n && det != 0; k++) {
        for (int j = 0; j < 3; j++) {
            grad[k][j] = (A[j][0] * dN[k][0] + A[j][1] * dN[k][1] + A[j][2] * dN[k][2]) / det;
        }
    }
    return det;
}

double gos__shape_normal(int dim, int n, double (*x)[3], double (*dN)[3], double normal[3]) {
    double J[3][3];
    places_by(n, x, dN, J);
    if (dim == 1) {
        memcpy(J[1], (const double[3]){0, 0, 1}, sizeof J[1]); // tangent x e_z is to its right
    }
    for (int i = 0; i < 3; i++) {
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        normal[i] = J[0][p] * J[1][q] - J[0][q] * J[1][p];
    }
    const double area = hypot(hypot(normal[0], normal[1]), normal[2]);
    for (int i = 0; i < 3 && area > 0; i++) {
        normal[i] /= area;
    }
    return area;
}

/* ---- quadrature rules ------------------------------------------------------------------------ */

static void add(gos_rule *rule, double x, double y, double z, double weight) {
    rule->at[rule->n][0] = x;
    rule->at[rule->n][1] = y;
    rule->at[rule->n][2] = z;
    rule->weight[rule->n++] = weight;
}

/* Gauss points, n in each direction */
static void cube_points(int dim, int n, gos_rule *rule) {
    double x[3] = {0, 0, 0}, w[3] = {0, 0, 0};
    gos__gauss(n, x, w);
    for (int k = 0; k < (dim > 2 ? n : 1); k++) {
        for (int j = 0; j < (dim > 1 ? n : 1); j++) {
            for (int i = 0; i < n; i++) {
                add(rule, 2 * x[i] - 1, dim > 1 ? 2 * x[j] - 1 : 0, dim > 2 ? 2 * x[k] - 1 : 0,
                    2 * w[i] * (dim > 1 ? 2 * w[j] : 1) * (dim > 2 ? 2 * w[k] : 1));
            }
        }
    }
}

/* The reduced rule alone would give one cell a singular mass; a thousandth is that of the full one.
 */
static void reduced_mass_points(int dim, gos_rule *rule) {
    const double part = 1e-3;
    cube_points(dim, 2, rule);
    const int reduced = rule->n;
    cube_points(dim, 3, rule);
    for (int p = 0; p < rule->n; p++) {
        rule->weight[p] *= p < reduced ? 1 - part : part;
    }
}

/* points of a triangle or tetrahedron with all coordinates a, except one b = 1 - dim a */
static void add_corners(int dim, double a, double weight, gos_rule *rule) {
    const double b = 1 - dim * a;
    for (int k = 0; k <= dim; k++) {
        add(rule, k == 1 ? b : a, k == 2 ? b : a, dim < 3 ? 0 : k == 3 ? b : a, weight);
    }
}

/* of degree 1, 2 or 5 on the triangle of area 1/2 */
static void triangle_points(int degree, gos_rule *rule) {
    const double s = sqrt(15.0);
    if (degree == 1) {
        add(rule, 1.0 / 3, 1.0 / 3, 0, 0.5);
    } else if (degree == 2) {
        add_corners(2, 1.0 / 6, 1.0 / 6, rule);
    } else {
        add(rule, 1.0 / 3, 1.0 / 3, 0, 9.0 / 80);
        add_corners(2, (6 - s) / 21, (155 - s) / 2400, rule);
        add_corners(2, (6 + s) / 21, (155 + s) / 2400, rule);
    }
}

/* of degree 1, 2 or 5 on the tetrahedron of volume 1/6 */
static void tetrahedron_points(int degree, gos_rule *rule) {
    const double s = sqrt(15.0), u = (10 - 2 * s) / 40, v = (10 + 2 * s) / 40;
    if (degree == 1) {
        add(rule, 0.25, 0.25, 0.25, 1.0 / 6);
    } else if (degree == 2) {
        add_corners(3, (5 - sqrt(5.0)) / 20, 1.0 / 24, rule);
    } else {
        add(rule, 0.25, 0.25, 0.25, 16.0 / 135 / 6);
        add_corners(3, (7 - s) / 34, (2665 + 14 * s) / 37800 / 6, rule);
        add_corners(3, (7 + s) / 34, (2665 - 14 * s) / 37800 / 6, rule);
        for (int k = 0; k < 6; k++) { // two coordinates u, the others v
            const signed char *e = simplex_edge[k];
            add(rule, e[0] == 1 || e[1] == 1 ? u : v, e[0] == 2 || e[1] == 2 ? u : v,
                e[0] == 3 || e[1] == 3 ? u : v, 20.0 / 378 / 6);
        }
    }
}

/* triangle points on n levels */
static void wedge_points(int degree, int n, gos_rule *rule) {
    gos_rule flat = {0};
    double x[3], w[3];
    triangle_points(degree, &flat);
    gos__gauss(n, x, w);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < flat.n; i++) {
            add(rule, flat.at[i][0], flat.at[i][1], 2 * x[k] - 1, 2 * w[k] * flat.weight[i]);
        }
    }
}

void gos__rule(gos_cell_shape shape, gos_rule_use use, gos_rule *rule) {
    const int dim = gos__cell_kind[shape].dim;
    const bool mass = use == GOS_RULE_MASS || use == GOS_RULE_REDUCED_MASS;
    const bool reduced = use == GOS_RULE_REDUCED;
    memset(rule, 0, sizeof *rule);
    switch (shape) {
    case GOS_CELL_TRI3:
        triangle_points(mass ? 2 : 1, rule);
        break;
    case GOS_CELL_TRI6:
        triangle_points(mass ? 5 : 2, rule);
        break;
    case GOS_CELL_TET4:
        tetrahedron_points(mass ? 2 : 1, rule);
        break;
    case GOS_CELL_TET10:
        tetrahedron_points(mass ? 5 : 2, rule);
        break;
    case GOS_CELL_WEDGE6:
        wedge_points(reduced ? 1 : 2, 2, rule);
        break;
    case GOS_CELL_WEDGE15:
        wedge_points(mass ? 5 : 2, reduced ? 2 : 3, rule);
        break;
    case GOS_CELL_POINT:
        add(rule, 0, 0, 0, 1);
        break;
    case GOS_CELL_LINE3:
    case GOS_CELL_QUAD8:
    case GOS_CELL_HEX20:
        if (use == GOS_RULE_REDUCED_MASS && dim > 1) {
            reduced_mass_points(dim, rule);
        } else {
            cube_points(dim, reduced ? 2 : 3, rule);
        }
        break;
    default:
        cube_points(dim, 2, rule);
    }
}
