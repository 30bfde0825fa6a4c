/* Eliminates constraints after the unknowns they are coupled to, when fill-in has given them
 * pivots, so that no pivot is taken from an unknown with many other couplings. */
#include "linalg/order.h"

#include <amd.h>
#include <string.h>
#include <metis.h>

#include "base/global_lock.h"
#include "linalg/mumps.h"

/* Nested dissection by METIS on the graph of nodes instead of unknowns, which is several times
 * faster and fills less. The order is reproducible. G. Karypis and V. Kumar, SIAM J. Sci. Comput.
 * 20 (1998). */

#define WIDE 32 // unknowns over those of a wide constraint

_Static_assert(sizeof(idx_t) == sizeof(int), "METIS of 32 bits");

/* Graph of nodes: first the field nodes, then one for each constraint. */
typedef struct graph {
    int n, ncomp, nfirst, nfield; // nodes, unknowns per node, unknowns in field nodes, field nodes
    int *start, *to;              // neighbours (n + 1), (start[n])
    int *mark;                    // (n)
} graph;

static int node_of(const graph *g, int i) {
    return i < g->nfirst ? i / g->ncomp : g->nfield + i - g->nfirst;
}

/* End of the unknowns of node v; the last field node may have fewer. */
static int end_of(const graph *g, int v, int first) {
    const int end = first + (v < g->nfield ? g->ncomp : 1);
    return v < g->nfield && end > g->nfirst ? g->nfirst : end;
}

/* Writes the neighbours of node v to `to` unless NULL; returns their number. */
static int neighbours(const graph *g, const gos_pattern *a, int v, int *to) {
    const bool field = v < g->nfield;
    const int first = field ? v * g->ncomp : g->nfirst + v - g->nfield;
    int count = 0;
    g->mark[v] = v;
    for (int j = first; j < end_of(g, v, first); j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            const int w = node_of(g, a->i[k]);
            if (g->mark[w] != v) {
                g->mark[w] = v;
                if (to) {
                    to[count] = w;
                }
                count++;
            }
        }
    }
    return count;
}

static gos_status make_graph(gos_ctx *ctx, const gos_pattern *a, graph *g) {
    g->start = gos__zalloc(ctx, g->n + 1L, sizeof *g->start);
    g->mark = gos__alloc(ctx, g->n + 1L, sizeof *g->mark);
    if (!g->start || !g->mark) {
        return GOS_E_MEMORY;
    }
    memset(g->mark, -1, g->n * sizeof *g->mark);
    for (int v = 0; v < g->n; v++) {
        g->start[v + 1] = g->start[v] + neighbours(g, a, v, NULL);
    }
    g->to = gos__alloc(ctx, g->start[g->n] + 1L, sizeof *g->to);
    if (!g->to) {
        return GOS_E_MEMORY;
    }
    memset(g->mark, -1, g->n * sizeof *g->mark);
    for (int v = 0; v < g->n; v++) {
        (void)neighbours(g, a, v, g->to + g->start[v]);
    }
    return GOS_OK;
}

/* node[k]: node eliminated as number k; place: inverse. */
static gos_status order_nodes(gos_ctx *ctx, int n, int *start, int *to, int *node, int *place) {
    idx_t options[METIS_NOPTIONS];
    (void)METIS_SetDefaultOptions(options);
    // METIS uses the C library's random numbers, so calls must not overlap, also with MUMPS
    gos__library_lock(GOS_LIBRARY_MUMPS);
    const int status = METIS_NodeND(&n, start, to, NULL, options, node, place);
    gos__library_unlock(GOS_LIBRARY_MUMPS);
    return status == METIS_OK
               ? GOS_OK
               : gos__fail(ctx, status == METIS_ERROR_MEMORY ? GOS_E_MEMORY : GOS_E_INTERNAL,
                           "ordering %d nodes failed", n);
}

static gos_status dissect(gos_ctx *ctx, graph *g, int *node, int *base) {
    GOS_TRY(order_nodes(ctx, g->n, g->start, g->to, node, g->mark));
    int at = 0;
    for (int k = 0; k < g->n; k++) {
        const bool field = node[k] < g->nfield;
        const int first = field ? node[k] * g->ncomp : g->nfirst + node[k] - g->nfield;
        for (int i = first; i < end_of(g, node[k], first); i++) {
            base[at++] = i;
        }
    }
    return GOS_OK;
}

static uint64_t scatter(uint64_t i) {
    i = (i + 1) * 0x9e3779b97f4a7c15u;
    return i ^ i >> 29;
}

