/* Zero-frequency modes span rigid-body motions and mechanisms in arbitrary combination. They are
   rotated into translations along axes, rotations about axes, and mechanisms. */
#include <cblas.h>
#include <math.h>

#include "linalg/dense.h"
#include "linear/linear.h"

#define MAX_MOTIONS 6
#define FREE 1e-6       // relative kinetic energy of a free motion outside the modes
#define NO_INERTIA 1e-9 // relative moment of inertia of a straight line about itself
#define TURNS 1e-6      // relative kinetic energy of rotation that makes a motion a rotation
#define ALONG 1e-6      // negligible component of a unit vector

/* M-orthonormal rigid-body motions */
typedef struct motions {
    gos_ctx *ctx;
    const gos_linear *l;
    int n;
    double *F, *MF;              // fields and M times them (nq, 6)
    double axis[MAX_MOTIONS][3]; // rotation axis or direction per unit field
    bool turns[MAX_MOTIONS];
} motions;

static double *field(double *F, const gos_linear *l, long k) {
    return F + k * l->nq;
}

/* principal axes (columns of Q) of J, ordered by the nearest coordinate axes */
static gos_status principal_axes(gos_ctx *ctx, const double J[9], double Q[9]) {
    double A[9], w[3], most = 0, off = 0;
    bool used[3] = {false};
    for (int i = 0; i < 9; i++) {
        A[i] = J[i];
        Q[i] = i % 4 == 0;
        *(i % 4 == 0 ? &most : &off) = fmax(i % 4 == 0 ? most : off, fabs(J[i]));
    }
    if (off <= NO_INERTIA * most) {
        return GOS_OK; // also for equal moments, where axes are arbitrary
    }
    GOS_TRY(gos__dense_symmetric(ctx, 3, A, w));
    for (int c = 0; c < 3; c++) {
        int best = -1;
        for (int k = 0; k < 3; k++) {
            best = !used[k] && (best < 0 || fabs(A[3 * k + c]) > fabs(A[3 * best + c])) ? k : best;
        }
        used[best] = true;
        for (int i = 0; i < 3; i++) {
            Q[3 * c + i] = A[3 * best + c] < 0 ? -A[3 * best + i] : A[3 * best + i];
        }
    }
    return GOS_OK;
}

/* unless the square of field n is negligible beside `scale` */
static void add_field(motions *m, const double axis[3], bool turns, double scale) {
    const int nq = m->l->nq;
    double *f = field(m->F, m->l, m->n), *Mf = field(m->MF, m->l, m->n);
    for (int k = 0; k < m->n; k++) {
        cblas_daxpy(nq, -gos__dense_dot(nq, field(m->MF, m->l, k), f), field(m->F, m->l, k), 1, f,
                    1);
    }
    gos__sparse_apply(&m->l->M, 1, f, Mf);
    const double square = gos__dense_dot(nq, f, Mf);
    if (!(square > NO_INERTIA * scale)) {
        return;
    }
    cblas_dscal(nq, 1 / sqrt(square), f, 1);
    cblas_dscal(nq, 1 / sqrt(square), Mf, 1);
    for (int i = 0; i < 3; i++) {
        m->axis[m->n][i] = axis[i] / sqrt(square);
    }
    m->turns[m->n++] = turns;
}

static gos_status make_fields(motions *m) {
    static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const gos_linear *l = m->l;
    const size_t nq = l->nq;
    const double *R = l->rigid + 3 * nq;
    double J[9], Q[9], most = 0;
    for (int c = 0; c < 3; c++) {
        memcpy(field(m->F, l, m->n), l->rigid + c * nq, nq * sizeof *m->F);
        add_field(m, unit[c], false, 0);
    }
    gos__sparse_apply(&l->M, 3, R, field(m->MF, l, 3));
    gos__dense_product(3, 3, l->nq, R, field(m->MF, l, 3), J);
    GOS_TRY(principal_axes(m->ctx, J, Q));
    for (int c = 0; c < 3; c++) {
        most = fmax(most, J[4 * c]);
    }
    for (int c = 0; c < 3; c++) {
        gos__dense_combine(l->nq, 1, 3, R, Q + 3 * c, field(m->F, l, m->n));
        add_field(m, Q + 3 * c, true, most);
    }
    return GOS_OK;
}

