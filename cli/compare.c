/* gossamer compare: differences in results and speed of two runs. */
#include <math.h>
#include <string.h>

#include "cli.h"

typedef struct compare_job {
    gos_ctx *ctx;
    const char *path[2];
    gos_results *run[2];
    const char *history; // output file of differences over time; NULL: none
    bool as_json, tol_given;
    double tol;
    linear_comparison linear; // of linear models
} compare_job;

/* A relative error as text; "-" if the scale is 0. */
static const char *relative(double error, double scale, char buf[32]) {
    if (scale > 0 && isfinite(error)) {
        (void)snprintf(buf, 32, "%.3e", error / scale);
    } else {
        (void)snprintf(buf, 32, error == 0 ? "0" : "-");
    }
    return buf;
}

static void print_run(const char *what, const char *path, gos_results *run) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    (void)printf("%-10s %s: %s, %s, %d unknowns, %ld steps%s%s\n", what, plain(path),
                 plain(info.name), info.sizes.reduced ? "reduced" : "full",
                 info.sizes.coordinates + info.sizes.temperatures, info.statistics.steps,
                 info.complete ? "" : ", ", info.complete ? "" : plain(info.status));
}

static void print_row(const char *name, const char *unit, double value, double rms, double scale,
                      double time) {
    char label[128], a[32], b[32];
    (void)snprintf(label, sizeof label, "%s [%s]", plain(name), plain(unit));
    (void)printf("%-34s %10.3e %10s %10.3e %10s   %.6g s\n", label, value,
                 relative(value, scale, a), rms, relative(rms, scale, b), time);
}

static void print_worst(const char *unit, const gos_field_error *e) {
    char label[64], a[32];
    (void)snprintf(label, sizeof label, "  worst node, %d [%s]", e->worst_node, unit);
    (void)printf("%-34s %10.3e %10s %10s %10s   %.6g s\n", label, e->worst,
                 relative(e->worst, e->scale, a), "", "", e->worst_time);
}

static void print_speed(const gos_comparison *c) {
    char a[32], b[32], sa[32], sb[32];
    const double all_a = c->time_a + c->setup_a, all_b = c->time_b + c->setup_b;
    (void)printf("\ntotal      %s against %s", duration(all_a, a), duration(all_b, b));
    if (all_a > 0 && all_b > 0) {
        (void)printf(": ratio %.3g", all_a / all_b);
    }
    (void)printf("\nsolve      %s against %s", duration(c->time_a, a), duration(c->time_b, b));
    if (c->time_a > 0 && c->time_b > 0) {
        (void)printf(": ratio %.3g", c->time_a / c->time_b);
    }
    (void)printf(" (preparation: %s, %s)\n", duration(c->setup_a, sa), duration(c->setup_b, sb));
    if (all_b > all_a && c->time_b < c->time_a) {
        const double runs = ceil((c->setup_b - c->setup_a) / (c->time_a - c->time_b));
        (void)printf("           its preparation is worthwhile for %.0f or more runs\n", runs);
    }
}

static void print_warnings(gos_results *run) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    if (info.warning_count > 0) {
        (void)printf("           %ld warning%s:\n", info.warning_count,
                     info.warning_count == 1 ? "" : "s");
        print_lines(stdout, info.warnings);
    }
}

static void print_comparison(const compare_job *job, const gos_comparison *c) {
    gos_results_info info;
    char m[UNIT_NAME];
    gos_results_info_get(job->run[0], &info);
    gos_unit_name(info.units, "m", m, sizeof m);
    print_run("reference", job->path[0], job->run[0]);
    print_warnings(job->run[0]);
    print_run("compared", job->path[1], job->run[1]);
    print_warnings(job->run[1]);
    (void)printf("times      %.6g to %.6g s\n\n", c->from, c->to);
    if (!c->same_mesh) {
        (void)puts("the meshes differ: only probes are compared");
    }
    (void)printf("%-34s %10s %10s %10s %10s   %s\n", "error", "max", "relative", "RMS", "relative",
                 "max at");
    if (c->same_mesh) {
        print_row("position", m, c->position.max, c->position.rms, c->position.scale,
                  c->position.max_time);
        print_worst(m, &c->position);
    }
    if (c->thermal) {
        print_row("temperature", "K", c->temperature.max, c->temperature.rms, c->temperature.scale,
                  c->temperature.max_time);
        print_worst("K", &c->temperature);
    }
    for (int i = 0; i < c->nprobes; i++) {
        const gos_probe_error *e = &c->probe[i];
        char name[160];
        (void)snprintf(name, sizeof name, "%s%s%s", e->name, e->component != NULL ? "." : "",
                       e->component != NULL ? e->component : "");
        print_row(name, e->unit, e->max, e->rms, e->scale, e->max_time);
    }
    print_speed(c);
}

static void json_field(json *j, const char *name, const gos_field_error *e) {
    json_open(j, name, '{');
    json_number(j, "max", e->max);
    json_number(j, "max_time", e->max_time);
    json_number(j, "rms", e->rms);
    json_number(j, "worst", e->worst);
    json_number(j, "worst_node", e->worst_node);
    json_number(j, "worst_time", e->worst_time);
    json_number(j, "scale", e->scale);
    json_number(j, "max_relative", e->max / e->scale);
    json_number(j, "rms_relative", e->rms / e->scale);
    json_number(j, "worst_relative", e->worst / e->scale);
    json_close(j, '}');
}

static void json_warnings(json *j, const char *name, gos_results *run) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    json_text(j, name, info.warnings);
}

