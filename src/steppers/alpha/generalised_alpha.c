/* Generalised-alpha: index 3 with algorithmic accelerations for motion (Chung and Hulbert 1993,
 * Arnold and Bruels 2007) and its first-order counterpart for temperatures (Jansen, Whiting,
 * Hulbert 2000), solved together by Newton's method. Equations are satisfied at the end of the
 * step; see `predict`. */
#include "steppers/alpha/generalised_alpha.h"

#include <math.h>

#include "linalg/dense.h"
#include "solve/consistent.h"
#include "solve/scales.h"

// growth of the stored contraction while one iteration suffices
#define CONTRACTION_AGES 1.1
// ... and its limit, which requires a second iteration but no factorisation
#define CONTRACTION_MOST 0.2
#define NOISE 1e-15 // corrections this small are rounding of positions
// fraction of the allowed error, since momentum must be more accurate than positions
#define SAFETY 0.05
// ... for rigid mechanisms, which lack a restoring stiffness
#define SAFETY_RIGID 0.025
#define UNMEASURED 1e-2      // least contraction assumed before it is measured
#define UNMEASURED_HEAT 1e-4 // ... for heat, which is nearly linear
#define CONTRACTION_LEAST 1e-4
#define SAME_STEP 1e-6
#define ROUND_OFF 1e-13   // corrections that do not decrease below this are round-off
#define SLOWEST 0.9       // contraction above which an iteration has failed
#define STAGNANT 1e-11    // with new factors in each iteration: smaller corrections may stagnate
#define DRIVEN 1e-9       // rounding of temperatures and states driven by motion
#define EVERY_MOST 3      // factor on max_iterations with new factors in each iteration
#define MORE 2            // iterations after convergence of displacements, until the energy has
#define OTHER_STEP 0.01   // relative difference from the step of the matrix
#define RENEWALS 2        // new matrices in one attempt
#define ENERGY_ERROR 1e-6 // energy of the last correction, relative to that of the system
#define RATE_KNOWN 4 // iterations with one matrix from which their mean contraction is reliable

/* y (nq) := F y, its part resolved by the step, F = (M + c K)^-1 M with the latest factors; C y is
 * unchanged. */
static void resolved_part(gos_alpha *g, const gos_state *x, double *y) {
    const gos_system *s = g->sys;
    const gos_point_of at = gos__state_point(x, gos__breaks_right(&g->breaks, x->t));
    gos__corotation_update(g->turned, x->q);
    gos__inertia_apply(g->w, x->q, y, g->r);
    memset(g->r + s->nq, 0, (s->n - s->nq) * sizeof *g->r);
    gos__constraint_apply(g->w, &at, y, g->r + s->at.lam);
    gos__alpha_solve(g);
    memcpy(y, g->r, s->nq * sizeof *y);
}

/* A for steps f times as long. Resolved motion has A - a = (am - af) h a', so this difference is
 * multiplied by f. For modes far above 1/h, q is 0 and the scheme is a recurrence of (v, h A) with
 * the double eigenvalue -rho: A is kept, so that n steps and one change of step multiply (v, h A)
 * by f rho^n. With f (A - a) they would grow by 1.4 (rho 0.6) to 1.9 (rho 0.8) in a step twice as
 * long as the last; in shorter steps they decay in any case. */
static void rescale_acceleration(gos_alpha *g, gos_state *x, double f) {
    double *change = g->steps; // the Broyden storage is free
    for (int i = 0; i < g->sys->nq; i++) {
        change[i] = (f - 1) * (x->abar[i] - x->a[i]);
    }
    if (g->have_factor && gos__elastic(g->sys) && f > 1 + SAME_STEP) {
        resolved_part(g, x, change);
    }
    for (int i = 0; i < g->sys->nq; i++) {
        x->abar[i] += change[i];
    }
}

