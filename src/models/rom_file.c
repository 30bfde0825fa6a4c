/* Reduced models in HDF5: settings, mode shapes of groups, sample points and weights, ranges of
   training. Hashes tie a file to bodies, materials, sections and joints; everything else may
   change. */
#include "models/rom_file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/reproducible.h"
#include "gossamer/io.h"
#include "results/h5_file.h"
#include "models/linear_io.h"
#include "models/rom_match.h"
#include "parts/first_order_states.h"
#include "results/mode_shapes.h"
#include "rom/limits.h"

#define MAX_GROUPS 1000000
#define PATH 64 // bytes of a path inside the file

/* integer settings of a reduction */
#define SETTINGS(X) X(fields) X(number) X(thermal_fields) X(points) X(statics) X(on_mesh)

static const char *const match_names[GOS_ROM_MATCHES] = {
    [GOS_ROM_BODIES] = "bodies", [GOS_ROM_MATERIALS] = "materials", [GOS_ROM_JOINTS] = "joints"};

/* ---- writing --------------------------------------------------------------------------------- */

static bool put_hash(hid_t at, const char *name, uint64_t h) {
    char text[32];
    (void)snprintf(text, sizeof text, "%016llx", (unsigned long long)h);
    return gos__put_attr_text(at, name, text);
}

