/* Writes a results file in HDF5's SWMR mode. Rows are collected in memory and appended in blocks,
 * so that a solver step costs a memcpy. When the disk fails (h5_disk.c), only the status text,
 * whose space exists, is replaced and the open flag cleared. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/reproducible.h"
#include "results/writer.h"

#define FLUSH_SECONDS 0.5         // for observers of a run
#define BUFFER_BYTES (256l << 10) // lost if the disk fails

gos_status gos__writer_failed(gos_writer *w) {
    const char *reason = w->disk.error ? strerror(w->disk.error) : "HDF5 reports an internal error";
    return gos__fail(w->ctx, GOS_E_FILE, "%s: cannot write results: %s; %s", w->path, reason,
                     w->made.settled ? "flushed results are kept" : "no file was created");
}

/* ---- columns --------------------------------------------------------------------------------- */

static gos_status hold(gos_writer *w, int number, const void *rows, long n) {
    gos_column *c = &w->column[number];
    size_t row = c->width * 8L;
    if (c->held + n > c->cap) {
        long cap = c->held + n > 2 * c->cap ? c->held + n : 2 * c->cap;
        void *grown = gos__alloc(w->ctx, cap, row);
        if (!grown) {
            return GOS_E_MEMORY;
        }
        if (c->held > 0) {
            memcpy(grown, c->rows, c->held * row);
        }
        gos__free(w->ctx, c->rows);
        c->rows = grown;
        c->cap = cap;
    }
    if (n > 0) {
        memcpy((char *)c->rows + c->held * row, rows, n * row);
    }
    c->held += n;
    w->held_bytes += n * (long)row;
    return GOS_OK;
}

static gos_status hold_int(gos_writer *w, int number, int64_t value) {
    return hold(w, number, &value, 1);
}

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

/* ---- rows and frames ------------------------------------------------------------------------- */

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

gos_status gos__writer_start(gos_writer *w, const double *values, const double *rates) {
    if (!w->starts || w->rows == 0) {
        return GOS_OK;
    }
    const size_t n = (size_t)w->nvalues;
    w->begin[0] = (double)(w->rows - 1);
    memcpy(w->begin + 1, values, n * sizeof *values);
    memcpy(w->begin + 1 + n, rates, n * sizeof *rates);
    return hold(w, GOS_COL_STARTS, w->begin, 1);
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
    for (int i = 0; i < w->nfields; i++) {
        GOS_TRY(hold_int(w, GOS_COL_MORE(w) + 2 * i + 1, frame * w->nnodes));
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
    const double *more = frame->field;
    for (int i = 0; i < w->nfields; i++) {
        const int number = GOS_COL_MORE(w) + 2 * i;
        GOS_TRY(hold(w, number, more, w->nnodes));
        more += (size_t)w->nnodes * (size_t)w->column[number].width;
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

gos_status gos__writer_event(gos_writer *w, const gos_event *event) {
    const double numbers[] = {event->time, event->event, event->rising ? 1 : -1};
    w->passed++;
    return hold(w, GOS_COL_EVENTS, numbers, 1);
}

void gos__writer_position(const gos_writer *w, long *rows, long *frames, long *events) {
    *rows = w->rows;
    *frames = w->frames;
    *events = w->passed;
}

/* ---- flushing and closing -------------------------------------------------------------------- */

bool gos__writer_text(hid_t set, const char *text, size_t size) {
    const hid_t type = H5Dget_type(set);
    char padded[GOS_WARNINGS_TEXT] = {0};
    const size_t n = strlen(text);
    memcpy(padded, text, n < size ? n : size - 1);
    const bool good = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded) >= 0;
    (void)H5Tclose(type);
    return good;
}

/* the file last */
bool gos__writer_close_file(gos_writer *w) {
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

static bool write_statistics(gos_writer *w, const gos_statistics *all) {
    gos_statistics some = *all, *stats = &some;
    int i = 0;
    bool good = true;
    if (gos__reproducible()) {
#define X(type, name, doc) some.name = strncmp(#name, "time_", 5) == 0 ? 0 : some.name;
        GOS_STATISTICS_FIELDS(X)
#undef X
    }
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

static void warnings_text(const gos_writer *w, char *buf, size_t size, int64_t *count) {
    static const char more[] = "... more warnings omitted";
    size_t used = 0;
    bool cut = false;
    *count = 0;
    memset(buf, 0, size);
    for (int i = 0; i < gos_ctx_ndiag(w->ctx); i++) {
        const gos_diag *diag = gos_ctx_diag(w->ctx, i);
        char line[GOS_WARNINGS_TEXT];
        gos_ctx_format(w->ctx, i, line, sizeof line);
        if (diag->status != GOS_OK) {
            continue;
        }
        *count += diag->count;
        if (!cut) { // whole lines only
            const size_t n = strlen(line);
            cut = n + 2 > size - used - sizeof more;
            memcpy(buf + used, cut ? more : line, cut ? sizeof more - 1 : n + 1);
            used += cut ? sizeof more - 1 : n;
            buf[used++] = '\n';
        }
    }
}

static bool write_warnings(gos_writer *w) {
    char text[GOS_WARNINGS_TEXT];
    int64_t count;
    warnings_text(w, text, sizeof text, &count);
    const int64_t reported = count + gos_ctx_ndiag(w->ctx); // excludes notes
    if (reported == w->warned) {
        return true;
    }
    w->warned = reported;
    return gos__writer_text(w->warnings, text, sizeof text) &&
           H5Dwrite(w->nwarnings, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &count) >= 0;
}

static bool write_all(gos_writer *w, const gos_statistics *stats) {
    const int64_t nsteps = w->frames;
    return append_all(w) && H5Awrite(w->nsteps, H5T_NATIVE_INT64, &nsteps) >= 0 &&
           write_statistics(w, stats) && write_warnings(w) &&
           H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0;
}

gos_status gos__writer_flush(gos_writer *w, const gos_statistics *stats, bool now) {
    const bool recent = gos__reproducible() || gos__now() - w->flushed_at < FLUSH_SECONDS;
    if (!now && recent && w->held_bytes < BUFFER_BYTES) {
        return GOS_OK;
    }
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    gos_status status = write_all(w, stats) && w->disk.error == 0 ? GOS_OK : gos__writer_failed(w);
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
        return gos__writer_failed(w);
    }
    if (!w->disk.range_lost) {
        GOS_TRY(
            gos__image_take(&w->disk, w->key, w->key_at, &w->image, &w->image_size, &w->nimage));
        *image = w->image;
        *n = w->nimage;
    }
    return GOS_OK;
}

/* Store the reason in place and clear the open flag. If this fails too, the file is as after a
 * kill. */
static void write_status(gos_writer *w) {
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
    // without open flag data are trusted: they must be on disk
    good = good && (!w->made.settled || wait_for_disk(w));
    good = good && gos__writer_text(w->status, status, GOS_STATUS_TEXT);
    good = good && (!gos__reproducible() || gos__writer_text(w->boot, "", GOS_BOOT_TEXT));
    good = gos__writer_close_file(w) && good;
    good = good && w->disk.error == 0 && (!w->made.settled || wait_for_disk(w));
    gos_status result = failed_before || good ? GOS_OK : gos__writer_failed(w);
    if (w->disk.error != 0 && w->made.settled) {
        write_status(w);
    }
    gos__h5_leave(&visit);
    result = good ? gos__writer_publish(w) : result;
    gos__writer_release(w);
    return result;
}

void gos__writer_fail_at(gos_writer *w, long n) {
    w->disk.fail_at = w->disk.writes + n;
}
