/* Atomic writing of files. */
#include "base/base.h"
#include "base/new_file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_MAX = 8192 }; // bytes that contain the mark of a file

struct gos_output {
    gos_ctx *ctx;
    gos_newfile file;
    FILE *stream; // NULL when it has been closed
    bool good;
};

static gos_status failed(gos_ctx *ctx, const char *path, const char *why) {
    return gos__fail(ctx, GOS_E_FILE, "%s: cannot be written: %s", path, why);
}

static void release(gos_output *o) {
    if (o->stream) {
        (void)fclose(o->stream);
    }
    gos__newfile_leave(&o->file);
    gos__free(o->ctx, o);
}

gos_status gos_output_begin(gos_ctx *ctx, const char *path, gos_output **output) {
    *output = NULL;
    gos_output *o = gos__zalloc(ctx, 1, sizeof *o);
    if (!o) {
        return GOS_E_MEMORY;
    }
    o->ctx = ctx;
    gos_status status = gos__newfile_take(ctx, path, &o->file);
    if (status == GOS_OK) { // the lock stays with the first descriptor
        const int fd = dup(o->file.fd);
        o->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
        status = o->stream ? GOS_OK : failed(ctx, path, strerror(errno));
        if (!o->stream && fd >= 0) {
            (void)close(fd);
        }
    }
    if (status != GOS_OK) {
        release(o);
        return status;
    }
    *output = o;
    return GOS_OK;
}

gos_status gos_output_replaces(gos_ctx *ctx, const char *path, const char *magic, const char *mark,
                               const char *kind) {
    char head[HEAD_MAX + 1] = {0};
    struct stat st;
    GOS_TRY(gos__newfile_check(ctx, path));
    if (lstat(path, &st) != 0 || st.st_size == 0) {
        return GOS_OK;
    }
    FILE *f = gos_file_open(path, NULL);
    const size_t got = f ? fread(head, 1, HEAD_MAX, f) : 0;
    if (f) {
        (void)fclose(f);
    }
    const bool ours = got > 0 && strncmp(head, magic, strlen(magic)) == 0 &&
                      (!mark || strstr(head, mark) != NULL);
    return ours ? GOS_OK
                : gos__fail(ctx, GOS_E_USE, "%s: exists and is not %s; choose another name", path,
                            kind);
}

FILE *gos_output_stream(const gos_output *o) {
    return o->stream;
}

gos_status gos_output_finish(gos_output *o) {
    if (!o->stream) {
        return o->good ? GOS_OK : GOS_E_FILE;
    }
    errno = 0;
    bool good = !ferror(o->stream) && fflush(o->stream) == 0 && fsync(fileno(o->stream)) == 0;
    int error = errno;
    if (fclose(o->stream) != 0 && good) {
        error = errno;
        good = false;
    }
    o->stream = NULL;
    o->good = good;
    // the number of an earlier error may be lost by now
    return good ? GOS_OK
                : failed(o->ctx, o->file.path, error ? strerror(error) : "is the disk full?");
}

gos_status gos_output_end(gos_output *o, bool keep) {
    if (!o) {
        return GOS_OK;
    }
    gos_status status = keep ? gos_output_finish(o) : GOS_OK;
    if (keep && status == GOS_OK) {
        const int error = gos__newfile_settle(&o->file);
        status = o->file.settled ? GOS_OK : failed(o->ctx, o->file.path, strerror(error));
    }
    release(o);
    return status;
}
