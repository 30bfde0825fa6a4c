/* gossamer modes: computes the lowest modes of a model linearised about a state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct modes_job {
    gos_ctx *ctx;
    int n;
    gos_root *root; // (n) of first-order states, or of a model of first order
    int nroot;
    gos_linear_info info; // of the model
    bool damped, gyroscopic, as_json, buckling, n_given;
    const char *scaled; // entries to be scaled, NULL: default
    linear_point where;
    unit_names in;
} modes_job;

/* a unit in a heading; "" if the units are unknown */
static const char *unit_of(const modes_job *job, const char *unit) {
    return job->in.mass[0] != '\0' ? unit : "";
}

/* description of a rigid or free mode, printed after its line */
static const char *name_of(const gos_mode *mode, char buf[80]) {
    buf[0] = buf[1] = ' ';
    gos_mode_name(mode, buf + 2, 78);
    return buf[2] != '\0' ? buf : "";
}

/* 0 below rounding */
static double rest_of(double all, double part) {
    const double rest = all - part;
    return fabs(rest) > 1e-12 * all ? rest : 0;
}

/* effective masses of the modes, if the rigid motions are known */
static void print_sums(const modes_job *job, const gos_mode *mode, int n) {
    const gos_linear_info *info = &job->info;
    double mass[3] = {0}, inertia[3] = {0};
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++) {
            mass[c] += mode[i].mass[c];
            inertia[c] += mode[i].inertia[c];
        }
    }
    if (!(info->mass > 0)) {
        return;
    }
    const double *all = info->inertia;
    (void)printf("effective mass x, y, z of these modes: %.4g %.4g %.4g of %.4g%s%s\n", mass[0],
                 mass[1], mass[2], info->mass, unit_of(job, " "), job->in.mass);
    (void)printf("residual mass of further modes and of supports: %.4g %.4g %.4g%s%s\n",
                 rest_of(info->mass, mass[0]), rest_of(info->mass, mass[1]),
                 rest_of(info->mass, mass[2]), unit_of(job, " "), job->in.mass);
    (void)printf("effective inertia about x, y, z through the centre of mass: %.4g %.4g %.4g of "
                 "%.4g %.4g %.4g%s%s%s%s%s\n",
                 inertia[0], inertia[1], inertia[2], all[0], all[1], all[2], unit_of(job, " "),
                 job->in.mass, unit_of(job, " "), job->in.length, unit_of(job, "^2"));
}

/* roots of temperatures and other first-order states, or of a model of first order */
static void print_roots(const modes_job *job) {
    if (job->nroot == 0) {
        return;
    }
    if (job->info.coordinates > 0) {
        (void)puts("eigenvalues of first-order states: temperatures, controllers, shunts, wheels");
    }
    (void)puts(job->in.mass[0] != '\0'
                   ? "root      real [1/s]  imaginary [1/s]  time constant [s]  frequency [Hz]"
                   : "root            real        imaginary      time constant       frequency");
    for (int i = 0; i < job->nroot; i++) {
        const gos_root *s = &job->root[i];
        (void)printf("%4d  %14.7g  %15.7g  ", i + 1, s->re, s->im);
        if (s->re < 0) {
            (void)printf("%17.7g", 0 - 1 / s->re);
        } else {
            (void)printf("%17s", "-");
        }
        (void)printf("  %14.7g\n", s->im / (2 * M_PI));
    }
}

