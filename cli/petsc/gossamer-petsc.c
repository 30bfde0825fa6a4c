/* gossamer-petsc: factorises a symmetric matrix distributed by rows over the ranks of an MPI job,
   solves with it, and computes its lowest modes.

       mpirun -n RANKS gossamer-petsc DIR

   Started by the library (src/linalg/petsc.c), which is not linked with MPI, PETSc and SLEPc. Rank
   0 reads one command per line, "#NUMBER COMMAND", from standard input and answers each with one
   line, "#NUMBER BYTES ANSWER", where BYTES is the length of ANSWER. Numbers are in
   files of the shared folder DIR; each rank reads and writes its own rows. MUMPS factorises
   (PETSc's PCCHOLESKY) and counts negative pivots; shift-invert Krylov-Schur (SLEPc) computes the
   modes. PETSC_OPTIONS sets further PETSc options. With GOSSAMER_PETSC_TIMES the cost of each
   command is printed. */
#include <errno.h>
#include <fcntl.h>
#include <petscksp.h>
#include <slepceps.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define TOLERANCE 1e-9       // |A x - theta x| / theta of a Ritz vector
#define RESTARTS 60          // of Krylov-Schur
#define MAX_SHIFT_RATIO 10.0 // the shift is too far if |shift| / eigenvalue exceeds this
#define EXTRA_VECTORS 16     // minimum number of additional vectors
#define GROWTH 5             // maximum number of enlargements of the MUMPS workspace
#define PAUSE 1000000        // [ns] polling interval of waiting ranks

enum { WORDS = 8, LINE = 256 };

/* a command with its arguments, broadcast to all ranks */
typedef struct order {
    int command;
    long number; // of the request
    double word[WORDS];
} order;

typedef struct job {
    const char *folder;
    int rank;
    bool times;
    int64_t n;         // order of the matrix
    PetscInt from, to; // rows of this rank
    int64_t *p;        // (to - from + 1) start of each row in the files
    int *column;       // column indices, upper triangle
    Mat A, M;          // (shifted) stiffness to factorise, mass matrix
    KSP ksp;
    EPS eps;
    int workspace; // ICNTL(14) of MUMPS [%]
    double *theta; // (room) Ritz values that are not locked
    PetscInt room, count, locked;
    double shift, reach; // shift of the matrix; estimate of the last wanted eigenvalue
    bool look, far;      // check whether the shift is too far below; it is
    char answer[LINE];
} job;

/* ---- files ----------------------------------------------------------------------------------- */

static int open_file(const job *j, const char *name, int flags) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", j->folder, name);
    return open(path, flags, 0600);
}

