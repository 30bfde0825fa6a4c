/* What a sweep tells: a narrow table on standard output, a full one as CSV, and the report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

enum { TABLE_COLUMNS = 3 }; // components of probes on standard output

/* ---- the table ------------------------------------------------------------------------------------------------ */

static void put_cell(FILE *out, const char *text) {
    (void)fputc(',', out);
    print_cell(out, text);
}

/* Last, least and largest value of each component of each probe. */
typedef struct probe_values {
    char **name; // "tip.x" (n)
    int n;
    double *v; // (n, 3), NAN: none
} probe_values;

static void free_values(probe_values *p) {
    for (int i = 0; i < p->n; i++) {
        free(p->name[i]);
    }
    free(p->name);
    free(p->v);
    *p = (probe_values){0};
}

static bool value_name(const gos_probe_info *probe, int c, char **name) {
    const size_t n = strlen(probe->name) + strlen(probe->components[c]) + 2;
    *name = malloc(n);
    if (*name != NULL) {
        (void)snprintf(*name, n, "%s.%s", probe->name, probe->components[c]);
    }
    return *name != NULL;
}

static void measure(const double *v, long n, int width, double out[3]) {
    out[0] = out[1] = out[2] = (double)NAN;
    for (long k = 0; k < n; k++) {
        out[0] = v[k * width];
        out[1] = fmin(out[1], v[k * width]);
        out[2] = fmax(out[2], v[k * width]);
    }
}

static gos_status read_values(gos_results *run, probe_values *p) {
    gos_results_info info;
    gos_results_info_get(run, &info);
    int n = 0;
    gos_probe_info probe;
    for (int i = 0; i < info.nprobes; i++) {
        gos_results_probe_info(run, i, &probe);
        n += probe.ncomp;
    }
    p->name = calloc((size_t)n + 1, sizeof *p->name);
    p->v = calloc(3 * (size_t)n + 1, sizeof *p->v);
    if (p->name == NULL || p->v == NULL) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < info.nprobes; i++) {
        const double *v;
        gos_results_probe_info(run, i, &probe);
        const gos_status status = gos_results_probe(run, i, &v, NULL);
        for (int c = 0; c < probe.ncomp && status == GOS_OK; c++) {
            if (!value_name(&probe, c, &p->name[p->n])) {
                return GOS_E_MEMORY;
            }
            measure(v + c, info.nrows, probe.ncomp, p->v + 3 * p->n);
            p->n++;
        }
        if (status != GOS_OK) {
            return status;
        }
    }
    return GOS_OK;
}

/* There is a file at a run's path, and it was written by this run. */
static bool wrote(const sweep_run *r) {
    struct stat st;
    return r->started > 0 && stat(r->path, &st) == 0 &&
           (st.st_ino != r->old.st_ino || st.st_mtim.tv_sec != r->old.st_mtim.tv_sec ||
            st.st_mtim.tv_nsec != r->old.st_mtim.tv_nsec);
}

/* What a run left: its statistics and values. A file that cannot be read is a failed run. */
static void read_run(sweep_job *job, sweep_run *r, probe_values *p) {
    gos_results *run = NULL;
    if (!wrote(r)) {
        return;
    }
    gos_status status = gos_results_open(job->ctx, r->path, &run);
    if (status == GOS_OK) {
        gos_results_info info;
        gos_results_info_get(run, &info);
        r->statistics = info.statistics;
        status = read_values(run, p);
    }
    r->has_results = status == GOS_OK;
    if (status != GOS_OK && r->message[0] == '\0') {
        r->code = EXIT_FAILED;
        (void)snprintf(r->message, sizeof r->message, "%s", gos_ctx_message(job->ctx));
    }
    gos_results_close(run);
    gos_ctx_clear(job->ctx);
}

static const char *status_of(const sweep_run *r) {
    return r->message[0] != '\0' ? r->message : "complete";
}

static void csv_row(FILE *csv, const sweep_job *job, int i, const probe_values *p, int columns) {
    const sweep_run *r = &job->run[i];
    (void)fprintf(csv, "%d", i + 1);
    for (int k = 0; k < job->nparameters; k++) {
        put_cell(csv, r->value[k]);
    }
    put_cell(csv, status_of(r));
    put_cell(csv, r->has_results ? r->name : "");
    if (r->has_results) {
        (void)fprintf(csv, ",%ld,%.6g,%.6g", r->statistics.steps, r->statistics.time_total,
                      r->wall);
    } else {
        (void)fprintf(csv, ",,,%.6g", r->wall);
    }
    for (int k = 0; k < 3 * columns; k++) {
        if (r->has_results && k < 3 * p->n && isfinite(p->v[k])) {
            (void)fprintf(csv, ",%.17g", p->v[k]);
        } else {
            (void)fputc(',', csv);
        }
    }
    (void)fputc('\n', csv);
}

static void csv_head(FILE *csv, const sweep_job *job, const probe_values *p) {
    (void)fputs("run", csv);
    for (int k = 0; k < job->nparameters; k++) {
        put_cell(csv, job->parameter[k].name);
    }
    (void)fputs(",status,file,steps,solve_time,wall_time", csv);
    for (int k = 0; k < p->n; k++) {
        static const char *const what[] = {"last", "min", "max"};
        for (int i = 0; i < 3; i++) {
            char name[512];
            (void)snprintf(name, sizeof name, "%s.%s", p->name[k], what[i]);
            put_cell(csv, name);
        }
    }
    (void)fputc('\n', csv);
}

