/* Evaluates point blocks by batches: gathers coordinates, forms z = sum b e, applies law and heat
 * sources, scatters forces and heat. Reduced models have one point per "element", which depends on
 * all fields. */
#include "base/kernel.h"
#include "parts/gram.h"
#include "parts/shadow.h"

typedef gos_v8 vd;
typedef int64_t vl __attribute__((vector_size(64))); // comparison result
#define L GOS_LANES

/* scratch of one batch */
typedef struct scratch {
    double *e, *v, *th;           // element coordinates (3 nv), rates, temperatures (nt nfam)
    double *z, *zd, *t;           // at a point: (3 nz), (3 nz), (nfam)
    double *sigma, *heat, *dwdth; // (3 nz), (nfam), (3)
    double *energy, *power;       // (1), (1)
    double *Q, *R, *W;            // element sums: (3 nv), (nt nfam), (nt nfam)
    double *Kz, *G, *Hz, *Ht, *T; // (3 nz)^2, (3 nz) nfam, nfam (3 nz), nfam^2, (3 nz)(3 nv)
} scratch;

static size_t carve(const gos_points *p, double *work, scratch *s) {
    const size_t nz = 3 * p->law->nz, nv = 3 * p->nv, nf = p->nfam;
    const size_t nt = p->nt * nf;
    size_t at = 0;
    struct {
        double **where;
        size_t n;
    } list[] = {{&s->e, nv},       {&s->v, nv},       {&s->th, nt},      {&s->z, nz},
                {&s->zd, nz},      {&s->t, nf},       {&s->sigma, nz},   {&s->heat, nf},
                {&s->dwdth, 3},    {&s->energy, 1},   {&s->power, 1},    {&s->Q, nv},
                {&s->R, nt},       {&s->W, nt},       {&s->Kz, nz * nz}, {&s->G, nz * nf},
                {&s->Hz, nz * nf}, {&s->Ht, nf * nf}, {&s->T, nz * nv}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (work) {
            *list[i].where = work + at * L;
        }
        at += list[i].n;
    }
    return at * L;
}

size_t gos__points_work(const gos_points *p) {
    scratch s;
    const size_t gram = p->gram ? gos__gram_work(p->gram) : 0, points = carve(p, NULL, &s);
    return gram > points ? gram : points;
}

/* x[(i, c)][lane] = e[v[i][lane]][c] */
GOS_INLINE void gather3(const int *v, int nv, const double *restrict e, double *restrict x) {
    for (int i = 0; i < nv; i++) {
        for (int l = 0; l < L; l++) {
            const double *from = e + 3L * v[i * L + l];
            x[(3 * i + 0) * L + l] = from[0];
            x[(3 * i + 1) * L + l] = from[1];
            x[(3 * i + 2) * L + l] = from[2];
        }
    }
}

GOS_INLINE void scatter3(const int *v, int nv, const double *restrict x, double *restrict q) {
    for (int i = 0; i < nv; i++) {
        for (int l = 0; l < L; l++) {
            double *to = q + 3L * v[i * L + l];
            to[0] += x[(3 * i + 0) * L + l];
            to[1] += x[(3 * i + 1) * L + l];
            to[2] += x[(3 * i + 2) * L + l];
        }
    }
}

/* Scatters lanes inside the masks (in), or outside. */
static void scatter3_masked(const int *v, int nv, const double *x, const unsigned char *mask,
                            bool in, double *q) {
    for (int i = 0; i < 3 * nv; i++) {
        for (int l = 0; l < L; l++) {
            if ((mask[i] >> l & 1) == in) {
                q[3 * v[i / 3 * L + l] + i % 3] += x[i * L + l];
            }
        }
    }
}

static void scatter1_masked(const int *th, int n, const double *x, const unsigned char *mask,
                            bool in, double *to) {
    for (int i = 0; i < n; i++) {
        for (int l = 0; l < L; l++) {
            if ((mask[i] >> l & 1) == in) {
                to[th[i * L + l]] += x[i * L + l];
            }
        }
    }
}

GOS_INLINE void gather1(const int *th, int n, const double *restrict from, double *restrict x) {
    for (int i = 0; i < n; i++) {
        for (int l = 0; l < L; l++) {
            x[i * L + l] = from[th[i * L + l]];
        }
    }
}

GOS_INLINE bool lanes_share(const int *index) {
    bool all = true;
    for (int l = 1; l < L; l++) {
        all &= index[l] == index[0];
    }
    return all;
}

