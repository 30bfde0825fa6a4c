/* The model is read again from its text; files that it reads are packed. A reduced model is
 * computed and packed (gos__rom_save_movable); reductions without training are recomputed by the
 * unit. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "fmu/archive.h"
#include "fmu/description.h"
#include "fmu/library.h"
#include "gossamer/reduce.h"
#include "results/checkpoint.h"
#include "models/rom_file.h"
#include "model/model.h"

#define MARK "generationTool=\"Gossamer " // near the beginning of our files

/* contents of resources/ */
typedef struct part {
    const char *name; // in the zip file
    const char *path; // source file, or NULL:
    const char *data; // n bytes
    size_t n;
} part;

typedef struct job {
    gos_ctx *ctx;
    gos_arena *arena;
    const gos_model *given;
    const gos_fmu_options *options;
    gos_model *model; // read again
    gos_system *full, *reduced;
    const gos_system *sys; // one of them
    const char *folder;    // real path of the model's folder, or NULL
    part *part;            // (npart)
    int npart, room;
    gos_status status; // of collecting files
    char *stored;      // a stored reduced model
    char *xml;         // allocated by the C library
    size_t nxml;
    char token[40];
    gos_fmu_variables list;
    const char *identifier;
} job;

/* ---- parts ----------------------------------------------------------------------------------- */

static gos_status add_part(job *k, part p) {
    for (int i = 0; i < k->npart; i++) {
        if (p.name && strcmp(k->part[i].name, p.name) == 0) {
            return GOS_OK; // duplicate
        }
    }
    GOS_TRY(p.name ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__grow(k->ctx, (void **)&k->part, &k->room, k->npart + 1, sizeof *k->part));
    k->part[k->npart++] = p;
    return GOS_OK;
}

static gos_status note_file(job *k, const char *path) {
    const size_t n = k->folder ? strlen(k->folder) : 0;
    if (n == 0 || strncmp(path, k->folder, n) != 0 || path[n] != '/') {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "%s lies outside the folder of the model, but a unit contains only files "
                         "from that folder; copy it there",
                         path);
    }
    return add_part(k, (part){.name = gos__arena_printf(k->arena, "resources/%s", path + n + 1),
                              .path = gos__arena_strdup(k->arena, path)});
}

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static gos_status note_folder(job *k, const char *path) {
    struct dirent **entry = NULL;
    struct stat st;
    const int n = scandir(path, &entry, visible, alphasort);
    gos_status status = GOS_OK;
    for (int i = 0; i < n; i++) {
        const char *file = gos__arena_printf(k->arena, "%s/%s", path, entry[i]->d_name);
        if (status == GOS_OK && file && stat(file, &st) == 0 && S_ISREG(st.st_mode)) {
            status = note_file(k, file);
        }
        free(entry[i]);
    }
    free(entry);
    return status;
}

static void note(void *user, const char *path) {
    job *k = user;
    struct stat st;
    if (k->status == GOS_OK && stat(path, &st) == 0) {
        k->status = S_ISDIR(st.st_mode) ? note_folder(k, path) : note_file(k, path);
    }
}

/* ---- the system ------------------------------------------------------------------------------ */

static gos_status read_again(job *k) {
    const gos_model *m = k->given;
    char real[PATH_MAX];
    int n;
    k->folder = m->folder && realpath(m->folder, real) ? gos__arena_strdup(k->arena, real) : NULL;
    const char *file = m->file ? m->file : "model";
    GOS_TRY(gos__model_again(k->ctx, file, m->text, m->given, m->folder, &k->model));
    if (k->options->reduced && !k->options->rom) {
        GOS_TRY(gos_model_reduce_bodies(k->ctx, k->model, &n));
    }
    GOS_TRY(gos_model_read_controllers(k->ctx, k->model));
    return gos_system_create(k->ctx, k->model, &k->full);
}

static gos_status make_system(job *k) {
    gos__ctx_found(k->ctx, note, k);
    const gos_status status = read_again(k);
    gos__ctx_found(k->ctx, NULL, NULL);
    GOS_TRY(status);
    GOS_TRY(k->status);
    k->sys = k->full;
    gos_sizes sizes;
    gos_system_sizes(k->full, &sizes);
    if (!k->options->reduced || (sizes.reduced && sizes.points == 0 && !k->options->rom)) {
        return GOS_OK; // full model, or only its floating bodies are reduced
    }
    GOS_TRY(k->options->rom ? gos_rom_load(k->ctx, k->full, k->options->rom, &k->reduced)
                            : gos_reduce_for(k->ctx, k->full, 0, k->options->compare, &k->reduced));
    k->sys = k->reduced;
    if (k->options->acceptance) {
        gos_reduction r;
        gos_reduction_get(k->reduced, &r);
        *k->options->acceptance = gos_reduction_accept_error(&r);
    }
    return GOS_OK;
}

