/* Linear model at a state. Blocks are Newton matrices with one factor set: m gives M, C_T; d gives
   D, H_v; k gives K with constraint forces, G, K_T, H_q and constraint rows. About a steady
   rotation the model is in rotating axes: v = [w] e + v^ and the inertia of the rotation add to K
   and D (turning.h). About other motions the free directions rotate (moving_basis.h). */
#include <lapacke.h>
#include <math.h>

#include "linear/linear.h"
#include "math/orbit.h"
#include "solve/section_frames.h"
#include "solve/consistent.h"
#include "statics/linearise.h"
#include "solve/moving_basis.h"
#include "math/vec3.h"
#include "gossamer/sim.h"
#include "statics/turning.h"
#include "statics/whirl_form.h"
#include "signals/loops.h"
#include "system/derived.h"
#include "signals/ports.h"
#include "system/gravity_gradient.h"

static const double unit_vector[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

typedef struct linearisation {
    gos_ctx *ctx;
    const gos_system *sys;
    gos_work *w;
    const gos_state *x;
    const gos_rotating *turning;   // NULL: space-fixed axes
    const gos_moving_basis *basis; // NULL: fixed free directions
    bool geometric;                // K without the material part of points
    gos_linear *l;
} linearisation;

static double largest(int n, const double *x) {
    double max = 0;
    for (int i = 0; i < n; i++) {
        max = fmax(max, fabs(x[i]));
    }
    return max;
}

/* rates (2 nc) is scratch */
static bool satisfies_rates(const linearisation *k, const gos_point_of *at, double *rates) {
    const int nc = k->sys->nc;
    double *required = rates + nc, off = 0;
    gos__constraint_rates(k->w, at, NULL, required);
    gos__constraint_apply(k->w, at, k->x->a, rates);
    for (int i = 0; i < nc; i++) {
        off = fmax(off, fabs(rates[i] - required[i]));
    }
    // without acceleration both are rounding
    const double rounding = 1e-12 * largest(k->sys->nq, k->x->a) * fmax(1, k->sys->extent);
    return off <= GOS_BALANCED * fmax(largest(nc, rates), largest(nc, required)) + rounding;
}

/* *balanced: accelerations and multipliers balance the forces, consistent with constraints */
static gos_status check_balance(const linearisation *k, bool *balanced) {
    const gos_system *s = k->sys;
    const gos_state *x = k->x;
    const size_t nq = s->nq, nt = s->nt;
    double *r = gos__zalloc(k->ctx, 3 * nq + nt + 3 * (size_t)s->nc + s->nh + 1, sizeof *r);
    if (!r) {
        return GOS_E_MEMORY;
    }
    double *rest = r + nq, *inertia = rest + nq, *th = inertia + nq, *c = th + nt,
           *rates = c + s->nc, *h = rates + 2 * s->nc;
    gos_point_of at = {.t = x->t, .scale = 1, .q = x->q, .v = x->v, .th = x->th, .mem = x->mem};
    const gos_residual forces = {.q = r, .th = th, .c = c, .h = h};
    const gos_residual all = {.q = rest, .th = th, .c = c, .h = h};
    gos_status status = gos__residual(k->w, &at, &forces, NULL);
    if (status == GOS_OK) {
        at.a = x->a;
        at.lam = x->lam;
        status = gos__residual(k->w, &at, &all, NULL);
    }
    if (status == GOS_RETRY) {
        status =
            gos__fail(k->ctx, GOS_E_NONFINITE,
                      "forces are not finite at t = %g s; check loads and time functions", x->t);
    }
    gos__inertia_apply(k->w, x->q, x->a, inertia);
    const double size = fmax(largest(s->nq, r), largest(s->nq, inertia));
    *balanced = largest(s->nq, rest) <= GOS_BALANCED * size &&
                (!(largest(s->nq, x->v) > 0) || satisfies_rates(k, &at, rates));
    gos__free(k->ctx, r);
    return status;
}

static gos_status balance(linearisation *k, gos_state **copy) {
    bool balanced;
    if (!gos__constraints_curved(k->sys)) {
        return GOS_OK;
    }
    GOS_TRY(check_balance(k, &balanced));
    if (balanced) {
        return GOS_OK;
    }
    GOS_TRY(gos_state_create(k->ctx, k->sys, copy));
    GOS_TRY(gos_state_copy(*copy, k->x));
    k->x = *copy;
    return gos__consistent(k->ctx, k->w, *copy, k->x->t);
}

static void assemble(const linearisation *k, const gos_newton_factors *f) {
    const gos_state *x = k->x;
    const gos_point_of at = {.t = x->t,
                             .scale = 1,
                             .q = x->q,
                             .v = x->v,
                             .a = k->sys->derived ? x->a : NULL, // the mass matrix depends on q
                             .th = x->th,
                             .lam = x->lam,
                             .lamT = x->lamT,
                             .mem = x->mem};
    gos__jacobian(k->w, &at, f);
}

/* block of the assembled matrix from row r0, column c0 */
static gos_status take(const linearisation *k, gos_block block, int r0, int c0) {
    gos_sparse *A = &k->l->block[block];
    const int m = A->m, n = A->n;
    gos__sparse_free(k->ctx, A);
    return gos__sparse_block(k->ctx, &k->sys->pattern, k->w->values, r0, m, c0, n, A);
}

static gos_status take_all(const linearisation *k) {
    const gos_system *s = k->sys;
    const gos_blocks at = s->at;
    assemble(k, &(gos_newton_factors){.m = 1, .cm = 1});
    GOS_TRY(take(k, GOS_BLOCK_M, at.q, at.q));
    GOS_TRY(take(k, GOS_BLOCK_C_T, at.th, at.th));
    assemble(
        k, &(gos_newton_factors){.k = 1, .ck = 1, .lam = 1, .lamT = 1, .geometric = k->geometric});
    GOS_TRY(take(k, GOS_BLOCK_K, at.q, at.q));
    GOS_TRY(take(k, GOS_BLOCK_G, at.q, at.th));
    GOS_TRY(take(k, GOS_BLOCK_K_T, at.th, at.th));
    GOS_TRY(take(k, GOS_BLOCK_H_q, at.th, at.q));
    GOS_TRY(take(k, GOS_BLOCK_C, at.lam, at.q));
    GOS_TRY(take(k, GOS_BLOCK_H, at.lamT, at.th));
    assemble(k, &(gos_newton_factors){.d = 1, .cd = 1});
    GOS_TRY(take(k, GOS_BLOCK_D, at.q, at.q));
    return take(k, GOS_BLOCK_H_v, at.th, at.q);
}

/* l->block[to] += factor * B; frees B */
static gos_status add_to(const linearisation *k, gos_block to, double factor, gos_sparse *B) {
    gos_sparse sum = {0}, *A = &k->l->block[to];
    const gos_status status = gos__sparse_sum(k->ctx, 1, A, factor, B, &sum);
    gos__sparse_free(k->ctx, B);
    if (status == GOS_OK) {
        gos__sparse_free(k->ctx, A);
        *A = sum;
    }
    return status;
}

/* Q(e, [w] e + v^): dQ/de gains dQ/dv [w], heat likewise; inertia M ([w][w] e + 2 [w] v^ + ...) */
static gos_status add_rotation(const linearisation *k) {
    const gos_linear *l = k->l;
    double W[9], W2[9];
    gos_sparse B = {0};
    gos__skew3(k->turning->spin, W);
    gos__mul33(W, W, W2);
    GOS_TRY(gos__rotating_times(k->turning, &l->block[GOS_BLOCK_D], W, &B));
    GOS_TRY(add_to(k, GOS_BLOCK_K, 1, &B));
    GOS_TRY(gos__rotating_times(k->turning, &l->block[GOS_BLOCK_H_v], W, &B));
    GOS_TRY(add_to(k, GOS_BLOCK_H_q, 1, &B));
    GOS_TRY(gos__rotating_times(k->turning, &l->block[GOS_BLOCK_M], W2, &B));
    GOS_TRY(add_to(k, GOS_BLOCK_K, 1, &B));
    GOS_TRY(gos__rotating_times(k->turning, &l->block[GOS_BLOCK_M], W, &B));
    GOS_TRY(add_to(k, GOS_BLOCK_D, 2, &B));
    k->l->spin = gos__norm3(k->turning->spin);
    return gos__whirl_form(k->turning, &l->block[GOS_BLOCK_M], &k->l->whirl);
}

static gos_status make_basis(const linearisation *k, gos_moving_basis **basis) {
    const gos_point_of at = gos__state_point(k->x, k->x->t);
    if (!gos__constraints_curved(k->sys) || !(largest(k->sys->nq, k->x->v) > 0)) {
        return GOS_OK;
    }
    const gos_status status = gos__moving_basis_create(k->ctx, k->w, &at, basis);
    if (status == GOS_E_LIMIT) {
        gos__warn(k->ctx, (gos_loc){0}, NULL,
                  "more than %d coordinates are in constraints that rotate with the motion: "
                  "gyroscopic and centrifugal terms of these constraints are omitted from the "
                  "linear model",
                  GOS_MOVING_COLUMNS);
        return GOS_OK;
    }
    return status;
}

/* variable mass matrix: K loses M' X */
static gos_status add_mass_rate(const linearisation *k) {
    const gos_point_of at = gos__state_point(k->x, k->x->t);
    gos_sparse rate = {0}, B = {0};
    GOS_TRY(gos__derived_mass_rate(k->ctx, k->w, &at, &rate));
    const gos_status status = gos__moving_basis_times(k->basis, &rate, &B);
    gos__sparse_free(k->ctx, &rate);
    GOS_TRY(status);
    return add_to(k, GOS_BLOCK_K, -1, &B);
}

/* velocities are p' in free directions plus X q: K gains D X - X^T M X, and velocity-dependent
   terms gain position parts */
static gos_status add_moving_basis(const linearisation *k) {
    static const gos_block pair[][2] = {
        {GOS_BLOCK_D, GOS_BLOCK_K}, {GOS_BLOCK_H_v, GOS_BLOCK_H_q}, {GOS_BLOCK_Y_v, GOS_BLOCK_Y_q}};
    gos_sparse B = {0};
    for (int i = 0; i < GOS_COUNT(pair); i++) {
        if (k->l->block[pair[i][0]].nnz > 0) {
            GOS_TRY(gos__moving_basis_times(k->basis, &k->l->block[pair[i][0]], &B));
            GOS_TRY(add_to(k, pair[i][1], 1, &B));
        }
    }
    GOS_TRY(gos__moving_basis_square(k->basis, &B));
    GOS_TRY(add_to(k, GOS_BLOCK_K, -1, &B));
    return k->sys->derived ? add_mass_rate(k) : GOS_OK;
}

/* checks that the state rotates steadily */
static gos_status check_rotation(const linearisation *k) {
    const gos_system *s = k->sys;
    bool balanced = false;
    double *v = gos__alloc(k->ctx, (size_t)s->nq + 1, sizeof *v);
    if (!v) {
        return GOS_E_MEMORY;
    }
    gos__rotating_rates(k->turning, 1, k->x->q, v);
    const double size = largest(s->nq, v);
    for (int i = 0; i < s->nq; i++) {
        v[i] -= k->x->v[i];
    }
    const bool turns = largest(s->nq, v) <= GOS_BALANCED * size;
    gos__free(k->ctx, v);
    GOS_TRY(check_balance(k, &balanced));
    return turns && balanced
               ? GOS_OK
               : gos__fail(k->ctx, GOS_E_USE,
                           "the state is not a steady rotation of (%g, %g, %g) rad/s; compute one "
                           "with gos_solve_static",
                           k->turning->spin[0], k->turning->spin[1], k->turning->spin[2]);
}

static gos_status name_coordinates(const linearisation *k, const gos_body *b) {
    gos_linear *l = k->l;
    static const char *const axes[] = {"position", "a1", "a2", "a3"};
    for (int i = 0; i < b->nnode && b->node_v; i++) {
        l->coordinate[b->node_v[i]] =
            gos__arena_printf(l->arena, "%s.node(%d).position", b->name, i);
        if (b->node_slope) {
            l->coordinate[b->node_slope[i]] =
                gos__arena_printf(l->arena, "%s.node(%d).slope", b->name, i);
        }
    }
    for (int i = b->v0; i < b->v0 + b->nv; i++) {
        if ((b->rigid_item >= 0 || b->derived) && i - b->v0 < GOS_COUNT(axes)) {
            l->coordinate[i] = gos__arena_printf(l->arena, "%s.%s", b->name, axes[i - b->v0]);
        } else if (!l->coordinate[i]) {
            l->coordinate[i] = gos__arena_printf(l->arena, "%s.vector(%d)", b->name, i - b->v0);
        }
        if (!l->coordinate[i]) {
            return GOS_E_MEMORY;
        }
    }
    return GOS_OK;
}

static gos_status name_temperatures(const linearisation *k, const gos_body *b) {
    gos_linear *l = k->l;
    for (int i = 0; i < b->nt && b->nfam > 0; i++) {
        l->temperature[b->t0 + i] = gos__arena_printf(l->arena, "%s.node(%d).%s", b->name,
                                                      i / b->nfam, b->section->family[i % b->nfam]);
        if (!l->temperature[b->t0 + i]) {
            return GOS_E_MEMORY;
        }
    }
    return GOS_OK;
}

static gos_status name_all(const linearisation *k) {
    const gos_system *s = k->sys;
    gos_linear *l = k->l;
    l->ncomp = 3;
    for (int b = 0; b < s->nbody && !s->reduced; b++) {
        GOS_TRY(name_coordinates(k, s->body[b]));
        GOS_TRY(name_temperatures(k, s->body[b]));
    }
    for (int i = 0; i < s->nv && s->reduced; i++) {
        l->coordinate[i] = gos__arena_printf(l->arena, "amplitude(%d)", i);
        GOS_TRY(l->coordinate[i] ? GOS_OK : GOS_E_MEMORY);
    }
    for (int i = 0; i < s->nt && s->reduced; i++) {
        l->temperature[i] = gos__arena_printf(l->arena, "temperature(%d)", i);
        GOS_TRY(l->temperature[i] ? GOS_OK : GOS_E_MEMORY);
    }
    return GOS_OK;
}

/* Reduced systems have positions E0 + Phi q: the rotated E0 is projected onto amplitudes in the
   kinetic energy norm, M r = a x (Phi^T M E0). r (3, nq) */
static gos_status turn_origin(const linearisation *k, double *r) {
    const gos_system *s = k->sys;
    const gos_sparse *A = &k->l->block[GOS_BLOCK_M];
    const size_t nv = s->nv;
    if (!s->origin || !(largest(s->nq, s->origin) > 0)) {
        return GOS_OK;
    }
    double *M = gos__zalloc(k->ctx, nv * nv + 9 * nv + 1, sizeof *M);
    if (!M) {
        return GOS_E_MEMORY;
    }
    double *right = M + nv * nv; // (nv, 9)
    for (size_t j = 0; j < nv; j++) {
        for (int e = A->p[3 * j]; e < A->p[3 * j + 1]; e++) {
            M[j * nv + (size_t)A->i[e] / 3] += A->i[e] % 3 == 0 ? A->x[e] : 0;
        }
        for (int a = 0; a < 3; a++) {
            double turned[3];
            gos__cross3(unit_vector[a], s->origin + 3 * j, turned);
            for (int c = 0; c < 3; c++) {
                right[(3 * a + c) * nv + j] = turned[c];
            }
        }
    }
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', s->nv, 9, M, s->nv, right, s->nv) == 0) {
        for (size_t i = 0; i < 9 * nv; i++) {
            r[i / (3 * nv) * s->nq + i % nv * 3 + i / nv % 3] += right[i];
        }
    } // if the mass matrix is not positive definite, rotations keep the amplitudes' part only
    gos__free(k->ctx, M);
    return GOS_OK;
}

