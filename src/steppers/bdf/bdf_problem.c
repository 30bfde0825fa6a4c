/* Equations, matrix and error norm for IDA. A step h may use h / span of `tolerance`. Norms are
 * RMS over mass and heat capacity relative to the extent and the temperature range, plus
 * velocities relative to the largest speed, since their errors persist in free motion. Multipliers
 * are excluded. */
#include <math.h>

#include "steppers/bdf/bdf.h"
#include "solve/scales.h"

// smallest fraction of the tolerance for a step, since starts are very short
#define MIN_TOLERANCE_SHARE 1e-5
#define ROUNDED 4e-15 // relative to the coordinates: limit of the iteration by rounding
// allowed error over velocities of rounding; Newton's iteration reaches a hundredth of it
#define ROUNDING_ALLOWANCE 100
#define SAME_TIME 1e-13 // rounding of times, relative to the run

static double span(const gos_bdf *g) {
    return g->opt.end - g->t_start;
}

double gos__bdf_allowed(const gos_bdf *g, double h) {
    const double part = fmax(h / span(g), MIN_TOLERANCE_SHARE);
    return fmax(g->opt.tolerance * part, ROUNDED * (1 + g->place) / g->opt.newton_tolerance);
}

double gos__bdf_velocity_rms(const gos_bdf *g, const double *dv, double allowed) {
    // velocity errors accumulate in the positions
    const double rounding = ROUNDING_ALLOWANCE * g->shakes / allowed;
    return gos__motion_rms(g->sys, dv, g->mv) / fmax(g->x->speed, fmax(1 / span(g), rounding));
}

static double norm(void *user, const double *x, double h) {
    const gos_bdf *g = user;
    const gos_bdf_blocks *b = &g->matrix.at;
    const double places = gos__motion_rms(g->sys, x + b->q, g->mv);
    const double allowed = gos__bdf_allowed(g, h);
    const double rates = gos__bdf_velocity_rms(g, x + b->v, allowed);
    const double heat = gos__heat_rms(g->sys, x + b->th, g->mv) / g->T_range;
    return sqrt(places * places + rates * rates + heat * heat) / allowed;
}

/* Left limit of time functions at the end of a step, right limit at its start. */
static double time_of(const gos_bdf *g, double t) {
    const double same = SAME_TIME * span(g);
    return t >= g->stop - same   ? gos__breaks_left(&g->breaks, g->stop)
           : t <= g->from + same ? gos__breaks_right(&g->breaks, g->from)
                                 : t;
}

static gos_point_of point(gos_bdf *g, double t, const double *y, const double *yd) {
    return gos__bdf_point(&g->matrix, time_of(g, t), y, yd, g->x->mem);
}

static int answer(gos_bdf *g, gos_status status) {
    if (status < 0) {
        g->failed = status;
        return -1;
    }
    return status == GOS_OK ? 0 : 1;
}

static int residual(void *user, double t, const double *y, const double *yd, double *r) {
    gos_bdf *g = user;
    if (gos__ida_h(g->ida) < g->opt.min_step && g->stop - t > g->opt.min_step) {
        return -1;
    }
    const gos_point_of x = point(g, t, y, yd);
    const gos_status status = gos__bdf_residual(&g->matrix, g->w, &x, y, yd, r);
    if (status == GOS_RETRY) { // to identify the cause if shorter steps fail too
        memcpy(g->y, y, (size_t)g->matrix.at.n * sizeof *y);
        memcpy(g->yd, yd, (size_t)g->matrix.at.n * sizeof *yd);
        g->tried = x.t;
    }
    return answer(g, status);
}

static int matrix(void *user, double t, double by_rate, const double *y, const double *yd) {
    gos_bdf *g = user;
    const gos_point_of x = point(g, t, y, yd);
    gos__bdf_matrix_fill(&g->matrix, g->w, &x, by_rate);
    g->stats.jacobians++;
    const double t0 = gos__now();
    int column;
    const gos_status status = gos__solver_factor(g->solver, g->matrix.values, &column);
    g->stats.time_factor += gos__now() - t0;
    g->stats.factorisations++;
    return answer(g, status == GOS_E_SINGULAR ? GOS_RETRY : status);
}

static void solve(void *user, double *x) {
    gos_bdf *g = user;
    const double t0 = gos__now();
    gos__solver_solve(g->solver, x);
    memcpy(g->worst, x, (size_t)g->matrix.at.n * sizeof *x);
    g->stats.time_solve += gos__now() - t0;
}

static int rates(void *user, double t, const double *y, const double *yd, double *rate) {
    gos_bdf *g = user;
    const gos_bdf_blocks *b = &g->matrix.at;
    const gos_point_of x = point(g, t, y, yd);
    const gos_residual out = {
        .q = g->r + b->v, .th = g->r + b->th, .c = g->r + b->mu, .h = g->r + b->lamT};
    const gos_status status = gos__residual(g->w, &x, &out, &g->sums);
    rate[GOS_BDF_DISSIPATED] = g->sums.dissipated;
    rate[GOS_BDF_WORK] = g->sums.work;
    rate[GOS_BDF_THERMAL] = g->sums.thermal;
    rate[GOS_BDF_HEAT_IN] = g->sums.heat_in;
    rate[GOS_BDF_HEAT_CON] = g->sums.heat_con;
    return answer(g, status);
}

gos_ida_problem gos__bdf_problem(gos_bdf *g) {
    return (gos_ida_problem){.n = g->matrix.at.n,
                             .nquad = GOS_BDF_NINTEGRAL,
                             .user = g,
                             .residual = residual,
                             .matrix = matrix,
                             .solve = solve,
                             .norm = norm,
                             .rates = rates};
}

void gos__bdf_pack(gos_bdf *g) {
    const gos_system *s = g->sys;
    const gos_bdf_blocks *b = &g->matrix.at;
    const gos_state *x = g->x;
    memset(g->yd, 0, (size_t)b->n * sizeof *g->yd);
    memset(g->y + b->mu, 0, (size_t)s->nc * sizeof *g->y);
    memcpy(g->y + b->q, x->q, (size_t)s->nq * sizeof *g->y);
    memcpy(g->y + b->v, x->v, (size_t)s->nq * sizeof *g->y);
    memcpy(g->y + b->th, x->th, (size_t)s->nt * sizeof *g->y);
    memcpy(g->y + b->lam, x->lam, (size_t)s->nc * sizeof *g->y);
    memcpy(g->y + b->lamT, x->lamT, (size_t)s->nh * sizeof *g->y);
    memcpy(g->yd + b->q, x->v, (size_t)s->nq * sizeof *g->yd);
    memcpy(g->yd + b->v, x->a, (size_t)s->nq * sizeof *g->yd);
    memcpy(g->yd + b->th, x->thd, (size_t)s->nt * sizeof *g->yd);
}

void gos__bdf_unpack(const gos_bdf *g, const double *y, const double *yd, gos_state *x) {
    const gos_system *s = g->sys;
    const gos_bdf_blocks *b = &g->matrix.at;
    memcpy(x->q, y + b->q, (size_t)s->nq * sizeof *y);
    memcpy(x->v, y + b->v, (size_t)s->nq * sizeof *y);
    memcpy(x->a, yd + b->v, (size_t)s->nq * sizeof *y);
    memcpy(x->th, y + b->th, (size_t)s->nt * sizeof *y);
    memcpy(x->thd, yd + b->th, (size_t)s->nt * sizeof *y);
    memcpy(x->lam, y + b->lam, (size_t)s->nc * sizeof *y);
    memcpy(x->lamT, y + b->lamT, (size_t)s->nh * sizeof *y);
}
