/* Component modes. craig_bampton: constraint and fixed-interface modes. free_interface: free
   modes and residual attachment modes with inertia relief. */
#include <cblas.h>
#include <complex.h>

#include "linalg/align.h"
#include "linalg/eigen.h"
#include "linear_reduction/modal.h"

#define EXTRA_MODES 2 // additional modes, to complete pairs

/* ---- interface coordinates ------------------------------------------------------------------- */

static int find_coordinate(const gos_linear *l, const char *name) {
    char text[200];
    for (int i = 0; i < l->nq; i++) {
        gos_linear_coordinate(l, i, text, sizeof text);
        if (strcmp(text, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void mark_ports(const gos_linear *l, bool *mark) {
    const gos_sparse *B = &l->block[GOS_BLOCK_B];
    for (int k = 0; k < B->nnz; k++) {
        mark[B->i[k]] = true;
    }
    const gos_block out[] = {GOS_BLOCK_Y_q, GOS_BLOCK_Y_v};
    for (int o = 0; o < GOS_COUNT(out); o++) {
        const gos_sparse *Y = &l->block[out[o]];
        for (int j = 0; j < Y->n; j++) {
            mark[j] = mark[j] || Y->p[j + 1] > Y->p[j];
        }
    }
}

static gos_status find_interface(gos_reduce_task *t) {
    const gos_linear *l = t->full;
    gos_linear_reduction *out = t->out;
    bool *mark = gos__zalloc(t->ctx, l->nq + 1L, sizeof *mark);
    out->kept_index = gos__alloc(t->ctx, l->nq + 1L, sizeof *out->kept_index);
    gos_status status = mark && out->kept_index ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < t->opt->ninterface && status == GOS_OK; i++) {
        const int at = find_coordinate(l, t->opt->interface[i]);
        if (at < 0) {
            status = gos__fail(t->ctx, GOS_E_INPUT,
                               "interface: the model has no coordinate '%s'; names are like "
                               "rod.node(3).position.x",
                               t->opt->interface[i]);
        } else {
            mark[at] = true;
        }
    }
    if (status == GOS_OK && t->opt->ninterface == 0) {
        mark_ports(l, mark);
    }
    for (int i = 0; i < l->nq && status == GOS_OK; i++) {
        if (mark[i]) {
            out->kept_index[out->kept++] = i;
        }
    }
    gos__free(t->ctx, mark);
    if (status == GOS_OK && out->kept > t->order) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "order %d is less than the number of interface coordinates, %d; increase "
                         "it or list fewer",
                         t->order, out->kept);
    }
    return status;
}

/* rows of C, then rows that select the interface */
static gos_status held_rows(const gos_reduce_task *t, gos_sparse *S) {
    const gos_linear_reduction *out = t->out;
    const gos_sparse *C = &t->full->block[GOS_BLOCK_C];
    GOS_TRY(gos__sparse_alloc(t->ctx, C->m + out->kept, t->full->nq,
                              (size_t)C->nnz + (size_t)out->kept, S));
    int at = 0, kept = 0;
    for (int j = 0; j < t->full->nq; j++) {
        for (int k = C->p[j]; k < C->p[j + 1]; k++) {
            S->i[at] = C->i[k];
            S->x[at++] = C->x[k];
        }
        if (kept < out->kept && out->kept_index[kept] == j) {
            S->i[at] = C->m + kept++;
            S->x[at++] = 1;
        }
        S->p[j + 1] = at;
    }
    return GOS_OK;
}

/* ---- fixed interface ------------------------------------------------------------------------- */

typedef struct fixed {
    gos_sparse C;
    gos_pencil pencil;
    gos_saddle *saddle;
    bool positive; // factorised at 0, without lower modes
} fixed;

static void free_fixed(const gos_reduce_task *t, fixed *f) {
    gos__saddle_destroy(f->saddle);
    gos__sparse_free(t->ctx, &f->C);
}

static gos_status hold(gos_reduce_task *t, fixed *f) {
    const gos_linear *l = t->full;
    const double begin = gos__now();
    int below = 0;
    *f = (fixed){0};
    GOS_TRY(held_rows(t, &f->C));
    f->pencil = (gos_pencil){.K = &l->K, .M = &l->M, .C = &f->C, .ncomp = l->ncomp};
    if (!l->symmetric_K) {
        return GOS_OK;
    }
    gos_status status = gos__saddle_create(t->ctx, &f->pencil, &f->saddle);
    status = status == GOS_OK ? gos__saddle_shift(f->saddle, 0, &below) : status;
    f->positive = status == GOS_OK && below == 0;
    t->out->report.factorisations = 1;
    t->out->report.time_factor = gos__now() - begin;
    return status;
}

static gos_status picks(const gos_reduce_task *t, gos_sparse *S) {
    const gos_linear_reduction *out = t->out;
    GOS_TRY(gos__sparse_alloc(t->ctx, out->kept, t->full->nq, out->kept, S));
    for (int j = 0, at = 0; j < t->full->nq; j++) {
        if (at < out->kept && out->kept_index[at] == j) {
            S->i[at] = at;
            S->x[at++] = 1;
        }
        S->p[j + 1] = at;
    }
    return GOS_OK;
}

/* the same for unsymmetric stiffness (follower loads) */
static gos_status impose_unsymmetric(gos_reduce_task *t, int nb, double *X) {
    gos_sparse S = {0};
    gos_reduce_pencil *p = NULL;
    gos_complex *x = gos__alloc(t->ctx, t->full->nq + 1L, sizeof *x);
    double *c = gos__zalloc(t->ctx, (size_t)t->full->nc + nb + 1, sizeof *c);
    gos_status status = x && c ? picks(t, &S) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__reduce_pencil_create(t->ctx, t->full, &S, &p) : status;
    status = status == GOS_OK ? gos__reduce_pencil_factor(p, 0) : status;
    for (long k = 0; k < nb && status == GOS_OK; k++) {
        memset(c, 0, p->nc * sizeof *c);
        memset(x, 0, p->n * sizeof *x);
        c[p->nc - nb + k] = 1;
        status = gos__reduce_pencil_solve_at(p, 1, x, c);
        for (int i = 0; i < p->n; i++) {
            X[k * p->n + i] = creal(x[i]);
        }
    }
    gos__reduce_pencil_destroy(p);
    gos__sparse_free(t->ctx, &S);
    gos__free(t->ctx, x);
    gos__free(t->ctx, c);
    return status;
}

static gos_status impose(gos_reduce_task *t, const fixed *f, int nb, double *X) {
    const size_t nc = f->C.m;
    double *c = gos__zalloc(t->ctx, nc * nb + 1, sizeof *c);
    if (!c) {
        return GOS_E_MEMORY;
    }
    for (size_t k = 0; k < (size_t)nb; k++) {
        c[k * nc + (nc - nb + k)] = 1;
    }
    const gos_status status = gos__saddle_impose(f->saddle, nb, c, X);
    gos__free(t->ctx, c);
    return status;
}

/* constraint modes: one interface coordinate 1, the others 0 */
static gos_status constraint_modes(gos_reduce_task *t, const fixed *f) {
    const size_t n = t->full->nq;
    const int nb = t->out->kept;
    double *X = gos__alloc(t->ctx, n * nb + 1, sizeof *X);
    gos_status status = !X          ? GOS_E_MEMORY
                        : f->saddle ? impose(t, f, nb, X)
                                    : impose_unsymmetric(t, nb, X);
    for (int k = 0; k < nb && status == GOS_OK; k++) {
        for (int i = 0; i < nb; i++) { // exact, without round-off
            X[k * n + t->out->kept_index[i]] = i == k;
        }
        status = gos__space_put(&t->out->V, GOS_FIELD_Q, X + k * n);
    }
    gos__free(t->ctx, X);
    return status;
}

/* Rotate equal modes to align with the interface, then with inputs and outputs. */
static gos_status align_fixed(gos_reduce_task *t, int count, const double *lambda, double *X) {
    const gos_linear *l = t->full;
    const gos_sparse *B = &l->block[GOS_BLOCK_B],
                     *Y[] = {&l->block[GOS_BLOCK_Y_q], &l->block[GOS_BLOCK_Y_v]};
    if (!gos__align_needed(count, lambda)) {
        return GOS_OK;
    }
    gos_align turn;
    const int nb = t->out->kept;
    double *Mx = gos__alloc(t->ctx, l->nq + 1L, sizeof *Mx);
    gos_status status =
        gos__align_begin(t->ctx, l->nq, count, X, nb + B->n + Y[0]->m + Y[1]->m, &turn);
    status = Mx ? status : GOS_E_MEMORY;
    if (status == GOS_OK) {
        for (long k = 0; k < nb; k++) { // only constraint modes so far
            gos__sparse_apply(&l->M, 1, t->out->V.v[GOS_FIELD_Q] + k * l->nq, Mx);
            gos__align_row(&turn, Mx);
        }
        gos__align_columns(&turn, B);
        gos__align_rows(&turn, Y[0]);
        gos__align_rows(&turn, Y[1]);
        gos__align_turn(&turn, lambda);
    }
    gos__align_end(&turn);
    gos__free(t->ctx, Mx);
    return status;
}

static bool is_complete(int count, int found, const double *lambda) {
    for (int k = count; k < found; k++) {
        if (lambda[k] - lambda[count - 1] > GOS_EIGEN_CLUSTER * fabs(lambda[k])) {
            return true;
        }
    }
    return false;
}

/* The `count` lowest modes and those equal to the last: part of an eigenspace would be
   machine-dependent. lambda and X share one allocation. */
static gos_status complete_sets(gos_reduce_task *t, const fixed *f, int count, double **lambda,
                                double **X, int *found) {
    const gos_pencil *p = &f->pencil;
    const int max = gos__eigen_max_modes(p->K->n - p->C->m);
    for (int requested = count + EXTRA_MODES <= max ? count + EXTRA_MODES : count;;) {
        gos_eigen_info info = {0};
        *lambda = gos__alloc(t->ctx, requested * (1L + p->K->n) + 1, sizeof **lambda);
        if (!*lambda) {
            return GOS_E_MEMORY;
        }
        *X = *lambda + requested;
        GOS_TRY(f->positive
                    ? gos__eigen_about(t->ctx, p, f->saddle, requested, *lambda, *X, found, &info)
                    : gos__eigen_find(t->ctx, p, requested, *lambda, *X, found, &info, NULL));
        if (info.cluster == 0 || *found < requested || requested >= max ||
            is_complete(count, *found, *lambda)) {
            return GOS_OK;
        }
        requested = requested + info.cluster < max ? requested + info.cluster : max;
        gos__free(t->ctx, *lambda);
    }
}

static gos_status fixed_modes(gos_reduce_task *t, const fixed *f, int count) {
    const size_t nq = t->full->nq;
    double *lambda = NULL, *X = NULL;
    int found = 0;
    // at least one, as a check
    gos_status status = complete_sets(t, f, count > 0 ? count : 1, &lambda, &X, &found);
    if (status == GOS_OK && found > 0 && lambda[0] == 0) {
        status = gos__fail(t->ctx, GOS_E_SINGULAR,
                           "the model still has rigid-body modes with its interface fixed, so "
                           "static shapes are undefined; list more interface coordinates");
    }
    status = status == GOS_OK ? align_fixed(t, found, lambda, X) : status;
    for (int k = 0; k < found && k < count && status == GOS_OK; k++) {
        for (int i = 0; i < t->out->kept; i++) {
            X[k * nq + t->out->kept_index[i]] = 0;
        }
        status = gos__space_put(&t->out->V, GOS_FIELD_Q, X + k * nq);
    }
    gos__free(t->ctx, lambda);
    return status;
}

static gos_status displacements_only(const gos_reduce_task *t, const char *method) {
    const gos_linear *l = t->full;
    return l->nq > 0 && l->nt == 0
               ? GOS_OK
               : gos__fail(t->ctx, GOS_E_INPUT, "%s is for models of displacements only", method);
}

static gos_status craig_bampton(gos_reduce_task *t) {
    GOS_TRY(displacements_only(t, "craig_bampton"));
    GOS_TRY(find_interface(t));
    if (t->out->kept == 0) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "craig_bampton requires interface coordinates; list them, or give the "
                         "model inputs or outputs");
    }
    fixed f;
    t->out->physical = true;
    gos_status status = hold(t, &f);
    status = status == GOS_OK ? constraint_modes(t, &f) : status;
    if (status == GOS_OK && t->full->nq > f.C.m) {
        status = fixed_modes(t, &f, t->order - t->out->kept);
    }
    free_fixed(t, &f);
    return status;
}

