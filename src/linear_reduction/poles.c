/* Eigenvalues of E^-1 A with left and right vectors by LAPACK. */
#include "linear_reduction/poles.h"

#include <complex.h>
#include <lapacke.h>
#include <math.h>

#include "linalg/dense.h"
#include "linear_reduction/first_order.h"

void gos__poles_free(gos_ctx *ctx, gos_poles *p) {
    gos__free(ctx, p->re);
    gos__free(ctx, p->b);
    gos__free(ctx, p->c);
    *p = (gos_poles){0};
}

double gos__poles_residue(const gos_poles *p, int j) {
    double b = 0, c = 0;
    for (long i = 0; i < p->nu; i++) {
        const gos_complex x = p->b[i * p->n + j];
        b += creal(x) * creal(x) + cimag(x) * cimag(x);
    }
    for (int i = 0; i < p->ny; i++) {
        const gos_complex x = p->c[(size_t)j * p->ny + i];
        c += creal(x) * creal(x) + cimag(x) * cimag(x);
    }
    return sqrt(b * c);
}

/* X (n, n) from LAPACK's real and imaginary columns */
static void complex_vectors(int n, const double *im, const double *V, gos_complex *X) {
    const size_t ld = n;
    for (int j = 0; j < n; j++) {
        for (size_t i = 0; i < ld; i++) {
            const double *v = V + j * ld + i;
            X[j * ld + i] = im[j] > 0   ? gos__complex(v[0], v[ld])
                            : im[j] < 0 ? gos__complex(*(v - ld), -v[0])
                                        : gos__complex(v[0], 0);
        }
    }
}

/* b := X^-1 E^-1 B, c := C X; overwrites E, A (n, n) */
static gos_status directions(const gos_reduce_pencil *f, double *E, double *A, gos_poles *p) {
    gos_ctx *ctx = f->ctx;
    const int n = f->n;
    const size_t nn = (size_t)n * n, nb = (size_t)n * f->nu;
    double *V = gos__alloc(ctx, nn + nb + 1, sizeof *V);
    gos_complex *X = gos__alloc(ctx, nn + 1, sizeof *X);
    lapack_int *pivot = gos__alloc(ctx, n + 1L, sizeof *pivot);
    gos_status status = V && X && pivot ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        double *B = V + nn;
        memcpy(B, f->B, nb * sizeof *B);
        if (LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, E, n, pivot) != 0) {
            status = gos__fail(ctx, GOS_E_SINGULAR,
                               "the mass or heat capacity matrix of a reduced model is singular");
        } else {
            LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, n, E, n, pivot, A, n);
            LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, f->nu, E, n, pivot, B, n);
            status = gos__dense_general(ctx, n, A, p->re, p->im, V);
        }
        if (status == GOS_OK) {
            complex_vectors(n, p->im, V, X);
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < f->ny; i++) {
                    gos_complex sum = 0;
                    for (int k = 0; k < n; k++) {
                        sum += f->Y[0][i * n + k] * X[j * n + k];
                    }
                    p->c[j * f->ny + i] = sum;
                }
            }
            for (size_t k = 0; k < nb; k++) {
                p->b[k] = B[k];
            }
            LAPACKE_zgesv(LAPACK_COL_MAJOR, n, f->nu, X, n, pivot, p->b, n);
        }
    }
    gos__free(ctx, V);
    gos__free(ctx, X);
    gos__free(ctx, pivot);
    return status;
}

static gos_status first_order_poles(const gos_reduce_pencil *f, gos_poles *p) {
    gos_ctx *ctx = f->ctx;
    const size_t n = f->n, nn = n * n;
    *p = (gos_poles){.n = f->n, .nu = f->nu, .ny = f->ny};
    p->re = gos__zalloc(ctx, 2 * n + 1, sizeof *p->re);
    p->b = gos__zalloc(ctx, n * f->nu + 1, sizeof *p->b);
    p->c = gos__zalloc(ctx, n * f->ny + 1, sizeof *p->c);
    double *E = gos__zalloc(ctx, 2 * nn + 1, sizeof *E);
    gos_status status = p->re && p->b && p->c && E ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK) {
        double *A = E + nn;
        p->im = p->re + n;
        for (int power = 0; power < 2; power++) {
            const gos_sparse *S = &f->A[power];
            for (int j = 0; j < S->n; j++) {
                for (int k = S->p[j]; k < S->p[j + 1]; k++) {
                    (power ? E : A)[j * n + S->i[k]] = power ? S->x[k] : -S->x[k];
                }
            }
        }
        status = directions(f, E, A, p);
    }
    gos__free(ctx, E);
    if (status != GOS_OK) {
        gos__poles_free(ctx, p);
    }
    return status;
}

gos_status gos__poles(gos_ctx *ctx, const gos_linear *small, gos_poles *poles) {
    gos_linear *first = NULL;
    gos_reduce_pencil *p = NULL;
    gos_status status = gos__first_order(ctx, small, gos__first_order_weight(small), &first);
    status = status == GOS_OK ? gos__reduce_pencil_create(ctx, first, NULL, &p) : status;
    status = status == GOS_OK ? first_order_poles(p, poles) : status;
    gos__reduce_pencil_destroy(p);
    gos_linear_destroy(first);
    return status;
}
