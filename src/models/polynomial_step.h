/* Steps of fixed size for systems whose forces, constraints and outputs are polynomials. Generated
 * C source contains this text, so it is C99, includes nothing and allocates nothing.
 *
 *     M a + f(q, v, u) + G^T lam = 0,   c(q) = 0,   G = dc/dq
 *
 * SDIRK of two stages, L-stable, of second order: gamma = 1 - 1/sqrt(2), Q_i and V_i as usual,
 * G(Q_i) V_i = -c(q_n)/h, so that a step removes the constraint error of the one before. Each stage
 * has GOS_STEP_PASSES iterations of Newton with new matrices from a = 0: accelerations of the last
 * step would overstretch stiff bodies after a sudden load. */
#ifndef GOS_POLYNOMIAL_STEP_H
#define GOS_POLYNOMIAL_STEP_H

#define GOS_STEP_PASSES 3
#define GOS_STEP_GAMMA 0.29289321881345248 /* 1 - 1/sqrt(2) */

/* Terms value X_a X_b X_c, added to rows. X: 1, components of markers, their rates, inputs. */
typedef struct gos_step_terms {
    int n;
    const int *at; /* (n, 4) row, a, b, c */
    const double *value;
} gos_step_terms;

/* Forces of an elastic body (theory: reduced models): f_i = sum_j tau_ij c_j with tau = stress +
 * stiffness (g - g0) + damping g' for products g_ij = c_i . c_j of amplitudes and fixed axes. Pairs
 * i <= j are ordered by rows. */
typedef struct gos_step_products {
    int m, all, pairs, first; /* amplitudes; with fixed axes; pairs; first vector coordinate */
    int damped;
    const double *g0, *stress;         /* (pairs) */
    const double *stiffness, *damping; /* (pairs, pairs), symmetric */
} gos_step_products;

typedef struct gos_step_tables {
    int nv, nc, nm, nu, ny; /* vector coordinates, constraints, markers, inputs, outputs */
    int nproducts;
    double step, scale;                /* [s]; of multipliers in the matrix [kg] */
    const double *mass;                /* (nv, nv), each times I3 */
    const double *weight;              /* constant forces (3 nv) */
    const int *first, *at;             /* coordinates of markers (nm + 1), (first[nm]) */
    const double *by;                  /* their weights */
    const double *offset;              /* (nm, 3) */
    gos_step_terms force, row, output; /* rows of force: components of markers */
    const gos_step_products *products;
} gos_step_tables;

/* Arrays of the caller. */
typedef struct gos_step_state {
    double *q, *v, *lam; /* (3 nv) each, (nc) */
    double *work;        /* gos_step_work */
    int *pivot;          /* (3 nv + nc) */
} gos_step_state;

static inline int gos_step_scratch_size(const gos_step_products *p) {
    return 6 * p->all + (3 + 3 * p->m) * p->pairs;
}

/* numbers in gos_step_state.work */
static inline int gos_step_work(const gos_step_tables *m) {
    const int n = 3 * m->nv + m->nc;
    int most = 0;
    for (int i = 0; i < m->nproducts; i++) {
        const int size = gos_step_scratch_size(&m->products[i]);
        most = size > most ? size : most;
    }
    return n * n + n + m->nc + 9 * m->nv + 1 + 6 * m->nm + m->nu + most;
}

/* ---- variables ------------------------------------------------------------------------------- */

static inline void gos_step_variables(const gos_step_tables *m, const double *q, const double *v,
                                      const double *u, double *x) {
    x[0] = 1.0;
    for (int i = 0; i < m->nm; i++) {
        double *to = x + 1 + 3 * i, *rate = to + 3 * m->nm;
        for (int c = 0; c < 3; c++) {
            to[c] = m->offset[3 * i + c];
            rate[c] = 0.0;
        }
        for (int k = m->first[i]; k < m->first[i + 1]; k++) {
            for (int c = 0; c < 3; c++) {
                to[c] += m->by[k] * q[3 * m->at[k] + c];
                rate[c] += m->by[k] * v[3 * m->at[k] + c];
            }
        }
    }
    for (int i = 0; i < m->nu; i++) {
        x[1 + 6 * m->nm + i] = u[i];
    }
}

