/* Linear model of an interval (theory 4.3), projected on free motions, then columns. In a frame
   with angular velocity Omega about c,
     e = c + R(t) (y - c),  M (y'' + 2 Omega x y' + Omega x Omega x (y - c)) + R^T f(e, e') = 0;
   space-fixed parts of f (gravity, suns, ground springs) appear as a load rate (theory 4.8). */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>

#include "math/vec3.h"
#include "rom/local.h"
#include "rom/local_parts.h"
#include "solve/consistent.h"
#include "system/assemble.h"

// part of the tolerance for an interval's local error: errors grow over the run
#define SHARE 0.1

/* ---- products -------------------------------------------------------------------------------- */

/* Y (nr, k) = block from (r0, c0) times X (nc, k) */
static void block_times(const gos_system *s, const double *values, int r0, int nr, int c0, int nc,
                        int k, const double *X, double *Y) {
    memset(Y, 0, (size_t)nr * k * sizeof *Y);
    for (long j = 0; j < nc; j++) {
        const double *x = X + j * k;
        for (int e = s->pattern.p[c0 + j]; e < s->pattern.p[c0 + j + 1]; e++) {
            const long i = s->pattern.i[e] - r0;
            if (i >= 0 && i < nr && values[e] != 0) {
                cblas_daxpy(k, values[e], x, 1, Y + i * k, 1);
            }
        }
    }
}

/* C (m, n) = A^T B + beta C; A (k, m), B (k, n) */
static void transposed_times(int m, int n, int k, const double *A, const double *B, double beta,
                             double *C) {
    if (m > 0 && n > 0) {
        cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, k, 1, A, m, B, n, beta, C, n);
    }
}

/* S (m, m) = V A V^T; V (m, n), A (n, n) */
static void on_columns(int m, int n, const double *V, const double *A, double *work, double *S) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, n, 1, V, n, A, n, 0, work, n);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, m, n, 1, work, n, V, n, 0, S, m);
}

/* y (k) = X^T x; X (nq, k) */
static void tall_transposed(int nq, int k, const double *X, const double *x, double *y) {
    cblas_dgemv(CblasRowMajor, CblasTrans, nq, k, 1, X, k, x, 1, 0, y, 1);
}

/* Y (nv, 3 k) = M X; x, y, z rows are contiguous */
static void mass_times(const gos_system *s, int k, const double *X, double *Y) {
    const gos_rows_matrix *M = &s->mass;
    memset(Y, 0, (size_t)s->nq * k * sizeof *Y);
    for (int i = 0; i < M->n; i++) {
        for (int e = M->p[i]; e < M->p[i + 1]; e++) {
            cblas_daxpy(3 * k, M->v[e], X + 3L * M->j[e] * k, 1, Y + 3L * i * k, 1);
        }
    }
}

/* ---- rotating frame -------------------------------------------------------------------------- */

/* Y (nv, 3, k) = w x X */
static void cross_times(int nv, int k, const double w[3], const double *X, double *Y) {
    for (int i = 0; i < nv; i++) {
        const double *x = X + 3L * i * k, *y = x + k, *z = y + k;
        double *to = Y + 3L * i * k;
        for (int c = 0; c < k; c++) {
            const double a = w[1] * z[c] - w[2] * y[c], b = w[2] * x[c] - w[0] * z[c];
            to[2 * k + c] = w[0] * y[c] - w[1] * x[c];
            to[c] = a;
            to[k + c] = b;
        }
    }
}

void gos__local_turn(const gos_local *g, double t, bool points, const double *from, double *to) {
    const gos_system *s = g->sys;
    const gos_local_frame *f = &g->frame;
    const double w = gos__norm3(f->omega), angle = w * t;
    const double a = w > 0 ? sin(angle) / w : 0, b = w > 0 ? (1 - cos(angle)) / (w * w) : 0;
    for (int i = 0; i < s->nv; i++) {
        const double c = points ? s->trans[i] : 0;
        double x[3], y[3], z[3];
        for (int k = 0; k < 3; k++) {
            x[k] = from[3 * i + k] - c * f->centre[k];
        }
        gos__cross3(f->omega, x, y);
        gos__cross3(f->omega, y, z);
        for (int k = 0; k < 3; k++) {
            to[3 * i + k] = c * f->centre[k] + x[k] + a * y[k] + b * z[k];
        }
    }
}

