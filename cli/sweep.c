/* gossamer sweep: a grid of runs in parallel processes, one table, one report.
 *
 * Each run is this program again (gossamer run), so that one that fails or is killed takes nothing with
 * it. Signals are blocked and waited for: there is no moment at which one could be missed. Children are in
 * process groups of their own, a Ctrl-C of the terminal reaches only us, and each of them gets exactly one
 * signal to stop in good order. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { MAX_PARAMETERS = 16, MAX_VALUES = 100000, MAX_RUNS = 100000, MESSAGE_MAX = 512 };
enum { TABLE_COLUMNS = 3, NAME_MAX_LENGTH = 120 };

/* What varies, with the texts that are set one after the other. */
typedef struct parameter {
    char *name;
    char **value; // (n)
    int n;
} parameter;

typedef struct sweep_run {
    char **arguments;     // of the program, ended by NULL; owned
    char *path;           // results file
    const char *name;     // the last part of it
    const char **value;   // of each parameter
    FILE *errors;         // what the run writes to standard error, while it goes on
    pid_t pid;            // 0: not started, -1: ended
    struct stat old;      // what was there before it started
    double started, wall; // [s]
    int code;             // exit code, or 128 + signal
    bool has_results;
    char message[MESSAGE_MAX]; // why it failed; "" when it did not
    gos_statistics statistics;
} sweep_run;

typedef struct sweep_job {
    gos_ctx *ctx;
    const char *model, *folder;
    char *chosen; // folder made from the model's name
    bool reduced, quiet, until_given, folder_given;
    const char *until;
    int jobs;
    text_list vary, settings;
    parameter parameter[MAX_PARAMETERS];
    int nparameters;
    sweep_run *run;
    int nruns;
    const char **values;      // of all runs
    sigset_t waiting, before; // signals we wait for, and the mask as it was
    int stop;                 // the signal that was asked for, 0: none
} sweep_job;

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int no_memory(void) {
    (void)complain("out of memory");
    return EXIT_FAILED;
}

/* ---- what varies ---------------------------------------------------------------------------------------- */

static bool add_value(parameter *p, const char *text, size_t n) {
    char *copy = strndup(text, n);
    char **grown = realloc(p->value, (size_t)(p->n + 1) * sizeof *grown);
    if (grown != NULL) {
        p->value = grown;
    }
    if (copy == NULL || grown == NULL) {
        free(copy);
        return false;
    }
    grown[p->n++] = copy;
    return true;
}

/* The shortest text that is a number within a part of itself: 0.1 is written as it was meant. */
static bool add_number(parameter *p, double x, double part) {
    char text[32];
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(text, sizeof text, "%.*g", digits, x);
        if (fabs(strtod(text, NULL) - x) <= part * fabs(x)) {
            break;
        }
    }
    return add_value(p, text, strlen(text));
}

/* "a:b:n" or "a:b:nlog" */
static int add_range(parameter *p, const char *text, const char *all) {
    double end[2], count;
    char part[3][64] = {"", "", ""};
    char rest = 0;
    if (sscanf(text, "%63[^:]:%63[^:]:%63[^:]%c", part[0], part[1], part[2], &rest) != 3) {
        return complain("sweep: --vary needs NAME=FROM:TO:NUMBER or NAME=VALUE,VALUE..., not '%s'",
                        all);
    }
    char *log = strstr(part[2], "log");
    const bool logarithmic = log != NULL && strcmp(log, "log") == 0;
    if (logarithmic) {
        *log = '\0';
    }
    if (!parse_number(part[0], &end[0]) || !parse_number(part[1], &end[1]) ||
        !parse_number(part[2], &count)) {
        return complain("sweep: '%s': FROM, TO and NUMBER must be numbers", all);
    }
    if (!(count >= 2 && count <= MAX_VALUES) || count != floor(count)) {
        return complain("sweep: '%s': the number of values must be a whole one from 2 to %d", all,
                        MAX_VALUES);
    }
    if (logarithmic && !(end[0] > 0 && end[1] > 0)) {
        return complain("sweep: '%s': values in a logarithmic row must be greater than 0", all);
    }
    for (int i = 0; i < (int)count; i++) {
        const double s = i / (count - 1);
        double x = logarithmic ? end[0] * pow(end[1] / end[0], s) : end[0] * (1 - s) + end[1] * s;
        const bool inner = i > 0 && i < (int)count - 1;
        x = inner ? x : end[i > 0];
        if (!add_number(p, x, !inner ? 0 : logarithmic ? 1e-6 : 1e-9)) {
            return no_memory();
        }
    }
    return EXIT_DONE;
}

