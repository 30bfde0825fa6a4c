#include "fe/piezo.h"

#include <math.h>

#include "math/vec3.h"

/* mid-surface of the patch, at a point of its cell */
typedef struct level {
    double N[4], dN[2][4];
    double g[2][3];  // tangents by natural coordinates
    double e[2][3];  // axes 1 and 2 of the patch
    double by[2][2]; // natural coordinate a by position along axis i: by[i][a]
    double area;     // per natural coordinates
} level;

static void bilinear(const double at[2], level *l) {
    static const signed char sign[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 4; k++) {
        const double a = 1 + sign[k][0] * at[0], b = 1 + sign[k][1] * at[1];
        l->N[k] = a * b / 4;
        l->dN[0][k] = sign[k][0] * b / 4;
        l->dN[1][k] = sign[k][1] * a / 4;
    }
}

/* first axis along a projected direction. False: inverted */
static bool axes(double (*n)[3], const double along[3], level *l) {
    double normal[3], middle[3] = {0};
    gos__cross3(l->g[0], l->g[1], normal);
    l->area = sqrt(gos__dot3(normal, normal));
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < 3; c++) {
            middle[c] += l->N[k] * n[k][c];
        }
    }
    if (!(l->area > 0) || !(gos__dot3(normal, middle) > 0)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        normal[c] /= l->area;
        l->e[0][c] = along[c];
    }
    const double off = gos__dot3(along, normal), length = sqrt(gos__dot3(along, along));
    double in[3];
    for (int c = 0; c < 3; c++) {
        in[c] = along[c] - off * normal[c];
    }
    if (!(sqrt(gos__dot3(in, in)) > 1e-6 * length)) { // arbitrary
        memcpy(in, l->g[0], sizeof in);
    }
    const double size = sqrt(gos__dot3(in, in));
    for (int c = 0; c < 3; c++) {
        l->e[0][c] = in[c] / size;
    }
    gos__cross3(normal, l->e[0], l->e[1]);
    double J[2][2];
    for (int a = 0; a < 2; a++) {
        for (int i = 0; i < 2; i++) {
            J[a][i] = gos__dot3(l->g[a], l->e[i]);
        }
    }
    const double by = 1 / (J[0][0] * J[1][1] - J[0][1] * J[1][0]);
    l->by[0][0] = J[1][1] * by;
    l->by[0][1] = -J[0][1] * by;
    l->by[1][0] = -J[1][0] * by;
    l->by[1][1] = J[0][0] * by;
    return true;
}

/* for displacement v with slopes s by natural coordinates */
static double strain(const level *l, const double e[3], const double s[2], const double v[3]) {
    double slope[2][2]; // along axis i by position along axis j
    for (int i = 0; i < 2; i++) {
        const double along = gos__dot3(l->e[i], v);
        for (int j = 0; j < 2; j++) {
            slope[i][j] = along * (l->by[j][0] * s[0] + l->by[j][1] * s[1]);
        }
    }
    return e[0] * slope[0][0] + e[1] * slope[1][1] + e[2] * (slope[0][1] + slope[1][0]);
}

static void add_point(const level *l, double (*n)[3], double zeta, const gos_fe_patch *p,
                      gos_fe_patch_row *row) {
    for (int k = 0; k < 4; k++) {
        const double s[2] = {l->dN[0][k], l->dN[1][k]};
        for (int c = 0; c < 3; c++) {
            double unit[3] = {0}, turned[3];
            unit[c] = 1;
            gos__cross3(unit, n[k], turned);
            row->force[k][c] -= l->area * strain(l, p->e, s, unit);
            row->force[k][3 + c] -= l->area * zeta * strain(l, p->e, s, turned);
        }
        row->heat[k][0] -= l->area * p->pyro * l->N[k];
        row->heat[k][1] -= l->area * p->pyro * l->N[k] * zeta;
    }
    row->area += l->area;
}

gos_status gos__fe_patch_row(double (*x)[3], double (*n)[3], double shell, const gos_fe_patch *p,
                             gos_fe_patch_row *row) {
    const double zeta = p->face * (shell + p->thickness) / 2, at = 1 / sqrt(3.0);
    *row = (gos_fe_patch_row){0};
    for (int g = 0; g < 4; g++) {
        level l = {0};
        bilinear((const double[2]){g % 2 ? at : -at, g / 2 ? at : -at}, &l);
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < 3; c++) {
                const double place = x[k][c] + zeta * n[k][c];
                l.g[0][c] += l.dN[0][k] * place;
                l.g[1][c] += l.dN[1][k] * place;
            }
        }
        if (!axes(n, p->along, &l)) {
            return GOS_E_INPUT;
        }
        add_point(&l, n, zeta, p, row);
    }
    row->capacitance = p->permittivity * row->area / p->thickness;
    return GOS_OK;
}