/* Rescales algorithmic quantities of an earlier step to h, or starts them. */
static void set_algorithmic(gos_alpha *g, gos_state *x, double h) {
    const gos_system *s = x->sys;
    const double d = g->k.am - g->k.af, dT = g->k.tm - g->k.tf;
    if (x->h == h) {
        return;
    }
    const double f = x->h > 0 ? h / x->h : 0;
    if (f > 0) {
        rescale_acceleration(g, x, f);
    }
    for (int i = 0; i < s->nq && !(f > 0); i++) {
        x->abar[i] = x->a[i] + d * h * x->jerk[i];
    }
    for (int i = 0; i < s->nt; i++) {
        x->tau[i] = x->thd[i] + (f > 0 ? f * (x->tau[i] - x->thd[i]) : dT * h * x->thdd[i]);
    }
    x->heat_in_bar = x->heat_in + f * (x->heat_in_bar - x->heat_in);
    x->heat_con_bar = x->heat_con + f * (x->heat_con_bar - x->heat_con);
    // the heat balance must start consistently with the temperatures: sum of C tau
    if (!(f > 0)) {
        double sum = 0;
        for (int i = 0; i < s->nt; i++) {
            sum += s->hw[i] * (x->tau[i] - x->thd[i]);
        }
        x->heat_in_bar = x->heat_in + sum;
        x->heat_con_bar = x->heat_con;
    }
    x->h = h;
}

static void copy_rest(gos_state *to, const gos_state *from) {
    gos_state keep = *to;
    *to = *from;
    to->q = keep.q, to->v = keep.v, to->a = keep.a, to->abar = keep.abar, to->jerk = keep.jerk;
    to->th = keep.th, to->thd = keep.thd, to->tau = keep.tau, to->thdd = keep.thdd;
    to->lam = keep.lam, to->lamT = keep.lamT, to->mem = keep.mem, to->block = keep.block;
    to->lamd = keep.lamd, to->past = keep.past, to->room = keep.room;
    to->held = keep.held;
    memcpy(to->lamT, from->lamT, from->sys->nh * sizeof(double));
    memcpy(to->mem, from->mem, from->sys->nmem * sizeof(double));
    if (from->sets > 0) {
        memcpy(to->held, from->held, from->sys->nfn * sizeof *to->held);
    }
}

/* Predicts g->x at t + h from g->x0:
 *     q1 = q0 + h v0 + h^2 [(1/2 - beta) A0 + beta A1],  v1 = v0 + h [(1 - gamma) A0 + gamma A1],
 *     (1 - am) A1 + am A0 = (1 - af) a1 + af a0,  M a1 + Q(q1, v1, T1) + C^T lam = F,  C(q1) = 0,
 *     T1 = T0 + h [(1 - tg) S0 + tg S1],  (1 - tm) S1 + tm S0 = (1 - tf) T1' + tf T0'.
 * A is the acceleration at t + (am - af) h to first order: started there, since the multipliers
 * would lose an order otherwise, and rescaled when the step changes. */
static void predict(gos_alpha *g, double h, double t1) {
    const gos_scheme *k = &g->k;
    const gos_state *a = g->x0;
    gos_state *b = g->x;
    copy_rest(b, a);
    for (int i = 0; i < g->sys->nq; i++) {
        const double a1 = a->a[i] + h * a->jerk[i];
        const double bar = ((1 - k->af) * a1 + k->af * a->a[i] - k->am * a->abar[i]) / (1 - k->am);
        b->a[i] = a1;
        b->abar[i] = bar;
        b->q[i] = a->q[i] + h * a->v[i] + h * h * ((0.5 - k->beta) * a->abar[i] + k->beta * bar);
        b->v[i] = a->v[i] + h * ((1 - k->gamma) * a->abar[i] + k->gamma * bar);
    }
    for (int i = 0; i < g->sys->nt; i++) {
        const double r1 = a->thd[i] + h * a->thdd[i];
        const double bar = ((1 - k->tf) * r1 + k->tf * a->thd[i] - k->tm * a->tau[i]) / (1 - k->tm);
        b->thd[i] = r1;
        b->tau[i] = bar;
        b->th[i] = a->th[i] + h * ((1 - k->tg) * a->tau[i] + k->tg * bar);
    }
    for (int i = 0; i < g->sys->nc; i++) {
        b->lam[i] = a->lam[i] + (g->sys->npoints == 0 ? h * a->lamd[i] : 0);
    }
    b->t = t1;
}