/* Groups consecutive unknowns with equal neighbours, by hash sums, into nodes: of (n), first
 * unknowns (nodes + 1). A collision merely merges two nodes. */
static int join_alike(const gos_pattern *a, uint64_t *sum, int *of, int *first) {
    int count = 0;
    for (int j = 0; j < a->n; j++) {
        sum[j] = 0;
    }
    for (int j = 0; j < a->n; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            sum[j] += scatter((uint64_t)a->i[k]);
            sum[a->i[k]] += a->i[k] > j ? scatter((uint64_t)j) : 0;
        }
    }
    for (int j = 0; j < a->n; j++) {
        if (j == 0 || sum[j] != sum[j - 1]) {
            first[count++] = j;
        }
        of[j] = count - 1;
    }
    first[count] = a->n;
    return count;
}

/* Next neighbour of node v from entry *k on, by first unknowns; -1: none. */
static int next_edge(const gos_pattern *a, const int *of, const int *first, int v, int *k) {
    for (; *k < a->p[first[v] + 1]; ++*k) {
        const int w = of[a->i[*k]];
        if (w != v && first[w] == a->i[*k]) {
            ++*k;
            return w;
        }
    }
    return -1;
}

/* Neighbours of nodes: start (nodes + 1), *to. */
static gos_status join_edges(gos_ctx *ctx, const gos_pattern *a, int nodes, const int *of,
                             const int *first, int *start, int **to) {
    memset(start, 0, ((size_t)nodes + 1) * sizeof *start);
    for (int v = 0; v < nodes; v++) {
        int k = a->p[first[v]];
        for (int w = next_edge(a, of, first, v, &k); w >= 0; w = next_edge(a, of, first, v, &k)) {
            start[v + 1]++;
            start[w + 1]++;
        }
    }
    for (int v = 0; v < nodes; v++) {
        start[v + 1] += start[v];
    }
    *to = gos__alloc(ctx, start[nodes] + 1L, sizeof **to);
    GOS_TRY(*to ? GOS_OK : GOS_E_MEMORY);
    // start is advanced while filling, then restored
    for (int v = 0; v < nodes; v++) {
        int k = a->p[first[v]];
        for (int w = next_edge(a, of, first, v, &k); w >= 0; w = next_edge(a, of, first, v, &k)) {
            (*to)[start[v]++] = w;
            (*to)[start[w]++] = v;
        }
    }
    for (int v = nodes; v > 0; v--) {
        start[v] = start[v - 1];
    }
    start[0] = 0;
    return GOS_OK;
}

gos_status gos__dissect_lower(gos_ctx *ctx, const gos_pattern *a, int *order) {
    const size_t n = a->n;
    int *work = gos__alloc(ctx, 5 * n + 3, sizeof *work), *to = NULL;
    int *of = work, *first = work + n, *start = first + n + 1, *node = start + n + 1,
        *place = node + n;
    uint64_t *sum = gos__alloc(ctx, n + 1, sizeof *sum);
    gos_status status = work && sum ? GOS_OK : GOS_E_MEMORY;
    int nodes = 0, at = 0;
    if (status == GOS_OK) {
        nodes = join_alike(a, sum, of, first);
        status = join_edges(ctx, a, nodes, of, first, start, &to);
    }
    status = status == GOS_OK ? order_nodes(ctx, nodes, start, to, node, place) : status;
    for (int k = 0; k < nodes && status == GOS_OK; k++) {
        for (int i = first[node[k]]; i < first[node[k] + 1]; i++) {
            order[at++] = i;
        }
    }
    gos__free(ctx, work);
    gos__free(ctx, to);
    gos__free(ctx, sum);
    return status;
}

/* base (n): unknowns ordered by nodes of `ncomp` unknowns. */
static gos_status by_nodes(gos_ctx *ctx, const gos_pattern *pattern, int ncomp, int nlast,
                           int *node, int *base) {
    graph g = {.ncomp = ncomp, .nfirst = pattern->n - nlast};
    g.nfield = (g.nfirst + ncomp - 1) / ncomp;
    g.n = g.nfield + nlast;
    gos_status status = make_graph(ctx, pattern, &g);
    status = status == GOS_OK ? dissect(ctx, &g, node, base) : status;
    gos__free(ctx, g.start);
    gos__free(ctx, g.to);
    gos__free(ctx, g.mark);
    return status;
}

