/* Static archives not built for shared libraries use addresses of the program's standard streams;
   the linker redirects them here (--wrap). */
#include <stdio.h>

extern FILE *__wrap_stderr, *__wrap_stdout; // NOLINT: linker names
FILE *__wrap_stderr __attribute__((visibility("hidden")));
FILE *__wrap_stdout __attribute__((visibility("hidden")));

/* the real ones, under the linker's names */
extern FILE *__real_stderr, *__real_stdout; // NOLINT

__attribute__((constructor)) static void set(void) {
    __wrap_stderr = __real_stderr;
    __wrap_stdout = __real_stdout;
}