static void correct(gos_alpha *g, const gos_chain *c) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    const double *d = g->r;
    for (int i = 0; i < s->nq; i++) {
        x->q[i] += d[i];
        x->v[i] += c->v * d[i];
        x->a[i] += c->a * d[i];
        x->abar[i] += c->bar * d[i];
    }
    const double *dT = d + s->at.th;
    for (int i = 0; i < s->nt; i++) {
        x->th[i] += dT[i];
        x->thd[i] += c->rate * dT[i];
        x->tau[i] += c->tau * dT[i];
    }
    for (int i = 0; i < s->nc; i++) {
        x->lam[i] += c->a * d[s->at.lam + i];
    }
    for (int i = 0; i < s->nh; i++) {
        x->lamT[i] += c->heat * d[s->at.lamT + i];
    }
}

/* g->r := negative scaled residual. */
static gos_status right_hand_side(gos_alpha *g, const gos_chain *c, double t_eval, gos_sums *sums) {
    const gos_system *s = g->sys;
    double *r = g->r;
    const gos_residual out = gos__residual_of(s, r);
    const gos_point_of at = gos__state_point(g->x, t_eval);
    GOS_TRY(gos__residual(g->w, &at, &out, sums));
    for (int i = 0; i < s->nq; i++) {
        r[i] *= -1 / c->a;
    }
    for (int i = s->at.th; i < s->at.lam; i++) {
        r[i] *= -1 / c->heat;
    }
    for (int i = s->at.lam; i < s->n; i++) {
        r[i] = -r[i];
    }
    return GOS_OK;
}

/* Broyden's update of the inverse with `n` stored steps (Kelley 1995, sec. 7.3), which corrects
 * old factors; improves g->r in place. Inner products use the mass matrix, independent of
 * units. */
static void broyden(gos_alpha *g, int n) {
    const gos_system *s = g->sys;
    double *z = g->r;
    for (long j = 0; j < n; j++) {
        const double *ms = g->steps_mass + j * (size_t)s->nq;
        double dot = 0;
        for (int i = 0; i < s->nq; i++) {
            dot += ms[i] * z[i];
        }
        dot /= g->steps_norm2[j];
        if (j + 1 < n) {
            const double *next = g->steps + (j + 1) * (size_t)s->n;
            for (int i = 0; i < s->n; i++) {
                z[i] += dot * next[i];
            }
        } else {
            const double f = 1 / fmax(0.2, 1 - dot); // at most five times as long
            for (int i = 0; i < s->n; i++) {
                z[i] *= f;
            }
        }
    }
}

/* Stores the last step (g->r, with M r in g->mv). */
static void remember(gos_alpha *g, long n) {
    const gos_system *s = g->sys;
    double norm2 = 0;
    for (int i = 0; i < s->nq; i++) {
        norm2 += g->r[i] * g->mv[i];
    }
    memcpy(g->steps + n * s->n, g->r, s->n * sizeof(double));
    memcpy(g->steps_mass + n * s->nq, g->mv, s->nq * sizeof(double));
    g->steps_norm2[n] = norm2;
}

typedef struct rate {
    double least; // lower limit until measured
    double last;
    double ratio; // of the last two corrections
    double now;
} rate;

static double remembered(double contraction) {
    return fmin(CONTRACTION_MOST, CONTRACTION_AGES * fmax(contraction, CONTRACTION_LEAST));
}

/* Contraction from the correction `norm` of iteration `it`, initially that of the previous step.
 * Corrections at round-off are ignored. */