static bool put_settings(hid_t file, const gos_system *sys) {
    const gos_rom_info *k = sys->rom;
    const gos_rom_match match = gos__rom_match(sys->full);
    bool good = gos__put_group(file, "reduction");
    hid_t at = good ? H5Gopen2(file, "reduction", H5P_DEFAULT) : -1;
    good = at >= 0;
#define X(name) good = good && gos__put_attr_number(at, #name, k->def.name);
    SETTINGS(X)
#undef X
    // wall times are named time...
#define X(type, name, doc)                                                                         \
    good = good && gos__put_attr_number(at, "chosen_" #name,                                       \
                                        gos__reproducible() && strncmp(#name, "time", 4) == 0      \
                                            ? 0                                                    \
                                            : (double)k->chosen.name);
    GOS_REDUCTION_FIELDS(X)
#undef X
    good = good && gos__put_attr_number(at, "groups", k->ngroup) &&
           gos__put_attr_number(at, "blocks", k->nblock) &&
           gos__put_attr_number(at, "trained", k->range != NULL) &&
           gos__put_attr_number(at, "model_tolerance", k->model_tolerance) &&
           put_hash(at, "sources", k->sources);
    for (int i = 0; i < GOS_ROM_MATCHES && good; i++) {
        good = put_hash(at, match_names[i], match.hash[i]);
    }
    if (at >= 0) {
        (void)H5Gclose(at);
    }
    return good;
}

static bool put_matrix(hid_t file, const char *path, hid_t type, int rows, int columns,
                       const void *data) {
    const hsize_t dims[2] = {(hsize_t)rows, (hsize_t)columns};
    return rows == 0 || columns == 0 ||
           gos__put_done(gos__put_array(file, path, type, 2, dims, data));
}

/* principal temperature functions of bodies */
static bool put_heat(hid_t file, const gos_system *full, const gos_rom_info *k) {
    char path[PATH];
    bool good = gos__put_group(file, "heat");
    int i = 0; // without states of controllers and wheels
    for (int j = 0; j < full->nbody && good; j++) {
        const gos_body *b = full->body[j];
        if (gos__body_is_states(b)) {
            continue;
        }
        (void)snprintf(path, sizeof path, "heat/F%d", i);
        good = put_matrix(file, path, H5T_NATIVE_DOUBLE, k->nheat[i],
                          b->nfam > 0 ? b->nt / b->nfam : 0, k->heat[i]);
        i++;
    }
    return good;
}

static bool put_groups(hid_t file, const gos_rom_info *k) {
    char path[PATH];
    bool good = gos__put_group(file, "groups") && gos__put_group(file, "blocks");
    for (int i = 0; i < k->ngroup && good; i++) {
        (void)snprintf(path, sizeof path, "groups/T%d", i);
        good = put_matrix(file, path, H5T_NATIVE_DOUBLE, k->n[i], k->m[i], k->T[i]);
        (void)snprintf(path, sizeof path, "groups/D%d", i);
        good = good && put_matrix(file, path, H5T_NATIVE_DOUBLE, k->n[i], 3, k->D0[i]);
    }
    for (int i = 0; i < k->nblock && good; i++) {
        const gos_selection *s = &k->selection[i];
        (void)snprintf(path, sizeof path, "blocks/points%d", i);
        good = put_matrix(file, path, H5T_NATIVE_INT, s->n, 1, s->index);
        (void)snprintf(path, sizeof path, "blocks/weights%d", i);
        good = good && put_matrix(file, path, H5T_NATIVE_DOUBLE, s->n, 1, s->weight);
        (void)snprintf(path, sizeof path, "blocks/all%d", i);
        good = good && put_matrix(file, path, H5T_NATIVE_INT, 1, 1, &s->all);
    }
    return good && (!k->range ||
                    put_matrix(file, "blocks/ranges", H5T_NATIVE_DOUBLE, k->nblock, 3, k->range));
}

static bool put_folder(hid_t file, const gos_system *full) {
    char folder[PATH_MAX];
    return !full->folder || !realpath(full->folder, folder) ||
           gos__put_attr_text(file, "folder", folder);
}

typedef struct stored_model {
    const gos_system *sys;
    char *entries;       // entries that must match, see gos__rom_entries
    gos_mode_pictures p; // for results of runs of the same model
} stored_model;

static bool put_movable(hid_t file, const void *what) {
    const stored_model *k = what;
    const gos_system *sys = k->sys;
    const char *text = gos_system_text(sys);
    return gos__put_attr_number(file, "given", (double)sys->full->given) &&
           gos__put_attr_text(file, "format", GOS_ROM_FORMAT) &&
           gos__put_attr_number(file, "format_version", GOS_ROM_VERSION) &&
           gos__put_attr_text(file, "program", "gossamer " GOS_VERSION) &&
           gos__put_attr_text(file, "name", gos_system_name(sys)) &&
           (!sys->units || gos__put_attr_text(file, "units", sys->units->text)) &&
           gos__put_done(gos__put_text(file, "model", text, strlen(text) + 1)) &&
           gos__put_done(gos__put_text(file, "entries", k->entries, strlen(k->entries) + 1)) &&
           gos__put_done(gos__put_text(file, "force_joints", sys->rom->force_joints,
                                       strlen(sys->rom->force_joints) + 1)) &&
           put_settings(file, sys) && put_groups(file, sys->rom) &&
           put_heat(file, sys->full, sys->rom);
}

static bool put_all(hid_t file, const void *what) {
    const stored_model *k = what;
    return put_folder(file, k->sys->full) && put_movable(file, k) &&
           gos__pictures_put(file, gos__pictured(k->sys), k->sys->nnodes, &k->p);
}

static gos_status check_kind(gos_ctx *ctx, const gos_system *reduced) {
    return reduced->rom ? GOS_OK
                        : gos__fail(ctx, GOS_E_USE,
                                    "only reduced models of method rotation_closed and auto can be "
                                    "stored");
}

gos_status gos_rom_save(gos_ctx *ctx, const gos_system *reduced, const char *path) {
    GOS_TRY(check_kind(ctx, reduced));
    stored_model k = {.sys = reduced};
    gos_arena *a = gos__arena_create(ctx);
    gos_status status = a ? gos__mode_pictures(ctx, a, reduced, &k.p) : GOS_E_MEMORY;
    status = status == GOS_OK ? gos__rom_entries(ctx, reduced->full, &k.entries) : status;
    status =
        status == GOS_OK ? gos__h5_write_file(ctx, path, GOS_OUTPUT_REDUCED, put_all, &k) : status;
    gos__free(ctx, k.entries);
    gos__arena_destroy(a);
    return status;
}

gos_status gos__rom_save_movable(gos_ctx *ctx, const gos_system *reduced, const char *path) {
    GOS_TRY(check_kind(ctx, reduced));
    stored_model k = {.sys = reduced};
    GOS_TRY(gos__rom_entries(ctx, reduced->full, &k.entries));
    const gos_status status = gos__h5_write_file(ctx, path, GOS_OUTPUT_REDUCED, put_movable, &k);
    gos__free(ctx, k.entries);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct gos_rom_stored {
    gos_ctx *ctx;
    gos_arena *arena; // owns the following members
    const char *path;
    char match[GOS_ROM_MATCHES][32]; // hashes of the reduced model
    char *entries;                   // hashes of its entries; NULL in older files
    gos_rom_info k;                  // def: taken from the current model where not stored
    char units[GOS_UNIT_TEXT];       // of all values, as gos_model_units
};

typedef struct reader {
    gos_ctx *ctx;
    gos_arena *arena;
    const char *path;
    gos_disk disk;
    hid_t file;
    gos_rom_stored *to;
    gos_rom_info k;
} reader;

static gos_status damaged(const reader *r, const char *what) {
    return gos__fail(r->ctx, GOS_E_FILE, "%s: %s; reduce the model again", r->path, what);
}

/* integer 0 .. hi */
static gos_status get_integer(const reader *r, hid_t at, const char *name, int hi, int *value) {
    double x;
    if (!gos__h5_attr_number(at, name, &x) || !(x >= 0 && x <= hi) || x != floor(x)) {
        return damaged(r, "a setting is missing or out of range");
    }
    *value = (int)x;
    return GOS_OK;
}

/* 0 if missing in an older file */
static bool get_chosen(hid_t at, const char *name, double *x) {
    static const char *const later[] = {"chosen_expansions", "chosen_predicted_temperature",
                                        "chosen_residual",   "chosen_residual_temperature",
                                        "chosen_time_run",   "chosen_time_full",
                                        "chosen_work",       "chosen_work_run",
                                        "chosen_reached",    "chosen_served"};
    if (gos__h5_attr_number(at, name, x)) {
        return fabs(*x) < 1e9;
    }
    *x = 0;
    for (int i = 0; i < GOS_COUNT(later); i++) {
        if (strcmp(name, later[i]) == 0) {
            return true;
        }
    }
    return false;
}

static gos_status get_match(const reader *r, hid_t at) {
    if (!gos__h5_attr_text(r->file, "units", r->to->units, sizeof r->to->units)) {
        (void)snprintf(r->to->units, sizeof r->to->units, "SI");
    }
    for (int i = 0; i < GOS_ROM_MATCHES; i++) {
        char *text = r->to->match[i];
        if (!gos__h5_attr_text(at, match_names[i], text, sizeof r->to->match[i])) {
            return damaged(r, "a setting is missing");
        }
    }
    return GOS_OK;
}

/* text `name`; NULL in older files */
static gos_status get_list(reader *r, const char *name, char **list) {
    char *text = NULL;
    const hid_t set = gos__h5_open(r->file, name, H5O_TYPE_DATASET);
    if (set < 0) {
        return GOS_OK;
    }
    (void)H5Dclose(set);
    const gos_status status = gos__rom_get_text(r->ctx, r->file, name, r->disk.eof, &text);
    *list = status == GOS_OK ? gos__arena_strdup(r->arena, text) : NULL;
    gos__free(r->ctx, text);
    if (status == GOS_E_FILE) {
        return damaged(r, "its table of entries is damaged");
    }
    return *list ? GOS_OK : GOS_E_MEMORY;
}

static gos_status refuse(gos_ctx *ctx, const gos_rom_stored *stored, const gos_system *full,
                         int which) {
    static const char *const texts[GOS_ROM_MATCHES] = {
        [GOS_ROM_BODIES] = "bodies, meshes or locations",
        [GOS_ROM_MATERIALS] = "materials, sections or masses",
        [GOS_ROM_JOINTS] = "joints"};
    char words[200] = "", *now;
    GOS_TRY(gos__rom_entries(ctx, full, &now));
    if (stored->entries) {
        gos__rom_differs(which, now, stored->entries, words, sizeof words);
    }
    gos__free(ctx, now);
    return gos__fail(
        ctx, GOS_E_INPUT,
        "%s: the reduced model was made from a model with different %s%s%s; only loads, heat, "
        "controllers, temperatures, initial values, probes and the analysis may differ%s",
        stored->path, texts[which], words[0] ? ": " : "", words,
        full->derived ? "; floating bodies must be full or reduced (`floating_bodies`) as before"
                      : "");
}

static gos_status check_match(gos_ctx *ctx, const gos_rom_stored *stored, const gos_system *full) {
    const gos_rom_match match = gos__rom_match(full);
    if (strcmp(stored->units, gos_system_units(full)) != 0) {
        return gos__fail(ctx, GOS_E_INPUT,
                         "%s: the reduced model was made from a model with units %s, but this one "
                         "has %s; give both the same `units`, or reduce it again",
                         stored->path, stored->units, gos_system_units(full));
    }
    for (int i = 0; i < GOS_ROM_MATCHES; i++) {
        char now[32];
        (void)snprintf(now, sizeof now, "%016llx", (unsigned long long)match.hash[i]);
        if (strcmp(stored->match[i], now) != 0) {
            return refuse(ctx, stored, full, i);
        }
    }
    return GOS_OK;
}

/* 0 in older files */
static uint64_t get_sources(hid_t at) {
    char text[32];
    return gos__h5_attr_text(at, "sources", text, sizeof text) ? strtoull(text, NULL, 16) : 0;
}

static gos_status get_settings(reader *r, const gos_system *full) {
    const hid_t at = gos__h5_open(r->file, "reduction", H5O_TYPE_GROUP);
    if (at < 0) {
        return damaged(r, "it is incomplete");
    }
    r->k.def = gos__rom_def(full);
    r->k.def.cubature = 0;
    r->k.sources = get_sources(at);
    gos_status status = get_match(r, at);
    status = status == GOS_OK ? check_match(r->ctx, r->to, full) : status;
    int trained = 0;
#define X(name)                                                                                    \
    status = status == GOS_OK ? get_integer(r, at, #name, 10000, &r->k.def.name) : status;
    SETTINGS(X)
#undef X
    status = status == GOS_OK ? get_integer(r, at, "groups", MAX_GROUPS, &r->k.ngroup) : status;
    status = status == GOS_OK ? get_integer(r, at, "blocks", MAX_GROUPS, &r->k.nblock) : status;
    status = status == GOS_OK ? get_integer(r, at, "trained", 1, &trained) : status;
#define X(type, name, doc)                                                                         \
    {                                                                                              \
        double x = 0;                                                                              \
        if (status == GOS_OK && !get_chosen(at, "chosen_" #name, &x)) {                            \
            status = damaged(r, "a stored selection is missing or out of range");                  \
        }                                                                                          \
        r->k.chosen.name = (type)x;                                                                \
    }
    GOS_REDUCTION_FIELDS(X)
#undef X
    if (!gos__h5_attr_number(at, "model_tolerance", &r->k.model_tolerance)) {
        r->k.model_tolerance = 0; // an older file
    }
    (void)H5Oclose(at);
    if (status == GOS_OK && (r->k.ngroup > full->nbody || r->k.nblock > full->npoints)) {
        status = damaged(r, "it has more bodies than the model");
    }
    if (status == GOS_OK && trained) {
        r->k.range = GOS_NEW(r->arena, gos_range, r->k.nblock + 1);
        status = r->k.range ? GOS_OK : GOS_E_MEMORY;
    }
    return status;
}

/* Matrix `path` of 8- or 4-byte numbers, allocated in the arena; its storage must lie within the
   file. Missing: NULL, 0 rows. columns < 0: any. */
static gos_status get_matrix(reader *r, const char *path, hid_t type, size_t size, int *rows,
                             int *columns, void **data) {
    hsize_t dims[2] = {0, 0};
    *data = NULL;
    *rows = 0;
    const hid_t set = gos__h5_open(r->file, path, H5O_TYPE_DATASET);
    if (set < 0) {
        return GOS_OK;
    }
    const hid_t kind = H5Dget_type(set);
    const bool number =
        kind >= 0 && (H5Tget_class(kind) == H5T_FLOAT || H5Tget_class(kind) == H5T_INTEGER);
    const hsize_t room = (hsize_t)r->disk.eof / size;
    bool good = number && gos__h5_plain(set, dims) && dims[0] > 0 && dims[1] > 0 &&
                dims[0] <= room && dims[1] <= room / dims[0] && dims[0] < INT32_MAX / 4 &&
                dims[1] < INT32_MAX / 4 && (*columns < 0 || dims[1] == (hsize_t)*columns);
    gos_status status = GOS_OK;
    if (good) {
        *data = gos__arena_alloc(r->arena, dims[0] * dims[1] + 1, size);
        status = *data ? GOS_OK : GOS_E_MEMORY;
        good = !*data || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) >= 0;
    }
    if (kind >= 0) {
        (void)H5Tclose(kind);
    }
    (void)H5Dclose(set);
    *rows = (int)dims[0];
    *columns = (int)dims[1];
    return status == GOS_OK && !good ? damaged(r, "it is damaged") : status;
}

static bool all_finite(size_t n, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += fabs(x[i]);
    }
    return isfinite(sum);
}

static gos_status get_groups(reader *r) {
    gos_rom_info *k = &r->k;
    char path[PATH];
    k->n = GOS_NEW(r->arena, int, 2 * k->ngroup + 1);
    k->T = GOS_NEW(r->arena, double *, 2 * k->ngroup + 1);
    if (!k->n || !k->T) {
        return GOS_E_MEMORY;
    }
    k->m = k->n + k->ngroup;
    k->D0 = k->T + k->ngroup;
    for (int i = 0; i < k->ngroup; i++) {
        void *T, *D;
        int n = 0, three = 3;
        k->m[i] = -1;
        (void)snprintf(path, sizeof path, "groups/T%d", i);
        GOS_TRY(get_matrix(r, path, H5T_NATIVE_DOUBLE, sizeof(double), &n, &k->m[i], &T));
        (void)snprintf(path, sizeof path, "groups/D%d", i);
        GOS_TRY(get_matrix(r, path, H5T_NATIVE_DOUBLE, sizeof(double), &k->n[i], &three, &D));
        k->m[i] = T ? k->m[i] : 0; // fixed at all nodes
        if (!D || (T && n != k->n[i]) || k->m[i] > k->n[i] || !all_finite((size_t)n * k->m[i], T) ||
            !all_finite(3L * k->n[i], D)) {
            return damaged(r, "its fields are damaged");
        }
        k->T[i] = T;
        k->D0[i] = D;
    }
    return GOS_OK;
}

/* absent in version 1 */
static gos_status get_heat(reader *r, const gos_system *full) {
    gos_rom_info *k = &r->k;
    char path[PATH];
    k->nheat = GOS_NEW(r->arena, int, full->nbody + 1);
    k->heat = GOS_NEW(r->arena, double *, full->nbody + 1);
    GOS_TRY(k->nheat && k->heat ? GOS_OK : GOS_E_MEMORY);
    for (int j = 0; j < full->nbody; j++) {
        const gos_body *b = full->body[j];
        const int i = k->nbody;
        if (gos__body_is_states(b)) {
            continue;
        }
        int nodes = b->nfam > 0 ? b->nt / b->nfam : 0;
        void *heat;
        (void)snprintf(path, sizeof path, "heat/F%d", i);
        GOS_TRY(
            get_matrix(r, path, H5T_NATIVE_DOUBLE, sizeof(double), &k->nheat[i], &nodes, &heat));
        if (k->nheat[i] > nodes || !all_finite((size_t)k->nheat[i] * (size_t)nodes, heat)) {
            return damaged(r, "its temperature functions are damaged");
        }
        k->heat[i] = heat;
        k->nbody++;
    }
    return GOS_OK;
}

static bool good_selection(const gos_selection *s) {
    for (int i = 0; i < s->n; i++) {
        const int before = i > 0 ? s->index[i - 1] : -1;
        if (s->index[i] <= before || s->index[i] >= s->all || !(s->weight[i] >= 0) ||
            !isfinite(s->weight[i])) {
            return false;
        }
    }
    return true;
}

static gos_status get_blocks(reader *r) {
    gos_rom_info *k = &r->k;
    char path[PATH];
    k->selection = GOS_NEW(r->arena, gos_selection, k->nblock + 1);
    if (!k->selection) {
        return GOS_E_MEMORY;
    }
    for (int i = 0; i < k->nblock; i++) {
        gos_selection *s = &k->selection[i];
        void *index, *weight, *all;
        int one = 1, n = 0, count = 0;
        (void)snprintf(path, sizeof path, "blocks/points%d", i);
        GOS_TRY(get_matrix(r, path, H5T_NATIVE_INT, sizeof(int), &s->n, &one, &index));
        (void)snprintf(path, sizeof path, "blocks/weights%d", i);
        one = 1;
        GOS_TRY(get_matrix(r, path, H5T_NATIVE_DOUBLE, sizeof(double), &n, &one, &weight));
        (void)snprintf(path, sizeof path, "blocks/all%d", i);
        one = 1;
        GOS_TRY(get_matrix(r, path, H5T_NATIVE_INT, sizeof(int), &count, &one, &all));
        s->index = index;
        s->weight = weight;
        s->all = count == 1 ? *(const int *)all : 0;
        if (count != 1 || n != s->n || !good_selection(s)) {
            return damaged(r, "its points are damaged");
        }
    }
    if (k->range) {
        int n = 0, three = 3;
        void *range;
        GOS_TRY(
            get_matrix(r, "blocks/ranges", H5T_NATIVE_DOUBLE, sizeof(double), &n, &three, &range));
        if (n != k->nblock) {
            return damaged(r, "its ranges are damaged");
        }
        memcpy(k->range, range, n * sizeof *k->range);
    }
    return GOS_OK;
}

static bool floats_finite(size_t n, const float *x) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += 0 * x[i];
    }
    return sum == 0;
}

