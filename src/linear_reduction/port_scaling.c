/* Scaling of inputs and outputs of different units, so that errors are relative to the largest
   response of each channel. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "linear_reduction/poles.h"
#include "linear_reduction/rounding.h"

#define GRID_FREQUENCIES 200 // logarithmic grid
#define MAX_RESONANCES 400   // largest number of poles in the band
// unknowns from which fewer frequencies are used, each requiring a factorisation:
#define LARGE_SIZE 2000
#define COARSE_GRID 12        // grid,
#define COARSE_FREQUENCIES 40 // total
#define LOWEST_FREQUENCY 1e-4 // lowest frequency relative to the upper end, if the band starts at 0
// most states for computing poles; larger models use those of a reduced model
#define MAX_POLE_STATES 600
#define ROUGH_TOLERANCE 1e-2 // of this tolerance
// smallest output relative to the largest of its unit; smaller ones vanish by symmetry
#define MIN_OUTPUT 1e-10
// factor on the size of hidden inputs in the rough reduction: resonances magnify their round-off
#define HIDDEN_FACTOR 1e6

/* grid, and resonances of the model `peaks` */
static gos_status choose(gos_ctx *ctx, const gos_linear *peaks, bool large, const double band[2],
                         double *omega, int *n) {
    const double low = fmax(band[0], LOWEST_FREQUENCY * band[1]);
    const int grid = large ? COARSE_GRID : GRID_FREQUENCIES,
              max = large ? COARSE_FREQUENCIES : GRID_FREQUENCIES + MAX_RESONANCES;
    gos_poles poles = {0};
    *n = 0;
    for (int k = 0; k < grid; k++) {
        omega[(*n)++] = low * pow(band[1] / low, (double)k / (grid - 1));
    }
    GOS_TRY(gos__poles(ctx, peaks, &poles));
    for (int j = 0; j < poles.n && *n < max; j++) {
        if (poles.im[j] > low && poles.im[j] < band[1] && poles.re[j] != 0) {
            omega[(*n)++] = poles.im[j];
        }
    }
    gos__poles_free(ctx, &poles);
    return GOS_OK;
}

/* largest responses and round-off norms */
typedef struct largest {
    int nu, ny;
    double *h, *in, *out; // (ny, nu), (fields, nu), (fields, ny)
    double *now[2];       // at one frequency: in, out
    gos_complex *H;       // (ny, nu), at one frequency
    double min_ratio;     // smallest significant ratio of a response to its round-off
} largest;

static gos_status largest_begin(gos_ctx *ctx, const gos_linear *l, double tolerance, largest *to) {
    const size_t size = (size_t)l->nu * (size_t)l->ny, nu = GOS_NFIELDS * (size_t)l->nu,
                 ny = GOS_NFIELDS * (size_t)l->ny;
    *to = (largest){.nu = l->nu, .ny = l->ny, .min_ratio = 1 / tolerance};
    to->h = gos__zalloc(ctx, size + 2 * (nu + ny) + 1, sizeof *to->h);
    to->H = gos__alloc(ctx, size + 1, sizeof *to->H);
    if (!to->h || !to->H) {
        return GOS_E_MEMORY;
    }
    to->in = to->h + size;
    to->out = to->in + nu;
    to->now[0] = to->out + ny;
    to->now[1] = to->now[0] + nu;
    return GOS_OK;
}

static void largest_end(gos_ctx *ctx, largest *to) {
    gos__free(ctx, to->h);
    gos__free(ctx, to->H);
}

/* update the maxima; skips poles */
static gos_status evaluate(const gos_rounding *rounding, gos_reduce_pencil *p, gos_complex s,
                           largest *to) {
    const gos_status status = gos__rounding_response(rounding, p, s, to->H, to->now[0], to->now[1]);
    if (status != GOS_OK) {
        return status == GOS_E_SINGULAR ? GOS_OK : status;
    }
    for (int i = 0; i < to->nu * to->ny; i++) {
        to->h[i] = fmax(to->h[i], cabs(to->H[i]));
    }
    for (int i = 0; i < GOS_NFIELDS * to->nu; i++) {
        to->in[i] = fmax(to->in[i], to->now[0][i]);
    }
    for (int i = 0; i < GOS_NFIELDS * to->ny; i++) {
        to->out[i] = fmax(to->out[i], to->now[1][i]);
    }
    return GOS_OK;
}