static void measure(rate *r, int it, double norm, double tol, double before, double *contraction) {
    if (it > 0) {
        r->ratio = r->last > 1e-3 * tol ? norm / r->last : 0;
        r->now = norm > ROUND_OFF ? r->ratio : fmin(r->ratio, before);
        *contraction = fmax(r->now, CONTRACTION_LEAST);
    } else {
        r->now = fmin(0.9, fmax(before, r->least));
        *contraction = remembered(before);
    }
    r->last = norm;
}

/* late: after convergence with one matrix, where contractions are those of rounding */
static void measure_fields(gos_alpha *g, int it, double motion, double heat, double tol, bool late,
                           rate *moves, rate *heats) {
    const gos_state *before = g->x0;
    double ignored;
    measure(moves, it, motion, tol, before->contraction, late ? &ignored : &g->x->contraction);
    measure(heats, it, heat, tol, before->contraction_heat,
            late ? &ignored : &g->x->contraction_heat);
}

static bool settled(const rate *r) {
    return r->last <= NOISE || (r->ratio > 0.8 && r->last <= ROUND_OFF);
}

/* Only round-off remains in both fields: heat from strains has the rounding of positions divided by
 * an element length, voltages of shunts that of strains divided by piezoelectric constants. */
static bool rounded(const rate *moves, const rate *heats) {
    const bool by_strains = moves->last <= NOISE && heats->ratio > 0.5 && heats->last <= DRIVEN;
    return settled(moves) && (settled(heats) || by_strains);
}

static double rest(const rate *r) {
    return r->last * r->now / (1 - fmin(r->now, 0.999));
}

/* finite corrections of 1e200 may overflow in sums */
static bool is_finite(const gos_state *x) {
    double nought = 0;
    for (int i = 0; i < x->sys->nq; i++) {
        nought += 0 * (x->q[i] + x->v[i] + x->a[i]);
    }
    for (int i = 0; i < x->sys->nt; i++) {
        nought += 0 * (x->th[i] + x->thd[i]);
    }
    return nought == 0;
}

typedef struct renewal {
    int first, count; // first iteration with the last matrix; renewals so far
    double norm;      // first correction with it
} renewal;

/* Is a new matrix needed at this iterate? It is if the corrections decrease, but too slowly to be
 * below `allowed` within `most` iterations with one matrix. */
static bool is_slow(const renewal *m, int it, int most, double norm, double slower,
                    double allowed) {
    const int n = it - m->first;
    if (n == 0 || m->count >= RENEWALS || !(norm < m->norm) || norm <= ROUND_OFF) {
        return false;
    }
    const double left = norm * pow(norm / m->norm, (double)(most - n - 1) / n);
    return slower > SLOWEST || (n >= RATE_KNOWN && left > allowed);
}

/* Fixed steps have a matrix for every iterate instead if they fail. */
static bool renewable(const gos_alpha *g) {
    return g->limit.applies && !(g->opt.step > 0);
}

/* New matrix at the iterate after iteration `it`. */
static gos_status renew(gos_alpha *g, double h, double t_eval, int it, renewal *m) {
    GOS_TRY(gos__alpha_refresh(g, g->x, h, t_eval));
    gos__corotation_update(g->turned, g->x->q);
    m->first = it + 1;
    m->count++;
    return GOS_OK;
}

/* As renew, when convergence is slow, possibly because only the symmetric part was factorised. */
static gos_status renew_slow(gos_alpha *g, double h, double t_eval, int it, renewal *m) {
    (void)gos__alpha_parts_serve(g, g->stats.factorisations > g->factors, GOS_RETRY);
    g->whole_left = gos__alpha_whole(g) && g->whole_left == 0 ? 1 : g->whole_left;
    return renew(g, h, t_eval, it, m);
}

/* As renew, if the matrix was factorised for another step h0: it reduces the error of modes with
 * omega h >> 1 only by the factor 1 - (h/h0)^2. *kept: stored corrections, set to 0. */
