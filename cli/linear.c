/* Loads a linear model from a file or folder, or linearises a model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Parse AXIS:RATE (axis x, y, z or three numbers) into the spin of the options [rad/s]. The point
 * on the axis remains that of the model. */
static bool parse_spin(const char *text, gos_options *o) {
    static const char *const name[] = {"x", "y", "z"};
    const char *colon = strrchr(text, ':');
    double axis[3] = {0}, rate = 0, length = 0;
    char *list = colon != NULL ? strndup(text, colon - text) : NULL;
    bool good = list != NULL && parse_number(colon + 1, &rate);
    int n = 0;
    for (int c = 0; good && c < 3; c++) {
        n = strcmp(list, name[c]) == 0 ? 3 : n;
        axis[c] = strcmp(list, name[c]) == 0;
    }
    for (char *word = list; good && n < 3 && word != NULL; n++) {
        char *comma = strchr(word, ',');
        if (comma != NULL) {
            *comma++ = '\0';
        }
        good = parse_number(word, &axis[n]) && (comma != NULL) == (n < 2);
        word = comma;
    }
    free(list);
    for (int c = 0; c < 3; c++) {
        length = hypot(length, axis[c]);
    }
    if (!good || n != 3 || !(length > 0)) {
        return false;
    }
    o->spin_x = rate * axis[0] / length;
    o->spin_y = rate * axis[1] / length;
    o->spin_z = rate * axis[2] / length;
    return true;
}

static bool is_equilibrium(const linear_point *where) {
    return where->equilibrium || where->spin_given;
}

/* The operating point; *options: those of the model, with the spin given by the user. */
static gos_operating_point point_of(const gos_system *sys, const linear_point *where,
                                    gos_options *options) {
    gos_options_get(sys, options);
    if (where->spin_given) {
        (void)parse_spin(where->spin, options);
    }
    return (gos_operating_point){.kind = is_equilibrium(where) ? GOS_OPERATING_EQUILIBRIUM
                                         : where->at_given     ? GOS_OPERATING_TIME
                                                               : GOS_OPERATING_INITIAL,
                                 .time = where->at};
}

int make_state(gos_ctx *ctx, const gos_system *sys, const linear_point *where, gos_state **state) {
    gos_options options;
    const gos_operating_point at = point_of(sys, where, &options);
    gos_status status = gos_state_create(ctx, sys, state);
    status =
        status == GOS_OK ? gos_state_find_operating_point(ctx, sys, &options, &at, *state) : status;
    return exit_code(status, false);
}

int make_linear(gos_ctx *ctx, const gos_system *sys, const linear_point *where,
                const gos_state *state, gos_linear **linear) {
    gos_options options;
    const gos_operating_point at = point_of(sys, where, &options);
    return exit_code(gos_linearise_at(ctx, sys, &options, &at, state, linear), false);
}

/* Load a stored reduced model; the settings change the model it was made from. */
static int load_rom(gos_ctx *ctx, const char *path, const text_list *settings, point *p) {
    int code = exit_code(use_options(ctx), true);
    code = code == EXIT_DONE ? exit_code(gos_rom_model(ctx, path, &p->model), true) : code;
    for (int i = 0; i < settings->n && code == EXIT_DONE; i++) {
        code = apply_setting(ctx, p->model, settings->v[i]);
    }
    if (code == EXIT_DONE) {
        code = exit_code(gos_model_read_controllers(ctx, p->model), true);
    }
    if (code == EXIT_DONE) {
        code = exit_code(gos_system_create(ctx, p->model, &p->full), true);
    }
    end_progress();
    return code == EXIT_DONE ? exit_code(gos_rom_load(ctx, p->full, path, &p->sys), true) : code;
}

