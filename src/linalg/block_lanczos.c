/* Block Lanczos with reorthogonalisation on A = (K - shift M)^-1 M, symmetric in the inner product
 * of M; the wanted theta = 1 / (lambda - shift) are its largest eigenvalues. Eight right-hand
 * sides cost little more than one solve. A block is orthogonalised to the last two, and to all
 * when random sums of the basis show a loss of orthogonality. Thick restart; fixed start vectors.
 * Grimes, Lewis, Simon, SIAM J. Matrix Anal. Appl. 15 (1994); Wu, Simon, same journal 22
 * (2000). */
#include "linalg/block_lanczos.h"

#include <cblas.h>
#include <math.h>

#include "linalg/dense.h"
#include "math/random.h"

#define BLOCK GOS_LANCZOS_BLOCK
#define TOLERANCE 1e-8 // of a Ritz vector: |A x - theta x| / theta in the M-norm
/* Tolerance of vectors beyond the exact ones, whose eigenvalues alone are used: ROUGH_SHARE of the
 * distance, bounded by ROUGH_TOLERANCE (must distinguish copies from neighbours) and
 * MAX_ROUGH_TOLERANCE. */
#define ROUGH_TOLERANCE 1e-6
#define MAX_ROUGH_TOLERANCE 1e-3
#define ROUGH_SHARE 1e-2
#define ROUNDING 1e-12     // relative length below which a vector counts as rounding
#define DEPENDENT 1e-13    // relative pivot (squared length) below which a column is dependent
#define SETTLED_PIVOT 0.25 // relative pivot after which no further pass is needed
#define MAX_PASSES 12      // of orthogonalisation: usually 2, more for replaced columns
#define MAX_RESTARTS 60
#define ORTHONORMAL_PIVOT 1e-4 // relative pivot above which a block is orthonormal to twelve digits
/* Loss of orthogonality that triggers a full pass; the next block would have several thousand
 * times as much. The projected operator errs by this part of its largest eigenvalue, and vectors
 * by that over their own: 1e-9 for a thousandth of the largest. A block after a corrected one has
 * 1e-12, so every other block needs a pass. */
#define MAX_DRIFT 1e-12
#define MAX_SHIFT_RATIO 10.0 // |shift| over the wanted eigenvalue above which the shift is too far
#define PANEL 256            // rows per block of a product

static double *column(double *V, long n, int j) {
    return V + j * n;
}

gos_status gos__lanczos_create(gos_ctx *ctx, const gos_lanczos_def *def, gos_lanczos *l) {
    const int n = def->pencil->K->n, min_pivot = def->max_vectors + 4 * BLOCK;
    const size_t fit = def->memory / (sizeof(double) * (n + 1L));
    int cap = 5 * def->max_vectors + 6 * BLOCK;
    cap = (size_t)cap > fit ? (int)fit : cap;
    cap = cap > min_pivot ? cap : min_pivot;
    cap = cap < def->free - BLOCK ? cap : def->free - BLOCK;
    *l = (gos_lanczos){.ctx = ctx, .def = *def, .n = n, .cap = cap, .seed = GOS_XORSHIFT_START};
    if (cap < def->max_vectors + BLOCK) {
        return gos__fail(ctx, GOS_E_USE, "cannot compute %d of %d modes by Lanczos",
                         def->max_vectors, def->free);
    }
    const size_t N = (size_t)cap + BLOCK, nn = n;
    l->lambda = gos__alloc(ctx, N, sizeof(double));
    l->error = gos__alloc(ctx, N, sizeof(double));
    l->V = gos__alloc(ctx, nn * N, sizeof(double));
    l->MV = gos__alloc(ctx, nn * BLOCK, sizeof(double));
    l->Z = gos__alloc(ctx, nn * GOS_LANCZOS_SUMS, sizeof(double));
    l->T = gos__zalloc(ctx, N * N, sizeof(double));
    l->H = gos__alloc(ctx, N * BLOCK, sizeof(double));
    l->Y = gos__alloc(ctx, N * N + PANEL * N, sizeof(double));
    l->w = gos__alloc(ctx, N, sizeof(double));
    l->panel = gos__alloc(ctx, 8 * nn, sizeof(double));
    const bool all =
        l->lambda && l->error && l->V && l->MV && l->Z && l->T && l->H && l->Y && l->w && l->panel;
    return all ? GOS_OK : GOS_E_MEMORY;
}

