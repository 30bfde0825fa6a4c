/* Writing a results file in HDF5's single-writer multiple-reader mode.
 *
 * Everything that grows is a column: rows are held in memory and appended in blocks, so that a step of
 * the solver costs a memcpy. The file is made under a temporary name; it gets its own only when SWMR
 * runs, and over an earlier file when there is something to replace that by. From there on it can be read
 * at any moment, also after a kill, up to its last flush; after a loss of power see image.c. When the disk
 * fails, see h5_disk.c: the file stays as it was, only the status text (which has its place already) is
 * replaced and the open mark cleared. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "io/h5_file.h"
#include "io/writer.h"

#define FLUSH_SECONDS 0.5       // as often as somebody who watches a run looks
#define HELD_BYTES (256l << 10) // rows in memory: what a failing disk may cost

static gos_status failed(gos_writer *w) {
    const char *reason = w->disk.error ? strerror(w->disk.error) : "HDF5 reports an internal error";
    return gos__fail(w->ctx, GOS_E_FILE, "%s: cannot write results: %s; %s", w->path, reason,
                     w->made.settled ? "what was flushed before is kept" : "no file was made");
}

/* ---- columns ------------------------------------------------------------------------------------- */

/* Keep n rows in memory. */
static gos_status hold(gos_writer *w, int number, const void *rows, long n) {
    gos_column *c = &w->column[number];
    size_t row = (size_t)c->width * 8;
    if (c->held + n > c->cap) {
        long cap = c->held + n > 2 * c->cap ? c->held + n : 2 * c->cap;
        void *grown = gos__alloc(w->ctx, (size_t)cap, row);
        if (!grown) {
            return GOS_E_MEMORY;
        }
        if (c->held > 0) {
            memcpy(grown, c->rows, (size_t)c->held * row);
        }
        gos__free(w->ctx, c->rows);
        c->rows = grown;
        c->cap = cap;
    }
    if (n > 0) {
        memcpy((char *)c->rows + (size_t)c->held * row, rows, (size_t)n * row);
    }
    c->held += n;
    w->held_bytes += n * (long)row;
    return GOS_OK;
}

static gos_status hold_int(gos_writer *w, int number, int64_t value) {
    return hold(w, number, &value, 1);
}

/* Append the rows in memory to the dataset. */
static bool append(gos_column *c) {
    if (c->set < 0 || c->held == 0) {
        return true;
    }
    hsize_t start[2] = {c->written, 0};
    hsize_t count[2] = {(hsize_t)c->held, (hsize_t)c->width};
    hsize_t dims[2] = {c->written + (hsize_t)c->held, (hsize_t)c->width};
    if (H5Dset_extent(c->set, dims) < 0) {
        return false;
    }
    hid_t to = H5Dget_space(c->set);
    hid_t from = H5Screate_simple(c->flat ? 1 : 2, count, NULL);
    bool good = to >= 0 && from >= 0 &&
                H5Sselect_hyperslab(to, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dwrite(c->set, c->integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, from, to,
                         H5P_DEFAULT, c->rows) >= 0;
    (void)H5Sclose(from);
    (void)H5Sclose(to);
    c->written = dims[0];
    c->held = 0;
    return good;
}

static bool append_all(gos_writer *w) {
    bool good = true;
    for (int i = w->ncolumns - 1; i >= 0; i--) {
        good = append(&w->column[i]) && good;
    }
    w->held_bytes = 0;
    return good;
}

/* ---- starting --------------------------------------------------------------------------------------- */

/* Names that have a meaning of their own below /probes. */
static gos_status check_names(gos_ctx *ctx, const gos_writer_layout *layout) {
    for (int i = 0; i < layout->nprobes; i++) {
        const char *name = layout->probes[i].name;
        if (strcmp(name, "time") == 0 || strcmp(name, "rates") == 0) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "probe '%s': results files use this name themselves; choose another",
                             name);
        }
        if (strlen(name) > GOS_LIMIT_NAME || strchr(name, '/') || name[0] == '.') {
            return gos__fail(ctx, GOS_E_INPUT, "probe '%s': not a valid name", name);
        }
    }
    return GOS_OK;
}

