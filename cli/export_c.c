/* gossamer export --to c, and --to fmu --step: models of fixed step. */
#include <string.h>

#include "cli.h"

static const char *held_or_linear(bool linear) {
    return linear ? "linear" : "held";
}

/* The frequency belongs to the hold alone; the recursion is exact. */
static void show_step_model(const gos_step_report *r, const gos_step_options *o) {
    (void)fprintf(stderr,
                  "gossamer: %d states, %d inputs, %d outputs; %ld multiplications a step, %.3g kB "
                  "of constants\n",
                  r->states, r->inputs, r->outputs, r->products, (double)r->bytes / 1000);
    (void)fprintf(stderr,
                  "gossamer: exact for inputs that are %s during a step; against half the step the "
                  "largest difference is %.2g of a probe's largest value\n",
                  held_or_linear(o->linear_inputs), r->rounding);
    (void)fprintf(stderr,
                  "gossamer: sinusoidal inputs up to %.3g Hz are reproduced within 1 %%%s\n",
                  r->one_percent, o->linear_inputs ? "" : " (held inputs act half a step late)");
}

/* Lines for the header of the source. */
static void describe_point(const char *path, const linear_point *where, char *text, size_t size) {
    const char *name = strrchr(path, '/');
    char at[64] = "";
    if (where->at_given) {
        (void)snprintf(at, sizeof at, ", linearised at t = %g s", where->at);
    }
    (void)snprintf(text, size, "Model: %s%s%s%s", plain(name != NULL ? name + 1 : path), at,
                   where->equilibrium ? ", linearised about the static equilibrium" : "",
                   where->spin_given ? ", linearised about a steady rotation" : "");
}

/* Without a state of linearisation nonlinear equations are kept. */
static bool keeps_equations(const linear_point *where, const gos_system *sys) {
    gos_ctx *quiet = gos_ctx_create();
    const bool linear = gos_system_linear(sys) || gos_system_check_linear(quiet, sys) == GOS_OK;
    gos_ctx_destroy(quiet);
    return !linear && !where->equilibrium && !where->spin_given && !where->at_given;
}

static int load_exact(gos_ctx *ctx, const point *p, const linear_point *where, bool compare,
                      gos_linear **linear) {
    int code = make_linear(ctx, p->sys, where, p->state, linear);
    return code == EXIT_DONE && compare ? compare_with_run(ctx, p, *linear) : code;
}

static int check_comparison(const char *path, const linear_point *where, bool compare) {
    if (is_linear(path) && compare) {
        return complain("%s: a linear model has no run to --compare with", plain(path));
    }
    return compare && where->spin_given
               ? complain("export: --compare does not apply to --spin, whose axes rotate")
               : EXIT_DONE;
}

typedef enum target { TO_SOURCE, TO_UNIT } target;

typedef struct step_job {
    gos_ctx *ctx;
    const char *path, *output;
    const linear_point *where;
    const step_wish *wish;
    target to;
    gos_step_options o;
} step_job;

static int write_linear(const step_job *job, const gos_linear *linear) {
    gos_step_report report;
    const int code =
        exit_code(job->to == TO_UNIT
                      ? gos_linear_export_fmu(job->ctx, linear, &job->o, NULL, job->output, &report)
                      : gos_linear_write_c(job->ctx, linear, &job->o, job->output, &report),
                  false);
    end_progress();
    if (code == EXIT_DONE) {
        show_step_model(&report, &job->o);
    }
    return code;
}

static int write_nonlinear(const step_job *job, const point *p) {
    gos_step_report r;
    gos_step_options o = job->o;
    o.compare = job->wish->compare;
    if (job->to == TO_UNIT) {
        return complain("%s: units of fixed step are linear; add --equilibrium, --spin AXIS:RATE, "
                        "or --at T (--at 0: the initial state), or export C source (--to c)",
                        plain(job->path));
    }
    const gos_status status = gos_system_write_c(job->ctx, p->sys, p->state, &o, job->output, &r);
    end_progress();
    if (status == GOS_E_INPUT) {
        return complain("%s: not exported with a fixed step (reason below). For the model "
                        "linearised about a state add --equilibrium, --spin AXIS:RATE, or --at T "
                        "(--at 0: the initial state)",
                        plain(job->path));
    }
    if (status != GOS_OK) {
        return exit_code(status, false);
    }
    (void)fprintf(stderr,
                  "gossamer: nonlinear, %d states, %d inputs, %d outputs; about %ld "
                  "multiplications a step, %.3g kB of constants\n",
                  r.states, r.inputs, r.outputs, r.products, (double)r.bytes / 1000);
    if (o.compare) {
        (void)fprintf(stderr,
                      "gossamer: a run of the model with its own loads and error control differs "
                      "by at most %.2g of the largest change%s%s\n",
                      r.run_error, r.run_output >= 0 ? ": " : "", plain(r.run_output_name));
    }
    return EXIT_DONE;
}

static int write_model(const step_job *job, const text_list *settings) {
    gos_linear *linear = NULL;
    int code = EXIT_DONE;
    if (is_linear(job->path)) {
        code = load_linear(job->ctx, job->path, settings, job->where, &linear);
        code = code == EXIT_DONE ? write_linear(job, linear) : code;
    } else {
        point p;
        code = load_point(job->ctx, job->path, settings, job->where, &p);
        if (code == EXIT_DONE && keeps_equations(job->where, p.sys)) {
            code = write_nonlinear(job, &p);
        } else if (code == EXIT_DONE) {
            code = load_exact(job->ctx, &p, job->where, job->wish->compare, &linear);
            code = code == EXIT_DONE ? write_linear(job, linear) : code;
        }
        free_point(&p);
    }
    gos_linear_destroy(linear);
    return code;
}

static int export_step(gos_ctx *ctx, const char *path, const text_list *settings,
                       const linear_point *where, const step_wish *wish, target to,
                       const char *output) {
    char note[256];
    if (!wish->step_given || !(wish->step > 0)) {
        return complain("export: a time step > 0 s is needed, for example --step 1e-3");
    }
    if (wish->inputs != NULL && strcmp(wish->inputs, "held") != 0 &&
        strcmp(wish->inputs, "linear") != 0) {
        return complain("export: --inputs needs held or linear, not '%s'", wish->inputs);
    }
    describe_point(path, where, note, sizeof note);
    const step_job job = {.ctx = ctx,
                          .path = path,
                          .output = output,
                          .where = where,
                          .wish = wish,
                          .to = to,
                          .o = {.step = wish->step,
                                .note = note,
                                .linear_inputs = wish->inputs != NULL && wish->inputs[0] == 'l'}};
    const int code = check_comparison(path, where, wish->compare);
    return code == EXIT_DONE ? write_model(&job, settings) : code;
}

int export_step_model(gos_ctx *ctx, const char *path, const text_list *settings,
                      const linear_point *where, const step_wish *wish, const char *output) {
    return export_step(ctx, path, settings, where, wish, TO_SOURCE, output);
}

int export_step_unit(gos_ctx *ctx, const char *path, const text_list *settings,
                     const linear_point *where, const step_wish *wish, const char *output) {
    return export_step(ctx, path, settings, where, wish, TO_UNIT, output);
}