void gos__lanczos_destroy(gos_lanczos *l) {
    if (!l->ctx) {
        return;
    }
    double *const list[] = {l->lambda, l->error, l->V, l->MV, l->Z,
                            l->T,      l->H,     l->Y, l->w,  l->panel};
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos__free(l->ctx, list[i]);
    }
    *l = (gos_lanczos){0};
}

gos_status gos__lanczos_grow(gos_lanczos *l, int max_vectors) {
    gos_lanczos_def def = l->def;
    gos_lanczos larger;
    def.max_vectors = max_vectors;
    const gos_status status = gos__lanczos_create(l->ctx, &def, &larger);
    if (status != GOS_OK) {
        gos__lanczos_destroy(&larger);
        return status;
    }
    const size_t found = l->got;
    memcpy(larger.lambda, l->lambda, found * sizeof *l->lambda);
    memcpy(larger.error, l->error, found * sizeof *l->error);
    memcpy(larger.V, l->V, l->n * found * sizeof *l->V);
    larger.got = l->got;
    larger.shift = l->shift;
    larger.seed = l->seed; // the same random blocks would find the same copies
    larger.restarts = l->restarts;
    larger.t_orthogonal = l->t_orthogonal;
    larger.t_product = l->t_product;
    larger.t_ritz = l->t_ritz;
    gos__lanczos_destroy(l);
    *l = larger;
    return GOS_OK;
}

int gos__lanczos_keep(gos_lanczos *l) {
    int kept = 0;
    double largest = 0;
    for (int k = 0; k < l->got; k++) {
        largest = fmax(largest, l->lambda[k] - l->shift);
    }
    for (int k = 0; k < l->got; k++) {
        if (l->error[k] * largest <= TOLERANCE * (l->lambda[k] - l->shift)) {
            memmove(column(l->V, l->n, kept), column(l->V, l->n, k), l->n * sizeof *l->V);
            l->lambda[kept] = l->lambda[k];
            l->error[kept++] = l->error[k];
        }
    }
    l->got = kept;
    return kept;
}

static void multiply(gos_lanczos *l, int ncol, const double *X, double *MX) {
    const double start = gos__cpu_time();
    gos__sparse_apply_symmetric(l->def.pencil->M, ncol, X, MX, l->panel);
    l->t_product += gos__cpu_time() - start;
}

/* ncol random vectors x and M x; applying A makes them smooth and consistent with the
 * constraints. */
static gos_status randomise(gos_lanczos *l, int ncol, double *x, double *Mx) {
    for (size_t i = 0; i < (size_t)ncol * l->n; i++) {
        x[i] = gos__xorshift_unit(&l->seed);
    }
    multiply(l, ncol, x, Mx);
    GOS_TRY(gos__saddle_solve(l->def.saddle, ncol, Mx, x));
    multiply(l, ncol, x, Mx);
    return GOS_OK;
}

/* Cholesky factor R (upper) of a Gram matrix G. Columns that are dependent, or negligible against
 * their former squared length, are skipped: R_cc = 0, dead[c]. Returns the smallest pivot relative
 * to the former squared length. */
static double cholesky(double *G, const double *former, double *R, bool *dead) {
    double min_pivot = 1;
    memset(R, 0, BLOCK * BLOCK * sizeof *R);
    for (int c = 0; c < BLOCK; c++) {
        const double square = G[c * BLOCK + c];
        double pivot = square;
        for (int r = 0; r < c; r++) {
            double sum = G[c * BLOCK + r];
            for (int k = 0; k < r; k++) {
                sum -= R[r * BLOCK + k] * R[c * BLOCK + k];
            }
            R[c * BLOCK + r] = R[r * BLOCK + r] > 0 ? sum / R[r * BLOCK + r] : 0;
            pivot -= R[c * BLOCK + r] * R[c * BLOCK + r];
        }
        dead[c] = !(pivot > DEPENDENT * square) || !(square > ROUNDING * ROUNDING * former[c]);
        R[c * BLOCK + c] = dead[c] ? 0 : sqrt(pivot);
        min_pivot = dead[c] ? 0 : fmin(min_pivot, pivot / former[c]);
    }
    return min_pivot;
}

