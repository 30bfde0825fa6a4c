/* Jumps of forces, heat and drives:
 *     M da + C^T dlam = dF,   C da = d(rates of C),   C_T dT' + H^T dlam_T = dR.
 * da is added to the accelerations a and the algorithmic accelerations A; otherwise the velocity
 * error h/2 da would reduce the scheme to first order. Kinks need no correction, since the
 * trapezoidal rule is exact for piecewise linear functions. */
#include <math.h>

#include "solve/consistent.h"
#include "steppers/alpha/generalised_alpha.h"
#include "system/assemble.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "system/system.h"

typedef struct gos_discontinuity {
    double *q, *th;          // jumps of forces (nq) and heat (nt); caller-owned
    bool forces, heats;      // nonzero
    double work, dissipated; // jumps of load and damper power [W]
} gos_discontinuity;

/* Jumps of forces and heat with time functions: dependent terms just before and after. */

/* time functions and derivatives at t */
typedef struct functions {
    double t;
    const double *fn, *fnd, *fndd; // (nfn)
} functions;

typedef struct sides {
    gos_work *w;
    const gos_point_of *x;
    functions before, after;
    gos_discontinuity *jump;
} sides;

static bool changes(const sides *k, int fn0, int n) {
    const char *const *variable;
    for (int i = fn0; i < fn0 + n; i++) {
        if (k->before.fn[i] != k->after.fn[i] ||
            gos__timefn_variables(k->w->sys->fn[i], &variable) > 0) {
            return true;
        }
    }
    return false;
}

typedef struct item_side {
    double f[3 * GOS_ITEM_MARKERS], heat[GOS_ITEM_TMARKERS];
    double work, dissipated;
} item_side;

static void evaluate(const sides *k, const gos_item *it, const functions *at, item_side *y) {
    double stored = 0, power = 0, work = 0;
    gos_item_io io = gos__item_inputs(k->w, it, k->x);
    *y = (item_side){0};
    io.t = at->t;
    io.fn = at->fn + it->fn0;
    io.fnd = at->fnd + it->fn0;
    io.fndd = at->fndd + it->fn0;
    io.f = y->f;
    io.heat = it->ntm > 0 ? y->heat : NULL;
    if (it->stores) {
        io.energy = &stored;
        io.power = &power;
        io.work = &work;
    }
    it->type->eval(it, &io);
    for (int i = 0; i < 3 * it->nm && !it->stores; i++) {
        work += y->f[i] * io.xd[i];
    }
    y->work = work;
    y->dissipated = power;
}

static void add_item(const sides *k, const gos_item *it) {
    gos_discontinuity *jump = k->jump;
    item_side before, after;
    evaluate(k, it, &k->before, &before);
    evaluate(k, it, &k->after, &after);
    gos_derived_work *derived = k->w->derived;
    for (int m = 0; m < it->nm; m++) {
        double f[3];
        for (int c = 0; c < 3; c++) {
            f[c] = after.f[3 * m + c] - before.f[3 * m + c];
            jump->forces |= f[c] != 0;
        }
        gos__marker_give(&it->m[m], f, jump->q, derived ? derived->f : NULL);
    }
    for (int i = 0; i < it->ntm; i++) {
        const gos_tmarker *m = &it->tm[i];
        const double heat = after.heat[i] - before.heat[i];
        jump->heats |= heat != 0;
        for (int j = 0; j < m->n; j++) {
            jump->th[m->idx[j]] += m->w[j] * heat;
        }
    }
    jump->work += after.work - before.work;
    jump->dissipated += after.dissipated - before.dissipated;
}

static void surface_heat(const sides *k, const gos_points *p, const gos_surface *f,
                         const functions *at, double *heat) {
    const gos_system *s = k->w->sys;
    gos_surface alone = *f;
    gos_points block = *p;
    block.surf = &alone;
    block.nsurf = 1;
    memset(heat, 0, (size_t)s->nt * sizeof *heat);
    const gos_points_sum sum = {.e = k->x->q, // without rates the law has no heat
                                .th = k->x->th,
                                .fn = at->fn,
                                .mem = gos__memory_of(s, k->x),
                                .t = k->x->t,
                                .scale = k->x->scale,
                                .Q = k->w->wv, // unused
                                .R = heat};
    gos__points_residual(&block, &sum, k->w->points);
}

