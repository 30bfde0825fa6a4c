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

static void take_units(const char *units, unit_names *found) {
    gos_unit_name(units, "m", found->length, sizeof found->length);
    gos_unit_name(units, "kg", found->mass, sizeof found->mass);
}

int find_units(const char *path, const char *name, unit_names *found) {
    *found = (unit_names){0};
    if (name == NULL) {
        return EXIT_DONE;
    }
    if (strcmp(name, "si") != 0 && strcmp(name, "mm-t-s") != 0) {
        return complain("--units is si or mm-t-s, not '%s'", name);
    }
    if (type_of_file(path) == NULL) {
        return complain("--units is for decks and mesh files; models define their `units`");
    }
    take_units(strcmp(name, "si") == 0 ? "SI" : name, found);
    return EXIT_DONE;
}

void name_units(const char *path, const char *units, unit_names *found) {
    if (type_of_file(path) == NULL) {
        take_units(units, found);
    }
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

typedef struct mesh_job {
    gos_ctx *ctx;
    gos_model *model;
    const char *path, *only, *output;
    const char *length; // unit of length, "" for none
    json *json;         // NULL: print text
} mesh_job;

static int describe(const mesh_job *job, const char *name) {
    gos_mesh *mesh = NULL;
    int code = exit_code(gos_mesh_create(job->ctx, job->model, name, &mesh), true);
    if (code == EXIT_DONE && job->json != NULL) {
        json_value(job->json, name);
        code = exit_code(gos_mesh_write_json(job->ctx, mesh, stdout), false);
    } else if (code == EXIT_DONE) {
        (void)printf("mesh         %s\n", plain(name));
        code = exit_code(gos_mesh_describe(job->ctx, mesh, job->length, stdout), false);
    }
    if (code == EXIT_DONE && job->output != NULL) {
        code = exit_code(gos_mesh_write_vtu(job->ctx, mesh, job->output), false);
    }
    gos_mesh_destroy(mesh);
    return code;
}

static int describe_all(const mesh_job *job) {
    int code = EXIT_DONE;
    const char *name = gos_mesh_name(job->model, 0);
    if (job->only != NULL) {
        return describe(job, job->only);
    }
    for (int i = 0; (name = gos_mesh_name(job->model, i)) != NULL; i++) {
        const int one = describe(job, name);
        code = code == EXIT_DONE ? one : code;
    }
    return code;
}

static int describe_json(mesh_job *job) {
    json j = {.out = stdout};
    job->json = &j;
    json_open(&j, NULL, '{');
    json_text(&j, "unit", job->length);
    json_open(&j, "meshes", '{');
    const int code = describe_all(job);
    json_close(&j, '}');
    json_messages(&j, job->ctx);
    json_close(&j, '}');
    return code;
}

static int check_names(const mesh_job *job) {
    const char *name = gos_mesh_name(job->model, 0);
    if (job->only != NULL) {
        return EXIT_DONE;
    }
    if (name == NULL) {
        return complain("%s has no meshes; add them under 'meshes:'", job->path);
    }
    return job->output != NULL && gos_mesh_name(job->model, 1) != NULL
               ? complain("%s has more than one mesh; -o requires the name of one (MESH)",
                          job->path)
               : EXIT_DONE;
}

int command_mesh(int argc, char **argv) {
    mesh_job job = {0};
    const char *units_wanted = NULL;
    unit_names in = {0};
    bool as_json = false;
    text_list rest = {0}, settings = {0};
    const option options[] = {{"-o", OPTION_TEXT, &job.output, NULL},
                              {"--json", OPTION_FLAG, &as_json, NULL},
                              {"--set", OPTION_LIST, &settings, NULL},
                              {"--units", OPTION_TEXT, &units_wanted, NULL},
                              {0}};
    int code = parse_arguments("mesh", argc, argv, options, &rest, 1, 2);
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path = rest.v[0];
        job.only = rest.n > 1 ? rest.v[1] : NULL;
        code = job.ctx == NULL ? EXIT_FAILED
               : job.output != NULL
                   ? check_output(job.output, "<?xml", GOS_MADE, "a .vtu of this program")
                   : EXIT_DONE;
        code = code == EXIT_DONE ? find_units(job.path, units_wanted, &in) : code;
        code = code == EXIT_DONE ? load(job.ctx, job.path, &settings, &job.model) : code;
        code = code == EXIT_DONE ? check_names(&job) : code;
        const bool begun = code == EXIT_DONE;
        if (begun) {
            name_units(job.path, gos_model_units(job.model), &in);
            job.length = in.length;
            code = as_json ? describe_json(&job) : describe_all(&job);
        }
        if (job.ctx != NULL && !(as_json && begun)) {
            show_messages(job.ctx, 0);
        }
        gos_model_destroy(job.model);
        gos_ctx_destroy(job.ctx);
    }
    free_list(&settings);
    free_list(&rest);
    return code;
}