static gos_status allocate(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                           gos_writer **writer) {
    gos_writer *w = gos__zalloc(ctx, 1, sizeof *w);
    if (!w) {
        return GOS_E_MEMORY;
    }
    *writer = w;
    w->ctx = ctx;
    w->disk.fd = w->made.fd = -1;
    w->file = w->boot = w->nsteps = w->status = w->warnings = w->nwarnings = -1;
    for (int i = 0; i < GOS_NSTATISTICS; i++) {
        w->statistics[i] = -1;
    }
    w->nnodes = layout->mesh.nnodes;
    w->nprobes = layout->nprobes;
    w->thermal = layout->thermal;
    w->ncolumns = GOS_COL_PROBES + 2 * layout->nprobes;
    size_t size = strlen(path) + 1, nreal = 3 * (size_t)w->nnodes + 1;
    w->path = gos__alloc(ctx, size, 1);
    w->column = gos__zalloc(ctx, (size_t)w->ncolumns, sizeof *w->column);
    w->reference = gos__zalloc(ctx, nreal, sizeof(double));
    w->scratch = gos__zalloc(ctx, nreal, sizeof(double));
    if (!w->path || !w->column || !w->reference || !w->scratch) {
        return GOS_E_MEMORY;
    }
    memcpy(w->path, path, size);
    memcpy(w->reference, layout->reference, 3 * (size_t)w->nnodes * sizeof(double));
    for (int i = 0; i < w->ncolumns; i++) {
        w->column[i].set = -1;
    }
    return GOS_OK;
}

static void release(gos_writer *w) {
    if (!w) {
        return;
    }
    for (int i = 0; w->column && i < w->ncolumns; i++) {
        gos__free(w->ctx, w->column[i].rows);
    }
    w->disk.fd = -1; // the place's
    gos__disk_close(&w->disk);
    gos__newfile_leave(&w->made);
    gos__free(w->ctx, w->image);
    gos__free(w->ctx, w->column);
    gos__free(w->ctx, w->reference);
    gos__free(w->ctx, w->scratch);
    gos__free(w->ctx, w->past_warnings);
    gos__free(w->ctx, w->path);
    gos__free(w->ctx, w);
}

/* Texts and numbers that are written over, besides what HDF5 calls metadata. */
static bool note_fixed(gos_writer *w) {
    bool good = true;
    for (int i = -4; i < GOS_NSTATISTICS && good; i++) {
        const hid_t set = i == -4   ? w->boot
                          : i == -3 ? w->status
                          : i == -2 ? w->warnings
                          : i == -1 ? w->nwarnings
                                    : w->statistics[i];
        const haddr_t at = H5Dget_offset(set);
        const hsize_t n = H5Dget_storage_size(set);
        good = at != HADDR_UNDEF && n > 0;
        w->disk.range_lost |= good && !gos__disk_note(&w->disk, (int64_t)at, (int64_t)(at + n));
    }
    return good;
}

static bool start_swmr(gos_writer *w) {
    if (H5Fflush(w->file, H5F_SCOPE_GLOBAL) < 0 || H5Fstart_swmr_write(w->file) < 0) {
        return false;
    }
    // attributes cannot be open across the start
    hid_t steps = H5Gopen2(w->file, "/VTKHDF/Steps", H5P_DEFAULT);
    w->nsteps = steps < 0 ? -1 : H5Aopen(steps, "NSteps", H5P_DEFAULT);
    (void)H5Gclose(steps);
    w->status_at = (off_t)H5Dget_offset(w->status);
    return w->nsteps >= 0 && w->status_at > 0 && note_fixed(w) &&
           H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0;
}

static bool make_file(gos_writer *w, const gos_writer_layout *layout) {
    hid_t access = gos__disk_access(&w->disk);
    if (access >= 0) {
        w->file = H5Fcreate(w->made.part, H5F_ACC_TRUNC, H5P_DEFAULT, access);
        (void)H5Pclose(access);
    }
    return w->file >= 0 && gos__writer_make(w, layout) && start_swmr(w);
}