/* Unit translations and unit rotations about axes through the centre of mass; all coordinates
   rotate as vectors. */
static gos_status make_rigid(const linearisation *k) {
    const gos_system *s = k->sys;
    const size_t nq = s->nq;
    const double *q = k->x->q;
    double *T = k->l->rigid, *R = T + 3 * nq, centre[3];
    gos__derived_refresh(k->x);
    for (long c = 0; c < 3; c++) {
        centre[c] = s->origin ? s->origin_sum[c] : 0;
        for (int i = s->derived ? -s->derived->n : 0; i < 0; i++) {
            centre[c] += s->gw[i] * q[3 * i + c];
        }
        for (int i = 0; i < s->nv; i++) {
            centre[c] += s->gw[i] * q[3 * i + c];
            T[c * nq + (3 * i + c)] = s->trans[i];
        }
        centre[c] = s->mass_total > 0 ? centre[c] / s->mass_total : 0;
    }
    for (long i = 0; i < s->nv; i++) {
        double arm[3];
        for (int c = 0; c < 3; c++) {
            arm[c] = q[3 * i + c] - s->trans[i] * centre[c];
        }
        for (long a = 0; a < 3; a++) {
            gos__cross3(unit_vector[a], arm, R + a * nq + 3 * i);
        }
    }
    for (int b = 0; s->derived && b < s->derived->nbody;
         b++) { // amplitudes are relative to the body axes
        for (int i = 0; i < s->derived->body[b].n; i++) {
            for (int a = 0; a < 3; a++) {
                R[a * nq + s->derived->body[b].z[i]] = 0;
            }
        }
    }
    return turn_origin(k, R);
}

