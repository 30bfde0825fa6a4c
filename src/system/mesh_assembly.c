/* Mesh-size work, divided among threads (thread_shares.h): constant matrices, gravity, points. */
#include "system/mesh_assembly.h"

#include "constraints/sparse_rows.h"

typedef struct residual_round {
    const gos_work *w;
    const gos_point_of *x;
    const gos_residual *r;
    double *heat, *dwdth; // (nt)
    gos_points_sum sum;
} residual_round;

/* inertia, gravity, conduction */
static void residual_rows(void *arg, int number) {
    const residual_round *k = arg;
    const gos_system *s = k->w->sys;
    const gos_share *one = &k->w->shares->share[number];
    const int v0 = one->v_from, v1 = one->v_to, t0 = one->t_from, nt = one->t_to - t0;
    if (k->x->a) {
        gos__rows_apply_part(&s->mass, 3, v0, v1, k->x->a, k->r->q);
    } else {
        memset(k->r->q + 3 * (size_t)v0, 0, 3 * (size_t)(v1 - v0) * sizeof(double));
    }
    for (int c = 0; c < 3; c++) {
        if (s->gravity[c] != 0 && !k->w->unloaded) {
            const double g = k->x->scale * k->w->weight * s->gravity[c];
            for (int i = v0; i < v1; i++) {
                k->r->q[3 * i + c] -= g * s->gw[i];
            }
        }
    }
    if (nt > 0 && k->r->th) {
        memset(k->heat + t0, 0, (size_t)nt * sizeof(double));
        memset(k->dwdth + t0, 0, (size_t)nt * sizeof(double));
        gos__rows_apply_part(&s->conduction, 1, t0, t0 + nt, k->x->th, k->r->th);
    }
}

static void residual_points(void *arg, int number) {
    const residual_round *k = arg;
    const gos_system *s = k->w->sys;
    const gos_share *one = &k->w->shares->share[number];
    for (int i = 0; i < s->npoints; i++) {
        if (one->part[i].to > one->part[i].from) {
            gos__points_residual_part(s->points[i], &one->part[i], &k->sum, one->points);
        }
    }
}

/* adds held contributions in single-thread order */
static void residual_kept(const residual_round *k, gos_sums *sums) {
    const gos_system *s = k->w->sys;
    const gos_shares *shares = k->w->shares;
    for (int i = 0; i < s->npoints && shares->held; i++) {
        for (int ib = 0; ib < s->points[i]->nb; ib++) {
            if (shares->held[i][ib].mask) {
                gos__points_add_kept(s->points[i], ib, &shares->held[i][ib], &k->sum);
            }
            if (sums) {
                sums->strain += shares->share->part[i].energy[ib];
                sums->dissipated += shares->share->part[i].power[ib];
            }
        }
    }
}

void gos__mesh_residual(gos_work *w, const gos_point_of *x, const gos_residual *r, gos_sums *sums) {
    const gos_system *s = w->sys;
    const gos_shares *shares = w->shares;
    gos_pool *pool = gos__ctx_pool(shares->ctx);
    const int nt = r->th ? s->nt : 0;
    double *heat = w->wv + s->at.th, *dwdth = heat + s->nt;
    residual_round k = {.w = w,
                        .x = x,
                        .r = r,
                        .heat = heat,
                        .dwdth = dwdth,
                        .sum = {.e = x->q,
                                .v = r->stored ? NULL : x->v,
                                .th = x->th,
                                .mem = gos__memory_of(s, x),
                                .fn = w->fn,
                                .t = x->t,
                                .scale = x->scale,
                                .Q = r->stored ? NULL : r->q,
                                .R = r->th ? heat : NULL,
                                .energy = sums ? &sums->strain : NULL,
                                .power = sums ? &sums->dissipated : NULL,
                                .dwdth = sums && nt ? dwdth : NULL}};
    gos__pool_run(pool, shares->n, residual_rows, &k);
    gos__pool_run(pool, shares->n, residual_points, &k);
    residual_kept(&k, sums);
    for (int i = 0; i < nt; i++) {
        r->th[i] -= heat[i];
    }
    for (int i = 0; i < nt && sums; i++) {
        sums->heat_in += s->tmean[i] * heat[i];
        sums->thermal += x->thd ? dwdth[i] * x->thd[i] : 0;
    }
}

typedef struct jacobian_round {
    const gos_work *w;
    const gos_newton_factors *f;
    gos_points_factors points;
    gos_points_sum sum;
} jacobian_round;

static void clear_values(void *arg, int number) {
    const jacobian_round *k = arg;
    const gos_share *one = &k->w->shares->share[number];
    memset(k->w->values + one->value_from, 0, (one->value_to - one->value_from) * sizeof(double));
}

static void add_rows(const gos_rows_matrix *A, int from, int to, const int *pos, double factor,
                     double *values) {
    for (int k = A->p[from]; k < A->p[to] && factor != 0; k++) {
        values[pos[k]] += factor * A->v[k];
    }
}

