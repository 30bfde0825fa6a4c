/* Two-node beams on meshes, with elements of beam_frame.h. Temperature is uniform over the section,
   linear along the beam; thermal stress uses the cell's mean. */
#include <lapacke.h>
#include <math.h>

#include "fe/beam_frame.h"
#include "fe/element.h"
#include "fe/beam_section.h"

#define NODES 2
#define ROWS GOS_BEAM_ROWS

typedef struct beam {
    const gos_fe_profile *profile;
    double E, G[2], alpha; // along x; shear in the planes xy and xz
    double strain[6];      // strain per stress xx [1/Pa]
    double expansion[6];   // strain per temperature [1/K]
    double conduct, heat;  // [W m/K], [J m^-1 K^-1]
    double line_mass;      // [kg/m]
} beam;

/* one cell */
typedef struct made {
    gos_fe_beam element;
    double length;
    double stretch[ROWS];
} made;

static bool compliance(const gos_fe_material *m, double s[6]) {
    double A[36], b[6] = {1, 0, 0, 0, 0, 0};
    memcpy(A, m->stiffness, sizeof A);
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', 6, 1, A, 6, b, 6) != 0) {
        return false;
    }
    memcpy(s, b, sizeof b);
    return s[0] > 0;
}

static gos_status prepare(gos_ctx *ctx, const gos_fe_part *part, gos_cell_shape shape,
                          gos_arena *arena, void **data) {
    const gos_fe_material *m = part->material;
    const gos_fe_profile *p = part->profile;
    beam *b = GOS_NEW(arena, beam, 1);
    GOS_UNUSED(shape);
    GOS_TRY(b ? GOS_OK : GOS_E_MEMORY);
    if (!compliance(m, b->strain)) {
        return gos__fail_at(
            ctx, GOS_E_INPUT, part->loc, part->object,
            "the strain energy of its material is not positive; check its elastic constants");
    }
    b->profile = p;
    b->E = 1 / b->strain[0];
    b->G[0] = m->stiffness[3][3];
    b->G[1] = m->stiffness[5][5];
    b->alpha = m->expansion[0];
    memcpy(b->expansion, m->expansion, sizeof b->expansion);
    b->conduct = m->conductivity[0][0] * p->A;
    b->line_mass = m->density * p->A;
    b->heat = b->line_mass * m->heat;
    *data = b;
    return GOS_OK;
}

/* element from x0 to x1; false: no length or direction */
static bool make(const beam *b, const double x0[3], const double x1[3], made *to) {
    const gos_fe_profile *p = b->profile;
    gos_fe_beam *e = &to->element;
    const double rho = b->line_mass / p->A;
    *e = (gos_fe_beam){.line_mass = b->line_mass,
                       .inertia = {rho * p->Iz, rho * p->Iy},
                       .EA = b->E * p->A,
                       .EI = {b->E * p->Iz, b->E * p->Iy},
                       // mean torsional stiffness of both planes
                       .GJ = 0.5 * (b->G[0] + b->G[1]) * p->J,
                       .GA = {p->shear[0] * b->G[0] * p->A, p->shear[1] * b->G[1] * p->A}};
    if (!gos__fe_profile_axes(p, x0, x1, e->axis, &to->length)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        e->offset[c] = p->offset[0] * e->axis[1][c] + p->offset[1] * e->axis[2][c];
    }
    gos_fe_section s;
    gos__fe_beam_section(e, to->length, 0.5, &s);
    for (int k = 0; k < ROWS; k++) {
        to->stretch[k] = s.strain[k][0];
    }
    return true;
}

/* ---- matrices -------------------------------------------------------------------------------- */

static size_t scratch(const void *data) {
    GOS_UNUSED(data);
    return 0;
}

static void put(double *lanes, int lane, int n, const double *from) {
    for (int k = 0; k < n && lanes; k++) {
        lanes[8 * k + lane] = from[k];
    }
}