static gos_status make_inputs(const linearisation *k, const gos_input *list, int n) {
    const gos_state *x = k->x;
    const gos_point_of at = {
        .t = x->t, .scale = 1, .q = x->q, .v = x->v, .th = x->th, .lam = x->lam, .mem = x->mem};
    gos_sparse B, B_T;
    GOS_TRY(gos__linear_set_units(k->l, gos_system_units(k->sys)));
    for (int i = 0; i < n; i++) {
        GOS_TRY(gos__linear_name_input(k->l, i, list[i].name, list[i].unit));
    }
    const bool unloaded = k->w->unloaded;
    k->w->unloaded = false; // omitted loads are still inputs
    gos_status status = gos__inputs_columns(k->ctx, k->w, &at, list, n, &B, &B_T);
    k->w->unloaded = unloaded;
    GOS_TRY(status);
    status = gos__linear_put(k->l, GOS_BLOCK_B, &B);
    status = status == GOS_OK ? gos__linear_put(k->l, GOS_BLOCK_B_T, &B_T) : status;
    gos__sparse_free(k->ctx, &B);
    gos__sparse_free(k->ctx, &B_T);
    return status;
}

static gos_status make_outputs(const linearisation *k, const gos_input *list, int n) {
    static const gos_block block[GOS_NOUTPUTS] = {GOS_BLOCK_Y_q, GOS_BLOCK_Y_v, GOS_BLOCK_Y_T,
                                                  GOS_BLOCK_Y_u};
    gos_sparse Y[GOS_NOUTPUTS] = {0};
    gos_state *relative = NULL; // velocities are relative to rotating axes
    gos_status status = GOS_OK;
    if (k->turning) {
        status = gos_state_create(k->ctx, k->sys, &relative);
        status = status == GOS_OK ? gos_state_copy(relative, k->x) : status;
        if (status == GOS_OK) {
            memset(relative->v, 0, k->sys->nq * sizeof *relative->v);
        }
    }
    if (status == GOS_OK) {
        status = gos__outputs_rows(k->ctx, k->sys, relative ? relative : k->x, list, n, k->l, Y);
    }
    gos_state_destroy(relative);
    for (int i = 0; i < GOS_COUNT(block); i++) {
        status = status == GOS_OK ? gos__linear_put(k->l, block[i], &Y[i]) : status;
        gos__sparse_free(k->ctx, &Y[i]);
    }
    return status;
}