/* maxima on the band, of the model or its reduction (NULL: none) */
static gos_status evaluate_on_axis(gos_ctx *ctx, const gos_linear *l, const gos_linear_reduction *r,
                                   const double band[2], largest *to) {
    double omega[GRID_FREQUENCIES + MAX_RESONANCES];
    int n = 0;
    const gos_linear *model = r ? r->model : l;
    gos_reduce_pencil *p = NULL;
    gos_rounding rounding;
    GOS_TRY(gos__rounding_begin(ctx, l, r, &rounding));
    gos_status status = choose(ctx, model, l->nq + l->nt + l->nphi > LARGE_SIZE, band, omega, &n);
    status = status == GOS_OK ? gos__reduce_pencil_create(ctx, model, NULL, &p) : status;
    for (int k = 0; k < n && status == GOS_OK; k++) {
        status = gos__progress(ctx, 0, "reduction: sizes of inputs and outputs");
        status = status == GOS_OK ? evaluate(&rounding, p, gos__complex(0, omega[k]), to) : status;
    }
    gos__reduce_pencil_destroy(p);
    gos__rounding_end(&rounding);
    return status;
}

static gos_status evaluate_off_axis(gos_ctx *ctx, const gos_linear *l, const double band[2],
                                    largest *to) {
    const double low = fmax(band[0], LOWEST_FREQUENCY * band[1]);
    gos_reduce_pencil *p = NULL;
    gos_rounding rounding;
    GOS_TRY(gos__rounding_begin(ctx, l, NULL, &rounding));
    gos_status status = gos__reduce_pencil_create(ctx, l, NULL, &p);
    status = status == GOS_OK ? evaluate(&rounding, p, sqrt(low * band[1]), to) : status;
    gos__reduce_pencil_destroy(p);
    gos__rounding_end(&rounding);
    return status;
}

/* A response below round-off counts as its significance limit. */
static double size_of(const largest *l, int i, int j) {
    return fmax(l->h[j * l->ny + i],
                l->min_ratio * gos__rounding_of(l->in + (size_t)(GOS_NFIELDS * j),
                                                l->out + (size_t)(GOS_NFIELDS * i)));
}

/* Sizes of inputs by geometric means (unit-independent) of significant responses; then of
   outputs; then of inputs again. */
static void find_sizes(const largest *l, double *in, double *out) {
    for (int j = 0; j < l->nu; j++) {
        double sum[2] = {0, 0};
        int n[2] = {0, 0};
        for (int i = 0; i < l->ny; i++) {
            const double size = size_of(l, i, j);
            const bool significant = l->h[j * l->ny + i] >= size;
            sum[significant] += size > 0 ? log(size) : 0;
            n[significant] += size > 0;
        }
        const bool any = n[1] > 0;
        in[j] = n[any] > 0 ? exp(sum[any] / n[any]) : 1;
    }
    for (int i = 0; i < l->ny; i++) {
        out[i] = 0;
        for (int j = 0; j < l->nu; j++) {
            out[i] = fmax(out[i], size_of(l, i, j) / in[j]);
        }
        out[i] = out[i] > DBL_MIN ? out[i] : 1;
    }
    for (int j = 0; j < l->nu; j++) {
        double max = 0;
        for (int i = 0; i < l->ny; i++) {
            max = fmax(max, size_of(l, i, j) / out[i]);
        }
        in[j] = max > DBL_MIN ? max : 1;
    }
}

/* outputs that vanish by symmetry show round-off, which must not be scaled to 1 */
static void join_outputs(const gos_linear *l, double *out) {
    for (int i = 0; i < l->ny; i++) {
        double max = out[i];
        for (int k = 0; k < l->ny && l->output[i].unit[0]; k++) {
            max = strcmp(l->output[k].unit, l->output[i].unit) == 0 ? fmax(max, out[k]) : max;
        }
        out[i] = out[i] < MIN_OUTPUT * max ? max : out[i];
    }
}

/* all responses to an input are below round-off */
static bool is_hidden(const largest *l, int j) {
    bool hidden = true;
    for (int i = 0; i < l->ny; i++) {
        hidden = hidden && l->h[j * l->ny + i] < size_of(l, i, j);
    }
    return hidden;
}

/* An input without effect by symmetry (torsion, with bending outputs) gets the largest size of
   its unit; its own would magnify round-off. */
static void join_inputs(const gos_linear *l, const largest *found, double *in) {
    for (int j = 0; j < l->nu; j++) {
        double max = 0;
        for (int k = 0; k < l->nu && is_hidden(found, j); k++) {
            const bool like = strcmp(l->input[k].unit, l->input[j].unit) == 0;
            max = like && !is_hidden(found, k) ? fmax(max, in[k]) : max;
        }
        in[j] = fmax(in[j], max);
    }
}

static void divide(largest *l, const double *in, const double *out) {
    for (int k = 0; k < l->nu * l->ny; k++) {
        l->h[k] /= in[k / l->ny] * out[k % l->ny];
    }
    for (int k = 0; k < GOS_NFIELDS * l->nu; k++) {
        l->in[k] /= in[k / GOS_NFIELDS];
    }
    for (int k = 0; k < GOS_NFIELDS * l->ny; k++) {
        l->out[k] /= out[k / GOS_NFIELDS];
    }
}

