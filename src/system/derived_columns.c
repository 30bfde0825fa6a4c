/* Coordinate gradients of markers with derived vectors, x = off + sum_j w_j e_j:

       w_a + sum_m w_am s_m   (times I3) by a,      sum_am w_am (ds_m / dz_k) a   by z_k. */
#include <lapacke.h>
#include <math.h>

#include "math/vec3.h"
#include "system/derived.h"

/* Checks the mass of floating bodies. First-order models combine second-order coupling terms with
   the rigid body only, so E^T M_e E may be indefinite. Critical: frame rotation with amplitudes
   that keep the body at rest, e.g. a clamped basis on a hinge. */

#define OMISSION_TOLERANCE 1e-4 // tolerance for omitted terms, relative to each motion's own mass
#define MAX_AMPLITUDES 600      // maximum amplitudes of a checked body

/* unit motion k into u (nq): translations, rotations about the origin, amplitudes */
static void motion(const gos_floating *b, const double *q, int k, double *u) {
    if (k < 3) {
        u[3 * b->r + k] = 1;
    } else if (k < 6) {
        const double axis[3] = {k == 3, k == 4, k == 5};
        for (int c = 0; c < 3; c++) {
            gos__cross3(axis, q + 3 * (b->axis + c), u + 3 * (b->axis + c));
        }
    } else {
        u[b->z[k - 6]] = 1;
    }
}

/* A (n, n) := mass of motions, normalised; false: a negative diagonal */
static bool mass_of(gos_work *w, const gos_floating *b, const double *q, int n, double *u,
                    double *A) {
    const size_t nq = w->sys->nq;
    double *y = u + nq;
    for (long j = 0; j < n; j++) {
        double moment[3] = {0, 0, 0}, side[3];
        memset(u, 0, nq * sizeof *u);
        motion(b, q, (int)j, u);
        gos__inertia_apply(w, q, u, y);
        for (int c = 0; c < 3; c++) {
            gos__cross3(q + 3 * (b->axis + c), y + 3 * (b->axis + c), side);
            for (int k = 0; k < 3; k++) {
                moment[k] += side[k];
            }
        }
        for (long i = 0; i < n; i++) {
            A[i * n + j] = i < 3 ? y[3 * b->r + i] : i < 6 ? moment[i - 3] : y[b->z[i - 6]];
        }
    }
    for (long i = 0; i < n; i++) {
        if (!(A[i * n + i] > 0)) {
            return false;
        }
        u[i] = 1 / sqrt(A[i * n + i]);
    }
    for (long i = 0; i < (long)n * n; i++) {
        A[i] *= u[i / n] * u[i % n];
        A[i] += i / n == i % n ? OMISSION_TOLERANCE : 0;
    }
    return true;
}

const gos_floating *gos__derived_indefinite(gos_ctx *ctx, gos_work *w, const double *q) {
    const gos_system *s = w->sys;
    for (int k = 0; s->derived && k < s->derived->nbody; k++) {
        const gos_floating *b = &s->derived->body[k];
        const int n = b->n + 6;
        if (b->nform == 0 || b->n > MAX_AMPLITUDES) {
            continue;
        }
        const size_t room = 2 * (size_t)s->nq + n, all = room + (size_t)n * n;
        double *u = gos__alloc(ctx, all, sizeof *u);
        const bool positive = !u || (mass_of(w, b, q, n, u, u + room) &&
                                     LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, u + room, n) == 0);
        gos__free(ctx, u);
        if (!positive) {
            return b;
        }
    }
    return NULL;
}

static bool weighs_derived(const gos_marker *m) {
    for (int j = 0; j < m->n; j++) {
        if (m->idx[j] < 0) {
            return true;
        }
    }
    return false;
}

/* coordinate columns in order of occurrence */
typedef struct numbers {
    int *column; // column per coordinate, -1: none
    int *list;
    int n;
} numbers;

static int column_of(numbers *k, int coordinate) {
    if (k->column[coordinate] < 0) {
        k->column[coordinate] = k->n;
        k->list[k->n++] = coordinate;
    }
    return k->column[coordinate];
}

static void forget(numbers *k) {
    for (int i = 0; i < k->n; i++) {
        k->column[k->list[i]] = -1;
    }
}

static int support_of(const gos_derived_table *t, int number, const gos_floating **b, int *vec) {
    *b = &t->body[t->body_of[-1 - number]];
    *vec = t->vec_of[-1 - number];
    return (*b)->sup_p[*vec + 1] - (*b)->sup_p[*vec];
}

void gos__derived_parts(const gos_system *s, int number, gos_entry_sink *k) {
    const gos_floating *b;
    int vec;
    const int count = support_of(s->derived, number, &b, &vec);
    for (int c = 0; c < 3; c++) {
        k->add(k, 0, 3 * (b->axis + b->vec[vec]->c) + c, 0);
    }
    for (int i = 0; i < count; i++) {
        k->add(k, 0, b->z[b->sup_k[b->sup_p[vec] + i]], 0);
    }
}