static gos_status fill(linearisation *k) {
    const gos_system *s = k->sys;
    gos_arena *a = gos__arena_create(k->ctx);
    gos_input *list = NULL;
    int n = 0;
    gos_status status = a ? gos__inputs_list(s, a, &list, &n) : GOS_E_MEMORY;
    const gos_linear_size size = {
        .nq = s->nq, .nt = s->nt, .nc = s->nc, .nh = s->nh, .nu = n, .ny = gos__outputs_count(s)};
    status = status == GOS_OK ? gos__linear_create(k->ctx, &size, &k->l) : status;
    status = status == GOS_OK ? take_all(k) : status;
    status = status == GOS_OK && k->turning ? add_rotation(k) : status;
    status = status == GOS_OK ? name_all(k) : status;
    status = status == GOS_OK ? make_rigid(k) : status;
    status = status == GOS_OK ? make_inputs(k, list, n) : status;
    status = status == GOS_OK ? make_outputs(k, list, n) : status;
    status = status == GOS_OK && k->basis ? add_moving_basis(k) : status;
    status = status == GOS_OK ? gos__linear_close(k->l) : status;
    gos__arena_destroy(a);
    return status;
}

/* continuous-time models exclude sampled controllers; continuous ones have no steady signals in
   rotating axes */
