/* Shells of quadrilaterals and triangles: material directions, stresses. */
#include "fe/shell.h"

#include <math.h>

#include "fe/shell_triangle.h"

#define DRILLING 0.1 // drilling stiffness relative to the shear modulus
#define EQUAL 1e-12  // relative tolerance for isotropic stiffness
#define ALONG 0.99   // cosine to the normal: axis 1 is not projected
/* strains of triangles are linear */
#define RULE(s) ((s)->nodes == 3 ? GOS_RULE_MASS : GOS_RULE_STIFFNESS)

/* ---- material -------------------------------------------------------------------------------- */

/* invariant under rotation about its axis 3 */
static bool isotropic_across(const gos_fe_material *m) {
    const double c = cos(0.7), s = sin(0.7);
    double axes[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}, off = 0, size = 0;
    gos_fe_material t;
    gos__fe_material_turn(m, axes, &t);
    for (int i = 0; i < 36; i++) {
        off = fmax(off, fabs(t.stiffness[i / 6][i % 6] - m->stiffness[i / 6][i % 6]));
        size = fmax(size, fabs(m->stiffness[i / 6][i % 6]));
    }
    double heat = 0, most = 0, bend = 0, stretch = 0;
    for (int i = 0; i < 9; i++) {
        heat = fmax(heat, fabs(t.conductivity[i / 3][i % 3] - m->conductivity[i / 3][i % 3]));
        most = fmax(most, fabs(m->conductivity[i / 3][i % 3]));
    }
    for (int i = 0; i < 6; i++) {
        bend = fmax(bend, fabs(t.expansion[i] - m->expansion[i]));
        stretch = fmax(stretch, fabs(m->expansion[i]));
    }
    return off <= EQUAL * size && heat <= EQUAL * most && bend <= EQUAL * stretch;
}

static gos_status prepare(gos_ctx *ctx, const gos_fe_part *part, gos_cell_shape shape,
                          gos_arena *arena, void **data) {
    gos_shell *s = GOS_NEW(arena, gos_shell, 1);
    GOS_TRY(s ? GOS_OK : GOS_E_MEMORY);
    s->nodes = gos__cell_kind[shape].nodes;
    s->shape = shape;
    s->isotropic = true;
    if (part->layup) {
        GOS_TRY(gos__fe_plate_layup(ctx, part->loc, part->object, part->layup, arena, &s->plate));
    } else {
        GOS_TRY(gos__fe_plate_single(part->material, part->thickness, arena, &s->plate));
    }
    for (int k = 0; k < s->plate.n; k++) {
        s->isotropic = s->isotropic && isotropic_across(&s->plate.lamina[k].material);
    }
    // the shell under a layer provides it
    s->drilling = part->follows ? 0 : DRILLING * s->plate.A[2][2];
    *data = s;
    return GOS_OK;
}

/* Projected axis 1; axis 2 if that is nearly normal. */
static void direction(const gos_fe_part *part, int at, int nodes, double (*x)[3], double d[3]) {
    static const double own[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *axes = part->axes ? part->axes + (part->axes_by_cell ? 9 * (size_t)at : 0) : own;
    double n[3], size = 0, along = 0;
    const double *second = x[nodes - 3]; // diagonals, or sides of the triangle
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        n[c] = (x[nodes - 2][p] - x[0][p]) * (x[nodes - 1][q] - second[q]) -
               (x[nodes - 2][q] - x[0][q]) * (x[nodes - 1][p] - second[p]);
        size += n[c] * n[c];
    }
    for (int c = 0; c < 3; c++) {
        along += axes[c] * n[c] / sqrt(size);
    }
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        d[c] = fabs(along) < ALONG ? axes[c] : axes[3 + p] * n[q] - axes[3 + q] * n[p];
    }
}

/* ---- matrices -------------------------------------------------------------------------------- */

static size_t scratch(const void *data) {
    GOS_UNUSED(data);
    return 0;
}

