/* gossamer modes --buckling: load factors of linearised buckling. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define WORDS 64

/* the words of "a,b" in a copy of the text; false: too many */
static bool split(char *text, const char **word, int *n) {
    *n = 0;
    for (char *at = text; at != NULL; (*n)++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        if (*n == WORDS) {
            return false;
        }
        word[*n] = at;
        at = comma;
    }
    return true;
}

static void print_factors(const gos_buckling_mode *mode, int found, int wanted,
                          const gos_buckling_info *info) {
    (void)printf("scaled by the load factor: %s\n", plain(info->scaled));
    (void)printf("constant: %s\n", info->constant[0] != '\0' ? plain(info->constant) : "nothing");
    if (found > 0) {
        (void)puts("mode    load factor  largest at");
    }
    for (int i = 0; i < found; i++) {
        (void)printf("%4d  %13.7g  %s\n", i + 1, mode[i].factor, plain(mode[i].where));
    }
    if (found < wanted && wanted > 0) {
        (void)printf("%s positive load factors\n", found > 0 ? "no further" : "no");
    }
}

static void json_factors(gos_ctx *ctx, const gos_buckling_mode *mode, int found,
                         const gos_buckling_info *info) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "scaled", info->scaled);
    json_text(&j, "constant", info->constant);
    json_open(&j, "buckling", '[');
    for (int i = 0; i < found; i++) {
        json_open(&j, NULL, '{');
        json_number(&j, "factor", mode[i].factor);
        json_text(&j, "largest_at", mode[i].where);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_number(&j, "displacement", info->displacement);
    json_messages(&j, ctx);
    json_close(&j, '}');
}

static int factors_of(gos_ctx *ctx, const buckling_wish *wish, const gos_buckling_options *loads,
                      gos_buckling_mode *mode, int *found, gos_buckling_info *info) {
    gos_model *model = NULL;
    gos_system *sys = NULL;
    gos_options options;
    int code = load_open_loops(ctx, wish->path, wish->settings, &model, &sys);
    if (code == EXIT_DONE) {
        gos_options_get(sys, &options);
        code = exit_code(gos_buckling(ctx, sys, &options, loads, wish->n, mode, NULL, found, info),
                         false);
    }
    gos_system_destroy(sys);
    gos_model_destroy(model);
    return code;
}

/* of a deck alone */
static int factors_of_deck(gos_ctx *ctx, const buckling_wish *wish, gos_buckling_mode *mode,
                           int *found, gos_buckling_info *info) {
    gos_model *model = NULL;
    gos_mesh *mesh = NULL;
    if (wish->settings->n > 0 || wish->scaled != NULL || wish->time_given) {
        return complain("modes: --set, --scale and --at do not apply to a deck, whose first step "
                        "has the loads");
    }
    gos_status status = use_options(ctx);
    status = status == GOS_OK ? model_of_mesh(ctx, wish->path, &model) : status;
    status =
        status == GOS_OK ? gos_mesh_create(ctx, model, gos_mesh_name(model, 0), &mesh) : status;
    const int code = exit_code(status, true);
    if (status == GOS_OK) {
        status =
            gos_mesh_buckling(ctx, mesh, wish->n_given ? wish->n : 0, wish->n, mode, NULL, found);
    }
    (void)snprintf(info->scaled, sizeof info->scaled, "all loads of the first step");
    gos_mesh_destroy(mesh);
    gos_model_destroy(model);
    return code != EXIT_DONE ? code : exit_code(status, status == GOS_E_INPUT);
}

int show_buckling(gos_ctx *ctx, const buckling_wish *wish) {
    const char *word[WORDS];
    gos_buckling_options loads = {.time = wish->time};
    gos_buckling_info info = {0};
    int found = 0, code = EXIT_DONE;
    gos_buckling_mode *mode = calloc(wish->n, sizeof *mode);
    char *text = wish->scaled != NULL ? strdup(wish->scaled) : NULL;
    if (mode == NULL || (wish->scaled != NULL && text == NULL)) {
        code = EXIT_FAILED;
    } else if (text != NULL && !split(text, word, &loads.nscaled)) {
        code = complain("modes: --scale has more than %d names", WORDS);
    }
    loads.scaled = text != NULL ? word : NULL;
    if (code == EXIT_DONE) {
        watch_progress(ctx, false);
        code = is_deck(wish->path) ? factors_of_deck(ctx, wish, mode, &found, &info)
                                   : factors_of(ctx, wish, &loads, mode, &found, &info);
        end_progress();
        if (!wish->as_json || code != EXIT_DONE) {
            show_messages(ctx, 0);
        }
    }
    if (code == EXIT_DONE && wish->as_json) {
        json_factors(ctx, mode, found, &info);
    } else if (code == EXIT_DONE) {
        print_factors(mode, found, is_deck(wish->path) && found > 0 ? found : wish->n, &info);
    }
    free(text);
    free(mode);
    return code;
}
