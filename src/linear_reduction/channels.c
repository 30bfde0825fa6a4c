/* Inputs and outputs of different units and sizes made alike, so that an error relative to the largest response
   is one relative to the largest response of each. */
#include <complex.h>
#include <float.h>
#include <math.h>

#include "linear_reduction/poles.h"
#include "linear_reduction/reduce.h"

#define GRID 200       // frequencies, even in the logarithm,
#define RESONANCES 400 // and those of poles in the band, at most;
#define LARGE 2000     // unknowns from which there are fewer, as each is a factorisation:
#define COARSE 12      // of the grid,
#define PEAKS 40       // and of both together
#define LOWEST 1e-4    // of the band, where it begins at 0
#define SMALL                                                                                      \
    600 // states up to which their poles are known; of larger models those of a reduced one
#define ROUGH 1e-2        // within this
#define NO_RESPONSE 1e-11 // of in * out, is no response
#define NO_OUTPUT 1e-10   // of the largest output of its unit, as symmetry leaves it, is none

/* frequencies of the band: a grid, and resonances of a model that knows the peaks */
static gos_status choose(gos_ctx *ctx, const gos_linear *peaks, bool large, const double band[2],
                         double *omega, int *n) {
    const double low = fmax(band[0], LOWEST * band[1]);
    const int grid = large ? COARSE : GRID, most = large ? PEAKS : GRID + RESONANCES;
    gos_poles poles = {0};
    *n = 0;
    for (int k = 0; k < grid; k++) {
        omega[(*n)++] = low * pow(band[1] / low, (double)k / (grid - 1));
    }
    GOS_TRY(gos__poles(ctx, peaks, &poles));
    for (int j = 0; j < poles.n && *n < most; j++) {
        if (poles.im[j] > low && poles.im[j] < band[1] && poles.re[j] != 0) {
            omega[(*n)++] = poles.im[j];
        }
    }
    gos__poles_free(ctx, &poles);
    return GOS_OK;
}

/* largest (ny, nu) := the largest |H_ij| at these frequencies; those of poles are left out */
static gos_status find_largest(gos_ctx *ctx, const gos_linear *l, const gos_linear *peaks,
                               const double band[2], double *largest) {
    double omega[GRID + RESONANCES];
    int n = 0;
    const size_t size = (size_t)l->nu * l->ny;
    gos_reduce_pencil *p = NULL;
    gos_complex *H = gos__alloc(ctx, size + 1, sizeof *H);
    gos_status status =
        H ? choose(ctx, peaks, l->nq + l->nt + l->nphi > LARGE, band, omega, &n) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__reduce_pencil_create(ctx, l, NULL, &p) : status;
    memset(largest, 0, size * sizeof *largest);
    for (int k = 0; k < n && status == GOS_OK; k++) {
        status = gos__progress(ctx, 0, "reduction: sizes of inputs and outputs");
        status =
            status == GOS_OK ? gos__reduce_pencil_quiet(p, gos__complex(0, omega[k]), H) : status;
        for (size_t i = 0; i < size && status == GOS_OK; i++) {
            largest[i] = fmax(largest[i], cabs(H[i]));
        }
        status = status == GOS_E_SINGULAR ? GOS_OK : status;
    }
    gos__free(ctx, H);
    gos__reduce_pencil_destroy(p);
    return status;
}

/* sizes from the largest responses: of inputs by geometric means, which no unit changes, then outputs by them,
   and inputs by those again */
static void find_sizes(int nu, int ny, const double *largest, double *in, double *out) {
    for (int j = 0; j < nu; j++) {
        double sum = 0;
        int n = 0;
        for (int i = 0; i < ny; i++) {
            const double h = largest[j * ny + i];
            sum += h > 0 ? log(h) : 0;
            n += h > 0;
        }
        in[j] = n > 0 ? exp(sum / n) : 1;
    }
    for (int i = 0; i < ny; i++) {
        out[i] = 0;
        for (int j = 0; j < nu; j++) {
            out[i] = fmax(out[i], largest[j * ny + i] / in[j]);
        }
        out[i] = out[i] > DBL_MIN ? out[i] : 1;
    }
    for (int j = 0; j < nu; j++) {
        double most = 0;
        for (int i = 0; i < ny; i++) {
            most = fmax(most, largest[j * ny + i] / out[i]);
        }
        in[j] = most > DBL_MIN ? most : 1;
    }
}

/* responses that are rounding beside those of the same input and output take no part in geometric means */
static void drop_rounding(int nu, int ny, const double *in, const double *out, double *largest) {
    for (int j = 0; j < nu; j++) {
        for (int i = 0; i < ny; i++) {
            double *h = &largest[j * ny + i];
            *h = *h > NO_RESPONSE * in[j] * out[i] ? *h : 0;
        }
    }
}

/* an output that symmetry holds at rest shows rounding, which must not be scaled up to 1 */
static void join_outputs(const gos_linear *l, double *out) {
    for (int i = 0; i < l->ny; i++) {
        double most = out[i];
        for (int k = 0; k < l->ny && l->output[i].unit[0]; k++) {
            most = strcmp(l->output[k].unit, l->output[i].unit) == 0 ? fmax(most, out[k]) : most;
        }
        out[i] = out[i] < NO_OUTPUT * most ? most : out[i];
    }
}

gos_status gos__channel_sizes(gos_ctx *ctx, const gos_linear *l, const double band[2], double *in,
                              double *out) {
    gos_linear_reduction *rough = NULL;
    if (2 * l->nq + l->nt > SMALL || l->nphi > 0 || l->nc > 0 || l->nh > 0) {
        const gos_linear_reduction_options opt = {
            .method = "auto", .band = {band[0], band[1]}, .tolerance = ROUGH};
        GOS_TRY(gos_linear_reduce(ctx, l, &opt, &rough));
    }
    double *largest = gos__alloc(ctx, (size_t)l->nu * l->ny + 1, sizeof *largest);
    gos_status status = largest ? GOS_OK : GOS_E_MEMORY;
    status =
        status == GOS_OK ? find_largest(ctx, l, rough ? rough->model : l, band, largest) : status;
    for (int pass = 0; pass < 3 && status == GOS_OK; pass++) {
        find_sizes(l->nu, l->ny, largest, in, out);
        drop_rounding(l->nu, l->ny, in, out, largest);
    }
    if (status == GOS_OK) {
        join_outputs(l, out);
    }
    gos__free(ctx, largest);
    gos_linear_reduction_destroy(rough);
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
