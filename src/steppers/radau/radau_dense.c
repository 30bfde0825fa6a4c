/* Dense output of the last step. Positions: quintic with positions and velocities at both ends,
 * and accelerations; after a restart the initial acceleration is that of the stage polynomial,
 * because of fast transients. Velocities and accelerations are its derivatives. Temperatures:
 * stage polynomial; multipliers: likewise without the start. */
#include <math.h>

#include "solve/consistent.h"
#include "steppers/radau/radau.h"

enum { N = GOS_RADAU_STAGES };

/* Quintic Hermite basis on a unit step: velocity and acceleration at the start, increment,
 * velocity and acceleration at the end; ascending powers. */
enum { FIVE = 5 };
static const double hermite[FIVE][FIVE + 1] = {{0, 1, 0, -6, 8, -3},
                                               {0, 0, 0.5, -1.5, 1.5, -0.5},
                                               {0, 0, 0, 10, -15, 6},
                                               {0, 0, 0, -4, 7, -3},
                                               {0, 0, 0, 0.5, -1, 0.5}};

/* k-th derivatives of the basis at s */
static void weigh(double s, int k, double w[FIVE]) {
    for (int i = 0; i < FIVE; i++) {
        w[i] = 0;
        for (int power = FIVE; power >= k; power--) {
            double c = hermite[i][power];
            for (int d = 0; d < k; d++) {
                c *= power - d;
            }
            w[i] = w[i] * s + c;
        }
    }
}

static double along(const double w[FIVE], const double p[FIVE]) {
    return w[0] * p[0] + w[1] * p[1] + w[2] * p[2] + w[3] * p[3] + w[4] * p[4];
}

static void set_motion(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_state *x0 = g->x0, *x = g->x;
    const double *start = g->k.start, *end = g->k.D[N - 1];
    double w[3][FIVE];
    for (int d = 0; d < 3; d++) {
        weigh(s, d, w[d]);
    }
    for (int i = 0; i < g->sys->nq; i++) {
        double a0 = 0, a1 = 0;
        for (int j = 0; j < N; j++) {
            const double dv = g->stage[j].v[i] - x0->v[i];
            a0 += g->anew ? start[j] * dv : 0;
            a1 += end[j] * dv;
        }
        a0 = g->anew ? a0 : h * x0->a[i];
        const double p[FIVE] = {h * x0->v[i], h * a0, x->q[i] - x0->q[i], h * x->v[i], h * a1};
        y->q[i] = x0->q[i] + along(w[0], p);
        y->v[i] = along(w[1], p) / h;
        y->a[i] = along(w[2], p) / (h * h);
    }
}

static void set_quasi_static(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_state *x0 = g->x0, *x = g->x;
    const size_t n = (size_t)g->sys->n;
    double cubic[N], slope[N], first[N], last[N];
    gos__radau_cubics(&g->k, s, cubic);
    gos__radau_slopes(&g->k, s, slope);
    gos__radau_slopes(&g->k, 0, first);
    gos__radau_slopes(&g->k, 1, last);
    for (int i = 0; i < g->sys->nq; i++) {
        const double *z = g->z + i, z1 = z[n], z2 = z[2 * n], v0 = x0->v[i], v1 = x->v[i];
        const double open0 = v0 - (first[0] * z[0] + first[1] * z1 + first[2] * z2) / h;
        const double open1 = v1 - (last[0] * z[0] + last[1] * z1 + last[2] * z2) / h;
        y->q[i] = x0->q[i] + cubic[0] * z[0] + cubic[1] * z1 + cubic[2] * z2;
        // the velocity errors of the polynomial at both ends are corrected linearly
        y->v[i] =
            (slope[0] * z[0] + slope[1] * z1 + slope[2] * z2) / h + (1 - s) * open0 + s * open1;
        y->a[i] =
            ((12 * s - 6) * (x0->q[i] - x->q[i]) / h + (6 * s - 4) * v0 + (6 * s - 2) * v1) / h;
    }
}

