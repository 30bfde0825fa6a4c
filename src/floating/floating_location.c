/* Markers of points and directions: weights on origin, axes and derived vectors. Second-order terms
   are made on request. */
#include <math.h>

#include "floating/floating.h"
#include "math/vec3.h"

typedef struct weights {
    gos_floating_body *f;
    gos_arena *a;
    int n, cap;
    int *idx;
    double *w;
} weights;

static gos_status begin(gos_floating_body *f, int cap, weights *to) {
    *to = (weights){.f = f, .a = f->derived->all->arena, .cap = cap};
    to->idx = GOS_NEW(to->a, int, cap);
    to->w = GOS_NEW(to->a, double, cap);
    return to->idx && to->w ? GOS_OK : GOS_E_MEMORY;
}

static void add(weights *to, int idx, double w) {
    to->idx[to->n] = idx;
    to->w[to->n++] = w;
}

/* for the vector a_c s */
static gos_status add_derived(weights *to, int c, int s, double w) {
    int number;
    if (w == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__derived_vector(to->f->derived, c, s, &number));
    add(to, number, w);
    return GOS_OK;
}

static const gos_sparse *rows_of(const gos_floating_body *f, const gos_floating_spot *spot, int i) {
    return spot->turn[i] ? &f->flex->turn : &f->flex->move;
}

/* number of entries in all freedoms of the spot */
static int count_of(const gos_floating_body *f, const gos_floating_spot *spot) {
    int n = 0;
    for (int i = 0; i < spot->n; i++) {
        const gos_sparse *A = rows_of(f, spot, i);
        n += A->p[spot->column[i] + 1] - A->p[spot->column[i]];
    }
    return n;
}

gos_marker gos__floating_still_position(const gos_floating_body *f, int node) {
    double x[3];
    memcpy(x, f->origin, sizeof x);
    for (int i = 0; i < 9 && node >= 0; i++) {
        x[i % 3] += f->flex->x[node][i / 3] * f->axis[i / 3][i % 3];
    }
    return gos__marker_fixed(x);
}

/* ---- forms ----------------------------------------------------------------------------------- */

typedef struct entries {
    gos_arena *a;
    int n, cap;
    int *i, *j;
    double *v;
} entries;

static gos_status begin_entries(gos_arena *a, int cap, entries *e) {
    *e = (entries){.a = a, .cap = cap};
    e->i = GOS_NEW(a, int, cap + 1);
    e->j = GOS_NEW(a, int, cap + 1);
    e->v = GOS_NEW(a, double, cap + 1);
    return e->i && e->j && e->v ? GOS_OK : GOS_E_MEMORY;
}

static void add_entry(entries *e, int i, int j, double v) {
    if (v != 0) {
        e->i[e->n] = i;
        e->j[e->n] = j;
        e->v[e->n++] = v;
    }
}

static void add_sparse(entries *e, double factor, const gos_sparse *S) {
    for (int j = 0; j < S->n; j++) {
        for (int k = S->p[j]; k < S->p[j + 1]; k++) {
            add_entry(e, S->i[k], j, factor * S->x[k]);
        }
    }
}

/* *s: index of the form, -1: zero */
static gos_status make_form(gos_floating_body *f, const entries *e, int *s) {
    const gos_derived_form form = {.nnz = e->n, .i = e->i, .j = e->j, .v = e->v};
    *s = -1;
    return e->n > 0 ? gos__derived_form(f->derived, &form, s) : GOS_OK;
}

gos_status gos__floating_form(gos_floating_body *f, const gos_sparse *S, int *s) {
    entries e;
    GOS_TRY(begin_entries(f->derived->all->arena, S->nnz, &e));
    add_sparse(&e, 1, S);
    return make_form(f, &e, s);
}

static gos_status spot_form(gos_floating_body *f, const gos_floating_spot *spot, int *s) {
    entries e;
    const int n = count_of(f, spot);
    GOS_TRY(begin_entries(f->derived->all->arena, n * n, &e));
    for (int i = 0; i < spot->n * spot->n; i++) {
        const int p = i / spot->n, q = i % spot->n;
        const gos_sparse *A = rows_of(f, spot, p), *B = rows_of(f, spot, q);
        for (int k = A->p[spot->column[p]]; k < A->p[spot->column[p] + 1]; k++) {
            for (int l = B->p[spot->column[q]]; l < B->p[spot->column[q] + 1]; l++) {
                add_entry(&e, A->i[k], B->i[l], spot->S[i] * A->x[k] * B->x[l]);
            }
        }
    }
    return make_form(f, &e, s);
}

/* Weights of the second-order displacement of freedom i. */
static const gos_sparse *second_of(const gos_floating_body *f, const gos_floating_spot *spot,
                                   int i) {
    return spot->turn[i] ? &f->flex->second_turn : &f->flex->second;
}

