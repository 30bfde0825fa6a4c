/* Low-memory handling before the libraries start. Without memory OpenBLAS retries its allocation
   forever or aborts when it cannot start threads, and HDF5 crashes. If the address space is limited
   (ulimit -v), the program starts with one OpenBLAS thread, or ends with a message if the limit is
   too low. If OpenBLAS is linked statically, its kernels are selected here, too. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.h"
#include "gossamer/blas.h"

#define MIN_ADDRESS_SPACE                                                                          \
    (192 << 20) // [byte] OpenBLAS allocates 128 MB, the smallest run about 30 MB

static bool limited(struct rlimit *limit) {
    return getrlimit(RLIMIT_AS, limit) == 0 && limit->rlim_cur != RLIM_INFINITY;
}

/* Does not use the standard library, which may not be initialised yet. */
static void say(const char *text) {
    const ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n;
}

static void say_number(unsigned long long n) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    say(digits + at);
}

static void refuse(const struct rlimit *limit) {
    say("gossamer: not enough memory: the address space is limited to ");
    say_number(limit->rlim_cur >> 20);
    say(" MB (ulimit -v), but ");
    say_number(MIN_ADDRESS_SPACE >> 20);
    say(" MB more than the program itself are required; raise the limit\n");
    _exit(EXIT_FAILED);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__ELF__)
#define EARLY 0 // sanitizers need much address space and must start first
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define EARLY 0
#endif
#endif
#ifndef EARLY
#define EARLY 1
#endif

#define THREADS "OPENBLAS_NUM_THREADS"
#define KERNELS "OPENBLAS_CORETYPE"

#if EARLY

static bool has_room(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED) {
        (void)munmap(p, bytes);
    }
    return p != MAP_FAILED;
}

#ifdef GOS_CONTAINS_BLAS
static void restart(char **argv, char **environment) {
    (void)argv, (void)environment; // done by choose_kernels
}
#else
/* Restart with one OpenBLAS thread; setenv cannot be called yet. */
static void restart(char **argv, char **environment) {
    static char one_thread[] = THREADS "=1";
    size_t n = 0;
    bool chosen = false;
    for (; environment[n] != NULL; n++) {
        chosen = chosen || strncmp(environment[n], THREADS "=", strlen(THREADS "=")) == 0;
    }
    char **longer = chosen ? MAP_FAILED
                           : mmap(NULL, (n + 2) * sizeof *longer, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (longer == MAP_FAILED) {
        return;
    }
    memcpy(longer, environment, n * sizeof *longer);
    longer[n] = one_thread;
    longer[n + 1] = NULL;
    (void)execve("/proc/self/exe", argv, longer);
}
#endif

static void begin(int argc, char **argv, char **environment) {
    struct rlimit limit;
    (void)argc;
    if (!limited(&limit)) {
        return;
    }
    if (!has_room(MIN_ADDRESS_SPACE)) {
        refuse(&limit);
    }
    restart(argv, environment);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = begin;
#endif

#ifdef GOS_CONTAINS_BLAS
/* OpenBLAS with run-time kernel selection: called by its constructor, and the inverse */
void gotoblas_dynamic_init(void) __attribute__((weak));
void gotoblas_dynamic_quit(void) __attribute__((weak));

/* Runs before the constructor of OpenBLAS, which has no priority and uses the environment set here;
   gos_blas_select would have to restart the program instead. Initialise OpenBLAS to see which
   kernels it selects, and select again if there are better ones. */
__attribute__((constructor(101))) static void choose_kernels(void) {
    (void)setenv(THREADS, "1", 0);
    if (getenv(KERNELS) || !gotoblas_dynamic_init || !gotoblas_dynamic_quit) {
        return;
    }
    gotoblas_dynamic_init();
    const char *better = gos_blas_recommended();
    if (better && setenv(KERNELS, better, 1) == 0) {
        gotoblas_dynamic_quit();
    }
}
#endif

void take_memory(void) {
    struct rlimit limit;
    // unsupported kernels are rejected later, with a message
    if (limited(&limit) && gos_blas_supported() && !gos_blas_reserve()) {
        refuse(&limit);
    }
}
