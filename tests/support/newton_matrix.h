/* Random states of a system, its residual there, and its Newton matrix against differences of that
   residual. Include after cmocka. */
#ifndef GOS_TEST_NEWTON_MATRIX_H
#define GOS_TEST_NEWTON_MATRIX_H

#include <float.h>

#include "verify.h"
#include "support/random.h"

/* ---- random numbers -------------------------------------------------------------------------- */

static inline double difference(const double f[4], double step) { // values at -2, -1, 1, 2 steps
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * step);
}

static const double shifts[4] = {-2, -1, 1, 2};

/* ---- a block of a matrix against differences ------------------------------------------------- */

typedef struct block {
    const char *what;
    double largest, error;
    double rounding; // of the differences: that of the residual, over the step
} block;

static inline void compare(block *b, double exact, double differences) {
    if (!isfinite(exact) || !isfinite(differences)) {
        b->error = HUGE_VAL;
    }
    b->largest = fmax(b->largest, fabs(exact));
    b->error = fmax(b->error, fabs(exact - differences));
}

static inline void check_block(const block *b) {
    char text[200];
    snprintf(text, sizeof text, "%s (largest %.3g)", b->what, b->largest);
    assert_true(b->largest > 0);
    verify_below(text, b->error / b->largest, 1e-7 + b->rounding / b->largest);
}

/* ---- a system -------------------------------------------------------------------------------- */

/* a random state: coordinates near the initial ones, everything else of order 1, mean temperatures
   about `warm` */
typedef struct random_at {
    double *q, *v, *a, *th, *thd, *lam, *lamT;
    double t, scale;
    double *block;
} random_at;

static inline void random_state(const gos_system *s, uint64_t *seed, double warm, random_at *x) {
    x->block = calloc((size_t)(3 * s->nq + 2 * s->nt + s->nc + s->nh + 1), sizeof(double));
    assert_non_null(x->block);
    x->q = x->block;
    x->v = x->q + s->nq;
    x->a = x->v + s->nq;
    x->th = x->a + s->nq;
    x->thd = x->th + s->nt;
    x->lam = x->thd + s->nt;
    x->lamT = x->lam + s->nc;
    random_fill(seed, s->nq, 1, x->q);
    random_fill(seed, 2 * s->nq, 1, x->v);
    random_fill(seed, 2 * s->nt, 1, x->th);
    random_fill(seed, s->nc + s->nh, 1, x->lam);
    for (int i = 0; i < s->nq; i++) {
        /* positions move by less than elements are long; a high field of a reduced model is
           steep */
        x->q[i] = s->e0[i] + (s->reduced || s->trans[i / 3] != 0 ? 0.02 : 0.2) * x->q[i];
    }
    for (int i = 0; i < s->nt; i++) {
        x->th[i] += warm * s->tmean[i];
    }
    x->t = 0.3;
    x->scale = 0.8;
}

static inline gos_point_of point_of(const random_at *x) {
    return (gos_point_of){.t = x->t,
                          .scale = x->scale,
                          .q = x->q,
                          .v = x->v,
                          .a = x->a,
                          .th = x->th,
                          .thd = x->thd,
                          .lam = x->lam,
                          .lamT = x->lamT};
}

/* residual [q | th | c | h] (n) */
static inline void residual(gos_work *w, const random_at *x, double *r, gos_sums *sums) {
    const gos_system *s = w->sys;
    const gos_point_of at = point_of(x);
    gos_sums unused;
    memset(r, 0, (size_t)s->n * sizeof *r);
    const gos_residual out = {
        .q = r, .th = r + s->nq, .c = r + s->nq + s->nt, .h = r + s->nq + s->nt + s->nc};
    assert_int_equal(gos__residual(w, &at, &out, sums ? sums : &unused), GOS_OK);
}

static inline double entry(const gos_work *w, int row, int col) {
    const gos_pattern *p = &w->sys->pattern;
    if (p->dense) {
        return w->values[(size_t)col * (size_t)p->n + (size_t)row];
    }
    for (int k = p->p[col]; k < p->p[col + 1]; k++) {
        if (p->i[k] == row) {
            return w->values[k];
        }
    }
    return 0;
}

/* which of q, th, c, h an unknown belongs to */
static inline int part_of(const gos_system *s, int i) {
    return i < s->at.th ? 0 : i < s->at.lam ? 1 : i < s->at.lamT ? 2 : 3;
}

