/* Sparse symmetric matrix times eight vectors: each entry is read once, and its eight products are
 * one instruction. Columns serve as rows. */
#include "base/kernel.h"
#include "linalg/sparse.h"

GOS_KERNEL void gos__kernel_product(int n, const int *p, const int *row, const double *value,
                                    int ncol, const double *X, double *Y, double *panel) {
    const size_t order = n;
    for (size_t i = 0; i < order; i++) {
        for (int c = 0; c < 8; c++) {
            panel[8 * i + c] = c < ncol ? X[c * order + i] : 0;
        }
    }
    for (size_t j = 0; j < order; j++) {
        gos_v8 sum = {0};
        for (int k = p[j]; k < p[j + 1]; k++) {
            sum += value[k] * GOS_CV8(panel, row[k]);
        }
        for (int c = 0; c < ncol; c++) {
            Y[c * order + j] = sum[c];
        }
    }
}

GOS_KERNEL void gos__kernel_squares(int n, int ncomp, const int *p, const int *row,
                                    const double *value, int ncol, const double *X, double *sum,
                                    double *panel) {
    const size_t order = n, width = ncomp;
    gos_v8 total = {0};
    for (size_t i = 0; i < order; i += width) {
        const size_t end = i + width < order ? i + width : order;
        for (int c = 0; c < 8; c++) {
            double square = 0;
            for (size_t k = i; k < end && c < ncol; k++) {
                square += X[c * order + k] * X[c * order + k];
            }
            for (size_t k = i; k < end; k++) {
                panel[8 * k + c] = square;
            }
        }
    }
    for (size_t j = 0; j < order; j++) {
        gos_v8 column = {0};
        for (int k = p[j]; k < p[j + 1]; k++) {
            column += value[k] * value[k] * GOS_CV8(panel, row[k]);
        }
        total += column * GOS_CV8(panel, j);
    }
    for (int c = 0; c < 8; c++) {
        sum[c] = total[c];
    }
}
