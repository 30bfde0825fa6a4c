/* Client of gossamer-petsc (cli/petsc). Matrices and vectors pass through files in a folder
 * visible to all ranks, commands through lines of text. Symmetric matrices are sent as lower
 * triangle by columns, i.e. upper one by rows, of which each rank reads its own. */
#include "linalg/petsc.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/subprocess.h"

enum { PATH_SIZE = 4096, MAX_WORDS = 32, CHUNK_BYTES = 1 << 16 };

typedef struct remote {
    gos_ctx *ctx;
    const gos_pattern *pattern;
    bool lower; // the pattern is a lower triangle
    gos_partner *partner;
    char folder[PATH_SIZE];
} remote;

static const char *const files[] = {"pattern", "values",  "mass",  "right", "solution",
                                    "known",   "vectors", "modes", "errors"};

bool gos__petsc_chosen(const gos_ctx *ctx, int unknowns) {
    return gos__ctx_ranks(ctx) > 0 && unknowns > GOS_PETSC_MIN_UNKNOWNS;
}

static void path_of(const remote *r, const char *name, char path[PATH_SIZE + 32]) {
    (void)snprintf(path, PATH_SIZE + 32, "%s/%s", r->folder, name);
}

static gos_status begin_file(const remote *r, const char *name, const char *mode, FILE **f) {
    char path[PATH_SIZE + 32];
    path_of(r, name, path);
    *f = fopen(path, mode);
    return *f ? GOS_OK : gos__fail(r->ctx, GOS_E_FILE, "%s: %s", path, strerror(errno));
}

static gos_status end_file(const remote *r, const char *name, FILE *f, bool good) {
    char path[PATH_SIZE + 32];
    path_of(r, name, path);
    good = fclose(f) == 0 && good;
    return good ? GOS_OK
                : gos__fail(r->ctx, GOS_E_FILE,
                            "%s: %s; set TMPDIR to another folder that all ranks can access", path,
                            strerror(errno));
}

static gos_status write_columns(const remote *r, const char *name, size_t count, const double *x) {
    FILE *f;
    GOS_TRY(begin_file(r, name, "wb", &f));
    return end_file(r, name, f, fwrite(x, sizeof *x, count, f) == count);
}

/* Removes a file of an earlier request before gossamer-petsc writes it again. */
static gos_status discard(const remote *r, const char *name) {
    char path[PATH_SIZE + 32];
    path_of(r, name, path);
    return unlink(path) == 0 || errno == ENOENT
               ? GOS_OK
               : gos__fail(r->ctx, GOS_E_FILE, "%s: %s", path, strerror(errno));
}

/* The whole file: it has exactly these numbers. */
static gos_status read_columns(const remote *r, const char *name, size_t count, double *x) {
    FILE *f;
    GOS_TRY(begin_file(r, name, "rb", &f));
    const bool whole = fread(x, sizeof *x, count, f) == count && fgetc(f) == EOF;
    const bool failed = ferror(f) != 0;
    GOS_TRY(end_file(r, name, f, !failed));
    return whole ? GOS_OK
                 : gos__fail(r->ctx, GOS_E_INTERNAL,
                             "%s/%s: gossamer-petsc has not written %zu numbers", r->folder, name,
                             count);
}

static bool sent(const remote *r, int row, int column) {
    return r->lower || row >= column;
}

static gos_status write_pattern(const remote *r) {
    const gos_pattern *a = r->pattern;
    const int64_t n = a->n;
    int64_t at = 0;
    FILE *f;
    GOS_TRY(begin_file(r, "pattern", "wb", &f));
    bool good = fwrite(&n, sizeof n, 1, f) == 1 && fwrite(&at, sizeof at, 1, f) == 1;
    for (int j = 0; j < a->n && good; j++) {
        for (int k = a->p[j]; k < a->p[j + 1]; k++) {
            at += sent(r, a->i[k], j);
        }
        good = fwrite(&at, sizeof at, 1, f) == 1;
    }
    for (int j = 0; j < a->n && good; j++) {
        for (int k = a->p[j]; k < a->p[j + 1] && good; k++) {
            good = !sent(r, a->i[k], j) || fwrite(a->i + k, sizeof *a->i, 1, f) == 1;
        }
    }
    return end_file(r, "pattern", f, good);
}