static void print_modes(const modes_job *job, const gos_mode *mode, int n,
                        const gos_mode_proof *proof) {
    char name[80];
    if (job->info.coordinates == 0) {
        print_roots(job);
        return;
    }
    if (job->damped || job->gyroscopic) {
        (void)puts(job->in.mass[0] != '\0'
                       ? "mode  frequency [Hz]  damping ratio    real [1/s]  imaginary [1/s]"
                       : "mode       frequency  damping ratio          real        imaginary");
        for (int i = 0; i < n; i++) {
            (void)printf("%4d  %14.7g  %13.6g  %12.5g  %15.7g%s%s\n", i + 1, mode[i].frequency,
                         mode[i].damping, mode[i].re, mode[i].im, name_of(&mode[i], name),
                         mode[i].whirl > 0   ? "  forward"
                         : mode[i].whirl < 0 ? "  backward"
                                             : "");
        }
        print_roots(job);
        return;
    }
    if (!proof->computed) { // unsymmetric stiffness (follower loads): no shapes and masses
        (void)puts(job->in.mass[0] != '\0' ? "mode  frequency [Hz]  omega [rad/s]"
                                           : "mode       frequency          omega");
        for (int i = 0; i < n; i++) {
            (void)printf("%4d  %14.7g  %13.7g%s\n", i + 1, mode[i].frequency, mode[i].omega,
                         name_of(&mode[i], name));
        }
        (void)printf(
            "effective masses and residuals are unknown: the stiffness is not symmetric\n");
        return;
    }
    if (job->in.mass[0] != '\0') {
        (void)printf("mode  frequency [Hz]  omega [rad/s]  effective mass x, y, z [%s]%*s\n",
                     job->in.mass, 15 - (int)strlen(job->in.mass), "residual");
    } else {
        (void)puts("mode       frequency          omega  effective mass x, y, z          residual");
    }
    for (int i = 0; i < n; i++) {
        (void)printf("%4d  %14.7g  %13.7g  %10.4g %10.4g %10.4g  %8.1e%s\n", i + 1,
                     mode[i].frequency, mode[i].omega, mode[i].mass[0], mode[i].mass[1],
                     mode[i].mass[2], mode[i].residual, name_of(&mode[i], name));
    }
    print_sums(job, mode, n);
    if (proof->frequency > 0) {
        (void)printf("%d modes below %.4g%s, %d counted\n", proof->found, proof->frequency,
                     unit_of(job, " Hz"), proof->counted);
    }
}

