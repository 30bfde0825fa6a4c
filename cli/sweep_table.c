/* Output of a sweep: a narrow table on standard output, full tables as CSV, and the report. Wall
   times are in a separate table, so that the other one is reproducible. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

enum {
    TABLE_COLUMNS = 3, // probe components on standard output
    MOST_CURVES = 60   // samples of a grid point drawn in the report besides their quantiles
};

static gos_sweep_result result_of(const sweep_job *job, int i) {
    gos_sweep_result r;
    gos_sweep_result_get(job->sweep, i, &r);
    return r;
}

static const char *status_of(const gos_sweep_result *r) {
    return r->failure != NULL ? r->failure : "complete";
}

/* the run with most probe values, which defines the columns */
static gos_sweep_result head_of(const sweep_job *job) {
    gos_sweep_result head = result_of(job, 0);
    for (int i = 1; i < gos_sweep_nruns(job->sweep); i++) {
        const gos_sweep_result r = result_of(job, i);
        head = r.nvalues > head.nvalues ? r : head;
    }
    return head;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

void sweep_put_cell(FILE *out, const char *text) {
    (void)fputc(',', out);
    print_cell(out, text);
}

void sweep_put_number(FILE *out, const char *format, double value) {
    (void)fputc(',', out);
    if (isfinite(value)) {
        (void)fprintf(out, format, value);
    }
}

static void put_times(FILE *csv, const sweep_job *job) {
    (void)fputs("run,solve_time,wall_time\n", csv);
    for (int i = 0; i < gos_sweep_nruns(job->sweep); i++) {
        const gos_sweep_result r = result_of(job, i);
        (void)fprintf(csv, "%d", i + 1);
        sweep_put_number(csv, "%.6g", r.has_results ? r.statistics.time_total : (double)NAN);
        sweep_put_number(csv, "%.6g", r.wall);
        (void)fputc('\n', csv);
    }
}

static void put_head(FILE *csv, const sweep_job *job, const gos_sweep_result *head) {
    (void)fputs("run", csv);
    for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
        sweep_put_cell(csv, gos_sweep_parameter(job->sweep, k));
    }
    (void)fputs(",status,file,steps", csv);
    for (int k = 0; k < head->nvalues; k++) {
        static const char *const what[] = {"last", "min", "max"};
        for (int i = 0; i < 3; i++) {
            char name[512];
            (void)snprintf(name, sizeof name, "%s.%s", head->key[k], what[i]);
            sweep_put_cell(csv, name);
        }
    }
    (void)fputc('\n', csv);
}

static void put_runs(FILE *csv, const sweep_job *job) {
    const gos_sweep_result head = head_of(job);
    put_head(csv, job, &head);
    for (int i = 0; i < gos_sweep_nruns(job->sweep); i++) {
        const gos_sweep_result r = result_of(job, i);
        (void)fprintf(csv, "%d", i + 1);
        for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
            sweep_put_cell(csv, r.value[k]);
        }
        sweep_put_cell(csv, status_of(&r));
        sweep_put_cell(csv, r.has_results ? r.name : "");
        sweep_put_number(csv, "%.0f", r.has_results ? (double)r.statistics.steps : (double)NAN);
        for (int k = 0; k < 3 * head.nvalues; k++) {
            const bool known = r.has_results && k < 3 * r.nvalues;
            sweep_put_number(csv, "%.17g", known ? r.probe[k] : (double)NAN);
        }
        (void)fputc('\n', csv);
    }
}

char *sweep_inside(const sweep_job *job, const char *name) {
    const size_t n = strlen(job->folder) + strlen(name) + 2;
    char *path = malloc(n);
    if (path != NULL) {
        (void)snprintf(path, n, "%s/%s", job->folder, name);
    }
    return path;
}

int sweep_write_csv(const sweep_job *job, const char *name,
                    void (*put)(FILE *csv, const sweep_job *job)) {
    gos_output *output = NULL;
    char *path = sweep_inside(job, name);
    if (path == NULL) {
        return sweep_no_memory();
    }
    int code = exit_code(gos_output_begin(job->ctx, path, &output), false);
    if (code == EXIT_DONE) {
        put(gos_output_stream(output), job);
        code = exit_code(gos_output_end(output, true), false);
    }
    free(path);
    return code;
}

/* ---- the narrow table ------------------------------------------------------------------------ */

/* Select the first components that are not always zero. @return their number */
static int choose_columns(const gos_sweep_result *head, int column[TABLE_COLUMNS]) {
    int n = 0;
    for (int k = 0; k < head->nvalues && n < TABLE_COLUMNS; k++) {
        if (head->probe[3 * k + 1] != 0 || head->probe[3 * k + 2] != 0) {
            column[n++] = k;
        }
    }
    return n;
}

static void print_head(const sweep_job *job, const gos_sweep_result *head, const int *column,
                       int n) {
    (void)printf("%4s", "run");
    for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
        (void)printf(" %12.12s", plain(gos_sweep_parameter(job->sweep, k)));
    }
    (void)printf(" %8s %10s %10s", "steps", "solve [s]", "wall [s]");
    for (int k = 0; k < n; k++) {
        char name[2][64];
        (void)snprintf(name[0], sizeof name[0], "%.40s last", plain(head->key[column[k]]));
        (void)snprintf(name[1], sizeof name[1], "%.40s max", plain(head->key[column[k]]));
        (void)printf(" %16s %16s", name[0], name[1]);
    }
    (void)puts("  status");
}