/* y (nv, 3) = q - c */
static void from_centre(const gos_local *g, const double *q, double *y) {
    for (int i = 0; i < g->sys->nv; i++) {
        for (int k = 0; k < 3; k++) {
            y[3 * i + k] = q[3 * i + k] - g->sys->trans[i] * g->frame.centre[k];
        }
    }
}

/* the frame minimises the relative kinetic energy */
static void set_frame(gos_local *g) {
    const gos_system *s = g->sys;
    double J[9] = {0}, L[3] = {0}, *y = g->r1;
    memset(g->frame.omega, 0, sizeof g->frame.omega);
    if (!g->frame.on) {
        return;
    }
    from_centre(g, g->x->q, y);
    for (int i = 0; i < s->nv; i++) {
        for (int e = s->mass.p[i]; e < s->mass.p[i + 1]; e++) {
            const double m = s->mass.v[e], *a = y + 3 * i, *b = y + 3 * s->mass.j[e];
            double l[3];
            gos__cross3(a, g->x->v + 3 * s->mass.j[e], l);
            for (int k = 0; k < 3; k++) {
                L[k] += m * l[k];
                for (int c = 0; c < 3; c++) {
                    J[3 * k + c] += m * ((k == c ? gos__dot3(a, b) : 0) - b[k] * a[c]);
                }
            }
        }
    }
    // straight rods have no axial inertia
    const double small = 1e-6 * (J[0] + J[4] + J[8]);
    for (int k = 0; k < 3; k++) {
        J[4 * k] += small;
    }
    int pivot[3];
    if (small > 0 && LAPACKE_dgesv_work(LAPACK_COL_MAJOR, 3, 1, J, 3, pivot, L, 3) == 0) {
        memcpy(g->frame.omega, L, sizeof L);
    }
}

/* velocities relative to the frame (nq) */
static void relative_velocity(const gos_local *g, double *u) {
    memcpy(u, g->x->v, g->sys->nq * sizeof *u);
    if (g->frame.on) {
        double *y = g->sol;
        from_centre(g, g->x->q, y);
        cross_times(g->sys->nv, 1, g->frame.omega, y, y);
        cblas_daxpy(g->sys->nq, -1, y, 1, u, 1);
    }
}

/* ---- forces ---------------------------------------------------------------------------------- */

static gos_status not_finite(const gos_local *g, gos_status status) {
    return status != GOS_RETRY
               ? status
               : gos__fail(g->ctx, GOS_E_DIVERGED,
                           "the local linearisation diverged at t = %.9g s: forces are no longer "
                           "finite. Use smaller thresholds or more modes",
                           g->x->t);
}

gos_status gos__local_forces(gos_local *g, double t_eval, gos_sums *sums) {
    const gos_system *s = g->sys;
    gos_state *x = g->x;
    const gos_residual out = gos__residual_of(s, g->r);
    gos_point_of at = {
        .t = t_eval, .scale = 1, .q = x->q, .v = x->v, .th = x->th, .thd = x->thd, .mem = x->mem};
    GOS_TRY(not_finite(g, gos__residual(g->w, &at, &out, sums)));
    gos__rows_apply(&s->capacity, 1, x->thd, g->sol); // temperatures without capacity
    cblas_daxpy(s->nt, -1, g->sol, 1, g->r + s->at.th, 1);
    GOS_TRY(gos__nullspace_factor(g->space, g->w, &at));
    const int nx = s->nstate;
    memcpy(g->sol, g->r, nx * sizeof *g->sol);
    cblas_dscal(nx, -1, g->sol, 1);
    memset(g->sol + nx, 0, (s->nc + s->nh) * sizeof *g->sol);
    if (!gos__nullspace_constant(g->space)) {
        gos__constraint_rates(g->w, &at, NULL, g->sol + nx);
    }
    gos__nullspace_solve(g->space, g->sol);
    memcpy(g->thd, g->sol + s->at.th, s->nt * sizeof *g->thd);
    memcpy(x->lam, g->sol + nx, s->nc * sizeof *x->lam);
    memcpy(x->lamT, g->sol + nx + s->nc, s->nh * sizeof *x->lamT);
    if (s->nh > 0) { // prescribed temperatures need multipliers
        const gos_residual again = gos__residual_of(s, g->r1);
        at.lamT = x->lamT;
        GOS_TRY(not_finite(g, gos__residual(g->w, &at, &again, sums)));
    }
    return GOS_OK;
}