static void add_surface(const sides *k, const gos_points *p, const gos_surface *f) {
    const gos_system *s = k->w->sys;
    double *before = k->w->wv + s->nq, *after = before + s->nt;
    memset(k->w->wv, 0, (size_t)s->nq * sizeof(double));
    surface_heat(k, p, f, &k->before, before);
    surface_heat(k, p, f, &k->after, after);
    for (int i = 0; i < s->nt; i++) {
        k->jump->th[i] += after[i] - before[i];
    }
    k->jump->heats = true;
}

/* time functions including controllers; th: change of controller states */
static void evaluate_at(gos_work *w, const gos_point_of *x, double t, double *th) {
    gos_point_of at = *x;
    at.t = t;
    gos__work_time(w, t);
    gos__loops_enter(w, &at);
    gos__loops_residual(w, th);
    for (int i = 0; i < w->sys->nt; i++) {
        th[i] = -th[i];
    }
}

/* Jumps between two times at x (with rates), without drives. room: scratch (3 nfn); also uses
 * scratch of w. */
static void discontinuity_find(gos_work *w, const gos_point_of *given, double before, double after,
                               double *room, gos_discontinuity *jump) {
    const gos_system *s = w->sys;
    const gos_point_of entered = gos__derived_enter(w, given), *x = &entered;
    gos__derived_clear(s, w->derived);
    const size_t n = (size_t)s->nfn;
    memset(jump->q, 0, (size_t)s->nq * sizeof *jump->q);
    memset(jump->th, 0, (size_t)s->nt * sizeof *jump->th);
    jump->forces = jump->heats = false;
    jump->work = jump->dissipated = 0;
    evaluate_at(w, x, before, jump->th);
    memcpy(room, w->fn, n * sizeof *room);
    memcpy(room + n, w->fnd, n * sizeof *room);
    memcpy(room + 2 * n, w->fndd, n * sizeof *room);
    gos__loops_leave(w);
    evaluate_at(w, x, after, jump->th);
    for (int i = 0; i < s->nt; i++) {
        jump->heats |= jump->th[i] != 0;
    }
    const sides k = {.w = w,
                     .x = x,
                     .before = {before, room, room + n, room + 2 * n},
                     .after = {after, w->fn, w->fnd, w->fndd},
                     .jump = jump};
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (it->nfn > 0 && changes(&k, it->fn0, it->nfn)) {
            add_item(&k, it);
        }
    }
    gos__derived_fold(s, w->derived, s->derived ? w->derived->f : NULL, jump->q);
    for (int i = 0; i < s->npoints; i++) {
        for (int j = 0; j < s->points[i]->nsurf; j++) {
            const gos_surface *f = &s->points[i]->surf[j];
            if (f->nfn > 0 && changes(&k, f->fn0, f->nfn)) {
                add_surface(&k, s->points[i], f);
            }
        }
    }
    gos__loops_leave(w);
}

#define KINK 1e-3 // relative jump of a rate that causes a warning
// displacement relative to the extent that is rounding
#define ROUNDED 1e-12
/* MAX_JUMP_ERROR: allowed relative error of a jump. MAX_BENDING: rotation [rad] between coordinates
 * since the factorisation; its error is of first order in the step. For strongly bent rods with
 * random forces, 1e-2 contributes less than 2 % of the error. */
#define MAX_JUMP_ERROR 1e-4
#define MAX_BENDING 1e-2
#define GUESS_TOLERANCE 3e-3 // residual of a first guess, relative to each force
#define SLOW 0.2             // convergence rate above which refactorising is cheaper

/* Row i of the Broyden storage, unused at jumps; gos__alpha_heat preserves rows from 4 on. */
static double *row(const gos_alpha *g, long i) {
    return g->steps + i * g->sys->n;
}