/* `least` marks a cell that cannot be made */
static void one_lane(const beam *b, int l, const made *m, gos_fe_local *local) {
    static const double none[NODES * NODES] = {0};
    const double h = m->length, force = 0.5 * b->alpha * m->element.EA * h;
    const double C = b->heat * h / 6, conduct = b->conduct / h;
    const double capacity[4] = {2 * C, C, C, 2 * C};
    const double flow[4] = {conduct, -conduct, -conduct, conduct};
    double K[ROWS * ROWS], D[ROWS * ROWS], couple[ROWS * NODES];
    if (local->K) {
        gos__fe_beam_stiffness(&m->element, h, K, D);
        put(local->K, l, ROWS * ROWS, K);
    }
    for (int k = 0; k < ROWS * NODES; k++) {
        couple[k] = force * m->stretch[k / NODES];
    }
    put(local->couple, l, ROWS * NODES, couple);
    put(local->C, l, NODES * NODES, capacity);
    put(local->conduct, l, NODES * NODES, flow);
    put(local->mass, l, NODES * NODES, none); // particle mass is in `gram`
}

static void matrices(const void *data, const gos_fe_batch *batch, gos_fe_local *local) {
    const beam *b = data;
    for (int l = 0; l < GOS_FE_LANES; l++) {
        double x[NODES][3];
        made m = {.length = 0};
        for (int k = 0; k < 3 * NODES; k++) {
            x[k / 3][k % 3] = batch->x[8 * k + l];
        }
        local->least[l] = make(b, x[0], x[1], &m) ? 1 : 0;
        if (local->least[l] > 0) {
            one_lane(b, l, &m, local);
        }
    }
}

static void gram(const void *data, const gos_fe_cell *cell, double *G) {
    made m;
    memset(G, 0, GOS_BEAM_FIELDS * GOS_BEAM_FIELDS * sizeof *G);
    if (make(data, cell->x[0], cell->x[1], &m)) {
        gos__fe_beam_gram(&m.element, cell->x[0], cell->x[1], true, G);
    }
}

static void turned(const void *data, const gos_fe_cell *cell, int c, int d, double *S) {
    made m;
    memset(S, 0, ROWS * ROWS * sizeof *S);
    if (make(data, cell->x[0], cell->x[1], &m)) {
        gos__fe_beam_turned(&m.element, m.length, true, c, d, S);
    }
}

/* ---- stress ---------------------------------------------------------------------------------- */

/* from cell to mesh axes; engineering shear strains */
static void to_mesh(double axis[3][3], bool strain, const double v[6], double out[6]) {
    static const signed char place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
    static const signed char row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    for (int a = 0; a < 6; a++) {
        out[a] = 0;
        for (int ij = 0; ij < 9; ij++) {
            const int i = ij / 3, j = ij % 3;
            out[a] += (strain && i != j ? 0.5 : 1) * v[(int)place[i][j]] * axis[i][(int)row[a]] *
                      axis[j][(int)column[a]];
        }
        out[a] *= strain && a > 2 ? 2 : 1;
    }
}

/* stress, or strain with transverse strains, by unit axial strain and by unit temperature without
   strain; mesh axes */
static void tensors(const beam *b, double axis[3][3], bool strain, double by_e[6], double by_t[6]) {
    double e[6] = {b->E}, t[6] = {-b->E * b->alpha};
    for (int a = 0; a < 6 && strain; a++) {
        e[a] = b->E * b->strain[a];
        t[a] = b->expansion[a] - b->alpha * e[a];
    }
    to_mesh(axis, strain, e, by_e);
    to_mesh(axis, strain, t, by_t);
}

/* Axial and bending stress; shear stresses over the section are unknown. */
static void recover(const void *data, const gos_fe_cell *cell, bool strain, int n, double (*at)[3],
                    const gos_fe_depth *depth, double *by_u, double *by_t) {
    const beam *b = data;
    double e[6] = {0}, t[6] = {0};
    made m;
    const bool good = make(b, cell->x[0], cell->x[1], &m);
    if (good) {
        tensors(b, m.element.axis, strain, e, t);
    }
    for (int g = 0; g < n; g++) {
        gos_fe_section s = {0};
        if (good) {
            gos__fe_beam_section(&m.element, m.length, 0.5 * (1 + at[g][0]), &s);
        }
        for (int k = 0; k < 6 * ROWS; k++) {
            const int a = k / ROWS, j = k % ROWS;
            const double axial =
                s.strain[j][0] - depth->fibre[0] * s.curve[j][1] - depth->fibre[1] * s.curve[j][2];
            by_u[(size_t)(6 * g + a) * ROWS + j] = e[a] * axial;
        }
        for (int k = 0; k < 6 * NODES; k++) {
            by_t[(size_t)(6 * g + k / NODES) * NODES + k % NODES] = 0.5 * t[k / NODES];
        }
    }
}

