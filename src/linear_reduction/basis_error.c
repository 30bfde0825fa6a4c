/* Error of a basis from several sources, whose methods predict errors of their own vectors only. */
#include <complex.h>

#include "linear_reduction/estimator.h"
#include "linear_reduction/frequency_response.h"

#define ERROR_FLOOR 0.05 // error floor relative to the tolerance

static gos_status copy_vectors(const gos_linear *l, const gos_space *from, gos_space *to) {
    int start[GOS_NFIELDS + 1], max[GOS_NFIELDS];
    gos__reduce_fields(l, start, max);
    gos__space_init(l->ctx, start, NULL, to);
    for (int f = 0; f < GOS_NFIELDS; f++) {
        const size_t n = (size_t)(start[f + 1] - start[f]);
        for (int k = 0; k < from->count[f] && n > 0; k++) {
            GOS_TRY(gos__space_put(to, f, from->v[f] + (size_t)k * n));
        }
    }
    return GOS_OK;
}

/* input and output with the largest difference at a frequency */
static gos_status find_channel(gos_ctx *ctx, gos_responder *full, const gos_linear *reduced,
                               double omega, gos_reduction_assessment *j) {
    const int size = reduced->nu * reduced->ny;
    gos_responder other;
    gos_complex *H = gos__alloc(ctx, 2 * (size_t)size + 1, sizeof *H);
    gos_status status = H ? GOS_OK : GOS_E_MEMORY;
    double max = -1;
    GOS_TRY(status);
    status = gos__responder_begin(ctx, reduced, &other);
    if (status == GOS_OK) {
        status = gos__responder_at(full, omega, H);
        status = status == GOS_OK ? gos__responder_at(&other, omega, H + size) : status;
        gos__responder_end(ctx, &other);
    }
    for (int k = 0; k < size && status == GOS_OK; k++) {
        const double off = cabs(H[k] - H[size + k]);
        if (off > max) {
            max = off;
            j->input = k / reduced->ny;
            j->output = k % reduced->ny;
        }
    }
    gos__free(ctx, H);
    return status == GOS_E_SINGULAR ? GOS_OK : status; // at a pole: unknown
}

static gos_status measure(gos_ctx *ctx, const gos_linear *l, const double band[2], double tolerance,
                          const gos_linear_reduction *r, gos_reduction_assessment *j) {
    gos_responder full;
    gos_band_error e = {0};
    int none = 0;
    GOS_TRY(gos__responder_begin(ctx, l, &full));
    gos_status status = gos__band_responses(ctx, &full, r->model, band, ERROR_FLOOR * tolerance,
                                            NULL, &e, &none, NULL);
    status = status == GOS_OK ? find_channel(ctx, &full, r->model, e.worst, j) : status;
    gos__responder_end(ctx, &full);
    j->error = e.relative;
    return status;
}

static gos_status estimate(gos_ctx *ctx, const gos_linear *l, const double band[2],
                           double tolerance, gos_linear_reduction *r, gos_reduction_assessment *j) {
    gos_reduce_pencil *p;
    bool measurable = false;
    GOS_TRY(gos__reduce_project(ctx, l, r));
    GOS_TRY(gos__reduce_pencil_create(ctx, l, NULL, &p));
    gos_status status = gos__reduce_is_measurable(p, &measurable);
    gos__reduce_pencil_destroy(p);
    GOS_TRY(status);
    if (measurable) {
        return measure(ctx, l, band, tolerance, r, j);
    }
    GOS_TRY(gos__reduce_estimate(ctx, l, band, false, r));
    j->error = r->report.predicted;
    return GOS_OK;
}

gos_status gos__reduction_assess(gos_ctx *ctx, const gos_linear *linear, const double band[2],
                                 double tolerance, const gos_space *basis,
                                 gos_reduction_assessment *j) {
    gos_linear *scaled = NULL;
    *j = (gos_reduction_assessment){.input = -1, .output = -1};
    gos_linear_reduction *r = gos__zalloc(ctx, 1, sizeof *r);
    double *in = gos__alloc(ctx, (size_t)linear->nu + (size_t)linear->ny + 1, sizeof *in);
    gos_status status = r && in ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        r->ctx = ctx;
        status = gos__channel_sizes(ctx, linear, band, tolerance, in, in + linear->nu);
    }
    status = status == GOS_OK ? gos__linear_copy(ctx, linear, &scaled) : status;
    if (status == GOS_OK) {
        gos__scale_channels(scaled, in, in + linear->nu, false);
        status = copy_vectors(scaled, basis, &r->V);
    }
    status = status == GOS_OK ? estimate(ctx, scaled, band, tolerance, r, j) : status;
    gos_linear_destroy(scaled);
    gos__free(ctx, in);
    gos_linear_reduction_destroy(r);
    return status;
}