/* Lanes of reduced bodies share temperatures: writes their sum once. */
GOS_INLINE void scatter1(const int *th, int n, const double *restrict x, double *restrict to) {
    for (int i = 0; i < n; i++) {
        if (lanes_share(th + i * L)) {
            double sum = to[th[i * L]];
            for (int l = 0; l < L; l++) {
                sum += x[i * L + l];
            }
            to[th[i * L]] = sum;
            continue;
        }
        for (int l = 0; l < L; l++) {
            to[th[i * L + l]] += x[i * L + l];
        }
    }
}

/* z(3 nz) = z0 + sum_j b_j e_j, b (nz, nv); z0 NULL: zero */
GOS_INLINE void interpolate(const double *b, int nz, int nv, const double *z0, const double *e,
                            double *z) {
    for (int q = 0; q < nz; q++) {
        vd x = {0}, y = {0}, w = {0};
        if (z0) {
            x = GOS_CV8(z0, 3 * q);
            y = GOS_CV8(z0, 3 * q + 1);
            w = GOS_CV8(z0, 3 * q + 2);
        }
        for (int j = 0; j < nv; j++) {
            const vd s = GOS_CV8(b, q * nv + j);
            x += s * GOS_CV8(e, 3 * j);
            y += s * GOS_CV8(e, 3 * j + 1);
            w += s * GOS_CV8(e, 3 * j + 2);
        }
        GOS_V8(z, 3 * q) = x;
        GOS_V8(z, 3 * q + 1) = y;
        GOS_V8(z, 3 * q + 2) = w;
    }
}

/* z of rows q .. q+n-1 for lanes with common coordinates e (3 nv); zd from v if `rates`.
 * Independent sums hide latency. z0: z at zero coordinates, or NULL. */
GOS_INLINE void rows_dense(const double *b, int q, const int n, int nv, const double *z0,
                           const double *e, const double *v, const int rates, double *z,
                           double *zd) {
    vd x[6] = {{0}}, y[6] = {{0}};
    for (int i = 0; z0 && i < 3 * n; i++) {
        x[i] = GOS_CV8(z0, 3 * q + i);
    }
    for (int j = 0; j < nv; j++) {
        for (int r = 0; r < n; r++) {
            const vd s = GOS_CV8(b, (q + r) * nv + j);
            for (int c = 0; c < 3; c++) {
                x[3 * r + c] += s * e[3 * j + c];
                if (rates) {
                    y[3 * r + c] += s * v[3 * j + c];
                }
            }
        }
    }
    for (int i = 0; i < 3 * n; i++) {
        GOS_V8(z, 3 * q + i) = x[i];
        if (rates) {
            GOS_V8(zd, 3 * q + i) = y[i];
        }
    }
}

GOS_INLINE void interpolate_dense(const double *b, int nz, int nv, const double *z0,
                                  const double *e, const double *v, const int rates, double *z,
                                  double *zd) {
    int q = 0;
    for (; q + 2 <= nz; q += 2) {
        rows_dense(b, q, 2, nv, z0, e, v, rates, z, zd);
    }
    if (q < nz) {
        rows_dense(b, q, 1, nv, z0, e, v, rates, z, zd);
    }
}

/* Whether any resultant is nonzero; heated surfaces have none. */
GOS_INLINE bool acts(int nz, const double *sigma) {
    vl any = {0};
    for (int i = 0; i < 3 * nz; i++) {
        any |= GOS_CV8(sigma, i) != 0;
    }
    int64_t all = 0;
    for (int l = 0; l < L; l++) {
        all |= any[l];
    }
    return all != 0;
}

/* Q_j += w sum_q b_qj sigma_q for n rows from q; fresh: Q is uninitialised */
GOS_INLINE void spread_rows(const double *b, const vd *w, int q, const int n, int nv,
                            const double *sigma, const int fresh, double *Q) {
    vd x[9];
    for (int i = 0; i < 3 * n; i++) {
        x[i] = *w * GOS_CV8(sigma, 3 * q + i);
    }
    for (int j = 0; j < nv; j++) {
        vd f[3] = {{0}};
        for (int c = 0; c < 3 && !fresh; c++) {
            f[c] = GOS_CV8(Q, 3 * j + c);
        }
        for (int r = 0; r < n; r++) {
            const vd s = GOS_CV8(b, (q + r) * nv + j);
            for (int c = 0; c < 3; c++) {
                f[c] += s * x[3 * r + c];
            }
        }
        for (int c = 0; c < 3; c++) {
            GOS_V8(Q, 3 * j + c) = f[c];
        }
    }
}