static const gos_param craig_bampton_params[] = {
    GOS_ROW_ORDER(0, 0),
    GOS_ROW_BAND(0, 0),
    GOS_ROW_TOLERANCE(0),
    {.name = "interface",
     .kind = GOS_K_NAMES,
     .unit = "",
     .offset = offsetof(gos_linear_def, interface),
     .doc = "interface coordinates, such as rod.node(3).position.y; default: those with an input "
            "or output. Of floating bodies: locations; default: the declared interfaces"},
    GOS_ROW_CORRECTION(0, 0),
    {0}};

static const gos_reduce_method craig_bampton_method = {
    .bare = true,
    .physical = true,
    .reduce = craig_bampton,
};

const gos_type gos__reduction_craig_bampton = GOS_LINEAR_METHOD(
    "craig_bampton",
    "Craig-Bampton: interface coordinates, constraint modes and fixed-interface "
    "modes",
    ", order: 8, interface: [rod.node(2).position.y]", craig_bampton_params, &craig_bampton_method);

/* ---- free interface -------------------------------------------------------------------------- */

/* rows (M R)^T of rigid motions R (nq, nr) */
static gos_status rigid_rows(gos_reduce_task *t, int nr, const double *MR, gos_sparse *S) {
    const int nq = t->full->nq;
    double *rows = gos__alloc(t->ctx, (size_t)nq * nr + 1, sizeof *rows);
    if (!rows) {
        return GOS_E_MEMORY;
    }
    for (long j = 0; j < nq; j++) {
        for (long i = 0; i < nr; i++) {
            rows[j * nr + i] = MR[i * nq + j];
        }
    }
    const gos_status status = gos__sparse_from_dense(t->ctx, nr, nq, rows, S);
    gos__free(t->ctx, rows);
    return status;
}

