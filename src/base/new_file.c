/* All writers of a path use the same temporary name; the one that holds its lock writes. Locks end
   with their process, so an unlocked temporary file is stale. */
#define _GNU_SOURCE // open file description locks
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/global_lock.h"

/* Atomic writing of files. */

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

#define MAX_ATTEMPTS 20 // at a name that others create and remove

/* ---- locks ----------------------------------------------------------------------------------- */

#ifdef F_OFD_SETLK
#define SET_LOCK F_OFD_SETLK
#define GET_LOCK F_OFD_GETLK
#else
#define SET_LOCK F_SETLK
#define GET_LOCK F_GETLK
#endif

/* Other programs lock the whole file to exclude writers; a byte far beyond its end does not
   conflict. */
static struct flock one_byte(short type) {
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};
}

bool gos__lock_file(int fd, bool *known) {
    struct flock lock = one_byte(F_WRLCK);
    const bool locked = fcntl(fd, SET_LOCK, &lock) == 0;
    const bool taken = !locked && (errno == EAGAIN || errno == EACCES);
    if (known) {
        *known = locked || taken;
    }
    return !taken; // no lock support must not stop a run
}

static void unlock_file(int fd) {
    struct flock lock = one_byte(F_UNLCK);
    (void)fcntl(fd, SET_LOCK, &lock);
}

bool gos__is_locked(int fd) {
    struct flock lock = one_byte(F_RDLCK);
    return fcntl(fd, GET_LOCK, &lock) == 0 && lock.l_type != F_UNLCK;
}

int gos__sync_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? slash - path + 1 : 1;
    char *folder = strndup(slash ? path : ".", n);
    const int fd = folder ? open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY) : -1;
    int error = folder ? errno : ENOMEM;
    free(folder);
    if (fd < 0) {
        return error;
    }
    error = fsync(fd) == 0 || errno == EINVAL ? 0 : errno; // unsupported by some file systems
    (void)close(fd);
    return error;
}

/* ---- creating -------------------------------------------------------------------------------- */

static bool is_same(int fd, const char *path) {
    struct stat a, b;
    return fstat(fd, &a) == 0 && lstat(path, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* as far as its metadata show */
gos_status gos__newfile_check(gos_ctx *ctx, const char *path) {
    struct stat st;
    if (lstat(path, &st) != 0) {
        return errno == ENOENT
                   ? GOS_OK
                   : gos__fail(ctx, GOS_E_FILE, "%s: cannot write: %s", path, strerror(errno));
    }
    if (!S_ISREG(st.st_mode)) {
        return gos__fail(ctx, GOS_E_USE, "%s: exists and is %s; choose another name", path,
                         S_ISLNK(st.st_mode) ? "a link" : "not a regular file");
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    const bool locked = fd >= 0 && gos__is_locked(fd);
    if (fd >= 0) {
        (void)close(fd);
    }
    return locked ? gos__fail(ctx, GOS_E_USE, "%s: a run is still writing it; choose another name",
                              path)
                  : GOS_OK;
}

/* Remove a stale file. *again: the name may be free now. */
static gos_status clear(gos_newfile *p, bool *again) {
    struct stat st;
    bool known = true;
    const int fd = open(p->part, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    *again = fd < 0 && errno == ENOENT;
    if (*again) {
        return GOS_OK;
    }
    const int error = errno;
    gos_status status = GOS_OK;
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        status = gos__fail(p->ctx, GOS_E_USE, "%s: exists (%s); remove it", p->part,
                           fd < 0 ? strerror(error) : "not a regular file");
    } else if (!gos__lock_file(fd, &known)) {
        status = gos__fail(p->ctx, GOS_E_USE, "%s: another run is writing it; choose another name",
                           p->path);
    } else if (!known) {
        status = gos__fail(p->ctx, GOS_E_USE,
                           "%s: exists, and without file locks on this file system it is unknown "
                           "whether another run is writing it; if not, remove it",
                           p->part);
    } else {
        // ours while we hold the lock, unless another process was faster
        *again = !is_same(fd, p->part) || unlink(p->part) == 0;
        status = *again ? GOS_OK
                        : gos__fail(p->ctx, GOS_E_FILE, "%s: cannot remove: %s", p->part,
                                    strerror(errno));
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return status;
}

static gos_status make_part(gos_newfile *p) {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        p->fd = open(p->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (p->fd >= 0 && gos__lock_file(p->fd, NULL) && is_same(p->fd, p->part)) {
            return GOS_OK;
        }
        const int error = errno;
        if (p->fd >= 0) { // another process took it for stale
            (void)close(p->fd);
            p->fd = -1;
            continue;
        }
        if (error != EEXIST) {
            return gos__fail(p->ctx, GOS_E_FILE, "%s: cannot create: %s", p->part, strerror(error));
        }
        bool again;
        GOS_TRY(clear(p, &again));
    }
    return gos__fail(p->ctx, GOS_E_USE, "%s: another run is writing it; choose another name",
                     p->path);
}

gos_status gos__newfile_take(gos_ctx *ctx, const char *path, gos_newfile *made) {
    const size_t n = strlen(path) + 1;
    *made = (gos_newfile){.ctx = ctx, .fd = -1, .generation = gos__generation()};
    made->path = gos__alloc(ctx, n, 1);
    made->part = gos__alloc(ctx, n + sizeof GOS_PART_ENDING, 1);
    if (!made->path || !made->part) {
        return GOS_E_MEMORY;
    }
    memcpy(made->path, path, n);
    (void)snprintf(made->part, n + sizeof GOS_PART_ENDING, "%s" GOS_PART_ENDING, path);
    GOS_TRY(gos__newfile_check(ctx, path)); // clearer messages
    GOS_TRY(make_part(made));
    // the previous lock holder may have renamed its file meanwhile
    return gos__newfile_check(ctx, path);
}

gos_status gos__folder_take(gos_ctx *ctx, const char *path, bool *made) {
    struct stat st;
    const bool new = mkdir(path, 0777) == 0;
    const int error = errno;
    if (made) {
        *made = new;
    }
    if (!new &&error != EEXIST) {
        return gos__fail(ctx, GOS_E_FILE, "%s: cannot create the folder: %s", path,
                         strerror(error));
    }
    return new || (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
               ? GOS_OK
               : gos__fail(ctx, GOS_E_USE, "%s: exists and is %s; choose another name", path,
                           S_ISLNK(st.st_mode) ? "a link" : "not a folder");
}

int gos__newfile_settle(gos_newfile *p) {
    struct stat st;
    if (fsync(p->fd) != 0) {
        return errno;
    }
    if (!is_same(p->fd, p->part)) {
        return EBUSY; // another process took the temporary name
    }
    if (lstat(p->path, &st) == 0 && !S_ISREG(st.st_mode)) {
        return EEXIST;
    }
    if (rename(p->part, p->path) != 0) {
        return errno;
    }
    p->settled = true;
    return gos__sync_folder(p->path);
}

void gos__newfile_leave(gos_newfile *p) {
    if (!p->ctx) {
        return;
    }
    if (p->fd >= 0) {
        const bool own = p->generation == gos__generation();
        if (own && !p->settled && is_same(p->fd, p->part)) {
            (void)unlink(p->part);
        }
        if (own) { // forked children may still have the descriptor open
            unlock_file(p->fd);
        }
        (void)close(p->fd);
    }
    gos__free(p->ctx, p->path);
    gos__free(p->ctx, p->part);
    *p = (gos_newfile){.fd = -1};
}