static gos_status check_loops(gos_ctx *ctx, const gos_system *sys, bool turns) {
    const gos_control_loop *continuous = gos__loops_first(sys, false),
                           *sampled = gos__loops_first(sys, true);
    if (turns && continuous) {
        return gos__fail_at(ctx, GOS_E_USE, continuous->law->loc, continuous->law->object,
                            "linear models about a steady rotation do not support controllers, "
                            "whose signals are not steady in rotating axes; remove it");
    }
    if (sampled) {
        gos__warn(ctx, sampled->law->loc, sampled->law->object,
                  "sampled controllers are omitted from linear models (their outputs are held "
                  "constant); poles are those of the plant alone");
    }
    return GOS_OK;
}

/* Linearisation point. */
typedef struct place {
    const double *spin, *pivot; // rotating axes; NULL: fixed in space
    bool unloaded;              // without gravity and loads
    bool geometric;             // K without the material part of points
} place;

static gos_status about(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                        const place *where, gos_linear **linear) {
    if (sys->steady_heat && sys->nt > 0) {
        return gos__fail(ctx, GOS_E_USE,
                         "analysis: linear models require temperature rates, which `heat: steady` "
                         "does not have; use heat: dynamic (--set analysis.heat=dynamic)");
    }
    GOS_TRY(check_loops(ctx, sys, where->spin != NULL));
    linearisation k = {.ctx = ctx, .sys = sys, .x = state, .geometric = where->geometric};
    gos_state *copy = NULL;
    gos_rotating *turning = NULL;
    gos_moving_basis *basis = NULL;
    gos__frames_linear(ctx, sys);
    gos_status status = gos__work_create(ctx, sys, &k.w);
    if (status == GOS_OK) {
        gos__work_hold(k.w, state);
        k.w->unloaded = where->unloaded;
    }
    if (status == GOS_OK && where->spin) {
        status = gos__rotating_create(ctx, sys, where->spin, where->pivot, &turning);
        k.turning = turning;
        status = status == GOS_OK ? check_rotation(&k) : status;
    } else if (status == GOS_OK) {
        status = balance(&k, &copy);
        status = status == GOS_OK ? make_basis(&k, &basis) : status;
        k.basis = basis;
    }
    status = status == GOS_OK ? fill(&k) : status;
    if (status == GOS_OK) {
        *linear = k.l;
    } else {
        gos_linear_destroy(k.l);
    }
    gos_state_destroy(copy);
    gos__rotating_destroy(turning);
    gos__moving_basis_destroy(basis);
    gos__work_destroy(ctx, k.w);
    return status;
}

