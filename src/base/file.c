/* Reading files referenced by a model: only regular files below the model's folder, of limited
 * size. */
#include "base/context.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_parent_step(const char *name) {
    for (const char *p = name; p != NULL; p = strchr(p, '/')) {
        p += *p == '/';
        if (p[0] == '.' && p[1] == '.' && (p[2] == '/' || p[2] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Is `path` below `folder`? Both without links. */
static bool is_below(const char *path, const char *folder) {
    const size_t n = strlen(folder);
    if (strcmp(folder, "/") == 0) {
        return true;
    }
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

gos_status gos__path_below(gos_ctx *ctx, const char *folder, const char *name, gos_loc loc,
                           const char *object, gos_arena *a, const char **path) {
    if (folder == NULL) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "file '%.200s' cannot be read: the model has no folder; read the model "
                            "from a file",
                            name);
    }
    if (name[0] == '\0' || name[0] == '/' || has_parent_step(name)) {
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "file name '%.200s' must be relative and without '..'; put the file "
                            "into the folder of the model",
                            name);
    }
    char *joined = gos__arena_printf(a, "%s/%s", folder, name);
    if (joined == NULL) {
        return GOS_E_MEMORY;
    }
    char *real = realpath(joined, NULL);
    if (real == NULL) {
        return gos__fail_at(ctx, GOS_E_FILE, loc, object, "cannot open file '%.200s': %s", name,
                            strerror(errno));
    }
    char *base = realpath(folder, NULL);
    const bool inside = base != NULL && is_below(real, base);
    free(base);
    if (!inside) {
        free(real);
        return gos__fail_at(ctx, GOS_E_INPUT, loc, object,
                            "file '%.200s' is a link to a file outside the model's folder; copy "
                            "that file into the folder",
                            name);
    }
    if (ctx->found) {
        ctx->found(ctx->found_user, real);
    }
    *path = joined;
    free(real);
    return GOS_OK;
}

void gos__ctx_found(gos_ctx *ctx, void (*found)(void *user, const char *path), void *user) {
    ctx->found = found;
    ctx->found_user = user;
}

/* Reads to the end or to `limit`; the size from stat may be outdated. */
static gos_status read_all(gos_ctx *ctx, int fd, const char *path, size_t size, size_t limit,
                           gos_loc loc, const char *object, char **text, size_t *n) {
    if (size > limit) {
        return gos__fail_at(ctx, GOS_E_LIMIT, loc, object,
                            "file '%.200s' has %zu bytes, at most %zu are allowed", path, size,
                            limit);
    }
    char *buf = gos__alloc(ctx, size + 1, 1);
    if (buf == NULL) {
        return GOS_E_MEMORY;
    }
    size_t have = 0;
    while (have < size) {
        const ssize_t got = read(fd, buf + have, size - have);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            const int why = errno;
            gos__free(ctx, buf);
            return gos__fail_at(ctx, GOS_E_FILE, loc, object, "cannot read file '%.200s': %s", path,
                                strerror(why));
        }
        if (got == 0) {
            break;
        }
        have += got;
    }
    buf[have] = '\0';
    *text = buf;
    *n = have;
    return GOS_OK;
}

int gos__file_open(const char *path, bool writing, off_t *size, const char **why) {
    // O_NONBLOCK: opening a pipe must not wait for its other end
    const int how = writing ? O_RDWR : O_RDONLY;
    const int fd = open(path, how | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    if (fd < 0) {
        *why = strerror(errno);
        return -1;
    }
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        *why = "not a regular file";
        (void)close(fd);
        return -1;
    }
    *size = st.st_size;
    return fd;
}

FILE *gos_file_open(const char *path, const char **why) {
    const char *unused;
    off_t size;
    const int fd = gos__file_open(path, false, &size, why != NULL ? why : &unused);
    FILE *file = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (fd >= 0 && file == NULL) {
        if (why != NULL) {
            *why = strerror(errno);
        }
        (void)close(fd);
    }
    return file;
}

size_t gos__file_size(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 ? st.st_size : 0;
}

gos_status gos__file_read(gos_ctx *ctx, const char *path, size_t limit, gos_loc loc,
                          const char *object, char **text, size_t *n) {
    const char *why;
    off_t size;
    const int fd = gos__file_open(path, false, &size, &why);
    if (fd < 0) {
        return gos__fail_at(ctx, GOS_E_FILE, loc, object, "cannot open file '%.200s': %s", path,
                            why);
    }
    const gos_status status = read_all(ctx, fd, path, size, limit, loc, object, text, n);
    (void)close(fd);
    return status;
}