/* add w times it, by shared element forms */
static gos_status add_shared(weights *to, const gos_sparse *W, int column, const double w[3]) {
    gos_floating_body *f = to->f;
    for (int k = W->p[column]; k < W->p[column + 1]; k++) {
        int *s = &f->form[W->i[k]];
        GOS_TRY(*s == 0 ? gos__floating_form(f, &f->flex->form[W->i[k]], s) : GOS_OK);
        for (int c = 0; c < 3 && *s > 0; c++) {
            GOS_TRY(add_derived(to, c, *s, W->x[k] * w[c]));
        }
    }
    return GOS_OK;
}

/* dense form of a column; *s: index, -1: zero */
static gos_status sum_forms(weights *to, const gos_sparse *W, int column, int *s) {
    const gos_flex *flex = to->f->flex;
    entries e;
    double *sum = gos__zalloc(flex->ctx, (size_t)flex->n * (size_t)flex->n + 1, sizeof *sum);
    gos_status status = sum ? begin_entries(to->a, flex->n * flex->n, &e) : GOS_E_MEMORY;
    for (int k = W->p[column]; k < W->p[column + 1] && status == GOS_OK; k++) {
        const gos_sparse *S = &flex->form[W->i[k]];
        for (int j = 0; S->p && j < S->n; j++) {
            for (int i = S->p[j]; i < S->p[j + 1]; i++) {
                sum[S->i[i] + j * flex->n] += W->x[k] * S->x[i];
            }
        }
    }
    for (int i = 0; i < flex->n * flex->n && status == GOS_OK; i++) {
        add_entry(&e, i % flex->n, i / flex->n, sum[i]);
    }
    status = status == GOS_OK ? make_form(to->f, &e, s) : status;
    gos__free(flex->ctx, sum);
    return status;
}

/* ... by a separate form */
static gos_status add_own(weights *to, const gos_sparse *W, int column, int *s, const double w[3]) {
    const int first = W->p[column], count = W->p[column + 1] - first;
    if (*s == 0 && count == 0) {
        *s = -1;
    } else if (*s == 0 && count == 1 && W->x[first] == 1) {
        GOS_TRY(gos__floating_form(to->f, &to->f->flex->form[W->i[first]], s));
    } else if (*s == 0) {
        GOS_TRY(sum_forms(to, W, column, s));
    }
    for (int c = 0; c < 3 && *s > 0; c++) {
        GOS_TRY(add_derived(to, c, *s, w[c]));
    }
    return GOS_OK;
}

/* upper bound of the derived vectors of a spot */
static int count_second(const gos_floating_body *f, const gos_floating_spot *spot) {
    int n = 3;
    for (int i = 0; i < spot->n && f->second; i++) {
        const gos_sparse *W = second_of(f, spot, i);
        n += f->shared && W->p ? 3 * (W->p[spot->column[i] + 1] - W->p[spot->column[i]]) : 3;
    }
    return n;
}

/* second-order terms of freedoms, along vectors by[i] */
static gos_status add_second(weights *to, const gos_floating_spot *spot, double (*by)[3]) {
    gos_floating_body *f = to->f;
    for (int i = 0; i < spot->n; i++) {
        const gos_sparse *W = second_of(f, spot, i);
        const int node = spot->column[i] / 3, c = spot->column[i] % 3;
        if (!W->p || gos__norm3(by[i]) == 0) {
            continue;
        }
        int *own = spot->turn[i] ? &f->node_turn[node][c] : &f->node_form[node][c];
        GOS_TRY(f->shared ? add_shared(to, W, spot->column[i], by[i])
                          : add_own(to, W, spot->column[i], own, by[i]));
    }
    return GOS_OK;
}

/* shortening of the spot between nodes */
static gos_status add_drawn(weights *to, const gos_floating_spot *spot) {
    int s = -1;
    GOS_TRY(spot->S ? spot_form(to->f, spot, &s) : GOS_OK);
    for (int c = 0; c < 3 && s > 0; c++) {
        GOS_TRY(add_derived(to, c, s, -spot->axis[c]));
    }
    return GOS_OK;
}

/* ---- points ---------------------------------------------------------------------------------- */

void gos__floating_spot(const gos_floating_body *f, int node, gos_floating_spot *spot) {
    *spot = (gos_floating_spot){.n = 6, .node = node};
    memcpy(spot->X, f->flex->x[node], sizeof spot->X);
    for (int i = 0; i < 6; i++) {
        spot->column[i] = 3 * node + i % 3;
        spot->turn[i] = i >= 3;
        (i < 3 ? spot->u : spot->psi)[i][i % 3] = 1;
    }
}

