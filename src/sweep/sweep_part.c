/* Part files: a head that identifies sweep and part, then one record per member. */
#include "sweep/sweep_part.h"

#include <errno.h>
#include <unistd.h>

#include "base/new_file.h"

#define MARK 0x676f736d656d6272u // of a record
#define MAX_BYTES ((int64_t)1 << 34)

typedef struct head {
    char format[24];
    uint64_t key;
    int32_t part, size;
} head;

static head head_of(const gos_sweep *s, int c) {
    head h = {.key = s->key, .part = c, .size = (int32_t)sizeof(gos_member_record)};
    (void)memcpy(h.format, "gossamer-part 1", 16);
    return h;
}

const char *gos__part_path(gos_arena *a, const gos_sweep *s, int c, bool finished) {
    return gos__arena_printf(a, "%s/parts/%06d.%s", s->folder, c + 1, finished ? "part" : "open");
}

void gos__part_range(const gos_sweep *s, int c, int *first, int *end) {
    *first = c * s->per_part;
    *end = *first + s->per_part < s->nruns ? *first + s->per_part : s->nruns;
}

/* ---- writing --------------------------------------------------------------------------------- */

FILE *gos__part_begin(gos_ctx *ctx, const gos_sweep *s, const char *path, int c) {
    const head h = head_of(s, c);
    FILE *file = fopen(path, "ae"); // truncated after locking
    if (file && !gos__lock_file(fileno(file), NULL)) {
        (void)fclose(file);
        (void)gos__fail(ctx, GOS_E_USE, "%s: another process is writing this part", path);
        return NULL;
    }
    if (file && (ftruncate(fileno(file), 0) != 0 || fwrite(&h, sizeof h, 1, file) != 1 ||
                 fflush(file) != 0)) {
        (void)fclose(file);
        file = NULL;
    }
    if (!file) {
        (void)gos__fail(ctx, GOS_E_FILE, "%s: cannot write: %s", path, strerror(errno));
    }
    return file;
}

bool gos__part_append(FILE *file, gos_member_record *r, const char *layout, const double *numbers) {
    r->mark = MARK;
    return fwrite(r, sizeof *r, 1, file) == 1 &&
           (r->layout == 0 || fwrite(layout, (size_t)r->layout, 1, file) == 1) &&
           (r->numbers == 0 ||
            fwrite(numbers, sizeof *numbers, (size_t)r->numbers, file) == (size_t)r->numbers) &&
           fflush(file) == 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

bool gos__part_open(gos_ctx *ctx, const gos_sweep *s, const char *path, int c,
                    gos_part_reader *reader) {
    const head expected = head_of(s, c);
    head h;
    *reader = (gos_part_reader){.ctx = ctx, .file = fopen(path, "re")};
    if (!reader->file) {
        return false;
    }
    if (fread(&h, sizeof h, 1, reader->file) == 1 && memcmp(&h, &expected, sizeof h) == 0) {
        return true;
    }
    gos__part_close(reader);
    return false;
}

static bool get(gos_part_reader *r, void **to, size_t *room, int64_t n) {
    if (n > (int64_t)*room) {
        gos__free(r->ctx, *to);
        *to = gos__alloc(r->ctx, (size_t)n, 1);
        *room = *to ? (size_t)n : 0;
    }
    return n <= (int64_t)*room && (n == 0 || fread(*to, (size_t)n, 1, r->file) == 1);
}

bool gos__part_next(gos_part_reader *r) {
    gos_member_record *k = &r->record;
    void *layout = r->layout, *numbers = r->numbers;
    bool good = fread(k, sizeof *k, 1, r->file) == 1 && k->mark == MARK && k->layout >= 0 &&
                k->numbers >= 0 && k->layout < MAX_BYTES && k->numbers < MAX_BYTES / 8;
    if (good) {
        good = get(r, &layout, &r->room[0], k->layout) &&
               get(r, &numbers, &r->room[1], k->numbers * (int64_t)sizeof(double));
        r->layout = layout;
        r->numbers = numbers;
        k->failure[sizeof k->failure - 1] = k->warning[sizeof k->warning - 1] = '\0';
    }
    return good;
}

void gos__part_close(gos_part_reader *r) {
    if (r->file) {
        (void)fclose(r->file);
    }
    gos__free(r->ctx, r->layout);
    gos__free(r->ctx, r->numbers);
    *r = (gos_part_reader){0};
}

bool gos__part_exists(const gos_sweep *s, gos_arena *a, int c) {
    const char *path = gos__part_path(a, s, c, true);
    gos_part_reader reader;
    int first, end, n = 0;
    if (!path || !gos__part_open(s->ctx, s, path, c, &reader)) {
        return false;
    }
    gos__part_range(s, c, &first, &end);
    while (gos__part_next(&reader)) {
        n += reader.record.member == first + n;
    }
    gos__part_close(&reader);
    return n == end - first;
}
