#include "control/robust.h"

#include <math.h>

#include "linalg/dense.h"

/* mode with the most energy in v + i w; kinetic and elastic energy are equal on average */
static int strongest(int modes, const double *v, const double *w) {
    double max = -1;
    int best = 0;
    for (int i = 0; i < modes; i++) {
        const double re = v[modes + i], im = w ? w[modes + i] : 0, energy = re * re + im * im;
        if (energy > max) {
            max = energy;
            best = i;
        }
    }
    return best;
}

static void measure(const gos_loop *l, const double *re, const double *im, const double *vectors,
                    gos_stability *s, double *reach) {
    const int n = l->n, modes = l->nplant / 2;
    *s = (gos_stability){.abscissa = -HUGE_VAL, .damping = 1};
    for (int i = 0; i < modes && reach; i++) {
        reach[i] = -HUGE_VAL;
    }
    for (long k = 0; k < n; k++) {
        const bool pair = im[k] > 0;
        const double *v = vectors + k * n;
        const int mode = strongest(modes, v, pair ? v + n : NULL);
        const double size = hypot(re[k], im[k]);
        s->damping = fmin(s->damping, size > 0 ? -re[k] / size : 0);
        if (reach) {
            reach[mode] = fmax(reach[mode], re[k]);
        }
        if (re[k] > s->abscissa) {
            s->abscissa = re[k];
            s->frequency = fabs(im[k]);
            s->mode = mode;
        }
        k += pair; // skip the conjugate
    }
}

gos_status gos__loop_stability(gos_ctx *ctx, const gos_loop *l, gos_stability *s, double *reach) {
    const size_t n = l->n;
    double *A = gos__alloc(ctx, 2 * n * n + 2 * n + 1, sizeof *A);
    if (!A) {
        return GOS_E_MEMORY;
    }
    double *vectors = A + n * n, *re = vectors + n * n, *im = re + n;
    gos__loop_matrix(l, A);
    const gos_status status = gos__dense_general(ctx, l->n, A, re, im, vectors);
    if (status == GOS_OK) {
        measure(l, re, im, vectors, s, reach);
    }
    gos__free(ctx, A);
    return status;
}

gos_status gos__loop_gain(gos_ctx *ctx, const gos_loop *l, gos_plant *gain) {
    GOS_TRY(gos__plant_create(ctx, l->n, l->nu, l->nu, gain));
    memcpy(gain->A, l->A, (size_t)l->n * l->n * sizeof *l->A);
    memcpy(gain->B, l->B, (size_t)l->n * l->nu * sizeof *l->B);
    for (long k = 0; k < (long)l->n * l->nu; k++) {
        gain->C[k] = -l->F[k];
    }
    return GOS_OK;
}

gos_status gos__capacitance_sweep(gos_ctx *ctx, const gos_modal *m, const gos_modal_design *d,
                                  int modes, bool observer, int n, const double *error,
                                  double *abscissa) {
    for (int k = 0; k < n; k++) {
        gos_modal scaled;
        gos_loop loop = {0};
        gos_stability s = {0};
        gos_status status = gos__modal_scaled(ctx, m, 1 + error[k], &scaled);
        if (status == GOS_OK) {
            status = gos__modal_loop(ctx, observer ? &scaled : m, d, observer ? m : &scaled, modes,
                                     &loop);
        }
        status = status == GOS_OK ? gos__loop_stability(ctx, &loop, &s, NULL) : status;
        gos__loop_free(ctx, &loop);
        gos__modal_free(ctx, &scaled);
        GOS_TRY(status);
        abscissa[k] = s.abscissa;
    }
    return GOS_OK;
}

gos_status gos__loop_norm(gos_ctx *ctx, const gos_loop *l, double *norm, double *omega) {
    gos_plant p;
    GOS_TRY(gos__plant_create(ctx, l->n, 1, l->nz, &p));
    gos__loop_matrix(l, p.A);
    memcpy(p.B, l->E, l->n * sizeof *l->E);
    memcpy(p.D, l->G, l->nz * sizeof *l->G);
    for (long j = 0; j < l->n; j++) {
        for (long i = 0; i < l->nz; i++) {
            double sum = l->C[j * l->nz + i];
            for (long k = 0; k < l->nu; k++) {
                sum += l->D[k * l->nz + i] * l->F[j * l->nu + k];
            }
            p.C[j * l->nz + i] = sum;
        }
    }
    const gos_status status = gos__hinf_norm(ctx, &p, 1e-6, norm, omega);
    gos__plant_free(ctx, &p);
    return status;
}
