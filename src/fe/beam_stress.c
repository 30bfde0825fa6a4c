/* Second-order displacements of frames of beams. Section forces work on second-order strains (w'^2
   / 2; twist times slope and curvature), which causes lateral and torsional buckling. The
   displacement at a node is minus this work for a unit force there (rotation: unit moment), with
   the frame fixed by its reference conditions; integrals over the mass use unit load fields plus
   the displacement of section points. */
#include <math.h>

#include "fe/beam_frame.h"
#include "linalg/solver.h"

#define FREEDOMS 12
#define UNIFORM -1             // load per length
#define NEGLIGIBLE_FORCE 1e-11 // relative section force: rounding
#define FORCES GOS_BEAM_FORCES

typedef struct stiffening {
    gos_ctx *ctx;
    const gos_fe_frame *frame;
    gos_flex *flex;
    double length; // total length of the beams [m]
    bool relief;   // balanced by rigid-body inertia
    int n;         // order of the saddle-point matrix
    gos_pattern pattern;
    gos_solver *solver;
    double *z; // displacements, then multipliers (n)
    /* of the load in z, per element: n[0] + n[1] xi + n[2] xi^2, and the others (nbeam) */
    double (*axial)[3], (*force)[FORCES];
    double (*by)[FORCES][FREEDOMS]; // by freedoms (nbeam)
} stiffening;

/* ---- statics --------------------------------------------------------------------------------- */

/* [K C^T; C 0] with columns of A, rows ascending */
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
                           "the reference condition does not prevent all rigid-body motion of the "
                           "beams; use one that does")
               : status;
}

/* ---- axial forces ---------------------------------------------------------------------------- */

/* per length at both ends: unit field d along c (c < 0: none) per mass, or d = UNIFORM per total
   length; minus relief */
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

/* The mean is by elongation (linear displacements are exact at nodes); N' = -q gives n[0] + n[1] xi
   + n[2] xi^2. */
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

/* of the solved load; q: along elements (c, d of line_load) */
static void find_forces(stiffening *s, int c, int d) {
    for (int e = 0; e < s->frame->nbeam; e++) {
        const gos_fe_beam *b = &s->frame->beam[e];
        double q[2];
        for (int k = 0; k < FORCES; k++) {
            s->force[e][k] = 0;
            for (int i = 0; i < FREEDOMS; i++) {
                s->force[e][k] += s->by[e][k][i] * s->z[GOS_BEAM_FREEDOMS * b->node[i / 6] + i % 6];
            }
        }
        line_load(s, b, c, d, q);
        axial_force(s, b, q, s->axial[e]);
    }
}

/* remove rounding; `load`: sum of forces, and of moments over the length */
static void clean(stiffening *s, double load) {
    const double none = NEGLIGIBLE_FORCE * load;
    for (int e = 0; e < s->frame->nbeam; e++) {
        const double *n = s->axial[e];
        if (!(fabs(n[0]) + fabs(n[1]) + fabs(n[2]) > none)) {
            memset(s->axial[e], 0, sizeof s->axial[e]);
        }
        for (int k = GOS_BEAM_T; k < FORCES; k++) {
            s->force[e][k] = fabs(s->force[e][k]) > none * s->length ? s->force[e][k] : 0;
        }
    }
}

static double load_of(const stiffening *s) {
    double sum = 0;
    for (int k = 0; k < s->flex->n; k++) {
        sum += fabs(s->z[k]) / (k % GOS_BEAM_FREEDOMS < 3 ? 1 : s->length);
    }
    return sum;
}

static void solve(stiffening *s, int c, int d) {
    const double load = load_of(s);
    gos__solver_solve(s->solver, s->z);
    find_forces(s, c, d);
    clean(s, load);
}

/* ---- forms ----------------------------------------------------------------------------------- */

/* triplets */
typedef struct entries {
    size_t n, most;
    int *i, *j;
    double *x;
} entries;

static gos_status room(gos_ctx *ctx, size_t most, entries *to) {
    *to = (entries){.most = most};
    to->i = gos__alloc(ctx, most + 1, sizeof *to->i);
    to->j = gos__alloc(ctx, most + 1, sizeof *to->j);
    to->x = gos__alloc(ctx, most + 1, sizeof *to->x);
    return to->i && to->j && to->x ? GOS_OK : GOS_E_MEMORY;
}

