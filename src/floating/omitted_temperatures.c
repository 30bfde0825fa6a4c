/* One implicit step of the whole run, (S + C / duration) theta = f. Its projection on the fields is
   orthogonal in the same matrix. f.theta is the temperature where the load f acts, f.(theta -
   theta_W) its omitted part, which is not negative. */
#include "floating/omitted_temperatures.h"

#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linalg/saddle.h"

#define LONG 1e-9        // least capacity term, of the largest rate: insulated bodies are singular
#define DIFFERENCES 1e-6 // of the temperature, below which a load warms the body uniformly

typedef struct omission {
    const gos_flex *flex;
    const gos_floating_names *names;
    gos_sparse S; // with films and prescribed temperatures
    gos_linear *l;
    gos_saddle *saddle;
    double rate;           // 1 / duration
    double *theta, *level; // (heat.n): of a load; heat of a uniform 1 K
    double stiffness;      // heat for a uniform 1 K
    bool insulated;
} omission;

static gos_status conduction(const gos_flex *flex, const gos_floating_names *names, gos_sparse *S) {
    const gos_sparse *add[] = {names->film, names->held};
    GOS_TRY(gos__sparse_copy(flex->ctx, &flex->heat.S, S));
    for (int i = 0; i < GOS_COUNT(add); i++) {
        gos_sparse sum;
        if (add[i]) {
            const gos_status status = gos__sparse_sum(flex->ctx, 1, S, 1, add[i], &sum);
            gos__sparse_free(flex->ctx, S);
            *S = sum;
            GOS_TRY(status);
        }
    }
    return GOS_OK;
}

static gos_status begin(omission *k, double duration) {
    gos_flex body = *k->flex;
    const int n = body.heat.n;
    GOS_TRY(conduction(k->flex, k->names, &k->S));
    body.heat.S = k->S;
    GOS_TRY(gos__flex_linear(&body, 0, NULL, 0, NULL, &k->l));
    const gos_pencil pencil = {.K = &k->l->K_T,
                               .M = &k->l->block[GOS_BLOCK_C_T],
                               .C = &k->l->block[GOS_BLOCK_H],
                               .ncomp = 1};
    const double fastest = gos__pencil_scale(&pencil);
    k->rate = fmax(duration > 0 ? 1 / duration : 0, LONG * fastest);
    GOS_TRY(gos__saddle_create(body.ctx, &pencil, &k->saddle));
    GOS_TRY(gos__saddle_factor(k->saddle, 0, k->rate));
    k->theta = gos__zalloc(body.ctx, 2 * (size_t)n + 1, sizeof *k->theta);
    GOS_TRY(k->theta ? GOS_OK : GOS_E_MEMORY);
    k->level = k->theta + n;
    gos__sparse_apply(&k->S, 1, body.heat.mean, k->level);
    const double flow = gos__dense_dot(n, body.heat.mean, k->level);
    gos__sparse_apply(&body.heat.C, 1, body.heat.mean, k->theta);
    const double capacity = gos__dense_dot(n, body.heat.mean, k->theta);
    k->insulated = fabs(flow) <= LONG * fastest * capacity;
    k->stiffness = flow + k->rate * capacity;
    return GOS_OK;
}

static void end(omission *k) {
    gos__saddle_destroy(k->saddle);
    gos_linear_destroy(k->l);
    gos__sparse_free(k->flex->ctx, &k->S);
    gos__free(k->flex->ctx, k->theta);
}

/* temperature at a load of 1 W, and without the mean of an insulated body */
static gos_status respond(omission *k, const double *heat, double *all, double *differences) {
    const int n = k->flex->heat.n;
    GOS_TRY(gos__saddle_solve(k->saddle, 1, heat, k->theta));
    *all = gos__dense_dot(n, heat, k->theta);
    const double total = gos__dense_dot(n, heat, k->flex->heat.mean);
    *differences = k->insulated ? *all - total * total / k->stiffness : *all;
    return GOS_OK;
}

static bool acts(const gos_floating_names *names, int i) {
    return names->heat.port[i].heat && !(names->magnitude && names->magnitude[i] == 0);
}

