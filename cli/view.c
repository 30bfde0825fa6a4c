/* gossamer view: the motion of a run on the full screen of a browser, from one HTML file. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"

extern char **environ;

static int write_view(gos_ctx *ctx, const char *run, const char *against, const char *path) {
    gos_output *output = NULL;
    if (gos_output_begin(ctx, path, &output) != GOS_OK) {
        return EXIT_FAILED;
    }
    FILE *out = gos_output_stream(output);
    const gos_status status = gos_view_page(ctx, run, against, out);
    const int code = exit_code(status, ferror(out) == 0);
    const gos_status written = gos_output_end(output, code == EXIT_DONE);
    return code == EXIT_DONE ? exit_code(written, false) : code;
}

/* The page in the browser that the desktop has chosen. */
static int show(const char *path) {
    char *argv[] = {"xdg-open", (char *)path, NULL};
    pid_t child;
    int ended = 0;
    const int failed = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
    const bool good = failed == 0 && waitpid(child, &ended, 0) == child && ended == 0;
    if (!good) {
        (void)fprintf(
            stderr,
            "gossamer view: the page is there, but xdg-open did not open it (%s); open %s "
            "in a browser\n",
            failed != 0 ? strerror(failed) : "it failed", plain(path));
    }
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int view(gos_ctx *ctx, const char *run, const char *against, const char *path) {
    int code = check_input(path, run);
    if (code == EXIT_DONE && against != NULL) {
        code = check_input(path, against);
    }
    if (code == EXIT_DONE) {
        code = check_report(path);
    }
    if (code == EXIT_DONE) {
        code = write_view(ctx, run, against, path);
        show_messages(ctx, 0);
    }
    if (code == EXIT_DONE) {
        (void)printf("%s\n", plain(path));
        (void)fflush(stdout);
    }
    return code;
}

int command_view(int argc, char **argv) {
    const char *output = NULL, *against = NULL;
    bool open = false;
    text_list rest = {0};
    const option options[] = {{"-o", OPTION_TEXT, &output, NULL},
                              {"--against", OPTION_TEXT, &against, NULL},
                              {"--open", OPTION_FLAG, &open, NULL},
                              {0}};
    int code = parse_arguments("view", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        gos_ctx *ctx = gos_ctx_create();
        char *chosen = output == NULL ? with_ending(rest.v[0], ".view.html") : NULL;
        const char *path = output != NULL ? output : chosen;
        code = ctx != NULL && path != NULL ? view(ctx, rest.v[0], against, path) : EXIT_FAILED;
        if (code == EXIT_DONE && open) {
            code = show(path);
        }
        free(chosen);
        gos_ctx_destroy(ctx);
    }
    free_list(&rest);
    return code;
}
