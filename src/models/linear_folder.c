/* Linear models as folders of Matrix Market files: our own, one file per block plus model.csv, or
   user-supplied with the usual names. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/new_file.h"
#include "gossamer/io.h"
#include "models/linear_io.h"
#include "linalg/matrix_market.h"

#define TABLE "model.csv"
#define NAMES "names.csv" // beside first-order matrices
#define RIGID "rigid"
#define FIRST_LINE "format,gossamer-linear,1\n"

static bool join(char path[PATH_MAX], const char *folder, const char *name, const char *ending) {
    return snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) < PATH_MAX;
}

static bool is_file(const char *folder, const char *name, const char *ending) {
    char path[PATH_MAX];
    struct stat st;
    return join(path, folder, name, ending) && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Output folder: its files get their final names when all are complete. */
typedef struct target {
    gos_ctx *ctx;
    const char *path;
    gos_output *file[GOS_NBLOCKS + 8];     // the first is the mark of the folder, named last
    const char *obsolete[GOS_NBLOCKS + 8]; // matrices that an earlier model may have had
    int n, nobsolete;
    bool made; // created by us
} target;

static bool ends_in_part(const char *name) {
    const size_t n = strlen(name), m = strlen(GOS_PART_ENDING);
    return n > m && strcmp(name + n - m, GOS_PART_ENDING) == 0;
}

/* Make the folder, or check that it may be filled: it is empty, or it has the mark of an earlier
   one, complete or left by a killed process. */
static gos_status make_folder(target *f, const char *mark) {
    gos_ctx *const ctx = f->ctx;
    const char *const path = f->path;
    GOS_TRY(gos__folder_take(ctx, path, &f->made));
    DIR *dir = opendir(path);
    if (!dir) {
        return gos__fail(ctx, GOS_E_FILE, "%s: cannot read the folder: %s", path, strerror(errno));
    }
    bool empty = true;
    for (const struct dirent *e = readdir(dir); e && empty; e = readdir(dir)) {
        empty =
            strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || ends_in_part(e->d_name);
    }
    (void)closedir(dir);
    return empty || is_file(path, mark, "") || is_file(path, mark, GOS_PART_ENDING)
               ? GOS_OK
               : gos__fail(
                     ctx, GOS_E_USE,
                     "%s: the folder contains something other than a linear model; choose another",
                     path);
}

static gos_status add_file(target *f, const char *name, const char *ending, FILE **out) {
    char path[PATH_MAX];
    if (!join(path, f->path, name, ending)) {
        return gos__fail(f->ctx, GOS_E_FILE, "%s: the name is too long", f->path);
    }
    GOS_TRY(gos_output_begin(f->ctx, path, &f->file[f->n]));
    *out = gos_output_stream(f->file[f->n++]);
    return GOS_OK;
}

/* reports stream errors */
static gos_status finish(const target *f) {
    return gos_output_finish(f->file[f->n - 1]);
}

static gos_status prepare(target *f, const char *mark) {
    FILE *out;
    GOS_TRY(make_folder(f, mark));
    return add_file(f, mark, "", &out);
}

/* All files get their names, the mark last; after an error none. */
static gos_status close_folder(target *f, gos_status status) {
    for (int i = 0; i < f->nobsolete && status == GOS_OK; i++) {
        char path[PATH_MAX];
        if (join(path, f->path, f->obsolete[i], ".mtx")) {
            (void)remove(path);
        }
    }
    for (int i = f->n - 1; i >= 0; i--) {
        const gos_status ended = gos_output_end(f->file[i], status == GOS_OK);
        status = status == GOS_OK ? ended : status;
    }
    if (status != GOS_OK && f->made) {
        (void)rmdir(f->path);
    }
    return status;
}

static gos_status write_names(target *f, const gos_linear *l) {
    (void)gos__linear_put_names(l, gos_output_stream(f->file[0]));
    return gos_output_finish(f->file[0]);
}

static gos_status write_table(target *f, const gos_linear *l) {
    FILE *out = gos_output_stream(f->file[0]);
    (void)fprintf(out, "%ssizes,%d,%d,%d,%d,%d,%d,%d\n", FIRST_LINE, l->nq, l->nt, l->nphi, l->nc,
                  l->nh, l->nu, l->ny);
    (void)gos__linear_put_names(l, out);
    return gos_output_finish(f->file[0]);
}

static bool equals_transpose(gos_ctx *ctx, const gos_sparse *A) {
    gos_sparse T;
    if (A->m != A->n || gos__sparse_transpose(ctx, A, &T) != GOS_OK) {
        return false;
    }
    const bool same = memcmp(A->p, T.p, (A->n + 1L) * sizeof *A->p) == 0 &&
                      memcmp(A->i, T.i, A->nnz * sizeof *A->i) == 0 &&
                      memcmp(A->x, T.x, A->nnz * sizeof *A->x) == 0;
    gos__sparse_free(ctx, &T);
    return same;
}