static void json_comparison(const compare_job *job, const gos_comparison *c) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "reference", job->path[0]);
    json_text(&j, "compared", job->path[1]);
    json_bool(&j, "same_mesh", c->same_mesh);
    json_number(&j, "from", c->from);
    json_number(&j, "to", c->to);
    if (c->same_mesh) {
        json_field(&j, "position", &c->position);
    }
    if (c->thermal) {
        json_field(&j, "temperature", &c->temperature);
    }
    json_open(&j, "probes", '[');
    for (int i = 0; i < c->nprobes; i++) {
        const gos_probe_error *e = &c->probe[i];
        json_open(&j, NULL, '{');
        json_text(&j, "name", e->name);
        json_text(&j, "component", e->component);
        json_text(&j, "unit", e->unit);
        json_number(&j, "max", e->max);
        json_number(&j, "max_time", e->max_time);
        json_number(&j, "rms", e->rms);
        json_number(&j, "scale", e->scale);
        json_number(&j, "max_relative", e->max / e->scale);
        json_number(&j, "rms_relative", e->rms / e->scale);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_number(&j, "worst_relative", gos_comparison_worst(c));
    json_number(&j, "solve_time_reference", c->time_a);
    json_number(&j, "solve_time_compared", c->time_b);
    json_number(&j, "solve_time_ratio", c->time_a / c->time_b);
    json_number(&j, "setup_time_reference", c->setup_a);
    json_number(&j, "setup_time_compared", c->setup_b);
    json_number(&j, "total_time_reference", c->time_a + c->setup_a);
    json_number(&j, "total_time_compared", c->time_b + c->setup_b);
    json_number(&j, "total_time_ratio", (c->time_a + c->setup_a) / (c->time_b + c->setup_b));
    json_warnings(&j, "reference_warnings", job->run[0]);
    json_warnings(&j, "compared_warnings", job->run[1]);
    json_messages(&j, job->ctx);
    json_close(&j, '}');
}

static int within_limit(const compare_job *job, double worst) {
    if (!job->tol_given || worst <= job->tol) {
        return EXIT_DONE;
    }
    (void)complain("the largest relative error, %.3g, exceeds the tolerance, %g", worst, job->tol);
    return EXIT_EXCEEDED;
}

static int compare(compare_job *job) {
    gos_comparison c = {0};
    gos_status status = GOS_OK;
    for (int i = 0; i < 2 && status == GOS_OK; i++) {
        status = gos_results_open(job->ctx, job->path[i], &job->run[i]);
    }
    if (status == GOS_OK) {
        status = gos_compare(job->ctx, job->run[0], job->run[1], &c);
    }
    if (!job->as_json || status != GOS_OK) {
        show_messages(job->ctx, 0);
    }
    int code = exit_code(status, true);
    if (code == EXIT_DONE) {
        (job->as_json ? json_comparison : print_comparison)(job, &c);
        if (job->history != NULL) {
            const int before = gos_ctx_ndiag(job->ctx);
            gos_results_info info;
            gos_results_info_get(job->run[0], &info);
            code = write_history(job->ctx, &c, info.units, job->history);
            show_messages(job->ctx, before);
        }
        const int limit = within_limit(job, gos_comparison_worst(&c));
        code = code == EXIT_DONE ? limit : code;
        gos_comparison_free(job->ctx, &c);
    }
    gos_results_close(job->run[0]);
    gos_results_close(job->run[1]);
    return code;
}

static int compare_any(compare_job *job) {
    double worst = 0;
    if (!compares_linear(job->path)) {
        if (job->linear.band != NULL || job->linear.over != 0) {
            return complain("compare: --band and --over are for linear models, not for runs");
        }
        const int code = job->history != NULL ? check_history(job->history) : EXIT_DONE;
        return code == EXIT_DONE ? compare(job) : code;
    }
    if (job->history != NULL) {
        return complain("compare: -o is for runs; gossamer response -o and gossamer report draw "
                        "responses of models");
    }
    job->linear.as_json = job->as_json;
    const int code = compare_linear(job->ctx, job->path, &job->linear, &worst);
    return code == EXIT_DONE ? within_limit(job, worst) : code;
}

int command_compare(int argc, char **argv) {
    compare_job job = {0};
    text_list rest = {0};
    bool over_given = false;
    const option options[] = {{"--tol", OPTION_NUMBER, &job.tol, &job.tol_given},
                              {"--band", OPTION_TEXT, &job.linear.band, NULL},
                              {"--over", OPTION_NUMBER, &job.linear.over, &over_given},
                              {"--points", OPTION_COUNT, &job.linear.points, NULL},
                              {"-o", OPTION_TEXT, &job.history, NULL},
                              {"--json", OPTION_FLAG, &job.as_json, NULL},
                              {0}};
    int code = parse_arguments("compare", argc, argv, options, &rest, 2, 2);
    if (code < 0 && !(job.tol >= 0)) {
        code = complain("compare: --tol needs a number of at least 0");
    }
    if (code < 0 && over_given && (!(job.linear.over > 0) || job.linear.band != NULL)) {
        code = complain("compare: --over needs a time > 0 s and cannot be combined with --band");
    }
    if (code < 0 && job.linear.points > 0 && !over_given) {
        code = complain("compare: --points requires --over");
    }
    if (code < 0) {
        job.ctx = gos_ctx_create();
        job.path[0] = rest.v[0];
        job.path[1] = rest.v[1];
        code = job.ctx != NULL ? compare_any(&job) : EXIT_FAILED;
    }
    gos_ctx_destroy(job.ctx);
    free_list(&rest);
    return code;
}
