/* Flexible body from standard input data. */

/* The kinetic energy has six functions of the amplitudes; the file has s, J, Ct, Cr and Me. The
 * Gram matrix and second-order moments follow from mdCM and J at rest, J', Cr, Ct, Me, and Oe: -Oe
 * w w is the derivative of w^T J w / 2. Its split into products of shapes and second-order
 * displacements is arbitrary. Gr and Ge are redundant and only compared. */
#include <math.h>

#include "flex/sid.h"

#define EQUAL_TOLERANCE 1e-6 // largest relative difference of equal values
#define ROUNDING 1e-9        // ... treated as round-off

typedef struct taking {
    gos_ctx *ctx;
    const gos_sid *s;
    gos_loc loc; // of the file name
    const char *object;
    gos_flex *f;
    int n;
    double *Ct, *Cr, *J, *Oe; // (n + 1 matrices) M0, M1; J with 6 rows
    double *Me;               // (n, n)
    double *gram;             // (size, size)
    size_t size;
    double *moment[GOS_FLEX_MOMENTS]; // (n, n)
    double *work;                     // for any block
    bool second;
} taking;

static const gos_sid_block *of(const taking *t, int which) {
    return &t->s->block[which];
}

static gos_loc loc_of(const taking *t, const gos_sid_block *b) {
    return t->s->file && b->line > 0 ? (gos_loc){t->s->file, b->line, 1} : t->loc;
}

static gos_status refuse(const taking *t, const gos_sid_block *b, const char *what) {
    return gos__fail_at(t->ctx, GOS_E_INPUT, loc_of(t, b), t->object, "%s", what);
}

static double largest_of(size_t n, const double *x) {
    double max = 0;
    for (size_t i = 0; i < n; i++) {
        max = fmax(max, fabs(x[i]));
    }
    return max;
}