typedef struct jump {
    gos_alpha *g;
    double before, after;
    gos_discontinuity forces;
    double *rates; // jumps of constraint accelerations (nc)
    double *heats; // jumps of temperature constraint rates (nh)
    double *a;     // jumps of accelerations and multipliers (n); temperature part unused
    double *thd;   // jumps of temperature rates and their multipliers (n); motion part unused
    double h;
    bool drives;
} jump;

/* Warns about drives with a rate jump, which changes momentum instantly; its force and work are
 * not in the results. */
static void name_jump(const jump *k, const double *before, const double *after) {
    const gos_alpha *g = k->g;
    const gos_system *s = g->sys;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        for (int r = it->c0; r < it->c0 + it->nc; r++) {
            const double one = before[r], two = after[r];
            if (!(fabs(two - one) > KINK * fmax(fabs(one), fabs(two))) ||
                !(k->h * fabs(two - one) > ROUNDED * s->extent)) {
                continue;
            }
            gos__warn(g->ctx, it->loc, it->name,
                      "its rate jumps by %.6g at t = %.9g s, which requires an infinite force "
                      "whose impulse and work are not in the results; use a function of t with "
                      "continuous rate",
                      fabs(two - one), k->before);
            break;
        }
    }
}

/* Jumps of drives and prescribed temperatures. @return do velocities jump? */
static bool look_at_drives(const jump *k, double allowed) {
    gos_alpha *g = k->g;
    const gos_system *s = g->sys;
    const int nc = s->nc, nh = s->nh;
    const gos_point_of before = gos__state_point(g->x, k->before),
                       after = gos__state_point(g->x, k->after);
    double *one = g->normal, *two = one + nc, *unused = two + nc, largest = 0;
    gos__constraint_rates(g->w, &before, one, unused);
    gos__constraint_rates(g->w, &after, two, k->rates);
    for (int i = 0; i < nc; i++) {
        k->rates[i] -= unused[i];
        largest = fmax(largest, fabs(two[i] - one[i]));
    }
    if (largest > 0) {
        name_jump(k, one, two);
    }
    gos__temperature_rates(g->w, &before, row(g, 1));
    gos__temperature_rates(g->w, &after, k->heats);
    for (int i = 0; i < nh; i++) {
        k->heats[i] = row(g, 1)[i] - k->heats[i];
    }
    return k->h * largest > allowed * s->extent;
}

/* Solves for forces and heat in g->r, given constraint rates; result in g->r. */
static gos_status solve(const jump *k, bool motion, double loose) {
    gos_alpha *g = k->g;
    const gos_system *s = g->sys;
    double *c = g->r + s->at.lam;
    memset(c, 0, (s->nc + s->nh) * sizeof *c);
    memcpy(motion ? c : c + s->nc, motion ? k->rates : k->heats,
           (motion ? s->nc : s->nh) * sizeof *c);
    return gos__alpha_respond(g, loose);
}

static gos_status solve_motion(const jump *k, double loose) {
    gos_alpha *g = k->g;
    memcpy(g->r, k->forces.q, g->sys->nq * sizeof *g->r);
    memset(g->r + g->sys->at.th, 0, g->sys->nt * sizeof *g->r);
    GOS_TRY(solve(k, true, loose));
    memcpy(k->a, g->r, g->sys->n * sizeof *g->r);
    return GOS_OK;
}

static gos_status solve_heat(const jump *k) {
    gos_alpha *g = k->g;
    memset(g->r, 0, g->sys->nq * sizeof *g->r);
    memcpy(g->r + g->sys->at.th, k->forces.th, g->sys->nt * sizeof *g->r);
    GOS_TRY(solve(k, false, 0));
    memcpy(k->thd, g->r, g->sys->n * sizeof *g->r);
    return GOS_OK;
}

static gos_status factor_anew(const jump *k) {
    gos_alpha *g = k->g;
    g->stale = true;
    GOS_TRY(gos__alpha_ready(g, k->h, k->after));
    return solve_motion(k, 0);
}

/* One pass of `turn`. made (nc): constraint right-hand side of the old factorisation.
 * @return norm of the change of a */
