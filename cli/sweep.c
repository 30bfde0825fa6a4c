/* gossamer sweep: a grid of runs in parallel processes, one table, one report.
 *
 * Each run is this program again (gossamer run), so that one that fails or is killed takes nothing with
 * it. Signals are blocked and waited for: there is no moment at which one could be missed. Children are in
 * process groups of their own, a Ctrl-C of the terminal reaches only us, and each of them gets exactly one
 * signal to stop in good order. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sweep.h"

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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
        if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
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
        return sweep_no_memory();
    }
    if (mkdir(job->folder, 0777) != 0 && errno != EEXIST) {
        return complain("%s: cannot make this folder: %s", job->folder, strerror(errno));
    }
    char *table = sweep_inside(job, "table.csv"), *page = sweep_inside(job, "report.html");
    int code = table != NULL && page != NULL ? EXIT_DONE : sweep_no_memory();
    if (code == EXIT_DONE) {
        code = check_output(table, "run,", NULL, "a table of runs");
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
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) != 0 || hangup.sa_handler != SIG_IGN) {
        (void)sigaddset(&job->waiting, SIGHUP);
    }
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
                      job->nruns - failed, job->nruns, plain(job->folder), plain(job->folder));
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
        code = sweep_add_parameter(job, job->vary.v[i]);
    }
    if (code == EXIT_DONE) {
        code = check_model(job);
    }
    if (code == EXIT_DONE) {
        code = prepare_folder(job);
    }
    if (code == EXIT_DONE) {
        code = sweep_make_grid(job);
    }
    if (code != EXIT_DONE) {
        return code;
    }
    (void)fflush(stdout); // or children would write it again
    block_signals(job);
    run_all(job);
    (void)sigprocmask(SIG_SETMASK, &job->before, NULL);
    code = sweep_write_table(job);
    const int reported = code == EXIT_DONE ? sweep_write_report(job) : code;
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
