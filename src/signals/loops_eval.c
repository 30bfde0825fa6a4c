/* Evaluation of controllers; see loops.h. */
#include <cblas.h>
#include <math.h>

#include "signals/loop_signal.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "signals/ports.h"

#define LIMIT_ROUNDING 1e-9 // rounding tolerance at a limit, as part of a step

/* A controller at the entered evaluation. */
typedef struct entered {
    double *y, *u, *v; // (ny), (nu), (nu)
    double *base;      // time functions of its inputs without it (nu)
    double *rate;      // of its states (n)
    double *F;         // derivatives of its rows with respect to inputs (nrow, nu)
    double *gx, *gv;   // signal derivatives with respect to columns and their rates (ny, ncol)
} entered;

typedef struct gos_loops_work {
    entered *loop;               // (n)
    double *block;               // storage of all controllers
    double *force, *rest, *heat; // a column or gradient (nq), (nq), (nt)
    double *Y, *V, *rows;        // products: maximum of (ny, ncol), (nu, ncol), (nrow, ncol)
} gos_loops_work;

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static double *place(const gos_control_loop *l, double *at, entered *e) {
    const gos_controller *c = l->law;
    const size_t ny = (size_t)c->ny, nu = (size_t)c->nu, ncol = (size_t)l->ncol;
    struct {
        double **to;
        size_t n;
    } parts[] = {{&e->y, ny},
                 {&e->u, nu},
                 {&e->v, nu},
                 {&e->base, nu},
                 {&e->rate, (size_t)c->n},
                 {&e->F, (size_t)l->nrow * nu},
                 {&e->gx, ny * ncol},
                 {&e->gv, ny * ncol}};
    for (int i = 0; i < GOS_COUNT(parts); i++) {
        *parts[i].to = at;
        at += parts[i].n;
    }
    return at;
}

static size_t size_of(const gos_control_loop *l) {
    const gos_controller *c = l->law;
    const size_t ny = (size_t)c->ny, nu = (size_t)c->nu;
    return ny + 3 * nu + (size_t)c->n + (size_t)l->nrow * nu + 2 * ny * (size_t)l->ncol;
}

gos_status gos__loops_work_create(gos_ctx *ctx, const gos_system *s, gos_loops_work **work) {
    *work = NULL;
    if (!s->loops) {
        return GOS_OK;
    }
    gos_loops_work *k = gos__zalloc(ctx, 1, sizeof *k);
    if (!k) {
        return GOS_E_MEMORY;
    }
    *work = k;
    size_t n = 0, ny = 0, nu = 0, rows = 0;
    for (int i = 0; i < s->loops->n; i++) {
        const gos_control_loop *l = &s->loops->loop[i];
        const size_t ncol = (size_t)l->ncol;
        n += size_of(l);
        ny = larger(ny, (size_t)l->law->ny * ncol);
        nu = larger(nu, (size_t)l->law->nu * ncol);
        rows = larger(rows, (size_t)l->nrow * ncol);
    }
    const size_t nq = (size_t)s->nq, nt = (size_t)s->nt;
    k->loop = gos__zalloc(ctx, (size_t)s->loops->n, sizeof *k->loop);
    k->block = gos__zalloc(ctx, n + 2 * nq + nt + ny + nu + rows + 1, sizeof *k->block);
    if (!k->loop || !k->block) {
        return GOS_E_MEMORY;
    }
    double *at = k->block;
    for (int i = 0; i < s->loops->n; i++) {
        at = place(&s->loops->loop[i], at, &k->loop[i]);
    }
    k->force = at;
    k->rest = k->force + nq;
    k->heat = k->rest + nq;
    k->Y = k->heat + nt;
    k->V = k->Y + ny;
    k->rows = k->V + nu;
    return GOS_OK;
}

void gos__loops_work_destroy(gos_ctx *ctx, gos_loops_work *k) {
    if (k) {
        gos__free(ctx, k->loop);
        gos__free(ctx, k->block);
        gos__free(ctx, k);
    }
}

/* to (m) += A x, A (m, n) column-major, NULL: 0 */
static void add_times(int m, int n, const double *A, const double *x, double *to) {
    for (int j = 0; A && j < n; j++) {
        for (int i = 0; i < m; i++) {
            to[i] += A[(size_t)j * (size_t)m + (size_t)i] * x[j];
        }
    }
}

