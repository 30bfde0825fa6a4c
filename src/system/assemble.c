/* Residual and Newton matrix: sums over the mesh (mesh_assembly.c), items and constant matrices
   (theory eq. 0). Does not allocate; serves full (sparse) and reduced (dense) systems. */
#include <math.h>

#include "math/vec3.h"
#include "system/constants.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "system/mesh_assembly.h"
#include "system/gravity_gradient.h"

static double *zeroed(double *p, int n) {
    memset(p, 0, (size_t)n * sizeof *p);
    return p;
}

static void add_tmarker(const gos_tmarker *m, double f, double *r) {
    for (int j = 0; j < m->n; j++) {
        r[m->idx[j]] += m->w[j] * f;
    }
}

static double heat_of(const gos_system *s, const gos_tmarker *m, double f) {
    double sum = 0;
    for (int j = 0; j < m->n; j++) {
        sum += m->w[j] * f * s->tmean[m->idx[j]];
    }
    return sum;
}

static void item_residual(gos_work *w, const gos_item *it, const gos_point_of *x,
                          const gos_residual *r, gos_sums *sums) {
    const gos_system *s = w->sys;
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    gos_item_io io = gos__item_inputs(w, it, x);
    const int nx = 3 * it->nm;
    io.f = zeroed(b->f, nx);
    if (it->nc) {
        io.c = zeroed(b->c, it->nc);
        io.cx = zeroed(b->cx, it->nc * nx);
        io.ct = zeroed(b->ct, it->nc);
    }
    if (it->ntm) {
        io.heat = zeroed(b->heat, it->ntm);
        if (it->nh) {
            io.h = zeroed(b->h, it->nh);
            io.hth = zeroed(b->hth, it->nh * it->ntm);
        }
    }
    double stored = 0, dissipated = 0, work = 0;
    if (sums && it->stores) {
        io.energy = &stored;
        io.power = &dissipated;
        io.work = &work;
    }
    it->type->eval(it, &io);
    if (sums) {
        sums->strain += stored;
        sums->dissipated += dissipated;
        sums->work += work;
        for (int i = 0; i < nx && !it->stores; i++) {
            sums->work += b->f[i] * b->xd[i];
        }
        for (int i = 0; i < it->nc && x->lam; i++) {
            sums->work += b->ct[i] * x->lam[it->c0 + i];
        }
    }
    for (int i = 0; i < it->nc && x->lam; i++) {
        for (int k = 0; k < nx; k++) {
            b->f[k] -= b->cx[i * nx + k] * x->lam[it->c0 + i];
        }
    }
    for (int m = 0; m < it->nm && r->q; m++) {
        const double f[3] = {-b->f[3 * m], -b->f[3 * m + 1], -b->f[3 * m + 2]};
        gos__marker_give(&it->m[m], f, r->q, it->pulled ? w->derived->f : NULL);
    }
    for (int i = 0; i < it->nc && r->c; i++) {
        r->c[it->c0 + i] = b->c[i];
    }
    for (int m = 0; m < it->ntm && r->th; m++) {
        double con = 0;
        for (int i = 0; i < it->nh && x->lamT; i++) {
            con += b->hth[i * it->ntm + m] * x->lamT[it->h0 + i];
        }
        add_tmarker(&it->tm[m], con - b->heat[m], r->th);
        if (sums) {
            sums->heat_in += heat_of(s, &it->tm[m], b->heat[m]);
            sums->heat_con -= heat_of(s, &it->tm[m], con);
        }
    }
    for (int i = 0; i < it->nh && r->h; i++) {
        r->h[it->h0 + i] = b->h[i];
    }
}

static bool all_finite(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += 0 * x[i];
    }
    return sum == 0;
}

const char *gos__item_nonfinite(gos_work *w, const gos_item *it, const gos_point_of *x) {
    const gos_item_buffers *b = (const gos_item_buffers *)(const void *)w->item;
    item_residual(w, it, x, &(gos_residual){0}, NULL);
    return !all_finite(b->c, it->nc) || !all_finite(b->h, it->nh) ? "constraint"
           : !all_finite(b->f, 3 * it->nm)                        ? "force"
           : !all_finite(b->heat, it->ntm)                        ? "heat"
                                                                  : NULL;
}

