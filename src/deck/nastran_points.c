/* Springs, and masses at points. */
#include <math.h>

#include "base/base.h"
#include "deck/nastran_reader.h"

gos_status gos__nastran_read_pelas(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s = {.kind = GOS_DECK_SPRING, .material = -1};
    if (c->n > 4) {
        return gos__nastran_fail(r, c, 5,
                                 "two properties on one card are not supported; write two "
                                 "cards");
    }
    GOS_TRY(gos__nastran_real(r, c, 2, "stiffness", (double)NAN, &s.value[0]));
    return gos__nastran_add_property(r, c, &s);
}

/* End of a spring, with the component; node -1: the ground. Along axes of the mesh. */
static gos_status end_of(gos_nastran *r, const gos_nastran_card *c, int i, int *node, int *dof) {
    int64_t id, component;
    GOS_TRY(gos__nastran_whole(r, c, i, "number of a grid point", 0, 0, &id));
    *node = -1;
    *dof = 0;
    if (id == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__nastran_node_id(r, c, i, id, node));
    GOS_TRY(gos__nastran_whole(r, c, i + 1, "component", 1, GOS_NASTRAN_REQUIRED, &component));
    if (component > 6) {
        return gos__nastran_fail(r, c, i + 1, "the component must be 1 to 6");
    }
    if (r->grid[*node].cd != 0) {
        return gos__nastran_fail(r, c, i,
                                 "springs and masses at a grid point with displacement axes (CD) "
                                 "are not supported; give it CD 0");
    }
    *dof = (int)component;
    return GOS_OK;
}

static gos_status both_ends(gos_nastran *r, const gos_nastran_card *c, int i, int *n, int node[2],
                            int dof[2]) {
    int at[2], component[2];
    *n = 0;
    for (int e = 0; e < 2; e++) {
        GOS_TRY(end_of(r, c, i + 2 * e, &at[e], &component[e]));
        if (at[e] >= 0) {
            node[*n] = at[e];
            dof[*n] = component[e];
            *n += 1;
        }
    }
    return *n > 0 ? GOS_OK : gos__nastran_fail(r, c, i, "the element has no grid point; give one");
}

gos_status gos__nastran_read_spring(gos_nastran *r, const gos_nastran_card *c) {
    gos_nastran_property *p = NULL;
    gos_deck_section s = {
        .kind = GOS_DECK_SPRING, .material = -1, .orientation = -1, .loc = c->loc};
    int n, node[2], dof[2];
    if (strcmp(c->name, "CELAS1") == 0) {
        GOS_TRY(gos__nastran_property_of(r, c, "PELAS", &p));
        s = p->section;
    } else {
        GOS_TRY(gos__nastran_real(r, c, 2, "stiffness", (double)NAN, &s.value[0]));
    }
    if (!(s.value[0] >= 0)) {
        return gos__nastran_fail(r, c, 2, "the stiffness is %g; it must not be below 0",
                                 s.value[0]);
    }
    GOS_TRY(both_ends(r, c, 3, &n, node, dof));
    if (n == 2 && node[0] == node[1]) {
        return gos__nastran_fail(r, c, 3,
                                 "a spring between components of one grid point is not "
                                 "supported");
    }
    s.dof[0] = dof[0];
    s.dof[1] = n == 2 ? dof[1] : 0;
    return gos__nastran_cell_add(r, c, n == 2 ? GOS_CELL_LINE2 : GOS_CELL_POINT, node, &s, p);
}

/* ---- masses ---------------------------------------------------------------------------------- */

static gos_status add_point(gos_nastran *r, const gos_nastran_card *c, int node,
                            const double M[36]) {
    gos_deck_section s = {.kind = GOS_DECK_MASS, .material = -1, .orientation = -1, .loc = c->loc};
    double *own = GOS_NEW(r->arena, double, 36);
    bool point = M[0] == M[7] && M[0] == M[14];
    GOS_TRY(own ? GOS_OK : GOS_E_MEMORY);
    for (int k = 0; k < 36; k++) {
        own[k] = M[k] * r->mass_factor;
        point = point && (M[k] == 0 || (k % 7 == 0 && k < 15));
    }
    s.value[0] = own[0];
    s.matrix = point ? NULL : own;
    return gos__nastran_cell_add(r, c, GOS_CELL_POINT, &node, &s, NULL);
}

