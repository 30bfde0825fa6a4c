/* Constraints after what they hold: by then elimination has filled in their pivots, so that no pivot is
   taken from the row of an unknown that is still coupled with everything. */
#include "linalg/order.h"

#include <amd.h>

void gos__order_late(const gos_pattern *a, const bool *late, const int *base, int *work,
                     int *order) {
    const int n = a->n;
    int *place = work, *head = work + n, *next = work + 2 * n, at = 0;
    for (int k = 0; k < n; k++) {
        place[base[k]] = k;
        head[k] = next[k] = -1;
    }
    for (int c = n - 1; c >= 0; c--) {
        int last = -1;
        for (int k = a->p[c]; k < a->p[c + 1] && late[c]; k++) {
            if (!late[a->i[k]] && place[a->i[k]] > last) {
                last = place[a->i[k]];
            }
        }
        if (late[c] && last < 0) { // an empty row: its pivot vanishes wherever it stands
            order[at++] = c;
        } else if (late[c]) {
            next[c] = head[last];
            head[last] = c;
        }
    }
    for (int k = 0; k < n; k++) {
        if (!late[base[k]]) {
            order[at++] = base[k];
            for (int c = head[k]; c >= 0; c = next[c]) {
                order[at++] = c;
            }
        }
    }
}

gos_status gos__order_constraints(gos_ctx *ctx, const gos_pattern *a, const bool *late, int *order,
                                  double *products) {
    double info[AMD_INFO];
    const size_t n = a->n;
    int *work = gos__alloc(ctx, 4 * n + 1, sizeof *work);
    if (!work) {
        return GOS_E_MEMORY;
    }
    const int status = amd_order(a->n, a->p, a->i, work, NULL, info);
    if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED) {
        gos__free(ctx, work);
        return gos__fail(ctx, status == AMD_OUT_OF_MEMORY ? GOS_E_MEMORY : GOS_E_INTERNAL,
                         "ordering %d unknowns failed", a->n);
    }
    if (products) {
        *products = info[AMD_NMULTSUBS_LU];
    }
    gos__order_late(a, late, work, work + n, order);
    gos__free(ctx, work);
    return GOS_OK;
}
