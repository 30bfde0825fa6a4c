/* Error estimate of a generalised-alpha step from the change of accelerations and temperature
 * rates, as displacements and temperatures. The Newton matrix filters out modes much faster than
 * the step and motion normal to constraints, but less than MAX_LOSS of resolved modes. Unresolved
 * elastic modes count by their accumulating part; their immediate loss is less
 * than the tolerance. */
#include <math.h>
#include <lapacke.h>

#include "linalg/dense.h"
#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"

/* Error e = E (w h)^3 A of a step in a mode of frequency w and amplitude A: T/h steps accumulate
 * it as a phase error if the mode is resolved; otherwise it is at most 2 A. So errors count as
 *     e / (1 + (w/w_s)^2)^(3/2),   w_s^3 = LOST_BY_MODES/(E T h^2),
 * at most LOST_BY_MODES A in total; otherwise an impact on a beam would require resolving its
 * fastest modes, as w^3 A grows with w. LOST_BY_MODES is ten times the error of a lost mode, which
 * may grow (buckling). */

// limit of the error of an unresolved mode in amplitudes, allowing for growth
#define LOST_BY_MODES 20
#define MAX_VECTORS (GOS_ALPHA_STEPS - 1) // vectors: rows of the Broyden storage except the first
#define NEGLIGIBLE 1e-6                   // relative to the error: no further modes
#define BOUND_RATIO 1.3                   // ratio of bounds that ends the iteration

/* tridiagonal matrix of F on n orthonormal vectors */
typedef struct chain {
    int n;
    double diagonal[MAX_VECTORS], beside[MAX_VECTORS];
    double weights[MAX_VECTORS]; // of the vectors in the accumulating part, for an error of norm 1
} chain;

/* Norm of the accumulating part for an error of norm 1, and weights of its vectors. slow: c w_s^2.
 * bound: Radau's rule. */