/* Values between commas; commas in brackets or quotes belong to a value. */
static int add_list(parameter *p, const char *text, const char *all) {
    int depth = 0;
    char quote = 0;
    const char *start = text;
    for (const char *c = text;; c++) {
        const bool end = *c == '\0' || (*c == ',' && depth == 0 && quote == 0);
        if (end && c == start) {
            return complain("sweep: '%s': a value is missing", all);
        }
        if (end && !add_value(p, start, (size_t)(c - start))) {
            return no_memory();
        }
        if (end && p->n > MAX_VALUES) {
            return complain("sweep: '%.40s...': more than %d values", all, MAX_VALUES);
        }
        if (*c == '\0') {
            return EXIT_DONE;
        }
        start = end ? c + 1 : start;
        if (quote != 0) {
            quote = *c == quote ? 0 : quote;
        } else if (*c == '"' || *c == '\'') {
            quote = *c;
        } else {
            depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
        }
    }
}

static int add_parameter(sweep_job *job, const char *text) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0') {
        return complain("sweep: --vary needs NAME=FROM:TO:NUMBER or NAME=VALUE,VALUE..., not '%s'",
                        text);
    }
    if (job->nparameters >= MAX_PARAMETERS) {
        return complain("sweep: more than %d parameters", MAX_PARAMETERS);
    }
    parameter *p = &job->parameter[job->nparameters++];
    p->name = strndup(text, (size_t)(equals - text));
    if (p->name == NULL) {
        return no_memory();
    }
    for (int i = 0; i < job->nparameters - 1; i++) {
        if (strcmp(job->parameter[i].name, p->name) == 0) {
            return complain("sweep: '%s' varies twice", p->name);
        }
    }
    const bool range = strchr(equals, ':') != NULL && strpbrk(equals, ",[{\"'") == NULL;
    return (range ? add_range : add_list)(p, equals + 1, text);
}

/* ---- the grid ---------------------------------------------------------------------------------------------- */

/* "DIR/003_n=8_L=1.2.h5": what could be misread in a file name is replaced. */
static char *path_of(const sweep_job *job, int i) {
    char name[NAME_MAX_LENGTH + 32];
    int at = snprintf(name, sizeof name, "%03d", i + 1);
    for (int k = 0; k < job->nparameters; k++) {
        const char *part[2] = {job->parameter[k].name, job->run[i].value[k]};
        for (int j = 0; j < 2 && at < NAME_MAX_LENGTH; j++) {
            name[at++] = j == 0 ? '_' : '=';
            for (const char *c = part[j]; *c != '\0' && at < NAME_MAX_LENGTH; c++) {
                const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                                   (*c >= '0' && *c <= '9') || strchr("._+-", *c) != NULL;
                name[at++] = plain ? *c : '-';
            }
        }
    }
    (void)snprintf(name + at, sizeof name - (size_t)at, ".h5");
    const size_t n = strlen(job->folder) + strlen(name) + 2;
    char *path = malloc(n);
    if (path != NULL) {
        (void)snprintf(path, n, "%s/%s", job->folder, name);
    }
    return path;
}

