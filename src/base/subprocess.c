/* A program connected by a socket pair to its standard input and output, in its own process group,
 * so that Ctrl-C reaches only this process, which then ends it. */
#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POLL_MILLISECONDS 100 // [ms] between checks of progress and interruption
#define EXIT_SECONDS 10.0     // [s] allowed for ending after the connection is closed

struct gos_partner {
    gos_ctx *ctx;
    pid_t pid;
    int end;      // our end of the socket
    bool useless; // interrupted, ended, or answered incorrectly
    long number;  // of the last request
    char *errors;
    char name[64];
};

static bool beside(const char *name, size_t size, char *path) {
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);
    path[n > 0 ? n : 0] = '\0';
    char *last = strrchr(path, '/');
    if (!last || (size_t)(last - path) + strlen(name) + 2 > size) {
        return false;
    }
    memcpy(last + 1, name, strlen(name) + 1);
    return access(path, X_OK) == 0;
}

static bool in_path(const char *name, size_t size, char *path) {
    for (const char *at = getenv("PATH"); at && *at;) {
        const size_t n = strcspn(at, ":");
        if (n > 0 && (size_t)snprintf(path, size, "%.*s/%s", (int)n, at, name) < size &&
            access(path, X_OK) == 0) {
            return true;
        }
        at += n + (at[n] == ':');
    }
    return false;
}

bool gos__partner_find(const char *variable, const char *name, size_t size, char *path) {
    const char *given = getenv(variable);
    if (given && *given) {
        return (size_t)snprintf(path, size, "%s", given) < size && access(path, X_OK) == 0;
    }
    return beside(name, size, path) || in_path(name, size, path);
}

/* Does not return. */
static void be_child(char *const *argv, int end, int errors) {
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)dup2(end, STDIN_FILENO);
    (void)dup2(end, STDOUT_FILENO);
    if (errors >= 0) {
        (void)dup2(errors, STDERR_FILENO);
    }
    (void)execvp(argv[0], argv);
    _exit(127);
}

