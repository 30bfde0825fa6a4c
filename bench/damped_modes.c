/* Reduction methods on one case without proportional damping: a cantilever of two cables welded
   together, of materials whose damping differs a hundredfold, with a dashpot to the ground at the
   weld. Linear response of the tip to a load that is switched on, all exact in time, so that
   errors are those of the space of motions alone: real modes, real modes with diagonal damping,
   complex modes, free-interface modes without and with attachment modes, proper orthogonal
   decomposition of snapshots. "nominal" is the case that bases are made of (and snapshots taken
   in); "varied" has a dashpot ten times as strong, 20 % softer material and the load at mid-span
   instead of the tip, with the same bases. Prints a table in Markdown. */
#include <cblas.h>
#include <lapacke.h>

#include "bench.h"
#include "linalg/expm.h"
#include "rom/local.h"
#include "solve/consistent.h"

#define STEPS 400
#define DT 1e-3 // [s]

static const char text[] =
    "parameters: {E: 1.0e8, c: 5, weld: 1}\n"
    "materials:\n"
    "  calm: {density: 2000, young: E, damping: {normal: 2.0e-4}}\n"
    "  damped: {density: 2000, young: E, damping: {normal: 2.0e-2}}\n"
    "sections: {s: {type: rectangle, height: 0.01, width: 0.02}}\n"
    "bodies:\n"
    "  one: {type: ancf_cable, material: calm, section: s, from: [0, 0, 0], to: [0.6, 0, 0],\n"
    "    elements: 8}\n"
    "  two: {type: ancf_cable, material: damped, section: s, from: [0.6, 0, 0], to: [1.2, 0, 0],\n"
    "    elements: 8}\n"
    "joints:\n"
    "  root: {type: clamp, between: [ground, one.start]}\n"
    "%s"
    "loads:\n"
    "  dashpot: {type: spring, between: [ground, one.end], at: [0.6, -0.5, 0], stiffness: 0,\n"
    "    damping: c, free_length: 0.5}\n"
    "probes:\n"
    "  tip: {at: two.end, quantity: position}\n"
    "  mid: {at: one.at(0.3), quantity: position}\n"
    "analysis: {end: 1}\n";
static const char weld[] = "  weld: {type: tie, between: [one.end, two.start], smooth: true}\n";

/* M-orthonormal free motions of a model, stiffness and damping on them, tip and mid-span in y */
typedef struct linear {
    gos_ctx *ctx;
    gos_system *s;
    gos_work *w;
    gos_nullspace *space;
    int n, nq;
    double *U, *K, *D; // (nq, n), (n, n)
    double *tip, *mid; // (n)
} linear;

static void *room(size_t n) {
    void *p = calloc(n + 1, sizeof(double));
    if (!p) {
        exit(1);
    }
    return p;
}

static void check(gos_ctx *ctx, gos_status status) {
    if (status != GOS_OK) {
        bench_die(ctx);
    }
}

/* A := U^T B U of the force rows of the assembled matrix */
static void take(const linear *l, double *A) {
    const gos_pattern *p = &l->s->pattern;
    double *BU = room((size_t)(l->nq * l->n));
    for (int j = 0; j < l->nq; j++) {
        for (int e = p->p[j]; e < p->p[j + 1]; e++) {
            if (p->i[e] < l->nq) {
                cblas_daxpy(l->n, l->w->values[e], l->U + j * l->n, 1, BU + p->i[e] * l->n, 1);
            }
        }
    }
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, l->n, l->n, l->nq, 1, l->U, l->n, BU, l->n,
                0, A, l->n);
    free(BU);
}

static double *y_of(const linear *l, int body, double at) {
    const gos_body *b = l->s->body[body];
    double *y = room((size_t)l->n);
    const int node = (int)lround(at * (b->nnode - 1));
    memcpy(y, l->U + (3 * b->node_v[node] + 1) * l->n, (size_t)l->n * sizeof *y);
    return y;
}

