/* Stiffness by loads: work on second-order displacements, growth of centrifugal forces. */
#include "flex/flex.h"

/* sum of matrices, as triplets */
typedef struct sum {
    int count, *i, *j; // i NULL: count only
    double *x;
} sum;

static void add_entry(sum *to, int i, int j, double x) {
    if (to->i) {
        to->i[to->count] = i;
        to->j[to->count] = j;
        to->x[to->count] = x;
    }
    to->count++;
}

static void add_matrix(sum *to, double factor, const gos_sparse *A) {
    for (int j = 0; j < A->n && A->nnz > 0; j++) {
        for (int p = A->p[j]; p < A->p[j + 1]; p++) {
            add_entry(to, A->i[p], j, factor * A->x[p]);
        }
    }
}

/* int phi_k,a phi_l,b dm */
static void add_gram(sum *to, double factor, const gos_flex *f, int a, int b) {
    const gos_sparse *G = &f->gram;
    for (int l = 0; l < f->n; l++) {
        const int column = gos__flex_at(l, b);
        for (int p = G->p[column]; p < G->p[column + 1]; p++) {
            const int row = G->i[p] - GOS_FLEX_RIGID;
            if (row >= 0 && row % 3 == a) {
                add_entry(to, row / 3, l, factor * G->x[p]);
            }
        }
    }
}

/* factor int f u2_c dm, f: rigid field d */
static void add_moment(sum *to, double factor, const gos_flex *f, int c, int d) {
    add_matrix(to, factor, &f->moment[4 * c + d]);
}

/* potential w_i w_j x_i x_j; for i = j: - w_i^2 (x . x - x_i^2) / 2 */
static void add_rates(sum *to, double factor, const gos_flex *f, int i, int j) {
    for (int c = 0; c < 3 && i == j; c++) {
        if (c != i) {
            add_gram(to, -factor, f, c, c);
            add_moment(to, -factor, f, c, 1 + c);
        }
    }
    if (i != j) {
        add_gram(to, factor, f, i, j);
        add_gram(to, factor, f, j, i);
        add_moment(to, factor, f, j, 1 + i);
        add_moment(to, factor, f, i, 1 + j);
    }
}

/* W: `second` of forces, `second_turn` of moments */
static void add_node(sum *to, double factor, const gos_flex *f, const gos_sparse *W, int column) {
    for (int p = W->p ? W->p[column] : 0; W->p && p < W->p[column + 1]; p++) {
        add_matrix(to, -factor * W->x[p], &f->form[W->i[p]]);
    }
}

static void add_load(sum *to, const gos_flex *f, const gos_flex_input *in, double factor) {
    if (in->load == GOS_FLEX_ACCELERATION) {
        add_moment(to, factor, f, in->axis, 0);
    } else if (in->load == GOS_FLEX_CENTRIFUGAL) {
        add_rates(to, factor, f, in->axis, in->other);
    } else if (in->load == GOS_FLEX_FORCE) {
        add_node(to, factor, f, &f->second, 3 * in->node + in->axis);
    } else if (in->load == GOS_FLEX_MOMENT) {
        add_node(to, factor, f, &f->second_turn, 3 * in->node + in->axis);
    }
}

gos_status gos__flex_stiffen(const gos_flex *f, const gos_flex_input *input, double factor,
                             gos_sparse *K) {
    sum to = {0};
    gos_sparse change = {0}, stiff = {0};
    add_load(&to, f, input, factor);
    const size_t room = (size_t)to.count + 1;
    int *locations = gos__alloc(f->ctx, 2 * room, sizeof *locations);
    double *x = gos__alloc(f->ctx, room, sizeof *x);
    gos_status status = locations && x ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        to = (sum){.i = locations, .j = locations + room, .x = x};
        add_load(&to, f, input, factor);
        status = gos__sparse_from_triplets(f->ctx, f->n, f->n, to.count, to.i, to.j, x, &change);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(&change);
        status = gos__sparse_sum(f->ctx, 1, K, 1, &change, &stiff);
    }
    if (status == GOS_OK) {
        gos__sparse_free(f->ctx, K);
        *K = stiff;
    }
    gos__sparse_free(f->ctx, &change);
    gos__free(f->ctx, locations);
    gos__free(f->ctx, x);
    return status;
}