static double weight_scale(const gos_work *w, const gos_point_of *x) {
    return w->unloaded ? 0 : w->weight * x->scale;
}

gos_status gos__residual(gos_work *w, const gos_point_of *given, const gos_residual *r,
                         gos_sums *sums) {
    const gos_system *s = w->sys;
    const double t0 = gos__now();
    gos_point_of entered = gos__derived_enter(w, given);
    const gos_point_of *x = &entered;
    entered.a = w->massless ? NULL : entered.a;
    gos__work_time(w, x->t);
    double *heat = w->wv + s->at.th;
    if (sums) {
        *sums = (gos_sums){0};
    }
    gos__loops_enter(w, x);
    gos__derived_clear(s, w->derived);
    gos__mesh_residual(w, x, r, sums);
    gos__gravity_gradient_residual(w, x, r, sums);
    for (int i = 0; i < s->nitem; i++) {
        item_residual(w, s->item[i], x, r, sums);
    }
    if (s->derived) {
        double G[9];
        gos__derived_inertia(s, w->derived, !w->massless, weight_scale(w, x), r->q);
        gos__derived_gravity_gradient(s, w->derived, gos__gravity_gradient_field(w, x, G), r->q);
        gos__derived_fold(s, w->derived, w->derived->f, r->q);
    }
    if (s->constants) {
        gos__constants_residual(s, x, r, sums);
    }
    if (r->th) {
        gos__loops_residual(w, r->th);
    }
    gos__loops_leave(w);
    if (r->th && s->nt && x->thd && !s->steady_heat) {
        gos__rows_apply(&s->capacity, 1, x->thd, heat);
        for (int i = 0; i < s->nt; i++) {
            r->th[i] += heat[i];
        }
    }
    double sum = 0;
    for (int i = 0; i < s->nq; i++) {
        sum += fabs(r->q[i]);
    }
    for (int i = 0; i < s->nt && r->th; i++) {
        sum += fabs(r->th[i]);
    }
    for (int i = 0; i < s->nc && r->c; i++) {
        sum += fabs(r->c[i]);
    }
    for (int i = 0; i < s->nh && r->h; i++) {
        sum += fabs(r->h[i]);
    }
    w->nresidual++;
    w->time_residual += gos__now() - t0;
    return isfinite(sum) ? GOS_OK : GOS_RETRY;
}

static void sink_add(gos_entry_sink *k, int row, int col, double v) {
    GOS_UNUSED(row);
    GOS_UNUSED(col);
    k->values[k->pos[k->n++]] += v;
}

static void dense_add(gos_entry_sink *k, int row, int col, double v) {
    const gos_system *s = k->user;
    k->values[(size_t)col * (size_t)s->pattern.n + (size_t)row] += v;
}

/* by position in a sparse matrix, directly in a dense one */
static gos_entry_sink sink_of(gos_work *w) {
    return (gos_entry_sink){.add = w->sys->pattern.dense ? dense_add : sink_add,
                            .user = (void *)w->sys,
                            .values = w->values,
                            .pos = w->sys->item_pos};
}

/* residual item forces, including multipliers, on derived vectors */
static void give_forces(gos_work *w, const gos_item *it, const double *lam) {
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    const int nx = 3 * it->nm;
    for (int m = 0; m < it->nm; m++) {
        double f[3];
        for (int c = 0; c < 3; c++) {
            f[c] = -b->f[3 * m + c];
            for (int i = 0; i < it->nc && lam; i++) {
                f[c] += b->cx[i * nx + 3 * m + c] * lam[i];
            }
        }
        gos__marker_give(&it->m[m], f, NULL, w->derived->f);
    }
}