/* Multipliers mu of the forces alone: in the parallel basis only their stiffness counts (theory
   4.2). */
static void static_multipliers(gos_local *g, double *mu) {
    const gos_system *s = g->sys;
    const int nx = s->nstate;
    memcpy(g->r1, g->r, nx * sizeof *g->r1);
    cblas_dscal(nx, -1, g->r1, 1);
    memset(g->r1 + nx, 0, (s->nc + s->nh) * sizeof *g->r1);
    gos__nullspace_solve(g->space, g->r1);
    memcpy(mu, g->r1 + nx, s->nc * sizeof *mu);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* into g->stiff, g->w->values */
static void assemble(gos_local *g) {
    const gos_system *s = g->sys;
    const gos_state *x = g->x;
    double *mu = g->sol;
    if (!gos__nullspace_constant(g->space)) {
        static_multipliers(g, mu);
    } else {
        memset(mu, 0, s->nc * sizeof *mu);
    }
    const gos_point_of at = {.t = x->t,
                             .scale = 1,
                             .q = x->q,
                             .v = x->v,
                             .th = x->th,
                             .lam = mu,
                             .lamT = x->lamT,
                             .mem = x->mem};
    gos__jacobian(g->w, &at, &(gos_newton_factors){.k = 1, .ck = 1});
    memcpy(g->stiff, g->w->values, s->pattern.nnz * sizeof *g->stiff);
    gos__jacobian(g->w, &at, &(gos_newton_factors){.d = 1, .cd = 1});
}

static void project_motions(gos_local *g) {
    const gos_system *s = g->sys;
    const int n = g->n, nq = s->nq;
    const double *U = gos__nullspace_basis(g->space);
    block_times(s, g->stiff, s->at.q, nq, s->at.q, nq, n, U, g->tall);
    transposed_times(n, n, nq, U, g->tall, 0, g->modes->K);
    block_times(s, g->w->values, s->at.q, nq, s->at.q, nq, n, U, g->tall);
    transposed_times(n, n, nq, U, g->tall, 0, g->modes->D);
    if (g->frame.on) { // D Omega + M Omega Omega to K, 2 M Omega to D
        cross_times(s->nv, n, g->frame.omega, U, g->OW);
        block_times(s, g->w->values, s->at.q, nq, s->at.q, nq, n, g->OW, g->tall);
        transposed_times(n, n, nq, U, g->tall, 1, g->modes->K);
        mass_times(s, n, g->OW, g->tall);
        cblas_dscal(nq * n, 2, g->tall, 1);
        transposed_times(n, n, nq, U, g->tall, 1, g->modes->D);
        cross_times(s->nv, n, g->frame.omega, g->OW, g->OW);
        mass_times(s, n, g->OW, g->tall);
        transposed_times(n, n, nq, U, g->tall, 1, g->modes->K);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

/* (n): -U^T (forces + centrifugal forces) */
static void motion_load(gos_local *g, double *f) {
    const gos_system *s = g->sys;
    memcpy(g->r1, g->r, s->nq * sizeof *g->r1);
    if (g->frame.on) {
        from_centre(g, g->x->q, g->sol);
        cross_times(s->nv, 1, g->frame.omega, g->sol, g->sol);
        cross_times(s->nv, 1, g->frame.omega, g->sol, g->sol);
        mass_times(s, 1, g->sol, g->tall);
        cblas_daxpy(s->nq, 1, g->tall, 1, g->r1, 1);
    }
    tall_transposed(s->nq, g->n, gos__nullspace_basis(g->space), g->r1, f);
    cblas_dscal(g->n, -1, f, 1);
}

/* Response of truncated modes to their part of the load f, which is overwritten (theory 4.7-5). */
static gos_status append_follower(gos_local *g, double *f) {
    gos_local_modes *k = g->modes;
    const double before = cblas_dnrm2(g->n, f, 1);
    for (long j = 0; j < k->m; j++) {
        const double *c = k->V + j * g->n;
        cblas_daxpy(g->n, -cblas_ddot(g->n, c, 1, f, 1), c, 1, f, 1);
    }
    if (!(cblas_dnrm2(g->n, f, 1) > 1e-13 * before)) {
        return GOS_OK;
    }
    GOS_TRY(gos__local_modes_respond(k, g->interval, f));
    (void)gos__local_modes_append(k, f);
    return GOS_OK;
}

static gos_status append_columns(gos_local *g) {
    double *f = g->modes->small + (size_t)g->n * g->n;
    if (g->def.dropped == GOS_DROPPED_FOLLOW && g->modes->m < g->n) {
        motion_load(g, f);
        const gos_status status = append_follower(g, f);
        GOS_TRY(status == GOS_RETRY ? GOS_OK : status); // singular: the column is omitted
    }
    if (g->def.velocity == GOS_VELOCITY_COLUMN) {
        (void)gos__local_modes_append(g->modes, g->v);
    }
    return GOS_OK;
}

static void start_velocity(gos_local *g) {
    const int m = g->modes->m, n = g->n;
    gos_interval *l = g->lin;
    memset(l->start, 0, (2 * m + l->mt) * sizeof *l->start);
    double *v = l->start + m;
    cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1, g->modes->V, n, g->v, 1, 0, v, 1);
    const double before = cblas_dnrm2(n, g->v, 1), after = cblas_dnrm2(m, v, 1);
    if (g->def.velocity == GOS_VELOCITY_SCALE && after > 0) {
        cblas_dscal(m, before / after, v, 1);
    }
}

/* ---- reduced system -------------------------------------------------------------------------- */

static void fill_matrices(gos_local *g) {
    const gos_system *s = g->sys;
    gos_interval *l = g->lin;
    const int m = l->m = g->modes->m, n = g->n, nq = s->nq;
    on_columns(m, n, g->modes->V, g->modes->K, g->small, l->K);
    on_columns(m, n, g->modes->V, g->modes->D, g->small, l->D);
    for (int i = 0; i < m * m && g->def.modes == GOS_LOCAL_DIAGONAL; i++) {
        const bool modal = i / m < g->modes->nmodal && i % m < g->modes->nmodal;
        l->D[i] = modal && i / m != i % m ? 0 : l->D[i];
    }
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, nq, m, n, 1,
                gos__nullspace_basis(g->space), n, g->modes->V, n, 0, g->W, m);
    if (g->frame.on) {
        cross_times(s->nv, m, g->frame.omega, g->W, g->OW);
    }
}

static void fill_thermal_matrices(gos_local *g) {
    const gos_system *s = g->sys;
    gos_interval *l = g->lin;
    const int m = l->m, mt = l->mt, nq = s->nq, nt = s->nt;
    if (mt == 0) {
        return;
    }
    block_times(s, g->stiff, s->at.th, nt, s->at.th, nt, mt, g->Psi, g->tall);
    transposed_times(mt, mt, nt, g->Psi, g->tall, 0, l->L);
    block_times(s, g->stiff, s->at.th, nt, s->at.q, nq, m, g->W, g->tall);
    transposed_times(mt, m, nt, g->Psi, g->tall, 0, l->Hq);
    block_times(s, g->w->values, s->at.th, nt, s->at.q, nq, m, g->W, g->tall);
    transposed_times(mt, m, nt, g->Psi, g->tall, 0, l->Hv);
    if (g->frame.on) {
        block_times(s, g->w->values, s->at.th, nt, s->at.q, nq, m, g->OW, g->tall);
        transposed_times(mt, m, nt, g->Psi, g->tall, 1, l->Hq);
    }
    memset(l->G, 0, (size_t)m * mt * sizeof *l->G);
    if (g->def.coupling) {
        block_times(s, g->stiff, s->at.q, nq, s->at.th, nt, mt, g->Psi, g->tall);
        transposed_times(m, mt, nq, g->W, g->tall, 0, l->G);
    }
}

/* A column for the full model's rate stores heat outside the thermal modes to first order. */
static void fill_thermal_columns(gos_local *g) {
    const gos_system *s = g->sys;
    const int nt = s->nt, rt = g->rt, mt = g->lin->mt;
    double *c = g->sol, *y = g->r1, *Cy = y + nt;
    for (long i = 0; i < nt; i++) {
        memcpy(g->Psi + i * mt, g->Psi0 + i * rt, rt * sizeof *g->Psi);
        if (mt > rt) {
            g->Psi[i * mt + rt] = 0;
        }
    }
    if (mt == rt) {
        return;
    }
    memcpy(y, g->thd, nt * sizeof *y);
    gos__rows_apply(&s->capacity, 1, y, Cy);
    const double before = cblas_ddot(nt, y, 1, Cy, 1);
    for (int pass = 0; pass < 2; pass++) {
        gos__rows_apply(&s->capacity, 1, y, Cy);
        tall_transposed(nt, rt, g->Psi0, Cy, c);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, nt, rt, -1, g->Psi0, rt, c, 1, 1, y, 1);
    }
    gos__rows_apply(&s->capacity, 1, y, Cy);
    const double left = cblas_ddot(nt, y, 1, Cy, 1);
    for (long i = 0; i < nt && left > 1e-20 * before; i++) {
        g->Psi[i * mt + rt] = y[i] / sqrt(left);
    }
}

