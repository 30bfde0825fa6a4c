/* Linear models as files of Nastran: OUTPUT4, DMIG. */
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

/* 16 characters without E, so that 12 digits fit: -1.23456789012-5 */
static void put_number(double x, FILE *out) {
    char text[40];
    for (int digits = 14; digits > 0; digits--) {
        gos__format(text, sizeof text, "%.*E", digits, x);
        char *e = strchr(text, 'E');
        const int power = (int)strtol(e + 1, NULL, 10);
        gos__format(e, sizeof text - (size_t)(e - text), "%+d", power);
        if (strlen(text) <= 16) {
            break;
        }
    }
    (void)fprintf(out, "%16s", text);
}

/* rows are the scalar points 1 ... n */
static void put_dmig(const gos_sparse *A, const char *name, bool symmetric, FILE *out) {
    (void)fprintf(out, "DMIG    %-8s%8d%8d%8d%8d\n", name, 0, symmetric ? 6 : 1, 2, 0);
    for (int j = 0; j < A->n; j++) {
        bool begun = false;
        for (int k = A->p[j]; k < A->p[j + 1]; k++) {
            if (symmetric && A->i[k] < j) {
                continue;
            }
            if (!begun) {
                (void)fprintf(out, "DMIG*   %-16s%16d%16d\n", name, j + 1, 0);
                begun = true;
            }
            (void)fprintf(out, "*       %16d%16d", A->i[k] + 1, 0);
            put_number(A->x[k], out);
            (void)fputc('\n', out);
        }
    }
}

gos_status gos_linear_write_dmig(gos_ctx *ctx, const gos_linear *linear, const char *path) {
    static const gos_block blocks[] = {GOS_BLOCK_M, GOS_BLOCK_D, GOS_BLOCK_K};
    gos_output *out;
    if (linear->nq == 0 || linear->nc > 0) {
        return gos__fail(ctx, GOS_E_USE,
                         linear->nq == 0 ? "the model has no displacements for DMIG"
                                         : "DMIG has no constraints, but the model has %d; write "
                                           "OUTPUT4, or a reduced model",
                         linear->nc);
    }
    GOS_TRY(gos_output_begin(ctx, path, &out));
    gos_status status = GOS_OK;
    (void)fprintf(gos_output_stream(out), "SPOINT,1,THRU,%d\n", linear->nq);
    for (int b = 0; b < GOS_COUNT(blocks) && status == GOS_OK; b++) {
        const gos_sparse *A = &linear->block[blocks[b]];
        bool symmetric = false;
        status = A->nnz > 0 ? gos__sparse_is_symmetric(ctx, A, &symmetric) : GOS_OK;
        if (status == GOS_OK && A->nnz > 0) {
            put_dmig(A, gos__block_name(blocks[b]), symmetric, gos_output_stream(out));
        }
    }
    status = status == GOS_OK ? gos_output_finish(out) : status;
    const gos_status ended = gos_output_end(out, status == GOS_OK);
    return status == GOS_OK ? ended : status;
}
