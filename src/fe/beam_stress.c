/* Displacements of second order in a frame of beams. A beam that bends draws its ends together by int w'^2 / 2, so
   the displacement of second order of a node along a direction is minus the work per axial force: with the axial forces N
   that a unit force there makes in the body as its frame holds it, -1/2 int N w'^2. The same with unit fields of load
   gives the integrals over the mass. (The shortening through bending moments and shear forces, by which beams
   buckle sideways, is left out.) */
#include <math.h>

#include "fe/beam_frame.h"
#include "linalg/solver.h"

#define FREEDOMS 12
#define UNIFORM -1    // a load per length
#define NOTHING 1e-11 // axial force beside the largest one of all unit loads: rounding

typedef struct stiffening {
    gos_ctx *ctx;
    const gos_fe_frame *frame;
    gos_flex *flex;
    double length;       // of all beams
    bool relief;         // the load is in balance with inertia forces of the rigid body
    int n;               // order of the saddle-point matrix
    gos_pattern pattern; //
    gos_solver *solver;
    double *z; // displacements, then what the conditions take (n)
} stiffening;

/* ---- statics ----------------------------------------------------------------------------------- */

/* [K C^T; C 0], whose columns are those of A, with rows ascending */
static gos_status saddle(stiffening *s, gos_sparse *A) {
    const gos_sparse *K = &s->flex->K, *C = &s->flex->C;
    const int n = K->n;
    gos_sparse T;
    GOS_TRY(gos__sparse_transpose(s->ctx, C, &T));
    gos_status status =
        gos__sparse_alloc(s->ctx, s->n, s->n, (size_t)K->nnz + 2 * (size_t)C->nnz, A);
    int nnz = 0;
    for (int j = 0; j < s->n && status == GOS_OK; j++) {
        const gos_sparse *above = j < n ? K : &T;
        const int at = j < n ? j : j - n;
        for (int k = above->p[at]; k < above->p[at + 1]; k++) {
            A->i[nnz] = above->i[k];
            A->x[nnz++] = above->x[k];
        }
        for (int k = j < n ? C->p[j] : 0; j < n && k < C->p[j + 1]; k++) {
            A->i[nnz] = n + C->i[k];
            A->x[nnz++] = C->x[k];
        }
        A->p[j + 1] = nnz;
    }
    gos__sparse_free(s->ctx, &T);
    return status;
}

static gos_status factorise(stiffening *s, const gos_sparse *A) {
    s->pattern = (gos_pattern){.n = A->n, .nnz = A->nnz, .p = A->p, .i = A->i};
    GOS_TRY(gos__solver_create(s->ctx, &s->pattern, &s->solver));
    const gos_status status = gos__solver_factor(s->solver, A->x, NULL);
    return status == GOS_E_SINGULAR
               ? gos__fail(s->ctx, GOS_E_INPUT,
                           "the reference condition leaves the frame of beams free to move without "
                           "deformation; give one that holds all of it")
               : status;
}

/* ---- axial forces ------------------------------------------------------------------------------ */

/* force per length along the element at its two ends: of the unit field d along c (c < 0: none), per mass or, of d = UNIFORM, per
   length of all beams, less the inertia forces of relief */
static void line_load(const stiffening *s, const gos_fe_beam *b, int c, int d, double q[2]) {
    const double *lambda = s->z + s->flex->n;
    for (int end = 0; end < 2; end++) {
        const double *x = s->frame->x[b->node[end]];
        double f[3] = {0};
        if (c >= 0) {
            f[c] = d == UNIFORM ? 1 / (s->length * b->line_mass) : d == 0 ? 1 : x[d - 1];
        }
        for (int i = 0; i < 3 && s->relief; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            f[i] -= lambda[i] + lambda[3 + j] * x[k] - lambda[3 + k] * x[j];
        }
        q[end] =
            b->line_mass * (f[0] * b->axis[0][0] + f[1] * b->axis[0][1] + f[2] * b->axis[0][2]);
    }
}

/* The mean of the axial force is that of the elongation: linear axial displacements are exact at nodes. About it the force
   varies by N' = -q with q linear along the element: n[0] + n[1] xi + n[2] xi^2. */
static void axial_force(const stiffening *s, const gos_fe_beam *b, const double q[2], double n[3]) {
    const double h = gos__fe_beam_length(s->frame, b);
    double longer = 0;
    for (int c = 0; c < 3; c++) {
        longer += b->axis[0][c] * (s->z[GOS_BEAM_FREEDOMS * b->node[1] + c] -
                                   s->z[GOS_BEAM_FREEDOMS * b->node[0] + c]);
    }
    n[0] = b->EA * longer / h + h * (q[0] / 2 + (q[1] - q[0]) / 6);
    n[1] = -h * q[0];
    n[2] = -h * (q[1] - q[0]) / 2;
}

