/* Floating bodies: derived vectors from coordinates, and transfer of their forces. */
#include "system/derived.h"

#include "math/vec3.h"
#include "system/kernel_derived.h"

/* a scalar and its rates */
typedef struct scalar {
    double s, sd, sdd, sddd;
} scalar;

/* trailing rates may be NULL; room for derived vectors in front */
typedef struct motion_rates {
    double *e, *ed, *edd, *eddd;
    const bool *required; // of vector -1 - k; NULL: all
} motion_rates;

/* rows of S z and S zd from `from` on, amplitudes sup (n) of form p */
static void gradients_of(const gos_floating *b, int p, const int *sup, int n, int from,
                         const double *z, const double *zd, double *g, double *gd) {
    const gos_rows_matrix *S = &b->form[p];
    if (b->dense[p]) {
        gos__form_gradients(b->n, S->v, from, z + b->z[0], zd + b->z[0], g, gd);
        return;
    }
    for (int i = 0; i < GOS_FORM_BLOCK && from + i < n; i++) {
        g[i] = gd[i] = 0;
        for (int k = S->p[sup[from + i]]; k < S->p[sup[from + i] + 1]; k++) {
            g[i] += S->v[k] * z[b->z[S->j[k]]];
            gd[i] += S->v[k] * zd[b->z[S->j[k]]];
        }
    }
}

/* q = z . S z / 2 of vector t; stores gradients S z and S z' in m if given */
static scalar form_of(const gos_floating *b, int t, const motion_rates *y,
                      const gos_derived_work *m) {
    const int first = b->sup_p[t], n = b->sup_p[t + 1] - first, *sup = b->sup_k + first;
    scalar q = {0};
    for (int k = 0; k < n; k++) {
        double g[GOS_FORM_BLOCK], gd[GOS_FORM_BLOCK];
        const int at = k % GOS_FORM_BLOCK, zi = b->z[sup[k]];
        if (at == 0) { // gd is unused without rates
            gradients_of(b, b->vec[t]->s - b->n, sup, n, k, y->e, y->ed ? y->ed : y->e, g, gd);
        }
        q.s += 0.5 * g[at] * y->e[zi];
        q.sd += y->ed ? g[at] * y->ed[zi] : 0;
        q.sdd += (y->ed ? gd[at] * y->ed[zi] : 0) + (y->edd ? g[at] * y->edd[zi] : 0);
        q.sddd += y->eddd ? g[at] * y->eddd[zi] + 3 * gd[at] * y->edd[zi] : 0;
        if (m) {
            m->g[b->first_sup + first + k] = g[at];
            m->gd[b->first_sup + first + k] = gd[at];
        }
    }
    return q;
}

#define INLINE static inline __attribute__((always_inline))

/* component c of a derived vector and its rates up to `order`: axis component `from` times a
   scalar */
INLINE void fill_component(const motion_rates *y, int from, int to, const scalar *s,
                           const int order) {
    const double a = y->e[from], ad = order >= 1 ? y->ed[from] : 0;
    const double add = order >= 2 ? y->edd[from] : 0, addd = order >= 3 ? y->eddd[from] : 0;
    y->e[to] = a * s->s;
    if (order >= 1) {
        y->ed[to] = ad * s->s + a * s->sd;
    }
    if (order >= 2) {
        y->edd[to] = add * s->s + 2 * ad * s->sd + a * s->sdd;
    }
    if (order >= 3) {
        y->eddd[to] = addd * s->s + 3 * add * s->sd + 3 * ad * s->sdd + a * s->sddd;
    }
}

/* Derived vectors of a body: all, or acting ones with scalars in m. `order` of the highest rate is
   constant. */
INLINE void fill_to(const gos_floating *b, const motion_rates *y, const gos_derived_work *m,
                    const int order) {
    for (int t = 0; t < (m ? b->nact : b->nvec); t++) {
        const gos_derived_pair *vec = b->vec[t];
        if (y->required && !y->required[-1 - vec->number]) {
            continue;
        }
        const int from = 3 * (b->axis + vec->c), at = 3 * vec->number;
        const int k = vec->s, z = k < b->n ? b->z[k] : 0; // an amplitude, or a form
        const scalar s = k < b->n
                             ? (scalar){y->e[z], order >= 1 ? y->ed[z] : 0,
                                        order >= 2 ? y->edd[z] : 0, order >= 3 ? y->eddd[z] : 0}
                             : form_of(b, t, y, m);
        fill_component(y, from, at, &s, order);
        fill_component(y, from + 1, at + 1, &s, order);
        fill_component(y, from + 2, at + 2, &s, order);
        if (m) {
            m->s[-1 - vec->number] = s.s;
            m->sd[-1 - vec->number] = s.sd;
            m->sdd[-1 - vec->number] = s.sdd;
        }
    }
}