static void item_jacobian(gos_work *w, const gos_item *it, const gos_point_of *x,
                          const gos_newton_factors *f, gos_entry_sink *k) {
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    gos_item_io io = gos__item_inputs(w, it, x);
    gos_columns at[GOS_ITEM_MARKERS];
    const int nx = 3 * it->nm;
    io.f = it->pulled ? zeroed(b->f, nx) : NULL;
    io.fx = zeroed(b->fx, nx * nx);
    io.fv = zeroed(b->fv, nx * nx);
    io.H = it->nc && x->lam ? zeroed(b->H, nx * nx) : NULL;
    io.cx = it->nc ? zeroed(b->cx, it->nc * nx) : NULL;
    if (it->ntm) {
        io.heat_x = zeroed(b->heat_x, it->ntm * nx);
        io.heat_th = zeroed(b->heat_th, it->ntm * it->ntm);
        io.hth = it->nh ? zeroed(b->hth, it->nh * it->ntm) : NULL;
    }
    if (it->stores_heat && !w->sys->steady_heat) {
        io.heat_thd = zeroed(b->heat_thd, it->ntm * it->ntm);
    }
    if (it->mixed) {
        io.f_th = zeroed(b->f_th, it->ntm * nx);
        io.heat_v = zeroed(b->heat_v, it->ntm * nx);
    }
    it->type->eval(it, &io);
    for (int i = 0; i < it->ntm * nx && it->mixed; i++) {
        b->f_th[i] *= f->k;
    }
    for (int i = 0; i < it->ntm * it->ntm; i++) {
        b->heat_th[i] *= f->ck;
        b->heat_th[i] += io.heat_thd ? f->cm * b->heat_thd[i] : 0;
    }
    for (int i = 0; i < nx * nx; i++) {
        b->fx[i] = f->k * ((io.H ? b->H[i] : 0) - b->fx[i]) - f->d * b->fv[i];
    }
    for (int i = 0; i < nx * nx && it->pulled; i++) {
        b->fv[i] *= -f->k;
    }
    if (it->pulled) {
        give_forces(w, it, io.lam);
    }
    gos__columns_at(w->sys, w->derived, it, at);
    const gos_item_blocks blocks = {.at = at,
                                    .B = b->fx,
                                    .Bv = b->fv,
                                    .cx = b->cx,
                                    .bx = b->heat_x,
                                    .bth = b->heat_th,
                                    .hth = b->hth,
                                    .Bth = b->f_th,
                                    .bv = b->heat_v,
                                    .ck = f->ck,
                                    .cd = f->cd,
                                    .lam = f->lam,
                                    .lamT = f->lamT};
    if (w->sys->pattern.dense && !it->pulled) {
        gos__item_dense(w->sys, it, &blocks, w->values);
    } else {
        gos__item_entries(w->sys, it, k, &blocks);
    }
}

void gos__jacobian(gos_work *w, const gos_point_of *given, const gos_newton_factors *f) {
    const gos_system *s = w->sys;
    const double t0 = gos__now();
    const gos_point_of entered = gos__derived_enter(w, given), *x = &entered;
    gos__work_time(w, x->t);
    gos__loops_enter(w, x);
    gos__loops_differentiate(w, x);
    gos__derived_clear(s, w->derived);
    gos__mesh_jacobian(w, x, f);
    gos__gravity_gradient_jacobian(w, x, f);
    if (s->constants) {
        gos__constants_jacobian(s, x, f, w->values);
    }
    gos_entry_sink k = sink_of(w);
    for (int i = 0; i < s->nitem; i++) {
        item_jacobian(w, s->item[i], x, f, &k);
    }
    if (s->derived) {
        double G[9];
        const double *gravity_gradient = gos__gravity_gradient_field(w, x, G);
        gos__derived_inertia(s, w->derived, !w->massless, weight_scale(w, x), NULL);
        gos__derived_gravity_gradient(s, w->derived, gravity_gradient, NULL);
        gos__derived_jacobian(s, w->derived, f, !w->massless, w->derived->f, gravity_gradient,
                              w->values);
    }
    gos__loops_jacobian(w, f, w->values);
    gos__loops_leave(w);
    w->njacobian++;
    w->time_jacobian += gos__now() - t0;
}

/* part of C_q'' due to derived vectors without coordinate accelerations: gradients times kappa */
static double derived_rate(const gos_work *w, const gos_item *it, const double *cx) {
    double sum = 0, kappa[3];
    for (int m = 0; m < it->nm; m++) {
        gos__marker_rate(&it->m[m], w->derived->a, kappa);
        sum += gos__dot3(cx + 3 * m, kappa);
    }
    return sum;
}

