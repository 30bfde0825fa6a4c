/* Any bytes as an OUTPUT4 file: a matrix with sorted columns and finite values that are not zero,
   which is written as text and binary and read back to the last bit, or an error with a message. */
#include "linalg/output4.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

static void check(const gos_sparse *A) {
    require(A->p[0] == 0 && A->p[A->n] == A->nnz);
    for (int j = 0; j < A->n; j++) {
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            require(A->i[k] >= 0 && A->i[k] < A->m && (k == A->p[j] || A->i[k] > A->i[k - 1]));
            require(isfinite(A->x[k]) && A->x[k] != 0);
        }
    }
}

static void check_again(gos_ctx *ctx, const gos_sparse *A, bool text) {
    char *copy = NULL;
    size_t n;
    FILE *out = open_memstream(&copy, &n);
    require(out && gos__output4_write(A, false, "AGAIN", text, out) && fclose(out) == 0);
    gos_sparse B;
    require(gos__output4_parse(ctx, copy, n, "again", "AGAIN", &B) == GOS_OK);
    require(B.m == A->m && B.n == A->n && B.nnz == A->nnz);
    require(memcmp(A->p, B.p, ((size_t)A->n + 1) * sizeof *A->p) == 0);
    require(memcmp(A->i, B.i, (size_t)A->nnz * sizeof *A->i) == 0);
    require(memcmp(A->x, B.x, (size_t)A->nnz * sizeof *A->x) == 0);
    gos__sparse_free(ctx, &B);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    gos_sparse A;
    if (gos__output4_parse(ctx, (const char *)data, size, "fuzz", NULL, &A) == GOS_OK) {
        check(&A);
        if (A.n < 10000 && A.m < 10000) {
            check_again(ctx, &A, false);
            check_again(ctx, &A, true);
        }
        gos__sparse_free(ctx, &A);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos_ctx_destroy(ctx);
    return 0;
}
