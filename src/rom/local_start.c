/* Setup of local linearisation. */
#include "rom/local.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "math/vec3.h"
#include "rom/local_parts.h"
#include "rom/pod.h"
#include "solve/initial_state.h"
#include "solve/consistent.h"
#include "system/assemble.h"

#define FIRST 1e-5 // first interval with error control, relative to the run

/* ---- thermal modes --------------------------------------------------------------------------- */

/* A (n, n) = U^T AU */
static void project_dense(int nt, int n, const double *U, const double *AU, double *A) {
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, n, n, nt, 1, U, n, AU, n, 0, A, n);
}

/* Lowest modes of (K_T, C_T), kept for the whole run (theory 4.5). Overwrites the projected K
   and C (n, n). */
static gos_status solve_thermal(gos_local *g, const double *U, int n, double *K, double *C,
                                double *lambda) {
    const int nt = g->sys->nt;
    const lapack_int info = LAPACKE_dsygv(LAPACK_COL_MAJOR, 1, 'V', 'L', n, K, n, C, n, lambda);
    if (info != 0) {
        return gos__fail(g->ctx, info > n ? GOS_E_SINGULAR : GOS_E_DIVERGED,
                         "the thermal modes cannot be computed; give every body heat capacity");
    }
    g->rt = g->def.thermal_modes > 0 && g->def.thermal_modes < n ? g->def.thermal_modes : n;
    g->Psi0 = gos__zalloc(g->ctx, (size_t)nt * g->rt + 1, sizeof(double));
    if (!g->Psi0) {
        return GOS_E_MEMORY;
    }
    // eigenvectors by columns are rows here
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, nt, g->rt, n, 1, U, n, K, n, 0, g->Psi0,
                g->rt);
    return GOS_OK;
}

/* K_T with radiation, and C_T, times U */
static void thermal_products(gos_local *g, const double *U, int n, double *KU, double *CU) {
    const gos_system *s = g->sys;
    const gos_point_of at = gos__state_point(g->x, g->x->t);
    gos__jacobian(g->w, &at, &(gos_newton_factors){.k = 1, .ck = 1});
    for (long j = 0; j < s->nt; j++) {
        for (int e = s->pattern.p[s->at.th + j]; e < s->pattern.p[s->at.th + j + 1]; e++) {
            const long i = s->pattern.i[e] - s->nq;
            if (i >= 0 && i < s->nt) {
                cblas_daxpy(n, g->w->values[e], U + j * n, 1, KU + i * n, 1);
            }
        }
    }
    for (long i = 0; i < s->nt; i++) {
        for (int e = s->capacity.p[i]; e < s->capacity.p[i + 1]; e++) {
            cblas_daxpy(n, s->capacity.v[e], U + (size_t)s->capacity.j[e] * n, 1, CU + i * n, 1);
        }
    }
}

static gos_status thermal_modes(gos_local *g) {
    const int nt = g->sys->nt;
    double *U = NULL;
    int n = 0;
    if (nt == 0) {
        g->Psi0 = gos__zalloc(g->ctx, 1, sizeof(double));
        return g->Psi0 ? GOS_OK : GOS_E_MEMORY;
    }
    GOS_TRY(gos__nullspace_thermal(g->ctx, g->sys, &U, &n));
    const size_t tall = (size_t)nt * n, nn = (size_t)n * n;
    double *KU = gos__zalloc(g->ctx, 2 * tall + 2 * nn + n + 1, sizeof *KU);
    gos_status status = KU ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && n > 0) {
        double *CU = KU + tall, *K = CU + tall, *C = K + nn;
        thermal_products(g, U, n, KU, CU);
        project_dense(nt, n, U, KU, K);
        project_dense(nt, n, U, CU, C);
        status = solve_thermal(g, U, n, K, C, C + nn);
    }
    gos__free(g->ctx, KU);
    gos__free(g->ctx, U);
    return status;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

/* fixed point of the frame: the location of all ground joints */
static gos_status find_centre(gos_local *g) {
    const gos_system *s = g->sys;
    bool found = false;
    for (int i = 0; i < s->nitem; i++) {
        const gos_item *it = s->item[i];
        bool fits = it->nc == 0 || it->isotropic;
        for (int m = 0; m < it->nm && it->nc > 0 && fits; m++) {
            if (it->m[m].n == 0 && !found) {
                memcpy(g->frame.centre, it->m[m].off, sizeof g->frame.centre);
                found = true;
            } else if (it->m[m].n == 0) {
                double d[3];
                gos__sub3(it->m[m].off, g->frame.centre, d);
                fits = gos__norm3(d) <= 1e-9 * s->extent;
            }
        }
        if (!fits) {
            return gos__fail_at(g->ctx, GOS_E_INPUT, it->loc, it->name,
                                "reduction: `corotated` requires that joints constrain only "
                                "positions of points, and that all joints to the ground are at "
                                "one point; remove `corotated`");
        }
    }
    g->frame.on = true;
    return GOS_OK;
}