void gos__constraint_rates(gos_work *w, const gos_point_of *given, double *ct, double *rhs) {
    const gos_system *s = w->sys;
    gos_point_of at_rest = *given; // kappa is e'' without accelerations
    at_rest.a = NULL;
    const gos_point_of entered = gos__derived_enter(w, &at_rest), *x = &entered;
    gos__work_time(w, x->t);
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        const int nx = 3 * it->nm;
        for (int r = 0; r < it->nc; r++) {
            gos_item_io io = gos__item_inputs(w, it, x);
            zeroed(b->lam, it->nc)[r] = 1;
            io.lam = b->lam;
            io.H = zeroed(b->H, nx * nx);
            io.ct = zeroed(b->ct, it->nc);
            io.ctt = zeroed(b->ctt, it->nc);
            io.cx = it->pulled ? zeroed(b->cx, it->nc * nx) : NULL;
            it->type->eval(it, &io);
            double vHv = 0;
            for (int j = 0; j < nx; j++) {
                for (int k = 0; k < nx; k++) {
                    vHv += b->xd[j] * b->H[j * nx + k] * b->xd[k];
                }
            }
            rhs[it->c0 + r] = -vHv - b->ctt[r];
            if (it->pulled) {
                rhs[it->c0 + r] -= derived_rate(w, it, b->cx + r * nx);
            }
            if (ct) {
                ct[it->c0 + r] = b->ct[r];
            }
        }
    }
}

void gos__temperature_rates(gos_work *w, const gos_point_of *x, double *ht) {
    /* rows are linear in time functions: h(fn + fnd) - h(fn) = dh/dt */
    const gos_system *s = w->sys;
    gos__work_time(w, x->t);
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        if (!it->nh) {
            continue;
        }
        gos_item_io io = gos__item_inputs(w, it, x);
        io.h = zeroed(b->h, it->nh);
        it->type->eval(it, &io);
        for (int r = 0; r < it->nh; r++) {
            ht[it->h0 + r] = -b->h[r];
        }
        for (int k = 0; k < it->nfn && k < GOS_COUNT(b->fn); k++) {
            b->fn[k] = io.fn[k] + io.fnd[k];
        }
        io.fn = b->fn;
        zeroed(b->h, it->nh);
        it->type->eval(it, &io);
        for (int r = 0; r < it->nh; r++) {
            ht[it->h0 + r] += b->h[r];
        }
    }
}

double gos__temperature_fit(gos_work *w, double t, double *th) {
    /* row-wise projection onto h = 0; exact in one pass unless ties share coordinates */
    enum { PASSES = 100 };
    const gos_system *s = w->sys;
    double change = 0;
    gos__work_time(w, t);
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    const gos_point_of x = {.t = t, .scale = 1, .q = s->e0, .th = th};
    for (int pass = 0; pass < PASSES; pass++) {
        double worst = 0;
        for (int i = 0; i < s->nitem; i++) {
            const gos_item *it = s->item[i];
            for (int r = 0; r < it->nh; r++) {
                gos_item_io io = gos__item_inputs(w, it, &x);
                io.h = zeroed(b->h, it->nh);
                io.hth = zeroed(b->hth, it->nh * it->ntm);
                it->type->eval(it, &io);
                double norm2 = 0;
                for (int m = 0; m < it->ntm; m++) {
                    for (int j = 0; j < it->tm[m].n; j++) {
                        const double a = b->hth[r * it->ntm + m] * it->tm[m].w[j];
                        norm2 += a * a;
                    }
                }
                for (int m = 0; m < it->ntm && norm2 > 0; m++) {
                    add_tmarker(&it->tm[m], -b->h[r] * b->hth[r * it->ntm + m] / norm2, th);
                }
                worst = fmax(worst, fabs(b->h[r]));
            }
        }
        change = fmax(change, worst);
        if (!(worst > 1e-12)) {
            break;
        }
    }
    return change;
}

static gos_item_buffers *gradients_at(gos_work *w, const gos_item *it, const gos_point_of *x) {
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    gos_item_io io = gos__item_inputs(w, it, x);
    io.cx = zeroed(b->cx, 3 * it->nc * it->nm);
    it->type->eval(it, &io);
    return b;
}