static gos_status check_owner(gos_ctx *ctx, const gos_system *sys, const gos_state *state) {
    return state->sys == sys ? gos__check_missing(ctx, sys, "modes and linear models")
                             : gos__fail(ctx, GOS_E_USE, "the state belongs to another system");
}

/* a rotating field cannot be part of a model with constant matrices */
static void warn_of_gravity_gradient(gos_ctx *ctx, const gos_system *sys, const gos_state *state) {
    if (gos__gravity_gradient_acts(sys)) {
        gos__warn(ctx, (gos_loc){0}, "orbit",
                  "the linear model keeps the gravity gradient fixed at t = %g s, which is valid "
                  "for times far below the period, %g s; for modes about an equilibrium in the "
                  "axes of a circular orbit, use `spin` with the orbit",
                  state->t, 2 * M_PI / sys->orbit->rate);
    }
}

static void warn_of_shadows(gos_ctx *ctx, const gos_system *sys, const gos_state *state) {
    if (sys->shadows) {
        gos__warn(ctx, (gos_loc){0}, NULL,
                  "the linear model keeps shadows and view factors fixed at t = %g s", state->t);
    }
}

/* linear models omit corrections of outputs */
static void warn_of_reported(gos_ctx *ctx, const gos_system *sys) {
    for (int i = 0; i < sys->nshowing; i++) {
        if (sys->showing[i]->type->shows) {
            gos__warn(ctx, sys->showing[i]->loc, sys->showing[i]->name,
                      "linear models do not support corrections by truncated modes (`correct`): "
                      "the linear model contains the reduced body without them");
        }
    }
}