static void triangles(const gos_shell *s, const gos_fe_batch *batch, gos_fe_local *local) {
    for (int l = 0; l < GOS_FE_LANES; l++) {
        double x[3][3], director[3][3], d[3];
        for (int k = 0; k < 9; k++) {
            x[k / 3][k % 3] = batch->x[8 * k + l];
            director[k / 3][k % 3] = batch->director[8 * k + l];
        }
        direction(batch->part, batch->at[l], s->nodes, x, d);
        gos__shell_triangle(s, (const double(*)[3])x, (const double(*)[3])director, d, l, local);
    }
}

static void matrices(const void *data, const gos_fe_batch *batch, gos_fe_local *local) {
    const gos_shell *s = data;
    if (s->nodes == 3) {
        triangles(s, batch, local);
        return;
    }
    _Alignas(64) double axis[8 * 3];
    for (int l = 0; l < GOS_FE_LANES && !s->isotropic; l++) {
        double x[GOS_SHELL_NODES][3], d[3];
        for (int k = 0; k < 12; k++) {
            x[k / 3][k % 3] = batch->x[8 * k + l];
        }
        direction(batch->part, batch->at[l], s->nodes, x, d);
        for (int c = 0; c < 3; c++) {
            axis[8 * c + l] = d[c];
        }
    }
    gos__kernel_shell(s, batch->x, batch->director, s->isotropic ? NULL : axis, local);
}

/* ---- stress ---------------------------------------------------------------------------------- */

/* a height in the thickness: ply and position */
typedef struct spot {
    const gos_fe_lamina *ply;
    double zeta;
    bool own; // components in ply axes, else in mesh axes
} spot;

/* Stress-free strain per unit temperature: expansion, and initial curvatures and shears by stretch
   (kernel_shell.c). */
static void free_strain(const gos_shell *s, const gos_shell_point *p, const spot *at, double e[3],
                        double g[2]) {
    static const int flat[3] = {0, 1, 3};
    const double *a = s->plate.strain[0];
    const double xx = p->curve[0], yy = p->curve[8], xy = 0.5 * p->curve[16];
    const double bend[3] = {xx * a[0] + 0.5 * xy * a[2], yy * a[1] + 0.5 * xy * a[2],
                            xy * (a[0] + a[1]) + 0.5 * (xx + yy) * a[2]};
    for (int r = 0; r < 3; r++) {
        e[r] = at->ply->material.expansion[flat[r]] + at->zeta * bend[r];
    }
    g[0] = p->curve[24] * a[0] + 0.5 * p->curve[32] * a[2];
    g[1] = p->curve[32] * a[1] + 0.5 * p->curve[24] * a[2];
}

/* position in the ply, -1 ... 1 */
static double within(const spot *at) {
    const double *z = at->ply->z;
    return (2 * at->zeta - z[0] - z[1]) / (z[1] - z[0]);
}

/* stress from strains xx, yy, xy and shears zx, yz */
static void stress_of(const gos_shell *s, const spot *at, const double e[3], const double g[2],
                      double out[6]) {
    static const int flat[3] = {0, 1, 3};
    const double(*Q)[3] = at->ply->Q, (*S)[2] = s->plate.S;
    const double V[2] = {S[0][0] * g[0] + S[0][1] * g[1], S[1][0] * g[0] + S[1][1] * g[1]};
    double tau[2][2];
    gos__fe_lamina_shear(at->ply, within(at), tau);
    for (int r = 0; r < 3; r++) {
        out[flat[r]] = Q[r][0] * e[0] + Q[r][1] * e[1] + Q[r][2] * e[2];
    }
    out[2] = 0;
    out[4] = tau[1][0] * V[0] + tau[1][1] * V[1];
    out[5] = tau[0][0] * V[0] + tau[0][1] * V[1];
}

