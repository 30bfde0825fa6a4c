#include "control/modal_design.h"

#include <math.h>

typedef struct gains {
    double *Q, *N, *R, *K; // (n, n), (n, nu), (nu, nu), (nu, n)
    double *W, *V, *L;     // (n, n), (ny, ny), (n, ny)
} gains;

static gos_status create(gos_ctx *ctx, const gos_modal_part *part, gains *g) {
    const size_t n = 2 * (size_t)part->nmode, nu = part->ndrive, ny = part->nsense;
    g->Q = gos__zalloc(ctx, 2 * n * n + 2 * n * nu + nu * nu + ny * ny + n * ny + 1, sizeof *g->Q);
    if (!g->Q) {
        return GOS_E_MEMORY;
    }
    g->W = g->Q + n * n;
    g->N = g->W + n * n;
    g->K = g->N + n * nu;
    g->R = g->K + n * nu;
    g->V = g->R + nu * nu;
    g->L = g->V + ny * ny;
    return GOS_OK;
}

/* without the force input and the acceleration output */
static gos_status make_model(gos_ctx *ctx, const gos_modal *m, const gos_modal_part *part,
                             gos_plant *model) {
    gos_plant whole;
    *model = (gos_plant){0};
    gos_status status = gos__modal_plant(ctx, m, part, &whole);
    if (status == GOS_OK) {
        status = gos__plant_part(ctx, &whole, part->ndrive, NULL, part->nsense, NULL, model);
    }
    gos__plant_free(ctx, &whole);
    return status;
}

static gos_status regulate(gos_ctx *ctx, const gos_modal *m, const gos_modal_design *d,
                           const gos_plant *model, gains *g) {
    gos_riccati info;
    GOS_TRY(gos__modal_weights(ctx, m, &d->part, d->aim, d->k_Q, g->Q, g->N, g->R));
    return gos__lqr(ctx, model, &(gos_weights){.Q = g->Q, .R = g->R, .N = g->N}, g->K, NULL, &info);
}

static gos_status make_lqg(gos_ctx *ctx, const gos_modal *m, const gos_modal_design *d,
                           gos_plant *controller) {
    gos_plant model;
    gains g = {0};
    gos_riccati info;
    gos_status status = make_model(ctx, m, &d->part, &model);
    status = status == GOS_OK ? create(ctx, &d->part, &g) : status;
    status = status == GOS_OK ? regulate(ctx, m, d, &model, &g) : status;
    if (status == GOS_OK) {
        gos__modal_intensities(m, &d->part, &d->noise, g.W, g.V);
        status = gos__kalman(ctx, &model, g.W, g.V, g.L, &info);
    }
    status = status == GOS_OK ? gos__limited_lqg(ctx, &model, g.K, g.L, controller) : status;
    gos__free(ctx, g.Q);
    gos__plant_free(ctx, &model);
    return status;
}

/* ratio of two rows over all modes */
static gos_status find_ratio(gos_ctx *ctx, const gos_modal *m, int sense, int drive,
                             double *ratio) {
    const double *s = m->Kup + (size_t)sense * m->n, *d = m->Kup + (size_t)drive * m->n;
    double ds = 0, dd = 0, ss = 0;
    for (int i = 0; i < m->n; i++) {
        ds += d[i] * s[i];
        dd += d[i] * d[i];
        ss += s[i] * s[i];
    }
    *ratio = ds / dd;
    double rest = 0;
    for (int i = 0; i < m->n; i++) {
        rest += (s[i] - *ratio * d[i]) * (s[i] - *ratio * d[i]);
    }
    return dd > 0 && ss > 0 && rest <= 1e-12 * ss
               ? GOS_OK
               : gos__fail(ctx, GOS_E_INPUT,
                           "channel %d is not collocated with channel %d: relative misfit of their "
                           "modal rows is %.3g; rate feedback dissipates energy of all modes only "
                           "between channels at the same location",
                           sense, drive, ss > 0 ? sqrt(rest / ss) : 1.0);
}

