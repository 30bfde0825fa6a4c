/* Eliminates constraints after the unknowns they are coupled to, when fill-in has given them
 * pivots, so that no pivot is taken from an unknown with many other couplings. */
#include "linalg/order.h"

#include <amd.h>
#include <string.h>

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
        if (late[c] && last < 0) { // an empty row has no pivot anywhere
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

/* Distinct rows of columns j to end, extended to whole vectors; returns their number. */
static int whole_rows(const gos_pattern *a, int j, int end, int *seen, int *rows) {
    int n = 0;
    for (int k = a->p[j]; k < a->p[end]; k++) {
        const int i = a->i[k], of = i < 3 * a->vectors ? i / 3 * 3 : i;
        const int size = of < 3 * a->vectors ? 3 : 1;
        for (int c = 0; c < size && seen[of] != j; c++) {
            rows[n++] = of + c;
        }
        seen[of] = j;
    }
    return n;
}

/* Pattern with full vector blocks. Diagonal blocks would make an order separate components that
 * constraints then couple, increasing fill. */
static gos_status fill_vectors(gos_ctx *ctx, const gos_pattern *a, gos_pattern *full) {
    *full = (gos_pattern){.n = a->n, .vectors = a->vectors};
    full->p = gos__alloc(ctx, a->n + 1L, sizeof *full->p);
    full->i = gos__alloc(ctx, 9L * a->nnz + 1, sizeof *full->i);
    int *seen = gos__alloc(ctx, a->n + 1L, sizeof *seen);
    if (!full->p || !full->i || !seen) {
        gos__free(ctx, seen);
        return GOS_E_MEMORY;
    }
    memset(seen, -1, (size_t)a->n * sizeof *seen);
    full->p[0] = 0;
    for (int j = 0; j < a->n;) {
        const int end = j < 3 * a->vectors ? j + 3 : j + 1, from = full->p[j];
        const int n = whole_rows(a, j, end, seen, full->i + from);
        for (int c = j; c < end; c++) {
            memcpy(full->i + from + (size_t)(c - j) * (size_t)n, full->i + from,
                   (size_t)n * sizeof *full->i);
            full->p[c + 1] = full->p[c] + n;
        }
        j = end;
    }
    full->nnz = full->p[a->n];
    gos__free(ctx, seen);
    return GOS_OK;
}

gos_status gos__order_constraints(gos_ctx *ctx, const gos_pattern *a, const bool *late, int *order,
                                  double *products) {
    double info[AMD_INFO];
    const size_t n = a->n;
    gos_pattern full = {0};
    int *work = gos__alloc(ctx, 4 * n + 1, sizeof *work), amd = AMD_OUT_OF_MEMORY;
    gos_status status = work ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && a->vectors > 0) {
        status = fill_vectors(ctx, a, &full);
    }
    if (status == GOS_OK) {
        const gos_pattern *of = a->vectors > 0 ? &full : a;
        amd = amd_order(of->n, of->p, of->i, work, NULL, info);
    }
    if (status == GOS_OK && amd != AMD_OK && amd != AMD_OK_BUT_JUMBLED) {
        status = gos__fail(ctx, amd == AMD_OUT_OF_MEMORY ? GOS_E_MEMORY : GOS_E_INTERNAL,
                           "ordering %d unknowns failed", a->n);
    }
    if (status == GOS_OK) {
        if (products) {
            *products = info[AMD_NMULTSUBS_LU];
        }
        gos__order_late(a, late, work, work + n, order);
    }
    gos__free(ctx, full.p);
    gos__free(ctx, full.i);
    gos__free(ctx, work);
    return status;
}

gos_status gos__order_saddle(gos_ctx *ctx, const gos_pattern *a, bool *late, int *order,
                             double *products) {
    for (int j = 0; j < a->n; j++) {
        late[j] = true;
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            late[j] &= a->i[k] != j;
        }
    }
    return gos__order_constraints(ctx, a, late, order, products);
}
