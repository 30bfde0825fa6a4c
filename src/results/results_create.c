/* Creates or continues a results file. It has a temporary name until SWMR mode starts, and
 * replaces an existing file only when there are results. From then on it is readable up to its
 * last flush, also after a kill; loss of power: overwrite_image.c. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "results/h5_file.h"
#include "results/writer.h"

/* ---- starting -------------------------------------------------------------------------------- */

/* Names reserved below /probes. */
static gos_status check_names(gos_ctx *ctx, const gos_writer_layout *layout) {
    for (int i = 0; i < layout->nprobes; i++) {
        const char *name = layout->probes[i].name;
        if (strcmp(name, "time") == 0 || strcmp(name, "rates") == 0) {
            return gos__fail(ctx, GOS_E_INPUT,
                             "probe '%s': this name is reserved in results files; choose another",
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
    w->events = layout->nevents > 0;
    for (int i = 0; i < layout->nprobes; i++) {
        w->nvalues += layout->probes[i].ncomp;
    }
    w->starts = w->nvalues > 0;
    w->nfields = layout->nfields;
    w->ncolumns = GOS_COL_MORE(w) + 2 * layout->nfields;
    size_t size = strlen(path) + 1, nreal = 3L * w->nnodes + 1;
    w->path = gos__alloc(ctx, size, 1);
    w->column = gos__zalloc(ctx, w->ncolumns, sizeof *w->column);
    w->reference = gos__zalloc(ctx, nreal, sizeof(double));
    w->scratch = gos__zalloc(ctx, nreal, sizeof(double));
    w->begin = gos__zalloc(ctx, 1 + 2 * (size_t)w->nvalues, sizeof(double));
    if (!w->path || !w->column || !w->reference || !w->scratch || !w->begin) {
        return GOS_E_MEMORY;
    }
    memcpy(w->path, path, size);
    memcpy(w->reference, layout->reference, 3L * w->nnodes * sizeof(double));
    for (int i = 0; i < w->ncolumns; i++) {
        w->column[i].set = -1;
    }
    return GOS_OK;
}

void gos__writer_release(gos_writer *w) {
    if (!w) {
        return;
    }
    for (int i = 0; w->column && i < w->ncolumns; i++) {
        gos__free(w->ctx, w->column[i].rows);
    }
    w->disk.fd = -1; // owned by `made`
    gos__disk_close(&w->disk);
    gos__newfile_leave(&w->made);
    gos__free(w->ctx, w->image);
    gos__free(w->ctx, w->column);
    gos__free(w->ctx, w->reference);
    gos__free(w->ctx, w->scratch);
    gos__free(w->ctx, w->begin);
    gos__free(w->ctx, w->path);
    gos__free(w->ctx, w);
}

/* overwritten, besides HDF5 metadata */
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
    // no open attributes when SWMR starts
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
        w->file = gos__put_file(w->made.part, access);
        (void)H5Pclose(access);
    }
    return w->file >= 0 && gos__writer_make(w, layout) && start_swmr(w);
}

/* cut to the kept part */
static bool open_file(gos_writer *w, const gos_writer_layout *layout) {
    char boot[GOS_BOOT_TEXT + 1];
    gos__boot_name(boot);
    w->file = gos__h5_open_file(&w->disk, w->made.part, H5F_ACC_RDWR);
    const int64_t frames = w->frames;
    (void)(w->file >= 0 && gos__journal_find(w->file, &w->disk)); // missing in older files
    return w->file >= 0 && gos__journal_settle(&w->disk, w->disk.journal) &&
           gos__writer_open(w, layout) && gos__writer_text(w->status, "running", GOS_STATUS_TEXT) &&
           gos__writer_text(w->boot, boot, GOS_BOOT_TEXT) && start_swmr(w) &&
           H5Awrite(w->nsteps, H5T_NATIVE_INT64, &frames) >= 0 &&
           H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0;
}

/* under the temporary name */
static gos_status begin(gos_writer *w, const gos_writer_layout *layout, bool resumed) {
    gos_status status = GOS_OK;
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    bool good = resumed ? open_file(w, layout) : make_file(w, layout);
    if (!good || w->disk.error != 0) {
        status = gos__writer_failed(w);
        (void)gos__writer_close_file(w);
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
        return gos__writer_failed(w);
    }
    return GOS_OK;
}

bool gos__writer_published(const gos_writer *w) {
    return w->made.settled;
}

static void drop(gos_writer *w) {
    if (w && w->file >= 0) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        (void)gos__writer_close_file(w);
        gos__h5_leave(&visit);
    }
    gos__writer_release(w);
}

