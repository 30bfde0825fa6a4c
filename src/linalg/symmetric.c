/* Choice of the method, timing, and the method for small matrices: KLU solves, LDL^T counts. */
#include "linalg/symmetric.h"

#include <math.h>

#include "linalg/petsc.h"
#include "linalg/order.h"

/* Sparse LDL^T without pivoting, used for the signs of D: to locate eigenvalues and to prove that
 * none was missed. Up-looking: T. A. Davis, Direct Methods for Sparse Linear Systems (2006),
 * chapter 4. L may grow when a shift hits an eigenvalue of a leading block, so counts are compared
 * with the modes found. */

struct gos_ldl {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    int n;
    int *order, *place;               // place[order[k]] = k (n)
    int *parent;                      // elimination tree (n)
    size_t *start;                    // columns of L (n + 1)
    int *row;                         // (start[n])
    double *l;                        // (start[n])
    double *d, *y;                    // pivots, current row of L (n)
    int *mark, *stack, *path, *count; // (n)
};

static gos_status make_order(gos_ldl *s, int nlast) {
    bool *late = gos__zalloc(s->ctx, s->n + 1L, sizeof *late);
    if (!late) {
        return GOS_E_MEMORY;
    }
    for (int c = s->n - nlast; c < s->n; c++) {
        late[c] = true;
    }
    const gos_status status = gos__order_constraints(s->ctx, s->pattern, late, s->order, NULL);
    gos__free(s->ctx, late);
    for (int k = 0; k < s->n && status == GOS_OK; k++) {
        s->place[s->order[k]] = k;
    }
    return status;
}

/* Elimination tree, and entries per column of L in s->count. */
static void make_tree(gos_ldl *s) {
    const gos_pattern *a = s->pattern;
    for (int k = 0; k < s->n; k++) {
        s->parent[k] = -1;
        s->mark[k] = k;
        s->count[k] = 0;
        const int c = s->order[k];
        for (int p = a->p[c]; p < a->p[c + 1]; p++) {
            for (int i = s->place[a->i[p]]; i < k && s->mark[i] != k; i = s->parent[i]) {
                s->parent[i] = s->parent[i] < 0 ? k : s->parent[i];
                s->count[i]++;
                s->mark[i] = k;
            }
        }
    }
}

static gos_status analyse(gos_ldl *s, int nlast) {
    GOS_TRY(make_order(s, nlast));
    make_tree(s);
    for (int k = 0; k < s->n; k++) {
        s->start[k + 1] = s->start[k] + s->count[k];
    }
    s->row = gos__alloc(s->ctx, s->start[s->n] + 1, sizeof *s->row);
    s->l = gos__alloc(s->ctx, s->start[s->n] + 1, sizeof *s->l);
    return s->row && s->l ? GOS_OK : GOS_E_MEMORY;
}

gos_status gos__ldl_create(gos_ctx *ctx, const gos_pattern *pattern, int nlast, gos_ldl **ldl) {
    gos_ldl *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    const size_t n = pattern->n + 1L;
    *s = (gos_ldl){.ctx = ctx, .pattern = pattern, .n = pattern->n};
    int **const lists[] = {&s->order, &s->place, &s->parent, &s->mark,
                           &s->stack, &s->path,  &s->count};
    gos_status status = GOS_OK;
    for (int i = 0; i < GOS_COUNT(lists); i++) {
        *lists[i] = gos__zalloc(ctx, n, sizeof **lists[i]);
        status = *lists[i] ? status : GOS_E_MEMORY;
    }
    s->start = gos__zalloc(ctx, n, sizeof *s->start);
    s->d = gos__zalloc(ctx, n, sizeof *s->d);
    s->y = gos__zalloc(ctx, n, sizeof *s->y);
    status = s->start && s->d && s->y ? status : GOS_E_MEMORY;
    status = status == GOS_OK && s->n > 0 ? analyse(s, nlast) : status;
    if (status != GOS_OK) {
        gos__ldl_destroy(s);
        return status;
    }
    *ldl = s;
    return GOS_OK;
}

void gos__ldl_destroy(gos_ldl *s) {
    if (s) {
        int *const lists[] = {s->order, s->place, s->parent, s->mark, s->stack, s->path, s->count};
        for (int i = 0; i < GOS_COUNT(lists); i++) {
            gos__free(s->ctx, lists[i]);
        }
        gos__free(s->ctx, s->start);
        gos__free(s->ctx, s->row);
        gos__free(s->ctx, s->l);
        gos__free(s->ctx, s->d);
        gos__free(s->ctx, s->y);
        gos__free(s->ctx, s);
    }
}

/* Scatters column k of the permuted upper triangle to y; pushes the columns of L that it reaches
 * to stack[top..n-1] in elimination order. */
static int reach(gos_ldl *s, const double *values, int k) {
    const gos_pattern *a = s->pattern;
    int top = s->n;
    s->mark[k] = k;
    for (int p = a->p[s->order[k]]; p < a->p[s->order[k] + 1]; p++) {
        int i = s->place[a->i[p]], length = 0;
        if (i > k) {
            continue;
        }
        s->y[i] += values[p];
        for (; s->mark[i] != k; i = s->parent[i]) {
            s->path[length++] = i;
            s->mark[i] = k;
        }
        while (length > 0) {
            s->stack[--top] = s->path[--length];
        }
    }
    return top;
}