/* static response to b - M R R^T b without rigid motion; R^T M R = 1 */
static gos_status attachment(gos_reduce_task *t, int nr, const double *R, const double *MR) {
    const gos_reduce_pencil *full = t->pencil;
    const int n = full->n;
    gos_sparse S = {0};
    gos_reduce_pencil *p = NULL;
    gos_complex *X = gos__alloc(t->ctx, n + 1L, sizeof *X);
    gos_status status = X ? rigid_rows(t, nr, MR, &S) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__reduce_pencil_create(t->ctx, t->full, nr > 0 ? &S : NULL, &p)
                              : status;
    status = status == GOS_OK ? gos__reduce_pencil_factor(p, 0) : status;
    for (long u = 0; u < full->nu && status == GOS_OK; u++) {
        const double *b = full->B + u * n;
        for (int i = 0; i < n; i++) {
            X[i] = b[i];
        }
        for (long k = 0; k < nr; k++) {
            const double share = cblas_ddot(n, R + k * n, 1, b, 1);
            for (int i = 0; i < n; i++) {
                X[i] -= share * MR[k * n + i];
            }
        }
        status = gos__reduce_pencil_solve(p, false, 1, X);
        status = status != GOS_OK ? status : gos__space_split(&t->out->V, X, NULL);
    }
    gos__reduce_pencil_destroy(p);
    gos__sparse_free(t->ctx, &S);
    gos__free(t->ctx, X);
    return status;
}

