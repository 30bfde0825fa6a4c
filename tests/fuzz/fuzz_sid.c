/* Any bytes as standard input data: a body whose matrices are finite and whose file is written and
   read to the same bytes, or an error with a message. */
#define _GNU_SOURCE // open_memstream
#include "flex/sid.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
    if (!ok) {
        abort();
    }
}

static char *text_of(const gos_sid *s, size_t *n) {
    char *text = NULL;
    FILE *f = open_memstream(&text, n);
    require(f != NULL);
    gos__sid_write(s, f);
    require(fclose(f) == 0);
    return text;
}

static void check_bytes(gos_ctx *ctx, const gos_sid *s) {
    size_t n, m;
    gos_sid *again;
    char *first = text_of(s, &n);
    require(gos__sid_parse(ctx, first, n, "again", &again) == GOS_OK);
    char *second = text_of(again, &m);
    require(n == m && memcmp(first, second, n) == 0);
    gos__sid_destroy(again);
    free(first);
    free(second);
}

static void check_matrix(const gos_sparse *A, int m, int n) {
    require(A->m == m && A->n == n);
    for (int k = 0; k < A->nnz; k++) {
        require(A->i[k] >= 0 && A->i[k] < m && isfinite(A->x[k]));
    }
}

/* the numbers of a body are sums of few of those that were read */
static void check_body(gos_ctx *ctx, const gos_sid *s) {
    gos_flex *f;
    bool second;
    if (gos__sid_to_flex(s, (gos_loc){0}, "body", &f, &second) != GOS_OK) {
        require(gos__nerrors(ctx) > 0);
        return;
    }
    const int fields = GOS_FLEX_RIGID + 3 * s->n;
    check_matrix(&f->gram, fields, fields);
    check_matrix(&f->K, s->n, s->n);
    check_matrix(&f->D, s->n, s->n);
    check_matrix(&f->move, s->n, 3 * s->nnode);
    check_matrix(&f->turn, s->n, 3 * s->nnode);
    check_matrix(&f->second, f->nform, 3 * s->nnode);
    gos__flex_destroy(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gos_ctx *ctx = gos_ctx_create();
    gos_sid *s;
    char *text = gos__zalloc(ctx, size + 1, 1);
    memcpy(text, data, size);
    if (gos__sid_parse(ctx, text, size, "fuzz", &s) == GOS_OK) {
        check_bytes(ctx, s);
        if (s->n <= 20) { // more take their time and nothing else
            check_body(ctx, s);
        }
        gos__sid_destroy(s);
    } else {
        require(gos__nerrors(ctx) > 0);
    }
    gos__free(ctx, text);
    gos_ctx_destroy(ctx);
    return 0;
}
