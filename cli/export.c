/* gossamer export: writes linear models, modes and results in formats of other programs. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

typedef struct export_job export_job;

typedef struct format {
    const char *name, *ending;
    int (*of_linear)(const export_job *job, const gos_linear *linear);
    int (*of_model)(export_job *job);
    int (*of_results)(const export_job *job, gos_results *run);
} format;

struct export_job {
    gos_ctx *ctx;
    const char *path, *output;
    const format *to;
    char *chosen; // default output name
    linear_point where;
    text_list settings;
    int n; // modes
    bool n_given;
    const char *body, *nodes; // of sid
    int version;              // of an FMU
    const char *kind;
    bool version_given, reduced, uncompared, accept;
    text_list tunable; // parameters
    step_wish step;    // of C source
};

/* ---- linear models --------------------------------------------------------------------------- */

static int to_h5(const export_job *job, const gos_linear *linear) {
    return exit_code(gos_linear_save(job->ctx, linear, job->output), false);
}

static int to_mtx(const export_job *job, const gos_linear *linear) {
    return exit_code(gos_linear_write_folder(job->ctx, linear, job->output), false);
}

static int to_op4(const export_job *job, const gos_linear *linear) {
    return exit_code(gos_linear_write_output4(job->ctx, linear, false, job->output), false);
}

static int to_op4_text(const export_job *job, const gos_linear *linear) {
    return exit_code(gos_linear_write_output4(job->ctx, linear, true, job->output), false);
}

static int to_dmig(const export_job *job, const gos_linear *linear) {
    return exit_code(gos_linear_write_dmig(job->ctx, linear, job->output), false);
}

static int to_mat(const export_job *job, const gos_linear *linear) {
    return write_mat(job->ctx, linear, false, job->output);
}

static bool ends_in(const char *path, const char *ending) {
    const size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

static int to_ss(const export_job *job, const gos_linear *linear) {
    if (!ends_in(job->output, ".mat")) {
        return exit_code(gos_linear_write_state_space(job->ctx, linear, job->output), false);
    }
    gos_linear *first = NULL;
    const gos_status status = gos_linear_first_order(job->ctx, linear, &first);
    const int code =
        status == GOS_OK ? write_mat(job->ctx, first, true, job->output) : exit_code(status, false);
    gos_linear_destroy(first);
    return code;
}

static int export_linear(export_job *job) {
    gos_linear *linear = NULL;
    int code = load_linear(job->ctx, job->path, &job->settings, &job->where, &linear);
    if (code == EXIT_DONE) {
        code = job->to->of_linear(job, linear);
    }
    gos_linear_destroy(linear);
    return code;
}

static int export_c(export_job *job) {
    return export_step_model(job->ctx, job->path, &job->settings, &job->where, &job->step,
                             job->output);
}

/* ---- results --------------------------------------------------------------------------------- */

static int results_to_mat(const export_job *job, gos_results *run) {
    return job->where.at_given ? complain("export: --at does not apply to probes; see gossamer "
                                          "probe --at")
                               : write_mat_probes(job->ctx, run, job->output);
}

static int results_to_vtu(const export_job *job, gos_results *run) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    const double *time = gos_results_frame_times(run);
    const double last = info.nframes > 0 ? time[info.nframes - 1] : 0;
    return exit_code(gos_results_write_vtu(job->ctx, run,
                                           job->where.at_given ? job->where.at : last, job->output),
                     false);
}

static int results_to_pvd(const export_job *job, gos_results *run) {
    return job->where.at_given
               ? complain("export: --to pvd writes all output times; --at applies to --to vtu")
               : write_pvd(job->ctx, run, job->output);
}

static int model_to_pvd(export_job *job) {
    return complain("%s is not a run: --to pvd writes the output times of a run; use --to vtu",
                    job->path);
}

