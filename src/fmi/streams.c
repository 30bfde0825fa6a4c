/* The streams of the C library for what is linked into a unit from an archive that was not made for
   shared libraries: it takes their addresses as those of its own program, which the linker leads
   here (--wrap). */
#include <stdio.h>

extern FILE *__wrap_stderr, *__wrap_stdout; // NOLINT: names of the linker
FILE *__wrap_stderr __attribute__((visibility("hidden")));
FILE *__wrap_stdout __attribute__((visibility("hidden")));

/* theirs: under other names, as the linker leads away from their own */
extern FILE *__real_stderr, *__real_stdout; // NOLINT

__attribute__((constructor)) static void set(void) {
    __wrap_stderr = __real_stderr;
    __wrap_stdout = __real_stdout;
}