int load_point(gos_ctx *ctx, const char *path, const text_list *settings, const linear_point *where,
               point *p) {
    *p = (point){0};
    show_progress(ctx, false);
    const int code = gos_rom_exists(path) ? load_rom(ctx, path, settings, p)
                     : where->open_loops  ? load_open_loops(ctx, path, settings, &p->model, &p->sys)
                                          : load_system(ctx, path, settings, &p->model, &p->sys);
    return code == EXIT_DONE ? make_state(ctx, p->sys, where, &p->state) : code;
}

void free_point(point *p) {
    gos_state_destroy(p->state);
    gos_system_destroy(p->sys);
    gos_system_destroy(p->full);
    gos_model_destroy(p->model);
}

int check_linear_point(const char *command, const linear_point *where) {
    gos_options unused = {0};
    if (is_equilibrium(where) && where->at_given) {
        return complain("%s: --%s and --at cannot be combined", command,
                        where->spin_given ? "spin" : "equilibrium");
    }
    if (where->spin_given && !parse_spin(where->spin, &unused)) {
        return complain("%s: --spin needs AXIS:RATE with the axis x, y, z or three numbers and the "
                        "rate in rad/s, for example z:6 or 0,1,1:0.5, not '%s'",
                        command, where->spin);
    }
    return where->at >= 0 ? -1 : complain("%s: --at needs a time of at least 0", command);
}

bool is_linear(const char *path) {
    return is_deck(path) || is_mat(path) || gos_linear_exists(path);
}

/* The linear model of a deck alone. */
static gos_status read_deck(gos_ctx *ctx, const char *path, gos_linear **linear) {
    gos_model *model = NULL;
    gos_mesh *mesh = NULL;
    gos_status status = model_of_mesh(ctx, path, &model);
    status =
        status == GOS_OK ? gos_mesh_create(ctx, model, gos_mesh_name(model, 0), &mesh) : status;
    status = status == GOS_OK ? gos_linear_from_mesh(ctx, mesh, linear) : status;
    gos_mesh_destroy(mesh);
    gos_model_destroy(model);
    return status;
}

int load_linear(gos_ctx *ctx, const char *path, const text_list *settings,
                const linear_point *where, gos_linear **linear) {
    if (is_linear(path)) {
        if (settings->n > 0 || is_equilibrium(where) || where->at_given) {
            return complain("%s is a linear model: --set, --equilibrium, --spin and --at do not "
                            "apply",
                            path);
        }
        const int code = exit_code(use_options(ctx), true);
        return code != EXIT_DONE ? code
               : is_mat(path)    ? read_mat(ctx, path, linear)
               : is_deck(path)   ? exit_code(read_deck(ctx, path, linear), true)
                                 : exit_code(gos_linear_read(ctx, path, linear), true);
    }
    point p;
    int code = load_point(ctx, path, settings, where, &p);
    if (code == EXIT_DONE) {
        code = make_linear(ctx, p.sys, where, p.state, linear);
    }
    free_point(&p);
    return code;
}

/* ---- the band -------------------------------------------------------------------------------- */

int parse_band(const char *command, const char *text, double band[2]) {
    const char *colon = strchr(text, ':');
    char *low = colon != NULL ? strndup(text, colon - text) : NULL;
    const bool good = low != NULL && parse_number(low, &band[0]) &&
                      parse_number(colon + 1, &band[1]) && band[0] > 0 && band[1] >= band[0];
    free(low);
    return good ? EXIT_DONE
                : complain("%s: --band needs FROM:TO in Hz, 0 < FROM <= TO, not '%s'", command,
                           text);
}

int find_band(gos_ctx *ctx, const char *command, const gos_linear *linear, double band[2]) {
    const int before = gos_ctx_ndiag(ctx);
    const gos_status status = gos_linear_band(ctx, linear, band);
    if (status == GOS_OK || status == GOS_E_INTERRUPTED) {
        return exit_code(status, false);
    }
    show_messages(ctx, before);
    gos_ctx_clear(ctx);
    return complain("%s: give --band FROM:TO", command);
}
