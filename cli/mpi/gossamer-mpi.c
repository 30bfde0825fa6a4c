/* gossamer-mpi: a sweep with its results in one file over the ranks of an MPI job.

       mpirun -n RANKS gossamer-mpi MODEL.yaml --vary ... [any option of gossamer sweep]

   Rank 0 lists the parts with `gossamer sweep --parts` and distributes them; the other ranks run
   `gossamer sweep --part K`, which writes to the shared folder DIR/parts. At the end rank 0 runs
   `gossamer sweep --resume`, which collects the parts and runs missing ones. Messages are single
   integers. The program is linked with MPI only, and parts run in child processes: a part that
   crashes does not end its rank.

   Workers send heartbeats. Rank 0 gives the part of a silent worker to another one. This needs an
   MPI whose other ranks survive (mpirun --enable-recovery); otherwise the job ends and can be
   continued with --resume. */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TAG_READY = 1, TAG_ALIVE, TAG_PART, MOST_PARTS = 200000, PAUSE = 5000000 /* ns */ };
#define ALIVE_EVERY 1.0 // [s]
#define WORKER_TIMEOUT                                                                             \
    20.0 // [s] silence after which a worker is lost; GOSSAMER_MPI_SILENT overrides

static char program[4096]; // the gossamer beside this program

static void pause_a_little(void) {
    const struct timespec t = {0, PAUSE};
    (void)nanosleep(&t, NULL);
}

static bool find_program(void) {
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *last = strrchr(program, '/');
    if (!last || (size_t)(last - program) + sizeof "/gossamer" > sizeof program) {
        return false;
    }
    (void)strcpy(last, "/gossamer");
    return access(program, X_OK) == 0;
}

/* Start gossamer sweep ARGUMENTS MORE...; `more` ends with NULL. output: its standard output, or
 * -1. */
static pid_t start(int argc, char **argv, const char *const *more, int output) {
    int n = 0;
    while (more[n]) {
        n++;
    }
    const char **all = calloc((size_t)(argc + n + 2), sizeof *all);
    const pid_t child = all ? fork() : -1;
    if (child != 0) {
        free(all);
        return child;
    }
    int at = 0;
    all[at++] = "gossamer";
    all[at++] = "sweep";
    for (int i = 1; i < argc; i++) {
        all[at++] = argv[i];
    }
    for (int i = 0; i < n; i++) {
        all[at++] = more[i];
    }
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM); // end with a killed rank
    if (output >= 0) {
        (void)dup2(output, STDOUT_FILENO);
    }
    (void)execv(program, (char *const *)all);
    _exit(127);
}

static int wait_for(pid_t child) {
    int how = 0;
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(how) ? WEXITSTATUS(how) : 1;
}

/* ---- workers --------------------------------------------------------------------------------- */

static void send(int number, int rank, int tag) {
    (void)MPI_Send(&number, 1, MPI_INT, rank, tag, MPI_COMM_WORLD);
}

/* Run one part in a child process. A failed part is left to the final --resume. */
static void do_part(int argc, char **argv, int part) {
    char number[16];
    const char *const more[] = {"--one-file", "--part", number, "--quiet", NULL};
    (void)snprintf(number, sizeof number, "%d", part);
    const pid_t child = start(argc, argv, more, -1);
    double reported = MPI_Wtime();
    while (child > 0 && waitpid(child, NULL, WNOHANG) == 0) {
        if (MPI_Wtime() - reported > ALIVE_EVERY) {
            reported = MPI_Wtime();
            send(part, 0, TAG_ALIVE);
        }
        pause_a_little();
    }
}