/* Read or write bytes at an offset of a file. */
static bool transfer(int file, void *data, size_t bytes, int64_t at, bool writing) {
    char *to = data;
    while (bytes > 0) {
        const size_t some = bytes < ((size_t)1 << 30) ? bytes : (size_t)1 << 30;
        const ssize_t n = writing ? pwrite(file, to, some, at) : pread(file, to, some, at);
        if (n == 0 || (n < 0 && errno != EINTR)) {
            return false;
        }
        to += n > 0 ? n : 0;
        at += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static PetscErrorCode read_part(const job *j, const char *name, int64_t at, size_t bytes,
                                void *data) {
    PetscFunctionBeginUser;
    const int file = open_file(j, name, O_RDONLY);
    const bool good = file >= 0 && transfer(file, data, bytes, at, false);
    if (file >= 0) {
        (void)close(file);
    }
    PetscCheck(good, PETSC_COMM_SELF, PETSC_ERR_FILE_READ, "%s/%s: %s", j->folder, name,
               strerror(errno));
    PetscFunctionReturn(0);
}

/* Read or write this rank's rows of an array (n, ncol), stored by columns. */
static PetscErrorCode columns(const job *j, const char *name, PetscInt ncol, double *x, PetscInt ld,
                              bool writing) {
    PetscFunctionBeginUser;
    const int file = open_file(j, name, writing ? O_WRONLY | O_CREAT : O_RDONLY);
    bool good = file >= 0;
    for (int64_t c = 0; c < ncol && good; c++) {
        good = transfer(file, x + c * ld, (size_t)(j->to - j->from) * sizeof *x,
                        (c * j->n + j->from) * (int64_t)sizeof *x, writing);
    }
    if (file >= 0) {
        good = close(file) == 0 && good;
    }
    PetscCheck(good, PETSC_COMM_SELF, writing ? PETSC_ERR_FILE_WRITE : PETSC_ERR_FILE_READ,
               "%s/%s: %s", j->folder, name, strerror(errno));
    PetscFunctionReturn(0);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* Create this rank's rows of the upper triangle. Zeros of a mass matrix (value != NULL) are
   omitted. */
static PetscErrorCode make_matrix(const job *j, const double *value, Mat *A) {
    PetscInt *inside, *outside, rows = j->to - j->from;
    PetscFunctionBeginUser;
    PetscCall(PetscCalloc2(rows + 1, &inside, rows + 1, &outside));
    for (PetscInt r = 0; r < rows; r++) {
        for (int64_t k = j->p[r] - j->p[0]; k < j->p[r + 1] - j->p[0]; k++) {
            inside[r] += j->column[k] < j->to && !(value && value[k] == 0);
            outside[r] += j->column[k] >= j->to && !(value && value[k] == 0);
        }
    }
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetSizes(*A, rows, rows, (PetscInt)j->n, (PetscInt)j->n));
    PetscCall(MatSetType(*A, MATSBAIJ));
    PetscCall(MatSeqSBAIJSetPreallocation(*A, 1, 0, inside));
    PetscCall(MatMPISBAIJSetPreallocation(*A, 1, 0, inside, 0, outside));
    PetscCall(PetscFree2(inside, outside));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_values(const job *j, const double *value, bool zeros, Mat A) {
    PetscFunctionBeginUser;
    for (PetscInt r = 0; r < j->to - j->from; r++) {
        const PetscInt row = j->from + r;
        for (int64_t k = j->p[r] - j->p[0]; k < j->p[r + 1] - j->p[0]; k++) {
            if (zeros || value[k] != 0) {
                const PetscInt column = j->column[k];
                PetscCall(MatSetValues(A, 1, &row, 1, &column, value + k, INSERT_VALUES));
            }
        }
    }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* Read this rank's values of the entries of the pattern. */
static PetscErrorCode read_values(const job *j, const char *name, double **value) {
    const int64_t rows = j->to - j->from;
    const size_t count = (size_t)(j->p[rows] - j->p[0]);
    PetscFunctionBeginUser;
    PetscCall(PetscMalloc1(count + 1, value));
    PetscCall(
        read_part(j, name, j->p[0] * (int64_t)sizeof **value, count * sizeof **value, *value));
    PetscFunctionReturn(0);
}

/* file pattern: order (int64), row starts (order + 1, int64), columns (int32) */
static PetscErrorCode take_pattern(job *j) {
    Vec x;
    PetscFunctionBeginUser;
    PetscCall(read_part(j, "pattern", 0, sizeof j->n, &j->n));
    PetscCall(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, (PetscInt)j->n, &x));
    PetscCall(VecGetOwnershipRange(x, &j->from, &j->to));
    PetscCall(VecDestroy(&x));
    const int64_t rows = j->to - j->from, head = (j->n + 2) * (int64_t)sizeof(int64_t);
    PetscCall(PetscMalloc1(rows + 1, &j->p));
    PetscCall(read_part(j, "pattern", (j->from + 1) * (int64_t)sizeof *j->p,
                        (size_t)(rows + 1) * sizeof *j->p, j->p));
    const size_t count = (size_t)(j->p[rows] - j->p[0]);
    PetscCall(PetscMalloc1(count + 1, &j->column));
    PetscCall(read_part(j, "pattern", head + j->p[0] * (int64_t)sizeof *j->column,
                        count * sizeof *j->column, j->column));
    PetscCall(make_matrix(j, NULL, &j->A));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &j->ksp));
    PetscFunctionReturn(0);
}

static PetscErrorCode take_mass(job *j) {
    double *value;
    PetscFunctionBeginUser;
    PetscCall(read_values(j, "mass", &value));
    PetscCall(make_matrix(j, value, &j->M));
    PetscCall(set_values(j, value, false, j->M));
    PetscCall(PetscFree(value));
    PetscFunctionReturn(0);
}

/* ---- factorisation --------------------------------------------------------------------------- */

static PetscErrorCode set_up(job *j, Mat *factor, MatFactorError *error) {
    char text[16];
    PC pc;
    PetscFunctionBeginUser;
    (void)snprintf(text, sizeof text, "%d", j->workspace);
    PetscCall(PetscOptionsSetValue(NULL, "-mat_mumps_icntl_14", text));
    PetscCall(KSPSetOperators(j->ksp, j->A, j->A));
    PetscCall(KSPSetType(j->ksp, KSPPREONLY));
    PetscCall(KSPGetPC(j->ksp, &pc));
    PetscCall(PCSetType(pc, PCCHOLESKY));
    PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    PetscCall(KSPSetFromOptions(j->ksp));
    PetscCall(KSPSetUp(j->ksp));
    PetscCall(PCFactorGetMatrix(pc, factor));
    PetscCall(MatFactorGetError(*factor, error));
    PetscFunctionReturn(0);
}

static PetscErrorCode factorise(job *j) {
    double *value;
    Mat F = NULL;
    MatFactorError error = MAT_FACTOR_NOERROR;
    PetscInt negative = 0;
    PetscFunctionBeginUser;
    PetscCall(EPSDestroy(&j->eps)); // it keeps a reference to the matrix
    PetscCall(read_values(j, "values", &value));
    PetscCall(set_values(j, value, true, j->A));
    PetscCall(PetscFree(value));
    PetscCall(set_up(j, &F, &error));
    for (int i = 0; i < GROWTH && error == MAT_FACTOR_OUTMEMORY; i++) {
        j->workspace = 2 * j->workspace + 20; // delayed pivots are unknown to the analysis
        PetscCall(KSPReset(j->ksp));
        PetscCall(set_up(j, &F, &error));
    }
    if (error == MAT_FACTOR_NOERROR) {
        PetscCall(MatGetInertia(F, &negative, NULL, NULL));
        (void)snprintf(j->answer, sizeof j->answer, "ok %ld", (long)negative);
    } else {
        (void)snprintf(j->answer, sizeof j->answer, "%s",
                       error == MAT_FACTOR_OUTMEMORY ? "memory" : "singular");
        PetscCall(KSPReset(j->ksp));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(job *j, PetscInt ncol) {
    Mat B, X, F;
    PC pc;
    double *x;
    const PetscInt rows = j->to - j->from;
    PetscFunctionBeginUser;
    PetscCall(MatCreateDense(PETSC_COMM_WORLD, rows, PETSC_DECIDE, (PetscInt)j->n, ncol, NULL, &B));
    PetscCall(MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, &X));
    PetscCall(MatDenseGetArrayWrite(B, &x));
    PetscCall(columns(j, "right", ncol, x, rows, false));
    PetscCall(MatDenseRestoreArrayWrite(B, &x));
    PetscCall(MatAssemblyBegin(B, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(B, MAT_FINAL_ASSEMBLY));
    PetscCall(KSPGetPC(j->ksp, &pc));
    PetscCall(PCFactorGetMatrix(pc, &F));
    PetscCall(MatMatSolve(F, B, X));
    PetscCall(MatDenseGetArray(X, &x));
    PetscCall(columns(j, "solution", ncol, x, rows, true));
    PetscCall(MatDenseRestoreArray(X, &x));
    PetscCall(MatDestroy(&B));
    PetscCall(MatDestroy(&X));
    PetscCall(MPI_Barrier(PETSC_COMM_WORLD) == MPI_SUCCESS ? 0 : PETSC_ERR_LIB);
    (void)snprintf(j->answer, sizeof j->answer, "ok");
    PetscFunctionReturn(0);
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* Relative error of a Ritz value theta = 1 / (lambda - shift); called for all values that are not
 * locked. */
static PetscErrorCode test_residual(EPS eps, PetscScalar re, PetscScalar im, PetscReal residual,
                                    PetscReal *error, void *user) {
    job *j = user;
    PetscFunctionBeginUser;
    (void)eps, (void)im;
    *error = residual / PetscAbsScalar(re);
    if (j->count < j->room) {
        j->theta[j->count++] = re;
    }
    PetscFunctionReturn(0);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Stopping test after each restart: converged, or the shift is too far below the eigenvalues. */
static PetscErrorCode decide(EPS eps, PetscInt its, PetscInt most, PetscInt converged,
                             PetscInt wanted, EPSConvergedReason *reason, void *user) {
    job *j = user;
    PetscFunctionBeginUser;
    PetscCall(EPSStoppingBasic(eps, its, most, converged, wanted, reason, NULL));
    const PetscInt last = wanted - 1 - j->locked;
    qsort(j->theta, (size_t)j->count, sizeof *j->theta, by_size);
    if (*reason == EPS_CONVERGED_ITERATING && last >= 0 && last < j->count && j->theta[last] > 0) {
        j->reach = j->shift + 1 / j->theta[last];
        j->far = j->look && -j->shift > MAX_SHIFT_RATIO * j->reach;
        *reason = j->far ? EPS_CONVERGED_USER : *reason;
    }
    j->locked = converged;
    j->count = 0;
    PetscFunctionReturn(0);
}

static PetscErrorCode leave_out(job *j, PetscInt known) {
    Vec *v;
    PetscFunctionBeginUser;
    if (known > 0) {
        Vec one;
        PetscCall(MatCreateVecs(j->A, &one, NULL));
        PetscCall(VecDuplicateVecs(one, known, &v));
        PetscCall(VecDestroy(&one));
        const PetscInt rows = j->to - j->from;
        double *all, *x;
        PetscCall(PetscMalloc1((size_t)rows * (size_t)known + 1, &all));
        PetscCall(columns(j, "known", known, all, rows, false));
        for (PetscInt k = 0; k < known; k++) {
            PetscCall(VecGetArrayWrite(v[k], &x));
            memcpy(x, all + (size_t)k * (size_t)rows, (size_t)rows * sizeof *x);
            PetscCall(VecRestoreArrayWrite(v[k], &x));
        }
        PetscCall(PetscFree(all));
        PetscCall(EPSSetDeflationSpace(j->eps, known, v));
        PetscCall(VecDestroyVecs(known, &v));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode make_search(job *j, PetscInt known, PetscInt want) {
    ST st;
    const PetscInt more = want / 2 > EXTRA_VECTORS ? want / 2 : EXTRA_VECTORS;
    PetscFunctionBeginUser;
    PetscCall(EPSDestroy(&j->eps));
    PetscCall(EPSCreate(PETSC_COMM_WORLD, &j->eps));
    PetscCall(EPSSetOperators(j->eps, j->A, j->M));
    PetscCall(EPSSetProblemType(j->eps, EPS_GHEP));
    PetscCall(EPSSetType(j->eps, EPSKRYLOVSCHUR));
    PetscCall(EPSSetWhichEigenpairs(j->eps, EPS_TARGET_MAGNITUDE));
    PetscCall(EPSSetTarget(j->eps, 0)); // the shift is in the matrix
    PetscCall(EPSGetST(j->eps, &st));
    PetscCall(STSetType(st, STSINVERT));
    PetscCall(STSetMatMode(st, ST_MATMODE_INPLACE)); // use the existing factorisation
    PetscCall(STSetKSP(st, j->ksp));
    PetscCall(EPSSetDimensions(j->eps, want, want + more, PETSC_DEFAULT));
    PetscCall(EPSSetTolerances(j->eps, TOLERANCE, RESTARTS));
    PetscCall(EPSSetPurify(j->eps, PETSC_FALSE)); // not needed: all vectors are results of solves
    PetscCall(EPSSetConvergenceTestFunction(j->eps, test_residual, j, NULL));
    PetscCall(EPSSetStoppingTestFunction(j->eps, decide, j, NULL));
    PetscCall(EPSSetTrackAll(j->eps, PETSC_TRUE));
    PetscCall(leave_out(j, known));
    PetscCall(EPSSetFromOptions(j->eps));
    PetscFunctionReturn(0);
}

/* Write eigenvalues and errors to file modes, vectors to file vectors. */
static PetscErrorCode write_modes(job *j, PetscInt count, double shift) {
    Vec x;
    double *numbers;
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(j->A, &x, NULL));
    PetscCall(PetscMalloc1(2 * count + 1, &numbers));
    const int file = open_file(j, "vectors", O_WRONLY | O_CREAT);
    bool good = file >= 0;
    for (int64_t k = 0; k < count; k++) {
        const PetscScalar *its;
        PetscReal error;
        PetscScalar value;
        PetscCall(EPSGetEigenpair(j->eps, (PetscInt)k, &value, NULL, x, NULL));
        PetscCall(EPSGetErrorEstimate(j->eps, (PetscInt)k, &error));
        numbers[2 * k] = value + shift;
        numbers[2 * k + 1] = error;
        PetscCall(VecGetArrayRead(x, &its));
        good =
            good && transfer(file, (void *)(uintptr_t)its, (size_t)(j->to - j->from) * sizeof *its,
                             (k * j->n + j->from) * (int64_t)sizeof *its, true);
        PetscCall(VecRestoreArrayRead(x, &its));
    }
    good = file >= 0 && close(file) == 0 && good;
    if (j->rank == 0) {
        const int list = open_file(j, "modes", O_WRONLY | O_CREAT);
        good = list >= 0 && transfer(list, numbers, 2 * (size_t)count * sizeof *numbers, 0, true) &&
               good;
        good = list >= 0 && close(list) == 0 && good;
    }
    PetscCheck(good, PETSC_COMM_SELF, PETSC_ERR_FILE_WRITE, "%s: %s", j->folder, strerror(errno));
    PetscCall(PetscFree(numbers));
    PetscCall(VecDestroy(&x));
    PetscCall(MPI_Barrier(PETSC_COMM_WORLD) == MPI_SUCCESS ? 0 : PETSC_ERR_LIB);
    PetscFunctionReturn(0);
}

/* Compute `want` modes besides the `known` ones; look: check whether the shift is too far below. */
static PetscErrorCode find(job *j, PetscInt known, PetscInt want, double shift, bool look) {
    PetscInt count = 0;
    PetscFunctionBeginUser;
    j->look = look;
    j->far = false;
    j->shift = shift;
    j->locked = j->count = 0;
    j->room = 4 * want + 4 * EXTRA_VECTORS;
    PetscCall(PetscMalloc1(j->room, &j->theta));
    PetscCall(make_search(j, known, want));
    PetscCall(EPSSolve(j->eps));
    PetscCall(EPSGetConverged(j->eps, &count));
    PetscCall(PetscFree(j->theta));
    if (j->far) {
        (void)snprintf(j->answer, sizeof j->answer, "far %.17g", j->reach);
    } else {
        count = count < want ? count : want;
        PetscCall(write_modes(j, count, shift));
        (void)snprintf(j->answer, sizeof j->answer, "ok %ld", (long)count);
    }
    PetscFunctionReturn(0);
}

/* ---- commands -------------------------------------------------------------------------------- */

static const char *const command_name[] = {"end", "pattern", "mass", "factor", "solve", "find"};

/* rank 0: read the next command; "end" at the end of the input */
static order read_order(void) {
    char line[LINE], name[LINE] = "end";
    order o = {0};
    if (!fgets(line, sizeof line, stdin)) {
        return o;
    }
    int at = 0;
    if (sscanf(line, "#%ld %255s%n", &o.number, name, &at) != 2) {
        return o;
    }
    for (int i = 0; i < (int)(sizeof command_name / sizeof *command_name); i++) {
        o.command = strcmp(name, command_name[i]) == 0 ? i : o.command;
    }
    for (int i = 0, used = 0; i < WORDS && sscanf(line + at, "%lf%n", &o.word[i], &used) == 1;
         i++) {
        at += used;
    }
    return o;
}

/* Broadcast the next command; waiting ranks sleep. */
static order next_order(int rank) {
    order o = {0};
    MPI_Request request;
    int done = 0;
    if (rank == 0) {
        o = read_order();
    }
    (void)MPI_Ibcast(&o, (int)sizeof o, MPI_BYTE, 0, PETSC_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
        const struct timespec t = {0, PAUSE};
        (void)nanosleep(&t, NULL);
    }
    return o;
}

static PetscErrorCode obey(job *j, const order *o) {
    const double *w = o->word;
    PetscFunctionBeginUser;
    (void)snprintf(j->answer, sizeof j->answer, "ok");
    switch (o->command) {
    case 1:
        PetscCall(take_pattern(j));
        break;
    case 2:
        PetscCall(take_mass(j));
        break;
    case 3:
        PetscCall(factorise(j));
        break;
    case 4:
        PetscCall(solve(j, (PetscInt)w[0]));
        break;
    default:
        PetscCall(find(j, (PetscInt)w[0], (PetscInt)w[1], w[2], w[3] != 0));
    }
    PetscFunctionReturn(0);
}

static double processor_time(void) {
    struct rusage use;
    (void)getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static void tell_cost(const job *j, const order *o, double began, double used) {
    struct rusage use;
    (void)getrusage(RUSAGE_SELF, &use);
    const double mine[] = {(double)use.ru_maxrss * 1024e-9, processor_time() - used};
    double all[2] = {0};
    (void)MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, PETSC_COMM_WORLD);
    if (j->rank == 0) {
        (void)fprintf(
            stderr,
            "gossamer-petsc: %-8s %8.2f s, processor time %8.2f s, peak memory %.2f GB: %s\n",
            command_name[o->command], MPI_Wtime() - began, all[1], all[0], j->answer);
    }
}

static PetscErrorCode work(job *j) {
    PetscFunctionBeginUser;
    for (;;) {
        const order o = next_order(j->rank);
        if (o.command == 0) {
            break;
        }
        const double began = MPI_Wtime(), used = processor_time();
        PetscCall(obey(j, &o));
        if (j->times) {
            tell_cost(j, &o, began, used);
        }
        if (j->rank == 0) {
            (void)printf("#%ld %zu %s\n", o.number, strlen(j->answer), j->answer);
            (void)fflush(stdout);
        }
    }
    PetscCall(EPSDestroy(&j->eps));
    PetscCall(KSPDestroy(&j->ksp));
    PetscCall(MatDestroy(&j->A));
    PetscCall(MatDestroy(&j->M));
    PetscCall(PetscFree(j->p));
    PetscCall(PetscFree(j->column));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        (void)fputs("gossamer-petsc is started by gossamer: gossamer modes MODEL --solver petsc\n",
                    stderr);
        return 2;
    }
    char *folder = argv[1];
    argc = 1; // no options for PETSc
    if (SlepcInitialize(&argc, &argv, NULL, NULL)) {
        return 1;
    }
    job j = {.folder = folder, .times = getenv("GOSSAMER_PETSC_TIMES"), .workspace = 40};
    (void)MPI_Comm_rank(PETSC_COMM_WORLD, &j.rank);
    // root front on one rank: otherwise its negative pivots are not counted
    PetscErrorCode code = PetscOptionsSetValue(NULL, "-mat_mumps_icntl_13", "1");
    code = code ? code : work(&j);
    if (code) { // do not leave the other ranks waiting
        (void)fflush(NULL);
        (void)MPI_Abort(PETSC_COMM_WORLD, 1);
    }
    return SlepcFinalize() ? 1 : 0;
}