static int export_results(const export_job *job) {
    gos_results *run = NULL;
    if (job->settings.n > 0 || job->where.equilibrium || job->where.spin_given || job->n_given) {
        return complain("%s is not a model: --set, --equilibrium, --spin and -n do not apply",
                        job->path);
    }
    int code = exit_code(gos_results_open(job->ctx, job->path, &run), true);
    if (code == EXIT_DONE) {
        code = job->to->of_results(job, run);
    }
    gos_results_close(run);
    return code;
}

/* ---- modes ----------------------------------------------------------------------------------- */

static int export_modes(export_job *job) {
    gos_linear *linear = NULL;
    point p;
    int code = load_point(job->ctx, job->path, &job->settings, &job->where, &p);
    if (code == EXIT_DONE && gos_system_linear(p.sys)) {
        code = complain("%s: a model of matrices has no geometry to draw", job->path);
    }
    if (code == EXIT_DONE) {
        code = make_linear(job->ctx, p.sys, &job->where, p.state, &linear);
    }
    if (code == EXIT_DONE) {
        code = exit_code(
            gos_system_write_vtu(job->ctx, p.sys, p.state, linear, job->n, job->output), false);
    }
    gos_linear_destroy(linear);
    free_point(&p);
    return code;
}

/* ---- standard input data --------------------------------------------------------------------- */

static int export_sid(export_job *job) {
    gos_model *model = NULL;
    gos_system *sys = NULL;
    if (job->where.equilibrium || job->where.spin_given || job->where.at_given) {
        return complain(
            "export: --to sid exports the body alone: --equilibrium, --spin and --at do "
            "not apply");
    }
    if (is_hdf5(job->path)) {
        return complain("%s: --to sid needs a model file (YAML)", job->path);
    }
    int code = load_system(job->ctx, job->path, &job->settings, &model, &sys);
    if (code == EXIT_DONE) {
        const sid_wish wish = {job->body, job->nodes, job->n_given ? job->n : 0};
        code = write_sid(job->ctx, sys, &wish, job->output);
    }
    gos_system_destroy(sys);
    gos_model_destroy(model);
    return code;
}

/* ---- functional mock-up units ---------------------------------------------------------------- */

/* Of a linear model: only its matrices. */
static int export_unit_of_step(const export_job *job) {
    if (job->version_given || job->kind != NULL || job->reduced || job->tunable.n > 0 ||
        job->n_given || job->accept || job->uncompared) {
        return complain("export: with --step a unit contains a linear model for co-simulation by "
                        "FMI 2; --version, --kind, --reduced, --tunable, --accept, --no-compare "
                        "and -n do not apply");
    }
    return export_step_unit(job->ctx, job->path, &job->settings, &job->where, &job->step,
                            job->output);
}