/* through a file beside the output */
static gos_status store_reduced(job *k, const char *path) {
    part p = {.name = "resources/reduced.h5"};
    if (!k->reduced) {
        return GOS_OK;
    }
    if (!k->reduced->rom) {
        return add_part(k, (part){.name = "resources/reduce", .data = "", .n = 0});
    }
    const char *file = gos__arena_printf(k->arena, "%s.%ld.reduced", path, (long)getpid());
    GOS_TRY(file ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(gos__rom_save_movable(k->ctx, k->reduced, file));
    const gos_status status =
        gos__file_read(k->ctx, file, SIZE_MAX / 4, (gos_loc){0}, NULL, &k->stored, &p.n);
    (void)unlink(file);
    p.data = k->stored;
    return status == GOS_OK ? add_part(k, p) : status;
}

/* source text and later settings */
static gos_status add_model(job *k) {
    const char *text = k->model->text;
    const size_t n = strlen(text), given = k->model->given;
    GOS_TRY(add_part(k, (part){.name = "resources/model.yaml", .data = text, .n = given}));
    return n == given
               ? GOS_OK
               : add_part(
                     k, (part){.name = "resources/settings", .data = text + given, .n = n - given});
}

/* the state must continue in the recompiled system */
static gos_status add_tunable(job *k) {
    const gos_fmu_options *o = k->options;
    gos_sizes sizes;
    char *text = o->ntunable > 0 ? gos__arena_printf(k->arena, "%s", "") : NULL;
    gos_system_sizes(k->sys, &sizes);
    if (o->ntunable > 0 &&
        (k->sys->stepper || (sizes.reduced && !(k->reduced && k->reduced->rom)))) {
        return gos__fail(k->ctx, GOS_E_INPUT,
                         "'%s' cannot be tunable: its value affects the mode shapes of the model's "
                         "bodies, so the state of a run could not continue; export the full model "
                         "or a stored reduced one (ROM.h5)",
                         o->tunable[0]);
    }
    for (int i = 0; i < o->ntunable; i++) {
        GOS_TRY(gos__fmu_tunable(k->ctx, &k->list, o->tunable[i]));
        text = text ? gos__arena_printf(k->arena, "%s%s\n", text, o->tunable[i]) : NULL;
        GOS_TRY(text ? GOS_OK : GOS_E_MEMORY);
    }
    return o->ntunable > 0
               ? add_part(k, (part){.name = "resources/tunable", .data = text, .n = strlen(text)})
               : GOS_OK;
}

/* ---- description ----------------------------------------------------------------------------- */

static const char *identifier_of(gos_arena *a, const char *name) {
    char *id = gos__arena_printf(a, "%s%.100s", name[0] >= '0' && name[0] <= '9' ? "_" : "", name);
    for (char *s = id; s && *s; s++) {
        const bool good =
            (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9');
        *s = good ? *s : '_';
    }
    return id;
}

static gos_status describe(job *k) {
    const gos_options *o = &k->sys->options;
    const bool exchange = k->options->kind == GOS_FMU_MODEL_EXCHANGE;
    const gos_fmu_description d = {.version = k->options->version,
                                   .kind = k->options->kind,
                                   .name = gos_system_name(k->sys),
                                   .identifier = k->identifier,
                                   .token = k->token,
                                   .indicators = exchange ? k->sys->ncrossing : 0,
                                   .stop = o->end,
                                   .tolerance = o->step > 0 ? 0 : o->tolerance,
                                   .step_size = o->output_every,
                                   .list = &k->list};
    free(k->xml);
    k->xml = NULL;
    FILE *out = open_memstream(&k->xml, &k->nxml);
    GOS_TRY(out ? GOS_OK : gos__fail(k->ctx, GOS_E_MEMORY, "out of memory"));
    gos__fmu_describe(out, &d);
    const bool bad = ferror(out) != 0;
    return fclose(out) == 0 && !bad ? GOS_OK : gos__fail(k->ctx, GOS_E_MEMORY, "out of memory");
}

static gos_status hash_part(job *k, const part *p, uint64_t h[2]) {
    char *text = NULL;
    size_t n = p->n;
    const char *data = p->data;
    if (p->path) {
        GOS_TRY(gos__file_read(k->ctx, p->path, SIZE_MAX / 4, (gos_loc){0}, NULL, &text, &n));
        data = text;
    }
    for (int i = 0; i < 2; i++) {
        h[i] = gos__hash(gos__hash(h[i], p->name, strlen(p->name) + 1), data, n);
    }
    gos__free(k->ctx, text);
    return GOS_OK;
}

/* hash of all contents; the description is then rewritten */
static gos_status name_contents(job *k) {
    uint64_t h[2] = {GOS_HASH_BEGIN, ~GOS_HASH_BEGIN};
    GOS_TRY(describe(k));
    for (int i = 0; i < 2; i++) {
        h[i] = gos__hash(h[i], k->xml, k->nxml);
    }
    for (int i = 0; i < k->npart; i++) {
        GOS_TRY(hash_part(k, &k->part[i], h));
    }
    (void)snprintf(k->token, sizeof k->token, "{%08x-%04x-%04x-%04x-%012llx}",
                   (unsigned)(h[0] >> 32), (unsigned)(h[0] >> 16 & 0xffff),
                   (unsigned)(h[0] & 0xffff), (unsigned)(h[1] >> 48),
                   (unsigned long long)(h[1] & 0xffffffffffff));
    GOS_TRY(
        add_part(k, (part){.name = "resources/token", .data = k->token, .n = strlen(k->token)}));
    return describe(k);
}

/* ---- the file -------------------------------------------------------------------------------- */

static gos_status pack(job *k, const char *library, gos_archive *archive, const char *path) {
    const char *binaries = k->options->version == 2 ? "binaries/linux64" : "binaries/x86_64-linux";
    GOS_TRY(gos__archive_add(archive, "modelDescription.xml", k->xml, k->nxml, true));
    for (int i = 0; i < k->npart; i++) {
        const part *p = &k->part[i];
        GOS_TRY(p->path ? gos__archive_add_file(archive, p->name, p->path)
                        : gos__archive_add(archive, p->name, p->data, p->n, false));
    }
    GOS_TRY(gos__fmu_library_pack(k->ctx, library, binaries, k->identifier, k->arena, archive));
    return gos__archive_write(archive, path);
}

static gos_status make(job *k, const char *path) {
    const char *library;
    gos_archive *archive = NULL;
    GOS_TRY(gos__fmu_library_find(k->ctx, k->options->library, k->arena, &library));
    GOS_TRY(make_system(k));
    GOS_TRY(gos__fmu_check(k->ctx, k->sys, k->options->kind));
    GOS_TRY(gos__fmu_variables(k->ctx, k->model, k->sys, k->options->kind, k->arena, &k->list));
    k->identifier = identifier_of(k->arena, gos_system_name(k->sys));
    GOS_TRY(k->identifier ? GOS_OK : GOS_E_MEMORY);
    GOS_TRY(store_reduced(k, path));
    GOS_TRY(add_model(k));
    GOS_TRY(add_tunable(k));
    GOS_TRY(name_contents(k));
    GOS_TRY(gos__archive_create(k->ctx, &archive));
    const gos_status status = pack(k, library, archive, path);
    gos__archive_destroy(archive);
    return status;
}

static gos_status check(gos_ctx *ctx, const gos_model *model, const gos_fmu_options *o,
                        const char *path) {
    if (!gos_fmu_exists(path)) { // then only nothing, or an empty file
        GOS_TRY(gos_output_replaces(ctx, path, "PK", MARK, "an FMU of this program"));
    }
    if (o->version != 2 && o->version != 3) {
        return gos__fail(ctx, GOS_E_USE, "the FMI version must be 2 or 3, got %d", o->version);
    }
    if (model->callbacks || model->laws) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "the model uses %s of the calling program, which a unit cannot contain; "
                         "replace them in the model by expressions, tables or controllers",
                         model->callbacks ? "functions" : "control laws");
    }
    return GOS_OK;
}

gos_status gos_export_fmu(gos_ctx *ctx, gos_model *model, const gos_fmu_options *options,
                          const char *path) {
    job k = {.ctx = ctx, .given = model, .options = options};
    GOS_TRY(check(ctx, model, options, path));
    k.arena = gos__arena_create(ctx);
    GOS_TRY(k.arena ? GOS_OK : GOS_E_MEMORY);
    const gos_status status = make(&k, path);
    gos_system_destroy(k.reduced);
    gos_system_destroy(k.full);
    gos_model_destroy(k.model);
    gos__free(ctx, k.stored);
    gos__free(ctx, k.part);
    free(k.xml);
    gos__arena_destroy(k.arena);
    return status;
}

bool gos_fmu_exists(const char *path) {
    char head[1024];
    FILE *in = gos_file_open(path, NULL);
    const size_t n = in ? fread(head, 1, sizeof head, in) : 0, m = sizeof MARK - 1;
    bool found = false;
    for (size_t i = 0; n > 4 && memcmp(head, "PK\3\4", 4) == 0 && i + m <= n && !found; i++) {
        found = memcmp(head + i, MARK, m) == 0;
    }
    if (in) {
        (void)fclose(in);
    }
    return found;
}