gos_status gos__floating_position(gos_floating_body *f, const gos_floating_spot *spot,
                                  gos_marker *m) {
    weights to;
    GOS_TRY(begin(f, 4 + (spot ? 3 * count_of(f, spot) + count_second(f, spot) : 0), &to));
    add(&to, f->r, 1);
    for (int c = 0; c < 3 && spot; c++) {
        add(&to, f->r + 1 + c, spot->X[c]);
    }
    for (int i = 0; spot && i < spot->n; i++) {
        const gos_sparse *A = rows_of(f, spot, i);
        for (int k = A->p[spot->column[i]]; k < A->p[spot->column[i] + 1]; k++) {
            for (int c = 0; c < 3; c++) {
                GOS_TRY(add_derived(&to, c, A->i[k], spot->u[i][c] * A->x[k]));
            }
        }
    }
    if (spot && f->second) {
        double by[GOS_FLOATING_ROWS][3];
        memcpy(by, spot->u, sizeof by);
        GOS_TRY(add_second(&to, spot, by));
        GOS_TRY(add_drawn(&to, spot));
    }
    return gos__marker_make(to.a, to.n, to.idx, to.w, NULL, m);
}

/* ---- directions ------------------------------------------------------------------------------ */

/* rotation by amplitudes, stored consecutively */
typedef struct rotation {
    int n;
    int *k;
    double (*psi)[3];
} rotation;

static gos_status rotation_of(const gos_floating_body *f, const gos_floating_spot *spot,
                              rotation *r) {
    gos_arena *a = f->derived->all->arena;
    const int n = count_of(f, spot);
    *r = (rotation){.k = GOS_NEW(a, int, n + 1)};
    r->psi = gos__arena_alloc(a, (size_t)n + 1, sizeof *r->psi);
    if (!r->k || !r->psi) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < spot->n; i++) {
        const gos_sparse *A = rows_of(f, spot, i);
        if (gos__norm3(spot->psi[i]) == 0) {
            continue;
        }
        for (int k = A->p[spot->column[i]]; k < A->p[spot->column[i] + 1]; k++) {
            r->k[r->n] = A->i[k];
            for (int c = 0; c < 3; c++) {
                r->psi[r->n][c] = spot->psi[i][c] * A->x[k];
            }
            r->n++;
        }
    }
    return GOS_OK;
}

static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/* theta_i theta_j of pair p, -1: zero; *cache: 0: unknown */
static gos_status turn_product(gos_floating_body *f, const rotation *r, int p, int *cache) {
    entries e;
    if (*cache != 0) {
        return GOS_OK;
    }
    const int i = pair[p][0], j = pair[p][1];
    GOS_TRY(begin_entries(f->derived->all->arena, r->n * r->n, &e));
    for (int k = 0; k < r->n * r->n; k++) {
        const double *a = r->psi[k / r->n], *b = r->psi[k % r->n];
        add_entry(&e, r->k[k / r->n], r->k[k % r->n], a[i] * b[j] + a[j] * b[i]);
    }
    return make_form(f, &e, cache);
}

/* theta x (theta x d) / 2 = (theta (theta . d) - d theta^2) / 2 */
static gos_status add_turned_twice(weights *to, const rotation *r, const double d[3], int own[6]) {
    for (int p = 0; p < 6; p++) {
        const int i = pair[p][0], j = pair[p][1];
        double w[3] = {0};
        w[i] += 0.5 * d[j];
        w[j] += i == j ? 0 : 0.5 * d[i];
        for (int c = 0; c < 3 && i == j; c++) {
            w[c] -= 0.5 * d[c];
        }
        if (w[0] == 0 && w[1] == 0 && w[2] == 0) {
            continue;
        }
        GOS_TRY(turn_product(to->f, r, p, &own[p]));
        for (int c = 0; c < 3 && own[p] > 0; c++) {
            GOS_TRY(add_derived(to, c, own[p], w[c]));
        }
    }
    return GOS_OK;
}

gos_status gos__floating_direction(gos_floating_body *f, const gos_floating_spot *spot,
                                   const double d[3], gos_marker *m) {
    weights to;
    rotation r = {0};
    double body[3];
    int none[6] = {0};
    GOS_TRY(spot ? rotation_of(f, spot, &r) : GOS_OK);
    GOS_TRY(begin(f, 3 + 3 * r.n + 18 + (spot ? count_second(f, spot) : 0), &to));
    for (int c = 0; c < 3; c++) {
        body[c] = gos__dot3(d, f->axis[c]);
        // rounding would couple joints to further axes
        body[c] = fabs(body[c]) > 1e-15 * gos__norm3(d) ? body[c] : 0;
        add(&to, f->r + 1 + c, body[c]);
    }
    for (int k = 0; k < r.n; k++) {
        double turned[3];
        gos__cross3(r.psi[k], body, turned);
        for (int c = 0; c < 3; c++) {
            GOS_TRY(add_derived(&to, c, r.k[k], turned[c]));
        }
    }
    if (spot && f->second) {
        double by[GOS_FLOATING_ROWS][3];
        for (int i = 0; i < spot->n; i++) {
            gos__cross3(spot->psi[i], body, by[i]);
        }
        GOS_TRY(add_second(&to, spot, by));
    }
    if (r.n > 0 && f->second) {
        // between nodes each direction has its own products
        GOS_TRY(add_turned_twice(&to, &r, body, spot->S ? none : f->turn_form[spot->node]));
    }
    return gos__marker_make(to.a, to.n, to.idx, to.w, NULL, m);
}