static gos_status free_interface(gos_reduce_task *t) {
    GOS_TRY(displacements_only(t, "free_interface"));
    const gos_linear *l = t->full;
    const int count = t->order - l->nu;
    if (count < 0) {
        return gos__fail(t->ctx, GOS_E_INPUT,
                         "order %d is too low for one attachment mode for each of %d inputs; it "
                         "must be at least their number (plus one for each rigid-body mode)",
                         t->order, l->nu);
    }
    const size_t nq = l->nq;
    gos_mode *modes = gos__zalloc(t->ctx, count + 1L, sizeof *modes);
    double *X = gos__alloc(t->ctx, 2 * nq * count + nq, sizeof *X);
    gos_status status = modes && X ? GOS_OK : GOS_E_MEMORY;
    int found = 0, nr = 0;
    if (status == GOS_OK && count > 0) {
        status = gos_linear_shapes(t->ctx, l, count, modes, X, &found);
    }
    double *MR = X ? X + nq * count : NULL, *x = MR ? MR + nq * count : NULL;
    while (status == GOS_OK && nr < found && modes[nr].rigid) {
        nr++; // zeros come first
    }
    if (status == GOS_OK) {
        gos__sparse_apply(&l->M, nr, X, MR);
    }
    for (int k = 0; k < found && status == GOS_OK; k++) {
        memcpy(x, X + k * nq, nq * sizeof *x);
        status = gos__space_add(&t->out->V, GOS_FIELD_Q, x, cblas_dnrm2(l->nq, x, 1));
    }
    status = status == GOS_OK ? attachment(t, nr, X, MR) : status;
    gos__free(t->ctx, modes);
    gos__free(t->ctx, X);
    return status;
}

static const gos_param free_interface_params[] = {
    GOS_ROW_ORDER(0, 0), GOS_ROW_BAND(0, 0), GOS_ROW_TOLERANCE(0), GOS_ROW_CORRECTION(0, 0), {0}};

static const gos_reduce_method free_interface_method = {
    .reduce = free_interface,
};

const gos_type gos__reduction_free_interface =
    GOS_LINEAR_METHOD("free_interface",
                      "free-interface modes and the residual static response to "
                      "each input",
                      ", order: 8", free_interface_params, &free_interface_method);