/* A (s, s): Cholesky factor of W^T (S + rate C) W */
static gos_status factor(const omission *k, int s, const double *W, double *A) {
    const int n = k->flex->heat.n;
    const size_t size = (size_t)n * (size_t)s;
    double *SW = gos__alloc(k->flex->ctx, 2 * size + 1, sizeof *SW), *CW = SW + size;
    GOS_TRY(SW ? GOS_OK : GOS_E_MEMORY);
    gos__sparse_apply(&k->S, s, W, SW);
    gos__sparse_apply(&k->flex->heat.C, s, W, CW);
    for (size_t i = 0; i < size; i++) {
        SW[i] += k->rate * CW[i];
    }
    gos__dense_product(s, s, n, W, SW, A);
    gos__free(k->flex->ctx, SW);
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', s, A, s) == 0
               ? GOS_OK
               : gos__fail(k->flex->ctx, GOS_E_SINGULAR,
                           "temperature fields of a reduced body are linearly dependent");
}

static gos_status omit(omission *k, int s, const double *W, gos_omitted_temperatures *omitted) {
    double *A = gos__alloc(k->flex->ctx, (size_t)s * (size_t)s + (size_t)s + 1, sizeof *A);
    double *a = A + (size_t)s * (size_t)s;
    gos_status status = A ? factor(k, s, W, A) : GOS_E_MEMORY;
    for (int i = 0; i < k->names->heat.n && status == GOS_OK; i++) {
        const gos_flex_port *port = &k->names->heat.port[i];
        double all, differences;
        if (!acts(k->names, i)) {
            continue;
        }
        status = respond(k, port->heat, &all, &differences);
        gos__dense_product(s, 1, k->flex->heat.n, W, port->heat, a);
        LAPACKE_dtrtrs_work(LAPACK_COL_MAJOR, 'L', 'N', 'N', s, 1, A, s, a, s);
        const double left = all - gos__dense_dot(s, a, a);
        if (status == GOS_OK && differences > DIFFERENCES * all &&
            left > omitted->part * differences) {
            omitted->part = fmin(left / differences, 1);
            omitted->load = port->name;
        }
    }
    gos__free(k->flex->ctx, A);
    return status;
}

gos_status gos__omitted_temperatures(const gos_flex *flex, const gos_floating_names *names,
                                     double duration, int s, const double *W,
                                     gos_omitted_temperatures *omitted) {
    omission k = {.flex = flex, .names = names};
    *omitted = (gos_omitted_temperatures){0};
    gos_status status = begin(&k, duration);
    status = status == GOS_OK ? omit(&k, s, W, omitted) : status;
    end(&k);
    return status;
}

/* temperature by modes: (x.f)^2 / (rate of the mode + 1 / duration) */
static gos_status count(omission *k, double part, int found, const double *rates, const double *X,
                        int *fields) {
    const int n = k->flex->heat.n;
    *fields = 0;
    for (int i = 0; i < k->names->heat.n; i++) {
        double all, differences;
        int m = 0;
        if (!acts(k->names, i)) {
            continue;
        }
        GOS_TRY(respond(k, k->names->heat.port[i].heat, &all, &differences));
        if (!(differences > DIFFERENCES * all)) {
            continue;
        }
        for (double left = all; left > part * differences; m++) {
            if (m == found) {
                *fields = 0;
                return GOS_OK;
            }
            const double x =
                gos__dense_dot(n, X + (size_t)m * (size_t)n, k->names->heat.port[i].heat);
            left -= x * x / (rates[m] + k->rate);
        }
        *fields = m > *fields ? m : *fields;
    }
    return GOS_OK;
}

gos_status gos__sufficient_temperatures(const gos_flex *flex, const gos_floating_names *names,
                                        double duration, double part, int most,
                                        gos_omitted_temperatures *omitted) {
    omission k = {.flex = flex, .names = names};
    const int n = most < flex->heat.n ? most : flex->heat.n;
    double *rates =
        gos__alloc(flex->ctx, (size_t)n * ((size_t)flex->heat.n + 1) + 1, sizeof *rates);
    int found = 0;
    gos_status status = rates ? begin(&k, duration) : GOS_E_MEMORY;
    status = status == GOS_OK
                 ? gos_linear_thermal_modes(flex->ctx, k.l, n, rates, rates + n, &found)
                 : status;
    status = status == GOS_OK ? count(&k, part, found, rates, rates + n, &omitted->fields) : status;
    end(&k);
    gos__free(flex->ctx, rates);
    return status;
}
