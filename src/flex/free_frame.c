/* Modes with the frame free to accelerate along some motions. B: loads of unit accelerations on the
 * amplitudes; J: inertia against the motions, including that of attached bodies:
 *
 *     [M  -B; -B^T  J] (z''; a) + (K z; 0) = 0,   i.e.   (M - B J^-1 B^T) z'' + K z = 0. */
#include <cblas.h>
#include <lapacke.h>

#include "flex/flex.h"
#include "linalg/dense.h"

typedef struct free_frame {
    const gos_flex *f;
    int k; // motions
    const double (*motion)[6];
    const double *inertia; // (k) additional inertia of each
    gos_linear *own;       // model with fixed frame
} free_frame;

/* Expands a + e x X in the rigid fields 1, X_1, X_2, X_3. */
static void fields_of(const double motion[6], double F[3][GOS_FLEX_RIGID]) {
    memset(F, 0, 3 * sizeof *F);
    for (int c = 0; c < 3; c++) {
        const int p = (c + 1) % 3, q = (c + 2) % 3;
        F[c][0] = motion[c];
        F[c][1 + q] = motion[3 + p];
        F[c][1 + p] = -motion[3 + q];
    }
}

double gos__flex_frame_mass(const gos_flex *f, const double one[6], const double other[6]) {
    const gos_sparse *G = &f->gram;
    double F[3][GOS_FLEX_RIGID], H[3][GOS_FLEX_RIGID], sum = 0;
    fields_of(one, F);
    fields_of(other, H);
    for (int d = 0; d < GOS_FLEX_RIGID; d++) {
        for (int p = G->p[d]; p < G->p[d + 1] && G->i[p] < GOS_FLEX_RIGID; p++) {
            for (int c = 0; c < 3; c++) {
                sum += F[c][G->i[p]] * G->x[p] * H[c][d];
            }
        }
    }
    return sum;
}

void gos__flex_frame_load(const gos_flex *f, const double motion[6], double factor, double *load) {
    for (int i = 0; i < 6; i++) {
        const gos_flex_input in = {.load = i < 3 ? GOS_FLEX_ACCELERATION : GOS_FLEX_EULER,
                                   .axis = i % 3};
        if (motion[i] != 0) {
            gos__flex_load(f, &in, factor * motion[i], load);
        }
    }
}

/* ---- model with free frame ------------------------------------------------------------------- */

typedef struct triplets {
    int count, *i, *j;
    double *x;
} triplets;

static void add(triplets *t, int i, int j, double x) {
    if (x != 0) {
        t->i[t->count] = i;
        t->j[t->count] = j;
        t->x[t->count++] = x;
    }
}

static void add_sparse(triplets *t, const gos_sparse *A) {
    for (int j = 0; j < A->n; j++) {
        for (int p = A->p[j]; p < A->p[j + 1]; p++) {
            add(t, A->i[p], j, A->x[p]);
        }
    }
}

/* Adds rows and columns of the motions; load (n): scratch. */
static void add_motions(const free_frame *s, triplets *t, double *load) {
    const int n = s->f->n;
    for (int m = 0; m < s->k; m++) {
        memset(load, 0, (size_t)n * sizeof *load);
        gos__flex_frame_load(s->f, s->motion[m], 1, load);
        for (int i = 0; i < n; i++) {
            add(t, i, n + m, -load[i]);
            add(t, n + m, i, -load[i]);
        }
        for (int o = 0; o < s->k; o++) {
            add(t, n + o, n + m,
                gos__flex_frame_mass(s->f, s->motion[o], s->motion[m]) +
                    (o == m ? s->inertia[m] : 0));
        }
    }
}

static gos_status put(const free_frame *s, gos_block block, const gos_sparse *A, bool motions,
                      int rows, gos_linear *to) {
    const int n = s->f->n;
    const size_t room = (size_t)A->nnz + (motions ? (size_t)s->k * (2 * (size_t)n + s->k) : 0) + 1;
    int *ij = gos__alloc(s->f->ctx, 2 * room, sizeof *ij);
    double *x = gos__alloc(s->f->ctx, room + (size_t)n + 1, sizeof *x);
    gos_sparse S = {0};
    gos_status status = ij && x ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        triplets t = {.i = ij, .j = ij + room, .x = x};
        add_sparse(&t, A);
        if (motions) {
            add_motions(s, &t, x + room);
        }
        status = gos__sparse_from_triplets(s->f->ctx, rows, n + s->k, t.count, t.i, t.j, t.x, &S);
    }
    status = status == GOS_OK ? gos__linear_put(to, block, &S) : status;
    gos__sparse_free(s->f->ctx, &S);
    gos__free(s->f->ctx, ij);
    gos__free(s->f->ctx, x);
    return status;
}