static void fill_body(const gos_floating *b, const motion_rates *y, const gos_derived_work *m) {
    if (y->eddd) {
        fill_to(b, y, m, 3);
    } else if (y->edd) {
        fill_to(b, y, m, 2);
    } else if (y->ed) {
        fill_to(b, y, m, 1);
    } else {
        fill_to(b, y, m, 0);
    }
}

void gos__derived_fill(const gos_system *s, double *q, double *v, double *a, double *j) {
    const motion_rates y = {q, v, a, j, NULL};
    for (int i = 0; s->derived && i < s->derived->nbody; i++) {
        fill_body(&s->derived->body[i], &y, NULL);
    }
}

void gos__derived_refresh(const gos_state *x) {
    if (!x->sys) { // partial state of feedback.c: markers are its coordinates
        return;
    }
    gos__derived_fill(x->sys, x->q, x->v, x->a, x->jerk);
}

void gos__derived_refresh_some(const gos_state *x, const bool *required) {
    const gos_derived_table *derived = x->sys->derived;
    const motion_rates y = {x->q, x->v, x->a, x->jerk, required};
    for (int i = 0; derived && i < derived->nbody; i++) {
        fill_body(&derived->body[i], &y, NULL);
    }
}

static void exchange(double *a, double *b) {
    const double c = *a;
    *a = *b;
    *b = c;
}

/* replaces dependent coordinates by temperature expressions; mem (3 ndependent) keeps the
   originals. The second derivative is unknown, but negligible. */
static void show_dependent(const gos_item *it, const gos_state *x, bool back, double *mem) {
    for (int k = 0; k < it->ndependent; k++, mem += 3) {
        const int at = it->dependent[k];
        if (!back) {
            mem[0] = gos__tmarker_value(&it->dependent_on[k], x->th);
            mem[1] = gos__tmarker_value(&it->dependent_on[k], x->thd);
            mem[2] = 0;
        }
        exchange(&mem[0], &x->q[at]);
        exchange(&mem[1], &x->v[at]);
        exchange(&mem[2], &x->a[at]);
        if (back) {
            memset(mem, 0, 3 * sizeof *mem);
        }
    }
}

void gos__derived_show(const gos_state *x, bool back) {
    for (int i = 0; x->sys && i < x->sys->nshowing; i++) {
        const gos_item *it = x->sys->showing[i];
        if (it->ndependent > 0) {
            show_dependent(it, x, back, x->mem + it->m0);
        } else {
            it->type->shows(it, x->t, x->mem + it->m0, back, x->q, x->v, x->a);
        }
    }
}

void gos__derived_observe(const gos_state *x) {
    if (x->sys && x->sys->nshowing > 0) {
        gos__derived_show(x, false);
        gos__derived_refresh(x);
        gos__derived_show(x, true);
    } else {
        gos__derived_refresh(x);
    }
}

/* steps request the same point repeatedly */
static bool at_this_point(const gos_derived_work *m, int nq, const double *q, const double *v,
                          const double *a) {
    const size_t size = (size_t)nq * sizeof *q;
    return m->known && m->moves == (v != NULL) && m->gains == (a != NULL) &&
           memcmp(m->q, q, size) == 0 && (!v || memcmp(m->v, v, size) == 0) &&
           (!a || memcmp(m->a, a, size) == 0);
}

static void copy_or_clear(const double *from, int n, double *to) {
    if (from) {
        memcpy(to, from, (size_t)n * sizeof *to);
    } else {
        memset(to, 0, (size_t)n * sizeof *to);
    }
}

void gos__derived_put(const gos_system *s, gos_derived_work *m, const double *q, const double *v,
                      const double *a) {
    const int nq = 3 * s->nv;
    if (!m || at_this_point(m, nq, q, v, a)) {
        return;
    }
    m->known = true;
    m->moves = v != NULL;
    m->gains = a != NULL;
    copy_or_clear(q, nq, m->q);
    copy_or_clear(v, nq, m->v);
    copy_or_clear(a, nq, m->a);
    const motion_rates all = {m->q, m->v, m->a, NULL, NULL};
    for (int i = 0; i < s->derived->nbody; i++) {
        fill_body(&s->derived->body[i], &all, m);
    }
}

gos_point_of gos__derived_enter(gos_work *w, const gos_point_of *x) {
    gos_derived_work *m = w->derived;
    gos_point_of y = *x;
    if (!m || x->q == m->q) {
        return y;
    }
    gos__derived_put(w->sys, m, x->q, x->v, x->a);
    y.q = m->q;
    y.v = x->v ? m->v : NULL;
    y.a = x->a ? m->a : NULL;
    return y;
}