static gos_status renew_of_other_step(gos_alpha *g, double h, double t_eval, int it, renewal *m,
                                      int *kept) {
    if (fabs(h / g->factor_h - 1) <= OTHER_STEP) {
        return GOS_OK;
    }
    *kept = 0;
    return renew(g, h, t_eval, it, m);
}

/* Energy 1/2 r^T (a M + K) r of the last correction r = g->r [J]; load (n): its right-hand side,
 * divided by a; a: acceleration per displacement [1/s^2]. */
static double correction_energy(const gos_alpha *g, double a, const double *load) {
    const gos_system *s = g->sys;
    const double work = gos__dense_dot(s->nq, load, g->r);
    return 0.5 * a *
           fabs(work - gos__dense_dot(s->nc, load + s->at.lam, g->r + s->at.lam)); // of C^T lam
}

/* Is the energy of the last correction small? The mass norm hardly measures modes with omega h
 * >> 1. Their energy would remain in later steps and in `sums`, evaluated before the last
 * correction. */
static bool balanced(gos_alpha *g, double a, const gos_sums *sums, const double *load) {
    const gos_system *s = g->sys;
    if (!gos__elastic(s)) {
        return true;
    }
    const double energy = correction_energy(g, a, load);
    const double rounding = ROUND_OFF * s->extent;
    if (energy <= ENERGY_ERROR * fabs(sums->strain) ||
        energy <= 0.5 * a * s->mass_total * rounding * rounding) {
        return true;
    }
    gos__inertia_apply(g->w, g->x->q, g->x->v, g->mv);
    return energy <= 0.5 * ENERGY_ERROR * gos__dense_dot(s->nq, g->x->v, g->mv);
}

static gos_status finite_or_retry(const gos_alpha *g) {
    return is_finite(g->x) ? GOS_OK : GOS_RETRY;
}

/* Stores the correction g->r of iteration n with one matrix. @return number of stored ones */
static int store(gos_alpha *g, int kept, int n, double motion) {
    if (motion <= NOISE) { // do not store rounding of positions in the update
        return 0;
    }
    if (kept == n && n < GOS_ALPHA_STEPS) {
        remember(g, kept++);
    }
    return kept;
}

/* Newton iteration at the end of a step. tol: allowed relative error. every: refactorise each
 * time; corrections may then grow at first.
 * @return GOS_RETRY if it does not converge */
static gos_status newton(gos_alpha *g, double h, double t_eval, double tol, bool every,
                         gos_sums *sums) {
    const gos_chain c = gos__chain_of(&g->k, h);
    const int most = every ? EVERY_MOST * g->opt.max_iterations : g->opt.max_iterations;
    const double safety = g->sys->npoints > 0 ? SAFETY : SAFETY_RIGID;
    int kept = 0, more = 0;
    renewal matrix = {0};
    rate moves = {.least = UNMEASURED}, heats = {.least = UNMEASURED_HEAT};
    for (int it = 0; it - matrix.first < most; it++) {
        if (every) {
            GOS_TRY(gos__alpha_refresh(g, g->x, h, t_eval));
            gos__corotation_update(g->turned, g->x->q);
        }
        GOS_TRY(right_hand_side(g, &c, t_eval, sums));
        memcpy(g->load, g->r, g->sys->n * sizeof *g->r);
        gos__alpha_solve(g);
        g->stats.iterations++;
        g->x->iterations = it - matrix.first + 1;
        broyden(g, kept);
        const double heat = gos__heat_norm(g, g->r + g->sys->at.th);
        const double motion = gos__motion_norm(g, g->r); // also leaves M r in g->mv
        const double norm = motion + heat;
        if (!isfinite(norm)) {
            return GOS_RETRY;
        }
        correct(g, &c);
        measure_fields(g, it, motion, heat, tol, more > 0 && matrix.count == 0, &moves, &heats);
        const double slower = fmax(moves.ratio, heats.ratio);
        const bool noise = rounded(&moves, &heats);
        g->noise = noise ? heats.last : 0;
        const bool close =
            rest(&moves) + rest(&heats) <= safety * tol || (more > 0 && norm <= safety * tol);
        if (noise || (close && (more == MORE || balanced(g, c.a, sums, g->load)))) {
            return finite_or_retry(g);
        }
        if (close) {
            GOS_TRY(more++ == 0 ? renew_of_other_step(g, h, t_eval, it, &matrix, &kept) : GOS_OK);
            continue;
        }
        if (every) {
            if (slower > 0.8 && moves.last <= STAGNANT && heats.last <= STAGNANT) {
                return finite_or_retry(g);
            }
            continue;
        }
        if (renewable(g) && is_slow(&matrix, it, most, norm, slower, safety * tol)) {
            GOS_TRY(renew_slow(g, h, t_eval, it, &matrix));
            kept = 0;
            continue;
        }
        const int n = it - matrix.first;
        matrix.norm = n == 0 ? norm : matrix.norm;
        if (n > 0 && slower > SLOWEST && norm > ROUND_OFF) {
            return GOS_RETRY;
        }
        kept = store(g, kept, n, motion);
    }
    return GOS_RETRY;
}