static gos_status fill(const free_frame *s, gos_linear *to) {
    const int n = s->f->n + s->k;
    GOS_TRY(put(s, GOS_BLOCK_M, &s->own->M, true, n, to));
    GOS_TRY(put(s, GOS_BLOCK_K, &s->own->K, false, n, to));
    GOS_TRY(put(s, GOS_BLOCK_C, &s->own->block[GOS_BLOCK_C], false, s->own->nc, to));
    return gos__linear_close(to);
}

static gos_status find(const free_frame *s, const gos_linear *l, int n, double *lambda, double *X,
                       int *found) {
    const size_t rows = (size_t)l->nq, max = (size_t)(n + s->k);
    gos_mode *mode = gos__alloc(s->f->ctx, max, sizeof *mode);
    double *Y = gos__alloc(s->f->ctx, rows * max, sizeof *Y);
    gos_status status = mode && Y ? GOS_OK : GOS_E_MEMORY;
    int all = 0;
    *found = 0;
    status = status == GOS_OK ? gos_linear_shapes(s->f->ctx, l, n + s->k, mode, Y, &all) : status;
    for (int m = s->k; m < all && status == GOS_OK; m++) { // the first ones are rigid
        if (!(mode[m].omega > 0)) {
            status = gos__fail(s->f->ctx, GOS_E_INPUT,
                               "the loads of `state` cancel the stiffness of a mode, so its "
                               "frequency is 0; use smaller loads");
            continue;
        }
        lambda[*found] = mode[m].omega * mode[m].omega;
        memcpy(gos__dense_column(X, s->f->n, (*found)++), Y + (size_t)m * rows,
               (size_t)s->f->n * sizeof *X);
    }
    gos__free(s->f->ctx, mode);
    gos__free(s->f->ctx, Y);
    return status;
}

/* Y (n, count) -= B J^-1 B^T X; work: B (n, k), then J (k, k) and B^T X (k, count) */
static gos_status take_frame(const free_frame *s, int count, const double *X, double *Y,
                             double *work) {
    const int n = s->f->n, k = s->k;
    double *B = work, *J = B + (size_t)n * (size_t)k, *a = J + (size_t)k * (size_t)k;
    memset(B, 0, (size_t)n * (size_t)k * sizeof *B);
    for (int m = 0; m < k; m++) {
        gos__flex_frame_load(s->f, s->motion[m], -1, gos__dense_column(B, n, m));
        for (int o = 0; o < k; o++) {
            J[m * k + o] = gos__flex_frame_mass(s->f, s->motion[o], s->motion[m]) +
                           (o == m ? s->inertia[m] : 0);
        }
    }
    gos__dense_product(k, count, n, B, X, a);
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', k, count, J, k, a, k) != 0) {
        return gos__fail(s->f->ctx, GOS_E_SINGULAR,
                         "motions of the frame are linearly dependent, or one has no inertia; "
                         "omit one, or specify its inertia");
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, count, k, -1, B, n, a, k, 1, Y, n);
    return GOS_OK;
}

gos_status gos__flex_free_mass(const gos_flex *f, int k, const double (*motion)[6],
                               const double *inertia, int count, const double *X, double *Y) {
    free_frame s = {.f = f, .k = k, .motion = motion, .inertia = inertia};
    const size_t room = (size_t)k * (size_t)(f->n + k + count) + 1;
    double *work = gos__alloc(f->ctx, room, sizeof *work);
    gos_status status =
        work ? gos__flex_linear(f, 0, NULL, 0, NULL, &s.own) : (gos_status)GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_apply(&s.own->M, count, X, Y);
        status = k > 0 ? take_frame(&s, count, X, Y, work) : GOS_OK;
    }
    gos_linear_destroy(s.own);
    gos__free(f->ctx, work);
    return status;
}

gos_status gos__flex_free_modes(const gos_flex *f, int k, const double (*motion)[6],
                                const double *inertia, int n, double *lambda, double *X,
                                int *found) {
    free_frame s = {.f = f, .k = k, .motion = motion, .inertia = inertia};
    gos_linear *l = NULL;
    gos_status status = gos__flex_linear(f, 0, NULL, 0, NULL, &s.own);
    if (status == GOS_OK) {
        const gos_linear_size size = {.nq = f->n + k, .nc = s.own->nc};
        status = gos__linear_create(f->ctx, &size, &l);
    }
    status = status == GOS_OK ? fill(&s, l) : status;
    status = status == GOS_OK ? find(&s, l, n, lambda, X, found) : status;
    gos_linear_destroy(l);
    gos_linear_destroy(s.own);
    return status;
}