/* X := X R^-1; dead columns become 0 */
static void divide(int n, const double *R, const bool *dead, double *X) {
    double inverse[BLOCK * BLOCK] = {0}, panel[PANEL * BLOCK];
    for (int c = 0; c < BLOCK; c++) {
        for (int r = c; r >= 0 && !dead[c]; r--) {
            double sum = r == c;
            for (int k = r + 1; k <= c; k++) {
                sum -= R[k * BLOCK + r] * inverse[c * BLOCK + k];
            }
            inverse[c * BLOCK + r] = dead[r] ? 0 : sum / R[r * BLOCK + r];
        }
    }
    for (int from = 0; from < n; from += PANEL) {
        const int height = from + PANEL < n ? PANEL : n - from;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, height, BLOCK, BLOCK, 1, X + from, n,
                    inverse, BLOCK, 0, panel, PANEL);
        for (int c = 0; c < BLOCK; c++) {
            memcpy(column(X, n, c) + from, panel + c * PANEL, height * sizeof *panel);
        }
    }
}

/* R := A R for upper triangles stored by columns */
static void compose(const double *A, double *R) {
    double P[BLOCK * BLOCK];
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, BLOCK, BLOCK, BLOCK, 1, A, BLOCK, R,
                BLOCK, 0, P, BLOCK);
    memcpy(R, P, sizeof P);
}

/* Removes the part along V[0, m) from W. Unless T is NULL, adds it to columns of T (leading
 * dimension ld), times R, the factor that W was divided by. */
static void take_out(gos_lanczos *l, double *W, const double *R, double *T) {
    const int k = l->m, ld = l->cap + BLOCK;
    if (k > 0) {
        const double *V = l->V;
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, k, BLOCK, l->n, 1, V, l->n, l->MV,
                    l->n, 0, l->H, ld);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, l->n, BLOCK, k, -1, V, l->n, l->H,
                    ld, 1, W, l->n);
        if (T) {
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, k, BLOCK, BLOCK, 1, l->H, ld, R,
                        BLOCK, 1, T, ld);
        }
    }
}

/* Adds vectors [from, to) with random signs to the sums. */
static void add_to_sums(gos_lanczos *l, int from, int to) {
    double *sign = l->H;
    const int k = to - from;
    for (int i = 0; i < GOS_LANCZOS_SUMS * k; i++) {
        sign[i] = gos__xorshift(&l->seed) >> 63 ? 1 : -1;
    }
    if (k > 0) {
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, l->n, GOS_LANCZOS_SUMS, k, 1,
                    column(l->V, l->n, from), l->n, sign, k, 1, l->Z, l->n);
    }
}

static void make_sums(gos_lanczos *l) {
    memset(l->Z, 0, (size_t)l->n * GOS_LANCZOS_SUMS * sizeof *l->Z);
    add_to_sums(l, 0, l->m);
}

/* Largest length of a block vector's part along V[0, m), estimated from the products of M W (in
 * MV) with the sums: their mean square is its square. */
static double drift(const gos_lanczos *l) {
    double P[GOS_LANCZOS_SUMS * BLOCK], max_vectors = 0;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, GOS_LANCZOS_SUMS, BLOCK, l->n, 1, l->Z,
                l->n, l->MV, l->n, 0, P, GOS_LANCZOS_SUMS);
    for (long c = 0; c < BLOCK; c++) {
        const double *p = P + c * GOS_LANCZOS_SUMS;
        max_vectors =
            fmax(max_vectors, cblas_ddot(GOS_LANCZOS_SUMS, p, 1, p, 1) / GOS_LANCZOS_SUMS);
    }
    return sqrt(max_vectors);
}

/* Removes the part of W = A V[m - block, m) along V[local, m). Products with the last block (M V
 * in MV) are stored in T; earlier ones are couplings already in T. former: squares of the removed
 * lengths. */