static double limited(const gos_controller *c, int i, double u) {
    const double above = c->upper ? fmin(u, c->upper[i]) : u;
    return c->lower ? fmax(above, c->lower[i]) : above;
}

static double quantised(const double *step, int i, double x) {
    return step && step[i] > 0 ? step[i] * rint(x / step[i]) : x;
}

/* Converter output for u: the nearest code within the limits. */
static double put_out(const gos_controller *c, int i, double u) {
    const double step = c->input_step ? c->input_step[i] : 0;
    if (!(step > 0)) {
        return limited(c, i, u);
    }
    double code = rint(u / step);
    code = c->upper ? fmin(code, floor(c->upper[i] / step + LIMIT_ROUNDING)) : code;
    code = c->lower ? fmax(code, ceil(c->lower[i] / step - LIMIT_ROUNDING)) : code;
    return step * code;
}

static double base_of(const gos_controller *c, int i) {
    return c->u0 ? c->u0[i] : 0;
}

/* u, v (nu) and state rates, or next states (n), from states x and signals y relative to y0 */
static void apply_law(const gos_controller *c, const double *x, const double *y, double *u,
                      double *v, double *next) {
    for (int i = 0; i < c->nu; i++) {
        u[i] = base_of(c, i);
    }
    add_times(c->nu, c->n, c->C, x, u);
    add_times(c->nu, c->ny, c->D, y, u);
    for (int i = 0; i < c->nu; i++) {
        v[i] = put_out(c, i, u[i]);
    }
    memset(next, 0, (size_t)c->n * sizeof *next);
    add_times(c->n, c->n, c->A, x, next);
    add_times(c->n, c->ny, c->B, y, next);
    for (int i = 0; i < c->nu && c->E; i++) {
        const double dv = v[i] - base_of(c, i);
        add_times(c->n, 1, c->E + (size_t)i * (size_t)c->n, &dv, next);
    }
}

static double shown(const gos_work *w, const gos_control_loop *l, int k) {
    const gos_signal_direct *d = gos__signal_direct(l->signal[k]);
    double y = 0;
    for (int j = 0; j < d->n; j++) {
        y += d->factor[j] * w->fn[d->fn[j]];
    }
    return y;
}

/* signals relative to y0 */
static void read_signals(gos_work *w, const gos_point_of *x, const gos_control_loop *l, double *y) {
    const gos_controller *c = l->law;
    for (int k = 0; k < c->ny; k++) {
        const gos_item_io io = gos__item_inputs(w, l->signal[k], x);
        const double measured = gos__signal_value(l->signal[k], &io) + shown(w, l, k);
        y[k] = quantised(c->signal_step, k, measured) - (c->y0 ? c->y0[k] : 0);
    }
}

void gos__loop_sample(gos_work *w, const gos_point_of *x, int i, double *states, double *u,
                      double *v) {
    const gos_control_loop *l = &w->sys->loops->loop[i];
    const entered *e = &w->loops->loop[i];
    read_signals(w, x, l, e->y);
    apply_law(l->law, states, e->y, u, v, e->rate);
    memcpy(states, e->rate, (size_t)l->law->n * sizeof *states);
}

void gos__loop_rest(gos_work *w, const gos_point_of *x, int i, double *states) {
    const gos_control_loop *l = &w->sys->loops->loop[i];
    const gos_controller *c = l->law;
    const entered *e = &w->loops->loop[i];
    const double held = c->period > 0 ? 1 : 0; // a sampled state is at rest if it maps to itself
    const size_t n = (size_t)c->n;
    if (!c->rests) {
        return;
    }
    read_signals(w, x, l, e->y);
    apply_law(c, states, e->y, e->u, e->v, e->rate);
    for (size_t k = 0; k < n; k++) {
        if (c->rests[k]) {
            states[k] += (e->rate[k] - held * states[k]) / (held - c->A[k * n + k]);
        }
    }
}

void gos__loops_begin(gos_work *w, gos_state *x) {
    const gos_system *s = w->sys;
    const gos_point_of given = {
        .t = x->t, .scale = 1, .q = x->q, .v = x->v, .th = x->th, .mem = x->mem};
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        const gos_control_loop *l = &s->loops->loop[i];
        const size_t size = (size_t)l->law->n * sizeof *x->th;
        if (l->law->period == 0 && l->law->rests &&
            memcmp(x->th + l->t0, s->th0 + l->t0, size) == 0) {
            const gos_point_of at = gos__derived_enter(w, &given);
            gos__work_time(w, x->t);
            gos__loop_rest(w, &at, i, x->th + l->t0);
        }
    }
}