static gos_status write_values(const remote *r, const char *name, const double *values) {
    const gos_pattern *a = r->pattern;
    bool good = true, finite = true;
    FILE *f;
    GOS_TRY(begin_file(r, name, "wb", &f));
    for (int j = 0; j < a->n && good; j++) {
        for (int k = a->p[j]; k < a->p[j + 1] && good; k++) {
            finite = finite && isfinite(values[k]);
            good = !sent(r, a->i[k], j) || fwrite(values + k, sizeof *values, 1, f) == 1;
        }
    }
    GOS_TRY(end_file(r, name, f, good));
    return finite ? GOS_OK
                  : gos__fail(r->ctx, GOS_E_NONFINITE,
                              "the matrix to factorise has entries that are not finite");
}

/* Starts mpirun with the options of GOSSAMER_MPIRUN, separated by spaces. */
static gos_status start(remote *r) {
    char ranks[16], text[PATH_SIZE], errors[PATH_SIZE + 32], *argv[MAX_WORDS + 6];
    const char *given = getenv("GOSSAMER_MPIRUN");
    int n = 0;
    (void)snprintf(text, sizeof text, "%s", given && *given ? given : "mpirun");
    (void)snprintf(ranks, sizeof ranks, "%d", gos__ctx_ranks(r->ctx));
    path_of(r, "errors", errors);
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word && n < MAX_WORDS;
         word = strtok_r(NULL, " ", &rest)) {
        argv[n++] = word;
    }
    char count[] = "-n", *program = (char *)(uintptr_t)gos__ctx_partner(r->ctx);
    argv[n++] = count;
    argv[n++] = ranks;
    argv[n++] = program;
    argv[n++] = r->folder;
    argv[n] = NULL;
    const char *times = getenv("GOSSAMER_PETSC_TIMES");
    return gos__partner_start(r->ctx, argv, times && *times ? NULL : errors, &r->partner);
}

static void remote_destroy(void *content) {
    remote *r = content;
    gos__partner_stop(r->partner);
    for (int i = 0; i < GOS_COUNT(files) && r->folder[0]; i++) {
        char path[PATH_SIZE + 32];
        path_of(r, files[i], path);
        (void)unlink(path);
    }
    if (r->folder[0]) {
        (void)rmdir(r->folder);
    }
    gos__free(r->ctx, r);
}

static gos_status make_folder(remote *r) {
    const char *where = getenv("TMPDIR");
    (void)snprintf(r->folder, sizeof r->folder, "%s/gossamer-petsc-XXXXXX",
                   where && *where && strlen(where) < PATH_SIZE - 32 ? where : "/tmp");
    if (!mkdtemp(r->folder)) {
        const gos_status status =
            gos__fail(r->ctx, GOS_E_FILE, "%s: %s", r->folder, strerror(errno));
        r->folder[0] = '\0';
        return status;
    }
    return GOS_OK;
}

static gos_status unknown_answer(const remote *r, const char *answer) {
    return gos__fail(r->ctx, GOS_E_INTERNAL, "unexpected answer '%s' from gossamer-petsc", answer);
}

/* A request with the answer "ok". */
static gos_status request(const remote *r, const char *text, const char *command) {
    char answer[GOS_PARTNER_LINE];
    GOS_TRY(gos__partner_request(r->partner, text, answer, "%s", command));
    return strcmp(answer, "ok") == 0 ? GOS_OK : unknown_answer(r, answer);
}