static gos_status start(gos_partner *p, char *const *argv) {
    int ends[2], errors = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return gos__fail(p->ctx, GOS_E_FILE, "%s cannot be started: %s", argv[0], strerror(errno));
    }
    if (p->errors) {
        errors = open(p->errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    p->pid = fork();
    if (p->pid == 0) {
        be_child(argv, ends[1], errors);
    }
    const int why = errno;
    (void)close(ends[1]);
    if (errors >= 0) {
        (void)close(errors);
    }
    p->end = ends[0];
    return p->pid > 0
               ? GOS_OK
               : gos__fail(p->ctx, GOS_E_FILE, "%s cannot be started: %s", argv[0], strerror(why));
}

gos_status gos__partner_start(gos_ctx *ctx, char *const *argv, const char *errors,
                              gos_partner **partner) {
    gos_partner *p = gos__zalloc(ctx, 1, sizeof *p);
    if (!p) {
        return GOS_E_MEMORY;
    }
    *p = (gos_partner){.ctx = ctx, .end = -1};
    (void)snprintf(p->name, sizeof p->name, "%s", argv[0]);
    gos_status status = GOS_OK;
    if (errors) {
        p->errors = gos__alloc(ctx, strlen(errors) + 1, 1);
        status = p->errors ? GOS_OK : GOS_E_MEMORY;
    }
    if (status == GOS_OK && errors) {
        memcpy(p->errors, errors, strlen(errors) + 1);
    }
    status = status == GOS_OK ? start(p, argv) : status;
    if (status != GOS_OK) {
        gos__partner_stop(p);
        return status;
    }
    *partner = p;
    return GOS_OK;
}

static bool ended(const gos_partner *p, double time) {
    const double began = gos__now();
    for (;;) {
        const pid_t who = waitpid(p->pid, NULL, WNOHANG);
        if (who == p->pid || (who < 0 && errno != EINTR)) {
            return true;
        }
        if (gos__now() - began > time) {
            return false;
        }
        const struct timespec t = {0, 2000000};
        (void)nanosleep(&t, NULL);
    }
}

void gos__partner_stop(gos_partner *p) {
    if (!p) {
        return;
    }
    if (p->end >= 0) {
        (void)close(p->end);
    }
    if (p->pid > 0) {
        if (p->useless) {
            (void)kill(p->pid, SIGTERM);
        }
        if (!ended(p, EXIT_SECONDS)) {
            (void)kill(-p->pid, SIGKILL);
            (void)ended(p, EXIT_SECONDS);
        }
    }
    gos__free(p->ctx, p->errors);
    gos__free(p->ctx, p);
}

static bool send_line(const gos_partner *p, const char *line) {
    const size_t bytes = strlen(line);
    size_t done = 0;
    while (done < bytes) {
        const ssize_t n = send(p->end, line + done, bytes - done, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static gos_status report_failure(gos_partner *p) {
    char line[GOS_PARTNER_LINE] = "";
    FILE *f = p->errors ? fopen(p->errors, "r") : NULL;
    while (f && fgets(line, sizeof line, f) && strspn(line, "-=* \t\n") == strlen(line)) {
        line[0] = '\0';
    }
    if (f) {
        (void)fclose(f);
    }
    line[strcspn(line, "\n")] = '\0';
    p->useless = true;
    return gos__fail(p->ctx, GOS_E_INTERNAL, "%s ended before completing its work%s%s", p->name,
                     line[0] ? ": " : "; it may have run out of memory", line);
}

static gos_status read_answer(gos_partner *p, const char *text, char *answer) {
    for (size_t n = 0; n + 1 < GOS_PARTNER_LINE;) {
        struct pollfd fd = {.fd = p->end, .events = POLLIN};
        const int there = poll(&fd, 1, POLL_MILLISECONDS);
        if (there <= 0) {
            p->useless = gos__progress(p->ctx, 0, text) != GOS_OK;
            if (p->useless) {
                return GOS_E_INTERRUPTED;
            }
            continue;
        }
        const ssize_t got = read(p->end, answer + n, 1);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return report_failure(p);
        }
        if (got > 0 && answer[n] == '\n') {
            answer[n] = '\0';
            return GOS_OK;
        }
        n += got > 0;
    }
    return report_failure(p);
}

/* Removes the number and the length from the answer, if they are right. */
static gos_status check(gos_partner *p, char answer[GOS_PARTNER_LINE]) {
    long number, bytes;
    int at = 0;
    const bool right = sscanf(answer, "#%ld %ld %n", &number, &bytes, &at) == 2 && at > 0 &&
                       number == p->number && bytes == (long)strlen(answer + at);
    if (!right) {
        p->useless = true;
        return gos__fail(p->ctx, GOS_E_INTERNAL,
                         "%s printed '%.80s' instead of the complete answer to request %ld; "
                         "standard output must carry only its answers: other programs or libraries "
                         "that print must use standard error",
                         p->name, answer, p->number);
    }
    memmove(answer, answer + at, strlen(answer + at) + 1);
    return GOS_OK;
}

gos_status gos__partner_request(gos_partner *p, const char *text, char answer[GOS_PARTNER_LINE],
                                const char *fmt, ...) {
    char line[GOS_PARTNER_LINE];
    va_list args;
    if (p->useless) {
        return gos__fail(p->ctx, GOS_E_USE, "%s is no longer available", p->name);
    }
    const int n = snprintf(line, sizeof line, "#%ld ", ++p->number);
    va_start(args, fmt);
    (void)vsnprintf(line + n, sizeof line - 1 - (size_t)n, fmt, args);
    va_end(args);
    (void)strcat(line, "\n");
    GOS_TRY(send_line(p, line) ? read_answer(p, text, answer) : report_failure(p));
    return check(p, answer);
}