static void enter(gos_work *w, const gos_point_of *x, int i) {
    const gos_control_loop *l = &w->sys->loops->loop[i];
    entered *e = &w->loops->loop[i];
    if (l->law->period > 0) {
        const double *mem = gos__memory_of(w->sys, x) + l->m0;
        memcpy(e->v, gos__loop_held(l, mem, x->t), (size_t)l->law->nu * sizeof *e->v);
        return;
    }
    read_signals(w, x, l, e->y);
    apply_law(l->law, x->th + l->t0, e->y, e->u, e->v, e->rate);
}

void gos__loops_enter(gos_work *w, const gos_point_of *x) {
    for (int i = 0; w->loops && i < w->sys->loops->n; i++) {
        const gos_control_loop *l = &w->sys->loops->loop[i];
        entered *e = &w->loops->loop[i];
        enter(w, x, i);
        for (int k = 0; k < l->law->nu; k++) {
            e->base[k] = w->fn[l->fn[k]];
            w->fn[l->fn[k]] += w->unloaded ? 0 : e->v[k];
        }
    }
}

void gos__loops_leave(gos_work *w) {
    for (int i = 0; w->loops && i < w->sys->loops->n; i++) {
        const gos_control_loop *l = &w->sys->loops->loop[i];
        for (int k = 0; k < l->law->nu; k++) {
            w->fn[l->fn[k]] = w->loops->loop[i].base[k];
        }
    }
}

void gos__loops_residual(const gos_work *w, double *th) {
    for (int i = 0; w->loops && i < w->sys->loops->n; i++) {
        const gos_control_loop *l = &w->sys->loops->loop[i];
        for (int j = 0; l->law->period == 0 && j < l->law->n; j++) {
            th[l->t0 + j] -= w->loops->loop[i].rate[j];
        }
    }
}

static void input_column(gos_work *w, const gos_point_of *x, const gos_control_loop *l, entered *e,
                         int k) {
    gos_loops_work *c = w->loops;
    gos__input_column(w, x, l->fn[k], c->force, c->heat, c->rest);
    for (int r = 0; r < l->nrow; r++) {
        const int i = l->row[r];
        e->F[r * l->law->nu + k] = r < l->nforce ? c->force[i] : c->heat[i - w->sys->at.th];
    }
}

/* Derivatives of signal k. A gradient g by a derived vector becomes E^T g by the coordinates; for
   its rate e' = E(q) q', E^T g by the rates and E'^T g by the coordinates. */
static void signal_row(gos_work *w, const gos_point_of *x, const gos_control_loop *l, entered *e,
                       int k) {
    const gos_system *s = w->sys;
    const gos_item *it = l->signal[k];
    gos_loops_work *c = w->loops;
    const size_t nq = (size_t)s->nq, nt = (size_t)s->nt;
    double *front = w->derived ? w->derived->f : NULL, *gx = c->force, *gv = c->rest;
    gos_source_gradient g;
    const gos_item_io io = gos__item_inputs(w, it, x);
    gos__signal_gradient(it, &io, &g);
    memset(gx, 0, nq * sizeof *gx);
    memset(gv, 0, nq * sizeof *gv);
    memset(c->heat, 0, nt * sizeof *c->heat);
    gos__derived_clear(s, w->derived);
    for (int m = 0; m < it->nm; m++) {
        gos__marker_give(&it->m[m], g.x + 3 * m, gx, front);
    }
    gos__derived_fold(s, w->derived, front, gx);
    gos__derived_clear(s, w->derived);
    for (int m = 0; m < it->nm; m++) {
        gos__marker_give(&it->m[m], g.v + 3 * m, gv, front);
    }
    gos__derived_fold(s, w->derived, front, gv);
    gos__derived_fold_rate(s, w->derived, front, gx);
    for (int m = 0; m < it->ntm; m++) {
        for (int j = 0; j < it->tm[m].n; j++) {
            c->heat[it->tm[m].idx[j]] += it->tm[m].w[j] * g.th[m];
        }
    }
    for (int j = 0; j < l->ncol; j++) {
        const int i = l->col[j];
        e->gx[k * l->ncol + j] = j < l->nq ? gx[i] : c->heat[i - s->at.th];
        e->gv[k * l->ncol + j] = j < l->nq ? gv[i] : 0;
    }
}