static inline void gos_step_sum(const gos_step_terms *t, const double *x, double factor,
                                double *y) {
    for (int k = 0; k < t->n; k++) {
        const int *at = t->at + 4 * k;
        y[at[0]] += factor * t->value[k] * x[at[1]] * x[at[2]] * x[at[3]];
    }
}

/* r += value on component i of the markers */
static inline void gos_step_give(const gos_step_tables *m, int i, double value, double *r) {
    for (int k = m->first[i / 3]; k < m->first[i / 3 + 1]; k++) {
        r[3 * m->at[k] + i % 3] += m->by[k] * value;
    }
}

/* A (rows of length n) += value for components i and j of the markers */
static inline void gos_step_couple(const gos_step_tables *m, int i, int j, double value, int n,
                                   double *A) {
    for (int k = m->first[i / 3]; k < m->first[i / 3 + 1]; k++) {
        gos_step_give(m, j, m->by[k] * value, A + (3 * m->at[k] + i % 3) * n);
    }
}

/* ---- elastic bodies -------------------------------------------------------------------------- */

typedef struct gos_step_scratch {
    double *c, *v;        /* (all, 3) */
    double *g, *gd, *tau; /* (pairs) */
    double *W;            /* (3 m, pairs) */
} gos_step_scratch;

static inline void gos_step_carve(const gos_step_products *p, double *work, gos_step_scratch *w) {
    w->c = work;
    w->v = w->c + 3 * p->all;
    w->g = w->v + 3 * p->all;
    w->gd = w->g + p->pairs;
    w->tau = w->gd + p->pairs;
    w->W = w->tau + p->pairs;
}

static inline double gos_step_dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* y (n) += factor x */
static inline void gos_step_add(int n, double factor, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] += factor * x[i];
    }
}

static inline void gos_step_stresses(const gos_step_products *p, const double *q, const double *v,
                                     gos_step_scratch *w) {
    int at = 0;
    for (int i = 0; i < 3 * p->all; i++) {
        const int axis = i - 3 * p->m;
        w->c[i] = axis < 0 ? q[3 * p->first + i] : axis % 4 == 0 ? 1.0 : 0.0;
        w->v[i] = axis < 0 ? v[3 * p->first + i] : 0.0;
    }
    for (int i = 0; i < p->all; i++) {
        for (int j = i; j < p->all; j++) {
            w->g[at] = gos_step_dot(3, w->c + 3 * i, w->c + 3 * j) - p->g0[at];
            w->gd[at] = gos_step_dot(3, w->v + 3 * i, w->c + 3 * j) +
                        gos_step_dot(3, w->c + 3 * i, w->v + 3 * j);
            w->tau[at] = p->stress[at];
            at++;
        }
    }
    for (int i = 0; i < p->pairs; i++) {
        gos_step_add(p->pairs, w->g[i], p->stiffness + i * p->pairs, w->tau);
        if (p->damped) {
            gos_step_add(p->pairs, w->gd[i], p->damping + i * p->pairs, w->tau);
        }
    }
}

/* f_i = sum_j tau_ij c_j; pairs (i, i) count twice */
static inline void gos_step_elastic(const gos_step_products *p, const gos_step_scratch *w,
                                    double *r) {
    int at = 0;
    for (int i = 0; i < p->all; i++) {
        for (int j = i; j < p->all; j++) {
            for (int c = 0; c < 3; c++) {
                if (i < p->m) {
                    r[3 * (p->first + i) + c] += w->tau[at] * w->c[3 * j + c];
                }
                if (j < p->m) {
                    r[3 * (p->first + j) + c] += w->tau[at] * w->c[3 * i + c];
                }
            }
            at++;
        }
    }
}

static inline int gos_step_pair(const gos_step_products *p, int i, int j) {
    const int a = i <= j ? i : j, b = i <= j ? j : i;
    return a * p->all - a * (a - 1) / 2 + b - a;
}

