/* Linear models as OUTPUT4 files. */
#include "gossamer/io.h"
#include "linalg/output4.h"
#include "linear/linear.h"
#include "models/linear_io.h"

/* "Y_q" as "YQ" */
static void name_of(const char *block, char name[9]) {
    int n = 0;
    for (const char *c = block; *c && n < 8; c++) {
        if (*c != '_') {
            name[n++] = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
        }
    }
    name[n] = '\0';
}

gos_status gos_linear_write_output4(gos_ctx *ctx, const gos_linear *linear, bool text,
                                    const char *path) {
    gos_output *out;
    GOS_TRY(gos_output_begin(ctx, path, &out));
    gos_status status = GOS_OK;
    for (int b = 0; b < GOS_NBLOCKS && status == GOS_OK; b++) {
        const gos_sparse *A = &linear->block[b];
        bool symmetric = false;
        char name[9];
        if (A->nnz == 0) {
            continue;
        }
        status = A->m == A->n ? gos__sparse_is_symmetric(ctx, A, &symmetric) : GOS_OK;
        name_of(gos__block_name((gos_block)b), name);
        if (status == GOS_OK) {
            (void)gos__output4_write(A, symmetric, name, text, gos_output_stream(out));
        }
    }
    status = status == GOS_OK ? gos_output_finish(out) : status;
    const gos_status ended = gos_output_end(out, status == GOS_OK);
    return status == GOS_OK ? ended : status;
}
