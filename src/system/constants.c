/* Constant matrices in residual, Newton matrix, balances and norms. Only the symmetric part of M or
   K has an energy; power of the rest counts as work. */
#include "system/constants.h"

#include <math.h>

#include "system/derived.h"
#include "constraints/sparse_rows.h"

/* Thermal stress stiffness of floating bodies: forces v T_t q_j on amplitudes i. */

static void heated_entries(const gos_system *s, gos_entry_sink *k) {
    for (const gos_heated *h = s->constants ? s->constants->heated : NULL; h; h = h->next) {
        for (int e = 0; e < h->n; e++) {
            k->add(k, s->at.q + h->i[e], s->at.q + h->j[e], 0);
            k->add(k, s->at.q + h->i[e], s->at.th + h->t[e], 0);
        }
    }
}

void gos__heated_location(gos_constants *c, int k, int position) {
    gos_heated *h = c->heated;
    for (; k >= 2 * h->n; h = h->next) {
        k -= 2 * h->n;
    }
    h->at[k] = position;
}

/* Forces; their power is thermal work, as for G T. */
static void heated_residual(const gos_constants *c, const gos_point_of *x, double *r,
                            gos_sums *sums) {
    for (const gos_heated *h = c->heated; h; h = h->next) {
        for (int e = 0; e < h->n; e++) {
            const double force = h->v[e] * x->th[h->t[e]] * x->q[h->j[e]];
            r[h->i[e]] += force;
            if (sums && x->v) {
                sums->work -= x->v[h->i[e]] * force;
            }
        }
    }
}

static void heated_jacobian(const gos_constants *c, const gos_point_of *x, double factor,
                            double *values) {
    for (const gos_heated *h = c->heated; h && factor != 0; h = h->next) {
        for (int e = 0; e < h->n; e++) {
            values[h->at[2 * e]] += factor * h->v[e] * x->th[h->t[e]];
            values[h->at[2 * e + 1]] += factor * h->v[e] * x->q[h->j[e]];
        }
    }
}

static bool rows_are_heat(int m) {
    return m == GOS_CONSTANT_E || m == GOS_CONSTANT_S || m == GOS_CONSTANT_H;
}

static bool columns_are_heat(int m) {
    return m == GOS_CONSTANT_E || m == GOS_CONSTANT_S || m == GOS_CONSTANT_G;
}

static double entry(const gos_rows_matrix *A, int i, int j) {
    const int end = A->p[i + 1], at = gos__sorted_find(A->j, A->p[i], end, j);
    return at < end && A->j[at] == j ? A->v[at] : 0;
}

static bool is_symmetric(const gos_rows_matrix *A) {
    for (int i = 0; i < A->n; i++) {
        for (int k = A->p[i]; k < A->p[i + 1]; k++) {
            if (A->v[k] != entry(A, A->j[k], i)) {
                return false;
            }
        }
    }
    return true;
}

/* weights of relative errors: (error / scale)^2 for these coordinates, (error / extent)^2 for other
   bodies */
void gos__constants_norms(const gos_builder *b, gos_system *s) {
    gos_constants *c = s->constants;
    for (int k = 0; k < b->nsingle; k++) {
        const gos_constant_coordinate *one = &b->single[k];
        const double unit = one->heat ? 1 : s->extent;
        const double scale = one->scale > 0 ? one->scale : unit;
        const int at = one->heat ? 3 * s->nv + one->i : one->i;
        // an amplitude is weighted by its displacement, independent of its unit
        const double per_scale = one->amplitude ? 1 : unit / scale;
        const double weight =
            one->relative && s->capacity_total > 0 ? one->weight * s->capacity_total : one->weight;
        c->weight[at] = weight * per_scale * per_scale;
        if (!one->amplitude) { // amplitude mass is part of the body mass
            c->total[one->heat] += one->heat ? weight : weight / 3; // three components
        }
        c->scale[at] = scale;
    }
}