/* A := (A + A^T) / 2; false if far from symmetric, relative to `size` */
static bool make_symmetric(int n, double *A, double size) {
    bool good = true;
    for (long j = 0; j < n; j++) {
        for (long i = 0; i < j; i++) {
            double *a = &A[i + j * n], *b = &A[j + i * n];
            good = good && fabs(*a - *b) <= EQUAL_TOLERANCE * size;
            *a = *b = 0.5 * (*a + *b);
        }
    }
    return good;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* all of a block: M0, M1_0, M1_1, ... */
static double *dense_of(const taking *t, int which) {
    const gos_sid_block *b = of(t, which);
    const size_t size = (size_t)b->nrow * (size_t)b->ncol;
    double *A = gos__zalloc(t->ctx, size * ((size_t)t->n + 1), sizeof *A);
    if (A) {
        gos__sid_all(b, t->n, A);
    }
    return A;
}

static bool has_first(const gos_sid_block *b) {
    for (int e = 0; e < b->n; e++) {
        if (b->entry[e].q >= 0 && b->entry[e].x != 0) {
            return true;
        }
    }
    return false;
}

/* rows 11, 22, 33, 12, 13, 23 of J */
static void inertia_rows(const gos_sid_block *b, int n, double *J) {
    static const int at[6] = {0, 4, 8, 3, 6, 7};
    for (int q = 0; q <= n && b->nrow == 3; q++) {
        double row[6];
        for (int p = 0; p < 6; p++) {
            row[p] = J[9 * q + at[p]];
        }
        memcpy(J + 6L * q, row, sizeof row);
    }
}

static gos_status check_given(const taking *t) {
    static const int needed[] = {GOS_SID_MDCM, GOS_SID_J,  GOS_SID_CT, GOS_SID_CR,
                                 GOS_SID_ME,   GOS_SID_OE, GOS_SID_KE};
    static const int constant[] = {GOS_SID_ME, GOS_SID_KE, GOS_SID_DE, GOS_SID_GE};
    for (int k = 0; k < GOS_COUNT(needed); k++) {
        if (of(t, needed[k])->line == 0) {
            return gos__fail_at(t->ctx, GOS_E_INPUT, t->loc, t->object,
                                "the file has no %s, which is required", gos__sid_name(needed[k]));
        }
    }
    for (int k = 0; k < GOS_COUNT(constant); k++) {
        if (has_first(of(t, constant[k]))) {
            return gos__fail_at(
                t->ctx, GOS_E_INPUT, loc_of(t, of(t, constant[k])), t->object,
                "%s depends on the amplitudes, which is not supported; write it with order 0",
                gos__sid_name(constant[k]));
        }
    }
    if (t->s->nnode == 0) {
        return gos__fail_at(t->ctx, GOS_E_INPUT, t->loc, t->object,
                            "the file has no node; at least one is required");
    }
    return of(t, GOS_SID_OE)->order == 1
               ? GOS_OK
               : refuse(t, of(t, GOS_SID_OE),
                        "Oe of order 0 has no centrifugal forces that grow with the deformation, "
                        "so the body would be too stiff; write it with order 1");
}

static gos_status read_blocks(taking *t) {
    const size_t n = (size_t)t->n;
    t->size = GOS_FLEX_RIGID + 3 * n;
    t->Ct = dense_of(t, GOS_SID_CT);
    t->Cr = dense_of(t, GOS_SID_CR);
    t->J = dense_of(t, GOS_SID_J);
    t->Oe = dense_of(t, GOS_SID_OE);
    t->Me = gos__zalloc(t->ctx, n * n, sizeof *t->Me);
    t->gram = gos__zalloc(t->ctx, t->size * t->size, sizeof *t->gram);
    t->work = gos__zalloc(t->ctx, 9 * n * n + 9 * n + 9, sizeof *t->work);
    GOS_TRY(t->Ct && t->Cr && t->J && t->Oe && t->Me && t->gram && t->work ? GOS_OK : GOS_E_MEMORY);
    for (int i = 0; i < GOS_FLEX_MOMENTS; i++) {
        t->moment[i] = gos__zalloc(t->ctx, n * n, sizeof *t->moment[i]);
        GOS_TRY(t->moment[i] ? GOS_OK : GOS_E_MEMORY);
    }
    inertia_rows(of(t, GOS_SID_J), t->n, t->J);
    gos__sid_constant(of(t, GOS_SID_ME), t->Me);
    return make_symmetric(t->n, t->Me, largest_of(n * n, t->Me))
               ? GOS_OK
               : refuse(t, of(t, GOS_SID_ME), "Me must be symmetric");
}

/* ---- order 0 --------------------------------------------------------------------------------- */

static void put(taking *t, int i, int j, double x) {
    t->gram[(size_t)i + (size_t)j * t->size] = x;
    t->gram[(size_t)j + (size_t)i * t->size] = x;
}

static gos_status take_rigid(taking *t) {
    const double *J = t->J, half = 0.5 * (J[0] + J[1] + J[2]);
    double s[3] = {0};
    gos__sid_constant(of(t, GOS_SID_MDCM), s);
    put(t, 0, 0, t->s->mass);
    for (int a = 0; a < 3; a++) {
        put(t, 0, 1 + a, s[a]);
        put(t, 1 + a, 1 + a, half - J[a]);
        if (!(half - J[a] >= -EQUAL_TOLERANCE * half)) {
            return refuse(
                t, of(t, GOS_SID_J),
                "impossible moments of inertia: one is larger than the sum of the others; check J");
        }
    }
    put(t, 1, 2, -J[3]);
    put(t, 1, 3, -J[4]);
    put(t, 2, 3, -J[5]);
    return GOS_OK;
}

/* int phi_k dm is in both blocks. */
static gos_status check_centre(const taking *t) {
    const gos_sid_block *b = of(t, GOS_SID_MDCM);
    const double max = largest_of(3 * (size_t)t->n, t->Ct);
    gos__sid_all(b, t->n, t->work);
    for (int k = 0; k < t->n; k++) {
        const double *s = t->work + 3L * (k + 1);
        for (int a = 0; a < 3; a++) {
            if (!(fabs(s[a] - t->Ct[k + a * t->n]) <= EQUAL_TOLERANCE * max)) {
                return refuse(t, b,
                              "m1 of mdCM and m0 of Ct are the same integrals of the shapes but "
                              "differ; check both");
            }
        }
    }
    return GOS_OK;
}

/* E(a, b) = int X_a phi_b dm: symmetric part from J', the other from Cr. */
static void take_linear(taking *t) {
    for (int k = 0; k < t->n; k++) {
        const double *J = t->J + 6L * (k + 1), trace = 0.25 * (J[0] + J[1] + J[2]);
        const double off[3] = {J[5], J[4], J[3]}; // normal to axis a
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3, c = (a + 2) % 3;
            const double turn = t->Cr[k + a * t->n];
            put(t, 0, gos__flex_at(k, a), t->Ct[k + a * t->n]);
            put(t, 1 + a, gos__flex_at(k, a), trace - 0.5 * J[a]);
            put(t, 1 + b, gos__flex_at(k, c), 0.5 * (turn - off[a]));
            put(t, 1 + c, gos__flex_at(k, b), -0.5 * (turn + off[a]));
        }
    }
}