/* gossamer run --quiet -o PATH [--reduced] [--until T] --set ... -- MODEL */
static char **arguments_of(const sweep_job *job, const sweep_run *r) {
    const size_t n = 10 + 2 * ((size_t)job->settings.n + (size_t)job->nparameters);
    char **a = calloc(n + 1, sizeof *a);
    int at = 0;
    if (a == NULL) {
        return NULL;
    }
    const char *const first[] = {"gossamer", "run", "--quiet", "-o", r->path};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        a[at++] = strdup(first[i]);
    }
    if (job->reduced) {
        a[at++] = strdup("--reduced");
    }
    if (job->until != NULL) {
        a[at++] = strdup("--until");
        a[at++] = strdup(job->until);
    }
    for (int i = 0; i < job->settings.n; i++) {
        a[at++] = strdup("--set");
        a[at++] = strdup(job->settings.v[i]);
    }
    for (int i = 0; i < job->nparameters; i++) {
        const size_t size = strlen(job->parameter[i].name) + strlen(r->value[i]) + 2;
        a[at++] = strdup("--set");
        a[at] = malloc(size);
        if (a[at] != NULL) {
            (void)snprintf(a[at], size, "%s=%s", job->parameter[i].name, r->value[i]);
        }
        at++;
    }
    a[at++] = strdup("--");
    a[at++] = strdup(job->model);
    bool good = true;
    for (int i = 0; i < at; i++) {
        good = good && a[i] != NULL;
    }
    for (int i = 0; i < at && !good; i++) {
        free(a[i]);
    }
    if (!good) {
        free(a);
    }
    return good ? a : NULL;
}

static int make_grid(sweep_job *job) {
    double total = 1;
    for (int i = 0; i < job->nparameters; i++) {
        total *= job->parameter[i].n;
    }
    if (!(total <= MAX_RUNS)) {
        return complain("sweep: %.0f runs are more than %d", total, MAX_RUNS);
    }
    const size_t n = (size_t)total;
    job->run = calloc(n, sizeof *job->run);
    job->values = calloc(n * MAX_PARAMETERS, sizeof *job->values);
    if (job->run == NULL || job->values == NULL) {
        return no_memory();
    }
    job->nruns = (int)n;
    for (int i = 0; i < job->nruns; i++) {
        sweep_run *r = &job->run[i];
        r->value = job->values + (size_t)i * MAX_PARAMETERS;
        // the last parameter varies fastest
        for (int k = job->nparameters - 1, rest = i; k >= 0; k--) {
            r->value[k] = job->parameter[k].value[rest % job->parameter[k].n];
            rest /= job->parameter[k].n;
        }
        r->path = path_of(job, i);
        r->arguments = r->path != NULL ? arguments_of(job, r) : NULL;
        if (r->arguments == NULL) {
            return no_memory();
        }
        r->name = strrchr(r->path, '/') + 1;
    }
    return EXIT_DONE;
}

/* ---- running ------------------------------------------------------------------------------------------------ */

/* In the child: become the run. */
static void become(const sweep_job *job, const sweep_run *r, pid_t parent) {
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM); // should we be killed
    if (getppid() != parent) {
        _exit(EXIT_STOPPED);
    }
    const int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDOUT_FILENO);
    }
    (void)dup2(fileno(r->errors), STDERR_FILENO);
    (void)sigprocmask(SIG_SETMASK, &job->before, NULL);
    (void)execv("/proc/self/exe", r->arguments);
    (void)complain("cannot start %s: %s", r->arguments[0], strerror(errno));
    _exit(EXIT_FAILED);
}

static void start(const sweep_job *job, sweep_run *r) {
    r->started = now();
    r->errors = tmpfile();
    if (stat(r->path, &r->old) != 0) {
        r->old = (struct stat){0};
    }
    const pid_t parent = getpid();
    r->pid = r->errors != NULL && fcntl(fileno(r->errors), F_SETFD, FD_CLOEXEC) == 0 ? fork() : -1;
    if (r->pid == 0) {
        become(job, r, parent);
    }
    if (r->pid < 0) {
        r->code = EXIT_FAILED;
        (void)snprintf(r->message, sizeof r->message, "cannot start: %s", strerror(errno));
    }
}

