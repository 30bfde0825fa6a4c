/* Any bytes as a Matrix Market file, and as a list of entries: a matrix with sorted columns and
 * finite values that are not zero, which is written and read back to the last bit, or an error with
 * a message. */
#include "linalg/matrix_market.h"

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

static void check_again(gos_ctx *ctx, const gos_sparse *A) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    require(out && gos__matrix_market_write(A, false, NULL, out) && fclose(out) == 0);
    gos_sparse B;
    require(gos__matrix_market_parse(ctx, text, n, "again", &B) == GOS_OK);
    require(B.m == A->m && B.n == A->n && B.nnz == A->nnz);
    require(memcmp(A->p, B.p, ((size_t)A->n + 1) * sizeof *A->p) == 0);
    require(memcmp(A->i, B.i, (size_t)A->nnz * sizeof *A->i) == 0);
    require(memcmp(A->x, B.x, (size_t)A->nnz * sizeof *A->x) == 0);
    gos__sparse_free(ctx, &B);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    char *text = gos__zalloc(ctx, size + 1, 1);
    memcpy(text, data, size);
    gos_sparse A;
    if (gos__matrix_market_parse(ctx, text, size, "fuzz", &A) == GOS_OK) {
        check(&A);
        if (A.n < 10000) {
            check_again(ctx, &A);
        }
        gos__sparse_free(ctx, &A);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos_triangle triangle;
    gos_ctx_clear(ctx);
    if (gos__matrix_list_parse(ctx, text, size, size, "fuzz", &triangle, &A) == GOS_OK) {
        check(&A);
        require(triangle == GOS_TRIANGLE_NONE || A.m == A.n);
        gos__sparse_free(ctx, &A);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos__free(ctx, text);
    gos_ctx_destroy(ctx);
    return 0;
}
