/* Newton matrix of floating bodies (made-coordinates.md, 3), factors m, d, k:

       m E^T M E + 2 d E^T M E' + k (E^T M E'' + Gamma),     Gamma = d(E^T f)/dy at constant f.

   Rows use E, columns m E + 2 d E' + k E''; at a derived vector a_c s both have a multiple of I3 by
   a_c and 3-vectors by amplitudes of s. Local blocks are summed first. A field G adds -k E^T M_e G
   E. */
#include "math/vec3.h"
#include "system/derived.h"
#include "system/gravity_gradient.h"

/* Sums of a body. Vectors 0 .. 3 are r, a_1, a_2, a_3. */
typedef struct blocks {
    double *vv;  // multiples of I3 (4, 4)
    double *vz;  // rows of vectors (4, n, 3)
    double *zv;  // rows of amplitudes (n, 4, 3)
    double *zz;  // (b->zz.nnz)
    double *vg;  // field blocks (4, 4, 9)
    double *row; // forms: a_c ds/dz by amplitudes of each derived vector (nsup, 3)
    double *col; // forms: the same for columns (nsup, 3)
    double *s;   // multiple of I3 in the columns (nvec)
    double *y;   // mass times vector rows, (4, nvec)
    double *w;   // mass times vector columns, (nvec, 4)
    double b[9]; // amplitude columns: m a_d + 2 d a_d' + k a_d'' (3, 3)
    double G[9]; // a_c . b_d
} blocks;

/* size of zeroed sums */
static size_t sums_of(const gos_floating *b) {
    const size_t n = b->n, nvec = b->nact;
    return 16 + 24 * n + b->zz.nnz + 8 * nvec + 144;
}

static size_t room_of(const gos_floating *b) {
    const size_t nsup = b->sup_p[b->nact], nvec = b->nact;
    return sums_of(b) + 6 * nsup + nvec;
}

size_t gos__derived_local(const gos_floating *b) {
    return room_of(b);
}

static blocks blocks_in(const gos_floating *b, double *at) {
    const size_t n = b->n, nsup = b->sup_p[b->nact], nvec = b->nact;
    blocks k = {.vv = at};
    k.vz = k.vv + 16;
    k.zv = k.vz + 12 * n;
    k.zz = k.zv + 12 * n;
    k.y = k.zz + b->zz.nnz;
    k.w = k.y + 4 * nvec;
    k.vg = k.w + 4 * nvec;
    k.row = k.vg + 144;
    k.col = k.row + 3 * nsup;
    k.s = k.col + 3 * nsup;
    return k;
}

static int vector_of(const gos_floating *b, int i) {
    return i == 0 ? b->r : b->axis + i - 1;
}