static gos_status write_block(target *f, const gos_sparse *A, const char *name, const char *doc,
                              bool always) {
    FILE *out;
    if (A->nnz == 0 && !always) {
        f->obsolete[f->nobsolete++] = name;
        return GOS_OK;
    }
    GOS_TRY(add_file(f, name, ".mtx", &out));
    (void)gos__matrix_market_write(A, equals_transpose(f->ctx, A), doc, out);
    return finish(f);
}

static gos_status write_rigid(target *f, const gos_linear *l) {
    const size_t size = 6L * l->nq;
    size_t nnz = 0;
    gos_sparse A;
    for (size_t i = 0; i < size; i++) {
        nnz += l->rigid[i] != 0;
    }
    GOS_TRY(gos__sparse_alloc(f->ctx, l->nq, 6, nnz, &A));
    nnz = 0;
    for (long j = 0; j < 6; j++) {
        for (int i = 0; i < l->nq; i++) {
            const double x = l->rigid[j * l->nq + i];
            if (x != 0) {
                A.i[nnz] = i;
                A.x[nnz++] = x;
            }
        }
        A.p[j + 1] = (int)nnz;
    }
    const gos_status status =
        write_block(f, &A, RIGID, "unit translations along and rotations about x, y, z", false);
    gos__sparse_free(f->ctx, &A);
    return status;
}

static gos_status write_all(target *f, const gos_linear *l) {
    static const char *const docs[] = {
#define X(name, doc) doc,
        GOS_BLOCK_LIST(X)
#undef X
    };
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        GOS_TRY(write_block(f, &l->block[b], gos__block_name((gos_block)b), docs[b], false));
    }
    GOS_TRY(write_rigid(f, l));
    return write_table(f, l);
}

gos_status gos_linear_write_folder(gos_ctx *ctx, const gos_linear *l, const char *path) {
    target f = {.ctx = ctx, .path = path};
    const gos_status status = prepare(&f, TABLE);
    return close_folder(&f, status == GOS_OK ? write_all(&f, l) : status);
}

static gos_status write_first_order(target *f, const gos_linear *l) {
    const gos_sparse *K = &l->block[GOS_BLOCK_K_T];
    gos_sparse A;
    GOS_TRY(gos__sparse_copy(f->ctx, K, &A));
    for (int k = 0; k < A.nnz; k++) {
        A.x[k] = -A.x[k];
    }
    gos_status status = write_block(f, &A, "A", "E x' = A x + B u, y = C x + D u", true);
    gos__sparse_free(f->ctx, &A);
    GOS_TRY(status);
    GOS_TRY(write_block(f, &l->block[GOS_BLOCK_C_T], "E", "E x' = A x + B u", true));
    GOS_TRY(write_block(f, &l->block[GOS_BLOCK_B_T], "B", "inputs", l->nu > 0));
    GOS_TRY(write_block(f, &l->block[GOS_BLOCK_Y_T], "C", "outputs", l->ny > 0));
    GOS_TRY(write_block(f, &l->block[GOS_BLOCK_Y_u], "D", "output by input", false));
    return write_names(f, l);
}

gos_status gos_linear_write_state_space(gos_ctx *ctx, const gos_linear *linear, const char *path) {
    gos_linear *first = NULL;
    target f = {.ctx = ctx, .path = path};
    GOS_TRY(gos_linear_first_order(ctx, linear, &first));
    gos_status status = prepare(&f, NAMES);
    status = close_folder(&f, status == GOS_OK ? write_first_order(&f, first) : status);
    gos_linear_destroy(first);
    return status;
}

/* ---- reading own folders --------------------------------------------------------------------- */

/* 0 without the file */
static size_t bytes_of(const char *folder, const char *name) {
    char path[PATH_MAX];
    return join(path, folder, name, ".mtx") ? gos__file_size(path) : 0;
}

/* room: total size of the model's matrices [bytes] */
static gos_status read_matrix(gos_ctx *ctx, const char *folder, const char *name, size_t room,
                              gos_sparse *A) {
    char path[PATH_MAX];
    if (!join(path, folder, name, ".mtx")) {
        return gos__fail(ctx, GOS_E_FILE, "%s: the name is too long", folder);
    }
    return gos__matrix_market_read(ctx, path, room, (gos_loc){0}, NULL, A);
}

static gos_status read_blocks(gos_ctx *ctx, const char *folder, const char *text, size_t n,
                              size_t room, gos_linear *l) {
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        const char *name = gos__block_name((gos_block)b);
        gos_sparse A;
        if (!is_file(folder, name, ".mtx")) {
            continue;
        }
        GOS_TRY(read_matrix(ctx, folder, name, room, &A));
        const gos_status status = gos__linear_put(l, (gos_block)b, &A);
        gos__sparse_free(ctx, &A);
        GOS_TRY(status);
    }
    if (is_file(folder, RIGID, ".mtx")) {
        gos_sparse A;
        GOS_TRY(read_matrix(ctx, folder, RIGID, room, &A));
        const gos_status status = gos__linear_put_rigid(l, &A);
        gos__sparse_free(ctx, &A);
        GOS_TRY(status);
    }
    GOS_TRY(gos__linear_get_names(l, text, n, TABLE));
    return gos__linear_close(l);
}