/* ---- forms --------------------------------------------------------------------------------------- */

/* the sum over elements of stress stiffnesses, each for its axial force n (nbeam, 3), times `factor` */
static gos_status sum_stress(const stiffening *s, double factor, double (*n)[3], int first,
                             int behind, gos_sparse *S) {
    const size_t most = (size_t)(behind - first) * FREEDOMS * FREEDOMS + 1;
    int *i = gos__alloc(s->ctx, 2 * most, sizeof *i), count = 0;
    double *x = gos__alloc(s->ctx, most, sizeof *x);
    for (int e = first; e < behind && i && x; e++) {
        double A[FREEDOMS * FREEDOMS];
        const gos_fe_beam *b = &s->frame->beam[e];
        if (n[e][0] == 0 && n[e][1] == 0 && n[e][2] == 0) {
            continue;
        }
        gos__fe_beam_stress(b, gos__fe_beam_length(s->frame, b), n[e], 1, A);
        for (int k = 0; k < FREEDOMS * FREEDOMS; k++) {
            const int p = k / FREEDOMS, q = k % FREEDOMS;
            if (A[k] != 0) {
                i[count] = GOS_BEAM_FREEDOMS * b->node[p / 6] + p % 6;
                i[most + (size_t)count] = GOS_BEAM_FREEDOMS * b->node[q / 6] + q % 6;
                x[count++] = factor * A[k];
            }
        }
    }
    const gos_status status =
        i && x ? gos__sparse_from_triplets(s->ctx, s->flex->n, s->flex->n, count, i, i + most, x, S)
               : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__sparse_merge(S);
    }
    gos__free(s->ctx, i);
    gos__free(s->ctx, x);
    return status;
}

/* S of the displacement of second order that the load in s->z does work on, of the unit field d along c */
static gos_status load_form(stiffening *s, int c, int d, double (*n)[3], gos_sparse *S) {
    double largest = 0, scale = 0;
    for (int k = 0; k < s->flex->n; k++) {
        scale += k % GOS_BEAM_FREEDOMS < 3 ? fabs(s->z[k]) : 0;
    }
    gos__solver_solve(s->solver, s->z);
    for (int e = 0; e < s->frame->nbeam; e++) {
        double q[2];
        line_load(s, &s->frame->beam[e], c, d, q);
        axial_force(s, &s->frame->beam[e], q, n[e]);
        largest = fmax(largest, fabs(n[e][0]) + fabs(n[e][1]) + fabs(n[e][2]));
    }
    for (int e = 0; e < s->frame->nbeam; e++) {
        if (!(largest > NOTHING * scale)) {
            memset(n[e], 0, sizeof n[e]);
        }
    }
    return sum_stress(s, -1, n, 0, s->frame->nbeam, S);
}

/* what the unit field d of load along c does: its load vector is in the Gram matrix */
static gos_status add_moment(stiffening *s, int c, int d, double (*n)[3]) {
    const gos_sparse *G = &s->flex->gram;
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    for (int k = 0; k < s->flex->n; k++) {
        const int at = gos__flex_at(k, c);
        for (int p = G->p[at]; p < G->p[at + 1] && G->i[p] <= d; p++) {
            s->z[k] += G->i[p] == d ? G->x[p] : 0;
        }
    }
    return load_form(s, c, d, n, &s->flex->moment[4 * c + d]);
}

/* of a unit force there, spread for the mean point */
static void load_node(stiffening *s, int column) {
    const gos_sparse *A = &s->flex->move;
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    for (int k = A->p[column]; k < A->p[column + 1]; k++) {
        s->z[A->i[k]] = A->x[k];
    }
}

static gos_status add_moments(stiffening *s) {
    double(*n)[3] = gos__zalloc(s->ctx, (size_t)s->frame->nbeam + 1, sizeof *n);
    gos_status status = n ? GOS_OK : GOS_E_MEMORY;
    for (int i = 0; i < GOS_FLEX_MOMENTS && status == GOS_OK; i++) {
        status = add_moment(s, i / 4, i % 4, n);
    }
    gos__free(s->ctx, n);
    return status;
}

