/* A step makes the error e = E (w h)^3 A in a mode of frequency w and amplitude A, as long as it
   follows it, and T/h steps of a run T add them up: the mode goes round too slowly. But a mode that
   is wholly lost is only wrong by 2 A. So of the errors in a mode count

       e / (1 + (w/w_s)^2)^(3/2),   w_s^3 = LOST/(E T h^2):

   those of a run never add up to more than LOST A, and an amplitude below a twentieth of the
   tolerance need not be followed, however long it rings. Without that a beam that a load has struck
   would be followed up to its fastest modes, whose amplitudes are nothing: their w^3 A grows with
   w. LOST is ten times what a lost mode is off by: it may be the one that grows later, as the first
   mode of a column before it buckles.

   Which modes an error e' is made of is not known, but the Newton matrix tells it. F = (M + c K)^-1
   M, a solution with the factorisation in hand, has the eigenvalue 1/(1 + c w^2) in each. Lanczos'
   iteration with F from e', in the inner product of M, finds a few frequencies with a share each,
   which integrate polynomials of F over all modes as e' weighs them exactly (Gauss' rule; Golub and
   Meurant 2010, sec. 3.1, 6.2). What counts grows with each power of F, so with one frequency put
   to 0 (Radau's rule) the sum is never too small. */
#include "solve/vibration_error.h"

#include <lapacke.h>
#include <math.h>

#define LOST                                                                                       \
    20 // amplitudes: errors of a mode that is not followed, with room for what may grow of it
#define MOST (GOS_ALPHA_STEPS - 1) // vectors: rows of the iteration's memory but the first
#define NOTHING 1e-6               // of the error: rest that has no more modes
#define CLOSE 1.3                  // bounds as near as this are near enough

/* F among n orthonormal vectors: tridiagonal */
typedef struct chain {
    int n;
    double diagonal[MOST], beside[MOST];
    double weights[MOST]; // of the vectors in what adds up, for an error of size 1
} chain;

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Size of what adds up, for an error of size 1, and its vectors' weights. slow: c w_s^2. bound: by
 * Radau's rule. */
static double share(chain *k, double slow, bool bound) {
    const int n = k->n;
    double d[MOST], e[MOST], Z[MOST * MOST], work[2 * MOST], sum = 0;
    memcpy(d, k->diagonal, sizeof d);
    memcpy(e, k->beside, sizeof e);
    if (bound) { // the last diagonal such that 1, of no frequency, is an eigenvalue
        double pivot = 1;
        d[n - 1] = 1;
        for (int i = 0; i + 1 < n; i++) {
            pivot = d[i] - 1 - (i > 0 ? e[i - 1] * e[i - 1] / pivot : 0);
        }
        d[n - 1] += n > 1 ? e[n - 2] * e[n - 2] / pivot : 0;
    }
    if (LAPACKE_dstev_work(LAPACK_COL_MAJOR, 'V', n, d, e, Z, n, work) != 0) {
        return 1;
    }
    memset(k->weights, 0, sizeof k->weights);
    for (int i = 0; i < n; i++) {
        const double x = 1 / d[i] - 1; // c w^2
        const double counts = x > 0 ? pow(1 + x / slow, -1.5) : 1;
        const double part = Z[n * i];
        sum += part * part * counts * counts;
        for (int j = 0; j < n; j++) {
            k->weights[j] += Z[n * i + j] * counts * part;
        }
    }
    return isfinite(sum) ? fmin(1, sqrt(sum)) : 1;
}

/* g->r := F v_j less its parts along the vectors so far; M g->r is left in g->mv. @return its
   size */
static double next(gos_alpha *g, chain *k, int j) {
    const gos_system *s = g->sys;
    const long n = s->n, nq = s->nq;
    double *r = g->r;
    memset(r, 0, n * sizeof *r);
    memcpy(r, g->steps_mass + (j + 1) * nq, nq * sizeof *r);
    gos__alpha_solve(g);
    for (int i = j; i >= 0; i--) {
        const double *v = g->steps + (i + 1) * n;
        const double part = dot(s->nq, g->steps_mass + (i + 1) * nq, r);
        for (int l = 0; l < s->nq; l++) {
            r[l] -= part * v[l];
        }
        k->diagonal[j] = i == j ? part : k->diagonal[j];
    }
    gos__inertia_apply(g->w, g->x->q, r, g->mv);
    return sqrt(fmax(0, dot(s->nq, r, g->mv)));
}

double gos__ringing_share(gos_alpha *g, double h, double enough) {
    const gos_system *s = g->sys;
    const long n = s->n, nq = s->nq;
    const double c = 1 / gos__chain_of(&g->k, g->factor_h).a;
    const double span = g->opt.end - g->t_start;
    const double slow = c * pow(LOST / (g->k.error * span * h * h), 2.0 / 3);
    chain k = {.n = 0};
    gos__inertia_apply(g->w, g->x->q, g->r, g->mv);
    const double size = sqrt(fmax(0, dot(s->nq, g->r, g->mv)));
    double rest = size, most = 1;
    while (k.n < MOST && rest > NOTHING * size) {
        double *v = g->steps + (k.n + 1) * n, *mv = g->steps_mass + (k.n + 1) * nq;
        for (int i = 0; i < s->nq; i++) {
            v[i] = g->r[i] / rest;
            mv[i] = g->mv[i] / rest;
        }
        k.diagonal[k.n] = k.beside[k.n] = 0;
        rest = next(g, &k, k.n);
        k.beside[k.n++] = rest;
        const double least = share(&k, slow, false);
        most = rest > NOTHING * size ? share(&k, slow, true) : least;
        if (most <= fmax(enough, CLOSE * least)) {
            break;
        }
    }
    memset(g->r, 0, n * sizeof *g->r);
    for (int j = 0; j < k.n; j++) {
        const double *v = g->steps + (j + 1) * n;
        for (int i = 0; i < s->nq; i++) {
            g->r[i] += size * k.weights[j] * v[i];
        }
    }
    return most;
}