void gos__derived_map(const gos_system *s, const gos_derived_work *m, double *u) {
    for (int i = 0; m && i < s->derived->nbody; i++) {
        const gos_floating *b = &s->derived->body[i];
        const double *g = m->g + b->first_sup;
        for (int t = 0; t < b->nact; t++) {
            const gos_derived_pair *vec = b->vec[t];
            const double *a = m->q + 3 * (b->axis + vec->c), *ua = u + 3 * (b->axis + vec->c);
            const double value = m->s[-1 - vec->number];
            double along = 0;
            for (int k = b->sup_p[t]; k < b->sup_p[t + 1]; k++) {
                along += g[k] * u[b->z[b->sup_k[k]]];
            }
            for (int c = 0; c < 3; c++) {
                u[3 * vec->number + c] = value * ua[c] + along * a[c];
            }
        }
    }
}

void gos__derived_clear(const gos_system *s, gos_derived_work *m) {
    const size_t n = gos__derived_room(s);
    if (m) {
        memset(m->f - n, 0, n * sizeof *m->f);
    }
}

void gos__derived_fold(const gos_system *s, const gos_derived_work *m, const double *f, double *r) {
    for (int i = 0; m && i < s->derived->nbody; i++) {
        const gos_floating *b = &s->derived->body[i];
        const double *g = m->g + b->first_sup;
        for (int t = 0; t < b->nact; t++) {
            const gos_derived_pair *vec = b->vec[t];
            const int a = 3 * (b->axis + vec->c);
            const double *ft = f + 3 * vec->number, value = m->s[-1 - vec->number];
            const double along = gos__dot3(m->q + a, ft);
            for (int c = 0; c < 3; c++) {
                r[a + c] += value * ft[c];
            }
            for (int k = b->sup_p[t]; k < b->sup_p[t + 1]; k++) {
                r[b->z[b->sup_k[k]]] += g[k] * along;
            }
        }
    }
}

void gos__derived_fold_rate(const gos_system *s, const gos_derived_work *m, const double *f,
                            double *r) {
    for (int i = 0; m && i < s->derived->nbody; i++) {
        const gos_floating *b = &s->derived->body[i];
        const double *g = m->g + b->first_sup, *gd = m->gd + b->first_sup;
        for (int t = 0; t < b->nact; t++) {
            const gos_derived_pair *vec = b->vec[t];
            const int a = 3 * (b->axis + vec->c);
            const double *ft = f + 3 * vec->number, sd = m->sd[-1 - vec->number];
            const double along = gos__dot3(m->q + a, ft), turned = gos__dot3(m->v + a, ft);
            for (int c = 0; c < 3; c++) {
                r[a + c] += sd * ft[c];
            }
            for (int k = b->sup_p[t]; k < b->sup_p[t + 1]; k++) {
                r[b->z[b->sup_k[k]]] += gd[k] * along + g[k] * turned;
            }
        }
    }
}

static int number_of(const gos_floating *b, int i) {
    return i == 0 ? b->r : i < 4 ? b->axis + i - 1 : b->vec[i - 4]->number;
}

#define ROWS 16 // mass rows per block

/* rows i .. i + n - 1, n <= ROWS, of a body's mass times x (with derived vectors in front).
   @return number of rows below `end` */
static int mass_rows(const gos_floating *b, int i, int end, const double *x, double y[3 * ROWS]) {
    const int n = end - i < ROWS ? end - i : ROWS;
    gos__derived_rows(i, n, b->mass.p, b->mass.v, b->at, x, y);
    return n;
}

void gos__derived_mass(const gos_system *s, const double *x, double *q, double *front) {
    double y[3 * ROWS];
    for (int n = 0; s->derived && n < s->derived->nbody; n++) {
        const gos_floating *b = &s->derived->body[n];
        const int end = 4 + b->nact;
        for (int i = q ? 0 : 4, rows = 0; i < end; i += rows) {
            rows = mass_rows(b, i, end, x, y);
            for (int k = 0; k < rows; k++) {
                double *to = (i + k < 4 ? q : front) + 3 * number_of(b, i + k);
                for (int c = 0; c < 3; c++) {
                    to[c] += y[3 * k + c];
                }
            }
        }
    }
}

void gos__derived_inertia(const gos_system *s, gos_derived_work *m, bool inertia, double scale,
                          double *q) {
    if (!m) {
        return;
    }
    if (inertia) {
        gos__derived_mass(s, m->a, q, m->f);
    }
    for (int i = -s->derived->n; i < 0; i++) {
        for (int c = 0; c < 3; c++) {
            m->f[3 * i + c] -= scale * s->gravity[c] * s->gw[i];
        }
    }
}

