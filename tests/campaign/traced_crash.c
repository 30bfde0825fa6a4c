/* Preloaded library: a fatal signal prints the names of the functions on the stack, the innermost
 * first, as "crash at A B C ...", so that the campaign finds out whose code crashed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 40 };

static char stack[1 << 16];

/* FILE:NAME+OFFSET; NAME of exported functions only */
static void report(int number) {
    void *frame[FRAMES];
    const int n = backtrace(frame, FRAMES);
    (void)!write(STDERR_FILENO, "\ncrash at", 9);
    for (int i = 1; i < n; i++) {
        Dl_info info = {0};
        char text[300];
        (void)dladdr(frame[i], &info);
        const char *file = info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
        const int m = snprintf(text, sizeof text, " %s:%s+%#lx", file ? file + 1 : "?",
                               info.dli_sname ? info.dli_sname : "",
                               (unsigned long)((char *)frame[i] - (char *)info.dli_fbase));
        (void)!write(STDERR_FILENO, text,
                     (size_t)(m < (int)sizeof text ? m : (int)sizeof text - 1));
    }
    (void)!write(STDERR_FILENO, "\n", 1);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

__attribute__((constructor)) static void begin(void) {
    void *frame[2];
    (void)backtrace(frame, 2); // loads the unwinder
    const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    (void)sigaltstack(&own, NULL);
    const struct sigaction action = {.sa_handler = report, .sa_flags = SA_ONSTACK};
    static const int fatal[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
    for (unsigned i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        (void)sigaction(fatal[i], &action, NULL);
    }
}
