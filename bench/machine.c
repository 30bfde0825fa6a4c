/* What one core of this machine can do, beside which docs/performance.md puts what the program
   does: products of dense matrices (OpenBLAS), products of rows of 3 x 3 blocks as factorisations
   of chains have them, and bytes moved through the memory and the caches. Processor time, best of
   several turns: a busy machine makes them slower, never faster.

   bench_machine */
#include <cblas.h>
#include <stdint.h>

#include "base/base.h"
#include "bench.h"
#include "gossamer/blas.h"

enum { TURNS = 5, ORDER = 768, BLOCKS = 4096, SWEEPS = 400 };

static double seconds(void) {
    return gos__cpu_time();
}

static double *numbers(size_t n) {
    double *x = malloc(n * sizeof *x);
    if (!x) {
        exit(1);
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = 1e-3 * (double)(i % 1000);
    }
    return x;
}

/* [GF/s] */
static double dense(int n) {
    double *a = numbers((size_t)n * n), *b = numbers((size_t)n * n), *c = numbers((size_t)n * n);
    double best = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        const double start = seconds();
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
        best = fmax(best, 2e-9 * n * (double)n * n / (seconds() - start));
    }
    free(a);
    free(b);
    free(c);
    return best;
}

/* C -= A B of 3 x 3 blocks that lie behind each other, in the first-level cache [GF/s] */
static double blocks(int n) {
    double *a = numbers(9 * (size_t)n), *b = numbers(9), *c = numbers(9 * (size_t)n), best = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        const double start = seconds();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int k = 0; k < n; k++) {
                const double *A = a + 9L * k;
                double *C = c + 9L * k;
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 3; j++) {
                        C[3 * i + j] -=
                            A[3 * i] * b[j] + A[3 * i + 1] * b[3 + j] + A[3 * i + 2] * b[6 + j];
                    }
                }
            }
        }
        best = fmax(best, 54e-9 * n * SWEEPS / (seconds() - start));
    }
    free(a);
    free(b);
    free(c);
    return best;
}

/* y += a x: reads two numbers and writes one [GB/s] */
static double stream(size_t n) {
    double *x = numbers(n), *y = numbers(n), best = 0;
    const int sweeps = (int)(((size_t)1 << 25) / n) + 1;
    for (int turn = 0; turn < TURNS; turn++) {
        const double start = seconds();
        for (int sweep = 0; sweep < sweeps; sweep++) {
            cblas_daxpy((int)n, 1e-3, x, 1, y, 1);
        }
        best = fmax(best, 24e-9 * (double)n * sweeps / (seconds() - start));
    }
    free(x);
    free(y);
    return best;
}

int main(void) {
    printf("kernels of OpenBLAS,%s\n", gos_blas_kernels());
    printf("dense product of order %d [GF/s],%.1f\n", ORDER, dense(ORDER));
    printf("rows of 3 x 3 blocks [GF/s],%.1f\n", blocks(BLOCKS / 64));
    static const struct {
        const char *name;
        size_t bytes;
    } where[] = {
        {"32 KB", 32 << 10}, {"512 KB", 512 << 10}, {"8 MB", 8 << 20}, {"256 MB", 256 << 20}};
    for (int i = 0; i < (int)(sizeof where / sizeof *where); i++) {
        printf("y += a x in %s [GB/s],%.1f\n", where[i].name, stream(where[i].bytes / 16));
    }
    return 0;
}
