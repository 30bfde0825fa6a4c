/* Trusses: axial strain alone, e = t . u' / J^2 with t = dx/dxi and J = |t|. Two or three nodes.
   part->thickness is the area. */
#include <lapacke.h>
#include <math.h>

#include "fe/element.h"
#include "math/gauss.h"

#define NODES 3
#define POINTS 3 // exact for the products of quadratic functions on straight cells

typedef struct truss {
    int nodes;
    double area, E, alpha;
    double strain[6];     // strain per stress xx [1/Pa]
    double expansion[6];  // strain per temperature [1/K]
    double conduct, heat; // [W m/K], [J m^-1 K^-1]
    double line_mass;     // [kg/m]
    gos_cell_shape shape;
} truss;

/* at one point */
typedef struct point {
    double N[NODES], slope[NODES]; // by length
    double e[3];                   // unit tangent
    double J;                      // dx/dxi
} point;

static gos_status prepare(gos_ctx *ctx, const gos_fe_part *part, gos_cell_shape shape,
                          gos_arena *arena, void **data) {
    const gos_fe_material *m = part->material;
    truss *t = GOS_NEW(arena, truss, 1);
    double A[36], b[6] = {1, 0, 0, 0, 0, 0};
    GOS_TRY(t ? GOS_OK : GOS_E_MEMORY);
    if (!(part->thickness > 0)) {
        return gos__fail_at(ctx, GOS_E_INPUT, part->loc, part->object,
                            "trusses need an area above 0, on the line below their *SOLID SECTION "
                            "or as `thickness`");
    }
    memcpy(A, m->stiffness, sizeof A);
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', 6, 1, A, 6, b, 6) != 0 || !(b[0] > 0)) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, part->loc, part->object,
            "the strain energy of its material is not positive; check its elastic constants");
    }
    *t = (truss){.nodes = gos__cell_kind[shape].nodes,
                 .area = part->thickness,
                 .E = 1 / b[0],
                 .alpha = m->expansion[0],
                 .conduct = m->conductivity[0][0] * part->thickness,
                 .line_mass = m->density * part->thickness,
                 .shape = shape};
    t->heat = t->line_mass * m->heat;
    memcpy(t->strain, b, sizeof b);
    memcpy(t->expansion, m->expansion, sizeof t->expansion);
    *data = t;
    return GOS_OK;
}

static void point_at(const truss *t, const double (*x)[3], double xi, point *p) {
    const double at[3] = {xi, 0, 0};
    double dN[GOS_CELL_NODES][3], N[GOS_CELL_NODES], tangent[3] = {0, 0, 0};
    gos__shape(t->shape, at, N, dN);
    for (int k = 0; k < 3 * t->nodes; k++) {
        tangent[k % 3] += dN[k / 3][0] * x[k / 3][k % 3];
    }
    p->J = sqrt(tangent[0] * tangent[0] + tangent[1] * tangent[1] + tangent[2] * tangent[2]);
    for (int c = 0; c < 3; c++) {
        p->e[c] = tangent[c] / p->J;
    }
    for (int k = 0; k < t->nodes; k++) {
        p->N[k] = N[k];
        p->slope[k] = dN[k][0] / p->J;
    }
}

/* ---- matrices -------------------------------------------------------------------------------- */

static size_t scratch(const void *data) {
    GOS_UNUSED(data);
    return 0;
}

static void put(double *lanes, int lane, int at, double x, bool first) {
    if (lanes) {
        lanes[8 * at + lane] = x + (first ? 0 : lanes[8 * at + lane]);
    }
}

static void add_point(const truss *t, int comps, int lane, double w, const point *p, bool first,
                      gos_fe_local *local) {
    const int n = t->nodes, nd = n * comps;
    const double stiff = w * t->E * t->area;
    for (int i = 0; i < nd; i++) {
        const double bi = p->slope[i / comps] * p->e[i % comps];
        for (int j = 0; j < nd; j++) {
            put(local->K, lane, i * nd + j, stiff * bi * p->slope[j / comps] * p->e[j % comps],
                first);
        }
        for (int k = 0; k < n; k++) {
            put(local->couple, lane, i * n + k, stiff * t->alpha * bi * p->N[k], first);
        }
    }
    for (int k = 0; k < n * n; k++) {
        const double both = w * p->N[k / n] * p->N[k % n];
        put(local->mass, lane, k, t->line_mass * both, first);
        put(local->C, lane, k, t->heat * both, first);
        put(local->conduct, lane, k, w * t->conduct * p->slope[k / n] * p->slope[k % n], first);
    }
}

static void matrices(const void *data, const gos_fe_batch *batch, gos_fe_local *local) {
    const truss *t = data;
    double xi[POINTS], w[POINTS];
    gos__gauss(POINTS, xi, w);
    for (int l = 0; l < GOS_FE_LANES; l++) {
        double x[NODES][3], least = HUGE_VAL, most = 0;
        for (int k = 0; k < 3 * t->nodes; k++) {
            x[k / 3][k % 3] = batch->x[8 * k + l];
        }
        for (int g = 0; g < POINTS; g++) {
            point p;
            point_at(t, (const double(*)[3])x, 2 * xi[g] - 1, &p);
            least = fmin(least, p.J);
            most = fmax(most, p.J);
            add_point(t, batch->part->element->comps, l, 2 * w[g] * p.J, &p, g == 0, local);
        }
        local->least[l] = most > 0 ? least / most : 0;
    }
}

/* ---- stress ---------------------------------------------------------------------------------- */