/* ---- loads ----------------------------------------------------------------------------------- */

/* r1: forces of the state rotated by the frame's angle after dt, rotated back */
static gos_status load_rates(gos_local *g, double dt) {
    const gos_system *s = g->sys;
    const gos_state *x = g->x;
    double *q = g->at->q, *v = g->at->v;
    gos__local_turn(g, dt, true, x->q, q);
    gos__local_turn(g, dt, false, x->v, v);
    const gos_point_of at = {
        .t = x->t + dt, .scale = 1, .q = q, .v = v, .th = x->th, .mem = x->mem};
    const gos_residual out = gos__residual_of(s, g->r1);
    GOS_TRY(not_finite(g, gos__residual(g->w, &at, &out, NULL)));
    gos__local_turn(g, -dt, false, g->r1, g->sol);
    for (int i = 0; i < s->nq; i++) {
        g->r1[i] = (g->sol[i] - g->r[i]) / dt;
    }
    for (int i = s->at.th; i < s->at.lam; i++) {
        g->r1[i] = (g->r1[i] - g->r[i]) / dt;
    }
    return GOS_OK;
}

static bool loads_vary(const gos_local *g) {
    bool vary = g->frame.on || g->x->sets > 0;
    for (int i = 0; i < g->sys->nfn; i++) {
        vary = vary || !gos__timefn_constant(g->sys->fn[i]);
    }
    return vary;
}

