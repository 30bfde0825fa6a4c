#include "floating/clamped_modes.h"

#include <math.h>

#include "linalg/dense.h"

#define RIGID 6    // rigid motions
#define SAME 1e-10 // squared norm of the remainder of a row over that of the row

typedef struct holding {
    const gos_flex *flex;
    int n;      // constraint rows
    int *start; // (n + 1)
    int *at;
    double *x;
} holding;

static void add_row(holding *h, int n, const int *at, const double *x) {
    const int from = h->start[h->n];
    memcpy(h->at + from, at, (size_t)n * sizeof *at);
    memcpy(h->x + from, x, (size_t)n * sizeof *x);
    if (n > 0) {
        h->start[++h->n] = from + n;
    }
}

static void collect(holding *h, const gos_sparse *frame, const gos_floating_names *names) {
    const gos_sparse *of[2] = {&h->flex->move, &h->flex->turn};
    for (int r = 0; r < frame->n; r++) {
        const int p = frame->p[r];
        add_row(h, frame->p[r + 1] - p, frame->i + p, frame->x + p);
    }
    for (int k = 0; k < 6 * names->nend; k++) {
        const gos_sparse *A = of[k / 3 % 2];
        const int column = 3 * names->end[k / 6] + k % 3, p = A->p[column];
        add_row(h, A->p[column + 1] - p, A->i + p, A->x + p);
    }
}

/* Gram matrix of the rows (n, n); wide (flex->n) is scratch, all 0 */
static void products(const holding *h, double *wide, double *G) {
    for (int r = 0; r < h->n; r++) {
        for (int k = h->start[r]; k < h->start[r + 1]; k++) {
            wide[h->at[k]] = h->x[k];
        }
        for (int s = 0; s <= r; s++) {
            double sum = 0;
            for (int k = h->start[s]; k < h->start[s + 1]; k++) {
                sum += h->x[k] * wide[h->at[k]];
            }
            G[r * h->n + s] = sum;
        }
        for (int k = h->start[r]; k < h->start[r + 1]; k++) {
            wide[h->at[k]] = 0;
        }
    }
}

/* overwrite row r by that of the Cholesky factor; false: dependent, zeroed */
static bool independent(int n, double *G, int r) {
    double *g = G + (size_t)r * n, left = g[r];
    const double all = g[r];
    for (int s = 0; s < r; s++) {
        const double *before = G + (size_t)s * n;
        for (int k = 0; k < s; k++) {
            g[s] -= g[k] * before[k];
        }
        g[s] = before[s] > 0 ? g[s] / before[s] : 0;
        left -= g[s] * g[s];
    }
    g[r] = left > SAME * all ? sqrt(left) : 0;
    return g[r] > 0;
}

/* independent rows: C (rows, n) */
static gos_status choose(const holding *h, gos_sparse *C) {
    gos_ctx *ctx = h->flex->ctx;
    const int n = h->n, all = h->start[n];
    double *G = gos__alloc(ctx, (size_t)n * n + 1, sizeof *G);
    double *wide = gos__zalloc(ctx, (size_t)h->flex->n + 1, sizeof *wide);
    double *x = gos__alloc(ctx, (size_t)all + 1, sizeof *x);
    int *place = gos__alloc(ctx, 2 * (size_t)all + 1, sizeof *place), rows = 0, count = 0;
    gos_status status = G && wide && x && place ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        products(h, wide, G);
    }
    for (int r = 0; r < n && status == GOS_OK; r++) {
        const bool says = independent(n, G, r);
        for (int k = h->start[r]; k < h->start[r + 1] && says; k++) {
            place[count] = rows;
            place[all + count] = h->at[k];
            x[count++] = h->x[k];
        }
        rows += says;
    }
    status = status == GOS_OK
                 ? gos__sparse_from_triplets(ctx, rows, h->flex->n, count, place, place + all, x, C)
                 : status;
    gos__free(ctx, G);
    gos__free(ctx, wide);
    gos__free(ctx, x);
    gos__free(ctx, place);
    return status;
}

/* Rows that fix all attachment points; the frame's conditions only if the frame is fixed too. */
static gos_status find_rows(const gos_flex *flex, const gos_floating_names *names, gos_sparse *C) {
    gos_ctx *ctx = flex->ctx;
    holding h = {.flex = flex};
    gos_sparse frame = {0};
    const bool framed = names->framed && flex->C.p && flex->C.m > 0;
    GOS_TRY(framed ? gos__sparse_transpose(ctx, &flex->C, &frame) : GOS_OK);
    size_t room = (size_t)frame.nnz;
    for (int k = 0; k < names->nend; k++) {
        const int at = 3 * names->end[k];
        room += (size_t)(flex->move.p[at + 3] - flex->move.p[at]) +
                (size_t)(flex->turn.p[at + 3] - flex->turn.p[at]);
    }
    h.start = gos__zalloc(ctx, (size_t)frame.n + 6 * (size_t)names->nend + 2, sizeof *h.start);
    h.at = gos__alloc(ctx, room + 1, sizeof *h.at);
    h.x = gos__alloc(ctx, room + 1, sizeof *h.x);
    gos_status status = h.start && h.at && h.x ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        collect(&h, &frame, names);
        status = choose(&h, C);
    }
    gos__sparse_free(ctx, &frame);
    gos__free(ctx, h.start);
    gos__free(ctx, h.at);
    gos__free(ctx, h.x);
    return status;
}