static bool write_text(hid_t set, const char *text, size_t size) {
    const hid_t type = H5Dget_type(set);
    char padded[GOS_WARNINGS_TEXT] = {0};
    const size_t n = strlen(text);
    memcpy(padded, text, n < size ? n : size - 1);
    const bool good = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded) >= 0;
    (void)H5Tclose(type);
    return good;
}

/* Take up what is there, cut to what stays. */
static bool open_file(gos_writer *w, const gos_writer_layout *layout) {
    char boot[GOS_BOOT_TEXT + 1];
    gos__boot_name(boot);
    hid_t access = gos__disk_access(&w->disk);
    if (access >= 0) {
        w->file = H5Fopen(w->made.part, H5F_ACC_RDWR, access);
        (void)H5Pclose(access);
    }
    const int64_t frames = w->frames;
    return w->file >= 0 && gos__writer_open(w, layout, w->rows, w->frames) &&
           write_text(w->status, "running", GOS_STATUS_TEXT) &&
           write_text(w->boot, boot, GOS_BOOT_TEXT) && start_swmr(w) &&
           H5Awrite(w->nsteps, H5T_NATIVE_INT64, &frames) >= 0 &&
           H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0;
}

/* Everything HDF5 has open, the file last. */
static bool close_file(gos_writer *w) {
    for (int i = 0; i < w->ncolumns; i++) {
        if (w->column[i].set >= 0) {
            (void)H5Dclose(w->column[i].set);
        }
    }
    for (int i = 0; i < GOS_NSTATISTICS; i++) {
        if (w->statistics[i] >= 0) {
            (void)H5Dclose(w->statistics[i]);
        }
    }
    const hid_t sets[] = {w->boot, w->status, w->warnings, w->nwarnings};
    for (int i = 0; i < GOS_COUNT(sets); i++) {
        if (sets[i] >= 0) {
            (void)H5Dclose(sets[i]);
        }
    }
    if (w->nsteps >= 0) {
        (void)H5Aclose(w->nsteps);
    }
    bool good = w->file < 0 || H5Fclose(w->file) >= 0;
    w->file = -1;
    return good;
}

/* Make the file, or take up what is there, under the temporary name. */
static gos_status begin(gos_writer *w, const gos_writer_layout *layout, bool resumed) {
    gos_status status = GOS_OK;
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    bool good = resumed ? open_file(w, layout) : make_file(w, layout);
    if (!good || w->disk.error != 0) {
        status = failed(w);
        (void)close_file(w);
    }
    gos__h5_leave(&visit);
    return status;
}

gos_status gos__writer_publish(gos_writer *w) {
    if (w->made.settled) {
        return GOS_OK;
    }
    const int error = gos__newfile_settle(&w->made);
    if (error != 0) {
        w->disk.error = error;
        return failed(w);
    }
    return GOS_OK;
}

bool gos__writer_published(const gos_writer *w) {
    return w->made.settled;
}

/* Close without another word, when something went wrong. */
static void drop(gos_writer *w) {
    if (w && w->file >= 0) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        (void)close_file(w);
        gos__h5_leave(&visit);
    }
    release(w);
}

void gos__writer_abandon(gos_writer *w) {
    drop(w);
}

/* Take the place of `path`; *fresh: nothing is there. */
static gos_status take_name(gos_writer *w, const char *path, bool *fresh) {
    GOS_TRY(gos__h5_may_replace(w->ctx, path, GOS_OUTPUT_RESULTS));
    GOS_TRY(gos__newfile_take(w->ctx, path, &w->made));
    *fresh = access(path, F_OK) != 0;
    w->disk = gos__disk_of(w->ctx, w->made.fd);
    return GOS_OK;
}

gos_status gos__writer_create(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              gos_writer **writer) {
    *writer = NULL;
    GOS_TRY(check_names(ctx, layout));
    gos_writer *w = NULL;
    bool fresh = false;
    gos_status status = allocate(ctx, path, layout, &w);
    status = status == GOS_OK ? take_name(w, path, &fresh) : status;
    status = status == GOS_OK ? begin(w, layout, false) : status;
    status = status == GOS_OK && fresh ? gos__writer_publish(w) : status;
    if (status != GOS_OK) {
        drop(w);
        return status;
    }
    w->flushed_at = gos__now();
    *writer = w;
    return GOS_OK;
}