static void free_entries(gos_ctx *ctx, entries *e) {
    gos__free(ctx, e->i);
    gos__free(ctx, e->j);
    gos__free(ctx, e->x);
}

static gos_status more_room(gos_ctx *ctx, size_t n, entries *to) {
    entries wider;
    if (to->n + n <= to->most) {
        return GOS_OK;
    }
    if (2 * to->most + n > INT32_MAX) {
        return gos__fail(ctx, GOS_E_LIMIT,
                         "second-order displacements of so many beams need more than 2^31 numbers; "
                         "use `coupling: zeroth`, or fewer elements");
    }
    gos_status status = room(ctx, 2 * to->most + n, &wider);
    if (status == GOS_OK && to->n > 0) {
        memcpy(wider.i, to->i, to->n * sizeof *to->i);
        memcpy(wider.j, to->j, to->n * sizeof *to->j);
        memcpy(wider.x, to->x, to->n * sizeof *to->x);
    }
    if (status == GOS_OK) {
        wider.n = to->n;
        free_entries(ctx, to);
        *to = wider;
    } else {
        free_entries(ctx, &wider);
    }
    return status;
}

static void add_entry(entries *to, int i, int j, double x) {
    if (x != 0) {
        to->i[to->n] = i;
        to->j[to->n] = j;
        to->x[to->n++] = x;
    }
}

static void add_element(entries *to, const gos_fe_beam *b, double factor,
                        const double A[FREEDOMS * FREEDOMS]) {
    for (int k = 0; k < FREEDOMS * FREEDOMS; k++) {
        const int p = k / FREEDOMS, q = k % FREEDOMS;
        add_entry(to, GOS_BEAM_FREEDOMS * b->node[p / 6] + p % 6,
                  GOS_BEAM_FREEDOMS * b->node[q / 6] + q % 6, factor * A[k]);
    }
}

/* S (flex->n, flex->n); frees the triplets */
static gos_status close_entries(const stiffening *s, gos_status status, entries *from,
                                gos_sparse *S) {
    if (status == GOS_OK) {
        status = gos__sparse_from_triplets(s->ctx, s->flex->n, s->flex->n, (int)from->n, from->i,
                                           from->j, from->x, S);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(S);
    }
    free_entries(s->ctx, from);
    return status;
}

/* minus the work of the load in z */
static void add_work(const stiffening *s, bool axial, bool others, entries *to) {
    for (int e = 0; e < s->frame->nbeam; e++) {
        double A[FREEDOMS * FREEDOMS];
        const gos_fe_beam *b = &s->frame->beam[e];
        const double h = gos__fe_beam_length(s->frame, b), *n = s->axial[e];
        if (axial && (n[0] != 0 || n[1] != 0 || n[2] != 0)) {
            gos__fe_beam_stress(b, h, n, 1, A);
            add_element(to, b, -1, A);
        }
        for (int k = GOS_BEAM_T; k < FORCES && others; k++) {
            if (s->force[e][k] != 0) {
                gos__fe_beam_force_stress(b, h, k, A);
                add_element(to, b, -s->force[e][k], A);
            }
        }
    }
}

/* int rho y_d u2_c by rotation of sections and rigid masses */
static void add_turned(const stiffening *s, int c, int d, entries *to) {
    const gos_fe_frame *frame = s->frame;
    for (int e = 0; e < frame->nbeam; e++) {
        double A[FREEDOMS * FREEDOMS];
        const gos_fe_beam *b = &frame->beam[e];
        gos__fe_beam_turned(b, gos__fe_beam_length(frame, b), frame->rotary, c, d, A);
        add_element(to, b, 1, A);
    }
    for (int k = 0; k < frame->nmass; k++) { // theta_c theta_d - theta^2 for c = d
        const double *I = frame->mass[k].inertia;
        const double part = 0.5 * (I[0] + I[1] + I[2]) - I[d];
        const int turn = GOS_BEAM_FREEDOMS * frame->mass[k].node + 3;
        add_entry(to, turn + c, turn + d, 0.5 * part);
        add_entry(to, turn + d, turn + c, 0.5 * part);
        for (int a = 0; a < 3 && c == d; a++) {
            add_entry(to, turn + a, turn + a, -part);
        }
    }
}