GOS_INLINE void spread_some(const double *b, const vd *w, int q, int n, int nv, const double *sigma,
                            const int fresh, double *Q) {
    if (n == 3) {
        spread_rows(b, w, q, 3, nv, sigma, fresh, Q);
    } else if (n == 2) {
        spread_rows(b, w, q, 2, nv, sigma, fresh, Q);
    } else {
        spread_rows(b, w, q, 1, nv, sigma, fresh, Q);
    }
}

/* three rows at a time, to reduce memory traffic */
GOS_INLINE void spread(const double *b, const vd *w, int nz, int nv, const double *sigma,
                       bool fresh, double *Q) {
    int q = 0;
    if (fresh) {
        q = nz < 3 ? nz : 3;
        spread_some(b, w, 0, q, nv, sigma, 1, Q);
    }
    for (; q + 3 <= nz; q += 3) {
        spread_rows(b, w, q, 3, nv, sigma, 0, Q);
    }
    if (q < nz) {
        spread_some(b, w, q, nz - q, nv, sigma, 0, Q);
    }
}

GOS_INLINE void temperatures_at(const double *N, int nt, int nfam, const double *th, double *t) {
    for (int f = 0; f < nfam; f++) {
        vd x = {0};
        for (int i = 0; i < nt; i++) {
            x += GOS_CV8(N, i) * GOS_CV8(th, i * nfam + f);
        }
        GOS_V8(t, f) = x;
    }
}

/* lanes share the temperature coordinates */
GOS_INLINE void temperatures_dense(const double *N, int nt, int nfam, const int *it,
                                   const double *th, double *t) {
    for (int f = 0; f < nfam; f++) {
        vd x = {0};
        for (int i = 0; i < nt; i++) {
            x += GOS_CV8(N, i) * th[it[(i * nfam + f) * L]];
        }
        GOS_V8(t, f) = x;
    }
}

GOS_INLINE void spread_heat(const double *N, const vd *w, int nt, int nfam, int n,
                            const double *heat, double *R) {
    for (int f = 0; f < n; f++) {
        const vd h = *w * GOS_CV8(heat, f);
        for (int i = 0; i < nt; i++) {
            GOS_V8(R, i * nfam + f) += GOS_CV8(N, i) * h;
        }
    }
}

/* tables of batch ib, point g */
typedef struct tables {
    const double *b, *N, *w, *ref, *z0;
} tables;

GOS_INLINE tables tables_of(const gos_points *p, int ib, int g) {
    const size_t k = (size_t)p->tab[ib] * p->ng + g;
    tables t;
    t.b = p->b + k * (p->law->nz * p->nv) * L;
    t.N = p->N ? p->N + k * p->nt * L : NULL;
    t.w = p->w + k * L;
    t.ref = p->ref ? p->ref + k * p->law->nref * L : NULL;
    t.z0 = p->z0 ? p->z0 + k * (3 * p->law->nz) * L : NULL;
    return t;
}

GOS_INLINE size_t memory_at(const gos_points *p, int ib, int g) {
    return p->m0 + ((size_t)ib * p->ng + g) * p->law->nmem * L;
}

GOS_INLINE const double *light_at(const gos_points *p, const gos_surface *f, int ib, int g,
                                  const gos_points_sum *s, vd *lit) {
    if (!f->shadow) {
        return NULL;
    }
    const double *at = s->mem + f->lit + ((size_t)ib * p->ng + g) * GOS_SHADOW_OF_POINT * L;
    const double ahead = gos__shadow_ahead(s->mem + f->shadow->m0, s->t);
    for (int l = 0; l < L; l++) {
        const double x = at[l] + ahead * at[L + l];
        (*lit)[l] = x < 0 ? 0 : x > 1 ? 1 : x;
    }
    return (const double *)lit;
}

/* pairwise, to shorten dependency chains */
GOS_INLINE double lane_sum(const vd *x) {
    return (((*x)[0] + (*x)[4]) + ((*x)[2] + (*x)[6])) +
           (((*x)[1] + (*x)[5]) + ((*x)[3] + (*x)[7]));
}