static double share(chain *k, double slow, bool bound) {
    const int n = k->n;
    double d[MAX_VECTORS], e[MAX_VECTORS], Z[MAX_VECTORS * MAX_VECTORS], work[2 * MAX_VECTORS],
        sum = 0;
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
        const double part = gos__dense_dot(s->nq, g->steps_mass + (i + 1) * nq, r);
        for (int l = 0; l < s->nq; l++) {
            r[l] -= part * v[l];
        }
        k->diagonal[j] = i == j ? part : k->diagonal[j];
    }
    gos__inertia_apply(g->w, g->x->q, r, g->mv);
    return sqrt(fmax(0, gos__dense_dot(s->nq, r, g->mv)));
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
    const double slow = c * pow(LOST_BY_MODES / (g->k.error * span * h * h), 2.0 / 3);
    chain k = {.n = 0};
    gos__inertia_apply(g->w, g->x->q, g->r, g->mv);
    const double size = sqrt(fmax(0, gos__dense_dot(s->nq, g->r, g->mv)));
    double rest = size, most = 1;
    while (k.n < MAX_VECTORS && rest > NEGLIGIBLE * size) {
        double *v = g->steps + (k.n + 1) * n, *mv = g->steps_mass + (k.n + 1) * nq;
        for (int i = 0; i < s->nq; i++) {
            v[i] = g->r[i] / rest;
            mv[i] = g->mv[i] / rest;
        }
        k.diagonal[k.n] = k.beside[k.n] = 0;
        rest = next(g, &k, k.n);
        k.beside[k.n++] = rest;
        const double least = share(&k, slow, false);
        most = rest > NEGLIGIBLE * size ? share(&k, slow, true) : least;
        if (most <= fmax(enough, BOUND_RATIO * least)) {
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

/* Motion normal to constraints. A polynomial of degree 4 for prescribed positions q gives, with
 * constant steps, the settled values
 *     v = q' - E h^2 q''' + O(h^3),                  E = beta + 1/12 - gamma/2
 *     a = q'' + E_a h^2 q'''',                       E_a = E_bar - (am - af)(am - 1/2)
 *     A = q'' + (am - af) h q''' + E_bar h^2 q'''',  E_bar = 1/6 - E - gamma (1/2 + am - af)
 * (the third-order term of v is small: 0.004 h^3 q'''' with the usual parameters). */

/* g->r := motion with constraint rates c (nc), by the last factors. */
static void solve(gos_alpha *g, const double *c) {
    const gos_system *s = g->sys;
    memset(g->r, 0, s->n * sizeof *g->r);
    memcpy(g->r + s->at.lam, c, s->nc * sizeof *c);
    gos__alpha_solve(g);
}

/* g->r := part of a motion u (nq) normal to the constraints of x, by the last factors. */
static void normal_part(gos_alpha *g, const gos_state *x, double t, const double *u) {
    double *c = g->normal;
    const gos_point_of at = gos__state_point(x, t);
    gos__constraint_apply(g->w, &at, u, c);
    solve(g, c);
}

/* Without prescribed motion the scheme follows, with constant steps,
 *     q' = w + eta h^2 q''',   w' = q'' from forces,   v = w + (eta - E) h^2 q''',   eta = -E_a.
 * w carries the impulse and stays continuous when the step changes; v does not. Only the part of
 * q''' due to forces along the null space counts, so that uniform rotation stays uniform: the
 * rotation of constraint forces, -(d/dt C_q)^T mu for normal accelerations -M^-1 C_q^T mu, is
 * removed. */
void gos__alpha_carry(gos_alpha *g, gos_state *x, double t, double before, double h) {
    const gos_system *s = g->sys;
    const double f = -(g->k.error_a + g->k.error) * (h * h - before * before);
    if (s->nc > 0) {
        normal_part(g, x, t, x->a);
    }
    memcpy(g->normal, g->r + s->at.lam, s->nc * sizeof(double));
    gos__inertia_apply(g->w, x->q, x->jerk, g->r);
    const gos_point_of at = gos__state_point(x, t);
    gos__constraint_turn(g->w, &at, g->normal, g->r);
    memset(g->r + s->at.th, 0, (s->n - s->nq) * sizeof *g->r);
    gos__alpha_solve(g);
    for (int i = 0; i < s->nq; i++) {
        x->v[i] += f * g->r[i];
    }
}

/* Changes y (nq) so that C_q y = want; two passes, since the factors are those of a nearby
 * point. */
static void bring(gos_alpha *g, const gos_point_of *at, const double *want, double *y) {
    enum { PASSES = 2 };
    const gos_system *s = g->sys;
    double *c = g->normal;
    for (int pass = 0; pass < PASSES; pass++) {
        gos__constraint_apply(g->w, at, y, c);
        for (int i = 0; i < s->nc; i++) {
            c[i] = want[i] - c[i];
        }
        solve(g, c);
        for (int i = 0; i < s->nq; i++) {
            y[i] += g->r[i];
        }
    }
}

static void along(gos_alpha *g, const gos_state *x, double t, double e, double *f) {
    const gos_system *s = g->sys;
    gos_state *y = g->at;
    double *unused = g->normal, *r = f;
    for (int i = 0; i < s->nq; i++) {
        y->a[i] = x->a[i] + e * x->jerk[i];
        y->v[i] = x->v[i] + e * (x->a[i] + 0.5 * e * x->jerk[i]);
        y->q[i] = x->q[i] + e * (x->v[i] + e * (0.5 * x->a[i] + e / 6 * x->jerk[i]));
    }
    const gos_point_of at = gos__state_point(y, t + e);
    gos__constraint_rates(g->w, &at, NULL, r);
    gos__constraint_apply(g->w, &at, y->a, unused);
    for (int i = 0; i < s->nc; i++) {
        f[i] -= unused[i];
    }
}

/* Data of another step, or of none at a start, cause errors O(h) of accelerations and multipliers
 * until they decay. So velocities and accelerations are set to their settled values by the
 * smallest changes in the Newton matrix, outside the null space of the constraints. Derivatives of
 * q normal to constraints follow from constraint rates along the path q + e v + ...:
 *     C_q a = r(q, v, t),   f(e) = r - C_q (a + e j) there,
 *     C_q q''' = C_q j + f'(0),   C_q q'''' = f''(0). */
void gos__normal_settle(gos_alpha *g, gos_state *x, double t, double h) {
    const int nc = g->sys->nc;
    const gos_scheme *k = &g->k;
    const gos_point_of at = gos__state_point(x, t);
    double *r = g->normal + nc, *half = r + nc, *whole = half + nc, *want = whole + nc;
    const double e = h * (1 - 1e-9); // exclude a switch at the end of the step
    gos__constraint_rates(g->w, &at, want, r);
    for (int i = 0; i < nc; i++) {
        want[i] = -want[i];
    }
    bring(g, &at, want, x->v);
    gos__constraint_rates(g->w, &at, NULL, r);
    bring(g, &at, r, x->a);
    gos_state_copy(g->at, x);
    along(g, x, t, 0.5 * e, half);
    along(g, x, t, e, whole);
    gos__constraint_apply(g->w, &at, x->jerk, g->normal);
    for (int i = 0; i < nc; i++) { // third and fourth derivatives of the motion
        const double jerk = g->normal[i] + (4 * half[i] - whole[i]) / e;
        whole[i] = 4 * (whole[i] - 2 * half[i]) / (e * e);
        half[i] = jerk;
        want[i] -= k->error * h * h * jerk;
    }
    bring(g, &at, want, x->v);
    for (int i = 0; i < nc; i++) {
        want[i] = r[i] + k->error_a * h * h * whole[i];
        r[i] += h * ((k->am - k->af) * half[i] + k->error_bar * h * whole[i]);
    }
    bring(g, &at, want, x->a);
    bring(g, &at, r, x->abar);
}

#define MAX_LOSS 2 // largest loss factor of resolved modes by filtering
// allowed error of velocities normal to constraints, in tolerances of the largest speed
#define ACROSS 2
#define RESOLVED_SHARE 0.15 // fraction of that which would allow twice the step
#define UPDATE_INTERVAL 4   // equal steps between updates of the speed or of modes
#define GROWTH_ERROR 0.46   // error below which the next step grows anyway

double gos__alpha_across(gos_alpha *g) {
    gos_state *x = g->x;
    x->speed = fmax(x->speed, gos__motion_norm(g, x->v));
    return ACROSS * g->opt.tolerance * x->speed;
}

/* Error normal to constraints of the change d (nq) of accelerations, a displacement with norm
 * `motion`, relative to the allowance for a step h. Positions are exact and velocity errors do not
 * accumulate, so speed is the scale. Skipped if it cannot exceed `other`. The largest speed is
 * updated occasionally and when decisive. */
static double across(gos_alpha *g, const double *d, double motion, double h, double allowed_rate,
                     double other) {
    if (g->sys->nc == 0) {
        return 0;
    }
    if (fmod(g->x0->same, UPDATE_INTERVAL) == 0) {
        (void)gos__alpha_across(g);
    }
    const double known = fmax(allowed_rate, ACROSS * g->opt.tolerance * g->x->speed);
    const double most = motion / (h * known);
    if (most <= fmax(other, RESOLVED_SHARE)) {
        return most <= other ? 0 : most;
    }
    const double allowed = h * fmax(allowed_rate, gos__alpha_across(g));
    normal_part(g, g->x, g->x->t, d);
    return fmin(motion, gos__motion_norm(g, g->r)) / allowed;
}

/* Relevant part of the filtered error in g->r relative to its share; motion: unfiltered norm. g->r
 * := accumulating part. */
static double followed(gos_alpha *g, double motion, double h, double allowed_rate) {
    const double filtered = MAX_LOSS * gos__motion_norm(g, g->r), share = h * allowed_rate;
    const double plain = fmin(motion, filtered) / share;
    const bool looks =
        plain > 1 || (plain > GROWTH_ERROR && fmod(g->x0->same, UPDATE_INTERVAL) == 0);
    const bool asked = g->opt.probe_tolerance > 0; // probes may require all modes
    if (!looks || asked || !gos__elastic(g->sys)) {
        return plain;
    }
    const double adds =
        filtered / share * gos__vibration_share(g, h, GROWTH_ERROR * share / filtered);
    if (g->probe_errors) {
        gos__error_propagation_adds(g);
    }
    /* Immediate loss of a mode: 0.7 of its amplitude by this step, w h times that inside it;
     * estimated by the geometric mean of the errors before and after the filter. */
    return fmin(plain, fmax(adds, sqrt(MAX_LOSS * motion * filtered) / g->opt.tolerance));
}

/* heat (nt) += heat rows of rates u (nq) at the end of the step. Both signs cancel the quadratic
 * part from damping. */
static gos_status add_strain_heat(gos_alpha *g, double *u, double *scratch, double *heat) {
    const gos_system *s = g->sys;
    const gos_residual out = gos__residual_of(s, scratch);
    gos_point_of at = gos__state_point(g->x, g->x->t);
    at.v = u;
    for (int side = 1; side >= -1; side -= 2) {
        GOS_TRY(gos__residual(g->w, &at, &out, NULL));
        for (int i = 0; i < s->nt; i++) {
            heat[i] += 0.5 * side * scratch[s->at.th + i];
        }
        for (int i = 0; i < s->nq; i++) {
            u[i] = -u[i];
        }
    }
    return GOS_OK;
}

/* g->r := filtered displacements d (nq), or heat (nt); the other is NULL. @return norm of
 * temperatures */
static double filtered_heat(gos_alpha *g, const double *d, const double *heat) {
    const gos_system *s = g->sys;
    memset(g->r, 0, s->n * sizeof *g->r);
    if (d) {
        gos__inertia_apply(g->w, g->x->q, d, g->r);
    } else if (heat) {
        memcpy(g->r + s->at.th, heat, s->nt * sizeof *heat);
    }
    gos__alpha_solve(g);
    return MAX_LOSS * gos__heat_norm(g, g->r + s->at.th);
}

/* Error of temperatures with heat from strain, relative to its allowance. This heat is reversible:
 * unresolved vibration disturbs temperature rates at any step size without affecting the run. The
 * reversible part counts once, by the heat of the filtered displacement error d (nq); the rest has
 * smooth rates, whose change bounds its error. */
static double strained_heat(gos_alpha *g, double h, double allowed_rate, const double *d) {
    const gos_system *s = g->sys;
    const gos_state *a = g->x0, *b = g->x;
    double *u = g->steps + s->n, *heat = u + s->n, *scratch = heat + s->n;
    (void)filtered_heat(g, d, NULL);
    memcpy(u, g->r, s->nq * sizeof *u);
    memset(heat, 0, s->nt * sizeof *heat);
    if (add_strain_heat(g, u, scratch, heat) != GOS_OK) {
        return HUGE_VAL;
    }
    const double returns = filtered_heat(g, NULL, heat);
    for (int i = 0; i < s->nq; i++) {
        u[i] = h / 12 * (b->v[i] - a->v[i]);
    }
    for (int i = 0; i < s->nt; i++) {
        scratch[i] = h / 12 * (b->thd[i] - a->thd[i]);
    }
    gos__storage_apply(s, scratch, heat);
    if (add_strain_heat(g, u, scratch, heat) != GOS_OK) {
        return HUGE_VAL;
    }
    return fmax(filtered_heat(g, NULL, heat) / (h * allowed_rate), returns / g->opt.tolerance);
}

double gos__alpha_error(gos_alpha *g, double h, double allowed_rate) {
    const gos_system *s = g->sys;
    const gos_state *a = g->x0, *b = g->x;
    double *d = g->steps, *r = g->r; // the Broyden storage is free
    allowed_rate =
        fmax(allowed_rate, GOS_ALPHA_ROUNDING / h); // shorter steps have no smaller error
    for (int i = 0; i < s->nq; i++) {
        d[i] = g->k.error * h * h * (b->a[i] - a->a[i]);
    }
    for (int i = 0; i < s->nt; i++) {
        d[s->at.th + i] = h / 12 * (b->thd[i] - a->thd[i] - h * a->thdd[i]);
    }
    const double motion = gos__motion_norm(g, d), heat = gos__heat_norm(g, d + s->at.th);
    gos__inertia_apply(g->w, b->q, d, r);
    gos__storage_apply(s, d + s->at.th, r + s->at.th);
    memset(r + s->at.lam, 0, (s->nc + s->nh) * sizeof *r);
    gos__alpha_solve(g);
    const double heat_rate = fmax(allowed_rate, g->noise / h);
    double heats = fmin(heat, MAX_LOSS * gos__heat_norm(g, r + s->at.th)) / (h * heat_rate);
    if (g->probe_errors) {
        gos__error_propagation_note(g);
    }
    const double moves = followed(g, motion, h, allowed_rate);
    if (heats > fmax(GROWTH_ERROR, moves) && (s->strain_heat || gos__alpha_drives_states(s))) {
        heats = fmin(heats, strained_heat(g, h, heat_rate, d));
    }
    double error = fmax(moves, heats);
    if (s->steady_heat) { // steady heat has interpolation errors only
        error = fmax(error, heat / g->opt.tolerance);
    }
    return fmax(error, across(g, d, motion, h, allowed_rate, error));
}