/* W (3 m, pairs) = k dtau/dc + d dtau/dv */
static inline void gos_step_stress_rates(const gos_step_products *p, gos_step_scratch *w, double k,
                                         double d) {
    for (int i = 0; i < 3 * p->m; i++) {
        double *row = w->W + i * p->pairs;
        for (int at = 0; at < p->pairs; at++) {
            row[at] = 0.0;
        }
        for (int j = 0; j < p->all; j++) {
            const int pair = gos_step_pair(p, i / 3, j) * p->pairs;
            const double twice = i / 3 == j ? 2.0 : 1.0;
            const double c = twice * w->c[3 * j + i % 3], v = twice * w->v[3 * j + i % 3];
            gos_step_add(p->pairs, k * c, p->stiffness + pair, row);
            if (p->damped) {
                gos_step_add(p->pairs, d * c + k * v, p->damping + pair, row);
            }
        }
    }
}

/* A += k dQ/dq + d dQ/dv, rows of length n */
static inline void gos_step_stiffness(const gos_step_products *p, gos_step_scratch *w, double k,
                                      double d, int n, double *A) {
    double *to = A + 3 * p->first * (n + 1);
    gos_step_stress_rates(p, w, k, d);
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->all; j++) {
            const int pair = gos_step_pair(p, i, j);
            const double twice = i == j ? 2.0 : 1.0;
            for (int c = 0; c < 3; c++) {
                const double by = twice * w->c[3 * j + c];
                for (int l = 0; l < 3 * p->m; l++) {
                    to[(3 * i + c) * n + l] += by * w->W[l * p->pairs + pair];
                }
                if (j < p->m) {
                    to[(3 * i + c) * n + 3 * j + c] += k * twice * w->tau[pair];
                }
            }
        }
    }
}

/* ---- residual and matrix --------------------------------------------------------------------- */

/* Variables of term k other than number `one`: their product. */
static inline double gos_step_others(const int *at, int one, const double *x) {
    return x[at[1 + (one + 1) % 3]] * x[at[1 + (one + 2) % 3]];
}

/* G^T lam into r (3 nv), G v into r + 3 nv */
static inline void gos_step_rows(const gos_step_tables *m, const double *x, const double *lam,
                                 double *r) {
    for (int k = 0; k < m->row.n; k++) {
        const int *at = m->row.at + 4 * k;
        for (int p = 0; p < 3; p++) {
            const int i = at[1 + p] - 1;
            if (i >= 0 && i < 3 * m->nm) {
                const double d = m->row.value[k] * gos_step_others(at, p, x);
                gos_step_give(m, i, d * lam[at[0]], r);
                r[3 * m->nv + at[0]] += d * x[1 + 3 * m->nm + i];
            }
        }
    }
}

/* r (3 nv + nc): forces, and the error of constraint rates with c0 = c(q_n) */
static inline void gos_step_residual(const gos_step_tables *m, const double *q, const double *v,
                                     const double *a, const double *lam, const double *x,
                                     const double *c0, double *r, double *work) {
    for (int i = 0; i < m->nv; i++) {
        for (int c = 0; c < 3; c++) {
            double sum = -m->weight[3 * i + c];
            for (int j = 0; j < m->nv; j++) {
                sum += m->mass[i * m->nv + j] * a[3 * j + c];
            }
            r[3 * i + c] = sum;
        }
    }
    for (int i = 0; i < m->nc; i++) {
        r[3 * m->nv + i] = c0[i] / m->step;
    }
    for (int k = 0; k < m->force.n; k++) {
        const int *at = m->force.at + 4 * k;
        gos_step_give(m, at[0], -m->force.value[k] * x[at[1]] * x[at[2]] * x[at[3]], r);
    }
    gos_step_rows(m, x, lam, r);
    for (int i = 0; i < m->nproducts; i++) {
        gos_step_scratch w;
        gos_step_carve(&m->products[i], work, &w);
        gos_step_stresses(&m->products[i], q, v, &w);
        gos_step_elastic(&m->products[i], &w, r);
    }
}