static void take_near(gos_lanczos *l, double *W, double *T, double *former) {
    const int from = l->m - BLOCK, k = l->m - l->local, ld = l->cap + BLOCK;
    const double start = gos__cpu_time();
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, BLOCK, BLOCK, l->n, 1, l->MV, l->n, W,
                l->n, 0, T + from, ld);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, l->n, BLOCK, k, -1,
                column(l->V, l->n, l->local), l->n, T + l->local, ld, 1, W, l->n);
    for (long c = 0; c < BLOCK; c++) {
        const double *t = T + c * ld + l->local;
        former[c] = cblas_ddot(k, t, 1, t, 1);
    }
    l->t_orthogonal += gos__cpu_time() - start;
}

/* Orthonormalises W = V[m, m + block), also to V[0, m), with M W in MV: W = V[0, m) T + W' R.
 * taken: squares of the lengths already removed, or NULL: none; MV must then hold M W. */
static gos_status settle(gos_lanczos *l, const double *taken, double *T, double *R) {
    double *W = column(l->V, l->n, l->m), G[BLOCK * BLOCK], S[BLOCK * BLOCK], former[BLOCK];
    bool dead[BLOCK];
    for (int c = 0; c < BLOCK; c++) {
        former[c] = taken ? 0 : cblas_ddot(l->n, column(W, l->n, c), 1, column(l->MV, l->n, c), 1);
        for (int r = 0; r < BLOCK; r++) {
            R[c * BLOCK + r] = r == c;
        }
    }
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        const double start = gos__cpu_time(), products = l->t_product;
        if (pass > 0 || !taken) {
            take_out(l, W, R, T);
        }
        multiply(l, BLOCK, W, l->MV);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, BLOCK, BLOCK, l->n, 1, W, l->n, l->MV,
                    l->n, 0, G, BLOCK);
        for (int i = 0; i < BLOCK * BLOCK; i++) {
            if (!isfinite(G[i])) {
                return gos__fail(l->ctx, GOS_E_NONFINITE,
                                 "the mode search produced values that are not finite");
            }
        }
        for (int c = 0; c < BLOCK && pass == 0 && taken; c++) {
            former[c] = taken[c] + G[c * BLOCK + c];
        }
        const double min_pivot = cholesky(G, former, S, dead);
        divide(l->n, S, dead, W);
        divide(l->n, S, dead, l->MV);
        compose(S, R);
        const bool good =
            pass == 0 && taken && min_pivot > ORTHONORMAL_PIVOT && !(drift(l) > MAX_DRIFT);
        l->t_orthogonal += gos__cpu_time() - start - (l->t_product - products);
        if (good) {
            return GOS_OK;
        }
        for (int c = 0; c < BLOCK; c++) {
            former[c] = 1;
            if (dead[c]) {
                double *x = column(W, l->n, c), *Mx = column(l->MV, l->n, c);
                GOS_TRY(randomise(l, 1, x, Mx));
                former[c] = cblas_ddot(l->n, x, 1, Mx, 1);
            }
        }
        if (pass > 0 && min_pivot > SETTLED_PIVOT) {
            return GOS_OK;
        }
    }
    return gos__fail(l->ctx, GOS_E_DIVERGED, "block Lanczos found no further independent vectors");
}

/* Keeps converged vectors, uncoupled; the next block is random. */
static gos_status start(gos_lanczos *l) {
    const long ld = l->cap + BLOCK;
    double R[BLOCK * BLOCK];
    memset(l->T, 0, ld * ld * sizeof *l->T);
    l->m = l->got;
    l->local = 0;
    make_sums(l);
    for (int k = 0; k < l->m; k++) {
        l->T[k * ld + k] = 1 / (l->lambda[k] - l->shift);
    }
    GOS_TRY(randomise(l, BLOCK, column(l->V, l->n, l->m), l->MV));
    return settle(l, NULL, NULL, R);
}