static gos_status allocate_small(gos_local *g) {
    const gos_system *s = g->sys;
    const int cap = g->modes->cap, mt = s->nt > 0 ? g->rt + (g->rt < s->nt - s->nh) : 0;
    const size_t max = g->n > cap ? g->n : cap, wide = max > (size_t)mt ? max : (size_t)mt;
    const size_t nq = s->nq, nt = s->nt, n = s->n;
    const size_t rows = nq > nt ? nq : nt;
    struct {
        double **to;
        size_t n;
    } const arrays[] = {{&g->v, g->n},
                        {&g->W, nq * cap},
                        {&g->OW, nq * max},
                        {&g->Psi, nt * mt},
                        {&g->r, n},
                        {&g->r1, n + 2 * nt},
                        {&g->sol, n + nt},
                        {&g->thd, nt},
                        {&g->stiff, s->pattern.nnz},
                        {&g->tall, rows * wide},
                        {&g->jump, cap + mt},
                        {&g->small, wide * wide},
                        {&g->near, g->def.kind == GOS_LOCAL_OF_RUN ? 2 * nq : 0}};
    for (int k = 0; k < GOS_COUNT(arrays); k++) {
        if (*arrays[k].to == NULL) {
            *arrays[k].to = gos__zalloc(g->ctx, arrays[k].n + 1, sizeof(double));
        }
        if (!*arrays[k].to) {
            return GOS_E_MEMORY;
        }
    }
    GOS_TRY(gos__interval_create(g->ctx, cap, mt, &g->lin));
    g->lin->mt = mt;
    g->report.thermal_columns = mt;
    return GOS_OK;
}

static double mass_entry(const gos_system *s, int i) {
    for (int k = s->mass.p[i]; k < s->mass.p[i + 1]; k++) {
        if (s->mass.j[k] == i) {
            return s->mass.v[k];
        }
    }
    return 0;
}

static gos_status list_axes(gos_local *g) {
    const gos_system *s = g->sys;
    g->axis = gos__zalloc(g->ctx, 3L * s->nbody + 1, sizeof *g->axis);
    g->axis_w = gos__zalloc(g->ctx, 3L * s->nbody + 1, sizeof *g->axis_w);
    if (!g->axis || !g->axis_w) {
        return GOS_E_MEMORY;
    }
    for (int b = 0; b < s->nbody; b++) {
        const gos_body *body = s->body[b];
        double m = 0, J = 0;
        for (int k = 0; k < body->nv && body->rigid_item >= 0; k++) {
            *(k == 0 ? &m : &J) += mass_entry(s, body->v0 + k);
        }
        for (int k = 1; k < 4 && m > 0; k++) {
            g->axis[g->naxis] = body->v0 + k;
            g->axis_w[g->naxis++] = sqrt(J / m);
        }
    }
    return GOS_OK;
}

static void warn_variants(gos_ctx *ctx, const gos_local_def *d) {
    if (d->velocity == GOS_VELOCITY_TRUNCATE) {
        gos__warn(ctx, (gos_loc){0}, "reduction",
                  "velocity: truncate loses kinetic energy and momentum at every update; errors "
                  "may be as large as the motion; use `velocity: column`");
    }
    if (d->velocity == GOS_VELOCITY_SCALE) {
        gos__warn(ctx, (gos_loc){0}, "reduction",
                  "velocity: scale conserves kinetic energy at an update, but not momentum; use "
                  "`velocity: column` for both");
    }
    if (d->dropped == GOS_DROPPED_IGNORE && d->velocity != GOS_VELOCITY_COLUMN) {
        gos__warn(ctx, (gos_loc){0}, "reduction",
                  "dropped: ignore accumulates strain in truncated modes");
    }
    if (!d->coupling) {
        gos__warn(ctx, (gos_loc){0}, "reduction",
                  "with coupling: false temperatures act on the structure one interval late");
    }
    if (d->modes == GOS_LOCAL_DIAGONAL) {
        gos__warn(ctx, (gos_loc){0}, "reduction",
                  "modes: real_diagonal omits the damping between modes, which is valid for "
                  "proportional damping only");
    }
}