gos_status gos_linearise(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                         gos_linear **linear) {
    GOS_TRY(check_owner(ctx, sys, state));
    warn_of_reported(ctx, sys);
    warn_of_gravity_gradient(ctx, sys, state);
    warn_of_shadows(ctx, sys, state);
    return sys->linear ? gos__linear_copy(ctx, sys->linear, linear)
                       : about(ctx, sys, state, &(place){0}, linear);
}

gos_status gos_linearise_rotating(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                  const double spin[3], const double pivot[3],
                                  gos_linear **linear) {
    if (!(gos__norm3(spin) > 0)) {
        return gos_linearise(ctx, sys, state, linear);
    }
    GOS_TRY(check_owner(ctx, sys, state));
    warn_of_reported(ctx, sys);
    warn_of_shadows(ctx, sys, state);
    return about(ctx, sys, state, &(place){.spin = spin, .pivot = pivot}, linear);
}

gos_status gos__linearise_unloaded(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                   gos_linear **linear) {
    GOS_TRY(check_owner(ctx, sys, state));
    return about(ctx, sys, state, &(place){.unloaded = true}, linear);
}

gos_status gos__linearise_geometric(gos_ctx *ctx, const gos_system *sys, const gos_state *state,
                                    gos_linear **linear) {
    GOS_TRY(check_owner(ctx, sys, state));
    return about(ctx, sys, state, &(place){.geometric = true}, linear);
}