static linear make(const char *joint, double E, double c) {
    linear l = {.ctx = gos_ctx_create()};
    char full[4000], number[32];
    gos_model *m;
    gos_state *x;
    snprintf(full, sizeof full, text, joint);
    check(l.ctx, gos_model_parse(l.ctx, full, strlen(full), "bench", NULL, &m));
    snprintf(number, sizeof number, "%.17g", E);
    check(l.ctx, gos_model_set(l.ctx, m, "E", number));
    snprintf(number, sizeof number, "%.17g", c);
    check(l.ctx, gos_model_set(l.ctx, m, "c", number));
    check(l.ctx, gos_system_create(l.ctx, m, &l.s));
    gos_model_destroy(m);
    check(l.ctx, gos_state_create(l.ctx, l.s, &x));
    check(l.ctx, gos__work_create(l.ctx, l.s, &l.w));
    check(l.ctx, gos__nullspace_create(l.ctx, l.s, &l.space));
    const gos_point_of at = gos__state_point(x, 0);
    check(l.ctx, gos__nullspace_update(l.space, l.w, &at));
    l.n = gos__nullspace_size(l.space);
    l.nq = l.s->nq;
    l.U = room((size_t)(l.nq * l.n));
    memcpy(l.U, gos__nullspace_basis(l.space), (size_t)(l.nq * l.n) * sizeof *l.U);
    l.K = room((size_t)(l.n * l.n));
    l.D = room((size_t)(l.n * l.n));
    gos__jacobian(l.w, &at, &(gos_newton_factors){.k = 1});
    take(&l, l.K);
    gos__jacobian(l.w, &at, &(gos_newton_factors){.d = 1});
    take(&l, l.D);
    l.tip = y_of(&l, 1, 1);
    l.mid = y_of(&l, 0, 0.5);
    gos_state_destroy(x);
    return l;
}

static void destroy(linear *l) {
    free(l->U), free(l->K), free(l->D), free(l->tip), free(l->mid);
    gos__nullspace_destroy(l->space);
    gos__work_destroy(l->ctx, l->w);
    gos_system_destroy(l->s);
    gos_ctx_destroy(l->ctx);
}

/* ---- response -------------------------------------------------------------------------------- */

/* columns V (m, n) orthonormal, or NULL: all; y (STEPS + 1) of the output, and displacements
   (STEPS, n) when wanted. diagonal: damping between the columns left out */
static void respond(const linear *l, int m, const double *V, bool diagonal, const double *load,
                    const double *output, double *y, double *snapshots) {
    const int n = l->n, k = V ? m : n, N = 2 * k + 1;
    double *A = room((size_t)(N * N)), *work = room(gos__expm_work(N)),
           *S = room((size_t)(2 * k * n));
    double *x = room((size_t)N), *z = room((size_t)N), *out = room((size_t)k),
           *R = room((size_t)(k * k));
    int *pivot = room((size_t)N);
    const double scale = 1e3;
    for (int part = 0; part < 2; part++) {
        const double *B = part ? l->D : l->K;
        if (V) {
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, k, n, n, 1, V, n, B, n, 0, S, n);
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, k, k, n, 1, S, n, V, n, 0, R, k);
        } else {
            memcpy(R, B, (size_t)(n * n) * sizeof *R);
        }
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                const bool drop = part && diagonal && i != j;
                A[(k + i) * N + part * k + j] = drop ? 0 : -DT * R[i * k + j] / (part ? 1 : scale);
            }
        }
    }
    for (int i = 0; i < k; i++) {
        A[i * N + k + i] = DT * scale;
        A[(k + i) * N + 2 * k] = DT * (V ? cblas_ddot(n, V + i * n, 1, load, 1) : load[i]);
        out[i] = (V ? cblas_ddot(n, V + i * n, 1, output, 1) : output[i]) / scale;
    }
    check(l->ctx, gos__expm(N, A, work, pivot));
    x[2 * k] = 1;
    for (int t = 0; t <= STEPS; t++) {
        y[t] = cblas_ddot(k, out, 1, x, 1);
        if (snapshots && t > 0) {
            memcpy(snapshots + (t - 1) * n, x, (size_t)n * sizeof *x);
        }
        cblas_dgemv(CblasRowMajor, CblasNoTrans, N, N, 1, A, N, x, 1, 0, z, 1);
        memcpy(x, z, (size_t)N * sizeof *x);
    }
    free(A), free(work), free(S), free(x), free(z), free(out), free(R), free(pivot);
}

static double error(const double *y, const double *ref) {
    double worst = 0, most = 0;
    for (int t = 0; t <= STEPS; t++) {
        worst = fmax(worst, fabs(y[t] - ref[t]));
        most = fmax(most, fabs(ref[t]));
    }
    return worst / most;
}

/* ---- bases: V (r, n) orthonormal ------------------------------------------------------------- */