void gos__loops_differentiate(gos_work *w, const gos_point_of *x) {
    const bool unloaded = w->unloaded; // controllers also act without loads
    w->unloaded = false;
    for (int i = 0; w->loops && i < w->sys->loops->n; i++) {
        const gos_control_loop *l = &w->sys->loops->loop[i];
        if (l->law->period > 0) {
            continue;
        }
        for (int k = 0; k < l->law->nu; k++) {
            input_column(w, x, l, &w->loops->loop[i], k);
        }
        for (int k = 0; k < l->law->ny; k++) {
            signal_row(w, x, l, &w->loops->loop[i], k);
        }
    }
    w->unloaded = unloaded;
}

/* V (nu, ncol): derivatives of limited outputs; Y (ny, ncol): of signals; k by coordinates, d by
   rates */
static void inputs_by(const gos_system *s, const gos_control_loop *l, const entered *e,
                      gos_loops_work *c, double k, double d) {
    const gos_controller *law = l->law;
    const int ncol = l->ncol, n = law->n, nu = law->nu, ny = law->ny;
    for (int i = 0; i < ny * ncol; i++) {
        c->Y[i] = k * e->gx[i] + d * e->gv[i];
    }
    memset(c->V, 0, (size_t)(nu * ncol) * sizeof *c->V);
    if (law->D && ny > 0) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, nu, ncol, ny, 1, law->D, nu, c->Y,
                    ncol, 0, c->V, ncol);
    }
    for (int j = l->nq; j < ncol && law->C; j++) {
        const int state = l->col[j] - s->at.th - l->t0;
        for (int i = 0; i < nu && state >= 0 && state < n; i++) {
            c->V[i * ncol + j] += k * law->C[state * nu + i];
        }
    }
    for (int i = 0; i < nu; i++) {
        if (e->u[i] != e->v[i]) { // at its limit
            memset(c->V + (size_t)i * (size_t)ncol, 0, (size_t)ncol * sizeof *c->V);
        }
    }
}

/* subtracts c->rows from rows from..to of the block, from column `first` on */
static void subtract(const gos_control_loop *l, const gos_loops_work *c, int from, int to,
                     int first, double *values) {
    for (int r = from; r < to; r++) {
        const int *pos = l->pos + (size_t)r * (size_t)l->ncol;
        for (int j = first; j < l->ncol; j++) {
            values[pos[j]] -= c->rows[(size_t)(r - from) * (size_t)l->ncol + (size_t)j];
        }
    }
}

static void input_rows(const gos_control_loop *l, const entered *e, gos_loops_work *c, int from,
                       int to, int first, double *values) {
    const int nu = l->law->nu;
    if (to > from) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, to - from, l->ncol, nu, 1,
                    e->F + (size_t)from * (size_t)nu, nu, c->V, l->ncol, 0, c->rows, l->ncol);
        subtract(l, c, from, to, first, values);
    }
}

static void state_rows(const gos_system *s, const gos_control_loop *l, gos_loops_work *c, double k,
                       int first, double *values) {
    const gos_controller *law = l->law;
    const int n = law->n, ncol = l->ncol;
    int at = l->nforce;
    if (n == 0) {
        return;
    }
    while (l->row[at] < s->at.th + l->t0) {
        at++;
    }
    memset(c->rows, 0, (size_t)(n * ncol) * sizeof *c->rows);
    if (law->B && law->ny > 0) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, ncol, law->ny, 1, law->B, n, c->Y,
                    ncol, 0, c->rows, ncol);
    }
    if (law->E) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, ncol, law->nu, 1, law->E, n, c->V,
                    ncol, 1, c->rows, ncol);
    }
    for (int j = l->nq; j < ncol && law->A; j++) {
        const int state = l->col[j] - s->at.th - l->t0;
        for (int i = 0; i < n && state >= 0 && state < n; i++) {
            c->rows[i * ncol + j] += k * law->A[state * n + i];
        }
    }
    subtract(l, c, at, at + n, first, values);
}