void gos__derived_gravity_gradient(const gos_system *s, gos_derived_work *m, const double *G,
                                   double *q) {
    double y[3 * ROWS];
    for (int n = 0; m && G && n < s->derived->nbody; n++) {
        const gos_floating *b = &s->derived->body[n];
        const int end = 4 + b->nact;
        for (int i = q ? 0 : 4, rows = 0; i < end; i += rows) {
            rows = mass_rows(b, i, end, m->q, y);
            for (int k = 0; k < rows; k++) {
                double *to = (i + k < 4 ? q : m->f) + 3 * number_of(b, i + k);
                for (int c = 0; c < 3; c++) {
                    to[c] -= gos__dot3(G + 3 * c, y + 3 * k);
                }
            }
        }
    }
}

double gos__derived_gravity_gradient_power(const gos_system *s, const double *G, const double *q,
                                           const double *v) {
    double sum = 0, y[3 * ROWS];
    for (int n = 0; s->derived && n < s->derived->nbody; n++) {
        const gos_floating *b = &s->derived->body[n];
        for (int i = 0, rows = 0; i < b->mass.n; i += rows) {
            rows = mass_rows(b, i, b->mass.n, q, y);
            for (int k = 0; k < 3 * rows; k++) {
                sum += v[3 * number_of(b, i + k / 3) + k % 3] *
                       gos__dot3(G + 3 * (k % 3), y + 3 * (k / 3));
            }
        }
    }
    return sum;
}

double gos__derived_kinetic(const gos_system *s, const double *v) {
    double sum = 0, y[3 * ROWS];
    for (int n = 0; s->derived && n < s->derived->nbody; n++) {
        const gos_floating *b = &s->derived->body[n];
        for (int i = 0, rows = 0; i < b->mass.n; i += rows) {
            rows = mass_rows(b, i, b->mass.n, v, y);
            for (int k = 0; k < rows; k++) {
                sum += gos__dot3(v + 3 * number_of(b, i + k), y + 3 * k);
            }
        }
    }
    return 0.5 * sum;
}

void gos__derived_momentum(const gos_system *s, const double *q, const double *v, double p[3],
                           double l[3]) {
    double y[3 * ROWS], turn[3];
    for (int n = 0; s->derived && n < s->derived->nbody; n++) {
        const gos_floating *b = &s->derived->body[n];
        for (int i = 0, rows = 0; i < b->mass.n; i += rows) {
            rows = mass_rows(b, i, b->mass.n, v, y);
            for (int k = 0; k < rows; k++) {
                const int at = number_of(b, i + k);
                gos__cross3(q + 3 * at, y + 3 * k, turn);
                for (int c = 0; c < 3; c++) {
                    p[c] += s->trans[at] * y[3 * k + c];
                    l[c] += turn[c];
                }
            }
        }
    }
}

gos_status gos__derived_work_create(gos_ctx *ctx, const gos_system *s, gos_derived_work **work) {
    const gos_derived_table *t = s->derived;
    *work = NULL;
    if (!t) {
        return GOS_OK;
    }
    gos_derived_work *m = gos__zalloc(ctx, 1, sizeof *m);
    const size_t n = (size_t)t->n, front = 3 * n, vectors = front + 3 * (size_t)s->nv;
    if (m) {
        m->block = gos__zalloc(ctx, 5 * vectors + 3 * n + 2 * t->nsup + t->ncolumn + t->nlocal + 1,
                               sizeof *m->block);
    }
    if (!m || !m->block) {
        gos__free(ctx, m);
        return GOS_E_MEMORY;
    }
    double *at = m->block;
    double **const vector[] = {&m->q, &m->v, &m->a, &m->f, &m->u};
    for (int i = 0; i < GOS_COUNT(vector); i++, at += vectors) {
        *vector[i] = at + front;
    }
    double **const scalar_list[] = {&m->s, &m->sd, &m->sdd};
    for (int i = 0; i < GOS_COUNT(scalar_list); i++, at += n) {
        *scalar_list[i] = at;
    }
    double **const gradient[] = {&m->g, &m->gd};
    for (int i = 0; i < GOS_COUNT(gradient); i++, at += t->nsup) {
        *gradient[i] = at;
    }
    m->column = at;
    m->local = at + t->ncolumn;
    for (int i = 0; i < t->nbody; i++) { // constant for amplitudes; updated for forms
        for (int k = 0; k < t->body[i].sup_p[t->body[i].nvec]; k++) {
            m->g[t->body[i].first_sup + (size_t)k] = 1;
        }
    }
    *work = m;
    return GOS_OK;
}

void gos__derived_work_destroy(gos_ctx *ctx, gos_derived_work *m) {
    if (m) {
        gos__free(ctx, m->block);
        gos__free(ctx, m);
    }
}