static int modal(const linear *l, int modes, int r, double *V) {
    gos_local_modes *k;
    const gos_local_def def = {.displacement_modes = r, .modes = modes, .columns = 1e-8};
    check(l->ctx, gos__local_modes_create(l->ctx, l->n, &def, &k));
    memcpy(k->K, l->K, (size_t)(l->n * l->n) * sizeof *k->K);
    memcpy(k->D, l->D, (size_t)(l->n * l->n) * sizeof *k->D);
    check(l->ctx, gos__local_modes_solve(k, &def));
    const int m = k->m;
    memcpy(V, k->V, (size_t)(m * l->n) * sizeof *V);
    gos__local_modes_destroy(k);
    return m;
}

/* orthonormalise m vectors of length n in the order given; those that add nothing are dropped */
static int orthonormalise(int m, int n, double *V) {
    int kept = 0;
    for (int i = 0; i < m; i++) {
        double *v = V + kept * n;
        memmove(v, V + i * n, (size_t)n * sizeof *v);
        const double before = cblas_dnrm2(n, v, 1);
        for (int pass = 0; pass < 3; pass++) {
            for (int j = 0; j < kept; j++) {
                cblas_daxpy(n, -cblas_ddot(n, V + j * n, 1, v, 1), V + j * n, 1, v, 1);
            }
        }
        const double left = cblas_dnrm2(n, v, 1);
        if (left > 1e-10 * before) {
            cblas_dscal(n, 1 / left, v, 1);
            kept++;
        }
    }
    return kept;
}

/* Y (m, nq) = X (m, n) U^T */
static double *in_coordinates(const linear *l, int m, const double *X) {
    double *Y = room((size_t)(m * l->nq));
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, l->nq, l->n, 1, X, l->n, l->U, l->n, 0,
                Y, l->nq);
    return Y;
}

/* rows of the weld in the coordinates (both models number them alike), scaled to lengths */
static double *weld_rows(const linear *l, int *nrows) {
    const gos_body *a = l->s->body[0], *b = l->s->body[1];
    double *C = room((size_t)(6 * l->nq));
    for (int c = 0; c < 3; c++) {
        C[c * l->nq + 3 * a->node_v[a->nnode - 1] + c] = 1;
        C[c * l->nq + 3 * b->node_v[0] + c] = -1;
        C[(3 + c) * l->nq + 3 * a->node_slope[a->nnode - 1] + c] = 0.1;
        C[(3 + c) * l->nq + 3 * b->node_slope[0] + c] = -0.1;
    }
    *nrows = 6;
    return C;
}

/* modes of the two cables apart (each with its own supports), combined so that the weld holds;
   attached: and their static response to unit forces at the weld */
static int free_interface(const linear *whole, const linear *apart, int r, bool attached,
                          double *V) {
    int rows, m = r + 6 - (attached ? 6 : 0);
    double *C = weld_rows(whole, &rows), *X = room((size_t)((r + 12) * apart->n));
    m = modal(apart, GOS_LOCAL_REAL, m, X);
    if (attached) { // a shift by some inertia carries what rigid motions cannot
        const int n = apart->n;
        double *A = room((size_t)(n * n));
        int *pivot = room((size_t)n);
        memcpy(A, apart->K, (size_t)(n * n) * sizeof *A);
        for (int i = 0; i < n; i++) {
            A[i * n + i] += 100;
        }
        for (int k = 0; k < 6; k++) {
            cblas_dgemv(CblasRowMajor, CblasTrans, apart->nq, n, 1, apart->U, n, C + k * apart->nq,
                        1, 0, X + (m + k) * n, 1);
        }
        LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 6, A, n, pivot, X + m * n, n);
        m = orthonormalise(m + 6, n, X);
        free(A), free(pivot);
    }
    /* combinations with C Y = 0: right singular vectors of the last m - rank */
    double *Y = in_coordinates(apart, m, X), *CY = room((size_t)(6 * m)),
           *Vt = room((size_t)(m * m));
    double sing[6], super[6];
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 6, m, apart->nq, 1, C, apart->nq, Y,
                apart->nq, 0, CY, m);
    LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', 6, m, CY, m, sing, NULL, 6, Vt, m, super);
    int rank = 0;
    while (rank < 6 && sing[rank] > 1e-9 * sing[0]) {
        rank++;
    }
    const int kept = m - rank;
    double *Z = room((size_t)(kept * apart->nq)), *MZ = room((size_t)apart->nq);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kept, apart->nq, m, 1, Vt + rank * m, m,
                Y, apart->nq, 0, Z, apart->nq);
    for (int k = 0; k < kept; k++) { // into free motions of the whole: U^T M
        gos__rows_apply(&whole->s->mass, 3, Z + k * whole->nq, MZ);
        cblas_dgemv(CblasRowMajor, CblasTrans, whole->nq, whole->n, 1, whole->U, whole->n, MZ, 1, 0,
                    V + k * whole->n, 1);
    }
    free(C), free(X), free(Y), free(CY), free(Vt), free(Z), free(MZ);
    return orthonormalise(kept, whole->n, V);
}