void gos__constraint_apply(gos_work *w, const gos_point_of *given, const double *u, double *y) {
    const gos_system *s = w->sys;
    const gos_point_of entered = gos__derived_enter(w, given), *x = &entered;
    gos__work_time(w, x->t);
    if (s->derived) { // E u
        memcpy(w->derived->u, u, (size_t)s->nq * sizeof *u);
        gos__derived_map(s, w->derived, w->derived->u);
        u = w->derived->u;
    }
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        const int nx = 3 * it->nm;
        if (!it->nc) {
            continue;
        }
        gos_item_buffers *b = gradients_at(w, it, x);
        for (int m = 0; m < it->nm; m++) {
            gos__marker_rate(&it->m[m], u, b->xd + 3 * m);
        }
        for (int r = 0; r < it->nc; r++) {
            double sum = 0;
            for (int k = 0; k < nx; k++) {
                sum += b->cx[r * nx + k] * b->xd[k];
            }
            y[it->c0 + r] = sum;
        }
    }
}

/* C^T lam of an item: on coordinates to out (may be NULL), on derived vectors in front of
   w->made->f */
static void give_rows(gos_work *w, const gos_item *it, const gos_point_of *x, const double *lam,
                      double *out) {
    const gos_item_buffers *b = gradients_at(w, it, x);
    const int nx = 3 * it->nm;
    for (int m = 0; m < it->nm; m++) {
        double f[3] = {0};
        for (int k = 0; k < 3 * it->nc; k++) {
            f[k % 3] += b->cx[k / 3 * nx + 3 * m + k % 3] * lam[it->c0 + k / 3];
        }
        gos__marker_give(&it->m[m], f, out, it->pulled ? w->derived->f : NULL);
    }
}

void gos__constraint_force(gos_work *w, const gos_point_of *given, const double *lam, double *out) {
    const gos_system *s = w->sys;
    const gos_point_of entered = gos__derived_enter(w, given), *x = &entered;
    gos__work_time(w, x->t);
    gos__derived_clear(s, w->derived);
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->nc > 0) {
            give_rows(w, s->item[i], x, lam, out);
        }
    }
    gos__derived_fold(s, w->derived, s->derived ? w->derived->f : NULL, out);
}

/* Derived vectors: (d/dt C_e E)^T lam = E'^T C_e^T lam + E^T (d/dt C_e)^T lam; the first term
   here. */
static void turn_derived(gos_work *w, const gos_point_of *x, const double *lam, double *out) {
    const gos_system *s = w->sys;
    gos__derived_clear(s, w->derived);
    for (int i = 0; i < s->nitem; i++) {
        if (s->item[i]->pulled && s->item[i]->nc > 0) {
            give_rows(w, s->item[i], x, lam, NULL);
        }
    }
    gos__derived_fold_rate(s, w->derived, w->derived->f, out);
}

void gos__constraint_turn(gos_work *w, const gos_point_of *given, const double *lam, double *out) {
    const gos_system *s = w->sys;
    const gos_point_of entered = gos__derived_enter(w, given), *x = &entered;
    gos__work_time(w, x->t);
    if (s->derived) {
        turn_derived(w, x, lam, out);
        gos__derived_clear(s, w->derived);
    }
    gos_item_buffers *b = (gos_item_buffers *)(void *)w->item;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        const int nx = 3 * it->nm;
        if (!it->nc || it->linear) {
            continue;
        }
        gos_item_io io = gos__item_inputs(w, it, x);
        memcpy(zeroed(b->lam, it->nc), lam + it->c0, (size_t)it->nc * sizeof *lam);
        io.lam = b->lam;
        io.H = zeroed(b->H, nx * nx);
        it->type->eval(it, &io);
        for (int m = 0; m < it->nm; m++) {
            double f[3] = {0, 0, 0};
            for (int k = 0; k < 3 * nx; k++) {
                f[k / nx] += b->H[3 * m * nx + k] * b->xd[k % nx];
            }
            gos__marker_give(&it->m[m], f, out, it->pulled ? w->derived->f : NULL);
        }
    }
    gos__derived_fold(s, w->derived, s->derived ? w->derived->f : NULL, out);
}