/* Scatters batch ib to all coordinates, or only to those of this part (held). */
GOS_INLINE void scatter_batch(const gos_points *p, int ib, const gos_points_held *held,
                              const gos_points_sum *s, const scratch *k, const int nv,
                              bool forces) {
    const int nt = p->nt * p->nfam;
    const int *iv = p->v + (size_t)ib * (nv * L);
    const int *it = nt ? p->th + (size_t)ib * (nt * L) : NULL;
    const bool heat = nt && s->R, work = nt && s->energy && s->dwdth;
    if (!s->Q) {
        return;
    }
    if (held && held->mask) {
        scatter3_masked(iv, nv, k->Q, held->mask, false, s->Q);
        memcpy(held->kept, k->Q, sizeof(vd) * 3 * nv);
        if (heat) {
            scatter1_masked(it, nt, k->R, held->mask + 3 * nv, false, s->R);
            memcpy(held->kept + 3 * nv * L, k->R, sizeof(vd) * nt);
        }
        if (work) {
            scatter1_masked(it, nt, k->W, held->mask + 3 * nv, false, s->dwdth);
            memcpy(held->kept + (3 * nv + nt) * L, k->W, sizeof(vd) * nt);
        }
        return;
    }
    if (forces) {
        scatter3(iv, nv, k->Q, s->Q);
    }
    if (heat) {
        scatter1(it, nt, k->R, s->R);
    }
    if (work) {
        scatter1(it, nt, k->W, s->dwdth);
    }
}

void gos__points_add_kept(const gos_points *p, int ib, const gos_points_held *held,
                          const gos_points_sum *s) {
    const int nv = p->nv, nt = p->nt * p->nfam;
    const int *it = nt ? p->th + (size_t)ib * (nt * L) : NULL;
    if (!s->Q) {
        return;
    }
    scatter3_masked(p->v + (size_t)ib * (nv * L), nv, held->kept, held->mask, true, s->Q);
    if (nt && s->R) {
        scatter1_masked(it, nt, held->kept + 3 * nv * L, held->mask + 3 * nv, true, s->R);
    }
    if (nt && s->energy && s->dwdth) {
        scatter1_masked(it, nt, held->kept + (3 * nv + nt) * L, held->mask + 3 * nv, true,
                        s->dwdth);
    }
}

/* *forces: set if any are added. `force`: the law always has some. */
GOS_INLINE void residual_batch(const gos_points *p, int ib, const gos_points_part *part,
                               const gos_points_sum *s, scratch *k, const int nz, const int nv,
                               bool *forces, const int force, const int dense) {
    const int nf = p->nfam, nt = p->nt * nf;
    const int *iv = p->v + (size_t)ib * (nv * L);
    const int *it = nt ? p->th + (size_t)ib * (nt * L) : NULL;
    const int rates = s->v != NULL && p->rates, extra = s->energy != NULL, heat = nt && s->R;
    if (!dense) {
        gather3(iv, nv, s->e, k->e);
        if (rates) {
            gather3(iv, nv, s->v, k->v);
        }
        memset(k->Q, 0, sizeof(vd) * 3 * nv);
    }
    if (nt && !dense) {
        gather1(it, nt, s->th, k->th);
        memset(k->R, 0, sizeof(vd) * nt);
        memset(k->W, 0, sizeof(vd) * nt);
    }
    gos_batch b = {.z = k->z,
                   .zd = rates ? k->zd : NULL,
                   .th = nt ? k->t : NULL,
                   .sigma = k->sigma,
                   .heat = heat ? k->heat : NULL,
                   .energy = extra ? k->energy : NULL,
                   .power = k->power,
                   .dwdth = k->dwdth};
    vd energy = {0}, power = {0};
    for (int g = 0; g < p->ng; g++) {
        const tables t = tables_of(p, ib, g);
        const vd w = GOS_CV8(t.w, 0);
        if (dense) {
            const double *e = s->e + 3L * iv[0];
            if (rates) {
                interpolate_dense(t.b, nz, nv, t.z0, e, s->v + 3L * iv[0], 1, k->z, k->zd);
            } else {
                interpolate_dense(t.b, nz, nv, t.z0, e, NULL, 0, k->z, k->zd);
            }
        } else {
            interpolate(t.b, nz, nv, t.z0, k->e, k->z);
            if (rates) {
                interpolate(t.b, nz, nv, NULL, k->v, k->zd);
            }
        }
        if (nt) {
            if (dense) {
                temperatures_dense(t.N, p->nt, nf, it, s->th, k->t);
            } else {
                temperatures_at(t.N, p->nt, nf, k->th, k->t);
            }
            memset(k->heat, 0, sizeof(vd) * nf);
        }
        b.ref = t.ref;
        b.mem = p->law->nmem ? s->mem + memory_at(p, ib, g) : NULL;
        p->law->resultants(p->par, nf, &b);
        if (s->Q && (force || acts(nz, k->sigma))) {
            spread(t.b, &w, nz, nv, k->sigma, dense && !*forces, k->Q);
            *forces = true;
        }
        if (heat) {
            for (int i = 0; i < p->nsurf; i++) {
                const gos_surface *f = &p->surf[i];
                vd lit;
                b.lit = light_at(p, f, ib, g, s, &lit);
                f->type->eval(f->par, p->law, p->par, nf, s->fn + f->fn0, s->scale, &b);
            }
            spread_heat(t.N, &w, p->nt, nf, nf, k->heat, k->R);
        }
        if (extra) {
            energy += w * GOS_CV8(k->energy, 0);
            power += w * GOS_CV8(k->power, 0);
            if (nt && s->dwdth) {
                spread_heat(t.N, &w, p->nt, nf, nf < 3 ? nf : 3, k->dwdth, k->W);
            }
        }
    }
    if (!dense) {
        scatter_batch(p, ib, part->held ? &part->held[ib] : NULL, s, k, nv, *forces);
    }
    if (extra && part->energy) {
        part->energy[ib] = lane_sum(&energy);
        part->power[ib] = lane_sum(&power);
    } else if (extra) {
        *s->energy += lane_sum(&energy);
        *s->power += lane_sum(&power);
    }
}