/* Why a run failed: the first line it wrote to standard error that is no warning. */
static void read_message(sweep_run *r) {
    static const char prefix[] = "gossamer: ";
    char line[MESSAGE_MAX];
    rewind(r->errors);
    while (r->message[0] == '\0' && fgets(line, sizeof line, r->errors) != NULL) {
        const bool ours = strncmp(line, prefix, strlen(prefix)) == 0;
        const char *text = ours ? line + strlen(prefix) : line;
        line[strcspn(line, "\n")] = '\0';
        if (strstr(text, "warning: ") == NULL) {
            (void)snprintf(r->message, sizeof r->message, "%s", text);
        }
    }
    if (r->code == EXIT_STOPPED) {
        (void)snprintf(r->message, sizeof r->message, "interrupted");
    } else if (r->message[0] == '\0' && r->code > 128) {
        (void)snprintf(r->message, sizeof r->message, "ended by signal %d", r->code - 128);
    } else if (r->message[0] == '\0') {
        (void)snprintf(r->message, sizeof r->message, "failed with exit code %d", r->code);
    }
}

/* Take note of all runs that have ended. @return how many */
static int collect(sweep_job *job) {
    int how, n = 0;
    for (pid_t pid; (pid = waitpid(-1, &how, WNOHANG)) > 0;) {
        for (int i = 0; i < job->nruns; i++) {
            sweep_run *r = &job->run[i];
            if (r->pid != pid) {
                continue;
            }
            r->pid = -1;
            r->wall = now() - r->started;
            r->code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
            if (r->code != EXIT_DONE) {
                read_message(r);
            }
            (void)fclose(r->errors);
            r->errors = NULL;
            n++;
        }
    }
    return n;
}

static void pass_on(const sweep_job *job, int number) {
    for (int i = 0; i < job->nruns; i++) {
        if (job->run[i].pid > 0) {
            (void)kill(job->run[i].pid, number);
        }
    }
}

static void show_progress(const sweep_job *job, int done, int running, bool terminal, bool end) {
    if (job->quiet || !terminal) {
        return;
    }
    (void)fprintf(stderr, end ? "\r\033[K" : "\r\033[K%d of %d runs done, %d running", done,
                  job->nruns, running);
    (void)fflush(stderr);
}

/* All runs, at most `jobs` at a time. */
static void run_all(sweep_job *job) {
    const bool terminal = isatty(STDERR_FILENO) == 1;
    int next = 0, running = 0, done = 0;
    while (running > 0 || (next < job->nruns && job->stop == 0)) {
        while (running < job->jobs && next < job->nruns && job->stop == 0) {
            sweep_run *r = &job->run[next++];
            start(job, r);
            running += r->pid > 0;
            done += r->pid < 0;
        }
        show_progress(job, done, running, terminal, false);
        const int number = running > 0 ? sigwaitinfo(&job->waiting, NULL) : 0;
        if (number == SIGINT || number == SIGTERM) {
            job->stop = number;
            pass_on(job, number);
        }
        const int ended = collect(job);
        running -= ended;
        done += ended;
    }
    show_progress(job, done, running, terminal, true);
    for (; next < job->nruns; next++) {
        job->run[next].code = EXIT_STOPPED;
        (void)snprintf(job->run[next].message, MESSAGE_MAX, "not started");
    }
}

/* ---- the table ------------------------------------------------------------------------------------------------ */

/* A CSV cell; what CSV would misread is quoted. */
static void put_cell(FILE *out, const char *text) {
    (void)fputc(',', out);
    if (strpbrk(text, ",\"\n\r") == NULL) {
        (void)fputs(text, out);
        return;
    }
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        (void)fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    }
    (void)fputc('"', out);
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
        (void)fprintf(csv, ",%s.last,%s.min,%s.max", p->name[k], p->name[k], p->name[k]);
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
    for (int k = 0; k < n; k++) {
        char name[2][64];
        (void)snprintf(name[0], sizeof name[0], "%.40s last", p->name[column[k]]);
        (void)snprintf(name[1], sizeof name[1], "%.40s max", p->name[column[k]]);
        (void)printf(" %16s %16s", name[0], name[1]);
    }
    (void)puts("  status");
}

