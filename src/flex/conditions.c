/* Reference conditions define the frame in the deformed body; without them shapes contain its rigid
 * motions. */
#include <math.h>

#include "flex/flex.h"

typedef struct rows {
    gos_ctx *ctx;
    int n, cap, count; // entries; number of rows
    int *i, *j;
    double *x;
} rows;

static gos_status add(rows *r, int k, double x) {
    int cap = r->cap;
    if (x == 0) {
        return GOS_OK;
    }
    GOS_TRY(gos__grow(r->ctx, (void **)&r->i, &cap, r->n + 1, sizeof *r->i));
    cap = r->cap;
    GOS_TRY(gos__grow(r->ctx, (void **)&r->j, &cap, r->n + 1, sizeof *r->j));
    GOS_TRY(gos__grow(r->ctx, (void **)&r->x, &r->cap, r->n + 1, sizeof *r->x));
    r->i[r->n] = r->count;
    r->j[r->n] = k;
    r->x[r->n++] = x;
    return GOS_OK;
}

/* Adds the condition that the component along d of a node's vector is 0. */
static gos_status hold_node(rows *r, const gos_sparse *A, int node, const double d[3]) {
    for (int c = 0; c < 3; c++) {
        for (int k = A->p[3 * node + c]; k < A->p[3 * node + c + 1]; k++) {
            GOS_TRY(add(r, A->i[k], d[c] * A->x[k]));
        }
    }
    r->count++;
    return GOS_OK;
}

static const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static gos_status hold_clamped(const gos_flex *f, int a, rows *r) {
    for (int c = 0; c < 3; c++) {
        GOS_TRY(hold_node(r, &f->move, a, unit[c]));
    }
    for (int c = 0; c < 3; c++) {
        GOS_TRY(hold_node(r, &f->turn, a, unit[c]));
    }
    return GOS_OK;
}

/* Two normals to w, along the axes if w is. */
static void across(const double w[3], double n[2][3]) {
    int min = 0;
    for (int c = 1; c < 3; c++) {
        min = fabs(w[c]) < fabs(w[min]) ? c : min;
    }
    double norm = 0;
    for (int c = 0; c < 3; c++) {
        n[0][c] = (c == min) - w[min] * w[c];
        norm += n[0][c] * n[0][c];
    }
    for (int c = 0; c < 3; c++) {
        n[0][c] /= sqrt(norm);
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        n[1][c] = w[d] * n[0][e] - w[e] * n[0][d];
    }
}

static gos_status hold_chord(const gos_flex *f, int a, int b, rows *r) {
    double w[3], n[2][3], length = 0;
    for (int c = 0; c < 3; c++) {
        w[c] = f->x[b][c] - f->x[a][c];
        length += w[c] * w[c];
    }
    for (int c = 0; c < 3; c++) {
        w[c] /= sqrt(length);
        GOS_TRY(hold_node(r, &f->move, a, unit[c]));
    }
    across(w, n);
    GOS_TRY(hold_node(r, &f->move, b, n[0]));
    GOS_TRY(hold_node(r, &f->move, b, n[1]));
    return hold_node(r, &f->turn, a, w);
}

/* Adds int phi_k dm = 0, int X x phi_k dm = 0. */
static gos_status hold_mean(const gos_flex *f, rows *r) {
    const gos_sparse *G = &f->gram;
    for (int row = 0; row < 6; row++) {
        for (int k = 0; k < f->n; k++) {
            for (int c = 0; c < 3; c++) {
                // along axis `row`, or about a: X_b phi_c - X_c phi_b, (a, b, c) cyclic
                const int a = row - 3, next = (a + 1) % 3, after = (a + 2) % 3;
                const int with = row < 3      ? (c == row ? 0 : -1)
                                 : c == after ? 1 + next
                                 : c == next  ? 1 + after
                                              : -1;
                const double sign = row >= 3 && c == next ? -1 : 1;
                const int at = gos__flex_at(k, c);
                for (int p = G->p[at]; p < G->p[at + 1] && G->i[p] < GOS_FLEX_RIGID; p++) {
                    GOS_TRY(G->i[p] == with ? add(r, k, sign * G->x[p]) : GOS_OK);
                }
            }
        }
        r->count++;
    }
    return GOS_OK;
}