/* left singular vectors of the snapshots: M-orthonormal motions, so plain ones here */
static int pod(const linear *l, int r, const double *snapshots, double *V) {
    const int n = l->n;
    double *A = room((size_t)(STEPS * n)), *s = room(STEPS), *super = room(STEPS);
    double *Vt = room((size_t)(n * n));
    memcpy(A, snapshots, (size_t)(STEPS * n) * sizeof *A);
    LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'N', 'A', STEPS, n, A, n, s, NULL, STEPS, Vt, n, super);
    memcpy(V, Vt, (size_t)(r * n) * sizeof *V);
    free(A), free(s), free(super), free(Vt);
    return r;
}

/* ---- the table ------------------------------------------------------------------------------- */

typedef struct cases {
    linear nominal, varied, apart;
    double ref[2][STEPS + 1];
    double *snapshots;
} cases;

/* the varied model has its own free motions; both are M-orthonormal and the constraints the same,
   so motions go over by V U^T M U' */
static double *carry(const cases *k, int m, const double *V) {
    const linear *a = &k->nominal, *b = &k->varied;
    double *Y = in_coordinates(a, m, V), *W = room((size_t)(m * b->n)), *MY = room((size_t)a->nq);
    for (int i = 0; i < m; i++) {
        gos__rows_apply(&b->s->mass, 3, Y + i * a->nq, MY);
        cblas_dgemv(CblasRowMajor, CblasTrans, b->nq, b->n, 1, b->U, b->n, MY, 1, 0, W + i * b->n,
                    1);
    }
    free(Y), free(MY);
    return W;
}

static void entry(const cases *k, int m, const double *V, bool diagonal) {
    double y[STEPS + 1];
    double *W = carry(k, m, V);
    respond(&k->nominal, m, V, diagonal, k->nominal.tip, k->nominal.tip, y, NULL);
    const double nominal = error(y, k->ref[0]);
    respond(&k->varied, m, W, diagonal, k->varied.mid, k->varied.tip, y, NULL);
    printf(" %d: %.1e / %.1e |", m, nominal, error(y, k->ref[1]));
    free(W);
}

int main(int argc, char **argv) {
    gos_blas_select(argv);
    static const int columns[] = {6, 10, 16, 24};
    static const char *const names[] = {
        "real modes",           "real modes, diagonal damping",     "complex modes",
        "free-interface modes", "free-interface, attachment modes", "POD of snapshots"};
    cases k = {.nominal = make(weld, 1e8, 5),
               .varied = make(weld, 0.8e8, 50),
               .apart = make("", 1e8, 1e-9)};
    const int n = k.nominal.n;
    double *V = room((size_t)(n * n * 2));
    (void)argc;
    k.snapshots = room((size_t)(STEPS * n));
    respond(&k.nominal, 0, NULL, false, k.nominal.tip, k.nominal.tip, k.ref[0], k.snapshots);
    respond(&k.varied, 0, NULL, false, k.varied.mid, k.varied.tip, k.ref[1], NULL);
    printf("| method | columns: error nominal / varied | | | |\n|---|---|---|---|---|\n");
    for (int i = 0; i < 6; i++) {
        printf("| %s |", names[i]);
        for (int c = 0; c < 4; c++) {
            const int r = columns[c];
            int m = 0;
            switch (i) {
            case 0:
            case 1:
                m = modal(&k.nominal, GOS_LOCAL_REAL, r, V);
                break;
            case 2: // both vectors of half as many modes
                m = modal(&k.nominal, GOS_LOCAL_COMPLEX, r / 2, V);
                break;
            case 3:
            case 4:
                m = free_interface(&k.nominal, &k.apart, r, i == 4, V);
                break;
            default:
                m = pod(&k.nominal, r, k.snapshots, V);
            }
            entry(&k, m, V, i == 1);
        }
        printf("\n");
        fflush(stdout);
    }
    free(V);
    free(k.snapshots);
    destroy(&k.nominal);
    destroy(&k.varied);
    destroy(&k.apart);
    return 0;
}