/* The state moved along unknown j as the Newton matrix means it: rows of forces see dq = k, dv = d,
   da = m, dth = k, dlam = lam; rows of heat dq = ck, dv = cd, dthd = cm, dth = ck, dlamT;
   constraints dq = 1, dth = 1. `rows` says for which. */
static inline void shift(const gos_system *s, const gos_newton_factors *f, int rows, int j,
                         double by, random_at *x) {
    const int part = part_of(s, j);
    const double k = rows == 0 ? f->k : rows == 1 ? f->ck : 1;
    const double d = rows == 0 ? f->d : rows == 1 ? f->cd : 0;
    if (part == 0) {
        x->q[j] += k * by;
        x->v[j] += d * by;
        x->a[j] += rows == 0 ? f->m * by : 0;
    } else if (part == 1) {
        x->th[j - s->nq] += k * by;
        x->thd[j - s->nq] += rows == 1 ? f->cm * by : 0;
    } else if (part == 2) {
        x->lam[j - s->nq - s->nt] += f->lam * by;
    } else {
        x->lamT[j - s->nq - s->nt - s->nc] += f->lamT * by;
    }
}

/* `coupled`: the model has motion and heat that act on each other, and no block may be empty */
static inline void check_newton_factors(const gos_system *s, const gos_newton_factors *f,
                                        const char *name, double warm, bool coupled) {
    static const char *const parts[] = {"q", "th", "c", "h"};
    block b[4][4] = {{{0}}};
    gos_work *w = NULL;
    assert_int_equal(gos__work_create(s->ctx, s, &w), GOS_OK);
    double *r = calloc(4 * (size_t)s->n, sizeof *r);
    assert_non_null(r);
    uint64_t seed = 10;
    random_at x, m;
    random_state(s, &seed, warm, &x);
    random_state(s, &seed, warm, &m);
    const size_t size = (size_t)(3 * s->nq + 2 * s->nt + s->nc + s->nh);
    const gos_point_of at = point_of(&x);
    gos__jacobian(w, &at, f);
    for (int j = 0; j < s->n; j++) {
        /* polynomials of at most fourth degree but in q, so that only round-off requires the
           step; fields of a reduced model move everything at once */
        const double step = j >= s->nq ? 1e-2 : s->reduced ? 1e-5 : 1e-4;
        for (int rows = 0; rows < 3; rows++) {
            for (int k = 0; k < 4; k++) {
                memcpy(m.block, x.block, size * sizeof *m.block);
                shift(s, f, rows, j, step * shifts[k], &m);
                residual(w, &m, r + (size_t)k * (size_t)s->n, NULL);
            }
            for (int i = 0; i < s->n; i++) {
                const int part = part_of(s, i);
                if ((part < 2 ? part : 2) == rows) {
                    const double g[4] = {0, r[s->n + i] - r[i], r[2 * s->n + i] - r[i],
                                         r[3 * s->n + i] - r[i]}; // exactly 0 where nothing moves
                    block *of = &b[part][part_of(s, j)];
                    of->rounding = fmax(of->rounding, 8 * DBL_EPSILON * fabs(r[i]) / step);
                    compare(of, entry(w, i, j), difference(g, step));
                }
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            char what[100];
            snprintf(what, sizeof what, "%s: (%s, %s)", name, parts[i], parts[j]);
            b[i][j].what = what;
            if (b[i][j].largest > 0) {
                check_block(&b[i][j]);
            } else {
                assert_true(b[i][j].error < 1e-6); // round-off of forces of 10^5 over the step
            }
        }
    }
    if (coupled) {
        assert_true(b[0][0].largest > 0 &&
                    (s->nc == 0 || (b[0][2].largest > 0 && b[2][0].largest > 0)));
    }
    if (coupled && s->nt) {
        assert_true(b[0][1].largest > 0 && b[1][0].largest > 0 && b[1][1].largest > 0);
    }
    free(r);
    free(x.block);
    free(m.block);
    gos__work_destroy(s->ctx, w);
}

/* With factors of which none follows from the others, and with those of rates alone. */
static inline void check_newton_matrix(const gos_system *s, const char *name, double warm,
                                       bool coupled) {
    static const gos_newton_factors all = {
        .m = 0.9, .k = 0.7, .d = 0.35, .cm = 1.1, .ck = 0.6, .cd = 0.45, .lam = 0.8, .lamT = 1.2};
    static const gos_newton_factors rates = {.d = 0.35, .cd = 0.45, .lam = 0.8, .lamT = 1.2};
    check_newton_factors(s, &all, name, warm, coupled);
    check_newton_factors(s, &rates, name, warm, false);
}

#endif
