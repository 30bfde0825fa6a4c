/* CBUSH: springs and dashpots of six components between two points, along element axes. */
#include "base/base.h"
#include "deck/nastran_reader.h"
#include "math/vec3.h"

gos_status gos__nastran_read_pbush(gos_nastran *r, const gos_nastran_card *c) {
    gos_deck_section s = {.kind = GOS_DECK_SPRING, .material = -1};
    double *value = GOS_NEW(r->arena, double, 12); // stiffnesses, damping constants
    GOS_TRY(value ? GOS_OK : GOS_E_MEMORY);
    for (int i = 2; i <= c->n; i += 8) {
        const bool k = gos__nastran_is_word(r, c, i, "K"), b = gos__nastran_is_word(r, c, i, "B");
        if (k || b) {
            GOS_TRY(gos__nastran_reals(r, c, i + 1, k ? "stiffness" : "damping constant", 6,
                                       value + (k ? 0 : 6)));
        } else if (gos__nastran_is_word(r, c, i, "GE")) {
            gos__nastran_warn(r, c, "structural damping GE is not applied");
        } else if (!gos__nastran_is_word(r, c, i, "RCV") && !gos__nastran_blank(r, c, i)) {
            return gos__nastran_fail(r, c, i,
                                     "only K, B, GE and RCV are supported; give mass by "
                                     "CONM2");
        }
    }
    for (int k = 0; k < 12; k++) {
        if (!(value[k] >= 0)) {
            return gos__nastran_fail(r, c, 0, "%s %d is %g; it must not be below 0",
                                     k < 6 ? "stiffness" : "damping constant", k % 6 + 1, value[k]);
        }
    }
    s.matrix = value; // those of elements are made from it
    return gos__nastran_add_property(r, c, &s);
}

/* By CID, else from GA to GB. A single stiffness along the line needs no vector. */
static gos_status bush_axes(gos_nastran *r, const gos_nastran_card *c, int n, const int *node,
                            const double *k, double axis[3][3]) {
    double x[3] = {0, 0, 0}, v[3];
    int64_t id;
    for (int i = 0; i < 3 && n == 2; i++) {
        x[i] = r->mesh->x[node[1]][i] - r->mesh->x[node[0]][i];
    }
    if (!gos__nastran_blank(r, c, 8)) {
        GOS_TRY(gos__nastran_whole(r, c, 8, "coordinate system CID", 0, 0, &id));
        return gos__nastran_axes_at(r, c, 8, id, r->mesh->x[node[0]], axis);
    }
    if (!(gos__norm3(x) > 0)) {
        return gos__nastran_fail(r, c, 8,
                                 "field 9, CID, is empty, but the element has no length that "
                                 "gives its axes; give CID, 0 for the basic system");
    }
    const bool given = !gos__nastran_blank(r, c, 5) || !gos__nastran_blank(r, c, 6) ||
                       !gos__nastran_blank(r, c, 7);
    bool across = false;
    for (int i = 0; i < 12; i++) {
        across = across || (i % 3 != 0 && k[i] != 0);
    }
    if (!given && across) {
        return gos__nastran_fail(r, c, 5,
                                 "the element has neither CID nor an orientation vector, but "
                                 "stiffness across its line; give one of them");
    }
    if (!given) { // any
        const double *u = x;
        const int least = fabs(u[0]) <= fabs(u[1]) && fabs(u[0]) <= fabs(u[2]) ? 0
                          : fabs(u[1]) <= fabs(u[2])                           ? 1
                                                                               : 2;
        const double any[3] = {least == 0, least == 1, least == 2};
        return gos__nastran_frame(r, c, x, any, axis);
    }
    GOS_TRY(gos__nastran_vector(r, c, node[0], v));
    return gos__nastran_frame(r, c, x, v, axis);
}

/* point of the springs: S between the ends, or S1 S2 S3 from GA in OCID */
static gos_status bush_point(gos_nastran *r, const gos_nastran_card *c, int n, const int *node,
                             double at[3]) {
    const double(*x)[3] = (const double(*)[3])r->mesh->x;
    int64_t id;
    double s, own[3], axes[3][3];
    GOS_TRY(gos__nastran_real(r, c, 9, "location S", 0.5, &s));
    GOS_TRY(gos__nastran_whole(r, c, 10, "coordinate system OCID", -1, -1, &id));
    GOS_TRY(gos__nastran_reals(r, c, 11, "offset", 3, own));
    GOS_TRY(gos__nastran_axes_at(r, c, 10, id < 0 ? 0 : id, x[node[0]], axes));
    for (int k = 0; k < 3; k++) {
        at[k] = x[node[0]][k];
        at[k] += id >= 0  ? own[0] * axes[0][k] + own[1] * axes[1][k] + own[2] * axes[2][k]
                 : n == 2 ? s * (x[node[1]][k] - x[node[0]][k])
                          : 0;
    }
    return GOS_OK;
}

/* sum of k b b^T, where b takes the elongations along the axes at the point */
static gos_status bush_matrix(gos_nastran *r, int n, const int *node, double axis[3][3],
                              const double at[3], const double *k, const double **matrix) {
    double *A = GOS_NEW(r->arena, double, 36L * n * n);
    GOS_TRY(A ? GOS_OK : GOS_E_MEMORY);
    for (int m = 0; m < 6; m++) {
        const double *e = axis[m % 3];
        double b[12] = {0};
        for (int i = 0; i < n; i++) {
            const double sign = i == n - 1 ? 1 : -1;
            double arm[3], turn[3];
            for (int j = 0; j < 3; j++) {
                arm[j] = at[j] - r->mesh->x[node[i]][j];
            }
            gos__cross3(arm, e, turn); // e . (theta x arm) = theta . (arm x e)
            for (int j = 0; j < 3; j++) {
                b[6 * i + j] = m < 3 ? sign * e[j] : 0;
                b[6 * i + 3 + j] = sign * (m < 3 ? turn[j] : e[j]);
            }
        }
        for (int i = 0; i < 36 * n * n; i++) {
            A[i] += k[m] * b[i / (6 * n)] * b[i % (6 * n)];
        }
    }
    *matrix = A;
    return GOS_OK;
}

gos_status gos__nastran_read_bush(gos_nastran *r, const gos_nastran_card *c) {
    gos_nastran_property *p;
    int node[2], n = 1;
    double axis[3][3], at[3];
    GOS_TRY(gos__nastran_property_of(r, c, "PBUSH", &p));
    GOS_TRY(gos__nastran_node(r, c, 3, "grid point GA", &node[0]));
    if (!gos__nastran_blank(r, c, 4)) {
        GOS_TRY(gos__nastran_node(r, c, 4, "grid point GB", &node[1]));
        n = 2;
    }
    const double *k = p->section.matrix;
    gos_deck_section s = p->section;
    bool damped = false;
    for (int i = 6; i < 12; i++) {
        damped = damped || k[i] != 0;
    }
    GOS_TRY(bush_axes(r, c, n, node, k, axis));
    GOS_TRY(bush_point(r, c, n, node, at));
    GOS_TRY(bush_matrix(r, n, node, axis, at, k, &s.matrix));
    GOS_TRY(damped ? bush_matrix(r, n, node, axis, at, k + 6, &s.damping) : GOS_OK);
    s.dof[0] = n;
    s.loc = c->loc;
    return gos__nastran_cell_add(r, c, n == 2 ? GOS_CELL_LINE2 : GOS_CELL_POINT, node, &s, p);
}
