/* gossamer probe: prints probes of a run as CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct probe_job {
    gos_ctx *ctx;
    gos_results *run;
    gos_results_info info;
    int *probe; // (n) indices of the probes to print
    int n;
    double *at; // (nat) times to interpolate at [s]; NULL: all steps
    int nat;
    bool as_json;
} probe_job;

static int choose(probe_job *job, const text_list *names) {
    const int all = job->info.nprobes;
    job->probe = calloc((names->n > 1 ? names->n - 1 : all) + 1L, sizeof *job->probe);
    const char **known = calloc(all + 1L, sizeof *known);
    int code = job->probe != NULL && known != NULL ? EXIT_DONE : EXIT_FAILED;
    for (int i = 0; code == EXIT_DONE && i < all; i++) {
        gos_probe_info info;
        gos_results_probe_info(job->run, i, &info);
        known[i] = info.name;
        if (names->n == 1) {
            job->probe[job->n++] = i;
        }
    }
    for (int i = 1; code == EXIT_DONE && i < names->n; i++) {
        const int k = gos_results_probe_find(job->run, names->v[i]);
        const char *hint = k < 0 ? suggest(names->v[i], known, all) : NULL;
        if (k >= 0) {
            job->probe[job->n++] = k;
        } else if (hint != NULL) {
            code = complain("there is no probe '%s'; did you mean '%s'?", names->v[i], hint);
        } else {
            code = complain("there is no probe '%s'; gossamer info lists them", names->v[i]);
        }
    }
    free(known);
    return code;
}

/* Parse "T,T,..." into job->at. */
static int parse_times(probe_job *job, const char *text) {
    size_t n = 1;
    for (const char *c = text; *c != '\0'; c++) {
        n += *c == ',';
    }
    job->at = calloc(n, sizeof *job->at);
    char *copy = strdup(text);
    int code = job->at != NULL && copy != NULL ? EXIT_DONE : EXIT_FAILED;
    for (char *start = copy; code == EXIT_DONE && start != NULL;) {
        char *comma = strchr(start, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (!parse_number(start, &job->at[job->nat++])) {
            code = complain("probe: --at needs times separated by commas, not '%s'", text);
        }
        start = comma != NULL ? comma + 1 : NULL;
    }
    free(copy);
    return code;
}

static void print_header(const probe_job *job) {
    (void)fputs("time", stdout);
    for (int i = 0; i < job->n; i++) {
        gos_probe_info info;
        gos_results_probe_info(job->run, job->probe[i], &info);
        for (int c = 0; c < info.ncomp; c++) {
            char name[512];
            (void)snprintf(name, sizeof name, "%s.%s", info.name, info.components[c]);
            (void)fputc(',', stdout);
            print_cell(stdout, name);
        }
    }
    (void)fputc('\n', stdout);
}

/* Undetermined reactions (`redundant: drop`) are stored as NaN. */
static void print_value(double v) {
    (void)(isnan(v) ? fputs(",undetermined", stdout) : printf(",%.17g", v));
}

static int print_steps(const probe_job *job) {
    const double *time = gos_results_time(job->run);
    const double **value = calloc(job->n + 1L, sizeof *value);
    int *width = calloc(job->n + 1L, sizeof *width);
    int code = value != NULL && width != NULL ? EXIT_DONE : EXIT_FAILED;
    for (int i = 0; code == EXIT_DONE && i < job->n; i++) {
        gos_probe_info info;
        gos_results_probe_info(job->run, job->probe[i], &info);
        width[i] = info.ncomp;
        code = exit_code(gos_results_probe(job->run, job->probe[i], &value[i], NULL), true);
    }
    if (code == EXIT_DONE) {
        print_header(job);
    }
    for (long k = 0; code == EXIT_DONE && k < job->info.nrows; k++) {
        (void)printf("%.17g", time[k]);
        for (int i = 0; i < job->n; i++) {
            for (int c = 0; c < width[i]; c++) {
                print_value(value[i][k * width[i] + c]);
            }
        }
        (void)fputc('\n', stdout);
    }
    free(value);
    free(width);
    return code;
}

/* check all times before printing the first line */
static int check_times(const probe_job *job) {
    const double *time = gos_results_time(job->run);
    const double first = job->info.nrows > 0 ? time[0] : 0;
    const double last = job->info.nrows > 0 ? time[job->info.nrows - 1] : 0;
    for (int k = 0; k < job->nat; k++) {
        if (job->info.nrows == 0 || !(job->at[k] >= first && job->at[k] <= last)) {
            return complain("probe: time %g s is outside the run, which covers %g to %g s",
                            job->at[k], first, last);
        }
    }
    return EXIT_DONE;
}

static int print_times(const probe_job *job) {
    print_header(job);
    for (int k = 0; k < job->nat; k++) {
        (void)printf("%.17g", job->at[k]);
        for (int i = 0; i < job->n; i++) {
            double value[GOS_PROBE_MAX];
            gos_probe_info info;
            gos_results_probe_info(job->run, job->probe[i], &info);
            const gos_status status =
                gos_results_probe_at(job->run, job->probe[i], job->at[k], value);
            if (status != GOS_OK) {
                return exit_code(status, true);
            }
            for (int c = 0; c < info.ncomp; c++) {
                print_value(value[c]);
            }
        }
        (void)fputc('\n', stdout);
    }
    return EXIT_DONE;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* values (n, components), one list for each component; undetermined ones are null */
static void json_values(json *j, const gos_probe_info *info, const double *value, long n) {
    json_open(j, info->name, '{');
    json_text(j, "quantity", info->quantity);
    json_text(j, "unit", info->unit);
    json_open(j, "values", '{');
    for (int c = 0; c < info->ncomp; c++) {
        json_numbers(j, info->components[c], value + c, n, info->ncomp);
    }
    json_close(j, '}');
    json_close(j, '}');
}

static int json_probe(const probe_job *job, json *j, int probe) {
    gos_probe_info info;
    gos_results_probe_info(job->run, probe, &info);
    if (job->at == NULL) {
        const double *value;
        const gos_status status = gos_results_probe(job->run, probe, &value, NULL);
        if (status == GOS_OK) {
            json_values(j, &info, value, job->info.nrows);
        }
        return exit_code(status, true);
    }
    double *value = calloc((size_t)job->nat * info.ncomp + 1, sizeof *value);
    gos_status status = value != NULL ? GOS_OK : GOS_E_MEMORY;
    for (long k = 0; k < job->nat && status == GOS_OK; k++) {
        status = gos_results_probe_at(job->run, probe, job->at[k], value + k * info.ncomp);
    }
    if (status == GOS_OK) {
        json_values(j, &info, value, job->nat);
    }
    free(value);
    return exit_code(status, true);
}

static int json_probes(const probe_job *job) {
    json j = {.out = stdout};
    int code = EXIT_DONE;
    json_open(&j, NULL, '{');
    json_numbers(&j, "time", job->at != NULL ? job->at : gos_results_time(job->run),
                 job->at != NULL ? job->nat : job->info.nrows, 1);
    json_open(&j, "probes", '{');
    for (int i = 0; i < job->n && code == EXIT_DONE; i++) {
        code = json_probe(job, &j, job->probe[i]);
    }
    json_close(&j, '}');
    json_messages(&j, job->ctx);
    json_close(&j, '}');
    return code;
}

static int probe(probe_job *job, const text_list *rest, const char *at) {
    int code = at != NULL ? parse_times(job, at) : EXIT_DONE;
    if (code == EXIT_DONE) {
        code = exit_code(gos_results_open(job->ctx, rest->v[0], &job->run), true);
    }
    if (code == EXIT_DONE) {
        gos_results_info_get(job->run, &job->info);
        code = choose(job, rest);
    }
    if (code == EXIT_DONE && job->at != NULL) {
        code = check_times(job);
    }
    const bool as_json = code == EXIT_DONE && job->as_json;
    if (code == EXIT_DONE) {
        code = as_json ? json_probes(job) : job->at != NULL ? print_times(job) : print_steps(job);
    }
    if (!as_json) {
        show_messages(job->ctx, 0);
    }
    gos_results_close(job->run);
    free(job->probe);
    free(job->at);
    return code;
}

int command_probe(int argc, char **argv) {
    const char *at = NULL;
    bool as_json = false;
    text_list rest = {0};
    const option options[] = {
        {"--at", OPTION_TEXT, &at, NULL}, {"--json", OPTION_FLAG, &as_json, NULL}, {0}};
    int code = parse_arguments("probe", argc, argv, options, &rest, 1, -1);
    if (code < 0) {
        probe_job job = {.ctx = gos_ctx_create(), .as_json = as_json};
        code = job.ctx != NULL ? probe(&job, &rest, at) : EXIT_FAILED;
        gos_ctx_destroy(job.ctx);
    }
    free_list(&rest);
    return code;
}