/* Is j a constraint of many unknowns? Its place is near the end in any order. In the graph it
 * would hide which unknowns belong to one node. */
static bool is_wide(const gos_pattern *a, int nlast, int j) {
    return j >= a->n - nlast && a->p[j + 1] - a->p[j] > a->n / WIDE;
}

/* Without `ncomp`, nodes are detected by equal neighbours. */
static gos_status by_likeness(gos_ctx *ctx, const gos_pattern *pattern, int nlast, int *base) {
    const int n = pattern->n;
    gos_pattern lower = {.n = n};
    lower.p = gos__alloc(ctx, n + 1L, sizeof *lower.p);
    lower.i = gos__alloc(ctx, pattern->nnz + 1L, sizeof *lower.i);
    gos_status status = lower.p && lower.i ? GOS_OK : GOS_E_MEMORY;
    for (int j = 0; j < n && status == GOS_OK; j++) {
        lower.p[j] = lower.nnz;
        for (int k = pattern->p[j]; k < pattern->p[j + 1]; k++) {
            lower.i[lower.nnz] = pattern->i[k];
            lower.nnz += pattern->i[k] >= j && !is_wide(pattern, nlast, pattern->i[k]);
        }
    }
    if (status == GOS_OK) {
        lower.p[n] = lower.nnz;
        status = gos__dissect_lower(ctx, &lower, base);
    }
    gos__free(ctx, lower.p);
    gos__free(ctx, lower.i);
    return status;
}

/* Second step of it: order := base (n) with late unknowns moved; work (3, n). */
static void order_late(const gos_pattern *a, const bool *late, const int *base, int *work,
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

gos_status gos__dissect(gos_ctx *ctx, const gos_pattern *pattern, int ncomp, int nlast,
                        int *order) {
    const size_t n = pattern->n;
    int *work = gos__alloc(ctx, 5 * n + 1, sizeof *work), *base = work + n;
    bool *late = gos__zalloc(ctx, n + 1, sizeof *late);
    for (int c = pattern->n - nlast; c < pattern->n && late; c++) {
        late[c] = true;
    }
    gos_status status = !work || !late ? GOS_E_MEMORY
                        : ncomp > 0    ? by_nodes(ctx, pattern, ncomp, nlast, work, base)
                                       : by_likeness(ctx, pattern, nlast, base);
    if (status == GOS_OK) {
        order_late(pattern, late, base, work + 2 * n, order);
    }
    gos__free(ctx, work);
    gos__free(ctx, late);
    return status;
}

/* Distinct rows of columns j to end, extended to whole vectors; returns their number. */
static int whole_rows(const gos_pattern *a, int j, int end, int *visited, int *rows) {
    int n = 0;
    for (int k = a->p[j]; k < a->p[end]; k++) {
        const int i = a->i[k], of = i < 3 * a->vectors ? i / 3 * 3 : i;
        const int size = of < 3 * a->vectors ? 3 : 1;
        for (int c = 0; c < size && visited[of] != j; c++) {
            rows[n++] = of + c;
        }
        visited[of] = j;
    }
    return n;
}

/* Pattern with full vector blocks. Diagonal blocks would make an order separate components that
 * constraints then couple, increasing fill. */
static gos_status fill_vectors(gos_ctx *ctx, const gos_pattern *a, gos_pattern *full) {
    *full = (gos_pattern){.n = a->n, .vectors = a->vectors};
    full->p = gos__alloc(ctx, a->n + 1L, sizeof *full->p);
    full->i = gos__alloc(ctx, 9L * a->nnz + 1, sizeof *full->i);
    int *visited = gos__alloc(ctx, a->n + 1L, sizeof *visited);
    if (!full->p || !full->i || !visited) {
        gos__free(ctx, visited);
        return GOS_E_MEMORY;
    }
    memset(visited, -1, (size_t)a->n * sizeof *visited);
    full->p[0] = 0;
    for (int j = 0; j < a->n;) {
        const int end = j < 3 * a->vectors ? j + 3 : j + 1, from = full->p[j];
        const int n = whole_rows(a, j, end, visited, full->i + from);
        for (int c = j; c < end; c++) {
            memcpy(full->i + from + (size_t)(c - j) * (size_t)n, full->i + from,
                   (size_t)n * sizeof *full->i);
            full->p[c + 1] = full->p[c] + n;
        }
        j = end;
    }
    full->nnz = full->p[a->n];
    gos__free(ctx, visited);
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
        order_late(a, late, work, work + n, order);
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