static bool good_pictures(const gos_rom_pictures *k, int nodes, int displacements,
                          int temperatures) {
    const size_t rows = (size_t)k->p.n * (size_t)nodes;
    return rows > 0 && (size_t)displacements == rows && (size_t)temperatures == rows &&
           floats_finite(3 * rows, k->p.displacement) && floats_finite(rows, k->p.temperature);
}

/* absent in older files */
static gos_status get_pictures(reader *r, const gos_system *full) {
    char of[32], names[2 * GOS_PICTURES * GOS_SHAPE_NAME + 1];
    const hid_t at = gos__h5_open(r->file, "modes", H5O_TYPE_GROUP);
    if (at < 0) {
        return GOS_OK;
    }
    const bool has_names = gos__h5_attr_text(at, "of", of, sizeof of) &&
                           gos__h5_attr_text(at, "names", names, sizeof names);
    (void)H5Oclose(at);
    gos_rom_pictures *k = GOS_NEW(r->arena, gos_rom_pictures, 1);
    char *own = has_names ? gos__arena_strdup(r->arena, names) : NULL;
    GOS_TRY(k && (own || !has_names) ? GOS_OK : GOS_E_MEMORY);
    for (const char *end = own; has_names && (end = strchr(end, '\n')) != NULL; end++) {
        k->p.n++;
    }
    int displacements = 0, temperatures = 0, three = 3, one = 1;
    void *u, *t;
    GOS_TRY(get_matrix(r, "modes/displacement", H5T_NATIVE_FLOAT, sizeof(float), &displacements,
                       &three, &u));
    GOS_TRY(get_matrix(r, "modes/temperature", H5T_NATIVE_FLOAT, sizeof(float), &temperatures, &one,
                       &t));
    k->of = has_names ? strtoull(of, NULL, 16) : 0;
    k->p = (gos_mode_pictures){k->p.n, own, u, t};
    r->k.pictures = k;
    return good_pictures(k, full->nnodes, displacements, temperatures)
               ? GOS_OK
               : damaged(r, "its modes are damaged");
}

