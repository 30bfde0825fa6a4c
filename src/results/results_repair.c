/* Makes a killed run's file readable for other programs: clears the open flag, sets the status,
   corrects VTK's number of steps. After a loss of power the file is first restored to its last
   checkpoint. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "results/checkpoint.h"
#include "results/h5.h"
#include "results/overwrite_image.h"
#include "base/new_file.h"
#include "results/results.h"

/* ---- after a loss of power ------------------------------------------------------------------- */

/* messages are discarded */
static bool is_sound(const char *path) {
    gos_ctx *ctx = gos_ctx_create();
    gos_results *results = NULL;
    const bool sound = ctx && gos_results_open(ctx, path, &results) == GOS_OK;
    gos_results_close(results);
    gos_ctx_destroy(ctx);
    return sound;
}

/* @return false: no image for this file */
static bool lay(gos_ctx *ctx, const char *path, bool old, gos_disk *disk, gos_status *status) {
    gos_checkpoint_view view;
    gos_image_view image;
    char *bytes = NULL, why[GOS_WHY];
    *status = gos__checkpoint_load(ctx, path, old, &bytes, &view, why);
    if (*status == GOS_E_MEMORY) {
        return true;
    }
    const bool fits = *status == GOS_OK && gos__image_parse(view.image, view.nimage, &image) &&
                      gos__image_fits(&image, disk);
    if (fits && !gos__image_lay(&image, disk)) {
        *status = gos__fail(ctx, GOS_E_FILE, "%s: cannot repair the file: %s", path,
                            strerror(disk->error));
    }
    gos__free(ctx, bytes);
    return fits;
}

static gos_status restore_journal(gos_ctx *ctx, const char *path, gos_disk *disk) {
    gos_status status = GOS_OK;
    bool cleared;
    if (!lay(ctx, path, false, disk, &status) && !lay(ctx, path, true, disk, &status)) {
        return gos__fail(ctx, GOS_E_FILE,
                         "%s: it was being written when the machine stopped, before the first "
                         "checkpoint; run the model again",
                         path);
    }
    GOS_TRY(status);
    GOS_TRY(gos__disk_clear_mark(disk, &cleared));
    if (fsync(disk->fd) != 0) {
        return gos__fail(ctx, GOS_E_FILE, "%s: cannot write: %s", path, strerror(errno));
    }
    gos__warn(
        ctx, (gos_loc){0}, path,
        "results after the last checkpoint were lost when the machine stopped; resume the run");
    return GOS_OK;
}

gos_status gos__results_recover(gos_ctx *ctx, const char *path, bool *mended) {
    gos_disk disk;
    *mended = false;
    if (is_sound(path)) {
        return GOS_OK;
    }
    GOS_TRY(gos__disk_open(ctx, path, false, &disk));
    // without superblock maybe not ours; without open flag closed properly
    const bool broken = gos__disk_marked(&disk);
    gos__disk_close(&disk);
    if (!broken) {
        return GOS_OK;
    }
    gos_status status = gos__disk_open(ctx, path, true, &disk);
    if (status == GOS_OK) {
        status = gos__lock_file(disk.fd, NULL)
                     ? restore_journal(ctx, path, &disk)
                     : gos__fail(ctx, GOS_E_USE, "%s: the run is still going on", path);
        *mended = status == GOS_OK;
    }
    gos__disk_close(&disk);
    return status;
}

/* ---- after a kill ---------------------------------------------------------------------------- */

/* the open flag is already cleared */
static bool write_end(gos_disk *disk, const char *path, int64_t nsteps, const char *status) {
    hid_t file = gos__h5_open_file(disk, path, H5F_ACC_RDWR);
    hid_t set = file < 0 ? -1 : gos__h5_open(file, "statistics/status", H5O_TYPE_DATASET);
    hid_t steps = file < 0 ? -1 : gos__h5_open(file, "VTKHDF/Steps", H5O_TYPE_GROUP);
    hid_t attr = steps < 0 ? -1 : H5Aopen(steps, "NSteps", H5P_DEFAULT);
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    char text[GOS_STATUS_TEXT] = {0};
    (void)snprintf(text, sizeof text, "%s", status);
    int64_t there = -1;
    bool good = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tget_size(type) == sizeof text &&
                attr >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 &&
                H5Aread(attr, H5T_NATIVE_INT64, &there) >= 0;
    // leave correct metadata unchanged: power may fail again
    good = good && (there == nsteps || H5Awrite(attr, H5T_NATIVE_INT64, &nsteps) >= 0);
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (file >= 0) {
        good = H5Fclose(file) >= 0 && good; // with all its open objects
    }
    return good && disk->error == 0;
}

gos_status gos_results_repair(gos_ctx *ctx, const char *path, bool *repaired) {
    gos_results *results;
    gos_results_info info;
    char status[GOS_STATUS_TEXT];
    bool mended;
    *repaired = false;
    GOS_TRY(gos__results_recover(ctx, path, &mended));
    GOS_TRY(gos_results_open(ctx, path, &results));
    gos_results_info_get(results, &info);
    (void)snprintf(status, sizeof status, "%s", info.status);
    const off_t journal = gos__results_journal(results);
    gos_results_close(results);
    if (!info.marked && !mended) {
        return GOS_OK;
    }
    if (info.running) {
        return gos__fail(ctx, GOS_E_USE, "%s: the run is still going on", path);
    }
    gos_disk disk;
    GOS_TRY(gos__disk_open(ctx, path, true, &disk));
    gos_status result = GOS_OK;
    if (!gos__journal_settle(&disk, journal)) {
        result = gos__fail(ctx, GOS_E_FILE, "%s: cannot repair the file: %s", path,
                           strerror(disk.error));
    }
    result = result == GOS_OK ? gos__disk_clear_mark(&disk, repaired) : result;
    if (result == GOS_OK && (*repaired || mended)) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        *repaired = true;
        if (!write_end(&disk, path, info.nframes, status) || fsync(disk.fd) != 0) {
            result = gos__fail(ctx, GOS_E_FILE, "%s: cannot repair the file", path);
        }
        gos__h5_leave(&visit);
    }
    gos__disk_close(&disk);
    return result;
}
