/* Progress line, and orderly stop on a signal. */
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "cli.h"

#define FIRST_AFTER 2.0 // [s] time until the first progress line
#define LINE_EVERY 10.0 // [s] interval of lines without a terminal

/* Set by the signal handler, which takes no user data. */
static volatile sig_atomic_t stop_wanted;

static struct {
    bool quiet, terminal, shown, limited;
    double last, limit; // limit: processor time [s], 0: none
} progress;

static void on_signal(int number) {
    (void)number;
    stop_wanted = 1;
}

static void take(int number, int flags) {
    struct sigaction before, action = {0};
    action.sa_handler = on_signal;
    action.sa_flags = flags;
    (void)sigemptyset(&action.sa_mask);
    const bool known = sigaction(number, NULL, &before) == 0;
    // keep SIGHUP ignored under nohup
    if (number != SIGHUP || !known || before.sa_handler != SIG_IGN) {
        (void)sigaction(number, &action, NULL);
    }
}

static int wants_stop(void) {
    const bool late = progress.limit > 0 && cpu_seconds() > progress.limit;
    progress.limited |= late;
    return stop_wanted || late;
}

static int show(void *user, double fraction, double seconds, const char *text) {
    (void)user;
    if (text == NULL) { // called from a worker process
        return wants_stop();
    }
    if (seconds < 0) { // estimated duration of work that reports no progress
        char about[32];
        if (!progress.quiet) {
            end_progress();
            (void)duration(-seconds, about);
            (void)fprintf(stderr, "%s takes about %s\n", text, about);
        }
        return wants_stop();
    }
    const bool due = progress.terminal || seconds - progress.last >= LINE_EVERY;
    if (!progress.quiet && seconds >= FIRST_AFTER && due) {
        char left[32] = "";
        if (fraction > 0.005) {
            (void)duration(seconds * (1 - fraction) / fraction, left);
        }
        (void)fprintf(stderr, "%s%3.0f %%  %s%s%s%s", progress.terminal ? "\r\033[K" : "",
                      floor(100 * fraction), text, left[0] != '\0' ? ", about " : "", left,
                      left[0] != '\0' ? " left" : "");
        if (!progress.terminal) {
            (void)fputc('\n', stderr);
        }
        (void)fflush(stderr);
        progress.last = seconds;
        progress.shown = true;
    }
    return wants_stop();
}

void show_progress(gos_ctx *ctx, bool quiet) {
    progress.quiet = quiet;
    progress.terminal = isatty(STDERR_FILENO) == 1;
    gos_ctx_set_progress(ctx, show, NULL);
}

void watch_progress(gos_ctx *ctx, bool quiet) {
    take(SIGINT, (int)SA_RESETHAND); // a second signal ends the program
    take(SIGTERM, (int)SA_RESETHAND);
    take(SIGXCPU,
         (int)SA_RESETHAND); // soft limit of processor time, some seconds before the hard limit
    take(SIGHUP, 0);         // a closing terminal sends it, and its shell again
    show_progress(ctx, quiet);
}

void limit_progress(double cpu) {
    progress.limit = cpu;
    progress.limited = progress.limited && cpu <= 0; // remains known after the limit is removed
}

bool progress_limited(void) {
    return progress.limited && !stop_wanted;
}

void end_progress(void) {
    if (progress.shown && progress.terminal) {
        (void)fputs("\r\033[K", stderr);
    }
    progress.shown = false;
}