static gos_status read_file(reader *r, const gos_system *full) {
    char format[64];
    double version;
    r->file = gos__h5_open_file(&r->disk, r->path, H5F_ACC_RDONLY);
    const bool has_names =
        r->file >= 0 && gos__h5_attr_text(r->file, "format", format, sizeof format);
    if (has_names && strcmp(format, GOS_LINEAR_FORMAT) == 0) {
        return gos__fail(
            r->ctx, GOS_E_FILE,
            "%s: this is a linear model, valid near one state; a simulation needs a nonlinear "
            "reduced model. Use this file with gossamer response (--over T: over time), modes or "
            "compare, or create a nonlinear model with gossamer reduce --method rotation_closed "
            "(or auto)",
            r->path);
    }
    if (!has_names || strcmp(format, GOS_ROM_FORMAT) != 0) {
        return gos__fail(r->ctx, GOS_E_FILE,
                         "%s: not a reduced model of this program; make one with gossamer reduce",
                         r->path);
    }
    if (!gos__h5_attr_number(r->file, "format_version", &version) || version < GOS_ROM_OLDEST ||
        version > GOS_ROM_VERSION) {
        return damaged(r, "it was written by another version of this program");
    }
    GOS_TRY(get_list(r, "entries", &r->to->entries));
    GOS_TRY(get_list(r, "force_joints", &r->k.force_joints));
    GOS_TRY(get_settings(r, full));
    GOS_TRY(get_groups(r));
    GOS_TRY(get_heat(r, full));
    GOS_TRY(get_blocks(r));
    return get_pictures(r, full);
}

