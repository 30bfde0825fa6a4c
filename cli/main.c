/* The program: finds the command and runs it. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "gossamer/blas.h"

/* If a standard stream is closed, the first opened file would get its number and receive the
   output. Open /dev/null in the wrong direction instead, so that printing fails. */
static void keep_numbers(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                             \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
/* Reached only through a library: HDF5 1.10 calls exit(-1) after some failed allocations. */
static void exit_of_library(void) {
    (void)fputs("gossamer: ended by a library, probably because memory ran out\n", stderr);
    _exit(EXIT_FAILED);
}

static void catch_exit(void) {
    (void)atexit(exit_of_library);
}

/* Skip exit handlers: none is needed, and HDF5's crashes after a failed allocation. */
static int leave(int code) {
    _exit(code);
}
#else // sanitizers report leaks in exit handlers
static void catch_exit(void) {
}

static int leave(int code) {
    return code;
}
#endif

int main(int argc, char **argv) {
    keep_numbers();
    catch_exit();
    gos_blas_select(argv);
    take_memory();
    // report exceeded file size limits as errors
    (void)signal(SIGXFSZ, SIG_IGN);
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name == NULL) {
        print_help(NULL);
        (void)fflush(stdout);
        return leave(EXIT_USE);
    }
    int code;
    const command_entry *found = find_command(name);
    if (strcmp(name, "--version") == 0) {
        gos_versions(stdout);
        code = EXIT_DONE;
    } else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help(NULL);
        code = EXIT_DONE;
    } else if (!gos_blas_supported()) {
        char blas[256];
        gos_blas_describe(blas, sizeof blas);
        code = complain("%s; unset OPENBLAS_CORETYPE or set it to others", blas);
    } else if (found != NULL) {
        code = found->run(argc - 2, argv + 2);
    } else {
        code = command_help(-1, argv + 1);
    }
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_DONE) {
        (void)fputs("gossamer: cannot write to standard output\n", stderr);
        code = EXIT_FAILED;
    }
    return leave(code);
}