/* fixed order; a field makes vector blocks full */
static void entries(const gos_floating *b, bool field, gos_entry_sink *sink, const blocks *k) {
    for (int i = 0; i < 16; i++) {
        const int row = 3 * vector_of(b, i / 4), col = 3 * vector_of(b, i % 4);
        for (int c = 0; c < 9; c++) {
            const bool diagonal = c % 4 == 0;
            if (diagonal || field) {
                sink->add(sink, row + c / 3, col + c % 3,
                          k ? (diagonal ? k->vv[i] : 0) + k->vg[9 * i + c] : 0);
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int z = 0; z < b->n; z++) {
            for (int c = 0; c < 3; c++) {
                const int v = 3 * vector_of(b, i) + c;
                sink->add(sink, v, b->z[z], k ? k->vz[3 * (i * b->n + z) + c] : 0);
                sink->add(sink, b->z[z], v, k ? k->zv[3 * (4 * z + i) + c] : 0);
            }
        }
    }
    for (int i = 0; i < b->n; i++) {
        for (int e = b->zz.p[i]; e < b->zz.p[i + 1]; e++) {
            sink->add(sink, b->z[i], b->z[b->zz.j[e]], k ? k->zz[e] : 0);
        }
    }
}

void gos__derived_entries(const gos_system *s, gos_entry_sink *k) {
    for (int i = 0; s->derived && i < s->derived->nbody; i++) {
        entries(&s->derived->body[i], gos__gravity_gradient_acts(s), k, NULL);
    }
}

static void add_entry(gos_entry_sink *k, int row, int col, double v) {
    GOS_UNUSED(row);
    GOS_UNUSED(col);
    k->values[k->pos[k->n++]] += v;
}

static void fill_form(const gos_floating *b, int t, const gos_derived_work *m,
                      const gos_newton_factors *f, const blocks *k) {
    const gos_derived_pair *vec = b->vec[t];
    const gos_rows_matrix *S = &b->form[vec->s - b->n];
    const int at = 3 * (b->axis + vec->c);
    const double *a = m->q + at, *ad = m->v + at, *add = m->a + at;
    for (int i = b->sup_p[t]; i < b->sup_p[t + 1]; i++) {
        const double g = m->g[b->first_sup + i], gd = m->gd[b->first_sup + i];
        double gdd = 0;
        for (int e = S->p[b->sup_k[i]]; e < S->p[b->sup_k[i] + 1] && f->k != 0; e++) {
            gdd += S->v[e] * m->a[b->z[S->j[e]]];
        }
        const double by_a = f->m * g + 2 * f->d * gd + f->k * gdd;
        const double by_ad = 2 * (f->d * g + f->k * gd), by_add = f->k * g;
        for (int c = 0; c < 3; c++) {
            k->row[3 * i + c] = g * a[c];
            k->col[3 * i + c] = by_a * a[c] + by_ad * ad[c] + by_add * add[c];
        }
    }
}

static void fill(const gos_floating *b, const gos_derived_work *m, const gos_newton_factors *f,
                 blocks *k) {
    const double *a = m->q + 3 * b->axis, *ad = m->v + 3 * b->axis, *add = m->a + 3 * b->axis;
    for (int i = 0; i < 9; i++) {
        k->b[i] = f->m * a[i] + 2 * f->d * ad[i] + f->k * add[i];
    }
    for (int i = 0; i < 9; i++) {
        k->G[i] = gos__dot3(a + 3 * (i / 3), k->b + 3 * (i % 3));
    }
    for (int t = 0; t < b->nact; t++) {
        const int number = -1 - b->vec[t]->number;
        k->s[t] = f->m * m->s[number] + 2 * f->d * m->sd[number] + f->k * m->sdd[number];
        if (b->vec[t]->s >= b->n) {
            fill_form(b, t, m, f, k);
        }
    }
}

static void add3(double f, const double *x, double *y) {
    for (int c = 0; c < 3; c++) {
        y[c] += f * x[c];
    }
}

/* mass entry v between vector i (0 .. 3) and quadratic vector t, symmetric */
static void add_form(const gos_floating *b, const gos_derived_work *m, double factor, int i, int t,
                     double v, const blocks *k) {
    const int a = 1 + b->vec[t]->c;
    k->vv[4 * i + a] += v * k->s[t];
    k->vv[4 * a + i] += v * factor * m->s[-1 - b->vec[t]->number];
    for (int e = b->sup_p[t]; e < b->sup_p[t + 1]; e++) {
        const int z = b->sup_k[e];
        add3(v, k->col + 3 * e, k->vz + 3 * (i * b->n + z));
        add3(v * factor, k->row + 3 * e, k->zv + 3 * (4 * z + i));
    }
}

/* terms at amplitude e: rows of E, columns of m E + 2 d E' + k E'' */
static const double *row_at(const gos_floating *b, const gos_derived_work *m, const blocks *k,
                            int t, int e) {
    const gos_derived_pair *vec = b->vec[t];
    return vec->s < b->n ? m->q + 3 * (b->axis + vec->c) : k->row + 3 * e;
}

static const double *column_at(const gos_floating *b, const blocks *k, int t, int e) {
    const gos_derived_pair *vec = b->vec[t];
    return vec->s < b->n ? k->b + 3 * vec->c : k->col + 3 * e;
}

/* returns the number of zz positions used */
static int add_crossed(const gos_floating *b, const gos_derived_work *m, int s, int t, double v,
                       const int *map, const blocks *k) {
    const int p = 1 + b->vec[s]->c, q = 1 + b->vec[t]->c;
    const double value = m->s[-1 - b->vec[s]->number];
    int n = 0;
    k->vv[4 * p + q] += v * value * k->s[t];
    for (int f = b->sup_p[t]; f < b->sup_p[t + 1]; f++) {
        add3(v * value, column_at(b, k, t, f), k->vz + 3 * (p * b->n + b->sup_k[f]));
    }
    for (int e = b->sup_p[s]; e < b->sup_p[s + 1]; e++) {
        const double *row = row_at(b, m, k, s, e);
        add3(v * k->s[t], row, k->zv + 3 * (4 * b->sup_k[e] + q));
        for (int f = b->sup_p[t]; f < b->sup_p[t + 1]; f++) {
            k->zz[map[n++]] += v * gos__dot3(row, column_at(b, k, t, f));
        }
    }
    return n;
}

/* vectors a_c z_k to y, w and zz (positions map), quadratic ones to all; returns the number of
   positions used */
static int add_row(const gos_floating *b, const gos_derived_work *m, int s, const int *map,
                   const blocks *k) {
    const int c = b->vec[s]->c;
    const double value = m->s[-1 - b->vec[s]->number], *G = k->G + 3 * c;
    double *y = k->y + (1L + c) * b->nact, *w = k->w + 4L * s;
    int n = 0;
    for (int e = b->mass.p[4 + s]; e < b->mass.p[5 + s]; e++) {
        const int t = b->mass.j[e] - 4;
        const bool crossed = t >= 0 && (b->vec[s]->s >= b->n || b->vec[t]->s >= b->n);
        if (crossed) {
            n += add_crossed(b, m, s, t, b->mass.v[e], map + n, k);
        } else if (t >= 0) {
            const double v = b->mass.v[e];
            const int d = b->vec[t]->c;
            y[t] += v * value;
            w[1 + d] += v * k->s[t];
            k->zz[map[n++]] += v * G[d];
        }
    }
    return n;
}

/* distributes y and w */
static void spread(const gos_floating *b, const blocks *k) {
    for (int t = 0; t < b->nact; t++) {
        const int c = b->vec[t]->c, z = b->vec[t]->s;
        if (z >= b->n) {
            continue;
        }
        for (int i = 0; i < 4; i++) {
            const double y = k->y[(long)i * b->nact + t];
            k->vv[4 * i + 1 + c] += y * k->s[t];
            add3(y, k->b + 3 * c, k->vz + 3 * (i * b->n + z));
        }
    }
}

static void add_mass(const gos_floating *b, const gos_derived_work *m, const gos_newton_factors *f,
                     const blocks *k) {
    const int *map = b->mass_zz;
    for (int i = 0; i < 4; i++) {
        for (int e = b->mass.p[i]; e < b->mass.p[i + 1]; e++) {
            const int t = b->mass.j[e] - 4; // entry (t, i) is equal
            const double v = b->mass.v[e];
            if (b->vec[t]->s >= b->n) {
                add_form(b, m, f->m, i, t, v, k);
                continue;
            }
            k->y[(long)i * b->nact + t] += v;
            k->w[4L * t + i] += f->m * v;
            k->vv[4 * (1 + b->vec[t]->c) + i] += f->m * v * m->s[-1 - b->vec[t]->number];
        }
    }
    for (int s = 0; s < b->nact; s++) {
        map += add_row(b, m, s, map, k);
    }
    spread(b, k);
    for (int s = 0; s < b->nact; s++) {
        const double *a = m->q + 3 * (b->axis + b->vec[s]->c);
        for (int j = 0; j < 4 && b->vec[s]->s < b->n; j++) {
            add3(k->w[4L * s + j], a, k->zv + 3 * (4 * b->vec[s]->s + j));
        }
    }
}

static void add_gamma(const gos_floating *b, const gos_derived_work *m, double factor,
                      const double *f, const blocks *k) {
    for (int t = 0; t < b->nact; t++) {
        const gos_derived_pair *vec = b->vec[t];
        const double *ft = f + 3 * vec->number;
        const int a = 1 + vec->c;
        for (int e = b->sup_p[t]; e < b->sup_p[t + 1]; e++) {
            const double g = factor * m->g[b->first_sup + (size_t)e];
            add3(g, ft, k->vz + 3 * (a * b->n + b->sup_k[e]));
            add3(g, ft, k->zv + 3 * (4 * b->sup_k[e] + a));
        }
        if (vec->s >= b->n) {
            const int p = vec->s - b->n;
            const double along = factor * gos__dot3(m->q + 3 * (b->axis + vec->c), ft);
            for (int e = 0; e < b->form[p].nnz; e++) {
                k->zz[b->form_zz[p][e]] += along * b->form[p].v[e];
            }
        }
    }
}

/* field times mass entry v of local vectors p and q: A = v G */
typedef struct pair {
    const gos_floating *b;
    const gos_derived_work *m;
    const blocks *k;
    const double *A;
} pair;

/* *factor: E's factor of its own vector *vector */
static int parts_of(const pair *w, int p, const int **z, const double **g, int *vector,
                    double *factor) {
    if (p < 4) {
        *vector = p;
        *factor = 1;
        return 0;
    }
    const gos_floating *b = w->b;
    const int t = p - 4, first = b->sup_p[t];
    *vector = 1 + b->vec[t]->c;
    *factor = w->m->s[-1 - b->vec[t]->number];
    *z = b->sup_k + first;
    *g = w->m->g + b->first_sup + first;
    return b->sup_p[t + 1] - first;
}

/* A x or A^T x */
static void times(const double A[9], bool transposed, const double *x, double y[3]) {
    for (int c = 0; c < 3; c++) {
        y[c] =
            transposed ? A[c] * x[0] + A[3 + c] * x[1] + A[6 + c] * x[2] : gos__dot3(A + 3 * c, x);
    }
}

/* returns the number of positions used */
static int add_pair(const pair *w, int p, int q, const int *map) {
    const gos_floating *b = w->b;
    const blocks *k = w->k;
    const int *zp = NULL, *zq = NULL;
    const double *gp = NULL, *gq = NULL;
    int vp, vq;
    double sp, sq, Aq[3], Ap[3];
    const int np = parts_of(w, p, &zp, &gp, &vp, &sp), nq = parts_of(w, q, &zq, &gq, &vq, &sq);
    const double *ap = w->m->q + 3 * (b->axis + vp - 1), *aq = w->m->q + 3 * (b->axis + vq - 1);
    for (int c = 0; c < 9; c++) {
        k->vg[9 * (4 * vp + vq) + c] += sp * sq * w->A[c];
    }
    if (nq > 0) {
        times(w->A, false, aq, Aq);
    }
    for (int j = 0; j < nq; j++) {
        add3(sp * gq[j], Aq, k->vz + 3 * (vp * b->n + zq[j]));
    }
    if (np > 0) {
        times(w->A, true, ap, Ap);
    }
    for (int i = 0; i < np; i++) {
        add3(sq * gp[i], Ap, k->zv + 3 * (4 * zp[i] + vq));
    }
    for (int i = 0; i < np * nq; i++) {
        k->zz[map[i]] += gp[i / nq] * gq[i % nq] * gos__dot3(ap, Aq);
    }
    return np * nq;
}

static void add_field(const gos_floating *b, const gos_derived_work *m, const double *G,
                      double factor, const blocks *k) {
    const int *map = b->mass_zz;
    double A[9];
    const pair w = {.b = b, .m = m, .k = k, .A = A};
    for (int p = 0; p < 4 + b->nact; p++) {
        for (int e = b->mass.p[p]; e < b->mass.p[p + 1]; e++) {
            for (int c = 0; c < 9; c++) {
                A[c] = factor * b->mass.v[e] * G[c];
            }
            map += add_pair(&w, p, b->mass.j[e], map);
        }
    }
}

void gos__derived_jacobian(const gos_system *s, const gos_derived_work *m,
                           const gos_newton_factors *k, bool inertia, const double *f,
                           const double *gravity_gradient, double *values) {
    if (!m) {
        return;
    }
    gos_entry_sink sink = {.add = add_entry, .values = values, .pos = s->derived->pos};
    for (int i = 0; i < s->derived->nbody; i++) {
        const gos_floating *b = &s->derived->body[i];
        blocks sums = blocks_in(b, m->local);
        memset(m->local, 0, sums_of(b) * sizeof(double));
        if (inertia) {
            fill(b, m, k, &sums);
            add_mass(b, m, k, &sums);
        }
        add_gamma(b, m, k->k, f, &sums);
        if (gravity_gradient) {
            add_field(b, m, gravity_gradient, -k->k, &sums);
        }
        entries(b, gos__gravity_gradient_acts(s), &sink, &sums);
    }
}

gos_status gos__derived_mass_rate(gos_ctx *ctx, gos_work *w, const gos_point_of *x,
                                  gos_sparse *rate) {
    const gos_system *s = w->sys;
    const gos_newton_factors twice = {.d = 1}; // 2 E^T M_e E', whose symmetric part is needed
    gos_sparse raw = {0};
    (void)gos__derived_enter(w, x);
    memset(w->values, 0, s->pattern.nnz * sizeof *w->values);
    gos__derived_jacobian(s, w->derived, &twice, true, w->derived->f, NULL, w->values);
    GOS_TRY(gos__sparse_block(ctx, &s->pattern, w->values, s->at.q, s->nq, s->at.q, s->nq, &raw));
    const gos_status status = gos__sparse_symmetric_part(ctx, &raw, rate, NULL);
    gos__sparse_free(ctx, &raw);
    return status;
}
