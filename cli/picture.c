/* gossamer picture: shapes and paths of a run, and of a second one over it, as SVG. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Written under another name first: a picture that is there is replaced by a whole one only. */
static int write_picture(gos_ctx *ctx, gos_results *const run[2], const char *path) {
    char *part = with_ending(path, ".svg.part");
    FILE *out = part != NULL ? fopen(part, "w") : NULL;
    if (out == NULL) {
        const int code = complain("%s: cannot write: %s", path, strerror(errno));
        free(part);
        return code;
    }
    gos_status status = gos_picture(ctx, run[0], run[1], out);
    const bool written = fclose(out) == 0;
    if (status == GOS_OK && (!written || rename(part, path) != 0)) {
        (void)complain("%s: cannot write: %s", path, strerror(errno));
        status = GOS_E_FILE;
    }
    if (status != GOS_OK) {
        (void)remove(part);
    }
    free(part);
    return exit_code(status, false);
}

static int picture(gos_ctx *ctx, const text_list *rest, const char *path) {
    gos_results *run[2] = {NULL, NULL};
    int code = check_output(path, "<svg", 4, "an SVG picture");
    for (int i = 0; i < rest->n && code == EXIT_DONE; i++) {
        code = exit_code(gos_results_open(ctx, rest->v[i], &run[i]), true);
    }
    if (code == EXIT_DONE) {
        code = write_picture(ctx, run, path);
    }
    show_messages(ctx, 0);
    gos_results_close(run[0]);
    gos_results_close(run[1]);
    return code;
}

int command_picture(int argc, char **argv) {
    const char *output = NULL;
    text_list rest = {0};
    const option options[] = {{"-o", OPTION_TEXT, &output, NULL}, {0}};
    int code = parse_arguments("picture", argc, argv, options, &rest, 1, 2);
    if (code < 0) {
        gos_ctx *ctx = gos_ctx_create();
        char *chosen = output == NULL ? with_ending(rest.v[0], ".svg") : NULL;
        const char *path = output != NULL ? output : chosen;
        code = ctx != NULL && path != NULL ? picture(ctx, &rest, path) : EXIT_FAILED;
        free(chosen);
        gos_ctx_destroy(ctx);
    }
    free_list(&rest);
    return code;
}