/* rotate from rows of R to mesh axes */
static void to_mesh(const double *R, bool strain, const double v[6], double out[6]) {
    static const signed char first[6] = {0, 1, 2, 0, 1, 2}, second[6] = {0, 1, 2, 1, 2, 0};
    double t[3][3];
    for (int a = 0; a < 6; a++) {
        t[(int)first[a]][(int)second[a]] = t[(int)second[a]][(int)first[a]] =
            v[a] * (strain && a > 2 ? 0.5 : 1);
    }
    for (int a = 0; a < 6; a++) {
        double sum = 0;
        for (int p = 0; p < 9; p++) {
            sum += R[8 * (3 * (p / 3) + first[a])] * t[p / 3][p % 3] *
                   R[8 * (3 * (p % 3) + second[a])];
        }
        out[a] = strain && a > 2 ? 2 * sum : sum;
    }
}

static double across(const gos_fe_material *m, const double e[6]) {
    return -(m->stiffness[2][0] * e[0] + m->stiffness[2][1] * e[1] + m->stiffness[2][3] * e[3]) /
           m->stiffness[2][2];
}

/* xx, yy, xy and zx, yz at zeta */
static void strain_of(const gos_shell_point *p, int j, double zeta, double e[3], double g[2]) {
    for (int r = 0; r < 3; r++) {
        e[r] = p->B[8 * (r * GOS_SHELL_FREEDOMS + j)] +
               zeta * p->B[8 * ((3 + r) * GOS_SHELL_FREEDOMS + j)];
    }
    for (int r = 0; r < 2; r++) {
        g[r] = p->B[8 * ((6 + r) * GOS_SHELL_FREEDOMS + j)];
    }
}

static void put(const gos_shell_point *p, const spot *at, bool strain, const double v[6],
                double out[6]) {
    const double c = cos(at->ply->angle), s = sin(at->ply->angle);
    const double turn[9] = {c, -s, 0, s, c, 0, 0, 0, 1}; // shell axes in ply axes
    double R[9 * 8] = {0};
    for (int i = 0; i < 9; i++) {
        R[8 * i] = turn[i];
    }
    to_mesh(at->own ? R : p->frame, strain, v, out);
}

static void at_freedom(const gos_shell *s, const gos_shell_point *p, int j, const spot *at,
                       bool strain, double out[6]) {
    double e[3], g[2], v[6];
    strain_of(p, j, at->zeta, e, g);
    if (strain) {
        memcpy(v, (const double[6]){e[0], e[1], 0, e[2], g[1], g[0]}, sizeof v);
        v[2] = across(&at->ply->material, v);
    } else {
        stress_of(s, at, e, g, v);
    }
    put(p, at, strain, v, out);
}

static void at_temperature(const gos_shell *s, const gos_shell_point *p, const spot *at, bool mean,
                           bool strain, double out[6]) {
    const double *a = at->ply->material.expansion, *phi = at->ply->phi;
    const double T = mean ? 1 : 0.5 * (phi[0] + phi[1] + within(at) * (phi[1] - phi[0]));
    double e[3] = {T * a[0], T * a[1], T * a[3]}, g[2] = {0, 0}, v[6] = {0};
    if (mean) {
        free_strain(s, p, at, e, g);
    }
    if (strain) { // strains depend on displacements
        const double in[6] = {e[0], e[1], 0, e[2], 0, 0};
        v[2] = T * a[2] - across(&at->ply->material, in);
    } else {
        stress_of(s, at, e, g, v);
        for (int k = 0; k < 6; k++) {
            v[k] = -v[k];
        }
    }
    put(p, at, strain, v, out);
}

static spot spot_of(const gos_shell *s, const gos_fe_depth *depth) {
    const gos_fe_plate *l = &s->plate;
    if (depth->ply > 0) {
        const gos_fe_lamina *ply = &l->lamina[depth->ply - 1];
        const double *z = ply->z;
        return (spot){.ply = ply,
                      .zeta = 0.5 * (z[0] + z[1] + depth->face * (z[1] - z[0])),
                      .own = depth->own};
    }
    const double zeta = 0.5 * depth->face * l->thickness;
    return (spot){.ply = &l->lamina[gos__fe_plate_at(l, zeta)], .zeta = zeta, .own = depth->own};
}

