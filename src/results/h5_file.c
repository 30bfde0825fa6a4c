/* Writes a small HDF5 file under a temporary name and renames it. */
#include "results/h5_file.h"

#include <sys/stat.h>

#include "models/controller_file.h"
#include "models/linear_io.h"
#include "base/new_file.h"
#include "pages/response.h"
#include "models/rom_file.h"
#include "sweep/sweep_part.h"

static bool write_file(const char *path, gos_disk *disk, bool (*put)(hid_t, const void *),
                       const void *what) {
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    const hid_t access = gos__disk_access(disk);
    hid_t file = access < 0 ? -1 : gos__put_file(path, access);
    if (access >= 0) {
        (void)H5Pclose(access);
    }
    bool good = file >= 0 && put(file, what);
    good = (file < 0 || H5Fclose(file) >= 0) && good;
    gos__h5_leave(&visit);
    return good && disk->error == 0;
}

gos_status gos__h5_write_file(gos_ctx *ctx, const char *path, gos_output_kind kind,
                              bool (*put)(hid_t file, const void *what), const void *what) {
    gos_newfile made;
    GOS_TRY(gos__h5_may_replace(ctx, path, kind));
    gos_status status = gos__newfile_take(ctx, path, &made);
    if (status == GOS_OK) {
        gos_disk disk = gos__disk_of(ctx, made.fd);
        int error = write_file(made.part, &disk, put, what) ? 0 : disk.error ? disk.error : -1;
        disk.fd = -1; // owned by `made`
        gos__disk_close(&disk);
        error = error ? error : gos__newfile_settle(&made);
        if (error) {
            status = gos__fail(ctx, GOS_E_FILE, "%s: cannot write: %s", path,
                               error > 0 ? strerror(error) : "the HDF5 library reported an error");
        }
    }
    gos__newfile_leave(&made);
    return status;
}

gos_status gos_output_check(gos_ctx *ctx, const char *path, gos_output_kind kind) {
    GOS_TRY(gos__newfile_check(ctx, path));
    return gos__h5_may_replace(ctx, path, kind);
}

/* ---- existing files -------------------------------------------------------------------------- */

/* "" unless it is a file of this program */
static void read_format(gos_disk *disk, const char *path, char format[64]) {
    gos_h5_visit visit;
    const unsigned mode = gos__disk_marked(disk) ? H5F_ACC_SWMR_READ : 0;
    gos__h5_enter(&visit);
    const hid_t file = gos__h5_open_file(disk, path, H5F_ACC_RDONLY | mode);
    if (file < 0 || !gos__h5_attr_text(file, "format", format, 64)) {
        format[0] = '\0';
    }
    if (file >= 0) {
        (void)H5Fclose(file);
    }
    gos__h5_leave(&visit);
}

gos_status gos__h5_may_replace(gos_ctx *ctx, const char *path, gos_output_kind kind) {
    static const struct {
        const char *name, *format[2]; // allowed formats, "" after the last
    } kinds[] = {[GOS_OUTPUT_RESULTS] = {"a results file", {GOS_RESULTS_FORMAT, ""}},
                 [GOS_OUTPUT_REDUCED] = {"a reduced model", {GOS_ROM_FORMAT, GOS_LINEAR_FORMAT}},
                 [GOS_OUTPUT_LINEAR] = {"a linear model", {GOS_LINEAR_FORMAT, ""}},
                 [GOS_OUTPUT_RESPONSE] = {"a response", {GOS_RESPONSE_FORMAT, ""}},
                 [GOS_OUTPUT_CONTROLLER] = {"a controller", {GOS_CONTROLLER_FORMAT, ""}},
                 [GOS_OUTPUT_MEMBERS] = {"the results of a sweep", {GOS_MEMBERS_FORMAT, ""}}};
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) {
        return GOS_OK; // gos__newfile_take rejects what is not a file
    }
    gos_disk disk;
    char format[64] = "";
    GOS_TRY(gos__disk_open(ctx, path, false, &disk));
    if (gos__disk_superblock(&disk)) { // otherwise HDF5 is not called
        read_format(&disk, path, format);
    }
    gos__disk_close(&disk);
    const bool same =
        strcmp(format, kinds[kind].format[0]) == 0 || strcmp(format, kinds[kind].format[1]) == 0;
    return same && format[0] != '\0'
               ? GOS_OK
               : gos__fail(ctx, GOS_E_USE,
                           "%s: exists and is not %s of this program; choose another name", path,
                           kinds[kind].name);
}
