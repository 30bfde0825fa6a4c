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

static int print_times(const probe_job *job) {
    const double *time = gos_results_time(job->run);
    const double first = job->info.nrows > 0 ? time[0] : 0;
    const double last = job->info.nrows > 0 ? time[job->info.nrows - 1] : 0;
    // check all times before printing the first line
    for (int k = 0; k < job->nat; k++) {
        if (job->info.nrows == 0 || !(job->at[k] >= first && job->at[k] <= last)) {
            return complain("probe: time %g s is outside the run, which covers %g to %g s",
                            job->at[k], first, last);
        }
    }
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

static int probe(probe_job *job, const text_list *rest, const char *at) {
    int code = at != NULL ? parse_times(job, at) : EXIT_DONE;
    if (code == EXIT_DONE) {
        code = exit_code(gos_results_open(job->ctx, rest->v[0], &job->run), true);
    }
    if (code == EXIT_DONE) {
        gos_results_info_get(job->run, &job->info);
        code = choose(job, rest);
    }
    if (code == EXIT_DONE) {
        code = job->at != NULL ? print_times(job) : print_steps(job);
    }
    show_messages(job->ctx, 0);
    gos_results_close(job->run);
    free(job->probe);
    free(job->at);
    return code;
}

int command_probe(int argc, char **argv) {
    const char *at = NULL;
    text_list rest = {0};
    const option options[] = {{"--at", OPTION_TEXT, &at, NULL}, {0}};
    int code = parse_arguments("probe", argc, argv, options, &rest, 1, -1);
    if (code < 0) {
        probe_job job = {.ctx = gos_ctx_create()};
        code = job.ctx != NULL ? probe(&job, &rest, at) : EXIT_FAILED;
        gos_ctx_destroy(job.ctx);
    }
    free_list(&rest);
    return code;
}