static void in_lanes(const gos_fe_cell *cell, double *x, double *director) {
    for (int k = 0; k < 12 * 8; k++) {
        x[k] = cell->x[k / 24][k / 8 % 3];
        director[k] = cell->director[k / 24][k / 8 % 3];
    }
}

static void point_of(const gos_shell *s, const gos_fe_cell *cell, const double at[2],
                     gos_shell_point *p) {
    _Alignas(64) double x[8 * 12], director[8 * 12], axis[8 * 3];
    double d[3];
    direction(cell->part, cell->at, s->nodes, (double(*)[3])(uintptr_t)cell->x, d);
    if (s->nodes == 3) {
        gos__shell_triangle_point(s, cell->x, d, at, p);
        return;
    }
    in_lanes(cell, x, director);
    for (int k = 0; k < 24; k++) {
        axis[k] = d[k / 8];
    }
    gos__kernel_shell_point(x, director, s->isotropic ? NULL : axis, at, p);
}

static void recover(const void *data, const gos_fe_cell *cell, bool strain, int n, double (*at)[3],
                    const gos_fe_depth *depth, double *by_u, double *by_t) {
    const gos_shell *s = data;
    const spot place = spot_of(s, depth);
    const size_t nd = 6 * (size_t)s->nodes, nt = 2 * (size_t)s->nodes;
    double out[6];
    gos_shell_point p;
    for (int g = 0; g < n; g++) {
        point_of(s, cell, at[g], &p);
        for (int j = 0; j < (int)nd; j++) {
            at_freedom(s, &p, j, &place, strain, out);
            for (int a = 0; a < 6; a++) {
                by_u[(6L * g + a) * nd + j] = out[a];
            }
        }
        for (int k = 0; k < (int)nt; k++) {
            at_temperature(s, &p, &place, k % 2 == 0, strain, out);
            for (int a = 0; a < 6; a++) {
                by_t[(6L * g + a) * nt + k] = p.N[k / 2] * out[a];
            }
        }
    }
}

/* ---- stress stiffness ------------------------------------------------------------------------ */

/* two per ply, exact for forces and moments: height, fraction of the thickness */
static void level_of(const gos_shell *s, int k, gos_fe_depth *depth, double *zeta, double *part) {
    const double *z = s->plate.lamina[k / 2].z;
    *depth = (gos_fe_depth){.face = (k % 2 ? 1 : -1) / sqrt(3.0), .ply = 1 + k / 2};
    *zeta = 0.5 * (z[0] + z[1] + depth->face * (z[1] - z[0]));
    *part = 0.5 * (z[1] - z[0]);
}

static void stress_at(const void *data, const gos_fe_cell *cell, const double at[3],
                      const gos_fe_depth *depth, const double *u, const double *t,
                      double stress[6]) {
    double by_u[6 * GOS_SHELL_FREEDOMS], by_t[6 * 2 * GOS_SHELL_NODES];
    double place[1][3] = {{at[0], at[1], 0}};
    const int nodes = ((const gos_shell *)data)->nodes, nd = 6 * nodes, nt = 2 * nodes;
    recover(data, cell, false, 1, place, depth, by_u, by_t);
    for (int a = 0; a < 6; a++) {
        stress[a] = 0;
        for (int k = 0; k < nd; k++) {
            stress[a] += by_u[a * nd + k] * u[k];
        }
        for (int k = 0; k < nt; k++) {
            stress[a] += by_t[a * nt + k] * t[k];
        }
    }
}

/* by the freedoms of a node, over N: (3, 6) */
static void particle(const double n[3], double zeta, double by[3][6]) {
    memset(by, 0, 18 * sizeof by[0][0]);
    for (int a = 0; a < 3; a++) { // zeta e_a x n
        const int p = (a + 1) % 3, q = (a + 2) % 3;
        by[a][a] = 1;
        by[q][3 + a] = zeta * n[p];
        by[p][3 + a] = -zeta * n[q];
    }
}