static gos_status remote_create(gos_ctx *ctx, const gos_symmetric_def *def,
                                gos_symmetric_info *info, void **content) {
    GOS_UNUSED(info);
    remote *r = gos__zalloc(ctx, 1, sizeof *r);
    if (!r) {
        return GOS_E_MEMORY;
    }
    *r = (remote){.ctx = ctx, .pattern = def->pattern, .lower = def->lower};
    gos_status status = make_folder(r);
    status = status == GOS_OK ? write_pattern(r) : status;
    status = status == GOS_OK ? start(r) : status;
    status = status == GOS_OK ? request(r, "sending", "pattern") : status;
    if (status != GOS_OK) {
        remote_destroy(r);
        return status;
    }
    *content = r;
    return GOS_OK;
}

static gos_status remote_factor(void *content, const double *values, bool solve, int *negative) {
    remote *r = content;
    char answer[GOS_PARTNER_LINE];
    int count = 0;
    GOS_UNUSED(solve);
    GOS_TRY(write_values(r, "values", values));
    GOS_TRY(gos__partner_request(r->partner, "factorising", answer, "factor"));
    if (strcmp(answer, "singular") == 0) {
        return GOS_E_SINGULAR;
    }
    if (strcmp(answer, "memory") == 0) {
        return gos__fail(r->ctx, GOS_E_MEMORY,
                         "out of memory while factorising %d unknowns on %d ranks; use more "
                         "machines or a coarser mesh",
                         r->pattern->n, gos__ctx_ranks(r->ctx));
    }
    if (sscanf(answer, "ok %d", &count) != 1) {
        return unknown_answer(r, answer);
    }
    if (negative) {
        *negative = count;
    }
    return GOS_OK;
}

static gos_status remote_solve(void *content, int nrhs, double *x) {
    const remote *r = content;
    char command[32];
    const size_t count = (size_t)nrhs * (size_t)r->pattern->n;
    (void)snprintf(command, sizeof command, "solve %d", nrhs);
    GOS_TRY(discard(r, "solution"));
    GOS_TRY(write_columns(r, "right", count, x));
    GOS_TRY(request(r, "solving", command));
    return read_columns(r, "solution", count, x);
}

static gos_status remote_mass(void *content, const double *values) {
    const remote *r = content;
    GOS_TRY(write_values(r, "mass", values));
    return request(r, "sending", "mass");
}

static gos_status read_found(const remote *r, gos_symmetric_search *q) {
    const size_t count = (size_t)q->found, n = (size_t)r->pattern->n;
    double *pair = gos__alloc(r->ctx, 2 * count + 1, sizeof *pair);
    gos_status status = pair ? read_columns(r, "modes", 2 * count, pair) : GOS_E_MEMORY;
    for (size_t k = 0; k < count && status == GOS_OK; k++) {
        q->lambda[k] = pair[2 * k];
        q->error[k] = pair[2 * k + 1];
    }
    gos__free(r->ctx, pair);
    return status == GOS_OK ? read_columns(r, "vectors", count * n, q->X + (size_t)q->known * n)
                            : status;
}

static gos_status remote_find(void *content, gos_symmetric_search *q) {
    remote *r = content;
    char answer[GOS_PARTNER_LINE];
    const size_t n = (size_t)r->pattern->n;
    q->shift_too_low = false;
    q->found = 0;
    if (q->known > 0) {
        GOS_TRY(write_columns(r, "known", (size_t)q->known * n, q->X));
    }
    GOS_TRY(discard(r, "modes"));
    GOS_TRY(discard(r, "vectors"));
    GOS_TRY(gos__partner_request(r->partner, "modes", answer, "find %d %d %.17g %d", q->known,
                                 q->requested, q->shift, q->check_shift));
    if (sscanf(answer, "far %lf", &q->reach) == 1) {
        q->shift_too_low = true;
        return GOS_OK;
    }
    if (sscanf(answer, "ok %d", &q->found) != 1 || q->found < 0 || q->found > q->requested) {
        return unknown_answer(r, answer);
    }
    return read_found(r, q);
}

const gos_symmetric_way gos__symmetric_petsc = {
    "PETSc", remote_create, remote_destroy, remote_factor, remote_solve, remote_mass, remote_find};
