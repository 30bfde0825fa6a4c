/* Cost of selected orbits, for regulators of the modes that move the point. */
#include <math.h>

#include "control/selection.h"

gos_status gos__orbit_cost_create(gos_ctx *ctx, const gos_modal *m, const gos_orbits *o, int modes,
                                  gos_modal_aim aim, double k_Q, gos_orbit_cost *c) {
    *c = (gos_orbit_cost){.aim = aim, .k_Q = k_Q, .orbits = o};
    double *sign = gos__alloc(ctx, (size_t)m->np + 1, sizeof *sign);
    c->mode = gos__alloc(ctx, (size_t)m->n + 1, sizeof *c->mode);
    gos_status status = sign && c->mode ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        gos__modal_moving(m, modes, 1e-6, c->mode, &c->nmode);
        gos__modal_signs(m, c->nmode, c->mode, o->of, sign);
        status = gos__modal_join(ctx, m, o->n, o->of, sign, &c->joined);
    }
    gos__free(ctx, sign);
    return status;
}

void gos__orbit_cost_free(gos_ctx *ctx, gos_orbit_cost *c) {
    gos__modal_free(ctx, &c->joined);
    gos__free(ctx, c->mode);
    *c = (gos_orbit_cost){0};
}

/* P may be NULL */
static gos_status regulate(const gos_orbit_cost *c, gos_ctx *ctx, int n, const int *orbit,
                           gos_plant *plant, double *K, double *P) {
    const gos_modal_part part = {.nmode = c->nmode, .mode = c->mode, .ndrive = n, .drive = orbit};
    const size_t ns = 2 * (size_t)c->nmode;
    gos_plant driven = {0};
    gos_riccati info;
    *plant = (gos_plant){0};
    double *Q = gos__alloc(ctx, ns * ns + ns * n + (size_t)n * n + 1, sizeof *Q);
    if (!Q) {
        return GOS_E_MEMORY;
    }
    double *N = Q + ns * ns, *R = N + ns * n;
    gos_status status = gos__modal_plant(ctx, &c->joined, &part, plant);
    status = status == GOS_OK ? gos__plant_part(ctx, plant, n, NULL, 0, NULL, &driven) : status;
    status = status == GOS_OK ? gos__modal_weights(ctx, &c->joined, &part, c->aim, c->k_Q, Q, N, R)
                              : status;
    for (int k = 0; k < n && status == GOS_OK; k++) { // common voltage of the orbit
        R[k * (n + 1)] += c->orbits->count[orbit[k]] - 1;
    }
    if (status == GOS_OK) {
        status = gos__lqr(ctx, &driven, &(gos_weights){.Q = Q, .N = N, .R = R}, K, P, &info);
    }
    gos__plant_free(ctx, &driven);
    gos__free(ctx, Q);
    return status;
}

gos_status gos__cost_quadratic(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost) {
    const gos_orbit_cost *c = user;
    const size_t nm = c->nmode, ns = 2 * nm;
    gos_plant plant = {0};
    double *K = gos__alloc(ctx, ns * n + ns * ns + 1, sizeof *K), *P = K ? K + ns * n : NULL;
    gos_status status = K ? regulate(c, ctx, n, orbit, &plant, K, P) : GOS_E_MEMORY;
    *cost = 0;
    for (size_t i = 0; i < nm && status == GOS_OK; i++) {
        for (size_t j = 0; j < nm; j++) {
            *cost +=
                c->joined.phi[c->mode[i]] * P[(nm + j) * ns + nm + i] * c->joined.phi[c->mode[j]];
        }
    }
    gos__plant_free(ctx, &plant);
    gos__free(ctx, K);
    return status;
}

gos_status gos__cost_limited(void *user, gos_ctx *ctx, int n, const int *orbit, double *cost) {
    const gos_orbit_cost *c = user;
    gos_plant plant = {0};
    gos_loop loop = {0};
    gos_saturated_response course = {0};
    double *K = gos__alloc(ctx, 2 * (size_t)c->nmode * n + 1, sizeof *K);
    gos_status status = K ? regulate(c, ctx, n, orbit, &plant, K, NULL) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__loop_state(ctx, &plant, 0, K, &loop) : status;
    status = status == GOS_OK ? gos__saturated_run(ctx, &loop, &c->run, &course) : status;
    *cost = course.rms;
    gos__loop_free(ctx, &loop);
    gos__plant_free(ctx, &plant);
    gos__free(ctx, K);
    return status;
}