static gos_status fill_loads(gos_local *g, const double *u, double dt) {
    const gos_system *s = g->sys;
    gos_interval *l = g->lin;
    const int m = l->m, mt = l->mt, n = g->n, nq = s->nq, nt = s->nt;
    double *f = g->modes->small + (size_t)n * n;
    motion_load(g, f);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1, g->modes->V, n, f, 1, 0, l->f0, 1);
    block_times(s, g->w->values, s->at.q, nq, s->at.q, nq, 1, u, g->tall);
    tall_transposed(nq, m, g->W, g->tall, g->jump);
    cblas_daxpy(m, 1, g->jump, 1, l->f0, 1);
    if (mt > 0) {
        tall_transposed(nt, mt, g->Psi, g->r + s->at.th, l->r0);
        cblas_dscal(mt, -1, l->r0, 1);
        block_times(s, g->w->values, s->at.th, nt, s->at.q, nq, 1, u, g->tall);
        cblas_dgemv(CblasRowMajor, CblasTrans, nt, mt, 1, g->Psi, mt, g->tall, 1, 1, l->r0, 1);
    }
    memset(l->f1, 0, m * sizeof *l->f1);
    memset(l->r1, 0, mt * sizeof *l->r1);
    if (loads_vary(g)) {
        GOS_TRY(load_rates(g, dt));
        tall_transposed(nq, m, g->W, g->r1, l->f1);
        cblas_dscal(m, -1, l->f1, 1);
        if (mt > 0) {
            tall_transposed(nt, mt, g->Psi, g->r1 + s->at.th, l->r1);
            cblas_dscal(mt, -1, l->r1, 1);
        }
    }
    return GOS_OK;
}

/* ---- linearisation --------------------------------------------------------------------------- */

/* velocity transported where the basis rotates (theory eq. 2) */
static void carry_velocity(gos_local *g, double *u) {
    const gos_system *s = g->sys;
    const double *U = gos__nullspace_basis(g->space);
    if (gos__nullspace_constant(g->space)) {
        relative_velocity(g, u);
        mass_times(s, 1, u, g->tall);
        tall_transposed(s->nq, g->n, U, g->tall, g->v);
    } else {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, s->nq, g->n, 1, U, g->n, g->v, 1, 0, g->x->v, 1);
        memcpy(u, g->x->v, s->nq * sizeof *u);
    }
}