/* Applies A to the next block, which joins the basis; the remainder is the new next block. */
static gos_status step(gos_lanczos *l) {
    const int ld = l->cap + BLOCK, from = l->m;
    const size_t at = (size_t)from * ld;
    double R[BLOCK * BLOCK], taken[BLOCK], *T = l->T + at;
    add_to_sums(l, from, from + BLOCK);
    l->m += BLOCK;
    double *W = column(l->V, l->n, l->m);
    // rows above are couplings of earlier blocks; what settle() adds is rounding
    double *coefficients = l->Y;
    memcpy(coefficients, T, (size_t)ld * BLOCK * sizeof *T);
    GOS_TRY(gos__saddle_solve(l->def.saddle, BLOCK, l->MV, W));
    take_near(l, W, T, taken);
    GOS_TRY(settle(l, taken, T, R));
    for (long c = 0; c < BLOCK; c++) {
        memcpy(T + c * ld, coefficients + c * ld, from * sizeof *T);
        for (int r = 0; r < c; r++) { // symmetric up to rounding
            double *a = T + c * ld + from + r, *b = T + r * ld + from + c;
            *a = *b = 0.5 * (*a + *b);
        }
    }
    for (long c = 0; c < BLOCK; c++) { // R and its transpose
        for (int r = 0; r < BLOCK; r++) {
            T[c * ld + (l->m + r)] = R[c * BLOCK + r];
            l->T[(size_t)(l->m + r) * ld + (from + c)] = R[c * BLOCK + r];
        }
    }
    l->local = from;
    return GOS_OK;
}

/* Residual of Ritz vector y, from the coupling of the last block with the next. */
static double residual(const gos_lanczos *l, const double *y) {
    const long ld = l->cap + BLOCK, from = l->m - BLOCK;
    double sum = 0;
    for (int r = 0; r < BLOCK; r++) {
        double part = 0;
        for (int c = 0; c < BLOCK; c++) {
            part += l->T[(from + c) * ld + (l->m + r)] * y[from + c];
        }
        sum += part * part;
    }
    return sqrt(sum);
}

/* Eigenvalues of T (ascending) in w, vectors in Y; *done: number of converged largest ones, from
 * number `exact` on to the loose tolerance. */
static gos_status solve_projected(gos_lanczos *l, int exact, int requested, int *done) {
    const double start_time = gos__cpu_time();
    const int ld = l->cap + BLOCK, m = l->m;
    for (int j = 0; j < m; j++) {
        memcpy(column(l->Y, m, j), l->T + (size_t)j * ld, m * sizeof *l->Y);
    }
    GOS_TRY(gos__dense_symmetric(l->ctx, m, l->Y, l->w));
    *done = 0;
    for (int k = m - 1; k >= 0 && l->w[k] > 0 && *done < requested; k--, ++*done) {
        double tolerance = TOLERANCE;
        if (*done >= exact) {
            const double distance = 1 - l->w[k] / l->w[exact > 0 ? m - exact : m - 1];
            tolerance = fmin(fmax(ROUGH_SHARE * distance, ROUGH_TOLERANCE), MAX_ROUGH_TOLERANCE);
        }
        if (!(residual(l, column(l->Y, m, k)) <= tolerance * l->w[k])) {
            break;
        }
    }
    const double last =
        m >= requested ? l->w[m - requested] : 0; // a continued search may have fewer vectors
    l->reach = last > 0 ? l->shift + 1 / last : HUGE_VAL;
    l->t_ritz += gos__cpu_time() - start_time;
    return GOS_OK;
}

/* V[0, count) := V[0, m) Y of the `count` largest, largest first. */
static void turn(gos_lanczos *l, int count) {
    const double start_time = gos__cpu_time();
    const int n = l->n, m = l->m;
    double *rows = l->Y + (size_t)m * m;
    for (int j = 0; j < m / 2; j++) { // reverse the order
        cblas_dswap(m, column(l->Y, m, j), 1, column(l->Y, m, m - 1 - j), 1);
    }
    for (int i = 0; i < n; i += PANEL) {
        const int height = i + PANEL < n ? PANEL : n - i;
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, height, count, m, 1, l->V + i, n,
                    l->Y, m, 0, rows, PANEL);
        for (int j = 0; j < count; j++) {
            memcpy(column(l->V, n, j) + i, rows + (size_t)j * PANEL, height * sizeof *rows);
        }
    }
    l->t_orthogonal += gos__cpu_time() - start_time;
}

