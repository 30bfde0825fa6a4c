/* Error e = E (w h)^3 A of a step in a mode of frequency w and amplitude A: T/h steps accumulate
 * it as a phase error if the mode is resolved; otherwise it is at most 2 A. So errors count as
 *     e / (1 + (w/w_s)^2)^(3/2),   w_s^3 = LOST/(E T h^2),
 * at most LOST A in total; otherwise an impact on a beam would require resolving its fastest
 * modes, as w^3 A grows with w. LOST is ten times the error of a lost mode, which may grow
 * (buckling). */
#include "solve/vibration_error.h"

#include <lapacke.h>
#include <math.h>

// limit of the error of an unresolved mode in amplitudes, allowing for growth
#define LOST 20
#define MOST (GOS_ALPHA_STEPS - 1) // vectors: rows of the Broyden storage except the first
#define NOTHING 1e-6               // relative to the error: no further modes
#define CLOSE 1.3                  // ratio of bounds that ends the iteration

/* tridiagonal matrix of F on n orthonormal vectors */
typedef struct chain {
    int n;
    double diagonal[MOST], beside[MOST];
    double weights[MOST]; // of the vectors in the accumulating part, for an error of norm 1
} chain;

static double dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* Norm of the accumulating part for an error of norm 1, and weights of its vectors. slow: c w_s^2.
 * bound: Radau's rule. */
static double share(chain *k, double slow, bool bound) {
    const int n = k->n;
    double d[MOST], e[MOST], Z[MOST * MOST], work[2 * MOST], sum = 0;
    memcpy(d, k->diagonal, sizeof d);
    memcpy(e, k->beside, sizeof e);
    if (bound) { // last diagonal entry such that 1 (frequency 0) is an eigenvalue
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

/* Lanczos step: g->r := F v_j orthogonalised against earlier vectors, M g->r in g->mv.
 * @return its norm */
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

/* F = (M + c K)^-1 M, from the Newton matrix, has the eigenvalue 1/(1 + c w^2) for a mode. Lanczos
 * iteration with F from the error e' in the inner product of M yields frequencies and weights that
 * integrate polynomials of F over the modes of e' exactly (Gauss' rule; Golub and Meurant 2010,
 * sec. 3.1, 6.2). Radau's rule with one frequency at 0 gives an upper bound, since the
 * accumulating part increases with each power of F. */
double gos__vibration_share(gos_alpha *g, double h, double enough) {
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