static void add_balance(gos_alpha *g, double h, const gos_sums *s) {
    const gos_scheme *k = &g->k;
    const gos_state *a = g->x0;
    gos_state *b = g->x;
    gos__state_sums(b, s);
    b->energy.dissipated += 0.5 * h * (a->power_diss + b->power_diss);
    b->energy.work += 0.5 * h * (a->power_work + b->power_work);
    b->energy.thermal_work += 0.5 * h * (a->power_thermal + b->power_thermal);
    /* weights of the scheme, so that the balance closes to round-off */
    b->heat_in_bar =
        ((1 - k->tf) * b->heat_in + k->tf * a->heat_in - k->tm * a->heat_in_bar) / (1 - k->tm);
    b->heat_con_bar =
        ((1 - k->tf) * b->heat_con + k->tf * a->heat_con - k->tm * a->heat_con_bar) / (1 - k->tm);
    b->heat_supplied += h * ((1 - k->tg) * a->heat_in_bar + k->tg * b->heat_in_bar);
    b->heat_constrained += h * ((1 - k->tg) * a->heat_con_bar + k->tg * b->heat_con_bar);
    gos__integrator_store_heat(&g->run, b);
}

void gos__alpha_accept(gos_alpha *g, double h, const gos_sums *sums) {
    const gos_system *s = g->sys;
    gos_state *b = g->x;
    add_balance(g, h, sums);
    for (int i = 0; i < s->nq; i++) {
        b->jerk[i] = (b->a[i] - g->x0->a[i]) / h;
    }
    for (int i = 0; i < s->nc; i++) {
        b->lamd[i] = (b->lam[i] - g->x0->lam[i]) / h;
    }
    for (int i = 0; i < s->nt; i++) {
        b->thdd[i] = (b->thd[i] - g->x0->thd[i]) / h;
    }
    g->T_range = gos__heat_range(b, g->T_range);
}

/* Saves the start of the step at the first attempt, then restores it. */
static void keep_start(gos_alpha *g) {
    gos_state *x = g->x0;
    const size_t nq = g->sys->nq, nt = g->sys->nt;
    double *const place[] = {x->v, x->a, x->abar, x->tau};
    double *const number[] = {&x->h, &x->heat_in_bar, &x->heat_con_bar};
    for (size_t i = 0; i < 4; i++) {
        double *kept = g->kept + i * nq;
        const size_t size = (i < 3 ? nq : nt) * sizeof(double);
        memcpy(g->is_kept ? place[i] : kept, g->is_kept ? kept : place[i], size);
    }
    for (int i = 0; i < GOS_COUNT(number); i++) {
        *(g->is_kept ? number[i] : &g->kept_numbers[i]) =
            g->is_kept ? g->kept_numbers[i] : *number[i];
    }
    g->is_kept = true;
}

/* State of a new matrix. The prediction strains membranes by modes that the step does not resolve:
 * with these stresses, its geometric stiffness would exceed the stiffness of thin plates. */