/* Free combinations A (m->n, *count) of fields contained in X (nq, r), from B = F^T M X (m->n,
   r). The diagonal weighting keeps pure fields unmixed. */
static gos_status free_motions(const motions *m, int r, const double *B, double *A, int *count) {
    double H[MAX_MOTIONS * MAX_MOTIONS], N[MAX_MOTIONS * MAX_MOTIONS], w[MAX_MOTIONS];
    const int n = m->n;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, r, 1, B, n, B, n, 0, H, n);
    GOS_TRY(gos__dense_symmetric(m->ctx, n, H, w));
    int first = n;
    while (first > 0 && w[first - 1] > 1 - FREE) {
        first--;
    }
    const int free = n - first;
    const double *V = H + first * n;
    for (int i = 0; i < free * free; i++) {
        const double *a = V + (i / free) * n, *b = V + (i % free) * n;
        N[i] = 0;
        for (int k = 0; k < n; k++) {
            N[i] += (k + 1 + (m->turns[k] ? MAX_MOTIONS : 0)) * a[k] * b[k];
        }
    }
    if (free > 0) {
        GOS_TRY(gos__dense_symmetric(m->ctx, free, N, w));
        gos__dense_combine(n, free, free, V, N, A);
    }
    *count = free;
    return GOS_OK;
}

/* Kind, axis and sign of a combination a; returns its rank: translations before rotations, x, y,
   z. */
static int describe(const motions *m, double *a, gos_mode *mode) {
    double part = 0, length = 0;
    int most = 0;
    for (int k = 0; k < m->n; k++) {
        part += m->turns[k] ? a[k] * a[k] : 0;
    }
    const bool turns = part > TURNS;
    double axis[3] = {0};
    for (int k = 0; k < m->n; k++) {
        for (int i = 0; i < 3 && m->turns[k] == turns; i++) {
            axis[i] += a[k] * m->axis[k][i];
        }
    }
    for (int i = 0; i < 3; i++) {
        most = fabs(axis[i]) > (1 + ALONG) * fabs(axis[most]) ? i : most;
        length = hypot(length, axis[i]);
    }
    const double sign = axis[most] < 0 ? -1 : 1;
    cblas_dscal(m->n, sign, a, 1);
    mode->kind = turns ? GOS_MODE_ROTATION : GOS_MODE_TRANSLATION;
    for (int i = 0; i < 3; i++) {
        mode->axis[i] = fabs(axis[i]) > ALONG * length ? sign * axis[i] / length : 0;
    }
    return most + (turns ? 3 : 0);
}

static void sort_motions(const motions *m, int count, double *A, gos_mode *modes) {
    int place[MAX_MOTIONS];
    for (int k = 0; k < count; k++) {
        gos_mode mode = modes[k];
        double a[MAX_MOTIONS];
        memcpy(a, A + k * m->n, m->n * sizeof *a);
        const int its = describe(m, a, &mode);
        int to = k;
        for (; to > 0 && place[to - 1] > its; to--) {
            place[to] = place[to - 1];
            modes[to] = modes[to - 1];
            memcpy(A + to * m->n, A + (to - 1) * m->n, m->n * sizeof *a);
        }
        place[to] = its;
        modes[to] = mode;
        memcpy(A + to * m->n, a, m->n * sizeof *a);
    }
}