GOS_INLINE void reduce_lanes(const double *x, int n, const int *index, double *to) {
    for (int i = 0; i < n; i++) {
        const vd q = GOS_CV8(x, i);
        to[index ? index[i * L] : i] += lane_sum(&q);
    }
}

GOS_INLINE void residual_dense(const gos_points *p, const gos_points_part *part,
                               const gos_points_sum *s, scratch *k) {
    const int nt = p->nt * p->nfam;
    memset(k->R, 0, sizeof(vd) * nt);
    memset(k->W, 0, sizeof(vd) * nt);
    bool forces = false;
    for (int ib = 0; ib < p->nb; ib++) {
        residual_batch(p, ib, part, s, k, p->law->nz, p->nv, &forces, 0, 1);
    }
    if (forces) {
        reduce_lanes(k->Q, 3 * p->nv, NULL, s->Q + 3L * p->v[0]);
    }
    if (nt && s->R) {
        reduce_lanes(k->R, nt, p->th, s->R);
    }
    if (nt && s->energy && s->dwdth) {
        reduce_lanes(k->W, nt, p->th, s->dwdth);
    }
}

/* All points together, with the first batch's energy. */
static void residual_gram(const gos_points *p, const gos_points_part *part, const gos_points_sum *s,
                          double *work) {
    for (int ib = 0; ib < p->nb && part->energy; ib++) {
        part->energy[ib] = part->power[ib] = 0;
    }
    gos__gram_residual(p, s, part->energy ? part->energy : s->energy,
                       part->energy ? part->power : s->power, work);
}

GOS_KERNEL void gos__points_residual_part(const gos_points *p, const gos_points_part *part,
                                          const gos_points_sum *s, double *work) {
    scratch k;
    if (p->gram) {
        residual_gram(p, part, s, work);
        return;
    }
    bool forces = false;
    carve(p, work, &k);
    if (p->dense) {
        residual_dense(p, part, s, &k);
    } else if (p->law->nz == 2 && p->nv == 4) {
        for (int ib = part->from; ib < part->to; ib++) {
            residual_batch(p, ib, part, s, &k, 2, 4, &forces, 1, 0);
        }
    } else if (p->law->nz == 5 && p->nv == 12) {
        for (int ib = part->from; ib < part->to; ib++) {
            residual_batch(p, ib, part, s, &k, 5, 12, &forces, 1, 0);
        }
    } else {
        for (int ib = part->from; ib < part->to; ib++) {
            residual_batch(p, ib, part, s, &k, p->law->nz, p->nv, &forces, 0, 0);
        }
    }
}