/* scratch: column numbers of vector and single coordinates, all -1 */
static gos_status pull_marker(gos_arena *a, const gos_derived_table *t, const gos_marker *m,
                              int *scratch[2], gos_pulled *p) {
    const gos_floating *b;
    int vec, amplitudes = 0;
    for (int j = 0; j < m->n; j++) {
        amplitudes += m->idx[j] < 0 ? support_of(t, m->idx[j], &b, &vec) : 0;
    }
    p->slot = GOS_NEW(a, int, m->n + 1);
    p->zslot = GOS_NEW(a, int, amplitudes + 1);
    numbers v = {scratch[0], GOS_NEW(a, int, m->n + 1), 0};
    numbers z = {scratch[1], GOS_NEW(a, int, amplitudes + 1), 0};
    if (!p->slot || !p->zslot || !v.list || !z.list) {
        return GOS_E_MEMORY;
    }
    int n = 0;
    for (int j = 0; j < m->n; j++) {
        if (m->idx[j] >= 0) {
            p->slot[j] = column_of(&v, m->idx[j]);
            continue;
        }
        const int count = support_of(t, m->idx[j], &b, &vec);
        p->slot[j] = column_of(&v, b->axis + b->vec[vec]->c);
        for (int k = 0; k < count; k++) {
            p->zslot[n++] = column_of(&z, b->z[b->sup_k[b->sup_p[vec] + k]]);
        }
    }
    forget(&v);
    forget(&z);
    p->at = (gos_columns){.n = v.n, .v = v.list, .nz = z.n, .z = z.list};
    return GOS_OK;
}

static gos_status pull_item(gos_arena *a, gos_derived_table *t, gos_item *it, int *scratch[2]) {
    bool any = false;
    for (int m = 0; m < it->nm; m++) {
        any = any || weighs_derived(&it->m[m]);
    }
    if (!any) {
        return GOS_OK;
    }
    size_t values = 0;
    gos_pulled *p = GOS_NEW(a, gos_pulled, it->nm);
    if (!p) {
        return GOS_E_MEMORY;
    }
    for (int m = 0; m < it->nm; m++) {
        GOS_TRY(pull_marker(a, t, &it->m[m], scratch, &p[m]));
        p[m].first = values;
        values += 2 * ((size_t)p[m].at.n + 3 * (size_t)p[m].at.nz);
    }
    t->ncolumn = values > t->ncolumn ? values : t->ncolumn;
    it->pulled = p;
    return GOS_OK;
}

gos_status gos__derived_pull(gos_ctx *ctx, gos_system *s) {
    gos_derived_table *t = s->derived;
    if (!t) {
        return GOS_OK;
    }
    const size_t nq = 3 * (size_t)s->nv;
    int *scratch[2] = {gos__alloc(ctx, nq + 1, sizeof(int)), gos__alloc(ctx, nq + 1, sizeof(int))};
    gos_status status = scratch[0] && scratch[1] ? GOS_OK : GOS_E_MEMORY;
    for (size_t i = 0; i < nq && status == GOS_OK; i++) {
        scratch[0][i] = scratch[1][i] = -1;
    }
    for (int i = 0; i < s->nitem && status == GOS_OK; i++) {
        status = pull_item(s->arena, t, s->item[i], scratch);
    }
    gos__free(ctx, scratch[0]);
    gos__free(ctx, scratch[1]);
    return status;
}

static gos_columns columns_of(const gos_marker *m) {
    return (gos_columns){.n = m->n, .v = m->idx, .w = m->w};
}

void gos__columns_list(const gos_item *it, gos_columns *at) {
    for (int m = 0; m < it->nm; m++) {
        at[m] = it->pulled ? it->pulled[m].at : columns_of(&it->m[m]);
    }
}

static gos_columns values_of(const gos_derived_table *t, const gos_derived_work *m,
                             const gos_marker *marker, const gos_pulled *p) {
    const int n = p->at.n, nz = p->at.nz, *zslot = p->zslot;
    double *weight = m->column + p->first, *wd = weight + n, *g = wd + n, *gd = g + 3 * nz;
    memset(weight, 0, (size_t)(2 * n + 6 * nz) * sizeof *weight);
    for (int j = 0; j < marker->n; j++) {
        const double wj = marker->w[j];
        const int i = marker->idx[j], slot = p->slot[j];
        if (i >= 0) {
            weight[slot] += wj;
            continue;
        }
        const gos_floating *b;
        int vec;
        const int count = support_of(t, i, &b, &vec);
        const double *a = m->q + 3 * (b->axis + b->vec[vec]->c),
                     *ad = m->v + 3 * (b->axis + b->vec[vec]->c);
        const size_t sup = b->first_sup + (size_t)b->sup_p[vec];
        weight[slot] += wj * m->s[-1 - i];
        wd[slot] += wj * m->sd[-1 - i];
        for (int k = 0; k < count; k++, zslot++) {
            for (int c = 0; c < 3; c++) {
                g[3 * *zslot + c] += wj * m->g[sup + (size_t)k] * a[c];
                gd[3 * *zslot + c] +=
                    wj * (m->gd[sup + (size_t)k] * a[c] + m->g[sup + (size_t)k] * ad[c]);
            }
        }
    }
    gos_columns at = p->at;
    at.w = weight;
    at.wd = wd;
    at.g = g;
    at.gd = gd;
    return at;
}

void gos__columns_at(const gos_system *s, const gos_derived_work *m, const gos_item *it,
                     gos_columns *at) {
    for (int i = 0; i < it->nm; i++) {
        at[i] = it->pulled ? values_of(s->derived, m, &it->m[i], &it->pulled[i])
                           : columns_of(&it->m[i]);
    }
}

void gos__columns_row(const gos_columns *at, int nm, const double *cx, bool rates, int row,
                      gos_entry_sink *k) {
    for (int m = 0; m < nm; m++) {
        const double *c = cx + 3 * m, *w = rates ? at[m].wd : at[m].w,
                     *g = rates ? at[m].gd : at[m].g;
        for (int l = 0; l < at[m].n && w; l++) {
            for (int i = 0; i < 3; i++) {
                k->add(k, row, 3 * at[m].v[l] + i, w[l] * c[i]);
            }
        }
        for (int l = 0; l < at[m].nz && g; l++) {
            k->add(k, row, at[m].z[l], gos__dot3(g + 3 * l, c));
        }
    }
}