gos_status gos__ldl_negative(gos_ldl *s, const double *values, int *negative) {
    *negative = 0;
    for (int k = 0; k < s->n; k++) {
        s->y[k] = 0;
        s->count[k] = 0;
        s->mark[k] = -1;
    }
    for (int k = 0; k < s->n; k++) {
        int top = reach(s, values, k);
        double d = s->y[k];
        s->y[k] = 0;
        for (; top < s->n; top++) {
            const int i = s->stack[top];
            const double yi = s->y[i], l = yi / s->d[i];
            const size_t from = s->start[i], to = from + s->count[i]++;
            s->y[i] = 0;
            for (size_t p = from; p < to; p++) {
                s->y[s->row[p]] -= s->l[p] * yi;
            }
            d -= l * yi;
            s->row[to] = k;
            s->l[to] = l;
        }
        if (!(fabs(d) > 0) || !isfinite(d)) {
            return GOS_E_SINGULAR;
        }
        s->d[k] = d;
        *negative += d < 0;
    }
    return GOS_OK;
}

struct gos_symmetric {
    gos_ctx *ctx;
    const gos_symmetric_way *way;
    void *content;
    gos_symmetric_info info;
};

gos_status gos__symmetric_create(gos_ctx *ctx, const gos_symmetric_def *def,
                                 const gos_symmetric_way *way, gos_symmetric **symmetric) {
    gos_symmetric *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    const double start = gos__cpu_time();
    s->ctx = ctx;
    s->way = way                                       ? way
             : gos__petsc_chosen(ctx, def->pattern->n) ? &gos__symmetric_petsc
             : def->pattern->n < GOS_SYMMETRIC_LARGE   ? &gos__symmetric_klu
                                                       : &gos__symmetric_mumps;
    s->info.way = s->way->name;
    const gos_status status = s->way->create(ctx, def, &s->info, &s->content);
    if (status != GOS_OK) {
        gos__free(ctx, s);
        return status;
    }
    s->info.analysis = gos__cpu_time() - start;
    *symmetric = s;
    return GOS_OK;
}

void gos__symmetric_destroy(gos_symmetric *s) {
    if (s) {
        s->way->destroy(s->content);
        gos__free(s->ctx, s);
    }
}

gos_status gos__symmetric_factor(gos_symmetric *s, const double *values, bool solve,
                                 int *negative) {
    const double start = gos__cpu_time();
    const gos_status status = s->way->factor(s->content, values, solve, negative);
    s->info.factor += gos__cpu_time() - start;
    s->info.nfactor++;
    return status;
}

gos_status gos__symmetric_solve(gos_symmetric *s, int nrhs, double *X) {
    const double start = gos__cpu_time();
    const gos_status status = s->way->solve(s->content, nrhs, X);
    s->info.solve += gos__cpu_time() - start;
    s->info.nsolve += nrhs;
    return status;
}

const gos_symmetric_info *gos__symmetric_info(const gos_symmetric *s) {
    return &s->info;
}

bool gos__symmetric_finds(const gos_symmetric *s) {
    return s->way->find != NULL;
}

gos_status gos__symmetric_mass(gos_symmetric *s, const double *values) {
    return s->way->mass(s->content, values);
}

gos_status gos__symmetric_find(gos_symmetric *s, gos_symmetric_search *q) {
    return s->way->find(s->content, q);
}

typedef struct small {
    gos_ctx *ctx;
    gos_symmetric_def def;
    gos_solver *solver; // both created on demand
    gos_ldl *ldl;
} small;

static gos_status small_create(gos_ctx *ctx, const gos_symmetric_def *def, gos_symmetric_info *info,
                               void **content) {
    GOS_UNUSED(info);
    small *s = gos__zalloc(ctx, 1, sizeof *s);
    if (!s) {
        return GOS_E_MEMORY;
    }
    *s = (small){.ctx = ctx, .def = *def};
    *content = s;
    return GOS_OK;
}

static void small_destroy(void *content) {
    small *s = content;
    gos__solver_destroy(s->solver);
    gos__ldl_destroy(s->ldl);
    gos__free(s->ctx, s);
}

static gos_status small_factor(void *content, const double *values, bool solve, int *negative) {
    small *s = content;
    if (solve && !s->solver) {
        GOS_TRY(gos__solver_create(s->ctx, s->def.pattern, &s->solver));
    }
    if (solve) {
        gos__solver_repivot(s->solver); // another shift may need different pivots
        GOS_TRY(gos__solver_factor(s->solver, values, NULL));
    }
    if (negative && !s->ldl) {
        GOS_TRY(gos__ldl_create(s->ctx, s->def.pattern, s->def.nlast, &s->ldl));
    }
    return negative ? gos__ldl_negative(s->ldl, values, negative) : GOS_OK;
}

static gos_status small_solve(void *content, int nrhs, double *x) {
    gos__solver_solve_columns(((small *)content)->solver, nrhs, x);
    return GOS_OK;
}

const gos_symmetric_way gos__symmetric_klu = {
    "KLU", small_create, small_destroy, small_factor, small_solve, NULL, NULL};