static gos_status make_rate(gos_ctx *ctx, const gos_modal *m, const gos_modal_design *d,
                            gos_plant *controller) {
    const int n = d->part.ndrive;
    if (d->part.nsense != n || !d->part.current || !(d->gain >= 0)) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "rate feedback needs the current of one collocated channel for each of "
                         "the %d driven ones (%d are measured), and a gain of at least 0",
                         n, d->part.nsense);
    }
    GOS_TRY(gos__plant_create(ctx, 0, n, n, controller));
    for (long k = 0; k < n; k++) {
        const double factor = d->factor ? d->factor[k] : 1;
        double ratio;
        if (!(factor >= 0)) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "rate feedback with a factor of %g for channel %d would drive the "
                             "motion instead of damping it",
                             factor, d->part.drive[k]);
        }
        GOS_TRY(find_ratio(ctx, m, d->part.sense[k], d->part.drive[k], &ratio));
        controller->D[k * (n + 1)] = -d->gain * factor / ratio;
    }
    return GOS_OK;
}

gos_status gos__modal_controller(gos_ctx *ctx, const gos_modal *m, const gos_modal_design *d,
                                 gos_plant *controller) {
    *controller = (gos_plant){0};
    if (d->law == GOS_LAW_RATE) {
        return make_rate(ctx, m, d, controller);
    }
    return d->law == GOS_LAW_LQG ? make_lqg(ctx, m, d, controller)
                                 : gos__fail(ctx, GOS_E_USE, "state feedback uses no sensors");
}

/* K of the design's modes, for a plant of the first `modes` modes */
static gos_status make_state(gos_ctx *ctx, const gos_modal *m, const gos_modal_design *d,
                             const gos_plant *plant, int modes, gos_loop *loop) {
    gos_plant model;
    gains g = {0};
    const long nu = d->part.ndrive, nm = d->part.nmode;
    double *K = gos__zalloc(ctx, (size_t)nu * plant->n + 1, sizeof *K);
    gos_status status = make_model(ctx, m, &d->part, &model);
    status = status == GOS_OK && !K ? GOS_E_MEMORY : status;
    status = status == GOS_OK ? create(ctx, &d->part, &g) : status;
    status = status == GOS_OK ? regulate(ctx, m, d, &model, &g) : status;
    for (long i = 0; i < nm && status == GOS_OK; i++) {
        const long at = d->part.mode ? d->part.mode[i] : i;
        if (at >= modes) {
            status =
                gos__fail(ctx, GOS_E_INPUT,
                          "mode %ld of the design is missing in a plant of %d modes", at, modes);
            break;
        }
        memcpy(K + at * nu, g.K + i * nu, nu * sizeof *K);
        memcpy(K + (modes + at) * nu, g.K + (nm + i) * nu, nu * sizeof *K);
    }
    status = status == GOS_OK ? gos__loop_state(ctx, plant, plant->ny - 1, K, loop) : status;
    gos__free(ctx, K);
    gos__free(ctx, g.Q);
    gos__plant_free(ctx, &model);
    return status;
}

gos_status gos__modal_loop(gos_ctx *ctx, const gos_modal *model, const gos_modal_design *d,
                           const gos_modal *truth, int modes, gos_loop *loop) {
    gos_modal_part whole = d->part;
    gos_plant plant, controller = {0};
    whole.nmode = modes;
    whole.mode = NULL;
    whole.residual = false;
    *loop = (gos_loop){0};
    gos_status status = gos__modal_plant(ctx, truth, &whole, &plant);
    if (status == GOS_OK && d->law == GOS_LAW_STATE) {
        status = make_state(ctx, model, d, &plant, modes, loop);
    } else if (status == GOS_OK) {
        status = gos__modal_controller(ctx, model, d, &controller);
        status = status == GOS_OK ? gos__loop_close(ctx, &plant, d->part.nsense, &controller, loop)
                                  : status;
    }
    gos__plant_free(ctx, &controller);
    gos__plant_free(ctx, &plant);
    return status;
}

gos_status gos__modal_scaled(gos_ctx *ctx, const gos_modal *m, double factor, gos_modal *scaled) {
    GOS_TRY(gos__modal_create(ctx, m->n, m->np, scaled));
    memcpy(scaled->omega, m->omega, m->n * sizeof *m->omega);
    memcpy(scaled->zeta, m->zeta, m->n * sizeof *m->zeta);
    memcpy(scaled->phi, m->phi, m->n * sizeof *m->phi);
    memcpy(scaled->Kup, m->Kup, (size_t)m->n * m->np * sizeof *m->Kup);
    for (int p = 0; p < m->np; p++) {
        scaled->capacitance[p] = factor * m->capacitance[p];
    }
    return GOS_OK;
}
