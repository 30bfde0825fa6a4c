/* Shared by bodies made of a material. */
#include "bodies/body.h"

#include "math/vec3.h"

/* Linear rows on single components of vector coordinates. */

/* sum over c of component c of marker c = 0 */
static void sum_eval(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it);
    for (int c = 0; c < 3; c++) {
        if (io->c) {
            io->c[0] += io->x[4 * c];
        }
        if (io->cx) {
            io->cx[4 * c] = 1;
        }
    }
}

static const gos_item_type sum_row = {.name = "sum of coordinates", .eval = sum_eval};

gos_status gos__add_sum_row(gos_builder *b, const gos_marker x[3], gos_loc loc, const char *name) {
    gos_item item = {.type = &sum_row, .name = name, .loc = loc, .nm = 3, .nc = 1, .linear = true};
    memcpy(item.m, x, 3 * sizeof *x);
    return gos__add_item(b, &item, NULL);
}

gos_status gos__hold_component(gos_builder *b, gos_loc loc, const char *name, int at) {
    const int v = at / 3;
    const double one = 1;
    gos_marker x[3] = {{0}, {0}, {0}};
    GOS_TRY(gos__marker_make(b->arena, 1, &v, &one, NULL, &x[at % 3]));
    x[at % 3].off[at % 3] = -b->e0[v][at % 3];
    return gos__add_sum_row(b, x, loc, name);
}

gos_status gos__sum_markers(gos_arena *a, int n, const int *at, const double *w, gos_marker x[3]) {
    int *idx = GOS_NEW(a, int, n + 1);
    double *weight = GOS_NEW(a, double, n + 1);
    if (!idx || !weight) {
        return GOS_E_MEMORY;
    }
    for (int c = 0; c < 3; c++) {
        int count = 0;
        for (int k = 0; k < n; k++) {
            if (at[k] % 3 == c) {
                idx[count] = at[k] / 3;
                weight[count++] = w[k];
            }
        }
        GOS_TRY(gos__marker_make(a, count, idx, weight, NULL, &x[c]));
    }
    return GOS_OK;
}

gos_status gos__hold_sum(gos_builder *b, gos_loc loc, const char *name, int n, const int *at,
                         const double *w) {
    gos_marker x[3];
    GOS_TRY(gos__sum_markers(b->arena, n, at, w, x));
    return gos__add_sum_row(b, x, loc, name);
}

/* Orthonormality of body axes (natural coordinates). */

static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/* 1/2 (a_i . a_j - delta_ij) */
static void rigidity_eval(const gos_item *it, const gos_item_io *io) {
    GOS_UNUSED(it);
    for (int r = 0; r < 6; ++r) {
        int i = pair[r][0], j = pair[r][1];
        const double *ai = io->x + 3 * i, *aj = io->x + 3 * j;
        if (io->c) {
            io->c[r] = 0.5 * (gos__dot3(ai, aj) - (i == j));
        }
        for (int k = 0; io->cx && k < 3; ++k) {
            io->cx[9 * r + 3 * i + k] += 0.5 * aj[k];
            io->cx[9 * r + 3 * j + k] += 0.5 * ai[k];
        }
        if (io->H) {
            gos__addeye(io->H, 9, i, j, 0.5 * io->lam[r]);
            gos__addeye(io->H, 9, j, i, 0.5 * io->lam[r]);
        }
    }
}

static const unsigned short axes_of[6] = {1, 2, 4, 3, 5, 6}, all[3] = {7, 7, 7};
static const gos_structure structure = {.row = axes_of, .pair = all, .alike = true};

static const gos_item_type rigidity = {.name = "rigidity", .eval = rigidity_eval};

gos_status gos__add_rigidity(gos_builder *b, int axis, const char *name, gos_loc loc) {
    gos_item item = {
        .type = &rigidity, .name = name, .loc = loc, .nm = 3, .nc = 6, .structure = &structure};
    const double one = 1.0;
    for (int j = 0; j < 3; ++j) {
        const int v = axis + j;
        GOS_TRY(gos__marker_make(b->arena, 1, &v, &one, NULL, &item.m[j]));
    }
    return gos__add_item(b, &item, NULL);
}

gos_status gos__body_heat(gos_builder *b, const gos_node *entry, const char *object,
                          int temperature, gos_body *body) {
    int n;
    bool can = true;
    const gos_material *const *m = gos__body_materials(body, &n);
    for (int i = 0; i < n; i++) {
        can = can && m[i]->conductivity > 0 && m[i]->specific_heat > 0;
    }
    if (temperature == 1 && !can) {
        const gos_node *one = n == 1 ? gos__node_get(entry, "material") : NULL;
        return gos__fail_at(b->ctx, GOS_E_INPUT, gos__key_loc(entry, "temperature"), object,
                            "material%s%s%s has no conductivity or specific_heat; give both",
                            one ? " '" : " of one of its parts", one ? one->text : "",
                            one ? "'" : "");
    }
    body->nfam = can && temperature != 2 ? body->section->nfam : 0;
    return GOS_OK;
}
