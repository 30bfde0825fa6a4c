/* gossamer export --to c, and --to fmu --step: linear models of fixed step. */
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

/* A nonlinear model becomes C source only about a state that the user has given. */
static int check_exact(gos_ctx *ctx, const char *path, const linear_point *where,
                       const gos_system *sys) {
    if (where->equilibrium || where->spin_given || where->at_given || gos_system_linear(sys)) {
        return EXIT_DONE;
    }
    const int code = exit_code(gos_system_check_linear(ctx, sys), true);
    return code == EXIT_DONE
               ? code
               : complain(
                     "%s: nonlinear equations are not exported with a fixed step. For the model "
                     "linearised about a state add --equilibrium, --spin AXIS:RATE, or --at T "
                     "(--at 0: the initial state)",
                     plain(path));
}

static int load_exact(gos_ctx *ctx, const char *path, const text_list *settings,
                      const linear_point *where, bool compare, gos_linear **linear) {
    if (is_linear(path) && compare) {
        return complain("%s: a linear model has no run to --compare with", plain(path));
    }
    if (compare && where->spin_given) {
        return complain("export: --compare does not apply to --spin, whose axes rotate");
    }
    if (is_linear(path)) {
        return load_linear(ctx, path, settings, where, linear);
    }
    point p;
    int code = load_point(ctx, path, settings, where, &p);
    code = code == EXIT_DONE ? check_exact(ctx, path, where, p.sys) : code;
    code = code == EXIT_DONE ? make_linear(ctx, p.sys, where, p.state, linear) : code;
    code = code == EXIT_DONE && compare ? compare_with_run(ctx, &p, *linear) : code;
    free_point(&p);
    return code;
}

typedef enum target { TO_SOURCE, TO_UNIT } target;

static int export_step(gos_ctx *ctx, const char *path, const text_list *settings,
                       const linear_point *where, const step_wish *wish, target to,
                       const char *output) {
    gos_linear *linear = NULL;
    gos_step_report report;
    char note[256];
    gos_step_options o = {.step = wish->step, .note = note};
    if (!wish->step_given || !(wish->step > 0)) {
        return complain("export: a time step > 0 s is needed, for example --step 1e-3");
    }
    if (wish->inputs != NULL && strcmp(wish->inputs, "held") != 0 &&
        strcmp(wish->inputs, "linear") != 0) {
        return complain("export: --inputs needs held or linear, not '%s'", wish->inputs);
    }
    o.linear_inputs = wish->inputs != NULL && wish->inputs[0] == 'l';
    describe_point(path, where, note, sizeof note);
    int code = load_exact(ctx, path, settings, where, wish->compare, &linear);
    if (code == EXIT_DONE) {
        code =
            exit_code(to == TO_UNIT ? gos_linear_export_fmu(ctx, linear, &o, NULL, output, &report)
                                    : gos_linear_write_c(ctx, linear, &o, output, &report),
                      false);
    }
    end_progress();
    if (code == EXIT_DONE) {
        show_step_model(&report, &o);
    }
    gos_linear_destroy(linear);
    return code;
}

int export_step_model(gos_ctx *ctx, const char *path, const text_list *settings,
                      const linear_point *where, const step_wish *wish, const char *output) {
    return export_step(ctx, path, settings, where, wish, TO_SOURCE, output);
}

int export_step_unit(gos_ctx *ctx, const char *path, const text_list *settings,
                     const linear_point *where, const step_wish *wish, const char *output) {
    return export_step(ctx, path, settings, where, wish, TO_UNIT, output);
}