/* G (r, r): new modes in terms of X, rigid-body motions first */
static gos_status combinations(const motions *m, int r, const double *B, gos_mode *modes,
                               double *G) {
    double A[MAX_MOTIONS * MAX_MOTIONS];
    int n;
    GOS_TRY(free_motions(m, r, B, A, &n));
    sort_motions(m, n, A, modes);
    for (int j = 0; j < n; j++) {
        double *g = G + j * r;
        cblas_dgemv(CblasColMajor, CblasTrans, m->n, r, 1, B, m->n, A + j * m->n, 1, 0, g, 1);
        for (int k = 0; k < j; k++) { // they contain errors of 1e-6
            cblas_daxpy(r, -gos__dense_dot(r, G + k * r, g), G + k * r, 1, g, 1);
        }
        cblas_dscal(r, 1 / sqrt(gos__dense_dot(r, g, g)), g, 1);
    }
    if (n == r) {
        return GOS_OK;
    }
    // orthogonal complement: eigenvectors of 1 - G G^T with eigenvalue 1, the last ones
    double *P = gos__zalloc(m->ctx, (size_t)r * (r + 1), sizeof *P);
    if (!P) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < r; i++) {
        P[i * r + i] = 1;
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, r, r, n, -1, G, r, G, r, 1, P, r);
    const gos_status status = gos__dense_symmetric(m->ctx, r, P, P + (size_t)r * r);
    memcpy(G + n * r, P + n * r, (size_t)(r - n) * r * sizeof *G);
    gos__free(m->ctx, P);
    const bool known = m->turns[m->n - 1]; // rotations come last
    for (int j = n; j < r && known; j++) {
        modes[j].kind = GOS_MODE_MECHANISM;
    }
    return status;
}

gos_status gos__rigid_name(gos_ctx *ctx, const gos_linear *l, int r, double *X, gos_mode *modes) {
    const size_t nq = l->nq, some = r;
    motions m = {.ctx = ctx, .l = l};
    m.F = gos__alloc(ctx, 2 * MAX_MOTIONS * nq + 1, sizeof *m.F);
    double *B = gos__alloc(ctx, some * (some + MAX_MOTIONS) + nq * some + 1, sizeof *B);
    gos_status status = m.F && B ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        double *G = B + MAX_MOTIONS * some, *Y = G + some * some;
        m.MF = m.F + MAX_MOTIONS * nq;
        status = make_fields(&m);
        if (status == GOS_OK && m.n > 0) {
            gos__dense_product(m.n, r, l->nq, m.MF, X, B);
            status = combinations(&m, r, B, modes, G);
        }
        if (status == GOS_OK && m.n > 0) {
            gos__dense_combine(l->nq, r, r, X, G, Y);
            memcpy(X, Y, nq * some * sizeof *X);
        }
    }
    gos__free(ctx, m.F);
    gos__free(ctx, B);
    return status;
}

gos_status gos__linear_put_rigid(gos_linear *l, const gos_sparse *A) {
    if (A->m != l->nq || A->n != MAX_MOTIONS) {
        return gos__fail(l->ctx, GOS_E_INPUT, "rigid motions are %d x %d, where %d x %d is needed",
                         A->m, A->n, l->nq, MAX_MOTIONS);
    }
    for (int j = 0; j < MAX_MOTIONS; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            field(l->rigid, l, j)[A->i[k]] = A->x[k];
        }
    }
    return GOS_OK;
}

void gos_mode_name(const gos_mode *mode, char *buf, size_t size) {
    static const char *const kind[] = {[GOS_MODE_ELASTIC] = "",
                                       [GOS_MODE_RIGID] = "rigid",
                                       [GOS_MODE_TRANSLATION] = "translation",
                                       [GOS_MODE_ROTATION] = "rotation",
                                       [GOS_MODE_MECHANISM] = "mechanism"};
    const double *a = mode->axis;
    const bool moves = mode->kind == GOS_MODE_TRANSLATION || mode->kind == GOS_MODE_ROTATION;
    for (int c = 0; c < 3 && moves; c++) {
        if (a[c] != 0 && a[(c + 1) % 3] == 0 && a[(c + 2) % 3] == 0) {
            gos__format(buf, size, "%s %c", kind[mode->kind], 'x' + c);
            return;
        }
    }
    if (moves) {
        gos__format(buf, size, "%s (%.3g, %.3g, %.3g)", kind[mode->kind], a[0], a[1], a[2]);
    } else {
        gos__format(buf, size, "%s", kind[mode->kind]);
    }
}
