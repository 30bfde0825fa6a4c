/* Null space of eliminated joints. With S = L L^T (metric), y = L^T d, the SVD of A L^-T gives
   the orthonormal null space and the minimum-norm solution of ground joints. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "rom/rom.h"

#define RANK 1e-10     // smallest relative singular value
#define ROUNDING 1e-12 // relative round-off threshold

static double size_of(int n, const double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) {
        max = fmax(max, fabs(x[i]));
    }
    return max;
}

bool gos__rom_translation(const gos_rom_group *g, double *rest) {
    double x0[3] = {0, 0, 0}, aa = 0, ab[3] = {0, 0, 0};
    for (long i = 0; i < g->neq; i++) {
        const double a = cblas_ddot(g->n, g->A + i * g->n, 1, g->trans, 1);
        aa += a * a;
        for (int c = 0; c < 3; c++) {
            ab[c] += a * g->b[3 * i + c];
        }
    }
    for (int c = 0; c < 3 && aa > 1e-20; c++) { // otherwise translations are free
        x0[c] = -ab[c] / aa;
    }
    for (int i = 0; i < g->n; i++) {
        for (int c = 0; c < 3; c++) {
            g->D0[3 * i + c] = g->trans[i] * x0[c];
        }
    }
    for (long i = 0; i < g->neq; i++) {
        const double a = cblas_ddot(g->n, g->A + i * g->n, 1, g->trans, 1);
        for (int c = 0; c < 3; c++) {
            rest[3 * i + c] = -g->b[3 * i + c] - a * x0[c];
        }
    }
    return size_of(3 * g->neq, rest) <= ROUNDING * (size_of(3 * g->neq, g->b) + size_of(3, x0));
}

/* ---- the null space -------------------------------------------------------------------------- */

/* column-major scratch */
typedef struct space {
    int n, neq, rank;
    double *L;     // (n, n) Cholesky factor of the metric
    double *U;     // (n, n) left vectors of (A L^-T)^T: range, null space
    double *s;     // singular values (min)
    double *Vt;    // (min, neq)
    double *B, *x; // (n, neq), (n, 3)
} space;

static gos_status allocate(gos_rom *r, const gos_rom_group *g, space *k) {
    const size_t n = g->n, q = g->neq, min = n < q ? n : q;
    *k = (space){.n = g->n, .neq = g->neq};
    k->L = GOS_NEW(r->arena, double, n *n + 1);
    k->U = GOS_NEW(r->arena, double, n *n + 1);
    k->s = GOS_NEW(r->arena, double, 2 * min + 1);
    k->Vt = GOS_NEW(r->arena, double, min *q + 1);
    k->B = GOS_NEW(r->arena, double, n *q + 1);
    k->x = GOS_NEW(r->arena, double, 3 * n + 1);
    return k->L && k->U && k->s && k->Vt && k->B && k->x ? GOS_OK : GOS_E_MEMORY;
}

static gos_status internal(gos_rom *r, const char *what) {
    return gos__fail(r->ctx, GOS_E_INTERNAL, "reduction: %s failed", what);
}

static gos_status null_space(gos_rom *r, const gos_rom_group *g, space *k) {
    const int n = g->n, q = g->neq;
    memcpy(k->L, g->mass, (size_t)n * n * sizeof(double));
    for (int i = 0; i < n; i++) {
        k->L[i * n + i] += g->metric[i];
    }
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, k->L, n) != 0) {
        return internal(r, "the Cholesky factorisation of the mass");
    }
    for (int i = 0; i < n && !q; i++) {
        k->U[i * n + i] = 1;
    }
    if (!q) {
        return GOS_OK;
    }
    memcpy(k->B, g->A, (size_t)n * q * sizeof(double)); // columns of A^T
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, q, 1, k->L, n,
                k->B, n);
    const int min = n < q ? n : q;
    if (LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'A', 'S', n, q, k->B, n, k->s, k->U, n, k->Vt, min,
                       k->s + min) != 0) {
        return internal(r, "the singular value decomposition of the joint equations");
    }
    while (k->rank < min && k->s[k->rank] > RANK * k->s[0]) {
        k->rank++;
    }
    return GOS_OK;
}

/* D0 += minimum-norm d with A d = rest */
static void particular(const space *k, const double *rest, gos_rom_group *g) {
    memset(k->x, 0, (3 * k->n) * sizeof *k->x);
    const int min = k->n < k->neq ? k->n : k->neq;
    for (long c = 0; c < 3; c++) {
        double *x = k->x + c * k->n;
        for (long i = 0; i < k->rank; i++) {
            double sum = 0;
            for (int j = 0; j < k->neq; j++) {
                sum += k->Vt[j * min + i] * rest[3 * j + c];
            }
            cblas_daxpy(k->n, sum / k->s[i], k->U + i * k->n, 1, x, 1);
        }
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, k->n, 3, 1, k->L,
                k->n, k->x, k->n);
    for (int i = 0; i < k->n; i++) {
        for (int c = 0; c < 3; c++) {
            g->D0[3 * i + c] += k->x[c * k->n + i];
        }
    }
}

gos_status gos__rom_basis(gos_rom *r, gos_rom_group *g) {
    space k;
    double *rest = GOS_NEW(r->arena, double, 3 * g->neq + 1);
    if (!rest) {
        return GOS_E_MEMORY;
    }
    GOS_TRY(allocate(r, g, &k));
    GOS_TRY(null_space(r, g, &k));
    if (!gos__rom_translation(g, rest)) {
        particular(&k, rest, g);
    }
    const int n = g->n, m = g->m = n - k.rank;
    g->T = GOS_NEW(r->arena, double, (size_t)n *m + 1);
    if (!g->T) {
        return GOS_E_MEMORY;
    }
    double *T = k.U + (size_t)k.rank * n;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, m, sqrt(r->mu),
                k.L, n, T, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            g->T[i * m + j] = T[j * n + i];
        }
    }
    return GOS_OK;
}