static double turn_once(const jump *k, double *derived) {
    gos_alpha *g = k->g;
    const gos_system *s = g->sys;
    const gos_point_of at = gos__state_point(g->x, k->after);
    double *r = g->r, *lam = k->a + s->at.lam;
    memset(r, 0, s->n * sizeof *r);
    gos__constraint_force(g->w, &at, lam, r);
    gos__constraint_apply(g->w, &at, k->a, r + s->at.lam);
    for (int i = 0; i < s->nq; i++) {
        r[i] = k->forces.q[i] - r[i];
    }
    for (int i = 0; i < s->nc; i++) {
        derived[i] += k->rates[i] - r[s->at.lam + i];
        r[s->at.lam + i] = derived[i];
    }
    gos__alpha_solve(g);
    for (int i = 0; i < s->nc; i++) {
        lam[i] += r[s->at.lam + i];
    }
    for (int i = 0; i < s->nq; i++) {
        const double before = k->a[i];
        k->a[i] = r[i];
        r[i] -= before;
    }
    return gos__motion_norm(g, r);
}

/* Iterative refinement when the constraints B of the factorisation have rotated to C: the error
 * decreases by about the relative rotation per pass; refactorises if that is slow. dF is used
 * completely, so the first guess may be inexact. */
static gos_status turn(const jump *k) {
    gos_alpha *g = k->g;
    const double size = gos__motion_norm(g, k->a);
    double *derived = g->normal, last = size;
    memcpy(derived, k->rates, g->sys->nc * sizeof *derived);
    for (;;) {
        const double change = turn_once(k, derived);
        if (change * change <= MAX_JUMP_ERROR * last * size) {
            return GOS_OK;
        }
        if (!(change <= SLOW * last)) {
            return factor_anew(k);
        }
        last = change;
    }
}

/* The Newton matrix filters da by the step: da (1 + O(h^2)) for resolved modes, small for much
 * faster ones. Returns the displacement lost, relative to the extent, estimated by a second
 * filtering. If it is too large under error control, the motion restarts. */
static double lost_motion(const jump *k) {
    gos_alpha *g = k->g;
    const gos_system *s = g->sys;
    gos__inertia_apply(g->w, g->x->q, k->a, g->r);
    memset(g->r + s->at.th, 0, (s->n - s->at.th) * sizeof *g->r);
    memcpy(g->r + s->at.lam, k->rates, s->nc * sizeof *g->r);
    gos__alpha_solve(g);
    for (int i = 0; i < s->nq; i++) {
        g->r[i] -= k->a[i];
    }
    return k->h * k->h * gos__motion_norm(g, g->r);
}

static double lost_heat(const jump *k) {
    gos_alpha *g = k->g;
    const gos_system *s = g->sys;
    memset(g->r, 0, s->n * sizeof *g->r);
    gos__storage_apply(s, k->thd + s->at.th, g->r + s->at.th);
    memcpy(g->r + s->at.lamT, k->heats, s->nh * sizeof *g->r);
    gos__alpha_solve(g);
    for (int i = s->at.th; i < s->at.lam; i++) {
        g->r[i] -= k->thd[i];
    }
    return k->h * gos__heat_norm(g, g->r + s->at.th);
}

static void take_motion(const jump *k) {
    const gos_system *s = k->g->sys;
    gos_state *x = k->g->x;
    for (int i = 0; i < s->nq; i++) {
        x->a[i] += k->a[i];
        x->abar[i] += k->a[i];
    }
    for (int i = 0; i < s->nc; i++) {
        x->lam[i] += k->a[s->at.lam + i];
    }
    x->power_work += k->forces.work;
    x->power_diss += k->forces.dissipated;
}

static void take_heat(const jump *k) {
    const gos_system *s = k->g->sys;
    gos_state *x = k->g->x;
    double stored = 0, supplied = 0;
    for (int i = 0; i < s->nt; i++) {
        const double thd = k->thd[s->at.th + i];
        x->thd[i] += thd;
        x->tau[i] += thd;
        stored += s->hw[i] * thd;
        supplied += s->tmean[i] * k->forces.th[i];
    }
    for (int i = 0; i < s->nh; i++) {
        x->lamT[i] += k->thd[s->at.lamT + i];
    }
    supplied = s->nh > 0 ? supplied : stored;
    x->heat_in += supplied;
    x->heat_in_bar += supplied;
    x->heat_con += stored - supplied;
    x->heat_con_bar += stored - supplied;
}

