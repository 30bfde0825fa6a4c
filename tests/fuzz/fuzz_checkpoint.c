/* Changed checkpoints: refused with a reason, or the run continues; never a crash. An input is a
 * list of changes to a good checkpoint, each of a place (2 bytes) and 8 bytes to put there; the
 * first byte chooses whether checksums are made to fit and whether the input stands for the whole
 * file instead. */
#define CHECKPOINT_HELD "3"
#include "../support/checkpoint.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static checkpoint_bench bench;

static void tidy(void) {
    checkpoint_bench_free(&bench);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    if (!checkpoint_bench_make(&bench) || atexit(tidy) != 0) {
        abort();
    }
    return 0;
}

static void change(char *bytes, size_t n, const uint8_t *data, size_t size) {
    for (; size >= 10; data += 10, size -= 10) {
        const size_t at = ((size_t)data[0] | (size_t)data[1] << 8) * 8 % (n - 8);
        memcpy(bytes + at, data + 2, 8);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    const bool whole = (data[0] & 2) != 0;
    const size_t n = whole ? size - 1 : bench.n;
    char *bytes = gos__alloc(bench.ctx, n + 1, 1);
    memcpy(bytes, whole ? (const char *)data + 1 : bench.bytes, n);
    if (!whole) {
        change(bytes, n, data + 1, size - 1);
    }
    if ((data[0] & 1) != 0) {
        gos__checkpoint_seal(bytes, n);
    }
    const char *why = checkpoint_bench_try(&bench, bytes, n);
    if (!why && !isfinite(gos_state_time(bench.state))) {
        abort();
    }
    gos__free(bench.ctx, bytes);
    gos_ctx_clear(bench.ctx);
    return 0;
}