void gos__points_residual(const gos_points *p, const gos_points_sum *s, double *work) {
    gos__points_residual_part(p, &(gos_points_part){.to = p->nb}, s, work);
}

GOS_INLINE void tangent_point(const gos_points *p, int ib, int g, const tables *t,
                              const double *mem, const gos_points_sum *s,
                              const gos_points_factors *factors, scratch *k, const int nz) {
    const int nf = p->nfam, rates = s->v != NULL && p->rates, thermal = p->nt > 0;
    gos_batch b = {.z = k->z,
                   .zd = rates ? k->zd : NULL,
                   .th = thermal ? k->t : NULL,
                   .ref = t->ref,
                   .mem = mem,
                   .ck = factors->k,
                   .cd = factors->d,
                   .geometric = factors->geometric,
                   .hk = factors->hk,
                   .hd = factors->hd,
                   .Kz = k->Kz,
                   .G = thermal ? k->G : NULL,
                   .Hz = thermal ? k->Hz : NULL,
                   .Ht = thermal ? k->Ht : NULL};
    if (thermal) {
        memset(k->G, 0, sizeof(vd) * (3 * nz * nf));
        memset(k->Hz, 0, sizeof(vd) * (3 * nz * nf));
        memset(k->Ht, 0, sizeof(vd) * (nf * nf));
    }
    p->law->tangent(p->par, nf, &b);
    for (int i = 0; thermal && i < p->nsurf; i++) {
        const gos_surface *f = &p->surf[i];
        vd lit;
        b.lit = light_at(p, f, ib, g, s, &lit);
        f->type->tangent(f->par, p->law, p->par, nf, s->fn + f->fn0, s->scale, &b);
    }
}

/* T(3 nz, 3 nv) = w Kz b */
GOS_INLINE void project_half(const double *b, const vd *w, int nz, int nv, const double *Kz,
                             double *T) {
    for (int q = 0; q < 3 * nz; q++) {
        for (int j = 0; j < nv; j++) {
            vd x = {0}, y = {0}, z = {0};
            for (int r = 0; r < nz; r++) {
                const vd s = GOS_CV8(b, r * nv + j);
                x += s * GOS_CV8(Kz, q * 3 * nz + 3 * r);
                y += s * GOS_CV8(Kz, q * 3 * nz + 3 * r + 1);
                z += s * GOS_CV8(Kz, q * 3 * nz + 3 * r + 2);
            }
            GOS_V8(T, q * 3 * nv + 3 * j) = *w * x;
            GOS_V8(T, q * 3 * nv + 3 * j + 1) = *w * y;
            GOS_V8(T, q * 3 * nv + 3 * j + 2) = *w * z;
        }
    }
}

GOS_INLINE void add_stiffness(const double *b, int nz, int nv, const double *T, int n, double *A) {
    for (int i = 0; i < nv; i++) {
        for (int c = 0; c < 3; c++) {
            for (int j = 0; j < 3 * nv; j++) {
                vd x = GOS_CV8(A, (3 * i + c) * n + j);
                for (int q = 0; q < nz; q++) {
                    x += GOS_CV8(b, q * nv + i) * GOS_CV8(T, (3 * q + c) * 3 * nv + j);
                }
                GOS_V8(A, (3 * i + c) * n + j) = x;
            }
        }
    }
}

/* Adds the force-temperature, heat-coordinate and heat-temperature blocks. */
GOS_INLINE void add_thermal(const gos_points *p, const tables *t, const vd *w,
                            const gos_points_factors *factors, const scratch *k, int nz, int nv,
                            int n, double *A) {
    const int nf = p->nfam;
    for (int i = 0; i < p->nt; i++) {
        const vd wN = *w * GOS_CV8(t->N, i), kN = factors->k * wN, hN = factors->hk * wN;
        for (int f = 0; f < nf; f++) {
            const int row = 3 * nv + i * nf + f;
            for (int j = 0; j < nv; j++) {
                for (int c = 0; c < 3; c++) {
                    vd g = {0}, h = {0};
                    for (int q = 0; q < nz; q++) {
                        const vd s = GOS_CV8(t->b, q * nv + j);
                        g += s * GOS_CV8(k->G, (3 * q + c) * nf + f);
                        h += s * GOS_CV8(k->Hz, f * 3 * nz + 3 * q + c);
                    }
                    GOS_V8(A, (3 * j + c) * n + row) += kN * g;
                    GOS_V8(A, row * n + 3 * j + c) -= wN * h;
                }
            }
            for (int j = 0; j < p->nt; j++) {
                const vd hNN = hN * GOS_CV8(t->N, j);
                for (int h = 0; h < nf; h++) {
                    GOS_V8(A, row * n + 3 * nv + j * nf + h) -= hNN * GOS_CV8(k->Ht, f * nf + h);
                }
            }
        }
    }
}