static inline void gos_step_force_matrix(const gos_step_tables *m, double hg, const double *x,
                                         int n, double *A) {
    const int nx = 3 * m->nm;
    for (int k = 0; k < m->force.n; k++) {
        const int *at = m->force.at + 4 * k;
        for (int p = 0; p < 3; p++) {
            const int i = at[1 + p] - 1;
            const double d = m->force.value[k] * gos_step_others(at, p, x);
            if (i >= 0 && i < nx) {
                gos_step_couple(m, at[0], i, -hg * hg * d, n, A);
            } else if (i >= nx && i < 2 * nx) {
                gos_step_couple(m, at[0], i - nx, -hg * d, n, A);
            }
        }
    }
}

/* second derivatives of constraint term k by its variables number p and o */
static inline void gos_step_curvature(const gos_step_tables *m, double hg, const double *x,
                                      const double *lam, int k, int p, int o, int n, double *A) {
    const int *at = m->row.at + 4 * k, nx = 3 * m->nm, row = 3 * m->nv + at[0];
    const int i = at[1 + p] - 1, j = at[1 + o] - 1;
    if (p != o && i >= 0 && i < nx && j >= 0 && j < nx) {
        const double d = m->row.value[k] * x[at[1 + 3 - p - o]];
        gos_step_couple(m, i, j, hg * hg * d * lam[at[0]], n, A);
        gos_step_give(m, j, hg * d * x[1 + nx + i], A + row * n);
    }
}

static inline void gos_step_row_matrix(const gos_step_tables *m, double hg, const double *x,
                                       const double *lam, int n, double *A) {
    for (int k = 0; k < m->row.n; k++) {
        const int *at = m->row.at + 4 * k, row = 3 * m->nv + at[0];
        for (int p = 0; p < 3; p++) {
            const int i = at[1 + p] - 1;
            if (i >= 0 && i < 3 * m->nm) {
                const double d = m->row.value[k] * gos_step_others(at, p, x);
                gos_step_give(m, i, d, A + row * n);
                for (int e = m->first[i / 3]; e < m->first[i / 3 + 1]; e++) {
                    A[(3 * m->at[e] + i % 3) * n + row] += m->scale * m->by[e] * d;
                }
            }
            for (int o = 0; o < 3; o++) {
                gos_step_curvature(m, hg, x, lam, k, p, o, n, A);
            }
        }
    }
}

/* A (n, n): derivatives of the residual by a, rows of constraints divided by h gamma, and by
 * multipliers times `scale` */
static inline void gos_step_matrix(const gos_step_tables *m, const double *q, const double *v,
                                   const double *x, const double *lam, double *A, double *work) {
    const int n = 3 * m->nv + m->nc;
    const double hg = GOS_STEP_GAMMA * m->step;
    for (int i = 0; i < n * n; i++) {
        A[i] = 0.0;
    }
    for (int i = 0; i < m->nv; i++) {
        for (int j = 0; j < m->nv; j++) {
            for (int c = 0; c < 3; c++) {
                A[(3 * i + c) * n + 3 * j + c] = m->mass[i * m->nv + j];
            }
        }
    }
    for (int i = 0; i < m->nproducts; i++) {
        gos_step_scratch w;
        gos_step_carve(&m->products[i], work, &w);
        gos_step_stresses(&m->products[i], q, v, &w);
        gos_step_stiffness(&m->products[i], &w, hg * hg, hg, n, A);
    }
    gos_step_force_matrix(m, hg, x, n, A);
    gos_step_row_matrix(m, hg, x, lam, n, A);
}

/* ---- linear equations ------------------------------------------------------------------------ */

/* P A = L U in place */
static inline void gos_step_factor(int n, double *A, int *pivot) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            const double a = A[i * n + k], b = A[best * n + k];
            best = a * a > b * b ? i : best;
        }
        pivot[k] = best;
        for (int j = 0; j < n; j++) {
            const double a = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = a;
        }
        for (int i = k + 1; i < n; i++) {
            const double f = A[i * n + k] / A[k * n + k];
            A[i * n + k] = f;
            for (int j = k + 1; j < n; j++) {
                A[i * n + j] -= f * A[k * n + j];
            }
        }
    }
}

