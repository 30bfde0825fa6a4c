/* Writing a small HDF5 file: our disk driver, a temporary name, a rename. */
#include "io/h5_file.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static bool write_file(const char *path, gos_disk *disk, bool (*put)(hid_t, const void *),
                       const void *what) {
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    const hid_t access = gos__disk_access(disk);
    hid_t file = access < 0 ? -1 : H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (access >= 0) {
        (void)H5Pclose(access);
    }
    bool good = file >= 0 && put(file, what);
    good = (file < 0 || H5Fclose(file) >= 0) && good;
    gos__h5_leave(&visit);
    return good && disk->error == 0 && fsync(disk->fd) == 0;
}

gos_status gos__h5_write_file(gos_ctx *ctx, const char *path,
                              bool (*put)(hid_t file, const void *what), const void *what) {
    const size_t size = strlen(path) + 32;
    char *temporary = gos__alloc(ctx, size, 1);
    gos_disk disk;
    if (!temporary) {
        return GOS_E_MEMORY;
    }
    (void)snprintf(temporary, size, "%s.%ld.part", path, (long)getpid());
    (void)unlink(temporary);
    gos_status status = gos__disk_create(ctx, temporary, &disk);
    if (status == GOS_OK) {
        bool good = write_file(temporary, &disk, put, what);
        int error = disk.error;
        gos__disk_close(&disk);
        if (good && rename(temporary, path) != 0) {
            error = errno;
            good = false;
        }
        if (!good) {
            (void)unlink(temporary);
            status = gos__fail(ctx, GOS_E_FILE, "%s: cannot be written: %s", path,
                               error ? strerror(error) : "the HDF5 library failed");
        }
    }
    gos__free(ctx, temporary);
    return status;
}
