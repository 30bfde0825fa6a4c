/* The library that runs units, and its dependencies, listed by CMake. */
#define _GNU_SOURCE // dladdr
#include "fmu/library.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define LIBRARY "libgossamer_fmu.so"
#define STEP_LIBRARY "libgossamer_step_fmu.so"
#define LIST "libraries.txt"
enum { MOST_LIST = 1 << 20 }; // bytes of the list

static bool is_there(const char *folder) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/" LIBRARY, folder) < (int)sizeof path &&
           access(path, R_OK) == 0;
}

/* in the build folder, from a test in it, and installed */
static const char *beside(const char *file, gos_arena *a) {
    static const char *const folders[] = {"fmu", "../fmu", "gossamer/fmu", "../lib/gossamer/fmu",
                                          ("../" GOS_FMU_PLACE)};
    char real[PATH_MAX];
    char *slash = realpath(file, real) ? strrchr(real, '/') : NULL;
    for (int i = 0; slash && i < GOS_COUNT(folders); i++) {
        *slash = '\0';
        const char *folder = gos__arena_printf(a, "%s/%s", real, folders[i]);
        if (folder && is_there(folder)) {
            return folder;
        }
    }
    return NULL;
}

gos_status gos__fmu_library_find(gos_ctx *ctx, const char *named, gos_arena *a,
                                 const char **folder) {
    Dl_info info = {0};
    const bool known = dladdr((const void *)GOS_VERSION, &info) != 0 && info.dli_fname;
    *folder = named && is_there(named) ? gos__arena_strdup(a, named) : NULL;
    if (!named) {
        *folder = known ? beside(info.dli_fname, a) : NULL;
        *folder = *folder ? *folder : beside("/proc/self/exe", a);
    }
    return *folder ? GOS_OK
                   : gos__fail(ctx, GOS_E_FILE,
                               "%s%s" LIBRARY " is missing, which is needed to create units; build "
                               "or install it with CMake, or give its folder",
                               named ? named : "", named ? "/" : "");
}

/* ---- packing --------------------------------------------------------------------------------- */

/* list entry NAME<tab>PATH */
static gos_status pack_line(gos_ctx *ctx, char *line, const char *binaries, gos_arena *a,
                            gos_archive *archive) {
    char *tab = strchr(line, '\t');
    if (!tab) {
        return GOS_OK; // empty line
    }
    *tab = '\0';
    if (access(tab + 1, R_OK) != 0) {
        return gos__fail(ctx, GOS_E_FILE,
                         "%s, required by units, no longer exists; build " LIBRARY " again",
                         tab + 1);
    }
    const char *name = gos__arena_printf(a, "%s/%s", binaries, line);
    return name ? gos__archive_add_file(archive, name, tab + 1) : GOS_E_MEMORY;
}

static gos_status pack_needed(gos_ctx *ctx, const char *folder, const char *binaries, gos_arena *a,
                              gos_archive *archive) {
    char *text = NULL, *next = NULL;
    size_t n;
    const char *path = gos__arena_printf(a, "%s/" LIST, folder);
    GOS_TRY(path ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__file_read(ctx, path, MOST_LIST, (gos_loc){0}, NULL, &text, &n));
    gos_status status = GOS_OK;
    for (char *line = strtok_r(text, "\n", &next); line && status == GOS_OK;
         line = strtok_r(NULL, "\n", &next)) {
        status = pack_line(ctx, line, binaries, a, archive);
    }
    gos__free(ctx, text);
    return status;
}

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static gos_status pack_licences(gos_ctx *ctx, const char *folder, gos_arena *a,
                                gos_archive *archive) {
    struct dirent **entry = NULL;
    const char *from = gos__arena_printf(a, "%s/licenses", folder);
    const int n = from ? scandir(from, &entry, visible, alphasort) : -1;
    gos_status status =
        n > 0 ? GOS_OK
              : gos__fail(ctx, GOS_E_FILE, "%s/licenses is missing: the licence texts", folder);
    for (int i = 0; i < n; i++) {
        const char *path = gos__arena_printf(a, "%s/%s", from, entry[i]->d_name);
        const char *name = gos__arena_printf(a, "documentation/licenses/%s", entry[i]->d_name);
        if (status == GOS_OK) {
            status = path && name ? gos__archive_add_file(archive, name, path) : GOS_E_MEMORY;
        }
        free(entry[i]);
    }
    free(entry);
    return status;
}

gos_status gos__fmu_library_pack(gos_ctx *ctx, const char *folder, const char *binaries,
                                 const char *identifier, gos_arena *a, gos_archive *archive) {
    const char *name = gos__arena_printf(a, "%s/%s.so", binaries, identifier);
    const char *path = gos__arena_printf(a, "%s/" LIBRARY, folder);
    GOS_TRY(name && path ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__archive_add_file(archive, name, path));
    GOS_TRY(pack_needed(ctx, folder, binaries, a, archive));
    return pack_licences(ctx, folder, a, archive);
}

gos_status gos__fmu_step_library_pack(const char *folder, const char *binaries,
                                      const char *identifier, gos_arena *a, gos_archive *archive) {
    const char *name = gos__arena_printf(a, "%s/%s.so", binaries, identifier);
    const char *path = gos__arena_printf(a, "%s/" STEP_LIBRARY, folder);
    const char *licence = gos__arena_printf(a, "%s/licenses/license.txt", folder);
    GOS_TRY(name && path && licence ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__archive_add_file(archive, name, path));
    return gos__archive_add_file(archive, "documentation/licenses/license.txt", licence);
}
