/* Choice of the method, timing, and the method for small matrices: KLU solves, LDL^T counts. */
#include "linalg/symmetric.h"

#include "linalg/ldl.h"
#include "linalg/petsc.h"

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
    gos__solver_solve_many(((small *)content)->solver, nrhs, x);
    return GOS_OK;
}

const gos_symmetric_way gos__symmetric_klu = {
    "KLU", small_create, small_destroy, small_factor, small_solve, NULL, NULL};
