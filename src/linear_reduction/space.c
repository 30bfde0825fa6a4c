/* Growing orthonormal bases. */
#include "linear_reduction/space.h"

#include <cblas.h>
#include <complex.h>
#include <math.h>

#define DEFLATE 1e-10 // relative norm of a dependent vector (theory 3.2)

void gos__space_init(gos_ctx *ctx, const int start[GOS_NFIELDS + 1], const int *max, gos_space *s) {
    *s = (gos_space){.ctx = ctx};
    memcpy(s->start, start, sizeof s->start);
    for (int f = 0; f < GOS_NFIELDS; f++) {
        s->max[f] = max ? max[f] : start[f + 1] - start[f];
    }
}

void gos__space_free(gos_space *s) {
    for (int f = 0; f < GOS_NFIELDS; f++) {
        gos__free(s->ctx, s->v[f]);
    }
    *s = (gos_space){0};
}

int gos__space_largest(const gos_space *s) {
    int max = 0;
    for (int f = 0; f < GOS_NFIELDS; f++) {
        max = s->count[f] > max ? s->count[f] : max;
    }
    return max;
}

gos_status gos__space_put(gos_space *s, int field, const double *x) {
    const size_t n = gos__space_rows(s, field);
    void *v = s->v[field];
    GOS_TRY(gos__grow(s->ctx, &v, &s->cap[field], s->count[field] + 1, n * sizeof(double)));
    s->v[field] = v;
    memcpy(s->v[field] + s->count[field] * n, x, n * sizeof(double));
    s->count[field]++;
    return GOS_OK;
}

gos_status gos__space_add(gos_space *s, int field, double *x, double size) {
    const int n = gos__space_rows(s, field), count = s->count[field];
    double *h = gos__alloc(s->ctx, count + 1L, sizeof *h);
    if (!h) {
        return GOS_E_MEMORY;
    }
    const double own = cblas_dnrm2(n, x, 1);
    for (int pass = 0; pass < 2 && count > 0; pass++) {
        cblas_dgemv(CblasColMajor, CblasTrans, n, count, 1, s->v[field], n, x, 1, 0, h, 1);
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, count, -1, s->v[field], n, h, 1, 1, x, 1);
    }
    gos__free(s->ctx, h);
    const double left = cblas_dnrm2(n, x, 1);
    if (!(left > DEFLATE * fmax(own, size)) || count >= s->max[field]) {
        s->dropped++;
        return isfinite(left) ? GOS_OK
                              : gos__fail(s->ctx, GOS_E_NONFINITE, "a basis vector is not finite");
    }
    cblas_dscal(n, 1 / left, x, 1);
    return gos__space_put(s, field, x);
}

gos_status gos__space_split(gos_space *s, const gos_complex *x, const double *min_size) {
    gos_status status = GOS_OK;
    for (int f = 0; f < GOS_NFIELDS && status == GOS_OK; f++) {
        const int n = gos__space_rows(s, f);
        const gos_complex *part = x + s->start[f];
        double size = cblas_dznrm2(n, part, 1);
        if (size == 0) {
            continue;
        }
        size = min_size ? fmax(size, min_size[f]) : size;
        double *y = gos__alloc(s->ctx, n, sizeof *y);
        status = y ? GOS_OK : GOS_E_MEMORY;
        for (int half = 0; half < 2 && status == GOS_OK; half++) {
            double largest = 0;
            for (int i = 0; i < n; i++) {
                y[i] = half ? cimag(part[i]) : creal(part[i]);
                largest = fmax(largest, fabs(y[i]));
            }
            // real vectors have no imaginary part
            status = largest > 0 ? gos__space_add(s, f, y, size) : GOS_OK;
        }
        gos__free(s->ctx, y);
    }
    return status;
}