/* ---- products of amplitudes ------------------------------------------------------------------ */

/* M1(k, l, j) of a block with n rows */
static double first(const taking *t, const double *A, int columns, int k, int l, int j) {
    return A[((size_t)(l + 1) * (size_t)columns + (size_t)j) * (size_t)t->n + (size_t)k];
}

static bool is_symmetric(const taking *t, const double *A, int columns) {
    const size_t all = (size_t)t->n * (size_t)columns;
    const double max = largest_of(all * (size_t)t->n, A + all);
    for (int j = 0; j < columns; j++) {
        for (int k = 0; k < t->n; k++) {
            for (int l = 0; l < k; l++) {
                const double a = first(t, A, columns, k, l, j), b = first(t, A, columns, l, k, j);
                if (!(fabs(a - b) <= EQUAL_TOLERANCE * max)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Products of shapes with the trace from Me; the rest is second-order. */
static void take_pair(taking *t, int k, int l) {
    const size_t at = (size_t)k + (size_t)l * (size_t)t->n;
    double o[6], W[3], V[3];
    for (int p = 0; p < 6; p++) {
        o[p] = 0.5 * (first(t, t->Oe, 6, k, l, p) + first(t, t->Oe, 6, l, k, p));
    }
    for (int a = 0; a < 3; a++) {
        W[a] = first(t, t->Cr, 3, k, l, a);
        V[a] = first(t, t->Cr, 3, l, k, a);
    }
    const double trace = -0.5 * (o[0] + o[1] + o[2]), rest = (trace - t->Me[at]) / 3;
    const double off[3] = {0.5 * o[4], 0.5 * o[5], 0.5 * o[3]}; // normal to axis a
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        put(t, gos__flex_at(l, a), gos__flex_at(k, a), o[a] + trace - rest);
        put(t, gos__flex_at(l, b), gos__flex_at(k, c), off[a] + 0.25 * (W[a] - V[a]));
        put(t, gos__flex_at(l, c), gos__flex_at(k, b), off[a] - 0.25 * (W[a] - V[a]));
        t->moment[4 * a][at] = 0.5 * (first(t, t->Ct, 3, k, l, a) + first(t, t->Ct, 3, l, k, a));
        t->moment[4 * a + 1 + a][at] = rest;
        t->moment[4 * c + 1 + b][at] = 0.25 * (W[a] + V[a]);
        t->moment[4 * b + 1 + c][at] = -0.25 * (W[a] + V[a]);
    }
}

/* Sets round-off to 0. */
static void clean(taking *t) {
    const size_t n2 = (size_t)t->n * (size_t)t->n;
    const double mass = largest_of(n2, t->Me), turn = largest_of(3 * n2, t->Cr + 3L * t->n);
    const double shift = largest_of((size_t)t->n, t->Ct);
    for (int i = 0; i < GOS_FLEX_MOMENTS; i++) {
        const int c = i / 4, d = i % 4 - 1;
        const double size = d < 0 ? 0 : d == c ? mass : fmax(turn, mass);
        const double max = largest_of(n2, t->moment[i]);
        if (max <= ROUNDING * size || (d < 0 && max <= ROUNDING * ROUNDING * shift)) {
            memset(t->moment[i], 0, n2 * sizeof *t->moment[i]);
        } else {
            t->second = true;
        }
    }
}

/* Whether unequal pairs are zero in one triangle of (k, l), the same for all: programs that store a
 * quadratic form by half. */
static bool is_one_sided(const taking *t, const double *A, int columns) {
    const size_t all = (size_t)t->n * (size_t)columns;
    const double min = EQUAL_TOLERANCE * largest_of(all * (size_t)t->n, A + all);
    bool below = false, above = false, both = false;
    for (int i = 0; i < columns * t->n * t->n; i++) {
        const int j = i % columns, k = i / columns / t->n, l = i / columns % t->n;
        const double a = first(t, A, columns, k, l, j), b = first(t, A, columns, l, k, j);
        if (l < k && !(fabs(a - b) <= min)) {
            below = below || fabs(a) > min;
            above = above || fabs(b) > min;
            both = both || (fabs(a) > min && fabs(b) > min);
        }
    }
    return !both && below != above;
}

static gos_status take_products(taking *t) {
    const bool bare = !is_symmetric(t, t->Oe, 6) && is_one_sided(t, t->Oe, 6);
    const bool good = bare || is_symmetric(t, t->Oe, 6);
    if (!good || !is_symmetric(t, t->Ct, 3)) {
        return refuse(t, of(t, good ? GOS_SID_CT : GOS_SID_OE),
                      "m1(k, l, j) and m1(l, k, j) differ, which contradicts a kinetic energy; "
                      "indices must be row, amplitude, column");
    }
    if (bare) {
        gos__warn(t->ctx, loc_of(t, of(t, GOS_SID_OE)), t->object,
                  "m1 of Oe has m1(k, l, j) for one order of k and l only, where the other is 0; "
                  "its symmetric part is used, half of m1(k, l, j) + m1(l, k, j)");
    }
    for (int k = 0; k < t->n; k++) {
        for (int l = 0; l < t->n; l++) {
            take_pair(t, k, l);
        }
    }
    clean(t);
    return GOS_OK;
}

/* ---- redundant blocks ------------------------------------------------------------------------ */

static double gram_at(const taking *t, int i, int j) {
    return t->gram[(size_t)i + (size_t)j * t->size];
}

/* Expected entry of Gr of order 0 or Ge, from the other blocks. */
static double expected(const taking *t, int which, int row, int k, int axis) {
    if (which == GOS_SID_GE) {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        return 2 * (gram_at(t, gos__flex_at(k, b), gos__flex_at(row, c)) -
                    gram_at(t, gos__flex_at(k, c), gos__flex_at(row, b)));
    }
    double trace = 0;
    for (int a = 0; a < 3; a++) {
        trace += gram_at(t, 1 + a, gos__flex_at(k, a));
    }
    return -2 * (gram_at(t, 1 + axis, gos__flex_at(k, row)) - (row == axis ? trace : 0));
}

/* Columns are ordered by axis, then amplitude, or the reverse. */
static void compare_gyroscopic(const taking *t, int which) {
    const gos_sid_block *b = of(t, which);
    double off[2] = {0, 0}, max = 0;
    if (b->line == 0) {
        return;
    }
    gos__sid_constant(b, t->work);
    for (int i = 0; i < b->nrow; i++) {
        for (int k = 0; k < t->n; k++) {
            for (int a = 0; a < 3; a++) {
                const double expected_value = expected(t, which, i, k, a);
                max = fmax(max, fabs(expected_value));
                for (int other = 0; other < 2; other++) {
                    const int column = other ? 3 * k + a : a * t->n + k;
                    off[other] =
                        fmax(off[other],
                             fabs(t->work[i + (size_t)column * (size_t)b->nrow] - expected_value));
                }
            }
        }
    }
    const double min = fmin(off[0], off[1]);
    if (!(min <= EQUAL_TOLERANCE * max) && which == GOS_SID_GR) {
        gos__warn(t->ctx, loc_of(t, b), t->object,
                  "Gr differs by %.2g (largest entry %.2g) from the same integrals in J and Cr; it "
                  "is not used",
                  min, max);
    } else if (!(min <= EQUAL_TOLERANCE * max)) {
        gos__warn(
            t->ctx, loc_of(t, b), t->object,
            "Ge differs by %.2g (largest entry %.2g) from the same integrals in Cr; it is not used",
            min, max);
    }
}

/* Oe of order 0 is -J'/2, twice that off the diagonal */
static void compare_centrifugal(const taking *t) {
    static const int of_inertia[6] = {0, 1, 2, 3, 5, 4};
    const double max = largest_of(6 * (size_t)t->n, t->Oe);
    double off = 0;
    for (int k = 0; k < t->n; k++) {
        for (int p = 0; p < 6; p++) {
            const double expected_value = -(p < 3 ? 0.5 : 1) * t->J[6L * (k + 1) + of_inertia[p]];
            off = fmax(off, fabs(t->Oe[k + p * t->n] - expected_value));
        }
    }
    if (!(off <= EQUAL_TOLERANCE * max)) {
        gos__warn(t->ctx, loc_of(t, of(t, GOS_SID_OE)), t->object,
                  "m0 of Oe differs by %.2g (largest entry %.2g) from the same integrals in m1 of "
                  "J; it is not used",
                  off, max);
    }
}

/* ---- stiffness ------------------------------------------------------------------------------- */

static gos_status take_symmetric(taking *t, int which, const double *more, gos_sparse *A) {
    const gos_sid_block *b = of(t, which);
    const size_t n2 = (size_t)t->n * (size_t)t->n;
    memset(t->work, 0, n2 * sizeof *t->work);
    if (b->line > 0) {
        gos__sid_constant(b, t->work);
    }
    for (size_t i = 0; more && i < n2; i++) {
        t->work[i] += more[i];
    }
    if (!make_symmetric(t->n, t->work, largest_of(n2, t->work))) {
        return gos__fail_at(t->ctx, GOS_E_INPUT, loc_of(t, b), t->object, "%s must be symmetric",
                            gos__sid_name(which));
    }
    return gos__sparse_from_dense(t->ctx, t->n, t->n, t->work, A);
}

/* The part of ksigma proportional to the amplitudes is stiffness. */
static gos_status take_stiffness(taking *t) {
    const gos_sid_block *b = of(t, GOS_SID_KSIGMA);
    double *more = NULL;
    if (b->line > 0) {
        more = dense_of(t, GOS_SID_KSIGMA);
        GOS_TRY(more ? GOS_OK : GOS_E_MEMORY);
    }
    gos_status status =
        more && largest_of((size_t)t->n, more) > 0
            ? refuse(t, b,
                     "m0 of ksigma is a force of stresses at rest, so zero amplitudes are not in "
                     "equilibrium; this is not supported, remove it")
            : take_symmetric(t, GOS_SID_KE, more ? more + t->n : NULL, &t->f->K);
    gos__free(t->ctx, more);
    return status == GOS_OK ? take_symmetric(t, GOS_SID_DE, NULL, &t->f->D) : status;
}

/* ---- nodes
 * ------------------------------------------------------------------------------------------------
 */

static const gos_sid_block *node_block(const gos_sid_node *node, int which) {
    return &node->block[GOS_SID_OF_NODE(which)];
}

/* phi is the derivative of origin (3, n + 1) */
static gos_status check_origin(const taking *t, const gos_sid_node *node, const double *phi,
                               const double *all) {
    const gos_sid_block *b = node_block(node, GOS_SID_ORIGIN);
    const size_t n3 = has_first(b) ? 3 * (size_t)t->n : 0;
    const double max = largest_of(n3, phi);
    for (size_t i = 0; i < n3; i++) {
        if (!(fabs(all[3 + i] - phi[i]) <= EQUAL_TOLERANCE * max)) {
            return refuse(
                t, b,
                "m1 of origin and m0 of phi are the same displacements but differ; check both");
        }
    }
    return GOS_OK;
}

/* Adds columns 3 node + c from a dense (3, n). */
static void add_columns(gos_sparse *A, int node, int n, const double *from) {
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < n; k++) {
            if (from[3 * k + c] != 0) {
                A->i[A->nnz] = k;
                A->x[A->nnz++] = from[3 * k + c];
            }
        }
        A->p[3 * node + c + 1] = A->nnz;
    }
}

static size_t count_constant(const gos_sid *s, int which) {
    size_t n = 0;
    for (int i = 0; i < s->nnode; i++) {
        n += (size_t)node_block(&s->node[i], which)->n;
    }
    return 2 * n;
}

static gos_status take_locations(taking *t) {
    const gos_sid *s = t->s;
    gos_flex *f = t->f;
    GOS_TRY(
        gos__sparse_alloc(t->ctx, t->n, 3 * s->nnode, count_constant(s, GOS_SID_PHI), &f->move));
    GOS_TRY(
        gos__sparse_alloc(t->ctx, t->n, 3 * s->nnode, count_constant(s, GOS_SID_PSI), &f->turn));
    f->move.nnz = f->turn.nnz = 0;
    for (int i = 0; i < s->nnode; i++) {
        const gos_sid_block *phi = node_block(&s->node[i], GOS_SID_PHI),
                            *psi = node_block(&s->node[i], GOS_SID_PSI);
        double *u = t->work, *r = u + 3 * (size_t)t->n, *all = r + 3 * (size_t)t->n;
        memset(u, 0, 6 * (size_t)t->n * sizeof *u);
        gos__sid_all(node_block(&s->node[i], GOS_SID_ORIGIN), t->n, all);
        memcpy(f->x[i], all, sizeof f->x[i]);
        if (phi->line == 0) {
            return gos__fail_at(
                t->ctx, GOS_E_INPUT, s->file ? (gos_loc){s->file, s->node[i].line, 1} : t->loc,
                t->object, "node %d has no phi, which is required", s->node[i].number);
        }
        gos__sid_constant(phi, u);
        if (psi->line > 0) {
            gos__sid_constant(psi, r);
        }
        GOS_TRY(check_origin(t, &s->node[i], u, all));
        add_columns(&f->move, i, t->n, u);
        add_columns(&f->turn, i, t->n, r);
    }
    return GOS_OK;
}

/* Second-order displacements: m1(c, l, k) of row c of phi. */
static gos_status take_form(taking *t, const gos_sid_block *phi, int c, gos_sparse *S) {
    const size_t n = (size_t)t->n;
    double max;
    memset(t->work, 0, n * n * sizeof *t->work);
    for (int e = 0; e < phi->n; e++) {
        const gos_sid_entry *x = &phi->entry[e];
        if (x->q >= 0 && x->i == c) {
            t->work[(size_t)x->j + (size_t)x->q * n] = x->x;
        }
    }
    max = largest_of(n * n, t->work);
    if (!make_symmetric(t->n, t->work, max)) {
        return refuse(t, phi,
                      "m1(c, l, k) and m1(c, k, l) of phi differ, but must be equal; indices must "
                      "be row, amplitude, column");
    }
    return max > 0 ? gos__sparse_from_dense(t->ctx, t->n, t->n, t->work, S) : GOS_OK;
}

static gos_status take_second(taking *t) {
    const gos_sid *s = t->s;
    gos_flex *f = t->f;
    int count = 0;
    for (int i = 0; i < s->nnode; i++) {
        count += has_first(node_block(&s->node[i], GOS_SID_PHI)) ? 3 : 0;
    }
    t->second = t->second || count > 0;
    f->form = gos__zalloc(t->ctx, (size_t)count + 1, sizeof *f->form);
    GOS_TRY(f->form ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__sparse_alloc(t->ctx, count, 3 * s->nnode, (size_t)count, &f->second));
    f->second.nnz = 0;
    for (int i = 0; i < s->nnode; i++) {
        const gos_sid_block *phi = node_block(&s->node[i], GOS_SID_PHI);
        const bool grows = has_first(phi);
        for (int c = 0; c < 3; c++) {
            if (grows) {
                GOS_TRY(take_form(t, phi, c, &f->form[f->nform++]));
            }
            if (grows && f->form[f->nform - 1].p) {
                f->second.i[f->second.nnz] = f->nform - 1;
                f->second.x[f->second.nnz++] = 1;
            }
            f->second.p[3 * i + c + 1] = f->second.nnz;
        }
    }
    return GOS_OK;
}

static gos_status take_moments(taking *t) {
    for (int i = 0; i < GOS_FLEX_MOMENTS && t->second; i++) {
        if (largest_of((size_t)t->n * (size_t)t->n, t->moment[i]) > 0) {
            GOS_TRY(gos__sparse_from_dense(t->ctx, t->n, t->n, t->moment[i], &t->f->moment[i]));
        }
    }
    return GOS_OK;
}

/* ---- complete body --------------------------------------------------------------------------- */

static gos_status take_all(taking *t) {
    GOS_TRY(check_given(t));
    GOS_TRY(read_blocks(t));
    GOS_TRY(take_rigid(t));
    GOS_TRY(check_centre(t));
    take_linear(t);
    GOS_TRY(take_products(t));
    compare_gyroscopic(t, GOS_SID_GR);
    compare_gyroscopic(t, GOS_SID_GE);
    compare_centrifugal(t);
    GOS_TRY(take_stiffness(t));
    GOS_TRY(take_locations(t));
    GOS_TRY(take_second(t));
    GOS_TRY(take_moments(t));
    GOS_TRY(gos__sparse_alloc(t->ctx, 0, t->n, 0, &t->f->C));
    return gos__sparse_from_dense(t->ctx, (int)t->size, (int)t->size, t->gram, &t->f->gram);
}

gos_status gos__sid_to_flex(const gos_sid *s, gos_loc loc, const char *object, gos_flex **flex,
                            bool *second) {
    taking t = {.ctx = s->ctx, .s = s, .loc = loc, .object = object, .n = s->n};
    GOS_TRY(gos__flex_create(s->ctx, s->n, s->nnode, &t.f));
    const gos_status status = take_all(&t);
    double *const room[] = {t.Ct, t.Cr, t.J, t.Oe, t.Me, t.gram, t.work};
    for (int i = 0; i < GOS_COUNT(room); i++) {
        gos__free(t.ctx, room[i]);
    }
    for (int i = 0; i < GOS_FLEX_MOMENTS; i++) {
        gos__free(t.ctx, t.moment[i]);
    }
    if (status != GOS_OK) {
        gos__flex_destroy(t.f);
        return status;
    }
    *flex = t.f;
    *second = t.second;
    return GOS_OK;
}