static int export_fmu(export_job *job) {
    gos_acceptance found = GOS_ACCEPTED;
    gos_fmu_options o = {.version = job->version,
                         .reduced = job->reduced,
                         .compare = !job->uncompared,
                         .acceptance = &found,
                         .tunable = job->tunable.v,
                         .ntunable = job->tunable.n};
    gos_model *model = NULL;
    const bool rom = gos_rom_exists(job->path);
    if (job->step.step_given) {
        return export_unit_of_step(job);
    }
    if (job->where.equilibrium || job->where.spin_given || job->where.at_given || job->n_given) {
        return complain(
            "export: an FMU contains the whole model: --equilibrium, --spin, --at and -n "
            "do not apply");
    }
    if (job->kind != NULL && strcmp(job->kind, "cs") != 0 && strcmp(job->kind, "me") != 0) {
        return complain("export: --kind needs cs (co-simulation) or me (model exchange), not '%s'",
                        job->kind);
    }
    o.kind =
        job->kind != NULL && job->kind[0] == 'm' ? GOS_FMU_MODEL_EXCHANGE : GOS_FMU_CO_SIMULATION;
    int code = exit_code(use_options(job->ctx), true);
    if (code == EXIT_DONE) {
        code = exit_code(rom ? gos_rom_model(job->ctx, job->path, &model)
                             : gos_model_read(job->ctx, job->path, &model),
                         true);
    }
    for (int i = 0; i < job->settings.n && code == EXIT_DONE; i++) {
        code = apply_setting(job->ctx, model, job->settings.v[i]);
    }
    if (code == EXIT_DONE) {
        o.reduced = o.reduced || rom;
        o.rom = rom ? job->path : NULL;
        code = exit_code(gos_export_fmu(job->ctx, model, &o, job->output), true);
    }
    if (code == EXIT_DONE && !accept_error(found, job->accept)) {
        code = EXIT_FAILED;
    }
    gos_model_destroy(model);
    return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

static const format formats[] = {
    {"h5", ".linear.h5", to_h5, export_linear, NULL},
    {"mtx", ".mtx", to_mtx, export_linear, NULL},
    {"op4", ".op4", to_op4, export_linear, NULL},
    {"op4_text", ".op4", to_op4_text, export_linear, NULL},
    {"dmig", ".pch", to_dmig, export_linear, NULL},
    {"mat", ".mat", to_mat, export_linear, results_to_mat},
    {"ss", ".ss", to_ss, export_linear, NULL},
    {"vtu", ".vtu", NULL, export_modes, results_to_vtu},
    {"pvd", ".pvd", NULL, model_to_pvd, results_to_pvd},
    {"sid", ".SID_FEM", NULL, export_sid, NULL},
    {"fmu", ".fmu", NULL, export_fmu, NULL},
    {"c", ".code", NULL, export_c, NULL},
};
enum { NFORMATS = sizeof formats / sizeof formats[0] };

static int find_format(export_job *job, const char *name) {
    for (int i = 0; i < NFORMATS; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            job->to = &formats[i];
            return -1;
        }
    }
    return complain(
        "export: --to needs one of h5, mtx, op4, op4_text, dmig, mat, ss, vtu, pvd, sid, "
        "fmu, c, not '%s'",
        name);
}

/* An existing file may be replaced by the same kind only. Folders are checked when written. */
static int check_target(const export_job *job) {
    const char *name = job->to->name;
    struct stat st;
    if (strcmp(name, "mtx") == 0 || strcmp(name, "c") == 0 ||
        (strcmp(name, "ss") == 0 && !ends_in(job->output, ".mat"))) {
        return stat(job->output, &st) == 0 && !S_ISDIR(st.st_mode)
                   ? complain("%s: exists and is not a folder; choose another name", job->output)
                   : EXIT_DONE;
    }
    if (strcmp(name, "h5") == 0) {
        return check_file(job->ctx, job->output, GOS_OUTPUT_LINEAR);
    }
    if (strcmp(name, "sid") == 0) {
        return check_output(job->output, "", GOS_SID_MADE, "a SID_FEM file of this program");
    }
    if (job->to->of_linear == to_op4 || job->to->of_linear == to_op4_text ||
        job->to->of_linear == to_dmig) { // without a mark
        return stat(job->output, &st) != 0 || st.st_size == 0
                   ? EXIT_DONE
                   : complain("%s: exists; remove it, or choose another name", job->output);
    }
    if (strcmp(name, "fmu") == 0) {
        struct stat there;
        return stat(job->output, &there) != 0 || there.st_size == 0 || gos_fmu_exists(job->output)
                   ? EXIT_DONE
                   : complain("%s: exists and is not an FMU of this program; choose another name",
                              job->output);
    }
    return strcmp(name, "vtu") == 0 || strcmp(name, "pvd") == 0
               ? check_output(job->output, "<?xml", GOS_MADE, "a VTK file of this program")
               : check_output(job->output, MAT_MAGIC, "written by gossamer",
                              "a MAT-file of this program");
}