static gos_status choose_columns(gos_local *g) {
    if (g->def.kind == GOS_LOCAL_OF_RUN) {
        gos__local_take_cluster(g);
        return GOS_OK;
    }
    if (g->report.intervals % (g->def.refresh > 1 ? g->def.refresh : 1) == 0) {
        GOS_TRY(g->parts ? gos__local_parts_columns(g) : gos__local_modes_solve(g->modes, &g->def));
        g->report.eigenproblems++;
    }
    return GOS_OK;
}

gos_status gos__local_linearise(gos_local *g) {
    gos_local_report *p = &g->report;
    double *u = g->at->a;
    const double t0 = gos__now();
    const gos_point_of at = gos__state_point(g->x, g->x->t);
    GOS_TRY(gos__nullspace_update(g->space, g->w, &at));
    p->null_error = fmax(p->null_error, gos__nullspace_error(g->space));
    const double t1 = gos__now();
    set_frame(g);
    carry_velocity(g, u);
    assemble(g);
    const double t2 = gos__now();
    project_motions(g);
    const double t3 = gos__now();
    GOS_TRY(choose_columns(g));
    g->modes->m = g->modes->nmodal;
    GOS_TRY(append_columns(g));
    const double t4 = gos__now();
    fill_matrices(g);
    fill_thermal_columns(g);
    fill_thermal_matrices(g);
    start_velocity(g);
    const double t5 = gos__now();
    const double ahead = gos__breaks_next(&g->breaks) - g->x->t;
    const double whole = gos__breaks_step(&g->breaks, g->x->t, g->interval);
    GOS_TRY(fill_loads(g, u, 0.5 * fmin(whole, ahead)));
    gos__interval_begin(g->lin);
    p->time_nullspace += t1 - t0;
    p->time_assembly += t2 - t1 + gos__now() - t5;
    p->time_projection += t3 - t2 + t5 - t4;
    p->time_eigen += t4 - t3;
    p->columns = g->lin->m > p->columns ? g->lin->m : p->columns;
    p->pairs = g->modes->pairs;
    p->overdamped = g->modes->overdamped;
    return GOS_OK;
}

double gos__local_discontinuity(gos_local *g) {
    const gos_system *s = g->sys;
    gos_interval *l = g->lin;
    const int m = l->m, mt = l->mt;
    const double T = l->t, span = g->opt.end - g->t_start;
    if (m == 0 || !(T > 0) || !(s->mass_total > 0)) {
        return 0;
    }
    /* difference of nonlinear and linear accelerations */
    memcpy(g->r1, g->r, s->nq * sizeof *g->r1);
    if (g->frame.on) {
        gos__local_turn(g, -T, false, g->r, g->r1);
        gos__local_turn(g, -T, true, g->x->q, g->sol);
        from_centre(g, g->sol, g->sol);
        cross_times(s->nv, 1, g->frame.omega, g->sol, g->sol);
        cross_times(s->nv, 1, g->frame.omega, g->sol, g->sol);
        cblas_dgemv(CblasRowMajor, CblasNoTrans, s->nq, m, 2, g->OW, m, l->g + m, 1, 1, g->sol, 1);
        mass_times(s, 1, g->sol, g->tall);
        cblas_daxpy(s->nq, 1, g->tall, 1, g->r1, 1);
    }
    tall_transposed(s->nq, m, g->W, g->r1, g->jump);
    cblas_daxpy(m, 1, l->gd + m, 1, g->jump, 1);
    /* Loads growing with t^2 to this residual move a free mass by residual T^2 / 12; stiff and
       damped motions follow. */
    for (int i = 0; i < m * m; i++) {
        g->small[i] = l->K[i] + 4 / T * l->D[i] + (i / m == i % m ? 12 / (T * T) : 0);
    }
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, m, m, g->small, m, l->pivot) != 0) {
        return 0;
    }
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'T', m, 1, g->small, m, l->pivot, g->jump, m);
    const double motion = cblas_dnrm2(m, g->jump, 1) / sqrt(s->mass_total) / s->extent;
    double heat = 0;
    if (mt > 0 && s->capacity_total > 0) {
        tall_transposed(s->nt, mt, g->Psi, g->r + s->at.th, g->jump);
        cblas_daxpy(mt, 1, l->gd + 2 * m, 1, g->jump, 1);
        heat = T / 3 * cblas_dnrm2(mt, g->jump, 1) / sqrt(s->capacity_total) / g->T_range;
    }
    return fmax(motion, heat) * span / (T * SHARE * g->def.tolerance);
}