static void work(int argc, char **argv) {
    for (int part = 0;;) {
        send(part, 0, TAG_READY);
        (void)MPI_Recv(&part, 1, MPI_INT, 0, TAG_PART, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (part <= 0) {
            return;
        }
        do_part(argc, argv, part);
    }
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

typedef struct worker {
    int part;            // current part; 0: none
    double last_message; // time of the last message [s]
    bool waits, lost;
} worker;

typedef struct crew {
    int ranks, *todo, n; // todo (n): parts not being worked on
    worker *of;          // (ranks)
    double silent;
} crew;

static bool list_parts(int argc, char **argv, bool resume, crew *k) {
    int ends[2];
    const char *const more[] = {"--one-file", "--parts", resume ? "--resume" : NULL, NULL};
    if (pipe(ends) != 0) {
        return false;
    }
    const pid_t child = start(argc, argv, more, ends[1]);
    (void)close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    while (in && k->n < MOST_PARTS && fscanf(in, "%d", &k->todo[k->n]) == 1) {
        k->n++;
    }
    if (in) {
        (void)fclose(in);
    }
    for (int i = 0; i < k->n / 2; i++) { // parts are taken from the end
        const int part = k->todo[i];
        k->todo[i] = k->todo[k->n - 1 - i];
        k->todo[k->n - 1 - i] = part;
    }
    return wait_for(child) == 0;
}

static void hear(crew *k) {
    int there = 0, number;
    MPI_Status from;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from) == MPI_SUCCESS &&
           there) {
        (void)MPI_Recv(&number, 1, MPI_INT, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
        worker *w = &k->of[from.MPI_SOURCE];
        w->last_message = MPI_Wtime();
        if (from.MPI_TAG == TAG_READY && !w->lost) {
            w->part = 0;
            w->waits = true;
        }
    }
}

/* Distribute parts. @return number of busy workers */
static int hand_out(crew *k) {
    int busy = 0;
    for (int r = 1; r < k->ranks; r++) {
        worker *w = &k->of[r];
        if (!w->lost && w->part > 0 && MPI_Wtime() - w->last_message > k->silent) {
            (void)fprintf(stderr,
                          "gossamer-mpi: rank %d failed; part %d is reassigned to another rank\n",
                          r, w->part);
            w->lost = true;
            k->todo[k->n++] = w->part;
        }
        if (w->waits && !w->lost && k->n > 0) {
            w->part = k->todo[--k->n];
            w->waits = false;
            w->last_message = MPI_Wtime();
            send(w->part, r, TAG_PART);
        }
        busy += !w->lost && w->part > 0;
    }
    return busy;
}

/* Work until all parts are done or no worker is left. @return no worker was lost */
static bool divide(crew *k) {
    int left = k->ranks - 1;
    while (left > 0) {
        hear(k);
        if (hand_out(k) == 0 && k->n == 0) {
            break;
        }
        left = 0;
        for (int r = 1; r < k->ranks; r++) {
            left += !k->of[r].lost;
        }
        pause_a_little();
    }
    return left == k->ranks - 1;
}

static void dismiss(crew *k) {
    for (int r = 1; r < k->ranks; r++) {
        while (!k->of[r].lost && !k->of[r].waits) {
            hear(k);
            k->of[r].lost = MPI_Wtime() - k->of[r].last_message > k->silent;
        }
        if (!k->of[r].lost) {
            send(0, r, TAG_PART);
        }
    }
}

static int lead(int argc, char **argv, int ranks, bool *whole) {
    const char *const collect[] = {"--one-file", "--resume", NULL};
    const char *silent = getenv("GOSSAMER_MPI_SILENT");
    bool resume = false;
    for (int i = 1; i < argc; i++) {
        resume = resume || strcmp(argv[i], "--resume") == 0;
    }
    crew k = {.ranks = ranks, .silent = silent ? strtod(silent, NULL) : WORKER_TIMEOUT};
    k.todo = calloc(MOST_PARTS + 1, sizeof *k.todo);
    k.of = calloc((size_t)ranks, sizeof *k.of);
    bool good = k.todo && k.of && find_program();
    if (!good) {
        (void)fprintf(
            stderr,
            "gossamer-mpi: out of memory, or the program gossamer is not in the same folder\n");
    }
    for (int r = 0; good && r < ranks; r++) {
        k.of[r].last_message = MPI_Wtime();
    }
    good = good && list_parts(argc, argv, resume, &k);
    *whole = !good || divide(&k);
    dismiss(&k);
    const int code = good ? wait_for(start(argc, argv, collect, -1)) : 2;
    free(k.todo);
    free(k.of);
    return code;
}

int main(int argc, char **argv) {
    int rank, ranks, code = 0;
    bool whole = true;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        return 1;
    }
    (void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) {
        code = lead(argc, argv, ranks, &whole);
    } else if (find_program()) {
        work(argc, argv);
    }
    if (!whole) { // MPI_Finalize would wait for lost ranks
        (void)fflush(NULL);
        (void)MPI_Abort(MPI_COMM_WORLD, code);
    }
    (void)MPI_Finalize();
    return code;
}