/* tensor with v[0] along e and the mean of v[1], v[2] across it, as six components */
static void to_mesh(const double e[3], const double v[6], bool strain, double out[6]) {
    static const signed char row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    const double across = 0.5 * (v[1] + v[2]);
    for (int a = 0; a < 6; a++) {
        const int i = row[a], j = column[a];
        out[a] = (v[0] - across) * e[i] * e[j] + (i == j ? across : 0);
        out[a] *= strain && a > 2 ? 2 : 1;
    }
}

static void recover(const void *data, const gos_fe_cell *cell, bool strain, int n, double (*at)[3],
                    const gos_fe_depth *depth, double *by_u, double *by_t) {
    const truss *t = data;
    const int comps = cell->part->element->comps, nd = t->nodes * comps;
    double e[6] = {t->E}, warm[6] = {-t->E * t->alpha};
    GOS_UNUSED(depth);
    for (int a = 0; a < 6 && strain; a++) {
        e[a] = t->E * t->strain[a];
        warm[a] = t->expansion[a] - t->alpha * e[a];
    }
    for (int g = 0; g < n; g++) {
        double by_e[6], by_T[6];
        point p;
        point_at(t, cell->x, at[g][0], &p);
        to_mesh(p.e, e, strain, by_e);
        to_mesh(p.e, warm, strain, by_T);
        for (int a = 0; a < 6; a++) {
            for (int j = 0; j < nd; j++) {
                by_u[(size_t)(6 * g + a) * nd + j] = by_e[a] * p.slope[j / comps] * p.e[j % comps];
            }
            for (int k = 0; k < t->nodes; k++) {
                by_t[(size_t)(6 * g + a) * t->nodes + k] = by_T[a] * p.N[k];
            }
        }
    }
}

static double force_at(const truss *t, int comps, const point *p, const double *u,
                       const double *temperature) {
    double strain = 0;
    for (int i = 0; i < t->nodes * comps; i++) {
        strain += p->slope[i / comps] * p->e[i % comps] * u[i];
    }
    for (int k = 0; k < t->nodes; k++) {
        strain -= t->alpha * p->N[k] * temperature[k];
    }
    return t->E * t->area * strain;
}

static void stress_stiffness(const void *data, const gos_fe_cell *cell, const double *u,
                             const double *temperature, double *G) {
    const truss *t = data;
    const int comps = cell->part->element->comps, nd = t->nodes * comps;
    double xi[POINTS], w[POINTS];
    gos__gauss(POINTS, xi, w);
    memset(G, 0, (size_t)nd * nd * sizeof *G);
    for (int g = 0; g < POINTS; g++) {
        point p;
        point_at(t, cell->x, 2 * xi[g] - 1, &p);
        const double N = 2 * w[g] * p.J * force_at(t, comps, &p, u, temperature);
        for (int k = 0; k < t->nodes * t->nodes; k++) {
            const int i = k / t->nodes, j = k % t->nodes;
            for (int c = 0; c < comps; c++) {
                G[(size_t)(i * comps + c) * nd + j * comps + c] += N * p.slope[i] * p.slope[j];
            }
        }
    }
}

/* second-order strain sum_d x_d' y_d' of two motions, and the strain of a further displacement */
static double second_strain(const truss *t, int comps, const point *p, const double *x,
                            const double *y, const double *further) {
    double sum = 0;
    for (int c = 0; c < comps; c++) {
        double a = 0, b = 0;
        for (int k = 0; k < t->nodes; k++) {
            a += p->slope[k] * x[k * comps + c];
            b += p->slope[k] * y[k * comps + c];
            sum += further ? p->slope[k] * p->e[c] * further[k * comps + c] : 0;
        }
        sum += a * b;
    }
    return sum;
}

static void stress_work(const void *data, const gos_fe_cell *cell, int m, const double *X,
                        const double *second, double *by_u, double *by_t) {
    const truss *t = data;
    const int comps = cell->part->element->comps, nd = t->nodes * comps;
    double xi[POINTS], w[POINTS];
    gos__gauss(POINTS, xi, w);
    for (int g = 0; g < POINTS; g++) {
        point p;
        point_at(t, cell->x, 2 * xi[g] - 1, &p);
        const double stiff = 2 * w[g] * p.J * t->E * t->area;
        for (int i = 0, pair = 0; i < m; i++) {
            for (int j = 0; j <= i; j++, pair++) {
                const double *further = second ? second + (size_t)nd * pair : NULL;
                const double eta =
                    second_strain(t, comps, &p, X + (size_t)nd * i, X + (size_t)nd * j, further);
                for (int k = 0; k < nd; k++) {
                    by_u[(size_t)nd * pair + k] +=
                        stiff * eta * p.slope[k / comps] * p.e[k % comps];
                }
                for (int k = 0; k < t->nodes; k++) {
                    by_t[(size_t)t->nodes * pair + k] -= stiff * eta * t->alpha * p.N[k];
                }
            }
        }
    }
}

const gos_fe_element gos__fe_element_truss = {
    .name = "truss",
    .doc = "bar of two or three nodes with axial force alone; `thickness` is its area",
    .dim = 1,
    .freedoms = GOS_FE_UX | GOS_FE_UY | GOS_FE_UZ,
    .comps = 3,
    .heats = 1,
    .shapes = 1 << GOS_CELL_LINE2 | 1 << GOS_CELL_LINE3,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = recover,
    .stress_stiffness = stress_stiffness,
    .stress_work = stress_work,
};

const gos_fe_element gos__fe_element_plane_truss = {
    .name = "plane_truss",
    .doc = "truss that moves in its plane x y only",
    .dim = 1,
    .freedoms = GOS_FE_UX | GOS_FE_UY,
    .comps = 2,
    .heats = 1,
    .shapes = 1 << GOS_CELL_LINE2 | 1 << GOS_CELL_LINE3,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = recover,
    .stress_stiffness = stress_stiffness,
    .stress_work = stress_work,
};