/* seven integers in the second line */
static bool read_sizes(const char *text, gos_linear_size *s) {
    int *const to[] = {&s->nq, &s->nt, &s->nphi, &s->nc, &s->nh, &s->nu, &s->ny};
    const char *at = text + strlen(FIRST_LINE);
    if (strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) != 0 || strncmp(at, "sizes", 5) != 0) {
        return false;
    }
    at += 5;
    for (int i = 0; i < GOS_COUNT(to); i++) {
        long v = 0;
        if (*at++ != ',' || *at < '0' || *at > '9') {
            return false;
        }
        while (*at >= '0' && *at <= '9' && v <= GOS_LIMIT_MATRIX_ORDER) {
            v = 10 * v + (*at++ - '0');
        }
        if (v > GOS_LIMIT_MATRIX_ORDER) {
            return false;
        }
        *to[i] = (int)v;
    }
    return true;
}

static gos_status read_own(gos_ctx *ctx, const char *folder, gos_linear **linear) {
    char path[PATH_MAX], *text;
    size_t n;
    gos_linear_size size = {0};
    if (!join(path, folder, TABLE, "")) {
        return gos__fail(ctx, GOS_E_FILE, "%s: the name is too long", folder);
    }
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_MATRIX_BYTES, (gos_loc){0}, NULL, &text, &n));
    gos_status status =
        read_sizes(text, &size)
            ? GOS_OK
            : gos__fail(ctx, GOS_E_INPUT, "%s: not a linear model table of this program", path);
    gos_linear *l = NULL;
    size_t room = n + bytes_of(folder, RIGID);
    for (int b = 0; b < GOS_NBLOCKS; b++) {
        room += bytes_of(folder, gos__block_name((gos_block)b));
    }
    status = status == GOS_OK ? gos__linear_check_size(ctx, path, &size, room) : status;
    status = status == GOS_OK ? gos__linear_create(ctx, &size, &l) : status;
    status = status == GOS_OK ? read_blocks(ctx, folder, text, n, room, l) : status;
    gos__free(ctx, text);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}

/* ---- reading user-supplied folders ----------------------------------------------------------- */

/* names beside the matrices, if present */
static gos_status read_port_names(gos_ctx *ctx, const char *folder, gos_linear *l) {
    char path[PATH_MAX], *text;
    size_t n;
    if (!is_file(folder, NAMES, "") || !join(path, folder, NAMES, "")) {
        return GOS_OK;
    }
    GOS_TRY(gos__file_read(ctx, path, GOS_LIMIT_MATRIX_BYTES, (gos_loc){0}, NULL, &text, &n));
    const gos_status status = gos__linear_get_names(l, text, n, NAMES);
    gos__free(ctx, text);
    return status;
}

static gos_status read_foreign(gos_ctx *ctx, const char *folder, gos_linear **linear) {
    gos_matrices m = {0};
    const bool first = is_file(folder, "A", ".mtx");
    const struct {
        const char *name;
        const gos_matrix_view **to;
    } list[] = {{"M", &m.M},     {"D", first ? &m.F : &m.D},
                {"K", &m.K},     {"G", &m.G},
                {"E", &m.E},     {"A", &m.A},
                {"B", &m.B},     {"C", &m.C},
                {"C_v", &m.C_v}, {"F", &m.F}};
    gos_sparse A[GOS_COUNT(list)] = {{0}};
    gos_matrix_view view[GOS_COUNT(list)];
    gos_status status = GOS_OK;
    size_t room = 0;
    for (int i = 0; i < GOS_COUNT(list); i++) {
        room += bytes_of(folder, list[i].name);
    }
    for (int i = 0; i < GOS_COUNT(list) && status == GOS_OK; i++) {
        if (is_file(folder, list[i].name, ".mtx")) {
            status = read_matrix(ctx, folder, list[i].name, room, &A[i]);
            view[i] = (gos_matrix_view){A[i].m, A[i].n, A[i].nnz, A[i].p, A[i].i, A[i].x};
            *list[i].to = &view[i];
        }
    }
    status = status == GOS_OK ? gos_linear_from_matrices(ctx, &m, linear) : status;
    for (int i = 0; i < GOS_COUNT(list); i++) {
        gos__sparse_free(ctx, &A[i]);
    }
    return status;
}

/* ---- which ----------------------------------------------------------------------------------- */

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool gos_linear_exists(const char *path) {
    if (is_folder(path)) {
        return is_file(path, TABLE, "") || is_file(path, "A", ".mtx") || is_file(path, "M", ".mtx");
    }
    return gos__linear_is_h5(path);
}

gos_status gos_linear_read(gos_ctx *ctx, const char *path, gos_linear **linear) {
    if (!is_folder(path)) {
        return gos__linear_read_h5(ctx, path, linear);
    }
    if (is_file(path, TABLE, "")) {
        return read_own(ctx, path, linear);
    }
    gos_linear *l;
    GOS_TRY(read_foreign(ctx, path, &l));
    const gos_status status = read_port_names(ctx, path, l);
    if (status != GOS_OK) {
        gos_linear_destroy(l);
        return status;
    }
    *linear = l;
    return GOS_OK;
}
