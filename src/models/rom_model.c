/* The original model of a stored reduced model. */
#include <limits.h>
#include <math.h>

#include "gossamer/io.h"
#include "results/checkpoint.h"
#include "results/h5_file.h"
#include "models/rom_file.h"

/* contents read before the file is closed */
typedef struct origin {
    char format[64], folder[PATH_MAX];
    double given;
    bool has_folder;
    char *text;
} origin;

gos_status gos__rom_get_text(gos_ctx *ctx, hid_t file, const char *name, size_t eof, char **text) {
    const hid_t set = gos__h5_open(file, name, H5O_TYPE_DATASET);
    const hid_t type = set < 0 ? -1 : H5Dget_type(set);
    hsize_t dims[2];
    const size_t size = type < 0 ? 0 : H5Tget_size(type);
    *text = NULL;
    bool good = type >= 0 && gos__h5_plain(set, dims) && dims[0] * dims[1] == 1 &&
                H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size <= eof;
    bool memory = true;
    if (good) {
        *text = gos__zalloc(ctx, size + 1, 1);
        memory = *text != NULL;
        good = *text && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0;
    }
    if (type >= 0) {
        (void)H5Tclose(type);
    }
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    return good ? GOS_OK : memory ? GOS_E_FILE : GOS_E_MEMORY;
}

/* `format` must exist; all: so must the rest */
static gos_status get_origin(gos_ctx *ctx, const char *path, bool all, origin *o) {
    gos_disk disk;
    gos_h5_visit visit;
    GOS_TRY(gos__disk_open(ctx, path, false, &disk));
    gos__h5_enter(&visit);
    const hid_t file = gos__h5_open_file(&disk, path, H5F_ACC_RDONLY);
    gos_status status = GOS_OK;
    if (file >= 0) {
        (void)gos__h5_attr_text(file, "format", o->format, sizeof o->format);
        if (all) {
            o->has_folder = gos__h5_attr_text(file, "folder", o->folder, sizeof o->folder);
            const bool good =
                gos__h5_attr_number(file, "given", &o->given) && o->given >= 0 && o->given < 1e12;
            status = good ? gos__rom_get_text(ctx, file, "model", disk.eof, &o->text) : GOS_E_FILE;
        }
        (void)H5Fclose(file);
    }
    gos__h5_leave(&visit);
    gos__disk_close(&disk);
    return status;
}

bool gos_rom_exists(const char *path) {
    gos_ctx *ctx = gos_ctx_create();
    origin o = {0};
    const bool there =
        ctx && get_origin(ctx, path, false, &o) == GOS_OK && strcmp(o.format, GOS_ROM_FORMAT) == 0;
    gos_ctx_destroy(ctx);
    return there;
}

gos_status gos_rom_model(gos_ctx *ctx, const char *path, gos_model **model) {
    origin o = {0};
    gos_status status = get_origin(ctx, path, true, &o);
    if (status != GOS_OK || strcmp(o.format, GOS_ROM_FORMAT) != 0) {
        gos__free(ctx, o.text);
        return gos__fail(ctx, GOS_E_FILE,
                         "%s: the file does not contain the original model; reduce the model again",
                         path);
    }
    status =
        gos__model_again(ctx, path, o.text, (size_t)o.given, o.has_folder ? o.folder : NULL, model);
    gos__free(ctx, o.text);
    return status;
}
