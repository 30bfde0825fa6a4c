/* gossamer check: all errors of a model at once, and its sizes. */
#include "cli.h"

int command_check(int argc, char **argv) {
    bool as_json = false;
    text_list rest = {0}, settings = {0};
    const option options[] = {
        {"--set", OPTION_LIST, &settings, NULL}, {"--json", OPTION_FLAG, &as_json, NULL}, {0}};
    int code = parse_arguments("check", argc, argv, options, &rest, 1, 1);
    gos_ctx *ctx = code < 0 ? gos_ctx_create() : NULL;
    if (ctx != NULL) {
        gos_model *model = NULL;
        gos_sizes sizes = {0};
        show_progress(ctx, as_json);
        code = load_sizes(ctx, rest.v[0], &settings, &model, &sizes);
        if (as_json) {
            json j = {.out = stdout};
            json_open(&j, NULL, '{');
            json_bool(&j, "valid", code == EXIT_DONE);
            json_text(&j, "model", model != NULL ? gos_model_name(model) : NULL);
            if (code == EXIT_DONE) {
                json_sizes(&j, &sizes);
            }
            json_messages(&j, ctx);
            json_close(&j, '}');
        } else {
            show_messages(ctx, 0);
            if (code == EXIT_DONE) {
                (void)printf("model        %s: no errors\n", plain(gos_model_name(model)));
                print_sizes(&sizes);
                print_notes(ctx);
            }
        }
        gos_model_destroy(model);
        gos_ctx_destroy(ctx);
    }
    free_list(&settings);
    free_list(&rest);
    return code < 0 ? EXIT_FAILED : code;
}