static gos_status read_stored(gos_rom_stored *to, const gos_system *full) {
    reader r = {.ctx = to->ctx, .path = to->path, .file = -1, .arena = to->arena, .to = to};
    GOS_TRY(gos__disk_open(to->ctx, to->path, false, &r.disk));
    gos_h5_visit visit;
    gos__h5_enter(&visit);
    const gos_status status = read_file(&r, full);
    if (r.file >= 0) {
        (void)H5Fclose(r.file);
    }
    gos__h5_leave(&visit);
    gos__disk_close(&r.disk);
    to->k = r.k;
    return status;
}

void gos__rom_forget(gos_rom_stored *stored) {
    if (stored) {
        gos__arena_destroy(stored->arena);
        gos__free(stored->ctx, stored);
    }
}

gos_status gos__rom_read(gos_ctx *ctx, const gos_system *full, const char *path,
                         gos_rom_stored **stored) {
    gos_rom_stored *to = gos__zalloc(ctx, 1, sizeof *to);
    if (!to) {
        return GOS_E_MEMORY;
    }
    to->ctx = ctx;
    to->arena = gos__arena_create(ctx);
    to->path = to->arena ? gos__arena_strdup(to->arena, path) : NULL;
    const gos_status status = to->path ? read_stored(to, full) : GOS_E_MEMORY;
    if (status != GOS_OK) {
        gos__rom_forget(to);
        return status;
    }
    *stored = to;
    return GOS_OK;
}