gos_status gos__constants_make(gos_builder *b, gos_system *s) {
    if (b->nsingle == 0) {
        return GOS_OK;
    }
    gos_constants *c = GOS_NEW(s->arena, gos_constants, 1);
    const size_t nq = 3 * (size_t)s->nv, nt = (size_t)s->nt;
    if (!c) {
        return GOS_E_MEMORY;
    }
    c->rest = GOS_NEW(s->arena, double, nq + 1);
    c->scale = GOS_NEW(s->arena, double, nq + nt + 1);
    c->weight = GOS_NEW(s->arena, double, nq + nt + 1);
    if (!c->rest || !c->scale || !c->weight) {
        return GOS_E_MEMORY;
    }
    for (int m = 0; m < GOS_NCONSTANT; m++) {
        const int n = rows_are_heat(m) ? s->nt : 3 * s->nv;
        GOS_TRY(gos__rows_from_triplets(b->ctx, s->arena, n, &b->constant[m], &c->A[m]));
        c->pos[m] = GOS_NEW(s->arena, int, c->A[m].nnz + 1);
        if (!c->pos[m]) {
            return GOS_E_MEMORY;
        }
    }
    c->skew = !is_symmetric(&c->A[GOS_CONSTANT_M]) || !is_symmetric(&c->A[GOS_CONSTANT_K]);
    for (int k = 0; k < b->nsingle; k++) {
        if (!b->single[k].heat) {
            c->rest[b->single[k].i] = b->single[k].rest;
        }
    }
    c->heated = b->heated;
    s->constants = c;
    return GOS_OK;
}

void gos__constants_entries(const gos_system *s, gos_entry_sink *k) {
    for (int m = 0; m < GOS_NCONSTANT && s->constants; m++) {
        const gos_rows_matrix *A = &s->constants->A[m];
        const int row = rows_are_heat(m) ? s->at.th : s->at.q;
        const int column = columns_are_heat(m) ? s->at.th : s->at.q;
        for (int i = 0; i < A->n; i++) {
            for (int e = A->p[i]; e < A->p[i + 1]; e++) {
                k->add(k, row + i, column + A->j[e], A->v[e]);
            }
        }
    }
    heated_entries(s, k);
}

static double row_times(const gos_rows_matrix *A, int i, const double *x) {
    double sum = 0;
    for (int k = A->p[i]; k < A->p[i + 1]; k++) {
        sum += A->v[k] * x[A->j[k]];
    }
    return sum;
}

/* row i of K (q - rest) */
static double stretch(const gos_constants *c, int i, const double *q) {
    const gos_rows_matrix *K = &c->A[GOS_CONSTANT_K];
    double sum = 0;
    for (int k = K->p[i]; k < K->p[i + 1]; k++) {
        sum += K->v[k] * (q[K->j[k]] - c->rest[K->j[k]]);
    }
    return sum;
}

/* energies and powers of row i */
static void add_sums(const gos_constants *c, int i, const gos_point_of *x, double inertia,
                     double elastic, double damping, gos_sums *sums) {
    const double u = x->q[i] - c->rest[i], even = c->force ? c->even[i] : 0;
    sums->strain += u * (0.5 * elastic + even);
    if (!x->v) {
        return;
    }
    sums->work -= c->force ? x->v[i] * (c->force[i] - even) : 0;
    sums->dissipated += x->v[i] * damping;
    if (c->skew) {
        sums->work -= 0.5 * (x->v[i] * elastic - u * row_times(&c->A[GOS_CONSTANT_K], i, x->v));
    }
    if (c->skew && x->a) {
        sums->work -=
            0.5 * (x->v[i] * inertia - x->a[i] * row_times(&c->A[GOS_CONSTANT_M], i, x->v));
    }
}

void gos__constants_residual(const gos_system *s, const gos_point_of *x, const gos_residual *r,
                             gos_sums *sums) {
    const gos_constants *c = s->constants;
    for (int i = 0; i < s->nq; i++) {
        if (c->scale[i] == 0) {
            continue;
        }
        const double inertia = x->a ? row_times(&c->A[GOS_CONSTANT_M], i, x->a) : 0;
        const double damping = x->v ? row_times(&c->A[GOS_CONSTANT_D], i, x->v) : 0;
        const double elastic = stretch(c, i, x->q);
        const double thermal = row_times(&c->A[GOS_CONSTANT_G], i, x->th);
        r->q[i] += inertia + damping + elastic + thermal + (c->force ? c->force[i] : 0);
        if (sums) {
            add_sums(c, i, x, inertia, elastic, damping, sums);
            sums->work -= x->v ? x->v[i] * thermal : 0;
        }
    }
    heated_residual(c, x, r->q, sums);
    if (sums) {
        sums->strain += c->energy;
    }
    for (int i = 0; i < s->nt && r->th; i++) {
        const double strained = x->v ? row_times(&c->A[GOS_CONSTANT_H], i, x->v) : 0;
        r->th[i] += row_times(&c->A[GOS_CONSTANT_S], i, x->th) + strained +
                    (x->thd ? row_times(&c->A[GOS_CONSTANT_E], i, x->thd) : 0);
        if (sums) {
            sums->heat_in -= s->tmean[i] * strained;
        }
    }
}