/* responses of the whole model below round-off, such as zeros by symmetry (ny, nu) */
static void find_unseen(const largest *l, bool *hidden_ports) {
    for (int j = 0; j < l->nu; j++) {
        for (int i = 0; i < l->ny; i++) {
            hidden_ports[j * l->ny + i] = l->h[j * l->ny + i] < size_of(l, i, j);
        }
    }
}

/* Peaks of large models from a rough reduction. It drops small channels, so they are first
   scaled by responses off the band. Responses unseen there are errors of the reduction. */
static gos_status evaluate_by_reduction(gos_ctx *ctx, const gos_linear *l, const double band[2],
                                        largest *found, double *in, double *out) {
    gos_linear *scaled = NULL;
    gos_linear_reduction *rough = NULL;
    bool *hidden_ports = gos__zalloc(ctx, (size_t)l->nu * (size_t)l->ny + 1, sizeof *hidden_ports);
    gos_status status = hidden_ports ? evaluate_off_axis(ctx, l, band, found) : GOS_E_MEMORY;
    if (status == GOS_OK) {
        find_sizes(found, in, out);
        find_unseen(found, hidden_ports);
        for (int j = 0; j < l->nu; j++) {
            in[j] *= is_hidden(found, j) ? HIDDEN_FACTOR : 1;
        }
        divide(found, in, out);
        status = gos__linear_copy(ctx, l, &scaled);
    }
    if (status == GOS_OK) {
        gos__scale_channels(scaled, in, out, false);
        status = gos__reduce_uncut(ctx, scaled, band, ROUGH_TOLERANCE, &rough);
    }
    status = status == GOS_OK ? evaluate_on_axis(ctx, scaled, rough, band, found) : status;
    for (int k = 0; k < l->nu * l->ny && status == GOS_OK; k++) {
        found->h[k] = hidden_ports[k] ? 0 : found->h[k];
    }
    gos_linear_destroy(scaled);
    gos_linear_reduction_destroy(rough);
    gos__free(ctx, hidden_ports);
    return status;
}

gos_status gos__channel_sizes(gos_ctx *ctx, const gos_linear *l, const double band[2],
                              double tolerance, double *in, double *out) {
    const bool large = 2 * l->nq + l->nt > MAX_POLE_STATES || l->nphi > 0 || l->nc > 0 || l->nh > 0;
    const int n = l->nu + l->ny;
    largest found;
    double *first = gos__alloc(ctx, (size_t)n + 1, sizeof *first);
    gos_status status = first ? largest_begin(ctx, l, tolerance, &found) : GOS_E_MEMORY;
    for (int k = 0; k < n && status == GOS_OK; k++) {
        first[k] = 1;
    }
    if (status == GOS_OK) {
        status = large ? evaluate_by_reduction(ctx, l, band, &found, first, first + l->nu)
                       : evaluate_on_axis(ctx, l, NULL, band, &found);
    }
    if (status == GOS_OK) {
        find_sizes(&found, in, out);
    }
    for (int k = 0; k < n && status == GOS_OK; k++) {
        *(k < l->nu ? &in[k] : &out[k - l->nu]) *= first[k];
    }
    if (status == GOS_OK) {
        join_inputs(l, &found, in);
        join_outputs(l, out);
    }
    if (first) {
        largest_end(ctx, &found);
    }
    gos__free(ctx, first);
    return status;
}

void gos__scale_channels(gos_linear *l, const double *in, const double *out, bool back) {
    static const gos_block inputs[] = {GOS_BLOCK_B, GOS_BLOCK_B_T, GOS_BLOCK_B_phi, GOS_BLOCK_Y_u};
    static const gos_block outputs[] = {GOS_BLOCK_Y_q, GOS_BLOCK_Y_v, GOS_BLOCK_Y_T,
                                        GOS_BLOCK_Y_phi, GOS_BLOCK_Y_u};
    for (int b = 0; b < GOS_COUNT(inputs); b++) {
        gos_sparse *A = &l->block[inputs[b]];
        for (int j = 0; j < A->n; j++) {
            for (int k = A->p[j]; k < A->p[j + 1]; k++) {
                A->x[k] *= back ? in[j] : 1 / in[j];
            }
        }
    }
    for (int b = 0; b < GOS_COUNT(outputs); b++) {
        gos_sparse *A = &l->block[outputs[b]];
        for (int k = 0; k < A->p[A->n]; k++) {
            A->x[k] *= back ? out[A->i[k]] : 1 / out[A->i[k]];
        }
    }
}
