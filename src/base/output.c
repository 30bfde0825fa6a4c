/* Atomic writing of files. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100, ENDING = 64 };

struct gos_output {
    gos_ctx *ctx;
    char *path;      // of the file itself, links resolved
    char *temporary; // its current name
    FILE *stream;    // NULL if closed
    bool good;
};

static gos_status failed(gos_ctx *ctx, const char *path, const char *why) {
    return gos__fail(ctx, GOS_E_FILE, "%s: cannot be written: %s", path, why);
}

/* Resolves links; an error if the path is not a regular file. */
static gos_status find_place(gos_output *o, const char *path) {
    struct stat st;
    char *real = realpath(path, NULL);
    if (!real && errno != ENOENT) {
        return failed(o->ctx, path, strerror(errno));
    }
    if (real && (stat(real, &st) != 0 || !S_ISREG(st.st_mode))) {
        free(real);
        return failed(o->ctx, path, "not a regular file");
    }
    const char *place = real ? real : path;
    const size_t n = strlen(place) + 1;
    o->path = gos__alloc(o->ctx, n, 1);
    o->temporary = gos__alloc(o->ctx, n + ENDING, 1);
    if (o->path) {
        memcpy(o->path, place, n);
    }
    free(real);
    return o->path && o->temporary ? GOS_OK : GOS_E_MEMORY;
}

/* exclusive: opens neither existing files nor targets of links */
static gos_status open_new(gos_output *o) {
    int fd = -1;
    for (int i = 0; i < TRIES && fd < 0; i++) {
        (void)gos__format(o->temporary, strlen(o->path) + ENDING, "%s.%ld-%d.part", o->path,
                          (long)getpid(), i);
        fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) {
            break;
        }
    }
    o->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (o->stream) {
        return GOS_OK;
    }
    const gos_status status = failed(o->ctx, o->path, strerror(errno));
    if (fd >= 0) {
        (void)close(fd);
        (void)unlink(o->temporary);
    }
    return status;
}

static void release(gos_output *o) {
    gos_ctx *ctx = o->ctx;
    gos__free(ctx, o->path);
    gos__free(ctx, o->temporary);
    gos__free(ctx, o);
}

gos_status gos_output_begin(gos_ctx *ctx, const char *path, gos_output **output) {
    *output = NULL;
    gos_output *o = gos__zalloc(ctx, 1, sizeof *o);
    if (!o) {
        return GOS_E_MEMORY;
    }
    o->ctx = ctx;
    gos_status status = find_place(o, path);
    status = status == GOS_OK ? open_new(o) : status;
    if (status != GOS_OK) {
        release(o);
        return status;
    }
    *output = o;
    return GOS_OK;
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
    // an earlier errno may be lost
    return good ? GOS_OK : failed(o->ctx, o->path, error ? strerror(error) : "is the disk full?");
}

/* Makes the rename durable, where the file system supports it. */
static void sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = strndup(slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    const int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY) : -1;
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    free(folder);
}

gos_status gos_output_end(gos_output *o, bool keep) {
    if (!o) {
        return GOS_OK;
    }
    gos_status status = keep ? gos_output_finish(o) : GOS_OK;
    if (keep && status == GOS_OK) {
        if (rename(o->temporary, o->path) == 0) {
            sync_folder(o->path);
        } else {
            status = failed(o->ctx, o->path, strerror(errno));
        }
    }
    if (o->stream) {
        (void)fclose(o->stream);
    }
    if (!keep || status != GOS_OK) {
        (void)unlink(o->temporary);
    }
    release(o);
    return status;
}