void gos__constants_jacobian(const gos_system *s, const gos_point_of *x,
                             const gos_newton_factors *f, double *values) {
    const double factor[GOS_NCONSTANT] = {
        f->m, f->d, f->k, f->cm, f->ck, f->k, f->triangular ? 0 : f->cd};
    for (int m = 0; m < GOS_NCONSTANT; m++) {
        const gos_rows_matrix *A = &s->constants->A[m];
        const int *pos = s->constants->pos[m];
        for (int k = 0; k < A->nnz && factor[m] != 0; k++) {
            values[pos[k]] += factor[m] * A->v[k];
        }
    }
    heated_jacobian(s->constants, x, f->k, values);
}

double gos__constants_kinetic(const gos_system *s, const double *v) {
    double sum = 0;
    for (int i = 0; i < s->nq && s->constants; i++) {
        sum += v[i] * row_times(&s->constants->A[GOS_CONSTANT_M], i, v);
    }
    return 0.5 * sum;
}

/* floating bodies at q: y += E^T M_e E x */
static void add_derived(gos_work *w, const double *q, const double *x, double *y) {
    const gos_system *s = w->sys;
    gos_derived_work *m = w->derived;
    (void)gos__derived_enter(w, &(gos_point_of){.q = q});
    memcpy(m->u, x, (size_t)s->nq * sizeof *x);
    gos__derived_map(s, m, m->u);
    gos__derived_clear(s, m);
    gos__derived_mass(s, m->u, y, m->f);
    gos__derived_fold(s, m, m->f, y);
}

void gos__inertia_apply(gos_work *w, const double *q, const double *x, double *y) {
    const gos_system *s = w->sys;
    gos__rows_apply(&s->mass, 3, x, y);
    if (s->derived) {
        add_derived(w, q, x, y);
    }
    for (int i = 0; i < s->nq && s->constants; i++) {
        y[i] += row_times(&s->constants->A[GOS_CONSTANT_M], i, x);
    }
}

void gos__storage_apply(const gos_system *s, const double *x, double *y) {
    if (s->steady_heat) {
        memset(y, 0, (size_t)s->nt * sizeof *y);
        return;
    }
    gos__rows_apply(&s->capacity, 1, x, y);
    for (int i = 0; i < s->nt && s->constants; i++) {
        y[i] += row_times(&s->constants->A[GOS_CONSTANT_E], i, x);
    }
}

void gos__motion_weights(const gos_system *s, const double *x, double *y) {
    gos__rows_apply(&s->mass, 3, x, y);
    for (int i = 0; i < s->nq && s->light; i++) {
        y[i] += s->light[i / 3] * x[i];
    }
    for (int i = 0; i < s->nq && s->constants; i++) {
        y[i] += s->constants->weight[i] * x[i];
    }
}

void gos__heat_weights(const gos_system *s, const double *x, double *y) {
    gos__rows_apply(&s->capacity, 1, x, y);
    for (int i = 0; i < s->nt && s->constants; i++) {
        y[i] += s->constants->weight[s->at.th + i] * x[i];
    }
}

double gos__single_part(const gos_system *s, int i) {
    const double scale = s->constants ? s->constants->scale[s->at.th + i] : 0;
    return scale > 0 ? 1 / scale : 0;
}

double gos__motion_total(const gos_system *s) {
    return s->mass_total + (s->constants ? s->constants->total[0] : 0);
}

double gos__heat_total(const gos_system *s) {
    return s->capacity_total + (s->constants ? s->constants->total[1] : 0);
}
