/* Prints the events of a run: signals that crossed their limits. */
#include "cli.h"

void print_events(const gos_results *run, long n) {
    if (n > 0) {
        (void)puts("events");
    }
    for (long i = 0; i < n; i++) {
        gos_event e;
        const char *name = gos_results_event(run, i, &e);
        (void)printf("  %-15s %.9g s, %s\n", plain(name), e.time, e.rising ? "rising" : "falling");
    }
}
