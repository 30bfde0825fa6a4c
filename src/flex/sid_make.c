/* Standard input data from the Gram matrix and second-order moments. */

/* E_kl(a, b) = int phi_l,a phi_k,b + X_a phi2_kl,b dm, E_k(a, b) = int X_a phi_k,b dm:
 *     C4 = int c~ phi_k~ dm = E^T - tr(E) 1
 *     Gr = -2 C4,   J' = -C4 - C4^T,   Oe: w^T C4 w
 *     Cr = (E(b, c) - E(c, b)), a b c cyclic;   Ge = twice that of the first part of E_kl only */
#include <math.h>

#include "flex/sid.h"

typedef struct making {
    const gos_flex *f;
    gos_sid *s;
    double *gram;                     // dense (size, size)
    size_t size;                      // fields
    double *moment[GOS_FLEX_MOMENTS]; // dense (n, n), NULL where 0
} making;

static double gram(const making *k, int i, int j) {
    return k->gram[(size_t)i + (size_t)j * k->size];
}

/* int X_d phi2_kl,c dm with X_-1 = 1 */
static double second(const making *k, int c, int d, int i, int j) {
    const double *M = k->moment[4 * c + d + 1];
    return M ? M[(size_t)i + (size_t)j * (size_t)k->f->n] : 0;
}

/* skips zero entries */
static gos_status put(making *k, gos_sid_block *b, int i, int q, int j, double x) {
    return x != 0 ? gos__sid_add(k->s->ctx, b, i, q, j, x) : GOS_OK;
}

static gos_sid_block *begin(making *k, gos_sid_block *of, int which, int order) {
    *of = (gos_sid_block){.line = 1, .order = order, .nq = k->f->n, .structure = GOS_SID_FULL};
    gos__sid_shape(k->s, which, &of->nrow, &of->ncol);
    return of;
}

static gos_sid_block *block(making *k, int which, int order) {
    return begin(k, &k->s->block[which], which, order);
}

/* E_k (l < 0) or E_kl; `twice` false: without phi2 */
static double product(const making *m, int k, int l, int a, int b, bool twice) {
    if (l < 0) {
        return gram(m, 1 + a, gos__flex_at(k, b));
    }
    return gram(m, gos__flex_at(l, a), gos__flex_at(k, b)) + (twice ? second(m, b, a, k, l) : 0);
}

static double trace(const making *m, int k, int l) {
    return product(m, k, l, 0, 0, true) + product(m, k, l, 1, 1, true) +
           product(m, k, l, 2, 2, true);
}

/* C4(a, b) of amplitude k, or its change by l */
static double turned(const making *m, int k, int l, int a, int b) {
    return product(m, k, l, b, a, true) - (a == b ? trace(m, k, l) : 0);
}

static double crossed(const making *m, int k, int l, int a, bool twice) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    return product(m, k, l, b, c, twice) - product(m, k, l, c, b, twice);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static gos_status make_mass_centre(making *m) {
    gos_sid_block *b = block(m, GOS_SID_MDCM, 1);
    for (int a = 0; a < 3; a++) {
        GOS_TRY(put(m, b, a, -1, 0, gram(m, 0, 1 + a)));
    }
    for (int k = 0; k < m->f->n; k++) {
        for (int a = 0; a < 3; a++) {
            GOS_TRY(put(m, b, a, k, 0, gram(m, 0, gos__flex_at(k, a))));
        }
    }
    return GOS_OK;
}