static int export(export_job *job) {
    if (job->output == NULL) {
        job->chosen = name_output(job->path, job->to->ending);
        job->output = job->chosen;
    }
    if (job->output == NULL) {
        return EXIT_FAILED;
    }
    int code = check_input(job->output, job->path);
    if (code == EXIT_DONE) {
        code = check_target(job);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    if (is_hdf5(job->path) && !is_linear(job->path) && !gos_rom_exists(job->path)) {
        return job->to->of_results != NULL
                   ? export_results(job)
                   : complain("%s: results can be exported to vtu, pvd or mat", job->path);
    }
    if (is_linear(job->path) && job->to->of_model == export_fmu && !job->step.step_given) {
        return complain(
            "%s: an FMU needs a model, or a fixed step (--step); include these matrices in a model "
            "as a body of type matrices",
            job->path);
    }
    if (is_linear(job->path) && job->to->of_linear == NULL && !job->step.step_given &&
        job->to->of_model != export_c) {
        return complain("%s: a linear model has no geometry to draw; use the model it was made "
                        "from",
                        job->path);
    }
    if ((job->body != NULL || job->nodes != NULL) && job->to->of_model != export_sid) {
        return complain("export: --body and --nodes require --to sid");
    }
    return job->to->of_model(job);
}

/* Options of other formats. @return -1 to continue, or the exit code */
static int check_options(const export_job *job) {
    const bool unit = job->to->of_model == export_fmu, source = job->to->of_model == export_c;
    if (!unit && (job->version_given || job->kind != NULL || job->reduced || job->tunable.n > 0 ||
                  job->accept || job->uncompared)) {
        return complain("export: --version, --kind, --reduced, --no-compare, --accept and "
                        "--tunable require --to fmu");
    }
    if ((!source && job->step.inputs != NULL) || (!source && !unit && job->step.step_given)) {
        return complain("export: --step requires --to c or fmu, --inputs requires --to c");
    }
    return job->step.compare && !job->step.step_given
               ? complain("export: --compare requires --step")
               : -1;
}

int command_export(int argc, char **argv) {
    export_job job = {.n = 10, .version = 2};
    const char *to = NULL;
    text_list rest = {0};
    const option options[] = {{"--to", OPTION_TEXT, &to, NULL},
                              {"-o", OPTION_TEXT, &job.output, NULL},
                              {"-n", OPTION_COUNT, &job.n, &job.n_given},
                              {"--equilibrium", OPTION_FLAG, &job.where.equilibrium, NULL},
                              {"--spin", OPTION_TEXT, &job.where.spin, &job.where.spin_given},
                              {"--at", OPTION_NUMBER, &job.where.at, &job.where.at_given},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--body", OPTION_TEXT, &job.body, NULL},
                              {"--nodes", OPTION_TEXT, &job.nodes, NULL},
                              {"--version", OPTION_COUNT, &job.version, &job.version_given},
                              {"--kind", OPTION_TEXT, &job.kind, NULL},
                              {"--reduced", OPTION_FLAG, &job.reduced, NULL},
                              {"--tunable", OPTION_LIST, &job.tunable, NULL},
                              {"--no-compare", OPTION_FLAG, &job.uncompared, NULL},
                              {"--accept", OPTION_FLAG, &job.accept, NULL},
                              {"--step", OPTION_NUMBER, &job.step.step, &job.step.step_given},
                              {"--compare", OPTION_FLAG, &job.step.compare, NULL},
                              {"--inputs", OPTION_TEXT, &job.step.inputs, NULL},
                              {"--threads", OPTION_COUNT, &threads_wanted, NULL},
                              {0}};
    int code = parse_arguments("export", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        code = check_linear_point("export", &job.where);
    }
    if (code < 0) {
        code = to != NULL ? find_format(&job, to)
                          : complain("export: --to FORMAT is missing; see gossamer export --help");
    }
    code = code < 0 ? check_options(&job) : code;
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path = rest.v[0];
        watch_progress(job.ctx, false);
        code = job.ctx != NULL ? export(&job) : EXIT_FAILED;
        end_progress();
        show_messages(job.ctx, 0);
        if (code == EXIT_DONE) {
            (void)printf("done: %s\n", plain(job.output));
        }
    }
    gos_ctx_destroy(job.ctx);
    free(job.chosen);
    free_list(&job.settings);
    free_list(&job.tunable);
    free_list(&rest);
    return code;
}