static void add_moments(const gos_flex *flex, const double *X, double moment[4][3]) {
    const gos_sparse *G = &flex->gram;
    memset(moment, 0, 12 * sizeof moment[0][0]);
    for (int k = 0; k < 3 * flex->n; k++) {
        const int at = gos__flex_at(k / 3, k % 3);
        for (int p = G->p[at]; p < G->p[at + 1] && G->i[p] < GOS_FLEX_RIGID; p++) {
            moment[G->i[p]][k % 3] += G->x[p] * X[k / 3];
        }
    }
}

static gos_status take(gos_builder *b, const gos_flex *flex, const gos_flex_space *basis,
                       const gos_sparse *M, const double *X, gos_floating_fixed *to) {
    const size_t n = (size_t)flex->n, moves = 3 * (size_t)flex->nnode, m = (size_t)to->n;
    double *Y = gos__alloc(b->ctx, n * m + 1, sizeof *Y);
    to->stiffness = gos__arena_alloc(b->arena, (size_t)basis->r * m + 1, sizeof *to->stiffness);
    to->mass = gos__arena_alloc(b->arena, (size_t)basis->r * m + 1, sizeof *to->mass);
    to->moment = gos__arena_alloc(b->arena, m + 1, sizeof *to->moment);
    to->move = gos__arena_alloc(b->arena, moves * m + 1, sizeof *to->move);
    to->turn = gos__arena_alloc(b->arena, moves * m + 1, sizeof *to->turn);
    const bool room = Y && to->stiffness && to->mass && to->moment && to->move && to->turn;
    if (room) {
        gos__sparse_apply(&flex->K, to->n, X, Y);
        gos__dense_product(basis->r, to->n, flex->n, basis->V, Y, to->stiffness);
        gos__sparse_apply(M, to->n, X, Y);
        gos__dense_product(basis->r, to->n, flex->n, basis->V, Y, to->mass);
    }
    for (size_t k = 0; k < m && room; k++) {
        add_moments(flex, X + k * n, to->moment[k]);
        gos__sparse_apply_transposed(&flex->move, X + k * n, to->move + k * moves);
        gos__sparse_apply_transposed(&flex->turn, X + k * n, to->turn + k * moves);
    }
    gos__free(b->ctx, Y);
    return room ? GOS_OK : GOS_E_MEMORY;
}

static int leave_rigid(int n, int found, gos_mode *mode, double *X) {
    int count = 0;
    for (int k = 0; k < found; k++) {
        if (!mode[k].rigid && mode[k].omega > 0 && count < GOS_FLOATING_HELD) {
            mode[count] = mode[k];
            memmove(X + (size_t)count++ * n, X + (size_t)k * n, (size_t)n * sizeof *X);
        }
    }
    return count;
}

gos_status gos__floating_fixed_modes(gos_builder *b, const gos_flex *flex,
                                     const gos_floating_names *names, const gos_flex_space *basis,
                                     gos_floating_fixed *to) {
    gos_flex held = *flex;
    gos_mode mode[GOS_FLOATING_HELD + RIGID];
    // rigid modes are possible without reference conditions
    const bool loose = flex->C.p && flex->C.m > 0 && !names->framed;
    gos_linear *l = NULL;
    gos_sparse C = {0};
    int found = 0;
    GOS_TRY(find_rows(flex, names, &C));
    const int left = flex->n - C.m, asked = GOS_FLOATING_HELD + (loose ? RIGID : 0);
    const int most = left < asked ? left : asked;
    double *X = gos__alloc(b->ctx, (size_t)flex->n * (size_t)(most > 0 ? most : 1), sizeof *X);
    gos_ctx *quiet = gos__ctx_quiet(b->ctx);
    gos_status status = X && quiet ? GOS_OK : GOS_E_MEMORY;
    held.C = C;
    status = status == GOS_OK ? gos__flex_linear(&held, 0, NULL, 0, NULL, &l) : status;
    if (status == GOS_OK && most > 0) {
        const gos_status shapes = gos_linear_shapes(quiet, l, most, mode, X, &found);
        const bool final = shapes == GOS_E_MEMORY || shapes == GOS_E_INTERRUPTED;
        found = shapes == GOS_OK ? found : 0; // only the basis is used
        status = final ? shapes : GOS_OK;
    }
    to->n = status == GOS_OK ? leave_rigid(flex->n, found, mode, X) : 0;
    for (int k = 0; k < to->n; k++) {
        to->square[k] = mode[k].omega * mode[k].omega;
    }
    status = status == GOS_OK && to->n > 0 ? take(b, flex, basis, &l->M, X, to) : status;
    gos_linear_destroy(l);
    gos_ctx_destroy(quiet);
    gos__sparse_free(b->ctx, &C);
    gos__free(b->ctx, X);
    return status;
}
