/* gossamer check: reports all errors and the sizes of a model, once or at every save. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli.h"

static void print_json(gos_ctx *ctx, gos_model *model, const gos_sizes *sizes, bool valid) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_bool(&j, "valid", valid);
    json_text(&j, "model", model != NULL ? gos_model_name(model) : NULL);
    if (valid) {
        json_sizes(&j, sizes, gos_model_units(model));
    }
    json_messages(&j, ctx);
    json_close(&j, '}');
}

static int check_once(const char *path, const text_list *settings, bool as_json) {
    gos_ctx *ctx = gos_ctx_create();
    if (ctx == NULL) {
        return EXIT_FAILED;
    }
    gos_model *model = NULL;
    gos_sizes sizes = {0};
    show_progress(ctx, as_json);
    const int code = load_sizes(ctx, path, settings, &model, &sizes);
    if (as_json) {
        print_json(ctx, model, &sizes, code == EXIT_DONE);
    } else {
        show_messages(ctx, 0);
        if (code == EXIT_DONE) {
            (void)printf("model        %s: no errors\n", plain(gos_model_name(model)));
            print_sizes(&sizes, gos_model_units(model));
            print_notes(ctx);
        }
    }
    gos_model_destroy(model);
    gos_ctx_destroy(ctx);
    return code;
}

/* Time of the last write; zeros if the file does not exist, as for a moment while editors save. */
static struct timespec written(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 ? st.st_mtim : (struct timespec){0, 0};
}

static void print_time(void) {
    char text[32];
    const time_t now = time(NULL);
    struct tm tm;
    if (localtime_r(&now, &tm) != NULL && strftime(text, sizeof text, "%H:%M:%S", &tm) > 0) {
        (void)printf("---- %s\n", text);
    }
}

static int watch(const char *path, const text_list *settings) {
    static const struct timespec pause = {0, 200 * 1000 * 1000L};
    struct timespec last = written(path);
    if (last.tv_sec == 0) {
        return check_once(path, settings, false); // reports the missing file
    }
    for (;;) {
        print_time();
        (void)check_once(path, settings, false);
        (void)fflush(stdout);
        struct timespec now = last;
        while (now.tv_sec == 0 || (now.tv_sec == last.tv_sec && now.tv_nsec == last.tv_nsec)) {
            (void)nanosleep(&pause, NULL);
            now = written(path);
        }
        last = now;
    }
}

int command_check(int argc, char **argv) {
    bool as_json = false, watched = false;
    text_list rest = {0}, settings = {0};
    const option options[] = {{"--set", OPTION_LIST, &settings, NULL},
                              {"--json", OPTION_FLAG, &as_json, NULL},
                              {"--watch", OPTION_FLAG, &watched, NULL},
                              {0}};
    int code = parse_arguments("check", argc, argv, options, &rest, 1, 1);
    if (code < 0 && watched && as_json) {
        code = complain("--json and --watch cannot be combined");
    }
    if (code < 0) {
        code = watched ? watch(rest.v[0], &settings) : check_once(rest.v[0], &settings, as_json);
    }
    free_list(&settings);
    free_list(&rest);
    return code;
}