static size_t most_of(const stiffening *s) {
    return (size_t)(FORCES + 1) * FREEDOMS * FREEDOMS * (size_t)s->frame->nbeam +
           5 * (size_t)s->frame->nmass;
}

/* Unit load field d along c, from the Gram matrix. Work of its moments is stored separately, as it
   would make the mass indefinite. */
static gos_status add_moment(stiffening *s, int c, int d) {
    const gos_sparse *G = &s->flex->gram;
    entries all = {0}, left = {0};
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    for (int k = 0; k < s->flex->n; k++) {
        const int at = gos__flex_at(k, c);
        for (int p = G->p[at]; p < G->p[at + 1] && G->i[p] <= d; p++) {
            s->z[k] += G->i[p] == d ? G->x[p] : 0;
        }
    }
    gos_status status = room(s->ctx, most_of(s), &all);
    status = status == GOS_OK ? room(s->ctx, most_of(s), &left) : status;
    if (status == GOS_OK) {
        solve(s, c, d);
        add_work(s, true, false, &all);
        add_work(s, false, true, &left);
        if (d > 0) {
            add_turned(s, c, d - 1, &all);
        }
    }
    status = close_entries(s, status, &all, &s->flex->moment[4 * c + d]);
    return close_entries(s, status, &left, &s->flex->left[4 * c + d]);
}

/* unit force (uniform for the mean location), or (A = turn) unit moment */
static void load_node(stiffening *s, const gos_sparse *A, int column) {
    memset(s->z, 0, (size_t)s->n * sizeof *s->z);
    for (int k = A->p[column]; k < A->p[column + 1]; k++) {
        s->z[A->i[k]] = A->x[k];
    }
}

static gos_status add_moments(stiffening *s) {
    gos_status status = GOS_OK;
    for (int i = 0; i < GOS_FLEX_MOMENTS && status == GOS_OK; i++) {
        status = add_moment(s, i / 4, i % 4);
    }
    return status;
}

static gos_status add_form(stiffening *s, int e, int k) {
    const gos_fe_beam *b = &s->frame->beam[e];
    double A[FREEDOMS * FREEDOMS];
    entries all;
    const gos_status status = room(s->ctx, FREEDOMS * FREEDOMS, &all);
    if (status == GOS_OK) {
        gos__fe_beam_force_stress(b, gos__fe_beam_length(s->frame, b), k, A);
        add_element(&all, b, 1, A);
    }
    return close_entries(s, status, &all, &s->flex->form[FORCES * e + k]);
}

static gos_status add_mean(stiffening *s, int c) {
    entries all;
    const gos_status status = room(s->ctx, most_of(s), &all);
    if (status == GOS_OK) {
        load_node(s, &s->flex->move, 3 * gos__fe_mean(s->frame) + c);
        solve(s, c, UNIFORM);
        add_work(s, true, true, &all);
    }
    return close_entries(s, status, &all, &s->flex->form[FORCES * s->frame->nbeam + c]);
}

/* per section force and element; three of the mean location */
static gos_status add_forms(stiffening *s) {
    const int forms = FORCES * s->frame->nbeam;
    gos_flex *f = s->flex;
    f->form = gos__zalloc(s->ctx, (size_t)forms + 3, sizeof *f->form);
    GOS_TRY(f->form ? GOS_OK : GOS_E_MEMORY);
    f->nform = forms + 3;
    for (int p = 0; p < forms; p++) {
        GOS_TRY(add_form(s, p / FORCES, p % FORCES));
    }
    for (int c = 0; c < 3; c++) {
        GOS_TRY(add_mean(s, c));
    }
    return GOS_OK;
}

/* Minus the section forces of a unit force, or (A = turn) moment. With relief they vary; the
   element mean is used. The mean location has its own forms. */