static gos_status refuse(const gos_fe_body *b, int i, int cell, const char *why) {
    return gos__fail(b->ctx, GOS_E_INPUT, "patch %d at cell %lld: %s", i + 1,
                     (long long)gos__mesh_cell_tag(b->mesh, cell), why);
}

static gos_status one(const gos_fe_body *b, int i, const gos_fe_patch *p, gos_fe_patch_row *row,
                      const int **node) {
    const gos_mesh *m = b->mesh;
    const int part = p->cell >= 0 && p->cell < m->ncell ? b->part_of[p->cell] : -1;
    if (part < 0 || !b->part[part].element->directors) {
        return gos__fail(b->ctx, GOS_E_INPUT,
                         "patch %d: there is no cell of a shell with the number %d", i + 1,
                         p->cell + 1);
    }
    int at;
    const gos_cell_block *block = gos__mesh_cell(m, p->cell, &at);
    double x[4][3], n[4][3];
    *node = block->node + (size_t)at * 4;
    for (int k = 0; k < 4; k++) {
        memcpy(x[k], m->x[(*node)[k]], sizeof x[k]);
    }
    gos__fe_cell_directors(b, 4, *node, n);
    if (!(p->thickness > 0)) {
        return refuse(b, i, p->cell, "its thickness is not positive");
    }
    if (b->part[part].offset != 0) {
        return refuse(b, i, p->cell,
                      "its shell has an offset from the mesh, which patches do not support; move "
                      "the mesh instead");
    }
    return gos__fe_patch_row(x, n, b->part[part].thickness, p, row) == GOS_OK
               ? GOS_OK
               : refuse(b, i, p->cell, "the cell is inverted there; reverse its corners");
}

typedef struct entries {
    int count;
    int *i, *j;
    double *x;
} entries;

static void add(entries *t, const gos_fe_layout *l, int comps, const int *node, const double *value,
                int patch, bool by_row) {
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < comps; c++) {
            const int number = gos__fe_number(l, node[k], c);
            if (number >= 0) {
                t->i[t->count] = by_row ? patch : number;
                t->j[t->count] = by_row ? number : patch;
                t->x[t->count++] = value[k * comps + c];
            }
        }
    }
}

static gos_status sum(const gos_fe_body *b, int n, const gos_fe_patch *patch, entries *force,
                      entries *charge, double *capacitance) {
    for (int i = 0; i < n; i++) {
        gos_fe_patch_row row;
        const int *node = NULL;
        GOS_TRY(one(b, i, &patch[i], &row, &node));
        add(force, &b->freedom, 6, node, row.force[0], i, false);
        add(charge, &b->temperature, 2, node, row.heat[0], i, true);
        if (capacitance) {
            capacitance[i] = row.capacitance;
        }
    }
    return GOS_OK;
}

gos_status gos__fe_patches(const gos_fe_body *b, int n, const gos_fe_patch *patch,
                           gos_sparse *force, gos_sparse *charge, double *capacitance) {
    const size_t most = 24 * (size_t)n + 1, all = most + 8 * (size_t)n;
    int *place = gos__alloc(b->ctx, 2 * all, sizeof *place);
    double *value = gos__alloc(b->ctx, all, sizeof *value);
    entries f = {.i = place, .j = place + all, .x = value};
    entries q = {.i = place + most, .j = place + all + most, .x = value + most};
    *force = (gos_sparse){0};
    gos_status status = place && value ? sum(b, n, patch, &f, &q, capacitance) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        status = gos__sparse_from_triplets(b->ctx, b->freedom.n, n, f.count, f.i, f.j, f.x, force);
    }
    if (charge) {
        *charge = (gos_sparse){0};
        if (status == GOS_OK) {
            status = gos__sparse_from_triplets(b->ctx, n, b->temperature.n, q.count, q.i, q.j, q.x,
                                               charge);
        }
    }
    gos__free(b->ctx, place);
    gos__free(b->ctx, value);
    return status;
}
