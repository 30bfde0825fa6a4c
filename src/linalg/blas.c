/* The kernels of OpenBLAS. Debian's library picks them by processor model and falls back to those
 * of 2004 for models it does not know, five times slower than what the processor can do. We compare
 * what was picked with what the processor says about itself. One thread: results must not depend on
 * their number, and our matrices are small. */
#include "gossamer/blas.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHOICE "OPENBLAS_CORETYPE"
#define BUFFER (130 << 20) // [byte] working memory of a thread: 128 MB, in pages

/* What kernels make use of: 3 AVX-512, 2 AVX2, 1 AVX, 0 less. Those of AMD's processors of 2011 to
   2016 multiply and add with four operands, which no other processor can. */
typedef struct kernels {
    const char *name;
    int level;
    bool four;
} kernels;

static const kernels known[] = {
    {"SkylakeX", 3, false},   {"Cooperlake", 3, false}, {"Sapphirerapids", 3, false},
    {"Haswell", 2, false},    {"Zen", 2, false},        {"Excavator", 2, true},
    {"Steamroller", 1, true}, {"Piledriver", 1, true},  {"Bulldozer", 1, true},
    {"Sandybridge", 1, false}};

static kernels kernels_of(const char *name) {
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            return known[i];
        }
    }
    return (kernels){.name = name};
}

/* The same of this processor; as much as the kernels need when we cannot say. */
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

const char *gos_blas_better(void) {
    static const char *const best[] = {NULL, "Sandybridge", "Haswell", "SkylakeX"};
    const int level = processor().level;
    return level > kernels_of(gos_blas_kernels()).level ? best[level] : NULL;
}

bool gos_blas_runs(void) {
    const kernels k = kernels_of(gos_blas_kernels()), here = processor();
    return k.level <= here.level && (!k.four || here.four);
}

void gos_blas_describe(char *buf, size_t size) {
    const char *chosen = getenv(CHOICE), *name = gos_blas_kernels(), *better = gos_blas_better();
    const char *config = openblas_get_config();
    // "OpenBLAS 0.3.21 and options"
    const char *space = strchr(config, ' '), *end = space ? strchr(space + 1, ' ') : NULL;
    const int length = (int)(end ? (size_t)(end - config) : strlen(config));
    char note[128] = "";
    if (!gos_blas_runs()) {
        (void)snprintf(note, sizeof note, ", which this processor cannot run");
    } else if (chosen && strcmp(chosen, name) != 0) {
        (void)snprintf(note, sizeof note, " (it has none named %.40s, as " CHOICE " asks)", chosen);
    } else if (chosen) {
        (void)snprintf(note, sizeof note, " (by " CHOICE ")");
    } else if (better) {
        (void)snprintf(note, sizeof note, " (%s suit this processor better)", better);
    }
    (void)snprintf(buf, size, "%.*s, kernels %s%s", length, config, name, note);
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