static void print_row(const sweep_job *job, int i, const probe_values *p, const int *column,
                      int n) {
    const sweep_run *r = &job->run[i];
    (void)printf("%4d", i + 1);
    for (int k = 0; k < job->nparameters; k++) {
        (void)printf(" %12.12s", r->value[k]);
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
    (void)printf("  %s\n", status_of(r));
}

/* DIR/NAME, or NULL; free it */
static char *inside(const sweep_job *job, const char *name) {
    const size_t n = strlen(job->folder) + strlen(name) + 2;
    char *path = malloc(n);
    if (path != NULL) {
        (void)snprintf(path, n, "%s/%s", job->folder, name);
    }
    return path;
}

/* Read all runs, write the table to standard output and to DIR/table.csv. */
static int write_table(sweep_job *job) {
    probe_values *p = calloc((size_t)job->nruns, sizeof *p);
    char *path = inside(job, "table.csv");
    FILE *csv = path != NULL ? fopen(path, "w") : NULL;
    int code = EXIT_DONE;
    if (p == NULL || path == NULL) {
        code = no_memory();
    } else if (csv == NULL) {
        (void)complain("%s: cannot write: %s", path, strerror(errno));
        code = EXIT_FAILED;
    }
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
    if (csv != NULL && (ferror(csv) | fclose(csv)) != 0) {
        (void)complain("%s: cannot write", path);
        code = EXIT_FAILED;
    }
    for (int i = 0; p != NULL && i < job->nruns; i++) {
        free_values(&p[i]);
    }
    free(p);
    free(path);
    return code;
}

/* ---- the report -------------------------------------------------------------------------------------------------- */

static int write_family(sweep_job *job) {
    const char *names[MAX_PARAMETERS];
    gos_report_run *runs = calloc((size_t)job->nruns, sizeof *runs);
    char *path = inside(job, "report.html");
    int code = runs != NULL && path != NULL ? EXIT_DONE : no_memory();
    for (int i = 0; i < job->nparameters; i++) {
        names[i] = job->parameter[i].name;
    }
    for (int i = 0; i < job->nruns && code == EXIT_DONE; i++) {
        const sweep_run *r = &job->run[i];
        runs[i] = (gos_report_run){.path = r->has_results ? r->path : NULL,
                                   .value = r->value,
                                   .failure = r->message[0] != '\0' ? r->message : NULL,
                                   .wall = r->wall};
    }
    if (code == EXIT_DONE) {
        const gos_report_content content = {
            .run = runs, .nruns = job->nruns, .parameter = names, .nparameters = job->nparameters};
        code = write_report(job->ctx, &content, path);
        show_messages(job->ctx, 0);
    }
    free(runs);
    free(path);
    return code;
}

/* ---- the command --------------------------------------------------------------------------------------------------- */

/* The model can be read and the names be set: else every run would fail for the same reason. */
static int check_model(sweep_job *job) {
    gos_model *model = NULL;
    int code = load_system(job->ctx, job->model, &job->settings, &model, NULL);
    for (int i = 0; i < job->nparameters && code == EXIT_DONE; i++) {
        const parameter *p = &job->parameter[i];
        code = exit_code(gos_model_set(job->ctx, model, p->name, p->value[0]), true);
    }
    show_messages(job->ctx, 0);
    gos_ctx_clear(job->ctx);
    gos_model_destroy(model);
    return code;
}

/* The folder is there, or can be made, and what we shall write replaces only what we once wrote. */
static int prepare_folder(sweep_job *job) {
    if (job->folder == NULL) {
        job->chosen = with_ending(job->model, ".sweep");
        job->folder = job->chosen;
    }
    if (job->folder == NULL) {
        return no_memory();
    }
    if (mkdir(job->folder, 0777) != 0 && errno != EEXIST) {
        return complain("%s: cannot make this folder: %s", job->folder, strerror(errno));
    }
    char *table = inside(job, "table.csv"), *page = inside(job, "report.html");
    int code = table != NULL && page != NULL ? EXIT_DONE : no_memory();
    if (code == EXIT_DONE) {
        code = check_output(table, "run,", 4, "a table of runs");
    }
    if (code == EXIT_DONE) {
        code = check_report(page);
    }
    free(table);
    free(page);
    return code;
}

static void block_signals(sweep_job *job) {
    (void)sigemptyset(&job->waiting);
    (void)sigaddset(&job->waiting, SIGCHLD);
    (void)sigaddset(&job->waiting, SIGINT);
    (void)sigaddset(&job->waiting, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &job->waiting, &job->before);
}

/* What the program ends with, and a last line about it. */
static int conclude(const sweep_job *job) {
    int failed = 0;
    for (int i = 0; i < job->nruns; i++) {
        failed += job->run[i].message[0] != '\0';
    }
    if (!job->quiet) {
        (void)fprintf(stderr, "gossamer: %d of %d runs complete; %s/table.csv, %s/report.html\n",
                      job->nruns - failed, job->nruns, job->folder, job->folder);
    }
    if (job->stop != 0) {
        (void)complain("interrupted; what was finished is in %s", job->folder);
        return EXIT_STOPPED;
    }
    return failed > 0 ? EXIT_FAILED : EXIT_DONE;
}

static int sweep(sweep_job *job) {
    int code =
        job->vary.n > 0 ? EXIT_DONE : complain("sweep: --vary NAME=FROM:TO:NUMBER is missing");
    double until;
    if (code == EXIT_DONE && job->until != NULL &&
        !(parse_number(job->until, &until) && until > 0)) {
        code = complain("sweep: --until needs a time after 0");
    }
    for (int i = 0; i < job->vary.n && code == EXIT_DONE; i++) {
        code = add_parameter(job, job->vary.v[i]);
    }
    if (code == EXIT_DONE) {
        code = check_model(job);
    }
    if (code == EXIT_DONE) {
        code = prepare_folder(job);
    }
    if (code == EXIT_DONE) {
        code = make_grid(job);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    (void)fflush(stdout); // or children would write it again
    block_signals(job);
    run_all(job);
    (void)sigprocmask(SIG_SETMASK, &job->before, NULL);
    code = write_table(job);
    const int reported = code == EXIT_DONE ? write_family(job) : code;
    const int concluded = conclude(job);
    return reported != EXIT_DONE && concluded == EXIT_DONE ? reported : concluded;
}

static void free_job(sweep_job *job) {
    for (int i = 0; i < job->nruns; i++) {
        for (char **a = job->run[i].arguments; a != NULL && *a != NULL; a++) {
            free(*a);
        }
        free(job->run[i].arguments);
        free(job->run[i].path);
    }
    for (int i = 0; i < job->nparameters; i++) {
        for (int k = 0; k < job->parameter[i].n; k++) {
            free(job->parameter[i].value[k]);
        }
        free(job->parameter[i].value);
        free(job->parameter[i].name);
    }
    free(job->run);
    free(job->values);
    free(job->chosen);
    free_list(&job->vary);
    free_list(&job->settings);
    gos_ctx_destroy(job->ctx);
}

int command_sweep(int argc, char **argv) {
    sweep_job job = {0};
    bool jobs_given = false;
    const option options[] = {{"--vary", OPTION_LIST, &job.vary, NULL},
                              {"-o", OPTION_TEXT, &job.folder, NULL},
                              {"--reduced", OPTION_FLAG, &job.reduced, NULL},
                              {"--set", OPTION_LIST, &job.settings, NULL},
                              {"--until", OPTION_TEXT, &job.until, NULL},
                              {"--jobs", OPTION_COUNT, &job.jobs, &jobs_given},
                              {"--quiet", OPTION_FLAG, &job.quiet, NULL},
                              {0}};
    text_list rest = {0};
    int code = parse_arguments("sweep", argc, argv, options, &rest, 1, 1);
    if (code < 0) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        job.jobs = jobs_given ? job.jobs : cores > 0 ? (int)cores : 1;
        job.model = rest.v[0];
        job.ctx = gos_ctx_create();
        code = job.ctx != NULL ? sweep(&job) : EXIT_FAILED;
    }
    free_job(&job);
    free_list(&rest);
    return code;
}
