/* Making the file of a killed run readable for other programs: the open mark goes, the status says what
   happened, and the number of steps that VTK reads is set to what is there. */
#include <stdio.h>

#include "gossamer/io.h"
#include "io/h5.h"
#include "io/results.h"

/* Write status and step count through HDF5; the mark is gone by now. */
static bool write_end(gos_disk *disk, const char *path, int64_t nsteps, const char *status) {
    hid_t access = gos__disk_access(disk);
    hid_t file = access < 0 ? -1 : H5Fopen(path, H5F_ACC_RDWR, access);
    hid_t set = file < 0 ? -1 : gos__h5_open(file, "statistics/status", H5O_TYPE_DATASET);
    hid_t steps = file < 0 ? -1 : gos__h5_open(file, "VTKHDF/Steps", H5O_TYPE_GROUP);
    hid_t attr = steps < 0 ? -1 : H5Aopen(steps, "NSteps", H5P_DEFAULT);
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    char text[GOS_STATUS_TEXT] = {0};
    (void)snprintf(text, sizeof text, "%s", status);
    bool good = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tget_size(type) == sizeof text &&
                attr >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0 &&
                H5Awrite(attr, H5T_NATIVE_INT64, &nsteps) >= 0;
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (file >= 0) {
        good = H5Fclose(file) >= 0 && good; // and all that is open in it
    }
    if (access >= 0) {
        (void)H5Pclose(access);
    }
    return good && disk->error == 0;
}

gos_status gos_results_repair(gos_ctx *ctx, const char *path, bool *repaired) {
    *repaired = false;
    gos_results *results;
    gos_results_info info;
    char status[GOS_STATUS_TEXT];
    GOS_TRY(gos_results_open(ctx, path, &results));
    gos_results_info_get(results, &info);
    (void)snprintf(status, sizeof status, "%s", info.status);
    gos_results_close(results);
    if (!info.marked) {
        return GOS_OK;
    }
    if (info.running) {
        return gos__fail(ctx, GOS_E_USE, "%s: the run is still going on", path);
    }
    gos_disk disk;
    GOS_TRY(gos__disk_open(ctx, path, true, &disk));
    gos_status result = gos__disk_clear_mark(&disk, repaired);
    if (result == GOS_OK && *repaired) {
        gos_h5_visit visit;
        gos__h5_enter(&visit);
        if (!write_end(&disk, path, info.nframes, status)) {
            result = gos__fail(ctx, GOS_E_FILE, "%s: cannot bring the file in order", path);
        }
        gos__h5_leave(&visit);
    }
    gos__disk_close(&disk);
    return result;
}