static void json_roots(json *j, const modes_job *job) {
    json_open(j, "roots", '[');
    for (int i = 0; i < job->nroot; i++) {
        json_open(j, NULL, '{');
        json_number(j, "re", job->root[i].re);
        json_number(j, "im", job->root[i].im);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void json_axes(json *j, const char *name, const double value[3]) {
    static const char *const axis[] = {"x", "y", "z"};
    json_open(j, name, '{');
    for (int c = 0; c < 3; c++) {
        json_number(j, axis[c], value[c]);
    }
    json_close(j, '}');
}

static void json_modes(const modes_job *job, const gos_mode *mode, int n,
                       const gos_mode_proof *proof) {
    char name[80];
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_bool(&j, "damped", job->damped);
    json_open(&j, "modes", '[');
    for (int i = 0; i < n; i++) {
        json_open(&j, NULL, '{');
        json_number(&j, "frequency", mode[i].frequency);
        json_number(&j, "omega", mode[i].omega);
        json_bool(&j, "rigid", mode[i].rigid);
        gos_mode_name(&mode[i], name, sizeof name);
        json_text(&j, "name", name);
        if (job->damped || job->gyroscopic) {
            json_number(&j, "damping", mode[i].damping);
            json_number(&j, "re", mode[i].re);
            json_number(&j, "im", mode[i].im);
            json_number(&j, "whirl", mode[i].whirl);
        } else if (proof->computed) {
            json_axes(&j, "effective_mass", mode[i].mass);
            json_axes(&j, "effective_inertia", mode[i].inertia);
            json_number(&j, "residual", mode[i].residual);
        }
        json_close(&j, '}');
    }
    json_close(&j, ']');
    if (job->damped || job->info.coordinates == 0) {
        json_roots(&j, job);
    }
    if (job->info.mass > 0) {
        double rest[3];
        for (int c = 0; c < 3; c++) {
            rest[c] = job->info.mass;
            for (int i = 0; i < n && proof->computed; i++) {
                rest[c] -= mode[i].mass[c];
            }
        }
        json_number(&j, "mass", job->info.mass);
        if (proof->computed) {
            json_axes(&j, "residual_mass", rest);
        }
        json_axes(&j, "inertia", job->info.inertia);
    }
    if (proof->frequency > 0) {
        json_open(&j, "proof", '{');
        json_number(&j, "below", proof->frequency);
        json_number(&j, "found", proof->found);
        json_number(&j, "counted", proof->counted);
        json_close(&j, '}');
    }
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

static int modes(modes_job *job, const char *path, const text_list *settings) {
    gos_linear *linear = NULL;
    int found = 0;
    gos_mode_proof proof = {0};
    gos_mode *mode = calloc(job->n, sizeof *mode);
    job->root = calloc(job->n, sizeof *job->root);
    watch_progress(job->ctx, false);
    int code = mode == NULL || job->root == NULL
                   ? EXIT_FAILED
                   : load_linear(job->ctx, path, settings, &job->where, &linear);
    if (code == EXIT_DONE) {
        gos_linear_info_get(linear, &job->info);
        name_units(path, gos_linear_units(linear), &job->in);
        job->gyroscopic = job->info.gyroscopic;
        // a model of first order has roots only
        const bool roots = job->damped || job->info.coordinates == 0;
        const gos_status status =
            roots ? gos_linear_coupled_modes(job->ctx, linear, job->n, mode, &found, job->n,
                                             job->root, &job->nroot)
                  : gos_linear_modes_verified(job->ctx, linear, job->n, mode, &found, &proof);
        code = exit_code(status, false);
    }
    end_progress();
    if (!job->as_json || code != EXIT_DONE) {
        show_messages(job->ctx, 0);
    }
    if (code == EXIT_DONE) {
        (job->as_json ? json_modes : print_modes)(job, mode, found, &proof);
        if (!job->as_json && (job->damped || job->gyroscopic)) {
            print_notes(job->ctx);
        }
    }
    free(mode);
    free(job->root);
    gos_linear_destroy(linear);
    return code;
}

static int count_colons(const char *text) {
    int n = 0;
    for (; *text != '\0'; text++) {
        n += *text == ':';
    }
    return n;
}

/* @return -1 to continue, or the exit code to end with */
static int check_buckling(const modes_job *job) {
    if (!job->buckling) {
        return job->scaled == NULL ? -1 : complain("modes: --scale needs --buckling");
    }
    return job->damped || job->where.equilibrium || job->where.spin_given
               ? complain("modes: --buckling cannot be combined with --damped, --equilibrium or "
                          "--spin")
               : -1;
}

int command_modes(int argc, char **argv) {
    modes_job job = {.n = 10};
    const char *units_wanted = NULL;
    text_list rest = {0}, settings = {0};
    const option options[] = {{"-n", OPTION_COUNT, &job.n, &job.n_given},
                              {"--damped", OPTION_FLAG, &job.damped, NULL},
                              {"--equilibrium", OPTION_FLAG, &job.where.equilibrium, NULL},
                              {"--spin", OPTION_TEXT, &job.where.spin, &job.where.spin_given},
                              {"--at", OPTION_NUMBER, &job.where.at, &job.where.at_given},
                              {"--buckling", OPTION_FLAG, &job.buckling, NULL},
                              {"--scale", OPTION_TEXT, &job.scaled, NULL},
                              {"--set", OPTION_LIST, &settings, NULL},
                              {"--units", OPTION_TEXT, &units_wanted, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {"--threads", OPTION_COUNT, &threads_wanted, NULL},
                              {"--solver", OPTION_TEXT, &solver_wanted, NULL},
                              {"--ranks", OPTION_COUNT, &ranks_wanted, NULL},
                              {0}};
    int code = parse_arguments("modes", argc, argv, options, &rest, 1, 1);
    const bool range = job.where.spin_given && count_colons(job.where.spin) == 2;
    if (code < 0 && !range) {
        code = check_linear_point("modes", &job.where);
    }
    if (code < 0 && range && (job.damped || job.where.equilibrium || job.where.at_given)) {
        code = complain("modes: --spin AXIS:FROM:TO cannot be combined with --damped, "
                        "--equilibrium or --at");
    }
    if (code < 0) {
        code = check_buckling(&job);
    }
    if (code < 0) {
        const int known = find_units(rest.v[0], units_wanted, &job.in);
        code = known == EXIT_DONE ? code : known;
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.where.open_loops = !job.damped;
        const buckling_wish wish = {.path = rest.v[0],
                                    .settings = &settings,
                                    .scaled = job.scaled,
                                    .time = job.where.at,
                                    .time_given = job.where.at_given,
                                    .n = job.n,
                                    .n_given = job.n_given,
                                    .as_json = job.as_json};
        const campbell_wish over = {.path = rest.v[0],
                                    .spin = job.where.spin,
                                    .settings = &settings,
                                    .n = job.n,
                                    .as_json = job.as_json};
        code = job.ctx == NULL ? EXIT_FAILED
               : job.buckling  ? show_buckling(job.ctx, &wish)
               : range         ? show_campbell(job.ctx, &over)
                               : modes(&job, rest.v[0], &settings);
    }
    gos_ctx_destroy(job.ctx);
    free_list(&settings);
    free_list(&rest);
    return code;
}
