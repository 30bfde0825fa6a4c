/* Choice of OpenBLAS kernels. Debian's library selects them by processor model and uses kernels of
 * 2004, five times slower, for unknown models. We compare its selection with the features the
 * processor reports. One thread only: results must not depend on the number of threads. */
#include "gossamer/blas.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHOICE "OPENBLAS_CORETYPE"
#define BUFFER (130 << 20) // [byte] work buffer of a thread, 128 MB, and some pages

/* Instruction sets of the kernels: 3 AVX-512, 2 AVX2, 1 AVX, 0 less; four: FMA4 (AMD, 2011 to
 * 2016). */
typedef struct kernels {
    const char *name;
    int level;
    bool four;
} kernels;

static const kernels known_kernels[] = {
    {"SkylakeX", 3, false},   {"Cooperlake", 3, false}, {"Sapphirerapids", 3, false},
    {"Haswell", 2, false},    {"Zen", 2, false},        {"Excavator", 2, true},
    {"Steamroller", 1, true}, {"Piledriver", 1, true},  {"Bulldozer", 1, true},
    {"Sandybridge", 1, false}};

static kernels kernels_of(const char *name) {
    for (size_t i = 0; i < sizeof known_kernels / sizeof known_kernels[0]; i++) {
        if (strcmp(name, known_kernels[i].name) == 0) {
            return known_kernels[i];
        }
    }
    return (kernels){.name = name};
}

/* Features of this processor; where they cannot be queried, those of the kernels in use. */
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
static kernels processor(void) {
    kernels p = {0};
    __builtin_cpu_init();
    p.four = __builtin_cpu_supports("fma4");
    p.level = __builtin_cpu_supports("avx") ? 1 : 0;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        p.level = 2;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512cd")) {
        p.level = 3;
    }
    return p;
}
#else
static kernels processor(void) {
    return kernels_of(gos_blas_kernels());
}
#endif

const char *gos_blas_kernels(void) {
    const char *name = openblas_get_corename();
    return name ? name : "unknown";
}

const char *gos_blas_recommended(void) {
    static const char *const best[] = {NULL, "Sandybridge", "Haswell", "SkylakeX"};
    const int level = processor().level;
    return level > kernels_of(gos_blas_kernels()).level ? best[level] : NULL;
}

bool gos_blas_supported(void) {
    const kernels k = kernels_of(gos_blas_kernels()), here = processor();
    return k.level <= here.level && (!k.four || here.four);
}

void gos_blas_describe(char *buf, size_t size) {
    const char *chosen = getenv(CHOICE), *name = gos_blas_kernels(),
               *better = gos_blas_recommended();
    const char *config = openblas_get_config();
    const char *space = strchr(config, ' '), *end = space ? strchr(space + 1, ' ') : NULL;
    const int length = (int)(end ? (size_t)(end - config) : strlen(config));
    char note[128] = "";
    if (!gos_blas_supported()) {
        (void)snprintf(note, sizeof note, ", which this processor cannot run");
    } else if (chosen && strcmp(chosen, name) != 0) {
        (void)snprintf(note, sizeof note, " (%.40s, set by " CHOICE ", is not available)", chosen);
    } else if (chosen) {
        (void)snprintf(note, sizeof note, " (by " CHOICE ")");
    } else if (better) {
        (void)snprintf(note, sizeof note, " (%s suit this processor better)", better);
    }
    (void)snprintf(buf, size, "%.*s, kernels %s%s", length, config, name, note);
}

void gos_blas_select(char *const argv[]) {
    openblas_set_num_threads(1);
    const char *better = gos_blas_recommended();
    // already chosen by the user, or by us before execv
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
    // allocates the buffer for any size, unlike a product; OpenBLAS keeps it for reuse
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, 2, 2, 1, A, 2, 0, B, 2);
    return true;
}