/* Thick restart: keeps the best Ritz vectors with their coupling to the next block. */
static void restart(gos_lanczos *l, int keep) {
    const int ld = l->cap + BLOCK, m = l->m, n = l->n;
    double *theta = l->lambda, *B = l->H; // (BLOCK, keep) couplings
    for (int k = 0; k < keep; k++) {
        const double *y = column(l->Y, m, m - 1 - k);
        theta[k] = l->w[m - 1 - k];
        for (int r = 0; r < BLOCK; r++) {
            double sum = 0;
            for (long c = 0; c < BLOCK; c++) {
                const size_t at = (m - BLOCK + c) * ld + (m + r);
                sum += l->T[at] * y[m - BLOCK + c];
            }
            B[k * BLOCK + r] = sum;
        }
    }
    turn(l, keep);
    memmove(column(l->V, n, keep), column(l->V, n, m), (size_t)n * BLOCK * sizeof *l->V);
    memset(l->T, 0, (size_t)ld * ld * sizeof *l->T);
    for (long k = 0; k < keep; k++) {
        l->T[k * ld + k] = theta[k];
        for (long r = 0; r < BLOCK; r++) {
            l->T[k * ld + (keep + r)] = B[k * BLOCK + r];
            l->T[(keep + r) * ld + k] = B[k * BLOCK + r];
        }
    }
    l->m = keep;
    l->local = 0;
    make_sums(l);
    l->restarts++;
}

static void finish(gos_lanczos *l, int requested) {
    for (int k = 0; k < requested; k++) {
        const double theta = l->w[l->m - 1 - k];
        l->error[k] = residual(l, column(l->Y, l->m, l->m - 1 - k)) / theta;
        l->lambda[k] = l->shift + 1 / theta;
    }
    turn(l, requested);
    l->got = requested;
}

/* For solvers that find modes themselves, orthogonal to those already found. */
static gos_status let_find(gos_lanczos *l, int requested, bool insist) {
    gos_symmetric_search q = {.shift = l->shift,
                              .known = l->got,
                              .requested = requested - l->got,
                              .check_shift = l->got == 0 && !insist,
                              .lambda = l->lambda + l->got,
                              .error = l->error + l->got,
                              .X = l->V};
    GOS_TRY(gos__progress(l->ctx, 0, "modes"));
    GOS_TRY(gos__saddle_find(l->def.saddle, &q));
    if (q.shift_too_low) {
        l->shift_too_low = true;
        l->reach = q.reach;
        l->got = 0;
        return GOS_OK;
    }
    l->got += q.found;
    return l->got >= requested
               ? GOS_OK
               : gos__fail(l->ctx, GOS_E_DIVERGED, "%d of %d modes did not converge",
                           requested - l->got, requested);
}

gos_status gos__lanczos_run(gos_lanczos *l, double shift, int exact, int requested, bool insist) {
    const bool fresh = l->got == 0;
    if (gos__saddle_finds(l->def.saddle)) {
        l->shift = shift;
        l->shift_too_low = false;
        return let_find(l, requested, insist);
    }
    int done = 0, check_shift, restarts = 0;
    l->shift = shift;
    l->shift_too_low = false;
    GOS_TRY(start(l));
    l->got = 0;
    check_shift = fresh ? requested + 2 * BLOCK : l->m + 2 * BLOCK;
    for (;;) {
        GOS_TRY(step(l));
        GOS_TRY(gos__progress(l->ctx, 0, "modes"));
        const bool full = l->m + BLOCK > l->cap;
        if (!full && l->m < check_shift) {
            continue;
        }
        check_shift = l->m + BLOCK;
        GOS_TRY(solve_projected(l, exact, requested, &done));
        if (done >= requested) {
            finish(l, requested);
            return GOS_OK;
        }
        if (fresh && !insist && -shift > MAX_SHIFT_RATIO * l->reach) {
            l->shift_too_low = true;
            return GOS_OK;
        }
        if (full) {
            if (restarts++ >= MAX_RESTARTS) {
                return gos__fail(l->ctx, GOS_E_DIVERGED, "%d of %d modes did not converge",
                                 requested - done, requested);
            }
            const int max_vectors = l->cap - 2 * BLOCK, good = requested + 2 * BLOCK;
            restart(l, good < max_vectors ? good : max_vectors);
        }
    }
}
