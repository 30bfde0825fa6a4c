/* gossamer report: writes runs, frequency responses, a design or a model as one HTML page. */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

/* content of a page: runs, n responses, a design, or a model */
typedef struct source {
    const gos_report_content *runs;
    const char *const *response;
    int n;
    const char *controller;
    const char *model;
} source;

static gos_status write_source(gos_ctx *ctx, const source *from, FILE *out) {
    return from->runs != NULL         ? gos_report(ctx, from->runs, out)
           : from->controller != NULL ? gos_controller_report(ctx, from->controller, out)
           : from->model != NULL      ? gos_model_report(ctx, from->model, out)
                                      : gos_response_report(ctx, from->response, from->n, out);
}

static int write_page(gos_ctx *ctx, const source *from, const char *path) {
    gos_output *output = NULL;
    if (gos_output_begin(ctx, path, &output) != GOS_OK) {
        return EXIT_FAILED;
    }
    FILE *out = gos_output_stream(output);
    const gos_status status = write_source(ctx, from, out);
    // errors of the input files are wrong use; errors of the output are not
    const int code = exit_code(status, ferror(out) == 0);
    const gos_status written = gos_output_end(output, code == EXIT_DONE);
    return code == EXIT_DONE ? exit_code(written, false) : code;
}

int write_report(gos_ctx *ctx, const gos_report_content *content, const char *path) {
    return write_page(ctx, &(source){.runs = content}, path);
}

int check_report(const char *path) {
    return check_output(path, "<!DOCTYPE html>", " - Gossamer</title>",
                        "an HTML page of this program");
}

static int check_page(const text_list *rest, const char *path) {
    int code = EXIT_DONE;
    for (int i = 0; i < rest->n && code == EXIT_DONE; i++) {
        code = check_input(path, rest->v[i]);
    }
    return code == EXIT_DONE ? check_report(path) : code;
}

static int report_plain(gos_ctx *ctx, const text_list *rest, const source *from, const char *path) {
    int code = check_page(rest, path);
    if (code == EXIT_DONE) {
        code = write_page(ctx, from, path);
        show_messages(ctx, 0);
    }
    if (code == EXIT_DONE) {
        (void)printf("%s\n", plain(path));
    }
    return code;
}

static int report_responses(gos_ctx *ctx, const text_list *rest, const char *path) {
    return report_plain(ctx, rest, &(source){.response = rest->v, .n = rest->n}, path);
}

static int report_design(gos_ctx *ctx, const text_list *rest, const char *path) {
    if (rest->n > 1) {
        return complain("a report shows one design; give one file only");
    }
    return report_plain(ctx, rest, &(source){.controller = rest->v[0]}, path);
}

static int report_model(gos_ctx *ctx, const text_list *rest, const char *path) {
    if (rest->n > 1) {
        return complain("a report shows one model; use gossamer compare to compare two");
    }
    return report_plain(ctx, rest, &(source){.model = rest->v[0]}, path);
}

static int report(gos_ctx *ctx, const text_list *rest, const char *path) {
    int code = check_page(rest, path);
    gos_report_run *runs = calloc(rest->n, sizeof *runs);
    if (code == EXIT_DONE && runs != NULL) {
        for (int i = 0; i < rest->n; i++) {
            runs[i] = (gos_report_run){.path = rest->v[i], .wall = (double)NAN};
        }
        const gos_report_content content = {.run = runs, .nruns = rest->n};
        code = write_report(ctx, &content, path);
        show_messages(ctx, 0);
    }
    if (code == EXIT_DONE && runs != NULL) {
        (void)printf("%s\n", plain(path));
    }
    free(runs);
    return runs != NULL ? code : EXIT_FAILED;
}

int command_report(int argc, char **argv) {
    const char *output = NULL;
    text_list rest = {0};
    const option options[] = {{"-o", OPTION_TEXT, &output, NULL}, {0}};
    int code = parse_arguments("report", argc, argv, options, &rest, 1, -1);
    if (code < 0) {
        gos_ctx *ctx = gos_ctx_create();
        char *chosen = output == NULL ? with_ending(rest.v[0], ".html") : NULL;
        const char *path = output != NULL ? output : chosen;
        code = EXIT_FAILED;
        if (ctx != NULL && path != NULL) {
            code = (gos_response_exists(rest.v[0])     ? report_responses
                    : gos_controller_exists(rest.v[0]) ? report_design
                    : gos_rom_exists(rest.v[0]) || gos_linear_exists(rest.v[0])
                        ? report_model
                        : report)(ctx, &rest, path);
        }
        free(chosen);
        gos_ctx_destroy(ctx);
    }
    free_list(&rest);
    return code;
}