static void set_rest(const gos_radau *g, double h, double s, gos_state *y) {
    const gos_system *sys = g->sys;
    const size_t n = (size_t)sys->n;
    double cubic[N], slope[N], value[N];
    gos__radau_cubics(&g->k, s, cubic);
    gos__radau_slopes(&g->k, s, slope);
    gos__radau_values(&g->k, s, value);
    for (int i = 0; i < sys->nt; i++) {
        const double *z = g->z + sys->at.th + i;
        y->th[i] = g->x0->th[i] + cubic[0] * z[0] + cubic[1] * z[n] + cubic[2] * z[2 * n];
        y->thd[i] = (slope[0] * z[0] + slope[1] * z[n] + slope[2] * z[2 * n]) / h;
    }
    for (int i = 0; i < sys->nc + sys->nh; i++) {
        const double *z = g->z + sys->at.lam + i;
        const double lam = value[0] * z[0] + value[1] * z[n] + value[2] * z[2 * n];
        if (i < sys->nc) {
            y->lam[i] = lam;
        } else {
            y->lamT[i - sys->nc] = lam;
        }
    }
}

void gos__radau_integrals_to(const gos_radau *g, double x, double *integral) {
    double w[N];
    gos__radau_integrals(&g->k, x, w);
    for (int i = 0; i < GOS_RADAU_NINTEGRAL; i++) {
        integral[i] = 0;
        for (int j = 0; j < N; j++) {
            integral[i] += g->past.h * w[j] * g->stage[j].power[i];
        }
    }
}

static void set_integrals(const gos_radau *g, double s, gos_state *y) {
    const gos_state *x0 = g->x0;
    double now[GOS_RADAU_NINTEGRAL], stored = 0;
    gos__radau_integrals_to(g, s, now);
    y->energy.dissipated = x0->energy.dissipated + now[GOS_RADAU_DISSIPATED];
    y->energy.work = x0->energy.work + now[GOS_RADAU_WORK];
    y->energy.thermal_work = x0->energy.thermal_work + now[GOS_RADAU_THERMAL];
    y->heat_supplied = x0->heat_supplied + now[GOS_RADAU_HEAT_IN];
    y->heat_constrained = x0->heat_constrained + now[GOS_RADAU_HEAT_CON];
    for (int i = 0; i < g->sys->nt; i++) {
        stored += g->sys->hw[i] * (y->th[i] - x0->th[i]);
    }
    y->heat_stored = x0->heat_stored + stored;
}

const gos_state *gos__radau_position(gos_radau *g, double t) {
    gos_state *y = g->at;
    const double h = g->x->t - g->x0->t;
    (void)gos_state_copy(y, g->x);
    if (t < g->x->t && h > 0) {
        const double s = fmax(0, (t - g->x0->t) / h);
        memcpy(y->mem, g->x0->mem, g->sys->nmem * sizeof *y->mem); // as used by the step
        if (g->quasi) {
            set_quasi_static(g, h, s, y);
        } else {
            set_motion(g, h, s, y);
        }
        set_rest(g, h, s, y);
        y->t = fmax(t, g->x0->t);
        set_integrals(g, s, y);
    }
    return y;
}

static void sum_up(gos_radau *g, gos_state *x) {
    const gos_point_of at = gos__state_point(x, x->t);
    const gos_residual out = gos__residual_of(g->sys, g->r);
    gos_sums sums;
    if (gos__residual(g->w, &at, &out, &sums) == GOS_OK) {
        x->energy.strain = sums.strain;
        x->power_diss = sums.dissipated;
        x->power_work = sums.work;
        x->power_thermal = sums.thermal;
        x->heat_in = sums.heat_in;
        x->heat_con = sums.heat_con;
    }
}

const gos_state *gos__radau_at(gos_radau *g, double t) {
    const long n = g->w->nresidual;
    const double time = g->w->time_residual;
    (void)gos__radau_position(g, t);
    if (g->at->t < g->x->t) {
        sum_up(g, g->at);
    }
    g->w->nresidual = n; // exclude output from the statistics of the solver
    g->w->time_residual = time;
    return g->at;
}
