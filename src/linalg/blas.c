/* The kernels of OpenBLAS. Debian's library picks them by processor model and falls back to those of
 * 2004 for models it does not know, five times slower than what the processor can do. We compare what
 * was picked with what the processor says about itself. One thread: results must not depend on their
 * number, and our matrices are small. */
#include "gossamer/blas.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHOICE "OPENBLAS_CORETYPE"
#define BUFFER ((size_t)130 << 20) // [byte] working memory of a thread: 128 MB, in pages

/* What kernels make use of: 3 AVX-512, 2 AVX2, 1 AVX, 0 less. */
static int level_of(const char *kernels) {
    static const struct {
        const char *name;
        int level;
    } known[] = {{"SkylakeX", 3},   {"Cooperlake", 3}, {"Sapphirerapids", 3}, {"Haswell", 2},
                 {"Zen", 2},        {"Excavator", 2},  {"Sandybridge", 1},    {"Bulldozer", 1},
                 {"Piledriver", 1}, {"Steamroller", 1}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(kernels, known[i].name) == 0) {
            return known[i].level;
        }
    }
    return 0;
}

/* The same of this processor; 0 also when we cannot say. */
static int level_here(void) {
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        return 3;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return 2;
    }
    return __builtin_cpu_supports("avx") ? 1 : 0;
#else
    return 0;
#endif
}

const char *gos_blas_kernels(void) {
    const char *name = openblas_get_corename();
    return name ? name : "unknown";
}

const char *gos_blas_better(void) {
    static const char *const best[] = {NULL, "Sandybridge", "Haswell", "SkylakeX"};
    const int level = level_here();
    return level > level_of(gos_blas_kernels()) ? best[level] : NULL;
}

void gos_blas_choose(char *const argv[]) {
    openblas_set_num_threads(1);
    const char *better = gos_blas_better();
    // a choice that is already there is the user's, or ours from the first start
    if (!better || getenv(CHOICE)) {
        return;
    }
    if (setenv(CHOICE, better, 1) == 0) {
        (void)setenv("OPENBLAS_NUM_THREADS", "1", 0);
        (void)execv("/proc/self/exe", argv);
        (void)unsetenv(CHOICE);
    }
}

bool gos_blas_reserve(void) {
    const size_t size = BUFFER;
    double A[4] = {1, 0, 0, 1}, B[4] = {1, 2, 3, 4};
    void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        return false;
    }
    (void)munmap(p, size);
    // unlike a product it needs the buffer whatever the size; it then lies in a list of free ones
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, 2, 2, 1, A, 2, 0, B, 2);
    return true;
}