gos_status gos__local_start(void *method) {
    gos_local *g = method;
    gos_sums sums;
    warn_variants(g->ctx, &g->def);
    GOS_TRY(gos__initial_position(g->ctx, g->w, g->x));
    GOS_TRY(gos__initial_velocity(g->ctx, g->w, g->x, g->x->t));
    GOS_TRY(gos__consistent(g->ctx, g->w, g->x, g->x->t));
    GOS_TRY(gos__local_forces(g, g->x->t, &sums));
    memcpy(g->x->thd, g->thd, g->sys->nt * sizeof *g->thd);
    const double *U = gos__nullspace_basis(g->space);
    double *Mv = g->tall;
    for (int i = 0; i < g->sys->nq; i++) {
        Mv[i] = 0;
    }
    gos__rows_apply(&g->sys->mass, 3, g->x->v, Mv);
    cblas_dgemv(CblasRowMajor, CblasTrans, g->sys->nq, g->n, 1, U, g->n, Mv, 1, 0, g->v, 1);
    g->x->h_next = g->opt.step;
    return GOS_OK;
}

static gos_status columns(gos_local *g) {
    if (g->def.kind == GOS_LOCAL_OF_RUN) {
        const gos_pod *pod = g->sys->pod;
        g->cluster = -1;
        g->rt = pod->max_thermal;
        g->Psi0 = gos__zalloc(g->ctx, (size_t)g->sys->nt * g->rt + 1, sizeof(double));
        return g->Psi0 ? gos__local_columns_create(g->ctx, g->n, pod->max_vectors, &g->modes)
                       : GOS_E_MEMORY;
    }
    if (g->def.kind == GOS_LOCAL_OF_PARTS) {
        GOS_TRY(gos__local_parts_create(g, &g->parts));
        GOS_TRY(gos__local_columns_create(g->ctx, g->n, gos__local_parts_max_columns(g->parts),
                                          &g->modes));
    } else {
        GOS_TRY(gos__local_modes_create(g->ctx, g->n, &g->def, &g->modes));
    }
    return thermal_modes(g);
}

gos_status gos__local_allocate(void *method) {
    gos_local *g = method;
    const gos_system *s = g->sys;
    g->interval = g->opt.step > 0 ? 5 * g->opt.step : FIRST * (g->opt.end - g->t_start);
    GOS_TRY(gos_state_create(g->ctx, s, &g->origin));
    GOS_TRY(gos__nullspace_create(g->ctx, s, &g->space));
    if (g->stored) {
        gos__local_sizes(g, g->stored);
        if (g->stored->bad) {
            return GOS_OK; // the integrator reports it
        }
    } else {
        const gos_point_of at = gos__state_point(g->x, g->x->t);
        GOS_TRY(gos__nullspace_update(g->space, g->w, &at));
    }
    g->n = g->report.motions = gos__nullspace_size(g->space);
    GOS_TRY(columns(g));
    g->report.modes = g->modes->r;
    GOS_TRY(allocate_small(g));
    GOS_TRY(g->def.corotated ? find_centre(g) : GOS_OK);
    return list_axes(g);
}

gos_status gos__local_check(void *method) {
    gos_local *g = method;
    const gos_system *s = g->sys;
    const double span = g->opt.end - g->t_start;
    GOS_TRY(gos__local_def(g->ctx, s, &g->def));
    if (s->reduced || s->pattern.dense) {
        return gos__fail(g->ctx, GOS_E_USE,
                         "local linearisation requires a full system, but this one is reduced");
    }
    if (g->def.kind == GOS_LOCAL_OF_RUN && !s->pod) {
        return gos__fail(
            g->ctx, GOS_E_USE,
            "the vectors of %s are computed by gos_reduce; step the system that it returns",
            s->reduction.type->name);
    }
    g->opt.max_step = g->def.max_interval > 0 ? fmin(g->def.max_interval, span) : span;
    return GOS_OK;
}

gos_status gos_local_create(gos_ctx *ctx, const gos_system *sys, const gos_options *options,
                            gos_state *state, gos_local **local) {
    gos_integrator *g = NULL;
    GOS_TRY(gos__integrator_create(ctx, sys, &gos__local_stepper, options, state, &g));
    *local = (gos_local *)g;
    return GOS_OK;
}

void gos_local_destroy(gos_local *g) {
    gos_integrator_destroy(&g->run);
}

void gos__local_release(void *method) {
    gos_local *g = method;
    void *const blocks[] = {g->v,     g->W,    g->OW,     g->Psi0,  g->Psi,  g->r,
                            g->r1,    g->sol,  g->thd,    g->stiff, g->tall, g->jump,
                            g->small, g->axis, g->axis_w, g->near};
    for (int k = 0; k < GOS_COUNT(blocks); k++) {
        gos__free(g->ctx, blocks[k]);
    }
    gos_state_destroy(g->origin);
    gos__nullspace_destroy(g->space);
    gos__local_modes_destroy(g->modes);
    gos__local_parts_destroy(g->parts);
    gos__interval_destroy(g->lin);
}
