/* gossamer picture: draws shapes and paths of one or two runs, or the patches of a design, as
 * SVG. */
#include <stdlib.h>

#include "cli.h"

/* of runs, or of a design if controller != NULL */
static int write_picture(gos_ctx *ctx, gos_results *const run[2], const char *controller,
                         const char *path) {
    gos_output *output = NULL;
    gos_status status = gos_output_begin(ctx, path, &output);
    if (status == GOS_OK) {
        FILE *out = gos_output_stream(output);
        status = controller != NULL ? gos_controller_picture(ctx, controller, out)
                                    : gos_picture(ctx, run[0], run[1], out);
        const gos_status written = gos_output_end(output, status == GOS_OK);
        status = status == GOS_OK ? written : status;
    }
    return exit_code(status, false);
}

static int picture(gos_ctx *ctx, const text_list *rest, const char *path) {
    gos_results *run[2] = {NULL, NULL};
    int code = check_output(path, "<svg", GOS_MADE, "an SVG picture of this program");
    const char *controller = gos_controller_exists(rest->v[0]) ? rest->v[0] : NULL;
    if (code == EXIT_DONE && controller != NULL && rest->n > 1) {
        code = complain("a picture shows one design; give one file only");
    }
    for (int i = 0; i < rest->n && code == EXIT_DONE && controller == NULL; i++) {
        code = exit_code(gos_results_open(ctx, rest->v[i], &run[i]), true);
    }
    if (code == EXIT_DONE) {
        code = write_picture(ctx, run, controller, path);
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