/* in-surface gradient of N_k */
static void slope_of(const gos_shell_point *p, int k, double g[3]) {
    for (int c = 0; c < 3; c++) {
        g[c] = p->slope[8 * (2 * k)] * p->frame[8 * c] +
               p->slope[8 * (2 * k + 1)] * p->frame[8 * (3 + c)];
    }
}

/* grad N_k . stress grad N_l times the area */
static double product(const gos_shell_point *p, const double stress[6], int k, int l) {
    static const signed char place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    double g[2][3], sum = 0;
    slope_of(p, k, g[0]);
    slope_of(p, l, g[1]);
    for (int ab = 0; ab < 9; ab++) {
        sum += g[0][ab / 3] * stress[(int)place[ab / 3][ab % 3]] * g[1][ab % 3];
    }
    return sum * p->area[0];
}

/* int sum_c grad v_c . sigma grad v_c at two levels per ply */
static void stress_stiffness(const void *data, const gos_fe_cell *cell, const double *u,
                             const double *t, double *G) {
    const gos_shell *s = data;
    const int levels = 2 * s->plate.n, nodes = s->nodes, nd = 6 * nodes;
    gos_shell_point p;
    gos_rule rule;
    memset(G, 0, (size_t)nd * nd * sizeof *G);
    gos__rule(s->shape, RULE(s), &rule);
    for (int g = 0; g < levels * rule.n; g++) {
        const double *at = rule.at[g / levels];
        double stress[6], zeta, part;
        gos_fe_depth depth;
        level_of(s, g % levels, &depth, &zeta, &part);
        stress_at(data, cell, at, &depth, u, t, stress);
        point_of(s, cell, at, &p);
        for (int kl = 0; kl < nodes * nodes; kl++) {
            const int k = kl / nodes, l = kl % nodes;
            const double w = rule.weight[g / levels] * part * product(&p, stress, k, l);
            double a[3][6], b[3][6];
            particle(cell->director[k], zeta, a);
            particle(cell->director[l], zeta, b);
            for (int ij = 0; ij < 36; ij++) {
                const int i = ij / 6, j = ij % 6;
                G[(6L * k + i) * nd + 6 * l + j] +=
                    w * (a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j]);
            }
        }
    }
}

typedef struct level_point {
    int nodes;
    gos_shell_point p;
    double zeta, w;                        // height, volume
    double stress[6 * GOS_SHELL_FREEDOMS]; // by displacements ...
    double heat[6 * 2 * GOS_SHELL_NODES];  // ... and temperatures
    double strain[6 * GOS_SHELL_FREEDOMS];
    double shear; // gos_fe_plate.shear
} level_point;

/* slopes of displacements v: slope[component][along] */
static void slopes_of(const level_point *l, const gos_fe_cell *cell, const double *v,
                      double slope[3][3]) {
    memset(slope, 0, 9 * sizeof slope[0][0]);
    for (int k = 0; k < l->nodes; k++) {
        double g[3], by[3][6];
        slope_of(&l->p, k, g);
        particle(cell->director[k], l->zeta, by);
        for (int d = 0; d < 3; d++) {
            double moved = 0;
            for (int f = 0; f < 6; f++) {
                moved += by[d][f] * v[6 * k + f];
            }
            for (int a = 0; a < 3; a++) {
                slope[d][a] += g[a] * moved;
            }
        }
    }
}

/* work of corrected shears with uncorrected stress */
static void correct_shears(const gos_shell_point *p, double correction, double e[6]) {
    static const signed char place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    double n[3], s[3], across = 0;
    for (int c = 0; c < 3; c++) {
        n[c] = p->frame[8 * (6 + c)];
    }
    for (int a = 0; a < 3; a++) {
        s[a] = 0;
        for (int b = 0; b < 3; b++) {
            s[a] += (a == b ? 1 : 0.5) * e[(int)place[a][b]] * n[b];
        }
        across += n[a] * s[a];
    }
    for (int k = 0; k < 6; k++) {
        const int a = k < 3 ? k : k - 3, b = k < 3 ? k : (k + 1 - 3) % 3;
        const double shear = (s[a] - across * n[a]) * n[b] + (s[b] - across * n[b]) * n[a];
        e[k] -= (1 - correction) * (k < 3 ? 1 : 2) * shear;
    }
}

