/* gossamer mesh: describes the meshes of a model or of a mesh file. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static bool ends_with(const char *text, const char *ending) {
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

/* type of `meshes` entry that reads the file; NULL: a model */
static const char *type_of_file(const char *path) {
    static const struct {
        const char *ending, *type;
    } types[] = {{".msh", "gmsh"},
                 {".inp", "deck"},
                 {".bdf", "nastran"},
                 {".nas", "nastran"},
                 {".dat", "nastran"}};
    const char *type = NULL;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        type = ends_with(path, types[i].ending) ? types[i].type : type;
    }
    return type;
}

bool is_deck(const char *path) {
    const char *type = type_of_file(path);
    return type != NULL && strcmp(type, "gmsh") != 0;
}

int find_units(const char *path, const char *name, const unit_names **found) {
    static const unit_names known[] = {{"si", "m", "kg"}, {"mm-t-s", "mm", "t"}},
                            none = {"", "", ""};
    const bool bare = type_of_file(path) != NULL;
    *found = bare && name == NULL ? &none : &known[0];
    for (size_t i = 0; name != NULL && i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            *found = &known[i];
            return bare ? EXIT_DONE
                        : complain("--units is for decks and mesh files; models are in "
                                   "m, kg, s");
        }
    }
    return name == NULL ? EXIT_DONE : complain("--units is si or mm-t-s, not '%s'", name);
}

gos_status model_of_mesh(gos_ctx *ctx, const char *path, gos_model **model) {
    const char *type = type_of_file(path);
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    gos_status status = GOS_E_MEMORY;
    if (f != NULL && folder != NULL) {
        (void)fprintf(f, "meshes: {mesh: {type: %s, file: '", type);
        for (const char *c = name; *c != '\0'; c++) {
            (void)fputs(*c == '\'' ? "''" : (const char[]){*c, '\0'}, f);
        }
        (void)fputs("'}}\n", f);
        if (fclose(f) == 0) {
            status = gos_model_parse(ctx, text, n, path, folder, model);
        }
    }
    free(text);
    free(folder);
    return status;
}

static int load(gos_ctx *ctx, const char *path, const text_list *settings, gos_model **model) {
    const char *type = type_of_file(path);
    if (type != NULL) {
        return settings->n > 0 ? complain("--set applies to models only")
                               : exit_code(model_of_mesh(ctx, path, model), true);
    }
    return load_system(ctx, path, settings, model, NULL);
}

/* length: unit of length, "" for none */
static int describe(gos_ctx *ctx, gos_model *model, const char *name, const char *length,
                    const char *output) {
    gos_mesh *mesh = NULL;
    int code = exit_code(gos_mesh_create(ctx, model, name, &mesh), true);
    if (code == EXIT_DONE) {
        (void)printf("mesh         %s\n", plain(name));
        code = exit_code(gos_mesh_describe(ctx, mesh, length, stdout), false);
    }
    if (code == EXIT_DONE && output != NULL) {
        code = exit_code(gos_mesh_write_vtu(ctx, mesh, output), false);
    }
    gos_mesh_destroy(mesh);
    return code;
}

static int describe_all(gos_ctx *ctx, gos_model *model, const char *path, const char *only,
                        const char *length, const char *output) {
    int code = EXIT_DONE;
    const char *name = gos_mesh_name(model, 0);
    if (only == NULL && output != NULL && name != NULL && gos_mesh_name(model, 1) != NULL) {
        return complain("%s has more than one mesh; -o requires the name of one (MESH)", path);
    }
    if (only != NULL) {
        return describe(ctx, model, only, length, output);
    }
    if (name == NULL) {
        return complain("%s has no meshes; add them under 'meshes:'", path);
    }
    for (int i = 0; (name = gos_mesh_name(model, i)) != NULL; i++) {
        const int one = describe(ctx, model, name, length, output);
        code = code == EXIT_DONE ? one : code;
    }
    return code;
}

int command_mesh(int argc, char **argv) {
    const char *output = NULL, *units_wanted = NULL;
    const unit_names *in = NULL;
    text_list rest = {0}, settings = {0};
    const option options[] = {{"-o", OPTION_TEXT, &output, NULL},
                              {"--set", OPTION_LIST, &settings, NULL},
                              {"--units", OPTION_TEXT, &units_wanted, NULL},
                              {0}};
    int code = parse_arguments("mesh", argc, argv, options, &rest, 1, 2);
    if (code < 0) {
        gos_ctx *ctx = gos_ctx_create();
        gos_model *model = NULL;
        const char *only = rest.n > 1 ? rest.v[1] : NULL;
        code = ctx == NULL      ? EXIT_FAILED
               : output != NULL ? check_output(output, "<?xml", GOS_MADE, "a .vtu of this program")
                                : EXIT_DONE;
        code = code == EXIT_DONE ? find_units(rest.v[0], units_wanted, &in) : code;
        code = code == EXIT_DONE ? load(ctx, rest.v[0], &settings, &model) : code;
        code = code == EXIT_DONE ? describe_all(ctx, model, rest.v[0], only, in->length, output)
                                 : code;
        if (ctx != NULL) {
            show_messages(ctx, 0);
        }
        gos_model_destroy(model);
        gos_ctx_destroy(ctx);
    }
    free_list(&settings);
    free_list(&rest);
    return code;
}