static const gos_state *matrix_state(const gos_alpha *g) {
    return renewable(g) ? g->x0 : g->x;
}

/* Rescales the data of the previous step to h and predicts, with a factorisation. */
static gos_status begin(gos_alpha *g, double h, double t1, double t_eval, bool *fresh) {
    gos_state *x = g->x0;
    // fixed steps differ by rounding
    const bool other = !(fabs(x->h - h) <= SAME_STEP * h), changed = g->sys->npoints == 0 && other;
    if (other) {
        keep_start(g);
    }
    const double before = x->h;
    set_algorithmic(g, x, h);
    predict(g, h, t1);
    gos__corotation_update(g->turned, g->x->q);
    *fresh = !gos__alpha_adopt(g, h, t_eval);
    // the matrix at the start of the step has the same null space
    if (changed && g->sys->nq > 0) {
        const double t = gos__breaks_right(&g->breaks, x->t);
        if (*fresh) {
            GOS_TRY(gos__alpha_refresh(g, x, h, t));
            *fresh = false; // the prediction may need its own
        } else {
            gos__corotation_update(g->turned, x->q);
        }
        if (before > 0 && !gos__elastic(g->sys)) { // the rates of stiff modes are not resolved
            gos__alpha_carry(g, x, t, before, h);
        }
        if (g->sys->nc > 0) {
            gos__normal_settle(g, x, t, h);
        }
        predict(g, h, t1);
    } else if (*fresh) {
        GOS_TRY(gos__alpha_refresh(g, matrix_state(g), h, t_eval));
    }
    gos__corotation_update(g->turned, g->x->q);
    return GOS_OK;
}

/* Predicts along the velocities, with matching accelerations. The standard prediction may bend
 * thin bodies too far for Newton's iteration, because of modes much faster than the step. */
static void guess(gos_alpha *g, double h, double t1) {
    const gos_scheme *k = &g->k;
    const gos_state *a = g->x0;
    gos_state *b = g->x;
    predict(g, h, t1);
    for (int i = 0; i < g->sys->nq; i++) {
        const double bar = -(0.5 - k->beta) / k->beta * a->abar[i];
        b->abar[i] = bar;
        b->a[i] = ((1 - k->am) * bar + k->am * a->abar[i] - k->af * a->a[i]) / (1 - k->af);
        b->q[i] = a->q[i] + h * a->v[i];
        b->v[i] = a->v[i] + h * ((1 - k->gamma) * a->abar[i] + k->gamma * bar);
    }
}

/* One attempt at a step h to t1. If reused factors fail, new ones are tried before the step is
 * shortened. If it must not be shortened, every iterate gets new factors, since the membrane
 * stiffness of thin bodies rotates. */
gos_status gos__alpha_attempt(gos_alpha *g, double h, double t1, double t_eval, double tol,
                              bool whole, gos_sums *sums) {
    const long before = g->stats.factorisations;
    bool fresh;
    GOS_TRY(begin(g, h, t1, t_eval, &fresh));
    gos_status status = newton(g, h, t_eval, tol, false, sums);
    bool serves = gos__alpha_parts_serve(g, g->stats.factorisations > before, status);
    while (status == GOS_RETRY && (!serves || !(fresh || whole))) {
        predict(g, h, t1);
        GOS_TRY(gos__alpha_refresh(g, matrix_state(g), h, t_eval));
        gos__corotation_update(g->turned, g->x->q);
        fresh = true;
        status = newton(g, h, t_eval, tol, false, sums);
        serves = gos__alpha_parts_serve(g, true, status);
    }
    if (status == GOS_RETRY && whole) {
        const int left = g->whole_left;
        if (!gos__alpha_complete(g)) {
            g->whole_left = INT32_MAX; // the symmetric part is not the cause
        }
        guess(g, h, t1);
        status = newton(g, h, t_eval, tol, true, sums);
        g->whole_left = left;
    }
    return status;
}