/* ---- going on ------------------------------------------------------------------------------------------ */

/* The first n bytes of `from` into w->disk. */
static gos_status copy_bytes(gos_writer *w, const gos_disk *from, off_t n) {
    enum { PIECE = 1 << 20 };
    char *buf = gos__alloc(w->ctx, PIECE, 1);
    if (!buf) {
        return GOS_E_MEMORY;
    }
    gos_status status = GOS_OK;
    for (off_t at = 0; at < n && status == GOS_OK; at += PIECE) {
        const size_t k = n - at < PIECE ? (size_t)(n - at) : PIECE;
        if (!gos__disk_get(from, at, buf, k)) {
            status = gos__fail(w->ctx, GOS_E_FILE, "%s: cannot be read", w->path);
        } else if (!gos__disk_put(&w->disk, at, buf, k)) {
            status = failed(w);
        }
    }
    gos__free(w->ctx, buf);
    return status;
}

/* The file as it was at the checkpoint. */
static gos_status copy_file(gos_writer *w, const gos_disk *from, const gos_writer_past *past) {
    gos_image_view image;
    bool cleared;
    if (past->nimage ==
        0) { // memory was short for one: all of it, and it will not be known what changes
        w->disk.range_lost = true;
        GOS_TRY(copy_bytes(w, from, from->eof));
        w->disk.eof = from->eof;
        return gos__disk_clear_mark(&w->disk, &cleared);
    }
    if (!gos__image_parse(past->image, past->nimage, &image) || !gos__image_fits(&image, from)) {
        return gos__fail(w->ctx, GOS_E_INPUT, "%s: the checkpoint is of another file", w->path);
    }
    GOS_TRY(copy_bytes(w, from, from->eof < image.eof ? from->eof : (off_t)image.eof));
    if (!gos__image_lay(&image, &w->disk)) {
        return failed(w);
    }
    memcpy(w->key, image.key, GOS_KEY_TEXT);
    w->key_at = (off_t)image.key_at;
    return gos__disk_clear_mark(&w->disk, &cleared);
}

static gos_status remember(gos_writer *w, const gos_writer_past *past) {
    w->rows = past->rows;
    w->frames = past->frames;
    w->past_warning_count = past->warning_count;
    w->past_warnings = gos__zalloc(w->ctx, GOS_WARNINGS_TEXT, 1);
    if (!w->past_warnings) {
        return GOS_E_MEMORY;
    }
    (void)snprintf(w->past_warnings, GOS_WARNINGS_TEXT, "%s", past->warnings);
    return GOS_OK;
}

gos_status gos__writer_resume(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              const gos_writer_past *past, gos_writer **writer) {
    *writer = NULL;
    gos_writer *w = NULL;
    gos_disk from = {.fd = -1};
    bool fresh;
    gos_status status = allocate(ctx, path, layout, &w);
    status = status == GOS_OK ? remember(w, past) : status;
    status = status == GOS_OK ? take_name(w, path, &fresh) : status;
    status = status == GOS_OK ? gos__disk_open(ctx, path, true, &from) : status;
    if (status == GOS_OK && !gos__lock_file(from.fd, NULL)) {
        status = gos__fail(ctx, GOS_E_USE, "%s: the run is still going on", path);
    }
    status = status == GOS_OK ? copy_file(w, &from, past) : status;
    status = status == GOS_OK ? begin(w, layout, true) : status;
    status = status == GOS_OK ? gos__writer_publish(w) : status;
    gos__disk_close(&from);
    if (status != GOS_OK) {
        drop(w);
        return status;
    }
    w->flushed_at = gos__now();
    *writer = w;
    return GOS_OK;
}

/* ---- rows and frames ----------------------------------------------------------------------------------- */

