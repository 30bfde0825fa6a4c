/* Zip files, created in memory by libzip, with one date: equal contents give equal bytes. */
#include "fmu/archive.h"

#include <stdio.h>
#include <zip.h>

#define DATE 315532800 // 1980-01-01, the first date of zip files [s since 1970]

struct gos_archive {
    gos_ctx *ctx;
    zip_source_t *bytes; // storage
    zip_t *zip;          // NULL when complete
};

static gos_status failed(gos_archive *k, const char *what, const char *why) {
    return gos__fail(k->ctx, GOS_E_FILE, "%s: cannot be added to a zip file: %s", what, why);
}

gos_status gos__archive_create(gos_ctx *ctx, gos_archive **archive) {
    zip_error_t error;
    gos_archive *k = gos__zalloc(ctx, 1, sizeof *k);
    GOS_TRY(k ? GOS_OK : GOS_E_MEMORY);
    k->ctx = ctx;
    zip_error_init(&error);
    k->bytes = zip_source_buffer_create(NULL, 0, 0, &error);
    k->zip = k->bytes ? zip_open_from_source(k->bytes, ZIP_CREATE | ZIP_TRUNCATE, &error) : NULL;
    zip_error_fini(&error);
    if (!k->zip) {
        gos__archive_destroy(k);
        return gos__fail(ctx, GOS_E_MEMORY, "out of memory while creating a zip file");
    }
    zip_source_keep(k->bytes); // keep after closing
    *archive = k;
    return GOS_OK;
}

void gos__archive_destroy(gos_archive *k) {
    if (k) {
        if (k->zip) {
            zip_discard(k->zip);
        }
        if (k->bytes) {
            zip_source_free(k->bytes);
        }
        gos__free(k->ctx, k);
    }
}

#define FAST 1 // compression level; the best saves a tenth, in five times the time

static gos_status add(gos_archive *k, const char *name, zip_source_t *source, bool plain) {
    if (!source) {
        return failed(k, name, zip_strerror(k->zip));
    }
    const zip_int64_t at = zip_file_add(k->zip, name, source, ZIP_FL_ENC_UTF_8);
    if (at < 0) {
        zip_source_free(source);
        return failed(k, name, zip_strerror(k->zip));
    }
    const zip_uint64_t i = (zip_uint64_t)at;
    if (zip_file_set_mtime(k->zip, i, DATE, 0) != 0 ||
        zip_set_file_compression(k->zip, i, plain ? ZIP_CM_STORE : ZIP_CM_DEFLATE,
                                 plain ? 0 : FAST) != 0) {
        return failed(k, name, zip_strerror(k->zip));
    }
    return GOS_OK;
}

gos_status gos__archive_add(gos_archive *k, const char *name, const void *data, size_t n,
                            bool plain) {
    return add(k, name, zip_source_buffer(k->zip, data, n, 0), plain);
}

gos_status gos__archive_add_file(gos_archive *k, const char *name, const char *path) {
    return add(k, name, zip_source_file(k->zip, path, 0, -1), false);
}

static bool copy(zip_source_t *bytes, FILE *out) {
    char block[1 << 16];
    zip_int64_t n = -1;
    if (zip_source_open(bytes) != 0) {
        return false;
    }
    while ((n = zip_source_read(bytes, block, sizeof block)) > 0) {
        if (fwrite(block, 1, (size_t)n, out) != (size_t)n) {
            break;
        }
    }
    (void)zip_source_close(bytes);
    return n == 0;
}

gos_status gos__archive_write(gos_archive *k, const char *path) {
    gos_output *output;
    if (zip_close(k->zip) != 0) {
        return failed(k, path, zip_strerror(k->zip));
    }
    k->zip = NULL;
    GOS_TRY(gos_output_begin(k->ctx, path, &output));
    const bool good = copy(k->bytes, gos_output_stream(output));
    gos_status status = gos_output_finish(output);
    if (status == GOS_OK && !good) {
        status = gos__fail(k->ctx, GOS_E_FILE, "%s: cannot write", path);
    }
    const gos_status ended = gos_output_end(output, status == GOS_OK);
    return status == GOS_OK ? ended : status;
}