static void powers(const jump *k) {
    gos_alpha *g = k->g;
    const gos_system *s = g->sys;
    const gos_point_of at = gos__state_point(g->x, k->after);
    const gos_residual out = gos__residual_of(s, g->r);
    gos_sums sums;
    if (gos__residual(g->w, &at, &out, &sums) == GOS_OK) {
        g->x->power_work = sums.work;
        g->x->power_diss = sums.dissipated;
        g->x->power_thermal = sums.thermal;
    }
}

/* Do powers change beyond those of loads: by multipliers of time-dependent constraints or
 * temperature rates? */
static bool powers_jump(const jump *k, bool motion, bool heat) {
    const gos_system *s = k->g->sys;
    for (int i = 0; i < s->nitem && motion; i++) {
        if (s->item[i]->nc > 0 && s->item[i]->nfn > 0) {
            return true;
        }
    }
    for (int i = 0; i < s->nt && heat; i++) {
        if (k->forces.th[i] != 0 && gos__single_part(s, i) == 0) {
            return true;
        }
    }
    return k->drives;
}

static gos_status jump_motion(const jump *k, double spend, bool *anew) {
    gos_alpha *g = k->g;
    const bool curved = gos__constraints_curved(g->sys);
    if (gos__corotation_bend(g->turned) > MAX_BENDING) {
        GOS_TRY(factor_anew(k));
    } else {
        GOS_TRY(solve_motion(k, curved && !k->drives ? GUESS_TOLERANCE : 0));
        GOS_TRY(curved ? turn(k) : GOS_OK);
    }
    *anew = g->opt.step == 0 && !(lost_motion(k) <= spend);
    return GOS_OK;
}

static gos_status jump_heat(const jump *k, double spend) {
    gos_alpha *g = k->g;
    GOS_TRY(solve_heat(k));
    if (g->opt.step == 0 && !(lost_heat(k) <= spend)) {
        return gos__alpha_heat(g, k->after);
    }
    take_heat(k);
    return GOS_OK;
}

gos_status gos__alpha_discontinuity(gos_alpha *g, double h, bool drives, double allowed,
                                    double allowed_rate, bool *anew) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    const double t = x->t, after = gos__breaks_right(&g->breaks, t), spend = allowed_rate * h;
    jump k = {.g = g,
              .before = t - (after - t),
              .after = after,
              .forces = {.q = row(g, 0), .th = row(g, 0) + s->at.th},
              .rates = row(g, 2),
              .heats = row(g, 3),
              .a = row(g, 4),
              .thd = row(g, 5),
              .h = h,
              .drives = drives};
    *anew = false;
    memset(k.rates, 0, s->nc * sizeof *k.rates);
    memset(k.heats, 0, s->nh * sizeof *k.heats);
    if (drives && look_at_drives(&k, allowed)) {
        *anew = true;
        return GOS_OK;
    }
    const gos_point_of at = gos__state_point(x, after);
    discontinuity_find(g->w, &at, k.before, after, g->functions, &k.forces);
    const bool motion = k.forces.forces || (drives && s->nc > 0);
    const bool heat = k.forces.heats || (drives && s->nh > 0);
    if (heat && s->steady_heat) { // temperatures jump, and forces with them
        *anew = true;
        return GOS_OK;
    }
    const bool more = powers_jump(&k, motion, heat);
    gos_status status = motion || heat ? gos__alpha_ready(g, k.h, after) : GOS_OK;
    if (motion && status == GOS_OK) {
        status = jump_motion(&k, spend, anew);
    }
    *anew = *anew || status == GOS_RETRY;
    GOS_TRY(status == GOS_RETRY ? GOS_OK : status);
    if (heat && !*anew) {
        GOS_TRY(jump_heat(&k, spend));
    }
    if (motion && !*anew) {
        take_motion(&k);
    }
    if (more && !*anew) {
        powers(&k);
    }
    return GOS_OK;
}