void gos__writer_abandon(gos_writer *w) {
    drop(w);
}

/* *fresh: the name is free */
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

/* ---- resuming -------------------------------------------------------------------------------- */

/* The first n bytes of `from`; errors of w->disk are not reported yet. */
static gos_status copy_bytes(gos_writer *w, const gos_disk *from, off_t n) {
    enum { PIECE = 1 << 20 };
    char *buf = gos__alloc(w->ctx, PIECE, 1);
    if (!buf) {
        return GOS_E_MEMORY;
    }
    gos_status status = GOS_OK;
    for (off_t at = 0; at < n && status == GOS_OK; at += PIECE) {
        const size_t k = n - at < PIECE ? (n - at) : PIECE;
        if (!gos__disk_get(from, at, buf, k)) {
            status = gos__fail(w->ctx, GOS_E_FILE, "%s: cannot be read", w->path);
        } else if (!gos__disk_put(&w->disk, at, buf, k)) {
            status = GOS_E_FILE;
        }
    }
    gos__free(w->ctx, buf);
    return status;
}

static bool lay_image(gos_writer *w, const gos_image_view *image) {
    memcpy(w->key, image->key, GOS_KEY_TEXT);
    w->key_at = (off_t)image->key_at;
    return gos__image_lay(image, &w->disk);
}

/* as it was at the checkpoint */
static gos_status copy_file(gos_writer *w, const gos_disk *from, const gos_writer_past *past) {
    gos_image_view image;
    if (past->nimage == 0) { // out of memory at that time: overwritten ranges are unknown
        w->disk.range_lost = true;
        GOS_TRY(copy_bytes(w, from, from->eof));
        w->disk.eof = from->eof;
        return GOS_OK;
    }
    if (!gos__image_parse(past->image, past->nimage, &image) || !gos__image_fits(&image, from)) {
        return gos__fail(w->ctx, GOS_E_INPUT, "%s: the checkpoint belongs to another file",
                         w->path);
    }
    GOS_TRY(copy_bytes(w, from, from->eof < image.eof ? from->eof : (off_t)image.eof));
    return lay_image(w, &image) ? GOS_OK : GOS_E_FILE;
}

/* Without room for a copy, restore the file itself; the checkpoint can do so again. */
static gos_status cut_file(gos_writer *w, gos_disk *from, const gos_writer_past *past) {
    gos_image_view image;
    if (!gos__image_parse(past->image, past->nimage, &image)) {
        return gos__writer_failed(w);
    }
    (void)unlink(w->made.part);
    (void)close(w->made.fd);
    w->disk.fd = -1;
    gos__disk_close(&w->disk);
    w->made.fd = from->fd; // including its lock
    w->made.settled = true;
    from->fd = -1;
    w->disk = gos__disk_of(w->ctx, w->made.fd);
    gos__warn(w->ctx, (gos_loc){0}, "resume",
              "not enough disk space for a copy of %s; the file is truncated to its checkpoint "
              "and continued in place",
              w->path);
    return lay_image(w, &image) ? GOS_OK : gos__writer_failed(w);
}

static gos_status take_file(gos_writer *w, gos_disk *from, const gos_writer_past *past) {
    gos_status status = copy_file(w, from, past);
    if (status == GOS_E_FILE && (w->disk.error == ENOSPC || w->disk.error == EDQUOT) &&
        past->nimage > 0) {
        status = cut_file(w, from, past);
    } else if (status == GOS_E_FILE && w->disk.error != 0) {
        status = gos__writer_failed(w);
    }
    bool cleared;
    return status == GOS_OK ? gos__disk_clear_mark(&w->disk, &cleared) : status;
}

static void remember(gos_writer *w, const gos_writer_past *past) {
    w->rows = past->rows;
    w->frames = past->frames;
    w->passed = past->events;
}

gos_status gos__writer_resume(gos_ctx *ctx, const char *path, const gos_writer_layout *layout,
                              const gos_writer_past *past, gos_writer **writer) {
    *writer = NULL;
    gos_writer *w = NULL;
    gos_disk from = {.fd = -1};
    bool fresh;
    gos_status status = allocate(ctx, path, layout, &w);
    if (status == GOS_OK) {
        remember(w, past);
    }
    status = status == GOS_OK ? take_name(w, path, &fresh) : status;
    status = status == GOS_OK ? gos__disk_open(ctx, path, true, &from) : status;
    if (status == GOS_OK && !gos__lock_file(from.fd, NULL)) {
        status = gos__fail(ctx, GOS_E_USE, "%s: the run is still active", path);
    }
    status = status == GOS_OK ? take_file(w, &from, past) : status;
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