/* The first components that are not always zero, for the narrow table on standard output. */
static int choose_columns(const probe_values *p, int column[TABLE_COLUMNS]) {
    int n = 0;
    for (int k = 0; k < p->n && n < TABLE_COLUMNS; k++) {
        if (p->v[3 * k + 1] != 0 || p->v[3 * k + 2] != 0) {
            column[n++] = k;
        }
    }
    return n;
}

static void print_head(const sweep_job *job, const probe_values *p, const int *column, int n) {
    (void)printf("%4s", "run");
    for (int k = 0; k < job->nparameters; k++) {
        (void)printf(" %12.12s", job->parameter[k].name);
    }
    (void)printf(" %8s %10s %10s", "steps", "solve [s]", "wall [s]");
    for (int k = 0; k < n && p->name != NULL; k++) {
        char name[2][64];
        (void)snprintf(name[0], sizeof name[0], "%.40s last", plain(p->name[column[k]]));
        (void)snprintf(name[1], sizeof name[1], "%.40s max", plain(p->name[column[k]]));
        (void)printf(" %16s %16s", name[0], name[1]);
    }
    (void)puts("  status");
}

static void print_row(const sweep_job *job, int i, const probe_values *p, const int *column,
                      int n) {
    const sweep_run *r = &job->run[i];
    (void)printf("%4d", i + 1);
    for (int k = 0; k < job->nparameters; k++) {
        (void)printf(" %12.12s", plain(r->value[k]));
    }
    if (r->has_results) {
        (void)printf(" %8ld %10.4g %10.4g", r->statistics.steps, r->statistics.time_total, r->wall);
    } else {
        (void)printf(" %8s %10s %10.4g", "-", "-", r->wall);
    }
    for (int k = 0; k < n; k++) {
        for (int m = 0; m < 3; m += 2) {
            const bool known = r->has_results && column[k] < p->n;
            const double v = known ? p->v[3 * column[k] + m] : (double)NAN;
            if (isfinite(v)) {
                (void)printf(" %16.8g", v);
            } else {
                (void)printf(" %16s", "-");
            }
        }
    }
    (void)printf("  %s\n", plain(status_of(r)));
}

char *sweep_inside(const sweep_job *job, const char *name) {
    const size_t n = strlen(job->folder) + strlen(name) + 2;
    char *path = malloc(n);
    if (path != NULL) {
        (void)snprintf(path, n, "%s/%s", job->folder, name);
    }
    return path;
}

/* Read all runs, write the table to standard output and to DIR/table.csv. */
int sweep_write_table(sweep_job *job) {
    probe_values *p = calloc((size_t)job->nruns, sizeof *p);
    char *path = sweep_inside(job, "table.csv");
    gos_output *output = NULL;
    int code = EXIT_DONE;
    if (p == NULL || path == NULL) {
        (void)sweep_no_memory();
        code = EXIT_FAILED;
    } else {
        code = exit_code(gos_output_begin(job->ctx, path, &output), false);
        show_messages(job->ctx, 0);
        gos_ctx_clear(job->ctx);
    }
    FILE *csv = code == EXIT_DONE ? gos_output_stream(output) : NULL;
    int head = 0; // the run whose probes name the columns
    for (int i = 0; i < job->nruns && code == EXIT_DONE; i++) {
        read_run(job, &job->run[i], &p[i]);
        head = p[i].n > p[head].n ? i : head;
    }
    if (code == EXIT_DONE) {
        csv_head(csv, job, &p[head]);
        int column[TABLE_COLUMNS];
        const int n = choose_columns(&p[head], column);
        print_head(job, &p[head], column, n);
        for (int i = 0; i < job->nruns; i++) {
            csv_row(csv, job, i, &p[i], p[head].n);
            print_row(job, i, &p[i], column, n);
        }
    }
    if (csv != NULL) {
        const int written = exit_code(gos_output_end(output, code == EXIT_DONE), false);
        show_messages(job->ctx, 0);
        code = code == EXIT_DONE ? written : code;
    }
    for (int i = 0; p != NULL && i < job->nruns; i++) {
        free_values(&p[i]);
    }
    free(p);
    free(path);
    return code;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

int sweep_write_report(sweep_job *job) {
    const char *names[MAX_PARAMETERS];
    gos_report_run *runs = calloc((size_t)job->nruns, sizeof *runs);
    char *path = sweep_inside(job, "report.html");
    if (runs == NULL || path == NULL) {
        free(runs);
        free(path);
        return sweep_no_memory();
    }
    for (int i = 0; i < job->nparameters; i++) {
        names[i] = job->parameter[i].name;
    }
    for (int i = 0; i < job->nruns; i++) {
        const sweep_run *r = &job->run[i];
        runs[i] = (gos_report_run){.path = r->has_results ? r->path : NULL,
                                   .value = r->value,
                                   .failure = r->message[0] != '\0' ? r->message : NULL,
                                   .wall = r->wall};
    }
    const gos_report_content content = {
        .run = runs, .nruns = job->nruns, .parameter = names, .nparameters = job->nparameters};
    const int code = write_report(job->ctx, &content, path);
    show_messages(job->ctx, 0);
    free(runs);
    free(path);
    return code;
}