GOS_INLINE void tangent_batch(const gos_points *p, int ib, const gos_points_sum *s,
                              const gos_points_factors *f, double *A, scratch *k, const int nz,
                              const int nv) {
    const int nf = p->nfam, nt = p->nt * nf, n = 3 * nv + nt;
    const int *iv = p->v + (size_t)ib * (nv * L);
    const int rates = s->v != NULL && p->rates;
    gather3(iv, nv, s->e, k->e);
    if (rates) {
        gather3(iv, nv, s->v, k->v);
    }
    if (nt) {
        gather1(p->th + (size_t)ib * (nt * L), nt, s->th, k->th);
    }
    memset(A, 0, sizeof(vd) * (n * n));
    for (int g = 0; g < p->ng; g++) {
        const tables t = tables_of(p, ib, g);
        const vd w = GOS_CV8(t.w, 0);
        interpolate(t.b, nz, nv, t.z0, k->e, k->z);
        if (rates) {
            interpolate(t.b, nz, nv, NULL, k->v, k->zd);
        }
        if (nt) {
            temperatures_at(t.N, p->nt, nf, k->th, k->t);
        }
        const double *mem = p->law->nmem ? s->mem + memory_at(p, ib, g) : NULL;
        tangent_point(p, ib, g, &t, mem, s, f, k, nz);
        project_half(t.b, &w, nz, nv, k->Kz, k->T);
        add_stiffness(t.b, nz, nv, k->T, n, A);
        if (nt) {
            add_thermal(p, &t, &w, f, k, nz, nv, n, A);
        }
    }
}

GOS_KERNEL void gos__points_tangent(const gos_points *p, int ib, const gos_points_sum *s,
                                    const gos_points_factors *f, double *A, double *work) {
    scratch k;
    carve(p, work, &k);
    if (p->law->nz == 2 && p->nv == 4) {
        tangent_batch(p, ib, s, f, A, &k, 2, 4);
    } else if (p->law->nz == 5 && p->nv == 12) {
        tangent_batch(p, ib, s, f, A, &k, 5, 12);
    } else {
        tangent_batch(p, ib, s, f, A, &k, p->law->nz, p->nv);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

GOS_INLINE void values_at(const gos_points *p, int ib, int g, const gos_points_sum *s, scratch *k) {
    const int nz = p->law->nz, nv = p->nv, nf = p->nfam, nt = p->nt * nf;
    const int *iv = p->v + (size_t)ib * (nv * L);
    const int *it = nt ? p->th + (size_t)ib * (nt * L) : NULL;
    const tables t = tables_of(p, ib, g);
    if (p->dense) {
        interpolate_dense(t.b, nz, nv, t.z0, s->e + 3L * iv[0], s->v + 3L * iv[0], 1, k->z, k->zd);
        if (nt) {
            temperatures_dense(t.N, p->nt, nf, it, s->th, k->t);
        }
        return;
    }
    gather3(iv, nv, s->e, k->e);
    gather3(iv, nv, s->v, k->v);
    interpolate(t.b, nz, nv, t.z0, k->e, k->z);
    interpolate(t.b, nz, nv, NULL, k->v, k->zd);
    if (nt) {
        gather1(it, nt, s->th, k->th);
        temperatures_at(t.N, p->nt, nf, k->th, k->t);
    }
}

GOS_KERNEL void gos__points_accept(const gos_points *p, const gos_points_sum *s, double *mem,
                                   double *work) {
    scratch k;
    carve(p, work, &k);
    for (int ib = 0; ib < p->nb; ib++) {
        for (int g = 0; g < p->ng; g++) {
            const size_t at = memory_at(p, ib, g);
            values_at(p, ib, g, s, &k);
            const gos_batch b = {.z = k.z,
                                 .zd = k.zd,
                                 .th = p->nt ? k.t : NULL,
                                 .ref = tables_of(p, ib, g).ref,
                                 .mem = s->mem + at};
            p->law->accept(p->par, p->nfam, &b, mem + at);
        }
    }
}