gos_status gos__writer_row(gos_writer *w, double time, const double *values, const double *rates) {
    GOS_TRY(hold(w, GOS_COL_PROBE_TIME, &time, 1));
    int at = 0;
    for (int i = 0; i < w->nprobes; i++) {
        int number = GOS_COL_PROBES + 2 * i;
        GOS_TRY(hold(w, number, values + at, 1));
        GOS_TRY(hold(w, number + 1, rates + at, 1));
        at += w->column[number].width;
    }
    w->rows++;
    return GOS_OK;
}

static gos_status hold_steps(gos_writer *w, int64_t frame) {
    GOS_TRY(hold_int(w, GOS_COL_PART_OFFSETS, 0));
    GOS_TRY(hold_int(w, GOS_COL_NPARTS, 1));
    GOS_TRY(hold_int(w, GOS_COL_POINT_OFFSETS, frame * w->nnodes));
    GOS_TRY(hold_int(w, GOS_COL_CELL_OFFSETS, 0));
    GOS_TRY(hold_int(w, GOS_COL_ID_OFFSETS, 0));
    GOS_TRY(hold_int(w, GOS_COL_BODY_OFFSETS, 0));
    for (int i = 0; i < (w->thermal ? 4 : 2); i++) {
        GOS_TRY(hold_int(w, GOS_COL_FIELD_OFFSETS + i, frame * w->nnodes));
    }
    return GOS_OK;
}

gos_status gos__writer_frame(gos_writer *w, const gos_frame *frame) {
    const gos_column *time = &w->column[GOS_COL_TIME];
    GOS_TRY(hold_steps(w, (int64_t)time->written + time->held));
    for (int i = 0; i < 3 * w->nnodes; i++) {
        w->scratch[i] = frame->position[i] - w->reference[i];
    }
    const double *field[4] = {w->scratch, frame->velocity, frame->temperature,
                              frame->temperature_rate};
    GOS_TRY(hold(w, GOS_COL_POINTS, frame->position, w->nnodes));
    for (int i = 0; i < (w->thermal ? 4 : 2); i++) {
        GOS_TRY(hold(w, GOS_COL_FIELDS + i, field[i], w->nnodes));
    }
    int number = GOS_COL_ENERGY;
#define X(name, doc) GOS_TRY(hold(w, number++, &frame->energy.name, 1));
    GOS_ENERGY_FIELDS(X)
#undef X
#define X(name, doc) GOS_TRY(hold(w, number++, &frame->heat.name, 1));
    GOS_HEAT_FIELDS(X)
#undef X
    GOS_TRY(hold(w, GOS_COL_TIME, &frame->time, 1));
    w->frames++;
    return GOS_OK;
}

void gos__writer_position(const gos_writer *w, long *rows, long *frames) {
    *rows = w->rows;
    *frames = w->frames;
}

/* ---- flushing and closing -------------------------------------------------------------------------------- */

static bool write_statistics(gos_writer *w, const gos_statistics *stats) {
    int i = 0;
    bool good = true;
#define TYPE_long H5T_NATIVE_LONG
#define TYPE_double H5T_NATIVE_DOUBLE
#define X(type, name, doc)                                                                         \
    good = good && H5Dwrite(w->statistics[i++], TYPE_##type, H5S_ALL, H5S_ALL, H5P_DEFAULT,        \
                            &stats->name) >= 0;
    GOS_STATISTICS_FIELDS(X)
#undef X
#undef TYPE_long
#undef TYPE_double
    return good;
}

/* Is `line` (n bytes) one of the lines of `text`. */
static bool has_line(const char *text, const char *line, size_t n) {
    for (const char *at = text; at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        if (strncmp(at, line, n) == 0 && at[n] == '\n') {
            return true;
        }
    }
    return false;
}