/* one form for each element, with the axial force 1, and three of the mean point */
static gos_status add_forms(stiffening *s) {
    const int nbeam = s->frame->nbeam;
    double(*n)[3] = gos__zalloc(s->ctx, (size_t)nbeam + 1, sizeof *n);
    gos_flex *f = s->flex;
    f->form = gos__zalloc(s->ctx, (size_t)nbeam + 3, sizeof *f->form);
    gos_status status = n && f->form ? GOS_OK : GOS_E_MEMORY;
    f->nform = status == GOS_OK ? nbeam + 3 : 0;
    for (int e = 0; e < nbeam && status == GOS_OK; e++) {
        n[e][0] = 1;
        status = sum_stress(s, 1, n, e, e + 1, &f->form[e]);
    }
    for (int c = 0; c < 3 && status == GOS_OK; c++) {
        load_node(s, 3 * gos__fe_mean(s->frame) + c);
        status = load_form(s, c, UNIFORM, n, &f->form[nbeam + c]);
    }
    gos__free(s->ctx, n);
    return status;
}

/* weights of the forms at nodes: minus the axial forces of a unit force there. Of a force that inertia relieves they vary
   along an element, and the mean is taken, which is exact to the order of the elements. The mean point has forms of
   its own. */
static gos_status add_weights(stiffening *s) {
    gos_flex *f = s->flex;
    const int columns = 3 * f->nnode, nbeam = s->frame->nbeam;
    GOS_TRY(gos__sparse_alloc(s->ctx, f->nform, columns, (size_t)f->nform * (size_t)columns,
                              &f->second));
    gos_sparse *W = &f->second;
    int nnz = 0;
    for (int j = 0; j < columns; j++) {
        const int mean = j - 3 * gos__fe_mean(s->frame);
        load_node(s, j);
        gos__solver_solve(s->solver, s->z);
        for (int e = 0; e < nbeam && mean < 0; e++) {
            double n[3];
            axial_force(s, &s->frame->beam[e], (const double[]){0, 0}, n);
            if (fabs(n[0]) > NOTHING) {
                W->i[nnz] = e;
                W->x[nnz++] = -n[0];
            }
        }
        if (mean >= 0 && f->form[nbeam + mean].nnz > 0) {
            W->i[nnz] = nbeam + mean;
            W->x[nnz++] = 1;
        }
        W->p[j + 1] = nnz;
    }
    W->nnz = nnz;
    return GOS_OK;
}

/* mean axial forces of elements by amplitudes */
static gos_status add_axial(stiffening *s) {
    gos_flex *f = s->flex;
    const int nbeam = s->frame->nbeam;
    int nnz = 0;
    GOS_TRY(gos__sparse_alloc(s->ctx, f->n, nbeam, 6 * (size_t)nbeam, &f->axial));
    for (int e = 0; e < nbeam; e++) {
        const gos_fe_beam *b = &s->frame->beam[e];
        const int low = b->node[0] < b->node[1] ? 0 : 1;
        for (int k = 0; k < 6; k++) {
            const int side = k < 3 ? low : 1 - low;
            f->axial.i[nnz] = GOS_BEAM_FREEDOMS * b->node[side] + k % 3;
            f->axial.x[nnz++] =
                (side ? 1 : -1) * b->axis[0][k % 3] * b->EA / gos__fe_beam_length(s->frame, b);
        }
        f->axial.p[e + 1] = nnz;
    }
    f->axial.nnz = nnz;
    return GOS_OK;
}

gos_status gos__fe_frame_stiffen(const gos_fe_frame *frame, gos_flex_condition condition,
                                 gos_flex *flex) {
    stiffening s = {.ctx = flex->ctx,
                    .frame = frame,
                    .flex = flex,
                    .relief = condition == GOS_FLEX_MEAN_AXIS,
                    .n = flex->n + flex->C.m};
    gos_sparse A = {0};
    for (int e = 0; e < frame->nbeam; e++) {
        s.length += gos__fe_beam_length(frame, &frame->beam[e]);
    }
    s.z = gos__alloc(s.ctx, (size_t)s.n + 1, sizeof *s.z);
    gos_status status = s.z ? saddle(&s, &A) : GOS_E_MEMORY;
    status = status == GOS_OK ? factorise(&s, &A) : status;
    status = status == GOS_OK ? add_forms(&s) : status;
    status = status == GOS_OK ? add_moments(&s) : status;
    status = status == GOS_OK ? add_weights(&s) : status;
    status = status == GOS_OK ? add_axial(&s) : status;
    gos__solver_destroy(s.solver);
    gos__sparse_free(s.ctx, &A);
    gos__free(s.ctx, s.z);
    return status;
}