gos_status gos__flex_hold(gos_flex *f, gos_flex_condition which, int a, int b) {
    rows r = {.ctx = f->ctx};
    gos_status status = which == GOS_FLEX_CLAMPED ? hold_clamped(f, a, &r)
                        : which == GOS_FLEX_CHORD ? hold_chord(f, a, b, &r)
                                                  : hold_mean(f, &r);
    if (status == GOS_OK) {
        gos__sparse_free(f->ctx, &f->C);
        status = gos__sparse_from_triplets(f->ctx, r.count, f->n, r.n, r.i, r.j, r.x, &f->C);
    }
    if (status == GOS_OK) {
        gos__sparse_merge(&f->C);
    }
    gos__free(f->ctx, r.i);
    gos__free(f->ctx, r.j);
    gos__free(f->ctx, r.x);
    return status;
}

/* ---- motions left free ----------------------------------------------------------------------- */

/* Integral of rigid field d times component c of z. */
static double with_field(const gos_flex *f, int d, int c, const double *z) {
    double sum = 0;
    for (int k = 0; k < f->n; k++) {
        const int at = gos__flex_at(k, c);
        for (int p = f->gram.p[at]; p < f->gram.p[at + 1] && f->gram.i[p] <= d; p++) {
            sum += f->gram.i[p] == d ? f->gram.x[p] * z[k] : 0;
        }
    }
    return sum;
}

static double rigid_entry(const gos_flex *f, int i, int j) {
    for (int p = f->gram.p[j]; p < f->gram.p[j + 1]; p++) {
        if (f->gram.i[p] == i) {
            return f->gram.x[p];
        }
    }
    return 0;
}

/* Rigid motion about the centre of mass most similar to z (norm 1); *like: cosine in the mass
 * norm. */
static int likeness(const gos_flex *f, const double *z, double *like) {
    const double mass = rigid_entry(f, 0, 0);
    int best = 0;
    *like = 0;
    for (int a = 0; a < 3; a++) {
        const int p = (a + 1) % 3, q = (a + 2) % 3;
        const double xp = rigid_entry(f, 0, 1 + p) / mass, xq = rigid_entry(f, 0, 1 + q) / mass;
        const double inertia = rigid_entry(f, 1 + p, 1 + p) + rigid_entry(f, 1 + q, 1 + q) -
                               mass * (xp * xp + xq * xq);
        const double moves = fabs(with_field(f, 0, a, z)) / sqrt(mass);
        const double turns = inertia > 1e-12 * mass
                                 ? fabs(with_field(f, 1 + p, q, z) - with_field(f, 1 + q, p, z) -
                                        xp * with_field(f, 0, q, z) + xq * with_field(f, 0, p, z)) /
                                       sqrt(inertia)
                                 : 0;
        if (moves > *like) {
            *like = moves;
            best = a;
        }
        if (turns > *like) {
            *like = turns;
            best = 3 + a;
        }
    }
    return best;
}

gos_status gos__flex_check(gos_flex *f, gos_loc loc, const char *object) {
    gos_linear *l = NULL;
    gos_mode mode = {0};
    int found = 0;
    double *z = gos__zalloc(f->ctx, (size_t)f->n + 1, sizeof *z);
    gos_status status = z ? gos__flex_linear(f, 0, NULL, 0, NULL, &l) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos_linear_shapes(f->ctx, l, 1, &mode, z, &found) : status;
    if (status == GOS_OK && found == 1 && mode.rigid && !f->guided) {
        double like;
        const int which = likeness(f, z, &like);
        status = gos__fail_at(f->ctx, GOS_E_INPUT, loc, object,
                              "its shapes contain a rigid-body motion already represented by the "
                              "frame (most similar to a %s %s %c of the body axes); lock that "
                              "motion by the reference condition, or omit the shape",
                              which < 3 ? "translation" : "rotation", which < 3 ? "along" : "about",
                              'x' + which % 3);
    }
    f->omega = f->guided ? 0 : mode.omega;
    gos_linear_destroy(l);
    gos__free(f->ctx, z);
    return status;
}