/* 11, 22, 33, 12, 13, 23 */
static const int of_inertia[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static gos_status make_inertia(making *m) {
    gos_sid_block *b = block(m, GOS_SID_J, 1);
    for (int q = -1; q < m->f->n; q++) {
        for (int p = 0; p < 6; p++) {
            const int i = of_inertia[p][0], j = of_inertia[p][1];
            double x;
            if (q < 0) {
                const double all = gram(m, 1, 1) + gram(m, 2, 2) + gram(m, 3, 3);
                x = (i == j ? all : 0) - gram(m, 1 + i, 1 + j);
            } else {
                x = -turned(m, q, -1, i, j) - turned(m, q, -1, j, i);
            }
            GOS_TRY(put(m, b, p, q, 0, x));
        }
    }
    return GOS_OK;
}

static gos_status make_couplings(making *m, bool of_second) {
    const int n = m->f->n;
    gos_sid_block *t = block(m, GOS_SID_CT, of_second), *r = block(m, GOS_SID_CR, 1);
    for (int l = -1; l < n; l++) {
        for (int k = 0; k < n; k++) {
            for (int a = 0; a < 3; a++) {
                const double x = l < 0 ? gram(m, 0, gos__flex_at(k, a)) : second(m, a, -1, k, l);
                GOS_TRY(put(m, t, k, l, a, x));
                GOS_TRY(put(m, r, k, l, a, crossed(m, k, l, a, true)));
            }
        }
    }
    return GOS_OK;
}

/* columns: axis 1 for all amplitudes, then axis 2, ... */
static gos_status make_gyroscopic(making *m) {
    const int n = m->f->n;
    gos_sid_block *r = block(m, GOS_SID_GR, 1), *e = block(m, GOS_SID_GE, 0);
    for (int l = -1; l < n; l++) {
        for (int k = 0; k < n; k++) {
            for (int p = 0; p < 9; p++) {
                GOS_TRY(put(m, r, p / 3, l, p % 3 * n + k, -2 * turned(m, k, l, p / 3, p % 3)));
            }
            for (int a = 0; a < 3 && l >= 0; a++) {
                GOS_TRY(put(m, e, k, -1, a * n + l, 2 * crossed(m, k, l, a, false)));
            }
        }
    }
    return GOS_OK;
}

/* products of rates 11, 22, 33, 12, 23, 13 */
static gos_status make_centrifugal(making *m) {
    static const int of_rates[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    const int n = m->f->n;
    gos_sid_block *b = block(m, GOS_SID_OE, 1);
    for (int l = -1; l < n; l++) {
        for (int k = 0; k < n; k++) {
            for (int p = 0; p < 6; p++) {
                const int i = of_rates[p][0], j = of_rates[p][1];
                GOS_TRY(put(m, b, k, l, p,
                            turned(m, k, l, i, j) + (i == j ? 0 : turned(m, k, l, j, i))));
            }
        }
    }
    return GOS_OK;
}

static gos_status make_mass(making *m) {
    gos_sid_block *b = block(m, GOS_SID_ME, 0);
    b->structure = GOS_SID_SYMMETRIC;
    for (int k = 0; k < m->f->n; k++) {
        for (int l = 0; l <= k; l++) {
            double x = 0;
            for (int a = 0; a < 3; a++) {
                x += gram(m, gos__flex_at(k, a), gos__flex_at(l, a));
            }
            GOS_TRY(put(m, b, k, -1, l, x));
        }
    }
    return GOS_OK;
}

/* lower triangle of K or D; may be empty */
static gos_status make_symmetric(making *m, int which, const gos_sparse *A) {
    gos_sid_block *b = block(m, which, 0);
    b->structure = A->p && A->nnz > 0 ? GOS_SID_SYMMETRIC : GOS_SID_ZERO;
    for (int j = 0; A->p && j < A->n; j++) {
        for (int p = A->p[j]; p < A->p[j + 1]; p++) {
            GOS_TRY(A->i[p] >= j ? put(m, b, A->i[p], -1, j, A->x[p]) : GOS_OK);
        }
    }
    return GOS_OK;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* displacement along c by amplitudes */
static gos_status make_shape(making *m, int column, gos_sid_block *origin, gos_sid_block *phi) {
    const gos_sparse *A = &m->f->move;
    const int c = column % 3;
    for (int p = A->p[column]; p < A->p[column + 1]; p++) {
        GOS_TRY(put(m, origin, c, A->i[p], 0, A->x[p]));
        GOS_TRY(put(m, phi, c, -1, A->i[p], A->x[p]));
    }
    return GOS_OK;
}

static gos_status make_second(making *m, int column, double *S, gos_sid_block *phi) {
    const gos_sparse *W = &m->f->second;
    const int n = m->f->n, c = column % 3;
    if (!W->p || W->p[column + 1] == W->p[column]) {
        return GOS_OK;
    }
    memset(S, 0, (size_t)n * (size_t)n * sizeof *S);
    for (int p = W->p[column]; p < W->p[column + 1]; p++) {
        const gos_sparse *form = &m->f->form[W->i[p]];
        for (int j = 0; form->p && j < n; j++) {
            for (int e = form->p[j]; e < form->p[j + 1]; e++) {
                S[form->i[e] + (size_t)j * (size_t)n] += W->x[p] * form->x[e];
            }
        }
    }
    for (int l = 0; l < n; l++) {
        for (int k = 0; k < n; k++) {
            GOS_TRY(put(m, phi, c, l, k, S[k + (size_t)l * (size_t)n]));
        }
    }
    return GOS_OK;
}

/* axes rotate by 1 + psi~ */
static gos_status make_turn(making *m, int node, gos_sid_block *psi, gos_sid_block *AP) {
    const gos_sparse *A = &m->f->turn;
    for (int a = 0; a < 3; a++) {
        GOS_TRY(put(m, AP, a, -1, a, 1));
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3, column = 3 * node + a;
        for (int p = A->p[column]; p < A->p[column + 1]; p++) {
            GOS_TRY(put(m, psi, a, -1, A->i[p], A->x[p]));
            GOS_TRY(put(m, AP, c, A->i[p], b, A->x[p]));
            GOS_TRY(put(m, AP, b, A->i[p], c, -A->x[p]));
        }
    }
    return GOS_OK;
}

static gos_status make_node(making *m, int node, int number, double *S) {
    gos_sid_node *to;
    GOS_TRY(gos__sid_add_node(m->s, number, &to));
    const bool turns = m->f->turn.p[3 * node + 3] > m->f->turn.p[3 * node];
    gos_sid_block *block[GOS_SID_NODE_NBLOCK];
    for (int b = 0; b < GOS_SID_NODE_NBLOCK; b++) {
        const int which = GOS_SID_NBLOCK + 1 + b;
        const bool first = which == GOS_SID_ORIGIN || (which == GOS_SID_AP && turns) ||
                           (which == GOS_SID_PHI && m->f->second.p && m->f->second.nnz > 0);
        block[b] = begin(m, &to->block[b], which, first);
    }
    if (!turns) {
        block[GOS_SID_OF_NODE(GOS_SID_PSI)]->structure = GOS_SID_ZERO;
    }
    block[GOS_SID_OF_NODE(GOS_SID_SIGMA)]->structure = GOS_SID_ZERO; // no stress data
    for (int c = 0; c < 3; c++) {
        gos_sid_block *origin = block[GOS_SID_OF_NODE(GOS_SID_ORIGIN)],
                      *phi = block[GOS_SID_OF_NODE(GOS_SID_PHI)];
        GOS_TRY(put(m, origin, c, -1, 0, m->f->x[node][c]));
        GOS_TRY(make_shape(m, 3 * node + c, origin, phi));
        GOS_TRY(make_second(m, 3 * node + c, S, phi));
    }
    return make_turn(m, node, block[GOS_SID_OF_NODE(GOS_SID_PSI)],
                     block[GOS_SID_OF_NODE(GOS_SID_AP)]);
}

/* ---- complete data --------------------------------------------------------------------------- */

static void to_dense(const gos_sparse *A, double *to) {
    for (int j = 0; j < A->n; j++) {
        for (int p = A->p[j]; p < A->p[j + 1]; p++) {
            to[A->i[p] + (size_t)j * (size_t)A->m] += A->x[p];
        }
    }
}

static gos_status make_dense(making *m) {
    const gos_flex *f = m->f;
    const size_t n = (size_t)f->n;
    m->size = GOS_FLEX_RIGID + 3 * n;
    m->gram = gos__zalloc(f->ctx, m->size * m->size, sizeof *m->gram);
    GOS_TRY(m->gram ? GOS_OK : GOS_E_MEMORY);
    to_dense(&f->gram, m->gram);
    for (int i = 0; i < GOS_FLEX_MOMENTS; i++) {
        if (f->moment[i].p && f->moment[i].nnz > 0) {
            m->moment[i] = gos__zalloc(f->ctx, n * n, sizeof *m->moment[i]);
            GOS_TRY(m->moment[i] ? GOS_OK : GOS_E_MEMORY);
            to_dense(&f->moment[i], m->moment[i]);
        }
    }
    return GOS_OK;
}

/* Names amplitudes by their uncoupled frequency: for modes, their own. */
static gos_status name_modes(making *m) {
    for (int k = 0; k < m->f->n; k++) {
        double K = 0, M = 0;
        char text[80];
        for (int p = m->f->K.p[k]; p < m->f->K.p[k + 1]; p++) {
            K += m->f->K.i[p] == k ? m->f->K.x[p] : 0;
        }
        for (int a = 0; a < 3; a++) {
            M += gram(m, gos__flex_at(k, a), gos__flex_at(k, a));
        }
        const int length = gos__format(text, sizeof text, "Eigen Mode %4d : %.9g Hz", k + 1,
                                       K > 0 && M > 0 ? sqrt(K / M) / (2 * M_PI) : 0.0);
        GOS_TRY(gos__sid_mode(m->s, k, text, (size_t)length));
    }
    return GOS_OK;
}

static gos_status make_blocks(making *m) {
    bool of_second = false;
    for (int i = 0; i < GOS_FLEX_MOMENTS; i++) {
        of_second = of_second || m->moment[i];
    }
    m->s->mass = gram(m, 0, 0);
    GOS_TRY(name_modes(m));
    GOS_TRY(make_mass_centre(m));
    GOS_TRY(make_inertia(m));
    GOS_TRY(make_couplings(m, of_second));
    GOS_TRY(make_mass(m));
    GOS_TRY(make_gyroscopic(m));
    GOS_TRY(make_centrifugal(m));
    block(m, GOS_SID_KSIGMA, 0)->structure = GOS_SID_ZERO; // no stress at rest
    GOS_TRY(make_symmetric(m, GOS_SID_KE, &m->f->K));
    return make_symmetric(m, GOS_SID_DE, &m->f->D);
}

static gos_status make(making *m, int nlocation, const int *location, const int *number) {
    const size_t n = (size_t)m->f->n;
    double *S = gos__zalloc(m->f->ctx, n * n + 1, sizeof *S);
    gos_status status = S ? make_dense(m) : GOS_E_MEMORY;
    status = status == GOS_OK ? make_blocks(m) : status;
    for (int i = 0; i < nlocation && status == GOS_OK; i++) {
        status = make_node(m, location[i], number[i], S);
    }
    gos__free(m->f->ctx, S);
    return status;
}

gos_status gos__sid_of_flex(const gos_flex *flex, int nlocation, const int *location,
                            const int *number, gos_sid **sid) {
    making m = {.f = flex};
    if (flex->n > GOS_LIMIT_SID_MODES) {
        return gos__fail(flex->ctx, GOS_E_LIMIT,
                         "%d amplitudes exceed the limit of %d for standard input data", flex->n,
                         GOS_LIMIT_SID_MODES);
    }
    GOS_TRY(gos__sid_create(flex->ctx, flex->n, &m.s));
    const gos_status status = make(&m, nlocation, location, number);
    gos__free(flex->ctx, m.gram);
    for (int i = 0; i < GOS_FLEX_MOMENTS; i++) {
        gos__free(flex->ctx, m.moment[i]);
    }
    if (status != GOS_OK) {
        gos__sid_destroy(m.s);
        return status;
    }
    *sid = m.s;
    return GOS_OK;
}