void gos__loops_jacobian(const gos_work *w, const gos_newton_factors *f, double *values) {
    const gos_system *s = w->sys;
    for (int i = 0; w->loops && i < s->loops->n; i++) {
        const gos_control_loop *l = &s->loops->loop[i];
        const entered *e = &w->loops->loop[i];
        if (l->law->period > 0) {
            continue;
        }
        if (l->nforce > 0) {
            inputs_by(s, l, e, w->loops, f->k, f->d);
            input_rows(l, e, w->loops, 0, l->nforce, 0, values);
        }
        if (l->nrow > l->nforce) {
            const int first = f->triangular ? l->nq : 0;
            inputs_by(s, l, e, w->loops, f->ck, f->cd);
            input_rows(l, e, w->loops, l->nforce, l->nrow, first, values);
            state_rows(s, l, w->loops, f->ck, first, values);
        }
    }
}

void gos__loop_observe(const gos_system *s, const gos_state *x, int i, double *u, double *v) {
    const gos_control_loop *l = &s->loops->loop[i];
    const gos_controller *c = l->law;
    const size_t size = (size_t)c->nu * sizeof *u;
    if (c->period > 0) {
        memcpy(v, gos__loop_held(l, x->mem + l->m0, x->t), size);
        memcpy(u, gos__loop_commanded(l, x->mem + l->m0, x->t), size);
        return;
    }
    for (int k = 0; k < c->nu; k++) {
        u[k] = base_of(c, k);
    }
    add_times(c->nu, c->n, c->C, x->th + l->t0, u);
    for (int k = 0; k < c->ny; k++) {
        const double y = gos__signal_at(l->signal[k], x) - (c->y0 ? c->y0[k] : 0);
        add_times(c->nu, 1, c->D ? c->D + (size_t)k * (size_t)c->nu : NULL, &y, u);
    }
    for (int k = 0; k < c->nu; k++) {
        v[k] = limited(c, k, u[k]);
    }
}

double gos__loops_added(const gos_state *x, int fn) {
    const gos_system *s = x->sys;
    const int i = s->loops ? s->loops->governor[fn] : -1;
    double u[GOS_LIMIT_CONTROLLER], v[GOS_LIMIT_CONTROLLER], sum = 0;
    if (i < 0) {
        return 0;
    }
    gos__loop_observe(s, x, i, u, v);
    for (int k = 0; k < s->loops->loop[i].law->nu; k++) {
        sum += s->loops->loop[i].fn[k] == fn ? v[k] : 0;
    }
    return sum;
}

#define OVERSHOOT 1e-3 // end the step this far beyond the limit, relative to the change in the step
#define END_TOLERANCE 4e-3 // crossings this near to the end count as there

bool gos__loops_limited(const gos_system *s) {
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        const gos_controller *c = s->loops->loop[i].law;
        if (c->period == 0 && (c->upper || c->lower)) {
            return true;
        }
    }
    return false;
}

/* fraction of a step at which u, from u0 to u1, is just beyond a limit; 1: no crossing inside */
static double behind(double u0, double u1, double limit) {
    const double d0 = u0 - limit, d1 = u1 - limit, change = fabs(u1 - u0);
    return d0 * d1 < 0 && fabs(d1) > END_TOLERANCE * change ? fabs(d0) / change + OVERSHOOT : 1;
}

double gos__loops_corner(gos_work *w, const gos_state *x0, const gos_state *x,
                         const gos_item **which) {
    const gos_system *s = w->sys;
    double first = 1;
    for (int i = 0; s->loops && i < s->loops->n; i++) {
        const gos_control_loop *l = &s->loops->loop[i];
        const gos_controller *c = l->law;
        if (c->period > 0 || (!c->upper && !c->lower)) {
            continue;
        }
        double *u0 = w->loops->loop[i].u, *u1 = w->loops->loop[i].base, *v = w->loops->loop[i].v;
        gos__loop_observe(s, x0, i, u0, v);
        gos__loop_observe(s, x, i, u1, v);
        for (int k = 0; k < c->nu; k++) {
            const double up = c->upper ? behind(u0[k], u1[k], c->upper[k]) : 1,
                         low = c->lower ? behind(u0[k], u1[k], c->lower[k]) : 1;
            if (fmin(up, low) < first) {
                first = fmin(up, low);
                *which = c->ny > 0 ? l->signal[0] : s->item[0];
            }
        }
    }
    return first;
}
