/* Reads models with settings; chooses and checks output paths. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static gos_status apply(gos_ctx *ctx, gos_model *model, const char *setting) {
    const char *equals = strchr(setting, '=');
    if (equals == NULL || equals == setting || equals[1] == '\0') {
        (void)complain("--set needs NAME=VALUE, not '%s'", setting);
        return GOS_E_USE;
    }
    const size_t n = equals - setting;
    char *name = calloc(n + 1, 1);
    if (name == NULL) {
        return GOS_E_MEMORY;
    }
    memcpy(name, setting, n);
    const gos_status status = gos_model_set(ctx, model, name, equals + 1);
    free(name);
    return status;
}

int apply_setting(gos_ctx *ctx, gos_model *model, const char *setting) {
    return exit_code(apply(ctx, model, setting), true);
}

static gos_status load_model(gos_ctx *ctx, const char *path, const text_list *settings,
                             gos_model **model) {
    gos_status status = use_options(ctx);
    status = status == GOS_OK ? gos_model_read(ctx, path, model) : status;
    for (int i = 0; settings != NULL && i < settings->n && status == GOS_OK; i++) {
        status = apply(ctx, *model, settings->v[i]);
    }
    return status;
}

/* Report files of this program that are not models, with the command that reads them. @return
 * EXIT_DONE or the exit code */
static int check_model_file(const char *path) {
    if (!is_hdf5(path)) {
        return EXIT_DONE;
    }
    if (gos_linear_exists(path)) {
        return complain("%s is a linear model; use it with gossamer response, modes, reduce or "
                        "export. A model is a YAML file",
                        plain(path));
    }
    if (gos_rom_exists(path)) {
        return complain(
            "%s is a reduced model; run it with gossamer run MODEL.yaml --rom %s, where "
            "MODEL.yaml is the model from which it was made",
            plain(path), plain(path));
    }
    return complain("%s is an HDF5 file; a model is a YAML file (gossamer info describes the file)",
                    plain(path));
}

static int load(gos_ctx *ctx, const char *path, const text_list *settings, bool open_loops,
                gos_model **model, gos_system **sys) {
    const int use = check_model_file(path);
    if (use != EXIT_DONE) {
        return use;
    }
    gos_status status = load_model(ctx, path, settings, model);
    if (status == GOS_OK && sys != NULL) {
        if (open_loops) {
            gos_model_open_loops(*model);
        } else {
            status = gos_model_read_controllers(ctx, *model);
        }
        status = status == GOS_OK ? gos_system_create(ctx, *model, sys) : status;
    }
    end_progress();
    return exit_code(status, true);
}

int load_system(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
                gos_system **sys) {
    return load(ctx, path, settings, false, model, sys);
}

int load_open_loops(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
                    gos_system **sys) {
    return load(ctx, path, settings, true, model, sys);
}

int load_sizes(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model,
               gos_sizes *sizes) {
    const int use = check_model_file(path);
    if (use != EXIT_DONE) {
        return use;
    }
    gos_status status = load_model(ctx, path, settings, model);
    status = status == GOS_OK ? gos_model_read_controllers(ctx, *model) : status;
    if (status == GOS_OK) {
        status = gos_system_check(ctx, *model, sizes);
    }
    end_progress();
    return exit_code(status, true);
}

char *with_ending(const char *path, const char *ending) {
    size_t n = strlen(path);
    const char *dot = strrchr(path, '.');
    const char *slash = strrchr(path, '/');
    if (dot != NULL && dot != path && (slash == NULL || dot > slash + 1)) {
        n = dot - path;
    }
    char *name = malloc(n + strlen(ending) + 1);
    if (name != NULL) {
        memcpy(name, path, n);
        memcpy(name + n, ending, strlen(ending) + 1);
    }
    return name;
}

char *name_output(const char *path, const char *ending) {
    size_t n = strlen(path); // without trailing slashes
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    char *plain = strndup(path, n);
    char *name = plain != NULL ? with_ending(plain, ending) : NULL;
    if (name != NULL && strcmp(name, plain) == 0) { // same path as the input
        free(name);
        name = malloc(n + strlen(ending) + 1);
        if (name != NULL) {
            memcpy(name, plain, n);
            memcpy(name + n, ending, strlen(ending) + 1);
        }
    }
    free(plain);
    return name;
}

static int check_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (slash - path) + 1L);
    int code = EXIT_DONE;
    if (folder == NULL || access(folder, W_OK | X_OK) != 0) {
        code = complain("%s: cannot write there: %s", path, strerror(errno));
    }
    free(folder);
    return code;
}

/* what an error that was reported to ctx means for a command */
static int refused(gos_ctx *ctx, gos_status status, int before, const char *path) {
    if (status == GOS_OK) {
        return check_folder(path);
    }
    show_messages(ctx, before);
    gos_ctx_clear(ctx);
    return exit_code(status, true);
}

int check_output(const char *path, const char *magic, const char *mark, const char *kind) {
    gos_ctx *ctx = gos_ctx_create();
    const int code = ctx != NULL
                         ? refused(ctx, gos_output_replaces(ctx, path, magic, mark, kind), 0, path)
                         : EXIT_FAILED;
    gos_ctx_destroy(ctx);
    return code;
}

int check_file(gos_ctx *ctx, const char *path, gos_output_kind kind) {
    const int before = gos_ctx_ndiag(ctx);
    return refused(ctx, gos_output_check(ctx, path, kind), before, path);
}

int check_input(const char *output, const char *input) {
    struct stat a, b;
    return input != NULL && stat(output, &a) == 0 && stat(input, &b) == 0 && a.st_dev == b.st_dev &&
                   a.st_ino == b.st_ino
               ? complain("%s: is also an input; choose another name", output)
               : EXIT_DONE;
}

bool begins_with(const char *path, const char *magic, size_t n) {
    char head[32] = {0};
    FILE *f = gos_file_open(path, NULL);
    const size_t got = f != NULL ? fread(head, 1, sizeof head, f) : 0;
    if (f != NULL) {
        (void)fclose(f);
    }
    return got >= n && memcmp(head, magic, n) == 0;
}

bool is_hdf5(const char *path) {
    return begins_with(path, HDF5_MAGIC, sizeof HDF5_MAGIC - 1);
}
