/* Work in forked processes. Each child writes its result into a pipe, on which the parent waits.
 * Interruption is a flag in shared memory, checked by the children's progress functions, which
 * also stop if the parent has ended. */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/context.h"

#define POLL_MILLISECONDS 100 // [ms] between checks of progress and interruption

typedef struct board {
    volatile sig_atomic_t stop;
    volatile double fraction[]; // progress of each slot's piece (jobs)
} board;

/* Slot for one piece at a time. */
typedef struct job_slot {
    pid_t pid; // 0: free
    int piece;
    int pipe; // reading end
    double began;
} job_slot;

typedef struct workers {
    gos_ctx *ctx;
    const gos_division *d;
    board *board;
    job_slot *slot;     // (jobs)
    struct pollfd *fds; // (jobs)
    int jobs, next, ended, running;
    bool stopped;
} workers;

typedef struct note {
    gos_status status;
    char message[GOS_PIECE_TEXT];
} note;

void *gos__shared_alloc(size_t n, size_t size) {
    if (size == 0 || n > SIZE_MAX / size || n == 0) {
        return NULL;
    }
    void *p = mmap(NULL, n * size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void gos__shared_free(void *p, size_t n, size_t size) {
    if (p) {
        (void)munmap(p, n * size);
    }
}

typedef struct child {
    board *board;
    int at; // its slot
    pid_t parent;
    gos_progress_fn
        caller_progress; // callback of the caller, which may interrupt this process only
    void *user;
} child;

static int child_progress(void *user, double fraction, double seconds, const char *text) {
    const child *c = user;
    GOS_UNUSED(text);
    c->board->fraction[c->at] = fraction;
    return c->board->stop || getppid() != c->parent ||
           (c->caller_progress && c->caller_progress(c->user, fraction, seconds, NULL) != 0);
}

/* Does not return. Resources of the parent are not closed, flushed or freed. */
static void be_child(const workers *w, int at, int piece, int pipe, pid_t parent) {
    child c = {w->board, at, parent, w->ctx->progress, w->ctx->progress_user};
    gos_ctx_clear(w->ctx);
    gos_ctx_set_progress(w->ctx, child_progress, &c);
    gos__progress_start(w->ctx);
    note n = {.status = w->d->work(w->d->user, w->ctx, piece)};
    (void)snprintf(n.message, sizeof n.message, "%s", gos_ctx_message(w->ctx));
    const ssize_t written = write(pipe, &n, sizeof n); // less than the pipe capacity
    _exit(written == (ssize_t)sizeof n ? 0 : 1);
}

static void end_piece(workers *w, int piece, const gos_piece_end *end) {
    w->ended++;
    if (w->d->end) {
        w->d->end(w->d->user, piece, end);
    }
}

/* not inherited by other programs */
static bool open_pipe(int ends[2]) {
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static void start(workers *w, int at) {
    const int piece = w->next++;
    int ends[2] = {-1, -1};
    if (w->d->begin) {
        w->d->begin(w->d->user, piece);
    }
    const pid_t parent = getpid();
    w->board->fraction[at] = 0;
    const pid_t pid = open_pipe(ends) ? fork() : -1;
    if (pid == 0) {
        be_child(w, at, piece, ends[1], parent);
    }
    if (pid < 0) {
        gos_piece_end end = {.status = GOS_E_MEMORY};
        (void)snprintf(end.message, sizeof end.message, "cannot start a process: %s",
                       strerror(errno));
        if (ends[0] >= 0) {
            (void)close(ends[0]);
            (void)close(ends[1]);
        }
        end_piece(w, piece, &end);
        return;
    }
    (void)close(ends[1]);
    w->slot[at] = (job_slot){.pid = pid, .piece = piece, .pipe = ends[0], .began = gos__now()};
    w->running++;
}

/* @return false: the child ended before writing everything */
static bool read_note(int pipe, note *n) {
    size_t got = 0;
    *n = (note){.status = GOS_E_INTERNAL};
    while (got < sizeof *n) {
        const ssize_t more = read(pipe, (char *)n + got, sizeof *n - got);
        if (more == 0 || (more < 0 && errno != EINTR)) {
            return false;
        }
        got += more > 0 ? more : 0;
    }
    n->message[sizeof n->message - 1] = '\0';
    return true;
}

/* The child in this slot has written or ended. */
static void finish(workers *w, int at) {
    job_slot *p = &w->slot[at];
    note n;
    const bool has_note = read_note(p->pipe, &n);
    (void)close(p->pipe);
    int how = 0;
    pid_t ended;
    do {
        ended = waitpid(p->pid, &how, 0);
    } while (ended < 0 && errno == EINTR);
    gos_piece_end end = {.started = true,
                         .status = has_note ? n.status : GOS_E_INTERNAL,
                         .wall = gos__now() - p->began};
    if (has_note) {
        memcpy(end.message, n.message, sizeof end.message);
    } else if (ended > 0 && WIFSIGNALED(how)) {
        (void)snprintf(end.message, sizeof end.message, "killed by signal %d", WTERMSIG(how));
    } else {
        (void)snprintf(end.message, sizeof end.message, "ended without a result");
    }
    p->pid = 0;
    w->running--;
    end_piece(w, p->piece, &end);
}

static void report_progress(workers *w) {
    double done = w->ended;
    char text[128];
    for (int i = 0; i < w->jobs; i++) {
        done += w->slot[i].pid > 0 ? w->board->fraction[i] : 0;
    }
    (void)snprintf(text, sizeof text, "%s: %d of %d done, %d running", w->d->text, w->ended,
                   w->d->n, w->running);
    if (!w->stopped && gos__progress(w->ctx, done / w->d->n, text) != GOS_OK) {
        w->stopped = true;
        w->board->stop = 1;
    }
}

static void wait_for_children(workers *w) {
    for (int i = 0; i < w->jobs; i++) {
        w->fds[i] =
            (struct pollfd){.fd = w->slot[i].pid > 0 ? w->slot[i].pipe : -1, .events = POLLIN};
    }
    if (poll(w->fds, (nfds_t)w->jobs, POLL_MILLISECONDS) <= 0) {
        return;
    }
    for (int i = 0; i < w->jobs; i++) {
        if (w->fds[i].fd >= 0 && w->fds[i].revents != 0) {
            finish(w, i);
        }
    }
}

static void do_all(workers *w) {
    gos__progress_start(w->ctx);
    while (w->running > 0 || (w->next < w->d->n && !w->stopped)) {
        for (int i = 0; i < w->jobs; i++) {
            if (w->slot[i].pid == 0 && w->next < w->d->n && !w->stopped) {
                start(w, i);
            }
        }
        report_progress(w);
        if (w->running > 0) {
            wait_for_children(w);
        }
    }
}

gos_status gos__divide(gos_ctx *ctx, const gos_division *division) {
    const int n = division->n;
    workers w = {.ctx = ctx, .d = division, .jobs = division->jobs < n ? division->jobs : n};
    if (n <= 0) {
        return GOS_OK;
    }
    w.jobs = w.jobs < 1 ? 1 : w.jobs;
    const size_t bytes = sizeof(board) + w.jobs * sizeof(double);
    w.board = gos__shared_alloc(bytes, 1);
    w.slot = gos__zalloc(ctx, w.jobs, sizeof *w.slot);
    w.fds = gos__zalloc(ctx, w.jobs, sizeof *w.fds);
    gos_status status = w.slot && w.fds ? GOS_OK : GOS_E_MEMORY;
    if (status == GOS_OK && !w.board) {
        status = gos__fail(ctx, GOS_E_MEMORY, "out of memory: cannot allocate shared memory");
    }
    if (status == GOS_OK) {
        do_all(&w);
        status = w.stopped ? GOS_E_INTERRUPTED : GOS_OK;
    }
    gos__shared_free(w.board, bytes, 1);
    gos__free(ctx, w.slot);
    gos__free(ctx, w.fds);
    return status;
}