static void forces_of(const made *m, double F[GOS_BEAM_FORCES][ROWS],
                      double S[GOS_BEAM_FORCES][ROWS * ROWS]) {
    gos__fe_beam_forces(&m->element, m->length, F);
    for (int k = 0; k < GOS_BEAM_FORCES; k++) {
        gos__fe_beam_force_stress(&m->element, m->length, k, S[k]);
    }
}

static void stress_stiffness(const void *data, const gos_fe_cell *cell, const double *u,
                             const double *t, double *G) {
    const beam *b = data;
    double F[GOS_BEAM_FORCES][ROWS], S[GOS_BEAM_FORCES][ROWS * ROWS];
    made m;
    memset(G, 0, ROWS * ROWS * sizeof *G);
    if (!make(b, cell->x[0], cell->x[1], &m)) {
        return;
    }
    forces_of(&m, F, S);
    for (int k = 0; k < (cell->axial ? 1 : GOS_BEAM_FORCES); k++) {
        double force = k == GOS_BEAM_N ? -0.5 * m.element.EA * b->alpha * (t[0] + t[1]) : 0;
        for (int i = 0; i < ROWS; i++) {
            force += F[k][i] * u[i];
        }
        for (int i = 0; i < ROWS * ROWS; i++) {
            G[i] += force * S[k][i];
        }
    }
}

/* x^T S y for each section force */
static void products_of(double S[GOS_BEAM_FORCES][ROWS * ROWS], const double *x, const double *y,
                        double product[GOS_BEAM_FORCES]) {
    for (int k = 0; k < GOS_BEAM_FORCES; k++) {
        product[k] = 0;
        for (int i = 0; i < ROWS * ROWS; i++) {
            product[k] += x[i / ROWS] * S[k][i] * y[i % ROWS];
        }
    }
}

/* the second displacement has all strains */
static void stress_work(const void *data, const gos_fe_cell *cell, int m, const double *X,
                        const double *second, double *by_u, double *by_t) {
    const beam *b = data;
    double S[GOS_BEAM_FORCES][ROWS * ROWS], F[GOS_BEAM_FORCES][ROWS];
    double K[ROWS * ROWS], D[ROWS * ROWS], product[GOS_BEAM_FORCES];
    made to;
    if (!make(b, cell->x[0], cell->x[1], &to)) {
        return;
    }
    const double heat = 0.5 * to.element.EA * b->alpha;
    forces_of(&to, F, S);
    gos__fe_beam_stiffness(&to.element, to.length, K, D);
    for (int i = 0, pair = 0; i < m; i++) {
        for (int j = 0; j <= i; j++, pair++) {
            const double *further = second ? second + (size_t)ROWS * pair : NULL;
            double stretch = 0;
            products_of(S, X + ROWS * i, X + ROWS * j, product);
            for (int k = 0; k < ROWS; k++) {
                for (int p = 0; p < GOS_BEAM_FORCES; p++) {
                    by_u[ROWS * pair + k] += product[p] * F[p][k];
                }
                for (int l = 0; l < ROWS && further; l++) {
                    by_u[ROWS * pair + k] += K[ROWS * k + l] * further[l];
                }
                stretch += further ? to.stretch[k] * further[k] : 0;
            }
            for (int k = 0; k < NODES; k++) {
                by_t[NODES * pair + k] -= heat * (product[GOS_BEAM_N] + to.length * stretch);
            }
        }
    }
}

const gos_fe_element gos__fe_element_beam = {
    .name = "beam",
    .doc = "straight beam of two nodes with axial, torsional, bending and shear deformation "
           "(Timoshenko)",
    .dim = 1,
    .freedoms = GOS_FE_UX | GOS_FE_UY | GOS_FE_UZ | GOS_FE_RX | GOS_FE_RY | GOS_FE_RZ,
    .comps = 6,
    .heats = 1,
    .shapes = 1 << GOS_CELL_LINE2,
    .prepare = prepare,
    .scratch = scratch,
    .matrices = matrices,
    .gram = gram,
    .turned = turned,
    .recover = recover,
    .stress_stiffness = stress_stiffness,
    .stress_work = stress_work,
};
