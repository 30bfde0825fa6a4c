/* The grid of a sweep: values of parameters from the command line, all their combinations, and for each the
   name of its results and the arguments of its run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

enum { MAX_VALUES = 100000, MAX_RUNS = 100000, NAME_MAX_LENGTH = 120 };

int sweep_no_memory(void) {
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
            return sweep_no_memory();
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
            return sweep_no_memory();
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

int sweep_add_parameter(sweep_job *job, const char *text) {
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
        return sweep_no_memory();
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

int sweep_make_grid(sweep_job *job) {
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
        return sweep_no_memory();
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
            return sweep_no_memory();
        }
        r->name = strrchr(r->path, '/') + 1;
    }
    return EXIT_DONE;
}