static inline void gos_step_solve(int n, const double *A, const int *pivot, double *b) {
    for (int k = 0; k < n; k++) {
        const double value = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = value;
    }
    for (int i = 0; i < n; i++) {
        b[i] -= gos_step_dot(i, A + i * n, b);
    }
    for (int i = n - 1; i >= 0; i--) {
        b[i] -= gos_step_dot(n - 1 - i, A + i * n + i + 1, b + i + 1);
        b[i] /= A[i * n + i];
    }
}

/* ---- step ------------------------------------------------------------------------------------ */

/* V = vb + h gamma a, Q = qb + h gamma V */
static inline void gos_step_stage(const gos_step_tables *m, const double *qb, const double *vb,
                                  const double *a, double *Q, double *V) {
    const double hg = GOS_STEP_GAMMA * m->step;
    for (int i = 0; i < 3 * m->nv; i++) {
        V[i] = vb[i] + hg * a[i];
        Q[i] = qb[i] + hg * V[i];
    }
}

/* One iteration of Newton for a and multipliers. */
static inline void gos_step_newton(const gos_step_tables *m, const gos_step_state *s,
                                   const double *u, const double *c0, double *a, double *Q,
                                   double *V, double *x, double *work) {
    const int nq = 3 * m->nv, n = nq + m->nc;
    double *A = s->work, *r = A + n * n;
    gos_step_stage(m, s->q, s->v, a, Q, V);
    gos_step_variables(m, Q, V, u, x);
    gos_step_matrix(m, Q, V, x, s->lam, A, work);
    gos_step_factor(n, A, s->pivot);
    gos_step_residual(m, Q, V, a, s->lam, x, c0, r, work);
    for (int i = nq; i < n; i++) {
        r[i] /= GOS_STEP_GAMMA * m->step;
    }
    gos_step_solve(n, A, s->pivot, r);
    for (int i = 0; i < nq; i++) {
        a[i] -= r[i];
    }
    for (int i = 0; i < m->nc; i++) {
        s->lam[i] -= m->scale * r[nq + i];
    }
}

/* from the state by one step with inputs u (nu) */
static inline void gos_step_advance(const gos_step_tables *m, const gos_step_state *s,
                                    const double *u) {
    const int nq = 3 * m->nv, n = nq + m->nc;
    const double rest = m->step * (1.0 - GOS_STEP_GAMMA);
    double *c0 = s->work + n * n + n, *a = c0 + m->nc, *Q = a + nq, *V = Q + nq;
    double *x = V + nq, *work = x + 1 + 6 * m->nm + m->nu;
    gos_step_variables(m, s->q, s->v, u, x);
    for (int i = 0; i < m->nc; i++) {
        c0[i] = 0.0;
    }
    gos_step_sum(&m->row, x, 1.0, c0);
    for (int stage = 0; stage < 2; stage++) {
        for (int i = 0; i < nq; i++) {
            a[i] = 0.0;
        }
        for (int pass = 0; pass < GOS_STEP_PASSES; pass++) {
            gos_step_newton(m, s, u, c0, a, Q, V, x, work);
        }
        gos_step_stage(m, s->q, s->v, a, Q, V);
        for (int i = 0; i < nq; i++) {
            s->q[i] = stage == 0 ? s->q[i] + rest * V[i] : Q[i];
            s->v[i] = stage == 0 ? s->v[i] + rest * a[i] : V[i];
        }
    }
}

/* y (ny); x: scratch of 1 + 6 nm + nu numbers */
static inline void gos_step_outputs(const gos_step_tables *m, const double *q, const double *v,
                                    const double *u, double *x, double *y) {
    gos_step_variables(m, q, v, u, x);
    for (int i = 0; i < m->ny; i++) {
        y[i] = 0.0;
    }
    gos_step_sum(&m->output, x, 1.0, y);
}

#endif