static gos_status make(gos_ctx *ctx, const gos_system *full, const gos_rom_info *k,
                       gos_system **reduced) {
    GOS_TRY(gos__rom_make(ctx, full, &k->def, k, NULL, reduced));
    if (k->pictures) {
        gos_system *s = *reduced;
        s->rom->pictures = gos__pictures_copy(s->arena, s->nnodes, k->pictures);
        if (!s->rom->pictures) {
            gos_system_destroy(s);
            *reduced = NULL;
            return GOS_E_MEMORY;
        }
    }
    gos__rom_limits(ctx, *reduced);
    return GOS_OK;
}

gos_status gos__rom_again(gos_ctx *ctx, const gos_system *full, const gos_rom_stored *stored,
                          gos_system **reduced) {
    GOS_TRY(check_match(ctx, stored, full));
    gos_rom_info k = stored->k;
    k.def = gos__rom_def(full);
    k.def.cubature = 0;
#define X(name) k.def.name = stored->k.def.name;
    SETTINGS(X)
#undef X
    return make(ctx, full, &k, reduced);
}

gos_status gos_rom_load(gos_ctx *ctx, const gos_system *sys, const char *path,
                        gos_system **reduced) {
    gos_rom_stored *stored;
    GOS_TRY(gos__rom_read(ctx, sys, path, &stored));
    const gos_status status = make(ctx, sys, &stored->k, reduced);
    gos__rom_forget(stored);
    return status;
}