/* Warnings of this run, and of the time before it was interrupted unless they have come again. */
static void warnings_text(const gos_writer *w, char *buf, size_t size, int64_t *count) {
    const char *past = w->past_warnings ? w->past_warnings : "";
    size_t used = strlen(past);
    *count = w->past_warning_count;
    memset(buf, 0, size);
    memcpy(buf, past, used);
    for (int i = 0; i < gos_ctx_ndiag(w->ctx); i++) {
        const gos_diag *diag = gos_ctx_diag(w->ctx, i);
        char line[GOS_WARNINGS_TEXT];
        gos_ctx_format(w->ctx, i, line, sizeof line);
        if (diag->status != GOS_OK || has_line(past, line, strlen(line))) {
            continue;
        }
        *count += diag->count;
        if (used + 2 < size) {
            const size_t n = strlen(line), left = size - used - 2;
            memcpy(buf + used, line, n < left ? n : left);
            used += n < left ? n : left;
            buf[used++] = '\n';
        }
    }
}

static bool write_warnings(gos_writer *w) {
    char text[GOS_WARNINGS_TEXT];
    int64_t count;
    warnings_text(w, text, sizeof text, &count);
    if (count == w->warned) {
        return true;
    }
    w->warned = count;
    return write_text(w->warnings, text, sizeof text) &&
           H5Dwrite(w->nwarnings, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) >= 0;
}

static bool write_all(gos_writer *w, const gos_statistics *stats) {
    const int64_t nsteps = w->frames;
    return append_all(w) && H5Awrite(w->nsteps, H5T_NATIVE_INT64, &nsteps) >= 0 &&
           write_statistics(w, stats) && write_warnings(w) &&
           H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0;
}

gos_status gos__writer_flush(gos_writer *w, const gos_statistics *stats, bool now) {
    if (!now && gos__now() - w->flushed_at < FLUSH_SECONDS && w->held_bytes < HELD_BYTES) {
        return GOS_OK;
    }
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    gos_status status = write_all(w, stats) && w->disk.error == 0 ? GOS_OK : failed(w);
    gos__h5_leave(&visit);
    w->flushed_at = gos__now();
    return status;
}

static bool wait_for_disk(gos_writer *w) {
    if (fsync(w->disk.fd) != 0 && w->disk.error == 0) {
        w->disk.error = errno;
    }
    return w->disk.error == 0;
}

gos_status gos__writer_sync(gos_writer *w, const gos_statistics *stats, const void **image,
                            size_t *n) {
    *n = 0;
    GOS_TRY(gos__writer_flush(w, stats, true));
    if (!wait_for_disk(w)) {
        return failed(w);
    }
    if (!w->disk.range_lost) {
        GOS_TRY(
            gos__image_take(&w->disk, w->key, w->key_at, &w->image, &w->image_size, &w->nimage));
        *image = w->image;
        *n = w->nimage;
    }
    return GOS_OK;
}

/* After a failed write: put the reason into the file, in place, and clear the mark. This may fail as
   well; the file is then like one of a killed run. */
static void leave_word(gos_writer *w) {
    char text[GOS_STATUS_TEXT] = {0};
    bool cleared;
    (void)snprintf(text, sizeof text, "failed: cannot write results: %s", strerror(w->disk.error));
    if (fsync(w->disk.fd) == 0 && gos__disk_put(&w->disk, w->status_at, text, sizeof text)) {
        (void)gos__disk_clear_mark(&w->disk, &cleared);
    }
}

gos_status gos__writer_close(gos_writer *w, const char *status, const gos_statistics *stats) {
    if (!w) {
        return GOS_OK;
    }
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    const bool failed_before = w->disk.error != 0;
    bool good = !failed_before && write_all(w, stats) && w->disk.error == 0;
    // what a file without a mark tells is believed: all of it is on the disk before that goes
    good = good && (!w->made.settled || wait_for_disk(w));
    good = good && write_text(w->status, status, GOS_STATUS_TEXT);
    good = close_file(w) && good;
    good = good && w->disk.error == 0 && (!w->made.settled || wait_for_disk(w));
    gos_status result = failed_before || good ? GOS_OK : failed(w);
    if (w->disk.error != 0 && w->made.settled) {
        leave_word(w);
    }
    gos__h5_leave(&visit);
    result = good ? gos__writer_publish(w) : result;
    release(w);
    return result;
}

void gos__writer_fail_at(gos_writer *w, long n) {
    w->disk.fail_at = w->disk.writes + n;
}