static gos_status add_weights(stiffening *s, const gos_sparse *A, gos_sparse *W) {
    gos_flex *f = s->flex;
    const int columns = 3 * f->nnode, forms = FORCES * s->frame->nbeam;
    entries all;
    gos_status status = room(s->ctx, 8 * (size_t)forms, &all);
    for (int j = 0; j < columns && status == GOS_OK; j++) {
        status = more_room(s->ctx, (size_t)forms, &all);
        const int mean = j - 3 * gos__fe_mean(s->frame);
        if (mean >= 0) {
            add_entry(&all, forms + mean, j, A == &f->move && f->form[forms + mean].nnz > 0);
        }
        if (mean >= 0 || status != GOS_OK) {
            continue;
        }
        load_node(s, A, j);
        solve(s, -1, 0);
        for (int e = 0; e < s->frame->nbeam; e++) {
            double n[3];
            axial_force(s, &s->frame->beam[e], (const double[]){0, 0}, n);
            add_entry(&all, FORCES * e, j, s->axial[e][0] != 0 ? -n[0] : 0);
            for (int k = GOS_BEAM_T; k < FORCES; k++) {
                add_entry(&all, FORCES * e + k, j, -s->force[e][k]);
            }
        }
    }
    if (status == GOS_OK) {
        status = gos__sparse_from_triplets(s->ctx, f->nform, columns, (int)all.n, all.i, all.j,
                                           all.x, W);
    }
    free_entries(s->ctx, &all);
    return status;
}

/* ---- inertia of the shortening --------------------------------------------------------------- */

/* entry l of the displacement by N = 1, phi2_p = sum_l phi_l W_lp */
static const gos_sparse *column_of(const gos_flex *f, int l, int *column) {
    *column = 3 * (l / GOS_BEAM_FREEDOMS) + l % 3;
    return l % GOS_BEAM_FREEDOMS < 3 ? &f->second : &f->second_turn;
}

static bool is_axial(const stiffening *s, int form) {
    return form < FORCES * s->frame->nbeam && form % FORCES == GOS_BEAM_N;
}

/* one (gram.n, 3 nbeam) += int phi2_pc f dm, f of the Gram matrix */
static void with_shapes(const stiffening *s, double *one) {
    const gos_flex *f = s->flex;
    const gos_sparse *G = &f->gram;
    const size_t rows = (size_t)G->n;
    for (int l = 0; l < f->n; l++) {
        int column;
        const gos_sparse *W = column_of(f, l, &column);
        for (int k = W->p[column]; k < W->p[column + 1]; k++) {
            for (int c = 0; c < 3 && is_axial(s, W->i[k]); c++) {
                const int at = gos__flex_at(l, c);
                double *to = one + rows * (size_t)(3 * (W->i[k] / FORCES) + c);
                for (int p = G->p[at]; p < G->p[at + 1]; p++) {
                    to[G->i[p]] += W->x[k] * G->x[p];
                }
            }
        }
    }
}

/* two (3 nbeam, 3 nbeam) += int phi2_qd phi2_pc dm, from `one` */
static void with_others(const stiffening *s, const double *one, double *two) {
    const gos_flex *f = s->flex;
    const size_t rows = (size_t)f->gram.n, columns = 3 * (size_t)s->frame->nbeam;
    for (int l = 0; l < f->n; l++) {
        int column;
        const gos_sparse *W = column_of(f, l, &column);
        for (int k = W->p[column]; k < W->p[column + 1]; k++) {
            for (size_t p = 0; p < 3 * columns && is_axial(s, W->i[k]); p++) {
                const size_t d = p % 3, q = 3 * (size_t)(W->i[k] / FORCES) + d;
                two[p / 3 + columns * q] +=
                    W->x[k] * one[(size_t)gos__flex_at(l, (int)d) + rows * (p / 3)];
            }
        }
    }
}

/* column of form p, component c of the axial force of element p in flex->drawn */
static int drawn_column(size_t p) {
    return 3 * FORCES * ((int)p / 3) + (int)p % 3;
}

/* Shortening with shapes and with itself: keeps the mass positive when frame and beam move in
   opposite directions. */
