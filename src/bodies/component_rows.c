/* Linear rows on single components of vector coordinates. */
#include "bodies/component_rows.h"

#include "parts/marker.h"

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