/* mass, capacity, conduction */
static void jacobian_rows(void *arg, int number) {
    const jacobian_round *k = arg;
    const gos_system *s = k->w->sys;
    const gos_share *one = &k->w->shares->share[number];
    double *values = k->w->values;
    for (int i = s->mass.p[one->v_from]; i < s->mass.p[one->v_to] && k->f->m != 0; i++) {
        const double v = k->f->m * s->mass.v[i];
        values[s->mass_pos[3 * i]] += v;
        values[s->mass_pos[3 * i + 1]] += v;
        values[s->mass_pos[3 * i + 2]] += v;
    }
    if (s->nt) {
        add_rows(&s->capacity, one->t_from, one->t_to, s->cap_pos, s->steady_heat ? 0 : k->f->cm,
                 values);
        add_rows(&s->conduction, one->t_from, one->t_to, s->cond_pos, k->f->ck, values);
    }
}

/* Some lanes of shared columns are held back. Lanes from `lanes` on are duplicates. */
static void add_tangent(const gos_points_held *held, int n, int lanes, const int *pos,
                        const double *A, double *values) {
    if (!held || !held->mask) {
        for (size_t e = 0; e < (size_t)(n * n) * GOS_LANES; e += GOS_LANES) {
            for (int l = 0; l < lanes; l++) {
                values[pos[e + (size_t)l]] += A[e + (size_t)l];
            }
        }
        return;
    }
    double *kept = held->kept;
    for (int e = 0; e < n * n; e++, pos += GOS_LANES, A += GOS_LANES) {
        const unsigned char mask = held->mask[e % n];
        for (int l = 0; l < lanes; l++) {
            if (mask >> l & 1) {
                kept[l] = A[l];
            } else {
                values[pos[l]] += A[l];
            }
        }
        kept += mask ? GOS_LANES : 0;
    }
}

static void add_kept(const gos_points_held *held, int n, int lanes, const int *pos,
                     double *values) {
    const double *kept = held->kept;
    for (int e = 0; e < n * n; e++, pos += GOS_LANES) {
        const unsigned char mask = held->mask[e % n];
        for (int l = 0; l < lanes && mask; l++) {
            if (mask >> l & 1) {
                values[pos[l]] += kept[l];
            }
        }
        kept += mask ? GOS_LANES : 0;
    }
}

static int unknowns_of(const gos_points *p) {
    return 3 * p->nv + p->nt * p->nfam;
}

static int lanes_of(const gos_points *p, int ib) {
    const int left = p->ne - ib * GOS_LANES;
    return left < GOS_LANES ? left : GOS_LANES;
}

static const int *positions_of(const gos_system *s, int block, int ib) {
    const size_t n = (size_t)unknowns_of(s->points[block]);
    return s->points_pos[block] + (size_t)ib * n * n * GOS_LANES;
}

static void jacobian_points(void *arg, int number) {
    const jacobian_round *k = arg;
    const gos_system *s = k->w->sys;
    const gos_share *one = &k->w->shares->share[number];
    for (int i = 0; i < s->npoints; i++) {
        const gos_points *p = s->points[i];
        const gos_points_part *part = &one->part[i];
        if (p->dense) {
            int n = 1;
            while (i + n < s->npoints && gos__points_together(p, s->points[i + n])) {
                n++;
            }
            gos__points_tangent_dense((const gos_points *const *)s->points + i, n, &k->sum,
                                      &k->points, s->pattern.n, s->nq, k->w->values, one->points);
            i += n - 1;
            continue;
        }
        for (int ib = part->from; ib < part->to; ib++) {
            gos__points_tangent(p, ib, &k->sum, &k->points, one->A, one->points);
            add_tangent(part->held ? &part->held[ib] : NULL, unknowns_of(p), lanes_of(p, ib),
                        positions_of(s, i, ib), one->A, k->w->values);
        }
    }
}

static void jacobian_kept(const jacobian_round *k) {
    const gos_system *s = k->w->sys;
    const gos_shares *shares = k->w->shares;
    for (int i = 0; i < s->npoints && shares->held; i++) {
        const gos_points *p = s->points[i];
        for (int ib = 0; ib < p->nb; ib++) {
            if (shares->held[i][ib].mask) {
                add_kept(&shares->held[i][ib], unknowns_of(p), lanes_of(p, ib),
                         positions_of(s, i, ib), k->w->values);
            }
        }
    }
}

void gos__mesh_jacobian(gos_work *w, const gos_point_of *x, const gos_newton_factors *f) {
    const gos_system *s = w->sys;
    const gos_shares *shares = w->shares;
    gos_pool *pool = gos__ctx_pool(shares->ctx);
    jacobian_round k = {
        .w = w,
        .f = f,
        .points = {f->k, f->d, f->ck, f->cd, f->triangular, f->symmetric, f->geometric},
        .sum = {.e = x->q,
                .v = x->v,
                .th = x->th,
                .mem = gos__memory_of(s, x),
                .fn = w->fn,
                .t = x->t,
                .scale = x->scale}};
    gos__pool_run(pool, shares->n, clear_values, &k);
    gos__pool_run(pool, shares->n, jacobian_rows, &k);
    if (f->k != 0 || f->d != 0 || f->ck != 0 || f->cd != 0) {
        gos__pool_run(pool, shares->n, jacobian_points, &k);
        jacobian_kept(&k);
    }
}