/* of one component */
gos_status gos__nastran_read_mass(gos_nastran *r, const gos_nastran_card *c) {
    int n, node[2], dof[2];
    double mass, M[36] = {0};
    GOS_TRY(gos__nastran_real(r, c, 2, "mass", (double)NAN, &mass));
    GOS_TRY(both_ends(r, c, 3, &n, node, dof));
    if (n == 2) {
        return gos__nastran_fail(r, c, 5,
                                 "a mass between two grid points is not supported; give "
                                 "one");
    }
    if (!(mass >= 0)) {
        return gos__nastran_fail(r, c, 2, "the mass is %g; it must not be below 0", mass);
    }
    M[7 * (dof[0] - 1)] = mass;
    return add_point(r, c, node[0], M);
}

/* mass m with centre at d from the node and inertia J about the centre */
static void rigid_mass(double m, const double d[3], double J[3][3], double M[36]) {
    double B[6][6] = {{0}}, C[6][6] = {{0}}; // motion of the centre by that of the node
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        B[k][k] = B[3 + k][3 + k] = 1;
        B[k][3 + p] = d[q];
        B[k][3 + q] = -d[p];
    }
    for (int i = 0; i < 36; i++) {
        const int a = i / 6, b = i % 6;
        for (int k = 0; k < 3; k++) {
            C[a][b] += a < 3 ? (k == 0 ? m * B[a][b] : 0) : J[a - 3][k] * B[3 + k][b];
        }
    }
    memset(M, 0, 36 * sizeof *M);
    for (int i = 0; i < 216; i++) {
        M[i / 36 * 6 + i % 6] += B[i / 6 % 6][i / 36] * C[i / 6 % 6][i % 6];
    }
}

/* from axes in rows to those of the mesh */
static void rotate(double axes[3][3], const double own[3], double v[3]) {
    for (int k = 0; k < 3; k++) {
        v[k] = own[0] * axes[0][k] + own[1] * axes[1][k] + own[2] * axes[2][k];
    }
}

gos_status gos__nastran_read_conm2(gos_nastran *r, const gos_nastran_card *c) {
    int64_t system;
    int node;
    double m, own[3], d[3], J[6], axes[3][3], I[3][3] = {{0}}, M[36];
    GOS_TRY(gos__nastran_node(r, c, 2, "number of a grid point", &node));
    GOS_TRY(gos__nastran_whole(r, c, 3, "coordinate system", -1, 0, &system));
    GOS_TRY(gos__nastran_real(r, c, 4, "mass", 0.0, &m));
    GOS_TRY(gos__nastran_reals(r, c, 5, "offset", 3, own));
    GOS_TRY(gos__nastran_reals(r, c, 9, "inertia", 6, J)); // I11 I21 I22 I31 I32 I33
    GOS_TRY(gos__nastran_axes_at(r, c, 3, system < 0 ? 0 : system, r->mesh->x[node], axes));
    if (!(m >= 0) || !(J[0] >= 0) || !(J[2] >= 0) || !(J[5] >= 0)) {
        return gos__nastran_fail(r, c, 0, "the mass and its inertias must not be below 0");
    }
    rotate(axes, own, d);
    for (int k = 0; k < 3 && system < 0; k++) { // a position
        d[k] = own[k] - r->mesh->x[node][k];
    }
    const double tensor[3][3] = {{J[0], -J[1], -J[3]}, {-J[1], J[2], -J[4]}, {-J[3], -J[4], J[5]}};
    for (int i = 0; i < 81; i++) {
        const int a = i / 27, b = i / 9 % 3, p = i / 3 % 3, q = i % 3;
        I[a][b] += axes[p][a] * tensor[p][q] * axes[q][b];
    }
    rigid_mass(m, d, I, M);
    return add_point(r, c, node, M);
}