static gos_status add_drawn(stiffening *s) {
    gos_flex *f = s->flex;
    const size_t rows = (size_t)f->gram.n, columns = 3 * (size_t)s->frame->nbeam;
    double *one = gos__zalloc(s->ctx, columns * (rows + columns) + 1, sizeof *one);
    entries all = {0}, twice = {0};
    gos_status status = one ? room(s->ctx, columns * rows, &all) : GOS_E_MEMORY;
    status = status == GOS_OK ? room(s->ctx, columns * columns, &twice) : status;
    if (status == GOS_OK) {
        double *two = one + columns * rows;
        with_shapes(s, one);
        with_others(s, one, two);
        for (size_t k = 0; k < columns * rows; k++) {
            add_entry(&all, (int)(k % rows), drawn_column(k / rows),
                      k % rows < GOS_FLEX_RIGID ? 0 : one[k]);
        }
        for (size_t k = 0; k < columns * columns; k++) {
            add_entry(&twice, drawn_column(k % columns), drawn_column(k / columns), two[k]);
        }
        status = gos__sparse_from_triplets(s->ctx, f->gram.n, 3 * f->nform, (int)all.n, all.i,
                                           all.j, all.x, &f->drawn);
    }
    if (status == GOS_OK) {
        status = gos__sparse_from_triplets(s->ctx, 3 * f->nform, 3 * f->nform, (int)twice.n,
                                           twice.i, twice.j, twice.x, &f->drawn_twice);
    }
    gos__free(s->ctx, one);
    free_entries(s->ctx, &all);
    free_entries(s->ctx, &twice);
    return status;
}

static gos_status add_force(stiffening *s) {
    gos_flex *f = s->flex;
    const int forms = FORCES * s->frame->nbeam;
    entries all;
    gos_status status = room(s->ctx, (size_t)FREEDOMS * (size_t)forms, &all);
    for (int e = 0; e < s->frame->nbeam && status == GOS_OK; e++) {
        const gos_fe_beam *b = &s->frame->beam[e];
        for (int k = 0; k < FORCES * FREEDOMS; k++) {
            const int i = k % FREEDOMS;
            add_entry(&all, GOS_BEAM_FREEDOMS * b->node[i / 6] + i % 6, FORCES * e + k / FREEDOMS,
                      s->by[e][k / FREEDOMS][i]);
        }
    }
    if (status == GOS_OK) {
        status = gos__sparse_from_triplets(s->ctx, f->n, forms, (int)all.n, all.i, all.j, all.x,
                                           &f->force);
    }
    free_entries(s->ctx, &all);
    return status;
}

gos_status gos__fe_frame_stiffen(const gos_fe_frame *frame, gos_flex_condition condition,
                                 bool whole, gos_flex *flex) {
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
    s.axial = gos__alloc(s.ctx, (size_t)frame->nbeam + 1, sizeof *s.axial);
    s.force = gos__alloc(s.ctx, (size_t)frame->nbeam + 1, sizeof *s.force);
    s.by = gos__alloc(s.ctx, (size_t)frame->nbeam + 1, sizeof *s.by);
    for (int e = 0; e < frame->nbeam && s.by; e++) {
        const gos_fe_beam *b = &frame->beam[e];
        gos__fe_beam_forces(b, gos__fe_beam_length(frame, b), s.by[e]);
    }
    gos_status status = s.z && s.axial && s.force && s.by ? saddle(&s, &A) : GOS_E_MEMORY;
    status = status == GOS_OK ? factorise(&s, &A) : status;
    status = status == GOS_OK ? add_forms(&s) : status;
    status = status == GOS_OK ? add_moments(&s) : status;
    status = status == GOS_OK ? add_weights(&s, &flex->move, &flex->second) : status;
    status = status == GOS_OK ? add_weights(&s, &flex->turn, &flex->second_turn) : status;
    status = status == GOS_OK && whole ? add_drawn(&s) : status;
    status = status == GOS_OK ? add_force(&s) : status;
    gos__solver_destroy(s.solver);
    gos__sparse_free(s.ctx, &A);
    gos__free(s.ctx, s.z);
    gos__free(s.ctx, s.axial);
    gos__free(s.ctx, s.force);
    gos__free(s.ctx, s.by);
    return status;
}