/* of two displacements, and of a further one (NULL: none) */
static void second_strain(const level_point *l, double x[3][3], double y[3][3],
                          const double *further, double eta[6]) {
    static const int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    const int nd = 6 * l->nodes;
    double strain[6] = {0};
    for (int k = 0; k < 6 * nd && further; k++) {
        strain[k / nd] += l->strain[k] * further[k % nd];
    }
    correct_shears(&l->p, l->shear, strain);
    for (int a = 0; a < 6; a++) {
        const int p = row[a], q = column[a];
        eta[a] = strain[a];
        for (int d = 0; d < 3; d++) {
            eta[a] += x[d][p] * y[d][q] + (p != q ? x[d][q] * y[d][p] : 0);
        }
    }
}

static void add_level(const level_point *l, const gos_fe_cell *cell, int m, const double *X,
                      const double *second, double *by_u, double *by_t) {
    const size_t ND = 6 * (size_t)l->nodes, NT = 2 * (size_t)l->nodes;
    double slope[GOS_FE_MOTIONS][3][3];
    for (int i = 0, pair = 0; i < m; i++) {
        slopes_of(l, cell, X + ND * i, slope[i]);
        for (int j = 0; j <= i; j++, pair++) {
            double eta[6];
            second_strain(l, slope[i], slope[j], second ? second + ND * pair : NULL, eta);
            for (int a = 0; a < 6; a++) {
                for (size_t k = 0; k < ND; k++) {
                    by_u[ND * pair + k] += l->w * eta[a] * l->stress[ND * a + k];
                }
                for (size_t k = 0; k < NT; k++) {
                    by_t[NT * pair + k] += l->w * eta[a] * l->heat[NT * a + k];
                }
            }
        }
    }
}

static void stress_work(const void *data, const gos_fe_cell *cell, int m, const double *X,
                        const double *second, double *by_u, double *by_t) {
    const gos_shell *s = data;
    const int levels = 2 * s->plate.n;
    double not_asked[6 * 2 * GOS_SHELL_NODES];
    level_point l;
    gos_rule rule;
    gos__rule(s->shape, RULE(s), &rule);
    l.nodes = s->nodes;
    l.shear = s->plate.shear;
    for (int g = 0; g < levels * rule.n; g++) {
        const double *from = rule.at[g / levels];
        gos_fe_depth depth;
        double at[1][3] = {{from[0], from[1], 0}}, part;
        point_of(s, cell, at[0], &l.p);
        level_of(s, g % levels, &depth, &l.zeta, &part);
        l.w = rule.weight[g / levels] * part * l.p.area[0];
        recover(data, cell, false, 1, at, &depth, l.stress, l.heat);
        if (second) {
            recover(data, cell, true, 1, at, &depth, l.strain, not_asked);
        }
        add_level(&l, cell, m, X, second, by_u, by_t);
    }
}

const gos_fe_element gos__fe_element_shell = {
    .name = "shell",
    .doc = "locking-free shell of four nodes, or thin one of three, with all rotations",
    .dim = 2,
    .freedoms = GOS_FE_UX | GOS_FE_UY | GOS_FE_UZ | GOS_FE_RX | GOS_FE_RY | GOS_FE_RZ,
    .comps = 6,
    .heats = 2,
    .directors = true,
    .thick = true,
    .shapes = 1 << GOS_CELL_QUAD4 | 1 << GOS_CELL_TRI3,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .recover = recover,
    .stress_stiffness = stress_stiffness,
    .stress_work = stress_work,
};