static void print_row(const sweep_job *job, int i, const int *column, int n) {
    const gos_sweep_result r = result_of(job, i);
    (void)printf("%4d", i + 1);
    for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
        (void)printf(" %12.12s", plain(r.value[k]));
    }
    if (r.has_results) {
        (void)printf(" %8ld %10.4g %10.4g", r.statistics.steps, r.statistics.time_total, r.wall);
    } else {
        (void)printf(" %8s %10s %10.4g", "-", "-", r.wall);
    }
    for (int k = 0; k < n; k++) {
        for (int m = 0; m < 3; m += 2) {
            const bool known = r.has_results && column[k] < r.nvalues;
            const double v = known ? r.probe[3 * column[k] + m] : (double)NAN;
            if (isfinite(v)) {
                (void)printf(" %16.8g", v);
            } else {
                (void)printf(" %16s", "-");
            }
        }
    }
    (void)printf("  %s\n", plain(status_of(&r)));
}

static void json_run(json *j, const sweep_job *job, int i) {
    const gos_sweep_result r = result_of(job, i);
    json_open(j, NULL, '{');
    json_number(j, "run", i + 1);
    json_open(j, "values", '{');
    for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
        json_text(j, gos_sweep_parameter(job->sweep, k), r.value[k]);
    }
    json_close(j, '}');
    json_text(j, "failure", r.failure);
    json_text(j, "results", r.has_results ? r.path : NULL);
    json_number(j, "steps", r.has_results ? (double)r.statistics.steps : (double)NAN);
    json_number(j, "solve_time", r.has_results ? r.statistics.time_total : (double)NAN);
    json_number(j, "wall_time", r.wall);
    json_open(j, "probes", '{');
    for (int k = 0; k < (r.has_results ? r.nvalues : 0); k++) {
        json_open(j, r.key[k], '{');
        json_number(j, "last", r.probe[3 * k]);
        json_number(j, "min", r.probe[3 * k + 1]);
        json_number(j, "max", r.probe[3 * k + 2]);
        json_close(j, '}');
    }
    json_close(j, '}');
    json_close(j, '}');
}

void sweep_print_json(const sweep_job *job) {
    json j = {.out = stdout};
    json_open(&j, NULL, '{');
    json_text(&j, "folder", job->folder);
    json_open(&j, "parameters", '[');
    for (int k = 0; k < gos_sweep_nparameters(job->sweep); k++) {
        json_text(&j, NULL, gos_sweep_parameter(job->sweep, k));
    }
    json_close(&j, ']');
    json_open(&j, "runs", '[');
    for (int i = 0; i < gos_sweep_nruns(job->sweep); i++) {
        json_run(&j, job, i);
    }
    json_close(&j, ']');
    sweep_json_spreads(&j, job);
    json_close(&j, '}');
}

int sweep_write_tables(const sweep_job *job) {
    const gos_sweep_result head = head_of(job);
    int column[TABLE_COLUMNS];
    const int n = choose_columns(&head, column);
    const bool table = job->nspreads == 0 && !job->as_json;
    if (table) {
        print_head(job, &head, column, n);
    }
    for (int i = 0; i < gos_sweep_nruns(job->sweep) && table; i++) {
        print_row(job, i, column, n);
    }
    const int code = sweep_write_csv(job, "table.csv", put_runs);
    return code == EXIT_DONE ? sweep_write_csv(job, "times.csv", put_times) : code;
}

/* ---- the report ------------------------------------------------------------------------------ */

/* runs of one grid point; 1 without random samples */
static int every_draw(const sweep_job *job) {
    return job->nspreads > 0 ? gos_sweep_nruns(job->sweep) / job->nspreads : 1;
}

int sweep_write_report(const sweep_job *job) {
    const int nruns = gos_sweep_nruns(job->sweep), nparameters = gos_sweep_nparameters(job->sweep);
    gos_report_run *runs = calloc(nruns, sizeof *runs);
    const char **names = calloc(nparameters, sizeof *names);
    char *path = sweep_inside(job, "report.html");
    int code = runs != NULL && names != NULL && path != NULL ? EXIT_DONE : sweep_no_memory();
    for (int i = 0; i < nparameters && code == EXIT_DONE; i++) {
        names[i] = gos_sweep_parameter(job->sweep, i);
    }
    for (int i = 0; i < nruns && code == EXIT_DONE; i++) {
        const gos_sweep_result r = result_of(job, i);
        const bool own = !job->options.one_file; // a common file belongs to no single run
        const bool drawn = r.has_results && own && i % every_draw(job) < MOST_CURVES;
        runs[i] = (gos_report_run){
            .path = drawn ? r.path : NULL, .value = r.value, .failure = r.failure, .wall = r.wall};
    }
    const gos_report_content content = {.run = runs,
                                        .nruns = nruns,
                                        .parameter = names,
                                        .nparameters = nparameters,
                                        .spread = job->spread,
                                        .nspreads = job->nspreads};
    if (code == EXIT_DONE) {
        code = write_report(job->ctx, &content, path);
    }
    free(runs);
    free(names);
    free(path);
    return code;
}
