/* Any bytes as matrices that CalculiX has stored: the text up to the first empty line as rows, what
   follows as a matrix of as many; symmetric, with finite values that are not zero, or errors with a
   message. */
#include "deck/calculix.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

static void check(const gos_sparse *A) {
    double sum = 0, turned = 0, size = 0;
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            require(A->i[k] >= 0 && A->i[k] < A->m && (k == A->p[j] || A->i[k] > A->i[k - 1]));
            require(isfinite(A->x[k]) && A->x[k] != 0);
            sum += A->x[k] * (A->i[k] - j); // skew: each pair cancels
            turned += A->x[k] * (j - A->i[k]);
            size += fabs(A->x[k] * (A->i[k] - j));
        }
    }
    require(!isfinite(size) || fabs(sum - turned) <= 1e-9 * size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    char *text = gos__zalloc(ctx, size + 1, 1);
    gos_calculix_dof *dof = NULL;
    gos_sparse A;
    int n = 0;
    if (size > 0) {
        memcpy(text, data, size);
    }
    const char *gap = strstr(text, "\n\n");
    const size_t rows = gap ? (size_t)(gap - text) : strlen(text);
    if (gos__calculix_dofs_parse(ctx, text, rows, "fuzz", &n, &dof) == GOS_OK) {
        if (gos__calculix_matrix_parse(ctx, text + rows, size - rows, "fuzz", n, &A) == GOS_OK) {
            check(&A);
            gos__sparse_free(ctx, &A);
        }
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos__free(ctx, dof);
    gos__free(ctx, text);
    gos_ctx_destroy(ctx);
    return 0;
}
